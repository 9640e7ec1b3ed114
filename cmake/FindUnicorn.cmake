# SPDX-License-Identifier: GPL-2.0-or-later
#
# FindUnicorn: target Unicorn::Unicorn, variables Unicorn_FOUND, Unicorn_VERSION, Unicorn_LIBRARY,
# Unicorn_INCLUDE_DIR.
#
# The copy that tools/setup put into deps/unicorn wins over the system's, whose version can be one with slow
# stores. Programs that link it get its folder as RPATH from CMake itself (build tree), so that
# build/ilp32run runs without LD_LIBRARY_PATH; src/CMakeLists.txt installs a shared one beside the program
# (Unicorn_FROM_SYSTEM tells whose it is).

# ILP32RUN_DEPS, which a toolchain file sets, is in place of deps/.

set(_unicorn_deps "${CMAKE_CURRENT_LIST_DIR}/../deps/unicorn")
if(ILP32RUN_DEPS)
	set(_unicorn_deps "${ILP32RUN_DEPS}/unicorn")
endif()
cmake_path(NORMAL_PATH _unicorn_deps)

# A cached path of a copy that has since gone away (or a system path from before deps/unicorn came) is stale.
foreach(_v Unicorn_INCLUDE_DIR Unicorn_LIBRARY)
	if(${_v} AND (NOT EXISTS "${${_v}}"
			OR (EXISTS "${_unicorn_deps}/lib/libunicorn.so" AND Unicorn_FROM_SYSTEM)))
		unset(${_v} CACHE)
	endif()
endforeach()

find_path(Unicorn_INCLUDE_DIR unicorn/unicorn.h PATHS "${_unicorn_deps}/include" NO_DEFAULT_PATH)
find_library(Unicorn_LIBRARY unicorn PATHS "${_unicorn_deps}/lib" NO_DEFAULT_PATH)
find_path(Unicorn_INCLUDE_DIR unicorn/unicorn.h)
find_library(Unicorn_LIBRARY unicorn)
mark_as_advanced(Unicorn_INCLUDE_DIR Unicorn_LIBRARY)

cmake_path(IS_PREFIX _unicorn_deps "${Unicorn_LIBRARY}" NORMALIZE _unicorn_is_ours)
if(_unicorn_is_ours)
	set(Unicorn_FROM_SYSTEM OFF CACHE INTERNAL "")
else()
	set(Unicorn_FROM_SYSTEM ON CACHE INTERNAL "")
endif()

# The header names major, minor and patch; the .post suffix of a re-release is no part of it.
if(Unicorn_INCLUDE_DIR)
	set(Unicorn_VERSION "")
	foreach(_part MAJOR MINOR PATCH)
		file(STRINGS "${Unicorn_INCLUDE_DIR}/unicorn/unicorn.h" _line
			REGEX "^#define UC_API_${_part} +[0-9]+" LIMIT_COUNT 1)
		string(REGEX REPLACE "^.* ([0-9]+).*$" "\\1" _line "${_line}")
		list(APPEND Unicorn_VERSION "${_line}")
	endforeach()
	list(JOIN Unicorn_VERSION "." Unicorn_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Unicorn
	REQUIRED_VARS Unicorn_LIBRARY Unicorn_INCLUDE_DIR
	VERSION_VAR Unicorn_VERSION
	REASON_FAILURE_MESSAGE "run tools/setup, it brings Unicorn into deps/unicorn")

# The shared library holds all architectures and 74 000 relocations, which each start of a program would pay
# for; linked statically, two thirds of the start-up time go.
cmake_path(REPLACE_FILENAME Unicorn_LIBRARY libunicorn.a OUTPUT_VARIABLE _unicorn_static)

if(Unicorn_FOUND AND NOT TARGET Unicorn::Unicorn)
	add_library(Unicorn::Unicorn UNKNOWN IMPORTED)
	set_target_properties(Unicorn::Unicorn PROPERTIES
		IMPORTED_LOCATION "${Unicorn_LIBRARY}"
		INTERFACE_INCLUDE_DIRECTORIES "${Unicorn_INCLUDE_DIR}")
	if(EXISTS "${_unicorn_static}")
		set_target_properties(Unicorn::Unicorn PROPERTIES
			IMPORTED_LOCATION "${_unicorn_static}"
			INTERFACE_LINK_LIBRARIES "pthread;m")
		# Without the other architectures the program has a third of the size, and on arm64 its global offset
		# table stays small enough for a statically linked C library.
		foreach(_arch arm m68k mips mips64 mips64el mipsel ppc ppc64 riscv32 riscv64 s390x sparc sparc64
				tricore x86_64)
			foreach(_name uc_init reg_read reg_write)
				set_property(TARGET Unicorn::Unicorn APPEND PROPERTY
					INTERFACE_LINK_OPTIONS "LINKER:--defsym=${_name}_${_arch}=0")
			endforeach()
		endforeach()
		# Newer assemblers mark "push symbol@GOTPCREL(%rip)" as relaxable; linkers before that (2.40) turn it
		# into a call of the symbol, and Unicorn's slow memory path then recurses without end.
		if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
			set_property(TARGET Unicorn::Unicorn APPEND PROPERTY INTERFACE_LINK_OPTIONS "LINKER:--no-relax")
		endif()
	endif()
endif()
