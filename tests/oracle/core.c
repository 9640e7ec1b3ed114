/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static char marker[] = "CORE-MARKER-DATA";
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	P("crashing\n"); flush();
	asm volatile("mov x19,#0x1919\n movk x19,#0xabcd,lsl #48\n mov x0,#0x100\n movk x0,#0x1,lsl #32\n msr tpidr_el0, x19\n movi v7.16b,#7\n mov x1,#0x40\n str x0,[x1]" ::: "x0", "x1", "x19", "memory");
	return 0;
}
