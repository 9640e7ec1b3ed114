// SPDX-License-Identifier: GPL-2.0-or-later
// A storm of numbered signals, ten thousand a second if the host manages, against each blocking call: none
// is lost or out of order, and no call gives anything but what it would give without them, or EINTR where
// the kernel says so.
#include "proc.h"

enum {
	NR_epoll_create1 = 20,
	NR_epoll_ctl = 21,
	NR_epoll_pwait = 22,
	NR_flock = 32,
	NR_mknodat = 33,
	NR_pselect6 = 72,
	NR_msgget = 186,
	NR_msgctl = 187,
	NR_msgrcv = 188,
	NR_msgsnd = 189,
	NR_semget = 190,
	NR_semctl = 191,
	NR_semop = 193,
	NR_socket = 198,
	NR_socketpair = 199,
	NR_bind = 200,
	NR_listen = 201,
	NR_accept = 202,
	NR_connect = 203,
	NR_recvfrom = 207,
};
enum { ROUNDS = 6, SIGNALS = 120, STORM = 40, OTHER = 50, PIPE_SIZE = 4096 };

static volatile u32 received, wrong;
static volatile u32 *shared;
static u32 pipe_fd[2], go[2], parent, id;
static s64 fd, child;

static void numbered(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)uc;
	if (get32(info + 20) != received)
		wrong++;
	received++;
}

static void pause_us(u32 us)
{
	u32 ts[2] = {0, us * 1000};

	sys(NR_nanosleep, ts, 0);
}

/* The result of a call that fills V: EINTR is the caller's business, else it must be this. */
static s64 check(s64 r, u32 size, u32 v, u32 round)
{
	return r == -EINTR ? r : r == (s64)size && v == round;
}

/* --- descriptors --- */

static void tell(u32 round)
{
	sys(NR_write, pipe_fd[1], &round, 4);
}

static s64 call_read(u32 round)
{
	u32 v = 0;

	return check(sys(NR_read, pipe_fd[0], &v, 4), 4, v, round);
}

static u8 page[PIPE_SIZE];

static void fill_pipe(void)
{
	sys(NR_fcntl, pipe_fd[1], 1031 /* F_SETPIPE_SZ */, PIPE_SIZE);
	sys(NR_write, pipe_fd[1], page, PIPE_SIZE);
}

static s64 call_write(u32 round)
{
	s64 r = sys(NR_write, pipe_fd[1], page, PIPE_SIZE);

	(void)round;
	return r == -EINTR ? r : r == PIPE_SIZE;
}

static void empty_pipe(u32 round)
{
	(void)round;
	for (u32 n = 0; n < PIPE_SIZE;) {
		s64 r = sys(NR_read, pipe_fd[0], page, PIPE_SIZE - n);

		if (r <= 0)
			quit(1);
		n += (u32)r;
	}
}

static s64 ready(s64 r, u32 round)
{
	return r == 1 ? call_read(round) : r == -EINTR ? r : 0;
}

static s64 call_ppoll(u32 round)
{
	u32 p[2] = {pipe_fd[0], 1}, ts[2] = {20, 0};

	return ready(sys(NR_ppoll, p, 1, ts, 0, 8), round);
}

static s64 call_pselect(u32 round)
{
	u32 set[32] = {0}, ts[2] = {20, 0};

	set[pipe_fd[0] / 32] = 1u << pipe_fd[0] % 32;
	return ready(sys(NR_pselect6, pipe_fd[0] + 1, set, 0, 0, ts, 0), round);
}

static void make_epoll(void)
{
	u32 event[4] = {1};

	fd = sys(NR_epoll_create1, 0);
	sys(NR_epoll_ctl, fd, 1, pipe_fd[0], event);
}

static s64 call_epoll(u32 round)
{
	u32 event[4];

	return ready(sys(NR_epoll_pwait, fd, event, 1, 20000, 0, 8), round);
}

static void make_sockets(void)
{
	sys(NR_close, pipe_fd[0]);
	sys(NR_close, pipe_fd[1]);
	sys(NR_socketpair, 1, 1, 0, pipe_fd);
}

static s64 call_recv(u32 round)
{
	u32 v = 0;

	return check(sys(NR_recvfrom, pipe_fd[0], &v, 4, 0, 0, 0), 4, v, round);
}

static u8 address[20] = {1, 0, 0, 's', 't', 'o', 'r', 'm'};

static void make_listener(void)
{
	put32(address + 8, parent);
	fd = sys(NR_socket, 1, 1, 0);
	sys(NR_bind, fd, address, sizeof(address));
	sys(NR_listen, fd, 4);
}

static s64 call_accept(u32 round)
{
	s64 r = sys(NR_accept, fd, 0, 0);

	(void)round;
	return r < 0 ? r : sys(NR_close, r) == 0;
}

static void connect_(u32 round)
{
	s64 s = sys(NR_socket, 1, 1, 0);

	(void)round;
	if (sys(NR_connect, s, address, sizeof(address)))
		quit(1);
	sys(NR_close, s);
}

/* --- locks: the partner says when it has it, and gives it up a little later --- */

static u8 name[] = "/proc/self/fd/0", fifo[] = "storm-fifo-00000000";

static void make_file(void)
{
	fd = sys(NR_memfd_create, "x", 0);
}

static void hold_flock(u32 round)
{
	static s64 own;

	if (!own) {
		name[14] = (u8)('0' + fd); /* there are not ten */
		own = sys(NR_openat, -100, name, 2, 0);
	}
	if (sys(NR_flock, own, 2))
		quit(1);
	tell(round);
	pause_us(1000);
	sys(NR_flock, own, 8);
}

/* The token of the partner is taken once a round. */
static u32 has_token;

static s64 token(u32 round)
{
	s64 r = has_token ? 1 : call_read(round);

	has_token = r == 1;
	return r;
}

static s64 locked(s64 r)
{
	has_token = r == -EINTR;
	return r == -EINTR ? r : r == 0;
}

static s64 call_flock(u32 round)
{
	s64 r = token(round);

	if (r != 1)
		return r;
	r = locked(sys(NR_flock, fd, 2));
	if (r == 1)
		sys(NR_flock, fd, 8);
	return r;
}

struct lock {
	u16 type, whence;
	s32 start, len, pid;
};
enum { RDLCK, WRLCK, UNLCK, F_SETLKW = 7 };

static s64 record(u32 cmd, u16 type)
{
	struct lock l = {.type = type, .len = 1};

	return sys(NR_fcntl, fd, cmd, &l);
}

static void hold_record(u32 round)
{
	if (record(F_SETLKW, WRLCK))
		quit(1);
	tell(round);
	pause_us(1000);
	record(F_SETLKW, UNLCK);
}

static s64 call_record(u32 round)
{
	s64 r = token(round);

	if (r != 1)
		return r;
	r = locked(record(F_SETLKW, WRLCK));
	if (r == 1)
		record(F_SETLKW, UNLCK);
	return r;
}

static void make_fifo(void)
{
	*shared = 0;
	for (u32 i = 0; i < 8; i++)
		fifo[11 + i] = (u8)('a' + (parent >> 4 * i) % 16);
	sys(NR_mknodat, -100, fifo, 0010600, 0);
}

/* An open that is interrupted has let the other side in all the same. So that one keeps its end until it is
 * told, else what it wrote is gone with it, before the open is done again. */
static s64 call_fifo(u32 round)
{
	s64 f = sys(NR_openat, -100, fifo, 0, 0), r;
	u32 v = 0, end;

	if (f < 0)
		return f;
	do
		r = check(sys(NR_read, f, &v, 4), 4, v, round);
	while (r == -EINTR);
	*shared = round + 1;
	while (sys(NR_read, f, &end, 4) == -EINTR)
		;
	sys(NR_close, f);
	return r;
}

static void open_fifo(u32 round)
{
	s64 f = sys(NR_openat, -100, fifo, 1, 0);

	set_handler(SIGPIPE, 1, 0);
	while (sys(NR_write, f, &round, 4) != 4)
		pause_us(200);
	while (*shared != round + 1)
		pause_us(200);
	sys(NR_close, f);
}

static void remove_fifo(void)
{
	sys(NR_unlinkat, -100, fifo, 0);
}

/* --- futexes, time, processes, signals, System V --- */

static s64 call_futex(u32 round)
{
	/* Who found the word changed already may get the wake-up that was meant for that in the next round. */
	do {
		s64 r = futex(shared, FUTEX_WAIT, round, 0, 0, 0);

		if (r != 0 && r != -EAGAIN)
			return r;
	} while (*shared == round);
	return *shared == round + 1;
}

static void wake(u32 round)
{
	*shared = round + 1;
	futex(shared, FUTEX_WAKE, 1, 0, 0, 0);
}

static void clear_word(void)
{
	*shared = 0;
}

static u32 left[2];
static u64 since;

static s64 call_sleep(u32 round)
{
	s64 r;

	(void)round;
	if (!left[1]) {
		since = now_ms();
		left[1] = 20000000;
	}
	r = sys(NR_nanosleep, left, left);
	if (r == -EINTR)
		return r;
	left[1] = 0;
	return r == 0 && now_ms() - since >= 19;
}

static s64 call_wait(u32 round)
{
	int status = 0;
	s64 r;

	if (!child) {
		child = fork_();
		if (!child) {
			pause_us(1000);
			quit((int)round);
		}
	}
	r = sys(NR_wait4, child, &status, 0, 0);
	if (r == -EINTR)
		return r;
	r = r == child && status == (int)round << 8;
	child = 0;
	return r;
}

static void block_other(void)
{
	set_mask(SIG_BLOCK, BIT(OTHER));
}

static s64 call_sigwait(u32 round)
{
	u64 set = BIT(OTHER);
	u32 info[32], ts[2] = {20, 0};

	return check(sys(NR_rt_sigtimedwait, &set, info, ts, 8), OTHER, info[5], round);
}

static void queue_other(u32 round)
{
	u32 info[32] = {OTHER, 0, (u32)-1, 0, 0, round};

	sys(NR_rt_sigqueueinfo, parent, OTHER, info);
}

static void make_queue(void)
{
	id = (u32)sys(NR_msgget, 0, 01600);
}

static s64 call_msgrcv(u32 round)
{
	u32 m[2] = {0};

	return check(sys(NR_msgrcv, id, m, 4, 1, 0), 4, m[1], round);
}

static void send_message(u32 round)
{
	u32 m[2] = {1, round};

	sys(NR_msgsnd, id, m, 4, 0);
}

static void remove_queue(void)
{
	sys(NR_msgctl, id, 0, 0);
}

static void make_semaphore(void)
{
	id = (u32)sys(NR_semget, 0, 1, 01600);
}

static s64 add(s32 n)
{
	u16 op[3] = {0, (u16)n, 0};

	return sys(NR_semop, id, op, 1);
}

static s64 call_semop(u32 round)
{
	s64 r = add(-1);

	(void)round;
	return r == -EINTR ? r : r == 0;
}

static void post(u32 round)
{
	(void)round;
	add(1);
}

static void remove_semaphore(void)
{
	sys(NR_semctl, id, 0, 0, 0);
}

static const struct kind {
	const char *name;
	void (*before)(void);
	s64 (*call)(u32 round); /* 1 as it should, 0 not, -EINTR: again */
	void (*partner)(u32 round);
	void (*after)(void);
	u32 restarts; /* with SA_RESTART it never gives EINTR */
} kinds[] = {
	{"read", 0, call_read, tell, 0, 1},
	{"write", fill_pipe, call_write, empty_pipe, 0, 1},
	{"ppoll", 0, call_ppoll, tell, 0, 0},
	{"pselect6", 0, call_pselect, tell, 0, 0},
	{"epoll_pwait", make_epoll, call_epoll, tell, 0, 0},
	{"recvfrom", make_sockets, call_recv, tell, 0, 1},
	{"accept", make_listener, call_accept, connect_, 0, 1},
	{"flock", make_file, call_flock, hold_flock, 0, 1},
	{"fcntl F_SETLKW", make_file, call_record, hold_record, 0, 1},
	{"open of a fifo", make_fifo, call_fifo, open_fifo, remove_fifo, 1},
	{"futex", clear_word, call_futex, wake, 0, 1},
	{"nanosleep", 0, call_sleep, 0, 0, 0},
	{"wait4", 0, call_wait, 0, 0, 1},
	{"rt_sigtimedwait", block_other, call_sigwait, queue_other, 0, 0},
	{"msgrcv", make_queue, call_msgrcv, send_message, remove_queue, 0},
	{"semop", make_semaphore, call_semop, post, remove_semaphore, 0},
};

/* --- the storm --- */

static void storm(void)
{
	u32 info[32] = {STORM, 0, (u32)-1};

	for (u32 i = 0; i < SIGNALS; i++) {
		s64 r;

		info[5] = i;
		while ((r = sys(NR_rt_sigqueueinfo, parent, STORM, info)) == -EAGAIN)
			sys(NR_sched_yield);
		if (r)
			quit(1);
		pause_us(40);
	}
	quit(0);
}

static void partner(const struct kind *k)
{
	u32 round;

	sys(NR_close, go[1]);
	while (sys(NR_read, go[0], &round, 4) == 4) {
		pause_us(1500);
		if (k->partner)
			k->partner(round);
	}
	quit(0);
}

static void run(const struct kind *k, u32 flags)
{
	u32 right = 0, interrupted = 0;
	s64 stormer, other, r;

	received = 0;
	sys(NR_pipe2, pipe_fd, 0);
	sys(NR_pipe2, go, 0);
	set_handler(STORM, numbered, SA_SIGINFO | flags);
	if (k->before)
		k->before();
	other = fork_();
	if (!other)
		partner(k);
	stormer = fork_();
	if (!stormer)
		storm();
	for (u32 round = 0; round < ROUNDS; round++) {
		sys(NR_write, go[1], &round, 4);
		while ((r = k->call(round)) == -EINTR)
			interrupted++;
		right += r == 1;
	}
	sys(NR_close, go[0]);
	sys(NR_close, go[1]);
	r = wait_for(stormer) | wait_for(other);
	print("%s%s: right %u, helpers %x, signals %u, out of order %u%s\n", k->name,
	      flags ? ", SA_RESTART" : "", right, (u32)r, received, wrong,
	      flags && k->restarts && interrupted ? ", interrupted" : "");
	if (k->after)
		k->after();
	sys(NR_close, pipe_fd[0]);
	sys(NR_close, pipe_fd[1]);
	if (fd)
		sys(NR_close, fd);
	fd = 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	parent = (u32)sys(NR_getpid);
	shared = (u32 *)(u32)sys(NR_mmap2, 0, 4096, 3, 0x21, -1, 0);
	for (u32 i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		run(&kinds[i], 0);
		run(&kinds[i], SA_RESTART);
	}
	return 0;
}
