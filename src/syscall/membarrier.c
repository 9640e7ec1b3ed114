/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * membarrier: a barrier of the host's threads is one of the guest's. What it can do is what the profile's
 * kernel can, without the commands for restartable sequences, which need CONFIG_RSEQ.
 */
#include <errno.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"

/* Commands by kernel; in 5.10 GLOBAL_EXPEDITED, SYNC_CORE and their registration came to those of 4.14. */
static uint32_t commands(void)
{
	enum { IN_4_14 = 0x19, IN_5_10 = 0x7f, GET_REGISTRATIONS = 0x200 };

	switch (abi_profile->id) {
	case ABI_AMPERE_4_14: return IN_4_14;
	case ABI_OPENEULER_5_10: return IN_5_10;
	default: return IN_5_10 | GET_REGISTRATIONS;
	}
}

int64_t sys_membarrier(struct sys_call *c)
{
	uint32_t cmd = (uint32_t)c->a[0];
	int64_t r;

	if (cmd & ~commands())
		return -EINVAL;
	r = sys_host(HOSTNR(membarrier), c->a[0], c->a[1], c->a[2]);
	return !cmd && r > 0 ? r & commands() : r;
}
