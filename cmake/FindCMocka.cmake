# SPDX-License-Identifier: GPL-2.0-or-later
#
# FindCMocka: target CMocka::CMocka, variables CMocka_FOUND, CMocka_VERSION.

find_package(PkgConfig QUIET)
pkg_check_modules(PC_CMocka QUIET IMPORTED_TARGET cmocka)
set(CMocka_VERSION "${PC_CMocka_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CMocka
	REQUIRED_VARS PC_CMocka_LINK_LIBRARIES
	VERSION_VAR CMocka_VERSION
	REASON_FAILURE_MESSAGE "run tools/setup")

if(CMocka_FOUND AND NOT TARGET CMocka::CMocka)
	add_library(CMocka::CMocka INTERFACE IMPORTED)
	target_link_libraries(CMocka::CMocka INTERFACE PkgConfig::PC_CMocka)
endif()
