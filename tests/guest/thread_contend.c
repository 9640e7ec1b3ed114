// SPDX-License-Identifier: GPL-2.0-or-later
// Futexes under contention: the operation of FUTEX_WAKE_OP is one with the atomics of other threads, each wake-up of
// it reaches one waiter, and waiters in futex_waitv are told a word that was woken.
#include "proc.h"

enum { NR_futex_waitv = 449, WAKE_OP = 5, PRIVATE = 128, U32_SIZE = 2 };
enum { THREADS = 4, TURNS = 2000, WORDS = 8, WAKES = 600 };
/* word2 += 1; wake there, too, if it was >= 0 */
#define ADD_ONE_IF_GE_0 (1u << 28 | 5u << 24 | 1u << 12)

static struct thread t[THREADS];
static volatile u32 word, word2, errors;

static int add_by_both(void *arg)
{
	for (u32 i = 0; i < TURNS; i++) {
		if (((u32)arg + i) % 2)
			add_exclusive(&word2, 1);
		else if (sys(NR_futex, &word, WAKE_OP | PRIVATE, 1, 1, &word2, ADD_ONE_IF_GE_0) !=
			 0)
			add_exclusive(&errors, 1);
	}
	return 0;
}

static void operations(void)
{
	for (u32 i = 0; i < THREADS; i++)
		thread_start(&t[i], add_by_both, (void *)i);
	for (u32 i = 0; i < THREADS; i++)
		thread_join(&t[i]);
	print("wake_op and exclusives: %u of %u, errors %u\n", word2, THREADS * TURNS, errors);
}

/* --- waiting on many words --- */

struct waitv {
	u64 val, uaddr;
	u32 flags, reserved;
};

static volatile u32 words[WORDS], stop, seen[WORDS], woken;

static int wait_for_any(void *arg)
{
	struct waitv v[WORDS];

	(void)arg;
	for (u32 i = 0; i < WORDS; i++)
		v[i] = (struct waitv){0, (u32)&words[i], U32_SIZE | PRIVATE, 0};
	while (!stop) {
		s64 r = sys(NR_futex_waitv, v, WORDS, 0, 0, 0);

		if (r >= 0 && r < WORDS)
			add_exclusive(&seen[r], 1);
		else if (r != -EAGAIN)
			add_exclusive(&errors, 1);
		add_exclusive(&woken, 1);
	}
	return 0;
}

static void many_words(void)
{
	u32 sent[WORDS] = {0}, total = 0, random = 1;

	errors = 0;
	for (u32 i = 0; i < THREADS; i++)
		thread_start(&t[i], wait_for_any, 0);
	while (total < WAKES) {
		random = random * 1103515245 + 12345;
		u32 w = random >> 16 & (WORDS - 1);
		s64 r = futex(&words[w], FUTEX_WAKE | PRIVATE, 1, 0, 0, 0);

		if (r < 0 || r > 1)
			errors++;
		sent[w] += (u32)r;
		total += (u32)r;
		if (!r)
			sys(124);
	}
	/* Who comes now finds another value. */
	stop = 1;
	for (u32 i = 0; i < WORDS; i++)
		words[i] = 1;
	for (u32 i = 0, r = 0; i < THREADS; r = 0) {
		/* Those that slept before that. */
		for (u32 w = 0; w < WORDS; w++) {
			s64 n = futex(&words[w], FUTEX_WAKE | PRIVATE, 1, 0, 0, 0);

			sent[w] += (u32)n;
			r += (u32)n;
		}
		if (!t[i].alive)
			i++;
		else
			sys(124);
	}
	/* Two may hit one waiter before it runs (futex_unqueue_multiple() tells the last). */
	u32 good = 0, told = 0;
	for (u32 w = 0; w < WORDS; w++) {
		good += seen[w] <= sent[w];
		told += seen[w];
	}
	print("waitv: no waiter told of a word that nobody woke: %u of %u words, errors %u, told %d\n",
	      good, WORDS, errors, told > 0);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	operations();
	many_words();
	return 0;
}
