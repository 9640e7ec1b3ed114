# SPDX-License-Identifier: GPL-2.0-or-later
#
# ilp32run_sanitizers: interface target that is empty unless ILP32RUN_SANITIZE is ON; then everything that
# links it is built with AddressSanitizer and UndefinedBehaviorSanitizer, and undefined behaviour aborts.

option(ILP32RUN_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_library(ilp32run_sanitizers INTERFACE)
if(ILP32RUN_SANITIZE)
	set(_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_compile_options(ilp32run_sanitizers INTERFACE ${_flags})
	target_link_options(ilp32run_sanitizers INTERFACE ${_flags})
	unset(_flags)
endif()
