/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Unicorn engine: registers. */
#include "cpu/insn.h"
#include "cpu/unicorn_vm.h"

#define NZCV      0xf0000000u
#define PSTATE_SS (1u << 21)

enum { STATE_X = 31, STATE_V = 32, STATE_OTHER = 5 };
#define STATE_REGS (STATE_X + STATE_V + STATE_OTHER)

/* Not const: the type of uc_reg_read_batch()'s parameter has changed between versions. */
static int state_regs[STATE_REGS];
static int arg_regs[9];

static int xreg_id(unsigned n)
{
	if (n < 29)
		return UC_ARM64_REG_X0 + (int)n;
	return n == 29 ? UC_ARM64_REG_X29 : UC_ARM64_REG_X30;
}

__attribute__((constructor)) static void init_ids(void)
{
	static const int other[STATE_OTHER] = {UC_ARM64_REG_SP, UC_ARM64_REG_PSTATE,
					       UC_ARM64_REG_TPIDR_EL0, UC_ARM64_REG_FPCR,
					       UC_ARM64_REG_FPSR};
	unsigned i;

	for (i = 0; i < STATE_X; i++)
		state_regs[i] = xreg_id(i);
	for (i = 0; i < STATE_V; i++)
		state_regs[STATE_X + i] = UC_ARM64_REG_Q0 + (int)i;
	for (i = 0; i < STATE_OTHER; i++)
		state_regs[STATE_X + STATE_V + i] = other[i];
	for (i = 0; i < 9; i++)
		arg_regs[i] = xreg_id(i);
}

static void state_pointers(void **p, struct cpu_state *s, uint32_t *pstate)
{
	unsigned i;

	for (i = 0; i < STATE_X; i++)
		*p++ = &s->x[i];
	for (i = 0; i < STATE_V; i++)
		*p++ = &s->v[i];
	*p++ = &s->sp;
	*p++ = pstate;
	*p++ = &s->tpidr;
	*p++ = &s->fpcr;
	*p++ = &s->fpsr;
}

void vm_read_state(struct vm *vm, struct cpu_state *s)
{
	void *p[STATE_REGS];
	uint32_t pstate = 0;

	state_pointers(p, s, &pstate);
	uc_reg_read_batch(vm->uc, state_regs, p, STATE_REGS);
	s->pstate = pstate & NZCV;
	s->pc = vm_pc(vm);
}

void vm_write_state(struct vm *vm, const struct cpu_state *s)
{
	struct cpu_state copy = *s;
	uint32_t pstate = s->pstate & NZCV; /* mode bits 0: EL0t */
	void *p[STATE_REGS];

	state_pointers(p, &copy, &pstate);
	uc_reg_write_batch(vm->uc, state_regs, p, STATE_REGS);
}

uint64_t vm_xreg(struct vm *vm, unsigned n)
{
	uint64_t value = 0;

	if (n < 31)
		uc_reg_read(vm->uc, xreg_id(n), &value);
	return value;
}

void vm_set_xreg(struct vm *vm, unsigned n, uint64_t value)
{
	if (n < 31)
		uc_reg_write(vm->uc, xreg_id(n), &value);
}

uint64_t vm_pc(struct vm *vm)
{
	uint64_t pc = 0;

	uc_reg_read(vm->uc, UC_ARM64_REG_PC, &pc);
	return pc;
}

/*
 * Writing PC through uc_reg_write() inside a hook makes Unicorn leave and re-enter its inner loop and
 * forget a stop request on the way: a kick could be lost. Replacing the context as a whole does not.
 */
void vm_set_pc(struct vm *vm, uint64_t pc)
{
	uc_context_save(vm->uc, vm->ctx);
	uc_context_reg_write(vm->ctx, UC_ARM64_REG_PC, &pc);
	uc_context_restore(vm->uc, vm->ctx);
}

void vm_read_args(struct vm *vm, uint64_t x[9])
{
	void *p[9];
	unsigned i;

	for (i = 0; i < 9; i++)
		p[i] = &x[i];
	uc_reg_read_batch(vm->uc, arg_regs, p, 9);
}

static uc_arm64_cp_reg cp_reg(uint32_t id, uint64_t value)
{
	return (uc_arm64_cp_reg){.op0 = id >> 14,
				 .op1 = id >> 11 & 7,
				 .crn = id >> 7 & 15,
				 .crm = id >> 3 & 15,
				 .op2 = id & 7,
				 .val = value};
}

bool vm_sysreg(struct vm *vm, uint32_t id, uint64_t *value)
{
	uc_arm64_cp_reg r = cp_reg(id, 0);

	if (uc_reg_read(vm->uc, UC_ARM64_REG_CP_REG, &r) != UC_ERR_OK)
		return false;
	*value = r.val;
	return true;
}

bool vm_set_sysreg(struct vm *vm, uint32_t id, uint64_t value)
{
	uc_arm64_cp_reg r = cp_reg(id, value);

	return uc_reg_write(vm->uc, UC_ARM64_REG_CP_REG, &r) == UC_ERR_OK;
}

#define SCR_EL3          SYS_REG(3, 6, 1, 1, 0)
#define SCTLR_EL1        SYS_REG(3, 0, 1, 0, 0)
#define CPACR_EL1        SYS_REG(3, 0, 1, 0, 2)
#define TCR_EL1          SYS_REG(3, 0, 2, 0, 2)
#define CNTKCTL_EL1      SYS_REG(3, 0, 14, 1, 0)
#define MDSCR_EL1        SYS_REG(2, 0, 0, 2, 2)
#define PMUSERENR_EL0    SYS_REG(3, 3, 9, 14, 0)
#define SCR_RW           (1u << 10) /* EL1 is AArch64 */
#define SCTLR_DZE        (1u << 14)
#define SCTLR_UCT        (1u << 15)
#define SCTLR_NTWI       (1u << 16)
#define SCTLR_NTWE       (1u << 18)
#define SCTLR_RES1       0x30500800u /* bits 29, 28, 22, 20, 11 */
#define CPACR_FPEN       (3u << 20)
#define TCR_TBI0         (1ull << 37)
#define CNTKCTL_EL0VCTEN (1u << 1)

/*
 * Unlike Linux, SCTLR_EL1.UCI is off: the cache maintenance instructions then trap and are done in
 * software (unicorn.c), which drops the translations and gives the faults of unmapped addresses. The
 * MMU bit stays off too, look-ups are the virtual TLB's.
 */
bool vm_enter_el0(struct vm *vm)
{
	uint32_t pstate = 0;

	/* The write of a system register after it makes Unicorn notice the new level. */
	return uc_reg_write(vm->uc, UC_ARM64_REG_PSTATE, &pstate) == UC_ERR_OK &&
	       vm_set_sysreg(vm, SCR_EL3, SCR_RW) &&
	       vm_set_sysreg(vm, SCTLR_EL1,
			     SCTLR_RES1 | SCTLR_DZE | SCTLR_UCT | SCTLR_NTWI | SCTLR_NTWE) &&
	       vm_set_sysreg(vm, CPACR_EL1, CPACR_FPEN) && vm_set_sysreg(vm, TCR_EL1, TCR_TBI0) &&
	       vm_set_sysreg(vm, CNTKCTL_EL1, CNTKCTL_EL0VCTEN) &&
	       vm_set_sysreg(vm, PMUSERENR_EL0, 0);
}

void vm_set_step(struct vm *vm, bool on)
{
	uint32_t pstate = 0;

	uc_reg_read(vm->uc, UC_ARM64_REG_PSTATE, &pstate);
	pstate = on ? pstate | PSTATE_SS : pstate & ~PSTATE_SS;
	uc_reg_write(vm->uc, UC_ARM64_REG_PSTATE, &pstate);
	vm_set_sysreg(vm, MDSCR_EL1, on ? 1 : 0);
}

bool vm_step_done(struct vm *vm)
{
	uint32_t pstate = PSTATE_SS;

	/* The CPU clears the bit when it has executed the instruction. */
	uc_reg_read(vm->uc, UC_ARM64_REG_PSTATE, &pstate);
	return !(pstate & PSTATE_SS);
}
