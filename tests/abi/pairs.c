/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit values in two registers. */
#include "abi.h"

#define WRAPPER "oracle structs; linux arch/arm64/kernel/sys_ilp32.c (ILP32 series)"
#define GIB     0x40000000u

/* A sparse file of 9 GiB with TEXT at OFFSET. */
static int sparse(u64 offset, const char *text)
{
	int fd = file_of(0);

	EQ(S(ftruncate64, fd, 0, GIB, 2), 0);
	EQ(S(pwrite64, fd, text, text_len(text), 0, (u32)offset, (u32)(offset >> 32)),
	   text_len(text));
	return fd;
}

static u64 size_of(int fd)
{
	u8 st[104];

	EQ(S(fstat64, fd, st), 0);
	return get64(st + 48);
}

CASE("PAIR-001", "pread64 pwrite64", ALL, WRAPPER, "pread64 skips x3 and takes x4:x5")
{
	int fd = sparse(0x100000001ull, "hello");
	char b[5];

	EQ(S(pread64, fd, b, 5, 0xffffffff, 1, 1), 5);
	EQ(memcmp(b, "hello", 5), 0);
}

CASE("PAIR-002", "pread64", ALL, WRAPPER, "upper halves of both registers of a pair are ignored")
{
	int fd = sparse(0x100000001ull, "hello");
	char b[5];

	EQ(sys6(__NR_pread64, Z(fd), Z(b), 5, 0, G(1), G(1)), 5);
	EQ(memcmp(b, "hello", 5), 0);
}

CASE("PAIR-003", "pwrite64 fstat64", ALL, WRAPPER, "pwrite64 at 5 GiB makes the file that long")
{
	int fd = file_of(0);

	EQ(S(pwrite64, fd, "abc", 3, 0, GIB, 1), 3);
	EQ(size_of(fd), 0x140000003ull);
}

CASE("PAIR-004", "truncate64", ALL, WRAPPER, "truncate64 takes x2:x3")
{
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(truncate64, "f", 0x7777, 0, 2), 0);
	EQ(size_of((int)fd), 0x200000000ull);
}

CASE("PAIR-005", "ftruncate64", ALL, "linux fs/open.c do_sys_ftruncate",
     "ftruncate64 to a negative length is EINVAL")
{
	EQ(S(ftruncate64, file_of(0), 0, 0, 0x80000000), -EINVAL);
}

CASE("PAIR-006", "fallocate", ALL, WRAPPER, "fallocate above 4 GiB")
{
	int fd = file_of(0);
	s64 r = S(fallocate, fd, 0, PAGE, 1, PAGE, 0);

	if (r == -EOPNOTSUPP)
		skip("the file system has no fallocate");
	EQ(r, 0);
	EQ(size_of(fd), 0x100000000ull + 2 * PAGE);
	EQ(S(fallocate, fd, 0, 0, 0, 0, 0xffffffff), -EINVAL);
}

CASE("PAIR-007", "readahead", ALL, WRAPPER, "readahead: offset x2:x3, count x4")
{
	scratch();
	EQ(S(readahead, make_file("f", PAGE), 0x1234, 0, 0, PAGE), 0);
	EQ(S(readahead, -1, 0, 0, 0, PAGE), -EBADF);
}

CASE("PAIR-008", "fadvise64_64", ALL, "linux mm/fadvise.c sys_fadvise64_64", "the advice is in x1")
{
	int fd = file_of(PAGE);

	EQ(S(fadvise64_64, fd, 99, 0, 0, 0, 0), -EINVAL);
	EQ(S(fadvise64_64, fd, 3, 0, 0, 0, 1), 0);
	EQ(S(fadvise64_64, fd, 3, 0, 0, 0, 0xffffffff), -EINVAL);
}

CASE("PAIR-009", "fadvise64_64 pipe2", ALL, "linux mm/fadvise.c sys_fadvise64_64",
     "fadvise64_64 of a pipe is ESPIPE")
{
	u32 fds[2];

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(fadvise64_64, fds[0], 3, 0, 0, 0, 0), -ESPIPE);
}

CASE("PAIR-010", "sync_file_range2", ALL, WRAPPER,
     "sync_file_range2: flags x1, offset x2:x3, length x4:x5")
{
	s64 fd;

	scratch();
	fd = make_file("f", 3 * PAGE);
	EQ(S(sync_file_range2, fd, 7, 0, 0, PAGE, 0), 0);
	EQ(S(sync_file_range2, fd, 8, 0, 0, PAGE, 0), -EINVAL);
	EQ(S(sync_file_range2, fd, 0, 0, 0x80000000, PAGE, 0), -EINVAL);
}

CASE("PAIR-011", "preadv", ALL, "linux fs/read_write.c compat_sys_preadv",
     "preadv: low x3, high x4")
{
	int fd = sparse(0x100000000ull, "hello");
	char b[5];
	u32 iov[2] = {(u32)b, 5};

	EQ(S(preadv, fd, iov, 1, 0, 1), 5);
	EQ(memcmp(b, "hello", 5), 0);
}

CASE("PAIR-011a", "pwritev", ALL, "linux fs/read_write.c compat_sys_pwritev",
     "pwritev: low x3, high x4, and x5 is not looked at")
{
	int fd = file_of(0);
	u32 iov[2] = {(u32) "abc", 3};

	EQ(S(pwritev, fd, iov, 1, 5, 1, 77), 3);
	EQ(size_of(fd), 0x100000008ull);
	EQ(S(pwritev, fd, iov, 1, 0, 0x80000000), -EINVAL);
}

CASE("PAIR-012", "preadv2 llseek", ALL, "linux fs/read_write.c compat_sys_preadv2",
     "preadv2 at -1 is readv: it moves the position")
{
	int fd = sparse(0, "hello");
	char b[5];
	u32 iov[2] = {(u32)b, 3};
	u64 at = 0;

	EQ(S(preadv2, fd, iov, 1, -1, -1, 0), 3);
	EQ(S(llseek, fd, 0, 0, &at, 1), 0);
	EQ(at, 3);
}

CASE("PAIR-013", "pwritev2", ALL, "linux include/linux/fs.h kiocb_set_rw_flags",
     "pwritev2 takes its flags from x5: unknown ones are EOPNOTSUPP")
{
	int fd = file_of(0);
	u32 iov[2] = {(u32) "abc", 3};

	EQ(S(pwritev2, fd, iov, 1, 0, 0, 0x40000000), -EOPNOTSUPP);
	EQ(S(pwritev2, fd, iov, 1, 1, 0, 0), 3);
	EQ(size_of(fd), 4);
}

CASE("PAIR-014", "llseek", ALL, "oracle structs \"llseek(62)\"; linux fs/read_write.c sys_llseek",
     "llseek: high x1, low x2; the result is stored")
{
	u64 at = 0;

	EQ(S(llseek, file_of(0), 1, GIB, &at, 0), 0);
	EQ(at, 0x140000000ull);
}

CASE("PAIR-015", "llseek", ALL, "linux fs/read_write.c sys_llseek",
     "llseek to an unmapped result is EFAULT")
{
	EQ(S(llseek, file_of(0), 0, 0, at_end(8) + 8, 0), -EFAULT);
}

CASE("PAIR-016", "mmap2", ALL,
     "linux arch/arm64/kernel/sys_ilp32.c compat_sys_mmap2: 4096-byte units",
     "mmap2 of offset 4 GiB")
{
	int fd = sparse(0x100000000ull, "hello");
	s64 p = GOOD(S(mmap2, 0, PAGE, PROT_READ, MAP_SHARED, fd, 0x100000));

	EQ(memcmp((char *)(u32)p, "hello", 5), 0);
}

CASE("PAIR-017", "mmap2", ALL, "linux arch/arm64/kernel/sys_ilp32.c compat_sys_mmap2: unsigned",
     "mmap2 of the page number 0xffffffff")
{
	int fd = file_of(0);
	s64 p;

	EQ(S(ftruncate64, fd, 0, 0, 0x1000), 0);
	EQ(S(pwrite64, fd, "end", 3, 0, 0xfffff000, 0xfff), 3);
	p = GOOD(S(mmap2, 0, PAGE, PROT_READ, MAP_SHARED, fd, 0xffffffff));
	EQ(memcmp((char *)(u32)p, "end", 3), 0);
}

CASE("PAIR-018", "mmap2", ALL, "linux arch/arm64/kernel/sys_ilp32.c compat_sys_mmap2",
     "an offset that is no multiple of the page is EINVAL on kernels with larger pages")
{
	for (u32 *a = main_auxv; *a; a += 2) {
		if (a[0] == 6 && a[1] == PAGE)
			skip("pages of 4 KiB: every offset is a multiple");
	}
	EQ(S(mmap2, 0, PAGE, PROT_READ, MAP_SHARED, file_of(PAGE), 1), -EINVAL);
}

CASE("PAIR-019", "lookup_dcookie", ALL, "linux fs/dcookies.c compat_sys_lookup_dcookie",
     "lookup_dcookie: a cookie nobody has")
{
	char b[64];
	s64 r;

	unprivileged();
	r = S(lookup_dcookie, 1, 1, b, 64);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without lookup_dcookie");
	EITHER(r, -EPERM, -EINVAL);
}

CASE("PAIR-020", "pread64", ALL,
     "linux arch/arm64/kernel/sys_ilp32.c: arg_u32p order follows the byte order",
     "on big-endian machines the high half comes first")
{
	u32 one = 1;

	if (*(volatile u8 *)&one == 1)
		skip("little-endian");
	EQ(S(pread64, sparse(0x100000001ull, "hello"), &one, 4, 0, 1, 1), 4);
}

CASE("PAIR-021", "fanotify_init fanotify_mark", ALL,
     "linux fs/notify/fanotify/fanotify_user.c: mask is one register in the ILP32 table",
     "fanotify_mark: mask x2, directory x3, path x4")
{
	s64 fd = S(fanotify_init, 0, 0);

	if (fd == -EPERM || fd == -ENOSYS)
		skip("no fanotify for us");
	GOOD(fd);
	scratch();
	make_file("f", 0);
	EQ(S(fanotify_mark, fd, 1, 0x20, AT_FDCWD, "f"), 0);
	EQ(S(fanotify_mark, fd, 2, 0x20, AT_FDCWD, "f"), 0);
}

CASE("PAIR-022", "fanotify_mark", ALL, "linux fs/notify/fanotify/fanotify_user.c",
     "fanotify_mark with the mask in two registers takes the path for the directory")
{
	s64 fd = S(fanotify_init, 0, 0);

	if (fd == -EPERM || fd == -ENOSYS)
		skip("no fanotify for us");
	GOOD(fd);
	scratch();
	make_file("f", 0);
	OK(S(fanotify_mark, fd, 1, 0x20, 0, AT_FDCWD, "f") < 0);
}

CASE("PAIR-023", "sendfile64 copy_file_range", ALL, "oracle README 5: offsets in memory are 64-bit",
     "sendfile64 and copy_file_range read and write 64-bit offsets in memory")
{
	int in = sparse(0x100000001ull, "hello"), out = file_of(0);
	u64 off[2] = {0x100000001ull, ~0ull};
	s64 r = S(sendfile64, out, in, off, 5);

	EQ(r, 5);
	EQ(off[0], 0x100000006ull);
	EQ(off[1], ~0ull);
	off[0] = 0x100000001ull;
	off[1] = 0x100000000ull;
	r = S(copy_file_range, in, off, out, off + 1, 5, 0);
	if (r == -ENOSYS || r == -EXDEV || r == -EINVAL || r == -EOPNOTSUPP)
		skip("copy_file_range is not for such files here");
	EQ(r, 5);
	EQ(off[1], 0x100000005ull);
	EQ(size_of(out), 0x100000005ull);
}
