/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No signal is lost and none breaks a call: a child queues thousands of numbered real-time signals
 * while we compute and make system calls, with a timer running besides.
 */
#include "guest.h"

#define SIGNALS 20000u

static volatile u32 received, wrong, alarms;
static u32 pipe_fd[2];

static void numbered(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)uc;
	if (get32(info + 20) != received)
		wrong++;
	received++;
}

static void alarm(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	(void)uc;
	alarms++;
}

static void sender(u32 parent)
{
	u32 info[32] = {40, 0, (u32)-1};

	for (u32 i = 0; i < SIGNALS; i++) {
		s64 r;

		info[5] = i;
		while ((r = sys(NR_rt_sigqueueinfo, parent, 40, info)) == -11)
			sys(NR_sched_yield);
		if (r)
			quit(1);
		/* Data now and then, so that reads end in both ways. */
		if (i % 8 == 0)
			sys(NR_write, pipe_fd[1], &i, 4);
	}
	quit(0);
}

/* Registers that a handler must not change: a loop whose result shows any difference. */
static u64 compute(u32 rounds)
{
	u64 a = 1, b = 2, c = 3, d = 4;
	double x = 1.5;

	while (rounds--) {
		a = a * 6364136223846793005ull + 1442695040888963407ull;
		b ^= a >> 7;
		c += b * 3;
		d = (d << 5 | d >> 59) ^ c;
		x = x * 1.0000001 + 0.5;
	}
	__asm__ volatile("" : "+w"(x));
	return a ^ b ^ c ^ d ^ (u64)x;
}

static u32 now_us(void)
{
	u32 ts[2];

	sys(NR_clock_gettime, 1, ts);
	return ts[0] * 1000000 + ts[1] / 1000;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 value, expected = 0, broken = 0, short_reads = 0, parent = (u32)sys(NR_getpid);
	u32 timer[4] = {0, 500, 0, 500}, off[4] = {0, 0, 0, 0};
	u64 once;
	s64 child, r;

	sys(NR_pipe2, pipe_fd, 0);
	once = compute(3000);
	set_handler(40, numbered, SA_SIGINFO | SA_RESTART);
	set_handler(SIGALRM, alarm, SA_SIGINFO | SA_RESTART);
	sys(NR_setitimer, 0, timer, 0);
	child = fork_();
	if (!child)
		sender(parent);
	while (expected < SIGNALS) {
		/* With SA_RESTART a blocking read never shows a signal. */
		r = sys(NR_read, pipe_fd[0], &value, 4);
		if (r != 4 || value != expected)
			short_reads++;
		expected += 8;
		if (expected % 64 == 0 && compute(3000) != once)
			broken++;
		if (sys(NR_getppid) < 0 || (u32)sys(NR_getpid) != parent)
			broken++;
	}
	print("child %x\n", wait_for(child));
	/* A sleep that is interrupted all the time and goes on with the rest is never too short. */
	set_handler(SIGALRM, alarm, SA_SIGINFO);
	for (u32 i = 0; i < 3; i++) {
		u32 interrupted, us, turns = 0;

		do {
			u32 ts[2] = {0, 100000000}, start = now_us();

			interrupted = 0;
			while ((r = sys(NR_nanosleep, ts, ts)) == -4)
				interrupted++;
			us = now_us() - start;
			/* A busy host may keep us from running. */
		} while (us >= 100000 && (us >= 1000000 || interrupted <= 5) && ++turns < 50);
		print("slept %s, interrupted %s\n",
		      us < 100000    ? "too little"
		      : us < 1000000 ? "well"
				     : "too much",
		      interrupted > 5 ? "often" : "rarely");
	}
	sys(NR_setitimer, 0, off, 0);
	print("received %d, out of order %d, broken %d, short reads %d, alarms %s\n", received,
	      wrong, broken, short_reads, alarms > 10 ? "many" : "few");
	return 0;
}
