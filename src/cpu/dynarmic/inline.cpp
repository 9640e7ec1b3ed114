/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exclusives, atomics and the zeroing of a block as code of a few instructions, for which a callback takes fifty times as long.
 *
 * The registers that they write are written where the guest's state is. What cannot be done here leaves the block in front
 * of the instruction: addresses beyond 4 GiB, which have a tag at best, misaligned ones, and accesses that fault. They are
 * done by emulate.c, whose meaning of the monitor this is, too.
 */
#include "cpu/dynarmic/code.h"
#include "cpu/dynarmic/generated.h"
#include "cpu/dynarmic/opcodes.h"

#include <cstddef>

namespace Dynarmic::Backend::X64
{

namespace
{

/* The instruction under work. */
class InLine
{
      public:
	InLine(EmitX64 *e, EmitContext &c, IR::Inst *i)
	    : emit(e), ctx(c), inst(i), code{e->code}, what(i->GetArg(0).GetImmediateAsU64()),
	      args(c.reg_alloc.GetArgumentInfo(i))
	{
	}

	void run()
	{
		const auto op = static_cast<jit_inline_op>(what >> 8 & 0xff);

		size = op == JIT_ZERO ? 3 : what >> 16 & 0xff;
		/* Values move before the first instruction only: a way out finds them where they are behind the last one. */
		rax = ctx.reg_alloc.ScratchGpr(HostLoc{0}).number();
		base = ctx.reg_alloc.UseGpr(args[1]).number();
		if (op != JIT_LOAD_EXCLUSIVE && op != JIT_ZERO)
			operand = ctx.reg_alloc.UseGpr(args[2]).number();
		if (op == JIT_COMPARE_AND_SWAP)
			expected = ctx.reg_alloc.UseGpr(args[3]).number();
		temporary = ctx.reg_alloc.ScratchGpr().number();
		check(op);
		switch (op) {
		case JIT_LOAD_EXCLUSIVE: load_exclusive(); break;
		case JIT_STORE_EXCLUSIVE: store_exclusive(); break;
		case JIT_SWAP: exchange(false); break;
		case JIT_ADD: exchange(true); break;
		case JIT_OR: change(0x08); break;
		case JIT_XOR: change(0x30); break;
		case JIT_AND_NOT: change(0x20); break;
		case JIT_COMPARE_AND_SWAP:
			move(rax, expected);
			compare_exchange(operand);
			put_result(rax);
			break;
		case JIT_ZERO: zero(); break;
		}
		leave_before(emit, ctx, inst, exits, what >> 32, JIT_EMULATE);
	}

      private:
	EmitX64 *emit;
	EmitContext &ctx;
	IR::Inst *inst;
	Code code;
	uint64_t what; /* IN_LINE; from bit 8 jit_inline_op, 16 size, 24 target, 32 pc */
	std::array<Argument, 4> args;
	Exits exits;
	unsigned size = 0, rax = 0, base = 0, operand = 0, expected = 0, temporary = 0;

	void move(unsigned to, unsigned from)
	{
		code.registers(true, 0x89, from, to);
	}

	/* REG, which has SIZE bytes of a value, has zeros above them. */
	void extend(unsigned reg)
	{
		if (size < 2)
			code.put({Code::rex(false, reg, 0, reg), 0x0f,
				  static_cast<uint8_t>(0xb6 | size),
				  static_cast<uint8_t>(0xc0 | (reg & 7) << 3 | (reg & 7))});
		else if (size == 2)
			code.registers(false, 0x89, reg, reg);
	}

	/* An instruction with REG and the guest's memory at the base, which may fault; its OPCODE is that for a byte. */
	void access(std::initializer_list<uint8_t> opcode, unsigned reg, bool lock = false)
	{
		exits.accesses.push_back(code.here());
		if (lock)
			code.put({0xf0});
		if (size == 1)
			code.put({0x66});
		code.put({Code::rex(size == 3, reg, base, 13)});
		for (const uint8_t &byte : opcode) {
			const bool last = &byte + 1 == opcode.end();

			code.put({static_cast<uint8_t>(byte | (last && size ? 1 : 0))});
		}
		/* [r13+BASE+0] */
		code.put({static_cast<uint8_t>(0x44 | (reg & 7) << 3),
			  static_cast<uint8_t>((base & 7) << 3 | 5), 0});
	}

	void load(unsigned reg)
	{
		if (size >= 2) {
			access({0x8a}, reg);
			return;
		}
		/* movzx */
		exits.accesses.push_back(code.here());
		code.put({Code::rex(false, reg, base, 13), 0x0f, static_cast<uint8_t>(0xb6 | size),
			  static_cast<uint8_t>(0x44 | (reg & 7) << 3),
			  static_cast<uint8_t>((base & 7) << 3 | 5), 0});
	}

	/* Compares with rax; what was there is in rax. */
	void compare_exchange(unsigned reg)
	{
		access({0x0f, 0xb0}, reg, true);
		extend(rax);
	}

	void check(jit_inline_op op)
	{
		if (!near_arena(base_of(inst->GetArg(1)))) {
			move(temporary, base);
			/* shr TEMPORARY, 32 */
			code.put({Code::rex(true, 0, 0, temporary), 0xc1,
				  static_cast<uint8_t>(0xe8 | (temporary & 7)), 32});
			exits.jumps.push_back(code.jump_if(NE));
		}
		if (size && op != JIT_ZERO) {
			/* test BASE, bytes - 1 */
			code.put({Code::rex(false, 0, 0, base), 0xf6,
				  static_cast<uint8_t>(0xc0 | (base & 7)),
				  static_cast<uint8_t>((1u << size) - 1)});
			exits.jumps.push_back(code.jump_if(NE));
		}
	}

	/* The guest's register is REG. */
	void put_result(unsigned reg)
	{
		const unsigned target = what >> 24 & 31;

		if (target == 31)
			return;
		/* mov [r15+..], REG */
		code.put({Code::rex(true, reg, 0, 15), 0x89,
			  static_cast<uint8_t>(0x87 | (reg & 7) << 3)});
		code.put_value(static_cast<int32_t>(8 * target));
	}

	/* --- the monitor */

	void point_to_monitor(unsigned reg)
	{
		code.load_constant(reg, reinterpret_cast<uint64_t>(current->monitor));
	}

	/* An instruction with REG and a member of the monitor, to which AT points. */
	void member(bool wide, uint8_t opcode, unsigned reg, unsigned at, size_t offset)
	{
		code.put({Code::rex(wide, reg, 0, at), opcode,
			  static_cast<uint8_t>(0x80 | (reg & 7) << 3 | (at & 7))});
		if ((at & 7) == 4)
			code.put({0x24});
		code.put_value(static_cast<int32_t>(offset));
	}

	void set_bytes(unsigned at, uint32_t bytes)
	{
		member(false, 0xc7, 0, at, offsetof(jit_monitor, bytes));
		code.put_value(bytes);
	}

	void load_exclusive()
	{
		load(rax);
		point_to_monitor(temporary);
		member(true, 0x89, base, temporary, offsetof(jit_monitor, address));
		member(true, 0x89, rax, temporary, offsetof(jit_monitor, value));
		set_bytes(temporary, 1u << size);
		put_result(rax);
	}

	void store_exclusive()
	{
		point_to_monitor(temporary);
		member(true, 0x39, base, temporary, offsetof(jit_monitor, address));
		uint8_t *const elsewhere = code.jump_if(NE);
		member(false, 0x81, 7, temporary, offsetof(jit_monitor, bytes)); /* cmp */
		code.put_value(1u << size);
		uint8_t *const otherwise = code.jump_if(NE);
		member(true, 0x8b, rax, temporary, offsetof(jit_monitor, value));
		access({0x0f, 0xb0}, operand, true);
		code.land(elsewhere);
		code.land(otherwise);
		set_bytes(temporary, 0);
		/* setne al; movzx eax, al */
		code.put({0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xc0});
		put_result(rax);
	}

	/* --- the rest */

	/* xchg, xadd */
	void exchange(bool add)
	{
		move(temporary, operand);
		if (add)
			access({0x0f, 0xc0}, temporary, true);
		else
			access({0x86}, temporary);
		extend(temporary);
		put_result(temporary);
	}

	/* OPCODE is that of an instruction with memory or a register, and another register. */
	void change(uint8_t opcode)
	{
		const uint8_t *again;

		load(rax);
		again = code.here();
		move(temporary, operand);
		if (opcode == 0x20) /* not TEMPORARY */
			code.put({Code::rex(true, 0, 0, temporary), 0xf7,
				  static_cast<uint8_t>(0xd0 | (temporary & 7))});
		code.registers(true, opcode | 1, rax, temporary);
		access({0x0f, 0xb0}, temporary, true);
		code.jump_back_if(NE, again);
		extend(rax);
		put_result(rax);
	}

	void zero()
	{
		move(rax, base);
		code.put({0x48, 0x83, 0xe0, 0xc0}); /* and rax, -64 */
		for (uint8_t offset = 0; offset < 64; offset += 8) {
			exits.accesses.push_back(code.here());
			/* mov qword [r13+rax+OFFSET], 0 */
			code.put({0x49, 0xc7, 0x44, 0x05, offset});
			code.put_value(uint32_t{0});
		}
	}
};

} // namespace

void emit_in_line(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst)
{
	InLine(emit, ctx, inst).run();
}

} // namespace Dynarmic::Backend::X64
