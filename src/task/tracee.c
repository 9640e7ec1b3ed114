/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/tracee.h"

#include <errno.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "task/internal.h"
#include "trace/trace.h"

enum { TRAP_TRACE_ = 2, CODE_TKILL = -6, CODE_KERNEL = 0x80 };

static void mirror_all(struct task *t)
{
	for (int sig = 1; sig <= SIG_COUNT; sig++) {
		if (sig != SIG_KILL && sig != SIG_STOP)
			signal_mirror(t->process, sig);
	}
}

static void set_traced(struct process *p)
{
	p->traced = true;
	if (p->hand)
		p->hand->hand_caught = true;
}

/* All signals of a traced process are caught, whatever it wants with them. */
static void catch_all(struct task *t)
{
	if (t->process->traced)
		return;
	set_traced(t->process);
	mirror_all(t);
}

static bool is_traced(struct task *t, void *arg)
{
	(void)arg;
	return t->tracee.tracer;
}

static void untrace(struct task *t)
{
	struct tracee *r = &t->tracee;

	r->tracer = 0;
	r->mode = TRACEE_NONE;
	r->options = 0;
	r->request = r->interrupt = 0;
	if (t->process->traced && !task_for_each(t, is_traced, NULL)) {
		t->process->traced = false;
		mirror_all(t);
	}
}

void tracee_forget(struct task *t)
{
	untrace(t);
}

int64_t tracee_traceme(struct task *t)
{
	struct tracee *r = &t->tracee;

	if (syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0))
		return -errno;
	memset(r, 0, sizeof(*r));
	r->tracer = getppid();
	r->mode = TRACEE_CONT;
	catch_all(t);
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

/* Stands still until the tracer has left a command. False: there is no tracer any more. */
static bool stand_still(struct task *t, uint32_t code, const struct host_siginfo *info)
{
	struct tracee *r = &t->tracee;

	r->code = code;
	memset(&r->info, 0, sizeof(r->info));
	if (info)
		r->info = *info;
	r->mask = t->sig.mask;
	r->command = TRACEE_NONE;
	r->own_signal = t->sig.requeued & SIGBIT(SIG_SEGV) ? SIG_BUS : SIG_SEGV;
	r->wakes_itself = true;
	__atomic_store_n(&r->state, TRACEE_STANDS, __ATOMIC_SEQ_CST);
	syscall(SYS_tgkill, getpid(), t->tid, r->own_signal);
	__atomic_store_n(&r->state, TRACEE_RUNS, __ATOMIC_SEQ_CST);
	r->wakes_itself = false;
	return __atomic_load_n(&r->command, __ATOMIC_SEQ_CST) != TRACEE_NONE;
}

/* The command that stand_still() came back with. With the emulator lock. */
static int go_on(struct task *t, uint64_t mask)
{
	struct tracee *r = &t->tracee;
	int signo = r->signo;

	apply_pokes(r);
	r->mode = r->command;
	if (r->mode == TRACEE_DETACH)
		untrace(t);
	if (r->mask != mask)
		signal_set_mask(t, r->mask);
	return signo;
}

/* -1: the tracer is gone, and what would have happened without it happens. */
int tracee_stop(struct task *t, uint32_t code, const struct host_siginfo *info)
{
	uint64_t all = ~(uint64_t)SIG_HOST_OPEN | t->sig.requeued, before, mask = t->sig.mask;
	bool told;

	/* Not by signal_block(): this may be amid a delivery, whose mask is to come back. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	gil_release(t);
	told = stand_still(t, code, info);
	gil_acquire(t);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	if (told)
		return go_on(t, mask);
	untrace(t);
	return -1;
}

/* The signal that a stop of another kind left to be delivered: sent as any other. */
static void send_self(int signo)
{
	if (signo > 0)
		syscall(SYS_tgkill, getpid(), task_self->tid, signo);
}

void tracee_syscall(struct task *t, bool entry)
{
	struct tracee *r = &t->tracee;
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

/* The stop of an event whose message is in the record. */
static int event_stop(struct task *t, unsigned event)
{
	struct host_siginfo info = {.si_signo = SIGTRAP,
				    .si_code = (int32_t)(SIGTRAP | event << 8)};

	info.u.rt.pid = t->tid;
	info.u.rt.uid = (int32_t)getuid();
	return tracee_stop(t, (uint32_t)info.si_code, &info);
}

void tracee_exits(struct task *t, uint32_t status)
{
	struct tracee *r = &t->tracee;

	if (!r->tracer || !(r->options & TRACEE_EXIT))
		return;
	r->options &= ~(uint32_t)TRACEE_EXIT; /* once */
	r->message = status;
	/* The signal that it leaves does nothing any more. */
	event_stop(t, TRACEE_EVENT_EXIT);
}

bool tracee_seccomp(struct task *t, uint32_t data)
{
	struct tracee *r = &t->tracee;

	if (!r->tracer || !(r->options & TRACEE_SECCOMP))
		return false;
	r->message = data;
	r->syscall = (int32_t)t->regs.x[8];
	send_self(event_stop(t, TRACEE_EVENT_SECCOMP));
	return true;
}

/* A stop signal of a traced thread becomes the host's, which stops the process. */
static void stop_for_real(struct task *t, int signo)
{
	struct tracee *r = &t->tracee;

	r->stop_signal = signo;
	r->stop_passes = r->tracer != 0;
	gil_release(t);
	syscall(SYS_tgkill, getpid(), t->tid, SIGSTOP);
	gil_acquire(t);
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
	case SIGSTOP: stop_for_real(t, signo); return;
	default: signal_die(t, signo);
	}
}

/* --- what the tracer asks for -------------------------------------------------------------------------- */

bool tracee_poked(struct task *t, const struct host_siginfo *info, bool *look)
{
	struct tracee *r = &t->tracee;

	*look = false;
	if (r->wakes_itself && info->si_code == CODE_TKILL && info->u.rt.pid == getpid())
		return true; /* nobody was there to take it away */
	if (info->si_code != TRACEE_POKE)
		return false;
	*look = tracee_asked(r);
	return true;
}

static void do_requested(struct task *t, uint32_t what)
{
	struct tracee *r = &t->tracee;
	int signo;

	if (!r->tracer)
		return;
	catch_all(t);
	for (uint32_t i = 0; i < r->nkept; i++)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), t->tid, r->kept[i].si_signo, &r->kept[i]);
	r->nkept = 0;
	if (what & TRACEE_ASK_SIGSTOP) {
		struct host_siginfo info = r->stop_info;

		signo = tracee_stop(t, SIG_STOP, &info);
		if (signo == SIG_STOP || signo < 0)
			tracee_default(t, SIG_STOP);
		else
			send_self(signo);
	}
	if (r->tracer && what & TRACEE_ASK_TRAP)
		event_stop(t, TRACEE_EVENT_STOP);
}

void tracee_requested(struct task *t)
{
	struct tracee *r = &t->tracee;

	while (tracee_asked(r)) {
		uint32_t what = __atomic_exchange_n(&r->request, 0, __ATOMIC_SEQ_CST);

		if (__atomic_exchange_n(&r->interrupt, 0, __ATOMIC_SEQ_CST))
			what |= TRACEE_ASK_TRAP;
		do_requested(t, what);
	}
}

/* --- new threads and processes --------------------------------------------------------------------------- */

unsigned tracee_clone_event(uint64_t flags, uint32_t exit_signal)
{
	if (flags & CLONE_VFORK)
		return TRACEE_EVENT_VFORK;
	return exit_signal != SIGCHLD ? TRACEE_EVENT_CLONE : TRACEE_EVENT_FORK;
}

/* TRACEE_FORK for TRACEE_EVENT_FORK... */
static bool wants(const struct tracee *r, unsigned event)
{
	return r->tracer && r->options & 1u << event;
}

void tracee_inherit(struct task *child, const struct task *parent, uint64_t flags,
		    uint32_t exit_signal)
{
	const struct tracee from = parent->tracee;
	struct tracee *r = &child->tracee;

	memset(r, 0, sizeof(*r));
	r->syscall = -1;
	if (flags & CLONE_UNTRACED || !wants(&from, tracee_clone_event(flags, exit_signal)))
		return;
	r->tracer = from.tracer;
	r->options = from.options;
	r->seized = from.seized;
	r->mode = TRACEE_CONT;
	r->newborn = true;
}

void tracee_first_stop(struct task *t, bool locked)
{
	struct host_siginfo info = {.si_signo = SIGSTOP};
	uint64_t mask = t->sig.mask;
	int signo;

	t->tracee.newborn = false;
	set_traced(t->process);
	if (t->tracee.seized) {
		info.si_signo = SIGTRAP;
		info.si_code = SIGTRAP | TRACEE_EVENT_STOP << 8;
		info.u.rt.pid = t->tid;
		info.u.rt.uid = (int32_t)getuid();
	}
	uint32_t code = info.si_code ? (uint32_t)info.si_code : SIGSTOP;
	if (locked) {
		signo = tracee_stop(t, code, &info);
	} else {
		/* The parent may stand still and have the lock. */
		bool told = stand_still(t, code, &info);

		gil_acquire(t);
		signo = told ? go_on(t, mask) : -1;
		if (!told)
			untrace(t);
	}
	if (code != SIGSTOP)
		return;
	if (signo == SIGSTOP)
		tracee_default(t, SIGSTOP);
	else
		send_self(signo);
}

void tracee_cloned(struct task *t, uint64_t flags, uint32_t exit_signal, int64_t pid)
{
	struct tracee *r = &t->tracee;
	unsigned event = tracee_clone_event(flags, exit_signal);

	if (pid <= 0 || flags & CLONE_UNTRACED)
		return;
	/* The event of a vfork is the host's: this comes when its child has let the parent go. */
	if (event == TRACEE_EVENT_VFORK)
		event = TRACEE_EVENT_VFORK_DONE;
	if (!wants(r, event))
		return;
	r->message = (uint64_t)pid;
	send_self(event_stop(t, event));
}

/* --- execve ------------------------------------------------------------------------------------------- */

enum { HAND_TRACED = 1u << 31, HAND_SYSCALLS = 1u << 30, HAND_SEIZED = 1u << 29 };

uint32_t tracee_hand_over(const struct task *t)
{
	const struct tracee *r = &t->tracee;

	if (!r->tracer)
		return 0;
	return HAND_TRACED | (r->mode == TRACEE_SYSCALL ? HAND_SYSCALLS : 0) |
	       (r->seized ? HAND_SEIZED : 0) | r->options;
}

/* The thread that the host has for our tracer. */
static int32_t tracer_now(void)
{
	char line[128];
	int32_t tid = 0;
	FILE *f = task_spare_fopen("/proc/thread-self/status");

	if (!f)
		return 0;
	while (!tid && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "TracerPid:", 10) == 0)
			tid = (int32_t)strtol(line + 10, NULL, 10);
	}
	fclose(f);
	return tid;
}

void tracee_adopt(struct task *t, uint32_t number)
{
	struct tracee *r = &t->tracee;

	r->syscall = -1;
	if (!(number & HAND_TRACED))
		return;
	r->tracer = tracer_now();
	if (!r->tracer)
		return;
	r->options = number & TRACEE_OPTIONS;
	r->seized = number & HAND_SEIZED;
	r->exec_stop = true;
	r->mode = number & HAND_SYSCALLS ? TRACEE_SYSCALL : TRACEE_CONT;
	catch_all(t);
}

/* A stop that the tracer does not see: its emulator has the host follow the options again. */
static void meet_tracer(struct task *t)
{
	uint32_t mode = t->tracee.mode;

	tracee_stop(t, 0, NULL);
	if (t->tracee.tracer)
		t->tracee.mode = mode;
}

void tracee_begin(struct task *t)
{
	struct tracee *r = &t->tracee;
	struct host_siginfo info = {.si_signo = SIGTRAP};

	if (!r->exec_stop)
		return;
	r->exec_stop = false;
	meet_tracer(t);
	bool event = r->options & TRACEE_EXEC, seized = r->seized;
	if (r->tracer && event) {
		r->message = (uint64_t)getpid();
		send_self(event_stop(t, TRACEE_EVENT_EXEC));
	}
	if (r->tracer)
		tracee_syscall(t, false);
	if (!r->tracer || event || seized)
		return;
	/* SI_USER: send_sig(SIGTRAP, current, 0) */
	info.u.rt.pid = getpid();
	send_self(tracee_stop(t, SIGTRAP, &info));
}
