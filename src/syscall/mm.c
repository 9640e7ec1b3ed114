/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the memory calls: the rules are in src/mem, here are only the argument forms. */
#include <errno.h>
#include <sys/mman.h>

#include "abi/abi.h"
#include "mem/mem.h"
#include "syscall/handlers.h"
#include "task/task.h"

int64_t sys_brk(struct sys_call *c)
{
	return mem_brk((gaddr)c->a[0]);
}

int64_t sys_munmap(struct sys_call *c)
{
	return mem_munmap((gaddr)c->a[0], (uint32_t)c->a[1]);
}

int64_t sys_mremap(struct sys_call *c)
{
	return mem_mremap((gaddr)c->a[0], (uint32_t)c->a[1], (uint32_t)c->a[2], (uint32_t)c->a[3],
			  (gaddr)c->a[4]);
}

static int64_t map(struct sys_call *c, uint64_t offset)
{
	const uint32_t len = (uint32_t)c->a[1];
	const int prot = (int)c->a[2];
	int flags = (int)c->a[3];
	int64_t r;

	/* To the host, no type at all is what this one was to kernels before 4.15: the errors keep their order. */
	if ((flags & MAP_TYPE) == MAP_SHARED_VALIDATE && !abi_profile->map_shared_validate)
		flags &= ~MAP_TYPE;
	r = mem_mmap((gaddr)c->a[0], len, prot, flags, (int)c->a[4], offset);

	if (r >= 0 && flags & MAP_POPULATE) {
		gil_release(c->task);
		mem_populate((gaddr)r, len, prot, flags);
		gil_acquire(c->task);
	}
	return r;
}

/* The offset counts 4096-byte units and is unsigned: files up to 16 TiB. */
int64_t sys_mmap2(struct sys_call *c)
{
	return map(c, c->a[5] << 12);
}

/* The native form: the offset counts bytes (arch/arm64: EINVAL unless it is a multiple of a page). */
int64_t sys_mmap(struct sys_call *c)
{
	if (c->a[5] % MEM_PAGE_SIZE)
		return -EINVAL;
	return map(c, c->a[5]);
}

int64_t sys_mprotect(struct sys_call *c)
{
	return mem_mprotect((gaddr)c->a[0], (uint32_t)c->a[1], (int)c->a[2]);
}

/* msync and mlock wait for devices, and for who answers page faults (userfaultfd), which may be another thread. */
int64_t sys_msync(struct sys_call *c)
{
	int64_t r;

	gil_release(c->task);
	r = mem_msync((gaddr)c->a[0], (uint32_t)c->a[1], (int)c->a[2]);
	gil_acquire(c->task);
	return r;
}

static int64_t lock_pages(struct sys_call *c, uint32_t flags)
{
	int64_t r;

	gil_release(c->task);
	r = mem_mlock((gaddr)c->a[0], (uint32_t)c->a[1], flags);
	gil_acquire(c->task);
	return r;
}

int64_t sys_mlock(struct sys_call *c)
{
	return lock_pages(c, 0);
}

int64_t sys_mlock2(struct sys_call *c)
{
	return lock_pages(c, (uint32_t)c->a[2]);
}

int64_t sys_munlock(struct sys_call *c)
{
	return mem_munlock((gaddr)c->a[0], (uint32_t)c->a[1]);
}

int64_t sys_mincore(struct sys_call *c)
{
	return mem_mincore((gaddr)c->a[0], (uint32_t)c->a[1], (gaddr)c->a[2]);
}

int64_t sys_madvise(struct sys_call *c)
{
	return mem_madvise((gaddr)c->a[0], (uint32_t)c->a[1], (int)c->a[2]);
}

int64_t sys_remap_file_pages(struct sys_call *c)
{
	return mem_remap_file_pages((gaddr)c->a[0], (uint32_t)c->a[1], (uint32_t)c->a[2],
				    (uint32_t)c->a[3], (uint32_t)c->a[4]);
}

/*
 * arm64 kernels have these calls since 6.12. The guest CPU has no protection keys (no POE): the kernel
 * then accepts only key -1, and pkey_alloc finds no free key, pkey_free no allocated one
 * (mm/mprotect.c, arch_pkeys_enabled()).
 */
int64_t sys_pkey_mprotect(struct sys_call *c)
{
	if ((int)c->a[3] != -1)
		return -EINVAL;
	return sys_mprotect(c);
}

int64_t sys_pkey_alloc(struct sys_call *c)
{
	if (c->a[0] != 0 || (c->a[1] & ~3ull) != 0)
		return -EINVAL;
	return -ENOSPC;
}

int64_t sys_pkey_free(struct sys_call *c)
{
	(void)c;
	return -EINVAL;
}
