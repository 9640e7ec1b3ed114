/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest threads: a host thread each, with an engine instance of its own.
 *
 * Between its start and its end a guest thread runs emulator code only while it has the emulator lock, or
 * inside one raw host call. What the C library does for a host thread before and behind that
 * (stack cache, malloc caches) is kept apart from fork by waiting: the creator keeps the lock until
 * the new thread is past its start, and ended threads are joined before a fork.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/abi.h"
#include "signal/restart.h"
#include "task/internal.h"
#include "trace/trace.h"

/* Host threads whose guest thread has ended; the emulator lock protects the list. */
static struct task_thread *dead;

void task_reap_threads(void)
{
	while (dead) {
		struct task_thread *h = dead;
		dead = h->next;
		pthread_join(h->handle, NULL);
		free(h);
	}
}

void task_threads_after_fork(void)
{
	/* Their memory belongs to the C library, which has taken it back. */
	dead = NULL;
}

void task_thread_ended(struct task_thread *h)
{
	/* One ended thread may wait to be joined, not a growing number of them. */
	task_reap_threads();
	h->next = dead;
	dead = h;
}

/* --- the end ------------------------------------------------------------------------------------ */

/* The status of a process whose threads all called exit: that of its first thread, or of the last one to
 * go (synchronize_group_exit()). */
static int process_status(const struct task *last)
{
	return abi_profile->leader_status && last->tid != last->tgid ? last->process->leader_status
								     : last->exit_status;
}

_Noreturn static void last_thread_exit(struct task *t)
{
	/* Said to the host in so many words: its kernel may be of either kind. */
	task_exit_group(t, process_status(t));
}

_Noreturn void task_main_exit(struct task *t)
{
	if (!task_unlink(t))
		last_thread_exit(t);
	/* The host's main thread cannot be joined: its stack and TLS stay, as a zombie leader does. */
	signal_thread_end(t);
	task_mm_release(t, true);
	int status = t->exit_status;
	t->process->leader_status = status;
	task_self = NULL;
	task_free(t);
	gil_release(NULL);
	for (;;)
		syscall(SYS_exit, status);
}

static void thread_exit(struct task *t)
{
	struct task_thread *h = t->thread;
	const bool traced = t->tracee.tracer;
	const int status = t->exit_status;

	if (!task_unlink(t))
		last_thread_exit(t);
	/* Before CLEARTID: who sees that must find this thread among the ended ones. */
	task_thread_ended(h);
	signal_thread_end(t);
	task_mm_release(t, true);
	task_self = NULL;
	task_free(t);
	gil_release(NULL);
	/* The C library's way out says 0. Nobody but a tracer can tell, and only for one the few bytes that it keeps for
	 * the thread are given up. */
	if (traced)
		syscall(SYS_exit, status);
}

/* --- the start ----------------------------------------------------------------------------------- */

struct start {
	struct task *task;
	const struct task_clone_args *args;
	int unshare; /* what a pthread shares but this clone does not */
	int err;
	pid_t tid;
	_Atomic uint32_t ready; /* futex word */
};

void task_post_ready(_Atomic uint32_t *ready)
{
	atomic_store(ready, 1);
	/* The word may be gone by now: a stray wake-up is harmless. */
	syscall(SYS_futex, ready, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void task_wait_ready(_Atomic uint32_t *ready)
{
	while (!atomic_load(ready))
		syscall(SYS_futex, ready, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void *thread_main(void *arg)
{
	struct start *s = arg;
	struct task *t = s->task;
	const struct task_clone_args *a = s->args;

	t->tid = (pid_t)syscall(SYS_gettid);
	if (s->unshare && unshare(s->unshare)) {
		s->err = -errno;
	} else {
		task_self = t;
		signal_block(t); /* the copies may fault from here on */
		/* The kernel ignores faults here, and writes before either thread goes on. */
		if (a->flags & CLONE_PARENT_SETTID)
			mem_put_u32(a->parent_tid, (uint32_t)t->tid);
		if (a->flags & CLONE_CHILD_SETTID)
			mem_put_u32(a->child_tid, (uint32_t)t->tid);
		task_link(t);
	}
	bool failed = s->err;
	s->tid = t->tid;
	task_post_ready(&s->ready);
	/* S is gone from here on. */
	if (failed)
		return NULL;
	signal_thread_start(t);
	if (t->tracee.newborn)
		tracee_first_stop(t, false);
	else
		gil_acquire(t);
	task_loop(t);
	if (t->thread) {
		thread_exit(t);
		return NULL;
	}
	/* A fork in this thread made it the main thread of another process. */
	task_main_exit(t);
}

int task_host_thread(struct task_thread *h, void *(*fn)(void *), void *arg)
{
	const uint64_t all = ~0ull;
	uint64_t mask;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, TASK_STACK_SIZE);
	/* Also SIGSEGV and SIGBUS: until it is a task, nothing that is sent is for it. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof mask);
	int err = pthread_create(&h->handle, &attr, fn, arg);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
	pthread_attr_destroy(&attr);
	return -err;
}

/* With all signals blocked, T's lists consistent, and nobody else in the emulator. */
static int64_t start_thread(struct task *t, const struct task_clone_args *a)
{
	struct task *n = task_new(t->process);
	struct task_thread *h = malloc(sizeof *h);
	struct start s = {.task = n, .args = a};
	int64_t r = -EAGAIN;

	if (!n || !h || !task_take_engine(n))
		goto fail;
	n->tgid = t->tgid;
	n->thread = h;
	n->sig.mask = t->sig.mask;
	/* arm64's copy of thread_struct keeps the fault record. */
	n->sig.fault_address = t->sig.fault_address;
	n->sig.fault_esr = t->sig.fault_esr;
	clone_child_regs(n, t, a);
	tracee_inherit(n, t, a->flags, a->exit_signal);
	if (a->flags & CLONE_CHILD_CLEARTID)
		n->clear_child_tid = a->child_tid;
	s.unshare = (int)(~a->flags & (CLONE_FS | CLONE_FILES | CLONE_SYSVSEM)) |
		    (int)(a->flags & (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				      CLONE_NEWNET));
	gil_start(t);
	r = task_host_thread(h, thread_main, &s);
	if (r)
		goto fail;
	task_wait_ready(&s.ready);
	if (!s.err)
		return s.tid;
	pthread_join(h->handle, NULL);
	r = s.err;
fail:
	free(h);
	if (n)
		task_free(n);
	return r;
}

static bool has_tid(struct task *t, void *arg)
{
	return t->tid == *(pid_t *)arg;
}

/* CLONE_VFORK of a thread: signals wait, too, as the kernel's wait is killable alone (wait_for_vfork_done()). Nobody has
 * been seen to do it, so looking from time to time is good enough. */
static void wait_for_end(struct task *t, pid_t tid)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	while (!t->exiting && task_for_each(t, has_tid, &tid)) {
		gil_release(t);
		nanosleep(&moment, NULL);
		gil_acquire(t);
		task_stop_point(t);
	}
}

int64_t clone_thread(struct task *t, const struct task_clone_args *a)
{
	if (a->set_tid_size) {
		diag_unsupported("clone", a->flags, "clone3: set_tid for a thread");
		return -EPERM;
	}
	if (t->process->shares_memory) {
		/* The C library would account the thread to the process that owns the memory. */
		diag_unsupported("clone", a->flags,
				 "clone: a thread in a process that shares memory with its parent");
		return -EAGAIN;
	}
	if (signal_block(t)) {
		signal_unblock(t);
		return -ERESTARTNOINTR_;
	}
	task_reap_threads();
	int64_t r = start_thread(t, a);
	if (r > 0 && (a->flags & CLONE_VFORK))
		wait_for_end(t, (pid_t)r);
	signal_unblock(t);
	return r;
}
