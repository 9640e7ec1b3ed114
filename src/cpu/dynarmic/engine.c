/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine: running, stops, the engine interface. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/dynarmic/box.h"
#include "cpu/dynarmic/dl.h"
#include "cpu/dynarmic/dynarmic.h"
#include "cpu/insn.h"
#include "cpu/unicorn.h"
#include "mem/guard.h"

static uint64_t pc_of(struct dyn *d)
{
	struct box *b = box_hold(d);
	uint64_t pc = d->state.pc;

	if (b) {
		pc = cpu_untag(jit->pc(b->jit));
		box_leave(d, b);
	}
	return pc;
}

static void read_state(struct box *b, struct cpu_state *s)
{
	jit->get_state(b->jit, s);
	s->tpidr = b->tpidr;
	s->pc = cpu_untag(s->pc);
}

static void write_state(struct box *b, const struct cpu_state *s)
{
	jit->set_state(b->jit, s);
	b->tpidr = s->tpidr;
}

/* --- stops ---------------------------------------------------------------------------------------------- */

/* A load or store has failed. False: not any more. */
static bool aborted(struct box *b, struct cpu_stop *s)
{
	struct cpu_state state;
	struct insn_access a;

	read_state(b, &state);
	s->pc = state.pc;
	if (mem_get_u32((gaddr)s->pc, &s->insn) != 0 || !insn_access(s->insn, &state, &a))
		return false;
	return access_fault(a.addr, a.size, a.store ? MEM_WRITE : MEM_READ, s);
}

/* One instruction by Unicorn. False: done, go on. */
static bool slowly(struct dyn *d, struct box *b, struct cpu_stop *s)
{
	struct cpu_state state;

	read_state(b, &state);
	slow_step(d, &state, s);
	if (s->cause == CPU_STOP_STEP) {
		write_state(b, &state);
		return false;
	}
	return true;
}

/* One instruction that generated code has left to emulate.c. False: done, go on. */
static bool emulated(struct dyn *d, struct box *b, struct cpu_stop *s)
{
	uint64_t pc = cpu_untag(jit->pc(b->jit));
	uint32_t insn;
	bool stopped;

	if (mem_get_u32((gaddr)pc, &insn) != 0)
		return false; /* it is gone meanwhile, and faults when fetched */
	if (!emulate_one(b, insn, &stopped))
		return slowly(d, b, s);
	*s = b->stop;
	return stopped;
}

/* The system call in front of the pc. False: done, go on. */
static bool call(struct dyn *d, struct box *b, struct cpu_stop *s)
{
	uint64_t x[9], sp, pc = cpu_untag(jit->pc(b->jit));
	enum cpu_svc what;

	for (unsigned i = 0; i < 9; i++)
		x[i] = jit->x(b->jit, i);
	sp = cpu_untag(jit->x(b->jit, 31));
	/* Others may use the box meanwhile. */
	box_leave(d, b);
	/* A buffer on the stack below what was touched so far: see mem_strict(). */
	if (sp < MEM_SPACE && !mem_page_bits((gaddr)sp))
		mem_resolve(sp, MEM_WRITE);
	what = d->cpu.svc(d->cpu.task, x);
	s->pc = pc;
	if (what == CPU_SVC_FULL) {
		s->cause = CPU_STOP_SVC;
		return true;
	}
	b = box_hold(d);
	if (b) {
		jit->set_x(b->jit, 0, x[0]);
		box_leave(d, b);
	} else {
		d->state.x[0] = x[0];
	}
	if (what == CPU_SVC_DONE)
		return false;
	atomic_store(&d->kicked, false);
	s->cause = CPU_STOP_KICK;
	return true;
}

/* --- running ------------------------------------------------------------------------------------------ */

/* True: it stopped, *S says how. The box is left in every case. */
static bool run_box(struct dyn *d, struct box *b, struct cpu_stop *s)
{
	uint64_t pc = jit->pc(b->jit);
	bool stopped = false;
	uint32_t why;

	if (pc & 3) {
		*s = (struct cpu_stop){
			.cause = CPU_STOP_ALIGN, .pc = cpu_untag(pc), .access = MEM_EXEC};
		s->addr = s->pc;
		box_leave(d, b);
		return true;
	}
	box_apply(b);
	b->runner = d;
	why = jit->run(b->jit);
	if (why & JIT_SVC)
		return call(d, b, s);
	if (why & JIT_STOP) {
		*s = b->stop;
		stopped = true;
	} else if (why & JIT_ABORT) {
		stopped = aborted(b, s);
	} else if (why & JIT_SLOW) {
		stopped = slowly(d, b, s);
	} else if (why & JIT_EMULATE) {
		stopped = emulated(d, b, s);
	}
	box_leave(d, b);
	return stopped;
}

static void dyn_run(struct cpu *c, struct cpu_stop *s)
{
	struct dyn *d = dyn_of(c);
	struct box *b;
	bool failed, returned = true;

	memset(s, 0, sizeof(*s));
	for (;;) {
		if (atomic_exchange(&d->kicked, false)) {
			s->cause = CPU_STOP_KICK;
			s->pc = pc_of(d);
			return;
		}
		b = box_enter(d, &failed);
		if (failed) {
			s->cause = CPU_STOP_INTERNAL;
			s->pc = pc_of(d);
			s->text = "no memory for translations";
			return;
		}
		if (!b)
			continue;
		if (returned)
			b->monitor.bytes = 0; /* an exception return clears it */
		returned = false;
		/* A kick sees the box in use from now on; one that came before is seen here. */
		if (atomic_load(&d->kicked))
			box_leave(d, b);
		else if (run_box(d, b, s))
			return;
	}
}

#define SVC(insn) (((insn)&0xffe0001fu) == 0xd4000001u)

/* Stepping is not what this engine is for: Unicorn does it, but for what must be done here. */
static void step_box(struct dyn *d, struct box *b, struct cpu_stop *s)
{
	uint64_t pc = cpu_untag(jit->pc(b->jit));
	uint32_t insn = 0;
	bool stopped;

	b->runner = d;
	jit->set_pc(b->jit, pc);
	if (pc < MEM_SPACE && !(pc & 3) && mem_resolve(pc, MEM_EXEC) == MEM_OK &&
	    mem_get_u32((gaddr)pc, &insn) == 0) {
		if (SVC(insn)) {
			jit->set_pc(b->jit, pc + 4);
			if (!call(d, b, s)) {
				s->cause = CPU_STOP_STEP;
				s->pc = pc + 4;
			}
			return;
		}
		if (emulate_one(b, insn, &stopped)) {
			*s = (struct cpu_stop){.cause = CPU_STOP_STEP, .pc = pc + 4};
			if (stopped)
				*s = b->stop;
			box_leave(d, b);
			return;
		}
	}
	slowly(d, b, s);
	box_leave(d, b);
}

static void dyn_step(struct cpu *c, struct cpu_stop *s)
{
	struct dyn *d = dyn_of(c);
	struct box *b = NULL;
	bool failed = false;

	memset(s, 0, sizeof(*s));
	if (!atomic_load(&d->kicked))
		b = box_enter(d, &failed);
	if (b) {
		step_box(d, b, s);
		return;
	}
	s->pc = pc_of(d);
	s->cause = failed ? CPU_STOP_INTERNAL : CPU_STOP_KICK;
	s->text = failed ? "no memory for translations" : NULL;
	atomic_store(&d->kicked, false);
}

/* --- the interface -------------------------------------------------------------------------------------- */

static struct cpu *dyn_create(cpu_svc_fn *svc, void *task)
{
	struct dyn *d;
	const char *text;

	if (!dynarmic_load(&text) || !box_first())
		return NULL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	mem_strict();
	d->cpu.svc = svc;
	d->cpu.task = task;
	return &d->cpu;
}

static void dyn_destroy(struct cpu *c)
{
	box_forget(dyn_of(c));
	free(c);
}

static void dyn_kick(struct cpu *c)
{
	struct dyn *d = dyn_of(c);

	atomic_store(&d->kicked, true);
	box_halt(d, JIT_KICK);
}

static void dyn_get_state(struct cpu *c, struct cpu_state *s)
{
	struct dyn *d = dyn_of(c);
	struct box *b = box_hold(d);

	if (b) {
		read_state(b, s);
		box_leave(d, b);
	} else {
		*s = d->state;
		s->pc = cpu_untag(s->pc);
	}
}

static void dyn_set_state(struct cpu *c, const struct cpu_state *s)
{
	struct dyn *d = dyn_of(c);
	struct box *b = box_hold(d);

	if (b) {
		write_state(b, s);
		box_leave(d, b);
	} else {
		d->state = *s;
	}
}

static void dyn_changed(gaddr start, uint64_t len, unsigned what)
{
	/* Data is accessed under the host's own permissions. */
	if (what & MEM_CODE)
		box_changed(start, len);
	slow_changed(start, len, what);
}

static bool dyn_host_fault(struct cpu *c, uint64_t a, enum mem_access access, enum mem_fault fault,
			   void *context)
{
	struct dyn *d = dyn_of(c);
	struct box *b = atomic_load(&d->box);

	if (d->slow)
		return a < MEM_SPACE && slow_host_fault((gaddr)a, access, fault, context);
	if (!b || atomic_load(&b->owner) != ((uintptr_t)d | BOX_BUSY))
		return false;
	return jit->host_fault(b->jit, SIGSEGV, context, a < MEM_SPACE + MEM_GUARD);
}

static void dyn_abandon(struct cpu *c)
{
	box_abandon(dyn_of(c));
}

static void dyn_before_fork(void)
{
	box_before_fork();
	slow_before_fork();
}

static void dyn_after_fork(bool child, struct cpu *keep)
{
	slow_after_fork(child);
	box_after_fork(child, keep ? dyn_of(keep) : NULL);
}

/* What the library lacks is executed all the same, so the CPU is Unicorn's. */
static bool dyn_id_regs(struct cpu_id_regs *id)
{
	return cpu_unicorn.id_regs(id);
}

const struct cpu_engine cpu_dynarmic = {
	.name = "dynarmic",
	.parallel = true,
	.module = true,
	.loadable = dynarmic_dl_there,
	.load = dynarmic_load,
	.create = dyn_create,
	.destroy = dyn_destroy,
	.run = dyn_run,
	.step = dyn_step,
	.kick = dyn_kick,
	.get_state = dyn_get_state,
	.set_state = dyn_set_state,
	.changed = dyn_changed,
	.host_fault = dyn_host_fault,
	.abandon = dyn_abandon,
	.before_fork = dyn_before_fork,
	.after_fork = dyn_after_fork,
	.id_regs = dyn_id_regs,
};
