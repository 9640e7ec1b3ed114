/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ioctl: the command's row says what the argument is. */
#include "syscall/ioctl.h"

#include <errno.h>
#include <stdlib.h>
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

/* A list that a structure points to, as the host gets it. */
struct list {
	const struct abi_field *field;
	uint8_t *host; /* N elements; NULL: the host answers without them */
	gaddr guest;
	uint64_t n;
};
enum {
	MAX_LISTS = 2,           /* of a structure */
	MAX_LIST_SIZE = 1 << 20, /* in host bytes: no kernel takes longer ones */
};

static uint64_t list_length(const struct abi_struct *st, const struct abi_field *list,
			    const uint8_t *host)
{
	for (unsigned i = 0; list->count_field && i < st->nfields; i++) {
		const struct abi_field *f = &st->fields[i];

		if (strcmp(f->name, list->count_field) == 0)
			return abi_load_host(host + f->hoff, f->hsize);
	}
	return 1;
}

/* Makes the host's copy of list L, of the structure HOST whose pointer to it is still one to the guest's. */
static int read_list(const struct abi_struct *st, struct list *l, uint8_t *host)
{
	const struct abi_struct *sub = l->field->sub;
	uint64_t p = abi_load_host(host + l->field->hoff, 8);

	l->n = list_length(st, l->field, host);
	if (!mem_from_host((const void *)(uintptr_t)p, &l->guest) || !l->n)
		return 0;
	if (l->n > MAX_LIST_SIZE / sub->hsize)
		return -EINVAL;
	l->host = calloc(l->n, sub->hsize);
	if (!l->host)
		return -ENOMEM;
	p = (uint64_t)(uintptr_t)l->host;
	for (uint64_t i = 0; i < l->n; i++) {
		uint64_t at = l->guest + i * sub->gsize;

		if (at >= MEM_SPACE || abi_read(sub, l->host + i * sub->hsize, (gaddr)at)) {
			p = SYS_BAD_POINTER;
			break;
		}
	}
	memcpy(host + l->field->hoff, &p, 8);
	return 0;
}

static int read_lists(const struct abi_struct *st, struct list *list, uint8_t *host)
{
	unsigned n = 0;
	int err = 0;

	for (unsigned i = 0; i < st->nfields && n < MAX_LISTS && !err; i++) {
		const struct abi_field *f = &st->fields[i];

		if (!f->list && !f->count_field)
			continue;
		list[n].field = f;
		err = read_list(st, &list[n++], host);
	}
	return err;
}

/* After the host's command with result R: lists back, pointers the guest's again. */
static int64_t finish_lists(struct list *list, uint8_t *host, int64_t r)
{
	for (unsigned k = 0; k < MAX_LISTS && list[k].host; k++) {
		const struct abi_struct *sub = list[k].field->sub;
		uint64_t p = (uint64_t)(uintptr_t)mem_host(list[k].guest);
		bool whole = abi_load_host(host + list[k].field->hoff, 8) != SYS_BAD_POINTER;

		for (uint64_t i = 0; whole && list[k].field->list_out && r >= 0 && i < list[k].n;
		     i++) {
			if (abi_write(sub, list[k].guest + (gaddr)i * sub->gsize,
				      list[k].host + i * sub->hsize))
				r = -EFAULT;
		}
		memcpy(host + list[k].field->hoff, &p, 8);
		free(list[k].host);
	}
	return r;
}

void ioctl_hide_reserved(const struct abi_struct *st, void *host)
{
	for (unsigned i = 0; i < st->nfields; i++) {
		const struct abi_field *f = &st->fields[i];
		uint8_t *at = (uint8_t *)host + f->hoff;

		if (f->fmt == ABI_FD && task_fd_is_reserved((int)abi_load_host(at, f->hsize)))
			memset(at, 0xff, f->hsize);
	}
}

int64_t ioctl_struct(struct sys_call *c, const struct ioctl_row *row)
{
	const struct abi_struct *st = row->st;
	gaddr g = (gaddr)c->a[2];
	uint64_t host[(ABI_MAX_SIZE + 7) / 8];
	uint64_t arg = (uint64_t)(uintptr_t)host;
	struct list list[MAX_LISTS] = {{0}};
	int64_t r = 0;

	if (st->same)
		arg = sys_out_opt(c, g, st->gsize);
	else if (row->type == T_OUT)
		memset(host, 0, st->hsize);
	else if (abi_read(st, host, g))
		arg = SYS_BAD_POINTER;
	else {
		ioctl_hide_reserved(st, host);
		r = read_lists(st, list, (uint8_t *)host);
	}
	if (r == 0)
		r = ioctl_host(c, row, arg);
	r = finish_lists(list, (uint8_t *)host, r);
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
static bool is_open(struct sys_call *c)
{
	enum { HOST_GETFL = 3, HOST_O_PATH = 010000000 };
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], HOST_GETFL);

	return r >= 0 && !(r & HOST_O_PATH);
}

int64_t ioctl_refuse(struct sys_call *c, const struct ioctl_row *row, const char *why)
{
	if (!is_open(c))
		return -EBADF;
	diag_unsupported("ioctl", (uint32_t)c->a[1], "ioctl %s: %s: ENOTTY", row->name, why);
	return -ENOTTY;
}

static int64_t unknown(struct sys_call *c, uint32_t cmd)
{
	static const char *const dir[] = {"_IO", "_IOW", "_IOR", "_IOWR"};
	unsigned type = ioctl_type(cmd);

	if (!is_open(c))
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
	if (row->refused)
		return ioctl_refuse(c, row, row->refused);
	return row->handler ? row->handler(c, row) : by_type(c, row);
}
