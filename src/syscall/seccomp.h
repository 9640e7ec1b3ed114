/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seccomp. The guest's filters speak of ILP32 calls, so they are run here and never given to the host.
 * A task's state is its mode and its newest filter; each filter points to the one before it. Filters
 * never change and are never freed, so that threads and children share them without counting.
 */
#ifndef SYSCALL_SECCOMP_H
#define SYSCALL_SECCOMP_H

#include <stdbool.h>
#include <stdint.h>

struct sys_call;
struct task;

enum { SECCOMP_OFF, SECCOMP_STRICT, SECCOMP_FILTERS }; /* modes, as /proc/PID/status shows them */

/* Before the call C, of a task with a mode: whether it is made. If not, *RESULT is its result, or the
 * task ends. */
bool seccomp_allows(struct sys_call *c, int64_t *result);

/* prctl(PR_SET_SECCOMP). */
int64_t seccomp_prctl(struct sys_call *c);

/* How many filters T has. */
unsigned seccomp_count(const struct task *t);

/* For execve: writes the state of T to a new descriptor, which the new image gives to _adopt(). -1: there
 * is none; -errno. */
int seccomp_hand_over(const struct task *t);
/* 0 or -errno; closes FD. */
int seccomp_adopt(struct task *t, int fd);

#endif
