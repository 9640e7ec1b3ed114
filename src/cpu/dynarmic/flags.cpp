/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions right behind the comparison they are about.
 *
 * dynarmic stores the flags of a comparison into the guest's state; a condition loads them from there and puts them into
 * the host's. If nothing but moves was generated since, they still are there: the load goes away, and what would follow it.
 * This is so for nearly all conditional branches, whose waiting for the store is half the time of a short loop.
 */
#include "cpu/dynarmic/library.h"

#include <cstring>

namespace Dynarmic::IR
{

enum class Cond : int; /* as encoded in instructions */

} // namespace Dynarmic::IR

namespace Dynarmic::Backend::X64
{

class BlockOfCode
{
      public:
	VISIBLE void LoadRequiredFlagsForCondFromRax(IR::Cond cond);
	void SetCodePtr(const void *p);
	void *AllocateFromCodeSpace(size_t size);
};

} // namespace Dynarmic::Backend::X64

namespace
{

/* lahf; seto al */
constexpr uint8_t TAKE[] = {0x9f, 0x0f, 0x90, 0xc0};
/* mov [r15+NZCV], eax; mov eax, [r15+NZCV] */
constexpr uint8_t STORE[] = {0x41, 0x89, 0x87}, LOAD[] = {0x41, 0x8b, 0x87};
constexpr ptrdiff_t MOVE = 7; /* bytes of one of them */
/* How far to look back. */
constexpr ptrdiff_t REACH = 64;

/* Behind the move between registers, or between one and the guest's state, at P; NULL: something else. *EAX: it changes eax. */
const uint8_t *skip_move(const uint8_t *p, bool *eax)
{
	const unsigned rex = (*p & 0xf0) == 0x40 ? *p++ : 0x40;
	const unsigned opcode = *p++, modrm = *p++;
	const unsigned mode = modrm >> 6, reg = (modrm >> 3 & 7) | (rex << 1 & 8),
		       rm = (modrm & 7) | (rex << 3 & 8);

	if (opcode != 0x89 && opcode != 0x8b)
		return nullptr;
	if (mode == 3) {
		*eax = (opcode == 0x8b ? reg : rm) == 0;
		return p;
	}
	if (rm != 15)
		return nullptr;
	*eax = opcode == 0x8b && reg == 0;
	switch (mode) {
	case 0: return p;
	case 1: return p + 1;
	default: return p + 4;
	}
}

/* Whether the host's flags are those at OFFSET of the guest's state before LOAD, in code that begins at TAKE at P. */
bool flags_kept(const uint8_t *p, const uint8_t *load)
{
	bool stored = false, changed = false, eax = false;

	for (p += sizeof(TAKE); p < load;) {
		const uint8_t *const next = skip_move(p, &eax);

		if (!next || next > load)
			return false;
		if (next - p == MOVE && memcmp(p + 3, load + 3, 4) == 0) {
			if (changed || memcmp(p, STORE, sizeof(STORE)) != 0)
				return false;
			stored = true;
		}
		changed |= eax;
		p = next;
	}
	return stored;
}

bool flags_there(const uint8_t *load)
{
	for (const uint8_t *p = load - MOVE - sizeof(TAKE); p >= load - REACH; p--) {
		if (memcmp(p, TAKE, sizeof(TAKE)) == 0)
			return flags_kept(p, load);
	}
	return false;
}

} // namespace

void Dynarmic::Backend::X64::BlockOfCode::LoadRequiredFlagsForCondFromRax(IR::Cond cond)
{
	using Function = void(BlockOfCode *, IR::Cond);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X6411BlockOfCode31LoadRequiredFlagsForCondFromRaxENS_2IR4CondE");
	/* HI and LS: the carry flag is that of a subtraction on x86, the opposite. */
	constexpr IR::Cond HI{8}, LS{9};
	constexpr uint8_t CMC = 0xf5;
	auto *const now = static_cast<uint8_t *>(AllocateFromCodeSpace(0));
	uint8_t *const load = now - MOVE;

	if (memcmp(load, LOAD, sizeof(LOAD)) != 0 || !flags_there(load)) {
		real(this, cond);
		return;
	}
	SetCodePtr(load);
	if (cond == HI || cond == LS)
		memcpy(AllocateFromCodeSpace(1), &CMC, 1);
}
