/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi-generated: abi_pointers.h is made from the system call table, one line a call with pointers. */
/*
 * Each pointer argument of each call, in turn: NULL (where that is no legal value), a page that is not
 * mapped, an object that reaches into such a page, the last byte below 4 GiB. The call must answer EFAULT,
 * or what the kernel finds wrong earlier (below), and must not change what it only reads.
 */
#include "abi.h"

enum kind { TEXT, READ, WRITTEN, BOTH, UNKNOWN, DESCRIPTOR, DIRECTORY };

struct arg {
	enum kind kind;
	s32 reg;
	u32 size;  /* of one element in bytes */
	u32 count; /* of elements */
	s32 len;   /* register for that number; -1: none */
	u32 optional;
	const char *name;
};
struct call {
	u32 nr;
	struct arg arg[7]; /* ends with an empty name */
};

/* --- what the calls get for the arguments that are not being tried ------------------------------- */

/* Objects instead of numbers. */
enum {
	NEW_PIPE_IN = 0x70000001,
	NEW_PIPE_OUT,
	NEW_SOCKET,
	NEW_EPOLL,
	NEW_TIMERFD,
	NEW_INOTIFY,
	NEW_PIDFD,
	NEW_TIMER,
	NEW_DIRECTORY,
	NEW_MSG,
	NEW_SEM,
	NEW_SHM,
	A_LINK,
	A_DIRECTORY,
	AN_ATTRIBUTE,
	ZEROS,  /* a page of them */
	FOUR,   /* an int of that value */
	CAPS,   /* the header of capget */
	VECTOR, /* an iovec that is not empty */
	SELF,
};
#define NR(name) __NR_##name

/* Arguments that are not 0, a number of elements or a valid pointer. */
static const struct {
	u16 nr, reg;
	u32 value;
} given[] = {
	{NR(epoll_ctl), 0, NEW_EPOLL},
	{NR(epoll_ctl), 1, 1},
	{NR(epoll_ctl), 2, NEW_SOCKET},
	{NR(epoll_pwait), 0, NEW_EPOLL},
	{NR(epoll_pwait2), 0, NEW_EPOLL},
	{NR(epoll_pwait2), 3, ZEROS},
	{NR(fcntl64), 1, 12},
	{NR(inotify_add_watch), 0, NEW_INOTIFY},
	{NR(inotify_add_watch), 2, 1},
	{NR(ioctl), 0, NEW_PIPE_IN},
	{NR(ioctl), 1, 0x541b},
	{NR(statfs64), 1, 88},
	{NR(fstatfs64), 1, 88},
	{NR(getcwd), 1, 24},
	{NR(getxattr), 1, AN_ATTRIBUTE},
	{NR(lgetxattr), 1, AN_ATTRIBUTE},
	{NR(fgetxattr), 1, AN_ATTRIBUTE},
	{NR(pivot_root), 0, A_DIRECTORY},
	{NR(getdents64), 0, NEW_DIRECTORY},
	{NR(getdents64), 2, 1024},
	{NR(rt_sigaction), 3, 8},
	{NR(recvfrom), 4, ZEROS},
	{NR(setsockopt), 4, 4},
	{NR(sendfile64), 0, NEW_PIPE_OUT},
	{NR(sendfile64), 3, 16},
	{NR(pselect6), 0, 64},
	{NR(pselect6), 4, ZEROS},
	{NR(pselect6_time64), 0, 64},
	{NR(pselect6_time64), 4, ZEROS},
	{NR(ppoll), 2, ZEROS},
	{NR(ppoll_time64), 2, ZEROS},
	{NR(signalfd4), 0, (u32)-1},
	{NR(vmsplice), 0, NEW_PIPE_OUT},
	{NR(splice), 0, NEW_PIPE_IN},
	{NR(splice), 4, 16},
	{NR(readlinkat), 1, A_LINK},
	{NR(readlinkat), 3, 16},
	{NR(timerfd_settime), 0, NEW_TIMERFD},
	{NR(timerfd_gettime), 0, NEW_TIMERFD},
	{NR(timerfd_settime64), 0, NEW_TIMERFD},
	{NR(timerfd_gettime64), 0, NEW_TIMERFD},
	{NR(capget), 0, CAPS},
	{NR(capset), 0, CAPS},
	{NR(waitid), 3, 4},
	{NR(futex), 0, ZEROS},
	{NR(futex_time64), 0, ZEROS},
	{NR(kexec_load), 1, 1},
	{NR(kexec_load), 3, 183u << 16},
	{NR(timer_gettime), 0, NEW_TIMER},
	{NR(timer_settime), 0, NEW_TIMER},
	{NR(timer_gettime64), 0, NEW_TIMER},
	{NR(timer_settime64), 0, NEW_TIMER},
	{NR(syslog), 0, 3},
	{NR(rt_sigaction), 0, SIGUSR1},
	{NR(rt_sigtimedwait), 2, ZEROS},
	{NR(rt_sigtimedwait_time64), 2, ZEROS},
	{NR(rt_sigqueueinfo), 0, SELF},
	{NR(rt_sigqueueinfo), 1, SIGUSR1},
	{NR(rt_tgsigqueueinfo), 0, SELF},
	{NR(rt_tgsigqueueinfo), 1, SELF},
	{NR(rt_tgsigqueueinfo), 2, SIGUSR1},
	{NR(sched_getattr), 2, 48},
	{NR(sched_setaffinity), 1, 8},
	{NR(sched_getaffinity), 1, 1024},
	{NR(mq_open), 1, O_CREAT | O_RDWR},
	{NR(msgctl), 0, NEW_MSG},
	{NR(msgctl), 1, 0x102},
	{NR(msgrcv), 0, NEW_MSG},
	{NR(msgrcv), 2, 8},
	{NR(msgrcv), 4, 0x800},
	{NR(semctl), 0, NEW_SEM},
	{NR(semctl), 2, 0x102},
	{NR(shmctl), 0, NEW_SHM},
	{NR(shmctl), 1, 0x102},
	{NR(msgsnd), 2, 8},
	{NR(socketpair), 0, 1},
	{NR(socketpair), 1, 1},
	{NR(bind), 0, NEW_SOCKET},
	{NR(connect), 0, NEW_SOCKET},
	{NR(accept), 0, NEW_SOCKET},
	{NR(accept4), 0, NEW_SOCKET},
	{NR(getsockname), 0, NEW_SOCKET},
	{NR(getsockname), 2, FOUR},
	{NR(getpeername), 0, NEW_SOCKET},
	{NR(getpeername), 2, FOUR},
	{NR(sendto), 0, NEW_SOCKET},
	{NR(recvfrom), 0, NEW_SOCKET},
	{NR(recvfrom), 3, 0x40},
	{NR(setsockopt), 0, NEW_SOCKET},
	{NR(setsockopt), 1, 1},
	{NR(setsockopt), 2, 2},
	{NR(getsockopt), 0, NEW_SOCKET},
	{NR(getsockopt), 1, 1},
	{NR(getsockopt), 2, 3},
	{NR(getsockopt), 4, FOUR},
	{NR(sendmsg), 0, NEW_SOCKET},
	{NR(recvmsg), 0, NEW_SOCKET},
	{NR(recvmsg), 2, 0x40},
	{NR(sendmmsg), 0, NEW_SOCKET},
	{NR(recvmmsg), 0, NEW_SOCKET},
	{NR(recvmmsg), 3, 0x40},
	{NR(recvmmsg_time64), 0, NEW_SOCKET},
	{NR(recvmmsg_time64), 3, 0x40},
	{NR(mincore), 0, ZEROS},
	{NR(mincore), 1, PAGE},
	{NR(mbind), 0, ZEROS},
	{NR(mbind), 1, PAGE},
	{NR(mbind), 2, 2},
	{NR(mbind), 4, 64},
	{NR(get_mempolicy), 2, 4096},
	{NR(set_mempolicy), 0, 2},
	{NR(set_mempolicy), 2, 64},
	{NR(migrate_pages), 1, 64},
	{NR(move_pages), 1, 1},
	{NR(prlimit64), 1, 7},
	{NR(process_vm_readv), 0, SELF},
	{NR(process_vm_readv), 1, VECTOR},
	{NR(process_vm_readv), 4, 1},
	{NR(process_vm_writev), 0, SELF},
	{NR(process_vm_writev), 1, VECTOR},
	{NR(process_vm_writev), 4, 1},
	{NR(seccomp), 0, 1},
	{NR(bpf), 2, 72},
	{NR(openat2), 3, 24},
	{NR(clone3), 1, 64},
	{NR(pidfd_send_signal), 0, NEW_PIDFD},
	{NR(process_madvise), 0, NEW_PIDFD},
	{NR(process_madvise), 2, 1},
	{NR(mount_setattr), 4, 32},
	{NR(landlock_create_ruleset), 1, 8},
	{NR(futex_waitv), 1, 1},
	{NR(io_uring_setup), 0, 4},
	{NR(name_to_handle_at), 3, ZEROS},
};

/* --- what is found wrong earlier, or never looked at ---------------------------------------------- */

enum { NULL_POINTER, UNMAPPED, STRADDLING, LAST_BYTE, WAYS };
enum {
	END = 1,
	ANY_REG = 9,
	ANY_WAY = 15,
	NULL_ONLY = 1 << NULL_POINTER,
	HALF_ONLY = 1 << STRADDLING
};

/* NULL is legal, or is refused, which the table does not say of arguments that handlers understand. */
static const struct {
	u16 nr, reg;
} nullable[] = {
	{NR(futex), 3},         {NR(futex_time64), 3},
	{NR(execve), 1},        {NR(execve), 2},
	{NR(execveat), 2},      {NR(execveat), 3},
	{NR(mbind), 3},         {NR(get_mempolicy), 1},
	{NR(set_mempolicy), 1}, {NR(migrate_pages), 2},
	{NR(migrate_pages), 3}, {NR(move_pages), 3},
	{NR(io_pgetevents), 5}, {NR(io_pgetevents_time64), 5},
};

static const struct {
	u16 nr, reg, ways;
	short result[4]; /* up to END */
	const char *why;
} earlier[] = {
	{NR(io_submit), ANY_REG, ANY_WAY, {-EINVAL, END}, "fs/aio.c lookup_ioctx"},
	{NR(io_cancel), 2, ANY_WAY, {-EINVAL, END}, "fs/aio.c lookup_ioctx"},
	{NR(io_getevents), 3, ANY_WAY, {-EINVAL, END}, "fs/aio.c lookup_ioctx"},
	{NR(io_pgetevents), 3, ANY_WAY, {-EINVAL, END}, "fs/aio.c lookup_ioctx"},
	{NR(io_pgetevents_time64), 3, ANY_WAY, {-EINVAL, END}, "fs/aio.c lookup_ioctx"},
	{NR(getxattr), 2, ANY_WAY, {-EOPNOTSUPP, -ENODATA, END}, "file systems without attributes"},
	{NR(lgetxattr),
	 2,
	 ANY_WAY,
	 {-EOPNOTSUPP, -ENODATA, END},
	 "file systems without attributes"},
	{NR(fgetxattr),
	 2,
	 ANY_WAY,
	 {-EOPNOTSUPP, -ENODATA, END},
	 "file systems without attributes"},
	{NR(listxattr), 1, ANY_WAY, {-EOPNOTSUPP, 0, END}, "file systems without attributes"},
	{NR(llistxattr), 1, ANY_WAY, {-EOPNOTSUPP, 0, END}, "file systems without attributes"},
	{NR(flistxattr), 1, ANY_WAY, {-EOPNOTSUPP, 0, END}, "a file that has none"},
	{NR(getcwd), 0, ANY_WAY, {-ERANGE, END}, "fs/dcache.c: a longer path"},
	{NR(mount), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/namespace.c may_mount"},
	{NR(mount),
	 4,
	 HALF_ONLY,
	 {-ENODEV, -ENOTDIR, -EPERM, END},
	 "fs/namespace.c copy_mount_options takes what it gets"},
	{NR(umount2), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/namespace.c may_mount"},
	{NR(pivot_root), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/namespace.c may_mount"},
	{NR(acct), ANY_REG, ANY_WAY, {-EPERM, END}, "kernel/acct.c"},
	{NR(quotactl), 1, NULL_ONLY, {-ENODEV, END}, "fs/quota/quota.c: Q_SYNC only"},
	{NR(quotactl),
	 3,
	 ANY_WAY,
	 {-ENODEV, -ENOTBLK, -EINVAL, END},
	 "fs/quota/quota.c: the device"},
	{NR(splice), 1, ANY_WAY, {-ESPIPE, END}, "fs/splice.c: a pipe has no offset"},
	{NR(waitid), 2, HALF_ONLY, {0, END}, "kernel/exit.c: 24 bytes of siginfo are written"},
	{NR(nanosleep), 1, ANY_WAY, {0, END}, "kernel/time/hrtimer.c: only after an interruption"},
	{NR(clock_nanosleep),
	 3,
	 ANY_WAY,
	 {0, END},
	 "kernel/time/hrtimer.c: only after an interruption"},
	{NR(clock_nanosleep_time64),
	 3,
	 ANY_WAY,
	 {0, END},
	 "kernel/time/hrtimer.c: only after an interruption"},
	{NR(kexec_load), ANY_REG, ANY_WAY, {-EPERM, -EINVAL, END}, "kernel/kexec.c"},
	{NR(kexec_file_load), ANY_REG, ANY_WAY, {-EPERM, -EINVAL, END}, "kernel/kexec_file.c"},
	{NR(init_module), ANY_REG, ANY_WAY, {-EPERM, -ENOEXEC, END}, "kernel/module.c"},
	{NR(finit_module), ANY_REG, ANY_WAY, {-EPERM, -ENOEXEC, END}, "kernel/module.c"},
	{NR(delete_module), ANY_REG, ANY_WAY, {-EPERM, END}, "kernel/module.c"},
	{NR(futex_waitv), 0, NULL_ONLY, {-EINVAL, END}, "kernel/futex/syscalls.c"},
	{NR(timer_settime), 2, NULL_ONLY, {-EINVAL, END}, "kernel/time/posix-timers.c"},
	{NR(timer_settime64), 2, NULL_ONLY, {-EINVAL, END}, "kernel/time/posix-timers.c"},
	{NR(syslog), 1, ANY_WAY, {0, -EPERM, -EINVAL, END}, "kernel/printk/printk.c: an empty log"},
	{NR(sched_setparam), 1, NULL_ONLY, {-EINVAL, END}, "kernel/sched/core.c"},
	{NR(sched_setscheduler), 2, NULL_ONLY, {-EINVAL, END}, "kernel/sched/core.c"},
	{NR(sched_getparam), 1, NULL_ONLY, {-EINVAL, END}, "kernel/sched/core.c"},
	{NR(sched_setattr), 1, NULL_ONLY, {-EINVAL, END}, "kernel/sched/core.c"},
	{NR(sched_getattr), 1, NULL_ONLY, {-EINVAL, END}, "kernel/sched/core.c"},
	{NR(rt_sigtimedwait), 1, ANY_WAY, {-EAGAIN, END}, "kernel/signal.c: no signal came"},
	{NR(rt_sigtimedwait_time64), 1, ANY_WAY, {-EAGAIN, END}, "kernel/signal.c: no signal came"},
	{NR(reboot), 3, ANY_WAY, {-EINVAL, -EPERM, END}, "kernel/reboot.c: the magic numbers"},
	{NR(getgroups),
	 1,
	 ANY_WAY,
	 {0, -EINVAL, END},
	 "kernel/groups.c: no groups, or more than 16"},
	{NR(setgroups), 1, ANY_WAY, {-EPERM, END}, "kernel/groups.c may_setgroups"},
	{NR(sethostname), 0, ANY_WAY, {-EPERM, END}, "kernel/sys.c"},
	{NR(setdomainname), 0, ANY_WAY, {-EPERM, END}, "kernel/sys.c"},
	{NR(mq_timedsend), 1, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_timedreceive), 1, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_timedreceive), 3, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_timedsend_time64), 1, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_timedreceive_time64), 1, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_timedreceive_time64), 3, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(mq_getsetattr), 2, ANY_WAY, {-EBADF, END}, "ipc/mqueue.c: not a queue"},
	{NR(accept),
	 ANY_REG,
	 ANY_WAY,
	 {-EOPNOTSUPP, -EINVAL, END},
	 "net/unix/af_unix.c: not listening"},
	{NR(accept4),
	 ANY_REG,
	 ANY_WAY,
	 {-EOPNOTSUPP, -EINVAL, END},
	 "net/unix/af_unix.c: not listening"},
	{NR(recvfrom), 4, ANY_WAY, {16, END}, "net/socket.c: no bytes of address are asked for"},
	{NR(swapon), ANY_REG, ANY_WAY, {-EPERM, END}, "mm/swapfile.c"},
	{NR(swapoff), ANY_REG, ANY_WAY, {-EPERM, END}, "mm/swapfile.c"},
	{NR(fanotify_mark),
	 ANY_REG,
	 ANY_WAY,
	 {-EINVAL, -EPERM, END},
	 "fs/notify/fanotify: not such a descriptor"},
	{NR(name_to_handle_at),
	 ANY_REG,
	 ANY_WAY,
	 {-EOPNOTSUPP, END},
	 "file systems without handles"},
	{NR(open_by_handle_at), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/fhandle.c"},
	{NR(perf_event_open), ANY_REG, ANY_WAY, {-EACCES, -EPERM, END}, "kernel/events/core.c"},
	{NR(bpf), ANY_REG, ANY_WAY, {-EPERM, END}, "kernel/bpf/syscall.c"},
	{NR(seccomp), ANY_REG, ANY_WAY, {-EACCES, END}, "kernel/seccomp.c"},
	{NR(fsopen), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/fsopen.c"},
	{NR(fspick), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/fsopen.c"},
	{NR(fsconfig), ANY_REG, ANY_WAY, {-EINVAL, END}, "fs/fsopen.c: not such a descriptor"},
	{NR(move_mount), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/namespace.c may_mount"},
	{NR(mount_setattr), ANY_REG, ANY_WAY, {-EPERM, END}, "fs/namespace.c may_mount"},
	{NR(mount_setattr), 1, ANY_WAY, {0, END}, "fs/namespace.c: nothing to change"},
	{NR(landlock_create_ruleset), ANY_REG, ANY_WAY, {-EOPNOTSUPP, END}, "security/landlock"},
	{NR(landlock_add_rule),
	 ANY_REG,
	 ANY_WAY,
	 {-EBADFD, -EBADF, -EOPNOTSUPP, END},
	 "security/landlock: not a ruleset"},
	{NR(io_uring_register),
	 ANY_REG,
	 ANY_WAY,
	 {-EOPNOTSUPP, -EINVAL, END},
	 "fs/io_uring.c: not a ring"},
	{NR(io_uring_enter),
	 ANY_REG,
	 ANY_WAY,
	 {-EOPNOTSUPP, -EINVAL, END},
	 "fs/io_uring.c: not a ring"},
	{NR(quotactl_fd), ANY_REG, ANY_WAY, {-EINVAL, -EPERM, END}, "fs/quota/quota.c"},
	{NR(ptrace), ANY_REG, ANY_WAY, {-EPERM, END}, "kernel/ptrace.c"},
};

/* Calls that move bytes: what could be moved counts, and they write less than they may. */
static const u16 moving[] = {
	NR(read),      NR(write),      NR(pread64),           NR(pwrite64),
	NR(getrandom), NR(getdents64), NR(sched_getaffinity),
};

#define NONE               \
 {                         \
  TEXT, 0, 0, 0, -1, 0, "" \
 }
static s64 value_of(u32 special)
{
	static u32 fds[2];
	u32 *page = (u32 *)guarded(1);
	u8 event[16] = {4};
	s64 fd;

	switch (special) {
	case NEW_PIPE_IN:
	case NEW_PIPE_OUT:
		EQ(S(pipe2, fds, O_NONBLOCK), 0);
		EQ(S(write, fds[1], "0123456789abcdef", 16), 16);
		return fds[special == NEW_PIPE_OUT];
	case NEW_SOCKET:
		EQ(S(socketpair, 1, 2, 0, fds), 0);
		EQ(S(write, fds[1], "0123456789abcdef", 16), 16);
		return fds[0];
	case NEW_EPOLL:
		fd = GOOD(S(epoll_create1, 0));
		EQ(S(socketpair, 1, 2, 0, fds), 0);
		EQ(S(epoll_ctl, fd, 1, fds[0], event), 0);
		return fd;
	case NEW_TIMERFD: return GOOD(S(timerfd_create, 1, 0));
	case NEW_INOTIFY: return CONFIGURED(S(inotify_init1, 0));
	case NEW_PIDFD: return GOOD(S(pidfd_open, own_pid(), 0));
	case NEW_TIMER: EQ(S(timer_create, 1, 0, page), 0); return *page;
	case NEW_DIRECTORY: return GOOD(S(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0));
	case NEW_MSG:
		fd = ipc_object(IPC_MSG, CONFIGURED(S(msgget, 0, 0600)));
		*page = 1;
		EQ(S(msgsnd, fd, page, 8, 0), 0);
		return fd;
	case NEW_SEM: return ipc_object(IPC_SEM, CONFIGURED(S(semget, 0, 1, 0600)));
	case NEW_SHM: return ipc_object(IPC_SHM, CONFIGURED(S(shmget, 0, PAGE, 0600)));
	case A_LINK: return Z("l");
	case A_DIRECTORY: return Z(".");
	case AN_ATTRIBUTE: return Z("user.abi");
	case ZEROS: return Z(page);
	case FOUR: *page = 4; return Z(page);
	case CAPS: *page = 0x20080522; return Z(page);
	case VECTOR:
		page[0] = Z(page + 8);
		page[1] = 16;
		return Z(page);
	case SELF: return own_pid();
	}
	return special;
}

/* Arguments of a call that would be right. */
static void good_arguments(const struct call *c, u64 x[6])
{
	for (u32 i = 0; i < 6; i++)
		x[i] = 0;
	for (const struct arg *a = c->arg; a->name[0]; a++) {
		if (a->kind == DESCRIPTOR)
			x[a->reg] = (u64)file_of(2 * PAGE);
		else if (a->kind == DIRECTORY)
			x[a->reg] = Z(AT_FDCWD);
		else if (a->kind == TEXT && !a->optional)
			x[a->reg] = Z("f");
		else if (!a->optional)
			x[a->reg] = Z(guarded(1));
		if (a->kind < DESCRIPTOR && a->len >= 0)
			x[a->len] = a->count;
	}
	for (u32 i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		if (given[i].nr == c->nr)
			x[given[i].reg] = Z(value_of(given[i].value));
	}
}

static const char *const way[] = {"NULL", "not mapped", "half mapped", "last byte below 4 GiB"};

/* A bad pointer for the argument; 0 with WHICH other than NULL_POINTER: there is none. */
static u32 bad_pointer(const struct arg *a, u32 which, u32 bytes)
{
	u8 *end = guarded(1) + PAGE;

	switch (which) {
	case UNMAPPED: return Z(end);
	case STRADDLING:
		if (a->kind == TEXT) {
			memset(end - 8, 'a', 8);
			return Z(end - 8);
		}
		return bytes < 2 || bytes > PAGE ? 0 : Z(end - bytes / 2);
	case LAST_BYTE: return 0xffffffff;
	}
	return 0;
}

static int may_be_null(const struct call *c, const struct arg *a)
{
	for (u32 i = 0; i < sizeof(nullable) / sizeof(nullable[0]); i++) {
		if (nullable[i].nr == c->nr && nullable[i].reg == (u32)a->reg)
			return 1;
	}
	return (int)a->optional;
}

static int is_early(const struct call *c, const struct arg *a, u32 which, s64 r)
{
	for (u32 i = 0; i < sizeof(earlier) / sizeof(earlier[0]); i++) {
		if (earlier[i].nr != c->nr || !(earlier[i].ways >> which & 1) ||
		    (earlier[i].reg != ANY_REG && earlier[i].reg != (u32)a->reg))
			continue;
		for (u32 k = 0; k < 4 && earlier[i].result[k] != END; k++) {
			if (r == earlier[i].result[k])
				return 1;
		}
	}
	return 0;
}

static int moved_a_part(const struct call *c, u32 which, s64 r, u32 mapped)
{
	for (u32 i = 0; i < sizeof(moving) / sizeof(moving[0]); i++) {
		if (moving[i] == c->nr)
			return which == STRADDLING && r > 0 && r <= mapped;
	}
	return 0;
}

static void say_where(const struct arg *a, u32 which)
{
	u32 n;

	text_copy(result->text, a->name, 64);
	n = text_len(result->text);
	result->text[n++] = ' ';
	text_copy(result->text + n, way[which], 64);
}

static void try_pointer(const struct call *c, const struct arg *a, u32 which)
{
	u64 x[6];
	u32 bytes, mapped, p;
	u8 before[PAGE / 2];
	s64 r;

	good_arguments(c, x);
	bytes = a->size * (a->len >= 0          ? (u32)x[a->len]
			   : a->kind == UNKNOWN ? 1
			   : a->size == 1       ? a->count
						: 1);
	p = bad_pointer(a, which, bytes);
	if (!p && which != NULL_POINTER)
		return;
	say_where(a, which);
	x[a->reg] = p;
	mapped = which == STRADDLING && a->kind != TEXT ? bytes / 2 : 0;
	if (mapped > sizeof(before))
		mapped = 0;
	memcpy(before, (void *)p, mapped);
	if (c->nr == NR(wait4) || c->nr == NR(waitid)) {
		if (!fork_())
			S(exit_group, 0);
	}
	r = sys6(c->nr, x[0], x[1], x[2], x[3], x[4], x[5]);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without it");
	if (r != -EFAULT && !is_early(c, a, which, r) && !moved_a_part(c, which, r, mapped))
		fail(__LINE__, "the call", r, -EFAULT);
	if (a->kind == READ)
		OK(memcmp(before, (void *)p, mapped) == 0);
}

static void try_all(const struct call *c)
{
	scratch();
	S(close, make_file("f", 16));
	EQ(S(fchmodat, AT_FDCWD, "f", 0700), 0);
	EQ(S(symlinkat, "a-target-that-does-not-fit", AT_FDCWD, "l"), 0);
	S(setxattr, "f", "user.abi", "0123456789abcdef", 16, 0);
	for (const struct arg *a = c->arg; a->name[0]; a++) {
		for (u32 which = (u32)may_be_null(c, a); which < WAYS && a->kind < DESCRIPTOR;
		     which++)
			try_pointer(c, a, which);
	}
}

#define EFAULT_CALL(line, nr, name, profiles, ...)                                  \
 static const struct call call_##nr = {nr, {__VA_ARGS__, NONE}};                    \
 CASE_AT_(line, "EFAULT-" #name, #name, profiles,                                   \
	  "linux copy_from_user, copy_to_user of the call; exceptions in efault.c", \
	  "bad pointers of " #name)                                                 \
 {                                                                                  \
  try_all(&call_##nr);                                                              \
 }
#include "abi_pointers.h"
