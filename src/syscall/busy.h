/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYSCALL_BUSY_H
#define SYSCALL_BUSY_H

#include <stdbool.h>

/* Whether PATH (host name, below DFD) is a guest program that a process runs, as far as the caller may see its
 * descriptors, and which the caller could else write to: ETXTBSY (linux 6.1 fs/open.c, do_dentry_open()). */
bool busy_program(int dfd, const char *path);

#endif
