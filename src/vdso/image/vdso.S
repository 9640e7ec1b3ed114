/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's vDSO: what a kernel maps into every ILP32 process (arch/arm64/kernel/vdso-ilp32 of the 4.14
 * series: names, version nodes, fall-backs; recorded in tests/oracle). Functions of time do not compute
 * it from a counter and a data page, since no user program can read the host kernel's clock parameters
 * exactly. They ask the emulator by an svc with a number that is none of the kernel's (call.h), which
 * answers without leaving the engine, from the host's own vDSO; it is no system call for the guest, so
 * no trace and no filter sees it. All stores to the caller's memory are made here: a bad pointer is a
 * SIGSEGV in the vDSO, as on the real one.
 *
 * Pointers are cut to 32 bits. x2..x7 are free in a call.
 */
#include "vdso/call.h"

#define __NR_rt_sigreturn  139
#define __NR_clock_gettime 113
#define __NR_clock_getres  114
#define __NR_gettimeofday  169

/* A kernel note, as `file` and old dynamic linkers look for: the version code is filled in at start-up. */
	.section .note.Linux, "a", %note
	.balign	4
	.long	2f - 1f, 4, 0
1:	.asciz	"Linux"
2:	.balign	4
	.long	0

	.text

/* Exports \name under each version node that the image has. */
.macro	export name
#ifdef VDSO_LINUX_4_9
	.globl	\name\()_4_9
	.set	\name\()_4_9, \name
	.type	\name\()_4_9, %function
	.size	\name\()_4_9, .size_\name
	.symver	\name\()_4_9, \name\()@LINUX_4.9
#endif
	.globl	\name\()_4_12
	.set	\name\()_4_12, \name
	.type	\name\()_4_12, %function
	.size	\name\()_4_12, .size_\name
	.symver	\name\()_4_12, \name\()@@LINUX_4.12
.endm

.macro	function name
	.balign	16
.Lstart_\name:
	.type	\name, %function
\name:
	.cfi_startproc
.endm

.macro	end name
	.cfi_endproc
	.set	.size_\name, . - \name
	.size	\name, . - \name
	export	\name
.endm

/* x8 = the number of an emulator call. */
.macro	own	operation
	mov	w8, #(VDSO_CALL_LOW + \operation)
	movk	x8, #(VDSO_CALL_HIGH & 0xffff), lsl #32
	movk	x8, #(VDSO_CALL_HIGH >> 16), lsl #48
.endm

/* Goes to \label unless w0 is one of the clocks 0, 1, 4, 5, 6. */
.macro	unless_fast	label
	cmp	w0, #6
	b.hi	\label
	mov	w3, #(1 << 0 | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6)
	lsr	w3, w3, w0
	tbz	w3, #0, \label
.endm

/* int __kernel_clock_gettime(clockid_t w0, struct timespec *x1) */
function __kernel_clock_gettime
	unless_fast 1f
	own	VDSO_CLOCK_GETTIME
	svc	#0
	mov	w1, w1
	str	x0, [x1]	/* tv_sec, tv_nsec */
	mov	w0, #0
	ret
1:	mov	x8, #__NR_clock_gettime
	svc	#0
	ret
end	__kernel_clock_gettime

/* int __kernel_gettimeofday(struct timeval *x0, struct timezone *x1); either may be NULL. */
function __kernel_gettimeofday
	mov	w2, w0
	mov	w1, w1
	cbz	w2, 1f
	mov	w0, #0
	own	VDSO_CLOCK_GETTIME
	svc	#0
	lsr	x3, x0, #32
	mov	w4, #1000
	udiv	w3, w3, w4
	stp	w0, w3, [x2]
1:	cbz	w1, 2f
	own	VDSO_TIMEZONE
	svc	#0
	str	x0, [x1]	/* tz_minuteswest, tz_dsttime */
2:	mov	w0, #0
	ret
end	__kernel_gettimeofday

/* int __kernel_clock_getres(clockid_t w0, struct timespec *x1), which may be NULL */
function __kernel_clock_getres
	unless_fast 2f
	mov	w1, w1
	cbz	w1, 1f
	own	VDSO_CLOCK_GETRES
	svc	#0
	str	x0, [x1]
1:	mov	w0, #0
	ret
2:	mov	x8, #__NR_clock_getres
	svc	#0
	ret
end	__kernel_clock_getres

/*
 * The return address of a signal handler. The kernel's own description here goes on with the interrupted
 * x30 and skips the interrupted function; this one is complete: it finds every register in the frame
 * (struct rt_sigframe, which starts at sp; the offsets are those of src/signal/frame.c).
 */
#define FRAME_X      296
#define FRAME_SP     544
#define FRAME_PC     552
#define FRAME_V      592
#define DW_SP        31
#define DW_V0        64
#define DW_PC        96 /* libgcc's column for a return address that is not x30 */

#define DW_CFA_def_cfa_expression 0x0f
#define DW_CFA_expression         0x10
#define DW_OP_deref               0x06
#define DW_OP_breg_sp             0x8f

#define SLEB(n) ((n) & 0x7f) | 0x80, ((n) >> 7) & 0x7f

/* Register \reg of the interrupted code is at sp + \offset. */
.macro	saved_at reg, offset
	.cfi_escape DW_CFA_expression, \reg, 3, DW_OP_breg_sp, SLEB(\offset)
.endm

	.balign	16
	.cfi_startproc
	.cfi_signal_frame
	.cfi_return_column DW_PC
	.cfi_escape DW_CFA_def_cfa_expression, 4, DW_OP_breg_sp, SLEB(FRAME_SP), DW_OP_deref
	.set	i, 0
	.rept	31
	saved_at i, FRAME_X + 8 * i
	.set	i, i + 1
	.endr
	saved_at DW_PC, FRAME_PC
	.set	i, 0
	.rept	32
	saved_at DW_V0 + i, FRAME_V + 16 * i
	.set	i, i + 1
	.endr
	/* Unwinders look for the byte before a return address. */
	nop
	.type	__kernel_rt_sigreturn, %function
__kernel_rt_sigreturn:
	mov	x8, #__NR_rt_sigreturn
	svc	#0
	.cfi_endproc
	.set	.size___kernel_rt_sigreturn, . - __kernel_rt_sigreturn
	.size	__kernel_rt_sigreturn, . - __kernel_rt_sigreturn
	export	__kernel_rt_sigreturn
	.section .note.GNU-stack, "", %progbits
