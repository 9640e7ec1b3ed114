/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact memory aborts without giving up the elimination of register accesses.
 *
 * Told to look for a halt at memory accesses, dynarmic leaves out its pass that removes loads and stores of
 * guest registers, since behind an abort each register must hold what the instructions before it wrote. It is
 * enough that the pass starts anew at each memory access: registers are then written before it, and read
 * again behind it.
 *
 * The library calls its passes and the questions they ask through its procedure linkage table. A module that
 * is loaded with RTLD_LOCAL comes before its libraries in their search order, so the definitions here are the
 * ones that are called: NamingPass(), which always runs, runs the left-out pass first, and memory accesses count
 * as writers of core registers and flags. They are no dead code either then, even if nothing uses what was
 * loaded: a load may fault. Names and order of the passes are those of dynarmic 6.4.5; a version without them
 * does not call this file.
 */
#include <dlfcn.h>

#define VISIBLE __attribute__((visibility("default")))

namespace Dynarmic::IR
{

class Block;

class Inst
{
      public:
	bool IsMemoryReadOrWrite() const;
	VISIBLE bool WritesToCoreRegister() const;
	VISIBLE bool WritesToCPSR() const;
};

} // namespace Dynarmic::IR

namespace Dynarmic::Optimization
{

void A64GetSetElimination(IR::Block &block);
void DeadCodeElimination(IR::Block &block);
VISIBLE void NamingPass(IR::Block &block);

} // namespace Dynarmic::Optimization

namespace
{

/* The library's own definition of what this file defines. */
template <typename F> F *next(const char *name)
{
	return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

using Question = bool(const Dynarmic::IR::Inst *);

} // namespace

bool Dynarmic::IR::Inst::WritesToCoreRegister() const
{
	static Question *const real =
		next<Question>("_ZNK8Dynarmic2IR4Inst20WritesToCoreRegisterEv");

	return IsMemoryReadOrWrite() || real(this);
}

bool Dynarmic::IR::Inst::WritesToCPSR() const
{
	static Question *const real = next<Question>("_ZNK8Dynarmic2IR4Inst12WritesToCPSREv");

	return IsMemoryReadOrWrite() || real(this);
}

void Dynarmic::Optimization::NamingPass(IR::Block &block)
{
	using Pass = void(IR::Block &);
	static Pass *const real =
		next<Pass>("_ZN8Dynarmic12Optimization10NamingPassERNS_2IR5BlockE");

	A64GetSetElimination(block);
	DeadCodeElimination(block);
	real(block);
}
