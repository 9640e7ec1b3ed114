/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of processes, signals, scheduling, asynchronous I/O, tracing filters. */
#include "abi.h"

static u8 buf[4096] __attribute__((aligned(16)));

/* --- resources ----------------------------------------------------------------------------------- */

#define SYSINFO "oracle structs \"sysinfo (179)\"; linux kernel/sys.c compat_sys_sysinfo"

CASE("STR-017", "sysinfo", ALL, SYSINFO,
     "totalram * mem_unit is the memory; the unit grows when 32 bits are too few")
{
	u32 *si = (u32 *)buf;
	u64 total;

	EQ(S(sysinfo, buf), 0);
	total = (u64)si[4] * si[13];
	OK(total >= 64ull << 20 && total < 1ull << 46);
	OK(si[13] >= 1 && (si[13] & (si[13] - 1)) == 0);
	if (si[13] == 1)
		skip("not more than 4 GiB of memory");
	OK(total > 0xffffffffull);
	EQ(si[13], PAGE);
}

CASE("STR-018", "sysinfo", ALL, SYSINFO,
     "mem_unit is 1 when 32 bits are enough, and 64 bytes are the structure")
{
	u32 *si = (u32 *)at_end(64);

	EQ(S(sysinfo, si), 0);
	if (si[13] != 1)
		skip("more than 4 GiB of memory");
	OK((u64)si[4] + si[5] > 0);
}

CASE("STR-018a", "sysinfo", AMPERE, SYSINFO ": field by field",
     "the 8 bytes behind mem_unit are not written")
{
	EQ(S(sysinfo, at_end(56)), 0);
	EQ(S(sysinfo, at_end(52)), -EFAULT);
}

CASE("STR-018b", "sysinfo", SINCE_5_10,
     "linux 5.10 kernel/sys.c compat_sys_sysinfo: copy_to_user of all", "all 64 bytes are written")
{
	EQ(S(sysinfo, at_end(60)), -EFAULT);
}

CASE("STR-019", "getrusage", ALL, "oracle structs \"getrusage SELF (165)\"",
     "rusage has 72 bytes, ru_maxrss at 16")
{
	u8 *ru = at_end(72);

	EQ(S(getrusage, 0, ru), 0);
	OK(get32(ru + 16) > 0 && get32(ru + 4) < 1000000 && get32(ru + 12) < 1000000);
	EQ(S(getrusage, 0, ru + 4), -EFAULT);
	EQ(S(getrusage, 5, ru), -EINVAL);
}

CASE("STR-020", "times getrusage", ALL, "oracle structs \"times (153)\"",
     "tms has 16 bytes and counts hundredths of seconds")
{
	u32 *tms = (u32 *)at_end(16), n = 0;
	s64 from = now_ms(), a = S(times, 0), b;

	while (now_ms() - from < 100)
		n++;
	b = S(times, tms);
	OK(a >= 0 && b - a >= 8 && b - a < 1000);
	EQ(S(getrusage, 0, buf), 0);
	OK(tms[0] <= get32(buf) * 100 + get32(buf + 4) / 10000 + 2);
	EQ(tms[2], 0);
	EQ(S(times, tms + 1), -EFAULT);
}

CASE("STR-021", "adjtimex clock_adjtime", ALL, "oracle structs \"adjtimex (171)\"",
     "timex has 128 bytes: time at 36, tick at 44")
{
	u8 *tx = at_end(128);

	OK(S(adjtimex, tx) >= 0);
	OK(get32(tx + 36) > 1000000 && get32(tx + 36) < 0x7fffffff);
	OK(get32(tx + 44) >= 9000 && get32(tx + 44) <= 11000);
	memset(tx, 0, 128);
	OK(S(clock_adjtime, 0, tx) >= 0);
	OK(get32(tx + 44) >= 9000 && get32(tx + 44) <= 11000);
	EQ(S(adjtimex, tx + 4), -EFAULT);
}

CASE("STR-074", "prlimit64", ALL,
     "oracle structs \"prlimit64 (261) STACK\"; linux kernel/sys.c sys_prlimit64",
     "limits are two 64-bit numbers, infinity is all ones")
{
	u64 set[2] = {0x300000000ull, ~0ull}, got[3] = {0, 0, 0x5a5a};

	EQ(S(prlimit64, 0, 3, 0, got), 0);
	OK(got[0] <= got[1] && got[2] == 0x5a5a);
	EQ(S(prlimit64, 0, 1, 0, got), 0); /* FSIZE */
	if (got[1] != ~0ull)
		skip("file size is limited");
	EQ(S(prlimit64, 0, 1, set, 0), 0);
	EQ(S(prlimit64, 0, 1, 0, got), 0);
	EQ(got[0], 0x300000000ull);
	EQ(got[1], ~0ull);
	EQ(S(prlimit64, 0, 99, 0, got), -EINVAL);
}

/* --- signals ------------------------------------------------------------------------------------- */

static s64 set_stack(u32 size)
{
	u32 ss[3] = {Z(buf), 0, size};

	return S(sigaltstack, ss, 0);
}

CASE("STR-022", "sigaltstack", SINCE_5_10,
     "linux 5.10 kernel/signal.c do_compat_sigaltstack: COMPAT_MINSIGSTKSZ",
     "an alternate stack of 2048 bytes is enough for sigaltstack")
{
	EQ(set_stack(4096), 0);
	EQ(set_stack(2048), 0);
}

CASE("STR-022a", "sigaltstack", AMPERE,
     "oracle README 6 stack_t; linux kernel/signal.c do_sigaltstack: MINSIGSTKSZ 5120",
     "an alternate stack of less than 5120 bytes is ENOMEM")
{
	EQ(set_stack(5119), -ENOMEM);
	EQ(set_stack(5120), 0);
}

CASE("STR-023", "sigaltstack", ALL, "linux kernel/signal.c do_sigaltstack",
     "2047 bytes are ENOMEM; stack_t has 12 bytes; unknown flags are EINVAL")
{
	u32 ss[3] = {Z(buf), 4, 16384}, *old = (u32 *)at_end(12);

	EQ(set_stack(2047), -ENOMEM);
	EQ(S(sigaltstack, ss, 0), -EINVAL);
	EQ(S(sigaltstack, 0, old), 0);
	EQ(old[1], 2);
	EQ(set_stack(16384), 0);
	EQ(S(sigaltstack, 0, old), 0);
	OK(old[0] == Z(buf) && old[1] == 0 && old[2] == 16384);
}

CASE("STR-024", "rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait", ALL,
     "linux kernel/signal.c compat_sys_rt_sigaction and siblings: sizeof(compat_sigset_t)",
     "signal sets of other sizes than 8 are EINVAL")
{
	u32 act[5] = {0}, zero[4] = {0};

	EQ(S(rt_sigaction, 10, act, 0, 16), -EINVAL);
	EQ(S(rt_sigaction, 10, act, 0, 4), -EINVAL);
	EQ(S(rt_sigprocmask, 0, zero, 0, 16), -EINVAL);
	EQ(S(rt_sigsuspend, zero, 4), -EINVAL);
	EQ(S(rt_sigtimedwait, zero, 0, zero, 16), -EINVAL);
	EQ(S(rt_sigpending, zero, 16), -EINVAL);
	memset(buf, 0xa5, 8);
	EQ(S(rt_sigpending, buf, 4), 0);
	EQ(get32(buf), 0);
	EQ(get32(buf + 4), 0xa5a5a5a5);
}

CASE("STR-025", "rt_sigaction", ALL, "oracle README 6 sigaction: 20 bytes",
     "sigaction: handler 0, flags 4, restorer 8, mask 12")
{
	u32 act[5] = {Z(buf), 0x10000000, 0, 1, 0x80000000}, *old = (u32 *)at_end(20);

	EQ(S(rt_sigaction, 10, act, 0, 8), 0);
	EQ(S(rt_sigaction, 10, 0, old, 8), 0);
	EQ(old[0], Z(buf));
	EQ(old[1], 0x10000000);
	EQ(old[3], 1);
	EQ(old[4], 0x80000000);
	EQ(S(rt_sigaction, 10, 0, old + 1, 8), -EFAULT);
	EQ(S(rt_sigaction, 9, act, 0, 8), -EINVAL);
	EQ(S(rt_sigaction, 65, act, 0, 8), -EINVAL);
}

CASE("STR-057", "waitid .siginfo .rusage", ALL, "oracle structs \"waitid (95)\"",
     "waitid writes 24 bytes of siginfo and 72 of rusage")
{
	s64 child = fork_();

	if (!child)
		S(exit_group, 5);
	memset(buf, 0xa5, 256);
	EQ(S(waitid, 1, child, buf, 4, buf + 128), 0);
	EQ(get32(buf), SIGCHLD);
	EQ(get32(buf + 4), 0);
	EQ(get32(buf + 8), 1);
	EQ(get32(buf + 12), child);
	EQ(get32(buf + 16), S(getuid));
	EQ(get32(buf + 20), 5);
	OK(all_bytes(buf + 24, 0xa5, 104));
	OK(!all_bytes(buf + 192, 0xa5, 8));
	OK(all_bytes(buf + 200, 0xa5, 56));
	EQ(S(waitid, 1, child, buf, 4, 0), -ECHILD);
}

/* --- threads ------------------------------------------------------------------------------------- */

CASE("STR-047", "set_robust_list .robust_list_head", ALL, "oracle structs \"set_robust_list len\"",
     "a robust list head has 12 bytes; other sizes are EINVAL")
{
	EQ(S(set_robust_list, buf, 24), -EINVAL);
	EQ(S(set_robust_list, buf, 16), -EINVAL);
	EQ(S(set_robust_list, buf, 12), 0);
}

CASE("STR-048", "set_robust_list futex .robust_list_head", ALL,
     "oracle README 6 robust_list_head; linux kernel/futex_compat.c compat_exit_robust_list",
     "the futex of a process that died: owner-died bit, waiters bit kept")
{
	u32 *m = (u32 *)(u32)GOOD(S(mmap2, 0, PAGE, PROT_RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	s64 child;

	/* head at m[0]: next, offset, pending; the entry at m[8], its futex 16 bytes before it */
	m[0] = Z(m + 8);
	m[1] = (u32)-16;
	m[2] = 0;
	m[8] = Z(m);
	child = fork_();
	if (!child) {
		m[4] = (u32)own_pid() | 0x80000000;
		S(set_robust_list, m, 12);
		S(exit_group, 0);
	}
	EQ(wait_for(child), 0);
	EQ(m[4], 0x40000000 | 0x80000000u);
}

CASE("STR-049", "get_robust_list set_robust_list", ALL, "oracle structs \"get_robust_list\"",
     "get_robust_list writes a pointer and a length of 4 bytes each")
{
	u32 out[6] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	EQ(S(set_robust_list, buf, 12), 0);
	EQ(S(get_robust_list, 0, out + 1, out + 3), 0);
	EQ(out[1], Z(buf));
	EQ(out[3], 12);
	OK(out[0] == 0xa5a5a5a5 && out[2] == 0xa5a5a5a5 && out[4] == 0xa5a5a5a5);
}

#define AFFINITY \
 "oracle structs \"sched_getaffinity\"; linux kernel/compat.c compat_sys_sched_getaffinity"

CASE("STR-050", "sched_getaffinity", ALL, AFFINITY,
     "sched_getaffinity of 4 bytes answers 4 where up to 32 CPUs are possible, else EINVAL")
{
	s64 r = S(sched_getaffinity, 0, 4, buf);

	if (r == -EINVAL)
		skip("more than 32 CPUs are possible");
	EQ(r, 4);
	OK(get32(buf) != 0);
}

CASE("STR-051", "sched_getaffinity sched_setaffinity", ALL, AFFINITY,
     "sched_getaffinity of 6 bytes is EINVAL, large buffers answer the size of a mask")
{
	s64 r = GOOD(S(sched_getaffinity, 0, 1024, buf));

	OK(r >= 8 && r % 4 == 0);
	EQ(S(sched_getaffinity, 0, 6, buf), -EINVAL);
	EQ(S(sched_setaffinity, 0, r, buf), 0);
	memset(buf, 0, 1024);
	EQ(S(sched_setaffinity, 0, 128, buf), -EINVAL);
}

CASE("STR-058", "prctl", SINCE_5_10,
     "linux 5.10 kernel/sys.c prctl_get_tid_address: in_compat_syscall()",
     "PR_GET_TID_ADDRESS writes 4 bytes")
{
	u32 out[2] = {0, 0xa5a5a5a5};
	s64 r;

	EQ(S(set_tid_address, buf), S(gettid));
	r = S(prctl, 40, out, 0, 0, 0);
	if (r == -EINVAL)
		skip("the kernel is built without checkpoint/restore");
	EQ(r, 0);
	EQ(out[0], Z(buf));
	EQ(out[1], 0xa5a5a5a5);
}

CASE("STR-058a", "prctl", AMPERE, "oracle structs \"prctl PR_GET_TID_ADDRESS(40)\"",
     "PR_GET_TID_ADDRESS writes 8 bytes")
{
	u32 out[3] = {0, 0xa5a5a5a5, 0xa5a5a5a5};
	s64 r;

	EQ(S(set_tid_address, buf), S(gettid));
	r = S(prctl, 40, out, 0, 0, 0);
	if (r == -EINVAL)
		skip("the kernel is built without checkpoint/restore");
	EQ(r, 0);
	EQ(out[0], Z(buf));
	EQ(out[1], 0);
	EQ(out[2], 0xa5a5a5a5);
}

/* --- waiting ------------------------------------------------------------------------------------- */

CASE("STR-054", "pselect6 .sigset_arg", ALL, "linux fs/select.c compat_sys_pselect6",
     "pselect6: its last argument is {pointer, size}, and the size must be 8")
{
	u32 ts[2] = {0, 0}, mask[2] = {0, 0}, arg[2] = {Z(mask), 128}, *end = (u32 *)at_end(8);

	EQ(S(pselect6, 0, 0, 0, 0, ts, arg), -EINVAL);
	end[0] = Z(mask);
	end[1] = 8;
	EQ(S(pselect6, 0, 0, 0, 0, ts, end), 0);
	EQ(S(pselect6, 0, 0, 0, 0, ts, end + 1), -EFAULT);
}

CASE("STR-055", "pselect6 dup3 .fd_set", ALL, "linux fs/select.c compat_get_fd_set",
     "descriptor 63 is bit 31 of the second word")
{
	u32 fds[2], ts[2] = {0, 0}, set[3] = {0, 0x80000000, 0xa5a5a5a5};

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(dup3, fds[1], 63, 0), 63);
	EQ(S(pselect6, 64, 0, set, 0, ts, 0), 1);
	EQ(set[0], 0);
	EQ(set[1], 0x80000000);
	EQ(set[2], 0xa5a5a5a5);
	set[0] = 1u << fds[0];
	set[1] = 0;
	EQ(S(pselect6, 32, set, 0, 0, ts, 0), 0);
	EQ(set[0], 0);
}

CASE("STR-056", "ppoll", ALL, "linux fs/select.c compat_sys_ppoll",
     "ppoll writes back the time that is left, in 8 bytes")
{
	u32 ts[3] = {10, 0, 0xa5a5a5a5}, timer[4] = {0, 0, 0, 50000};

	set_handler(SIGALRM, count_signal, 0);
	EQ(S(setitimer, 0, timer, 0), 0);
	EQ(S(ppoll, 0, 0, ts, 0, 0), -EINTR);
	OK(ts[0] == 9 && ts[1] < 1000000000);
	EQ(ts[2], 0xa5a5a5a5);
	EQ(caught, 1);
}

/* --- asynchronous I/O ---------------------------------------------------------------------------- */

static void fill_iocb(u8 *cb, u32 op, int fd, const void *data, u32 n, u64 offset)
{
	memset(cb, 0, 64);
	put64(cb, 0x1122334455667788ull);
	cb[16] = (u8)op;
	put32(cb + 20, (u32)fd);
	put64(cb + 24, Z(data));
	put64(cb + 32, n);
	put64(cb + 40, offset);
}

#define AIO "linux fs/aio.c compat_sys_io_setup, compat_sys_io_submit; oracle README 6 aio"

CASE("STR-052", "io_setup io_destroy .aio_context", ALL, AIO, "an aio context id has 4 bytes")
{
	u32 *context = (u32 *)at_end(4);

	EQ(CONFIGURED(S(io_setup, 4, context)), 0);
	OK(*context != 0);
	EQ(S(io_setup, 4, context), -EINVAL);
	EQ(S(io_destroy, *context), 0);
	EQ(S(io_destroy, *context), -EINVAL);
}

CASE("STR-053", "io_submit io_getevents io_cancel .iocb .io_event", ALL, AIO,
     "IOCB_CMD_PWRITE and PREADV: 64-byte requests behind 4-byte pointers, 8-byte iovecs, 32-byte events")
{
	u32 context = 0, iov[4], list[2], ts[2] = {5, 0};
	static u8 cb[64], event[64];
	int fd = file_of(0);

	EQ(CONFIGURED(S(io_setup, 4, &context)), 0);
	fill_iocb(cb, 1, fd, "abcdef", 6, 0x100000000ull);
	list[0] = Z(cb);
	EQ(S(io_submit, context, 1, list), 1);
	EQ(S(io_getevents, context, 1, 2, event, ts), 1);
	EQ(get64(event), 0x1122334455667788ull);
	EQ(get64(event + 8), Z(cb));
	EQ(get64(event + 16), 6);
	iov[0] = Z(buf);
	iov[1] = 2;
	iov[2] = Z(buf + 100);
	iov[3] = 4;
	fill_iocb(cb, 7, fd, iov, 2, 0x100000000ull);
	EQ(S(io_submit, context, 1, list), 1);
	EQ(S(io_getevents, context, 1, 2, event, ts), 1);
	EQ(get64(event + 16), 6);
	EQ(memcmp(buf, "ab", 2), 0);
	EQ(memcmp(buf + 100, "cdef", 4), 0);
	EQ(S(io_cancel, context, cb, event), -EINVAL);
}

/* --- other processes ----------------------------------------------------------------------------- */

CASE("STR-061", "process_vm_readv process_vm_writev .iovec", ALL,
     "linux mm/process_vm_access.c compat_sys_process_vm_readv",
     "process_vm_readv and _writev: iovecs of 8 bytes on both sides")
{
	static char text[] = "one two";
	u32 fds[2], local[4] = {Z(buf), 3, Z(buf + 100), 4}, remote[2] = {Z(text), 7};
	s64 child, r;
	char c;

	EQ(S(pipe2, fds, 0), 0);
	child = fork_();
	if (!child) {
		memcpy(text, "ONE TWO", 7);
		S(write, fds[1], "x", 1);
		for (;;)
			sleep_ms(1000);
	}
	EQ(S(read, fds[0], &c, 1), 1);
	r = S(process_vm_readv, child, local, 2, remote, 1, 0);
	if (r == -EPERM)
		skip("not allowed to read another process");
	EQ(r, 7);
	EQ(memcmp(buf, "ONE", 3), 0);
	EQ(memcmp(buf + 100, " TWO", 4), 0);
	EQ(S(process_vm_writev, child, local, 1, remote, 1, 0), 3);
	EQ(S(process_vm_readv, child, local, 2, remote, 1, 1), -EINVAL);
}

CASE("STR-063", "move_pages .pages", ALL,
     "linux mm/migrate.c sys_move_pages: compat_sys_move_pages",
     "move_pages: an array of 4-byte pointers; without nodes it only asks")
{
	u8 *p = guarded(2);
	u32 pages[2] = {(u32)p, (u32)p + PAGE};
	s32 status[3] = {-99, -99, -99};
	s64 r;

	*(volatile u8 *)p = 1;
	r = S(move_pages, 0, 2, pages, 0, status, 0);
	if (r == -ENOSYS || r == -EPERM)
		skip("no NUMA memory policy");
	EQ(r, 0);
	EQ(status[0], 0);
	EQ(status[1], -ENOENT);
	EQ(status[2], -99);
}

CASE("STR-062", "keyctl add_key .iovec", ALL,
     "linux security/keys/compat.c compat_keyctl_instantiate_key_iov",
     "KEYCTL_INSTANTIATE_IOV takes 8-byte iovecs; without authority it is EPERM")
{
	u32 iov[4] = {Z("ab"), 2, Z("cd"), 2};
	s64 ring = CONFIGURED(S(keyctl, 1, 0)), key;

	OK(ring > 0);
	key = S(add_key, "user", "ilp32-abi", "abcd", 4, -3);
	OK(key > 0);
	EQ(S(keyctl, 11, key, buf, 16), 4);
	EQ(memcmp(buf, "abcd", 4), 0);
	EQ(S(keyctl, 20, key, iov, 2, -3), -EPERM);
	iov[1] = 0x80000000;
	EQ(S(keyctl, 20, key, iov, 2, -3), -EINVAL);
}

CASE("STR-090", "keyctl", ALL, "linux security/keys/compat_dh.c compat_keyctl_dh_compute",
     "KEYCTL_DH_COMPUTE reads 44 bytes of keyctl_kdf_params, before the others")
{
	s64 r = S(keyctl, 23, 0, buf, 16, at_end(40));

	if (r == -EOPNOTSUPP)
		skip("the kernel is built without KEY_DH_OPERATIONS");
	EQ(r, -EFAULT);
	memset(at_end(44), 0, 44);
	((u32 *)at_end(44))[3] = 1; /* __spare */
	EQ(S(keyctl, 23, 0, buf, 16, at_end(44)), -EINVAL);
}

CASE("STR-091", "keyctl", SINCE_5_10, "linux security/keys/keyctl.c keyctl (4.20), keyctl_pkey.c",
     "KEYCTL_PKEY_QUERY wants no third argument, and a key that knows how to be asked")
{
	s64 ring = CONFIGURED(S(keyctl, 1, 0));

	EQ(S(keyctl, 24, ring, 1, "", buf), -EINVAL);
	EQ(S(keyctl, 24, ring, 0, "", buf), -EOPNOTSUPP);
}

CASE("SGN-030", "keyctl", "ampere-4.14",
     "linux security/keys/compat.c compat_sys_keyctl: no such case",
     "operations that are younger than the kernel are EOPNOTSUPP before their arguments are looked at")
{
	CONFIGURED(S(keyctl, 1, 0));
	EQ(S(keyctl, 24, -3, 1, 0, 0), -EOPNOTSUPP);
	EQ(S(keyctl, 30, -3, -3, -3, 0xffff), -EOPNOTSUPP);
	EQ(S(keyctl, 31, buf, 2), -EOPNOTSUPP);
}

/* --- filters and counters ------------------------------------------------------------------------ */

#define FILTER(code, jt, jf, k)            \
 {                                         \
  (code) | (jt) << 16 | (u32)(jf) << 24, k \
 }
static u32 allow[][2] = {FILTER(6, 0, 0, 0x7fff0000)};

CASE("STR-064", "seccomp prctl .sock_fprog", ALL,
     "linux kernel/seccomp.c seccomp_prepare_user_filter: compat_sock_fprog",
     "seccomp takes a sock_fprog of 8 bytes")
{
	u32 *prog = (u32 *)at_end(8);

	prog[0] = 1;
	prog[1] = Z(allow);
	EQ(S(prctl, 38, 1, 0, 0, 0), 0);
	EQ(CONFIGURED(S(seccomp, 1, 0, prog)), 0);
	EQ(S(getppid) > 0, 1);
}

/* errno 77 for number 172, for other architectures than ours the same for all. */
static u32 refuse[][2] = {
	FILTER(0x20, 0, 0, 4),            /* load arch */
	FILTER(0x15, 0, 2, 0xc00000b7),   /* AUDIT_ARCH_AARCH64 ? */
	FILTER(0x20, 0, 0, 0),            /* load nr */
	FILTER(0x15, 0, 1, __NR_getppid), /* getppid ? */
	FILTER(6, 0, 0, 0x50000 | 77),    /* errno */
	FILTER(6, 0, 0, 0x7fff0000),
};

CASE("STR-064a", "seccomp", ALL,
     "oracle README 7 SIGSYS: arch 0xc00000b7; linux arch/arm64/include/asm/syscall.h",
     "a filter sees ILP32 numbers and AUDIT_ARCH_AARCH64")
{
	u32 prog[2] = {6, Z(refuse)};

	EQ(S(prctl, 38, 1, 0, 0, 0), 0);
	EQ(CONFIGURED(S(seccomp, 1, 0, prog)), 0);
	EQ(S(getppid), -77);
	EQ(S(getpid) > 0, 1);
}

static int strict(void)
{
	s64 child = fork_();
	u32 fds[2];

	if (child)
		return wait_for(child);
	S(pipe2, fds, 0);
	if (S(prctl, 22, 1, 0, 0, 0))
		S(exit_group, 99);
	S(write, fds[1], "x", 1);
	S(read, fds[0], buf, 1);
	S(exit, 5);
	return -1;
}

CASE("STR-065", "prctl", SINCE_5_10, "openEuler 5.10 arch/arm64: seccomp mode 1 numbers of ILP32",
     "strict mode allows read, write and exit")
{
	int status = strict();

	if (status == 99 << 8)
		skip("the kernel is built without seccomp");
	EQ(status, 5 << 8);
}

CASE("STR-065a", "prctl", AMPERE,
     "linux kernel/seccomp.c __secure_computing_strict: AArch32 numbers in compat mode",
     "strict mode kills at the first write")
{
	int status = strict();

	if (status == 99 << 8)
		skip("the kernel is built without seccomp");
	EQ(status & 0x7f, SIGKILL);
}

CASE("STR-066", "perf_event_open .perf_event_attr", ALL,
     "linux kernel/events/core.c perf_copy_attr",
     "perf_event_open with a larger structure than the kernel knows: E2BIG and its own size")
{
	s64 r;

	memset(buf, 0, sizeof(buf));
	put32(buf + 4, 4096);
	buf[4095] = 1;
	r = S(perf_event_open, buf, 0, -1, -1, 0);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without perf_event_open");
	if (r == -EPERM || r == -EACCES)
		skip("not allowed");
	EQ(r, -E2BIG);
	OK(get32(buf + 4) >= 64 && get32(buf + 4) < 4096);
}
