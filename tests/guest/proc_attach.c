/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptrace beyond PTRACE_TRACEME: attaching, seizing, group stops, events of fork, vfork, clone and exec, threads, and
 * tracers that end. Expected values from kernel/ptrace.c, kernel/signal.c and ptrace(2); a native 64-bit run gives
 * the same. */
#include "proc.h"

enum { NR_ptrace = 117 };
enum { TRACEME, CONT = 7, ATTACH = 16, DETACH, SYSCALL = 24, SETOPTIONS = 0x4200, GETEVENTMSG };
enum { GETSIGINFO = 0x4202, SEIZE = 0x4206, INTERRUPT, LISTEN };
enum { O_SYSGOOD = 1, O_FORK = 2, O_VFORK = 4, O_CLONE = 8, O_EXEC = 16, O_VFORKDONE = 32 };
#define O_EXITKILL 0x100000
#define WALL       0x40000000u

static s64 child;
static volatile u32 *shared;

static s64 pt(u32 request, unsigned long addr, unsigned long data)
{
	return sys(NR_ptrace, request, child, addr, data);
}

static u32 status_of(s64 pid)
{
	static u32 status;

	s64 r = sys(NR_wait4, pid, &status, WALL, 0);
	return r == pid ? status : 0xffffffff;
}

/* Goes on with REQUEST and SIG until the next stop. */
static u32 go(u32 request, u32 sig)
{
	s64 r = pt(request, 0, sig);

	if (r)
		print("(request %u: %ld) ", request, r);
	return status_of(child);
}

static s64 message(void)
{
	static unsigned long m;

	m = 0;
	return pt(GETEVENTMSG, 0, (unsigned long)&m) ? -1 : (s64)m;
}

static u32 info_code(void)
{
	static u8 info[128];

	return pt(GETSIGINFO, 0, (unsigned long)info) ? 0 : get32(info + 8);
}

static void caught(int sig, u8 *info, u8 *uc)
{
	(void)info, (void)uc;
	shared[0] += (u32)sig;
}

/* A process that sleeps in a call, which restarts. */
static s64 sleeper(void)
{
	s64 pid = fork_();

	if (pid)
		return pid;
	set_handler(SIGUSR1, caught, SA_RESTART);
	shared[1] = 1;
	for (;;)
		sleep_ms(100000);
}

/* One that makes calls. */
static s64 caller(void)
{
	s64 pid = fork_();

	if (pid)
		return pid;
	for (;;)
		shared[2] = (u32)sys(NR_getppid);
}

static s64 with_start(s64 (*start)(void))
{
	shared[0] = shared[1] = 0;
	s64 pid = start();
	while (start == sleeper && !shared[1])
		sleep_ms(1);
	return pid;
}

static void end_of(s64 pid)
{
	sys(NR_kill, pid, SIGKILL);
	print(", end %x\n", status_of(pid));
}

static int idle(void *arg)
{
	(void)arg;
	sleep_ms(300);
	return 0;
}

static struct thread thread;

static void attached(void)
{
	child = with_start(sleeper);
	print("attach %ld", pt(ATTACH, 0, 0));
	print(": %x", status_of(child));
	print(", code %x", info_code());
	print(", again %ld", pt(ATTACH, 0, 0));
	print(", interrupt %ld", pt(INTERRUPT, 0, 0));
	print(", listen %ld\n", pt(LISTEN, 0, 0));
	pt(CONT, 0, 0);
	sys(NR_kill, child, SIGUSR1);
	print("SIGUSR1 %x", status_of(child));
	print(", count %u", shared[0]);
	pt(CONT, 0, SIGUSR1);
	while (!shared[0])
		sleep_ms(1);
	sys(NR_kill, child, SIGUSR2);
	print(", SIGUSR2 %x", status_of(child));
	print(", count %u", shared[0]);
	pt(CONT, 0, 0);
	sys(NR_kill, child, SIGSTOP);
	print(", SIGSTOP %x", status_of(child));
	print(", group stop %x", go(CONT, SIGSTOP));
	print(", code %x", info_code());
	pt(CONT, 0, 0);
	sys(NR_kill, child, SIGUSR1);
	print(", signal %x", status_of(child));
	print(", detach %ld", pt(DETACH, 0, SIGUSR1));
	/* The process as a whole is still stopped. */
	static u32 status;
	print(", stopped %d", sys(NR_wait4, child, &status, 2, 0) == child && status == 0x137f);
	sys(NR_kill, child, SIGUSR1);
	sys(NR_kill, child, SIGCONT);
	while (shared[0] < 3 * SIGUSR1)
		sleep_ms(1);
	print(", count %u", shared[0]);
	end_of(child);

	child = sys(NR_getpid);
	print("self %ld", pt(ATTACH, 0, 0));
	child = thread_start(&thread, idle, 0);
	print(", own thread %ld", pt(ATTACH, 0, 0));
	print(", seized %ld", pt(SEIZE, 0, 0));
	thread_join(&thread);
	child = 1 << 22 | 1;
	print(", nobody %ld\n", pt(ATTACH, 0, 0));
}

static void seized(void)
{
	static u32 status;

	child = with_start(sleeper);
	print("seize: address %ld", pt(SEIZE, 4, 0));
	print(", options %ld", pt(SEIZE, 0, 1u << 30));
	print(", %ld", pt(SEIZE, 0, O_SYSGOOD));
	sleep_ms(20);
	print(", runs %ld", sys(NR_wait4, child, &status, WALL | 1, 0));
	print(", interrupt %ld", pt(INTERRUPT, 0, 0));
	print(" %x", status_of(child));
	print(", code %x\n", info_code());
	pt(CONT, 0, 0);
	sys(NR_kill, child, SIGSTOP);
	print("SIGSTOP %x", status_of(child));
	print(", group stop %x", go(CONT, SIGSTOP));
	print(", code %x", info_code());
	print(", listen %ld", pt(LISTEN, 0, 0));
	sys(NR_kill, child, SIGCONT);
	print(", SIGCONT %x", status_of(child));
	print(", %x\n", go(CONT, 0));
	pt(CONT, 0, 0);
	end_of(child);

	child = with_start(caller);
	sleep_ms(20);
	print("calls: %ld", pt(SEIZE, 0, O_SYSGOOD));
	pt(INTERRUPT, 0, 0);
	print(" %x", status_of(child));
	for (int i = 0; i < 3; i++)
		print(" %x", go(SYSCALL, 0));
	print(", detach %ld", pt(DETACH, 0, 0));
	shared[2] = 0;
	while (!shared[2])
		sleep_ms(1);
	end_of(child);

	/* Stopped when it is seized. */
	child = with_start(sleeper);
	sys(NR_kill, child, SIGSTOP);
	sys(NR_wait4, child, &status, 2, 0);
	print("stopped %x, seize %ld", status, pt(SEIZE, 0, 0));
	print(" %x", status_of(child));
	print(", listen %ld", pt(LISTEN, 0, 0));
	sys(NR_kill, child, SIGCONT);
	print(", SIGCONT %x", status_of(child));
	print(" %x", go(CONT, 0));
	pt(CONT, 0, 0);
	end_of(child);
}

/* --- events ------------------------------------------------------------------------------------------ */

static int in_thread(void *arg)
{
	(void)arg;
	sys(NR_getppid);
	shared[3] = 1;
	return 3;
}

static u8 vfork_stack[16384] __attribute__((aligned(16)));

static int in_vfork(void *arg)
{
	(void)arg;
	quit(6);
}

static void family(void)
{
	if (!fork_())
		quit(5);
	static u32 status;
	sys(NR_wait4, -1, &status, 0, 0);
	clone_call(in_vfork, 0, CLONE_VM | CLONE_VFORK | SIGCHLD, vfork_stack + sizeof(vfork_stack),
		   0, 0, 0);
	sys(NR_wait4, -1, &status, 0, 0);
	thread_start(&thread, in_thread, 0);
	thread_join(&thread);
	exec_self("again", 0, 0);
	quit(9);
}

/* The stop of an event, and the first one of whom it tells. */
static s64 newcomer(const char *name, u32 status)
{
	s64 pid = message();

	print("%s %x", name, status);
	print(", new one %x", status_of(pid));
	return pid;
}

static s64 go_other(s64 pid, u32 request, u32 sig)
{
	s64 old = child, r;

	child = pid;
	r = pt(request, 0, sig);
	child = old;
	return r;
}

static void events(int seize)
{
	s64 other;
	u32 status;

	shared[1] = shared[3] = 0;
	child = fork_();
	if (!child) {
		while (!shared[1])
			sleep_ms(1);
		family();
	}
	print("%s %ld\n", seize ? "seized" : "attached", pt(seize ? SEIZE : ATTACH, 0, 0));
	if (seize)
		pt(INTERRUPT, 0, 0);
	print("stop %x", status_of(child));
	print(", options %ld\n",
	      pt(SETOPTIONS, 0, O_SYSGOOD | O_FORK | O_VFORK | O_CLONE | O_EXEC | O_VFORKDONE));
	shared[1] = 1;
	other = newcomer("fork", go(CONT, 0));
	print(", goes on %ld", go_other(other, CONT, 0));
	print(", end %x", status_of(other));
	print(", SIGCHLD %x\n", go(CONT, 0));
	other = newcomer("vfork", go(CONT, SIGCHLD));
	print(", goes on %ld", go_other(other, CONT, 0));
	print(", end %x", status_of(other));
	/* whichever comes first */
	status = go(CONT, 0);
	if (status >> 16) {
		print(", done %x, the same %d", status, message() == other);
		status = go(CONT, 0);
	}
	print(", SIGCHLD %x\n", status);
	other = newcomer("clone", go(CONT, SIGCHLD));
	print(", parent goes on %ld", pt(CONT, 0, 0));
	sleep_ms(30);
	print(", thread waits %d, goes on %ld", shared[3] == 0, go_other(other, SYSCALL, 0));
	do {
		status = status_of(other);
		go_other(other, SYSCALL, 0);
	} while (!shared[3]);
	print(", call %x", status);
	while ((status = status_of(other)) >> 8 == 0x85)
		go_other(other, CONT, 0);
	print(", end %x\n", status);
	print("execve %x", status_of(child));
	print(", the same %d", message() == child);
	print(", end %x\n", go(CONT, 0));
}

/* --- tracers that end ---------------------------------------------------------------------------------- */

static void orphan(u32 options, int stopped)
{
	static u32 status;
	s64 tracer;

	child = with_start(sleeper);
	tracer = fork_();
	if (!tracer) {
		if (pt(SEIZE, 0, options))
			quit(1);
		if (stopped) {
			pt(INTERRUPT, 0, 0);
			status_of(child);
		}
		quit(0);
	}
	print("tracer %x", status_of(tracer));
	if (!options) {
		sys(NR_kill, child, SIGUSR1);
		while (!shared[0])
			sleep_ms(1);
		print(", runs on %ld", sys(NR_wait4, child, &status, 1, 0));
		sys(NR_kill, child, SIGTERM);
	}
	print(", end %x\n", status_of(child));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argv, (void)auxv, (void)envp;
	if (argc == 2)
		return 6;
	/* read, write; shared, anonymous */
	shared = (u32 *)(unsigned long)sys(NR_mmap2, 0, 4096, 3, 0x21, -1, 0);
	attached();
	seized();
	events(0);
	events(1);
	orphan(0, 0);
	orphan(0, 1);
	orphan(O_EXITKILL, 0);
	return 0;
}
