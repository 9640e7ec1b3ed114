/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest signals. The host kernel's queues are the queues: a guest-blocked signal is blocked on the
 * host thread, a default or ignored one has that disposition on the host, and a caught one is caught
 * by our handler, which keeps its siginfo in the task's one slot and blocks all others until the
 * guest's frame has been built. So order, coalescing, RLIMIT_SIGPENDING, signalfd, sigtimedwait and
 * process-directed choice of a thread are the host kernel's own.
 */
#ifndef SIGNAL_SIGNAL_H
#define SIGNAL_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/host.h"
#include "cpu/cpu.h"
#include "mem/mem.h"

struct task;

#define SIG_COUNT 64
#define SIGBIT(n) (1ull << ((n) - 1))

/* arm64 values of sa_flags and the alternate stack (04-signals-and-vdso.md). */
#define GSA_NOCLDSTOP 0x00000001u
#define GSA_NOCLDWAIT 0x00000002u
#define GSA_SIGINFO   0x00000004u
#define GSA_RESTORER  0x04000000u
#define GSA_ONSTACK   0x08000000u
#define GSA_RESTART   0x10000000u
#define GSA_NODEFER   0x40000000u
#define GSA_RESETHAND 0x80000000u

/* A disposition as the guest set it; shared by the threads of a process (CLONE_SIGHAND). */
struct sig_action {
	gaddr handler; /* 0 SIG_DFL, 1 SIG_IGN */
	uint32_t flags;
	gaddr restorer;
	uint64_t mask;
};

struct sig_altstack {
	gaddr sp;
	uint32_t flags; /* as stored by the kernel: SS_DISABLE, SS_AUTODISARM */
	uint32_t size;
};

/* The per-thread part, embedded in struct task. */
struct sig_task {
	volatile int pending; /* non-zero: leave the engine and look (captured, or exit requested) */
	uint64_t mask;	      /* the guest's blocked set */
	uint64_t saved_mask;  /* rt_sigsuspend, ppoll...: restored when a handler returns */
	bool has_saved_mask;
	volatile bool captured; /* info below waits to be delivered */
	struct host_siginfo info;
	struct sig_altstack alt;
	uint64_t fault_address; /* last FAR of the thread, shown in every later frame */
	uint64_t fault_esr;	/* 0: no fault so far, no ESR record */
};

/* Installs the emulator's own handlers (SIGSEGV, SIGBUS) and reads the inherited dispositions and
 * mask into the first task. 0 or -errno. */
int signal_init(struct task *t);

/* Raises a synchronous signal for the guest: forced, i.e. a blocked or ignored one kills. */
void signal_force(struct task *t, int signo, int code, uint64_t addr);
/* Translates an engine stop (fault, align, illegal, brk) into fault_address, ESR and signal_force. */
void signal_from_stop(struct task *t, const struct cpu_stop *stop);

/*
 * At the boundary between host and guest, with the full state in task->regs: delivers what is
 * captured (building a frame, or dying, stopping), applying the restart rules to RESULT, the value
 * of the interrupted system call (IN_CALL), which is written to x0 or undone.
 */
void signal_deliver(struct task *t, bool in_call, int64_t result);

/* rt_sigreturn on task->regs. Forces SIGSEGV on a bad frame. */
void signal_return(struct task *t);

/* Sets the guest's mask (SIGKILL, SIGSTOP are dropped) on the task and on the host thread. */
void signal_set_mask(struct task *t, uint64_t mask);
/* Until the next delivery or the end of the call, the mask is MASK (sigsuspend, ppoll, pselect,
 * epoll_pwait): the host call gets MASK itself, the saved one returns afterwards. */
void signal_temp_mask(struct task *t, uint64_t mask);

/* rt_sigaction: applies to the guest's table and mirrors on the host. 0 or -errno. */
int64_t signal_action(struct task *t, int signo, const struct sig_action *new, struct sig_action *old);
int64_t signal_altstack(struct task *t, const struct sig_altstack *new, struct sig_altstack *old,
			bool have_new);

/* siginfo between host form and the ILP32 form of 128 bytes at GUEST (emulator memory). SIGNO and
 * si_code choose the union member. Returns how many bytes of GUEST were written. */
unsigned signal_info_to_guest(uint8_t guest[128], const struct host_siginfo *h);
void signal_info_to_host(struct host_siginfo *h, const uint8_t guest[128]);

/* After fork in the child; before exec (handlers become default). */
void signal_after_fork(struct task *t);
void signal_reset_for_exec(struct task *t);

/* Terminates the process as SIGNO's default action would (core-dump status included). */
_Noreturn void signal_die(struct task *t, int signo);

#endif
