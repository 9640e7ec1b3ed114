/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPUs can have or lack, and the CPU that the guest shall see: features.c and model.c. */
#ifndef CPU_FEATURES_H
#define CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"

/* Instead of an ID register: shows nowhere but in AT_HWCAP, being the kernel's own doing. */
#define KERNEL ID_REGS

#define CPU_ENCODINGS 14
#define CPU_FEATURES  64 /* at most */

struct cpu_feature {
	const char *name; /* in /proc/cpuinfo */
	uint8_t word;     /* AT_HWCAP (0) or AT_HWCAP2 (1) */
	uint8_t bit;      /* asm/hwcap.h of arm64 */
	uint8_t reg;      /* enum cpu_id_reg, or KERNEL */
	uint8_t shift;    /* the 4-bit field */
	int8_t min;       /* least value */
	bool is_signed;
	/* All of its instructions, and a few others: cpu_model_doubts(). */
	struct {
		uint32_t mask, value;
	} encodings[CPU_ENCODINGS];
};

extern const struct cpu_feature cpu_features[];
extern const size_t cpu_feature_count;

/* Whether registers ID tell of F. */
bool cpu_has(const struct cpu_id_regs *id, const struct cpu_feature *f);

/* --- model.c */

/* Whether the CPU chosen has feature I of the table, if an engine has it. */
bool cpu_model_has(size_t i);
/* Whether it lacks something, so that engines must look at instructions. */
bool cpu_model_lacks(void);
/* Whether INSN may be one of a feature that the CPU chosen lacks. An engine that cannot leave instructions out
 * hands it over to one that can. */
bool cpu_model_doubts(uint32_t insn);
/* Takes from the registers of an engine what the CPU chosen lacks, and puts its name in. */
void cpu_model_limit(struct cpu_id_regs *id);
/* A feature that was asked for by name and that ID has not, or NULL. ID is what the engine has. */
const char *cpu_model_unmet(const struct cpu_id_regs *id);

#endif
