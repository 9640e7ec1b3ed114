// SPDX-License-Identifier: GPL-2.0-or-later
// Other threads make system calls while one locks memory or maps what is to be there at once, which takes as long as the
// pages take to come.
#include "proc.h"

enum { NR_mlock = 228, NR_munlock, NR_madvise = 233 };
enum { LEN = 192 << 20, MADV_DONTNEED = 4, TURNS = 50 };

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

static u32 area;

static s64 lock(void)
{
	return sys(NR_mlock, area, LEN);
}

static void unlock(void)
{
	sys(NR_munlock, area, LEN);
	sys(NR_madvise, area, LEN, MADV_DONTNEED);
}

static s64 map(void)
{
	area = (u32)sys(NR_mmap2, 0, LEN, 3, 0x8022, -1, 0); /* MAP_POPULATE */
	return area < 0xfffff000 ? 0 : (s32)area;
}

static void unmap(void)
{
	sys(NR_munmap, area, LEN);
}

/* Whether there was a time when the other one did not wait for us: with a busy host it may for other reasons. */
static int beside(s64 (*fn)(void), void (*undo)(void), s64 *result)
{
	for (u32 i = 0; i < TURNS; i++) {
		longest = 0;
		u64 begin = now_ns();

		*result = fn();
		u32 took = (u32)(now_ns() - begin);

		undo();
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
	s64 r, r2;

	thread_start(&other, calls, 0);
	while (!count)
		sleep_ms(1);
	int ok2 = beside(map, unmap, &r2);

	area = (u32)sys(NR_mmap2, 0, LEN, 3, 0x22, -1, 0);
	int ok = beside(lock, unlock, &r);

	stop = 1;
	thread_join(&other);
	/* Not everybody may lock as much. */
	print("locked %d, beside %d; mapped %d, beside %d\n", r == 0 || r == -12 || r == -1, ok,
	      r2 == 0, ok2);
	return 0;
}
