// SPDX-License-Identifier: GPL-2.0-or-later
// clone and clone3: what each combination of flags shares between two processes. The child changes its memory, its
// umask, its descriptors and a signal's action; the parent looks what became of its own.
#include "proc.h"

enum { NR_umask = 166, EEXIST = 17, DUMMY = 100 };
#define CLONE_VFORK_VM (CLONE_VM | CLONE_VFORK)
#define CLONE_UNTRACED 0x00800000u
#define CLONE_IO       0x80000000u
#define WALL           0x40000000u
#define IGNORED        1u

static const struct {
	u32 flag;
	const char *name;
} flags[] = {
	{CLONE_VM, " memory"},       {CLONE_FS, " umask"}, {CLONE_FILES, " descriptors"},
	{CLONE_SIGHAND, " actions"}, {CLONE_VFORK, 0},     {CLONE_SYSVSEM, 0},
	{CLONE_UNTRACED, 0},         {CLONE_IO, 0},
};
#define COUNT (sizeof(flags) / sizeof(flags[0]))

static u8 stack[32768] __attribute__((aligned(16)));
static volatile u32 memory, handled, ready;

static void on_signal(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)info, (void)uc;
	handled++;
}

static u32 action_of(int sig)
{
	struct kernel_sigaction a;

	sys(NR_rt_sigaction, sig, 0, &a, 8);
	return a.handler;
}

static int change(void *arg)
{
	(void)arg;
	memory = 1;
	sys(NR_umask, 077);
	sys(NR_close, DUMMY);
	set_handler(SIGUSR1, IGNORED, 0);
	sys(NR_exit_group, 7);
	return 0;
}

/* Bits of the first four flags: what was shared. Negative: an error. */
static s64 shares(u32 with)
{
	int status = 0;
	s64 pid, r = 0;

	memory = 0;
	sys(NR_umask, 022);
	sys(NR_dup3, 1, DUMMY, 0);
	set_handler(SIGUSR1, 0, 0);
	pid = clone_call(change, 0, with | SIGCHLD, stack + sizeof(stack), 0, 0, 0);
	if (pid < 0)
		return pid;
	if (sys(NR_wait4, pid, &status, WALL, 0) != pid || status != 0x700)
		return -1000;
	if (memory)
		r |= CLONE_VM;
	if (sys(NR_umask, 022) == 077)
		r |= CLONE_FS;
	if (sys(NR_close, DUMMY) != 0)
		r |= CLONE_FILES;
	if (action_of(SIGUSR1) == IGNORED)
		r |= CLONE_SIGHAND;
	return r;
}

static void all_combinations(void)
{
	const u32 visible = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND;
	unsigned good = 0, refused = 0;

	for (u32 set = 0; set < 1u << COUNT; set++) {
		u32 with = 0;
		s64 r;

		for (unsigned i = 0; i < COUNT; i++)
			with |= set >> i & 1 ? flags[i].flag : 0;
		r = shares(with);
		if (r == -EINVAL && (with & CLONE_SIGHAND) && !(with & CLONE_VM)) {
			refused++;
		} else if (r == (with & visible)) {
			good++;
		} else {
			print("flags %x: %d, shared:", with, (int)r);
			for (unsigned i = 0; r > 0 && i < 4; i++)
				print("%s", r & flags[i].flag ? flags[i].name : "");
			print("\n");
		}
	}
	print("%u combinations share what they say, %u are refused\n", good, refused);
}

/* --- signals of processes with one table of actions ------------------------------------------------ */

static int wait_for_signal(void *arg)
{
	(void)arg;
	ready = 1;
	while (!handled)
		sleep_ms(1);
	handled = 10;
	set_handler(SIGUSR2, on_signal, 0);
	sys(NR_exit_group, 3);
	return 0;
}

static void shared_handlers(void)
{
	s64 pid;

	set_handler(SIGUSR1, IGNORED, 0);
	set_handler(SIGUSR2, 0, 0);
	pid = clone_call(wait_for_signal, 0, CLONE_VM | CLONE_SIGHAND | SIGCHLD,
			 stack + sizeof(stack), 0, 0, 0);
	while (!ready)
		sleep_ms(1);
	/* After its birth: the child was made when the signal was ignored. */
	set_handler(SIGUSR1, on_signal, 0);
	sys(NR_kill, pid, SIGUSR1);
	print("parent's handler in the child: status %x, %u\n", wait_for(pid), handled);
	sys(NR_kill, sys(NR_getpid), SIGUSR2);
	print("child's handler in the parent: %u\n", handled);
}

static int execute(void *arg)
{
	const char *argv[] = {"x", "actions", 0};

	sys(NR_execve, arg, argv, 0);
	sys(NR_exit_group, 99);
	return 0;
}

static void exec_takes_its_own(const char *kind, u32 with)
{
	static const char self[] = "/proc/self/exe";
	s64 pid;

	handled = 0;
	set_handler(SIGUSR1, on_signal, 0);
	set_handler(SIGUSR2, IGNORED, 0);
	pid = clone_call(execute, (void *)self, with | SIGCHLD, stack + sizeof(stack), 0, 0, 0);
	print("%s, status %x\n", kind, wait_for(pid));
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	sys(NR_kill, sys(NR_getpid), SIGUSR2);
	print("then in the parent: %u\n", handled);
}

/* A child of the child goes on with the actions that both had, when the one in the middle is gone. */
static int grandchild(void *arg)
{
	(void)arg;
	while (!(ready & 2))
		sleep_ms(1);
	set_handler(SIGUSR1, IGNORED, 0);
	sys(NR_exit_group, 5);
	return 0;
}

static u8 stack2[32768] __attribute__((aligned(16)));
static volatile s64 grandchild_pid;

static int middle(void *arg)
{
	(void)arg;
	grandchild_pid = clone_call(grandchild, 0, CLONE_VM | CLONE_SIGHAND | CLONE_PARENT,
				    stack2 + sizeof(stack2), 0, 0, 0);
	sys(NR_exit_group, 4);
	return 0;
}

static void three_generations(u32 first, const char *whose)
{
	s64 pid;

	ready = 0;
	set_handler(SIGUSR1, on_signal, 0);
	pid = clone_call(middle, 0, CLONE_VM | first | SIGCHLD, stack + sizeof(stack), 0, 0, 0);
	print("in the middle: %x", wait_for(pid));
	ready = 2;
	print(", the last: %x", wait_for(grandchild_pid));
	print("; %s: %s\n", whose, action_of(SIGUSR1) == IGNORED ? "ignored" : "caught");
}

/* A tracer sees the signals of its tracee, also when a process that shares the actions has changed them. */
enum { NR_ptrace = 117, PTRACE_TRACEME = 0, PTRACE_CONT = 7 };

static int make_default(void *arg)
{
	(void)arg;
	set_handler(SIGUSR1, on_signal, 0);
	set_handler(SIGUSR1, 0, 0);
	sys(NR_exit_group, 0);
	return 0;
}

static void traced_sharer(void)
{
	int stopped = 0, told = 0, ended = 0;
	s64 pid = fork_(), child;

	if (!pid) {
		sys(NR_ptrace, PTRACE_TRACEME, 0, 0, 0);
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		child = clone_call(make_default, 0, CLONE_VM | CLONE_SIGHAND, stack + sizeof(stack),
				   0, 0, 0);
		sys(NR_wait4, child, 0, WALL, 0);
		sys(NR_kill, sys(NR_getpid), SIGUSR1);
		sys(NR_exit_group, 6);
	}
	sys(NR_wait4, pid, &stopped, 0, 0);
	sys(NR_ptrace, PTRACE_CONT, pid, 0, 0);
	sys(NR_wait4, pid, &told, 0, 0);
	sys(NR_ptrace, PTRACE_CONT, pid, 0, 0);
	sys(NR_wait4, pid, &ended, 0, 0);
	print("traced: %x, %x, %x\n", stopped, told, ended);
}

/* --- clone3 ----------------------------------------------------------------------------------------- */

struct clone_args {
	u64 flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
		set_tid_size, cgroup;
};
#define CLONE_CLEAR_SIGHAND (1ull << 32)
#define CLONE_INTO_CGROUP   (1ull << 33)

/* What posix_spawn of glibc 2.38 and later does. */
static void cleared(void)
{
	struct clone_args a = {.flags = CLONE_VFORK_VM | CLONE_CLEAR_SIGHAND,
			       .exit_signal = SIGCHLD};
	s64 pid;

	set_handler(SIGUSR1, on_signal, 0);
	set_handler(SIGUSR2, IGNORED, 0);
	pid = sys(NR_clone3, &a, sizeof(a));
	if (!pid)
		sys(NR_exit_group,
		    action_of(SIGUSR1) == 0 && action_of(SIGUSR2) == IGNORED ? 21 : 22);
	print("CLEAR_SIGHAND: child %x, parent's handler stays: %d\n", wait_for(pid),
	      action_of(SIGUSR1) == (u32)on_signal);
	a.flags |= CLONE_SIGHAND;
	print("with SIGHAND: %ld\n", sys(NR_clone3, &a, sizeof(a)));
}

static void chosen_tid(void)
{
	u32 wanted = (u32)sys(NR_getpid);
	struct clone_args a = {.flags = CLONE_VFORK_VM,
			       .exit_signal = SIGCHLD,
			       .set_tid = (u32)&wanted,
			       .set_tid_size = 1};
	s64 pid = sys(NR_clone3, &a, sizeof(a));

	if (!pid)
		sys(NR_exit_group, 23);
	print("a tid that is taken: %d\n", pid == -EEXIST || pid == -EPERM);
	wanted = 0;
	pid = sys(NR_clone3, &a, sizeof(a));
	if (!pid)
		sys(NR_exit_group, 23);
	print("tid 0: %ld\n", pid);
	wanted = 31017;
	pid = sys(NR_clone3, &a, sizeof(a));
	if (!pid)
		sys(NR_exit_group, sys(NR_getpid) == 31017 ? 24 : 25);
	print("a free tid: %d\n",
	      pid == 31017 ? wait_for(pid) == 0x1800 : pid == -EPERM || pid == -EEXIST);
	a.flags |= CLONE_INTO_CGROUP;
	a.set_tid = a.set_tid_size = 0;
	a.cgroup = 1;
	pid = sys(NR_clone3, &a, sizeof(a));
	if (!pid)
		sys(NR_exit_group, 26);
	a.flags = CLONE_INTO_CGROUP;
	print("no cgroup: %ld, fork %ld\n", pid, sys(NR_clone3, &a, sizeof(a)));
}

/* --- a thread with VFORK ---------------------------------------------------------------------------- */

static int slow_thread(void *arg)
{
	(void)arg;
	sleep_ms(20);
	memory = 5;
	return 0;
}

static void thread_with_vfork(void)
{
	u32 tid = 0;

	memory = 0;
	print("a thread, waited for: %d",
	      clone_call(slow_thread, 0, (THREAD_FLAGS | CLONE_VFORK) & ~CLONE_CHILD_CLEARTID,
			 stack + sizeof(stack), &tid, 0, 0) > 0);
	print(", %u\n", memory);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1 && equal(argv[1], "actions")) {
		print("after execve: %u %u\n", action_of(SIGUSR1), action_of(SIGUSR2));
		return 0;
	}
	all_combinations();
	shared_handlers();
	exec_takes_its_own(" with SIGHAND", CLONE_VM | CLONE_SIGHAND);
	exec_takes_its_own(" with SIGHAND and VFORK", CLONE_VFORK_VM | CLONE_SIGHAND);
	exec_takes_its_own(" with VFORK", CLONE_VFORK_VM);
	three_generations(CLONE_SIGHAND, "this one's");
	three_generations(0, "its own");
	traced_sharer();
	cleared();
	chosen_tid();
	thread_with_vfork();
	return 0;
}
