// SPDX-License-Identifier: GPL-2.0-or-later
// Descriptors of the emulator: numbers that guests do not meet, and the books about them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "task/internal.h"

static int open_null(void)
{
	int fd = open("/dev/null", O_RDONLY);

	assert_true(fd >= 0);
	return fd;
}

static void hides(void **state)
{
	struct rlimit lim;
	int fd = open_null(), high;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &lim), 0);
	high = task_fd_hide(fd);
	assert_true(high > fd);
	assert_true(task_fd_is_reserved(high));
	assert_false(task_fd_is_reserved(fd));
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
	/* Above what the guest can use, also where that had to be made less. */
	struct rlimit after;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
	assert_true((rlim_t)high >= after.rlim_cur);
	assert_int_equal(after.rlim_max, lim.rlim_max);
	assert_true(after.rlim_cur == lim.rlim_cur ||
		    after.rlim_cur == lim.rlim_max - TASK_HIDDEN_FDS);
	task_fd_close(high);
	assert_false(task_fd_is_reserved(high));
	assert_int_equal(fcntl(high, F_GETFD), -1);
}

static void above_the_soft_limit(void **state)
{
	struct rlimit old, low;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = old;
	low.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	int high = task_fd_hide(open_null());
	assert_in_range(high, 64, 64 + TASK_HIDDEN_FDS);
	/* Out of the guest's reach, but alive. */
	assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
	assert_int_equal(dup2(0, high), -1);
	assert_int_equal(errno, EBADF);
	task_fd_close(high);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
}

/* A process that may not go above the hard limit gives up some numbers: those below are whole. */
static void at_the_hard_limit(void **state)
{
	struct rlimit lim = {64, 64};
	int status, high;

	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		/* Without CAP_SYS_RESOURCE, if we have it. */
		if (setrlimit(RLIMIT_NOFILE, &lim) || (geteuid() == 0 && setresuid(1, 1, 1)))
			_exit(2);
		syscall(SYS_close_range, 3, UINT32_MAX, 0);
		high = task_fd_hide(open_null());
		getrlimit(RLIMIT_NOFILE, &lim);
		if (high < (int)lim.rlim_cur || lim.rlim_max != 64)
			_exit(3);
		unsigned first = (unsigned)open_null(), n = 1;
		while (open("/dev/null", O_RDONLY) >= 0)
			n++;
		_exit(first + n == lim.rlim_cur ? 0 : 4);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* What a name leads to can be recognised. */
static void hidden_objects(void **state)
{
	struct stat st, other;
	int fd = open("/proc/self/exe", O_RDONLY);

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(stat("/", &other), 0);
	fd = task_fd_hide(fd);
	assert_true(task_fd_is_hidden_object(st.st_dev, st.st_ino));
	assert_false(task_fd_is_hidden_object(st.st_dev, st.st_ino + 1));
	assert_false(task_fd_is_hidden_object(other.st_dev, other.st_ino));
	int out[TASK_HIDDEN_FDS];
	assert_int_equal(task_fd_hidden(out), 1);
	assert_int_equal(out[0], fd);
	task_fd_close(fd);
}

static void ranges(void **state)
{
	int a = task_fd_hide(open_null()), b = task_fd_hide(open_null());

	(void)state;
	assert_true(a >= 0 && b >= 0 && a < b);
	assert_int_equal(task_fd_next_reserved(0, UINT32_MAX), a);
	assert_int_equal(task_fd_next_reserved((unsigned)a + 1, UINT32_MAX), b);
	assert_int_equal(task_fd_next_reserved((unsigned)b + 1, UINT32_MAX), -1);
	assert_int_equal(task_fd_next_reserved(0, (unsigned)a - 1), -1);
	task_fd_close(a);
	assert_int_equal(task_fd_next_reserved(0, UINT32_MAX), b);
	task_fd_close(b);
	assert_int_equal(task_fd_next_reserved(0, UINT32_MAX), -1);
}

static void full_and_bad(void **state)
{
	int fd[TASK_HIDDEN_FDS], extra;

	(void)state;
	for (int i = 0; i < TASK_HIDDEN_FDS; i++) {
		fd[i] = task_fd_hide(open_null());
		assert_true(fd[i] >= 0);
	}
	extra = open_null();
	assert_int_equal(task_fd_hide(extra), -EMFILE);
	assert_int_equal(fcntl(extra, F_GETFD), -1);
	for (int i = 0; i < TASK_HIDDEN_FDS; i++)
		task_fd_close(fd[i]);
	assert_int_equal(task_fd_hide(9999), -EBADF);
	assert_false(task_fd_is_reserved(-1));
}

static void own_program(void **state)
{
	(void)state;
	task_fd_init(false, -1, -1);
	int fd = task_fd_self_exe();
	assert_true(fd >= 0);
	assert_true(task_fd_is_reserved(fd));
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_PATH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hides),
		cmocka_unit_test(above_the_soft_limit),
		cmocka_unit_test(ranges),
		cmocka_unit_test(full_and_bad),
		cmocka_unit_test(at_the_hard_limit),
		cmocka_unit_test(hidden_objects),
		cmocka_unit_test(own_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
