/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers for values that an instruction overwrites but later ones need, and for those in the way of an instruction that
 * wants a certain register.
 *
 * dynarmic's allocator puts such a value on the stack, even if registers are free, and loads it again for its next use:
 * a loop's counter goes through memory twice an iteration. Here it is copied or moved to a free register, if there is one.
 */
#include "cpu/dynarmic/backend.h"
#include "cpu/dynarmic/opcodes.h"

#include <algorithm>
#include <cstring>

namespace Dynarmic::Backend::X64
{

namespace
{

size_t width_of(IR::Type type)
{
	switch (type) {
	case IR::Type::U1:
	case IR::Type::U8: return 8;
	case IR::Type::U16: return 16;
	case IR::Type::U32:
	case IR::Type::NZCVFlags: return 32;
	case IR::Type::U64: return 64;
	case IR::Type::U128: return 128;
	default: return 0;
	}
}

} // namespace

/* Copies the value in FROM, which later instructions need, to a free one of DESIRED. */
bool RegAlloc::copy(HostLoc &to, HostLoc from, IR::Type type, const std::vector<HostLoc> &desired)
{
	const HostLocInfo &info = at(from);
	const size_t width = width_of(type);

	if (!width || info.locked() || info.IsLastUse() ||
	    std::find(desired.begin(), desired.end(), from) == desired.end() || desired.size() < 2)
		return false;
	to = SelectARegister(desired);
	if (!at(to).empty())
		return false;
	CopyToScratch(width, to, from);
	at(to).WriteLock();
	return true;
}

/* Behind the last place on the stack that the block has used; most use few of the 64. */
static thread_local size_t spill_end = SIZE_MAX;

size_t RegAlloc::places() const
{
	return std::min(hostloc_info.size(), spill_end);
}

HostLoc RegAlloc::FindFreeSpill() const
{
	using Function = HostLoc(const RegAlloc *);
	static Function *const real =
		library<Function>("_ZNK8Dynarmic7Backend3X648RegAlloc13FindFreeSpillEv");
	const HostLoc found = real(this);

	spill_end = std::max(spill_end, static_cast<size_t>(found) + 1);
	return found;
}

/* The library's own do the same, but allocate memory for each look or look at each place by a call: together a third of
 * the time that translating takes. */
std::optional<HostLoc> RegAlloc::ValueLocation(const IR::Inst *value) const
{
	for (size_t i = 0; i < places(); i++) {
		if (hostloc_info[i].has(value))
			return static_cast<HostLoc>(i);
	}
	return std::nullopt;
}

void RegAlloc::EndOfAllocScope()
{
	const size_t end = places();

	for (size_t i = 0; i < end; i++) {
		if (!hostloc_info[i].idle())
			hostloc_info[i].release();
	}
}

/* An empty one, from the end: those that calls keep, and not those that instructions want by name. */
HostLoc RegAlloc::SelectARegister(const std::vector<HostLoc> &desired) const
{
	HostLoc taken = desired.front();

	for (auto loc = desired.rbegin(); loc != desired.rend(); ++loc) {
		if (at(*loc).empty())
			return *loc;
		if (!at(*loc).locked())
			taken = *loc;
	}
	return taken;
}

HostLoc RegAlloc::UseScratchImpl(IR::Value value, const std::vector<HostLoc> &desired)
{
	using Function = HostLoc(RegAlloc *, IR::Value, const std::vector<HostLoc> &);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X648RegAlloc14UseScratchImplENS_2IR5ValueERKSt6vectorINS1_"
		"7HostLocESaIS6_EE");
	HostLoc to;

	if (!value.IsImmediate()) {
		const IR::Inst *inst = value.GetInst();

		if (copy(to, *ValueLocation(inst), inst->GetType(), desired))
			return to;
	}
	return real(this, value, desired);
}

void RegAlloc::MoveOutOfTheWay(HostLoc reg)
{
	using Function = void(RegAlloc *, HostLoc);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X648RegAlloc15MoveOutOfTheWayENS1_7HostLocE");

	if (reg < FIRST_XMM && !at(reg).empty()) {
		/* The last ones are those that calls keep. */
		for (auto to = gpr_order.rbegin(); to != gpr_order.rend(); ++to) {
			if (*to != reg && at(*to).empty()) {
				Move(*to, reg);
				return;
			}
		}
	}
	real(this, reg);
}

/* A word with zeros above it is a long already, or when it has been moved to a general register: they need one place. */
void EmitX64::EmitZeroExtendWordToLong(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6424EmitZeroExtendWordToLongERNS1_11EmitContextEPNS_2IR4InstE");
	const IR::Value word = inst->GetArg(0);

	if (!word.IsImmediate() && zero_above(word)) {
		auto args = ctx.reg_alloc.GetArgumentInfo(inst);

		ctx.reg_alloc.DefineValue(inst, ctx.reg_alloc.UseGpr(args[0]).reg());
		return;
	}
	real(this, ctx, inst);
}

/* The operation's argument is in the register of its value already. */
static void same_register(EmitContext &ctx, IR::Inst *inst)
{
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);

	ctx.reg_alloc.DefineValue(inst, ctx.reg_alloc.UseGpr(args[0]).reg());
}

/* What was loaded as a byte or half has zeros above it in the host's register, however it was loaded. */
static bool loaded(const IR::Inst *inst, IR::Type type)
{
	const IR::Value value = inst->GetArg(0);

	if (value.IsImmediate())
		return false;
	const IR::Inst *const from = value.GetInstRecursive();

	return from->IsMemoryRead() && from->GetType() == type;
}

static bool extended(const IR::Inst *inst, Name by)
{
	const IR::Value value = inst->GetArg(0);

	return !value.IsImmediate() && numbers().of(*value.GetInstRecursive()) == by;
}

#define UNLESS(condition, name)                                                                  \
 void EmitX64::Emit##name(EmitContext &ctx, IR::Inst *inst)                                      \
 {                                                                                               \
  using Function = void(EmitX64 *, EmitContext &, IR::Inst *);                                   \
  static Function *const real = library<Function>("_ZN8Dynarmic7Backend3X647EmitX6424Emit" #name \
						  "ERNS1_11EmitContextEPNS_2IR4InstE");          \
                                                                                                 \
  if (condition)                                                                                 \
   same_register(ctx, inst);                                                                     \
  else                                                                                           \
   real(this, ctx, inst);                                                                        \
 }
UNLESS(loaded(inst, IR::Type::U8), ZeroExtendByteToWord)
UNLESS(loaded(inst, IR::Type::U16), ZeroExtendHalfToWord)
UNLESS(extended(inst, EXTEND_BYTE), LeastSignificantByte)
UNLESS(extended(inst, EXTEND_HALF), LeastSignificantHalf)
#undef UNLESS

/*
 * The first element of a vector in a vector register is there, as results of scalar instructions are: what lies above them
 * means nothing. Through a general register it would take six cycles to the next floating-point instruction.
 */
static bool first_element(EmitContext &ctx, IR::Inst *inst)
{
	const IR::Value vector = inst->GetArg(0);

	if (vector.IsImmediate() || !inst->GetArg(1).IsZero())
		return false;
	const HostLoc at = *ctx.reg_alloc.ValueLocation(vector.GetInst());

	if (at < FIRST_XMM || at >= END_XMM)
		return false;
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);

	ctx.reg_alloc.DefineValue(inst, args[0]);
	return true;
}

/* Addition of a constant whose flags nobody wants: one instruction, for which the library has up to three. */
static bool add_constant(EmitX64 *emit, EmitContext &ctx, IR::Inst *inst, bool wide)
{
	const IR::Value left = inst->GetArg(0), right = inst->GetArg(1), carry = inst->GetArg(2);

	if (inst->HasAssociatedPseudoOperation() || left.IsImmediate() || !right.IsImmediate() ||
	    !carry.IsZero())
		return false;
	const uint64_t constant = right.GetImmediateAsU64();
	const auto displacement = static_cast<int32_t>(constant);

	if (wide && constant != static_cast<uint64_t>(int64_t{displacement}))
		return false;
	auto args = ctx.reg_alloc.GetArgumentInfo(inst);
	const unsigned from = ctx.reg_alloc.UseGpr(args[0]).number();
	const HostReg result = ctx.reg_alloc.ScratchGpr();
	const unsigned to = result.number();
	/* lea TO, [FROM+DISPLACEMENT] */
	const uint8_t code[] = {
		static_cast<uint8_t>((wide ? 0x48 : 0x40) | (to >> 3) << 2 | from >> 3), 0x8d,
		static_cast<uint8_t>(0x80 | (to & 7) << 3 | (from & 7)), 0x24};
	const size_t size = (from & 7) == 4 ? 4 : 3;
	auto *const at = static_cast<uint8_t *>(
		emit->code.AllocateFromCodeSpace(size + sizeof(displacement)));

	memcpy(at, code, size);
	memcpy(at + size, &displacement, sizeof(displacement));
	ctx.reg_alloc.DefineValue(inst, result.reg());
	return true;
}

void EmitX64::EmitAdd32(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX649EmitAdd32ERNS1_11EmitContextEPNS_2IR4InstE");

	if (!add_constant(this, ctx, inst, false))
		real(this, ctx, inst);
}

void EmitX64::EmitAdd64(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX649EmitAdd64ERNS1_11EmitContextEPNS_2IR4InstE");

	if (!add_constant(this, ctx, inst, true))
		real(this, ctx, inst);
}

void EmitX64::EmitVectorGetElement32(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6422EmitVectorGetElement32ERNS1_11EmitContextEPNS_2IR4InstE");

	if (!first_element(ctx, inst))
		real(this, ctx, inst);
}

void EmitX64::EmitVectorGetElement64(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6422EmitVectorGetElement64ERNS1_11EmitContextEPNS_2IR4InstE");

	if (!first_element(ctx, inst))
		real(this, ctx, inst);
}

/* Code that is the same each time it is generated for a register, which thousands of functions begin and end with. */
namespace
{

class Repeated
{
      public:
	using Function = void(BlockOfCode &, HostLoc);

	explicit Repeated(const char *name) : real(library<Function>(name))
	{
	}

	void put(BlockOfCode &code, HostLoc loc)
	{
		auto &known = bytes[static_cast<size_t>(loc)];

		if (known.empty()) {
			const auto *const begin =
				static_cast<const uint8_t *>(code.AllocateFromCodeSpace(0));

			real(code, loc);
			known.assign(begin,
				     static_cast<const uint8_t *>(code.AllocateFromCodeSpace(0)));
			return;
		}
		memcpy(code.AllocateFromCodeSpace(known.size()), known.data(), known.size());
	}

      private:
	Function *real;
	std::array<std::vector<uint8_t>, static_cast<size_t>(END_XMM)> bytes;
};

} // namespace

void ABI_PushCallerSaveRegistersAndAdjustStackExcept(BlockOfCode &code, HostLoc exception)
{
	static thread_local Repeated push(
		"_ZN8Dynarmic7Backend3X6447ABI_PushCallerSaveRegistersAndAdjustStackExceptERNS1_11BlockOfCodeENS1_"
		"7HostLocE");

	push.put(code, exception);
}

void ABI_PopCallerSaveRegistersAndAdjustStackExcept(BlockOfCode &code, HostLoc exception)
{
	static thread_local Repeated pop(
		"_ZN8Dynarmic7Backend3X6446ABI_PopCallerSaveRegistersAndAdjustStackExceptERNS1_11BlockOfCodeENS1_"
		"7HostLocE");

	pop.put(code, exception);
}

} // namespace Dynarmic::Backend::X64

void spills_begin()
{
	Dynarmic::Backend::X64::spill_end =
		static_cast<size_t>(Dynarmic::Backend::X64::FIRST_SPILL);
}
