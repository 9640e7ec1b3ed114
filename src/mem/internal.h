/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of src/mem share. */
#ifndef MEM_INTERNAL_H
#define MEM_INTERNAL_H

#include <sys/mman.h>

#include "lock.h"
#include "mem/mem.h"

#ifndef MAP_FIXED_NOREPLACE
# define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_POPULATE_READ
# define MADV_POPULATE_READ  22
# define MADV_POPULATE_WRITE 23
#endif
#ifndef MREMAP_DONTUNMAP
# define MREMAP_DONTUNMAP 4
#endif

/* Values of the guest's interface, the same on arm64 and in asm-generic. */
#define GPROT_GROWSDOWN 0x01000000
#define GPROT_GROWSUP   0x02000000
#define GPROT_SEM       0x8

#define GUARD_GAP (256u * MEM_PAGE_SIZE) /* stack_guard_gap, kernel default */

/* All bits that tell one mapping from another. */
#define PG_KIND (PG_R | PG_W | PG_X | PG_MAPPED | PG_SHARED | PG_FILE | PG_GROWS)

struct mem_state {
	struct own_lock lock;
	struct mem_config cfg;
	struct mem_layout layout;
	uint64_t seed_state;
	bool read_implies_exec;
	mem_listener *listener;
	mem_limits_fn *limits;
	uint64_t task_size;
	uint64_t common_code[MEM_SPACE >>
			     26]; /* a bit for each MiB with translated code of files or shared */
	uint32_t min_addr;        /* vm.mmap_min_addr unless the process may ignore it */

	gaddr brk_start, brk;
	uint64_t top_hint; /* no free page lies in [top_hint, mmap_base) (top-down layout) */

	/* The main stack: host memory is there from stack_host_low on, the guest's view from the lowest
	 * PG_GROWS page on. */
	gaddr stack_host_low;
	bool strict; /* mem_strict() */
	gaddr start_code, end_code, start_data, end_data, start_stack;
};
extern struct mem_state mem_state;

static inline uint64_t page_up(uint64_t x)
{
	return (x + MEM_PAGE_MASK) & ~(uint64_t)MEM_PAGE_MASK;
}

static inline uint8_t *page_at(uint64_t a)
{
	return mem_arena.page + (a >> MEM_PAGE_SHIFT);
}

/* PG_R, PG_W, PG_X of a PROT_ set (READ_IMPLIES_EXEC is the caller's), and the host's PROT_ for them:
 * the host never executes guest pages. */
uint8_t mem_bits_of_prot(int prot);
int mem_host_prot(uint8_t bits);

/* Length in bytes of the run from A, below END, of pages that are mapped (or not) like A's page. */
uint64_t mem_run(uint64_t a, uint64_t end, bool *mapped);
/* The same in PAGE, a table like the arena's. */
uint64_t mem_run_in(const uint8_t *page, uint64_t a, uint64_t end, bool *mapped);

/* Ends the emulator unless [a, a+len) lies in the guest's space: the last line of defence behind the checks
 * of arguments, where memory of the host would be unmapped or the page table left. */
void mem_must_be_inside(uint64_t a, uint64_t len);

/* Sets the bits of [a, a+len) and reports the change to the listener where pages were mapped. */
void mem_set_bits(uint64_t a, uint64_t len, uint8_t bits);

/* [a, a+len) is unmapped, or mapped anew: what stays with a mapping and is not in the page table (name,
 * MADV_DONTFORK) ends. */
void mem_forget(uint64_t a, uint64_t len);
/* [a, a+len) now belongs to the mapping at OLD, by moving or growing: has the same from now on. */
void mem_inherit(uint64_t old, uint64_t a, uint64_t len);
/* Their parts in maps.c. */
void mem_names_removed(uint64_t a, uint64_t len);
void mem_names_inherit(uint64_t old, uint64_t a, uint64_t len);

/* Makes the host side of [a, a+len) inaccessible again. 0 or -errno. */
int mem_host_release(uint64_t a, uint64_t len);
/* Reserves [a, a+len) again if a host call that failed has left nothing there. False: not possible, other
 * memory of the host is there meanwhile. */
bool mem_host_close_hole(uint64_t a, uint64_t len);

/* Removes the mapped pages of [a, a+len), host and table. 0 or -errno. */
int mem_unmap_range(uint64_t a, uint64_t len);

/* Where a mapping of LEN bytes (page multiple) goes without a hint: an address or -ENOMEM. */
int64_t mem_search(uint64_t len);
/* Whether the process's limits let LEN more bytes with BITS be mapped (kernel may_expand_vm()); the same
 * in place of what is mapped in [a, a+len). */
bool mem_may_expand(uint8_t bits, uint64_t len);
bool mem_may_replace(uint8_t bits, uint64_t a, uint64_t len);
/* Whether [a, a+len) is free and keeps the guard gap to a stack above it. */
bool mem_range_free(uint64_t a, uint64_t len);
/* [a, a+len) became free: the search may find it. */
void mem_search_freed(uint64_t a, uint64_t len);

/* Extends the growing mapping above A down to A's page. False if there is none or it may not grow. */
bool mem_grow(gaddr a);

/* Reads one byte of the page at A; false if that faults (beyond the end of a file). */
bool mem_probe(gaddr a);

#endif
