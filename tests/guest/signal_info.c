/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * siginfo for every way to get a signal: the words of the ILP32 form, and how many bytes of the frame
 * were written (the area was filled with a5 before).
 */
#include "guest.h"

static volatile u32 hits;
static u8 got[128];
static u32 parent, child_pid;
static u8 stack[65536] __attribute__((aligned(16)));

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)uc;
	memcpy(got, info, sizeof(got));
	hits++;
}

static void show(const char *name)
{
	u32 end = 128;

	while (!hits)
		sys(NR_sched_yield);
	while (end && got[end - 1] == 0xa5)
		end--;
	print("%s: %d bytes:", name, end);
	for (u32 i = 0; i < 32; i += 4) {
		u32 w = get32(got + i);

		if (i >= end)
			break;
		if (i == 12 && w == parent)
			print(" pid");
		else if (i == 12 && w == child_pid)
			print(" child");
		else if (i == 16 && (get32(got + 12) == parent || get32(got + 12) == child_pid))
			print(w == (u32)sys(NR_getuid) ? " uid" : " %x", w);
		else if (i >= 24 && get32(got) == SIGCHLD && w < 100)
			print(" ticks");
		else if ((int)w < 0 && (int)w > -100)
			print(" -%x", -w);
		else
			print(" %x", w);
	}
	print("\n");
	hits = 0;
	memset(stack, 0xa5, sizeof(stack));
}

static void queue(void)
{
	u32 info[32] = {99, 0, (u32)-1, 4242, 4343, 0x12345678, 0x9abcdef0, 0x77777777};

	print("rt_sigqueueinfo %ld\n", sys(NR_rt_sigqueueinfo, parent, 35, info));
	show("code -1");
	info[2] = (u32)-60;
	sys(NR_rt_sigqueueinfo, parent, 35, info);
	show("code -60");
	info[2] = (u32)-1;
	print("rt_tgsigqueueinfo %ld\n", sys(NR_rt_tgsigqueueinfo, parent, parent, 36, info));
	show("to the thread");
	info[2] = 5;
	print("positive code to another process: %ld, SI_TKILL: ",
	      sys(NR_rt_sigqueueinfo, 1, 35, info));
	info[2] = (u32)-6;
	print("%ld\n", sys(NR_rt_sigqueueinfo, 1, 35, info));
	/* To itself a process may send anything, a fault too. */
	info[2] = 1;
	info[3] = 0xcafe0000;
	print("SIGSEGV code 1 to itself: %ld\n", sys(NR_rt_sigqueueinfo, parent, SIGSEGV, info));
	show("pretended fault");
	info[2] = 0;
	info[3] = 4242;
	sys(NR_rt_sigqueueinfo, parent, 35, info);
	show("code 0");
	info[2] = (u32)-1;
	print("bad info %ld, signal 65 %ld, signal 0 %ld, nobody %ld\n",
	      sys(NR_rt_sigqueueinfo, parent, 35, 4), sys(NR_rt_sigqueueinfo, parent, 65, info),
	      sys(NR_rt_sigqueueinfo, parent, 0, info),
	      sys(NR_rt_tgsigqueueinfo, parent, 0x7ffffff0, 35, info));
}

static void kills(void)
{
	sys(NR_kill, parent, SIGUSR1);
	show("kill");
	sys(NR_tkill, parent, SIGUSR1);
	show("tkill");
	sys(NR_tgkill, parent, parent, SIGUSR1);
	show("tgkill");
	sys(NR_kill, parent, SIGSEGV);
	show("kill SIGSEGV");
	print("signal 0 %ld, 65 %ld, -1 %ld, tgkill of another group %ld\n",
	      sys(NR_kill, parent, 0), sys(NR_kill, parent, 65), sys(NR_kill, parent, -1),
	      sys(NR_tgkill, 1, parent, 10));
}

static void children(void)
{
	s64 pid = fork_();

	if (!pid)
		quit(5);
	child_pid = (u32)pid;
	show("exit 5");
	wait_for(pid);
	pid = fork_();
	if (!pid) {
		set_handler(SIGSEGV, 0, 0);
		__asm__ volatile("str wzr, [%0]" : : "r"(4ull) : "memory");
	}
	child_pid = (u32)pid;
	show("killed by SIGSEGV");
	wait_for(pid);
	pid = fork_();
	if (!pid) {
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		for (;;)
			sys(NR_ppoll, 0, 0, 0, 0, 0);
	}
	child_pid = (u32)pid;
	show("stopped");
	sys(NR_kill, child_pid, SIGCONT);
	show("continued");
	sys(NR_kill, child_pid, SIGKILL);
	show("killed");
	wait_for(pid);
}

static void others(void)
{
	u32 timer[4] = {0, 0, 0, 2000}, fds[2];

	sys(NR_setitimer, 0, timer, 0);
	show("setitimer");
	sys(NR_pipe2, fds, 0);
	sys(NR_close, fds[0]);
	sys(NR_write, fds[1], "x", 1);
	show("SIGPIPE");
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 alt[3] = {(u32)stack, 0, sizeof(stack)};

	parent = (u32)sys(NR_getpid);
	memset(stack, 0xa5, sizeof(stack));
	sys(NR_sigaltstack, alt, 0);
	for (int s = 1; s <= 64; s++)
		if (s != SIGKILL && s != SIGSTOP)
			set_handler(s, handler, SA_SIGINFO | SA_ONSTACK);
	kills();
	queue();
	children();
	others();
	return 0;
}
