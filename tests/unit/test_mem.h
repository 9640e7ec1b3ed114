/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of memory have in common: an address space and looks at it. */
#ifndef TEST_MEM_H
#define TEST_MEM_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "mem/mem.h"

#define P     MEM_PAGE_SIZE
#define ANON  (MAP_PRIVATE | MAP_ANONYMOUS)
#define RW    (PROT_READ | PROT_WRITE)
#define FIXED (ANON | MAP_FIXED)

static inline int64_t map(gaddr a, uint32_t len, int flags)
{
	return mem_mmap(a, len, RW, flags, -1, 0);
}

static inline void put(gaddr a, uint32_t v)
{
	assert_int_equal(mem_put_u32(a, v), 0);
}

static inline uint32_t get(gaddr a)
{
	uint32_t v = 0xdeadbeef;

	assert_int_equal(mem_get_u32(a, &v), 0);
	return v;
}

static inline bool readable(gaddr a)
{
	uint8_t b;

	return mem_copy_in(&b, a, 1) == 0;
}

static inline bool writable(gaddr a)
{
	uint8_t b = 0;

	return mem_copy_in(&b, a, 1) == 0 && mem_copy_out(a, &b, 1) == 0;
}

/* Every test starts with an empty space. */
static inline int clear(void **state)
{
	(void)state;
	for (uint64_t a = 0; a < MEM_SPACE; a += 1u << 30)
		assert_int_equal(mem_munmap((gaddr)a, 1u << 30), 0);
	mem_set_read_implies_exec(false);
	return 0;
}

static inline int temp_file(size_t size)
{
	char name[] = "/tmp/test_mem.XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static inline void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	mem_copy_fault(info->si_addr);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Inside a test: CMocka installs its own handlers before each. */
static inline void catch_faults(void)
{
	struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
}

/* An address space for the test program. */
static inline int new_space(void)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8u << 20};

	return mem_init(&cfg);
}

#endif
