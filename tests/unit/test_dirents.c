/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Digests of wide directory cookies. What ext4's hashed directories do is in tests/guest/file_dir.c. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "syscall/dirents.h"

static const struct dir_id here = {1, 2}, there = {1, 3};

/* Fills the guest's kind of long, and is never that of a cookie below 2^30. */
static void digest_fits(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 500; i++)
		assert_in_range(dir_digest((INT64_C(1) << 31) + i * INT64_C(0x3779b97f4a7c15)),
				0x40000000, 0x7fffffff);
	assert_int_not_equal(dir_digest(INT64_C(5) << 32), dir_digest(INT64_C(6) << 32));
	/* A difference in either half is one of the digests. */
	assert_int_not_equal(dir_digest((INT64_C(5) << 32) + 1),
			     dir_digest((INT64_C(5) << 32) + 2));
}

static void recalls_per_directory(void **state)
{
	int64_t wide = INT64_C(0x123456789abcdef), found = 0;

	(void)state;
	assert_false(dir_recall(here, dir_digest(wide), &found));
	dir_remember(here, wide);
	assert_true(dir_recall(here, dir_digest(wide), &found));
	assert_true(found == wide);
	assert_false(dir_recall(there, dir_digest(wide), &found));
}

static int by_digest(const void *a, const void *b)
{
	uint32_t x = dir_digest(*(const int64_t *)a), y = dir_digest(*(const int64_t *)b);

	return (x > y) - (x < y);
}

/* Of cookies with one digest the one that was read last is meant. */
static void newest_of_equal_digests(void **state)
{
	enum { N = 1 << 18 }; /* 2^35 pairs: some 32 agree in 30 bits */
	static int64_t cookies[N];
	unsigned i;
	int64_t found = 0;

	(void)state;
	for (i = 0; i < N; i++)
		cookies[i] = (INT64_C(1) << 33) + i;
	qsort(cookies, N, sizeof(cookies[0]), by_digest);
	for (i = 1; i < N && dir_digest(cookies[i - 1]) != dir_digest(cookies[i]); i++)
		;
	assert_true(i < N);
	dir_remember(here, cookies[i - 1]);
	dir_remember(here, cookies[i]);
	assert_true(dir_recall(here, dir_digest(cookies[i]), &found));
	assert_true(found == cookies[i]);
	dir_remember(here, cookies[i - 1]);
	assert_true(dir_recall(here, dir_digest(cookies[i]), &found));
	assert_true(found == cookies[i - 1]);
}

/* Ten times what fits: the last ones are there, old ones are gone, and none is mistaken for another. */
static void bounded(void **state)
{
	enum { N = 10 * DIR_TABLE_SIZE };
	const int64_t base = INT64_C(1) << 40;
	unsigned recent = 0, old = 0;
	int64_t found;

	(void)state;
	for (int64_t i = 0; i < N; i++)
		dir_remember(here, base + i);
	for (int64_t i = 0; i < N; i++) {
		if (!dir_recall(here, dir_digest(base + i), &found))
			continue;
		if (found == base + i)
			recent += i >= N - DIR_TABLE_SIZE / 8, old += i < N - DIR_TABLE_SIZE * 4;
		else
			assert_int_equal(dir_digest(found), dir_digest(base + i));
	}
	assert_in_range(recent, DIR_TABLE_SIZE / 8 - 64, DIR_TABLE_SIZE / 8);
	assert_in_range(old, 0, DIR_TABLE_SIZE / 16);
}

/* The search reads a real directory, whatever its file system's cookies are. */
static void search_finds_every_entry(void **state)
{
	enum { FILES = 200 };
	char dir[] = "/tmp/test_dirents.XXXXXX", name[PATH_MAX];
	uint8_t buf[32768];
	int64_t cookie, found;
	long n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%s/%d", dir, i);
		assert_return_code(mkdir(name, 0700), 0);
	}
	int fd = open(dir, O_RDONLY | O_DIRECTORY), seeker = open(dir, O_RDONLY | O_DIRECTORY);
	n = syscall(SYS_getdents64, fd, buf, sizeof(buf));
	assert_true(n > FILES * 24);
	for (long at = 0; at < n; at += buf[at + 16] | buf[at + 17] << 8) {
		memcpy(&cookie, buf + at + 8, 8);
		assert_true(dir_search(seeker,
				       cookie > INT32_MAX ? dir_digest(cookie) : (uint32_t)cookie,
				       &found));
		assert_true(found == cookie);
	}
	assert_false(dir_search(seeker, 0x40000001, &found));
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "%s/%d", dir, i);
		rmdir(name);
	}
	rmdir(dir);
	close(fd);
	close(seeker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digest_fits),
		cmocka_unit_test(recalls_per_directory),
		cmocka_unit_test(newest_of_equal_digests),
		cmocka_unit_test(bounded),
		cmocka_unit_test(search_finds_every_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
