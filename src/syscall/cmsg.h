/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control data of sendmsg and recvmsg. Guest records have 12-byte headers and begin at multiples of
 * four, LP64 ones 16 and eight; old time stamps have 32-bit halves (net/compat.c).
 */
#ifndef SYSCALL_CMSG_H
#define SYSCALL_CMSG_H

#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "abi/host.h"
#include "mem/mem.h"

/* Host control data: in SPACE, or in malloc'ed memory when that is too small. */
struct cmsg_buf {
	uint8_t *p;
	size_t len, room;
	uint64_t space[1024 / 8];
};

void cmsg_init(struct cmsg_buf *b);
void cmsg_free(struct cmsg_buf *b);

/*
 * Builds the host's form of the LEN bytes of records at G, as the kernel does
 * (cmsghdr_from_user_compat_to_kern). 0, -EFAULT, -EINVAL for records that do not fit or when there is
 * none, -EBADF when a descriptor of the emulator would be sent, -ENOBUFS, -ENOMEM.
 */
int64_t cmsg_to_host(struct cmsg_buf *b, gaddr g, uint32_t len);

/* Makes room for what a guest with LEN bytes can receive; all zero. 0 or -ENOMEM. */
int64_t cmsg_expect(struct cmsg_buf *b, uint32_t len);

/*
 * Gives the guest, in LEN bytes at G, the records that the host left in H's control data, as put_cmsg()
 * and scm_detach_fds() do: what does not fit is cut and MSG_CTRUNC is set in H; descriptors that do not
 * fit are closed. The number of bytes used.
 */
uint32_t cmsg_to_guest(struct host_msghdr *h, gaddr g, uint32_t len);

/* What the data of a record consist of, one or more times. NULL: bytes that are the same on both sides. */
const struct abi_struct *cmsg_element(int32_t level, int32_t type);

#endif
