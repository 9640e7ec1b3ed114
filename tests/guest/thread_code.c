// SPDX-License-Identifier: GPL-2.0-or-later
// Code that one thread writes and another one runs. IC IVAU reaches all CPUs of the inner shareable domain and all
// addresses of the memory (CTR_EL0.L1Ip: PIPT); the CPU that runs the code has an ISB of its own to do (Arm ARM,
// B2.2.5, concurrent modification and execution of instructions).
#include "proc.h"

enum { ROUNDS = 40, PROT_RW = 3, PROT_RX = 5, PROT_RWX = 7 };

static struct thread runner;
static u32 writable, executable; /* addresses of the same memory */
static u32 written, ran, stale;

static void wait_for_value(const u32 *place, u32 value)
{
	while (__atomic_load_n(place, __ATOMIC_ACQUIRE) != value)
		sys(NR_sched_yield);
}

static int run_code(void *arg)
{
	(void)arg;
	for (u32 i = 1; i <= ROUNDS; i++) {
		wait_for_value(&written, i);
		__asm__ volatile("isb" ::: "memory");
		stale += ((u32(*)(void))executable)() != i;
		__atomic_store_n(&ran, i, __ATOMIC_RELEASE);
	}
	return 0;
}

static void try(const char *name)
{
	written = ran = stale = 0;
	thread_start(&runner, run_code, 0);
	for (u32 i = 1; i <= ROUNDS; i++) {
		((u32 *)writable)[0] = 0x52800000u | i << 5; /* mov w0, #i */
		((u32 *)writable)[1] = 0xd65f03c0u;          /* ret */
		__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb"
				 :
				 : "r"((u64)writable)
				 : "memory");
		__atomic_store_n(&written, i, __ATOMIC_RELEASE);
		wait_for_value(&ran, i);
	}
	thread_join(&runner);
	print("%s: %u calls of old code\n", name, stale);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	const s64 fd = sys(NR_memfd_create, "code", 0);

	sys(46 /* ftruncate */, fd, 0, 4096, 0);
	writable = executable = (u32)sys(NR_mmap2, 0, 4096, PROT_RWX, 0x22, -1, 0);
	try("one mapping");
	writable = (u32)sys(NR_mmap2, 0, 4096, PROT_RW, 1, fd, 0);
	executable = (u32)sys(NR_mmap2, 0, 4096, PROT_RX, 1, fd, 0);
	try("a shared file twice");
	executable = (u32)sys(NR_mmap2, 0, 4096, PROT_RX, 2, fd, 0);
	try("a shared file and a private mapping of it");
	return 0;
}
