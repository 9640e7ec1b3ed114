/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivery at the boundary between host and guest: restart rules, default actions, forced signals.
 * It follows the kernel's exit-to-user loop (do_signal, get_signal, handle_signal of arm64): each
 * pending unblocked signal gets its frame at once, on top of the one before, and the restart rules
 * belong to the first.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "abi/abi.h"
#include "signal/host.h"
#include "signal/restart.h"
#include "task/task.h"
#include "task/vtimer.h"
#include "trace/trace.h"

enum { CODE_KERNEL = 0x80 };
enum { NR_restart_syscall = 128 };

/* --- the system call that a signal interrupted ------------------------------------------------------ */

struct restart {
	bool active;      /* the registers stand before the svc again */
	int code;         /* the internal code, positive */
	uint64_t next_pc; /* behind the svc */
};

/* As the kernel does before it looks for a signal: assume that the call restarts. */
static struct restart restart_begin(struct task *t, int64_t result)
{
	struct restart rs = {.next_pc = t->regs.pc};

	switch (-result) {
	case ERESTARTSYS_:
	case ERESTARTNOINTR_:
	case ERESTARTNOHAND_:
	case ERESTART_RESTARTBLOCK_:
		rs.active = true;
		rs.code = (int)-result;
		t->regs.x[0] = t->call_x0;
		t->regs.pc -= 4;
		break;
	case ERESTART_TRAP_: t->regs.x[0] = t->call_x0; break;
	case ERESTART_NONE_: break;
	default: t->regs.x[0] = (uint64_t)result; break;
	}
	return rs;
}

/* A handler with FLAGS runs: EINTR where the code says so. Only the first handler decides. */
static void restart_with_handler(struct task *t, struct restart *rs, uint32_t flags)
{
	bool restarts =
		rs->code == ERESTARTNOINTR_ || (rs->code == ERESTARTSYS_ && (flags & GSA_RESTART));

	if (rs->active && !restarts) {
		t->regs.x[0] = (uint64_t) - (int64_t)EINTR;
		t->regs.pc = rs->next_pc;
	}
	rs->active = false;
}

/* No handler ran. Before 5.x ILP32 kernels repeated the whole call instead (restart_block_works). */
static void restart_without_handler(struct task *t, const struct restart *rs)
{
	if (rs->active && rs->code == ERESTART_RESTARTBLOCK_ && t->sig.restart &&
	    abi_profile->restart_block_works)
		t->regs.x[8] = NR_restart_syscall;
}

static void restore_saved_mask(struct task *t)
{
	if (t->sig.has_saved_mask)
		t->sig.mask = t->sig.saved_mask;
	t->sig.has_saved_mask = false;
}

/*
 * The captured signal interrupts a call with a temporary mask, which blocks it: then it was captured
 * under the old mask before the host had the call. It is delivered as if before the svc.
 */
static void undo_masked_call(struct task *t, struct restart *rs, int signo)
{
	if (!t->sig.has_saved_mask || !(t->sig.mask & SIGBIT(signo)))
		return;
	restore_saved_mask(t);
	if (!rs->active) {
		t->regs.x[0] = t->call_x0;
		t->regs.pc = rs->next_pc - 4;
		rs->active = true;
	}
	rs->code = ERESTARTNOINTR_;
}

/* --- one signal -------------------------------------------------------------------------------------- */

/* Takes the captured signal out of the slot; everything stays blocked. */
static bool take_captured(struct task *t, struct host_siginfo *info)
{
	if (!t->sig.captured)
		return false;
	atomic_signal_fence(memory_order_seq_cst);
	*info = t->sig.info;
	vtimer_delivered(info);
	t->sig.captured = false;
	return true;
}

/* The slot is free: what is pending comes next. Requests of other threads keep the flag up. */
static void open_for_next(struct task *t)
{
	t->sig.pending = 0;
	atomic_thread_fence(memory_order_seq_cst);
	if (t->exiting || tracee_asked(&t->tracee))
		t->sig.pending = 1;
	host_open(t);
}

/* The action for a delivery, as get_signal() reads it: a one-shot handler is gone afterwards. */
static struct sig_action take_action(struct task *t, int signo)
{
	struct process *p = process_hand(t->process);
	struct sig_action a;

	own_lock(&p->action_lock);
	a = p->action[signo];
	if (a.handler > 1 && (a.flags & GSA_RESETHAND)) {
		p->action[signo].handler = 0;
		host_mirror(p, signo);
	}
	own_unlock(&p->action_lock);
	return a;
}

void signal_own_actions(struct process *p, struct process *from)
{
	const struct process *hand = process_hand(from);

	if (hand != p)
		memcpy(p->action, hand->action, sizeof(p->action));
	own_lock_init(&p->action_lock);
	p->hand = NULL;
	p->hand_users = 0;
	p->hand_caught = false;
}

static void set_default(struct task *t, int signo)
{
	struct process *p = process_hand(t->process);

	own_lock(&p->action_lock);
	p->action[signo].handler = 0;
	host_mirror(p, signo);
	own_unlock(&p->action_lock);
}

/* Frame and new mask for one handler (signal_delivered()). False if there is no room for the frame. */
static bool run_handler(struct task *t, const struct host_siginfo *info, const struct sig_action *a)
{
	uint64_t saved = t->sig.has_saved_mask ? t->sig.saved_mask : t->sig.mask;

	if (!frame_push(t, info, a, saved))
		return false;
	t->sig.has_saved_mask = false;
	t->sig.mask |= a->mask;
	if (!(a->flags & GSA_NODEFER))
		t->sig.mask |= SIGBIT(info->si_signo);
	return true;
}

/* force_sig(SIGSEGV) without an address. */
static struct host_siginfo kernel_segv(void)
{
	return (struct host_siginfo){.si_signo = SIG_SEGV, .si_code = CODE_KERNEL};
}

/* Stops a traced process for the signal INFO. False: its tracer does not want it to be delivered; else *TOLD
 * is what is (ptrace_signal()). */
static bool tell_tracer(struct task *t, const struct host_siginfo *info, struct host_siginfo *told)
{
	const struct tracee *r = &t->tracee;
	int signo;

	*told = *info;
	if (!r->tracer)
		return true;
	signo = tracee_stop(t, (uint32_t)info->si_signo, info);
	if (!signo)
		return false;
	if (signo < 0)
		return true;
	*told = r->info;
	if (signo != r->info.si_signo) {
		*told = (struct host_siginfo){.si_signo = signo};
		told->u.rt.pid = r->tracer;
	}
	return true;
}

/*
 * A signal that cannot wait (force_sig_info_to_task()): blocked or ignored, its default action kills.
 * Everything is blocked on the host and the slot is free.
 */
static void force(struct task *t, const struct host_siginfo *info)
{
	int signo;
	struct sig_action a;
	struct host_siginfo segv = kernel_segv(), told;

	if (!tell_tracer(t, info, &told))
		return;
	info = &told;
	signo = info->si_signo;
	strace_signal(signo, info);
	if (t->sig.mask & SIGBIT(signo) || process_hand(t->process)->action[signo].handler == 1)
		set_default(t, signo);
	a = take_action(t, signo);
	if (a.handler <= 1)
		signal_die_of(t, info);
	if (run_handler(t, info, &a))
		return;
	if (signo == SIG_SEGV)
		signal_die_of(t, info);
	force(t, &segv);
}

/* The captured signal. True if a handler runs now. */
static bool deliver(struct task *t, const struct host_siginfo *info, struct restart *rs)
{
	struct host_siginfo segv = kernel_segv(), told;
	struct sig_action a;
	int signo;

	if (!tell_tracer(t, info, &told))
		return false;
	info = &told;
	signo = info->si_signo;
	a = take_action(t, signo);
	if (a.handler == 1)
		return false;
	if (a.handler == 0 && process_catches_all(t->process)) {
		strace_signal(signo, info);
		tracee_default(t, signo);
		return false;
	}
	if (a.handler == 0) {
		if ((SIGBIT(signo) & SIG_CORES) && getpid() != 1) {
			strace_signal(signo, info);
			signal_die_of(t, info);
		}
		/* The action changed since the capture: let the host do what it does by default. */
		host_requeue(t, info);
		return false;
	}
	strace_signal(signo, info);
	restart_with_handler(t, rs, a.flags);
	if (!run_handler(t, info, &a)) {
		if (signo == SIG_SEGV)
			set_default(t, signo);
		force(t, &segv);
	}
	return true;
}

/* With everything blocked: a signal that was captured meanwhile gives way to a forced one, as the
 * kernel dequeues synchronous signals first. */
static void force_now(struct task *t, const struct host_siginfo *info)
{
	struct host_siginfo captured;

	host_block_all();
	if (take_captured(t, &captured))
		host_requeue(t, &captured);
	force(t, info);
	open_for_next(t);
}

void signal_deliver(struct task *t, bool in_call, int64_t result)
{
	struct restart rs = {0};
	struct host_siginfo info;
	bool handled = false;

	if (in_call)
		rs = restart_begin(t, result);
	task_stop_point(t);
	if (tracee_asked(&t->tracee))
		tracee_requested(t);
	if (in_call && result == -ERESTART_TRAP_)
		force_now(t, &t->sig.trap);
	if (t->sig.pending && !t->sig.captured) {
		/* The flag was up for another reason. */
		host_block_all();
		open_for_next(t);
	}
	for (;;) {
		while (take_captured(t, &info)) {
			if (!handled)
				undo_masked_call(t, &rs, info.si_signo);
			handled |= deliver(t, &info, &rs);
			if (tracee_asked(&t->tracee))
				tracee_requested(t);
			open_for_next(t);
		}
		if (handled || !t->sig.has_saved_mask)
			break;
		/* Nothing that was captured under the temporary mask had a handler. */
		host_block_all();
		if (t->sig.captured)
			continue;
		restore_saved_mask(t);
		open_for_next(t);
		break;
	}
	if (!handled)
		restart_without_handler(t, &rs);
}

/* --- synchronous signals -------------------------------------------------------------------------------- */

void signal_force(struct task *t, int signo, int code, uint64_t addr)
{
	struct host_siginfo info = {.si_signo = signo, .si_code = code};

	info.u.fault.addr = addr;
	force_now(t, &info);
}

void signal_force_bad_frame(struct task *t, uint64_t frame)
{
	struct host_siginfo info = kernel_segv();

	/* arm64_notify_segfault() */
	if (abi_profile->bad_frame_located) {
		uint64_t a = frame;

		while (a < MEM_SPACE && !mem_page_bits((gaddr)a))
			a += MEM_PAGE_SIZE;
		info.si_code =
			a < MEM_SPACE ? 2 : 1; /* SEGV_ACCERR below the last mapping, or MAPERR */
		info.u.fault.addr = frame;
		t->sig.fault_address = 0;
		t->sig.fault_esr = 0;
	}
	force_now(t, &info);
}

/* Exception class of an ESR value. */
static unsigned esr_class(uint64_t esr)
{
	return (unsigned)(esr >> 26) & 0x3f;
}

void signal_from_stop(struct task *t, const struct cpu_stop *stop)
{
	struct host_siginfo info = {.si_code = 1};
	uint64_t esr = 0, far = 0;
	bool recorded = true;

	info.u.fault.addr = stop->pc;
	switch (stop->cause) {
	case CPU_STOP_FAULT:
		esr = cpu_stop_esr(stop);
		far = cpu_untag(stop->addr);
		info.si_signo = stop->fault == MEM_BUSERR ? SIG_BUS : SIG_SEGV;
		info.si_code = stop->fault == MEM_MAPERR ? 1 : 2; /* MAPERR; ACCERR, ADRERR */
		info.u.fault.addr = stop->addr;
		break;
	case CPU_STOP_ALIGN:
		esr = cpu_stop_esr(stop);
		/* A misaligned access records its address; a misaligned pc or sp only the ESR. */
		if (esr_class(esr) == 0x24)
			far = cpu_untag(stop->addr);
		info.si_signo = SIG_BUS; /* BUS_ADRALN */
		info.u.fault.addr = stop->addr;
		break;
	case CPU_STOP_ILLEGAL:
		info.si_signo = SIG_ILL; /* ILL_ILLOPC; arm64_notify_die() clears both records */
		break;
	case CPU_STOP_BRK:
		info.si_signo = SIG_TRAP; /* TRAP_BRKPT */
		recorded = false;
		break;
	default: return; /* not a fault */
	}
	host_block_all();
	if (t->sig.captured)
		return; /* it came before the instruction, which is executed again behind its handler */
	if (recorded) {
		t->sig.fault_address = far;
		t->sig.fault_esr = esr;
	}
	force(t, &info);
	open_for_next(t);
}
