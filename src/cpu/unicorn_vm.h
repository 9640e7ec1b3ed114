/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine, shared by its files: unicorn.c (creation, running, stops), unicorn_tlb.c
 * (look-ups and invalidation), unicorn_state.c (registers), unicorn_exit.c (exact stop requests).
 */
#ifndef CPU_UNICORN_VM_H
#define CPU_UNICORN_VM_H

#include <pthread.h>
#include <stdatomic.h>
#include <unicorn/unicorn.h>

#include "cpu/cpu.h"
#include "lock.h"

/* The page of the entry code: any above the arena, where no guest pointer goes by accident. */
#define VM_ENTRY_PAGE 0x0000e17723a4d000ull
/* Where it has a load for vm_exits_exact() to translate. */
#define VM_PROBE_OFFSET 16u

/* Changes of guest memory that this instance has yet to apply. */
#define VM_QUEUE 16
struct vm_change {
	uint64_t start, end;
	unsigned what;
};

/* A page taken out of the guest's way by a host fault, see vm_host_fault(). */
#define VM_ASIDE 8
struct vm_aside {
	gaddr page;
	void *kept; /* where the guest's page waits, in host memory */
};

/* Why the emulation was told to stop. NONE: a kick, a change to apply, or WFI. */
enum vm_reason { VM_NONE, VM_SVC_LEAVE, VM_SVC_FULL, VM_EXCEPTION, VM_MISALIGNED_PC, VM_STEPPED };

struct vm {
	struct cpu cpu;
	uc_engine *uc;
	uc_context *ctx;          /* scratch of vm_set_pc() */
	uint64_t pc;              /* the guest's, while not running */
	bool fine_tlb;            /* look-up entries cover 4 KiB and respect X (Unicorn >= 2.1.2) */
	bool starting;            /* the entry code runs */
	bool stepping;            /* one instruction only */
	bool by_block;            /* stop requests go through a hook in front of each block */
	bool tagged;              /* there are look-up entries of tagged addresses */
	bool permissive;          /* fetch look-ups are ours, to find translations */
	const int32_t *stop_word; /* negative: a stop is requested; NULL if unknown */
	/* Look-ups since the table has had so many entries; 0: its first size. */
	unsigned fills, tlb_entries;
	bool in_callback; /* inside the svc callback: the guest does not run */

	pthread_t runner;    /* who runs it, while running */
	atomic_bool running; /* inside uc_emu_start(), so uc_emu_stop() means something */
	atomic_bool kicked;  /* a kick not yet answered by a stop */

	enum vm_reason reason;
	uint32_t exception; /* Unicorn's number, for VM_EXCEPTION */

	/* The last look-up that failed; an access fault if the emulation then ended with an error. */
	uint64_t fault_page;
	enum mem_access fault_access;
	enum mem_fault fault;

	/* Host faults: the last one that was sent to the slow path and how often, those since the last
	 * stop that moved a page aside. */
	uint64_t retry_pc;
	unsigned retries;
	volatile unsigned asides;
	struct vm_aside aside[VM_ASIDE];
	gaddr host_addr;
	enum mem_access host_access;
	enum mem_fault host_kind;

	struct own_lock queue_lock;
	atomic_bool queued; /* something is in the queue */
	unsigned nqueue;
	bool queue_all; /* the queue overflowed: flush everything */
	struct vm_change queue[VM_QUEUE];
};

static inline struct vm *vm_of(struct cpu *c)
{
	return (struct vm *)c;
}

/* A function of the library that is no interface of it: there only if linked statically. */
#define VM_LIBRARY __attribute__((weak)) extern

/* --- unicorn.c */
/* Makes a running emulation stop soon, or look for a reason to. From any thread and signal handler. */
void vm_poke(struct vm *vm);

/* --- unicorn_fault.c */
bool vm_host_fault(struct cpu *c, uint64_t a, enum mem_access access, enum mem_fault fault,
		   void *context);
/* The guest's pages that faults moved aside come back. */
void vm_asides_back(struct vm *vm);

/* --- unicorn_tlb.c */
bool vm_tlb_init(struct vm *vm);
/* Drops all look-ups. */
void vm_flush_lookups(struct vm *vm);
/* Adds a change to the queue (any thread). */
void vm_queue(struct vm *vm, uint64_t start, uint64_t len, unsigned what);
/* Applies the queue; in the instance's own thread, never inside generated code. */
void vm_apply_queue(struct vm *vm);
/* Drops translations of [start, end) and look-ups of start's page. */
void vm_drop_code(struct vm *vm, uint64_t start, uint64_t end);

/* --- unicorn_state.c */
void vm_read_state(struct vm *vm, struct cpu_state *s); /* pc as Unicorn has it */
void vm_write_state(struct vm *vm, const struct cpu_state *s);
uint64_t vm_xreg(struct vm *vm, unsigned n);
void vm_set_xreg(struct vm *vm, unsigned n, uint64_t value);
uint64_t vm_pc(struct vm *vm);
/* Continues at PC after the hook that runs now, without leaving the emulation. */
void vm_set_pc(struct vm *vm, uint64_t pc);
void vm_read_args(struct vm *vm, uint64_t x[9]); /* x0..x8 */
/* Puts the CPU into the state Linux runs EL0 in. */
bool vm_enter_el0(struct vm *vm);
/* Architectural single-step: the next instruction ends in an exception. vm_step_done() says, when an
 * undefined-instruction exception came, whether it is that one. */
void vm_set_step(struct vm *vm, bool on);
bool vm_step_done(struct vm *vm);
bool vm_sysreg(struct vm *vm, uint32_t id, uint64_t *value);
bool vm_set_sysreg(struct vm *vm, uint32_t id, uint64_t value);

/* --- unicorn_places.c */
/* The word of an instance whose sign is the stop request; NULL if the library's code is not as known. */
const int32_t *vm_find_stop_word(uc_engine *uc);
/*
 * The flags of the block that context TCG generates, or NULL. Atomics are not atomic for others than the instance, unless
 * VM_PARALLEL is set in them (accel/tcg: CF_PARALLEL, parallel_cpus), which Unicorn has no call for. Guest threads run
 * one at a time, but memory may be shared with other processes.
 */
uint32_t *vm_find_flags(void *tcg);
#define VM_PARALLEL 0x80000u
/*
 * The ID registers that decide which instructions are translated (target/arm: ARMISARegisters), by their values ID; NULL
 * if unknown. They are read-only for the guest and for the calls of the library.
 */
uint64_t *vm_find_features(uc_engine *uc, const struct cpu_id_regs *id);
enum { VM_ISAR0, VM_ISAR1, VM_PFR0, VM_PFR1, VM_MMFR0, VM_MMFR1, VM_MMFR2, VM_FEATURES };

/* --- unicorn_exit.c */
enum vm_exits { VM_EXITS_UNKNOWN, VM_EXITS_EXACT, VM_EXITS_INEXACT };
extern _Atomic(enum vm_exits) vm_exits; /* of the library at hand; found by the first instance */
bool vm_exits_exact(struct vm *vm);
void unicorn_check_exit_request(void *tcg);
/* What this thread generates and looks up from now on is of VM: to be said before each call that may do so. */
void vm_generates(struct vm *vm);
struct vm *vm_generating(void);

#endif
