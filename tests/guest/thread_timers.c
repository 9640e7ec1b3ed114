/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers and time limits under --deterministic, where nothing but the guest's own instructions and its waiting lets time
 * pass: all that is printed is exact to the millisecond. */
#include "proc.h"

enum {
	NR_epoll_create1 = 20,
	NR_epoll_ctl,
	NR_epoll_pwait,
	NR_pselect6 = 72,
	NR_timerfd_create = 85
};
enum { NR_timerfd_settime = 86, NR_timerfd_gettime, NR_getitimer = 102, NR_timer_create = 107 };
enum { NR_timer_gettime = 108, NR_timer_getoverrun, NR_timer_settime, NR_timer_delete };
enum { NR_semget = 190, NR_semctl, NR_semtimedop };
enum { SIGVTALRM = 26, SIG_RT = 40, SI_TIMER = -2, SI_KERNEL = 0x80, O_NONBLOCK = 04000 };
enum { NOTIFY_SIGNAL, NOTIFY_NONE, NOTIFY_THREAD_ID = 4, ABSTIME = 1, BLOCK = 0, UNBLOCK = 1 };

struct itimerspec {
	u32 interval[2], value[2];
};

static char **environment;
static u64 start;
static volatile u32 caught, last_code, last_value, last_tid;

static void begin(void)
{
	start = now_ms();
}

static u32 passed(void)
{
	return (u32)(now_ms() - start);
}

static void on_signal(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)uc;
	caught++;
	last_code = get32(info + 8);
	last_value = get32(info + 20);
	last_tid = (u32)sys(NR_gettid);
}

static s64 wait_signal(void)
{
	return sys(NR_ppoll, 0, 0, 0, 0, 0);
}

static void set_itimer(u32 which, u32 ms, u32 every_ms)
{
	u32 new[4] = {every_ms / 1000, every_ms % 1000 * 1000, ms / 1000, ms % 1000 * 1000};

	sys(NR_setitimer, which, new, 0);
}

static void itimers(void)
{
	u32 left[4];

	set_handler(SIGALRM, on_signal, SA_SIGINFO);
	set_handler(SIGVTALRM, on_signal, SA_SIGINFO);
	begin();
	set_itimer(0, 2500, 0);
	sleep_ms(1000);
	sys(NR_getitimer, 0, left);
	print("itimer: left %u.%u", left[2], (left[3] + 999) / 1000);
	s64 r = wait_signal();
	print(", %ld after %u, code %d", r, passed(), last_code);
	begin();
	caught = 0;
	set_itimer(0, 20, 0);
	while (!caught)
		;
	print(", %u while it ran after %u", caught, passed());
	begin();
	caught = 0;
	set_itimer(0, 1000, 500);
	while (caught < 4)
		wait_signal();
	set_itimer(0, 0, 0);
	print(", 4 after %u", passed());
	/* Time of the processor does not pass while it waits. */
	caught = 0;
	set_itimer(1, 20, 0);
	sleep_ms(60000);
	print(", %u", caught);
	while (!caught)
		;
	print(" then %u of the processor\n", caught);
}

static s64 timer(u32 clock, u32 notify, u32 sig, u32 tid, u32 value)
{
	u32 ev[16] = {value, sig, notify, tid}, id = 99;
	s64 r = sys(NR_timer_create, clock, ev, &id);

	return r ? r : (s64)id;
}

static s64 arm(s64 id, u32 flags, u32 ms, u32 every_ms)
{
	struct itimerspec s = {{every_ms / 1000, every_ms % 1000 * 1000000},
			       {ms / 1000, ms % 1000 * 1000000}};

	return sys(NR_timer_settime, id, flags, &s, 0);
}

static u32 left(s64 id)
{
	struct itimerspec s = {0};

	sys(NR_timer_gettime, id, &s);
	return s.value[0] * 1000 + (s.value[1] + 999999) / 1000000;
}

static struct thread other;
static volatile u32 ready;

static int waits(void *arg)
{
	(void)arg;
	ready = 1;
	futex(&ready, FUTEX_WAKE, 1, 0, 0, 0);
	wait_signal();
	return 0;
}

static void posix_timers(void)
{
	u64 set = 1ull << (SIG_RT - 1);
	u8 info[128];
	s64 t = timer(1, NOTIFY_SIGNAL, SIG_RT, 0, 0x1234), none = timer(1, NOTIFY_NONE, 0, 0, 0);

	set_handler(SIG_RT, on_signal, SA_SIGINFO);
	set_mask(BLOCK, set);
	arm(t, 0, 100, 100);
	arm(none, 0, 700, 1000);
	sleep_ms(1050);
	s64 r = sys(NR_rt_sigtimedwait, &set, info, 0, 8);
	print("timer: %ld, code %d, overrun %u, value 0x%x", r, (int)get32(info + 8),
	      get32(info + 16), get32(info + 20));
	print(", getoverrun %ld, left %u, of the silent one %u", sys(NR_timer_getoverrun, t),
	      left(t), left(none));
	/* Nobody takes it, so nothing comes. */
	begin();
	u32 none_at_all[2] = {0, 0}, seconds[2] = {40, 0};
	r = sys(NR_rt_sigtimedwait, &set, info, none_at_all, 8);
	print(", at once %ld", r);
	arm(t, 0, 0, 0);
	r = sys(NR_rt_sigtimedwait, &set, info, seconds, 8);
	print(", %ld after %u\n", r, passed());
	set_mask(UNBLOCK, set);
	caught = 0;
	begin();
	u64 until = now_ms() + 3000;
	arm(t, ABSTIME, (u32)until, 0);
	while (!caught)
		wait_signal();
	print("absolute: after %u, value 0x%x, deleted %ld", passed(), last_value,
	      sys(NR_timer_delete, t));
	print(", %ld\n", arm(t, 0, 1, 0));
	thread_start(&other, waits, 0);
	while (!ready)
		futex(&ready, FUTEX_WAIT, 0, 0, 0, 0);
	s64 to = timer(1, NOTIFY_THREAD_ID, SIG_RT, other.tid, 7);
	arm(to, 0, 1500, 0);
	begin();
	thread_join(&other);
	print("for a thread: after %u, %s\n", passed(),
	      last_tid == other.tid ? "there" : "elsewhere");
	sys(NR_timer_delete, to);
}

static s64 timerfd(u32 ms, u32 every_ms)
{
	struct itimerspec s = {{every_ms / 1000, every_ms % 1000 * 1000000},
			       {ms / 1000, ms % 1000 * 1000000}};
	s64 fd = sys(NR_timerfd_create, 1, O_NONBLOCK);

	sys(NR_timerfd_settime, fd, 0, &s, 0);
	return fd;
}

static s64 ticks(s64 fd)
{
	u64 n = 0;
	s64 r = sys(NR_read, fd, &n, 8);

	return r == 8 ? (s64)n : r;
}

static void timerfds(void)
{
	struct itimerspec now;
	u32 event[4] = {1 /* EPOLLIN */, 0, 5, 0};
	s64 fd = timerfd(300, 300), again = sys(NR_dup3, fd, 200, 0);
	s64 ep = sys(NR_epoll_create1, 0);

	begin();
	print("timerfd: %ld", ticks(fd));
	sleep_ms(1000);
	sys(NR_timerfd_gettime, fd, &now);
	print(", %ld, left %u", ticks(fd), (now.value[1] + 999999) / 1000000);
	sys(NR_close, fd);
	sys(NR_epoll_ctl, ep, 1, again, event);
	s64 r = sys(NR_epoll_pwait, ep, event, 1, 10000, 0, 8);
	print(", epoll %ld after %u, %ld", r, passed(), ticks(again));
	if (!fork_()) {
		u32 pollfd[2] = {(u32)again, 1};

		r = sys(NR_ppoll, pollfd, 1, 0, 0, 0);
		print(", in a child %ld after %u, %ld", r, passed(), ticks(again));
		flush();
		quit(0);
	}
	flush();
	wait_for(-1);
	sys(NR_close, again);
	begin();
	r = sys(NR_epoll_pwait, ep, event, 1, 60000, 0, 8);
	print(", closed %ld after %u\n", r, passed());
	sys(NR_close, ep);
}

static int writes(void *arg)
{
	sleep_ms(2000);
	sys(NR_write, arg, "x", 1);
	return 0;
}

static void limits(void)
{
	int p[2];
	u32 limit[2] = {5, 0}, set[32] = {0};

	sys(NR_pipe2, p, 0);
	u32 pollfd[2] = {(u32)p[0], 1};
	begin();
	s64 r = sys(NR_ppoll, pollfd, 1, limit, 0, 0);
	print("poll: %ld after %u, left %u", r, passed(), limit[0]);
	limit[0] = 5;
	begin();
	thread_start(&other, writes, (void *)p[1]);
	r = sys(NR_ppoll, pollfd, 1, limit, 0, 0);
	print(", %ld after %u, left %u.%u\n", r, passed(), limit[0], limit[1] / 100000000);
	thread_join(&other);
	char c;
	sys(NR_read, p[0], &c, 1);
	set[p[0] / 32] = 1u << p[0] % 32;
	limit[0] = 7, limit[1] = 0;
	begin();
	r = sys(NR_pselect6, 32, set, 0, 0, limit, 0);
	print("select: %ld after %u, set %x\n", r, passed(), set[p[0] / 32]);
	s64 id = sys(NR_semget, 0, 1, 0600);
	u16 op[3] = {0, (u16)-1, 0};
	limit[0] = 30, limit[1] = 0;
	begin();
	r = sys(NR_semtimedop, id, op, 1, limit);
	print("semaphore: %ld after %u\n", r, passed());
	sys(NR_semctl, id, 0, 0 /* IPC_RMID */, 0);
}

static void sleeps_in_child(u32 ms)
{
	s64 pid = fork_();

	if (!pid) {
		sleep_ms(ms);
		quit(0);
	}
	begin();
	caught = 0;
	set_itimer(0, 5000, 0);
	s64 r = sys(NR_wait4, pid, 0, 0, 0);
	print("child: %s after %u", r == pid ? "ended" : "runs", passed());
	if (r < 0)
		wait_for(-1);
	print(", gone after %u, %u alarms\n", passed(), caught);
	set_itimer(0, 0, 0);
}

static void after_exec(void)
{
	u32 left[4];

	begin();
	sys(NR_getitimer, 0, left);
	print("execve: left %u", left[2] * 1000 + (left[3] + 999) / 1000);
	set_handler(SIGALRM, on_signal, SA_SIGINFO);
	s64 r = wait_signal();
	print(", %ld after %u\n", r, passed());
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)auxv;
	environment = envp;
	if (argv[1]) {
		after_exec();
		return 0;
	}
	itimers();
	posix_timers();
	timerfds();
	limits();
	sleeps_in_child(3000);
	sleeps_in_child(8000);
	set_itimer(0, 9000, 0);
	sleep_ms(2000);
	exec_self("again", 0, 0);
	return 1;
}
