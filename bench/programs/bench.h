/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the benchmark programs share: they take one argument, the number of rounds, and print a
 * checksum, so that a run that computes something else is noticed. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Rounds from the command line. */
static inline unsigned rounds(int argc, char **argv)
{
	return argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
}

/* Keeps the compiler from computing X at compile time. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

static inline int finish(uint64_t sum)
{
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}

#endif
