/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signal frame on the guest's stack: building it, and rt_sigreturn. Layout and checks:
 * kernel 4.14 ILP32, arch/arm64/kernel/signal.c and signal_ilp32.c, byte for byte as recorded in
 * tests/oracle/frame.out. What the kernel does not write keeps its old content.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "abi/host_task.h"
#include "abi/structs.h"
#include "signal/host.h"
#include "task/task.h"

/* struct rt_sigframe from its start; what follows abi_frame_mcontext() is a sigcontext, the same in both ABIs. */
enum {
	F_INFO = 0,
	F_UC = sizeof(struct host_siginfo),
	M_REGS = offsetof(struct host_sigcontext, regs),
	M_SP = offsetof(struct host_sigcontext, sp),
	M_PC = offsetof(struct host_sigcontext, pc),
	M_PSTATE = offsetof(struct host_sigcontext, pstate),
	M_END = offsetof(struct host_sigcontext, pad), /* what is written of it */
	M_RECORDS = offsetof(struct host_sigcontext, records),
};
#define RECORDS_SIZE sizeof(((struct host_sigcontext *)0)->records)
#define FRAME_MAX    0x10000u /* SIGFRAME_MAXSZ: with an extra block */

enum {
	MAGIC_FPSIMD = 0x46508001,
	MAGIC_ESR = 0x45535201,
	MAGIC_EXTRA = 0x45585401,
};
enum {
	HEADER = sizeof(struct host_aarch64_ctx),
	SIZE_FPSIMD = sizeof(struct host_fpsimd_context),
	SIZE_ESR = sizeof(struct host_esr_context),
	SIZE_EXTRA = sizeof(struct host_extra_context),
	SIZE_TERMINATOR = 16,
};

#define PSTATE_NZCV 0xf0000000u
/* SPSR_EL1 bits that are cleared before the check: 63:32, 27:22, 20:10, 5. */
#define PSTATE_RES0 0xffffffff0fdffc20ull
#define PSTATE_SS   (1u << 21) /* cleared unless the thread is single-stepped */

/* --- guest memory; stack pointers have 64 bits ------------------------------------------------------ */

static bool in_space(uint64_t addr, uint64_t n)
{
	return addr <= MEM_SPACE && n <= MEM_SPACE - addr;
}

static bool put(uint64_t addr, const void *src, size_t n)
{
	return in_space(addr, n) && mem_copy_out((gaddr)addr, src, n) == 0;
}

static bool get(void *dst, uint64_t addr, size_t n)
{
	return in_space(addr, n) && mem_copy_in(dst, (gaddr)addr, n) == 0;
}

/* --- the alternate stack --------------------------------------------------------------------------- */

bool frame_on_altstack(const struct task *t, uint64_t sp)
{
	const struct sig_altstack *a = &t->sig.alt;

	if (a->flags & GSS_AUTODISARM)
		return false;
	return sp > a->sp && sp - a->sp <= a->size;
}

static uint32_t altstack_flags(const struct task *t, uint64_t sp)
{
	if (!t->sig.alt.size)
		return GSS_DISABLE;
	return frame_on_altstack(t, sp) ? GSS_ONSTACK : 0;
}

int64_t signal_altstack(struct task *t, const struct sig_altstack *new, struct sig_altstack *old,
			bool have_new)
{
	struct sig_altstack *a = &t->sig.alt;
	uint64_t sp = t->regs.sp;

	if (old)
		*old = (struct sig_altstack){
			.sp = a->sp,
			.size = a->size,
			.flags = altstack_flags(t, sp) | (a->flags & GSS_AUTODISARM),
		};
	if (!have_new)
		return 0;
	if (frame_on_altstack(t, sp))
		return -EPERM;
	if (abi_profile->altstack_no_change &&
	    new->sp == a->sp &&new->size == a->size &&new->flags == a->flags)
		return 0;
	switch (new->flags & ~GSS_AUTODISARM) {
	case GSS_DISABLE: *a = (struct sig_altstack){.flags = new->flags}; return 0;
	case 0:
	case GSS_ONSTACK:
		if (new->size < abi_profile->min_sigstack)
			return -ENOMEM;
		*a = *new;
		return 0;
	default: return -EINVAL;
	}
}

/* --- building ---------------------------------------------------------------------------------------- */

static void fill_mcontext(uint8_t b[M_END], const struct task *t)
{
	const struct cpu_state *r = &t->regs;

	abi_put64(b, t->sig.fault_address);
	for (unsigned i = 0; i < 31; i++)
		abi_put64(b + M_REGS + i * 8, r->x[i]);
	abi_put64(b + M_SP, r->sp);
	abi_put64(b + M_PC, r->pc);
	abi_put64(b + M_PSTATE, r->pstate);
}

/* The records that end with the terminator; the number of bytes written. */
static unsigned fill_records(uint8_t b[SIZE_FPSIMD + SIZE_ESR + HEADER], const struct task *t)
{
	struct host_fpsimd_context fp = {
		.head = {MAGIC_FPSIMD, SIZE_FPSIMD}, .fpsr = t->regs.fpsr, .fpcr = t->regs.fpcr};
	const struct host_esr_context esr = {{MAGIC_ESR, SIZE_ESR}, t->sig.fault_esr};
	unsigned n = SIZE_FPSIMD;

	for (unsigned i = 0; i < 32; i++) {
		fp.vregs[2 * i] = t->regs.v[i].lo;
		fp.vregs[2 * i + 1] = t->regs.v[i].hi;
	}
	abi_to_guest(&abi_st_fpsimd_context, b, &fp);
	if (t->sig.fault_esr) {
		abi_to_guest(&abi_st_esr_context, b + n, &esr);
		n += SIZE_ESR;
	}
	abi_put64(b + n, 0);
	return n + HEADER;
}

static bool write_frame(const struct task *t, uint64_t frame, uint64_t record,
			const struct host_siginfo *info, uint64_t mask)
{
	uint8_t head[ABI_MAX_SIZE + 32], mcontext[M_END];
	uint8_t records[SIZE_FPSIMD + SIZE_ESR + HEADER], fp[FRAME_RECORD], si[128];
	const struct host_stack alt = {.ss_sp = t->sig.alt.sp,
				       .ss_flags = (int)t->sig.alt.flags,
				       .ss_size = t->sig.alt.size};
	unsigned mask_at = abi_frame_mask() - F_UC;

	memset(head, 0, abi_frame_stack() - F_UC); /* uc_flags, uc_link */
	abi_to_guest(&abi_st_stack_t, head + abi_frame_stack() - F_UC, &alt);
	abi_put64(head + mask_at, mask);
	fill_mcontext(mcontext, t);
	abi_put64(fp, t->regs.x[29]);
	abi_put64(fp + 8, t->regs.x[30]);
	return put(record, fp, sizeof(fp)) && put(frame + F_UC, head, mask_at + 8) &&
	       put(frame + abi_frame_mcontext(), mcontext, sizeof(mcontext)) &&
	       put(frame + abi_frame_mcontext() + M_RECORDS, records, fill_records(records, t)) &&
	       (!info || put(frame + F_INFO, si, signal_info_to_guest(si, info)));
}

bool frame_push(struct task *t, const struct host_siginfo *info, const struct sig_action *action,
		uint64_t mask)
{
	struct cpu_state *r = &t->regs;
	bool with_info = action->flags & GSA_SIGINFO;
	uint64_t top = r->sp, record, frame;

	if ((action->flags & GSA_ONSTACK) && !altstack_flags(t, r->sp))
		top = (uint64_t)t->sig.alt.sp + t->sig.alt.size;
	record = (top - FRAME_RECORD) & ~15ull;
	frame = record - FRAME_SIZE;
	if (!in_space(frame, top - frame))
		return false;
	if (!write_frame(t, frame, record, with_info ? info : NULL, mask))
		return false;
	if (t->sig.alt.flags & GSS_AUTODISARM)
		t->sig.alt = (struct sig_altstack){.flags = GSS_DISABLE};
	r->x[0] = (uint64_t)info->si_signo;
	if (with_info) {
		r->x[1] = frame + F_INFO;
		r->x[2] = frame + F_UC;
	}
	r->x[29] = record;
	r->x[30] = t->process->sigreturn;
	if ((action->flags & GSA_RESTORER) && abi_profile->sa_restorer_honoured)
		r->x[30] = action->restorer;
	r->sp = frame;
	r->pc = action->handler;
	return true;
}

/* --- rt_sigreturn -------------------------------------------------------------------------------------- */

/* The record area while it is read: it may go on in an extra block. */
struct reader {
	uint64_t base, limit, offset; /* bytes */
	uint64_t frame;
	uint64_t fpsimd; /* address of that record, 0: none yet */
	bool extra;
};

/* An EXTRA record at RD->offset: the terminator behind it, then the block itself. */
static bool enter_extra(struct reader *rd, uint32_t size)
{
	struct host_extra_context extra;
	uint8_t b[SIZE_EXTRA], end[HEADER];
	uint64_t data, here;
	uint32_t length;

	if (rd->extra || size < SIZE_EXTRA || !get(b, rd->base + rd->offset, sizeof(b)))
		return false;
	abi_to_host(&abi_st_extra_context, &extra, b);
	data = extra.datap;
	length = extra.size;
	rd->offset += size;
	if (rd->limit - rd->offset < SIZE_TERMINATOR ||
	    !get(end, rd->base + rd->offset, sizeof(end)) || abi_get64(end))
		return false;
	here = rd->base + rd->offset + SIZE_TERMINATOR;
	if (data & 15 || length & 15 || data != here || length > rd->frame + FRAME_MAX - here ||
	    !in_space(here, length))
		return false;
	rd->extra = true;
	rd->base = data;
	rd->limit = length;
	rd->offset = 0;
	return true;
}

/* Walks the records. False for every reason for which the kernel's
 * parse_user_sigframe() finds the frame bad. */
static bool parse_records(struct reader *rd)
{
	for (;;) {
		uint8_t b[HEADER];
		uint32_t magic, size;

		if (rd->limit - rd->offset < HEADER || rd->offset & 15 ||
		    !get(b, rd->base + rd->offset, HEADER))
			return false;
		magic = abi_get32(b);
		size = abi_get32(b + 4);
		if (rd->limit - rd->offset < size)
			return false;
		switch (magic) {
		case 0: return size == 0;
		case MAGIC_FPSIMD:
			if (rd->fpsimd || size != SIZE_FPSIMD)
				return false;
			rd->fpsimd = rd->base + rd->offset;
			break;
		case MAGIC_ESR: break;
		case MAGIC_EXTRA:
			if (!enter_extra(rd, size))
				return false;
			continue;
		default: return false;
		}
		if (size < HEADER)
			return false;
		rd->offset += size;
	}
}

static bool restore_fpsimd(struct cpu_state *r, uint64_t addr)
{
	struct host_fpsimd_context fp;
	uint8_t b[SIZE_FPSIMD];

	if (!addr || !get(b, addr, sizeof(b)))
		return false;
	abi_to_host(&abi_st_fpsimd_context, &fp, b);
	r->fpsr = fp.fpsr;
	r->fpcr = fp.fpcr;
	for (unsigned i = 0; i < 32; i++) {
		r->v[i].lo = fp.vregs[2 * i];
		r->v[i].hi = fp.vregs[2 * i + 1];
	}
	return true;
}

/* valid_user_regs(): an illegal state makes the frame bad and is made legal. */
static bool legalize_pstate(struct cpu_state *r)
{
	uint64_t p = r->pstate & ~PSTATE_RES0 & ~(uint64_t)PSTATE_SS;

	r->pstate = p & PSTATE_NZCV;
	return !(p & ~(uint64_t)PSTATE_NZCV); /* mode EL0t, D A I F clear */
}

static bool restore_registers(struct cpu_state *r, uint64_t frame)
{
	uint8_t b[M_END - M_REGS];

	if (!get(b, frame + abi_frame_mcontext() + M_REGS, sizeof(b)))
		return false;
	for (unsigned i = 0; i < 31; i++)
		r->x[i] = abi_get64(b + i * 8);
	r->sp = abi_get64(b + M_SP - M_REGS);
	r->pc = abi_get64(b + M_PC - M_REGS);
	r->pstate = abi_get64(b + M_PSTATE - M_REGS);
	return legalize_pstate(r);
}

enum frame_return { FRAME_GOOD, FRAME_BAD, FRAME_AGAIN };

/* The kernel restores in place, so the context of a bad frame's SIGSEGV is half the new one. */
static enum frame_return pop(struct task *t, uint64_t frame)
{
	uint8_t mask[8], raw[ABI_MAX_SIZE];
	struct host_stack alt;
	struct sig_altstack new;
	struct reader rd = {.base = frame + abi_frame_mcontext() + M_RECORDS,
			    .limit = RECORDS_SIZE,
			    .frame = frame};

	if (frame & 15 || !in_space(frame, FRAME_SIZE))
		return FRAME_BAD;
	if (!get(mask, frame + abi_frame_mask(), sizeof(mask)))
		return FRAME_BAD;
	if (!signal_set_mask(t, abi_get64(mask)))
		return FRAME_AGAIN;
	if (!restore_registers(&t->regs, frame) || !parse_records(&rd) ||
	    !restore_fpsimd(&t->regs, rd.fpsimd) ||
	    !get(raw, frame + abi_frame_stack(), abi_st_stack_t.gsize))
		return FRAME_BAD;
	abi_to_host(&abi_st_stack_t, &alt, raw);
	new = (struct sig_altstack){.sp = (gaddr)alt.ss_sp,
				    .size = (uint32_t)alt.ss_size,
				    .flags = (uint32_t)alt.ss_flags};
	signal_altstack(t, &new, NULL, true); /* all but EFAULT is ignored */
	return FRAME_GOOD;
}

void signal_return(struct task *t)
{
	uint64_t frame = t->regs.sp;

	t->sig.restart = NULL;
	switch (pop(t, frame)) {
	case FRAME_GOOD: break;
	case FRAME_AGAIN:
		/* A signal came before the mask changed: it is delivered as if before the svc. */
		t->regs.pc -= 4;
		break;
	case FRAME_BAD:
		t->regs.x[0] = 0; /* the result of the failed call */
		signal_force_bad_frame(t, frame);
		break;
	}
}
