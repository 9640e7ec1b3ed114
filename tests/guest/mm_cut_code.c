/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code in a mapped file that is cut short under it: SIGBUS at the fetch (kernel filemap_fault()). */
#include "proc.h"

enum { NR_ftruncate = 46 };

static u32 code;

static NOINLINE u32 call(void)
{
	return ((u32(*)(void))code)();
}

static void run(const char *name, s64 fd, u32 flags, u32 offset)
{
	code = (u32)sys(NR_mmap2, 0, 8192, 7, flags, fd, 0) + offset;
	((u32 *)code)[0] = 0x52800540; /* mov w0, #42 */
	((u32 *)code)[1] = 0xd65f03c0; /* ret */
	__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb"
			 :
			 : "r"((u64)code)
			 : "memory");
	print("%s: %u", name, call());
	print(", cut %ld\n", sys(NR_ftruncate, fd, 0, 4096, 0));
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	s64 fd = sys(NR_memfd_create, "x", 0), pid;

	sys(NR_ftruncate, fd, 0, 8192, 0);
	run("in the part that stays", fd, 1, 0);
	print("runs on: %u\n", call());
	sys(NR_ftruncate, fd, 0, 8192, 0);
	run("in the part that goes", fd, 1, 4096);
	pid = fork_();
	if (!pid)
		quit((int)call());
	print("status %x\n", wait_for(pid) & 0x7f);
	return 0;
}
