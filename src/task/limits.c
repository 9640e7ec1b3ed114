/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resource limits that are the guest's alone. The emulator lives in the same host process and needs more
 * address space and stack than the guest may have, so the host keeps those it was started with;
 * src/mem applies the guest's to the guest's sizes. A program of the host that the guest executes
 * gets them for real.
 */
#include "task/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "mem/mem.h"
#include "task/internal.h"

static const int resources[TASK_LIMITS] = {
	[LIMIT_AS] = RLIMIT_AS,
	[LIMIT_DATA] = RLIMIT_DATA,
	[LIMIT_STACK] = RLIMIT_STACK,
};

#define LIMIT_FORMAT "%" PRIx64 ":%" PRIx64
#define LIMIT_SCAN   "%" SCNx64 ":%" SCNx64 "%n"

struct task_limit *task_own_limit(struct process *p, unsigned resource)
{
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		if (resource == (unsigned)resources[i])
			return &p->limit[i];
	}
	return NULL;
}

static void mem_source(struct mem_limits *l)
{
	const struct task *t = task_self;
	const struct task_limit *own = (t ? t->process : &task_first_process)->limit;

	l->as = own[LIMIT_AS].cur;
	l->data = own[LIMIT_DATA].cur;
	l->data_max = own[LIMIT_DATA].max;
	l->stack = own[LIMIT_STACK].cur;
}

static void from_host(struct task_limit l[TASK_LIMITS])
{
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		struct rlimit host = {RLIM_INFINITY, RLIM_INFINITY};

		getrlimit((__rlimit_resource_t)resources[i], &host);
		l[i] = (struct task_limit){host.rlim_cur, host.rlim_max};
	}
}

void task_limits_init(const struct task_limit l[TASK_LIMITS])
{
	struct process *p = &task_first_process;

	if (l) {
		for (unsigned i = 0; i < TASK_LIMITS; i++)
			p->limit[i] = l[i];
	} else {
		from_host(p->limit);
	}
	mem_set_limits_source(mem_source);
}

void task_limits_write(const struct process *p, char text[TASK_LIMITS_TEXT])
{
	int n = 0;

	for (unsigned i = 0; i < TASK_LIMITS; i++)
		n += snprintf(text + n, TASK_LIMITS_TEXT - (size_t)n, "%s" LIMIT_FORMAT,
			      i ? " " : "", p->limit[i].cur, p->limit[i].max);
}

bool task_limits_read(struct task_limit l[TASK_LIMITS], const char *text)
{
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		int n = 0;

		if (sscanf(text, LIMIT_SCAN, &l[i].cur, &l[i].max, &n) != 2)
			return false;
		text += n;
	}
	return !*text;
}

static void to_host(const struct task_limit l[TASK_LIMITS])
{
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		struct rlimit host = {l[i].cur, l[i].max};

		setrlimit((__rlimit_resource_t)resources[i], &host);
	}
}

void task_limits_give(const struct process *p, struct task_limit before[TASK_LIMITS])
{
	from_host(before);
	to_host(p->limit);
}

void task_limits_take_back(const struct task_limit before[TASK_LIMITS])
{
	to_host(before);
}

static void set_soft_stack(uint64_t cur)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l))
		return;
	l.rlim_cur = cur < l.rlim_max ? cur : l.rlim_max;
	setrlimit(RLIMIT_STACK, &l);
}

uint64_t task_limits_widen(void)
{
	/* A quarter of it is 3/4 of _STK_LIM, the most that arguments may take. */
	const uint64_t enough = 24 << 20;
	struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY};

	getrlimit(RLIMIT_STACK, &l);
	if (l.rlim_cur < enough)
		set_soft_stack(enough);
	return l.rlim_cur;
}

void task_limits_narrow(uint64_t before)
{
	set_soft_stack(before);
}
