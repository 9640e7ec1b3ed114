/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elimination of register accesses in a translated block, with exact memory aborts.
 *
 * dynarmic has a pass for it (A64GetSetElimination), which it leaves out if memory aborts are to be seen, since behind
 * an abort each register must hold what the instructions before it wrote. This one differs in four ways:
 * - A write of a register is kept if a memory access comes before the next write of it. What is known about the register's
 *   value stays known behind the access: its callbacks change no registers.
 * - Reading 64 bits of what was written as 32 is an extension, and the other way round a truncation. Addresses of ILP32 code
 *   are computed with 32 bits and used with 64, which would go through memory each time.
 * - What an instruction of x86 with 32-bit operands has put into a register is its own extension (scratch.cpp).
 * - An addition of zero, which each access without an offset has, is none.
 *
 * No more values live at a time than with the library's pass (one a register), so its places for them suffice.
 */
#include "cpu/dynarmic/library.h"

#include <array>
#include <cstring>

using namespace Dynarmic;
using IR::Opcode;
using IR::Value;

namespace
{

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
	NAMES
};

const char *const names[NAMES] = {
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
};

/* More than there are. */
constexpr int OPCODES = 4096;

struct Numbers {
	std::array<Opcode, NAMES> number{};
	std::array<uint8_t, OPCODES> name{}; /* NAMES: another one */
	bool complete = false;

	Numbers()
	{
		unsigned missing = NAMES;

		name.fill(NAMES);
		try {
			for (int op = 0; op < OPCODES && missing; op++) {
				const std::string text = IR::GetNameOf(static_cast<Opcode>(op));

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

	Name of(const IR::Inst &inst) const
	{
		return static_cast<Name>(name[static_cast<int>(inst.opcode())]);
	}
};

const Numbers &numbers()
{
	static const Numbers n;

	return n;
}

/* A register was written in this form, and what the value does not say of it is zero; or, ..._READ, was read in this form, and
 * the rest is not known. */
enum class Form { NONE, W_READ, W, X, S, D_READ, D, Q, FLAGS, FLAGS_RAW };

struct Register {
	Value value;
	Value word; /* the lower half, if it is in the same host register */
	Form form = Form::NONE;
	IR::Inst *set = nullptr; /* a write that the next one may make needless */
};

class Pass
{
      public:
	explicit Pass(IR::Block &b) : block(b)
	{
	}

	void run()
	{
		mcl::intrusive_list_node<IR::Inst> *const end = block.Instructions().sentinel;

		for (auto *node = end->next; node != end; node = node->next)
			visit(*static_cast<IR::Inst *>(node));
	}

      private:
	IR::Block &block;
	std::array<Register, 31> x;
	std::array<Register, 32> v;
	Register sp, nzcv;

	static void set(Register &r, IR::Inst &inst, const Value &value, Form form)
	{
		if (r.set)
			r.set->Invalidate();
		r.value = value;
		r.word = {};
		r.form = form;
		r.set = &inst;
	}

	/* Written as 64 bits, which takes an instruction less and may be used as such. */
	void set_word(Register &r, IR::Inst &inst, const Value &word)
	{
		if (word.IsImmediate()) {
			set(r, inst, word, Form::W);
			return;
		}
		const bool same = zero_above(word);
		const Value value = put_before(inst, EXTEND_WORD, word);
		const IR::Block::iterator at{&inst};
		const auto fresh =
			block.PrependNewInst(at, numbers().number[SET_X], {inst.GetArg(0), value});

		set(r, *static_cast<IR::Inst *>(fresh.node), value, Form::X);
		if (same)
			r.word = word;
		inst.Invalidate();
	}

	static void read(Register &r, IR::Inst &inst, Form form)
	{
		r.value = Value(&inst);
		r.word = {};
		r.form = form;
		r.set = nullptr;
	}

	Value put_before(IR::Inst &inst, Name op, const Value &arg)
	{
		IR::Block::iterator at{&inst};
		const auto fresh = block.PrependNewInst(at, numbers().number[op], {arg});

		return Value(static_cast<IR::Inst *>(fresh.node));
	}

	void get_word(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::W || r.form == Form::W_READ)
			inst.ReplaceUsesWith(r.value);
		else if (r.form == Form::X && !r.word.IsEmpty())
			inst.ReplaceUsesWith(r.word);
		else if (r.form == Form::X)
			inst.ReplaceUsesWith(put_before(inst, LOW_WORD, r.value));
		else
			read(r, inst, Form::W_READ);
	}

	void get_long(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::W) {
			r.value = put_before(inst, EXTEND_WORD, r.value);
			r.form = Form::X;
		}
		if (r.form == Form::X)
			inst.ReplaceUsesWith(r.value);
		else
			read(r, inst, Form::X);
	}

	void get_single(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::S)
			inst.ReplaceUsesWith(r.value);
		else
			read(r, inst, Form::S);
	}

	void get_double(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::D || r.form == Form::D_READ)
			inst.ReplaceUsesWith(r.value);
		else if (r.form == Form::Q)
			inst.ReplaceUsesWith(put_before(inst, ZERO_UPPER, r.value));
		else
			read(r, inst, Form::D_READ);
	}

	void get_quad(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::Q)
			inst.ReplaceUsesWith(r.value);
		else if (r.form == Form::D)
			inst.ReplaceUsesWith(put_before(inst, ZERO_UPPER, r.value));
		else
			read(r, inst, Form::Q);
	}

	static void get_flags(Register &r, IR::Inst &inst)
	{
		if (r.form == Form::FLAGS_RAW)
			inst.ReplaceUsesWith(r.value);
		else
			read(r, inst, Form::FLAGS_RAW);
	}

	static void add(IR::Inst &inst)
	{
		if (inst.HasAssociatedPseudoOperation() || !inst.GetArg(2).IsZero() ||
		    !inst.GetArg(1).IsZero())
			return;
		const Value same = inst.GetArg(0);

		inst.ReplaceUsesWith(same);
	}

	/* The instruction behind V, if it is OP. */
	static IR::Inst *made_by(const Value &v, Name op)
	{
		if (v.IsEmpty() || v.IsImmediate())
			return nullptr;
		IR::Inst *const inst = v.GetInstRecursive();

		return numbers().of(*inst) == op ? inst : nullptr;
	}

	/* A scalar floating-point register is read as the first element of what it was extended to. */
	static void element(IR::Inst &inst, bool word)
	{
		const IR::Inst *made =
			inst.GetArg(1).IsZero() ? made_by(inst.GetArg(0), EXTEND_LONG) : nullptr;

		if (made && word)
			made = made_by(made->GetArg(0), EXTEND_WORD);
		if (made)
			inst.ReplaceUsesWith(made->GetArg(0));
	}

	void keep_all()
	{
		for (Register &r : x)
			r.set = nullptr;
		for (Register &r : v)
			r.set = nullptr;
		sp.set = nzcv.set = nullptr;
	}

	void forget_all()
	{
		x.fill({});
		v.fill({});
		sp = nzcv = {};
	}

	void other(const IR::Inst &inst)
	{
		if (inst.IsMemoryReadOrWrite())
			keep_all();
		else if (inst.CausesCPUException())
			forget_all();
		else if (inst.ReadsFromCoreRegister() || inst.WritesToCoreRegister())
			forget_all(); /* none of AArch64 that is not above, but of the pc */
		else if (inst.ReadsFromCPSR() || inst.WritesToCPSR())
			nzcv = {};
	}

	Register &first(std::array<Register, 31> &file, const IR::Inst &inst)
	{
		return file.at(inst.GetArg(0).index());
	}

	Register &first(std::array<Register, 32> &file, const IR::Inst &inst)
	{
		return file.at(inst.GetArg(0).index());
	}

	void visit(IR::Inst &inst)
	{
		switch (numbers().of(inst)) {
		case GET_W: get_word(first(x, inst), inst); break;
		case GET_X: get_long(first(x, inst), inst); break;
		case GET_SP: get_long(sp, inst); break;
		case GET_S: get_single(first(v, inst), inst); break;
		case GET_D: get_double(first(v, inst), inst); break;
		case GET_Q: get_quad(first(v, inst), inst); break;
		case GET_NZCV: get_flags(nzcv, inst); break;
		case SET_W: set_word(first(x, inst), inst, inst.GetArg(1)); break;
		case SET_X: set(first(x, inst), inst, inst.GetArg(1), Form::X); break;
		case SET_SP: set(sp, inst, inst.GetArg(0), Form::X); break;
		case SET_S: set(first(v, inst), inst, inst.GetArg(1), Form::S); break;
		case SET_D: set(first(v, inst), inst, inst.GetArg(1), Form::D); break;
		case SET_Q: set(first(v, inst), inst, inst.GetArg(1), Form::Q); break;
		case SET_NZCV: set(nzcv, inst, inst.GetArg(0), Form::FLAGS); break;
		case SET_NZCV_RAW: set(nzcv, inst, inst.GetArg(0), Form::FLAGS_RAW); break;
		case ADD32:
		case ADD64: add(inst); break;
		case ELEMENT32: element(inst, true); break;
		case ELEMENT64: element(inst, false); break;
		default: other(inst);
		}
	}
};

} // namespace

bool zero_above(const Value &word)
{
	const IR::Inst *const inst = word.GetInstRecursive();

	switch (numbers().of(*inst)) {
	case GET_W:
	case LOW_WORD:
	case ADD32:
	case SUB32:
	case AND32:
	case AND_NOT32:
	case OR32:
	case EOR32:
	case NOT32:
	case MUL32:
	case SELECT32:
	case EXTEND_BYTE:
	case EXTEND_HALF: return true;
	default: return inst->IsMemoryRead() && inst->GetType() == IR::Type::U32;
	}
}

bool registers_ready()
{
	return numbers().complete;
}

void eliminate_register_accesses(IR::Block &block)
{
	Pass(block).run();
}
