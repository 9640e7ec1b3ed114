// SPDX-License-Identifier: GPL-2.0-or-later
// Threads whose order nobody keeps: the output is a trace of who came when. For --deterministic (tests/guest/determined).
#include "proc.h"

enum { THREADS = 3, TURNS = 60 };

static volatile u32 shared, at;
static char order[THREADS * TURNS + 1];
static volatile u32 word;
static const u32 short_time[2] = {0, 5000};

static int racer(void *arg)
{
	u32 me = (u32)arg;

	for (u32 i = 0; i < TURNS; i++) {
		u32 before = shared; /* lost updates are the point */

		for (volatile u32 spin = 0; spin < 200 + 37 * me; spin++)
			;
		shared = before + 1;
		order[at++ % (THREADS * TURNS)] = (char)('a' + me);
		if (i % 16 == 5) {
			u32 wait[2] = {0, 1000 * (me + 1)};

			sys(NR_clock_nanosleep, 1, 0, wait, 0);
		}
		if (i % 16 == 11)
			sys(NR_futex, &word, 128, 0, short_time, 0, 0);
		if (i % 16 == 13)
			sys(NR_futex, &word, 129, 1, 0, 0, 0);
	}
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	static struct thread t[THREADS];
	u32 now[2] = {0, 0}, bytes = 0;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	for (u32 i = 0; i < THREADS; i++)
		thread_start(&t[i], racer, (void *)i);
	for (u32 i = 0; i < THREADS; i++)
		thread_join(&t[i]);
	sys(113, 1, now); /* clock_gettime, CLOCK_MONOTONIC */
	sys(278, &bytes, 4, 0);
	print("%s\n%u of %u, %u.%u, %x\n", order, shared, THREADS * TURNS, now[0], now[1], bytes);
	return 0;
}
