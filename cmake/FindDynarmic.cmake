# SPDX-License-Identifier: GPL-2.0-or-later
#
# Finds dynarmic: Dynarmic_FOUND, target Dynarmic::Dynarmic. Its own package file asks for the development files of
# all libraries it was built with, which nothing here needs.

find_path(Dynarmic_INCLUDE_DIR dynarmic/interface/A64/a64.h)
find_library(Dynarmic_LIBRARY dynarmic)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Dynarmic REQUIRED_VARS Dynarmic_LIBRARY Dynarmic_INCLUDE_DIR)

if(Dynarmic_FOUND AND NOT TARGET Dynarmic::Dynarmic)
	add_library(Dynarmic::Dynarmic UNKNOWN IMPORTED)
	set_target_properties(Dynarmic::Dynarmic PROPERTIES
		IMPORTED_LOCATION "${Dynarmic_LIBRARY}"
		INTERFACE_INCLUDE_DIRECTORIES "${Dynarmic_INCLUDE_DIR}")
endif()
