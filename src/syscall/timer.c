/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers: the host's, but under --deterministic (task/vtimer.h). */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/vtimer.h"
#include "trace/trace.h"

#define NSEC_PER_SEC  1000000000
#define USEC_PER_SEC  1000000
#define ITIMERS       3
#define TFD_SET_FLAGS 3 /* TFD_TIMER_ABSTIME, TFD_TIMER_CANCEL_ON_SET */

static bool valid(const struct host_itimerspec *s)
{
	return s->it_value.tv_sec >= 0 && (uint64_t)s->it_value.tv_nsec < NSEC_PER_SEC &&
	       s->it_interval.tv_sec >= 0 && (uint64_t)s->it_interval.tv_nsec < NSEC_PER_SEC;
}

int64_t sys_timer_create(struct sys_call *c)
{
	struct host_sigevent ev;
	uint8_t id[4];
	int64_t r = sys_generic(c);

	if (r || !task_is_deterministic())
		return r;
	/* The host has read and written them. */
	if ((c->a[1] && abi_read(&abi_st_sigevent, &ev, (gaddr)c->a[1])) ||
	    mem_copy_in(id, (gaddr)c->a[2], sizeof id))
		return -EFAULT;
	vtimer_create(c->task, (int)c->a[0], c->a[1] ? &ev : NULL, (int)abi_get32(id));
	return 0;
}

int64_t sys_timer_settime(struct sys_call *c)
{
	struct host_itimerspec new, old;
	int r;

	if (!task_is_deterministic() || !c->a[2])
		return sys_generic(c);
	if (abi_read(sys_arg_of(c->row, 2)->st, &new, (gaddr)c->a[2]))
		return -EFAULT;
	if (!valid(&new))
		return -EINVAL;
	r = vtimer_set(c->task, (int)c->a[0], c->a[1] & TIMER_ABSTIME, &new, &old);
	return r || !c->a[3] ? r : abi_write(sys_arg_of(c->row, 3)->st, (gaddr)c->a[3], &old);
}

int64_t sys_timer_gettime(struct sys_call *c)
{
	struct host_itimerspec now;
	int r;

	if (!task_is_deterministic())
		return sys_generic(c);
	r = vtimer_get(c->task, (int)c->a[0], &now);
	return r ? r : abi_write(sys_arg_of(c->row, 1)->st, (gaddr)c->a[1], &now);
}

int64_t sys_timer_getoverrun(struct sys_call *c)
{
	return task_is_deterministic() ? vtimer_overrun(c->task, (int)c->a[0]) : sys_generic(c);
}

int64_t sys_timer_delete(struct sys_call *c)
{
	int64_t r = sys_generic(c);

	if (r == 0 && task_is_deterministic())
		vtimer_delete(c->task, (int)c->a[0]);
	return r;
}

int64_t sys_getitimer(struct sys_call *c)
{
	struct host_itimerval now;

	if (!task_is_deterministic() || c->a[0] >= ITIMERS)
		return sys_generic(c);
	vtimer_itimer(c->task, (int)c->a[0], NULL, &now);
	return abi_write(&abi_st_itimerval, (gaddr)c->a[1], &now);
}

static bool valid_timeval(const struct host_timeval *tv)
{
	return tv->tv_sec >= 0 && (uint64_t)tv->tv_usec < USEC_PER_SEC;
}

/* Without a new value it is set to nothing (kernel: "misfeature"). */
int64_t sys_setitimer(struct sys_call *c)
{
	struct host_itimerval new = {0}, old;

	if (!task_is_deterministic() || c->a[0] >= ITIMERS)
		return sys_generic(c);
	if (c->a[1] && abi_read(&abi_st_itimerval, &new, (gaddr)c->a[1]))
		return -EFAULT;
	if (!valid_timeval(&new.it_value) || !valid_timeval(&new.it_interval))
		return -EINVAL;
	vtimer_itimer(c->task, (int)c->a[0], &new, &old);
	return c->a[2] ? abi_write(&abi_st_itimerval, (gaddr)c->a[2], &old) : 0;
}

static int64_t in_real_time(struct sys_call *c)
{
	diag_unsupported(
		"deterministic timer", c->nr,
		"--deterministic: this host cannot set a timerfd's count: %s runs in real time",
		c->row->name);
	return sys_generic(c);
}

int64_t sys_timerfd_settime(struct sys_call *c)
{
	struct host_itimerspec new, old, host = {0};
	int64_t r;

	if (!task_is_deterministic())
		return sys_generic(c);
	if (abi_read(sys_arg_of(c->row, 2)->st, &new, (gaddr)c->a[2]))
		return -EFAULT;
	if ((uint32_t)c->a[1] & ~(uint32_t)TFD_SET_FLAGS || !valid(&new))
		return -EINVAL;
	/* What is wrong with the descriptor, the host tells. */
	r = sys_host(HOSTNR(timerfd_gettime), c->a[0], &host);
	if (r)
		return r;
	r = vtimer_fd(c->task, (int)c->a[0], c->a[1] & TIMER_ABSTIME, &new, &old);
	if (r == -EOPNOTSUPP)
		return in_real_time(c);
	return r || !c->a[3] ? r : abi_write(sys_arg_of(c->row, 3)->st, (gaddr)c->a[3], &old);
}

int64_t sys_timerfd_gettime(struct sys_call *c)
{
	struct host_itimerspec now = {0};
	int64_t r;

	if (!task_is_deterministic())
		return sys_generic(c);
	r = sys_host(HOSTNR(timerfd_gettime), c->a[0], &now);
	if (r)
		return r;
	r = vtimer_fd(c->task, (int)c->a[0], false, NULL, &now);
	if (r == -EOPNOTSUPP)
		return in_real_time(c);
	return r ? r : abi_write(sys_arg_of(c->row, 1)->st, (gaddr)c->a[1], &now);
}

/* semtimedop and its _time64. */
int64_t sys_semtimedop(struct sys_call *c)
{
	struct host_timespec ts;
	int64_t r;

	if (!task_is_deterministic() || !c->a[3])
		return sys_generic(c);
	if (abi_read(sys_arg_of(c->row, 3)->st, &ts, (gaddr)c->a[3]))
		return -EFAULT;
	if (!task_limit(c->task, &ts))
		return sys_generic(c);
	c->a[3] = 0;
	r = sys_generic(c);
	return task_limit_passed(c->task, &ts) && r < 0 ? -EAGAIN : r;
}
