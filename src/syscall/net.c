/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages with headers: sendmsg, recvmsg and their multiple forms. What the kernel would refuse is
 * handed on in a form that the host refuses for the same reason, so that the order of checks is its own.
 */
#include <errno.h>
#include <stdlib.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/cmsg.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"

/* Set by the kernel itself for 32-bit callers: no error when they pass it, but one for LP64. */
#define MSG_CMSG_COMPAT_ 0x80000000u

/* Writes V to member NAME of the structure ST at G: 0 or -EFAULT. */
static int put_member(const struct abi_struct *st, gaddr g, const char *name, uint32_t v)
{
	const struct abi_field *f = abi_member(st, name);
	uint8_t b[8];

	abi_put64(b, v);
	return mem_copy_out(g + f->goff, b, f->gsize);
}

/* One message: the host's form and what it points to. */
struct message {
	gaddr guest;
	struct host_msghdr h;
	gaddr iov, control;
	uint32_t niov, controllen;
	void *iov_mem;
	struct host_iovec iov_space[SYS_FAST_IOVECS];
	struct cmsg_buf cmsg;
};

static void message_free(struct message *m)
{
	free(m->iov_mem);
	cmsg_free(&m->cmsg);
}

/* An iovec of negative length is EINVAL here, while too many of them are EMSGSIZE. */
static void import_iovec(struct message *m)
{
	struct host_msghdr *h = &m->h;

	m->iov = (gaddr)h->msg_iov;
	m->niov = (uint32_t)h->msg_iovlen;
	sys_import_iovec(m->iov, m->niov, m->iov_space, &h->msg_iov, &h->msg_iovlen, &m->iov_mem);
	if (h->msg_iovlen > SYS_MAX_IOVECS && m->niov <= SYS_MAX_IOVECS) {
		m->iov_space[0] = (struct host_iovec){0, UINT64_MAX};
		h->msg_iov = (uint64_t)(uintptr_t)m->iov_space;
		h->msg_iovlen = 1;
	}
}

/* Reads the header at G, without its control data: 0 or -EFAULT. To be freed in both cases. */
static int message_read(struct message *m, gaddr g)
{
	struct host_msghdr *h = &m->h;
	gaddr name;

	m->guest = g;
	m->iov_mem = NULL;
	cmsg_init(&m->cmsg);
	if (abi_read(&abi_st_msghdr, h, g))
		return -EFAULT;
	if (h->msg_namelen > 0 && mem_from_host((void *)(uintptr_t)h->msg_name, &name))
		h->msg_name =
			sys_buf(name, h->msg_namelen < SYS_SOCKADDR_MAX ? (uint64_t)h->msg_namelen
									: SYS_SOCKADDR_MAX);
	import_iovec(m);
	m->control = (gaddr)h->msg_control;
	m->controllen = (uint32_t)h->msg_controllen;
	h->msg_control = h->msg_controllen = 0;
	return 0;
}

/* --- sending ------------------------------------------------------------------------------------ */

static uint32_t host_flags(uint64_t flags)
{
	return (uint32_t)flags & ~MSG_CMSG_COMPAT_;
}

/*
 * Control data that cannot be converted: ERR, unless the host finds something wrong before it would
 * look at them. It is given ones that cannot be read, so nothing is sent.
 */
static int64_t refused(struct sys_call *c, struct message *m, uint32_t flags, int64_t err)
{
	int64_t r;

	m->h.msg_control = SYS_BAD_POINTER;
	m->h.msg_controllen = sizeof(struct host_cmsghdr);
	r = sys_host(HOSTNR(sendmsg), c->a[0], &m->h, flags);
	return r == -EFAULT ? err : r;
}

static int64_t message_send(struct sys_call *c, struct message *m, uint32_t flags)
{
	int64_t r = 0;

	if (m->controllen > INT32_MAX)
		return refused(c, m, flags, -ENOBUFS);
	if (m->controllen)
		r = cmsg_to_host(&m->cmsg, m->control, m->controllen);
	if (r)
		return refused(c, m, flags, r);
	if (m->controllen) {
		m->h.msg_control = (uint64_t)(uintptr_t)m->cmsg.p;
		m->h.msg_controllen = m->cmsg.len;
	}
	return sys_host_blocking(c, HOSTNR(sendmsg), c->a[0], &m->h, flags);
}

static int64_t send_one(struct sys_call *c, gaddr g, uint32_t flags)
{
	struct message m;
	int64_t r;

	if (message_read(&m, g))
		r = sys_host(HOSTNR(sendmsg), c->a[0], SYS_BAD_POINTER, flags);
	else
		r = message_send(c, &m, flags);
	message_free(&m);
	return r;
}

int64_t sys_sendmsg(struct sys_call *c)
{
	return send_one(c, (gaddr)c->a[1], host_flags(c->a[2]));
}

/* An error after the first message is not reported (kernel: __sys_sendmmsg). */
int64_t sys_sendmmsg(struct sys_call *c)
{
	uint32_t n = c->a[2] < SYS_MAX_IOVECS ? (uint32_t)c->a[2] : SYS_MAX_IOVECS, sent;
	gaddr g = (gaddr)c->a[1];
	int64_t r = 0;

	if (n == 0)
		return sys_host(HOSTNR(sendmmsg), c->a[0], 0, 0, host_flags(c->a[3]));
	for (sent = 0; sent < n; sent++, g += abi_st_mmsghdr.gsize) {
		r = send_one(c, g, host_flags(c->a[3]));
		if (r >= 0)
			r = put_member(&abi_st_mmsghdr, g, "msg_len", (uint32_t)r);
		if (r < 0)
			break;
	}
	return sent ? sent : r;
}

/* --- receiving ---------------------------------------------------------------------------------- */

/* Room for control data: 0 or -ENOMEM. Without room for one header the kernel writes none either. */
static int64_t message_expect(struct message *m)
{
	int64_t r;

	if (!m->control || m->controllen < abi_st_cmsghdr.gsize)
		return 0;
	r = cmsg_expect(&m->cmsg, m->controllen);
	if (r)
		return r;
	m->h.msg_control = (uint64_t)(uintptr_t)m->cmsg.p;
	m->h.msg_controllen = m->cmsg.len;
	return 0;
}

/* RECEIVED bytes came: tells the guest the rest, in the kernel's order (___sys_recvmsg). 0, -EFAULT. */
static int64_t message_received(struct message *m, uint64_t received)
{
	struct host_msghdr *h = &m->h;
	uint32_t used = 0;
	gaddr name;

	sys_iovec_wrote(m->iov, m->niov, received);
	if (h->msg_name && mem_from_host((void *)(uintptr_t)h->msg_name, &name))
		mem_host_wrote(name, SYS_SOCKADDR_MAX);
	if (h->msg_control)
		used = cmsg_to_guest(h, m->control, m->controllen);
	if (h->msg_name &&
	    put_member(&abi_st_msghdr, m->guest, "msg_namelen", (uint32_t)h->msg_namelen))
		return -EFAULT;
	if (put_member(&abi_st_msghdr, m->guest, "msg_flags", h->msg_flags & ~MSG_CMSG_COMPAT_) ||
	    put_member(&abi_st_msghdr, m->guest, "msg_controllen", used))
		return -EFAULT;
	return 0;
}

int64_t sys_recvmsg(struct sys_call *c)
{
	uint32_t flags = host_flags(c->a[2]);
	struct message m;
	int64_t r, err;

	if (message_read(&m, (gaddr)c->a[1]))
		r = sys_host(HOSTNR(recvmsg), c->a[0], SYS_BAD_POINTER, flags);
	else if ((r = message_expect(&m)) == 0)
		r = sys_host_blocking(c, HOSTNR(recvmsg), c->a[0], &m.h, flags);
	if (r >= 0 && (err = message_received(&m, (uint64_t)r)) < 0)
		r = err;
	message_free(&m);
	return r;
}

/* Prepares up to N messages from G on: how many could be. */
static unsigned prepare(struct message *m, struct host_mmsghdr *hdr, unsigned n, gaddr g)
{
	unsigned i;

	for (i = 0; i < n; i++, g += abi_st_mmsghdr.gsize) {
		if (message_read(&m[i], g) || message_expect(&m[i])) {
			message_free(&m[i]);
			break;
		}
		hdr[i] = (struct host_mmsghdr){.msg_hdr = m[i].h};
	}
	return i;
}

static int64_t received_all(struct message *m, const struct host_mmsghdr *hdr, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		m[i].h = hdr[i].msg_hdr;
		if (message_received(&m[i], hdr[i].msg_len) ||
		    put_member(&abi_st_mmsghdr, m[i].guest, "msg_len", hdr[i].msg_len))
			return i ? i : -EFAULT;
	}
	return n;
}

/*
 * Messages for N entries from G on. The host makes the call as a whole, for it keeps an error that came after some
 * messages in the socket. Entries that cannot be read are left out.
 */
static int64_t receive_many(struct sys_call *c, gaddr g, unsigned n, uint32_t flags,
			    struct host_timespec *timeout)
{
	struct message *m = calloc(n, sizeof(*m));
	struct host_mmsghdr *hdr = calloc(n, sizeof(*hdr));
	unsigned ready = 0;
	int64_t r = -ENOMEM;

	if (m && hdr) {
		ready = prepare(m, hdr, n, g);
		r = sys_host_blocking(c, HOSTNR(recvmmsg), c->a[0],
				      ready ? (uint64_t)(uintptr_t)hdr : SYS_BAD_POINTER,
				      ready ? ready : 1, flags, timeout);
	}
	if (r > 0)
		r = received_all(m, hdr, r);
	for (unsigned i = 0; i < ready; i++)
		message_free(&m[i]);
	free(m);
	free(hdr);
	return r;
}

/*
 * Unlike sendmmsg, the kernel's recvmmsg has no limit for the number of messages (net/socket.c do_recvmmsg). The host gets
 * as many at a time as need bounded room; the next ones are asked for as the kernel's own loop does.
 */
static int64_t receive_all(struct sys_call *c, uint32_t n, struct host_timespec *timeout)
{
	enum { WAITFORONE_ = 0x10000, DONTWAIT_ = 0x40 };
	uint32_t flags = host_flags(c->a[3]), done = 0, part;
	int64_t r;

	do {
		part = n - done < SYS_MAX_IOVECS ? n - done : SYS_MAX_IOVECS;
		r = receive_many(c, (gaddr)(c->a[1] + (uint64_t)done * abi_st_mmsghdr.gsize), part,
				 flags, timeout);
		if (r > 0)
			done += (uint32_t)r;
		if (flags & WAITFORONE_)
			flags |= DONTWAIT_;
	} while (r == part && done < n &&
		 !(timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0));
	return done ? done : r;
}

int64_t sys_recvmmsg(struct sys_call *c)
{
	const struct abi_struct *st = sys_arg_of(c->row, 4)->st;
	uint32_t n = (uint32_t)c->a[2];
	gaddr timeout = (gaddr)c->a[4];
	struct host_timespec ts;
	int64_t r;

	if (timeout && abi_read(st, &ts, timeout))
		return -EFAULT;
	if (n == 0)
		return sys_host(HOSTNR(recvmmsg), c->a[0], 0, 0, host_flags(c->a[3]),
				timeout ? &ts : NULL);
	r = receive_all(c, n, timeout ? &ts : NULL);
	if (r > 0 && timeout && abi_write(st, timeout, &ts))
		return -EFAULT;
	return r;
}
