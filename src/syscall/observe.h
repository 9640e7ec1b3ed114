/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who watches the guest's calls: trace/ has strace and lint. Without any a call costs one look at the list. */
#ifndef SYSCALL_OBSERVE_H
#define SYSCALL_OBSERVE_H

#include "syscall/syscall.h"

struct sys_observer {
	/* Before and behind each call, also one that a filter denied or that the profile has not: c->row is then what is
	 * known of its arguments. A call that does not return has no exit. */
	void (*enter)(const struct sys_call *c);
	void (*exit)(const struct sys_call *c, int64_t result);
	/* T's program is about to be replaced, as far as can be known; its process ends. Members may be NULL. */
	void (*execve)(struct task *t);
	void (*end)(struct task *t);
};

/* Adds O, which stays for ever: at start-up. Twice is once. */
void sys_observe(const struct sys_observer *o);
/* All of them, NULL behind the last. */
extern const struct sys_observer *sys_observers[];
void sys_observe_execve(struct task *t);
void sys_observe_end(struct task *t);

/* From now on the upper halves of argument registers are garbage when the kernel looks at them, if the profile's kernel
 * clears them. */
void sys_inject_upper_garbage(void);

#endif
