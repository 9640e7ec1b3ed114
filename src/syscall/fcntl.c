/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcntl64: one row a command, which says what the third argument is (for the conversion and for
 * strace) and under which number the LP64 host has it.
 */
#include <errno.h>
#include <stdint.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"

/* Host commands, which LP64 hosts share. The guest's wide locks are the host's only ones. */
enum { HOST_GETLK = 5, HOST_SETLK, HOST_SETLKW };

struct fcntl_row;
typedef int64_t fcntl_handler(struct sys_call *c, const struct fcntl_row *row);

struct fcntl_row {
	uint16_t cmd;
	uint16_t host_cmd;
	uint8_t type; /* enum sys_type of the argument; T_END: none */
	const struct abi_struct *st;
	const struct abi_symbols *symbols;
	fcntl_handler *handler; /* NULL: the argument is converted by its type */
};

static fcntl_handler lock, setown, getown, getfl;

#define SAME(c) .cmd = (c), .host_cmd = (c)
#define VALUE(c, t)      \
 {                       \
  SAME(c), .type = T_##t \
 }
#define NONE(c) VALUE(c, END)
#define NAMED(c, t, s)                            \
 {                                                \
  SAME(c), .type = T_##t, .symbols = &abi_sym_##s \
 }
#define STRUCT(c, t, s)                     \
 {                                          \
  SAME(c), .type = T_##t, .st = &abi_st_##s \
 }
#define LOCK(c, host, t, s)                   \
 {                                            \
  (c), (host), T_##t, &abi_st_##s, NULL, lock \
 }
#define SPECIAL(c, t, fn)                 \
 {                                        \
  SAME(c), .type = T_##t, .handler = (fn) \
 }

/* clang-format off */
static const struct fcntl_row rows[] = {
	VALUE(0, INT),                          /* F_DUPFD */
	NONE(1),                                /* F_GETFD */
	NAMED(2, FLAGS, fd_flags),              /* F_SETFD */
	SPECIAL(3, END, getfl),                 /* F_GETFL */
	NAMED(4, OPEN, open_flags),             /* F_SETFL */
	LOCK(5, HOST_GETLK, INOUT, flock),      /* F_GETLK, ... */
	LOCK(6, HOST_SETLK, IN, flock),
	LOCK(7, HOST_SETLKW, IN, flock),
	SPECIAL(8, PID, setown),                /* F_SETOWN */
	SPECIAL(9, END, getown),                /* F_GETOWN */
	VALUE(10, SIGNO),                       /* F_SETSIG */
	NONE(11),                               /* F_GETSIG */
	LOCK(12, HOST_GETLK, INOUT, flock64),   /* F_GETLK64, ... */
	LOCK(13, HOST_SETLK, IN, flock64),
	LOCK(14, HOST_SETLKW, IN, flock64),
	STRUCT(15, IN, f_owner_ex),             /* F_SETOWN_EX */
	STRUCT(16, OUT, f_owner_ex),            /* F_GETOWN_EX */
	VALUE(17, U64_OUT),                     /* F_GETOWNER_UIDS: two uids */
	LOCK(36, 36, INOUT, flock64),           /* F_OFD_GETLK, ... */
	LOCK(37, 37, IN, flock64),
	LOCK(38, 38, IN, flock64),
	NAMED(1024, SYMBOL, lock_type),         /* F_SETLEASE */
	NONE(1025),                             /* F_GETLEASE */
	VALUE(1026, HEX),                       /* F_NOTIFY */
	VALUE(1027, FD),                        /* F_DUPFD_QUERY */
	NONE(1028),                             /* F_CREATED_QUERY */
	VALUE(1030, INT),                       /* F_DUPFD_CLOEXEC */
	VALUE(1031, UINT),                      /* F_SETPIPE_SZ */
	NONE(1032),                             /* F_GETPIPE_SZ */
	VALUE(1033, HEX),                       /* F_ADD_SEALS */
	NONE(1034),                             /* F_GET_SEALS */
	VALUE(1035, U64_OUT),                   /* F_GET_RW_HINT, F_SET_RW_HINT, ..._FILE_... */
	VALUE(1036, U64_INOUT),
	VALUE(1037, U64_OUT),
	VALUE(1038, U64_INOUT),
};
/* clang-format on */

static const struct fcntl_row *row_of(uint64_t cmd)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].cmd == cmd)
			return &rows[i];
	}
	return NULL;
}

void fcntl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	const struct fcntl_row *row = row_of(c->a[1]);

	arg->type = row ? row->type : T_HEX;
	if (row)
		arg->st = row->st, arg->symbols = row->symbols;
}

/* --- locks ------------------------------------------------------------------------------------- */

/*
 * The host gets a copy, for the narrow form has to be widened, and the kernel clears the padding of
 * either form when it writes (put_compat_flock64). 4.14 applies the limits of the narrow form to the
 * wide one as well.
 */
static int64_t lock(struct sys_call *c, const struct fcntl_row *row)
{
	gaddr g = (gaddr)c->a[2];
	struct host_flock fl;
	uint64_t p = abi_read(row->st, &fl, g) ? SYS_BAD_POINTER : (uint64_t)(uintptr_t)&fl;
	int64_t r = sys_host_blocking(c, HOSTNR(fcntl), c->a[0], row->host_cmd, p);

	if (r < 0 || row->type != T_INOUT)
		return r;
	if (abi_profile->flock64_overflow && row->st == &abi_st_flock64) {
		if (fl.l_start > INT32_MAX)
			return -EOVERFLOW;
		if (fl.l_len > INT32_MAX)
			fl.l_len = INT32_MAX;
	}
	fl.pad0 = fl.pad1 = 0;
	return abi_write(row->st, g, &fl);
}

/* --- owners ------------------------------------------------------------------------------------ */

/* Negative: a process group. INT_MIN has no positive counterpart, which the host refuses. */
static int64_t setown(struct sys_call *c, const struct fcntl_row *row)
{
	return sys_host(HOSTNR(fcntl), c->a[0], row->host_cmd, (int32_t)(uint32_t)c->a[2]);
}

/*
 * A process group comes back negative, as on a 64-bit kernel, where it cannot be told from an error
 * either. The groups whose numbers are internal restart codes keep only their low half, so that
 * nobody restarts the call; libc looks at no more.
 */
static int64_t getown(struct sys_call *c, const struct fcntl_row *row)
{
	enum { FIRST_CODE = 512, LAST_CODE = 600 };
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], row->host_cmd, 0);

	return r <= -FIRST_CODE && r >= -LAST_CODE ? (int64_t)(uint32_t)r : r;
}

/* --- the rest ---------------------------------------------------------------------------------- */

static int64_t getfl(struct sys_call *c, const struct fcntl_row *row)
{
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], row->host_cmd, 0);

	return r < 0 ? r : abi_open_flags_to_guest((int)r);
}

static uint64_t host_arg(struct sys_call *c, const struct fcntl_row *row, uint64_t v)
{
	switch ((enum sys_type)row->type) {
	case T_OPEN: return (uint64_t)abi_open_flags_to_host((int)(uint32_t)v);
	/* All of the same layout. */
	case T_IN: return sys_buf(v, row->st->gsize);
	case T_OUT: return sys_out(c, v, row->st->gsize);
	case T_U64_OUT:
	case T_U64_INOUT: return sys_out(c, v, 8);
	default: return v;
	}
}

int64_t sys_fcntl64(struct sys_call *c)
{
	enum { NO_SUCH_COMMAND = -1 };
	const struct fcntl_row *row = row_of(c->a[1]);

	/* EBADF comes before EINVAL: the host decides. */
	if (!row)
		return sys_host(HOSTNR(fcntl), c->a[0], NO_SUCH_COMMAND, 0);
	if (row->handler)
		return row->handler(c, row);
	if (row->type == T_FD && task_fd_is_reserved((int)c->a[2]))
		return -EBADF;
	return sys_host(HOSTNR(fcntl), c->a[0], row->host_cmd, host_arg(c, row, c->a[2]));
}
