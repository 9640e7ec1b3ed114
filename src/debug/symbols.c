/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debug/symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mem/mem.h"

/* The image of a mapping: its file, or memory for the vDSO. */
struct image {
	int fd;
	Elf *elf;
	char memory[MEM_PAGE_SIZE];
};

static bool open_image(struct image *im, const struct debug_map *m)
{
	im->fd = -1;
	im->elf = NULL;
	elf_version(EV_CURRENT);
	if (m->name[0] == '/') {
		im->fd = open(m->name, O_RDONLY | O_CLOEXEC);
		if (im->fd >= 0)
			im->elf = elf_begin(im->fd, ELF_C_READ, NULL);
	} else if (strcmp(m->name, "[vdso]") == 0 &&
		   mem_copy_in(im->memory, (gaddr)m->start, sizeof im->memory) == 0) {
		im->elf = elf_memory(im->memory, sizeof im->memory);
	}
	return im->elf && elf_kind(im->elf) == ELF_K_ELF;
}

static void close_image(struct image *im)
{
	if (im->elf)
		elf_end(im->elf);
	if (im->fd >= 0)
		close(im->fd);
}

/* Where the headers say that the byte at OFFSET in the file is loaded. */
static bool linked_address(Elf *elf, uint64_t offset, uint64_t *addr)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		uint64_t start = ph.p_offset & ~(uint64_t)MEM_PAGE_MASK;
		if (offset >= start && offset < ph.p_offset + ph.p_filesz) {
			*addr = ph.p_vaddr + offset - ph.p_offset;
			return true;
		}
	}
	return false;
}

/* The nearest function (LABELS: or other name in the code) below ADDR in one table that reaches it. */
static void search(struct debug_symbol *s, Elf *elf, Elf_Scn *scn, uint64_t addr, bool labels)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	uint64_t best = 0;
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(scn, &sh) || !sh.sh_entsize)
		return;
	for (size_t i = 0; i < sh.sh_size / sh.sh_entsize; i++) {
		if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    sym.st_shndx >= SHN_LORESERVE || sym.st_value > addr || sym.st_value < best)
			continue;
		int type = GELF_ST_TYPE(sym.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC &&
		     !(labels && type == STT_NOTYPE)) ||
		    (sym.st_size && addr >= sym.st_value + sym.st_size))
			continue;
		const char *name = elf_strptr(elf, sh.sh_link, sym.st_name);
		/* Mapping symbols say what follows, code or data. */
		if (!name || !*name || name[0] == '$')
			continue;
		best = sym.st_value;
		snprintf(s->function, sizeof s->function, "%s", name);
		s->offset = addr - best;
	}
}

static void search_all(struct debug_symbol *s, Elf *elf, uint64_t addr)
{
	static const GElf_Word kinds[] = {SHT_SYMTAB, SHT_DYNSYM, SHT_SYMTAB};
	GElf_Shdr sh;

	for (size_t k = 0; k < 3 && !s->function[0]; k++) {
		for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
			if (gelf_getshdr(scn, &sh) && sh.sh_type == kinds[k])
				search(s, elf, scn, addr, k == 2);
	}
}

void debug_symbol_find(struct debug_symbol *s, const struct debug_maps *maps, uint64_t addr)
{
	const struct debug_map *m = debug_maps_find(maps, addr);
	struct image im;

	*s = (struct debug_symbol){.file = m ? m->name : NULL};
	if (!m)
		return;
	s->in_file = addr - m->start + m->offset;
	if (open_image(&im, m) && linked_address(im.elf, s->in_file, &s->in_file))
		search_all(s, im.elf, s->in_file);
	close_image(&im);
}
