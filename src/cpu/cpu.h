/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine interface. An engine runs AArch64 user code over the arena of src/mem until something
 * happens that only the kernel side can decide. It knows nothing of system calls and signals.
 *
 * Nothing here assumes that guest registers live in a library: an engine may as well run guest code
 * natively and stop by host signals. State moves as a whole (cpu_get_state, cpu_set_state), except
 * for the eleven registers of a system call, which travel through the svc callback.
 */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/state.h"
#include "mem/mem.h"

enum cpu_cause {
	CPU_STOP_KICK,  /* cpu_kick(), or the svc callback asked for it */
	CPU_STOP_SVC,   /* the svc callback wants the full state; pc is behind the svc */
	CPU_STOP_FAULT, /* fetch, load or store; pc is the instruction */
	CPU_STOP_ALIGN, /* misaligned pc, sp or exclusive/acquire access */
	CPU_STOP_ILLEGAL, /* undefined instruction or trapped system register; pc is the instruction */
	CPU_STOP_BRK,     /* BRK; pc is the instruction */
	CPU_STOP_STEP,    /* cpu_step() executed one instruction */
	CPU_STOP_INTERNAL, /* the engine failed; text says how. A bug or lack of memory, never guest error */
};

struct cpu_stop {
	enum cpu_cause cause;
	uint64_t pc;            /* exact in every case */
	uint64_t addr;          /* FAULT, ALIGN: the full 64-bit address (FAR) */
	enum mem_access access; /* FAULT, ALIGN */
	enum mem_fault fault;   /* FAULT: never MEM_OK */
	uint32_t insn;          /* ILLEGAL, BRK: the instruction word */
	const char *text;       /* INTERNAL: static string */
};

/* What the svc callback wants. */
enum cpu_svc {
	CPU_SVC_DONE,  /* x[0] is the result: go on behind the svc without leaving cpu_run() */
	CPU_SVC_LEAVE, /* x[0] is the result; leave cpu_run() with CPU_STOP_KICK */
	CPU_SVC_FULL, /* nothing was done; leave cpu_run() with CPU_STOP_SVC, registers untouched */
};

/*
 * Called inside cpu_run() for each svc (any immediate). X holds x0..x8 in full width on entry; only
 * x[0] is read back, and only for DONE and LEAVE. cpu_get_state() may be called inside,
 * cpu_set_state() may not. The engine's other state is consistent: the callback may fork(2), and
 * both processes may go on.
 */
typedef enum cpu_svc cpu_svc_fn(void *task, uint64_t x[9]);

struct cpu; /* one guest thread's engine instance; engines embed it as their first member */

/* ID registers with fields that the kernel turns into AT_HWCAP bits: ID_AA64PFRn_EL1, ID_AA64ISARn_EL1,
 * ID_AA64MMFR2_EL1. */
enum cpu_id_reg { PFR0, PFR1, ISAR0, ISAR1, MMFR2, ID_REGS };
struct cpu_id_regs {
	uint64_t midr;
	uint64_t reg[ID_REGS];
};

struct cpu_engine {
	const char *name;
	/* Several instances may run at once with exact atomics. run() is then called
	 * without the emulator lock (task/gil.c), so what it shares needs locks of its own. If false, one
	 * guest thread of the process runs at a time. */
	bool parallel;
	bool module; /* its code is a shared library, which only the dynamic form of the emulator loads */
	/* Of engines with a module: whether this form of the emulator can load it at all, and does it,
	 * once: false, and why in *TEXT. NULL: nothing to do. See cpu_engine_load(). */
	bool (*loadable)(void);
	bool (*load)(const char **text);
	struct cpu *(*create)(cpu_svc_fn *svc, void *task);
	void (*destroy)(struct cpu *c);
	void (*run)(struct cpu *c, struct cpu_stop *stop);
	void (*step)(struct cpu *c, struct cpu_stop *stop);
	void (*kick)(struct cpu *c);
	void (*get_state)(struct cpu *c, struct cpu_state *s);
	void (*set_state)(struct cpu *c, const struct cpu_state *s);
	/* Memory has changed: for each instance, or (CHANGED) once for all of them. Either is NULL. */
	void (*invalidate)(struct cpu *c, gaddr start, uint64_t len, unsigned what);
	void (*changed)(gaddr start, uint64_t len, unsigned what);
	/* A host fault at guest address A, which may lie behind the last page or be none at all, inside run(), in the
	 * host signal handler: cpu_host_fault(). NULL if guest accesses cannot fault on the host unnoticed. */
	bool (*host_fault)(struct cpu *c, uint64_t a, enum mem_access access, enum mem_fault fault,
			   void *context);
	/* cpu_abandon(), cpu_before_fork(), cpu_after_fork() in both processes (KEEP: the child's only
	 * instance of this engine, or NULL). NULL: nothing to do. */
	void (*abandon)(struct cpu *c);
	void (*before_fork)(void);
	void (*after_fork)(bool child, struct cpu *keep);
	/* The ID registers of the CPU the engine implements, with what the CPU chosen lacks or without, which decide
	 * about AT_HWCAP. False when out of memory, or as cpu_hwcap(). */
	bool (*id_regs)(struct cpu_id_regs *id);
};

/*
 * Counts the basic blocks that the instances run, if ON is set before the first one is made: the same program does
 * the same blocks. When there are LIMIT of them, the instance that runs stops as for a kick, before it executes the
 * last. For engines that are not parallel.
 */
struct cpu_blocks {
	bool on;
	uint64_t n, limit;
};
extern struct cpu_blocks cpu_blocks;

struct cpu {
	const struct cpu_engine *engine;
	struct cpu *next; /* list of all instances, for cpu_memory_changed() */
	cpu_svc_fn *svc;
	void *task;
};

/* Whether NAME, NULL too, means the engine that starts fastest, and then the fast one (task/tier.c): "auto", or
 * "auto:SECONDS" with the processor time after which, decimals allowed; *NS is set then. */
bool cpu_engine_is_auto(const char *name, int64_t *ns);

/* The engine called NAME ("auto", "auto:SECONDS" or NULL: the one that starts fastest), or NULL. */
const struct cpu_engine *cpu_engine_find(const char *name);
/* The engine that is worth its start for programs that run long, if this form of the emulator can load it
 * and finds it; NULL: there is none. */
const struct cpu_engine *cpu_engine_fast(void);
/* Loads what E needs besides what is there already. False, and a text in *TEXT, if that is not to be had. May
 * take a tenth of a second; other threads must not run guest code meanwhile (it takes SIGSEGV for a moment). */
bool cpu_engine_load(const struct cpu_engine *e, const char **text);
/* Comma-separated names of the engines built in, for --help. */
const char *cpu_engine_names(void);

/* A new instance with all registers zero. NULL when out of memory. */
struct cpu *cpu_create(const struct cpu_engine *e, cpu_svc_fn *svc, void *task);
void cpu_destroy(struct cpu *c);
/* A process that borrowed the calling thread has ended, perhaps inside cpu_run(). */
void cpu_bury(void);
/* Gives C up without touching it: a process that shared our memory was killed inside cpu_run(). After
 * cpu_bury(). */
void cpu_abandon(struct cpu *c);

/* Runs until a stop. After a kick that arrived while not running it stops at once. */
void cpu_run(struct cpu *c, struct cpu_stop *stop);
/* Executes exactly one instruction (an svc goes through the callback). */
void cpu_step(struct cpu *c, struct cpu_stop *stop);
/* Makes cpu_run() return soon (below 1 ms of running), now or when next called. From any thread and
 * from signal handlers. A kick is never lost; several may melt into one. */
void cpu_kick(struct cpu *c);

void cpu_get_state(struct cpu *c, struct cpu_state *s);
void cpu_set_state(struct cpu *c, const struct cpu_state *s);

/* The mem_listener for all instances of the process: flushes cached permissions (MEM_PERM) and
 * translations (MEM_CODE). Called with the emulator lock and the lock of src/mem, which it must not take back. Others may
 * be running meanwhile under parallel engines, which queue it and stop soon; those that wait for the emulator
 * lock do it before they go on. */
void cpu_memory_changed(gaddr start, uint64_t len, unsigned what);

/* The same for all instances but BUT, which knows it already; under any locks but those of engines. For cache
 * maintenance, which reaches all CPUs. */
void cpu_others_memory_changed(const struct cpu *but, gaddr start, uint64_t len, unsigned what);

/*
 * In the host's SIGSEGV or SIGBUS handler, for a fault at HOST_ADDR that mem_copy_fault() did not
 * take: if the address lies in the arena and guest code of this thread made the access, arranges
 * that cpu_run() stops with CPU_STOP_FAULT (HOST_SIGNO SIGBUS: MEM_BUSERR) and returns true; the
 * handler then returns too, to CONTEXT (ucontext_t), which may have been changed. False: not the
 * guest's doing.
 *
 * Such faults happen when a file shrinks under an engine that has the page in its look-up cache.
 * Where the engine cannot do better (Unicorn: accesses over a page border, look-ups that come from its
 * victim cache, stores by atomics, and hosts other than x86-64), the stop is not exact: the address is right, but the registers are those at the end of the
 * basic block, loads from the page having given 0 and stores having gone nowhere.
 */
bool cpu_host_fault(const void *host_addr, enum mem_access access, int host_signo, void *context);

/* Around fork(2), in the parent: what other threads may hold of the engines is held meanwhile. Before
 * mem_lock(), which the engines take inside. */
void cpu_before_fork(void);
void cpu_after_fork_parent(void);
/* In the child of fork(2): forget the instances of the threads that do not exist there; KEEP is the
 * calling thread's. */
void cpu_after_fork(struct cpu *keep);

/*
 * The CPU that the guest sees, before the first instance is made: TEXT is MODEL[,+FEATURE|,-FEATURE]... with
 * features named as in /proc/cpuinfo. False, and a line in WHY, if there is no such thing.
 */
bool cpu_model_choose(const char *text, char why[256]);
/* Comma-separated names of the models, for --help. */
const char *cpu_model_names(void);
/* A feature that cpu_model_choose() was asked for by name and that E does not execute, or NULL. */
const char *cpu_unmet(const struct cpu_engine *e);

/* AT_HWCAP and AT_HWCAP2 (arm64 bits) of what ENGINE executes of the CPU chosen. False when out of memory, or if
 * it cannot leave out what the CPU chosen lacks (errno ENOTSUP). */
bool cpu_hwcap(const struct cpu_engine *e, uint64_t *hwcap, uint64_t *hwcap2);
/* MIDR_EL1, which needs no AT_HWCAP bit to show in /proc/cpuinfo; 0 when out of memory. */
uint64_t cpu_midr(const struct cpu_engine *e);
/* The word of /proc/cpuinfo for a bit of AT_HWCAP, or of AT_HWCAP2 counted from 64; NULL: no engine has it. */
const char *cpu_hwcap_name(unsigned bit);

/*
 * MRS of an ID register at EL0, as the kernel emulates it (HWCAP_CPUID; Documentation/arm64/
 * cpu-feature-registers). If INSN is such an MRS, puts the value and the target register and
 * returns true; whoever asks writes the register and steps over the instruction. Engines do that
 * themselves: such an MRS is never a CPU_STOP_ILLEGAL.
 */
bool cpu_emulate_mrs(const struct cpu_engine *e, uint32_t insn, unsigned *rt, uint64_t *value);

/* The address as translation sees it with TBI0 on and TBI1 off: a user address loses its tag, in the
 * top byte. The kernel records faults so too (clear_address_tag, untagged_addr). */
static inline uint64_t cpu_untag(uint64_t addr)
{
	return addr >> 55 & 1 ? addr : addr << 8 >> 8;
}

/*
 * ESR_EL1 as the kernel would have recorded it for STOP (signal frames): EC, IL, ISS with WnR and
 * the fault status with the level at which a walk of the guest's page table would end. 0 for stops
 * that leave no record: ILLEGAL, BRK and those that are no exceptions.
 */
uint64_t cpu_stop_esr(const struct cpu_stop *stop);

#endif
