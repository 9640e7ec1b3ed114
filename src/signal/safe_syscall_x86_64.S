/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interruptible host system call of x86-64 (restart.h), and the return path of host signal
 * handlers, which the kernel requires of whoever installs one; clone3(2), which the C library has no call for.
 *
 * From safe_syscall_start on, every argument is in its register and nothing but the check and the
 * instruction itself remains, so a signal handler that finds the pc in [start, end) may send the
 * thread back to start. rbx holds the pointer because the instruction destroys rcx and r11, and the
 * kernel may put the pc back onto it (a call that restarts without having done anything).
 */
	.text
	.globl	safe_syscall
	.hidden	safe_syscall
	.type	safe_syscall, @function
safe_syscall:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	movq	%rdi, %rbx
	movq	%rsi, %rax
	movq	%rdx, %rdi
	movq	%rcx, %rsi
	movq	%r8, %rdx
	movq	%r9, %r10
	movq	16(%rsp), %r8
	movq	24(%rsp), %r9
	.globl	safe_syscall_start
	.hidden	safe_syscall_start
safe_syscall_start:
	cmpl	$0, (%rbx)
	jne	1f
	syscall
	.globl	safe_syscall_end
	.hidden	safe_syscall_end
safe_syscall_end:
	popq	%rbx
	.cfi_remember_state
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_restore_state
1:	movq	$-512, %rax	/* -ERESTARTSYS_ */
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	safe_syscall, . - safe_syscall

	.globl	signal_host_restorer
	.hidden	signal_host_restorer
	.type	signal_host_restorer, @function
signal_host_restorer:
	movl	$15, %eax	/* rt_sigreturn */
	syscall
	.size	signal_host_restorer, . - signal_host_restorer

/* clone3_on_stack(args, size, fn, arg): task/internal.h */
	.globl	clone3_on_stack
	.hidden	clone3_on_stack
	.type	clone3_on_stack, @function
clone3_on_stack:
	.cfi_startproc
	movq	%rdx, %r8
	movq	%rcx, %r9
	movl	$435, %eax
	syscall
	testq	%rax, %rax
	jz	1f
	ret
	.cfi_endproc
1:	xorl	%ebp, %ebp	/* the end of the stack */
	movq	%r9, %rdi
	call	*%r8
	hlt
	.size	clone3_on_stack, . - clone3_on_stack

	.section .note.GNU-stack, "", @progbits
