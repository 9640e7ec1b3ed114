/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mapping the segments of an image (fs/binfmt_elf.c load_elf_binary, load_elf_interp, elf_load).
 * Addresses are computed modulo 2^64 as there: a load bias may be "negative".
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/abi.h"
#include "loader/internal.h"

#ifndef MAP_FIXED_NOREPLACE
# define MAP_FIXED_NOREPLACE 0x100000
#endif

static uint64_t page_down(uint64_t a)
{
	return a & ~(uint64_t)MEM_PAGE_MASK;
}

static uint64_t page_up(uint64_t a)
{
	return (a + MEM_PAGE_MASK) & ~(uint64_t)MEM_PAGE_MASK;
}

static int protection(const Elf32_Phdr *ph)
{
	return (ph->p_flags & PF_R ? PROT_READ : 0) | (ph->p_flags & PF_W ? PROT_WRITE : 0) |
	       (ph->p_flags & PF_X ? PROT_EXEC : 0);
}

/* mmap with 64-bit numbers: what does not fit the guest's space fails as in get_unmapped_area(). */
static int64_t map(uint64_t addr, uint64_t len, int prot, int flags, int fd, uint64_t off)
{
	bool fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);

	if (len > abi_profile->task_size || len >= MEM_SPACE)
		return -ENOMEM;
	if (addr > abi_profile->task_size - len) {
		if (fixed)
			return -ENOMEM;
		addr = 0; /* a hint that cannot be met */
	}
	return mem_mmap((gaddr)addr, (uint32_t)len, prot, flags, fd, off);
}

/* Zeroed memory for [start, end), as vm_brk_flags(): readable and writable whatever the segment is. */
static int map_zero(uint64_t start, uint64_t end, int seg_prot)
{
	int prot = PROT_READ | PROT_WRITE | (seg_prot & PROT_EXEC);
	int64_t r;

	start = page_up(start);
	end = page_up(end);
	if (end <= start)
		return 0;
	r = map(start, end - start, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return r < 0 ? (int)r : 0;
}

/* Zeroes from ADDR to the end of its page: what the file has there is not part of the segment. */
static int pad_zero(uint64_t addr)
{
	uint64_t n = page_up(addr) - addr;

	if (n == 0)
		return 0;
	return addr < MEM_SPACE ? mem_zero_out((gaddr)addr, n) : -EFAULT;
}

/* Bytes of address space from the first segment to the last; 0 if there is none. */
static uint64_t total_size(const struct loader_elf *elf)
{
	uint64_t low = UINT64_MAX, high = 0;
	bool extremes = abi_profile->sum_by_extremes, any = false;

	for (unsigned i = 0; i < elf->eh.e_phnum; i++) {
		const Elf32_Phdr *ph = &elf->ph[i];
		uint64_t start = page_down(ph->p_vaddr), end = (uint64_t)ph->p_vaddr + ph->p_memsz;

		if (ph->p_type != PT_LOAD)
			continue;
		if (!any || (extremes && start < low))
			low = start;
		if (!any || !extremes || end > high)
			high = end;
		any = true;
	}
	return any ? high - low : 0;
}

/* The greatest power of two among the alignments of the segments; 0 if there is none. */
static uint64_t alignment(const struct loader_elf *elf)
{
	uint64_t max = 0;

	for (unsigned i = 0; i < elf->eh.e_phnum; i++) {
		uint32_t a = elf->ph[i].p_align;

		if (elf->ph[i].p_type == PT_LOAD && a && !(a & (a - 1)) && a > max)
			max = a;
	}
	return page_up(max);
}

/* State of loading one image. */
struct load {
	struct loader_mapped *m;
	const struct loader_elf *elf;
	int fd;
	enum loader_role role;
	bool hinted;
	bool first;   /* no segment was mapped so far */
	uint64_t bss; /* highest end of file content */
	uint64_t brk; /* highest end of memory */
	char *text;
};

/*
 * Flags and bias for the first segment of the image; returns the size to reserve (0: the segment's
 * own). Later segments are fixed relative to the first.
 */
static uint64_t place_first(struct load *l, const Elf32_Phdr *ph, int *flags)
{
	bool dyn = l->elf->eh.e_type == ET_DYN;
	uint64_t base = mem_layout()->pie_base, align = alignment(l->elf);

	l->m->bias = 0;
	switch (l->role) {
	case ROLE_INTERP:
		if (!dyn)
			*flags |= MAP_FIXED;
		else if (!l->hinted)
			l->m->bias = -(uint64_t)ph->p_vaddr;
		return total_size(l->elf);
	case ROLE_PIE:
		if (abi_profile->aligned_pie && align)
			base &= ~(align - 1);
		l->m->bias = page_down(base - ph->p_vaddr);
		break;
	case ROLE_PROGRAM:
		l->m->bias = dyn ? page_down(-(uint64_t)ph->p_vaddr) : 0;
		if (dyn)
			return total_size(l->elf); /* wherever the allocator likes */
		break;
	}
	*flags |= abi_profile->first_noreplace ? MAP_FIXED_NOREPLACE : MAP_FIXED;
	return dyn ? total_size(l->elf) : 0;
}

/* Maps the file part of a segment (elf_map). RESERVE: the whole image's size for its first segment, so
 * that the others find their place free. *AT is where it lies. 0 or -errno. */
static int map_file(struct load *l, const Elf32_Phdr *ph, int flags, uint64_t reserve, uint64_t *at)
{
	uint64_t in_page = ph->p_vaddr & MEM_PAGE_MASK;
	uint64_t size = page_up(ph->p_filesz + in_page);
	uint64_t off = (uint64_t)ph->p_offset - in_page;
	int64_t r;

	*at = page_down(l->m->bias + ph->p_vaddr);
	if (size == 0 || (ph->p_filesz == 0 && !abi_profile->strict_bss))
		return *at < abi_profile->task_size ? 0 : -EINVAL;
	/* mmap's EINVAL: file offset and address differ within their pages. */
	if (off & MEM_PAGE_MASK)
		return -EINVAL;
	reserve = page_up(reserve);
	r = map(*at, reserve ? reserve : size, protection(ph), MAP_PRIVATE | flags, l->fd, off);
	if (r < 0)
		return (int)r;
	*at = (uint64_t)r;
	if (reserve > size)
		mem_munmap((gaddr)(*at + size), (uint32_t)(reserve - size));
	return 0;
}

/* The bss of one segment. 0 or -errno. */
static int map_bss(struct load *l, const Elf32_Phdr *ph)
{
	uint64_t start = l->m->bias + ph->p_vaddr + ph->p_filesz;
	uint64_t end = l->m->bias + ph->p_vaddr + ph->p_memsz;

	if (ph->p_memsz <= ph->p_filesz)
		return 0;
	if (ph->p_filesz == 0 && !abi_profile->strict_bss)
		start = page_down(start);
	else if (pad_zero(start) != 0 && ph->p_flags & PF_W && !abi_profile->strict_bss)
		return -EFAULT;
	return map_zero(start, end, protection(ph));
}

static void note_bounds(struct loader_mapped *m, const Elf32_Phdr *ph)
{
	uint64_t start = ph->p_vaddr, end = start + ph->p_filesz;

	if (start < m->start_code)
		m->start_code = start;
	if (start > m->start_data)
		m->start_data = start;
	if (ph->p_flags & PF_X && end > m->end_code)
		m->end_code = end;
	if (end > m->end_data)
		m->end_data = end;
}

/* The kernel's checks of a segment, made after it was mapped; they compare link addresses for the
 * program and real ones for the interpreter. */
static bool bad_bounds(const struct load *l, const Elf32_Phdr *ph)
{
	uint64_t k = ph->p_vaddr + (l->role == ROLE_INTERP ? l->m->bias : 0);
	uint64_t limit = abi_profile->task_size;

	return k >= limit || ph->p_filesz > ph->p_memsz || ph->p_memsz > limit ||
	       limit - ph->p_memsz < k;
}

static int segment_failed(const struct load *l, const Elf32_Phdr *ph, int err)
{
	const char *why = strerror(-err);
	uint64_t start = l->m->bias + ph->p_vaddr;

	if (ph->p_filesz > ph->p_memsz)
		why = "more bytes in the file than in memory";
	else if ((ph->p_offset ^ ph->p_vaddr) & MEM_PAGE_MASK)
		why = "file offset and address differ within their pages";
	else if (start >= abi_profile->task_size || ph->p_memsz > abi_profile->task_size - start)
		why = "does not fit the 4 GiB address space";
	else if (err == -EEXIST)
		why = "overlaps the stack";
	else if (err == -EFAULT)
		why = "its bss cannot be zeroed";
	return loader_fail(
		l->text, err,
		"segment %u (file offset %#x, address %#x, %#x bytes in the file, %#x in memory): %s",
		(unsigned)(ph - l->elf->ph), ph->p_offset, ph->p_vaddr, ph->p_filesz, ph->p_memsz,
		why);
}

static int map_segment(struct load *l, const Elf32_Phdr *ph)
{
	struct loader_mapped *m = l->m;
	uint64_t reserve = 0, at, end;
	int flags = 0, err;

	if (l->first) {
		bool whole = l->elf->eh.e_type == ET_DYN || l->role == ROLE_INTERP;

		reserve = place_first(l, ph, &flags);
		if (whole && reserve == 0)
			return segment_failed(l, ph, -EINVAL);
	} else {
		flags = MAP_FIXED;
	}
	err = map_file(l, ph, flags, reserve, &at);
	if (err)
		return segment_failed(l, ph, err);
	if (l->first) {
		if (l->elf->eh.e_type == ET_DYN)
			m->bias += at - page_down(m->bias + ph->p_vaddr);
		m->phdr = (uint64_t)ph->p_vaddr - ph->p_offset + l->elf->eh.e_phoff;
		l->first = false;
	}
	note_bounds(m, ph);
	if (bad_bounds(l, ph))
		return segment_failed(l, ph, l->role == ROLE_INTERP ? -ENOMEM : -EINVAL);
	err = map_bss(l, ph);
	if (err)
		return segment_failed(l, ph, err);
	end = m->bias + ph->p_vaddr + ph->p_filesz;
	if (end > l->bss)
		l->bss = end;
	end = m->bias + ph->p_vaddr + ph->p_memsz;
	if (end > l->brk)
		l->brk = end;
	return 0;
}

/* Address of the program headers in memory. */
static void find_phdr(struct load *l)
{
	uint32_t off = l->elf->eh.e_phoff;

	if (abi_profile->phdr_by_segment) {
		l->m->phdr = 0;
		for (unsigned i = 0; i < l->elf->eh.e_phnum; i++) {
			const Elf32_Phdr *ph = &l->elf->ph[i];

			if (ph->p_type == PT_LOAD && ph->p_offset <= off &&
			    off - ph->p_offset < ph->p_filesz)
				l->m->phdr = (uint64_t)off - ph->p_offset + ph->p_vaddr;
		}
	}
	l->m->phdr += l->m->bias;
}

int loader_map_segments(struct loader_mapped *m, const struct loader_elf *elf, int fd,
			enum loader_role role, bool hinted, char text[LOADER_TEXT_SIZE])
{
	struct load l = {.m = m,
			 .elf = elf,
			 .fd = fd,
			 .role = role,
			 .hinted = hinted,
			 .first = true,
			 .text = text};
	int err;

	*m = (struct loader_mapped){.start_code = UINT64_MAX, .phdr = elf->eh.e_phoff};
	for (unsigned i = 0; i < elf->eh.e_phnum; i++)
		if (elf->ph[i].p_type == PT_LOAD) {
			err = map_segment(&l, &elf->ph[i]);
			if (err)
				return err;
		}
	if (role == ROLE_INTERP) {
		if (l.first)
			return loader_fail(text, -EINVAL,
					   "interpreter without segments to load (PT_LOAD)");
	}
	/* Up to 6.6 only the last page counted, but it had to be writable; an interpreter's was zeroed
	 * even without bss. */
	if (abi_profile->strict_bss && (role == ROLE_INTERP || l.bss != l.brk) &&
	    pad_zero(l.bss) != 0)
		return loader_fail(text, -EFAULT,
				   "the page where the bss begins (%#" PRIx64 ") is not writable",
				   l.bss);
	find_phdr(&l);
	m->brk = page_up(l.brk);
	m->entry = m->bias + elf->eh.e_entry;
	if (m->start_code != UINT64_MAX) {
		m->start_code += m->bias;
		m->end_code += m->bias;
		m->start_data += m->bias;
		m->end_data += m->bias;
	}
	return 0;
}
