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
 * If nobody waits for a turn, the time passes: the clock is set to the next moment that a thread sleeps for or that a
 * timer is set to (vtimer.c), if other processes let it (family.c). Without such a moment the process waits for something
 * outside. A process with one thread has the scheduler as soon as it waits with a limit or sets a timer.
 *
 * Not in the seed's hand: what other processes and devices do; time limits of sockets (SO_RCVTIMEO, SO_SNDTIMEO) and of
 * recvmmsg, which are real time; numbers of processes; the counter register CNTVCT_EL0.
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
#include "task/family.h"
#include "task/internal.h"
#include "trace/trace.h"

#define NS_PER_BLOCK 10
#define NS_PER_SEC   1000000000ull
#define SLICE_NS     20000  /* on average */
#define NAP_NS       300000 /* between two looks at other processes */

/* What the clocks show at the start. */
#define REALTIME_START  (1000000000 * NS_PER_SEC)
#define MONOTONIC_START (1000 * NS_PER_SEC)

static struct {
	bool on;         /* the option */
	bool running;    /* the thread */
	bool adopted;    /* timers, from before an execve */
	uint64_t slice;  /* blocks, on average */
	uint64_t random; /* state */
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

bool task_clock_is_cpu(int clock)
{
	return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

static uint64_t cpu_ns(void)
{
	return cpu_blocks.n * NS_PER_BLOCK;
}

static uint64_t now(void)
{
	return cpu_ns() + family_skipped();
}

uint64_t task_clock_ns(int clock)
{
	return task_clock_is_cpu(clock) ? cpu_ns() : now();
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
		uint64_t v = start_of(clock) + task_clock_ns(clock);

		*ts = (struct host_timespec){(int64_t)(v / NS_PER_SEC), (int64_t)(v % NS_PER_SEC)};
	}
	return 0;
}

uint64_t task_clock_moment(int clock, const struct host_timespec *ts)
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

/* The same as now() will count it. */
static uint64_t moment(int clock, const struct host_timespec *ts)
{
	return task_clock_moment(clock, ts) + (task_clock_is_cpu(clock) ? family_skipped() : 0);
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

/* What is next to come. WAITS: while nobody runs. */
static uint64_t next_moment(bool waits, struct task **sleeper)
{
	uint64_t timer = vtimers_next(waits);

	*sleeper = NULL;
	task_any(earliest, sleeper);
	return *sleeper && (*sleeper)->sched.deadline < timer ? (*sleeper)->sched.deadline : timer;
}

/* A turn ends when the seed will have it, or something is due. */
static void limit_turn(void)
{
	struct task *sleeper;
	uint64_t blocks = 1 + next_random() % (2 * sched.slice);
	uint64_t next = next_moment(false, &sleeper);

	if (next != UINT64_MAX) {
		uint64_t until = next > now() ? (next - now() - 1) / NS_PER_BLOCK + 1 : 1;
		blocks = until < blocks ? until : blocks;
	}
	cpu_blocks.limit = cpu_blocks.n + blocks;
}

static void grant(struct task *t)
{
	sched.current = t;
	t->sched.waits = false;
	limit_turn();
	atomic_store(&t->sched.turn, 1);
	futex(&t->sched.turn, FUTEX_WAKE, 1);
}

static bool is_of(struct task *t, void *pid)
{
	return t->tgid == *(pid_t *)pid;
}

static bool is_ours(pid_t pid)
{
	return pid == getpid() || task_any(is_of, &pid);
}

enum step { STEP_NONE, STEP_TAKEN, STEP_NAP };

/* With the lock: gives somebody the turn, or lets the time pass. */
static enum step proceed(void)
{
	struct task *t, *sleeper = NULL;
	uint64_t when;

	if (sched.current)
		return STEP_NONE;
	if (vtimers_fire())
		return STEP_TAKEN;
	task_any(earliest, &sleeper);
	if (sleeper && sleeper->sched.deadline <= now()) {
		expire(sleeper);
		return STEP_TAKEN;
	}
	t = choose();
	if (t) {
		family_waits_no_more();
		grant(t);
		return STEP_TAKEN;
	}
	when = next_moment(true, &sleeper);
	if (when == UINT64_MAX) {
		family_waits_no_more();
		return STEP_NONE;
	}
	if (!family_lets(when - cpu_ns(), is_ours))
		return STEP_NAP;
	family_skip(when - cpu_ns());
	return STEP_TAKEN;
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

static void nap(uint32_t events)
{
	const struct timespec ts = {0, NAP_NS};

	syscall(SYS_futex, &sched.events, FUTEX_WAIT_PRIVATE, events, &ts, NULL, 0);
}

static void *scheduler(void *arg)
{
	(void)arg;
	task_first_process.helper = (pid_t)syscall(SYS_gettid);
	own_descriptors();
	for (;;) {
		uint32_t events = atomic_load(&sched.events);
		enum step step = STEP_NONE;
		bool free;

		own_lock(&sched.lock);
		free = !sched.current;
		own_unlock(&sched.lock);
		if (free) {
			settle();
			own_lock(&sched.lock);
			step = proceed();
			own_unlock(&sched.lock);
		}
		if (step == STEP_NONE)
			futex(&sched.events, FUTEX_WAIT, events);
		else if (step == STEP_NAP)
			nap(events);
	}
	return NULL;
}

/* --- its side in gil.c --------------------------------------------------------------------------------------- */

void sched_init(const struct ilp32run_options *opt, int family)
{
	struct family_itimer itimer[FAMILY_ITIMERS];
	uint64_t slice = opt->sliced ? opt->time_slice * 1000 : SLICE_NS;

	sched.on = opt->deterministic;
	sched.random = opt->seed;
	sched.slice = slice / NS_PER_BLOCK ? slice / NS_PER_BLOCK : 1;
	cpu_blocks.on = sched.on;
	if (sched.on) {
		family_init(family, &cpu_blocks.n, itimer);
		sched.adopted = vtimers_adopt(getpid(), itimer);
	}
}

void sched_begin(struct task *t)
{
	if (sched.adopted)
		sched_need(t);
}

void sched_need(struct task *t)
{
	gil_start(t);
}

int sched_leave(struct task *t)
{
	struct family_itimer itimer[FAMILY_ITIMERS];

	if (!sched.on)
		return -1;
	own_lock(&sched.lock);
	vtimers_leave(t->tgid, itimer);
	family_leave(cpu_blocks.n, itimer);
	own_unlock(&sched.lock);
	return family_fd();
}

void sched_lock(void)
{
	own_lock(&sched.lock);
}

void sched_unlock(void)
{
	own_unlock(&sched.lock);
}

void sched_before_fork(struct task *t, bool shares_memory)
{
	if (!sched.on)
		return;
	family_grows();
	/* A process that borrows our memory cannot make the thread. */
	if (shares_memory)
		sched_need(t);
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
	limit_turn();
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
	vtimers_bury(dead->tgid);
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
	vtimers_after_fork();
	family_after_fork();
}

/* --- waiting ---------------------------------------------------------------------------------------------- */

int task_sleep_until(struct task *t, int clock, const struct host_timespec *until)
{
	uint64_t when = moment(clock, until);

	if (when <= now())
		return 0;
	if (t->sig.pending)
		return -EINTR;
	if (!sched.running && !family_has_others()) {
		family_skip(when - cpu_ns());
		return 0;
	}
	sched_need(t);
	own_lock(&sched.lock);
	t->sched.expired = false;
	t->sched.deadline = when;
	t->sched.asleep = true;
	wait_turn(t);
	return task_deadline_passed(t) ? 0 : -EINTR;
}

static void begin_limit(struct task *t, uint64_t when)
{
	sched_need(t);
	own_lock(&sched.lock);
	t->sched.expired = false;
	t->sched.deadline = when;
	own_unlock(&sched.lock);
}

void task_deadline(struct task *t, int clock, const struct host_timespec *until)
{
	begin_limit(t, moment(clock, until));
}

bool task_deadline_passed(struct task *t)
{
	own_lock(&sched.lock);
	t->sched.deadline = 0;
	own_unlock(&sched.lock);
	return t->sched.expired;
}

bool task_limit(struct task *t, const struct host_timespec *limit)
{
	const uint64_t most = INT64_MAX / 4 / NS_PER_SEC;

	if (!sched.on || limit->tv_sec < 0 || (uint64_t)limit->tv_nsec >= NS_PER_SEC ||
	    (!limit->tv_sec && !limit->tv_nsec))
		return false;
	begin_limit(t,
		    now() + ((uint64_t)limit->tv_sec < most ? (uint64_t)limit->tv_sec * NS_PER_SEC +
								      (uint64_t)limit->tv_nsec
							    : most * NS_PER_SEC));
	return true;
}

bool task_limit_passed(struct task *t, struct host_timespec *rest)
{
	uint64_t when = t->sched.deadline, left = when > now() ? when - now() : 0;

	*rest = (struct host_timespec){(int64_t)(left / NS_PER_SEC), (int64_t)(left % NS_PER_SEC)};
	return task_deadline_passed(t);
}

int64_t task_limit_result(struct task *t, struct host_timespec *rest, int64_t r, int64_t over)
{
	return task_limit_passed(t, rest) && r < 0 && !t->sig.captured ? over : r;
}
