/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptor numbers for the emulator's own short needs while the guest's table is full: a call that
 * takes no number in the kernel (execve) must not fail for want of one here.
 *
 * Where the soft limit can be raised, it is, for a moment. Otherwise numbers have been kept since the start
 * by descriptors that are hidden like the others (task/fd.c) and closed when they are needed.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "task/internal.h"

#define SPARE_NUMBERS 64 /* hidden descriptors may lie among them */
#define KEPT_NUMBERS \
 4 /* the loader's: a name being looked up, the program, its interpreter, a folder */

static int kept[KEPT_NUMBERS] = {-1, -1, -1, -1};
/* Closed for a need, and perhaps still used for it when that has ended: execve's program keeps its number,
 * which a second need must not close. */
static bool lent[KEPT_NUMBERS];
static struct rlimit before;
static bool raised;

static bool raise_limit(void)
{
	struct rlimit more;

	if (getrlimit(RLIMIT_NOFILE, &before))
		return false;
	more = before;
	more.rlim_cur += SPARE_NUMBERS;
	if (more.rlim_cur > more.rlim_max)
		more.rlim_max = more.rlim_cur;
	if (setrlimit(RLIMIT_NOFILE, &more) == 0)
		return true;
	/* Up to the hard limit, where hidden descriptors leave some (task/fd.c). */
	more = before;
	more.rlim_cur = more.rlim_max;
	return more.rlim_max >= before.rlim_cur + TASK_HIDDEN_FDS &&
	       setrlimit(RLIMIT_NOFILE, &more) == 0;
}

/* One that is always there. */
static int any_fd(void)
{
	return task_fd_static_exe() >= 0 ? task_fd_static_exe() : task_fd_self_exe();
}

void task_spare_init(void)
{
	if (raise_limit()) {
		setrlimit(RLIMIT_NOFILE, &before);
		return;
	}
	for (int i = 0; i < KEPT_NUMBERS; i++) {
		int fd = fcntl(any_fd(), F_DUPFD_CLOEXEC, 0);

		kept[i] = fd < 0 ? -1 : task_fd_hide(fd);
	}
}

void task_spare_begin(void)
{
	raised = raise_limit();
	for (int i = 0; i < KEPT_NUMBERS && !raised; i++) {
		if (kept[i] >= 0 && !lent[i])
			lent[i] = close(kept[i]) == 0;
	}
}

void task_spare_end(void)
{
	if (raised)
		setrlimit(RLIMIT_NOFILE, &before);
	raised = false;
	for (int i = 0; i < KEPT_NUMBERS; i++) {
		if (lent[i] && fcntl(kept[i], F_GETFD) < 0)
			lent[i] = dup3(any_fd(), kept[i], O_CLOEXEC) < 0;
	}
}

FILE *task_spare_fopen(const char *path)
{
	task_spare_begin();
	FILE *f = fopen(path, "re");
	int err = errno;
	task_spare_end();
	errno = err;
	return f;
}
