/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions right behind the comparison they are about.
 *
 * dynarmic stores the flags of a comparison into the guest's state; a condition loads them from there and puts them into
 * the host's. If nothing but moves was generated since, they still are there: the load goes away, and what would follow it.
 * This is so for nearly all conditional branches, whose waiting for the store is half the time of a short loop.
 */
#include "cpu/dynarmic/backend.h"

#include <cstring>

using namespace Dynarmic;

namespace
{

/* lahf; seto al */
constexpr uint8_t TAKE[] = {0x9f, 0x0f, 0x90, 0xc0};
constexpr uint8_t CMC = 0xf5;
/* mov [r15+NZCV], eax; mov eax, [r15+NZCV] */
constexpr uint8_t STORE[] = {0x41, 0x89, 0x87}, LOAD[] = {0x41, 0x8b, 0x87};
constexpr ptrdiff_t MOVE = 7; /* bytes of one of them */
/* Behind TAKE, if the last flags that were put into rax were put there by it. Looking for its bytes would not do: a constant of
 * the guest's may have them. */
thread_local const uint8_t *taken;

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

/* Whether the host's flags are those in the guest's state before LOAD. */
bool flags_there(const uint8_t *load)
{
	bool stored = false, changed = false, eax = false;

	if (!taken || taken > load)
		return false;
	for (const uint8_t *p = taken; p < load;) {
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

/* Whether the host's flags are those in rax, behind code up to NOW. */
bool flags_taken(const uint8_t *now)
{
	const uint8_t *p = taken;

	while (p && p < now) {
		bool eax = false;

		p = skip_move(p, &eax);
		if (eax)
			return false;
	}
	return p && p == now;
}

} // namespace

using Backend::X64::BlockOfCode;

/* Right behind the operation, which has taken its flags already if it could. */
void Backend::X64::EmitX64::EmitGetNZCVFromOp(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6417EmitGetNZCVFromOpERNS1_11EmitContextEPNS_2IR4InstE");

	real(this, ctx, inst);
	const auto *const now = static_cast<const uint8_t *>(code.AllocateFromCodeSpace(0));

	taken = memcmp(now - sizeof(TAKE), TAKE, sizeof(TAKE)) == 0 ? now : nullptr;
}

void flags_begin()
{
	taken = nullptr;
}

/* HI and LS: the carry flag is that of a subtraction on x86, the opposite. */
bool complement_carry(BlockOfCode &code, IR::Cond cond)
{
	constexpr IR::Cond HI{8}, LS{9};

	if (cond != HI && cond != LS)
		return false;
	memcpy(code.AllocateFromCodeSpace(1), &CMC, 1);
	return true;
}

bool untake_flags(BlockOfCode &code)
{
	if (code.AllocateFromCodeSpace(0) != taken)
		return false;
	code.SetCodePtr(taken - sizeof(TAKE));
	taken = nullptr;
	return true;
}

void take_flags(BlockOfCode &code, bool complemented)
{
	if (complemented)
		memcpy(code.AllocateFromCodeSpace(1), &CMC, 1);
	memcpy(code.AllocateFromCodeSpace(sizeof(TAKE)), TAKE, sizeof(TAKE));
}

static void load(BlockOfCode &code, IR::Cond cond)
{
	using Function = void(BlockOfCode *, IR::Cond);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X6411BlockOfCode31LoadRequiredFlagsForCondFromRaxENS_2IR4CondE");

	real(&code, cond);
}

void BlockOfCode::LoadRequiredFlagsForCondFromRax(IR::Cond cond)
{
	uint8_t *const load_at = static_cast<uint8_t *>(AllocateFromCodeSpace(0)) - MOVE;

	if (memcmp(load_at, LOAD, sizeof(LOAD)) != 0 || !flags_there(load_at)) {
		load(*this, cond);
		return;
	}
	SetCodePtr(load_at);
	complement_carry(*this, cond);
}

void flags_of_rax(BlockOfCode &code, IR::Cond cond)
{
	if (flags_taken(static_cast<const uint8_t *>(code.AllocateFromCodeSpace(0))))
		complement_carry(code, cond);
	else
		load(code, cond);
}
