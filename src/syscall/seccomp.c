/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/seccomp.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "abi/structs.h"
#include "signal/restart.h"
#include "syscall/filter.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

#define ARCH      0xc00000b7u /* AUDIT_ARCH_AARCH64: ILP32 has no number of its own */
#define MAX_ERRNO 4095u
#define MAX_INSNS 32768u      /* of all filters of a task, four more for each of them */
#define FULL      0xffff0000u /* SECCOMP_RET_ACTION_FULL */

struct seccomp_filter {
	const struct seccomp_filter *prev;
	unsigned len;
	bool log;
	struct host_sock_filter insn[];
};

/* --- the decision --------------------------------------------------------------------------------------- */

static void fill_data(const struct sys_call *c, uint32_t data[FILTER_DATA_WORDS])
{
	uint64_t pc = task_pc(c->task);

	data[0] = c->nr;
	data[1] = ARCH;
	data[2] = (uint32_t)pc;
	data[3] = (uint32_t)(pc >> 32);
	for (unsigned i = 0; i < 6; i++) {
		bool raw = i && abi_profile->seccomp_raw_args;

		data[4 + 2 * i] = (uint32_t)c->x[i];
		data[5 + 2 * i] = raw ? (uint32_t)(c->x[i] >> 32) : 0;
	}
}

/* The result of all filters: the action that comes first in the order of their numbers, as signed ones. */
static uint32_t run_filters(const struct sys_call *c)
{
	uint32_t data[FILTER_DATA_WORDS], result = SECCOMP_RET_ALLOW;

	fill_data(c, data);
	for (const struct seccomp_filter *f = c->task->seccomp.filter; f; f = f->prev) {
		uint32_t r = filter_run(f->insn, data);

		if ((int32_t)(r & FULL) < (int32_t)(result & FULL))
			result = r;
	}
	return result;
}

/* The thread ends by signal SIG, and with the last one the process. */
static int64_t kill_thread(struct task *t, int sig)
{
	if (t->process->ntasks <= 1)
		signal_die(t, sig);
	task_exit_thread(t, 0);
	/* Leaves the engine; what it makes of x0 nobody sees. */
	return -ERESTART_NONE_;
}

static int64_t trap(struct sys_call *c, uint32_t data)
{
	struct task *t = c->task;
	struct host_siginfo *info = &t->sig.trap;

	memset(info, 0, sizeof(*info));
	info->si_signo = SIG_SYS;
	info->si_errno = (int32_t)data;
	info->si_code = 1; /* SYS_SECCOMP */
	info->u.sys.call_addr = task_pc(t);
	info->u.sys.syscall = (int32_t)c->nr;
	info->u.sys.arch = ARCH;
	return -ERESTART_TRAP_;
}

/* mode1_syscalls: read, write, exit, rt_sigreturn. */
static bool strict_allows(uint32_t nr)
{
	static const uint32_t generic[] = {63, 64, 93, 139}, aarch32[] = {3, 4, 1, 119};
	const uint32_t *list = abi_profile->seccomp_strict_aarch32 ? aarch32 : generic;

	for (unsigned i = 0; i < 4; i++) {
		if (list[i] == nr)
			return true;
	}
	return false;
}

static bool judge(struct sys_call *c, int64_t *result, bool again);

/* SECCOMP_RET_TRACE: a tracer that wants to see the call may change it, -1: have none; then the filters are asked
 * again, who leave it alone if it is for the tracer still (__seccomp_filter()). */
static bool ask_tracer(struct sys_call *c, int64_t *result, uint32_t data)
{
	struct task *t = c->task;

	if (!tracee_seccomp(t, data)) {
		*result = -ENOSYS;
		return false;
	}
	c->nr = (uint32_t)t->tracee.syscall;
	if (c->nr == UINT32_MAX) {
		*result = (int64_t)t->regs.x[0];
		return false;
	}
	/* A traced thread's call works on its registers. */
	t->regs.x[8] = c->nr;
	c->x = c->given = t->regs.x;
	c->row = sys_row(c->nr);
	return judge(c, result, true);
}

static bool judge(struct sys_call *c, int64_t *result, bool again)
{
	struct task *t = c->task;
	uint32_t r, data;

	if (t->seccomp.mode == SECCOMP_STRICT) {
		if (strict_allows(c->nr))
			return true;
		*result = kill_thread(t, SIG_KILL);
		return false;
	}
	r = run_filters(c);
	data = r & SECCOMP_RET_DATA;
	switch (r & FULL) {
	case SECCOMP_RET_ALLOW:
	case SECCOMP_RET_LOG: return true;
	case SECCOMP_RET_ERRNO: *result = -(int64_t)(data < MAX_ERRNO ? data : MAX_ERRNO); break;
	case SECCOMP_RET_TRAP: *result = trap(c, data); break;
	case SECCOMP_RET_USER_NOTIF:
		/* Nobody listens (5.0); before, an unknown result. */
		if (abi_profile->seccomp_user_notif) {
			*result = -ENOSYS;
			break;
		}
		*result = kill_thread(t, SIG_SYS);
		break;
	case SECCOMP_RET_TRACE: return again || ask_tracer(c, result, data);
	case SECCOMP_RET_KILL_PROCESS: signal_die(t, SIG_SYS);
	case SECCOMP_RET_KILL_THREAD: *result = kill_thread(t, SIG_SYS); break;
	default:
		if (abi_profile->seccomp_unknown_kills_all)
			signal_die(t, SIG_SYS);
		*result = kill_thread(t, SIG_SYS);
	}
	return false;
}

bool seccomp_allows(struct sys_call *c, int64_t *result)
{
	return judge(c, result, false);
}

unsigned seccomp_count(const struct task *t)
{
	unsigned n = 0;

	for (const struct seccomp_filter *f = t->seccomp.filter; f; f = f->prev)
		n++;
	return n;
}

/* --- setting --------------------------------------------------------------------------------------------- */

static bool may_filter(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};

	if (sys_host(HOSTNR(prctl), PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return true;
	return sys_host(HOSTNR(capget), &head, data) == 0 &&
	       data[0].effective & 1u << CAP_SYS_ADMIN;
}

/* Reads and checks the program at G: seccomp_prepare_user_filter(). */
static int64_t read_filter(gaddr g, struct seccomp_filter **filter)
{
	struct seccomp_filter *f;
	struct host_sock_fprog fprog;
	unsigned len;
	gaddr insns;

	if (abi_read(&abi_st_sock_fprog, &fprog, g))
		return -EFAULT;
	len = fprog.len;
	if (len == 0 || len > BPF_MAXINSNS)
		return -EINVAL;
	if (!may_filter())
		return -EACCES;
	f = malloc(sizeof(*f) + len * sizeof(f->insn[0]));
	if (!f)
		return -ENOMEM;
	f->len = len;
	f->log = false;
	if (!mem_from_host((const void *)(uintptr_t)fprog.filter, &insns))
		insns = 0;
	if (mem_copy_in(f->insn, insns, len * sizeof(f->insn[0]))) {
		free(f);
		return -EFAULT;
	}
	if (!filter_check(f->insn, len)) {
		free(f);
		return -EINVAL;
	}
	*filter = f;
	return 0;
}

static bool is_ancestor(const struct seccomp_filter *parent, const struct seccomp_filter *child)
{
	if (!parent)
		return true;
	while (child && child != parent)
		child = child->prev;
	return child != NULL;
}

/* Whether thread T cannot take the filters of the caller (ARG). */
static bool cannot_sync(struct task *t, void *arg)
{
	struct task *caller = *(struct task **)arg;

	if (t == caller || t->exiting || t->seccomp.mode == SECCOMP_OFF ||
	    (t->seccomp.mode == SECCOMP_FILTERS &&
	     is_ancestor(t->seccomp.filter, caller->seccomp.filter)))
		return false;
	*(struct task **)arg = t;
	return true;
}

static bool sync_one(struct task *t, void *arg)
{
	const struct task *caller = arg;

	t->seccomp = caller->seccomp;
	return false;
}

static int64_t attach(struct task *t, struct seccomp_filter *f, uint32_t flags)
{
	unsigned total = f->len;
	struct task *other = t;

	for (const struct seccomp_filter *p = t->seccomp.filter; p; p = p->prev)
		total += p->len + 4;
	if (total > MAX_INSNS)
		return -ENOMEM;
	if (flags & SECCOMP_FILTER_FLAG_TSYNC && task_for_each(t, cannot_sync, &other))
		return flags & SECCOMP_FILTER_FLAG_TSYNC_ESRCH ? -ESRCH : other->tid;
	f->prev = t->seccomp.filter;
	f->log = flags & SECCOMP_FILTER_FLAG_LOG;
	t->seccomp.filter = f;
	t->seccomp.mode = SECCOMP_FILTERS;
	if (flags & SECCOMP_FILTER_FLAG_TSYNC)
		task_for_each(t, sync_one, t);
	return 0;
}

static int64_t set_filter(struct task *t, uint32_t flags, gaddr g)
{
	enum { WAIT_KILLABLE_RECV = 32 };
	const uint32_t listen = SECCOMP_FILTER_FLAG_NEW_LISTENER, sync = SECCOMP_FILTER_FLAG_TSYNC;
	struct seccomp_filter *f;
	int64_t r;

	if (flags & ~abi_profile->seccomp_flags)
		return -EINVAL;
	if ((flags & (listen | sync)) == (listen | sync) &&
	    !(flags & SECCOMP_FILTER_FLAG_TSYNC_ESRCH))
		return -EINVAL;
	if ((flags & WAIT_KILLABLE_RECV) && !(flags & listen))
		return -EINVAL;
	if (flags & listen) {
		diag_unsupported(
			"seccomp", flags,
			"seccomp: SECCOMP_FILTER_FLAG_NEW_LISTENER is not supported: EINVAL");
		return -EINVAL;
	}
	r = read_filter(g, &f);
	if (r)
		return r;
	r = t->seccomp.mode == SECCOMP_STRICT ? -EINVAL : attach(t, f, flags);
	if (r)
		free(f);
	return r;
}

static int64_t set_strict(struct task *t)
{
	if (t->seccomp.mode == SECCOMP_FILTERS)
		return -EINVAL;
	t->seccomp.mode = SECCOMP_STRICT;
	return 0;
}

static int64_t action_available(gaddr g)
{
	uint32_t action;

	if (mem_get_u32(g, &action))
		return -EFAULT;
	switch (action) {
	case SECCOMP_RET_KILL_PROCESS:
	case SECCOMP_RET_KILL_THREAD:
	case SECCOMP_RET_TRAP:
	case SECCOMP_RET_ERRNO:
	case SECCOMP_RET_TRACE:
	case SECCOMP_RET_LOG:
	case SECCOMP_RET_ALLOW: return 0;
	default: return -EOPNOTSUPP;
	}
}

int64_t sys_seccomp(struct sys_call *c)
{
	uint32_t flags = (uint32_t)c->a[1];
	gaddr args = (gaddr)c->a[2];

	switch (c->a[0]) {
	case SECCOMP_SET_MODE_STRICT: return flags || args ? -EINVAL : set_strict(c->task);
	case SECCOMP_SET_MODE_FILTER: return set_filter(c->task, flags, args);
	case SECCOMP_GET_ACTION_AVAIL: return flags ? -EINVAL : action_available(args);
	/* SECCOMP_GET_NOTIF_SIZES comes with listeners. */
	default: return -EINVAL;
	}
}

void seccomp_arg(const struct sys_call *c, struct sys_arg *arg)
{
	if (c->a[0] == SECCOMP_SET_MODE_FILTER) {
		arg->type = T_IN;
		arg->st = &abi_st_sock_fprog;
	}
}

int64_t seccomp_prctl(struct sys_call *c)
{
	switch (c->a[1]) {
	case SECCOMP_STRICT: return set_strict(c->task);
	case SECCOMP_FILTERS: return set_filter(c->task, 0, (gaddr)c->a[2]);
	default: return -EINVAL;
	}
}

/* --- execve ---------------------------------------------------------------------------------------------- */

/* The mode, then for each filter, oldest first: its length and its instructions. */
static bool write_filters(int fd, const struct seccomp_filter *f)
{
	size_t size = f ? f->len * sizeof(f->insn[0]) : 0;

	if (!f)
		return true;
	return write_filters(fd, f->prev) && write(fd, &f->len, sizeof(f->len)) == sizeof(f->len) &&
	       write(fd, f->insn, size) == (ssize_t)size;
}

int seccomp_hand_over(const struct task *t)
{
	int fd;

	if (t->seccomp.mode == SECCOMP_OFF)
		return -1;
	fd = memfd_create("ilp32run-seccomp", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, &t->seccomp.mode, sizeof(t->seccomp.mode)) != sizeof(t->seccomp.mode) ||
	    !write_filters(fd, t->seccomp.filter) || lseek(fd, 0, SEEK_SET)) {
		close(fd);
		return -ENOMEM;
	}
	return fd;
}

static int adopt(struct task *t, int fd)
{
	unsigned len;
	ssize_t n;

	if (read(fd, &t->seccomp.mode, sizeof(t->seccomp.mode)) != sizeof(t->seccomp.mode))
		return -EINVAL;
	while ((n = read(fd, &len, sizeof(len))) == sizeof(len)) {
		struct seccomp_filter *f;
		size_t size = len * sizeof(f->insn[0]);

		if (len == 0 || len > BPF_MAXINSNS || !(f = malloc(sizeof(*f) + size)))
			return -ENOMEM;
		if (read(fd, f->insn, size) != (ssize_t)size || !filter_check(f->insn, len)) {
			free(f);
			return -EINVAL;
		}
		f->len = len;
		f->log = false;
		f->prev = t->seccomp.filter;
		t->seccomp.filter = f;
	}
	return n ? -EINVAL : 0;
}

int seccomp_adopt(struct task *t, int fd)
{
	int r = adopt(t, fd);

	close(fd);
	return r;
}
