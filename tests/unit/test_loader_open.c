/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_open(): what may run, and the errno and line for every image and interpreter that may not.
 * Values: tests/oracle/auxv.c, fs/binfmt_elf.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_loader_files.h"

/* --- kinds of files ------------------------------------------------------------------------------ */

static void test_accepts(void **state)
{
	struct image im = image_hello();
	struct loader_program p;
	char exe[128];

	(void)state;
	image_write(&im, "hello", 0755);
	accepted("hello", LOADER_ILP32);
	accepted("/proc/self/exe", LOADER_HOST);

	/* Not looked at: byte order in e_ident, OS/ABI, e_version, e_flags, e_ehsize. */
	im = image_hello();
	im.b[EI_DATA] = ELFDATA2MSB;
	im.b[EI_OSABI] = 99;
	image_put32(&im, 20, 0);
	image_put32(&im, 36, 0x12345678);
	image_put16(&im, 40, 0);
	image_write(&im, "odd", 0711);
	accepted("odd", LOADER_ILP32);

	open_at(&p, "./hello");
	snprintf(exe, sizeof exe, "%s/hello", dir);
	assert_string_equal(p.exe, exe);
	assert_string_equal(p.path, "./hello");
	assert_string_equal(p.execfn, "./hello");
	assert_null(p.interp);
	assert_int_equal(p.interp_fd, -1);
	assert_false(p.setid);
	loader_free(&p);
}

static void test_foreign(void **state)
{
	struct image im;

	(void)state;
	file_write("f", "", 0, 0755);
	refused("f", ENOEXEC, "empty file");
	file_write("f", "just text\n", 10, 0755);
	refused("f", ENOEXEC, "not an ELF file and not a #! script (begins with 6a 75 73 74)");

	im = image_hello();
	im.b[EI_CLASS] = 3;
	refused_image(&im, ENOEXEC, "ELF class 3 is neither 32-bit (1) nor 64-bit (2)");
	im = image_hello();
	im.b[18] = EM_ARM;
	refused_image(&im, ENOEXEC, "32-bit ARM (EM_ARM) file, not AArch64 ILP32");
	im = image_hello();
	im.b[18] = EM_MIPS;
	refused_image(&im, ENOEXEC, "ELF32 file for MIPS (EM_MIPS), not AArch64 ILP32");
	im = image_hello();
	im.b[18] = EM_RISCV;
	im.b[EI_CLASS] = ELFCLASS64;
	refused_image(&im, ENOEXEC, "ELF64 file for RISC-V (EM_RISCV), not AArch64 ILP32");
	im = image_hello();
	image_put16(&im, 18, 0x9876);
	refused_image(&im, ENOEXEC, "ELF32 file for machine 39030, not AArch64 ILP32");
	im = image_hello();
	im.b[EI_DATA] = ELFDATA2MSB;
	image_put16(&im, 18, EM_AARCH64 << 8);
	refused_image(&im, ENOEXEC, "big-endian AArch64 ILP32 file; only little-endian runs");
	im = image_hello();
	im.b[EI_CLASS] = ELFCLASS64;
	image_write(&im, "f", 0755);
#if defined(__aarch64__)
	accepted("f", LOADER_HOST);
#else
	if (access("/proc/sys/fs/binfmt_misc/status", F_OK) != 0)
		refused("f", ENOEXEC, "ELF64 file for AArch64 (LP64), not ILP32");
#endif
}

static void test_bad_headers(void **state)
{
	struct image im;

	(void)state;
	im = image_hello();
	im.n = 40;
	refused_image(&im, ENOEXEC, "truncated: ELF header of 52 bytes, the file has 40");
	im = image_hello();
	im.b[16] = ET_REL;
	refused_image(&im, ENOEXEC, "relocatable object file (ET_REL), not a program");
	im = image_hello();
	im.b[16] = ET_CORE;
	refused_image(&im, ENOEXEC, "core file (ET_CORE), not a program");
	im = image_hello();
	im.b[17] = 0xfe;
	refused_image(&im, ENOEXEC, "ELF type 65026, expected ET_EXEC (2) or ET_DYN (3)");
	im = image_hello();
	image_put16(&im, 42, 56);
	refused_image(&im, ENOEXEC, "program header entry size 56, expected 32");
	im = image_hello();
	image_put16(&im, 44, 0);
	refused_image(&im, ENOEXEC, "no program headers");
	im = image_hello();
	image_put16(&im, 44, 0xffff);
	refused_image(&im, ENOEXEC,
		      "65535 program headers (2097120 bytes), the limit is 65536 bytes");
	im = image_hello();
	image_put16(&im, 44, 37);
	refused_image(&im, ENOEXEC,
		      "truncated: program headers at 52..1236 lie beyond the end (256 bytes)");
	im = image_hello();
	image_put32(&im, 28, 0xfffffff0);
	refused_image(
		&im, ENOEXEC,
		"truncated: program headers at 4294967280..4294967344 lie beyond the end (256 bytes)");
}

/* The limit on program headers is one page up to 5.17, 64 KiB later. */
static void test_phdr_limit(void **state)
{
	struct image im = image_hello();

	(void)state;
	image_fill(&im, 0x1000, 0x10000);
	image_put16(&im, 44, 2048);
	image_write(&im, "many", 0755);
	accepted("many", LOADER_ILP32);
	assert_true(abi_select("ampere-4.14"));
	refused("many", ENOEXEC, "2048 program headers (65536 bytes), the limit is 4096 bytes");
	im = image_hello();
	image_fill(&im, 0x1000, 0x1000);
	image_put16(&im, 44, 128);
	image_write(&im, "many", 0755);
	accepted("many", LOADER_ILP32);
}

/* --- interpreters ------------------------------------------------------------------------------- */

static struct image with_interp(const char *path)
{
	struct image im = image_new(ET_DYN, 0x80);

	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	image_interp(&im, 0x180, path);
	image_fill(&im, 0x1f0, 0x10);
	return im;
}

static void test_interp(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);
	struct loader_program p;

	(void)state;
	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	image_write(&im, "ld.so", 0755);
	im = with_interp("ld.so");
	image_interp(&im, 0x1c0, "/second/counts/not"); /* the first PT_INTERP wins */
	image_write(&im, "dyn", 0755);
	open_at(&p, "dyn");
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.interp, "ld.so");
	assert_true(p.interp_fd >= 0);
	assert_non_null(p.interp_elf);
	loader_free(&p);
}

static void test_bad_interp(void **state)
{
	struct image im = with_interp("/lib/no-such-interpreter.so.1");
	char text[512];

	(void)state;
	refused_image(&im, ENOENT,
		      "interpreter /lib/no-such-interpreter.so.1 not found (try -L SYSROOT)");
	im = with_interp("/lib/\033[2J\nno\177");
	refused_image(&im, ENOENT, "interpreter /lib/?[2J?no? not found (try -L SYSROOT)");
	im = with_interp(".");
	refused_image(&im, EACCES, "interpreter .: is a directory");
	im = with_interp("/proc/self/exe");
#if defined(__x86_64__)
	refused_image(
		&im, ELIBBAD,
		"interpreter /proc/self/exe: ELF64 file for x86-64 (EM_X86_64), not AArch64 ILP32");
#else
	refused_image(&im, ELIBBAD,
		      "interpreter /proc/self/exe: ELF64 file for AArch64 (LP64), not ILP32");
#endif
	im = image_hello();
	image_put16(&im, 42, 56);
	image_write(&im, "ld.so", 0755);
	im = with_interp("ld.so");
	refused_image(&im, ELIBBAD, "interpreter ld.so: program header entry size 56, expected 32");
	file_write("ld.so", "\177ELF", 4, 0755);
	im = with_interp("ld.so");
	refused_image(&im, EIO,
		      "interpreter ld.so: truncated: ELF header of 52 bytes, the file has 4");
	file_write("ld.so", "#!/bin/sh\n# scripts are no interpreters of ELF files.......\n", 60,
		   0755);
	im = with_interp("ld.so");
	refused_image(
		&im, ELIBBAD,
		"interpreter ld.so: not an ELF file and not a #! script (begins with 23 21 2f 62)");

	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 1, 1, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) of 1 bytes, expected 2..4096");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 4097, 4097, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) of 4097 bytes, expected 2..4096");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0xf0, 0, 0x20, 0x20, PF_R, 1);
	refused_image(&im, EIO,
		      "truncated: interpreter path at 240..272 lies beyond the end (256 bytes)");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 8, 8, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) is not NUL-terminated");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0xa0, 0, 4096, 4096, PF_R, 1);
	memset(im.b + 0xa0, 'x', 4095);
	im.n = 0xa0 + 4096;
	image_write(&im, "f", 0755);
	memset(text, 0, sizeof text);
	snprintf(text, sizeof text, "interpreter %.200s: File name too long", (char[201]){0});
	{
		struct loader_program p;

		open_at(&p, "f");
		assert_int_equal(p.err, ENAMETOOLONG);
		loader_free(&p);
	}
}

/* Interpreters are looked up below the sysroot first; links in it stay in it. */
static void test_sysroot(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);
	struct loader_program p;
	char root[80], path[128];
	char *argv[] = {NULL};

	(void)state;
	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	assert_int_equal(mkdir("sys", 0755) | mkdir("sys/lib", 0755) | mkdir("sys/bin", 0755), 0);
	image_write(&im, "sys/lib/libc.so", 0755);
	assert_int_equal(symlink("/lib/libc.so", "sys/lib/ld-test.so.1"), 0);
	im = with_interp("/lib/ld-test.so.1");
	image_write(&im, "sys/bin/prog", 0755);
	assert_int_equal(symlink("/bin/prog", "sys/bin/link"), 0);
	file_write("sys/bin/script", "#!/bin/link arg\n", 16, 0755);
	snprintf(root, sizeof root, "%s/sys", dir);

	snprintf(path, sizeof path, "%s/bin/prog", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.execfn, "/bin/prog");
	assert_string_equal(p.path, path);
	assert_string_equal(p.exe, path);
	loader_free(&p);

	/* A link of the sysroot that is dangling on the host. */
	snprintf(path, sizeof path, "%s/bin/link", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_string_equal(p.execfn, "/bin/link");
	loader_free(&p);

	snprintf(path, sizeof path, "%s/bin/script", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.argv[0], "/bin/link");
	assert_string_equal(p.argv[1], "arg");
	assert_string_equal(p.argv[2], "/bin/script");
	assert_null(p.argv[3]);
	assert_string_equal(p.execfn, "/bin/script");
	loader_free(&p);

	/* Interpreters that only the host has. The script keeps the name that the host can open. */
	snprintf(path, sizeof path, "%s/bin/hostscript", root);
	file_write(path, "#!/bin/sh\n", 10, 0755);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_HOST);
	assert_string_equal(p.argv[0], "/bin/sh");
	assert_string_equal(p.argv[1], path);
	loader_free(&p);

	loader_open(&p, AT_FDCWD, "sys/bin/prog", argv, 0, NULL);
	assert_int_equal(p.err, ENOENT);
	loader_free(&p);
	im = with_interp("/lib/none.so");
	image_write(&im, "f", 0755);
	loader_open(&p, AT_FDCWD, "f", argv, 0, root);
	assert_int_equal(p.err, ENOENT);
	assert_string_equal(
		p.text,
		"interpreter /lib/none.so not found (neither in the sysroot nor on the host)");
	loader_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_accepts, modern),
		cmocka_unit_test_setup(test_foreign, modern),
		cmocka_unit_test_setup(test_bad_headers, modern),
		cmocka_unit_test_setup(test_phdr_limit, modern),
		cmocka_unit_test_setup(test_interp, modern),
		cmocka_unit_test_setup(test_bad_interp, modern),
		cmocka_unit_test_setup(test_sysroot, modern),
	};

	return cmocka_run_group_tests(tests, set_up_dir, tear_down_dir);
}
