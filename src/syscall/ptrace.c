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
#include <sys/uio.h>
#include <unistd.h>

#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "task/task.h"
#include "trace/trace.h"

enum { NR_kill = 129, NR_tkill, NR_tgkill };
enum { CLD_TRAPPED_ = 4, CLD_STOPPED_ = 5 };

/* --- the other process ------------------------------------------------------------------------------ */

struct other {
	pid_t pid;
	struct task_card card;
	struct tracee r; /* its record, as it is while it stands still */
};

static uint64_t record_at(const struct other *o)
{
	return o->card.process + offsetof(struct process, tracee);
}

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

/* Finds PID if this process traces it. */
static bool find(const struct task *t, pid_t pid, struct other *o)
{
	struct procfs_place place = {.pid = pid};

	o->pid = pid;
	snprintf(place.dir, sizeof(place.dir), "/proc/%d", pid);
	return pid > 0 && procfs_card(&place, &o->card) && task_card_same_build(&o->card) &&
	       copy_from(pid, &o->r, record_at(o), sizeof(o->r)) && o->r.tracer == t->tgid;
}

/* Writes back everything but what only the tracee changes. */
static bool put_record(const struct other *o)
{
	const size_t from = offsetof(struct tracee, message);

	return copy_to(o->pid, record_at(o) + offsetof(struct tracee, options), &o->r.options,
		       sizeof(o->r.options)) &&
	       copy_to(o->pid, record_at(o) + from, (const uint8_t *)&o->r + from,
		       sizeof(o->r) - from);
}

/* --- waiting ------------------------------------------------------------------------------------------- */

/* Child PID is stopped: the code that its tracer is told, 0 if it is not in a stop of ours (then the host's
 * word holds), -1 if that was told before. */
static int stop_code(const struct task *t, pid_t pid, bool keep)
{
	struct other o;
	const uint32_t one = 1;

	if (!find(t, pid, &o) || !o.r.stopped)
		return 0;
	if (o.r.reported)
		return -1;
	if (!keep)
		copy_to(pid, record_at(&o) + offsetof(struct tracee, reported), &one, sizeof(one));
	return (int)o.r.code;
}

/*
 * Children that stopped while a wait call did not ask for that, but had to look for tracees: the host has
 * told it, so we have to when one asks. The lock of guest threads protects the list.
 */
#define MAX_UNSEEN 32
static struct unseen {
	pid_t pid;
	int status;
} unseen[MAX_UNSEEN];
static unsigned nunseen;

static void remember(pid_t pid, int status)
{
	unsigned i = 0;

	while (i < nunseen && unseen[i].pid != pid)
		i++;
	if (i == MAX_UNSEEN)
		return;
	nunseen += i == nunseen;
	unseen[i] = (struct unseen){pid, status};
}

static bool still_stopped(pid_t pid)
{
	char path[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		fclose(f);
	}
	return state == 'T';
}

/* A remembered child, which wait4's argument PID means. The entry goes, as does one that is not true any
 * more. 0: none. */
static pid_t recall(pid_t pid, int *status)
{
	for (unsigned i = 0; i < nunseen;) {
		struct unseen u = unseen[i];
		bool meant = pid == -1 || pid == u.pid ||
			     (pid <= 0 && getpgid(u.pid) == (pid ? -pid : getpgid(0)));
		bool stopped = still_stopped(u.pid);

		if (!meant && stopped) {
			i++;
			continue;
		}
		unseen[i] = unseen[--nunseen];
		if (!stopped)
			continue;
		*status = u.status;
		return u.pid;
	}
	return 0;
}

static bool is_tracee(const struct task *t, pid_t pid)
{
	struct other o;

	return find(t, pid, &o);
}

int64_t ptrace_wait4(struct sys_call *c)
{
	struct host_rusage ru;
	int status, code;
	int64_t r;

	memset(&ru, 0, sizeof(ru));
	r = c->a[2] & WUNTRACED ? recall((pid_t)c->a[0], &status) : 0;
	while (!r) {
		r = sys_host_blocking(c, HOSTNR(wait4), c->a[0], &status, c->a[2] | WUNTRACED,
				      c->a[3] ? &ru : NULL);
		if (r <= 0)
			return r;
		if ((status & 0xff) != 0x7f)
			break;
		code = stop_code(c->task, (pid_t)r, false);
		if (code > 0)
			status = code << 8 | 0x7f;
		if (code > 0 ||
		    (code == 0 && ((c->a[2] & WUNTRACED) || is_tracee(c->task, (pid_t)r))))
			break;
		if (code == 0)
			remember((pid_t)r, status);
		r = 0;
	}
	if (c->a[3] && abi_write(&abi_st_rusage, (gaddr)c->a[3], &ru))
		return -EFAULT;
	if (c->a[1] && mem_put_u32((gaddr)c->a[1], (uint32_t)status))
		return -EFAULT;
	return r;
}

int64_t ptrace_waitid(struct sys_call *c, struct host_siginfo *info, struct host_rusage *ru)
{
	const uint64_t any = WEXITED | WSTOPPED | WCONTINUED;
	/* Without any of them it is refused. */
	uint64_t options = c->a[3] | (c->a[3] & any ? WSTOPPED : 0);
	int64_t r;
	int code, status;

	if (c->a[3] & WSTOPPED) {
		pid_t pid = c->a[0] == P_ALL   ? -1
			    : c->a[0] == P_PID ? (pid_t)c->a[1]
					       : -(pid_t)c->a[1];

		pid = c->a[0] <= P_PGID ? recall(pid, &status) : 0;
		if (pid) {
			info->si_signo = SIGCHLD;
			info->si_code = CLD_STOPPED_;
			info->u.chld.pid = pid;
			info->u.chld.uid = getuid();
			info->u.chld.status = status >> 8;
			if (c->a[3] & WNOWAIT)
				remember(pid, status);
			memset(ru, 0, sizeof(*ru));
			return 0;
		}
	}
	for (;;) {
		r = sys_host_blocking(c, HOSTNR(waitid), c->a[0], c->a[1], info, options,
				      c->a[4] ? ru : NULL);
		if (r || info->si_code != CLD_STOPPED_ || !info->si_signo)
			return r;
		code = stop_code(c->task, info->u.chld.pid, c->a[3] & WNOWAIT);
		if (code > 0) {
			info->si_code = CLD_TRAPPED_;
			info->u.chld.status = code;
		}
		if (code > 0 ||
		    (code == 0 && ((c->a[3] & WSTOPPED) || is_tracee(c->task, info->u.chld.pid))))
			return r;
		if (code == 0 && !(c->a[3] & WNOWAIT))
			remember(info->u.chld.pid, info->u.chld.status << 8 | 0x7f);
		else if (code == 0)
			sys_host(HOSTNR(waitid), P_PID, info->u.chld.pid, NULL, WSTOPPED, NULL),
				remember(info->u.chld.pid, info->u.chld.status << 8 | 0x7f);
		memset(info, 0, sizeof(*info));
	}
}

bool ptrace_stops_itself(const struct sys_call *c)
{
	const struct task *t = c->task;
	bool own;

	if (c->row == &sys_table[NR_kill])
		own = (pid_t)c->a[0] == t->tgid && c->a[1] == SIGSTOP;
	else if (c->row == &sys_table[NR_tkill])
		own = (pid_t)c->a[0] == t->tid && c->a[1] == SIGSTOP;
	else
		own = c->row == &sys_table[NR_tgkill] && (pid_t)c->a[0] == t->tgid &&
		      (pid_t)c->a[1] == t->tid && c->a[2] == SIGSTOP;
	if (own)
		t->process->tracee.self_stop = true;
	return own;
}

/* --- memory -------------------------------------------------------------------------------------------- */

static bool mapped(const struct other *o, gaddr g)
{
	uint8_t bits;

	return copy_from(o->pid, &bits, o->card.mem.page + (g >> MEM_PAGE_SHIFT), 1) &&
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
	snprintf(path, sizeof(path), "/proc/%d/mem", o->pid);
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
	if (o->r.npoked < TRACEE_POKES)
		o->r.poked[o->r.npoked] = g;
	if (o->r.npoked <= TRACEE_POKES)
		o->r.npoked++;
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
	struct other o;

	if (!find(t, pid, &o) || !o.r.stopped)
		return false;
	for (uint64_t done = 0; done < len && o.r.npoked <= TRACEE_POKES; done += 4)
		note_poke(&o, (gaddr)(g + done));
	return put_record(&o);
}

/* --- registers ------------------------------------------------------------------------------------------- */

enum { PRSTATUS = 1, PRFPREG, ARM_TLS = 0x401, ARM_SYSTEM_CALL = 0x404 };
#define MAX_REGSET 528

static const struct regset {
	uint32_t type;
	uint16_t size, unit;
} regsets[] = {{PRSTATUS, 272, 8}, {PRFPREG, 528, 4}, {ARM_TLS, 8, 8}, {ARM_SYSTEM_CALL, 4, 4}};

static void regset_get(const struct other *o, uint32_t type, uint8_t *b)
{
	const struct cpu_state *s = &o->r.regs;

	memset(b, 0, MAX_REGSET);
	switch (type) {
	case PRSTATUS:
		for (unsigned i = 0; i < 31; i++)
			abi_put64(b + 8 * (size_t)i, s->x[i]);
		abi_put64(b + 248, s->sp);
		abi_put64(b + 256, s->pc);
		abi_put64(b + 264, s->pstate);
		break;
	case PRFPREG:
		for (unsigned i = 0; i < 32; i++) {
			abi_put64(b + 16 * (size_t)i, s->v[i].lo);
			abi_put64(b + 16 * (size_t)i + 8, s->v[i].hi);
		}
		abi_put32(b + 512, s->fpsr);
		abi_put32(b + 516, s->fpcr);
		break;
	case ARM_TLS: abi_put64(b, s->tpidr); break;
	default: abi_put32(b, (uint32_t)o->r.syscall);
	}
}

static void regset_set(struct other *o, uint32_t type, const uint8_t *b)
{
	struct cpu_state *s = &o->r.regs;

	switch (type) {
	case PRSTATUS:
		for (unsigned i = 0; i < 31; i++)
			s->x[i] = abi_get64(b + 8 * (size_t)i);
		s->sp = abi_get64(b + 248);
		s->pc = abi_get64(b + 256);
		s->pstate = abi_get64(b + 264) & 0xf0000000;
		break;
	case PRFPREG:
		for (unsigned i = 0; i < 32; i++) {
			s->v[i].lo = abi_get64(b + 16 * (size_t)i);
			s->v[i].hi = abi_get64(b + 16 * (size_t)i + 8);
		}
		s->fpsr = abi_get32(b + 512);
		s->fpcr = abi_get32(b + 516);
		break;
	case ARM_TLS: s->tpidr = abi_get64(b); break;
	default: o->r.syscall = (int32_t)abi_get32(b);
	}
}

/* GETREGSET, SETREGSET: VEC is an iovec, whose length becomes what was moved. */
static int64_t regset(struct other *o, uint32_t type, gaddr vec, bool set)
{
	const struct abi_field *length = abi_member(&abi_st_iovec, "iov_len");
	uint8_t b[MAX_REGSET], moved[8];
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
	if (len > rs->size)
		len = rs->size;
	regset_get(o, type, b);
	if (!set && mem_copy_out((gaddr)v.base, b, len))
		return -EFAULT;
	if (set) {
		if (mem_copy_in(b, (gaddr)v.base, len))
			return -EFAULT;
		regset_set(o, type, b);
		if (!put_record(o))
			return -ESRCH;
	}
	abi_put64(moved, len);
	return mem_copy_out(vec + length->goff, moved, length->gsize);
}

/* --- signals ------------------------------------------------------------------------------------------------ */

static int64_t get_siginfo(const struct other *o, gaddr to)
{
	uint8_t guest[128] = {0};

	if (!o->r.info.si_signo)
		return -EINVAL;
	signal_info_to_guest(guest, &o->r.info);
	return mem_copy_out(to, guest, sizeof(guest)) ? -EFAULT : 0;
}

static int64_t set_siginfo(struct other *o, gaddr from)
{
	uint8_t guest[128];

	if (mem_copy_in(guest, from, sizeof(guest)))
		return -EFAULT;
	if (!o->r.info.si_signo)
		return -EINVAL;
	signal_info_to_host(&o->r.info, guest);
	return put_record(o) ? 0 : -ESRCH;
}

static int64_t signal_mask(struct other *o, uint32_t size, gaddr g, bool set)
{
	uint8_t b[8];

	if (size != sizeof(b))
		return -EINVAL;
	if (!set) {
		abi_put64(b, o->r.mask);
		return mem_copy_out(g, b, sizeof(b)) ? -EFAULT : 0;
	}
	if (mem_copy_in(b, g, sizeof(b)))
		return -EFAULT;
	o->r.mask = abi_get64(b) & ~(SIGBIT(SIGKILL) | SIGBIT(SIGSTOP));
	return put_record(o) ? 0 : -ESRCH;
}

/* --- going on ------------------------------------------------------------------------------------------------- */

static int64_t resume(struct other *o, enum tracee_command command, uint32_t signo)
{
	uint32_t word = command;

	if (signo > SIG_COUNT)
		return -EIO;
	o->r.signo = (int32_t)signo;
	/* The command comes last: it lets the tracee leave its loop. */
	if (!put_record(o) ||
	    !copy_to(o->pid, record_at(o) + offsetof(struct tracee, command), &word, sizeof(word)))
		return -ESRCH;
	kill(o->pid, SIGCONT);
	return 0;
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
	o->r.options = options;
	return put_record(o) ? 0 : -ESRCH;
}

/* Requests to a process that stands still. */
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
	case PTRACE_GETEVENTMSG: return mem_put_u32(data, (uint32_t)o->r.message);
	case PTRACE_GETSIGINFO: return get_siginfo(o, data);
	case PTRACE_SETSIGINFO: return set_siginfo(o, data);
	case PTRACE_GETREGSET: return regset(o, addr, data, false);
	case PTRACE_SETREGSET: return regset(o, addr, data, true);
	case PTRACE_GETSIGMASK: return signal_mask(o, addr, data, false);
	case PTRACE_SETSIGMASK: return signal_mask(o, addr, data, true);
	/* No registers in a user area, no sets but those above (compat_arch_ptrace()). */
	default: return -EIO;
	}
}

int64_t sys_ptrace(struct sys_call *c)
{
	uint32_t request = (uint32_t)c->a[0];
	pid_t pid = (pid_t)c->a[1];
	struct other o;

	switch (request) {
	case PTRACE_TRACEME: return tracee_traceme(c->task);
	case PTRACE_ATTACH:
	case PTRACE_SEIZE:
		if (pid <= 0 || sys_host(HOSTNR(kill), pid, 0) == -ESRCH)
			return -ESRCH;
		if (request == PTRACE_SEIZE && c->a[2])
			return -EIO;
		diag_unsupported("ptrace", request,
				 "ptrace: attaching to process %d is not supported, only "
				 "PTRACE_TRACEME: EPERM",
				 pid);
		return -EPERM;
	default: break;
	}
	if (!find(c->task, pid, &o))
		return -ESRCH;
	if (request == PTRACE_KILL) {
		kill(pid, SIGKILL);
		return 0;
	}
	if (!o.r.stopped || !o.r.reported)
		return -ESRCH;
	return to_stopped(&o, request, (gaddr)c->a[2], (gaddr)c->a[3]);
}
