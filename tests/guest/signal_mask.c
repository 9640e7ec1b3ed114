/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Masks: rt_sigprocmask, rt_sigpending, the temporary masks of rt_sigsuspend and ppoll (what is in the
 * frame, what is in force in the handler and afterwards), rt_sigtimedwait, signalfd.
 */
#include "guest.h"

static u64 now_mask(void)
{
	u32 m[2] = {0, 0};

	sys(NR_rt_sigprocmask, 0, 0, m, 8);
	return m[0] | (u64)m[1] << 32;
}

static u64 pending(void)
{
	u32 m[2] = {0, 0};

	sys(NR_rt_sigpending, m, 8);
	return m[0] | (u64)m[1] << 32;
}

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)info;
	print("  handler %d: mask %lx, frame %lx\n", sig, now_mask(), get64(uc + 20));
}

static void queue(int sig, u32 value)
{
	u32 info[32] = {(u32)sig, 0, (u32)-1, 1, 2, value};

	sys(NR_rt_sigqueueinfo, sys(NR_getpid), sig, info);
}

static void self(int sig)
{
	sys(NR_kill, sys(NR_getpid), sig);
}

static void procmask(void)
{
	u32 m[3] = {0xffffffff, 0xffffffff, 0xa5a5a5a5}, old[3] = {0xa5, 0xa5, 0xa5};

	print("== rt_sigprocmask\n");
	print("sizes: %ld %ld, how 3 %ld, bad set %ld, bad old %ld\n",
	      sys(NR_rt_sigprocmask, 0, m, 0, 4), sys(NR_rt_sigprocmask, 0, m, 0, 16),
	      sys(NR_rt_sigprocmask, 3, m, 0, 8), sys(NR_rt_sigprocmask, 0, 4, 0, 8),
	      sys(NR_rt_sigprocmask, 0, 0, 4, 8));
	print("how without set %ld\n", sys(NR_rt_sigprocmask, 77, 0, old, 8));
	set_mask(SIG_SETMASK, ~0ull);
	print("all but KILL and STOP: %lx\n", now_mask());
	set_mask(SIG_UNBLOCK, BIT(40) | BIT(3));
	print("unblock: %lx\n", now_mask());
	set_mask(SIG_SETMASK, 0);
	set_mask(SIG_BLOCK, BIT(33) | BIT(SIGUSR1));
	sys(NR_rt_sigprocmask, 0, 0, old, 8);
	print("block: %lx, old %x %x %x\n", now_mask(), old[0], old[1], old[2]);
	set_mask(SIG_SETMASK, 0);
	/* A change whose old mask cannot be stored has happened. */
	m[0] = BIT(SIGHUP);
	m[1] = 0;
	print("old not writable: %ld, mask %lx\n", sys(NR_rt_sigprocmask, 2, m, 4, 8), now_mask());
	set_mask(SIG_SETMASK, 0);
}

static void waiting(void)
{
	u32 m[3] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	print("== rt_sigpending\n");
	set_mask(SIG_SETMASK, ~0ull);
	self(SIGHUP);
	self(SIGSEGV);
	self(SIGBUS);
	queue(64, 1);
	print("pending %lx\n", pending());
	print("size 16 %ld, size 4 %ld %x %x, bad %ld\n", sys(NR_rt_sigpending, m, 16),
	      sys(NR_rt_sigpending, m, 4), m[0], m[1], sys(NR_rt_sigpending, 4, 8));
	for (int s = 1; s <= 64; s++)
		set_handler(s, 1, 0); /* ignoring discards */
	print("after ignoring: %lx\n", pending());
	set_mask(SIG_SETMASK, 0);
}

static void suspend(void)
{
	u64 m;

	print("== rt_sigsuspend\n");
	set_handler_mask(SIGUSR1, (u32)handler, SA_SIGINFO, BIT(SIGTERM));
	set_handler_mask(SIGUSR2, (u32)handler, SA_SIGINFO, 0);
	m = BIT(SIGUSR1);
	print("size 16: %ld, bad: %ld\n", sys(NR_rt_sigsuspend, &m, 16),
	      sys(NR_rt_sigsuspend, 4, 8));
	set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGHUP));
	self(SIGUSR1);
	m = BIT(40);
	print("one: %ld\n", sys(NR_rt_sigsuspend, &m, 8));
	print("mask %lx\n", now_mask());
	/* Two at once: the second frame returns to the first handler, with its mask. */
	set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGUSR2) | BIT(SIGHUP));
	self(SIGUSR1);
	self(SIGUSR2);
	print("two: %ld\n", sys(NR_rt_sigsuspend, &m, 8));
	print("mask %lx\n", now_mask());
	/* One that the temporary mask blocks waits until the old mask is back. */
	set_mask(SIG_SETMASK, BIT(SIGUSR1));
	self(SIGUSR1);
	m = BIT(SIGUSR2);
	{
		u32 parent = (u32)sys(NR_getpid);
		s64 child;

		set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGUSR2));
		self(SIGUSR2);
		child = fork_();
		if (!child) {
			wait_until_sleeping(parent);
			quit(0);
		}
		print("other pending: %ld, pending %lx\n", sys(NR_rt_sigsuspend, &m, 8), pending());
		set_mask(SIG_SETMASK, 0);
		wait_for(child);
	}
}

static void poll(void)
{
	u32 fds[2], p[2], ts[2] = {5, 0};
	u64 m = 0;
	s64 child;

	print("== ppoll\n");
	sys(NR_pipe2, fds, 0);
	p[0] = fds[0];
	p[1] = 1;
	set_handler_mask(SIGUSR1, (u32)handler, SA_SIGINFO | SA_RESTART, BIT(SIGTERM));
	set_mask(SIG_SETMASK, BIT(SIGUSR1));
	self(SIGUSR1);
	m = BIT(40);
	print("pending signal: %ld\n", sys(NR_ppoll, p, 1, ts, &m, 8));
	print("mask %lx\n", now_mask());
	/* Ready at once: the mask does not matter, the signal stays where it is. */
	sys(NR_write, fds[1], "x", 1);
	self(SIGUSR1);
	print("ready: %ld\n", sys(NR_ppoll, p, 1, ts, &m, 8));
	print("mask %lx, pending %lx\n", now_mask(), pending());
	sys(NR_read, fds[0], &m, 1);
	set_mask(SIG_SETMASK, 0);
	/* Time out with a blocked signal pending. */
	m = BIT(SIGUSR1);
	ts[0] = 0;
	ts[1] = 20000000;
	set_mask(SIG_SETMASK, BIT(SIGUSR1));
	self(SIGUSR1);
	print("timeout: %ld, pending %lx\n", sys(NR_ppoll, p, 1, ts, &m, 8), pending());
	set_mask(SIG_SETMASK, 0);
	/* Comes while it sleeps; unblocked only by the call. */
	set_mask(SIG_SETMASK, BIT(SIGUSR1));
	child = fork_();
	if (!child) {
		u32 parent = (u32)sys(NR_getppid);

		wait_until_sleeping(parent);
		sys(NR_kill, parent, SIGUSR1);
		quit(0);
	}
	m = BIT(40);
	print("while asleep: %ld\n", sys(NR_ppoll, p, 1, 0, &m, 8));
	print("mask %lx\n", now_mask());
	set_mask(SIG_SETMASK, 0);
	wait_for(child);
}

static void timedwait(void)
{
	u32 ts[2] = {0, 20000000}, bad[2] = {0, 1000000000}, info[34];
	u64 set = BIT(40) | BIT(SIGUSR1);

	print("== rt_sigtimedwait\n");
	set_mask(SIG_SETMASK, set | BIT(SIGSEGV));
	set_handler(SIGUSR1, handler, SA_SIGINFO);
	set_handler(40, handler, SA_SIGINFO);
	set_handler(SIGSEGV, handler, SA_SIGINFO);
	print("size %ld, bad set %ld, bad time %ld, nanoseconds %ld\n",
	      sys(NR_rt_sigtimedwait, &set, 0, ts, 4), sys(NR_rt_sigtimedwait, 4, 0, ts, 8),
	      sys(NR_rt_sigtimedwait, &set, 0, 4, 8), sys(NR_rt_sigtimedwait, &set, 0, bad, 8));
	print("nothing: %ld\n", sys(NR_rt_sigtimedwait, &set, 0, ts, 8));
	queue(40, 77);
	queue(40, 78);
	self(SIGUSR1);
	for (int i = 0; i < 4; i++) {
		memset(info, 0xa5, sizeof(info));
		print("got %ld", sys(NR_rt_sigtimedwait, &set, info, ts, 8));
		print(": %d %d, value %d, behind %x\n", info[0], info[2],
		      info[0] == 40 ? info[5] : 0, info[32]);
	}
	set = BIT(SIGSEGV);
	self(SIGSEGV);
	print("SIGSEGV by kill: %ld\n", sys(NR_rt_sigtimedwait, &set, 0, ts, 8));
	/* The information cannot be stored: the signal is gone. */
	set = BIT(SIGUSR1);
	self(SIGUSR1);
	print("bad info: %ld, pending %lx\n", sys(NR_rt_sigtimedwait, &set, 4, ts, 8), pending());
	set_mask(SIG_SETMASK, 0);
}

static void descriptor(void)
{
	u64 set = BIT(40) | BIT(SIGUSR1) | BIT(33);
	u32 rec[64];
	s64 fd, n;

	print("== signalfd4\n");
	set_mask(SIG_SETMASK, set);
	print("size 4 %ld, bad %ld, flags 1 %ld\n", sys(NR_signalfd4, -1, &set, 4, 0),
	      sys(NR_signalfd4, -1, 4, 8, 0), sys(NR_signalfd4, -1, &set, 8, 1));
	fd = sys(NR_signalfd4, -1, &set, 8, 02000000 | 04000);
	print("empty %ld\n", sys(NR_read, (u32)fd, rec, sizeof(rec)));
	queue(40, 5);
	queue(33, 6);
	n = sys(NR_read, (u32)fd, rec, sizeof(rec));
	print("read %ld: %d value %d, %d value %d\n", n, rec[0], rec[11], rec[32], rec[43]);
	print("pending %lx\n", pending());
	sys(NR_close, (u32)fd);
	set_mask(SIG_SETMASK, 0);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	procmask();
	waiting();
	suspend();
	poll();
	timedwait();
	descriptor();
	return 0;
}
