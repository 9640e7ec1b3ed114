/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ifreq of 32 bytes, ifconf of 8, time stamps of 8, on the loopback interface. */
#include "io.h"

enum {
	SIOCGSTAMP = 0x8906,
	SIOCGSTAMPNS = 0x8907,
	SIOCGIFNAME = 0x8910,
	SIOCGIFCONF = 0x8912,
	SIOCGIFFLAGS = 0x8913,
	SIOCGIFADDR = 0x8915,
	SIOCGIFNETMASK = 0x891b,
	SIOCGIFMTU = 0x8921,
	SIOCGIFHWADDR = 0x8927,
	SIOCGIFINDEX = 0x8933,
	SIOCGIFTXQLEN = 0x8942,
	SIOCETHTOOL = 0x8946,
	SIOCGIFMAP = 0x8970,
};

static u8 req[64], list[64 * 32];

/* The request for lo, with what is behind its 32 bytes marked. */
static s64 lo(int s, u32 cmd)
{
	memset(req, 0xa5, sizeof(req));
	memset(req, 0, 16);
	memcpy(req, "lo", 3);
	return sys(SYS_ioctl, s, cmd, req);
}

static void interface(int s)
{
	s64 r = lo(s, SIOCGIFFLAGS);

	print("SIOCGIFFLAGS %ld %s: up and loopback %d, rest %x, behind %x\n", r, (char *)req,
	      (req[16] & 9) == 9, req[18], req[32]);
	r = lo(s, SIOCGIFINDEX);
	print("SIOCGIFINDEX %ld: %u, rest %x, behind %x\n", r, get32(req + 16), req[20], req[32]);
	memset(req, 0xa5, sizeof(req));
	put32(req + 16, 1);
	r = sys(SYS_ioctl, s, SIOCGIFNAME, req);
	print("SIOCGIFNAME %ld: %s, behind %x\n", r, (char *)req, req[32]);
	r = lo(s, SIOCGIFADDR);
	print("SIOCGIFADDR %ld: family %u %u.%u.%u.%u, behind %x\n", r, req[16], req[20], req[21],
	      req[22], req[23], req[32]);
	r = lo(s, SIOCGIFNETMASK);
	print("SIOCGIFNETMASK %ld: %u.%u.%u.%u\n", r, req[20], req[21], req[22], req[23]);
	r = lo(s, SIOCGIFHWADDR);
	print("SIOCGIFHWADDR %ld: type %u\n", r, req[16] | req[17] << 8);
	r = lo(s, SIOCGIFMTU);
	print("SIOCGIFMTU %ld: %u\n", r, get32(req + 16));
	r = lo(s, SIOCGIFMAP);
	/* Two longs of 4 bytes, then 2, 1, 1, 1, all zero for lo. */
	print("SIOCGIFMAP %ld: %u %u %u, behind %x\n", r, get32(req + 16), get32(req + 20),
	      get32(req + 24), req[32]);
	/* ETHTOOL_GLINK through the pointer. */
	u32 link[2] = {10, 0xa5a5a5a5};
	memset(req, 0, 32);
	memcpy(req, "lo", 3);
	put32(req + 16, (u32)(long)link);
	r = sys(SYS_ioctl, s, SIOCETHTOOL, req);
	print("SIOCETHTOOL %ld: link %u\n", r, link[1]);
	memcpy(req, "nonexistent", 12);
	print("no such interface %ld, bad pointer %ld, bad descriptor %ld, no socket %ld\n",
	      sys(SYS_ioctl, s, SIOCGIFINDEX, req), sys(SYS_ioctl, s, SIOCGIFINDEX, 0xfffffff0u),
	      sys(SYS_ioctl, 999, SIOCGIFINDEX, 0xfffffff0u),
	      sys(SYS_ioctl, 1, SIOCGIFINDEX, req) < 0);
}

static void configuration(int s)
{
	u32 conf[3] = {sizeof(list), (u32)(long)list, 0xa5a5a5a5}, all[2] = {123, 0};
	int found = 0;
	s64 r = sys(SYS_ioctl, s, SIOCGIFCONF, conf);

	for (u32 i = 0; i + 32 <= conf[0]; i += 32)
		found |= memcmp(list + i, "lo", 3) == 0 && list[i + 16] == AF_INET;
	print("SIOCGIFCONF %ld: whole elements %d, has lo %d, pointer kept %d, behind %x\n", r,
	      conf[0] && conf[0] % 32 == 0, found, conf[1] == (u32)(long)list, conf[2]);
	r = sys(SYS_ioctl, s, SIOCGIFCONF, all);
	print("without a buffer %ld: same length %d\n", r, all[0] == conf[0]);
	conf[0] = 63;
	memset(list, 0xa5, 128);
	r = sys(SYS_ioctl, s, SIOCGIFCONF, conf);
	print("room for one and a half %ld: %u, behind %x\n", r, conf[0], list[32]);
	conf[0] = 31;
	r = sys(SYS_ioctl, s, SIOCGIFCONF, conf);
	print("room for none %ld: %u; bad buffer %ld, bad pointer %ld\n", r, conf[0], ({
		      u32 bad[2] = {64, 0xfffff000u};
		      sys(SYS_ioctl, s, SIOCGIFCONF, bad);
	      }),
	      sys(SYS_ioctl, s, SIOCGIFCONF, 0xfffffffcu));
}

static void stamp(int s)
{
	static u8 tv[16];
	u32 now[2], len = 16;
	u8 to[16] = {AF_INET, 0, 0, 0, 127, 0, 0, 1};

	sys(SYS_bind, s, to, len);
	sys(SYS_getsockname, s, to, &len);
	sys(SYS_ioctl, s, SIOCGSTAMP, tv); /* switches it on */
	sys(SYS_sendto, s, "x", 1, 0, to, len);
	sys(NR_read, s, req, 1);
	sys(NR_clock_gettime, 0, now);
	WROTE("SIOCGSTAMP", tv, sizeof(tv), sys(SYS_ioctl, s, SIOCGSTAMP, tv));
	print("seconds now %d\n", get32(tv) + 1 >= now[0] && get32(tv) <= now[0]);
	WROTE("SIOCGSTAMPNS", tv, sizeof(tv), sys(SYS_ioctl, s, SIOCGSTAMPNS, tv));
	print("seconds now %d\n", get32(tv) + 1 >= now[0] && get32(tv) <= now[0]);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	int s = (int)sys(SYS_socket, AF_INET, SOCK_DGRAM, 0);

	(void)argc, (void)argv, (void)envp, (void)auxv;
	interface(s);
	configuration(s);
	stamp(s);
	return 0;
}
