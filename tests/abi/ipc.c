/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SysV and POSIX IPC. */
#include "abi.h"

static u8 buf[4096] __attribute__((aligned(16)));

#define IPC64 0x100u
enum { IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO };

static int shared(u32 size)
{
	return ipc_object(IPC_SHM, CONFIGURED(S(shmget, 0, size, 0640)));
}

CASE("STR-039", "shmctl shmget .shmid64_ds", ALL,
     "oracle README 6 shmid_ds; linux ipc/compat.c put_compat_shmid64_ds",
     "shmctl IPC_STAT|IPC_64: 84 bytes, size at 36")
{
	int id = shared(3 * PAGE + 5);
	u8 *p = at_end(84);

	EQ(S(shmctl, id, IPC_STAT | IPC64, p), 0);
	EQ(get32(p + 36), 3 * PAGE + 5);
	EQ(get32(p + 4), S(geteuid));
	EQ(p[20] | p[21] << 8, 0640);
	EQ(get32(p + 64), own_pid());
	EQ(get32(p + 72), 0);
	EQ(S(shmctl, id, IPC_STAT | IPC64, p + 4), -EFAULT);
}

CASE("STR-040", "shmctl .shmid_ds_old", ALL,
     "oracle README 6 shmid_ds; linux ipc/compat.c put_compat_shmid_ds",
     "shmctl IPC_STAT without IPC_64: the old 48 bytes with 16-bit ids")
{
	int id = shared(PAGE);
	u8 *p = at_end(48);

	EQ(S(shmctl, id, IPC_STAT, p), 0);
	EQ(p[4] | p[5] << 8, S(geteuid));
	EQ(p[12] | p[13] << 8, 0640);
	EQ(get32(p + 16), PAGE);
	EQ(S(shmctl, id, IPC_STAT, p + 4), -EFAULT);
}

CASE("STR-041", "shmctl .shminfo64", ALL, "linux ipc/compat.c put_compat_shminfo64: INT_MAX",
     "shmctl IPC_INFO shows at most 0x7fffffff as the largest size")
{
	u32 *p = (u32 *)buf;

	memset(buf, 0xa5, 64);
	OK(CONFIGURED(S(shmctl, 0, IPC_INFO | IPC64, buf)) >= 0);
	OK(p[0] <= 0x7fffffff && p[1] == 1);
}

CASE("STR-042", "msgsnd msgrcv msgget msgctl .msgbuf", ALL, "oracle README 6 msgbuf",
     "a message is {s32 type, text at 4}")
{
	u32 m[2] = {5, 'x'};
	u8 *p = at_end(5);
	int id = ipc_object(IPC_MSG, CONFIGURED(S(msgget, 0, 0600)));

	EQ(S(msgsnd, id, m, 1, 0), 0);
	EQ(S(msgctl, id, IPC_STAT | IPC64, buf), 0);
	EQ(get32(buf + 64), 1);
	EQ(get32(buf + 60), 1);
	EQ(S(msgrcv, id, p, 1, 0, 0), 1);
	EQ(get32(p), 5);
	EQ(p[4], 'x');
	EQ(S(msgrcv, id, p, 1, 0, 0x800), -ENOMSG);
}

CASE("STR-042a", "msgctl .msqid64_ds .msqid_ds_old", ALL, "oracle README 6 msqid_ds",
     "msgctl IPC_STAT: 88 bytes with IPC_64, 56 without")
{
	int id = ipc_object(IPC_MSG, CONFIGURED(S(msgget, 0, 0604)));
	u8 *p = at_end(88), *old = at_end(56);

	EQ(S(msgctl, id, IPC_STAT | IPC64, p), 0);
	EQ(p[20] | p[21] << 8, 0604);
	OK(get32(p + 68) > 0);
	EQ(S(msgctl, id, IPC_STAT | IPC64, p + 4), -EFAULT);
	EQ(S(msgctl, id, IPC_STAT, old), 0);
	EQ(old[12] | old[13] << 8, 0604);
	EQ(S(msgctl, id, IPC_STAT, old + 4), -EFAULT);
}

CASE("STR-043", "semget semop semctl semtimedop", ALL, "linux ipc/compat.c compat_sys_semtimedop",
     "semtimedop takes a timeout of 8 bytes")
{
	u16 wait[3] = {0, 0xffff, 0}, add[3] = {0, 1, 0};
	u32 ts[3] = {0, 30000000, 0xffffffff};
	int id = ipc_object(IPC_SEM, CONFIGURED(S(semget, 0, 2, 0600)));
	s64 from = now_ms();

	EQ(S(semtimedop, id, wait, 1, ts), -EAGAIN);
	OK(now_ms() - from >= 25);
	EQ(S(semop, id, add, 1), 0);
	EQ(S(semtimedop, id, wait, 1, ts), 0);
	ts[1] = 1000000000;
	EQ(S(semtimedop, id, wait, 1, ts), -EINVAL);
	EQ(S(semop, id, wait, 0), -EINVAL);
}

CASE("STR-043a", "semctl .semid64_ds .semid_ds_old", ALL, "oracle README 6 semid_ds",
     "semctl IPC_STAT: 64 bytes with IPC_64, 44 without; arrays of 16-bit values")
{
	int id = ipc_object(IPC_SEM, CONFIGURED(S(semget, 0, 3, 0600)));
	u16 values[4] = {7, 8, 9, 0xa5a5};
	u8 *p = at_end(64), *old = at_end(44);

	EQ(S(semctl, id, 0, 17, values), 0);
	values[0] = values[2] = 0;
	EQ(S(semctl, id, 0, 13, values), 0);
	OK(values[0] == 7 && values[2] == 9 && values[3] == 0xa5a5);
	EQ(S(semctl, id, 0, IPC_STAT | IPC64, p), 0);
	EQ(get32(p + 52), 3);
	EQ(S(semctl, id, 0, IPC_STAT | IPC64, p + 4), -EFAULT);
	EQ(S(semctl, id, 0, IPC_STAT, old), 0);
	EQ(S(semctl, id, 0, IPC_STAT, old + 4), -EFAULT);
}

/* --- POSIX queues -------------------------------------------------------------------------------- */

/* A queue for four messages of 32 bytes, in an IPC namespace of its own. */
static s64 new_queue(void)
{
	u32 attr[8] = {0, 4, 32, 0};

	namespaces(CLONE_NEWIPC);
	return CONFIGURED(S(mq_open, "q", O_CREAT | O_RDWR, 0600, attr));
}

CASE("STR-044", "mq_open mq_getsetattr mq_unlink", ALL, "oracle README 6 mq_attr",
     "mq_attr has 32 bytes, four of 32 bits used")
{
	s64 q = new_queue();
	u32 *attr = (u32 *)at_end(32);

	EQ(S(mq_getsetattr, q, 0, attr), 0);
	EQ(attr[1], 4);
	EQ(attr[2], 32);
	EQ(attr[3], 0);
	OK(all_bytes(attr + 4, 0, 16));
	EQ(S(mq_getsetattr, q, 0, attr + 1), -EFAULT);
	EQ(S(mq_open, "/q", O_RDWR, 0, 0), -EACCES);
	EQ(S(mq_unlink, "q"), 0);
	EQ(S(mq_unlink, "q"), -ENOENT);
}

CASE("STR-044a", "mq_timedsend mq_timedreceive", ALL, "linux ipc/mqueue.c compat_sys_mq_timedsend",
     "mq_timedsend and mq_timedreceive take timeouts of 8 bytes")
{
	s64 q = new_queue();
	u32 ts[3] = {1, 0, 0xffffffff}, prio = 0;

	EQ(S(mq_timedsend, q, "hello", 5, 3, ts), 0);
	EQ(S(mq_timedreceive, q, buf, 32, &prio, ts), 5);
	EQ(prio, 3);
	EQ(memcmp(buf, "hello", 5), 0);
	EQ(S(mq_timedreceive, q, buf, 32, &prio, ts), -ETIMEDOUT);
	EQ(S(mq_timedreceive, q, buf, 8, &prio, ts), -EMSGSIZE);
	ts[1] = 1000000000;
	EQ(S(mq_timedreceive, q, buf, 32, &prio, ts), -EINVAL);
}

CASE("STR-081", "mq_notify socket .sigevent", ALL, "linux ipc/mqueue.c compat_sys_mq_notify",
     "mq_notify SIGEV_THREAD reads a cookie of 32 bytes and sends it through the socket")
{
	s64 q = new_queue(), s = S(socket, 16, 3, 0);
	u8 *cookie = (u8 *)(u32)GOOD(
		S(mmap2, 0xc0000000, 2 * PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0));
	u32 ev[16] = {0};
	u8 got[64];

	GOOD(s);
	EQ(S(munmap, 0xc0001000, PAGE), 0);
	cookie = (u8 *)0xc0000fe0u;
	memcpy(cookie, "0123456789abcdef0123456789abcdef", 32);
	ev[0] = Z(cookie);
	ev[1] = (u32)s; /* the descriptor is where a signal number would be */
	ev[2] = 2;
	EQ(S(mq_notify, q, ev), 0);
	EQ(S(mq_timedsend, q, "x", 1, 0, 0), 0);
	EQ(S(recvfrom, s, got, 64, 0, 0, 0), 32);
	EQ(memcmp(got, cookie, 31), 0);
	EQ(got[31], 1); /* NOTIFY_WOKENUP */
	ev[0] = Z(cookie + 4);
	EQ(S(mq_notify, q, ev), -EFAULT);
}

CASE("STR-081a", "mq_notify .sigevent .siginfo", ALL,
     "oracle siginfo; linux ipc/mqueue.c __do_notify",
     "mq_notify SIGEV_SIGNAL: code -3, value at 20")
{
	s64 q = new_queue();
	u32 ev[16] = {0xc0ffee00, 34, 0}, mask[2] = {0, 2}, ts[2] = {5, 0};

	EQ(S(rt_sigprocmask, SIG_BLOCK, mask, 0, 8), 0);
	EQ(S(mq_notify, q, ev), 0);
	EQ(S(mq_notify, q, ev), -EBUSY);
	EQ(S(mq_timedsend, q, "x", 1, 0, 0), 0);
	EQ(S(rt_sigtimedwait, mask, buf, ts, 8), 34);
	EQ((s32)get32(buf + 8), -3);
	EQ(get32(buf + 20), 0xc0ffee00);
	EQ(S(mq_notify, q, 0), 0);
}
