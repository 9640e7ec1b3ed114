/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signal frame: bytes as a 4.14 ILP32 kernel wrote them (tests/oracle/frame.out), the alternate stack, and
 * every check of rt_sigreturn.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "mem/mem.h"
#include "signal/host.h"
#include "task/task.h"

#define STACK      0x00800000u /* 64 KiB of guest stack at this address */
#define STACK_SIZE 0x10000u
#define TOP        (STACK + STACK_SIZE)
#define HANDLER    0x00400124u
#define TRAMPOLINE 0xf7d2c5bcu

static struct process process;
static struct task task;

static uint8_t *at(uint64_t guest)
{
	return mem_host((gaddr)guest);
}

static int setup(void **state)
{
	(void)state;
	assert_true(abi_select("ampere-4.14"));
	memset(at(STACK), 0xa5, STACK_SIZE);
	memset(process.action, 0, sizeof(process.action));
	process.sigreturn = TRAMPOLINE;
	memset(&task, 0, sizeof(task));
	task.process = &process;
	task.tid = (pid_t)syscall(SYS_gettid);
	task.sig.alt.flags = 2;
	for (unsigned i = 0; i < 31; i++)
		task.regs.x[i] = 0xbe00000000005000 | (uint64_t)i << 48 | i;
	for (unsigned i = 0; i < 32; i++)
		task.regs.v[i] = (struct cpu_vreg){0x0101010101010101 * i, 0x1010101010101010 + i};
	task.regs.sp = TOP - 0x1de0;
	task.regs.pc = 0x4002a4;
	task.regs.pstate = 0x60000000;
	task.regs.fpcr = 0x03c00000;
	task.regs.fpsr = 0x10;
	return 0;
}

static const struct host_siginfo usr2 = {
	.si_signo = 12, .si_code = 0, .u.rt = {.pid = 0x5c, .uid = 0}};

static struct sig_action with(uint32_t flags)
{
	return (struct sig_action){.handler = HANDLER, .flags = flags};
}

/* What the kernel leaves in memory, built from struct rt_sigframe and the recording tests/oracle/frame.out. */
static void expected_frame(uint8_t *f, const struct cpu_state *r, unsigned info_bytes,
			   uint64_t mask)
{
	static const uint32_t info[5] = {12, 0, 0, 0x5c, 0};
	unsigned n = 576;

	memset(f, 0xa5, 4688);
	memcpy(f, info, info_bytes);
	abi_put32(f + 128, 0);
	abi_put32(f + 132, 0);
	abi_put32(f + 136, task.sig.alt.sp);
	abi_put32(f + 140, task.sig.alt.flags);
	abi_put32(f + 144, task.sig.alt.size);
	abi_put64(f + 148, mask);
	abi_put64(f + 288, task.sig.fault_address);
	memcpy(f + 296, r->x, 31 * sizeof(uint64_t));
	abi_put64(f + 544, r->sp);
	abi_put64(f + 552, r->pc);
	abi_put64(f + 560, r->pstate);
	abi_put32(f + n, 0x46508001);
	abi_put32(f + n + 4, 528);
	abi_put32(f + n + 8, r->fpsr);
	abi_put32(f + n + 12, r->fpcr);
	memcpy(f + n + 16, r->v, 512);
	n += 528;
	if (task.sig.fault_esr) {
		abi_put32(f + n, 0x45535201);
		abi_put32(f + n + 4, 16);
		abi_put64(f + n + 8, task.sig.fault_esr);
		n += 16;
	}
	memset(f + n, 0, 8);
	abi_put64(f + 4672, r->x[29]);
	abi_put64(f + 4680, r->x[30]);
}

static void bytes_of_the_frame(void **state)
{
	struct cpu_state before = task.regs;
	struct sig_action a = with(GSA_SIGINFO);
	uint64_t record = before.sp - 16, frame = record - 4672;
	uint8_t want[4688];

	(void)state;
	expected_frame(want, &before, 20, 0x8000000000000200);
	assert_true(frame_push(&task, &usr2, &a, 0x8000000000000200));
	assert_memory_equal(at(frame), want, sizeof(want));
	/* Nothing below or above. */
	assert_int_equal(*at(frame - 1), 0xa5);
	assert_int_equal(*at(before.sp), 0xa5);

	assert_int_equal(task.regs.x[0], 12);
	assert_int_equal(task.regs.x[1], frame);
	assert_int_equal(task.regs.x[2], frame + 128);
	for (unsigned i = 3; i < 29; i++)
		assert_int_equal(task.regs.x[i], before.x[i]);
	assert_int_equal(task.regs.x[29], record);
	assert_int_equal(task.regs.x[30], TRAMPOLINE);
	assert_int_equal(task.regs.sp, frame);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(task.regs.pstate, before.pstate);
	assert_memory_equal(task.regs.v, before.v, sizeof(before.v));
	assert_int_equal(task.regs.fpcr, before.fpcr);
}

static void without_siginfo_after_a_fault(void **state)
{
	struct cpu_state before = task.regs;
	struct sig_action a = with(0);
	uint8_t want[4688];

	(void)state;
	task.sig.fault_address = 0x145671230;
	task.sig.fault_esr = 0x92000045;
	expected_frame(want, &before, 0, 0);
	assert_true(frame_push(&task, &usr2, &a, 0));
	assert_memory_equal(at(task.regs.sp), want, sizeof(want));
	assert_int_equal(task.regs.x[0], 12);
	assert_int_equal(task.regs.x[1], before.x[1]);
	assert_int_equal(task.regs.x[2], before.x[2]);
}

static void unaligned_sp(void **state)
{
	struct sig_action a = with(GSA_SIGINFO);

	(void)state;
	task.regs.sp = TOP - 0x1007;
	assert_true(frame_push(&task, &usr2, &a, 0));
	/* round_down(sp - 16, 16) - 4672 */
	assert_int_equal(task.regs.sp, ((TOP - 0x1007 - 16) & ~15u) - 4672);
	assert_int_equal(task.regs.sp & 15, 0);
}

static void restorer(void **state)
{
	struct sig_action a = with(GSA_RESTORER);

	(void)state;
	a.restorer = 0x400300;
	assert_true(frame_push(&task, &usr2, &a, 0));
	assert_int_equal(task.regs.x[30], 0x400300);
	/* openEuler ignores it. */
	setup(NULL);
	assert_true(abi_select("openeuler-6.6"));
	assert_true(frame_push(&task, &usr2, &a, 0));
	assert_int_equal(task.regs.x[30], TRAMPOLINE);
}

static void no_room(void **state)
{
	static const uint64_t bad[] = {0,     8,          16,           4688,
				       STACK, STACK + 16, STACK + 4687, 0x100000000 + TOP,
				       ~0ull, 1ull << 63};
	struct sig_action a = with(GSA_SIGINFO);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cpu_state before;

		task.regs.sp = bad[i];
		before = task.regs;
		assert_false(frame_push(&task, &usr2, &a, 0));
		assert_memory_equal(&before, &task.regs, sizeof(before));
	}
	/* Exactly enough. */
	task.regs.sp = STACK + 4688;
	assert_true(frame_push(&task, &usr2, &a, 0));
	assert_int_equal(task.regs.sp, STACK);
}

/* The frame record alone in an inaccessible page, or the records alone. */
static void page_missing(void **state)
{
	struct sig_action a = with(GSA_SIGINFO);

	(void)state;
	assert_int_equal(mem_mprotect(STACK + 0x2000, 0x1000, PROT_NONE), 0);
	task.regs.sp = STACK + 0x2000 - 1120 + 4688; /* record at STACK + 0x2de0 */
	assert_false(frame_push(&task, &usr2, &a, 0));
	task.regs.sp = STACK + 0x3000 - 560 + 4688; /* records from STACK + 0x2dd0 */
	assert_false(frame_push(&task, &usr2, &a, 0));
	assert_int_equal(mem_mprotect(STACK + 0x2000, 0x1000, PROT_READ), 0);
	assert_false(frame_push(&task, &usr2, &a, 0));
	assert_int_equal(mem_mprotect(STACK + 0x2000, 0x1000, PROT_READ | PROT_WRITE), 0);
	assert_true(frame_push(&task, &usr2, &a, 0));
}

/* --- the alternate stack -------------------------------------------------------------------------- */

#define ALT      (STACK + 0x8000)
#define ALT_SIZE 0x4000u

static int64_t set_alt(uint32_t flags)
{
	struct sig_altstack a = {ALT, flags, ALT_SIZE};

	return signal_altstack(&task, &a, NULL, true);
}

static void alternate_stack(void **state)
{
	struct sig_action on = with(GSA_ONSTACK), off = with(0);
	uint64_t sp = task.regs.sp;

	(void)state;
	assert_int_equal(set_alt(0), 0);
	task.regs.sp = STACK + 0x6000; /* elsewhere */
	sp = task.regs.sp;
	assert_true(frame_push(&task, &usr2, &off, 0));
	assert_int_equal(task.regs.sp, sp - 4688);
	task.regs.sp = sp;
	assert_true(frame_push(&task, &usr2, &on, 0));
	assert_int_equal(task.regs.sp, ALT + ALT_SIZE - 4688);
	assert_int_equal(abi_get32(at(task.regs.sp + 136)), ALT);
	assert_int_equal(abi_get32(at(task.regs.sp + 140)), 0);
	assert_int_equal(abi_get32(at(task.regs.sp + 144)), ALT_SIZE);
	/* Nested: it continues below. */
	sp = task.regs.sp;
	assert_true(frame_push(&task, &usr2, &on, 0));
	assert_int_equal(task.regs.sp, sp - 4688);
	/* The boundaries are (sp, sp + size]. */
	assert_false(frame_on_altstack(&task, ALT));
	assert_true(frame_on_altstack(&task, ALT + 1));
	assert_true(frame_on_altstack(&task, ALT + ALT_SIZE));
	assert_false(frame_on_altstack(&task, ALT + ALT_SIZE + 1));
	assert_false(frame_on_altstack(&task, 0x100000000 + ALT + 16));
}

static void autodisarm(void **state)
{
	struct sig_action on = with(GSA_ONSTACK | GSA_SIGINFO);
	struct sig_altstack old;
	uint64_t frame, sp = STACK + 0x6000;

	(void)state;
	task.regs.sp = sp;
	assert_int_equal(set_alt(0x80000000), 0);
	assert_true(frame_push(&task, &usr2, &on, 0));
	frame = task.regs.sp;
	assert_int_equal(frame, ALT + ALT_SIZE - 4688);
	assert_int_equal(abi_get32(at(frame + 136)), ALT);
	assert_int_equal(abi_get32(at(frame + 140)), 0x80000000);
	assert_int_equal(abi_get32(at(frame + 144)), ALT_SIZE);
	signal_altstack(&task, NULL, &old, false);
	assert_int_equal(old.flags, 2);
	assert_int_equal(old.size, 0);
	/* Changing it while running on it is allowed here, and the return restores it. */
	signal_return(&task);
	assert_int_equal(task.regs.sp, sp);
	signal_altstack(&task, NULL, &old, false);
	assert_int_equal(old.sp, ALT);
	assert_int_equal(old.flags, 0x80000000);
	assert_int_equal(old.size, ALT_SIZE);
}

static void altstack_rules(void **state)
{
	struct sig_altstack old, a = {ALT, 0, 0};

	(void)state;
	/* 4.14: 5120; kernels with COMPAT_MINSIGSTKSZ: 2048 (tests/oracle/frame.out). */
	a.size = 5119;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), -ENOMEM);
	a.size = 5120;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), 0);
	assert_true(abi_select("modern"));
	a.size = 2047;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), -ENOMEM);
	a.size = 2048;
	assert_int_equal(signal_altstack(&task, &a, &old, true), 0);
	assert_int_equal(old.size, 5120);
	/* Since 5.17 the same again is no change, of whatever size. */
	task.sig.alt = (struct sig_altstack){ALT, 0, 100};
	a.size = 100;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), 0);
	assert_true(abi_select("openeuler-5.10"));
	assert_int_equal(signal_altstack(&task, &a, NULL, true), -ENOMEM);
	assert_true(abi_select("modern"));
	a.size = 2048;
	assert_int_equal(signal_altstack(&task, &a, &old, true), 0);
	a.flags = 4;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), -EINVAL);
	a.flags = 1; /* SS_ONSTACK is accepted */
	a.size = ALT_SIZE;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), 0);
	task.regs.sp = ALT + 64;
	signal_altstack(&task, NULL, &old, false);
	assert_int_equal(old.flags, 1);
	assert_int_equal(signal_altstack(&task, &a, NULL, true), -EPERM);
	task.regs.sp = TOP;
	a.flags = 2;
	assert_int_equal(signal_altstack(&task, &a, NULL, true), 0);
	signal_altstack(&task, NULL, &old, false);
	assert_int_equal(old.sp, 0);
	assert_int_equal(old.size, 0);
	assert_int_equal(old.flags, 2);
}

/* --- rt_sigreturn ------------------------------------------------------------------------------------ */

static void back_as_it_was(void **state)
{
	struct cpu_state before = task.regs;
	struct sig_action a = with(GSA_SIGINFO);

	(void)state;
	task.sig.fault_esr = 0x92000045; /* the record must be skipped */
	assert_true(frame_push(&task, &usr2, &a, 0));
	memset(task.regs.x, 0x77, sizeof(task.regs.x));
	memset(task.regs.v, 0x77, sizeof(task.regs.v));
	task.regs.fpcr = task.regs.fpsr = 0;
	task.regs.pstate = 0;
	/* uc_flags and uc_link are ignored. */
	memset(at(task.regs.sp + 128), 0xee, 8);
	signal_return(&task);
	assert_memory_equal(&task.regs, &before, sizeof(before));
}

static void edits_take_effect(void **state)
{
	struct sig_action a = with(GSA_SIGINFO);
	uint64_t f, host;

	(void)state;
	assert_true(frame_push(&task, &usr2, &a, 0));
	f = task.regs.sp;
	abi_put64(at(f + 148), SIGBIT(40) | SIGBIT(12) | SIGBIT(9) | SIGBIT(19));
	abi_put64(at(f + 296), 0xffffffffffff1234);
	abi_put64(at(f + 544), 0x8765432100000010);
	abi_put64(at(f + 552), 0x1000000000);
	abi_put64(at(f + 560),
		  0x90000000 | 0xffffffff00000000); /* 63:32 are reserved, not illegal */
	abi_put64(at(f + 576 + 16 + 8 * 16), 0x1122334455667788);
	abi_put32(at(f + 576 + 12), 0x01000000);
	signal_return(&task);
	assert_int_equal(task.regs.x[0], 0xffffffffffff1234);
	assert_int_equal(task.regs.sp, 0x8765432100000010);
	assert_int_equal(task.regs.pc, 0x1000000000);
	assert_int_equal(task.regs.pstate, 0x90000000);
	assert_int_equal(task.regs.v[8].lo, 0x1122334455667788);
	assert_int_equal(task.regs.fpcr, 0x01000000);
	/* SIGKILL and SIGSTOP are never blocked; the host thread has the same mask. */
	assert_int_equal(task.sig.mask, SIGBIT(40) | SIGBIT(12));
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &host, 8);
	assert_int_equal(host, SIGBIT(40) | SIGBIT(12));
	signal_set_mask(&task, 0);
}

static void extra_block(void **state)
{
	struct sig_action a = with(GSA_SIGINFO);
	struct cpu_state before = task.regs;
	uint64_t f, rec, extra;
	uint8_t fpsimd[528];

	(void)state;
	assert_true(frame_push(&task, &usr2, &a, 0));
	f = task.regs.sp;
	/* EXTRA first, the FPSIMD record in its block directly behind the terminator. */
	rec = f + 576;
	memcpy(fpsimd, at(rec), sizeof(fpsimd));
	extra = rec + 32 + 16;
	abi_put32(at(rec), 0x45585401);
	abi_put32(at(rec + 4), 32);
	abi_put64(at(rec + 8), extra);
	abi_put32(at(rec + 16), 528 + 16);
	memset(at(rec + 32), 0, 16);
	memcpy(at(extra), fpsimd, sizeof(fpsimd));
	memset(at(extra + 528), 0, 16);
	signal_return(&task);
	assert_memory_equal(&task.regs, &before, sizeof(before));
}

/* Each of these makes the frame bad: SIGSEGV. F is the frame. */
static void bad_fpsimd_size(uint64_t f)
{
	abi_put32(at(f + 580), 512);
}
static void bad_fpsimd_bigger(uint64_t f)
{
	abi_put32(at(f + 580), 544);
}
static void no_fpsimd(uint64_t f)
{
	memset(at(f + 576), 0, 16);
}
static void two_fpsimd(uint64_t f)
{
	memcpy(at(f + 576 + 528), at(f + 576), 528);
	memset(at(f + 576 + 1056), 0, 16);
}
static void unknown_magic(uint64_t f)
{
	abi_put32(at(f + 1104), 0x12345678);
	abi_put32(at(f + 1108), 16);
	memset(at(f + 1120), 0, 16);
}
static void sized_terminator(uint64_t f)
{
	abi_put32(at(f + 1108), 16);
}
static void tiny_record(uint64_t f)
{
	abi_put32(at(f + 1104), 0x45535201);
	abi_put32(at(f + 1108), 4);
}
static void odd_record(uint64_t f)
{
	abi_put32(at(f + 1104), 0x45535201);
	abi_put32(at(f + 1108), 24);
	memset(at(f + 1128), 0, 16);
}
static void record_beyond_the_area(uint64_t f)
{
	abi_put32(at(f + 1104), 0x45535201);
	abi_put32(at(f + 1108), 4096);
}
static void never_ending(uint64_t f)
{
	for (unsigned n = 1104; n < 4672; n += 16) {
		abi_put32(at(f + n), 0x45535201);
		abi_put32(at(f + n + 4), 16);
	}
}
static void mode_el1(uint64_t f)
{
	abi_put64(at(f + 560), 0x60000005);
}
static void mode_aarch32(uint64_t f)
{
	abi_put64(at(f + 560), 0x60000010);
}
static void interrupts_masked(uint64_t f)
{
	abi_put64(at(f + 560), 0x60000080);
}
static void extra_elsewhere(uint64_t f)
{
	abi_put32(at(f + 1104), 0x45585401);
	abi_put32(at(f + 1108), 32);
	abi_put64(at(f + 1112), STACK);
	abi_put32(at(f + 1120), 16);
	memset(at(f + 1136), 0, 16);
}
static void extra_too_long(uint64_t f)
{
	extra_elsewhere(f);
	abi_put64(at(f + 1112), f + 1152);
	abi_put32(at(f + 1120), 0x10000);
}
static void extra_without_terminator(uint64_t f)
{
	extra_elsewhere(f);
	abi_put64(at(f + 1112), f + 1152);
	abi_put32(at(f + 1136), 1);
}

static void bad_frames(void **state)
{
	static const struct {
		const char *name;
		void (*spoil)(uint64_t f);
	} cases[] = {
		{"size 512", bad_fpsimd_size},
		{"size 544", bad_fpsimd_bigger},
		{"no FPSIMD", no_fpsimd},
		{"two FPSIMD", two_fpsimd},
		{"unknown magic", unknown_magic},
		{"terminator with a size", sized_terminator},
		{"record of 4 bytes", tiny_record},
		{"record of 24 bytes", odd_record},
		{"record beyond the area", record_beyond_the_area},
		{"no terminator", never_ending},
		{"EL1", mode_el1},
		{"AArch32", mode_aarch32},
		{"PSTATE.I", interrupts_masked},
		{"EXTRA elsewhere", extra_elsewhere},
		{"EXTRA above 64 KiB", extra_too_long},
		{"EXTRA without terminator", extra_without_terminator},
	};
	struct sig_action a = with(GSA_SIGINFO);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t f;

		setup(NULL);
		process.action[SIG_SEGV] =
			(struct sig_action){.handler = 0x7000, .flags = GSA_SIGINFO};
		assert_true(frame_push(&task, &usr2, &a, SIGBIT(40)));
		f = task.regs.sp;
		cases[i].spoil(f);
		print_message("%s\n", cases[i].name);
		signal_return(&task);
		/* The handler of SIGSEGV runs with the mask of the bad frame, which came first. */
		assert_int_equal(task.regs.pc, 0x7000);
		assert_int_equal(task.regs.x[0], SIG_SEGV);
		assert_int_equal(task.sig.mask, SIGBIT(40) | SIGBIT(SIG_SEGV));
		assert_int_equal(abi_get32(at(task.regs.x[1] + 8)), 0x80); /* SI_KERNEL */
		signal_set_mask(&task, 0);
	}
}

static void misplaced_frames(void **state)
{
	static const uint64_t sps[] = {STACK + 8, 0, 0x10, 0xfffffff0, 0x100000000 + STACK, ~15ull};

	(void)state;
	for (size_t i = 0; i < sizeof(sps) / sizeof(sps[0]); i++) {
		uint64_t top = STACK + 0x4000;
		struct sig_altstack alt = {top - 0x3000, 0, 0x3000};

		setup(NULL);
		assert_true(abi_select("modern"));
		/* Where the handler of the SIGSEGV can run. */
		assert_int_equal(signal_altstack(&task, &alt, NULL, true), 0);
		process.action[SIG_SEGV] =
			(struct sig_action){.handler = 0x7000, .flags = GSA_SIGINFO | GSA_ONSTACK};
		task.regs.sp = sps[i];
		task.sig.fault_esr = 0x92000045;
		signal_return(&task);
		assert_int_equal(task.regs.pc, 0x7000);
		assert_int_equal(task.regs.sp, top - 4688);
		/* Since 4.17: the frame's address, SEGV_ACCERR below any mapping, MAPERR above all. */
		assert_int_equal(abi_get32(at(task.regs.sp + 8)), sps[i] < TOP ? 2 : 1);
		assert_int_equal(abi_get32(at(task.regs.sp + 12)), (uint32_t)sps[i]);
		assert_int_equal(task.sig.fault_esr, 0);
		signal_set_mask(&task, 0);
	}
}

static int map_stack(void **state)
{
	struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	if (mem_init(&cfg) < 0)
		return -1;
	return mem_mmap(STACK, STACK_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == STACK
		       ? 0
		       : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(bytes_of_the_frame, setup),
		cmocka_unit_test_setup(without_siginfo_after_a_fault, setup),
		cmocka_unit_test_setup(unaligned_sp, setup),
		cmocka_unit_test_setup(restorer, setup),
		cmocka_unit_test_setup(no_room, setup),
		cmocka_unit_test_setup(page_missing, setup),
		cmocka_unit_test_setup(alternate_stack, setup),
		cmocka_unit_test_setup(autodisarm, setup),
		cmocka_unit_test_setup(altstack_rules, setup),
		cmocka_unit_test_setup(back_as_it_was, setup),
		cmocka_unit_test_setup(edits_take_effect, setup),
		cmocka_unit_test_setup(extra_block, setup),
		cmocka_unit_test_setup(bad_frames, setup),
		cmocka_unit_test_setup(misplaced_frames, setup),
	};

	return cmocka_run_group_tests(tests, map_stack, NULL);
}
