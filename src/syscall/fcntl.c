/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcntl64: one row a command, which says what the third argument is (for the conversion and for
 * strace) and under which number the LP64 host has it.
 */
#include <errno.h>
#include <stdint.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symtab.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"

/* Host commands, which LP64 hosts share. The guest's wide locks are the host's only ones. */
enum { HOST_GETLK = 5, HOST_SETLK, HOST_SETLKW };

struct fcntl_row;
typedef int64_t fcntl_handler(struct sys_call *c, const struct fcntl_row *row);

struct fcntl_row {
	uint16_t cmd;
	uint16_t host_cmd; /* 0: the same */
	uint8_t type;      /* enum sys_type of the argument; T_END: none */
	const struct abi_struct *st;
	const struct abi_symbols *symbols;
	fcntl_handler *handler; /* NULL: the argument is converted by its type */
};

static fcntl_handler lock, setown, getown, getfl;

#define VALUE(t)       .type = T_##t
#define NONE           VALUE(END)
#define NAMED(t, s)    .type = T_##t, .symbols = &abi_sym_##s
#define STRUCT(t, s)   .type = T_##t, .st = &abi_st_##s
#define LOCK(nr, t, s) .host_cmd = (nr), .type = T_##t, .st = &abi_st_##s, .handler = lock
#define SPECIAL(t, fn) .type = T_##t, .handler = (fn)

/* clang-format off */
#define COMMANDS(X, N) \
	X(F_DUPFD, 0, VALUE(INT)) \
	X(F_GETFD, 1, NONE) \
	X(F_SETFD, 2, NAMED(FLAGS, fd_flags)) \
	X(F_GETFL, 3, SPECIAL(END, getfl)) \
	X(F_SETFL, 4, NAMED(OPEN, open_flags)) \
	X(F_GETLK, 5, LOCK(HOST_GETLK, INOUT, flock)) \
	X(F_SETLK, 6, LOCK(HOST_SETLK, IN, flock)) \
	X(F_SETLKW, 7, LOCK(HOST_SETLKW, IN, flock)) \
	X(F_SETOWN, 8, SPECIAL(PID, setown)) \
	X(F_GETOWN, 9, SPECIAL(END, getown)) \
	X(F_SETSIG, 10, VALUE(SIGNO)) \
	X(F_GETSIG, 11, NONE) \
	X(F_GETLK64, 12, LOCK(HOST_GETLK, INOUT, flock64)) \
	X(F_SETLK64, 13, LOCK(HOST_SETLK, IN, flock64)) \
	X(F_SETLKW64, 14, LOCK(HOST_SETLKW, IN, flock64)) \
	X(F_SETOWN_EX, 15, STRUCT(IN, f_owner_ex)) \
	X(F_GETOWN_EX, 16, STRUCT(OUT, f_owner_ex)) \
	X(F_GETOWNER_UIDS, 17, VALUE(U64_OUT)) /* two uids */ \
	X(F_OFD_GETLK, 36, LOCK(36, INOUT, flock64)) \
	X(F_OFD_SETLK, 37, LOCK(37, IN, flock64)) \
	X(F_OFD_SETLKW, 38, LOCK(38, IN, flock64)) \
	X(F_SETLEASE, 1024, NAMED(SYMBOL, lock_type)) \
	X(F_GETLEASE, 1025, NONE) \
	X(F_NOTIFY, 1026, VALUE(HEX)) \
	X(F_DUPFD_QUERY, 1027, VALUE(FD)) \
	X(F_CREATED_QUERY, 1028, NONE) \
	N(F_CANCELLK, 1029) \
	X(F_DUPFD_CLOEXEC, 1030, VALUE(INT)) \
	X(F_SETPIPE_SZ, 1031, VALUE(UINT)) \
	X(F_GETPIPE_SZ, 1032, NONE) \
	X(F_ADD_SEALS, 1033, VALUE(HEX)) \
	X(F_GET_SEALS, 1034, NONE) \
	X(F_GET_RW_HINT, 1035, VALUE(U64_OUT)) \
	X(F_SET_RW_HINT, 1036, VALUE(U64_INOUT)) \
	X(F_GET_FILE_RW_HINT, 1037, VALUE(U64_OUT)) \
	X(F_SET_FILE_RW_HINT, 1038, VALUE(U64_INOUT))
/* clang-format on */

#define ROW(n, c, ...) {.cmd = (c), __VA_ARGS__},
#define NO_ROW(n, c)
static const struct fcntl_row rows[] = {COMMANDS(ROW, NO_ROW)};
VALUES_OF(fcntl_cmd, "F_", COMMANDS);

static unsigned host_cmd(const struct fcntl_row *row)
{
	return row->host_cmd ? row->host_cmd : row->cmd;
}

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
	int64_t r = sys_host_blocking(c, HOSTNR(fcntl), c->a[0], host_cmd(row), p);

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
	return sys_host(HOSTNR(fcntl), c->a[0], host_cmd(row), (int32_t)(uint32_t)c->a[2]);
}

/*
 * A process group comes back negative, as on a 64-bit kernel, where it cannot be told from an error
 * either. The groups whose numbers are internal restart codes keep only their low half, so that
 * nobody restarts the call; libc looks at no more.
 */
static int64_t getown(struct sys_call *c, const struct fcntl_row *row)
{
	enum { FIRST_CODE = 512, LAST_CODE = 600 };
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], host_cmd(row), 0);

	return r <= -FIRST_CODE && r >= -LAST_CODE ? (int64_t)(uint32_t)r : r;
}

/* --- the rest ---------------------------------------------------------------------------------- */

static int64_t getfl(struct sys_call *c, const struct fcntl_row *row)
{
	int64_t r = sys_host(HOSTNR(fcntl), c->a[0], host_cmd(row), 0);

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
	return sys_host(HOSTNR(fcntl), c->a[0], host_cmd(row), host_arg(c, row, c->a[2]));
}
