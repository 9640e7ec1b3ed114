/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The emulator lock: the C code of the emulator runs for one task of the address space at a time.
 *
 * A task holds it always but for
 *  - host calls that may block, and other waits for the host (sys_host_blocking_, task_stop_others);
 *  - the svc callback's calls of the vDSO, which touch nothing that is shared;
 *  - while the guest's code runs, if its engine is parallel: task_leave_emulator() before cpu_run() and at the
 *    end of the svc callback, task_enter_emulator() first thing in the callback and behind cpu_run().
 * Under other engines (Unicorn: atomics of one instance are not atomic to the others) cpu_run() keeps it, which
 * makes it the run lock as well: one guest thread at a time.
 *
 * So all books of the emulator (lists, engine pool, descriptors, limits, the C library's allocator as far as
 * src/ uses it) need no lock of their own unless engines use them from inside, or processes that share the
 * memory (vfork) may be killed holding one: src/mem, src/cpu and task lists have theirs, which are taken
 * inside this one. Signal handlers do not have it and touch their task alone.
 *
 * Parallel engines run outside it, with allocators and locks that a fork must find free:
 * task_guests_out() waits until they are out of their engines; nobody gets in again while the lock is held.
 *
 * The lock word holds the owner's tid, so that the lock of a process that shares our memory (vfork)
 * and is killed can be taken from it. It is not a queue: a thread that releases the lock around a
 * host call which turns out not to sleep takes it again at once, instead of paying a context switch
 * for each call. Fairness comes from the time slice: who has waited that long kicks the holder, and
 * a holder that was kicked stands back until somebody else has had the lock. For a thread with a
 * higher real-time priority the slice is short, and the host wakes waiters in the order of theirs. Where engines are parallel
 * the lock is only held for as long as a system call takes, so a waiter looks some times before it sleeps.
 *
 * While a process has one task the lock is off and costs one load. Uncontended it costs one atomic
 * operation each way.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/internal.h"

#define YIELD_NS 1000000 /* a kicked holder waits so long for somebody to take over */
#define SPINS    200     /* looks at the lock before sleeping */
#define LOW_NS   100000  /* a slice under a waiter with a higher real-time priority */
#define OUT_NS   200000  /* between two kicks of those that are to leave their engines */

static struct {
	_Atomic uint32_t owner;    /* tid, 0: free; futex word of waiters */
	_Atomic uint32_t switches; /* changes of owner; futex word of kicked holders */
	_Atomic uint32_t waiters;
	_Atomic uint32_t yielders;
	_Atomic bool kicked; /* a waiter's slice is over */
	uint32_t last;       /* owner before; only touched by the owner */
	bool on;
	uint64_t slice_ns; /* a waiter lets the holder run so long */
} gil = {.slice_ns = 2000000};

/* Waiters are of one address space even when they are of several processes (vfork), which is what
 * FUTEX_PRIVATE_FLAG goes by. */
static long futex(_Atomic uint32_t *word, int op, uint32_t value, uint64_t timeout_ns)
{
	struct timespec ts = {(time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000)};
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

/* For who is not to be disturbed for long. */
static bool spin(struct task *t, uint32_t *owner)
{
	if (!t->cpu || !t->cpu->engine->parallel)
		return false;
	for (unsigned i = 0; i < SPINS; i++) {
		if (!atomic_load_explicit(&gil.owner, memory_order_relaxed) && try_lock(t, owner))
			return true;
#if defined(__x86_64__)
		__builtin_ia32_pause();
#endif
	}
	return false;
}

/* 0: none. */
static int real_time_priority(pid_t tid)
{
	enum { FIFO = 1, RR = 2, DEADLINE = 6, RESET_ON_FORK = 0x40000000, HIGHEST = 100 };
	struct sched_param p = {0};
	int policy = sched_getscheduler(tid);

	switch (policy < 0 ? policy : policy & ~RESET_ON_FORK) {
	case FIFO:
	case RR: return sched_getparam(tid, &p) ? 0 : p.sched_priority;
	case DEADLINE: return HIGHEST;
	default: return 0;
	}
}

/*
 * How long T lets OWNER run. One of lower priority gets little, but not nothing: T may be looping until that one
 * has done something, which it could on another CPU.
 */
static uint64_t slice_for(const struct task *t, uint32_t owner)
{
	int mine;

	if (gil.slice_ns <= LOW_NS || !t->cpu || t->cpu->engine->parallel)
		return gil.slice_ns;
	mine = real_time_priority(0);
	return mine && mine > real_time_priority((pid_t)owner) ? LOW_NS : gil.slice_ns;
}

static void lock_slow(struct task *t)
{
	uint32_t owner, seen;

	if (spin(t, &owner))
		return;
	t->gil_waiting = true;
	atomic_fetch_add(&gil.waiters, 1);
	seen = atomic_load(&gil.switches);
	while (!try_lock(t, &owner)) {
		if (futex(&gil.owner, FUTEX_WAIT, owner, slice_for(t, owner)) != -ETIMEDOUT)
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
	if (sched_is_running()) {
		sched_acquire(t);
		return;
	}
	if (!try_lock(t, &owner))
		lock_slow(t);
	if (gil.last != (uint32_t)t->tid) {
		gil.last = (uint32_t)t->tid;
		/* Only owners write it. A yielder that it misses has its timeout. */
		atomic_store_explicit(&gil.switches,
				      atomic_load_explicit(&gil.switches, memory_order_relaxed) + 1,
				      memory_order_release);
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
	if (!gil.on)
		return;
	if (sched_is_running())
		sched_release();
	else
		unlock();
}

void gil_yield(struct task *t)
{
	if (sched_is_running()) {
		sched_yield_turn(t);
		return;
	}
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

void gil_init(const struct ilp32run_options *opt, int family)
{
	if (opt->sliced)
		gil.slice_ns = opt->time_slice ? opt->time_slice * 1000 : 1;
	sched_init(opt, family);
}

void gil_start(struct task *t)
{
	if (gil.on)
		return;
	if (!sched_start(t)) {
		atomic_store(&gil.owner, (uint32_t)t->tid);
		gil.last = (uint32_t)t->tid;
	}
	gil.on = true;
}

/* --- parallel engines ------------------------------------------------------------------------ */

void task_leave_emulator(struct task *t)
{
	if (!t->cpu->engine->parallel)
		return;
	/* Before the lock is free: see task_guests_out(). */
	atomic_store_explicit(&t->in_guest, true, memory_order_relaxed);
	gil_release(t);
}

void task_enter_emulator(struct task *t)
{
	if (!t->cpu->engine->parallel)
		return;
	atomic_store_explicit(&t->in_guest, false, memory_order_release);
	gil_acquire(t);
}

void task_guests_out(struct task *t)
{
	const struct timespec wait = {0, OUT_NS};

	if (!gil.on)
		return;
	/* One that is killed in there is unlinked by whom it borrowed its memory from (task_bury). */
	while (task_kick_guests(t))
		nanosleep(&wait, NULL);
}

/* --- processes ----------------------------------------------------------------------------- */

void gil_after_fork(void)
{
	gil.on = false;
	sched_after_fork();
	atomic_store(&gil.owner, 0);
	atomic_store(&gil.waiters, 0);
	atomic_store(&gil.yielders, 0);
	atomic_store(&gil.kicked, false);
}

void gil_bury(struct task *dead)
{
	uint32_t tid = (uint32_t)dead->tid;

	if (sched_is_running()) {
		sched_bury(dead);
		return;
	}
	if (dead->gil_waiting) {
		dead->gil_waiting = false;
		atomic_fetch_sub(&gil.waiters, 1);
	}
	if (gil.on && tid && atomic_load(&gil.owner) == tid)
		unlock();
}
