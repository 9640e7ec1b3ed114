/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer mixing in registers. */
#include "bench.h"

int main(int argc, char **argv)
{
	uint64_t h = 0x9e3779b97f4a7c15ull;

	for (unsigned r = rounds(argc, argv); r > 0; r--) {
		for (uint32_t i = 0; i < 1u << 20; i++) {
			h ^= h >> 33;
			h *= 0xff51afd7ed558ccdull;
			h += i;
			OPAQUE(h);
		}
	}
	return finish(h);
}
