/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system call table as text, for people and tools. */
#ifndef SYSCALL_ABI_TABLE_H
#define SYSCALL_ABI_TABLE_H

#include <stdio.h>

#include "abi/abi.h"

enum abi_table_format {
	ABI_TABLE_TEXT,     /* aligned columns */
	ABI_TABLE_CSV,      /* RFC 4180, with a header line */
	ABI_TABLE_MARKDOWN, /* docs/syscalls.md: all profiles; PROFILE is not looked at */
};

/*
 * Writes one line for each number that PROFILE has (NULL: for each that any has): number, name,
 * arguments, state. 0, or -1 if writing failed.
 */
int abi_table_print(FILE *f, const struct abi_profile *profile, enum abi_table_format format);

#endif
