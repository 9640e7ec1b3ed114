/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes and threads: creation, execution, end, waiting, and what belongs to a thread. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "loader/loader.h"
#include "signal/restart.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/lookup.h"
#include "syscall/ptrace.h"
#include "task/task.h"
#include "trace/trace.h"

/* --- clone -------------------------------------------------------------------------------------------- */

int64_t sys_clone(struct sys_call *c)
{
	uint64_t flags = c->a[0];
	struct task_clone_args a = {
		.exit_signal = flags & CSIGNAL,
		.stack = (gaddr)c->a[1],
		.parent_tid = (gaddr)c->a[2],
		.pidfd = (gaddr)c->a[2],
		.tls = abi_profile->clone_tls_raw ? c->x[3] : c->a[3],
		.child_tid = (gaddr)c->a[4],
	};

	flags &= ~(uint64_t)CSIGNAL;
	if (!abi_profile->clone_pidfd)
		flags &= ~(uint64_t)CLONE_PIDFD;
	else if ((flags & CLONE_PIDFD) && (flags & CLONE_PARENT_SETTID))
		return -EINVAL; /* one argument for both (kernel_clone()) */
	a.flags = flags;
	open_near_clone(flags);
	if (flags & CLONE_PIDFD)
		sys_writes(c, a.pidfd, sizeof(int32_t));
	return task_clone(c->task, &a);
}

/* struct clone_args, 88 bytes of u64 since 5.7; older callers give 64 or 80. */
enum { CLONE3_SIZE_0 = 64, CLONE3_SIZE_1 = 80, CLONE3_SIZE_2 = 88, MAX_PID_LEVELS = 32 };

/* copy_struct_from_user(): longer structures must end in zeros. */
static int read_clone_args(struct clone_args *k, gaddr g, uint64_t size)
{
	uint8_t rest[MEM_PAGE_SIZE], guest[CLONE3_SIZE_2] = {0};
	uint64_t *field = (uint64_t *)k;

	if (size > MEM_PAGE_SIZE)
		return -E2BIG;
	if (size < CLONE3_SIZE_0)
		return -EINVAL;
	if (size > CLONE3_SIZE_2) {
		size_t n = size - CLONE3_SIZE_2;
		if (mem_copy_in(rest, g + CLONE3_SIZE_2, n))
			return -EFAULT;
		for (size_t i = 0; i < n; i++) {
			if (rest[i])
				return -E2BIG;
		}
		size = CLONE3_SIZE_2;
	}
	if (mem_copy_in(guest, g, size))
		return -EFAULT;
	memset(k, 0, sizeof *k);
	for (unsigned i = 0; i < CLONE3_SIZE_2 / 8; i++)
		field[i] = abi_get64(guest + 8 * (size_t)i);
	return 0;
}

/* copy_clone_args_from_user() and clone3_args_valid() of kernel/fork.c. */
static int check_clone3(const struct clone_args *k, uint64_t size)
{
	const uint64_t legacy = 0xffffffffull;

	if (k->set_tid_size > MAX_PID_LEVELS || (!k->set_tid && k->set_tid_size) ||
	    (k->set_tid && !k->set_tid_size))
		return -EINVAL;
	if ((k->exit_signal & ~(uint64_t)CSIGNAL) || k->exit_signal > SIG_COUNT)
		return -EINVAL;
	if ((k->flags & CLONE_INTO_CGROUP) && (k->cgroup > INT_MAX || size < CLONE3_SIZE_2))
		return -EINVAL;
	if (k->flags & ~(legacy | CLONE_CLEAR_SIGHAND | CLONE_INTO_CGROUP))
		return -EINVAL;
	if (k->flags & (CLONE_DETACHED | (CSIGNAL & ~(uint64_t)CLONE_NEWTIME)))
		return -EINVAL;
	if ((k->flags & CLONE_SIGHAND) && (k->flags & CLONE_CLEAR_SIGHAND))
		return -EINVAL;
	if ((k->flags & (CLONE_THREAD | CLONE_PARENT)) && k->exit_signal)
		return -EINVAL;
	if (!k->stack != !k->stack_size)
		return -EINVAL;
	return 0;
}

int64_t sys_clone3(struct sys_call *c)
{
	struct clone_args k;
	int32_t set_tid[MAX_PID_LEVELS];
	int err = read_clone_args(&k, (gaddr)c->a[0], c->a[1]);

	if (!err)
		err = check_clone3(&k, c->a[1]);
	if (err)
		return err;
	/* The kernel uses these as pointers, and faults. */
	if ((k.pidfd | k.child_tid | k.parent_tid | k.set_tid | k.tls) >> 32 ||
	    (k.stack + k.stack_size) >> 32)
		return -EFAULT;
	if (mem_copy_in(set_tid, (gaddr)k.set_tid, k.set_tid_size * sizeof *set_tid))
		return -EFAULT;
	struct task_clone_args a = {
		.flags = k.flags,
		.exit_signal = (uint32_t)k.exit_signal,
		.pidfd = (gaddr)k.pidfd,
		.child_tid = (gaddr)k.child_tid,
		.parent_tid = (gaddr)k.parent_tid,
		.stack = k.stack + k.stack_size,
		.tls = k.tls,
		.set_tid = set_tid,
		.set_tid_size = (uint32_t)k.set_tid_size,
		.cgroup = (int32_t)k.cgroup,
	};

	open_near_clone(k.flags);
	if (k.flags & CLONE_PIDFD)
		sys_writes(c, a.pidfd, sizeof(int32_t));
	return task_clone(c->task, &a);
}

/* --- execve ------------------------------------------------------------------------------------------- */

/* Above every limit that the kernel may have for all strings together (6 MiB). */
enum { STRINGS_MAX = 8 << 20 };

struct strings {
	char **v;
	size_t n, room, bytes;
};

static void free_strings(struct strings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i]);
	free(s->v);
}

/* Always leaves room for the NULL behind the last. */
static int add_string(struct strings *s, gaddr g, char *buf)
{
	int64_t len = mem_copy_str(buf, g, LOADER_STRING_MAX);

	if (len < 0)
		return len == -ENAMETOOLONG ? -E2BIG : (int)len;
	s->bytes += (size_t)len + 1 + sizeof(char *);
	if (s->bytes > STRINGS_MAX)
		return -E2BIG;
	if (s->n + 1 >= s->room) {
		size_t room = s->room ? 2 * s->room : 32;
		char **v = realloc(s->v, room * sizeof *v);
		if (!v)
			return -ENOMEM;
		s->v = v;
		s->room = room;
	}
	s->v[s->n] = strdup(buf);
	if (!s->v[s->n])
		return -ENOMEM;
	s->v[++s->n] = NULL;
	return 0;
}

/* A vector of 32-bit pointers at G; NULL is an empty one. */
static int read_vector(struct strings *s, gaddr g)
{
	char *buf = malloc(LOADER_STRING_MAX);
	uint32_t p;
	int err = buf ? 0 : -ENOMEM;

	*s = (struct strings){.v = calloc(1, sizeof(char *))};
	if (!s->v)
		err = -ENOMEM;
	for (uint64_t at = g; !err && g; at += 4) {
		err = at >= MEM_SPACE ? -EFAULT : mem_get_u32((gaddr)at, &p);
		if (err || !p)
			break;
		err = add_string(s, p, buf);
	}
	free(buf);
	if (err)
		free_strings(s);
	return err;
}

static int64_t exec(struct sys_call *c, int dfd, gaddr path, gaddr argv, gaddr envp, int flags)
{
	char name[PATH_MAX], host[PATH_MAX], instead[PATH_MAX];
	const char *program = host;
	struct strings a, e;
	int64_t err = mem_copy_str(name, path, sizeof name);

	if (err >= 0)
		err = path_resolve(host, name,
				   flags & AT_SYMLINK_NOFOLLOW ? PATH_NOFOLLOW : PATH_LOOKUP);
	if (!err)
		err = lookup_check(dfd, host, !(flags & AT_SYMLINK_NOFOLLOW), instead);
	if (!err)
		program = instead;
	if (!err || err == -ENOSYS)
		err = read_vector(&a, argv);
	if (err)
		return err;
	err = read_vector(&e, envp);
	if (err) {
		free_strings(&a);
		return err;
	}
	return task_exec(c->task, dfd, program, name, a.v, e.v, flags);
}

int64_t sys_execve(struct sys_call *c)
{
	return exec(c, AT_FDCWD, (gaddr)c->a[0], (gaddr)c->a[1], (gaddr)c->a[2], 0);
}

int64_t sys_execveat(struct sys_call *c)
{
	int flags = (int)c->a[4];

	if (flags & ~(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW))
		return -EINVAL;
	return exec(c, (int)c->a[0], (gaddr)c->a[1], (gaddr)c->a[2], (gaddr)c->a[3], flags);
}

/* --- the end -------------------------------------------------------------------------------------------- */

int64_t sys_exit(struct sys_call *c)
{
	/* From here on nothing may be captured that would die with the thread. */
	if (signal_block(c->task)) {
		signal_unblock(c->task);
		return -ERESTARTNOINTR_;
	}
	task_exit_thread(c->task, (int)c->a[0]);
	return 0;
}

int64_t sys_exit_group(struct sys_call *c)
{
	task_exit_group(c->task, (int)c->a[0]);
}

/* --- waiting -------------------------------------------------------------------------------------------- */

int64_t sys_wait4(struct sys_call *c)
{
	return ptrace_wait4(c);
}

int64_t sys_waitid(struct sys_call *c)
{
	struct host_rusage ru;
	struct host_siginfo info = {0};
	uint8_t guest[28]; /* the six fields that the kernel writes, also when it found nothing */
	const unsigned u = abi_profile->lp64_frame ? 16 : 12; /* where the union starts */
	int64_t r;

	if (!abi_profile->wait_pidfd && c->a[0] > P_PGID)
		r = -EINVAL;
	else
		r = ptrace_waitid(c, &info, &ru);
	if (r == 0 && info.si_signo && c->a[4] && abi_write(&abi_st_rusage, (gaddr)c->a[4], &ru))
		return -EFAULT;
	if (!c->a[2])
		return r;
	abi_put32(guest, (uint32_t)info.si_signo);
	abi_put32(guest + 4, 0);
	abi_put32(guest + 8, (uint32_t)info.si_code);
	abi_put32(guest + u, (uint32_t)info.u.chld.pid);
	abi_put32(guest + u + 4, info.u.chld.uid);
	abi_put32(guest + u + 8, (uint32_t)info.u.chld.status);
	return mem_copy_out((gaddr)c->a[2], guest, 12) ||
			       mem_copy_out((gaddr)(c->a[2] + u), guest + u, 12)
		       ? -EFAULT
		       : r;
}

/* --- what belongs to a thread ----------------------------------------------------------------------------- */

int64_t sys_set_tid_address(struct sys_call *c)
{
	c->task->clear_child_tid = (gaddr)c->a[0];
	return c->task->tid;
}

int64_t sys_set_robust_list(struct sys_call *c)
{
	if (c->a[1] != abi_st_robust_list_head.gsize)
		return -EINVAL;
	c->task->robust_list = (gaddr)c->a[0];
	return 0;
}

struct robust_query {
	pid_t tid;
	gaddr head;
};

static bool find_robust(struct task *t, void *arg)
{
	struct robust_query *q = arg;

	if (t->tid != q->tid)
		return false;
	q->head = t->robust_list;
	return true;
}

int64_t sys_get_robust_list(struct sys_call *c)
{
	pid_t pid = (pid_t)c->a[0];
	struct robust_query q = {.tid = pid ? pid : c->task->tid};

	if (pid < 0)
		return -ESRCH;
	if (!task_for_each(c->task, find_robust, &q)) {
		int64_t r = sys_host(HOSTNR(kill), pid, 0);
		if (r != -ESRCH)
			diag_unsupported("get_robust_list", 0,
					 "get_robust_list of another process: EPERM");
		return r == -ESRCH ? -ESRCH : -EPERM;
	}
	if (mem_put_u32((gaddr)c->a[2], abi_st_robust_list_head.gsize) ||
	    mem_put_u32((gaddr)c->a[1], q.head))
		return -EFAULT;
	return 0;
}

/* Credentials are a thread's own. */
int64_t sys_credentials(struct sys_call *c)
{
	int64_t r = sys_generic(c);

	if (r >= 0)
		tier_renew();
	return r;
}

/* New user namespaces are for processes with one thread, and some others to enter as well. */
int64_t sys_unshare(struct sys_call *c)
{
	/* Mount and user namespaces come with directories of their own as well. */
	if (c->a[0] & (CLONE_FS | CLONE_NEWNS | CLONE_NEWUSER))
		open_near_never();
	tier_stop();
	return sys_generic(c);
}

int64_t sys_setns(struct sys_call *c)
{
	open_near_never();
	tier_stop();
	return sys_generic(c);
}
