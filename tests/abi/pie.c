/* SPDX-License-Identifier: GPL-2.0-or-later */
// abi-static-pie: -Wl,--no-dynamic-linker -Wl,-e,pie_start
/* A position-independent program without an interpreter: the kernel maps it, it relocates itself. */
#include "abi.h"

extern const u8 __ehdr_start[] __attribute__((visibility("hidden")));
extern const u32 _DYNAMIC[] __attribute__((visibility("hidden")));
static u32 relative, resolved;

static void apply(u32 base, const u32 *rela, u32 size, u32 type)
{
	for (; size >= 12; size -= 12, rela += 3) {
		u32 *at = (u32 *)(base + rela[0]);

		if ((rela[1] & 0xff) != type)
			continue;
		if (type == 183) {
			*at = base + rela[2];
			relative++;
		} else {
			*at = ((u32(*)(void))(base + rela[2]))();
			resolved++;
		}
	}
}

/* Runs before anything that needs an address from memory. */
__attribute__((used, visibility("hidden"))) void relocate(void)
{
	u32 base = Z(__ehdr_start), rela = 0, size = 0, plt = 0, plt_size = 0;

	for (const u32 *d = _DYNAMIC; d[0]; d += 2) {
		if (d[0] == 7)
			rela = base + d[1];
		else if (d[0] == 8)
			size = d[1];
		else if (d[0] == 23)
			plt = base + d[1];
		else if (d[0] == 2)
			plt_size = d[1];
	}
	apply(base, (const u32 *)rela, size, 183);
	apply(base, (const u32 *)rela, size, 188);
	apply(base, (const u32 *)plt, plt_size, 188);
}

__asm__(".text\n"
	".globl pie_start\n"
	".type pie_start, %function\n"
	"pie_start:\n"
	"	mov x29, #0\n"
	"	mov x30, #0\n"
	"	mov x19, sp\n"
	"	bl relocate\n"
	"	mov x0, x19\n"
	"	bl guest_start\n");

static int forty_two(void)
{
	return 42;
}
static __attribute__((used)) int (*resolve(void))(void)
{
	return forty_two;
}
int answer(void) __attribute__((ifunc("resolve"), visibility("hidden")));
static int (*volatile by_pointer)(void) = answer;

CASE("ELF-006", "", ALL,
     "AAELF64 ILP32: R_AARCH64_P32_RELATIVE 183, IRELATIVE 188; linux fs/binfmt_elf.c",
     "a static-pie program can relocate itself: RELATIVE and IRELATIVE")
{
	OK(relative > 0 && resolved > 0);
	EQ(answer(), 42);
	EQ(by_pointer(), 42);
}

CASE("ELF-006a", "", ALL, "oracle README 4 static PIE; linux fs/binfmt_elf.c",
     "its program headers and entry are where the auxiliary vector says")
{
	for (u32 *a = main_auxv; *a; a += 2) {
		if (a[0] == 3)
			EQ(a[1], Z(__ehdr_start) + 52);
		if (a[0] == 9)
			EQ(a[1], Z(__ehdr_start) + get32(__ehdr_start + 24));
		if (a[0] == 7)
			EQ(a[1], 0);
	}
}
