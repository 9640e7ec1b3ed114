/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
static const char *nm(u32 t)
{
	switch (t) { case 0: return "NULL"; case 3: return "PHDR"; case 4: return "PHENT"; case 5: return "PHNUM"; case 6: return "PAGESZ";
	case 7: return "BASE"; case 8: return "FLAGS"; case 9: return "ENTRY"; case 11: return "UID"; case 12: return "EUID"; case 13: return "GID";
	case 14: return "EGID"; case 15: return "PLATFORM"; case 16: return "HWCAP"; case 17: return "CLKTCK"; case 23: return "SECURE";
	case 24: return "BASE_PLATFORM"; case 25: return "RANDOM"; case 26: return "HWCAP2"; case 31: return "EXECFN"; case 33: return "SYSINFO_EHDR"; }
	return "?";
}
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 *a; u32 sp = (u32)entry_regs[31]; int i; u32 top;
	for (i = 0; i < 32; i++) P("%s%d=%X%s", i == 31 ? "sp/" : "x", i, entry_regs[i], i % 4 == 3 ? "\n" : " ");
	P("nzcv=%X fpcr=%x fpsr=%x\n", entry_regs[32], (u32)entry_regs[33], (u32)(entry_regs[33] >> 32));
	P("sp & 15 = %d, argc slot: 4-byte word %x at sp, argv at sp+4 (%p)\n", sp & 15, *(u32 *)(unsigned long)sp, (u32)(unsigned long)argv);
	P("envp at sp+%d, auxv at sp+%d\n", (u32)(unsigned long)envp - sp, (u32)(unsigned long)auxv - sp);
	for (a = auxv; ; a += 2) { P("auxv type %d %s = 0x%x (%d)", a[0], nm(a[0]), a[1], a[1]);
		if (a[0] == 15 || a[0] == 31 || a[0] == 24) P(" \"%s\" (address - sp = %d)", (char *)(unsigned long)a[1], a[1] - sp);
		if (a[0] == 25) { P(" (address - sp = %d) ", a[1] - sp); }
		if (a[0] == 33) P(" first word %x", *(u32 *)(unsigned long)a[1]);
		pc('\n'); if (!a[0]) break; }
	P("end of auxv at sp+%d\n", (u32)(unsigned long)(a + 2) - sp);
	for (i = 0; i < argc; i++) P("argv[%d] at sp+%d\n", i, (u32)(unsigned long)argv[i] - sp);
	top = (sp + 4096) & ~4095u;
	for (i = 0; envp[i]; i++) ;
	/* locate the end of the stack from AT_EXECFN */
	for (a = auxv; a[0]; a += 2) if (a[0] == 31) top = (a[1] + slen((char *)(unsigned long)a[1]) + 1 + 4 + 3) & ~3u;
	P("AT_EXECFN string end rounded: %p, to next page boundary: %p\n", top, (top + 4095) & ~4095u);
	dump("stack from sp to the top", (void *)(unsigned long)sp, ((top + 4095) & ~4095u) - sp);
	{ static u8 b[1024]; s64 fd = S4(56, -100, PT("/proc/self/auxv"), 0, 0); s64 r = S3(63, fd, PT(b), sizeof b); P("/proc/self/auxv read: %D bytes\n", r); if (r > 0) dump("auxv file", b, r); }
	{ static char lb[256]; s64 r = S4(78, -100, PT("/proc/self/exe"), PT(lb), 255); if (r > 0) { lb[r] = 0; P("/proc/self/exe -> %s\n", lb); } }
	catfile("/proc/self/maps"); P("brk(0)=%X\n", (u64)S1(214, 0));
	P("personality(0xffffffff)=%X\n", (u64)S1(92, 0xffffffffu));
	catfile("/proc/self/stat");
	catfile("/proc/self/status");
	return 0;
}
