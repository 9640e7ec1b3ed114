/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vDSO as a dynamic linker sees it: its ELF tables, at the address that AT_SYSINFO_EHDR gives. */
#ifndef VDSO_H
#define VDSO_H

#include "guest.h"

struct elf_phdr {
	u32 type, offset, vaddr, paddr, filesz, memsz, flags, align;
};
struct elf_sym {
	u32 name, value, size;
	u8 info, other;
	u16 shndx;
};
enum { AT_SYSINFO_EHDR = 33, DT_STRTAB = 5, DT_SYMTAB = 6, DT_HASH = 4, DT_SONAME = 14 };
#define DT_VERSYM 0x6ffffff0
#define DT_VERDEF 0x6ffffffc

static u8 *vdso_base;

static UNUSED const struct elf_phdr *vdso_phdr(u32 i)
{
	u16 n = *(u16 *)(vdso_base + 44);

	return i < n ? (const struct elf_phdr *)(vdso_base + get32(vdso_base + 28)) + i : 0;
}

/* The value of a dynamic entry; 0 if there is none. */
static UNUSED u32 vdso_dynamic(u32 tag)
{
	const struct elf_phdr *p;

	for (u32 i = 0; (p = vdso_phdr(i)); i++) {
		if (p->type != 2)
			continue;
		for (const u32 *d = (const u32 *)(vdso_base + p->offset); d[0]; d += 2)
			if (d[0] == tag)
				return d[1];
	}
	return 0;
}

static UNUSED const char *vdso_string(u32 offset)
{
	return (const char *)vdso_base + vdso_dynamic(DT_STRTAB) + offset;
}

static UNUSED u32 vdso_nsymbols(void)
{
	return get32(vdso_base + vdso_dynamic(DT_HASH) + 4); /* chains of the table of sysv style */
}

static UNUSED const struct elf_sym *vdso_symbol(u32 i)
{
	return (const struct elf_sym *)(vdso_base + vdso_dynamic(DT_SYMTAB)) + i;
}

/* The name of the version node of symbol I. */
static UNUSED const char *vdso_version(u32 i)
{
	u16 want = *(u16 *)(vdso_base + vdso_dynamic(DT_VERSYM) + 2 * i) & 0x7fff;

	for (const u8 *d = vdso_base + vdso_dynamic(DT_VERDEF);; d += get32(d + 16)) {
		if (*(u16 *)(d + 4) == want)
			return vdso_string(get32(d + get32(d + 12)));
		if (!get32(d + 16))
			return "?";
	}
}

static UNUSED int same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* The address of NAME in the node VERSION; 0 if it is not there. */
static UNUSED u32 vdso_find(const char *name, const char *version)
{
	for (u32 i = 1; i < vdso_nsymbols(); i++) {
		if (vdso_symbol(i)->shndx && same(vdso_string(vdso_symbol(i)->name), name) &&
		    same(vdso_version(i), version))
			return (u32)vdso_base + vdso_symbol(i)->value;
	}
	return 0;
}

static UNUSED void vdso_init(const u32 *auxv)
{
	for (; auxv[0]; auxv += 2)
		if (auxv[0] == AT_SYSINFO_EHDR)
			vdso_base = (u8 *)auxv[1];
}

#endif
