/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AT_HWCAP and the ID registers as user space sees them, both from one table of the ID register
 * fields. A row stands for instructions that the engines execute right whenever the engine's own ID
 * register has the value; tests/unit/test_cpu_features.c runs each of them. RNG has no row: Unicorn's
 * RNDR is an ordinary generator whose sequence a forked child repeats. The kernel of the ABI profile may
 * know less: it then shows neither the bit nor the field.
 */
#include "cpu/features.h"

#include "abi/abi.h"
#include "cpu/cpu.h"
#include "cpu/insn.h"

#define HWCAP_CPUID 11

/* clang-format off */
/* No instructions, or no engine has them, or no CPU can lack them. */
#define NONE {{0, 0}}

const struct cpu_feature cpu_features[] = {
	{"fp", 0, 0, PFR0, 16, 0, true, NONE},
	{"asimd", 0, 1, PFR0, 20, 0, true, NONE},
	{"fphp", 0, 9, PFR0, 16, 1, true,
	 {{0x7fc00000, 0x1ec00000}, {0xffc00000, 0x1fc00000}}},
	{"asimdhp", 0, 10, PFR0, 20, 1, true,
	 {{0x9f60c400, 0x0e400400}, {0xdf60c400, 0x5e400400}, {0x9f7e0c00, 0x0e780800},
	  {0xdf7e0c00, 0x5e780800}, {0xbf3fcc00, 0x0e30c800}, {0xff3fcc00, 0x5e30c800},
	  {0x9fc00400, 0x0f000000}, {0xdfc00400, 0x5f000000}, {0xbff8fc00, 0x0f00fc00},
	  {0x9ff0e400, 0x0f10e400}, {0xdff0e400, 0x5f10e400}, {0xbfe0e400, 0x2e40c400},
	  {0xbfe0ec00, 0x2e40e400}, {0xbfc09400, 0x2f401000}}},
	{"aes", 0, 3, ISAR0, 4, 1, false,
	 {{0xff3e0c00, 0x4e280800}}},
	{"pmull", 0, 4, ISAR0, 4, 2, false,
	 {{0xbfe0fc00, 0x0ee0e000}}},
	{"sha1", 0, 5, ISAR0, 8, 1, false,
	 {{0xff20cc00, 0x5e000000}, {0xff3fcc00, 0x5e280800}}},
	{"sha2", 0, 6, ISAR0, 12, 1, false,
	 {{0xff20cc00, 0x5e004000}, {0xff3ffc00, 0x5e282800}}},
	{"sha512", 0, 21, ISAR0, 12, 2, false,
	 {{0xffe0f000, 0xce608000}, {0xfffffc00, 0xcec08000}}},
	{"crc32", 0, 7, ISAR0, 16, 1, false,
	 {{0x7fe0e000, 0x1ac04000}}},
	{"atomics", 0, 8, ISAR0, 20, 2, false,
	 {{0x3f200c00, 0x38200000}, {0x3fa07c00, 0x08a07c00}, {0xbfa07c00, 0x08207c00}}},
	{"asimdrdm", 0, 12, ISAR0, 28, 1, false,
	 {{0xbf20f400, 0x2e008400}, {0xff20f400, 0x7e008400}, {0xbf00d400, 0x2f00d000},
	  {0xff00d400, 0x7f00d000}}},
	{"sha3", 0, 17, ISAR0, 32, 1, false,
	 {{0xff808000, 0xce000000}, {0xffe0fc00, 0xce608c00}, {0xffe00000, 0xce800000}}},
	{"sm3", 0, 18, ISAR0, 36, 1, false,
	 {{0xffe08000, 0xce400000}, {0xffe0c000, 0xce408000}, {0xffe0f000, 0xce60c000}}},
	{"sm4", 0, 19, ISAR0, 40, 1, false,
	 {{0xfffffc00, 0xcec08400}, {0xffe0fc00, 0xce60c800}}},
	{"asimddp", 0, 20, ISAR0, 44, 1, false,
	 {{0x9fe0fc00, 0x0e809400}, {0x9fc0f400, 0x0f80e000}}},
	{"asimdfhm", 0, 23, ISAR0, 48, 1, false,
	 {{0xbf60fc00, 0x0e20ec00}, {0xbf60fc00, 0x2e20cc00}, {0xbfc0b400, 0x0f800000},
	  {0xbfc0b400, 0x2f808000}}},
	{"flagm", 0, 27, ISAR0, 52, 1, false,
	 {{0xffffffff, 0xd500401f}, {0xffe07c10, 0xba000400}, {0xffffbc1f, 0x3a00080d}}},
	{"flagm2", 1, 7, ISAR0, 52, 2, false,
	 {{0xffffff9f, 0xd500401f}}},
	{"dcpop", 0, 16, ISAR1, 0, 1, false,
	 {{0xffffffe0, 0xd50b7c20}}},
	{"dcpodp", 1, 0, ISAR1, 0, 2, false,
	 {{0xffffffe0, 0xd50b7d20}}},
	{"jscvt", 0, 13, ISAR1, 12, 1, false,
	 {{0xfffffc00, 0x1e7e0000}}},
	{"fcma", 0, 14, ISAR1, 16, 1, false,
	 {{0xbf20e400, 0x2e00c400}, {0xbf20ec00, 0x2e00e400}, {0xbf009400, 0x2f001000}}},
	{"lrcpc", 0, 15, ISAR1, 20, 1, false,
	 {{0x3ffffc00, 0x38bfc000}}},
	{"ilrcpc", 0, 26, ISAR1, 20, 2, false,
	 {{0x3f200c00, 0x19000000}}},
	{"frint", 1, 8, ISAR1, 32, 1, false,
	 {{0xffbe7c00, 0x1e284000}, {0x9fbfec00, 0x0e21e800}}},
	{"sb", 0, 29, ISAR1, 36, 1, false,
	 {{0xffffffff, 0xd50330ff}}},
	{"bf16", 1, 14, ISAR1, 44, 1, false, NONE},
	{"i8mm", 1, 13, ISAR1, 52, 1, false, NONE},
	{"dit", 0, 24, PFR0, 48, 1, false, NONE},
	{"ssbs", 0, 28, PFR1, 4, 2, false, NONE},
	{"uscat", 0, 25, MMFR2, 32, 1, false, NONE},
	/* WFE never sleeps for good in an engine, which is what EVTSTRM promises. */
	{"evtstrm", 0, 2, KERNEL, 0, 0, false, NONE},
	{"cpuid", 0, HWCAP_CPUID, KERNEL, 0, 0, false, NONE}, /* cpu_emulate_mrs() */
};
/* clang-format on */
const size_t cpu_feature_count = sizeof(cpu_features) / sizeof(cpu_features[0]);
_Static_assert(sizeof(cpu_features) / sizeof(cpu_features[0]) <= CPU_FEATURES, "a place for each");

const char *cpu_hwcap_name(unsigned bit)
{
	for (size_t i = 0; i < cpu_feature_count; i++) {
		if (cpu_features[i].word == bit / 64 && cpu_features[i].bit == bit % 64)
			return cpu_features[i].name;
	}
	return NULL;
}

bool cpu_has(const struct cpu_id_regs *id, const struct cpu_feature *f)
{
	int field;

	if (f->reg == KERNEL)
		return true;
	field = id->reg[f->reg] >> f->shift & 15;
	if (f->is_signed && field > 7)
		field -= 16;
	return field >= f->min;
}

/* The registers of the CPU that the guest shall see on engine E. */
static bool model_regs(const struct cpu_engine *e, struct cpu_id_regs *id)
{
	if (!e->id_regs(id))
		return false;
	cpu_model_limit(id);
	return true;
}

bool cpu_hwcap(const struct cpu_engine *e, uint64_t *hwcap, uint64_t *hwcap2)
{
	struct cpu_id_regs id;
	uint64_t word[2] = {0, 0};

	*hwcap = *hwcap2 = 0;
	if (!model_regs(e, &id))
		return false;
	for (size_t i = 0; i < cpu_feature_count; i++) {
		if (cpu_model_has(i) && cpu_has(&id, &cpu_features[i]))
			word[cpu_features[i].word] |= 1ull << cpu_features[i].bit;
	}
	*hwcap = word[0] & abi_profile->hwcap_mask;
	*hwcap2 = word[1] & abi_profile->hwcap2_mask;
	return true;
}

const char *cpu_unmet(const struct cpu_engine *e)
{
	struct cpu_id_regs id;

	return e->id_regs(&id) ? cpu_model_unmet(&id) : NULL;
}

/* The fields that the profile's kernel knows. */
static uint64_t known_fields(enum cpu_id_reg reg)
{
	switch (reg) {
	case PFR0: return abi_profile->pfr0_mask;
	case PFR1: return abi_profile->pfr1_mask;
	case ISAR0: return abi_profile->isar0_mask;
	case ISAR1: return abi_profile->isar1_mask;
	case MMFR2: return abi_profile->mmfr2_mask;
	case ID_REGS: break;
	}
	return 0;
}

/* A register with the fields of the table alone; all others as the kernel shows them, 0. */
static uint64_t user_view(const struct cpu_id_regs *id, enum cpu_id_reg reg)
{
	uint64_t value = 0;

	for (size_t i = 0; i < cpu_feature_count; i++) {
		const struct cpu_feature *f = &cpu_features[i];
		uint64_t field = value >> f->shift & 15;

		if (f->reg == reg && cpu_has(id, f) && (uint64_t)f->min > field)
			value = (value & ~(15ull << f->shift)) | (uint64_t)f->min << f->shift;
	}
	return value & known_fields(reg);
}

#define MPIDR_SAFE    (1ull << 31)
#define PFR0_64BIT    0x11u /* EL0, EL1: AArch64 only */
#define PFR0_NO_FP    (15ull << 16)
#define PFR0_NO_ASIMD (15ull << 20)

static uint64_t pfr0_view(const struct cpu_id_regs *id)
{
	uint64_t value = user_view(id, PFR0) | PFR0_64BIT;

	/* In these two 0 says "there"; a CPU without them says 15. */
	value |= (id->reg[PFR0] & PFR0_NO_FP) == PFR0_NO_FP ? PFR0_NO_FP : 0;
	value |= (id->reg[PFR0] & PFR0_NO_ASIMD) == PFR0_NO_ASIMD ? PFR0_NO_ASIMD : 0;
	return value;
}

static bool serves_cpuid(void)
{
	for (size_t i = 0; i < cpu_feature_count; i++) {
		if (cpu_features[i].reg == KERNEL && cpu_features[i].bit == HWCAP_CPUID)
			return cpu_model_has(i);
	}
	return false;
}

uint64_t cpu_midr(const struct cpu_engine *e)
{
	struct cpu_id_regs id;

	return model_regs(e, &id) ? id.midr : 0;
}

bool cpu_emulate_mrs(const struct cpu_engine *e, uint32_t insn, unsigned *rt, uint64_t *value)
{
	struct cpu_id_regs id;
	struct insn_sys sys;
	unsigned crm;

	if (!serves_cpuid())
		return false;
	/* The space that the kernel emulates: op0 3, op1 0, CRn 0, CRm 0 and 4 to 7. */
	if (!insn_sys(insn, &sys) || !sys.read || sys.id >> 7 != SYS_REG(3, 0, 0, 0, 0) >> 7)
		return false;
	crm = sys.id >> 3 & 15;
	if ((crm != 0 && crm < 4) || crm > 7 || !model_regs(e, &id))
		return false;
	*rt = sys.rt;
	switch (sys.id) {
	case SYS_REG(3, 0, 0, 0, 0): *value = id.midr; return true;
	case SYS_REG(3, 0, 0, 0, 5): *value = MPIDR_SAFE; return true;
	case SYS_REG(3, 0, 0, 0, 6): *value = 0; return true; /* REVIDR */
	case SYS_REG(3, 0, 0, 4, 0): *value = pfr0_view(&id); return true;
	case SYS_REG(3, 0, 0, 4, 1): *value = user_view(&id, PFR1); return true;
	case SYS_REG(3, 0, 0, 6, 0): *value = user_view(&id, ISAR0); return true;
	case SYS_REG(3, 0, 0, 6, 1): *value = user_view(&id, ISAR1); return true;
	case SYS_REG(3, 0, 0, 7, 2): *value = user_view(&id, MMFR2); return true;
	default: *value = 0; return crm != 0;
	}
}
