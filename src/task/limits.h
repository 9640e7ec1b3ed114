/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TASK_LIMITS_H
#define TASK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* The limits that the guest has and the host does not: RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, in bytes. */
enum { LIMIT_AS, LIMIT_DATA, LIMIT_STACK, TASK_LIMITS };
struct task_limit {
	uint64_t cur, max; /* all ones: none */
};

struct process;

/* That of RESOURCE (RLIMIT_ number); NULL if the host keeps it. */
struct task_limit *task_own_limit(struct process *p, unsigned resource);

/* For the first process, before anything is mapped: L, or those of the host, which are the guest's at the
 * start. From then on src/mem applies them. */
void task_limits_init(const struct task_limit l[TASK_LIMITS]);

/* Their form for the hand-over through execve. */
#define TASK_LIMITS_TEXT 112
void task_limits_write(const struct process *p, char text[TASK_LIMITS_TEXT]);
bool task_limits_read(struct task_limit l[TASK_LIMITS], const char *text);

/* Directly around the execve of a host program: the host applies them; if it failed, it forgets them.
 * A hard limit that was lowered stays so without CAP_SYS_RESOURCE. */
void task_limits_give(const struct process *p, struct task_limit before[TASK_LIMITS]);
void task_limits_take_back(const struct task_limit before[TASK_LIMITS]);

/*
 * Around the execve that goes on in ilp32run: the host bounds the size of arguments and environment by
 * its RLIMIT_STACK, and the guest's is what counts (loader_check_args()). Raises the host's soft limit to where
 * fs/exec.c (bprm_stack_limits()) takes no more account of it, and returns what it was, for the new image
 * or whoever is still there after a failure.
 */
uint64_t task_limits_widen(void);
void task_limits_narrow(uint64_t before);

#endif
