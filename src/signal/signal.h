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
#define SIGBIT(n) (1ull << ((n)-1))

/* arm64 values of sa_flags and the alternate stack (asm-generic/signal.h). */
#define GSA_NOCLDSTOP  0x00000001u
#define GSA_NOCLDWAIT  0x00000002u
#define GSA_SIGINFO    0x00000004u
#define GSA_RESTORER   0x04000000u
#define GSA_ONSTACK    0x08000000u
#define GSA_RESTART    0x10000000u
#define GSA_NODEFER    0x40000000u
#define GSA_RESETHAND  0x80000000u
#define GSS_ONSTACK    1u
#define GSS_DISABLE    2u
#define GSS_AUTODISARM 0x80000000u

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

/*
 * Signals that stay unblocked on the host when the guest blocks them, because what the emulator does for
 * the guest faults. Only when somebody sends one to a thread that blocks it, it is given back to the
 * host's queue and blocked there too (sig_task.requeued), until it is gone or the guest unblocks it; so
 * signalfd, sigtimedwait and other threads have it as on a kernel. A fault meanwhile kills, as it does
 * under a kernel while the signal is blocked, and the emulator's copies do without faults.
 */
#define SIG_HOST_OPEN (SIGBIT(SIG_SEGV) | SIGBIT(SIG_BUS))
enum {
	SIG_QUIT = 3,
	SIG_ILL = 4,
	SIG_TRAP = 5,
	SIG_ABRT = 6,
	SIG_BUS = 7,
	SIG_FPE = 8,
	SIG_KILL = 9,
	SIG_SEGV = 11,
	SIG_CHLD = 17,
	SIG_STOP = 19,
	SIG_XCPU = 24,
	SIG_XFSZ = 25,
	SIG_IO = 29,
	SIG_SYS = 31,
};

/* Signals whose default action writes a core: those are caught on the host, since the host's kernel cannot
 * write the guest's. */
#define SIG_CORES                                                                              \
 (SIGBIT(SIG_QUIT) | SIGBIT(SIG_ILL) | SIGBIT(SIG_TRAP) | SIGBIT(SIG_ABRT) | SIGBIT(SIG_BUS) | \
  SIGBIT(SIG_FPE) | SIGBIT(SIG_SEGV) | SIGBIT(SIG_SYS) | SIGBIT(SIG_XCPU) | SIGBIT(SIG_XFSZ))

struct sys_call;
/* Continues an interrupted sleep (the kernel's restart_block): the result of restart_syscall. */
typedef int64_t sig_restart_fn(struct sys_call *c, const uint64_t arg[4]);

/* The per-thread part, embedded in struct task. */
struct sig_task {
	volatile int
		pending;     /* non-zero: leave the engine and look (captured, or exit requested) */
	uint64_t mask;       /* the guest's blocked set */
	uint64_t saved_mask; /* rt_sigsuspend, ppoll...: restored when a handler returns */
	bool has_saved_mask;
	volatile bool
		captured; /* info below waits to be delivered; all signals are blocked on the host */
	struct host_siginfo info;
	volatile uint64_t requeued; /* see SIG_HOST_OPEN */
	volatile unsigned requeues; /* how often one was given back: each interrupts a call */
	volatile uint64_t discard;  /* of those: what another thread has asked to ignore */
	volatile uint64_t held; /* those of signal_send_self() that the guest blocks; infos below */
	struct host_siginfo held_segv, held_bus;
	struct host_siginfo trap; /* of a call that gave -ERESTART_TRAP_ */
	bool exec_reset;          /* signal_reset_for_exec() is to be undone */
	struct sig_altstack alt;
	uint64_t fault_address; /* last FAR of the thread, shown in every later frame */
	uint64_t fault_esr;     /* 0: no fault so far, no ESR record */
	sig_restart_fn
		*restart; /* set by a call that returns -ERESTART_RESTARTBLOCK_; NULL: none */
	uint64_t restart_arg[4];
};

/* Makes the copies of src/mem safe before there is a task: a file that is shorter than its headers say
 * faults while the loader clears the rest of a page. signal_init() ends it. */
void signal_guard_loading(void);

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
 * of the interrupted system call (IN_CALL), which is written to x0 or undone. To be called when
 * sig.pending is set and for every -ERESTART result; signals that come meanwhile may set it again.
 */
void signal_deliver(struct task *t, bool in_call, int64_t result);

/* rt_sigreturn on task->regs. Forces SIGSEGV on a bad frame. */
void signal_return(struct task *t);

/*
 * Sets the guest's mask (SIGKILL, SIGSTOP are dropped) on the task and on the host thread, if
 * nothing is captured. False: a signal was captured under the old mask and must be delivered first;
 * nothing was changed, and a system call returns -ERESTARTNOINTR_ so that it is done again.
 */
bool signal_set_mask(struct task *t, uint64_t mask);

/*
 * Brackets an interruptible host call that takes a mask of its own (rt_sigsuspend, ppoll, pselect6,
 * epoll_pwait, io_pgetevents), in a row of kind SYS_NOHAND (or SYS_EINTR):
 *
 *	uint64_t m = signal_temp_mask(t, guest_mask);	     the mask to hand to the host
 *	r = sys_host_blocking(c, nr, ..., (uint64_t)&m, 8);
 *	return signal_temp_mask_end(t, r);
 *
 * After an interruption the mask stays in force until signal_deliver(): the frame gets the saved mask
 * (kernel: restore_saved_sigmask).
 */
uint64_t signal_temp_mask(struct task *t, uint64_t mask);
int64_t signal_temp_mask_end(struct task *t, int64_t result);

/*
 * Blocks every signal on the host thread, for steps that no capture may split: exec, the creation
 * and the end of a thread. True if one is captured already; then a system call undoes with
 * signal_unblock() and returns -ERESTARTNOINTR_, so that it is delivered first and the call is done
 * again. A thread that ends stays blocked.
 */
bool signal_block(struct task *t);
void signal_unblock(struct task *t);

/* The same around fork: also holds the table of actions still. AFTER in both processes; nothing is
 * pending in the child. */
bool signal_before_fork(struct task *t);
void signal_after_fork(struct task *t, bool child);

/* While t->sig.requeued is not 0, behind every system call: forgets those that are not pending any more. */
void signal_check_requeued(struct task *t);

/* Sends INFO (SIGSEGV or SIGBUS) to the calling thread without the host's queue; 0. For those that look
 * like a fault. */
int64_t signal_send_self(struct task *t, const struct host_siginfo *info);

/* What the kernel dequeues from the thread's guest-blocked signals besides the host's queues: the
 * held ones in SET. The signal number (removed, *INFO filled), or 0. */
int signal_take_held(struct task *t, uint64_t set, struct host_siginfo *info);

/* Gives the host the disposition that the action of SIGNO asks for, or that being traced does. */
struct process;
void signal_mirror(struct process *p, int signo);

/* Gives process P, a copy of FROM or FROM itself, a table of actions of its own, which are those of FROM. Under FROM's lock
 * of them, or after fork(2). */
void signal_own_actions(struct process *p, struct process *from);

/* rt_sigaction: applies to the guest's table and mirrors on the host. 0 or -errno. */
int64_t signal_action(struct task *t, int signo, const struct sig_action *new,
		      struct sig_action *old);
int64_t signal_altstack(struct task *t, const struct sig_altstack *new, struct sig_altstack *old,
			bool have_new);

/* siginfo between host form and the ILP32 form of 128 bytes at GUEST (emulator memory). SIGNO and
 * si_code choose the union member. Returns how many bytes of GUEST were written. */
unsigned signal_info_to_guest(uint8_t guest[128], const struct host_siginfo *h);
void signal_info_to_host(struct host_siginfo *h, const uint8_t guest[128]);

/* First in a new thread, which its creator started between signal_block() and signal_unblock(), with
 * t->sig.mask copied from it: no alternate stack (kernel: CLONE_VM without CLONE_VFORK), host mask set. */
void signal_thread_start(struct task *t);
/* Before others are told that the thread is gone, after signal_block(): from here on it takes no signal, and what
 * it took since goes back to the process. Its accesses to guest memory go on. */
void signal_thread_end(struct task *t);
/*
 * Immediately before an execve that replaces the emulator by a host execve, after signal_block():
 * gives the host thread exactly the guest's mask and the process its ignored signals, which are what
 * the new program inherits; caught ones become default. If that execve fails, signal_unblock() undoes
 * it.
 */
void signal_reset_for_exec(struct task *t);

/* The default action of INFO's signal: report, core file, death. Full state, everything blocked. */
_Noreturn void signal_die_of(struct task *t, const struct host_siginfo *info);
/* Terminates the process by SIGNO because the emulator cannot go on: a core is the emulator's. */
_Noreturn void signal_die(struct task *t, int signo);

#endif
