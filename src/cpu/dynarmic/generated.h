/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the code that was generated for an instance. */
#ifndef CPU_DYNARMIC_GENERATED_H
#define CPU_DYNARMIC_GENERATED_H

#include "cpu/dynarmic/jit.h"
#include "cpu/dynarmic/library.h"

#include <algorithm>
#include <unordered_map>

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

#endif
