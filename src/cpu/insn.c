/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu/insn.h"

/* DC ZVA clears one block; DCZID_EL0.BS = 4 on every engine here. */
#define ZVA_BYTES 64u

static uint32_t bits(uint32_t insn, unsigned hi, unsigned lo)
{
	return insn >> lo & ((2u << (hi - lo)) - 1);
}

static int64_t sbits(uint32_t insn, unsigned hi, unsigned lo)
{
	return (int64_t)((uint64_t)bits(insn, hi, lo) << (63 - (hi - lo))) >> (63 - (hi - lo));
}

static uint64_t xreg(const struct cpu_state *s, unsigned n)
{
	return n == 31 ? 0 : s->x[n];
}

static uint64_t base(const struct cpu_state *s, uint32_t insn)
{
	unsigned n = bits(insn, 9, 5);

	return n == 31 ? s->sp : s->x[n];
}

static bool set(struct insn_access *a, uint64_t addr, uint32_t size, bool store, bool aligned)
{
	*a = (struct insn_access){addr, size, store, aligned};
	return true;
}

/* C4.1 "Load/store exclusive", with the ordered ones and CAS, CASP. */
static bool exclusive(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	uint32_t size = 1u << bits(insn, 31, 30);
	bool o2 = bits(insn, 23, 23), l = bits(insn, 22, 22), o1 = bits(insn, 21, 21);

	if (o2 && o1) /* CAS */
		return set(a, base(s, insn), size, true, true);
	if (!o2 && o1 && !bits(insn, 31, 31)) /* CASP: bit 30 is the size of each half */
		return set(a, base(s, insn), bits(insn, 30, 30) ? 16 : 8, true, true);
	if (!o2 && o1) /* LDXP, STXP */
		size *= 2;
	return set(a, base(s, insn), size, !l, true);
}

static bool literal(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	bool vector = bits(insn, 26, 26);
	unsigned opc = bits(insn, 31, 30);
	uint64_t addr = s->pc + (uint64_t)sbits(insn, 23, 5) * 4;

	if (opc == 3)
		return false; /* PRFM, or unallocated */
	if (vector)
		return set(a, addr, 4u << opc, false, false);
	return set(a, addr, opc == 1 ? 8 : 4, false, false);
}

static bool pair(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	unsigned opc = bits(insn, 31, 30), mode = bits(insn, 24, 23);
	unsigned scale = bits(insn, 26, 26) ? 2 + opc : 2 + (opc >> 1);
	uint64_t addr = base(s, insn);

	if (mode != 1) /* all but post-index */
		addr += (uint64_t)sbits(insn, 21, 15) << scale;
	return set(a, addr, 2u << scale, !bits(insn, 22, 22), false);
}

/* Size of a single register's transfer: size:opc of the plain load/store groups. */
static bool plain_size(uint32_t insn, uint32_t *size, bool *store)
{
	unsigned sz = bits(insn, 31, 30), opc = bits(insn, 23, 22);

	if (bits(insn, 26, 26)) {
		*size = opc & 2 ? 16 : 1u << sz;
		*store = !(opc & 1);
		return true;
	}
	if (sz == 3 && opc == 2)
		return false; /* PRFM: never faults */
	*size = 1u << sz;
	*store = opc == 0;
	return true;
}

static uint64_t extended(uint32_t insn, const struct cpu_state *s, uint32_t size)
{
	uint64_t m = xreg(s, bits(insn, 20, 16));
	unsigned shift = bits(insn, 12, 12) ? (unsigned)__builtin_ctz(size) : 0;

	switch (bits(insn, 15, 13)) {
	case 2: m = (uint32_t)m; break;                   /* UXTW */
	case 6: m = (uint64_t)(int64_t)(int32_t)m; break; /* SXTW */
	default: break;
	}
	return m << shift;
}

/* The groups with bits 29:28 = 11: one register, all addressing modes, and the LSE atomics. */
static bool plain(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	uint64_t addr = base(s, insn);
	uint32_t size;
	bool store;

	if (!bits(insn, 24, 24) && bits(insn, 21, 21)) {
		unsigned op = bits(insn, 11, 10);

		if (op == 0) { /* LSE; LDAPR is the one that only loads */
			bool ldapr = bits(insn, 15, 12) == 0xc;

			return set(a, addr, 1u << bits(insn, 31, 30), !ldapr, true);
		}
		if (op != 2) /* LDRAA, LDRAB: the offset is 9+1 bits, scaled; keys are off */
			return set(
				a,
				addr + (uint64_t)(sbits(insn, 22, 22) * 512 + bits(insn, 20, 12)) *
						8,
				8, false, false);
		if (!plain_size(insn, &size, &store))
			return false;
		return set(a, addr + extended(insn, s, size), size, store, false);
	}
	if (!plain_size(insn, &size, &store))
		return false;
	if (bits(insn, 24, 24)) /* unsigned offset, scaled */
		addr += (uint64_t)bits(insn, 21, 10) * size;
	else if (bits(insn, 11, 10) != 1) /* unscaled, unprivileged, pre-index; not post-index */
		addr += (uint64_t)sbits(insn, 20, 12);
	return set(a, addr, size, store, false);
}

/* LDAPUR, STLUR: bits 29:24 = 011001. */
static bool rcpc_unscaled(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	return set(a, base(s, insn) + (uint64_t)sbits(insn, 20, 12), 1u << bits(insn, 31, 30),
		   bits(insn, 23, 22) == 0, true);
}

static bool simd_struct(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	static const uint8_t registers[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
	bool load = bits(insn, 22, 22);
	uint32_t size;

	if (!bits(insn, 24, 24)) { /* multiple structures */
		size = registers[bits(insn, 15, 12)] * (bits(insn, 30, 30) ? 16u : 8u);
	} else { /* single structure: element size from opcode<2:1>, S and size */
		unsigned opcode = bits(insn, 15, 13), scale = opcode >> 1;
		unsigned elements = ((opcode & 1) << 1 | bits(insn, 21, 21)) + 1;

		if (scale == 3)
			scale = bits(insn, 11, 10);
		else if (scale == 2)
			scale += bits(insn, 10, 10);
		size = elements << scale;
	}
	return size && set(a, base(s, insn), size, !load, false);
}

bool insn_is_rmw(uint32_t insn)
{
	enum { LDAPR = 0x3800c000 };

	return (insn & 0x3fa07c00) == 0x08a07c00 || /* CAS */
	       (insn & 0xbfa07c00) == 0x08207c00 || /* CASP */
	       ((insn & 0x3f200c00) == 0x38200000 && (insn & 0x3f00fc00) != LDAPR);
}

bool insn_sys(uint32_t insn, struct insn_sys *sys)
{
	if ((insn & 0xffc00000u) != 0xd5000000u || bits(insn, 20, 19) == 0)
		return false;
	sys->read = bits(insn, 21, 21);
	sys->rt = bits(insn, 4, 0);
	sys->id = bits(insn, 20, 5);
	return true;
}

bool insn_access(uint32_t insn, const struct cpu_state *s, struct insn_access *a)
{
	struct insn_sys sys;
	uint64_t addr;

	if (insn_sys(insn, &sys)) {
		if (sys.read || sys.id != SYS_DC_ZVA)
			return false;
		/* FAR of a DC instruction is its argument, not the start of the block. */
		addr = xreg(s, sys.rt);
		return set(a, addr, ZVA_BYTES - (addr & (ZVA_BYTES - 1)), true, false);
	}
	if ((insn & 0x0a000000u) != 0x08000000u)
		return false; /* not in the loads and stores */

	switch (bits(insn, 29, 28)) {
	case 0:
		if (bits(insn, 26, 26))
			return simd_struct(insn, s, a);
		return !bits(insn, 24, 24) && exclusive(insn, s, a);
	case 1:
		if (!bits(insn, 24, 24))
			return literal(insn, s, a);
		return !bits(insn, 26, 26) && !bits(insn, 21, 21) && rcpc_unscaled(insn, s, a);
	case 2: return pair(insn, s, a);
	default: return plain(insn, s, a);
	}
}
