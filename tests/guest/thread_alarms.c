// SPDX-License-Identifier: GPL-2.0-or-later
// Threads and timers of all kinds, in an order that nobody keeps: the output is a trace of who came when. For --deterministic
// (tests/guest/determined).
#include "proc.h"

enum {
	NR_epoll_create1 = 20,
	NR_epoll_ctl,
	NR_epoll_pwait,
	NR_pselect6 = 72,
	NR_timerfd_create = 85
};
enum { NR_timerfd_settime = 86, NR_timer_create = 107, NR_timer_settime = 110 };
enum { NR_semget = 190, NR_semctl, NR_semtimedop };
enum { SIG_RT = 40, SIG_WAIT = 41, NOTIFY_SIGNAL = 0, NOTIFY_THREAD_ID = 4, TURNS = 12 };

static char order[4096];
static volatile u32 at, word;
static struct thread t[5];
static s64 semaphore;

static void note(char c)
{
	if (at < sizeof(order) - 1)
		order[at++] = c;
}

static void on_signal(int sig, u8 *info, u8 *uc)
{
	(void)uc;
	note(sig == SIGALRM ? '!' : (char)('0' + get32(info + 20) % 10));
}

static void work(u32 n)
{
	for (volatile u32 spin = 0; spin < n; spin++)
		;
}

static void arm(u32 clock, u32 notify, u32 sig, u32 value, u32 us, u32 every_us)
{
	u32 ev[16] = {value, sig, notify, notify ? (u32)sys(NR_gettid) : 0}, id;
	u32 when[4] = {0, every_us * 1000, 0, us * 1000};

	sys(NR_timer_create, clock, ev, &id);
	sys(NR_timer_settime, id, 0, when, 0);
}

static int polls(void *arg)
{
	u32 when[4] = {0, 700000, 0, 300000}, pollfd[2], limit[2] = {0, 500000};
	s64 fd = sys(NR_timerfd_create, 1, 04000);
	u64 n;

	(void)arg;
	sys(NR_timerfd_settime, fd, 0, when, 0);
	pollfd[0] = (u32)fd;
	pollfd[1] = 1;
	for (u32 i = 0; i < TURNS; i++) {
		limit[0] = 0, limit[1] = 400000;
		s64 r = sys(NR_ppoll, pollfd, 1, limit, 0, 0);
		note(r > 0 ? 'P' : r ? 'q' : 'p');
		if (r > 0)
			sys(NR_read, fd, &n, 8);
		work(300);
	}
	return 0;
}

static int selects(void *arg)
{
	(void)arg;
	arm(1, NOTIFY_THREAD_ID, SIG_RT, 3, 900, 1100);
	for (u32 i = 0; i < TURNS; i++) {
		u32 limit[2] = {0, 350000};

		s64 r = sys(NR_pselect6, 0, 0, 0, 0, limit, 0);
		note(r ? 'S' : 's');
		work(500 + 100 * i);
	}
	return 0;
}

static int waits(void *arg)
{
	u64 set = 1ull << (SIG_WAIT - 1);

	(void)arg;
	arm(0, NOTIFY_THREAD_ID, SIG_WAIT, 4, 500, 800);
	for (u32 i = 0; i < TURNS; i++) {
		u32 limit[2] = {0, 600000};

		note(sys(NR_rt_sigtimedwait, &set, 0, limit, 8) > 0 ? 'W' : 'w');
		work(200);
	}
	return 0;
}

static int semaphores(void *arg)
{
	(void)arg;
	for (u32 i = 0; i < TURNS; i++) {
		u16 down[3] = {0, (u16)-1, 0}, up[3] = {0, 1, 0};
		u32 limit[2] = {0, 450000}, event[4], ep = (u32)sys(NR_epoll_create1, 0);

		note(sys(NR_semtimedop, semaphore, down, 1, limit) ? 'm' : 'M');
		note(sys(NR_epoll_pwait, ep, event, 1, 1, 0, 8) ? 'E' : 'e');
		sys(NR_close, ep);
		if (i % 3 == 1)
			sys(NR_semtimedop, semaphore, up, 1, 0);
	}
	return 0;
}

static int runs(void *arg)
{
	static const u32 short_time[2] = {0, 250000};

	(void)arg;
	for (u32 i = 0; i < TURNS * 4; i++) {
		work(4000);
		note('.');
		if (i % 8 == 3)
			sys(NR_futex, &word, 128, 0, short_time, 0, 0);
	}
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	static thread_fn *const fn[] = {polls, selects, waits, semaphores, runs};
	u32 now[2], every[4] = {0, 1300, 0, 700};

	(void)argc, (void)argv, (void)envp, (void)auxv;
	semaphore = sys(NR_semget, 0, 1, 0600);
	set_handler(SIGALRM, on_signal, SA_SIGINFO | 0x10000000 /* SA_RESTART */);
	set_handler(SIG_RT, on_signal, SA_SIGINFO);
	set_mask(0, 1ull << (SIG_WAIT - 1));
	sys(NR_setitimer, 0, every, 0);
	for (u32 i = 0; i < 5; i++)
		thread_start(&t[i], fn[i], 0);
	arm(1, NOTIFY_SIGNAL, SIG_RT, 8, 650, 950);
	for (u32 i = 0; i < 5; i++)
		thread_join(&t[i]);
	sys(NR_semctl, semaphore, 0, 0, 0);
	sys(NR_clock_gettime, 1, now);
	print("%s\n%u.%u\n", order, now[0], now[1]);
	return 0;
}
