/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Byte stores over 1 MiB. */
#include <string.h>

#include "bench.h"

#define N (1u << 20)
static uint8_t composite[N];

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	for (unsigned r = rounds(argc, argv); r > 0; r--) {
		memset(composite, 0, N);
		for (uint32_t i = 2; i < N; i++) {
			if (composite[i])
				continue;
			sum += i;
			for (uint32_t j = 2 * i; j < N; j += i)
				composite[j] = 1;
		}
	}
	return finish(sum);
}
