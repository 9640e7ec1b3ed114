/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of a guest thread; for C and C++. */
#ifndef CPU_STATE_H
#define CPU_STATE_H

#include <stdint.h>

struct cpu_vreg {
	uint64_t lo, hi;
};

/* The user-visible state of one guest thread. All widths are architectural. */
struct cpu_state {
	uint64_t x[31];
	uint64_t sp;
	uint64_t pc;
	uint64_t pstate; /* NZCV in bits 31:28, the rest as in SPSR_EL1 for EL0t: 0 */
	uint64_t tpidr;  /* TPIDR_EL0 */
	struct cpu_vreg v[32];
	uint32_t fpcr, fpsr;
};

#endif
