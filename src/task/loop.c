/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task loop: runs the engine, and does what its stops ask for. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signal/restart.h"
#include "syscall/syscall.h"
#include "task/internal.h"
#include "trace/trace.h"
#include "vdso/vdso.h"

/* Results between these are restart codes: signal_deliver() decides what the guest sees. No error
 * number of the kernel's UAPI lies there. */
static inline bool is_restart(int64_t r)
{
	return r <= -ERESTARTSYS_ && r >= -ERESTART_NONE_;
}

/* The kernel clears the upper half before it saves x0 for a restart. */
static inline uint64_t argument_as_kept(uint64_t x0)
{
	return abi_profile->upper_halves_kept ? x0 : (uint32_t)x0;
}

enum cpu_svc task_svc(void *task, uint64_t x[9])
{
	struct task *t = task;
	uint32_t nr = (uint32_t)x[8];

	if (vdso_is_call(x[8])) {
		x[0] = vdso_call(x[8], x[0]);
		return CPU_SVC_DONE;
	}
	if (t->sig.pending || sys_needs_full_state(nr) || t->tracee.tracer)
		return CPU_SVC_FULL;
	task_enter_emulator(t);
	t->in_call = true;
	t->call_x0 = argument_as_kept(x[0]);
	int64_t r = sys_dispatch(t, x);
	t->in_call = false;
	x[0] = (uint64_t)r;
	task_leave_emulator(t);
	if (!t->sig.pending && !is_restart(r) && !tier_left_behind(t))
		return CPU_SVC_DONE;
	t->svc_left = true;
	t->svc_result = r;
	return CPU_SVC_LEAVE;
}

static void load_regs(struct task *t)
{
	if (!t->regs_valid)
		cpu_get_state(t->cpu, &t->regs);
	t->regs_valid = true;
}

/* A call between its stops. The tracer may change the number, -1: no call at all, and both ways what
 * x0 has. */
static int64_t traced_call(struct task *t)
{
	struct tracee *r = &t->tracee;
	int64_t result;

	r->syscall = (int32_t)t->regs.x[8];
	tracee_syscall(t, true);
	uint32_t nr = (uint32_t)r->syscall;
	if (nr == UINT32_MAX) {
		result = (int64_t)t->regs.x[0];
	} else {
		uint64_t x8 = t->regs.x[8];

		t->regs.x[8] = nr;
		result = sys_dispatch(t, t->regs.x);
		if (result != -ERESTART_NONE_ && !t->exiting)
			t->regs.x[8] = x8;
	}
	if (t->exiting)
		return result;
	if (r->mode == TRACEE_SYSCALL) {
		uint64_t x0 = t->regs.x[0];

		if (result != -ERESTART_NONE_)
			t->regs.x[0] = (uint64_t)result;
		tracee_syscall(t, false);
		if (result != -ERESTART_NONE_)
			result = (int64_t)t->regs.x[0];
		t->regs.x[0] = x0;
	}
	return result;
}

/* A call whose handler works on the whole register file. */
static void full_call(struct task *t)
{
	load_regs(t);
	if (t->sig.pending) {
		/* The signal came first: the svc is executed again after its handler. */
		t->regs.pc -= 4;
		signal_deliver(t, false, 0);
		return;
	}
	t->in_call = true;
	t->call_x0 = argument_as_kept(t->regs.x[0]);
	int64_t r = t->tracee.tracer ? traced_call(t) : sys_dispatch(t, t->regs.x);
	t->in_call = false;
	if (t->exiting)
		return;
	if (t->sig.pending || is_restart(r))
		signal_deliver(t, true, r);
	else
		t->regs.x[0] = (uint64_t)r;
}

static void kicked(struct task *t)
{
	if (t->svc_left) {
		t->svc_left = false;
		load_regs(t);
		signal_deliver(t, true, t->svc_result);
	} else if (t->sig.pending) {
		load_regs(t);
		signal_deliver(t, false, 0);
	}
	gil_yield(t);
}

static void stopped(struct task *t, const struct cpu_stop *stop)
{
	switch (stop->cause) {
	case CPU_STOP_KICK: kicked(t); break;
	case CPU_STOP_SVC:
		full_call(t);
		if (t->tracee.mode == TRACEE_STEP && !t->exiting)
			tracee_stepped(t);
		break;
	case CPU_STOP_ILLEGAL:
	case CPU_STOP_FAULT:
	case CPU_STOP_ALIGN:
	case CPU_STOP_BRK:
		load_regs(t);
		signal_from_stop(t, stop);
		signal_deliver(t, false, 0);
		break;
	case CPU_STOP_STEP:
		load_regs(t);
		tracee_stepped(t);
		break;
	case CPU_STOP_INTERNAL:
		diag("engine %s stopped at pc 0x%llx: %s", t->process->engine->name,
		     (unsigned long long)stop->pc, stop->text ? stop->text : "unexpected stop");
		signal_die(t, SIG_ABRT);
	}
}

void task_loop(struct task *t)
{
	struct cpu_stop stop;

	while (!t->exiting) {
		tier_check(t);
		if (t->regs_valid) {
			cpu_set_state(t->cpu, &t->regs);
			t->regs_valid = false;
		}
		t->in_run = true;
		task_leave_emulator(t);
		if (t->tracee.mode == TRACEE_STEP)
			cpu_step(t->cpu, &stop);
		else
			cpu_run(t->cpu, &stop);
		task_enter_emulator(t);
		t->in_run = false;
		stopped(t, &stop);
	}
}

_Noreturn void task_run(struct task *t)
{
	gil_acquire(t);
	tracee_begin(t);
	task_loop(t);
	task_main_exit(t);
}
