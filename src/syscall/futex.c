/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futexes are the host's: a guest word is a host word, a guest tid a host tid, so that processes with
 * shared memory and priority inheritance work by themselves. Only time-outs have a form of their own.
 */
#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "signal/restart.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/task.h"

#ifndef FUTEX_LOCK_PI2
# define FUTEX_LOCK_PI2 13
#endif
#define NSEC_PER_SEC 1000000000LL
/* The kernel's KTIME_MAX in seconds: longer time-outs end there. */
#define SEC_MAX (INT64_MAX / NSEC_PER_SEC)

#define NR_futex_time64 422

struct wait {
	gaddr uaddr;
	uint32_t op, val, bitset;
	struct host_timespec until; /* absolute */
};

static int64_t wait_until(struct sys_call *c, const struct wait *w);

static int64_t wait_restart(struct sys_call *c, const uint64_t arg[4])
{
	struct wait w = {
		.uaddr = (gaddr)arg[0],
		.op = (uint32_t)(arg[0] >> 32),
		.val = (uint32_t)arg[1],
		.bitset = (uint32_t)(arg[1] >> 32),
		.until = {(int64_t)arg[2], (int64_t)arg[3]},
	};

	return wait_until(c, &w);
}

static int clock_of(uint32_t op)
{
	return op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

/* A wait with a time-out; op is FUTEX_WAIT_BITSET with its flags. */
static int64_t wait_until(struct sys_call *c, const struct wait *w)
{
	struct sig_task *sig = &c->task->sig;
	struct host_timespec until = w->until, *limit = &until;
	bool shared_deadline = task_is_deterministic();

	if (shared_deadline) {
		task_deadline(c->task, clock_of(w->op), &until);
		limit = NULL;
	}
	int64_t r = sys_host_blocking(c, HOSTNR(futex), mem_host(w->uaddr), w->op, w->val, limit, 0,
				      w->bitset);
	if (shared_deadline && task_deadline_passed(c->task))
		return -ETIMEDOUT;

	/* The row of futex or that of restart_syscall. */
	if (r != -ERESTARTSYS_ && r != -ERESTART_RESTARTBLOCK_)
		return r;
	/* futex_wait(): a wait with a deadline never restarts after a handler. */
	sig->restart = wait_restart;
	sig->restart_arg[0] = w->uaddr | (uint64_t)w->op << 32;
	sig->restart_arg[1] = w->val | (uint64_t)w->bitset << 32;
	sig->restart_arg[2] = (uint64_t)w->until.tv_sec;
	sig->restart_arg[3] = (uint64_t)w->until.tv_nsec;
	return -ERESTART_RESTARTBLOCK_;
}

/* FUTEX_WAIT's time-out is relative; as the kernel does, it becomes a moment on CLOCK_MONOTONIC. */
static void make_absolute(struct host_timespec *ts)
{
	struct host_timespec now;

	task_clock_now(CLOCK_MONOTONIC, &now);
	ts->tv_nsec += now.tv_nsec;
	ts->tv_sec = ts->tv_sec > SEC_MAX - now.tv_sec - 1 ? SEC_MAX - 1 : ts->tv_sec + now.tv_sec;
	if (ts->tv_nsec >= NSEC_PER_SEC) {
		ts->tv_nsec -= NSEC_PER_SEC;
		ts->tv_sec++;
	}
}

static bool valid(const struct host_timespec *ts)
{
	return ts->tv_sec >= 0 && (uint64_t)ts->tv_nsec < NSEC_PER_SEC;
}

/* Commands that sleep and take a time-out. */
static int64_t futex_sleep(struct sys_call *c, unsigned cmd, uint32_t op)
{
	const struct abi_struct *st =
		c->row == &sys_table[NR_futex_time64] ? &abi_st_timespec64 : &abi_st_timespec;
	struct host_timespec ts;
	struct host_timespec *timeout = c->a[3] ? &ts : NULL;
	struct wait w = {.uaddr = (gaddr)c->a[0], .op = op, .val = (uint32_t)c->a[2]};

	if (timeout) {
		if (abi_read(st, &ts, (gaddr)c->a[3]))
			return -EFAULT;
		if (!valid(&ts))
			return -EINVAL;
	}
	/* CLOCK_REALTIME with FUTEX_WAIT is for the host to refuse. */
	if (timeout && cmd == FUTEX_WAIT && !(op & FUTEX_CLOCK_REALTIME)) {
		make_absolute(&ts);
		w.op = FUTEX_WAIT_BITSET | (op & FUTEX_PRIVATE_FLAG);
		w.bitset = FUTEX_BITSET_MATCH_ANY;
	} else {
		w.bitset = (uint32_t)c->a[5];
	}
	if (timeout && (w.op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET) {
		w.until = ts;
		return wait_until(c, &w);
	}
	bool shared_deadline = false;
	if (cmd != FUTEX_WAIT && cmd != FUTEX_WAIT_BITSET) { /* PI: the host takes the lock */
		sys_writes(c, w.uaddr, sizeof(uint32_t));
		sys_writes(c, c->a[4], sizeof(uint32_t));
		shared_deadline = timeout && task_is_deterministic();
	}
	if (shared_deadline) {
		task_deadline(c->task, cmd == FUTEX_LOCK_PI ? CLOCK_REALTIME : clock_of(op), &ts);
		timeout = NULL;
	}
	int64_t r = sys_host_blocking(c, HOSTNR(futex), mem_host(w.uaddr), op, w.val, timeout,
				      sys_ptr(c->a[4]), w.bitset);
	if (shared_deadline && task_deadline_passed(c->task) && r < 0)
		return -ETIMEDOUT;
	/* Taking a PI lock goes on after every handler. */
	if (r == -ERESTARTSYS_ && cmd != FUTEX_WAIT && cmd != FUTEX_WAIT_BITSET)
		return -ERESTARTNOINTR_;
	return r;
}

int64_t sys_futex(struct sys_call *c)
{
	uint32_t op = (uint32_t)c->a[1];
	unsigned cmd = op & FUTEX_CMD_MASK;

	switch (cmd) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
	case FUTEX_WAIT_REQUEUE_PI: return futex_sleep(c, cmd, op);
	case FUTEX_WAKE_OP: sys_writes(c, c->a[4], sizeof(uint32_t)); break;
	case FUTEX_UNLOCK_PI:
	case FUTEX_TRYLOCK_PI: sys_writes(c, c->a[0], sizeof(uint32_t)); break;
	case FUTEX_CMP_REQUEUE_PI: sys_writes(c, c->a[4], sizeof(uint32_t)); break;
	default: break;
	}
	/* The fourth argument is a number, val2, or not used. */
	return sys_host(HOSTNR(futex), mem_host((gaddr)c->a[0]), op, (uint32_t)c->a[2], c->a[3],
			mem_host((gaddr)c->a[4]), (uint32_t)c->a[5]);
}

/* --- futex_waitv ------------------------------------------------------------------------------------------- */

struct host_futex_waitv {
	uint64_t val, uaddr;
	uint32_t flags, reserved;
};
#define WAITV_MAX 128

int64_t sys_futex_waitv(struct sys_call *c)
{
	struct host_futex_waitv w[WAITV_MAX];
	struct host_timespec ts, *timeout = c->a[3] ? &ts : NULL;
	uint64_t n = c->a[1];
	int64_t r;

	/* In the kernel's order (kernel/futex/syscalls.c): no waiters are no bad pointer. */
	if ((uint32_t)c->a[2] || !n || n > WAITV_MAX || !(gaddr)c->a[0])
		return -EINVAL;
	if (timeout && (uint32_t)c->a[4] != CLOCK_REALTIME && (uint32_t)c->a[4] != CLOCK_MONOTONIC)
		return -EINVAL;
	if (timeout && abi_read(&abi_st_timespec64, &ts, (gaddr)c->a[3]))
		return -EFAULT;
	if (mem_copy_in(w, (gaddr)c->a[0], n * sizeof *w))
		return -EFAULT;
	for (uint64_t i = 0; i < n; i++)
		w[i].uaddr = w[i].uaddr >> 32 ? SYS_BAD_POINTER
					      : (uint64_t)(uintptr_t)mem_host((gaddr)w[i].uaddr);
	bool deadline = timeout && valid(&ts) && task_is_deterministic();
	if (deadline) {
		task_deadline(c->task, (int)c->a[4], &ts);
		timeout = NULL;
	}
	r = sys_host_blocking(c, HOSTNR(futex_waitv), w, n, c->a[2], timeout, c->a[4]);
	return deadline && task_deadline_passed(c->task) && r < 0 ? -ETIMEDOUT : r;
}
