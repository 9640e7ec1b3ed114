/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vDSO files as data of the emulator: no instruction of any machine is here. */
	.section .rodata
	.macro	file name, path
	.balign	16
	.globl	\name, \name\()_end
	.hidden	\name
	.hidden	\name\()_end
\name:	.incbin	"\path"
\name\()_end:
	.if	\name\()_end - \name > 4096 /* PAGES_MAX */
	.error	"\path is larger than vdso.c expects"
	.endif
	.endm

	file	vdso_kernel, VDSO_KERNEL
	file	vdso_modern, VDSO_MODERN

	.section .note.GNU-stack, "", %progbits
