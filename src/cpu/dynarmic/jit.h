/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The border between the dynarmic engine (C, part of the program) and the module with the library
 * (C++, loaded when it is wanted). The module knows nothing but dynarmic and this file; neither side
 * needs a symbol of the other, save the module's one entry.
 */
#ifndef CPU_DYNARMIC_JIT_H
#define CPU_DYNARMIC_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cpu_state;
struct jit;

/* Why jit_run() returned: a set. */
enum {
	JIT_ABORT = 4, /* a load or store callback asked for it: pc is the instruction, nothing of
			* which is in the registers */
	JIT_KICK = 0x01000000,
	JIT_CHANGED = 0x02000000,
	JIT_SVC = 0x04000000,
	JIT_STOP = 0x08000000, /* a callback has put the stop down */
	JIT_SLOW = 0x10000000, /* the instruction at pc is to be executed elsewhere */
	JIT_HOT = 0x20000000,  /* inside the module: the block at pc is executed often */
	JIT_EMULATE =
		0x40000000, /* the instruction at pc, which is one of jit_inline, was not done */
};

/* The exclusive monitor of a thread: a store succeeds if memory still has the value. */
struct jit_monitor {
	uint64_t address, value[2];
	uint32_t bytes; /* 0: it is clear */
};

enum jit_inline_op {
	JIT_LOAD_EXCLUSIVE,  /* TARGET: the value */
	JIT_STORE_EXCLUSIVE, /* of OPERAND; TARGET: 0 if it was stored, or 1 */
	JIT_SWAP,            /* the others: TARGET: what was there */
	JIT_ADD,
	JIT_OR,
	JIT_XOR,
	JIT_AND_NOT,
	JIT_COMPARE_AND_SWAP, /* with what is in TARGET, for OPERAND */
	JIT_ZERO,             /* 64 bytes, aligned down */
};

/* An instruction without a translation of the library's that generated code does without a callback. Registers are numbers, 31
 * is zero, as BASE sp. All accesses but that of JIT_ZERO must be aligned. */
struct jit_inline {
	uint8_t op, size; /* log2 of bytes: 0 to 3 */
	uint8_t base, operand, target;
};

enum jit_trap { JIT_TRAP_OTHER, JIT_TRAP_BREAKPOINT, JIT_TRAP_FETCH };

/* What the engine does for generated code; OWNER is jit_config's. Nothing may throw or jump out. */
struct jit_callbacks {
	/* The word to translate at PC for a block that starts at START. False: a fetch fault. */
	bool (*fetch)(void *owner, uint64_t start, uint64_t pc, uint32_t *word);
	/* SIZE is 1, 2, 4, 8 or 16 bytes at any alignment. */
	void (*load)(void *owner, uint64_t addr, unsigned size, void *value);
	void (*store)(void *owner, uint64_t addr, unsigned size, const void *value);
	void (*svc)(void *owner, uint32_t imm); /* pc is behind the svc */
	/* Whether generated code may do what svc(IMM) does, and what that is. Where it cannot, it halts with JIT_EMULATE. */
	bool (*in_line)(void *owner, uint32_t imm, struct jit_inline *what);
	/* The translator will not do the instruction at PC, which is also the pc register. */
	void (*trap)(void *owner, uint64_t pc, enum jit_trap trap);
};

struct jit_config {
	const struct jit_callbacks *callbacks;
	void *owner;
	void *arena;          /* host address of guest address 0, 4 GiB */
	uint64_t *tpidr;      /* where TPIDR_EL0 is kept */
	const uint64_t *zero; /* where TPIDRRO_EL0 is kept */
	struct jit_monitor *monitor;
	size_t code_size; /* bytes for translations */
	uint32_t counter_hz, cache_type, zva;
	uint32_t
		hot; /* executions of a block until it is translated with what follows it; 0: never */
};

struct jit_module {
	/* NULL when out of memory. */
	struct jit *(*create)(const struct jit_config *config);
	uint32_t (*run)(struct jit *j);
	/* From any thread and signal handler; run() returns with it soon, now or when next called. */
	void (*halt)(struct jit *j, uint32_t reason);
	/* In the thread that runs J, outside run(). Applied at the next run(). */
	void (*invalidate)(struct jit *j, uint64_t start, uint64_t len);
	void (*clear)(struct jit *j);
	/* Outside run(). All but tpidr, which is the caller's. */
	void (*get_state)(const struct jit *j, struct cpu_state *s);
	void (*set_state)(struct jit *j, const struct cpu_state *s);
	/* Also inside callbacks. */
	uint64_t (*x)(const struct jit *j, unsigned n); /* 31: sp */
	void (*set_x)(struct jit *j, unsigned n, uint64_t value);
	uint64_t (*pc)(const struct jit *j);
	void (*set_pc)(struct jit *j, uint64_t pc);
	/* A host fault in generated code: changes CONTEXT so that the access becomes a callback. FALSE: the address was not NEAR
	 * the arena, and the instruction is none that accesses memory for the guest. */
	bool (*host_fault)(const struct jit *j, int signo, void *context, bool near);
};

/* The module's entry, called once. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct jit_module *
ilp32run_jit_module(void);
typedef const struct jit_module *jit_module_fn(void);

#ifdef __cplusplus
}
#endif

#endif
