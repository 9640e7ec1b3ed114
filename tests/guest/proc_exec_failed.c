// SPDX-License-Identifier: GPL-2.0-or-later
// An execve that the host kernel refuses changes nothing; one that succeeds, and death, release a lock of a
// robust list and the CLEARTID word in shared memory. And how long arguments may be.
#include "proc.h"

enum { OWNER_DIED = 0x40000000 };

/* A lock as C libraries have it: the entry, and the futex 4 bytes behind it. */
struct shared {
	u32 next, lock;
	u32 head, offset, pending;
	u32 tid; /* CLEARTID's */
	s32 error;
};
static struct shared *s;

static u8 stack[32768] __attribute__((aligned(16)));
static char name[] = "/tmp/proc_exec_failed.00000000";
static const char *const none[1];

static void take_lock(void)
{
	s->head = (u32)&s->next;
	s->next = (u32)&s->head;
	s->offset = 4;
	s->pending = 0;
	s->lock = (u32)sys(NR_gettid);
	sys(NR_set_robust_list, &s->head, 12);
}

static const char *lock_state(u32 tid)
{
	return s->lock == tid ? "held" : s->lock == OWNER_DIED ? "owner died" : "something else";
}

/* A program of the host's own machine, by its head, that has nothing to be executed. */
static void make_bad_program(void)
{
	u8 head[64] = {0};
	u32 pid = (u32)sys(NR_getpid);
	s64 fd = sys(NR_openat, -100, "/bin/sh", 0, 0);

	sys(NR_read, fd, head, 64);
	sys(NR_close, fd);
	for (u32 i = sizeof(name) - 2; name[i] != '.'; i--, pid /= 10)
		name[i] = (char)('0' + pid % 10);
	head[56] = head[57] = 0; /* e_phnum */
	fd = sys(NR_openat, -100, name, 0102, 0755);
	sys(NR_write, fd, head, 64);
	sys(NR_close, fd);
}

static s64 refused(void)
{
	const char *argv[2] = {"bad", 0};

	return sys(NR_execve, name, argv, none);
}

static void in_fork(void)
{
	s64 pid = fork_();

	if (!pid) {
		u32 tid = (u32)sys(NR_gettid), head = 0, len;

		take_lock();
		s64 r = refused();
		sys(NR_get_robust_list, 0, &head, &len);
		print("refused %ld: %s, list kept %d\n", r, lock_state(tid), head == (u32)&s->head);
		exec_self("child", 0, 0);
		quit(1);
	}
	int status = wait_for(pid);
	print("executed: %s, status %x\n", lock_state((u32)pid), status);
}

static int try_in_thread(void *arg)
{
	(void)arg;
	s->error = (s32)refused();
	return 0;
}

static void in_thread(void)
{
	static struct thread t;
	u32 second[2] = {1, 0};

	thread_start(&t, try_in_thread, 0);
	for (int i = 0; i < 20 && t.alive; i++)
		futex(&t.alive, FUTEX_WAIT, 1, second, 0, 0);
	print("thread: refused %d, then its end is told %d\n", s->error, !t.alive);
}

static int execute(void *arg)
{
	const char *argv[3] = {"self", "child", 0};

	take_lock();
	s->error = (s32)sys(NR_execve, arg, argv, none);
	s->pending = s->lock == (u32)sys(NR_gettid);
	sys(NR_kill, sys(NR_getpid), SIGKILL);
	return 0;
}

static void in_vfork(const char *path)
{
	s->error = 0;
	s64 pid = clone_call(execute, (void *)path,
			     CLONE_VM | CLONE_VFORK | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID |
				     SIGCHLD,
			     stack + sizeof(stack), 0, 0, &s->tid);
	int status = wait_for(pid);
	print("vfork: error %d, held then %u, now %s, tid %u, status %x\n", s->error, s->pending,
	      lock_state((u32)pid), s->tid, status);
}

/* TOTAL bytes of strings of N bytes each. */
static void long_arguments(const char *what, u32 total, u32 n, u64 stack_limit)
{
	static char text[131073];
	static const char *argv[1000], *envp[1000];
	u64 limit[2] = {stack_limit, ~0ull};
	s64 pid = fork_();

	if (!pid) {
		for (u32 i = 0; i < n - 1; i++)
			text[i] = 'x';
		text[n - 1] = 0;
		argv[0] = "self";
		argv[1] = "child";
		for (u32 i = 0; i < total / n; i++)
			envp[i] = text;
		sys(NR_prlimit64, 0, 3, limit, 0);
		s64 r = sys(NR_execve, "/proc/self/exe", argv, envp);
		quit((int)-r);
	}
	print("%s: status %x\n", what, wait_for(pid));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argv, (void)envp, (void)auxv;
	if (argc > 1)
		return 42;
	s = (struct shared *)(u32)sys(NR_mmap2, 0, 4096, 3, 0x21, -1, 0);
	make_bad_program();
	in_fork();
	in_thread();
	in_vfork(name);
	in_vfork("/proc/self/exe");
	sys(NR_unlinkat, -100, name, 0);
	long_arguments("2 MB with 8 MiB of stack", 2000000, 100000, 8 << 20);
	long_arguments("more", 2200000, 100000, 8 << 20);
	long_arguments("6 MB with 64 MiB of stack", 6000000, 100000, 64 << 20);
	long_arguments("the longest string", 131072, 131072, 8 << 20);
	long_arguments("one byte more", 131073, 131073, 8 << 20);
	flush();
	return 0;
}
