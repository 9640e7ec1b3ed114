/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arena on the host's side, and random operations of the mmap family against a simple model. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include "test_mem.h"

static gaddr base;

/* --- the host's side of the arena ------------------------------------------------------------------ */

/* The arena is whole on the host: msync() finds no hole. */
static bool whole(void)
{
	return msync(mem_host(0), MEM_SPACE, MS_ASYNC) == 0;
}

/* A driver refuses after the place was emptied: so it is for the guest, as in the kernel, but the host
 * must not be left with nothing there. */
static void refused_mappings_leave_no_hole(void **state)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	const gaddr a = 0x10000000;

	(void)state;
	assert_true(fd >= 0);
	assert_true(whole());
	assert_int_equal(map(a, 2 * P, FIXED), a);
	put(a + P, 3);
	assert_int_equal(mem_mmap(a, P, RW, MAP_SHARED | MAP_FIXED, fd, 0), -ENODEV);
	assert_true(whole());
	assert_int_equal(get(a + P), 3);
	assert_int_equal(mem_mmap(0, 2 * P, RW, MAP_SHARED, fd, 0), -ENODEV);
	assert_true(whole());
	assert_int_equal(mem_page_bits(base - P) & PG_MAPPED, 0);
	assert_int_equal(map(0, P, ANON), base - P);
	close(fd);
}

static volatile bool stop_watching;
static volatile unsigned holes;

/* Looks for holes all the time, as another thread's mmap would. */
static void *watch(void *unused)
{
	(void)unused;
	while (!stop_watching)
		holes += !whole();
	return NULL;
}

static void remap_never_opens_the_arena(void **state)
{
	int fd = temp_file(64 * P);
	const gaddr a = 0x10000000;
	pthread_t watcher;

	(void)state;
	holes = 0, stop_watching = false;
	assert_int_equal(pthread_create(&watcher, NULL, watch, NULL), 0);
	for (unsigned i = 0; i < 3000; i++) {
		assert_int_equal(mem_mmap(a, P, RW, MAP_SHARED | MAP_FIXED, fd, 0), a);
		put(a, i);
		assert_int_equal(mem_mremap(a, P, 16 * P, 0, 0), a);
		assert_int_equal(get(a), i);
		assert_int_equal(
			mem_mremap(a, 16 * P, 32 * P, MREMAP_MAYMOVE | MREMAP_FIXED, a + 64 * P),
			a + 64 * P);
		put(a + 95 * P, i);
		assert_int_equal(mem_munmap(a, 128 * P), 0);
	}
	stop_watching = true;
	pthread_join(watcher, NULL);
	assert_int_equal(holes, 0);
	close(fd);
}

/* As many mappings as the host gives (vm.max_map_count): then ENOMEM, and nothing has changed. */
static void no_more_mappings(void **state)
{
	const gaddr a = 0x10000000;
	const uint32_t pages = 100000;
	uint32_t i;
	int64_t r = 0;

	(void)state;
	assert_int_equal(map(a, pages * P, FIXED), a);
	put(a + (pages - 10) * P, 7);
	for (i = 1; i < pages - 20 && r == 0; i += 2)
		r = mem_mprotect(a + i * P, P, PROT_READ);
	if (r == 0) { /* a host with a higher limit */
		assert_int_equal(mem_munmap(a, pages * P), 0);
		skip();
	}
	assert_int_equal(r, -ENOMEM);
	i -= 2;
	assert_true(writable(a + i * P));
	assert_true(i > 20000);
	assert_int_equal(mem_munmap(a + (pages - 10) * P, P), -ENOMEM);
	assert_int_equal(get(a + (pages - 10) * P), 7);
	assert_int_equal(mem_mmap(a + (pages - 10) * P, P, PROT_READ,
				  MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			 -ENOMEM);
	assert_int_equal(get(a + (pages - 10) * P), 7);
	assert_int_equal(mem_mremap(a + (pages - 10) * P, P, 2 * P, MREMAP_MAYMOVE, 0), -ENOMEM);
	assert_int_equal(get(a + (pages - 10) * P), 7);
	assert_int_equal(
		mem_mremap(a + (pages - 10) * P, P, P, MREMAP_MAYMOVE | MREMAP_FIXED, 0x40000000),
		-ENOMEM);
	assert_int_equal(get(a + (pages - 10) * P), 7);
	assert_true(whole());
	for (uint32_t k = 0; k < pages; k += 997)
		assert_true(readable(a + k * P));
	assert_int_equal(mem_munmap(a, pages * P), 0);
	assert_int_equal(map(a, P, FIXED), a);
	assert_int_equal(get(a), 0);
}

/* What runs over the page table's ends faults. */
static void table_has_guards(void **state)
{
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], mem_arena.page, 1), 1);
	assert_int_equal(write(fd[1], mem_arena.page + MEM_PAGES - 1, 1), 1);
	assert_int_equal(write(fd[1], mem_arena.page - 1, 1), -1);
	assert_int_equal(write(fd[1], mem_arena.page + MEM_PAGES, 1), -1);
	close(fd[0]);
	close(fd[1]);
}

/* --- random operations against a model ------------------------------------------------------------- */

#define MODEL_PAGES 256

static gaddr model_base;

static uint8_t model[MODEL_PAGES]; /* 0: free, else 1 + protection */

static void model_check(void)
{
	for (unsigned i = 0; i < MODEL_PAGES; i++) {
		gaddr a = model_base + i * P;
		int prot = model[i] - 1;

		assert_int_equal(!!(mem_page_bits(a) & PG_MAPPED), model[i] != 0);
		assert_int_equal(readable(a), model[i] && prot != PROT_NONE);
		if (model[i] && prot & PROT_WRITE)
			assert_true(writable(a));
	}
}

/* Lengths that reach far over the model, and over the end of the address space. */
static void model_step_far(unsigned i, gaddr a, int prot)
{
	static const uint32_t lengths[] = {0x80000000u, 0xfffef000u, 0xfffff000u, 0xffffffffu};
	const uint32_t len = lengths[rand() % 4];
	const bool inside = (uint64_t)a + len <= MEM_SPACE;
	unsigned k = i;
	int64_t want;

	switch (rand() % 4) {
	case 0:
		assert_int_equal(mem_munmap(a, len), inside ? 0 : -EINVAL);
		if (inside)
			memset(model + i, 0, MODEL_PAGES - i);
		break;
	case 1:
		for (; k < MODEL_PAGES && model[k]; k++)
			model[k] = (uint8_t)(1 + prot);
		assert_int_equal(mem_mprotect(a, len, prot), -ENOMEM);
		break;
	case 2: /* to one page, in place */
		want = !model[i] ? -EFAULT : inside ? (int64_t)a : -EINVAL;
		assert_int_equal(mem_mremap(a, len, P, (uint32_t)rand() % 2, 0), want);
		if (want >= 0)
			memset(model + i + 1, 0, MODEL_PAGES - i - 1);
		break;
	default: /* to one page, elsewhere */
		if (!inside && model[i])
			assert_int_equal(
				mem_mremap(a, len, P, MREMAP_MAYMOVE | MREMAP_FIXED, 0x30000000),
				-EINVAL);
		break;
	}
}

static void model_step(unsigned i, unsigned n)
{
	static const int prots[] = {PROT_NONE, PROT_READ, RW, PROT_READ | PROT_EXEC};
	const int prot = prots[rand() % 4];
	gaddr a = model_base + i * P;
	unsigned k;

	switch (rand() % 5) {
	case 0:
		assert_int_equal(mem_mmap(a, n * P, prot, FIXED, -1, 0), a);
		memset(model + i, 1 + prot, n);
		break;
	case 1:
		assert_int_equal(mem_munmap(a, n * P), 0);
		memset(model + i, 0, n);
		break;
	case 2:
		for (k = 0; k < n && model[i + k]; k++)
			model[i + k] = (uint8_t)(1 + prot);
		assert_int_equal(mem_mprotect(a, n * P, prot), k == n ? 0 : -ENOMEM);
		break;
	case 3: model_step_far(i, a, prot); break;
	default: { /* move one page */
		unsigned to = (unsigned)rand() % MODEL_PAGES;
		int64_t want = model_base + to * P;

		if (!model[i])
			want = -EFAULT;
		else if (to == i)
			want = -EINVAL;
		assert_int_equal(
			mem_mremap(a, P, P, MREMAP_MAYMOVE | MREMAP_FIXED, model_base + to * P),
			want);
		if (want > 0)
			model[to] = model[i], model[i] = 0;
	}
	}
}

static void run_model(gaddr at)
{
	model_base = at;
	memset(model, 0, sizeof(model));
	srand(1);
	for (int step = 0; step < 8000; step++) {
		unsigned n = 1 + (unsigned)rand() % 8;

		model_step((unsigned)rand() % (MODEL_PAGES - 8), n);
		if (step % 100 == 0)
			model_check();
	}
	model_check();
	assert_true(whole());
}

static void random_model_low(void **state)
{
	(void)state;
	run_model(0x10000);
}

static void random_model(void **state)
{
	(void)state;
	run_model(0x40000000);
}

static void random_model_high(void **state)
{
	(void)state;
	run_model((gaddr)(MEM_SPACE - MODEL_PAGES * P));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(refused_mappings_leave_no_hole, clear),
		cmocka_unit_test_setup(remap_never_opens_the_arena, clear),
		cmocka_unit_test_setup(no_more_mappings, clear),
		cmocka_unit_test_setup(table_has_guards, clear),
		cmocka_unit_test_setup(random_model_low, clear),
		cmocka_unit_test_setup(random_model, clear),
		cmocka_unit_test_setup(random_model_high, clear),
	};

	if (new_space() < 0)
		return 1;
	base = mem_layout()->mmap_base;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
