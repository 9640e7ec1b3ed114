/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --deterministic: timers that run by the virtual clock (task/clock.h). The host's objects stay: they have the numbers, and
 * what is asked of a wrong number the host answers; but they are never armed. When the moment has come and all threads do
 * nothing, the scheduler sends the signal, as the kernel would have it, or makes the timerfd readable.
 */
#ifndef TASK_VTIMER_H
#define TASK_VTIMER_H

#include "abi/host.h"
#include "task/task.h"

/* timer_create(2): the host gave ID. EV: what was asked for, NULL: nothing. */
void vtimer_create(struct task *t, int clock, const struct host_sigevent *ev, int id);
/* The next three: -EINVAL if the process has no such timer. OLD as timer_gettime(2) gives it. Valid times. */
int vtimer_set(struct task *t, int id, bool absolute, const struct host_itimerspec *new,
	       struct host_itimerspec *old);
int vtimer_get(struct task *t, int id, struct host_itimerspec *now);
int vtimer_overrun(struct task *t, int id);
void vtimer_delete(struct task *t, int id);

/* setitimer(2), getitimer(2); WHICH is right. NEW may be NULL. */
void vtimer_itimer(struct task *t, int which, const struct host_itimerval *new,
		   struct host_itimerval *old);

/* timerfd_settime(2) and, without NEW, timerfd_gettime(2), of a descriptor of the calling thread. -EOPNOTSUPP: the host
 * cannot do what is needed; otherwise as those. */
int vtimer_fd(struct task *t, int fd, bool absolute, const struct host_itimerspec *new,
	      struct host_itimerspec *old);

/* INFO has been taken from the host's queue for a guest: gets what only the books know. */
void vtimer_delivered(struct host_siginfo *info);

#endif
