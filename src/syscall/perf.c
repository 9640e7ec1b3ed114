/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_event_open: the attributes are the same in both ABIs, but for addresses. Events are the host's,
 * so they count what the emulator does for the guest, and samples name host addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/ioctl.h"
#include "task/task.h"
#include "trace/trace.h"

/* struct perf_event_attr: offsets, and the size of its first version. */
enum { TYPE_AT = 0, SIZE_AT = 4, ADDR_AT = 56, LEN_AT = 64, SIZE_VER0 = 64 };
enum { TYPE_BREAKPOINT = 5, TYPE_MAX = 6 };
enum { FLAG_PID_CGROUP = 4 };

struct attr {
	uint64_t arg; /* what the host gets */
	uint8_t raw[MEM_PAGE_SIZE];
};

static void read_attr(struct attr *a, gaddr g)
{
	uint32_t size;

	memset(a->raw, 0, sizeof(a->raw));
	a->arg = SYS_BAD_POINTER;
	if (mem_get_u32(g + SIZE_AT, &size))
		return;
	if (!size)
		size = SIZE_VER0;
	/* Of a wrong size the host looks at nothing else. */
	if (size >= SIZE_VER0 && size <= sizeof(a->raw) && mem_copy_in(a->raw, g, size))
		return;
	abi_put32(a->raw + SIZE_AT, size);
	a->arg = (uint64_t)(uintptr_t)a->raw;
}

/* The number of the dynamic event source NAME, or -1. */
static int64_t source_type(const char *name)
{
	char path[64], text[16];
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

/* An address of the guest, which only the caller's own process has here. */
static int convert_address(struct attr *a, bool own)
{
	uint32_t type = abi_get32(a->raw + TYPE_AT);
	uint64_t addr = abi_get64(a->raw + ADDR_AT);

	if (type == TYPE_BREAKPOINT) {
		if (!own) {
			diag_unsupported("perf_event_open", type,
					 "perf_event_open: breakpoint in another process: EPERM");
			return -EPERM;
		}
		addr = addr > UINT32_MAX ? SYS_BAD_POINTER
					 : sys_range(addr, abi_get64(a->raw + LEN_AT));
	} else if (type >= TYPE_MAX && addr &&
		   (type == source_type("kprobe") || type == source_type("uprobe"))) {
		/* The name of a function or file. */
		addr = addr > UINT32_MAX ? SYS_BAD_POINTER : sys_buf(addr, 0);
	}
	abi_put64(a->raw + ADDR_AT, addr);
	return 0;
}

int64_t sys_perf_event_open(struct sys_call *c)
{
	gaddr g = (gaddr)c->a[0];
	int pid = (int)c->a[1];
	bool own = (pid == 0 || pid == c->task->tid) && !(c->a[4] & FLAG_PID_CGROUP);
	struct attr a;
	int64_t r;
	int e;

	read_attr(&a, g);
	e = a.arg == SYS_BAD_POINTER ? 0 : convert_address(&a, own);
	if (e)
		return e;
	r = sys_host(HOSTNR(perf_event_open), a.arg, c->a[1], c->a[2], c->a[3], c->a[4]);
	/* The size that the kernel knows. */
	if (r == -E2BIG)
		(void)mem_put_u32(g + SIZE_AT, abi_get32(a.raw + SIZE_AT));
	if (r >= 0)
		diag_unsupported("perf_event_open", 0,
				 "perf_event_open: events count the emulator's work, and samples "
				 "have its addresses");
	return r;
}

/* New attributes for an event, a breakpoint say (PERF_EVENT_IOC_MODIFY_ATTRIBUTES). */
int64_t ioctl_perf_modify(struct sys_call *c, const struct ioctl_row *row)
{
	struct attr a;

	read_attr(&a, (gaddr)c->a[2]);
	if (a.arg != SYS_BAD_POINTER)
		(void)convert_address(&a, true);
	return ioctl_host(c, row, a.arg);
}
