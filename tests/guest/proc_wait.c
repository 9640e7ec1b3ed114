// SPDX-License-Identifier: GPL-2.0-or-later
// wait4 and waitid: what they write and what not, resource usage in the 72-byte form, restart.
#include "proc.h"

enum { P_ALL, P_PID, P_PGID, P_PIDFD };
enum { WNOHANG = 1, WSTOPPED = 2, WEXITED = 4, WCONTINUED = 8, WNOWAIT = 0x01000000 };

static u8 info[160], ru[96];

static s64 child(int status)
{
	s64 pid = fork_();

	if (!pid)
		sys(NR_exit_group, status);
	return pid;
}

/* Which bytes of P (prefilled with 5a) were written, as "first..end". */
static void written(const char *what, const u8 *p, u32 n)
{
	u32 end = n, first = 0;

	while (end && p[end - 1] == 0x5a)
		end--;
	while (first < end && p[first] == 0x5a)
		first++;
	print("%s: bytes %u..%u\n", what, first, end);
}

static void fill(void)
{
	memset(info, 0x5a, sizeof(info));
	memset(ru, 0x5a, sizeof(ru));
}

static void show_info(s64 pid)
{
	print(" signo %u errno %u code %u pid %d uid %u status %u\n", get32(info), get32(info + 4),
	      get32(info + 8), pid && get32(info + 12) == (u32)pid, get32(info + 16),
	      get32(info + 20));
}

static void with_waitid(void)
{
	s64 pid = child(7), r;

	fill();
	r = sys(NR_waitid, P_PID, pid, info, WEXITED | WNOWAIT, ru);
	print("waitid: %ld", r);
	show_info(pid);
	written("siginfo", info, sizeof(info));
	written("rusage", ru, sizeof(ru));
	fill();
	r = sys(NR_waitid, P_ALL, 0, info, WEXITED, 0);
	print("again: %ld", r);
	show_info(pid);
	fill();
	r = sys(NR_waitid, P_ALL, 0, info, WEXITED, ru);
	print("no child: %ld", r);
	show_info(0);
	written("siginfo", info, sizeof(info));
	print("null: %ld, options 0: %ld, type 9: %ld\n", sys(NR_waitid, P_ALL, 0, 0, WEXITED, 0),
	      sys(NR_waitid, P_ALL, 0, info, 0, 0), sys(NR_waitid, 9, 0, info, WEXITED, 0));

	pid = fork_();
	if (!pid) {
		for (;;)
			sleep_ms(1000);
	}
	fill();
	r = sys(NR_waitid, P_PID, pid, info, WEXITED | WNOHANG, 0);
	print("running: %ld", r);
	show_info(0);
	sys(NR_kill, pid, SIGSTOP);
	r = sys(NR_waitid, P_PID, pid, info, WSTOPPED, 0);
	print("stopped: %ld", r);
	show_info(pid);
	sys(NR_kill, pid, SIGCONT);
	r = sys(NR_waitid, P_PID, pid, info, WCONTINUED, 0);
	print("continued: %ld", r);
	show_info(pid);
	sys(NR_kill, pid, SIGKILL);
	r = sys(NR_waitid, P_PID, pid, info, WEXITED, 0);
	print("killed: %ld", r);
	show_info(pid);
	pid = child(1);
	print("unmapped siginfo: %ld, reaped all the same: %ld\n",
	      sys(NR_waitid, P_PID, pid, 0x1000, WEXITED, 0), sys(NR_wait4, pid, 0, 0, 0));
}

static void burn(void)
{
	for (volatile u32 i = 0; i < 20000000; i++)
		;
}

static void with_wait4(void)
{
	int status = 0x5a5a5a5a;
	s64 pid, r, any = -1;

	pid = child(300);
	r = sys(NR_wait4, (u32)any, &status, 0, 0);
	print("wait4(-1): %d, status %x\n", r == pid, status);
	pid = fork_();
	if (!pid) {
		burn();
		sys(NR_exit_group, 0);
	}
	fill();
	r = sys(NR_wait4, pid, &status, 0, ru);
	written("rusage", ru, sizeof(ru));
	print("wait4: %d, used time %d, microseconds valid %d, memory %d\n", r == pid,
	      get32(ru) + get32(ru + 4) > 0, get32(ru + 4) < 1000000 && get32(ru + 12) < 1000000,
	      get32(ru + 16) > 0 && get32(ru + 16) < 0x10000000);
	print("no child: %ld, WNOHANG: %ld, bad options: %ld\n", sys(NR_wait4, (u32)any, 0, 0, 0),
	      sys(NR_wait4, (u32)any, 0, WNOHANG, 0), sys(NR_wait4, (u32)any, 0, 0x40, 0));
	pid = child(0);
	print("unmapped status: %ld\n", sys(NR_wait4, pid, 0x1000, 0, 0));
	pid = child(0);
	print("unmapped rusage: %ld\n", sys(NR_wait4, pid, 0, 0, 0x1000));
	pid = fork_();
	if (!pid) {
		sys(NR_setpgid, 0, 0);
		sys(NR_exit_group, 4);
	}
	sys(NR_setpgid, pid, 0);
	print("group: %d\n", sys(NR_wait4, (u32)-pid, &status, 0, 0) == pid);
}

static volatile u32 handled;

static void on_alarm(int sig)
{
	(void)sig;
	handled++;
}

static void interrupted(u32 flags)
{
	u32 it[4] = {0, 0, 0, 20000};
	s64 pid = fork_(), r;

	if (!pid) {
		sleep_ms(80);
		sys(NR_exit_group, 0);
	}
	handled = 0;
	set_handler(SIGALRM, on_alarm, flags);
	sys(NR_setitimer, 0, it, 0);
	r = sys(NR_wait4, pid, 0, 0, 0);
	print("interrupted: %ld, handlers %u\n", r > 0 ? 1 : r, handled);
	wait_for(pid);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	with_waitid();
	with_wait4();
	interrupted(0);
	interrupted(SA_RESTART);
	return 0;
}
