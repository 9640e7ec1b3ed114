/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interruptible host system call of arm64 (restart.h). From safe_syscall_start on, every argument
 * is in its register and nothing but the check and the instruction itself remains, so a signal
 * handler that finds the pc in [start, end) may send the thread back to start. The kernel changes no
 * register but x0, which it restores when it puts the pc back onto the instruction. And clone3(2), which the C library
 * has no call for.
 */
	.text
	.globl	safe_syscall
	.hidden	safe_syscall
	.type	safe_syscall, %function
safe_syscall:
	.cfi_startproc
	mov	x9, x0
	mov	x8, x1
	mov	x0, x2
	mov	x1, x3
	mov	x2, x4
	mov	x3, x5
	mov	x4, x6
	mov	x5, x7
	.globl	safe_syscall_start
	.hidden	safe_syscall_start
safe_syscall_start:
	ldr	w10, [x9]
	cbnz	w10, 1f
	svc	#0
	.globl	safe_syscall_end
	.hidden	safe_syscall_end
safe_syscall_end:
	ret
1:	mov	x0, #-512	/* -ERESTARTSYS_ */
	ret
	.cfi_endproc
	.size	safe_syscall, . - safe_syscall

/* clone3_on_stack(args, size, fn, arg): task/internal.h */
	.globl	clone3_on_stack
	.hidden	clone3_on_stack
	.type	clone3_on_stack, %function
clone3_on_stack:
	.cfi_startproc
	mov	x8, #435
	svc	#0
	cbz	x0, 1f
	ret
	.cfi_endproc
1:	mov	x29, #0		/* the end of the stack */
	mov	x0, x3
	blr	x2
	brk	#0
	.size	clone3_on_stack, . - clone3_on_stack

	.section .note.GNU-stack, "", %progbits
