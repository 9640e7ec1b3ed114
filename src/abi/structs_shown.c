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

#define HOST struct host_iocb
DESCRIBE_SAME(iocb, 64, "linux/aio_abi.h", "struct iocb", F(aio_data, 0, 8, COPY, HEX),
	      F(aio_key, 8, 4, COPY, HIDE), F(aio_rw_flags, 12, 4, COPY, HEX),
	      F(aio_lio_opcode, 16, 2, COPY, UDEC), F(aio_reqprio, 18, 2, COPY, DEC),
	      F(aio_fildes, 20, 4, COPY, DEC), F(aio_buf, 24, 8, COPY, GPTR),
	      F(aio_nbytes, 32, 8, COPY, UDEC), F(aio_offset, 40, 8, COPY, DEC),
	      F(aio_flags, 56, 4, COPY, HEX), F(aio_resfd, 60, 4, COPY, DEC));
#undef HOST

#define HOST struct host_io_event
DESCRIBE_SAME(io_event, 32, "linux/aio_abi.h", "struct io_event", F(data, 0, 8, COPY, HEX),
	      F(obj, 8, 8, COPY, HEX), F(res, 16, 8, COPY, DEC), F(res2, 24, 8, COPY, DEC));
#undef HOST

SHOW(if_dqblk, 72, "linux/quota.h", "struct if_dqblk", SHOWN(dqb_bhardlimit, 0, 8, UDEC),
     SHOWN(dqb_bsoftlimit, 8, 8, UDEC), SHOWN(dqb_curspace, 16, 8, UDEC),
     SHOWN(dqb_ihardlimit, 24, 8, UDEC), SHOWN(dqb_isoftlimit, 32, 8, UDEC),
     SHOWN(dqb_curinodes, 40, 8, UDEC), SHOWN(dqb_btime, 48, 8, UDEC),
     SHOWN(dqb_itime, 56, 8, UDEC), SHOWN(dqb_valid, 64, 4, HEX));

SHOW(if_dqinfo, 24, "linux/quota.h", "struct if_dqinfo", SHOWN(dqi_bgrace, 0, 8, UDEC),
     SHOWN(dqi_igrace, 8, 8, UDEC), SHOWN(dqi_flags, 16, 4, HEX), SHOWN(dqi_valid, 20, 4, HEX));

/* --- what reads of special descriptors give ----------------------------------------------------------------- */

/* d_name ends with a NUL, and the record at a multiple of 8. */
#define HOST struct host_dirent64
DESCRIBE_SAME(linux_dirent64, 24, NULL, NULL, F(d_ino, 0, 8, COPY, UDEC), F(d_off, 8, 8, COPY, HEX),
	      F(d_reclen, 16, 2, COPY, UDEC), F(d_type, 18, 1, COPY, UDEC),
	      AT(d_name, 19, 5, 19, 5, COPY, HIDE));
#undef HOST

SHOW(signalfd_siginfo, 128, "linux/signalfd.h", "struct signalfd_siginfo",
     SHOWN(ssi_signo, 0, 4, SIGNAL), SHOWN(ssi_errno, 4, 4, DEC), SHOWN(ssi_code, 8, 4, DEC),
     SHOWN(ssi_pid, 12, 4, DEC), SHOWN(ssi_uid, 16, 4, UDEC), SHOWN(ssi_fd, 20, 4, DEC),
     SHOWN(ssi_tid, 24, 4, UDEC), SHOWN(ssi_band, 28, 4, HEX), SHOWN(ssi_overrun, 32, 4, UDEC),
     SHOWN(ssi_trapno, 36, 4, UDEC), SHOWN(ssi_status, 40, 4, DEC), SHOWN(ssi_int, 44, 4, DEC),
     SHOWN(ssi_ptr, 48, 8, GPTR), SHOWN(ssi_utime, 56, 8, UDEC), SHOWN(ssi_stime, 64, 8, UDEC),
     SHOWN(ssi_addr, 72, 8, GPTR), SHOWN(ssi_addr_lsb, 80, 2, UDEC), SHOWN(ssi_syscall, 84, 4, DEC),
     SHOWN(ssi_call_addr, 88, 8, GPTR), SHOWN(ssi_arch, 96, 4, HEX));

/* LEN bytes of name follow. */
SHOW(inotify_event, 16, "linux/inotify.h", "struct inotify_event", SHOWN(wd, 0, 4, DEC),
     SHOWN_SYM(mask, 4, 4, inotify_mask), SHOWN(cookie, 8, 4, UDEC), SHOWN(len, 12, 4, UDEC));

SHOW(fanotify_event_metadata, 24, "linux/fanotify.h", "struct fanotify_event_metadata",
     SHOWN(event_len, 0, 4, UDEC), SHOWN(vers, 4, 1, UDEC), SHOWN(metadata_len, 6, 2, UDEC),
     SHOWN(mask, 8, 8, HEX), SHOWN(fd, 16, 4, DEC), SHOWN(pid, 20, 4, DEC));

SHOW(autofs_v5_packet, 304, "linux/auto_fs.h", "struct autofs_v5_packet",
     SHOWN(hdr.proto_version, 0, 4, DEC), SHOWN(hdr.type, 4, 4, DEC),
     SHOWN(wait_queue_token, 8, 4, UDEC), SHOWN(dev, 12, 4, UDEC), SHOWN(ino, 16, 8, UDEC),
     SHOWN(uid, 24, 4, UDEC), SHOWN(gid, 28, 4, UDEC), SHOWN(pid, 32, 4, UDEC),
     SHOWN(tgid, 36, 4, UDEC), SHOWN(len, 40, 4, UDEC), SHOWN(name, 44, 256, STRING));

/* --- io_uring, which no profile has -------------------------------------------------------------------------- */

SHOW(io_uring_params, 120, "linux/io_uring.h", "struct io_uring_params",
     SHOWN(sq_entries, 0, 4, UDEC), SHOWN(cq_entries, 4, 4, UDEC), SHOWN(flags, 8, 4, HEX),
     SHOWN(sq_thread_cpu, 12, 4, UDEC), SHOWN(sq_thread_idle, 16, 4, UDEC),
     SHOWN(features, 20, 4, HEX), SHOWN(wq_fd, 24, 4, UDEC), SHOWN(resv, 28, 12, HIDE),
     SHOWN(sq_off.head, 40, 4, UDEC), SHOWN(sq_off.tail, 44, 4, UDEC),
     SHOWN(sq_off.ring_mask, 48, 4, UDEC), SHOWN(sq_off.ring_entries, 52, 4, UDEC),
     SHOWN(sq_off.flags, 56, 4, UDEC), SHOWN(sq_off.dropped, 60, 4, UDEC),
     SHOWN(sq_off.array, 64, 4, UDEC), SHOWN(cq_off.head, 80, 4, UDEC),
     SHOWN(cq_off.tail, 84, 4, UDEC), SHOWN(cq_off.ring_mask, 88, 4, UDEC),
     SHOWN(cq_off.ring_entries, 92, 4, UDEC), SHOWN(cq_off.overflow, 96, 4, UDEC),
     SHOWN(cq_off.cqes, 100, 4, UDEC), SHOWN(cq_off.flags, 104, 4, UDEC));

/* Of each union one member: operations have names of their own for the same bytes. */
SHOW(io_uring_sqe, 64, "linux/io_uring.h", "struct io_uring_sqe", SHOWN(opcode, 0, 1, UDEC),
     SHOWN(flags, 1, 1, HEX), SHOWN(ioprio, 2, 2, HEX), SHOWN(fd, 4, 4, DEC), SHOWN(off, 8, 8, HEX),
     SHOWN(addr, 16, 8, GPTR), SHOWN(len, 24, 4, UDEC), SHOWN(rw_flags, 28, 4, HEX),
     SHOWN(user_data, 32, 8, HEX), SHOWN(buf_index, 40, 2, UDEC), SHOWN(personality, 42, 2, UDEC),
     SHOWN(splice_fd_in, 44, 4, DEC), SHOWN(addr3, 48, 8, HEX), SHOWN(__pad2, 56, 8, HIDE));

SHOW(io_uring_getevents_arg, 24, "linux/io_uring.h", "struct io_uring_getevents_arg",
     SHOWN(sigmask, 0, 8, GPTR), SHOWN(sigmask_sz, 8, 4, UDEC), SHOWN(pad, 12, 4, UDEC),
     SHOWN(ts, 16, 8, GPTR));

/* --- sockets ----------------------------------------------------------------------------------------------- */

/* The host has it at a multiple of 8, the guest at one of 4. */
SHOW(sockaddr_storage, 128, "linux/socket.h", "struct __kernel_sockaddr_storage",
     SHOWN(ss_family, 0, 2, UDEC), SHOWN(__data, 2, 126, BYTES));

SHOW(tcp_zerocopy_receive, 64, "linux/tcp.h", "struct tcp_zerocopy_receive",
     SHOWN(address, 0, 8, GPTR), SHOWN(length, 8, 4, UDEC), SHOWN(recv_skip_hint, 12, 4, UDEC),
     SHOWN(inq, 16, 4, UDEC), SHOWN(err, 20, 4, DEC), SHOWN(copybuf_address, 24, 8, GPTR),
     SHOWN(copybuf_len, 32, 4, DEC), SHOWN(flags, 36, 4, HEX), SHOWN(msg_control, 40, 8, GPTR),
     SHOWN(msg_controllen, 48, 8, UDEC), SHOWN(msg_flags, 56, 4, HEX),
     SHOWN(reserved, 60, 4, HIDE));

/* SCM_TIMESTAMPING: software, none, hardware. */
#define HOST struct host_scm_timestamping
DESCRIBE(scm_timestamping, 24, NULL, NULL,
	 F_ARRAY(ts, 0, 8, 3, NEST, NESTED, .sub = &abi_st_timespec));
#undef HOST

/* The header of IPT_SO_SET_REPLACE: entries follow. No command of ours takes it, see sockopt.c. */
DESCRIBE_AT(ipt_replace, 92, 96, NULL, NULL, AT(name, 0, 32, 0, 32, COPY, STRING),
	    AT(valid_hooks, 32, 4, 32, 4, COPY, HEX), AT(num_entries, 36, 4, 36, 4, COPY, UDEC),
	    AT(size, 40, 4, 40, 4, COPY, UDEC), AT_ARRAY(hook_entry, 44, 4, 44, 4, 5, COPY, UDEC),
	    AT_ARRAY(underflow, 64, 4, 64, 4, 5, COPY, UDEC),
	    AT(num_counters, 84, 4, 84, 4, COPY, UDEC), AT(counters, 88, 4, 88, 8, PTR, GPTR));

/* --- arguments --------------------------------------------------------------------------------------------- */

/* The largest: calls take as many bits as they say. */
SHOW(fd_set, 128, "linux/posix_types.h", "__kernel_fd_set", SHOWN(fds_bits, 0, 128, BYTES));

/* The text follows. */
DESCRIBE_AT(msgbuf, 4, 8, NULL, NULL, AT(mtype, 0, 4, 0, 8, SEXT, DEC));

/* As semctl has it in its register; commands that take no pointer want val. */
DESCRIBE_AT(semun, 4, 8, NULL, NULL, AT(buf, 0, 4, 0, 8, PTR, GPTR));
