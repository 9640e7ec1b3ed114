/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generic path: what a row says about its arguments is enough to make the host call.
 *
 * Whatever the kernel would refuse about a pointer, the host kernel is made to refuse: it gets the
 * guest's memory itself, or SYS_BAD_POINTER where that cannot be handed on. So each errno comes in the
 * kernel's own order of checks.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "mem/mem.h"
#include "syscall/device.h"
#include "syscall/lookup.h"
#include "syscall/syscall.h"

#define MAX_PATHS   2
#define MAX_STRUCTS 3
#define SCRATCH     ((ABI_MAX_SIZE + 7) / 8)

#define MAX_RW_COUNT 0x7ffff000u /* INT_MAX & PAGE_MASK */

#define GUEST_AT_SYMLINK_NOFOLLOW 0x100
#define GUEST_AT_SYMLINK_FOLLOW   0x400

/* What one call needs beside registers. */
struct work {
	uint64_t host[SYS_MAX_ARGS + 2]; /* host arguments; POS64 takes two */
	unsigned npaths, nstructs;
	bool has_output; /* after() has something to do */
	void *to_free;
	uint64_t st[MAX_STRUCTS][SCRATCH];
	struct host_iovec iov[SYS_FAST_IOVECS];
	char path[MAX_PATHS][PATH_MAX];
};

/* --- iovecs ------------------------------------------------------------------------------------- */

/* Its members in the profile in force: base, then length. */
static struct sys_iovec iovec_at(const uint8_t *raw)
{
	const struct abi_field *f = abi_st_iovec.fields;
	uint64_t len = abi_load_guest(raw + f[1].goff, f[1].gsize);

	return (struct sys_iovec){abi_load_guest(raw + f[0].goff, f[0].gsize), len,
				  len >> (8 * f[1].gsize - 1)};
}

bool sys_read_iovec(gaddr g, uint64_t i, struct sys_iovec *v)
{
	uint8_t raw[ABI_MAX_SIZE];
	uint64_t at = g + i * abi_st_iovec.gsize;

	if (at > UINT32_MAX || mem_copy_in(raw, (gaddr)at, abi_st_iovec.gsize))
		return false;
	*v = iovec_at(raw);
	return true;
}

static bool fetch_iovecs(gaddr g, uint64_t count, struct host_iovec *iov, bool *invalid)
{
	uint8_t raw[8 * SYS_FAST_IOVECS + ABI_MAX_SIZE];
	const size_t size = abi_st_iovec.gsize, fit = sizeof(raw) / size;
	uint64_t left = MAX_RW_COUNT;

	for (uint64_t i = 0; i < count; i++) {
		size_t at = i % fit;

		if (at == 0) {
			uint64_t n = count - i < fit ? count - i : fit;

			if (mem_copy_in(raw, g + (gaddr)(i * size), n * size))
				return false;
		}
		const struct sys_iovec v = iovec_at(raw + size * at);
		const uint64_t base = v.base, len = v.len;

		if (v.negative) {
			*invalid = true;
			return false;
		}
		iov[i].iov_base = base > UINT32_MAX ? SYS_BAD_POINTER : sys_buf(base, len);
		if (iov[i].iov_base == SYS_BAD_POINTER)
			return false;
		iov[i].iov_len = len < left ? len : left;
		left -= iov[i].iov_len;
	}
	return true;
}

void sys_import_iovec(gaddr g, uint64_t count, struct host_iovec *buf, uint64_t *iov, uint64_t *n,
		      void **free_me)
{
	struct host_iovec *v = buf;
	bool invalid = false;

	*free_me = NULL;
	*n = count;
	*iov = (uint64_t)(uintptr_t)v;
	if (count > SYS_MAX_IOVECS || count == 0)
		return;
	if (g + count * abi_st_iovec.gsize > MEM_SPACE) {
		*iov = SYS_BAD_POINTER;
		return;
	}
	if (count > SYS_FAST_IOVECS) {
		v = malloc(count * sizeof(*v));
		if (!v) {
			*iov = SYS_BAD_POINTER;
			return;
		}
		*free_me = v;
		*iov = (uint64_t)(uintptr_t)v;
	}
	if (!fetch_iovecs(g, count, v, &invalid)) {
		if (invalid)
			*n = SYS_MAX_IOVECS + 1; /* EINVAL, like a negative length */
		else
			*iov = SYS_BAD_POINTER;
	}
}

void sys_iovec_wrote(gaddr g, uint64_t count, uint64_t len)
{
	struct sys_iovec v;

	for (uint64_t i = 0; i < count && len; i++) {
		if (!sys_read_iovec(g, i, &v))
			return;
		uint64_t n = v.len < len ? v.len : len;

		mem_host_wrote((gaddr)v.base, n);
		len -= n;
	}
}

/* --- before the call ------------------------------------------------------------------------------- */

/* Elements or bytes that argument A covers. */
static uint64_t length_of(const struct sys_call *c, const struct sys_arg *a)
{
	return a->len >= 0 ? c->a[a->len] : a->fixed;
}

/* The AT_ flags of the call, 0 if it has none. */
static uint64_t at_flags_of(const struct sys_call *c)
{
	const uint64_t *v = c->a;

	for (const struct sys_arg *a = c->row->arg; a->type != T_END; a++) {
		if (a->type == T_PAD)
			continue;
		if (a->symbols == &abi_sym_at_flags || a->symbols == &abi_sym_faccessat_flags)
			return *v;
		v++;
	}
	return 0;
}

/* The directory that the path in argument A is relative to: the one before it, if any. */
static int directory_of(const struct sys_call *c, const struct sys_arg *a)
{
	size_t i = (size_t)(a - c->row->arg);

	return i && a[-1].type == T_DFD ? (int)c->a[i - 1] : AT_FDCWD;
}

/* access(2) for other things than writing gives the same for the emulator and the guest's program: who runs
 * them may read and execute both. */
static bool is_same_for_both(const struct sys_call *c)
{
	enum { W_OK_ = 2 };

	return c->row->arg[2].symbols == &abi_sym_access_mode && !(c->a[2] & W_OK_);
}

/* NAME leads to the emulator through /proc: it becomes what it means for the guest. */
static void guest_instead(const struct sys_call *c, const struct sys_arg *a, char *name,
			  enum path_use use)
{
	const bool follow = use == PATH_LOOKUP || at_flags_of(c) & GUEST_AT_SYMLINK_FOLLOW;
	char out[PATH_MAX];

	if (is_same_for_both(c) && !lookup_is_suspect(name))
		return;
	switch (lookup_check(directory_of(c, a), name, follow, out)) {
	case -ENOSYS: break;
	case 0: memcpy(name, out, strlen(out) + 1); break;
	/* Not there, or it cannot be told what it is: a name that nothing has. */
	default: snprintf(name, PATH_MAX, "/proc/self/fd/-"); break;
	}
}

static uint64_t path_arg(const struct sys_call *c, const struct sys_arg *a, uint64_t v,
			 struct work *w)
{
	char *out = w->path[w->npaths++];
	enum path_use use = a->type == T_PATH_NEW                        ? PATH_CREATE
			    : a->type == T_PATH_LINK                     ? PATH_NOFOLLOW
			    : at_flags_of(c) & GUEST_AT_SYMLINK_NOFOLLOW ? PATH_NOFOLLOW
									 : PATH_LOOKUP;

	uint64_t path = path_to_host(out, (gaddr)v, use);

	if (path == (uint64_t)(uintptr_t)out && use != PATH_CREATE)
		guest_instead(c, a, out, use);
	return path;
}

static uint64_t struct_arg(const struct sys_arg *a, uint64_t v, struct work *w)
{
	const struct abi_struct *s = a->st;

	w->has_output |= a->type != T_IN;
	if (s->same)
		return sys_buf(v, s->gsize);
	void *h = w->st[w->nstructs++];
	if (a->type == T_OUT)
		memset(h, 0, s->hsize);
	else if (abi_read(s, h, (uint32_t)v))
		return SYS_BAD_POINTER;
	return (uint64_t)(uintptr_t)h;
}

/* Arrays of a structure that needs conversion have a fixed length (times[2]); those with a variable
 * one have handlers, unless nothing is to be converted. */
static uint64_t array_arg(const struct sys_call *c, const struct sys_arg *a, uint64_t v,
			  struct work *w)
{
	const struct abi_struct *s = a->st;
	uint64_t n = length_of(c, a);

	w->has_output |= a->type == T_OUT_ARRAY;
	if (s->same)
		return (int32_t)n <= 0 ? sys_buf(v, 0) : sys_buf(v, n * s->gsize);
	uint8_t *h = (uint8_t *)w->st[w->nstructs++];
	if (a->len >= 0 || n * s->hsize > sizeof(w->st[0]))
		abort(); /* test_table checks that no row does this */
	for (uint64_t i = 0; i < n && a->type == T_IN_ARRAY; i++) {
		if (v + i * s->gsize > UINT32_MAX ||
		    abi_read(s, h + i * s->hsize, (uint32_t)(v + i * s->gsize)))
			return SYS_BAD_POINTER;
	}
	return (uint64_t)(uintptr_t)h;
}

static void iovec_arg(const struct sys_call *c, const struct sys_arg *a, uint64_t v,
		      uint64_t host[2], struct work *w)
{
	/* The count follows the pointer in every such call. */
	sys_import_iovec((gaddr)v, length_of(c, a), w->iov, &host[0], &host[1], &w->to_free);
	w->has_output |= a->type == T_IOVEC_OUT;
}

/*
 * Whether the host gets NULL for the pointer V: also where the kernel does not take NULL, because it
 * may refuse it earlier or otherwise than a bad pointer (EINVAL of timer_settime). Only a guest that
 * has mapped page 0 means an address by it.
 */
static bool is_null(const struct sys_arg *a, uint64_t v)
{
	return v == 0 && (a->optional || !(mem_page_bits(0) & PG_MAPPED));
}

static uint64_t pointer_arg(struct sys_call *c, const struct sys_arg *a, uint64_t v, struct work *w)
{
	switch ((enum sys_type)a->type) {
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW: return path_arg(c, a, v, w);
	case T_IN:
	case T_OUT:
	case T_INOUT: return struct_arg(a, v, w);
	case T_IN_ARRAY:
	case T_OUT_ARRAY: return array_arg(c, a, v, w);
	case T_BUF_OUT:
	case T_DIRENTS: w->has_output = true; return sys_buf(v, length_of(c, a));
	case T_BUF_IN:
	case T_SOCKADDR_IN: return sys_buf(v, length_of(c, a));
	case T_SIGSET: return sys_buf(v, 8);
	case T_SIGSET_OUT:
	case T_U64_OUT:
	case T_U64_INOUT: w->has_output = true; return sys_buf(v, 8);
	case T_INT_OUT:
	case T_INT_INOUT: w->has_output = true; return sys_buf(v, 4);
	case T_SOCKADDR_OUT:
	case T_PTR: w->has_output = true; return sys_buf(v, 0);
	default: return sys_buf(v, 0);
	}
}

static void before(struct sys_call *c, struct work *w)
{
	const uint64_t *values = c->a;
	uint64_t *host = w->host;

	for (const struct sys_arg *a = c->row->arg; a->type != T_END; a++) {
		uint64_t v;

		if (a->type == T_PAD)
			continue;
		v = *values++;
		if (a->type >= T_PATH) {
			if (a->type == T_IOVEC_IN || a->type == T_IOVEC_OUT) {
				iovec_arg(c, a, v, host, w);
				host += 2;
				a++, values++;
				continue;
			}
			if (!is_null(a, v))
				v = pointer_arg(c, a, v, w);
		} else if (a->type == T_OPEN) {
			v = (uint64_t)abi_open_flags_to_host((int)v);
		}
		*host++ = v;
		if (a->type == T_POS64)
			*host++ = 0;
	}
}

/* --- after the call ---------------------------------------------------------------------------- */

/* Tells that the host wrote into guest memory, unless no translated code can be there. */
static inline void wrote(uint64_t g, uint64_t len)
{
	if (g + len > MEM_SPACE)
		len = MEM_SPACE - g;
	if (len > MEM_PAGE_SIZE || (mem_page_bits((gaddr)g) & PG_CODE) ||
	    (len && (mem_page_bits((gaddr)(g + len - 1)) & PG_CODE)))
		mem_host_wrote((gaddr)g, len);
}

/* Bytes that the host itself may have written at argument A; RESULT < 0: before it failed. */
static uint64_t bytes_written(const struct sys_call *c, const struct sys_arg *a, int64_t result)
{
	uint64_t n = length_of(c, a);

	switch ((enum sys_type)a->type) {
	case T_OUT:
	case T_INOUT: return a->st->same ? a->st->gsize : 0;
	case T_OUT_ARRAY:
		if (a->len >= 0 && result >= 0)
			n = (uint64_t)result;
		return a->st->same ? n * a->st->gsize : 0;
	case T_BUF_OUT:
	case T_DIRENTS:
		return c->row->result == SYS_R_SIZE && (uint64_t)result < n ? (uint64_t)result : n;
	case T_SIGSET_OUT:
	case T_U64_OUT:
	case T_U64_INOUT: return 8;
	case T_INT_OUT:
	case T_INT_INOUT: return 4;
	case T_SOCKADDR_OUT: return SYS_SOCKADDR_MAX;
	case T_PTR: return MEM_PAGE_SIZE;
	default: return 0;
	}
}

/* Converts what is not the same in both ABIs. */
static int output(const struct sys_arg *a, uint64_t v, int64_t result, struct work *w)
{
	const struct abi_struct *s = a->st;
	const uint8_t *h;
	uint64_t n = a->len >= 0 ? (uint64_t)result : a->fixed;
	int err = 0;

	switch ((enum sys_type)a->type) {
	case T_IN:
	case T_IN_ARRAY: w->nstructs += !s->same; break;
	case T_OUT:
	case T_INOUT:
		if (!s->same)
			err = abi_write(s, (uint32_t)v, w->st[w->nstructs++]);
		break;
	case T_OUT_ARRAY:
		if (s->same)
			break;
		h = (const uint8_t *)w->st[w->nstructs++];
		for (uint64_t i = 0; i < n && !err; i++)
			err = abi_write(s, (uint32_t)(v + i * s->gsize), h + i * s->hsize);
		break;
	default: break;
	}
	return err;
}

static int64_t after(struct sys_call *c, int64_t result, struct work *w)
{
	const uint64_t *values = c->a;
	int err = 0;

	w->nstructs = 0;
	for (const struct sys_arg *a = c->row->arg; a->type != T_END; a++) {
		uint64_t v;

		if (a->type == T_PAD)
			continue;
		v = *values++;
		if (a->type < T_PATH || is_null(a, v))
			continue;
		if (a->type == T_IOVEC_OUT)
			sys_iovec_wrote((gaddr)v, length_of(c, a), (uint64_t)result);
		else
			wrote(v, bytes_written(c, a, result));
		if (result >= 0 && !err)
			err = output(a, v, result, w);
	}
	return err ? err : result;
}

/* read(2), write(2) and their kind. */
static bool moves_data(const struct sys_row *row)
{
	unsigned type = row->arg[1].type;

	return row->arg[0].type == T_FD &&
	       (type == T_BUF_IN || type == T_BUF_OUT || type == T_IOVEC_IN || type == T_IOVEC_OUT);
}

int64_t sys_generic(struct sys_call *c)
{
	struct work w;
	int64_t r;

	if (device_seen && moves_data(c->row)) {
		r = device_io(c);
		if (r != -ENOSYS)
			return r;
	}
	memset(w.host, 0, sizeof(w.host));
	w.npaths = w.nstructs = 0;
	w.has_output = false;
	w.to_free = NULL;
	before(c, &w);
	r = sys_host_blocking_(c, c->row->host, w.host[0], w.host[1], w.host[2], w.host[3],
			       w.host[4], w.host[5]);
	/* With these errors it may have written something before it came to what is wrong. */
	if (w.has_output && (r >= 0 || r == -EFAULT || r == -EINVAL))
		r = after(c, r, &w);
	if (w.to_free)
		free(w.to_free);
	/* The end of a file, or one that is not to be written to. */
	if (c->row->result == SYS_R_SIZE && (r == 0 || r == -EPERM) && moves_data(c->row))
		r = procfs_memory(c, r);
	return r;
}
