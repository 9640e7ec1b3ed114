/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headers of messages: their addresses, buffers and control records. */
#include "abi/structs.h"
#include "abi/symbols.h"
#include "mem/mem.h"
#include "syscall/cmsg.h"
#include "trace/strace.h"

#define MAX_RECORDS  16
#define MAX_ELEMENTS 32

enum { SOL_SOCKET_ = 1 };

/* N bytes of a record's data at G. */
static void data(struct text *t, const struct host_cmsghdr *h, uint64_t g, uint64_t n)
{
	const struct abi_struct *st = cmsg_element(h->cmsg_level, h->cmsg_type);

	if (!st) {
		strace_buffer(t, g, n);
		return;
	}
	text_str(t, "[");
	for (uint64_t i = 0; i < n / st->gsize; i++) {
		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS) {
			text_str(t, "...");
			break;
		}
		strace_struct(t, st, g + i * st->gsize);
	}
	text_str(t, "]");
}

/* One record of at most LEFT bytes: the distance to the next, or 0 behind the last. */
static uint64_t record(struct text *t, uint64_t g, uint64_t left)
{
	const uint64_t size = abi_st_cmsghdr.gsize;
	struct host_cmsghdr h;

	if (left < size || abi_read(&abi_st_cmsghdr, &h, (gaddr)g))
		return 0;
	text_printf(t, "{cmsg_len=%u, cmsg_level=", (unsigned)h.cmsg_len);
	text_symbol(t, &abi_sym_sock_level, (uint64_t)(int64_t)h.cmsg_level);
	text_str(t, ", cmsg_type=");
	if (h.cmsg_level == SOL_SOCKET_)
		text_symbol(t, &abi_sym_scm_type, (uint64_t)(int64_t)h.cmsg_type);
	else
		text_printf(t, "%d", h.cmsg_type);
	if (h.cmsg_len >= size && h.cmsg_len <= left) {
		text_str(t, ", cmsg_data=");
		data(t, &h, g + size, h.cmsg_len - size);
	}
	text_str(t, "}");
	return h.cmsg_len >= size && h.cmsg_len <= left ? (h.cmsg_len + 3) & ~3ull : 0;
}

static void control(struct text *t, uint64_t g, uint64_t len)
{
	uint64_t at = 0, n;

	if (!g || len < abi_st_cmsghdr.gsize) {
		strace_pointer(t, g);
		return;
	}
	text_str(t, "[");
	for (unsigned i = 0; at < len; i++, at += n) {
		if (i == MAX_RECORDS) {
			text_str(t, ", ...");
			break;
		}
		if (i && len - at >= abi_st_cmsghdr.gsize)
			text_str(t, ", ");
		n = record(t, g + at, len - at);
		if (!n)
			break;
	}
	text_str(t, "]");
}

void strace_msghdr(struct text *t, uint64_t g, uint64_t bytes)
{
	struct host_msghdr h;
	gaddr name = 0;

	if (!g || abi_read(&abi_st_msghdr, &h, (gaddr)g)) {
		strace_pointer(t, g);
		return;
	}
	(void)(h.msg_name && mem_from_host((const void *)(uintptr_t)h.msg_name, &name));
	text_str(t, "{msg_name=");
	strace_sockaddr(t, name, h.msg_namelen < 0 ? 0 : (uint64_t)h.msg_namelen);
	text_printf(t, ", msg_namelen=%d, msg_iov=", h.msg_namelen);
	strace_iovecs(t, h.msg_iov, h.msg_iovlen, bytes, true);
	text_printf(t, ", msg_iovlen=%u, msg_control=", (unsigned)h.msg_iovlen);
	control(t, h.msg_control, h.msg_controllen);
	text_printf(t, ", msg_controllen=%u, msg_flags=", (unsigned)h.msg_controllen);
	text_symbol(t, &abi_sym_msg_sock_flags, h.msg_flags);
	text_str(t, "}");
}

void strace_mmsghdrs(struct text *t, uint64_t g, uint64_t n, bool received)
{
	text_str(t, "[");
	for (uint64_t i = 0; i < n; i++, g += abi_st_mmsghdr.gsize) {
		uint32_t len = 0;

		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS ||
		    mem_get_u32((gaddr)g + abi_member(&abi_st_mmsghdr, "msg_len")->goff, &len)) {
			text_str(t, "...");
			break;
		}
		text_str(t, "{msg_hdr=");
		strace_msghdr(t, g, received ? len : UINT64_MAX);
		if (received)
			text_printf(t, ", msg_len=%u", len);
		text_str(t, "}");
	}
	text_str(t, "]");
}
