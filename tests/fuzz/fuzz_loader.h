/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The input format of fuzz_loader.c, for it and for the maker of seeds. */
#ifndef FUZZ_LOADER_H
#define FUZZ_LOADER_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_FD_PROGRAM 100
#define FUZZ_FD_SECOND  101
#define FUZZ_PROGRAM    "/proc/self/fd/100"
#define FUZZ_SECOND     "/proc/self/fd/101"
#define FUZZ_HEADER     3 /* switches, length of the program */

/* Switches. */
#define FUZZ_PROFILE      3u
#define FUZZ_VDSO         4u
#define FUZZ_NO_ASLR      8u
#define FUZZ_IMPLIES_EXEC 16u
#define FUZZ_SYSROOT      32u
#define FUZZ_CUT          64u /* between the checks and the mapping both files lose their last page */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
