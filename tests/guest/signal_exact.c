/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signal interrupts between instructions: none is executed twice or left out. Loads whose result
 * is the next address, counted additions in memory, exclusive and paired accesses, write-back, all
 * under a fast timer.
 */
#include "guest.h"

#define RING 61u

static volatile u32 alarms;
static u64 ring[RING + 1];
static u64 counters[4] __attribute__((aligned(16)));

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	(void)uc;
	alarms++;
}

/* ROUNDS times 8 steps through the ring from where AT is; returns where that ends. */
static NOINLINE u64 chase(u64 at, u32 rounds)
{
	__asm__ volatile("1: ldr %0, [%0]\n ldr %0, [%0]\n ldr %0, [%0]\n ldr %0, [%0]\n"
			 "ldr %0, [%0]\n ldr %0, [%0]\n ldr %0, [%0]\n ldr %0, [%0]\n"
			 "subs %w1, %w1, #1\n b.ne 1b\n"
			 : "+r"(at), "+r"(rounds)
			 :
			 : "cc", "memory");
	return at;
}

/* ROUNDS times through four ways to add 1 in memory. */
static NOINLINE void count(u32 rounds)
{
	__asm__ volatile(
		"mov x11, %1\n"
		"1: ldr x9, [x11]\n add x9, x9, #1\n str x9, [x11]\n"
		"add x12, x11, #8\n"
		"2: ldxr x9, [x12]\n add x9, x9, #1\n stxr w10, x9, [x12]\n cbnz w10, 2b\n"
		"add x12, x11, #16\n"
		"ldp x9, x10, [x12]\n add x9, x9, #1\n add x10, x10, #1\n stp x9, x10, [x12]\n"
		"subs %w0, %w0, #1\n b.ne 1b\n"
		: "+r"(rounds)
		: "r"((u64)(u32)counters)
		: "x9", "x10", "x11", "x12", "cc", "memory");
}

/* Pushes and pops with write-back; what the stack pointer's copy is off by. */
static NOINLINE u64 write_back(u32 rounds)
{
	static u64 area[64];
	u64 p = (u32)(area + 32), sum = 0;

	__asm__ volatile("1: str x10, [%0, #-8]!\n str xzr, [%0], #16\n ldr x9, [%0, #-16]!\n"
			 "add %1, %1, x9\n sub %1, %1, %0\n ldr x9, [%0], #8\n"
			 "subs %w2, %w2, #1\n b.ne 1b\n"
			 : "+r"(p), "+r"(sum), "+r"(rounds)
			 :
			 : "x9", "cc", "memory");
	return p - (u32)(area + 32);
}

static u32 now_ms(void)
{
	u32 ts[2];

	sys(NR_clock_gettime, 1, ts);
	return ts[0] * 1000 + ts[1] / 1000000;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 timer[4] = {0, 200, 0, 200}, off[4] = {0, 0, 0, 0}, start, rounds = 0;
	u32 wrong_place = 0, wrong_count = 0, wrong_pointer = 0;
	u64 at = (u32)ring;

	for (u32 i = 0; i < RING; i++)
		ring[i] = (u32)(ring + (i + 1) % RING);
	set_handler(SIGALRM, handler, SA_SIGINFO | SA_RESTART);
	sys(NR_setitimer, 0, timer, 0);
	start = now_ms();
	while (now_ms() - start < 1500 || alarms < 100) {
		u64 wanted = (u32)(ring + ((u32)(at - (u32)ring) / 8 + 8 * 2000) % RING);

		at = chase(at, 2000);
		if (at != wanted) {
			wrong_place++;
			at = wanted;
		}
		count(2000);
		rounds += 2000;
		for (u32 i = 0; i < 4; i++)
			if (counters[i] != rounds) {
				wrong_count++;
				counters[i] = rounds;
			}
		if (write_back(2000))
			wrong_pointer++;
	}
	sys(NR_setitimer, 0, off, 0);
	print("steps: %d wrong, counts: %d wrong, pointers: %d wrong\n", wrong_place, wrong_count,
	      wrong_pointer);
	return 0;
}
