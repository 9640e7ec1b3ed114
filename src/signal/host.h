/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of src/signal share: the host side (host.c) and the guest's frame (frame.c). */
#ifndef SIGNAL_HOST_H
#define SIGNAL_HOST_H

#include "signal/signal.h"

struct process;

/* --- host.c ------------------------------------------------------------------------------------- */

/* A raw host call that no signal rewinds and that leaves errno alone (for handlers too). */
long host_call(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3);

/* Whether our handler is there for SIGNO: always, for the guest's handler, or to write a core. */
bool host_catches(struct process *p, int signo);
/* Gives the host signal SIGNO the disposition that the guest's action asks for. */
void host_mirror(struct process *p, int signo);

/* Blocks everything; nothing can be captured until host_open(). */
void host_block_all(void);
/* With everything blocked: the host mask becomes the guest's; a pending signal is captured before
 * this returns. Nothing happens while something is captured. */
void host_open(struct task *t);

/* Sends INFO to the calling thread itself, through the host's queue. */
void host_requeue(struct task *t, const struct host_siginfo *info);

/* --- frame.c ------------------------------------------------------------------------------------ */

/* struct rt_sigframe with no extra records: behind fault_address there are 288 - 8 bytes, and the records. */
#define FRAME_SIZE   abi_frame_size()
#define FRAME_RECORD 16u /* x29, x30 above it */

/*
 * Builds the frame for a handler with ACTION on the guest's stack and moves task->regs to the
 * handler's entry; MASK goes to uc_sigmask. False if a byte cannot be written: then the registers
 * are unchanged, the stack perhaps not.
 */
bool frame_push(struct task *t, const struct host_siginfo *info, const struct sig_action *action,
		uint64_t mask);

/* Forces the SIGSEGV of an rt_sigreturn whose frame at FRAME is bad. (deliver.c) */
void signal_force_bad_frame(struct task *t, uint64_t frame);

/* Whether SP lies on the alternate stack, as the kernel defines it. */
bool frame_on_altstack(const struct task *t, uint64_t sp);

#endif
