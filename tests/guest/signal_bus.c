/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapped file that shrinks: SIGBUS at the next access, whatever was accessed and cached before. */
#include "guest.h"

enum { NR_ftruncate64 = 46 };

static volatile u32 runs;
static u32 code, addr;
static u64 resume_sp, resume_pc;

/* Goes on at a fixed place: the exact instruction is not of interest here. */
static void handler(int sig, u8 *info, u8 *uc)
{
	runs++;
	code = get32(info + 8) | (u32)sig << 8;
	addr = get32(info + 12);
	put64(uc + 416, resume_sp);
	put64(uc + 424, resume_pc);
}

/* Loads from (or stores to) P; 1 if that gave a signal. */
static NOINLINE u32 access(volatile u8 *p, int store)
{
	u32 before = runs;

	__asm__ volatile("mov x9, sp\n"
			 "adr x10, 1f\n"
			 "str x9, %0\n"
			 "str x10, %1\n"
			 "cbnz %w3, 2f\n"
			 "ldrb w9, [%2]\n"
			 "b 1f\n"
			 "2: strb wzr, [%2]\n"
			 "1:"
			 : "=m"(resume_sp), "=m"(resume_pc)
			 : "r"((u64)(u32)p), "r"(store)
			 : "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x19",
			   "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "memory",
			   "cc");
	return runs - before;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 fd = (u32)sys(NR_memfd_create, "file", 0), faults;
	u8 *p;
	s64 r;

	set_handler(SIGBUS, handler, SA_SIGINFO);
	sys(NR_ftruncate64, fd, 0, 4 * 4096, 0);
	p = (u8 *)(u32)sys(NR_mmap2, 0, 4 * 4096, 3, 1 /* MAP_SHARED */, fd, 0);
	for (int round = 0; round < 3; round++) {
		faults = 0;
		for (u32 i = 0; i < 4; i++)
			faults += access(p + i * 4096 + 8, round & 1);
		print("whole file: %d faults\n", faults);
		sys(NR_ftruncate64, fd, 0, 4096, 0);
		for (u32 i = 0; i < 4; i++) {
			faults = access(p + i * 4096 + 8, round & 1);
			print("page %d: %d fault", i, faults);
			if (faults)
				print(", signal %d code %d, addr %s", code >> 8, code & 255,
				      addr == (u32)p + i * 4096 + 8 ? "right" : "wrong");
			print("\n");
		}
		/* The emulator's own accesses, for a system call. */
		r = sys(NR_write, 1, p + 4096, 16);
		print("write from there %ld", r);
		r = sys(NR_rt_sigprocmask, 0, p + 4096, 0, 8);
		print(", rt_sigprocmask %ld", r);
		r = sys(NR_rt_sigprocmask, 0, 0, p + 4096, 8);
		print(" %ld\n", r);
		sys(NR_ftruncate64, fd, 0, 4 * 4096, 0);
	}
	/* With everything blocked a copy still must not kill, an access does. */
	sys(NR_ftruncate64, fd, 0, 4096, 0);
	set_mask(SIG_SETMASK, ~0ull);
	print("all blocked: rt_sigprocmask %ld\n", sys(NR_rt_sigprocmask, 0, p + 4096, 0, 8));
	r = fork_();
	if (!r) {
		access(p + 4096, 0);
		quit(99);
	}
	print("child: status %x\n", wait_for(r) & ~0x80);
	return 0;
}
