/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracer's side of ptrace; see task/tracee.h. */
#ifndef SYSCALL_PTRACE_H
#define SYSCALL_PTRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/host.h"
#include "syscall/syscall.h"

/* wait4 and waitid of a process that has traced children. The second is the host's call with its options
 * and results put right. */
int64_t ptrace_wait4(struct sys_call *c);
int64_t ptrace_waitid(struct sys_call *c, struct host_siginfo *info, struct host_rusage *ru);

/* Whether the call C of a traced process sends SIGSTOP to itself, which it then does not: it stops behind
 * the call as its tracer has to see it. */
bool ptrace_stops_itself(const struct sys_call *c);

/* T's process is about to write, or has written, LEN bytes of code at G into PID otherwise than by ptrace. False: PID is no
 * tracee that stands still, and its engine would not hear of it. */
bool ptrace_wrote(const struct task *t, pid_t pid, gaddr g, uint64_t len);

#endif
