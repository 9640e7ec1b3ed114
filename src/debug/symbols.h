/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for guest addresses, from the symbol tables of the mapped files and of the vDSO. */
#ifndef DEBUG_SYMBOLS_H
#define DEBUG_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "debug/maps.h"

struct debug_symbol {
	char function[128]; /* "" if no symbol covers the address */
	uint64_t offset;    /* from its start, bytes */
	const char *file;   /* the mapping's name; NULL: not mapped */
	uint64_t in_file; /* the address as the file's headers have it, or the offset in the file */
};

/* What is at ADDR. A return address is behind its call: then ask for ADDR - 1. */
void debug_symbol_find(struct debug_symbol *s, const struct debug_maps *maps, uint64_t addr);

#endif
