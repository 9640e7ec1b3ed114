/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code for what superblock.cpp and registers.cpp put between the operations of a block: counters, ways out, and what is to be
 * stored if the block is left at a way out or by a memory access. The latter is code behind the block; what lies on
 * the way is a jump that is not taken.
 */
#include "cpu/dynarmic/backend.h"
#include "cpu/dynarmic/code.h"
#include "cpu/dynarmic/generated.h"
#include "cpu/dynarmic/opcodes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "mem/guard.h"

using namespace Dynarmic;

namespace
{

/* A register whose store was moved to the ways out, and where the value is at one of them. */
struct Late {
	uint8_t reg;
	std::optional<uint64_t> immediate;
	int place;
};
thread_local std::unordered_map<const IR::Inst *, std::vector<Late>> late;
/* Ways out at which the flags are still the host's, the carry complemented or not. */
thread_local std::unordered_map<const IR::Inst *, bool> left_flags;

/* rax, as the library calls it. The numbers of the others are added. */
Backend::X64::HostReg rax;

/* Addresses of the block that accesses have looked at. */
thread_local std::vector<Base> proven;

} // namespace

void markers_begin()
{
	proven.clear();
	late.clear();
	left_flags.clear();
	spills_begin();
	flags_begin();
}

namespace Dynarmic::Backend::X64
{

/* --- code for markers ------------------------------------------------------------------------------- */

namespace
{

/* x86's conditions for those of the guest, with carry as an addition has it (flags.cpp). */
constexpr uint8_t CONDITIONS[] = {E, NE, 2, 3, 8, 9, 0, 1, 7, 6, 13, 12, 15, 14};

/* The places of state, from r15 (A64JitState), and of values on the stack, from rsp (StackLayout). */
constexpr int32_t VECTORS = 272, SPILLED = 16, SPILLED_EACH = 16;

void store_half(Code &c, int32_t offset, uint32_t value)
{
	c.put({0x41, 0xc7, 0x87}); /* mov dword [r15+OFFSET], VALUE */
	c.put_value(offset);
	c.put_value(value);
}

void store_immediate(Code &c, int32_t offset, uint64_t value)
{
	store_half(c, offset, static_cast<uint32_t>(value));
	store_half(c, offset + 4, static_cast<uint32_t>(value >> 32));
}

/* The lower SIZE (4, 8, 16) bytes of the value at PLACE; no register and no flag changes. */
void store_part(Code &c, int32_t offset, int place, unsigned size)
{
	const auto reg = static_cast<unsigned>(place);

	if (place >= static_cast<int>(FIRST_SPILL)) {
		for (unsigned at = 0; at < size; at += 8) {
			c.put({0xff, 0xb4, 0x24}); /* push qword [rsp+..] */
			c.put_value(static_cast<int32_t>(
				SPILLED + SPILLED_EACH * (place - static_cast<int>(FIRST_SPILL)) +
				static_cast<int>(at)));
			c.put({0x41, 0x8f, 0x87}); /* pop qword [r15+..] */
			c.put_value(static_cast<int32_t>(offset + static_cast<int>(at)));
		}
		return;
	}
	if (place < static_cast<int>(FIRST_XMM)) {
		c.put({static_cast<uint8_t>(0x41 | (size == 8 ? 8 : 0) | (reg >> 3) << 2), 0x89,
		       static_cast<uint8_t>(0x87 | (reg & 7) << 3)});
	} else {
		const unsigned x = reg - 16;

		/* movaps, movq, movd */
		if (size == 16)
			c.put({static_cast<uint8_t>(0x41 | (x >> 3) << 2), 0x0f, 0x29,
			       static_cast<uint8_t>(0x87 | (x & 7) << 3)});
		else
			c.put({0x66, static_cast<uint8_t>(0x41 | (x >> 3) << 2), 0x0f,
			       static_cast<uint8_t>(size == 8 ? 0xd6 : 0x7e),
			       static_cast<uint8_t>(0x87 | (x & 7) << 3)});
	}
	c.put_value(offset);
}

void store_late(Code &c, const Late &l)
{
	const unsigned number = l.reg & 31;
	const int32_t vector = VECTORS + 16 * static_cast<int32_t>(number);

	switch (l.reg & ~31) {
	case LATE_X: /* 31: sp, which lies behind */
		if (l.immediate)
			store_immediate(c, 8 * static_cast<int32_t>(number), *l.immediate);
		else
			store_part(c, 8 * static_cast<int32_t>(number), l.place, 8);
		break;
	case LATE_NZCV:
		if (l.place >= static_cast<int>(FIRST_SPILL)) {
			/* Eight bytes would reach no further than padding. */
			store_part(c, state_offsets().nzcv, l.place, 8);
		} else {
			store_part(c, state_offsets().nzcv, l.place, 4);
		}
		break;
	case LATE_S:
		store_part(c, vector, l.place, l.place >= static_cast<int>(FIRST_SPILL) ? 8 : 4);
		store_half(c, vector + 4, 0);
		store_immediate(c, vector + 8, 0);
		break;
	case LATE_D:
		store_part(c, vector, l.place, 8);
		store_immediate(c, vector + 8, 0);
		break;
	case LATE_Q: store_part(c, vector, l.place, 16); break;
	default: break;
	}
}

/* Where a value is that flags are about. */
struct Operand {
	enum { GENERAL, STACK, CONSTANT, VECTOR } kind;
	unsigned reg = 0;
	int32_t offset = 0; /* from rsp */
	uint64_t constant = 0;

	/* PUSHED bytes are on the stack besides. */
	Operand(const Late &l, int32_t pushed)
	{
		if (l.immediate) {
			kind = CONSTANT;
			constant = *l.immediate;
		} else if (l.place >= static_cast<int>(FIRST_SPILL)) {
			kind = STACK;
			offset = SPILLED +
				 SPILLED_EACH * (l.place - static_cast<int>(FIRST_SPILL)) + pushed;
		} else {
			kind = l.place < static_cast<int>(FIRST_XMM) ? GENERAL : VECTOR;
			reg = static_cast<unsigned>(l.place) & 15;
		}
	}
};

/* An instruction with TO and OPERAND, of 32 or 64 bits; OPCODE is that with memory or a register. */
void with_operand(Code &c, bool wide, uint8_t opcode, unsigned to, const Operand &operand)
{
	if (operand.kind == Operand::STACK) {
		c.put({Code::rex(wide, to, 0, 0), opcode,
		       static_cast<uint8_t>(0x84 | (to & 7) << 3), 0x24});
		c.put_value(operand.offset);
	} else {
		c.registers(wide, opcode, to, operand.reg);
	}
}

void load_operand(Code &c, unsigned to, const Operand &operand)
{
	switch (operand.kind) {
	case Operand::CONSTANT: c.load_constant(to, operand.constant); break;
	case Operand::VECTOR: /* movq */
		c.put({0x66, Code::rex(true, operand.reg, 0, to), 0x0f, 0x7e,
		       static_cast<uint8_t>(0xc0 | (operand.reg & 7) << 3 | (to & 7))});
		break;
	default: with_operand(c, true, 0x8b, to, operand);
	}
}

/* Whether an instruction of that width can have a constant. */
bool fits(uint64_t constant, bool wide)
{
	return !wide || constant == static_cast<uint64_t>(int64_t{static_cast<int32_t>(constant)});
}

void compare_constant(Code &c, bool wide, bool conjunction, unsigned reg, uint64_t constant)
{
	/* test, cmp REG, CONSTANT */
	c.put({Code::rex(wide, 0, 0, reg), static_cast<uint8_t>(conjunction ? 0xf7 : 0x81),
	       static_cast<uint8_t>((conjunction ? 0xc0 : 0xf8) | (reg & 7))});
	c.put_value(static_cast<uint32_t>(constant));
}

/* The host's flags are those of comparing. PUSHED bytes are on the stack, where rax and rcx are. */
void compare(Code &c, const Late &left, const Late &right, int32_t pushed)
{
	constexpr unsigned RAX = 0, RCX = 1;
	const bool wide = left.reg & COMPARE_LONG, conjunction = left.reg & COMPARE_AND;
	Operand a(left, pushed), b(right, pushed);

	if (a.kind != Operand::GENERAL) {
		/* rax may have the other one. */
		if (b.kind == Operand::GENERAL && b.reg == RAX) {
			with_operand(c, true, 0x8b, RCX, b);
			b.reg = RCX;
		}
		load_operand(c, RAX, a);
		a.kind = Operand::GENERAL;
		a.reg = RAX;
	}
	if (b.kind == Operand::CONSTANT && fits(b.constant, wide)) {
		compare_constant(c, wide, conjunction, a.reg, b.constant);
		return;
	}
	if (b.kind == Operand::CONSTANT || b.kind == Operand::VECTOR) {
		const unsigned to = a.reg == RCX ? RAX : RCX;

		load_operand(c, to, b);
		b.kind = Operand::GENERAL;
		b.reg = to;
	}
	with_operand(c, wide, conjunction ? 0x85 : 0x3b, a.reg, b);
}

enum class Flags {
	ELSEWHERE, /* to be had by comparing once more; all registers may change */
	RETURNING, /* and no register may */
	HERE,      /* those of the host */
};

/* The guest's flags, which are those of a comparison. */
void store_compared(Code &c, const Late &left, const Late &right, Flags flags)
{
	if (flags == Flags::RETURNING)
		c.put({0x50, 0x51}); /* push rax; push rcx */
	if (flags != Flags::HERE)
		compare(c, left, right, flags == Flags::RETURNING ? 16 : 0);
	if (!(left.reg & COMPARE_AND))
		c.put({0xf5});           /* cmc */
	c.put({0x9f, 0x0f, 0x90, 0xc0}); /* lahf; seto al */
	c.put({0x41, 0x89, 0x87});       /* mov [r15+NZCV], eax */
	c.put_value(state_offsets().nzcv);
	if (flags == Flags::RETURNING)
		c.put({0x59, 0x58});
}

/* What is to be stored at the way out INST, whose values are where they are now. */
void store_all_late(Code &c, const IR::Inst *inst, Flags flags)
{
	const auto of = late.find(inst);
	const Late *left = nullptr, *right = nullptr;

	if (of == late.end())
		return;
	for (const Late &l : of->second) {
		store_late(c, l);
		if (l.reg >= LATE_LEFT && l.reg < LATE_RIGHT)
			left = &l;
		else if (l.reg == LATE_RIGHT)
			right = &l;
	}
	/* Last, as it changes registers. */
	if (right)
		store_compared(c, *left, *right, flags);
}

/* What the library's stack of return addresses has not been told of at the way out INST. No value is in a register any more. */
void push_calls(EmitX64 *emit, const IR::Inst *inst)
{
	const auto of = late.find(inst);

	if (of == late.end())
		return;
	for (const Late &l : of->second) {
		if (l.reg == LATE_CALL)
			emit->PushRSBHelper(rax, {rax.inner + 3}, {*l.immediate});
	}
}

/* SINK, right behind a way out: notes places. */
void note_late(EmitContext &ctx, IR::Inst *inst)
{
	const uint64_t what = inst->GetArg(0).GetImmediateAsU64();
	const mcl::intrusive_list_node<IR::Inst> *owner = inst->prev;

	ctx.reg_alloc.GetArgumentInfo(inst);
	while (is_sink(*static_cast<const IR::Inst *>(owner)))
		owner = owner->prev;
	for (unsigned i = 1; i < 4; i++) {
		const auto reg = static_cast<uint8_t>(what >> 8 * i);
		const IR::Value value = inst->GetArg(i);

		if (reg == LATE_NONE)
			continue;
		auto &list = late[static_cast<const IR::Inst *>(owner)];
		if (value.IsImmediate())
			list.push_back({reg, value.GetImmediateAsU64(), 0});
		else
			list.push_back(
				{reg, std::nullopt,
				 static_cast<int>(*ctx.reg_alloc.ValueLocation(value.GetInst()))});
	}
}

void request_halt(Code &c, uint32_t reason)
{
	c.put({0xf0, 0x41, 0x81, 0x8f}); /* lock or dword [r15+HALT], REASON */
	c.put_value(state_offsets().halt);
	c.put_value(reason);
}

/* From JUMP of INST, by which the block is left for the one at TO. */
void leave(EmitX64 *emit, EmitContext &ctx, const IR::Inst *inst, uint8_t *jump)
{
	const bool compares = (inst->GetArg(0).GetImmediateAsU64() & 0xff) == EXIT_COMPARE;
	const IR::LocationDescriptor start = ctx.block.Location();
	const uint64_t to = inst->GetArg(1).GetImmediateAsU64();

	ctx.deferred_emits.emplace_back([emit, jump, to, start, inst, compares] {
		Code c{emit->code};

		c.land(jump);
		if (const auto flags = left_flags.find(inst); flags != left_flags.end())
			take_flags(emit->code, flags->second);
		store_all_late(c, inst, compares ? Flags::HERE : Flags::ELSEWHERE);
		push_calls(emit, inst);
		static_cast<A64EmitX64 *>(emit)->EmitTerminalImpl(IR::Term::LinkBlock{{to}}, start,
								  false);
	});
}

void emit_exit_compare(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst)
{
	Code c{emit->code};
	const uint64_t what = inst->GetArg(0).GetImmediateAsU64();
	const bool wide = what >> 16 & COMPARE_LONG, conjunction = what >> 16 & COMPARE_AND;
	/* Carry set and clear: behind a difference the host's is a borrow. */
	const unsigned cond = what >> 8 & 0xff, on_host = cond >> 1 == 1 ? cond ^ 1 : cond;
	const IR::Value right = inst->GetArg(3);
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);
	const unsigned reg = ctx.reg_alloc.UseGpr(args[2]).number();

	if (right.IsImmediate() && fits(right.GetImmediateAsU64(), wide))
		compare_constant(c, wide, conjunction, reg, right.GetImmediateAsU64());
	else
		c.registers(wide, conjunction ? 0x85 : 0x39, ctx.reg_alloc.UseGpr(args[3]).number(),
			    reg);
	leave(emit, ctx, inst, c.jump_if(CONDITIONS[on_host]));
}

/* Leaves if the value is not what it should be. */
void emit_exit_return(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst)
{
	Code c{emit->code};
	const IR::LocationDescriptor start = ctx.block.Location();
	const uint64_t expected = inst->GetArg(1).GetImmediateAsU64();
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);

	if (inst->GetArg(2).IsImmediate() && inst->GetArg(2).GetImmediateAsU64() == expected)
		return;
	ctx.reg_alloc.ScratchGpr(HostLoc{0});
	const unsigned reg = ctx.reg_alloc.UseGpr(args[2]).number();

	c.load_constant(0, expected);
	c.registers(true, 0x39, 0, reg); /* cmp REG, rax */
	uint8_t *const jump = c.jump_if(NE);

	ctx.deferred_emits.emplace_back([emit, jump, reg, start, inst] {
		Code d{emit->code};

		d.land(jump);
		store_part(d, state_offsets().pc, static_cast<int>(reg), 8);
		store_all_late(d, inst, Flags::ELSEWHERE);
		push_calls(emit, inst);
		static_cast<A64EmitX64 *>(emit)->EmitTerminalImpl(IR::Term::FastDispatchHint{},
								  start, false);
	});
}

} // namespace

void leave_before(EmitX64 *emit, EmitContext &ctx, const IR::Inst *inst, const Exits &exits,
		  uint64_t pc, uint32_t halt)
{
	const IR::LocationDescriptor start = ctx.block.Location();
	const uint64_t to = pc | (start.value & ~PC_MASK);

	ctx.deferred_emits.emplace_back([emit, exits, to, halt, start, inst] {
		Code c{emit->code};

		for (uint8_t *const jump : exits.jumps)
			c.land(jump);
		for (const uint8_t *const access : exits.accesses)
			generated_may_fault(access, c.here());
		store_all_late(c, inst, Flags::ELSEWHERE);
		request_halt(c, halt);
		/* Not followed, but the pc is set and generated code left, as always for halt requests. */
		static_cast<A64EmitX64 *>(emit)->EmitTerminalImpl(IR::Term::LinkBlock{{to}}, start,
								  false);
	});
}

namespace
{

/* COUNT: behind the last execution that is waited for the halt request; from then on the superblock, when it is there. */
void emit_count(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst)
{
	Code c{emit->code};
	const IR::LocationDescriptor start = ctx.block.Location();
	const auto halt = static_cast<uint32_t>(inst->GetArg(3).GetImmediateAsU64());

	static_assert(offsetof(hot_entry, left) == 0 && offsetof(hot_entry, code) < 128);
	rax = ctx.reg_alloc.ScratchGpr(HostLoc{0});
	c.load_constant(0, inst->GetArg(2).GetImmediateAsU64());
	c.put({0xff, 0x08}); /* dec dword [rax] */
	uint8_t *const over = c.jump_if(LE);
	uint8_t *const body = c.here();

	ctx.deferred_emits.emplace_back([emit, over, body, start, halt] {
		Code d{emit->code};

		d.land(over);
		uint8_t *const told = d.jump_if(NE);
		request_halt(d, halt);
		static_cast<A64EmitX64 *>(emit)->EmitTerminalImpl(IR::Term::LinkBlock{start}, start,
								  false);
		d.land(told);
		d.put({0x48, 0x8b, 0x40, offsetof(hot_entry, code)}); /* mov rax, [rax+CODE] */
		d.put({0x48, 0x85, 0xc0});                            /* test rax, rax */
		d.jump_back_if(E, body);
		d.put({0xff, 0xe0}); /* jmp rax */
	});
}

void emit_exit_flags(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst)
{
	Code c{emit->code};
	const auto cond = static_cast<unsigned>(inst->GetArg(0).GetImmediateAsU64() >> 8);
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);

	if (inst->GetArg(3).IsImmediate()) {
		ctx.reg_alloc.ScratchGpr(HostLoc{0});
		c.put({0x41, 0x8b, 0x87}); /* mov eax, [r15+NZCV] */
		c.put_value(state_offsets().nzcv);
		emit->code.LoadRequiredFlagsForCondFromRax(static_cast<IR::Cond>(cond));
	} else {
		ctx.reg_alloc.Use(args[3], HostLoc{0});
		if (!inst->GetArg(2).IsZero() && untake_flags(emit->code))
			left_flags.insert_or_assign(
				inst, complement_carry(emit->code, static_cast<IR::Cond>(cond)));
		else
			flags_of_rax(emit->code, static_cast<IR::Cond>(cond));
	}
	leave(emit, ctx, inst, c.jump_if(CONDITIONS[cond]));
}

/* Leaves if the value, or a bit of it, is zero, or if it is not. */
void emit_exit_value(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst, bool if_zero)
{
	Code c{emit->code};
	const auto bit = static_cast<unsigned>(inst->GetArg(0).GetImmediateAsU64() >> 8);
	const IR::Value value = inst->GetArg(2);
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);

	if (value.IsImmediate()) {
		const uint64_t v = value.GetImmediateAsU64();

		if (((bit == ALL_BITS ? v : v >> bit & 1) == 0) == if_zero)
			leave(emit, ctx, inst, c.jump());
		return;
	}
	/* A copy, if the value is part of a vector. */
	const unsigned reg = ctx.reg_alloc.UseGpr(args[2]).number();
	const bool wide = value.GetType() == IR::Type::U64;

	if (bit == ALL_BITS) {
		c.registers(wide, 0x85, reg, reg); /* test */
		leave(emit, ctx, inst, c.jump_if(if_zero ? E : NE));
	} else {
		/* bt reg, BIT: it is the carry flag then */
		c.put({static_cast<uint8_t>(0x48 | reg >> 3), 0x0f, 0xba,
		       static_cast<uint8_t>(0xe0 | (reg & 7)), static_cast<uint8_t>(bit)});
		leave(emit, ctx, inst, c.jump_if(if_zero ? 3 : 2));
	}
}

} // namespace

void EmitX64::EmitCallHostFunction(EmitContext &ctx, IR::Inst *inst)
{
	switch (inst->GetArg(0).GetImmediateAsU64() & 0xff) {
	case SINK: note_late(ctx, inst); break;
	case COUNT: emit_count(this, ctx, inst); break;
	case EXIT_FLAGS: emit_exit_flags(this, ctx, inst); break;
	case EXIT_ZERO: emit_exit_value(this, ctx, inst, true); break;
	case EXIT_SET: emit_exit_value(this, ctx, inst, false); break;
	case EXIT_COMPARE: emit_exit_compare(this, ctx, inst); break;
	case EXIT_RETURN: emit_exit_return(this, ctx, inst); break;
	case IN_LINE: emit_in_line(this, ctx, inst); break;
	}
}

/* --- accesses --------------------------------------------------------------------------------------- */

/* Behind the call for an access that generated code could not make: the state must be whole if that has failed. */
void A64EmitX64::EmitCheckMemoryAbort(A64EmitContext &ctx, IR::Inst *inst, Xbyak::Label *end)
{
	using Function = void(A64EmitX64 *, A64EmitContext &, IR::Inst *, Xbyak::Label *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X6410A64EmitX6420EmitCheckMemoryAbortERNS1_14A64EmitContextEPNS_2IR4InstE"
		"PN5Xbyak5LabelE");
	Code c{code};

	store_all_late(c, inst, Flags::RETURNING);
	real(this, ctx, inst, end);
}

/*
 * An address that was a word is one of the arena, or of the guard behind it with what is added to it: no need to look;
 * nor where it is known of a lower address, from the same value, that it was one of the arena. If it was not, its access has
 * ended the block, or the address had a tag: with that it is none of the host's, and the fault of the access makes it the
 * callback's (host_fault() in module.cpp). The library does not look, either, if all addresses are to be had.
 */
static bool is_proven(const Base &base)
{
	return current && std::any_of(proven.begin(), proven.end(), [&](const Base &p) {
		       return p.value == base.value && base.offset - p.offset < MEM_GUARD;
	       });
}

static void access(A64EmitX64 *emit, A64EmitContext &ctx, IR::Inst *inst,
		   void (*real)(A64EmitX64 *, A64EmitContext &, IR::Inst *))
{
	auto &bits = const_cast<Dynarmic::A64::UserConfig &>(ctx.conf).fastmem_address_space_bits;
	const size_t all = bits;

	if (all == 32) {
		const Base base = base_of(inst->GetArg(1));

		if (near_arena(base) || is_proven(base))
			bits = 64;
		else
			proven.push_back(base);
	}
	real(emit, ctx, inst);
	bits = all;
}

#define ACCESS(name, length)                                                              \
 void A64EmitX64::EmitA64##name(A64EmitContext &ctx, IR::Inst *inst)                      \
 {                                                                                        \
  using Function = void(A64EmitX64 *, A64EmitContext &, IR::Inst *);                      \
  static Function *const real =                                                           \
	  library<Function>("_ZN8Dynarmic7Backend3X6410A64EmitX64" length "EmitA64" #name \
			    "ERNS1_14A64EmitContextEPNS_2IR4InstE");                      \
                                                                                          \
  access(this, ctx, inst, real);                                                          \
 }
ACCESS(ReadMemory8, "18")
ACCESS(ReadMemory16, "19")
ACCESS(ReadMemory32, "19")
ACCESS(ReadMemory64, "19")
ACCESS(ReadMemory128, "20")
ACCESS(WriteMemory8, "19")
ACCESS(WriteMemory16, "20")
ACCESS(WriteMemory32, "20")
ACCESS(WriteMemory64, "20")
ACCESS(WriteMemory128, "21")
#undef ACCESS

} // namespace Dynarmic::Backend::X64
