/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dynamic relocations of the P32 set (ELF for the Arm 64-bit Architecture,
 * table of dynamic relocations, 32-bit column). */
#if __BYTE_ORDER == __BIG_ENDIAN
# define LDSO_ARCH "aarch64_be_ilp32"
#else
# define LDSO_ARCH "aarch64_ilp32"
#endif

#define NO_LEGACY_INITFINI

#define TPOFF_K 0

#define REL_SYMBOLIC R_AARCH64_P32_ABS32
#define REL_GOT      R_AARCH64_P32_GLOB_DAT
#define REL_PLT      R_AARCH64_P32_JUMP_SLOT
#define REL_RELATIVE R_AARCH64_P32_RELATIVE
#define REL_COPY     R_AARCH64_P32_COPY
#define REL_DTPMOD   R_AARCH64_P32_TLS_DTPMOD
#define REL_DTPOFF   R_AARCH64_P32_TLS_DTPREL
#define REL_TPOFF    R_AARCH64_P32_TLS_TPREL
#define REL_TLSDESC  R_AARCH64_P32_TLSDESC

/* A pointer held in a register has unspecified upper bits; br and sp use all 64. */
#define CRTJMP(pc, sp)                                            \
 __asm__ __volatile__("mov sp,%1 ; br %0"                         \
		      :                                           \
		      : "r"((unsigned long long)(uintptr_t)(pc)), \
			"r"((unsigned long long)(uintptr_t)(sp))  \
		      : "memory")
