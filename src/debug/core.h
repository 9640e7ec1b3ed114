/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Core files of the guest: ELF32, as an ILP32 kernel writes them (fs/binfmt_elf.c, fs/coredump.c; recorded
 * from 4.14). The host's core_pattern, core_uses_pid, RLIMIT_CORE, dumpable flag and coredump_filter hold.
 */
#ifndef DEBUG_CORE_H
#define DEBUG_CORE_H

#include <stdbool.h>

#include "task/task.h"

/*
 * Writes the core of T's process, which dies of INFO; the other threads stand still (task_stop_others).
 * A pipe or socket as core_pattern belongs to the host's own programs: then the file is core.PID in the
 * current directory. False: no file could or should be made.
 */
bool core_write(struct task *t, const struct host_siginfo *info);

/*
 * What the host's kernel needs so that the process, when a signal kills it now, leaves no core of the
 * emulator. DUMPED: the wait status should say "core dumped", which only the kernel can set, and only
 * by dumping: it dumps into a file system that nobody sees and that vanishes with this process. Where
 * that cannot be had (user namespaces forbidden and no root, a pipe or an absolute path as core_pattern),
 * the status lacks the flag. The caller does nothing with files afterwards.
 */
void core_prepare_death(const struct task *t, bool dumped);

/* core_file.c: the name by core_pattern, at most SIZE bytes. */
void core_file_name(char *name, unsigned long size, const char *pattern, bool uses_pid,
		    const struct task *t, int signo);
/* An empty file for the core, or -errno. */
int core_file_open(const struct task *t, int signo);

#endif
