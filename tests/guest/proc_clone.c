// SPDX-License-Identifier: GPL-2.0-or-later
// clone and clone3: flags that the kernel refuses, fork with its variants.
#include "proc.h"

static u32 ptid, ctid;
static u8 stack[16384] __attribute__((aligned(16)));

static s64 clone(u32 flags)
{
	s64 r = sys(NR_clone, flags, 0, &ptid, 0, &ctid);

	if (!r)
		sys(NR_exit_group, 33);
	if (r > 0)
		wait_for(r);
	return r > 0 ? 1 : r;
}

static void refused(void)
{
	print("THREAD without SIGHAND: %ld\n", clone(CLONE_THREAD | CLONE_VM));
	print("SIGHAND without VM: %ld\n", clone(CLONE_SIGHAND | SIGCHLD));
	print("NEWNS and FS: %ld\n", clone(CLONE_NEWNS | CLONE_FS | SIGCHLD));
	print("NEWUSER and FS: %ld\n", clone(CLONE_NEWUSER | CLONE_FS | SIGCHLD));
	print("NEWPID thread: %ld\n",
	      clone(CLONE_NEWPID | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM));
	print("NEWIPC and SYSVSEM: %ld\n", clone(CLONE_NEWIPC | CLONE_SYSVSEM | SIGCHLD));
	print("PIDFD and PARENT_SETTID: %ld\n", clone(CLONE_PIDFD | CLONE_PARENT_SETTID | SIGCHLD));
	print("PIDFD and DETACHED: %ld\n", clone(CLONE_PIDFD | CLONE_DETACHED | SIGCHLD));
}

static void variants(void)
{
	s64 pid;
	u32 own;

	pid = sys(NR_clone, SIGCHLD | CLONE_CHILD_SETTID | CLONE_PARENT_SETTID, 0, &ptid, 0, &ctid);
	if (!pid) {
		own = (u32)sys(NR_gettid);
		sys(NR_exit_group, (ctid == own) | (ptid != own) << 1);
	}
	print("SETTID: parent %d, child status %x, child's word here %u\n", ptid == (u32)pid,
	      wait_for(pid), ctid);

	/* A stack and TLS of its own without shared memory. */
	pid = sys(NR_clone, SIGCHLD | CLONE_SETTLS, stack + sizeof(stack), 0, 0x7777, 0);
	if (!pid) {
		u64 sp, tls;
		__asm__ volatile("mov %0, sp\n mrs %1, tpidr_el0" : "=r"(sp), "=r"(tls));
		sys(NR_exit_group, sp == (u32)(stack + sizeof(stack)) && tls == 0x7777 ? 8 : 9);
	}
	print("stack and TLS: %x\n", wait_for(pid));

	/* No signal at the end: only __WCLONE (or __WALL) waits for it. */
	pid = sys(NR_clone, 0, 0, 0, 0, 0);
	if (!pid)
		sys(NR_exit_group, 10);
	int status = 0;
	s64 plain = sys(NR_wait4, pid, &status, 0, 0);
	s64 all = sys(NR_wait4, pid, &status, 0x80000000u, 0);
	print("no exit signal: wait %ld, __WCLONE %d status %x\n", plain, all == pid, status);

	/* Shared descriptors without shared memory. */
	pid = sys(NR_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		sys(NR_dup3, 1, 9, 0);
		sys(NR_exit_group, 0);
	}
	wait_for(pid);
	print("descriptor made by the child: %ld\n", sys(NR_close, 9));

	/* CLONE_PARENT: a sibling. */
	s64 me = sys(NR_getpid);
	pid = fork_();
	if (!pid) {
		s64 sibling = sys(NR_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
		if (!sibling)
			sys(NR_exit_group, sys(NR_getppid) == me ? 12 : 13);
		sys(NR_exit_group, wait_for(sibling) == -ECHILD ? 11 : 14);
	}
	int first = wait_for(pid), second = wait_for(-1);
	print("CLONE_PARENT: %x %x\n", first, second);

	/* The child of vfork without VM has a copy of the memory, and still comes first. */
	u64 from = now_ms();
	ptid = 1;
	pid = sys(NR_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		sleep_ms(20);
		ptid = 2;
		sys(NR_exit_group, 15);
	}
	/* The parent goes on when the child gives its memory up, a moment before it is a zombie. */
	int waited = now_ms() - from >= 19;
	print("VFORK alone: the parent waited %d, status %x, memory %u\n", waited, wait_for(pid),
	      ptid);
}

struct clone_args {
	u64 flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
		set_tid_size, cgroup, beyond;
};

static s64 clone3(struct clone_args *a, u32 size)
{
	s64 r = sys(NR_clone3, a, size);

	if (!r)
		sys(NR_exit_group, 44);
	return r;
}

static void with_clone3(void)
{
	struct clone_args a = {.exit_signal = SIGCHLD};
	s32 pidfd = -1;

	print("size 56: %ld, size 5000: %ld, unmapped: %ld\n", clone3(&a, 56), clone3(&a, 5000),
	      sys(NR_clone3, 0x1000, 64));
	a.beyond = 1;
	print("unknown field: %ld\n", clone3(&a, 96));
	a.beyond = 0;
	a.exit_signal = 65;
	print("exit signal 65: %ld\n", clone3(&a, 64));
	a.exit_signal = SIGCHLD;
	a.stack = (u32)stack;
	print("stack without size: %ld\n", clone3(&a, 64));
	a.stack = 0;
	a.flags = 1ull << 40;
	print("flag 2^40: %ld\n", clone3(&a, 64));
	a.flags = CLONE_DETACHED;
	print("DETACHED: %ld\n", clone3(&a, 64));
	a.flags = CLONE_PIDFD | CLONE_PARENT_SETTID;
	a.pidfd = (u32)&pidfd;
	a.parent_tid = (u32)&ptid;
	s64 pid = clone3(&a, 88);
	print("fork with pidfd: %d %d, status %x, pidfd closes %ld\n", pid > 0, ptid == (u32)pid,
	      wait_for(pid), sys(NR_close, pidfd));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	refused();
	variants();
	with_clone3();
	return 0;
}
