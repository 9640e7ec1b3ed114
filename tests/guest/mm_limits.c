/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RLIMIT_AS, RLIMIT_DATA and RLIMIT_STACK by the guest's own sizes, and the end of the address space
 * (kernel mm/mmap.c: may_expand_vm(), check_data_rlimit(), acct_stack_growth(), TASK_SIZE).
 */
#include "proc.h"

enum { PAGE = 4096, NR_brk = 214, NR_mremap = 216 };
enum { AS = 9, DATA = 2, STACK = 3, ANON = 0x22, SHARED_ANON = 0x21, FIXED = 0x10, NONE = -1 };

static s64 limit(u32 resource, s64 soft, s64 hard)
{
	u64 l[2] = {(u64)soft, (u64)hard};

	return sys(NR_prlimit64, 0, resource, l, 0);
}

static s64 map(u32 at, u32 pages, u32 prot, u32 flags)
{
	return sys(NR_mmap2, at, pages * PAGE, prot, flags, -1, 0);
}

/* 0 for an address: they differ from run to run. */
static s64 ok(s64 r)
{
	return r > 0 ? 0 : r;
}

/* Pages of the whole space: the first number of statm. */
static u32 total(void)
{
	static char text[128];
	s64 fd = sys(NR_openat, -100, "/proc/self/statm", 0, 0);
	u32 n = 0;

	sys(NR_read, fd, text, sizeof(text));
	sys(NR_close, fd);
	for (const char *p = text; *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (u32)(*p - '0');
	return n;
}

static NOINLINE int use_stack(u32 bytes)
{
	volatile u8 *p = (volatile u8 *)__builtin_frame_address(0);

	for (u32 i = 0; i < bytes; i += PAGE)
		*(p - i) = 1;
	return 7;
}

/* In a child: BYTES of stack; its wait status without the core bit. */
static int stack_of(u32 bytes)
{
	s64 pid = fork_();

	if (!pid)
		quit(use_stack(bytes));
	return wait_for(pid) & ~0x80;
}

static void address_space(void)
{
	u32 old = (u32)map(0, 16, 3, ANON), brk = (u32)sys(NR_brk, 0);

	print("AS: %ld\n", limit(AS, (total() + 16) * (u64)PAGE + 100, NONE));
	print("  17 pages %ld", map(0, 17, 0, ANON));
	print(", 16 %ld", ok(map(0, 16, 0, ANON)));
	print(", one more %ld\n", map(0, 1, 3, ANON));
	print("  in place of others %ld\n", ok(map(old, 16, 3, ANON | FIXED)));
	print("  mremap %ld, within %ld\n", sys(NR_mremap, old, 16 * PAGE, 17 * PAGE, 1, 0),
	      ok(sys(NR_mremap, old, 16 * PAGE, 15 * PAGE, 1, 0)));
	print("  brk by two pages %s, by one %s\n",
	      (u32)sys(NR_brk, brk + 2 * PAGE) == brk ? "refused" : "done",
	      (u32)sys(NR_brk, brk + PAGE) == brk ? "refused" : "done");
	print("  stack growth: status %x, none: %x\n", stack_of(1 << 20), stack_of(1000));
	s64 pid = fork_();
	if (!pid)
		quit((int)-map(0, 1, 3, ANON));
	print("  in a child %x\n", wait_for(pid));
	limit(AS, NONE, NONE);
	print("  lifted %ld, stack %x\n", ok(map(0, 1000, 3, ANON)), stack_of(1 << 20));
}

static void data(void)
{
	u32 ro = (u32)map(0, 4, 1, ANON), brk = (u32)sys(NR_brk, 0);

	/* The exception for tools that set the soft limit to 0. */
	print("DATA 0: %ld", limit(DATA, 0, NONE));
	print(", map %ld, brk %s\n", ok(map(0, 4, 3, ANON)),
	      (u32)sys(NR_brk, brk + PAGE) == brk ? "refused" : "done");
	print("DATA 4096: %ld\n", limit(DATA, 4096, NONE));
	print("  private %ld, read-only %ld, shared %ld\n", map(0, 4, 3, ANON),
	      ok(map(0, 4, 1, ANON)), ok(map(0, 4, 3, SHARED_ANON)));
	print("  mprotect to data %ld, other %ld\n", sys(NR_mprotect, ro, 4 * PAGE, 3),
	      sys(NR_mprotect, ro, 4 * PAGE, 5));
	print("  the stack is no data: %x\n", stack_of(1 << 20));
	limit(DATA, NONE, NONE);
	print("  lifted %ld\n", sys(NR_mprotect, ro, 4 * PAGE, 3));
}

static void stack(void)
{
	print("STACK: %ld", limit(STACK, 256 << 10, NONE));
	print(", below %x, above %x\n", stack_of(128 << 10), stack_of(512 << 10));
	print("  raised: %ld", limit(STACK, 8 << 20, NONE));
	print(", %x\n", stack_of(2 << 20));
}

static void end_of_space(void)
{
	print("last page %lx, the one before %lx\n", map(0xfffff000, 1, 3, ANON | FIXED),
	      map(0xffffe000, 1, 3, ANON | FIXED));
	print("  hint %s", (u32)map(0xfffff000, 1, 3, ANON) == 0xfffff000u ? "taken" : "not taken");
	print(", munmap of both %ld, of one %ld\n", sys(NR_munmap, 0xffffe000, 2 * PAGE),
	      sys(NR_munmap, 0xffffe000, PAGE));
	u32 p = (u32)map(0, 1, 3, ANON);
	print("  mremap to it %lx\n", sys(NR_mremap, p, PAGE, PAGE, 3, 0xfffff000));
}

int main(int argc, char **argv, char **envp UNUSED, u32 *auxv UNUSED)
{
	u64 l[2];

	if (argc > 1 && equal(argv[1], "after")) {
		sys(NR_prlimit64, 0, AS, 0, l);
		print("after execve: AS %lu %lu", l[0], l[1]);
		sys(NR_prlimit64, 0, STACK, 0, l);
		print(", STACK %lu, map %ld\n", l[0], map(0, 16384, 3, ANON));
		return 0;
	}
	end_of_space();
	address_space();
	data();
	stack();
	limit(AS, 48 << 20, 96 << 20);
	limit(STACK, 4 << 20, NONE);
	return (int)exec_self("after", 0, 0);
}
