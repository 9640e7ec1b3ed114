/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs all other programs of its directory one after the other: as /init of an initramfs that has nothing
 * but the suite, or by hand. As process 1 it makes itself a console if the kernel found none.
 */
#include "../guest/guest.h"

enum { SYS_dup3 = 24, SYS_mknodat = 33, SYS_chdir = 49, SYS_getdents64 = 61, SYS_execve = 221 };

static void make_console(void)
{
	s64 fd;

	if (sys(NR_getpid) != 1 || sys(NR_fcntl, 1, 1) >= 0)
		return;
	sys(SYS_mknodat, -100, "console", 0020600, 5 << 8 | 1);
	fd = sys(NR_openat, -100, "console", 2, 0);
	for (u32 i = 0; fd >= 0 && i < 3; i++)
		sys(SYS_dup3, fd, i, 0);
}

/* Goes to the directory of the program. */
static void go_home(char *self)
{
	char *slash = 0;

	for (char *p = self; *p; p++) {
		if (*p == '/')
			slash = p;
	}
	if (slash) {
		*slash = 0;
		sys(SYS_chdir, slash == self ? "/" : self);
		*slash = '/';
	}
}

static void run(char *name, char **argv, char **envp)
{
	s64 pid = fork_();

	argv[0] = name;
	if (!pid) {
		sys(SYS_execve, name, argv, envp);
		quit(126);
	}
	print("# %s: status %d\n", name, wait_for(pid));
	flush();
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	static u8 entries[16384] __attribute__((aligned(8)));
	char *self = argv[0];
	s64 dir, n;

	(void)argc, (void)auxv;
	go_home(self);
	make_console();
	dir = sys(NR_openat, -100, ".", 040000 | 02000000, 0);
	while ((n = sys(SYS_getdents64, dir, entries, sizeof(entries))) > 0) {
		for (u32 at = 0; at < n; at += entries[at + 16] | (u32)entries[at + 17] << 8) {
			char *name = (char *)entries + at + 19;

			if (entries[at + 18] == 8 /* DT_REG */ && memcmp(name, "init", 5) != 0)
				run(name, argv, envp);
		}
	}
	return 0;
}
