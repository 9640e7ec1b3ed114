/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static void h(int s, u32 *si, u32 *uc) { P("uc_flags %x uc_link %x uc_stack {%p, %x, %x}\n", uc[0], uc[1], uc[2], uc[3], uc[4]); }
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	static u8 st[16384]; u32 ss[3] = { PT(st), 0, 16384 };
	sigact(10, h, SA_SIGINFO); P("no alternate stack: "); S2(129, S0(172), 10);
	S2(132, PT(ss), 0); P("set, not in use: "); S2(129, S0(172), 10); sigact(10, h, SA_SIGINFO | SA_ONSTACK); P("set, entered: "); S2(129, S0(172), 10);
	ss[1] = 2; S2(132, PT(ss), 0); P("disabled again: "); S2(129, S0(172), 10); ss[1] = 0x80000000u; S2(132, PT(ss), 0); P("autodisarm: "); S2(129, S0(172), 10); 
	P("x0 of getpriority etc done\n"); return 0;
}
