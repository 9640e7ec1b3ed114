/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: making and deleting them, reading and mapping one. The first argument is a folder for them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "micro.h"

#define BLOCK (64u << 10)
#define MANY  64 /* files at a time, as the folder's size has its own cost */

static const char *folder;
static size_t size; /* of a file, bytes */
static char block[BLOCK];
static int fd;

static void name_of(char *name, size_t room, unsigned i)
{
	snprintf(name, room, "%s/f%u", folder, i);
}

static void create(unsigned count)
{
	char name[4096];

	for (unsigned i = 0; i < count; i++) {
		int file;

		name_of(name, sizeof(name), i);
		file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
		micro_check(file < 0, name);
		micro_check(size && write(file, block, size) != (ssize_t)size, "write");
		micro_check(close(file), "close");
	}
}

static void delete (unsigned count)
{
	char name[4096];

	for (unsigned i = 0; i < count; i++) {
		name_of(name, sizeof(name), i);
		micro_check(unlink(name), name);
	}
}

static void files_setup(int argc, char **argv)
{
	micro_check(argc < 2, "a folder and a size are needed");
	folder = argv[0];
	size = micro_number(argc, argv, 1, 0);
	micro_check(size > sizeof(block), "size");
}

static uint64_t creations(uint64_t n)
{
	for (uint64_t done = 0; done < n;) {
		unsigned count = n - done < MANY ? (unsigned)(n - done) : MANY;

		create(count);
		micro_pause();
		delete (count);
		micro_resume();
		done += count;
	}
	return n;
}

static uint64_t deletions(uint64_t n)
{
	for (uint64_t done = 0; done < n;) {
		unsigned count = n - done < MANY ? (unsigned)(n - done) : MANY;

		micro_pause();
		create(count);
		micro_resume();
		delete (count);
		done += count;
	}
	return n;
}

/* One file of argument 1's size (KiB), in the page cache. */
static void one_file(int argc, char **argv)
{
	char name[4096];

	micro_check(argc < 2, "a folder and a size are needed");
	folder = argv[0];
	size = micro_number(argc, argv, 1, 0) * 1024;
	micro_check(size == 0 || size % BLOCK, "size");
	name_of(name, sizeof(name), 0);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	micro_check(fd < 0 || unlink(name), name);
	memset(block, 1, sizeof(block));
	for (size_t done = 0; done < size; done += BLOCK)
		micro_check(write(fd, block, BLOCK) != BLOCK, "write");
}

static uint32_t sum_of(const void *from, size_t bytes)
{
	const uint32_t *word = from;
	uint32_t sum = 0;

	for (size_t i = 0; i < bytes / sizeof(*word); i++)
		sum += word[i];
	OPAQUE(sum);
	return sum;
}

static uint64_t reread(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		micro_check(lseek(fd, 0, SEEK_SET) != 0, "lseek");
		for (size_t done = 0; done < size; done += BLOCK) {
			micro_check(read(fd, block, BLOCK) != BLOCK, "read");
			sum_of(block, BLOCK);
		}
	}
	return n * size;
}

static void *map_file(void)
{
	void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	micro_check(at == MAP_FAILED, "mmap");
	return at;
}

static uint64_t mmap_reread(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		void *at = map_file();

		sum_of(at, size);
		micro_check(munmap(at, size), "munmap");
	}
	return n * size;
}

static char touch(const volatile char *at, size_t step)
{
	char sum = 0;

	for (size_t i = 0; i < size; i += step)
		sum = (char)(sum + at[i]);
	return sum;
}

/* Mapping, a tenth of the pages, unmapping. */
static uint64_t mmap_latency(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		void *at = map_file();

		touch(at, 10 * 4096);
		micro_check(munmap(at, size), "munmap");
	}
	return n;
}

/* Pages of the page cache; a batch maps the file anew as often as it needs to. */
static uint64_t page_faults(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		void *at = map_file();

		micro_check(madvise(at, size, MADV_RANDOM), "madvise"); /* one page a fault */
		touch(at, 4096);
		micro_check(munmap(at, size), "munmap");
	}
	return n * (size / 4096);
}

const struct micro_case micro_file[] = {
	{"create", files_setup, creations},
	{"delete", files_setup, deletions},
	{"file-reread", one_file, reread},
	{"mmap-reread", one_file, mmap_reread},
	{"mmap-latency", one_file, mmap_latency},
	{"page-fault", one_file, page_faults},
	{0},
};
