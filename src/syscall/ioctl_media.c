/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of video and sound devices whose data have a form that other data decide. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/host_dev.h"
#include "abi/structs.h"
#include "syscall/ioctl.h"

static void put_host64(void *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

/* The host's form of a guest address in a structure. */
static uint64_t to_host(uint32_t g)
{
	return g ? (uint64_t)(uintptr_t)mem_host(g) : 0;
}

static uint32_t to_guest(uint64_t host)
{
	gaddr g;

	return mem_from_host((const void *)(uintptr_t)host, &g) ? g : 0;
}

/* --- Video4Linux: formats --------------------------------------------------------------------------- */

int64_t ioctl_v4l2_format(struct sys_call *c, const struct ioctl_row *row)
{
	enum { OVERLAY = 3, OUTPUT_OVERLAY = 8, CREATE_FORMAT = 12 };
	uint64_t at = c->a[2] + (row->st == &abi_st_v4l2_create_buffers ? CREATE_FORMAT : 0);
	uint8_t type[4];

	if (at < MEM_SPACE && mem_copy_in(type, (gaddr)at, sizeof(type)) == 0 &&
	    (abi_get32(type) == OVERLAY || abi_get32(type) == OUTPUT_OVERLAY))
		return ioctl_refuse(c, row, "an overlay's window holds a chain of addresses");
	return ioctl_struct(c, row);
}

/* --- Video4Linux: buffers ----------------------------------------------------------------------------- */

/* Host offsets in struct v4l2_buffer and in struct v4l2_plane, whose descriptions have the rest. */
enum { BUFFER_TYPE = 4, BUFFER_MEMORY = 60, BUFFER_M = 64, BUFFER_LENGTH = 72, PLANE_M = 8 };
enum { CAPTURE_MPLANE = 9, OUTPUT_MPLANE = 10, MEMORY_USERPTR = 2, MAX_PLANES = 8 };

static uint32_t host32(const uint8_t *p)
{
	return (uint32_t)abi_load_host(p, 4);
}

/* M of a buffer or plane holds an address (else an offset or a descriptor, which the description carries). */
static void user_pointer_to_host(uint8_t *m, const uint8_t *buffer)
{
	if (host32(buffer + BUFFER_MEMORY) == MEMORY_USERPTR)
		put_host64(m, to_host(host32(m)));
}

static void user_pointer_to_guest(uint8_t *m, const uint8_t *buffer)
{
	if (host32(buffer + BUFFER_MEMORY) == MEMORY_USERPTR)
		put_host64(m, to_guest(abi_load_host(m, 8)));
}

/* The planes at G, of which N are looked at; false: they cannot be read. */
static bool read_planes(uint8_t *planes, unsigned n, gaddr g, const uint8_t *buffer)
{
	const struct abi_struct *st = &abi_st_v4l2_plane;

	for (unsigned i = 0; i < n; i++) {
		if (g + (uint64_t)(i + 1) * st->gsize > MEM_SPACE ||
		    abi_read(st, planes + i * st->hsize, g + i * st->gsize))
			return false;
		user_pointer_to_host(planes + i * st->hsize + PLANE_M, buffer);
	}
	return true;
}

static bool write_planes(uint8_t *planes, unsigned n, gaddr g, const uint8_t *buffer)
{
	const struct abi_struct *st = &abi_st_v4l2_plane;

	for (unsigned i = 0; i < n; i++) {
		user_pointer_to_guest(planes + i * st->hsize + PLANE_M, buffer);
		if (abi_write(st, g + i * st->gsize, planes + i * st->hsize))
			return false;
	}
	return true;
}

int64_t ioctl_v4l2_buffer(struct sys_call *c, const struct ioctl_row *row)
{
	uint64_t buffer[11], planes[MAX_PLANES * 8] = {0};
	uint8_t *b = (uint8_t *)buffer, *p = (uint8_t *)planes;
	gaddr g = (gaddr)c->a[2], list = 0;
	unsigned n = 0;
	bool multi;
	int64_t r;

	_Static_assert(sizeof(buffer) == 88 && sizeof(planes) == MAX_PLANES * 64, "host sizes");
	if (abi_read(row->st, b, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	multi = host32(b + BUFFER_TYPE) == CAPTURE_MPLANE ||
		host32(b + BUFFER_TYPE) == OUTPUT_MPLANE;
	if (multi) {
		list = host32(b + BUFFER_M);
		n = host32(b + BUFFER_LENGTH);
		n = n > MAX_PLANES ? 0 : n; /* EINVAL, before the list is looked at */
		put_host64(b + BUFFER_M, !list                        ? 0
					 : read_planes(p, n, list, b) ? (uint64_t)(uintptr_t)p
								      : SYS_BAD_POINTER);
	} else {
		user_pointer_to_host(b + BUFFER_M, b);
	}
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)b);
	if (r < 0)
		return r;
	if (!multi)
		user_pointer_to_guest(b + BUFFER_M, b);
	else if (list && !write_planes(p, n, list, b))
		return -EFAULT;
	if (multi)
		put_host64(b + BUFFER_M, list);
	return abi_write(row->st, g, b) ? -EFAULT : r;
}

/* --- Video4Linux: controls ------------------------------------------------------------------------------ */

enum {
	CONTROL_SIZE = sizeof(struct host_v4l2_ext_control),
	CONTROL_LENGTH = offsetof(struct host_v4l2_ext_control, size),
	CONTROL_VALUE = offsetof(struct host_v4l2_ext_control, value64),
	MAX_CONTROLS = 1024,
};

/* Whether the value of control ID is what an address points to: as kernels for 32-bit programs, ask the driver. */
static bool is_payload(struct sys_call *c, uint32_t id)
{
	enum { QUERYCTRL = 0xc0445624, QUERY_SIZE = 68, QUERY_FLAGS = 56, HAS_PAYLOAD = 0x100 };
	static const struct ioctl_row query = {.name = "VIDIOC_QUERYCTRL", .host = QUERYCTRL};
	uint64_t q[(QUERY_SIZE + 7) / 8] = {0};

	memcpy(q, &id, 4);
	return ioctl_host(c, &query, (uint64_t)(uintptr_t)q) >= 0 &&
	       (host32((uint8_t *)q + QUERY_FLAGS) & HAS_PAYLOAD);
}

int64_t ioctl_v4l2_ext_controls(struct sys_call *c, const struct ioctl_row *row)
{
	enum { COUNT = 4, CONTROLS = 24 };
	uint64_t head[4];
	uint8_t *h = (uint8_t *)head, *v, *payload;
	gaddr g = (gaddr)c->a[2], list;
	uint32_t n;
	int64_t r;

	if (abi_read(row->st, h, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	n = host32(h + COUNT);
	list = host32(h + CONTROLS);
	if (n > MAX_CONTROLS)
		return -EINVAL;
	/* Values as the host has them, and which are addresses. */
	v = calloc(n + 1, CONTROL_SIZE + 1);
	if (!v)
		return -ENOMEM;
	payload = v + (size_t)n * CONTROL_SIZE;
	if (mem_copy_in(v, list, n * CONTROL_SIZE)) {
		put_host64(h + CONTROLS, SYS_BAD_POINTER);
	} else {
		for (uint32_t i = 0; i < n; i++) {
			uint8_t *value = v + i * CONTROL_SIZE + CONTROL_VALUE;

			payload[i] = is_payload(c, abi_get32(v + i * CONTROL_SIZE));
			if (payload[i])
				put_host64(value, to_host(abi_get32(value)));
		}
		put_host64(h + CONTROLS, (uint64_t)(uintptr_t)v);
	}
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)h);
	/* The kernel tells how much room it wants (ENOSPC), and which control was wrong. */
	for (uint32_t i = 0; i < n && abi_load_host(h + CONTROLS, 8) != SYS_BAD_POINTER; i++) {
		uint8_t *one = v + i * CONTROL_SIZE;

		if (mem_copy_out(list + i * CONTROL_SIZE + CONTROL_LENGTH, one + CONTROL_LENGTH,
				 4) ||
		    (!payload[i] &&
		     mem_copy_out(list + i * CONTROL_SIZE + CONTROL_VALUE, one + CONTROL_VALUE, 8)))
			r = r < 0 ? r : -EFAULT;
	}
	free(v);
	put_host64(h + CONTROLS, list);
	return abi_write(row->st, g, h) && r >= 0 ? -EFAULT : r;
}

/* --- ALSA: controls ---------------------------------------------------------------------------------------- */

/* struct snd_ctl_elem_info has one size; its values are longs for these types. */
enum { ELEM_ID_SIZE = 64, ELEM_BOOLEAN = 1, ELEM_INTEGER = 2, INFO_SIZE = 272, INFO_VALUE = 80 };

static bool has_longs(const uint8_t *info)
{
	uint32_t type = host32(info + ELEM_ID_SIZE);

	return type == ELEM_BOOLEAN || type == ELEM_INTEGER;
}

int64_t ioctl_snd_elem_info(struct sys_call *c, const struct ioctl_row *row)
{
	uint64_t buf[INFO_SIZE / 8];
	uint8_t *info = (uint8_t *)buf;
	int64_t r;

	if (mem_copy_in(info, (gaddr)c->a[2], INFO_SIZE))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)info);
	if (r < 0)
		return r;
	if (has_longs(info)) {
		/* The smallest value, the largest, the step. */
		for (unsigned i = 0; i < 3; i++)
			abi_put32(info + INFO_VALUE + 4 * i,
				  (uint32_t)abi_load_host(info + INFO_VALUE + 8 * i, 8));
		memset(info + INFO_VALUE + 12, 0, 12);
	}
	return mem_copy_out((gaddr)c->a[2], info, INFO_SIZE) ? -EFAULT : r;
}

/* struct snd_ctl_elem_value: the element, 64 bits, values (in LP64 longs make them twice as long), 128 bytes. */
enum {
	VALUE_COUNT = 128,
	VALUES = ELEM_ID_SIZE + 8,
	VALUE_BYTES = 512, /* of all types but longs */
	GUEST_VALUE_SIZE = 712,
	HOST_VALUE_SIZE = 1224,
};

int64_t ioctl_snd_elem_value(struct sys_call *c, const struct ioctl_row *row)
{
	enum { ELEM_INFO = 0xc1105511 };
	static const struct ioctl_row query = {.name = "SNDRV_CTL_IOCTL_ELEM_INFO",
					       .host = ELEM_INFO};
	uint64_t host[HOST_VALUE_SIZE / 8] = {0}, info[INFO_SIZE / 8] = {0};
	uint8_t guest[GUEST_VALUE_SIZE], *h = (uint8_t *)host;
	bool longs;
	int64_t r;

	if (mem_copy_in(guest, (gaddr)c->a[2], sizeof(guest)))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	memcpy(info, guest, ELEM_ID_SIZE);
	r = ioctl_host(c, &query, (uint64_t)(uintptr_t)info);
	if (r < 0)
		return r;
	longs = has_longs((uint8_t *)info);
	memcpy(h, guest, VALUES);
	for (unsigned i = 0; longs && i < VALUE_COUNT; i++)
		put_host64(h + VALUES + 8 * i,
			   (uint64_t)(int32_t)abi_get32(guest + VALUES + 4 * i));
	if (!longs)
		memcpy(h + VALUES, guest + VALUES, VALUE_BYTES);
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)h);
	if (r < 0)
		return r;
	memcpy(guest, h, VALUES);
	for (unsigned i = 0; longs && i < VALUE_COUNT; i++)
		abi_put32(guest + VALUES + 4 * i, (uint32_t)abi_load_host(h + VALUES + 8 * i, 8));
	if (!longs)
		memcpy(guest + VALUES, h + VALUES, VALUE_BYTES);
	return mem_copy_out((gaddr)c->a[2], guest, sizeof(guest)) ? -EFAULT : r;
}

/* --- ALSA: frames, one buffer a channel -------------------------------------------------------------------- */

/* The kernel reads one address a channel; how many there are only it knows. Those behind the last that can be
 * read do not exist. */
int64_t ioctl_snd_xfern(struct sys_call *c, const struct ioctl_row *row)
{
	enum { MAX_CHANNELS = 1024, BUFS = 8 };
	uint64_t x[3], *bufs;
	gaddr g = (gaddr)c->a[2], list;
	uint8_t p[4];
	int64_t r;

	if (abi_read(row->st, x, g))
		return ioctl_host(c, row, SYS_BAD_POINTER);
	list = host32((uint8_t *)x + BUFS);
	bufs = calloc(MAX_CHANNELS, sizeof(*bufs));
	if (!bufs)
		return -ENOMEM;
	for (unsigned i = 0; i < MAX_CHANNELS; i++) {
		uint64_t at = list + 4ull * i;

		bufs[i] = at < MEM_SPACE && mem_copy_in(p, (gaddr)at, sizeof(p)) == 0
				  ? to_host(abi_get32(p))
				  : SYS_BAD_POINTER;
	}
	put_host64((uint8_t *)x + BUFS,
		   bufs[0] == SYS_BAD_POINTER ? SYS_BAD_POINTER : (uint64_t)(uintptr_t)bufs);
	r = ioctl_host(c, row, (uint64_t)(uintptr_t)x);
	free(bufs);
	put_host64((uint8_t *)x + BUFS, list);
	if (r < 0)
		return r;
	return abi_write(row->st, g, x) ? -EFAULT : r;
}
