/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --deterministic: the same program with the same seed and the same input does the same things in the same order.
 *
 * The emulator lock (gil.c) goes through a thread of the emulator then. Whoever gives it back, to make a host call
 * that may block or because it has run so many basic blocks as the seed allowed, leaves the choice of the next
 * one to this thread, which first waits until all others sleep in the host kernel: in a call of theirs, or waiting
 * for their turn. What a thread did to wake others has then been done with, however fast the host was; so who waits
 * for its turn is the same in each run, and the seed chooses among them.
 *
 * If nobody waits for a turn, the time passes: the clock is set to the next moment that a thread sleeps for. Without
 * such a moment the process waits for something outside.
 *
 * Not in the seed's hand: what other processes and devices do, timers of the host (setitimer, timer_settime, timerfd)
 * and time limits of other calls than sleeps, futexes and POSIX message queues, which are real time; numbers of processes; the counter
 * register CNTVCT_EL0.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "signal/restart.h"
#include "task/clock.h"
#include "task/internal.h"
#include "trace/trace.h"

#define NS_PER_BLOCK 10
#define NS_PER_SEC   1000000000ull
#define SLICE_NS     20000 /* on average */

/* What the clocks show at the start. */
#define REALTIME_START  (1000000000 * NS_PER_SEC)
#define MONOTONIC_START (1000 * NS_PER_SEC)

static struct {
	bool on;          /* the option */
	bool running;     /* the thread */
	uint64_t slice;   /* blocks, on average */
	uint64_t random;  /* state */
	uint64_t skipped; /* ns that passed while all slept */
	uint32_t numbers;
	struct own_lock lock; /* for the rest */
	struct task *waiting;
	struct task *current;    /* whose turn it is */
	_Atomic uint32_t events; /* futex word of the thread */
	struct task_thread thread;
} sched = {.lock = OWN_LOCK_INIT};

static void futex(_Atomic uint32_t *word, int op, uint32_t value)
{
	syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* SplitMix64. */
static uint64_t next_random(void)
{
	uint64_t z = sched.random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* --- the clock -------------------------------------------------------------------------------------------- */

bool task_is_deterministic(void)
{
	return sched.on;
}

static uint64_t now(void)
{
	return cpu_blocks.n * NS_PER_BLOCK + sched.skipped;
}

static uint64_t start_of(int clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI: return REALTIME_START;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM: return MONOTONIC_START;
	default: return 0; /* processor time */
	}
}

int task_clock_now(int clock, struct host_timespec *ts)
{
	if (syscall(SYS_clock_gettime, (long)clock, ts))
		return -errno;
	if (sched.on) {
		uint64_t v = start_of(clock) + now();

		*ts = (struct host_timespec){(int64_t)(v / NS_PER_SEC), (int64_t)(v % NS_PER_SEC)};
	}
	return 0;
}

/* The moment as now() will count it. */
static uint64_t moment(int clock, const struct host_timespec *ts)
{
	const uint64_t most = INT64_MAX;
	uint64_t v, start = start_of(clock);

	if (ts->tv_sec < 0)
		return 1;
	v = (uint64_t)ts->tv_sec < most / NS_PER_SEC
		    ? (uint64_t)ts->tv_sec * NS_PER_SEC + (uint64_t)ts->tv_nsec
		    : most;
	return v > start ? v - start : 1;
}

/* --- the thread that chooses ------------------------------------------------------------------------------ */

static void notify(void)
{
	atomic_fetch_add(&sched.events, 1);
	futex(&sched.events, FUTEX_WAKE, 1);
}

/* Whether TID sleeps in the host kernel, in a way that only others can end. */
static bool sleeps(const struct task *t)
{
	char path[40], text[256], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)t->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true; /* gone */
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	p = strrchr(text, ')');
	return !p || p[2] == 'S' || p[2] == 'Z' || p[2] == 'X' || p[2] == 'T' || p[2] == 't' ||
	       (p[2] == 'D' && t->sched.lends);
}

static bool runs(struct task *t, void *arg)
{
	(void)arg;
	return !sleeps(t);
}

/* Waits until nobody does anything: seen twice, for one that was looked at early may have been woken late. */
static void settle(void)
{
	for (unsigned quiet = 0; quiet < 2;) {
		uint32_t events = atomic_load(&sched.events);

		if (task_any(runs, NULL) || atomic_load(&sched.events) != events) {
			quiet = 0;
			sched_yield();
		} else {
			quiet++;
		}
	}
}

static bool earliest(struct task *t, void *arg)
{
	struct task **first = arg;

	/* Who waits for its turn has been woken before. */
	if (t->sched.deadline && !t->sched.expired && !t->sched.waits &&
	    (!*first || t->sched.deadline < (*first)->sched.deadline ||
	     (t->sched.deadline == (*first)->sched.deadline &&
	      t->sched.number < (*first)->sched.number)))
		*first = t;
	return false;
}

/* T's deadline has come: it leaves its sleep or its host call. */
static void expire(struct task *t)
{
	t->sched.expired = true;
	if (t->sched.asleep) {
		t->sched.asleep = false;
		t->sched.waits = true;
		t->sched.next = sched.waiting;
		sched.waiting = t;
	} else {
		/* Never blocked on the host but for one that was given back; the handler knows. */
		t->sched.poked = true;
		syscall(SYS_tgkill, t->tgid, t->tid,
			t->sig.requeued & SIGBIT(SIG_SEGV) ? SIG_BUS : SIG_SEGV);
	}
}

/* One of those that wait for their turn, taken from the list; NULL: there is none. */
static struct task *choose(void)
{
	struct task **at, *t;
	uint32_t n = 0, rank;

	for (t = sched.waiting; t; t = t->sched.next)
		n++;
	if (!n)
		return NULL;
	rank = (uint32_t)(next_random() % n);
	/* By number: the order of the list is that of the host. */
	for (at = &sched.waiting;; at = &(*at)->sched.next) {
		uint32_t before = 0;

		for (t = sched.waiting; t; t = t->sched.next)
			before += t->sched.number < (*at)->sched.number;
		if (before == rank)
			break;
	}
	t = *at;
	*at = t->sched.next;
	return t;
}

static void grant(struct task *t)
{
	sched.current = t;
	t->sched.waits = false;
	cpu_blocks.limit = cpu_blocks.n + 1 + next_random() % (2 * sched.slice);
	atomic_store(&t->sched.turn, 1);
	futex(&t->sched.turn, FUTEX_WAKE, 1);
}

/* With the lock: gives somebody the turn, or lets the time pass. False: there is nothing to be done. */
static bool proceed(void)
{
	struct task *t, *sleeper = NULL;

	if (sched.current)
		return false;
	task_any(earliest, &sleeper);
	if (sleeper && (!sched.waiting || sleeper->sched.deadline <= now())) {
		if (sleeper->sched.deadline > now())
			sched.skipped += sleeper->sched.deadline - now();
		expire(sleeper);
		return true;
	}
	t = choose();
	if (t)
		grant(t);
	return t;
}

/* It opens files at any time: their numbers must not be those that the guest would get. */
static void own_descriptors(void)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0)
		return;
#endif
	if (unshare(CLONE_FILES) == 0) {
		for (long fd = sysconf(_SC_OPEN_MAX); fd >= 0; fd--)
			close((int)fd);
	}
}

static void *scheduler(void *arg)
{
	(void)arg;
	task_first_process.helper = (pid_t)syscall(SYS_gettid);
	own_descriptors();
	for (;;) {
		uint32_t events = atomic_load(&sched.events);
		bool more;

		own_lock(&sched.lock);
		more = !sched.current;
		own_unlock(&sched.lock);
		if (more) {
			settle();
			own_lock(&sched.lock);
			more = proceed();
			own_unlock(&sched.lock);
		}
		if (!more)
			futex(&sched.events, FUTEX_WAIT, events);
	}
	return NULL;
}

/* --- its side in gil.c --------------------------------------------------------------------------------------- */

void sched_init(const struct ilp32run_options *opt)
{
	uint64_t slice = opt->sliced ? opt->time_slice * 1000 : SLICE_NS;

	sched.on = opt->deterministic;
	sched.random = opt->seed;
	sched.slice = slice / NS_PER_BLOCK ? slice / NS_PER_BLOCK : 1;
	cpu_blocks.on = sched.on;
}

void sched_number(struct task *t)
{
	t->sched.number = ++sched.numbers;
}

bool sched_start(struct task *t)
{
	if (!sched.on)
		return false;
	if (access("/proc/self/stat", R_OK))
		diag("--deterministic: without /proc the order of threads is not the same each time");
	task_first_process.helper = TASK_HELPER_STARTS;
	if (task_host_thread(&sched.thread, scheduler, NULL)) {
		diag("--deterministic: no thread for the scheduler");
		signal_die(t, SIG_ABRT);
	}
	sched.running = true;
	sched.current = t;
	cpu_blocks.limit = cpu_blocks.n + 1 + next_random() % (2 * sched.slice);
	return true;
}

bool sched_is_running(void)
{
	return sched.running;
}

/* With the lock, which it gives back. */
static void wait_turn(struct task *t)
{
	if (sched.current == t)
		sched.current = NULL;
	atomic_store(&t->sched.turn, 0);
	own_unlock(&sched.lock);
	notify();
	while (!atomic_load(&t->sched.turn)) {
		/* A signal ends a sleep, and may come before it has begun. */
		safe_syscall(&t->sig.pending, SYS_futex, (uint64_t)(uintptr_t)&t->sched.turn,
			     FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
		if (!t->sig.pending)
			continue;
		own_lock(&sched.lock);
		if (t->sched.asleep) {
			t->sched.asleep = false;
			t->sched.waits = true;
			t->sched.next = sched.waiting;
			sched.waiting = t;
		}
		own_unlock(&sched.lock);
		notify();
		while (!atomic_load(&t->sched.turn))
			futex(&t->sched.turn, FUTEX_WAIT, 0);
	}
}

void sched_acquire(struct task *t)
{
	own_lock(&sched.lock);
	t->sched.waits = true;
	t->sched.next = sched.waiting;
	sched.waiting = t;
	wait_turn(t);
}

void sched_release(void)
{
	own_lock(&sched.lock);
	sched.current = NULL;
	own_unlock(&sched.lock);
	notify();
}

void sched_yield_turn(struct task *t)
{
	if (cpu_blocks.n >= cpu_blocks.limit)
		sched_acquire(t);
}

void sched_bury(struct task *dead)
{
	own_lock(&sched.lock);
	for (struct task **at = &sched.waiting; *at; at = &(*at)->sched.next) {
		if (*at == dead) {
			*at = dead->sched.next;
			break;
		}
	}
	if (sched.current == dead)
		sched.current = NULL;
	own_unlock(&sched.lock);
	notify();
}

void sched_after_fork(void)
{
	if (sched.running)
		task_first_process.helper = 0;
	own_lock_init(&sched.lock);
	sched.running = false;
	sched.waiting = NULL;
	sched.current = NULL;
	cpu_blocks.limit = UINT64_MAX;
}

/* --- waiting ---------------------------------------------------------------------------------------------- */

int task_sleep_until(struct task *t, int clock, const struct host_timespec *until)
{
	uint64_t when = moment(clock, until);

	if (when <= now())
		return 0;
	if (t->sig.pending)
		return -EINTR;
	if (!sched.running) {
		sched.skipped += when - now();
		return 0;
	}
	own_lock(&sched.lock);
	t->sched.expired = false;
	t->sched.deadline = when;
	t->sched.asleep = true;
	wait_turn(t);
	return task_deadline_passed(t) ? 0 : -EINTR;
}

bool task_deadline(struct task *t, int clock, struct host_timespec *until)
{
	uint64_t when = moment(clock, until);

	if (sched.running) {
		own_lock(&sched.lock);
		t->sched.expired = false;
		t->sched.deadline = when;
		own_unlock(&sched.lock);
		return true;
	}
	uint64_t rest = when > now() ? when - now() : 0;

	syscall(SYS_clock_gettime, (long)clock, until);
	until->tv_sec += (int64_t)(rest / NS_PER_SEC);
	until->tv_nsec += (int64_t)(rest % NS_PER_SEC);
	if (until->tv_nsec >= (int64_t)NS_PER_SEC) {
		until->tv_nsec -= (int64_t)NS_PER_SEC;
		until->tv_sec++;
	}
	return false;
}

bool task_deadline_passed(struct task *t)
{
	own_lock(&sched.lock);
	t->sched.deadline = 0;
	own_unlock(&sched.lock);
	return t->sched.expired;
}
