/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: loader_open() and loader_map() on hostile files.
 *
 * Input: one byte of switches, two bytes (little-endian) with the length of the program, the program,
 * and the rest is a second file. The files have the names /proc/self/fd/100 and /proc/self/fd/101, by
 * which a #! line or PT_INTERP of the input reaches them.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/abi.h"
#include "fuzz_loader.h"
#include "loader/loader.h"
#include "mem/mem.h"
#include "signal/signal.h"

static void fail(const char *what)
{
	fprintf(stderr, "fuzz_loader: %s\n", what);
	abort();
}

static void set_up_once(void)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX,
				       .aslr = true,
				       .seeded = true,
				       .seed = 1,
				       .stack_rlimit = 8 << 20};
	static bool done;

	if (done)
		return;
	done = true;
	for (int fd = FUZZ_FD_PROGRAM; fd <= FUZZ_FD_SECOND; fd++) {
		int m = memfd_create("fuzz", 0);

		if (m < 0 || dup2(m, fd) != fd)
			fail("memfd_create failed");
		close(m);
	}
	if (mem_init(&cfg) != 0)
		fail("no address space");
	/* As in the emulator: faults in the copies of src/mem become EFAULT, others are findings. */
	signal_guard_loading();
}

/* The file ends at the last page border before its end, as after an interrupted copy. */
static void cut(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end > 0 && ftruncate(fd, (end - 1) & ~(off_t)MEM_PAGE_MASK) != 0)
		fail("cannot cut the input");
}

static void fill(int fd, const uint8_t *data, size_t n)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, n, 0) != (ssize_t)n)
		fail("cannot write the input");
}

/* The first page from PAGE on whose table entry has BIT; MEM_PAGES if there is none. Looks at eight
 * entries at once, for nearly all are empty. */
static uint32_t next_page(uint32_t page, uint8_t bit)
{
	uint64_t eight;

	for (; page < MEM_PAGES; page++) {
		memcpy(&eight, mem_arena.page + (page & ~7u), sizeof eight);
		if (eight == 0)
			page |= 7u;
		else if (mem_arena.page[page] & bit)
			break;
	}
	return page;
}

/* What must hold for whatever was loaded. WITH_MAPS: the slow part, too. */
static void check_image(const struct loader_image *img, bool with_maps)
{
	uint32_t word;
	uint8_t byte;
	size_t len;
	char *maps;

	if (img->sp % 16 != 0)
		fail("sp is not aligned");
	if (mem_get_u32(img->sp, &word) != 0 || word == 0 || word > 16)
		fail("argc is not on the stack");
	if (img->auxv + img->auxv_len > mem_layout()->stack_top ||
	    img->env_end > mem_layout()->stack_top)
		fail("stack parts lie outside the stack");
	if (mem_get_u32(img->sigreturn, &word) != 0 || (!img->vdso && word != 0xd2801168u))
		fail("no signal trampoline");
	/* Whatever the table calls readable is mapped on the host: at worst a file is too short. */
	for (uint32_t page = next_page(0, PG_R), n = 0; page < MEM_PAGES && n < 200;
	     page = next_page(page + 1, PG_R), n++)
		if (!(mem_arena.page[page] & PG_FILE) &&
		    mem_copy_in(&byte, page << MEM_PAGE_SHIFT, 1) != 0)
			fail("a readable page without memory");
	if (!with_maps)
		return;
	maps = mem_maps_text(false, &len);
	if (!maps || len != strlen(maps) || len == 0)
		fail("no maps text");
	free(maps);
}

/* Unmaps all, run by run. */
static void reset(void)
{
	for (uint32_t page = 0, end; (page = next_page(page, PG_MAPPED)) < MEM_PAGES; page = end) {
		end = page;
		while (end < MEM_PAGES && end - page < MEM_PAGES / 2 &&
		       mem_arena.page[end] & PG_MAPPED)
			end++;
		if (mem_munmap(page << MEM_PAGE_SHIFT, (end - page) << MEM_PAGE_SHIFT) != 0)
			fail("munmap failed");
	}
	if (next_page(0, PG_MAPPED) != MEM_PAGES)
		fail("a page survived munmap");
	mem_set_read_implies_exec(false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t vdso_page[MEM_PAGE_SIZE] = {0x7f, 'E', 'L', 'F'};
	static const struct loader_vdso vdso = {.image = vdso_page,
						.image_len = MEM_PAGE_SIZE,
						.data_len = MEM_PAGE_SIZE,
						.data_fd = -1};
	static const char *const profiles[] = {"modern", "ampere-4.14", "openeuler-5.10",
					       "openeuler-6.6"};
	char *argv[] = {(char[]){"program"}, (char[]){"argument"}, NULL};
	struct loader_env env = {.envp = argv};
	struct loader_program p;
	struct loader_image img;
	char text[LOADER_TEXT_SIZE] = "";
	size_t n;
	int err;

	if (size < FUZZ_HEADER)
		return 0;
	set_up_once();
	n = (size_t)(data[1] | data[2] << 8);
	if (n > size - FUZZ_HEADER)
		n = size - FUZZ_HEADER;
	fill(FUZZ_FD_PROGRAM, data + FUZZ_HEADER, n);
	fill(FUZZ_FD_SECOND, data + FUZZ_HEADER + n, size - FUZZ_HEADER - n);
	abi_select(profiles[data[0] & FUZZ_PROFILE]);
	if (data[0] & FUZZ_VDSO)
		env.vdso = &vdso;
	if (data[0] & FUZZ_NO_ASLR)
		env.personality |= LOADER_ADDR_NO_RANDOMIZE;
	if (data[0] & FUZZ_IMPLIES_EXEC)
		env.personality |= LOADER_READ_IMPLIES_EXEC;

	loader_open(&p, AT_FDCWD, FUZZ_PROGRAM, argv, 0,
		    data[0] & FUZZ_SYSROOT ? "/proc/self" : NULL);
	if ((p.kind == LOADER_ERROR) != (p.err > 0) ||
	    (p.kind == LOADER_ERROR) != (p.text[0] != '\0'))
		fail("an error without number or text");
	if (p.kind == LOADER_ILP32) {
		if (data[0] & FUZZ_CUT) {
			cut(FUZZ_FD_PROGRAM);
			cut(FUZZ_FD_SECOND);
		}
		err = loader_map(&p, &env, &img, text);
		if ((err != 0) != (text[0] != '\0') || err > 0)
			fail("a failed load without number or text");
		if (err == 0)
			check_image(&img, size % 16 == 0);
		reset();
	}
	for (const char *c = p.text, *d = text; *c || *d; c += *c != 0, d += *d != 0)
		if ((*c && iscntrl((unsigned char)*c)) || (*d && iscntrl((unsigned char)*d)))
			fail("control characters in a text");
	loader_free(&p);
	return 0;
}
