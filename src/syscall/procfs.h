/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the guest's /proc view share. */
#ifndef SYSCALL_PROCFS_H
#define SYSCALL_PROCFS_H

#include <stddef.h>

#include "task/task.h"

/* The text of a file for thread TID of T's process: malloc'ed, its length in *LEN. NULL when out of
 * memory. */
typedef char *procfs_text_fn(struct task *t, pid_t tid, size_t *len);

procfs_text_fn procfs_auxv, procfs_cmdline, procfs_cpuinfo, procfs_environ, procfs_maps,
	procfs_smaps, procfs_stat, procfs_statm, procfs_status;

#endif
