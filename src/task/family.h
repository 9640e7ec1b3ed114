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
#include <time.h>

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
void family_init(int fd, uint64_t the_seed, uint64_t ns_per_block, uint64_t *blocks,
		 struct family_itimer itimer[FAMILY_ITIMERS]);
/* Before an execve. */
void family_leave(uint64_t blocks, const struct family_itimer itimer[FAMILY_ITIMERS]);
int family_fd(void);

/* Before a fork, OWN_MEMORY: not of one that shares ours; behind it in the parent, what it gave; and in its child. */
void family_grows(bool own_memory);
void family_grew(pid_t child);
void family_after_fork(void);
/* This process goes its own way from now on. */
void family_keeps_out(void);
/* The execve behind family_leave() has failed. */
void family_stays(void);
/* Before the execve of a program of the host's, and when that has failed. */
void family_goes(void);
void family_came_back(void);
/* Whether there may be others. */
bool family_has_others(void);

/* ns that passed while this process executed nothing: others did, or all waited. */
uint64_t family_skipped(void);
/* Whether they may come to be UNTIL: to be asked again and again, until the caller does not wait any more
 * (family_waits_no_more()). OURS: whether a process of this memory has that number. */
bool family_lets(uint64_t until, bool (*ours)(pid_t pid));
void family_waits_no_more(void);
void family_skip(uint64_t until);

/*
 * One process at a time runs guest code. When the turn of one ends, the seed chooses the next among those that
 * have something to do; if there is none, time passes for the one that waits for the earliest moment.
 */
#define FAMILY_NEVER UINT64_MAX
enum family_turn { FAMILY_NOTHING, FAMILY_WAIT, FAMILY_GO, FAMILY_TIME };
/* First, for the time, of which this process has EXECUTED so many ns. */
void family_look(uint64_t executed);
/* The scheduler of a process, whose threads all sleep, none of them with the turn: what it may do. ROUND: what family_round()
 * gave before it looked at them. READY: something can be done now; DUE: or else at that time. */
enum family_turn family_turn(uint32_t round, bool ready, uint64_t due);
uint32_t family_round(void);
/* Whether it is this process's turn. */
bool family_is_ours(void);

/* Wakes the scheduler of this process: one of its threads has done something that matters for the choice; how often that was. */
void family_notify(void);
uint32_t family_events(void);
/* It sleeps as long as the word is WORD. */
uint32_t family_word(void);
void family_sleep(uint32_t word, const struct timespec *limit);

struct family_timerfd *family_timerfds(void);
/* One that nobody had. */
uint32_t family_new_tag(void);

#endif
