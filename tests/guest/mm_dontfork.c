/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MADV_DONTFORK (kernel VM_DONTCOPY): which mappings a child of fork does not have. */
#include "proc.h"

enum {
	DONTFORK = 10,
	DOFORK = 11,
	PAGE = 4096,
	NR_madvise_ = 233,
	NR_mincore_ = 232,
	NR_mremap_ = 216
};
enum { RW = 3, PRIVATE_ANON = 0x22, FIXED = 0x10, MOVE_FIXED = 3 };

#define AREA 0x20000000u
#define FAR  0x30000000u

/* 0 or 12 (ENOMEM): mapped or not. */
static void look(const char *name, u32 a)
{
	u8 vec[1];

	print("%s: %ld\n", name, sys(NR_mincore_, a, PAGE, vec));
}

static int child(void)
{
	look("plain", AREA);
	look("marked", AREA + PAGE);
	look("taken back", AREA + 2 * PAGE);
	look("mapped anew", AREA + 3 * PAGE);
	look("moved to", FAR);
	look("neighbour", FAR + PAGE);
	print("host write %ld\n", sys(NR_readlinkat, -100, "/proc/self/exe", AREA + PAGE, 10));
	/* the place is free */
	print("mmap %ld\n",
	      sys(NR_mmap2, AREA + PAGE, PAGE, RW, PRIVATE_ANON | 0x100000, -1, 0) - (AREA + PAGE));
	flush();
	*(volatile u32 *)(u64)FAR = 1;
	return 0;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	s64 pid;

	sys(NR_mmap2, AREA, 8 * PAGE, RW, PRIVATE_ANON | FIXED, -1, 0);
	sys(NR_mmap2, FAR, 8 * PAGE, RW, PRIVATE_ANON | FIXED, -1, 0);
	print("madvise %ld", sys(NR_madvise_, AREA + PAGE, 4 * PAGE, DONTFORK));
	print(" %ld", sys(NR_madvise_, AREA + 2 * PAGE, PAGE, DOFORK));
	print(" %ld\n", sys(NR_madvise_, AREA + 7 * PAGE, 2 * PAGE, DOFORK));
	sys(NR_mmap2, AREA + 3 * PAGE, PAGE, RW, PRIVATE_ANON | FIXED, -1, 0);
	print("move %ld\n", sys(NR_mremap_, AREA + 4 * PAGE, PAGE, PAGE, MOVE_FIXED, FAR) - FAR);
	*(volatile u32 *)(u64)(AREA + PAGE) = 5;
	pid = fork_();
	if (!pid)
		quit(child());
	print("status %x\n", wait_for(pid) & 0x7f);
	print("kept here %u\n", *(volatile u32 *)(u64)(AREA + PAGE));
	*(volatile u32 *)(u64)FAR = 1;
	return 0;
}
