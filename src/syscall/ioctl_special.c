/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that a row does not describe: arrays, lists, and data whose form the socket decides. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/host_dev.h"
#include "abi/structs.h"
#include "syscall/hostnr.h"
#include "syscall/ioctl.h"

/* --- terminals ---------------------------------------------------------------------------------- */

/* An address of the device's registers that has more than 32 bits cannot be shown. */
int64_t ioctl_get_serial(struct sys_call *c, const struct ioctl_row *row)
{
	struct host_serial_struct s = {0};
	int64_t r = ioctl_host(c, row, (uint64_t)(uintptr_t)&s);

	if (r < 0)
		return r;
	if (s.iomem_base >> 32)
		s.iomem_base = UINT32_MAX;
	return abi_write(row->st, (gaddr)c->a[2], &s) ? -EFAULT : r;
}

/* --- file systems ------------------------------------------------------------------------------- */

/* The short and the long name of a file, each as a directory entry. */
int64_t ioctl_fat_readdir(struct sys_call *c, const struct ioctl_row *row)
{
	struct host_fat_dirent entry[2] = {0};
	gaddr g = (gaddr)c->a[2];
	int64_t r = ioctl_host(c, row, (uint64_t)(uintptr_t)entry);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < 2; i++) {
		if (abi_write(&abi_st_fat_dirent, g + i * abi_st_fat_dirent.gsize, &entry[i]))
			return -EFAULT;
	}
	return r;
}

/* --- SCSI ------------------------------------------------------------------------------------------ */

/* The host addresses of a transfer from or to several places; BUF and *FREE_ME as sys_import_iovec(). */
static int64_t scatter(struct host_sg_io_hdr *h, struct host_iovec *buf, void **free_me)
{
	uint64_t n = h->iovec_count;

	if (n > SYS_MAX_IOVECS)
		return -EINVAL;
	sys_import_iovec((gaddr)h->dxferp, n, buf, &h->dxferp, &n, free_me);
	return n == h->iovec_count ? 0 : -EINVAL;
}

/* Only what the kernel writes comes back: the pointers stay the guest's. */
int64_t ioctl_sg_io(struct sys_call *c, const struct ioctl_row *row)
{
	struct host_iovec iov[SYS_FAST_IOVECS];
	struct host_sg_io_hdr h, guest;
	gaddr g = (gaddr)c->a[2];
	void *free_me = NULL;
	int64_t r;

	if (abi_read(row->st, &guest, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	h = guest;
	if (h.iovec_count && (r = scatter(&h, iov, &free_me)))
		return r;
	if (!h.iovec_count && h.dxferp)
		h.dxferp = sys_out(c, h.dxferp, h.dxfer_len);
	h.cmdp = h.cmdp ? sys_buf(h.cmdp, h.cmd_len) : 0;
	h.sbp = h.sbp ? sys_out(c, h.sbp, h.mx_sb_len) : 0;
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)&h);
	free(free_me);
	if (r < 0)
		return r;
	if (guest.iovec_count)
		sys_iovec_wrote((gaddr)guest.dxferp, guest.iovec_count, guest.dxfer_len);
	h.dxferp = guest.dxferp;
	h.cmdp = guest.cmdp;
	h.sbp = guest.sbp;
	return abi_write(row->st, g, &h) ? -EFAULT : r;
}

/* --- sockets --------------------------------------------------------------------------------------- */

static int domain_of(struct sys_call *c)
{
	enum { SOL_SOCKET_ = 1, SO_DOMAIN_ = 39 };
	int domain = -1, len = sizeof(domain);

	sys_host(HOSTNR(getsockopt), c->a[0], SOL_SOCKET_, SO_DOMAIN_, &domain, &len);
	return domain;
}

/* For IPv6 a structure without longs and pointers, of SIZE bytes. */
static int64_t by_domain(struct sys_call *c, const struct ioctl_row *row, unsigned size)
{
	enum { AF_INET6_ = 10 };

	if (domain_of(c) == AF_INET6_)
		return ioctl_host(c, row, sys_out(c, c->a[2], size));
	return ioctl_struct(c, row);
}

int64_t ioctl_route(struct sys_call *c, const struct ioctl_row *row)
{
	enum { IN6_RTMSG_SIZE = 80 };

	return by_domain(c, row, IN6_RTMSG_SIZE);
}

int64_t ioctl_address(struct sys_call *c, const struct ioctl_row *row)
{
	enum { IN6_IFREQ_SIZE = 24 };

	return by_domain(c, row, IN6_IFREQ_SIZE);
}

/* More interfaces than this are not shown at once. */
#define MAX_INTERFACES 65536

/* Without a buffer the kernel tells the length of all. Only whole elements are written (dev_ifconf). */
int64_t ioctl_get_ifconf(struct sys_call *c, const struct ioctl_row *row)
{
	const struct abi_struct *st = &abi_st_ifreq;
	struct host_ifconf conf;
	struct host_ifreq *list = NULL;
	gaddr g = (gaddr)c->a[2], to;
	uint32_t room = 0;
	int64_t r;

	if (abi_read(row->st, &conf, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	to = (gaddr)conf.ifc_buf;
	if (to && conf.ifc_len > 0)
		room = (uint32_t)conf.ifc_len / st->gsize;
	if (room > MAX_INTERFACES)
		room = MAX_INTERFACES;
	/* One element even if there is room for none: NULL would mean the other question. */
	if (to && !(list = calloc(room + 1, sizeof(*list))))
		return -ENOMEM;
	conf.ifc_buf = (uint64_t)(uintptr_t)list;
	conf.ifc_len = (int32_t)(room * sizeof(*list));
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)&conf);
	uint32_t n = r < 0 ? 0 : (uint32_t)conf.ifc_len / (uint32_t)sizeof(*list);
	for (uint32_t i = 0; list && i < n; i++) {
		if (to + (uint64_t)(i + 1) * st->gsize > MEM_SPACE ||
		    abi_write(st, to + i * st->gsize, &list[i]))
			r = -EFAULT;
	}
	free(list);
	conf.ifc_buf = to;
	conf.ifc_len = (int32_t)(n * st->gsize);
	if (r >= 0 && abi_write(row->st, g, &conf))
		r = -EFAULT;
	return r;
}

/* As the kernel has it: a page at most, all of which comes back, with a status for each (fs/ioctl.c, ioctl_file_dedupe_range). */
int64_t ioctl_dedupe_range(struct sys_call *c, const struct ioctl_row *row)
{
	const struct abi_struct *st = row->st, *info = &abi_st_file_dedupe_range_info;
	const struct abi_field *count = abi_member(st, "dest_count");
	uint64_t host[MEM_PAGE_SIZE / 8];
	int64_t fds[MEM_PAGE_SIZE / 32];
	uint8_t *at = (uint8_t *)host + st->hsize;
	gaddr g = (gaddr)c->a[2];
	unsigned n;
	int64_t r;

	if (abi_read(st, host, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	n = (unsigned)abi_load_host((uint8_t *)host + count->hoff, count->hsize);
	if (st->hsize + n * (uint64_t)info->hsize > sizeof(host))
		return -ENOMEM;
	if ((uint64_t)g + st->gsize + n * (uint64_t)info->gsize > MEM_SPACE)
		return ioctl_host(c, row, SYS_BAD_POINTER);
	for (unsigned i = 0; i < n; i++, at += info->hsize) {
		if (abi_read(info, at, g + st->gsize + i * info->gsize))
			return ioctl_host(c, row, SYS_BAD_POINTER);
		memcpy(&fds[i], at, sizeof(fds[i]));
		ioctl_hide_reserved(info, at);
	}
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)host);
	at = (uint8_t *)host + st->hsize;
	for (unsigned i = 0; r >= 0 && i < n; i++, at += info->hsize) {
		memcpy(at, &fds[i], sizeof(fds[i]));
		if (abi_write(info, g + st->gsize + i * info->gsize, at))
			r = -EFAULT;
	}
	return r;
}

/* Three words: what to do, and for all but one an address. */
int64_t ioctl_bridge(struct sys_call *c, const struct ioctl_row *row)
{
	enum { BRCTL_GET_VERSION = 0 };
	uint8_t guest[12];
	uint64_t host[3];

	if (mem_copy_in(guest, (gaddr)c->a[2], sizeof(guest)))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	for (unsigned i = 0; i < 3; i++)
		host[i] = abi_get32(guest + 4 * i);
	/* The list of bridges is written: MAX_INTERFACES numbers at most. */
	if (host[0] != BRCTL_GET_VERSION && host[1])
		host[1] = sys_out(c, host[1], host[2] < MAX_INTERFACES ? host[2] * 4 : 0);
	return ioctl_host(c, row, (uint64_t)(uintptr_t)host);
}
