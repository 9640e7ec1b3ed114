/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vDSO image. */
#include "abi.h"

#define VDSO "oracle README 8 vDSO; linux arch/arm64/kernel/vdso-ilp32/"

static const u8 *image(void)
{
	for (u32 *a = main_auxv; *a; a += 2) {
		if (a[0] == 33)
			return (const u8 *)a[1];
	}
	skip("no AT_SYSINFO_EHDR");
}

static int same(const char *a, const char *b)
{
	u32 n = text_len(b);

	return text_len(a) == n && memcmp(a, b, n) == 0;
}

struct parts {
	const u8 *base, *symbols, *hash, *verdef;
	const u16 *versym;
	const char *strings;
	u32 soname;
};

static struct parts parse(void)
{
	struct parts p = {.base = image()};
	const u8 *ph = p.base + get32(p.base + 28);
	const u32 *d = 0;

	for (u32 i = 0; i < p.base[44]; i++, ph += 32) {
		if (get32(ph) == 2)
			d = (const u32 *)(p.base + get32(ph + 8));
	}
	OK(d);
	for (; d[0]; d += 2) {
		switch (d[0]) {
		case 4: p.hash = p.base + d[1]; break;
		case 5: p.strings = (const char *)p.base + d[1]; break;
		case 6: p.symbols = p.base + d[1]; break;
		case 14: p.soname = d[1]; break;
		case 0x6ffffff0: p.versym = (const u16 *)(p.base + d[1]); break;
		case 0x6ffffffc: p.verdef = p.base + d[1]; break;
		}
	}
	OK(p.hash && p.strings && p.symbols);
	return p;
}

/* The address of symbol NAME; 0: it has none. */
static u32 find(const char *name)
{
	struct parts p = parse();

	for (u32 i = 0; i < get32(p.hash + 4); i++) {
		const u8 *s = p.symbols + 16 * i;

		if (same(p.strings + get32(s), name) && (s[14] | s[15] << 8))
			return Z(p.base) + get32(s + 4);
	}
	return 0;
}

CASE("VDSO-001", "", ALL, VDSO, "ELF32, linux-ilp32-vdso.so.1, version LINUX_4.12, four symbols")
{
	struct parts p = parse();
	int version = 0;

	EQ(p.base[4], 1);
	EQ(p.base[16], 3);
	EQ(p.base[18], 183);
	OK(same(p.strings + p.soname, "linux-ilp32-vdso.so.1"));
	OK(find("__kernel_gettimeofday") && find("__kernel_clock_gettime"));
	OK(find("__kernel_clock_getres") && find("__kernel_rt_sigreturn"));
	for (const u8 *v = p.verdef; v;) {
		const u8 *name = v + get32(v + 12);

		version |= same(p.strings + get32(name), "LINUX_4.12");
		v = get32(v + 16) ? v + get32(v + 16) : 0;
	}
	OK(version);
}

typedef s32 clock_fn(u64 id, u64 ts);

CASE("VDSO-002", "clock_gettime gettimeofday", ALL, VDSO,
     "clock_gettime and gettimeofday of the vDSO: 32-bit fields, as by the calls")
{
	clock_fn *gettime = (clock_fn *)find("__kernel_clock_gettime"), *day;
	s32 a[2], b[3] = {0, 0, 0x5a5a}, tv[3] = {0, 0, 0x5a5a};

	OK(gettime);
	day = (clock_fn *)find("__kernel_gettimeofday");
	for (u32 id = 0; id < 2; id++) {
		EQ(S(clock_gettime, id, a), 0);
		EQ(gettime(id, Z(b)), 0);
		OK(b[0] - a[0] <= 2 && b[0] >= a[0] && b[1] >= 0 && b[1] < 1000000000);
		EQ(b[2], 0x5a5a);
	}
	EQ(day(Z(tv), 0), 0);
	EQ(S(clock_gettime, 0, a), 0);
	OK(a[0] - tv[0] <= 2 && tv[1] < 1000000 && tv[2] == 0x5a5a);
}

CASE("VDSO-002a", "clock_gettime", ALL, VDSO ": pointers are masked",
     "garbage above the pointer is ignored")
{
	clock_fn *gettime = (clock_fn *)find("__kernel_clock_gettime");
	s32 b[2] = {0, 0};

	OK(gettime);
	EQ(gettime(1, G(b)), 0);
	OK(b[0] != 0 || b[1] != 0);
}

CASE("VDSO-003", "clock_gettime", ALL, VDSO, "an unknown clock is EINVAL")
{
	clock_fn *gettime = (clock_fn *)find("__kernel_clock_gettime");
	s32 b[2];

	OK(gettime);
	EQ(gettime(1000, Z(b)), -EINVAL);
	EQ(gettime(3, Z(b)), 0);
}

CASE("VDSO-004", "clock_getres", ALL, VDSO, "clock_getres of the vDSO; NULL is fine")
{
	clock_fn *getres = (clock_fn *)find("__kernel_clock_getres");
	s32 b[2], a[2];

	OK(getres);
	EQ(getres(0, 0), 0);
	EQ(getres(1, Z(b)), 0);
	EQ(S(clock_getres, 1, a), 0);
	EQ(b[0], a[0]);
	EQ(b[1], a[1]);
}

CASE("VDSO-005", "rt_sigreturn", ALL, VDSO, "__kernel_rt_sigreturn is mov x8, #139; svc #0")
{
	const u32 *code = (const u32 *)find("__kernel_rt_sigreturn");

	OK(code);
	EQ(code[0], 0xd2801168);
	EQ(code[1], 0xd4000001);
}
