/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Indirect branches by a table, with exact answers to halt requests.
 *
 * dynarmic finds the target of an indirect branch in a stack of return addresses, in a hash table (FastDispatch), or by
 * its dispatcher. Only the dispatcher looks at halt requests: a loop of indirect branches could not be stopped. So the
 * common beginning of the code for the first two is changed when it has been generated: it looks first.
 *
 * The table is made smaller, too: of 16 MiB, all of which the constructor writes, a program uses a few lines. The rest goes
 * back to the host.
 *
 * The places are told by names that the library gives to profilers, and what is changed must look as known, or the table
 * is left out (dispatch_end()). Facts of dynarmic 6.4.5: src/dynarmic/backend/x64/a64_emit_x64.cpp, block_of_code.cpp.
 */
#include "cpu/dynarmic/backend.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace
{

/* cmp dword [r15+HALT], 0 */
constexpr uint8_t CMP_HALT[] = {0x41, 0x83, 0xbf};
constexpr size_t CMP_SIZE = 8;
/* mov rbp, [r15+PC] */
constexpr uint8_t LOAD_PC[] = {0x49, 0x8b, 0xaf};
constexpr size_t LOAD_SIZE = 7;
/* mov r12, TABLE */
constexpr uint8_t LOAD_TABLE[] = {0x49, 0xbc};
/* and ebp, MASK; and edi, MASK */
constexpr uint8_t AND_EBP[] = {0x81, 0xe5}, AND_EDI[] = {0x81, 0xe7};
constexpr uint32_t OLD_MASK = 0xfffff0, NEW_MASK = 0x3fff0;

/* As A64JitState has them one behind the other: sp, pc, flags. */
constexpr int32_t PC_OFFSET = 256, NZCV_OFFSET = 264;
offsets state;

struct Range {
	uint8_t *start, *end;
};

/* What the instance that this thread creates has told so far. */
thread_local struct {
	Range dispatcher, pop, dispatch, lookup;
	uint64_t table;
	bool ready, creating;
} seen;

struct Entry {
	uint64_t location;
	const void *code;
};
/* Of the table, in an A64EmitX64. 0: not known. */
std::atomic<ptrdiff_t> table_at;

void clear_used(uint64_t table)
{
	auto *const entry = reinterpret_cast<Entry *>(table);

	std::fill(entry, entry + NEW_MASK / sizeof(Entry) + 1, Entry{~uint64_t{0}, nullptr});
}

/* Where in R the N-th place (from 0) is that begins with the bytes. */
template <size_t SIZE> uint8_t *find(const Range &r, const uint8_t (&bytes)[SIZE], unsigned n = 0)
{
	for (uint8_t *p = r.start; p && p + SIZE + 8 <= r.end; p++) {
		if (memcmp(p, bytes, SIZE) == 0 && n-- == 0)
			return p;
	}
	return nullptr;
}

uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

/* A jump with a distance of 32 bits; OPCODE has one or two bytes. */
uint8_t *put_jump(uint8_t *at, std::initializer_list<uint8_t> opcode, const uint8_t *to)
{
	at = put(at, opcode.begin(), opcode.size());
	const auto distance = static_cast<int32_t>(to - (at + 4));

	return put(at, &distance, sizeof(distance));
}

/* STUB: the load, the look, and back. */
uint8_t *look_first(uint8_t *stub, uint8_t *code, const uint8_t *cmp, const uint8_t *stopped)
{
	uint8_t *const begin = stub;

	stub = put(stub, code, LOAD_SIZE);
	stub = put(stub, cmp, CMP_SIZE);
	stub = put_jump(stub, {0x0f, 0x85}, stopped); /* jne */
	stub = put_jump(stub, {0xe9}, code + LOAD_SIZE);
	put_jump(code, {0xe9}, begin);
	memset(code + 5, 0x90, LOAD_SIZE - 5);
	return stub;
}

bool is_mask(const uint8_t *and_)
{
	uint32_t old;

	if (!and_)
		return false;
	memcpy(&old, and_ + 2, sizeof(old));
	return old == OLD_MASK;
}

bool change(uint8_t *stubs)
{
	/* The third look of the dispatcher is that at its entry for blocks that have ended. */
	uint8_t *const stopped = find(seen.dispatcher, CMP_HALT, 2);
	uint8_t *const table = find(seen.dispatch, LOAD_TABLE);
	uint8_t *const dispatch_mask = find(seen.dispatch, AND_EBP);
	uint8_t *const lookup_mask = find(seen.lookup, AND_EDI);

	if (!stopped || stopped[CMP_SIZE - 1] != 0 || !table || !seen.pop.start ||
	    memcmp(seen.pop.start, LOAD_PC, sizeof(LOAD_PC)) != 0 ||
	    memcmp(seen.dispatch.start, LOAD_PC, sizeof(LOAD_PC)) != 0 || !is_mask(dispatch_mask) ||
	    !is_mask(lookup_mask))
		return false;
	offsets found = {true, 0, NZCV_OFFSET, 0};

	memcpy(&found.pc, seen.dispatch.start + sizeof(LOAD_PC), sizeof(found.pc));
	memcpy(&found.halt, stopped + sizeof(CMP_HALT), sizeof(found.halt));
	if (found.pc == PC_OFFSET)
		state = found;
	stubs = look_first(stubs, seen.pop.start, stopped, stopped);
	look_first(stubs, seen.dispatch.start, stopped, stopped);
	put(dispatch_mask + 2, &NEW_MASK, sizeof(NEW_MASK));
	put(lookup_mask + 2, &NEW_MASK, sizeof(NEW_MASK));

	memcpy(&seen.table, table + 2, sizeof(seen.table));
	return true;
}

} // namespace

void Dynarmic::Backend::X64::detail::PerfMapRegister(const void *start, const void *end,
						     std::string_view name)
{
	using Function = void(const void *, const void *, std::string_view);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X646detail15PerfMapRegisterEPKvS4_St17basic_string_viewIcSt11"
		"char_traitsIcEE");
	static const bool wanted = getenv("PERF_BUILDID_DIR") != nullptr;
	const Range range{static_cast<uint8_t *>(const_cast<void *>(start)),
			  static_cast<uint8_t *>(const_cast<void *>(end))};

	if (name == "dynarmic_dispatcher")
		seen.dispatcher = range;
	else if (name == "a64_terminal_handler_pop_rsb_hint")
		seen.pop = range;
	else if (name == "a64_terminal_handler_fast_dispatch_hint")
		seen.dispatch = range;
	else if (name == "a64_fast_dispatch_table_lookup")
		seen.lookup = range;
	/* The library looks for the variable each time, of which there are thousands. */
	if (wanted)
		real(start, end, name);
}

void Dynarmic::Backend::X64::BlockOfCode::PreludeComplete()
{
	using Function = void(BlockOfCode *);
	static Function *const real =
		library<Function>("_ZN8Dynarmic7Backend3X6411BlockOfCode15PreludeCompleteEv");

	seen.ready =
		seen.dispatch.start && change(static_cast<uint8_t *>(AllocateFromCodeSpace(128)));
	real(this);
}

/* The library's own fills the room with zeros, which is 2 MiB for its constants: it is fresh memory. */
void *Dynarmic::Backend::X64::BlockOfCode::AllocateFromCodeSpace(size_t size)
{
	using Function = void *(BlockOfCode *, size_t);
	static Function *const real =
		library<Function>("_ZN8Dynarmic7Backend3X6411BlockOfCode21AllocateFromCodeSpaceEm");
	void *const here = real(this, 0);

	SetCodePtr(static_cast<uint8_t *>(here) + size);
	return here;
}

namespace Dynarmic::Backend::X64
{

/* The part that is used. In the constructor all of it is clear. */
void A64EmitX64::ClearFastDispatchTable()
{
	using Function = void(A64EmitX64 *);
	static Function *const real =
		library<Function>("_ZN8Dynarmic7Backend3X6410A64EmitX6422ClearFastDispatchTableEv");
	const auto start = reinterpret_cast<uint64_t>(this);

	if (seen.creating && seen.ready)
		table_at = static_cast<ptrdiff_t>(seen.table - start);
	if (!table_at)
		real(this);
	else if (!seen.creating)
		clear_used(start + static_cast<uint64_t>(table_at.load()));
}

} // namespace Dynarmic::Backend::X64

const offsets &state_offsets()
{
	return state;
}

void dispatch_begin()
{
	seen = {};
	seen.creating = true;
}

bool dispatch_end()
{
	seen.creating = false;
	if (!seen.ready)
		return false;
	const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
	const uint64_t begin = (seen.table + NEW_MASK + 16 + page - 1) & ~(page - 1);
	const uint64_t end = (seen.table + OLD_MASK + 16) & ~(page - 1);

	madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
	return true;
}
