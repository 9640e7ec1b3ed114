/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/abi_table.h"

#include <string.h>

#include "syscall/syscall.h"

/* --- words ---------------------------------------------------------------------------------------- */

/* How a row answers. */
static const char *state_of(const struct sys_row *row)
{
	static char text[64];

	switch ((enum sys_status)row->status) {
	case SYS_DONE: return row->handler ? "yes (handler)" : "yes (by the row)";
	case SYS_LEFT_OUT:
		snprintf(text, sizeof(text), "ENOSYS, as without %s", row->option);
		return text;
	case SYS_TODO: return "not yet: ENOSYS, one line";
	case SYS_ABSENT: break;
	}
	return "ENOSYS";
}

const char *abi_type_words(enum sys_type type)
{
	switch (type) {
	case T_INT:
	case T_PID:
	case T_SIGNO:
	case T_SYMBOL: return "int";
	case T_LONG: return "long";
	case T_UINT:
	case T_HEX:
	case T_DEV:
	case T_UID:
	case T_FLAGS: return "u32";
	case T_FD:
	case T_DFD: return "fd";
	case T_MODE: return "mode";
	case T_OPEN: return "O_ flags";
	case T_PAD: return "pad";
	case T_OFF64:
	case T_POS64: return "u64(low, high)";
	case T_OFF64_HL: return "u64(high, low)";
	case T_ADDR: return "address";
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW: return "path";
	case T_STR: return "string";
	case T_IN:
	case T_IN_SIZED:
	case T_IN_ARRAY: return "in";
	case T_OUT:
	case T_OUT_ARRAY: return "out";
	case T_INOUT: return "inout";
	case T_BUF_IN: return "in bytes";
	case T_BUF_OUT: return "out bytes";
	case T_DIRENTS: return "out dirent64";
	case T_IOVEC_IN:
	case T_IOVEC_OUT: return "in iovec";
	case T_SOCKADDR_IN: return "in sockaddr";
	case T_SOCKADDR_OUT: return "out sockaddr";
	case T_SIGSET: return "in sigset";
	case T_SIGSET_OUT: return "out sigset";
	case T_INT_OUT: return "out int";
	case T_INT_INOUT: return "inout int";
	case T_U64_OUT: return "out u64";
	case T_U64_INOUT: return "inout u64";
	case T_ARGV:
	case T_ENVP: return "in string pointers";
	case T_FDSET: return "inout fd_set";
	case T_POLLFDS: return "inout pollfd";
	case T_SIGINFO_IN: return "in siginfo";
	case T_SIGINFO_OUT: return "out siginfo";
	case T_WSTATUS: return "out wait status";
	case T_PTR:
	case T_OPAQUE: return "pointer";
	case T_END: break;
	}
	return "";
}

/* "fd fd, out bytes buf[count], u32 count"; ONE: a 64-bit value takes one register. */
static void put_arguments(FILE *f, const struct sys_row *row, bool one)
{
	const char *comma = "";

	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		if (one && a->type == T_PAD)
			continue;
		fprintf(f, "%s%s", comma,
			one && sys_type_is_64(a->type)
				? "u64"
				: abi_type_words(a->view ? a->view : a->type));
		comma = ", ";
		if (a->type == T_PAD)
			continue;

		const struct abi_struct *st = a->view ? a->view_st : a->st;

		fprintf(f, "%s%s %s", st ? " " : "", st ? st->name : "", a->name);
		if (a->len >= 0)
			fprintf(f, "[%s]", sys_arg_of(row, (unsigned)a->len)->name);
		else if (a->fixed)
			fprintf(f, "[%u]", a->fixed);
	}
}

static bool has(const struct sys_row *row, const struct abi_view *view, unsigned i, unsigned nr)
{
	return sys_row_in(view->profile[i], nr) == row;
}

static bool wanted(const struct sys_row *row, const struct abi_view *view, unsigned nr)
{
	unsigned n = 0;

	if (!row || !row->name)
		return false;
	for (unsigned i = 0; i < view->n; i++)
		n += has(row, view, i, nr);
	if (view->all && nr < SYS_NROWS && row == &sys_table[nr])
		return true; /* names that belong to the numbers, even if none has the call */
	return n && !(view->differing && n == view->n);
}

/* Row I of those that number NR has in VIEW and that are to be shown: the table's, then others. NULL behind the last. */
static const struct sys_row *row_at(const struct abi_view *view, unsigned nr, unsigned i)
{
	const struct sys_row *seen[1 + ABI_VIEW_MAX];
	unsigned n = 0;

	for (unsigned k = 0; k <= view->n; k++) {
		const struct sys_row *row = k                ? sys_row_in(view->profile[k - 1], nr)
					    : nr < SYS_NROWS ? &sys_table[nr]
							     : NULL;
		bool known = !wanted(row, view, nr);

		for (unsigned s = 0; s < n; s++)
			known |= seen[s] == row;
		if (known)
			continue;
		if (n == i)
			return row;
		seen[n++] = row;
	}
	return NULL;
}

void abi_view_init(struct abi_view *view, const struct abi_profile *a, const struct abi_profile *b)
{
	*view = (struct abi_view){.differing = b, .all = !a};
	if (a)
		view->profile[view->n++] = a;
	if (b)
		view->profile[view->n++] = b;
	for (unsigned p = 0; !a && p < ABI_VIEW_MAX && abi_profile_builtin(p); p++)
		view->profile[view->n++] = abi_profile_builtin(p);
}

/* --- formats -------------------------------------------------------------------------------------- */

/* " [modern]", unless all of VIEW have it. */
static void put_owners(FILE *f, const struct sys_row *row, const struct abi_view *view, unsigned nr)
{
	const char *before = "";
	unsigned n = 0;

	for (unsigned i = 0; i < view->n; i++)
		n += has(row, view, i, nr);
	if (n == view->n)
		return;
	fputs(n ? " [" : " [none", f);
	for (unsigned i = 0; i < view->n; i++) {
		if (!has(row, view, i, nr))
			continue;
		fprintf(f, "%s%s", before, view->profile[i]->name);
		before = ", ";
	}
	fputc(']', f);
}

/* All of VIEW pass 64-bit values so. */
static bool of_one_register(const struct abi_view *view)
{
	unsigned n = 0;

	for (unsigned i = 0; i < view->n; i++)
		n += view->profile[i]->args_in_one_register;
	return n == view->n;
}

static void print_text(FILE *f, const struct abi_view *view)
{
	for (unsigned nr = 0, i = 0; nr < ABI_NUMBERS; i++) {
		const struct sys_row *row = row_at(view, nr, i);

		if (!row) {
			nr++;
			i = UINT32_MAX;
			continue;
		}
		fprintf(f, "%3u  %-28s %-26s (", nr, row->name, state_of(row));
		put_arguments(f, row, of_one_register(view));
		fputc(')', f);
		put_owners(f, row, view, nr);
		fputc('\n', f);
	}
}

static void print_csv(FILE *f, const struct abi_view *view)
{
	fputs("number,name,state,arguments", f);
	for (unsigned i = 0; i < view->n; i++)
		fprintf(f, ",%s", view->profile[i]->name);
	fputs("\r\n", f);
	for (unsigned nr = 0, i = 0; nr < ABI_NUMBERS; i++) {
		const struct sys_row *row = row_at(view, nr, i);

		if (!row) {
			nr++;
			i = UINT32_MAX;
			continue;
		}
		fprintf(f, "%u,%s,\"%s\",\"", nr, row->name, state_of(row));
		put_arguments(f, row, of_one_register(view));
		fputc('"', f);
		for (unsigned p = 0; p < view->n; p++)
			fputs(has(row, view, p, nr) ? ",1" : ",0", f);
		fputs("\r\n", f);
	}
}

static void markdown_summary(FILE *f)
{
	fputs("| profile | calls | implemented | by the row alone | left out | not yet |\n"
	      "|---|---|---|---|---|---|\n",
	      f);
	for (unsigned p = 0; p < ABI_PROFILES; p++) {
		unsigned calls = 0, done = 0, generic = 0, out = 0;

		for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
			const struct sys_row *row = &sys_table[nr];

			if (!(row->profiles & ABI_BIT(p)))
				continue;
			calls++;
			done += row->status == SYS_DONE;
			generic += row->status == SYS_DONE && !row->handler;
			out += row->status == SYS_LEFT_OUT;
		}
		fprintf(f, "| %s | %u | %u | %u | %u | %u |\n", abi_profile_get(p)->name, calls,
			done, generic, out, calls - done - out);
	}
}

static void print_markdown(FILE *f)
{
	unsigned hole = 0;

	fputs("# System calls\n\n"
	      "Made from the table by `abi_table_print()`; do not edit.\n\n"
	      "A number that a profile has not is answered with ENOSYS. A call that is not implemented yet\n"
	      "gives ENOSYS too, and one line on stderr that names it. A call that is left out answers as a kernel\n"
	      "that was built without its option. `pad` is a register that is skipped, `u64` takes two registers.\n\n",
	      f);
	markdown_summary(f);
	fputs("\n| number | name | arguments | implemented |", f);
	for (unsigned p = 0; p < ABI_PROFILES; p++)
		fprintf(f, " %s |", abi_profile_get(p)->name);
	fputs("\n|---|---|---|---|", f);
	for (unsigned p = 0; p < ABI_PROFILES; p++)
		fputs("---|", f);
	fputc('\n', f);
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];

		if (!row->name) {
			hole++;
			if (nr + 1 == SYS_NROWS || sys_table[nr + 1].name) {
				fprintf(f, "| %u", nr + 1 - hole);
				if (hole > 1)
					fprintf(f, "-%u", nr);
				fputs(" | (unassigned) | | ENOSYS |", f);
				for (unsigned p = 0; p < ABI_PROFILES; p++)
					fputs(" |", f);
				fputc('\n', f);
				hole = 0;
			}
			continue;
		}
		fprintf(f, "| %u | %s | ", nr, row->name);
		put_arguments(f, row, false);
		fprintf(f, " | %s |", state_of(row));
		for (unsigned p = 0; p < ABI_PROFILES; p++)
			fputs(row->profiles & ABI_BIT(p) ? " x |" : " |", f);
		fputc('\n', f);
	}
}

int abi_table_print(FILE *f, const struct abi_view *view, enum abi_table_format format)
{
	switch (format) {
	case ABI_TABLE_TEXT: print_text(f, view); break;
	case ABI_TABLE_CSV: print_csv(f, view); break;
	case ABI_TABLE_MARKDOWN: print_markdown(f); break;
	}
	return fflush(f) || ferror(f) ? -1 : 0;
}
