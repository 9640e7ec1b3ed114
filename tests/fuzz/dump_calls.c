/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system call table as C for fuzz_calls.c:
 *
 *   static const u32 values_N[] = {...};                     values of a symbol table
 *   CALL(number, name, {kind, size, values, how many}...)    an entry for each register
 *   COMMAND(ioctl number, bytes)
 */
#include <inttypes.h>
#include <stdio.h>

#include "abi/abi.h"
#include "syscall/ioctl.h"
#include "syscall/syscall.h"

#define MAX_TABLES 256
static const struct abi_symbols *tables[MAX_TABLES];
static unsigned ntables;

static unsigned table_of(const struct abi_symbols *s)
{
	unsigned i = 0, n = 0;

	while (i < ntables && tables[i] != s)
		i++;
	if (i < ntables || i == MAX_TABLES)
		return i;
	tables[ntables++] = s;
	printf("static const u32 values_%u[] = {0", i);
	for (const struct abi_symbol *v = s->v; v->name && n < 64; v++, n++)
		printf(", %#" PRIx32, (uint32_t)v->value);
	puts("};");
	return i;
}

static const char *kind_of(const struct sys_row *row, const struct sys_arg *a, int logical)
{
	for (const struct sys_arg *b = row->arg; b->type != T_END; b++) {
		if (b->type != T_PAD && b->len == logical)
			return "LENGTH";
	}
	switch ((enum sys_type)a->type) {
	case T_FD: return "DESCRIPTOR";
	case T_DFD: return "DIRECTORY";
	case T_PID: return "PROCESS";
	case T_SIGNO: return "SIGNAL";
	case T_ADDR: return "ADDRESS";
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW: return "NAME";
	default: return a->type > T_PATH || a->st ? "POINTER" : "NUMBER";
	}
}

static void put_call(const struct sys_row *row, unsigned nr)
{
	int logical = 0;

	printf("CALL(%u, %s", nr, row->name);
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		bool two = a->type == T_OFF64 || a->type == T_OFF64_HL || a->type == T_POS64;

		if (a->symbols)
			printf(", {%s, 0, values_%u, sizeof(values_%u) / 4}",
			       a->type == T_PAD ? "NUMBER" : kind_of(row, a, logical),
			       table_of(a->symbols), table_of(a->symbols));
		else
			printf(", {%s, %u, 0, 0}",
			       a->type == T_PAD ? "NUMBER" : kind_of(row, a, logical),
			       a->st ? a->st->gsize : a->fixed);
		if (two)
			printf(", {OFFSET, 0, 0, 0}");
		logical += a->type != T_PAD;
	}
	puts(")");
}

int main(void)
{
	/* Tables first, so that the calls are one list. */
	puts("#if !defined(CALL) && !defined(COMMAND)");
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		for (const struct sys_arg *a = sys_table[nr].arg;
		     sys_table[nr].name && a->type != T_END; a++) {
			if (a->symbols)
				table_of(a->symbols);
		}
	}
	puts("#endif\n#ifdef CALL");
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		if (sys_table[nr].name && sys_table[nr].status == SYS_DONE)
			put_call(&sys_table[nr], nr);
	}
	puts("#endif\n#ifdef COMMAND");
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		unsigned size;

		ioctl_data(&ioctl_table[i], ioctl_table[i].guest, &size);
		printf("COMMAND(%#" PRIx32 ", %u)\n", ioctl_table[i].guest, size);
	}
	puts("#endif");
	return fflush(stdout) || ferror(stdout);
}
