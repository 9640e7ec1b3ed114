/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classic BPF over struct seccomp_data, as the guest's filters have it. */
#ifndef SYSCALL_FILTER_H
#define SYSCALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/host_task.h"

/* struct seccomp_data, in words: nr, arch, ip (low, high), six arguments (low, high). */
#define FILTER_DATA_WORDS (sizeof(struct host_seccomp_data) / 4)

/* Whether the kernel takes the program (bpf_check_classic() and seccomp_check_filter(), the same from 4.14
 * to 6.6). LEN is 1 to 4096. */
bool filter_check(const struct host_sock_filter *insn, unsigned len);
/* What a program that was checked returns for DATA. */
uint32_t filter_run(const struct host_sock_filter *p, const uint32_t data[FILTER_DATA_WORDS]);

#endif
