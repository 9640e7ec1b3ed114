/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls with pointers, as C for the generated cases of tests/abi/efault.c:
 *
 *   EFAULT_CALL(line, number, name, "profiles", {kind, register, size, count, its register, optional, name}...)
 */
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "syscall/syscall.h"

/* What the kernel does with a pointer, or that it is a descriptor; NULL: a plain number. */
static const char *pointer_kind(const struct sys_arg *a)
{
	switch ((enum sys_type)a->type) {
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW:
	case T_STR: return "TEXT";
	case T_IN:
	case T_IN_ARRAY:
	case T_BUF_IN:
	case T_IOVEC_IN:
	case T_IOVEC_OUT:
	case T_SOCKADDR_IN:
	case T_SIGSET:
	case T_ARGV:
	case T_ENVP:
	case T_SIGINFO_IN: return "READ";
	case T_INOUT:
	case T_INT_INOUT:
	case T_U64_INOUT:
	case T_FDSET:
	case T_POLLFDS: return "BOTH";
	case T_PTR:
	case T_OPAQUE: return "UNKNOWN";
	case T_FD: return "DESCRIPTOR";
	case T_DFD: return "DIRECTORY";
	default: return sys_type_is_output((enum sys_type)a->type) ? "WRITTEN" : NULL;
	}
}

/* Bytes of one element, or of all. */
static unsigned size_of(const struct sys_arg *a)
{
	unsigned n = a->len < 0 && a->fixed && a->st ? a->fixed : 1;

	if (a->st)
		return n * a->st->gsize;
	switch ((enum sys_type)a->type) {
	case T_BUF_IN:
	case T_BUF_OUT: return a->len < 0 && a->fixed ? a->fixed : 1;
	case T_IOVEC_IN:
	case T_IOVEC_OUT:
	case T_POLLFDS:
	case T_U64_OUT:
	case T_U64_INOUT:
	case T_FDSET: return 8;
	case T_INT_OUT:
	case T_INT_INOUT:
	case T_WSTATUS:
	case T_ARGV:
	case T_ENVP: return 4;
	case T_SIGINFO_IN:
	case T_SIGINFO_OUT: return 128;
	default: return 1;
	}
}

/* How many elements a caller would give: signal sets have 8 bytes in all calls. */
static unsigned count_of(const struct sys_arg *a)
{
	if (a->type == T_SIGSET || a->type == T_SIGSET_OUT)
		return 8;
	return size_of(a) == 1 ? 16 : 1;
}

static int register_of(const struct sys_row *row, int logical)
{
	int reg = 0;

	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		if (a->type != T_PAD && logical-- == 0)
			return reg;
		reg += a->type == T_OFF64 || a->type == T_OFF64_HL || a->type == T_POS64 ? 2 : 1;
	}
	return -1;
}

static int has_pointer(const struct sys_row *row)
{
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		if (pointer_kind(a) && a->type != T_FD && a->type != T_DFD)
			return 1;
	}
	return 0;
}

static void print_profiles(const struct sys_row *row)
{
	if (row->profiles == ABI_ALL) {
		printf("\"all\"");
		return;
	}
	printf("\"");
	for (unsigned p = 0, n = 0; p < ABI_PROFILES; p++) {
		if (row->profiles & ABI_BIT(p))
			printf("%s%s", n++ ? " " : "", abi_profile_get(p)->name);
	}
	printf("\"");
}

int main(void)
{
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];
		int logical = 0, any = 0;

		if (!row->name || !row->profiles || !has_pointer(row))
			continue;
		for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
			const char *kind = pointer_kind(a);

			if (kind) {
				if (!any++) {
					printf("EFAULT_CALL(%u, %u, %s, ", 1000 + nr, nr,
					       row->name);
					print_profiles(row);
				}
				printf(", {%s, %d, %u, %u, %d, %d, \"%s\"}", kind,
				       register_of(row, logical), size_of(a), count_of(a),
				       a->len < 0 || a->type == T_FDSET ? -1
									: register_of(row, a->len),
				       a->optional, a->name);
			}
			logical += a->type != T_PAD;
		}
		if (any)
			printf(")\n");
	}
	return ferror(stdout) ? 1 : 0;
}
