/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions in a directory: they fit a 32-bit long, and each leads back to the entry after the one that had
 * it, on whatever descriptor of the open directory and in whatever process.
 */
#include "io.h"

enum { NR_getdents64 = 61, NR_llseek = 62, SEEK_SET = 0, SEEK_CUR, SEEK_END, MAX = 400 };
enum { FILES = 300 };

static struct {
	u64 after; /* its d_off: the position of the next one */
	char name[16];
} entry[MAX];
static u32 entries;
static char dir[64];
static u8 buf[512] __attribute__((aligned(8)));

static int same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static s64 seek(s64 fd, s64 offset, u32 whence)
{
	u64 result = 0;
	s64 r = sys(NR_llseek, fd, (u64)offset >> 32, (u32)offset, &result, whence);

	return r ? r : (s64)result;
}

/* The first name that FD gives, or "" at the end. */
static const char *next(s64 fd)
{
	s64 n = sys(NR_getdents64, fd, buf, sizeof(buf));

	return n > 0 ? (const char *)buf + 19 : n == 0 ? "" : "?";
}

static void read_all(s64 fd)
{
	s64 n;

	entries = 0;
	while ((n = sys(NR_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (s64 at = 0; at < n && entries < MAX; at += buf[at + 16]) {
			const char *name = (const char *)buf + at + 19;

			for (u32 i = 0; i == 0 || (i < 15 && name[i - 1]); i++)
				entry[entries].name[i] = name[i];
			entry[entries++].after = get64(buf + at + 8);
		}
	}
}

/* How many of the positions lead to another entry than the one that follows. */
static u32 wrong(s64 fd)
{
	u32 bad = 0;

	for (u32 i = entries; i-- > 0;) {
		const char *want = i + 1 < entries ? entry[i + 1].name : "";

		bad += seek(fd, (s64)entry[i].after, SEEK_SET) != (s64)entry[i].after;
		bad += !same(next(fd), want);
	}
	return bad;
}

/* A descriptor that came through a socket. */
static s64 passed_on(s64 fd)
{
	s32 pair[2];
	u32 iov[2] = {(u32)buf, 1}, cmsg[4] = {16, SOL_SOCKET, 1 /* SCM_RIGHTS */, (u32)fd};
	u32 msg[7] = {0, 0, (u32)iov, 1, (u32)cmsg, sizeof(cmsg), 0};

	if (sys(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, pair))
		return -1;
	if (sys(SYS_sendmsg, pair[0], msg, 0) != 1 || sys(SYS_recvmsg, pair[1], msg, 0) != 1)
		return -1;
	return cmsg[3];
}

static void change_while_reading(s64 fd)
{
	u32 bad = 0;

	/* Each goes before the position after it is used. */
	for (u32 i = 0; i < entries; i += 7) {
		const char *want = i + 1 < entries ? entry[i + 1].name : "";

		if (entry[i].name[0] == '.')
			continue;
		if (sys(SYS_unlinkat, fd, entry[i].name, 0))
			print("cannot remove %s\n", entry[i].name);
		seek(fd, (s64)entry[i].after, SEEK_SET);
		bad += !same(next(fd), want);
	}
	print("after unlink: %u wrong\n", bad);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	char name[16];
	u32 wide = 0;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	numbered(dir, "/tmp/guest-file-dir-", (u32)sys(NR_getpid));
	if (sys(SYS_mkdirat, AT_FDCWD, dir, 0700))
		return 1;
	s64 fd = sys(NR_openat, AT_FDCWD, dir, O_RDONLY | O_DIRECTORY);
	for (u32 i = 0; i < FILES; i++) {
		numbered(name, "file", i);
		sys(NR_close, sys(NR_openat, fd, name, O_WRONLY | O_CREAT, 0600));
	}

	read_all(fd);
	for (u32 i = 0; i < entries; i++)
		wide += entry[i].after > 0x7fffffff;
	print("%u entries, %u positions do not fit\n", entries, wide);
	print("at the end: tell %s\n",
	      seek(fd, 0, SEEK_CUR) == (s64)entry[entries - 1].after ? "agrees" : "differs");
	print("own: %u wrong\n", wrong(fd));
	print("dup: %u wrong\n", wrong(sys(NR_fcntl, fd, 0, 0)));
	s64 other = passed_on(fd);
	print("passed on: %d, %u wrong\n", other >= 0, wrong(other));

	/* The position is shared. */
	seek(fd, (s64)entry[100].after, SEEK_SET);
	print("dup tells %s\n",
	      seek(other, 0, SEEK_CUR) == (s64)entry[100].after ? "the same" : "another");
	seek(fd, 0, SEEK_SET);
	print("rewound: %d\n", same(next(other), entry[0].name));

	/* In another process, whose parent had read the directory and who reads it itself. */
	flush();
	s64 pid = fork_();
	if (!pid)
		quit(wrong(fd) != 0);
	print("child: %d\n", wait_for(pid));
	flush();
	pid = fork_();
	if (!pid) {
		u64 last = entry[entries - 1].after;

		seek(fd, 0, SEEK_SET);
		read_all(fd);
		quit(entry[entries - 1].after != last);
	}
	print("child's own positions: %d\n", wait_for(pid));

	/* Refused seeks change nothing. */
	seek(fd, (s64)entry[50].after, SEEK_SET);
	print("negative: %d, ", (int)seek(fd, -1, SEEK_SET));
	print("whence 9: %d, ", (int)seek(fd, 0, 9));
	print("tell %s\n", seek(fd, 0, SEEK_CUR) == (s64)entry[50].after ? "agrees" : "differs");

	change_while_reading(fd);
	seek(fd, 0, SEEK_SET);
	read_all(fd);
	for (u32 i = 0; i < entries; i++) {
		if (entry[i].name[0] != '.')
			sys(SYS_unlinkat, fd, entry[i].name, 0);
	}
	if (sys(SYS_unlinkat, AT_FDCWD, dir, 0x200 /* AT_REMOVEDIR */))
		print("the directory is not empty\n");
	return 0;
}
