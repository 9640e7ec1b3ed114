// SPDX-License-Identifier: GPL-2.0-or-later
//
// TLS descriptor resolvers for ILP32. x0: the descriptor, two words {function, argument}. Result in x0: the
// variable's offset from the thread pointer. Compiled code adds it to the thread pointer with 32-bit or with
// 64-bit arithmetic (ldr wN, [tp, x0]), so it is a 64-bit difference: negative for a block below the thread
// pointer, whose address has a zero upper half. All other registers stay.

.text

// The argument is the offset, which is positive (blocks of the initial modules lie above the thread pointer).
.global __tlsdesc_static
.hidden __tlsdesc_static
.type __tlsdesc_static,%function
__tlsdesc_static:
	ldr w0, [x0, #4]
	ret

// The argument points to {module, offset in its block}; the word before the thread pointer to the table of
// the thread's blocks.
.global __tlsdesc_dynamic
.hidden __tlsdesc_dynamic
.type __tlsdesc_dynamic,%function
__tlsdesc_dynamic:
	stp x1, x2, [sp, #-16]!
	mrs x1, tpidr_el0
	ldr w0, [x0, #4]
	ldp w0, w2, [x0]
	ldr w1, [x1, #-4]
	ldr w1, [x1, x0, lsl #2]
	add w0, w1, w2
	mrs x1, tpidr_el0
	sub x0, x0, x1
	ldp x1, x2, [sp], #16
	ret
