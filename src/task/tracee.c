/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/tracee.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "task/internal.h"
#include "trace/trace.h"

enum { EVENT_EXEC = 4, EVENT_EXIT = 6 };
enum { TRAP_TRACE_ = 2 };

/* --- what parent and child share ------------------------------------------------------------------ */

/* Counts the children that asked to be traced. Ours for the children, and our parent's. */
static atomic_uint *children, *siblings;

void tracee_before_fork(void)
{
	void *p;

	if (children)
		return;
	p = mmap(NULL, MEM_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	children = p == MAP_FAILED ? NULL : p;
}

static void mirror_all(struct task *t)
{
	for (int sig = 1; sig <= SIG_COUNT; sig++) {
		if (sig != SIG_KILL && sig != SIG_STOP)
			signal_mirror(t->process, sig);
	}
}

static void untrace(struct task *t)
{
	struct tracee *r = &t->process->tracee;

	r->tracer = 0;
	r->mode = TRACEE_NONE;
	mirror_all(t);
}

void tracee_after_fork(struct task *t)
{
	siblings = children;
	children = NULL;
	if (t->process->tracee.tracer)
		untrace(t);
	memset(&t->process->tracee, 0, sizeof(t->process->tracee));
}

bool tracee_children(void)
{
	return children;
}

/* --- being traced ----------------------------------------------------------------------------------- */

static void become_traced(struct task *t)
{
	struct tracee *r = &t->process->tracee;
	int death = 0;

	r->tracer = getppid();
	r->mode = TRACEE_CONT;
	/* If the tracer ends, somebody must let us go on; unless the guest wants another signal then. */
	if (prctl(PR_GET_PDEATHSIG, &death) == 0 && !death)
		prctl(PR_SET_PDEATHSIG, SIGCONT);
	mirror_all(t);
}

int64_t tracee_traceme(struct task *t)
{
	atomic_uint *count = t->process->shares_memory ? children : siblings;

	if (t->process->tracee.tracer)
		return -EPERM;
	if (!count || t->process->ntasks > 1) {
		diag_unsupported("ptrace", 0, "ptrace: PTRACE_TRACEME %s: EPERM",
				 count ? "in a process with threads"
				       : "of a process whose parent is no guest, or after execve");
		return -EPERM;
	}
	atomic_fetch_add(count, 1);
	become_traced(t);
	return 0;
}

/* --- stops -------------------------------------------------------------------------------------------- */

/* Code that the tracer wrote goes. */
static void apply_pokes(struct tracee *r)
{
	if (r->npoked > TRACEE_POKES) {
		mem_host_wrote(0, MEM_SPACE - MEM_PAGE_SIZE);
	} else {
		for (uint32_t i = 0; i < r->npoked; i++)
			mem_host_wrote(r->poked[i], 4);
	}
	r->npoked = 0;
}

/* Sleeps until the tracer has left a command or is gone. */
static void sleep_stopped(struct tracee *r)
{
	sigset_t cont;
	struct timespec no_time = {0, 0};

	while (!__atomic_load_n(&r->command, __ATOMIC_SEQ_CST)) {
		if (getppid() != r->tracer) {
			if (r->options & TRACEE_EXITKILL)
				kill(getpid(), SIGKILL);
			r->command = TRACEE_DETACH;
			r->signo = 0;
			break;
		}
		kill(getpid(), SIGSTOP);
	}
	/* What woke us is no signal of the guest's. */
	sigemptyset(&cont);
	sigaddset(&cont, SIGCONT);
	sigtimedwait(&cont, NULL, &no_time);
}

int tracee_stop(struct task *t, uint32_t code, const struct host_siginfo *info)
{
	struct tracee *r = &t->process->tracee;
	uint64_t all = ~(uint64_t)SIG_HOST_OPEN, before, mask = t->sig.mask;
	int signo;

	/* Not by signal_block(): this may be amid a delivery, whose mask is to come back. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));

	r->code = code;
	memset(&r->info, 0, sizeof(r->info));
	if (info)
		r->info = *info;
	r->regs = t->regs;
	r->mask = mask;
	r->reported = 0;
	r->command = TRACEE_NONE;
	__atomic_store_n(&r->stopped, 1, __ATOMIC_SEQ_CST);
	gil_release(t);
	sleep_stopped(r);
	gil_acquire(t);
	__atomic_store_n(&r->stopped, 0, __ATOMIC_SEQ_CST);
	apply_pokes(r);
	t->regs = r->regs;
	signo = r->signo;
	r->mode = r->command;
	if (r->mode == TRACEE_DETACH)
		untrace(t);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	if (r->mask != mask)
		signal_set_mask(t, r->mask);
	return signo;
}

/* The signal that a stop of another kind left to be delivered: sent as any other. */
static void send_self(int signo)
{
	if (signo > 0)
		kill(getpid(), signo);
}

void tracee_syscall(struct task *t, bool entry)
{
	struct tracee *r = &t->process->tracee;
	uint32_t code = SIGTRAP | (r->options & TRACEE_SYSGOOD ? 0x80 : 0);
	struct host_siginfo info = {.si_signo = SIGTRAP, .si_code = (int32_t)code};
	uint64_t x7 = t->regs.x[7];

	if (r->mode != TRACEE_SYSCALL)
		return;
	info.u.rt.pid = t->tid;
	info.u.rt.uid = (int32_t)getuid();
	if (!entry)
		r->syscall = -1;
	/* Which of the two it is; what the tracer writes there is lost (syscall_trace_enter()). */
	t->regs.x[7] = !entry;
	send_self(tracee_stop(t, code, &info));
	t->regs.x[7] = x7;
}

void tracee_stepped(struct task *t)
{
	struct host_siginfo info = {.si_signo = SIGTRAP, .si_code = TRAP_TRACE_};

	info.u.fault.addr = t->regs.pc;
	send_self(tracee_stop(t, SIGTRAP, &info));
}

void tracee_exits(struct task *t, uint32_t status)
{
	struct tracee *r = &t->process->tracee;
	struct host_siginfo info = {.si_signo = SIGTRAP, .si_code = SIGTRAP | EVENT_EXIT << 8};

	if (!r->tracer || !(r->options & TRACEE_EXIT))
		return;
	r->message = status;
	info.u.rt.pid = t->tid;
	info.u.rt.uid = (int32_t)getuid();
	/* The signal that it leaves does nothing any more. */
	tracee_stop(t, (uint32_t)info.si_code, &info);
}

void tracee_default(struct task *t, int signo)
{
	switch (signo) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH: return;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGSTOP: kill(getpid(), SIGSTOP); return;
	default: signal_die(t, signo);
	}
}

/* --- execve ------------------------------------------------------------------------------------------- */

enum { HAND_TRACED = 1u << 31, HAND_SYSCALLS = 1u << 30 };

uint32_t tracee_hand_over(const struct task *t)
{
	const struct tracee *r = &t->process->tracee;

	if (!r->tracer)
		return 0;
	return HAND_TRACED | (r->mode == TRACEE_SYSCALL ? HAND_SYSCALLS : 0) | r->options;
}

void tracee_adopt(struct task *t, uint32_t number)
{
	struct tracee *r = &t->process->tracee;

	if (!(number & HAND_TRACED))
		return;
	become_traced(t);
	r->options = number & TRACEE_OPTIONS;
	r->exec_stop = true;
	if (number & HAND_SYSCALLS)
		r->mode = TRACEE_SYSCALL;
}

void tracee_begin(struct task *t)
{
	struct tracee *r = &t->process->tracee;
	struct host_siginfo info = {.si_signo = SIGTRAP};
	int signo;

	if (!r->exec_stop)
		return;
	r->exec_stop = false;
	if (r->options & TRACEE_EXEC) {
		r->message = (uint64_t)getpid();
		info.si_code = SIGTRAP | EVENT_EXEC << 8;
		send_self(tracee_stop(t, SIGTRAP | EVENT_EXEC << 8, &info));
	}
	if (r->tracer)
		tracee_syscall(t, false);
	if (!r->tracer || r->options & TRACEE_EXEC)
		return;
	info.si_code = 0; /* SI_USER: send_sig(SIGTRAP, current, 0) */
	info.u.rt.pid = getpid();
	signo = tracee_stop(t, SIGTRAP, &info);
	send_self(signo);
}
