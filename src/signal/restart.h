/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's internal restart codes (never seen by a guest) and the interruptible host call. */
#ifndef SIGNAL_RESTART_H
#define SIGNAL_RESTART_H

#include <stdint.h>

enum {
	ERESTARTSYS_ = 512,
	ERESTARTNOINTR_ = 513,
	ERESTARTNOHAND_ = 514,
	ERESTART_RESTARTBLOCK_ = 516,
	/* Ours: the call was not made, and its registers stay; SIGSYS by sig_task.trap is forced. */
	ERESTART_TRAP_ = 599,
	/* Ours: the call replaced the register file (rt_sigreturn, execve): x0 is not written. */
	ERESTART_NONE_ = 600,
};

/*
 * A raw host system call that is not entered when *PENDING is or becomes non-zero before the
 * kernel has it: then -ERESTARTSYS_ and nothing was done. A signal that arrives later interrupts
 * the call as usual (-EINTR). Assembly, one file per host architecture; the host signal handler
 * calls safe_syscall_rewind() with the interrupted context.
 */
long safe_syscall(const volatile int *pending, long nr, uint64_t a0, uint64_t a1, uint64_t a2,
		  uint64_t a3, uint64_t a4, uint64_t a5);

/* In a host signal handler: if CONTEXT (ucontext_t *) was interrupted inside the window before the
 * host's system call instruction, moves it to the window's abort path. */
void safe_syscall_rewind(void *context);

#endif
