/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for descriptors: poll, select, epoll. All take a signal mask of their own. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "signal/restart.h"
#include "signal/signal.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/task.h"

int sys_read_mask(gaddr g, uint64_t size, uint64_t *mask)
{
	uint8_t b[8];

	if (size != sizeof(b))
		return -EINVAL;
	if (mem_copy_in(b, g, sizeof(b)) < 0)
		return -EFAULT;
	*mask = abi_get64(b);
	return 0;
}

/*
 * TS, NULL: no limit, is to end the host call, whose result R is 0 then. Returns whether the host has to know it; if not,
 * limit_end() looks whether the time has come (task/clock.h).
 */
static bool limit_begin(struct sys_call *c, const struct host_timespec *ts)
{
	return ts && !task_limit(c->task, ts);
}

static int64_t limit_end(struct sys_call *c, struct host_timespec *ts, bool on_host, int64_t r)
{
	return ts && !on_host ? task_limit_result(c->task, ts, r, 0) : r;
}

/* The host call with five arguments, the last two being the mask and its size if MASK is given. */
static int64_t wait_with_mask(struct sys_call *c, long nr, const uint64_t a[4],
			      const uint64_t *guest_mask, unsigned mask_arg)
{
	uint64_t arg[6] = {a[0], a[1], a[2], a[3], 0, 0};
	uint64_t mask;
	int64_t r;

	if (!guest_mask)
		return sys_host_blocking(c, nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	mask = signal_temp_mask(c->task, *guest_mask);
	arg[mask_arg] = (uint64_t)(uintptr_t)&mask;
	arg[mask_arg + 1] = sizeof(mask);
	r = sys_host_blocking(c, nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	return signal_temp_mask_end(c->task, r);
}

/*
 * What is left of the time goes back to the guest whatever the result was; a failing write is
 * ignored (kernel: poll_select_finish(), "not part of the API, but an enhancement").
 */
static void write_rest(const struct abi_struct *st, gaddr g, const struct host_timespec *ts)
{
	if (g)
		(void)abi_write(st, g, ts);
}

int64_t sys_ppoll(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 2)->st;
	gaddr timeout = (gaddr)c->a[2], sigmask = (gaddr)c->a[3];
	struct host_timespec ts;
	uint64_t mask = 0;
	int64_t r;
	int e;

	if (timeout && abi_read(st, &ts, timeout) < 0)
		return -EFAULT;
	if (sigmask && (e = sys_read_mask(sigmask, c->a[4], &mask)) < 0)
		return e;
	bool on_host = limit_begin(c, timeout ? &ts : NULL);
	r = wait_with_mask(c, HOSTNR(ppoll),
			   (uint64_t[4]){sys_out(c, c->a[0], abi_st_pollfd.gsize * c->a[1]),
					 c->a[1], on_host ? (uint64_t)(uintptr_t)&ts : 0, 0},
			   sigmask ? &mask : NULL, 3);
	r = limit_end(c, timeout ? &ts : NULL, on_host, r);
	write_rest(st, timeout, &ts);
	return r;
}

/* --- select --------------------------------------------------------------------------------- */

#define SET_INLINE 128 /* bytes of a set of 1024 descriptors */

struct fd_sets {
	unsigned gsize; /* bytes that the guest's kernel reads: whole 32-bit words */
	unsigned hsize; /* bytes that the host reads: whole 64-bit words */
	uint8_t *set[3];
	gaddr guest[3];
	uint8_t space[3 * SET_INLINE];
};

/* The size of the process's descriptor table, which bounds what the kernel reads of a set. */
static unsigned fd_table_size(void)
{
	unsigned size = 1024;
	char line[128];
	FILE *f = task_spare_fopen("/proc/self/status");

	if (!f)
		return size;
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, "FDSize:", 7) == 0)
			size = (unsigned)strtoul(line + 7, NULL, 10);
	}
	fclose(f);
	return size;
}

static int sets_read(struct fd_sets *s, unsigned n, const uint64_t guest[3])
{
	uint8_t *p = s->space;

	s->gsize = (n + 31) / 32 * 4;
	s->hsize = (n + 63) / 64 * 8;
	if (s->hsize > SET_INLINE && !(p = malloc((size_t)3 * s->hsize)))
		return -ENOMEM;
	memset(p, 0, (size_t)3 * s->hsize);
	for (int i = 0; i < 3; i++) {
		s->guest[i] = (gaddr)guest[i];
		s->set[i] = p + (size_t)i * s->hsize;
	}
	for (int i = 0; i < 3; i++) {
		if (s->guest[i] && mem_copy_in(s->set[i], s->guest[i], s->gsize) < 0)
			return -EFAULT;
	}
	return 0;
}

static int sets_write(const struct fd_sets *s)
{
	for (int i = 0; i < 3; i++) {
		if (s->guest[i] && mem_copy_out(s->guest[i], s->set[i], s->gsize) < 0)
			return -EFAULT;
	}
	return 0;
}

static void sets_free(struct fd_sets *s)
{
	if (s->set[0] && s->set[0] != s->space)
		free(s->set[0]);
}

static uint64_t set_arg(const struct fd_sets *s, int i)
{
	return s->guest[i] ? (uint64_t)(uintptr_t)s->set[i] : 0;
}

/* pselect6 has no free register for the mask: six arguments with the pair {mask, size} as last. */
static int64_t select_host(struct sys_call *c, unsigned n, struct fd_sets *s,
			   struct host_timespec *ts, const uint64_t *guest_mask)
{
	uint64_t mask = 0;
	uint64_t pair[2] = {(uint64_t)(uintptr_t)&mask, sizeof(mask)};
	int64_t r;

	if (guest_mask)
		mask = signal_temp_mask(c->task, *guest_mask);
	bool on_host = limit_begin(c, ts);
	r = sys_host_blocking(c, HOSTNR(pselect6), n, set_arg(s, 0), set_arg(s, 1), set_arg(s, 2),
			      on_host ? (uint64_t)(uintptr_t)ts : 0,
			      guest_mask ? (uint64_t)(uintptr_t)pair : 0);
	r = limit_end(c, ts, on_host, guest_mask ? signal_temp_mask_end(c->task, r) : r);
	/* The kernel empties the sets when the time is over. */
	for (int i = 0; r == 0 && i < 3; i++)
		memset(s->set[i], 0, s->hsize);
	return r;
}

int64_t sys_pselect6(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 4)->st;
	gaddr timeout = (gaddr)c->a[4];
	struct fd_sets sets = {0};
	struct host_timespec ts;
	uint64_t mask = 0;
	uint8_t pair[8] = {0}; /* {u32 mask, u32 size} */
	int n = (int)c->a[0];
	int64_t r;
	int e;

	if (c->a[5] && mem_copy_in(pair, (gaddr)c->a[5], sizeof(pair)) < 0)
		return -EFAULT;
	if (timeout && abi_read(st, &ts, timeout) < 0)
		return -EFAULT;
	if (abi_get32(pair) && (e = sys_read_mask(abi_get32(pair), abi_get32(pair + 4), &mask)) < 0)
		return e;
	if (n < 0)
		return -EINVAL;
	if (n > 8 * SET_INLINE) {
		unsigned max = fd_table_size();

		n = (unsigned)n > max ? (int)max : n;
	}
	r = sets_read(&sets, (unsigned)n, c->a + 1);
	if (r == 0)
		r = select_host(c, (unsigned)n, &sets, timeout ? &ts : NULL,
				abi_get32(pair) ? &mask : NULL);
	if (r >= 0 && sets_write(&sets) < 0)
		r = -EFAULT;
	sets_free(&sets);
	write_rest(st, timeout, &ts);
	return r;
}

/* --- epoll ----------------------------------------------------------------------------------- */

/*
 * The kernel gives as many events as are ready and asked for; two host calls cannot do that, since level-triggered ones
 * come again. More than a process can have descriptors (the default of fs.nr_open) need no room.
 */
#define EPOLL_INLINE 256
#define EPOLL_ROOM   (1 << 20)

/* LIMIT: what TIMEOUT means, NULL: no limit. */
static int64_t epoll_wait(struct sys_call *c, long nr, uint64_t timeout,
			  struct host_timespec *limit)
{
	const struct abi_struct *st = sys_arg_of(c->row, 1)->st;
	uint8_t space[EPOLL_INLINE * sizeof(struct host_epoll_event)], *events = space;
	gaddr sigmask = (gaddr)c->a[4];
	uint64_t mask = 0;
	int max = (int)c->a[2];
	int64_t r;
	int e;

	if (sigmask && (e = sys_read_mask(sigmask, c->a[5], &mask)) < 0)
		return e;
	if (max <= 0 || max > INT_MAX / (int)st->gsize)
		return -EINVAL;
	if (max > EPOLL_INLINE) {
		max = max < EPOLL_ROOM ? max : EPOLL_ROOM;
		if (!(events = malloc((size_t)max * st->hsize)))
			return -ENOMEM;
	}
	bool on_host = limit_begin(c, limit);
	if (limit && !on_host)
		timeout = nr == HOSTNR(epoll_pwait) ? UINT64_MAX : 0;
	r = wait_with_mask(
		c, nr, (uint64_t[4]){c->a[0], (uint64_t)(uintptr_t)events, (uint64_t)max, timeout},
		sigmask ? &mask : NULL, 4);
	r = limit_end(c, limit, on_host, r);
	for (int64_t i = 0; i < r; i++) {
		gaddr to = (gaddr)(c->a[1] + (uint64_t)i * st->gsize);

		if (abi_write(st, to, events + (size_t)i * st->hsize) < 0)
			r = i ? i : -EFAULT;
	}
	if (events != space)
		free(events);
	return r;
}

int64_t sys_epoll_pwait(struct sys_call *c)
{
	int ms = (int)c->a[3];
	struct host_timespec ts = {ms / 1000, ms % 1000 * 1000000};

	return epoll_wait(c, HOSTNR(epoll_pwait), c->a[3], ms < 0 ? NULL : &ts);
}

int64_t sys_epoll_pwait2(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 3)->st;
	struct host_timespec ts;

	if (c->a[3] && abi_read(st, &ts, (gaddr)c->a[3]) < 0)
		return -EFAULT;
	return epoll_wait(c, HOSTNR(epoll_pwait2), c->a[3] ? (uint64_t)(uintptr_t)&ts : 0,
			  c->a[3] ? &ts : NULL);
}
