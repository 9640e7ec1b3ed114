/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmap, munmap, mprotect, brk: kernel checks in the kernel's order, then the host inside the arena. */
#include "mem/internal.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "trace/trace.h"

int mem_host_release(uint64_t a, uint64_t len)
{
	mem_must_be_inside(a, len);
	if (mmap(mem_arena.base + a, len, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return -errno;
	return 0;
}

/* Nothing is mapped in some part of [a, a+len): MS_ASYNC does nothing but look (msync(2): ENOMEM). */
static bool has_hole(uint64_t a, uint64_t len)
{
	return msync(mem_arena.base + a, len, MS_ASYNC) < 0 && errno == ENOMEM;
}

bool mem_host_close_hole(uint64_t a, uint64_t len)
{
	return !has_hole(a, len) ||
	       mmap(mem_arena.base + a, len, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
		    0) == mem_arena.base + a;
}

int mem_unmap_range(uint64_t a, uint64_t len)
{
	uint64_t end = a + len;
	bool mapped;

	mem_must_be_inside(a, len);
	/* Run by run: what is not mapped for the guest may still be host memory (the stack's reserve). */
	while (a < end) {
		uint64_t run = mem_run(a, end, &mapped);

		if (mapped) {
			int e = mem_host_release(a, run);

			if (e < 0)
				return e;
			if (a < mem_state.layout.stack_top && a + run > mem_state.stack_host_low)
				mem_state.stack_host_low = (gaddr)(a + run);
			mem_set_bits(a, run, 0);
			mem_forget(a, run);
			mem_search_freed(a, run);
		}
		a += run;
	}
	return 0;
}

int64_t mem_munmap(gaddr addr, uint32_t len)
{
	uint64_t n = page_up(len);
	int r;

	if (addr & MEM_PAGE_MASK || (uint64_t)addr + len > mem_state.task_size || n == 0)
		return -EINVAL;
	mem_lock();
	r = mem_unmap_range(addr, n);
	mem_unlock();
	return r;
}

/* --- mmap ------------------------------------------------------------------------------------------ */

/* Executable mappings of files on a noexec mount: EPERM. The host cannot tell, it maps without exec. */
static bool on_noexec(int fd)
{
	struct statvfs v;

	return fstatvfs(fd, &v) == 0 && v.f_flag & ST_NOEXEC;
}

/* Flags that MAP_SHARED_VALIDATE takes for granted (LEGACY_MAP_MASK of linux/mman.h); for MAP_SYNC the file is asked. */
static const unsigned validated_flags =
	MAP_TYPE | MAP_FIXED | MAP_ANONYMOUS | MAP_DENYWRITE | MAP_EXECUTABLE | MAP_GROWSDOWN |
	MAP_LOCKED | MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK | MAP_STACK | MAP_HUGETLB |
	(21U | 30U) << MAP_HUGE_SHIFT /* 2 MiB, 1 GiB */ | MAP_SYNC;

/* Where the mapping goes: kernel get_unmapped_area(). An address or -errno. */
static int64_t choose(uint64_t addr, uint64_t len, int flags)
{
	const uint64_t min = mem_state.min_addr, size = mem_state.task_size;

	if (len > size)
		return -ENOMEM;
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
		if (addr > size - len)
			return -ENOMEM;
		if (addr & MEM_PAGE_MASK)
			return -EINVAL;
		return addr < min ? -EPERM : (int64_t)addr;
	}
	addr &= ~(uint64_t)MEM_PAGE_MASK;
	if (addr && addr < min)
		addr = min;
	if (addr && mem_range_free(addr, len))
		return (int64_t)addr;
	return mem_search(len);
}

/* Whether FLAGS ask for pages that mem_populate() gets: the host must have the advice for it (Linux 5.14). Those of a
 * locked mapping come with it. */
static bool populated_later(int flags)
{
	return (flags & (MAP_POPULATE | MAP_NONBLOCK | MAP_LOCKED)) == MAP_POPULATE &&
	       madvise(mem_arena.base, 0, MADV_POPULATE_READ) == 0;
}

/* As the kernel does (mm/gup.c, populate_vma_page_range()): private pages that may be written are written. Whether
 * it works does not matter. */
void mem_populate(gaddr addr, uint32_t len, int prot, int flags)
{
	const bool write = prot & PROT_WRITE && (flags & MAP_TYPE) == MAP_PRIVATE;

	if (populated_later(flags))
		(void)madvise(mem_arena.base + addr, page_up(len),
			      write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
}

/* The flags that mean something to the host kernel at a fixed place. MAP_GROWSDOWN is ours, and
 * hints, MAP_32BIT (ignored on arm64), MAP_DENYWRITE and the like have no effect. */
static int host_flags(int flags)
{
	int keep = MAP_TYPE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK |
		   MAP_LOCKED | MAP_SYNC;

	if (populated_later(flags))
		keep &= ~MAP_POPULATE;
	return (flags & keep) | MAP_FIXED;
}

/*
 * The host refused a mapping. Where it asked the file's driver it had unmapped the place before that (as the
 * kernel does for the guest: mmap_region()), which must not stay empty.
 */
static int64_t refused(uint64_t a, uint64_t len)
{
	const int e = errno;

	if (!has_hole(a, len))
		return -e;
	if (!mem_host_close_hole(a, len)) {
		diag("the host placed memory of its own into the guest's address space");
		abort();
	}
	mem_set_bits(a, len, 0);
	mem_forget(a, len);
	mem_search_freed(a, len);
	return -e;
}

static int64_t map_at(uint64_t a, uint64_t len, int prot, int flags, int fd, uint64_t offset)
{
	uint8_t bits = mem_bits_of_prot(prot) | PG_MAPPED;
	const int type = flags & MAP_TYPE;

	if (type == MAP_SHARED || type == MAP_SHARED_VALIDATE)
		bits |= PG_SHARED;
	if (!(flags & MAP_ANONYMOUS))
		bits |= PG_FILE;
	if (flags & MAP_GROWSDOWN && type == MAP_PRIVATE)
		bits |= PG_GROWS;
	if (!mem_may_replace(bits, a, len))
		return -ENOMEM;
	if (mmap(mem_arena.base + a, len, mem_host_prot(bits), host_flags(flags), fd,
		 (off_t)offset) == MAP_FAILED)
		return refused(a, len);
	if (a < mem_state.layout.stack_top && a + len > mem_state.stack_host_low)
		mem_state.stack_host_low = (gaddr)(a + len);
	mem_set_bits(a, len, bits);
	mem_forget(a, len);
	return (int64_t)a;
}

/* Whether the host has huge pages of the size in FLAGS: an anonymous mapping with a size that does not
 * exist is refused before anything else is looked at (mm/mmap.c ksys_mmap_pgoff()). */
static bool huge_size_exists(int flags)
{
	const unsigned size = (unsigned)flags & (unsigned)MAP_HUGE_MASK << MAP_HUGE_SHIFT;
	int fd = memfd_create("", MFD_CLOEXEC | MFD_HUGETLB | size);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENODEV;
}

/*
 * Huge pages: the host would round the length up to their size, over what lies behind, and the arena need not
 * be aligned to them. So there are none: as on a kernel whose pool is empty (vm.nr_hugepages = 0), which
 * is how kernels start.
 */
static bool wants_huge(int flags, int fd)
{
	struct statfs s;

	if (flags & MAP_ANONYMOUS ? !(flags & MAP_HUGETLB)
				  : fstatfs(fd, &s) != 0 || s.f_type != HUGETLBFS_MAGIC)
		return false;
	diag_unsupported(
		"mmap: huge pages", 0,
		"mmap: huge pages (MAP_HUGETLB, files of hugetlbfs); it fails with ENOMEM");
	return true;
}

int64_t mem_mmap(gaddr addr, uint32_t len, int prot, int flags, int fd, uint64_t offset)
{
	uint64_t n = page_up(len);
	int64_t r;

	if (flags & MAP_ANONYMOUS)
		fd = -1, offset = 0;
	else if (lseek(fd, 0, SEEK_CUR) < 0 && errno == EBADF)
		return -EBADF;
	if (len == 0 || offset & MEM_PAGE_MASK)
		return -EINVAL;
	if (flags & MAP_ANONYMOUS && flags & MAP_HUGETLB && !huge_size_exists(flags))
		return -EINVAL;
	if (wants_huge(flags, fd))
		return -ENOMEM;
	if (mem_state.read_implies_exec && prot & PROT_READ && !(fd >= 0 && on_noexec(fd)))
		prot |= PROT_EXEC;
	else if (prot & PROT_EXEC && fd >= 0 && on_noexec(fd))
		return -EPERM;
	mem_lock();
	r = choose(addr, n, flags);
	if (r >= 0 && flags & MAP_FIXED_NOREPLACE) {
		bool mapped;

		if (mem_run((uint64_t)r, (uint64_t)r + n, &mapped) < n || mapped)
			r = -EEXIST;
	}
	if (r >= 0 && (flags & MAP_TYPE) == MAP_SHARED_VALIDATE && !(flags & MAP_ANONYMOUS) &&
	    (unsigned)flags & ~validated_flags)
		r = -EOPNOTSUPP;
	if (r >= 0)
		r = map_at((uint64_t)r, n, prot, flags, fd, offset);
	mem_unlock();
	return r;
}

/* --- mprotect -------------------------------------------------------------------------------------- */

/* How much of a run of mapped pages may become PROT: what becomes data must be within the limits
 * (mprotect_fixup()). */
static uint64_t len_allowed(uint64_t a, uint64_t len, int prot)
{
	uint64_t end = a + len;

	if (!(prot & PROT_WRITE))
		return len;
	for (uint64_t p = a, q; p < end; p = q) {
		const uint8_t old = *page_at(p) & PG_KIND;
		const uint8_t new =
			(old & (uint8_t) ~(PG_R | PG_W | PG_X)) | mem_bits_of_prot(prot);

		for (q = p + MEM_PAGE_SIZE; q < end && (*page_at(q) & PG_KIND) == old;)
			q += MEM_PAGE_SIZE;
		if (!mem_may_expand(new, q - p) && mem_may_expand(old, q - p))
			return p - a;
	}
	return len;
}

/* Changes one run of mapped pages; the host may refuse a part (write access to a file opened for
 * reading): then the pages before it have changed, as in the kernel. */
static int protect_run(uint64_t a, uint64_t whole, int prot)
{
	const int host = mem_host_prot(mem_bits_of_prot(prot));
	const uint64_t len = len_allowed(a, whole, prot);
	uint64_t done = len;
	int r = len < whole ? -ENOMEM : 0;

	if (len && mprotect(mem_arena.base + a, len, host) < 0) {
		for (done = 0; done < len; done += MEM_PAGE_SIZE) {
			if (mprotect(mem_arena.base + a + done, MEM_PAGE_SIZE, host) < 0) {
				r = -errno;
				break;
			}
		}
	}
	/* Per page: the kind of mapping stays. Equal neighbours go in one step. */
	for (uint64_t p = a, q; p < a + done; p = q) {
		const uint8_t keep = *page_at(p) & (PG_MAPPED | PG_SHARED | PG_FILE | PG_GROWS);

		for (q = p + MEM_PAGE_SIZE; q < a + done; q += MEM_PAGE_SIZE) {
			if ((*page_at(q) & (PG_MAPPED | PG_SHARED | PG_FILE | PG_GROWS)) != keep)
				break;
		}
		mem_set_bits(p, q - p, keep | mem_bits_of_prot(prot));
	}
	return r;
}

int64_t mem_mprotect(gaddr addr, uint32_t len, int prot)
{
	const int grows = prot & (GPROT_GROWSDOWN | GPROT_GROWSUP);
	uint64_t a = addr, end = addr + page_up(len);
	int64_t r = 0, tail = 0;
	bool mapped;

	if (grows == (GPROT_GROWSDOWN | GPROT_GROWSUP) || addr & MEM_PAGE_MASK)
		return -EINVAL;
	if (len == 0)
		return 0;
	prot &= ~grows;
	if (prot & ~(PROT_READ | PROT_WRITE | PROT_EXEC | GPROT_SEM))
		return -EINVAL;
	if (mem_state.read_implies_exec && prot & PROT_READ)
		prot |= PROT_EXEC;
	if (end > MEM_SPACE) /* what is mapped changes all the same */
		end = MEM_SPACE, tail = -ENOMEM;
	mem_lock();
	if (grows && !(*page_at(a) & PG_GROWS))
		r = *page_at(a) & PG_MAPPED ? -EINVAL : -ENOMEM;
	while (r == 0 && grows == GPROT_GROWSDOWN && a > 0 &&
	       *page_at(a - MEM_PAGE_SIZE) & PG_GROWS)
		a -= MEM_PAGE_SIZE;
	while (r == 0 && a < end) {
		uint64_t run = mem_run(a, end, &mapped);

		r = mapped ? protect_run(a, run, prot) : -ENOMEM;
		a += run;
	}
	mem_unlock();
	return r ? r : tail;
}

/* --- brk ------------------------------------------------------------------------------------------- */

void mem_set_brk_start(gaddr start)
{
	mem_state.brk_start = mem_state.brk = start;
}

/* RLIMIT_DATA bounds heap and data segment together (kernel check_data_rlimit()). */
static bool data_limit_allows(gaddr brk)
{
	struct mem_limits lim;

	mem_get_limits(&lim);
	return (uint64_t)(brk - mem_state.brk_start) +
		       (mem_state.end_data - mem_state.start_data) <=
	       lim.data;
}

static bool brk_grow(uint64_t old, uint64_t new)
{
	uint8_t bits = PG_MAPPED | PG_R | PG_W | (mem_state.read_implies_exec ? PG_X : 0);

	/* One page must stay free behind the heap, and the guard gap before a stack. */
	if (!mem_range_free(old, new + MEM_PAGE_SIZE - old) || !mem_may_expand(bits, new - old))
		return false;
	if (mmap(mem_arena.base + old, new - old, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	mem_set_bits(old, new - old, bits);
	return true;
}

int64_t mem_brk(gaddr brk)
{
	struct mem_state *s = &mem_state;
	uint64_t old, new;

	mem_lock();
	old = page_up(s->brk), new = page_up(brk);
	if (brk < s->brk_start || !data_limit_allows(brk))
		goto out;
	if (new < old ? mem_unmap_range(new, old - new) == 0 : new == old || brk_grow(old, new))
		s->brk = brk;
out:
	brk = s->brk;
	mem_unlock();
	return brk;
}
