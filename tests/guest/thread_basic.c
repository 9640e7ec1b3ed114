// SPDX-License-Identifier: GPL-2.0-or-later
// Threads: what clone writes and when, TLS, what is shared, and how a process of threads ends.
#include "proc.h"

static struct thread t[4];
static u32 child_word;
static volatile u32 seen_ptid, seen_ctid, seen_sp_aligned, counter;
static volatile u64 seen_tls;

static u64 tpidr(void)
{
	u64 v;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(v));
	return v;
}

static int look(void *arg)
{
	struct thread *self = arg;
	u32 tid = (u32)sys(NR_gettid);

	seen_ptid = self->tid == tid;
	seen_ctid = child_word == tid;
	seen_tls = tpidr();
	return 0;
}

static void words(void)
{
	s64 r = clone_call(look, &t[0], THREAD_FLAGS | CLONE_SETTLS | CLONE_CHILD_SETTID,
			   t[0].stack + sizeof(t[0].stack), &t[0].tid, 0xfeedface12345678ull,
			   &child_word);

	print("tid positive %d, equal to the parent's word %d\n", r > 0, (u32)r == t[0].tid);
	while (child_word)
		futex(&child_word, FUTEX_WAIT, (u32)r, 0, 0, 0);
	print("child: sees ptid %d ctid %d, tls %016lx\n", seen_ptid, seen_ctid, seen_tls);
}

/* Shared memory with exclusives and atomics: no increment is lost. */
static int count(void *arg)
{
	for (u32 i = 0; i < (u32)arg; i++) {
		add_exclusive(&counter, 1);
		add_lse(&counter, 1);
	}
	return 0;
}

static void counting(void)
{
	for (int i = 0; i < 4; i++)
		thread_start(&t[i], count, (void *)50000);
	for (int i = 0; i < 4; i++)
		thread_join(&t[i]);
	print("counted %u\n", counter);
}

/* A thread that spins does not keep others from running. */
static volatile u32 stop;

static int spin(void *arg)
{
	(void)arg;
	while (!stop)
		;
	return 0;
}

static void spinning(void)
{
	thread_start(&t[0], spin, 0);
	thread_start(&t[1], spin, 0);
	sleep_ms(20);
	stop = 1;
	thread_join(&t[0]);
	thread_join(&t[1]);
	print("spinners stopped\n");
}

/* Many short threads: ids are given back, nothing piles up. */
static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static void many(void)
{
	u32 ok = 0;

	for (int i = 0; i < 300; i++) {
		ok += thread_start(&t[i % 4], nothing, 0) > 0;
		thread_join(&t[i % 4]);
	}
	print("short threads: %u\n", ok);
}

/* The process has the status of its first thread when all have called exit. */
static int late(void *arg)
{
	sleep_ms(30);
	return (int)(u32)arg;
}

static int exits(void (*first)(void), u32 second)
{
	s64 pid = fork_();

	if (!pid) {
		thread_start(&t[0], late, (void *)second);
		first();
	}
	return wait_for(pid);
}

static void leader_exit(void)
{
	for (;;)
		sys(NR_exit, 3);
}

static void leader_exit_group(void)
{
	quit(5);
}

static int group_from_thread(void *arg)
{
	quit((int)(u32)arg);
}

static void ends(void)
{
	s64 pid;

	print("leader exits first: %x\n", exits(leader_exit, 9));
	print("exit_group with a thread: %x\n", exits(leader_exit_group, 9));
	pid = fork_();
	if (!pid) {
		thread_start(&t[0], group_from_thread, (void *)7);
		for (;;)
			sleep_ms(1000);
	}
	print("exit_group by a thread: %x\n", wait_for(pid));
}

/* fork in a thread: the child has that thread only, and goes on behind clone. */
static int fork_in_thread(void *arg)
{
	volatile u32 *result = arg;
	s64 pid = sys(NR_clone, 17, 0, 0, 0, 0);

	if (!pid) {
		u32 tid = (u32)sys(NR_gettid), p = (u32)sys(NR_getpid);
		sys(NR_exit, tid == p ? 21 : 22);
	}
	*result = (u32)wait_for(pid);
	return 0;
}

static void forking(void)
{
	u32 r = 0;

	thread_start(&t[0], fork_in_thread, &r);
	thread_join(&t[0]);
	print("fork in a thread: child status %x\n", r);
}

/* A thread with its own descriptor table and working directory (no CLONE_FILES, CLONE_FS). */
static int close_out(void *arg)
{
	(void)arg;
	return sys(NR_close, 7) != 0;
}

static void own_files(void)
{
	u32 flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_CHILD_CLEARTID;

	sys(NR_dup3, 1, 7, 0);
	t[0].alive = 1;
	clone_call(close_out, 0, flags, t[0].stack + sizeof(t[0].stack), 0, 0, (u32 *)&t[0].alive);
	thread_join(&t[0]);
	print("closed in another table, here: %ld\n", sys(NR_close, 7));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	words();
	counting();
	spinning();
	many();
	ends();
	forking();
	own_files();
	return 0;
}
