/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_map(): the initial stack, byte for byte as the probe "auxv" dumped it on a 4.14 ILP32 kernel
 * (tests/oracle/auxv.c), and the limits on arguments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_loader_run.h"

static void test_stack_bytes(void **state)
{
	/* 288 bytes from sp = 0xfffefee0 to the top, as dumped by the probe; its file name was another
	 * one of the same length. Random bytes and ids are filled in below. */
	uint8_t expect[288] = {
		0x03, 0,    0,    0,    0xc4, 0xff, 0xfe, 0xff,
		0xcf, 0xff, 0xfe, 0xff, 0xd1, 0xff, 0xfe, 0xff, //
		0,    0,    0,    0,    0xd4, 0xff, 0xfe, 0xff,
		0xd8, 0xff, 0xfe, 0xff, 0,    0,    0,    0, //
		0x21, 0,    0,    0,    0x00, 0xf0, 0xfe, 0xf7,
		0x10, 0,    0,    0,    0xfb, 0xff, 0x01, 0, //
		0x06, 0,    0,    0,    0x00, 0x10, 0,    0,
		0x11, 0,    0,    0,    0x64, 0,    0,    0, //
		0x03, 0,    0,    0,    0x34, 0x00, 0x40, 0,
		0x04, 0,    0,    0,    0x20, 0,    0,    0, //
		0x05, 0,    0,    0,    0x03, 0,    0,    0,
		0x07, 0,    0,    0,    0,    0,    0,    0, //
		0x08, 0,    0,    0,    0,    0,    0,    0,
		0x09, 0,    0,    0,    0xa0, 0x00, 0x40, 0, //
		0x0b, 0,    0,    0,    0,    0,    0,    0,
		0x0c, 0,    0,    0,    0,    0,    0,    0, //
		0x0d, 0,    0,    0,    0,    0,    0,    0,
		0x0e, 0,    0,    0,    0,    0,    0,    0, //
		0x17, 0,    0,    0,    0,    0,    0,    0,
		0x19, 0,    0,    0,    0xa2, 0xff, 0xfe, 0xff, //
		0x1a, 0,    0,    0,    0,    0,    0,    0,
		0x1f, 0,    0,    0,    0xde, 0xff, 0xfe, 0xff, //
		0x0f, 0,    0,    0,    0xb2, 0xff, 0xfe, 0xff,
		0,    0,    0,    0,    0,    0,    0,    0, //
		0,    0,    0,    0,    0,    0,    0,    0,
		0,    0,    0,    0,    0,    0,    0,    0, //
		0,    0,    'a',  'a',  'r',  'c',  'h',  '6',
		'4',  ':',  'i',  'l',  'p',  '3',  '2',  0, //
		0,    0,    0,    0,    '.',  '/',  'a',  'u',
		'x',  'v',  '.',  'b',  'i',  'n',  0,    'x', //
		0,    'y',  'y',  0,    'A',  '=',  '1',  0,
		'B',  'B',  '=',  '2',  '2',  0,    '.',  '/', //
		'o',  'r',  'a',  'c',  'l',  'e',  '/',  'p',
		'r',  'o',  'b',  'e',  's',  '/',  'a',  'u', //
		'x',  'v',  '.',  't',  'e',  's',  't',  0,
		0,    0,    0,    0,    0,    0,    0,    0, //
	};
	char *argv[] = {(char[]){"./auxv.bin"}, (char[]){"x"}, (char[]){"yy"}, NULL};
	char *envp[] = {(char[]){"A=1"}, (char[]){"BB=22"}, NULL};
	const char *path = "./oracle/probes/auxv.test";

	(void)state;
	assert_int_equal(mkdir("oracle", 0755) | mkdir("oracle/probes", 0755), 0);
	memcpy(expect + 210, "aarch64:ilp32", 14);
	write_auxv_probe(path);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = path, .argv = argv, .envp = envp, .vdso = true});
	assert_int_equal(res->img.sp, 0xfffefee0);
	assert_int_equal(res->img.entry, 0x4000a0);
	assert_int_equal(res->img.auxv, 0xfffefee0 + 32);
	assert_int_equal(res->img.auxv_len, 160);
	assert_int_equal(res->img.arg_start, 0xfffefee0 + 228);
	assert_int_equal(res->img.arg_end, 0xfffefee0 + 244);
	assert_int_equal(res->img.env_start, 0xfffefee0 + 244);
	assert_int_equal(res->img.env_end, 0xfffefee0 + 254);
	assert_int_equal(res->img.sigreturn, 0xf7fef5bc);
	assert_int_equal(res->stack_len, 288);
	memcpy(expect + 194, res->stack + 194, 16);
	abi_put32(expect + 0x74, getuid());
	abi_put32(expect + 0x7c, geteuid());
	abi_put32(expect + 0x84, getgid());
	abi_put32(expect + 0x8c, getegid());
	assert_memory_equal(res->stack, expect, sizeof expect);
	assert_string_equal(res->maps, "00400000-00402000 r-xp 00000000 auxv.test\n"
				       "00420000-00424000 rw-p 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x424000);
	/* /proc/self/stat of the probe: startcode, endcode, startstack, start_data, end_data */
	assert_int_equal(res->usage.start_code, 4194304);
	assert_int_equal(res->usage.start_stack, 4294901472);
	assert_int_equal(res->usage.start_data, 4325376);
}

/* Without vDSO: the pair of AT_SYSINFO_EHDR is missing, the trampoline page has its place. */
static void test_trampoline(void **state)
{
	const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};

	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "modern",
				  .path = "f",
				  .argv = one_arg,
				  .peek = 0xf7fef000,
				  .npeek = 0x1000});
	assert_false(has_auxv(AT_SYSINFO_EHDR));
	assert_int_equal(res->img.auxv_len, 152);
	assert_int_equal(abi_get32(res->stack + (res->img.auxv - res->img.sp)), AT_HWCAP);
	assert_int_equal(res->img.vdso, 0);
	assert_in_range(res->img.sigreturn, 0xf7fef000, 0xf7fef000 + 0x1000 - sizeof code);
	assert_memory_equal(res->peek + (res->img.sigreturn & 0xfff), code, sizeof code);
	assert_non_null(strstr(res->maps, "f7fef000-f7ff0000 r-xp 00000000 [sigpage]\n"));
	assert_int_equal(auxv(AT_HWCAP), 0x1fffb);
	assert_int_equal(auxv(AT_CLKTCK), 100);
	assert_int_equal(auxv(AT_HWCAP2), 0x181); /* 4.14: 0, see above */
	assert_false(has_auxv(51));               /* AT_MINSIGSTKSZ */
}

static void test_empty_vectors(void **state)
{
	char *none[] = {NULL};

	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "ampere-4.14", .path = "f", .argv = none});
	assert_int_equal(abi_get32(res->stack), 0); /* argc */
	assert_int_equal(abi_get32(res->stack + 4), 0);
	assert_int_equal(abi_get32(res->stack + 8), 0);
	assert_int_equal(res->img.auxv - res->img.sp, 12);
	run_ok(&(struct scenario){.abi = "modern", .path = "f", .argv = none});
	assert_int_equal(abi_get32(res->stack), 1);
	assert_int_equal(res->stack[abi_get32(res->stack + 4) - res->img.sp], 0);
}

/* sp is a multiple of 16 for every parity of slots and every length of strings. */
static void test_alignment(void **state)
{
	char pad[32] = "";
	char *argv[8];

	(void)state;
	write_auxv_probe("f");
	for (unsigned argc = 0; argc < 6; argc++) {
		for (unsigned i = 0; i < argc; i++)
			argv[i] = pad;
		argv[argc] = NULL;
		memset(pad, 'p', 3 * argc);
		run_ok(&(struct scenario){
			.abi = "ampere-4.14", .path = "f", .argv = argv, .envp = argv});
		assert_int_equal(abi_get32(res->stack), argc);
		assert_int_equal(auxv(AT_PLATFORM), auxv(AT_RANDOM) + 16);
	}
}

static void test_argument_limits(void **state)
{
	struct scenario s = {.abi = "modern", .path = "f", .check_args_only = true};
	static char big[0x20001];
	static char *many[64];
	char *two[] = {big, NULL};

	(void)state;
	write_auxv_probe("f");
	memset(big, 'b', 0x1ffff);
	s.argv = two; /* 131072 bytes with its NUL */
	run(&s);
	assert_int_equal(res->err, 0);
	big[0x1ffff] = 'b';
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.argv = one_arg;
	s.envp = two;
	run(&s);
	assert_int_equal(res->err, -E2BIG);

	/* All together: a quarter of the stack limit (2 MiB of 8), but at most 6 MiB, at least 128 KiB. */
	big[0x1ffff] = '\0';
	for (unsigned i = 0; i < 50; i++)
		many[i] = big;
	many[15] = NULL;
	s.envp = many;
	run(&s);
	assert_int_equal(res->err, 0);
	many[15] = big;
	many[16] = NULL;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.rlimit = 1024 * MiB;
	many[16] = big;
	many[47] = NULL;
	run(&s);
	assert_int_equal(res->err, 0);
	many[47] = big;
	many[48] = NULL;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.rlimit = 64 * 1024;
	many[1] = NULL;
	big[0x20000 - 64] = '\0'; /* leaves room for name, x and pointers */
	run(&s);
	assert_int_equal(res->err, 0);
	big[0x20000 - 64] = 'b';
	run(&s);
	assert_int_equal(res->err, -E2BIG);

	/* loader_map checks again. */
	s.check_args_only = false;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	assert_string_equal(res->text, "argument list too long");
}

/* Strings first, then 128 KiB below them, but never more than the limit. */
static void test_stack_size(void **state)
{
	struct scenario s = {.abi = "modern", .path = "f", .argv = one_arg};
	static char big[0x20000];
	static char *many[40000];
	char *one[] = {big, NULL};

	(void)state;
	write_auxv_probe("f");
	memset(big, 'b', sizeof big - 1);
	s.envp = one;
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffaf000-ffff0000 rw-p 00000000 [stack]"));
	s.rlimit = 256 * 1024;
	memset(big + 1000, 0, sizeof big - 1000);
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
	s.rlimit = 80 * 1024;
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffdc000-ffff0000 rw-p 00000000 [stack]"));

	/* Many short strings: the pointers need more room than the 128 KiB. */
	for (size_t i = 0; i < 39999; i++)
		many[i] = big;
	big[0] = '\0';
	s.rlimit = 0;
	s.envp = many;
	run_ok(&s);
	assert_int_equal(abi_get32(res->stack + 12), auxv(AT_EXECFN) - 39999);
	s.rlimit = 160 * 1024;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
}

static void test_page_zero(void **state)
{
	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "modern",
				  .path = "f",
				  .argv = one_arg,
				  .personality = LOADER_MMAP_PAGE_ZERO});
	assert_non_null(strstr(res->maps, "00000000-00001000 r-xp 00000000\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack_bytes),     cmocka_unit_test(test_trampoline),
		cmocka_unit_test(test_empty_vectors),   cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_argument_limits), cmocka_unit_test(test_stack_size),
		cmocka_unit_test(test_page_zero),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down_dir);
}
