/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resource limits: the host's, but for those that would hit the emulator itself. */
#include <errno.h>
#include <sys/resource.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

/* --- limits -------------------------------------------------------------------------------------------------- */

/* The emulator's stack may still have to grow after the guest has lowered the limit. */
enum { OWN_STACK = 512 << 10 };

static __attribute__((noinline)) void touch_own_stack(void)
{
	volatile char room[OWN_STACK];

	for (size_t i = sizeof room; i > 0; i -= MEM_PAGE_SIZE)
		room[i - 1] = 0;
}

/* The limit of this process that the host must not have: the emulator lives in the same address
 * space and reserves far more of it than the guest. NULL if RESOURCE is an ordinary one. */
static struct process_limit *own_limit(struct sys_call *c)
{
	pid_t pid = (pid_t)c->a[0];

	if (pid && pid != c->task->tgid)
		return NULL;
	switch (c->a[1]) {
	case RLIMIT_AS: return &c->task->process->limit_as;
	case RLIMIT_DATA: return &c->task->process->limit_data;
	default: return NULL;
	}
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

static int64_t set_own_limit(struct sys_call *c, struct process_limit *own)
{
	struct host_rlimit new, old;
	int64_t r = sys_host(HOSTNR(prlimit64), 0, c->a[1], NULL, &old);

	if (r)
		return r;
	if (own->set)
		old = (struct host_rlimit){own->cur, own->max};
	if (c->a[2]) {
		if (abi_read(&abi_st_rlimit, &new, (gaddr)c->a[2]))
			return -EFAULT;
		if (new.rlim_cur > new.rlim_max)
			return -EINVAL;
		if (new.rlim_max > old.rlim_max && !may_raise_limits())
			return -EPERM;
		diag_unsupported("rlimit", c->a[1], "RLIMIT_%s is recorded, but not enforced",
				 c->a[1] == RLIMIT_AS ? "AS" : "DATA");
		*own = (struct process_limit){true, new.rlim_cur, new.rlim_max};
	}
	return c->a[3] ? abi_write(&abi_st_rlimit, (gaddr)c->a[3], &old) : 0;
}

int64_t sys_prlimit64(struct sys_call *c)
{
	struct process_limit *own = own_limit(c);

	if (own)
		return set_own_limit(c, own);
	if (c->a[1] == RLIMIT_STACK && c->a[2])
		touch_own_stack();
	return sys_generic(c);
}
