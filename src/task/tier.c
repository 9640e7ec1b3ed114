/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Engine "auto": a process starts on the engine that starts fast, and moves to the fast one when its
 * time in guest code shows that this will pay.
 *
 * A thread of the emulator watches the process's clock and kicks its tasks when the time has come; it
 * ends then. The first task that sees it moves the process: from then on each task changes its
 * instance before it runs guest code again. Exclusives and atomics of the two engines do not know each
 * other, so no task may run on the old engine any more while others run on the new one: the emulator lock
 * is held during the move, and who waits for it or returns from a system call looks first. The child of
 * a vfork, which borrows its parent's instance, keeps to it until it executes something.
 */
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/internal.h"
#include "trace/trace.h"

/* After how much time in guest code a process moves: about what the move costs (loading the library, making its first
 * translations), so that none pays more than twice (docs/performance.md). */
static int64_t hot_ns = 100000000;
/* What a system call takes outside the kernel, rather too much: no engine makes it faster. */
#define CALL_NS     1000
#define INTERVAL_NS 10000000
#define IDLE_NS     1000000000

/* A fork costs the fast engine some tenth of the move more: twice as many pages are copied after it, and what the child
 * alone executes is translated for each anew. A shell that does little else stays where it is. */
#define FORKS_LIKE_MOVE 10

static const struct cpu_engine *goal; /* NULL: no tiers */
static atomic_bool hot;
static _Atomic uint32_t generation; /* of the watching thread; an old one ends. Futex word */
static struct task_thread watcher;
static bool watching;
static _Atomic uint32_t forks;

_Atomic uint32_t task_calls;

/* The clocks of a process when its watch starts: they go on over execve. */
static struct clocks {
	int64_t all; /* its processor time */
	int64_t own; /* of it outside the kernel */
} started;

static struct clocks clocks_now(void)
{
	struct timespec t;
	struct rusage use;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	getrusage(RUSAGE_SELF, &use);
	return (struct clocks){
		.all = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - started.all,
		.own = ((int64_t)use.ru_utime.tv_sec * 1000000 + use.ru_utime.tv_usec) * 1000 -
		       started.own,
	};
}

/* What is to pass yet in guest code. */
static int64_t left_ns(const struct clocks *now)
{
	int64_t calls = (int64_t)atomic_load_explicit(&task_calls, memory_order_relaxed) * CALL_NS;
	int64_t due = hot_ns + hot_ns / FORKS_LIKE_MOVE * atomic_load(&forks);

	return due - (now->own > calls ? now->own - calls : 0);
}

static void *watch(void *arg)
{
	const uint32_t mine = (uint32_t)(uintptr_t)arg;
	struct clocks now = clocks_now();
	int64_t before = now.all, left = left_ns(&now), wait = left;

	/* The library has opened a signal of its own. SIGSEGV and SIGBUS stay blocked: they are sent to tasks. */
	uint64_t all = ~0ull;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
	task_first_process.helper = (pid_t)syscall(SYS_gettid);
	while (left > 0) {
		if (wait < INTERVAL_NS)
			wait = INTERVAL_NS;
		struct timespec ts = {wait / 1000000000, wait % 1000000000};
		syscall(SYS_futex, &generation, FUTEX_WAIT_PRIVATE, mine, &ts, NULL, 0);
		if (atomic_load(&generation) != mine)
			break;
		now = clocks_now();
		left = left_ns(&now);
		/* Not before the rest has passed; a process that sleeps is left alone ever longer. */
		if (now.all - before > wait / 8)
			wait = left;
		else
			wait = wait * 2 < IDLE_NS ? wait * 2 : IDLE_NS;
		before = now.all;
	}
	task_first_process.helper = 0;
	if (atomic_load(&generation) == mine) {
		atomic_store(&hot, true);
		task_kick_all();
	}
	return NULL;
}

static void start_watching(void)
{
	uint32_t mine = atomic_fetch_add(&generation, 1) + 1;

	/* It never takes a signal that was meant for the process. Without it the process stays where
	 * it is. */
	task_first_process.helper = TASK_HELPER_STARTS;
	watching =
		task_host_thread(&watcher, watch,
				 (void *)(uintptr_t)mine) == 0; // NOLINT(performance-no-int-to-ptr)
	if (!watching)
		task_first_process.helper = 0;
}

/* Waits until the watching thread is gone; the caller holds no lock that task_kick_all() takes. */
static void stop_watching(void)
{
	if (!watching)
		return;
	atomic_fetch_add(&generation, 1);
	syscall(SYS_futex, &generation, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(watcher.handle, NULL);
	watching = false;
}

void tier_start(const struct cpu_engine *now, int64_t after_ns)
{
	const struct cpu_engine *fast = cpu_engine_fast();

	if (!fast || fast == now)
		return;
	if (after_ns >= 0)
		hot_ns = after_ns;
	goal = fast;
	started = clocks_now();
	start_watching();
}

void tier_stop(void)
{
	stop_watching();
	goal = NULL;
}

void tier_renew(void)
{
	if (!watching || task_self->borrows_engine)
		return;
	stop_watching();
	if (!atomic_load(&hot))
		start_watching();
}

void tier_forked(void)
{
	atomic_fetch_add(&forks, 1);
}

void tier_after_fork(bool stays)
{
	/* The clock starts anew, and so does the watch. */
	started = (struct clocks){0};
	atomic_store(&task_calls, 0);
	atomic_store(&forks, 0);
	watching = false;
	task_first_process.helper = 0;
	atomic_store(&hot, false);
	if (stays)
		goal = NULL;
	if (goal)
		start_watching();
}

pid_t task_helper(const struct process *p)
{
	/* It says who it is as soon as it runs. */
	while (p->helper == TASK_HELPER_STARTS)
		sched_yield();
	return p->helper;
}

bool tier_is_on(void)
{
	return goal;
}

/* With the emulator lock. */
static void move_process(void)
{
	const char *text;

	atomic_store(&hot, false);
	stop_watching();
	if (goal && cpu_engine_load(goal, &text)) {
		task_first_process.engine = goal;
		task_drop_pool();
	}
	goal = NULL;
}

static void change_engine(struct task *t, const struct cpu_engine *e)
{
	struct cpu *old = t->cpu, *new = cpu_create(e, task_svc, t);
	struct cpu_state s;

	if (!new) {
		diag("no memory for the engine %s", e->name);
		signal_die(t, SIG_ABRT);
	}
	cpu_get_state(old, &s);
	cpu_set_state(new, &s);
	task_replace_engine(t, new);
	cpu_destroy(old);
	/* A kick may have hit the old one. */
	cpu_kick(new);
}

bool tier_left_behind(const struct task *t)
{
	return t->cpu->engine != task_first_process.engine && !t->borrows_engine;
}

void tier_check(struct task *t)
{
	if (atomic_load_explicit(&hot, memory_order_relaxed) && !t->borrows_engine)
		move_process();
	if (tier_left_behind(t))
		change_engine(t, task_first_process.engine);
	t->process->engine = t->cpu->engine;
}
