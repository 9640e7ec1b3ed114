/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the cases of the micro benchmark share: "micro CASE MILLISECONDS [ARGUMENT]..." repeats one operation
 * until a batch of it has taken MILLISECONDS of processor time twice, and prints the second:
 *
 *     WORK CPU_NANOSECONDS ELAPSED_NANOSECONDS
 *
 * Batches grow, so that what happens once (translation, page faults, caches) lies before the one that counts.
 * Processor time is that of the process, of its partners, and of children it has waited for.
 */
#ifndef MICRO_H
#define MICRO_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

struct micro_case {
	const char *name;
	/* Gets ready, from the case's own arguments (may be NULL). */
	void (*setup)(int argc, char **argv);
	/* Does COUNT operations; what it did, in the row's unit of work (operations or bytes). */
	uint64_t (*run)(uint64_t count);
};

/* The tables of the files beside this one; the end is a case without a name. */
extern const struct micro_case micro_file[], micro_growth[], micro_ipc[], micro_memory[],
	micro_process[], micro_syscall[];

/* Ends the program with a message, and the text of errno unless that is 0, if BAD. */
void micro_check(int bad, const char *what);

/* A child whose processor time counts, and that is killed at the end. */
void micro_partner(pid_t pid);

/* Binds this process and its later children to one processor: every hand-over is then a switch. */
void micro_one_cpu(void);

/* Time between the two does not count. */
void micro_pause(void);
void micro_resume(void);

/* Argument I as a number, or OTHERWISE. */
static inline unsigned long micro_number(int argc, char **argv, int i, unsigned long otherwise)
{
	return i < argc ? strtoul(argv[i], NULL, 0) : otherwise;
}

/* Keeps the compiler from knowing X. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

#endif
