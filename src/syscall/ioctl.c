/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ioctl: the command's row says what the argument is. */
#include "syscall/ioctl.h"

#include <errno.h>
#include <string.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

int64_t ioctl_host(struct sys_call *c, const struct ioctl_row *row, uint64_t arg)
{
	return sys_host_blocking(c, HOSTNR(ioctl), c->a[0],
				 ioctl_host_number(row, (uint32_t)c->a[1]), arg);
}

/* For strace. */
void ioctl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	uint32_t cmd = (uint32_t)c->a[1];
	const struct ioctl_row *row = ioctl_find(cmd);
	unsigned size;

	if (!row) {
		arg->type = T_ADDR;
		return;
	}
	arg->type = ioctl_data(row, cmd, &size);
	arg->fixed = (uint16_t)size;
	arg->st = row->st;
	if (arg->type == T_OPEN)
		arg->symbols = &abi_sym_open_flags;
	if (arg->type == T_PTR && size)
		arg->type = T_BUF_IN;
}

/* --- structures ------------------------------------------------------------------------------------ */

int64_t ioctl_struct(struct sys_call *c, const struct ioctl_row *row)
{
	const struct abi_struct *st = row->st;
	gaddr g = (gaddr)c->a[2];
	uint64_t host[(ABI_MAX_SIZE + 7) / 8];
	uint64_t arg = (uint64_t)(uintptr_t)host;
	int64_t r;

	if (st->same)
		arg = sys_out_opt(c, g, st->gsize);
	else if (row->type == T_OUT)
		memset(host, 0, st->hsize);
	else if (abi_read(st, host, g))
		arg = SYS_BAD_POINTER;
	r = ioctl_host(c, row, arg);
	if (r < 0 || row->type == T_IN || st->same)
		return r;
	int err = abi_write(st, g, host);
	return err ? err : r;
}

/* --- everything else -------------------------------------------------------------------------------- */

static int64_t by_type(struct sys_call *c, const struct ioctl_row *row)
{
	uint64_t v = c->a[2];
	unsigned size;

	switch (ioctl_data(row, (uint32_t)c->a[1], &size)) {
	case T_IN:
	case T_OUT:
	case T_INOUT: return ioctl_struct(c, row);
	case T_OPEN: return ioctl_host(c, row, (uint64_t)abi_open_flags_to_host((int)v));
	case T_FD: return task_fd_is_reserved((int)v) ? -EBADF : ioctl_host(c, row, v);
	case T_BUF_IN:
	case T_STR: return ioctl_host(c, row, v ? sys_buf(v, size) : 0);
	case T_BUF_OUT:
	case T_PTR:
		/* Of unknown size: what begins there at least. */
		sys_writes(c, v, size ? size : MEM_PAGE_SIZE);
		return ioctl_host(c, row, v ? sys_buf(v, size) : 0);
	default: return ioctl_host(c, row, v);
	}
}

/* EBADF comes first, and is no reason to complain. A descriptor of O_PATH is none here. */
static int64_t unknown(struct sys_call *c, uint32_t cmd)
{
	static const char *const dir[] = {"_IO", "_IOW", "_IOR", "_IOWR"};
	enum { HOST_GETFL = 3, HOST_O_PATH = 010000000 };
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], HOST_GETFL);
	unsigned type = ioctl_type(cmd);

	if (r < 0 || (r & HOST_O_PATH))
		return -EBADF;
	if (type > ' ' && type < 0x7f)
		diag_unsupported("ioctl", cmd,
				 "ioctl %#x (%s('%c', %#x), %u bytes) is not known: ENOTTY", cmd,
				 dir[ioctl_dir(cmd)], (char)type, ioctl_nr(cmd), ioctl_size(cmd));
	else
		diag_unsupported("ioctl", cmd,
				 "ioctl %#x (%s(%#x, %#x), %u bytes) is not known: ENOTTY", cmd,
				 dir[ioctl_dir(cmd)], type, ioctl_nr(cmd), ioctl_size(cmd));
	return -ENOTTY;
}

int64_t sys_ioctl(struct sys_call *c)
{
	const struct ioctl_row *row = ioctl_find((uint32_t)c->a[1]);

	if (!row)
		return unknown(c, (uint32_t)c->a[1]);
	return row->handler ? row->handler(c, row) : by_type(c, row);
}
