/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static volatile int hits; static u8 lastsi[128]; static volatile u32 lastsig; static u64 save_sp; static int longj;
u64 jb[16]; int mysetjmp(u64 *) __attribute__((returns_twice)); void mylongjmp(u64 *, int) __attribute__((noreturn));
asm(".globl mysetjmp\nmysetjmp: mov w0,w0\n stp x19,x20,[x0]\n stp x21,x22,[x0,#16]\n stp x23,x24,[x0,#32]\n stp x25,x26,[x0,#48]\n stp x27,x28,[x0,#64]\n stp x29,x30,[x0,#80]\n mov x1,sp\n str x1,[x0,#96]\n mov w0,#0\n ret\n"
    ".globl mylongjmp\nmylongjmp: mov w0,w0\n ldp x19,x20,[x0]\n ldp x21,x22,[x0,#16]\n ldp x23,x24,[x0,#32]\n ldp x25,x26,[x0,#48]\n ldp x27,x28,[x0,#64]\n ldp x29,x30,[x0,#80]\n ldr x2,[x0,#96]\n mov sp,x2\n mov w0,w1\n ret\n");
static int quiet;
static void h(int sig, u8 *si, u8 *uc)
{
	hits++; lastsig = sig; memcpy(lastsi, si, 128);
	if (longj) { longj = 0; mylongjmp(jb, 1); }
}
/* pattern the area below the stack pointer so that unwritten siginfo bytes are visible */
NI __attribute__((used)) void pat(void) { volatile u8 b[6000]; unsigned i; for (i = 0; i < sizeof b; i++) b[i] = 0xa5; asm volatile("" :: "r"(b) : "memory"); }
static void show(const char *n) { P("== %s: handler ran %d, signo %d\n", n, hits, lastsig); if (hits) dump("   siginfo", lastsi, 128); hits = 0; S4(135, 2, PT(((u32[]){ 0, 0 })), 0, 8); }
#define FAULT(name, stmt) do { pat(); longj = 1; if (!mysetjmp(jb)) { stmt; } longj = 0; show(name); } while (0)
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 r, c; int i, st; u32 tid;
	for (i = 1; i < 65; i++) if (i != 9 && i != 19) sigact(i, h, SA_SIGINFO | SA_NODEFER);
	FAULT("SIGSEGV unmapped 0x4", *(volatile int *)4 = 1);
	FAULT("SIGSEGV read-only (code)", *(volatile int *)(unsigned long)&pmain = 1);
	FAULT("SIGSEGV address above 4 GiB (0x1_0000_1234, 64-bit register)", asm volatile("str wzr, [%0]" :: "r"(0x100001234ull) : "memory"));
	FAULT("SIGSEGV noncanonical 0xdead_0000_0000_1234", asm volatile("str wzr, [%0]" :: "r"(0xdead000000001234ull) : "memory"));
	FAULT("SIGSEGV kernel address", asm volatile("str wzr, [%0]" :: "r"(0xffff000000001000ull) : "memory"));
	FAULT("SIGILL udf", asm volatile(".inst 0"));
	FAULT("SIGTRAP brk #0", asm volatile("brk #0; nop"));
	FAULT("SIGTRAP brk #1000", asm volatile("brk #1000; nop"));
	FAULT("jump to 0x10", ((void (*)(void))0x10)());
	FAULT("pc misaligned", ((void (*)(void))((unsigned long)&pat + 2))());
	FAULT("SIGBUS mmap beyond EOF", { s64 f = S4(56, -100, PT("/tmp/empty"), 0102, 0600); r = S6(222, 0, 8192, 3, 1, f, 0); *(volatile int *)(unsigned long)(r + 4096) = 1; });
	FAULT("SIGBUS unaligned ldxr", { static u32 q[4]; asm volatile("ldxr w1, [%0]" :: "r"((u64)(u32)(unsigned long)q + 1) : "x1", "memory"); });
	pat(); S2(129, S0(172), 10); show("kill(self, SIGUSR1)");
	pat(); S2(130, S0(178), 10); show("tkill");
	pat(); S3(131, S0(172), S0(178), 10); show("tgkill");
	{ u32 si[32]; memset(si, 0, sizeof si); si[0] = 99; si[1] = 0; si[2] = -1; si[3] = 4242; si[4] = 4343; si[5] = 0x12345678; si[6] = 0x9abcdef0; si[7] = 0x77777777; pat(); r = S3(138, S0(172), 35, PT(si)); P("rt_sigqueueinfo %D\n", r); show("rt_sigqueueinfo si_code -1 (SI_QUEUE)"); 
	  si[2] = -60; pat(); r = S3(138, S0(172), 35, PT(si)); P("rt_sigqueueinfo code -60 %D\n", r); show("rt_sigqueueinfo si_code -60"); si[2] = -1; pat(); r = S4(240, S0(172), S0(178), 36, PT(si)); P("rt_tgsigqueueinfo %D\n", r); show("rt_tgsigqueueinfo"); si[2] = 5; P("rt_sigqueueinfo positive code to other: %D\n", S3(138, 1, 35, PT(si))); }
	{ u32 it[4] = { 0, 0, 0, 2000 }; pat(); S3(103, 0, PT(it), 0); while (!hits); show("setitimer ITIMER_REAL (SIGALRM)"); }
	{ u32 it[4] = { 0, 0, 0, 2000 }; pat(); S3(103, 1, PT(it), 0); while (!hits); show("setitimer ITIMER_VIRTUAL"); }
	{ u32 se[16], its[4] = { 0, 0, 0, 3000000 }; memset(se, 0, sizeof se); se[0] = 0xcafef00d; se[1] = 37; pat(); P("timer_create %D\n", S3(107, 1, PT(se), PT(&tid))); S4(110, tid, 0, PT(its), 0); while (!hits); show("timer_create SIGEV_SIGNAL"); 
	  P("timer_create without sigevent %D\n", S3(107, 1, 0, PT(&tid))); pat(); S4(110, tid, 0, PT(its), 0); while (!hits); show("timer_create NULL sigevent"); se[2] = 4; se[3] = S0(178); pat(); P("timer_create SIGEV_THREAD_ID(4) tid at word 3: %D\n", S3(107, 1, PT(se), PT(&tid))); S4(110, tid, 0, PT(its), 0); while (!hits); show("timer_create SIGEV_THREAD_ID"); }
	pat(); c = forkp(); if (!c) xit(5); while (!hits); show("SIGCHLD exit 5"); waitp(c);
	pat(); c = forkp(); if (!c) { sigact(11, 0, 0); *(volatile int *)4 = 1; } while (!hits); show("SIGCHLD killed by SIGSEGV"); waitp(c);
	pat(); c = forkp(); if (!c) { S2(129, S0(172), 19); xit(0); } while (!hits); show("SIGCHLD stopped"); S2(129, c, 18); while (!hits); show("SIGCHLD continued or exited"); waitp(c); hits = 0;
	{ u32 pp[2]; S2(59, PT(pp), 0); S1(57, pp[0]); pat(); S3(64, pp[1], PT("x"), 1); show("SIGPIPE"); }
	{ u32 sv[2]; S4(199, 1, 1, 0, PT(sv)); S3(25, sv[0], 8, S0(172)); S3(25, sv[0], 10, 40); S3(25, sv[0], 4, 0x2000); pat(); S3(64, sv[1], PT("x"), 1); show("F_SETSIG 40 + O_ASYNC (SIGIO siginfo)"); S3(25, sv[0], 10, 0); pat(); S3(64, sv[1], PT("x"), 1); show("plain SIGIO"); }
	{ u32 se[16]; struct { u32 f, m, s, c, r[4]; } a = { 0, 4, 100, 0 }; s64 q = S4(180, PT("qn"), 0102, 0600, PT(&a)); memset(se, 0, sizeof se); se[0] = 0x55aa55aa; se[1] = 41; pat(); P("mq_notify %D\n", S2(184, q, PT(se))); S5(182, q, PT("m"), 1, 0, 0); show("mq_notify"); }
	/* seccomp trap */
	{ struct { u16 code; u8 jt, jf; u32 k; } f[] = { { 0x20, 0, 0, 4 }, { 0x06, 0, 0, 0x7fff0000 } }, g[] = { { 0x20, 0, 0, 0 }, { 0x15, 0, 1, 175 }, { 0x06, 0, 0, 0x00030000 | 0x77 }, { 0x06, 0, 0, 0x7fff0000 } }; u32 prog[2] = { 4, (u32)(unsigned long)g };
	  P("PR_SET_NO_NEW_PRIVS %D; ", S5(167, 38, 1, 0, 0, 0)); P("seccomp(277) SET_MODE_FILTER with 8-byte sock_fprog: %D\n", S3(277, 1, 0, PT(prog))); pat(); r = S0(175); P("geteuid under SECCOMP_RET_TRAP: %D\n", r); show("SIGSYS"); }
	return 0;
}
