/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/observe.h"

#include <stdlib.h>

#define MAX_OBSERVERS 4

const struct sys_observer *sys_observers[MAX_OBSERVERS + 1];

void sys_observe(const struct sys_observer *o)
{
	unsigned n = 0;

	while (sys_observers[n] && sys_observers[n] != o)
		n++;
	if (n == MAX_OBSERVERS)
		abort(); /* there are not so many */
	sys_observers[n] = o;
}

void sys_observe_execve(struct task *t)
{
	for (const struct sys_observer **o = sys_observers; *o; o++) {
		if ((*o)->execve)
			(*o)->execve(t);
	}
}

void sys_observe_end(struct task *t)
{
	for (const struct sys_observer **o = sys_observers; *o; o++) {
		if ((*o)->end)
			(*o)->end(t);
	}
}
