/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/filter.h"

#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <string.h>

#define DATA_BYTES (FILTER_DATA_WORDS * 4u)

/* --- checks ------------------------------------------------------------------------------------------ */

/* Several of the names are 0. */
/* NOLINTBEGIN(misc-redundant-expression) */
static bool code_allowed(const struct host_sock_filter *i)
{
	switch (i->code) {
	case BPF_LD | BPF_W | BPF_ABS: return i->k < DATA_BYTES && (i->k & 3) == 0;
	case BPF_LD | BPF_W | BPF_LEN:
	case BPF_LDX | BPF_W | BPF_LEN:
	case BPF_LD | BPF_IMM:
	case BPF_LDX | BPF_IMM:
	case BPF_RET | BPF_K:
	case BPF_RET | BPF_A:
	case BPF_MISC | BPF_TAX:
	case BPF_MISC | BPF_TXA:
	case BPF_ALU | BPF_ADD | BPF_K:
	case BPF_ALU | BPF_ADD | BPF_X:
	case BPF_ALU | BPF_SUB | BPF_K:
	case BPF_ALU | BPF_SUB | BPF_X:
	case BPF_ALU | BPF_MUL | BPF_K:
	case BPF_ALU | BPF_MUL | BPF_X:
	case BPF_ALU | BPF_DIV | BPF_X:
	case BPF_ALU | BPF_AND | BPF_K:
	case BPF_ALU | BPF_AND | BPF_X:
	case BPF_ALU | BPF_OR | BPF_K:
	case BPF_ALU | BPF_OR | BPF_X:
	case BPF_ALU | BPF_XOR | BPF_K:
	case BPF_ALU | BPF_XOR | BPF_X:
	case BPF_ALU | BPF_LSH | BPF_X:
	case BPF_ALU | BPF_RSH | BPF_X:
	case BPF_ALU | BPF_NEG:
	case BPF_JMP | BPF_JA:
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JEQ | BPF_X:
	case BPF_JMP | BPF_JGT | BPF_K:
	case BPF_JMP | BPF_JGT | BPF_X:
	case BPF_JMP | BPF_JGE | BPF_K:
	case BPF_JMP | BPF_JGE | BPF_X:
	case BPF_JMP | BPF_JSET | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_X: return true;
	case BPF_ALU | BPF_DIV | BPF_K: return i->k != 0;
	case BPF_ALU | BPF_LSH | BPF_K:
	case BPF_ALU | BPF_RSH | BPF_K: return i->k < 32;
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX: return i->k < BPF_MEMWORDS;
	default: return false;
	}
}
/* NOLINTEND(misc-redundant-expression) */

static bool jumps_inside(const struct host_sock_filter *i, unsigned at, unsigned len)
{
	if (BPF_CLASS(i->code) != BPF_JMP)
		return true;
	if (i->code == (BPF_JMP | BPF_JA))
		return i->k < len - at - 1;
	return at + i->jt + 1 < len && at + i->jf + 1 < len;
}

/* Memory is written before it is read on every path (check_load_and_stores()): jumps go forward only,
 * so one pass knows for each instruction which words every way to it has written. */
static bool memory_written(const struct host_sock_filter *insn, unsigned len)
{
	uint16_t reached[BPF_MAXINSNS];
	uint16_t valid = 0;

	memset(reached, 0xff, sizeof(reached));
	for (unsigned i = 0; i < len; i++) {
		const struct host_sock_filter *p = &insn[i];

		valid &= reached[i];
		switch (p->code) {
		case BPF_ST:
		case BPF_STX: valid |= (uint16_t)(1u << p->k); break;
		case BPF_LD | BPF_MEM:
		case BPF_LDX | BPF_MEM:
			if (!(valid & 1u << p->k))
				return false;
			break;
		case BPF_JMP | BPF_JA:
			reached[i + 1 + p->k] &= valid;
			valid = UINT16_MAX;
			break;
		default:
			if (BPF_CLASS(p->code) != BPF_JMP)
				break;
			reached[i + 1 + p->jt] &= valid;
			reached[i + 1 + p->jf] &= valid;
			valid = UINT16_MAX;
		}
	}
	return true;
}

bool filter_check(const struct host_sock_filter *insn, unsigned len)
{
	for (unsigned i = 0; i < len; i++) {
		if (!code_allowed(&insn[i]) || !jumps_inside(&insn[i], i, len))
			return false;
	}
	return BPF_CLASS(insn[len - 1].code) == BPF_RET && memory_written(insn, len);
}

/* --- running ------------------------------------------------------------------------------------------- */

/* False: division by zero, which ends the program with 0. */
static bool compute(uint16_t code, uint32_t *a, uint32_t v)
{
	switch (BPF_OP(code)) {
	case BPF_ADD: *a += v; break;
	case BPF_SUB: *a -= v; break;
	case BPF_MUL: *a *= v; break;
	case BPF_DIV:
		if (!v)
			return false;
		*a /= v;
		break;
	case BPF_AND: *a &= v; break;
	case BPF_OR: *a |= v; break;
	case BPF_XOR: *a ^= v; break;
	case BPF_LSH: *a <<= v & 31; break;
	case BPF_RSH: *a >>= v & 31; break;
	default: *a = -*a; break; /* BPF_NEG */
	}
	return true;
}

static bool compare(uint16_t code, uint32_t a, uint32_t v)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ: return a == v;
	case BPF_JGT: return a > v;
	case BPF_JGE: return a >= v;
	default: return a & v; /* BPF_JSET */
	}
}

uint32_t filter_run(const struct host_sock_filter *p, const uint32_t data[FILTER_DATA_WORDS])
{
	uint32_t a = 0, x = 0, m[BPF_MEMWORDS] = {0};

	for (;; p++) {
		uint32_t v = BPF_SRC(p->code) == BPF_X ? x : p->k;

		switch (BPF_CLASS(p->code)) {
		case BPF_LD:
			a = BPF_MODE(p->code) == BPF_ABS   ? data[p->k / 4]
			    : BPF_MODE(p->code) == BPF_LEN ? DATA_BYTES
			    : BPF_MODE(p->code) == BPF_MEM ? m[p->k]
							   : p->k;
			break;
		case BPF_LDX:
			x = BPF_MODE(p->code) == BPF_LEN   ? DATA_BYTES
			    : BPF_MODE(p->code) == BPF_MEM ? m[p->k]
							   : p->k;
			break;
		case BPF_ST: m[p->k] = a; break;
		case BPF_STX: m[p->k] = x; break;
		case BPF_ALU:
			if (!compute(p->code, &a, v))
				return 0;
			break;
		case BPF_JMP:
			p += p->code == (BPF_JMP | BPF_JA) ? p->k
			     : compare(p->code, a, v)      ? p->jt
							   : p->jf;
			break;
		case BPF_RET: return BPF_RVAL(p->code) == BPF_A ? a : p->k;
		default: /* BPF_MISC */
			if (p->code == (BPF_MISC | BPF_TAX))
				x = a;
			else
				a = x;
		}
	}
}
