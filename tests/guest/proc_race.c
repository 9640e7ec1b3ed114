// SPDX-License-Identifier: GPL-2.0-or-later
// Processes, with threads, that race on shared memory and pipes and end by themselves or by a signal: the output is a trace
// of who came when. For --deterministic (tests/guest/determined).
#include "proc.h"

enum { CHILDREN = 3, TURNS = 14, SIZE = 4096 };

struct shared {
	volatile u32 at, sum, word;
	char order[SIZE - 64];
};

static struct shared *s;
static u32 pipe_of_all[2];
static u32 child;

static void note(char c)
{
	u32 at = s->at; /* lost updates are the point */

	s->order[at % (sizeof(s->order) - 1)] = c;
	s->at = at + 1;
}

static void work(u32 n)
{
	for (volatile u32 spin = 0; spin < n; spin++)
		;
}

static int racer(void *arg)
{
	static const u32 short_time[2] = {0, 20000};
	u32 me = (u32)arg + 3 * child;

	for (u32 i = 0; i < TURNS; i++) {
		u32 before = s->sum;

		work(150 + 29 * me);
		s->sum = before + 1;
		note((char)('a' + me));
		if (i % 7 == 2) {
			u32 wait[2] = {0, 900 * (me + 1)};

			sys(NR_clock_nanosleep, 1, 0, wait, 0);
		}
		if (i % 7 == 4) /* not private */
			sys(NR_futex, &s->word, 0, 0, short_time, 0, 0);
		if (i % 7 == 5)
			sys(NR_futex, &s->word, 1, 1, 0, 0, 0);
		if (i % 7 == 6)
			sys(NR_write, pipe_of_all[1], "xyz" + child, 1);
	}
	return 0;
}

static int reader(void *arg)
{
	char c;

	(void)arg;
	while (sys(NR_read, pipe_of_all[0], &c, 1) == 1 && c != '.')
		note((char)(c - 'a' + 'A'));
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	static struct thread t[2], r;
	u32 now[2] = {0, 0};
	int status;
	s64 endless, pid[CHILDREN];

	(void)argc, (void)argv, (void)envp, (void)auxv;
	s = (struct shared *)(u32)sys(NR_mmap2, 0, SIZE, 3, 0x21, -1, 0);
	sys(NR_pipe2, pipe_of_all, 0);
	for (child = 0; child < CHILDREN; child++) {
		pid[child] = sys(NR_clone, SIGCHLD, 0, 0, 0, 0);
		if (pid[child])
			continue;
		for (u32 i = 0; i < 2; i++)
			thread_start(&t[i], racer, (void *)i);
		racer((void *)2);
		for (u32 i = 0; i < 2; i++)
			thread_join(&t[i]);
		sys(NR_exit_group, child);
	}
	endless = sys(NR_clone, SIGCHLD, 0, 0, 0, 0);
	while (!endless) {
		work(2000);
		note('-');
	}
	thread_start(&r, reader, 0);
	for (u32 i = 0; i < CHILDREN; i++) {
		s64 ended = sys(NR_wait4, -1, &status, 0, 0);

		for (u32 k = 0; k < CHILDREN; k++)
			note(ended == pid[k] ? (char)('0' + k) : '\0');
		note('!');
	}
	sys(NR_kill, endless, SIGKILL);
	sys(NR_wait4, endless, &status, 0, 0);
	sys(NR_write, pipe_of_all[1], ".", 1);
	thread_join(&r);
	sys(113, 1, now); /* clock_gettime, CLOCK_MONOTONIC */
	for (u32 i = 0; i < sizeof(s->order) - 1 && i < s->at; i++)
		s->order[i] = s->order[i] ? s->order[i] : '_';
	print("%s\n%u, %u.%u\n", s->order, s->sum, now[0], now[1]);
	return 0;
}
