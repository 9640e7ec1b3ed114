/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals as a C program sees them: siginfo, ucontext, alternate stack, queues, timers, interrupted calls. */
#include "check.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static siginfo_t last;
static volatile int count;
static sigjmp_buf out;

static void note(int sig, siginfo_t *info, void *context)
{
	(void)context;
	CHECK(sig == info->si_signo);
	last = *info;
	count++;
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
	sigemptyset(&action.sa_mask);
	CHECK(!sigaction(sig, &action, NULL));
}

static void queued(void)
{
	handle(SIGUSR1, note, 0);
	handle(SIGRTMIN, note, 0);
	CHECK(!kill(getpid(), SIGUSR1));
	EQUAL(count, 1);
	EQUAL(last.si_code, SI_USER);
	EQUAL(last.si_pid, getpid());
	EQUAL(last.si_uid, getuid());
	raise(SIGUSR1);
	EQUAL(count, 2);
	EQUAL(last.si_code, SI_TKILL);

	/* Real-time signals queue, in order, each with its value. */
	sigset_t block, old;
	sigemptyset(&block);
	sigaddset(&block, SIGRTMIN);
	CHECK(!sigprocmask(SIG_BLOCK, &block, &old));
	for (int i = 0; i < 3; i++) {
		union sigval value = {.sival_ptr = (void *)(uintptr_t)(0xf0000000u + (unsigned)i)};
		CHECK(!sigqueue(getpid(), SIGRTMIN, value));
	}
	siginfo_t info;
	EQUAL(sigwaitinfo(&block, &info), SIGRTMIN);
	EQUAL((uintptr_t)info.si_value.sival_ptr, 0xf0000000u);
	EQUAL(info.si_code, SI_QUEUE);
	struct timespec none = {0, 0};
	EQUAL(sigtimedwait(&block, &info, &none), SIGRTMIN);
	EQUAL((uintptr_t)info.si_value.sival_ptr, 0xf0000001u);
	count = 0;
	CHECK(!sigprocmask(SIG_SETMASK, &old, NULL));
	EQUAL(count, 1);
	EQUAL((uintptr_t)last.si_value.sival_ptr, 0xf0000002u);
	CHECK(sigtimedwait(&block, &info, &none) == -1 && errno == EAGAIN);
}

static void fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	last = *info;
	siglongjmp(out, sig);
}

static void faults(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(page != MAP_FAILED && !mprotect(page, 4096, PROT_READ) && !munmap(page + 4096, 4096));
	handle(SIGSEGV, fault, 0);
	if (!sigsetjmp(out, 1)) {
		*(volatile char *)(page + 5) = 1;
		CHECK(!"write to a read-only page went through");
	}
	CHECK(last.si_addr == page + 5);
	EQUAL(last.si_code, SEGV_ACCERR);
	if (!sigsetjmp(out, 1)) {
		(void)*(volatile char *)(page + 4096 + 7);
		CHECK(!"read of an unmapped page went through");
	}
	CHECK(last.si_addr == page + 4096 + 7);
	EQUAL(last.si_code, SEGV_MAPERR);
	signal(SIGSEGV, SIG_DFL);
}

#ifdef __aarch64__
/* The handler sees 64-bit registers, and what it changes takes effect. */
static void edit(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	last = *info;
	CHECK(uc->uc_mcontext.regs[20] == 0x123456789abcdef0);
	uc->uc_mcontext.regs[20] = 0xfeedface00c0ffee;
	uc->uc_mcontext.regs[19] ^= 0xffffffff00000000;
	uc->uc_mcontext.pc += 4;
	count++;
}

static void registers(void)
{
	uint64_t a = 0x1111111122222222, b = 0x123456789abcdef0;

	handle(SIGILL, edit, 0);
	count = 0;
	__asm__ volatile(
		"mov x19, %0\n\tmov x20, %1\n\t.inst 0x00000000\n\tmov %0, x19\n\tmov %1, x20"
		: "+r"(a), "+r"(b)
		:
		: "x19", "x20", "memory");
	EQUAL(count, 1);
	EQUAL(a, 0xeeeeeeee22222222);
	EQUAL(b, 0xfeedface00c0ffee);
	EQUAL(last.si_code, ILL_ILLOPC);
	signal(SIGILL, SIG_DFL);
}
#endif

#define STACK_BYTES 32768

static char *volatile frame_address;

static void on_stack(int sig, siginfo_t *info, void *context)
{
	char here;
	stack_t stack;

	(void)sig;
	(void)info;
	frame_address = &here;
	CHECK(!sigaltstack(NULL, &stack) && stack.ss_flags == SS_ONSTACK);
	ucontext_t *uc = context;
	CHECK(uc->uc_stack.ss_size == STACK_BYTES);
	count++;
}

static void alternate_stack(void)
{
	static char area[STACK_BYTES * 2];
	stack_t stack = {.ss_sp = area, .ss_size = STACK_BYTES}, old;

	CHECK(!sigaltstack(&stack, NULL));
	handle(SIGUSR2, on_stack, SA_ONSTACK);
	count = 0;
	raise(SIGUSR2);
	EQUAL(count, 1);
	CHECK(frame_address >= area && frame_address < area + STACK_BYTES);
	CHECK(!sigaltstack(NULL, &old) && old.ss_sp == area && old.ss_size == STACK_BYTES &&
	      old.ss_flags == 0);
	stack.ss_flags = SS_DISABLE;
	CHECK(!sigaltstack(&stack, NULL));
	stack.ss_flags = 0;
	stack.ss_size = 100;
	CHECK(sigaltstack(&stack, NULL) == -1 && errno == ENOMEM);
}

static void nothing(int sig)
{
	(void)sig;
}

static void interrupted(void)
{
	int fds[2];
	char byte;
	struct itimerval timer = {.it_value = {.tv_usec = 30000}}, now;
	struct sigaction action = {.sa_handler = nothing};

	CHECK(!pipe(fds));
	sigaction(SIGALRM, &action, NULL);
	CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
	CHECK(!getitimer(ITIMER_REAL, &now) && now.it_value.tv_sec == 0 &&
	      now.it_value.tv_usec <= 30000);
	CHECK(read(fds[0], &byte, 1) == -1 && errno == EINTR);
	/* With SA_RESTART the read goes on until the other end is closed. */
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	pid_t child = fork();
	if (!child) {
		usleep(80000);
		_exit(write(fds[1], "x", 1) != 1);
	}
	CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
	CHECK(read(fds[0], &byte, 1) == 1 && byte == 'x');
	CHECK(waitpid(child, NULL, 0) == child);

	struct timespec span = {5, 0}, rest;
	CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
	CHECK(nanosleep(&span, &rest) == -1 && errno == EINTR && rest.tv_sec == 4);
	close(fds[0]);
	close(fds[1]);
}

static void timers(void)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
	struct itimerspec spec = {.it_value = {.tv_nsec = 5000000},
				  .it_interval = {.tv_nsec = 5000000}},
			  left;

	event.sigev_value.sival_int = 4711;
	handle(SIGRTMIN + 1, note, 0);
	CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	count = 0;
	CHECK(!timer_settime(timer, 0, &spec, NULL));
	while (count < 3)
		pause();
	EQUAL(last.si_code, SI_TIMER);
	EQUAL(last.si_value.sival_int, 4711);
	CHECK(!timer_gettime(timer, &left) && left.it_interval.tv_nsec == 5000000 &&
	      left.it_value.tv_sec == 0);
	CHECK(!timer_delete(timer));
}

static void child(void)
{
	handle(SIGCHLD, note, SA_RESTART);
	count = 0;
	sigset_t block, old;
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	sigprocmask(SIG_BLOCK, &block, &old);
	pid_t pid = fork();
	if (!pid)
		_exit(7);
	while (!count)
		sigsuspend(&old);
	EQUAL(last.si_code, CLD_EXITED);
	EQUAL(last.si_pid, pid);
	EQUAL(last.si_status, 7);
	sigprocmask(SIG_SETMASK, &old, NULL);
	siginfo_t info;
	CHECK(!waitid(P_PID, (id_t)pid, &info, WEXITED));
	EQUAL(info.si_status, 7);
	EQUAL(info.si_pid, pid);
	EQUAL(info.si_code, CLD_EXITED);
	signal(SIGCHLD, SIG_DFL);

	pid = fork();
	if (!pid) {
		raise(SIGKILL);
		_exit(1);
	}
	int status;
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGKILL);
}

static void *sender(void *arg)
{
	for (int i = 0; i < 200; i++)
		pthread_kill(*(pthread_t *)arg, SIGUSR1);
	return NULL;
}

/* A storm of handlers must not disturb a computation. */
static void storm(void)
{
	pthread_t self = pthread_self(), id;
	volatile double sum = 0;

	handle(SIGUSR1, note, SA_RESTART);
	count = 0;
	CHECK(!pthread_create(&id, NULL, sender, &self));
	for (int i = 1; i <= 200000; i++)
		sum += 1.0 / i;
	CHECK(!pthread_join(id, NULL));
	CHECK(sum > 12.783290 && sum < 12.783291);
	CHECK(count > 0 && count <= 200);
}

int main(void)
{
	queued();
	faults();
#ifdef __aarch64__
	registers();
#endif
	alternate_stack();
	interrupted();
	timers();
	child();
	storm();
	return checks_end();
}
