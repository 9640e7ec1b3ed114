/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vDSO's functions of time (arch/arm64/kernel/vdso-ilp32/gettimeofday of the 4.14 series): clocks, their
 * fall-backs, NULL pointers, pointers with garbage in the upper half, faults, and agreement with the system
 * calls at every moment, in a child and in a thread too.
 */
#include "proc.h"
#include "vdso.h"

enum { NR_clock_getres = 114, NR_gettimeofday = 169 };

static u32 gettime, getres, gettimeofday;

/* A function of the vDSO with full registers; x2..x18 are its own. */
static s64 call(u32 fn, u64 a, u64 b)
{
	register u64 x0 __asm__("x0") = a;
	register u64 x1 __asm__("x1") = b;

	__asm__ volatile("blr %2"
			 : "+r"(x0), "+r"(x1)
			 : "r"((u64)fn)
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
			   "x13", "x14", "x15", "x16", "x17", "x18", "x30", "memory", "cc");
	return (s64)(s32)x0;
}

static u64 ns(const u32 t[2])
{
	return t[0] * 1000000000ull + t[1];
}

/* Readings by turns: none may be below the one before. */
static int in_order(u32 clock)
{
	u32 a[2], b[2], c[2];

	for (int i = 0; i < 2000; i++) {
		if (sys(NR_clock_gettime, clock, a) || call(gettime, clock, (u32)b) ||
		    sys(NR_clock_gettime, clock, c))
			return 0;
		if (ns(b) < ns(a) || ns(c) < ns(b) || b[1] >= 1000000000)
			return 0;
	}
	return 1;
}

static void clocks(const char *where)
{
	static const u8 fast[] = {0, 1, 4, 5, 6};
	int ok = 1;

	for (u32 i = 0; i < sizeof(fast); i++)
		ok &= in_order(fast[i]);
	print("%s: clocks agree %d\n", where, ok);
}

/* Other clocks go to the system call: the same result and errno. */
static void fallbacks(void)
{
	static const u32 ids[] = {2, 3, 7, 8, 9, 10, 11, 12, 31, 32, 33, 0x7fffffff, 0xffffffff};
	u32 a[2], b[2], bad = 0;

	for (u32 i = 0; i < sizeof(ids) / 4; i++) {
		s64 r = sys(NR_clock_gettime, ids[i], a), q = call(gettime, ids[i], (u32)b);

		if (r != q || (!r && ns(b) < ns(a)))
			bad++;
		r = sys(NR_clock_getres, ids[i], a);
		q = call(getres, ids[i], (u32)b);
		if (r != q || (!r && (a[0] != b[0] || a[1] != b[1])))
			bad++;
	}
	print("fall-backs differ %u, clock 10: %ld, fault: %ld\n", bad, call(gettime, 10, (u32)a),
	      call(gettime, 7, 4));
}

static void resolutions(void)
{
	static const u8 fast[] = {0, 1, 4, 5, 6};
	u32 a[2], b[2], bad = 0;

	for (u32 i = 0; i < sizeof(fast); i++) {
		a[0] = b[0] = 1;
		bad += sys(NR_clock_getres, fast[i], a) || call(getres, fast[i], (u32)b) ||
		       a[0] != b[0] || a[1] != b[1];
	}
	print("resolutions differ %u, NULL: %ld\n", bad, call(getres, 1, 0));
}

static void time_of_day(void)
{
	u32 a[2], b[2], c[2], tz[2] = {7, 7}, real[2] = {8, 8}, guard[4] = {5, 5, 5, 5};
	s64 r;

	sys(NR_gettimeofday, a, real);
	r = call(gettimeofday, (u32)b, (u32)tz);
	sys(NR_gettimeofday, c, 0);
	print("gettimeofday %ld, in order %d, timezone %d\n", r,
	      a[0] * 1000000ull + a[1] <= b[0] * 1000000ull + b[1] &&
		      b[0] * 1000000ull + b[1] <= c[0] * 1000000ull + c[1] && b[1] < 1000000,
	      tz[0] == real[0] && tz[1] == real[1]);
	print("without tv %ld, without tz %ld, without both %ld\n", call(gettimeofday, 0, (u32)tz),
	      call(gettimeofday, (u32)b, 0), call(gettimeofday, 0, 0));
	/* Eight bytes are written, and upper halves of arguments are not looked at. */
	r = call(gettime, 0xdead00000001ull, 0xbeef00000000ull | (u32)(guard + 1));
	print("upper halves: %ld, bytes around: %u %u\n", r, guard[0], guard[3]);
}

/* --- faults ------------------------------------------------------------------------------------ */

static u64 back[3]; /* x29, sp, pc to go on with */
static volatile u32 fault_code, fault_addr, fault_in_vdso;

static void on_segv(int sig, u8 *info, u8 *uc)
{
	u64 pc = get64(uc + 160 + 8 + 31 * 8 + 8);

	(void)sig;
	fault_code = get32(info + 8);
	fault_addr = get32(info + 12);
	fault_in_vdso = pc - (u32)vdso_base < 4096;
	put64(uc + 160 + 8 + 29 * 8, back[0]);
	put64(uc + 160 + 8 + 31 * 8, back[1]);
	put64(uc + 160 + 8 + 32 * 8, back[2]);
}

static NOINLINE void faulting_call(u32 fn, u64 a, u64 b)
{
	register u64 x0 __asm__("x0") = a;
	register u64 x1 __asm__("x1") = b;

	__asm__ volatile("mov x9, sp\n"
			 "adr x10, 1f\n"
			 "stp x29, x9, [%3]\n"
			 "str x10, [%3, #16]\n"
			 "blr %2\n"
			 "1:\n"
			 : "+r"(x0), "+r"(x1)
			 : "r"((u64)fn), "r"((u64)(u32)back)
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
			   "x13", "x14", "x15", "x16", "x17", "x18", "x30", "memory", "cc");
}

static void fault(const char *what, u32 fn, u64 a, u64 b)
{
	fault_code = fault_addr = fault_in_vdso = 0;
	faulting_call(fn, a, b);
	if (fault_addr >= (u32)vdso_base)
		fault_addr -= (u32)vdso_base;
	print("%s: SIGSEGV code %u address %x in the vdso %u\n", what, fault_code, fault_addr,
	      fault_in_vdso);
}

static void faults(void)
{
	set_handler(SIGSEGV, on_segv, SA_SIGINFO);
	fault("clock_gettime to 0x10", gettime, 1, 0x10);
	fault("clock_getres to 0x10", getres, 1, 0x10);
	fault("gettimeofday to 0x10", gettimeofday, 0x10, 0);
	fault("gettimeofday's zone to 0x20", gettimeofday, 0, 0x20);
	fault("clock_gettime to vdso+0x8", gettime, 1, (u32)vdso_base + 8);
}

static u32 thread_done;
static u64 thread_stack[2048];

static void thread(void)
{
	clocks("thread");
	__atomic_store_n(&thread_done, 1, __ATOMIC_SEQ_CST);
	sys(NR_futex, &thread_done, 1, 1);
}

static void in_thread(void)
{
	register u64 x8 __asm__("x8") = NR_clone;
	register u64 x0 __asm__("x0") =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	register u64 x1 __asm__("x1") = (u32)(thread_stack + 2048);
	register u64 x2 __asm__("x2") = 0;
	register u64 x3 __asm__("x3") = 0;
	register u64 x4 __asm__("x4") = 0;

	__asm__ volatile("svc #0\n"
			 "cbnz x0, 1f\n"
			 "blr %6\n"
			 "mov x0, #0\n"
			 "mov x8, #93\n"
			 "svc #0\n"
			 "1:\n"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"((u64)(u32)thread)
			 : "memory", "cc", "x30");
	while (!__atomic_load_n(&thread_done, __ATOMIC_SEQ_CST))
		sys(NR_futex, &thread_done, 0, 0);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 pid;

	(void)argc, (void)argv, (void)envp;
	vdso_init(auxv);
	gettime = vdso_find("__kernel_clock_gettime", "LINUX_4.12");
	getres = vdso_find("__kernel_clock_getres", "LINUX_4.12");
	gettimeofday = vdso_find("__kernel_gettimeofday", "LINUX_4.12");
	clocks("process");
	fallbacks();
	resolutions();
	time_of_day();
	faults();
	in_thread();
	pid = fork_();
	if (pid == 0) {
		clocks("child");
		quit(0);
	}
	return wait_for(pid);
}
