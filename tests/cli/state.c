// SPDX-License-Identifier: GPL-2.0-or-later
// The ILP32 program of these tests: argv[1] says what to do. The exit status is 0, or the errno of what
// failed.
#include "proc.h"

enum {
	NR_chroot = 51,
	NR_chdir = 49,
	NR_getdents64 = 61,
	NR_setpriority = 140,
	NR_setresuid = 147,
};

/* A data segment with a bss behind it, on a page of its own. */
static volatile u32 data[16] = {1};
static volatile u32 bss[64];

/* "exec PATH ARGUMENT...": the new program's argv[0] is PATH. */
static int exec(char **argv, char **envp)
{
	flush();
	return (int)-sys(NR_execve, argv[0], argv, envp);
}

/* No number is left. */
static void fill_table(void)
{
	while (sys(NR_dup3 - 1, 0) >= 0) /* dup */
		;
}

static int number(const char *s)
{
	int n = 0;

	while (*s >= '0' && *s <= '9')
		n = n * 10 + *s++ - '0';
	return n;
}

/* Processor time of the process, in ms. */
static u32 used_ms(void)
{
	u32 ts[2] = {0, 0};

	sys(NR_clock_gettime, 2, ts); /* CLOCK_PROCESS_CPUTIME_ID */
	return ts[0] * 1000 + ts[1] / 1000000;
}

/* Computes for MS of processor time what each engine must compute alike; stops on no other thing. */
static u64 compute(u32 ms)
{
	u64 h = 1;

	do {
		h = 1;
		for (u32 i = 0; i < 1000000; i++)
			h = (h ^ h >> 33) * 0xff51afd7ed558ccdull + i;
	} while (used_ms() < ms);
	return h;
}

static int begins(const char *s, const char *with)
{
	while (*with && *s == *with)
		s++, with++;
	return !*with;
}

/* Threads as /proc shows them: in the directory and in status. */
static void threads(void)
{
	static char text[4096];
	u32 listed = 0;
	s64 fd = sys(NR_openat, -100, "/proc/self/task", 0), n;

	while ((n = sys(NR_getdents64, fd, text, sizeof text)) > 0) {
		for (s64 at = 0; at < n; at += *(u16 *)(text + at + 16))
			listed += text[at + 19] != '.';
	}
	sys(NR_close, fd);
	fd = sys(NR_openat, -100, "/proc/self/status", 0);
	n = sys(NR_read, fd, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	for (char *s = text; *s; s++) {
		if (begins(s, "\nThreads:\t"))
			print("%u listed, status %u\n", listed, (u32)number(s + 10));
	}
	sys(NR_close, fd);
}

/* AT_HWCAP and MIDR_EL1, which the kernel emulates. */
static void print_cpu(const u32 *auxv)
{
	u64 midr;

	while (*auxv && *auxv != 16)
		auxv += 2;
	__asm__("mrs %0, s3_0_c0_c0_0" : "=r"(midr));
	print("%x %x\n", auxv[1], (u32)midr);
}

/* ldadd w0, w1, [x2] */
static void ldadd(void)
{
	static u32 word = 40;
	register u64 x0 __asm__("x0") = 2;
	register u64 x1 __asm__("x1");
	register u64 x2 __asm__("x2") = (u32)&word;

	__asm__ volatile(".inst 0xb8200041" : "=r"(x1) : "r"(x0), "r"(x2) : "memory");
	print("%d then %d\n", (u32)x1, word);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	if (argc < 2 || data[0] != 1 || bss[0])
		return 100;
	if (equal(argv[1], "hello")) {
		print("hello");
		for (int i = 2; i < argc; i++)
			print(" %s", argv[i]);
		print("\n");
		return 0;
	}
	if (equal(argv[1], "environment")) {
		for (; *envp; envp++)
			print("%s\n", *envp);
		return 0;
	}
	if (equal(argv[1], "calls")) {
		for (int i = number(argv[2]); i; i--)
			sys(NR_getppid);
		print("done\n");
		return 0;
	}
	/* "compute MS" */
	if (equal(argv[1], "compute")) {
		u64 h = compute((u32)number(argv[2]));

		print("%x%x\n", (u32)(h >> 32), (u32)h);
		return 0;
	}
	if (equal(argv[1], "cpu")) {
		print_cpu(auxv);
		return 0;
	}
	if (equal(argv[1], "ldadd")) {
		ldadd();
		return 0;
	}
	if (equal(argv[1], "threads")) {
		threads();
		return 0;
	}
	/* Raises the priority of a group of its own, as another user than root: EACCES (13) if all of it is that user's,
	 * EPERM (1) if not; linux 6.1 kernel/sys.c, set_one_prio(). */
	if (equal(argv[1], "group-priority")) {
		sys(NR_setpgid, 0, 0);
		sys(NR_setresuid, 65534, 65534, 65534);
		return (int)-sys(NR_setpriority, 1, 0, -2);
	}
	if (equal(argv[1], "exec"))
		return exec(argv + 2, envp);
	if (equal(argv[1], "full")) {
		fill_table();
		return exec(argv + 2, envp);
	}
	/* "chroot DIRECTORY PATH ARGUMENT..." */
	if (equal(argv[1], "chroot")) {
		s64 r = sys(NR_chroot, argv[2]);

		if (r == 0)
			r = sys(NR_chdir, "/");
		return r ? (int)-r : exec(argv + 3, envp);
	}
	return 101;
}
