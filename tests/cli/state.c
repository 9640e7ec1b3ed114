// SPDX-License-Identifier: GPL-2.0-or-later
// The ILP32 program of these tests: argv[1] says what to do. The exit status is 0, or the errno of what
// failed.
#include "proc.h"

enum { NR_chroot = 51, NR_chdir = 49 };

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

	while (*s)
		n = n * 10 + *s++ - '0';
	return n;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)auxv;
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
