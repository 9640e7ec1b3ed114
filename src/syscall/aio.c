/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asynchronous I/O (kernel fs/aio.c). Contexts, rings and requests are the host kernel's. A ring is moved
 * into the arena, which changes the context's id to its new address, so that the guest's id of 32 bits
 * is the address of a ring that it can read, as on a real kernel.
 *
 * The host must not read requests from guest memory, since their buffers are to be translated and other
 * threads could change them meanwhile. But the address of a request is what its event and io_cancel name
 * it by. So there is a second region of 4 GiB, the shadow, which begins at a multiple of 4 GiB and is
 * empty but for copies of requests: the lower half of a copy's address is the guest's address.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "lock.h"
#include "signal/signal.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/task.h"

enum { PREAD, PWRITE, FSYNC, FDSYNC, POLL = 5, NOOP, PREADV, PWRITEV };
enum { FLAG_RESFD = 1 };
enum { KEY_AT = offsetof(struct host_iocb, aio_key), OBJ_AT = offsetof(struct host_io_event, obj) };
#define EVENT_SIZE sizeof(struct host_io_event)

#define MAX_RW_COUNT 0x7ffff000u

/* --- rings ---------------------------------------------------------------------------------------- */

static uint64_t host_context(uint64_t id)
{
	return (uint64_t)(uintptr_t)mem_host((gaddr)id);
}

/* The size of the new ring at AT, as the kernel made it: the number of events fills whole pages. */
static uint64_t ring_size(uint64_t at)
{
	const uint32_t *ring = (const uint32_t *)(uintptr_t)at; /* id, nr... then events at 32 */
	uint64_t page = (uint64_t)getpagesize();

	return (32 + (uint64_t)ring[1] * EVENT_SIZE + page - 1) / page * page;
}

/* Moves the ring of host context CTX into the arena: the guest's id, or -ENOMEM. */
static int64_t move_ring(uint64_t ctx)
{
	uint64_t size = ring_size(ctx);
	int64_t g;

	if (size > MEM_SPACE / 2)
		return -ENOMEM;
	g = mem_mmap(0, (uint32_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		     0);
	if (g < 0)
		return g;
	if (mremap((void *)(uintptr_t)ctx, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   mem_host((gaddr)g)) == MAP_FAILED) {
		mem_munmap((gaddr)g, (uint32_t)size);
		return -ENOMEM;
	}
	mem_note_mapped((gaddr)g, (uint32_t)size, PROT_READ | PROT_WRITE, true);
	return g;
}

/* The kernel has unmapped a ring at G: the arena's own mapping fills the hole. Its size is not known (the
 * guest may have written into the ring), but nothing else leaves holes. */
static void fill_hole(gaddr g)
{
	uint64_t page = (uint64_t)getpagesize(), n = 0;

	while (g + n < MEM_SPACE) {
		void *want = (uint8_t *)mem_host(g) + n;
		void *p = mmap(want, page, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
			       -1, 0);

		if (p != want) {
			/* Before 4.17 the flag is a hint. */
			if (p != MAP_FAILED)
				munmap(p, page);
			break;
		}
		n += page;
	}
	if (n)
		mem_note_unmapped(g, (uint32_t)n);
}

int64_t sys_io_setup(struct sys_call *c)
{
	uint64_t ctx = 0;
	uint32_t old;
	int64_t g, r;

	if (mem_get_u32((gaddr)c->a[1], &old))
		return -EFAULT;
	if (old || !c->a[0])
		return -EINVAL;
	r = sys_host(HOSTNR(io_setup), c->a[0], &ctx);
	if (r)
		return r;
	g = move_ring(ctx);
	if (g < 0) {
		sys_host(HOSTNR(io_destroy), ctx);
		return g;
	}
	if (!mem_put_u32((gaddr)c->a[1], (uint32_t)g))
		return 0;
	sys_host(HOSTNR(io_destroy), host_context((gaddr)g));
	fill_hole((gaddr)g);
	return -EFAULT;
}

int64_t sys_io_destroy(struct sys_call *c)
{
	int64_t r = sys_host_blocking(c, HOSTNR(io_destroy), host_context(c->a[0]));

	if (r == 0)
		fill_hole((gaddr)c->a[0]);
	return r;
}

/* --- the shadow ------------------------------------------------------------------------------------- */

static uint8_t *shadow_base;
static struct own_lock shadow_lock = OWN_LOCK_INIT;

static void make_shadow(void)
{
	uint8_t *p = mmap(NULL, 2 * MEM_SPACE + MEM_PAGE_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t skip;

	if (p == MAP_FAILED)
		return;
	skip = -(uintptr_t)p & (MEM_SPACE - 1);
	if (skip)
		munmap(p, skip);
	/* One page more: a request may straddle the end. */
	if (MEM_SPACE - skip)
		munmap(p + skip + MEM_SPACE + MEM_PAGE_SIZE, MEM_SPACE - skip);
	shadow_base = p + skip;
}

/* Where the copy of the request at G lies; NULL when out of memory. */
static struct host_iocb *shadow(gaddr g)
{
	own_lock(&shadow_lock);
	if (!shadow_base)
		make_shadow();
	own_unlock(&shadow_lock);
	return shadow_base ? (struct host_iocb *)(void *)(shadow_base + g) : NULL;
}

/* --- submission --------------------------------------------------------------------------------------- */

static uint64_t buffer(uint64_t buf, uint64_t len)
{
	if (buf > UINT32_MAX)
		return SYS_BAD_POINTER;
	return sys_buf(buf, len < MAX_RW_COUNT ? len : MAX_RW_COUNT);
}

static uint32_t descriptor(uint32_t fd)
{
	return task_fd_is_reserved((int)fd) ? (uint32_t)-1 : fd;
}

/* The request at G: 1, or -errno. */
static int64_t submit(struct sys_call *c, gaddr g)
{
	struct host_iovec iov[SYS_FAST_IOVECS];
	struct host_iocb *copy = shadow(g), in;
	uint64_t list = (uint64_t)(uintptr_t)copy, buf, n;
	void *free_me = NULL;
	int64_t r;

	if (mem_copy_in(&in, g, sizeof(in)) || mem_put_u32(g + KEY_AT, 0))
		return -EFAULT;
	if (!copy)
		return -ENOMEM;
	memcpy(copy, &in, sizeof(in));
	copy->aio_fildes = descriptor(in.aio_fildes);
	if (in.aio_flags & FLAG_RESFD)
		copy->aio_resfd = descriptor(in.aio_resfd);
	switch (in.aio_lio_opcode) {
	case PREAD:
	case PWRITE: copy->aio_buf = buffer(in.aio_buf, in.aio_nbytes); break;
	case PREADV:
	case PWRITEV:
		buf = SYS_BAD_POINTER;
		n = in.aio_nbytes;
		if (in.aio_buf <= UINT32_MAX)
			sys_import_iovec((gaddr)in.aio_buf, in.aio_nbytes, iov, &buf, &n, &free_me);
		copy->aio_buf = buf;
		copy->aio_nbytes = n;
		break;
	case FSYNC:
	case FDSYNC:
	case POLL: break; /* no pointer */
	default:
		/* A host that has more than this would take what follows for an address of ours. */
		copy->aio_lio_opcode = UINT16_MAX;
		copy->aio_buf = 0;
	}
	r = sys_host_blocking(c, HOSTNR(io_submit), host_context(c->a[0]), 1, &list);
	/* For completed(); the host has what it needs. */
	copy->aio_buf = in.aio_buf;
	copy->aio_nbytes = in.aio_nbytes;
	free(free_me);
	return r;
}

/* 4.14 copies the list first (512 at most, MAX_AIO_SUBMITS): copy_iocb(). */
static bool list_is_bad(const struct sys_call *c, int64_t nr)
{
	uint32_t g;

	for (int64_t i = 0; i < nr && i < 512; i++) {
		uint64_t at = c->a[2] + 4 * (uint64_t)i;

		if (at > UINT32_MAX || mem_get_u32((gaddr)at, &g))
			return true;
	}
	return false;
}

int64_t sys_io_submit(struct sys_call *c)
{
	int64_t nr = (int64_t)c->a[1], i, r;

	if (nr < 0)
		return -EINVAL;
	if (abi_profile->io_submit_copies_first && list_is_bad(c, nr))
		return -EFAULT;
	r = sys_host(HOSTNR(io_submit), host_context(c->a[0]), 0, NULL);
	if (r < 0)
		return r;
	for (i = 0; i < nr; i++) {
		uint64_t at = c->a[2] + 4 * (uint64_t)i;
		uint32_t g;

		r = at > UINT32_MAX || mem_get_u32((gaddr)at, &g) ? -EFAULT : submit(c, g);
		if (r < 0)
			return i ? i : r;
	}
	return i;
}

int64_t sys_io_cancel(struct sys_call *c)
{
	gaddr g = (gaddr)c->a[1];
	struct host_iocb *copy = shadow(g);
	uint8_t result[EVENT_SIZE];
	uint32_t key;

	if (mem_get_u32(g + KEY_AT, &key))
		return -EFAULT;
	if (!copy)
		return -ENOMEM;
	copy->aio_key = key;
	/* Kernels since 3.10 write no result. */
	return sys_host(HOSTNR(io_cancel), host_context(c->a[0]), copy, result);
}

/* --- completion ----------------------------------------------------------------------------------------- */

/* The host wrote the event at G: its request gets the guest's address, and code that was read over goes. */
static void completed(gaddr g)
{
	struct host_io_event e;
	const struct host_iocb *copy;
	int64_t result;

	if (abi_read(&abi_st_io_event, &e, g) || !shadow_base)
		return;
	(void)mem_put_u32(g + OBJ_AT + 4, 0);
	copy = shadow((gaddr)e.obj);
	result = e.res;
	if (result <= 0)
		return;
	if (copy->aio_lio_opcode == PREAD)
		mem_host_wrote((gaddr)copy->aio_buf, (uint64_t)result);
	else if (copy->aio_lio_opcode == PREADV)
		sys_iovec_wrote((gaddr)copy->aio_buf, copy->aio_nbytes, (uint64_t)result);
}

/* MASK: of io_pgetevents, or NULL. */
static int64_t get_events(struct sys_call *c, const uint64_t *guest_mask)
{
	const struct abi_struct *st = sys_arg_of(c->row, 4)->st;
	uint64_t timeout = 0, mask = 0;
	struct host_sigset_arg sig = {0, sizeof(mask)};
	struct host_timespec ts;
	bool limited = false;
	int64_t r;

	if (c->a[4]) {
		timeout = abi_read(st, &ts, (gaddr)c->a[4]) ? SYS_BAD_POINTER
							    : (uint64_t)(uintptr_t)&ts;
		limited = timeout != SYS_BAD_POINTER && task_limit(c->task, &ts);
		timeout = limited ? 0 : timeout;
	}
	/* Events are few as a rule, room for them need not be. */
	sys_writes(c, c->a[3], (int64_t)c->a[2] > 0 ? EVENT_SIZE * c->a[2] : 0);
	if (!guest_mask) {
		r = sys_host_blocking(c, HOSTNR(io_getevents), host_context(c->a[0]), c->a[1],
				      c->a[2], mem_host((gaddr)c->a[3]), timeout);
	} else {
		mask = signal_temp_mask(c->task, *guest_mask);
		sig.ss = (uint64_t)(uintptr_t)&mask;
		r = sys_host_blocking(c, HOSTNR(io_pgetevents), host_context(c->a[0]), c->a[1],
				      c->a[2], mem_host((gaddr)c->a[3]), timeout, &sig);
		r = signal_temp_mask_end(c->task, r);
	}
	if (limited)
		r = task_limit_result(c->task, &ts, r, 0);
	for (int64_t i = 0; i < r; i++)
		completed((gaddr)(c->a[3] + (uint64_t)i * EVENT_SIZE));
	return r;
}

int64_t sys_io_getevents(struct sys_call *c)
{
	return get_events(c, NULL);
}

/* The last argument is {u32 mask, u32 size} (struct __compat_aio_sigset). */
int64_t sys_io_pgetevents(struct sys_call *c)
{
	struct host_timespec ts;
	uint64_t mask = 0;
	uint8_t pair[8];
	int e;

	if (c->a[4] && abi_read(sys_arg_of(c->row, 4)->st, &ts, (gaddr)c->a[4]))
		return -EFAULT;
	if (!c->a[5])
		return get_events(c, NULL);
	if (mem_copy_in(pair, (gaddr)c->a[5], sizeof(pair)))
		return -EFAULT;
	if (!abi_get32(pair))
		return get_events(c, NULL);
	e = sys_read_mask(abi_get32(pair), abi_get32(pair + 4), &mask);
	return e ? e : get_events(c, &mask);
}
