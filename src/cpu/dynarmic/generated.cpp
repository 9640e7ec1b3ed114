/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code that was generated for an instance: what of it is executed often, where that is, and what its accesses do when they
 * fault. */
#include "cpu/dynarmic/generated.h"
#include "cpu/dynarmic/backend.h"

using namespace Dynarmic;

namespace Dynarmic::Backend::X64
{

/* The library keeps the block that was there first, as long as nothing of both is changed. */
EmitX64::BlockDescriptor EmitX64::RegisterBlock(const IR::LocationDescriptor &location,
						const void *begin, size_t size)
{
	using Function =
		BlockDescriptor(EmitX64 *, const IR::LocationDescriptor &, const void *, size_t);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X647EmitX6413RegisterBlockERKNS_2IR18LocationDescriptorEPKvm");

	translation_end();
	if (current) {
		auto &e = current->at(location.value);
		const auto start = reinterpret_cast<uint64_t>(begin);

		current->code_begin = std::min(current->code_begin, start);
		current->code_end = std::max(current->code_end, start + size);
		if (e.hot) {
			e.code = begin;
			e.size = size;
			/* The table of indirect branches has the block that was there first. */
			static_cast<A64EmitX64 *>(this)->Unpatch(location);
		}
	}
	return real(this, location, begin, size);
}

void A64EmitX64::Unpatch(const IR::LocationDescriptor &location)
{
	using Function = void(A64EmitX64 *, const IR::LocationDescriptor &);
	static Function *const real = library<Function>(
		"_ZN8Dynarmic7Backend3X6410A64EmitX647UnpatchERKNS_2IR18LocationDescriptorE");

	if (current)
		current->given_up++;
	real(this, location);
}

/* In front of a translation. No code is left that counts in the entries; what was found hot stays known. */
void EmitX64::ClearCache()
{
	using Function = void(EmitX64 *);
	static Function *const real =
		library<Function>("_ZN8Dynarmic7Backend3X647EmitX6410ClearCacheEv");

	real(this);
	if (!current)
		return;
	current->given_up = 0;
	current->otherwise.clear();
	std::erase_if(current->entry, [](const auto &e) { return !e.second.hot; });
}

std::optional<EmitX64::BlockDescriptor>
EmitX64::GetBasicBlock(IR::LocationDescriptor location) const
{
	using Function = std::optional<BlockDescriptor>(const EmitX64 *, IR::LocationDescriptor);
	static Function *const real = library<Function>(
		"_ZNK8Dynarmic7Backend3X647EmitX6413GetBasicBlockENS_2IR18LocationDescriptorE");
	const auto block = real(this, location);

	if (!block || !current)
		return block;
	const auto e = current->entry.find(location.value);

	if (e == current->entry.end() || !e->second.hot)
		return block;
	if (!e->second.code)
		return std::nullopt; /* to be made */
	return BlockDescriptor{e->second.code, e->second.size};
}

} // namespace Dynarmic::Backend::X64

generated *generated_create(const jit_config *config)
{
	if (!config->hot || !registers_ready() || !state_offsets().known)
		return nullptr;
	return new generated{config->callbacks,
			     config->owner,
			     config->monitor,
			     static_cast<int32_t>(config->hot),
			     {},
			     {},
			     {}};
}

void generated_use(generated *blocks)
{
	current = blocks;
}

bool generated_has(const generated *blocks, uint64_t host_pc)
{
	return blocks && host_pc >= blocks->code_begin && host_pc < blocks->code_end;
}

void generated_may_fault(const uint8_t *access, const uint8_t *otherwise)
{
	current->otherwise.insert_or_assign(reinterpret_cast<uint64_t>(access),
					    reinterpret_cast<uint64_t>(otherwise));
}

uint64_t generated_otherwise(const generated *blocks, uint64_t host_pc)
{
	if (!blocks)
		return 0;
	const auto found = blocks->otherwise.find(host_pc);

	return found == blocks->otherwise.end() ? 0 : found->second;
}

bool generated_is_cluttered(const generated *blocks)
{
	constexpr uint32_t MOST = 16384;

	return blocks && blocks->given_up > MOST;
}

void hot_found(generated *blocks, uint64_t pc, uint32_t fpcr)
{
	/* As A64::LocationDescriptor has it. */
	constexpr uint32_t MODES = 0x07c80000;
	constexpr unsigned SHIFT = 37;

	blocks->at((pc & PC_MASK) | static_cast<uint64_t>(fpcr & MODES) << SHIFT).hot = true;
}

std::vector<uint64_t> hot_touched(generated *blocks, uint64_t start, uint64_t len)
{
	const uint64_t first = start >> generated::LINE_BITS,
		       last = (start + len - 1) >> generated::LINE_BITS;
	std::vector<uint64_t> found;
	const auto take = [&](auto p) {
		for (const uint64_t location : p->second) {
			/* Counted again: what changes all the time is not worth a superblock. */
			if (const auto e = blocks->entry.find(location); e != blocks->entry.end())
				e->second = {blocks->threshold, false};
			found.push_back(location & PC_MASK);
		}
		return blocks->line.erase(p);
	};

	if (last - first < blocks->line.size()) {
		for (uint64_t n = first; n <= last; n++) {
			if (const auto p = blocks->line.find(n); p != blocks->line.end())
				take(p);
		}
		return found;
	}
	for (auto p = blocks->line.begin(); p != blocks->line.end();)
		p = p->first < first || p->first > last ? std::next(p) : take(p);
	return found;
}
