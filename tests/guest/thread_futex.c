// SPDX-License-Identifier: GPL-2.0-or-later
// Futexes: commands, time-outs in both forms, restart rules, robust lists.
#include "proc.h"

static struct thread t[4];
static volatile u32 word, word2, woken;

static int wait_word(void *arg)
{
	s64 r = futex(&word, (u32)arg, 0, 0, 0, 0xffffffffu);

	add_exclusive(&woken, r == 0);
	return 0;
}

/* Until N threads sleep on WORD: a requeue to itself counts them. */
static void sleepers(u32 n)
{
	for (;;) {
		s64 r = futex(&word, FUTEX_REQUEUE, 0, (void *)100, &word, 0);
		if (r >= (s64)n)
			return;
		sleep_ms(1);
	}
}

static void start(u32 n, u32 op)
{
	word = 0;
	woken = 0;
	for (u32 i = 0; i < n; i++)
		thread_start(&t[i], wait_word, (void *)op);
	sleepers(n);
}

static void commands(void)
{
	u32 ones[2] = {0, 1000000};

	word = 1;
	print("wait, other value: %ld\n", futex(&word, FUTEX_WAIT, 0, 0, 0, 0));
	print("wait, misaligned: %ld\n", sys(NR_futex, (u32)&word + 1, FUTEX_WAIT, 0, 0, 0, 0));
	print("wait, unmapped: %ld\n", sys(NR_futex, 0x1000, FUTEX_WAIT, 0, 0, 0, 0));
	print("wake, nobody: %ld\n", futex(&word, FUTEX_WAKE, 1, 0, 0, 0));
	print("fd: %ld, command 99: %ld\n", futex(&word, FUTEX_FD, 0, 0, 0, 0),
	      futex(&word, 99, 0, 0, 0, 0));
	print("wait, 1 ms: %ld\n", futex(&word, FUTEX_WAIT, 1, ones, 0, 0));
	print("wake, garbage as time-out: %ld\n", sys(NR_futex, &word, FUTEX_WAKE, 1, 0xdead0000u));
	start(3, FUTEX_WAIT);
	print("wake 2 of 3: %ld\n", futex(&word, FUTEX_WAKE, 2, 0, 0, 0));
	print("wake the rest: %ld\n", futex(&word, FUTEX_WAKE, 99, 0, 0, 0));
	for (int i = 0; i < 3; i++)
		thread_join(&t[i]);
	print("woken: %u\n", woken);
	start(3, FUTEX_WAIT);
	print("cmp_requeue, wrong value: %ld\n",
	      futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)9, &word2, 5));
	print("cmp_requeue 1 + 1: %ld\n", futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &word2, 0));
	print("on the second word: %ld, on the first: %ld\n", futex(&word2, FUTEX_WAKE, 9, 0, 0, 0),
	      futex(&word, FUTEX_WAKE, 9, 0, 0, 0));
	for (int i = 0; i < 3; i++)
		thread_join(&t[i]);
	start(1, FUTEX_WAIT_BITSET);
	print("wake_bitset: %ld\n", futex(&word, FUTEX_WAKE_BITSET, 1, 0, 0, 4));
	thread_join(&t[0]);
	start(1, FUTEX_WAIT);
	word2 = 6;
	/* *word2 = 7 if it was 6, then wake its sleepers too: FUTEX_OP(SET, 7, EQ, 6) */
	print("wake_op: %ld, word %u\n",
	      futex(&word, FUTEX_WAKE_OP, 1, (void *)1, &word2, 0u << 28 | 0u << 24 | 7u << 12 | 6),
	      word2);
	thread_join(&t[0]);
}

static void timeouts(void)
{
	u32 past[2] = {1, 0}, bad[2] = {0, 1000000000u}, neg[2] = {0xffffffffu, 0},
	    long1[2] = {0, 60000000};
	u64 past64[2] = {1, 0}, rel64[2] = {0, 0xdeadbeef00000000ull | 30000000u}, from;

	word = 0;
	print("absolute, past: %ld\n", futex(&word, FUTEX_WAIT_BITSET, 0, past, 0, 0xffffffffu));
	print("absolute, past, realtime: %ld\n",
	      futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, past, 0, 0xffffffffu));
	print("bitset 0: %ld\n", futex(&word, FUTEX_WAIT_BITSET, 0, past, 0, 0));
	print("nanoseconds 10^9: %ld, seconds -1: %ld, unmapped: %ld\n",
	      futex(&word, FUTEX_WAIT, 0, bad, 0, 0), futex(&word, FUTEX_WAIT, 0, neg, 0, 0),
	      futex(&word, FUTEX_WAIT, 0, (void *)0x1000, 0, 0));
	from = now_ms();
	s64 r = futex(&word, FUTEX_WAIT, 0, long1, 0, 0);
	u64 took = now_ms() - from;
	print("60 ms: %ld, took its time %d\n", r, took >= 59 && took < 1000);
	print("time64 absolute: %ld\n",
	      sys(NR_futex_time64, &word, FUTEX_WAIT_BITSET, 0, past64, 0, 0xffffffffu));
	from = now_ms();
	r = sys(NR_futex_time64, &word, FUTEX_WAIT, 0, rel64, 0, 0);
	took = now_ms() - from;
	print("time64, garbage above nanoseconds: %ld, took its time %d\n", r,
	      r == -ENOSYS || (took >= 29 && took < 1000));
}

static volatile u32 handled;

static void on_alarm(int sig)
{
	(void)sig;
	handled++;
}

static void alarm_ms(u32 ms)
{
	u32 it[4] = {0, 0, ms / 1000, ms % 1000 * 1000};

	sys(NR_setitimer, 0, it, 0);
}

/* A child that sends SIGALRM when its parent sleeps. */
static s64 alarm_asleep(void)
{
	u32 parent = (u32)sys(NR_getpid);
	s64 pid = fork_();

	if (pid)
		return pid;
	wait_until_sleeping(parent);
	sys(NR_kill, parent, SIGALRM);
	quit(0);
}

/* Stops and continues its parent after a while. */
static s64 stopper(u32 ms)
{
	s64 pid = fork_(), parent;

	if (pid)
		return pid;
	parent = sys(NR_getppid);
	sleep_ms(ms);
	sys(NR_kill, (u32)parent, SIGSTOP);
	sleep_ms(ms);
	sys(NR_kill, (u32)parent, SIGCONT);
	quit(0);
}

static void restarts(void)
{
	u32 minute[2] = {60, 0}, tenth[2] = {0, 150000000};
	u64 from;
	s64 r, pid;

	word = 0;
	set_handler(SIGALRM, on_alarm, 0);
	pid = alarm_asleep();
	print("no time-out, handler: %ld\n", futex(&word, FUTEX_WAIT, 0, 0, 0, 0));
	wait_for(pid);
	set_handler(SIGALRM, on_alarm, SA_RESTART);
	pid = alarm_asleep();
	print("time-out, handler with SA_RESTART: %ld\n",
	      futex(&word, FUTEX_WAIT, 0, minute, 0, 0));
	wait_for(pid);
	print("handlers: %u\n", handled);
	/* Stopped in the middle: ends 150 ms after its begin, or later by the 4.14 kernel's defect. */
	pid = stopper(40);
	from = now_ms();
	r = futex(&word, FUTEX_WAIT, 0, tenth, 0, 0);
	print("stopped and continued: %ld, not early %d\n", r, now_ms() - from >= 149);
	wait_for(pid);
}

/* SA_RESTART without time-out: goes on waiting. */
static int wake_later(void *arg)
{
	(void)arg;
	while (!handled)
		sleep_ms(1);
	sleep_ms(20);
	word = 1;
	futex(&word, FUTEX_WAKE, 1, 0, 0, 0);
	return 0;
}

static void restarted(void)
{
	s64 r;

	word = 0;
	handled = 0;
	set_mask(SIG_BLOCK, BIT(SIGALRM));
	thread_start(&t[0], wake_later, 0);
	set_mask(SIG_UNBLOCK, BIT(SIGALRM));
	alarm_ms(20);
	r = futex(&word, FUTEX_WAIT, 0, 0, 0, 0);
	/* The value may have changed before the second attempt. */
	print("no time-out, SA_RESTART: woken %d, handlers %u\n", r == 0 || r == -EAGAIN, handled);
	thread_join(&t[0]);
}

static void pi(void)
{
	u32 tid = (u32)sys(NR_gettid);

	word = 0;
	print("lock_pi: %ld", futex(&word, FUTEX_LOCK_PI, 0, 0, 0, 0));
	print(" owner is this thread %d\n", word == tid);
	print("lock_pi again: %ld\n", futex(&word, FUTEX_LOCK_PI, 0, 0, 0, 0));
	print("unlock_pi: %ld, word %u\n", futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0), word);
	print("unlock_pi, not owner: %ld\n", futex(&word, FUTEX_UNLOCK_PI, 0, 0, 0, 0));
}

/* --- robust lists --- */

struct robust {
	u32 next, lock;
};
static struct robust entries[3];
static struct {
	u32 next;
	s32 offset;
	u32 pending;
} head;

static int die_with_locks(void *arg)
{
	u32 tid = (u32)sys(NR_gettid);

	(void)arg;
	head.next = (u32)&entries[0];
	head.offset = 4;
	head.pending = (u32)&entries[2];
	entries[0] = (struct robust){(u32)&entries[1], tid | 0x80000000u};
	entries[1] = (struct robust){(u32)&head, 12345}; /* somebody else's */
	entries[2] = (struct robust){0, tid};
	return sys(NR_set_robust_list, &head, 12) != 0;
}

static int circular(void *arg)
{
	u32 tid = (u32)sys(NR_gettid);

	(void)arg;
	head.next = (u32)&entries[0];
	head.offset = 4;
	head.pending = 0;
	entries[0] = (struct robust){(u32)&entries[1], tid};
	entries[1] = (struct robust){(u32)&entries[0], tid};
	sys(NR_set_robust_list, &head, 12);
	return 0;
}

static void robust(void)
{
	u32 out[4] = {0xa5a5a5a5u, 0xa5a5a5a5u, 0xa5a5a5a5u, 0xa5a5a5a5u};

	print("set_robust_list, 24 bytes: %ld\n", sys(NR_set_robust_list, &head, 24));
	thread_start(&t[0], die_with_locks, 0);
	thread_join(&t[0]);
	print("dead owner: %08x, other owner: %u, pending: %08x\n", entries[0].lock,
	      entries[1].lock, entries[2].lock);
	thread_start(&t[0], circular, 0);
	thread_join(&t[0]);
	print("circular list: %08x %08x\n", entries[0].lock, entries[1].lock);
	sys(NR_set_robust_list, 0x12345678, 12);
	print("get_robust_list: %ld, %x %u, neighbours %x %x\n",
	      sys(NR_get_robust_list, 0, &out[1], &out[2]), out[1], out[2], out[0], out[3]);
	print("get_robust_list, no such thread: %ld\n",
	      sys(NR_get_robust_list, 0x3ffffff, &out[1], &out[2]));
	sys(NR_set_robust_list, 0, 12);
}

/* The death of a process: a lock in shared memory, a waiter in another process. */
static void robust_shared(void)
{
	struct robust *sh = (void *)(u32)sys(NR_mmap2, 0, 4096, 3, 0x21, -1, 0);
	u32 parent = (u32)sys(NR_getpid);
	volatile u32 *waits = &sh[1].lock;
	s64 pid = fork_();
	int status;

	if (!pid) {
		head.next = (u32)&sh[0];
		head.offset = 4;
		head.pending = 0;
		sh[0] = (struct robust){(u32)&head, (u32)sys(NR_gettid) | 0x80000000u};
		sys(NR_set_robust_list, &head, 12);
		while (!*waits)
			sleep_ms(1);
		wait_until_sleeping(parent);
		quit(0);
	}
	while (!*(volatile u32 *)&sh[0].lock)
		sleep_ms(1);
	*waits = 1;
	s64 r = futex(&sh[0].lock, FUTEX_WAIT, sh[0].lock, 0, 0, 0);
	status = wait_for(pid);
	print("owner process died: wait %ld, word %08x, status %x\n", r, sh[0].lock, status);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	commands();
	timeouts();
	restarts();
	restarted();
	pi();
	robust();
	robust_shared();
	return 0;
}
