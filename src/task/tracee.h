/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptrace between guest processes. The host's ptrace would show the emulator, so a traced process stops
 * itself, at places where its registers are those of the guest: it writes what a tracer may want to know
 * into the record below, which the tracer finds by the process's card, and sends itself SIGSTOP. So
 * waiting, SIGCHLD and the end of either side are the host kernel's own; the tracer's wait calls put the
 * real status in the place of SIGSTOP. That takes a tracer that is the parent: the form in which debuggers
 * and tracers start a program (PTRACE_TRACEME).
 */
#ifndef TASK_TRACEE_H
#define TASK_TRACEE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/host.h"
#include "cpu/cpu.h"

struct task;

enum tracee_command {
	TRACEE_NONE,
	TRACEE_CONT,
	TRACEE_SYSCALL, /* to the next entry or exit of a system call */
	TRACEE_STEP,    /* one instruction */
	TRACEE_DETACH,
};

/* PTRACE_O_ bits that are served. */
enum { TRACEE_SYSGOOD = 1, TRACEE_EXEC = 0x10, TRACEE_EXIT = 0x40, TRACEE_EXITKILL = 0x100000 };
#define TRACEE_OPTIONS (TRACEE_SYSGOOD | TRACEE_EXEC | TRACEE_EXIT | TRACEE_EXITKILL)

#define TRACEE_POKES 64

struct tracee {         /* a member of struct process */
	int32_t tracer; /* process id; 0: not traced */
	uint32_t options;
	uint32_t mode;  /* enum tracee_command: how it runs */
	bool exec_stop; /* the program begins with the stop for its execve */
	bool self_stop; /* it sent itself SIGSTOP */

	/* --- valid while stopped ------------------------------------------------------------------ */
	uint32_t stopped;
	uint32_t code;     /* of the wait status: signal, with an event above it */
	uint32_t reported; /* a wait call has told it */
	uint64_t message;  /* PTRACE_GETEVENTMSG */
	struct host_siginfo info;
	struct cpu_state regs;
	uint64_t mask;
	int32_t syscall; /* number at a stop for a call; -1 */
	/* what the tracer asks for */
	uint32_t command; /* enum tracee_command */
	int32_t signo;    /* to be delivered */
	uint32_t npoked;  /* words that it wrote; more than TRACEE_POKES: anywhere */
	uint32_t poked[TRACEE_POKES];
};

/* Before a fork, so that the child can say that it is traced, and after it in the child. */
void tracee_before_fork(void);
void tracee_after_fork(struct task *t);
/* Whether there may be a child that asks to be traced: it can do so while we wait for it already, so all
 * wait calls look at stopped children. */
bool tracee_children(void);

/* PTRACE_TRACEME: 0 or -errno. */
int64_t tracee_traceme(struct task *t);

/* Stops the traced T, whose registers are in t->regs, until the tracer lets it go on. CODE and INFO are
 * what the tracer sees. Registers may have changed. The signal to deliver, or 0. */
int tracee_stop(struct task *t, uint32_t code, const struct host_siginfo *info);
/* Before (ENTRY) and after a system call, if T stops there. */
void tracee_syscall(struct task *t, bool entry);
/* After one instruction of TRACEE_STEP. */
void tracee_stepped(struct task *t);
/* T, with full state, is about to end, with STATUS as wait4 gives it. */
void tracee_exits(struct task *t, uint32_t status);
/* What the default action of SIGNO does with a traced process, whose signals are all caught. */
void tracee_default(struct task *t, int signo);

/* A number that a new image gives to tracee_adopt(), which makes it stop before its first instruction. */
uint32_t tracee_hand_over(const struct task *t);
void tracee_adopt(struct task *t, uint32_t number);
/* The stops for the execve that started this image. */
void tracee_begin(struct task *t);

#endif
