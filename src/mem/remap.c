/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mremap. The arena must never have a hole on the host, where another thread's malloc could land, so
 * a move leaves the old range mapped (MREMAP_DONTUNMAP) until it is released in place.
 */
#include "mem/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

/* Kernel vma_to_resize(): the whole old range lies in one mapping. */
static bool one_mapping(uint64_t a, uint64_t len)
{
	const uint8_t kind = *page_at(a) & PG_KIND;

	if (!(kind & PG_MAPPED) || a + len > MEM_SPACE)
		return false;
	for (uint64_t p = a; p < a + len; p += MEM_PAGE_SIZE) {
		if ((*page_at(p) & PG_KIND) != kind)
			return false;
	}
	return true;
}

/*
 * A host mremap() to a fixed place empties that place first, and may fail afterwards (limits, no memory):
 * then the reservation is put back, unless the host call failed before it did anything.
 */
static void close_hole(uint64_t a, uint64_t len)
{
	const int e = errno;

	if (!mem_host_close_hole(a, len)) {
		diag("the host placed memory of its own into the guest's address space");
		abort();
	}
	errno = e;
}

/* Puts LEN bytes of host memory at HOST over what is at TO in the arena. 0 or -errno. */
static int put_at(void *host, size_t len, uint64_t to)
{
	if (mremap(host, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, mem_arena.base + to) !=
	    MAP_FAILED)
		return 0;
	close_hole(to, len);
	return -errno;
}

/*
 * Extends the host mapping [start, end) by DELTA. Private anonymous memory is mapped anew beside it (the
 * host merges the two). Of a shared mapping a longer second view is put over it and the reservation behind
 * it. A private mapping of a file can only be extended by the host into free space: the reservation
 * is lifted for that moment, and checked again.
 */
static int grow_host(uint64_t start, uint64_t end, uint64_t delta, uint8_t bits)
{
	uint8_t *base = mem_arena.base;

	if (!(bits & (PG_SHARED | PG_FILE))) {
		if (mmap(base + end, delta, mem_host_prot(bits),
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			return -errno;
		return 0;
	}
	if (bits & PG_SHARED) {
		const size_t len = end - start + delta;
		void *view = mremap(base + start, 0, len, MREMAP_MAYMOVE);
		int r;

		if (view == MAP_FAILED)
			return -errno;
		r = put_at(view, len, start);
		if (r < 0)
			munmap(view, len);
		return r;
	}
	if (munmap(base + end, delta) < 0)
		return -errno;
	if (mremap(base + start, end - start, end - start + delta, 0) != MAP_FAILED)
		return 0;
	close_hole(end, delta);
	return -errno;
}

/* Moves LEN bytes on the host; the source stays mapped, with unspecified content. */
static int move_host(uint64_t from, uint64_t to, uint64_t len)
{
	uint8_t *base = mem_arena.base;

	if (mremap(base + from, len, len, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
		   base + to) != MAP_FAILED)
		return 0;
	close_hole(to, len);
	if (errno != EINVAL)
		return -errno;
	/* Before 5.13 only private anonymous memory can stay behind. */
	return put_at(base + from, len, to);
}

/* A second mapping of the same shared pages (old_len 0). */
static int64_t duplicate(uint64_t old, uint64_t new_len, uint64_t to)
{
	uint8_t bits = *page_at(old) & (uint8_t)~PG_CODE;

	if (mremap(mem_arena.base + old, 0, new_len, MREMAP_MAYMOVE | MREMAP_FIXED,
		   mem_arena.base + to) == MAP_FAILED) {
		close_hole(to, new_len);
		return -errno;
	}
	mem_set_bits(to, new_len, bits);
	mem_inherit(old, to, new_len);
	return (int64_t)to;
}

/* The old place of what was moved. */
static void vacate(uint64_t old, uint64_t len)
{
	/* Without memory for the host's books it stays there, out of reach. */
	if (mem_host_release(old, len) < 0)
		(void)mprotect(mem_arena.base + old, len, PROT_NONE);
	mem_set_bits(old, len, 0);
	mem_forget(old, len);
	mem_search_freed(old, len);
}

static int64_t move(uint64_t old, uint64_t old_len, uint64_t new_len, uint64_t to, bool keep_old)
{
	uint8_t bits = *page_at(old) & (uint8_t)~PG_CODE;
	int e;

	if (old_len == 0)
		return duplicate(old, new_len, to);
	e = move_host(old, to, old_len);
	if (e < 0)
		return e;
	mem_set_bits(to, old_len, bits);
	mem_inherit(old, to, old_len);
	if (new_len > old_len) {
		e = grow_host(to, to + old_len, new_len - old_len, bits);
		if (e < 0 && move_host(to, old, old_len) == 0) { /* as if nothing had been */
			mem_set_bits(old, old_len, bits);
			vacate(to, old_len);
			return e;
		}
		if (e < 0)
			new_len = old_len;
		mem_set_bits(to + old_len, new_len - old_len, bits);
		mem_inherit(old, to + old_len, new_len - old_len);
	}
	if (keep_old)
		mem_set_bits(old, old_len, bits);
	else
		vacate(old, old_len);
	return e < 0 ? e : (int64_t)to;
}

static int64_t resize(uint64_t old, uint64_t old_len, uint64_t new_len, uint32_t flags)
{
	const uint64_t end = old + old_len, delta = new_len - old_len;
	const uint8_t bits = *page_at(old) & (uint8_t)~PG_CODE;
	int64_t to;

	if (!mem_may_expand(bits, delta))
		return -ENOMEM;
	/* In place only at the end of the mapping and into free pages (vma_expandable()). */
	if (old_len && mem_range_free(end, delta)) {
		int e = grow_host(old, end, delta, bits);

		if (e == 0) {
			mem_set_bits(end, delta, bits);
			mem_inherit(old, end, delta);
			return (int64_t)old;
		}
	}
	if (!(flags & MREMAP_MAYMOVE))
		return -ENOMEM;
	to = mem_search(new_len);
	return to < 0 ? to : move(old, old_len, new_len, (uint64_t)to, false);
}

/* The shrinking is a do_munmap() of the rest, whose range must lie in the address space. */
static int cut_tail(uint64_t old, uint64_t old_len, uint64_t new_len)
{
	if (old + old_len > mem_state.task_size)
		return -EINVAL;
	return mem_unmap_range(old + new_len, old_len - new_len);
}

/* Checks of mremap_to(), and the move. */
static int64_t remap_to(uint64_t old, uint64_t old_len, uint64_t new_len, uint64_t to,
			uint32_t flags)
{
	if (flags & MREMAP_FIXED) {
		if (to & MEM_PAGE_MASK || new_len > mem_state.task_size ||
		    to > mem_state.task_size - new_len)
			return -EINVAL;
		if (old + old_len > to && to + new_len > old)
			return -EINVAL;
		if (to < mem_state.min_addr)
			return -EPERM;
		int e = mem_unmap_range(to, new_len);

		if (e < 0)
			return e;
	}
	if (old_len > new_len) {
		int e = cut_tail(old, old_len, new_len);

		if (e < 0)
			return e;
		old_len = new_len;
	}
	if (!one_mapping(old, old_len ? old_len : MEM_PAGE_SIZE))
		return -EFAULT;
	if (!mem_may_expand(*page_at(old), flags & MREMAP_DONTUNMAP ? new_len : new_len - old_len))
		return -ENOMEM;
	if (!(flags & MREMAP_FIXED)) {
		int64_t r = mem_search(new_len);

		if (r < 0)
			return r;
		to = (uint64_t)r;
	}
	return move(old, old_len, new_len, to, flags & MREMAP_DONTUNMAP);
}

static int64_t grow(gaddr old, uint64_t from, uint64_t to, uint32_t flags)
{
	if (!one_mapping(old, from ? from : MEM_PAGE_SIZE))
		return -EFAULT;
	return resize(old, from, to, flags);
}

int64_t mem_mremap(gaddr old, uint32_t old_len, uint32_t new_len, uint32_t flags, gaddr new_addr)
{
	const uint64_t from = page_up(old_len), to = page_up(new_len);
	int64_t r;

	if (flags & ~(uint32_t)(MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP))
		return -EINVAL;
	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) && !(flags & MREMAP_MAYMOVE))
		return -EINVAL;
	if (flags & MREMAP_DONTUNMAP && from != to)
		return -EINVAL;
	if (old & MEM_PAGE_MASK || to == 0)
		return -EINVAL;
	mem_lock();
	if (!(*page_at(old) & PG_MAPPED))
		r = -EFAULT;
	else if (from == 0 && !(*page_at(old) & PG_SHARED))
		r = -EINVAL;
	else if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP))
		r = remap_to(old, from, to, new_addr, flags);
	else if (from >= to)
		r = from > to ? cut_tail(old, from, to) : 0;
	else {
		r = grow(old, from, to, flags);
		mem_unlock();
		return r;
	}
	if (r == 0 && !(flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)))
		r = old;
	mem_unlock();
	return r;
}
