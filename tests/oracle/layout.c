/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static int bssvar; static int datavar = 1;
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 *a; int local; s64 m;
	P("code %p data %p bss %p stack %p\n", (u32)(unsigned long)&pmain, (u32)(unsigned long)&datavar, (u32)(unsigned long)&bssvar, (u32)(unsigned long)&local);
	for (a = auxv; a[0]; a += 2) if (a[0] == 3 || a[0] == 7 || a[0] == 9 || a[0] == 33) P("AT %d = %p\n", a[0], a[1]);
	P("brk(0)=%X\n", (u64)S1(214, 0));
	m = S6(222, 0, 8192, 3, 0x22, -1, 0); P("mmap(0,8192)=%X\n", (u64)m);
	m = S6(222, 0, 4096, 3, 0x22, -1, 0); P("mmap(0,4096)=%X\n", (u64)m);
	m = S6(222, 0x10000000, 4096, 3, 0x22, -1, 0); P("mmap(hint 0x10000000)=%X\n", (u64)m);
	m = S6(222, 0xfffff000u, 4096, 3, 0x22, -1, 0); P("mmap(hint 0xfffff000)=%X\n", (u64)m);
	m = S6(222, 0xffff0000u, 4096, 3, 0x32, -1, 0); P("mmap(fixed 0xffff0000)=%X\n", (u64)m);
	m = S6(222, 0xfffff000u, 4096, 3, 0x32, -1, 0); P("mmap(fixed 0xfffff000)=%X\n", (u64)m);
	m = S6(222, 0xfffff000u, 8192, 3, 0x32, -1, 0); P("mmap(fixed 0xfffff000, 8192)=%X\n", (u64)m);
	m = S6(222, 0x1000, 4096, 3, 0x32, -1, 0); P("mmap(fixed 0x1000)=%X\n", (u64)m);
	m = S6(222, 0, 4096, 3, 0x32, -1, 0); P("mmap(fixed 0)=%X\n", (u64)m);
	m = S6(222, 0x100000000ull, 4096, 3, 0x32, -1, 0); P("mmap(fixed 0x100000000)=%X\n", (u64)m);
	m = S6(222, 0, 0x7fffffff, 3, 0x4022, -1, 0); P("mmap(0,0x7fffffff)=%X\n", (u64)m);
	m = S6(222, 0, 0xf0000000u, 3, 0x4022, -1, 0); P("mmap(0,0xf0000000)=%X\n", (u64)m);
	catfile("/proc/self/maps");
	return 0;
}
