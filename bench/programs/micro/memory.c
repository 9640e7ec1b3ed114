/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth and latency of memory. */
#include <string.h>

#include "micro.h"

#define LINE 64 /* bytes between the loads of a chase */

static uint64_t *from, *to;
static size_t size;

static void two_areas(int argc, char **argv)
{
	size = micro_number(argc, argv, 0, 8192) * 1024;
	from = malloc(size);
	to = malloc(size);
	micro_check(!from || !to, "memory");
	memset(from, 1, size);
	memset(to, 2, size);
}

static uint64_t copy_library(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		memcpy(to, from, size);
		OPAQUE(to);
	}
	return n * size;
}

/* Eight 64-bit words a step, so that the loop's own cost is small, as the compiler has them. */
static uint64_t copy_loop(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		for (size_t w = 0; w < size / sizeof(*from); w += 8) {
			uint64_t a = from[w], b = from[w + 1], c = from[w + 2], d = from[w + 3];
			uint64_t e = from[w + 4], f = from[w + 5], g = from[w + 6], h = from[w + 7];

			to[w] = a, to[w + 1] = b, to[w + 2] = c, to[w + 3] = d;
			to[w + 4] = e, to[w + 5] = f, to[w + 6] = g, to[w + 7] = h;
			OPAQUE(w);
		}
	}
	return n * size;
}

static uint64_t read_loop(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = n; i > 0; i--) {
		for (size_t w = 0; w < size / sizeof(*from); w += 8) {
			sum += from[w] + from[w + 1] + from[w + 2] + from[w + 3];
			sum += from[w + 4] + from[w + 5] + from[w + 6] + from[w + 7];
			OPAQUE(sum);
		}
	}
	return n * size;
}

static uint64_t write_loop(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		for (size_t w = 0; w < size / sizeof(*to); w += 8) {
			uint64_t v = i;

			OPAQUE(v);
			to[w] = v, to[w + 1] = v, to[w + 2] = v, to[w + 3] = v;
			to[w + 4] = v, to[w + 5] = v, to[w + 6] = v, to[w + 7] = v;
		}
	}
	return n * size;
}

static void **at;

/* A random cycle through all lines of argument 0's KiB. */
static void make_chain(int argc, char **argv)
{
	size_t lines = micro_number(argc, argv, 0, 16) * 1024 / LINE;
	uint32_t seed = 1, *order = malloc(lines * sizeof(*order));
	char *area = malloc(lines * LINE);

	micro_check(!area || !order, "memory");
	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	for (uint32_t i = (uint32_t)lines - 1; i > 0; i--) {
		uint32_t j, t = order[i];

		seed = seed * 1664525u + 1013904223u;
		j = (uint32_t)(((uint64_t)seed * (i + 1)) >> 32);
		order[i] = order[j];
		order[j] = t;
	}
	for (size_t i = 0; i < lines; i++)
		*(void **)(void *)(area + (size_t)order[i] * LINE) =
			area + (size_t)order[(i + 1) % lines] * LINE;
	at = (void **)(void *)area;
	free(order);
}

static uint64_t chase(uint64_t n)
{
	void **p = at;

	for (uint64_t i = n; i > 0; i--) {
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
	}
	at = p;
	OPAQUE(at);
	return n * 8;
}

const struct micro_case micro_memory[] = {
	{"bcopy-libc", two_areas, copy_library}, {"bcopy-loop", two_areas, copy_loop},
	{"mem-read", two_areas, read_loop},      {"mem-write", two_areas, write_loop},
	{"mem-latency", make_chain, chase},      {0},
};
