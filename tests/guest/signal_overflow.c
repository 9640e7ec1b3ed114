/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alternate stacks that handlers outgrow: who stands below one is not on it (kernel/signal.c sigsp(), on_sig_stack()),
 * and where nothing can be written the process dies of SIGSEGV. */
#include "guest.h"

enum { SIZE = 16384, AREA = 65536, DEPTH = 12, FRAME = 4672 };

static u32 base; /* ss_sp */
static volatile u32 depth, wrong, jumps, below;

static int on_stack(u32 sp)
{
	return sp > base && sp - base <= SIZE;
}

static void again(int sig, u8 *info, u8 *uc)
{
	u32 from = (u32)get64(uc + 416), frame = (u32)info;
	/* With the frame record, all rounded down to 16. */
	u32 top = on_stack(from) ? from : base + SIZE;

	wrong += frame != ((top - 16) & ~15u) - FRAME;
	wrong += get64(uc + 416) >> 32 != 0;
	jumps += top != from;
	below += frame < base;
	if (++depth < DEPTH)
		sys(NR_kill, sys(NR_getpid), sig);
	/* Older frames are overwritten: there is no way back. */
	print("outgrown: %u deep, in wrong places %u, started at the top again %d, below the stack %d\n",
	      depth, wrong, jumps > 2, below > 1);
	quit(0);
}

static int in_child(u32 below_it)
{
	s64 pid = fork_();

	if (!pid) {
		u32 s[3] = {base, 0, SIZE};

		sys(NR_mprotect, base - 4096, 4096, below_it);
		sys(NR_sigaltstack, s, 0);
		set_handler(SIGUSR1, again, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
		set_handler(SIGSEGV, again, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
		sys(NR_kill, sys(NR_getpid), SIGUSR1);
		quit(0);
	}
	return wait_for(pid);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	base = (u32)sys(NR_mmap2, 0, AREA, 3, 0x22, -1, 0) + AREA - SIZE;
	print("status %x\n", in_child(3));
	print("guard page below: status %x\n", in_child(0));
	return 0;
}
