/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_map(): addresses and protections of images. Expected numbers are those that a 4.14 ILP32
 * kernel gave for the probe "layout" (tests/oracle/layout.c), on images with the same segments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_loader_run.h"

/* --- address space layout ------------------------------------------------------------------------- */

/* The probe "layout" in its variants: two segments, the second with bss. */
static void write_layout(const char *path, unsigned type, uint32_t base, uint32_t entry,
			 uint32_t stack_flags, const char *interp, unsigned more_headers)
{
	struct image im = image_new(type, base + entry);

	image_load(&im, 0, base, 0x900, 0x900, PF_R | PF_X);
	image_load(&im, 0xff00, base + 0x1ff00, 0x114, 0x4000, PF_R | PF_W);
	if (interp)
		image_interp(&im, 0x880, interp);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, stack_flags, 16);
	while (more_headers--)
		image_ph(&im, PT_NULL, 0, 0, 0, 0, 0, 0);
	image_fill(&im, 0x300, 0x500);
	image_fill(&im, 0xff00, 0x400); /* beyond the end of the file content, too */
	image_write(&im, path, 0755);
}

static void test_static_pie(void **state)
{
	(void)state;
	write_layout("layout-pie.bin", ET_DYN, 0, 0x170, PF_R | PF_W, NULL, 0);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = "layout-pie.bin", .argv = one_arg, .vdso = true});
	assert_string_equal(res->maps, "f7fcc000-f7fcd000 r-xp 00000000 layout-pie.bin\n"
				       "f7fe9000-f7fea000 r--p 00000000 [vvar]\n"
				       "f7fea000-f7feb000 r-xp 00000000 [vdso]\n"
				       "f7feb000-f7fed000 rw-p 0000f000 layout-pie.bin\n"
				       "f7fed000-f7ff0000 rw-p 00000000 [heap]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0xf7ff0000);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0xf7fea000);
	assert_int_equal(auxv(AT_PHDR), 0xf7fcc034);
	assert_int_equal(auxv(AT_BASE), 0);
	assert_int_equal(auxv(AT_ENTRY), 0xf7fcc170);
	assert_int_equal(res->img.entry, 0xf7fcc170);

	/* Unlimited stack: mappings go upwards from a quarter of the space. */
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-pie.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = RLIM_INFINITY});
	assert_string_equal(res->maps, "40000000-40001000 r-xp 00000000 layout-pie.bin\n"
				       "40001000-40002000 r--p 00000000 [vvar]\n"
				       "40002000-40003000 r-xp 00000000 [vdso]\n"
				       "4001f000-40021000 rw-p 0000f000 layout-pie.bin\n"
				       "40021000-40024000 rw-p 00000000 [heap]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x40024000);

	/* A stack limit of 1 GiB moves the base down. */
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-pie.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = 1024 * MiB});
	assert_int_equal(auxv(AT_PHDR), 0xbf6cd034);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0xbf6eb000);
	assert_int_equal(res->brk, 0xbf6f1000);
}

static void test_static_exec(void **state)
{
	const struct scenario s = {
		.abi = "ampere-4.14", .path = "layout.bin", .argv = one_arg, .vdso = true};

	(void)state;
	write_layout("layout.bin", ET_EXEC, 0x400000, 0xc0, PF_R | PF_W, NULL, 0);
	run_ok(&s);
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout.bin\n"
				       "0041f000-00421000 rw-p 0000f000 layout.bin\n"
				       "00421000-00424000 rw-p 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x424000);
	assert_int_equal(auxv(AT_ENTRY), 0x4000c0);
}

static void test_interpreter(void **state)
{
	struct image im = image_new(ET_DYN, 0x2d0);

	(void)state;
	image_load(&im, 0, 0, 0x900, 0x900, PF_R | PF_X);
	image_load(&im, 0xff00, 0x1ff00, 0x100, 0x4100, PF_R | PF_W);
	image_fill(&im, 0xff00, 0x100);
	image_write(&im, "interp.bin", 0755);
	write_layout("layout-dyn.bin", ET_DYN, 0, 0x1c0, PF_R | PF_W, "interp.bin", 5);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = "layout-dyn.bin", .argv = one_arg, .vdso = true});
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout-dyn.bin\n"
				       "0041f000-00421000 rw-p 0000f000 layout-dyn.bin\n"
				       "00421000-00424000 rw-p 00000000 [heap]\n"
				       "f7fcc000-f7fcd000 r-xp 00000000 interp.bin\n"
				       "f7fe9000-f7fea000 r--p 00000000 [vvar]\n"
				       "f7fea000-f7feb000 r-xp 00000000 [vdso]\n"
				       "f7feb000-f7fec000 rw-p 0000f000 interp.bin\n"
				       "f7fec000-f7ff0000 rw-p 00000000\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(auxv(AT_PHDR), 0x400034);
	assert_int_equal(auxv(AT_PHNUM), 9);
	assert_int_equal(auxv(AT_BASE), 0xf7fcc000);
	assert_int_equal(auxv(AT_ENTRY), 0x4001c0);
	assert_int_equal(res->img.entry, 0xf7fcc2d0);
	assert_int_equal(res->brk, 0x424000);
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-dyn.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = RLIM_INFINITY});
	assert_int_equal(auxv(AT_BASE), 0x40000000);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0x40002000);

	/* A program at a fixed address with an interpreter keeps it. */
	write_layout("dynnopie", ET_EXEC, 0x10000000, 0x1c0, PF_R | PF_W, "interp.bin", 0);
	run_ok(&(struct scenario){.abi = "modern", .path = "dynnopie", .argv = one_arg});
	assert_int_equal(auxv(AT_PHDR), 0x10000034);
	assert_int_equal(auxv(AT_ENTRY), 0x100001c0);
	assert_int_equal(auxv(AT_BASE), 0xf7fcc000);
}

/* The data page of a vDSO shows what the emulator writes to its file. */
static void test_vdso_data(void **state)
{
	(void)state;
	write_layout("layout.bin", ET_EXEC, 0x400000, 0xc0, PF_R | PF_W, NULL, 0);
	run_ok(&(struct scenario){.abi = "modern",
				  .path = "layout.bin",
				  .argv = one_arg,
				  .vdso_data = true,
				  .peek = 0xf7fee000,
				  .npeek = 0x1004});
	assert_non_null(strstr(res->maps, "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
					  "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"));
	for (size_t i = 0; i < 0x1000; i++)
		assert_int_equal(res->peek[i], 'b');
	assert_memory_equal(res->peek + 0x1000, "\177ELF", 4);
}

/* Entry points, headers and heap under randomization: within the kernel's ranges, and the same for the
 * same seed. */
static void test_random_layout(void **state)
{
	struct image im = image_new(ET_DYN, 0x2d0);
	uint32_t seen_base = 0, seen_sp = 0, seen_brk = 0, seen_pie = 0;
	static struct result first;

	(void)state;
	image_load(&im, 0, 0, 0x24000, 0x24000, PF_R | PF_X);
	image_fill(&im, 0x100, 0x23f00);
	image_write(&im, "interp.bin", 0755);
	write_layout("layout-dyn.bin", ET_DYN, 0, 0x1c0, PF_R | PF_W, "interp.bin", 5);
	for (uint64_t seed = 1; seed <= 16; seed++) {
		const struct scenario s = {
			.abi = "modern", .path = "layout-dyn.bin", .argv = one_arg, .seed = seed};
		gaddr bss_end;

		run_ok(&s);
		memcpy(&first, res, sizeof first);
		run_ok(&s);
		assert_memory_equal(first.stack, res->stack, first.stack_len);
		assert_string_equal(first.maps, res->maps);
		assert_in_range(auxv(AT_BASE), 0xf7fcc000 - 0x800000, 0xf7fcc000);
		assert_in_range(auxv(AT_PHDR), 0x400034, 0x400034 + 0x800000);
		/* p_align of the segments is 64 KiB, which 5.10 and later honour */
		assert_int_equal(auxv(AT_PHDR) & 0xffff, 0x34);
		assert_in_range(res->stack_top, 0xffff0000 - 0x7ff000, 0xffff0000);
		bss_end = auxv(AT_PHDR) - 0x34 + 0x24000;
		assert_in_range(res->brk, bss_end, bss_end + 32 * MiB);
		assert_in_range(auxv(AT_EXECFN) - auxv(AT_PLATFORM), 14, 14 + 4096 + 64);
		seen_base |= auxv(AT_BASE) ^ 0xf7fcc000;
		seen_pie |= auxv(AT_PHDR) ^ 0x400034;
		seen_brk |= res->brk ^ bss_end;
		seen_sp |= (auxv(AT_EXECFN) ^ res->img.sp) & 0xff0;
	}
	assert_int_not_equal(seen_base, 0);
	assert_int_not_equal(seen_pie, 0);
	assert_int_not_equal(seen_brk, 0);
	assert_int_not_equal(seen_sp, 0);
}

/* A static PIE's heap: behind its bss, near the other mappings, up to 5.1; then in the low region. */
static void test_random_static_pie_brk(void **state)
{
	struct scenario s = {.path = "layout-pie.bin", .argv = one_arg, .seed = 7};
	gaddr bss_end;

	(void)state;
	write_layout("layout-pie.bin", ET_DYN, 0, 0x170, PF_R | PF_W, NULL, 0);
	s.abi = "ampere-4.14";
	run_ok(&s);
	bss_end = auxv(AT_PHDR) - 0x34 + 0x24000;
	assert_in_range(res->brk, bss_end, bss_end + 32 * MiB);
	s.abi = "modern";
	run_ok(&s);
	assert_in_range(res->brk, 0x400000, 0x400000 + 0x800000 + 32 * MiB);
}

/* --- executable stacks ------------------------------------------------------------------------------ */

static void test_exec_stack(void **state)
{
	struct scenario s = {.abi = "ampere-4.14",
			     .path = "layout-execstack.bin",
			     .argv = one_arg,
			     .vdso = true};
	struct image im;

	(void)state;
	write_layout("layout-execstack.bin", ET_EXEC, 0x400000, 0x100, PF_R | PF_W | PF_X, NULL, 0);
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout-execstack.bin\n"
				       "0041f000-00421000 rwxp 0000f000 layout-execstack.bin\n"
				       "00421000-00424000 rwxp 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rwxp 00000000 [stack]\n");
	/* Since 5.8 the stack alone. */
	s.abi = "modern";
	run_ok(&s);
	assert_false(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "0041f000-00421000 rw-p"));
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rwxp 00000000 [stack]"));

	/* No PT_GNU_STACK. */
	im = image_new(ET_EXEC, 0x400080);
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "nostack", 0755);
	s.path = "nostack";
	run_ok(&s);
	assert_false(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
	s.abi = "ampere-4.14";
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rwxp 00000000 [stack]"));

	/* READ_IMPLIES_EXEC of the caller survives execve; the stack stays what the header says. */
	write_layout("layout.bin", ET_EXEC, 0x400000, 0xc0, PF_R | PF_W, NULL, 0);
	s = (struct scenario){.abi = "modern",
			      .path = "layout.bin",
			      .argv = one_arg,
			      .personality = LOADER_READ_IMPLIES_EXEC};
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "0041f000-00421000 rwxp"));
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
}

/* --- segments ---------------------------------------------------------------------------------------- */

static bool all(const uint8_t *p, size_t n, uint8_t v)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != v)
			return false;
	return true;
}

/* The file goes on behind the segment's content; memory there must be zero. */
static void test_bss_tail(void **state)
{
	struct scenario s = {.abi = "ampere-4.14",
			     .path = "bss",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x2000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x1800, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x2000);
	image_write(&im, "bss", 0755);
	run_ok(&s);
	for (size_t i = 0; i < 0x345; i++)
		assert_int_equal(res->peek[i], 1 + (0x1000 + i) % 251);
	assert_true(all(res->peek + 0x345, 0x2000 - 0x345, 0));

	/* Without bss the rest of the page is what the file has. */
	im = image_new(ET_EXEC, 0x400080);
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x345, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x1000);
	image_write(&im, "bss", 0755);
	s.npeek = 0x1000;
	run_ok(&s);
	assert_int_equal(res->peek[0x345], 1 + 0x1345 % 251);
	assert_int_equal(res->peek[0xfff], 1 + 0x1fff % 251);
}

/* A bss in a segment that is not writable: its first page keeps the file's bytes since 6.6; older
 * kernels kill. */
static void test_read_only_bss(void **state)
{
	struct scenario s = {.abi = "modern",
			     .path = "robss",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x2000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x2000, PF_R);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x2000);
	image_write(&im, "robss", 0755);
	run_ok(&s);
	assert_int_equal(res->peek[0x345], 1 + 0x1345 % 251);
	assert_true(all(res->peek + 0x1000, 0x1000, 0));
	s.abi = "ampere-4.14";
	run(&s);
	assert_int_equal(res->err, -EFAULT);
	assert_string_equal(res->text, "the page where the bss begins (0x420345) is not writable");
}

/* Segments without content in the file. */
static void test_empty_segments(void **state)
{
	struct scenario s = {.abi = "modern",
			     .path = "empty",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x1000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x123, 0x420010, 0, 0x800,
		   PF_R | PF_W);                              /* offset does not matter since 6.7 */
	image_load(&im, 0x1000, 0x500000, 0, 0, PF_R | PF_W); /* nothing at all */
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "empty", 0755);
	run_ok(&s);
	assert_true(all(res->peek, 0x1000, 0));
	assert_int_equal(res->brk, 0x500000);
	assert_null(strstr(res->maps, "00500000-"));
	s.abi = "ampere-4.14";
	s.npeek = 0;
	run(&s);
	assert_int_equal(res->err, -EINVAL);
}

/* PG_W and PG_X of the mapping RANGE. */
static int permissions(const char *range)
{
	const char *line = strstr(res->maps, range);

	assert_non_null(line);
	line += strlen(range) + 1;
	return (line[1] == 'w' ? PG_W : 0) | (line[2] == 'x' ? PG_X : 0);
}

static void test_odd_protections(void **state)
{
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_X);
	image_load(&im, 0x1000, 0x410000, 0x100, 0x100, PF_W);
	image_load(&im, 0x1000, 0x420000, 0x100, 0x100, 0);
	image_load(&im, 0x1000, 0x430000, 0x100, 0x2100, PF_R | PF_W | PF_X);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x100);
	image_write(&im, "prot", 0755);
	run_ok(&(struct scenario){.abi = "modern", .path = "prot", .argv = one_arg});
	/* Whether a page that may only be written or executed shows as readable is src/mem's affair. */
	assert_int_equal(permissions("00400000-00401000"), PG_X);
	assert_int_equal(permissions("00410000-00411000"), PG_W);
	assert_non_null(strstr(res->maps, "00420000-00421000 ---p"));
	assert_int_equal(permissions("00430000-00431000"), PG_W | PG_X);
	assert_int_equal(permissions("00431000-00433000"), PG_W | PG_X);
}

/* Later segments win where they overlap earlier ones. */
static void test_overlap(void **state)
{
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x3000, 0x3000, PF_R | PF_X);
	image_load(&im, 0x3000, 0x401000, 0x1000, 0x1000, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x3000, 0x1000);
	image_write(&im, "overlap", 0755);
	run_ok(&(struct scenario){.abi = "modern", .path = "overlap", .argv = one_arg});
	assert_non_null(strstr(res->maps, "00400000-00401000 r-xp 00000000 overlap\n"
					  "00401000-00402000 rw-p 00003000 overlap\n"
					  "00402000-00403000 r-xp 00002000 overlap\n"));
}

/* A bad segment kills behind the point of no return. One line says which and why. */
static void fails(const char *abi, int err, uint32_t off, uint32_t vaddr, uint32_t filesz,
		  uint32_t memsz, const char *why)
{
	struct image im = image_new(ET_EXEC, 0x400080);
	char text[512];

	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, off, vaddr, filesz, memsz, PF_R | PF_W);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x100, 0x2000);
	image_write(&im, "bad", 0755);
	run(&(struct scenario){.abi = abi, .path = "bad", .argv = one_arg});
	assert_int_equal(res->err, err);
	snprintf(
		text, sizeof text,
		"segment 1 (file offset %#x, address %#x, %#x bytes in the file, %#x in memory): %s",
		off, vaddr, filesz, memsz, why);
	assert_string_equal(res->text, text);
}

static void test_bad_segments(void **state)
{
	struct image im;

	(void)state;
	fails("modern", -EINVAL, 0x1000, 0x410000, 0x100, 0x80,
	      "more bytes in the file than in memory");
	fails("modern", -EINVAL, 0x1001, 0x410000, 0x100, 0x100,
	      "file offset and address differ within their pages");
	fails("modern", -EINVAL, 0, 0x410010, 0x100, 0x100,
	      "file offset and address differ within their pages");
	fails("ampere-4.14", -ENOMEM, 0, 0xfffff000, 0x1001, 0x1001,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -EINVAL, 0, 0xfffff000, 0x1000, 0x1001,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -EINVAL, 0, 0x410000, 0x1000, 0xffffffff,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -ENOMEM, 0, 0x410000, 0xffffffff, 0xffffffff,
	      "does not fit the 4 GiB address space");

	/* A segment that covers the last page exactly is fine in 4.14. */
	im = image_hello();
	image_load(&im, 0x1000, 0xfffff000, 0x100, 0x1000, PF_R | PF_W);
	image_fill(&im, 0x1000, 0x200);
	image_write(&im, "top", 0755);
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "top",
				  .argv = one_arg,
				  .peek = 0xfffff000,
				  .npeek = 0x1000});
	assert_non_null(strstr(res->maps, "fffff000-100000000 rw-p 00001000 top"));
	assert_true(all(res->peek + 0x100, 0xf00, 0));

	/* The first segment on the stack. */
	im = image_new(ET_EXEC, 0xfffe0080);
	image_load(&im, 0, 0xfffe0000, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "onstack", 0755);
	run(&(struct scenario){.abi = "modern", .path = "onstack", .argv = one_arg});
	assert_int_equal(res->err, -EEXIST);
	assert_string_equal(
		res->text, "segment 0 (file offset 0, address 0xfffe0000, 0x100 bytes in the file, "
			   "0x100 in memory): overlaps the stack");

	/* Entry point out of reach. */
	im = image_new(ET_DYN, 0xf0000000);
	image_load(&im, 0, 0, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "entry", 0755);
	run(&(struct scenario){.abi = "modern", .path = "entry", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(res->text, "entry point 0x1e7fef000 lies outside the address space");
}

static void test_bad_interpreter_image(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);

	(void)state;
	image_ph(&im, PT_NULL, 0, 0, 0, 0, 0, 0);
	image_write(&im, "ld.so", 0755);
	write_layout("dyn", ET_DYN, 0, 0x170, PF_R | PF_W, "ld.so", 0);
	run(&(struct scenario){.abi = "modern", .path = "dyn", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(res->text,
			    "interpreter ld.so: interpreter without segments to load (PT_LOAD)");

	im = image_new(ET_DYN, 0x80);
	image_load(&im, 0x1001, 0, 0x10, 0x10, PF_R);
	image_fill(&im, 0x100, 0x1000);
	image_write(&im, "ld.so", 0755);
	run(&(struct scenario){.abi = "modern", .path = "dyn", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(
		res->text,
		"interpreter ld.so: segment 0 (file offset 0x1001, address 0, 0x10 bytes in the file, "
		"0x10 in memory): file offset and address differ within their pages");
}

/* The program headers lie in the second segment. */
static void test_phdr_address(void **state)
{
	struct scenario s = {.path = "phdr", .argv = one_arg};
	struct image im = image_new(ET_EXEC, 0x400000);

	(void)state;
	image_load(&im, 0x1000, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0, 0x500000, 0x200, 0x200, PF_R);
	image_fill(&im, 0x1000, 0x100);
	image_write(&im, "phdr", 0755);
	s.abi = "modern"; /* since 5.18 */
	run_ok(&s);
	assert_int_equal(auxv(AT_PHDR), 0x500034);
	s.abi = "ampere-4.14"; /* first segment's address less its offset */
	run_ok(&s);
	assert_int_equal(auxv(AT_PHDR), 0x3ff034);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_static_pie),
		cmocka_unit_test(test_static_exec),
		cmocka_unit_test(test_interpreter),
		cmocka_unit_test(test_vdso_data),
		cmocka_unit_test(test_random_layout),
		cmocka_unit_test(test_random_static_pie_brk),
		cmocka_unit_test(test_exec_stack),
		cmocka_unit_test(test_bss_tail),
		cmocka_unit_test(test_read_only_bss),
		cmocka_unit_test(test_empty_segments),
		cmocka_unit_test(test_odd_protections),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_bad_segments),
		cmocka_unit_test(test_bad_interpreter_image),
		cmocka_unit_test(test_phdr_address),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down_dir);
}
