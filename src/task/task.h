/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest threads and processes. A guest process is a host process, a guest thread a host thread:
 * tids, pids, process groups, wait and scheduling are the host kernel's own.
 */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cpu/cpu.h"
#include "ilp32run/ilp32run.h"
#include "signal/signal.h"

/* What the threads of one guest process share. */
struct process {
	const struct ilp32run_options *opt;
	const struct cpu_engine *engine;
	char *exe;		 /* absolute host path of the running program */
	char **argv;		 /* as given to exec, for /proc/self/cmdline */
	struct sig_action action[SIG_COUNT + 1]; /* by signal number */
	pthread_mutex_t action_lock;
	struct task *tasks; /* all threads; task_lock */
	pthread_mutex_t task_lock;
	unsigned ntasks;
	uint32_t personality; /* as the guest sees it */
	gaddr sigreturn;      /* the trampoline: mov x8,#139; svc #0 */
	gaddr auxv, auxv_len; /* the auxv pairs on the guest stack, for /proc/self/auxv */
	gaddr arg_start, arg_end, env_start, env_end;
};

struct task {
	struct process *process;
	struct task *next;
	struct cpu *cpu;
	struct cpu_state regs; /* valid outside cpu_run() while regs_valid */
	bool regs_valid;
	pid_t tid;
	struct sig_task sig;
	/* the call in flight, for restart and /proc */
	bool in_call;
	uint32_t call_nr;
	uint32_t call_x0; /* x0 at entry, zero-extended: what a restart reloads */
	/* threads */
	gaddr clear_child_tid;
	gaddr robust_list;
	bool exiting;
};

/* The calling host thread's task; NULL outside. */
extern _Thread_local struct task *task_self;

/* Creates the process and its first task around the loaded image. NULL when out of memory. */
struct task *task_create_first(const struct ilp32run_options *opt, const struct cpu_engine *engine);

/* Runs the calling thread's guest until the thread or the process ends. */
_Noreturn void task_run(struct task *t);

/* The svc callback of all engines. */
enum cpu_svc task_svc(void *task, uint64_t x[9]);

/* clone(2): FLAGS, STACK, PTID, TLS, CTID as the kernel names them; EXIT_SIGNAL is in FLAGS.
 * The parent's result: a tid or -errno. Needs full state. */
int64_t task_clone(struct task *t, uint64_t flags, gaddr stack, gaddr ptid, uint64_t tls, gaddr ctid);

/* execve(2) inside: PATH is a host path, relative to host descriptor DFD when FLAGS has
 * AT_EMPTY_PATH semantics (execveat). ARGV, ENVP are malloc'ed emulator copies. Returns -errno, or
 * does not return. Needs full state. */
int64_t task_exec(struct task *t, int dfd, const char *path, char **argv, char **envp, int flags);

/* exit(2) of the thread and exit_group(2). */
_Noreturn void task_exit_thread(struct task *t, int status);
_Noreturn void task_exit_group(struct task *t, int status);

/* --- one guest thread at a time, for engines that are not parallel (task/gil.c) ---------------- */

/* Takes the run lock (no-op for parallel engines and single-threaded processes). A waiter kicks the
 * holder after a time slice, so nobody starves. */
void gil_acquire(struct task *t);
void gil_release(struct task *t);

#endif
