# SPDX-License-Identifier: GPL-2.0-or-later
#
# add_guest_program(NAME SOURCES file...
#                   [STATIC | STATIC_PIE | PIE | SHARED] [LP64]
#                   [COMPILE_OPTIONS opt...] [LINK_OPTIONS opt...] [LIBS file...]
#                   [INCLUDES dir...] [DEPENDS file...] [OUTPUT path])
#
# Builds a freestanding AArch64 ILP32 program (C or assembly, no libc, no start files) with the cross
# compiler. CMake knows one compiler a language and that is the host's, so these are custom commands with
# header dependencies of their own.
#
#   STATIC      ET_EXEC (the default)
#   STATIC_PIE  ET_DYN without PT_INTERP
#   PIE         ET_DYN with PT_INTERP (name it with LINK_OPTIONS -Wl,--dynamic-linker=...)
#   SHARED      a shared library
#   LP64        the ordinary 64-bit ABI instead: for comparisons and for files the loader must refuse
#   LIBS        shared libraries made by add_guest_program, by file name
#   OUTPUT      the file to make; default ${CMAKE_CURRENT_BINARY_DIR}/NAME
#
# The target is guest-NAME (a target cannot be called like the file it makes) and part of ALL; its property
# GUEST_PROGRAM is the file made, for add_test and friends:
#   get_target_property(path guest-NAME GUEST_PROGRAM)
#
# Without the cross compiler configuring fails: tests that silently do not exist look like tests that pass.

find_program(GUEST_CC aarch64-linux-gnu-gcc DOC "Cross compiler that knows -mabi=ilp32")
if(NOT GUEST_CC)
	# On an arm64 host the native compiler is the same one; only its name differs.
	if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
		set(GUEST_CC "${CMAKE_C_COMPILER}" CACHE FILEPATH "" FORCE)
	else()
		message(FATAL_ERROR "aarch64-linux-gnu-gcc is missing: run tools/setup")
	endif()
endif()

set(GUEST_C_FLAGS
	-std=gnu11 -O2 -g -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables
	-Wall -Wextra -Werror -Wno-deprecated
	CACHE STRING "Flags of every guest program, before its own COMPILE_OPTIONS")
mark_as_advanced(GUEST_CC GUEST_C_FLAGS)

function(add_guest_program name)
	cmake_parse_arguments(PARSE_ARGV 1 G "STATIC;STATIC_PIE;PIE;SHARED;LP64" "OUTPUT"
		"SOURCES;COMPILE_OPTIONS;LINK_OPTIONS;LIBS;INCLUDES;DEPENDS")
	if(G_UNPARSED_ARGUMENTS OR NOT G_SOURCES)
		message(FATAL_ERROR "add_guest_program(${name}): bad arguments ${G_UNPARSED_ARGUMENTS}")
	endif()

	set(kinds 0)
	foreach(kind STATIC STATIC_PIE PIE SHARED)
		if(G_${kind})
			math(EXPR kinds "${kinds} + 1")
		endif()
	endforeach()
	if(kinds GREATER 1)
		message(FATAL_ERROR "add_guest_program(${name}): more than one of STATIC, STATIC_PIE, PIE, SHARED")
	endif()
	if(G_STATIC_PIE)
		set(compile -fPIE)
		set(link -static-pie)
	elseif(G_PIE)
		set(compile -fPIE)
		set(link -pie)
	elseif(G_SHARED)
		set(compile -fPIC)
		set(link -shared)
	else()
		set(compile -fno-pie)
		set(link -static -no-pie)
	endif()

	set(abi -mabi=ilp32)
	if(G_LP64)
		set(abi -mabi=lp64)
	endif()
	list(TRANSFORM G_INCLUDES PREPEND -I)

	set(out "${CMAKE_CURRENT_BINARY_DIR}/${name}")
	if(G_OUTPUT)
		cmake_path(ABSOLUTE_PATH G_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
		set(out "${G_OUTPUT}")
	endif()
	cmake_path(GET out PARENT_PATH dir)
	file(MAKE_DIRECTORY "${dir}" "${CMAKE_CURRENT_BINARY_DIR}/${name}.guest")

	set(objects)
	foreach(src IN LISTS G_SOURCES)
		cmake_path(ABSOLUTE_PATH src BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
		# One folder a program: the same source may be built with different options.
		string(MAKE_C_IDENTIFIER "${src}" id)
		string(SHA1 hash "${id}")
		string(SUBSTRING "${hash}" 0 8 hash)
		cmake_path(GET src FILENAME file)
		set(obj "${CMAKE_CURRENT_BINARY_DIR}/${name}.guest/${hash}-${file}.o")
		add_custom_command(OUTPUT "${obj}"
			COMMAND "${GUEST_CC}" ${abi} ${GUEST_C_FLAGS} ${compile} ${G_INCLUDES}
				${G_COMPILE_OPTIONS} -MMD -MF "${obj}.d" -MT "${obj}" -c "${src}" -o "${obj}"
			DEPENDS "${src}" ${G_DEPENDS}
			DEPFILE "${obj}.d"
			COMMENT "Guest object ${name}: ${file}"
			VERBATIM COMMAND_EXPAND_LISTS)
		list(APPEND objects "${obj}")
	endforeach()

	add_custom_command(OUTPUT "${out}"
		COMMAND "${GUEST_CC}" ${abi} -nostdlib -nostartfiles ${link} -Wl,--fatal-warnings
			-Wl,--build-id=none ${objects} ${G_LIBS} ${G_LINK_OPTIONS} -o "${out}"
		DEPENDS ${objects} ${G_LIBS} ${G_DEPENDS}
		COMMENT "Guest program ${name}"
		VERBATIM COMMAND_EXPAND_LISTS)
	add_custom_target("guest-${name}" ALL DEPENDS "${out}")
	set_target_properties("guest-${name}" PROPERTIES GUEST_PROGRAM "${out}")
endfunction()
