/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of the interruptible host call: no signal may come between the look at the flag and
 * the kernel's own look. Address by address, and under a storm.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "signal/restart.h"

#if defined(__x86_64__)
# define SYSCALL_INSN_SIZE 2
#else
# define SYSCALL_INSN_SIZE 4
#endif

extern const char safe_syscall_start[], safe_syscall_end[];

static void set_pc(ucontext_t *uc, uintptr_t pc)
{
#if defined(__x86_64__)
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
#else
	uc->uc_mcontext.pc = pc;
#endif
}

static uintptr_t get_pc(const ucontext_t *uc)
{
#if defined(__x86_64__)
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#else
	return uc->uc_mcontext.pc;
#endif
}

static void every_address_of_the_window(void **state)
{
	uintptr_t start = (uintptr_t)safe_syscall_start, end = (uintptr_t)safe_syscall_end;
	ucontext_t uc;

	(void)state;
	assert_true(end > start && end - start < 64);
	memset(&uc, 0, sizeof(uc));
	for (uintptr_t pc = start - 16; pc < end + 16; pc++) {
		set_pc(&uc, pc);
		safe_syscall_rewind(&uc);
		assert_int_equal(get_pc(&uc), pc >= start && pc < end ? start : pc);
	}
}

static void flag_is_up(void **state)
{
	volatile int pending = 1;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	/* An empty pipe: this would wait for ever. */
	assert_int_equal(safe_syscall(&pending, SYS_read, (uint64_t)fds[0],
				      (uint64_t)(uintptr_t)&fds, 1, 0, 0, 0),
			 -ERESTARTSYS_);
	close(fds[0]);
	close(fds[1]);
}

static void results_and_six_arguments(void **state)
{
	volatile int pending = 0;
	char buf[4];
	int fds[2];

	(void)state;
	assert_int_equal(safe_syscall(&pending, SYS_close, (uint64_t)-1, 0, 0, 0, 0, 0), -EBADF);
	assert_int_equal(safe_syscall(&pending, SYS_getpid, 0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "abc", 3), 3);
	assert_int_equal(safe_syscall(&pending, SYS_read, (uint64_t)fds[0],
				      (uint64_t)(uintptr_t)buf, 4, 0, 0, 0),
			 3);
	assert_memory_equal(buf, "abc", 3);
	/* The fifth and sixth come from elsewhere: mmap of the second page of a file. */
	long p =
		safe_syscall(&pending, SYS_mmap, 0, 4096, 1 /* PROT_READ */, 0x22, (uint64_t)-1, 0);
	assert_true(p > 0);
	assert_int_equal(safe_syscall(&pending, SYS_munmap, (uint64_t)p, 4096, 0, 0, 0, 0), 0);
	/* MAP_SHARED of a pipe: ENODEV needs the fifth, EINVAL of an odd offset the sixth. */
	assert_int_equal(safe_syscall(&pending, SYS_mmap, 0, 4096, 1, 1, (uint64_t)fds[0], 0),
			 -ENODEV);
	assert_int_equal(safe_syscall(&pending, SYS_mmap, 0, 4096, 1, 0x22, (uint64_t)-1, 1),
			 -EINVAL);
	close(fds[0]);
	close(fds[1]);
}

/* --- step by step ------------------------------------------------------------------------------ */

static volatile int stepped_pending;

static void raise_flag(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)info;
	stepped_pending = 1;
	safe_syscall_rewind(context);
}

/* Traced: waits in read() on an empty pipe unless the signal gets it out. */
static _Noreturn void stepped_child(void)
{
	struct sigaction sa = {.sa_sigaction = raise_flag, .sa_flags = SA_SIGINFO};
	int fds[2];
	char c;
	long r;

	if (pipe(fds) || sigaction(SIGUSR1, &sa, NULL) || ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(3);
	alarm(10); /* a lost signal: death by SIGALRM */
	raise(SIGSTOP);
	r = safe_syscall(&stepped_pending, SYS_read, (uint64_t)fds[0], (uint64_t)(uintptr_t)&c, 1,
			 0, 0, 0);
	_exit(r == -ERESTARTSYS_ || r == -EINTR ? 0 : 1);
}

static uintptr_t traced_pc(pid_t pid)
{
#if defined(__x86_64__)
	return (uintptr_t)ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rip), NULL);
#else
	struct user_regs_struct regs;
	struct iovec iov = {&regs, sizeof(regs)};

	return ptrace(PTRACE_GETREGSET, pid, 1 /* NT_PRSTATUS */, &iov) ? 0 : regs.pc;
#endif
}

static void step(pid_t pid)
{
	int status;

	assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
}

/* A signal before the N-th instruction of safe_syscall(). False: there is no such instruction before
 * the kernel has the call. */
static bool signal_before(unsigned n)
{
	uintptr_t last = (uintptr_t)safe_syscall_end - SYSCALL_INSN_SIZE;
	pid_t pid = fork();
	bool there = true;
	int status;

	if (pid == 0)
		stepped_child();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status)) {
		print_message("no ptrace here\n");
		skip();
	}
	while (traced_pc(pid) != (uintptr_t)safe_syscall)
		step(pid);
	for (; n && there; n--) {
		there = traced_pc(pid) != last;
		if (there)
			step(pid);
	}
	assert_int_equal(ptrace(there ? PTRACE_CONT : PTRACE_KILL, pid, NULL, (void *)SIGUSR1), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSTOPPED(status)) { /* by SIGALRM */
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	assert_int_equal(status, there ? 0 : SIGKILL);
	return there;
}

static void before_each_instruction(void **state)
{
	unsigned n = 0;

	(void)state;
	while (signal_before(n))
		n++;
	assert_true(n > 5);
}

/* --- the storm --------------------------------------------------------------------------------- */

#define ROUNDS 30000

static struct {
	volatile int pending;
	_Atomic unsigned received, answered;
	_Atomic int done;
	pthread_t reader;
	pid_t tid;
	int fds[2];
} storm;

static void on_signal(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)info;
	atomic_fetch_add(&storm.received, 1);
	storm.pending = 1;
	safe_syscall_rewind(context);
}

static void *reader(void *arg)
{
	char c;

	(void)arg;
	storm.tid = (pid_t)syscall(SYS_gettid);
	atomic_store(&storm.answered, 0);
	while (!storm.done) {
		long r = safe_syscall(&storm.pending, SYS_read, (uint64_t)storm.fds[0],
				      (uint64_t)(uintptr_t)&c, 1, 0, 0, 0);

		if (r != -EINTR && r != -ERESTARTSYS_)
			return (void *)1;
		/* Lower the flag first: a signal that comes now raises it again. */
		storm.pending = 0;
		atomic_signal_fence(memory_order_seq_cst);
		atomic_store(&storm.answered, atomic_load(&storm.received));
		/* The next signal takes some time to get here. Be anywhere between here and the wait. */
		for (volatile unsigned spin = storm.received * 7 % 2003; spin; spin--)
			;
	}
	return NULL;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* Each signal must get the reader out of read(); one that is lost leaves it there for good. */
static void no_signal_is_lost(void **state)
{
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	void *result;
	unsigned lost = 0;

	(void)state;
	assert_int_equal(pipe(storm.fds), 0);
	assert_int_equal(sigaction(SIGUSR1, &sa, NULL), 0);
	atomic_store(&storm.answered, ~0u);
	assert_int_equal(pthread_create(&storm.reader, NULL, reader, NULL), 0);
	while (atomic_load(&storm.answered) == ~0u)
		sched_yield();
	for (unsigned i = 1; i <= ROUNDS; i++) {
		int64_t start = now_ns();

		assert_int_equal(syscall(SYS_tgkill, getpid(), storm.tid, SIGUSR1), 0);
		while (atomic_load(&storm.answered) < i && now_ns() - start < 5000000000ll)
			;
		if (atomic_load(&storm.answered) < i) {
			lost++;
			break;
		}
	}
	assert_int_equal(lost, 0);
	storm.done = 1;
	assert_int_equal(syscall(SYS_tgkill, getpid(), storm.tid, SIGUSR1), 0);
	pthread_join(storm.reader, &result);
	assert_null(result);
	assert_int_equal(atomic_load(&storm.received), ROUNDS + 1);
	close(storm.fds[0]);
	close(storm.fds[1]);
}

/* Without waiting for answers, at 10 kHz and more: the last signal at least must be seen. */
static void ten_kilohertz(void **state)
{
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	struct itimerspec every = {{0, 100000}, {0, 100000}}, off = {{0, 0}, {0, 0}};
	struct sigevent ev;
	timer_t timer;
	unsigned before, seen = 0;
	int64_t end = now_ns() + 1000000000ll;
	char c;

	(void)state;
	assert_int_equal(pipe(storm.fds), 0);
	assert_int_equal(sigaction(SIGUSR1, &sa, NULL), 0);
	memset(&ev, 0, sizeof(ev));
	ev.sigev_notify = SIGEV_SIGNAL;
	ev.sigev_signo = SIGUSR1;
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &ev, &timer), 0);
	storm.pending = 0;
	before = atomic_load(&storm.received);
	assert_int_equal(timer_settime(timer, 0, &every, NULL), 0);
	while (now_ns() < end) {
		long r = safe_syscall(&storm.pending, SYS_read, (uint64_t)storm.fds[0],
				      (uint64_t)(uintptr_t)&c, 1, 0, 0, 0);

		assert_true(r == -EINTR || r == -ERESTARTSYS_);
		storm.pending = 0;
		seen++;
	}
	timer_settime(timer, 0, &off, NULL);
	timer_delete(timer);
	/* A loaded machine merges timer signals, but read() came back for (nearly) each handler. */
	assert_true(atomic_load(&storm.received) - before > 500);
	assert_true(seen <= atomic_load(&storm.received) - before + 1);
	assert_true(seen * 2 > atomic_load(&storm.received) - before);
	close(storm.fds[0]);
	close(storm.fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_address_of_the_window),
		cmocka_unit_test(flag_is_up),
		cmocka_unit_test(results_and_six_arguments),
		cmocka_unit_test(before_each_instruction),
		cmocka_unit_test(no_signal_is_lost),
		cmocka_unit_test(ten_kilohertz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
