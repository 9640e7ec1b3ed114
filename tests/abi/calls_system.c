/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls on processes, users, scheduling, modules and the system that no other case is about. */
#include "abi.h"

static u8 buf[8192] __attribute__((aligned(16)));

/* --- users and groups ----------------------------------------------------------------------------- */

CASE("CALL-100", "getuid geteuid getgid getegid getresuid getresgid", ALL,
     "oracle structs \"getresuid(148)\"", "ids have 32 bits; getresuid writes three of 4 bytes")
{
	u32 id[5] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	EQ(S(getresuid, id, id + 1, id + 3), 0);
	EQ(id[0], S(getuid));
	EQ(id[1], S(geteuid));
	EQ(id[2], 0xa5a5a5a5);
	OK(id[4] == 0xa5a5a5a5);
	EQ(S(getresgid, id, id + 1, id + 3), 0);
	EQ(id[0], S(getgid));
	EQ(id[1], S(getegid));
}

CASE("CALL-101", "setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid", ALL,
     "linux kernel/sys.c: -1 is 32-bit", "changing ids; -1 keeps one")
{
	u32 uid = (u32)S(getuid), gid = (u32)S(getgid);

	EQ(S(setresuid, -1, -1, -1), 0);
	EQ(S(setresgid, -1, -1, -1), 0);
	EQ(S(setreuid, -1, uid), 0);
	EQ(S(setregid, -1, gid), 0);
	EQ(S(setfsuid, -1), uid);
	EQ(S(setfsgid, -1), gid);
	EQ(S(setgid, gid), 0);
	EQ(S(setuid, uid), 0);
	EQ(S(getuid), uid);
	unprivileged();
	if (S(getuid) == 65534 && uid == 0) {
		EQ(S(setuid, 70000), -EPERM);
		EQ(S(setresgid, 70000, -1, -1), -EPERM);
	}
}

CASE("CALL-102", "getgroups setgroups", ALL, "oracle structs \"getgroups(158)\"",
     "groups have 32 bits")
{
	u32 set[3] = {1, 70000, 3}, got[4] = {0, 0, 0, 0xa5a5a5a5};
	s64 n = GOOD(S(getgroups, 0, 0)), r;

	if (n > 1)
		EQ(S(getgroups, 1, got), -EINVAL);
	EQ(S(getgroups, -1, got), -EINVAL);
	r = S(setgroups, 3, set);
	if (r == -EPERM || r == -EINVAL)
		skip("not root, or these groups are not there");
	EQ(r, 0);
	EQ(S(getgroups, 3, got), 3);
	OK(got[2] == 70000 || got[1] == 70000);
	EQ(got[3], 0xa5a5a5a5);
}

CASE("CALL-103", "capget capset .cap_data", ALL, "oracle structs \"capget (90)\"",
     "capabilities: two records of 12 bytes in version 3")
{
	u32 head[2] = {0x20080522, 0}, bad[2] = {1, 0}, data[7] = {0, 0, 0, 0, 0, 0, 0xa5a5a5a5};

	EQ(S(capget, head, data), 0);
	EQ(data[6], 0xa5a5a5a5);
	EQ(S(capset, head, data), 0);
	EQ(S(capget, bad, data), -EINVAL);
	EQ(bad[0], 0x20080522);
	EQ(S(capget, head, 0), 0);
	data[0] = data[1] = data[2] = data[3] = data[4] = data[5] = 0;
	EQ(S(capset, head, data), 0);
	data[1] = 1;
	EQ(S(capset, head, data), -EPERM);
}

/* --- processes ------------------------------------------------------------------------------------ */

CASE("CALL-110", "getpid getppid gettid getpgid getsid setpgid setsid", ALL, "linux kernel/sys.c",
     "process, group and session ids")
{
	s64 child, pid = S(getpid);

	EQ(S(gettid), pid);
	EQ(S(getpgid, 0), pid); /* each case has a group of its own */
	OK(S(getsid, 0) >= 0);
	EQ(S(getpgid, 0x7ffffff), -ESRCH);
	EQ(S(setpgid, 0, -1), -EINVAL);
	EQ(S(setsid), -EPERM);
	child = fork_();
	if (!child) {
		if (S(getppid) != pid)
			S(exit_group, 1);
		if (S(setsid) < 0)
			S(exit_group, 2);
		pid = S(getsid, 0);
		S(exit_group, pid != own_pid());
	}
	EQ(wait_for(child), 0);
}

CASE("CALL-111", "exit exit_group", ALL, "linux kernel/exit.c",
     "exit keeps the low 8 bits of the status")
{
	s64 child = fork_();

	if (!child)
		S(exit, 0x1234);
	EQ(wait_for(child), 0x3400);
	child = fork_();
	if (!child)
		S(exit_group, -1);
	EQ(wait_for(child), 0xff00);
}

CASE("CALL-112", "set_tid_address", ALL, "linux kernel/fork.c sys_set_tid_address",
     "set_tid_address answers the thread id")
{
	EQ(S(set_tid_address, buf), S(gettid));
}

CASE("CALL-113", "unshare setns", ALL,
     "linux kernel/fork.c sys_unshare, kernel/nsproxy.c sys_setns",
     "unshare and setns check their arguments")
{
	EQ(S(unshare, 0), 0);
	EQ(S(unshare, CLONE_FS | CLONE_FILES), 0);
	EQ(S(unshare, 0x1), -EINVAL);
	EQ(S(setns, -1, 0), -EBADF);
	EQ(S(setns, file_of(0), 0), -EINVAL);
}

CASE("CALL-114", "sethostname setdomainname uname", ALL, "linux kernel/sys.c sys_sethostname",
     "names of a UTS namespace")
{
	namespaces(CLONE_NEWUTS);
	EQ(S(sethostname, "ilp32-abi", 9), 0);
	EQ(S(setdomainname, "domain", 6), 0);
	EQ(S(uname, buf), 0);
	EQ(memcmp(buf + 65, "ilp32-abi", 10), 0);
	EQ(memcmp(buf + 325, "domain", 7), 0);
	EQ(S(sethostname, buf, 65), -EINVAL);
	EQ(S(sethostname, buf, -1), -EINVAL);
}

CASE("CALL-115", "kcmp", ALL, "linux kernel/kcmp.c", "kcmp tells shared files from others")
{
	s64 pid = S(getpid), fd = GOOD(S(dup, 1)), r = S(kcmp, pid, pid, 0, 1, fd);

	if (r == -ENOSYS || r == -EPERM)
		skip("ENOSYS: the kernel is built without kcmp");
	EQ(r, 0);
	OK(S(kcmp, pid, pid, 0, 1, file_of(0)) > 0);
	EQ(S(kcmp, pid, pid, 99, 0, 0), -EINVAL);
	EQ(S(kcmp, 0x7ffffff, pid, 0, 0, 0), -ESRCH);
}

CASE("CALL-116", "pidfd_open pidfd_send_signal pidfd_getfd", SINCE_5_10, "linux 5.6 kernel/pid.c",
     "process descriptors")
{
	s64 child = fork_(), fd, r;

	if (!child)
		for (;;)
			sleep_ms(1000);
	fd = GOOD(S(pidfd_open, child, 0));
	EQ(S(pidfd_open, child, 1), -EINVAL);
	EQ(S(pidfd_open, 0x7ffffff, 0), -ESRCH);
	r = S(pidfd_getfd, fd, 1, 0);
	OK(r >= 0 || r == -EPERM);
	EQ(S(pidfd_getfd, fd, 1, 1), -EINVAL);
	EQ(S(pidfd_send_signal, fd, 0, 0, 0), 0);
	EQ(S(pidfd_send_signal, fd, SIGKILL, 0, 0), 0);
	EQ(wait_for(child), SIGKILL);
	EQ(S(pidfd_send_signal, -1, 0, 0, 0), -EBADF);
}

CASE("CALL-117", "process_madvise", SINCE_5_10,
     "linux 5.10 mm/madvise.c sys_process_madvise: iovecs of 8 bytes", "process_madvise")
{
	u8 *p = guarded(1);
	u32 iov[2] = {(u32)p, PAGE};
	s64 fd = GOOD(S(pidfd_open, own_pid(), 0));

	*p = 1;
	EQ(S(process_madvise, fd, iov, 1, 20, 0), PAGE); /* MADV_COLD */
	EQ(S(process_madvise, fd, iov, 1, 20, 1), -EINVAL);
	EQ(S(process_madvise, -1, iov, 1, 20, 0), -EBADF);
}

CASE("CALL-118", "process_mrelease", SINCE_6_6, "linux 5.15 mm/oom_kill.c sys_process_mrelease",
     "process_mrelease is for dying processes only")
{
	s64 fd = GOOD(S(pidfd_open, own_pid(), 0));

	EQ(S(process_mrelease, fd, 1), -EINVAL);
	EQ(S(process_mrelease, fd, 0), -EINVAL);
	EQ(S(process_mrelease, -1, 0), -EBADF);
}

static s64 clone3_with(u32 size, u64 flags)
{
	u64 args[11] = {flags, 0, 0, 0, SIGCHLD};

	return sys6(__NR_clone3, Z(args), size, 0, 0, 0, 0);
}

CASE("CALL-119", "clone3 .clone_args", SINCE_5_10,
     "linux 5.3 kernel/fork.c copy_clone_args_from_user", "clone3: sizes 64, 80, 88; unknown flags")
{
	s64 child = clone3_with(64, 0);

	if (!child)
		S(exit_group, 5);
	EQ(wait_for(GOOD(child)), 5 << 8);
	child = clone3_with(88, 0);
	if (!child)
		S(exit_group, 6);
	EQ(wait_for(GOOD(child)), 6 << 8);
	EQ(clone3_with(56, 0), -EINVAL);
	EQ(clone3_with(64, 1ull << 40), -EINVAL);
	EQ(clone3_with(64, 0xff), -EINVAL);
	EQ(S(clone3, at_end(8), 64), -EFAULT);
}

CASE("CALL-120", "clone", ALL, "linux kernel/fork.c; CLONE_VFORK",
     "a vfork child runs first; its memory is ours")
{
	static volatile u32 seen;
	static u8 stack[8192] __attribute__((aligned(16)));
	register u64 x8 __asm__("x8") = __NR_clone;
	register u64 x0 __asm__("x0") = CLONE_VM | 0x4000 | SIGCHLD;
	register u64 x1 __asm__("x1") = Z(stack + sizeof(stack));
	register u64 x9 __asm__("x9") = Z(&seen);
	s64 child;

	__asm__ volatile("svc #0\n cbnz x0, 1f\n"
			 "	mov w0, #77\n str w0, [x9]\n mov x0, #0\n mov x8, #94\n svc #0\n1:"
			 : "+r"(x0), "+r"(x8)
			 : "r"(x1), "r"(x9)
			 : "x2", "x3", "x4", "memory");
	child = (s64)x0;
	EQ(wait_for(GOOD(child)), 0);
	EQ(seen, 77);
}

CASE("CALL-121", "rseq", SINCE_5_10, "linux 4.18 kernel/rseq.c",
     "rseq: registering, a second time, wrong sizes")
{
	static u8 area[64] __attribute__((aligned(32)));
	s64 r = S(rseq, area, 32, 0, 0x1234);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without rseq");
	EQ(r, 0);
	EQ(S(rseq, area, 32, 0, 0x1234), -EBUSY);
	EQ(S(rseq, area, 32, 1, 0x1234), 0);
	EQ(S(rseq, area, 8, 0, 0x1234), -EINVAL);
}

CASE("CALL-122", "futex_waitv .futex_waitv", SINCE_6_6, "linux 5.16 kernel/futex/syscalls.c",
     "futex_waitv: records of 24 bytes, a timeout of 16")
{
	u32 word = 5;
	u64 ts[2], waiter[3] = {5, Z(&word), 2};

	EQ(S(clock_gettime64, 1, ts), 0);
	ts[0] -= 1;
	EQ(S(futex_waitv, waiter, 1, 0, ts, 1), -ETIMEDOUT);
	waiter[0] = 6;
	EQ(S(futex_waitv, waiter, 1, 0, ts, 1), -EAGAIN);
	EQ(S(futex_waitv, waiter, 0, 0, ts, 1), -EINVAL);
	EQ(S(futex_waitv, waiter, 1, 1, ts, 1), -EINVAL);
	EQ(S(futex_waitv, 0, 1, 0, ts, 1), -EINVAL);
	EQ(S(futex_waitv, waiter, 1, 0, ts, 2), -EINVAL);
	EQ(S(futex_waitv, waiter, 1, 0, 4, 1), -EFAULT);
}

/* --- scheduling ----------------------------------------------------------------------------------- */

CASE("CALL-130",
     "sched_setparam sched_getparam sched_setscheduler sched_getscheduler sched_get_priority_max sched_get_priority_min sched_yield",
     ALL, "linux kernel/sched/core.c", "policies and priorities")
{
	u32 param[2] = {0xa5a5a5a5, 0xa5a5a5a5}, zero = 0, one = 1;

	EQ(S(sched_getscheduler, 0), 0);
	EQ(S(sched_getparam, 0, param), 0);
	OK(param[0] == 0 && param[1] == 0xa5a5a5a5);
	EQ(S(sched_setparam, 0, &zero), 0);
	EQ(S(sched_setparam, 0, &one), -EINVAL);
	EQ(S(sched_setscheduler, 0, 3, &zero), 0);
	EQ(S(sched_getscheduler, 0), 3);
	EQ(S(sched_setscheduler, 0, 99, &zero), -EINVAL);
	EQ(S(sched_get_priority_max, 1), 99);
	EQ(S(sched_get_priority_min, 1), 1);
	EQ(S(sched_get_priority_max, 0), 0);
	EQ(S(sched_get_priority_min, 77), -EINVAL);
	EQ(S(sched_yield), 0);
	EQ(S(sched_getparam, -1, param), -EINVAL);
}

CASE("CALL-131", "sched_getattr sched_setattr .sched_attr", ALL,
     "oracle structs \"sched_getattr (275)\"", "sched_attr of 48 bytes")
{
	memset(buf, 0xa5, 64);
	EQ(S(sched_getattr, 0, buf, 48, 0), 0);
	EQ(get32(buf), 48);
	EQ(get32(buf + 4), 0);
	OK(all_bytes(buf + 48, 0xa5, 16));
	EQ(S(sched_setattr, 0, buf, 0), 0);
	EQ(S(sched_getattr, 0, buf, 40, 0), -EINVAL);
	EQ(S(sched_setattr, 0, buf, 1), -EINVAL);
}

CASE("CALL-132", "ioprio_get ioprio_set", ALL, "linux block/ioprio.c", "I/O priorities")
{
	s64 r = S(ioprio_set, 1, 0, 2 << 13 | 5);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without block devices");
	EQ(r, 0);
	EQ(S(ioprio_get, 1, 0), 2 << 13 | 5);
	EQ(S(ioprio_set, 9, 0, 0), -EINVAL);
}

CASE("CALL-133", "getcpu", ALL, "oracle structs \"getcpu (168)\"", "getcpu writes two of 4 bytes")
{
	u32 out[3] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	EQ(S(getcpu, out, out + 1, 0), 0);
	OK(out[0] < 8192 && out[1] < 1024 && out[2] == 0xa5a5a5a5);
	EQ(S(getcpu, 0, 0, 0), 0);
}

/* --- the system ----------------------------------------------------------------------------------- */

CASE("CALL-140", "getrandom", ALL, "linux drivers/char/random.c", "getrandom: length and flags")
{
	memset(buf, 0, 64);
	EQ(S(getrandom, buf, 32, 0), 32);
	OK(!all_bytes(buf, 0, 32) && all_bytes(buf + 32, 0, 32));
	EQ(S(getrandom, buf, 0, 0), 0);
	EQ(S(getrandom, buf, 8, 0x80), -EINVAL);
	EQ(S(getrandom, 0, 8, 0), -EFAULT);
}

CASE("CALL-141", "syslog", ALL, "linux kernel/printk/printk.c do_syslog",
     "syslog: the size of the log, or not for us")
{
	s64 r = S(syslog, 10, 0, 0);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without printk");
	OK(r > 0 || r == -EPERM);
	r = S(syslog, 3, buf, -1);
	EITHER(r, -EINVAL, -EPERM);
	r = S(syslog, 99, buf, 1);
	EITHER(r, -EINVAL, -EPERM);
}

CASE("CALL-142", "reboot vhangup", ALL, "linux kernel/reboot.c sys_reboot, fs/open.c sys_vhangup",
     "reboot and vhangup are not for everybody")
{
	unprivileged();
	EQ(S(reboot, 0, 0, 0, 0), -EPERM);
	EQ(S(vhangup), -EPERM);
}

CASE("CALL-143", "init_module finit_module delete_module kexec_load", ALL,
     "linux kernel/module.c, kernel/kexec.c: capability first",
     "modules and kexec are not for everybody")
{
	s64 r;

	unprivileged();
	r = S(init_module, buf, 16, "");
	EITHER(r, -EPERM, -ENOSYS);
	r = S(finit_module, -1, "", 0);
	EITHER(r, -EPERM, -ENOSYS);
	r = S(delete_module, "ilp32_abi_none", 0);
	EITHER(r, -EPERM, -ENOSYS);
	/* compat_sys_kexec_load refuses callers that do not name their architecture. */
	r = S(kexec_load, 0, 1, buf, 0);
	EITHER(r, -EINVAL, -ENOSYS);
	r = S(kexec_load, 0, 1, buf, 183 << 16);
	EITHER(r, -EPERM, -ENOSYS);
}

CASE("CALL-144", "kexec_file_load", SINCE_5_10, "linux 4.19 kernel/kexec_file.c: capability first",
     "kexec_file_load is not for everybody")
{
	s64 r;

	unprivileged();
	r = S(kexec_file_load, -1, -1, 0, 0, 0);
	EITHER(r, -EPERM, -ENOSYS);
}

CASE("CALL-145", "bpf", ALL, "linux kernel/bpf/syscall.c", "bpf: a map, or not for us")
{
	s64 r;

	memset(buf, 0, 128);
	put32(buf, 2); /* BPF_MAP_TYPE_ARRAY */
	put32(buf + 4, 4);
	put32(buf + 8, 8);
	put32(buf + 12, 1);
	r = S(bpf, 0, buf, 72);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without bpf");
	if (r == -EPERM)
		skip("not allowed");
	GOOD(r);
	EQ(S(bpf, 9999, buf, 72), -EINVAL);
}
