/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine, shared by its files. */
#ifndef CPU_DYNARMIC_BOX_H
#define CPU_DYNARMIC_BOX_H

#include <stdatomic.h>

#include "cpu/cpu.h"
#include "cpu/dynarmic/jit.h"
#include "lock.h"

#define BOX_MAX   64
#define BOX_QUEUE 16

struct emulated;

/* One guest thread. */
struct dyn {
	struct cpu cpu;
	struct box *_Atomic box; /* whose registers are this thread's; NULL: they are in STATE */
	struct cpu_state state;
	atomic_bool kicked; /* a kick not yet answered by a stop */
	bool slow;          /* the Unicorn instance executes an instruction for this thread */
};

/* Translated code and the registers of one thread. */
struct box {
	struct jit *jit;
	/* The struct dyn whose registers these are, or 0; BOX_BUSY: somebody uses the box, for it. */
	_Atomic uintptr_t owner;
	atomic_bool yield; /* a waiter's time slice is over */
	uint64_t tpidr;
	struct jit_monitor monitor;

	/* Of the thread inside jit_run(), for its callbacks. */
	struct dyn *runner;
	struct cpu_stop stop; /* JIT_STOP */

	/* Instructions that are done by emulate.c: the number of the svc in their place is the index. */
	struct emulated *emulated;
	unsigned nemulated, room;

	/* Changes of guest code that this box has yet to apply. */
	struct own_lock queue_lock;
	atomic_bool queued;
	unsigned nqueue;
	bool queue_all;
	struct {
		uint64_t start, end;
	} queue[BOX_QUEUE];
};

#define BOX_BUSY 1u
#define BOX_DEAD ((uintptr_t)3) /* left in the middle by a thread that is no more */

static inline struct dyn *dyn_of(struct cpu *c)
{
	return (struct dyn *)c;
}

/* --- load.c */
extern const struct jit_module *jit;

/* --- box.c */
/* A box with D's registers, for D alone. NULL: none before D was kicked, or out of memory (*FAILED). */
struct box *box_enter(struct dyn *d, bool *failed);
/* The registers stay until somebody else needs the box. */
void box_leave(struct dyn *d, struct box *b);
/* The same if D's registers are in a box; NULL: they are in D->state. */
struct box *box_hold(struct dyn *d);
/* D's registers leave their box for good; they are lost. */
void box_forget(struct dyn *d);
/* Whether there is a box at all, made now if not. */
bool box_first(void);
void box_changed(uint64_t start, uint64_t len);
void box_apply(struct box *b);
void box_halt(struct dyn *d, uint32_t reason);
void box_abandon(struct dyn *d);
void box_before_fork(void);
void box_after_fork(bool child, struct dyn *keep);

/* --- emulate.c */
/* What to translate in place of INSN. */
uint32_t emulate_word(struct box *b, uint32_t insn);
/* An svc with number IMM in generated code. */
void emulate_svc(void *owner, uint32_t imm);
/* As jit_callbacks has it. */
bool emulate_in_line(void *owner, uint32_t imm, struct jit_inline *what);
/* Whether INSN, at the pc of B, was done (true, pc behind it, or JIT_STOP's stop in b->stop and
 * *STOPPED), for stepping. */
bool emulate_one(struct box *b, uint32_t insn, bool *stopped);

/* --- access.c */
void access_load(void *owner, uint64_t addr, unsigned size, void *value);
void access_store(void *owner, uint64_t addr, unsigned size, const void *value);
/* The first fault of an access of SIZE bytes at ADDR (tag included). False: there is none. */
bool access_fault(uint64_t addr, uint64_t size, enum mem_access access, struct cpu_stop *s);

/* --- slow.c */
/* Executes the instruction at S->pc on a Unicorn instance. */
void slow_step(struct dyn *d, struct cpu_state *s, struct cpu_stop *stop);
void slow_changed(gaddr start, uint64_t len, unsigned what);
bool slow_host_fault(gaddr a, enum mem_access access, enum mem_fault fault, void *context);
void slow_before_fork(void);
void slow_after_fork(bool child);

#endif
