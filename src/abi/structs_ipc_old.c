/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The System V structures of commands without IPC_64 (0x100): 16-bit ids and modes, as the kernel's
 * compat code has had them (4.14: ipc/). What does not fit is cut off.
 */
#include "abi/describe.h"

#define HOST struct host_ipc64_perm
DESCRIBE(ipc_perm_old, 16, NULL, NULL, F(key, 0, 4, COPY, HEX), F(uid, 4, 2, ZEXT, UDEC),
	 F(gid, 6, 2, ZEXT, UDEC), F(cuid, 8, 2, ZEXT, UDEC), F(cgid, 10, 2, ZEXT, UDEC),
	 F(mode, 12, 2, ZEXT, OCT), F(seq, 14, 2, COPY, UDEC));
#undef HOST

#define HOST struct host_msqid64_ds
DESCRIBE(msqid_ds_old, 56, NULL, NULL, F_NEST(msg_perm, 0, 16, ipc_perm_old), F_PAD(16, 8),
	 F(msg_stime, 24, 4, ZEXT, UDEC), F(msg_rtime, 28, 4, ZEXT, UDEC),
	 F(msg_ctime, 32, 4, ZEXT, UDEC), F_PAD(36, 8), F(msg_cbytes, 44, 2, ZEXT, UDEC),
	 F(msg_qnum, 46, 2, ZEXT, UDEC), F(msg_qbytes, 48, 2, ZEXT, UDEC),
	 F(msg_lspid, 50, 2, ZEXT, UDEC), F(msg_lrpid, 52, 2, ZEXT, UDEC), F_PAD(54, 2));
#undef HOST

#define HOST struct host_semid64_ds
DESCRIBE(semid_ds_old, 44, NULL, NULL, F_NEST(sem_perm, 0, 16, ipc_perm_old),
	 F(sem_otime, 16, 4, ZEXT, UDEC), F(sem_ctime, 20, 4, ZEXT, UDEC), F_PAD(24, 16),
	 F(sem_nsems, 40, 2, ZEXT, UDEC), F_PAD(42, 2));
#undef HOST

#define HOST struct host_shmid64_ds
DESCRIBE(shmid_ds_old, 48, NULL, NULL, F_NEST(shm_perm, 0, 16, ipc_perm_old),
	 F(shm_segsz, 16, 4, ZEXT, UDEC), F(shm_atime, 20, 4, ZEXT, UDEC),
	 F(shm_dtime, 24, 4, ZEXT, UDEC), F(shm_ctime, 28, 4, ZEXT, UDEC),
	 F(shm_cpid, 32, 2, ZEXT, UDEC), F(shm_lpid, 34, 2, ZEXT, UDEC),
	 F(shm_nattch, 36, 2, ZEXT, UDEC), F_PAD(38, 10));
#undef HOST

#define HOST struct host_shminfo64
DESCRIBE(shminfo_old, 20, NULL, NULL, F(shmmax, 0, 4, UCLAMP, UDEC), F(shmmin, 4, 4, ZEXT, UDEC),
	 F(shmmni, 8, 4, ZEXT, UDEC), F(shmseg, 12, 4, ZEXT, UDEC), F(shmall, 16, 4, ZEXT, UDEC));
#undef HOST
