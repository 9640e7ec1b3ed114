/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of src/task share. */
#ifndef TASK_INTERNAL_H
#define TASK_INTERNAL_H

#include <stdatomic.h>

#include "task/task.h"

/* Stack of a host thread that runs a guest. The engine's translator is the hungriest user (Unicorn:
 * below 100 KiB); only touched pages cost memory. */
#define TASK_STACK_SIZE (1024 * 1024)

/* --- the emulator lock (gil.c) -------------------------------------------------------------------- */

/* The time slice and the way of scheduling; before the first engine instance is made. */
void gil_init(const struct ilp32run_options *opt, int family);
/* Called by the only task of the address space before there is a second one. */
void gil_start(struct task *t);
/* Gives way when a waiter asked for it; for the task loop after a kick. */
void gil_yield(struct task *t);
/* In the child of fork: only the caller exists, and holds the lock. */
void gil_after_fork(void);
/* DEAD was killed while it shared our memory: its claims on the lock end. */
void gil_bury(struct task *dead);
/* Around cpu_run() and, the other way round, around the work of the svc callback: parallel engines run
 * without the lock. */
void task_leave_emulator(struct task *t);
void task_enter_emulator(struct task *t);

/* --- --deterministic (sched.c) ------------------------------------------------------------------ */

/* FAMILY: what sched_leave() gave before an execve, or -1. Later, with the first task. */
void sched_init(const struct ilp32run_options *opt, int family);
void sched_begin(struct task *t);
/* Before an execve: the descriptor that the new program needs; -1: none. */
int sched_leave(struct task *t);
/* From now on there is a scheduler, even for one thread. With the emulator lock. */
void sched_need(struct task *t);
/* What the scheduler looks at, and src/task/vtimer.c. */
void sched_lock(void);
void sched_unlock(void);
void sched_before_fork(struct task *t, bool shares_memory);
/* Numbers a new task. */
void sched_number(struct task *t);
/* What gil.c does otherwise, if sched_start() was true. */
bool sched_start(struct task *t);
bool sched_is_running(void);
void sched_acquire(struct task *t);
void sched_release(void);
void sched_yield_turn(struct task *t);
void sched_bury(struct task *dead);
void sched_after_fork(void);

/* --- virtual timers (vtimer.c), with sched_lock() -------------------------------------------------- */

struct family_itimer;
/* Lets those go off that are due; whether there were any. */
bool vtimers_fire(void);
/* When the next one is due, as CLOCK_MONOTONIC counts; UINT64_MAX: none. WAITS: of those that time has to pass for
 * while nobody runs. */
uint64_t vtimers_next(bool waits);
void vtimers_after_fork(void);
void vtimers_bury(pid_t tgid);
void vtimers_leave(pid_t tgid, struct family_itimer *kept);
bool vtimers_adopt(pid_t tgid, const struct family_itimer *kept);

/* --- engine "auto" (tier.c) ------------------------------------------------------------------- */

/* The process runs on NOW and may move to a faster engine, after so much time in guest code (negative: the default). Behind
 * the set-up of signals. */
void tier_start(const struct cpu_engine *now, int64_t after_ns);
/* In the parent. */
void tier_forked(void);
/* In the child. STAYS: on the engine that it has, without threads of the emulator (a tracer would see them start). */
void tier_after_fork(bool stays);
/* Whether it may still move. */
bool tier_is_on(void);
/* Before T, who has the emulator lock, runs guest code: does what has become due. T may have another engine
 * instance afterwards, with the same registers. */
void tier_check(struct task *t);
/* Whether T's process has moved and T has not. */
bool tier_left_behind(const struct task *t);

/* --- tasks (task.c) ----------------------------------------------------------------------------- */

/* The first process; the only one unless CLONE_VM made others in this memory. */
extern struct process task_first_process;

void task_kick(uint32_t tid);
void task_kick_all(void);

/* T gets instance C in place of its own, which the caller destroys. */
void task_replace_engine(struct task *t, struct cpu *c);
/* Destroys the instances that wait for new tasks; with the emulator lock. */
void task_drop_pool(void);
/* Kicks all tasks but T that are inside a parallel engine; whether there are any. */
bool task_kick_guests(struct task *t);

/* Runs FN for every task in this memory with the list locked; stops when it returns true, and says so. */
bool task_any(bool (*fn)(struct task *t, void *arg), void *arg);

struct task *task_new(struct process *p);
/* Its engine, if any, is kept for another task. */
void task_free(struct task *t);
/* Gives T an engine instance, new or used. False when out of memory. */
bool task_take_engine(struct task *t);

/* Adds to and takes from the process's list and the list of the address space. Unlinking returns how
 * many other threads of the same thread group are left. */
void task_link(struct task *t);
unsigned task_unlink(struct task *t);

/* In the child of fork: T is all there is. Also what task_unlock_all() is in the parent. */
void task_forget_others(struct task *t);

/* Takes the locks of src/task and src/mem, which a fork must find free. */
void task_lock_all(void);
void task_unlock_all(void);

/* DEAD, a task of another process in our memory, has ended or left by execve, perhaps inside the
 * emulator: its locks are opened and its place in the lists is freed. Whether it held any. */
bool task_bury(struct task *dead);

/* The kernel's mm_release(): robust list, CLEARTID when somebody else sees the memory. */
void task_mm_release(struct task *t, bool memory_stays);

/* --- the loop (loop.c) ---------------------------------------------------------------------------- */

/* Runs T, whose registers are in t->regs and who has the emulator lock, until t->exiting. */
void task_loop(struct task *t);

/* --- threads (thread.c) -------------------------------------------------------------------------- */

struct task_thread { /* the host thread of a guest thread */
	pthread_t handle;
	struct task_thread *next; /* of those that have ended */
};

/* Waits until every ended host thread is really gone, so that no lock of the C library is held by
 * anybody but the caller, who has the emulator lock. */
void task_reap_threads(void);
/* In the child of fork. */
void task_threads_after_fork(void);
/* The calling host thread H runs nothing any more that needs care; it has the emulator lock. */
void task_thread_ended(struct task_thread *h);
/* pthread_create() with our attributes; all signals are blocked there. 0 or -errno. */
int task_host_thread(struct task_thread *h, void *(*fn)(void *), void *arg);

/* One-shot event between a new thread or process in our memory and its creator. */
void task_wait_ready(_Atomic uint32_t *ready);
void task_post_ready(_Atomic uint32_t *ready);

/* The end of a guest thread on the host's main thread, or of one that became it by fork. */
_Noreturn void task_main_exit(struct task *t);

int64_t clone_thread(struct task *t, const struct task_clone_args *a);
int64_t clone_vm_process(struct task *t, const struct task_clone_args *a);
/* Whether who lent T, of a process in shared memory, its thread is gone, so that nobody will bury it. */
bool clone_vm_is_orphan(const struct task *t);
/* What the host is asked for A: the flags that are the host's, and MORE. Whether clone3(2) alone can be asked so. */
struct clone_args; /* linux/sched.h */
bool clone_host_args(const struct task_clone_args *a, uint64_t more, struct clone_args *host);
/* The raw clone3(2); in the child FN(ARG), which does not return, on the stack of ARGS. Returns the tid or -errno. */
int64_t clone3_on_stack(const struct clone_args *args, size_t size, int (*fn)(void *), void *arg);
/* CLONE_CLEAR_SIGHAND: what is not ignored becomes default. In the child. */
void clone_clear_handlers(struct task *t);

/* What the child of any clone starts from: the parent's registers with the changes that A asks for. */
void clone_child_regs(struct task *child, const struct task *parent,
		      const struct task_clone_args *a);

/* --- descriptors (fd.c) -------------------------------------------------------------------------------- */

/* Opens our own executables, or takes over those that an execve kept open (INHERITED; -1: none). */
void task_fd_init(bool inherited, int self, int static_fd);

/* Hides FD as task_fd_hide() does, or where it is if there is no higher number. -1 stays -1. */
int task_fd_adopt(int fd);

/* Sees to numbers for task_spare_begin() (spare.c); when all files of the start are closed. */
void task_spare_init(void);

/* --- exec (exec.c) --------------------------------------------------------------------------------- */

/* Frees what a successful execve of a vfork child left in our memory. */
void exec_job_free(struct exec_job *job);

#endif
