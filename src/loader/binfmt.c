/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host kernel runs by itself: its own ELF files and what binfmt_misc is registered for. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/internal.h"

/* The 32-bit class is the host kernel's to refuse: only it knows whether it was built for it. */
#if defined(__x86_64__)
# define HOST_MACHINE_64 EM_X86_64
static const unsigned host_machines_32[] = {EM_386, EM_X86_64};
#elif defined(__aarch64__)
# define HOST_MACHINE_64 EM_AARCH64
static const unsigned host_machines_32[] = {EM_ARM};
#else
# error "this host architecture is not supported"
#endif

bool loader_is_host_elf(const struct loader_head *h)
{
	unsigned machine = h->b[offsetof(Elf32_Ehdr, e_machine)] |
			   h->b[offsetof(Elf32_Ehdr, e_machine) + 1] << 8;

	if (!loader_is_elf(h))
		return false;
	if (h->b[EI_CLASS] == ELFCLASS64)
		return machine == HOST_MACHINE_64;
	if (h->b[EI_CLASS] != ELFCLASS32)
		return false;
	for (size_t i = 0; i < sizeof host_machines_32 / sizeof host_machines_32[0]; i++)
		if (machine == host_machines_32[i])
			return true;
	return false;
}

/* Hexadecimal text at S up to the end of its line: bytes in OUT, at most LOADER_HEAD; how many. */
static size_t hex_bytes(const char *s, uint8_t *out)
{
	size_t n = 0;
	unsigned byte;

	while (n < LOADER_HEAD && sscanf(s, "%2x", &byte) == 1 && s[0] != '\n' && s[1] != '\n') {
		out[n++] = (uint8_t)byte;
		s += 2;
	}
	return n;
}

/* The value behind KEY at the start of a line of TEXT, or NULL. */
static const char *entry_value(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		if (strncmp(p, key, n) == 0)
			return p + n;
	return NULL;
}

/* One entry as the kernel prints it: "enabled", then "extension .E" or "offset N", "magic HEX",
 * "mask HEX" (missing: all ones). */
static bool entry_matches(const char *text, const struct loader_head *h, const char *path)
{
	uint8_t magic[LOADER_HEAD], mask[LOADER_HEAD];
	const char *value;
	unsigned long offset;
	size_t n;

	if (strncmp(text, "enabled\n", 8) != 0)
		return false;
	value = entry_value(text, "extension .");
	if (value) {
		const char *dot = strrchr(path, '.');

		n = strcspn(value, "\n");
		return dot && strlen(dot + 1) == n && strncmp(dot + 1, value, n) == 0;
	}
	value = entry_value(text, "magic ");
	if (!value)
		return false;
	n = hex_bytes(value, magic);
	value = entry_value(text, "offset ");
	offset = value ? strtoul(value, NULL, 10) : 0;
	if (n == 0 || offset > LOADER_HEAD - n)
		return false;
	memset(mask, 0xff, sizeof mask);
	value = entry_value(text, "mask ");
	if (value && hex_bytes(value, mask) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((h->b[offset + i] ^ magic[i]) & mask[i])
			return false;
	return true;
}

/* The text of DIR's file NAME; false if it cannot be read. */
static bool read_text(int dir, const char *name, char *text, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

bool loader_binfmt_misc(const char *dir, const struct loader_head *h, const char *path)
{
	char text[4096];
	struct dirent *e;
	bool found = false;
	DIR *d = opendir(dir);

	if (!d)
		return false;
	if (read_text(dirfd(d), "status", text, sizeof text) && strncmp(text, "enabled", 7) == 0)
		while (!found && (e = readdir(d)))
			if (e->d_name[0] != '.' && strcmp(e->d_name, "register") != 0 &&
			    strcmp(e->d_name, "status") != 0 &&
			    read_text(dirfd(d), e->d_name, text, sizeof text))
				found = entry_matches(text, h, path);
	closedir(d);
	return found;
}
