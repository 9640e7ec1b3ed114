/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shifts and extractions of bits, which the library translates as a rotation and two conjunctions with constants (UBFM). A
 * shift is one instruction of the host, and a cycle less where an index is computed from what was loaded.
 */
#include "cpu/dynarmic/opcodes.h"

using namespace Dynarmic;
using IR::Value;

namespace
{

struct Width {
	unsigned bits;
	uint64_t all;
	Name conjunction, rotation, left, right;
};

constexpr Width WIDTHS[] = {
	{32, UINT32_MAX, AND32, ROTATE32, LEFT32, RIGHT32},
	{64, UINT64_MAX, AND64, ROTATE64, LEFT64, RIGHT64},
};

/* A shift by a constant that a register of the host has room for. */
bool by_constant(const IR::Inst &shift, unsigned bits)
{
	return !shift.HasAssociatedPseudoOperation() && shift.GetArg(1).IsImmediate() &&
	       shift.GetArg(1).GetImmediateAsU64() < bits;
}

/* Bits that may be set in what INST gives. */
uint64_t possible(const IR::Inst &inst, const Width &w)
{
	const Name name = numbers().of(inst);

	if (name == EXTEND_BYTE)
		return UINT8_MAX;
	if (name == EXTEND_HALF)
		return UINT16_MAX;
	if (name == w.right && by_constant(inst, w.bits))
		return w.all >> inst.GetArg(1).GetImmediateAsU64();
	if (name == w.left && by_constant(inst, w.bits))
		return w.all << inst.GetArg(1).GetImmediateAsU64() & w.all;
	return w.all;
}

Value put_shift(IR::Block &block, IR::Inst &at, const Width &w, Name op, const Value &value,
		unsigned count)
{
	const IR::Block::iterator before{&at};
	const Value by(static_cast<unsigned char>(count));
	const auto fresh =
		w.bits == 32 ? block.PrependNewInst(before, numbers().number[op],
						    {value, by, Value(false)})
			     : block.PrependNewInst(before, numbers().number[op], {value, by});

	return Value(static_cast<IR::Inst *>(fresh.node));
}

} // namespace

void simplify_mask(IR::Block &block, IR::Inst &inst)
{
	const Width &w = WIDTHS[numbers().of(inst) == AND64];
	uint64_t mask = w.all;
	IR::Inst *from = &inst;

	/* Through conjunctions to what is behind them. Flags of those on the way are not in the way: they stay. */
	if (inst.HasAssociatedPseudoOperation())
		return;
	do {
		const Value left = from->GetArg(0), right = from->GetArg(1);

		if (left.IsImmediate() || !right.IsImmediate())
			return;
		mask &= right.GetImmediateAsU64();
		from = left.GetInstRecursive();
	} while (numbers().of(*from) == w.conjunction);

	if ((possible(*from, w) & ~mask) == 0) {
		inst.ReplaceUsesWith(Value(from));
		return;
	}
	if (numbers().of(*from) != w.rotation || !by_constant(*from, w.bits))
		return;
	const auto count = static_cast<unsigned>(from->GetArg(1).GetImmediateAsU64());
	const Value value = from->GetArg(0);

	if (value.IsImmediate() || count == 0)
		return;
	if (mask == w.all >> count)
		inst.ReplaceUsesWith(put_shift(block, inst, w, w.right, value, count));
	else if (mask == (w.all << (w.bits - count) & w.all))
		inst.ReplaceUsesWith(put_shift(block, inst, w, w.left, value, w.bits - count));
}
