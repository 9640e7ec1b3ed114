/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing x86 code into a block that is being generated. */
#ifndef CPU_DYNARMIC_CODE_H
#define CPU_DYNARMIC_CODE_H

#include "cpu/dynarmic/backend.h"

#include <cstring>

namespace Dynarmic::Backend::X64
{

/* Conditions of jumps. */
constexpr uint8_t E = 4, NE = 5, LE = 14;

struct Code {
	BlockOfCode &code;

	void put(std::initializer_list<uint8_t> bytes)
	{
		memcpy(code.AllocateFromCodeSpace(bytes.size()), bytes.begin(), bytes.size());
	}
	template <typename T> void put_value(T value)
	{
		memcpy(code.AllocateFromCodeSpace(sizeof(value)), &value, sizeof(value));
	}
	uint8_t *here()
	{
		return static_cast<uint8_t *>(code.AllocateFromCodeSpace(0));
	}
	/* A jump to a place that is not there yet; give what it returns to land(). */
	uint8_t *jump_if(unsigned condition)
	{
		put({0x0f, static_cast<uint8_t>(0x80 | condition)});
		put_value(int32_t{0});
		return here();
	}
	void jump_back_if(unsigned condition, const uint8_t *to)
	{
		const auto distance = static_cast<int32_t>(to - (here() + 6));

		put({0x0f, static_cast<uint8_t>(0x80 | condition)});
		put_value(distance);
	}
	uint8_t *jump()
	{
		put({0xe9});
		put_value(int32_t{0});
		return here();
	}
	void land(uint8_t *behind_jump)
	{
		const auto distance = static_cast<int32_t>(here() - behind_jump);

		memcpy(behind_jump - sizeof(distance), &distance, sizeof(distance));
	}

	/* The prefix of an instruction with REG, and RM or memory at RM + INDEX. */
	static uint8_t rex(bool wide, unsigned reg, unsigned index, unsigned rm)
	{
		return static_cast<uint8_t>(0x40 | wide << 3 | reg >> 3 << 2 | index >> 3 << 1 |
					    rm >> 3);
	}
	/* An instruction with two registers, in 32 or 64 bits. */
	void registers(bool wide, uint8_t opcode, unsigned reg, unsigned rm)
	{
		put({rex(wide, reg, 0, rm), opcode,
		     static_cast<uint8_t>(0xc0 | (reg & 7) << 3 | (rm & 7))});
	}
	/* mov REG, VALUE */
	void load_constant(unsigned reg, uint64_t value)
	{
		put({rex(true, 0, 0, reg), static_cast<uint8_t>(0xb8 | (reg & 7))});
		put_value(value);
	}
};

/* How a block is left in front of an instruction: jumps, and instructions whose access may fault. */
struct Exits {
	std::vector<uint8_t *> jumps;
	std::vector<const uint8_t *> accesses;
};

/* --- marker.cpp */
/* From EXITS of INST: the block is left with the pc PC, and halted with the reason HALT. */
void leave_before(EmitX64 *emit, EmitContext &ctx, const IR::Inst *inst, const Exits &exits,
		  uint64_t pc, uint32_t halt);

/* --- inline.cpp */
/* IN_LINE. */
void emit_in_line(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst);

} // namespace Dynarmic::Backend::X64

#endif
