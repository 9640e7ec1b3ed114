/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of socket options and of the ioctls on sockets. */
#include "abi/describe.h"
#include "abi/host_dev.h"

#define HOST struct host_group_filter
DESCRIBE(group_filter, 140, NULL, NULL, F(gf_interface, 0, 4, COPY, UDEC),
	 F(gf_group, 4, 128, COPY, SOCKADDR), F(gf_fmode, 132, 4, COPY, UDEC),
	 F(gf_numsrc, 136, 4, COPY, UDEC));
#undef HOST

/*
 * ifreq by what the command has in the union: 16 bytes for the guest, 24 on the host, where ifmap has
 * two longs. All 32 bytes go both ways, whatever the command changes.
 */
#define HOST struct host_ifreq
DESCRIBE(ifreq, 32, "linux/if.h", "struct ifreq", F(ifr_name, 0, 16, COPY, STRING),
	 F(ifr_addr, 16, 16, COPY, SOCKADDR));
#undef HOST
#define HOST struct host_ifreq_flags
DESCRIBE(ifreq_flags, 32, NULL, NULL, F(ifr_name, 0, 16, COPY, STRING),
	 F_SYM(ifr_flags, 16, 2, COPY, if_flags), F(rest, 18, 14, COPY, HIDE));
#undef HOST
#define HOST struct host_ifreq_int
DESCRIBE(ifreq_int, 32, NULL, NULL, F(ifr_name, 0, 16, COPY, STRING),
	 F(ifr_ivalue, 16, 4, COPY, DEC), F(rest, 20, 12, COPY, HIDE));
#undef HOST
#define HOST struct host_ifreq_data
DESCRIBE(ifreq_data, 32, NULL, NULL, F(ifr_name, 0, 16, COPY, STRING),
	 F(ifr_data, 16, 4, PTR, GPTR), F_PAD(20, 12));
#undef HOST
#define HOST struct host_ifreq_map
DESCRIBE(ifreq_map, 32, NULL, NULL, F(ifr_name, 0, 16, COPY, STRING),
	 F(mem_start, 16, 4, ZEXT, HEX), F(mem_end, 20, 4, ZEXT, HEX),
	 F(base_addr, 24, 2, COPY, HEX), F(irq, 26, 1, COPY, UDEC), F(dma, 27, 1, COPY, UDEC),
	 F(port, 28, 1, COPY, UDEC), F_PAD(29, 3));
#undef HOST

/* ifc_buf points to an array of ifreq, whose elements differ too: see the command's handler. */
#define HOST struct host_ifconf
DESCRIBE(ifconf, 8, "linux/if.h", "struct ifconf", F(ifc_len, 0, 4, COPY, DEC),
	 F(ifc_buf, 4, 4, ZEXT, GPTR));
#undef HOST

#define HOST struct host_rtentry
DESCRIBE(rtentry, 84, "linux/route.h", "struct rtentry", F_PAD(0, 4),
	 F(rt_dst, 4, 16, COPY, SOCKADDR), F(rt_gateway, 20, 16, COPY, SOCKADDR),
	 F(rt_genmask, 36, 16, COPY, SOCKADDR), F(rt_flags, 52, 2, COPY, HEX), F_PAD(54, 2),
	 F_PAD(56, 4), F_PAD(60, 4), F(rt_metric, 64, 2, COPY, DEC), F_PAD(66, 2),
	 F(rt_dev, 68, 4, PTR, GPTR), F(rt_mtu, 72, 4, ZEXT, UDEC), F(rt_window, 76, 4, ZEXT, UDEC),
	 F(rt_irtt, 80, 2, COPY, UDEC), F_PAD(82, 2));
#undef HOST

#define HOST struct host_ppp_idle
DESCRIBE(ppp_idle, 8, NULL, NULL, F(xmit_idle, 0, 4, SEXT, DEC), F(recv_idle, 4, 4, SEXT, DEC));
#undef HOST

#define HOST struct host_ppp_option_data
DESCRIBE(ppp_option_data, 12, "linux/ppp-ioctl.h", "struct ppp_option_data",
	 F(ptr, 0, 4, PTR, GPTR), F(length, 4, 4, COPY, UDEC), F(transmit, 8, 4, COPY, DEC));
#undef HOST

DESCRIBE_AT(ifreq_settings, 32, 40, "linux/if.h", "struct ifreq",
	    AT(ifr_name, 0, 16, 0, 16, COPY, STRING),
	    AT(ifr_settings.type, 16, 4, 16, 4, COPY, UDEC),
	    AT(ifr_settings.size, 20, 4, 20, 4, COPY, UDEC),
	    AT(ifr_settings.ifs_ifsu, 24, 4, 24, 8, PTR, GPTR), F_PAD(28, 4));
