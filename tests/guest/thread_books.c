// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that all use at once what the emulator keeps for the process: threads that come and go, forks of
// both kinds, texts of /proc, limits, folders; while others run code that is new each time.
#include "proc.h"

enum { WORKERS = 4, ROUNDS = 16, O_RDONLY = 0, SIGCHLD_ = 17 };
#define WCLONE_ 0x80000000u

static struct thread worker[WORKERS], inner[WORKERS], writer;
static volatile u32 failures, stop;

static void expect(int ok)
{
	if (!ok)
		add_lse(&failures, 1);
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static void read_text(const char *name)
{
	char text[256];
	s64 fd = sys(NR_openat, -100, name, O_RDONLY, 0);

	expect(fd >= 0);
	expect(sys(NR_read, fd, text, sizeof(text)) > 0);
	expect(sys(NR_close, fd) == 0);
}

/* An exit signal other than SIGCHLD takes another way than fork(3) does. */
static void fork_with(u32 exit_signal)
{
	u32 status = 0;
	s64 pid = sys(NR_clone, exit_signal, 0, 0, 0, 0);

	if (!pid) {
		read_text("/proc/self/maps");
		sys(NR_exit_group, 7);
	}
	expect(pid > 0);
	expect(sys(NR_wait4, pid, &status, exit_signal == SIGCHLD_ ? 0 : WCLONE_, 0) == pid);
	expect(status == 0x700);
}

static int work(void *arg)
{
	u32 me = (u32)arg;
	u64 limit[2];

	for (u32 i = 0; i < ROUNDS; i++) {
		expect(thread_start(&inner[me], nothing, 0) > 0);
		thread_join(&inner[me]);
		read_text("/proc/self/maps");
		read_text("/proc/self/status");
		expect(sys(NR_prlimit64, 0, 7, 0, limit) == 0);
		expect(sys(NR_prlimit64, 0, 7, limit, 0) == 0);
		if (i % 4 == me)
			fork_with(i % 8 < 4 ? SIGCHLD_ : 0);
	}
	return 0;
}

/* Functions of one instruction and a return, rewritten before each call: the engine translates all the time. */
static int rewrite(void *arg)
{
	u32 *code = arg;

	for (u32 i = 0; !stop; i++) {
		code[0] = 0x52800000u | (i & 0xffff) << 5; /* mov w0, #i */
		code[1] = 0xd65f03c0u;
		__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb"
				 :
				 : "r"((u64)(u32)code)
				 : "memory");
		expect(((u32(*)(void))code)() == (i & 0xffff));
	}
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 code = sys(NR_mmap2, 0, 4096, 7, 0x22, -1, 0);

	(void)argc, (void)argv, (void)envp, (void)auxv;
	thread_start(&writer, rewrite, (void *)(u32)code);
	for (u32 i = 0; i < WORKERS; i++)
		thread_start(&worker[i], work, (void *)i);
	for (u32 i = 0; i < WORKERS; i++)
		thread_join(&worker[i]);
	stop = 1;
	thread_join(&writer);
	print("failures %u\n", failures);
	return 0;
}
