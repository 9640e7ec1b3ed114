// SPDX-License-Identifier: GPL-2.0-or-later
// No chain of links, directory or descriptor leads to the emulator, in this process or in another one.
#include "proc.h"

enum {
	NR_getdents64 = 61,
	NR_llseek = 62,
	NR_fstatat = 79,
	NR_fstat = 80,
	NR_symlinkat = 36,
	NR_chdir = 49,
	NR_statx = 291,
	NR_openat2 = 437,
	CWD = -100,
	O_PATH = 010000000,
	O_DIRECTORY = 040000,
	O_NOFOLLOW = 0100000,
};

static char text[65536], path[128];
static s64 length;

static s64 slurp(s64 fd)
{
	s64 r;

	length = 0;
	while (length < (s64)sizeof(text) - 1 &&
	       (r = sys(NR_read, fd, text + length, sizeof(text) - 1 - (u32)length)) > 0)
		length += r;
	text[length] = 0;
	return length;
}

static int has(const char *needle)
{
	for (const char *at = text; at < text + length; at++) {
		const char *h = at, *n = needle;
		for (; *n && *h == *n; h++, n++)
			;
		if (!*n)
			return 1;
	}
	return 0;
}

/* PREFIX, the number N, NAME in path. */
static const char *numbered(const char *prefix, u32 n, const char *name)
{
	char digits[12], *p = path;
	u32 k = 0;

	do
		digits[k++] = (char)('0' + n % 10);
	while (n /= 10);
	while (*prefix)
		*p++ = *prefix++;
	while (k)
		*p++ = digits[--k];
	while (*name)
		*p++ = *name++;
	*p = 0;
	return path;
}

static u64 inode(s64 dfd, const char *name)
{
	static u8 st[104];

	memset(st, 0, sizeof(st));
	sys(NR_fstatat, (u32)dfd, name, st, 0);
	return get64(st + 96);
}

static u64 inode_statx(s64 dfd, const char *name)
{
	static u8 st[256];

	memset(st, 0, sizeof(st));
	sys(NR_statx, (u32)dfd, name, 0, 0x7ff, st);
	return get64(st + 32);
}

static u64 ours;

/* Everything that NAME is asked for must be about this program. */
static void program(const char *what, s64 dfd, const char *name)
{
	static u8 st[104];
	u8 head[20] = {0};
	u64 how[3] = {O_PATH, 0, 0};
	s64 fd = sys(NR_openat, (u32)dfd, name, 0);

	sys(NR_read, fd, head, sizeof(head));
	sys(NR_fstat, fd, st);
	print("%s: open %d, class %u, machine %u, fstat %d", what, fd >= 0, head[4],
	      head[18] | head[19] << 8, get64(st + 96) == ours);
	sys(NR_close, fd);
	fd = sys(NR_openat, (u32)dfd, name, O_PATH);
	sys(NR_fstat, fd, st);
	sys(NR_close, fd);
	print(", O_PATH %d", get64(st + 96) == ours);
	fd = sys(NR_openat2, (u32)dfd, name, how, 24);
	sys(NR_fstat, fd, st);
	sys(NR_close, fd);
	print(", openat2 %d, stat %d, statx %d, access %ld\n", get64(st + 96) == ours,
	      inode(dfd, name) == ours, inode_statx(dfd, name) == ours,
	      sys(NR_faccessat, (u32)dfd, name, 1));
}

static void links(void)
{
	s64 proc = sys(NR_openat, CWD, "/proc", O_DIRECTORY), self;

	sys(NR_symlinkat, "/proc/self/exe", CWD, "proc_hide.1");
	sys(NR_symlinkat, "proc_hide.1", CWD, "proc_hide.2");
	sys(NR_symlinkat, "/proc/self/task/../", CWD, "proc_hide.3");
	sys(NR_symlinkat, "proc_hide.5", CWD, "proc_hide.5");
	self = sys(NR_openat, proc, "self", O_DIRECTORY);
	program("the link itself", CWD, "/proc/self/exe");
	program("of the thread", CWD, "/proc/thread-self/exe");
	program("by pid", CWD, numbered("/proc/", (u32)sys(NR_getpid), "/exe"));
	program("through a symbolic link", CWD, "proc_hide.1");
	program("through two", CWD, "./proc_hide.2");
	program("a link to the directory", CWD, "proc_hide.3/exe");
	program("by descriptor", proc, "self/exe");
	program("by another, with dots", self, "./task/../exe");
	program("through cwd", CWD, "/proc/self/cwd/proc_hide.2");
	program("through root", CWD, "/proc/self/root/proc/self/exe");
	print("not through it: %ld %ld\n", sys(NR_openat, CWD, "proc_hide.2/", 0),
	      sys(NR_openat, CWD, "/proc/self/exe/x", 0));
	print("loop: %ld, too long: %ld\n", sys(NR_openat, CWD, "proc_hide.5", 0),
	      sys(NR_openat, CWD, "/proc/self/exe/../../self/fd/99999999999999999999", 0));
	/* Not followed it is a link, whose target names this program, and which openat2 may refuse. */
	char target[256];
	s64 link = sys(NR_openat, self, "exe", O_PATH | O_NOFOLLOW), n, m;
	n = sys(NR_readlinkat, link, "", target, sizeof(target));
	m = sys(NR_readlinkat, CWD, "/proc/self/exe", text, sizeof(text));
	print("the link by descriptor: same %d, name of this program %d\n",
	      n == m && !memcmp(target, text, (u32)(n > 0 ? n : 0)),
	      n > 10 && !memcmp(target + n - 10, "/proc_hide", 10));
	for (u64 resolve = 1; resolve <= 16; resolve *= 2) {
		u64 how[3] = {0, 0, resolve};
		s64 fd = sys(NR_openat2, CWD, "/proc/self/maps", how, 24);
		print("openat2 with resolve %lu: %ld", resolve, fd < 0 ? fd : 0);
		sys(NR_close, fd);
		fd = sys(NR_openat2, CWD, "proc_hide.2", how, 24);
		print(" %ld\n", fd < 0 ? fd : 0);
		sys(NR_close, fd);
	}
	sys(NR_close, link);
	sys(NR_close, self);
	sys(NR_close, proc);
}

static void execute(const char *name)
{
	static char *argv[] = {"x", "again", 0}, *envp[] = {0};
	s64 pid = fork_(), r;

	if (!pid) {
		r = sys(NR_execve, name, argv, envp);
		quit((int)-r);
	}
	print("execve %s: %x\n", name, wait_for(pid));
}

/* Every number in /proc/self/fd is open, and no other number leads anywhere. */
static void descriptors(const char *what)
{
	static u8 buf[1024];
	s64 dir = sys(NR_openat, CWD, "/proc/self/fd", O_DIRECTORY), n;
	u32 listed = 0, dead = 0, open = 0, astray = 0;

	while ((n = sys(NR_getdents64, dir, buf, sizeof(buf))) > 0) {
		for (s64 at = 0; at < n; at += buf[at + 16] | buf[at + 17] << 8) {
			u32 fd = 0;
			if (buf[at + 19] == '.')
				continue;
			for (u8 *p = buf + at + 19; *p; p++)
				fd = fd * 10 + (u32)(*p - '0');
			listed++;
			dead += sys(NR_fcntl, fd, 1) < 0;
		}
	}
	for (u32 fd = 0; fd < 1100; fd++) {
		int there = sys(NR_fcntl, fd, 1) >= 0;
		char c;

		open += there;
		numbered("/proc/self/fd/", fd, "");
		if (there != (sys(NR_readlinkat, CWD, path, &c, 1) == 1) ||
		    there != (sys(NR_faccessat, CWD, path, 0) == 0))
			astray++;
		numbered("/proc/self/fdinfo/", fd, "");
		s64 info = sys(NR_openat, CWD, path, 0);
		astray += there != (info >= 0);
		if (info >= 0)
			sys(NR_close, info);
	}
	sys(NR_close, dir);
	print("%s: all listed are open %d, all open are listed %d, paths that differ: %u\n", what,
	      !dead, listed == open, astray);
}

/* As many as the limit says, and each number below it can be had. */
static void limit(void)
{
	u64 lim[2] = {0, 0};
	u32 before = 0, opened = 0, refused = 0;
	s64 r;

	sys(NR_prlimit64, 0, 7, 0, lim);
	lim[0] = 300;
	print("limit: %ld", sys(NR_prlimit64, 0, 7, lim, 0));
	for (u32 fd = 0; fd < 300; fd++)
		before += sys(NR_fcntl, fd, 1) >= 0;
	while ((r = sys(NR_openat, CWD, "/dev/null", 0)) >= 0)
		opened++;
	print(", full: %ld, sum %u", r, before + opened);
	for (u32 fd = 3; fd < 300; fd++)
		refused += sys(NR_dup3, 0, fd, 0) != fd;
	print(", numbers refused: %u, the next: %ld\n", refused, sys(NR_dup3, 0, 300, 0));
	print("stat of the program: %d\n", inode(CWD, "/proc/self/exe") == ours);
}

/* The text's numbers before '-' in hex have up to eight digits. */
static int below_4g(void)
{
	u32 digits = 0, start = 1;

	for (char *p = text; *p; p++) {
		if (*p == '\n')
			digits = 0, start = 1;
		else if (*p == '-')
			start = 0;
		else if (start && ++digits > 8)
			return 0;
	}
	return length > 0;
}

static u64 number(const char *label)
{
	for (char *p = text; *p; p++) {
		u32 n = 0;
		u64 v = 0;
		for (; label[n] && p[n] == label[n]; n++)
			;
		if (label[n])
			continue;
		for (p += n; *p == ' ' || *p == '\t'; p++)
			;
		for (; *p >= '0' && *p <= '9'; p++)
			v = v * 10 + (u64)(*p - '0');
		return v;
	}
	return ~0ull;
}

static void read_of(u32 pid, const char *name)
{
	s64 fd = sys(NR_openat, CWD, numbered("/proc/", pid, name), 0);

	slurp(fd);
	sys(NR_close, fd);
}

static void process(const char *what, u32 pid)
{
	program(what, CWD, numbered("/proc/", pid, "/exe"));
	read_of(pid, "/maps");
	print(" maps %d %d %d %d", below_4g(), has("/proc_hide\n"), has("[stack]"),
	      has("ilp32run"));
	read_of(pid, "/cmdline");
	print(", cmdline %d", has("/proc_hide") && !has("ilp32run"));
	read_of(pid, "/comm");
	print(", comm %d", has("proc_hide\n"));
	read_of(pid, "/auxv");
	print(", auxv %d", length > 100 && get32((u8 *)text + 4) != 0);
	read_of(pid, "/environ");
	print(", environ %d", !has("ILP32RUN_EXEC_STATE"));
	read_of(pid, "/status");
	print(", status %d", number("VmSize:") > 8 && number("VmSize:") < 100000);
	print(" SigIgn %lx", number("SigIgn:"));
	read_of(pid, "/statm");
	print(", statm %d\n", number("") > 2 && number("") < 25000);
}

static void files(void)
{
	static u8 st[104];
	char link[64];
	s64 fd = sys(NR_openat, CWD, "/proc/self/maps", 0), n, page, copy = sys(23 /* dup */, fd);
	u64 where;

	sys(NR_fstat, fd, st);
	print("maps: mode %x, size %lu", get32(st + 16), get64(st + 48));
	sys(NR_fstatat, fd, "", st, 0x1000);
	print(", fstatat size %lu", get64(st + 48));
	numbered("/proc/self/fd/", (u32)fd, "");
	sys(NR_fstatat, CWD, path, st, 0);
	print(", by path %lu", get64(st + 48));
	n = sys(NR_readlinkat, CWD, path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = 0;
	numbered("/proc/", (u32)sys(NR_getpid), "/maps");
	print(", name %d", !memcmp(link, path, (u32)n + 1));
	slurp(fd);
	page = sys(NR_mmap2, 0x12345000, 4096, 2, 0x32, -1, 0);
	print(", mapping there %d", has("12345000-"));
	sys(NR_llseek, copy, 0, 0, &where, 0);
	slurp(fd);
	print(", after a rewind %d\n", page == 0x12345000 && has("12345000-12346000 -w-p"));
	sys(NR_close, fd);
	sys(NR_close, copy);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 pipe[2];
	char c;

	(void)argv, (void)envp, (void)auxv;
	if (argc > 1) {
		print("again\n");
		flush();
		return 5;
	}
	sys(NR_unlinkat, CWD, "proc_hide.1", 0);
	sys(NR_unlinkat, CWD, "proc_hide.2", 0);
	sys(NR_unlinkat, CWD, "proc_hide.3", 0);
	sys(NR_unlinkat, CWD, "proc_hide.5", 0);
	ours = inode(CWD, argv[0]);
	links();
	execute("proc_hide.2");
	execute("/proc/self/exe");
	execute("proc_hide.3/exe");
	descriptors("descriptors");
	files();
	set_handler(SIGUSR1, 1, 0);
	process("itself", (u32)sys(NR_getpid));
	sys(NR_pipe2, pipe, 0);
	s64 pid = fork_();
	if (!pid) {
		sys(NR_close, pipe[1]);
		process("the parent", (u32)sys(NR_getppid));
		flush();
		sys(NR_read, pipe[0], &c, 1);
		quit(0);
	}
	sys(NR_close, pipe[0]);
	wait_until_sleeping((u32)pid);
	process("a child", (u32)pid);
	sys(NR_close, pipe[1]);
	print("child: %x\n", wait_for(pid));
	limit();
	sys(NR_unlinkat, CWD, "proc_hide.1", 0);
	sys(NR_unlinkat, CWD, "proc_hide.2", 0);
	sys(NR_unlinkat, CWD, "proc_hide.3", 0);
	sys(NR_unlinkat, CWD, "proc_hide.5", 0);
	return 0;
}
