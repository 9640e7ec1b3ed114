/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest process tells other ilp32run processes about itself, so that they can show it in /proc
 * as a kernel would: a sealed memfd among its hidden descriptors, which they find by its name in
 * /proc/PID/fd. It holds what stays true until the next execve, and fork hands it on with the memory
 * that it describes.
 */
#ifndef TASK_CARD_H
#define TASK_CARD_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/mem.h"
#include "task/task.h"

/* The target of the link /proc/PID/fd/N. */
#define TASK_CARD_LINK "/memfd:ilp32run-process (deleted)"

struct task_card {
	uint32_t magic, size;
	char version
		[24]; /* of the emulator: others may have other structures behind the addresses */
	uint64_t process_size; /* and that is how large they are here */
	uint64_t process;      /* address of its struct process */
	struct mem_locator mem;
	uint64_t
		made; /* ns of CLOCK_MONOTONIC: the process's programs before and after have others */
	bool native;    /* task_card_native() */
	int32_t exe_fd; /* hidden, open on the guest's program */
	uint32_t nhidden;
	int32_t hidden[TASK_HIDDEN_FDS];
};

/*
 * Makes the card of T's process, whose program is open as PROGRAM_FD, and tells the host kernel where
 * the guest's arguments, environment and auxiliary vector lie (prctl(2), PR_SET_MM_MAP), so that
 * /proc/PID/cmdline, environ and auxv are the guest's for everybody. Failures leave the process without,
 * which task_card_native() tells.
 */
void task_card_make(struct task *t, int program_fd);
/* Whether the host kernel shows the guest's cmdline, environ and auxv by itself. */
bool task_card_native(void);
/* Our own card. False before it was made. */
bool task_card_own(struct task_card *c);
/* Whether what the addresses in C, from another process, lead to has the same form as here. */
bool task_card_same_build(const struct task_card *c);
/* Reads and checks the card behind FD. False if it is none. */
bool task_card_read(struct task_card *c, int fd);

#endif
