/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strace lines, diagnostics and the report, as the user reads them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/host.h"
#include "signal/restart.h"
#include "syscall/observe.h"
#include "syscall/syscall.h"
#include "task/task.h"
#include "trace/trace.h"

#define DATA 0x100000u
#define HOLE (DATA + MEM_PAGE_SIZE)

static struct ilp32run_options options;
static struct process process = {.opt = &options};
static struct task task = {.process = &process};
static char trace_path[] = "/tmp/test_trace.XXXXXX";
static int trace_fd; /* reads what was traced */

static int set_up(void **state)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	ilp32run_options_init(&options);
	task.tid = getpid();
	task_self = &task;
	if (mem_init(&cfg) || mem_mmap(DATA, MEM_PAGE_SIZE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != DATA)
		return -1;
	trace_fd = mkstemp(trace_path);
	return trace_fd < 0 ? -1 : strace_open(trace_path);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(trace_path);
}

/* What was traced since the last time. */
static const char *traced(void)
{
	static char buf[16384];
	ssize_t n = read(trace_fd, buf, sizeof(buf) - 1);

	assert_true(n >= 0);
	buf[n] = '\0';
	return buf;
}

static int64_t call(uint32_t nr, uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, uint32_t x4,
		    uint32_t x5)
{
	const uint64_t x[9] = {x0, x1, x2, x3, x4, x5, 0, 0, nr};

	return sys_dispatch(&task, x);
}

/* The result stands in column 40. */
static void line(char want[512], const char *format, int fd, const char *result)
{
	char text[256];

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), format, fd);
	snprintf(want, 512, "%-39s = %s\n", text, result);
}

static gaddr put(unsigned at, const void *bytes, size_t n)
{
	assert_int_equal(mem_copy_out(DATA + at, bytes, n), 0);
	return DATA + at;
}

static gaddr put_str(unsigned at, const char *s)
{
	return put(at, s, strlen(s) + 1);
}

/* --- calls --------------------------------------------------------------------------------------------- */

static void test_numbers(void **state)
{
	char want[256];

	(void)state;
	call(57, 0xffffffff, 0, 0, 0, 0, 0);
	assert_string_equal(
		traced(),
		"close(-1)                               = -1 EBADF (Bad file descriptor)\n");
	call(172, 0, 0, 0, 0, 0, 0);
	snprintf(want, sizeof(want), "getpid()                                = %d\n", getpid());
	assert_string_equal(traced(), want);
	call(38, 0xffffff9c, 0, 0xffffff9c, 0, 0, 0);
	assert_string_equal(traced(),
			    "renameat(AT_FDCWD, NULL, AT_FDCWD, NULL) = -1 ENOSYS (Function not "
			    "implemented)\n");
	call(300, 1, 2, 3, 4, 5, 6);
	assert_string_equal(traced(),
			    "syscall_0x12c()                         = -1 ENOSYS (Function not "
			    "implemented)\n");
	call(46, 0xffffffff, 0x77777777, 5, 1, 0, 0);
	assert_string_equal(
		traced(),
		"ftruncate64(-1, 4294967301)             = -1 EBADF (Bad file descriptor)\n");
	call(147, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0);
	assert_string_equal(traced(), "setresuid(-1, -1, -1)                   = 0\n");
}

static void test_flags(void **state)
{
	gaddr path = put_str(0, "/nonexistent/\"a\tb\"");

	(void)state;
	/* arm64: O_DIRECTORY 0x4000, O_NOFOLLOW 0x8000; no mode without O_CREAT. */
	call(56, 0xffffff9c, path, 0x4000 | 0x8000 | 02000000, 0777, 0, 0);
	assert_string_equal(traced(),
			    "openat(AT_FDCWD, \"/nonexistent/\\\"a\\tb\\\"\", "
			    "O_RDONLY|O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC) = -1 ENOENT (No such file "
			    "or directory)\n");
	call(56, 3, path, 0102, 0640, 0, 0);
	assert_string_equal(traced(),
			    "openat(3, \"/nonexistent/\\\"a\\tb\\\"\", O_RDWR|O_CREAT, 0640) = -1 "
			    "ENOENT (No such file or directory)\n");
	call(222, 0, 0, 3, 0x22, 0xffffffff, 0);
	assert_string_equal(traced(),
			    "mmap2(NULL, 0, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, "
			    "0) = -1 EINVAL (Invalid argument)\n");
	call(62, 0xffffffff, 0, 16, HOLE, 9, 0);
	assert_string_equal(traced(),
			    "llseek(-1, 16, 0x101000, 0x9 /* SEEK_??? */) = -1 EBADF (Bad file "
			    "descriptor)\n");
}

static void test_buffers(void **state)
{
	int fds[2];
	char want[512];
	gaddr text = put(0, "0123456789abcdef\n\0\001\0012\377456789abcdef!!", 36);

	(void)state;
	assert_int_equal(pipe(fds), 0);
	call(64, (uint32_t)fds[1], text, 20, 0, 0, 0);
	snprintf(want, sizeof(want), "write(%d, \"0123456789abcdef\\n\\0\\1\\1\", 20) = 20\n",
		 fds[1]);
	assert_string_equal(traced(), want);
	call(64, (uint32_t)fds[1], text, 36, 0, 0, 0);
	snprintf(want, sizeof(want),
		 "write(%d, \"0123456789abcdef\\n\\0\\1\\0012\\377456789abcd\"..., 36) = 36\n",
		 fds[1]);
	assert_string_equal(traced(), want);
	/* Only what was read. */
	call(63, (uint32_t)fds[0], DATA + 512, 5, 0, 0, 0);
	line(want, "read(%d, \"01234\", 5)", fds[0], "5");
	assert_string_equal(traced(), want);
	call(63, (uint32_t)fds[0], HOLE, 5, 0, 0, 0);
	line(want, "read(%d, 0x101000, 5)", fds[0], "-1 EFAULT (Bad address)");
	assert_string_equal(traced(), want);
	close(fds[0]);
	close(fds[1]);
}

static void test_structures(void **state)
{
	uint8_t ts[16] = {0}, sa[16] = {2, 0, 0, 80, 127, 0, 0, 1};
	gaddr dir = put_str(0, "/");
	struct stat st;
	char want[512];

	(void)state;
	call(79, 0xffffff9c, dir, DATA + 256, 0, 0, 0);
	assert_int_equal(stat("/", &st), 0);
	snprintf(want, sizeof(want),
		 "fstatat64(AT_FDCWD, \"/\", {st_mode=S_IFDIR|%#03o, st_size=%lld, ...}, 0) = 0\n",
		 st.st_mode & 0777, (long long)st.st_size);
	assert_string_equal(traced(), want);
	abi_put32(ts, 1);
	abi_put32(ts + 4, 0xffffffff);
	call(112, 1, put(512, ts, 8), 0, 0, 0, 0);
	assert_string_equal(traced(),
			    "clock_settime(CLOCK_MONOTONIC, {tv_sec=1, tv_nsec=-1}) = -1 EINVAL "
			    "(Invalid argument)\n");
	call(203, 0xffffffff, put(512, sa, 16), 16, 0, 0, 0);
	assert_string_equal(traced(),
			    "connect(-1, {sa_family=AF_INET, sin_port=htons(80), "
			    "sin_addr=inet_addr(\"127.0.0.1\")}, 16) = -1 EBADF (Bad file "
			    "descriptor)\n");
	call(65, 0xffffffff, put(512, "\0\0\0\0\1\0\0\0", 8), 1, 0, 0, 0);
	assert_string_equal(traced(),
			    "readv(-1, 0x100200, 1)                  = -1 EBADF (Bad file "
			    "descriptor)\n");
}

/* What only the host's kernel looks into. Each call fails before it does anything. */
static void test_handed_on_structures(void **state)
{
	const uint32_t header[2] = {0x20080522, 1u << 30}, sets[6] = {1, 2, 3, 4, 5, 6};
	const uint32_t old_header[2] = {0x19980330, 1u << 30};
	const uint64_t mount[4] = {1, 2, 0, (uint64_t)-1};
	const uint32_t scheduling[12] = {48, 0xffff}, perf[16] = {0xffffffff, 64};
	const uint32_t handle[2] = {8, 1};
	const uint64_t event[4] = {7, 8, (uint64_t)-9, 0};
	gaddr h = put(0, header, sizeof(header)), d = put(16, sets, sizeof(sets));

	(void)state;
	call(91, h, d, 0, 0, 0, 0);
	assert_string_equal(
		traced(),
		"capset({version=0x20080522, pid=1073741824}, [{effective=0x1, permitted=0x2, "
		"inheritable=0x3}, {effective=0x4, permitted=0x5, inheritable=0x6}]) = -1 EPERM "
		"(Operation not permitted)\n");
	put(0, old_header, sizeof(old_header));
	call(91, h, d, 0, 0, 0, 0);
	assert_non_null(strstr(traced(), "[{effective=0x1, permitted=0x2, inheritable=0x3}]) = "));
	put(0, mount, sizeof(mount));
	/* Of a structure that was longer for the program only what is there. */
	call(442, 0xffffffff, put_str(64, "x"), 0, DATA, 24, 0);
	assert_string_equal(
		traced(),
		"mount_setattr(-1, \"x\", 0, {attr_set=0x1, attr_clr=0x2, propagation=0}, 24) = "
		"-1 EINVAL (Invalid argument)\n");
	call(274, 0xffffffff, put(0, scheduling, sizeof(scheduling)), 0, 0, 0, 0);
	assert_non_null(strstr(traced(), "sched_period=0}, 0) = -1 EINVAL"));
	call(241, put(0, perf, sizeof(perf)), 0, 0, 0xffffffff, 0x80000000, 0);
	assert_non_null(strstr(traced(), "perf_event_open({type=4294967295, size=64, config=0, "));
	call(265, 0xffffffff, put(0, handle, sizeof(handle)), 0, 0, 0, 0);
	assert_non_null(strstr(traced(), "{handle_bytes=8, handle_type=1}, O_RDONLY) = -1 "));
	call(60, 0x80000800, 0, 0, put(0, event, sizeof(event)), 0, 0);
	assert_non_null(strstr(traced(), "{dqb_bhardlimit=7, dqb_bsoftlimit=8, "));
	call(444, DATA, 8, 0xff, 0, 0, 0);
	assert_non_null(strstr(traced(),
			       "landlock_create_ruleset({handled_access_fs=0x7}, 8, 0xff) = -1 "));
	call(445, 0xffffffff, 1, DATA, 0, 0, 0);
	assert_non_null(strstr(traced(), "{allowed_access=0x7, parent_fd=8}, 0) = -1 "));
}

static void test_signal_lines(void **state)
{
	struct host_siginfo chld = {.si_signo = 17, .si_code = 1};
	struct host_siginfo segv = {.si_signo = 11, .si_code = 2};
	struct host_siginfo user = {.si_signo = 35, .si_code = -6};

	(void)state;
	chld.u.chld.pid = 42;
	chld.u.chld.status = 3;
	strace_signal(17, &chld);
	assert_string_equal(traced(),
			    "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=42, "
			    "si_uid=0, si_status=3, si_utime=0, si_stime=0} ---\n");
	segv.u.fault.addr = 0x1000;
	strace_signal(11, &segv);
	assert_string_equal(traced(),
			    "--- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_ACCERR, si_addr=0x1000} "
			    "---\n");
	user.u.rt.pid = 7;
	strace_signal(35, &user);
	assert_string_equal(traced(),
			    "--- SIGRT_3 {si_signo=SIGRT_3, si_code=SI_TKILL, si_pid=7, si_uid=0} "
			    "---\n");
	strace_exit_status(false, 3);
	assert_string_equal(traced(), "+++ exited with 3 +++\n");
	strace_exit_status(true, 6);
	assert_string_equal(traced(), "+++ killed by SIGABRT +++\n");
}

static void test_restarts(void **state)
{
	uint64_t x[9] = {0};
	struct sys_call c = {.task = &task, .row = &sys_table[124], .nr = 124, .x = x};

	(void)state;
	sys_observers[0]->enter(&c);
	sys_observers[0]->exit(&c, -ERESTARTNOHAND_);
	assert_string_equal(traced(),
			    "sched_yield()                           = ? ERESTARTNOHAND (To be "
			    "restarted if no handler)\n");
	/* A call that does not return has its line at once; what comes later adds nothing. */
	c.row = &sys_table[94];
	c.nr = 94;
	c.a[0] = 3;
	sys_observers[0]->enter(&c);
	assert_string_equal(traced(), "exit_group(3)                           = ?\n");
	sys_observers[0]->exit(&c, 0);
	assert_string_equal(traced(), "");
}

/* The output survives an execve: its number is handed to the next image. */
static void test_handover(void **state)
{
	int handed = strace_handover();

	(void)state;
	assert_true(handed >= 0);
	assert_int_equal(fcntl(handed, F_GETFD), 0);
	assert_int_equal(strace_adopt(handed), 0);
	assert_true(strace_enabled());
	call(57, 0xffffffff, 0, 0, 0, 0, 0);
	assert_non_null(strstr(traced(), "close(-1)"));
	assert_int_equal(strace_adopt(12345), -EBADF);
}

/* --- diagnostics ------------------------------------------------------------------------------------- */

/* Runs FN with stderr going to a file, and returns what is there then. */
static const char *stderr_of(void (*fn)(void))
{
	static char buf[65536];
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(f);
	dup2(fileno(f), STDERR_FILENO);
	diag_init();
	fn();
	dup2(saved, STDERR_FILENO);
	close(saved);
	diag_init();
	rewind(f);
	n = fread(buf, 1, sizeof(buf) - 1, f);
	buf[n] = '\0';
	fclose(f);
	return buf;
}

static void some_lines(void)
{
	diag("one %d", 1);
	for (int i = 0; i < 3; i++)
		diag_unsupported("thing", 7, "thing %d is not supported", 7);
	diag_unsupported("thing", 8, "thing %d is not supported", 8);
	diag_unsupported("other", 7, "other %d is not supported", 7);
	diag_unsupported("other", 7, "%d is also wanted", 7);
}

static void report(void)
{
	diag_report();
}

static void test_diag(void **state)
{
	(void)state;
	assert_string_equal(stderr_of(report), "");
	assert_string_equal(
		stderr_of(some_lines),
		"ilp32run: one 1\nilp32run: thing 7 is not supported\n"
		"ilp32run: thing 8 is not supported\nilp32run: other 7 is not supported\n"
		"ilp32run: 7 is also wanted\n");
	assert_string_equal(stderr_of(report), "ilp32run: unsupported, with the number of uses:\n"
					       "         3  thing 7 is not supported\n"
					       "         1  thing 8 is not supported\n"
					       "         1  other 7 is not supported\n"
					       "         1  7 is also wanted\n");
}

/* The guest's own file under number 2 gets nothing of ours. */
static void replaced(void)
{
	FILE *f = tmpfile();
	struct stat st;

	assert_non_null(f);
	dup2(fileno(f), STDERR_FILENO);
	diag("lost");
	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	assert_int_equal(st.st_size, 0);
	fclose(f);
}

static void test_foreign_stderr(void **state)
{
	(void)state;
	assert_string_equal(stderr_of(replaced), "");
}

/* A guest that tries all numbers: each has its line up to a limit, and one line tells that there was more. */
static void numbers(void)
{
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 2000; i++)
			diag_unsupported("number", i, "number %u", i);
	}
}

static unsigned lines_of(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		n++;
	}
	return n;
}

static void test_many_things(void **state)
{
	const char *text = stderr_of(numbers), *at;
	unsigned listed = lines_of(text, "ilp32run: number "), rest;

	(void)state;
	assert_in_range(listed, 100, 1000);
	assert_int_equal(lines_of(text, "\n"), listed + 1);
	assert_int_equal(lines_of(text, "ilp32run: more unsupported things"), 1);
	assert_string_equal(stderr_of(numbers), "");
	/* Four uses of each number, and all of them counted. */
	text = stderr_of(report);
	assert_int_equal(lines_of(text, "         4  number "), listed);
	at = strstr(text, " of others");
	assert_non_null(at);
	while (at > text && at[-1] != '\n')
		at--;
	rest = (unsigned)strtoul(at, NULL, 10);
	assert_int_equal(rest, (2000 - listed) * 4);
}

static unsigned not_yet; /* a number that exists in the profile, but is not implemented */

static void unsupported_call(void)
{
	assert_int_equal(call(not_yet, 0, 0, 0, 0, 0, 0), -ENOSYS);
	assert_int_equal(call(not_yet, 0, 0, 0, 0, 0, 0), -ENOSYS);
	assert_int_equal(call(38, 0, 0, 0, 0, 0, 0), -ENOSYS); /* the kernel has none either */
}

static void test_unsupported_call(void **state)
{
	char want[256];

	(void)state;
	while (not_yet < SYS_NROWS && (sys_table[not_yet].status != SYS_TODO ||
				       !(sys_table[not_yet].profiles & ABI_BIT(ABI_MODERN))))
		not_yet++;
	if (not_yet == SYS_NROWS)
		skip();
	snprintf(want, sizeof(want), "ilp32run: system call %u (%s) is not supported: ENOSYS\n",
		 not_yet, sys_table[not_yet].name);
	assert_string_equal(stderr_of(unsupported_call), want);
}

static void test_names(void **state)
{
	char buf[16];

	(void)state;
	assert_string_equal(trace_errno_name(11), "EAGAIN");
	assert_string_equal(trace_errno_name(35), "EDEADLK");
	assert_string_equal(trace_errno_name(133), "EHWPOISON");
	assert_string_equal(trace_signal_name(2, buf), "SIGINT");
	assert_string_equal(trace_signal_name(32, buf), "SIGRTMIN");
	assert_string_equal(trace_signal_name(64, buf), "SIGRT_32");
	assert_string_equal(trace_signal_name(99, buf), "99");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_structures),
		cmocka_unit_test(test_handed_on_structures),
		cmocka_unit_test(test_signal_lines),
		cmocka_unit_test(test_restarts),
		cmocka_unit_test(test_handover),
		cmocka_unit_test(test_diag),
		cmocka_unit_test(test_foreign_stderr),
		cmocka_unit_test(test_unsupported_call),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_many_things), /* fills the table */
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
