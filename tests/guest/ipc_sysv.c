/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V IPC: 4-byte message types, control structures in both forms, shared memory in 32 bits. */
#include "io.h"

enum { IPC_PRIVATE, IPC_CREAT = 01000, IPC_NOWAIT = 04000 };
enum { IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO, IPC_64 = 0x100 };
enum { MSG_NOERROR = 010000 };
enum { GETALL = 13, GETVAL = 12, SETVAL = 16, SETALL = 17 };
enum { SHM_RDONLY = 010000, SHM_RND = 020000, SHM_REMAP = 040000 };

static u8 buf[256];
struct message {
	s32 type;
	char text[12];
};

/* --- messages ------------------------------------------------------------------------------------ */

static s64 send(int q, s32 type, const char *text, u32 n)
{
	struct message m = {type, {0}};

	memcpy(m.text, text, n);
	return sys(SYS_msgsnd, q, &m, n, 0);
}

static void receive(int q, s32 type, u32 room, u32 flags)
{
	struct message m = {-1, "..........."};
	s64 r = sys(SYS_msgrcv, q, &m, room, type, flags | IPC_NOWAIT);

	print("type %d room %u: %ld", type, room, r);
	if (r >= 0)
		print(" type %d text \"%s\"", m.type, m.text);
	print("\n");
}

static void messages(void)
{
	int q = (int)sys(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0640);

	print("msgsnd %ld", send(q, 20, "twenty", 6));
	print(" %ld %ld %ld\n", send(q, 10, "ten", 3), send(q, 0x7fffffff, "max", 3),
	      send(q, 5, "five", 4));
	print("type 0 %ld, -1 %ld, size -1 %ld, bad pointer %ld, text beyond 4 GiB %ld\n",
	      send(q, 0, "x", 1), send(q, -1, "x", 1), sys(SYS_msgsnd, q, buf, 0xffffffff, 0),
	      sys(SYS_msgsnd, q, 0xfffffffeu, 1, 0), ({
		      u32 page = (u32)sys(NR_mmap2, 0xfffff000u, PAGE, 3, 0x32, -1, 0);
		      s64 r = -14;
		      if (page == 0xfffff000u) {
			      put32((u8 *)(long)(page + PAGE - 8), 1);
			      r = sys(SYS_msgsnd, q, page + PAGE - 8, 100, 0);
			      sys(NR_munmap, page, PAGE);
		      }
		      r;
	      }));
	WROTE("IPC_STAT of IPC_64", buf, sizeof(buf), sys(SYS_msgctl, q, IPC_STAT | IPC_64, buf));
	print("mode %x uid %d cbytes %u qnum %u lspid %d\n", get32(buf + 20),
	      get32(buf + 4) == (u32)sys(SYS_getuid), get32(buf + 60), get32(buf + 64),
	      get32(buf + 72) == (u32)sys(NR_getpid));
	WROTE("old form", buf, sizeof(buf), sys(SYS_msgctl, q, IPC_STAT, buf));
	print("mode %x cbytes %u qnum %u\n", get32(buf + 12) & 0xffff, get32(buf + 44) & 0xffff,
	      get32(buf + 44) >> 16);
	/* -10: the lowest type up to 10 */
	receive(q, -10, 12, 0);
	receive(q, 10, 2, 0);
	receive(q, 10, 2, MSG_NOERROR);
	receive(q, 0, 12, 0);
	receive(q, 7, 12, 0);
	receive(q, 0, 0x80000000u, 0);
	receive(q, 0, 12, 0);
	sys(SYS_msgctl, q, IPC_STAT | IPC_64, buf);
	put32(buf + 68, 4096);
	put32(buf + 20, 0600);
	print("IPC_SET %ld", sys(SYS_msgctl, q, IPC_SET | IPC_64, buf));
	sys(SYS_msgctl, q, IPC_STAT | IPC_64, buf);
	print(": qbytes %u mode %x, bad pointer %ld\n", get32(buf + 68), get32(buf + 20) & 0777,
	      sys(SYS_msgctl, q, IPC_SET | IPC_64, 0xfffffff0u));
	WROTE("IPC_INFO", buf, sizeof(buf), sys(SYS_msgctl, 0, IPC_INFO | IPC_64, buf) >= 0);
	print("IPC_RMID %ld, then %ld\n", sys(SYS_msgctl, q, IPC_RMID, 0),
	      sys(SYS_msgctl, q, IPC_STAT | IPC_64, buf));
}

/* A size that no message has, and messages that are longer than most. */
static void long_messages(void)
{
	static u8 text[4 + 7000], in[4 + 7000];
	int q = (int)sys(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600);

	for (u32 i = 0; i < 7000; i++)
		text[4 + i] = (u8)(i % 251);
	put32(text, 3);
	print("7000 bytes: msgsnd %ld", sys(SYS_msgsnd, q, text, 7000, IPC_NOWAIT));
	print(", msgrcv of 6000 %ld", sys(SYS_msgrcv, q, in, 6000, 0, IPC_NOWAIT));
	print(", cut %ld", sys(SYS_msgrcv, q, in, 6000, 0, IPC_NOWAIT | MSG_NOERROR));
	print(", byte 5999 %u, next %u", in[4 + 5999] == 5999 % 251, in[4 + 6000]);
	sys(SYS_msgsnd, q, text, 7000, IPC_NOWAIT);
	print(", of 2147483647 %ld", sys(SYS_msgrcv, q, in, 0x7fffffff, 0, IPC_NOWAIT));
	print(", byte 6999 %u", in[4 + 6999] == 6999 % 251);
	sys(SYS_msgsnd, q, text, 7000, IPC_NOWAIT);
	print(", cut to 2147483647 %ld\n",
	      sys(SYS_msgrcv, q, in, 0x7fffffff, 0, IPC_NOWAIT | MSG_NOERROR));
	sys(SYS_msgctl, q, IPC_RMID, 0);
}

/* msgrcv is never restarted after a handler, whatever SA_RESTART says. */
static void interrupted(void)
{
	int q = (int)sys(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600);
	s32 me = (s32)sys(NR_getpid);
	struct message m;

	signals_seen = 0;
	set_handler(SIGUSR1, count_signal, SA_RESTART);
	s64 child = fork_();
	if (!child) {
		pause_ms(100);
		sys(NR_kill, me, SIGUSR1);
		quit(0);
	}
	print("msgrcv %ld after %u signals\n", sys(SYS_msgrcv, q, &m, 12, 0, 0), signals_seen);
	wait_for(child);
	sys(SYS_msgctl, q, IPC_RMID, 0);
}

/* --- semaphores ---------------------------------------------------------------------------------- */

static void semaphores(void)
{
	int s = (int)sys(SYS_semget, IPC_PRIVATE, 3, IPC_CREAT | 0640);
	u16 all[4] = {1, 2, 3, 0xa5a5}, down[3] = {0, (u16)-9, 0};
	u32 ts[2] = {0, 50000000};

	print("SETVAL %ld GETVAL %ld, negative %ld\n", sys(SYS_semctl, s, 1, SETVAL, 7),
	      sys(SYS_semctl, s, 1, GETVAL, 0), sys(SYS_semctl, s, 1, SETVAL, 0xffffffffu));
	print("SETALL %ld", sys(SYS_semctl, s, 0, SETALL, all));
	memset(all, 0xa5, sizeof(all));
	print(" GETALL %ld:", sys(SYS_semctl, s, 0, GETALL, all));
	print(" %u %u %u %x\n", all[0], all[1], all[2], all[3]);
	print("semtimedop %ld", sys(SYS_semtimedop, s, down, 1, ts));
	ts[1] = 1000000000;
	print(", bad timeout %ld, bad pointer %ld\n", sys(SYS_semtimedop, s, down, 1, ts),
	      sys(SYS_semop, s, 0xfffffffeu, 1));
	WROTE("IPC_STAT of IPC_64", buf, sizeof(buf),
	      sys(SYS_semctl, s, 0, IPC_STAT | IPC_64, buf));
	print("nsems %u mode %x\n", get32(buf + 52), get32(buf + 20));
	WROTE("old form", buf, sizeof(buf), sys(SYS_semctl, s, 0, IPC_STAT, buf));
	print("nsems %u mode %x\n", get32(buf + 40) & 0xffff, get32(buf + 12) & 0xffff);
	WROTE("IPC_INFO", buf, sizeof(buf), sys(SYS_semctl, 0, 0, IPC_INFO | IPC_64, buf) >= 0);
	print("IPC_RMID %ld\n", sys(SYS_semctl, s, 0, IPC_RMID, 0));
}

/* --- shared memory ---------------------------------------------------------------------------------- */

static void attached(int id)
{
	u64 r = (u64)sys(SYS_shmat, id, 0, 0), ro;
	volatile u32 *p = (u32 *)(long)(u32)r, *q;

	print("shmat below 4 GiB %d, page aligned %d\n", r >> 32 == 0 && r != 0, (r & 0xfff) == 0);
	p[0] = 4711;
	ro = (u64)sys(SYS_shmat, id, 0, SHM_RDONLY);
	q = (u32 *)(long)(u32)ro;
	print("second one sees %u", q[0]);
	p[1] = 42;
	print(" %u, write to it %ld\n", q[1],
	      sys(NR_read, -1, q, 1) == -9 ? ({
		      u32 fds[2];
		      sys(NR_pipe2, fds, 0);
		      sys(NR_write, fds[1], "x", 1);
		      sys(NR_read, fds[0], (u32)ro, 1);
	      })
					   : 0);
	s64 child = fork_();
	if (!child) {
		p[2] = 99;
		quit(0);
	}
	wait_for(child);
	print("child wrote %u\n", p[2]);
	WROTE("IPC_STAT of IPC_64", buf, sizeof(buf), sys(SYS_shmctl, id, IPC_STAT | IPC_64, buf));
	print("segsz %u nattch %u\n", get32(buf + 36), get32(buf + 72));
	WROTE("old form", buf, sizeof(buf), sys(SYS_shmctl, id, IPC_STAT, buf));
	print("segsz %u nattch %u\n", get32(buf + 16), get32(buf + 36) & 0xffff);
	print("shmdt %ld %ld, again %ld, inside %ld\n", sys(SYS_shmdt, (u32)ro), ({
		      s64 inside = sys(SYS_shmdt, (u32)r + 4096);
		      s64 first = sys(SYS_shmdt, (u32)r);
		      first ? first : inside == -22 ? 0 : inside;
	      }),
	      sys(SYS_shmdt, (u32)r), sys(SYS_shmdt, (u32)r + 1));
	print("gone: %ld\n", sys(NR_write, 1, (u32)r, 1));
	sys(SYS_shmctl, id, IPC_STAT | IPC_64, buf);
	print("nattch %u\n", get32(buf + 72));
}

static void placed(int id)
{
	u32 page = (u32)sys(NR_mmap2, 0, 4 * PAGE, 3, 0x22, -1, 0);
	s64 r;

	print("at a used place %ld", sys(SYS_shmat, id, page, 0));
	print(", SHM_REMAP %d", sys(SYS_shmat, id, page, SHM_REMAP) == (s64)page);
	*(volatile u32 *)(long)page = 5;
	print(" works %u", *(volatile u32 *)(long)page);
	print(", shmdt %ld\n", sys(SYS_shmdt, page));
	/* Behind it the old mapping is still there; the place itself is free now. */
	print("page behind kept %u, unaligned %ld", *(volatile u32 *)(long)(page + 3 * PAGE),
	      sys(SYS_shmat, id, page + 5, 0));
	r = sys(SYS_shmat, id, page + 5, SHM_RND);
	print(", SHM_RND %d", r == (s64)page);
	print(", shmdt %ld\n", sys(SYS_shmdt, page));
	/* Unmapping one end detaches that part only. */
	r = sys(SYS_shmat, id, 0, 0);
	print("munmap of a part %ld, shmdt of the rest %ld", sys(NR_munmap, (u32)r + PAGE, PAGE),
	      sys(SYS_shmdt, (u32)r));
	sys(SYS_shmctl, id, IPC_STAT | IPC_64, buf);
	print(", nattch %u\n", get32(buf + 72));
	/* An address of the upper half comes back without sign. */
	r = sys(SYS_shmat, id, 0xc0000000u, 0);
	print("at 0xc0000000: %lx\n", (u64)r);
	sys(SYS_shmdt, 0xc0000000u);
	print("SHM_REMAP without address %ld, bad id %ld %ld\n", sys(SYS_shmat, id, 0, SHM_REMAP),
	      sys(SYS_shmat, -1, 0, 0), sys(SYS_shmat, 0x7fffffff, 0, 0));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	messages();
	long_messages();
	interrupted();
	semaphores();
	int id = (int)sys(SYS_shmget, IPC_PRIVATE, 5000, IPC_CREAT | 0600);
	attached(id);
	placed(id);
	WROTE("SHM IPC_INFO", buf, sizeof(buf), sys(SYS_shmctl, 0, IPC_INFO | IPC_64, buf) >= 0);
	print("shmmax %x\n", get32(buf));
	WROTE("old form", buf, sizeof(buf), sys(SYS_shmctl, 0, IPC_INFO, buf) >= 0);
	print("shmmax %x\n", get32(buf));
	WROTE("SHM_INFO", buf, sizeof(buf), sys(SYS_shmctl, 0, 14 | IPC_64, buf) >= 0);
	print("IPC_RMID %ld\n", sys(SYS_shmctl, id, IPC_RMID, 0));
	return 0;
}
