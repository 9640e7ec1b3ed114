/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loading: what execve(2) may run, the ELF32 image and its interpreter, the initial stack. The rules
 * are those of the kernel's ILP32 loader (arch/arm64/kernel/binfmt_ilp32.c; recordings: tests/oracle).
 */
#ifndef LOADER_LOADER_H
#define LOADER_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/mem.h"

enum loader_kind {
	LOADER_ILP32, /* ELF32 AArch64 little-endian, runnable here */
	LOADER_HOST,  /* a program for the host kernel: ELF of the host's own machine (or what its
			 binfmt_misc takes) */
	LOADER_ERROR, /* err and text say why */
};

#define LOADER_MAX_SCRIPTS 5 /* nested #! levels, as the kernel allows; then ELOOP */
#define LOADER_TEXT_SIZE   512

struct loader_elf; /* checked headers, in the emulator's own memory */

/* A program that was found and checked, before the point of no return. */
struct loader_program {
	enum loader_kind kind;
	int err; /* ERROR: positive errno that execve gives; else 0 */
	char text
		[LOADER_TEXT_SIZE]; /* ERROR: one line, without the program's name: "not an ELF file ..." */
	int fd;              /* open on the final image (after scripts), O_CLOEXEC; -1 if none */
	char *path;          /* host path of that image: what execve of a HOST program takes */
	char *exe;           /* the same, absolute and without links: /proc/self/exe */
	char *script_interp; /* the last interpreter of a #! line, NULL if PATH is no script */
	char *interp;        /* PT_INTERP as written in the file, NULL if none */
	int interp_fd;       /* open on the interpreter; -1 if none */
	char **argv;         /* argv after #! rewriting: NULL-terminated, strings are malloc'ed */
	char *execfn;        /* AT_EXECFN */
	bool setid; /* set-user-ID or set-group-ID file that would change ids: refused (EPERM) */
	struct loader_elf *elf;        /* ILP32: headers of the image */
	struct loader_elf *interp_elf; /* headers of the interpreter, NULL if none */
};

/*
 * Finds out what PATH (a host path; DFD as in execveat, AT_FDCWD normally) is, following #! lines,
 * and opens all that is needed. ARGV is the vector meant for it (NULL: empty). AT_FLAGS are those of
 * execveat(2): AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW. Nothing of the current guest is touched. The
 * result is in P in every case; free it with loader_free().
 *
 * SYSROOT may be NULL. Absolute interpreter paths, of #! lines and PT_INTERP, are looked up below it
 * first, symbolic links inside it included. When PATH lies below it, the guest sees the name without
 * the prefix (AT_EXECFN, argv of a script), which is the name that path translation maps to PATH.
 *
 * Errors (errno as fs/exec.c, binfmt_script.c, binfmt_elf.c give it): ENOENT, EACCES, ENOTDIR, ELOOP,
 * ENAMETOOLONG, ETXTBSY, ENOEXEC, ELIBBAD (interpreter is no ILP32 program), EIO (interpreter or its
 * path cut short), EPERM (setid), ENOMEM, EMFILE.
 */
void loader_open(struct loader_program *p, int dfd, const char *path, char *const argv[],
		 int at_flags, const char *sysroot);
void loader_free(struct loader_program *p);

/* The longest string of arguments and environment, NUL included (MAX_ARG_STRLEN, 32 pages). */
#define LOADER_STRING_MAX 0x20000u

/*
 * Whether P's argv and ENVP fit the kernel's limits: 128 KiB a string, all together at most a quarter
 * of RLIMIT_STACK, at most 6 MiB, at least 128 KiB (fs/exec.c bprm_stack_limits). 0 or -E2BIG. Call
 * it before the point of no return.
 */
int loader_check_args(const struct loader_program *p, char *const envp[]);

/* What an image needs from the outside and gives back. */
struct loader_image {
	gaddr entry;       /* first pc */
	gaddr sp;          /* initial stack pointer */
	gaddr auxv;        /* first auxv pair on the stack */
	uint32_t auxv_len; /* bytes, with the terminating pair */
	gaddr arg_start, arg_end, env_start, env_end;
	bool read_implies_exec; /* READ_IMPLIES_EXEC of the new personality */
	gaddr sigreturn;        /* rt_sigreturn trampoline in a read-exec page (or the vDSO's) */
	gaddr vdso;             /* the vDSO's ELF header; 0 if none */
};

/* A vDSO to map: the data page(s) directly below the image, in the highest free slot. */
struct loader_vdso {
	const void *image;  /* ELF32 file, page granular */
	uint32_t image_len; /* bytes */
	uint32_t data_len;  /* bytes of [vvar], page granular */
	int data_fd;        /* its content, mapped shared and read-only; -1: zeros */
	uint32_t sigreturn; /* offset of __kernel_rt_sigreturn in the image */
};

/* personality(2) flags that matter here. */
#define LOADER_ADDR_NO_RANDOMIZE 0x0040000u
#define LOADER_MMAP_PAGE_ZERO    0x0100000u
#define LOADER_READ_IMPLIES_EXEC 0x0400000u

struct loader_env {
	char *const *envp; /* NULL: empty */
	uint64_t hwcap, hwcap2;
	bool secure; /* AT_SECURE; false: the host kernel ignores set-user-ID bits of what it runs for us */
	/* The guest's personality. ADDR_NO_RANDOMIZE leaves out the random gap above auxv and the brk
	 * gap; READ_IMPLIES_EXEC is kept across execve (the ILP32 loader does not clear it). */
	uint32_t personality;
	const struct loader_vdso *vdso; /* NULL: a page with the rt_sigreturn trampoline alone */
};

/*
 * The point of no return: maps P (kind ILP32), its interpreter, the trampoline page and the stack
 * into the empty address space of src/mem, and fills *IMG. 0; -ENOMEM and the like mean that the
 * kernel would kill the new image with SIGSEGV. TEXT then gets one line.
 */
int loader_map(const struct loader_program *p, const struct loader_env *env,
	       struct loader_image *img, char text[LOADER_TEXT_SIZE]);

#endif
