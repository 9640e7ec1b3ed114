/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF headers. The file may change while we look at it, so each header is read once into memory of
 * our own, checked there and used from there. libelf converts the headers to host byte order; what is
 * accepted is decided here, because libelf's idea of a good file is not the kernel's.
 */
#include <errno.h>
#include <inttypes.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/abi.h"
#include "loader/internal.h"

/* pread until N bytes are there or the file ends. Bytes read, or -errno. */
static ssize_t read_at(int fd, void *buf, size_t n, uint64_t off)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = pread(fd, (uint8_t *)buf + done, n - done, (off_t)(off + done));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static uint64_t file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

int loader_read_head(int fd, struct loader_head *h)
{
	ssize_t r;

	memset(h, 0, sizeof *h);
	r = read_at(fd, h->b, sizeof h->b, 0);
	if (r < 0)
		return (int)-r;
	h->n = (size_t)r;
	return 0;
}

bool loader_is_elf(const struct loader_head *h)
{
	return memcmp(h->b, ELFMAG, SELFMAG) == 0;
}

/* e_type, e_machine stand at the same place in both classes. */
static unsigned half(const struct loader_head *h, size_t off, bool big)
{
	return big ? h->b[off] << 8 | h->b[off + 1] : h->b[off + 1] << 8 | h->b[off];
}

#define OFF_TYPE    offsetof(Elf32_Ehdr, e_type)
#define OFF_MACHINE offsetof(Elf32_Ehdr, e_machine)

bool loader_is_ilp32(const struct loader_head *h)
{
	/* e_ident[EI_DATA] is not looked at, as in the kernel: e_machine in little-endian order is
	 * what keeps big-endian files out. */
	return loader_is_elf(h) && h->b[EI_CLASS] == ELFCLASS32 &&
	       half(h, OFF_MACHINE, false) == EM_AARCH64;
}

static const char *machine_name(unsigned machine, char buf[32])
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{EM_NONE, "no machine (EM_NONE)"},     {EM_386, "x86 (EM_386)"},
		{EM_X86_64, "x86-64 (EM_X86_64)"},     {EM_ARM, "ARM (EM_ARM)"},
		{EM_AARCH64, "AArch64 (EM_AARCH64)"},  {EM_MIPS, "MIPS (EM_MIPS)"},
		{EM_PPC, "PowerPC (EM_PPC)"},          {EM_PPC64, "PowerPC 64 (EM_PPC64)"},
		{EM_S390, "S/390 (EM_S390)"},          {EM_SPARC, "SPARC (EM_SPARC)"},
		{EM_SPARCV9, "SPARC V9 (EM_SPARCV9)"}, {EM_68K, "m68k (EM_68K)"},
		{EM_RISCV, "RISC-V (EM_RISCV)"},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].machine == machine)
			return names[i].name;
	snprintf(buf, 32, "machine %u", machine);
	return buf;
}

int loader_describe_foreign(const struct loader_head *h, char text[LOADER_TEXT_SIZE])
{
	unsigned elf_class = h->b[EI_CLASS];
	bool big = h->b[EI_DATA] == ELFDATA2MSB;
	unsigned machine = half(h, OFF_MACHINE, big);
	char buf[32];

	if (h->n == 0)
		return loader_fail(text, ENOEXEC, "empty file");
	if (!loader_is_elf(h))
		return loader_fail(
			text, ENOEXEC,
			"not an ELF file and not a #! script (begins with %02x %02x %02x %02x)",
			h->b[0], h->b[1], h->b[2], h->b[3]);
	if (h->n < sizeof(Elf32_Ehdr))
		return loader_fail(text, ENOEXEC,
				   "truncated: ELF header of %zu bytes, the file has %zu",
				   sizeof(Elf32_Ehdr), h->n);
	if (elf_class != ELFCLASS32 && elf_class != ELFCLASS64)
		return loader_fail(text, ENOEXEC,
				   "ELF class %u is neither 32-bit (1) nor 64-bit (2)", elf_class);
	if (machine == EM_AARCH64 && elf_class == ELFCLASS32)
		return loader_fail(text, ENOEXEC,
				   "big-endian AArch64 ILP32 file; only little-endian runs");
	if (machine == EM_AARCH64)
		return loader_fail(text, ENOEXEC, "ELF64 file for AArch64 (LP64%s), not ILP32",
				   big ? ", big-endian" : "");
	if (machine == EM_ARM && elf_class == ELFCLASS32)
		return loader_fail(text, ENOEXEC, "32-bit ARM (EM_ARM) file, not AArch64 ILP32");
	return loader_fail(text, ENOEXEC, "ELF%d file for %s%s, not AArch64 ILP32",
			   elf_class == ELFCLASS32 ? 32 : 64, big ? "big-endian " : "",
			   machine_name(machine, buf));
}

/* N bytes of the little-endian file form of TYPE at SRC to host form at DST. */
static void to_host(void *dst, void *src, size_t n, Elf_Type type)
{
	Elf_Data from = {.d_buf = src, .d_type = type, .d_version = EV_CURRENT, .d_size = n};
	Elf_Data to = {.d_buf = dst, .d_type = type, .d_version = EV_CURRENT, .d_size = n};

	elf_version(EV_CURRENT);
	elf32_xlatetom(&to, &from, ELFDATA2LSB);
}

static int check_type(unsigned type, int err, char text[LOADER_TEXT_SIZE])
{
	switch (type) {
	case ET_EXEC:
	case ET_DYN: return 0;
	case ET_REL:
		return loader_fail(text, err, "relocatable object file (ET_REL), not a program");
	case ET_CORE: return loader_fail(text, err, "core file (ET_CORE), not a program");
	default:
		return loader_fail(text, err, "ELF type %u, expected ET_EXEC (2) or ET_DYN (3)",
				   type);
	}
}

int loader_read_elf(int fd, const struct loader_head *h, int bad, struct loader_elf **elf,
		    char text[LOADER_TEXT_SIZE])
{
	struct loader_elf *e;
	Elf32_Ehdr raw, eh;
	uint32_t size;
	ssize_t got;
	int err;

	memcpy(&raw, h->b, sizeof raw);
	to_host(&eh, &raw, sizeof eh, ELF_T_EHDR);
	if (h->n < sizeof eh)
		return loader_fail(text, bad,
				   "truncated: ELF header of %zu bytes, the file has %zu",
				   sizeof eh, h->n);
	err = check_type(eh.e_type, bad, text);
	if (err)
		return err;
	if (eh.e_phentsize != sizeof(Elf32_Phdr))
		return loader_fail(text, bad, "program header entry size %u, expected %zu",
				   eh.e_phentsize, sizeof(Elf32_Phdr));
	if (eh.e_phnum == 0)
		return loader_fail(text, bad, "no program headers");
	size = eh.e_phnum * (uint32_t)sizeof(Elf32_Phdr);
	if (size > abi_profile->max_phdrs_size)
		return loader_fail(text, bad,
				   "%u program headers (%u bytes), the limit is %" PRIu64 " bytes",
				   eh.e_phnum, size, abi_profile->max_phdrs_size);

	e = malloc(sizeof *e + 2 * (size_t)size);
	if (!e)
		return loader_fail(text, ENOMEM, "out of memory");
	/* The raw headers go behind the converted ones. */
	got = read_at(fd, &e->ph[eh.e_phnum], size, eh.e_phoff);
	if (got != (ssize_t)size) {
		free(e);
		if (got < 0)
			return loader_fail(text, bad, "program headers cannot be read: %s",
					   strerror((int)-got));
		return loader_fail(text, bad,
				   "truncated: program headers at %u..%" PRIu64
				   " lie beyond the end (%" PRIu64 " bytes)",
				   eh.e_phoff, (uint64_t)eh.e_phoff + size, file_size(fd));
	}
	e->eh = eh;
	to_host(e->ph, &e->ph[eh.e_phnum], size, ELF_T_PHDR);
	*elf = e;
	return 0;
}

int loader_read_interp(int fd, const struct loader_elf *elf, char **interp,
		       char text[LOADER_TEXT_SIZE])
{
	const Elf32_Phdr *ph = NULL;
	ssize_t got;
	char *s;

	*interp = NULL;
	/* The first one counts, however many there are. */
	for (unsigned i = 0; i < elf->eh.e_phnum && !ph; i++)
		if (elf->ph[i].p_type == PT_INTERP)
			ph = &elf->ph[i];
	if (!ph)
		return 0;
	if (ph->p_filesz < 2 || ph->p_filesz > PATH_MAX)
		return loader_fail(text, ENOEXEC,
				   "interpreter path (PT_INTERP) of %u bytes, expected 2..%d",
				   ph->p_filesz, PATH_MAX);
	s = malloc(ph->p_filesz);
	if (!s)
		return loader_fail(text, ENOMEM, "out of memory");
	got = read_at(fd, s, ph->p_filesz, ph->p_offset);
	if (got != (ssize_t)ph->p_filesz) {
		free(s);
		return loader_fail(text, got < 0 ? (int)-got : EIO,
				   "truncated: interpreter path at %u..%" PRIu64
				   " lies beyond the end (%" PRIu64 " bytes)",
				   ph->p_offset, (uint64_t)ph->p_offset + ph->p_filesz,
				   file_size(fd));
	}
	if (s[ph->p_filesz - 1] != '\0') {
		free(s);
		return loader_fail(text, ENOEXEC,
				   "interpreter path (PT_INTERP) is not NUL-terminated");
	}
	*interp = s;
	return 0;
}

enum loader_stack loader_gnu_stack(const struct loader_elf *elf)
{
	enum loader_stack s = STACK_DEFAULT;

	for (unsigned i = 0; i < elf->eh.e_phnum; i++)
		if (elf->ph[i].p_type == PT_GNU_STACK)
			s = elf->ph[i].p_flags & PF_X ? STACK_EXEC : STACK_NOEXEC;
	return s;
}
