/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What A64 instructions do to memory, decoded for fault reports: engines tell the faulting page, the
 * kernel's signal frame needs the exact address.
 */
#ifndef CPU_INSN_H
#define CPU_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

/* One load or store. All A64 accesses outside SVE touch one contiguous range. */
struct insn_access {
	uint64_t addr; /* first byte, tag included, not wrapped to 32 bits */
	uint32_t size; /* bytes */
	bool store;    /* writes memory (atomics: reads and writes) */
	bool aligned;  /* exclusive, atomic or acquire/release: a misaligned address faults */
};

/* If INSN, executed in state S, is a load, store, atomic or DC ZVA, describes the access. */
bool insn_access(uint32_t insn, const struct cpu_state *s, struct insn_access *a);

/* Whether INSN reads and writes memory in one: CAS, CASP, LDADD, SWP and their kind. */
bool insn_is_rmw(uint32_t insn);

/* The fields of MRS, MSR (register), SYS and SYSL. ID is op0:op1:CRn:CRm:op2 as in SYS_REG(). */
struct insn_sys {
	bool read;
	unsigned rt;
	uint32_t id;
};

#define SYS_REG(op0, op1, crn, crm, op2)                                                        \
 ((uint32_t)(op0) << 14 | (uint32_t)(op1) << 11 | (uint32_t)(crn) << 7 | (uint32_t)(crm) << 3 | \
  (uint32_t)(op2))

/* Cache maintenance that user code may execute (SCTLR_EL1.UCI). */
#define SYS_IC_IVAU  SYS_REG(1, 3, 7, 5, 1)
#define SYS_DC_ZVA   SYS_REG(1, 3, 7, 4, 1)
#define SYS_DC_CVAC  SYS_REG(1, 3, 7, 10, 1)
#define SYS_DC_CVAU  SYS_REG(1, 3, 7, 11, 1)
#define SYS_DC_CVAP  SYS_REG(1, 3, 7, 12, 1)
#define SYS_DC_CVADP SYS_REG(1, 3, 7, 13, 1)
#define SYS_DC_CIVAC SYS_REG(1, 3, 7, 14, 1)

bool insn_sys(uint32_t insn, struct insn_sys *sys);

#endif
