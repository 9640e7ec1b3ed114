/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes seeds for fuzz_loader into the directory argv[1]: one small input for each way through the
 * loader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_loader.h"
#include "unit/test_loader_image.h"

static const char *out;

/* Frees both images. */
static void seed(const char *name, unsigned switches, struct image program, struct image second)
{
	uint8_t *b = malloc(FUZZ_HEADER + program.n + second.n);
	char path[4096];

	if (!b)
		abort();
	b[0] = (uint8_t)switches;
	b[1] = (uint8_t)program.n;
	b[2] = (uint8_t)(program.n >> 8);
	memcpy(b + FUZZ_HEADER, program.b, program.n);
	if (second.n)
		memcpy(b + FUZZ_HEADER + program.n, second.b, second.n);
	snprintf(path, sizeof path, "%s/%s", out, name);
	file_write(path, b, FUZZ_HEADER + program.n + second.n, 0644);
	free(b);
	free(program.b);
	free(second.b);
}

static struct image text(const char *s)
{
	struct image im = {.b = calloc(1, IMAGE_MAX)};

	image_put(&im, 0, s, strlen(s));
	return im;
}

static const struct image none;

static struct image static_exec(unsigned stack_flags)
{
	struct image im = image_new(ET_EXEC, 0x4000a0);

	image_load(&im, 0, 0x400000, 0x140, 0x140, PF_R | PF_X);
	image_load(&im, 0x100, 0x420100, 0x40, 0x3f00, PF_R | PF_W);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, stack_flags, 16);
	image_fill(&im, 0xa0, 0xc0);
	return im;
}

static struct image dyn(const char *interp)
{
	struct image im = image_new(ET_DYN, 0xd0);

	image_load(&im, 0, 0, 0x180, 0x180, PF_R | PF_X);
	image_load(&im, 0x140, 0x10140, 0x40, 0x1000, PF_R | PF_W);
	if (interp)
		image_interp(&im, 0x100, interp);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x140, 0x80);
	return im;
}

static struct image bad_segment(uint32_t off, uint32_t vaddr, uint32_t filesz, uint32_t memsz)
{
	struct image im = static_exec(PF_R | PF_W);

	image_load(&im, off, vaddr, filesz, memsz, PF_R | PF_W);
	return im;
}

/* Two pages of file, the second the data segment's. N: how much of the file is there. */
static struct image two_pages(unsigned type, size_t n)
{
	uint32_t base = type == ET_EXEC ? 0x400000 : 0;
	struct image im = image_new(type, base + 0xa0);

	image_load(&im, 0, base, 0x1000, 0x1000, PF_R | PF_X);
	image_load(&im, 0x1000, base + 0x11000, 0x100, 0x3000, PF_R | PF_W);
	image_fill(&im, 0xa0, 0x1060);
	im.n = n;
	return im;
}

int main(int argc, char **argv)
{
	struct image im;

	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return 2;
	}
	out = argv[1];
	mkdir(out, 0755);
	seed("empty", 0, text(""), none);
	seed("text", 0, text("text\n"), none);
	seed("static", FUZZ_NO_ASLR, static_exec(PF_R | PF_W), none);
	seed("static-4.14", 1, static_exec(PF_R | PF_W), none);
	seed("execstack", 1 | FUZZ_VDSO, static_exec(PF_R | PF_W | PF_X), none);
	seed("implies-exec", FUZZ_IMPLIES_EXEC | FUZZ_VDSO, static_exec(PF_R | PF_W), none);
	seed("static-pie", 2 | FUZZ_VDSO, dyn(NULL), none);
	seed("pie", 3, dyn(FUZZ_SECOND), dyn(NULL));
	seed("pie-4.14", 1 | FUZZ_VDSO, dyn(FUZZ_SECOND), dyn(NULL));
	seed("pie-sysroot", FUZZ_SYSROOT, dyn("/fd/101"), dyn(NULL));
	seed("interp-exec", 0, dyn(FUZZ_SECOND), static_exec(PF_R | PF_W));
	seed("interp-bad", 0, dyn(FUZZ_SECOND),
	     text("no interpreter, but long enough to be read as a header"));
	seed("interp-missing", 0, dyn("/none"), none);
	seed("script", 0, text("#!" FUZZ_SECOND " arg\n"), static_exec(PF_R | PF_W));
	seed("script-loop", 0, text("#!" FUZZ_PROGRAM "\n"), none);
	seed("script-host", 0, text("#! /bin/sh -e\nexit 0\n"), none);
	seed("script-sysroot", FUZZ_SYSROOT, text("#!/fd/101"), dyn(NULL));
	seed("high", 1, bad_segment(0, 0xfffff000, 0x100, 0x1000), none);
	seed("wrap", 1, bad_segment(0, 0xfffff000, 0x100, 0x2000), none);
	seed("overlap", 0, bad_segment(0, 0x400000, 0x100, 0x1000), none);
	seed("on-stack", 1, bad_segment(0, 0xfff00000, 0x100, 0xf0000), none);
	seed("huge-bss", 0, bad_segment(0, 0x500000, 0x100, 0xe0000000), none);
	seed("shrunk", 0, bad_segment(0, 0x500000, 0x100, 0x80), none);
	seed("beyond-end", 0, bad_segment(0x8000, 0x500000, 0x100, 0x200), none);
	seed("cut-before", 0, two_pages(ET_EXEC, 0x1000), none);
	seed("cut-before-4.14", 1, two_pages(ET_EXEC, 0x1000), none);
	seed("cut-in-page", 0, two_pages(ET_EXEC, 0x1080), none);
	seed("cut-meanwhile", FUZZ_CUT, two_pages(ET_EXEC, 0x1100), none);
	seed("cut-meanwhile-4.14", 1 | FUZZ_CUT, two_pages(ET_EXEC, 0x1100), none);
	seed("cut-interp", FUZZ_CUT, dyn(FUZZ_SECOND), two_pages(ET_DYN, 0x1100));
	seed("cut-all", FUZZ_CUT, static_exec(PF_R | PF_W), none);
	im = static_exec(PF_R | PF_W);
	image_put32(&im, 28, 0x200); /* program headers behind the end */
	seed("no-headers", 0, im, none);
	im = static_exec(PF_R | PF_W);
	im.b[18] = EM_ARM;
	seed("arm", 0, im, none);
	return 0;
}
