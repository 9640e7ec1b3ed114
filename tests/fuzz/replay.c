/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a libFuzzer target without libFuzzer: each file of the directories in argv, and each file
 * again with every one of its first bytes replaced by each of a few values. Findings abort.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_SIZE  (1u << 20)
#define MAX_MUTATED 200u /* ELF header and program headers */

static unsigned long runs, files;

static void replay(const char *path)
{
	static const uint8_t values[] = {0x00, 0xff};
	static uint8_t b[INPUT_SIZE];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f) {
		perror(path);
		exit(2);
	}
	n = fread(b, 1, sizeof b, f);
	fclose(f);
	files++;
	runs++;
	LLVMFuzzerTestOneInput(b, n);
	for (size_t i = 0; i < n && i < MAX_MUTATED; i++) {
		uint8_t old = b[i];

		for (size_t k = 0; k < sizeof values; k++) {
			if (values[k] == old)
				continue;
			b[i] = values[k];
			runs++;
			LLVMFuzzerTestOneInput(b, n);
		}
		b[i] = old;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		DIR *d = opendir(argv[i]);
		char path[4096];

		if (!d) {
			replay(argv[i]);
			continue;
		}
		for (struct dirent *e; (e = readdir(d));)
			if (e->d_name[0] != '.' && snprintf(path, sizeof path, "%s/%s", argv[i],
							    e->d_name) < (int)sizeof path)
				replay(path);
		closedir(d);
	}
	printf("%lu files, %lu runs, no finding\n", files, runs);
	return files == 0;
}
