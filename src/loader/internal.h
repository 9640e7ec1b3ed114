/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the loader share. Not for other rooms. */
#ifndef LOADER_INTERNAL_H
#define LOADER_INTERNAL_H

#include <elf.h>

#include "loader/loader.h"

/* What the kernel reads of a file to recognize it: BINPRM_BUF_SIZE, 256 since Linux 5.1 (128 before).
 * It bounds the #! line; the greater value runs every script that the smaller one runs whole. */
#define LOADER_HEAD 256

/* Checked headers in host byte order. */
struct loader_elf {
	Elf32_Ehdr eh;
	Elf32_Phdr ph[]; /* eh.e_phnum */
};

/* Writes a line to TEXT and returns ERR. */
int loader_fail(char text[LOADER_TEXT_SIZE], int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* --- elf.c: headers ---------------------------------------------------------------------------- */

/* The start of a file: N bytes were read, the rest of B is zero. */
struct loader_head {
	uint8_t b[LOADER_HEAD];
	size_t n;
};

/* Reads it: 0 or a positive errno. */
int loader_read_head(int fd, struct loader_head *h);

bool loader_is_elf(const struct loader_head *h);
bool loader_is_ilp32(const struct loader_head *h); /* what the kernel's elf_check_arch accepts */

/* Why the ILP32 loader does not take this file (not ELF, other machine, other class): into TEXT. */
int loader_describe_foreign(const struct loader_head *h, char text[LOADER_TEXT_SIZE]);

/*
 * Reads and checks the program headers of an ILP32 file. *ELF is malloc'ed. 0 or BAD, the positive
 * errno that the kernel gives for bad headers: ENOEXEC for a program, ELIBBAD for an interpreter.
 */
int loader_read_elf(int fd, const struct loader_head *h, int bad, struct loader_elf **elf,
		    char text[LOADER_TEXT_SIZE]);

/* The first PT_INTERP as a malloc'ed string, NULL if there is none. 0 or a positive errno. */
int loader_read_interp(int fd, const struct loader_elf *elf, char **interp,
		       char text[LOADER_TEXT_SIZE]);

/* Stack protection asked for by PT_GNU_STACK; the last such header counts, as in the kernel. */
enum loader_stack { STACK_DEFAULT, STACK_NOEXEC, STACK_EXEC };
enum loader_stack loader_gnu_stack(const struct loader_elf *elf);

/* --- script.c ------------------------------------------------------------------------------------ */

struct loader_script {
	char interp[LOADER_HEAD];
	char arg[LOADER_HEAD];
	bool has_arg;
};

bool loader_is_script(const struct loader_head *h);
/* Splits the #! line as fs/binfmt_script.c of Linux 5.1 and later. 0 or ENOEXEC. */
int loader_parse_script(const struct loader_head *h, struct loader_script *s,
			char text[LOADER_TEXT_SIZE]);

/* --- binfmt.c: formats of the host -------------------------------------------------------------- */

/* An ELF file whose machine and class the host kernel may run itself. */
bool loader_is_host_elf(const struct loader_head *h);
/* An enabled entry of the binfmt_misc file system at DIR takes a file that begins with H and is named
 * PATH (fs/binfmt_misc.c: magic with mask at an offset, or the extension). */
bool loader_binfmt_misc(const char *dir, const struct loader_head *h, const char *path);

/* --- find.c: files ------------------------------------------------------------------------------- */

struct loader_file {
	int fd;     /* O_RDONLY */
	char *path; /* usable host path, malloc'ed */
};

/* Opens a program as the kernel's do_open_execat: regular file, execute permission, no writer. 0 or a
 * positive errno with TEXT. */
int loader_find(struct loader_file *f, int dfd, const char *path, int at_flags, const char *sysroot,
		char text[LOADER_TEXT_SIZE]);
/* The same for a path of the guest: absolute ones below SYSROOT first. */
int loader_find_guest(struct loader_file *f, const char *path, const char *sysroot,
		      char text[LOADER_TEXT_SIZE]);
/* PATH without the prefix SYSROOT (if it has it): the guest's name of the file. */
const char *loader_guest_name(const char *path, const char *sysroot);
/* Canonical path of an open file, or NULL. */
char *loader_real_path(int fd);

/* --- segments.c ---------------------------------------------------------------------------------- */

struct loader_mapped {
	uint64_t
		bias; /* what to add to the file's addresses; arithmetic is modulo 2^64 as in the kernel */
	uint64_t entry;                                      /* with bias */
	uint64_t phdr;                                       /* AT_PHDR */
	uint64_t start_code, end_code, start_data, end_data; /* start_code > end_code: no segment */
	uint64_t brk; /* end of the highest bss, page aligned */
};

enum loader_role { ROLE_PROGRAM, ROLE_PIE, ROLE_INTERP };

/*
 * Maps all segments of ELF. ROLE_PIE is an ET_DYN program that has an interpreter. HINTED (INTERP only):
 * the interpreter keeps its link address as a hint, since the program was not relocated. 0 or -errno
 * with TEXT.
 */
int loader_map_segments(struct loader_mapped *m, const struct loader_elf *elf, int fd,
			enum loader_role role, bool hinted, char text[LOADER_TEXT_SIZE]);

/* --- stack.c ------------------------------------------------------------------------------------- */

struct loader_auxv {
	uint64_t phdr, phnum, base, entry, vdso; /* vdso 0: no AT_SYSINFO_EHDR */
};

/* Where all parts of the initial stack go. Addresses are guest addresses in 64 bits. */
struct loader_stack_layout {
	uint32_t argc, envc;
	uint64_t strings; /* bytes of argv, env and execfn strings */
	uint64_t arg_start, env_start, env_end, execfn, top;
	uint64_t platform, random, auxv, sp;
	uint32_t auxv_len; /* bytes, with the terminating pair */
	bool has_vdso;
};

void loader_plan_stack(struct loader_stack_layout *l, const struct loader_program *p,
		       const struct loader_env *env);
/* Size of the stack mapping that the kernel makes at exec, in bytes; 0 if RLIMIT_STACK is too small for
 * the strings and tables. */
uint64_t loader_stack_size(const struct loader_stack_layout *l);
/* Writes everything from l->sp to the top. 0 or -errno. */
int loader_fill_stack(const struct loader_stack_layout *l, const struct loader_program *p,
		      const struct loader_env *env, const struct loader_auxv *a);

/* --- vdso.c -------------------------------------------------------------------------------------- */

/* Maps the vDSO of ENV or the trampoline page; sets img->sigreturn and img->vdso. 0 or -errno. */
int loader_map_vdso(const struct loader_env *env, struct loader_image *img);

#endif
