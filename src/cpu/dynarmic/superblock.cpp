/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Superblocks: what is executed often is translated again, along the way that it goes.
 *
 * dynarmic's blocks end at each branch, where all guest registers go to memory, from which the next block loads them. Here
 * each block begins with a counter, at first. When it has run out the block is translated once more, together with those
 * that most often follow it, as one block of the library: its instructions stay, in place of a branch there is a marker, an
 * operation that nobody else uses, from which the way out leaves. What is known of registers stays known behind it
 * (registers.cpp). A loop is repeated as often as there is room for.
 *
 * - At each marker the guest's state is complete, since stores of registers before it are kept.
 * - A call goes on in what it calls, and behind the return if that is where the register says. The library's stack of return
 *   addresses is told of it only by the ways out before the return.
 * - Halt requests are looked for where a superblock ends and at its ways out, so within INSNS instructions.
 * - Each superblock is found by the lines of all its parts when guest code changes.
 */
#include "cpu/dynarmic/backend.h"
#include "cpu/dynarmic/generated.h"
#include "cpu/dynarmic/opcodes.h"

#include <cstring>
#include <functional>
#include <memory>

using namespace Dynarmic;

namespace
{

/*
 * What a superblock has at most before another part is added: guest instructions, repetitions of a loop (twice as many
 * while it is SHORT: its registers go through memory where it begins again), parts. And the operations of more than one
 * part, which keep its code within the megabyte that the library makes room for, where one instruction accesses memory
 * dozens of times.
 */
constexpr unsigned INSNS = 128, REPEATS = 4, SHORT = 64, PARTS = 32, OPERATIONS = 4000;
/* Parts of another block, but for one. */
constexpr unsigned STRAIGHT = 8;

/* Of this thread. */
thread_local uint64_t part_start;
thread_local bool translating;
/* The parts' memory, which is used until code has been generated. */
thread_local std::vector<std::unique_ptr<IR::Block>> parts;
thread_local bool is_superblock;

/* --- ways ------------------------------------------------------------------------------------------- */

/* How a block ends, by its last instruction. */
struct Branch {
	enum Kind { NONE, ALWAYS, FLAGS, ZERO, BIT, RETURN, IN_LINE_SVC } kind;
	bool call; /* ALWAYS: and x30 is NEXT */
	uint64_t target, next;
	unsigned cond; /* FLAGS: under which it branches */
	bool if_set;   /* ZERO, BIT: it branches if the register is not zero */
	unsigned reg, bit;
	bool wide;
	jit_inline what; /* IN_LINE_SVC: instead of it, on the way to NEXT */
};

uint64_t displacement(uint32_t insn, unsigned low, unsigned bits)
{
	return static_cast<uint64_t>(
		       static_cast<int64_t>(static_cast<uint64_t>(insn) << (64 - low - bits)) >>
		       (64 - bits))
	       << 2;
}

Branch branch_of(uint64_t pc, uint32_t insn)
{
	Branch b = {Branch::NONE, false, 0, pc + 4, 0, false, insn & 31, 0, insn >> 31 != 0, {}};

	if ((insn & 0x7c000000) == 0x14000000) {
		b.kind = Branch::ALWAYS;
		b.call = insn >> 31;
		b.target = pc + displacement(insn, 0, 26);
	} else if ((insn & 0xfffffc1f) == 0xd65f0000) {
		b.kind = Branch::RETURN;
	} else if ((insn & 0xff000010) == 0x54000000 && (insn & 15) < 14) {
		b.kind = Branch::FLAGS;
		b.cond = insn & 15;
		b.target = pc + displacement(insn, 5, 19);
	} else if ((insn & 0x7e000000) == 0x34000000 && b.reg != 31) {
		b.kind = Branch::ZERO;
		b.if_set = insn >> 24 & 1;
		b.target = pc + displacement(insn, 5, 19);
	} else if ((insn & 0x7e000000) == 0x36000000 && b.reg != 31) {
		b.kind = Branch::BIT;
		b.if_set = insn >> 24 & 1;
		b.bit = (insn >> 19 & 31) | (insn >> 26 & 32);
		b.target = pc + displacement(insn, 5, 14);
	} else if ((insn & 0xffe0001f) == 0xd4000001 &&
		   current->callbacks->in_line(current->owner, insn >> 5 & 0xffff, &b.what)) {
		b.kind = Branch::IN_LINE_SVC;
		b.target = b.next;
	}
	b.target &= PC_MASK;
	return b;
}

/* A call on the way that has not returned. */
struct Call {
	uint64_t back;               /* where it returns to */
	IR::Inst *push;              /* puts that into the library's stack of return addresses */
	std::vector<IR::Inst *> out; /* SINKs that do so at ways out */
	std::vector<uint64_t> seen;  /* parts of what was called */
};

/* Where a superblock that begins at START goes on behind B, with BACK from a call; false: nowhere. */
bool follow(const generated &blocks, const Branch &b, uint64_t start, uint64_t modes,
	    const uint64_t *back, uint64_t &to)
{
	if (b.kind == Branch::NONE)
		return false;
	if (b.kind == Branch::RETURN) {
		to = back ? *back : 0;
		return back;
	}
	to = b.target;
	if (b.kind == Branch::IN_LINE_SVC)
		return true;
	if (b.kind == Branch::ALWAYS)
		return to == start || blocks.executed(to | modes);
	const int32_t taken = blocks.executed(b.target | modes),
		      passed = blocks.executed(b.next | modes);

	if (b.target == start || b.next == start) {
		const uint64_t other = b.target == start ? b.next : b.target;

		to = blocks.executed(other | modes) > blocks.threshold - blocks.threshold / 4
			     ? other
			     : start;
		return true;
	}
	to = taken > passed ? b.target : b.next;
	return taken || passed;
}

/* --- making ----------------------------------------------------------------------------------------- */

IR::Value imm(uint64_t value)
{
	return IR::Value(static_cast<unsigned long>(value));
}

IR::Inst &last_inst(IR::Block &block)
{
	return static_cast<IR::Inst &>(*block.Instructions().sentinel->prev);
}

IR::Value last_of(IR::Block &block)
{
	return IR::Value(&last_inst(block));
}

/* The value of a register at the end of BLOCK; 31 is OTHERWISE. */
IR::Value append_read(IR::Block &block, unsigned reg, const IR::Value &otherwise)
{
	if (reg == 31)
		return otherwise;
	block.AppendNewInst(numbers().number[GET_X], {IR::Value(static_cast<A64::Reg>(reg))});
	return last_of(block);
}

/* What B's svc does, in place of it. */
void append_in_line(IR::Block &block, const Branch &b)
{
	const jit_inline &what = b.what;
	IR::Value base;

	/* The call, the pc's change, the return address that the library wants of each call. */
	auto *node = block.Instructions().sentinel->prev;

	for (unsigned n = 0; n < 3; n++, node = node->prev)
		static_cast<IR::Inst *>(node)->Invalidate();
	if (what.base == 31) {
		block.AppendNewInst(numbers().number[GET_SP], {});
		base = last_of(block);
	} else {
		base = append_read(block, what.base, {});
	}
	const IR::Value operand = append_read(block, what.operand, imm(0));
	const IR::Value compared =
		what.op == JIT_COMPARE_AND_SWAP ? append_read(block, what.target, imm(0)) : imm(0);

	/* See emit_in_line(). */
	block.AppendNewInst(numbers().number[CALL_HOST],
			    {imm(IN_LINE | uint64_t{what.op} << 8 | uint64_t{what.size} << 16 |
				 uint64_t{what.target} << 24 | (b.next - 4) << 32),
			     base, operand, compared});
}

/* The way out of BLOCK where B does not go to TO; false: there is none. */
bool append_exit(IR::Block &block, const Branch &b, uint64_t to, uint64_t modes)
{
	const auto op = numbers().number[CALL_HOST];
	const bool taken = to == b.target;
	const IR::Value exit = imm((taken ? b.next : b.target) | modes);

	if (b.kind == Branch::ALWAYS || b.next == b.target)
		return false;
	if (b.kind == Branch::FLAGS) {
		block.AppendNewInst(op, {imm(EXIT_FLAGS | (b.cond ^ (taken ? 1u : 0u)) << 8), exit,
					 imm(0), imm(0)});
		return true;
	}
	IR::Inst &end = last_inst(block);

	if (b.kind == Branch::RETURN) {
		/* In place of the pc's change. */
		const IR::Value value = end.GetArg(0);

		end.Invalidate();
		block.AppendNewInst(op, {imm(EXIT_RETURN), imm(to), value, imm(0)});
		return true;
	}
	/* In place of the bit that the block's end would look at. */
	end.Invalidate();
	block.AppendNewInst(numbers().number[b.wide || b.kind == Branch::BIT ? GET_X : GET_W],
			    {IR::Value(static_cast<A64::Reg>(b.reg))});
	const IR::Value value = last_of(block);
	const uint64_t bit = b.kind == Branch::BIT ? b.bit : ALL_BITS;

	block.AppendNewInst(op, {imm((b.if_set == taken ? EXIT_ZERO : EXIT_SET) | bit << 8), exit,
				 value, imm(0)});
	return true;
}

/* The last of BLOCK that pushes a return address. */
IR::Inst *find_push(IR::Block &block)
{
	auto *const end = block.Instructions().sentinel;

	for (auto *node = end->prev; node != end; node = node->prev) {
		auto *const inst = static_cast<IR::Inst *>(node);

		if (numbers().of(*inst) == PUSH_RETURN)
			return inst;
	}
	return nullptr;
}

/* What of ways out concerns calls. */
class Calls
{
      public:
	explicit Calls(uint64_t start) : open(1)
	{
		open[0].seen.push_back(start);
	}

	/* Where the innermost call returns to; NULL: there is none. */
	const uint64_t *back() const
	{
		return open.size() > 1 ? &open.back().back : nullptr;
	}

	/* Whether a part at PC was on the way since the innermost call. */
	bool has_seen(uint64_t pc) const
	{
		const auto &seen = open.back().seen;

		return std::find(seen.begin(), seen.end(), pc) != seen.end();
	}

	/* The way leads from BLOCK, which ends with B, TO another. */
	void go_on(IR::Block &block, const Branch &b, uint64_t to, uint64_t modes)
	{
		if (b.kind == Branch::RETURN) {
			/* It need not be told to the library but where the block was left before. */
			if (open.back().push)
				open.back().push->Invalidate();
			open.pop_back();
		}
		if (b.kind == Branch::IN_LINE_SVC) {
			append_in_line(block, b);
		} else if (append_exit(block, b, to, modes)) {
			for (auto c = open.begin() + 1; c != open.end(); ++c) {
				block.AppendNewInst(
					numbers().number[CALL_HOST],
					{imm((SINK_NOTHING & ~0xff00u) | LATE_CALL << 8),
					 imm(c->back | modes), imm(0), imm(0)});
				c->out.push_back(&last_inst(block));
			}
		}
		if (b.call)
			open.push_back({b.next, find_push(block), {}, {}});
		open.back().seen.push_back(to);
	}

	/* The way ends: what has not returned is told where it was called. */
	void end()
	{
		for (auto c = open.begin() + 1; c != open.end(); ++c) {
			for (IR::Inst *const sink : c->out)
				sink->SetArg(0, imm(SINK_NOTHING));
		}
	}

      private:
	std::vector<Call> open; /* the first is the superblock itself */
};

/* All of FROM before what is in TO. */
void move_before(IR::Block &from, IR::Block &to)
{
	auto *const f = from.Instructions().sentinel, *const t = to.Instructions().sentinel;

	if (f->next == f)
		return;
	f->prev->next = t->next;
	t->next->prev = f->prev;
	t->next = f->next;
	f->next->prev = t;
	f->next = f->prev = f;
}

unsigned count(IR::Block &block)
{
	const auto *const end = block.Instructions().sentinel;
	unsigned n = 0;

	for (const auto *node = end->next; node != end; node = node->next)
		n++;
	return n;
}

void prepend_count(IR::Block &block, hot_entry &e)
{
	const IR::Block::iterator first{block.Instructions().sentinel->next};

	block.PrependNewInst(first, numbers().number[CALL_HOST],
			     {imm(COUNT), imm(block.Location().value),
			      imm(reinterpret_cast<uint64_t>(&e.left)), imm(JIT_HOT)});
}

} // namespace

namespace Dynarmic::A64
{

struct LocationDescriptor {
	uint64_t pc, modes;
};
struct TranslationOptions {
	bool unpredictable, wall_clock, hints;
};
using ReadCode = std::function<std::optional<uint32_t>(uint64_t)>;

VISIBLE IR::Block Translate(LocationDescriptor at, ReadCode read, TranslationOptions options);

} // namespace Dynarmic::A64

namespace
{

/* The library's own A64::Translate(). */
IR::Block translate(A64::LocationDescriptor at, const A64::ReadCode &read,
		    A64::TranslationOptions options)
{
	using Function = IR::Block(A64::LocationDescriptor, A64::ReadCode, A64::TranslationOptions);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic3A649TranslateENS0_18LocationDescriptorESt8functionIFSt8optionalIjEmEE"
		"NS0_18TranslationOptionsE");

	return real(at, read, options);
}

class Maker
{
      public:
	Maker(A64::LocationDescriptor begin, const A64::ReadCode &read_code,
	      A64::TranslationOptions o)
	    : at(begin), options(o), read([this, &read_code](uint64_t pc) {
		      const auto word = read_code(pc);

		      last = word.value_or(0);
		      failed |= !word;
		      return word;
	      })
	{
	}

	std::unique_ptr<IR::Block> part(uint64_t pc)
	{
		at.pc = pc & PC_MASK;
		part_start = pc;
		failed = false;
		return std::unique_ptr<IR::Block>(new IR::Block(translate(at, read, options)));
	}

	/* The last instruction of BLOCK, which part() has made. */
	Branch end(const IR::Block &block) const
	{
		if (failed)
			return {};
		return branch_of((block.EndLocation().value & PC_MASK) - 4, last);
	}

	/* FIRST with what follows instructions in line, to be generated as one block. */
	std::unique_ptr<IR::Block> straight(std::unique_ptr<IR::Block> first)
	{
		const IR::LocationDescriptor location = first->Location();
		std::unique_ptr<IR::Block> block = std::move(first);
		unsigned operations = 0;

		for (;;) {
			const Branch b = end(*block);

			operations += count(*block);
			if (b.kind != Branch::IN_LINE_SVC || parts.size() >= STRAIGHT)
				break;
			auto next = part(b.next);
			if (failed || operations + count(*next) > OPERATIONS)
				break;
			append_in_line(*block, b);
			parts.push_back(std::move(block));
			block = std::move(next);
		}
		return join(std::move(block), location);
	}

	/* The way from FIRST on, to be generated as one block: the last part, with all before it. */
	std::unique_ptr<IR::Block> way(std::unique_ptr<IR::Block> first)
	{
		const IR::LocationDescriptor location = first->Location();
		const uint64_t start = location.value & PC_MASK, modes = location.value & ~PC_MASK;
		std::unique_ptr<IR::Block> block = std::move(first);
		unsigned insns = 0, operations = 0, body = 0, repeats = 0;
		const IR::LocationDescriptor first_end = block->EndLocation();
		uint64_t pc = start, to;
		Calls calls(start);

		for (;;) {
			const uint64_t stop = block->EndLocation().value & PC_MASK;
			const Branch b = end(*block);

			insns += static_cast<unsigned>(stop - pc) / 4;
			operations += count(*block);
			current->add_range(location.value, pc, stop);
			if (parts.size() >= PARTS ||
			    !follow(*current, b, start, modes, calls.back(), to))
				break;
			if (to == start) {
				body = body ? body : insns;
				if (++repeats >= REPEATS * (insns + body > SHORT ? 1 : 2) ||
				    insns + body > INSNS)
					break;
			} else if (insns > INSNS || (!body && calls.has_seen(to))) {
				break;
			}
			auto next = part(to);
			if (failed || operations + count(*next) > OPERATIONS)
				break;
			calls.go_on(*block, b, to, modes);
			parts.push_back(std::move(block));
			block = std::move(next);
			pc = to;
		}
		calls.end();
		block = join(std::move(block), location);
		/* The library finds it by the addresses of the first part, hot_touched() by the others. */
		block->SetEndLocation(first_end);
		return block;
	}

      private:
	A64::LocationDescriptor at;
	A64::TranslationOptions options;
	A64::ReadCode read;
	uint32_t last = 0;
	bool failed = false;

	/* BLOCK with all parts before it. */
	static std::unique_ptr<IR::Block> join(std::unique_ptr<IR::Block> block,
					       IR::LocationDescriptor location)
	{
		for (auto p = parts.rbegin(); p != parts.rend(); ++p)
			move_before(**p, *block);
		memcpy(static_cast<void *>(block.get()), &location, sizeof(location));
		return block;
	}
};

} // namespace

IR::Block A64::Translate(LocationDescriptor at, ReadCode read, TranslationOptions options)
{
	Maker maker(at, read, options);

	parts.clear();
	markers_begin();
	is_superblock = false;
	translating = true;
	auto block = maker.part(at.pc);
	if (current) {
		auto &e = current->at(block->Location().value);

		is_superblock = e.hot;
		if (e.hot) {
			block = maker.way(std::move(block));
		} else {
			block = maker.straight(std::move(block));
			prepend_count(*block, e);
		}
	}
	translating = false;
	return IR::Block(std::move(*block));
}

void translation_end()
{
	parts.clear();
	markers_begin();
}

void translation_begin()
{
	constexpr uint32_t SVC = 0xd4000001;
	const RegionUse region;
	static const bool done = [] {
		translate({}, [](uint64_t) { return SVC; }, {});
		return true;
	}();

	(void)done;
}

bool in_superblock()
{
	return is_superblock;
}

uint64_t translation_start(uint64_t otherwise)
{
	return translating ? part_start : otherwise;
}
