# SPDX-License-Identifier: GPL-2.0-or-later
#
# FindCapstone: target Capstone::Capstone, variables Capstone_FOUND, Capstone_VERSION.

find_package(PkgConfig QUIET)
pkg_check_modules(PC_Capstone QUIET IMPORTED_TARGET capstone)
set(Capstone_VERSION "${PC_Capstone_VERSION}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Capstone
	REQUIRED_VARS PC_Capstone_LINK_LIBRARIES
	VERSION_VAR Capstone_VERSION
	REASON_FAILURE_MESSAGE "run tools/setup")

if(Capstone_FOUND AND NOT TARGET Capstone::Capstone)
	# Debian's file names include/capstone as the include directory, others include/; sources write
	# <capstone/capstone.h>, so offer the parent too.
	find_path(Capstone_INCLUDE_DIR capstone/capstone.h HINTS ${PC_Capstone_INCLUDE_DIRS})
	mark_as_advanced(Capstone_INCLUDE_DIR)
	add_library(Capstone::Capstone INTERFACE IMPORTED)
	target_link_libraries(Capstone::Capstone INTERFACE PkgConfig::PC_Capstone)
	if(Capstone_INCLUDE_DIR)
		target_include_directories(Capstone::Capstone INTERFACE "${Capstone_INCLUDE_DIR}")
	endif()
endif()
