/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which row a number has: the table's, unless the profile says otherwise. */
#include <stdio.h>
#include <string.h>

#include "syscall/syscall.h"

/* The profile in force, as far as it is known here: row[] is right for generation MAPPED - 1. */
static struct {
	unsigned mapped;
	const struct sys_row *row[ABI_NUMBERS];
} calls;

static const struct sys_row *row_named(const char *name)
{
	for (size_t i = 0; i < sys_nold; i++) {
		if (strcmp(sys_old_table[i].name, name) == 0)
			return &sys_old_table[i];
	}
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		if (sys_table[nr].name && strcmp(sys_table[nr].name, name) == 0)
			return &sys_table[nr];
	}
	return NULL;
}

const struct sys_row *sys_row_in(const struct abi_profile *p, uint32_t nr)
{
	/* The last statement counts. */
	for (size_t i = p->ncalls; i-- > 0;) {
		if (p->calls[i].nr == nr)
			return p->calls[i].name[0] ? row_named(p->calls[i].name) : NULL;
	}
	if (nr >= SYS_NROWS || nr >= p->nr_syscalls)
		return NULL;
	return sys_table[nr].profiles & ABI_BIT(p->id) ? &sys_table[nr] : NULL;
}

static void map_calls(void)
{
	for (unsigned nr = 0; nr < ABI_NUMBERS; nr++)
		calls.row[nr] = sys_row_in(abi_profile, nr);
	calls.mapped = abi_generation + 1;
}

const struct sys_row *sys_row(uint32_t nr)
{
	if (calls.mapped != abi_generation + 1)
		map_calls();
	return nr < ABI_NUMBERS ? calls.row[nr] : NULL;
}

const struct sys_row *sys_row_for_name(uint32_t nr)
{
	static const struct sys_row none = {0};
	const struct sys_row *row = sys_row(nr);

	if (row)
		return row;
	return nr < SYS_NROWS ? &sys_table[nr] : &none;
}

const struct abi_profile *sys_find_profile(const char *text, char why[ABI_WHY])
{
	const struct abi_profile *p = abi_find(text, why);
	char place[ABI_WHY];

	for (size_t i = 0; p && i < p->ncalls; i++) {
		const struct abi_call_change *c = &p->calls[i];

		if (!c->name[0] || row_named(c->name))
			continue;
		abi_profile_place(p, c->line, place);
		snprintf(why, ABI_WHY, "%.160s: no call is named %s", place, c->name);
		return NULL;
	}
	return p;
}
