/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptrace between guest processes. The host's ptrace connects them, so permission, waiting, SIGCHLD, the tracing of
 * new threads and processes and the end of either side are the host kernel's own. What it cannot do is to show a
 * guest: wherever the host would stop a thread, that is amid the emulator. So stops that a tracer is to see are
 * made by the traced thread itself, where its registers are those of the guest: it writes what is to be told into
 * the record below and sends itself a signal that nothing else sends. All other stops of the host are internal:
 * the tracer's wait calls let the thread go on (syscall/ptrace.c), so that the signal gets to the emulator's
 * handler, or ask it to make a stop of its own (tracee_request).
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
enum {
	TRACEE_SYSGOOD = 1,
	TRACEE_FORK = 2,
	TRACEE_VFORK = 4,
	TRACEE_CLONE = 8,
	TRACEE_EXEC = 0x10,
	TRACEE_VFORK_DONE = 0x20,
	TRACEE_EXIT = 0x40,
	TRACEE_SECCOMP = 0x80,
	TRACEE_EXITKILL = 0x100000,
};
#define TRACEE_OPTIONS                                                                           \
 (TRACEE_SYSGOOD | TRACEE_FORK | TRACEE_VFORK | TRACEE_CLONE | TRACEE_EXEC | TRACEE_VFORK_DONE | \
  TRACEE_EXIT | TRACEE_SECCOMP | TRACEE_EXITKILL)

/* PTRACE_EVENT_ numbers. */
enum {
	TRACEE_EVENT_FORK = 1,
	TRACEE_EVENT_VFORK,
	TRACEE_EVENT_CLONE,
	TRACEE_EVENT_EXEC,
	TRACEE_EVENT_VFORK_DONE,
	TRACEE_EVENT_EXIT,
	TRACEE_EVENT_SECCOMP,
	TRACEE_EVENT_STOP = 128,
};

/* What the tracer wants the thread to do as soon as its registers are known. */
enum tracee_request {
	TRACEE_ASK_LOOK = 1, /* it has been attached to */
	TRACEE_ASK_SIGSTOP = 2,
	TRACEE_ASK_TRAP = 4, /* the end of a group stop */
};
/* si_code of the SIGSEGV or SIGBUS by which it gets to know. */
#define TRACEE_POKE (-0x494c50)

/* Where the thread is, for its tracer. */
enum tracee_state {
	TRACEE_RUNS,
	TRACEE_STANDS, /* in a stop of its own */
	TRACEE_HELD,   /* by the host, and the tracer has been told: a group stop, a vfork */
};

#define TRACEE_POKES 64
#define TRACEE_KEPT  4

struct tracee {         /* a member of struct task */
	int32_t tracer; /* thread id; 0: not traced */
	uint32_t options;
	uint32_t mode;    /* enum tracee_command: how it runs */
	uint32_t request; /* set of enum tracee_request */
	uint32_t
		interrupt; /* PTRACE_INTERRUPT: the only word that is written while the thread runs */
	bool seized;       /* PTRACE_SEIZE: what group stops look like, and PTRACE_INTERRUPT */
	bool exec_stop;    /* the program begins with the stop for its execve */
	bool newborn;      /* tracee_first_stop() is due */
	bool in_vfork;     /* the host's event for a vfork is the guest's */
	bool stop_passes;              /* the SIGSTOP to come stops the process for real */
	bool wakes_itself;             /* in tracee_stop(): the signal that comes is its own */
	int32_t stop_signal;           /* what the group stop is for */
	struct host_siginfo stop_info; /* of TRACEE_ASK_SIGSTOP */
	uint32_t nkept;                /* signals that came before all were caught */
	struct host_siginfo kept[TRACEE_KEPT];

	/* --- valid while stopped, with task->regs ------------------------------------------------- */
	uint32_t state;
	uint32_t own_signal; /* with which it has stopped itself */
	uint32_t code;       /* of the wait status: signal, with an event above it; 0: internal */
	uint64_t message;    /* PTRACE_GETEVENTMSG */
	struct host_siginfo info;
	uint64_t mask;
	int32_t syscall; /* number at a stop for a call; -1 */
	/* what the tracer asks for */
	uint32_t command; /* enum tracee_command */
	int32_t signo;    /* to be delivered */
	uint32_t npoked;  /* words that it wrote; more than TRACEE_POKES: anywhere */
	uint32_t poked[TRACEE_POKES];
};

static inline bool tracee_asked(const struct tracee *r)
{
	return r->request || r->interrupt;
}

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
/* A seccomp filter wants the tracer to see the call, with DATA. False: nobody asked for that. */
bool tracee_seccomp(struct task *t, uint32_t data);
/* What the default action of SIGNO does in a traced process, whose signals are all caught. */
void tracee_default(struct task *t, int signo);

/* In the handler of SIGSEGV and SIGBUS: whether INFO, which somebody sent, is no signal of the guest's; *LOOK: but
 * tracee_requested() has something to do. Async-signal-safe. */
bool tracee_poked(struct task *t, const struct host_siginfo *info, bool *look);
/* With full state: does what the tracer has asked for. */
void tracee_requested(struct task *t);

/* What a clone with FLAGS and EXIT_SIGNAL is to the tracer of T: a TRACEE_EVENT_. */
unsigned tracee_clone_event(uint64_t flags, uint32_t exit_signal);
/* The child of such a clone by PARENT is traced, too, if its tracer wants that. */
void tracee_inherit(struct task *child, const struct task *parent, uint64_t flags,
		    uint32_t exit_signal);
/* T, the only thread of a new process whose creator was traced, is not. */
void tracee_forget(struct task *t);
/* Its first stop, before it executes anything; without (LOCKED: with) the emulator lock. */
void tracee_first_stop(struct task *t, bool locked);
/* The parent's stop, when the clone gave PID. */
void tracee_cloned(struct task *t, uint64_t flags, uint32_t exit_signal, int64_t pid);

/* A number that a new image gives to tracee_adopt(), which makes it stop before its first instruction. */
uint32_t tracee_hand_over(const struct task *t);
void tracee_adopt(struct task *t, uint32_t number);
/* The stops for the execve that started this image. */
void tracee_begin(struct task *t);

#endif
