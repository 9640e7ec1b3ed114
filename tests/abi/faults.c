/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals by the processor, and what siginfo says of each signal. */
#include "abi.h"

static u32 sig_no, code;
static u8 info[128];
static u64 pc, fault_address;
static u32 go_to; /* where the handler continues; 0: the next instruction */

static void on_signal(int sig, u8 *si, u8 *uc)
{
	sig_no = (u32)sig;
	memcpy(info, si, 128);
	code = get32(si + 8);
	pc = get64(uc + 424);
	fault_address = get64(uc + 160);
	put64(uc + 424, go_to ? go_to : pc + 4);
}

static void catch (u32 sig)
{
	EQ(set_handler(sig, on_signal, SA_SIGINFO), 0);
}

#define FAULT "oracle siginfo; linux arch/arm64/mm/fault.c, kernel/traps.c"
/* pc of an instruction written in asm with the label "here" */
#define RUN(text, ...)           \
 __asm__ volatile("adr %0, 1f\n" \
		  "1:	" text   \
		  : "=&r"(at)    \
		  : __VA_ARGS__  \
		  : "x9", "x10", "x30", "memory", "cc")

CASE("SIG-021", "rt_sigaction mprotect", ALL, FAULT, "a store to a read-only page: SEGV_ACCERR")
{
	u8 *p = guarded(1);
	u64 at;

	EQ(S(mprotect, p, PAGE, PROT_READ), 0);
	catch (SIGSEGV);
	RUN("str w9, [%1]", "r"(Z(p)));
	EQ(sig_no, SIGSEGV);
	EQ(code, 2);
	EQ(get32(info + 12), Z(p));
	EQ(pc, at);
}

CASE("SIG-021a", "", ALL, FAULT, "a load from an unmapped page: SEGV_MAPERR with the address")
{
	u64 at;

	catch (SIGSEGV);
	RUN("ldr w9, [%1]", "r"(0x123ull));
	EQ(sig_no, SIGSEGV);
	EQ(code, 1);
	EQ(get32(info + 12), 0x123);
	EQ(get32(info + 4), 0);
	EQ(fault_address, 0x123);
	EQ(pc, at);
}

CASE("SIG-021b", "", ALL, FAULT,
     "a branch into a page without execute permission: SEGV_ACCERR at its address")
{
	u8 *p = guarded(1);

	catch (SIGSEGV);
	__asm__ volatile("adr x10, 1f\n str w10, %0\n br %1\n1:"
			 : "=m"(go_to)
			 : "r"(Z(p))
			 : "x10", "memory");
	EQ(sig_no, SIGSEGV);
	EQ(code, 2);
	EQ(pc, Z(p));
}

CASE("SIG-022", "", ALL, FAULT " do_alignment_fault",
     "a load-exclusive from an odd address: BUS_ADRALN")
{
	static u64 word[2];
	u64 at;

	catch (SIGBUS);
	RUN("ldxr w9, [%1]", "r"(Z(word) + 1));
	EQ(sig_no, SIGBUS);
	EQ(code, 1);
	EQ(get32(info + 12), Z(word) + 1);
	EQ(pc, at);
}

CASE("SIG-022a", "", ALL, FAULT " do_sp_pc_abort", "a branch to an odd address: BUS_ADRALN")
{
	catch (SIGBUS);
	__asm__ volatile("adr x10, 1f\n str w10, %0\n add x9, x10, #2\n br x9\n1:"
			 : "=m"(go_to)
			 :
			 : "x9", "x10", "memory");
	EQ(sig_no, SIGBUS);
	EQ(code, 1);
	EQ(pc, go_to + 2);
}

CASE("SIG-023", "", ALL, FAULT " brk_handler", "brk: SIGTRAP, TRAP_BRKPT, pc at the brk")
{
	u64 at;

	catch (SIGTRAP);
	RUN("brk #1", "r"(0ull));
	EQ(sig_no, SIGTRAP);
	EQ(code, 1);
	EQ(get32(info + 12), at);
	EQ(pc, at);
}

CASE("SIG-024", "", ALL, FAULT " do_undefinstr",
     "udf, hlt, smc, hvc, a privileged register: SIGILL, ILL_ILLOPC")
{
	static const char *const what[] = {"udf", "hlt", "hvc", "smc", "mrs"};
	u64 at;

	catch (SIGILL);
	for (u32 i = 0; i < 5; i++) {
		text_copy(result->text, what[i], 16);
		sig_no = 0;
		switch (i) {
		case 0: RUN(".inst 0", "r"(0ull)); break;
		case 1: RUN("hlt #0", "r"(0ull)); break;
		case 2: RUN(".inst 0xd4000002", "r"(0ull)); break;
		case 3: RUN(".inst 0xd4000003", "r"(0ull)); break;
		default: RUN("mrs x9, sctlr_el1", "r"(0ull)); break;
		}
		EQ(sig_no, SIGILL);
		EQ(code, 1);
		EQ(get32(info + 12), at);
		EQ(pc, at);
	}
}

CASE("SIG-025", "mmap2", ALL, FAULT " do_bad_area: VM_FAULT_SIGBUS",
     "beyond the end of a mapped file: BUS_ADRERR")
{
	u8 *p = (u8 *)(u32)GOOD(S(mmap2, 0, 2 * PAGE, PROT_READ, MAP_SHARED, file_of(5), 0));
	u64 at;

	catch (SIGBUS);
	EQ(p[4095], 0);
	RUN("ldr w9, [%1]", "r"(Z(p) + PAGE + 8));
	EQ(sig_no, SIGBUS);
	EQ(code, 2);
	EQ(get32(info + 12), Z(p) + PAGE + 8);
}

CASE("SIG-036", "", ALL, "Arm ARM; linux: no trap", "an integer division by zero gives 0")
{
	u32 q = 1;

	__asm__ volatile("udiv %w0, %w1, wzr" : "=r"(q) : "r"(7));
	EQ(q, 0);
}

/* --- siginfo of other signals --------------------------------------------------------------------- */

#define INFO "oracle siginfo; linux arch/arm64/kernel/signal_ilp32.c copy_siginfo_to_user32"

static void take(u32 sig)
{
	memset(info, 0xa5, sizeof(info));
	EQ(wait_signal(sig, info), sig);
	EQ(get32(info), sig);
}

CASE("SIG-026", "rt_sigtimedwait exit_group .siginfo", ALL, INFO,
     "SIGCHLD: pid 12, uid 16, status 20, times 24 and 28")
{
	s64 child;

	block(SIGCHLD);
	child = fork_();
	if (!child)
		S(exit_group, 9);
	take(SIGCHLD);
	EQ(get32(info + 4), 0);
	EQ(get32(info + 8), 1);
	EQ(get32(info + 12), child);
	EQ(get32(info + 16), S(getuid));
	EQ(get32(info + 20), 9);
	OK(get32(info + 24) < 1000 && get32(info + 28) < 1000);
}

CASE("SIG-026a", "kill rt_sigtimedwait tkill .siginfo", ALL, INFO,
     "kill: code 0, pid 12, uid 16; tkill: code -6")
{
	block(SIGUSR1);
	EQ(S(kill, own_pid(), SIGUSR1), 0);
	take(SIGUSR1);
	EQ(get32(info + 8), 0);
	EQ(get32(info + 12), own_pid());
	EQ(get32(info + 16), S(getuid));
	EQ(sys6(__NR_tkill, (u64)S(gettid), SIGUSR1, 0, 0, 0, 0), 0);
	take(SIGUSR1);
	EQ((s32)get32(info + 8), -6);
	EQ(get32(info + 12), own_pid());
}

/* siginfo to queue: SI_QUEUE with a value. */
static u8 queued[128];
static void fill_queued(u32 sig, u32 value)
{
	memset(queued, 0, 128);
	put32(queued, sig);
	put32(queued + 8, (u32)-1);
	put32(queued + 12, (u32)own_pid());
	put32(queued + 16, (u32)S(getuid));
	put32(queued + 20, value);
}

static void queue_to_parent(void)
{
	u32 parent = (u32)S(getppid);
	s64 r = S(rt_sigqueueinfo, parent, 40, queued);

	S(exit_group, -r);
}

CASE("SIG-027", "rt_sigqueueinfo rt_sigtimedwait rt_tgsigqueueinfo .siginfo", ALL, INFO,
     "a queued value is at 20")
{
	s64 child;

	block(40);
	fill_queued(40, 0x89abcdef);
	child = fork_();
	if (!child) {
		fill_queued(40, 0x89abcdef);
		queue_to_parent();
	}
	take(40);
	EQ((s32)get32(info + 8), -1);
	EQ(get32(info + 12), child);
	EQ(get32(info + 20), 0x89abcdef);
	EQ(wait_for(child), 0);
	EQ(S(rt_tgsigqueueinfo, own_pid(), own_pid(), 40, queued), 0);
	take(40);
	EQ(get32(info + 20), 0x89abcdef);
	put32(queued + 8, 0);
	EQ(S(rt_sigqueueinfo, own_pid(), 40, queued), 0); /* to ourselves any code is allowed */
	child = fork_();
	if (!child)
		queue_to_parent();
	EQ(wait_for(child), EPERM << 8);
}

CASE("SIG-028", "rt_sigqueueinfo", AMPERE, INFO ": 28 raw bytes",
     "bytes 24..31 of a queued siginfo come through")
{
	block(40);
	fill_queued(40, 5);
	put32(queued + 24, 0x11223344);
	EQ(S(rt_sigqueueinfo, own_pid(), 40, queued), 0);
	take(40);
	EQ(get32(info + 24), 0x11223344);
}

CASE("SIG-028a", "rt_sigqueueinfo", SINCE_5_10,
     "linux 4.20 kernel/signal.c copy_siginfo_from_user32: field by field",
     "bytes 24..31 of a queued siginfo do not come through")
{
	block(40);
	fill_queued(40, 5);
	put32(queued + 24, 0x11223344);
	EQ(S(rt_sigqueueinfo, own_pid(), 40, queued), 0);
	take(40);
	EQ(get32(info + 20), 5);
	OK(get32(info + 24) != 0x11223344);
}

CASE("SIG-029", "fcntl64 rt_sigtimedwait .siginfo", ALL, INFO,
     "F_SETSIG: code 1, band 12, descriptor 16")
{
	u32 fds[2];

	block(41);
	EQ(S(socketpair, 1, 1, 0, fds), 0);
	EQ(S(fcntl64, fds[0], 10, 41), 0);
	EQ(S(fcntl64, fds[0], 8, own_pid()), 0);
	EQ(S(fcntl64, fds[0], 4, 020000), 0); /* O_ASYNC */
	EQ(S(write, fds[1], "x", 1), 1);
	take(41);
	EQ(get32(info + 8), 1);
	EQ(get32(info + 12) & 0x41, 0x41);
	EQ(get32(info + 16), fds[0]);
}

CASE("SIG-037", "setitimer", ALL, INFO, "SIGALRM of setitimer: code 0x80")
{
	u32 it[4] = {0, 0, 0, 1000};

	block(SIGALRM);
	EQ(S(setitimer, 0, it, 0), 0);
	take(SIGALRM);
	EQ(get32(info + 8), 0x80);
	OK(all_bytes(info + 12, 0, 8));
}

CASE("SIG-038", "write", ALL, INFO, "SIGPIPE: code 0, our own pid")
{
	u32 fds[2];

	block(SIGPIPE);
	EQ(S(pipe2, fds, 0), 0);
	EQ(S(close, fds[0]), 0);
	EQ(S(write, fds[1], "x", 1), -EPIPE);
	take(SIGPIPE);
	EQ(get32(info + 8), 0);
	EQ(get32(info + 12), own_pid());
}

/* SIGSYS for getppid. */
static u32 trap[][2] = {
	{0x20, 0},
	{0x15 | 1u << 24, __NR_getppid},
	{6, 0x30000 | 9},
	{6, 0x7fff0000},
};

CASE("SIG-039", "seccomp prctl .siginfo", ALL,
     "oracle README 7 SIGSYS; linux kernel/seccomp.c seccomp_send_sigsys",
     "a filter's trap: SIGSYS, code 1, errno = its data, address 12, number 16, architecture 20")
{
	u32 prog[2] = {4, Z(trap)};
	s64 r;

	catch (SIGSYS);
	EQ(S(prctl, 38, 1, 0, 0, 0), 0);
	r = S(seccomp, 1, 0, prog);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without seccomp");
	EQ(r, 0);
	go_to = 0;
	__asm__ volatile("mov x8, #173\n svc #0\n nop" : : : "x0", "x8", "memory");
	EQ(sig_no, SIGSYS);
	EQ(get32(info + 4), 9);
	EQ(code, 1);
	EQ(get32(info + 16), __NR_getppid);
	EQ(get32(info + 20), 0xc00000b7);
	EQ(get32(info + 12), pc);
}

CASE("SIG-040", "rt_sigpending rt_sigprocmask kill", ALL,
     "linux kernel/signal.c compat_sys_rt_sigpending", "pending signals show in both words")
{
	u32 set[2];

	block(SIGUSR2);
	block(50);
	EQ(S(kill, own_pid(), SIGUSR2), 0);
	EQ(S(kill, own_pid(), 50), 0);
	EQ(S(rt_sigpending, set, 8), 0);
	EQ(set[0], 1u << (SIGUSR2 - 1));
	EQ(set[1], 1u << (50 - 33));
}
