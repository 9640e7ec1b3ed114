/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall/cmsg.h"
#include "syscall/device.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/structs.h"
#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "task/task.h"
#include "trace/trace.h"

enum { SOL_SOCKET_ = 1, SOL_RDS_ = 276 };
enum { SCM_RIGHTS_ = 1 };
enum { MSG_CTRUNC_ = 8 };

#define GUEST_HDR      ((uint32_t)12)
#define HOST_HDR       sizeof(struct host_cmsghdr)
#define GUEST_ALIGN(n) (((uint64_t)(n) + 3) & ~3ull)
#define HOST_ALIGN(n)  (((size_t)(n) + 7) & ~(size_t)7)

/* More control data than net.core.optmem_max ever allows is ENOBUFS in the kernel too. */
#define MAX_CONTROL (1u << 24)
/* What is received with one message is far below this: 253 descriptors, credentials, time stamps, options of
 * the network layer. A length that the guest never set must not decide how much memory is used. */
#define MAX_EXPECTED ((size_t)1 << 16)

static const struct {
	int32_t type; /* of SOL_SOCKET */
	const struct abi_struct *st;
} elements[] = {
	{SCM_RIGHTS_, &abi_st_s32}, {2, &abi_st_ucred},     /* SCM_CREDENTIALS */
	{29, &abi_st_timeval},                              /* SCM_TIMESTAMP */
	{35, &abi_st_timespec},     {37, &abi_st_timespec}, /* SCM_TIMESTAMPNS, SCM_TIMESTAMPING */
};

const struct abi_struct *cmsg_element(int32_t level, int32_t type)
{
	for (unsigned i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		if (level == SOL_SOCKET_ && type == elements[i].type)
			return elements[i].st;
	}
	return NULL;
}

void cmsg_init(struct cmsg_buf *b)
{
	b->p = (uint8_t *)b->space;
	b->len = 0;
	b->room = sizeof(b->space);
}

void cmsg_free(struct cmsg_buf *b)
{
	if (b->p != (uint8_t *)b->space)
		free(b->p);
}

/* Makes room for N bytes in all; what is behind the first b->len is zero if it had to be got. */
static bool grow(struct cmsg_buf *b, size_t n)
{
	uint8_t *p;
	size_t room = b->room;

	if (n <= room)
		return true;
	while (room < n)
		room *= 2;
	p = calloc(1, room);
	if (!p)
		return false;
	memcpy(p, b->p, b->len);
	cmsg_free(b);
	b->p = p;
	b->room = room;
	return true;
}

/* --- sending ------------------------------------------------------------------------------------ */

static int64_t check_sent(const struct host_cmsghdr *h, const uint8_t *data)
{
	if (h->cmsg_level == SOL_RDS_) {
		/* Its records hold addresses, which would be the emulator's. */
		diag_unsupported("cmsg", SOL_RDS_, "control messages of SOL_RDS are not supported");
		return -EINVAL;
	}
	if (h->cmsg_level != SOL_SOCKET_ || h->cmsg_type != SCM_RIGHTS_)
		return 0;
	for (uint64_t at = 0; at + 4 <= h->cmsg_len - HOST_HDR; at += 4) {
		if (task_fd_is_reserved((int)abi_get32(data + at)))
			return -EBADF;
	}
	return 0;
}

/* One record: guest header RAW, data at G. */
static int64_t append(struct cmsg_buf *b, const uint8_t *raw, gaddr g)
{
	struct host_cmsghdr h;
	size_t n, space;
	uint8_t *to;

	abi_to_host(&abi_st_cmsghdr, &h, raw);
	n = h.cmsg_len - GUEST_HDR;
	h.cmsg_len += HOST_HDR - GUEST_HDR;
	space = HOST_ALIGN(h.cmsg_len);
	if (b->len + space > MAX_CONTROL)
		return -ENOBUFS;
	if (!grow(b, b->len + space))
		return -ENOMEM;
	to = b->p + b->len;
	memset(to + space - 8, 0, 8); /* the padding, before what may overlap it */
	memcpy(to, &h, HOST_HDR);
	if (mem_copy_in(to + HOST_HDR, g, n))
		return -EFAULT;
	b->len += space;
	return check_sent(&h, to + HOST_HDR);
}

int64_t cmsg_to_host(struct cmsg_buf *b, gaddr g, uint32_t len)
{
	uint64_t at = 0;

	/* A rest that is too short for a header is ignored, as CMSG_NXTHDR does. */
	while (g && at + GUEST_HDR <= len) {
		uint8_t raw[12];
		uint32_t n;
		int64_t r;

		if (g + at + GUEST_HDR > MEM_SPACE || mem_copy_in(raw, (gaddr)(g + at), GUEST_HDR))
			return -EFAULT;
		n = abi_get32(raw);
		if (n < GUEST_HDR || n > len - at)
			return -EINVAL;
		if (g + at + n > MEM_SPACE)
			return -EFAULT;
		r = append(b, raw, (gaddr)(g + at + GUEST_HDR));
		if (r)
			return r;
		at += GUEST_ALIGN(n);
	}
	return b->len ? 0 : -EINVAL;
}

/* --- receiving ---------------------------------------------------------------------------------- */

int64_t cmsg_expect(struct cmsg_buf *b, uint32_t len)
{
	/* No record becomes more than half of its host size, and a cut one needs some more of it. */
	size_t n = 2 * (size_t)len + 64;

	if (n > MAX_EXPECTED)
		n = MAX_EXPECTED;
	if (!grow(b, n))
		return -ENOMEM;
	b->len = n;
	if (b->p == (uint8_t *)b->space)
		memset(b->p, 0, n);
	return 0;
}

/* Where in the guest the next record goes. */
struct cursor {
	gaddr g;
	uint32_t left;
	uint32_t *flags;
};

static void advance(struct cursor *c, uint64_t space)
{
	uint32_t n = space < c->left ? (uint32_t)space : c->left;

	c->g += n;
	c->left -= n;
}

static bool put_header(const struct cursor *c, const struct host_cmsghdr *h, uint32_t len)
{
	struct host_cmsghdr out = *h;

	out.cmsg_len = len;
	return abi_write(&abi_st_cmsghdr, c->g, &out) == 0;
}

/* put_cmsg(): LEN bytes of guest data, cut to what is left. A record that cannot be written is
 * skipped. */
static void put_record(struct cursor *c, const struct host_cmsghdr *h, const uint8_t *data,
		       size_t len)
{
	uint64_t n = GUEST_HDR + len;

	if (c->left < GUEST_HDR) {
		*c->flags |= MSG_CTRUNC_;
		return;
	}
	if (n > c->left) {
		*c->flags |= MSG_CTRUNC_;
		n = c->left;
	}
	if (c->g + n > MEM_SPACE || !put_header(c, h, (uint32_t)n) ||
	    mem_copy_out(c->g + GUEST_HDR, data, n - GUEST_HDR))
		return;
	advance(c, GUEST_ALIGN(GUEST_HDR + len));
}

/* scm_detach_fds(): as many descriptors as fit; the others were never received. */
static void put_rights(struct cursor *c, const struct host_cmsghdr *h, const uint8_t *data,
		       size_t len)
{
	size_t n = len / 4, max = c->left >= GUEST_HDR ? (c->left - GUEST_HDR) / 4 : 0, i;

	if (max > n)
		max = n;
	for (i = 0; i < max; i++) {
		uint64_t to = c->g + GUEST_HDR + 4 * (uint64_t)i;

		if (to + 4 > MEM_SPACE || mem_copy_out((gaddr)to, data + 4 * i, 4))
			break;
		device_fd_arrived((int)abi_load_host(data + 4 * i, 4));
	}
	if (i < n)
		*c->flags |= MSG_CTRUNC_;
	for (size_t k = i; k < n; k++)
		sys_host(HOSTNR(close), (int)abi_load_host(data + 4 * k, 4));
	if (i && put_header(c, h, GUEST_HDR + 4 * (uint32_t)i))
		advance(c, GUEST_HDR + 4 * (uint64_t)i);
}

static void convert(struct cursor *c, const struct host_cmsghdr *h, const uint8_t *data, size_t len)
{
	const struct abi_struct *st = cmsg_element(h->cmsg_level, h->cmsg_type);
	uint8_t guest[64];
	size_t n = st ? len / st->hsize : 0;

	if (h->cmsg_level == SOL_SOCKET_ && h->cmsg_type == SCM_RIGHTS_) {
		put_rights(c, h, data, len);
		return;
	}
	/* Only time stamps are converted, of which a record has up to three. */
	if (!st || st->same || n == 0 || n * st->gsize > sizeof(guest)) {
		put_record(c, h, data, len);
		return;
	}
	for (size_t i = 0; i < n; i++)
		abi_to_guest(st, guest + i * st->gsize, data + i * st->hsize);
	put_record(c, h, guest, n * st->gsize);
}

uint32_t cmsg_to_guest(struct host_msghdr *h, gaddr g, uint32_t len)
{
	struct cursor c = {g, g ? len : 0, &h->msg_flags};
	const uint8_t *p = (const uint8_t *)(uintptr_t)h->msg_control;
	size_t at = 0, end = h->msg_controllen;

	while (at + HOST_HDR <= end) {
		struct host_cmsghdr rec;

		memcpy(&rec, p + at, HOST_HDR);
		if (rec.cmsg_len < HOST_HDR || rec.cmsg_len > end - at)
			break;
		convert(&c, &rec, p + at + HOST_HDR, rec.cmsg_len - HOST_HDR);
		at += HOST_ALIGN(rec.cmsg_len);
	}
	return c.g - g;
}
