/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that a signal interrupts. */
#include "abi.h"

#define RESTART "oracle README 7; linux arch/arm64/kernel/signal.c do_signal"

/* A child that sends SIGUSR1 to us after MS, and then writes to FD. Without a descriptor it sends on until
 * the case is over: on a busy machine the first may come before the call that it shall interrupt. */
static void poke_later(u32 ms, s32 fd)
{
	s32 parent = own_pid();

	if (fork_())
		return;
	do {
		sleep_ms(ms);
		S(kill, parent, SIGUSR1);
	} while (fd < 0);
	sleep_ms(ms);
	S(write, fd, "x", 1);
	S(exit_group, 0);
}

CASE("SIG-030", "read rt_sigaction", ALL, RESTART, "read with SA_RESTART goes on")
{
	u32 fds[2];
	char c = 0;

	EQ(S(pipe2, fds, 0), 0);
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, (s32)fds[1]);
	EQ(S(read, fds[0], &c, 1), 1);
	EQ(caught, 1);
	EQ(c, 'x');
}

CASE("SIG-031", "read rt_sigaction", ALL, RESTART, "read without SA_RESTART is EINTR")
{
	u32 fds[2];
	char c = 0;

	EQ(S(pipe2, fds, 0), 0);
	set_handler(SIGUSR1, count_signal, 0);
	poke_later(40, -1);
	EQ(S(read, fds[0], &c, 1), -EINTR);
	OK(caught >= 1);
}

/* How long a sleep of 1 s takes that is stopped from 0.4 s to 0.7 s. */
static s64 stopped_sleep(void)
{
	s32 pid = own_pid();
	s64 from;

	if (!fork_()) {
		sleep_ms(400);
		S(kill, pid, SIGSTOP);
		sleep_ms(300);
		S(kill, pid, SIGCONT);
		S(exit_group, 0);
	}
	from = now_ms();
	{
		u32 ts[2] = {1, 0};

		EQ(S(nanosleep, ts, 0), 0);
	}
	return now_ms() - from;
}

CASE("SIG-032", "nanosleep restart_syscall", SINCE_5_10, RESTART " ERESTART_RESTARTBLOCK",
     "a sleep that was stopped ends when it would have ended")
{
	s64 ms = stopped_sleep();

	OK(ms >= 995);
	OK(ms < 1500);
}

CASE("SIG-032a", "nanosleep", AMPERE,
     "linux 4.14 ILP32 series arch/arm64/kernel/signal.c: restart_syscall is never set up",
     "a sleep that was stopped starts again")
{
	s64 ms = stopped_sleep();

	OK(ms >= 1600);
	OK(ms < 2500);
}

CASE("SIG-033", "nanosleep clock_nanosleep", ALL, RESTART,
     "nanosleep with a handler: EINTR and the rest in 8 bytes")
{
	u32 ts[2] = {10, 0}, rem[3] = {0, 0, 0xa5a5a5a5};

	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, -1);
	EQ(S(nanosleep, ts, rem), -EINTR);
	OK(rem[0] == 9 && rem[1] < 1000000000 && rem[2] == 0xa5a5a5a5);
	poke_later(40, -1);
	EQ(S(clock_nanosleep, 1, 0, ts, rem), -EINTR);
	OK(rem[0] == 9 && rem[2] == 0xa5a5a5a5);
}

CASE("SIG-034", "read", ALL, RESTART ": x0 is the saved, zero-extended argument",
     "a restarted call had garbage above x0")
{
	u32 fds[2];
	char c = 0;

	EQ(S(pipe2, fds, 0), 0);
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, (s32)fds[1]);
	EQ(sys6(__NR_read, G(fds[0]), G(&c), G(1), 0, 0, 0), 1);
	EQ(caught, 1);
}

CASE("SIG-035", "ppoll pselect6 epoll_pwait rt_sigsuspend", ALL, RESTART " ERESTARTNOHAND",
     "ppoll, pselect6, epoll_pwait and rt_sigsuspend are EINTR even with SA_RESTART")
{
	u32 fds[2], none[2] = {0, 0}, pfd[2], set = 0;
	u8 event[16] = {1};
	s64 ep = GOOD(S(epoll_create1, 0));

	EQ(S(pipe2, fds, 0), 0);
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	pfd[0] = fds[0];
	pfd[1] = 1;
	poke_later(40, -1);
	EQ(S(ppoll, pfd, 1, 0, 0, 8), -EINTR);
	poke_later(40, -1);
	set = 1u << fds[0];
	EQ(S(pselect6, 32, &set, 0, 0, 0, 0), -EINTR);
	EQ(S(epoll_ctl, ep, 1, fds[0], event), 0);
	poke_later(40, -1);
	EQ(S(epoll_pwait, ep, event, 1, -1, 0, 8), -EINTR);
	poke_later(40, -1);
	EQ(S(rt_sigsuspend, none, 8), -EINTR);
	OK(caught >= 4);
}

CASE("SIG-041", "futex", ALL, "oracle README 7: futex with timeout is EINTR even with SA_RESTART",
     "futex wait with a timeout is EINTR, without one it goes on")
{
	u32 word = 5, ts[2] = {10, 0};
	u32 *shared =
		(u32 *)(u32)GOOD(S(mmap2, 0, PAGE, PROT_RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	s32 pid = own_pid();

	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, -1);
	EQ(S(futex, &word, 0, 5, ts), -EINTR);
	if (!fork_()) {
		sleep_ms(40);
		S(kill, pid, SIGUSR1);
		sleep_ms(40);
		*shared = 1;
		S(futex, shared, 1, 1);
		S(exit_group, 0);
	}
	EQ(S(futex, shared, 0, 0, 0), 0);
	OK(caught >= 2);
}

CASE("SIG-042", "wait4 waitid", ALL, RESTART, "wait4 with SA_RESTART goes on")
{
	int status = 0;
	u32 fds[2];
	s64 child;
	u8 si[128];

	EQ(S(pipe2, fds, 0), 0);
	child = fork_();
	if (!child) {
		S(read, fds[0], si, 1);
		S(exit_group, 3);
	}
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, (s32)fds[1]);
	EQ(S(wait4, child, &status, 0, 0), child);
	EQ(status, 3 << 8);
	EQ(caught, 1);
	set_handler(SIGUSR1, count_signal, 0);
	child = fork_();
	if (!child)
		for (;;)
			sleep_ms(1000);
	poke_later(40, -1);
	EQ(S(waitid, 1, child, si, 4, 0), -EINTR);
}

CASE("SIG-043", "restart_syscall", ALL,
     "linux kernel/signal.c sys_restart_syscall, do_no_restart_syscall",
     "restart_syscall out of the blue is EINTR")
{
	EQ(S(restart_syscall), -EINTR);
}

CASE("SIG-044", "rt_sigtimedwait", ALL, "linux kernel/signal.c do_sigtimedwait",
     "rt_sigtimedwait: EAGAIN at its timeout, EINTR by another signal")
{
	u32 mask[2] = {1u << (SIGUSR2 - 1), 0}, ts[2] = {0, 10000000};

	EQ(S(rt_sigtimedwait, mask, 0, ts, 8), -EAGAIN);
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	poke_later(40, -1);
	ts[0] = 10;
	EQ(S(rt_sigtimedwait, mask, 0, ts, 8), -EINTR);
}
