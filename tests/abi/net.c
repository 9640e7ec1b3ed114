/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages, control messages, socket options. */
#include "abi.h"

static u8 buf[4096] __attribute__((aligned(16)));

#define MSG "oracle README 6 msghdr, cmsghdr; linux net/compat.c"

struct msg {
	u32 name, namelen, iov, iovlen, control, controllen, flags;
};

static void unix_pair(u32 fds[2], u32 type)
{
	EQ(S(socketpair, 1, type, 0, fds), 0);
}

/* Sends one byte with N descriptors. */
static s64 send_descriptors(int fd, u32 n, u32 flags)
{
	u32 cmsg[8] = {12 + 4 * n, 1, 1}, iov[2] = {Z("x"), 1};
	struct msg m = {.iov = Z(iov), .iovlen = 1, .control = Z(cmsg), .controllen = 12 + 4 * n};

	for (u32 i = 0; i < n; i++)
		cmsg[3 + i] = (u32)fd;
	return S(sendmsg, fd, &m, flags);
}

static s64 receive(int fd, u8 *control, u32 size, struct msg *m)
{
	static u32 iov[2];

	iov[0] = Z(buf);
	iov[1] = 16;
	*m = (struct msg){.iov = Z(iov), .iovlen = 1, .control = Z(control), .controllen = size};
	return S(recvmsg, fd, m, 0);
}

CASE("STR-030", "sendmsg recvmsg socketpair .msghdr .cmsghdr", ALL, MSG,
     "SCM_RIGHTS with two descriptors: 20 bytes out, 20 bytes in")
{
	u8 control[64];
	u32 fds[2];
	struct msg m;

	unix_pair(fds, 2);
	EQ(send_descriptors((int)fds[0], 2, 0), 1);
	memset(control, 0xa5, 64);
	EQ(receive((int)fds[1], control, 64, &m), 1);
	EQ(m.controllen, 20);
	EQ(m.flags, 0);
	EQ(get32(control), 20);
	EQ(get32(control + 4), 1);
	EQ(get32(control + 8), 1);
	EQ(S(fcntl64, get32(control + 12), 1), 0);
	EQ(S(fcntl64, get32(control + 16), 1), 0);
	OK(all_bytes(control + 20, 0xa5, 44));
}

CASE("STR-031", "recvmsg .msghdr .cmsghdr", ALL, MSG " scm_detach_fds_compat",
     "16 bytes of control for two descriptors: MSG_CTRUNC, one descriptor, none leaked")
{
	u8 control[64];
	u32 fds[2];
	struct msg m;
	s64 next;

	unix_pair(fds, 2);
	EQ(send_descriptors((int)fds[0], 2, 0), 1);
	next = GOOD(S(dup, fds[0]));
	EQ(S(close, next), 0);
	EQ(receive((int)fds[1], control, 16, &m), 1);
	EQ(m.flags, 8);
	EQ(get32(control), 16);
	EQ(get32(control + 12), next);
	EQ(S(dup, fds[0]), next + 1);
}

CASE("STR-032", "setsockopt recvmsg .cmsghdr .timeval", UNTIL_5_10,
     "oracle README 6 cmsghdr; linux net/compat.c put_cmsg_compat",
     "SO_TIMESTAMP (29): 8 bytes of time in a control message of 20")
{
	u32 fds[2], on = 1;
	u8 control[64];
	struct msg m;

	unix_pair(fds, 2);
	EQ(S(setsockopt, fds[1], 1, 29, &on, 4), 0);
	EQ(S(write, fds[0], "x", 1), 1);
	EQ(receive((int)fds[1], control, 64, &m), 1);
	EQ(m.controllen, 20);
	EQ(get32(control), 20);
	EQ(get32(control + 8), 29);
	OK(get32(control + 12) > 1000000 && get32(control + 16) < 1000000);
}

CASE("STR-032a", "setsockopt recvmsg .cmsghdr .timeval", SINCE_6_6,
     "oracle README 6 cmsghdr; linux 5.1 net/socket.c SO_TIMESTAMP_OLD, SO_TIMESTAMP_NEW (63)",
     "SO_TIMESTAMP_OLD has 8 bytes of time, SO_TIMESTAMP_NEW 16")
{
	u32 fds[2], on = 1;
	u8 control[64];
	struct msg m;

	unix_pair(fds, 2);
	EQ(S(setsockopt, fds[1], 1, 29, &on, 4), 0);
	EQ(S(write, fds[0], "x", 1), 1);
	EQ(receive((int)fds[1], control, 64, &m), 1);
	EQ(get32(control), 20);
	EQ(S(setsockopt, fds[1], 1, 63, &on, 4), 0);
	EQ(S(write, fds[0], "x", 1), 1);
	EQ(receive((int)fds[1], control, 64, &m), 1);
	EQ(get32(control), 28);
	EQ(get32(control + 8), 63);
	OK(get64(control + 12) > 1000000 && get64(control + 20) < 1000000);
}

CASE("STR-033", "recvmsg .msghdr", ALL, MSG " MSG_CMSG_COMPAT is cleared",
     "bit 31 does not show in msg_flags")
{
	u8 control[64];
	u32 fds[2];
	struct msg m;

	unix_pair(fds, 2);
	EQ(send_descriptors((int)fds[0], 1, 0), 1);
	EQ(receive((int)fds[1], control, 64, &m), 1);
	EQ(m.flags, 0);
}

CASE("STR-034", "sendmsg recvmsg .msghdr .iovec", ALL,
     "linux net/compat.c compat_sys_sendmsg: ORs MSG_CMSG_COMPAT in",
     "flags with bit 31 are accepted")
{
	u32 fds[2], iov[2] = {Z(buf), 4};
	struct msg m = {.iov = Z(iov), .iovlen = 1};

	unix_pair(fds, 2);
	EQ(send_descriptors((int)fds[0], 1, 0x80000000), 1);
	EQ(S(recvmsg, fds[1], &m, 0x80000000), 1);
}

CASE("STR-035", "sendmmsg recvmmsg .mmsghdr", ALL, "oracle README 6 mmsghdr: 32 bytes",
     "mmsghdr: 32 bytes apart, msg_len at 28")
{
	u32 fds[2], iov[8], vec[3][8];

	unix_pair(fds, 2);
	memset(vec, 0, sizeof(vec));
	for (u32 i = 0; i < 3; i++) {
		iov[2 * i] = Z("abc");
		iov[2 * i + 1] = i + 1;
		vec[i][2] = Z(iov + 2 * i);
		vec[i][3] = 1;
	}
	EQ(S(sendmmsg, fds[0], vec, 3, 0), 3);
	EQ(vec[0][7], 1);
	EQ(vec[2][7], 3);
	for (u32 i = 0; i < 3; i++) {
		vec[i][7] = 99;
		iov[2 * i] = Z(buf + 16 * i);
		iov[2 * i + 1] = 16;
	}
	EQ(S(recvmmsg, fds[1], vec, 3, 0, 0), 3);
	for (u32 i = 0; i < 3; i++)
		EQ(vec[i][7], i + 1);
}

CASE("STR-036", "setsockopt getsockopt .timeval", ALL,
     "linux net/compat.c do_set_sock_timeout, do_get_sock_timeout",
     "SO_RCVTIMEO takes 8 bytes and gives 8 bytes")
{
	u32 fds[2], tv[2] = {0, 50000}, got[4] = {1, 1, 0xa5a5a5a5, 0}, len = 8;
	s64 from;

	unix_pair(fds, 2);
	EQ(S(setsockopt, fds[0], 1, 20, tv, 8), 0);
	EQ(S(getsockopt, fds[0], 1, 20, got, &len), 0);
	EQ(len, 8);
	OK(got[0] == 0 && got[1] >= 50000 && got[1] <= 60000); /* in ticks */
	EQ(got[2], 0xa5a5a5a5);
	from = now_ms();
	EQ(S(read, fds[0], buf, 1), -EAGAIN);
	OK(now_ms() - from >= 45);
	EQ(S(setsockopt, fds[0], 1, 20, tv, 4), -EINVAL);
}

CASE("STR-089", "setsockopt getsockopt", ALL,
     "linux net/ipv4/ip_sockglue.c, net/unix/af_unix.c: no such method",
     "a level that the protocol does not know: UDP's error and that of AF_UNIX")
{
	s64 udp = S(socket, 2, 2, 0);
	u32 fds[2], value = 1, len = 4;

	unix_pair(fds, 1);
	EQ(S(getsockopt, fds[0], 500, 10, &value, &len), -EOPNOTSUPP);
	EQ(S(setsockopt, fds[0], 500, 10, &value, 4), -EOPNOTSUPP);
	EQ(len, 4);
	if (udp < 0)
		skip("no network");
	EQ(S(getsockopt, udp, 500, 10, &value, &len), -EOPNOTSUPP);
	EQ(S(setsockopt, udp, 500, 10, &value, 4), -ENOPROTOOPT);
}

CASE("STR-077", "getsockopt .timeval", ALL, "linux net/compat.c do_get_sock_timeout",
     "SO_SNDTIMEO with room for 16 bytes: 8 are written and reported")
{
	u32 fds[2], got[4] = {1, 1, 0xa5a5a5a5, 0xa5a5a5a5}, len = 16;

	unix_pair(fds, 2);
	EQ(S(getsockopt, fds[0], 1, 21, got, &len), 0);
	EQ(len, 8);
	OK(got[0] == 0 && got[1] == 0 && got[2] == 0xa5a5a5a5);
	len = 4;
	EQ(S(getsockopt, fds[0], 1, 21, got, &len), -EINVAL);
}

CASE("STR-037", "setsockopt .sock_fprog", ALL,
     "linux net/compat.c do_set_attach_filter: 8-byte sock_fprog",
     "SO_ATTACH_FILTER takes 8 bytes, and the filter works")
{
	static u32 two[][2] = {{0x06, 2}}; /* keep two bytes of each packet */
	u32 fds[2], prog[2] = {1, Z(two)};

	unix_pair(fds, 2);
	EQ(S(setsockopt, fds[1], 1, 26, prog, 8), 0);
	EQ(S(write, fds[0], "abcdef", 6), 6);
	EQ(S(read, fds[1], buf, 16), 2);
	EQ(S(setsockopt, fds[1], 1, 27, prog, 4), 0);
}

CASE("STR-038", "setsockopt socket .group_req", ALL,
     "oracle README 6 group_req; linux net/compat.c compat_mc_setsockopt",
     "MCAST_JOIN_GROUP: the address at offset 4, 132 bytes")
{
	u8 req[136];
	s64 fd = GOOD(S(socket, 2, 2, 0));
	s64 r;

	memset(req, 0, sizeof(req));
	put32(req, 1); /* the loopback interface */
	req[4] = 2;
	put32(req + 8, 0x010000e0 | 0x7b << 16); /* 224.0.123.1 */
	req[8] = 224;
	req[9] = 0;
	req[10] = 123;
	req[11] = 1;
	r = S(setsockopt, fd, 0, 42, req, 132);
	if (r == -ENODEV || r == -EADDRNOTAVAIL)
		skip("no interface 1");
	EQ(r, 0);
	EQ(S(setsockopt, fd, 0, 42, req, 132), -EADDRINUSE);
	memset(req, 0, sizeof(req));
	put32(req, 1);
	req[8] = 2;
	req[12] = 224;
	req[15] = 1;
	EQ(S(setsockopt, fd, 0, 42, req, 136), -EINVAL);
}

CASE("STR-080", "sendmsg recvmsg .cmsghdr .ucred", ALL,
     MSG " cmsghdr_from_user_compat_to_kern: CMSG_COMPAT_ALIGN is 4",
     "the message behind a control message is at the next multiple of 4")
{
	u32 fds[2], on = 1, iov[2] = {Z("x"), 1};
	u8 control[64], got[64];
	struct msg m = {.iov = Z(iov), .iovlen = 1, .control = Z(control), .controllen = 40};

	unix_pair(fds, 2);
	EQ(S(setsockopt, fds[1], 1, 16, &on, 4), 0); /* SO_PASSCRED */
	memset(control, 0, 64);
	/* one descriptor (16 bytes), directly behind it credentials (24 bytes) */
	put32(control, 16);
	put32(control + 4, 1);
	put32(control + 8, 1);
	put32(control + 12, fds[0]);
	put32(control + 16, 24);
	put32(control + 20, 1);
	put32(control + 24, 2);
	put32(control + 28, (u32)own_pid());
	put32(control + 32, (u32)S(getuid));
	put32(control + 36, (u32)S(getgid));
	EQ(S(sendmsg, fds[0], &m, 0), 1);
	EQ(receive((int)fds[1], got, 64, &m), 1);
	EQ(m.controllen, 40);
	EQ(get32(got), 24);
	EQ(get32(got + 12), own_pid());
	EQ(get32(got + 24), 16);
	/* A length of 13 of another level: skipped up to 16. */
	put32(control, 13);
	put32(control + 4, 99);
	m = (struct msg){.iov = Z(iov), .iovlen = 1, .control = Z(control), .controllen = 40};
	EQ(S(sendmsg, fds[0], &m, 0), 1);
	/* A length below the header's is refused. */
	put32(control, 11);
	EQ(S(sendmsg, fds[0], &m, 0), -EINVAL);
}

CASE("STR-088", "recvmmsg_time64 ppoll_time64 pselect6_time64", SINCE_6_6,
     "linux 6.6 net/socket.c sys_recvmmsg; fs/select.c",
     "the 64-bit time forms wait by 16-byte times")
{
	u64 ts[2] = {0, 20000000};
	u32 fds[2], iov[2] = {Z(buf), 16}, vec[8] = {0, 0, Z(iov), 1}, arg[2] = {0, 0}, pfd[2],
		    set[2] = {0, 0};

	unix_pair(fds, 2);
	EQ(S(write, fds[0], "x", 1), 1);
	EQ(S(recvmmsg_time64, fds[1], vec, 1, 0, ts), 1);
	EQ(vec[7], 1);
	pfd[0] = fds[1];
	pfd[1] = 1;
	ts[0] = 0;
	ts[1] = 20000000 | 0xdeadbeefull << 32;
	EQ(S(ppoll_time64, pfd, 1, ts, 0, 8), 0);
	ts[0] = 0;
	ts[1] = 20000000;
	set[0] = 1u << fds[1];
	EQ(S(pselect6_time64, 32, set, 0, 0, ts, arg), 0);
}
