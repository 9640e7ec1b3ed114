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

/* --- time ----------------------------------------------------------------------------------- */

struct host_timezone {
	int32_t tz_minuteswest, tz_dsttime;
};
struct host_tms {
	int64_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
struct host_timex {
	uint32_t modes, pad0;
	int64_t offset, freq, maxerror, esterror;
	int32_t status, pad1;
	int64_t constant, precision, tolerance;
	struct host_timeval time;
	int64_t tick, ppsfreq, jitter;
	int32_t shift, pad2;
	int64_t stabil, jitcnt, calcnt, errcnt, stbcnt;
	int32_t tai, reserved[11];
};

/* --- files ---------------------------------------------------------------------------------- */

/* newfstatat(2), fstat(2): the one structure whose host layout depends on the architecture. */
#if defined(__x86_64__)
struct host_stat {
	uint64_t st_dev, st_ino, st_nlink;
	uint32_t st_mode, st_uid, st_gid, pad0;
	uint64_t st_rdev;
	int64_t st_size, st_blksize, st_blocks;
	uint64_t st_atime_, st_atime_nsec, st_mtime_, st_mtime_nsec, st_ctime_, st_ctime_nsec;
	int64_t unused[3];
};
#else /* asm-generic */
struct host_stat {
	uint64_t st_dev, st_ino;
	uint32_t st_mode, st_nlink, st_uid, st_gid;
	uint64_t st_rdev, pad1;
	int64_t st_size;
	int32_t st_blksize, pad2;
	int64_t st_blocks;
	int64_t st_atime_;
	uint64_t st_atime_nsec;
	int64_t st_mtime_;
	uint64_t st_mtime_nsec;
	int64_t st_ctime_;
	uint64_t st_ctime_nsec;
	uint32_t unused[2];
};
#endif
struct host_dirent64 {
	uint64_t d_ino;
	int64_t d_off;
	uint16_t d_reclen;
	uint8_t d_type;
	char d_name[];
};
struct host_statfs {
	int64_t f_type, f_bsize;
	uint64_t f_blocks, f_bfree, f_bavail, f_files, f_ffree;
	int32_t f_fsid[2];
	int64_t f_namelen, f_frsize, f_flags, f_spare[4];
};
struct host_statx_timestamp {
	int64_t tv_sec;
	uint32_t tv_nsec;
	int32_t pad;
};
struct host_statx {
	uint32_t stx_mask, stx_blksize;
	uint64_t stx_attributes;
	uint32_t stx_nlink, stx_uid, stx_gid;
	uint16_t stx_mode, pad0;
	uint64_t stx_ino, stx_size, stx_blocks, stx_attributes_mask;
	struct host_statx_timestamp stx_atime, stx_btime, stx_ctime, stx_mtime;
	uint32_t stx_rdev_major, stx_rdev_minor, stx_dev_major, stx_dev_minor;
	uint64_t stx_mnt_id;
	uint32_t stx_dio_mem_align, stx_dio_offset_align;
	uint64_t spare[12];
};
struct host_flock { /* F_SETLK of LP64 has 64-bit offsets */
	int16_t l_type, l_whence;
	int32_t pad0;
	int64_t l_start, l_len;
	int32_t l_pid, pad1;
};
struct host_f_owner_ex {
	int32_t type, pid;
};
struct host_open_how {
	uint64_t flags, mode, resolve;
};
/* x86-64 packs it to 12 bytes, other hosts do not. */
struct host_epoll_event {
	uint32_t events;
	uint64_t data;
#if defined(__x86_64__)
} __attribute__((packed));
#else
};
#endif
struct host_pollfd {
	int32_t fd;
	int16_t events, revents;
};
struct host_termios {
	uint32_t c_iflag, c_oflag, c_cflag, c_lflag;
	uint8_t c_line, c_cc[19];
};
struct host_termios2 {
	uint32_t c_iflag, c_oflag, c_cflag, c_lflag;
	uint8_t c_line, c_cc[19];
	uint32_t c_ispeed, c_ospeed;
};
struct host_winsize {
	uint16_t ws_row, ws_col, ws_xpixel, ws_ypixel;
};
struct host_cachestat_range {
	uint64_t off, len;
};
struct host_cachestat {
	uint64_t nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted;
};

/* --- processes -------------------------------------------------------------------------------- */

struct host_rusage {
	struct host_timeval ru_utime, ru_stime;
	int64_t ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock,
		ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
struct host_rlimit {
	uint64_t rlim_cur, rlim_max;
};
struct host_sysinfo {
	int64_t uptime;
	uint64_t loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap;
	uint16_t procs, pad0;
	uint32_t pad1;
	uint64_t totalhigh, freehigh;
	uint32_t mem_unit, pad2;
};
struct host_utsname {
	char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};
struct host_sched_param {
	int32_t sched_priority;
};
struct host_sched_attr {
	uint32_t size, sched_policy;
	uint64_t sched_flags;
	int32_t sched_nice;
	uint32_t sched_priority;
	uint64_t sched_runtime, sched_deadline, sched_period;
	uint32_t sched_util_min, sched_util_max;
};
struct host_sigevent {
	uint64_t sigev_value;
	int32_t sigev_signo, sigev_notify, tid, pad[11];
};
struct host_sigset_arg { /* sixth argument of pselect6(2) */
	uint64_t ss, ss_len;
};
struct host_sock_fprog {
	uint16_t len, pad0[3];
	uint64_t filter;
};

struct host_kexec_segment {
	uint64_t buf, bufsz, mem, memsz;
};

/* --- IPC and sockets ---------------------------------------------------------------------------- */

struct host_mq_attr {
	int64_t mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs, reserved[4];
};
struct host_sembuf {
	uint16_t sem_num;
	int16_t sem_op, sem_flg;
};
struct host_ipc64_perm {
	int32_t key;
	uint32_t uid, gid, cuid, cgid, mode;
	uint16_t seq, pad0;
	uint64_t unused1, unused2;
};
struct host_msqid64_ds {
	struct host_ipc64_perm msg_perm;
	int64_t msg_stime, msg_rtime, msg_ctime;
	uint64_t msg_cbytes, msg_qnum, msg_qbytes;
	int32_t msg_lspid, msg_lrpid;
	uint64_t unused4, unused5;
};
struct host_semid64_ds {
	struct host_ipc64_perm sem_perm;
#if defined(__x86_64__)
	int64_t sem_otime, unused1, sem_ctime, unused2;
#else
	int64_t sem_otime, sem_ctime;
#endif
	uint64_t sem_nsems, unused3, unused4;
};
struct host_shmid64_ds {
	struct host_ipc64_perm shm_perm;
	uint64_t shm_segsz;
	int64_t shm_atime, shm_dtime, shm_ctime;
	int32_t shm_cpid, shm_lpid;
	uint64_t shm_nattch, unused4, unused5;
};
struct host_shminfo64 {
	uint64_t shmmax, shmmin, shmmni, shmseg, shmall, unused[4];
};
struct host_shm_info {
	int32_t used_ids, pad0;
	uint64_t shm_tot, shm_rss, shm_swp, swap_attempts, swap_successes;
};
struct host_msginfo {
	int32_t msgpool, msgmap, msgmax, msgmnb, msgmni, msgssz, msgtql;
	uint16_t msgseg, pad0;
};
struct host_seminfo {
	int32_t semmap, semmni, semmns, semmnu, semmsl, semopm, semume, semusz, semvmx, semaem;
};
struct host_msghdr {
	uint64_t msg_name;
	int32_t msg_namelen, pad0;
	uint64_t msg_iov, msg_iovlen, msg_control, msg_controllen;
	uint32_t msg_flags, pad1;
};
struct host_mmsghdr {
	struct host_msghdr msg_hdr;
	uint32_t msg_len, pad0;
};
struct host_cmsghdr {
	uint64_t cmsg_len;
	int32_t cmsg_level, cmsg_type;
};
struct host_scm_timestamping {
	struct host_timespec ts[3];
};
struct host_linger {
	int32_t l_onoff, l_linger;
};
struct host_ucred {
	int32_t pid;
	uint32_t uid, gid;
};
/* Packed: requests lie wherever guests put them. */
struct __attribute__((packed)) host_iocb {
	uint64_t aio_data;
	uint32_t aio_key, aio_rw_flags;
	uint16_t aio_lio_opcode;
	int16_t aio_reqprio;
	uint32_t aio_fildes;
	uint64_t aio_buf, aio_nbytes;
	int64_t aio_offset;
	uint64_t aio_reserved2;
	uint32_t aio_flags, aio_resfd;
};
struct host_io_event {
	uint64_t data, obj;
	int64_t res, res2;
};
struct host_group_req {
	uint32_t gr_interface, pad0;
	uint8_t gr_group[128];
};
struct host_group_source_req {
	uint32_t gsr_interface, pad0;
	uint8_t gsr_group[128], gsr_source[128];
};

#endif
