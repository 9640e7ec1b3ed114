/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engines compared: random instructions with random registers, on each of them. TEST_SEED and
 * TEST_ROUNDS in the environment make a run by hand longer or another one; TEST_CPU is the CPU (--cpu).
 */
#include "test_cpu.h"

#include <stdio.h>

static uint64_t seed;

static uint64_t rnd(void)
{
	uint64_t z = seed += 0x9e3779b97f4a7c15ull; /* splitmix64 */

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/*
 * A group of encodings: VALUE in the bits outside RANDOM. Registers x20 and above are spared as targets
 * where Rd is random, by clearing bit 4.
 *
 * LOOSE: the cumulative exception bits of FPSR are not compared. dynarmic's conversions and roundings get
 * the inexact and invalid bits wrong at the borders, FCCMP compares even if its condition does not hold,
 * vector instructions set the invalid bit too often, and the input denormal bit is never set. The results are right, and mending the bits would cost a hundred
 * times the instruction. With flushing to zero on, no bit is compared for the same reason.
 */
struct group {
	uint32_t value, random;
	bool loose;
};
#define FPCR_FZ         (1u << 24)
#define FPSR_EXCEPTIONS 0x9fu

#define REGS   0x001f03ffu /* Rm, Rn, Rd */
#define REGS_A 0x001f7fffu /* and Ra */

static const struct group groups[] = {
	/* data processing, immediate */
	{0x11000000, 0xe07fffffu, false}, /* add, sub */
	{0x12000000, 0xe07fffffu, false}, /* logical */
	{0x12800000, 0xe07fffffu, false}, /* move wide */
	{0x13000000, 0xe07fffffu, false}, /* bitfield */
	{0x13800000, 0x805fffffu, false}, /* extract */
	{0x10000000, 0xe0ffffffu, false}, /* adr, adrp */
	/* data processing, register */
	{0x0a000000, 0xe0ffffffu, false},               /* logical */
	{0x0b000000, 0xe0dfffffu, false},               /* add, sub shifted */
	{0x0b200000, 0xe01fffffu, false},               /* add, sub extended */
	{0x1a000000, 0xe01f03ffu, false},               /* with carry */
	{0x1a400000, 0xe01fffefu, false},               /* conditional compare */
	{0x1a800000, 0xe01ff7ffu, false},               /* conditional select */
	{0x1ac00000, 0x801f1fffu, false},               /* two sources */
	{0x1ac04000, 0x801f1fffu, false},               /* crc32 */
	{0x5ac00000, 0x80001fffu, false},               /* one source */
	{0x1b000000, 0x80e0ffffu | 0x001f0000u, false}, /* three sources */
	/* floating point, scalar: single and double */
	{0x1e204000, 0x0047c3ffu | REGS, true},    /* one source */
	{0x1e200800, 0x0040f000u | REGS, false},   /* two sources */
	{0x1e202000, 0x0040001fu | REGS, false},   /* compare */
	{0x1e200400, 0x0040f01fu | REGS, true},    /* conditional compare */
	{0x1e200c00, 0x0040f000u | REGS, false},   /* conditional select */
	{0x1f000000, 0x0060fc00u | REGS_A, false}, /* three sources */
	{0x1e200000, 0x805f03ffu, true},           /* conversions to and from general registers */
	{0x1e000000, 0x805ffc00u | REGS, true},    /* with fractions */
	{0x1e201000, 0x005fe01fu, false},          /* immediate */
	/* Advanced SIMD */
	{0x0e200400, 0x60dffbffu, true},  /* three same */
	{0x0e200000, 0x60dff3ffu, false}, /* three different */
	{0x0e200800, 0x60c1f3ffu, true},  /* two registers, miscellaneous */
	{0x0e300800, 0x60c1f3ffu, false}, /* across lanes */
	{0x0e000400, 0x601f7bffu, false}, /* copy */
	{0x0e000800, 0x40df73ffu, false}, /* permute */
	{0x2e000000, 0x401f7bffu, false}, /* extract */
	{0x0e000000, 0x401f73ffu, false}, /* table look-up */
	{0x0f000400, 0x607ffbffu, true},  /* shift by immediate, modified immediate */
	{0x0f000000, 0x60fffbffu, true},  /* by element */
	{0x5e200400, 0x20dffbffu, false}, /* scalar three same */
	{0x5e200800, 0x20c1f3ffu, true},  /* scalar two registers */
	{0x5e300800, 0x20c1f3ffu, false}, /* scalar pairwise */
	{0x5f000400, 0x207ffbffu, true},  /* scalar shift */
	{0x5f000000, 0x20fffbffu, false}, /* scalar by element */
	{0x5e000400, 0x001f03ffu, false}, /* scalar copy */
	{0x4e284800, 0x000033ffu, false}, /* AES */
	/* loads and stores through x20..x27, offsets small */
	{0x38000280, 0xc4dff01fu, false}, /* unscaled */
	{0x39000280, 0xc4c00c1fu, false}, /* unsigned offset */
	{0x28000280, 0xc44f7c1fu, false}, /* pairs, no write-back */
	{0x0c000280, 0x4040fc1fu, false}, /* structures */
	{0x0d000280, 0x4060fc1fu, false}, /* single structures */
	{0xd53b4200, 0x0000001fu, false}, /* mrs nzcv */
};
#define GROUPS (sizeof(groups) / sizeof(groups[0]))

/* FRECPS, FRSQRTS: of infinity and zero, whose product dynarmic computes before it sees that this is none. */
static bool is_scalar_step(uint32_t insn)
{
	return (insn & 0xff20fc00u) == 0x5e20fc00u;
}

/* Sets *LOOSE if the instruction is. */
static uint32_t random_insn(bool *loose)
{
	const struct group *g = &groups[rnd() % GROUPS];
	uint32_t insn = g->value | ((uint32_t)rnd() & g->random);

	*loose = *loose || g->loose || is_scalar_step(insn);

	/* Spare the bases of loads and stores. */
	return insn & ~0x10u;
}

/* Numbers that find the corners of floating point. */
static uint64_t random_bits(void)
{
	static const uint64_t special[] = {0,
					   1ull << 63,
					   0x7ff0000000000000u,
					   0xfff0000000000000u,
					   0x7ff8000000000001u,
					   0x7ff0000000000001u,
					   0xfff4123456789abcu,
					   1,
					   0x000fffffffffffffu,
					   0x3ff0000000000000u,
					   0xbff8000000000000u,
					   0x7fefffffffffffffu,
					   0x7f8000017fc00123u,
					   0x7f80000000000001u,
					   0x3f800000bf800000u,
					   0x7f7fffff00000001u,
					   0x8000000000800000u,
					   0x41e0000041dfffffu,
					   0x43e0000000000000u,
					   0xc3e0000000000001u,
					   0x5f0000004f000000u,
					   ~0ull};

	return rnd() & 1 ? special[rnd() % (sizeof(special) / sizeof(special[0]))] : rnd();
}

static void random_state(struct cpu_state *s)
{
	unsigned i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < 31; i++)
		s->x[i] = i >= 20 && i < 28 ? DATA + 0x8000 + rnd() % 0x2000 : random_bits();
	for (i = 0; i < 32; i++)
		s->v[i] = (struct cpu_vreg){random_bits(), random_bits()};
	s->sp = DATA + 0x4000;
	s->pc = CODE;
	s->pstate = rnd() & 0xf0000000u;
	/* Rounding mode, flush to zero, default NaN. */
	s->fpcr = rnd() & 3 ? 0 : (uint32_t)rnd() & 0x03c00000u;
}

#define LENGTH 8

static void run_on(struct cpu *c, const struct cpu_state *in, struct cpu_state *out,
		   struct cpu_stop *st, uint8_t *memory, const uint8_t *fresh)
{
	assert_int_equal(mem_copy_out(DATA, fresh, DATA_SIZE), 0);
	cpu_set_state(c, in);
	memset(st, 0, sizeof(*st));
	cpu_run(c, st);
	cpu_get_state(c, out);
	assert_int_equal(mem_copy_in(memory, DATA, DATA_SIZE), 0);
}

static uint8_t fresh[DATA_SIZE], memory[2][DATA_SIZE];

static bool same(const struct cpu_state s[2], const struct cpu_stop st[2])
{
	return !memcmp(&s[0], &s[1], sizeof(s[0])) && st[0].cause == st[1].cause &&
	       st[0].pc == st[1].pc && st[0].addr == st[1].addr &&
	       !memcmp(memory[0], memory[1], DATA_SIZE);
}

static void explain(const uint32_t *code, unsigned n, const struct cpu_state *in,
		    const struct cpu_state s[2], const struct cpu_stop st[2])
{
	unsigned i;

	print_error("code:");
	for (i = 0; i < n; i++)
		print_error(" %08x", code[i]);
	print_error("\n fpcr %08x, stops %d at %llx, %d at %llx\n", in->fpcr, st[0].cause,
		    (unsigned long long)st[0].pc, st[1].cause, (unsigned long long)st[1].pc);
	for (i = 0; i < 31; i++) {
		if (s[0].x[i] != s[1].x[i])
			print_error(" x%u: %llx, %llx\n", i, (unsigned long long)s[0].x[i],
				    (unsigned long long)s[1].x[i]);
	}
	for (i = 0; i < 32; i++) {
		if (memcmp(&s[0].v[i], &s[1].v[i], sizeof(s[0].v[i])))
			print_error(
				" v%u: %016llx:%016llx, %016llx:%016llx\n", i,
				(unsigned long long)s[0].v[i].hi, (unsigned long long)s[0].v[i].lo,
				(unsigned long long)s[1].v[i].hi, (unsigned long long)s[1].v[i].lo);
	}
	if (s[0].fpsr != s[1].fpsr || s[0].pstate != s[1].pstate)
		print_error(" fpsr %x, %x pstate %llx, %llx\n", s[0].fpsr, s[1].fpsr,
			    (unsigned long long)s[0].pstate, (unsigned long long)s[1].pstate);
	if (memcmp(memory[0], memory[1], DATA_SIZE))
		print_error(" memory differs\n");
}

/* N random instructions at a time. The number of sequences that differ. */
static unsigned compare(struct cpu *const c[2], unsigned rounds, unsigned n)
{
	unsigned bad = 0, i, e;

	while (rounds--) {
		struct cpu_state in, out[2];
		struct cpu_stop st[2];
		uint32_t code[LENGTH + 1];
		bool loose = false;

		for (i = 0; i < n; i++)
			code[i] = random_insn(&loose);
		code[n] = 0xd4200000; /* brk #0 */
		random_state(&in);
		assert_int_equal(mem_copy_out(CODE, code, (n + 1) * 4), 0);
		for (e = 0; e < 2; e++)
			run_on(c[e], &in, &out[e], &st[e], memory[e], fresh);
		/* See struct group. */
		if (loose || (in.fpcr & FPCR_FZ))
			out[1].fpsr =
				(out[1].fpsr & ~FPSR_EXCEPTIONS) | (out[0].fpsr & FPSR_EXCEPTIONS);
		if (!same(out, st)) {
			if (bad++ < 10)
				explain(code, n, &in, out, st);
		}
	}
	return bad;
}

/* --- loops ---------------------------------------------------------------------------------------- */

/*
 * Loops of blocks with conditional branches, which the engine under test joins when they have been executed often enough.
 * Random instructions write no register above x15. x28 and x29 count, x19 goes towards the end of the data, x17 is
 * a word that is a base.
 */
#define PROGRAM 512

struct program {
	uint32_t code[PROGRAM];
	unsigned n;
	bool loose;
};

static void put(struct program *p, uint32_t insn)
{
	assert_true(p->n < PROGRAM);
	p->code[p->n++] = insn;
}

static void put_random(struct program *p, unsigned most)
{
	unsigned n = 1 + (unsigned)(rnd() % most);

	while (n--) {
		uint32_t insn = random_insn(&p->loose);

		/* The second register of a pair, too. */
		put(p, (insn & 0x3a000000) == 0x28000000 ? insn & ~0x4000u : insn);
	}
}

/* The bytes of the host's instructions that save its flags, as a constant between a comparison and its branch. */
static unsigned put_misleading_branch(struct program *p)
{
	uint32_t reg = (uint32_t)rnd() % 8, other = 8 + (uint32_t)rnd() % 8;

	put(p, 0x52800000 | 0x0f9f << 5 | reg);                   /* mov w */
	put(p, 0x72a00000 | 0xc090 << 5 | reg);                   /* movk w, lsl #16 */
	put(p, 0x6b00001f | (uint32_t)rnd() % 8 << 16 | 28 << 5); /* cmp w28, w */
	put(p, 0x0b000000 | reg << 16 | other << 5 | other);      /* add w */
	if (rnd() & 1)
		put(p, 0x93407c00 | reg << 5 | reg); /* sxtw */
	put(p, 0x54000000 | (uint32_t)rnd() % 14);
	return p->n - 1;
}

/* About a general register whose value is still part of a vector. */
static unsigned put_vector_branch(struct program *p)
{
	uint32_t reg = (uint32_t)rnd() % 16, vector = (uint32_t)rnd() % 16;

	put(p, 0x4ea08400 | vector << 16 | vector << 5 | vector); /* add v.4s */
	put(p, 0x9e660000 | vector << 5 | reg);                   /* fmov x, d */
	if (rnd() & 1) {
		put(p, 0x6b1c001f | ((uint32_t)rnd() & 0x80000000) | reg << 5); /* cmp x, x28 */
		if (rnd() & 1)
			put(p, 0x39400000 | 19 << 5 | reg); /* ldrb w, [x19] */
		put(p, 0x54000000 | (uint32_t)rnd() % 14);
		return p->n - 1;
	}
	put(p, (rnd() & 1 ? 0xb4000000 : 0x36000000 | ((uint32_t)rnd() & 0x80f80000)) |
		       ((uint32_t)rnd() & 0x01000000) | reg);
	return p->n - 1;
}

/* A conditional branch, often behind a comparison, to what is put when land() gets what this returns. */
static unsigned put_branch(struct program *p)
{
	static const uint32_t compares[] = {
		0x6b000000, /* subs */
		0x2b000000, /* adds */
		0x6a000000, /* ands */
		0xeb000000, 0xab000000, 0xea000000,
	};
	uint32_t reg = (uint32_t)rnd() % 16, other = (uint32_t)rnd() % 16;

	switch (rnd() % 16) {
	case 0: return put_misleading_branch(p);
	case 1: return put_vector_branch(p);
	default: break;
	}
	if (rnd() & 1)
		put(p, compares[rnd() % 6] | other << 16 | reg << 5 | (rnd() & 1 ? 31 : reg));
	switch (rnd() % 4) {
	case 0: put(p, 0x34000000 | ((uint32_t)rnd() & 0x81000000) | reg); break; /* cbz, cbnz */
	case 1: put(p, 0x36000000 | ((uint32_t)rnd() & 0x81f80000) | reg); break; /* tbz, tbnz */
	default: put(p, 0x54000000 | (uint32_t)rnd() % 14); break;
	}
	return p->n - 1;
}

static void land(struct program *p, unsigned branch)
{
	/* The fields of all of them begin at the same bit, and are wide enough. */
	p->code[branch] |= (p->n - branch) << 5;
}

/* A b.cond or cbnz to TO, which lies before. */
static void put_back(struct program *p, uint32_t insn, unsigned to)
{
	put(p, insn | ((to - p->n) & 0x7ffff) << 5);
}

/* Atomics and exclusives, of which the last register may be x31: nothing, or zero. */
static void put_atomic(struct program *p)
{
	uint32_t size = (uint32_t)rnd() << 30, base = (uint32_t)(18 + rnd() % 2) << 5;
	uint32_t a = (uint32_t)rnd() % 16, b = (uint32_t)rnd() % 16, order = (uint32_t)rnd() % 4;

	if (rnd() % 8 == 0)
		b = 31;
	switch (rnd() % 4) {
	case 0: /* LD<op>, SWP */
		put(p, 0x38200000 | size | order << 22 | a << 16 | (uint32_t)(rnd() % 9) << 12 |
			       base | b);
		break;
	case 1: /* CAS */
		put(p,
		    0x08a07c00 | size | (order & 1) << 22 | (order & 2) << 14 | a << 16 | base | b);
		break;
	case 2:
		if (rnd() & 7) /* LDXR, LDAXR */
			put(p, 0x085f7c00 | size | (order & 1) << 15 | base | a);
		if (rnd() & 1)
			put_random(p, 2);
		if (a == b)
			b ^= 1;
		put(p, 0x08007c00 | size | (order & 2) << 14 | a << 16 | base | b);
		break;
	default:
		put(p, 0xd50b7420 | 18); /* dc zva */
		break;
	}
}

static void put_access(struct program *p)
{
	static const uint32_t accesses[] = {
		0xf8408400 | 19 << 5, /* ldr x, [x19], #8 */
		0xf8008400 | 19 << 5, /* str x, [x19], #8 */
		0xb8404c00 | 19 << 5, /* ldr w, [x19, #4]! */
		0x3dc00000 | 19 << 5, /* ldr q, [x19] */
		0xa9000000 | 19 << 5, /* stp x, x0, [x19] */
		0x39400000 | 19 << 5, /* ldrb w, [x19] */
		0xf9408000 | 18 << 5, /* ldr x, [x18, #256] */
		0xb9000000 | 18 << 5, /* str w, [x18] */
	};

	if (rnd() & 1)
		put(p, 0x0b1f0232); /* add w18, w17, wzr */
	put(p, accesses[rnd() % 8] | (uint32_t)rnd() % 16);
}

static void put_body(struct program *p, bool inner)
{
	unsigned blocks = 1 + (unsigned)(rnd() % 4);

	while (blocks--) {
		unsigned branch;

		put_random(p, 3);
		if (rnd() % 4 == 0)
			put_access(p);
		if (rnd() % 4 == 0)
			put_atomic(p);
		branch = put_branch(p);
		put_random(p, 3);
		if (rnd() % 4 == 0)
			put_access(p);
		if (inner && rnd() % 4 == 0) {
			unsigned top;

			put(p, 0x5280007d); /* mov w29, #3 */
			top = p->n;
			put_body(p, false);
			put(p, 0x710007bd);           /* subs w29, w29, #1 */
			put_back(p, 0x54000001, top); /* b.ne */
		}
		land(p, branch);
	}
}

static void land_call(struct program *p, unsigned call)
{
	p->code[call] |= p->n - call;
}

/* A function with ways out of the middle; x16 has the return address while it calls another. */
static void put_function(struct program *p, bool calls)
{
	unsigned call = PROGRAM;

	put_random(p, 4);
	if (calls) {
		put(p, 0xaa1e03f0); /* mov x16, x30 */
		call = p->n;
		put(p, 0x94000000); /* bl */
		put_random(p, 2);
		if (rnd() & 1)
			put_body(p, false);
		put(p, 0xaa1003fe); /* mov x30, x16 */
	} else if (rnd() & 1) {
		put_body(p, false);
	}
	switch (rnd() % 8) {
	case 0:                     /* behind the next instruction, sometimes */
		put(p, 0xf2400b9f); /* tst x28, #7 */
		put(p, 0x910013cf); /* add x15, x30, #4 */
		put(p, 0x9a8f13de); /* csel x30, x30, x15, ne */
		break;
	case 1:                     /* through memory, sometimes with a tag */
		put(p, 0xf9000e5e); /* str x30, [x18, #24] */
		put(p, 0xf9400e5e); /* ldr x30, [x18, #24] */
		if (rnd() & 1)
			put(p, 0xb24803de); /* orr x30, x30, #1 << 56 */
		break;
	default: break;
	}
	put(p, 0xd65f03c0); /* ret */
	if (calls) {
		land_call(p, call);
		put_function(p, false);
	}
}

static void random_program(struct program *p)
{
	unsigned call[2] = {PROGRAM, PROGRAM}, top, i;

	*p = (struct program){.n = 0};
	top = p->n;
	if (rnd() & 1)
		put_body(p, true);
	else
		put_random(p, 4);
	for (i = 0; i < 2; i++) {
		if (rnd() & 1) {
			call[i] = p->n;
			put(p, 0x94000000); /* bl */
			put_random(p, 2);
		}
	}
	if (rnd() & 1) {
		put(p, 0xf100079c);           /* subs x28, x28, #1 */
		put_back(p, 0x54000001, top); /* b.ne */
	} else {
		put(p, 0xd100079c);                /* sub x28, x28, #1 */
		put_back(p, 0xb5000000 | 28, top); /* cbnz x28 */
	}
	put(p, 0xd4200000); /* brk #0 */
	if (call[0] == PROGRAM && call[1] == PROGRAM)
		return;
	for (i = 0; i < 2; i++) {
		if (call[i] != PROGRAM)
			land_call(p, call[i]);
	}
	put_function(p, rnd() & 1);
}

#define COPIES 14

/* x28 counts. */
static uint32_t copy_of(uint32_t reg)
{
	return reg < 12 ? 16 + reg : 17 + reg;
}

/* More values at a time than the host has places for: old ones of registers, copied, and new ones, around calls. */
static void crowded_program(struct program *p)
{
	static const uint32_t calls[] = {
		0x6ea14c00, /* uqshl v0.4s, v0.4s, v1.4s */
		0x4ea24c21, /* sqshl v1.4s, v1.4s, v2.4s */
		0x4ee35442, /* srshl v2.2d, v2.2d, v3.2d */
	};
	unsigned top, way_out[2], part, i;

	*p = (struct program){.n = 0};
	put(p, 0x14000001); /* b to the next instruction */
	top = p->n;
	for (i = 0; i < COPIES; i++)
		put(p, 0x0b0001ef | i << 16); /* add w15, w15, w */
	for (i = 0; i < 3; i++)
		put(p, calls[i]);
	for (i = 0; i < COPIES; i++)
		put(p, 0x2a0003e0 | i << 16 | copy_of(i)); /* mov w, w */
	for (i = 0; i < COPIES; i++)
		put(p, 0x11000400 | i << 5 | i); /* add w, w, #1 */
	for (part = 0; part < 2; part++) {
		put(p, 0x6b00001f | (part + 1) << 16); /* cmp w0, w */
		way_out[part] = p->n;
		put(p, 0x54000000); /* b.eq */
		for (i = 3; i < 32; i++)
			put(p, (part ? 0x6e201c00 : 0x4ea08400) | (i + 1) % 32 << 16 | i << 5 | i);
		for (i = 0; i < 3; i++)
			put(p, calls[i]);
		for (i = 0; i < COPIES && !part; i++)
			put(p, 0x0b0001ef | copy_of(i) << 16);
	}
	for (i = 0; i < COPIES; i++)
		put(p, 0x0b0f0000 | copy_of(i) << 5 | copy_of(i)); /* add w, w, w15 */
	put(p, 0xf100079c);                                        /* subs x28, x28, #1 */
	put_back(p, 0x54000001, top);                              /* b.ne */
	land(p, way_out[0]);
	land(p, way_out[1]);
	put(p, 0xd4200000); /* brk #0 */
}

static unsigned compare_loops(struct cpu *const c[2], unsigned rounds)
{
	unsigned bad = 0, e, again;

	while (rounds--) {
		struct program p;

		if (rounds)
			random_program(&p);
		else
			crowded_program(&p);
		assert_int_equal(mem_copy_out(CODE, p.code, p.n * 4), 0);
		/* The second time what is executed often has been found before. */
		for (again = 0; again < 3; again++) {
			struct cpu_state in, out[2];
			struct cpu_stop st[2];

			random_state(&in);
			in.x[28] = 1 + rnd() % 40;
			in.x[19] = DATA_END - 16 - 8 * (rnd() % 64);
			if (rnd() % 8 == 0)
				in.x[19] |= rnd() << 56;
			in.x[17] = rnd() % 8 ? DATA + 0x1000 + 16 * (rnd() % 64)
					     : 0xffffff00u - 8 * (rnd() % 4);
			in.x[18] = DATA + 0x2000;
			for (e = 0; e < 2; e++)
				run_on(c[e], &in, &out[e], &st[e], memory[e], fresh);
			if (p.loose || (in.fpcr & FPCR_FZ))
				out[1].fpsr = (out[1].fpsr & ~FPSR_EXCEPTIONS) |
					      (out[0].fpsr & FPSR_EXCEPTIONS);
			if (!same(out, st) && bad++ < 10)
				explain(p.code, p.n, &in, out, st);
		}
	}
	return bad;
}

static unsigned number(const char *name, unsigned otherwise)
{
	const char *text = getenv(name);

	return text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

static void test_engines_agree(void **unused)
{
	const char *model = getenv("TEST_CPU");
	unsigned i, rounds = number("TEST_ROUNDS", 4000);
	struct cpu *c[2];
	char why[256];

	(void)unused;
	assert_true(cpu_model_choose(model ? model : "max", why));
	c[0] = cpu_create(cpu_engine_find("unicorn"), on_svc, &task);
	c[1] = cpu_create(engine(), on_svc, &task);
	assert_non_null(c[0]);
	assert_non_null(c[1]);
	seed = number("TEST_SEED", 1);
	map(CODE, CODE_SIZE, RWX);
	map(DATA, DATA_SIZE, RW);
	for (i = 0; i < DATA_SIZE; i += 8) {
		uint64_t v = random_bits();

		memcpy(fresh + i, &v, 8);
	}
	assert_int_equal(compare(c, rounds, 1), 0);
	assert_int_equal(compare(c, rounds / 4, LENGTH), 0);
	assert_int_equal(compare_loops(c, rounds / 4), 0);
	cpu_destroy(c[0]);
	cpu_destroy(c[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engines_agree),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
