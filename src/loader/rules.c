/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernels behind the ABI profiles differ in loading. Sources, mainline commits by release:
 * argument list of length 0: 5.18; PT_LOAD alignment of a PIE: 5.10; brk of a static PIE: 5.2; total
 * size by extremes and AT_PHDR by segment: 5.18; MAP_FIXED_NOREPLACE for the first segment: 5.16 (it
 * came and went before); segments without file content and read-only bss tails: 6.7 and 6.6 stable;
 * program headers up to 64 KiB: 5.18 (before: one page); a second hwcap word: 5.2.
 */
#include "loader/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "abi/abi.h"

static const struct loader_rules rules[ABI_PROFILES] = {
	[ABI_AMPERE_4_14] = {.max_phdrs_size = 4096, .strict_bss = true},
	[ABI_OPENEULER_5_10] = {.max_phdrs_size = 4096,
				.strict_bss = true,
				.aligned_pie = true,
				.low_brk = true,
				.hwcap2_word = true},
	[ABI_OPENEULER_6_6] = {.max_phdrs_size = 65536,
			       .first_noreplace = true,
			       .phdr_by_segment = true,
			       .aligned_pie = true,
			       .low_brk = true,
			       .hwcap2_word = true,
			       .sum_by_extremes = true,
			       .empty_argv_string = true},
	[ABI_MODERN] = {.max_phdrs_size = 65536,
			.first_noreplace = true,
			.phdr_by_segment = true,
			.aligned_pie = true,
			.low_brk = true,
			.hwcap2_word = true,
			.sum_by_extremes = true,
			.empty_argv_string = true},
};

const struct loader_rules *loader_rules(void)
{
	return &rules[abi_profile->id];
}

int loader_fail(char text[LOADER_TEXT_SIZE], int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, LOADER_TEXT_SIZE, fmt, ap);
	va_end(ap);
	/* Names come from hostile files: they must neither break the line nor talk to a terminal. */
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return err;
}
