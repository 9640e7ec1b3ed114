/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What generates x86 code inside dynarmic 6.4.5: see library.h (src/dynarmic/backend/x64). */
#ifndef CPU_DYNARMIC_BACKEND_H
#define CPU_DYNARMIC_BACKEND_H

#include "cpu/dynarmic/library.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include <dynarmic/interface/A64/config.h>

namespace Xbyak
{

class Label;
class Reg;

/* It is passed in a register; the lowest bits are the host's number. */
struct Reg64 {
	uint64_t inner;

	unsigned number() const
	{
		return inner & 15;
	}
	const Reg &reg() const
	{
		return reinterpret_cast<const Reg &>(*this);
	}
};

} // namespace Xbyak

namespace Dynarmic::IR
{

enum class Cond : int; /* as encoded in instructions */

namespace Term
{

struct LinkBlock {
	LocationDescriptor next;
};
/* To where the pc is. */
struct FastDispatchHint {
};

} // namespace Term

} // namespace Dynarmic::IR

namespace Dynarmic::Backend::X64
{

class BlockOfCode
{
      public:
	VISIBLE void PreludeComplete();
	VISIBLE void *AllocateFromCodeSpace(size_t size);
	VISIBLE void LoadRequiredFlagsForCondFromRax(IR::Cond cond);
	void SetCodePtr(const void *p);
};

/* 0 to 15 are general registers, the next 16 vector registers, those behind flags and places on the stack. */
enum class HostLoc : int;
constexpr HostLoc FIRST_XMM{16}, END_XMM{32}, FIRST_SPILL{38};

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

using HostReg = Xbyak::Reg64;

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
	size_t places() const;
	void CopyToScratch(size_t bit_width, HostLoc to, HostLoc from);
	void Move(HostLoc to, HostLoc from);

	bool copy(HostLoc &to, HostLoc from, IR::Type type, const std::vector<HostLoc> &desired);

      public:
	VISIBLE std::optional<HostLoc> ValueLocation(const IR::Inst *value) const;
	VISIBLE HostLoc SelectARegister(const std::vector<HostLoc> &desired) const;
	VISIBLE void EndOfAllocScope();
	VISIBLE HostLoc FindFreeSpill() const;
	VISIBLE HostLoc UseScratchImpl(IR::Value value, const std::vector<HostLoc> &desired);
	VISIBLE void MoveOutOfTheWay(HostLoc reg);
	std::array<Argument, 4> GetArgumentInfo(IR::Inst *inst);
	HostReg UseGpr(Argument &arg);
	HostReg Use(Argument &arg, HostLoc loc);
	HostReg ScratchGpr(HostLoc loc);
	HostReg ScratchGpr();
	void DefineValue(IR::Inst *inst, Argument &arg);
	void DefineValue(IR::Inst *inst, const Xbyak::Reg &reg);
};

class EmitContext
{
      public:
	EmitContext() = delete;
	virtual ~EmitContext();

	RegAlloc &reg_alloc;
	IR::Block &block;
	std::vector<std::function<void()>> deferred_emits; /* behind the block's end */
};

class EmitX64
{
      public:
	struct BlockDescriptor {
		const void *code;
		size_t size;
	};

	EmitX64() = delete;
	virtual ~EmitX64();

	VISIBLE std::optional<BlockDescriptor> GetBasicBlock(IR::LocationDescriptor location) const;
	VISIBLE void ClearCache();
	VISIBLE BlockDescriptor RegisterBlock(const IR::LocationDescriptor &location,
					      const void *begin, size_t size);

	VISIBLE void EmitZeroExtendWordToLong(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitZeroExtendByteToWord(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitZeroExtendHalfToWord(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitLeastSignificantByte(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitLeastSignificantHalf(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitVectorGetElement32(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitVectorGetElement64(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitAdd32(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitAdd64(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitGetNZCVFromOp(EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitCallHostFunction(EmitContext &ctx, IR::Inst *inst);

	/* Puts TARGET into the stack of return addresses; changes the registers, and rcx. */
	void PushRSBHelper(HostReg a, HostReg b, IR::LocationDescriptor target);

	BlockOfCode &code;
};

/* Its last member says how generated code accesses memory. */
class A64EmitContext final : public EmitContext
{
      public:
	A64EmitContext() = delete;
	~A64EmitContext() override;

	const Dynarmic::A64::UserConfig &conf;
};

class A64EmitX64 final : public EmitX64
{
      public:
	/* Virtual in the library, where nothing derives from this class. */
	VISIBLE void Unpatch(const IR::LocationDescriptor &location);
	VISIBLE void ClearFastDispatchTable();
	void EmitTerminalImpl(IR::Term::LinkBlock terminal, IR::LocationDescriptor start,
			      bool step);
	void EmitTerminalImpl(IR::Term::FastDispatchHint terminal, IR::LocationDescriptor start,
			      bool step);
	VISIBLE void EmitA64ReadMemory8(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64ReadMemory16(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64ReadMemory32(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64ReadMemory64(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64ReadMemory128(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64WriteMemory8(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64WriteMemory16(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64WriteMemory32(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64WriteMemory64(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitA64WriteMemory128(A64EmitContext &ctx, IR::Inst *inst);
	VISIBLE void EmitCheckMemoryAbort(A64EmitContext &ctx, IR::Inst *inst, Xbyak::Label *end);
};

VISIBLE void ABI_PushCallerSaveRegistersAndAdjustStackExcept(BlockOfCode &code, HostLoc exception);
VISIBLE void ABI_PopCallerSaveRegistersAndAdjustStackExcept(BlockOfCode &code, HostLoc exception);

namespace detail
{

VISIBLE void PerfMapRegister(const void *start, const void *end, std::string_view name);

} // namespace detail

} // namespace Dynarmic::Backend::X64

/* --- scratch.cpp */
/* Before a block is generated: no place on the stack has been used. */
void spills_begin();

/* --- flags.cpp */
/* Before a block is generated: no flags have been taken. */
void flags_begin();
/* The host's flags as a jump under COND wants them, from what rax has of the guest's. */
void flags_of_rax(Dynarmic::Backend::X64::BlockOfCode &code, Dynarmic::IR::Cond cond);
/* The host's flags of a subtraction as that jump wants them; whether the carry was complemented. */
bool complement_carry(Dynarmic::Backend::X64::BlockOfCode &code, Dynarmic::IR::Cond cond);
/* Removes the last instructions if they put the host's flags into rax, where nothing was before; false: they do not. */
bool untake_flags(Dynarmic::Backend::X64::BlockOfCode &code);
/* Puts the host's flags into rax. */
void take_flags(Dynarmic::Backend::X64::BlockOfCode &code, bool complemented);

#endif
