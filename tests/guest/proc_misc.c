// SPDX-License-Identifier: GPL-2.0-or-later
// prctl, personality, uname, limits.
#include "proc.h"

static void with_prctl(void)
{
	char name[20] = "0123456789abcdefgh";
	u32 out[4] = {0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
	u64 dirty = 0xdeadbeef00000000ull;

	print("set name: %ld", sys(NR_prctl, 15, name, 0, 0, 0));
	memset(name, 'z', sizeof(name));
	print(", get: %ld", sys(NR_prctl, 16, name, 0, 0, 0));
	print(" %s, behind it %c%c\n", name, name[16], name[19]);
	print("name unmapped: %ld, NULL: %ld\n", sys(NR_prctl, 15, 0x1000, 0, 0, 0),
	      sys(NR_prctl, 16, 0, 0, 0, 0));
	print("set pdeathsig: %ld", sys(NR_prctl, 1, SIGUSR1, 0, 0, 0));
	print(", get: %ld %u, behind it %x\n", sys(NR_prctl, 2, &out[0], 0, 0, 0), out[0], out[1]);
	print("pdeathsig 65: %ld\n", sys(NR_prctl, 1, 65, 0, 0, 0));
	sys(NR_prctl, 1, 0, 0, 0, 0);
	print("dumpable: %ld, set 0: %ld, now %ld, set 7: %ld\n", sys(NR_prctl, 3, 0, 0, 0, 0),
	      sys(NR_prctl, 4, 0, 0, 0, 0), sys(NR_prctl, 3, 0, 0, 0, 0),
	      sys(NR_prctl, 4, 7, 0, 0, 0));
	sys(NR_prctl, 4, 1, 0, 0, 0);
	print("no_new_privs, garbage above the arguments: %ld\n",
	      sys6(NR_prctl, dirty | 39, dirty, dirty, dirty, dirty, dirty));
	print("subreaper: set %ld, get %ld %u\n", sys(NR_prctl, 36, 1, 0, 0, 0),
	      sys(NR_prctl, 37, &out[0], 0, 0, 0), out[0]);
	print("timer slack: %d\n", sys(NR_prctl, 30, 0, 0, 0, 0) > 0);
	print("of other machines: tsc %ld, endian %ld, unaligned %ld, sve %ld\n",
	      sys(NR_prctl, 25, &out[0], 0, 0, 0), sys(NR_prctl, 19, &out[0], 0, 0, 0),
	      sys(NR_prctl, 5, &out[0], 0, 0, 0), sys(NR_prctl, 51, 0, 0, 0, 0));
	print("unknown: %ld\n", sys(NR_prctl, 12345, 0, 0, 0, 0));
	sys(NR_set_tid_address, 0x12345678);
	out[0] = out[1] = out[2] = 0x5a5a5a5a;
	print("tid address: %ld %x %x %x\n", sys(NR_prctl, 40, &out[0], 0, 0, 0), out[0], out[1],
	      out[2]);
	sys(NR_set_tid_address, 0);
}

static void with_personality(void)
{
	static char u[512];
	u32 old = (u32)sys(NR_personality, 0xffffffffu);

	memset(u, 0x5a, sizeof(u));
	print("uname: %ld, machine %s, bytes behind it %x\n", sys(NR_uname, u), u + 260,
	      (u8)u[390]);
	print("system %s\n", u);
	print("set PER_LINUX32: %d", (u32)sys(NR_personality, 8) == old);
	sys(NR_uname, u);
	print(", machine %s\n", u + 260);
	print("read: %lx\n", (u64)sys(NR_personality, 0xffffffffu));
	/* It is the process's, and its children have it. */
	s64 pid = fork_();
	if (!pid)
		sys(NR_exit_group, sys(NR_personality, 0xffffffffu));
	print("child: %x\n", wait_for(pid));
	print("all bits but one: %ld", sys(NR_personality, 0x7fffffff));
	print(" %lx\n", (u64)sys(NR_personality, old));
	print("uname unmapped: %ld\n", sys(NR_uname, 0x1000));
}

static void with_limits(void)
{
	u32 lim[4], old[4], core[4] = {4096, 0, 0xffffffffu, 0xffffffffu}, bad[4] = {2, 0, 1, 0};
	u32 space[4] = {64 << 20, 0, 64 << 20, 0}, stack[4] = {65536, 0, 8 << 20, 0};

	memset(old, 0x5a, sizeof(old));
	print("core limit: set %ld", sys(NR_prlimit64, 0, 4, core, 0));
	print(", get %ld", sys(NR_prlimit64, 0, 4, 0, old));
	print(" %u %u %x %x\n", old[0], old[1], old[2], old[3]);
	print("soft above hard: %ld, resource 16: %ld, unmapped: %ld\n",
	      sys(NR_prlimit64, 0, 4, bad, 0), sys(NR_prlimit64, 0, 16, 0, old),
	      sys(NR_prlimit64, 0, 4, 0, 0x1000));
	/* A limit that would hit the emulator: it must be there, and harmless. */
	print("address space: set %ld", sys(NR_prlimit64, 0, 9, space, 0));
	print(", get %ld", sys(NR_prlimit64, 0, 9, 0, lim));
	print(" %u %u\n", lim[0], lim[2]);
	s64 pid = fork_();
	if (!pid) {
		sys(NR_prlimit64, 0, 9, 0, lim);
		sys(NR_exit_group, lim[0] == 64 << 20 ? 5 : 6);
	}
	print("child has it: %x\n", wait_for(pid));
	/* A tiny stack limit must not hurt what does not use the stack. */
	print("stack 64 KiB: %ld\n", sys(NR_prlimit64, 0, 3, stack, 0));
	pid = fork_();
	if (!pid)
		sys(NR_exit_group, exec_self("end", 0, 0));
	print("executes: %x\n", wait_for(pid));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1 && equal(argv[1], "end"))
		return 33;
	with_prctl();
	with_personality();
	with_limits();
	return 0;
}
