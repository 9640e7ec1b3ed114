/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a C file that asserts what our descriptions say about guest structures and values against
 * the kernel's UAPI headers. The cross compiler for ILP32 then decides: what it compiles is true.
 * With "lp64" the same for the host side of those descriptions that give it in numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "headers.h"

#define TABLE(n) &abi_sym_##n,
static const struct abi_symbols *const tables[] = {ABI_SYMBOL_TABLES(TABLE)};
#undef TABLE

static bool lp64;

static void includes(void)
{
	/* The installed header of arm64 says 64 whatever the ABI; a kernel that has ILP32 does not. */
	if (!lp64)
		puts("#define __ASM_BITSPERLONG_H\n#define __BITS_PER_LONG 32\n"
		     "#include <asm-generic/bitsperlong.h>");
	puts("#define offset_of(t, m) __builtin_offsetof(t, m)\n"
	     "#define size_of(t, m) sizeof(((t *)0)->m)");
	headers_begin();
	for (size_t i = 0; i < abi_nstructs; i++) {
		if (abi_structs[i]->header && !listed(abi_structs[i]->header))
			printf("#include <%s>\n", abi_structs[i]->header);
	}
}

/* The kernel ignores half of some members (tv_nsec of time64), which are a field and a PAD then. */
static unsigned size_of_member(const struct abi_struct *s, unsigned k)
{
	const struct abi_field *f = &s->fields[k];
	unsigned size = (lp64 ? f->hsize : f->gsize) * (f->count ? f->count : 1u);

	if (f->rule == ABI_ZEXT && f->gsize == 4 && k + 1 < s->nfields && f[1].rule == ABI_PAD &&
	    f[1].goff == f->goff + 4 && f[1].gsize == 4 && f->goff % 8 == 0 && s->gsize == s->hsize)
		size += f[1].gsize;
	return size;
}

static unsigned structures(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < abi_nstructs; i++) {
		const struct abi_struct *s = abi_structs[i];

		if (!s->type || (lp64 && !s->numbers))
			continue;
		n++;
		printf("_Static_assert(sizeof(%s) %s %u, \"size of %s\");\n", s->type,
		       s->part ? ">=" : "==", lp64 ? s->hsize : s->gsize, s->name);
		if (!lp64)
			printf("_Static_assert(_Alignof(%s) == %u, \"alignment of %s\");\n",
			       s->type, abi_alignment(s), s->name);
		for (unsigned k = 0; k < s->nfields; k++) {
			const struct abi_field *f = &s->fields[k];

			if (!f->name[0] || f->fmt == ABI_HIDE)
				continue;
			printf("_Static_assert(offset_of(%s, %s) == %u, \"%s.%s\");\n", s->type,
			       f->name, lp64 ? f->hoff : f->goff, s->name, f->name);
			printf("_Static_assert(size_of(%s, %s) == %u, \"size of %s.%s\");\n",
			       s->type, f->name, size_of_member(s, k), s->name, f->name);
		}
	}
	return n;
}

/* Names that no header has as a macro (enumerators, libc's names) cannot be checked; most can. */
static void values(void)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct abi_symbol *v = tables[i]->v; v->name; v++, n++)
			printf("#ifdef %s\n_Static_assert((unsigned)(%s) == %#xu && __COUNTER__ + 1, \"%s\");\n#endif\n",
			       v->name, v->name, (unsigned)v->value, v->name);
	}
	printf("_Static_assert(__COUNTER__ > %zu, \"values that were checked\");\n", n * 3 / 4);
}

int main(int argc, char **argv)
{
	lp64 = argc > 1 && strcmp(argv[1], "lp64") == 0;
	includes();
	if (structures() < 20)
		return EXIT_FAILURE; /* the check would be empty */
	if (!lp64)
		values();
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
