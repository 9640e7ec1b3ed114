/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which arguments are signed, and which are not. */
#include "abi.h"

static u8 text[64];

CASE("SGN-001", "kill", ALL, "oracle README 5; linux kernel/signal.c sys_kill",
     "kill of 0xffffffff is kill(-1): everybody")
{
	EITHER(S(kill, 0xffffffff, 0), 0, -EPERM);
}

CASE("SGN-002", "wait4", ALL, "linux kernel/exit.c compat_sys_wait4",
     "wait4 of 0xffffffff waits for any child")
{
	s64 child = fork_();
	int status;

	if (!child)
		S(exit_group, 7);
	EQ(S(wait4, 0xffffffff, &status, 0, 0), child);
	EQ(status, 7 << 8);
	EQ(S(wait4, 0xffffffff, &status, 0, 0), -ECHILD);
}

CASE("SGN-003", "setpriority getpriority", ALL,
     "oracle README 5; linux kernel/sys.c sys_setpriority",
     "setpriority takes a negative nice value")
{
	s64 r = S(setpriority, 0, 0, -5);

	if (r == -EACCES || r == -EPERM)
		skip("not root");
	EQ(r, 0);
	EQ(S(getpriority, 0, 0), 25);
}

/* A queue with a message of each type 9, 20, 12. */
static int queue(void)
{
	static const u32 type[] = {9, 20, 12};
	int id = ipc_object(IPC_MSG, CONFIGURED(S(msgget, 0, 0600)));

	for (u32 i = 0; i < 3; i++) {
		u32 m[2] = {type[i], 'a' + i};

		EQ(S(msgsnd, id, m, 1, 0), 0);
	}
	return id;
}

CASE("SGN-004", "msgget msgsnd msgrcv msgctl", ALL,
     "oracle README 5; linux ipc/compat.c compat_sys_msgrcv",
     "msgrcv of type -10: the lowest of those up to 10")
{
	u32 m[4];

	EQ(S(msgrcv, queue(), m, 8, -10, 0x800), 1);
	EQ(m[0], 9);
	EQ((u8)m[1], 'a');
}

CASE("SGN-005", "msgrcv", ALL, "linux ipc/msg.c do_msgrcv: negative size",
     "msgrcv of size 0xffffffff is EINVAL")
{
	u32 m[4];

	EQ(S(msgrcv, queue(), m, -1, 0, 0x800), -EINVAL);
}

CASE("SGN-006", "msgsnd", ALL, "linux ipc/msg.c do_msgsnd: mtype < 1",
     "msgsnd of type 0xffffffff is EINVAL")
{
	u32 m[2] = {0xffffffff, 'x'};

	EQ(S(msgsnd, queue(), m, 1, 0x800), -EINVAL);
}

CASE("SGN-007", "fcntl64 .f_owner_ex", ALL, "linux fs/fcntl.c do_fcntl F_SETOWN: int",
     "F_SETOWN of a negative number is a process group")
{
	u32 fds[2], owner[2];

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(fcntl64, fds[0], 8, -own_pid()), 0);
	EQ(S(fcntl64, fds[0], 16, owner), 0);
	EQ(owner[0], 2);
	EQ(owner[1], own_pid());
}

CASE("SGN-008", "fcntl64", ALL, "linux fs/fcntl.c f_setown: INT_MIN",
     "F_SETOWN of 0x80000000 is EINVAL")
{
	u32 fds[2];

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(fcntl64, fds[0], 8, 0x80000000), -EINVAL);
}

CASE("SGN-009", "semget semctl", ALL, "linux ipc/sem.c semctl_setval",
     "SETVAL of 0xffffffff is ERANGE")
{
	int id = ipc_object(IPC_SEM, CONFIGURED(S(semget, 0, 1, 0600)));

	EQ(S(semctl, id, 0, 16, 0xffffffff), -ERANGE);
	EQ(S(semctl, id, 0, 16, 5), 0);
	EQ(S(semctl, id, 0, 12, 0), 5);
}

static u32 aio_context(void)
{
	u32 context = 0;

	EQ(CONFIGURED(S(io_setup, 4, &context)), 0);
	return context;
}

CASE("SGN-010", "io_getevents io_setup", ALL,
     "linux fs/aio.c read_events, compat_sys_io_getevents: signed",
     "io_getevents of 0xffffffff events is EINVAL")
{
	EQ(S(io_getevents, aio_context(), 0, 0xffffffff, text, 0), -EINVAL);
}

CASE("SGN-011", "io_submit io_setup", ALL, "linux fs/aio.c compat_sys_io_submit",
     "io_submit of 0xffffffff requests is EINVAL")
{
	EQ(S(io_submit, aio_context(), 0xffffffff, text), -EINVAL);
}

CASE("SGN-012", "keyctl", ALL,
     "linux security/keys/keyctl.c keyctl_get_keyring_ID: key_serial_t is int",
     "keyctl takes the session keyring as -3")
{
	s64 id = CONFIGURED(S(keyctl, 1, 0)); /* JOIN_SESSION_KEYRING: one of our own */

	OK(id > 0);
	EQ(S(keyctl, 0, -3, 0), id);
}

CASE("SGN-013", "clock_gettime", ALL, "linux include/linux/posix-timers.h MAKE_PROCESS_CPUCLOCK",
     "the CPU clock of a process has a negative id")
{
	s32 ts[2] = {-1, -1};

	EQ(S(clock_gettime, (~own_pid() << 3) | 2, ts), 0);
	OK(ts[0] >= 0 && ts[1] >= 0 && ts[1] < 1000000000);
	EQ(S(clock_gettime, 0xc0000002u, ts), -EINVAL);
}

CASE("SGN-014", "utimensat", ALL, "oracle structs \"utimensat\"",
     "utimensat with AT_FDCWD, and two 8-byte times")
{
	u32 ts[4] = {1111111111, 111111111, 1222222222, 222222222};
	u8 st[104];
	s64 fd;

	scratch();
	fd = make_file("f", 0);
	EQ(S(utimensat, AT_FDCWD, "f", ts, 0), 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 72), 1111111111);
	EQ(get32(st + 80), 1222222222);
	EQ(get32(st + 84), 222222222);
}

CASE("SGN-015", "getpriority setpriority", ALL,
     "linux kernel/sys.c sys_getpriority: nice_to_rlimit",
     "getpriority answers 1..40, not a negative number")
{
	OK(S(getpriority, 0, 0) >= 1 && S(getpriority, 0, 0) <= 40);
	if (S(setpriority, 0, 0, -20) == 0)
		EQ(S(getpriority, 0, 0), 40);
}

CASE("SGN-016", "llseek", ALL, "linux fs/read_write.c sys_llseek", "llseek by -2 from the end")
{
	u64 at = 0;

	EQ(S(llseek, file_of(10), 0xffffffff, 0xfffffffe, &at, 2), 0);
	EQ(at, 8);
	EQ(S(llseek, file_of(10), 0xffffffff, 0xfffffffe, &at, 0), -EINVAL);
}

CASE("SGN-017", "epoll_create1 epoll_ctl epoll_pwait", ALL,
     "linux fs/eventpoll.c sys_epoll_wait: int timeout",
     "epoll_pwait with timeout 0xffffffff blocks")
{
	u32 fds[2];
	u8 event[16], got[16];
	s64 ep = GOOD(S(epoll_create1, 0)), child;

	EQ(S(pipe2, fds, 0), 0);
	put32(event, 1);
	put64(event + 8, 5);
	EQ(S(epoll_ctl, ep, 1, fds[0], event), 0);
	child = fork_();
	if (!child) {
		sleep_ms(60);
		S(write, fds[1], "x", 1);
		S(exit_group, 0);
	}
	EQ(S(epoll_pwait, ep, got, 1, 0xffffffff, 0, 0), 1);
	EQ(get64(got + 8), 5);
}

CASE("SGN-018", "mount umount2", ALL, "linux fs/namespace.c do_mount: MS_MGC_VAL in the upper half",
     "mount flags 0xc0ed0001 are read-only with the old magic number")
{
	scratch();
	namespaces(CLONE_NEWNS);
	EQ(S(mkdirat, AT_FDCWD, "m", 0700), 0);
	EQ(S(mount, "none", "m", "tmpfs", 0xc0ed0001, 0), 0);
	EQ(S(openat, AT_FDCWD, "m/f", O_CREAT | O_RDWR, 0600), -EROFS);
	EQ(S(umount2, "m", 0), 0);
}

CASE("SGN-019", "clone", ALL, "linux kernel/fork.c: CLONE_IO is bit 31",
     "clone flags with bit 31 are no negative number")
{
	s64 child = S(clone, 0x80000000 | SIGCHLD, 0, 0, 0, 0);

	if (!child)
		S(exit_group, 3);
	EQ(wait_for(GOOD(child)), 3 << 8);
}

CASE("SGN-020", "personality", ALL, "oracle structs \"personality(0xffffffff)\"",
     "personality of 0xffffffff only asks")
{
	s64 now = S(personality, 0xffffffff);

	OK(now >= 0 && now >> 32 == 0);
	EQ(S(personality, 0xffffffff), now);
}

CASE("SGN-021", "mremap", ALL, "linux mm/mremap.c vma_to_resize",
     "mremap to nearly 4 GiB is ENOMEM")
{
	s64 p = GOOD(S(mmap2, 0, PAGE, PROT_RW, MAP_ANON, -1, 0));

	EQ(S(mremap, p, PAGE, 0xfffff000, 1, 0), -ENOMEM);
}

CASE("SGN-022", "munmap", ALL, "oracle README 4; linux mm/mmap.c do_munmap",
     "munmap across the end of the address space is EINVAL")
{
	EQ(S(munmap, 0xffff0000, 0x20000), -EINVAL);
	EQ(S(munmap, 0x80000000, 0x90000000), -EINVAL);
}

CASE("SGN-023", "sched_setaffinity", ALL, "linux kernel/sched/core.c sched_setaffinity",
     "sched_setaffinity of process 0xffffffff is ESRCH")
{
	u32 mask[2] = {1, 0};

	EQ(S(sched_setaffinity, 0xffffffff, 8, mask), -ESRCH);
}

CASE("SGN-024", "readlinkat", ALL, "linux fs/stat.c sys_readlinkat: bufsiz <= 0",
     "readlinkat with size 0x80000000 is EINVAL")
{
	EQ(S(readlinkat, AT_FDCWD, "/", text, 0x80000000), -EINVAL);
	EQ(S(readlinkat, AT_FDCWD, "/", text, 0), -EINVAL);
	scratch();
	EQ(S(symlinkat, "target", AT_FDCWD, "l"), 0);
	EQ(S(readlinkat, AT_FDCWD, "l", text, 3), 3);
	EQ(memcmp(text, "tar", 3), 0);
}

CASE("SGN-025", "settimeofday", ALL,
     "linux include/linux/time.h do_sys_settimeofday64: checked before the right to set",
     "settimeofday of second -1 is EINVAL")
{
	s32 tv[2] = {-1, 0};

	unprivileged();
	EQ(S(settimeofday, tv, 0), -EINVAL);
	tv[0] = 1000000000;
	EQ(S(settimeofday, tv, 0), -EPERM);
}

CASE("SGN-025a", "clock_settime", ALL, "linux kernel/time/time.c do_sys_settimeofday64",
     "clock_settime of second -1 is EINVAL")
{
	s32 ts[2] = {-1, 0};

	unprivileged();
	EQ(S(clock_settime, 0, ts), -EINVAL);
	ts[0] = 1000000000;
	EQ(S(clock_settime, 0, ts), -EPERM);
	EQ(S(clock_settime, 1, ts), -EINVAL);
}

CASE("SGN-026", "prctl", ALL, "linux security/yama/yama_lsm.c yama_task_prctl: (int)arg2 == -1",
     "PR_SET_PTRACER takes -1 for anybody")
{
	s64 r = S(prctl, 0x59616d61, 0xffffffff, 0, 0, 0);

	if (r == -EINVAL && S(prctl, 0x59616d61, 0, 0, 0, 0) == -EINVAL)
		skip("no Yama");
	EQ(r, 0);
}

CASE("SGN-027", "ptrace", ALL, "linux kernel/ptrace.c ptrace_attach: addr must be 0",
     "PTRACE_SEIZE with garbage above its address 0")
{
	s64 child = fork_();
	int status;

	if (!child) {
		for (;;)
			sleep_ms(1000);
	}
	EQ(sys6(__NR_ptrace, 0x4206, Z(child), G(0), 0, 0, 0), 0);
	EQ(S(ptrace, 0x4207, child, 0, 0), 0); /* INTERRUPT */
	EQ(S(wait4, child, &status, 0x40000000, 0), child);
	EQ(status & 0xff, 0x7f);
}

CASE("SGN-028", "request_key", ALL,
     "linux security/keys/keyctl.c sys_request_key: destringid is int",
     "request_key to keyring -2 of a key that is not there is ENOKEY")
{
	s64 r = S(request_key, "user", "ilp32-abi-none", 0, -2);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without keys");
	EQ(r, -ENOKEY);
	EQ(S(request_key, "user", "ilp32-abi-none", 0, 0x7ffffffe), -ENOKEY);
}

CASE("SGN-029", "llseek", ALL, "oracle structs \"lseek as lp64\"", "62 is llseek, never lseek")
{
	EQ(S(llseek, file_of(200), 100, 0, 0, 0), -EFAULT);
}
