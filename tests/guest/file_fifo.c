/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a FIFO waits for the other end: a signal ends the wait or it goes on. */
#include "io.h"

static char path[64];

static void waiting(u32 sa_flags)
{
	s32 me = (s32)sys(NR_getpid);
	s64 fd;

	signals_seen = 0;
	set_handler(SIGUSR1, count_signal, sa_flags);
	s64 helper = fork_();
	if (!helper) {
		pause_ms(100);
		sys(NR_kill, me, SIGUSR1);
		pause_ms(100);
		/* With a reader there this does not wait; ENXIO without. */
		fd = sys(NR_openat, AT_FDCWD, path, O_WRONLY | O_NONBLOCK);
		quit(fd >= 0 ? 1 : (int)-fd);
	}
	fd = sys(NR_openat, AT_FDCWD, path, O_RDONLY);
	print("%s: %s after %u signals", sa_flags ? "SA_RESTART" : "no SA_RESTART",
	      fd == -4 ? "EINTR"
	      : fd > 2 ? "opened"
		       : "?",
	      signals_seen);
	print(", other end %d\n", wait_for(helper) >> 8);
	if (fd > 2)
		sys(NR_close, fd);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	numbered(path, "/tmp/guest-file-fifo-", (u32)sys(NR_getpid));
	if (sys(SYS_mknodat, AT_FDCWD, path, 010600, 0))
		return 1;
	waiting(0);
	waiting(SA_RESTART);
	sys(SYS_unlinkat, AT_FDCWD, path, 0);
	return 0;
}
