// SPDX-License-Identifier: GPL-2.0-or-later
// SIGSEGV and SIGBUS that somebody sends are signals as others are: blocked ones wait where sigpending,
// sigtimedwait, signalfd and other threads find them. A fault meanwhile still kills.
#include "proc.h"

enum { NR_ftruncate = 46, NR_epoll_create1 = 20, NR_epoll_ctl = 21, NR_epoll_pwait = 22 };

#define BOTH (BIT(SIGSEGV) | BIT(SIGBUS))

static struct thread t[2];
static volatile u32 go, result[2], handled_tid, handled_code;

static u64 pending(void)
{
	u32 m[2] = {0, 0};

	sys(NR_rt_sigpending, m, 8);
	return m[0] | (u64)m[1] << 32;
}

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)uc, (void)sig;
	handled_code = get32(info + 8);
	handled_tid = (u32)sys(NR_gettid);
}

/* What is pending of SET, taken. */
static s64 take(u64 set, u32 *info, u32 ms)
{
	u32 ts[2] = {ms / 1000, ms % 1000 * 1000000};

	return sys(NR_rt_sigtimedwait, &set, info, ts, 8);
}

/* A child that sends us SIG when we sleep, and, if we sleep again, THEN. */
static s64 send_two(int sig, int then)
{
	u32 pid = (u32)sys(NR_getpid);
	s64 child = fork_();

	if (child)
		return child;
	wait_until_sleeping(pid);
	if (sys(NR_kill, pid, sig))
		quit(1);
	if (then) {
		wait_until_sleeping(pid);
		sys(NR_kill, pid, then);
	}
	quit(0);
}

static s64 send_when_sleeping(int sig)
{
	return send_two(sig, 0);
}

static void alone(void)
{
	u32 info[32] = {0}, me = (u32)sys(NR_getpid), queued[32] = {0, 0, (u32)-1, 7, 8, 9};
	s64 child;

	set_mask(SIG_SETMASK, BOTH);
	sys(NR_kill, me, SIGSEGV);
	sys(NR_kill, me, SIGBUS);
	sys(NR_kill, me, SIGSEGV);
	print("pending %lx\n", pending());
	child = fork_();
	if (!child)
		quit(pending() != 0);
	print("child has them: %x\n", wait_for(child));
	print("take: %ld", take(BIT(SIGSEGV), info, 0));
	print(" signo %d code %d pid %d\n", info[0], info[2], info[3] == me);
	print("pending %lx, again: %ld\n", pending(), take(BIT(SIGSEGV), info, 0));
	print("take both: %ld\n", take(BOTH, info, 0));
	sys(NR_tkill, sys(NR_gettid), SIGSEGV);
	print("tkill: %ld code %d\n", take(BOTH, info, 0), info[2]);
	sys(NR_rt_sigqueueinfo, me, SIGBUS, queued);
	print("queued: %ld code %d pid %d value %d\n", take(BOTH, info, 0), info[2], info[3],
	      info[5]);
	child = send_when_sleeping(SIGSEGV);
	print("while waiting: %ld\n", take(BOTH, info, 10000));
	print("sender %d status %x\n", info[3] == (u32)child, wait_for(child));
	/* Blocked and not waited for: no call shows it. */
	set_mask(SIG_BLOCK, BIT(SIGUSR1));
	child = send_two(SIGSEGV, SIGUSR1);
	print("while waiting for another: %ld, pending %lx\n", take(BIT(SIGUSR1), info, 10000),
	      pending());
	wait_for(child);
	set_handler(SIGSEGV, handler, SA_SIGINFO);
	handled_code = 99;
	set_mask(SIG_UNBLOCK, BIT(SIGSEGV));
	print("unblocked: code %d, pending %lx\n", handled_code, pending());
}

static void descriptors(void)
{
	u32 mask[2] = {(u32)BOTH, 0}, p[2], event[4] = {1, 0, 0, 0}, ts[2] = {0, 200000000};
	u8 info[128];
	s64 fd = sys(NR_signalfd4, -1, mask, 8, 0x800 /* SFD_NONBLOCK */), child, ep, other;

	set_mask(SIG_SETMASK, BOTH | BIT(SIGUSR1));
	print("signalfd empty: %ld\n", sys(NR_read, fd, info, 128));
	sys(NR_kill, sys(NR_getpid), SIGSEGV);
	print("signalfd: %ld", sys(NR_read, fd, info, 128));
	print(" signo %d code %d, pending %lx\n", get32(info), get32(info + 8), pending());
	p[0] = (u32)fd;
	p[1] = 1;
	child = send_when_sleeping(SIGBUS);
	ts[0] = 10;
	print("poll: %ld %x\n", sys(NR_ppoll, p, 1, ts, 0, 0), p[1] >> 16);
	print("signalfd: %ld", sys(NR_read, fd, info, 128));
	print(" signo %d pid %d\n", get32(info), get32(info + 12) == (u32)child);
	wait_for(child);
	/* Calls that never restart. */
	ep = sys(NR_epoll_create1, 0);
	mask[0] = (u32)BIT(SIGUSR1);
	other = sys(NR_signalfd4, -1, mask, 8, 0);
	sys(NR_epoll_ctl, ep, 1, other, event);
	child = send_two(SIGSEGV, SIGUSR1);
	print("epoll_pwait: %ld\n", sys(NR_epoll_pwait, ep, event, 1, 10000, 0, 8));
	wait_for(child);
	take(BIT(SIGUSR1), 0, 0);
	sys(NR_close, other);
	/* A temporary mask lets it in. */
	set_handler(SIGSEGV, handler, SA_SIGINFO);
	handled_code = 99;
	mask[0] = (u32)BIT(SIGBUS);
	print("ppoll with mask: %ld", sys(NR_ppoll, 0, 0, ts, mask, 8));
	print(" code %d, pending %lx\n", handled_code, pending());
	sys(NR_kill, sys(NR_getpid), SIGBUS);
	child = send_when_sleeping(SIGSEGV);
	print("sigsuspend: %ld, pending %lx\n", sys(NR_rt_sigsuspend, mask, 8), pending());
	wait_for(child);
	take(BOTH, 0, 0);
	sys(NR_close, fd);
	sys(NR_close, ep);
}

static int waits(void *arg)
{
	result[(u32)arg] = (u32)take(BOTH, 0, 10000);
	return 0;
}

static int handles(void *arg)
{
	(void)arg;
	set_mask(SIG_UNBLOCK, BOTH);
	go = 1;
	futex(&go, FUTEX_WAKE, 1, 0, 0, 0);
	while (!handled_tid)
		sleep_ms(1);
	result[0] = handled_tid == (u32)sys(NR_gettid);
	return 0;
}

static int only_pending(void *arg)
{
	(void)arg;
	go = 1;
	while (go != 2)
		sleep_ms(1);
	result[0] = (u32)(pending() >> (SIGSEGV - 1));
	return 0;
}

static void threads(void)
{
	s64 child;

	set_mask(SIG_SETMASK, BOTH);
	/* For the process: whoever waits for it. */
	thread_start(&t[0], waits, 0);
	child = send_when_sleeping(SIGSEGV);
	thread_join(&t[0]);
	print("other thread waits: %d\n", result[0]);
	wait_for(child);
	/* For the process: whoever does not block it. */
	handled_tid = 0;
	go = 0;
	thread_start(&t[0], handles, 0);
	while (!go)
		futex(&go, FUTEX_WAIT, 0, 0, 0, 0);
	child = send_when_sleeping(SIGSEGV);
	thread_join(&t[0]);
	print("other thread handles: %d\n", result[0]);
	wait_for(child);
	/* For a thread: it alone has it. */
	go = 0;
	thread_start(&t[0], only_pending, 0);
	while (!go)
		sleep_ms(1);
	sys(NR_tkill, sys(NR_gettid), SIGSEGV);
	go = 2;
	thread_join(&t[0]);
	print("tkill: there %x, here %lx\n", result[0] & 1, pending());
	/* Ignoring discards those of other threads too; blocked ones wait all the same. */
	go = 0;
	thread_start(&t[0], only_pending, 0);
	while (!go)
		sleep_ms(1);
	sys(NR_tkill, t[0].tid, SIGSEGV);
	sleep_ms(200);
	set_handler(SIGSEGV, 1, 0);
	print("ignored: here %lx", pending());
	go = 2;
	thread_join(&t[0]);
	print(", there %x\n", result[0] & 1);
	sys(NR_kill, sys(NR_getpid), SIGSEGV);
	print("sent while ignored and blocked: %lx\n", pending());
	set_mask(SIG_SETMASK, 0);
	print("unblocked: %lx\n", pending());
	set_handler(SIGSEGV, 0, 0);
}

/* While one waits, the emulator's own accesses to memory that goes away are errors, not deaths. */
static void accesses(void)
{
	s64 fd = sys(NR_memfd_create, "x", 0);
	u32 *map;

	sys(NR_ftruncate, fd, 0, 8192);
	map = (u32 *)(u32)sys(NR_mmap2, 0, 8192, 3, 1, fd, 0);
	map[1024] = 0;
	map[1025] = 1000;
	set_mask(SIG_SETMASK, BOTH);
	sys(NR_kill, sys(NR_getpid), SIGBUS);
	sys(NR_kill, sys(NR_getpid), SIGSEGV);
	print("sleep: %ld\n", sys(NR_nanosleep, &map[1024], 0));
	sys(NR_ftruncate, fd, 0, 4096);
	print("sleep, cut off: %ld\n", sys(NR_nanosleep, &map[1024], 0));
	print("mask to cut off memory: %ld\n", sys(NR_rt_sigprocmask, 0, 0, &map[1024], 8));
	print("unmapped: %ld\n", sys(NR_nanosleep, 0x1000, 0));
	print("pending %lx\n", pending());
	take(BOTH, 0, 0);
	take(BOTH, 0, 0);
	set_mask(SIG_SETMASK, 0);
	sys(NR_close, fd);
	sys(NR_munmap, map, 8192);
}

static void faults(int blocked, int sent)
{
	s64 pid = fork_();

	if (!pid) {
		u32 no_core[4] = {0, 0, 0, 0};

		sys(NR_prlimit64, 0, 4, no_core, 0);
		set_handler(SIGSEGV, handler, SA_SIGINFO);
		set_mask(SIG_SETMASK, BIT(blocked) | BIT(sent));
		sys(NR_kill, sys(NR_getpid), sent);
		*(volatile u32 *)0x1000 = 1;
		quit(1);
	}
	print("fault, blocked %d, sent %d: %x\n", blocked, sent, wait_for(pid));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1) {
		print("after exec (%s): %lx\n", argv[1], pending());
		print("%ld\n", take(BOTH, 0, 0));
		print("%ld\n", take(BOTH, 0, 0));
		return 0;
	}
	alone();
	descriptors();
	threads();
	accesses();
	faults(SIGSEGV, SIGSEGV);
	faults(SIGSEGV, SIGBUS);
	set_mask(SIG_SETMASK, BOTH);
	sys(NR_kill, sys(NR_getpid), SIGSEGV);
	sys(NR_tkill, sys(NR_gettid), SIGBUS);
	exec_self("both", 0, 0);
	return 1;
}
