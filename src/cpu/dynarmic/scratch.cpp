/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers for values that an instruction overwrites but later ones need, and for those in the way of an instruction that
 * wants a certain register.
 *
 * dynarmic's allocator puts such a value on the stack, even if registers are free, and loads it again for its next use:
 * a loop's counter goes through memory twice an iteration. Here it is copied or moved to a free register, if there is one.
 */
#include "cpu/dynarmic/library.h"

#include <algorithm>
#include <array>

namespace Dynarmic::Backend::X64
{

/* 0 to 15 are general registers, the next 16 vector registers, those behind flags and places on the stack. */
enum class HostLoc : int;
constexpr HostLoc FIRST_XMM{16}, END_XMM{32};

class HostLocInfo
{
	size_t uses_now = 0; /* by the instruction that is being generated */
	bool scratch = false, last_use = false;
	size_t references = 0, past_uses = 0, total_uses = 0;
	std::vector<IR::Inst *> values;
	size_t width = 0;

      public:
	bool IsLastUse() const;
	void WriteLock();

	bool locked() const
	{
		return uses_now > 0;
	}
	bool empty() const
	{
		return uses_now == 0 && values.empty();
	}
	bool idle() const
	{
		return uses_now == 0 && references == 0 && values.empty();
	}
	bool has(const IR::Inst *inst) const
	{
		return std::find(values.begin(), values.end(), inst) != values.end();
	}

	void release()
	{
		past_uses += references;
		references = uses_now = 0;
		scratch = last_use = false;
		if (past_uses == total_uses) {
			values.clear();
			past_uses = total_uses = width = 0;
		}
	}
};
static_assert(sizeof(HostLocInfo) == 72, "as in the library");

class RegAlloc;

struct Argument {
	bool allocated;
	RegAlloc &reg_alloc;
	IR::Value value;
};

class RegAlloc
{
	std::vector<HostLoc> gpr_order, xmm_order;
	std::vector<HostLocInfo> hostloc_info;

	const HostLocInfo &at(HostLoc loc) const
	{
		return hostloc_info[static_cast<size_t>(loc)];
	}
	HostLocInfo &at(HostLoc loc)
	{
		return hostloc_info[static_cast<size_t>(loc)];
	}
	void CopyToScratch(size_t bit_width, HostLoc to, HostLoc from);
	void Move(HostLoc to, HostLoc from);

	bool copy(HostLoc &to, HostLoc from, IR::Type type, const std::vector<HostLoc> &desired);

      public:
	VISIBLE std::optional<HostLoc> ValueLocation(const IR::Inst *value) const;
	VISIBLE HostLoc SelectARegister(const std::vector<HostLoc> &desired) const;
	VISIBLE void EndOfAllocScope();
	VISIBLE HostLoc UseScratchImpl(IR::Value value, const std::vector<HostLoc> &desired);
	VISIBLE void MoveOutOfTheWay(HostLoc reg);
	std::array<Argument, 4> GetArgumentInfo(IR::Inst *inst);
	void DefineValue(IR::Inst *inst, Argument &arg);
};

class EmitContext
{
      public:
	EmitContext() = delete;
	virtual ~EmitContext();

	RegAlloc &reg_alloc;
};

class EmitX64
{
      public:
	VISIBLE void EmitZeroExtendWordToLong(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitVectorGetElement32(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitVectorGetElement64(EmitContext &ctx, IR::Inst *inst);
};

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

/* The library's own do the same, but allocate memory for each look or look at each place by a call: together a third of
 * the time that translating takes. */
std::optional<HostLoc> RegAlloc::ValueLocation(const IR::Inst *value) const
{
	for (size_t i = 0; i < hostloc_info.size(); i++) {
		if (hostloc_info[i].has(value))
			return static_cast<HostLoc>(i);
	}
	return std::nullopt;
}

void RegAlloc::EndOfAllocScope()
{
	for (HostLocInfo &info : hostloc_info) {
		if (!info.idle())
			info.release();
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

/* A word with zeros above it is a long already; on the stack there may be anything above. */
void EmitX64::EmitZeroExtendWordToLong(EmitContext &ctx, IR::Inst *inst)
{
	using Function = void(EmitX64 *, EmitContext &, IR::Inst *);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6424EmitZeroExtendWordToLongERNS1_11EmitContextEPNS_2IR4InstE");
	const IR::Value word = inst->GetArg(0);

	if (!word.IsImmediate() && zero_above(word) &&
	    *ctx.reg_alloc.ValueLocation(word.GetInst()) < FIRST_XMM) {
		auto args = ctx.reg_alloc.GetArgumentInfo(inst);

		ctx.reg_alloc.DefineValue(inst, args[0]);
		return;
	}
	real(this, ctx, inst);
}

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

} // namespace Dynarmic::Backend::X64
