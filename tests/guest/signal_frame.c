/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signal frame byte by byte and the registers at handler entry, for a signal by kill and for a
 * fault: which bytes the kernel writes (two runs over different fill patterns tell), and what.
 */
#include "guest.h"

/* What the handler saw: x0..x30, sp, nzcv, fpcr, fpsr; and what lay on its stack. */
struct seen {
	u64 x[31], sp, nzcv, fpcr, fpsr;
} seen;
u8 frame[2][4688];
u8 *frame_copy;
u64 interrupted_sp, sp_of_run[2];
u32 edit_pc; /* not 0: the handler puts this into the frame's pc */
extern const u8 after_svc[], fault_at[], behind_fault[];
void handler(void);
void do_kill(u32 pid, u32 sig);
void do_fault(void);

/* x16 and x17 are the handler's to use; the trigger gives them values only to see them in the frame. */
__asm__(".text\n"
	".globl handler\n"
	"handler:\n"
	"	adrp x16, seen\n"
	"	add x16, x16, :lo12:seen\n"
	"	stp x0, x1, [x16]\n"
	"	stp x2, x3, [x16, #16]\n"
	"	stp x4, x5, [x16, #32]\n"
	"	stp x6, x7, [x16, #48]\n"
	"	stp x8, x9, [x16, #64]\n"
	"	stp x10, x11, [x16, #80]\n"
	"	stp x12, x13, [x16, #96]\n"
	"	stp x14, x15, [x16, #112]\n"
	"	stp x17, x18, [x16, #136]\n"
	"	stp x19, x20, [x16, #152]\n"
	"	stp x21, x22, [x16, #168]\n"
	"	stp x23, x24, [x16, #184]\n"
	"	stp x25, x26, [x16, #200]\n"
	"	stp x27, x28, [x16, #216]\n"
	"	stp x29, x30, [x16, #232]\n"
	"	mov x3, sp\n"
	"	str x3, [x16, #248]\n"
	"	mrs x3, nzcv\n"
	"	str x3, [x16, #256]\n"
	"	mrs x3, fpcr\n"
	"	str x3, [x16, #264]\n"
	"	mrs x3, fpsr\n"
	"	str x3, [x16, #272]\n"
	"	adrp x4, frame_copy\n"
	"	ldr w4, [x4, :lo12:frame_copy]\n"
	"	mov x5, sp\n"
	"	mov x6, #4688\n"
	"1:	ldrb w7, [x5], #1\n"
	"	strb w7, [x4], #1\n"
	"	subs x6, x6, #1\n"
	"	b.ne 1b\n"
	"	adrp x4, edit_pc\n"
	"	ldr w4, [x4, :lo12:edit_pc]\n"
	"	cbz w4, 2f\n"
	"	str x4, [sp, #552]\n"
	"2:	ret\n"

	".macro save_and_load\n"
	"	stp x29, x30, [sp, #-96]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	adrp x9, interrupted_sp\n"
	"	mov x10, sp\n"
	"	str x10, [x9, :lo12:interrupted_sp]\n"
	"	.irp n, 3,4,5,6,7,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
	"	mov x\\n, #0x5000 + \\n\n"
	"	movk x\\n, #0xbe00 + \\n, lsl #48\n"
	"	.endr\n"
	"	movi v0.16b, #0x10\n"
	"	movi v8.16b, #0x18\n"
	"	movi v31.16b, #0x3f\n"
	"	cmp xzr, xzr\n"
	".endm\n"
	".macro unsave\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp x29, x30, [sp], #96\n"
	"	ret\n"
	".endm\n"

	".globl do_kill\n"
	"do_kill:\n"
	"	save_and_load\n"
	"	mov x2, #0x2222\n"
	"	movk x2, #0xdead, lsl #48\n"
	"	mov x8, #129\n"
	"	svc #0\n"
	".globl after_svc\n"
	"after_svc:\n"
	"	unsave\n"

	".globl do_fault\n"
	"do_fault:\n"
	"	save_and_load\n"
	"	mov x1, #0x1230\n"
	"	movk x1, #0x4567, lsl #16\n"
	"	movk x1, #1, lsl #32\n"
	".globl fault_at\n"
	"fault_at:\n"
	"	str x0, [x1]\n"
	".globl behind_fault\n"
	"behind_fault:\n"
	"	unsave\n");

static u8 alt[16384] __attribute__((aligned(4096)));

static int written(u32 i)
{
	return !(frame[0][i] == 0xa5 && frame[1][i] == 0x5a);
}

static void show_ranges(void)
{
	print("written:");
	for (u32 i = 0, start = 0, in = 0; i <= 4688; i++) {
		if (i < 4688 && written(i)) {
			start = in ? start : i;
			in = 1;
		} else if (in) {
			print(" %d-%d", start, i);
			in = 0;
		}
	}
	print("\n");
}

static const char *same(u64 value, u64 wanted)
{
	return value == wanted ? "yes" : "no";
}

static void show_entry(int with_info)
{
	u32 sp = (u32)seen.sp;
	int kept = 1;

	print("entry: x0 %lu, sp %d below the top, sp mod 16 %d, x29-sp %d\n", seen.x[0],
	      (u32)alt + sizeof(alt) - sp, sp & 15, (u32)(seen.x[29] - seen.sp));
	if (with_info)
		print("x1-sp %d, x2-sp %d\n", (u32)(seen.x[1] - seen.sp),
		      (u32)(seen.x[2] - seen.sp));
	for (int i = 3; i < 29; i++)
		if (i != 8 && i != 16 &&
		    seen.x[i] != (0xbe00000000005000ull | (u64)i << 48 | (u64)i)) {
			print("x%d %lx\n", i, seen.x[i]);
			kept = 0;
		}
	print("x3-x28 kept: %s, nzcv %lx, fpcr %lx, fpsr %lx\n", kept ? "yes" : "no", seen.nzcv,
	      seen.fpcr, seen.fpsr);
}

static void show_frame(const u8 *pc)
{
	const u8 *f = frame[0];
	int regs = 1;

	print("uc_flags %x, uc_link %x, uc_stack {%s, %x, %x}, uc_sigmask %8x %8x\n",
	      get32(f + 128), get32(f + 132), get32(f + 136) == (u32)alt ? "alt" : "?",
	      get32(f + 140), get32(f + 144), get32(f + 148), get32(f + 152));
	print("fault_address %lx\n", get64(f + 288));
	for (int i = 3; i < 31; i++)
		if (i != 8 &&
		    get64(f + 296 + i * 8) != (0xbe00000000005000ull | (u64)i << 48 | (u64)i))
			regs = 0;
	print("regs right: %s, sp: %s, pc: %s, pstate %lx\n", regs ? "yes" : "no",
	      same(get64(f + 544), sp_of_run[0]), same(get64(f + 552), (u32)pc), get64(f + 560));
	for (u32 i = 576; i < 4672; i += get32(f + i + 4)) {
		print("record at %d: %8x size %d", i, get32(f + i), get32(f + i + 4));
		if (get32(f + i) == 0x46508001)
			print(", v0 %lx v8 %lx v31 %lx", get64(f + i + 16),
			      get64(f + i + 16 + 8 * 16), get64(f + i + 16 + 31 * 16 + 8));
		if (get32(f + i) == 0x45535201)
			print(", esr %lx", get64(f + i + 8));
		print("\n");
		if (!get32(f + i))
			break;
	}
	print("frame record: x29 %lx x30 %lx\n", get64(f + 4672), get64(f + 4680));
}

static void both(int sig, int fault)
{
	for (int i = 0; i < 2; i++) {
		memset(alt, i ? 0x5a : 0xa5, sizeof(alt));
		frame_copy = frame[i];
		if (fault)
			do_fault();
		else
			do_kill((u32)sys(NR_getpid), (u32)sig);
		sp_of_run[i] = interrupted_sp;
	}
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 stack[3] = {(u32)alt, 0, sizeof(alt)};
	const u32 *code;

	sys(NR_sigaltstack, stack, 0);
	set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(64));

	set_handler(SIGUSR2, handler, SA_SIGINFO | SA_ONSTACK);
	both(SIGUSR2, 0);
	print("== kill\n");
	show_entry(1);
	show_frame(after_svc);
	show_ranges();
	code = (const u32 *)(u32)seen.x[30];
	print("code at x30: %8x %8x\n", code[0], code[1]);
	print("siginfo: %d %d %d, pid right: %s\n", get32(frame[0]), get32(frame[0] + 4),
	      get32(frame[0] + 8), same(get32(frame[0] + 12), (u64)sys(NR_getpid)));

	set_handler(SIGSEGV, handler, SA_SIGINFO | SA_ONSTACK);
	edit_pc = (u32)behind_fault;
	both(SIGSEGV, 1);
	edit_pc = 0;
	print("== store to 0x145671230\n");
	show_entry(1);
	show_frame(fault_at);
	show_ranges();
	print("siginfo: %d %d %d %x\n", get32(frame[0]), get32(frame[0] + 4), get32(frame[0] + 8),
	      get32(frame[0] + 12));

	set_handler(SIGUSR2, handler, SA_ONSTACK);
	both(SIGUSR2, 0);
	print("== kill again, without SA_SIGINFO\n");
	show_entry(0);
	print("x1 %lx, x2 %lx\n", seen.x[1], seen.x[2]);
	show_frame(after_svc);
	show_ranges();

	set_handler(SIGUSR2, handler, SA_SIGINFO);
	both(SIGUSR2, 0);
	print("== on the normal stack\n");
	print("interrupted sp - sp: %d\n", (u32)(interrupted_sp - seen.sp));
	return 0;
}
