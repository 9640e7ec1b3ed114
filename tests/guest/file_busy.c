// SPDX-License-Identifier: GPL-2.0-or-later
// A program that runs is not written to: linux 6.1 fs/open.c, do_dentry_open() and vfs_truncate(): ETXTBSY.
#include "proc.h"

#define CWD ((u32)-100)
enum {
	NR_inotify_init1 = 26,
	NR_inotify_add_watch = 27,
	NR_symlinkat = 36,
	NR_linkat = 37,
	NR_truncate = 45,
	READY = 60,
	GO = 61
};

static void copy_self(const char *from, const char *to, u32 mode)
{
	static u8 buf[4096];
	s64 in = sys(NR_openat, CWD, from, 0), out = sys(NR_openat, CWD, to, 0101, mode), n;

	while ((n = sys(NR_read, in, buf, sizeof(buf))) > 0)
		sys(NR_write, out, buf, n);
	sys(NR_close, in);
	sys(NR_close, out);
}

static void tries(const char *what, const char *name)
{
	s64 fd;

	print("%s:", what);
	for (u32 i = 0; i < 4; i++) {
		static const u32 flags[] = {1, 2, 01001, 0102};
		fd = sys(NR_openat, CWD, name, flags[i], 0755);
		print(" %ld", fd < 0 ? fd : 0);
		if (fd >= 0)
			sys(NR_close, fd);
	}
	fd = sys(NR_openat, CWD, name, 0);
	print(", read %ld", fd < 0 ? fd : 0);
	sys(NR_close, fd);
	print(", exclusive %ld, truncate %ld\n", sys(NR_openat, CWD, name, 0301, 0755),
	      sys(NR_truncate, name, 0, 1 << 20, 0));
}

/* Whether it is a program that runs is asked in a way that nobody sees. */
static void watched(const char *name)
{
	struct {
		s32 wd;
		u32 mask, cookie, len;
	} events[16];
	s64 watch = sys(NR_inotify_init1, 04000), fd, n;

	sys(NR_inotify_add_watch, watch, name, 0xfff);
	fd = sys(NR_openat, CWD, name, 1);
	sys(NR_write, fd, "x", 1);
	sys(NR_close, fd);
	sys(NR_truncate, name, 0, 4096, 0);
	n = sys(NR_read, watch, events, sizeof(events));
	print("events:");
	for (s64 i = 0; i < n / (s64)sizeof(events[0]); i++)
		print(" %x", events[i].mask);
	print("\n");
	sys(NR_close, watch);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	static char *words[] = {"busy", "child", 0}, *none[] = {0};
	u32 ready[2], go[2];
	char c;
	s64 pid;

	(void)envp, (void)auxv;
	if (argc > 1) {
		sys(NR_write, READY, "x", 1);
		sys(NR_read, GO, &c, 1);
		return 0;
	}
	copy_self(argv[0], "busy", 0755);
	copy_self(argv[0], "data", 0644);
	copy_self(argv[0], "free", 0755);
	watched("free");
	sys(NR_symlinkat, "busy", CWD, "link");
	sys(NR_linkat, CWD, "busy", CWD, "other", 0);
	sys(NR_pipe2, ready, 0);
	sys(NR_pipe2, go, 0);
	tries("itself", argv[0]);
	pid = fork_();
	if (!pid) {
		sys(NR_dup3, ready[1], READY, 0);
		sys(NR_dup3, go[0], GO, 0);
		sys(NR_close, go[1]);
		sys(NR_execve, "busy", words, none);
		quit(1);
	}
	sys(NR_close, ready[1]);
	sys(NR_read, ready[0], &c, 1);
	tries("running", "busy");
	tries("by a link", "link");
	tries("its other name", "other");
	tries("same content, not executable", "data");
	sys(NR_close, go[1]);
	print("ended: %x\n", wait_for(pid));
	print("open: %d, truncate %ld\n", sys(NR_openat, CWD, "busy", 2) >= 0,
	      sys(NR_truncate, "busy", 0, 4096, 0));
	return 0;
}
