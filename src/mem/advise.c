/* SPDX-License-Identifier: GPL-2.0-or-later */
/* madvise, msync, mincore, mlock: host calls on the mapped parts of a guest range. */
#include "mem/internal.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int range_fn(void *host, size_t len, long arg);

/*
 * Runs FN on each mapped run of [a, end). A hole, or an end beyond the address space, is -ENOMEM
 * after the rest was done (kernel: unmapped_error), or at once if STOP.
 */
static int64_t on_mapped(uint64_t a, uint64_t end, bool stop, range_fn *fn, long arg)
{
	int64_t hole = 0;
	bool mapped;

	if (end > MEM_SPACE)
		end = MEM_SPACE, hole = -ENOMEM;
	while (a < end) {
		uint64_t run = mem_run(a, end, &mapped);

		if (!mapped) {
			hole = -ENOMEM;
			if (stop)
				return hole;
		} else if (fn(mem_arena.base + a, run, arg) < 0) {
			return -errno;
		}
		a += run;
	}
	return hole;
}

static int do_madvise(void *host, size_t len, long advice)
{
	return madvise(host, len, (int)advice);
}

/* --- MADV_DONTFORK ----------------------------------------------------------------------------------- */

/*
 * Pages that a child of fork(2) does not get, a bit each. The host must not know: its fork would leave a hole
 * in the child's arena, where the child's host memory could come to lie in the guest's reach. So the
 * child gets them and drops them at once (mem_drop_dontfork()). Untouched parts of the table cost nothing.
 */
static uint64_t dontfork[MEM_PAGES / 64];
static bool any_dontfork; /* ever */

static bool dontfork_at(uint64_t page)
{
	return dontfork[page / 64] >> page % 64 & 1;
}

static void set_dontfork(uint64_t a, uint64_t len, bool on)
{
	for (uint64_t page = a >> MEM_PAGE_SHIFT; page < (a + len) >> MEM_PAGE_SHIFT; page++) {
		const uint64_t bit = 1ull << page % 64;

		dontfork[page / 64] = on ? dontfork[page / 64] | bit : dontfork[page / 64] & ~bit;
	}
	any_dontfork |= on;
}

void mem_forget(uint64_t a, uint64_t len)
{
	mem_names_removed(a, len);
	if (any_dontfork)
		set_dontfork(a, len, false);
}

void mem_inherit(uint64_t old, uint64_t a, uint64_t len)
{
	mem_names_inherit(old, a, len);
	if (any_dontfork)
		set_dontfork(a, len, dontfork_at(old >> MEM_PAGE_SHIFT));
}

static int do_dontfork(void *host, size_t len, long advice)
{
	set_dontfork((uint64_t)((uint8_t *)host - mem_arena.base), len, advice == MADV_DONTFORK);
	return 0;
}

void mem_drop_dontfork(void)
{
	uint64_t page = 0, end;

	if (!any_dontfork)
		return;
	mem_lock();
	while (page < MEM_PAGES) {
		if (page % 64 == 0 && !dontfork[page / 64]) {
			page += 64;
			continue;
		}
		for (end = page; end < MEM_PAGES && dontfork_at(end);)
			end++;
		if (end > page)
			(void)mem_unmap_range(page << MEM_PAGE_SHIFT, (end - page)
									      << MEM_PAGE_SHIFT);
		page = end > page ? end : page + 1;
	}
	mem_unlock();
}

/* Advice that replaces page contents: engines must look again. */
static bool drops_pages(int advice)
{
	return advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE;
}

int64_t mem_madvise(gaddr addr, uint32_t len, int advice)
{
	uint64_t end = addr + page_up(len);
	int64_t r;

	/* An unknown advice is refused before the range is looked at (madvise_behavior_valid()). */
	if (madvise(mem_arena.base, 0, advice) < 0 && errno == EINVAL)
		return -EINVAL;
	if (addr & MEM_PAGE_MASK)
		return -EINVAL;
	if (len == 0)
		return 0;
	mem_lock();
	if (advice == MADV_DONTFORK || advice == MADV_DOFORK)
		r = on_mapped(addr, end, false, do_dontfork, advice);
	else
		r = on_mapped(addr, end, false, do_madvise, advice);
	if (drops_pages(advice)) {
		uint64_t stop = end > MEM_SPACE ? MEM_SPACE : end;

		for (uint64_t p = addr; p < stop; p += MEM_PAGE_SIZE) {
			if (*page_at(p) & PG_CODE)
				mem_set_bits(p, MEM_PAGE_SIZE, *page_at(p) & (uint8_t)~PG_CODE);
		}
	}
	mem_unlock();
	return r;
}

static int do_msync(void *host, size_t len, long flags)
{
	return msync(host, len, (int)flags);
}

int64_t mem_msync(gaddr addr, uint32_t len, int flags)
{
	int64_t r;

	if (flags & ~(MS_ASYNC | MS_INVALIDATE | MS_SYNC) || addr & MEM_PAGE_MASK ||
	    (flags & (MS_ASYNC | MS_SYNC)) == (MS_ASYNC | MS_SYNC))
		return -EINVAL;
	/* Not under the lock: writing back takes its time, and the host checks the range itself. */
	r = on_mapped(addr, addr + page_up(len), false, do_msync, flags);
	return r;
}

int64_t mem_mincore(gaddr addr, uint32_t len, gaddr vec)
{
	uint64_t end = addr + page_up(len);
	uint8_t part[1024];
	bool mapped;

	if (addr & MEM_PAGE_MASK)
		return -EINVAL;
	if (end > MEM_SPACE)
		return -ENOMEM;
	/* The kernel's access_ok(): nothing is written to a vector that wraps around. */
	if (vec + ((end - addr) >> MEM_PAGE_SHIFT) > MEM_SPACE)
		return -EFAULT;
	for (uint64_t a = addr; a < end;) {
		uint64_t run = mem_run(a, end, &mapped);

		if (run > sizeof(part) * MEM_PAGE_SIZE)
			run = sizeof(part) * MEM_PAGE_SIZE;
		if (!mapped)
			return -ENOMEM;
		if (mincore(mem_arena.base + a, run, part) < 0)
			return -errno;
		if (mem_copy_out(vec, part, run >> MEM_PAGE_SHIFT) < 0)
			return -EFAULT;
		vec += (gaddr)(run >> MEM_PAGE_SHIFT);
		a += run;
	}
	return 0;
}

static int do_mlock(void *host, size_t len, long flags)
{
	return flags ? (int)syscall(SYS_mlock2, host, len, flags) : mlock(host, len);
}

static int do_munlock(void *host, size_t len, long unused)
{
	(void)unused;
	return munlock(host, len);
}

/* A lock's range starts at the page below ADDR: with a misaligned ADDR no bytes are a page (kernel do_mlock():
 * the length is aligned after the offset was added to it). */
static uint64_t lock_end(gaddr addr, uint32_t len)
{
	return page_up((uint64_t)addr + len);
}

/* What was unmapped while it was being locked is none of the guest's any more, and counts as locked for it. */
static void unlock_holes(uint64_t a, uint64_t end)
{
	bool mapped;

	end = end < MEM_SPACE ? end : MEM_SPACE;
	mem_lock();
	for (uint64_t run; a < end; a += run) {
		run = mem_run(a, end, &mapped);
		if (!mapped)
			(void)munlock(mem_arena.base + a, run);
	}
	mem_unlock();
}

int64_t mem_mlock(gaddr addr, uint32_t len, uint32_t flags)
{
	const uint64_t a = addr & ~MEM_PAGE_MASK, end = lock_end(addr, len);
	int64_t r;

	if (flags & ~1u) /* MLOCK_ONFAULT */
		return -EINVAL;
	/* Not under the lock: reading in takes its time. */
	r = on_mapped(a, end, true, do_mlock, (long)flags);
	unlock_holes(a, end);
	return r;
}

int64_t mem_munlock(gaddr addr, uint32_t len)
{
	int64_t r;

	mem_lock();
	r = on_mapped(addr & ~MEM_PAGE_MASK, lock_end(addr, len), true, do_munlock, 0);
	mem_unlock();
	return r;
}

/*
 * The host call needs a shared file mapping at the very place, which the arena has; it keeps the
 * protection. Deprecated, but present in every profile.
 */
int64_t mem_remap_file_pages(gaddr addr, uint32_t size, uint32_t prot, uint32_t pgoff,
			     uint32_t flags)
{
	uint64_t a = addr & ~MEM_PAGE_MASK, len = size & ~MEM_PAGE_MASK;
	int64_t r = -EINVAL;
	bool mapped;

	if (prot || a + len <= a || a + len > MEM_SPACE)
		return -EINVAL;
	mem_lock();
	if (mem_run(a, a + len, &mapped) == len && mapped && *page_at(a) & PG_SHARED) {
		r = syscall(SYS_remap_file_pages, mem_arena.base + a, len, 0, (size_t)pgoff,
			    (int)flags & MAP_NONBLOCK) < 0
			    ? -errno
			    : 0;
		if (r == 0)
			mem_set_bits(a, len, *page_at(a) & (uint8_t)~PG_CODE);
	}
	mem_unlock();
	return r;
}
