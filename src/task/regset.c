/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/regset.h"

#include <string.h>

#define NZCV 0xf0000000u

void regset_from_cpu(struct host_user_pt_regs *u, const struct cpu_state *s)
{
	memcpy(u->regs, s->x, sizeof u->regs);
	u->sp = s->sp;
	u->pc = s->pc;
	u->pstate = s->pstate;
}

void regset_to_cpu(struct cpu_state *s, const struct host_user_pt_regs *u)
{
	memcpy(s->x, u->regs, sizeof u->regs);
	s->sp = u->sp;
	s->pc = u->pc;
	s->pstate = u->pstate & NZCV;
}

void regset_fp_from_cpu(struct host_user_fpsimd_state *u, const struct cpu_state *s)
{
	memset(u, 0, sizeof *u);
	for (unsigned i = 0; i < 32; i++) {
		u->vregs[2 * i] = s->v[i].lo;
		u->vregs[2 * i + 1] = s->v[i].hi;
	}
	u->fpsr = s->fpsr;
	u->fpcr = s->fpcr;
}

void regset_fp_to_cpu(struct cpu_state *s, const struct host_user_fpsimd_state *u)
{
	for (unsigned i = 0; i < 32; i++) {
		s->v[i].lo = u->vregs[2 * i];
		s->v[i].hi = u->vregs[2 * i + 1];
	}
	s->fpsr = u->fpsr;
	s->fpcr = u->fpcr;
}
