/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynarmic engine. Generated code accesses the arena directly and faults on the host; what the
 * library does not know, or not exactly as a CPU, is done here (emulate.c) or by a Unicorn instance
 * over the same arena (slow.c).
 *
 * Translations live in boxes (box.c), at most one a processor, which the instances take in turns:
 * making one takes a tenth of a second and megabytes, so threads that wait in system calls must not
 * each have one. System calls are made outside the library: no box is in use meanwhile, and a fork or
 * the death of a vfork child finds nothing of the library on the stack.
 */
#ifndef CPU_DYNARMIC_DYNARMIC_H
#define CPU_DYNARMIC_DYNARMIC_H

#include "cpu/cpu.h"

extern const struct cpu_engine cpu_dynarmic;

/* The path of the module; NULL: next to the program, or where it is installed. */
extern const char *dynarmic_module;

/* How often a block is executed before it is translated as a superblock (superblock.cpp); 0: never. */
extern uint32_t dynarmic_hot;

/* Loads the module, once. False, and why in *TEXT (static or good until the next call): not to be
 * had. Takes a tenth of a second; the host's handlers of SIGSEGV are dynarmic's for a moment, so no
 * other thread may run guest code. */
bool dynarmic_load(const char **text);

#endif
