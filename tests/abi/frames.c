/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a signal handler finds on the stack, and what rt_sigreturn makes of it. */
#include "abi.h"

/* Offsets in the context a handler gets: x2 of it. */
enum {
	UC_FLAGS = 0,
	UC_LINK = 4,
	UC_STACK = 8,
	UC_MASK = 20,
	UC_FAULT = 160,
	UC_REGS = 168,
	UC_SP = 416,
	UC_PC = 424,
	UC_PSTATE = 432,
	UC_RECORDS = 448,
};
#define FPSIMD 0x46508001
#define ESR    0x45535201

static u64 regs[4]; /* sp, x0, x1, x2 at the handler's first instruction */
static u64 x29_x30[2];
static u8 context[4688];     /* copy of the frame */
static void (*edit)(u8 *uc); /* what the handler changes before it returns */
static u32 frame_at;

static __attribute__((used)) void handle(u8 *frame)
{
	frame_at = Z(frame);
	memcpy(context, frame, sizeof(context));
	if (edit)
		edit(frame + 128);
}

void handler(void);
__asm__(".text\n"
	".type handler, %function\n"
	"handler:\n"
	"	adrp x9, regs\n add x9, x9, :lo12:regs\n"
	"	mov x10, sp\n stp x10, x0, [x9]\n stp x1, x2, [x9, #16]\n"
	"	adrp x9, x29_x30\n add x9, x9, :lo12:x29_x30\n stp x29, x30, [x9]\n"
	"	mov x0, sp\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	bl handle\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ret\n");

static u64 at64(u32 uc_offset)
{
	return get64(context + 128 + uc_offset);
}
static u32 at32(u32 uc_offset)
{
	return get32(context + 128 + uc_offset);
}

/* tgkill of ourselves with known registers: x1, x2 as given, x5 and x20 64 bits, v8, flags. */
struct state {
	u64 x0, x5, x20, v8, nzcv, sp, pc;
};
static NOINLINE struct state raise_with(u32 sig, u64 x5)
{
	struct state s;

	__asm__ volatile(
		"	mov x8, #131\n"
		"	mov w0, %w7\n mov w1, %w8\n mov w2, %w9\n"
		"	mov x5, %10\n mov x20, #0x2020\n movi v8.16b, #8\n"
		"	mov x3, #0x90000000\n msr nzcv, x3\n"
		"	adr x6, 1f\n"
		"	svc #0\n"
		"1:	mov %0, x0\n mov %1, x5\n mov %2, x20\n umov %3, v8.d[1]\n mrs %4, nzcv\n"
		"	mov %5, sp\n mov %6, x6\n"
		: "=&r"(s.x0), "=&r"(s.x5), "=&r"(s.x20), "=&r"(s.v8), "=&r"(s.nzcv), "=&r"(s.sp),
		  "=&r"(s.pc)
		: "r"(own_pid()), "r"((u32)S(gettid)), "r"(sig), "r"(x5)
		: "x0", "x1", "x2", "x3", "x5", "x6", "x8", "x20", "v8", "cc", "memory");
	return s;
}

static void catch (u32 flags)
{
	EQ(set_handler(SIGUSR1, handler, flags), 0);
}

#define FRAME \
 "oracle frame; linux arch/arm64/kernel/signal_ilp32.c (ILP32 series), signal.c setup_sigframe"

CASE("SIG-001", "rt_sigaction tgkill .rt_sigframe", ALL, FRAME,
     "SA_SIGINFO: x0 number, x1 = sp, x2 = sp + 128, sp a multiple of 16, x29 the frame record")
{
	struct state s;

	catch (SA_SIGINFO);
	s = raise_with(SIGUSR1, 5);
	EQ(s.x0, 0);
	EQ(regs[1], SIGUSR1);
	EQ(regs[2], regs[0]);
	EQ(regs[3], regs[0] + 128);
	EQ(regs[0] % 16, 0);
	EQ(x29_x30[0], regs[0] + 4672);
	EQ(get64(context + 4672 + 8) >> 32, 0);
	EQ(regs[0] + 4688, s.sp & ~15ull);
	EQ(get32(context), SIGUSR1);
}

CASE("SIG-002", "rt_sigaction tgkill", ALL, FRAME,
     "without SA_SIGINFO x1 and x2 keep their values; the frame is the same")
{
	struct state s;

	catch (0);
	s = raise_with(SIGUSR1, 5);
	EQ(regs[1], SIGUSR1);
	EQ(regs[2], S(gettid));
	EQ(regs[3], SIGUSR1);
	EQ(regs[0] + 4688, s.sp & ~15ull);
	EQ(at32(UC_RECORDS), FPSIMD);
}

CASE("SIG-003", "tgkill .rt_sigframe", ALL, FRAME,
     "registers at 296, sp 544, pc 552, pstate 560, records at 576 of the frame")
{
	struct state s;

	catch (SA_SIGINFO);
	s = raise_with(SIGUSR1, 0x55);
	EQ(at32(UC_FLAGS), 0);
	EQ(at32(UC_LINK), 0);
	EQ(get64(context + 296), 0);
	EQ(get64(context + 296 + 8 * 5), 0x55);
	EQ(get64(context + 296 + 8 * 8), __NR_tgkill);
	EQ(get64(context + 296 + 8 * 20), 0x2020);
	EQ(get64(context + 544), s.sp);
	EQ(get64(context + 552), s.pc);
	EQ(get64(context + 560) & 0xf0000000, 0x90000000);
	EQ(get32(context + 576), FPSIMD);
	EQ(s.nzcv, 0x90000000);
	EQ(s.x20, 0x2020);
}

CASE("SIG-004", "rt_sigreturn", ALL, FRAME, "upper halves of registers are saved and come back")
{
	struct state s;

	catch (SA_SIGINFO);
	s = raise_with(SIGUSR1, 0xfeedface12345678ull);
	EQ(at64(UC_REGS + 40), 0xfeedface12345678ull);
	EQ(s.x5, 0xfeedface12345678ull);
}

CASE("SIG-005", "tgkill", AMPERE, FRAME,
     "the first record is FPSIMD with 528 bytes, then the terminator")
{
	catch (SA_SIGINFO);
	raise_with(SIGUSR1, 5);
	EQ(at32(UC_RECORDS), FPSIMD);
	EQ(at32(UC_RECORDS + 4), 528);
	EQ(at64(UC_RECORDS + 16 + 16 * 8), 0x0808080808080808ull);
	EQ(at64(UC_RECORDS + 528), 0);
}

/* Length of the chain of records; *WANTED: is a record with this magic among them? */
static u32 records(u32 magic, int *found)
{
	u32 at = 0;

	*found = 0;
	while (at < 4096 && at32(UC_RECORDS + at)) {
		*found |= at32(UC_RECORDS + at) == magic;
		OK(at32(UC_RECORDS + at + 4) >= 16 && at32(UC_RECORDS + at + 4) % 16 == 0);
		at += at32(UC_RECORDS + at + 4);
	}
	EQ(at32(UC_RECORDS + at + 4), 0);
	return at;
}

CASE("SIG-005a", "tgkill .rt_sigframe", ALL, FRAME,
     "FPSIMD comes first; the chain of records ends with {0, 0}")
{
	int found;

	catch (SA_SIGINFO);
	raise_with(SIGUSR1, 5);
	EQ(at32(UC_RECORDS), FPSIMD);
	EQ(at32(UC_RECORDS + 4), 528);
	OK(records(FPSIMD, &found) >= 528);
}

static void skip_instruction(u8 *uc)
{
	put64(uc + UC_PC, get64(uc + UC_PC) + 4);
}

CASE("SIG-006", "rt_sigaction tgkill", ALL, FRAME ": ESR only with a fault recorded, which stays",
     "after a SIGSEGV every frame has an ESR record, and the fault address")
{
	int found;

	catch (SA_SIGINFO);
	raise_with(SIGUSR1, 5);
	records(ESR, &found);
	EQ(found, 0);
	EQ(at64(UC_FAULT), 0);
	set_handler(SIGSEGV, handler, SA_SIGINFO);
	edit = skip_instruction;
	__asm__ volatile("mov x9, #0x123\n str w9, [x9]" : : : "x9", "memory");
	edit = 0;
	records(ESR, &found);
	EQ(found, 1);
	EQ(at64(UC_FAULT), 0x123);
	raise_with(SIGUSR1, 5);
	records(ESR, &found);
	EQ(found, 1);
	EQ(at64(UC_FAULT), 0x123);
}

/* --- rt_sigreturn --------------------------------------------------------------------------------- */

#define RETURN "linux arch/arm64/kernel/signal.c restore_sigframe, parse_user_sigframe"

/* The signal that a child dies of when its handler edits the frame so; 0: none. */
static u32 dies_of(void (*fn)(u8 *uc))
{
	s64 child = fork_();

	if (!child) {
		edit = fn;
		set_handler(SIGUSR1, handler, SA_SIGINFO);
		raise_with(SIGUSR1, 5);
		S(exit_group, 0);
	}
	return (u32)wait_for(child) & 0x7f;
}

CASE("SIG-007", "rt_sigreturn", ALL, RETURN, "rt_sigreturn with sp not a multiple of 16: SIGSEGV")
{
	s64 child = fork_();

	if (!child) {
		__asm__ volatile("sub x9, sp, #8\n mov sp, x9\n mov x8, #139\n svc #0"
				 :
				 :
				 : "x8", "x9", "memory");
		S(exit_group, 0);
	}
	EQ(wait_for(child) & 0x7f, SIGSEGV);
}

static void fp_size(u8 *uc)
{
	put32(uc + UC_RECORDS + 4, 512);
}
CASE("SIG-008", "rt_sigreturn", ALL, RETURN, "an FPSIMD record of 512 bytes: SIGSEGV")
{
	EQ(dies_of(0), 0);
	EQ(dies_of(fp_size), SIGSEGV);
}

static void fp_gone(u8 *uc)
{
	put64(uc + UC_RECORDS, 0);
}
CASE("SIG-009", "rt_sigreturn", ALL, RETURN, "no FPSIMD record: SIGSEGV")
{
	EQ(dies_of(fp_gone), SIGSEGV);
}

static void unknown_record(u8 *uc)
{
	put32(uc + UC_RECORDS + 528, 0x12345678);
	put32(uc + UC_RECORDS + 532, 16);
	put64(uc + UC_RECORDS + 544, 0);
}
static void terminator_size(u8 *uc)
{
	put64(uc + UC_RECORDS + 528, 0x1000000000ull);
}
static void fp_twice(u8 *uc)
{
	memcpy(uc + UC_RECORDS + 528, uc + UC_RECORDS, 528);
	put64(uc + UC_RECORDS + 1056, 0);
}
CASE("SIG-010", "rt_sigreturn", ALL, RETURN,
     "an unknown record, a second FPSIMD record, a terminator with a size: SIGSEGV")
{
	EQ(dies_of(unknown_record), SIGSEGV);
	EQ(dies_of(fp_twice), SIGSEGV);
	EQ(dies_of(terminator_size), SIGSEGV);
}

static void mode_el1(u8 *uc)
{
	put64(uc + UC_PSTATE, (get64(uc + UC_PSTATE) & ~15ull) | 5);
}
static void masked_irq(u8 *uc)
{
	put64(uc + UC_PSTATE, get64(uc + UC_PSTATE) | 0x80);
}
CASE("SIG-011", "rt_sigreturn", ALL, "linux arch/arm64/kernel/ptrace.c valid_user_regs",
     "pstate of EL1, or with interrupts masked: SIGSEGV")
{
	EQ(dies_of(mode_el1), SIGSEGV);
	EQ(dies_of(masked_irq), SIGSEGV);
}

static void flags(u8 *uc)
{
	put64(uc + UC_PSTATE, (get64(uc + UC_PSTATE) & ~0xf0000000ull) | 0x60000000);
}
CASE("SIG-012", "rt_sigreturn", ALL, RETURN, "changed condition flags are in force")
{
	struct state s;

	catch (SA_SIGINFO);
	edit = flags;
	s = raise_with(SIGUSR1, 5);
	EQ(s.nzcv, 0x60000000);
}

static void block_two(u8 *uc)
{
	put32(uc + UC_MASK, 1u << (SIGUSR2 - 1));
	put32(uc + UC_MASK + 4, 1u << (40 - 33));
}
CASE("SIG-013", "rt_sigreturn rt_sigprocmask", ALL, RETURN,
     "a changed mask is in force, low word first")
{
	u32 mask[2];

	catch (SA_SIGINFO);
	edit = block_two;
	raise_with(SIGUSR1, 5);
	EQ(S(rt_sigprocmask, 0, 0, mask, 8), 0);
	EQ(mask[0], 1u << (SIGUSR2 - 1));
	EQ(mask[1], 1u << (40 - 33));
}

static void vector(u8 *uc)
{
	put64(uc + UC_RECORDS + 16 + 16 * 8 + 8, 0x1122334455667788ull);
	put32(uc + UC_RECORDS + 12, 0x00c00000); /* fpcr: round towards zero */
}
CASE("SIG-014", "rt_sigreturn", ALL, RETURN, "changed vector registers and fpcr are in force")
{
	struct state s;
	u64 fpcr;

	catch (SA_SIGINFO);
	edit = vector;
	s = raise_with(SIGUSR1, 5);
	EQ(s.v8, 0x1122334455667788ull);
	__asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
	EQ(fpcr & 0xc00000, 0xc00000);
}

static void link_garbage(u8 *uc)
{
	put32(uc + UC_FLAGS, 0xffffffff);
	put32(uc + UC_LINK, 0x12345678);
	put64(uc + UC_REGS, 77);
}
CASE("SIG-015", "rt_sigreturn", ALL, RETURN,
     "uc_flags and uc_link are ignored; x0 comes from the frame")
{
	struct state s;

	catch (SA_SIGINFO);
	edit = link_garbage;
	s = raise_with(SIGUSR1, 5);
	EQ(s.x0, 77);
}

static u32 restored;
static __attribute__((used)) void note_restorer(void)
{
	restored++;
}
void restorer(void);
__asm__(".text\n"
	".type restorer, %function\n"
	"restorer:\n"
	"	bl note_restorer\n"
	"	mov x8, #139\n"
	"	svc #0\n");

static void catch_with_restorer(void)
{
	struct kernel_sigaction a = {Z(handler), SA_SIGINFO | SA_RESTORER, Z(restorer), {0, 0}};

	EQ(S(rt_sigaction, SIGUSR1, &a, 0, 8), 0);
}

CASE("SIG-016", "rt_sigaction", NOT_OE, FRAME " setup_return",
     "SA_RESTORER is where a handler returns to")
{
	catch_with_restorer();
	raise_with(SIGUSR1, 5);
	EQ(x29_x30[1], Z(restorer));
	EQ(restored, 1);
}

CASE("SIG-016a", "rt_sigaction", OPENEULER,
     "openEuler 5.10 arch/arm64/kernel/signal_ilp32.c setup_return",
     "SA_RESTORER is ignored: the vDSO is where a handler returns to")
{
	catch_with_restorer();
	raise_with(SIGUSR1, 5);
	OK(x29_x30[1] != Z(restorer) && x29_x30[1] >> 32 == 0);
	EQ(restored, 0);
}

CASE("SIG-016b", "rt_sigaction", ALL, FRAME,
     "without a restorer a handler returns to mov x8, #139; svc #0")
{
	catch (SA_SIGINFO);
	raise_with(SIGUSR1, 5);
	EQ(*(u32 *)(u32)x29_x30[1], 0xd2801168);
	EQ(*(u32 *)(u32)(x29_x30[1] + 4), 0xd4000001);
}

/* --- the alternate stack -------------------------------------------------------------------------- */

static u8 stack[32768] __attribute__((aligned(16)));

static s64 alternate(u32 flags)
{
	u32 ss[3] = {Z(stack), flags, sizeof(stack)};

	return S(sigaltstack, ss, 0);
}

CASE("SIG-017", "sigaltstack", ALL, FRAME ", ucstack",
     "SA_ONSTACK: the frame is at the top of the alternate stack, uc_stack describes it")
{
	catch (SA_SIGINFO | SA_ONSTACK);
	EQ(alternate(0), 0);
	raise_with(SIGUSR1, 5);
	EQ(regs[0], Z(stack) + sizeof(stack) - 4688);
	EQ(at32(UC_STACK), Z(stack));
	EQ(at32(UC_STACK + 4), 0);
	EQ(at32(UC_STACK + 8), sizeof(stack));
}

static u32 inner;
static s64 busy;
static void again(u8 *uc)
{
	(void)uc;
	edit = 0;
	inner = frame_at;
	busy = alternate(0);
	S(tgkill, own_pid(), sys6(__NR_gettid, 0, 0, 0, 0, 0, 0), SIGUSR1);
}
CASE("SIG-018", "sigaltstack", ALL, "linux kernel/signal.c do_sigaltstack; arch/arm64 sigsp",
     "a second signal goes on below the first; changing the stack meanwhile is EPERM")
{
	EQ(set_handler(SIGUSR1, handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER), 0);
	EQ(alternate(0), 0);
	edit = again;
	raise_with(SIGUSR1, 5);
	EQ(busy, -EPERM);
	EQ(inner, Z(stack) + sizeof(stack) - 4688);
	OK(frame_at < inner && frame_at >= Z(stack) + 4096);
}

static u32 inside[3];
static void ask(u8 *uc)
{
	(void)uc;
	S(sigaltstack, 0, inside);
}
CASE("SIG-019", "sigaltstack", ALL, "oracle ucstack; linux include/linux/signal.h sas_ss_reset",
     "SS_AUTODISARM: no alternate stack in the handler, back after it")
{
	u32 after[3];

	catch (SA_SIGINFO | SA_ONSTACK);
	EQ(alternate(0x80000000), 0);
	edit = ask;
	raise_with(SIGUSR1, 5);
	EQ(at32(UC_STACK + 4), 0x80000000);
	EQ(inside[1], 2);
	EQ(S(sigaltstack, 0, after), 0);
	EQ(after[0], Z(stack));
	EQ(after[1], 0x80000000);
}

CASE("SIG-020", "sigaltstack", ALL,
     "linux arch/arm64/kernel/signal.c setup_rt_frame: forced SIGSEGV",
     "an alternate stack that is not mapped: killed by SIGSEGV")
{
	s64 child = fork_();

	if (!child) {
		u32 ss[3] = {0x1000, 0, 0x4000};

		set_handler(SIGUSR1, handler, SA_SIGINFO | SA_ONSTACK);
		set_handler(SIGSEGV, handler, SA_SIGINFO | SA_ONSTACK);
		S(sigaltstack, ss, 0);
		raise_with(SIGUSR1, 5);
		S(exit_group, 0);
	}
	EQ(wait_for(child) & 0x7f, SIGSEGV);
}
