/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vDSO as an ELF image and a mapping: Linux 4.14 ILP32 (its file as recorded: class, machine, SONAME,
 * version node, four functions, hash of sysv style, the note, one page of data before it), and what later
 * profiles add. Program headers and the instructions of the trampoline: arch/arm64/kernel/vdso*.
 */
#include "proc.h"
#include "vdso.h"

static const char *const functions[] = {"__kernel_rt_sigreturn", "__kernel_gettimeofday",
					"__kernel_clock_gettime", "__kernel_clock_getres"};

static void headers(void)
{
	static const char *const types[] = {"?", "LOAD", "DYNAMIC", "?", "NOTE"};
	const struct elf_phdr *p;

	print("ident %08x %08x type %u machine %u flags %x\n", get32(vdso_base),
	      get32(vdso_base + 4), *(u16 *)(vdso_base + 16), *(u16 *)(vdso_base + 18),
	      get32(vdso_base + 36));
	for (u32 i = 0; (p = vdso_phdr(i)); i++)
		print("%s flags %u%s\n",
		      p->type == 0x6474e550 ? "GNU_EH_FRAME" : types[p->type & 7], p->flags,
		      p->offset == p->vaddr && p->offset + p->filesz <= 4096 ? "" : " outside");
	print("soname %s\n", vdso_string(vdso_dynamic(DT_SONAME)));
}

static void symbols(void)
{
	u32 n = 0;

	for (u32 f = 0; f < 4; f++)
		print("%s: %s%s\n", functions[f],
		      vdso_find(functions[f], "LINUX_4.12") ? "LINUX_4.12" : "missing",
		      vdso_find(functions[f], "LINUX_4.9") == vdso_find(functions[f], "LINUX_4.12")
			      ? ", LINUX_4.9"
			      : "");
	for (u32 i = 1; i < vdso_nsymbols(); i++)
		n += vdso_symbol(i)->shndx != 0 && (vdso_symbol(i)->info & 15) == 2;
	print("%u functions in all\n", n);
}

/* The kernel's note holds LINUX_VERSION_CODE, which uname tells in its own way. */
static void note(void)
{
	static char uts[6 * 65];
	const struct elf_phdr *p;
	const u8 *n = 0;
	u32 part[3] = {0, 0, 0}, i = 0;

	for (u32 k = 0; (p = vdso_phdr(k)); k++)
		if (p->type == 4)
			n = vdso_base + p->offset;
	sys(NR_uname, uts);
	for (const char *s = uts + 130; i < 3 && ((*s >= '0' && *s <= '9') || *s == '.'); s++) {
		if (*s == '.')
			i++;
		else
			part[i] = part[i] * 10 + (u32)(*s - '0');
	}
	if (part[2] > 255)
		part[2] = 255;
	print("note %s type %u size %u, version as uname: %s\n", (const char *)n + 12, get32(n + 8),
	      get32(n + 4),
	      get32(n + 20) == (part[0] << 16 | part[1] << 8 | part[2]) ? "yes" : "no");
}

static void trampoline(void)
{
	const u32 *code = (const u32 *)vdso_find("__kernel_rt_sigreturn", "LINUX_4.12");

	print("sigreturn: %08x | %08x %08x\n", code[-1], code[0], code[1]);
}

/* The lines of maps from [vvar] to [vdso], and whether they hold what auxv says. */
static void mapping(void)
{
	static char text[16384];
	s64 fd = sys(NR_openat, -100, "/proc/self/maps", 0, 0), n = 0, k;
	u32 at = 0, vvar_end = 0;

	while ((k = sys(NR_read, fd, text + n, sizeof(text) - 1 - (u32)n)) > 0)
		n += k;
	while (at < n) {
		u32 start = 0, end = 0, i = at, len = 0;
		u32 *v = &start;

		while (text[at + len] && text[at + len] != '\n')
			len++;
		text[at + len] = 0;
		for (; text[i] != ' '; i++) {
			if (text[i] == '-')
				v = &end;
			else
				*v = *v << 4 |
				     (u32)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
		}
		if (len > 6 && same(text + at + len - 6, "[vvar]")) {
			vvar_end = end;
			print("vvar %u pages %s\n", (end - start) / 4096, text + i + 1);
		} else if (len > 6 && same(text + at + len - 6, "[vdso]")) {
			print("vdso %u pages %s\n", (end - start) / 4096, text + i + 1);
			print("auxv agrees %d, behind vvar %d\n", start == (u32)vdso_base,
			      start == vvar_end);
		}
		at += len + 1;
	}
	print("write to vdso: %ld, to vvar: %ld\n", sys(NR_read, 0, vdso_base, 1),
	      sys(NR_read, 0, vdso_base - 4096, 1));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 fds[2];

	(void)argc, (void)argv, (void)envp;
	vdso_init(auxv);
	headers();
	symbols();
	note();
	trampoline();
	sys(NR_pipe2, fds, 0);
	sys(NR_write, fds[1], "xx", 2);
	sys(NR_dup3, fds[0], 0, 0);
	mapping();
	return 0;
}
