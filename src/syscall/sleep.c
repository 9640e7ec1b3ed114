/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeping calls. A relative sleep that a signal interrupts goes on, if no handler ran, until the
 * moment that the first call aimed at (kernel: hrtimer_nanosleep_restart()); an absolute one is
 * simply repeated.
 */
#include <errno.h>
#include <time.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "signal/restart.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/task.h"

#define NSEC_PER_SEC 1000000000LL

struct sleep_args {
	int clock;
	struct host_timespec until; /* on the clock that sleep_clock() names */
	const struct abi_struct *st;
	gaddr rem; /* 0: the caller does not want the rest */
};

/* Setting the wall clock does not change a relative sleep (kernel: HRTIMER_MODE_REL). */
static int sleep_clock(int clock)
{
	return clock == CLOCK_REALTIME ? CLOCK_MONOTONIC : clock;
}

static struct host_timespec clock_now(int clock)
{
	struct host_timespec now = {0, 0};

	task_clock_now(clock, &now);
	return now;
}

static struct host_timespec ts_add(struct host_timespec a, struct host_timespec b, int sign)
{
	struct host_timespec r = {a.tv_sec + sign * b.tv_sec, a.tv_nsec + sign * b.tv_nsec};

	if (r.tv_nsec >= NSEC_PER_SEC)
		r.tv_nsec -= NSEC_PER_SEC, r.tv_sec++;
	if (r.tv_nsec < 0)
		r.tv_nsec += NSEC_PER_SEC, r.tv_sec--;
	return r;
}

static int64_t sleep_until(struct sys_call *c, const struct sleep_args *s);

static int64_t sleep_restart(struct sys_call *c, const uint64_t arg[4])
{
	struct sleep_args s = {
		.clock = (int)(uint32_t)arg[0],
		.until = {(int64_t)arg[1], (int64_t)arg[2]},
		.st = arg[0] >> 32 ? &abi_st_timespec64 : &abi_st_timespec,
		.rem = (gaddr)arg[3],
	};

	return sleep_until(c, &s);
}

/* A signal came: tells the guest the rest and prepares the continuation. */
static int64_t sleep_interrupted(struct sys_call *c, const struct sleep_args *s,
				 struct host_timespec rest)
{
	struct sig_task *sig = &c->task->sig;

	if (rest.tv_sec < 0)
		return 0;
	if (s->rem && abi_write(s->st, s->rem, &rest) < 0)
		return -EFAULT;
	sig->restart = sleep_restart;
	sig->restart_arg[0] = (uint32_t)s->clock | (uint64_t)(s->st == &abi_st_timespec64) << 32;
	sig->restart_arg[1] = (uint64_t)s->until.tv_sec;
	sig->restart_arg[2] = (uint64_t)s->until.tv_nsec;
	sig->restart_arg[3] = s->rem;
	return -ERESTART_RESTARTBLOCK_;
}

static int64_t host_sleep_until(struct sys_call *c, int clock, const struct host_timespec *until)
{
	if (task_is_deterministic())
		return task_sleep_until(c->task, clock, until) ? -ERESTART_RESTARTBLOCK_ : 0;
	return sys_host_blocking(c, HOSTNR(clock_nanosleep), (uint64_t)(int64_t)clock,
				 TIMER_ABSTIME, (uint64_t)(uintptr_t)until, 0, 0, 0);
}

static int64_t sleep_until(struct sys_call *c, const struct sleep_args *s)
{
	int clock = sleep_clock(s->clock);
	int64_t r = host_sleep_until(c, clock, &s->until);

	if (r != -ERESTART_RESTARTBLOCK_)
		return r;
	return sleep_interrupted(c, s, ts_add(s->until, clock_now(clock), -1));
}

static int64_t do_sleep(struct sys_call *c, int clock, bool absolute, gaddr req, gaddr rem,
			const struct abi_struct *st)
{
	struct sleep_args s = {.clock = clock, .st = st, .rem = rem};
	struct host_timespec want, rest;
	int64_t r;

	/* An invalid clock comes first: the host tells. */
	if (abi_read(st, &want, req) < 0)
		return sys_host(HOSTNR(clock_nanosleep), (uint64_t)(int64_t)clock, 0,
				SYS_BAD_POINTER, 0);
	if (task_is_deterministic()) {
		static const struct host_timespec none;

		/* What is wrong with the clock, the host tells. */
		r = sys_host(HOSTNR(clock_nanosleep), (uint64_t)(int64_t)clock, 0, &none, 0);
		if (r || want.tv_sec < 0 || (uint64_t)want.tv_nsec >= NSEC_PER_SEC)
			return r ? r : -EINVAL;
		s.until = want;
		if (absolute)
			return host_sleep_until(c, clock, &want) ? -ERESTARTNOHAND_ : 0;
		s.until = ts_add(clock_now(sleep_clock(clock)), want, 1);
		return sleep_until(c, &s);
	}
	rest = want; /* all of it, when a signal comes before the host has the call */
	r = sys_host_blocking(c, HOSTNR(clock_nanosleep), (uint64_t)(int64_t)clock,
			      absolute ? TIMER_ABSTIME : 0, (uint64_t)(uintptr_t)&want,
			      (uint64_t)(uintptr_t)&rest, 0, 0);
	if (r != -ERESTART_RESTARTBLOCK_)
		return r;
	if (absolute)
		return -ERESTARTNOHAND_;
	s.until = ts_add(clock_now(sleep_clock(clock)), rest, 1);
	return sleep_interrupted(c, &s, rest);
}

/* The kernel's nanosleep() is a relative sleep on the monotonic clock. */
int64_t sys_nanosleep(struct sys_call *c)
{
	return do_sleep(c, CLOCK_MONOTONIC, false, (gaddr)c->a[0], (gaddr)c->a[1],
			sys_arg_of(c->row, 0)->st);
}

int64_t sys_clock_nanosleep(struct sys_call *c)
{
	return do_sleep(c, (int)c->a[0], c->a[1] & TIMER_ABSTIME, (gaddr)c->a[2], (gaddr)c->a[3],
			sys_arg_of(c->row, 2)->st);
}
