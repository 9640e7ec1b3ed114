/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of loader_open(): a scratch directory and checks of one file. Behind cmocka.h. */
#ifndef TEST_LOADER_FILES_H
#define TEST_LOADER_FILES_H

#include <errno.h>

#include "abi/abi.h"
#include "loader/loader.h"
#include "test_loader_image.h"

static char dir[64]; /* scratch directory, current for all tests */

static inline int set_up_dir(void **state)
{
	(void)state;
	strcpy(dir, P_tmpdir "/loaderXXXXXX");
	return mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static inline int tear_down_dir(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return chdir("/") != 0 || system(command) != 0;
}

static inline int modern(void **state)
{
	(void)state;
	return abi_select("modern") ? 0 : -1;
}

static inline void open_at(struct loader_program *p, const char *path)
{
	char *argv[] = {(char[]){"zero"}, (char[]){"one"}, NULL};

	loader_open(p, AT_FDCWD, path, argv, 0, NULL);
}

/* PATH is refused with ERR and exactly TEXT. */
static inline void refused(const char *path, int err, const char *text)
{
	struct loader_program p;

	open_at(&p, path);
	assert_string_equal(p.text, text);
	assert_int_equal(p.err, err);
	assert_int_equal(p.kind, LOADER_ERROR);
	loader_free(&p);
}

static inline void refused_image(struct image *im, int err, const char *text)
{
	image_write(im, "f", 0755);
	refused("f", err, text);
}

static inline void accepted(const char *path, enum loader_kind kind)
{
	struct loader_program p;

	open_at(&p, path);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, kind);
	assert_int_equal(p.err, 0);
	assert_true(p.fd >= 0);
	assert_true(fcntl(p.fd, F_GETFD) & FD_CLOEXEC);
	assert_string_equal(p.argv[0], "zero");
	assert_string_equal(p.argv[1], "one");
	assert_null(p.argv[2]);
	loader_free(&p);
	assert_int_equal(p.fd, -1);
}

#endif
