/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vDSO that the guest gets, and the emulator's side of its functions. */
#ifndef VDSO_VDSO_H
#define VDSO_VDSO_H

#include <stdbool.h>
#include <stdint.h>

#include "loader/loader.h"
#include "vdso/call.h"

/*
 * The vDSO of the profile in force, for loader_env.vdso: an ELF32 image in whose kernel note stands the
 * version that uname(2) tells, and [vvar] pages, which only keep their place. Valid forever.
 */
const struct loader_vdso *vdso_get(void);

/* Whether an svc with X8 comes from the vDSO and is no system call. */
static inline bool vdso_is_call(uint64_t x8)
{
	return x8 >> 32 == VDSO_CALL_HIGH && (uint32_t)x8 >= VDSO_CALL_LOW;
}

/* Does what such an svc asks for: the new x0. */
uint64_t vdso_call(uint64_t x8, uint64_t x0);

#endif
