/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive calls. */
#include "bench.h"

static __attribute__((noinline)) uint32_t fib(uint32_t n)
{
	OPAQUE(n);
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	for (unsigned i = rounds(argc, argv); i > 0; i--)
		sum += fib(27);
	return finish(sum);
}
