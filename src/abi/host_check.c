/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h against the UAPI headers of the host's kernel. Nothing of libc may be included here: its
 * structures of the same names are others.
 */
#include <linux/types.h>

#include <asm/siginfo.h>
#include <asm/signal.h>
#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/termbits.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/filter.h>
#include <linux/in.h>
#include <linux/mqueue.h>
#include <linux/msg.h>
#include <linux/openat2.h>
#include <linux/poll.h>
#include <linux/resource.h>
#include <linux/sem.h>
#include <linux/shm.h>
#include <linux/stat.h>
#include <linux/sysinfo.h>
#include <linux/time.h>
#include <linux/times.h>
#include <linux/timex.h>
#include <linux/uio.h>
#include <linux/utsname.h>

#include "abi/host.h"

#define SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), "size of " #ours)
#define SAME(ours, theirs, m, n)                                                \
 _Static_assert(__builtin_offsetof(ours, m) == __builtin_offsetof(theirs, n) && \
			sizeof(((ours *)0)->m) == sizeof(((theirs *)0)->n),     \
		#ours "." #m)
#define MEMBER(m) SAME(OURS, THEIRS, m, m)
#define WHOLE     SIZE(OURS, THEIRS)

#define OURS   struct host_timespec
#define THEIRS struct __kernel_timespec
WHOLE;
MEMBER(tv_sec);
MEMBER(tv_nsec);
#undef OURS
#undef THEIRS

#define OURS   struct host_timeval
#define THEIRS struct __kernel_old_timeval
WHOLE;
MEMBER(tv_sec);
MEMBER(tv_usec);
#undef OURS
#undef THEIRS

#define OURS   struct host_itimerspec
#define THEIRS struct __kernel_itimerspec
WHOLE;
MEMBER(it_interval);
MEMBER(it_value);
#undef OURS
#undef THEIRS

#define OURS   struct host_timex
#define THEIRS struct timex
WHOLE;
MEMBER(modes);
MEMBER(offset);
MEMBER(status);
MEMBER(constant);
MEMBER(time);
MEMBER(tick);
MEMBER(shift);
MEMBER(stabil);
MEMBER(stbcnt);
MEMBER(tai);
#undef OURS
#undef THEIRS

#define OURS   struct host_tms
#define THEIRS struct tms
WHOLE;
MEMBER(tms_cstime);
#undef OURS
#undef THEIRS

#define OURS   struct host_stat
#define THEIRS struct stat
WHOLE;
MEMBER(st_dev);
MEMBER(st_ino);
MEMBER(st_nlink);
MEMBER(st_mode);
MEMBER(st_uid);
MEMBER(st_gid);
MEMBER(st_rdev);
MEMBER(st_size);
MEMBER(st_blksize);
MEMBER(st_blocks);
SAME(OURS, THEIRS, st_atime_, st_atime);
MEMBER(st_atime_nsec);
SAME(OURS, THEIRS, st_mtime_, st_mtime);
MEMBER(st_mtime_nsec);
SAME(OURS, THEIRS, st_ctime_, st_ctime);
MEMBER(st_ctime_nsec);
#undef OURS
#undef THEIRS

#define OURS   struct host_statfs
#define THEIRS struct statfs
WHOLE;
MEMBER(f_type);
MEMBER(f_bsize);
MEMBER(f_blocks);
MEMBER(f_ffree);
MEMBER(f_fsid);
MEMBER(f_namelen);
MEMBER(f_frsize);
MEMBER(f_flags);
#undef OURS
#undef THEIRS

#define OURS   struct host_statx
#define THEIRS struct statx
WHOLE;
MEMBER(stx_mask);
MEMBER(stx_mode);
MEMBER(stx_ino);
MEMBER(stx_size);
MEMBER(stx_atime);
MEMBER(stx_mtime);
MEMBER(stx_rdev_major);
MEMBER(stx_dev_minor);
MEMBER(stx_mnt_id);
#undef OURS
#undef THEIRS

#define OURS   struct host_flock
#define THEIRS struct flock
WHOLE;
MEMBER(l_type);
MEMBER(l_whence);
MEMBER(l_start);
MEMBER(l_len);
MEMBER(l_pid);
#undef OURS
#undef THEIRS

#define OURS   struct host_epoll_event
#define THEIRS struct epoll_event
WHOLE;
MEMBER(events);
MEMBER(data);
#undef OURS
#undef THEIRS

#define OURS   struct host_sigaction
#define THEIRS struct sigaction
WHOLE;
SAME(OURS, THEIRS, flags, sa_flags);
SAME(OURS, THEIRS, restorer, sa_restorer);
SAME(OURS, THEIRS, mask, sa_mask);
#undef OURS
#undef THEIRS

#define OURS   struct host_siginfo
#define THEIRS siginfo_t
WHOLE;
MEMBER(si_signo);
MEMBER(si_code);
SAME(OURS, THEIRS, u.rt.pid, si_pid);
SAME(OURS, THEIRS, u.rt.uid, si_uid);
SAME(OURS, THEIRS, u.rt.value, si_value);
SAME(OURS, THEIRS, u.timer.tid, si_tid);
SAME(OURS, THEIRS, u.timer.overrun, si_overrun);
SAME(OURS, THEIRS, u.timer.value, si_value);
SAME(OURS, THEIRS, u.chld.status, si_status);
SAME(OURS, THEIRS, u.chld.utime, si_utime);
SAME(OURS, THEIRS, u.chld.stime, si_stime);
SAME(OURS, THEIRS, u.fault.addr, si_addr);
SAME(OURS, THEIRS, u.fault.addr_lsb, si_addr_lsb);
SAME(OURS, THEIRS, u.poll.band, si_band);
SAME(OURS, THEIRS, u.poll.fd, si_fd);
SAME(OURS, THEIRS, u.sys.call_addr, si_call_addr);
SAME(OURS, THEIRS, u.sys.syscall, si_syscall);
SAME(OURS, THEIRS, u.sys.arch, si_arch);
#undef OURS
#undef THEIRS

#define OURS   struct host_sigevent
#define THEIRS struct sigevent
WHOLE;
MEMBER(sigev_value);
MEMBER(sigev_signo);
MEMBER(sigev_notify);
SAME(OURS, THEIRS, tid, sigev_notify_thread_id);
#undef OURS
#undef THEIRS

#define OURS   struct host_rusage
#define THEIRS struct rusage
WHOLE;
MEMBER(ru_stime);
MEMBER(ru_maxrss);
MEMBER(ru_nivcsw);
#undef OURS
#undef THEIRS

#define OURS   struct host_sysinfo
#define THEIRS struct sysinfo
WHOLE;
MEMBER(uptime);
MEMBER(loads);
MEMBER(freeswap);
MEMBER(procs);
MEMBER(totalhigh);
MEMBER(freehigh);
MEMBER(mem_unit);
#undef OURS
#undef THEIRS

#define OURS   struct host_msqid64_ds
#define THEIRS struct msqid64_ds
WHOLE;
MEMBER(msg_perm);
MEMBER(msg_stime);
MEMBER(msg_ctime);
MEMBER(msg_cbytes);
MEMBER(msg_lspid);
MEMBER(msg_lrpid);
#undef OURS
#undef THEIRS

#define OURS   struct host_semid64_ds
#define THEIRS struct semid64_ds
WHOLE;
MEMBER(sem_otime);
MEMBER(sem_ctime);
MEMBER(sem_nsems);
#undef OURS
#undef THEIRS

#define OURS   struct host_shmid64_ds
#define THEIRS struct shmid64_ds
WHOLE;
MEMBER(shm_segsz);
MEMBER(shm_atime);
MEMBER(shm_ctime);
MEMBER(shm_cpid);
MEMBER(shm_nattch);
#undef OURS
#undef THEIRS

#define OURS   struct host_ipc64_perm
#define THEIRS struct ipc64_perm
WHOLE;
MEMBER(key);
MEMBER(cgid);
MEMBER(mode);
MEMBER(seq);
#undef OURS
#undef THEIRS

SIZE(struct host_timezone, struct timezone);
SIZE(struct host_iovec, struct iovec);
SIZE(struct host_f_owner_ex, struct f_owner_ex);
SIZE(struct host_open_how, struct open_how);
SIZE(struct host_pollfd, struct pollfd);
SIZE(struct host_termios, struct termios);
SIZE(struct host_termios2, struct termios2);
SIZE(struct host_rlimit, struct rlimit64);
SIZE(struct host_utsname, struct new_utsname);
SIZE(struct host_stack, stack_t);
SIZE(struct host_sock_fprog, struct sock_fprog);
SIZE(struct host_mq_attr, struct mq_attr);
SIZE(struct host_sembuf, struct sembuf);
SIZE(struct host_shminfo64, struct shminfo64);
SIZE(struct host_shm_info, struct shm_info);
SIZE(struct host_msginfo, struct msginfo);
SIZE(struct host_seminfo, struct seminfo);
SIZE(struct host_group_req, struct group_req);
SIZE(struct host_group_source_req, struct group_source_req);
