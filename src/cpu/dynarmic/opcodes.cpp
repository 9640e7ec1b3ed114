/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of operations, which the library is asked for. */
#include "cpu/dynarmic/opcodes.h"

#include <string_view>

using namespace Dynarmic;
using IR::Opcode;

static const char *const names[NAMES] = {
	"GetW",
	"GetX",
	"GetSP",
	"GetS",
	"GetD",
	"GetQ",
	"GetNZCVRaw",
	"SetW",
	"SetX",
	"SetSP",
	"SetS",
	"SetD",
	"SetQ",
	"SetNZCV",
	"SetNZCVRaw",
	"Add32",
	"Add64",
	"LeastSignificantWord",
	"ZeroExtendWordToLong",
	"VectorZeroUpper",
	"Sub32",
	"And32",
	"AndNot32",
	"Or32",
	"Eor32",
	"Not32",
	"Mul32",
	"ConditionalSelect32",
	"ZeroExtendByteToWord",
	"ZeroExtendHalfToWord",
	"ZeroExtendLongToQuad",
	"VectorGetElement32",
	"VectorGetElement64",
	"And64",
	"RotateRight32",
	"RotateRight64",
	"LogicalShiftLeft32",
	"LogicalShiftLeft64",
	"LogicalShiftRight32",
	"LogicalShiftRight64",
	"LeastSignificantByte",
	"LeastSignificantHalf",
	"PushRSB",
	"Sub64",
	"GetNZCVFromOp",
	"CallHostFunction",
};

/* Floating-point operations but for those that change the sign only. */
static bool computes(std::string_view name)
{
	if (!name.starts_with("FP"))
		return false;
	name.remove_prefix(name.starts_with("FPVector") ? 8 : 2);
	return !name.starts_with("Abs") && !name.starts_with("Neg");
}

Numbers::Numbers()
{
	unsigned missing = NAMES;

	name.fill(NAMES);
	try {
		for (int op = 0; op < OPCODES; op++) {
			const std::string text = IR::GetNameOf(static_cast<Opcode>(op));

			exceptional[op] = computes(text);

			for (unsigned n = 0; n < NAMES; n++) {
				if (text != names[n])
					continue;
				number[n] = static_cast<Opcode>(op);
				name[op] = static_cast<uint8_t>(n);
				missing--;
			}
		}
	} catch (...) {
		/* Beyond the last one. */
	}
	complete = !missing;
}

const Numbers &numbers()
{
	static const Numbers n;

	return n;
}

bool registers_ready()
{
	return numbers().complete;
}
