/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dependent loads: a random cycle through 512 KiB. */
#include "bench.h"

#define N (1u << 17)
static uint32_t next[N];

int main(int argc, char **argv)
{
	uint32_t seed = 1, at = 0;

	for (uint32_t i = 0; i < N; i++)
		next[i] = i;
	for (uint32_t i = N - 1; i > 0; i--) { /* Sattolo: one cycle */
		seed = seed * 1664525u + 1013904223u;
		uint32_t j = (uint32_t)(((uint64_t)seed * i) >> 32), t = next[i];

		next[i] = next[j];
		next[j] = t;
	}
	for (unsigned r = rounds(argc, argv); r > 0; r--) {
		for (uint32_t i = 0; i < N; i++)
			at = next[at];
		OPAQUE(at);
	}
	return finish(at);
}
