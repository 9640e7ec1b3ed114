/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RLIMIT_AS and RLIMIT_DATA for the guest's sizes (kernel mm/mmap.c). The sizes are counted when a limit
 * is set, which is rare, instead of being kept at each change.
 */
#include "mem/internal.h"

#include <string.h>

struct sizes {
	uint64_t total, data; /* pages: mm->total_vm, mm->data_vm */
};

/* kernel is_data_mapping() */
static bool is_data(uint8_t bits)
{
	return (bits & (PG_W | PG_SHARED | PG_GROWS)) == PG_W;
}

static struct sizes count(uint64_t a, uint64_t end)
{
	struct sizes s = {0, 0};

	for (const uint8_t *p = page_at(a), *last = p + ((end - a) >> MEM_PAGE_SHIFT); p < last;) {
		uint64_t eight;

		/* Most of the space is empty. */
		if (last - p >= 8 && (memcpy(&eight, p, 8), !eight)) {
			p += 8;
			continue;
		}
		s.total += (*p & PG_MAPPED) != 0;
		s.data += is_data(*p);
		p++;
	}
	return s;
}

void mem_set_limits_source(mem_limits_fn *fn)
{
	mem_state.limits = fn;
}

void mem_get_limits(struct mem_limits *l)
{
	*l = (struct mem_limits){UINT64_MAX, UINT64_MAX, UINT64_MAX, mem_state.cfg.stack_rlimit};
	if (mem_state.limits)
		mem_state.limits(l);
}

/* A limit of some bytes, in whole pages. */
static bool within(uint64_t pages, uint64_t limit)
{
	return pages <= limit >> MEM_PAGE_SHIFT;
}

static bool allowed(const struct mem_limits *l, const struct sizes *now, uint8_t bits, uint64_t add)
{
	if (!within(now->total + add, l->as))
		return false;
	if (!is_data(bits) || within(now->data + add, l->data))
		return true;
	/* The kernel's exception for a soft limit of 0, which old tools set. */
	return l->data == 0 && within(now->data + add, l->data_max);
}

static bool unlimited(struct mem_limits *l)
{
	mem_get_limits(l);
	return l->as == UINT64_MAX && l->data == UINT64_MAX;
}

bool mem_may_expand(uint8_t bits, uint64_t len)
{
	struct mem_limits l;

	if (unlimited(&l))
		return true;

	const struct sizes now = count(0, MEM_SPACE);

	return allowed(&l, &now, bits, len >> MEM_PAGE_SHIFT);
}

bool mem_may_replace(uint8_t bits, uint64_t a, uint64_t len)
{
	struct mem_limits l;

	if (unlimited(&l))
		return true;

	const struct sizes now = count(0, MEM_SPACE);

	return allowed(&l, &now, bits, len >> MEM_PAGE_SHIFT) ||
	       allowed(&l, &now, bits, (len >> MEM_PAGE_SHIFT) - count(a, a + len).total);
}
