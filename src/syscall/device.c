/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices whose read(2) and write(2) move structures that differ between the ABIs: input devices, whose events have
 * time stamps of two longs. And those that take addresses in what is written, which would be the emulator's.
 *
 * To ask for the device in every read would cost more than the read. So descriptors are looked at when they arrive,
 * which is rare or done anyway, and reads only in a process that had such a device once.
 */
#include "syscall/device.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

bool device_seen;

enum kind {
	OTHER,
	EVENTS,
	UINPUT,
	UHID,
	SG,
	SEQUENCER
}; /* from UHID on: what is written can hold addresses */

/* Majors and minors of Documentation/admin-guide/devices.txt. */
static enum kind kind_of(const struct host_stat *st)
{
	enum {
		MISC = 10,
		INPUT = 13,
		SCSI_GENERIC = 21,
		SOUND = 116,
		MINOR_SEQUENCER = 1,
		MINOR_UINPUT = 223,
		MINOR_UHID = 239
	};
	unsigned minor_nr = minor(st->st_rdev);

	if (!S_ISCHR(st->st_mode))
		return OTHER;
	switch (major(st->st_rdev)) {
	case INPUT: return EVENTS;
	case SCSI_GENERIC: return SG;
	case SOUND: return minor_nr == MINOR_SEQUENCER ? SEQUENCER : OTHER;
	case MISC: return minor_nr == MINOR_UINPUT ? UINPUT : minor_nr == MINOR_UHID ? UHID : OTHER;
	default: return OTHER;
	}
}

void device_arrived(const struct host_stat *st)
{
	if (kind_of(st) != OTHER)
		device_seen = true;
}

void device_fd_arrived(int fd)
{
	struct host_stat st;

	if (sys_host(HOSTNR(fstat), fd, &st) == 0)
		device_arrived(&st);
}

void device_start(void)
{
	enum { USUAL = 32 }; /* above it, a program hardly knows what it was given */

	for (int fd = 0; fd < USUAL; fd++)
		device_fd_arrived(fd);
}

int64_t sys_pidfd_getfd(struct sys_call *c)
{
	int64_t r = sys_host(HOSTNR(pidfd_getfd), c->a[0], c->a[1], c->a[2]);

	if (r >= 0)
		device_fd_arrived((int)r);
	return r;
}

/* Joysticks and mice have the same major; only event devices know this command. */
static bool has_events(uint64_t fd)
{
	enum { EVIOCGVERSION = 0x80044501 };
	int version;

	return sys_host(HOSTNR(ioctl), fd, EVIOCGVERSION, &version) == 0;
}

/* Before a uinput device is made, a write describes it. */
static bool is_made(uint64_t fd)
{
	enum { UI_GET_SYSNAME_64 = 0x8040552c };
	char name[64];

	return sys_host(HOSTNR(ioctl), fd, UI_GET_SYSNAME_64, name) >= 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

#define EVENT (&abi_st_input_event)
enum { AT_ONCE = 64 }; /* no device keeps more for a reader */

static int64_t read_events(struct sys_call *c, uint64_t g, uint64_t len)
{
	uint64_t host[AT_ONCE * 3], n = len / EVENT->gsize;
	int64_t r;

	if (len && !n)
		return -EINVAL;
	if (n > AT_ONCE)
		n = AT_ONCE;
	r = sys_host_blocking(c, HOSTNR(read), c->a[0], host, n * EVENT->hsize);
	if (r <= 0)
		return r;
	n = (uint64_t)r / EVENT->hsize;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = g + i * EVENT->gsize;

		if (at >= MEM_SPACE ||
		    abi_write(EVENT, (gaddr)at, (uint8_t *)host + i * EVENT->hsize))
			return -EFAULT;
	}
	return (int64_t)(n * EVENT->gsize);
}

/* As many of the N events at G as can be read; the host takes them one by one as well. */
static int64_t write_some(struct sys_call *c, uint64_t g, uint64_t n)
{
	uint64_t host[AT_ONCE * 3], i;
	int64_t r = 0;

	for (i = 0; i < n; i++) {
		uint64_t at = g + i * EVENT->gsize;

		if (at >= MEM_SPACE ||
		    abi_read(EVENT, (uint8_t *)host + i * EVENT->hsize, (gaddr)at))
			break;
	}
	if (i)
		r = sys_host_blocking(c, HOSTNR(write), c->a[0], host, i * EVENT->hsize);
	if (r >= 0 && i < n)
		return -EFAULT;
	return r < 0 ? r : r / EVENT->hsize * EVENT->gsize;
}

static int64_t write_events(struct sys_call *c, uint64_t g, uint64_t len)
{
	uint64_t n = len / EVENT->gsize, done = 0;

	if (len && !n)
		return -EINVAL;
	while (done < n) {
		uint64_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
		int64_t r = write_some(c, g + done * EVENT->gsize, now);

		if (r == -EFAULT || (r < 0 && !done))
			return r;
		if (r <= 0)
			break;
		done += (uint64_t)r / EVENT->gsize;
		if ((uint64_t)r < now * EVENT->gsize)
			break;
	}
	return (int64_t)(done * EVENT->gsize);
}

/* --- addresses in what is written ---------------------------------------------------------------------- */

/* Whether one of the sequencer's events (sound/core/seq/seq_clientmgr.c, snd_seq_write()) refers to data by address. */
static bool refers_to_data(const uint8_t *events, uint64_t len)
{
	enum { EVENT_SIZE = 28, FLAGS = 1, EXT_LEN = 16 };
	enum {
		LENGTH_MASK = 3 << 2,
		VARIABLE = 1 << 2,
		BY_ADDRESS = 2 << 2,
		EXT_MASK = 0x3fffffff
	};
	uint64_t at = 0;

	while (at + EVENT_SIZE <= len) {
		const uint8_t *e = events + at;

		if ((e[FLAGS] & LENGTH_MASK) == BY_ADDRESS)
			return true;
		at += EVENT_SIZE;
		if ((e[FLAGS] & LENGTH_MASK) == VARIABLE)
			at += abi_load_host(e + EXT_LEN, 4) & EXT_MASK;
	}
	return false;
}

static bool holds_addresses(enum kind kind, const uint8_t *data, uint64_t len)
{
	enum { HOST_SG_IO_HDR = 88, UHID_CREATE = 0 };

	switch (kind) {
	case SG: return len >= HOST_SG_IO_HDR && abi_load_host(data, 4) == 'S';
	case UHID: return len >= 4 && abi_load_host(data, 4) == UHID_CREATE;
	default: return refers_to_data(data, len);
	}
}

/* A copy is written, so that no other thread of the guest changes what was looked at. */
static int64_t write_checked(struct sys_call *c, enum kind kind, uint64_t g, uint64_t len)
{
	static const char *const names[] = {
		[UHID] = "uhid", [SG] = "SCSI generic", [SEQUENCER] = "sequencer"};
	enum { MOST = 4400 };
	uint8_t copy[MOST];

	if (len > MOST)
		len = MOST;
	if (g + len > MEM_SPACE || mem_copy_in(copy, (gaddr)g, len))
		return -EFAULT;
	if (holds_addresses(kind, copy, len)) {
		diag_unsupported("device", kind,
				 "write on a %s device of what holds addresses: EINVAL",
				 names[kind]);
		return -EINVAL;
	}
	return sys_host_blocking(c, HOSTNR(write), c->a[0], copy, len);
}

/* --- all ------------------------------------------------------------------------------------------------- */

static int64_t one(struct sys_call *c, enum kind kind, bool writes, uint64_t g, uint64_t len)
{
	if (kind >= UHID)
		return write_checked(c, kind, g, len);
	return writes ? write_events(c, g, len) : read_events(c, g, len);
}

/* readv(2) and writev(2) are a call for each buffer on devices. */
static int64_t each(struct sys_call *c, enum kind kind, bool writes)
{
	int64_t done = 0, r;
	uint8_t raw[8];

	if (c->a[2] > SYS_MAX_IOVECS)
		return -EINVAL;
	for (uint64_t i = 0; i < c->a[2]; i++) {
		uint64_t at = c->a[1] + 8 * i;
		uint32_t len;

		if (at + 8 > MEM_SPACE || mem_copy_in(raw, (gaddr)at, sizeof(raw)))
			return done ? done : -EFAULT;
		len = abi_get32(raw + 4);
		r = (int32_t)len < 0 ? -EINVAL : one(c, kind, writes, abi_get32(raw), len);
		if (r < 0)
			return done ? done : r;
		done += r;
		if ((uint32_t)r != len)
			break;
	}
	return done;
}

int64_t device_io(struct sys_call *c)
{
	enum { READ = 63, WRITE = 64, READV = 65, WRITEV = 66 };
	bool writes = c->nr == WRITE || c->nr == WRITEV;
	struct host_stat st;
	enum kind kind;

	if (c->nr < READ || c->nr > WRITEV || sys_host(HOSTNR(fstat), c->a[0], &st))
		return -ENOSYS;
	kind = kind_of(&st);
	if (kind == OTHER || (kind == EVENTS && !has_events(c->a[0])) ||
	    (kind == UINPUT && writes && !is_made(c->a[0])) || (kind >= UHID && !writes))
		return -ENOSYS;
	if (c->nr == READV || c->nr == WRITEV)
		return each(c, kind, writes);
	return one(c, kind, writes, c->a[1], c->a[2]);
}
