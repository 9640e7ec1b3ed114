/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of a procfs: what their names say, and whose they are. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "syscall/syscall.h"

bool procfs_is(int fd, const struct host_stat *st)
{
	enum { PROC_BLOCK_SIZE = 1024 };
	struct host_statfs fs;

	/* What all its objects have in common spares other files the second call. */
	return st->st_size <= PATH_MAX && st->st_blksize == PROC_BLOCK_SIZE && st->st_blocks == 0 &&
	       sys_host(HOSTNR(fstatfs), fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

bool procfs_name(int fd, char name[PATH_MAX])
{
	char link[32];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	int64_t n = sys_host(HOSTNR(readlinkat), AT_FDCWD, link, name, PATH_MAX - 1);
	if (n <= 0)
		return false;
	name[n] = '\0';
	return name[0] == '/';
}

/* A decimal number of N characters; 0 if it is none. */
static pid_t number(const char *p, size_t n)
{
	long v = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9' || v > INT_MAX / 10 - 1)
			return 0;
		v = v * 10 + (p[i] - '0');
	}
	return (pid_t)v;
}

/* Whether /proc counts pids as this process does, and PID is its own: "self" says so. */
static bool is_own(const struct procfs_place *at)
{
	char text[16];
	int64_t n;

	if (at->pid != task_self->tgid || strncmp(at->dir, "/proc/", 6) != 0)
		return false;
	n = sys_host(HOSTNR(readlinkat), AT_FDCWD, "/proc/self", text, sizeof text);
	return n > 0 && number(text, (size_t)n) == at->pid;
}

/* The directory of a process is the first one on the way that has a file "status"; its name need not be
 * a number where it is mounted elsewhere. */
static size_t process_dir(const char *name)
{
	char probe[PATH_MAX + 8];

	for (const char *slash = strchr(name + 1, '/');; slash = strchr(slash + 1, '/')) {
		size_t n = slash ? (size_t)(slash - name) : strlen(name);

		snprintf(probe, sizeof probe, "%.*s/status", (int)n, name);
		if (sys_host(HOSTNR(faccessat), AT_FDCWD, probe, F_OK) == 0)
			return n;
		if (!slash)
			return 0;
	}
}

void procfs_parse(struct procfs_place *at)
{
	static const char task[] = "/task/";
	const size_t len = sizeof task - 1;
	size_t n = process_dir(at->name);
	const char *rest = at->name + n;

	at->pid = at->tid = 0;
	at->own = false;
	if (n) {
		const char *start = rest;

		while (start > at->name && start[-1] != '/')
			start--;
		at->pid = at->tid = number(start, (size_t)(rest - start));
	}
	if (n && strncmp(rest, task, len) == 0) {
		size_t digits = strcspn(rest + len, "/");

		at->tid = number(rest + len, digits);
		rest += at->tid ? len + digits : 0;
	}
	memcpy(at->dir, at->name, (size_t)(rest - at->name));
	at->dir[rest - at->name] = '\0';
	at->rest = *rest == '/' ? rest + 1 : rest;
	at->own = n && is_own(at);
}

/* --- cards ---------------------------------------------------------------------------------------------- */

enum { CANDIDATES = 2 * TASK_HIDDEN_FDS };

struct top { /* the highest descriptors of a process, in rising order */
	int fd[CANDIDATES];
	unsigned n;
};

static void consider(struct top *t, int fd)
{
	unsigned i;

	if (t->n == CANDIDATES) {
		if (fd < t->fd[0])
			return;
		memmove(t->fd, t->fd + 1, (CANDIDATES - 1) * sizeof t->fd[0]);
		t->n--;
	}
	for (i = t->n++; i && t->fd[i - 1] > fd; i--)
		t->fd[i] = t->fd[i - 1];
	t->fd[i] = fd;
}

/* Hidden descriptors are above all others as a rule. */
static bool list_top(struct top *t, int dir)
{
	_Alignas(8) char buf[4096];
	int64_t n;

	t->n = 0;
	while ((n = sys_host(HOSTNR(getdents64), dir, buf, sizeof buf)) > 0) {
		for (int64_t at = 0; at < n;) {
			const struct host_dirent64 *d = (const void *)(buf + at);

			if (d->d_name[0] != '.')
				consider(t, number(d->d_name, strlen(d->d_name)));
			at += d->d_reclen;
		}
	}
	return n == 0;
}

static bool try_card(int dir, int number_of, struct task_card *card)
{
	char name[16], link[sizeof TASK_CARD_LINK];

	snprintf(name, sizeof name, "%d", number_of);
	int64_t n = sys_host(HOSTNR(readlinkat), dir, name, link, sizeof link);
	if (n != sizeof link - 1 || memcmp(link, TASK_CARD_LINK, (size_t)n) != 0)
		return false;
	int64_t fd = sys_host(HOSTNR(openat), dir, name, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	bool found = task_card_read(card, (int)fd);
	sys_host(HOSTNR(close), fd);
	return found;
}

bool procfs_card(const struct procfs_place *at, struct task_card *card)
{
	char path[PATH_MAX + 4];
	struct top top;
	bool found = false;

	if (!at->dir[0])
		return false;
	if (at->own && task_card_own(card))
		return true;
	snprintf(path, sizeof path, "%s/fd", at->dir);
	int64_t dir =
		sys_host(HOSTNR(openat), AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (dir < 0)
		return false;
	if (list_top(&top, (int)dir)) {
		for (unsigned i = top.n; i-- && !found;)
			found = try_card((int)dir, top.fd[i], card);
	}
	sys_host(HOSTNR(close), dir);
	return found;
}

bool procfs_is_hidden(const struct task_card *card, const char *text)
{
	int n = number(text, strlen(text));

	for (unsigned i = 0; i < card->nhidden && n; i++) {
		if (card->hidden[i] == n)
			return true;
	}
	return false;
}
