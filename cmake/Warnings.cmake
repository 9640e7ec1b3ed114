# SPDX-License-Identifier: GPL-2.0-or-later
#
# ilp32run_warnings: interface target with the warnings every host target of the project builds with,
# all of them errors. Link it PRIVATE: target_link_libraries(t PRIVATE ilp32run_warnings).
#
# -DILP32RUN_WERROR=OFF keeps the warnings but lets a build with a compiler newer than ours go on.

option(ILP32RUN_WERROR "Treat compiler warnings as errors" ON)

add_library(ilp32run_warnings INTERFACE)
target_compile_options(ilp32run_warnings INTERFACE
	-Wall -Wextra
	$<$<BOOL:${ILP32RUN_WERROR}>:-Werror>
	-Wshadow -Wpointer-arith -Wvla -Wundef -Wcast-qual -Wwrite-strings
	-Wformat=2 -Wimplicit-fallthrough -Wnull-dereference -Wdate-time
	$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
	$<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
	$<$<COMPILE_LANGUAGE:C>:-Wold-style-definition>
	$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wlogical-op>
	$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wduplicated-cond>
)
