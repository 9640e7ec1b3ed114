/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which handler runs first when several signals become deliverable at once. The kernel takes the
 * thread's queue before the process's, signals that can be synchronous before others, then the lowest
 * number, and stacks a frame for each: the last one taken runs first.
 */
#include "guest.h"

static u32 depth;

static void handler(int sig, u8 *info, u8 *uc)
{
	print(" %d", sig);
	if (sig >= 32)
		print("=%d", get32(info + 20));
	(void)uc;
	depth++;
	if (depth > 60)
		quit(1);
}

/* The same, and it says when it ends: nesting becomes visible. */
static void nesting(int sig, u8 *info, u8 *uc)
{
	(void)info;
	(void)uc;
	print(" (%d", sig);
	if (sig == SIGUSR1)
		sys(NR_kill, sys(NR_getpid), SIGUSR2);
	print(" %d)", sig);
}

static void queue(int sig, u32 value)
{
	u32 info[32] = {(u32)sig, 0, (u32)-1, 1, 2, value};

	sys(NR_rt_sigqueueinfo, sys(NR_getpid), sig, info);
}

static void all_handlers(handler_fn *fn, u32 flags, u64 mask)
{
	for (int s = 1; s <= 64; s++)
		if (s != SIGKILL && s != SIGSTOP)
			set_handler_mask(s, (u32)fn, SA_SIGINFO | flags, mask);
}

static void open_all(const char *name)
{
	print("%s:", name);
	set_mask(SIG_SETMASK, 0);
	print("\n");
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 pid = (u32)sys(NR_getpid), tid = (u32)sys(NR_gettid);
	static const int mixed[] = {SIGUSR2, 35, SIGHUP, 34, SIGUSR1, SIGTERM};

	all_handlers(handler, 0, 0);

	set_mask(SIG_SETMASK, ~0ull);
	for (u32 i = 0; i < 6; i++)
		sys(NR_kill, pid, mixed[i]);
	open_all("process");

	set_mask(SIG_SETMASK, ~0ull);
	for (u32 i = 0; i < 6; i++)
		sys(i & 1 ? NR_tkill : NR_kill, i & 1 ? tid : pid, mixed[i]);
	open_all("every second to the thread");

	set_mask(SIG_SETMASK, ~0ull);
	sys(NR_kill, pid, SIGHUP);
	sys(NR_kill, pid, SIGUSR1);
	sys(NR_kill, pid, SIGTRAP);
	sys(NR_kill, pid, SIGILL);
	sys(NR_kill, pid, 31);
	open_all("synchronous numbers");

	/* Classic signals merge, real-time ones queue. */
	set_mask(SIG_SETMASK, ~0ull);
	for (u32 i = 1; i <= 3; i++) {
		queue(40, i);
		queue(33, i + 10);
		queue(64, i + 20);
		queue(SIGUSR1, i);
	}
	open_all("queued");

	all_handlers(handler, 0, ~0ull);
	set_mask(SIG_SETMASK, ~0ull);
	for (u32 i = 0; i < 6; i++)
		sys(NR_kill, pid, mixed[i]);
	for (u32 i = 1; i <= 3; i++)
		queue(40, i);
	open_all("handlers that block all");

	all_handlers(nesting, 0, 0);
	open_all("nothing");
	print("nested:");
	sys(NR_kill, pid, SIGUSR1);
	print("\n");
	all_handlers(nesting, 0, BIT(SIGUSR2));
	print("second blocked by the first:");
	sys(NR_kill, pid, SIGUSR1);
	print("\n");

	/* Part of the set stays blocked. */
	all_handlers(handler, 0, 0);
	set_mask(SIG_SETMASK, ~0ull);
	for (u32 i = 0; i < 6; i++)
		sys(NR_kill, pid, mixed[i]);
	print("part:");
	set_mask(SIG_SETMASK, BIT(SIGHUP) | BIT(35));
	print(" |");
	set_mask(SIG_UNBLOCK, BIT(SIGHUP));
	print(" |");
	set_mask(SIG_UNBLOCK, BIT(35));
	print("\n");
	return 0;
}
