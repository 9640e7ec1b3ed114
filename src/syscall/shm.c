/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching System V shared memory. The host attaches inside the arena, where its own idea of what is
 * free does not count: the arena is one host mapping. So the place is taken by a mapping of ours
 * first, which the segment then replaces (SHM_REMAP).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/host.h"
#include "mem/mem.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"

enum {
	SHM_RDONLY_ = 010000,
	SHM_RND_ = 020000,
	SHM_REMAP_ = 040000,
	SHM_EXEC_ = 0100000,
};

/* --- attaching ---------------------------------------------------------------------------------- */

/* Where the guest wants it, 0: anywhere. SHMLBA is one page. 0 or -EINVAL (kernel do_shmat()). */
static int64_t wanted(gaddr *addr, int flags)
{
	if (*addr & MEM_PAGE_MASK) {
		if (!(flags & SHM_RND_))
			return -EINVAL;
		*addr &= ~MEM_PAGE_MASK;
		if (!*addr && (flags & SHM_REMAP_))
			return -EINVAL;
	} else if (!*addr && (flags & SHM_REMAP_)) {
		return -EINVAL;
	}
	return 0;
}

/* The size of segment ID in whole pages. -EINVAL, -EIDRM, -EACCES, -ENOMEM if it fits nowhere. */
static int64_t segment_size(int64_t id)
{
	enum { IPC_STAT_ = 2 };
	struct host_shmid64_ds ds;
	int64_t r = sys_host(HOSTNR(shmctl), id, IPC_STAT_, &ds);

	if (r < 0)
		return r;
	return ds.shm_segsz > MEM_SPACE - MEM_PAGE_SIZE
		       ? -ENOMEM
		       : (int64_t)((ds.shm_segsz + MEM_PAGE_MASK) & ~(uint64_t)MEM_PAGE_MASK);
}

/* Takes the place for LEN bytes: its address, or -errno. Only SHM_REMAP may hit other mappings. */
static int64_t take_place(gaddr addr, bool fixed, uint32_t len, int flags)
{
	const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	int64_t r;

	if (flags & SHM_REMAP_)
		return addr + (uint64_t)len > mem_task_size() ? -ENOMEM : (int64_t)addr;
	r = mem_mmap(addr, len, PROT_NONE, fixed ? how | MAP_FIXED_NOREPLACE : how, -1, 0);
	return r == -EEXIST ? -EINVAL : r;
}

static int prot_of(int flags)
{
	return PROT_READ | (flags & SHM_RDONLY_ ? 0 : PROT_WRITE) |
	       (flags & SHM_EXEC_ ? PROT_EXEC : 0);
}

int64_t sys_shmat(struct sys_call *c)
{
	gaddr addr = (gaddr)c->a[1];
	int flags = (int)c->a[2];
	bool fixed = addr != 0;
	int64_t r = wanted(&addr, flags), size, at;

	if (r)
		return r;
	size = segment_size((int64_t)c->a[0]);
	if (size < 0)
		return size;
	at = take_place(addr, fixed, (uint32_t)size, flags);
	if (at < 0)
		return at;
	r = sys_host(HOSTNR(shmat), c->a[0], mem_host((gaddr)at), (flags & ~SHM_RND_) | SHM_REMAP_);
	if (r < 0 && r >= -4095) {
		if (!(flags & SHM_REMAP_))
			mem_munmap((gaddr)at, (uint32_t)size);
		return r;
	}
	/* The host asked for the right to execute, but never runs guest code. */
	if (flags & SHM_EXEC_)
		sys_host(HOSTNR(mprotect), mem_host((gaddr)at), size, prot_of(flags) & ~PROT_EXEC);
	mem_note_mapped((gaddr)at, (uint32_t)size, prot_of(flags), true);
	return at;
}

/* --- detaching ---------------------------------------------------------------------------------- */

/* A host mapping of a segment, from /proc/self/maps. */
struct piece {
	uint64_t start, end, offset, inode;
};

static bool parse(const char *line, struct piece *p)
{
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64 " %n", &p->start,
		   &p->end, &p->offset, &p->inode, &name) != 4)
		return false;
	return strncmp(line + name, "/SYSV", 5) == 0;
}

/*
 * The next piece at or above FROM of the segment that was attached at BASE: one that lies where the
 * whole attachment would have it, and belongs to the segment of FIRST, if given (kernel ksys_shmdt()).
 */
static bool next_piece(uint64_t base, uint64_t from, const struct piece *first, struct piece *p)
{
	char line[512];
	FILE *f = task_spare_fopen("/proc/self/maps");
	bool found = false;
	gaddr g;

	while (f && !found && fgets(line, sizeof(line), f)) {
		found = parse(line, p) && p->start >= from && p->start - base == p->offset &&
			(!first || p->inode == first->inode) &&
			mem_from_host((const void *)(uintptr_t)p->start, &g);
	}
	if (f)
		fclose(f);
	return found;
}

/* Unmapping is detaching; the arena's own mapping takes the place in the same step. */
int64_t sys_shmdt(struct sys_call *c)
{
	gaddr addr = (gaddr)c->a[0];
	uint64_t base = (uint64_t)(uintptr_t)mem_host(addr), from = base;
	struct piece first, p;
	bool any = false;

	if (addr & MEM_PAGE_MASK)
		return -EINVAL;
	while (next_piece(base, from, any ? &first : NULL, &p)) {
		gaddr g = (gaddr)(p.start - (base - addr));

		mem_munmap(g, (uint32_t)(p.end - p.start));
		if (!any)
			first = p;
		any = true;
		from = p.end;
	}
	return any ? 0 : -EINVAL;
}
