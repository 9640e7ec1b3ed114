/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The API for programs of this tree: run one AArch64 ILP32 program in this process. Neither it nor the
 * library is installed; what is installed is the command.
 *
 * There is one guest address space a host process, so the API has no handle: ilp32run_exec()
 * behaves like execve(2) for the calling process and does not return on success.
 */
#ifndef ILP32RUN_H
#define ILP32RUN_H

#include <stdbool.h>
#include <stdint.h>

/* Where a guest address of 0 lies in the host; see ilp32run_options.arena. */
#define ILP32RUN_ARENA_ANYWHERE UINTPTR_MAX

struct ilp32run_options {
	const char
		*sysroot;   /* -L: tried first for the interpreter and absolute paths; NULL: none */
	const char *engine; /* "unicorn", "dynarmic", "auto", "auto:SECONDS"; NULL: auto */
	const char *cpu;    /* "MODEL[,+FEATURE|,-FEATURE]..."; NULL: "max" */
	const char *abi;    /* name of a profile, or its file; NULL: "modern" */
	const char *argv0;  /* -0: replaces argv[0]; NULL: as given */
	const char *trace_path;   /* --strace output; NULL: stderr */
	const char *crash_report; /* "always", "never", "auto" or NULL: when stderr is a terminal */
	const char *lint_path;    /* --lint output; NULL: stderr */
	const char *lint_format;  /* "text", "json"; NULL: text */
	bool lint;                /* tell what the program does that breaks elsewhere */
	bool inject_upper_garbage; /* fill the upper halves of argument registers */
	bool strace;               /* one line a system call */
	bool report;               /* summary of everything unsupported at exit */
	bool no_aslr;              /* fixed address-space layout */
	bool seeded;               /* seed below is valid: layout and AT_RANDOM are reproducible */
	uint64_t seed;             /* --seed */
	bool deterministic;  /* the seed decides about the order of threads and the time, too */
	bool sliced;         /* time_slice below is valid */
	uint64_t time_slice; /* microseconds that a guest thread runs while another one waits */
	uintptr_t arena;     /* host address of guest address 0, or ILP32RUN_ARENA_ANYWHERE */
};

/* Sets every option to its default. */
void ilp32run_options_init(struct ilp32run_options *opt);

/*
 * Loads PATH and runs it to its end. ARGV is the guest's whole argument vector (argv[0] included),
 * ENVP its environment; both NULL terminated.
 *
 * Returns only when the program could not be started: one line was printed on stderr and the
 * result is the exit status that a shell gives, 127 (not found) or 126 (found, not runnable).
 */
int ilp32run_exec(const struct ilp32run_options *opt, const char *path, char *const argv[],
		  char *const envp[]);

/*
 * For the beginning of main() of every program that calls ilp32run_exec(), with main's ARGV: execve(2)
 * of the guest executes the running host program anew, and this call finds out that it was so. Then
 * it runs the guest's new program; it returns only (with 126 or 127) if that is impossible. Otherwise
 * it returns 0 at once.
 */
int ilp32run_resume(char *argv[]);

/* Comma-separated names of the CPU engines and the ABI profiles that this build has. */
const char *ilp32run_engines(void);
const char *ilp32run_abis(void);

/*
 * Prints the ABI on standard output, as text or CSV: system calls, facts of the profiles, structures and ioctls; for
 * profile ABI or, if that is NULL, for all. With OTHER: the differences between the two. False with
 * errno: EINVAL for an unknown profile, or why writing failed.
 */
bool ilp32run_print_abi(const char *abi, const char *other, bool csv);

/* The project's version, for example "0.1.0". */
const char *ilp32run_version(void);

#endif
