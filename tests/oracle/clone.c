/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static u8 stk[65536] __attribute__((aligned(16))); static volatile u32 ptid = 0xaaaa, ctid = 0xbbbb; static volatile u64 ctls, csp; static volatile int fl;
u64 do_clone(u64 flags, u64 sp, u64 a, u64 b, u64 c);
asm(".globl do_clone\ndo_clone: mov x8, #220\n svc 0\n cbz x0, 1f\n ret\n1: mrs x0, tpidr_el0\n adrp x1, ctls\n str x0,[x1,:lo12:ctls]\n mov x0, sp\n adrp x1, csp\n str x0,[x1,:lo12:csp]\n mov w2,#1\n adrp x1, fl\n str w2,[x1,:lo12:fl]\n mov x8,#93\n mov x0,#0\n svc 0\n");
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 c, r; int st, i; u64 t;
	if (argc == 0 || (argc == 1 && !argv[0])) { P("re-executed with argc %d\n", argc); return 55; }
	asm volatile("mrs %0, tpidr_el0" : "=r"(t)); P("initial tpidr_el0 = %X\n", t); asm volatile("mrs %0, tpidrro_el0" : "=r"(t)); P("initial tpidrro_el0 = %X\n", t); asm volatile("mrs %0, dczid_el0" : "=r"(t)); P("dczid_el0 = %X\n", t); asm volatile("mrs %0, ctr_el0" : "=r"(t)); P("ctr_el0 = %X\n", t); asm volatile("mrs %0, cntfrq_el0" : "=r"(t)); P("cntfrq_el0 = %X\n", t); asm volatile("mrs %0, cntvct_el0" : "=r"(t)); P("cntvct_el0 readable (value differs each time)\n");
	{ u64 cap = 0; u32 *a; for (a = auxv; a[0]; a += 2) if (a[0] == 16) cap = a[1]; if (cap & 0x800) { asm volatile("mrs %0, midr_el1" : "=r"(t)); P("midr_el1 %X\n", t); asm volatile("mrs %0, id_aa64isar0_el1" : "=r"(t)); P("id_aa64isar0_el1 %X\n", t); asm volatile("mrs %0, id_aa64pfr0_el1" : "=r"(t)); P("id_aa64pfr0_el1 %X\n", t); asm volatile("mrs %0, mpidr_el1" : "=r"(t)); P("mpidr_el1 %X\n", t);} }
	/* order of clone arguments: flags, stack, parent_tid, tls, child_tid */
	/* VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|SETTLS|PARENT_SETTID|CHILD_SETTID|CHILD_CLEARTID */
	r = do_clone(0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000 | 0x80000 | 0x100000 | 0x1000000 | 0x200000, 0xdead000000000000ull | PT(stk + 65536), PT(&ptid), 0xfeedface12345678ull, PT(&ctid));
	P("clone thread, stack with garbage in the top half, tls 0xfeedface12345678: ret>0 %d\n", r > 0); while (!fl); 
	{ u32 ts[2] = { 0, 20000000 }; S2(101, PT(ts), 0); }
	P("child tpidr_el0 %X sp %X (stack arg %p), ptid==ret %d, ctid after exit %d\n", ctls, csp, (u32)PT(stk + 65536), ptid == (u32)r, ctid);
	asm volatile("msr tpidr_el0, %0" :: "r"(0xabcdef0123456789ull)); S0(172); asm volatile("mrs %0, tpidr_el0" : "=r"(t)); P("tpidr_el0 keeps 64 bits in the parent: %X\n", t);
	c = forkp(); if (!c) { asm volatile("mrs %0, tpidr_el0" : "=r"(t)); P("fork child tpidr_el0 %X\n", t); xit(0); } waitp(c);
	/* vfork style */
	c = S5(220, 0x4100 | 17, 0, 0, 0, 0); if (!c) { fl = 77; sc(93, 6, 0, 0, 0, 0, 0); } st = waitp(c); P("vfork-like clone: child wrote fl=%d, status %x\n", fl, st);
	P("clone3(435): %D\n", S2(435, 0, 0));
	/* robust futex list: head 12 bytes, offset, pending: owner died on exit */
	{ static volatile struct { u32 next; volatile u32 futex; } e; static struct { u32 next; s32 off; u32 pending; } h; s64 tid;
	  s64 m = S6(222, 0, 4096, 3, 0x21, -1, 0); volatile u32 *sh = (volatile u32 *)(unsigned long)m; /* shared: sh[0..1] entry */
	  c = forkp(); if (!c) { h.next = (u32)m; h.off = 4; h.pending = 0; sh[0] = PT(&h); sh[1] = (u32)S0(178) | 0x80000000u; r = S2(99, PT(&h), 12); xit(r); } st = waitp(c); P("robust list with 12-byte head {next32, off32, pending32}: exit status %x, futex word after death: %x (0x40000000 = OWNER_DIED, keeps WAITERS)\n", st, sh[1]); }
	/* execve of various files */
	{ static const char *f[] = { "/reference/probe/x/x_lp64", "/reference/probe/x/x_arm", "/reference/probe/x/x_badclass", "/reference/probe/x/x_text", "/reference/probe/x/x_script", "/reference/probe/x/x_empty", "/reference/probe/x/x_etrel", "/reference/probe/x/x_truncated", "/reference/probe/x/x_nointerp", "/reference/probe/x/x_be", "/reference/probe/x/x_flags", "/reference/probe/x/x_phent", "/reference/probe/x/x_highload", "/tmp", "/nonexistent" };
	  for (i = 0; i < 15; i++) { c = forkp(); if (!c) { u32 av[3] = { PT(f[i]), 0, 0 }; r = S3(221, PT(f[i]), PT(av), PT(av + 1)); P("execve(%s) = %D\n", f[i], r); xit(100); } st = waitp(c); P("%s: wait status %x\n", f[i], st); } 
	  c = forkp(); if (!c) { r = S3(221, PT("/proc/self/exe"), 0, 0); P("execve NULL argv %D\n", r); xit(101); } 
	  st = waitp(c); P("execve(self, NULL, NULL): wait status %x\n", st); }
	return 0;
}
