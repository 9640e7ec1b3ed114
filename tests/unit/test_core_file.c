/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of core files: core(5), fs/coredump.c format_corename(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "debug/core.h"

static char exe[] = "/usr/bin/prog";
static struct process process = {.exe = exe};
static struct task task = {.process = &process, .tid = 77, .tgid = 66};

static void expect(const char *pattern, bool uses_pid, const char *wanted)
{
	char name[256];

	core_file_name(name, sizeof name, pattern, uses_pid, &task, 11);
	assert_string_equal(name, wanted);
}

static void plain(void **state)
{
	(void)state;
	expect("core", false, "core");
	expect("core", true, "core.66");
	expect("core.%p", true, "core.66");
	expect("c-%P", true, "c-66.66"); /* only %p counts */
	expect("/var/c/%p/x", false, "/var/c/66/x");
	expect("", false, "");
	expect("", true, ".66");
}

static void specifiers(void **state)
{
	char wanted[256], host[128];
	struct rlimit rl;

	(void)state;
	prctl(PR_SET_NAME, "a/b");
	expect("%e", false, "a!b");
	prctl(PR_SET_NAME, "..");
	expect("%e", false, "!.");
	expect("%i.%I.%s", false, "77.77.11");
	expect("%E", false, "!usr!bin!prog");
	expect("%f", false, "prog");
	expect("%%%p%%", false, "%66%");
	expect("x%zy", false, "xy"); /* unknown: dropped */
	expect("x%", false, "x");
	expect("%d", false, "1");
	snprintf(wanted, sizeof wanted, "%u-%u", getuid(), getgid());
	expect("%u-%g", false, wanted);
	gethostname(host, sizeof host);
	expect("%h", false, host);
	getrlimit(RLIMIT_CORE, &rl);
	snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)rl.rlim_cur);
	expect("%c", false, wanted);
}

/* What does not fit is cut, never written behind the end. */
static void bounds(void **state)
{
	char name[12];

	(void)state;
	memset(name, 'x', sizeof name);
	core_file_name(name, 8, "abcdefghijkl", false, &task, 11);
	assert_true(strnlen(name, 8) < 8 || name[7] != '\0');
	assert_memory_equal(name + 8, "xxxx", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(specifiers),
		cmocka_unit_test(bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
