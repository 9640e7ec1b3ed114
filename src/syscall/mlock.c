/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locking all memory. A host mlockall() would lock the emulator and count the whole arena against
 * RLIMIT_MEMLOCK, so the guest's mappings are locked one by one.
 */
#include <errno.h>

#include "abi/host.h"
#include "mem/mem.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

enum { MCL_CURRENT_ = 1, MCL_FUTURE_ = 2, MCL_ONFAULT_ = 4 };

/* Calls FN for each run of pages with one of BITS. What it says about a run does not matter: the
 * kernel ignores such errors too (apply_mlockall_flags()). */
static void each_run(uint8_t bits, void (*fn)(gaddr start, uint32_t len, uint32_t flags),
		     uint32_t flags)
{
	uint64_t start = 0;

	for (uint64_t a = 0; a <= MEM_SPACE; a += MEM_PAGE_SIZE) {
		bool in = a < MEM_SPACE && (mem_page_bits((gaddr)a) & bits);

		if (in)
			continue;
		if (a > start)
			fn((gaddr)start, (uint32_t)(a - start), flags);
		start = a + MEM_PAGE_SIZE;
	}
}

static void lock_run(gaddr start, uint32_t len, uint32_t flags)
{
	(void)mem_mlock(start, len, flags);
}

static void unlock_run(gaddr start, uint32_t len, uint32_t flags)
{
	(void)flags;
	(void)mem_munlock(start, len);
}

static bool may_lock_anything(void)
{
	enum { CAP_IPC_LOCK_ = 14, CAPABILITY_VERSION_3 = 0x20080522 };
	uint32_t header[2] = {CAPABILITY_VERSION_3, 0};
	uint32_t data[2][3] = {{0}};

	return sys_host(HOSTNR(capget), header, data) == 0 && data[0][0] >> CAP_IPC_LOCK_ & 1;
}

/* All that is mapped must fit the limit, as in the kernel. */
static bool within_limit(void)
{
	enum { RLIMIT_MEMLOCK_ = 8 };
	struct host_rlimit lim = {0, 0};
	struct mem_usage u;

	mem_usage(&u);
	sys_host(HOSTNR(prlimit64), 0, RLIMIT_MEMLOCK_, 0, &lim);
	return u.vsize <= lim.rlim_cur || may_lock_anything();
}

int64_t sys_mlockall(struct sys_call *c)
{
	uint32_t flags = (uint32_t)c->a[0];
	int64_t r;

	if (!flags || flags & ~(uint32_t)(MCL_CURRENT_ | MCL_FUTURE_ | MCL_ONFAULT_) ||
	    flags == MCL_ONFAULT_)
		return -EINVAL;
	/* No bytes: only the question whether the process may lock at all. */
	r = sys_host(HOSTNR(mlock), mem_host(0), 0);
	if (r < 0)
		return r;
	if ((flags & MCL_CURRENT_) && !within_limit())
		return -ENOMEM;
	if (flags & MCL_FUTURE_)
		diag_unsupported("mlockall", MCL_FUTURE_,
				 "mlockall(MCL_FUTURE): mappings made from now on are not locked");
	if (flags & MCL_CURRENT_) {
		gil_release(c->task);
		each_run(PG_R | PG_W | PG_X, lock_run, (flags & MCL_ONFAULT_) != 0);
		gil_acquire(c->task);
	}
	return 0;
}

int64_t sys_munlockall(struct sys_call *c)
{
	(void)c;
	each_run(PG_MAPPED, unlock_run, 0);
	return 0;
}
