// SPDX-License-Identifier: GPL-2.0-or-later
// fork and vfork while other threads keep the emulator busy: maps, descriptors, texts of /proc, threads, new
// code. Each child does the same before it ends, so a lock that fork left closed would stop it. Arguments: how
// many children; "leak" for a look at descriptors and memory before and after.
#include "proc.h"

enum { WORKERS = 3, O_RDONLY = 0, CLONE_VM_VFORK = CLONE_VM | CLONE_VFORK };

static struct thread t[WORKERS], inner[WORKERS + 1];
static volatile u32 failures, stop;

static void expect(int ok)
{
	if (!ok)
		add_lse(&failures, 1);
}

static u64 number_after(const char *text, const char *key)
{
	for (; *text; text++) {
		const char *a = text, *b = key;
		u64 v = 0;

		for (; *b && *a == *b; a++, b++)
			;
		if (*b)
			continue;
		for (; *a == ' ' || *a == '\t'; a++)
			;
		for (; *a >= '0' && *a <= '9'; a++)
			v = v * 10 + (u64)(*a - '0');
		return v;
	}
	return 0;
}

/* A page of code, run, and gone. */
static void run_new_code(u32 v)
{
	u32 *code = (u32 *)(u32)sys(NR_mmap2, 0, 4096, 7, 0x22, -1, 0);
	u32 (*fn)(void) = (u32(*)(void))code;

	expect((u32)code < 0xfffff000u);
	code[0] = 0x52800000u | (v & 0xffff) << 5; /* mov w0, #v */
	code[1] = 0xd65f03c0u;                     /* ret */
	__asm__ volatile("dc cvau, %0\n dsb ish\n ic ivau, %0\n dsb ish\n isb"
			 :
			 : "r"((u64)(u32)code));
	expect(fn() == (v & 0xffff));
	expect(sys(NR_mprotect, code, 4096, 1) == 0);
	expect(sys(NR_munmap, code, 4096) == 0);
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static void busy(u32 who, u32 v)
{
	char text[256];
	u32 p[2];
	s64 fd = sys(NR_openat, -100, "/proc/self/maps", O_RDONLY, 0);

	expect(sys(NR_read, fd, text, sizeof(text)) > 0);
	expect(sys(NR_close, fd) == 0);
	run_new_code(v);
	expect(sys(NR_pipe2, p, 0) == 0);
	expect(sys(NR_close, p[0]) == 0 && sys(NR_close, p[1]) == 0);
	expect(thread_start(&inner[who], nothing, 0) > 0);
	thread_join(&inner[who]);
}

static int work(void *arg)
{
	for (u32 v = 0; !stop; v++)
		busy((u32)arg, v);
	return 0;
}

static u8 stack[16384] __attribute__((aligned(16)));

static int vfork_child(void *arg)
{
	sys(NR_exit_group, (u32)arg & 0x3f);
	return 0;
}

static void one_child(u32 i)
{
	s64 pid;

	if (i % 4 == 3) {
		pid = clone_call(vfork_child, (void *)i, CLONE_VM_VFORK | SIGCHLD,
				 stack + sizeof(stack), 0, 0, 0);
	} else {
		/* An exit signal other than SIGCHLD takes another way than fork(3) does. */
		pid = sys(NR_clone, i % 4 == 2 ? 0 : SIGCHLD, 0, 0, 0, 0);
		if (!pid) {
			failures = 0;
			busy(WORKERS, i);
			sys(NR_exit_group, failures ? 0x40 : i & 0x3f);
		}
	}
	expect(pid > 0);
	int status = -1;
	s64 r;
	do
		r = sys(NR_wait4, pid, &status, 0x40000000 /* __WALL */, 0);
	while (r == -EINTR);
	expect(r == pid && status == (int)(i & 0x3f) << 8);
}

static void look(const char *when)
{
	static char text[4096];
	s64 fd = sys(NR_openat, -100, "/proc/self/status", O_RDONLY, 0), n;
	u32 open = 0;

	n = sys(NR_read, fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = 0;
	sys(NR_close, fd);
	for (u32 i = 0; i < 1024; i++)
		open += sys(NR_fcntl, i, 1, 0) >= 0;
	print("%s: %u descriptors, threads %ld, resident %ld kB\n", when, open,
	      number_after(text, "Threads:"), number_after(text, "VmRSS:"));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 children = argc > 1 ? 0 : 60, leak = argc > 2;

	(void)envp, (void)auxv;
	for (const char *p = argc > 1 ? argv[1] : ""; *p; p++)
		children = children * 10 + (u32)(*p - '0');
	for (u32 i = 0; i < WORKERS; i++)
		expect(thread_start(&t[i], work, (void *)i) > 0);
	for (u32 i = 0; i < children; i++) {
		if (leak && i == children / 10)
			look("before");
		one_child(i);
	}
	if (leak)
		look("after");
	stop = 1;
	for (u32 i = 0; i < WORKERS; i++)
		thread_join(&t[i]);
	print("failures %u, children left %ld\n", failures, sys(NR_wait4, -1, 0, 0x40000001, 0));
	return 0;
}
