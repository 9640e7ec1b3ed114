/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the code that was generated for an instance. */
#ifndef CPU_DYNARMIC_GENERATED_H
#define CPU_DYNARMIC_GENERATED_H

#include "cpu/dynarmic/jit.h"
#include "cpu/dynarmic/library.h"

#include <algorithm>
#include <unordered_map>

/* What is known of a block. Its address is in generated code. */
struct hot_entry {
	int32_t left; /* executions until it is hot; changed by generated code */
	bool hot;
	const void *code =
		nullptr; /* the superblock, if the library still has a block of that place */
	size_t size = 0;
};

struct generated {
	static constexpr unsigned LINE_BITS = 6; /* what a program says that it has changed */

	const jit_callbacks *callbacks;
	void *owner;
	jit_monitor *monitor;
	int32_t threshold;
	/* By location. Generated code has the addresses of entries. */
	std::unordered_map<uint64_t, hot_entry> entry;
	/* Which superblocks have instructions in a line. */
	std::unordered_map<uint64_t, std::vector<uint64_t>> line;
	/* Where instructions of generated_may_fault() go on. */
	std::unordered_map<uint64_t, uint64_t> otherwise;
	/* From the first to behind the last block that was ever generated. */
	uint64_t code_begin = UINT64_MAX, code_end = 0;
	/* Blocks given up since the library's cache was last empty. */
	uint32_t given_up = 0;

	hot_entry &at(uint64_t location)
	{
		return entry.try_emplace(location, hot_entry{threshold, false}).first->second;
	}

	/* How often the block was executed, up to the threshold. */
	int32_t executed(uint64_t location) const
	{
		const auto e = entry.find(location);

		if (e == entry.end())
			return 0;
		return e->second.hot ? threshold : threshold - e->second.left;
	}

	void add_range(uint64_t location, uint64_t start, uint64_t end)
	{
		for (uint64_t p = start >> LINE_BITS; p <= (end - 1) >> LINE_BITS; p++) {
			auto &in = line[p];

			if (std::find(in.begin(), in.end(), location) == in.end())
				in.push_back(location);
		}
	}
};

/* That of the instance for which this thread executes and generates code, or NULL. */
inline thread_local generated *current;

/* Of an instance with CONFIG. NULL: not with this library. */
generated *generated_create(const jit_config *config);
/* Those of what the thread executes from now on, or NULL. */
void generated_use(generated *blocks);
/* Whether a host pc is in code that was generated for blocks. In signal handlers of the thread that executes it, too. */
bool generated_has(const generated *blocks, uint64_t host_pc);
/* ACCESS, an instruction in code for the instance of this thread, goes on at OTHERWISE if it faults. */
void generated_may_fault(const uint8_t *access, const uint8_t *otherwise);
/* Where to go on if the access at HOST_PC has faulted; 0: it was none that generated_may_fault() was told of. */
uint64_t generated_otherwise(const generated *blocks, uint64_t host_pc);
/* Whether so many blocks were given up that an empty cache is cheaper: the library goes on to patch the branches of
 * those to others. */
bool generated_is_cluttered(const generated *blocks);
/* The block at PC, with this FPCR, is to be translated as a superblock. */
void hot_found(generated *blocks, uint64_t pc, uint32_t fpcr);
/* Where superblocks begin that may have instructions of a range whose code changes; they are forgotten. */
std::vector<uint64_t> hot_touched(generated *blocks, uint64_t start, uint64_t len);

#endif
