/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * membarrier: a barrier of the host's threads is one of the guest's. What it can do is what the profile's
 * kernel can, without the commands for restartable sequences, which need CONFIG_RSEQ.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdatomic.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"

enum { GET_REGISTRATIONS = 1 << 9 };

/* An engine may have registered the process for its own barriers, so whether the guest has is kept here. As with the
 * kernel's mm, a fork copies it, a vfork child shares it and execve starts anew. */
static _Atomic(bool) registered;

int64_t sys_membarrier(struct sys_call *c)
{
	uint32_t cmd = (uint32_t)c->a[0];
	int64_t r;

	if (cmd & ~abi_profile->membarrier_cmds)
		return -EINVAL;
	if (cmd == MEMBARRIER_CMD_PRIVATE_EXPEDITED && !(uint32_t)c->a[1] && !registered)
		return -EPERM;
	r = sys_host(HOSTNR(membarrier), c->a[0], c->a[1], c->a[2]);
	if (r < 0)
		return r;
	if (cmd == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
		registered = true;
	if (cmd == GET_REGISTRATIONS && !registered)
		r &= ~(int64_t)MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
	return cmd ? r : r & (int64_t)abi_profile->membarrier_cmds;
}
