/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks, sleeping, timers: 8-byte times, and 16-byte ones where a kernel has those calls. */
#include "abi.h"

static u8 buf[256] __attribute__((aligned(16)));

static s64 take(u32 sig)
{
	memset(buf, 0xa5, sizeof(buf));
	return wait_signal(sig, buf);
}

#define TIMER \
 "oracle README 6 sigevent, 7 timer_create; linux kernel/time/posix-timers.c compat_sys_timer_create"

CASE("STR-045", "timer_create timer_settime timer_delete rt_sigtimedwait", ALL, TIMER,
     "SIGEV_SIGNAL: value at 0, signal at 4; it comes back at 20 of siginfo")
{
	u32 ev[16] = {0x87654321, 34, 0}, its[4] = {0, 0, 0, 1000000};
	s32 id = -1;

	block(34);
	EQ(S(timer_create, 1, ev, &id), 0);
	EQ(S(timer_settime, id, 0, its, 0), 0);
	EQ(take(34), 34);
	EQ((s32)get32(buf + 8), -2);
	EQ(get32(buf + 12), id);
	EQ(get32(buf + 16), 0);
	EQ(get32(buf + 20), 0x87654321);
	EQ(S(timer_delete, id), 0);
	EQ(S(timer_delete, id), -EINVAL);
}

CASE("STR-046", "timer_create gettid", ALL, TIMER, "SIGEV_THREAD_ID: the thread is at 12")
{
	u32 ev[16] = {5, 35, 4, (u32)S(gettid)}, its[4] = {0, 0, 0, 1000000};
	s32 id = -1;

	block(35);
	EQ(S(timer_create, 1, ev, &id), 0);
	EQ(S(timer_settime, id, 0, its, 0), 0);
	EQ(take(35), 35);
	ev[3] = 0x7ffffff;
	EQ(S(timer_create, 1, ev, &id), -EINVAL);
	ev[2] = 9;
	EQ(S(timer_create, 1, ev, &id), -EINVAL);
}

CASE("TIM-001", "timer_create timer_settime timer_gettime timer_getoverrun", ALL, TIMER,
     "a timer without sigevent: SIGALRM with the id; itimerspec has 16 bytes")
{
	u32 its[4] = {100, 5, 200, 6}, *got = (u32 *)at_end(16);
	s32 id = -1;

	EQ(S(timer_create, 1, 0, &id), 0);
	EQ(S(timer_settime, id, 0, its, got), 0);
	OK(all_bytes(got, 0, 16));
	EQ(S(timer_gettime, id, got), 0);
	EQ(got[0], 100);
	EQ(got[1], 5);
	OK(got[2] == 199 || got[2] == 200);
	EQ(S(timer_getoverrun, id), 0);
	its[3] = 1000000000;
	EQ(S(timer_settime, id, 0, its, 0), -EINVAL);
	EQ(S(timer_gettime, id, got + 1), -EFAULT);
	EQ(S(timer_gettime, 99, got), -EINVAL);
}

CASE("TIM-002", "clock_gettime clock_getres gettimeofday", ALL, "oracle structs \"clock_gettime\"",
     "times have 8 bytes")
{
	s32 *ts = (s32 *)at_end(8), tv[2], tz[2];

	EQ(S(clock_gettime, 0, ts), 0);
	OK(ts[0] > 1500000000 && ts[1] >= 0 && ts[1] < 1000000000);
	EQ(S(gettimeofday, tv, tz), 0);
	OK(tv[0] - ts[0] <= 2 && tv[0] >= ts[0] && tv[1] >= 0 && tv[1] < 1000000);
	EQ(S(gettimeofday, 0, 0), 0);
	EQ(S(clock_gettime, 1, ts + 1), -EFAULT);
	EQ(S(clock_gettime, 1000, ts), -EINVAL);
	EQ(S(clock_getres, 1, ts), 0);
	OK(ts[0] == 0 && ts[1] >= 1 && ts[1] <= 10000000);
	EQ(S(clock_getres, 1, 0), 0);
}

CASE("TIM-003", "nanosleep clock_nanosleep", ALL,
     "linux kernel/time/hrtimer.c compat_sys_nanosleep",
     "sleeping: nanoseconds 0..999999999, seconds not negative, absolute times")
{
	s32 ts[2] = {0, 20000000};
	s64 from = now_ms();

	EQ(S(nanosleep, ts, 0), 0);
	OK(now_ms() - from >= 19);
	ts[1] = 1000000000;
	EQ(S(nanosleep, ts, 0), -EINVAL);
	ts[0] = -1;
	ts[1] = 0;
	EQ(S(nanosleep, ts, 0), -EINVAL);
	EQ(S(clock_nanosleep, 1, 0, ts, 0), -EINVAL);
	EQ(S(clock_gettime, 1, ts), 0);
	EQ(S(clock_nanosleep, 1, 1, ts, 0), 0);
	EQ(S(clock_nanosleep, 99, 0, ts, 0), -EINVAL);
}

CASE("TIM-004", "setitimer getitimer", ALL, "oracle structs \"getitimer (102)\"",
     "itimerval has 16 bytes")
{
	u32 it[4] = {5, 6000, 7, 8000}, *got = (u32 *)at_end(16);

	EQ(S(setitimer, 0, it, got), 0);
	EQ(S(getitimer, 0, got), 0);
	EQ(got[0], 5);
	OK(got[1] >= 6000 && got[1] <= 10000);
	OK(got[2] == 6 || got[2] == 7);
	EQ(S(getitimer, 0, got + 1), -EFAULT);
	EQ(S(getitimer, 3, got), -EINVAL);
	it[1] = 1000000;
	EQ(S(setitimer, 0, it, 0), -EINVAL);
}

CASE("TIM-005", "timerfd_create timerfd_settime timerfd_gettime read", ALL,
     "linux fs/timerfd.c compat_sys_timerfd_settime",
     "timerfd: itimerspec of 16 bytes, a counter of 8")
{
	s64 fd = GOOD(S(timerfd_create, 1, 0));
	u32 its[4] = {0, 0, 0, 1000000}, got[5] = {0, 0, 0, 0, 0xa5a5a5a5};
	u64 count = 0;

	EQ(S(timerfd_settime, fd, 0, its, got), 0);
	EQ(S(read, fd, &count, 8), 8);
	EQ(count, 1);
	its[2] = 100;
	EQ(S(timerfd_settime, fd, 0, its, 0), 0);
	EQ(S(timerfd_gettime, fd, got), 0);
	OK(got[2] >= 99 && got[2] <= 100 && got[4] == 0xa5a5a5a5);
	EQ(S(timerfd_create, 99, 0), -EINVAL);
}

CASE("TIM-006", "sched_rr_get_interval", ALL, "oracle structs \"sched_rr_get_interval (127)\"",
     "sched_rr_get_interval writes 8 bytes")
{
	u32 *ts = (u32 *)at_end(8);

	EQ(S(sched_rr_get_interval, 0, ts), 0);
	OK(ts[0] == 0 && ts[1] < 1000000000);
	EQ(S(sched_rr_get_interval, -1, ts), -EINVAL);
}

CASE("TIM-007", "futex", ALL, "linux kernel/futex_compat.c compat_sys_futex",
     "futex wait: timeout of 8 bytes; a different value is EAGAIN")
{
	u32 word = 5, ts[3] = {0, 20000000, 0xffffffff};
	s64 from = now_ms();

	EQ(S(futex, &word, 0, 5, ts), -ETIMEDOUT);
	OK(now_ms() - from >= 19);
	EQ(S(futex, &word, 0, 6, ts), -EAGAIN);
	ts[1] = 1000000000;
	EQ(S(futex, &word, 0, 5, ts), -EINVAL);
	EQ(S(futex, &word, 9, 5, 0, 0, 0), -EINVAL);
	EQ(S(futex, (u8 *)&word + 1, 0, 5, 0), -EINVAL);
}

/* --- 64-bit time ---------------------------------------------------------------------------------- */

#define TIME64 \
 "linux 5.1 include/uapi/asm-generic/unistd.h 403..423; kernel/time/time.c get_timespec64"

CASE("T64-001", "clock_gettime64 clock_getres_time64", SINCE_6_6, TIME64,
     "clock_gettime64 writes 16 bytes")
{
	u64 *ts = (u64 *)at_end(16);
	s32 old[2];

	EQ(S(clock_gettime64, 0, ts), 0);
	EQ(S(clock_gettime, 0, old), 0);
	OK(old[0] - (s64)ts[0] <= 2 && old[0] >= (s64)ts[0] && ts[1] < 1000000000);
	EQ(S(clock_getres_time64, 1, ts), 0);
	OK(ts[0] == 0 && ts[1] >= 1);
	EQ(S(clock_gettime64, 0, ts + 1), -EFAULT);
}

CASE("T64-001a", "", UNTIL_5_10, "oracle enosys; linux 5.10 include/uapi/asm-generic/unistd.h",
     "clock_gettime64 is not there")
{
	u64 ts[2];

	EQ(S(clock_gettime64, 0, ts), -ENOSYS);
}

CASE("T64-002", "clock_nanosleep_time64", SINCE_6_6, TIME64 ": the upper half of tv_nsec is masked",
     "garbage above tv_nsec is ignored")
{
	u64 ts[2] = {0, 20000000 | 0xdeadbeefull << 32};
	s64 from = now_ms();

	EQ(S(clock_nanosleep_time64, 1, 0, ts, 0), 0);
	OK(now_ms() - from >= 19);
	ts[0] = 1ull << 63;
	EQ(S(clock_nanosleep_time64, 1, 0, ts, 0), -EINVAL);
}

CASE("T64-003", "futex_time64", SINCE_6_6, TIME64, "futex_time64 waits by a timeout of 16 bytes")
{
	u32 word = 5;
	u64 ts[2] = {0, 20000000};

	EQ(S(futex_time64, &word, 0, 5, ts), -ETIMEDOUT);
	EQ(S(futex_time64, &word, 0, 4, ts), -EAGAIN);
}

CASE("T64-004", "semtimedop_time64 mq_timedsend_time64 mq_timedreceive_time64", SINCE_6_6, TIME64,
     "semtimedop_time64 and mq_timed*_time64 take 16 bytes")
{
	u16 wait[3] = {0, 0xffff, 0};
	u64 ts[2] = {0, 20000000};
	u32 attr[8] = {0, 2, 32, 0}, prio;
	int id = ipc_object(IPC_SEM, CONFIGURED(S(semget, 0, 1, 0600)));
	s64 q;

	EQ(S(semtimedop_time64, id, wait, 1, ts), -EAGAIN);
	namespaces(CLONE_NEWIPC);
	q = CONFIGURED(S(mq_open, "q", O_CREAT | O_RDWR, 0600, attr));
	ts[0] = 1;
	EQ(S(mq_timedsend_time64, q, "ab", 2, 1, ts), 0);
	EQ(S(mq_timedreceive_time64, q, buf, 32, &prio, ts), 2);
	EQ(S(mq_timedreceive_time64, q, buf, 32, &prio, ts), -ETIMEDOUT);
}

CASE("T64-005", "ppoll_time64", SINCE_6_6, TIME64, "ppoll_time64 with a signal set of 8 bytes")
{
	u32 mask[2] = {0, 0};
	u64 ts[2] = {0, 5000000};

	EQ(S(ppoll_time64, 0, 0, ts, mask, 8), 0);
	EQ(S(ppoll_time64, 0, 0, ts, mask, 16), -EINVAL);
}

CASE("T64-006", "timer_settime64 timer_gettime64", SINCE_6_6, TIME64,
     "timer_settime64 and timer_gettime64 have 32 bytes")
{
	u64 its[4] = {100, 5, 0x100000000ull, 6}, *got = (u64 *)at_end(32);
	s32 id = -1;

	EQ(S(timer_create, 1, 0, &id), 0);
	EQ(S(timer_settime64, id, 0, its, got), 0);
	OK(all_bytes(got, 0, 32));
	EQ(S(timer_gettime64, id, got), 0);
	EQ(got[0], 100);
	OK(got[2] == 0x100000000ull || got[2] == 0xffffffffull);
}

CASE("T64-007", "timerfd_settime64 timerfd_gettime64", SINCE_6_6, TIME64,
     "timerfd_settime64 and timerfd_gettime64 have 32 bytes")
{
	s64 fd = GOOD(S(timerfd_create, 1, 0));
	u64 its[4] = {0, 0, 0x100000000ull, 0}, *got = (u64 *)at_end(32);

	EQ(S(timerfd_settime64, fd, 0, its, got), 0);
	EQ(S(timerfd_gettime64, fd, got), 0);
	OK(got[2] == 0x100000000ull || got[2] == 0xffffffffull);
	EQ(S(timerfd_gettime64, fd, got + 1), -EFAULT);
}

CASE("T64-008", "rt_sigtimedwait_time64 sched_rr_get_interval_time64", SINCE_6_6, TIME64,
     "rt_sigtimedwait_time64 and sched_rr_get_interval_time64 take 16 bytes")
{
	u32 mask[2] = {1u << 9, 0};
	u64 ts[2] = {0, 5000000}, *got = (u64 *)at_end(16);

	EQ(S(rt_sigtimedwait_time64, mask, buf, ts, 8), -EAGAIN);
	EQ(S(sched_rr_get_interval_time64, 0, got), 0);
	OK(got[0] == 0 && got[1] < 1000000000);
}

CASE("T64-009", "clock_adjtime64", SINCE_6_6,
     "linux 5.1 kernel/time/posix-timers.c sys_clock_adjtime: timex of 208 bytes",
     "clock_adjtime64 reads and writes the 64-bit timex")
{
	u8 *tx = at_end(208);

	OK(S(clock_adjtime64, 0, tx) >= 0);
	OK(get64(tx + 72) > 1500000000ull && get64(tx + 72) < 1ull << 40);
	OK(get64(tx + 88) >= 9000 && get64(tx + 88) <= 11000);
	EQ(S(clock_adjtime64, 0, tx + 8), -EFAULT);
}

CASE("T64-010", "clock_settime64", SINCE_6_6, TIME64,
     "clock_settime64 checks the time before the right to set it")
{
	u64 ts[2] = {(u64)-1, 0};

	unprivileged();
	EQ(S(clock_settime64, 0, ts), -EINVAL);
	ts[0] = 2000000000;
	EQ(S(clock_settime64, 0, ts), -EPERM);
}

CASE("T64-011", "io_pgetevents_time64", SINCE_6_6, TIME64, "io_pgetevents_time64 waits by 16 bytes")
{
	u32 context = 0;
	u64 ts[2] = {0, 10000000};

	EQ(CONFIGURED(S(io_setup, 2, &context)), 0);
	EQ(S(io_pgetevents_time64, context, 1, 1, buf, ts, 0), 0);
}
