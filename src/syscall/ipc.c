/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System V IPC but for attaching (shm.c). A control command with IPC_64 (0x100) means the structures
 * with 32-bit ids, without it the old ones; LP64 hosts know only the first and want no flag
 * (kernel: compat_ipc_parse_version()).
 */
#include <errno.h>
#include <stdlib.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symtab.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"

enum { IPC_64_ = 0x100 };

/* What a control command does with its last argument. */
struct command {
	uint8_t cmd;                    /* without IPC_64 */
	uint8_t type;                   /* enum sys_type; T_END: not looked at */
	const struct abi_struct *st[2]; /* old, IPC_64 */
};

#define BOTH(s)            \
 {                         \
  &abi_st_##s, &abi_st_##s \
 }
#define FORMS(o, n)        \
 {                         \
  &abi_st_##o, &abi_st_##n \
 }

/* clang-format off */
#define MSG_COMMANDS(X, N) \
	N(IPC_RMID, 0) \
	X(IPC_SET, 1, T_IN, FORMS(msqid_ds_old, msqid64_ds)) \
	X(IPC_STAT, 2, T_OUT, FORMS(msqid_ds_old, msqid64_ds)) \
	X(IPC_INFO, 3, T_OUT, BOTH(msginfo)) \
	X(MSG_STAT, 11, T_OUT, FORMS(msqid_ds_old, msqid64_ds)) \
	X(MSG_INFO, 12, T_OUT, BOTH(msginfo)) \
	X(MSG_STAT_ANY, 13, T_OUT, FORMS(msqid_ds_old, msqid64_ds)) \
	N(IPC_64, 0x100)
#define SEM_COMMANDS(X, N) \
	N(IPC_RMID, 0) \
	X(IPC_SET, 1, T_IN, FORMS(semid_ds_old, semid64_ds)) \
	X(IPC_STAT, 2, T_OUT, FORMS(semid_ds_old, semid64_ds)) \
	X(IPC_INFO, 3, T_OUT, BOTH(seminfo)) \
	N(GETPID, 11) \
	N(GETVAL, 12) \
	X(GETALL, 13, T_PTR, {NULL, NULL}) \
	N(GETNCNT, 14) \
	N(GETZCNT, 15) \
	X(SETVAL, 16, T_INT, {NULL, NULL}) \
	X(SETALL, 17, T_PTR, {NULL, NULL}) \
	X(SEM_STAT, 18, T_OUT, FORMS(semid_ds_old, semid64_ds)) \
	X(SEM_INFO, 19, T_OUT, BOTH(seminfo)) \
	X(SEM_STAT_ANY, 20, T_OUT, FORMS(semid_ds_old, semid64_ds)) \
	N(IPC_64, 0x100)
#define SHM_COMMANDS(X, N) \
	N(IPC_RMID, 0) \
	X(IPC_SET, 1, T_IN, FORMS(shmid_ds_old, shmid64_ds)) \
	X(IPC_STAT, 2, T_OUT, FORMS(shmid_ds_old, shmid64_ds)) \
	X(IPC_INFO, 3, T_OUT, FORMS(shminfo_old, shminfo64)) \
	N(SHM_LOCK, 11) \
	N(SHM_UNLOCK, 12) \
	X(SHM_STAT, 13, T_OUT, FORMS(shmid_ds_old, shmid64_ds)) \
	X(SHM_INFO, 14, T_OUT, BOTH(shm_info)) \
	X(SHM_STAT_ANY, 15, T_OUT, FORMS(shmid_ds_old, shmid64_ds)) \
	N(IPC_64, 0x100)
/* clang-format on */

#define ROW(n, c, ...) {(c), __VA_ARGS__},
#define NO_ROW(n, c)
static const struct command msg_commands[] = {MSG_COMMANDS(ROW, NO_ROW){0}};
static const struct command sem_commands[] = {SEM_COMMANDS(ROW, NO_ROW){0}};
static const struct command shm_commands[] = {SHM_COMMANDS(ROW, NO_ROW){0}};
BITS_OF(msgctl_cmd, "IPC_", 0xff, MSG_COMMANDS);
BITS_OF(semctl_cmd, "IPC_", 0xff, SEM_COMMANDS);
BITS_OF(shmctl_cmd, "IPC_", 0xff, SHM_COMMANDS);

/* The entry of CMD in T; the last one, whose type is T_END, for all others. */
static const struct command *command_of(const struct command *t, uint64_t cmd)
{
	while (t->cmd && t->cmd != (cmd & ~(uint64_t)IPC_64_))
		t++;
	return t;
}

static const struct abi_struct *form_of(const struct command *m, uint64_t cmd)
{
	return m->st[(cmd & IPC_64_) != 0 || abi_profile->ipc_64_always];
}

static void describe(const struct command *m, uint64_t cmd, struct sys_arg *arg)
{
	arg->type = m->type;
	arg->st = form_of(m, cmd);
}

void msgctl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	describe(command_of(msg_commands, c->a[1]), c->a[1], arg);
}

void semctl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	describe(command_of(sem_commands, c->a[2]), c->a[2], arg);
}

void shmctl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	describe(command_of(shm_commands, c->a[1]), c->a[1], arg);
}

/*
 * The host's argument for the guest's V: HOST for structures. One that cannot be read is for the host
 * to refuse, after its other checks.
 */
static uint64_t host_argument(struct sys_call *c, const struct command *m, uint64_t cmd, uint64_t v,
			      void *host)
{
	switch ((enum sys_type)m->type) {
	case T_IN:
		return abi_read(form_of(m, cmd), host, (gaddr)v) ? SYS_BAD_POINTER
								 : (uint64_t)(uintptr_t)host;
	case T_OUT: return (uint64_t)(uintptr_t)host;
	/* GETALL, SETALL: as many values of 16 bits as there are semaphores, which have 16-bit numbers. */
	case T_PTR: sys_writes(c, v, 2 << 16); return sys_buf(v, 0);
	case T_INT: return (uint64_t)(int64_t)(int32_t)(uint32_t)v;
	default: return 0;
	}
}

static int64_t finish(const struct command *m, uint64_t cmd, uint64_t v, const void *host,
		      int64_t r)
{
	int err = 0;

	if (r >= 0 && m->type == T_OUT)
		err = abi_write(form_of(m, cmd), (gaddr)v, host);
	return err ? err : r;
}

int64_t sys_msgctl(struct sys_call *c)
{
	const struct command *m = command_of(msg_commands, c->a[1]);
	uint64_t host[(ABI_MAX_SIZE + 7) / 8] = {0};
	int64_t r = sys_host(HOSTNR(msgctl), c->a[0], c->a[1] & ~(uint64_t)IPC_64_,
			     host_argument(c, m, c->a[1], c->a[2], host));

	return finish(m, c->a[1], c->a[2], host, r);
}

int64_t sys_shmctl(struct sys_call *c)
{
	const struct command *m = command_of(shm_commands, c->a[1]);
	uint64_t host[(ABI_MAX_SIZE + 7) / 8] = {0};
	int64_t r = sys_host(HOSTNR(shmctl), c->a[0], c->a[1] & ~(uint64_t)IPC_64_,
			     host_argument(c, m, c->a[1], c->a[2], host));

	return finish(m, c->a[1], c->a[2], host, r);
}

/* The fourth argument is a union by value. */
int64_t sys_semctl(struct sys_call *c)
{
	const struct command *m = command_of(sem_commands, c->a[2]);
	uint64_t host[(ABI_MAX_SIZE + 7) / 8] = {0};
	int64_t r = sys_host(HOSTNR(semctl), c->a[0], c->a[1], c->a[2] & ~(uint64_t)IPC_64_,
			     host_argument(c, m, c->a[2], c->a[3], host));

	return finish(m, c->a[2], c->a[3], host, r);
}

/* --- messages: the type has 4 bytes for the guest, 8 on the host -------------------------------------- */

#define GUEST_TYPE 4
#define HOST_TYPE  8
#define SHORT_TEXT 4096

/* A host message with room for N bytes of text: SPACE or malloc'ed. NULL when out of memory. */
static uint64_t *message(uint64_t *space, uint64_t n)
{
	return n <= SHORT_TEXT ? space : malloc(HOST_TYPE + n);
}

/* The longest message that a queue takes. */
static int64_t max_message(void)
{
	enum { IPC_INFO_ = 3 };
	struct host_msginfo info;
	int64_t r = sys_host(HOSTNR(msgctl), 0, IPC_INFO_, &info);

	return r < 0 ? INT32_MAX : info.msgmax;
}

/* The kernel's order (do_msgsnd): type readable, arguments valid, text readable, queue. */
int64_t sys_msgsnd(struct sys_call *c)
{
	uint64_t space[(HOST_TYPE + SHORT_TEXT) / 8], *m;
	int64_t id = (int64_t)c->a[0], n = (int64_t)c->a[2], r = -EFAULT;
	gaddr g = (gaddr)c->a[1];
	uint32_t type;

	if (mem_get_u32(g, &type))
		return -EFAULT;
	if (n < 0 || id < 0 || (int32_t)type < 1 || (n > SHORT_TEXT && n > max_message()))
		return -EINVAL;
	m = message(space, (uint64_t)n);
	if (!m)
		return -ENOMEM;
	m[0] = type;
	if ((uint64_t)g + GUEST_TYPE + (uint64_t)n <= MEM_SPACE &&
	    mem_copy_in(m + 1, g + GUEST_TYPE, (size_t)n) == 0)
		r = sys_host_blocking(c, HOSTNR(msgsnd), id, m, n, c->a[3]);
	if (m != space)
		free(m);
	return r;
}

/* Receives into *M, SPACE or malloc'ed memory, at most N bytes of text. */
static int64_t receive(struct sys_call *c, uint64_t *space, uint64_t **m, uint64_t n)
{
	enum { MSG_NOERROR_ = 010000 };
	uint64_t room = n < SHORT_TEXT ? n : SHORT_TEXT, flags = c->a[4];
	int64_t r;

	/* The guest's size may be far more than any message has. One that is longer than the room stays in
	 * the queue, unless it is to be cut. */
	for (;;) {
		r = sys_host_blocking(c, HOSTNR(msgrcv), c->a[0], *m, room, c->a[3],
				      room < n ? flags & ~(uint64_t)MSG_NOERROR_ : flags);
		if (r != -E2BIG || room == n)
			return r;
		room = n / 2 < room ? n : 2 * room;
		if (*m != space)
			free(*m);
		*m = message(space, room);
		if (!*m)
			return -ENOMEM;
	}
}

/* A message that cannot be stored is lost, as in the kernel. */
int64_t sys_msgrcv(struct sys_call *c)
{
	uint64_t space[(HOST_TYPE + SHORT_TEXT) / 8], *m = space;
	int64_t id = (int64_t)c->a[0], n = (int64_t)c->a[2], r;
	gaddr g = (gaddr)c->a[1];

	if (n < 0 || id < 0)
		return -EINVAL;
	r = receive(c, space, &m, (uint64_t)n);
	if (r >= 0 &&
	    (mem_put_u32(g, (uint32_t)m[0]) || (uint64_t)g + GUEST_TYPE + (uint64_t)r > MEM_SPACE ||
	     mem_copy_out(g + GUEST_TYPE, m + 1, (size_t)r)))
		r = -EFAULT;
	if (m != space)
		free(m);
	return r;
}
