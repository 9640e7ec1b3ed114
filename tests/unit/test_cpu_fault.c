/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: every stop that is the guest's doing, with exact pc, address, access, registers. */
#include "test_cpu.h"

#define TOP       0xfffff000u /* the last page */
#define BRK_0     0xd4200000u
#define READ_ONLY 0x00080000u
#define NO_ACCESS 0x00090000u

static void assert_fault(enum mem_fault fault, enum mem_access access, uint64_t addr, uint64_t pc)
{
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, fault);
	assert_int_equal(stop.access, access);
	assert_int_equal(stop.addr, addr);
	assert_int_equal(stop.pc, pc);
}

static void assert_align(enum mem_access access, uint64_t addr, uint64_t pc)
{
	assert_int_equal(stop.cause, CPU_STOP_ALIGN);
	assert_int_equal(stop.access, access);
	assert_int_equal(stop.addr, addr);
	assert_int_equal(stop.pc, pc);
}

/* Runs INSN alone behind a NOP with x1, x2 set; x3... keep what the test put there. */
static void run_one(uint32_t insn, uint64_t x1, uint64_t x2)
{
	const uint32_t code[] = {0xd503201f, insn, BRK_0};

	LOAD(code);
	state.x[1] = x1;
	state.x[2] = x2;
	cpu_set_state(cpu, &state);
	run();
}
#define INSN (CODE + 4)

/* --- addressing modes ----------------------------------------------------------------------- */

struct mode {
	uint32_t insn;
	int64_t offset; /* of the access from x1; x2 is -16 (0xfffffff0 as w2) */
	uint32_t size;
	enum mem_access access;
};

static const struct mode modes[] = {
#define R(asm, off, size) {asm, off, size, MEM_READ},
#define W(asm, off, size) {asm, off, size, MEM_WRITE},
	R(0xf9400020, 0, 8)             /* ldr x0, [x1] */
	R(0x39401420, 5, 1)             /* ldrb w0, [x1, #5] */
	R(0x789f9020, -7, 2)            /* ldrsh x0, [x1, #-7] */
	R(0xb97ffc20, 16380, 4)         /* ldr w0, [x1, #16380] */
	R(0xb9804020, 64, 4)            /* ldrsw x0, [x1, #64] */
	R(0xf8418420, 0, 8)             /* ldr x0, [x1], #24 */
	R(0xf85e8c20, -24, 8)           /* ldr x0, [x1, #-24]! */
	R(0xb8403820, 3, 4)             /* ldtr w0, [x1, #3] */
	R(0xf8626820, -16, 8)           /* ldr x0, [x1, x2] */
	R(0xf8627820, -128, 8)          /* ldr x0, [x1, x2, lsl #3] */
	R(0xb8624820, 0xfffffff0ll, 4)  /* ldr w0, [x1, w2, uxtw] */
	R(0xb8625820, 0x3ffffffc0ll, 4) /* ldr w0, [x1, w2, uxtw #2] */
	R(0x7862d820, -32, 2)           /* ldrh w0, [x1, w2, sxtw #1] */
	R(0x3862e820, -16, 1)           /* ldrb w0, [x1, x2, sxtx] */
	R(0xa9400c20, 0, 16)            /* ldp x0, x3, [x1] */
	R(0x29ff0c20, -8, 8)            /* ldp w0, w3, [x1, #-8]! */
	R(0xa8c10c20, 0, 16)            /* ldp x0, x3, [x1], #16 */
	R(0x69428c20, 20, 8)            /* ldpsw x0, x3, [x1, #20] */
	R(0xa85f8c20, 504, 16)          /* ldnp x0, x3, [x1, #504] */
	R(0x3d400420, 1, 1)             /* ldr b0, [x1, #1] */
	R(0x7c5fd020, -3, 2)            /* ldr h0, [x1, #-3] */
	R(0xbd400420, 4, 4)             /* ldr s0, [x1, #4] */
	R(0xfc62d820, -128, 8)          /* ldr d0, [x1, w2, sxtw #3] */
	R(0x3ce27820, -256, 16)         /* ldr q0, [x1, x2, lsl #4] */
	R(0x3dfffc20, 65520, 16)        /* ldr q0, [x1, #65520] */
	R(0x3cdf7020, -9, 16)           /* ldur q0, [x1, #-9] */
	R(0x2d408c20, 4, 8)             /* ldp s0, s3, [x1, #4] */
	R(0x6cff0c20, 0, 16)            /* ldp d0, d3, [x1], #-16 */
	R(0xadff0c20, -32, 32)          /* ldp q0, q3, [x1, #-32]! */
	R(0x4c407020, 0, 16)            /* ld1 {v0.16b}, [x1] */
	R(0x0cc22020, 0, 32)            /* ld1 {v0.8b-v3.8b}, [x1], x2 */
	R(0x4c406c20, 0, 48)            /* ld1 {v0.2d-v2.2d}, [x1] */
	R(0x4cdf8820, 0, 32)            /* ld2 {v0.4s-v1.4s}, [x1], #32 */
	R(0x4c404420, 0, 48)            /* ld3 {v0.8h-v2.8h}, [x1] */
	R(0x4c400020, 0, 64)            /* ld4 {v0.16b-v3.16b}, [x1] */
	R(0x0d400c20, 0, 1)             /* ld1 {v0.b}[3], [x1] */
	R(0x0d405820, 0, 2)             /* ld1 {v0.h}[3], [x1] */
	R(0x0ddf9020, 0, 4)             /* ld1 {v0.s}[1], [x1], #4 */
	R(0x4d408420, 0, 8)             /* ld1 {v0.d}[1], [x1] */
	R(0x0d609020, 0, 8)             /* ld2 {v0.s-v1.s}[1], [x1] */
	R(0x0d407020, 0, 6)             /* ld3 {v0.h-v2.h}[2], [x1] */
	R(0x0d60a420, 0, 32)            /* ld4 {v0.d-v3.d}[0], [x1] */
	R(0x4d40c820, 0, 4)             /* ld1r {v0.4s}, [x1] */
	R(0x0d60e020, 0, 4)             /* ld4r {v0.8b-v3.8b}, [x1] */
	R(0xf940003f, 0, 8)             /* ldr xzr, [x1] */
	R(0x3840143f, 0, 1)             /* ldrb wzr, [x1], #1 */
	R(0xb8bf683f, 0, 4)             /* ldrsw xzr, [x1, xzr] */
	R(0xa9400c3f, 0, 16)            /* ldp xzr, x3, [x1] */
	R(0x294a7c23, 80, 8)            /* ldp w3, wzr, [x1, #80] */
	W(0xf9000020, 0, 8)             /* str x0, [x1] */
	W(0x381ffc20, -1, 1)            /* strb w0, [x1, #-1]! */
	W(0x78002420, 0, 2)             /* strh w0, [x1], #2 */
	W(0xf80ff820, 255, 8)           /* sttr x0, [x1, #255] */
	W(0xb822d820, -64, 4)           /* str w0, [x1, w2, sxtw #2] */
	W(0xa9bf0c20, -16, 16)          /* stp x0, x3, [x1, #-16]! */
	W(0x28810c20, 0, 8)             /* stp w0, w3, [x1], #8 */
	W(0x28200c20, -256, 8)          /* stnp w0, w3, [x1, #-256] */
	W(0x3d000020, 0, 1)             /* str b0, [x1] */
	W(0x3c810c20, 16, 16)           /* str q0, [x1, #16]! */
	W(0xfc1fb020, -5, 8)            /* stur d0, [x1, #-5] */
	W(0xad020c20, 64, 32)           /* stp q0, q3, [x1, #64] */
	W(0x4c002c20, 0, 64)            /* st1 {v0.2d-v3.2d}, [x1] */
	W(0x4c828020, 0, 32)            /* st2 {v0.16b-v1.16b}, [x1], x2 */
	W(0x4d008020, 0, 4)             /* st1 {v0.s}[2], [x1] */
	W(0x4d202420, 0, 4)             /* st4 {v0.b-v3.b}[9], [x1] */
};

static void check_registers_kept(const struct cpu_state *before)
{
	/* No write-back, no half of a pair. */
	assert_memory_equal(before->x, state.x, sizeof(state.x));
	assert_int_equal(before->sp, state.sp);
	assert_int_equal(before->pstate, state.pstate);
	assert_int_equal(state.pc, INSN);
}

static void run_mode(const struct mode *m, uint64_t addr)
{
	struct cpu_state before;
	const uint32_t code[] = {0xd503201f, m->insn, BRK_0};
	unsigned i;

	LOAD(code);
	for (i = 0; i < 31; i++)
		state.x[i] = 0x5a5a0000u + i;
	state.x[2] = (uint64_t)-16;
	state.x[1] = addr - (uint64_t)m->offset;
	state.pstate = 0x90000000u;
	cpu_set_state(cpu, &state);
	before = state;
	run();
	if (stop.cause != CPU_STOP_BRK)
		check_registers_kept(&before);
}

static void test_modes_unmapped(void **unused)
{
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		/* odd, so that nothing can be aligned away */
		run_mode(&modes[i], DATA_END + 0x123);
		assert_fault(MEM_MAPERR, modes[i].access, DATA_END + 0x123, INSN);
	}
}

static void test_modes_protected(void **unused)
{
	unsigned i;

	(void)unused;
	map(READ_ONLY, 0x1000, PROT_READ);
	map(NO_ACCESS, 0x1000, PROT_NONE);
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		run_mode(&modes[i], READ_ONLY + 0x101);
		if (modes[i].access == MEM_WRITE)
			assert_fault(MEM_ACCERR, MEM_WRITE, READ_ONLY + 0x101, INSN);
		else
			assert_int_equal(stop.cause, CPU_STOP_BRK);
		run_mode(&modes[i], NO_ACCESS + 0x101);
		assert_fault(MEM_ACCERR, modes[i].access, NO_ACCESS + 0x101, INSN);
	}
}

/* The access begins in a good page and ends in a bad one: the address is the bad page's first. */
static void test_modes_page_crossing(void **unused)
{
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (modes[i].size == 1)
			continue;
		run_mode(&modes[i], DATA_END - 1);
		assert_fault(MEM_MAPERR, modes[i].access, DATA_END, INSN);
		run_mode(&modes[i], DATA_END - modes[i].size + 1);
		assert_fault(MEM_MAPERR, modes[i].access, DATA_END, INSN);
		run_mode(&modes[i], DATA_END - modes[i].size);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		/* The other way round: the first page is the bad one. */
		run_mode(&modes[i], DATA - 1);
		assert_fault(MEM_MAPERR, modes[i].access, DATA - 1, INSN);
	}
}

static void test_modes_cross_4g(void **unused)
{
	unsigned i;

	(void)unused;
	map(TOP, 0x1000, RW);
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		run_mode(&modes[i], MEM_SPACE - modes[i].size);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		run_mode(&modes[i], MEM_SPACE);
		assert_fault(MEM_MAPERR, modes[i].access, MEM_SPACE, INSN);
		if (modes[i].size == 1)
			continue;
		run_mode(&modes[i], MEM_SPACE - 1);
		assert_fault(MEM_MAPERR, modes[i].access, MEM_SPACE, INSN);
	}
	assert_int_equal(mem_munmap(TOP, 0x1000), 0);
}

static void test_modes_cross_pages_that_are_there(void **unused)
{
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		run_mode(&modes[i], DATA + 0x1fff);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
	}
}

static void test_unaligned_values(void **unused)
{
	static const uint32_t code[] = {
		0xf9000020, /* str x0, [x1] */
		0xf9400023, /* ldr x3, [x1] */
		0xb8402024, /* ldur w4, [x1, #2] */
		0xa97f9825, /* ldp x5, x6, [x1, #-8] */
		0x3d800040, /* str q0, [x2] */
		0x3dc00041, /* ldr q1, [x2] */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[0] = 0x1122334455667788u;
	state.x[1] = DATA + 0x1ffd;
	state.x[2] = DATA + 0x2ff9;
	state.v[0] = (struct cpu_vreg){0x0123456789abcdefu, 0xfedcba9876543210u};
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[3], 0x1122334455667788u);
	assert_int_equal(state.x[4], 0x33445566u);
	assert_int_equal(state.x[5], 0);
	assert_int_equal(state.x[6], 0x1122334455667788u);
	assert_int_equal(state.v[1].lo, 0x0123456789abcdefu);
	assert_int_equal(state.v[1].hi, 0xfedcba9876543210u);
}

static void test_literals(void **unused)
{
	static const uint32_t far[] = {
		0xd503201f, /* nop */
		0x58040000, /* ldr x0, . + 0x8000 */
		0x98f80000, /* ldrsw x0, . - 0x10000 */
		0x9c040040, /* ldr q0, . + 0x8008 */
	};

	(void)unused;
	LOAD(far);
	run_at(CODE + 4);
	assert_fault(MEM_MAPERR, MEM_READ, CODE + 4 + 0x8000, CODE + 4);
	run_at(CODE + 8);
	assert_fault(MEM_MAPERR, MEM_READ, CODE + 8 - 0x10000, CODE + 8);
	run_at(CODE + 12);
	assert_fault(MEM_MAPERR, MEM_READ, CODE + 12 + 0x8008, CODE + 12);
}

/* --- 64-bit addresses, tags ----------------------------------------------------------------- */

#define LDR_X0_X1    0xf9400020u /* ldr x0, [x1] */
#define STR_WZR_X1   0xb900003fu /* str wzr, [x1] */
#define LDR_X0_X1_X2 0xf8626820u /* ldr x0, [x1, x2] */

static void test_64_bit_addresses(void **unused)
{
	(void)unused;
	run_one(STR_WZR_X1, 0x100001234u, 0);
	assert_fault(MEM_MAPERR, MEM_WRITE, 0x100001234u, INSN);
	run_one(LDR_X0_X1, (uint64_t)0x3400000000 + DATA, 0);
	assert_fault(MEM_MAPERR, MEM_READ, (uint64_t)0x3400000000 + DATA, INSN);
	run_one(STR_WZR_X1, 0xffff000000001000u, 0);
	assert_fault(MEM_MAPERR, MEM_WRITE, 0xffff000000001000u, INSN);
	run_one(STR_WZR_X1, 0xdead000000001234u, 0);
	assert_fault(MEM_MAPERR, MEM_WRITE, 0xdead000000001234u, INSN);
	run_one(LDR_X0_X1, ~(uint64_t)7, 0);
	assert_fault(MEM_MAPERR, MEM_READ, ~(uint64_t)7, INSN);
	/* base + index is not wrapped to 32 bits */
	run_one(LDR_X0_X1_X2, DATA + 0x20, 0xfffffffcu);
	assert_fault(MEM_MAPERR, MEM_READ, 0x100000000u + DATA + 0x1c, INSN);
	run_one(LDR_X0_X1_X2, DATA + 0x20, ~(uint64_t)3);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
}

static void test_tags(void **unused)
{
	const uint64_t tag = 0xab00000000000000u;

	(void)unused;
	assert_int_equal(mem_put_u64(DATA + 8, 0x1234567890u), 0);
	run_one(LDR_X0_X1, tag | (DATA + 8), 0);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[0], 0x1234567890u);
	run_one(STR_WZR_X1, tag | (DATA + 8), 0);
	assert_int_equal(stop.cause, CPU_STOP_BRK);

	/* FAR keeps the tag. */
	run_one(LDR_X0_X1, tag | (DATA_END + 8), 0);
	assert_fault(MEM_MAPERR, MEM_READ, tag | (DATA_END + 8), INSN);
	run_one(LDR_X0_X1, tag | (DATA_END - 4), 0);
	assert_fault(MEM_MAPERR, MEM_READ, tag | DATA_END, INSN);
	/* Bits 32 to 55 are address bits. */
	run_one(LDR_X0_X1, 0x0001000000000000u | DATA, 0);
	assert_fault(MEM_MAPERR, MEM_READ, 0x0001000000000000u | DATA, INSN);
}

static void test_zva(void **unused)
{
	uint32_t word;
	unsigned i;

	(void)unused;
	for (i = 0; i < 192; i += 4)
		assert_int_equal(mem_put_u32(DATA + i, 0xffffffffu), 0);
	run_one(0xd50b7421u /* dc zva, x1 */, DATA + 64 + 13, 0);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	for (i = 0; i < 192; i += 4) {
		assert_int_equal(mem_get_u32(DATA + i, &word), 0);
		assert_int_equal(word, i >= 64 && i < 128 ? 0 : 0xffffffffu);
	}
	run_one(0xd50b7421u /* dc zva, x1 */, DATA_END + 77, 0);
	assert_fault(MEM_MAPERR, MEM_WRITE, DATA_END + 77, INSN);
	map(READ_ONLY, 0x1000, PROT_READ);
	run_one(0xd50b7421u /* dc zva, x1 */, READ_ONLY + 64, 0);
	assert_fault(MEM_ACCERR, MEM_WRITE, READ_ONLY + 64, INSN);
}

static void test_cache_maintenance(void **unused)
{
	static const uint32_t ops[] = {
		0xd50b7a21, /* dc cvac, x1 */
		0xd50b7b21, /* dc cvau, x1 */
		0xd50b7e21, /* dc civac, x1 */
		0xd50b7c21, /* dc cvap, x1 */
		0xd50b7521, /* ic ivau, x1 */
	};
	unsigned i;

	(void)unused;
	map(NO_ACCESS, 0x1000, PROT_NONE);
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		run_one(ops[i], DATA + 3, 0);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		run_one(ops[i], CODE + 3, 0);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		run_one(ops[i], 0xcc00000000000000u | (DATA_END + 3), 0);
		assert_fault(MEM_MAPERR, MEM_WRITE, 0xcc00000000000000u | (DATA_END + 3), INSN);
		run_one(ops[i], NO_ACCESS + 8, 0);
		assert_fault(MEM_ACCERR, MEM_WRITE, NO_ACCESS + 8, INSN);
	}
}

/* --- atomics -------------------------------------------------------------------------------- */

struct atomic {
	uint32_t insn;
	uint32_t size;
	bool store; /* a pure store */
	bool rmw;
	bool ordered; /* neither exclusive nor read-modify-write: see unicorn.c on their alignment */
};

static const struct atomic atomics[] = {
#define LDX(asm, size) {asm, size, false, false, false},
#define LD(asm, size)  {asm, size, false, false, true},
#define ST(asm, size)  {asm, size, true, false, true},
#define RMW(asm, size) {asm, size, false, true, false},
	LDX(0x885f7c20, 4)  /* ldxr w0, [x1] */
	LDX(0xc85f7c20, 8)  /* ldxr x0, [x1] */
	LDX(0x485ffc20, 2)  /* ldaxrh w0, [x1] */
	LDX(0x085ffc20, 1)  /* ldaxrb w0, [x1] */
	LDX(0x887f0c20, 8)  /* ldxp w0, w3, [x1] */
	LDX(0xc87f8c20, 16) /* ldaxp x0, x3, [x1] */
	LD(0xc8dffc20, 8)   /* ldar x0, [x1] */
	LD(0x48dffc20, 2)   /* ldarh w0, [x1] */
	LD(0x88df7c20, 4)   /* ldlar w0, [x1] */
	LD(0xf8bfc020, 8)   /* ldapr x0, [x1] */
	LD(0x38bfc020, 1)   /* ldaprb w0, [x1] */
	LD(0xd9400020, 8)   /* ldapur x0, [x1] */
	LD(0x99800020, 4)   /* ldapursw x0, [x1] */
	ST(0xc89ffc20, 8)   /* stlr x0, [x1] */
	ST(0x489ffc20, 2)   /* stlrh w0, [x1] */
	ST(0x889f7c20, 4)   /* stllr w0, [x1] */
	ST(0x99000020, 4)   /* stlur w0, [x1] */
	RMW(0x88a07c23, 4)  /* cas w0, w3, [x1] */
	RMW(0xc8e0fc23, 8)  /* casal x0, x3, [x1] */
	RMW(0x48a07c23, 2)  /* cash w0, w3, [x1] */
	RMW(0x08a07c23, 1)  /* casb w0, w3, [x1] */
	RMW(0x08247c26, 8)  /* casp w4, w5, w6, w7, [x1] */
	RMW(0x4864fc26, 16) /* caspal x4, x5, x6, x7, [x1] */
	RMW(0xf8208023, 8)  /* swp x0, x3, [x1] */
	RMW(0x78e08023, 2)  /* swpalh w0, w3, [x1] */
	RMW(0xb8200023, 4)  /* ldadd w0, w3, [x1] */
	RMW(0xf8e00023, 8)  /* ldaddal x0, x3, [x1] */
	RMW(0x38201023, 1)  /* ldclrb w0, w3, [x1] */
	RMW(0xf8203023, 8)  /* ldset x0, x3, [x1] */
	RMW(0xb8202023, 4)  /* ldeor w0, w3, [x1] */
	RMW(0xf8204023, 8)  /* ldsmax x0, x3, [x1] */
	RMW(0xb8205023, 4)  /* ldsmin w0, w3, [x1] */
	RMW(0x78206023, 2)  /* ldumaxh w0, w3, [x1] */
	RMW(0xf8207023, 8)  /* ldumin x0, x3, [x1] */
	RMW(0xf820003f, 8)  /* stadd x0, [x1] */
};

static void test_atomics_misaligned(void **unused)
{
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(atomics) / sizeof(atomics[0]); i++) {
		const struct atomic *a = &atomics[i];

		run_one(a->insn, DATA + 0x100 + 1, 0);
		if (a->size == 1 || a->ordered) {
			assert_int_equal(stop.cause, CPU_STOP_BRK);
			continue;
		}
		assert_align(a->rmw ? MEM_WRITE : MEM_READ, DATA + 0x101, INSN);
	}
}

static void test_atomics_faults(void **unused)
{
	unsigned i;

	(void)unused;
	map(READ_ONLY, 0x1000, PROT_READ);
	for (i = 0; i < sizeof(atomics) / sizeof(atomics[0]); i++) {
		const struct atomic *a = &atomics[i];

		run_one(a->insn, DATA + 0x100, 0);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		/* ISS.WnR of a read-modify-write is 0 where a read would fault as well. */
		run_one(a->insn, DATA_END + 0x100, 0);
		assert_fault(MEM_MAPERR, a->store ? MEM_WRITE : MEM_READ, DATA_END + 0x100, INSN);
		run_one(a->insn, READ_ONLY + 0x100, 0);
		if (a->store || a->rmw)
			assert_fault(MEM_ACCERR, MEM_WRITE, READ_ONLY + 0x100, INSN);
		else
			assert_int_equal(stop.cause, CPU_STOP_BRK);
	}
}

static void test_store_exclusive_faults(void **unused)
{
	static const uint32_t code[] = {
		0x885f7c20, /* ldxr w0, [x1] */
		0x88037c20, /* stxr w3, w0, [x1] */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	map(READ_ONLY, 0x1000, PROT_READ);
	LOAD(code);
	state.x[1] = READ_ONLY + 8;
	cpu_set_state(cpu, &state);
	run();
	assert_fault(MEM_ACCERR, MEM_WRITE, READ_ONLY + 8, CODE + 4);
}

static void test_exclusives(void **unused)
{
	static const uint32_t code[] = {
		0xc85ffc20, /* 1: ldaxr x0, [x1] */
		0x91000400, /* add x0, x0, #1 */
		0xc802fc20, /* stlxr w2, x0, [x1] */
		0x35ffffa2, /* cbnz w2, 1b */
		0xf1000463, /* subs x3, x3, #1 */
		0x54ffff61, /* b.ne 1b */
		0xc87f14c4, /* ldxp x4, x5, [x6] */
		0xc82710c5, /* stxp w7, x5, x4, [x6] */
		0xd4200000, /* brk #0 */
	};
	static const uint32_t broken[] = {
		0xc85f7c20, /* ldxr x0, [x1] */
		0xd4000001, /* svc #0 */
		0xc8027c20, /* stxr w2, x0, [x1] */
		0xd4200000, /* brk #0 */
	};
	static const uint32_t alone[] = {
		0xc8027c20, /* stxr w2, x0, [x1] */
		0xd4200000, /* brk #0 */
	};
	uint64_t v[2] = {0x1111, 0x2222};

	(void)unused;
	LOAD(code);
	state.x[1] = DATA;
	state.x[3] = 1000;
	state.x[6] = DATA + 16;
	cpu_set_state(cpu, &state);
	assert_int_equal(mem_copy_out(DATA + 16, v, sizeof(v)), 0);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[0], 1000);
	assert_int_equal(state.x[7], 0);
	assert_int_equal(mem_copy_in(v, DATA + 16, sizeof(v)), 0);
	assert_int_equal(v[0], 0x2222);
	assert_int_equal(v[1], 0x1111);

	/* An exclusive store alone fails; so does one behind a stop in between, as on a CPU whose
	 * exception returns clear the monitor. */
	LOAD(alone);
	state.x[2] = 99;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(state.x[2], 1);
	LOAD(broken);
	state.x[2] = 99;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[2], 1);
}

/* --- fetch ---------------------------------------------------------------------------------- */

#define BR_X1 0xd61f0020u /* br x1 */

static void test_branch_faults(void **unused)
{
	static const uint64_t nowhere[] = {0x10, DATA_END, 0xfffffff0u, 0x100000000u, 0x100000004u,
					   0x100000000u + CODE, 0xffff000000001000u,
					   0x0055000000000000u | CODE,
					   /* pages that the engine might use itself */
					   0x0000e17723a4d000u, 0x0000e17723a4d008u};
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		run_one(BR_X1, nowhere[i], 0);
		assert_fault(MEM_MAPERR, MEM_EXEC, nowhere[i], nowhere[i]);
		/* and once more, from there */
		run();
		assert_fault(MEM_MAPERR, MEM_EXEC, nowhere[i], nowhere[i]);
	}
	run_one(BR_X1, DATA + 8, 0);
	assert_fault(MEM_ACCERR, MEM_EXEC, DATA + 8, DATA + 8);
	map(NO_ACCESS, 0x1000, PROT_NONE);
	run_one(BR_X1, NO_ACCESS, 0);
	assert_fault(MEM_ACCERR, MEM_EXEC, NO_ACCESS, NO_ACCESS);
}

static void test_branch_drops_tag(void **unused)
{
	(void)unused;
	run_one(BR_X1, 0x5a00000000000000u | (CODE + 8), 0);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + 8);
	run_at(0x5a00000000000000u | (CODE + 8));
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + 8);
}

static void test_run_off_the_end(void **unused)
{
	uint32_t nops[16];
	unsigned i;

	(void)unused;
	for (i = 0; i < 16; i++)
		nops[i] = 0xd503201f;
	map(CODE, CODE_SIZE, RW);
	put_words(CODE + CODE_SIZE - sizeof(nops), nops, 16);
	assert_int_equal(mem_mprotect(CODE, CODE_SIZE, RX), 0);
	run_at(CODE + CODE_SIZE - sizeof(nops));
	assert_fault(MEM_MAPERR, MEM_EXEC, CODE + CODE_SIZE, CODE + CODE_SIZE);
}

static void test_misaligned_pc(void **unused)
{
	unsigned i, again;

	(void)unused;
	for (i = 1; i < 4; i++) {
		for (again = 0; again < 3; again++) {
			run_one(BR_X1, CODE + 4 + i, 0);
			assert_align(MEM_EXEC, CODE + 4 + i, CODE + 4 + i);
			run();
			assert_align(MEM_EXEC, CODE + 4 + i, CODE + 4 + i);
		}
		/* comes before what else the address would do */
		run_one(BR_X1, DATA_END + i, 0);
		assert_align(MEM_EXEC, DATA_END + i, DATA_END + i);
		run_one(BR_X1, CODE + CODE_SIZE - 4 + i, 0);
		assert_align(MEM_EXEC, CODE + CODE_SIZE - 4 + i, CODE + CODE_SIZE - 4 + i);
	}
}

/* --- illegal instructions, BRK -------------------------------------------------------------- */

static void test_illegal(void **unused)
{
	static const uint32_t illegal[] = {
		0x00000000, /* udf #0 */
		0x0000ffff, /* udf #65535 */
		0xd4400000, /* hlt #0 */
		0xd45e0000, /* hlt #0xf000 */
		0xd4000002, /* hvc #0 */
		0xd4000003, /* smc #0 */
		0xd69f03e0, /* eret */
		0xd4a00001, /* dcps1 */
		0xd5381000, /* mrs x0, sctlr_el1 */
		0xd518c000, /* msr vbar_el1, x0 */
		0xd53be020, /* mrs x0, cntpct_el0 */
		0xd53b9d00, /* mrs x0, pmccntr_el0 */
		0xd53be320, /* mrs x0, cntv_ctl_el0 */
		0xd53b4220, /* mrs x0, daif */
		0xd50342df, /* msr daifset, #2 */
		0xd5384240, /* mrs x0, currentel */
		0xd538d080, /* mrs x0, tpidr_el1 */
		0xd51bd060, /* msr tpidrro_el0, x0 */
		0xd508871f, /* tlbi vmalle1 */
		0xd5087620, /* dc ivac, x0 */
		0xd508751f, /* ic iallu */
		0xd5087800, /* at s1e1r, x0 */
		0xd5380040, /* mrs x0, S3_0_C0_C0_2: not one the kernel emulates */
		0x04a03000, /* an SVE instruction */
		0xffffffff,
	};
	unsigned i;

	(void)unused;
	for (i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++) {
		run_one(illegal[i], DATA, 0);
		assert_int_equal(stop.cause, CPU_STOP_ILLEGAL);
		assert_int_equal(stop.pc, INSN);
		assert_int_equal(stop.insn, illegal[i]);
		/* A handler may step over it. */
		run_at(INSN + 4);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
	}
}

static void test_brk(void **unused)
{
	static const uint32_t words[] = {
		0xd4200000, /* brk #0 */
		0xd4207d00, /* brk #1000 */
		0xd43fffe0, /* brk #0xffff */
	};
	unsigned i;

	(void)unused;
	for (i = 0; i < 3; i++) {
		run_one(words[i], 0, 0);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		assert_int_equal(stop.pc, INSN);
		assert_int_equal(stop.insn, words[i]);
	}
}

static void test_hints_and_registers(void **unused)
{
	static const uint32_t code[] = {
		0xd503203f, /* yield */
		0xd503205f, /* wfe */
		0xd50320bf, /* sevl */
		0xd503209f, /* sev */
		0xd503207f, /* wfi */
		0xd5033bbf, /* dmb ish */
		0xd5033f9f, /* dsb sy */
		0xd5033fdf, /* isb */
		0xd5033f5f, /* clrex */
		0xd53b0023, /* mrs x3, ctr_el0 */
		0xd53b00e4, /* mrs x4, dczid_el0 */
		0xd53be005, /* mrs x5, cntfrq_el0 */
		0xd53be046, /* mrs x6, cntvct_el0 */
		0xd5033fdf, /* isb */
		0xd53be047, /* mrs x7, cntvct_el0 */
		0xd51bd049, /* msr tpidr_el0, x9 */
		0xd53bd04a, /* mrs x10, tpidr_el0 */
		0xd53bd06b, /* mrs x11, tpidrro_el0 */
		0xd53b420c, /* mrs x12, nzcv */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[9] = 0xfeedface12345678u;
	state.x[11] = 1;
	state.pstate = 0x50000000u;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[3], 0x8444c004u);
	assert_int_equal(state.x[4], 4);
	assert_int_equal(state.x[5], 62500000);
	assert_true(state.x[6] > 0);
	assert_true(state.x[7] >= state.x[6]);
	assert_int_equal(state.x[10], 0xfeedface12345678u);
	assert_int_equal(state.tpidr, 0xfeedface12345678u);
	assert_int_equal(state.x[11], 0);
	assert_int_equal(state.x[12], 0x50000000u);
}

/* Registers at a fault in the middle of a block are those before the instruction. */
static void test_registers_at_fault(void **unused)
{
	static const uint32_t code[] = {
		0xd2800020, /* mov x0, #1 */
		0xab030063, /* adds x3, x3, x3 */
		0x1e602800, /* fadd d0, d0, d0 */
		0xf8410424, /* ldr x4, [x1], #16 */
		0xd2800040, /* mov x0, #2 */
		0xa9ff9825, /* ldp x5, x6, [x1, #-8]! */
		0xd2800060, /* mov x0, #3 */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = DATA_END - 8;
	state.x[3] = 0x8000000000000000u;
	state.x[5] = 55;
	state.v[0].lo = 0x3ff0000000000000u;
	cpu_set_state(cpu, &state);
	run();
	assert_fault(MEM_MAPERR, MEM_READ, DATA_END, CODE + 20);
	assert_int_equal(state.x[0], 2);
	assert_int_equal(state.x[1], DATA_END + 8);
	assert_int_equal(state.x[3], 0);
	assert_int_equal(state.pstate, 0x70000000u);
	assert_int_equal(state.x[5], 55);
	assert_int_equal(state.v[0].lo, 0x4000000000000000u);
	/* The page appears, the instruction is done again. */
	map(DATA_END, 0x1000, RW);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[0], 3);
	assert_int_equal(mem_munmap(DATA_END, 0x1000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CPU_TEST(test_modes_unmapped),
		CPU_TEST(test_modes_protected),
		CPU_TEST(test_modes_page_crossing),
		CPU_TEST(test_modes_cross_4g),
		CPU_TEST(test_modes_cross_pages_that_are_there),
		CPU_TEST(test_unaligned_values),
		CPU_TEST(test_literals),
		CPU_TEST(test_64_bit_addresses),
		CPU_TEST(test_tags),
		CPU_TEST(test_zva),
		CPU_TEST(test_cache_maintenance),
		CPU_TEST(test_atomics_misaligned),
		CPU_TEST(test_atomics_faults),
		CPU_TEST(test_store_exclusive_faults),
		CPU_TEST(test_exclusives),
		CPU_TEST(test_branch_faults),
		CPU_TEST(test_branch_drops_tag),
		CPU_TEST(test_run_off_the_end),
		CPU_TEST(test_misaligned_pc),
		CPU_TEST(test_illegal),
		CPU_TEST(test_brk),
		CPU_TEST(test_hints_and_registers),
		CPU_TEST(test_registers_at_fault),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
