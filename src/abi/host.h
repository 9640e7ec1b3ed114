/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host kernel's own structures (LP64 UAPI), for raw system calls. Libc's versions are not used:
 * they may differ from the kernel's. Names carry the prefix host_.
 */
#ifndef ABI_HOST_H
#define ABI_HOST_H

#include <stdint.h>

struct host_timespec {
	int64_t tv_sec, tv_nsec;
};
struct host_timeval {
	int64_t tv_sec, tv_usec;
};
struct host_itimerspec {
	struct host_timespec it_interval, it_value;
};
struct host_itimerval {
	struct host_timeval it_interval, it_value;
};
struct host_iovec {
	uint64_t iov_base, iov_len;
};
struct host_stack {
	uint64_t ss_sp;
	int32_t ss_flags;
	uint32_t pad;
	uint64_t ss_size;
};
/* The kernel's struct sigaction of hosts with SA_RESTORER (x86-64, arm64). */
struct host_sigaction {
	uint64_t handler;
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};
/* siginfo_t as the LP64 kernel writes it: 128 bytes, the union at 16. */
struct host_siginfo {
	int32_t si_signo, si_errno, si_code, pad;
	union {
		uint8_t bytes[112];
		struct {
			int32_t pid, uid;
			uint64_t value;
		} rt; /* kill, queue, mesgq */
		struct {
			int32_t tid, overrun;
			uint64_t value;
			int32_t sys_private;
		} timer;
		struct {
			int32_t pid;
			uint32_t uid;
			int32_t status, pad;
			int64_t utime, stime;
		} chld;
		struct {
			uint64_t addr;
			int16_t addr_lsb;
		} fault;
		struct {
			int64_t band;
			int32_t fd;
		} poll;
		struct {
			uint64_t call_addr;
			int32_t syscall;
			uint32_t arch;
		} sys;
	} u;
};
_Static_assert(sizeof(struct host_siginfo) == 128, "siginfo is 128 bytes");

#endif
