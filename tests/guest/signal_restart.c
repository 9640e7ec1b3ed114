/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an interrupted call gives, by call and SA_RESTART (kernel: the -ERESTART codes of
 * each call). A child sends the signal, or the data that ends the call.
 */
#include "guest.h"

enum { NR_futex = 98 };

static volatile u32 runs;
static u32 pipe_fd[2];
static u64 handler_x0, handler_pc_delta;

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	handler_x0 = get64(uc + 168);
	handler_pc_delta = get64(uc + 424);
	runs++;
}

static void sleep_ms(u32 ms)
{
	u32 ts[2] = {ms / 1000, ms % 1000 * 1000000};

	while (sys(NR_nanosleep, ts, ts) == -4)
		;
}

static u32 now_ms(void)
{
	u32 ts[2];

	sys(NR_clock_gettime, 1, ts);
	return ts[0] * 1000 + ts[1] / 1000000;
}

/* A child that sends SIGUSR1 to us when we sleep and then, when we sleep again, writes to the pipe. */
static s64 disturb(int data)
{
	u32 parent = (u32)sys(NR_getpid);
	s64 pid = fork_();

	if (pid)
		return pid;
	wait_until_sleeping(parent);
	sys(NR_kill, parent, SIGUSR1);
	wait_until_sleeping(parent);
	if (data)
		sys(NR_write, pipe_fd[1], "x", 1);
	quit(0);
}

static void done(const char *name, s64 result, s64 child)
{
	print("%s: %ld, handler ran %d\n", name, result, runs);
	wait_for(child);
	runs = 0;
}

static const char *near(u32 ms, u32 low, u32 high)
{
	return ms >= low && ms <= high ? "as expected" : ms < low ? "too little" : "too much";
}

static void with_flags(const char *name, u32 flags)
{
	u32 ts[2], fd[2] = {pipe_fd[0], 1}, word = 7;
	u64 none = 0;
	u8 c;
	s64 child, r;

	print("== %s\n", name);
	set_handler(SIGUSR1, handler, SA_SIGINFO | flags);

	child = disturb(1);
	done("read", sys(NR_read, pipe_fd[0], &c, 1), child);
	if (!(flags & SA_RESTART))
		sys(NR_read, pipe_fd[0], &c, 1);

	child = disturb(1);
	fd[1] = 1; /* POLLIN */
	done("ppoll", sys(NR_ppoll, fd, 1, 0, 0, 0), child);
	sys(NR_read, pipe_fd[0], &c, 1);

	child = disturb(0);
	ts[0] = 5;
	ts[1] = 0;
	r = sys(NR_ppoll, 0, 0, ts, 0, 0);
	print("rest %s, ", near(ts[0] * 1000 + ts[1] / 1000000, 1000, 4990));
	done("ppoll with timeout", r, child);

	child = disturb(0);
	ts[0] = 5;
	ts[1] = 0;
	r = sys(NR_nanosleep, ts, ts);
	print("rest %s, ", near(ts[0] * 1000 + ts[1] / 1000000, 1000, 4990));
	done("nanosleep", r, child);

	child = disturb(0);
	done("rt_sigsuspend", sys(NR_rt_sigsuspend, &none, 8), child);

	child = disturb(0);
	ts[0] = 5;
	ts[1] = 0;
	none = BIT(SIGUSR2);
	done("rt_sigtimedwait", sys(NR_rt_sigtimedwait, &none, 0, ts, 8), child);

	child = disturb(0);
	ts[0] = 5;
	ts[1] = 0;
	done("futex with timeout", sys(NR_futex, &word, 0, 7, ts, 0, 0), child);

	child = disturb(0);
	r = sys(NR_wait4, (u32)child, &word, 0, 0);
	print("wait4: %s, handler ran %d\n", r == child ? "child" : r == -4 ? "-4" : "?", runs);
	if (r != child)
		wait_for(child);
	runs = 0;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 ts[2], start, status;
	s64 child, r;
	u8 c;

	sys(NR_pipe2, pipe_fd, 0);
	with_flags("no SA_RESTART", 0);
	with_flags("SA_RESTART", SA_RESTART);

	/* The frame of a call that restarts: pc at the svc, x0 without its upper half. */
	child = disturb(1);
	r = sys6(NR_read, 0xdeadbeef00000000 | pipe_fd[0], (u32)&c, 1, 0, 0, 0);
	print("== frame: x0 %lx, svc at pc %s\n", handler_x0 - pipe_fd[0],
	      *(u32 *)(u32)handler_pc_delta == 0xd4000001 ? "yes" : "no");
	done("read", r, child);

	/* Ignored and default-ignored signals, and a stop, do not end a sleep. */
	print("== no handler\n");
	set_handler(SIGUSR1, 1, 0);
	child = disturb(0);
	start = now_ms();
	ts[0] = 0;
	ts[1] = 400000000;
	r = sys(NR_nanosleep, ts, ts);
	print("nanosleep: %ld, %s\n", r, near(now_ms() - start, 390, 4000));
	wait_for(child);

	child = fork_();
	if (!child) {
		ts[0] = 0;
		ts[1] = 400000000;
		start = now_ms();
		r = sys(NR_nanosleep, ts, ts);
		print("nanosleep over stop and continue: %ld, %s\n", r,
		      near(now_ms() - start, 390, 4000));
		quit(0);
	}
	sleep_ms(100);
	sys(NR_kill, (u32)child, SIGSTOP);
	r = sys(NR_wait4, (u32)child, &status, 2 /* WUNTRACED */, 0);
	print("stopped: %s, status %x\n", r == child ? "child" : "?", status);
	flush();
	sleep_ms(100);
	sys(NR_kill, (u32)child, SIGCONT);
	print("exit status %x\n", wait_for(child));
	return 0;
}
