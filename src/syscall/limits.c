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

static int64_t set_own_limit(struct sys_call *c, struct task_limit *own)
{
	struct host_rlimit new, old = {own->cur, own->max};

	if (c->a[2]) {
		if (abi_read(&abi_st_rlimit, &new, (gaddr)c->a[2]))
			return -EFAULT;
		if (new.rlim_cur > new.rlim_max)
			return -EINVAL;
		if (new.rlim_max > old.rlim_max && !may_raise_limits())
			return -EPERM;
		*own = (struct task_limit){new.rlim_cur, new.rlim_max};
	}
	return c->a[3] ? abi_write(&abi_st_rlimit, (gaddr)c->a[3], &old) : 0;
}

int64_t sys_prlimit64(struct sys_call *c)
{
	struct task_limit *own = own_limit(c);

	return own ? set_own_limit(c, own) : sys_generic(c);
}
