/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/syscall.h"

#define SINCE_6_6_  ABI_SINCE_6_6
#define SINCE_5_10_ ABI_SINCE_5_10
#define ALL_        ABI_ALL
#define MODERN_     ABI_BIT(ABI_MODERN)
#define NEVER_      0

#define HOST(n)             .status = SYS_DONE, .host = HOSTNR(n)
#define HANDLER(fn)         .status = SYS_DONE, .host = -1, .handler = (fn)
#define HANDLER_HOST(fn, n) .status = SYS_DONE, .host = HOSTNR(n), .handler = (fn)
#define FULL(fn)            .status = SYS_DONE, .host = -1, .handler = (fn), .full_state = true
#define FULL_HOST(fn, n)    .status = SYS_DONE, .host = HOSTNR(n), .handler = (fn), .full_state = true
#define WITHOUT(o)          .status = SYS_LEFT_OUT, .host = -1, .option = "CONFIG_" #o
#define TODO                .status = SYS_TODO, .host = -1
#define ABSENT              .status = SYS_ABSENT, .host = -1

#define SYS(nr, n, prof, res, rst, impl, ...) \
 [nr] = {.name = #n,                          \
	 .profiles = prof##_,                 \
	 .result = SYS_R_##res,               \
	 .restart = RST_##rst,                \
	 impl,                                \
	 .arg = {__VA_ARGS__}},
#define RST_NO_BLOCK    SYS_NO_BLOCK
#define RST_EINTR       SYS_EINTR
#define RST_RESTART     SYS_RESTART
#define RST_RESTART_IN  SYS_RESTART_IN
#define RST_RESTART_OUT SYS_RESTART_OUT
#define RST_NOHAND      SYS_NOHAND
#define RST_BLOCK       SYS_BLOCK

#define ARG_(n, t, ...)                               \
 {                                                    \
  .name = #n, .type = T_##t, .len = -1, ##__VA_ARGS__ \
 }
#define LEN_(n, t, l, ...)                             \
 {                                                     \
  .name = #n, .type = T_##t, .len = (l), ##__VA_ARGS__ \
 }

#define A(t, n)                ARG_(n, t)
#define PAD                    ARG_(pad, PAD)
#define SYM(n, s)              ARG_(n, SYMBOL, .symbols = &abi_sym_##s)
#define FLAGS(n, s)            ARG_(n, FLAGS, .symbols = &abi_sym_##s)
#define OPENFLAGS(n)           ARG_(n, OPEN, .symbols = &abi_sym_open_flags)
#define PIPEFLAGS(n)           ARG_(n, OPEN, .symbols = &abi_sym_pipe_flags)
#define PATH(n)                ARG_(n, PATH)
#define PATH_OPT(n)            ARG_(n, PATH, .optional = true)
#define PATH_LINK(n)           ARG_(n, PATH_LINK)
#define PATH_NEW(n)            ARG_(n, PATH_NEW)
#define PATH_NEW_OPT(n)        ARG_(n, PATH_NEW, .optional = true)
#define STR(n)                 ARG_(n, STR)
#define STR_OPT(n)             ARG_(n, STR, .optional = true)
#define IN(n, s)               ARG_(n, IN, .st = &abi_st_##s)
#define IN_OPT(n, s)           ARG_(n, IN, .optional = true, .st = &abi_st_##s)
#define OUT(n, s)              ARG_(n, OUT, .st = &abi_st_##s)
#define OUT_OPT(n, s)          ARG_(n, OUT, .optional = true, .st = &abi_st_##s)
#define INOUT(n, s)            ARG_(n, INOUT, .st = &abi_st_##s)
#define INOUT_OPT(n, s)        ARG_(n, INOUT, .optional = true, .st = &abi_st_##s)
#define IN_ARRAY(n, s, l)      LEN_(n, IN_ARRAY, l, .st = &abi_st_##s)
#define IN_ARRAY_OPT(n, s, l)  LEN_(n, IN_ARRAY, l, .optional = true, .st = &abi_st_##s)
#define IN_FIXED_OPT(n, s, c)  ARG_(n, IN_ARRAY, .optional = true, .fixed = (c), .st = &abi_st_##s)
#define OUT_ARRAY(n, s, l)     LEN_(n, OUT_ARRAY, l, .st = &abi_st_##s)
#define OUT_ARRAY_OPT(n, s, l) LEN_(n, OUT_ARRAY, l, .optional = true, .st = &abi_st_##s)
#define OUT_FIXED(n, s, c)     ARG_(n, OUT_ARRAY, .fixed = (c), .st = &abi_st_##s)
#define BUF_IN(n, l)           LEN_(n, BUF_IN, l)
#define BUF_IN_OPT(n, l)       LEN_(n, BUF_IN, l, .optional = true)
#define BUF_OUT(n, l)          LEN_(n, BUF_OUT, l)
#define BUF_OUT_OPT(n, l)      LEN_(n, BUF_OUT, l, .optional = true)
#define DIRENTS(n, l)          LEN_(n, DIRENTS, l)
#define IOVEC_IN(n, l)         LEN_(n, IOVEC_IN, l)
#define IOVEC_OUT(n, l)        LEN_(n, IOVEC_OUT, l)
#define SOCKADDR_IN(n, l)      LEN_(n, SOCKADDR_IN, l)
#define SOCKADDR_IN_OPT(n, l)  LEN_(n, SOCKADDR_IN, l, .optional = true)
#define SOCKADDR_OUT(n, l)     LEN_(n, SOCKADDR_OUT, l)
#define SOCKADDR_OUT_OPT(n, l) LEN_(n, SOCKADDR_OUT, l, .optional = true)
#define SIGSET(n, l)           LEN_(n, SIGSET, l)
#define SIGSET_OPT(n, l)       LEN_(n, SIGSET, l, .optional = true)
#define SIGSET_OUT(n, l)       LEN_(n, SIGSET_OUT, l)
#define SIGSET_OUT_OPT(n, l)   LEN_(n, SIGSET_OUT, l, .optional = true)
#define INT_OUT(n)             ARG_(n, INT_OUT)
#define INT_OUT_OPT(n)         ARG_(n, INT_OUT, .optional = true)
#define INT_INOUT(n)           ARG_(n, INT_INOUT)
#define INT_INOUT_OPT(n)       ARG_(n, INT_INOUT, .optional = true)
#define U64_OUT(n)             ARG_(n, U64_OUT)
#define U64_INOUT_OPT(n)       ARG_(n, U64_INOUT, .optional = true)
#define PTR(n, why)            ARG_(n, PTR, .opaque = (why))
#define PTR_OPT(n, why)        ARG_(n, PTR, .optional = true, .opaque = (why))
#define ARGV(n)                ARG_(n, ARGV)
#define ENVP(n)                ARG_(n, ENVP)
#define FDSET_OPT(n, l)        LEN_(n, FDSET, l, .optional = true)
#define POLLFDS(n, l)          LEN_(n, POLLFDS, l, .st = &abi_st_pollfd)
#define SIGINFO_IN(n)          ARG_(n, SIGINFO_IN)
#define SIGINFO_IN_OPT(n)      ARG_(n, SIGINFO_IN, .optional = true)
#define SIGINFO_OUT_OPT(n)     ARG_(n, SIGINFO_OUT, .optional = true)
#define WSTATUS_OPT(n)         ARG_(n, WSTATUS, .optional = true)
#define OPAQUE(n)              ARG_(n, OPAQUE)
#define VARIANT(n, fn)         ARG_(n, OPAQUE, .variant = (fn))
#define BUF_IN_OR(n, l, fn)    LEN_(n, BUF_IN, l, .variant = (fn))

#define VIEW_(v, s)                 .view = T_##v, .view_st = &abi_st_##s
#define PTR_IN(n, s, why)           ARG_(n, PTR, .opaque = (why), VIEW_(IN, s))
#define PTR_VARIANT(n, fn, why)     ARG_(n, PTR, .opaque = (why), .variant = (fn))
#define PTR_VARIANT_OPT(n, fn, why) ARG_(n, PTR, .optional = true, .opaque = (why), .variant = (fn))
#define OPAQUE_IN(n, s)             ARG_(n, OPAQUE, VIEW_(IN, s))
#define OPAQUE_IN_ARRAY(n, s, l)    LEN_(n, OPAQUE, l, VIEW_(IN_ARRAY, s))
#define OPAQUE_OUT_ARRAY(n, s, l)   LEN_(n, OPAQUE, l, VIEW_(OUT_ARRAY, s))
#define OPAQUE_IOVEC(n, l)          LEN_(n, OPAQUE, l, .view = T_IOVEC_IN)
#define OPAQUE_SIZED(n, s, l)       LEN_(n, OPAQUE, l, VIEW_(IN_SIZED, s))
#define BUF_IN_SIZED(n, s, l)       LEN_(n, BUF_IN, l, VIEW_(IN_SIZED, s))
#define BUF_IN_SIZED_OPT(n, s, l)   LEN_(n, BUF_IN, l, .optional = true, VIEW_(IN_SIZED, s))

/* clang-format off */
const struct sys_row sys_table[SYS_NROWS] = {
#include "syscall/rows.h"
};

#define OLD(n, res, rst, impl, ...) \
 {.name = #n, .result = SYS_R_##res, .restart = RST_##rst, impl, .arg = {__VA_ARGS__}},
const struct sys_row sys_old_table[] = {
#include "syscall/rows/old.h"
};
/* clang-format on */
const size_t sys_nold = sizeof(sys_old_table) / sizeof(sys_old_table[0]);

bool sys_type_is_output(enum sys_type type)
{
	switch (type) {
	case T_OUT:
	case T_OUT_ARRAY:
	case T_BUF_OUT:
	case T_DIRENTS:
	case T_SOCKADDR_OUT:
	case T_SIGSET_OUT:
	case T_INT_OUT:
	case T_U64_OUT:
	case T_SIGINFO_OUT:
	case T_WSTATUS: return true;
	default: return false;
	}
}

const struct sys_arg *sys_arg_of(const struct sys_row *row, unsigned i)
{
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		if (a->type != T_PAD && i-- == 0)
			return a;
	}
	return NULL;
}

bool sys_arg_in(const struct sys_call *c, unsigned i, struct sys_arg *arg)
{
	const struct sys_arg *a = sys_arg_of(c->row, i);

	if (!a)
		return false;
	*arg = *a;
	if (a->view) {
		arg->type = a->view;
		arg->st = a->view_st;
	}
	if (a->variant)
		a->variant(c, arg);
	return true;
}

const char *sys_deprecated(const struct sys_row *row)
{
	static const struct {
		const char *name, *instead;
	} calls[] = {
#define DEPRECATED(name, instead) {name, instead},
#include "syscall/rows/deprecated.h"
	};

	for (size_t i = 0; row->name && i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(row->name, calls[i].name) == 0)
			return calls[i].instead;
	}
	return NULL;
}
