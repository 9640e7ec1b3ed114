/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resource limits: the host's, but for those that would hit the emulator itself. */
#include <errno.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"

/* --- limits -------------------------------------------------------------------------------------------------- */

/* The limit of this process that the host must not have (task/limits.h); NULL if RESOURCE is an ordinary
 * one. */
static struct task_limit *own_limit(struct sys_call *c)
{
	pid_t pid = (pid_t)c->a[0];

	if (pid && pid != c->task->tgid)
		return NULL;
	return task_own_limit(c->task->process, (unsigned)c->a[1]);
}

#define CAP_SYS_RESOURCE_BIT (1u << 24)

static bool may_raise_limits(void)
{
	struct {
		uint32_t version;
		int32_t pid;
	} head = {0x20080522, 0};
	struct {
		uint32_t effective, permitted, inheritable;
	} data[2];

	return sys_host(HOSTNR(capget), &head, data) == 0 &&
	       (data[0].effective & CAP_SYS_RESOURCE_BIT);
}

static int64_t set_own(struct task_limit *own, const struct host_rlimit *new)
{
	if (new->rlim_cur > new->rlim_max)
		return -EINVAL;
	if (new->rlim_max > own->max && !may_raise_limits())
		return -EPERM;
	*own = (struct task_limit){new->rlim_cur, new->rlim_max};
	return 0;
}

static int64_t set_own_limit(struct sys_call *c, struct task_limit *own)
{
	struct host_rlimit new, old = {own->cur, own->max};

	if (c->a[2]) {
		int64_t r = abi_read(&abi_st_rlimit, &new, (gaddr)c->a[2]) ? -EFAULT
									   : set_own(own, &new);
		if (r)
			return r;
	}
	return c->a[3] ? abi_write(&abi_st_rlimit, (gaddr)c->a[3], &old) : 0;
}

int64_t sys_prlimit64(struct sys_call *c)
{
	struct task_limit *own = own_limit(c);

	return own ? set_own_limit(c, own) : sys_generic(c);
}

/* The old forms, of this process: the same through prlimit64's row, with a structure of their own. */
static int64_t limit_of_self(struct sys_call *c, struct host_rlimit *new, struct host_rlimit *old)
{
	struct task_limit *own = task_own_limit(c->task->process, (unsigned)c->a[0]);

	if (!own)
		return sys_host(HOSTNR(prlimit64), 0, c->a[0], new, old);
	if (old)
		*old = (struct host_rlimit){own->cur, own->max};
	return new ? set_own(own, new) : 0;
}

/* compat_sys_getrlimit(): what does not fit is COMPAT_RLIM_INFINITY, all ones. */
int64_t sys_getrlimit(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 1)->st;
	const bool narrow = abi_member(st, "rlim_cur")->gsize < 8;
	struct host_rlimit old;
	int64_t r = limit_of_self(c, NULL, &old);

	if (r)
		return r;
	if (narrow && old.rlim_cur > UINT32_MAX)
		old.rlim_cur = UINT32_MAX;
	if (narrow && old.rlim_max > UINT32_MAX)
		old.rlim_max = UINT32_MAX;
	return abi_write(st, (gaddr)c->a[1], &old);
}

int64_t sys_setrlimit(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 1)->st;
	const bool narrow = abi_member(st, "rlim_cur")->gsize < 8;
	struct host_rlimit new;

	if (abi_read(st, &new, (gaddr)c->a[1]))
		return -EFAULT;
	if (narrow && new.rlim_cur == UINT32_MAX)
		new.rlim_cur = UINT64_MAX;
	if (narrow && new.rlim_max == UINT32_MAX)
		new.rlim_max = UINT64_MAX;
	return limit_of_self(c, &new, NULL);
}
