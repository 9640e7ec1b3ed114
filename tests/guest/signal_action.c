/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rt_sigaction and default actions: all 64 numbers, flags, forced signals that are blocked or ignored. */
#include "guest.h"

enum { NR_setpgid = 154 };

static volatile u32 runs, last;
static u64 mask_inside;

static void handler(int sig, u8 *info, u8 *uc)
{
	u32 m[2];

	(void)info;
	(void)uc;
	runs++;
	last = (u32)sig;
	sys(NR_rt_sigprocmask, 0, 0, m, 8);
	mask_inside = m[0] | (u64)m[1] << 32;
}

static void show_action(const char *name, int sig)
{
	u32 a[6] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	print("%s: %ld, handler %s, flags %x, restorer %x, mask %8x %8x, behind %x\n", name,
	      sys(NR_rt_sigaction, sig, 0, a, 8),
	      a[0] == (u32)handler ? "ours"
	      : a[0]               ? "other"
				   : "0",
	      a[1], a[2], a[3], a[4], a[5]);
}

static void interface(void)
{
	struct kernel_sigaction a = {
		(u32)handler, SA_SIGINFO | SA_RESTORER, 0x1234, {0x101, 0x80000000}};
	u32 old[5];
	struct kernel_sigaction weird = {(u32)handler, 0x00ff0477, 0, {~0u, ~0u}};

	print("== interface\n");
	print("size 4 %ld, 16 %ld, signal 0 %ld, 65 %ld, -1 %ld\n",
	      sys(NR_rt_sigaction, 10, 0, 0, 4), sys(NR_rt_sigaction, 10, 0, 0, 16),
	      sys(NR_rt_sigaction, 0, 0, 0, 8), sys(NR_rt_sigaction, 65, 0, 0, 8),
	      sys(NR_rt_sigaction, -1, 0, 0, 8));
	print("SIGKILL: set %ld, get %ld; SIGSTOP: set %ld; bad new %ld, bad old %ld\n",
	      sys(NR_rt_sigaction, 9, &a, 0, 8), sys(NR_rt_sigaction, 9, 0, old, 8),
	      sys(NR_rt_sigaction, 19, &a, 0, 8), sys(NR_rt_sigaction, 10, 4, 0, 8),
	      sys(NR_rt_sigaction, 10, 0, 4, 8));
	show_action("before", 64);
	print("set %ld\n", sys(NR_rt_sigaction, 64, &a, 0, 8));
	show_action("after", 64);
	sys(NR_rt_sigaction, 64, &weird, 0, 8);
	show_action("unknown flags", 64);
	/* SIG_ERR is an address like any other. */
	a.handler = ~0u;
	print("SIG_ERR %ld\n", sys(NR_rt_sigaction, 64, &a, 0, 8));
	set_handler(64, 0, 0);
}

static void catch_all(void)
{
	u32 caught = 0;

	print("== every signal caught:");
	for (int s = 1; s <= 64; s++) {
		if (s == SIGKILL || s == SIGSTOP)
			continue;
		set_handler(s, handler, SA_SIGINFO);
		runs = last = 0;
		sys(NR_kill, sys(NR_getpid), s);
		if (runs != 1 || last != (u32)s || mask_inside != BIT(s))
			print(" %d: %d runs of %d", s, runs, last);
		else
			caught++;
		set_handler(s, 0, 0);
	}
	print(" %d\n", caught);
}

/* What a child's kill(self, s) does by default. */
static void defaults(void)
{
	print("== defaults\n");
	for (int s = 1; s <= 64; s++) {
		s64 pid = fork_(), r;
		u32 status = 0;

		if (!pid) {
			/* In an orphaned process group the terminal's stop signals do nothing. */
			sys(NR_setpgid, 0, 0);
			sys(NR_kill, sys(NR_getpid), s);
			quit(99);
		}
		do
			r = sys(NR_wait4, (u32)pid, &status, 2 /* WUNTRACED */, 0);
		while (r == -4);
		status &= ~0x80u; /* a core file or not */
		if ((status & 0xff) == 0x7f) {
			sys(NR_kill, (u32)pid, SIGKILL);
			wait_for(pid);
			print("%d stops by %d\n", s, status >> 8);
		} else if (status == 99 << 8) {
			print("%d ignored\n", s);
		} else if (status != (u32)s) {
			print("%d: status %x\n", s, status);
		}
	}
}

static int child_status(int sig, int blocked, int ignored)
{
	s64 pid = fork_();

	if (!pid) {
		if (blocked)
			set_mask(SIG_SETMASK, ~0ull);
		set_handler(sig, ignored ? 1 : (u32)handler, SA_SIGINFO);
		switch (sig) {
		case SIGSEGV: __asm__ volatile("str wzr, [%0]" : : "r"(4ull) : "memory"); break;
		case SIGILL: __asm__ volatile(".inst 0"); break;
		case SIGTRAP: __asm__ volatile("brk #0"); break;
		case SIGBUS:
			__asm__ volatile("ldxr w1, [%0]"
					 :
					 : "r"((u64)(u32)&runs + 1)
					 : "x1", "memory");
			break;
		}
		quit(99);
	}
	return wait_for(pid) & ~0x80;
}

static void forced(void)
{
	static const int faults[] = {SIGSEGV, SIGILL, SIGTRAP, SIGBUS};

	print("== faults while blocked or ignored\n");
	for (u32 i = 0; i < 4; i++)
		print("%d: blocked %x, ignored %x, both %x\n", faults[i],
		      child_status(faults[i], 1, 0), child_status(faults[i], 0, 1),
		      child_status(faults[i], 1, 1));
}

static void flags(void)
{
	s64 pid;
	u32 status;

	print("== flags\n");
	set_handler(SIGUSR1, handler, SA_SIGINFO | SA_RESETHAND);
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	show_action("SA_RESETHAND", SIGUSR1);
	print("mask inside %lx\n", mask_inside);
	pid = fork_();
	if (!pid) {
		sys(NR_kill, sys(NR_getpid), SIGUSR1);
		quit(99);
	}
	print("the next one: %x\n", wait_for(pid));

	set_handler(SIGUSR1, handler, SA_SIGINFO | SA_NODEFER);
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	print("SA_NODEFER: mask inside %lx\n", mask_inside);
	set_handler_mask(SIGUSR1, (u32)handler, SA_SIGINFO | SA_NODEFER, BIT(SIGUSR1) | BIT(64));
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	print("SA_NODEFER, in sa_mask: mask inside %lx\n", mask_inside);
	set_handler_mask(SIGUSR1, (u32)handler, SA_SIGINFO, ~0ull);
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	print("full sa_mask: mask inside %lx\n", mask_inside);

	/* Children of who ignores SIGCHLD, or asks for it, leave no status. */
	set_handler(SIGCHLD, 1, 0);
	pid = fork_();
	if (!pid)
		quit(5);
	print("SIGCHLD ignored: wait %ld\n", sys(NR_wait4, (u32)pid, &status, 0, 0));
	runs = 0;
	set_handler(SIGCHLD, handler, SA_SIGINFO | SA_NOCLDWAIT);
	pid = fork_();
	if (!pid)
		quit(5);
	while (!runs)
		sys(NR_sched_yield);
	print("SA_NOCLDWAIT: wait %ld, handler ran %d\n", sys(NR_wait4, (u32)pid, &status, 0, 0),
	      runs);
	runs = 0;
	set_handler(SIGCHLD, handler, SA_SIGINFO | SA_NOCLDSTOP);
	pid = fork_();
	if (!pid) {
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		quit(5);
	}
	sys(NR_wait4, (u32)pid, &status, 2, 0);
	print("SA_NOCLDSTOP: status %x, handler ran %d", status, runs);
	sys(NR_kill, (u32)pid, SIGCONT);
	print(", exit %x", wait_for(pid));
	print(", handler ran %d\n", runs);
	set_handler(SIGCHLD, 0, 0);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	interface();
	catch_all();
	defaults();
	forced();
	flags();
	return 0;
}
