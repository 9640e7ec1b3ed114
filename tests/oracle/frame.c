/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
/* raw dump of the signal frame, on an alternate stack and on the normal stack */
u64 hregs[34], isp; u8 frame[8192]; u32 flen; static int fault; u64 resume_pc; u32 pcoff;
extern char sigh[], trig_end[], svc_ret[], faultpc[], afterfault[];
void trig(int nr, u64 a, u64 b); void trigfault(void);
asm(".text\n.globl sigh\nsigh:\n"
    "adrp x16, hregs\n add x16,x16,:lo12:hregs\n"
    "stp x0,x1,[x16]\n stp x2,x3,[x16,#16]\n stp x4,x5,[x16,#32]\n stp x6,x7,[x16,#48]\n stp x8,x9,[x16,#64]\n stp x10,x11,[x16,#80]\n"
    "stp x12,x13,[x16,#96]\n stp x14,x15,[x16,#112]\n stp x17,x18,[x16,#136]\n stp x19,x20,[x16,#152]\n stp x21,x22,[x16,#168]\n stp x23,x24,[x16,#184]\n stp x25,x26,[x16,#200]\n stp x27,x28,[x16,#216]\n stp x29,x30,[x16,#232]\n"
    "mov x3, sp\n str x3,[x16,#248]\n mrs x3, nzcv\n str x3, [x16,#256]\n mrs x3, fpcr\n mrs x4, fpsr\n orr x3,x3,x4,lsl #32\n str x3,[x16,#264]\n"
    /* copy from sp up to flen limit */
    "adrp x5, frame\n add x5,x5,:lo12:frame\n mov x6, sp\n adrp x7, flen\n add x7,x7,:lo12:flen\n ldr w7,[x7]\n"
    "1: cbz x7, 2f\n ldrb w8,[x6],#1\n strb w8,[x5],#1\n sub x7,x7,#1\n b 1b\n2:\n"
    "adrp x5, resume_pc\n add x5,x5,:lo12:resume_pc\n ldr x6,[x5]\n cbz x6, 3f\n"
    "adrp x7, pcoff\n add x7,x7,:lo12:pcoff\n ldr w7,[x7]\n mov x5, sp\n str x6,[x5,x7]\n"
    "3: ret\n"
    ".globl trig\ntrig:\n stp x29,x30,[sp,#-112]!\n stp x19,x20,[sp,#16]\n stp x21,x22,[sp,#32]\n stp x23,x24,[sp,#48]\n stp x25,x26,[sp,#64]\n stp x27,x28,[sp,#80]\n"
    "mov w8, w0\n mov x0, x1\n mov x1, x2\n"
    "adrp x9, isp\n add x9,x9,:lo12:isp\n mov x10, sp\n str x10,[x9]\n"
    "mov x3, #0x3333\n movk x3, #0xbeef, lsl #48\n mov x4, #0x4444\n movk x4, #0xbeef, lsl #32\n mov x5,#0x5555\n mov x6,#0x6666\n mov x7,#0x7777\n movk x7, #0xdead, lsl #48\n mov x9,#0x9999\n movk x9, #0xfeed, lsl #48\n mov x10,#0xaaaa\n mov x11,#0xbbbb\n mov x12,#0xcccc\n mov x13,#0xdddd\n mov x14,#0xeeee\n mov x15,#0xffff\n mov x16,#0x1616\n mov x17,#0x1717\n mov x18,#0x1818\n"
    "mov x19,#0x1919\n movk x19, #0xabcd, lsl #48\n mov x20,#0x2020\n mov x21,#0x2121\n mov x22,#0x2222\n mov x23,#0x2323\n mov x24,#0x2424\n mov x25,#0x2525\n mov x26,#0x2626\n mov x27,#0x2727\n mov x28,#0x2828\n"
    "mov x29,#0x2929\n mov x30,#0x3030\n movi v0.16b,#0x10\n movi v1.16b,#0x11\n movi v31.16b,#0x3f\n cmp xzr, xzr\n"
    "svc 0\n.globl svc_ret\nsvc_ret:\n"
    "b 9f\n"
    ".globl trigfault\ntrigfault:\n stp x29,x30,[sp,#-112]!\n stp x19,x20,[sp,#16]\n stp x21,x22,[sp,#32]\n stp x23,x24,[sp,#48]\n stp x25,x26,[sp,#64]\n stp x27,x28,[sp,#80]\n"
    "adrp x9, isp\n add x9,x9,:lo12:isp\n mov x10, sp\n str x10,[x9]\n mov x1, #0x1230\n movk x1, #0x4567, lsl #16\n movk x1, #1, lsl #32\n .globl faultpc\nfaultpc: str x0,[x1]\n .globl afterfault\nafterfault: b 9f\n"
    "9: ldp x19,x20,[sp,#16]\n ldp x21,x22,[sp,#32]\n ldp x23,x24,[sp,#48]\n ldp x25,x26,[sp,#64]\n ldp x27,x28,[sp,#80]\n ldp x29,x30,[sp],#112\n ret\n");
static u8 alt[65536] __attribute__((aligned(4096)));
static void analyse(const char *name, u32 restorer_expected)
{
	u32 sp = (u32)hregs[31]; u64 x1 = hregs[1], x2 = hregs[2]; u32 i, off; 
	P("==== %s\n", name);
	P("interrupted sp %X\nhandler: x0=%X x1=%X x2=%X\n", isp, hregs[0], hregs[1], hregs[2]);
	for (i = 3; i < 31; i++) if (i != 16) P(" x%d=%X%s", i, hregs[i], i % 4 == 2 ? "\n" : "");
	P("\n sp=%X (sp&15=%d) nzcv=%X fpcr/fpsr=%X\n", hregs[31], sp & 15, hregs[32], hregs[33]);
	P("svc_ret label %p, faultpc %p, afterfault %p, handler %p, alt stack %p..%p\n", (u32)(unsigned long)svc_ret, (u32)(unsigned long)faultpc, (u32)(unsigned long)afterfault, (u32)(unsigned long)sigh, (u32)(unsigned long)alt, (u32)(unsigned long)alt + sizeof alt);
	P("siginfo - sp = %d, ucontext - sp = %d, x29 - sp = %d\n", (u32)x1 - sp, (u32)x2 - sp, (u32)hregs[29] - sp);
	/* locate the mcontext by its register values: fpsimd magic 46508001 */
	for (i = 0; i + 4 <= flen; i += 4) {
		u32 w = *(u32 *)(frame + i); u64 q = *(u64 *)(frame + (i & ~7));
		if (w == 0x46508001) P("fpsimd_context magic at frame+%d, size %d\n", i, *(u32 *)(frame + i + 4));
		if (w == 0x45535201) P("esr_context magic at frame+%d, size %d, esr %X\n", i, *(u32 *)(frame + i + 4), *(u64 *)(frame + i + 8));
		if (!(i & 7) && q == 0xabcd000000001919ull) P("x19 value at frame+%d -> regs[0] at frame+%d\n", i, i - 19 * 8);
		if (!(i & 7) && (u32)q == (u32)(unsigned long)svc_ret) P("interrupted pc (after svc) at frame+%d: %X\n", i, q);
		if (!(i & 7) && (u32)q == (u32)(unsigned long)faultpc) P("interrupted pc (fault) at frame+%d: %X\n", i, q);
		if (!(i & 7) && q == isp) P("interrupted sp at frame+%d\n", i);
	}
	/* walk the records */
	for (i = 0; i + 4 <= flen; i += 4) if (*(u32 *)(frame + i) == 0x46508001) { off = i; break; }
	for (i = off; i + 8 <= flen;) { u32 m = *(u32 *)(frame + i), s = *(u32 *)(frame + i + 4); P(" record at frame+%d magic %x size %d\n", i, m, s); if (!m || !s) break; i += s; }
	P("x29 frame record: %h %h\n", *(u64 *)(frame + ((u32)hregs[29] - sp)), *(u64 *)(frame + ((u32)hregs[29] - sp) + 8));
	{ u32 pg = (u32)hregs[30] & ~4095u; dump("code at x30", (void *)(unsigned long)(u32)hregs[30], 8); }
}
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 ss[3] = { (u32)(unsigned long)alt, 0, sizeof alt }; u32 m[2] = { 0x00000200, 0x80000000 }; s64 pid = S0(172), r; static u8 o[64];
	memset(alt, 0xa5, sizeof alt);
	flen = 8192;
	r = S2(132, PT(ss), PT(o)); P("sigaltstack(132) with {u32 sp, s32 flags, u32 size}: %D, old:\n", r); dump("old stack_t", o, 16);
	P("sigaltstack size 2047: %D, size 2048: %D, size 5119 %D\n", S2(132, PT(((u32[]){ ss[0], 0, 2047 })), 0), S2(132, PT(((u32[]){ ss[0], 0, 2048 })), 0), S2(132, PT(((u32[]){ ss[0], 0, 5119 })), 0)); S2(132, PT(ss), 0);
	P("rt_sigprocmask(135) block {200, 80000000} size 8: %D; size 4: %D; size 16: %D\n", S4(135, 0, PT(m), 0, 8), S4(135, 0, PT(m), 0, 4), S4(135, 0, PT(m), 0, 16));
	memset(o, 0xa5, 64); S4(135, 0, 0, PT(o), 8); dump("current mask", o, 16);
	sigact(12, sigh, SA_SIGINFO | SA_ONSTACK); sigact(11, sigh, SA_SIGINFO | SA_ONSTACK); memset(o, 0xa5, 64); P("rt_sigaction(134) old: %D\n", S4(134, 12, 0, PT(o), 8)); dump("kernel sigaction", o, 32); P("rt_sigaction sigsetsize 16: %D, 4: %D\n", S4(134, 12, 0, PT(o), 16), S4(134, 12, 0, PT(o), 4));
	flen = 65536 > 8192 ? 4800 : 0; 
	/* alternate stack: frame from sp to the end of alt */
	trig(129, pid, 12); { u32 n = (u32)(unsigned long)alt + sizeof alt - (u32)hregs[31]; P("frame size on alternate stack (top - sp): %d\n", n); flen = n < 8192 ? n : 8192; }
	memset(alt, 0xa5, sizeof alt); trig(129, pid, 12); analyse("SIGUSR2 by kill, SA_SIGINFO|SA_ONSTACK, no SA_RESTORER", 0); dump("frame", frame, flen);
	{ u32 i; for (i = 0; i < 1024; i += 8) if (*(u64 *)(frame + i) == (u32)(unsigned long)svc_ret && !pcoff) pcoff = i; } P("pc slot at frame+%d\n", pcoff);
	resume_pc = (u32)(unsigned long)afterfault; memset(alt, 0xa5, sizeof alt); trigfault(); analyse("SIGSEGV store to 0x1_4567_1230", 0); dump("frame", frame, flen); resume_pc = 0;
	/* frame of a second signal after a fault: is the esr record still there? */
	memset(alt, 0xa5, sizeof alt); trig(129, pid, 12); analyse("SIGUSR2 again after the fault (stale fault info?)", 0); dump("frame head", frame, 1200);
	/* no SA_SIGINFO */
	sigact(12, sigh, SA_ONSTACK); memset(alt, 0xa5, sizeof alt); trig(129, pid, 12); P("==== without SA_SIGINFO: x0=%X x1=%X x2=%X\n", hregs[0], hregs[1], hregs[2]); dump("frame head", frame, 384);
	/* SA_RESTORER honoured? */
	{ struct ksa a; memset(&a, 0, sizeof a); a.handler = (u32)(unsigned long)sigh; a.flags = SA_ONSTACK | SA_RESTORER | SA_SIGINFO; a.restorer = (u32)(unsigned long)0; extern char myrest[]; a.restorer = (u32)(unsigned long)myrest; S4(134, 12, PT(&a), 0, 8); trig(129, pid, 12); P("==== SA_RESTORER %p: x30=%X\n", a.restorer, hregs[30]); }
	/* normal stack */
	sigact(12, sigh, SA_SIGINFO); flen = 4800; trig(129, pid, 12); P("==== normal stack: interrupted sp - handler sp = %D\n", (s64)(isp - hregs[31])); P("x29 - sp %D\n", (s64)(hregs[29] - hregs[31])); dump("frame 0..384 (uc_stack when not on the alternate stack)", frame, 384);
	return 0;
}
asm(".globl myrest\nmyrest: mov x8, #139\n svc 0\n");
