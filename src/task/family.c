/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/family.h"

#include <errno.h>
#include <fcntl.h>
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

enum { MEMBERS = 256, DEPTH = 64, QUIET_LOOKS = 3 };

struct member {
	_Atomic int32_t pid;   /* 0: free */
	_Atomic uint64_t wish; /* waits until so much has been skipped; 0: does not */
	/* over execve */
	uint64_t blocks;
	struct family_itimer itimer[FAMILY_ITIMERS];
};

struct family {
	_Atomic uint64_t skipped;
	_Atomic uint32_t forks, tags;
	_Atomic int32_t root; /* the first process */
	struct member member[MEMBERS];
	struct family_timerfd timerfd[FAMILY_TIMERFDS];
};

static struct family *shared;
static struct member *self, nobody;
static int shared_fd = -1;
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
	struct member *m = find(pid);

	for (int i = 0; i < MEMBERS && !m; i++) {
		int32_t before = shared->member[i].pid;

		if (before && (kill(before, 0) == 0 || errno != ESRCH))
			continue;
		if (atomic_compare_exchange_strong(&shared->member[i].pid, &before, pid))
			m = &shared->member[i];
	}
	if (!m)
		m = &nobody;
	m->wish = 0;
	return m;
}

void family_init(int fd, uint64_t *blocks, struct family_itimer itimer[FAMILY_ITIMERS])
{
	const int prot = PROT_READ | PROT_WRITE;

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
	memcpy(m->itimer, itimer, sizeof m->itimer);
}

int family_fd(void)
{
	return shared_fd;
}

void family_grows(void)
{
	if (shared)
		atomic_fetch_add(&shared->forks, 1);
}

void family_after_fork(void)
{
	if (!shared)
		return;
	memset(&waits, 0, sizeof waits);
	self = take_place(getpid());
}

bool family_has_others(void)
{
	return shared->forks;
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
	uint64_t until;
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
	const struct look deeper = {k->until, k->ours, k->depth + 1};
	const struct member *m = find(pid);
	_Alignas(8) char buf[2048];
	char path[40];
	bool all = true;
	long n;

	if (k->depth > DEPTH)
		return false;
	if (!k->ours(pid)) {
		if (!m) /* a program of the host's, or one that has just been made */
			return is_gone(pid);
		uint64_t wish = m->wish;
		if (wish && wish < k->until && !is_gone(pid))
			return false;
	}
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
	return shared ? shared->skipped : 0;
}

bool family_lets(uint64_t until, bool (*ours)(pid_t pid))
{
	struct look k = {.until = until, .ours = ours};
	uint64_t before = shared->skipped;

	if (!shared->forks || until <= before)
		return true;
	if (!waits.on || waits.skipped != before) {
		waits.on = true;
		waits.since = real_ns();
		waits.skipped = before;
		waits.quiet = 0;
	}
	self->wish = until;
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
	if (!waits.on)
		return;
	waits.on = false;
	self->wish = 0;
}

void family_skip(uint64_t until)
{
	uint64_t before = shared->skipped;

	while (before < until && !atomic_compare_exchange_weak(&shared->skipped, &before, until))
		;
}
