// SPDX-License-Identifier: GPL-2.0-or-later
// Processes that share memory: exclusives and atomics of every size lose no update, though each process runs for itself.
#include "proc.h"

enum { PROCESSES = 4, TURNS = 20000 };

struct pair {
	u64 a, b;
} __attribute__((aligned(16)));

struct shared {
	u8 x8;
	u16 x16;
	u32 x32, word;
	u64 x64;
	u32 add32;
	u64 add64, cas64, lock, guarded;
	u8 add8;
	struct pair pair;
};

static struct shared *s;

#define EXCLUSIVE(name, type, ldxr, stxr, w)                                               \
 static void name(volatile type *p)                                                        \
 {                                                                                         \
  u32 failed;                                                                              \
  u64 v;                                                                                   \
                                                                                           \
  do                                                                                       \
   __asm__ volatile(ldxr " %" w "1, [%2]\n\tadd %" w "1, %" w "1, #1\n\t" stxr " %w0, %" w \
			 "1, [%2]"                                                         \
		    : "=&r"(failed), "=&r"(v)                                              \
		    : "r"((u64)(u32)p)                                                     \
		    : "memory");                                                           \
  while (failed);                                                                          \
 }
EXCLUSIVE(inc8, u8, "ldaxrb", "stlxrb", "w")
EXCLUSIVE(inc16, u16, "ldxrh", "stxrh", "w")
EXCLUSIVE(inc32, u32, "ldaxr", "stlxr", "w")
EXCLUSIVE(inc64, u64, "ldxr", "stxr", "x")

static void inc_pair(volatile struct pair *p)
{
	u32 failed;
	u64 a, b;

	do
		__asm__ volatile(
			"ldaxp %1, %2, [%3]\n\tadd %1, %1, #1\n\tadd %2, %2, #3\n\tstlxp %w0, %1, %2, [%3]"
			: "=&r"(failed), "=&r"(a), "=&r"(b)
			: "r"((u64)(u32)p)
			: "memory");
	while (failed);
}

static void lse(void)
{
	u64 old = s->cas64, seen;

	__asm__ volatile(".arch_extension lse\n\tstaddl %w0, [%1]" ::"r"(1),
			 "r"((u64)(u32)&s->add32)
			 : "memory");
	__asm__ volatile(".arch_extension lse\n\tstadd %0, [%1]" ::"r"(1ull),
			 "r"((u64)(u32)&s->add64)
			 : "memory");
	__asm__ volatile(".arch_extension lse\n\tstaddb %w0, [%1]" ::"r"(1), "r"((u64)(u32)&s->add8)
			 : "memory");
	for (;;) {
		seen = old;
		__asm__ volatile(".arch_extension lse\n\tcasal %0, %1, [%2]"
				 : "+r"(seen)
				 : "r"(old + 1), "r"((u64)(u32)&s->cas64)
				 : "memory");
		if (seen == old)
			break;
		old = seen;
	}
	/* A lock by exchange. */
	for (u64 one = 1; one;)
		__asm__ volatile(".arch_extension lse\n\tswpa %0, %0, [%1]"
				 : "+r"(one)
				 : "r"((u64)(u32)&s->lock)
				 : "memory");
	s->guarded++;
	__asm__ volatile("stlr xzr, [%0]" ::"r"((u64)(u32)&s->lock) : "memory");
}

static void work(void)
{
	/* All at once. */
	inc32(&s->word);
	while (*(volatile u32 *)&s->word < PROCESSES)
		;
	for (u32 i = 0; i < TURNS; i++) {
		inc8(&s->x8);
		inc16(&s->x16);
		inc32(&s->x32);
		inc64(&s->x64);
		inc_pair(&s->pair);
		lse();
	}
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	const u32 n = PROCESSES * TURNS;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	s = (struct shared *)(u32)sys(NR_mmap2, 0, 4096, 3, 0x21, -1, 0);
	for (u32 i = 0; i < PROCESSES; i++) {
		if (!fork_()) {
			work();
			quit(0);
		}
	}
	for (u32 i = 0; i < PROCESSES; i++)
		wait_for(-1);
	print("exclusives: %d %d %d %d, pair %d %d\n", s->x8 == (u8)n, s->x16 == (u16)n,
	      s->x32 == n, s->x64 == n, s->pair.a == n, s->pair.b == 3 * (u64)n);
	print("atomics: %d %d %d, compare and swap %d\n", s->add32 == n, s->add64 == n,
	      s->add8 == (u8)n, s->cas64 == n);
	print("lock: %d\n", s->guarded == n);
	return 0;
}
