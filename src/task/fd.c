/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors of the emulator in a table that it shares with the guest. They are few, high and marked
 * as not there. Their numbers are those above RLIMIT_NOFILE, which the guest cannot use anyway: above the
 * hard limit where the process may go there (CAP_SYS_RESOURCE), else above the soft one, which is lowered
 * by as many where it is as high as the hard one.
 *
 * The list belongs to the memory, not to the descriptor table, because its users keep the numbers in
 * variables: so a number never changes once given.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "task/internal.h"

/* A higher number makes the host kernel's table large, and each fork copies it. */
#define HIGHEST 65536

static int hidden[TASK_HIDDEN_FDS];
static unsigned nhidden;
static int self_exe = -1, static_exe = -1;
static dev_t root_dev;
static ino_t root_ino;
/* What stands behind them. Objects stay when a descriptor is closed: they only ask for a closer look. */
static struct {
	dev_t dev;
	ino_t ino;
} objects[TASK_HIDDEN_FDS];
static unsigned nobjects;

static int dup_above(int fd, unsigned lowest)
{
	int r = fcntl(fd, F_DUPFD_CLOEXEC, lowest);

	return r < 0 ? -errno : r;
}

/* Duplicates FD at LOWEST or above, with limits that are lifted for a moment. -errno if they cannot be. */
static int dup_beyond(int fd, const struct rlimit *old, rlim_t lowest)
{
	struct rlimit more = *old;

	more.rlim_cur = lowest + TASK_HIDDEN_FDS;
	if (more.rlim_max < more.rlim_cur)
		more.rlim_max = more.rlim_cur;
	if (lowest + TASK_HIDDEN_FDS > HIGHEST)
		return -EMFILE;
	if (setrlimit(RLIMIT_NOFILE, &more))
		return -errno;
	int r = dup_above(fd, (unsigned)lowest);
	setrlimit(RLIMIT_NOFILE, old);
	return r;
}

static int dup_high(int fd)
{
	struct rlimit old;
	int r;

	if (getrlimit(RLIMIT_NOFILE, &old))
		return -errno;
	r = dup_beyond(fd, &old, old.rlim_max);
	if (r < 0 && r != -EBADF)
		r = dup_beyond(fd, &old, old.rlim_cur);
	if (r >= 0 || r == -EBADF)
		return r;
	rlim_t end = old.rlim_cur < HIGHEST ? old.rlim_cur : HIGHEST;
	if (end < 2 * TASK_HIDDEN_FDS)
		return dup_above(fd, 0);
	end -= TASK_HIDDEN_FDS;
	r = dup_above(fd, (unsigned)end);
	/* So that there is no gap among the numbers that the limit promises. */
	if (r >= 0 && old.rlim_cur <= HIGHEST) {
		old.rlim_cur = end;
		setrlimit(RLIMIT_NOFILE, &old);
	}
	return r;
}

static void remember_object(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || task_fd_is_hidden_object(st.st_dev, st.st_ino))
		return;
	objects[nobjects % TASK_HIDDEN_FDS].dev = st.st_dev;
	objects[nobjects++ % TASK_HIDDEN_FDS].ino = st.st_ino;
}

bool task_fd_is_hidden_object(uint64_t dev, uint64_t ino)
{
	for (unsigned i = 0; i < nobjects && i < TASK_HIDDEN_FDS; i++) {
		if (objects[i].ino == ino && objects[i].dev == dev)
			return true;
	}
	return false;
}

static int remember_number(int fd)
{
	if (nhidden == TASK_HIDDEN_FDS) {
		close(fd);
		return -EMFILE;
	}
	unsigned at = nhidden++;
	for (; at && hidden[at - 1] > fd; at--)
		hidden[at] = hidden[at - 1];
	hidden[at] = fd;
	return fd;
}

static int remember(int fd)
{
	fd = remember_number(fd);
	if (fd >= 0)
		remember_object(fd);
	return fd;
}

int task_fd_hide(int fd)
{
	fd = task_fd_hide_number(fd);
	if (fd >= 0)
		remember_object(fd);
	return fd;
}

int task_fd_hide_number(int fd)
{
	int high = dup_high(fd);

	close(fd);
	return high < 0 ? high : remember_number(high);
}

void task_fd_close(int fd)
{
	for (unsigned i = 0; i < nhidden; i++) {
		if (hidden[i] != fd)
			continue;
		nhidden--;
		for (; i < nhidden; i++)
			hidden[i] = hidden[i + 1];
		close(fd);
		return;
	}
}

int task_fd_next_reserved(unsigned first, unsigned last)
{
	for (unsigned i = 0; i < nhidden; i++) {
		if ((unsigned)hidden[i] >= first && (unsigned)hidden[i] <= last)
			return hidden[i];
	}
	return -1;
}

bool task_fd_is_reserved(int fd)
{
	return fd >= 0 && nhidden && fd >= hidden[0] &&
	       task_fd_next_reserved((unsigned)fd, (unsigned)fd) == fd;
}

unsigned task_fd_hidden(int out[TASK_HIDDEN_FDS])
{
	for (unsigned i = 0; i < nhidden; i++)
		out[i] = hidden[i];
	return nhidden;
}

/* --- our own executables ------------------------------------------------------------------------- */

int task_fd_self_exe(void)
{
	return self_exe;
}

int task_fd_static_exe(void)
{
	return static_exe;
}

bool task_fd_can_load(void)
{
	int fd = open("/", O_PATH | O_CLOEXEC);
	struct stat st;
	bool same;

	if (fd < 0)
		return false;
	same = root_ino && fstat(fd, &st) == 0 && st.st_ino == root_ino && st.st_dev == root_dev;
	close(fd);
	return same;
}

int task_fd_adopt(int fd)
{
	if (fd < 0)
		return -1;
	int high = dup_high(fd);

	if (high < 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		return remember(fd);
	}
	close(fd);
	return remember(high);
}

static int open_exe(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd >= 0)
		fd = task_fd_hide(fd);
	return fd < 0 ? -1 : fd;
}

#define STATIC_SUFFIX "-static"

static void open_static(const char *self)
{
	char path[PATH_MAX + sizeof STATIC_SUFFIX];
	ssize_t n = readlink(self, path, PATH_MAX - 1);

	if (n <= 0)
		return;
	memcpy(path + n, STATIC_SUFFIX, sizeof STATIC_SUFFIX);
	static_exe = open_exe(path);
}

void task_fd_init(bool inherited, int self, int static_fd)
{
	static const char link[] = "/proc/self/exe";
	struct stat root;

	if (stat("/", &root) == 0) {
		root_dev = root.st_dev;
		root_ino = root.st_ino;
	}
	if (inherited) {
		self_exe = task_fd_adopt(self);
		static_exe = static_fd == self ? self_exe : task_fd_adopt(static_fd);
		return;
	}
	/* Not by name at the time of execve: the guest may be in a chroot or without /proc then. */
	self_exe = open_exe(link);
	if (self_exe < 0) {
		const char *name = (const char *)getauxval(AT_EXECFN);
		self_exe = name ? open_exe(name) : -1;
	}
	/* Without dynamic linker it is the static form that was started. */
	if (!getauxval(AT_BASE))
		static_exe = self_exe;
	else
		open_static(link);
}
