/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptrace between ILP32 processes. */
#include "abi.h"

#define TRACE \
 "oracle ptrace; linux arch/arm64/kernel/ptrace.c compat_arch_ptrace, kernel/ptrace.c compat_ptrace_request"

enum {
	TRACEME,
	PEEKTEXT,
	PEEKDATA,
	PEEKUSER,
	POKETEXT,
	POKEDATA,
	POKEUSER,
	CONT,
	KILL,
	GETREGS = 12,
	SYSCALL = 24,
	SETOPTIONS = 0x4200,
	GETEVENTMSG,
	GETSIGINFO,
	GETREGSET = 0x4204,
	GETSIGMASK = 0x420a,
};

static u32 word[4] __attribute__((aligned(8))) = {0x11223344, 0x55667788, 0x99aabbcc, 0};
static u8 buf[1024] __attribute__((aligned(16)));

/* A traced child that has stopped itself; it goes on with getppid calls. */
static s64 tracee(void)
{
	s64 child = fork_();

	if (!child) {
		u32 block[2] = {1u << (SIGUSR2 - 1), 4};

		if (S(ptrace, TRACEME, 0, 0, 0))
			S(exit_group, 99);
		__asm__ volatile("msr tpidr_el0, %0" : : "r"(0x1234567800ull));
		S(rt_sigprocmask, SIG_SETMASK, block, 0, 8);
		S(kill, own_pid(), SIGSTOP);
		for (;;)
			sys6(__NR_getppid, 0xfeed00000001ull, 0, 0, 0, 0, 0);
	}
	if (wait_for(child) == 99 << 8) {
		if (S(ptrace, PEEKDATA, child, 0, 0) == -ENOSYS)
			fail(__LINE__, "ptrace", -ENOSYS, 0);
		skip("not allowed to trace");
	}
	return child;
}

CASE("PTC-001", "ptrace", ALL, TRACE,
     "PEEKDATA stores 4 bytes at its data pointer and answers 0, unaligned as well")
{
	s64 child = tracee();
	u32 got[2] = {0, 0xa5a5a5a5};

	EQ(S(ptrace, PEEKDATA, child, word, got), 0);
	EQ(got[0], 0x11223344);
	EQ(got[1], 0xa5a5a5a5);
	EQ(S(ptrace, PEEKTEXT, child, (u8 *)word + 1, got), 0);
	EQ(got[0], 0x88112233);
	EQ(S(ptrace, PEEKDATA, child, 4, got), -EIO);
}

CASE("PTC-002", "ptrace", ALL, TRACE, "POKEDATA changes 4 bytes")
{
	s64 child = tracee();
	u32 got;

	EQ(S(ptrace, POKEDATA, child, word + 1, 0xdeadc0de), 0);
	EQ(S(ptrace, PEEKDATA, child, word + 1, &got), 0);
	EQ(got, 0xdeadc0de);
	EQ(S(ptrace, PEEKDATA, child, word + 2, &got), 0);
	EQ(got, 0x99aabbcc);
}

static s64 regset(s64 child, u32 type, u32 size, u32 *back)
{
	u32 iov[2] = {Z(buf), size};
	s64 r = S(ptrace, GETREGSET, child, type, iov);

	*back = iov[1];
	return r;
}

CASE("PTC-003", "ptrace .user_pt_regs", ALL, TRACE,
     "GETREGSET NT_PRSTATUS: 272 bytes by an iovec of 8")
{
	s64 child = tracee();
	u32 n;

	EQ(regset(child, 1, 1024, &n), 0);
	EQ(n, 272);
	EQ(get64(buf + 64), __NR_kill);
	EQ(get64(buf), 0);
	OK(get64(buf + 256) != 0 && get64(buf + 256) >> 32 == 0);
}

CASE("PTC-004", "ptrace", ALL, TRACE,
     "a register set size that is no multiple of its unit is EINVAL; less is fine")
{
	s64 child = tracee();
	u32 n;

	EQ(regset(child, 1, 270, &n), -EINVAL);
	EQ(regset(child, 1, 64, &n), 0);
	EQ(n, 64);
	EQ(regset(child, 0x9999, 64, &n), -EINVAL);
}

CASE("PTC-005", "ptrace", ALL, TRACE, "NT_ARM_TLS: 8 bytes, TPIDR_EL0; NT_PRFPREG 528")
{
	s64 child = tracee();
	u32 n;

	EQ(regset(child, 0x401, 64, &n), 0);
	EITHER(n, 8, 16); /* with TPIDR2 on CPUs with SME */
	EQ(get64(buf), 0x1234567800ull);
	EQ(regset(child, 2, 1024, &n), 0);
	EQ(n, 528);
}

CASE("PTC-006", "ptrace .siginfo", ALL, TRACE, "GETSIGINFO gives the ILP32 siginfo")
{
	s64 child = tracee();

	memset(buf, 0xa5, 256);
	EQ(S(ptrace, GETSIGINFO, child, 0, buf), 0);
	EQ(get32(buf), SIGSTOP);
	EQ(get32(buf + 12), child);
	EQ(get32(buf + 16), S(getuid));
	OK(all_bytes(buf + 128, 0xa5, 64));
}

CASE("PTC-007", "ptrace", ALL, TRACE, "GETSIGMASK: the size is 8")
{
	s64 child = tracee();
	u32 mask[3] = {0, 0, 0xa5a5a5a5};

	EQ(S(ptrace, GETSIGMASK, child, 8, mask), 0);
	EQ(mask[0], 1u << (SIGUSR2 - 1));
	EQ(mask[1], 4);
	EQ(mask[2], 0xa5a5a5a5);
	EQ(S(ptrace, GETSIGMASK, child, 4, mask), -EINVAL);
}

CASE("PTC-008", "ptrace", ALL, TRACE " tracehook_report_syscall",
     "x7 is 0 at the entry of a call and 1 at its exit")
{
	s64 child = tracee();
	u32 n;

	EQ(S(ptrace, SETOPTIONS, child, 0, 1), 0);
	EQ(S(ptrace, SYSCALL, child, 0, 0), 0);
	EQ(wait_for(child), 0x7f | (5 | 0x80) << 8); /* the exit of kill, or the entry of getppid */
	for (u32 i = 0; i < 3; i++) {
		EQ(regset(child, 1, 272, &n), 0);
		if (get64(buf + 64) == __NR_getppid && get64(buf + 56) == 0)
			break;
		EQ(S(ptrace, SYSCALL, child, 0, 0), 0);
		EQ(wait_for(child), 0x7f | (5 | 0x80) << 8);
	}
	EQ(get64(buf + 64), __NR_getppid);
	EQ(get64(buf + 56), 0);
	EQ(get64(buf), 0xfeed00000001ull);
	EQ(S(ptrace, SYSCALL, child, 0, 0), 0);
	EQ(wait_for(child), 0x7f | (5 | 0x80) << 8);
	EQ(regset(child, 1, 272, &n), 0);
	EQ(get64(buf + 56), 1);
	EQ(get64(buf), own_pid());
}

CASE("PTC-009", "ptrace", ALL, TRACE, "PEEKUSER, POKEUSER and GETREGS are EIO")
{
	s64 child = tracee();
	u32 got;

	EQ(S(ptrace, PEEKUSER, child, 0, &got), -EIO);
	EQ(S(ptrace, POKEUSER, child, 0, 0), -EIO);
	EQ(S(ptrace, GETREGS, child, 0, buf), -EIO);
}

CASE("PTC-010", "ptrace", ALL, "linux kernel/ptrace.c ptrace_check_attach",
     "a process that is not traced by us is ESRCH")
{
	u32 got;
	s64 child = fork_();

	if (!child)
		for (;;)
			sleep_ms(1000);
	EQ(S(ptrace, PEEKDATA, child, word, &got), -ESRCH);
	EQ(S(ptrace, 16, 0x7ffffff, 0, 0), -ESRCH);
}

CASE("PTC-011", "ptrace", ALL, TRACE, "GETEVENTMSG stores 4 bytes: the child of a traced fork")
{
	s64 child = fork_();
	u32 message[2] = {0, 0xa5a5a5a5};
	int status;

	if (!child) {
		S(ptrace, TRACEME, 0, 0, 0);
		S(kill, own_pid(), SIGSTOP);
		fork_();
		S(exit_group, 0);
	}
	wait_for(child);
	EQ(S(ptrace, SETOPTIONS, child, 0, 2), 0);
	EQ(S(ptrace, CONT, child, 0, 0), 0);
	status = wait_for(child);
	EQ(status, 0x7f | 5 << 8 | 1 << 16);
	EQ(S(ptrace, GETEVENTMSG, child, 0, message), 0);
	OK(message[0] > 0 && message[0] != (u32)child);
	EQ(message[1], 0xa5a5a5a5);
	S(kill, message[0], SIGKILL);
}
