/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prototypes of all handlers that rows name. */
#ifndef SYSCALL_HANDLERS_H
#define SYSCALL_HANDLERS_H

#include "syscall/syscall.h"

#define SYS(nr, name, profiles, result, restart, implementation, ...) implementation
#define HOST(name)
#define HANDLER(fn)            sys_handler fn;
#define HANDLER_HOST(fn, name) sys_handler fn;
#define FULL(fn)               sys_handler fn;
#define FULL_HOST(fn, name)    sys_handler fn;
#define WITHOUT(option)
#define TODO
#define ABSENT
#define OLD(name, result, restart, implementation, ...) implementation
#include "syscall/rows.h"
#include "syscall/rows/old.h"
#undef SYS
#undef OLD
#undef HOST
#undef HANDLER
#undef HANDLER_HOST
#undef FULL
#undef FULL_HOST
#undef WITHOUT
#undef TODO
#undef ABSENT

/* Named by VARIANT and BUF_IN_OR arguments. */
sys_variant fcntl_arg, ioctl_arg, msgctl_arg, semctl_arg, shmctl_arg, sockopt_arg, seccomp_arg;
/* views.c */
sys_variant perf_attr_arg, sched_attr_arg, capability_arg, landlock_arg, quotactl_arg;

#endif
