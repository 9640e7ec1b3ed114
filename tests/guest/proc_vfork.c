// SPDX-License-Identifier: GPL-2.0-or-later
// Processes in shared memory: vfork and posix_spawn's clone, CLONE_VM alone. What they share, what not,
// when the parent goes on, and that it survives whatever becomes of the child.
#include "proc.h"

static u8 stack[32768] __attribute__((aligned(16)));
static volatile u32 word;
static u32 ptid, ctid;

#define SPAWN (CLONE_VM | CLONE_VFORK | SIGCHLD)

static s64 spawn(thread_fn *fn, void *arg, u32 flags)
{
	flush();
	return clone_call(fn, arg, flags, stack + sizeof(stack), &ptid, 0, &ctid);
}

/* --- memory, and the order of things --- */

static int write_word(void *arg)
{
	sleep_ms(20);
	word = (u32)arg;
	return 6;
}

static void on_usr1(int sig)
{
	(void)sig;
}

static int change_dispositions(void *arg)
{
	(void)arg;
	set_handler(SIGUSR1, 0, 0);
	set_mask(SIG_SETMASK, 0);
	sys(NR_close, 9);
	return 0;
}

static void sharing(void)
{
	struct kernel_sigaction old;
	s64 pid = spawn(write_word, (void *)77, SPAWN | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID);

	print("memory after the call: %u, tids %d %d\n", word, ptid == (u32)pid, ctid == (u32)pid);
	print("status %x\n", wait_for(pid));

	set_handler(SIGUSR1, on_usr1, 0);
	set_mask(SIG_SETMASK, BIT(SIGTERM) | BIT(40));
	sys(NR_dup3, 1, 9, 0);
	pid = spawn(change_dispositions, 0, SPAWN);
	sys(NR_rt_sigaction, SIGUSR1, 0, &old, 8);
	print("handler kept %d, mask %lx, descriptor kept %ld, status %x\n",
	      old.handler == (u32)on_usr1, set_mask(SIG_SETMASK, 0), sys(NR_close, 9),
	      wait_for(pid));
}

/* vfork without a stack: both return from the same svc. */
static NOINLINE s64 raw_vfork(void)
{
	flush();
	return sys(NR_clone, SPAWN, 0, 0, 0, 0);
}

static void plain_vfork(void)
{
	s64 pid = raw_vfork();

	if (!pid) {
		word = 78;
		sys(NR_exit_group, 4);
	}
	print("vfork: memory %u, status %x\n", word, wait_for(pid));
}

/* --- execve --- */

static int run(void *arg)
{
	const char *argv[3] = {"self", arg, 0}, *envp[1] = {0};
	s64 r = sys(NR_execve, "/proc/self/exe", argv, envp);

	word = (u32)-r;
	return 127;
}

static int run_nothing(void *arg)
{
	const char *argv[1] = {0};
	s64 r = sys(NR_execve, arg, argv, argv);

	word = (u32)-r; /* glibc's posix_spawn tells its error this way */
	return 127;
}

static void executing(void)
{
	s64 pid;

	for (int i = 0; i < 3; i++) {
		word = 0;
		pid = spawn(run, "child", SPAWN);
		int status = wait_for(pid);
		print("spawned: error %u, status %x\n", word, status);
	}
	pid = spawn(run_nothing, "/nonexistent", SPAWN);
	print("error through memory: %u, status %x\n", word, wait_for(pid));
}

/* --- violent ends --- */

static int kill_self(void *arg)
{
	sys(NR_kill, sys(NR_getpid), (u32)arg);
	return 0;
}

static int fault(void *arg)
{
	*(volatile u32 *)arg = 1;
	return 0;
}

/* Killed from outside in the middle of running: nothing is left locked. */
static volatile u32 child_pid;

static void work_hard(u32 x)
{
	for (;;) {
		x = x * 1103515245 + 12345;
		/* new pages of code and data all the time */
		u32 p = (u32)sys(NR_mmap2, 0, 65536, 3, 0x22, -1, 0);
		*(volatile u32 *)(p + (x & 0xfffc)) = x;
		sys(NR_munmap, p, 65536);
	}
}

static void violence(void)
{
	s64 pid, k;
	int bad = 0;

	pid = spawn(kill_self, (void *)SIGKILL, SPAWN);
	print("killed: %x\n", wait_for(pid));
	pid = spawn(kill_self, (void *)SIGTERM, SPAWN);
	print("terminated: %x\n", wait_for(pid));
	pid = spawn(fault, (void *)16, SPAWN);
	print("fault: %x\n", wait_for(pid) & 0x7f);
	for (u32 i = 0; i < 8; i++) {
		u32 pipe[2];
		sys(NR_pipe2, pipe, 0);
		k = fork_();
		if (!k) {
			u32 victim = 0;
			sys(NR_close, pipe[1]);
			sys(NR_read, pipe[0], &victim, 4);
			for (volatile u32 spin = 0; spin < i * 3000; spin++)
				;
			/* 0 would be the whole process group. */
			if (victim)
				sys(NR_kill, victim, SIGKILL);
			quit(0);
		}
		/* The child writes its pid and works until it is killed. */
		s64 c = sys(NR_clone, SPAWN, 0, 0, 0, 0);
		if (!c) {
			child_pid = (u32)sys(NR_getpid);
			sys(NR_write, pipe[1], &child_pid, 4);
			work_hard(i);
		}
		bad += wait_for(c) != SIGKILL;
		wait_for(k);
		sys(NR_close, pipe[0]);
		sys(NR_close, pipe[1]);
	}
	print("killed while working: %d wrong\n", bad);
	print("memory still works: %d\n",
	      (u32)sys(NR_mmap2, 0, 65536, 3, 0x22, -1, 0) < 0xfffff000u);
}

/* A signal for the parent waits until the child is gone, and is not lost. */
static volatile u32 handled;

static void on_usr2(int sig)
{
	(void)sig;
	handled++;
}

static int signal_parent(void *arg)
{
	(void)arg;
	set_handler(SIGUSR2, 0, 0);
	sys(NR_kill, sys(NR_getppid), SIGUSR2);
	sleep_ms(10);
	word = handled;
	return 0;
}

static void signals(void)
{
	set_handler(SIGUSR2, on_usr2, 0);
	s64 pid = spawn(signal_parent, 0, SPAWN);
	print("handlers while the child lived: %u, afterwards: %u\n", word, handled);
	wait_for(pid);
}

/* A child in a child, and a fork in one. */
static int fork_in_vfork(void *arg)
{
	s64 pid = sys(NR_clone, SIGCHLD, 0, 0, 0, 0);

	(void)arg;
	if (!pid) {
		word = 99; /* in its own copy */
		sys(NR_exit_group, word == 99 ? 5 : 6);
	}
	return wait_for(pid) >> 8;
}

static u8 stack2[16384] __attribute__((aligned(16)));

static int vfork_in_vfork(void *arg)
{
	s64 pid;

	(void)arg;
	pid = clone_call(write_word, (void *)55, SPAWN, stack2 + sizeof(stack2), &ptid, 0, &ctid);
	return wait_for(pid) >> 8;
}

static void nested(void)
{
	s64 pid;

	word = 1;
	pid = spawn(fork_in_vfork, 0, SPAWN);
	print("fork inside: status %x, memory %u\n", wait_for(pid), word);
	pid = spawn(vfork_in_vfork, 0, SPAWN);
	print("vfork inside: status %x, memory %u\n", wait_for(pid), word);
}

/* vfork in one thread while another one works with the same memory. */
static struct thread t;
static volatile u32 stop, turns;

static int work(void *arg)
{
	(void)arg;
	while (!stop)
		add_exclusive(&turns, 1);
	return 0;
}

static int wait_for_turns(void *arg)
{
	u32 from = turns;

	(void)arg;
	while (turns - from < 1000)
		;
	return 0;
}

static void with_threads(void)
{
	s64 pid;
	int bad = 0;

	thread_start(&t, work, 0);
	for (int i = 0; i < 10; i++) {
		pid = spawn(wait_for_turns, 0, SPAWN);
		bad += wait_for(pid) != 0;
	}
	for (int i = 0; i < 3; i++) {
		pid = spawn(kill_self, (void *)SIGKILL, SPAWN);
		bad += wait_for(pid) != SIGKILL;
		pid = spawn(run, "child", SPAWN);
		bad += wait_for(pid) != 0x2a00;
	}
	stop = 1;
	thread_join(&t);
	print("with a working thread: %d wrong\n", bad);
}

/* CLONE_VM alone: both run. */
static int answer(void *arg)
{
	word = 1;
	futex(&word, FUTEX_WAKE, 1, 0, 0, 0);
	while (word != 2)
		futex(&word, FUTEX_WAIT, 1, 0, 0, 0);
	return (int)(u32)arg;
}

static void vm_alone(void)
{
	s64 pid;

	word = 0;
	pid = spawn(answer, (void *)11, CLONE_VM | SIGCHLD | CLONE_PARENT_SETTID);
	while (!word)
		futex(&word, FUTEX_WAIT, 0, 0, 0, 0);
	word = 2;
	futex(&word, FUTEX_WAKE, 1, 0, 0, 0);
	print("CLONE_VM: another process %d, status %x\n",
	      ptid == (u32)pid && pid != sys(NR_getpid), wait_for(pid));
	pid = spawn(kill_self, (void *)SIGKILL, CLONE_VM | SIGCHLD);
	print("CLONE_VM, killed: %x\n", wait_for(pid));
	pid = spawn(run, "child", CLONE_VM | SIGCHLD);
	print("CLONE_VM, execve: %x\n", wait_for(pid));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1 && equal(argv[1], "child"))
		return 42;
	sharing();
	plain_vfork();
	executing();
	violence();
	signals();
	nested();
	with_threads();
	vm_alone();
	return 0;
}
