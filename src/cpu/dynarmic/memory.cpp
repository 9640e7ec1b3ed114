/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for the library.
 *
 * An instance is one piece with a table of 16 MiB, which takes the constructor a while to write a page at a time.
 *
 * The library's table of instructions takes millions of small pieces to make, nearly all of them for a moment, as it is copied
 * about element by element. They come from a region without any order but their sizes, faster than from malloc().
 */
#include "cpu/dynarmic/library.h"

#ifndef __SANITIZE_ADDRESS__

# include <atomic>
# include <cstdlib>
# include <new>

# include <sys/mman.h>

namespace
{

constexpr std::size_t HUGE_PAGE = 2u << 20, MANY = 8u << 20;
constexpr std::size_t REGION = 32u << 20, UNIT = 16, SMALL = 16;

/* Pieces of up to SMALL units, each with the number of its units in front of it. */
class Region
{
      public:
	bool has(const void *p) const
	{
		return p >= begin && p < end;
	}

	void *take(std::size_t units)
	{
		Piece *&first = free_pieces[units];
		char *p;

		if (first) {
			Piece *const piece = first;

			first = piece->next;
			return piece;
		}
		if (!begin)
			map();
		if (static_cast<std::size_t>(end - next) < (units + 1) * UNIT)
			return nullptr;
		p = next;
		next += (units + 1) * UNIT;
		*reinterpret_cast<std::size_t *>(p) = units;
		return p + UNIT;
	}

	void give(void *p)
	{
		const std::size_t units =
			*reinterpret_cast<std::size_t *>(static_cast<char *>(p) - UNIT);
		auto *const piece = static_cast<Piece *>(p);

		piece->next = free_pieces[units];
		free_pieces[units] = piece;
	}

      private:
	struct Piece {
		Piece *next;
	};

	char *begin = nullptr, *next = nullptr, *end = nullptr;
	Piece *free_pieces[SMALL + 1] = {};

	void map()
	{
		void *const p = mmap(nullptr, REGION, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (p == MAP_FAILED)
			return;
		begin = next = static_cast<char *>(p);
		end = begin + REGION;
	}
};

Region region;
/* The thread that uses it. Others leave its pieces where they are. */
std::atomic<void *> user;

bool uses_region()
{
	return user.load(std::memory_order_relaxed) == __builtin_thread_pointer();
}

} // namespace

RegionUse::RegionUse()
{
	void *nobody = nullptr;

	user.compare_exchange_strong(nobody, __builtin_thread_pointer());
}

RegionUse::~RegionUse()
{
	if (uses_region())
		user = nullptr;
}

VISIBLE void *operator new(std::size_t size)
{
	const std::size_t units = (size + UNIT - 1) / UNIT;
	void *p = nullptr;

	if (units <= SMALL && uses_region())
		p = region.take(units);
	if (p)
		return p;
	if (size < MANY) {
		p = malloc(size);
	} else {
		size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
		p = aligned_alloc(HUGE_PAGE, size);
		if (p)
			madvise(p, size, MADV_HUGEPAGE);
	}
	if (!p)
		throw std::bad_alloc();
	return p;
}

VISIBLE void operator delete(void *p) noexcept
{
	if (!region.has(p))
		free(p);
	else if (uses_region())
		region.give(p);
}

VISIBLE void operator delete(void *p, std::size_t) noexcept
{
	operator delete(p);
}

#else

RegionUse::RegionUse() = default;
RegionUse::~RegionUse() = default;

#endif

namespace Dynarmic::Common
{

/* Blocks of the intermediate representation have memory for thousands of operations each, more than malloc() keeps. */
class Pool
{
      public:
	VISIBLE Pool(size_t size, size_t count);
};

Pool::Pool(size_t size, size_t count)
{
	using Function = void(Pool *, size_t, size_t);
	static Function *const real = library<Function>("_ZN8Dynarmic6Common4PoolC1Emm");
	constexpr size_t ENOUGH = 256;

	real(this, size, std::min(count, ENOUGH));
}

} // namespace Dynarmic::Common
