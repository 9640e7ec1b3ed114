/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debug/backtrace.h"

#include <string.h>

#include "abi/abi.h"
#include "debug/symbols.h"

/* x29 points to a frame record, {x29, x30} of the caller, above the signal frame (struct rt_sigframe). */
enum { MCONTEXT_X = 8, MCONTEXT_PC = 264, MCONTEXT_SIZE = 288 + 4096 };
#define INSN_MOV_X8_SIGRETURN 0xd2801168u
#define INSN_SVC              0xd4000001u

static bool read_words(uint64_t *v, unsigned n, uint64_t addr)
{
	uint8_t b[16];

	if (addr + 8 * n > MEM_SPACE || mem_copy_in(b, (gaddr)addr, 8 * n))
		return false;
	for (unsigned i = 0; i < n; i++)
		v[i] = abi_get64(b + 8 * i);
	return true;
}

/* The vDSO's trampoline or a C library's own. */
static bool is_trampoline(uint64_t pc)
{
	uint32_t a, b;

	return pc < MEM_SPACE - 8 && mem_get_u32((gaddr)pc, &a) == 0 &&
	       mem_get_u32((gaddr)pc + 4, &b) == 0 && a == INSN_MOV_X8_SIGRETURN && b == INSN_SVC;
}

/* A function that calls nobody has no record: its caller is in x30 alone. In other functions x30 points
 * into themselves, behind the last call they made, or is in the record as well. */
static bool is_leaf(const struct cpu_state *r, const struct debug_maps *maps)
{
	struct debug_symbol at, back;
	uint64_t record[2];
	const struct debug_map *m = debug_maps_find(maps, r->x[30]);

	if (!m || !m->x || (read_words(record, 2, r->x[29]) && record[1] == r->x[30]))
		return false;
	debug_symbol_find(&at, maps, r->pc);
	debug_symbol_find(&back, maps, r->x[30] - 1);
	return !at.function[0] || at.file != back.file || strcmp(at.function, back.function) != 0;
}

/* The interrupted code's frames start at PC, with x29 and x30 from the frame below RECORD. */
static bool enter_signal_frame(struct cpu_state *r, uint64_t record)
{
	uint64_t mcontext = record - MCONTEXT_SIZE;

	return read_words(&r->pc, 1, mcontext + MCONTEXT_PC) &&
	       read_words(&r->x[29], 2, mcontext + MCONTEXT_X + 8ull * 29);
}

unsigned debug_backtrace(struct debug_frame *f, unsigned max, const struct task *t,
			 const struct cpu_state *regs, const struct debug_maps *maps)
{
	struct cpu_state r = *regs;
	uint64_t record[2], last = 0;
	unsigned n = 0;

	(void)t;
	if (n < max)
		f[n++] = (struct debug_frame){.pc = r.pc};
	if (n < max && !is_trampoline(r.x[30]) && is_leaf(&r, maps))
		f[n++] = (struct debug_frame){.pc = r.x[30], .is_return = true};
	/* Records lie ever higher, but for the step from an alternate stack. */
	while (n < max && r.x[29] && read_words(record, 2, r.x[29]) && record[1]) {
		if (r.x[29] <= last)
			break;
		last = r.x[29];
		if (!is_trampoline(record[1])) {
			f[n++] = (struct debug_frame){.pc = record[1], .is_return = true};
			r.x[29] = record[0];
			continue;
		}
		if (!enter_signal_frame(&r, record[0]))
			break;
		last = 0;
		f[n++] = (struct debug_frame){.pc = r.pc, .by_signal = true};
		if (n < max && is_leaf(&r, maps))
			f[n++] = (struct debug_frame){.pc = r.x[30], .is_return = true};
	}
	return n;
}
