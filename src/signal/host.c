/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host side of guest signals: our handlers, the capture of one signal at a time, masks and
 * dispositions. Everything here uses raw system calls: libc hides signals 32 and 33, which belong to
 * the guest, and its structures are not the kernel's.
 *
 * The rule that all of this keeps: while task->sig.captured is set, the host thread blocks every
 * signal (but SIG_HOST_OPEN, of which another one is given back), so the one slot cannot be
 * overwritten.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "debug/core.h"
#include "signal/host.h"
#include "signal/restart.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

/* Host (and arm64) values. */
enum { SIGMASK_BLOCK = 0, SIGMASK_UNBLOCK = 1, SIGMASK_SET = 2 };
#define HSA_SIGINFO  0x00000004ul
#define HSA_RESTORER 0x04000000ul
#define HSA_ONSTACK  0x08000000ul
#define HSA_NODEFER  0x40000000ul
#define HOST_ALL     (~0ull & ~SIG_HOST_OPEN)
enum { CODE_TKILL = -6 };

extern const char safe_syscall_start[] __attribute__((visibility("hidden")));
extern const char safe_syscall_end[] __attribute__((visibility("hidden")));
#if defined(__x86_64__)
extern void signal_host_restorer(void) __attribute__((visibility("hidden")));
#endif

/* --- host calls -------------------------------------------------------------------------------- */

long host_call(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	static const volatile int never;

	return safe_syscall(&never, nr, a0, a1, a2, a3, 0, 0);
}

static uint64_t ptr(const volatile void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static void host_mask(int how, uint64_t mask)
{
	host_call(HOSTNR(rt_sigprocmask), (uint64_t)how, ptr(&mask), 0, sizeof(mask));
}

/* Everything that may be blocked without harm, and what has to be. */
static uint64_t all_blocked(const struct task *t)
{
	return HOST_ALL | (t ? t->sig.requeued : 0);
}

void host_block_all(void)
{
	host_mask(SIGMASK_SET, all_blocked(task_self));
}

/* What the host blocks for a guest that blocks MASK. */
static uint64_t mask_on_host(const struct task *t, uint64_t mask)
{
	return (mask & ~SIG_HOST_OPEN) | (mask & t->sig.requeued);
}

/* Those in SET are not with the host's queue any more, or may come from there. */
static void forget_requeued(struct task *t, uint64_t set)
{
	if (!(t->sig.requeued & set))
		return;
	__atomic_fetch_and(&t->sig.requeued, ~set, __ATOMIC_SEQ_CST);
	mem_copy_without_faults(t->sig.requeued != 0);
}

static void host_action(int signo, const struct host_sigaction *new, struct host_sigaction *old)
{
	host_call(HOSTNR(rt_sigaction), (uint64_t)signo, ptr(new), ptr(old), 8);
}

static void host_default(int signo)
{
	struct host_sigaction dfl = {0};

	host_action(signo, &dfl, NULL);
}

void host_requeue(struct task *t, const struct host_siginfo *info)
{
	host_call(HOSTNR(rt_tgsigqueueinfo), (uint64_t)getpid(), (uint64_t)t->tid,
		  (uint64_t)info->si_signo, ptr(info));
}

/* --- interrupted contexts ----------------------------------------------------------------------- */

static uintptr_t *context_pc(ucontext_t *uc)
{
#if defined(__x86_64__)
	return (uintptr_t *)&uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t *)&uc->uc_mcontext.pc;
#else
# error "where does this host keep the interrupted pc?"
#endif
}

/* What the thread's mask will be when the handler returns. The kernel's set is the first 8 bytes. */
static void context_block(ucontext_t *uc, uint64_t set)
{
	uint64_t mask;

	memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
	mask |= set;
	memcpy(&uc->uc_sigmask, &mask, sizeof(mask));
}

static void context_block_all(ucontext_t *uc)
{
	context_block(uc, HOST_ALL);
}

void safe_syscall_rewind(void *context)
{
	uintptr_t *pc = context_pc(context);

	if (*pc >= (uintptr_t)safe_syscall_start && *pc < (uintptr_t)safe_syscall_end)
		*pc = (uintptr_t)safe_syscall_start;
}

/* --- capture ------------------------------------------------------------------------------------ */

static void capture(struct task *t, const struct host_siginfo *info)
{
	t->sig.info = *info;
	atomic_signal_fence(memory_order_seq_cst);
	t->sig.captured = true;
	t->sig.pending = 1;
	if (t->cpu)
		cpu_kick(t->cpu);
}

static struct host_siginfo *held_slot(struct task *t, int signo)
{
	return signo == SIG_SEGV ? &t->sig.held_segv : &t->sig.held_bus;
}

/* Classic signals coalesce: the first one's information stays. */
static void hold(struct task *t, const struct host_siginfo *info)
{
	uint64_t bit = SIGBIT(info->si_signo);

	if (t->sig.held & bit)
		return;
	*held_slot(t, info->si_signo) = *info;
	__atomic_fetch_or(&t->sig.held, bit, __ATOMIC_SEQ_CST);
}

/* With everything blocked: a held signal that the guest has unblocked takes the free slot. */
static void promote_held(struct task *t)
{
	struct host_siginfo info;

	if (!t->sig.captured && signal_take_held(t, ~t->sig.mask, &info))
		capture(t, &info);
}

int signal_take_held(struct task *t, uint64_t set, struct host_siginfo *info)
{
	uint64_t ready = t->sig.held & set;
	int signo = ready & SIGBIT(SIG_BUS) ? SIG_BUS : SIG_SEGV; /* lowest first */

	if (!ready)
		return 0;
	*info = *held_slot(t, signo);
	__atomic_fetch_and(&t->sig.held, ~SIGBIT(signo), __ATOMIC_SEQ_CST);
	return signo;
}

int64_t signal_send_self(struct task *t, const struct host_siginfo *info)
{
	host_block_all();
	hold(t, info);
	host_open(t);
	return 0;
}

void host_open(struct task *t)
{
	if (t->sig.captured)
		return;
	if (t->sig.held & ~t->sig.mask) {
		host_block_all();
		promote_held(t);
		return;
	}
	forget_requeued(t, ~t->sig.mask);
	host_mask(SIGMASK_SET, mask_on_host(t, t->sig.mask));
}

/* For the process. The kernel lets only its first thread say that kill() was the sender. */
static void requeue_to_process(const struct host_siginfo *info)
{
	uint64_t pid = (uint64_t)getpid(), signo = (uint64_t)info->si_signo;

	if (host_call(HOSTNR(rt_sigqueueinfo), pid, signo, ptr(info), 0) < 0)
		host_call(HOSTNR(kill), pid, signo, 0, 0);
}

/*
 * Into the host's queue, where the guest's calls find it. Only tkill tells that a signal was for this
 * thread; a queued one counts as one for the process, so that other threads may have it.
 */
static void give_back(struct task *t, const struct host_siginfo *info, ucontext_t *uc)
{
	uint64_t bit = SIGBIT(info->si_signo);

	__atomic_fetch_or(&t->sig.requeued, bit, __ATOMIC_SEQ_CST);
	t->sig.requeues++;
	mem_copy_without_faults(true);
	host_mask(SIGMASK_BLOCK, bit);
	context_block(uc, bit);
	if (info->si_code == CODE_TKILL)
		host_requeue(t, info);
	else
		requeue_to_process(info);
}

static void drain(uint64_t set)
{
	static const struct host_timespec now;
	long r;

	do
		r = host_call(HOSTNR(rt_sigtimedwait), ptr(&set), 0, ptr(&now), sizeof(set));
	while (r > 0 || r == -EINTR);
}

void signal_check_requeued(struct task *t)
{
	uint64_t pending = ~0ull, gone;

	if (t->sig.discard) {
		drain(t->sig.discard & t->sig.requeued);
		t->sig.discard = 0;
	}
	host_call(HOSTNR(rt_sigpending), ptr(&pending), sizeof(pending), 0, 0);
	gone = t->sig.requeued & ~pending;
	if (!gone)
		return;
	/* One that comes now is given back again. */
	forget_requeued(t, gone);
	host_mask(SIGMASK_UNBLOCK, gone);
}

/* A signal that somebody sent (SIGSEGV and SIGBUS only), as opposed to a fault of this thread. */
static void sent_open_signal(struct task *t, const struct host_siginfo *info, ucontext_t *uc)
{
	int signo = info->si_signo;
	gaddr handler = process_hand(t->process)->action[signo].handler;

	/* These handlers run with the interrupted mask, so block first; see install_open(). */
	host_block_all();
	if (t->sig.mask & SIGBIT(signo) || t->sig.captured) {
		give_back(t, info, uc);
	} else if (handler != 1) {
		capture(t, info);
		safe_syscall_rewind(uc);
	}
	if (t->sig.captured)
		context_block_all(uc);
}

/* The only output that a handler may make: the process dies of a bug of ours. */
static _Noreturn void own_fault(const struct host_siginfo *info, ucontext_t *uc)
{
	char line[160];
	struct task *t = task_self;
	int n = snprintf(line, sizeof(line),
			 "ilp32run: internal error: %s at host pc %#lx, address %#lx (tid %d)\n",
			 info->si_signo == SIG_SEGV ? "SIGSEGV" : "SIGBUS",
			 (unsigned long)*context_pc(uc), (unsigned long)info->u.fault.addr,
			 t ? (int)t->tid : 0);

	host_call(HOSTNR(write), STDERR_FILENO, ptr(line), (uint64_t)n, 0);
	host_default(info->si_signo);
	host_call(HOSTNR(tgkill), (uint64_t)getpid(), (uint64_t)gettid(), (uint64_t)info->si_signo,
		  0);
	for (;;)
		host_call(HOSTNR(exit_group), 128u + (unsigned)info->si_signo, 0, 0, 0);
}

/* What the faulting host instruction did. */
static enum mem_access context_access(const ucontext_t *uc)
{
#if defined(__x86_64__)
	unsigned long long err = (unsigned long long)uc->uc_mcontext.gregs[REG_ERR];

	if (err & 16)
		return MEM_EXEC;
	return err & 2 ? MEM_WRITE : MEM_READ;
#else
	/* The records of arm64's frame; an ESR record comes with every fault. */
	const uint8_t *p = (const uint8_t *)uc->uc_mcontext.__reserved, *end = p + 4096;
	uint32_t head[2];
	uint64_t esr;

	for (; end - p >= 16; p += head[1]) {
		memcpy(head, p, sizeof(head));
		if (head[0] == 0x45535201) {
			memcpy(&esr, p + 8, sizeof(esr));
			if (esr >> 26 == 0x20)
				return MEM_EXEC;
			return esr & 64 ? MEM_WRITE : MEM_READ;
		}
		if (!head[0] || head[1] < sizeof(head))
			break;
	}
	return MEM_READ;
#endif
}

/* A fault of this thread: in a copy, in what the engine executes for the guest, or a bug of ours. */
static void host_fault(const struct host_siginfo *info, ucontext_t *uc)
{
	void *addr = (void *)(uintptr_t)info->u.fault.addr;
	struct task *t = task_self;

	mem_copy_fault(addr);
	if (!t || !cpu_host_fault(addr, context_access(uc), info->si_signo, uc))
		own_fault(info, uc);
	/* Returning restores the interrupted mask. What was captured meanwhile keeps it closed. */
	host_block_all();
	if (t->sig.captured)
		context_block_all(uc);
}

/* A thread of the emulator itself took what was meant for the process: another one shall have it. */
static void pass_on(const struct host_siginfo *info, ucontext_t *uc)
{
	uint64_t all = ~0ull;

	memcpy(&uc->uc_sigmask, &all, sizeof(all));
	/* The handler of SIG_HOST_OPEN runs with them unblocked. */
	host_mask(SIGMASK_SET, all);
	requeue_to_process(info);
}

/*
 * Whether INFO tells of an exception of this thread: only then its context has one with this address. Kernels
 * give positive codes to SIGSEGV and SIGBUS for other reasons, too: CLD_EXITED for the exit signal of a child,
 * BUS_MCEERR_AO for memory that nobody touched.
 */
static bool is_fault(const struct host_siginfo *info, const ucontext_t *uc)
{
#if defined(__x86_64__)
	enum { TRAP_STACK = 12, TRAP_PROTECTION = 13, TRAP_PAGE = 14, CODE_KERNEL = 0x80 };
	const greg_t *r = uc->uc_mcontext.gregs;

	if (info->si_code == CODE_KERNEL)
		return r[REG_TRAPNO] == TRAP_STACK || r[REG_TRAPNO] == TRAP_PROTECTION;
	return info->si_code > 0 && r[REG_TRAPNO] == TRAP_PAGE &&
	       (uint64_t)r[REG_CR2] == info->u.fault.addr;
#elif defined(__aarch64__)
	/* The frame's address has no tag. */
	return info->si_code > 0 && (uc->uc_mcontext.fault_address ^ info->u.fault.addr) << 8 == 0;
#else
# error "how does this host tell faults from signals?"
#endif
}

/* SIGSEGV, SIGBUS. */
static void on_open_signal(int signo, struct host_siginfo *info, void *context)
{
	struct task *t = task_self;

	(void)signo;
	if (is_fault(info, context)) {
		host_fault(info, context);
		return;
	}
	bool look;
	if (t && tracee_poked(t, info, &look)) {
		if (look) {
			t->sig.pending = 1;
			cpu_kick(t->cpu);
			safe_syscall_rewind(context);
		}
		return;
	}
	if (t && t->sched.poked) { /* nothing was sent */
		/* The host goes on with some calls by itself: those for PI futexes. */
		t->sched.poked = false;
		t->sig.pending = 1;
		safe_syscall_rewind(context);
		return;
	}
	if (t && task_stopping(t) && t->process->stopper != t) {
		t->sig.pending = 1;
		safe_syscall_rewind(context);
		return;
	}
	if (t)
		sent_open_signal(t, info, context);
	else
		pass_on(info, context);
}

static void on_signal(int signo, struct host_siginfo *info, void *context)
{
	struct task *t = task_self;

	(void)signo;
	if (t) {
		capture(t, info);
		context_block_all(context);
		safe_syscall_rewind(context);
	} else {
		pass_on(info, context);
	}
}

/* --- dispositions ------------------------------------------------------------------------------- */

typedef void host_handler(int signo, struct host_siginfo *info, void *context);

static void install(int signo, host_handler *fn, unsigned long flags, uint64_t mask)
{
	struct host_sigaction h = {
		.handler = (uint64_t)(uintptr_t)fn,
		.flags = flags | HSA_SIGINFO | HSA_ONSTACK,
		.mask = mask,
	};

#if defined(__x86_64__)
	h.flags |= HSA_RESTORER;
	h.restorer = (uint64_t)(uintptr_t)signal_host_restorer;
#endif
	host_action(signo, &h, NULL);
}

/* mem_copy_fault() leaves the handler by a jump that restores no mask, so the handler must run under
 * the mask of the code that it interrupted. */
static void install_open(int signo)
{
	install(signo, on_open_signal, HSA_NODEFER, 0);
}

bool host_catches(struct process *p, int signo)
{
	gaddr handler = process_hand(p)->action[signo].handler;

	if (SIGBIT(signo) & SIG_HOST_OPEN)
		return true;
	/* The default action of the first process of a namespace is to do nothing. */
	return handler > 1 || process_catches_all(p) ||
	       (handler == 0 && (SIGBIT(signo) & SIG_CORES) && getpid() != 1);
}

void host_mirror(struct process *p, int signo)
{
	const struct sig_action *a = &process_hand(p)->action[signo];
	unsigned long child = a->flags & (GSA_NOCLDSTOP | GSA_NOCLDWAIT);

	if (SIGBIT(signo) & SIG_HOST_OPEN) {
		install_open(signo);
	} else if (host_catches(p, signo)) {
		install(signo, on_signal, child, HOST_ALL);
	} else {
		struct host_sigaction h = {.handler = a->handler, .flags = child};

		host_action(signo, &h, NULL);
	}
}

void signal_mirror(struct process *p, int signo)
{
	struct process *hand = process_hand(p);

	own_lock(&hand->action_lock);
	host_mirror(p, signo);
	own_unlock(&hand->action_lock);
}

static void *nothing(void *arg)
{
	return arg;
}

/*
 * The first pthread_create() of glibc takes signal 33 for itself and unblocks it. Let that happen
 * before the guest's dispositions are set, not in the middle of its life, and without losing those
 * that are pending over execve.
 */
static int settle_libc(struct task *t)
{
	enum { LIBC_SIGNAL = 33, KEEP = 64 };
	static struct host_siginfo kept[KEEP];
	static const struct host_timespec now;
	uint64_t set = SIGBIT(LIBC_SIGNAL);
	pthread_t thread;
	int n = 0, err;

	while (n < KEEP && host_call(HOSTNR(rt_sigtimedwait), ptr(&set), ptr(&kept[n]), ptr(&now),
				     sizeof(set)) > 0)
		n++;
	err = pthread_create(&thread, NULL, nothing, NULL);
	if (!err)
		pthread_join(thread, NULL);
	host_block_all();
	for (int i = 0; i < n; i++)
		host_requeue(t, &kept[i]);
	return -err;
}

/* What signal_guard_loading() replaced. */
static struct {
	bool on;
	uint64_t mask;
	struct host_sigaction segv, bus;
} before_loading;

void signal_guard_loading(void)
{
	uint64_t open = SIG_HOST_OPEN;

	if (before_loading.on)
		return;
	before_loading.on = true;
	host_action(SIG_SEGV, NULL, &before_loading.segv);
	host_action(SIG_BUS, NULL, &before_loading.bus);
	install_open(SIG_SEGV);
	install_open(SIG_BUS);
	host_call(HOSTNR(rt_sigprocmask), SIGMASK_UNBLOCK, ptr(&open), ptr(&before_loading.mask),
		  sizeof(open));
}

/* The inherited dispositions and mask again. */
static void end_of_loading(void)
{
	if (!before_loading.on)
		return;
	before_loading.on = false;
	host_mask(SIGMASK_SET, before_loading.mask);
	host_action(SIG_SEGV, &before_loading.segv, NULL);
	host_action(SIG_BUS, &before_loading.bus, NULL);
}

int signal_init(struct task *t)
{
	uint64_t mask = 0, pending = 0;
	struct host_sigaction h;
	int err;

	end_of_loading();
	host_call(HOSTNR(rt_sigprocmask), SIGMASK_BLOCK, 0, ptr(&mask), sizeof(mask));
	/* Some may be pending over execve. */
	host_call(HOSTNR(rt_sigpending), ptr(&pending), sizeof(pending), 0, 0);
	t->sig.requeued = pending & mask & SIG_HOST_OPEN;
	mem_copy_without_faults(t->sig.requeued != 0);
	host_block_all();
	for (int s = 1; s <= SIG_COUNT; s++) {
		host_action(s, NULL, &h);
		t->process->action[s] = (struct sig_action){.handler = h.handler == 1};
	}
	err = settle_libc(t);
	if (err)
		return err;
	for (int s = 1; s <= SIG_COUNT; s++)
		if (s != SIG_KILL && s != SIG_STOP)
			host_mirror(t->process, s);
	t->sig.mask = mask & ~(SIGBIT(SIG_KILL) | SIGBIT(SIG_STOP));
	t->sig.alt.flags = GSS_DISABLE;
	host_open(t);
	return 0;
}

/* Ignoring a signal discards the pending ones. The host does it by itself but for SIG_HOST_OPEN, which it
 * never ignores. */
static bool discard_one(struct task *t, void *arg)
{
	uint64_t bit = SIGBIT(*(int *)arg);

	__atomic_fetch_and(&t->sig.held, ~bit, __ATOMIC_SEQ_CST);
	if (t->sig.requeued & bit)
		__atomic_fetch_or(&t->sig.discard, bit, __ATOMIC_SEQ_CST);
	return false;
}

int64_t signal_action(struct task *t, int signo, const struct sig_action *new,
		      struct sig_action *old)
{
	struct process *p = process_hand(t->process);
	struct sig_action *a;

	if (signo < 1 || signo > SIG_COUNT || (new && (signo == SIG_KILL || signo == SIG_STOP)))
		return -EINVAL;
	a = &p->action[signo];
	own_lock(&p->action_lock);
	if (old)
		*old = *a;
	if (new) {
		*a = *new;
		a->mask &= ~(SIGBIT(SIG_KILL) | SIGBIT(SIG_STOP));
		host_mirror(t->process, signo);
	}
	own_unlock(&p->action_lock);
	if (new &&new->handler == 1 && (SIGBIT(signo) & SIG_HOST_OPEN))
		task_for_each(t, discard_one, &signo);
	return 0;
}

/* --- masks and brackets -------------------------------------------------------------------------- */

bool signal_set_mask(struct task *t, uint64_t mask)
{
	uint64_t old = t->sig.mask, host;
	long r;

	mask &= ~(SIGBIT(SIG_KILL) | SIGBIT(SIG_STOP));
	host = mask_on_host(t, mask);
	t->sig.mask = mask;
	/* The window gives "nothing was captured under the old mask" together with the change. */
	r = safe_syscall(&t->sig.pending, HOSTNR(rt_sigprocmask), SIGMASK_SET, ptr(&host), 0,
			 sizeof(host), 0, 0);
	if (r == -ERESTARTSYS_) {
		t->sig.mask = old;
		return false;
	}
	if (t->sig.held & ~mask)
		host_open(t);
	forget_requeued(t, ~mask);
	return true;
}

uint64_t signal_temp_mask(struct task *t, uint64_t mask)
{
	t->sig.saved_mask = t->sig.mask;
	t->sig.mask = mask & ~(SIGBIT(SIG_KILL) | SIGBIT(SIG_STOP));
	t->sig.has_saved_mask = true;
	if (t->sig.held & ~t->sig.mask) {
		host_block_all();
		promote_held(t);
	}
	return mask_on_host(t, t->sig.mask);
}

int64_t signal_temp_mask_end(struct task *t, int64_t result)
{
	bool before = result == -ERESTARTNOINTR_; /* the host did not get the call */
	bool interrupted = result == -EINTR || result == -ERESTARTNOHAND_;
	bool held = t->sig.captured && (t->sig.saved_mask & SIGBIT(t->sig.info.si_signo));

	/* A signal that the old mask blocks was held, and the new mask let it go: it interrupts. Any
	 * other one that was captured before the host had the call belongs to the old mask, and so
	 * does whatever comes from now on. */
	if (before && held)
		return -ERESTARTNOHAND_;
	if (!interrupted || !t->sig.captured) {
		t->sig.mask = t->sig.saved_mask;
		t->sig.has_saved_mask = false;
	}
	return result;
}

bool signal_block(struct task *t)
{
	host_block_all();
	return t->sig.captured;
}

void signal_unblock(struct task *t)
{
	if (t->sig.exec_reset) {
		host_block_all();
		for (int s = 1; s <= SIG_COUNT; s++)
			if (host_catches(t->process, s))
				host_mirror(t->process, s);
		t->sig.exec_reset = false;
	}
	host_open(t);
}

bool signal_before_fork(struct task *t)
{
	own_lock(&process_hand(t->process)->action_lock);
	return signal_block(t);
}

void signal_after_fork(struct task *t, bool child)
{
	if (!child) {
		own_unlock(&process_hand(t->process)->action_lock);
	} else {
		signal_own_actions(t->process, t->process);
		t->sig.captured = false;
		t->sig.pending = 0;
		atomic_thread_fence(memory_order_seq_cst);
		if (tracee_asked(&t->tracee)) /* a tracer was quick */
			t->sig.pending = 1;
		t->sig.held = 0;
		forget_requeued(t, ~0ull);
		t->sig.restart = NULL;
	}
	host_open(t);
}

void signal_thread_start(struct task *t)
{
	t->sig.alt = (struct sig_altstack){.flags = GSS_DISABLE};
	host_open(t);
}

/* Also SIGSEGV and SIGBUS, which are open elsewhere: one that the thread took now would be seen by nobody until
 * it is given on, and by then others have been told that the thread is gone. */
void signal_thread_end(struct task *t)
{
	mem_copy_without_faults(true);
	host_mask(SIGMASK_SET, ~0ull);
	if (t->sig.captured && t->sig.info.si_code != CODE_TKILL)
		requeue_to_process(&t->sig.info);
}

/* Handlers go first: one that is pending must not be captured when the mask opens, for its default
 * action is what awaits it in the new program. But not if the host's table is another process's, too: the host's execve
 * does it, and a signal that comes in between is lost. */
void signal_reset_for_exec(struct task *t)
{
	for (int s = 1; s <= SIG_COUNT; s++) {
		gaddr handler = process_hand(t->process)->action[s].handler;
		struct host_sigaction h = {.handler = handler == 1};

		if (host_catches(t->process, s) && !process_shares_hand(t->process))
			host_action(s, &h, NULL);
	}
	t->sig.exec_reset = true;
	host_mask(SIGMASK_SET, t->sig.mask);
}

/* --- the end ------------------------------------------------------------------------------------ */

_Noreturn static void kill_self(const struct task *t, int signo)
{
	host_default(signo);
	host_call(HOSTNR(tgkill), (uint64_t)getpid(), (uint64_t)t->tid, (uint64_t)signo, 0);
	host_mask(SIGMASK_UNBLOCK, SIGBIT(signo));
	/* Only init of a pid namespace gets here: its own default actions do not kill it. */
	for (;;)
		host_call(HOSTNR(exit_group), 128u + (unsigned)signo, 0, 0, 0);
}

_Noreturn void signal_die(struct task *t, int signo)
{
	host_block_all();
	tracee_exits(t, (uint32_t)signo);
	task_process_ends(t);
	if (strace_enabled())
		strace_exit_status(true, signo);
	kill_self(t, signo);
}

_Noreturn void signal_die_of(struct task *t, const struct host_siginfo *info)
{
	bool dumped = false;

	host_block_all();
	if (SIGBIT(info->si_signo) & SIG_CORES) {
		if (!task_stop_others(t))
			task_stop_point(t);
		crash_report(t, info);
		dumped = core_write(t, info);
	}
	tracee_exits(t, (uint32_t)info->si_signo | (dumped ? WCOREFLAG : 0));
	task_process_ends(t);
	if (strace_enabled())
		strace_exit_status(true, info->si_signo | (dumped ? STRACE_CORE : 0));
	core_prepare_death(t, dumped);
	kill_self(t, info->si_signo);
}

#ifdef __SANITIZE_ADDRESS__
/* The sanitizer must leave every signal to the guest, inherited dispositions included, and the limit of cores. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:"
	       "handle_sigtrap=0:use_sigaltstack=0:disable_coredump=0";
}
#endif
