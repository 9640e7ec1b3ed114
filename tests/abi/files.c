/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat, statfs, locks, iovecs, directories: structures of files. */
#include "abi.h"

#define STAT "oracle structs \"fstat (80)\"; linux fs/stat.c cp_new_stat64"

CASE("STR-001", "fstat64", ALL, STAT, "fstat64 writes 104 bytes and no more")
{
	EQ(S(fstat64, file_of(5), at_end(104)), 0);
}

CASE("STR-002", "fstat64", ALL, STAT, "fstat64 into 103 bytes is EFAULT")
{
	EQ(S(fstat64, file_of(5), at_end(103)), -EFAULT);
}

CASE("STR-003", "fstat64", ALL, STAT, "the inode is at 96 with 64 bits, at 12 with 32")
{
	u8 st[104], sx[256];
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(S(statx, AT_FDCWD, "f", 0, 0xfff, sx), 0);
	EQ(get64(st + 96), get64(sx + 32));
	EQ(get32(st + 12), get32(sx + 32));
}

CASE("STR-004", "fstat64 fstatat64", ALL, STAT, "padding at 8, 40 and 60 is zero")
{
	u8 st[104];

	memset(st, 0xff, sizeof(st));
	EQ(S(fstat64, file_of(5), st), 0);
	OK(all_bytes(st + 8, 0, 4) && all_bytes(st + 40, 0, 8) && all_bytes(st + 60, 0, 4));
	memset(st, 0xff, sizeof(st));
	EQ(S(fstatat64, AT_FDCWD, ".", st, 0), 0);
	OK(all_bytes(st + 8, 0, 4) && all_bytes(st + 40, 0, 8) && all_bytes(st + 60, 0, 4));
	EQ(get32(st + 16) & 0170000, 0040000);
}

CASE("STR-005", "fstat64 fstatat64", ALL, STAT, "size at 48 and blocks at 64 have 64 bits")
{
	u8 st[104];
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(ftruncate64, fd, 0, 0x80000000, 1), 0);
	EQ(S(pwrite64, fd, "x", 1, 0, 0, 1), 1);
	EQ(S(fstatat64, AT_FDCWD, "f", st, 0), 0);
	EQ(get64(st + 48), 0x180000000ull);
	OK(get64(st + 64) > 0 && get64(st + 64) < 1000);
	EQ(get32(st + 16), 0100600);
	EQ(get32(st + 20), 1);
	EQ(get32(st + 24), S(geteuid));
}

CASE("STR-006", "utimensat_time64 fstat64", SINCE_6_6, STAT,
     "seconds beyond 2038 show their low 32 bits, without error")
{
	u64 ts[4] = {0x80000005ull, 1, 0x80000005ull, 1};
	u8 st[104];
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(utimensat_time64, AT_FDCWD, "f", ts, 0), 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 80), 0x80000005);
}

CASE("STR-007", "utimensat fstat64", ALL, "oracle structs \"fstat with negative times\"",
     "times before 1970 are negative")
{
	u32 ts[4] = {0xfffffff0, 5, 0x80000000, 6};
	u8 st[104];
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(utimensat, AT_FDCWD, "f", ts, 0), 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 72), 0xfffffff0);
	if (get32(st + 80) == 0)
		skip("the file system has no times before 1970");
	EQ(get32(st + 80), 0x80000000);
}

#define STATFS "oracle structs \"statfs64\"; linux fs/statfs.c put_compat_statfs64"

CASE("STR-008", "statfs64", ALL, STATFS, "statfs64 of size 88 writes 84 bytes")
{
	u8 b[88];

	memset(b, 0xa5, 88);
	EQ(S(statfs64, ".", 88, b), 0);
	OK(all_bytes(b + 84, 0xa5, 4));
	OK(get32(b) != 0xa5a5a5a5 && get32(b + 4) >= 512);
}

CASE("STR-009", "statfs64 fstatfs64", ALL, STATFS, "size 84 is the same; so is fstatfs64")
{
	u8 a[88], b[88];
	s64 fd = GOOD(S(openat, AT_FDCWD, ".", O_RDONLY, 0));

	memset(a, 0xa5, 88);
	memset(b, 0xa5, 88);
	EQ(S(statfs64, ".", 84, a), 0);
	EQ(S(fstatfs64, fd, 88, b), 0);
	OK(all_bytes(a + 84, 0xa5, 4) && all_bytes(b + 84, 0xa5, 4));
	EQ(memcmp(a, b, 8), 0);
	EQ(memcmp(a + 48, b + 48, 20), 0);
	OK(get32(a + 56) >= 14 && get32(a + 56) <= 4096);
}

CASE("STR-010", "statfs64 fstatfs64", ALL, STATFS, "any other size is EINVAL")
{
	static const u32 size[] = {0, 64, 83, 85, 96, 120};
	u8 b[128];

	for (u32 i = 0; i < 6; i++) {
		EQ(S(statfs64, ".", size[i], b), -EINVAL);
		EQ(S(fstatfs64, 0, size[i], b), -EINVAL);
	}
}

/* The answer of statfs64 for a tmpfs with that many inodes. */
static s64 statfs_of(const char *inodes, u8 *b)
{
	s64 r;

	scratch();
	namespaces(CLONE_NEWNS);
	EQ(S(mkdirat, AT_FDCWD, "m", 0700), 0);
	r = S(mount, "none", "m", "tmpfs", 0, inodes);
	if (r < 0)
		skip("no such tmpfs");
	return S(statfs64, "m", 88, b);
}

CASE("STR-011", "statfs64 mount", ALL, STATFS, "more inodes than 32 bits count: EOVERFLOW")
{
	u8 b[88];

	EQ(statfs_of("nr_inodes=8589934592", b), -EOVERFLOW);
}

CASE("STR-012", "statfs64 mount", ALL, STATFS, "a number of inodes of all ones is fine")
{
	u8 b[88];

	EQ(statfs_of("nr_inodes=18446744073709551615", b), 0);
	EQ(get64(b + 32), ~0ull);
}

CASE("STR-012a", "statfs64 mount", ALL, STATFS, "counts below 2^32 come through")
{
	u8 b[88];

	EQ(statfs_of("nr_inodes=4000000000", b), 0);
	EQ(get32(b), 0x01021994);
	EQ(get64(b + 32), 4000000000ull);
}

struct lock64 {
	short type, whence;
	u32 pad;
	u64 start, len;
	s32 pid;
	u32 pad2;
};
struct lock32 {
	short type, whence;
	s32 start, len, pid;
	u32 canary[4];
};
enum {
	F_GETLK = 5,
	F_SETLK,
	F_SETLKW,
	F_GETLK64 = 12,
	F_SETLK64,
	F_SETLKW64,
	F_OFD_GETLK = 36,
	F_OFD_SETLK
};

/* A child that has a write lock on [START, START+LEN) of FD until it is killed. */
static s64 locker(int fd, u64 start, u64 len)
{
	u32 fds[2];
	char c;
	s64 child;

	EQ(S(pipe2, fds, 0), 0);
	child = fork_();
	if (!child) {
		struct lock64 l = {.type = 1, .start = start, .len = len};
		s64 r = S(fcntl64, fd, F_SETLK64, &l);

		S(write, fds[1], r ? "n" : "y", 1);
		for (;;)
			sleep_ms(1000);
	}
	EQ(S(read, fds[0], &c, 1), 1);
	EQ(c, 'y');
	return child;
}

#define LOCK32 \
 "linux fs/fcntl.c compat_sys_fcntl64 (4.14: fixup_compat_flock for F_GETLK64 as well)"

CASE("STR-013", "fcntl64 .flock64", SINCE_5_10, "linux 5.10 fs/fcntl.c do_compat_fcntl64",
     "F_GETLK64 shows a lock at 3 GiB")
{
	int fd = file_of(0);
	s64 child = locker(fd, 0xc0000000ull, 16);
	struct lock64 l = {.type = 1};

	EQ(S(fcntl64, fd, F_GETLK64, &l), 0);
	EQ(l.start, 0xc0000000ull);
	EQ(l.len, 16);
	EQ(l.pid, child);
}

CASE("STR-013a", "fcntl64 .flock64", AMPERE, LOCK32, "F_GETLK64 of a lock at 3 GiB is EOVERFLOW")
{
	int fd = file_of(0);
	struct lock64 l = {.type = 1};

	locker(fd, 0xc0000000ull, 16);
	EQ(S(fcntl64, fd, F_GETLK64, &l), -EOVERFLOW);
}

CASE("STR-014", "fcntl64 .flock", ALL, "oracle structs \"F_GETLK(5)\"",
     "commands 5 and 6 have the lock structure of 16 bytes")
{
	int fd = file_of(0);
	s64 child = locker(fd, 100, 50);
	struct lock32 l = {.type = 1, .canary = {1, 2, 3, 4}};

	EQ(S(fcntl64, fd, F_GETLK, &l), 0);
	EQ(l.start, 100);
	EQ(l.len, 50);
	EQ(l.pid, child);
	OK(l.canary[0] == 1 && l.canary[3] == 4);
	l.type = 1;
	EQ(S(fcntl64, fd, F_SETLK, &l), -EAGAIN);
	l.start = 200;
	EQ(S(fcntl64, fd, F_SETLK, &l), 0);
}

CASE("STR-015", "fcntl64 .flock", ALL, "linux fs/fcntl.c fixup_compat_flock",
     "command 5 of a lock above 2 GiB is EOVERFLOW")
{
	int fd = file_of(0);
	struct lock32 l = {.type = 1};

	locker(fd, 0x90000000ull, 16);
	EQ(S(fcntl64, fd, F_GETLK, &l), -EOVERFLOW);
}

CASE("STR-016", "fcntl64 .flock64", ALL, "oracle README 6 flock; linux fs/locks.c fcntl_setlk64",
     "open-file locks reach above 4 GiB")
{
	struct lock64 l = {.type = 1, .start = 0x100000010ull, .len = 32};
	s64 a, b;

	scratch();
	a = make_file("f", 0);
	b = GOOD(S(openat, AT_FDCWD, "f", O_RDWR, 0));
	EQ(S(fcntl64, a, F_OFD_SETLK, &l), 0);
	l.start = 0x100000020ull;
	EQ(S(fcntl64, b, F_OFD_SETLK, &l), -EAGAIN);
	l.start = 0x10;
	EQ(S(fcntl64, b, F_OFD_SETLK, &l), 0);
}

#define IOVEC "linux fs/read_write.c compat_rw_copy_check_uvector"

CASE("STR-026", "readv writev", ALL, IOVEC, "an iovec of 0x80000000 bytes is EINVAL")
{
	u32 iov[2] = {Z("x"), 0x80000000};

	EQ(S(readv, file_of(10), iov, 1), -EINVAL);
	EQ(S(writev, file_of(10), iov, 1), -EINVAL);
	EQ(S(writev, file_of(10), iov, 1025), -EINVAL);
	EQ(S(writev, file_of(10), iov, 0), 0);
}

CASE("STR-027", "writev", ALL, IOVEC ": the sum is cut to MAX_RW_COUNT",
     "two iovecs of 0x7fffffff bytes: never a negative count")
{
	u8 *p = at_end(8);
	u32 iov[4] = {(u32)p, 0x7fffffff, (u32)p, 0x7fffffff}, fds[2];
	s64 r;

	EQ(S(pipe2, fds, 0), 0);
	r = S(writev, fds[1], iov, 2);
	OK(r == -EFAULT || (r > 0 && r <= 0x7ffff000));
}

CASE("STR-028", "readv writev", ALL, IOVEC, "an iovec of no bytes may have any address")
{
	u32 iov[4] = {0, 0, Z("ab"), 2};

	EQ(S(writev, file_of(0), iov, 2), 2);
	EQ(S(readv, file_of(0), iov, 1), 0);
}

CASE("STR-029", "writev", ALL, IOVEC,
     "an iovec array that ends in an unmapped page is EFAULT, and nothing is written")
{
	u32 *iov = (u32 *)at_end(8), fds[2];
	char c;

	iov[0] = Z("ab");
	iov[1] = 2;
	EQ(S(pipe2, fds, O_NONBLOCK), 0);
	EQ(S(writev, fds[1], iov, 2), -EFAULT);
	EQ(S(read, fds[0], &c, 1), -EAGAIN);
	EQ(S(writev, fds[1], iov, 1), 2);
}

CASE("STR-059", "getdents64 llseek .dirent64", ALL, "linux fs/readdir.c sys_getdents64",
     "a directory goes on at a saved position")
{
	static u8 buf[2048] __attribute__((aligned(8)));
	u32 seen = 0;
	u64 at = 0, result_at;
	char name[16];
	s64 dir, n;

	scratch();
	for (u32 i = 0; i < 150; i++) {
		*number_text(name, i) = 0;
		S(close, make_file(name, 0));
	}
	dir = GOOD(S(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0));
	/* Only one record of each block is taken: then on from its d_off. */
	for (; seen < 400; seen++) {
		n = GOOD(S(getdents64, dir, buf, sizeof(buf)));
		if (!n)
			break;
		at = get64(buf + 8);
		EQ(S(llseek, dir, (u32)(at >> 32), (u32)at, &result_at, 0), 0);
		EQ(result_at, at);
	}
	EQ(seen, 152);
}

CASE("STR-060", "epoll_ctl epoll_pwait", ALL, "oracle README 6 epoll_event: 16 bytes, data at 8",
     "64 bits of user data come back at offset 8")
{
	u32 fds[2];
	u8 event[16], got[32];
	s64 ep = GOOD(S(epoll_create1, 0));

	EQ(S(pipe2, fds, 0), 0);
	put32(event, 4);
	put32(event + 4, 0x77777777);
	put64(event + 8, 0x1122334455667788ull);
	EQ(S(epoll_ctl, ep, 1, fds[1], event), 0);
	memset(got, 0xa5, 32);
	EQ(S(epoll_pwait, ep, got, 2, 0, 0, 0), 1);
	EQ(get32(got), 4);
	EQ(get64(got + 8), 0x1122334455667788ull);
	OK(all_bytes(got + 16, 0xa5, 16));
}

CASE("STR-082", "epoll_pwait", ALL, "linux fs/eventpoll.c compat_sys_epoll_pwait",
     "epoll_pwait with a signal set of 16 bytes is EINVAL")
{
	u32 mask[4] = {0};
	u8 got[16];
	s64 ep = GOOD(S(epoll_create1, 0));

	EQ(S(epoll_pwait, ep, got, 1, 0, mask, 16), -EINVAL);
	EQ(S(epoll_pwait, ep, got, 1, 0, mask, 8), 0);
	EQ(S(epoll_pwait, ep, got, 1, 0, 0, 16), 0);
}

CASE("STR-083", "signalfd4 read .signalfd_siginfo", ALL,
     "linux fs/signalfd.c: signalfd_siginfo is the same",
     "signalfd4 with signals above 32, records of 128 bytes")
{
	u32 mask[2] = {0, 1u << (40 - 33)};
	u8 info[128];
	s64 fd;

	EQ(S(rt_sigprocmask, SIG_BLOCK, mask, 0, 8), 0);
	fd = GOOD(S(signalfd4, -1, mask, 8, 0));
	EQ(S(signalfd4, -1, mask, 16, 0), -EINVAL);
	EQ(S(kill, own_pid(), 40), 0);
	EQ(S(read, fd, info, 128), 128);
	EQ(get32(info), 40);
	EQ(get32(info + 12), own_pid());
}

CASE("STR-085", "statx", ALL, "linux fs/stat.c cp_statx", "statx has 256 bytes, as everywhere")
{
	u8 *sx = at_end(256);

	scratch();
	make_file("f", 77);
	EQ(S(statx, AT_FDCWD, "f", 0, 0xfff, sx), 0);
	EQ(get64(sx + 40), 77);
	EQ(S(statx, AT_FDCWD, "f", 0, 0xfff, sx + 8), -EFAULT);
}

CASE("STR-086", "openat fcntl64", ALL, "oracle structs \"F_GETFL\"", "O_LARGEFILE is always on")
{
	s64 fd = GOOD(S(openat, AT_FDCWD, ".", O_RDONLY, 0));

	EQ(S(fcntl64, fd, 3, 0), 0400000);
}

CASE("STR-087", "openat", ALL, "oracle structs \"open flag tests\"",
     "O_DIRECTORY is 040000 and O_NOFOLLOW 0100000")
{
	scratch();
	make_file("f", 0);
	EQ(S(openat, AT_FDCWD, "f", 040000, 0), -ENOTDIR);
	EQ(S(symlinkat, "f", AT_FDCWD, "l"), 0);
	EQ(S(openat, AT_FDCWD, "l", 0100000, 0), -ELOOP);
	GOOD(S(openat, AT_FDCWD, "l", 0, 0));
}
