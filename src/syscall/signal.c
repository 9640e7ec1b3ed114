/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signal calls. Sending, queueing and waiting are the host kernel's; what is done here is the guest's
 * table of actions, its mask, its alternate stack and the ILP32 form of siginfo (kernel/signal.c,
 * compat entry points).
 */
#include <errno.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "signal/restart.h"
#include "signal/signal.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/clock.h"
#include "task/task.h"
#include "task/vtimer.h"

#define SIGSET_SIZE 8

/* sa_flags that kernels know which clear the others, so that programs can probe. */
#define KNOWN_FLAGS                                                                        \
 (GSA_NOCLDSTOP | GSA_NOCLDWAIT | GSA_SIGINFO | GSA_RESTORER | GSA_ONSTACK | GSA_RESTART | \
  GSA_NODEFER | GSA_RESETHAND | 0x00000800u /* SA_EXPOSE_TAGBITS */)

static int read_set(uint64_t guest, uint64_t *set)
{
	uint8_t b[SIGSET_SIZE];

	if (mem_copy_in(b, (gaddr)guest, sizeof(b)) < 0)
		return -EFAULT;
	*set = abi_get64(b);
	return 0;
}

/* --- actions and the alternate stack ------------------------------------------------------------- */

int64_t sys_rt_sigaction(struct sys_call *c)
{
	struct sig_action new, old;
	struct host_sigaction h = {0};
	int64_t r;

	if (c->a[3] != SIGSET_SIZE)
		return -EINVAL;
	if (c->a[1] && abi_read(&abi_st_sigaction, &h, (gaddr)c->a[1]) < 0)
		return -EFAULT;
	new.handler = (gaddr)h.handler;
	new.flags = (uint32_t)h.flags;
	new.restorer = (gaddr)h.restorer;
	new.mask = h.mask;
	if (abi_profile->sigaction_clears_unknown)
		new.flags &= KNOWN_FLAGS;
	r = signal_action(c->task, (int)c->a[0], c->a[1] ? &new : NULL, &old);
	if (r < 0 || !c->a[2])
		return r;
	h = (struct host_sigaction){old.handler, old.flags, old.restorer, old.mask};
	return abi_write(&abi_st_sigaction, (gaddr)c->a[2], &h);
}

int64_t sys_sigaltstack(struct sys_call *c)
{
	struct sig_altstack new, old;
	struct host_stack h = {0};
	int64_t r;

	if (c->a[0] && abi_read(&abi_st_stack_t, &h, (gaddr)c->a[0]) < 0)
		return -EFAULT;
	new = (struct sig_altstack){(gaddr)h.ss_sp, (uint32_t)h.ss_flags, (uint32_t)h.ss_size};
	r = signal_altstack(c->task, &new, &old, c->a[0] != 0);
	if (r < 0 || !c->a[1])
		return r;
	h = (struct host_stack){
		.ss_sp = old.sp, .ss_flags = (int32_t)old.flags, .ss_size = old.size};
	return abi_write(&abi_st_stack_t, (gaddr)c->a[1], &h);
}

int64_t sys_rt_sigreturn(struct sys_call *c)
{
	signal_return(c->task);
	return -ERESTART_NONE_;
}

/* --- masks ----------------------------------------------------------------------------------------- */

int64_t sys_rt_sigprocmask(struct sys_call *c)
{
	enum { BLOCK, UNBLOCK, SETMASK };
	struct task *t = c->task;
	uint64_t old = t->sig.mask, set;

	if (c->a[3] != SIGSET_SIZE)
		return -EINVAL;
	if (c->a[1]) {
		if (read_set(c->a[1], &set) < 0)
			return -EFAULT;
		switch ((int)c->a[0]) {
		case BLOCK: set |= old; break;
		case UNBLOCK: set = old & ~set; break;
		case SETMASK: break;
		default: return -EINVAL;
		}
		if (!signal_set_mask(t, set))
			return -ERESTARTNOINTR_;
	}
	return c->a[2] ? mem_put_u64((gaddr)c->a[2], old) : 0;
}

int64_t sys_rt_sigpending(struct sys_call *c)
{
	struct sig_task *sig = &c->task->sig;
	uint64_t set = 0;
	uint8_t b[SIGSET_SIZE];

	if (c->a[1] > sizeof(b))
		return -EINVAL;
	sys_host(HOSTNR(rt_sigpending), (long)(intptr_t)&set, (long)sizeof(set), 0L, 0L, 0L, 0L);
	/* While a signal is captured the host blocks more than the guest. */
	abi_put64(b, (set | sig->held) & sig->mask);
	return mem_copy_out((gaddr)c->a[0], b, c->a[1]);
}

int64_t sys_rt_sigsuspend(struct sys_call *c)
{
	uint64_t mask;
	int64_t r;

	if (c->a[1] != SIGSET_SIZE)
		return -EINVAL;
	if (read_set(c->a[0], &mask) < 0)
		return -EFAULT;
	mask = signal_temp_mask(c->task, mask);
	r = sys_host_blocking(c, HOSTNR(rt_sigsuspend), (uint64_t)(uintptr_t)&mask, sizeof(mask), 0,
			      0, 0, 0);
	return signal_temp_mask_end(c->task, r);
}

/* --- waiting for signals --------------------------------------------------------------------------- */

int64_t sys_rt_sigtimedwait(struct sys_call *c)
{
	struct host_timespec ts;
	struct host_siginfo info = {0};
	uint8_t guest[128];
	uint64_t set;
	int64_t r;

	if (c->a[3] != SIGSET_SIZE)
		return -EINVAL;
	if (read_set(c->a[0], &set) < 0)
		return -EFAULT;
	if (c->a[2] && abi_read(sys_arg_of(c->row, 2)->st, &ts, (gaddr)c->a[2]) < 0)
		return -EFAULT;
	r = signal_take_held(c->task, set, &info);
	if (!r) {
		bool limited = c->a[2] && task_limit(c->task, &ts);

		r = sys_host_blocking(c, HOSTNR(rt_sigtimedwait), (uint64_t)(uintptr_t)&set,
				      (uint64_t)(uintptr_t)&info,
				      c->a[2] && !limited ? (uint64_t)(uintptr_t)&ts : 0,
				      sizeof(set), 0, 0);
		if (limited)
			r = task_limit_result(c->task, &ts, r, -EAGAIN);
	}
	vtimer_delivered(&info);
	if (r > 0 && c->a[1] &&
	    mem_copy_out((gaddr)c->a[1], guest, signal_info_to_guest(guest, &info)) < 0)
		return -EFAULT;
	return r;
}

int64_t sys_restart_syscall(struct sys_call *c)
{
	struct sig_task *sig = &c->task->sig;
	sig_restart_fn *fn = sig->restart;
	uint64_t arg[4];

	if (!fn)
		return -EINTR; /* kernel: do_no_restart_syscall() */
	memcpy(arg, sig->restart_arg, sizeof(arg));
	return fn(c, arg);
}

/* --- queueing ---------------------------------------------------------------------------------------- */

static int read_info(struct host_siginfo *info, uint64_t guest, int signo)
{
	uint8_t b[128];

	if (mem_copy_in(b, (gaddr)guest, sizeof(b)) < 0)
		return -EFAULT;
	abi_put32(b, (uint32_t)signo);
	signal_info_to_host(info, b);
	return 0;
}

/*
 * A program may send itself any siginfo, one that looks like a fault included. The host's handler
 * could not tell that from a fault of ours, so it does not go through the host.
 */
static bool looks_like_fault(const struct host_siginfo *info, int signo)
{
	return info->si_code > 0 && signo >= 1 && signo <= SIG_COUNT &&
	       (SIGBIT(signo) & SIG_HOST_OPEN);
}

int64_t sys_rt_sigqueueinfo(struct sys_call *c)
{
	int pid = (int)c->a[0], signo = (int)c->a[1];
	struct host_siginfo info;

	if (read_info(&info, c->a[2], signo) < 0)
		return -EFAULT;
	if (pid == c->task->tid && looks_like_fault(&info, signo))
		return signal_send_self(c->task, &info);
	return sys_host(HOSTNR(rt_sigqueueinfo), (long)pid, (long)signo, (long)(intptr_t)&info, 0L,
			0L, 0L);
}

int64_t sys_rt_tgsigqueueinfo(struct sys_call *c)
{
	int tgid = (int)c->a[0], tid = (int)c->a[1], signo = (int)c->a[2];
	struct host_siginfo info;

	if (read_info(&info, c->a[3], signo) < 0)
		return -EFAULT;
	if (tid == c->task->tid && looks_like_fault(&info, signo))
		return signal_send_self(c->task, &info);
	return sys_host(HOSTNR(rt_tgsigqueueinfo), (long)tgid, (long)tid, (long)signo,
			(long)(intptr_t)&info, 0L, 0L);
}

int64_t sys_pidfd_send_signal(struct sys_call *c)
{
	int signo = (int)c->a[1];
	struct host_siginfo info;
	uint8_t b[128];

	if (!c->a[2])
		return sys_host(HOSTNR(pidfd_send_signal), (long)(int)c->a[0], (long)signo, 0L,
				(long)c->a[3], 0L, 0L);
	/* Unlike the calls above, this one checks si_signo. */
	if (mem_copy_in(b, (gaddr)c->a[2], sizeof(b)) < 0)
		return -EFAULT;
	signal_info_to_host(&info, b);
	if (looks_like_fault(&info, signo) && info.si_signo == signo)
		info.si_code = 0; /* SI_USER: not distinguishable from a fault of ours otherwise */
	return sys_host(HOSTNR(pidfd_send_signal), (long)(int)c->a[0], (long)signo,
			(long)(intptr_t)&info, (long)c->a[3], 0L, 0L);
}
