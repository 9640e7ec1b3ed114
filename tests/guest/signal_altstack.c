/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sigaltstack: uc_stack, SA_ONSTACK, nesting, SS_AUTODISARM, its errors, and stacks that cannot be used. */
#include "guest.h"

static u8 stack[16384] __attribute__((aligned(4096)));
static u32 depth, base; /* base: where uc_stack.ss_sp is expected */

static const char *where(const void *p)
{
	return (u32)p > (u32)stack && (u32)p <= (u32)stack + sizeof(stack) ? "alternate" : "normal";
}

static void show_stack(const char *what, const u32 *s)
{
	print("%s {%s, %x, %x}", what, !s[0] ? "0" : s[0] == base ? "stack" : "?", s[1], s[2]);
}

static void handler(int sig, u8 *info, u8 *uc)
{
	u32 local, now[3], change[3] = {(u32)stack, 0, 8192};

	(void)info;
	print("  %s stack, ", where(&local));
	show_stack("uc_stack", (u32 *)(uc + 8));
	sys(NR_sigaltstack, 0, now);
	show_stack(", now", now);
	print(", change %ld\n", sys(NR_sigaltstack, change, 0));
	if (sig == SIGUSR2 && depth++ == 0)
		sys(NR_kill, sys(NR_getpid), SIGUSR2);
}

static void send(const char *name, int sig)
{
	print("%s:\n", name);
	sys(NR_kill, sys(NR_getpid), sig);
}

static s64 set_stack(u32 sp, u32 flags, u32 size)
{
	u32 s[3] = {sp, flags, size};

	return sys(NR_sigaltstack, s, 0);
}

/* In a child: SIGSEGV on a stack that SP names; the wait status. */
static int die_on(u32 sp, u32 size)
{
	s64 pid = fork_();

	if (!pid) {
		set_stack(sp, 0, size);
		set_handler(SIGSEGV, handler, SA_SIGINFO | SA_ONSTACK);
		__asm__ volatile("str wzr, [%0]" : : "r"(4ull) : "memory");
		quit(0);
	}
	return wait_for(pid);
}

static void count(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	(void)uc;
	depth++;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 old[4] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5}, hole;

	base = (u32)stack;
	/* A new program's is disabled (tests/oracle/ucstack.out): no change to {0, 0, 0}. Since 5.17 what is
	 * set already is 0 whatever its size. */
	print("nothing: %ld", set_stack(0, 0, 0));
	print(", with SS_DISABLE: %ld\n", set_stack(0, 2, 0));
	print("errors: unreadable %ld, flags 4 %ld, size 2047 %ld, unwritable old %ld\n",
	      sys(NR_sigaltstack, 4, 0), set_stack((u32)stack, 4, 16384),
	      set_stack((u32)stack, 0, 2047), sys(NR_sigaltstack, 0, 4));
	print("get: %ld, ", sys(NR_sigaltstack, 0, old));
	show_stack("old", old);
	print(", behind %x\n", old[3]);

	set_handler(SIGUSR1, handler, SA_SIGINFO);
	set_handler(SIGUSR2, handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
	send("none", SIGUSR1);
	set_stack((u32)stack, 0, sizeof(stack));
	send("set, handler without SA_ONSTACK", SIGUSR1);
	set_stack((u32)stack, 0, sizeof(stack));
	send("entered twice", SIGUSR2);
	print("  afterwards %ld, ", sys(NR_sigaltstack, 0, old));
	show_stack("old", old);
	print("\n");
	set_stack((u32)stack, 2, sizeof(stack));
	send("disabled", SIGUSR2);
	set_stack((u32)stack, 0x80000000, sizeof(stack));
	depth = 1;
	send("autodisarm", SIGUSR2);
	sys(NR_sigaltstack, 0, old);
	show_stack("  afterwards", old);
	print("\n");

	/* Unmapped, and too small for the frame above unmapped memory: SIGSEGV kills. */
	hole = (u32)sys(NR_mmap2, 0, 65536, 3, 0x22, -1, 0);
	sys(NR_munmap, hole, 65536);
	print("unmapped: status %x\n", die_on(hole, 16384) & 0x7f);
	hole = (u32)sys(NR_mmap2, 0, 65536, 3, 0x22, -1, 0);
	sys(NR_munmap, hole, 32768);
	print("2 KiB above a hole: status %x\n", die_on(hole + 32768, 2048) & 0x7f);
	print("wrapping: status %x\n", die_on(0xfffffff0, 8192) & 0x7f);

	/* Another signal's frame that cannot be written becomes SIGSEGV, which can be caught. */
	set_stack(hole, 0, 16384);
	set_handler(SIGUSR1, count, SA_SIGINFO | SA_ONSTACK);
	set_handler(SIGSEGV, count, SA_SIGINFO);
	depth = 0;
	print("kill %ld\n", sys(NR_kill, sys(NR_getpid), SIGUSR1));
	print("SIGSEGV handler ran %d\n", depth);
	return 0;
}
