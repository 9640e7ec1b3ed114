/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest threads and processes. A guest process is a host process, a guest thread a host thread:
 * tids, pids, process groups, wait and scheduling are the host kernel's own.
 */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "cpu/cpu.h"
#include "ilp32run/ilp32run.h"
#include "lock.h"
#include "signal/signal.h"
#include "task/limits.h"
#include "task/tracee.h"

/* What the threads of one guest process share. */
struct process {
	const struct ilp32run_options *opt;
	const struct cpu_engine *engine;
	char *exe;                               /* absolute host path of the running program */
	struct sig_action action[SIG_COUNT + 1]; /* by signal number; see process_hand() */
	struct own_lock action_lock;
	/* CLONE_SIGHAND without CLONE_THREAD: whose actions this process uses, NULL its own; how many use those of
	 * this one; whether one of those was ever traced. */
	struct process *hand;
	unsigned hand_users;
	bool hand_caught;
	struct task *tasks; /* all threads; see task_for_each() */
	unsigned ntasks;
	uint32_t personality; /* as the guest sees it */
	gaddr sigreturn;      /* the trampoline: mov x8,#139; svc #0 */
	gaddr auxv, auxv_len; /* the auxv pairs on the guest stack, for /proc/self/auxv */
	gaddr arg_start, arg_end, env_start, env_end;
	struct task_limit limit[TASK_LIMITS];

	struct task *all_tasks; /* of the first process: all in this memory; a tracer looks there */
	bool traced;            /* some thread is, so all signals are caught */
	/* --- private to src/task ----------------------------------------------------------------- */
	bool ended;                   /* task_process_ends() was there */
	struct task *_Atomic stopper; /* writes the core: all others stand still */
	int leader_status;            /* of the first thread, if it called exit before others */
	bool shares_memory;           /* a CLONE_VM process: the address space outlives it */
	_Atomic pid_t
		helper; /* a thread that is no task (task/tier.c); /proc does not show it; task_helper() */
};

/* The process with the signal actions of P, which are the host's for its processes, too: one table. */
static inline struct process *process_hand(struct process *p)
{
	return p->hand ? p->hand : p;
}

static inline bool process_shares_hand(const struct process *p)
{
	return p->hand || __atomic_load_n(&p->hand_users, __ATOMIC_ACQUIRE);
}

/* Whether the host's table that P uses catches all signals: one of the processes that share it is traced. */
static inline bool process_catches_all(struct process *p)
{
	return process_hand(p)->traced || process_hand(p)->hand_caught;
}

#define TASK_HELPER_STARTS (-1)
/* This process's thread that is no task, 0 if there is none. */
pid_t task_helper(const struct process *p);

struct seccomp_filter;
struct task_seccomp { /* syscall/seccomp.h */
	int mode;
	const struct seccomp_filter *filter; /* the newest */
};

/* A system call as it was made, for the crash report. */
struct task_recent {
	uint64_t x[9];
	int64_t result;
};
#define TASK_RECENT         16
#define TASK_RECENT_RUNNING INT64_MIN

struct task {
	struct process *process;
	struct task *next;
	struct cpu *cpu;
	struct cpu_state regs; /* valid outside cpu_run() while regs_valid */
	bool regs_valid;
	pid_t tid;
	struct sig_task sig;
	struct task_seccomp seccomp; /* copied to threads and children */
	/* the call in flight, for restart and /proc */
	bool in_call;
	uint64_t call_x0; /* x0 at entry as the kernel has it: what a restart reloads */
	struct task_recent recent[TASK_RECENT]; /* the last ones, at recent_n - 1 and before */
	uint32_t recent_n;
	/* threads */
	gaddr clear_child_tid;
	gaddr robust_list;
	bool exiting;
	struct tracee tracee;

	/* --- private to src/task ----------------------------------------------------------------- */
	pid_t tgid;          /* differs within one list only for CLONE_VM|CLONE_SIGHAND processes */
	int exit_status;     /* exiting: the argument of exit(2) */
	bool svc_left;       /* the svc callback left the engine with svc_result */
	bool in_run;         /* inside cpu_run(): the instance is not to be used by others */
	bool borrows_engine; /* its instance is the vfork parent's */
	bool gil_waiting;    /* counted in the emulator lock's waiters */
	atomic_bool in_guest; /* inside a parallel engine, without the emulator lock */
	int64_t svc_result;
	struct task *mm_next;          /* all tasks in this address space, of whatever process */
	struct task_thread *thread;    /* the host thread made for it; NULL: the main thread */
	struct exec_job *exec;         /* being executed: freed by the vfork parent */
	void *vfork_stack;             /* kept for the next vfork */
	atomic_bool parked;            /* stands still for good, registers in regs */
	bool embedded;                 /* part of a larger object: not to be freed itself */
	struct {                       /* --deterministic (sched.c) */
		uint32_t number;       /* in the order of creation */
		bool waits, lends;     /* for its turn; for a vfork child */
		bool asleep, expired;  /* until DEADLINE, which has passed */
		bool poked;            /* out of a host call */
		uint64_t deadline;     /* 0: none */
		_Atomic uint32_t turn; /* 1: granted. Futex word */
		struct task *next;
	} sched;
};

/* The calling host thread's task; NULL outside. */
extern _Thread_local struct task *task_self;

/* Creates the process and its first task around the loaded image. NULL when out of memory. */
struct task *task_create_first(const struct ilp32run_options *opt, const struct cpu_engine *engine);

/* Runs the calling thread's guest until the thread or the process ends. */
_Noreturn void task_run(struct task *t);

/* The svc callback of all engines. */
enum cpu_svc task_svc(void *task, uint64_t x[9]);

/* What clone(2) and clone3(2) ask for, with the kernel's names; guest addresses. */
struct task_clone_args {
	uint64_t flags; /* without the exit signal */
	uint32_t exit_signal;
	gaddr pidfd; /* CLONE_PIDFD stores here */
	gaddr child_tid, parent_tid;
	uint64_t stack; /* initial sp, 0: the parent's */
	uint64_t tls;
	const int32_t *set_tid; /* host copy of SET_TID_SIZE pids, or NULL */
	uint32_t set_tid_size;
	int32_t cgroup; /* CLONE_INTO_CGROUP */
};
/*
 * Makes a thread or process. The result is the parent's (a tid or -errno) or 0 in the child, whose
 * task->regs have been prepared. Errors are those of the kernel's copy_process(), and EINVAL with one
 * diagnostic line for a combination that a host process cannot express. Needs full state.
 */
int64_t task_clone(struct task *t, const struct task_clone_args *a);

/* execve(2) and execveat(2): PATH is a host path (DFD and FLAGS as in execveat), NAME the guest's own
 * word for it, which becomes AT_EXECFN. ARGV, ENVP are malloc'ed emulator copies, which this function
 * owns from now on. Returns -errno, or does not return. Needs full state. */
int64_t task_exec(struct task *t, int dfd, const char *path, const char *name, char **argv,
		  char **envp, int flags);

/* exit(2) of the thread: the task loop ends it when the running call has returned. */
void task_exit_thread(struct task *t, int status);
/* exit_group(2). */
_Noreturn void task_exit_group(struct task *t, int status);
/* What is still to be done before the process dies of a guest signal: robust lists, report. The
 * caller then terminates the process itself. */
/* T's program counter, in a call behind its svc. */
uint64_t task_pc(const struct task *t);
void task_process_ends(struct task *t);

/*
 * Lets all other threads of T's process stand still for good, with their registers in task->regs: those in
 * system calls as if interrupted by a fatal signal. One that does not leave the host kernel within 2
 * seconds is left alone. False: another thread has done so, and T goes to task_stop_point().
 */
bool task_stop_others(struct task *t);
/* Does not return if another thread of the process has called task_stop_others(). Full state. */
void task_stop_point(struct task *t);
static inline bool task_stopping(struct task *t)
{
	return atomic_load_explicit(&t->process->stopper, memory_order_relaxed) != NULL;
}

/* Runs FN for every task of T's process with the list locked; stops when it returns true. */
bool task_for_each(struct task *t, bool (*fn)(struct task *t, void *arg), void *arg);

/* The structure behind clone's and set_tid_address' CLEARTID, and robust lists (task/robust.c):
 * walks the list of 12-byte heads of T as the kernel's exit_robust_list() does. */

struct task_robust {
	gaddr head;
	bool pending; /* the lock being taken or given up was marked, too */
};
/* W, if not NULL, gets what task_robust_undo() needs. That gives T back its list and the locks on it that nobody
 * has taken since: the host refused an execve. */
void task_robust_exit(struct task *t, struct task_robust *w);
void task_robust_undo(struct task *t, const struct task_robust *w);

/* --- descriptors that belong to the emulator (task/fd.c) ----------------------------------------- */

#define TASK_HIDDEN_FDS 16

/*
 * Moves FD to a number where guests do not meet it (above RLIMIT_NOFILE where possible), close-on-exec,
 * and remembers it: for guests it is not open, and not a number they may use (EBADF, as above the limit).
 * The new number, or -errno (FD is closed in both cases).
 */
int task_fd_hide(int fd);
/* The same, but what FD refers to is the guest's to see: task_fd_is_hidden_object() does not tell it. */
int task_fd_hide_number(int fd);
/* Closes a hidden descriptor. */
void task_fd_close(int fd);
/* Whether FD is hidden: close(2), dup3(2), fcntl(2)... give EBADF, close_range(2) goes around. */
bool task_fd_is_reserved(int fd);
/* The lowest hidden descriptor in [first, last], or -1: for close_range(2) and the like. */
int task_fd_next_reserved(unsigned first, unsigned last);
/* All of them, in rising order; how many. */
unsigned task_fd_hidden(int out[TASK_HIDDEN_FDS]);
/* Whether the file DEV, INO is one that a hidden descriptor refers to: a guest that met it may have come
 * by a link of /proc (or by the file's own name). */
bool task_fd_is_hidden_object(uint64_t dev, uint64_t ino);
/* The emulator's own executable and its statically linked form (beside it, NAME-static), for execve; -1: it
 * is not there. */
int task_fd_self_exe(void);
int task_fd_static_exe(void);
/* Whether a dynamic linker would find the emulator's libraries: the root directory is still the one of its start,
 * and files can be opened. */
bool task_fd_can_load(void);

/*
 * Between the two there are descriptor numbers to be had, even if the guest has used up its own: for
 * what the emulator must open for calls that need no number in the kernel (task/spare.c). Under the run
 * lock; not to be nested. _end() may be called again when what was opened is closed, to keep numbers
 * for the next time.
 */
void task_spare_begin(void);
void task_spare_end(void);
/* fopen(PATH, "re") in between. */
FILE *task_spare_fopen(const char *path);

/* How many system calls the process has made; grows under the emulator lock (task/tier.c). */
extern _Atomic uint32_t task_calls;

/* For calls that the host refuses to a process with several threads: ends those of the emulator. The process
 * keeps its engine for good (task/tier.c). With the emulator lock. */
void tier_stop(void);
/* After the calling task has changed its credentials: the emulator's thread gets them, too, since some calls look at all
 * threads of a process (setpriority() of a group). With the emulator lock. */
void tier_renew(void);

/* --- the emulator lock (task/gil.c) ------------------------------------------------------------- */

/*
 * Held by the task whose C code runs, always, once there is more than one task in the address space; around
 * a host call that may block for long it is released. Engines that are not parallel run under it, too. A
 * waiter kicks the holder after a time slice, so nobody starves.
 */
void gil_acquire(struct task *t);
void gil_release(struct task *t);

/*
 * With the lock held: returns when no other task of this address space is inside a parallel engine
 * (below 1 ms of running each); none gets in before the lock is released. Not under any other lock.
 */
void task_guests_out(struct task *t);

#endif
