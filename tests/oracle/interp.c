/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 *a; s64 m; P("interpreter entered, entry sp %X\n", entry_regs[31]);
	for (a = auxv; ; a += 2) { P("AT %d = %p\n", a[0], a[1]); if (!a[0]) break; }
	P("brk(0)=%X\n", (u64)S1(214, 0));
	m = S6(222, 0, 8192, 3, 0x22, -1, 0); P("mmap(0,8192)=%X\n", (u64)m);
	catfile("/proc/self/maps");
	return 0;
}
