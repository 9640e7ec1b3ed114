/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's time, and what it gets for random: all that answers it asks here. Under --deterministic the time is what
 * the guest has executed, so many nanoseconds for each basic block, and sleeps end when all threads do nothing but
 * wait; random bytes come from the seed.
 */
#ifndef TASK_CLOCK_H
#define TASK_CLOCK_H

#include "abi/host.h"
#include "task/task.h"

bool task_is_deterministic(void);

/* clock_gettime(2): 0 or -EINVAL. */
int task_clock_now(int clock, struct host_timespec *ts);

/* Under --deterministic only: */

/* Sleeps until CLOCK shows UNTIL. -EINTR: a signal is pending. With the emulator lock. */
int task_sleep_until(struct task *t, int clock, const struct host_timespec *until);

/*
 * Around a host call without a time limit that waits: T is woken when CLOCK shows UNTIL and nobody else does anything, and
 * the second function then says that it was so.
 */
void task_deadline(struct task *t, int clock, const struct host_timespec *until);
bool task_deadline_passed(struct task *t);

/* ns of CLOCK, from an origin that all clocks of processor time have in common, and all others; and when it shows TS. */
uint64_t task_clock_ns(int clock);
uint64_t task_clock_moment(int clock, const struct host_timespec *ts);
bool task_clock_is_cpu(int clock);

/*
 * The same for a call that may wait as long as LIMIT. False: the host's own limit does, because the clock is the host's, or
 * LIMIT is nothing or wrong. *REST is what is left of it.
 */
bool task_limit(struct task *t, const struct host_timespec *limit);
bool task_limit_passed(struct task *t, struct host_timespec *rest);
/* What the call gives whose result is R: OVER if its time has passed without a signal. *REST as above. */
int64_t task_limit_result(struct task *t, struct host_timespec *rest, int64_t r, int64_t over);

#endif
