/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of /proc that show the emulator where the guest has to see itself: which they are, and
 * how they are opened. Their texts are made by procfs_text.c. The content is that of the moment of
 * open(2).
 */
#include "syscall/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/host.h"
#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "trace/trace.h"

struct file {
	const char *name;
	procfs_text_fn *text; /* NULL: refused, because it shows or opens the emulator's memory */
	bool global;          /* /proc/NAME, otherwise a file of a process or thread */
};

static const struct file files[] = {
	{"auxv", procfs_auxv, false},      {"cmdline", procfs_cmdline, false},
	{"cpuinfo", procfs_cpuinfo, true}, {"environ", procfs_environ, false},
	{"maps", procfs_maps, false},      {"smaps", procfs_smaps, false},
	{"stat", procfs_stat, false},      {"statm", procfs_statm, false},
	{"status", procfs_status, false},  {"mem", NULL, false},
	{"numa_maps", NULL, false},        {"pagemap", NULL, false},
	{"smaps_rollup", NULL, false},
};

static const struct file *find_file(const char *name)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (strcmp(files[i].name, name) == 0)
			return &files[i];
	}
	return NULL;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --- which file is it? --------------------------------------------------------------------------------- */

/* The last three directories of a canonical name. */
struct place {
	pid_t pid, tid; /* tid: the pid where the name has none; both 0 in /proc itself */
};

/* A decimal number that ends at END and begins behind a slash; 0 if there is none. *START is where. */
static pid_t number_before(const char *path, const char *end, const char **start)
{
	const char *p = end;
	long n = 0;

	while (p > path && p[-1] != '/')
		p--;
	*start = p;
	for (; p < end; p++) {
		if (*p < '0' || *p > '9' || n > INT_MAX / 10 - 1)
			return 0;
		n = n * 10 + (*p - '0');
	}
	return (pid_t)n;
}

/* PATH is absolute and without links: ".../PID/NAME", ".../PID/task/TID/NAME", or ".../NAME". */
static struct place parse_place(const char *path)
{
	const char *slash = strrchr(path, '/'), *start;
	struct place at = {0, 0};
	static const char task[] = "/task/";
	const size_t len = sizeof task - 1;

	at.pid = at.tid = number_before(path, slash, &start);
	if (at.tid && (size_t)(start - path) > len && strncmp(start - len, task, len) == 0)
		at.pid = number_before(path, start - len, &start);
	return at;
}

static bool on_procfs(int fd)
{
	struct host_statfs st;

	return sys_host(HOSTNR(fstatfs), fd, &st) == 0 && st.f_type == PROC_SUPER_MAGIC;
}

/* The name that FD has for the kernel, in PATH. False if it cannot be told. */
static bool name_of_fd(int fd, char path[PATH_MAX])
{
	char link[32];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	int64_t n = sys_host(HOSTNR(readlinkat), AT_FDCWD, link, path, PATH_MAX - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	return path[0] == '/';
}

/* Finds out the place of PATH if it is on a procfs. FLAGS: O_NOFOLLOW or 0. */
static bool locate(int dfd, const char *path, int flags, struct place *at)
{
	char canonical[PATH_MAX];
	static const char self[] = "/proc/self/";
	const size_t len = sizeof self - 1;

	/* The common case needs no host call. */
	if (strncmp(path, self, len) == 0 && !strchr(path + len, '/')) {
		at->pid = at->tid = task_self->tgid;
		return true;
	}
	int64_t fd = sys_host(HOSTNR(openat), dfd, path, O_PATH | O_CLOEXEC | flags, 0);
	if (fd < 0)
		return false;
	bool found = on_procfs((int)fd) && name_of_fd((int)fd, canonical);
	sys_host(HOSTNR(close), fd);
	if (found)
		*at = parse_place(canonical);
	return found;
}

static bool same_tid(struct task *t, void *arg)
{
	return t->tid == *(const pid_t *)arg;
}

static bool is_ours(const struct place *at)
{
	pid_t tid = at->tid;

	if (at->pid != task_self->tgid)
		return false;
	/* The main thread may have ended; its directory still shows the process. */
	return tid == at->pid || task_for_each(task_self, same_tid, &tid);
}

/* --- opening -------------------------------------------------------------------------------------------- */

/* A read-only descriptor for TEXT, or -errno. */
static int64_t open_text(const char *name, const char *text, size_t len, int flags)
{
	char link[32];
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, text + done, len - done);
		if (n < 0) {
			int err = errno;
			close(fd);
			return -err;
		}
		done += (size_t)n;
	}
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	int64_t r = sys_host(HOSTNR(openat), AT_FDCWD, link, O_RDONLY | (flags & O_CLOEXEC), 0);
	close(fd);
	return r;
}

int64_t procfs_open(int dfd, const char *path, int flags)
{
	const struct file *f = find_file(last_component(path));
	struct place at;
	size_t len = 0;

	if (!f || (flags & (O_PATH | O_CREAT | O_DIRECTORY)) ||
	    !locate(dfd, path, flags & O_NOFOLLOW, &at))
		return -ENOSYS;
	if (f->global ? at.pid != 0 : !is_ours(&at))
		return -ENOSYS;
	if (!f->text) {
		diag_unsupported("procfs", (uint64_t)(f - files), "%s: not available", path);
		return -EACCES;
	}
	if ((flags & O_ACCMODE) != O_RDONLY)
		return -EACCES;
	char *text = f->text(task_self, at.tid, &len);
	if (!text)
		return -ENOMEM;
	int64_t r = open_text(f->name, text, len, flags);
	free(text);
	return r;
}

int64_t procfs_readlink(int dfd, const char *path, char *buf, size_t size)
{
	struct place at;

	if (strcmp(last_component(path), "exe") != 0 || !locate(dfd, path, O_NOFOLLOW, &at) ||
	    !is_ours(&at))
		return -ENOSYS;
	const char *exe = task_self->process->exe;
	size_t n = strlen(exe);
	if (n > size)
		n = size;
	memcpy(buf, exe, n);
	return (int64_t)n;
}
