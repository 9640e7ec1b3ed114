/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's 4 GiB address space: one reserved arena of host memory, and a table with one byte a
 * guest page that is the only truth about guest permissions. Engines, fault codes and
 * /proc/self/maps read that table; system calls read and write the arena directly.
 *
 * There is one address space a host process, so the functions take no handle.
 *
 * Locks: the table changes only under the mem lock, which the functions here take themselves (none may be called
 * with it held, nor from the listener, which has it); PG_CODE alone is also set without it (mem_mark_code()).
 * Whoever reads the table without it (mem_page_bits(), the copies, mem_resolve() of an engine in guest code) may
 * see what changes in that moment: the host access behind it must be able to fault. A place that was searched
 * for (mem_find_free()) stays free, and a call made in two steps (shmat and mem_note_mapped()) is whole for
 * other threads, only under the emulator lock. mem_init(), mem_set_listener(), mem_set_brk_start() and
 * the other mem_set_ functions of start-up are for a process with one thread.
 */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gaddr; /* a guest virtual address */

#define MEM_PAGE_SHIFT 12
#define MEM_PAGE_SIZE  4096u
#define MEM_PAGE_MASK  (MEM_PAGE_SIZE - 1)
#define MEM_SPACE      0x100000000ull /* size of the guest address space in bytes */
#define MEM_PAGES      (1u << (32 - MEM_PAGE_SHIFT))

/* The bits of one page-table byte. A page without PG_MAPPED has no other bit. */
enum {
	/* As asked for; any of the three makes the page readable (arm64 rule). */
	PG_R = 1,
	PG_W = 2, /* writable */
	PG_X = 4, /* executable */
	PG_ACCESS = PG_R | PG_W | PG_X,
	PG_MAPPED = 8,  /* part of a mapping, even if PROT_NONE */
	PG_SHARED = 16, /* MAP_SHARED */
	PG_FILE = 32,   /* backed by a file: an access beyond its end is SIGBUS */
	PG_CODE = 64,   /* an engine holds a translation of this page */
	PG_GROWS = 128, /* grows down on a fault below it (stack) */
};

enum mem_access { MEM_READ, MEM_WRITE, MEM_EXEC };

/* Why an access fails; the values select signal and si_code (SEGV_MAPERR, SEGV_ACCERR, BUS_ADRERR). */
enum mem_fault { MEM_OK, MEM_MAPERR, MEM_ACCERR, MEM_BUSERR };

struct mem_arena {
	uint8_t *base; /* host address of guest address 0 */
	uint8_t *page; /* MEM_PAGES bytes of PG_ bits */
};
extern struct mem_arena mem_arena;

/* --- set-up ------------------------------------------------------------------------------ */

struct mem_config {
	uintptr_t base; /* wanted arena address, or UINTPTR_MAX for any */
	bool aslr;      /* randomize stack top, mmap base, brk, PIE base */
	bool seeded;    /* draw the randomness from seed instead of getrandom(2) */
	uint64_t seed;
	uint64_t
		stack_rlimit; /* RLIMIT_STACK in bytes, UINT64_MAX = unlimited: selects the mmap layout */
	uint64_t task_size; /* where the guest's part of the space ends; 0: at MEM_SPACE */
};

/* Reserves the arena and computes the layout. 0, or -errno (then nothing is reserved). */
int mem_init(const struct mem_config *cfg);

/* Where things go (kernel 4.14 ILP32, arch/arm64/mm/mmap.c). */
struct mem_layout {
	gaddr stack_top;  /* first address above the stack mapping */
	gaddr mmap_base;  /* top-down: highest end of a mapping; bottom-up: lowest start */
	bool bottom_up;   /* legacy layout (unlimited stack) */
	gaddr pie_base;   /* load address of a PIE with an interpreter */
	uint32_t brk_gap; /* random distance between the end of bss and the first brk */
};
const struct mem_layout *mem_layout(void);

/* The kernel's TASK_SIZE: nothing can be mapped from there on. */
uint64_t mem_task_size(void);

/*
 * The guest's resource limits in bytes, UINT64_MAX for none: RLIMIT_AS, RLIMIT_DATA with its hard limit,
 * RLIMIT_STACK. They are the process's that makes the call, so they are asked for each time; without
 * a source there are none but cfg.stack_rlimit. A request beyond them is ENOMEM (may_expand_vm()), an
 * access that would need a longer stack faults.
 */
struct mem_limits {
	uint64_t as, data, data_max, stack;
};
typedef void mem_limits_fn(struct mem_limits *l);
void mem_set_limits_source(mem_limits_fn *fn);
void mem_get_limits(struct mem_limits *l);

/* N random bytes, reproducible under --seed. For AT_RANDOM and layout. */
void mem_random(void *buf, size_t n);

/*
 * Maps the main stack: SIZE bytes are present at once, below layout.stack_top; it then grows on
 * demand to RLIMIT_STACK. PROT is PROT_READ|PROT_WRITE[|PROT_EXEC]. 0 or -errno.
 */
int mem_map_stack(size_t size, int prot);

/* Sets the start of the heap, normally the page-aligned end of bss. */
void mem_set_brk_start(gaddr start);

/* READ_IMPLIES_EXEC of personality(2): later PROT_READ mappings also get PROT_EXEC. */
void mem_set_read_implies_exec(bool on);

/* Gives [start, start+len) a name of up to 15 bytes for /proc/self/maps, "[vdso]" say. */
void mem_set_name(gaddr start, size_t len, const char *name);

/* --- access from the emulator --------------------------------------------------------------- */

/* The host address of guest address A. Valid for raw host system calls, which report EFAULT
 * themselves; never dereference it in C outside src/mem and the engines. */
static inline void *mem_host(gaddr a)
{
	return mem_arena.base + a;
}

static inline uint8_t mem_page_bits(gaddr a)
{
	return mem_arena.page[a >> MEM_PAGE_SHIFT];
}

/* Fault-safe copies. 0 or -EFAULT. A copy that fails may have moved the bytes before the bad page. */
int mem_copy_in(void *dst, gaddr src, size_t n);
int mem_copy_out(gaddr dst, const void *src, size_t n);
int mem_zero_out(gaddr dst, size_t n);
/* Copies a NUL-terminated string. Its length without NUL, -EFAULT, or -ENAMETOOLONG when SIZE
 * bytes hold no NUL. */
int64_t mem_copy_str(char *dst, gaddr src, size_t size);
int mem_get_u32(gaddr src, uint32_t *v);
int mem_put_u32(gaddr dst, uint32_t v);
int mem_put_u64(gaddr dst, uint64_t v);
/* Atomic compare and exchange of an aligned word, also against other processes. 0, or -EFAULT; the
 * word was written if *EXPECTED is what it was, which is in *EXPECTED afterwards. */
int mem_cas_u32(gaddr a, uint32_t *expected, uint32_t desired);

/* Runs FN, which touches guest memory at addresses that the page table allows. False: it faulted
 * somewhere on the way. */
bool mem_guard(void (*fn)(void *arg), void *arg);

/* From now on a fault of the calling thread kills the process (ON), or does not: until then, the copies
 * leave the access to the host kernel. May be called in a signal handler. */
void mem_copy_without_faults(bool on);

/*
 * Called from the host SIGSEGV/SIGBUS handler: when the fault was inside one of the copies above it
 * does not return (the copy reports -EFAULT); otherwise it returns.
 */
void mem_copy_fault(void *host_addr);

/* True if HOST lies in the arena; then *A is the guest address. */
bool mem_from_host(const void *host, gaddr *a);

/*
 * Decides an access by the guest at the 64-bit address ADDR (already without its tag byte), as an
 * engine sees it when its own look-up missed. Grows the stack, probes file pages for their end.
 * On MEM_OK the page-table byte holds the permissions that the engine may cache.
 */
enum mem_fault mem_resolve(uint64_t addr, enum mem_access access);

/* From now on the host lets nobody access what the page table does not show: an engine accesses the arena
 * without look-ups. Until then the host kernel finds all of the main stack, down to its limit, as it
 * would grow for the kernel's own accesses; such an engine calls mem_resolve() for the stack pointer
 * before a system call. */
void mem_strict(void);

/* The engine is about to translate code of A's page: later changes to it are reported to the
 * listener. False: the page is not executable (any more). */
bool mem_mark_code(gaddr a);

#define MEM_CODE_LINE 64 /* bytes; CTR_EL0.IminLine says so to the guest */

/*
 * The guest says that the code in the cache line of LINE is new (IC IVAU): calls FN for the line and for each
 * other one with translations that may show the same memory. Instruction caches of this CPU (CTR_EL0.L1Ip:
 * PIPT) know no aliases. Who shows the same memory shows the same bytes, so lines of shared and file pages with
 * other contents are none. FN is called without any lock.
 */
void mem_code_aliases(gaddr line, void (*fn)(void *owner, gaddr line), void *owner);

/* The host wrote [a, a+len) on the guest's behalf (read(2) into it, say): stale code goes. */
void mem_host_wrote(gaddr a, size_t len);

/* The guest cut a file short: code that was translated from pages behind its new end goes, so that its next
 * fetch faults (SIGBUS), and cached look-ups of data there. When another process does it, translated code runs on. */
void mem_file_cut(void);

/*
 * Tells engines what changed. WHAT is a set of: MEM_PERM, permissions or backing of the pages
 * changed (cached look-ups are stale); MEM_CODE, translated code of the range is stale.
 * Called with the mem lock held, in the thread that made the change.
 */
enum { MEM_PERM = 1, MEM_CODE = 2 };
typedef void mem_listener(gaddr start, uint64_t len, unsigned what);
void mem_set_listener(mem_listener *fn);

/* --- the mmap family: kernel results, -errno or a zero-extended address --------------------- */

/* OFFSET is in bytes. PROT, FLAGS are the arm64 values (equal to asm-generic). */
int64_t mem_mmap(gaddr addr, uint32_t len, int prot, int flags, int fd, uint64_t offset);
int64_t mem_munmap(gaddr addr, uint32_t len);
/* What MAP_POPULATE in FLAGS asks for, behind mem_mmap() with its arguments: gets the pages, which may take long. At any
 * time. */
void mem_populate(gaddr addr, uint32_t len, int prot, int flags);
int64_t mem_mprotect(gaddr addr, uint32_t len, int prot);
int64_t mem_mremap(gaddr old, uint32_t old_len, uint32_t new_len, uint32_t flags, gaddr new_addr);
int64_t mem_brk(gaddr brk);
int64_t mem_madvise(gaddr addr, uint32_t len, int advice);
int64_t mem_msync(gaddr addr, uint32_t len, int flags); /* this one and mem_mlock(): at any time */
int64_t mem_mincore(gaddr addr, uint32_t len, gaddr vec);
int64_t mem_mlock(gaddr addr, uint32_t len, uint32_t flags); /* MLOCK_ONFAULT or 0 */
int64_t mem_munlock(gaddr addr, uint32_t len);
int64_t mem_remap_file_pages(gaddr addr, uint32_t size, uint32_t prot, uint32_t pgoff,
			     uint32_t flags);
/* A free range of LEN bytes where the kernel would place a mapping, or -ENOMEM. Used by shmat. */
int64_t mem_find_free(uint32_t len);
/* Records a mapping that another system call (shmat) made at A in the arena / removed from it. */
void mem_note_mapped(gaddr a, uint32_t len, int prot, bool shared);
void mem_note_unmapped(gaddr a, uint32_t len);

/* --- views ------------------------------------------------------------------------------------ */

/* Text of /proc/self/maps (SMAPS false) or smaps as the guest must see it, malloc'ed; *LEN without
 * NUL. NULL when out of memory. */
char *mem_maps_text(bool smaps, size_t *len);

/* Guest sizes for /proc/self/stat and status, in bytes. */
struct mem_usage {
	uint64_t vsize, rss, data, stack, exe, lib;
	uint64_t anon, shmem, swap, locked; /* parts of rss; what is swapped out; what is locked */
	uint64_t tables;                    /* page tables that a kernel would need */
	gaddr brk_start, brk, start_code, end_code, start_data, end_data, start_stack;
};
/* False when out of memory: what is counted in pages is then missing. */
bool mem_usage(struct mem_usage *u);

/* Host addresses of the books of an address space, for other processes that run the same emulator. */
struct mem_locator {
	uint64_t base, page, state, names;
	uint64_t size; /* of all behind STATE and NAMES: tells forms apart */
};
void mem_locate(struct mem_locator *l);
/* A copy of another process's books, found by its locator. MEM_FD is open on its /proc/PID/mem, DIR is
 * "/proc/PID". NULL: out of memory, or L does not fit. */
struct mem_view;
struct mem_view *mem_view_other(const struct mem_locator *l, int mem_fd, const char *dir);
void mem_view_free(struct mem_view *v);
char *mem_maps_text_of(const struct mem_view *v, bool smaps, size_t *len);
bool mem_usage_of(const struct mem_view *v, struct mem_usage *u);
/* The loader tells the code and data bounds of the main program (mm->start_code ...). */
void mem_set_image(gaddr start_code, gaddr end_code, gaddr start_data, gaddr end_data);
/* The loader tells the initial stack pointer (mm->start_stack). */
void mem_set_start_stack(gaddr sp);

/* In the child of fork(2), when the listener is right for it: what MADV_DONTFORK kept out of it goes. */
void mem_drop_dontfork(void);

/* Taken around fork(2) so that the child gets a consistent table; MEM_AFTER_FORK instead of MEM_UNLOCK
 * in the child, which is another owner. */
void mem_lock(void);
void mem_unlock(void);
void mem_after_fork(void);
/* A process that shared this memory and the calling thread's TLS (vfork) was killed, perhaps in one of
 * the functions above: frees what it held. */
void mem_bury(void);

#endif
