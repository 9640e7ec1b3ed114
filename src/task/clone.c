/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clone(2): the kernel's rules for flags, and new processes that do not share memory.
 *
 * A fork happens while the caller has the emulator lock, all others have left parallel engines, and ended
 * threads are joined, so no other thread is inside the emulator, an engine or the C library's allocator. That makes the raw clone system call as safe
 * as fork(), which is used wherever it can express the flags because it also puts the C library's own
 * books in order. After a raw clone the C library goes on with the parent's tid in its thread
 * descriptor; nothing here uses it (locks only need it to be the same in lock and unlock).
 */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/abi.h"
#include "signal/restart.h"
#include "task/internal.h"
#include "trace/trace.h"

/* Flags whose work this file or the engine does; the host sees the rest. */
#define OURS                                                                       \
 (CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | \
  CLONE_DETACHED | CLONE_CLEAR_SIGHAND)

static bool all_set(uint64_t flags, uint64_t set)
{
	return (flags & set) == set;
}

/* copy_process() of kernel/fork.c, in its order (4.14 to 6.6). */
static int check_flags(const struct task_clone_args *a)
{
	uint64_t f = a->flags;

	if (all_set(f, CLONE_NEWNS | CLONE_FS) || all_set(f, CLONE_NEWUSER | CLONE_FS))
		return -EINVAL;
	if ((f & CLONE_THREAD) && !(f & CLONE_SIGHAND))
		return -EINVAL;
	if ((f & CLONE_SIGHAND) && !(f & CLONE_VM))
		return -EINVAL;
	if ((f & CLONE_THREAD) && (f & (CLONE_NEWUSER | CLONE_NEWPID)))
		return -EINVAL;
	if ((f & CLONE_PIDFD) && (f & (CLONE_DETACHED | CLONE_THREAD)))
		return -EINVAL;
	if (all_set(f, CLONE_NEWIPC | CLONE_SYSVSEM))
		return -EINVAL;
	return 0;
}

void clone_child_regs(struct task *child, const struct task *parent,
		      const struct task_clone_args *a)
{
	if (child != parent) {
		child->regs = parent->regs;
		child->seccomp = parent->seccomp;
	}
	child->regs.x[0] = 0;
	if (a->stack)
		child->regs.sp = a->stack;
	if (a->flags & CLONE_SETTLS)
		child->regs.tpidr = a->tls;
	child->regs_valid = true;
}

bool clone_host_args(const struct task_clone_args *a, uint64_t more, struct clone_args *host)
{
	*host = (struct clone_args){
		.flags = (a->flags & ~(uint64_t)OURS) | more,
		.pidfd = a->flags & CLONE_PIDFD ? (uint64_t)(uintptr_t)mem_host(a->pidfd) : 0,
		.exit_signal = a->exit_signal,
		.set_tid = a->set_tid_size ? (uint64_t)(uintptr_t)a->set_tid : 0,
		.set_tid_size = a->set_tid_size,
		.cgroup = (uint64_t)a->cgroup,
	};
	return host->set_tid_size || host->flags >> 32;
}

/* PIDFD is written by the kernel before the child exists, as it does for the guest. */
static pid_t host_fork(const struct task_clone_args *a)
{
	struct clone_args host;

	if (clone_host_args(a, 0, &host))
		return (pid_t)syscall(SYS_clone3, &host, sizeof host);
	if (!host.flags && a->exit_signal == SIGCHLD)
		return fork();
	/* The first three arguments have the same order on all hosts; the others are not used. */
	return (pid_t)syscall(SYS_clone, host.flags | a->exit_signal, 0, host.pidfd, 0, 0);
}

void clone_clear_handlers(struct task *t)
{
	static const struct sig_action dfl;

	for (int sig = 1; sig <= SIG_COUNT; sig++) {
		if (t->process->action[sig].handler > 1)
			signal_action(t, sig, &dfl, NULL);
	}
}

static void become_child(struct task *t, const struct task_clone_args *a)
{
	own_locks_new_tid();
	/* Before somebody can find the thread by its number and attach to it. */
	tracee_inherit(t, t, a->flags, a->exit_signal);
	t->tid = (pid_t)syscall(SYS_gettid);
	t->tgid = t->tid;
	t->thread = NULL;
	t->exec = NULL;
	task_forget_others(t);
	task_threads_after_fork();
	gil_after_fork();
	cpu_after_fork(t->cpu);
	mem_drop_dontfork();
	task_first_process.engine = t->cpu->engine;
	t->borrows_engine = false;
	signal_after_fork(t, true);
	tier_after_fork(t->tracee.tracer != 0);
	if (t->process->traced && !t->tracee.tracer)
		tracee_forget(t);
	if (a->flags & CLONE_CLEAR_SIGHAND)
		clone_clear_handlers(t);
	t->robust_list = 0;
	t->clear_child_tid = a->flags & CLONE_CHILD_CLEARTID ? a->child_tid : 0;
	/* The kernel ignores a fault here and below. */
	if (a->flags & CLONE_CHILD_SETTID)
		mem_put_u32(a->child_tid, (uint32_t)t->tid);
	clone_child_regs(t, t, a);
	if (t->tracee.newborn)
		tracee_first_stop(t, true);
}

static int64_t clone_process(struct task *t, const struct task_clone_args *a)
{
	if (signal_before_fork(t)) {
		signal_after_fork(t, false);
		return -ERESTARTNOINTR_;
	}
	task_reap_threads();
	task_guests_out(t);
	cpu_before_fork();
	sched_before_fork(t, false);
	task_lock_all();
	pid_t pid = host_fork(a);
	int err = errno;
	if (pid == 0) {
		become_child(t, a);
		return 0;
	}
	task_unlock_all();
	cpu_after_fork_parent();
	signal_after_fork(t, false);
	if (pid < 0)
		return -err;
	tier_forked();
	if (a->flags & CLONE_PARENT_SETTID)
		mem_put_u32(a->parent_tid, (uint32_t)pid);
	return pid;
}

int64_t task_clone(struct task *t, const struct task_clone_args *a)
{
	int err = check_flags(a);

	if (err)
		return err;
	int64_t r = a->flags & CLONE_THREAD ? clone_thread(t, a)
		    : a->flags & CLONE_VM   ? clone_vm_process(t, a)
					    : clone_process(t, a);
	if (t->tracee.tracer)
		tracee_cloned(t, a->flags, a->exit_signal, r);
	return r;
}
