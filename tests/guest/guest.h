/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For freestanding ILP32 test programs: start code, raw system calls with full 64-bit registers,
 * formatted output. A program is one file with int main(int argc, char **argv, char **envp, u32 *auxv).
 * Nothing here allocates, and output is buffered until exit, fork or flush().
 */
#ifndef GUEST_H
#define GUEST_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;
_Static_assert(sizeof(void *) == 4 && sizeof(long) == 4, "built for ILP32");

#define UNUSED   __attribute__((unused))
#define NOINLINE __attribute__((noinline, unused))

int main(int argc, char **argv, char **envp, u32 *auxv);

/* --- system calls ----------------------------------------------------------------------------- */

static UNUSED s64 sys6(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	register u64 x8 __asm__("x8") = nr;
	register u64 x0 __asm__("x0") = a;
	register u64 x1 __asm__("x1") = b;
	register u64 x2 __asm__("x2") = c;
	register u64 x3 __asm__("x3") = d;
	register u64 x4 __asm__("x4") = e;
	register u64 x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "cc");
	return (s64)x0;
}

/* Pointers and ints as arguments: sys(nr, a, b...) with up to six. */
#define ARG_(x) ((u64)(u32)(x))
#define SYS_(nr, a, b, c, d, e, f, ...) \
 sys6(nr, ARG_(a), ARG_(b), ARG_(c), ARG_(d), ARG_(e), ARG_(f))
#define sys(...) SYS_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

enum {
	NR_fcntl = 25,
	NR_openat = 56,
	NR_close = 57,
	NR_pipe2 = 59,
	NR_read = 63,
	NR_write = 64,
	NR_ppoll = 73,
	NR_signalfd4 = 74,
	NR_exit = 93,
	NR_exit_group = 94,
	NR_nanosleep = 101,
	NR_setitimer = 103,
	NR_clock_gettime = 113,
	NR_sched_yield = 124,
	NR_restart_syscall = 128,
	NR_kill = 129,
	NR_tkill = 130,
	NR_tgkill = 131,
	NR_sigaltstack = 132,
	NR_rt_sigsuspend = 133,
	NR_rt_sigaction = 134,
	NR_rt_sigprocmask = 135,
	NR_rt_sigpending = 136,
	NR_rt_sigtimedwait = 137,
	NR_rt_sigqueueinfo = 138,
	NR_rt_sigreturn = 139,
	NR_getpid = 172,
	NR_getppid = 173,
	NR_getuid = 174,
	NR_gettid = 178,
	NR_munmap = 215,
	NR_clone = 220,
	NR_mmap2 = 222,
	NR_mprotect = 226,
	NR_rt_tgsigqueueinfo = 240,
	NR_wait4 = 260,
	NR_memfd_create = 279,
};

/* --- memory -------------------------------------------------------------------------------------- */

/* The compiler calls these by itself; the empty asm keeps it from turning the loops into calls. */
NOINLINE void *memset(void *d, int c, __SIZE_TYPE__ n)
{
	for (u8 *p = d; n--; p++) {
		*p = (u8)c;
		__asm__ volatile("");
	}
	return d;
}

NOINLINE void *memcpy(void *d, const void *s, __SIZE_TYPE__ n)
{
	const u8 *q = s;

	for (u8 *p = d; n--; p++, q++) {
		*p = *q;
		__asm__ volatile("");
	}
	return d;
}

NOINLINE int memcmp(const void *a, const void *b, __SIZE_TYPE__ n)
{
	const u8 *p = a, *q = b;

	for (; n--; p++, q++) {
		if (*p != *q)
			return *p - *q;
		__asm__ volatile("");
	}
	return 0;
}

/* --- output -------------------------------------------------------------------------------------- */

static struct {
	char text[16384];
	u32 n;
} guest_out;

static NOINLINE void flush(void)
{
	for (u32 done = 0; done < guest_out.n;) {
		s64 r = sys(NR_write, 1, guest_out.text + done, guest_out.n - done);

		if (r < 0 && r != -4)
			break;
		if (r > 0)
			done += (u32)r;
	}
	guest_out.n = 0;
}

static NOINLINE void putch(char c)
{
	if (guest_out.n == sizeof(guest_out.text))
		flush();
	guest_out.text[guest_out.n++] = c;
}

static NOINLINE void put_number(u64 v, u32 base, u32 width)
{
	char digits[24];
	u32 n = 0;

	do {
		digits[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	while (n < width)
		digits[n++] = '0';
	while (n)
		putch(digits[--n]);
}

/* %d int, %u u32, %x u32, %ld s64, %lx u64, %s, %c; a digit after % is the minimum width, with zeros. */
static NOINLINE void print(const char *f, ...)
{
	__builtin_va_list ap;

	__builtin_va_start(ap, f);
	for (; *f; f++) {
		u32 width = 0, wide = 0;
		s64 v;

		if (*f != '%') {
			putch(*f);
			continue;
		}
		for (f++; *f >= '0' && *f <= '9'; f++)
			width = width * 10 + (u32)(*f - '0');
		for (; *f == 'l'; f++)
			wide = 1;
		switch (*f) {
		case 'd':
			v = wide ? __builtin_va_arg(ap, s64) : __builtin_va_arg(ap, s32);
			if (v < 0)
				putch('-');
			put_number(v < 0 ? -(u64)v : (u64)v, 10, width);
			break;
		case 'u':
		case 'x':
			put_number(wide ? __builtin_va_arg(ap, u64) : __builtin_va_arg(ap, u32),
				   *f == 'x' ? 16 : 10, width);
			break;
		case 's':
			for (const char *s = __builtin_va_arg(ap, const char *); *s; s++)
				putch(*s);
			break;
		case 'c': putch((char)__builtin_va_arg(ap, int)); break;
		default: putch(*f);
		}
	}
	__builtin_va_end(ap);
}

/* --- processes ----------------------------------------------------------------------------------- */

static UNUSED __attribute__((noreturn)) void quit(int status)
{
	flush();
	for (;;)
		sys(NR_exit_group, status);
}

static UNUSED s64 fork_(void)
{
	flush();
	return sys(NR_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
}

/* The wait status of child PID, or -errno. */
static UNUSED int wait_for(s64 pid)
{
	int status = 0;
	s64 r;

	do
		r = sys(NR_wait4, (u32)pid, &status, 0, 0);
	while (r == -4);
	return r < 0 ? (int)r : status;
}

/* Waits until process PID sleeps in the kernel, by /proc/PID/stat. */
static UNUSED void wait_until_sleeping(u32 pid)
{
	char path[32] = "/proc/", text[64], digits[12];
	u32 at = 6, n = 0, seen = 0, pause[2] = {0, 5000000};

	for (; pid; pid /= 10)
		digits[n++] = (char)('0' + pid % 10);
	while (n)
		path[at++] = digits[--n];
	memcpy(path + at, "/stat", 6);
	while (seen < 3) {
		s64 fd = sys(NR_openat, -100, path, 0, 0), r = sys(NR_read, fd, text, sizeof(text));
		u32 i = 0;

		sys(NR_close, fd);
		while (i + 2 < r && !(text[i] == ')' && text[i + 1] == ' '))
			i++;
		if (i + 2 >= r)
			return; /* gone */
		seen = text[i + 2] == 'S' ? seen + 1 : 0;
		sys(NR_nanosleep, pause, 0);
	}
}

/* --- signals ------------------------------------------------------------------------------------- */

enum {
	SIGHUP = 1,
	SIGILL = 4,
	SIGTRAP = 5,
	SIGABRT = 6,
	SIGBUS = 7,
	SIGFPE = 8,
	SIGKILL = 9,
	SIGUSR1 = 10,
	SIGSEGV = 11,
	SIGUSR2 = 12,
	SIGPIPE = 13,
	SIGALRM = 14,
	SIGTERM = 15,
	SIGCHLD = 17,
	SIGCONT = 18,
	SIGSTOP = 19,
	SIGWINCH = 28,
};
#define SA_NOCLDSTOP 1u
#define SA_NOCLDWAIT 2u
#define SA_SIGINFO   4u
#define SA_RESTORER  0x04000000u
#define SA_ONSTACK   0x08000000u
#define SA_RESTART   0x10000000u
#define SA_NODEFER   0x40000000u
#define SA_RESETHAND 0x80000000u
enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };

struct kernel_sigaction {
	u32 handler, flags, restorer, mask[2];
};
typedef void handler_fn(int sig, u8 *info, u8 *uc);

static UNUSED s64 set_handler_mask(int sig, u32 handler, u32 flags, u64 mask)
{
	struct kernel_sigaction a = {handler, flags, 0, {(u32)mask, (u32)(mask >> 32)}};

	return sys(NR_rt_sigaction, sig, &a, 0, 8);
}
#define set_handler(sig, fn, flags) set_handler_mask(sig, (u32)(fn), flags, 0)

/* Changes the mask; the old one. */
static UNUSED u64 set_mask(int how, u64 mask)
{
	u32 new[2] = {(u32)mask, (u32)(mask >> 32)}, old[2] = {0, 0};

	sys(NR_rt_sigprocmask, how, new, old, 8);
	return old[0] | (u64)old[1] << 32;
}
#define BIT(sig) (1ull << ((sig)-1))

static inline u32 get32(const u8 *p)
{
	u32 v;

	__builtin_memcpy(&v, p, 4);
	return v;
}
static inline u64 get64(const u8 *p)
{
	return get32(p) | (u64)get32(p + 4) << 32;
}
static inline void put32(u8 *p, u32 v)
{
	__builtin_memcpy(p, &v, 4);
}
static inline void put64(u8 *p, u64 v)
{
	put32(p, (u32)v);
	put32(p + 4, (u32)(v >> 32));
}

/* --- start --------------------------------------------------------------------------------------- */

NOINLINE __attribute__((used, noreturn)) void guest_start(u32 *sp)
{
	char **argv = (char **)(sp + 1), **envp = argv + sp[0] + 1, **end = envp;

	while (*end)
		end++;
	quit(main((int)sp[0], argv, envp, (u32 *)(end + 1)));
}

__asm__(".text\n"
	".globl _start\n"
	".type _start, %function\n"
	"_start:\n"
	"	mov x0, sp\n"
	"	mov x29, #0\n"
	"	mov x30, #0\n"
	"	bl guest_start\n");

#endif
