/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AT_HWCAP tells the truth: what it promises is executed here, with the results
 * that another implementation (a recent user-mode emulator, itself checked against silicon) gives.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"
#include "test_cpu.h"

static const struct cpu_vreg in_v[4] = {
	{0x3fc0000040490fdb, 0x7a9e11c25d3b00f7},
	{0x41f0000000d00000, 0xbf8c9a553e21d204},
	{0xc05e3333405ccccd, 0x4009a1f6bfb2c4d8},
	{0xc0f2345678000000, 0x0f1e2d3c4b5a6978},
};
static const uint64_t in_x[7] = {
	0x0123456789abcdef, 0x1111222233334444, 0xfedcba9876543218, 0x00ff00ff12345678,
	0x8877665544332211, 0x0badc0ffee0ddf00, 0xffffffffffffff85,
};
static const uint64_t in_mem[2] = {0x8877665544332211, 0x0badc0ffee0ddf00}; /* at x9 */
#define IN_NZCV 0x60000000u

struct row {
	uint64_t cap, cap2; /* the bits of AT_HWCAP and AT_HWCAP2 that promise it */
	uint32_t insn;
	uint64_t x0, nzcv;
	struct cpu_vreg v0;
	uint64_t mem[2];
};

#define CAP(n)     1ull << (n), 0
#define CAP2(n)    0, 1ull << (n)
#define BOTH(n, m) 1ull << (n) | 1ull << (m), 0
#define V0                               \
 {                                       \
  0x3fc0000040490fdb, 0x7a9e11c25d3b00f7 \
 }
#define X0 0x0123456789abcdef
#define M                                \
 {                                       \
  0x8877665544332211, 0x0badc0ffee0ddf00 \
 }
/* What the instruction changes of the above. */
#define VEC(cap, insn, lo, hi)         {cap, insn, X0, IN_NZCV, {lo, hi}, M},
#define REG(cap, insn, x0)             {cap, insn, x0, IN_NZCV, V0, M},
#define FLAGS(cap, insn, nzcv)         {cap, insn, X0, nzcv, V0, M},
#define REG_FLAGS(cap, insn, x0, nzcv) {cap, insn, x0, nzcv, V0, M},
#define MEM(cap, insn, x0, m0, m1)     {cap, insn, x0, IN_NZCV, V0, {m0, m1}},

/* clang-format off */
static const struct row rows[] = {
	VEC(CAP(0), 0x1e622820, 0x41effffff2866660, 0x0) /* fadd d0, d1, d2 */
	VEC(CAP(0), 0x1f420c20, 0xc25e33338ab6c047, 0x0) /* fmadd d0, d1, d2, d3 */
	VEC(CAP(0), 0x1e21c020, 0x20232b2b, 0x0) /* fsqrt s0, s1 */
	VEC(CAP(0), 0x9e620040, 0xc3723456789abcde, 0x0) /* scvtf d0, x2 */
	REG(CAP(0), 0x9e780020, 0x10000000d) /* fcvtzs x0, d1 */
	VEC(CAP(0), 0x1e644020, 0x41f0000000d00000, 0x0) /* frintn d0, d1 */
	VEC(CAP(1), 0x4ea28420, 0x24e3333412ccccd, 0xff963c4bfdd496dc) /* add v0.4s, v1.4s, v2.4s */
	VEC(CAP(1), 0x6e62dc20, 0xc25e333341e56667, 0xbfa6e957a3334b17) /* fmul v0.2d, v1.2d, v2.2d */
	VEC(CAP(1), 0x4e032020, 0x0, 0xbf09000000000000) /* tbl v0.16b, {v1.16b, v2.16b}, v3.16b */
	VEC(CAP(1), 0x6e62b420, 0xdf38000000690000, 0xdfc14ab2e0ca1541) /* sqrdmulh v0.8h, v1.8h, v2.8h */
	VEC(CAP(1), 0x4e31b820, 0x70, 0x0) /* addv b0, v1.16b */
	VEC(CAP(3), 0x4e284820, 0x9c9b563a6a263b9, 0xfb047688f3ee3d0d) /* aese v0.16b, v1.16b */
	VEC(CAP(3), 0x4e285820, 0x39fb528a43ce9f, 0x72087f8507f9527e) /* aesd v0.16b, v1.16b */
	VEC(CAP(3), 0x4e286820, 0x72384ab1d0bb6bd0, 0x8c164a2c83d6e67a) /* aesmc v0.16b, v1.16b */
	VEC(CAP(3), 0x4e287820, 0x922aaaa30a0cb167, 0xb9fe7fc40c5069fc) /* aesimc v0.16b, v1.16b */
	VEC(CAP(4), 0x0ee2e020, 0xebf43c9999100000, 0x3093e44fe3276589) /* pmull v0.1q, v1.1d, v2.1d */
	VEC(CAP(4), 0x4ee2e020, 0x6a66a8d3ab8d2360, 0x2fe62d9abddbcde5) /* pmull2 v0.1q, v1.2d, v2.2d */
	VEC(CAP(5), 0x5e020020, 0x66ae896df5e617a1, 0xe9db367d51826103) /* sha1c q0, s1, v2.4s */
	VEC(CAP(5), 0x5e021020, 0x596f8e1f69329aa2, 0x98acf65a68fe605b) /* sha1p q0, s1, v2.4s */
	VEC(CAP(5), 0x5e022020, 0x98aa9efd3567e49e, 0xf27a323d71639930) /* sha1m q0, s1, v2.4s */
	VEC(CAP(5), 0x5e280820, 0x340000, 0x0) /* sha1h s0, s1 */
	VEC(CAP(5), 0x5e023020, 0x850022f15d2ec3e1, 0x7b67b034e259c42f) /* sha1su0 v0.4s, v1.4s, v2.4s */
	VEC(CAP(5), 0x5e281820, 0x3c3a40803721fb6, 0xf3d81ce8c56f3545) /* sha1su1 v0.4s, v1.4s */
	VEC(CAP(6), 0x5e024020, 0xfc2c6c93765ac4d8, 0x8f1ec0b82f6cd9ca) /* sha256h q0, q1, v2.4s */
	VEC(CAP(6), 0x5e025020, 0x65aacb242d2e8a9, 0x4ae839c627012eb5) /* sha256h2 q0, q1, v2.4s */
	VEC(CAP(6), 0x5e282820, 0x64e0c15147d09fcb, 0x7ab9b1f66d1161b3) /* sha256su0 v0.4s, v1.4s */
	VEC(CAP(6), 0x5e026020, 0x62b7bc71bd11b479, 0xe4a90f7109644893) /* sha256su1 v0.4s, v1.4s, v2.4s */
	REG(CAP(7), 0x1ac24000, 0x2350cc72) /* crc32b w0, w0, w2 */
	REG(CAP(7), 0x1ac24400, 0x76ff115c) /* crc32h w0, w0, w2 */
	REG(CAP(7), 0x1ac24800, 0x1b0f080c) /* crc32w w0, w0, w2 */
	REG(CAP(7), 0x9ac24c00, 0x8e8ddca6) /* crc32x w0, w0, x2 */
	REG(CAP(7), 0x1ac25000, 0x272da053) /* crc32cb w0, w0, w2 */
	REG(CAP(7), 0x1ac25400, 0x938a3dc1) /* crc32ch w0, w0, w2 */
	REG(CAP(7), 0x1ac25800, 0x41dcd7de) /* crc32cw w0, w0, w2 */
	REG(CAP(7), 0x9ac25c00, 0xa60a7014) /* crc32cx w0, w0, x2 */
	MEM(CAP(8), 0xf8220120, 0x8877665544332211, 0x875420edba875429, 0xbadc0ffee0ddf00) /* ldadd x2, x0, [x9] */
	MEM(CAP(8), 0x78e20120, 0x2211, 0x8877665544335429, 0xbadc0ffee0ddf00) /* ldaddalh w2, w0, [x9] */
	MEM(CAP(8), 0xf8221120, 0x8877665544332211, 0x23444500230001, 0xbadc0ffee0ddf00) /* ldclr x2, x0, [x9] */
	MEM(CAP(8), 0xb8222120, 0x44332211, 0x8877665532671009, 0xbadc0ffee0ddf00) /* ldeor w2, w0, [x9] */
	MEM(CAP(8), 0xf8223120, 0x8877665544332211, 0xfefffedd76773219, 0xbadc0ffee0ddf00) /* ldset x2, x0, [x9] */
	MEM(CAP(8), 0xf8224120, 0x8877665544332211, 0xfedcba9876543218, 0xbadc0ffee0ddf00) /* ldsmax x2, x0, [x9] */
	REG(CAP(8), 0xb8225120, 0x44332211) /* ldsmin w2, w0, [x9] */
	MEM(CAP(8), 0xf8226120, 0x8877665544332211, 0xfedcba9876543218, 0xbadc0ffee0ddf00) /* ldumax x2, x0, [x9] */
	REG(CAP(8), 0xb8227120, 0x44332211) /* ldumin w2, w0, [x9] */
	MEM(CAP(8), 0xf8e28120, 0x8877665544332211, 0xfedcba9876543218, 0xbadc0ffee0ddf00) /* swpal x2, x0, [x9] */
	MEM(CAP(8), 0x38228120, 0x11, 0x8877665544332218, 0xbadc0ffee0ddf00) /* swpb w2, w0, [x9] */
	REG(CAP(8), 0xc8a07d22, 0x8877665544332211) /* cas x0, x2, [x9] */
	MEM(CAP(8), 0xc8a47d22, 0x123456789abcdef, 0xfedcba9876543218, 0xbadc0ffee0ddf00) /* cas x4, x2, [x9] */
	REG(CAP(8), 0x48e0fd22, 0x2211) /* casalh w0, w2, [x9] */
	MEM(CAP(8), 0x48247d22, 0x123456789abcdef, 0xfedcba9876543218, 0xff00ff12345678) /* casp x4, x5, x2, x3, [x9] */
	REG(CAP(8), 0x08207d22, 0x44332211) /* casp w0, w1, w2, w3, [x9] */
	VEC(CAP(9), 0x1ee22820, 0xcccd, 0x0) /* fadd h0, h1, h2 */
	VEC(CAP(9), 0x1fc20c20, 0x0, 0x0) /* fmadd h0, h1, h2, h3 */
	VEC(CAP(9), 0x9ee200c0, 0xd7b0, 0x0) /* scvtf h0, x6 */
	REG(CAP(9), 0x9ef80020, 0x0) /* fcvtzs x0, h1 */
	FLAGS(CAP(9), 0x1ee22020, 0x20000000) /* fcmp h1, h2 */
	VEC(CAP(10), 0x4e421420, 0x3a483333405ccccd, 0x3030a38bb644d29f) /* fadd v0.8h, v1.8h, v2.8h */
	VEC(CAP(10), 0x4e420c20, 0xc48c000040490fdb, 0x7a9e120d5d2f5b49) /* fmla v0.8h, v1.8h, v2.8h */
	VEC(CAP(10), 0x4ef9d820, 0x35607c007c007c00, 0xb83cdd0c3938a550) /* frecpe v0.8h, v1.8h */
	VEC(CAP(10), 0x6ec22420, 0xffff00000000ffff, 0xffffffff0000) /* fcmgt v0.8h, v1.8h, v2.8h */
	VEC(CAP(10), 0x4e30c820, 0x41f0, 0x0) /* fmaxnmv h0, v1.8h */
	VEC(CAP(12), 0x6e428420, 0x1ef8000040b20fdb, 0x5a5f5c743e051638) /* sqrdmlah v0.8h, v1.8h, v2.8h */
	VEC(CAP(12), 0x6e828c20, 0x608779603fe0790e, 0x7fffffff7c716708) /* sqrdmlsh v0.4s, v1.4s, v2.4s */
	VEC(CAP(12), 0x7f72d020, 0xfdb, 0x0) /* sqrdmlah h0, h1, v2.h[3] */
	REG_FLAGS(CAP(13), 0x1e7e0020, 0xd, 0x0) /* fjcvtzs w0, d1 */
	REG_FLAGS(CAP(13), 0x1e7e0060, 0xfffedcbb, 0x0) /* fjcvtzs w0, d3 */
	VEC(CAP(14), 0x6e82cc20, 0x42d2000042d6987f, 0x7a9e11c25d3b00f7) /* fcmla v0.4s, v1.4s, v2.4s, #90 */
	VEC(CAP(14), 0x6ec2dc20, 0x3fb48b54aef87a2a, 0x7a9e11c25d3b00f7) /* fcmla v0.2d, v1.2d, v2.2d, #270 */
	VEC(CAP(14), 0x6e82e420, 0x4205cccd405e3333, 0xc01faf96bfff09ac) /* fcadd v0.4s, v1.4s, v2.4s, #90 */
	VEC(BOTH(14, 10), 0x6f625020, 0x3fc0000040490fdb, 0x7a9e15ba5b2d496a) /* fcmla v0.8h, v1.8h, v2.h[1], #180 */
	REG(CAP(15), 0xf8bfc120, 0x8877665544332211) /* ldapr x0, [x9] */
	REG(CAP(15), 0x38bfc120, 0x11) /* ldaprb w0, [x9] */
	REG(CAP(15), 0x78bfc120, 0x2211) /* ldaprh w0, [x9] */
	VEC(CAP(17), 0xce020c20, 0x415c0765388ccccd, 0xf09b169fcac97fa4) /* eor3 v0.16b, v1.16b, v2.16b, v3.16b */
	VEC(CAP(17), 0xce220c20, 0x41fc0321008ccccd, 0xff8d1a978a815684) /* bcax v0.16b, v1.16b, v2.16b, v3.16b */
	VEC(CAP(17), 0xce628c20, 0xc14c66668069999b, 0x3f9fd9b841445bb4) /* rax1 v0.2d, v1.2d, v2.2d */
	VEC(CAP(17), 0xce823420, 0x666c0d71999a0466, 0xb6e7fc29dd1c0c98) /* xar v0.2d, v1.2d, v2.2d, #13 */
	VEC(CAP(18), 0xce420c20, 0x0, 0x6695950c00000000) /* sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s */
	VEC(CAP(18), 0xce429020, 0x7601eeba3fc00000, 0x779d123f7a9e11c2) /* sm3tt1a v0.4s, v1.4s, v2.s[1] */
	VEC(CAP(18), 0xce42a420, 0x7601eeba3fc00000, 0xde2693717a9e11c2) /* sm3tt1b v0.4s, v1.4s, v2.s[2] */
	VEC(CAP(18), 0xce42b820, 0x7bae9d83fc00000, 0x6a485b637a9e11c2) /* sm3tt2a v0.4s, v1.4s, v2.s[3] */
	VEC(CAP(18), 0xce428c20, 0x7bae9d83fc00000, 0x6a1c339c7a9e11c2) /* sm3tt2b v0.4s, v1.4s, v2.s[0] */
	VEC(CAP(18), 0xce62c020, 0xdf3effd8d4d64303, 0xaa1f5a053143dbfe) /* sm3partw1 v0.4s, v1.4s, v2.4s */
	VEC(CAP(18), 0xce62c420, 0x512999e06eff697b, 0x54a6564fba78beac) /* sm3partw2 v0.4s, v1.4s, v2.4s */
	VEC(CAP(19), 0xcec08420, 0x5dccb04c205580c8, 0x1f1a93d18a32273e) /* sm4e v0.4s, v1.4s */
	VEC(CAP(19), 0xce62c820, 0x7560e82498abb587, 0x36b0b856991fcf0c) /* sm4ekey v0.4s, v1.4s, v2.4s */
	VEC(CAP(20), 0x6e829420, 0x3fc088e040495a9b, 0x7a9ef8f65d3bea53) /* udot v0.4s, v1.16b, v2.16b */
	VEC(CAP(20), 0x4e829420, 0x3fbfe9e04048fe9b, 0x7a9e1ff65d3af153) /* sdot v0.4s, v1.16b, v2.16b */
	VEC(CAP(20), 0x2fa2e020, 0x3fc088e040495c3b, 0x0) /* udot v0.2s, v1.8b, v2.4b[1] */
	VEC(CAP(21), 0xce628020, 0x453a9310976b1eab, 0xd32af509e15368f2) /* sha512h q0, q1, v2.2d */
	VEC(CAP(21), 0xce628420, 0x4294c986912746d4, 0x6e51796b4c7fc95d) /* sha512h2 q0, q1, v2.2d */
	VEC(CAP(21), 0xcec08020, 0x8a80aad3a8c3dd55, 0x9ad821c25da470f7) /* sha512su0 v0.2d, v1.2d */
	VEC(CAP(21), 0xce628820, 0xea5fb7187291cc0, 0x7f822aea53aa7678) /* sha512su1 v0.2d, v1.2d, v2.2d */
	VEC(CAP(23), 0x4e22ec20, 0x3fc000e340490fdb, 0x7a9e11c25d3b00f7) /* fmlal v0.4s, v1.4h, v2.4h */
	VEC(CAP(23), 0x6e22cc20, 0xbfb94f90436c3f3f, 0x7a9e11c25d3b00f7) /* fmlal2 v0.4s, v1.4h, v2.4h */
	VEC(CAP(23), 0x4f924820, 0x3fc000c840490fdb, 0x7a9e11c25d3b00f7) /* fmlsl v0.4s, v1.4h, v2.h[5] */
	REG(CAP(26), 0xd9408120, 0xbadc0ffee0ddf00) /* ldapur x0, [x9, #8] */
	REG(CAP(26), 0x9980c120, 0xbadc0ff) /* ldapursw x0, [x9, #12] */
	MEM(CAP(26), 0x99004122, 0x123456789abcdef, 0x7654321844332211, 0xbadc0ffee0ddf00) /* stlur w2, [x9, #4] */
	FLAGS(CAP(27), 0xd500401f, 0x40000000) /* cfinv */
	FLAGS(CAP(27), 0xba0a844f, 0x20000000) /* rmif x2, #21, #15 */
	FLAGS(CAP(27), 0x3a00084d, 0x20000000) /* setf8 w2 */
	FLAGS(CAP(27), 0x3a00484d, 0x20000000) /* setf16 w2 */
	FLAGS(CAP(29), 0xd50330ff, 0x60000000) /* sb */
	FLAGS(CAP2(7), 0xd500405f, 0x60000000) /* axflag */
	FLAGS(CAP2(7), 0xd500403f, 0x60000000) /* xaflag */
	VEC(CAP2(8), 0x1e684060, 0xc0f2345000000000, 0x0) /* frint32z d0, d3 */
	VEC(CAP2(8), 0x1e28c020, 0x0, 0x0) /* frint32x s0, s1 */
	VEC(CAP2(8), 0x1e694020, 0x41f0000000d00000, 0x0) /* frint64z d0, d1 */
	VEC(CAP2(8), 0x6e61f860, 0xc0f2345000000000, 0x0) /* frint64x v0.2d, v3.2d */
};
/* clang-format on */
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Bits that are no instruction sets, or whose instructions have no fixed result: tested below. */
#define HWCAP_EVTSTRM (1ull << 2)
#define HWCAP_CPUID   (1ull << 11)
#define HWCAP_DCPOP   (1ull << 16)
#define HWCAP2_DCPODP (1ull << 0)

static uint64_t hwcap, hwcap2;

static void get_hwcap(void)
{
	assert_true(cpu_hwcap(cpu->engine, &hwcap, &hwcap2));
}

static void test_each_instruction(void **unused)
{
	unsigned i, n;

	(void)unused;
	get_hwcap();
	for (i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		const uint32_t code[] = {r->insn, 0xd4200000 /* brk #0 */};
		uint64_t mem[2];

		if ((hwcap & r->cap) != r->cap || (hwcap2 & r->cap2) != r->cap2)
			continue;
		LOAD(code);
		for (n = 0; n < 7; n++)
			state.x[n] = in_x[n];
		for (n = 0; n < 4; n++)
			state.v[n] = in_v[n];
		state.x[9] = DATA;
		state.pstate = IN_NZCV;
		cpu_set_state(cpu, &state);
		assert_int_equal(mem_copy_out(DATA, in_mem, sizeof(in_mem)), 0);
		run();
		if (stop.cause != CPU_STOP_BRK)
			print_error("instruction %08x\n", r->insn);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		assert_int_equal(mem_copy_in(mem, DATA, sizeof(mem)), 0);
		if (state.x[0] != r->x0 || state.pstate != r->nzcv ||
		    memcmp(&state.v[0], &r->v0, sizeof(r->v0)) || memcmp(mem, r->mem, sizeof(mem)))
			print_error("instruction %08x: x0 %llx nzcv %llx v0 %016llx:%016llx "
				    "memory %llx %llx\n",
				    r->insn, (unsigned long long)state.x[0],
				    (unsigned long long)state.pstate,
				    (unsigned long long)state.v[0].hi,
				    (unsigned long long)state.v[0].lo, (unsigned long long)mem[0],
				    (unsigned long long)mem[1]);
		assert_int_equal(state.x[0], r->x0);
		assert_int_equal(state.pstate, r->nzcv);
		assert_memory_equal(&state.v[0], &r->v0, sizeof(r->v0));
		assert_memory_equal(mem, r->mem, sizeof(mem));
	}
}

static void test_nothing_is_promised_untested(void **unused)
{
	uint64_t tested = HWCAP_EVTSTRM | HWCAP_CPUID | HWCAP_DCPOP;
	uint64_t tested2 = HWCAP2_DCPODP;
	unsigned i;

	(void)unused;
	get_hwcap();
	for (i = 0; i < ROWS; i++) {
		tested |= rows[i].cap;
		tested2 |= rows[i].cap2;
	}
	assert_int_equal(hwcap & ~tested, 0);
	assert_int_equal(hwcap2 & ~tested2, 0);
}

static void test_unicorn_max(void **unused)
{
	(void)unused;
	get_hwcap();
	/* What no program of today is without: FP, ASIMD, AES..CRC32, ATOMICS, CPUID. */
	assert_int_equal(hwcap & 0x9fb, 0x9fb);
	/* SVE, pointer authentication, BTI, MTE and SME are off. */
	assert_int_equal(hwcap & (1ull << 22 | 3ull << 30), 0);
	assert_int_equal(hwcap2 & (1ull << 1 | 1ull << 17 | 1ull << 18 | 1ull << 23), 0);
	/* RNG: RNDR executes, but its numbers are no secret. */
	assert_int_equal(hwcap2 & 1ull << 16, 0);
}

static void test_sve_and_pauth_are_off(void **unused)
{
	static const uint32_t sve = 0x04a03000; /* addvl-like encoding of SVE */
	static const uint32_t pauth[] = {
		0xaa1e03e2, /* mov x2, x30 */
		0xd503233f, /* paciasp */
		0xd50323bf, /* autiasp */
		0xd50320ff, /* xpaclri */
		0xd503245f, /* bti c */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	load(&sve, 1);
	run();
	assert_int_equal(stop.cause, CPU_STOP_ILLEGAL);
	/* These encodings are hints: without the feature they do nothing. */
	LOAD(pauth);
	state.x[30] = 0x12345678;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[30], 0x12345678);
}

static void test_persistence(void **unused)
{
	static const uint32_t code[] = {
		0xd50b7c21, /* dc cvap, x1 */
		0xd4200020, /* brk #1 */
		0xd50b7d21, /* dc cvadp, x1 */
		0xd4200040, /* brk #2 */
	};

	(void)unused;
	get_hwcap();
	LOAD(code);
	state.x[1] = DATA;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, hwcap & HWCAP_DCPOP ? CPU_STOP_BRK : CPU_STOP_ILLEGAL);
	run_at(CODE + 8);
	assert_int_equal(stop.cause, hwcap2 & HWCAP2_DCPODP ? CPU_STOP_BRK : CPU_STOP_ILLEGAL);
}

/* EVTSTRM promises that WFE does not sleep for ever. */
static void test_wfe_returns(void **unused)
{
	static const uint32_t code[] = {
		0xd2807d00, /* mov x0, #1000 */
		0xd503205f, /* 1: wfe */
		0xf1000400, /* subs x0, x0, #1 */
		0x54ffffc1, /* b.ne 1b */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
}

/* --- ID registers --------------------------------------------------------------------------- */

#define MRS_X0(op2, crm) (0xd5380000u | (crm) << 8 | (op2) << 5)

static uint64_t mrs(unsigned crm, unsigned op2)
{
	const uint32_t code[] = {MRS_X0(op2, crm), 0xd4200000};

	LOAD(code);
	state.x[0] = 0x5555;
	state.x[1] = 0x6666;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + 4);
	assert_int_equal(state.x[1], 0x6666);
	return state.x[0];
}

/* Documentation/arm64/cpu-feature-registers, elf_hwcaps: which field value stands for which bit. */
struct field {
	unsigned crm, op2, shift, value;
	uint64_t cap, cap2;
};

static const struct field fields[] = {
	{6, 0, 4, 1, CAP(3)},    {6, 0, 4, 2, CAP(4)},   {6, 0, 8, 1, CAP(5)},
	{6, 0, 12, 1, CAP(6)},   {6, 0, 12, 2, CAP(21)}, {6, 0, 16, 1, CAP(7)},
	{6, 0, 20, 2, CAP(8)},   {6, 0, 28, 1, CAP(12)}, {6, 0, 32, 1, CAP(17)},
	{6, 0, 36, 1, CAP(18)},  {6, 0, 40, 1, CAP(19)}, {6, 0, 44, 1, CAP(20)},
	{6, 0, 48, 1, CAP(23)},  {6, 0, 52, 1, CAP(27)}, {6, 0, 52, 2, CAP2(7)},
	{6, 0, 60, 1, CAP2(16)}, {6, 1, 0, 1, CAP(16)},  {6, 1, 0, 2, CAP2(0)},
	{6, 1, 4, 1, CAP(30)},   {6, 1, 12, 1, CAP(13)}, {6, 1, 16, 1, CAP(14)},
	{6, 1, 20, 1, CAP(15)},  {6, 1, 20, 2, CAP(26)}, {6, 1, 32, 1, CAP2(8)},
	{6, 1, 36, 1, CAP(29)},  {4, 0, 16, 1, CAP(9)},  {4, 0, 20, 1, CAP(10)},
	{4, 0, 32, 1, CAP(22)},  {4, 0, 48, 1, CAP(24)}, {4, 1, 0, 1, CAP2(17)},
	{4, 1, 4, 2, CAP(28)},   {4, 1, 8, 1, CAP2(18)}, {7, 2, 32, 1, CAP(25)},
};

static void test_id_registers_agree_with_hwcap(void **unused)
{
	unsigned i;

	(void)unused;
	get_hwcap();
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *f = &fields[i];
		bool cap = (hwcap & f->cap) || (hwcap2 & f->cap2);

		assert_int_equal((mrs(f->crm, f->op2) >> f->shift & 15) >= f->value, cap);
	}
}

static void test_id_registers(void **unused)
{
	(void)unused;
	assert_int_equal(mrs(0, 0), 0x000f0510);        /* MIDR: no real implementer */
	assert_int_equal(mrs(0, 5), 0x80000000);        /* MPIDR */
	assert_int_equal(mrs(0, 6), 0);                 /* REVIDR */
	assert_int_equal(mrs(4, 0) & 0xff0000ff, 0x11); /* AArch64 only */
	assert_int_equal(mrs(5, 0), 0);                 /* DFR0 */
	assert_int_equal(mrs(7, 0), 0);                 /* MMFR0: nothing user space may know */
	assert_int_equal(mrs(4, 7), 0);                 /* reserved */
}

static void test_emulate_mrs_alone(void **unused)
{
	const struct cpu_engine *e = engine();
	unsigned rt = 99;
	uint64_t value;

	(void)unused;
	assert_true(cpu_emulate_mrs(e, MRS_X0(0u, 0u) | 17, &rt, &value));
	assert_int_equal(rt, 17);
	assert_int_equal(value, 0x000f0510);
	assert_false(cpu_emulate_mrs(e, 0xd5380040, &rt, &value)); /* S3_0_C0_C0_2 */
	assert_false(cpu_emulate_mrs(e, 0xd5380100, &rt, &value)); /* CRm 1: AArch32 registers */
	assert_false(cpu_emulate_mrs(e, 0xd5380800, &rt, &value)); /* CRm 8 */
	assert_false(cpu_emulate_mrs(e, 0xd5381000, &rt, &value)); /* SCTLR_EL1 */
	assert_false(cpu_emulate_mrs(e, 0xd53be040, &rt, &value)); /* CNTVCT_EL0 */
	assert_false(cpu_emulate_mrs(e, 0xd5180000, &rt, &value)); /* MSR */
	assert_false(cpu_emulate_mrs(e, 0xd503201f, &rt, &value)); /* NOP */
}

/* 4.14: bits 0 to 16 (the recorded machine had 0x1fffb), the fields of Documentation/arm64/
 * cpu-feature-registers.txt, whole; 5.10: HWCAP2 bits 0 to 18. */
static void test_profile_knows_less(void **unused)
{
	const struct cpu_engine *e = cpu_engine_find("unicorn");
	uint64_t all, all2, cap, cap2;

	(void)unused;
	assert_true(cpu_hwcap(e, &all, &all2));
	assert_true((all >> 17) && all2 && mrs(7, 2) == 0); /* no LSE2 */
	assert_true(abi_select("ampere-4.14"));
	assert_true(cpu_hwcap(e, &cap, &cap2));
	assert_int_equal(cap, all & 0x1ffff);
	assert_int_equal(cap & 0x1fffb, 0x1fffb);
	assert_int_equal(cap2, 0);
	assert_int_equal(mrs(4, 0), 0x00110011); /* FP16, and AArch64 only */
	assert_int_equal(mrs(4, 1), 0);          /* SSBS came with 4.20 */
	assert_int_equal(mrs(6, 0), 0x10212120); /* SHA2 2: the field is known, its bit is not */
	assert_int_equal(mrs(6, 1), 0x00211002);
	assert_int_equal(mrs(0, 0), 0x000f0510);
	assert_true(abi_select("openeuler-5.10"));
	assert_true(cpu_hwcap(e, &cap, &cap2));
	assert_int_equal(cap, all);
	assert_int_equal(cap2, all2 & 0x7ffff);
	assert_true(abi_select("modern"));
}

/* arch/arm64/kernel/cpuinfo.c has a word for each bit that AT_HWCAP can show. */
static void test_hwcap_names(void **unused)
{
	uint64_t cap[2];

	(void)unused;
	assert_true(cpu_hwcap(cpu_engine_find("unicorn"), &cap[0], &cap[1]));
	for (unsigned bit = 0; bit < 128; bit++) {
		if (cap[bit / 64] >> bit % 64 & 1)
			assert_non_null(cpu_hwcap_name(bit));
	}
	assert_string_equal(cpu_hwcap_name(2), "evtstrm");
	assert_string_equal(cpu_hwcap_name(8), "atomics");
	assert_string_equal(cpu_hwcap_name(11), "cpuid");
	assert_string_equal(cpu_hwcap_name(64), "dcpodp");
	assert_null(cpu_hwcap_name(22)); /* SVE */
	assert_null(cpu_hwcap_name(127));
}

/* --- CPUs that lack something: --cpu ---------------------------------------------------------- */

/* In a process of its own, as the choice is made once. */
static bool in_child(int (*fn)(const void *arg), const void *arg)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		_exit(fn(arg));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

/* Bit BIT of AT_HWCAP, or of AT_HWCAP2 from 64: its instructions are undefined without it, and others not. */
static int lacks_bit(const void *arg)
{
	const unsigned bit = *(const unsigned *)arg;
	uint64_t cap, cap2;
	char text[64], why[256];
	int bad = 0;

	snprintf(text, sizeof(text), "max,-%s", cpu_hwcap_name(bit));
	if (!cpu_model_choose(text, why) || test_cpu_setup(NULL))
		return 2;
	if (!cpu_hwcap(cpu->engine, &cap, &cap2) || ((bit < 64 ? cap : cap2) >> bit % 64 & 1))
		return 3;
	for (unsigned i = 0; i < ROWS; i++) {
		const uint32_t code[] = {rows[i].insn, 0xd4200000 /* brk #0 */};
		bool there =
			(cap & rows[i].cap) == rows[i].cap && (cap2 & rows[i].cap2) == rows[i].cap2;

		LOAD(code);
		state.x[9] = DATA;
		cpu_set_state(cpu, &state);
		run();
		if (stop.cause != (there ? CPU_STOP_BRK : CPU_STOP_ILLEGAL) ||
		    (!there && (stop.pc != CODE || stop.insn != code[0]))) {
			print_error("%s: instruction %08x stops with %d\n", text, code[0],
				    stop.cause);
			bad = 1;
		}
	}
	return bad;
}

static void test_what_a_cpu_lacks_is_undefined(void **unused)
{
	static const uint64_t always = 1ull << 0 | 1ull << 1 | HWCAP_EVTSTRM | HWCAP_CPUID;
	bool all = true;

	(void)unused;
	for (unsigned bit = 0; bit < 128; bit++) {
		bool is_tested = bit < 64 && always >> bit & 1;

		for (unsigned i = 0; i < ROWS && !is_tested; i++) {
			is_tested = (bit < 64 ? rows[i].cap : rows[i].cap2) >> bit % 64 & 1;
			if (is_tested)
				all &= in_child(lacks_bit, &bit);
		}
	}
	assert_true(all);
}

static int no_persistence(const void *arg)
{
	char why[256];

	(void)arg;
	if (!cpu_model_choose("cortex-a57", why) || test_cpu_setup(NULL))
		return 1;
	test_persistence(NULL);
	return hwcap & HWCAP_DCPOP ? 1 : 0;
}

/* AT_HWCAP 0x8ff: a real kernel on Cortex-A57 and A72. */
static int is_a57(const void *arg)
{
	char why[256];
	uint64_t cap, cap2;

	(void)arg;
	if (!cpu_model_choose("cortex-a57", why) || test_cpu_setup(NULL) ||
	    !cpu_hwcap(cpu->engine, &cap, &cap2))
		return 1;
	return cap == 0x8ff && !cap2 && mrs(0, 0) == 0x411fd073 && mrs(4, 0) == 0x11 &&
			       mrs(6, 0) == 0x11120 && mrs(6, 1) == 0
		       ? 0
		       : 2;
}

/* Without HWCAP_CPUID the kernel does not emulate MRS. */
static int no_cpuid(const void *arg)
{
	static const uint32_t code[] = {MRS_X0(0u, 0u), 0xd4200000};
	char why[256];

	(void)arg;
	if (!cpu_model_choose("max,-cpuid", why) || test_cpu_setup(NULL))
		return 1;
	LOAD(code);
	run();
	return stop.cause == CPU_STOP_ILLEGAL ? 0 : 2;
}

static void test_models(void **unused)
{
	static const char *const wrong[] = {
		"",      "cortex",       "max,",    "max,aes",
		"max,+", "max,-nothing", "max,-fp", "cortex-a57,-asimd",
	};
	char names[256], why[256];
	uint64_t cap, cap2;

	(void)unused;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_false(cpu_model_choose(wrong[i], why));
		assert_true(*why);
	}
	/* No model has what the engines cannot do: its bits are there. */
	snprintf(names, sizeof(names), "%s", cpu_model_names());
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		assert_true(cpu_model_choose(name, why));
		assert_null(cpu_unmet(engine()));
	}
	assert_true(cpu_model_choose("kunpeng-920,-asimdhp,+sm4", why));
	assert_true(cpu_hwcap(engine(), &cap, &cap2));
	assert_int_equal(cap, 0x9ff | 1ull << 12 | 1ull << 13 | 1ull << 14 | 1ull << 16 |
				      1ull << 19 | 1ull << 20 | 1ull << 23);
	assert_true(cpu_model_choose("armv8-a,+sha512", why));
	assert_true(cpu_hwcap(engine(), &cap, &cap2));
	assert_int_equal(cap, 0x807 | 1ull << 6 | 1ull << 21); /* sha2 comes with it */
	assert_true(cpu_model_choose("max,+ssbs", why));
	assert_string_equal(cpu_unmet(engine()), "ssbs");
	assert_true(cpu_model_choose("max", why));
	assert_true(in_child(no_persistence, NULL));
	assert_true(in_child(is_a57, NULL));
	assert_true(in_child(no_cpuid, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* In front of those that make the one instance for what dynarmic does not know. */
		cmocka_unit_test(test_what_a_cpu_lacks_is_undefined),
		cmocka_unit_test(test_models),
		CPU_TEST(test_each_instruction),
		CPU_TEST(test_nothing_is_promised_untested),
		CPU_TEST(test_unicorn_max),
		CPU_TEST(test_sve_and_pauth_are_off),
		CPU_TEST(test_persistence),
		CPU_TEST(test_wfe_returns),
		CPU_TEST(test_id_registers_agree_with_hwcap),
		CPU_TEST(test_id_registers),
		CPU_TEST(test_emulate_mrs_alone),
		CPU_TEST(test_profile_knows_less),
		CPU_TEST(test_hwcap_names),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
