/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the ILP32 ABI: number in w8, arguments in x0..x5, of which
 * the kernel drops bits 63:32; result in x0. A 64-bit argument takes an aligned
 * pair of registers, halves in memory order. */
#define __SYSCALL_LL_E(x) \
 ((union {                \
long long ll;                  \
long half[2];                  \
 }){.ll = (x)})           \
	 .half[0],        \
	 ((union {        \
   long long ll;          \
   long half[2];          \
	 }){.ll = (x)})   \
		 .half[1]
#define __SYSCALL_LL_O(x) 0, __SYSCALL_LL_E((x))

#define __ILP32_ARG(r, v) register long r __asm__(#r) = (v)
#define __ILP32_SVC(...)                                                   \
 do {                                                                      \
  __asm__ __volatile__("svc 0" : "+r"(x0) : __VA_ARGS__ : "memory", "cc"); \
  return x0;                                                               \
 } while (0)

static inline long __syscall0(long n)
{
	__ILP32_ARG(x8, n);
	register long x0 __asm__("x0");
	__asm__ __volatile__("svc 0" : "=r"(x0) : "r"(x8) : "memory", "cc");
	return x0;
}

static inline long __syscall1(long n, long a)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_SVC("r"(x8));
}

static inline long __syscall2(long n, long a, long b)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_ARG(x1, b);
	__ILP32_SVC("r"(x8), "r"(x1));
}

static inline long __syscall3(long n, long a, long b, long c)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_ARG(x1, b);
	__ILP32_ARG(x2, c);
	__ILP32_SVC("r"(x8), "r"(x1), "r"(x2));
}

static inline long __syscall4(long n, long a, long b, long c, long d)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_ARG(x1, b);
	__ILP32_ARG(x2, c);
	__ILP32_ARG(x3, d);
	__ILP32_SVC("r"(x8), "r"(x1), "r"(x2), "r"(x3));
}

static inline long __syscall5(long n, long a, long b, long c, long d, long e)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_ARG(x1, b);
	__ILP32_ARG(x2, c);
	__ILP32_ARG(x3, d);
	__ILP32_ARG(x4, e);
	__ILP32_SVC("r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4));
}

static inline long __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	__ILP32_ARG(x8, n);
	__ILP32_ARG(x0, a);
	__ILP32_ARG(x1, b);
	__ILP32_ARG(x2, c);
	__ILP32_ARG(x3, d);
	__ILP32_ARG(x4, e);
	__ILP32_ARG(x5, f);
	__ILP32_SVC("r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5));
}

/* fadvise64_64 takes the advice first, so that both pairs are aligned. */
#define SYSCALL_FADVISE_6_ARG

/* The kernel's vDSO has functions for 32-bit time only (version node of the
 * public 4.12 and later series). No kernel exports the name with 64; the look-up
 * then falls to the other one. */
#define VDSO_USEFUL
#define VDSO_CGT_SYM   "__kernel_clock_gettime64"
#define VDSO_CGT_VER   "LINUX_4.12"
#define VDSO_CGT32_SYM "__kernel_clock_gettime"
#define VDSO_CGT32_VER "LINUX_4.12"
