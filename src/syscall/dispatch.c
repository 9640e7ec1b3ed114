/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From guest registers to a call of the table and back. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "abi/host.h"
#include "signal/restart.h"
#include "syscall/hostnr.h"
#include "syscall/observe.h"
#include "syscall/ptrace.h"
#include "syscall/seccomp.h"
#include "syscall/syscall.h"
#include "task/task.h"
#include "trace/trace.h"

enum { NR_clone = 220 };
#define MAX_ERRNO 4095 /* results of -1..-4095 are errors */

bool sys_needs_full_state(uint32_t nr)
{
	const struct sys_row *row = sys_row(nr);

	return row && row->full_state;
}

void sys_decode(struct sys_call *c)
{
	const bool one = abi_profile->args_in_one_register;
	const bool kept = abi_profile->upper_halves_kept;
	const uint64_t *x = c->x;
	uint64_t *a = c->a;

	for (const struct sys_arg *arg = c->row->arg; arg->type != T_END; arg++) {
		uint64_t whole = *x++;
		uint32_t v = (uint32_t)whole;

		if (kept && arg->type == T_LONG) {
			*a++ = whole;
			continue;
		}
		if (arg->type <= T_SYMBOL) {
			*a++ = (uint64_t)(int64_t)(int32_t)v;
			continue;
		}
		switch ((enum sys_type)arg->type) {
		case T_PAD: x -= one; continue;
		case T_FD:
		case T_DFD:
			/* The emulator's own descriptors do not exist for the guest. */
			if ((int32_t)v > STDERR_FILENO && task_fd_is_reserved((int)v))
				c->reserved_fd = true;
			*a++ = (uint64_t)(int64_t)(int32_t)v;
			break;
		case T_MODE: *a++ = v & 0xffff; break;
		case T_OFF64:
		case T_POS64: *a++ = one ? whole : v | *x++ << 32; break;
		case T_OFF64_HL: *a++ = one ? whole : (uint64_t)v << 32 | (uint32_t)*x++; break;
		default:
			*a++ = v;
			c->bad_pointer |= kept && arg->type >= T_ADDR && v != whole;
			break;
		}
	}
}

void sys_writes(struct sys_call *c, uint64_t g, uint64_t len)
{
	unsigned i = c->nout;

	if (len > MEM_SPACE)
		len = MEM_SPACE;
	/* More places than there is room for: all of the memory. */
	if (i == sizeof(c->out) / sizeof(c->out[0])) {
		i--;
		g = 0;
		len = MEM_SPACE;
	}
	c->out[i].start = (gaddr)g;
	c->out[i].len = len;
	c->nout = i + 1;
}

static int64_t handle(struct sys_call *c)
{
	int64_t r = c->row->handler(c);

	for (unsigned i = 0; i < c->nout; i++)
		mem_host_wrote(c->out[i].start, c->out[i].len);
	return r;
}

static int64_t call(struct sys_call *c)
{
	const struct sys_row *row = c->row;
	int64_t r;

	if (row->status == SYS_LEFT_OUT) {
		diag_left_out("syscall", c->nr, "system call %u (%s): ENOSYS, as without %s", c->nr,
			      row->name, row->option);
		return -ENOSYS;
	}
	if (row->status != SYS_DONE) {
		diag_unsupported("syscall", c->nr, "system call %u (%s) is not supported: ENOSYS",
				 c->nr, row->name);
		return -ENOSYS;
	}
	if (c->reserved_fd)
		return -EBADF;
	if (c->bad_pointer)
		return -EFAULT;
	/* What another thread has ignored meanwhile is not there any more, for this call already. */
	if (c->task->sig.discard)
		signal_check_requeued(c->task);
	r = row->handler ? handle(c) : sys_generic(c);
	if (c->task->sig.requeued)
		signal_check_requeued(c->task);
	if ((row->result == SYS_R_ADDR || row->result == SYS_R_UINT) &&
	    !(r < 0 && r >= -MAX_ERRNO)) {
		r &= UINT32_MAX;
		if (abi_profile->addresses_signed && row->result == SYS_R_ADDR)
			r = (int32_t)r;
	}
	return r;
}

static void observe_enter(const struct sys_call *c)
{
	for (const struct sys_observer **o = sys_observers; *o; o++)
		(*o)->enter(c);
}

static void observe_exit(const struct sys_call *c, int64_t result)
{
	for (const struct sys_observer **o = sys_observers; *o; o++) {
		if ((*o)->exit)
			(*o)->exit(c, result);
	}
}

/* A call that is not made, because a filter denied it or there is none. */
static int64_t observe_denied(struct sys_call *c, int64_t result)
{
	if (!sys_observers[0])
		return result;
	c->row = sys_row_for_name(c->nr);
	sys_decode(c);
	observe_enter(c);
	observe_exit(c, result);
	return result;
}

static bool inject;

void sys_inject_upper_garbage(void)
{
	inject = true;
}

/* What a program may leave above 32 bits, with either sign. */
static void poison(uint64_t to[9], const uint64_t x[9], const struct sys_row *row)
{
	static unsigned round;
	const bool tls_raw = abi_profile->clone_tls_raw && row == &sys_table[NR_clone];
	uint64_t garbage = round++ & 1 ? 0xa5a5a5a0u : 0x5a5a5a50u;

	for (unsigned i = 0; i < 8; i++)
		to[i] = i == 3 && tls_raw ? x[i] : (uint32_t)x[i] | (garbage + i) << 32;
	to[8] = x[8];
}

static int64_t dispatch(struct task *task, const uint64_t x[9])
{
	struct sys_call c = {.task = task, .nr = (uint32_t)x[8], .x = x, .given = x};
	uint64_t poisoned[9];
	int64_t r;

	c.row = sys_row(c.nr);
	if (inject && !abi_profile->upper_halves_kept) {
		poison(poisoned, x, c.row);
		c.x = poisoned;
	}
	if (task->seccomp.mode && !seccomp_allows(&c, &r))
		return observe_denied(&c, r);
	if (!c.row)
		return observe_denied(&c, -ENOSYS);
	sys_decode(&c);
	if (!sys_observers[0])
		return call(&c);
	observe_enter(&c);
	r = call(&c);
	observe_exit(&c, r);
	return r;
}

int64_t sys_dispatch(struct task *task, const uint64_t x[9])
{
	struct task_recent *recent = &task->recent[task->recent_n++ % TASK_RECENT];

	memcpy(recent->x, x, sizeof recent->x);
	recent->result = TASK_RECENT_RUNNING;
	atomic_store_explicit(&task_calls, task_calls + 1, memory_order_relaxed);
	return recent->result = dispatch(task, x);
}

/* --- host calls ------------------------------------------------------------------------------- */

int64_t sys_host_(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		  uint64_t a5)
{
	long r;

	if (nr < 0)
		return -ENOSYS; /* a call that this host architecture does not have */
	r = syscall(nr, a0, a1, a2, a3, a4, a5);
	return r == -1 ? -errno : r;
}

/* Whether the first argument is a socket whose waiting is limited by OPTION. */
static bool has_time_limit(const struct sys_call *c, int option)
{
	enum { SOL_SOCKET_ = 1 };
	struct host_timeval limit = {0, 0};
	int len = sizeof(limit);

	return sys_host(HOSTNR(getsockopt), c->a[0], SOL_SOCKET_, option, &limit, &len) == 0 &&
	       (limit.tv_sec || limit.tv_usec);
}

/* What an interrupted call gives; see enum sys_restart. */
static int64_t interrupted(const struct sys_call *c)
{
	enum { SO_RCVTIMEO_ = 20, SO_SNDTIMEO_ = 21 };

	switch ((enum sys_restart)c->row->restart) {
	case SYS_RESTART: return -ERESTARTSYS_;
	case SYS_RESTART_IN: return has_time_limit(c, SO_RCVTIMEO_) ? -EINTR : -ERESTARTSYS_;
	case SYS_RESTART_OUT: return has_time_limit(c, SO_SNDTIMEO_) ? -EINTR : -ERESTARTSYS_;
	case SYS_NOHAND: return -ERESTARTNOHAND_;
	case SYS_BLOCK: return -ERESTART_RESTARTBLOCK_;
	case SYS_NO_BLOCK:
	case SYS_EINTR: break;
	}
	return -EINTR;
}

int64_t sys_host_blocking_(struct sys_call *c, long nr, uint64_t a0, uint64_t a1, uint64_t a2,
			   uint64_t a3, uint64_t a4, uint64_t a5)
{
	unsigned requeues = c->task->sig.requeues;
	int64_t r;

	if (c->row->restart == SYS_NO_BLOCK)
		return sys_host_(nr, a0, a1, a2, a3, a4, a5);
	if (nr < 0)
		return -ENOSYS;
	gil_release(c->task);
	r = safe_syscall(&c->task->sig.pending, nr, a0, a1, a2, a3, a4, a5);
	gil_acquire(c->task);
	/* Not entered: for the guest the signal came before the svc, which is then done in full. */
	if (r == -ERESTARTSYS_)
		return -ERESTARTNOINTR_;
	if (r != -EINTR)
		return r;
	r = interrupted(c);
	/* What the guest blocks does not interrupt its calls. */
	return r == -EINTR && !c->task->sig.pending && requeues != c->task->sig.requeues
		       ? -ERESTARTNOINTR_
		       : r;
}
