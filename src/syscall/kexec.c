/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kexec_load (kernel compat_sys_kexec_load()). */
#include <errno.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"

#define MAX_SEGMENTS 16

int64_t sys_kexec_load(struct sys_call *c)
{
	enum { ARCH_MASK = 0xffff0000 };
	const struct abi_struct *st = &abi_st_kexec_segment;
	struct host_kexec_segment segment[MAX_SEGMENTS];

	/* The default architecture would be the native one. */
	if (!(c->a[3] & ARCH_MASK) || c->a[1] > MAX_SEGMENTS)
		return -EINVAL;
	for (uint64_t i = 0; i < c->a[1]; i++) {
		uint64_t g = c->a[2] + i * st->gsize;

		if (g > UINT32_MAX || abi_read(st, &segment[i], (uint32_t)g))
			return -EFAULT;
		/* What is copied is the guest's memory, where it goes is the machine's. */
		segment[i].buf = sys_buf(segment[i].buf, segment[i].bufsz);
	}
	return sys_host(HOSTNR(kexec_load), c->a[0], c->a[1], segment, c->a[3]);
}
