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
 * The library has 64 places for values beside the host's registers, of which a call keeps four: see bound().
 */
#include "cpu/dynarmic/opcodes.h"

#include <algorithm>
#include <array>

#include "mem/guard.h"

using namespace Dynarmic;
using IR::Value;

namespace
{

/* A register was written in this form, and what the value does not say of it is zero; or, ..._READ, was read in this form, and
 * the rest is not known. */
enum class Form { NONE, W_READ, W, X, S, D_READ, D, Q, FLAGS, FLAGS_RAW };

struct Register {
	Value value;
	Value word; /* the lower half, if it is in the same host register */
	Form form = Form::NONE;
	IR::Inst *set = nullptr; /* a write that the next one may make needless */
};

/* Notes registers and their values in front of a place, three at a time. */
class Sinks
{
      public:
	Sinks(IR::Block &b, IR::Block::iterator place) : block(b), at(place)
	{
	}

	void add(unsigned reg, const Value &value)
	{
		what &= ~(uint64_t{LATE_NONE} << 8 * (count + 1));
		what |= uint64_t{reg} << 8 * (count + 1);
		values[count++] = value;
		all++;
		if (count == values.size())
			put();
	}

	unsigned size() const
	{
		return all;
	}

	void put()
	{
		if (count)
			block.PrependNewInst(at, numbers().number[CALL_HOST],
					     {Value(static_cast<unsigned long>(what)), values[0],
					      values[1], values[2]});
		what = SINK_NOTHING;
		values.fill(none);
		count = 0;
	}

      private:
	IR::Block &block;
	const IR::Block::iterator at;
	const Value none{0ul};
	std::array<Value, 3> values{none, none, none};
	uint64_t what = SINK_NOTHING;
	unsigned count = 0, all = 0;
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
	/* What the flags are about, if it is known. */
	struct {
		bool known = false;
		uint8_t how = 0; /* Comparison */
		Value left, right;
	} compared;
	/* The only way out that stores the flags; NOWHERE: there are more. */
	mcl::intrusive_list_node<IR::Inst> *flags_at = nullptr, nowhere;
	/* Stores that ways out may yet have: 40 bytes each, and the library makes room for a megabyte. */
	unsigned room = 8000;
	/* Writes and reads since bound(). */
	unsigned changes = 0;

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

	void get_flags(IR::Inst &inst)
	{
		if (nzcv.form == Form::FLAGS_RAW) {
			inst.ReplaceUsesWith(nzcv.value);
			return;
		}
		read(nzcv, inst, Form::FLAGS_RAW);
		compared = {};
	}

	/* Flags of a difference or a conjunction can be had again wherever its operands are. */
	void set_flags(IR::Inst &inst, Form form)
	{
		const Value value = inst.GetArg(0);
		const IR::Inst *const made = made_by(value, FLAGS_OF);

		new_flags();
		set(nzcv, inst, value, form);
		compared = {};
		if (!made || form != Form::FLAGS)
			return;
		const IR::Inst &op = *made->GetArg(0).GetInstRecursive();
		const Name name = numbers().of(op);
		const bool conjunction = name == AND32 || name == AND64;
		/* With carry, as a plain subtraction has it. */
		const bool difference = (name == SUB32 || name == SUB64) &&
					op.GetArg(2).IsImmediate() && !op.GetArg(2).IsZero();

		if (!conjunction && !difference)
			return;
		compared.known = true;
		compared.how =
			static_cast<uint8_t>((conjunction ? COMPARE_AND : 0) |
					     (name == SUB64 || name == AND64 ? COMPARE_LONG : 0));
		compared.left = op.GetArg(0);
		compared.right = op.GetArg(1);
	}

	void forget_flags()
	{
		nzcv = {};
		compared = {};
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

	/* What was loaded as a byte or half is extended once. */
	static void extension(IR::Inst &inst, Name part)
	{
		const IR::Inst *const low = made_by(inst.GetArg(0), part);
		IR::Inst *const word = low ? made_by(low->GetArg(0), numbers().of(inst)) : nullptr;

		if (word)
			inst.ReplaceUsesWith(Value(word));
	}

	void keep_all()
	{
		for (Register &r : x)
			r.set = nullptr;
		for (Register &r : v)
			r.set = nullptr;
		sp.set = nzcv.set = nullptr;
	}

	/* Of the registers whose writes INST might show. */
	void way_out(IR::Inst &inst)
	{
		if (!in_superblock() || !room) {
			keep_all();
			return;
		}
		const IR::Block::iterator behind{inst.next};
		Sinks sinks(block, behind);

		for (unsigned i = 0; i < x.size(); i++) {
			if (x[i].set)
				sinks.add(LATE_X + i, x[i].value);
		}
		if (sp.set)
			sinks.add(LATE_X + 31, sp.value);
		if (nzcv.set && compared.known) {
			sinks.add(LATE_LEFT + compared.how, compared.left);
			sinks.add(LATE_RIGHT, compared.right);
		} else if (nzcv.set && nzcv.form == Form::FLAGS && !nzcv.value.IsImmediate()) {
			sinks.add(LATE_NZCV, nzcv.value);
			flags_at = flags_at || !is_flags_exit(inst) ? &nowhere : &inst;
		} else {
			nzcv.set = nullptr;
		}
		for (unsigned i = 0; i < v.size(); i++) {
			if (!v[i].set)
				continue;
			if (v[i].value.IsImmediate())
				v[i].set = nullptr;
			else
				sinks.add(i + (v[i].form == Form::S   ? LATE_S
					       : v[i].form == Form::D ? LATE_D
								      : LATE_Q),
					  v[i].value);
		}
		sinks.put();
		room -= std::min(room, sinks.size());
	}

	static bool is_flags_exit(const IR::Inst &inst)
	{
		return numbers().of(inst) == CALL_HOST &&
		       (inst.GetArg(0).GetImmediateAsU64() & 0xff) == EXIT_FLAGS;
	}

	/* Flags that only one way out has looked at, which was about them, need not be taken from the host's before. */
	void new_flags()
	{
		if (nzcv.set && flags_at && flags_at != &nowhere)
			static_cast<IR::Inst *>(flags_at)->SetArg(2, Value(1ul));
		flags_at = nullptr;
	}

	/* INST, which leaves under a condition, compares itself. After a conjunction the host has no carry of the guest's. */
	bool compare(IR::Inst &inst)
	{
		const uint64_t cond = inst.GetArg(0).GetImmediateAsU64() >> 8 & 0xff;
		const bool carry = cond == 2 || cond == 3 || cond == 8 || cond == 9;

		if (!compared.known || (carry && compared.how & COMPARE_AND))
			return false;
		inst.SetArg(0, Value(static_cast<unsigned long>(EXIT_COMPARE | cond << 8 |
								uint64_t{compared.how} << 16)));
		inst.SetArg(2, compared.left);
		inst.SetArg(3, compared.right);
		return true;
	}

	void marker(IR::Inst &inst)
	{
		switch (inst.GetArg(0).GetImmediateAsU64() & 0xff) {
		case EXIT_FLAGS:
			if (!compare(inst) && nzcv.set && nzcv.form == Form::FLAGS &&
			    !nzcv.value.IsImmediate())
				inst.SetArg(3, nzcv.value);
			way_out(inst);
			break;
		case EXIT_ZERO:
		case EXIT_SET:
		case EXIT_RETURN: way_out(inst); break;
		case IN_LINE:
			way_out(inst);
			changed(static_cast<unsigned>(inst.GetArg(0).GetImmediateAsU64() >> 24) &
				31);
			break;
		default: break;
		}
	}

	/* Generated code has written register N where the guest's state is. */
	void changed(unsigned n)
	{
		if (n == 31)
			return;
		if (x.at(n).set)
			x.at(n).set->Invalidate();
		x.at(n) = {};
	}

	/* Values that later instructions may use. Of a scalar floating-point register there are two: what is in it, and that with
	 * zeros above. */
	unsigned known() const
	{
		unsigned n = 4; /* sp, flags and what they are about */

		for (const Register &r : x)
			n += r.form != Form::NONE;
		for (const Register &r : v)
			n += (r.form != Form::NONE) + (made_by(r.value, EXTEND_LONG) != nullptr);
		return n;
	}

	/* Keeps their number below that of places, with what has come since the last time and what one instruction needs. */
	void bound()
	{
		constexpr unsigned OFTEN = 4, MOST = 54;

		if (++changes < OFTEN)
			return;
		changes = 0;
		if (known() > MOST)
			forget_all();
	}

	void forget_all()
	{
		x.fill({});
		v.fill({});
		sp = {};
		forget_flags();
	}

	void other(IR::Inst &inst)
	{
		if (inst.IsMemoryReadOrWrite())
			way_out(inst);
		else if (inst.CausesCPUException())
			forget_all();
		else if (inst.ReadsFromCoreRegister() || inst.WritesToCoreRegister())
			forget_all(); /* none of AArch64 that is not above, but of the pc */
		else if (inst.ReadsFromCPSR() || inst.WritesToCPSR())
			forget_flags();
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
		const Name name = numbers().of(inst);

		if (name <= SET_NZCV_RAW)
			bound();
		switch (name) {
		case GET_W: get_word(first(x, inst), inst); break;
		case GET_X: get_long(first(x, inst), inst); break;
		case GET_SP: get_long(sp, inst); break;
		case GET_S: get_single(first(v, inst), inst); break;
		case GET_D: get_double(first(v, inst), inst); break;
		case GET_Q: get_quad(first(v, inst), inst); break;
		case GET_NZCV: get_flags(inst); break;
		case SET_W: set_word(first(x, inst), inst, inst.GetArg(1)); break;
		case SET_X: set(first(x, inst), inst, inst.GetArg(1), Form::X); break;
		case SET_SP: set(sp, inst, inst.GetArg(0), Form::X); break;
		case SET_S: set(first(v, inst), inst, inst.GetArg(1), Form::S); break;
		case SET_D: set(first(v, inst), inst, inst.GetArg(1), Form::D); break;
		case SET_Q: set(first(v, inst), inst, inst.GetArg(1), Form::Q); break;
		case SET_NZCV: set_flags(inst, Form::FLAGS); break;
		case SET_NZCV_RAW: set_flags(inst, Form::FLAGS_RAW); break;
		case ADD32:
		case ADD64: add(inst); break;
		case AND32:
		case AND64: simplify_mask(block, inst); break;
		case EXTEND_BYTE: extension(inst, LOW_BYTE); break;
		case EXTEND_HALF: extension(inst, LOW_HALF); break;
		case CALL_HOST: marker(inst); break;
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
	case LEFT32:
	case RIGHT32: {
		const Value by = inst->GetArg(1);

		return by.IsImmediate() && by.GetImmediateAsU64() - 1 < 31;
	}
	default: return inst->IsMemoryRead() && inst->GetType() == IR::Type::U32;
	}
}

Base base_of(const Value &address)
{
	Value v = address;
	uint64_t offset = 0;

	while (!v.IsImmediate()) {
		const IR::Inst *const inst = v.GetInstRecursive();

		if (numbers().of(*inst) != ADD64 || !inst->GetArg(1).IsImmediate() ||
		    !inst->GetArg(2).IsZero())
			return {inst, offset};
		offset += inst->GetArg(1).GetImmediateAsU64();
		v = inst->GetArg(0);
	}
	return {nullptr, offset + v.GetImmediateAsU64()};
}

bool near_arena(const Base &base)
{
	if (!base.value)
		return base.offset <= UINT32_MAX;
	return numbers().of(*base.value) == EXTEND_WORD && base.offset < MEM_GUARD;
}

void eliminate_register_accesses(IR::Block &block)
{
	Pass(block).run();
}
