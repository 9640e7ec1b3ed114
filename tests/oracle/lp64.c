/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program of the other ABI. */
static long call(long nr, long a, const void *b, long c)
{
	register long x8 asm("x8") = nr, x0 asm("x0") = a, x2 asm("x2") = c;
	register const void *x1 asm("x1") = b;

	asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}

void _start(void)
{
	call(64, 1, "lp64 hello\n", 11);
	for (;;)
		call(94, 7, 0, 0);
}
