/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call numbers, upper halves of argument registers, width of results, what survives a call. */
#include "abi.h"

#define ENTRY "oracle structs, regs; linux arch/arm64/kernel/entry.S el0_svc (ILP32 series)"

CASE("ARG-001", "write", ALL, ENTRY, "garbage above fd, buffer and count is ignored")
{
	u32 fds[2];
	char back[4];

	EQ(S(pipe2, fds, 0), 0);
	EQ(sys6(__NR_write, G(fds[1]), G("abcd"), G(4), 0, 0, 0), 4);
	EQ(S(read, fds[0], back, 4), 4);
	EQ(memcmp(back, "abcd", 4), 0);
}

CASE("ARG-002", "getpid", ALL, ENTRY, "the upper half of x8 is ignored")
{
	EQ(sys6(0xffffffff00000000ull | __NR_getpid, 0, 0, 0, 0, 0, 0), S(getpid));
}

CASE("ARG-003", "getpid", ALL, "oracle regs \"other registers\"; linux entry.S",
     "garbage in x1..x7 is still there after a call")
{
	u64 after[7];

	__asm__ volatile("mov x8, #172\n"
			 "	ldr x9, =0xdeadbeef00000001\n"
			 "	add x0, x9, #10\n add x1, x9, #11\n add x2, x9, #12\n"
			 "	add x3, x9, #13\n add x4, x9, #14\n add x5, x9, #15\n"
			 "	add x6, x9, #16\n add x7, x9, #17\n"
			 "	svc #0\n"
			 "	stp x1, x2, [%0]\n stp x3, x4, [%0, #16]\n"
			 "	stp x5, x6, [%0, #32]\n str x7, [%0, #48]\n"
			 :
			 : "r"(Z(after))
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "memory");
	for (u32 i = 0; i < 7; i++)
		EQ(after[i], 0xdeadbeef00000001ull + 11 + i);
}

CASE("ARG-004", "openat", ALL, ENTRY, "AT_FDCWD with garbage above it")
{
	EQ(S(close, GOOD(sys6(__NR_openat, G(AT_FDCWD), G("."), G(O_RDONLY), 0, 0, 0))), 0);
}

CASE("ARG-005", "close", ALL, ENTRY, "descriptor 0x1ffffffff is -1: EBADF")
{
	EQ(sys6(__NR_close, 0x1ffffffffull, 0, 0, 0, 0, 0), -EBADF);
}

CASE("ARG-006", "mmap2", ALL, ENTRY, "garbage above all six arguments of mmap2")
{
	s64 p = GOOD(sys6(__NR_mmap2, G(0), G(PAGE), G(PROT_RW), G(MAP_ANON), G(-1), G(0)));

	EQ(p >> 32, 0);
	*(volatile u32 *)(u32)p = 1;
	EQ(S(munmap, p, PAGE), 0);
}

CASE("ARG-007", "futex", ALL, "linux kernel/futex.c sys_futex: timeout is not read for FUTEX_WAKE",
     "futex wake ignores its timeout")
{
	u32 word = 0;

	EQ(sys6(__NR_futex, Z(&word), 1, 1, G(0), G(0), 0), 0);
}

CASE("ARG-008", "prctl", ALL, "linux kernel/sys.c sys_prctl: arguments must be 0",
     "PR_GET_NO_NEW_PRIVS with garbage above its zeros")
{
	EQ(sys6(__NR_prctl, 39, G(0), G(0), G(0), G(0), 0), 0);
}

/* The child goes on under PTRACE_SYSCALL until it is gone; its exit status. */
static int trace_calls(s64 child)
{
	int status = wait_for(child);

	while ((status & 0xff) == 0x7f) {
		GOOD(S(ptrace, 24, child, 0, 0));
		status = wait_for(child);
	}
	return status;
}

CASE("ARG-009", "ptrace write", SINCE_5_10,
     "linux 5.10 arch/arm64/kernel/syscall.c: arguments are taken after the stop",
     "upper halves are ignored under PTRACE_SYSCALL as well")
{
	u32 fds[2];
	s64 child;

	EQ(S(pipe2, fds, 0), 0);
	child = fork_();
	if (!child) {
		if (S(ptrace, 0, 0, 0, 0))
			S(exit_group, 99);
		S(kill, own_pid(), 19);
		S(exit_group, sys6(__NR_write, G(fds[1]), G("abcd"), G(4), 0, 0, 0) == 4 ? 5 : 6);
	}
	EQ(trace_calls(child), 5 << 8);
}

static u64 child_tls;
static u8 child_stack[8192] __attribute__((aligned(16)));

/* A thread that stores its TPIDR_EL0; returns when it is gone. */
static NOINLINE u64 thread_with_tls(u64 tls)
{
	static volatile u32 gone;
	u64 top = Z(child_stack + sizeof(child_stack));
	register u64 x8 __asm__("x8") = __NR_clone;
	register u64 x0 __asm__("x0") = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
					CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
					0x200000 /* CHILD_CLEARTID */;
	register u64 x1 __asm__("x1") = top;
	register u64 x2 __asm__("x2") = 0;
	register u64 x3 __asm__("x3") = tls;
	register u64 x4 __asm__("x4") = Z(&gone);
	register u64 x9 __asm__("x9") = Z(&child_tls);

	gone = 1;
	__asm__ volatile("svc #0\n"
			 "	cbnz x0, 1f\n"
			 "	mrs x0, tpidr_el0\n"
			 "	str x0, [x9]\n"
			 "	mov x0, #0\n"
			 "	mov x8, #93\n"
			 "	svc #0\n"
			 "1:"
			 : "+r"(x0), "+r"(x8)
			 : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x9)
			 : "memory", "cc");
	GOOD(x0);
	while (gone)
		S(sched_yield);
	return child_tls;
}

CASE("ARG-010", "clone", SINCE_5_10,
     "linux 5.10 kernel/fork.c sys_clone: tls is a parameter, cleaned at entry",
     "TPIDR_EL0 of a new thread has no upper half")
{
	EQ(thread_with_tls(0xfeedface12345678ull), 0x12345678);
}

CASE("ARG-010a", "clone", AMPERE,
     "oracle clone \"tls\"; linux arch/arm64/kernel/process.c copy_thread: childregs x3",
     "TPIDR_EL0 of a new thread keeps all 64 bits of x3")
{
	EQ(thread_with_tls(0xfeedface12345678ull), 0xfeedface12345678ull);
}

CASE("ARG-011", "", ALL, "oracle enosys; linux arch/arm64/kernel/traps.c do_ni_syscall",
     "numbers behind the table give ENOSYS")
{
	static const u32 number[] = {512, 1024, 0x80000000, 0xffffffff};

	for (u32 i = 0; i < 4; i++)
		EQ(sys6(number[i], 0, 0, 0, 0, 0, 0), -ENOSYS);
}

CASE("ARG-011a", "", AMPERE, "oracle enosys", "numbers from 292 on give ENOSYS")
{
	for (u32 nr = 292; nr < 460; nr++)
		EQ(sys6(nr, 0, 0, 0, 0, 0, 0), -ENOSYS);
}

CASE("ARG-011b", "", "openeuler-5.10",
     "linux 5.10 include/uapi/asm-generic/unistd.h: 403.. only where __BITS_PER_LONG is 32",
     "the 64-bit time calls 403..423 give ENOSYS")
{
	for (u32 nr = 403; nr < 424; nr++)
		EQ(sys6(nr, 0, 0, 0, 0, 0, 0), -ENOSYS);
}

CASE("ARG-012", "", ALL, "oracle enosys; linux include/uapi/asm-generic/unistd.h",
     "holes 244..259, 295..402, 415 give ENOSYS")
{
	for (u32 nr = 244; nr < 260; nr++)
		EQ(sys6(nr, 0, 0, 0, 0, 0, 0), -ENOSYS);
	for (u32 nr = 295; nr < 403; nr++)
		EQ(sys6(nr, 0, 0, 0, 0, 0, 0), -ENOSYS);
	EQ(sys6(415, 0, 0, 0, 0, 0, 0), -ENOSYS);
}

CASE("ARG-013", "renameat getrlimit setrlimit nfsservctl", ALL, "oracle enosys, structs",
     "renameat, getrlimit, setrlimit and nfsservctl are not there")
{
	u64 limit[2];

	EQ(S(renameat, AT_FDCWD, "/nonexistent", AT_FDCWD, "/nonexistent2"), -ENOSYS);
	EQ(S(getrlimit, 7, limit), -ENOSYS);
	EQ(S(setrlimit, 7, limit), -ENOSYS);
	EQ(sys6(42, 0, 0, 0, 0, 0, 0), -ENOSYS);
}

CASE("ARG-014", "read", ALL, "oracle structs; linux entry.S ret_fast_syscall",
     "errors are sign-extended to 64 bits")
{
	char c;

	EQ(sys6(__NR_read, Z(-1), Z(&c), 1, 0, 0, 0), (s64)0xfffffffffffffff7ull);
}

CASE("ARG-015", "mmap2", ALL, "oracle layout", "addresses above 2 GiB are zero-extended")
{
	s64 p = GOOD(S(mmap2, 0xa0000000, PAGE, PROT_RW, MAP_ANON, -1, 0));

	EQ(p, 0xa0000000ull);
	EQ(S(mremap, p, PAGE, PAGE, 3, 0xb0000000), 0xb0000000ull);
	EQ(S(munmap, 0xb0000000, PAGE), 0);
}

CASE("ARG-016", "brk", ALL, "oracle layout; linux mm/mmap.c sys_brk",
     "the break is zero-extended, a refused one is returned unchanged")
{
	s64 now = S(brk, 0);

	OK(now > 0 && now >> 32 == 0);
	EQ(S(brk, now + 3 * PAGE), now + 3 * PAGE);
	*(volatile u8 *)(u32)(now + 2 * PAGE) = 1;
	EQ(S(brk, 0xfffffff0u), now + 3 * PAGE);
	EQ(S(brk, now), now);
}

CASE("ARG-017", "shmget shmat shmdt shmctl", ALL, "linux ipc/shm.c compat_sys_shmat",
     "shmat at 3 GiB is zero-extended")
{
	int id = ipc_object(IPC_SHM, CONFIGURED(S(shmget, 0, PAGE, 0600)));

	EQ(S(shmat, id, 0xc0000000, 0), 0xc0000000ull);
	*(volatile u32 *)0xc0000000u = 7;
	EQ(S(shmdt, 0xc0000000), 0);
}

CASE("ARG-018", "getppid", ALL, "oracle regs", "x9..x28, v0..v31 and the flags survive a call")
{
	u64 bad;

	__asm__ volatile(
		"	mov x9, #9\n mov x10, #10\n mov x19, #19\n mov x27, #27\n mov x28, #28\n"
		"	movi v0.16b, #1\n movi v7.16b, #7\n movi v8.16b, #8\n movi v31.16b, #31\n"
		"	mov x8, #173\n"
		"	mov x11, #0xa0000000\n msr nzcv, x11\n"
		"	svc #0\n"
		"	mrs x12, nzcv\n"
		"	eor %0, x11, x12\n"
		"	sub x9, x9, #9\n orr %0, %0, x9\n sub x10, x10, #10\n orr %0, %0, x10\n"
		"	sub x19, x19, #19\n orr %0, %0, x19\n sub x27, x27, #27\n orr %0, %0, x27\n"
		"	sub x28, x28, #28\n orr %0, %0, x28\n"
		"	movi v16.16b, #1\n eor v0.16b, v0.16b, v16.16b\n"
		"	movi v16.16b, #7\n eor v7.16b, v7.16b, v16.16b\n"
		"	movi v16.16b, #8\n eor v8.16b, v8.16b, v16.16b\n"
		"	movi v16.16b, #31\n eor v31.16b, v31.16b, v16.16b\n"
		"	orr v0.16b, v0.16b, v7.16b\n orr v0.16b, v0.16b, v8.16b\n"
		"	orr v0.16b, v0.16b, v31.16b\n addp d0, v0.2d\n fmov x9, d0\n orr %0, %0, x9\n"
		: "=&r"(bad)
		:
		: "x0", "x8", "x9", "x10", "x11", "x12", "x19", "x27", "x28", "v0", "v7", "v8",
		  "v16", "v31", "cc", "memory");
	EQ(bad, 0);
}

CASE("ARG-019", "getpid", ALL,
     "linux arch/arm64/kernel/entry.S el0_svc: the immediate is not looked at",
     "any immediate of svc will do")
{
	register u64 x8 __asm__("x8") = __NR_getpid;
	register u64 x0 __asm__("x0") = 0;

	__asm__ volatile("svc #0xabc" : "+r"(x0) : "r"(x8) : "memory");
	EQ(x0, S(getpid));
}

CASE("ARG-020", "write", ALL, "oracle structs \"bad pointer\": the tag goes with the upper half",
     "a tagged pointer is an untagged one")
{
	u32 fds[2];

	EQ(S(pipe2, fds, 0), 0);
	EQ(sys6(__NR_write, Z(fds[1]), Z("abcd") | 0xabull << 56, 4, 0, 0, 0), 4);
}
