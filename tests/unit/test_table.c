/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system call table against facts that were written down without it, and what must hold for any
 * row; decoding of registers; results. test_generic.c tries bad pointers on every generic row. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/ioctl.h"
#include "syscall/syscall.h"
#include "task/task.h"

#define GARBAGE 0xdeadbeef00000000ull

static struct ilp32run_options options;
static struct process process = {.opt = &options};
static struct task task = {.process = &process};

static int set_up(void **state)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	ilp32run_options_init(&options);
	task.tid = getpid();
	task_self = &task;
	return mem_init(&cfg);
}

/* A call with garbage in the upper half of every register. */
static int64_t call(uint32_t nr, uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, uint32_t x4,
		    uint32_t x5)
{
	const uint64_t x[9] = {GARBAGE | x0, GARBAGE | x1, GARBAGE | x2, GARBAGE | x3, GARBAGE | x4,
			       GARBAGE | x5, GARBAGE,      GARBAGE,      GARBAGE | nr};

	return sys_dispatch(&task, x);
}

/* --- which calls there are ---------------------------------------------------------------------------- */

/* Entries of the kernels' tables. Those of the protection keys (288 to 290) are there, but lead to
 * "not implemented" on arm64, so that a profile may have them or not. */
static unsigned calls_in(enum abi_profile_id id)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SYS_NROWS; i++)
		n += (sys_table[i].profiles & ABI_BIT(id)) || (i >= 288 && i <= 290);
	return n;
}

static void test_counts(void **state)
{
	(void)state;
	assert_int_equal(calls_in(ABI_AMPERE_4_14), 272);
	assert_int_equal(calls_in(ABI_OPENEULER_5_10), 295);
	assert_int_equal(calls_in(ABI_OPENEULER_6_6), 324);
	assert_int_equal(calls_in(ABI_MODERN), 324);
}

/* Some that must be where they are: 32-bit names of asm-generic. */
static void test_names(void **state)
{
	static const struct {
		unsigned nr;
		const char *name;
	} names[] = {
		{0, "io_setup"},       {25, "fcntl64"},          {43, "statfs64"},
		{44, "fstatfs64"},     {45, "truncate64"},       {62, "llseek"},
		{63, "read"},          {71, "sendfile64"},       {79, "fstatat64"},
		{80, "fstat64"},       {84, "sync_file_range2"}, {101, "nanosleep"},
		{139, "rt_sigreturn"}, {220, "clone"},           {222, "mmap2"},
		{223, "fadvise64_64"}, {243, "recvmmsg"},        {261, "prlimit64"},
		{291, "statx"},        {403, "clock_gettime64"}, {435, "clone3"},
		{451, "cachestat"},    {452, "fchmodat2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(sys_table[names[i].nr].name, names[i].name);
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		bool hole = (nr >= 244 && nr <= 259) || (nr >= 295 && nr <= 402) || nr == 415;

		assert_int_equal(sys_table[nr].name == NULL, hole);
	}
}

static void test_enosys(void **state)
{
	static const unsigned absent[] = {38, 42, 163, 164, 244, 259, 295, 402, 415};
	static const unsigned newer[] = {292, 293, 403, 422, 424, 434, 435,
					 436, 437, 439, 441, 449, 451, 452};

	(void)state;
	for (unsigned p = 0; p < ABI_PROFILES; p++) {
		assert_true(abi_select(abi_profile_get(p)->name));
		for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
			assert_int_equal(call(absent[i], 0, 0, 0, 0, 0, 0), -ENOSYS);
		/* Compared unsigned; only w8 counts. */
		assert_int_equal(call(453, 0, 0, 0, 0, 0, 0), -ENOSYS);
		assert_int_equal(call(456, 0, 0, 0, 0, 0, 0), -ENOSYS);
		assert_int_equal(call(1024, 0, 0, 0, 0, 0, 0), -ENOSYS);
		assert_int_equal(call(0xffffffff, 0, 0, 0, 0, 0, 0), -ENOSYS);
		assert_int_equal(call(172, 0, 0, 0, 0, 0, 0), getpid());
	}
	assert_true(abi_select("v9"));
	for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++)
		assert_int_equal(call(newer[i], 0, 0, 0, 0, 0, 0), -ENOSYS);
	assert_true(abi_select("openeuler-5.10"));
	assert_int_equal(call(403, 0, 0, 0, 0, 0, 0), -ENOSYS);
	assert_int_equal(call(434, getpid(), 0xffff, 0, 0, 0, 0), -EINVAL);
	assert_true(abi_select("modern"));
	assert_int_equal(call(403, 0, 0, 0, 0, 0, 0), -EFAULT);
}

/* A pointer that is handed on as it is needs a word on why that is right. */
static void test_handed_on(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];

		for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
			if (a->type == T_PTR && (!a->opaque || strlen(a->opaque) < 5))
				fail_msg("%s: why is %s handed on?", row->name, a->name);
			/* Without a handler nobody would understand it. */
			if (a->type == T_OPAQUE && row->status == SYS_DONE && !row->handler)
				fail_msg("%s: who understands %s?", row->name, a->name);
			n += a->type == T_PTR;
		}
	}
	assert_true(n > 5);
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];

		if (row->type == T_PTR && !row->size && !row->from_number && !row->opaque)
			fail_msg("%s: why are its data handed on?", row->name);
		if (row->type == T_OPAQUE && !row->handler)
			fail_msg("%s: who understands its data?", row->name);
		/* The number would say so if a long or a pointer were in the data. */
		if (row->from_number && ioctl_host_number(row, row->guest) != row->guest)
			fail_msg("%s: data that differ are handed on", row->name);
	}
}

static void test_full_state(void **state)
{
	static const unsigned full[] = {139, 220, 221, 281, 435};

	(void)state;
	for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++)
		assert_true(sys_needs_full_state(full[i]));
	assert_false(sys_needs_full_state(63));
	assert_false(sys_needs_full_state(0xffffffff));
	assert_true(abi_select("v9"));
	assert_false(sys_needs_full_state(435));
	assert_true(abi_select("modern"));
}

/* --- any row ------------------------------------------------------------------------------------------ */

static bool is_pointer(const struct sys_arg *a)
{
	return a->type >= T_PATH;
}

static bool is_handler_only(const struct sys_arg *a)
{
	return a->type >= T_ARGV;
}

static unsigned registers_of(const struct sys_arg *a)
{
	return a->type == T_OFF64 || a->type == T_OFF64_HL || a->type == T_POS64 ? 2 : 1;
}

static void check_length(const struct sys_row *row, const struct sys_arg *a)
{
	const struct sys_arg *len;

	if (a->len < 0)
		return;
	len = sys_arg_of(row, (unsigned)a->len);
	assert_non_null(len);
	if (a->type == T_SOCKADDR_OUT)
		assert_int_equal(len->type, T_INT_INOUT);
	else
		assert_true(len->type == T_UINT || len->type == T_INT || len->type == T_LONG);
}

static void check_argument(const struct sys_row *row, const struct sys_arg *a)
{
	assert_non_null(a->name);
	check_length(row, a);
	if (a->optional)
		assert_true(is_pointer(a));
	switch ((enum sys_type)a->type) {
	case T_SYMBOL:
	case T_FLAGS:
	case T_OPEN: assert_non_null(a->symbols); break;
	case T_IN:
	case T_OUT:
	case T_INOUT: assert_non_null(a->st); break;
	case T_IN_ARRAY:
	case T_OUT_ARRAY:
		assert_non_null(a->st);
		assert_true((a->len >= 0) != (a->fixed > 0));
		break;
	case T_BUF_IN:
	case T_BUF_OUT:
	case T_DIRENTS: assert_true((a->len >= 0) != (a->fixed > 0)); break;
	case T_IOVEC_IN:
	case T_IOVEC_OUT:
		/* The count is the next argument, which the generic path relies on. */
		assert_ptr_equal(sys_arg_of(row, (unsigned)a->len), a + 1);
		break;
	default: break;
	}
}

/* What sys_generic() has room for. */
static void check_generic(const struct sys_row *row)
{
	unsigned paths = 0, structs = 0, iovecs = 0, host_args = 0;

	assert_true(row->host >= 0);
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		if (a->type == T_PAD)
			continue;
		assert_false(is_handler_only(a));
		host_args += a->type == T_POS64 ? 2 : 1;
		paths += a->type == T_PATH || a->type == T_PATH_LINK || a->type == T_PATH_NEW;
		iovecs += a->type == T_IOVEC_IN || a->type == T_IOVEC_OUT;
		if (a->st)
			assert_true(a->st->gsize <= ABI_MAX_SIZE && a->st->hsize <= ABI_MAX_SIZE);
		if (a->st && !a->st->same) {
			structs++;
			if (a->type == T_IN_ARRAY || a->type == T_OUT_ARRAY) {
				assert_true(a->fixed > 0);
				assert_true(a->fixed * a->st->hsize <= ABI_MAX_SIZE);
			}
		}
	}
	assert_true(paths <= 2 && structs <= 3 && iovecs <= 1 && host_args <= 6);
}

static void test_rows(void **state)
{
	(void)state;
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];
		unsigned registers = 0;

		if (!row->name) {
			assert_int_equal(row->status, SYS_ABSENT);
			assert_int_equal(row->profiles, 0);
			continue;
		}
		assert_int_equal(row->status == SYS_ABSENT, row->profiles == 0);
		for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
			check_argument(row, a);
			registers += registers_of(a);
		}
		assert_true(registers <= SYS_MAX_ARGS);
		if (row->status == SYS_DONE && !row->handler)
			check_generic(row);
		if (row->full_state)
			assert_non_null(row->handler);
	}
}

/* --- decoding ----------------------------------------------------------------------------------------- */

static const uint64_t distinct[8] = {0xaaaaaaaa80000000, 0xaaaaaaaa80000001, 0xaaaaaaaa80000002,
				     0xaaaaaaaa80000003, 0xaaaaaaaa80000004, 0xaaaaaaaa80000005,
				     0xaaaaaaaa80000006, 0xaaaaaaaa80000007};

/* Every call with a 64-bit value in two registers, and where (little-endian order). */
static void test_pairs(void **state)
{
	static const struct {
		unsigned nr, arg, low, high;
	} pairs[] = {
		{18, 0, 0, 1},  {45, 1, 2, 3},  {46, 1, 2, 3},  {47, 2, 2, 3},  {47, 3, 4, 5},
		{62, 1, 2, 1},  {67, 3, 4, 5},  {68, 3, 4, 5},  {69, 3, 3, 4},  {70, 3, 3, 4},
		{84, 2, 2, 3},  {84, 3, 4, 5},  {213, 1, 2, 3}, {223, 2, 2, 3}, {223, 3, 4, 5},
		{286, 3, 3, 4}, {287, 3, 3, 4},
	};
	const size_t n = sizeof(pairs) / sizeof(pairs[0]);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct sys_call c = {.row = &sys_table[pairs[i].nr], .x = distinct};

		sys_decode(&c);
		assert_int_equal(c.a[pairs[i].arg],
				 (uint64_t)(uint32_t)distinct[pairs[i].high] << 32 |
					 (uint32_t)distinct[pairs[i].low]);
	}
	/* And there are no others. */
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		unsigned in_row = 0, known = 0;

		for (const struct sys_arg *a = sys_table[nr].arg; a->type != T_END; a++)
			in_row += registers_of(a) == 2;
		for (size_t i = 0; i < n; i++)
			known += pairs[i].nr == nr;
		assert_int_equal(in_row, known);
	}
}

/* Arguments behind or between pairs are not shifted. */
static void test_positions(void **state)
{
	static const struct {
		unsigned nr, arg, reg;
	} others[] = {
		{45, 0, 0}, {46, 0, 0},  {47, 1, 1},  {62, 2, 3},  {62, 3, 4},  {67, 2, 2},
		{84, 1, 1}, {213, 2, 4}, {223, 1, 1}, {286, 4, 5}, {287, 4, 5}, {18, 2, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct sys_call c = {.row = &sys_table[others[i].nr], .x = distinct};

		sys_decode(&c);
		assert_int_equal((uint32_t)c.a[others[i].arg], (uint32_t)distinct[others[i].reg]);
	}
}

static void test_widening(void **state)
{
	const uint64_t x[8] = {GARBAGE | 0xffffffff,
			       GARBAGE | 0xffffffff,
			       GARBAGE | 0xfffffffb,
			       GARBAGE | 0xffffffff,
			       GARBAGE,
			       GARBAGE,
			       GARBAGE,
			       GARBAGE};
	struct sys_call c = {.x = x};

	(void)state;
	c.row = &sys_table[140]; /* setpriority: int, int, int */
	sys_decode(&c);
	assert_true(c.a[0] == UINT64_MAX && c.a[1] == UINT64_MAX && c.a[2] == (uint64_t)-5);
	c.row = &sys_table[34]; /* mkdirat: int, pointer, umode_t */
	sys_decode(&c);
	assert_true(c.a[0] == UINT64_MAX && c.a[1] == UINT32_MAX && c.a[2] == 0xfffb);
	c.row = &sys_table[147]; /* setresuid: (uid_t)-1 must not become 64 bits wide */
	sys_decode(&c);
	assert_true(c.a[0] == UINT32_MAX && c.a[1] == UINT32_MAX && c.a[2] == 0xfffffffb);
	c.row = &sys_table[188]; /* msgrcv: size and type are signed longs */
	sys_decode(&c);
	assert_true(c.a[2] == (uint64_t)-5 && c.a[3] == UINT64_MAX);
	c.row = &sys_table[40]; /* mount: flags are an unsigned long */
	sys_decode(&c);
	assert_true(c.a[3] == UINT32_MAX);
	c.row = &sys_table[129]; /* kill */
	sys_decode(&c);
	assert_true(c.a[0] == UINT64_MAX);
}

/* --- results ------------------------------------------------------------------------------------------ */

static void test_results(void **state)
{
	(void)state;
	assert_int_equal(call(57, 0xffffffff, 0, 0, 0, 0, 0), -EBADF);
	assert_true((uint64_t)call(57, 0xffffffff, 0, 0, 0, 0, 0) == 0xfffffffffffffff7);
	/* The tick count: 32 bits, zero-extended. */
	int64_t ticks = call(153, 0, 0, 0, 0, 0, 0);
	assert_true(ticks >= 0 && ticks <= UINT32_MAX);
	assert_int_equal(call(174, 0, 0, 0, 0, 0, 0), getuid());
	/* Negative process id and priority keep their sign. */
	assert_int_equal(call(155, 0xffffffff, 0, 0, 0, 0, 0), -ESRCH);
	/* A signed count that is negative. */
	assert_int_equal(call(158, 0xffffffff, 0, 0, 0, 0, 0), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),     cmocka_unit_test(test_names),
		cmocka_unit_test(test_enosys),     cmocka_unit_test(test_handed_on),
		cmocka_unit_test(test_full_state), cmocka_unit_test(test_rows),
		cmocka_unit_test(test_pairs),      cmocka_unit_test(test_positions),
		cmocka_unit_test(test_widening),   cmocka_unit_test(test_results),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
