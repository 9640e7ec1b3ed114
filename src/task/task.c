/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and processes as objects: their lists, and what happens at their end. */
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "syscall/observe.h"
#include "task/internal.h"
#include "trace/trace.h"

_Thread_local struct task *task_self;

struct process task_first_process = {
	.action_lock = OWN_LOCK_INIT,
};

/* The list of all tasks: those of the process, and of processes made by CLONE_VM. */
static struct {
	struct own_lock lock; /* for the list of all tasks and that of each process */
} mm = {.lock = OWN_LOCK_INIT};

static void lock(void)
{
	own_lock(&mm.lock);
}

static void unlock(void)
{
	own_unlock(&mm.lock);
}

/*
 * Engine instances of ended threads, for the next ones: making one takes milliseconds, and these know
 * translations of the program already. The emulator lock protects the pool.
 */
enum { POOL_SIZE = 8 };
static struct cpu *pool[POOL_SIZE];
static unsigned pooled;

bool task_take_engine(struct task *t)
{
	if (pooled) {
		t->cpu = pool[--pooled];
		t->cpu->task = t;
		return true;
	}
	t->cpu = cpu_create(task_first_process.engine, task_svc, t);
	return t->cpu;
}

static void give_engine_back(struct cpu *c)
{
	if (pooled < POOL_SIZE && c->engine == task_first_process.engine)
		pool[pooled++] = c;
	else
		cpu_destroy(c);
}

struct task *task_new(struct process *p)
{
	struct task *t = calloc(1, sizeof *t);

	if (t) {
		t->process = p;
		sched_number(t);
	}
	return t;
}

void task_free(struct task *t)
{
	if (t->cpu)
		give_engine_back(t->cpu);
	if (t->vfork_stack)
		munmap(t->vfork_stack, TASK_STACK_SIZE);
	if (!t->embedded)
		free(t);
}

void task_link(struct task *t)
{
	struct process *p = t->process;

	lock();
	t->next = p->tasks;
	p->tasks = t;
	p->ntasks++;
	t->mm_next = task_first_process.all_tasks;
	task_first_process.all_tasks = t;
	unlock();
}

unsigned task_unlink(struct task *t)
{
	struct process *p = t->process;
	unsigned left = 0;

	lock();
	for (struct task **at = &task_first_process.all_tasks; *at; at = &(*at)->mm_next) {
		if (*at == t) {
			*at = t->mm_next;
			break;
		}
	}
	for (struct task **at = &p->tasks; *at; at = &(*at)->next) {
		if (*at == t) {
			*at = t->next;
			p->ntasks--;
			break;
		}
	}
	for (struct task *o = p->tasks; o; o = o->next)
		left += o->tgid == t->tgid;
	unlock();
	return left;
}

bool task_any(bool (*fn)(struct task *t, void *arg), void *arg)
{
	bool done = false;

	lock();
	for (struct task *o = task_first_process.all_tasks; o && !done; o = o->mm_next)
		done = fn(o, arg);
	unlock();
	return done;
}

bool task_for_each(struct task *t, bool (*fn)(struct task *t, void *arg), void *arg)
{
	bool done = false;

	lock();
	for (struct task *o = t->process->tasks; o && !done; o = o->next)
		done = o->tgid == t->tgid && fn(o, arg);
	unlock();
	return done;
}

void task_kick(uint32_t tid)
{
	lock();
	for (struct task *t = task_first_process.all_tasks; t; t = t->mm_next) {
		if ((uint32_t)t->tid == tid) {
			cpu_kick(t->cpu);
			break;
		}
	}
	unlock();
}

void task_kick_all(void)
{
	lock();
	for (struct task *t = task_first_process.all_tasks; t; t = t->mm_next) {
		if (t->cpu)
			cpu_kick(t->cpu);
	}
	unlock();
}

void task_replace_engine(struct task *t, struct cpu *c)
{
	lock();
	t->cpu = c;
	unlock();
}

void task_drop_pool(void)
{
	while (pooled)
		cpu_destroy(pool[--pooled]);
}

bool task_kick_guests(struct task *t)
{
	bool any = false;

	lock();
	for (struct task *o = task_first_process.all_tasks; o; o = o->mm_next) {
		if (o == t || !atomic_load_explicit(&o->in_guest, memory_order_acquire))
			continue;
		any = true;
		cpu_kick(o->cpu);
	}
	unlock();
	return any;
}

void task_forget_others(struct task *t)
{
	struct process *p = t->process;

	own_lock_init(&mm.lock);
	mem_after_fork();
	for (struct task *o = task_first_process.all_tasks, *next; o; o = next) {
		next = o->mm_next;
		if (o != t) {
			/* Its engine is the business of cpu_after_fork(); on its vfork stack the caller
			 * may be running. */
			o->cpu = NULL;
			o->vfork_stack = NULL;
			task_free(o);
		}
	}
	pooled = 0; /* cpu_after_fork() gives up all but the caller's */
	task_first_process.all_tasks = t;
	t->mm_next = NULL;
	p->tasks = t;
	t->next = NULL;
	p->ntasks = 1;
	p->shares_memory = false;
	p->ended = false;
	p->stopper = NULL;
}

void task_lock_all(void)
{
	lock();
	mem_lock();
}

void task_unlock_all(void)
{
	mem_unlock();
	unlock();
}

bool task_bury(struct task *dead)
{
	bool held = own_locks_bury(dead->tid);
	gil_bury(dead);
	mem_bury();
	cpu_bury();
	task_unlink(dead);
	return held;
}

struct task *task_create_first(const struct ilp32run_options *opt, const struct cpu_engine *engine)
{
	struct process *p = &task_first_process;
	struct task *t = task_new(p);

	if (!t)
		return NULL;
	p->opt = opt;
	p->engine = engine;
	/* 0xffffffff asks without setting. */
	p->personality = (uint32_t)syscall(SYS_personality, 0xfffffffful);
	t->tid = (pid_t)syscall(SYS_gettid);
	t->tgid = (pid_t)syscall(SYS_getpid);
	if (!task_take_engine(t)) {
		task_free(t);
		return NULL;
	}
	t->regs_valid = true;
	task_self = t;
	task_link(t);
	return t;
}

void task_mm_release(struct task *t, bool memory_stays)
{
	task_robust_exit(t, NULL);
	if (memory_stays && t->clear_child_tid && !mem_put_u32(t->clear_child_tid, 0))
		syscall(SYS_futex, mem_host(t->clear_child_tid), FUTEX_WAKE, 1, NULL, NULL, 0);
	t->clear_child_tid = 0;
}

uint64_t task_pc(const struct task *t)
{
	struct cpu_state s;

	if (t->regs_valid)
		return t->regs.pc;
	cpu_get_state(t->cpu, &s);
	return s.pc;
}

static bool release_one(struct task *t, void *arg)
{
	(void)arg;
	task_robust_exit(t, NULL);
	return false;
}

void task_process_ends(struct task *t)
{
	struct process *p = t->process;

	if (p->ended)
		return;
	p->ended = true;
	task_for_each(t, release_one, NULL);
	if (p->shares_memory)
		task_mm_release(t, true);
	/* What a process in shared memory met is counted there, and its creator reports it. */
	if (p->opt->report && !p->shares_memory)
		diag_report();
	sys_observe_end(t);
	if (p->shares_memory && clone_vm_is_orphan(t)) {
		task_unlink(t);
		gil_release(t);
	}
}

void task_exit_thread(struct task *t, int status)
{
	t->exiting = true;
	t->exit_status = status;
	if (t->process->ntasks > 1)
		tracee_exits(t, ((uint32_t)status & 0xff) << 8);
}

_Noreturn void task_exit_group(struct task *t, int status)
{
	signal_block(t);
	task_stop_point(t);
	tracee_exits(t, ((uint32_t)status & 0xff) << 8);
	task_process_ends(t);
	if (strace_enabled())
		strace_exit_status(false, status & 0xff);
	for (;;)
		syscall(SYS_exit_group, status);
}
