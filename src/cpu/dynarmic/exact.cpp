/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact memory aborts without giving up the elimination of register accesses: NamingPass(), which always runs, runs that
 * of registers.cpp first. Memory accesses count as writers of core registers, so they are no dead code even if nothing
 * uses what was loaded: a load may fault.
 */
#include "cpu/dynarmic/opcodes.h"

using namespace Dynarmic;

bool IR::Inst::WritesToCoreRegister() const
{
	using Question = bool(const IR::Inst *);
	static Question *const real =
		library<Question>("_ZNK8Dynarmic2IR4Inst20WritesToCoreRegisterEv");

	return IsMemoryReadOrWrite() || real(this);
}

/* The library's list lacks multiplications "extended" (FMULX) and others: their bits were lost if nothing used the result. */
bool IR::Inst::WritesToFPSRCumulativeExceptionBits() const
{
	using Question = bool(const IR::Inst *);
	static Question *const real =
		library<Question>("_ZNK8Dynarmic2IR4Inst35WritesToFPSRCumulativeExceptionBitsEv");

	return numbers().exceptional[static_cast<int>(opcode())] || real(this);
}

void Optimization::NamingPass(IR::Block &block)
{
	using Pass = void(IR::Block &);
	static Pass *const real =
		library<Pass>("_ZN8Dynarmic12Optimization10NamingPassERNS_2IR5BlockE");

	if (registers_ready()) {
		eliminate_register_accesses(block);
		DeadCodeElimination(block);
	}
	real(block);
}

/* It counts the uses of each instruction for assertions that distributions leave out; ours of the engines' agreement says more
 * (tests/unit/test_cpu_engines.c). */
void Optimization::VerificationPass(const IR::Block &)
{
}
