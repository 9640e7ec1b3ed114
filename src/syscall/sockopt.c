/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Socket options. Nearly all values have one layout in both ABIs and the host works on the guest's
 * memory; those in options[] do not (net/compat.c). Levels that are
 * not listed, and options newer than the list, are refused: their values might hold addresses, which
 * for the host would be the emulator's.
 */
#include <errno.h>
#include <stdlib.h>

#include "abi/host_dev.h"
#include "abi/structs.h"
#include "abi/symtab.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "trace/trace.h"

enum {
	L_IP = 0,
	L_SOCKET = 1,
	L_TCP = 6,
	L_IPV6 = 41,
	L_SCTP = 132,
	L_PACKET = 263,
	L_XDP = 283,
	L_MPTCP = 284,
	L_VSOCK = 40,
};

/* clang-format off */
/* Levels, with the last option of each whose values are known to be free of addresses (Linux 6.16). */
#define LEVELS(X, N) \
	X(SOL_IP, 0, 80) \
	X(SOL_SOCKET, 1, 83) \
	X(SOL_TCP, 6, 45) \
	X(SOL_UDP, 17, 104) \
	X(SOL_RFCOMM, 18, 3) \
	X(AF_VSOCK, 40, 8) \
	X(SOL_IPV6, 41, 80) \
	X(SOL_ICMPV6, 58, 1) \
	X(SOL_CAN_RAW, 101, 7) \
	X(SOL_CAN_ISOTP, 106, 6) \
	X(SOL_CAN_J1939, 107, 4) \
	X(SOL_SCTP, 132, 140) \
	X(SOL_UDPLITE, 136, 11) \
	X(SOL_RAW, 255, 1) \
	X(SOL_PACKET, 263, 23) \
	X(SOL_LLC, 268, 10) \
	X(SOL_DCCP, 269, 192) \
	X(SOL_NETLINK, 270, 12) \
	X(SOL_TIPC, 271, 140) \
	X(SOL_PPPOL2TP, 273, 5) \
	X(SOL_BLUETOOTH, 274, 30) \
	X(SOL_ALG, 279, 7) \
	X(SOL_NFC, 280, 1) \
	X(SOL_KCM, 281, 2) \
	X(SOL_TLS, 282, 4) \
	X(SOL_XDP, 283, 8) \
	X(SOL_MPTCP, 284, 4) \
	X(SOL_SMC, 286, 1)

#define LEVEL(n, level, last) {(level), (last)},
static const struct {
	int level, last;
} levels[] = {LEVELS(LEVEL, )};
VALUES_OF(sock_level, "SOL_", LEVELS);

struct option;
typedef int64_t option_handler(struct sys_call *c, const struct option *o);

/* An option whose value is a structure. */
struct option {
	int level, name;
	const struct abi_struct *st;
	option_handler *set, *get; /* NULL: as any other */
};

static option_handler set_struct, get_struct, set_cbpf, set_filter, get_filter, set_umem, refuse;

/* Options of SOL_SOCKET: those with a structure, and names. */
#define SOCKET_OPTIONS(X, N) \
	N(SO_DEBUG, 1) \
	N(SO_REUSEADDR, 2) \
	N(SO_TYPE, 3) \
	N(SO_ERROR, 4) \
	N(SO_DONTROUTE, 5) \
	N(SO_BROADCAST, 6) \
	N(SO_SNDBUF, 7) \
	N(SO_RCVBUF, 8) \
	N(SO_KEEPALIVE, 9) \
	N(SO_OOBINLINE, 10) \
	N(SO_NO_CHECK, 11) \
	N(SO_PRIORITY, 12) \
	X(SO_LINGER, 13, &abi_st_linger, NULL, NULL) \
	N(SO_BSDCOMPAT, 14) \
	N(SO_REUSEPORT, 15) \
	N(SO_PASSCRED, 16) \
	X(SO_PEERCRED, 17, &abi_st_ucred, NULL, NULL) \
	N(SO_RCVLOWAT, 18) \
	N(SO_SNDLOWAT, 19) \
	X(SO_RCVTIMEO_OLD, 20, &abi_st_timeval, set_struct, get_struct) \
	X(SO_SNDTIMEO_OLD, 21, &abi_st_timeval, set_struct, get_struct) \
	N(SO_SECURITY_AUTHENTICATION, 22) \
	N(SO_BINDTODEVICE, 25) \
	X(SO_ATTACH_FILTER, 26, &abi_st_sock_fprog, set_struct, NULL) \
	N(SO_DETACH_FILTER, 27) \
	N(SO_PEERNAME, 28) \
	N(SO_TIMESTAMP_OLD, 29) \
	N(SO_ACCEPTCONN, 30) \
	N(SO_PEERSEC, 31) \
	N(SO_SNDBUFFORCE, 32) \
	N(SO_RCVBUFFORCE, 33) \
	N(SO_PASSSEC, 34) \
	N(SO_TIMESTAMPNS_OLD, 35) \
	N(SO_MARK, 36) \
	N(SO_TIMESTAMPING_OLD, 37) \
	N(SO_PROTOCOL, 38) \
	N(SO_DOMAIN, 39) \
	N(SO_RXQ_OVFL, 40) \
	N(SO_WIFI_STATUS, 41) \
	N(SO_PEEK_OFF, 42) \
	N(SO_NOFCS, 43) \
	N(SO_LOCK_FILTER, 44) \
	N(SO_SELECT_ERR_QUEUE, 45) \
	N(SO_BUSY_POLL, 46) \
	N(SO_MAX_PACING_RATE, 47) \
	N(SO_BPF_EXTENSIONS, 48) \
	N(SO_INCOMING_CPU, 49) \
	N(SO_ATTACH_BPF, 50) \
	X(SO_ATTACH_REUSEPORT_CBPF, 51, &abi_st_sock_fprog, set_struct, NULL) \
	N(SO_ATTACH_REUSEPORT_EBPF, 52) \
	N(SO_CNX_ADVICE, 53) \
	N(SO_MEMINFO, 55) \
	N(SO_INCOMING_NAPI_ID, 56) \
	N(SO_COOKIE, 57) \
	N(SO_PEERGROUPS, 59) \
	N(SO_ZEROCOPY, 60) \
	N(SO_TXTIME, 61) \
	N(SO_BINDTOIFINDEX, 62) \
	N(SO_TIMESTAMP_NEW, 63) \
	N(SO_TIMESTAMPNS_NEW, 64) \
	N(SO_TIMESTAMPING_NEW, 65) \
	X(SO_RCVTIMEO_NEW, 66, &abi_st_timex_time64, NULL, NULL) \
	X(SO_SNDTIMEO_NEW, 67, &abi_st_timex_time64, NULL, NULL) \
	N(SO_DETACH_REUSEPORT_BPF, 68)

#define OPTION(n, nr, st, set, get) {L_SOCKET, (nr), st, set, get},
#define NO_ROW(n, nr)
static const struct option options[] = {
	SOCKET_OPTIONS(OPTION, NO_ROW)
	{L_VSOCK, 6, &abi_st_timeval, set_struct, get_struct},   /* CONNECT_TIMEOUT_OLD */
	{L_IP, 42, &abi_st_group_req, set_struct, NULL},         /* MCAST_JOIN_GROUP */
	{L_IP, 43, &abi_st_group_source_req, set_struct, NULL},  /* MCAST_BLOCK_SOURCE, ... */
	{L_IP, 44, &abi_st_group_source_req, set_struct, NULL},
	{L_IP, 45, &abi_st_group_req, set_struct, NULL},         /* MCAST_LEAVE_GROUP */
	{L_IP, 46, &abi_st_group_source_req, set_struct, NULL},
	{L_IP, 47, &abi_st_group_source_req, set_struct, NULL},
	{L_IP, 48, &abi_st_group_filter, set_filter, get_filter}, /* MCAST_MSFILTER */
	{L_IPV6, 42, &abi_st_group_req, set_struct, NULL},
	{L_IPV6, 43, &abi_st_group_source_req, set_struct, NULL},
	{L_IPV6, 44, &abi_st_group_source_req, set_struct, NULL},
	{L_IPV6, 45, &abi_st_group_req, set_struct, NULL},
	{L_IPV6, 46, &abi_st_group_source_req, set_struct, NULL},
	{L_IPV6, 47, &abi_st_group_source_req, set_struct, NULL},
	{L_IPV6, 48, &abi_st_group_filter, set_filter, get_filter},
	{L_PACKET, 22, NULL, set_cbpf, NULL}, /* PACKET_FANOUT_DATA */
	{L_XDP, 4, NULL, set_umem, NULL},     /* XDP_UMEM_REG */
	/* Tables of iptables: rules with pointers and longs inside. */
	{L_IP, 64, NULL, refuse, NULL},
	{L_IP, 65, NULL, NULL, refuse},
	{L_IPV6, 64, NULL, refuse, NULL},
	{L_IPV6, 65, NULL, NULL, refuse},
	/* Addresses of buffers inside the value. */
	{L_TCP, 35, NULL, NULL, refuse},    /* TCP_ZEROCOPY_RECEIVE */
	{L_SCTP, 111, NULL, NULL, refuse},  /* SCTP_SOCKOPT_CONNECTX3 */
	{L_MPTCP, 4, NULL, refuse, refuse}, /* MPTCP_FULL_INFO */
};
VALUES_OF(sock_option, "SO_", SOCKET_OPTIONS);
/* clang-format on */

/* --- look-up ------------------------------------------------------------------------------------- */

static const struct option *option_of(const struct sys_call *c)
{
	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i].level == (int)c->a[1] && options[i].name == (int)c->a[2])
			return &options[i];
	}
	return NULL;
}

static bool is_known(const struct sys_call *c)
{
	for (unsigned i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (levels[i].level == (int)c->a[1])
			return (unsigned)c->a[2] <= (unsigned)levels[i].last;
	}
	return false;
}

/* What is wrong with the descriptor as a socket: 0, -EBADF, -ENOTSOCK. */
static int64_t check_socket(struct sys_call *c)
{
	enum { SO_TYPE_ = 3 };
	int type, len = sizeof(type);

	return sys_host(HOSTNR(getsockopt), c->a[0], L_SOCKET, SO_TYPE_, &type, &len);
}

static int64_t refuse(struct sys_call *c, const struct option *o)
{
	int64_t r = check_socket(c);

	(void)o;
	if (r)
		return r;
	diag_unsupported("sockopt", c->a[1] << 32 | (uint32_t)c->a[2],
			 "socket option %d of level %d is not supported: ENOPROTOOPT", (int)c->a[2],
			 (int)c->a[1]);
	return -ENOPROTOOPT;
}

/* For strace. */
void sockopt_arg(const struct sys_call *c, struct sys_arg *arg)
{
	const struct option *o = option_of(c);
	bool set = arg->type == T_BUF_IN;
	uint32_t len = (uint32_t)c->a[4];

	if (!set && mem_get_u32((gaddr)c->a[4], &len))
		return;
	if (o && o->st && len >= o->st->gsize)
		arg->st = o->st;
	else if (len == 4)
		arg->st = &abi_st_s32;
	else
		return;
	arg->type = set ? T_IN : T_OUT;
}

/* --- values that are structures -------------------------------------------------------------------- */

/* A value that is too long is no error; too short or unreadable is one, after those of the socket. */
static int64_t set_struct(struct sys_call *c, const struct option *o)
{
	uint64_t host[(ABI_MAX_SIZE + 7) / 8];
	int64_t r;

	if ((int32_t)c->a[4] < 0)
		return -EINVAL;
	if ((r = check_socket(c)))
		return r;
	if (c->a[4] < o->st->gsize)
		return -EINVAL;
	if (abi_read(o->st, host, (gaddr)c->a[3]))
		return -EFAULT;
	return sys_host(HOSTNR(setsockopt), c->a[0], c->a[1], c->a[2], host, o->st->hsize);
}

static int64_t get_struct(struct sys_call *c, const struct option *o)
{
	uint64_t host[(ABI_MAX_SIZE + 7) / 8];
	uint32_t host_len = o->st->hsize, len;
	int64_t r = sys_host(HOSTNR(getsockopt), c->a[0], c->a[1], c->a[2], host, &host_len);

	if (r)
		return r;
	if (mem_get_u32((gaddr)c->a[4], &len))
		return -EFAULT;
	if ((int32_t)len < o->st->gsize)
		return -EINVAL;
	r = abi_write(o->st, (gaddr)c->a[3], host);
	return r ? r : mem_put_u32((gaddr)c->a[4], o->st->gsize);
}

static int64_t plain_set(struct sys_call *c)
{
	return sys_host(HOSTNR(setsockopt), c->a[0], c->a[1], c->a[2],
			c->a[3] ? sys_buf(c->a[3], c->a[4]) : 0, c->a[4]);
}

/* PACKET_FANOUT_DATA takes a classic filter or, with another length, a descriptor. */
static int64_t set_cbpf(struct sys_call *c, const struct option *o)
{
	static const struct option fprog = {.st = &abi_st_sock_fprog};

	(void)o;
	return c->a[4] == abi_st_sock_fprog.gsize ? set_struct(c, &fprog) : plain_set(c);
}

/* --- source filters: an array behind a header that is 4 bytes longer on the host -------------------- */

#define FILTER_GROWTH (sizeof(struct host_group_filter) - abi_st_group_filter.gsize)

/* More than net.core.optmem_max ever allows is ENOBUFS in the kernel too. */
#define MAX_FILTER (1u << 24)

/* Reads LEN bytes of a filter; NULL and *ERR otherwise. To be freed. */
static uint8_t *read_filter(gaddr g, uint32_t len, int64_t *err)
{
	const struct abi_struct *st = &abi_st_group_filter;
	uint8_t *p;

	*err = -EINVAL;
	if (len < st->gsize)
		return NULL;
	*err = -ENOBUFS;
	if (len > MAX_FILTER || !(p = malloc(len + FILTER_GROWTH)))
		return NULL;
	*err = -EFAULT;
	if ((uint64_t)g + len > MEM_SPACE || abi_read(st, p, g) ||
	    mem_copy_in(p + st->hsize, g + st->gsize, len - st->gsize)) {
		free(p);
		return NULL;
	}
	*err = 0;
	return p;
}

static int64_t set_filter(struct sys_call *c, const struct option *o)
{
	int64_t r = check_socket(c);
	uint8_t *p;

	(void)o;
	if (r)
		return r;
	p = read_filter((gaddr)c->a[3], (uint32_t)c->a[4], &r);
	if (p)
		r = sys_host(HOSTNR(setsockopt), c->a[0], c->a[1], c->a[2], p,
			     c->a[4] + FILTER_GROWTH);
	free(p);
	return r;
}

/* The header is both read and written; as many sources as fit follow. */
static int64_t get_filter(struct sys_call *c, const struct option *o)
{
	const struct abi_struct *st = o->st;
	gaddr g = (gaddr)c->a[3];
	uint32_t len, host_len;
	int64_t r = check_socket(c);
	uint8_t *p;

	if (r)
		return r;
	if (mem_get_u32((gaddr)c->a[4], &len))
		return -EFAULT;
	p = read_filter(g, len, &r);
	if (!p)
		return r;
	host_len = len + (uint32_t)FILTER_GROWTH;
	r = sys_host(HOSTNR(getsockopt), c->a[0], c->a[1], c->a[2], p, &host_len);
	len = host_len - (uint32_t)FILTER_GROWTH;
	if (r == 0 && host_len >= st->hsize &&
	    (abi_write(st, g, p) || mem_copy_out(g + st->gsize, p + st->hsize, len - st->gsize) ||
	     mem_put_u32((gaddr)c->a[4], len)))
		r = -EFAULT;
	free(p);
	return r;
}

/* --- XDP_UMEM_REG: begins with the address and length of the packets' memory ------------------------ */

static int64_t set_umem(struct sys_call *c, const struct option *o)
{
	enum { MIN_SIZE = 16 };
	uint64_t value[8] = {0};
	size_t len = c->a[4] < sizeof(value) ? c->a[4] : sizeof(value);

	(void)o;
	if (len < MIN_SIZE)
		return plain_set(c);
	if (mem_copy_in(value, (gaddr)c->a[3], len))
		return -EFAULT;
	if (value[0] >= MEM_SPACE || value[1] > MEM_SPACE)
		return -EFAULT;
	value[0] = sys_buf(value[0], value[1]);
	return sys_host(HOSTNR(setsockopt), c->a[0], c->a[1], c->a[2], value, len);
}

/* Protocols have their own errors for levels that they do not know. Asked without room for a value, the host
 * only says that. */
static int64_t unknown_set(struct sys_call *c)
{
	int64_t r = sys_host(HOSTNR(setsockopt), c->a[0], c->a[1], c->a[2], NULL, 0);

	return r == -EOPNOTSUPP ? r : refuse(c, NULL);
}

static int64_t unknown_get(struct sys_call *c)
{
	int len = 0;
	int64_t r = sys_host(HOSTNR(getsockopt), c->a[0], c->a[1], c->a[2], &len, &len);

	return r == -EOPNOTSUPP ? r : refuse(c, NULL);
}

/* --- calls ------------------------------------------------------------------------------------- */

int64_t sys_setsockopt(struct sys_call *c)
{
	const struct option *o = option_of(c);

	if (o && o->set)
		return o->set(c, o);
	return is_known(c) ? plain_set(c) : unknown_set(c);
}

/* The host gets its own copy of the length, so that another thread cannot change what was checked. */
int64_t sys_getsockopt(struct sys_call *c)
{
	const struct option *o = option_of(c);
	gaddr lenp = (gaddr)c->a[4];
	uint32_t len, before;
	int64_t r;

	if (o && o->get)
		return o->get(c, o);
	if (!is_known(c))
		return unknown_get(c);
	if (mem_get_u32(lenp, &len))
		return sys_host(HOSTNR(getsockopt), c->a[0], c->a[1], c->a[2], 0, SYS_BAD_POINTER);
	before = len;
	r = sys_host(HOSTNR(getsockopt), c->a[0], c->a[1], c->a[2],
		     (int32_t)len < 0 ? SYS_BAD_POINTER : sys_out(c, c->a[3], len), &len);
	if ((r >= 0 || len != before) && mem_put_u32(lenp, len))
		return -EFAULT;
	return r;
}
