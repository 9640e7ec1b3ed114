/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read(2) and write(2) on devices whose data are laid out by the ABI. */
#ifndef SYSCALL_DEVICE_H
#define SYSCALL_DEVICE_H

#include <stdbool.h>

#include "abi/host.h"
#include "syscall/syscall.h"

/* Whether this process ever had a descriptor of such a device; else device_io() need not be asked. */
extern bool device_seen;

/* A descriptor has come into the process: ST is what fstat(2) says of it. */
void device_arrived(const struct host_stat *st);
/* The same for FD, which is asked. */
void device_fd_arrived(int fd);
/* For a program that starts: the descriptors that it was given. */
void device_start(void);

/* Call C, a read or write, on such a device: its result, or -ENOSYS: the host call does. */
int64_t device_io(struct sys_call *c);

#endif
