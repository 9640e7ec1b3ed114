/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that share the memory of their creator: vfork(2), posix_spawn(3) of C libraries
 * (CLONE_VM | CLONE_VFORK), and CLONE_VM alone.
 *
 * The host process is made by the same flags, so that the guest's memory is shared for real, and
 * execve or death of the child releases the parent exactly when the kernel says so. With the memory
 * it shares the emulator: its locks, its allocator, and the C library's thread descriptor (host TLS),
 * which it borrows. The lender does not run meanwhile: for vfork it is the calling thread itself, which
 * the kernel holds back; for CLONE_VM alone it is a host thread made for this, which vforks.
 *
 * A vfork child also borrows the parent's engine instance, which is idle during the call: that
 * keeps its translations warm and makes posix_spawn cheap.
 *
 * The child can be killed at any instruction. The emulator lock then carries its tid; other locks were
 * written down in the lender's books, so that the lender can open them (lock.h, task_bury). An engine instance
 * left in the middle of a run is replaced. What cannot be
 * repaired is the C library's allocator, if the child was killed within it.
 */
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signal/restart.h"
#include "task/internal.h"
#include "trace/trace.h"

#ifdef __SANITIZE_ADDRESS__
# include <sanitizer/asan_interface.h>
#endif

/* A child in the making and, for the lender, in flight. */
struct vm_child {
	struct process process; /* first */
	struct task task;
	const struct task_clone_args *args; /* valid until READY */
	void *stack;
	int err;
	_Atomic uint32_t ready; /* the child has its tid, or there is none (err) */
	pid_t lender_tgid, lender_tid;
	/* CLONE_VM alone */
	struct task_thread *lender;
	/* AddressSanitizer keeps the stack's bounds in the TLS that is lent. */
	const void *lender_stack;
	size_t lender_stack_size;
	void *lender_fake_stack;
};

/* Before the lender gives its TLS away; first in the child; when the lender has it back. */
static void lend_stack(struct vm_child *v)
{
#ifdef __SANITIZE_ADDRESS__
	/* The last child did not return through its frames. */
	__asan_unpoison_memory_region(v->stack, TASK_STACK_SIZE);
	__sanitizer_start_switch_fiber(&v->lender_fake_stack, v->stack, TASK_STACK_SIZE);
#else
	(void)v;
#endif
}

static void borrow_stack(struct vm_child *v)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(NULL, &v->lender_stack, &v->lender_stack_size);
#else
	(void)v;
#endif
}

static void take_stack_back(struct vm_child *v, bool lent)
{
#ifdef __SANITIZE_ADDRESS__
	if (lent && v->lender_stack) {
		__sanitizer_start_switch_fiber(NULL, v->lender_stack, v->lender_stack_size);
	} else if (!lent) {
		__sanitizer_finish_switch_fiber(v->lender_fake_stack, &v->lender_stack,
						&v->lender_stack_size);
		__sanitizer_start_switch_fiber(&v->lender_fake_stack, v->lender_stack,
					       v->lender_stack_size);
	}
	__sanitizer_finish_switch_fiber(v->lender_fake_stack, NULL, NULL);
#else
	(void)v, (void)lent;
#endif
}

static void *stack_new(void)
{
	char *p = mmap(NULL, TASK_STACK_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	mprotect(p, MEM_PAGE_SIZE, PROT_NONE);
	return p;
}

static struct vm_child *vm_child_new(struct task *t, const struct task_clone_args *a)
{
	struct vm_child *v = calloc(1, sizeof *v);

	if (!v)
		return NULL;
	struct process *hand = process_hand(t->process);

	v->process = *t->process;
	own_lock(&hand->action_lock);
	signal_own_actions(&v->process, t->process);
	own_unlock(&hand->action_lock);
	if (a->flags & CLONE_SIGHAND) {
		__atomic_fetch_add(&hand->hand_users, 1, __ATOMIC_ACQ_REL);
		v->process.hand = hand;
	}
	v->process.tasks = NULL;
	v->process.ntasks = 0;
	v->process.shares_memory = true;
	v->process.traced = false;
	if (a->flags & CLONE_VFORK)
		tracee_inherit(&v->task, t, a->flags, a->exit_signal);
	v->task.process = &v->process;
	v->task.embedded = true;
	sched_number(&v->task);
	v->task.sig = t->sig;
	v->task.sig.held = 0;
	v->task.sig.requeued = 0;
	v->args = a;
	clone_child_regs(&v->task, t, a);
	if (a->flags & CLONE_CHILD_CLEARTID)
		v->task.clear_child_tid = a->child_tid;
	return v;
}

/* The new process, on its own stack, in the lender's TLS, all signals blocked. */
static int child_main(void *arg)
{
	struct vm_child *v = arg;
	struct task *t = &v->task;
	const struct task_clone_args *a = v->args;
	struct sig_altstack alt = t->sig.alt;

	own_locks_new_tid();
	borrow_stack(v);
	t->tid = (pid_t)syscall(SYS_gettid);
	t->tgid = t->tid;
	task_self = t;
	signal_block(t); /* the copies may fault from here on */
	t->cpu->task = t;
	if (a->flags & CLONE_PARENT_SETTID)
		mem_put_u32(a->parent_tid, (uint32_t)t->tid);
	if (a->flags & CLONE_CHILD_SETTID)
		mem_put_u32(a->child_tid, (uint32_t)t->tid);
	if (a->flags & CLONE_CLEAR_SIGHAND)
		clone_clear_handlers(t);
	task_link(t);
	bool vfork = a->flags & CLONE_VFORK;
	task_post_ready(&v->ready);
	signal_thread_start(t);
	if (vfork)
		t->sig.alt = alt; /* the kernel drops it only without CLONE_VFORK */
	if (t->tracee.newborn)
		tracee_first_stop(t, false);
	else
		gil_acquire(t);
	task_loop(t);
	task_main_exit(t);
}

/* Makes the child and returns when it has ended or executed something: its tid, or -errno. */
static int64_t lend(struct vm_child *v)
{
	const struct task_clone_args *a = v->args;
	struct clone_args host;
	int64_t pid;

	v->lender_tgid = getpid();
	v->lender_tid = (pid_t)syscall(SYS_gettid);
	lend_stack(v);
	if (clone_host_args(a, CLONE_VFORK, &host)) {
		host.stack = (uintptr_t)v->stack;
		host.stack_size = TASK_STACK_SIZE;
		pid = clone3_on_stack(&host, sizeof host, child_main, v);
	} else {
		pid = clone(child_main, (char *)v->stack + TASK_STACK_SIZE,
			    (int)(host.flags | a->exit_signal), v, (void *)(uintptr_t)host.pidfd);
		pid = pid < 0 ? -errno : pid;
	}
	own_locks_new_tid();
	take_stack_back(v, pid >= 0);
	return pid;
}

bool clone_vm_is_orphan(const struct task *t)
{
	const struct vm_child *v = (const struct vm_child *)(const void *)t->process;

	return syscall(SYS_tgkill, v->lender_tgid, v->lender_tid, 0) < 0 && errno == ESRCH;
}

/* Gives up V, which has never run or has ended. It stays as long as others use its signal actions: those will hardly
 * be told when the last of them is gone, as any may be killed. */
static void vm_child_free(struct vm_child *v)
{
	if (v && v->process.hand)
		__atomic_fetch_sub(&v->process.hand->hand_users, 1, __ATOMIC_ACQ_REL);
	if (v && !__atomic_load_n(&v->process.hand_users, __ATOMIC_ACQUIRE))
		free(v);
}

/* The end of the borrowing. The lender has the emulator lock again when this returns. */
static void settle(struct vm_child *v, struct task *lender)
{
	task_self = lender;
	mem_copy_without_faults(lender->sig.requeued != 0);
	bool held = task_bury(&v->task);
	gil_acquire(lender);
	if (held) { /* perhaps before it told the engines what it did to memory */
		mem_lock();
		cpu_memory_changed(0, MEM_SPACE, MEM_PERM | MEM_CODE);
		mem_unlock();
	}
	/* What the kernel does at an execve and for who was killed; who ended otherwise has done it. */
	if (v->task.tid)
		task_mm_release(&v->task, true);
	if (v->task.exec)
		exec_job_free(v->task.exec);
}

/* --- vfork ------------------------------------------------------------------------------------------ */

static int64_t clone_vfork(struct task *t, const struct task_clone_args *a)
{
	struct vm_child *v = vm_child_new(t, a);
	int64_t r = -ENOMEM;

	if (!t->vfork_stack)
		t->vfork_stack = stack_new();
	if (!v || !t->vfork_stack)
		goto out;
	v->stack = t->vfork_stack;
	v->task.cpu = t->cpu;
	v->task.borrows_engine = true;
	t->sched.lends = true;
	t->tracee.in_vfork = true;
	gil_release(t);
	r = lend(v);
	t->tracee.in_vfork = false;
	t->cpu->task = t;
	settle(v, t);
	t->sched.lends = false;
	if (v->task.in_run) {
		/* Killed inside the engine. */
		cpu_abandon(t->cpu);
		if (!task_take_engine(t)) {
			diag("no memory for an engine after a vfork child was killed");
			signal_die(t, SIG_ABRT);
		}
	}
out:
	vm_child_free(v);
	return r;
}

/* --- CLONE_VM alone ------------------------------------------------------------------------------- */

static void *lender_main(void *arg)
{
	struct vm_child *v = arg;
	/* Only to own the emulator lock at the end. */
	struct task self = {.process = &task_first_process, .tid = (pid_t)syscall(SYS_gettid)};
	struct task_thread *h = v->lender;

	self.sched.number = v->task.sched.number; /* it takes its place */
	int64_t r = lend(v);

	if (r < 0) {
		v->err = (int)r;
		task_post_ready(&v->ready);
		return NULL; /* joined by the creator */
	}
	settle(v, &self);
	task_self = NULL;
	if (v->task.in_run) {
		cpu_abandon(v->task.cpu);
		v->task.cpu = NULL;
	}
	task_free(&v->task);
	munmap(v->stack, TASK_STACK_SIZE);
	vm_child_free(v);
	task_thread_ended(h);
	gil_release(&self);
	return NULL;
}

static int64_t clone_vm(struct task *t, const struct task_clone_args *a)
{
	struct vm_child *v = vm_child_new(t, a);
	struct task_thread *h = malloc(sizeof *h);
	int64_t r = -EAGAIN;

	if (!v || !h || !(v->stack = stack_new()) || !task_take_engine(&v->task))
		goto fail;
	v->lender = h;
	gil_start(t);
	r = task_host_thread(h, lender_main, v);
	if (r)
		goto fail;
	task_wait_ready(&v->ready);
	if (!v->err)
		return v->task.tid;
	pthread_join(h->handle, NULL);
	r = v->err;
fail:
	if (v)
		task_free(&v->task);
	if (v && v->stack)
		munmap(v->stack, TASK_STACK_SIZE);
	vm_child_free(v);
	free(h);
	return r;
}

int64_t clone_vm_process(struct task *t, const struct task_clone_args *a)
{
	if (signal_block(t)) {
		signal_unblock(t);
		return -ERESTARTNOINTR_;
	}
	sched_before_fork(t, true);
	int64_t r = a->flags & CLONE_VFORK ? clone_vfork(t, a) : clone_vm(t, a);
	signal_unblock(t);
	return r;
}
