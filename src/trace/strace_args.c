/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments by their type in the row. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "mem/mem.h"
#include "signal/signal.h"
#include "trace/strace.h"
#include "trace/trace.h"

#define MAX_ELEMENTS   32
#define GUEST_AT_FDCWD (-100)

void strace_pointer(struct text *t, uint64_t g)
{
	if (g)
		text_printf(t, "%#llx", (unsigned long long)g);
	else
		text_str(t, "NULL");
}

void strace_struct(struct text *t, const struct abi_struct *s, uint64_t g)
{
	uint8_t buf[ABI_MAX_SIZE];

	if (!g || mem_copy_in(buf, (gaddr)g, s->gsize))
		strace_pointer(t, g);
	else
		text_struct(t, s, buf);
}

static uint64_t length_of(const struct sys_call *c, const struct sys_arg *a)
{
	return a->len >= 0 ? c->a[a->len] : a->fixed;
}

/* --- pieces ----------------------------------------------------------------------------------- */

static void string(struct text *t, uint64_t g, size_t limit)
{
	char *buf = NULL;
	char some[TEXT_STRING_LIMIT + 1];
	int64_t n;

	if (limit > TEXT_STRING_LIMIT && !(buf = malloc(limit + 1))) {
		strace_pointer(t, g);
		return;
	}
	n = g ? mem_copy_str(buf ? buf : some, (gaddr)g, limit + 1) : -1;
	if (n >= 0)
		text_quoted(t, buf ? buf : some, (size_t)n, limit, false);
	else if (n == -ENAMETOOLONG)
		text_quoted(t, buf ? buf : some, limit, limit, true);
	else
		strace_pointer(t, g);
	free(buf);
}

void strace_buffer(struct text *t, uint64_t g, uint64_t n)
{
	uint8_t buf[TEXT_STRING_LIMIT];
	size_t shown = n < sizeof(buf) ? n : sizeof(buf);

	if (!g || mem_copy_in(buf, (gaddr)g, shown))
		strace_pointer(t, g);
	else
		text_quoted(t, buf, shown, shown, n > shown);
}

static void array(struct text *t, const struct abi_struct *s, uint64_t g, uint64_t n)
{
	if (!g) {
		text_str(t, "NULL");
		return;
	}
	text_str(t, "[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS) {
			text_str(t, "...");
			break;
		}
		strace_struct(t, s, g + i * s->gsize);
	}
	text_str(t, "]");
}

void strace_iovecs(struct text *t, uint64_t g, uint64_t n, uint64_t bytes, bool contents)
{
	struct sys_iovec v;

	text_str(t, "[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS || !sys_read_iovec((gaddr)g, i, &v)) {
			text_str(t, "...");
			break;
		}
		uint64_t filled = v.len < bytes ? v.len : bytes;

		text_str(t, "{iov_base=");
		if (contents)
			strace_buffer(t, v.base, filled);
		else
			strace_pointer(t, v.base);
		text_printf(t, ", iov_len=%llu}", (unsigned long long)v.len);
		bytes -= filled;
	}
	text_str(t, "]");
}

static void argv(struct text *t, uint64_t g)
{
	text_str(t, "[");
	for (unsigned i = 0; g; i++) {
		uint32_t p;

		if (mem_get_u32((gaddr)(g + 4 * i), &p)) {
			text_str(t, i ? ", ..." : "...");
			break;
		}
		if (!p)
			break;
		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS) {
			text_str(t, "...");
			break;
		}
		string(t, p, TEXT_STRING_LIMIT);
	}
	text_str(t, "]");
}

static void envp(struct text *t, uint64_t g)
{
	unsigned n = 0;
	uint32_t p = 0;

	strace_pointer(t, g);
	if (!g)
		return;
	while (!mem_get_u32((gaddr)(g + 4 * n), &p) && p)
		n++;
	text_printf(t, n == 1 ? " /* %u var */" : " /* %u vars */", n);
}

static void fdset(struct text *t, uint64_t g, uint64_t nfds)
{
	bool any = false;
	uint32_t word = 0;

	if (!g) {
		text_str(t, "NULL");
		return;
	}
	text_str(t, "[");
	for (unsigned fd = 0; fd < nfds && fd < 1024; fd++) {
		if (fd % 32 == 0 && mem_get_u32((gaddr)(g + fd / 8), &word))
			break;
		if (word >> (fd % 32) & 1) {
			text_printf(t, any ? " %u" : "%u", fd);
			any = true;
		}
	}
	text_str(t, "]");
}

/* What poll found, as strace appends it. */
static void pollfds(struct text *t, uint64_t g, uint64_t n)
{
	const struct abi_field *fd = &abi_st_pollfd.fields[0], *events = &abi_st_pollfd.fields[1];
	uint8_t v[8];

	text_str(t, "[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			text_str(t, ", ");
		if (i == MAX_ELEMENTS || mem_copy_in(v, (gaddr)(g + 8 * i), 8)) {
			text_str(t, "...");
			break;
		}
		text_printf(t, "{fd=%d, events=", (int)abi_get32(v + fd->goff));
		text_symbol(t, events->symbols, abi_load_guest(v + events->goff, events->gsize));
		text_str(t, "}");
	}
	text_str(t, "]");
}

static void dirents(struct text *t, uint64_t g, uint64_t bytes)
{
	unsigned n = 0;
	uint8_t reclen[2];

	for (uint64_t at = 0; at + 19 <= bytes; n++) {
		if (mem_copy_in(reclen, (gaddr)(g + at + 16), 2))
			break;
		at += reclen[0] | (unsigned)reclen[1] << 8;
		if (!(reclen[0] | reclen[1]))
			break;
	}
	strace_pointer(t, g);
	text_printf(t, n == 1 ? " /* %u entry */" : " /* %u entries */", n);
}

static void siginfo(struct text *t, uint64_t g)
{
	struct host_siginfo info;
	uint8_t raw[128];

	if (!g || mem_copy_in(raw, (gaddr)g, sizeof(raw))) {
		strace_pointer(t, g);
		return;
	}
	signal_info_to_host(&info, raw);
	strace_siginfo(t, &info);
}

static void number_at(struct text *t, uint64_t g)
{
	uint32_t v;

	if (!g || mem_get_u32((gaddr)g, &v))
		strace_pointer(t, g);
	else
		text_printf(t, "[%d]", (int)v);
}

static void offset_at(struct text *t, uint64_t g)
{
	uint8_t v[8];

	if (!g || mem_copy_in(v, (gaddr)g, 8))
		strace_pointer(t, g);
	else
		text_printf(t, "[%lld]", (long long)abi_get64(v));
}

static void sigset(struct text *t, uint64_t g)
{
	uint8_t v[8];

	if (!g || mem_copy_in(v, (gaddr)g, 8))
		strace_pointer(t, g);
	else
		text_sigset(t, abi_get64(v));
}

/* What an argument points to: a structure, or a number, which strace shows in brackets. */
static void pointed_to(struct text *t, const struct abi_struct *s, uint64_t g)
{
	uint8_t probe;
	bool number = s->nfields == 1 && !s->fields[0].name[0];

	number = number && g && mem_copy_in(&probe, (gaddr)g, 1) == 0;
	text_str(t, number ? "[" : "");
	strace_struct(t, s, g);
	text_str(t, number ? "]" : "");
}

/* The members that are all in the first N bytes. */
static void sized(struct text *t, const struct abi_struct *s, uint64_t g, uint64_t n)
{
	uint8_t buf[ABI_MAX_SIZE];

	n = n < s->gsize ? n : s->gsize;
	if (!g || mem_copy_in(buf, (gaddr)g, n))
		strace_pointer(t, g);
	else
		text_struct_part(t, s, buf, n);
}

/* A value whose type the row does not know was not widened by it. */
static uint64_t widened(const struct sys_arg *arg, uint64_t v)
{
	switch ((enum sys_type)arg->type) {
	case T_INT:
	case T_LONG:
	case T_FD:
	case T_PID:
	case T_SYMBOL: return arg->variant ? (uint64_t)(int64_t)(int32_t)(uint32_t)v : v;
	default: return v;
	}
}

/* --- before ------------------------------------------------------------------------------------- */

static bool scalar(struct text *t, const struct sys_arg *arg, uint64_t v)
{
	char name[16];

	switch ((enum sys_type)arg->type) {
	case T_INT:
	case T_LONG:
	case T_FD:
	case T_PID:
	case T_OFF64:
	case T_OFF64_HL:
	case T_POS64: text_printf(t, "%lld", (long long)v); break;
	case T_DFD:
		if ((int)v == GUEST_AT_FDCWD)
			text_str(t, "AT_FDCWD");
		else
			text_printf(t, "%d", (int)v);
		break;
	case T_UINT: text_printf(t, "%llu", (unsigned long long)v); break;
	case T_UID:
		if ((uint32_t)v == UINT32_MAX)
			text_str(t, "-1");
		else
			text_printf(t, "%u", (unsigned)v);
		break;
	case T_HEX: text_printf(t, v ? "%#llx" : "%llx", (unsigned long long)v); break;
	case T_MODE: text_printf(t, "%#03o", (unsigned)v); break;
	case T_DEV: text_dev(t, v); break;
	case T_SIGNO: text_str(t, v ? trace_signal_name((int)v, name) : "0"); break;
	case T_SYMBOL:
	case T_FLAGS:
	case T_OPEN:
		if (arg->symbols == &abi_sym_file_mode)
			text_mode(t, (uint32_t)v);
		else
			text_symbol(t, arg->symbols, v);
		break;
	case T_ADDR:
	case T_PTR:
	case T_OPAQUE: strace_pointer(t, v); break;
	default: return false;
	}
	return true;
}

void strace_arg_before(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
		       unsigned i)
{
	uint64_t v = widened(arg, c->a[i]);

	if (strace_special_before(t, c, arg, i) || scalar(t, arg, v))
		return;
	switch ((enum sys_type)arg->type) {
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW: string(t, v, PATH_MAX); break;
	case T_STR: string(t, v, TEXT_STRING_LIMIT); break;
	case T_IN:
	case T_INOUT: pointed_to(t, arg->st, v); break;
	case T_IN_SIZED: sized(t, arg->st, v, length_of(c, arg)); break;
	case T_IN_ARRAY: array(t, arg->st, v, length_of(c, arg)); break;
	case T_BUF_IN: strace_buffer(t, v, length_of(c, arg)); break;
	case T_IOVEC_IN: strace_iovecs(t, v, length_of(c, arg), UINT64_MAX, true); break;
	case T_SOCKADDR_IN: strace_sockaddr(t, v, length_of(c, arg)); break;
	case T_SIGSET: sigset(t, v); break;
	case T_INT_INOUT: number_at(t, v); break;
	case T_U64_INOUT: offset_at(t, v); break;
	case T_ARGV: argv(t, v); break;
	case T_ENVP: envp(t, v); break;
	case T_FDSET: fdset(t, v, length_of(c, arg)); break;
	case T_POLLFDS: pollfds(t, v, length_of(c, arg)); break;
	case T_SIGINFO_IN: siginfo(t, v); break;
	default: break; /* written ones come after */
	}
}

/* --- after -------------------------------------------------------------------------------------- */

static uint64_t bytes_written(const struct sys_call *c, const struct sys_arg *arg, int64_t result)
{
	uint64_t room = length_of(c, arg);

	return c->row->result == SYS_R_SIZE && (uint64_t)result < room ? (uint64_t)result : room;
}

static void sockaddr_out(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			 uint64_t v)
{
	uint32_t len;

	if (c->a[arg->len] && !mem_get_u32((gaddr)c->a[arg->len], &len))
		strace_sockaddr(t, v, len);
	else
		strace_pointer(t, v);
}

/* Nothing was written: the bare pointer of an argument that is an output only. */
static void failed(struct text *t, const struct sys_arg *arg, uint64_t v)
{
	if (sys_type_is_output(arg->type) || arg->type == T_IOVEC_OUT)
		strace_pointer(t, v);
}

void strace_arg_after(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
		      unsigned i, int64_t result)
{
	uint64_t v = c->a[i];
	uint32_t status;

	if (strace_special_after(t, c, arg, i, result))
		return;
	if (result < 0) {
		failed(t, arg, v);
		return;
	}
	switch ((enum sys_type)arg->type) {
	case T_OUT: pointed_to(t, arg->st, v); break;
	case T_OUT_ARRAY:
		array(t, arg->st, v, arg->len >= 0 ? (uint64_t)result : arg->fixed);
		break;
	case T_BUF_OUT: strace_buffer(t, v, bytes_written(c, arg, result)); break;
	case T_DIRENTS: dirents(t, v, (uint64_t)result); break;
	case T_IOVEC_OUT: strace_iovecs(t, v, length_of(c, arg), (uint64_t)result, true); break;
	case T_SOCKADDR_OUT: sockaddr_out(t, c, arg, v); break;
	case T_SIGSET_OUT: sigset(t, v); break;
	case T_INT_OUT: number_at(t, v); break;
	case T_U64_OUT: offset_at(t, v); break;
	case T_SIGINFO_OUT: siginfo(t, v); break;
	case T_WSTATUS:
		if (result && v && !mem_get_u32((gaddr)v, &status))
			strace_wait_status(t, status);
		else
			strace_pointer(t, v);
		break;
	case T_POLLFDS:
		if (result)
			array(t, arg->st, v, length_of(c, arg));
		break;
	case T_FDSET:
		if (v)
			fdset(t, v, length_of(c, arg));
		break;
	case T_INT_INOUT: number_at(t, v); break;
	case T_U64_INOUT: offset_at(t, v); break;
	case T_INOUT: pointed_to(t, arg->st, v); break;
	default: break;
	}
}
