/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The run lock: one guest thread at a time, for engines whose instances cannot run in parallel. Under
 * engines that are parallel it is held in the emulator alone, released while guest code runs: whatever the
 * emulator does for one thread, it does for no other at the same time.
 *
 * The lock word holds the owner's tid, so that the lock of a process that shares our memory (vfork)
 * and is killed can be taken from it. It is not a queue: a thread that releases the lock around a
 * host call which turns out not to sleep takes it again at once, instead of paying a context switch
 * for each call. Fairness comes from the time slice: who has waited that long kicks the holder, and
 * a holder that was kicked stands back until somebody else has had the lock.
 *
 * While a process has one task the lock is off and costs one load.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/internal.h"

#define SLICE_NS 2000000 /* a waiter lets the holder run so long */
#define YIELD_NS 1000000 /* a kicked holder waits so long for somebody to take over */

static struct {
	_Atomic uint32_t owner;    /* tid, 0: free; futex word of waiters */
	_Atomic uint32_t switches; /* changes of owner; futex word of kicked holders */
	_Atomic uint32_t waiters;
	_Atomic uint32_t yielders;
	_Atomic bool kicked; /* a waiter's slice is over */
	uint32_t last;       /* owner before; only touched by the owner */
	bool on;
} gil;

/* Waiters are of one address space even when they are of several processes (vfork), which is what
 * FUTEX_PRIVATE_FLAG goes by. */
static long futex(_Atomic uint32_t *word, int op, uint32_t value, long timeout_ns)
{
	struct timespec ts = {.tv_sec = 0, .tv_nsec = timeout_ns};
	if (syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout_ns ? &ts : NULL, NULL,
		    0) < 0)
		return -errno;
	return 0;
}

static bool try_lock(struct task *t, uint32_t *owner)
{
	*owner = 0;
	return atomic_compare_exchange_strong_explicit(&gil.owner, owner, (uint32_t)t->tid,
						       memory_order_acquire, memory_order_relaxed);
}

static void lock_slow(struct task *t)
{
	uint32_t owner, seen;

	t->gil_waiting = true;
	atomic_fetch_add(&gil.waiters, 1);
	seen = atomic_load(&gil.switches);
	while (!try_lock(t, &owner)) {
		if (futex(&gil.owner, FUTEX_WAIT, owner, SLICE_NS) != -ETIMEDOUT)
			continue;
		uint32_t now = atomic_load(&gil.switches);
		if (now == seen) {
			atomic_store(&gil.kicked, true);
			task_kick(owner);
		}
		seen = now;
	}
	atomic_fetch_sub(&gil.waiters, 1);
	t->gil_waiting = false;
}

void gil_acquire(struct task *t)
{
	uint32_t owner;

	if (!gil.on)
		return;
	if (!try_lock(t, &owner))
		lock_slow(t);
	if (gil.last != (uint32_t)t->tid) {
		gil.last = (uint32_t)t->tid;
		atomic_fetch_add(&gil.switches, 1);
		if (atomic_load(&gil.yielders))
			futex(&gil.switches, FUTEX_WAKE, INT32_MAX, 0);
	}
}

static void unlock(void)
{
	atomic_store(&gil.owner, 0);
	if (atomic_load(&gil.waiters))
		futex(&gil.owner, FUTEX_WAKE, 1, 0);
}

void gil_release(struct task *t)
{
	(void)t;
	if (gil.on)
		unlock();
}

void gil_yield(struct task *t)
{
	if (!gil.on || !atomic_exchange(&gil.kicked, false))
		return;
	uint32_t seen = atomic_load(&gil.switches);
	atomic_fetch_add(&gil.yielders, 1);
	unlock();
	if (atomic_load(&gil.waiters) && atomic_load(&gil.switches) == seen)
		futex(&gil.switches, FUTEX_WAIT, seen, YIELD_NS);
	atomic_fetch_sub(&gil.yielders, 1);
	gil_acquire(t);
}

void gil_start(struct task *t)
{
	if (gil.on)
		return;
	atomic_store(&gil.owner, (uint32_t)t->tid);
	gil.last = (uint32_t)t->tid;
	gil.on = true;
}

void gil_after_fork(void)
{
	gil.on = false;
	atomic_store(&gil.owner, 0);
	atomic_store(&gil.waiters, 0);
	atomic_store(&gil.yielders, 0);
	atomic_store(&gil.kicked, false);
}

void gil_bury(struct task *dead)
{
	uint32_t tid = (uint32_t)dead->tid;

	if (dead->gil_waiting) {
		dead->gil_waiting = false;
		atomic_fetch_sub(&gil.waiters, 1);
	}
	if (gil.on && tid && atomic_load(&gil.owner) == tid)
		unlock();
}
