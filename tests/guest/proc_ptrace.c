/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptrace of a child: stops and their statuses, memory in words of four bytes, register sets, signals, calls,
 * steps, execve. Expected values from kernel/ptrace.c, arch/arm64/kernel/ptrace.c and a recorded 4.14. */
#include "proc.h"

enum { NR_ptrace = 117 };
enum { TRACEME, PEEKTEXT, PEEKDATA, PEEKUSR, POKETEXT, POKEDATA, CONT = 7, KILL, SINGLESTEP };
enum {
	GETREGS = 12,
	ATTACH = 16,
	DETACH,
	SYSCALL = 24,
	SETOPTIONS = 0x4200,
	GETEVENTMSG,
	GETSIGINFO
};
enum { SETSIGINFO = 0x4203, GETREGSET, SETREGSET, SEIZE, GETSIGMASK = 0x420a, SETSIGMASK };
enum { PRSTATUS = 1, PRFPREG, ARM_TLS = 0x401, ARM_SYSTEM_CALL = 0x404 };

struct iov {
	void *base;
	u32 len;
};
struct regs {
	u64 x[31], sp, pc, pstate;
};

static volatile u32 word = 0x11223344;
static s64 child;
static char *again[] = {"proc_ptrace", "again", 0};
static char **environment;

static s64 pt(u32 request, u32 addr, u32 data)
{
	return sys(NR_ptrace, request, (u32)child, addr, data);
}

static struct regs get_regs(void)
{
	static struct regs r;
	struct iov v = {&r, sizeof(r)};

	pt(GETREGSET, PRSTATUS, (u32)&v);
	return r;
}

static s64 set_regs(struct regs *r)
{
	struct iov v = {r, sizeof(*r)};

	return pt(SETREGSET, PRSTATUS, (u32)&v);
}

/* Goes on with REQUEST and signal SIG until the next stop. */
static u32 go(u32 request, u32 sig)
{
	s64 r = pt(request, 0, sig);

	if (r)
		print("(request %u: %ld) ", request, r);
	return (u32)wait_for(child);
}

/* --- the child ------------------------------------------------------------------------------------ */

static void caught(int sig, u8 *info, u8 *uc)
{
	(void)info, (void)uc;
	word += (u32)sig;
}

static void child_runs(void)
{
	set_handler(SIGUSR1, caught, 0);
	if (sys(NR_ptrace, TRACEME, 0, 0, 0) || sys(NR_ptrace, TRACEME, 0, 0, 0) != -EPERM)
		quit(1);
	sys(NR_kill, sys(NR_getpid), SIGSTOP);
	/* The tracer has changed it. */
	if (word != 0x55667788)
		quit(2);
	sys(NR_kill, sys(NR_getpid), SIGUSR1); /* taken away */
	sys(NR_kill, sys(NR_getpid), SIGUSR1); /* delivered */
	if (word != 0x55667788 + SIGUSR1)
		quit(3);
	__asm__ volatile("brk #0x123" ::: "memory");
	/* Seen call by call: the number is changed, then the result. */
	if (sys(NR_getppid) != 1234 || sys(NR_gettid) != 77)
		quit(4);
	sys(NR_execve, "/proc/self/exe", again, environment);
	quit(5);
}

/* --- the tracer ------------------------------------------------------------------------------------- */

static void memory(void)
{
	u32 got = 0;

	print("peek %ld", pt(PEEKDATA, (u32)&word, (u32)&got));
	print(" %x, unmapped %ld, bad result %ld, unaligned %ld", got, pt(PEEKDATA, 16, (u32)&got),
	      pt(PEEKDATA, (u32)&word, 0xfffffffc), pt(PEEKTEXT, (u32)&word + 1, (u32)&got));
	print(" %x\n", got & 0xffffff);
	print("poke %ld, text %ld, unmapped %ld\n", pt(POKEDATA, (u32)&word, 0x55667788),
	      pt(POKETEXT, (u32)memory, *(u32 *)(u32)memory), pt(POKEDATA, 16, 0));
	print("user area %ld, old registers %ld\n", pt(PEEKUSR, 0, (u32)&got), pt(GETREGS, 0, 0));
}

static void register_sets(void)
{
	static u8 b[600];
	struct iov v = {b, 600};
	s64 r = pt(GETREGSET, PRSTATUS, (u32)&v);

	print("registers %ld: %u bytes, x8 %u, x19.. ok %d\n", r, v.len, get32(b + 64),
	      get64(b + 256) > 0x1000);
	v.len = 270;
	print("270 bytes %ld, ", pt(GETREGSET, PRSTATUS, (u32)&v));
	v.len = 16;
	r = pt(GETREGSET, PRSTATUS, (u32)&v);
	print("16 bytes %ld %u, ", r, v.len);
	v.len = 600;
	r = pt(GETREGSET, PRFPREG, (u32)&v);
	print("FP %ld %u, ", r, v.len);
	v.len = 600;
	r = pt(GETREGSET, ARM_TLS, (u32)&v);
	print("TLS %ld %u, ", r, v.len);
	v.len = 600;
	r = pt(GETREGSET, ARM_SYSTEM_CALL, (u32)&v);
	print("call %ld %u, ", r, v.len);
	v.base = (void *)0xfffffff0, v.len = 272;
	print("bad buffer %ld, bad iovec %ld, unknown %ld\n", pt(GETREGSET, PRSTATUS, (u32)&v),
	      pt(GETREGSET, PRSTATUS, 0xfffffffc), pt(GETREGSET, 99, (u32)&v));
}

static void signals(void)
{
	u8 info[128];
	u32 mask[2] = {1, 1};
	s64 r = pt(GETSIGINFO, 0, (u32)info);

	print("siginfo %ld: signal %u from the child %d", r, get32(info),
	      get32(info + 12) == child);
	r = pt(GETSIGMASK, 8, (u32)mask);
	print(", mask %ld %x %x, size 4 %ld\n", r, mask[0], mask[1], pt(GETSIGMASK, 4, (u32)mask));
}

static void calls(void)
{
	struct regs r;
	s32 nr = 178;
	struct iov v = {&nr, 4};
	u32 entry;

	/* up to getppid: whatever comes before it is let pass */
	do {
		entry = go(SYSCALL, 0);
		r = get_regs();
	} while (r.x[8] != NR_getppid && entry == 0x857f);
	print("entry %x: call %u, x7 %lx", entry, (u32)r.x[8], r.x[7]);
	print(", result %x: x7", go(SYSCALL, 0));
	r = get_regs();
	print(" %lx, the parent %d", r.x[7], r.x[0] == (u64)sys(NR_getpid));
	r.x[0] = 1234;
	print(", set %ld\n", set_regs(&r));
	print("next entry %x", go(SYSCALL, 0));
	nr = -1;
	print(", skip %ld", pt(SETREGSET, ARM_SYSTEM_CALL, (u32)&v));
	r = get_regs();
	r.x[0] = 77;
	set_regs(&r);
	print(", exit %x: x0", go(SYSCALL, 0));
	r = get_regs();
	print(" %lu\n", r.x[0]);
}

static void steps(void)
{
	struct regs a = get_regs(), b;
	u32 n = 0, status = 0;

	for (; n < 2; n++) {
		status = go(SINGLESTEP, 0);
		b = get_regs();
		if (status != 0x57f || b.pc == a.pc)
			break;
		a = b;
	}
	print("steps %u: %x\n", n, status);
}

static void trace(void)
{
	u8 info[128];
	u32 message = 0;

	print("first stop %x\n", (u32)wait_for(child));
	memory();
	register_sets();
	signals();
	print("bad options %ld, good ones %ld, bad signal %ld\n", pt(SETOPTIONS, 0, 0x80000000),
	      pt(SETOPTIONS, 0, 0x11), pt(CONT, 0, 65));
	print("SIGUSR1 %x", go(CONT, 0));
	print(", taken away, again %x", go(CONT, 0));
	print(", delivered, brk %x", go(CONT, SIGUSR1));
	pt(GETSIGINFO, 0, (u32)info);
	{
		struct regs r = get_regs();

		print(": code %u, address ok %d\n", get32(info + 8), get32(info + 12) == (u32)r.pc);
		r.pc += 4;
		set_regs(&r);
	}
	steps();
	calls();
	print("execve %x", go(CONT, 0));
	print(", message %ld", pt(GETEVENTMSG, 0, (u32)&message));
	print(" %d\n", message == child);
	print("running %ld", pt(CONT, 0, 0));
	print(", end %x, then %ld\n", (u32)wait_for(child), pt(CONT, 0, 0));
}

static void others(void)
{
	s64 pid = fork_();
	u32 status = 0;

	if (!pid) {
		sys(NR_ptrace, TRACEME, 0, 0, 0);
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		quit(9);
	}
	child = pid;
	{
		u8 info[128] = {0};
		/* P_PID, WEXITED: stops for the tracer are told all the same */
		s64 r = sys(NR_waitid, 1, (u32)pid, info, 4, 0);

		print("stop by waitid %ld: code %u, status %u", r, get32(info + 8),
		      get32(info + 20));
	}
	print(", detach %ld", pt(DETACH, 0, 0));
	print(", end %x\n", (u32)wait_for(pid));
	pid = fork_();
	if (!pid) {
		sys(NR_ptrace, TRACEME, 0, 0, 0);
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		quit(9);
	}
	child = pid;
	wait_for(pid);
	print("kill %ld: %x\n", pt(KILL, 0, 0), (u32)wait_for(pid));
	child = 0x3ffffff;
	print("no process: attach %ld, seize %ld, cont %ld", pt(ATTACH, 0, 0), pt(SEIZE, 0, 0),
	      pt(CONT, 0, 0));
	child = sys(NR_getpid);
	print(", not traced %ld %ld\n", pt(PEEKDATA, (u32)&word, (u32)&status), pt(0x9999, 0, 0));
}

/* PTRACE_O_TRACEEXIT: a stop before the end, whose message is the status that wait4 will give. */
static void ends(int by_signal)
{
	u32 message = 0, status;

	child = fork_();
	if (!child) {
		sys(NR_ptrace, TRACEME, 0, 0, 0);
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		if (by_signal)
			sys(NR_kill, sys(NR_getpid), SIGTERM);
		quit(7);
	}
	wait_for(child);
	print("exit event: option %ld", pt(SETOPTIONS, 0, 0x40));
	status = go(CONT, 0);
	if (by_signal)
		status = go(CONT, SIGTERM);
	print(", stop %x, message %ld", status, pt(GETEVENTMSG, 0, (u32)&message));
	print(" %x, end %x\n", message, go(CONT, 0));
}

/* SECCOMP_RET_TRACE: with PTRACE_O_TRACESECCOMP a stop, else ENOSYS. The tracer may skip the call or change it; what the
 * filter says about another call, it says then. */
static void filtered(void)
{
	enum { NR_prctl = 167, NO_NEW_PRIVS = 38, NR_seccomp = 277, NR_getpgid = 155 };
	static const struct {
		u16 code;
		u8 jt, jf;
		u32 k;
	} filter[] = {
		{0x20, 0, 0, 0},               /* the number */
		{0x15, 2, 0, NR_getppid},      /* if (it == getppid) trace */
		{0x15, 2, 0, NR_getpgid},      /* if (it == getpgid) errno */
		{0x06, 0, 0, 0x7fff0000},      /* allow */
		{0x06, 0, 0, 0x7ff00123},      /* trace */
		{0x06, 0, 0, 0x00050000 | 12}, /* errno */
	};
	static const struct {
		u16 len;
		const void *filter;
	} program = {6, filter};
	static u32 message;

	child = fork_();
	if (!child) {
		s64 parent = sys(NR_getppid), own = sys(NR_getpid);

		sys(NR_ptrace, TRACEME, 0, 0, 0);
		sys(NR_prctl, NO_NEW_PRIVS, 1, 0, 0, 0);
		if (sys(NR_seccomp, 1, 0, &program))
			quit(1);
		sys(NR_kill, own, SIGSTOP);
		if (sys(NR_getppid) != parent) /* let pass */
			quit(2);
		if (sys(NR_getppid) != 77) /* skipped */
			quit(3);
		if (sys(NR_getppid) != own) /* getpid instead */
			quit(4);
		if (sys(NR_getppid) != -12) /* getpgid instead */
			quit(5);
		if (sys(NR_getppid) != -ENOSYS) /* nobody asks */
			quit(6);
		quit(0);
	}
	wait_for(child);
	print("seccomp: option %ld", pt(SETOPTIONS, 0, 0x80));
	for (int i = 0; i < 4; i++) {
		static const s32 number[] = {0, -1, NR_getpid, NR_getpgid};
		s32 nr = number[i];
		struct iov v = {&nr, 4};
		struct regs r;

		print(", stop %x", go(CONT, 0));
		print(", message %ld", pt(GETEVENTMSG, 0, (u32)&message));
		print(" %x", message);
		if (!i)
			continue;
		r = get_regs();
		r.x[0] = 77;
		set_regs(&r);
		pt(SETREGSET, ARM_SYSTEM_CALL, (u32)&v);
	}
	print(", option %ld", pt(SETOPTIONS, 0, 0));
	print(", end %x\n", go(CONT, 0));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argv, (void)auxv;
	environment = envp;
	if (argc == 2)
		return 6;
	child = fork_();
	if (!child)
		child_runs();
	trace();
	others();
	ends(0);
	ends(1);
	filtered();
	return 0;
}
