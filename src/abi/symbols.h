/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the values that cross the boundary, with the guest's (arm64, asm-generic) numbers. One
 * place for strace and the ABI table. Tables are defined in symbols_*.c.
 */
#ifndef ABI_SYMBOLS_H
#define ABI_SYMBOLS_H

#include "abi/abi.h"

/* clang-format off */
#define ABI_SYMBOL_TABLES(X) \
	/* symbols_file.c */ \
	X(access_mode) X(at_flags) X(close_range_flags) X(dup_flags) X(epoll_create_flags) X(inotify_init_flags) \
	X(pidfd_flags) X(pipe_flags) X(signalfd_flags) X(timerfd_flags) X(epoll_events) X(epoll_op) \
	X(eventfd_flags) X(faccessat_flags) X(fadvise) X(fallocate_mode) \
	X(fanotify_init_flags) X(fanotify_mark_flags) X(fcntl_cmd) X(fd_flags) X(file_mode) \
	X(flock_op) X(inotify_mask) X(lock_type) X(memfd_flags) X(mount_flags) \
	X(open_flags) X(open_tree_flags) X(poll_events) X(rename_flags) X(resolve_flags) \
	X(rwf_flags) X(splice_flags) X(statfs_magic) X(statfs_flags) X(statx_mask) \
	X(sync_file_range_flags) X(umount_flags) X(unlinkat_flags) X(whence) X(xattr_flags) \
	/* symbols_process.c */ \
	X(clockid) X(clone_flags) X(futex_op) X(getrandom_flags) X(ioprio_which) \
	X(itimer_which) X(kcmp_type) X(keyctl_op) X(membarrier_cmd) X(personality) \
	X(prctl_option) X(priority_which) X(ptrace_request) X(rlimit_resource) \
	X(rusage_who) X(sa_flags) X(sched_policy) X(seccomp_flags) X(seccomp_op) X(sig_handler) X(si_code) X(ill_code) X(fpe_code) \
	X(segv_code) X(bus_code) X(trap_code) X(chld_code) X(poll_code) X(sys_code) X(sigev_notify) X(sigprocmask_how) \
	X(ss_flags) X(timer_flags) X(timex_modes) X(wait_options) X(waitid_which) \
	/* symbols_mm.c */ \
	X(madvise) X(mbind_flags) X(mempolicy_mode) X(mlock2_flags) X(mlockall_flags) \
	X(mmap_flags) X(mmap_prot) X(mremap_flags) X(msync_flags) X(shm_flags) \
	/* symbols_net.c */ \
	X(msgctl_cmd) X(semctl_cmd) X(shmctl_cmd) X(scm_type) X(ipc_flags) X(msg_flags) X(msg_sock_flags) X(shutdown_how) \
	X(sock_flags) X(sock_level) X(sock_option) X(ip_protocol) X(socket_domain) \
	X(socket_type) X(if_flags) \
	/* symbols_errno.c */ \
	X(errno_names) X(signal_names) \
	/* syscall/ioctl_table.c, from its rows */ \
	X(ioctl_cmd)
/* clang-format on */

#define ABI_SYMBOLS_DECLARE(name) extern const struct abi_symbols abi_sym_##name;
ABI_SYMBOL_TABLES(ABI_SYMBOLS_DECLARE)
#undef ABI_SYMBOLS_DECLARE

/* The name of VALUE in T when one entry equals it, otherwise NULL. */
const char *abi_symbol_name(const struct abi_symbols *t, uint64_t value);

/* The guest's O_ flags (arm64) that code looks at. */
enum {
	GUEST_O_CREAT = 0100,
	GUEST_O_DIRECTORY = 040000,
	GUEST_O_NOFOLLOW = 0100000,
	GUEST_O_DIRECT = 0200000,
	GUEST_O_LARGEFILE = 0400000,
	GUEST_O_TMPFILE_BIT = 020000000, /* __O_TMPFILE */
	GUEST_O_TMPFILE = GUEST_O_TMPFILE_BIT | GUEST_O_DIRECTORY,
};

/* O_ flags between the guest's (arm64) values and the host's. Bits unknown to both are kept. */
int abi_open_flags_to_host(int guest);
int abi_open_flags_to_guest(int host);

#endif
