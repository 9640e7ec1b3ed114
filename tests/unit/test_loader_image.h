/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small builder of ELF32 files, good and bad ones, for the loader's tests. */
#ifndef TEST_LOADER_IMAGE_H
#define TEST_LOADER_IMAGE_H

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGE_MAX 0x30000

/* Bytes of a file; the length grows with what is put. */
struct image {
	uint8_t *b;
	size_t n;
};

static inline void image_put(struct image *im, size_t off, const void *src, size_t n)
{
	if (off + n > IMAGE_MAX)
		abort();
	memcpy(im->b + off, src, n);
	if (off + n > im->n)
		im->n = off + n;
}

static inline void image_put16(struct image *im, size_t off, unsigned v)
{
	uint8_t b[2] = {(uint8_t)v, (uint8_t)(v >> 8)};

	image_put(im, off, b, sizeof b);
}

static inline void image_put32(struct image *im, size_t off, uint32_t v)
{
	uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};

	image_put(im, off, b, sizeof b);
}

/* An ELF header without program headers, little-endian AArch64 ILP32. */
static inline struct image image_new(unsigned type, uint32_t entry)
{
	static const uint8_t ident[EI_NIDENT] = {0x7f,       'E',         'L',       'F',
						 ELFCLASS32, ELFDATA2LSB, EV_CURRENT};
	struct image im = {.b = calloc(1, IMAGE_MAX)};

	image_put(&im, 0, ident, sizeof ident);
	image_put16(&im, 16, type);
	image_put16(&im, 18, EM_AARCH64);
	image_put32(&im, 20, EV_CURRENT);
	image_put32(&im, 24, entry);
	image_put32(&im, 28, 52); /* e_phoff */
	image_put16(&im, 40, 52);
	image_put16(&im, 42, 32); /* e_phentsize */
	image_put32(&im, 48, 0);
	return im;
}

/* Appends a program header; its index. */
static inline unsigned image_ph(struct image *im, uint32_t type, uint32_t off, uint32_t vaddr,
				uint32_t filesz, uint32_t memsz, uint32_t flags, uint32_t align)
{
	unsigned i = im->b[44] | im->b[45] << 8;
	uint32_t word[8] = {type, off, vaddr, vaddr, filesz, memsz, flags, align};

	for (unsigned k = 0; k < 8; k++)
		image_put32(im, 52 + 32u * i + 4 * k, word[k]);
	image_put16(im, 44, i + 1);
	return i;
}

static inline unsigned image_load(struct image *im, uint32_t off, uint32_t vaddr, uint32_t filesz,
				  uint32_t memsz, uint32_t flags)
{
	return image_ph(im, PT_LOAD, off, vaddr, filesz, memsz, flags, 0x10000);
}

/* Appends PT_INTERP with its string at file offset OFF. */
static inline void image_interp(struct image *im, uint32_t off, const char *path)
{
	uint32_t n = (uint32_t)strlen(path) + 1;

	image_put(im, off, path, n);
	image_ph(im, PT_INTERP, off, 0, n, n, PF_R, 1);
}

/* Fills [off, off+n) with a pattern that is nowhere zero. */
static inline void image_fill(struct image *im, size_t off, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t b = (uint8_t)(1 + (off + i) % 251);

		image_put(im, off + i, &b, 1);
	}
}

/* Writes a file with permissions MODE. */
static inline void file_write(const char *path, const void *b, size_t n, unsigned mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, b, n) != (ssize_t)n || fchmod(fd, mode) != 0) {
		perror(path);
		abort();
	}
	close(fd);
}

/* The same for an image, which is freed. */
static inline void image_write(struct image *im, const char *path, unsigned mode)
{
	file_write(path, im->b, im->n, mode);
	free(im->b);
	im->b = NULL;
}

/* A static program of one segment as the linker makes it: headers and code at 0x400000. */
static inline struct image image_hello(void)
{
	struct image im = image_new(ET_EXEC, 0x400080);

	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x80, 0x80);
	return im;
}

#endif
