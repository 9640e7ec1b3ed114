/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "abi/describe.h"

#define HOST uint32_t
DESCRIBE_SAME(u32, 4, NULL, NULL, F_SELF(4, COPY, UDEC));
#undef HOST
#define HOST int32_t
DESCRIBE_SAME(s32, 4, NULL, NULL, F_SELF(4, COPY, DEC));
#undef HOST

#define HOST struct host_mq_attr
DESCRIBE(mq_attr, 32, "linux/mqueue.h", "struct mq_attr", F_SYM(mq_flags, 0, 4, SEXT, open_flags),
	 F(mq_maxmsg, 4, 4, SEXT, DEC), F(mq_msgsize, 8, 4, SEXT, DEC),
	 F(mq_curmsgs, 12, 4, SEXT, DEC), F_PAD(16, 16));
#undef HOST

#define HOST struct host_sembuf
DESCRIBE_SAME(sembuf, 6, "linux/sem.h", "struct sembuf", F(sem_num, 0, 2, COPY, UDEC),
	      F(sem_op, 2, 2, COPY, DEC), F_SYM(sem_flg, 4, 2, COPY, msg_flags));
#undef HOST

/* The forms that commands with IPC_64 (0x100) use. mode has 16 bits up to 4.14 and 32 later; the
 * kernel never sets more than 16. */
#define HOST struct host_ipc64_perm
DESCRIBE(ipc64_perm, 36, "linux/ipc.h", "struct ipc64_perm", F(key, 0, 4, COPY, HEX),
	 F(uid, 4, 4, COPY, UDEC), F(gid, 8, 4, COPY, UDEC), F(cuid, 12, 4, COPY, UDEC),
	 F(cgid, 16, 4, COPY, UDEC), F(mode, 20, 4, COPY, OCT), F(seq, 24, 2, COPY, UDEC),
	 F_PAD(26, 2), F_PAD(28, 8));
#undef HOST

#define HOST struct host_msqid64_ds
DESCRIBE(msqid64_ds, 88, "linux/msg.h", "struct msqid64_ds", F_NEST(msg_perm, 0, 36, ipc64_perm),
	 F(msg_stime, 36, 4, ZEXT, UDEC), F_OF(msg_stime_high, msg_stime, 40, 4, HIGH, HIDE),
	 F(msg_rtime, 44, 4, ZEXT, UDEC), F_OF(msg_rtime_high, msg_rtime, 48, 4, HIGH, HIDE),
	 F(msg_ctime, 52, 4, ZEXT, UDEC), F_OF(msg_ctime_high, msg_ctime, 56, 4, HIGH, HIDE),
	 F(msg_cbytes, 60, 4, ZEXT, UDEC), F(msg_qnum, 64, 4, ZEXT, UDEC),
	 F(msg_qbytes, 68, 4, ZEXT, UDEC), F(msg_lspid, 72, 4, COPY, DEC),
	 F(msg_lrpid, 76, 4, COPY, DEC), F_PAD(80, 8));
#undef HOST

#define HOST struct host_semid64_ds
DESCRIBE(semid64_ds, 64, "linux/sem.h", "struct semid64_ds", F_NEST(sem_perm, 0, 36, ipc64_perm),
	 F(sem_otime, 36, 4, ZEXT, UDEC), F_OF(sem_otime_high, sem_otime, 40, 4, HIGH, HIDE),
	 F(sem_ctime, 44, 4, ZEXT, UDEC), F_OF(sem_ctime_high, sem_ctime, 48, 4, HIGH, HIDE),
	 F(sem_nsems, 52, 4, ZEXT, UDEC), F_PAD(56, 8));
#undef HOST

#define HOST struct host_shmid64_ds
DESCRIBE(shmid64_ds, 84, "linux/shm.h", "struct shmid64_ds", F_NEST(shm_perm, 0, 36, ipc64_perm),
	 F(shm_segsz, 36, 4, ZEXT, UDEC), F(shm_atime, 40, 4, ZEXT, UDEC),
	 F_OF(shm_atime_high, shm_atime, 44, 4, HIGH, HIDE), F(shm_dtime, 48, 4, ZEXT, UDEC),
	 F_OF(shm_dtime_high, shm_dtime, 52, 4, HIGH, HIDE), F(shm_ctime, 56, 4, ZEXT, UDEC),
	 F_OF(shm_ctime_high, shm_ctime, 60, 4, HIGH, HIDE), F(shm_cpid, 64, 4, COPY, DEC),
	 F(shm_lpid, 68, 4, COPY, DEC), F(shm_nattch, 72, 4, ZEXT, UDEC), F_PAD(76, 8));
#undef HOST

#define HOST struct host_shminfo64
DESCRIBE(shminfo64, 36, "linux/shm.h", "struct shminfo64", F(shmmax, 0, 4, UCLAMP, UDEC),
	 F(shmmin, 4, 4, ZEXT, UDEC), F(shmmni, 8, 4, ZEXT, UDEC), F(shmseg, 12, 4, ZEXT, UDEC),
	 F(shmall, 16, 4, ZEXT, UDEC), F_PAD(20, 16));
#undef HOST

#define HOST struct host_shm_info
DESCRIBE(shm_info, 24, "linux/shm.h", "struct shm_info", F(used_ids, 0, 4, COPY, DEC),
	 F(shm_tot, 4, 4, ZEXT, UDEC), F(shm_rss, 8, 4, ZEXT, UDEC), F(shm_swp, 12, 4, ZEXT, UDEC),
	 F(swap_attempts, 16, 4, ZEXT, UDEC), F(swap_successes, 20, 4, ZEXT, UDEC));
#undef HOST

#define HOST struct host_msginfo
DESCRIBE_SAME(msginfo, 32, "linux/msg.h", "struct msginfo", F(msgpool, 0, 4, COPY, DEC),
	      F(msgmap, 4, 4, COPY, DEC), F(msgmax, 8, 4, COPY, DEC), F(msgmnb, 12, 4, COPY, DEC),
	      F(msgmni, 16, 4, COPY, DEC), F(msgssz, 20, 4, COPY, DEC), F(msgtql, 24, 4, COPY, DEC),
	      F(msgseg, 28, 2, COPY, UDEC));
#undef HOST

#define HOST struct host_seminfo
DESCRIBE_SAME(seminfo, 40, "linux/sem.h", "struct seminfo", F(semmap, 0, 4, COPY, DEC),
	      F(semmni, 4, 4, COPY, DEC), F(semmns, 8, 4, COPY, DEC), F(semmnu, 12, 4, COPY, DEC),
	      F(semmsl, 16, 4, COPY, DEC), F(semopm, 20, 4, COPY, DEC), F(semume, 24, 4, COPY, DEC),
	      F(semusz, 28, 4, COPY, DEC), F(semvmx, 32, 4, COPY, DEC),
	      F(semaem, 36, 4, COPY, DEC));
#undef HOST

/* msg_iov and msg_control need work of their own, so they stay guest addresses. */
#define HOST struct host_msghdr
DESCRIBE(msghdr, 28, NULL, NULL, F(msg_name, 0, 4, PTR, GPTR), F(msg_namelen, 4, 4, COPY, DEC),
	 F(msg_iov, 8, 4, ZEXT, GPTR), F(msg_iovlen, 12, 4, ZEXT, UDEC),
	 F(msg_control, 16, 4, ZEXT, GPTR), F(msg_controllen, 20, 4, ZEXT, UDEC),
	 F_SYM(msg_flags, 24, 4, COPY, msg_sock_flags));
#undef HOST

#define HOST struct host_mmsghdr
DESCRIBE(mmsghdr, 32, NULL, NULL, F_NEST(msg_hdr, 0, 28, msghdr), F(msg_len, 28, 4, COPY, UDEC));
#undef HOST

/* cmsg_len counts the header, whose size differs: who repacks control data corrects it. */
#define HOST struct host_cmsghdr
DESCRIBE(cmsghdr, 12, NULL, NULL, F(cmsg_len, 0, 4, ZEXT, UDEC),
	 F_SYM(cmsg_level, 4, 4, COPY, sock_level), F(cmsg_type, 8, 4, COPY, DEC));
#undef HOST

#define HOST struct host_linger
DESCRIBE_SAME(linger, 8, NULL, NULL, F(l_onoff, 0, 4, COPY, DEC), F(l_linger, 4, 4, COPY, DEC));
#undef HOST

#define HOST struct host_ucred
DESCRIBE_SAME(ucred, 12, NULL, NULL, F(pid, 0, 4, COPY, DEC), F(uid, 4, 4, COPY, UDEC),
	      F(gid, 8, 4, COPY, UDEC));
#undef HOST

#define HOST struct host_group_req
DESCRIBE(group_req, 132, "linux/in.h", "struct group_req", F(gr_interface, 0, 4, COPY, UDEC),
	 F(gr_group, 4, 128, COPY, SOCKADDR));
#undef HOST

#define HOST struct host_group_source_req
DESCRIBE(group_source_req, 260, "linux/in.h", "struct group_source_req",
	 F(gsr_interface, 0, 4, COPY, UDEC), F(gsr_group, 4, 128, COPY, SOCKADDR),
	 F(gsr_source, 132, 128, COPY, SOCKADDR));
#undef HOST
