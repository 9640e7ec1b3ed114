/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Freestanding helper for AArch64 ILP32 probe programs (own code). */
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef int s32; typedef unsigned long long u64; typedef long long s64;
typedef __builtin_va_list va_list;
_Static_assert(sizeof(void *) == 4 && sizeof(long) == 4, "ilp32");
#define NI static __attribute__((noinline, unused))
#define UN __attribute__((unused))

/* raw system call, full 64-bit registers in and out */
static UN u64 sc(u64 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	register u64 x8 asm("x8") = n, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c;
	register u64 x3 asm("x3") = d, x4 asm("x4") = e, x5 asm("x5") = f;
	asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
	return x0;
}
#define U(x) ((u64)(u32)(x))
#define PT(p) ((u64)(u32)(unsigned long)(p))
#define S0(n) ((s64)sc(n,0,0,0,0,0,0))
#define S1(n,a) ((s64)sc(n,(u64)(a),0,0,0,0,0))
#define S2(n,a,b) ((s64)sc(n,(u64)(a),(u64)(b),0,0,0,0))
#define S3(n,a,b,c) ((s64)sc(n,(u64)(a),(u64)(b),(u64)(c),0,0,0))
#define S4(n,a,b,c,d) ((s64)sc(n,(u64)(a),(u64)(b),(u64)(c),(u64)(d),0,0))
#define S5(n,a,b,c,d,e) ((s64)sc(n,(u64)(a),(u64)(b),(u64)(c),(u64)(d),(u64)(e),0))
#define S6(n,a,b,c,d,e,f) ((s64)sc(n,(u64)(a),(u64)(b),(u64)(c),(u64)(d),(u64)(e),(u64)(f)))

void *memset(void *d, int c, unsigned long n) { u8 *p = d; while (n--) { *p++ = c; asm volatile(""); } return d; }
void *memcpy(void *d, const void *s, unsigned long n) { u8 *p = d; const u8 *q = s; while (n--) { *p++ = *q++; asm volatile(""); } return d; }
int memcmp(const void *a, const void *b, unsigned long n) { const u8 *p = a, *q = b; while (n--) { if (*p != *q) return *p - *q; p++; q++; asm volatile(""); } return 0; }
NI unsigned slen(const char *s) { unsigned n = 0; while (s[n]) { n++; asm volatile(""); } return n; }

static char obuf[8192]; static unsigned on;
NI void flush(void) { unsigned o = 0; while (o < on) { s64 r = S3(64, 1, PT(obuf + o), on - o); if (r <= 0) break; o += r; } on = 0; }
NI void pc(char c) { obuf[on++] = c; if (on == sizeof obuf) flush(); }
NI void ps(const char *s) { if (!s) s = "(null)"; while (*s) pc(*s++); }
NI void phex(u64 v, int w) { int i, st = 0; for (i = 60; i >= 0; i -= 4) { int d = (v >> i) & 15; if (d || st || i / 4 < w || !i) { st = 1; pc("0123456789abcdef"[d]); } } }
NI void pdec(s64 v) { char t[24]; int n = 0; u64 u = v; if (v < 0) { pc('-'); u = -u; } do { t[n++] = '0' + u % 10; u /= 10; } while (u); while (n) pc(t[--n]); }
/* %s %c %d(int) %x(u32) %X(u64 hex, 16 digits) %h(u64 hex short) %D(s64) %p(u32, 8 digits) */
NI void P(const char *f, ...)
{
	va_list ap; __builtin_va_start(ap, f);
	for (; *f; f++) {
		if (*f != '%') { pc(*f); continue; }
		switch (*++f) {
		case 's': ps(__builtin_va_arg(ap, const char *)); break;
		case 'c': pc(__builtin_va_arg(ap, int)); break;
		case 'd': pdec(__builtin_va_arg(ap, int)); break;
		case 'x': phex(__builtin_va_arg(ap, u32), 1); break;
		case 'p': phex(__builtin_va_arg(ap, u32), 8); break;
		case 'X': phex(__builtin_va_arg(ap, u64), 16); break;
		case 'h': phex(__builtin_va_arg(ap, u64), 1); break;
		case 'D': pdec(__builtin_va_arg(ap, s64)); break;
		default: pc(*f);
		}
	}
	__builtin_va_end(ap);
}
NI void dump(const char *name, const void *p, unsigned n)
{
	const u8 *b = p; unsigned i, j;
	P("%s: %d bytes\n", name, n);
	for (i = 0; i < n; i += 16) {
		P("  +%x%s", i, i < 16 ? "   " : i < 256 ? "  " : i < 4096 ? " " : "");
		for (j = 0; j < 16 && i + j < n; j++) { if (!(j & 3)) pc(' '); phex(b[i + j], 2); pc(' '); }
		for (; j < 16; j++) { if (!(j & 3)) pc(' '); ps("   "); }
		pc(' ');
		for (j = 0; j < 16 && i + j < n; j++) pc(b[i + j] >= 32 && b[i + j] < 127 ? b[i + j] : '.');
		pc('\n');
	}
}
/* Which bytes does a call write?  Run it with two fill patterns. */
static u8 wA[4096] __attribute__((aligned(64))), wB[4096] __attribute__((aligned(64)));
#define WROTE(name, call_with_B) do { s64 r1_, r2_; u8 *B_; (void)B_; \
	memset(wA, 0xa5, sizeof wA); memset(wB, 0x5a, sizeof wB); \
	B_ = wA; r1_ = (call_with_B); B_ = wB; r2_ = (call_with_B); wrote_(name, r1_, r2_); } while (0)
#define BUF PT(B_)
NI void wrote_(const char *name, s64 r1, s64 r2)
{
	unsigned i, last = 0, st = 0; 
	P("== %s: ret %D (x0=%X)\n", name, r1, (u64)r1);
	if (r1 != r2) P("   second ret %D\n", r2);
	ps("   written ranges:");
	for (i = 0; i <= sizeof wA; i++) {
		int w = i < sizeof wA && !(wA[i] == 0xa5 && wB[i] == 0x5a);
		if (w && !st) { P(" [%d..", i); st = 1; }
		if (!w && st) { P("%d)", i); st = 0; last = i; }
	}
	if (!last) ps(" none");
	pc('\n');
	if (last) dump("   image", wA, last);
}
NI void xit(int c) { flush(); for (;;) S1(94, c); }
NI s64 forkp(void) { flush(); return S5(220, 17, 0, 0, 0, 0); }
NI int waitp(s64 pid) { int st = 0; S4(260, pid, PT(&st), 0, 0); return st; }
NI void catfile(const char *p)
{
	static char b[4096]; s64 fd = S4(56, -100, PT(p), 0, 0), r;
	if (fd < 0) { P("open %s: %D\n", p, fd); return; }
	while ((r = S3(63, fd, PT(b), sizeof b)) > 0) { s64 i; for (i = 0; i < r; i++) pc(b[i]); }
	S1(57, fd);
}
/* signals: struct kernel sigaction for ILP32 */
struct ksa { u32 handler; u32 flags; u32 restorer; u32 mask[2]; };
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTORER 0x04000000
#define SA_NODEFER 0x40000000
#define SA_RESTART 0x10000000
NI s64 sigact(int s, void *h, u32 fl)
{
	struct ksa a; memset(&a, 0, sizeof a); a.handler = (u32)(unsigned long)h; a.flags = fl;
	return S4(134, s, PT(&a), 0, 8);
}
u64 entry_regs[34];
int pmain(int argc, char **argv, char **envp, u32 *auxv);
NI __attribute__((used)) void cstart(u32 *sp)
{
	int argc = sp[0]; char **argv = (char **)(sp + 1), **envp = argv + argc + 1; char **e = envp;
	while (*e) e++;
	xit(pmain(argc, argv, envp, (u32 *)(e + 1)));
}
asm(".text\n.globl _start\n.type _start,%function\n_start:\n"
    "sub sp, sp, #16\n str x30, [sp]\n"
    "adrp x30, entry_regs\n add x30, x30, :lo12:entry_regs\n"
    "stp x0,x1,[x30]\n stp x2,x3,[x30,#16]\n stp x4,x5,[x30,#32]\n stp x6,x7,[x30,#48]\n"
    "stp x8,x9,[x30,#64]\n stp x10,x11,[x30,#80]\n stp x12,x13,[x30,#96]\n stp x14,x15,[x30,#112]\n"
    "stp x16,x17,[x30,#128]\n stp x18,x19,[x30,#144]\n stp x20,x21,[x30,#160]\n stp x22,x23,[x30,#176]\n"
    "stp x24,x25,[x30,#192]\n stp x26,x27,[x30,#208]\n stp x28,x29,[x30,#224]\n"
    "ldr x0, [sp]\n add sp, sp, #16\n str x0, [x30,#240]\n mov x0, sp\n str x0, [x30,#248]\n"
    "mrs x1, nzcv\n str x1, [x30,#256]\n mrs x1, fpcr\n mrs x2, fpsr\n orr x1, x1, x2, lsl #32\n str x1, [x30,#264]\n"
    "mov x29, #0\n mov x30, #0\n bl cstart\n");
