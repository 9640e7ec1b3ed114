/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The historic kernels: 64-bit values in one register, upper halves that nobody clears, LP64 signal frames; and what
 * the two differ in: widths of times, stat, offsets of mmap, resource limits. Written with the calls of these kernels
 * alone (hist-lp64ish: versions 3 and 4 of the kernel series; hist-single64: the first version 6).
 */
#include "guest.h"

enum { NR_ftruncate = 46, NR_lseek = 62, NR_pread = 67, NR_pwrite = 68, NR_fstat = 80 };
enum { NR_renameat = 38, NR_fstatfs = 44, NR_getrlimit = 163, NR_setrlimit = 164, NR_mmap = 222 };
enum {
	NR_getrusage = 165,
	NR_sysinfo = 179,
	NR_gettimeofday = 169,
	NR_times = 153,
	NR_uname = 160
};
enum {
	NR_waitid = 95,
	NR_prlimit64 = 261,
	NR_copy_file_range = 285,
	NR_statx = 291,
	NR_memfd = 279
};

static u8 buf[512];

static void fill(void)
{
	memset(buf, 0xa5, sizeof(buf));
}

/* Bytes of BUF up to the last one that was written. */
static u32 written(void)
{
	u32 n = sizeof(buf);

	while (n && buf[n - 1] == 0xa5)
		n--;
	return n;
}

static u64 at64(u32 offset)
{
	u64 v;

	memcpy(&v, buf + offset, 8);
	return v;
}

static u32 at32(u32 offset)
{
	u32 v;

	memcpy(&v, buf + offset, 4);
	return v;
}

/* --- files ---------------------------------------------------------------------------------------- */

static void files(void)
{
	u64 fd = (u64)sys(NR_memfd, "f", 0), garbage = 0x5a00000000000000ull;
	u64 big = 0x123456000ull, b = (u32)buf;
	s64 r;

	print("ftruncate %ld\n", sys6(NR_ftruncate, fd, big, 0, 0, 0, 0));
	print("lseek end %lx\n", sys6(NR_lseek, fd, 0, 2, 0, 0, 0));
	print("lseek %lx\n", sys6(NR_lseek, fd, 0x100001000ull, 0, 0, 0, 0));
	buf[0] = 'y';
	print("pwrite %ld\n", sys6(NR_pwrite, fd, b, 1, 0x100001000ull, 0, 0));
	buf[0] = 0;
	print("pread %ld", sys6(NR_pread, fd, b, 1, 0x100001000ull, 0, 0));
	print(" %c\n", buf[0]);
	/* Registers of numbers may have anything above; pointers may not. */
	print("read with garbage in fd and count %ld\n",
	      sys6(NR_read, fd | garbage, b, 1 | garbage, 0, 0, 0));
	print("read with garbage in the pointer %ld\n", sys6(NR_read, fd, b | garbage, 1, 0, 0, 0));
	print("the number with garbage %ld\n", sys6(NR_read | garbage, fd, b, 1, 0, 0, 0));

	sys6(NR_pwrite, fd, (u32) "z", 1, 0x1000, 0, 0);
	r = sys6(NR_mmap, 0, 4096, 1, 2, fd, 1);
	print("mmap offset 1: %s", r < 0 && r > -4096 ? "error " : "second page ");
	if (r < 0 && r > -4096)
		print("%ld\n", r);
	else
		print("%c\n", *(char *)(u32)r);
	r = sys6(NR_mmap, 0, 4096, 1, 2, fd, 0x1000);
	print("mmap offset 4096: byte %d\n", *(u8 *)(u32)r);

	fill();
	print("fstat %ld", sys(NR_fstat, fd, buf));
	print(", %u bytes, size %lx, inode in its place %d\n", written(), at64(48),
	      at64(8) != 0 && !(at64(8) >> 32));
	fill();
	print("statfs with a size %ld", sys(NR_fstatfs, fd, 88, buf));
	print(", without %ld, ", sys(NR_fstatfs, fd, buf));
	print("%u bytes\n", written());
	print("renameat %ld\n", sys(NR_renameat, -100, "/nonexistent/a", -100, "/nonexistent/b"));
	print("copy_file_range %ld, statx %ld\n", sys(NR_copy_file_range, fd, 0, fd, 0, 0, 0),
	      sys(NR_statx, fd, "", 0x1000, 0x7ff, buf));
}

/* --- structures ------------------------------------------------------------------------------------- */

static void size_of(const char *name, s64 r)
{
	print("%s %ld, %u bytes\n", name, r < 0 ? r : 0, written());
}

static void structures(void)
{
	fill();
	size_of("clock_gettime", sys(NR_clock_gettime, 0, buf));
	print("a time of this century: %d\n", (written() == 16 ? at64(0) : at32(0)) > 1700000000);
	fill();
	size_of("gettimeofday", sys(NR_gettimeofday, buf, 0));
	fill();
	size_of("times", sys(NR_times, buf));
	fill();
	size_of("getrusage", sys(NR_getrusage, 0, buf));
	fill();
	size_of("sysinfo", sys(NR_sysinfo, buf));
	fill();
	size_of("getrlimit", sys(NR_getrlimit, 7, buf));
	print("the same limit again %ld\n", sys(NR_setrlimit, 7, buf));
	fill();
	size_of("prlimit64", sys(NR_prlimit64, 0, 7, 0, buf));
}

/* --- signals ----------------------------------------------------------------------------------------- */

static u64 handler_saw[8];

static void handler(int sig, u8 *info, u8 *uc)
{
	u32 *words = (u32 *)info;
	u64 sp, pc;

	__asm__ volatile("mov %0, sp" : "=r"(sp));
	memcpy(&pc, uc + 176 + 264, 8);
	handler_saw[0] = (u64)sig;
	handler_saw[1] = words[4];           /* si_pid */
	handler_saw[2] = (u64)(uc - info);   /* siginfo */
	memcpy(&handler_saw[3], uc + 40, 8); /* uc_sigmask */
	handler_saw[4] = pc;
	memcpy(&handler_saw[5], uc + 176 + 288, 4); /* the first record's magic */
	handler_saw[6] = *(u32 *)(uc + 24);         /* uc_stack.ss_flags */
}

static void signals(void)
{
	struct {
		u64 handler, flags, restorer, mask;
	} action = {(u32)handler, 4 /* SA_SIGINFO */, 0, 0}, old;
	u64 set = 1u << 9; /* SIGUSR1 is 10 */
	u32 pid = (u32)sys(NR_getpid);
	u64 block = 1ull << 33;

	memset(&old, 0xa5, sizeof(old));
	print("sigaction %ld", sys(NR_rt_sigaction, 10, &action, &old, 8));
	print(", old mask %lx\n", old.mask);
	sys(NR_rt_sigaction, 10, 0, &old, 8);
	print("flags as they were: %d\n", (old.flags & 4) != 0 && old.handler == (u32)handler);
	sys(NR_rt_sigprocmask, 0, &block, 0, 8);
	sys(NR_kill, pid, 10);
	print("signal %ld from us %d, ucontext at +%ld, mask %lx, pc set %d, record %lx, flags %lx\n",
	      handler_saw[0], handler_saw[1] == pid, handler_saw[2], handler_saw[3],
	      handler_saw[4] > 0x1000 && !(handler_saw[4] >> 32), handler_saw[5], handler_saw[6]);
	fill();
	sys(NR_rt_sigprocmask, 0, &set, 0, 8);
	sys(NR_kill, pid, 10);
	print("sigtimedwait %ld", sys(NR_rt_sigtimedwait, &set, buf, 0, 8));
	print(", pid at 16: %d\n", at32(16) == pid);

	s64 child = fork_();

	if (child == 0)
		quit(7);
	fill();
	print("waitid %ld", sys(NR_waitid, 1, child, buf, 4, 0));
	print(": pid at 16 %d, status at 24 %u, %u bytes, 12 untouched %d\n", at32(16) == child,
	      at32(24), written(), at32(12) == 0xa5a5a5a5);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	files();
	structures();
	signals();
	quit(0);
}
