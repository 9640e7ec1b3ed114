/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Over execve: ignored signals stay ignored, handlers become default, the mask and pending signals
 * stay, the alternate stack goes. The program executes itself.
 */
#include "guest.h"

enum { NR_execve = 221 };

static u8 stack[8192];

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	(void)uc;
	print("a handler ran after execve\n");
}

static u64 words64(s64 nr, u64 a, u64 b)
{
	u32 m[2] = {0, 0};

	if (nr == NR_rt_sigpending)
		sys(NR_rt_sigpending, m, 8);
	else
		sys(NR_rt_sigprocmask, a, b, m, 8);
	return m[0] | (u64)m[1] << 32;
}

static void show(void)
{
	u32 a[5], alt[3];

	print("ignored:");
	for (int s = 1; s <= 64; s++) {
		sys(NR_rt_sigaction, s, 0, a, 8);
		if (a[0] == 1)
			print(" %d", s);
		else if (a[0])
			print(" %d caught", s);
		if (a[1] || a[3] || a[4])
			print(" (%d: flags %x mask %x %x)", s, a[1], a[3], a[4]);
	}
	print("\nmask %lx, pending %lx", words64(NR_rt_sigprocmask, 0, 0),
	      words64(NR_rt_sigpending, 0, 0));
	sys(NR_sigaltstack, 0, alt);
	print(", alternate stack {%x, %x, %x}\n", alt[0], alt[1], alt[2]);
}

static s64 exec(char *self, const char *what)
{
	u32 args[3] = {(u32)self, (u32)what, 0}, none = 0;

	flush();
	return sys(NR_execve, self, args, &none);
}

static void prepare(void)
{
	u32 alt[3] = {(u32)stack, 0, sizeof(stack)};

	sys(NR_sigaltstack, alt, 0);
	set_handler(SIGHUP, 1, 0);
	set_handler(SIGSEGV, 1, SA_RESTART);
	set_handler(64, 1, 0);
	set_handler_mask(SIGUSR1, (u32)handler, SA_SIGINFO | SA_RESTART, ~0ull);
	set_handler_mask(SIGUSR2, (u32)handler, SA_SIGINFO, ~0ull);
	set_handler(33, handler, SA_SIGINFO);
	set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGBUS) | BIT(40) | BIT(33) | BIT(32));
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	sys(NR_kill, sys(NR_getpid), 33);
}

int main(int argc, char **argv, char **envp UNUSED, u32 *auxv UNUSED)
{
	s64 pid;

	if (argc > 1) {
		show();
		if (argv[1][0] == 'u') {
			flush();
			set_mask(SIG_UNBLOCK, BIT(SIGUSR1));
			print("USR1 did not kill\n");
		}
		return 0;
	}
	pid = fork_();
	if (!pid) {
		prepare();
		exec(argv[0], "show");
		quit(99);
	}
	print("status %x\n", wait_for(pid));
	pid = fork_();
	if (!pid) {
		prepare();
		exec(argv[0], "unblock");
		quit(99);
	}
	print("status %x\n", wait_for(pid));
	/* A failing execve changes nothing. */
	prepare();
	print("execve %ld\n", exec("/nonexistent", "x"));
	set_handler(SIGHUP, handler, SA_SIGINFO);
	print("handler kept: ");
	sys(NR_kill, sys(NR_getpid), SIGHUP);
	return 0;
}
