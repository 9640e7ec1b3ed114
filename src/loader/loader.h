/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loading: what execve(2) may run, the ELF32 image and its interpreter, the initial stack. The rules
 * are those of the kernel's ILP32 loader (01-elf-and-process.md; oracle sections 3 and 4).
 */
#ifndef LOADER_LOADER_H
#define LOADER_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/mem.h"

enum loader_kind {
	LOADER_ILP32,  /* ELF32 AArch64 little-endian, runnable here */
	LOADER_HOST,   /* a program for the host kernel: ELF of the host's own machine (or what its
			  binfmt_misc takes) */
	LOADER_ERROR,  /* err and text say why */
};

#define LOADER_MAX_SCRIPTS 5 /* nested #! levels, as the kernel allows; then ELOOP */

/* A program that was found and checked, before the point of no return. */
struct loader_program {
	enum loader_kind kind;
	int err;	     /* positive errno that execve gives */
	char text[512];	     /* ERROR: one line, without the program's name: "not an ELF file ..." */
	int fd;		     /* open on the final image (after scripts), O_CLOEXEC; -1 if none */
	char *path;	     /* host path of that image, malloc'ed */
	char *interp;	     /* PT_INTERP as written in the file, NULL if none */
	int interp_fd;	     /* open on the interpreter; -1 if none */
	char **argv;	     /* argv after #! rewriting: malloc'ed vector of malloc'ed strings */
	char *execfn;	     /* AT_EXECFN */
	bool setid;	     /* set-user-ID or set-group-ID file that would change ids: refused */
};

/*
 * Finds out what PATH (a host path; DFD as in execveat, AT_FDCWD normally) is, following #! lines,
 * and opens all that is needed. ARGV is the vector meant for it. SYSROOT may be NULL. Nothing of the
 * current guest is touched. The result is in P in every case; free it with loader_free().
 */
void loader_open(struct loader_program *p, int dfd, const char *path, char *const argv[], int at_flags,
		 const char *sysroot);
void loader_free(struct loader_program *p);

/* What an image needs from the outside and gives back. */
struct loader_image {
	gaddr entry;	   /* first pc */
	gaddr sp;	   /* initial stack pointer */
	gaddr auxv;	   /* first auxv pair on the stack */
	uint32_t auxv_len; /* bytes, with the terminating pair */
	gaddr arg_start, arg_end, env_start, env_end;
	bool read_implies_exec;
	gaddr sigreturn; /* rt_sigreturn trampoline in a read-exec page (or the vDSO's) */
};

struct loader_env {
	char *const *envp;
	uint64_t hwcap, hwcap2;
	bool secure;
};

/*
 * The point of no return: maps P (kind ILP32), its interpreter, the trampoline page and the stack
 * into the empty address space of src/mem, and fills *IMG. 0; -ENOMEM and the like mean that the
 * kernel would kill the new image with SIGSEGV (oracle section 3). TEXT gets one line.
 */
int loader_map(const struct loader_program *p, const struct loader_env *env, struct loader_image *img,
	       char text[512]);

#endif
