/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/family.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/task.h"

#define QUIET_NS 30000000 /* so long nobody has been seen to do anything */

enum { MEMBERS = 256, DEPTH = 64, QUIET_LOOKS = 3, BEING_MADE = -1 };

struct member {
	_Atomic int32_t pid; /* 0: free; BEING_MADE */
	/* The turn (family_turn()). */
	uint32_t number;         /* in the order of creation */
	_Atomic uint32_t word;   /* futex word of its scheduler */
	_Atomic uint32_t events; /* what its threads did that may matter for the choice */
	_Atomic uint32_t
		answers; /* the last round of questions that it has answered, by what follows */
	_Atomic bool ready;
	_Atomic uint64_t due;
	/* over execve */
	uint64_t blocks;
	struct family_itimer itimer[FAMILY_ITIMERS];
};

struct family {
	_Atomic uint64_t
		elapsed; /* ns since the start: what all have executed, and waited for; when the last turn ended */
	_Atomic uint32_t forks, tags;
	_Atomic int32_t root; /* the first process */
	/* Whose turn it is: its place + 1; 0: nobody's. And what it is for, if it has not seen it yet. */
	_Atomic uint32_t owner, granted;
	_Atomic uint32_t round, births;
	_Atomic uint64_t decisions;
	_Atomic bool foreign; /* a program of the host's was executed */
	struct member member[MEMBERS];
	struct family_timerfd timerfd[FAMILY_TIMERFDS];
};

static struct family *shared;
static struct member nobody, *self = &nobody, *newborn;
static int shared_fd = -1;
static uint64_t seed, block_ns;
static uint64_t skipped; /* of what has elapsed, what this process has not executed */
/* Of the choice that this process makes. */
static struct {
	bool on, counted;
	uint64_t events;
} choice;
/* Of the wait that goes on. */
static struct {
	bool on;
	uint64_t since, skipped; /* real ns, virtual ns */
	unsigned quiet;          /* looks in a row, since */
	uint64_t quiet_since;
} waits;

static uint64_t real_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* --- members ----------------------------------------------------------------------------------------------- */

static struct member *find(pid_t pid)
{
	for (int i = 0; i < MEMBERS; i++) {
		if (shared->member[i].pid == pid)
			return &shared->member[i];
	}
	return NULL;
}

/* The place of a process that is not there any more will do. Without any, nobody waits for this one. */
static struct member *take_place(pid_t pid)
{
	struct member *m = pid == BEING_MADE ? NULL : find(pid);

	for (int i = 0; i < MEMBERS && !m; i++) {
		int32_t before = shared->member[i].pid;

		if (before && (before == BEING_MADE || kill(before, 0) == 0 || errno != ESRCH))
			continue;
		if (!atomic_compare_exchange_strong(&shared->member[i].pid, &before, pid))
			continue;
		m = &shared->member[i];
		m->number = atomic_fetch_add(&shared->births, 1);
	}
	if (!m)
		m = &nobody;
	m->ready = false;
	m->due = FAMILY_NEVER;
	m->answers = 0;
	return m;
}

void family_init(int fd, uint64_t the_seed, uint64_t ns_per_block, uint64_t *blocks,
		 struct family_itimer itimer[FAMILY_ITIMERS])
{
	const int prot = PROT_READ | PROT_WRITE;

	seed = the_seed;
	block_ns = ns_per_block;
	*blocks = 0;
	memset(itimer, 0, FAMILY_ITIMERS * sizeof *itimer);
	if (fd >= 0)
		shared = mmap(NULL, sizeof *shared, prot, MAP_SHARED, fd, 0);
	if (fd >= 0 && shared != MAP_FAILED) {
		shared_fd = task_fd_hide(fd);
		self = find(getpid());
		if (self) {
			*blocks = self->blocks;
			memcpy(itimer, self->itimer, sizeof self->itimer);
		}
		self = take_place(getpid());
		skipped = shared->elapsed - *blocks * ns_per_block;
		return;
	}
	shared_fd = (int)syscall(SYS_memfd_create, "ilp32run-time", 1u /* MFD_CLOEXEC */);
	if (shared_fd >= 0 && ftruncate(shared_fd, sizeof *shared) == 0)
		shared_fd = task_fd_hide(shared_fd);
	shared = mmap(NULL, sizeof *shared, prot,
		      shared_fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, shared_fd, 0);
	if (shared == MAP_FAILED)
		abort();
	shared->root = getpid();
	self = take_place(getpid());
}

void family_leave(uint64_t blocks, const struct family_itimer itimer[FAMILY_ITIMERS])
{
	/* A vfork child has none yet, and its parent keeps its own. */
	struct member *m = take_place(getpid());

	m->blocks = blocks;
	shared->elapsed = blocks * block_ns + skipped;
	memcpy(m->itimer, itimer, sizeof m->itimer);
}

int family_fd(void)
{
	return shared_fd;
}

static uint32_t place_of(const struct member *m)
{
	return m == &nobody ? 0 : (uint32_t)(m - shared->member) + 1;
}

void family_grows(bool own_memory)
{
	if (!shared->forks) {
		shared->granted = 0;
		shared->owner = place_of(self);
	}
	atomic_fetch_add(&shared->forks, 1);
	/* It is there before it has a number, so that nobody chooses without it. */
	newborn = own_memory && self != &nobody ? take_place(BEING_MADE) : NULL;
}

void family_grew(pid_t child)
{
	if (newborn && newborn != &nobody)
		newborn->pid = child > 0 ? child : 0;
	newborn = NULL;
}

void family_after_fork(void)
{
	if (!shared)
		return;
	memset(&waits, 0, sizeof waits);
	memset(&choice, 0, sizeof choice);
	self = newborn ? newborn : &nobody;
	newborn = NULL;
	/* Its parent says what its number is in their pid namespace. One in another keeps out. */
	for (pid_t parent = getppid(); self->pid == BEING_MADE && getppid() == parent;)
		sched_yield();
	if (self != &nobody && self->pid != getpid())
		family_keeps_out();
}

void family_stays(void)
{
	struct member *m = find(getpid());

	if (m && m != self)
		m->pid = 0;
}

void family_keeps_out(void)
{
	uint32_t me = place_of(self);

	if (me)
		self->pid = 0;
	self = &nobody;
	atomic_compare_exchange_strong(&shared->owner, &me, 0);
}

void family_goes(void)
{
	if (!shared)
		return;
	uint32_t me = place_of(self);

	shared->foreign = true;
	if (self == &nobody || self->pid != getpid())
		return;
	self->pid = 0;
	atomic_compare_exchange_strong(&shared->owner, &me, 0);
}

void family_came_back(void)
{
	uint32_t none = 0;
	int32_t no_pid = 0;

	if (!shared || self == &nobody ||
	    !atomic_compare_exchange_strong(&self->pid, &no_pid, getpid()))
		return;
	atomic_compare_exchange_strong(&shared->owner, &none, place_of(self));
}

bool family_has_others(void)
{
	return shared && shared->forks;
}

struct family_timerfd *family_timerfds(void)
{
	return shared->timerfd;
}

uint32_t family_new_tag(void)
{
	return atomic_fetch_add(&shared->tags, 1) + 1;
}

/* --- what they do -------------------------------------------------------------------------------------------- */

static size_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

struct look {
	bool (*ours)(pid_t pid);
	unsigned depth;
};

static bool quiet(const struct look *k, pid_t pid);

/*
 * What the stat file of a thread tells: it waits, and not for a lock of the kernel. Nor is it the first thread of a process
 * whose end nobody has been told so far, for others are still on their way out and perhaps in no list any more.
 */
static bool text_quiet(const char *text)
{
	const char *p = strrchr(text, ')');
	int threads = 1;

	if (!p)
		return true;
	if (p[2] == 'Z')
		sscanf(p + 2,
		       "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
		       &threads);
	return p[2] != 'R' && p[2] != 'D' && threads <= 1;
}

/* Thread TID of PID does nothing, nor do the children that it made; CHILDREN_ONLY: they matter alone. */
static bool thread_quiet(const struct look *k, pid_t pid, pid_t tid, bool children_only)
{
	char path[64], text[4096];

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	if (!children_only && read_text(path, text, sizeof text) && !text_quiet(text))
		return false;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)tid);
	read_text(path, text, sizeof text);
	for (char *p = text; *p;) {
		char *end;
		long child = strtol(p, &end, 10);

		if (end == p)
			break;
		if (!quiet(k, (pid_t)child))
			return false;
		p = end + strspn(end, " \n");
	}
	return true;
}

static bool is_gone(pid_t pid)
{
	char path[64], text[512], *p;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	return !read_text(path, text, sizeof text) || !(p = strrchr(text, ')')) || p[2] == 'Z' ||
	       p[2] == 'X';
}

static bool quiet(const struct look *k, pid_t pid)
{
	const struct look deeper = {k->ours, k->depth + 1};
	const struct member *m = find(pid);
	_Alignas(8) char buf[2048];
	char path[40];
	bool all = true;
	long n;

	if (k->depth > DEPTH)
		return false;
	if (!k->ours(pid) && !m) /* a program of the host's, or one that has just been made */
		return is_gone(pid);
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return true;
	while (all && (n = syscall(SYS_getdents64, dir, buf, sizeof buf)) > 0) {
		for (long at = 0; at < n && all;) {
			const struct host_dirent64 *d = (const void *)(buf + at);

			at += d->d_reclen;
			if (d->d_name[0] != '.')
				all = thread_quiet(&deeper, pid, atoi(d->d_name), k->ours(pid));
		}
	}
	close(dir);
	return all;
}

uint64_t family_skipped(void)
{
	return skipped;
}

bool family_lets(uint64_t until, bool (*ours)(pid_t pid))
{
	struct look k = {.ours = ours};
	uint64_t before = skipped;

	if (!shared->forks || !shared->foreign || until <= before)
		return true;
	if (!waits.on || waits.skipped != before) {
		waits.on = true;
		waits.since = real_ns();
		waits.skipped = before;
		waits.quiet = 0;
	}
	uint64_t at = real_ns();
	if (at - waits.since >= until - before)
		return true;
	waits.quiet =
		quiet(&k, is_gone(shared->root) ? getpid() : shared->root) ? waits.quiet + 1 : 0;
	if (waits.quiet == 1)
		waits.quiet_since = at;
	return waits.quiet >= QUIET_LOOKS && at - waits.quiet_since >= QUIET_NS;
}

void family_waits_no_more(void)
{
	waits.on = false;
}

void family_skip(uint64_t until)
{
	skipped = until > skipped ? until : skipped;
}

/* --- whose turn it is ----------------------------------------------------------------------------------------- */

void family_notify(void)
{
	atomic_fetch_add(&self->events, 1);
	atomic_fetch_add(&self->word, 1);
	syscall(SYS_futex, &self->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint32_t family_events(void)
{
	return self->events;
}

uint32_t family_word(void)
{
	return self->word;
}

void family_sleep(uint32_t word, const struct timespec *limit)
{
	syscall(SYS_futex, &self->word, FUTEX_WAIT, word, limit, NULL, 0);
}

uint32_t family_round(void)
{
	return shared->round;
}

bool family_is_ours(void)
{
	return self == &nobody || shared->owner == place_of(self);
}

static void wake(struct member *m)
{
	atomic_fetch_add(&m->word, 1);
	syscall(SYS_futex, &m->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* It has ended, or is stopped. */
static bool absent(const struct member *m)
{
	char path[64], text[512], *p;
	int threads = 1;
	pid_t pid = m->pid;

	if (pid == BEING_MADE)
		return false;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (!pid || !read_text(path, text, sizeof text) || !(p = strrchr(text, ')')))
		return true;
	if (p[2] == 'T')
		return true;
	if (p[2] != 'Z' && p[2] != 'X')
		return false;
	/* Of one whose first thread has ended others may be there. */
	sscanf(p + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
	       &threads);
	return threads <= 1;
}

static void ask_all(void)
{
	choice.on = true;
	atomic_fetch_add(&shared->round, 1);
	for (int i = 0; i < MEMBERS; i++) {
		if (shared->member[i].pid)
			wake(&shared->member[i]);
	}
}

/* Whether all have answered ROUND. *EVENTS: theirs together, and how many there are. */
static bool all_answered(uint32_t round, uint64_t *events)
{
	*events = 0;
	for (int i = 0; i < MEMBERS; i++) {
		const struct member *m = &shared->member[i];

		if (!m->pid)
			continue;
		if (m->answers == round)
			*events += m->events + (1ull << 32);
		else if (!absent(m))
			return false;
	}
	return true;
}

static uint64_t random_number(uint64_t n)
{
	uint64_t z = seed ^ (n + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* The one that is ready and has RANK others of those before it. */
static struct member *ready_one(uint32_t round, uint32_t rank)
{
	for (int i = 0; i < MEMBERS; i++) {
		struct member *m = &shared->member[i];
		uint32_t before = 0;

		if (!m->pid || m->answers != round || !m->ready)
			continue;
		for (int k = 0; k < MEMBERS; k++) {
			const struct member *o = &shared->member[k];

			before +=
				o->pid && o->answers == round && o->ready && o->number < m->number;
		}
		if (before == rank)
			return m;
	}
	return NULL;
}

static enum family_turn choose(uint32_t round)
{
	struct member *best = NULL;
	enum family_turn what = FAMILY_GO;
	uint32_t n = 0;

	choice.on = false;
	for (int i = 0; i < MEMBERS; i++) {
		const struct member *m = &shared->member[i];

		n += m->pid && m->answers == round && m->ready;
	}
	if (n)
		best = ready_one(round, random_number(atomic_fetch_add(&shared->decisions, 1)) % n);
	for (int i = 0; i < MEMBERS && !n; i++) {
		struct member *m = &shared->member[i];

		if (!m->pid || m->answers != round || m->due == FAMILY_NEVER)
			continue;
		what = FAMILY_TIME;
		if (!best || m->due < best->due ||
		    (m->due == best->due && m->number < best->number))
			best = m;
	}
	if (best == self)
		return what;
	shared->granted = best ? what : 0;
	shared->owner = best ? place_of(best) : 0;
	if (!best)
		return FAMILY_NOTHING;
	wake(best);
	return FAMILY_WAIT;
}

static uint64_t has_executed;

void family_look(uint64_t executed)
{
	has_executed = executed;
	if (self == &nobody)
		return;
	if (shared->owner == place_of(self) && !shared->granted)
		shared->elapsed = executed + skipped;
	else
		skipped = shared->elapsed - executed;
}

/*
 * The process whose turn has ended asks all the others, and itself, what they could do next; each answers when its own
 * threads all sleep. What the first ones to answer said may be wrong when the last one does, who may have woken them:
 * so twice, without anything having happened between.
 */
enum family_turn family_turn(uint32_t round, bool ready, uint64_t due)
{
	uint32_t me = place_of(self), owner = shared->owner, granted;
	uint64_t events;

	if (!me)
		return ready ? FAMILY_GO : due != FAMILY_NEVER ? FAMILY_TIME : FAMILY_NOTHING;
	self->ready = ready;
	self->due = due;
	self->answers = round;
	if (owner == me && (granted = atomic_exchange(&shared->granted, 0)) != 0)
		return granted;
	if (owner != me) {
		if (owner)
			wake(&shared->member[owner - 1]);
		if (!ready && due == FAMILY_NEVER)
			return FAMILY_NOTHING;
		if (owner && !absent(&shared->member[owner - 1]))
			return FAMILY_WAIT;
		if (!atomic_compare_exchange_strong(&shared->owner, &owner, me))
			return FAMILY_WAIT;
		shared->granted = 0;
		skipped = shared->elapsed - has_executed; /* it may have ended a turn since */
		choice.on = false;
	}
	if (!choice.on || round != shared->round) {
		choice.counted = false;
		ask_all();
		return FAMILY_WAIT;
	}
	if (!all_answered(round, &events))
		return FAMILY_WAIT;
	if (!choice.counted || choice.events != events) {
		choice.counted = true;
		choice.events = events;
		ask_all();
		return FAMILY_WAIT;
	}
	return choose(round);
}
