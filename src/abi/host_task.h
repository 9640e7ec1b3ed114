/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structures of the kernel that the emulator makes up or takes apart by itself, in the form that they have for LP64
 * programs: of signal frames, register sets and core files, those of a 64-bit AArch64 kernel; structs_task.c describes them.
 */
#ifndef ABI_HOST_TASK_H
#define ABI_HOST_TASK_H

#include <stdint.h>

#include "abi/host.h"

/* --- signal frames -------------------------------------------------------------------------------- */

struct host_aarch64_ctx { /* in front of each record behind the registers */
	uint32_t magic, size;
};
struct host_sigcontext {
	uint64_t fault_address, regs[31], sp, pc, pstate;
	uint64_t pad; /* the records are aligned to 16 */
	uint8_t records[4096];
};
struct host_fpsimd_context {
	struct host_aarch64_ctx head;
	uint32_t fpsr, fpcr;
	uint64_t vregs[64]; /* low and high half of each */
};
struct host_esr_context {
	struct host_aarch64_ctx head;
	uint64_t esr;
};
struct host_extra_context {
	struct host_aarch64_ctx head;
	uint64_t datap;
	uint32_t size, reserved[3];
};
struct host_ucontext {
	uint64_t uc_flags, uc_link;
	struct host_stack uc_stack;
	uint64_t uc_sigmask;
	uint8_t unused[128]; /* 120 for a longer mask, 8 of alignment */
	struct host_sigcontext uc_mcontext;
};
struct host_rt_sigframe {
	struct host_siginfo info;
	struct host_ucontext uc;
};

/* --- registers ------------------------------------------------------------------------------------ */

struct host_user_pt_regs {
	uint64_t regs[31], sp, pc, pstate;
};
struct host_user_fpsimd_state {
	uint64_t vregs[64];
	uint32_t fpsr, fpcr, reserved[2];
};
struct host_user_hwdebug_state {
	uint32_t dbg_info, pad;
	struct {
		uint64_t addr;
		uint32_t ctrl, pad;
	} dbg_regs[16];
};

/* --- core files ----------------------------------------------------------------------------------- */

struct host_elf_prstatus {
	int32_t si_signo, si_code, si_errno;
	int16_t pr_cursig, pad;
	uint64_t pr_sigpend, pr_sighold;
	int32_t pr_pid, pr_ppid, pr_pgrp, pr_sid;
	struct host_timeval pr_utime, pr_stime, pr_cutime, pr_cstime;
	struct host_user_pt_regs pr_reg;
	int32_t pr_fpvalid, pad1;
};
struct host_elf_prpsinfo {
	uint8_t pr_state;
	char pr_sname;
	uint8_t pr_zomb;
	int8_t pr_nice;
	uint32_t pad;
	uint64_t pr_flag;
	uint32_t pr_uid, pr_gid; /* 16 bits for the guest: what does not fit is the overflow id */
	int32_t pr_pid, pr_ppid, pr_pgrp, pr_sid;
	char pr_fname[16], pr_psargs[80];
};

/* --- processes ------------------------------------------------------------------------------------ */

struct host_auxv {
	uint64_t a_type, a_val;
};
struct host_robust_list_head {
	uint64_t next;
	int64_t futex_offset;
	uint64_t list_op_pending;
};
struct host_sock_filter {
	uint16_t code;
	uint8_t jt, jf;
	uint32_t k;
};
struct host_seccomp_data {
	int32_t nr;
	uint32_t arch;
	uint64_t instruction_pointer, args[6];
};
struct host_keyctl_dh_params {
	int32_t priv, prime, base;
};
struct host_keyctl_kdf_params {
	uint64_t hashname, otherinfo;
	uint32_t otherinfolen, spare[8];
	uint32_t pad;
};
struct host_keyctl_pkey_query {
	uint32_t supported_ops, key_size;
	uint16_t max_data_size, max_sig_size, max_enc_size, max_dec_size;
	uint32_t spare[10];
};
struct host_keyctl_pkey_params {
	int32_t key_id;
	uint32_t in_len, out_len, spare[7];
};
struct host_msgbuf { /* the text follows */
	int64_t mtype;
};

#endif
