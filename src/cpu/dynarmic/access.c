/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine: accesses that generated code cannot make itself, because the host has faulted
 * or because the address is above 4 GiB, which a tagged one is as well. */
#include "cpu/dynarmic/box.h"

#include <string.h>

#include "cpu/insn.h"

bool access_fault(uint64_t addr, uint64_t size, enum mem_access access, struct cpu_stop *s)
{
	const uint64_t tag = addr - cpu_untag(addr);
	uint64_t a = cpu_untag(addr), left = size, step;

	for (; left; a += step, left -= step) {
		s->fault = a < MEM_SPACE ? mem_resolve(a, access) : MEM_MAPERR;
		if (s->fault != MEM_OK) {
			s->cause = CPU_STOP_FAULT;
			s->access = access;
			s->addr = a + tag;
			return true;
		}
		step = MEM_PAGE_SIZE - (a & MEM_PAGE_MASK);
		step = step < left ? step : left;
	}
	return false;
}

struct transfer {
	void *to;
	const void *from;
	unsigned size;
};

/* In one access where the host has one: others may look on. */
static void transfer(void *arg)
{
	const struct transfer *t = arg;

	switch (t->size) {
	case 1: memcpy(t->to, t->from, 1); break;
	case 2: memcpy(t->to, t->from, 2); break;
	case 4: memcpy(t->to, t->from, 4); break;
	case 8: memcpy(t->to, t->from, 8); break;
	default: memcpy(t->to, t->from, 16); break;
	}
}

/* A page that goes between the look at the table and the access counts as gone before. */
static bool done(uint64_t addr, unsigned size, enum mem_access access, struct transfer *t)
{
	struct cpu_stop none;

	for (unsigned i = 0; i < 8; i++) {
		if (access_fault(addr, size, access, &none))
			return false;
		if (mem_guard(transfer, t))
			return true;
	}
	return false;
}

/* Of an address that is none, done() does not get so far. */
static uint8_t *host_of(uint64_t a)
{
	return a < MEM_SPACE ? mem_arena.base + a : NULL;
}

void access_load(void *owner, uint64_t addr, unsigned size, void *value)
{
	struct box *b = owner;
	uint64_t a = cpu_untag(addr);
	struct transfer t = {value, host_of(a), size};

	if (done(addr, size, MEM_READ, &t))
		return;
	memset(value, 0, size);
	jit->halt(b->jit, JIT_ABORT);
}

void access_store(void *owner, uint64_t addr, unsigned size, const void *value)
{
	struct box *b = owner;
	uint64_t a = cpu_untag(addr);
	struct transfer t = {host_of(a), value, size};

	if (!done(addr, size, MEM_WRITE, &t))
		jit->halt(b->jit, JIT_ABORT);
}
