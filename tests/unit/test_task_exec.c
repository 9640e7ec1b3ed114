// SPDX-License-Identifier: GPL-2.0-or-later
// What a new image finds in its environment after an execve of the guest, and what it must not accept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "task/exec.h"

extern char **environ;

#define NUMBERS "5,1016,1017,-1,1018,-1,1019,0,40000,800000,2,4"

/* The options that are kept, in the order of the table, when none was given. */
#define MOST 32 /* strings of an environment, with the NULL behind them */

#define NO_OPTIONS "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"

#define LIMITS "@0:1 1000:ffffffffffffffff 800000:900000"

static char name[] = "prog", word[] = "word", own[] = "OWN=1";

/* The state reader changes pointers of the vector, not the strings. */
static int take(struct exec_state *s, char **argv, const char *const *env, char **copy)
{
	char **saved = environ;
	static char strings[MOST][128]; /* they are changed in place */
	size_t n = 0;
	int r;

	for (; env[n]; n++) {
		snprintf(strings[n], sizeof strings[n], "%s", env[n]);
		copy[n] = strings[n];
	}
	copy[n] = NULL;
	memset(s, 0, sizeof *s);
	environ = copy;
	r = exec_state_take(s, argv);
	environ = saved;
	return r;
}

static void absent(void **state)
{
	struct exec_state s;
	char *argv[] = {name, NULL}, *copy[MOST];
	const char *const env[] = {own, "ILP32RUN_EXEC_STATEX=1", NULL};

	(void)state;
	assert_int_equal(take(&s, argv, env, copy), 0);
	assert_string_equal(copy[1], "ILP32RUN_EXEC_STATEX=1");
}

static void complete(void **state)
{
	struct exec_state s;
	char *argv[] = {name, word, NULL}, *copy[MOST];
	const char *const env[] = {own,
				   "ILP32RUN_EXEC_STATE=" NUMBERS,
				   "@/sys",
				   "-",
				   "@cortex-a57",
				   "@modern",
				   "@",
				   "@/lint",
				   "@json",
				   "@",
				   "-",
				   "-",
				   "@",
				   "@4660",
				   "@",
				   "@5",
				   "-",
				   "@/bin/prog",
				   "@/usr/bin/prog",
				   LIMITS,
				   "@A=1",
				   "@ILP32RUN_EXEC_STATE=9",
				   "+B",
				   "@=2",
				   NULL};

	(void)state;
	assert_int_equal(take(&s, argv, env, copy), 1);
	assert_int_equal(s.program_fd, 5);
	assert_int_equal(s.self_fd, 1016);
	assert_int_equal(s.static_fd, 1017);
	assert_int_equal(s.trace, -1);
	assert_int_equal(s.lint, 1018);
	assert_int_equal(s.family, 1019);
	assert_true(s.opt.lint && s.opt.inject_upper_garbage);
	assert_string_equal(s.opt.lint_path, "/lint");
	assert_string_equal(s.opt.lint_format, "json");
	assert_int_equal(s.personality, 0x40000);
	assert_int_equal(s.host_stack, 0x800000);
	assert_true(s.opt.strace && s.opt.no_aslr && s.opt.seeded && !s.opt.report);
	assert_int_equal(s.opt.seed, 0x1234);
	assert_true(s.opt.deterministic && s.opt.sliced);
	assert_int_equal(s.opt.time_slice, 5);
	assert_true(s.opt.arena == ILP32RUN_ARENA_ANYWHERE);
	assert_string_equal(s.opt.sysroot, "/sys");
	assert_null(s.opt.engine);
	assert_string_equal(s.opt.cpu, "cortex-a57");
	assert_string_equal(s.opt.abi, "modern");
	assert_null(s.opt.trace_path);
	assert_int_equal(s.limit[LIMIT_AS].cur, 0);
	assert_int_equal(s.limit[LIMIT_AS].max, 1);
	assert_int_equal(s.limit[LIMIT_DATA].cur, 0x1000);
	assert_true(s.limit[LIMIT_DATA].max == UINT64_MAX);
	assert_int_equal(s.limit[LIMIT_STACK].cur, 0x800000);
	assert_string_equal(s.execfn, "/bin/prog");
	assert_string_equal(s.exe, "/usr/bin/prog");
	assert_ptr_equal(s.argv, argv);
	assert_string_equal(s.envp[0], "A=1");
	/* A guest's variable of that name is only a string. */
	assert_string_equal(s.envp[1], "ILP32RUN_EXEC_STATE=9");
	/* One that is too long for a mark comes in two pieces. */
	assert_string_equal(s.envp[2], "B=2");
	assert_null(s.envp[3]);
	/* The emulator's own environment is left. */
	assert_string_equal(copy[0], own);
	assert_null(copy[1]);
}

/* Newer hosts make an empty argv one empty string; the guest had none. */
static void empty_argv(void **state)
{
	struct exec_state s;
	char nothing[] = "", *argv[] = {nothing, NULL}, *copy[MOST];
	const char *const env[] = {"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,0,0",
				   NO_OPTIONS,
				   "@x",
				   "@/x",
				   LIMITS,
				   NULL};

	(void)state;
	assert_int_equal(take(&s, argv, env, copy), 1);
	assert_null(s.argv[0]);
	assert_null(s.envp[0]);
}

static void refused(void **state)
{
	static const char *const bad[][MOST] = {
		{"ILP32RUN_EXEC_STATE=", NO_OPTIONS, "@x", "@/x", LIMITS},
		{"ILP32RUN_EXEC_STATE=5", NO_OPTIONS, "@x", "@/x", LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0junk", NO_OPTIONS, "@x", "@/x",
		 LIMITS},
		/* more arguments than there are */
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,9,0", NO_OPTIONS, "@x", "@/x",
		 LIMITS},
		/* another number of strings than it says */
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,1", NO_OPTIONS, "@x", "@/x",
		 LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "@x", "@/x", LIMITS,
		 "@A=1"},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", "-", "-"},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,ffffffffffffffff", NO_OPTIONS, "@x",
		 "@/x", LIMITS},
		/* strings without a mark, no name */
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "x", "@/x", LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "-", "@/x", LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "@x", "-", LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,1", NO_OPTIONS, "@x", "@/x", LIMITS,
		 "A=1"},
		/* limits: none, too few, too many */
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "@x", "@/y", "-"},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "@x", "@/y",
		 "@1:1 1:1"},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", NO_OPTIONS, "@x", "@/y",
		 "@1:1 1:1 1:1 1:1"},
		/* no number, no page */
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", "-", "-", "-", "-", "-", "-",
		 "-", "@x", "-", "@x", "@/x", LIMITS},
		{"ILP32RUN_EXEC_STATE=5,6,7,-1,-1,-1,-1,0,0,0,1,0", "-", "-", "-", "-", "-", "-",
		 "-", "-", "@1", "@x", "@/x", LIMITS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct exec_state s;
		char *argv[] = {name, NULL}, *copy[MOST];

		assert_int_equal(take(&s, argv, bad[i], copy), -EINVAL);
		assert_null(copy[0]); /* it is out of the environment all the same */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent),
		cmocka_unit_test(complete),
		cmocka_unit_test(empty_argv),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
