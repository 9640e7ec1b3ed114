/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every structure of structures.txt has a description, and what is described was measured somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi/structs.h"

#define MAX_FACTS 400

/* What a member lies at, from the beginning of the outermost structure; sizes of arrays as a whole. */
struct place {
	unsigned goff, gsize, hoff, hsize;
};

static char names[MAX_FACTS][64]; /* of the structures of the file */
static unsigned nnames, nmembers, wrong;

#define WRONG(...) (print_error(__VA_ARGS__), wrong++)

/* The member of S at PATH, "uc_stack.ss_sp" say: a member may have dots in its own name. */
static bool find(const struct abi_struct *s, const char *path, struct place *p)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];
		unsigned count = f->count ? f->count : 1;
		size_t n = strlen(f->name);

		if (strcmp(f->name, path) == 0) {
			*p = (struct place){f->goff, f->gsize * count, f->hoff, f->hsize * count};
			return true;
		}
		if (f->rule == ABI_NEST && n && strncmp(f->name, path, n) == 0 && path[n] == '.' &&
		    find(f->sub, path + n + 1, p)) {
			p->goff += f->goff;
			p->hoff += f->hoff;
			return true;
		}
	}
	return false;
}

/* "NAME@OFFSET:SIZE" or "NAME@OFFSET:SIZE/HOST OFFSET:HOST SIZE". */
static void check_member(const struct abi_struct *s, char *fact)
{
	struct place want = {0}, have;
	char *at = strchr(fact, '@');
	int n;

	nmembers++;
	assert_non_null(at);
	*at++ = '\0';
	n = sscanf(at, "%u:%u/%u:%u", &want.goff, &want.gsize, &want.hoff, &want.hsize);
	assert_true(n == 2 || n == 4);
	if (!find(s, fact, &have)) {
		WRONG("%s has no member %s\n", s->name, fact);
		return;
	}
	if (have.goff != want.goff || have.gsize != want.gsize)
		WRONG("%s.%s: %u bytes at %u, not %u at %u\n", s->name, fact, have.gsize, have.goff,
		      want.gsize, want.goff);
	if (n == 4 && (have.hoff != want.hoff || have.hsize != want.hsize))
		WRONG("%s.%s: on the host %u bytes at %u, not %u at %u\n", s->name, fact,
		      have.hsize, have.hoff, want.hsize, want.hoff);
}

/* "SIZE/HOST SIZE" */
static const struct abi_struct *check_struct(const char *name, const char *sizes)
{
	const struct abi_struct *s = abi_struct_find(name);
	char *end;

	assert_true(nnames < MAX_FACTS && strlen(name) < sizeof names[0]);
	strcpy(names[nnames++], name);
	if (!s) {
		WRONG("no description of %s\n", name);
		return NULL;
	}
	if (s->gsize != strtoul(sizes, &end, 10))
		WRONG("%s has %u bytes, not %s\n", name, s->gsize, sizes);
	assert_int_equal(*end, '/');
	if (end[1] != '-' && s->hsize != strtoul(end + 1, NULL, 10))
		WRONG("%s has %u bytes on the host, not %s\n", name, s->hsize, end + 1);
	return s;
}

static void read_line(char *line)
{
	static const struct abi_struct *s;
	char *save, *word = strtok_r(line, " \t\n", &save);

	if (!word || *word == '#')
		return;
	if (!strchr(word, '@')) {
		char *sizes = strtok_r(NULL, " \t\n", &save);

		assert_non_null(sizes);
		s = check_struct(word, sizes);
		word = strtok_r(NULL, " \t\n", &save);
	}
	for (; word && s; word = strtok_r(NULL, " \t\n", &save))
		check_member(s, word);
}

static void test_every_structure_is_described(void **state)
{
	char line[512];
	FILE *f = fopen(STRUCTURES, "r");

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		assert_non_null(strchr(line, '\n'));
		read_line(line);
	}
	fclose(f);
	assert_int_equal(wrong, 0);
	/* Else lines went unread. */
	assert_true(nnames >= 168 && nmembers >= 1050);
}

static bool is_in_file(const char *name)
{
	for (unsigned i = 0; i < nnames; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

/* Whatever has no header for tests/headers to check it against is in the file. */
static void test_every_description_has_a_witness(void **state)
{
	/* Numbers, and what the kernel keeps to itself: fs/ext4/ext4.h. */
	static const char *const unseen[] = {"u16",   "u32",  "s32",        "u64",
					     "ulong", "long", "move_extent"};

	(void)state;
	wrong = 0;
	for (size_t n = 0; n < abi_nstructs; n++) {
		const struct abi_struct *s = abi_structs[n];
		bool known = (s->header && s->type) || is_in_file(s->name);

		for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
			known |= strcmp(unseen[i], s->name) == 0;
		if (!known)
			WRONG("nothing checks the layout of %s\n", s->name);
	}
	assert_int_equal(wrong, 0);
}

/* What code works out for profiles that change parts of it. */
static void test_frame(void **state)
{
	struct place p;

	(void)state;
	assert_true(find(&abi_st_rt_sigframe, "uc.uc_stack.ss_sp", &p));
	assert_int_equal(abi_frame_stack(), p.goff);
	assert_true(find(&abi_st_rt_sigframe, "uc.uc_sigmask", &p));
	assert_int_equal(abi_frame_mask(), p.goff);
	assert_true(find(&abi_st_rt_sigframe, "uc.uc_mcontext", &p));
	assert_int_equal(abi_frame_mcontext(), p.goff);
	assert_int_equal(abi_frame_size(), abi_st_rt_sigframe.gsize);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_structure_is_described),
		cmocka_unit_test(test_every_description_has_a_witness),
		cmocka_unit_test(test_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
