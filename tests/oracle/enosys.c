/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
/* each call in a forked child with benign all-(-1)/zero argument sets */
static int skip(int n)
{
	switch (n) { case 93: case 94: case 139: case 220: case 142: case 58: case 128: case 104: case 294: case 105: case 106: case 221: case 281: return 1; }
	return 0;
}
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	int n, k; static u32 *res; s64 m = S6(222, 0, 65536, 3, 0x21, -1, 0); res = (u32 *)(unsigned long)m;
	static const char *set[] = { "all 0", "all -1", "0x10 (bad pointer)" };
	P("columns: nr: x0 for args all 0 | all -1 (64-bit) | all 0x10.  killed(n)=child died, hang=timeout, skip\n");
	for (n = 0; n <= 450; n++) {
		P("%d:", n);
		if (skip(n)) { P(" skipped\n"); continue; }
		for (k = 0; k < 3; k++) {
			u64 a = k == 0 ? 0 : k == 1 ? -1ull : 0x10; s64 c; int st = 0, i; 
			if (n == 129 || n == 130 || n == 131 || n == 138 || n == 240 || n == 276 || n == 116 || n==224 || n==225 || n == 89 || n == 260 || n == 267 || n==161 || n==162 || n==51 || n==40 || n==41 || n==39 || n==170 || n==112 || n==157 || n == 97 || n==268) { if (k != 1 && n != 129 && n != 260) { P(" -"); continue; } if (n == 129 || n==267 || n == 157 || n==40 || n==41 || n==170 || n == 112) { P(" -"); continue; } }
			res[0] = res[1] = 0xcccccccc; flush();
			c = S5(220, 17, 0, 0, 0, 0);
			if (!c) { u64 r; S3(25, 0, 0, 0); { u32 it[4] = { 0, 0, 1, 0 }; sigact(14, 0, 0); S3(103, 0, PT(it), 0); } if (n != 160) S1(57, 1); r = sc(n, a, a, a, a, a, a); res[0] = (u32)r; res[1] = (u32)(r >> 32); xit(0); }
			for (;;) { S4(260, c, PT(&st), 0, 0); break; }
			if (st & 0x7f) { if ((st & 0x7f) == 14) P(" hang"); else P(" killed(%d)", st & 0x7f); }
			else { s32 v = res[0]; if (res[1] == 0xffffffff) { if (v == -38) P(" ENOSYS"); else P(" %d", v); } else P(" 0x%h", (u64)res[0] | (u64)res[1] << 32); }
		}
		pc('\n'); flush();
	}
	return 0;
}
