// SPDX-License-Identifier: GPL-2.0-or-later
// SIGSEGV and SIGBUS as exit signals of children: the kernel sends them with a positive si_code (CLD_EXITED), and
// yet they are no faults of anybody.
#include "proc.h"

#define WCLONE_ 0x80000000u

static volatile u32 handled, code;

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)uc;
	handled++;
	code = get32(info + 8);
}

/* A child with that exit signal, ended and collected: its status, or what was wrong. */
static int child(int sig)
{
	int status = -1;
	s64 pid, r;

	flush();
	pid = sys(NR_clone, sig, 0, 0, 0, 0);
	if (!pid)
		quit(5);
	do
		r = sys(NR_wait4, (u32)pid, &status, WCLONE_, 0);
	while (r == -EINTR);
	return r == pid ? status : (int)r;
}

static void all_ways(int sig)
{
	int status;
	s64 pid;

	set_handler(sig, handler, SA_SIGINFO);
	handled = 0;
	status = child(sig);
	print("signal %d, handled: status %x, handler %u, code %d\n", sig, status, handled, code);

	set_mask(SIG_BLOCK, BIT(sig));
	handled = 0;
	status = child(sig);
	print("blocked: status %x, handler %u", status, handled);
	set_mask(SIG_UNBLOCK, BIT(sig));
	print(", then %u\n", handled);

	set_handler(sig, (handler_fn *)1, 0);
	handled = 0;
	status = child(sig);
	print("ignored: status %x, handler %u\n", status, handled);

	set_handler(sig, (handler_fn *)0, 0);
	pid = fork_();
	if (!pid) {
		child(sig);
		quit(1);
	}
	print("default: killed by %d\n", wait_for(pid) & 0x7f);
}

/* While the emulator copies for the guest: none of the copies may fail for it. */
static void storm(void)
{
	static u8 buffer[65536];
	u32 bad = 0, ts[2];
	s64 fd;

	set_handler(SIGSEGV, handler, SA_SIGINFO | SA_RESTART);
	handled = 0;
	flush();
	for (int i = 0; i < 20; i++) {
		if (!sys(NR_clone, SIGSEGV, 0, 0, 0, 0))
			sys(NR_exit, 0);
		for (int k = 0; k < 50; k++)
			bad += sys(NR_clock_gettime, 1, ts) != 0;
		fd = sys(NR_openat, -100, "/proc/self/maps", 0, 0);
		bad += fd < 0 || sys(NR_read, fd, buffer, sizeof(buffer)) <= 0;
		sys(NR_close, fd);
	}
	while (sys(NR_wait4, -1, 0, WCLONE_, 0) != -ECHILD)
		;
	print("calls that failed: %u, signals came: %d\n", bad, handled > 0);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	all_ways(SIGSEGV);
	all_ways(SIGBUS);
	storm();
	return 0;
}
