// SPDX-License-Identifier: GPL-2.0-or-later
// The same thing many times: forks, execs, threads, signals; for tests/guest/leaks, which looks at the process from
// outside. Argument: how many of each, of execs a tenth. After a tenth, and after all of them, it prints a line and reads a byte.
#include "proc.h"

static char *self[] = {"stress_leak", "0", 0};
static char **environment;
static volatile u32 caught_signals;
static struct thread t[2];
static char stack[4096] __attribute__((aligned(16)));

static void one_fork(void)
{
	if (!fork_())
		quit(0);
	wait_for(-1);
}

static int run_self(void *arg)
{
	(void)arg;
	return (int)sys(NR_execve, "/proc/self/exe", self, environment);
}

static void one_exec(void)
{
	wait_for(clone_call(run_self, 0, CLONE_VM | CLONE_VFORK | SIGCHLD, stack + sizeof(stack), 0,
			    0, 0));
}

static void one_exec_after_fork(void)
{
	if (!fork_())
		quit(run_self(0));
	wait_for(-1);
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static void one_thread(void)
{
	thread_start(&t[0], nothing, 0);
	thread_start(&t[1], nothing, 0);
	thread_join(&t[0]);
	thread_join(&t[1]);
}

static void caught(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)info, (void)uc;
	caught_signals++;
}

static void one_signal(void)
{
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	sys(NR_kill, sys(NR_getpid), 40);
}

static const struct {
	const char *name;
	void (*fn)(void);
	u32 share; /* of the number: execve takes ten times as long as the others */
} phase[] = {{"fork", one_fork, 1},
	     {"exec", one_exec, 10},
	     {"fork and exec", one_exec_after_fork, 10},
	     {"thread", one_thread, 1},
	     {"fork with threads before", one_fork, 1},
	     {"signal", one_signal, 1}};

static void pause_for_look(const char *name)
{
	char c;

	print("%s\n", name);
	flush();
	sys(NR_read, 0, &c, 1);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 n = 0;

	(void)argc, (void)auxv;
	environment = envp;
	for (const char *p = argv[1]; p && *p; p++)
		n = n * 10 + (u32)(*p - '0');
	if (!n)
		return 0;
	set_handler(SIGUSR1, caught, 0);
	set_handler(40, caught, 0);
	for (u32 i = 0; i < sizeof(phase) / sizeof(phase[0]); i++) {
		for (u32 k = 0; k < n / 10 / phase[i].share; k++)
			phase[i].fn();
		pause_for_look(phase[i].name);
		for (u32 k = 0; k < n / phase[i].share; k++)
			phase[i].fn();
		pause_for_look(phase[i].name);
	}
	print("signals %u\n", caught_signals - 2 * (n + n / 10));
	return 0;
}
