/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/ptrace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ptrace.h>
#include <linux/wait.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "task/regset.h"
#include "task/task.h"
#include "trace/trace.h"

enum { CLD_TRAPPED_ = 4 };
enum { CODE_TKILL = -6, CODE_KERNEL = 0x80 };

/* --- the other thread ------------------------------------------------------------------------------- */

struct other {
	pid_t tid;
	struct task_card card;
	bool traced;   /* its process catches all signals */
	uint64_t at;   /* of its task */
	struct task t; /* as it is while it stands still */
};

static bool copy_from(pid_t pid, void *to, uint64_t at, size_t n)
{
	struct host_iovec here = {(uint64_t)(uintptr_t)to, n}, there = {at, n};

	return sys_host(HOSTNR(process_vm_readv), pid, &here, 1, &there, 1, 0) == (int64_t)n;
}

static bool copy_to(pid_t pid, uint64_t at, const void *from, size_t n)
{
	struct host_iovec here = {(uint64_t)(uintptr_t)from, n}, there = {at, n};

	return sys_host(HOSTNR(process_vm_writev), pid, &here, 1, &there, 1, 0) == (int64_t)n;
}

static int64_t host_ptrace(uint64_t request, pid_t tid, uint64_t addr, const void *data)
{
	return sys_host(HOSTNR(ptrace), request, tid, addr, data);
}

static int64_t host_go_on(uint64_t request, pid_t tid, unsigned signo)
{
	return sys_host(HOSTNR(ptrace), request, tid, 0, signo);
}

/* Its task in the list of O's memory, which may change while other threads run. */
static bool find_task(struct other *o)
{
	enum { MOST = 100000 };
	uint64_t at = 0;
	int32_t tid = 0;

	if (!copy_from(o->tid, &at, o->card.process + offsetof(struct process, all_tasks), 8))
		return false;
	for (unsigned i = 0; at && i < MOST; i++) {
		if (!copy_from(o->tid, &tid, at + offsetof(struct task, tid), sizeof(tid)))
			return false;
		if (tid == o->tid)
			break;
		if (!copy_from(o->tid, &at, at + offsetof(struct task, mm_next), 8))
			return false;
	}
	o->at = at;
	return at && tid == o->tid && copy_from(o->tid, &o->t, at, sizeof(o->t)) &&
	       copy_from(o->tid, &o->traced,
			 (uintptr_t)o->t.process + offsetof(struct process, traced),
			 sizeof(o->traced));
}

/* Finds thread TID if it is a guest's of this build. */
static bool find_guest(pid_t tid, struct other *o)
{
	struct procfs_place place = {.pid = tid};

	o->tid = tid;
	snprintf(place.dir, sizeof(place.dir), "/proc/%d", tid);
	return tid > 0 && procfs_card(&place, &o->card) && task_card_same_build(&o->card) &&
	       find_task(o);
}

/* ... and this thread traces it. */
static bool find(pid_t tid, struct other *o)
{
	return find_guest(tid, o) && o->t.tracee.tracer;
}

static bool put_record(const struct other *o)
{
	return copy_to(o->tid, o->at + offsetof(struct task, tracee), &o->t.tracee,
		       sizeof(o->t.tracee));
}

static bool put_regs(const struct other *o)
{
	return copy_to(o->tid, o->at + offsetof(struct task, regs), &o->t.regs, sizeof(o->t.regs));
}

/* What the host has to do for the guest's OPTIONS. The stop for execve tells that its image has no task yet. */
static uint64_t host_options(uint32_t options)
{
	return PTRACE_O_TRACEEXEC | (options & (PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
						PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL));
}

static void set_host_options(pid_t tid, uint64_t options)
{
	sys_host(HOSTNR(ptrace), PTRACE_SETOPTIONS, tid, 0, options);
}

/* --- stops of the host ---------------------------------------------------------------------------------- */

enum { INTERNAL = -1 };

/* Makes O find out what is asked of it: a signal, for a thread that the host has stopped for another reason does not
 * take the one with which it is let go on. */
static void poke_thread(struct other *o)
{
	struct host_siginfo info = {
		.si_signo = o->t.sig.requeued & SIGBIT(SIG_SEGV) ? SIG_BUS : SIG_SEGV,
		.si_code = TRACEE_POKE,
	};

	sys_host(HOSTNR(rt_tgsigqueueinfo), o->t.tgid, o->tid, info.si_signo, &info);
}

static int poke_and_go_on(struct other *o)
{
	put_record(o);
	poke_thread(o);
	host_go_on(PTRACE_CONT, o->tid, 0);
	return INTERNAL;
}

/* O does not go on before its tracer wants it; CODE is told now. */
static int held(struct other *o, int code)
{
	o->t.tracee.state = TRACEE_HELD;
	o->t.tracee.code = (uint32_t)code;
	put_record(o);
	return code;
}

static bool is_stop_signal(unsigned signo)
{
	return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU;
}

static int group_stop(struct other *o)
{
	struct tracee *r = &o->t.tracee;
	int signo = r->stop_signal ? r->stop_signal : SIGSTOP;

	return held(o, r->seized ? signo | TRACEE_EVENT_STOP << 8 : signo);
}

/* A thread without a task: it is on its way into or out of a program, or no guest any more. */
static int stop_without_task(pid_t tid, unsigned signo, unsigned event)
{
	if (event == TRACEE_EVENT_EXEC) /* the emulator starts threads before it is a guest again */
		set_host_options(tid, PTRACE_O_TRACEEXEC);
	if (event || signo == SIGTRAP || signo == SIGSTOP)
		signo = 0;
	host_go_on(PTRACE_CONT, tid, signo);
	return INTERNAL;
}

/*
 * The host stops a new thread before it is one of the guest's; whoever made it waits for it to be that, and the tracer
 * perhaps for nothing but the maker.
 */
static void help_newcomer(pid_t maker)
{
	enum { PATIENCE = 5000 };
	const struct timespec moment = {0, 200000};
	struct host_siginfo info;
	struct other o;
	uint64_t tid = 0;
	int status;

	host_ptrace(PTRACE_GETEVENTMSG, maker, 0, &tid);
	for (int i = 0; tid && i < PATIENCE && !find_guest((pid_t)tid, &o); i++) {
		memset(&info, 0, sizeof(info));
		if (sys_host(HOSTNR(waitid), P_PID, tid, &info,
			     WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL, NULL))
			return;
		if (info.si_code != CLD_TRAPPED_) {
			nanosleep(&moment, NULL);
			continue;
		}
		sys_host(HOSTNR(wait4), tid, &status, WNOHANG | __WALL, NULL);
		host_go_on(PTRACE_CONT, (pid_t)tid, 0);
	}
}

static int event_of_host(struct other *o, unsigned signo, unsigned event)
{
	struct tracee *r = &o->t.tracee;

	switch (event) {
	case TRACEE_EVENT_VFORK:
		if (r->in_vfork)
			return held(o, (int)(signo | event << 8));
		break;
	case TRACEE_EVENT_CLONE: help_newcomer(o->tid); break;
	case TRACEE_EVENT_EXEC: return stop_without_task(o->tid, signo, event);
	case TRACEE_EVENT_STOP:
		if (is_stop_signal(signo))
			return group_stop(o);
		if (r->state == TRACEE_HELD && r->seized) /* the end of a group stop */
			r->request |= TRACEE_ASK_TRAP;
		if (r->state == TRACEE_HELD)
			r->state = TRACEE_RUNS;
		if (r->request)
			return poke_and_go_on(o);
		break;
	default: break; /* its own stop follows */
	}
	host_go_on(PTRACE_CONT, o->tid, 0);
	return INTERNAL;
}

/* A signal is about to be delivered on the host. */
static int signal_of_host(struct other *o, unsigned signo, const struct host_siginfo *info)
{
	struct tracee *r = &o->t.tracee;

	if (r->state == TRACEE_STANDS && signo == r->own_signal && info->si_code == CODE_TKILL) {
		set_host_options(o->tid, host_options(r->options));
		if (r->code)
			return (int)r->code;
		r->command = TRACEE_CONT;
		put_record(o);
		host_go_on(PTRACE_CONT, o->tid, 0);
		return INTERNAL;
	}
	if (signo == SIGSTOP && !r->stop_passes) {
		r->request |= TRACEE_ASK_SIGSTOP;
		r->stop_info = *info;
		return poke_and_go_on(o);
	}
	if (signo == SIGSTOP) {
		r->stop_passes = false;
		put_record(o);
	} else if (!o->traced && !(SIGBIT(signo) & SIG_HOST_OPEN)) {
		/* It does not catch all signals yet, which it is about to. */
		if (r->nkept < TRACEE_KEPT) {
			r->kept[r->nkept++] = *info;
			put_record(o);
			signo = 0;
		}
	}
	host_go_on(PTRACE_CONT, o->tid, signo);
	return INTERNAL;
}

/*
 * Thread TID has stopped with CODE, which is what lies above the lowest byte of a wait status: what a wait call of the
 * guest is to say; INTERNAL: nothing, it runs again.
 */
static int guest_stop(pid_t tid, unsigned code)
{
	unsigned signo = code & 0xff, event = code >> 8;
	struct host_siginfo info = {0};
	int64_t r = host_ptrace(PTRACE_GETSIGINFO, tid, 0, &info);
	struct other o;

	if (r == -ESRCH) /* a child that is not traced */
		return (int)code;
	if (!find(tid, &o))
		return r == -EINVAL ? (int)code : stop_without_task(tid, signo, event);
	if (event)
		return event_of_host(&o, signo, event);
	if (r == -EINVAL)
		return group_stop(&o);
	return signal_of_host(&o, signo, &info);
}

/* --- waiting ------------------------------------------------------------------------------------------- */

int64_t ptrace_wait4(struct sys_call *c)
{
	struct host_rusage ru;
	int status, code;
	int64_t r;

	memset(&ru, 0, sizeof(ru));
	for (;;) {
		r = sys_host_blocking(c, HOSTNR(wait4), c->a[0], &status, c->a[2],
				      c->a[3] ? &ru : NULL);
		if (r <= 0)
			return r;
		if ((status & 0xff) != 0x7f)
			break;
		code = guest_stop((pid_t)r, (unsigned)status >> 8);
		if (code == INTERNAL)
			continue;
		status = code << 8 | 0x7f;
		break;
	}
	if (c->a[3] && abi_write(&abi_st_rusage, (gaddr)c->a[3], &ru))
		return -EFAULT;
	if (c->a[1] && mem_put_u32((gaddr)c->a[1], (uint32_t)status))
		return -EFAULT;
	return r;
}

int64_t ptrace_waitid(struct sys_call *c, struct host_siginfo *info, struct host_rusage *ru)
{
	int status, code;
	int64_t r;

	for (;;) {
		r = sys_host_blocking(c, HOSTNR(waitid), c->a[0], c->a[1], info, c->a[3],
				      c->a[4] ? ru : NULL);
		if (r || info->si_code != CLD_TRAPPED_ || !info->si_signo)
			return r;
		pid_t tid = info->u.chld.pid;
		code = guest_stop(tid, (unsigned)info->u.chld.status);
		if (code != INTERNAL) {
			info->u.chld.status = code;
			return r;
		}
		/* It was only looked at, perhaps. */
		if (c->a[3] & WNOWAIT)
			sys_host(HOSTNR(wait4), tid, &status, WNOHANG | __WALL, NULL);
		memset(info, 0, sizeof(*info));
	}
}

/* --- memory -------------------------------------------------------------------------------------------- */

static bool mapped(const struct other *o, gaddr g)
{
	uint8_t bits;

	return copy_from(o->tid, &bits, o->card.mem.page + (g >> MEM_PAGE_SHIFT), 1) &&
	       bits & PG_MAPPED;
}

/* Moves a word, whatever the protection of its page: the host's file does as ptrace. */
static int64_t access_word(struct other *o, gaddr g, uint32_t *word, bool write)
{
	char path[32];
	int fd;
	ssize_t n = -1;

	if (g > UINT32_MAX - 3 || !mapped(o, g) || !mapped(o, g + 3))
		return -EIO;
	snprintf(path, sizeof(path), "/proc/%d/mem", o->tid);
	fd = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (fd < 0)
		return -EIO;
	n = write ? pwrite(fd, word, 4, (off_t)(o->card.mem.base + g))
		  : pread(fd, word, 4, (off_t)(o->card.mem.base + g));
	close(fd);
	return n == 4 ? 0 : -EIO;
}

static int64_t peek(struct other *o, gaddr g, gaddr to)
{
	uint32_t word;
	int64_t r = access_word(o, g, &word, false);

	return r ? r : mem_put_u32(to, word);
}

/* Its engine may have translated what was there. */
static void note_poke(struct other *o, gaddr g)
{
	if (o->t.tracee.npoked < TRACEE_POKES)
		o->t.tracee.poked[o->t.tracee.npoked] = g;
	if (o->t.tracee.npoked <= TRACEE_POKES)
		o->t.tracee.npoked++;
}

static int64_t poke(struct other *o, gaddr g, uint32_t word)
{
	int64_t r = access_word(o, g, &word, true);

	if (r)
		return r;
	note_poke(o, g);
	return put_record(o) ? 0 : -ESRCH;
}

bool ptrace_wrote(const struct task *t, pid_t pid, gaddr g, uint64_t len)
{
	struct host_siginfo info;
	struct other o;

	(void)t;
	if (!find(pid, &o) || host_ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == -ESRCH)
		return false;
	for (uint64_t done = 0; done < len && o.t.tracee.npoked <= TRACEE_POKES; done += 4)
		note_poke(&o, (gaddr)(g + done));
	return put_record(&o);
}

/* --- registers ------------------------------------------------------------------------------------------- */

enum { PRSTATUS = 1, PRFPREG, ARM_TLS = 0x401, ARM_SYSTEM_CALL = 0x404 };

union regset_data {
	struct host_user_pt_regs regs;
	struct host_user_fpsimd_state fp;
	uint64_t tls;
	int32_t call;
};

static const struct regset {
	uint32_t type;
	uint16_t unit;
	const struct abi_struct *st;
} regsets[] = {{PRSTATUS, 8, &abi_st_user_pt_regs},
	       {PRFPREG, 4, &abi_st_user_fpsimd_state},
	       {ARM_TLS, 8, &abi_st_u64},
	       {ARM_SYSTEM_CALL, 4, &abi_st_s32}};

static void regset_get(const struct other *o, uint32_t type, union regset_data *d)
{
	switch (type) {
	case PRSTATUS: regset_from_cpu(&d->regs, &o->t.regs); break;
	case PRFPREG: regset_fp_from_cpu(&d->fp, &o->t.regs); break;
	case ARM_TLS: d->tls = o->t.regs.tpidr; break;
	default: d->call = o->t.tracee.syscall;
	}
}

static void regset_set(struct other *o, uint32_t type, const union regset_data *d)
{
	switch (type) {
	case PRSTATUS: regset_to_cpu(&o->t.regs, &d->regs); break;
	case PRFPREG: regset_fp_to_cpu(&o->t.regs, &d->fp); break;
	case ARM_TLS: o->t.regs.tpidr = d->tls; break;
	default: o->t.tracee.syscall = d->call;
	}
}

/* GETREGSET, SETREGSET: VEC is an iovec, whose length becomes what was moved. */
static int64_t regset(struct other *o, uint32_t type, gaddr vec, bool set)
{
	const struct abi_field *length = abi_member(&abi_st_iovec, "iov_len");
	uint8_t b[sizeof(union regset_data)], moved[8];
	union regset_data data;
	struct sys_iovec v;
	const struct regset *rs = NULL;
	uint32_t len;

	if (!sys_read_iovec(vec, 0, &v))
		return -EFAULT;
	for (size_t i = 0; i < sizeof(regsets) / sizeof(regsets[0]); i++) {
		if (regsets[i].type == type)
			rs = &regsets[i];
	}
	len = v.len < UINT32_MAX ? (uint32_t)v.len : UINT32_MAX - 15;
	if (!rs || len % rs->unit)
		return -EINVAL;
	if (len > rs->st->gsize)
		len = rs->st->gsize;
	regset_get(o, type, &data);
	abi_to_guest(rs->st, b, &data);
	if (!set && mem_copy_out((gaddr)v.base, b, len))
		return -EFAULT;
	if (set) {
		if (mem_copy_in(b, (gaddr)v.base, len))
			return -EFAULT;
		abi_to_host(rs->st, &data, b);
		regset_set(o, type, &data);
		if (!put_record(o) || !put_regs(o))
			return -ESRCH;
	}
	abi_put64(moved, len);
	return mem_copy_out(vec + length->goff, moved, length->gsize);
}

/* --- signals ------------------------------------------------------------------------------------------------ */

static int64_t get_siginfo(const struct other *o, gaddr to)
{
	struct host_siginfo info = o->t.tracee.info;
	uint8_t guest[128] = {0};
	int64_t r = 0;

	if (o->t.tracee.state == TRACEE_HELD && o->t.tracee.code < 0x100)
		r = -EINVAL; /* a group stop of one that was not seized */
	else if (o->t.tracee.state == TRACEE_HELD)
		r = host_ptrace(PTRACE_GETSIGINFO, o->tid, 0, &info);
	if (r || !info.si_signo)
		return -EINVAL;
	signal_info_to_guest(guest, &info);
	return mem_copy_out(to, guest, sizeof(guest)) ? -EFAULT : 0;
}

static int64_t set_siginfo(struct other *o, gaddr from)
{
	uint8_t guest[128];

	if (mem_copy_in(guest, from, sizeof(guest)))
		return -EFAULT;
	if (!o->t.tracee.info.si_signo)
		return -EINVAL;
	signal_info_to_host(&o->t.tracee.info, guest);
	return put_record(o) ? 0 : -ESRCH;
}

static int64_t signal_mask(struct other *o, uint32_t size, gaddr g, bool set)
{
	uint8_t b[8];

	if (size != sizeof(b))
		return -EINVAL;
	if (!set) {
		abi_put64(b, o->t.tracee.mask);
		return mem_copy_out(g, b, sizeof(b)) ? -EFAULT : 0;
	}
	if (mem_copy_in(b, g, sizeof(b)))
		return -EFAULT;
	o->t.tracee.mask = abi_get64(b) & ~(SIGBIT(SIGKILL) | SIGBIT(SIGSTOP));
	return put_record(o) ? 0 : -ESRCH;
}

/* --- going on ------------------------------------------------------------------------------------------------- */

static int64_t resume(struct other *o, enum tracee_command command, uint32_t signo)
{
	struct tracee *r = &o->t.tracee;
	const bool stands = r->state == TRACEE_STANDS;
	const uint64_t request = command == TRACEE_DETACH ? PTRACE_DETACH : PTRACE_CONT;

	if (signo > SIG_COUNT)
		return -EIO;
	r->state = TRACEE_RUNS;
	if (stands) {
		r->command = command;
		r->signo = (int32_t)signo;
	} else if (command == TRACEE_DETACH) {
		r->tracer = 0;
		r->mode = TRACEE_NONE;
		r->stop_signal = 0;
	} else {
		r->mode = command;
		r->stop_signal = 0;
	}
	if (!put_record(o))
		return -ESRCH;
	/* What is to be delivered at a stop of its own, the thread does itself. */
	return host_go_on(request, o->tid, stands ? 0 : signo);
}

static int64_t set_options(struct other *o, uint32_t options)
{
	if (options & ~(uint32_t)PTRACE_O_MASK)
		return -EINVAL;
	if (options & ~(uint32_t)TRACEE_OPTIONS) {
		diag_unsupported("ptrace", options,
				 "ptrace: options %#x (of %#x) are not supported: EINVAL",
				 options & ~(uint32_t)TRACEE_OPTIONS, options);
		return -EINVAL;
	}
	o->t.tracee.options = options;
	set_host_options(o->tid, host_options(options));
	return put_record(o) ? 0 : -ESRCH;
}

static int64_t get_message(const struct other *o, gaddr to)
{
	uint64_t message = o->t.tracee.message;

	if (o->t.tracee.state == TRACEE_HELD)
		host_ptrace(PTRACE_GETEVENTMSG, o->tid, 0, &message);
	return mem_put_u32(to, (uint32_t)message);
}

/* Only a group stop can be listened to; other stops of a seized thread go on without it. */
static int64_t listen_to(const struct other *o)
{
	if (!o->t.tracee.seized || o->t.tracee.code >> 8 != TRACEE_EVENT_STOP)
		return -EIO;
	return o->t.tracee.state == TRACEE_HELD ? host_go_on(PTRACE_LISTEN, o->tid, 0) : 0;
}

/* Requests to a thread that stands still. */
static int64_t to_stopped(struct other *o, uint32_t request, gaddr addr, gaddr data)
{
	switch (request) {
	case PTRACE_PEEKTEXT:
	case PTRACE_PEEKDATA: return peek(o, addr, data);
	case PTRACE_POKETEXT:
	case PTRACE_POKEDATA: return poke(o, addr, data);
	case PTRACE_CONT: return resume(o, TRACEE_CONT, data);
	case PTRACE_SYSCALL: return resume(o, TRACEE_SYSCALL, data);
	case PTRACE_SINGLESTEP: return resume(o, TRACEE_STEP, data);
	case PTRACE_DETACH: return resume(o, TRACEE_DETACH, data);
	case PTRACE_SETOPTIONS: return set_options(o, data);
	case PTRACE_GETEVENTMSG: return get_message(o, data);
	case PTRACE_GETSIGINFO: return get_siginfo(o, data);
	case PTRACE_SETSIGINFO: return set_siginfo(o, data);
	case PTRACE_GETREGSET: return regset(o, addr, data, false);
	case PTRACE_SETREGSET: return regset(o, addr, data, true);
	case PTRACE_GETSIGMASK: return signal_mask(o, addr, data, false);
	case PTRACE_SETSIGMASK: return signal_mask(o, addr, data, true);
	case PTRACE_LISTEN: return listen_to(o);
	/* No registers in a user area, no sets but those above (compat_arch_ptrace()). */
	default: return -EIO;
	}
}

/* --- attaching ------------------------------------------------------------------------------------------------ */

/* The host's first stop of TID, which sends it to look at its record. A stop that is the guest's stays to be told. */
static void first_stop(pid_t tid)
{
	enum { PATIENCE = 2000 };
	const struct timespec moment = {0, 1000000};
	struct host_siginfo info;
	int status;

	for (int i = 0; i < PATIENCE; i++) {
		memset(&info, 0, sizeof(info));
		if (sys_host(HOSTNR(waitid), P_PID, tid, &info,
			     WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL, NULL))
			return;
		if (info.si_signo) {
			unsigned code = (unsigned)info.u.chld.status;

			if (info.si_code != CLD_TRAPPED_ || is_stop_signal(code & 0xff) ||
			    sys_host(HOSTNR(wait4), tid, &status, WNOHANG | __WALL, NULL) != tid)
				return;
			guest_stop(tid, (unsigned)status >> 8);
			if (SIGBIT(code) & SIG_HOST_OPEN)
				return;
		}
		nanosleep(&moment, NULL);
	}
}

/* Whether TID's process runs this emulator: after a fork or execve it may not be a guest's yet. */
static bool same_program(pid_t tid)
{
	struct procfs_place place = {.pid = tid};
	struct task_card card;
	struct stat ours, its;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", tid);
	if (stat(path, &its) == 0 && stat("/proc/self/exe", &ours) == 0 &&
	    its.st_dev == ours.st_dev && its.st_ino == ours.st_ino)
		return true;
	snprintf(place.dir, sizeof(place.dir), "/proc/%d", tid);
	return procfs_card(&place, &card) && task_card_same_build(&card);
}

/* Waits for TID to be a thread of a guest. */
static bool becomes_guest(pid_t tid, struct other *o)
{
	enum { PATIENCE = 2000 };
	const struct timespec moment = {0, 1000000};

	for (int i = 0; i < PATIENCE && !find_guest(tid, o); i++) {
		if (!same_program(tid))
			return false;
		nanosleep(&moment, NULL);
	}
	return o->at && o->t.tid == tid;
}

static int64_t attach(const struct task *t, pid_t tid, bool seize, uint32_t options)
{
	struct other o;
	struct tracee *r = &o.t.tracee;
	int64_t err;

	if (options & ~(uint32_t)PTRACE_O_MASK)
		return -EIO;
	err = sys_host(HOSTNR(ptrace), PTRACE_SEIZE, tid, 0, host_options(options));
	if (err)
		return err;
	memset(&o, 0, sizeof(o));
	if (!becomes_guest(tid, &o)) {
		/* It has to be stopped to be left alone again. */
		host_ptrace(PTRACE_INTERRUPT, tid, 0, NULL);
		sys_host(HOSTNR(wait4), tid, NULL, __WALL, NULL);
		host_go_on(PTRACE_DETACH, tid, 0);
		diag_unsupported("ptrace", PTRACE_ATTACH,
				 "ptrace: thread %d runs no program of this emulator: EPERM", tid);
		return -EPERM;
	}
	memset(r, 0, sizeof(*r));
	r->tracer = t->tid;
	r->options = options & TRACEE_OPTIONS;
	r->mode = TRACEE_CONT;
	r->seized = seize;
	r->syscall = -1;
	r->request = TRACEE_ASK_LOOK;
	if (!seize) {
		r->request |= TRACEE_ASK_SIGSTOP;
		r->stop_info = (struct host_siginfo){.si_signo = SIGSTOP, .si_code = CODE_KERNEL};
	}
	put_record(&o);
	poke_thread(&o);
	first_stop(tid);
	return 0;
}

static int64_t interrupt(struct other *o)
{
	const uint32_t one = 1;
	struct tracee *r = &o->t.tracee;

	if (!r->seized)
		return -EIO;
	if (r->state == TRACEE_STANDS)
		return 0;
	if (r->state == TRACEE_HELD)
		return host_ptrace(PTRACE_INTERRUPT, o->tid, 0, NULL);
	/* It runs, and writes its record: only this word is ours. */
	copy_to(o->tid, o->at + offsetof(struct task, tracee.interrupt), &one, sizeof(one));
	poke_thread(o);
	return 0;
}

int64_t sys_ptrace(struct sys_call *c)
{
	uint32_t request = (uint32_t)c->a[0];
	pid_t pid = (pid_t)c->a[1];
	struct host_siginfo info;
	struct other o;

	switch (request) {
	case PTRACE_TRACEME: return tracee_traceme(c->task);
	case PTRACE_ATTACH: return attach(c->task, pid, false, 0);
	case PTRACE_SEIZE: return c->a[2] ? -EIO : attach(c->task, pid, true, (uint32_t)c->a[3]);
	default: break;
	}
	if (!find(pid, &o))
		return -ESRCH;
	if (request == PTRACE_KILL) {
		/* Of no effect but on who stands still; and who is not ours, the host knows. */
		return host_go_on(PTRACE_KILL, pid, 0);
	}
	if (request == PTRACE_INTERRUPT)
		return interrupt(&o);
	if (o.t.tracee.state == TRACEE_RUNS ||
	    (o.t.tracee.state == TRACEE_STANDS && !o.t.tracee.code) ||
	    host_ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == -ESRCH)
		return -ESRCH;
	return to_stopped(&o, request, (gaddr)c->a[2], (gaddr)c->a[3]);
}
