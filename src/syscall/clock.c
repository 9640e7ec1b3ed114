/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that tell the time or give random bytes: the host's, but under --deterministic (task/clock.h). */
#include <errno.h>
#include <time.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"

#define NSEC_PER_TICK 10000000 /* of times(2): USER_HZ is 100 */
#define GRND_ALL      7        /* NONBLOCK, RANDOM, INSECURE */

int64_t sys_clock_gettime(struct sys_call *c)
{
	struct host_timespec ts;
	int r;

	if (!task_is_deterministic())
		return sys_generic(c);
	r = task_clock_now((int)c->a[0], &ts);
	return r ? r : abi_write(sys_arg_of(c->row, 1)->st, (gaddr)c->a[1], &ts);
}

int64_t sys_gettimeofday(struct sys_call *c)
{
	struct host_timeval tv;
	struct host_timespec ts;

	if (!task_is_deterministic() || !c->a[0])
		return sys_generic(c);
	task_clock_now(CLOCK_REALTIME, &ts);
	tv = (struct host_timeval){ts.tv_sec, ts.tv_nsec / 1000};
	if (abi_write(&abi_st_timeval, (gaddr)c->a[0], &tv))
		return -EFAULT;
	c->a[0] = 0; /* the rest is the host's */
	return c->a[1] ? sys_generic(c) : 0;
}

int64_t sys_times(struct sys_call *c)
{
	struct host_timespec used, up;

	if (!task_is_deterministic())
		return sys_generic(c);
	task_clock_now(CLOCK_PROCESS_CPUTIME_ID, &used);
	task_clock_now(CLOCK_BOOTTIME, &up);
	struct host_tms tms = {.tms_utime = used.tv_sec * 100 + used.tv_nsec / NSEC_PER_TICK};
	if (c->a[0] && abi_write(&abi_st_tms, (gaddr)c->a[0], &tms))
		return -EFAULT;
	return up.tv_sec * 100 + up.tv_nsec / NSEC_PER_TICK;
}

int64_t sys_getrandom(struct sys_call *c)
{
	uint64_t n = c->a[1] < INT32_MAX ? c->a[1] : INT32_MAX, done = 0;
	uint8_t b[256];

	if (!task_is_deterministic() || c->a[2] & ~(uint64_t)GRND_ALL)
		return sys_generic(c);
	while (done < n) {
		uint64_t k = n - done < sizeof b ? n - done : sizeof b;

		mem_random(b, k);
		if (mem_copy_out((gaddr)(c->a[0] + done), b, k))
			return done ? (int64_t)done : -EFAULT;
		done += k;
	}
	return (int64_t)done;
}

/* mq_timedsend, mq_timedreceive and their _time64. */
int64_t sys_mq_timed(struct sys_call *c)
{
	struct host_timespec ts;
	int64_t r;

	if (!task_is_deterministic() || !c->a[4])
		return sys_generic(c);
	if (abi_read(sys_arg_of(c->row, 4)->st, &ts, (gaddr)c->a[4]))
		return -EFAULT;
	if (ts.tv_sec < 0 || (uint64_t)ts.tv_nsec >= 1000000000)
		return -EINVAL;
	task_deadline(c->task, CLOCK_REALTIME, &ts);
	c->a[4] = 0;
	r = sys_generic(c);
	return task_deadline_passed(c->task) && r < 0 ? -ETIMEDOUT : r;
}
