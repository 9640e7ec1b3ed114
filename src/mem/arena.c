/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reserving the arena, the address-space layout and its randomness. */
#include "mem/guard.h"
#include "mem/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

struct mem_arena mem_arena;
struct mem_state mem_state = {.lock = OWN_LOCK_INIT};

/* Kernel 4.14 ILP32 (arch/arm64/mm/mmap.c, asm/elf.h; recorded: tests/oracle/layout.c). */
#define STACK_TOP        0xffff0000u
#define STACK_RND_PAGES  0x7ffu
#define MMAP_RND_PAGES   0x7ffu /* mmap_rnd_compat_bits 11 */
#define MMAP_GAP_MIN     (128ull << 20)
#define MMAP_GAP_MAX     ((uint64_t)STACK_TOP / 6 * 5)
#define LEGACY_MMAP_BASE 0x40000000u
#define PIE_BASE         0x00400000u
#define BRK_RND_PAGES    0x1fffu /* below 32 MiB */
#define STACK_HOST_MAX   (64u << 20)

void mem_random(void *buf, size_t n)
{
	uint8_t *p = buf;

	if (!mem_state.cfg.seeded) {
		while (n) {
			ssize_t r = getrandom(p, n, 0);

			if (r > 0)
				p += r, n -= (size_t)r;
		}
		return;
	}
	while (n) { /* splitmix64 */
		uint64_t z = mem_state.seed_state += 0x9e3779b97f4a7c15ull;
		size_t k = n < sizeof(z) ? n : sizeof(z);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
		z ^= z >> 31;
		memcpy(p, &z, k);
		p += k, n -= k;
	}
}

static uint32_t random_pages(uint32_t mask)
{
	uint32_t r = 0;

	if (!mem_state.cfg.aslr)
		return 0;
	mem_random(&r, sizeof(r));
	return (r & mask) << MEM_PAGE_SHIFT;
}

static void compute_layout(struct mem_layout *l, uint64_t rlimit)
{
	uint64_t gap = rlimit;
	const uint64_t pad = (uint64_t)STACK_RND_PAGES * MEM_PAGE_SIZE + GUARD_GAP;

	l->stack_top = STACK_TOP - random_pages(STACK_RND_PAGES);
	l->pie_base = PIE_BASE + random_pages(MMAP_RND_PAGES);
	l->brk_gap = random_pages(BRK_RND_PAGES);
	l->bottom_up = rlimit == UINT64_MAX;
	if (l->bottom_up) {
		l->mmap_base = LEGACY_MMAP_BASE + random_pages(MMAP_RND_PAGES);
		return;
	}
	gap = gap > MMAP_GAP_MAX ? MMAP_GAP_MAX : gap + pad;
	if (gap < MMAP_GAP_MIN)
		gap = MMAP_GAP_MIN;
	if (gap > MMAP_GAP_MAX)
		gap = MMAP_GAP_MAX;
	l->mmap_base = (gaddr)page_up(STACK_TOP - gap - random_pages(MMAP_RND_PAGES));
}

/* The floor that security_mmap_addr() enforces: none with CAP_SYS_RAWIO, which root has. */
static uint32_t read_min_addr(void)
{
	char text[32] = "65536";
	int fd;

	if (geteuid() == 0)
		return 0;
	fd = open("/proc/sys/vm/mmap_min_addr", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ssize_t n = read(fd, text, sizeof(text) - 1);

		text[n > 0 ? n : 0] = 0;
		close(fd);
	}
	unsigned v = 0;

	(void)sscanf(text, "%u", &v);
	return (uint32_t)page_up(v);
}

/* SIZE bytes that nobody can access. At WANT (UINTPTR_MAX: anywhere). */
static void *reserve(uintptr_t want, size_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *p;

	if (want == UINTPTR_MAX)
		return mmap(NULL, size, PROT_NONE, flags, -1, 0);
	/* Address 0 needs the lowest pages, which only root may map. */
	p = mmap((void *)want, size, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
	if (p != MAP_FAILED && p != (void *)want) {
		munmap(p, size);
		errno = EEXIST;
		return MAP_FAILED;
	}
	return p;
}

/*
 * Place for the arena. Anywhere means that 4 GiB of the host's address space follow: in profiles with the LP64 limit a
 * length may reach beyond 4 GiB, and a host kernel that adds it to the address must not find the sum above its own limit.
 */
static void *reserve_arena(uintptr_t want)
{
	const size_t size = MEM_SPACE + MEM_GUARD;
	uint8_t *p;

	if (want == UINTPTR_MAX) {
		p = reserve(want, size + MEM_SPACE);
		if (p != MAP_FAILED) {
			munmap(p + size, MEM_SPACE);
			return p;
		}
	}
	return reserve(want, size); /* RLIMIT_AS may allow just this */
}

/* The page table, with guards on both sides: what runs over its ends faults. */
static void *create_table(void)
{
	uint8_t *p = reserve(UINTPTR_MAX, MEM_PAGES + 2 * (size_t)MEM_GUARD);

	if (p == MAP_FAILED)
		return MAP_FAILED;
	if (mprotect(p + MEM_GUARD, MEM_PAGES, PROT_READ | PROT_WRITE) < 0) {
		munmap(p, MEM_PAGES + 2 * (size_t)MEM_GUARD);
		return MAP_FAILED;
	}
	return p + MEM_GUARD;
}

int mem_init(const struct mem_config *cfg)
{
	void *base, *table;

	/* Guest pages are 4 KiB; a host with larger pages cannot protect them one by one. */
	if (sysconf(_SC_PAGESIZE) != MEM_PAGE_SIZE)
		return -ENOTSUP;
	/* No place for memory: to Unicorn, and to C, host address 0 is no pointer. */
	if (cfg->base == 0)
		return -EINVAL;
	base = reserve_arena(cfg->base);
	if (base == MAP_FAILED)
		return -errno;
	table = create_table();
	if (table == MAP_FAILED) {
		int e = errno;

		munmap(base, MEM_SPACE + MEM_GUARD);
		return -e;
	}
	/* The guest's resident size is to count its pages (RSS limits, mincore, /proc), and its protections change
	 * by 4 KiB: transparent huge pages would be split all the time. The guest may ask for them. */
	(void)madvise(base, MEM_SPACE, MADV_NOHUGEPAGE);
	mem_arena.base = base;
	mem_arena.page = table;
	mem_state.cfg = *cfg;
	mem_state.seed_state = cfg->seed;
	mem_state.min_addr = read_min_addr();
	mem_state.task_size = cfg->task_size ? cfg->task_size : MEM_SPACE;
	compute_layout(&mem_state.layout, cfg->stack_rlimit);
	mem_state.top_hint = mem_state.layout.mmap_base;
	return 0;
}

uint64_t mem_task_size(void)
{
	return mem_state.task_size;
}

const struct mem_layout *mem_layout(void)
{
	return &mem_state.layout;
}

int mem_map_stack(size_t size, int prot)
{
	struct mem_state *s = &mem_state;
	uint64_t top = s->layout.stack_top;
	uint64_t grow = s->cfg.stack_rlimit;
	uint8_t bits = mem_bits_of_prot(prot);

	size = page_up(size);
	if (size == 0 || size > top - MEM_PAGE_SIZE)
		return -ENOMEM;
	if (grow > STACK_HOST_MAX)
		grow = STACK_HOST_MAX;
	grow = page_up(grow < size ? size : grow);
	/* The host side exists down to the limit, so that the host kernel's own accesses below the
	 * guest's view succeed, as they would expand the stack there. */
	if (mmap(mem_arena.base + top - grow, grow, mem_host_prot(bits),
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return -errno;
	mem_lock();
	s->stack_host_low = (gaddr)(top - grow);
	mem_set_bits(top - size, size, bits | PG_MAPPED | PG_GROWS);
	mem_unlock();
	return 0;
}

void mem_set_read_implies_exec(bool on)
{
	mem_state.read_implies_exec = on;
}

void mem_set_listener(mem_listener *fn)
{
	mem_state.listener = fn;
}

void mem_set_image(gaddr start_code, gaddr end_code, gaddr start_data, gaddr end_data)
{
	mem_state.start_code = start_code;
	mem_state.end_code = end_code;
	mem_state.start_data = start_data;
	mem_state.end_data = end_data;
}

void mem_set_start_stack(gaddr sp)
{
	mem_state.start_stack = sp;
}

void mem_lock(void)
{
	own_lock(&mem_state.lock);
}

void mem_unlock(void)
{
	own_unlock(&mem_state.lock);
}
