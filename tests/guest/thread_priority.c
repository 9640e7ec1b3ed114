// SPDX-License-Identifier: GPL-2.0-or-later
// A thread with a real-time priority does not wait for the time slice of one that computes to end. Time slices of a
// second, see CMakeLists.txt; without permission for priorities there is nothing to be seen.
#include "proc.h"

enum { NR_sched_setscheduler = 119, SCHED_FIFO = 1, SCHED_RESET_ON_FORK = 0x40000000, TURNS = 20 };

static volatile u32 stop, rounds;
static struct thread other;

static int computes(void *arg)
{
	(void)arg;
	while (!stop)
		rounds++;
	return 0;
}

static volatile u32 answer;

/* One CPU would never get to the other thread; with two it takes no time. */
static int answers(void *arg)
{
	(void)arg;
	for (u32 i = 0; i < 3000000; i++)
		rounds++;
	answer = 1;
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 priority = 1;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	thread_start(&other, computes, 0);
	while (!rounds)
		sys(NR_sched_yield);
	s64 r = sys(NR_sched_setscheduler, 0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
	u64 begin = now_ms();

	for (u32 i = 0; !r && i < TURNS; i++)
		sleep_ms(1);
	u32 took = (u32)(now_ms() - begin);

	stop = 1;
	thread_join(&other);
	thread_start(&other, answers, 0);
	while (!answer)
		sys(NR_sched_yield);
	thread_join(&other);
	print("allowed or not %d, in time %d, lower ones run %u\n", r == 0 || r == -EPERM,
	      took < TURNS * 1000 / 4, answer);
	return 0;
}
