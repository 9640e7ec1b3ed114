/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synchronous signals: number, si_code, si_addr, the recorded fault address, the pc in the frame. */
#include "guest.h"

static u8 info[16];
static u64 pc, far;
static u32 has_esr;
static u64 resume[2]; /* sp, pc */

/* Leaves the handler by changing pc and sp in its frame. */
static void handler(int sig, u8 *si, u8 *uc)
{
	(void)sig;
	memcpy(info, si, sizeof(info));
	pc = get64(uc + 424);
	far = get64(uc + 160);
	has_esr = get32(uc + 976) == 0x45535201;
	put64(uc + 416, resume[0]);
	put64(uc + 424, resume[1]);
}

/* Runs one piece of code that faults at the label "1"; the handler goes on behind it. */
#define FAULT(name, code, ...)                                                               \
 do {                                                                                        \
  u64 at;                                                                                    \
  __asm__ volatile("mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n adr %0, 1f\n" code "\n2:" \
		   : "=&r"(at)                                                               \
		   : "r"((u64)(u32)resume), ##__VA_ARGS__                                    \
		   : "x9", "x10", "x11", "memory");                                          \
  show(name, at);                                                                            \
 } while (0)

static NOINLINE void show(const char *name, u64 at)
{
	print("%s: signal %d errno %d code %d addr ", name, get32(info), get32(info + 4),
	      get32(info + 8));
	if (get32(info + 12) == (u32)at)
		print("the pc");
	else
		print("%x", get32(info + 12));
	print(", far %lx, pc ", far);
	if (pc == at)
		print("right");
	else
		print("%lx", pc);
	print(", esr record %d\n", has_esr);
	memset(info, 0, sizeof(info));
}

/* As show(), for faults whose address is only known now: prints differences to WANTED. */
static NOINLINE void show_at(const char *name, u32 wanted, u64 wanted_far)
{
	print("%s: signal %d code %d addr %s, far %s, pc %s\n", name, get32(info), get32(info + 8),
	      get32(info + 12) == wanted ? "right" : "wrong", far == wanted_far ? "right" : "wrong",
	      (u32)pc == wanted ? "right" : "wrong");
	memset(info, 0, sizeof(info));
}

static const u32 constant = 1;
static u32 words[8] __attribute__((aligned(16)));

static u32 empty_file_mapping(void)
{
	s64 fd = sys(NR_memfd_create, "empty", 0);

	return (u32)sys(NR_mmap2, 0, 8192, 3, 1 /* MAP_SHARED */, (u32)fd, 0);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 none = (u32)sys(NR_mmap2, 0, 4096, 0, 0x22, -1, 0);
	u32 file = empty_file_mapping();
	u64 at;

	set_handler(SIGILL, handler, SA_SIGINFO);
	set_handler(SIGTRAP, handler, SA_SIGINFO);
	set_handler(SIGBUS, handler, SA_SIGINFO);
	set_handler(SIGSEGV, handler, SA_SIGINFO);

	FAULT("brk", "1: brk #0");
	FAULT("brk 1000", "1: brk #1000");
	FAULT("store to 4", "mov x11, #4\n1: str wzr, [x11]");
	FAULT("load from 4", "mov x11, #4\n1: ldr w11, [x11]");
	FAULT("store above 4 GiB", "mov x11, #0x1234\n movk x11, #1, lsl #32\n1: str wzr, [x11]");
	FAULT("base + index above 4 GiB",
	      "mov x11, #0xffff\n movk x11, #0xffff, lsl #16\n1: ldrb w11, [x11, #17]");
	FAULT("tagged address", "mov x11, #4\n movk x11, #0xab00, lsl #48\n1: ldr w11, [x11]");
	FAULT("kernel address", "mov x11, #0x1000\n movk x11, #0xffff, lsl #48\n1: str wzr, [x11]");
	FAULT("jump to 0x10", "mov x11, #0x10\n1: br x11");
	FAULT("jump above 4 GiB", "mov x11, #0x10\n movk x11, #1, lsl #32\n1: br x11");

	__asm__ volatile(
		"mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: str wzr, [%2]\n2: adr %0, 1b"
		: "=r"(at)
		: "r"((u64)(u32)resume), "r"((u64)(u32)&constant)
		: "x9", "x10", "memory");
	pc = pc == at ? (u32)&constant : 0;
	show_at("store to read-only data", (u32)&constant, (u32)&constant);

	__asm__ volatile(
		"mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: ldr wzr, [%2]\n2: adr %0, 1b"
		: "=r"(at)
		: "r"((u64)(u32)resume), "r"((u64)none)
		: "x9", "x10", "memory");
	pc = pc == at ? none : 0;
	show_at("load from PROT_NONE", none, none);

	__asm__ volatile(
		"mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: str wzr, [%2]\n2: adr %0, 1b"
		: "=r"(at)
		: "r"((u64)(u32)resume), "r"((u64)file + 4096)
		: "x9", "x10", "memory");
	pc = pc == at ? file + 4096 : 0;
	show_at("store beyond the end of a file", file + 4096, file + 4096);

	__asm__ volatile(
		"mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: ldxr w11, [%2]\n2: adr %0, 1b"
		: "=r"(at)
		: "r"((u64)(u32)resume), "r"((u64)(u32)words + 1)
		: "x9", "x10", "x11", "memory");
	pc = pc == at ? (u32)words + 1 : 0;
	show_at("ldxr on an odd address", (u32)words + 1, (u32)words + 1);

	__asm__ volatile("mov x9, sp\n adr x10, 2f\n stp x9, x10, [%0]\n br %1\n2:"
			 :
			 : "r"((u64)(u32)resume), "r"((u64)(u32)words)
			 : "x9", "x10", "memory");
	show_at("jump into data", (u32)words, (u32)words);

	__asm__ volatile("mov x9, sp\n adr x10, 2f\n stp x9, x10, [%0]\n br %1\n2:"
			 :
			 : "r"((u64)(u32)resume), "r"((u64)(u32)main + 2)
			 : "x9", "x10", "memory");
	show_at("misaligned pc", (u32)main + 2, 0);

	/* The address of an illegal instruction is its pc; nothing is recorded. */
	__asm__ volatile("mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: .inst 0\n2: adr %0, 1b"
			 : "=r"(at)
			 : "r"((u64)(u32)resume)
			 : "x9", "x10", "memory");
	show_at("udf", (u32)at, 0);
	print("esr record %d\n", has_esr);
	__asm__ volatile("mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: hlt #0\n2: adr %0, 1b"
			 : "=r"(at)
			 : "r"((u64)(u32)resume)
			 : "x9", "x10", "memory");
	show_at("hlt", (u32)at, 0);
	__asm__ volatile(
		"mov x9, sp\n adr x10, 2f\n stp x9, x10, [%1]\n1: mrs x11, sctlr_el1\n2: adr %0, 1b"
		: "=r"(at)
		: "r"((u64)(u32)resume)
		: "x9", "x10", "x11", "memory");
	show_at("mrs sctlr_el1", (u32)at, 0);
	return 0;
}
