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

namespace Dynarmic::Backend::X64
{

/* 0 to 15 are general registers, the next 16 vector registers, those behind flags and places on the stack. */
enum class HostLoc : int;
constexpr HostLoc FIRST_XMM{16};

class HostLocInfo
{
      public:
	bool IsLocked() const;
	bool IsEmpty() const;
	bool IsLastUse() const;
	void WriteLock();
};

class RegAlloc
{
	std::vector<HostLoc> gpr_order;

	std::optional<HostLoc> ValueLocation(const IR::Inst *value) const;
	HostLoc SelectARegister(const std::vector<HostLoc> &desired) const;
	HostLocInfo &LocInfo(HostLoc loc);
	void CopyToScratch(size_t bit_width, HostLoc to, HostLoc from);
	void Move(HostLoc to, HostLoc from);

	bool copy(HostLoc &to, HostLoc from, IR::Type type, const std::vector<HostLoc> &desired);

      public:
	VISIBLE HostLoc UseScratchImpl(IR::Value value, const std::vector<HostLoc> &desired);
	VISIBLE void MoveOutOfTheWay(HostLoc reg);
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
	const HostLocInfo &info = LocInfo(from);
	const size_t width = width_of(type);

	if (!width || info.IsLocked() || info.IsLastUse() ||
	    std::find(desired.begin(), desired.end(), from) == desired.end() || desired.size() < 2)
		return false;
	to = SelectARegister(desired);
	if (!LocInfo(to).IsEmpty())
		return false;
	CopyToScratch(width, to, from);
	LocInfo(to).WriteLock();
	return true;
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
	static Function *const real =
		library<Function>("_ZN8Dynarmic7Backend3X648RegAlloc15MoveOutOfTheWayENS1_7HostLocE");

	if (reg < FIRST_XMM && !LocInfo(reg).IsEmpty()) {
		/* The last ones are those that calls keep. */
		for (auto to = gpr_order.rbegin(); to != gpr_order.rend(); ++to) {
			if (*to != reg && LocInfo(*to).IsEmpty()) {
				Move(*to, reg);
				return;
			}
		}
	}
	real(this, reg);
}

} // namespace Dynarmic::Backend::X64
