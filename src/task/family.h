/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --deterministic: what the processes that come from one ilp32run share. The time that passes while all wait is theirs
 * together: a process that waits for a moment lets it come when nothing runs in any of them and none of them waits for
 * an earlier one. While a program of the host's runs among them, or one that never rests, time passes as it really does.
 */
#ifndef TASK_FAMILY_H
#define TASK_FAMILY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FAMILY_ITIMERS = 3, FAMILY_TIMERFDS = 64 };

/* A timerfd's time, found by the tag that its host object keeps (task/vtimer.c). In ns, as vtimer.h counts. */
struct family_timerfd {
	_Atomic uint32_t tag; /* 0: free */
	_Atomic uint64_t expiry, interval;
};

/* What execve keeps, of the process that made it. */
struct family_itimer {
	uint64_t expiry, interval;
};

/* At the start of the program, by execve if FD, that family_fd() gave, is not -1: *BLOCKS and ITIMER are what
 * family_leave() was given then. */
void family_init(int fd, uint64_t *blocks, struct family_itimer itimer[FAMILY_ITIMERS]);
/* Before an execve. */
void family_leave(uint64_t blocks, const struct family_itimer itimer[FAMILY_ITIMERS]);
int family_fd(void);

/* Before a fork, and in its child. */
void family_grows(void);
void family_after_fork(void);
/* Whether there may be others. */
bool family_has_others(void);

/* ns that passed while all waited. */
uint64_t family_skipped(void);
/* Whether they may come to be UNTIL: to be asked again and again, until the caller does not wait any more
 * (family_waits_no_more()). OURS: whether a process of this memory has that number. */
bool family_lets(uint64_t until, bool (*ours)(pid_t pid));
void family_waits_no_more(void);
void family_skip(uint64_t until);

struct family_timerfd *family_timerfds(void);
/* One that nobody had. */
uint32_t family_new_tag(void);

#endif
