/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread's registers as ptrace and core files have them (NT_PRSTATUS, NT_PRFPREG). */
#ifndef TASK_REGSET_H
#define TASK_REGSET_H

#include "abi/host_task.h"
#include "cpu/state.h"

void regset_from_cpu(struct host_user_pt_regs *u, const struct cpu_state *s);
/* Of pstate only the flags: the kernel refuses or clears the rest. */
void regset_to_cpu(struct cpu_state *s, const struct host_user_pt_regs *u);
void regset_fp_from_cpu(struct host_user_fpsimd_state *u, const struct cpu_state *s);
void regset_fp_to_cpu(struct cpu_state *s, const struct host_user_fpsimd_state *u);

#endif
