/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt_sigreturn: what a handler changes in its frame is in force afterwards, registers in all 64 bits;
 * frames that the kernel refuses end in SIGSEGV (restore_sigframe() and what it calls).
 */
#include "guest.h"

static void (*edit)(u8 *frame); /* what the handler does to its frame */
static u32 segv_runs;
static u8 segv_info[16];
u64 seen[8];
void probe(u32 pid, u32 sig);

/* kill() with known registers, and what they are when the handler has returned. */
__asm__(".text\n"
	".globl probe\n"
	"probe:\n"
	"	mov x8, #129\n"
	"	mov x5, #0x5555\n"
	"	movk x5, #0xdead, lsl #48\n"
	"	movi v8.2d, #0\n"
	"	cmp xzr, xzr\n"
	"	svc #0\n"
	"	adrp x9, seen\n"
	"	add x9, x9, :lo12:seen\n"
	"	stp x0, x5, [x9]\n"
	"	mrs x10, nzcv\n"
	"	str x10, [x9, #16]\n"
	"	umov x10, v8.d[1]\n"
	"	str x10, [x9, #24]\n"
	"	mrs x10, fpcr\n"
	"	str x10, [x9, #32]\n"
	"	msr fpcr, xzr\n"
	"	stp x6, x7, [x9, #40]\n"
	"	ret\n");

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)info;
	if (edit)
		edit(uc - 128);
}

static void segv(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	(void)uc;
	segv_runs++;
	memcpy(segv_info, info, sizeof(segv_info));
	print("SIGSEGV code %d\n", get32(info + 8));
	quit(0);
}

static void nothing(u8 *f)
{
	(void)f;
}
static void registers(u8 *f)
{
	put64(f + 296, 0x1111222233334444);         /* x0 */
	put64(f + 296 + 5 * 8, 0xffffeeeeddddcccc); /* x5 */
	put64(f + 296 + 6 * 8, 6);
	put64(f + 296 + 7 * 8, 0x7000000000000000);
	put64(f + 560, 0x90000000); /* N, V */
}
static void vector(u8 *f)
{
	put64(f + 576 + 16 + 8 * 16 + 8, 0x123456789abcdef0);
	put32(f + 576 + 12, 0x01000000); /* fpcr: FZ */
}
static void mask(u8 *f)
{
	put32(f + 148, BIT(SIGUSR2));
	put32(f + 152, BIT(40) >> 32);
}
static void links(u8 *f)
{
	put32(f + 128, ~0u);
	put32(f + 132, ~0u);
}
static void info_gone(u8 *f)
{
	memset(f, 0xff, 128);
}
static void small_fpsimd(u8 *f)
{
	put32(f + 580, 512);
}
static void no_fpsimd(u8 *f)
{
	memset(f + 576, 0, 16);
}
static void unknown_record(u8 *f)
{
	put32(f + 1104, 0x41414141);
	put32(f + 1108, 16);
	memset(f + 1120, 0, 16);
}
static void el1(u8 *f)
{
	put64(f + 560, 0x60000005);
}
static void aarch32(u8 *f)
{
	put64(f + 560, 0x60000010);
}
static void no_end(u8 *f)
{
	u8 *record = f + 576;

	while (get32(record))
		record += get32(record + 4);
	put32(record + 4, 16);
}

static void show(const char *name, void (*fn)(u8 *))
{
	edit = fn;
	probe((u32)sys(NR_getpid), SIGUSR1);
	print("%s: x0 %lx x5 %lx nzcv %lx v8 %lx fpcr %lx", name, seen[0], seen[1], seen[2],
	      seen[3], seen[4]);
	print(" x6 %lx x7 %lx mask %lx\n", fn == registers ? seen[5] : 0,
	      fn == registers ? seen[6] : 0, set_mask(SIG_SETMASK, 0));
}

/* In a child, without a handler for SIGSEGV and with one: the wait status. */
static void bad(const char *name, void (*fn)(u8 *))
{
	for (int catch = 0; catch < 2; catch ++) {
		s64 pid = fork_();

		if (!pid) {
			if (catch)
				set_handler(SIGSEGV, segv, SA_SIGINFO);
			edit = fn;
			probe((u32)sys(NR_getpid), SIGUSR1);
			quit(7);
		}
		print("%s: %s status %x\n", name, catch ? "caught," : "default,",
		      wait_for(pid) & 0xff7f);
	}
}

static int stray(u64 sp)
{
	s64 pid = fork_();

	if (!pid)
		__asm__ volatile("mov sp, %0\n mov x8, #139\n svc #0" : : "r"(sp) : "x8", "memory");
	return wait_for(pid) & 0xff7f;
}

/* A pc above 4 GiB is restored and faults at the first fetch. */
static u64 far_pc;
static void jump_far(u8 *f)
{
	far_pc = get64(f + 552);
	put64(f + 552, 0x100000000 | far_pc);
}
static void come_back(int sig, u8 *info, u8 *uc)
{
	(void)sig;
	print("fault at pc %s, far %s, code %d\n",
	      get64(uc + 424) == (0x100000000 | far_pc) ? "kept in 64 bits" : "cut",
	      get64(uc + 160) == (0x100000000 | far_pc) ? "the same" : "different",
	      get32(info + 8));
	put64(uc + 424, far_pc);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	set_handler(SIGUSR1, handler, SA_SIGINFO);
	show("nothing", nothing);
	show("registers", registers);
	show("vector", vector);
	show("mask", mask);
	show("uc_flags, uc_link", links);
	show("siginfo", info_gone);
	set_handler(SIGSEGV, come_back, SA_SIGINFO);
	show("pc above 4 GiB", jump_far);
	set_handler(SIGSEGV, 0, 0);

	bad("FPSIMD of 512 bytes", small_fpsimd);
	bad("no FPSIMD", no_fpsimd);
	bad("unknown record", unknown_record);
	bad("EL1", el1);
	bad("AArch32", aarch32);
	bad("terminator with size", no_end);
	print("misaligned sp: %x\n", stray(0x10008));
	print("sp 0: %x\n", stray(0));
	print("sp above 4 GiB: %x\n", stray(0x1000000000));
	print("sp at the end: %x\n", stray(0xfffffff0));
	return 0;
}
