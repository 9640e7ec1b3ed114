/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sendmsg and recvmsg: 28-byte headers, control messages of 12-byte headers aligned to 4, descriptors
 * that do not fit, time stamps, errors in the kernel's order, several messages at once.
 */
#include "io.h"

enum { SCM_RIGHTS = 1, SCM_CREDENTIALS = 2 };
enum { SO_PASSCRED = 16, SO_TIMESTAMP = 29, SO_TIMESTAMPNS = 35, SO_TIMESTAMPING = 37 };
enum { MSG_PEEK = 2, MSG_CTRUNC = 8, MSG_TRUNC = 0x20, MSG_DONTWAIT = 0x40 };
#define MSG_CMSG_CLOEXEC 0x40000000u

struct iovec {
	u32 base, len;
};
struct msghdr {
	u32 name;
	s32 namelen;
	u32 iov, iovlen, control, controllen, flags;
};
struct mmsghdr {
	struct msghdr hdr;
	u32 len;
};
struct cmsg {
	u32 len;
	s32 level, type;
};

static u8 data[64], control[512], sink[64], name[128];
static struct iovec iov = {0, 1};
static int pair[2];

static u32 addr(const void *p)
{
	return (u32)(long)p;
}

static struct msghdr message(void *text, u32 len, void *ctl, u32 ctllen)
{
	iov = (struct iovec){addr(text), len};
	return (struct msghdr){0, 0, addr(&iov), 1, addr(ctl), ctllen, 0};
}

static void put_rights(u8 *p, u32 len, int a, int b)
{
	struct cmsg h = {len, SOL_SOCKET, SCM_RIGHTS};
	int fds[2] = {a, b};

	__builtin_memcpy(p, &h, sizeof(h));
	__builtin_memcpy(p + 12, fds, len - 12);
}

/* Lowest free descriptor: tells whether some were left open. */
static s64 next_fd(void)
{
	s64 fd = sys(SYS_fcntl64, 0, 0, 3);

	sys(NR_close, fd);
	return fd;
}

static s64 send_control(u32 len)
{
	struct msghdr m = message(data, 1, control, len);

	return sys(SYS_sendmsg, pair[0], &m, 0);
}

static s64 send_two(void)
{
	memset(control, 0, sizeof(control));
	put_rights(control, 20, 0, 1);
	return send_control(20);
}

static s64 send_plain(void)
{
	struct msghdr m = message(data, 1, 0, 0);

	return sys(SYS_sendmsg, pair[0], &m, 0);
}

static void receive(const char *what, u32 room, u32 flags)
{
	memset(control, 0xa5, sizeof(control));
	struct msghdr m = message(sink, sizeof(sink), room ? control : 0, room);
	s64 r = sys(SYS_recvmsg, pair[1], &m, flags | MSG_DONTWAIT);

	print("%s: %ld flags %x control %u", what, r, m.flags, m.controllen);
	for (u32 at = 0; at + 12 <= m.controllen;) {
		struct cmsg h;
		__builtin_memcpy(&h, control + at, sizeof(h));
		print(" {%u %d %d}", h.len, h.level, h.type);
		for (u32 i = 12; h.type == SCM_RIGHTS && i + 4 <= h.len; i += 4) {
			int fd = (int)get32(control + at + i);
			print(" fd %d", fd > 2 && sys(SYS_fcntl64, fd, 1) == (flags ? 1 : 0));
			sys(NR_close, fd);
		}
		if (h.len < 12)
			break;
		at += (h.len + 3) & ~3u;
	}
	print(" then %x\n", control[m.controllen]);
}

static void rights(void)
{
	s64 free = next_fd();

	print("two descriptors: %ld\n", send_two());
	receive("room 64", 64, 0);
	send_two();
	receive("room 20", 20, MSG_CMSG_CLOEXEC);
	send_two();
	receive("room 16", 16, 0);
	send_two();
	receive("room 19", 19, 0);
	send_two();
	receive("room 12", 12, 0);
	send_two();
	receive("room 11", 11, 0);
	send_two();
	receive("no room", 0, 0);
	print("left open: %ld\n", next_fd() - free);

	memset(control, 0, sizeof(control));
	put_rights(control, 20, 0, 1);
	put_rights(control + 20, 16, 0, 0);
	print("second record at 20: %ld", send_control(36));
	receive("", 64, 0);
	memset(control, 0, sizeof(control));
	put_rights(control, 20, 0, 1);
	put_rights(control + 24, 16, 0, 0);
	print("second record at 24: %ld\n", send_control(40));
	/* A length of 13 is rounded up to 16 for the next one. */
	memset(control, 0, sizeof(control));
	struct cmsg odd = {13, 41, 1000}; /* of a level that AF_UNIX ignores */
	__builtin_memcpy(control, &odd, sizeof(odd));
	put_rights(control + 16, 16, 0, 0);
	print("after a record of 13 bytes: %ld", send_control(32));
	receive("", 64, 0);
}

static void bad_control(void)
{
	memset(control, 0, sizeof(control));
	put_rights(control, 16, 0, 0);
	print("control of 11 bytes %ld", send_control(11));
	put32(control, 11);
	print(", record of 11 %ld", send_control(16));
	put32(control, 17);
	print(", longer than there is %ld", send_control(16));
	put32(control, 16);
	put32(control + 12, 999);
	print(", closed descriptor %ld", send_control(16));
	struct msghdr m = message(data, 1, (void *)0xfffff000u, 16);
	print(", unreadable %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	m.controllen = 0x80000000u;
	print(", huge %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	m = message(data, 1, 0, 16);
	print(", NULL %ld\n", sys(SYS_sendmsg, pair[0], &m, 0));
	/* The emulator's own descriptors are high; nobody can send them. */
	u32 sent = 0;
	for (int fd = 3500; fd < 4100; fd++) {
		memset(control, 0, sizeof(control));
		put_rights(control, 16, fd, 0);
		sent += send_control(16) != -9;
	}
	print("high descriptors that could be sent: %u\n", sent);
	/* A rest that is too short for a header is no record. */
	memset(control, 0, sizeof(control));
	put_rights(control, 16, 0, 0);
	print("rest of 11 bytes: %ld", send_control(27));
	receive("", 64, 0);
}

static void errors(void)
{
	struct msghdr m = message(data, 1, 0, 0);

	print("bad descriptor first %ld %ld, no socket %ld\n",
	      sys(SYS_sendmsg, 999, 0xfffffff0u, 0), sys(SYS_recvmsg, 999, 0xfffffff0u, 0),
	      sys(SYS_sendmsg, 1, 0xfffffff0u, 0));
	print("bad header %ld %ld\n", sys(SYS_sendmsg, pair[0], 0xfffffff0u, 0),
	      sys(SYS_recvmsg, pair[0], 0xfffffff0u, MSG_DONTWAIT));
	m.iovlen = 1025;
	print("1025 iovecs %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	m.iovlen = 1;
	iov.len = 0x80000000u;
	print(", negative length %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	iov.len = 1;
	iov.base = 0xffffffffu;
	iov.len = 16;
	print(", beyond 4 GiB %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	m = message(data, 1, 0, 0);
	m.name = addr(name);
	m.namelen = -1;
	print(", name of -1 bytes %ld", sys(SYS_sendmsg, pair[0], &m, 0));
	m.name = 0xfffff000u;
	m.namelen = 16;
	print(", bad name %ld\n", sys(SYS_sendmsg, pair[0], &m, 0));
	/* The kernel's own mark of a 32-bit caller is no error when the caller sets it. */
	m = message(data, 1, 0, 0);
	print("flag 31: %ld", sys(SYS_sendmsg, pair[0], &m, 0x80000000u));
	m = message(sink, 1, 0, 0);
	s64 r = sys(SYS_recvmsg, pair[1], &m, 0x80000000u);
	print(" %ld, seen in flags %x\n", r, m.flags);
	m = message(data, 10, 0, 0);
	sys(SYS_sendmsg, pair[0], &m, 0);
	m = message(sink, 4, 0, 0);
	r = sys(SYS_recvmsg, pair[1], &m, MSG_PEEK);
	print("peek %ld flags %x", r, m.flags);
	r = sys(SYS_recvmsg, pair[1], &m, MSG_TRUNC);
	print(", cut %ld flags %x\n", r, m.flags);
}

static void credentials(void)
{
	int on = 1;

	sys(SYS_setsockopt, pair[1], SOL_SOCKET, SO_PASSCRED, &on, 4);
	send_plain();
	receive("credentials", 64, 0);
	print("pid %d uid %d\n", get32(control + 12) == (u32)sys(NR_getpid),
	      get32(control + 16) == (u32)sys(SYS_getuid));
	send_two();
	receive("and descriptors", 64, 0);
	/* 24 bytes of credentials leave room for one of two. */
	s64 free = next_fd();
	send_two();
	receive("room for one", 40, 0);
	print("left open: %ld\n", next_fd() - free);
	send_plain();
	receive("cut credentials", 18, 0);
	on = 0;
	sys(SYS_setsockopt, pair[1], SOL_SOCKET, SO_PASSCRED, &on, 4);
}

static void stamps(void)
{
	static const struct {
		const char *name;
		int option, on;
	} kinds[] = {
		{"SO_TIMESTAMP", SO_TIMESTAMP, 1},
		{"SO_TIMESTAMPNS", SO_TIMESTAMPNS, 1},
		{"SO_TIMESTAMPING", SO_TIMESTAMPING, 8 | 16}, /* RX_SOFTWARE, SOFTWARE */
	};
	u32 now[2];

	for (u32 i = 0; i < 3; i++) {
		int s = (int)sys(SYS_socket, AF_INET, SOCK_DGRAM, 0), on = kinds[i].on;
		u8 to[16] = {AF_INET, 0, 0, 0, 127, 0, 0, 1};
		u32 len = sizeof(to);

		sys(SYS_bind, s, to, len);
		sys(SYS_getsockname, s, to, &len);
		sys(SYS_setsockopt, s, SOL_SOCKET, kinds[i].option, &on, 4);
		pair[1] = s;
		/* The kernel begins to stamp packets a little after the first socket asked for it. */
		for (u32 tries = 0; tries < 100; tries++) {
			struct msghdr m = message(sink, 8, control, 64);

			sys(SYS_sendto, s, data, 1, 0, to, len);
			if (sys(SYS_recvmsg, s, &m, 0) == 1 && m.controllen)
				break;
			pause_ms(10);
		}
		sys(SYS_sendto, s, data, 1, 0, to, len);
		receive(kinds[i].name, 64, 0);
		sys(NR_clock_gettime, 0, now);
		u32 sec = get32(control + 12), part = get32(control + 16);
		print("seconds now %d, fraction in range %d\n", sec + 1 >= now[0] && sec <= now[0],
		      part < 1000000000);
		on = 0;
		sys(SYS_setsockopt, s, SOL_SOCKET, kinds[i].option, &on, 4);
		on = 1;
		sys(SYS_setsockopt, s, SOL_IP, 8, &on, 4); /* IP_PKTINFO */
		sys(SYS_sendto, s, data, 1, 0, to, len);
		if (i == 0) {
			receive("IP_PKTINFO", 64, 0);
			print("to %u.%u.%u.%u\n", control[20], control[21], control[22],
			      control[23]);
		}
		sys(NR_close, s);
	}
}

/* What recvmsg writes into the header: the name's length, control length and flags. */
static void written(void)
{
	static u8 raw[28];
	int s = (int)sys(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	u8 to[16] = {AF_INET, 0, 0, 0, 127, 0, 0, 1};
	u32 len = sizeof(to);

	sys(SYS_bind, s, to, len);
	sys(SYS_getsockname, s, to, &len);
	sys(SYS_sendto, s, data, 3, 0, to, len);
	struct msghdr m = message(sink, 8, control, 64);
	m.name = addr(name);
	m.namelen = 128;
	__builtin_memcpy(raw, &m, sizeof(m));
	s64 r = sys(SYS_recvmsg, s, raw, 0);
	print("recvmsg %ld: name %x namelen %u family %u iovlen %u controllen %u flags %x\n", r,
	      get32(raw) == addr(name), get32(raw + 4), name[0], get32(raw + 12), get32(raw + 20),
	      get32(raw + 24));
	/* A header that cannot be written: the message is gone all the same. */
	u32 page = (u32)sys(NR_mmap2, 0, PAGE, 3, 0x22, -1, 0);
	__builtin_memcpy((void *)(long)page, &m, sizeof(m));
	sys(NR_mprotect, page, PAGE, 1);
	sys(SYS_sendto, s, data, 3, 0, to, len);
	r = sys(SYS_recvmsg, s, page, 0);
	print("header not writable %ld, then %ld\n", r, sys(SYS_recvmsg, s, &m, MSG_DONTWAIT));
	sys(NR_close, s);
}

static void many(void)
{
	static u8 text[3][8] = {"a", "bc", "def"}, in[3][8];
	struct iovec v[3];
	struct mmsghdr m[4];
	u32 timeout[2] = {1, 0};

	memset(m, 0, sizeof(m));
	for (u32 i = 0; i < 3; i++) {
		v[i] = (struct iovec){addr(text[i]), i + 1};
		m[i].hdr.iov = addr(&v[i]);
		m[i].hdr.iovlen = 1;
	}
	s64 r = sys(SYS_sendmmsg, pair[0], m, 3, 0);
	print("sendmmsg %ld: %u %u %u\n", r, m[0].len, m[1].len, m[2].len);
	for (u32 i = 0; i < 3; i++)
		v[i] = (struct iovec){addr(in[i]), 8};
	m[3] = m[0];
	r = sys(SYS_recvmmsg, pair[1], m, 4, MSG_DONTWAIT, timeout);
	print("recvmmsg %ld: %u %u %u, \"%s\" \"%s\" \"%s\", time left %d\n", r, m[0].len, m[1].len,
	      m[2].len, (char *)in[0], (char *)in[1], (char *)in[2],
	      timeout[0] == 0 && timeout[1] < 1000000000);
	print("nothing there %ld", sys(SYS_recvmmsg, pair[1], m, 4, MSG_DONTWAIT, 0));
	timeout[1] = 1000000000;
	print(", bad timeout %ld, bad descriptor %ld", sys(SYS_recvmmsg, pair[1], m, 4, 0, timeout),
	      sys(SYS_recvmmsg, 999, m, 4, 0, 0));
	print(", unreadable %ld %ld, none %ld %ld\n",
	      sys(SYS_recvmmsg, pair[1], 0xfffffff0u, 2, 0, 0),
	      sys(SYS_sendmmsg, pair[0], 0xfffffff0u, 2, 0), sys(SYS_sendmmsg, pair[0], m, 0, 0),
	      sys(SYS_sendmmsg, 999, m, 0, 0));
	/* An error after the first message only ends it. */
	v[1].base = 0xfffff000u;
	print("second one bad: %ld\n", sys(SYS_sendmmsg, pair[0], m, 3, 0));
	struct msghdr one = message(sink, sizeof(sink), 0, 0);
	print("first one: %ld\n", sys(SYS_recvmsg, pair[1], &one, MSG_DONTWAIT));
}

/* Control lengths that nobody has set must not cost memory: here a thousand messages of 2 GiB each. */
static void wild_lengths(void)
{
	enum { SYS_getrusage = 165, MAXRSS_AT = 16, N = 1000, LIMIT_KIB = 200 << 10 };
	static struct mmsghdr m[N];
	static struct iovec v = {0, 8};
	u8 before[72], after[72];

	v.base = addr(sink);
	for (u32 i = 0; i < N; i++) {
		m[i].hdr = message(sink, 8, control, 0x7fffffff);
		m[i].hdr.iov = addr(&v);
		m[i].hdr.iovlen = 1;
	}
	sys(SYS_sendto, pair[0], data, 3, 0, 0, 0);
	sys(SYS_getrusage, 0, before);
	s64 r = sys(SYS_recvmmsg, pair[1], m, N, MSG_DONTWAIT, 0);
	sys(SYS_getrusage, 0, after);
	print("wild control lengths: recvmmsg %ld, length %u, control %u, memory %d\n", r, m[0].len,
	      m[0].hdr.controllen,
	      get32(after + MAXRSS_AT) - get32(before + MAXRSS_AT) < LIMIT_KIB);
}

/* recvmmsg takes as many messages as it is asked for (here: bytes of a stream), also more than sendmmsg's 1024. */
static void very_many(void)
{
	enum { N = 1500, MSG_WAITFORONE = 0x10000 };
	static struct mmsghdr m[N];
	static u8 in[N];
	static struct iovec v[N];
	s32 stream[2];
	u32 right = 0;

	sys(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, stream);
	for (u32 i = 0; i < N; i++) {
		in[i] = (u8)(i * 7);
		v[i] = (struct iovec){addr(&in[i]), 1};
		m[i].hdr = message(sink, 8, 0, 0);
		m[i].hdr.iov = addr(&v[i]);
	}
	sys(NR_write, stream[0], in, N);
	sys(NR_write, stream[0], in, N - 100);
	memset(in, 0, N);
	s64 r = sys(SYS_recvmmsg, stream[1], m, N, 0, 0);
	for (u32 i = 0; i < N; i++)
		right += in[i] == (u8)(i * 7) && m[i].len == 1;
	print("recvmmsg of %d: %ld, right %u; ", N, r, right);
	print("wait for one: %ld, ", sys(SYS_recvmmsg, stream[1], m, N, MSG_WAITFORONE, 0));
	print("nothing there: %ld\n", sys(SYS_recvmmsg, stream[1], m, N, MSG_DONTWAIT, 0));
	sys(NR_close, stream[0]);
	sys(NR_close, stream[1]);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	sys(SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
	rights();
	bad_control();
	errors();
	credentials();
	many();
	wild_lengths();
	very_many();
	stamps();
	written();
	return 0;
}
