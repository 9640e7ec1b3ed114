/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of ioctls: what tests/headers cannot see, for it knows numbers only by their names. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the others */
#include <cmocka.h>

#include "abi/structs.h"
#include "syscall/ioctl.h"
#include "task/task.h"

static void test_every_row_is_found(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = ioctl_find(ioctl_table[i].guest);

		/* Another row of the same number would hide this one. */
		if (row != &ioctl_table[i])
			fail_msg("%s is hidden by %s", ioctl_table[i].name,
				 row ? row->name : "nothing");
	}
}

/* A structure has either the size in the number, or the number has the size of something else. */
static void test_sizes(void **state)
{
	/* The kernel's headers say int where the data are an ifreq, or long where they are an int. */
	static const char *const other[] = {"TUNSETIFF", "TUNGETIFF", "TUNSETQUEUE",
					    "BLKGETSIZE64"};

	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];
		unsigned size = ioctl_size(row->guest);
		bool known = false;

		for (unsigned k = 0; k < sizeof(other) / sizeof(other[0]); k++)
			known |= strcmp(row->name, other[k]) == 0;
		if (row->st && size && !known && size != row->st->gsize)
			fail_msg("%s: %u bytes in the number, %u in %s", row->name, size,
				 row->st->gsize, row->st->name);
		if (row->from_number && !size && !row->count)
			fail_msg("%s: no size in the number", row->name);
		if (row->st && row->st->gsize != row->st->hsize && size == row->st->gsize)
			assert_int_equal(ioctl_size(ioctl_host_number(row, row->guest)),
					 row->st->hsize);
	}
}

/* Figures of 03-ioctls: the guest's number, the host's, and who carries what. */
static void test_known_numbers(void **state)
{
	static const struct {
		uint32_t guest, host;
		enum sys_type type;
		unsigned size;
	} known[] = {
		{0x5401, 0x5401, T_OUT, 36},           /* TCGETS */
		{0x541b, 0x541b, T_OUT, 4},            /* FIONREAD */
		{0x80046601, 0x80086601, T_OUT, 4},    /* FS_IOC_GETFLAGS */
		{0x40046602, 0x40086602, T_IN, 4},     /* FS_IOC_SETFLAGS */
		{0x80041272, 0x80081272, T_OUT, 8},    /* BLKGETSIZE64 */
		{0x1260, 0x1260, T_OUT, 4},            /* BLKGETSIZE */
		{0x8912, 0x8912, T_INOUT, 8},          /* SIOCGIFCONF */
		{0x8913, 0x8913, T_INOUT, 32},         /* SIOCGIFFLAGS */
		{0x400854d5, 0x401054d5, T_IN, 8},     /* TUNATTACHFILTER */
		{0x400454ca, 0x400454ca, T_INOUT, 32}, /* TUNSETIFF */
		{0x8004700b, 0x8008700b, T_OUT, 4},    /* RTC_IRQP_READ */
		{0x4004700c, 0x4008700c, T_HEX, 0},    /* RTC_IRQP_SET */
		{0x4c02, 0x4c02, T_IN, 140},           /* LOOP_SET_STATUS */
		{0x541e, 0x541e, T_OUT, 60},           /* TIOCGSERIAL */
		{0xc0185879, 0xc0185879, T_PTR, 24},   /* FITRIM */
		{0x80085203, 0, T_END, 0},             /* not RNDADDENTROPY, which is written */
		{0x80086601, 0, T_END, 0},             /* LP64's FS_IOC_GETFLAGS */
		{0x80081272, 0, T_END, 0},             /* LP64's BLKGETSIZE64 */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct ioctl_row *row = ioctl_find(known[i].guest);
		unsigned size;

		if (!known[i].host) {
			assert_null(row);
			continue;
		}
		assert_non_null(row);
		assert_int_equal(ioctl_host_number(row, known[i].guest), known[i].host);
		assert_int_equal(ioctl_data(row, known[i].guest, &size), known[i].type);
		assert_int_equal(size, known[i].size);
	}
}

/* Every command that is not the same for both sides is served with the right number, or refused for a reason. */
static void test_all_that_differ(void **state)
{
	static const struct {
		uint32_t guest, host;
		const char *name;
	} numbers[] = {
#define NUMBER(g, h, n) {g, h, #n},
#include "ioctl_numbers.h"
#undef NUMBER
	};
	unsigned missing = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct ioctl_row *row = ioctl_find(numbers[i].guest);
		uint32_t host = row ? ioctl_host_number(row, numbers[i].guest) : 0;

		/* Three of AGP's have the numbers of ALSA's, see rows/ioctl_sound.h. */
		if (row && (row->refused || strcmp(numbers[i].name, "AGPIOC") == 0 ||
			    host == numbers[i].host))
			continue;
		print_error("%s (%#x): host number %#x, not %#x\n", numbers[i].name,
			    numbers[i].guest, host, numbers[i].host);
		missing++;
	}
	assert_int_equal(missing, 0);
	assert_true(sizeof(numbers) / sizeof(numbers[0]) > 350);
}

static void test_refusals(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		if (ioctl_table[i].refused)
			assert_true(strlen(ioctl_table[i].refused) > 10);
		else
			assert_true(ioctl_table[i].type != T_ADDR);
	}
}

static void test_families(void **state)
{
	unsigned size;

	(void)state;
	/* EVIOCGNAME(len), EVIOCGBIT(ev, len): any length, 32 kinds of events. */
	assert_string_equal(ioctl_find(0x80ff4506)->name, "EVIOCGNAME");
	assert_string_equal(ioctl_find(0x80604520)->name, "EVIOCGBIT");
	assert_string_equal(ioctl_find(0x8060453f)->name, "EVIOCGBIT");
	assert_int_equal(ioctl_data(ioctl_find(0x8060453f), 0x8060453f, &size), T_BUF_OUT);
	assert_int_equal(size, 0x60);
	assert_int_equal(ioctl_host_number(ioctl_find(0x8060453f), 0x8060453f), 0x8060453f);
	/* EVIOCGABS(abs) has one size; the other direction is another command. */
	assert_string_equal(ioctl_find(0x8018457f)->name, "EVIOCGABS");
	assert_null(ioctl_find(0x8014457f));
	assert_null(ioctl_find(0x4018457f));
	assert_string_equal(ioctl_find(0x401845ff)->name, "EVIOCSABS");
}

/* What the emulator has open for itself cannot be named inside structures either. */
static void test_descriptors(void **state)
{
	int fd = open("/dev/null", O_RDONLY), high;
	uint64_t range[4] = {0}, loop[304 / 8] = {0};

	(void)state;
	assert_true(fd >= 0);
	high = task_fd_hide(fd);
	assert_true(task_fd_is_reserved(high));
	range[0] = (uint64_t)high;
	range[1] = (uint64_t)high;
	ioctl_hide_reserved(&abi_st_file_clone_range, range);
	assert_true(range[0] == UINT64_MAX && range[1] == (uint64_t)high);
	range[0] = (uint64_t)high - 1;
	ioctl_hide_reserved(&abi_st_file_clone_range, range);
	assert_true(range[0] == (uint64_t)high - 1);
	memcpy(loop, &high, sizeof(high));
	ioctl_hide_reserved(&abi_st_loop_config, loop);
	assert_true(loop[0] == UINT32_MAX);
	task_fd_close(high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_found), cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_known_numbers),      cmocka_unit_test(test_all_that_differ),
		cmocka_unit_test(test_refusals),           cmocka_unit_test(test_families),
		cmocka_unit_test(test_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
