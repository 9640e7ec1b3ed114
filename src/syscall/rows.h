/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a row of the table is written. No include guard: handlers.h includes it to declare the
 * handlers, table.c to define the rows.
 *
 *   SYS(number, name, profiles, result, restart, implementation, arguments...)
 *
 * name            as 32-bit user space of asm-generic has it
 * profiles        ALL, SINCE_5_10, SINCE_6_6 (both include "modern"), MODERN, NEVER
 * result          INT FD SIZE ADDR UINT HEX PID NONE: enum sys_result
 * restart         NO_BLOCK EINTR RESTART RESTART_IN RESTART_OUT NOHAND BLOCK: enum sys_restart
 * implementation  HOST(lp64_name)        generic conversion around that host call
 *                 HANDLER(fn)            fn(struct sys_call *), declared by handlers.h
 *                 HANDLER_HOST(fn, name) a handler that may end in sys_generic()
 *                 FULL(fn)               a handler that needs or replaces the whole register file
 *                 FULL_HOST(fn, name)
 *                 WITHOUT(OPTION)        ENOSYS, as of a kernel built without CONFIG_OPTION
 *                 TODO                   ENOSYS and one diagnostic line
 *                 ABSENT                 ENOSYS
 *
 * Arguments stand in register order. A length is the number of the *logical* argument that holds it:
 * PAD does not count and a 64-bit pair counts once, so it is the index into sys_call.a[].
 * ..._OPT: NULL is legal. Structures and symbol tables are named without their prefix: IN(ts, timespec)
 * is abi_st_timespec, FLAGS(f, at_flags) is abi_sym_at_flags. VARIANT(n, fn): only the handler
 * understands it, but fn tells strace what it is in this call; BUF_IN_OR(n, l, fn): a buffer or that.
 * PTR(n, "what"): handed on as it is, of a size that only the host knows. Whoever writes one says what the data are,
 * after looking for longs, pointers and addresses of 64 bits in them.
 */
#include "syscall/rows/event.h"
#include "syscall/rows/file.h"
#include "syscall/rows/fs.h"
#include "syscall/rows/ipc.h"
#include "syscall/rows/mm.h"
#include "syscall/rows/net.h"
#include "syscall/rows/process.h"
#include "syscall/rows/sched.h"
#include "syscall/rows/security.h"
#include "syscall/rows/signal.h"
#include "syscall/rows/system.h"
#include "syscall/rows/time.h"
