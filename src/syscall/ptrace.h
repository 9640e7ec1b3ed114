/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracer's side of ptrace; see task/tracee.h. */
#ifndef SYSCALL_PTRACE_H
#define SYSCALL_PTRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/host.h"
#include "syscall/syscall.h"

/* wait4, and the host's waitid with its results put right: stops of traced threads that are not the guest's are dealt
 * with, and not told. */
int64_t ptrace_wait4(struct sys_call *c);
int64_t ptrace_waitid(struct sys_call *c, struct host_siginfo *info, struct host_rusage *ru);

/* T's process is about to write, or has written, LEN bytes of code at G into PID otherwise than by ptrace. False: PID is no
 * tracee that stands still, and its engine would not hear of it. */
bool ptrace_wrote(const struct task *t, pid_t pid, gaddr g, uint64_t len);

#endif
