/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Socket options whose values are smaller or laid out otherwise than on LP64 kernels. */
#include "io.h"

enum { SO_TYPE = 3, SO_LINGER = 13, SO_RCVTIMEO = 20, SO_SNDTIMEO = 21, SO_ATTACH_FILTER = 26 };
enum { SO_RCVTIMEO_NEW = 66, SO_SNDTIMEO_NEW = 67 };
enum { MCAST_JOIN_GROUP = 42, MCAST_LEAVE_GROUP = 45, MCAST_JOIN_SOURCE_GROUP = 46 };
enum { MCAST_MSFILTER = 48 };

static u8 buf[512];

static s64 get(int s, int level, int name, void *p, u32 *len)
{
	return sys(SYS_getsockopt, s, level, name, p, len);
}

static s64 set(int s, int level, int name, const void *p, u32 len)
{
	return sys(SYS_setsockopt, s, level, name, p, len);
}

static void timeouts(int s)
{
	u32 tv[4] = {7, 200000, 0xa5a5a5a5, 0xa5a5a5a5}, len;
	u64 wide[2];

	print("SO_RCVTIMEO set 8: %ld, 7: %ld, 16: %ld, bad pointer %ld, bad descriptor %ld\n",
	      set(s, SOL_SOCKET, SO_RCVTIMEO, tv, 8), set(s, SOL_SOCKET, SO_RCVTIMEO, tv, 7),
	      set(s, SOL_SOCKET, SO_RCVTIMEO, tv, 16),
	      set(s, SOL_SOCKET, SO_RCVTIMEO, (void *)0xfffff000u, 8),
	      set(999, SOL_SOCKET, SO_RCVTIMEO, tv, 7));
	len = 16;
	memset(buf, 0xa5, 32);
	s64 r = get(s, SOL_SOCKET, SO_RCVTIMEO, buf, &len);
	print("get with 16: %ld length %u: %u.%06u then %x\n", r, len, get32(buf), get32(buf + 4),
	      buf[8]);
	len = 7;
	print("get with 7: %ld\n", get(s, SOL_SOCKET, SO_RCVTIMEO, buf, &len));
	tv[0] = 0;
	tv[1] = 1000000;
	print("a million microseconds %ld", set(s, SOL_SOCKET, SO_SNDTIMEO, tv, 8));
	tv[0] = 0xffffffff;
	tv[1] = 0;
	print(", -1 s %ld", set(s, SOL_SOCKET, SO_SNDTIMEO, tv, 8));
	len = 8;
	get(s, SOL_SOCKET, SO_SNDTIMEO, buf, &len);
	print(" reads %u.%06u\n", get32(buf), get32(buf + 4));
	/* With 64-bit halves, as kernels since 5.1 have it. */
	wide[0] = 3;
	wide[1] = 500000;
	r = set(s, SOL_SOCKET, SO_SNDTIMEO_NEW, wide, 16);
	len = 8;
	get(s, SOL_SOCKET, SO_SNDTIMEO, buf, &len);
	print("SO_SNDTIMEO_NEW %ld, old form %u.%06u\n", r, get32(buf), get32(buf + 4));
	len = 16;
	r = get(s, SOL_SOCKET, SO_SNDTIMEO_NEW, buf, &len);
	print("new form %ld length %u: %lu\n", r, len, get64(buf));
}

/* The effect counts, too: reading times out. */
static void expires(int s)
{
	u32 tv[2] = {0, 50000}, ts[2], before;

	set(s, SOL_SOCKET, SO_RCVTIMEO, tv, 8);
	sys(NR_clock_gettime, 1, ts);
	before = ts[0] * 1000 + ts[1] / 1000000;
	s64 r = sys(SYS_recvfrom, s, buf, 1, 0, 0, 0);
	sys(NR_clock_gettime, 1, ts);
	u32 ms = ts[0] * 1000 + ts[1] / 1000000 - before;
	print("recv %ld after 50 ms or more: %d\n", r, ms >= 45 && ms < 5000);
}

/* A filter that lets nothing through: one instruction, return 0. */
static void filter(void)
{
	static u64 drop[1] = {0x6 /* BPF_RET|BPF_K, 0 */};
	u32 fprog[2] = {1, (u32)(long)drop};
	int p[2];

	sys(SYS_socketpair, AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, p);
	print("SO_ATTACH_FILTER 8: %ld, 7: %ld", set(p[1], SOL_SOCKET, SO_ATTACH_FILTER, fprog, 8),
	      set(p[1], SOL_SOCKET, SO_ATTACH_FILTER, fprog, 7));
	sys(NR_write, p[0], "x", 1);
	print(", received %ld\n", sys(NR_read, p[1], buf, 1));
	fprog[1] = 0xfffff000u;
	print("bad program %ld", set(p[1], SOL_SOCKET, SO_ATTACH_FILTER, fprog, 8));
	fprog[0] = 0;
	print(", empty program %ld\n", set(p[1], SOL_SOCKET, SO_ATTACH_FILTER, fprog, 8));
}

static void groups(int s)
{
	static u8 req[264], gf[140 + 2 * 128];
	static const u8 group[8] = {AF_INET, 0, 0, 0, 239, 1, 2, 3};
	static const u8 source[8] = {AF_INET, 0, 0, 0, 127, 0, 0, 1};
	u32 len;

	/* The address is at 4, not at 8 as on LP64. */
	put32(req, 1);
	memcpy(req + 4, group, 8);
	print("MCAST_JOIN_GROUP 132: %ld, again %ld, 131: %ld\n",
	      set(s, SOL_IP, MCAST_JOIN_GROUP, req, 132),
	      set(s, SOL_IP, MCAST_JOIN_GROUP, req, 132),
	      set(s, SOL_IP, MCAST_JOIN_GROUP, req, 131));
	print("MCAST_LEAVE_GROUP: %ld\n", set(s, SOL_IP, MCAST_LEAVE_GROUP, req, 132));
	memset(req, 0, sizeof(req));
	put32(req, 1);
	memcpy(req + 8, group, 8);
	print("address at 8: %ld\n", set(s, SOL_IP, MCAST_JOIN_GROUP, req, 136));

	memset(req, 0, sizeof(req));
	put32(req, 1);
	memcpy(req + 4, group, 8);
	memcpy(req + 132, source, 8);
	print("MCAST_JOIN_SOURCE_GROUP 260: %ld, 259: %ld\n",
	      set(s, SOL_IP, MCAST_JOIN_SOURCE_GROUP, req, 260),
	      set(s, SOL_IP, MCAST_JOIN_SOURCE_GROUP, req, 259));

	/* interface, group at 4, mode at 132, number at 136, sources from 140 on */
	put32(gf, 1);
	memcpy(gf + 4, group, 8);
	len = sizeof(gf);
	put32(gf + 136, 2);
	s64 r = get(s, SOL_IP, MCAST_MSFILTER, gf, &len);
	print("MCAST_MSFILTER get %ld length %u mode %u sources %u: %u.%u.%u.%u\n", r, len,
	      get32(gf + 132), get32(gf + 136), gf[144], gf[145], gf[146], gf[147]);
	memcpy(gf + 140 + 128, source, 8);
	gf[140 + 128 + 7] = 9;
	put32(gf + 132, 1);
	put32(gf + 136, 2);
	print("set two %ld", set(s, SOL_IP, MCAST_MSFILTER, gf, 140 + 256));
	print(", too short for two %ld, short header %ld\n",
	      set(s, SOL_IP, MCAST_MSFILTER, gf, 140 + 128),
	      set(s, SOL_IP, MCAST_MSFILTER, gf, 139));
	memset(gf + 132, 0, sizeof(gf) - 132);
	put32(gf + 136, 2);
	len = sizeof(gf);
	r = get(s, SOL_IP, MCAST_MSFILTER, gf, &len);
	print("get %ld length %u sources %u\n", r, len, get32(gf + 136));
}

static void plain(int s)
{
	u32 len = 4, value = 0;
	u32 linger[2] = {1, 5};

	print("SO_TYPE %ld", get(s, SOL_SOCKET, SO_TYPE, &value, &len));
	print(" %u length %u", value, len);
	len = 2;
	memset(buf, 0xa5, 8);
	s64 r = get(s, SOL_SOCKET, SO_TYPE, buf, &len);
	print(", into 2 bytes %ld length %u: %x %x %x\n", r, len, buf[0], buf[1], buf[2]);
	print("SO_LINGER set %ld", set(s, SOL_SOCKET, SO_LINGER, linger, 8));
	len = 100;
	r = get(s, SOL_SOCKET, SO_LINGER, buf, &len);
	print(" get %ld length %u: %u %u\n", r, len, get32(buf), get32(buf + 4));
	len = 0xffffffff;
	print("length -1: get %ld set %ld; bad length pointer %ld; bad value %ld %ld\n",
	      get(s, SOL_SOCKET, SO_TYPE, buf, &len),
	      set(s, SOL_SOCKET, SO_LINGER, linger, 0xffffffff),
	      get(s, SOL_SOCKET, SO_TYPE, buf, (u32 *)0xfffff000u), ({
		      len = 4;
		      get(s, SOL_SOCKET, SO_TYPE, (void *)0xfffff000u, &len);
	      }),
	      set(s, SOL_SOCKET, SO_LINGER, (void *)0xfffff000u, 8));
	len = 4;
	print("unknown option %ld, unknown level %ld, bad descriptor %ld, no socket %ld\n",
	      get(s, SOL_SOCKET, 9999, buf, &len), get(s, 9999, 1, buf, &len),
	      get(999, 9999, 1, buf, &len), get(1, 9999, 1, buf, &len));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	int s = (int)sys(SYS_socket, AF_INET, SOCK_DGRAM, 0);
	u8 here[16] = {AF_INET, 0, 0, 0, 127, 0, 0, 1};

	(void)argc, (void)argv, (void)envp, (void)auxv;
	sys(SYS_bind, s, here, 16);
	plain(s);
	timeouts(s);
	expires(s);
	filter();
	groups(s);
	return 0;
}
