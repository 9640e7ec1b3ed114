/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures that are the same in both ABIs and that the host's kernel, or one handler, reads by itself: traces, lint
 * and the checks of layouts have them from here. */
#include "abi/describe.h"

#define SHOW(n, size, hdr, t, ...) \
 DESCRIBE_AT_(n, size, size, ABI_HOST_IS_LITTLE_ENDIAN, hdr, t, __VA_ARGS__)
#define SHOWN(n, off, size, f) AT(n, off, size, off, size, COPY, f)
#define SHOWN_SYM(n, off, size, s)                                                              \
 {                                                                                              \
  .name = #n, .goff = (off), .gsize = (size), .hoff = (off), .hsize = (size), .rule = ABI_COPY, \
  .fmt = ABI_SYMBOL, .symbols = &abi_sym_##s                                                    \
 }

SHOW(clone_args, 88, "linux/sched.h", "struct clone_args", SHOWN_SYM(flags, 0, 8, clone_flags),
     SHOWN(pidfd, 8, 8, GPTR), SHOWN(child_tid, 16, 8, GPTR), SHOWN(parent_tid, 24, 8, GPTR),
     SHOWN(exit_signal, 32, 8, SIGNAL), SHOWN(stack, 40, 8, GPTR), SHOWN(stack_size, 48, 8, HEX),
     SHOWN(tls, 56, 8, GPTR), SHOWN(set_tid, 64, 8, GPTR), SHOWN(set_tid_size, 72, 8, UDEC),
     SHOWN(cgroup, 80, 8, UDEC));

SHOW(cap_header, 8, "linux/capability.h", "struct __user_cap_header_struct",
     SHOWN(version, 0, 4, HEX), SHOWN(pid, 4, 4, DEC));

SHOW(cap_data, 12, "linux/capability.h", "struct __user_cap_data_struct",
     SHOWN(effective, 0, 4, HEX), SHOWN(permitted, 4, 4, HEX), SHOWN(inheritable, 8, 4, HEX));

/* <fcntl.h> has it for programs; as many bytes follow as it says. */
SHOW(file_handle, 8, NULL, NULL, SHOWN(handle_bytes, 0, 4, UDEC), SHOWN(handle_type, 4, 4, DEC));

SHOW(mount_attr, 32, "linux/mount.h", "struct mount_attr", SHOWN(attr_set, 0, 8, HEX),
     SHOWN(attr_clr, 8, 8, HEX), SHOWN(propagation, 16, 8, HEX), SHOWN(userns_fd, 24, 8, DEC));

/* Linux 6.12; older headers know fewer members. */
SHOW(landlock_ruleset_attr, 24, NULL, NULL, SHOWN(handled_access_fs, 0, 8, HEX),
     SHOWN(handled_access_net, 8, 8, HEX), SHOWN(scoped, 16, 8, HEX));

SHOW(landlock_path_beneath_attr, 12, "linux/landlock.h", "struct landlock_path_beneath_attr",
     SHOWN(allowed_access, 0, 8, HEX), SHOWN(parent_fd, 8, 4, DEC));

/* Since Linux 6.7. */
SHOW(landlock_net_port_attr, 16, NULL, NULL, SHOWN(allowed_access, 0, 8, HEX),
     SHOWN(port, 8, 8, UDEC));

/* Linux 6.3, with the bits between read_format and wakeup_events as one number. */
SHOW(perf_event_attr, 136, NULL, NULL, SHOWN(type, 0, 4, UDEC), SHOWN(size, 4, 4, UDEC),
     SHOWN(config, 8, 8, HEX), SHOWN(sample_period, 16, 8, UDEC), SHOWN(sample_type, 24, 8, HEX),
     SHOWN(read_format, 32, 8, HEX), SHOWN(flags, 40, 8, HEX), SHOWN(wakeup_events, 48, 4, UDEC),
     SHOWN(bp_type, 52, 4, HEX), SHOWN(config1, 56, 8, HEX), SHOWN(config2, 64, 8, HEX),
     SHOWN(branch_sample_type, 72, 8, HEX), SHOWN(sample_regs_user, 80, 8, HEX),
     SHOWN(sample_stack_user, 88, 4, UDEC), SHOWN_SYM(clockid, 92, 4, clockid),
     SHOWN(sample_regs_intr, 96, 8, HEX), SHOWN(aux_watermark, 104, 4, UDEC),
     SHOWN(sample_max_stack, 108, 2, UDEC), SHOWN(aux_sample_size, 112, 4, UDEC),
     SHOWN(sig_data, 120, 8, HEX), SHOWN(config3, 128, 8, HEX));

SHOW(futex_waitv, 24, "linux/futex.h", "struct futex_waitv", SHOWN(val, 0, 8, UDEC),
     SHOWN(uaddr, 8, 8, GPTR), SHOWN(flags, 16, 4, HEX));

SHOW(iocb, 64, "linux/aio_abi.h", "struct iocb", SHOWN(aio_data, 0, 8, HEX),
     SHOWN(aio_rw_flags, 12, 4, HEX), SHOWN(aio_lio_opcode, 16, 2, UDEC),
     SHOWN(aio_reqprio, 18, 2, DEC), SHOWN(aio_fildes, 20, 4, DEC), SHOWN(aio_buf, 24, 8, GPTR),
     SHOWN(aio_nbytes, 32, 8, UDEC), SHOWN(aio_offset, 40, 8, DEC), SHOWN(aio_flags, 56, 4, HEX),
     SHOWN(aio_resfd, 60, 4, DEC));

SHOW(io_event, 32, "linux/aio_abi.h", "struct io_event", SHOWN(data, 0, 8, HEX),
     SHOWN(obj, 8, 8, HEX), SHOWN(res, 16, 8, DEC), SHOWN(res2, 24, 8, DEC));

SHOW(if_dqblk, 72, "linux/quota.h", "struct if_dqblk", SHOWN(dqb_bhardlimit, 0, 8, UDEC),
     SHOWN(dqb_bsoftlimit, 8, 8, UDEC), SHOWN(dqb_curspace, 16, 8, UDEC),
     SHOWN(dqb_ihardlimit, 24, 8, UDEC), SHOWN(dqb_isoftlimit, 32, 8, UDEC),
     SHOWN(dqb_curinodes, 40, 8, UDEC), SHOWN(dqb_btime, 48, 8, UDEC),
     SHOWN(dqb_itime, 56, 8, UDEC), SHOWN(dqb_valid, 64, 4, HEX));

SHOW(if_dqinfo, 24, "linux/quota.h", "struct if_dqinfo", SHOWN(dqi_bgrace, 0, 8, UDEC),
     SHOWN(dqi_igrace, 8, 8, UDEC), SHOWN(dqi_flags, 16, 4, HEX), SHOWN(dqi_valid, 20, 4, HEX));
