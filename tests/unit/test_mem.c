/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mmap family against the kernel's rules. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "test_mem.h"

static gaddr base;

/* --- layout (tests/oracle/layout.c) ---------------------------------------------------------------- */

static void layout_is_the_kernels(void **state)
{
	const struct mem_layout *l = mem_layout();

	(void)state;
	assert_int_equal(l->stack_top, 0xffff0000u);
	assert_int_equal(l->mmap_base, 0xf7ff0000u);
	assert_int_equal(l->pie_base, 0x00400000u);
	assert_int_equal(l->brk_gap, 0);
	assert_false(l->bottom_up);
}

static void placement_is_top_down(void **state)
{
	(void)state;
	assert_int_equal(map(0, 2 * P, ANON), base - 2 * P);
	assert_int_equal(map(0, P, ANON), base - 3 * P);
	assert_int_equal(mem_munmap(base - 2 * P, P), 0);
	/* the highest gap that fits */
	assert_int_equal(map(0, 2 * P, ANON), base - 5 * P);
	assert_int_equal(map(0, P, ANON), base - 2 * P);
	assert_int_equal(map(0, 0x7fffffff, ANON | MAP_NORESERVE), base - 5 * P - 0x80000000u);
	assert_int_equal(map(0, 0xf0000000u, ANON | MAP_NORESERVE), -ENOMEM);
}

static void hints_and_fixed(void **state)
{
	(void)state;
	assert_int_equal(map(0x10000000, P, ANON), 0x10000000);
	assert_int_equal(map(0x10000000, P, ANON), base - P); /* taken: elsewhere */
	assert_int_equal(map(0x20000123, P, ANON), 0x20000000);
	assert_int_equal(map(0xfffff000u, P, ANON), 0xfffff000u);
	assert_int_equal(map(0xfffff000u, P, FIXED), 0xfffff000u);
	assert_int_equal(map(0xfffff000u, 2 * P, FIXED), -ENOMEM);
	assert_int_equal(map(0xffff0000u, P, FIXED), 0xffff0000u);
	assert_int_equal(map(0x10000001, P, FIXED), -EINVAL);
	assert_int_equal(map(0x10000000, P, ANON | MAP_FIXED_NOREPLACE), -EEXIST);
	assert_int_equal(map(0x0ffff000, 2 * P, ANON | MAP_FIXED_NOREPLACE), -EEXIST);
	assert_int_equal(map(0x30000000, P, ANON | MAP_FIXED_NOREPLACE), 0x30000000);
	if (geteuid() == 0) {
		assert_int_equal(map(0, P, FIXED), 0);
		assert_int_equal(map(0x1000, P, FIXED), 0x1000);
	}
}

static void bad_arguments(void **state)
{
	int fd = temp_file(P), ro;
	char path[64];

	(void)state;
	assert_int_equal(map(0, 0, ANON), -EINVAL);
	assert_int_equal(mem_mmap(0, P, RW, MAP_PRIVATE, -1, 0), -EBADF);
	assert_int_equal(mem_mmap(0, P, RW, MAP_ANONYMOUS, -1, 0), -EINVAL);
	assert_int_equal(mem_mmap(0, P, RW, MAP_PRIVATE, fd, 0x123), -EINVAL);
	assert_int_equal(mem_munmap(0xffff0000u, 0x20000), -EINVAL);
	assert_int_equal(mem_munmap(0x10000001, P), -EINVAL);
	assert_int_equal(mem_munmap(0x10000000, 0), -EINVAL);
	/* a writable shared mapping of a file open for reading: refused, the old mapping stays */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ro = open(path, O_RDONLY);
	assert_true(ro >= 0);
	assert_int_equal(map(0x10000000, P, FIXED), 0x10000000);
	put(0x10000000, 77);
	assert_int_equal(mem_mmap(0x10000000, P, RW, MAP_SHARED | MAP_FIXED, ro, 0), -EACCES);
	assert_int_equal(get(0x10000000), 77);
	assert_int_equal(mem_mmap(0x10000000, P, PROT_READ, MAP_SHARED | MAP_FIXED, ro, 0),
			 0x10000000);
	assert_int_equal(mem_mprotect(0x10000000, P, RW), -EACCES);
	assert_false(writable(0x10000000));
	close(ro);
	close(fd);
}

static void protection(void **state)
{
	gaddr a = 0x10000000;

	(void)state;
	assert_int_equal(map(a, 4 * P, FIXED), a);
	assert_int_equal(mem_mprotect(a + P, P, PROT_READ), 0);
	assert_true(writable(a) && !writable(a + P) && readable(a + P) && writable(a + 2 * P));
	assert_int_equal(mem_mprotect(a + P, P, PROT_NONE), 0);
	assert_false(readable(a + P));
	assert_int_equal(mem_resolve(a + P, MEM_READ), MEM_ACCERR);
	assert_int_equal(mem_mprotect(a + P, P, PROT_WRITE), 0);
	assert_true(writable(a + P)); /* arm64: write implies read */
	assert_int_equal(mem_resolve(a, MEM_EXEC), MEM_ACCERR);
	assert_int_equal(mem_mprotect(a, P, PROT_READ | PROT_EXEC), 0);
	assert_int_equal(mem_resolve(a, MEM_EXEC), MEM_OK);
	/* a hole: ENOMEM, and the pages before it have changed */
	assert_int_equal(mem_munmap(a + 2 * P, P), 0);
	assert_int_equal(mem_mprotect(a, 4 * P, PROT_NONE), -ENOMEM);
	assert_false(readable(a + P));
	assert_true(writable(a + 3 * P));
	assert_int_equal(mem_mprotect(a + 1, P, RW), -EINVAL);
	assert_int_equal(mem_mprotect(a, 0, 0xff), 0);
	assert_int_equal(mem_mprotect(a, P, 0x40), -EINVAL);
	assert_int_equal(map(0xfffff000u, P, FIXED), 0xfffff000u);
	assert_int_equal(mem_mprotect(0xfffff000u, 2 * P, PROT_READ), -ENOMEM);
	assert_int_equal(mem_mprotect(0xfffff000u, P, PROT_NONE), 0);
	assert_int_equal(mem_mprotect(a, P, PROT_READ | 0x03000000), -EINVAL);
	assert_int_equal(mem_mprotect(a, P, PROT_READ | 0x01000000), -EINVAL); /* does not grow */
}

static void files(void **state)
{
	int fd = temp_file(0);
	const uint64_t far = 5ull << 30;
	gaddr a, b;

	(void)state;
	catch_faults();
	assert_int_equal(ftruncate(fd, (off_t)(far + 2 * P)), 0);
	assert_int_equal(pwrite(fd, "far", 4, (off_t)far), 4);
	a = (gaddr)mem_mmap(0, 2 * P, RW, MAP_SHARED, fd, far);
	b = (gaddr)mem_mmap(0, P, RW, MAP_PRIVATE, fd, far);
	assert_int_equal(get(a), 'f' | 'a' << 8 | 'r' << 16);
	put(a, 1234);
	assert_int_equal(get(b), 1234);
	put(b, 5);
	assert_int_equal(get(a), 1234);
	/* beyond the end of the file */
	assert_int_equal(ftruncate(fd, (off_t)(far + 16)), 0);
	assert_int_equal(mem_resolve(a, MEM_READ), MEM_OK);
	assert_int_equal(mem_resolve(a + P, MEM_READ), MEM_BUSERR);
	assert_int_equal(mem_resolve(a + P, MEM_WRITE), MEM_BUSERR);
	assert_false(readable(a + P));
	assert_int_equal(mem_copy_out(a + P, "x", 1), -EFAULT);
	close(fd);
}

static void faults(void **state)
{
	(void)state;
	assert_int_equal(map(0x10000000, P, FIXED), 0x10000000);
	assert_int_equal(mem_resolve(0x10000fff, MEM_WRITE), MEM_OK);
	assert_int_equal(mem_resolve(0x10001000, MEM_READ), MEM_MAPERR);
	assert_int_equal(mem_resolve(0x110000000ull, MEM_READ), MEM_MAPERR);
	assert_int_equal(mem_resolve(UINT64_MAX, MEM_EXEC), MEM_MAPERR);
}

/* --- copies --------------------------------------------------------------------------------------- */

static void copies_at_edges(void **state)
{
	uint8_t buf[64] = {0};

	(void)state;
	assert_int_equal(map(0xfffff000u, P, FIXED), 0xfffff000u);
	assert_int_equal(mem_copy_out(0xffffffffu, "z", 1), 0);
	assert_int_equal(mem_copy_out(0xffffffffu, "zz", 2), -EFAULT);
	assert_int_equal(mem_copy_in(buf, 0xffffffffu, 2), -EFAULT);
	assert_int_equal(mem_copy_in(buf, 0xffffffffu, 1), 0);
	assert_int_equal(buf[0], 'z');
	assert_int_equal(mem_zero_out(0xffffffffu, 2), -EFAULT);
	assert_int_equal(map(0x10000000, P, FIXED), 0x10000000);
	assert_int_equal(mem_copy_out(0x10000ffc, "abcdefgh", 8), -EFAULT);
	assert_int_equal(get(0x10000ffc), 'a' | 'b' << 8 | 'c' << 16 | 'd' << 24);
	assert_int_equal(mem_copy_in(buf, 0x10000ffd, 8), -EFAULT);
	assert_int_equal(mem_copy_in(buf, 0, 0), 0);
	assert_int_equal(mem_copy_in(buf, 0, 1), -EFAULT);
	assert_int_equal(mem_copy_str((char *)buf, 0x10000ffc, sizeof(buf)), -EFAULT);
	assert_int_equal(mem_copy_str((char *)buf, 0x10000ffc, 4), -ENAMETOOLONG);
	assert_int_equal(mem_copy_out(0x10000fff, "", 1), 0);
	assert_int_equal(mem_copy_str((char *)buf, 0x10000ffc, 4), 3);
	assert_string_equal((char *)buf, "abc");
	assert_int_equal(mem_mprotect(0x10000000, P, PROT_READ), 0);
	assert_int_equal(mem_put_u32(0x10000000, 1), -EFAULT);
	assert_int_equal(mem_put_u64(0x10000000, 1), -EFAULT);
}

/* Every length, so those at the ends of the pieces that are copied, and the page's, are among them. */
static void strings(void **state)
{
	const gaddr end = 0x10000000 + P;
	char want[320], got[320];

	(void)state;
	assert_int_equal(map(0x10000000, P, FIXED), 0x10000000);
	for (unsigned n = 0; n < sizeof(want); n++) {
		memset(want, 'a' + n % 26, sizeof(want));
		want[n] = '\0';
		/* Up to the last byte of the last page that is mapped. */
		assert_int_equal(mem_copy_out(end - n - 1, want, n + 1), 0);
		assert_int_equal(mem_copy_str(got, end - n - 1, sizeof(got)), n);
		assert_string_equal(got, want);
		assert_int_equal(mem_copy_str(got, end - n - 1, n), -ENAMETOOLONG);
		assert_int_equal(mem_copy_out(end - 1, "z", 1), 0);
		assert_int_equal(mem_copy_str(got, end - n - 1, sizeof(got)),
				 n + 1 < sizeof(got) ? -EFAULT : -ENAMETOOLONG);
	}
}

static void host_pointers(void **state)
{
	gaddr a;

	(void)state;
	assert_true(mem_from_host(mem_host(0xffffffffu), &a));
	assert_int_equal(a, 0xffffffffu);
	assert_false(mem_from_host(&a, &a));
	assert_false(mem_from_host((uint8_t *)mem_host(0) + MEM_SPACE, &a));
	/* the arena is followed by inaccessible memory, so the host kernel stops there too */
	assert_int_equal(map(0xfffff000u, P, FIXED), 0xfffff000u);
	assert_int_equal(getcwd((char *)mem_host(0xffffffffu), 2) == NULL, 1);
}

/* --- mremap ---------------------------------------------------------------------------------------- */

static void remap_rules(void **state)
{
	const uint32_t may = MREMAP_MAYMOVE, fix = MREMAP_MAYMOVE | MREMAP_FIXED;
	gaddr a = 0x10000000;

	(void)state;
	assert_int_equal(map(a, 4 * P, FIXED), a);
	for (unsigned i = 0; i < 4; i++)
		put(a + i * P, i + 1);
	assert_int_equal(mem_mremap(a + 1, P, P, may, 0), -EINVAL);
	assert_int_equal(mem_mremap(a, P, 0, may, 0), -EINVAL);
	assert_int_equal(mem_mremap(a, P, P, MREMAP_FIXED, 0), -EINVAL);
	assert_int_equal(mem_mremap(a, P, P, 0x80, 0), -EINVAL);
	assert_int_equal(mem_mremap(a, P, 2 * P, 4 | may, 0), -EINVAL); /* DONTUNMAP */
	assert_int_equal(mem_mremap(a + 8 * P, P, 2 * P, may, 0), -EFAULT);
	assert_int_equal(mem_mremap(a, 8 * P, 9 * P, may, 0), -EFAULT);
	assert_int_equal(mem_mremap(a, 0, P, may, 0), -EINVAL); /* private */
	assert_int_equal(mem_mremap(a, 2 * P, 2 * P, fix, a + P), -EINVAL);
	assert_int_equal(mem_mremap(a, P, 0xfffff000u, may, 0), -ENOMEM);
	/* in place */
	assert_int_equal(mem_mremap(a, 4 * P, 6 * P, 0, 0), a);
	assert_int_equal(get(a + 5 * P), 0);
	assert_int_equal(mem_mremap(a, 6 * P, 3 * P, 0, 0), a);
	assert_false(readable(a + 3 * P));
	/* blocked by a neighbour */
	assert_int_equal(map(a + 3 * P, P, FIXED), a + 3 * P);
	assert_int_equal(mem_mprotect(a + 3 * P, P, PROT_READ), 0);
	assert_int_equal(mem_mremap(a, 3 * P, 4 * P, 0, 0), -ENOMEM);
	assert_int_equal(mem_mremap(a, 3 * P, 5 * P, may, 0), base - 5 * P);
	assert_int_equal(get(base - 5 * P + 2 * P), 3);
	assert_int_equal(get(base - P), 0);
	assert_false(readable(a));
	/* to a fixed place, over something else, shorter */
	assert_int_equal(map(0x20000000, 4 * P, FIXED), 0x20000000);
	assert_int_equal(mem_mremap(base - 5 * P, 3 * P, P, fix, 0x20001000), 0x20001000);
	assert_int_equal(get(0x20001000), 1);
	assert_true(readable(0x20000000) && readable(0x20002000));
	assert_false(readable(base - 5 * P));
	assert_false(readable(base - 4 * P));
	assert_true(readable(base - 2 * P));
}

/* The old range ends behind the address space: do_munmap() of the rest refuses it (kernel 4.14 mm/mremap.c),
 * after MREMAP_FIXED has emptied the target. */
static void remap_shrinks_beyond_the_end(void **state)
{
	const gaddr a = 0xf0000000u, to = 0x10000000;

	(void)state;
	assert_int_equal(map(a, P, FIXED), a);
	assert_int_equal(map(to, P, FIXED), to);
	put(a, 7);
	if (geteuid() == 0) /* where a table without end would go on */
		assert_int_equal(map(0, P, FIXED), 0);
	assert_int_equal(mem_mremap(a, 0x20000000, P, 0, 0), -EINVAL);
	assert_int_equal(mem_mremap(a, 0xffffffffu, P, MREMAP_MAYMOVE, 0), -EINVAL);
	assert_true(readable(to));
	assert_int_equal(mem_mremap(a, 0x20000000, P, MREMAP_MAYMOVE | MREMAP_FIXED, to), -EINVAL);
	assert_int_equal(get(a), 7);
	assert_false(readable(to));
	if (geteuid() == 0)
		assert_true(readable(0));
	/* to the very end is allowed */
	assert_int_equal(mem_mremap(a, 0x10000000, P, MREMAP_MAYMOVE | MREMAP_FIXED, to), to);
	assert_int_equal(get(to), 7);
}

static void remap_shared(void **state)
{
	int fd = temp_file(8 * P);
	gaddr a, b;

	(void)state;
	a = (gaddr)mem_mmap(0x10000000, 2 * P, RW, MAP_SHARED | MAP_FIXED, fd, P);
	put(a, 42);
	b = (gaddr)mem_mremap(a, 0, 2 * P, MREMAP_MAYMOVE, 0); /* a second view */
	assert_int_equal(get(b), 42);
	put(b, 43);
	assert_int_equal(get(a), 43);
	assert_int_equal(mem_mremap(a, 2 * P, 4 * P, 0, 0), a); /* grows over the file */
	put(a + 3 * P, 9);
	uint32_t v = 0;

	assert_int_equal(pread(fd, &v, 4, 4 * P), 4);
	assert_int_equal(v, 9);
	b = (gaddr)mem_mremap(a, 4 * P, 4 * P, 4 | MREMAP_MAYMOVE, 0); /* DONTUNMAP */
	assert_int_equal(get(b), 43);
	assert_true(readable(a));
	close(fd);
}

/* --- brk, stack ------------------------------------------------------------------------------------ */

static void heap(void **state)
{
	(void)state;
	mem_set_brk_start(0x00500000);
	assert_int_equal(mem_brk(0), 0x00500000);
	assert_int_equal(mem_brk(0x004fffff), 0x00500000);
	assert_int_equal(mem_brk(0x00500001), 0x00500001);
	put(0x00500ffc, 3);
	assert_false(readable(0x00501000));
	assert_int_equal(mem_brk(0x00510000), 0x00510000);
	assert_int_equal(get(0x00500ffc), 3);
	assert_int_equal(mem_brk(0x00508000), 0x00508000);
	assert_false(readable(0x00508000));
	/* one free page must stay before the next mapping */
	assert_int_equal(map(0x00520000, P, FIXED), 0x00520000);
	assert_int_equal(mem_brk(0x00520000), 0x00508000);
	assert_int_equal(mem_brk(0x0051f000), 0x0051f000);
	assert_int_equal(mem_brk(0xffffffffu), 0x0051f000);
	assert_int_equal(mem_brk(0x00500000), 0x00500000);
}

static void stack_grows(void **state)
{
	gaddr top = mem_layout()->stack_top;

	(void)state;
	assert_int_equal(mem_map_stack(33 * P, RW), 0);
	assert_int_equal(mem_page_bits(top - 34 * P) & PG_MAPPED, 0);
	assert_int_equal(mem_resolve(top - 34 * P, MEM_WRITE), MEM_OK);
	assert_int_equal(mem_resolve(top - 100 * P + 5, MEM_READ), MEM_OK);
	assert_true(mem_page_bits(top - 50 * P) & PG_GROWS);
	put(top - 500 * P, 7); /* the emulator's copies grow it too */
	assert_int_equal(get(top - 500 * P), 7);
	/* the limit is 8 MiB in this test */
	assert_int_equal(mem_resolve(top - 2048 * P, MEM_READ), MEM_OK);
	assert_int_equal(mem_resolve(top - 2049 * P, MEM_READ), MEM_MAPERR);
}

static void stack_keeps_its_distance(void **state)
{
	gaddr top = mem_layout()->stack_top;

	(void)state;
	assert_int_equal(mem_map_stack(33 * P, RW), 0);
	assert_int_equal(map(top - 1000 * P, P, FIXED), top - 1000 * P);
	assert_int_equal(mem_resolve(top - 740 * P, MEM_WRITE), MEM_OK);
	assert_int_equal(mem_resolve(top - 744 * P, MEM_WRITE), MEM_MAPERR);
	/* a hint inside the gap below a stack is not used */
	assert_int_not_equal(map(top - 750 * P, P, ANON), top - 750 * P);
}

static void read_implies_exec(void **state)
{
	(void)state;
	mem_set_read_implies_exec(true);
	assert_int_equal(map(0x10000000, P, FIXED), 0x10000000);
	assert_int_equal(mem_resolve(0x10000000, MEM_EXEC), MEM_OK);
	assert_int_equal(mem_mprotect(0x10000000, P, PROT_READ), 0);
	assert_int_equal(mem_resolve(0x10000000, MEM_EXEC), MEM_OK);
}

/* --- what engines are told ------------------------------------------------------------------------- */

static struct {
	unsigned calls, what;
	gaddr start;
	uint64_t len;
} told;

static void listener(gaddr start, uint64_t len, unsigned what)
{
	told.calls++;
	told.what |= what;
	told.start = start;
	told.len = len;
}

static volatile bool stop_marking;
static volatile unsigned long marked;
static unsigned long code_reports;

static void count_code(gaddr start, uint64_t len, unsigned what)
{
	(void)start;
	(void)len;
	code_reports += (what & MEM_CODE) != 0;
}

/* An engine, the only one that sets PG_CODE here. */
static void *mark(void *unused)
{
	(void)unused;
	while (!stop_marking) {
		if (!(*(volatile uint8_t *)&mem_arena.page[0x10000] & PG_CODE))
			marked = marked + mem_mark_code(0x10000000);
	}
	return NULL;
}

/* Each mark is reported, whenever it is set. */
static void no_mark_is_lost(void **state)
{
	pthread_t engine;

	(void)state;
	marked = code_reports = 0, stop_marking = false;
	mem_note_mapped(0x10000000, P, PROT_READ | PROT_EXEC, false);
	mem_set_listener(count_code);
	assert_int_equal(pthread_create(&engine, NULL, mark, NULL), 0);
	for (unsigned long i = 0; i < 100000000 && marked < 50000; i++)
		mem_note_mapped(0x10000000, P, PROT_READ | PROT_EXEC, false);
	stop_marking = true;
	pthread_join(engine, NULL);
	mem_note_unmapped(0x10000000, P);
	mem_set_listener(NULL);
	assert_true(marked > 100);
	assert_int_equal(marked, code_reports);
}

static void listener_hears(void **state)
{
	gaddr a = 0x10000000;

	(void)state;
	mem_set_listener(listener);
	memset(&told, 0, sizeof(told));
	assert_int_equal(map(a, 4 * P, FIXED), a);
	assert_int_equal(told.calls, 0); /* nothing could be cached */
	assert_int_equal(mem_mprotect(a, P, PROT_READ | PROT_EXEC), 0);
	assert_int_equal(told.what, MEM_PERM);
	mem_mark_code(a);
	memset(&told, 0, sizeof(told));
	mem_host_wrote(a, 4);
	assert_int_equal(told.what, MEM_PERM | MEM_CODE);
	memset(&told, 0, sizeof(told));
	mem_host_wrote(a, 4); /* no translation left */
	assert_int_equal(told.calls, 0);
	mem_mark_code(a);
	assert_int_equal(mem_munmap(a, 4 * P), 0);
	assert_int_equal(told.what, MEM_PERM | MEM_CODE);
	mem_set_listener(NULL);
}

/* --- advice, maps ---------------------------------------------------------------------------------- */

static void advice(void **state)
{
	gaddr a = 0x10000000;
	uint8_t vec;

	(void)state;
	assert_int_equal(map(a, 4 * P, FIXED), a);
	put(a + P, 5);
	assert_int_equal(mem_madvise(a + P, P, MADV_DONTNEED), 0);
	assert_int_equal(get(a + P), 0);
	assert_int_equal(mem_madvise(a, P, 12345), -EINVAL);
	assert_int_equal(mem_madvise(a + 1, P, MADV_NORMAL), -EINVAL);
	assert_int_equal(mem_munmap(a + 2 * P, P), 0);
	put(a + 3 * P, 6);
	assert_int_equal(mem_madvise(a, 4 * P, MADV_DONTNEED), -ENOMEM);
	assert_int_equal(get(a + 3 * P), 0); /* the rest was done */
	assert_int_equal(mem_msync(a, P, MS_SYNC | MS_ASYNC), -EINVAL);
	assert_int_equal(mem_msync(a, P, MS_SYNC), 0);
	assert_int_equal(mem_msync(a, 4 * P, MS_SYNC), -ENOMEM);
	put(a, 1);
	assert_int_equal(mem_mincore(a, P, a), 0);
	assert_int_equal(mem_copy_in(&vec, a, 1), 0);
	assert_int_equal(vec & 1, 1);
	assert_int_equal(mem_mincore(a, 4 * P, a), -ENOMEM);
	assert_int_equal(mem_mincore(a, P, 0x50000000), -EFAULT);
	assert_int_equal(mem_mincore(a + 1, P, a), -EINVAL);
	assert_int_equal(mem_mlock(a, 4 * P, 0), -ENOMEM);
	assert_int_equal(mem_munlock(a, P), 0);
}

static void advice_at_the_edges(void **state)
{
	const gaddr a = 0x10000000, top = 0xfffff000u;
	int fd;

	(void)state;
	assert_int_equal(map(a, 2048 * P, FIXED), a);
	assert_int_equal(map(top, P, FIXED), top);
	if (geteuid() == 0)
		assert_int_equal(map(0, P, FIXED), 0);
	/* the vector would wrap around: nothing is written (kernel 4.14 mincore(): access_ok()) */
	put(0xfffffc00u, 0x5a5a5a5a);
	assert_int_equal(mem_mincore(a, 1025 * P, 0xfffffc00u), -EFAULT);
	assert_int_equal(get(0xfffffc00u), 0x5a5a5a5a);
	assert_int_equal(mem_mincore(a, 1024 * P, 0xfffffc00u), 0);
	assert_int_equal(mem_mincore(top, 0xffffffffu, a), -ENOMEM);
	assert_int_equal(mem_madvise(top, 0xffffffffu, MADV_NORMAL), -ENOMEM);
	assert_int_equal(mem_madvise(a, 0xffffffffu, MADV_DONTFORK), -ENOMEM);
	assert_int_equal(mem_madvise(a, 0xffffffffu, MADV_DOFORK), -ENOMEM);
	assert_int_equal(mem_msync(top, 0xffffffffu, MS_SYNC), -ENOMEM);
	assert_int_equal(mem_mlock(top, 0xffffffffu, 0), -ENOMEM);
	assert_int_equal(mem_munlock(top, 0xffffffffu), -ENOMEM);
	assert_int_equal(mem_remap_file_pages(top, 0xffffffffu, 0, 0, 0), -EINVAL);
	/* no bytes at a misaligned address are one page (kernel do_mlock()) */
	assert_int_equal(mem_mlock(0x50000000, 0, 0), 0);
	assert_int_equal(mem_mlock(0x50000001, 0, 0), -ENOMEM);
	assert_int_equal(mem_munlock(a + 1, 0), 0);
	/* no huge pages, however they are asked for */
	assert_int_equal(map(0, 2u << 20, ANON | MAP_HUGETLB | MAP_NORESERVE), -ENOMEM);
	assert_int_equal(map(a, 2u << 20, FIXED | MAP_HUGETLB | MAP_NORESERVE), -ENOMEM);
	fd = memfd_create("", MFD_HUGETLB);
	if (fd >= 0) {
		assert_int_equal(mem_mmap(0, P, RW, MAP_SHARED | MAP_NORESERVE, fd, 0), -ENOMEM);
		close(fd);
	}
}

static void maps_text(void **state)
{
	char want[512];
	size_t len;
	char *text;

	(void)state;
	mem_set_brk_start(0x00500000);
	assert_int_equal(mem_brk(0x00501000), 0x00501000);
	assert_int_equal(map(0x10000000, 2 * P, FIXED), 0x10000000);
	assert_int_equal(mem_mprotect(0x10001000, P, PROT_READ | PROT_EXEC), 0);
	assert_int_equal(map(0x20000000, 3 * P, FIXED), 0x20000000);
	assert_int_equal(mem_mprotect(0x20000000, P, PROT_WRITE), 0);
	assert_int_equal(mem_mprotect(0x20001000, P, PROT_EXEC), 0);
	/* shown as asked for, but readable */
	assert_true(readable(0x20000000) && writable(0x20000000));
	assert_true(readable(0x20001000) && !writable(0x20001000));
	assert_int_equal(map(0xfffff000u, P, FIXED), 0xfffff000u);
	text = mem_maps_text(false, &len);
	/* columns as in the kernel's output (oracle layout.out) */
	snprintf(want, sizeof(want),
		 "00500000-00501000 rw-p 00000000 00:00 0 %*s[heap]\n"
		 "10000000-10001000 rw-p 00000000 00:00 0 \n"
		 "10001000-10002000 r-xp 00000000 00:00 0 \n"
		 "20000000-20001000 -w-p 00000000 00:00 0 \n"
		 "20001000-20002000 --xp 00000000 00:00 0 \n"
		 "20002000-20003000 rw-p 00000000 00:00 0 \n"
		 "fffff000-100000000 rw-p 00000000 00:00 0 \n",
		 33, "");
	assert_string_equal(text, want);
	assert_int_equal(len, strlen(want));
	free(text);
	assert_int_equal(mem_brk(0x00500000), 0x00500000);
}

static bool maps_has(const char *text)
{
	size_t len;
	char *maps = mem_maps_text(false, &len);
	bool found;

	assert_non_null(maps);
	found = strstr(maps, text) != NULL;
	free(maps);
	return found;
}

/* A name belongs to a mapping: it goes with it, and moves with it (kernel: vm_ops->name). */
static void names_follow(void **state)
{
	const gaddr a = 0x10000000, to = 0x20000000;

	(void)state;
	assert_int_equal(map(a, 4 * P, FIXED), a);
	mem_set_name(a, 4 * P, "[test]");
	assert_true(maps_has("10000000-10004000 rw-p 00000000 00:00 0                          "
			     "        [test]\n"));
	assert_int_equal(mem_munmap(a + P, P), 0);
	assert_int_equal(map(a + P, P, FIXED), a + P);
	assert_true(maps_has("10001000-10002000 rw-p 00000000 00:00 0 \n"));
	assert_true(maps_has("[test]\n10001000"));
	assert_int_equal(map(a + 3 * P, P, FIXED), a + 3 * P);
	assert_true(maps_has("10003000-10004000 rw-p 00000000 00:00 0 \n"));
	assert_int_equal(mem_mremap(a, P, P, MREMAP_MAYMOVE | MREMAP_FIXED, to), to);
	assert_int_equal(map(a, P, FIXED), a);
	assert_true(maps_has("10000000-10002000 rw-p 00000000 00:00 0 \n"));
	assert_true(maps_has("20000000-20001000 rw-p 00000000 00:00 0                          "
			     "        [test]\n"));
	assert_int_equal(mem_munmap(to, P), 0);
	assert_int_equal(mem_munmap(a, 4 * P), 0);
	assert_false(maps_has("[test]"));
	assert_int_equal(map(a, 4 * P, FIXED), a);
	assert_false(maps_has("[test]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(layout_is_the_kernels, clear),
		cmocka_unit_test_setup(placement_is_top_down, clear),
		cmocka_unit_test_setup(hints_and_fixed, clear),
		cmocka_unit_test_setup(bad_arguments, clear),
		cmocka_unit_test_setup(protection, clear),
		cmocka_unit_test_setup(files, clear),
		cmocka_unit_test_setup(faults, clear),
		cmocka_unit_test_setup(copies_at_edges, clear),
		cmocka_unit_test_setup(strings, clear),
		cmocka_unit_test_setup(host_pointers, clear),
		cmocka_unit_test_setup(remap_rules, clear),
		cmocka_unit_test_setup(remap_shrinks_beyond_the_end, clear),
		cmocka_unit_test_setup(remap_shared, clear),
		cmocka_unit_test_setup(heap, clear),
		cmocka_unit_test_setup(stack_grows, clear),
		cmocka_unit_test_setup(stack_keeps_its_distance, clear),
		cmocka_unit_test_setup(read_implies_exec, clear),
		cmocka_unit_test_setup(listener_hears, clear),
		cmocka_unit_test_setup(advice, clear),
		cmocka_unit_test_setup(maps_text, clear),
		cmocka_unit_test_setup(names_follow, clear),
		cmocka_unit_test_setup(no_mark_is_lost, clear),
		cmocka_unit_test_setup(advice_at_the_edges, clear),
	};

	if (new_space() < 0)
		return 1;
	base = mem_layout()->mmap_base;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
