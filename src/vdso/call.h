/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the guest's vDSO and the emulator: the values of x8 at the svc instructions that are no system
 * calls. Kernels look at w8 only, where these are numbers that no kernel has; a guest that makes such a
 * call itself, which nobody does by chance, learns the time.
 */
#ifndef VDSO_CALL_H
#define VDSO_CALL_H

#define VDSO_CALL_HIGH 0x7664736f /* x8, upper half */
#define VDSO_CALL_LOW  0xffff0000 /* w8, plus one of: */

/* Results are two words in x0, the first one low. */
#define VDSO_CLOCK_GETTIME 0 /* w0: clock; seconds, nanoseconds */
#define VDSO_CLOCK_GETRES  1 /* the same */
#define VDSO_TIMEZONE      2 /* minutes west, kind of daylight saving time */

#endif
