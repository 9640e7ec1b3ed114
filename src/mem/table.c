/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page table: bits, runs, free-range search, stack growth, access decisions. */
#include "mem/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

#define EIGHT_MAPPED 0x0808080808080808ull /* PG_MAPPED of eight pages */

uint8_t mem_bits_of_prot(int prot)
{
	uint8_t bits = 0;

	if (prot & PROT_READ)
		bits |= PG_R;
	if (prot & PROT_WRITE)
		bits |= PG_W;
	if (prot & PROT_EXEC)
		bits |= PG_X;
	return bits;
}

int mem_host_prot(uint8_t bits)
{
	return (bits & PG_ACCESS ? PROT_READ : 0) | (bits & PG_W ? PROT_WRITE : 0);
}

static uint64_t load8(const uint8_t *page)
{
	uint64_t w;

	memcpy(&w, page, sizeof(w));
	return w;
}

uint64_t mem_run(uint64_t a, uint64_t end, bool *mapped)
{
	return mem_run_in(mem_arena.page, a, end, mapped);
}

uint64_t mem_run_in(const uint8_t *page, uint64_t a, uint64_t end, bool *mapped)
{
	uint64_t p = a >> MEM_PAGE_SHIFT, last = end >> MEM_PAGE_SHIFT;
	const uint8_t want = page[p] & PG_MAPPED;
	const uint64_t want8 = want ? EIGHT_MAPPED : 0;

	*mapped = want;
	while (p < last) {
		if ((p & 7) == 0 && p + 8 <= last && (load8(page + p) & EIGHT_MAPPED) == want8)
			p += 8;
		else if ((page[p] & PG_MAPPED) == want)
			p++;
		else
			break;
	}
	return (p << MEM_PAGE_SHIFT) - a;
}

static void tell(uint64_t a, uint64_t len, unsigned what)
{
	if (mem_state.listener)
		mem_state.listener((gaddr)a, len, what);
}

void mem_must_be_inside(uint64_t a, uint64_t len)
{
	if (a <= MEM_SPACE && len <= MEM_SPACE - a)
		return;
	diag("internal error: a memory operation at 0x%llx, length 0x%llx, leaves the guest's address space",
	     (unsigned long long)a, (unsigned long long)len);
	abort();
}

void mem_set_bits(uint64_t a, uint64_t len, uint8_t bits)
{
	uint8_t *p = page_at(a);
	size_t n = len >> MEM_PAGE_SHIFT;
	uint8_t seen = 0;

	mem_must_be_inside(a, len);
	for (size_t i = 0; i < n; i++)
		seen |= p[i];
	/* Pages with code start anew without PG_CODE: whatever happened to them, translations go. An engine
	 * may mark executable pages right now (mem_mark_code()), and each mark must be seen here. */
	if (seen & PG_X) {
		for (size_t i = 0; i < n; i++)
			seen |= __atomic_exchange_n(p + i, bits, __ATOMIC_SEQ_CST);
	} else {
		memset(p, bits, n);
	}
	if (seen & PG_MAPPED)
		tell(a, len, MEM_PERM | (seen & PG_CODE ? MEM_CODE : 0u));
}

#define COMMON_WORDS (sizeof(mem_state.common_code) / sizeof(mem_state.common_code[0]))

bool mem_mark_code(gaddr a)
{
	uint8_t bits = __atomic_load_n(page_at(a), __ATOMIC_SEQ_CST);

	/* Before the page says so: who finds PG_CODE finds this as well. */
	if (bits & (PG_FILE | PG_SHARED))
		__atomic_fetch_or(&mem_state.common_code[a >> 26], 1ull << (a >> 20 & 63),
				  __ATOMIC_SEQ_CST);
	/* Other threads may unmap the page right now. */
	while ((bits & (PG_MAPPED | PG_X)) == (PG_MAPPED | PG_X)) {
		if ((bits & PG_CODE) ||
		    __atomic_compare_exchange_n(page_at(a), &bits, bits | PG_CODE, false,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return true;
	}
	return false;
}

/* Not "&=": other bits never change without the lock, but PG_CODE does. */
static void unmark_code(uint64_t a)
{
	__atomic_fetch_and(page_at(a), (uint8_t)~PG_CODE, __ATOMIC_SEQ_CST);
}

/* The code pages of one MiB. */
static void recheck_code(uint64_t start)
{
	for (uint64_t p = start; p < start + (1u << 20); p += MEM_PAGE_SIZE) {
		if ((*page_at(p) & (PG_CODE | PG_FILE)) == (PG_CODE | PG_FILE) &&
		    !mem_probe((gaddr)p)) {
			unmark_code(p);
			tell(p, MEM_PAGE_SIZE, MEM_PERM | MEM_CODE);
		}
	}
}

/* Tells FN of those lines of one MiB. */
static void find_aliases(uint64_t start, gaddr line, const uint8_t *text,
			 void (*fn)(void *owner, gaddr line), void *owner)
{
	uint8_t other[MEM_CODE_LINE];

	for (uint64_t p = start; p < start + (1u << 20); p += MEM_PAGE_SIZE) {
		const uint8_t bits = __atomic_load_n(page_at(p), __ATOMIC_SEQ_CST);
		const gaddr alias = (gaddr)(p | (line & MEM_PAGE_MASK));

		if ((bits & PG_CODE) && (bits & (PG_FILE | PG_SHARED)) && alias != line &&
		    (mem_copy_in(other, alias, sizeof(other)) != 0 ||
		     memcmp(other, text, sizeof(other)) == 0))
			fn(owner, alias);
	}
}

void mem_code_aliases(gaddr line, void (*fn)(void *owner, gaddr line), void *owner)
{
	uint8_t text[MEM_CODE_LINE];

	line &= ~(gaddr)(MEM_CODE_LINE - 1);
	fn(owner, line);
	if (!(mem_page_bits(line) & PG_SHARED) || mem_copy_in(text, line, sizeof(text)) != 0)
		return;
	/* An engine that marks a page after we looked at it reads what the guest has stored. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (size_t i = 0; i < COMMON_WORDS; i++) {
		uint64_t rest = __atomic_load_n(&mem_state.common_code[i], __ATOMIC_SEQ_CST);

		for (; rest; rest &= rest - 1)
			find_aliases((uint64_t)i << 26 | (uint64_t)__builtin_ctzll(rest) << 20,
				     line, text, fn, owner);
	}
}

void mem_file_cut(void)
{
	mem_lock();
	for (size_t i = 0; i < COMMON_WORDS; i++) {
		for (uint64_t rest = mem_state.common_code[i]; rest; rest &= rest - 1)
			recheck_code((uint64_t)i << 26 | (uint64_t)__builtin_ctzll(rest) << 20);
	}
	/* An engine that had a look-up of a page beyond the end at hand would meet the host's fault, at
	 * which not all can stop exactly. */
	tell(0, MEM_SPACE, MEM_PERM);
	mem_unlock();
}

void mem_host_wrote(gaddr a, size_t len)
{
	uint64_t end = page_up((uint64_t)a + len);
	bool stale = false;

	if (end > MEM_SPACE)
		end = MEM_SPACE;
	for (uint64_t p = a & ~MEM_PAGE_MASK; p < end; p += MEM_PAGE_SIZE)
		stale |= *page_at(p) & PG_CODE;
	if (!stale)
		return;
	mem_lock();
	for (uint64_t p = a & ~MEM_PAGE_MASK; p < end; p += MEM_PAGE_SIZE) {
		if (*page_at(p) & PG_CODE) {
			unmark_code(p);
			tell(p, MEM_PAGE_SIZE, MEM_PERM | MEM_CODE);
		}
	}
	mem_unlock();
}

/* --- searching ----------------------------------------------------------------------------------- */

static bool grows_at(uint64_t a)
{
	return a < MEM_SPACE && *page_at(a) & PG_GROWS;
}

bool mem_range_free(uint64_t a, uint64_t len)
{
	uint64_t end = a + len;
	bool mapped;

	if (end > mem_state.task_size || a < MEM_PAGE_SIZE)
		return false;
	if (mem_run(a, end, &mapped) < len || mapped)
		return false;
	if (end == MEM_SPACE)
		return true;
	/* The gap below a stack is no place for others (kernel: vm_start_gap()). */
	uint64_t run =
		mem_run(end, end + GUARD_GAP < MEM_SPACE ? end + GUARD_GAP : MEM_SPACE, &mapped);

	return mapped ? !grows_at(end) : !(run < GUARD_GAP && grows_at(end + run));
}

void mem_search_freed(uint64_t a, uint64_t len)
{
	uint64_t end = a + len, base = mem_state.layout.mmap_base;

	if (mem_state.layout.bottom_up || a >= base)
		return;
	if (end > base)
		end = base;
	if (end > mem_state.top_hint)
		mem_state.top_hint = end;
}

/* The lowest fitting free range in [low, high). */
static int64_t search_up(uint64_t len, uint64_t low, uint64_t high)
{
	uint64_t a = low;
	bool mapped;

	while (a + len <= high) {
		uint64_t stop = a + len + GUARD_GAP < high ? a + len + GUARD_GAP : high;
		uint64_t run = mem_run(a, stop, &mapped);

		if (!mapped && run >= len) {
			uint64_t end = a + run;
			/* the top of the run may be the guard gap of a stack */
			if (!grows_at(end) || run >= len + GUARD_GAP)
				return (int64_t)a;
		}
		a += run;
	}
	return -ENOMEM;
}

/* The start of the run of pages that are mapped (or not) like the page below END, not under LOW. */
static uint64_t run_down(uint64_t end, uint64_t low, bool *mapped)
{
	uint64_t p = end >> MEM_PAGE_SHIFT, first = low >> MEM_PAGE_SHIFT;
	const uint8_t want = mem_arena.page[p - 1] & PG_MAPPED;
	const uint64_t want8 = want ? EIGHT_MAPPED : 0;

	*mapped = want;
	while (p > first) {
		if ((p & 7) == 0 && p - 8 >= first &&
		    (load8(mem_arena.page + p - 8) & EIGHT_MAPPED) == want8)
			p -= 8;
		else if ((mem_arena.page[p - 1] & PG_MAPPED) == want)
			p--;
		else
			break;
	}
	return p << MEM_PAGE_SHIFT;
}

/* The highest fitting free range in [low, mmap_base). */
static int64_t search_down(uint64_t len, uint64_t low)
{
	struct mem_state *s = &mem_state;
	uint64_t end = s->top_hint;
	bool first = true, mapped;

	while (end > low) {
		/* no need to know how long a run is beyond what is asked for */
		uint64_t floor = end > low + len + GUARD_GAP ? end - len - GUARD_GAP : low;
		uint64_t start = run_down(end, floor, &mapped);

		if (!mapped) {
			uint64_t top = end;

			if (first)
				s->top_hint = end, first = false;
			if (grows_at(end))
				top = end - start > GUARD_GAP ? end - GUARD_GAP : start;
			if (top - start >= len)
				return (int64_t)(top - len);
		}
		end = start;
	}
	return -ENOMEM;
}

int64_t mem_search(uint64_t len)
{
	struct mem_state *s = &mem_state;
	uint64_t low = s->min_addr > MEM_PAGE_SIZE ? s->min_addr : MEM_PAGE_SIZE;
	int64_t r;

	if (len > s->task_size)
		return -ENOMEM;
	if (s->layout.bottom_up)
		return search_up(len, s->layout.mmap_base, s->task_size);
	r = search_down(len, low);
	/* Kernel: "a failed mmap() very likely causes application failure, so fall back to the bottom-up
	 * function here". */
	return r >= 0 ? r : search_up(len, 0x40000000, s->task_size);
}

int64_t mem_find_free(uint32_t len)
{
	int64_t r;

	mem_lock();
	r = mem_search(page_up(len));
	mem_unlock();
	return r;
}

void mem_note_mapped(gaddr a, uint32_t len, int prot, bool shared)
{
	mem_lock();
	mem_set_bits(a, page_up(len),
		     mem_bits_of_prot(prot) | PG_MAPPED | (shared ? PG_SHARED : 0));
	mem_forget(a, page_up(len));
	mem_unlock();
}

void mem_note_unmapped(gaddr a, uint32_t len)
{
	mem_lock();
	(void)mem_host_release(a, page_up(len));
	mem_set_bits(a, page_up(len), 0);
	mem_forget(a, page_up(len));
	mem_search_freed(a, page_up(len));
	mem_unlock();
}

/* --- faults ---------------------------------------------------------------------------------------- */

/* Bytes of the growing mapping that starts at A. */
static uint64_t grows_run(uint64_t a)
{
	uint64_t p = a;

	while (grows_at(p))
		p += MEM_PAGE_SIZE;
	return p - a;
}

/* No accessible mapping of another kind may lie in the guard gap below PAGE. */
static bool gap_below(uint64_t page)
{
	uint64_t low = page > GUARD_GAP ? page - GUARD_GAP : 0;

	for (uint64_t p = low; p < page; p += MEM_PAGE_SIZE) {
		if (*page_at(p) & PG_ACCESS && !(*page_at(p) & PG_GROWS))
			return false;
	}
	return true;
}

/* Gives the host side of [page, low) the protection of BITS, with memory where there is none yet. */
static bool grow_host(uint64_t page, uint64_t low, uint8_t bits)
{
	struct mem_state *s = &mem_state;
	bool main_stack = low >= s->stack_host_low && low <= s->layout.stack_top;
	uint64_t have = main_stack ? s->stack_host_low : low; /* host memory starts here */
	const int prot = mem_host_prot(bits);

	if (page < have &&
	    mmap(mem_arena.base + page, have - page, prot,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	const uint64_t from = s->strict && page > have ? page : have;

	if (have < low && mprotect(mem_arena.base + from, low - from, prot) < 0)
		return false;
	if (main_stack && page < have)
		s->stack_host_low = (gaddr)page;
	return true;
}

void mem_strict(void)
{
	struct mem_state *s = &mem_state;
	uint64_t low = s->layout.stack_top;

	mem_lock();
	if (!s->strict) {
		s->strict = true;
		while (low > s->stack_host_low && grows_at(low - MEM_PAGE_SIZE))
			low -= MEM_PAGE_SIZE;
		if (s->stack_host_low && low > s->stack_host_low)
			mprotect(mem_arena.base + s->stack_host_low, low - s->stack_host_low,
				 PROT_NONE);
	}
	mem_unlock();
}

/* Kernel 4.14 expand_downwards(): the stack limit, and a guard gap to the mapping below. */
bool mem_grow(gaddr a)
{
	uint64_t page = a & ~MEM_PAGE_MASK, low;
	struct mem_limits lim;
	bool mapped, ok;
	uint8_t bits;

	mem_get_limits(&lim);
	mem_lock();
	ok = *page_at(page) & PG_MAPPED; /* somebody else was faster */
	if (!ok) {
		low = page + mem_run(page, MEM_SPACE, &mapped);
		if (grows_at(low) && low - page + grows_run(low) <= lim.stack && gap_below(page) &&
		    mem_may_expand(*page_at(low), low - page)) {
			bits = *page_at(low) & (uint8_t)~PG_CODE;
			ok = grow_host(page, low, bits);
			if (ok)
				memset(page_at(page), bits, (low - page) >> MEM_PAGE_SHIFT);
		}
	}
	mem_unlock();
	return ok;
}

enum mem_fault mem_resolve(uint64_t addr, enum mem_access access)
{
	static const uint8_t need[] = {
		[MEM_READ] = PG_ACCESS, [MEM_WRITE] = PG_W, [MEM_EXEC] = PG_X};
	uint8_t bits;

	if (addr >= MEM_SPACE)
		return MEM_MAPERR;
	bits = *page_at(addr);
	if (!(bits & PG_MAPPED)) {
		if (!mem_grow((gaddr)addr))
			return MEM_MAPERR;
		bits = *page_at(addr);
	}
	if (!(bits & need[access]))
		return MEM_ACCERR;
	if (bits & PG_FILE && !mem_probe((gaddr)addr))
		return MEM_BUSERR;
	return MEM_OK;
}
