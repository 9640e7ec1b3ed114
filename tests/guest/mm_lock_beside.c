// SPDX-License-Identifier: GPL-2.0-or-later
// Other threads make system calls while one locks memory, which takes as long as the pages take to come.
#include "proc.h"

enum { NR_mlock = 228, NR_munlock, NR_madvise = 233 };
enum { LEN = 64 << 20, MADV_DONTNEED = 4, TURNS = 50 };

static volatile u32 stop;
static volatile u32 longest, count; /* ns between two calls; calls */
static struct thread other;

static u64 now_ns(void)
{
	u32 ts[2];

	sys(NR_clock_gettime, 1, ts);
	return (u64)ts[0] * 1000000000 + ts[1];
}

static int calls(void *arg)
{
	u64 last = now_ns(), now;

	(void)arg;
	for (; !stop; last = now) {
		now = now_ns();
		if (now - last > longest)
			longest = (u32)(now - last);
		count++;
	}
	return 0;
}

/* Whether there was a time when the other one did not wait for us: with a busy host it may for other reasons. */
static int beside(u32 at, s64 *result)
{
	for (u32 i = 0; i < TURNS; i++) {
		sys(NR_madvise, at, LEN, MADV_DONTNEED);
		longest = 0;
		u64 begin = now_ns();

		*result = sys(NR_mlock, at, LEN);
		u32 took = (u32)(now_ns() - begin);

		sys(NR_munlock, at, LEN);
		/* What it waits for at last counts. */
		for (u32 n = count; count - n < 2;)
			sleep_ms(1);
		if (*result || longest < took / 2)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	u32 at = (u32)sys(NR_mmap2, 0, LEN, 3, 0x22, -1, 0);
	s64 r;

	thread_start(&other, calls, 0);
	while (!count)
		sleep_ms(1);
	int ok = beside(at, &r);

	stop = 1;
	thread_join(&other);
	/* Not everybody may lock as much. */
	print("locked %d, beside %d\n", r == 0 || r == -12 || r == -1, ok);
	return 0;
}
