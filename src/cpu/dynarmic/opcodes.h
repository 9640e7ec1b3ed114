/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations of dynarmic's intermediate representation that the module knows, by name. */
#ifndef CPU_DYNARMIC_OPCODES_H
#define CPU_DYNARMIC_OPCODES_H

#include "cpu/dynarmic/library.h"

#include <array>

enum Name {
	GET_W,
	GET_X,
	GET_SP,
	GET_S,
	GET_D,
	GET_Q,
	GET_NZCV,
	SET_W,
	SET_X,
	SET_SP,
	SET_S,
	SET_D,
	SET_Q,
	SET_NZCV,
	SET_NZCV_RAW,
	ADD32,
	ADD64,
	LOW_WORD,
	EXTEND_WORD,
	ZERO_UPPER,
	SUB32,
	AND32,
	AND_NOT32,
	OR32,
	EOR32,
	NOT32,
	MUL32,
	SELECT32,
	EXTEND_BYTE,
	EXTEND_HALF,
	EXTEND_LONG,
	ELEMENT32,
	ELEMENT64,
	AND64,
	ROTATE32,
	ROTATE64,
	LEFT32,
	LEFT64,
	RIGHT32,
	RIGHT64,
	LOW_BYTE,
	LOW_HALF,
	PUSH_RETURN,
	SUB64,
	FLAGS_OF,
	CALL_HOST, /* see superblock.cpp */
	NAMES
};

/* More than there are. */
constexpr int OPCODES = 4096;

struct Numbers {
	std::array<Dynarmic::IR::Opcode, NAMES> number{};
	std::array<uint8_t, OPCODES> name{};     /* NAMES: another one */
	std::array<bool, OPCODES> exceptional{}; /* may set cumulative exception bits of FPSR */
	bool complete = false;                   /* the library has all of them */

	Numbers();

	Name of(const Dynarmic::IR::Inst &inst) const
	{
		return static_cast<Name>(name[static_cast<int>(inst.opcode())]);
	}
};

const Numbers &numbers();

inline bool is_sink(const Dynarmic::IR::Inst &inst)
{
	return numbers().of(inst) == CALL_HOST &&
	       (inst.GetArg(0).GetImmediateAsU64() & 0xff) == SINK;
}

#endif
