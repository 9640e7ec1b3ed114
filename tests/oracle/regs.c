/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
/* width of arguments and results, register pairs, mmap2 offset unit, syscall-clobbered registers */
u64 rr[32];
u64 scall_all(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 *out);
asm(".text\n.globl scall_all\nscall_all:\n stp x29,x30,[sp,#-32]!\n str x19,[sp,#16]\n mov x19, x7\n mov x8, x0\n mov x0,x1\n mov x1,x2\n mov x2,x3\n mov x3,x4\n mov x4,x5\n mov x5,x6\n"
    "mov x6,#0x66\n movk x6,#0xaaaa,lsl #48\n mov x7,#0x77\n movk x7,#0xaaaa,lsl #48\n mov x9,#0x99\n movk x9,#0xaaaa,lsl #48\n mov x16,#0x16\n movk x16,#0xaaaa,lsl #48\n mov x17,#0x17\n movk x17,#0xaaaa,lsl #48\n mov x18,#0x18\n movk x18,#0xaaaa,lsl #48\n"
    "svc 0\n stp x0,x1,[x19]\n stp x2,x3,[x19,#16]\n stp x4,x5,[x19,#32]\n stp x6,x7,[x19,#48]\n stp x8,x9,[x19,#64]\n stp x16,x17,[x19,#80]\n str x18,[x19,#96]\n ldr x19,[sp,#16]\n ldp x29,x30,[sp],#32\n ret\n");
#define HI 0xdeadbeef00000000ull
static u8 b[256];
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 fd, r; int i; u64 q[16]; static u8 t[16384];
	P("getpid x0=%X\n", (u64)S0(172)); P("close(-1): x0=%X\n", (u64)S1(57, -1)); P("close(999): x0=%X\n", (u64)S1(57, 999)); P("nr 500: x0=%X; nr 0xffffffff: x0=%X; nr with high bits HI|172: x0=%X\n", (u64)S0(500), (u64)S0(0xffffffffu), (u64)sc(HI | 172, 0, 0, 0, 0, 0, 0));
	P("mmap(0): x0=%X\n", (u64)S6(222, 0, 4096, 3, 0x22, -1, 0)); P("brk(0): x0=%X\n", (u64)S1(214, 0)); P("brk(HI|0): x0=%X\n", (u64)S1(214, HI));
	P("mmap fixed at 0xf0000000: x0=%X\n", (u64)S6(222, 0xf0000000u, 4096, 3, 0x32, -1, 0));
	P("mmap fixed at HI|0xf0001000, all args with high garbage: x0=%X\n", (u64)sc(222, HI | 0xf0001000u, HI | 4096, HI | 3, HI | 0x32, HI | 0xffffffffu, HI | 0));
	fd = S4(56, -100, PT("/tmp/reg.dat"), 0102, 0644); for (i = 0; i < 16384; i++) t[i] = "ABCD"[i >> 12]; t[5] = 'x'; S3(64, fd, PT(t), 16384);
	P("write with high garbage in fd, buf, count: x0=%X\n", (u64)sc(64, HI | U(fd), HI | PT(t), HI | 4, 0, 0, 0));
	P("write with count 0xffffffff (no high bits): x0=%X\n", (u64)S3(64, fd, PT(t), 0xffffffffu)); P("write count 0x80000000: x0=%X, count 0x7fffffff: x0=%X\n", (u64)S3(64, fd, PT(t), 0x80000000u), (u64)S3(64, fd, PT(t), 0x7fffffff));
	P("openat(dirfd = 0x00000000ffffff9c): x0=%X\n", (u64)S4(56, 0xffffff9cu, PT("/tmp/reg.dat"), 0, 0));
	P("lseek->llseek SEEK_CUR -? : "); { s64 pos = -1; r = S5(62, fd, 0xffffffffu, 0xfffffffcu, PT(&pos), 1); P("llseek(hi=ffffffff,lo=fffffffc,SEEK_CUR) = %D pos %D\n", r, pos); r = S5(62, fd, 2, 0, PT(&pos), 0); P("llseek(hi=2, lo=0, SEEK_SET) = %X pos %X\n", (u64)r, (u64)pos); }
	P("kill(pid -1 as 32-bit 0xffffffff, sig 0): %D\n", S2(129, 0xffffffffu, 0)); P("kill(0xfffffc18 = -1000, 0): %D\n", S2(129, 0xfffffc18u, 0));
	P("getpriority(141): %D\n", S2(141, 0, 0)); P("setpriority 0xfffffffb (-5): %D getpriority %D\n", S3(140, 0, 0, 0xfffffffbu), S2(141, 0, 0)); S3(140, 0, 0, 0);
	P("fchownat? setresuid(0xffffffff x3): %D\n", S3(147, 0xffffffffu, 0xffffffffu, 0xffffffffu));
	P("madvise/mlock? msync... wait4(0xffffffff): %D\n", S4(260, 0xffffffffu, 0, 0, 0));
	P("timeout semantics poll? io: futex val HI|1: %D\n", sc(98, PT(&(u32){ 1 }), 0, HI | 1, PT(((u32[]){ 0, 1000 })), 0, 0));
	/* clobbers */
	for (i = 0; i < 13; i++) q[i] = 0; scall_all(172, 0x1111111111111111ull, 0x2222222222222222ull, 0x3333333333333333ull, 0x4444444444444444ull, 0x5555555555555555ull, 0x6666666666666666ull, q);
	P("registers after getpid with args 1111.., 2222..:\n"); { static const char *n[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x16", "x17", "x18" }; for (i = 0; i < 13; i++) P("  %s=%X\n", n[i], q[i]); }
	/* pread64: which registers carry the offset */
	{ s64 pos; S5(62, fd, 0, 0, PT(&pos), 0); }
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 0, 0, 0); P("pread64 (fd,buf,4, 0,0,0) = %D '%c'\n", r, b[0]);
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 4096, 0, 0); P("pread64 x3=4096 x4=0 x5=0: %D '%c'\n", r, b[0]);
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 0, 4096, 0); P("pread64 x3=0 x4=4096 x5=0: %D '%c'\n", r, b[0]);
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 4096, 8192, 0); P("pread64 x3=4096 x4=8192 x5=0: %D '%c'\n", r, b[0]);
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 4096, 0, 12288); P("pread64 x3=4096 x4=0 x5=12288: %D '%c'\n", r, b[0]);
	memset(b, '.', 32); r = sc(67, fd, PT(b), 4, 0, HI | 4096, HI); P("pread64 x4=HI|4096 x5=HI|0: %D '%c'\n", r, b[0]);
	r = sc(67, fd, PT(b), 4, 0, 0xfffffff0u, 0xffffffffu); P("pread64 negative offset: %D\n", r);
	r = sc(68, fd, PT("ZZZZ"), 4, 0, 4096, 1); P("pwrite64 x3=0 x4=4096 x5=1: %D", r); { s64 pos; S5(62, fd, 0, 0, PT(&pos), 2); P(" size now %X\n", (u64)pos); }
	#define SIZE ({ s64 pos_; S5(62, fd, 0, 0, PT(&pos_), 2); pos_; })
	r = sc(46, fd, 5000, 0, 0, 0, 0); P("ftruncate64 (fd, 5000, 0, 0) = %D", r); P(" size %X\n", (u64)SIZE);
	r = sc(46, fd, 0, 5000, 0, 0, 0); P("ftruncate64 (fd, 0, 5000, 0) = %D", r); P(" size %X\n", (u64)SIZE);
	r = sc(46, fd, 77, 6000, 1, 0, 0); P("ftruncate64 (fd, 77, 6000, 1) = %D", r); P(" size %X\n", (u64)SIZE);
	r = sc(45, PT("/tmp/reg.dat"), 77, 7000, 0, 0, 0); P("truncate64 (path, 77, 7000, 0) = %D", r); P(" size %X\n", (u64)SIZE);
	r = sc(47, fd, 0, 0x1000, 0, 0x5000, 0); P("fallocate (fd, mode 0, off lo=0x1000, hi=0, len lo=0x5000, hi=0) = %D", r); P(" size %X\n", (u64)SIZE);
	r = sc(223, fd, 99, 0x1000, 0, 0x1000, 0); P("fadvise64_64 args (fd,99,..): %D\n", r); for (i = 0; i < 7; i++) { r = sc(223, fd, i, 0x1000, 0, 0x1000, 0); P(" fadvise64_64(fd, advice=x1=%d, lo,hi,lo,hi) = %D", i, r); } P("\n"); r = sc(223, fd, 0, 0x1000, 0, 0x1000, 99); P(" (x5=99): %D, (x1=0,x4.. lp64 order fd,off,len,advice=99): %D\n", r, (s64)sc(223, fd, 0, 0, 99, 0, 0));
	r = sc(213, fd, 77, 0, 0, 4096, 0); P("readahead(213) (fd, pad, lo, hi, count) = %D\n", r);
	r = sc(84, fd, 7, 0, 0, 4096, 0); P("sync_file_range2(84) (fd, flags=7, off lo,hi, len lo,hi) = %D; ", r); r = sc(84, fd, 0xff, 0, 0, 4096, 0); P("flags=0xff: %D; ", r); r = sc(84, fd, 0, 4096, 0, 0xff, 0); P("lp64 order with flags=0xff in x3: %D\n", r);
	/* preadv: pos_l, pos_h */
	{ u32 v[2] = { PT(b), 4 }; sc(46, fd, 0, 0, 0, 0, 0); S3(67, 0, 0, 0); sc(68, fd, PT("QQQQ"), 4, 0, 0, 0); sc(68, fd, PT("RRRR"), 4, 0, 4096, 0); memset(b, '.', 8);
	  r = sc(69, fd, PT(v), 1, 4096, 0, 0); P("preadv(69) (fd,iov,1, lo=4096, hi=0): %D '%c'; ", r, b[0]); r = sc(69, fd, PT(v), 1, 4096, 1, 0); P("hi=1: %D; ", r); r = sc(69, fd, PT(v), 1, 0, 4096, 0); P("x3=0 x4=4096: %D\n", r);
	  r = sc(286, fd, PT(v), 1, 4096, 0, 0); P("preadv2(286) lo hi flags=0: %D '%c'\n", r, b[0]); r = sc(70, fd, PT(v), 1, 4096, 0, 0); P("pwritev(70): %D\n", r); }
	/* mmap2 offset unit */
	sc(46, fd, 0, 16384, 0, 0, 0); S5(62, fd, 0, 0, PT(b), 0); S3(64, fd, PT(t), 16384);
	for (i = 0; i < 4; i++) { r = S6(222, 0, 4096, 1, 2, fd, i); P("mmap(222) offset arg %d: x0=%X first byte '%c'\n", i, (u64)r, r > 0 || (u64)r < 0xfffffffffffff000ull ? *(char *)(unsigned long)r : '!'); }
	r = S6(222, 0, 4096, 1, 2, fd, 4096); P("mmap offset arg 4096: x0=%X (past EOF when pages)\n", (u64)r);
	r = S6(222, 0, 4096, 1, 2, fd, 0xffffffffu); P("mmap offset arg ffffffff: x0=%X\n", (u64)r);
	catfile("/proc/self/maps");
	/* mremap, munmap results */
	r = S6(222, 0, 8192, 3, 0x22, -1, 0); P("mmap %X mremap(216) to 16384 MAYMOVE: ", (u64)r); r = S5(216, r, 8192, 16384, 1, 0); P("%X\n", (u64)r);
	P("munmap(0xffff0000, 0x20000): %D, munmap(HI|addr): %D\n", S2(215, 0xffff0000u, 0x20000), S2(215, HI | U(r), HI | 16384));
	P("mprotect beyond 4G: %D\n", S3(226, 0xfffff000u, 0x2000, 1));
	/* pointers near the top, EFAULT */
	P("write from 0xfffffff0: %D; from 0xffff0000 %D; write NULL: %D; read into code: %D\n", S3(64, fd, 0xfffffff0u, 8), S3(64, fd, 0xffff0000u, 8), S3(64, fd, 0, 8), S3(63, fd, PT(&pmain), 8));
	{ s64 pos; S5(62, fd, 0, 0, PT(&pos), 0); } P("read into NULL %D, gettimeofday(0xffffffff) %D, write buf 0xffffff00 count 0x200 (crosses 4G) %D\n", S3(63, fd, 0, 8), S2(169, 0xffffffffu, 0), S3(64, fd, 0xffffff00u, 0x200));
	/* svc immediates */
	{ register u64 x8 asm("x8") = 172; register u64 x0 asm("x0") = 0; asm volatile("svc 0x123" : "+r"(x0) : "r"(x8) : "memory"); P("svc #0x123 getpid: %D\n", (s64)x0); }
	return 0;
}
