/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What exact.cpp, registers.cpp, scratch.cpp, flags.cpp and dispatch.cpp see of the inside of dynarmic 6.4.5: its intermediate representation and
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

/* An immediate, or what an instruction gives. */
class Value
{
      public:
	Value() = default;
	explicit Value(Inst *inst);
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
	bool HasAssociatedPseudoOperation() const;
	Type GetType() const;
	Value GetArg(size_t index) const;
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

	iterator PrependNewInst(iterator before, Opcode op, std::initializer_list<Value> args);
	mcl::intrusive_list<Inst> &Instructions();
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
/* Whether the host register of a word, no immediate, has zeros above it as soon as it is defined. */
bool zero_above(const Dynarmic::IR::Value &word);

/* --- dispatch.cpp */
/* Before and behind the creation of an instance with FastDispatch, in one thread. False: it must not be used. */
void dispatch_begin();
bool dispatch_end();

#endif
