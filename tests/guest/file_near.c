/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that end in /proc without saying so: relative ones, links, directories that others change. */
#include "proc.h"

enum { NR_chdir = 49, NR_fchdir = 50, NR_symlinkat = 36, NR_mkdirat = 34 };
enum { DIRECTORY = 040000 };

static char text[64];

/* Whether NAME shows the guest's mappings, whose addresses have 8 digits. */
static int shows_guest(const char *name)
{
	s64 fd = sys(NR_openat, -100, name, 0, 0);
	s64 n = sys(NR_read, fd, text, sizeof(text));

	sys(NR_close, fd);
	return n > 9 && text[8] == '-';
}

/* Whether NAME is this program: an ELF file of 32 bits. */
static int is_guest_program(const char *name)
{
	s64 fd = sys(NR_openat, -100, name, 0, 0);
	s64 n = sys(NR_read, fd, text, sizeof(text));

	sys(NR_close, fd);
	return n > 5 && text[0] == 0x7f && text[4] == 1;
}

static void links(void)
{
	sys(NR_symlinkat, "/proc/self/maps", -100, "a");
	sys(NR_symlinkat, "a", -100, "b");
	sys(NR_symlinkat, "/proc/self", -100, "dir");
	sys(NR_symlinkat, "/proc/self/exe", -100, "program");
	print("links: %d %d, directory %d, program %d %d\n", shows_guest("a"), shows_guest("./b"),
	      shows_guest("dir/maps"), is_guest_program("program"), is_guest_program("dir/exe"));
	sys(NR_unlinkat, -100, "a", 0);
	sys(NR_unlinkat, -100, "b", 0);
	sys(NR_unlinkat, -100, "dir", 0);
	sys(NR_unlinkat, -100, "program", 0);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	static char name[] = "/tmp/near-0000000000";
	u32 pid = (u32)sys(NR_getpid);

	for (u32 i = sizeof(name) - 2; pid; pid /= 10)
		name[i--] = (char)('0' + pid % 10);
	print("mkdir %ld, chdir %ld\n", sys(NR_mkdirat, -100, name, 0700), sys(NR_chdir, name));
	links();
	print("chdir %ld: %d", sys(NR_chdir, "/proc/self"), shows_guest("maps"));
	print(", program %d, up %d\n", is_guest_program("exe"), shows_guest("../self/maps"));
	sys(NR_chdir, "/");
	s64 dir = sys(NR_openat, -100, "/proc/self", DIRECTORY, 0);
	print("elsewhere %d, fchdir %ld: %d\n", is_guest_program("proc/self/exe"),
	      sys(NR_fchdir, dir), shows_guest("maps"));
	sys(NR_chdir, name);
	print("back: links to be made anew\n");
	links();
	/* A process that shares our working directory changes it. */
	flush();
	s64 child = sys(NR_clone, CLONE_FS | SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		char self[32] = "/proc/";
		u32 parent = (u32)sys(173 /* getppid */), n = 0, at = 6;
		char digits[12];

		for (; parent; parent /= 10)
			digits[n++] = (char)('0' + parent % 10);
		while (n)
			self[at++] = digits[--n];
		self[at] = 0;
		quit((int)-sys(NR_chdir, self));
	}
	print("child %x, its directory: %d\n", wait_for(child), shows_guest("maps"));
	print("rmdir %ld\n", sys(NR_unlinkat, -100, name, 0x200));
	return 0;
}
