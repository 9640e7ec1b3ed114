/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time limits under --deterministic: of PI futexes and message queues, whose minutes pass in no time when all sleep. The
 * threads of the process are the guest's alone. */
#include "proc.h"

enum { NR_openat_ = 56, NR_read_ = 63, NR_mq_open = 180, NR_mq_unlink, NR_mq_timedsend };
enum { NR_mq_timedreceive = 183, O_RDWR = 2, O_CREAT = 0100, CLOCK_REALTIME = 0 };

static volatile u32 lock;
static struct thread holder;

static int holds(void *arg)
{
	(void)arg;
	futex(&lock, FUTEX_LOCK_PI | FUTEX_PRIVATE, 0, 0, 0, 0);
	sleep_ms(50000);
	futex(&lock, FUTEX_UNLOCK_PI | FUTEX_PRIVATE, 0, 0, 0, 0);
	return 0;
}

static u32 *in(u32 seconds)
{
	static u32 ts[2];

	sys(NR_clock_gettime, CLOCK_REALTIME, ts);
	ts[0] += seconds;
	return ts;
}

static void limits(void)
{
	static const char name[] = "thread-clock";
	static const u32 attributes[16] = {0, 1, 16}; /* flags, one message of 16 bytes */
	static char message[16];
	u64 before = now_ms();
	s64 r;

	thread_start(&holder, holds, 0);
	sleep_ms(1000);
	r = futex(&lock, FUTEX_LOCK_PI | FUTEX_PRIVATE, 0, in(20), 0, 0);
	print("lock %ld after %u s", r, (u32)((now_ms() - before) / 1000));
	r = futex(&lock, FUTEX_LOCK_PI | FUTEX_PRIVATE, 0, in(100), 0, 0);
	print(", %ld after %u s\n", r, (u32)((now_ms() - before) / 1000));
	sys(NR_mq_unlink, name);
	s64 q = sys(NR_mq_open, name, O_RDWR | O_CREAT, 0600, attributes);
	thread_join(&holder);
	thread_start(&holder, holds, 0);
	sleep_ms(1000);
	before = now_ms();
	r = sys(NR_mq_timedreceive, q, message, 16, 0, in(10));
	print("receive %ld after %u s", r, (u32)((now_ms() - before) / 1000));
	print(", send %ld", sys(NR_mq_timedsend, q, message, 5, 0, in(10)));
	before = now_ms();
	r = sys(NR_mq_timedsend, q, message, 5, 0, in(10));
	print(", again %ld after %u s", r, (u32)((now_ms() - before) / 1000));
	print(", receive %ld\n", sys(NR_mq_timedreceive, q, message, 16, 0, in(10)));
	sys(NR_mq_unlink, name);
}

static void status(void)
{
	static char text[4096];
	s64 fd = sys(NR_openat_, -100, "/proc/self/status", 0, 0);
	s64 n = sys(NR_read_, fd, text, sizeof(text) - 1);

	for (s64 i = 0; i + 9 < n; i++) {
		if (text[i] == 'T' && text[i + 1] == 'h' && text[i + 2] == 'r')
			print("threads: %c\n", text[i + 9]);
	}
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	limits();
	status();
	return 0;
}
