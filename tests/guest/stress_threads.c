// SPDX-License-Identifier: GPL-2.0-or-later
// Threads against each other: exclusives and atomics of every size lose no increment, mutexes of every kind
// that futexes make let one in at a time, conditions lose no waiter, threads come and go by the thousand.
// With an argument: as many increments of each kind (a million, say).
#include "proc.h"

enum { THREADS = 8, LOCKS = 200, SHORT = 1000, FUTEX_WAIT_REQUEUE_PI = 11, FUTEX_CMP_REQUEUE_PI };
#define WAITERS    0x80000000u
#define OWNER_DIED 0x40000000u
#define TID_MASK   0x3fffffffu

static struct thread t[THREADS];
static u32 increments = 3000;
static volatile u32 failures;

static void expect(int ok)
{
	if (!ok)
		add_lse(&failures, 1);
}

static void all(const char *name, thread_fn *fn)
{
	for (u32 i = 0; i < THREADS; i++)
		expect(thread_start(&t[i], fn, (void *)i) > 0);
	for (u32 i = 0; i < THREADS; i++)
		thread_join(&t[i]);
	print("%s: failures %u", name, failures);
	failures = 0;
}

/* --- increments --- */

static volatile struct {
	u8 b;
	u16 h;
	u32 w, cas, pair_lo, swap;
	u64 x, d;
	u64 wide[2] __attribute__((aligned(16)));
} n __attribute__((aligned(64)));

#define EXCLUSIVE(suffix, reg, word)                           \
 do {                                                          \
  u64 old_, failed_;                                           \
  __asm__ volatile("1:	ldxr" suffix " %" reg "0, [%2]\n"      \
		   "	add %" reg "0, %" reg "0, #1\n"        \
		   "	stxr" suffix " %w1, %" reg "0, [%2]\n" \
		   "	cbnz %w1, 1b"                             \
		   : "=&r"(old_), "=&r"(failed_)               \
		   : "r"((u64)(u32) & (word))                  \
		   : "memory");                                \
 } while (0)

static int exclusives(void *arg)
{
	(void)arg;
	for (u32 i = 0; i < increments; i++) {
		u64 a, b, failed;

		EXCLUSIVE("b", "w", n.b);
		EXCLUSIVE("h", "w", n.h);
		EXCLUSIVE("", "w", n.w);
		EXCLUSIVE("", "x", n.x);
		__asm__ volatile("1:	ldaxp %0, %1, [%3]\n"
				 "	add %0, %0, #1\n"
				 "	sub %1, %1, #1\n"
				 "	stlxp %w2, %0, %1, [%3]\n"
				 "	cbnz %w2, 1b"
				 : "=&r"(a), "=&r"(b), "=&r"(failed)
				 : "r"((u64)(u32)&n.wide)
				 : "memory");
	}
	return 0;
}

static int lse(void *arg)
{
	(void)arg;
	for (u32 i = 0; i < increments; i++) {
		u64 old, one = 1, seen, want, a, b;

		__asm__ volatile(".arch_extension lse\n"
				 "	ldaddal %2, %0, [%1]"
				 : "=r"(old)
				 : "r"((u64)(u32)&n.d), "r"(one)
				 : "memory");
		do {
			want = n.cas;
			seen = want;
			__asm__ volatile("casal %w0, %w2, [%1]"
					 : "+r"(seen)
					 : "r"((u64)(u32)&n.cas), "r"(want + 1)
					 : "memory");
		} while ((u32)seen != (u32)want);
		do {
			register u64 x0 __asm__("x0") = n.wide[0];
			register u64 x1 __asm__("x1") = n.wide[1];
			register u64 x2 __asm__("x2") = x0 + 1;
			register u64 x3 __asm__("x3") = x1 - 1;

			a = x0;
			b = x1;
			__asm__ volatile("caspal x0, x1, x2, x3, [%4]"
					 : "+r"(x0), "+r"(x1)
					 : "r"(x2), "r"(x3), "r"((u64)(u32)&n.wide)
					 : "memory");
			seen = x0 == a && x1 == b;
		} while (!seen);
		/* A lock by swap. */
		do
			__asm__ volatile("swpa %w2, %w0, [%1]"
					 : "=r"(old)
					 : "r"((u64)(u32)&n.swap), "r"(1)
					 : "memory");
		while ((u32)old && sys(NR_sched_yield) == 0);
		n.pair_lo++;
		__asm__ volatile("stlr wzr, [%0]" : : "r"((u64)(u32)&n.swap) : "memory");
	}
	return 0;
}

static void counting(void)
{
	u32 m = THREADS * increments;

	all("exclusives", exclusives);
	print(", right %u\n", n.b == (u8)m && n.h == (u16)m && n.w == m && n.x == m &&
				      n.wide[0] == m && n.wide[1] == -(u64)m);
	all("atomics", lse);
	print(", right %u\n", n.d == m && n.cas == m && n.pair_lo == m && n.wide[0] == 2 * (u64)m &&
				      n.wide[1] == -2 * (u64)m);
}

/* --- mutexes --- */

static volatile u32 mutex, inside, total;

static u32 cas(volatile u32 *p, u32 want, u32 v)
{
	u32 seen = want;

	__asm__ volatile("casal %w0, %w2, [%1]" : "+r"(seen) : "r"((u64)(u32)p), "r"(v) : "memory");
	return seen;
}

static u32 swap(volatile u32 *p, u32 v)
{
	u32 old;

	__asm__ volatile("swpal %w2, %w0, [%1]" : "=r"(old) : "r"((u64)(u32)p), "r"(v) : "memory");
	return old;
}

static void critical(void)
{
	expect(inside++ == 0);
	total++;
	if (total % 16 == 0)
		sys(NR_sched_yield);
	expect(--inside == 0);
}

/* 0 free, 1 taken, 2 with waiters. */
static int plain_mutex(void *arg)
{
	u32 bit = 1u << (u32)arg;

	for (u32 i = 0; i < LOCKS; i++) {
		if (cas(&mutex, 0, 1)) {
			while (swap(&mutex, 2))
				futex(&mutex, FUTEX_WAIT_BITSET | FUTEX_PRIVATE, 2, 0, 0, bit);
		}
		critical();
		if (swap(&mutex, 0) == 2)
			futex(&mutex, FUTEX_WAKE_BITSET | FUTEX_PRIVATE, 1, 0, 0, 0xffffffffu);
	}
	return 0;
}

static void pi_lock(u32 me, u32 i)
{
	if (cas(&mutex, 0, me) == 0)
		return;
	if (i % 4 == 0) {
		while (futex(&mutex, FUTEX_TRYLOCK_PI, 0, 0, 0, 0) != 0)
			sys(NR_sched_yield);
	} else {
		expect(futex(&mutex, FUTEX_LOCK_PI, 0, 0, 0, 0) == 0);
	}
}

static void pi_unlock(u32 me)
{
	if (cas(&mutex, me, 0) != me)
		expect(futex(&mutex, FUTEX_UNLOCK_PI, 0, 0, 0, 0) == 0);
}

static int pi_mutex(void *arg)
{
	u32 me = (u32)sys(NR_gettid);

	(void)arg;
	for (u32 i = 0; i < LOCKS; i++) {
		pi_lock(me, i);
		expect((mutex & TID_MASK) == me);
		critical();
		pi_unlock(me);
	}
	return 0;
}

/* Each thread dies with the lock; the next finds that. */
static struct {
	u32 next, lock;
} entry[THREADS];
static struct {
	u32 next;
	s32 offset;
	u32 pending;
} head[THREADS];

static int robust_mutex(void *arg)
{
	u32 me = (u32)sys(NR_gettid), i = (u32)arg, v;

	entry[i].next = (u32)&head[i];
	head[i].next = (u32)&entry[i];
	/* All entries are about the one lock. */
	head[i].offset = (s32)((u32)&mutex - (u32)&entry[i]);
	sys(NR_set_robust_list, &head[i], 12);
	for (;;) {
		v = mutex;
		if (v & TID_MASK) {
			if ((v & WAITERS) || cas(&mutex, v, v | WAITERS) == v)
				futex(&mutex, FUTEX_WAIT, v | WAITERS, 0, 0, 0);
		} else if (cas(&mutex, v, me | (v & WAITERS) | WAITERS) == v) {
			break;
		}
	}
	expect(total == 0 || (v & OWNER_DIED));
	critical();
	return 0;
}

static void mutexes(void)
{
	all("mutex", plain_mutex);
	print(", entered %u, word %u\n", total, mutex);
	total = mutex = 0;
	all("PI mutex", pi_mutex);
	print(", entered %u, word %u\n", total, mutex);
	total = mutex = 0;
	all("robust mutex", robust_mutex);
	print(", entered %u, word %x\n", total, mutex & ~WAITERS);
	total = mutex = 0;
}

/* --- conditions: everybody waits on one word and is handed to another --- */

static volatile u32 condition, waiting, woken;

static int requeued(void *arg)
{
	(void)arg;
	add_lse(&waiting, 1);
	s64 r = futex(&condition, FUTEX_WAIT, 0, 0, 0, 0);
	expect(r == 0);
	add_lse(&woken, 1);
	/* Each passes it on to the next. */
	futex(&mutex, FUTEX_WAKE, 1, 0, 0, 0);
	return 0;
}

static int requeued_pi(void *arg)
{
	u32 me = (u32)sys(NR_gettid);

	(void)arg;
	add_lse(&waiting, 1);
	s64 r = futex(&condition, FUTEX_WAIT_REQUEUE_PI, 0, 0, &mutex, 0);
	expect(r == 0 && (mutex & TID_MASK) == me);
	critical();
	add_lse(&woken, 1);
	expect(futex(&mutex, FUTEX_UNLOCK_PI, 0, 0, 0, 0) == 0);
	return 0;
}

/* Moves all of them by OP, in the end: who has not got to sleep yet comes later. */
static void broadcast(const char *name, thread_fn *fn, u32 op)
{
	u32 moved = 0;

	waiting = woken = condition = mutex = 0;
	for (u32 i = 0; i < THREADS; i++)
		expect(thread_start(&t[i], fn, 0) > 0);
	while (waiting < THREADS)
		sleep_ms(1);
	while (moved < THREADS) {
		s64 r = futex(&condition, op, op == FUTEX_CMP_REQUEUE_PI, (void *)1000, &mutex, 0);

		expect(r >= 0);
		moved += r > 0 ? (u32)r : 0;
		if (op == FUTEX_CMP_REQUEUE && moved == THREADS)
			expect(woken == 0);
		sleep_ms(1);
	}
	if (op == FUTEX_CMP_REQUEUE)
		futex(&mutex, FUTEX_WAKE, 1, 0, 0, 0);
	for (u32 i = 0; i < THREADS; i++)
		thread_join(&t[i]);
	print("%s: failures %u, moved %u, woken %u\n", name, failures, moved, woken);
	failures = 0;
}

/* --- coming and going --- */

static int nothing(void *arg)
{
	add_exclusive(&total, (u32)arg);
	return 0;
}

static void coming_and_going(void)
{
	u32 started = 0;

	total = 0;
	for (u32 i = 0; i < SHORT; i++) {
		struct thread *one = &t[i % THREADS];

		if (i >= THREADS)
			thread_join(one);
		started += thread_start(one, nothing, (void *)1) > 0;
	}
	for (u32 i = 0; i < THREADS; i++)
		thread_join(&t[i]);
	print("short threads: started %u, ran %u\n", started, total);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1) {
		increments = 0;
		for (const char *p = argv[1]; *p; p++)
			increments = increments * 10 + (u32)(*p - '0');
	}
	counting();
	mutexes();
	broadcast("requeue", requeued, FUTEX_CMP_REQUEUE);
	broadcast("requeue to PI", requeued_pi, FUTEX_CMP_REQUEUE_PI);
	coming_and_going();
	return 0;
}
