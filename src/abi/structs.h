/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The structure descriptions by name. A new structure is one word in ABI_STRUCTS and one definition
 * in a structs_*.c; abi_structs[], the rows of the table, layout checks and strace follow.
 */
#ifndef ABI_STRUCTS_H
#define ABI_STRUCTS_H

#include "abi/abi.h"

/* clang-format off */
#define ABI_STRUCTS(X) \
	/* plain numbers, for arrays */ \
	X(u32) X(s32) \
	/* structs_time.c */ \
	X(timespec) X(timeval) X(itimerspec) X(itimerval) X(timezone) X(tms) X(timex) \
	X(timespec64) X(itimerspec64) X(timex_time64) X(timex64) \
	/* structs_file.c */ \
	X(stat) X(statfs64) X(statx_timestamp) X(statx) X(iovec) X(flock) X(flock64) \
	X(f_owner_ex) X(open_how) X(epoll_event) X(pollfd) X(termios) X(termios2) \
	X(winsize) \
	/* structs_process.c */ \
	X(rusage) X(rlimit) X(sysinfo) X(utsname) X(sched_param) X(sched_attr) X(sigaction) \
	X(stack_t) X(sigevent) X(sigset_arg) X(sock_fprog) X(kexec_segment) \
	/* structs_ipc.c */ \
	X(mq_attr) X(sembuf) X(msghdr) X(mmsghdr) X(cmsghdr) X(ipc64_perm) X(msqid64_ds) \
	X(semid64_ds) X(shmid64_ds) X(shminfo64) X(shm_info) X(msginfo) X(seminfo) \
	X(linger) X(ucred) X(group_req) X(group_source_req) \
	/* structs_ipc_old.c */ \
	X(ipc_perm_old) X(msqid_ds_old) X(semid_ds_old) X(shmid_ds_old) X(shminfo_old) \
	/* structs_net.c */ \
	X(group_filter) X(ifreq) X(ifreq_flags) X(ifreq_int) X(ifreq_data) X(ifreq_map) X(ifconf) \
	X(rtentry) X(ppp_idle) X(ppp_option_data) \
	/* structs_ioctl.c */ \
	X(u16) X(u64) X(ulong) X(serial_struct) X(console_font_op) X(consolefontdesc) \
	X(unimapdesc) X(hd_geometry) X(blkpg_ioctl_arg) X(loop_info) X(fat_dirent) X(sg_io_hdr) \
	X(fsverity_enable_arg) X(fb_fix_screeninfo) X(rtc_pll_info) X(input_mask)
/* clang-format on */

#define ABI_STRUCT_DECLARE(name) extern const struct abi_struct abi_st_##name;
ABI_STRUCTS(ABI_STRUCT_DECLARE)
#undef ABI_STRUCT_DECLARE

#endif
