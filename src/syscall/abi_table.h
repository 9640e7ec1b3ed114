/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ABI as text, for people and tools: system calls, structures, ioctls, and what profiles differ in. */
#ifndef SYSCALL_ABI_TABLE_H
#define SYSCALL_ABI_TABLE_H

#include <stdio.h>

#include "abi/abi.h"
#include "syscall/syscall.h"

enum abi_table_format {
	ABI_TABLE_TEXT,     /* aligned columns */
	ABI_TABLE_CSV,      /* RFC 4180, with a header line */
	ABI_TABLE_MARKDOWN, /* docs/syscalls.md: calls of all profiles */
};

/* Which profiles a table is about, each a column, in this order. */
#define ABI_VIEW_MAX 8
struct abi_view {
	const struct abi_profile *profile[ABI_VIEW_MAX];
	unsigned n;
	bool all;       /* that are built in */
	bool differing; /* only the lines in which they differ */
};

/* In VIEW: profile A (NULL: all that are built in), or the differences between A and B. */
void abi_view_init(struct abi_view *view, const struct abi_profile *a, const struct abi_profile *b);

/*
 * The calls: number, name, state, arguments, and which profiles have it, for each that one of VIEW has (a number with
 * several rows several times); if VIEW is all profiles, for each that has a name. MARKDOWN: of those profiles that the
 * rows name. 0, or -1 if writing failed.
 */
int abi_table_print(FILE *f, const struct abi_view *view, enum abi_table_format format);

/*
 * The calls, and after them what else crosses the boundary: facts of profiles, structures and ioctls (which are the same
 * in all profiles, so they are left out of differences). A structure that a profile changes is STRUCT@PROFILE. In CSV each part has a header line and
 * ends with an empty line. FORMAT: not MARKDOWN. 0, or -1 if writing failed.
 */
int abi_report_print(FILE *f, const struct abi_view *view, enum abi_table_format format);

/* docs/ioctls.md. 0, or -1 if writing failed. */
int abi_ioctls_print(FILE *f);

/* "in", "u32": what is handed over in an argument of that type. */
const char *abi_type_words(enum sys_type type);

#endif
