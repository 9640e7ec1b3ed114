/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built-in profiles that are written as profile files: no instruction of any machine is here. */
	.section .rodata
	.macro	profile name, path
	.globl	\name, \name\()_end
	.hidden	\name
	.hidden	\name\()_end
\name:	.incbin	"\path"
\name\()_end:
	.endm

	profile	abi_hist_lp64ish, HIST_LP64ISH
	profile	abi_hist_single64, HIST_SINGLE64

	.section .note.GNU-stack, "", %progbits
