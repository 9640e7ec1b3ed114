/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that reach into the memory of another process. */
#ifndef SYSCALL_OTHER_H
#define SYSCALL_OTHER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "task/task.h"

/* Where process PID, a thread of it, or the caller T's own has the guest's address 0 on the host. False: it
 * does not run under ilp32run, or we may not look. */
bool other_base(const struct task *t, pid_t pid, uint64_t *base);

#endif
