/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * membarrier: a barrier of the host's threads is one of the guest's. What it can do is what the profile's
 * kernel can, without the commands for restartable sequences, which need CONFIG_RSEQ.
 */
#include <errno.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"

int64_t sys_membarrier(struct sys_call *c)
{
	uint32_t cmd = (uint32_t)c->a[0];
	int64_t r;

	if (cmd & ~abi_profile->membarrier_cmds)
		return -EINVAL;
	r = sys_host(HOSTNR(membarrier), c->a[0], c->a[1], c->a[2]);
	return !cmd && r > 0 ? r & (int64_t)abi_profile->membarrier_cmds : r;
}
