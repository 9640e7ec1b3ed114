/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's mappings as a list: what /proc/self/smaps shows it. */
#ifndef DEBUG_MAPS_H
#define DEBUG_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_map {
	uint64_t start, end, offset; /* offset in the file, bytes */
	bool r, w, x, shared;
	bool dont_dump;   /* MADV_DONTDUMP, or memory of a device */
	const char *name; /* path, "[heap]" and the like, or "" */
	const char *line; /* as in maps */
};

struct debug_maps {
	struct debug_map *v;
	size_t n;
	char *text; /* names and lines point into it */
};

/* False when out of memory. */
bool debug_maps_read(struct debug_maps *m);
void debug_maps_free(struct debug_maps *m);
/* The mapping that holds A, or NULL. */
const struct debug_map *debug_maps_find(const struct debug_maps *m, uint64_t a);

#endif
