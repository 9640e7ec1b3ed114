/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the module see of the inside of dynarmic 6.4.5: its intermediate representation and
 * its register allocator. The library exports their functions but installs no header for them; names, layouts and the
 * order of passes are facts of that version (src/dynarmic/ir, src/dynarmic/backend/x64/reg_alloc.h).
 *
 * The library calls its own functions through its procedure linkage table. A module that is loaded with RTLD_LOCAL
 * comes before its libraries in their search order, so a definition in the module is the one that is called, if it is
 * VISIBLE. A version without a name that is replaced does not call it.
 */
#ifndef CPU_DYNARMIC_LIBRARY_H
#define CPU_DYNARMIC_LIBRARY_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <dlfcn.h>

#define VISIBLE __attribute__((visibility("default")))

/* The library's own definition of what the module defines. */
template <typename F> F *library(const char *name)
{
	return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

namespace mcl
{

/* A member of a list; the last one's next is a sentinel that belongs to the list. */
template <typename T> class intrusive_list_node
{
      public:
	intrusive_list_node *next = nullptr, *prev = nullptr;
	bool is_sentinel_ = false;
};

template <typename T> class intrusive_list_iterator
{
      public:
	intrusive_list_node<T> *node;
};

template <typename T> class intrusive_list
{
      public:
	intrusive_list_node<T> *sentinel; /* the first word of a shared pointer */
};

} // namespace mcl

namespace Dynarmic::A64
{

enum class Reg : int;

} // namespace Dynarmic::A64

namespace Dynarmic::IR
{

/* The numbers are the library's own affair: opcode() asks it for those of names. */
enum class Opcode : int;
enum class Type : int {
	U1 = 1 << 5,
	U8 = 1 << 6,
	U16 = 1 << 7,
	U32 = 1 << 8,
	U64 = 1 << 9,
	U128 = 1 << 10,
	NZCVFlags = 1 << 12,
};

std::string GetNameOf(Opcode op);

class Inst;

/* Where a block begins: the pc's lower 56 bits, and modes of the FPCR above. */
struct LocationDescriptor {
	uint64_t value;
};

/* An immediate, or what an instruction gives. */
class Value
{
      public:
	Value() = default;
	explicit Value(Inst *inst);
	explicit Value(A64::Reg reg);
	explicit Value(bool value);          /* U1 */
	explicit Value(unsigned char value); /* U8 */
	explicit Value(unsigned long value); /* U64 */
	bool IsEmpty() const;
	bool IsImmediate() const;
	bool IsZero() const;
	Type GetType() const;
	Inst *GetInst() const;
	Inst *GetInstRecursive() const; /* behind identities */
	uint64_t GetImmediateAsU64() const;

	/* Of a register operand. */
	unsigned index() const
	{
		return static_cast<unsigned>(inner);
	}

      private:
	Type type{};
	uint64_t inner{};
};

class Inst final : public mcl::intrusive_list_node<Inst>
{
      public:
	bool IsMemoryRead() const;
	bool IsMemoryReadOrWrite() const;
	bool ReadsFromCPSR() const;
	bool ReadsFromCoreRegister() const;
	bool CausesCPUException() const;
	VISIBLE bool WritesToCoreRegister() const;
	bool WritesToCPSR() const;
	VISIBLE bool WritesToFPSRCumulativeExceptionBits() const;
	bool HasAssociatedPseudoOperation() const;
	Type GetType() const;
	Value GetArg(size_t index) const;
	void SetArg(size_t index, Value value);
	void Invalidate();
	void ReplaceUsesWith(Value replacement);

	Opcode opcode() const
	{
		return op;
	}

      private:
	Opcode op;
};

class Block
{
      public:
	using iterator = mcl::intrusive_list_iterator<Inst>;

	Block(Block &&other);
	~Block();
	LocationDescriptor Location() const;
	LocationDescriptor EndLocation() const;
	void SetEndLocation(const LocationDescriptor &location);
	void AppendNewInst(Opcode op, std::initializer_list<Value> args);
	iterator PrependNewInst(iterator before, Opcode op, std::initializer_list<Value> args);
	mcl::intrusive_list<Inst> &Instructions();

      private:
	LocationDescriptor location;
	alignas(16) unsigned char rest[240]; /* fewer in the library */
};

} // namespace Dynarmic::IR

namespace Dynarmic::Optimization
{

void DeadCodeElimination(IR::Block &block);
VISIBLE void NamingPass(IR::Block &block);
VISIBLE void VerificationPass(const IR::Block &block);

} // namespace Dynarmic::Optimization

/* --- registers.cpp */
/* Whether the library is one that registers_known() and exact.cpp know. */
bool registers_ready();
/* Removes reads of registers whose value is known, and writes that nobody can see. */
void eliminate_register_accesses(Dynarmic::IR::Block &block);
/* Less instructions for a conjunction with constants, if it is of a shift or has no effect. masks.cpp */
void simplify_mask(Dynarmic::IR::Block &block, Dynarmic::IR::Inst &inst);
/* Whether the host register of a word, no immediate, has zeros above it as soon as it is defined. */
bool zero_above(const Dynarmic::IR::Value &word);
/* An address: a constant that is added to what an instruction gives, which is NULL if there is none. */
struct Base {
	const Dynarmic::IR::Inst *value;
	uint64_t offset;
};
Base base_of(const Dynarmic::IR::Value &address);
/* Whether an address is one of the arena, or less than MEM_GUARD behind it. */
bool near_arena(const Base &base);

/* --- marker.cpp */
/* Before a block is translated and when it has been generated. */
void markers_begin();

/* --- superblock.cpp */
/*
 * The first argument of its operation: what it is in the lowest byte.
 * EXIT_...: a way out to the location that is the second argument: under the condition in the next byte, with flags that are
 * the fourth argument (that need not be there behind it if the third is 1) or, if that is immediate, in the guest's
 * state; if the third argument, or its bit with that number,
 * is zero or is not.
 * EXIT_COMPARE: as EXIT_FLAGS, of the flags of comparing (the byte behind the condition, see Comparison) the third argument with
 * the fourth.
 * EXIT_RETURN: a way out to what the third argument is, unless it is the second.
 * IN_LINE: an instruction of struct jit_inline: what (see superblock.cpp), the base, the operand, and what to compare with.
 * SINK, right behind a way out or a memory access: registers (the next three bytes) that are to have the values of
 * the other arguments if it is left there.
 */
enum Marker : uint64_t {
	COUNT,
	EXIT_FLAGS,
	EXIT_ZERO,
	EXIT_SET,
	EXIT_COMPARE,
	EXIT_RETURN,
	IN_LINE,
	SINK
};
constexpr uint64_t PC_MASK = (uint64_t{1} << 56) - 1; /* of a location */
constexpr uint64_t ALL_BITS = 255;
/* Bits: a conjunction instead of a difference, and of 64 bits. */
enum Comparison : uint8_t { COMPARE_AND = 1, COMPARE_LONG = 2 };
/* Registers of SINK: with the number added, but for flags. X31 is sp. CALL: a location for the stack of return addresses. */
enum LateRegister : uint8_t {
	LATE_X = 0,
	LATE_NZCV = 32,
	LATE_S = 64,
	LATE_D = 96,
	LATE_Q = 128,
	LATE_CALL = 160,
	LATE_LEFT = 192, /* what flags are about, with a Comparison, and with what LATE_RIGHT */
	LATE_RIGHT = 224,
	LATE_NONE = 255
};
/* Of SINK: nothing is to be stored. */
constexpr uint64_t SINK_NOTHING =
	SINK | uint64_t{LATE_NONE} << 8 | uint64_t{LATE_NONE} << 16 | uint64_t{LATE_NONE} << 24;
/* Has the library make what it wants for its first translation. */
void translation_begin();
/* Code has been generated: nobody looks at the block's operations any more. */
void translation_end();
/* Whether what is being translated is a superblock. */
bool in_superblock();

/* Where what is being translated begins; OTHERWISE if that is not known. */
uint64_t translation_start(uint64_t otherwise);

/* --- memory.cpp */
/* While there is one, small pieces of memory for the thread come from a region, if no other thread has that. */
class RegionUse
{
      public:
	RegionUse();
	~RegionUse();
	RegionUse(const RegionUse &) = delete;
	RegionUse &operator=(const RegionUse &) = delete;
};

/* --- dispatch.cpp */
/* Of the guest's state, from r15 in generated code. */
struct offsets {
	bool known;
	int32_t pc, nzcv, halt;
};
/* Known when an instance has been made with FastDispatch. */
const offsets &state_offsets();
/* Before and behind the creation of an instance with FastDispatch, in one thread. False: it must not be used. */
void dispatch_begin();
bool dispatch_end();

#endif
