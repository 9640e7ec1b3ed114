# SPDX-License-Identifier: GPL-2.0-or-later
#
# FindLibElf: elfutils' libelf as target LibElf::LibElf, variables LibElf_FOUND, LibElf_VERSION.

find_package(PkgConfig QUIET)
pkg_check_modules(PC_LibElf QUIET IMPORTED_TARGET libelf)
set(LibElf_VERSION "${PC_LibElf_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibElf
	REQUIRED_VARS PC_LibElf_LINK_LIBRARIES
	VERSION_VAR LibElf_VERSION
	REASON_FAILURE_MESSAGE "run tools/setup")

if(LibElf_FOUND AND NOT TARGET LibElf::LibElf)
	add_library(LibElf::LibElf INTERFACE IMPORTED)
	target_link_libraries(LibElf::LibElf INTERFACE PkgConfig::PC_LibElf)
endif()
