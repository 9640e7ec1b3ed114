/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standing still: before a core is written every thread leaves the engine and its system call as it would
 * for a fatal signal (kernel: zap_threads), and waits for the end with its registers in task->regs.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/internal.h"

#define KICK_NS  10000000 /* between two kicks */
#define PATIENCE 200      /* kicks, then a thread is taken to be stuck in the host kernel */

static bool in_the_way(struct task *o, void *arg)
{
	struct task *t = arg;

	if (o == t || atomic_load(&o->parked))
		return false;
	if (o->cpu)
		cpu_kick(o->cpu);
	/* Unblocked on the host but for one that was given back; the handler sees that the process
	 * stops. */
	syscall(SYS_tgkill, o->tgid, o->tid,
		o->sig.requeued & SIGBIT(SIG_SEGV) ? SIG_BUS : SIG_SEGV);
	return false;
}

static bool not_parked(struct task *o, void *arg)
{
	return o != arg && !atomic_load(&o->parked);
}

bool task_stop_others(struct task *t)
{
	const struct timespec wait = {0, KICK_NS / 20};
	struct task *none = NULL;

	if (!atomic_compare_exchange_strong(&t->process->stopper, &none, t))
		return none == t;
	if (!task_for_each(t, not_parked, t))
		return true;
	gil_release(t);
	for (int i = 0; i < 20 * PATIENCE && task_for_each(t, not_parked, t); i++) {
		if (i % 20 == 0)
			task_for_each(t, in_the_way, t);
		nanosleep(&wait, NULL);
	}
	gil_acquire(t);
	return true;
}

void task_stop_point(struct task *t)
{
	struct task *stopper = atomic_load(&t->process->stopper);

	if (!stopper || stopper == t)
		return;
	signal_block(t);
	atomic_store(&t->parked, true);
	gil_release(t);
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
}
