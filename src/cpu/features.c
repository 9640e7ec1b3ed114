/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AT_HWCAP and the ID registers as user space sees them, both from one table of the ID register
 * fields. A row stands for instructions that the engines execute right whenever the engine's own ID
 * register has the value; tests/unit/test_cpu_features.c runs each of them. RNG has no row: Unicorn's
 * RNDR is an ordinary generator whose sequence a forked child repeats. The kernel of the ABI profile may
 * know less: it then shows neither the bit nor the field.
 */
#include "abi/abi.h"
#include "cpu/cpu.h"
#include "cpu/insn.h"

enum id_reg { PFR0, PFR1, ISAR0, ISAR1, MMFR2 };

struct feature {
	const char *name; /* in /proc/cpuinfo */
	uint8_t word;     /* AT_HWCAP (0) or AT_HWCAP2 (1) */
	uint8_t bit;      /* asm/hwcap.h of arm64 */
	uint8_t reg;
	uint8_t shift; /* the 4-bit field */
	int8_t min;    /* least value */
	bool is_signed;
};

/* clang-format off */
static const struct feature features[] = {
	{"fp", 0, 0, PFR0, 16, 0, true},
	{"asimd", 0, 1, PFR0, 20, 0, true},
	{"fphp", 0, 9, PFR0, 16, 1, true},
	{"asimdhp", 0, 10, PFR0, 20, 1, true},
	{"aes", 0, 3, ISAR0, 4, 1, false},
	{"pmull", 0, 4, ISAR0, 4, 2, false},
	{"sha1", 0, 5, ISAR0, 8, 1, false},
	{"sha2", 0, 6, ISAR0, 12, 1, false},
	{"sha512", 0, 21, ISAR0, 12, 2, false},
	{"crc32", 0, 7, ISAR0, 16, 1, false},
	{"atomics", 0, 8, ISAR0, 20, 2, false},
	{"asimdrdm", 0, 12, ISAR0, 28, 1, false},
	{"sha3", 0, 17, ISAR0, 32, 1, false},
	{"sm3", 0, 18, ISAR0, 36, 1, false},
	{"sm4", 0, 19, ISAR0, 40, 1, false},
	{"asimddp", 0, 20, ISAR0, 44, 1, false},
	{"asimdfhm", 0, 23, ISAR0, 48, 1, false},
	{"flagm", 0, 27, ISAR0, 52, 1, false},
	{"flagm2", 1, 7, ISAR0, 52, 2, false},
	{"dcpop", 0, 16, ISAR1, 0, 1, false},
	{"dcpodp", 1, 0, ISAR1, 0, 2, false},
	{"jscvt", 0, 13, ISAR1, 12, 1, false},
	{"fcma", 0, 14, ISAR1, 16, 1, false},
	{"lrcpc", 0, 15, ISAR1, 20, 1, false},
	{"ilrcpc", 0, 26, ISAR1, 20, 2, false},
	{"frint", 1, 8, ISAR1, 32, 1, false},
	{"sb", 0, 29, ISAR1, 36, 1, false},
	{"bf16", 1, 14, ISAR1, 44, 1, false},
	{"i8mm", 1, 13, ISAR1, 52, 1, false},
	{"dit", 0, 24, PFR0, 48, 1, false},
	{"ssbs", 0, 28, PFR1, 4, 2, false},
	{"uscat", 0, 25, MMFR2, 32, 1, false},
};
/* clang-format on */
#define FEATURES (sizeof(features) / sizeof(features[0]))

#define HWCAP_EVTSTRM (1u << 2)
#define HWCAP_CPUID   (1u << 11)

const char *cpu_hwcap_name(unsigned bit)
{
	if (bit < 32 && 1u << bit == HWCAP_EVTSTRM)
		return "evtstrm";
	if (bit < 32 && 1u << bit == HWCAP_CPUID)
		return "cpuid";
	for (size_t i = 0; i < FEATURES; i++) {
		if (features[i].word == bit / 64 && features[i].bit == bit % 64)
			return features[i].name;
	}
	return NULL;
}

static uint64_t reg_value(const struct cpu_id_regs *id, enum id_reg reg)
{
	switch (reg) {
	case PFR0: return id->pfr0;
	case PFR1: return id->pfr1;
	case ISAR0: return id->isar0;
	case ISAR1: return id->isar1;
	case MMFR2: return id->mmfr2;
	}
	return 0;
}

static bool has(const struct cpu_id_regs *id, const struct feature *f)
{
	int field = reg_value(id, f->reg) >> f->shift & 15;

	if (f->is_signed && field > 7)
		field -= 16;
	return field >= f->min;
}

bool cpu_hwcap(const struct cpu_engine *e, uint64_t *hwcap, uint64_t *hwcap2)
{
	struct cpu_id_regs id;
	uint64_t word[2] = {0, 0};
	size_t i;

	*hwcap = *hwcap2 = 0;
	if (!e->id_regs(&id))
		return false;
	for (i = 0; i < FEATURES; i++) {
		if (has(&id, &features[i]))
			word[features[i].word] |= 1ull << features[i].bit;
	}
	/* WFE never sleeps for good in an engine, which is what EVTSTRM promises. */
	*hwcap = (word[0] | HWCAP_EVTSTRM | HWCAP_CPUID) & abi_profile->hwcap_mask;
	*hwcap2 = word[1] & abi_profile->hwcap2_mask;
	return true;
}

/* The fields that the profile's kernel knows. */
static uint64_t known_fields(enum id_reg reg)
{
	switch (reg) {
	case PFR0: return abi_profile->pfr0_mask;
	case PFR1: return abi_profile->pfr1_mask;
	case ISAR0: return abi_profile->isar0_mask;
	case ISAR1: return abi_profile->isar1_mask;
	case MMFR2: return abi_profile->mmfr2_mask;
	}
	return 0;
}

/* A register with the fields of the table alone; all others as the kernel shows them, 0. */
static uint64_t user_view(const struct cpu_id_regs *id, enum id_reg reg)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < FEATURES; i++) {
		const struct feature *f = &features[i];
		uint64_t field = value >> f->shift & 15;

		if (f->reg == reg && has(id, f) && (uint64_t)f->min > field)
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
	value |= (id->pfr0 & PFR0_NO_FP) == PFR0_NO_FP ? PFR0_NO_FP : 0;
	value |= (id->pfr0 & PFR0_NO_ASIMD) == PFR0_NO_ASIMD ? PFR0_NO_ASIMD : 0;
	return value;
}

bool cpu_emulate_mrs(const struct cpu_engine *e, uint32_t insn, unsigned *rt, uint64_t *value)
{
	struct cpu_id_regs id;
	struct insn_sys sys;
	unsigned crm;

	/* The space that the kernel emulates: op0 3, op1 0, CRn 0, CRm 0 and 4 to 7. */
	if (!insn_sys(insn, &sys) || !sys.read || sys.id >> 7 != SYS_REG(3, 0, 0, 0, 0) >> 7)
		return false;
	crm = sys.id >> 3 & 15;
	if ((crm != 0 && crm < 4) || crm > 7 || !e->id_regs(&id))
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
