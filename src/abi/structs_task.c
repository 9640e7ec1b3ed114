/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of signal frames, register sets, core files and processes: the emulator writes and reads most of them itself. */
#include <elf.h>

#include "abi/describe.h"
#include "abi/host_task.h"

/* --- siginfo: its union starts at 12, on the host at 16 ------------------------------------------------ */

/*
 * One description for each member of the union. Its size is how many bytes a 4.14 kernel writes, which is where its last
 * field ends.
 */
#define INFO(n, len, ...) \
 DESCRIBE_PART(siginfo_##n, len, 128, "asm/siginfo.h", "siginfo_t", INFO_HEAD, __VA_ARGS__)
#define INFO_HEAD                                                             \
 AT(si_signo, 0, 4, 0, 4, COPY, SIGNAL), AT(si_errno, 4, 4, 4, 4, COPY, DEC), \
	 AT(si_code, 8, 4, 8, 4, COPY, DEC)

/* Whatever the member: as 4.14 takes it from a program and shows it to one that wants its own code. */
DESCRIBE_AT(siginfo, 128, 128, "asm/siginfo.h", "siginfo_t", INFO_HEAD,
	    AT(_sifields, 12, 112, 16, 112, COPY, HIDE), F_PAD(124, 4));
INFO(kill, 20, AT(si_pid, 12, 4, 16, 4, COPY, DEC), AT(si_uid, 16, 4, 20, 4, COPY, UDEC));
INFO(rt, 24, AT(si_pid, 12, 4, 16, 4, COPY, DEC), AT(si_uid, 16, 4, 20, 4, COPY, UDEC),
     AT(si_value, 20, 4, 24, 8, ZEXT, HEX));
INFO(timer, 24, AT(si_tid, 12, 4, 16, 4, COPY, DEC), AT(si_overrun, 16, 4, 20, 4, COPY, DEC),
     AT(si_value, 20, 4, 24, 8, ZEXT, HEX));
INFO(chld, 32, AT(si_pid, 12, 4, 16, 4, COPY, DEC), AT(si_uid, 16, 4, 20, 4, COPY, UDEC),
     AT(si_status, 20, 4, 24, 4, COPY, DEC), AT(si_utime, 24, 4, 32, 8, SEXT, DEC),
     AT(si_stime, 28, 4, 40, 8, SEXT, DEC));
INFO(fault, 16, AT(si_addr, 12, 4, 16, 8, ZEXT, GPTR));
INFO(mce, 18, AT(si_addr, 12, 4, 16, 8, ZEXT, GPTR), AT(si_addr_lsb, 16, 2, 24, 2, COPY, DEC));
INFO(bounds, 28, AT(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F_PAD(16, 4),
     AT(si_lower, 20, 4, 32, 8, ZEXT, GPTR), AT(si_upper, 24, 4, 40, 8, ZEXT, GPTR));
INFO(pkey, 24, AT(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F_PAD(16, 4),
     AT(si_pkey, 20, 4, 32, 4, COPY, UDEC));
INFO(perf, 28, AT(si_addr, 12, 4, 16, 8, ZEXT, GPTR), AT(si_perf_data, 16, 4, 24, 8, ZEXT, HEX),
     AT(si_perf_type, 20, 4, 32, 4, COPY, UDEC), AT(si_perf_flags, 24, 4, 36, 4, COPY, HEX));
INFO(poll, 20, AT(si_band, 12, 4, 16, 8, SEXT, HEX), AT(si_fd, 16, 4, 24, 4, COPY, DEC));
INFO(sys, 24, AT(si_call_addr, 12, 4, 16, 8, ZEXT, GPTR), AT(si_syscall, 16, 4, 24, 4, COPY, DEC),
     AT(si_arch, 20, 4, 28, 4, COPY, HEX));

/* --- signal frames ------------------------------------------------------------------------------------ */

#define HOST uint64_t
DESCRIBE_SAME(sigset, 8, NULL, NULL, F_SELF(8, COPY, SIGMASK));
#undef HOST

#define HOST struct host_sigcontext
DESCRIBE_LARGE(sigcontext, 4384, ABI_HOST_IS_LITTLE_ENDIAN, "asm/sigcontext.h", "struct sigcontext",
	       F(fault_address, 0, 8, COPY, GPTR), F_ARRAY(regs, 8, 8, 31, COPY, HEX),
	       F(sp, 256, 8, COPY, GPTR), F(pc, 264, 8, COPY, GPTR), F(pstate, 272, 8, COPY, HEX),
	       F_PAD(280, 8), F_OF(__reserved, records, 288, 4096, COPY, BYTES));
#undef HOST

#define HOST struct host_fpsimd_context
DESCRIBE_SAME(fpsimd_context, 528, "asm/sigcontext.h", "struct fpsimd_context",
	      F(head.magic, 0, 4, COPY, HEX), F(head.size, 4, 4, COPY, UDEC),
	      F(fpsr, 8, 4, COPY, HEX), F(fpcr, 12, 4, COPY, HEX),
	      F_ARRAY(vregs, 16, 8, 64, COPY, HEX));
#undef HOST

#define HOST struct host_esr_context
DESCRIBE_SAME(esr_context, 16, "asm/sigcontext.h", "struct esr_context",
	      F(head.magic, 0, 4, COPY, HEX), F(head.size, 4, 4, COPY, UDEC),
	      F(esr, 8, 8, COPY, HEX));
#undef HOST

/* Where records go on that do not fit: their address in 64 bits. */
#define HOST struct host_extra_context
DESCRIBE_SAME(extra_context, 32, "asm/sigcontext.h", "struct extra_context",
	      F(head.magic, 0, 4, COPY, HEX), F(head.size, 4, 4, COPY, UDEC),
	      F(datap, 8, 8, COPY, GPTR), F(size, 16, 4, COPY, UDEC),
	      F_OF(__reserved, reserved, 20, 12, COPY, BYTES));
#undef HOST

/* The engines have no SVE: no frame has this record. */
DESCRIBE_AT_(sve_context, 16, 16, ABI_HOST_IS_LITTLE_ENDIAN, "asm/sigcontext.h",
	     "struct sve_context", AT(head.magic, 0, 4, 0, 4, COPY, HEX),
	     AT(head.size, 4, 4, 4, 4, COPY, UDEC), AT(vl, 8, 2, 8, 2, COPY, UDEC),
	     AT(flags, 10, 2, 10, 2, COPY, HEX), AT(__reserved, 12, 4, 12, 4, COPY, BYTES));

#define HOST struct host_ucontext
DESCRIBE_LARGE(ucontext, 4544, false, "asm/ucontext.h", "struct ucontext",
	       F(uc_flags, 0, 4, ZEXT, HEX), F(uc_link, 4, 4, ZEXT, GPTR),
	       F(uc_stack.ss_sp, 8, 4, ZEXT, GPTR), F_SYM(uc_stack.ss_flags, 12, 4, COPY, ss_flags),
	       F(uc_stack.ss_size, 16, 4, ZEXT, UDEC), F(uc_sigmask, 20, 8, COPY, SIGMASK),
	       F_PAD(28, 120), F_PAD(148, 12), F_NEST(uc_mcontext, 160, 4384, sigcontext));
#undef HOST

#define HOST struct host_rt_sigframe
DESCRIBE_LARGE(rt_sigframe, 4672, false, NULL, NULL, F_NEST(info, 0, 128, siginfo),
	       F_NEST(uc, 128, 4544, ucontext));
#undef HOST

/* --- registers, for ptrace and core files --------------------------------------------------------------- */

#define HOST struct host_user_pt_regs
DESCRIBE_SAME(user_pt_regs, 272, "asm/ptrace.h", "struct user_pt_regs",
	      F_ARRAY(regs, 0, 8, 31, COPY, HEX), F(sp, 248, 8, COPY, GPTR),
	      F(pc, 256, 8, COPY, GPTR), F(pstate, 264, 8, COPY, HEX));
#undef HOST

#define HOST struct host_user_fpsimd_state
DESCRIBE_SAME(user_fpsimd_state, 528, "asm/ptrace.h", "struct user_fpsimd_state",
	      F_ARRAY(vregs, 0, 8, 64, COPY, HEX), F(fpsr, 512, 4, COPY, HEX),
	      F(fpcr, 516, 4, COPY, HEX), F_OF(__reserved, reserved, 520, 8, COPY, BYTES));
#undef HOST

#define HOST struct host_user_hwdebug_state
DESCRIBE_SAME(user_hwdebug_state, 264, "asm/ptrace.h", "struct user_hwdebug_state",
	      F(dbg_info, 0, 4, COPY, HEX), F(pad, 4, 4, COPY, HEX),
	      F(dbg_regs, 8, 256, COPY, BYTES));
#undef HOST

DESCRIBE_AT_(ptrace_syscall_info, 88, 88, ABI_HOST_IS_LITTLE_ENDIAN, "linux/ptrace.h",
	     "struct ptrace_syscall_info", AT(op, 0, 1, 0, 1, COPY, UDEC),
	     AT(pad, 1, 3, 1, 3, COPY, BYTES), AT(arch, 4, 4, 4, 4, COPY, HEX),
	     AT(instruction_pointer, 8, 8, 8, 8, COPY, GPTR),
	     AT(stack_pointer, 16, 8, 16, 8, COPY, GPTR), AT(seccomp.nr, 24, 8, 24, 8, COPY, UDEC),
	     AT_ARRAY(seccomp.args, 32, 8, 32, 8, 6, COPY, HEX),
	     AT(seccomp.ret_data, 80, 4, 80, 4, COPY, HEX), F_PAD(84, 4));

DESCRIBE_AT_(ptrace_peeksiginfo_args, 16, 16, ABI_HOST_IS_LITTLE_ENDIAN, "linux/ptrace.h",
	     "struct ptrace_peeksiginfo_args", AT(off, 0, 8, 0, 8, COPY, UDEC),
	     AT(flags, 8, 4, 8, 4, COPY, HEX), AT(nr, 12, 4, 12, 4, COPY, DEC));

/* --- core files: compat_elf_prstatus, compat_elf_prpsinfo ------------------------------------------------ */

#define HOST struct host_elf_prstatus
DESCRIBE(elf_prstatus, 352, NULL, NULL, F(si_signo, 0, 4, COPY, SIGNAL),
	 F(si_code, 4, 4, COPY, DEC), F(si_errno, 8, 4, COPY, DEC),
	 F(pr_cursig, 12, 2, COPY, SIGNAL), F_PAD(14, 2), F(pr_sigpend, 16, 4, ZEXT, HEX),
	 F(pr_sighold, 20, 4, ZEXT, HEX), F(pr_pid, 24, 4, COPY, DEC), F(pr_ppid, 28, 4, COPY, DEC),
	 F(pr_pgrp, 32, 4, COPY, DEC), F(pr_sid, 36, 4, COPY, DEC),
	 F(pr_utime.tv_sec, 40, 4, SEXT, DEC), F(pr_utime.tv_usec, 44, 4, SEXT, DEC),
	 F(pr_stime.tv_sec, 48, 4, SEXT, DEC), F(pr_stime.tv_usec, 52, 4, SEXT, DEC),
	 F(pr_cutime.tv_sec, 56, 4, SEXT, DEC), F(pr_cutime.tv_usec, 60, 4, SEXT, DEC),
	 F(pr_cstime.tv_sec, 64, 4, SEXT, DEC), F(pr_cstime.tv_usec, 68, 4, SEXT, DEC),
	 F_NEST(pr_reg, 72, 272, user_pt_regs), F(pr_fpvalid, 344, 4, COPY, DEC), F_PAD(348, 4));
#undef HOST

#define HOST struct host_elf_prpsinfo
DESCRIBE(elf_prpsinfo, 124, NULL, NULL, F(pr_state, 0, 1, COPY, UDEC),
	 F(pr_sname, 1, 1, COPY, BYTES), F(pr_zomb, 2, 1, COPY, UDEC), F(pr_nice, 3, 1, COPY, DEC),
	 F(pr_flag, 4, 4, ZEXT, HEX), F(pr_uid, 8, 2, ZEXT, UDEC), F(pr_gid, 10, 2, ZEXT, UDEC),
	 F(pr_pid, 12, 4, COPY, DEC), F(pr_ppid, 16, 4, COPY, DEC), F(pr_pgrp, 20, 4, COPY, DEC),
	 F(pr_sid, 24, 4, COPY, DEC), F(pr_fname, 28, 16, COPY, STRING),
	 F(pr_psargs, 44, 80, COPY, STRING));
#undef HOST

/* --- programs and processes ------------------------------------------------------------------------------ */

#define HOST Elf64_Ehdr
DESCRIBE(Elf_Ehdr, 52, "linux/elf.h", "struct elf32_hdr", F(e_ident, 0, 16, COPY, BYTES),
	 F(e_type, 16, 2, COPY, UDEC), F(e_machine, 18, 2, COPY, UDEC),
	 F(e_version, 20, 4, COPY, UDEC), F(e_entry, 24, 4, ZEXT, GPTR),
	 F(e_phoff, 28, 4, ZEXT, UDEC), F(e_shoff, 32, 4, ZEXT, UDEC), F(e_flags, 36, 4, COPY, HEX),
	 F(e_ehsize, 40, 2, COPY, UDEC), F(e_phentsize, 42, 2, COPY, UDEC),
	 F(e_phnum, 44, 2, COPY, UDEC), F(e_shentsize, 46, 2, COPY, UDEC),
	 F(e_shnum, 48, 2, COPY, UDEC), F(e_shstrndx, 50, 2, COPY, UDEC));
#undef HOST

#define HOST Elf64_Phdr
DESCRIBE(Elf_Phdr, 32, "linux/elf.h", "struct elf32_phdr", F(p_type, 0, 4, COPY, UDEC),
	 F(p_offset, 4, 4, ZEXT, HEX), F(p_vaddr, 8, 4, ZEXT, GPTR), F(p_paddr, 12, 4, ZEXT, GPTR),
	 F(p_filesz, 16, 4, ZEXT, UDEC), F(p_memsz, 20, 4, ZEXT, UDEC),
	 F(p_flags, 24, 4, COPY, HEX), F(p_align, 28, 4, ZEXT, HEX));
#undef HOST

#define HOST struct host_auxv
DESCRIBE(auxv, 8, NULL, NULL, F(a_type, 0, 4, ZEXT, UDEC), F(a_val, 4, 4, ZEXT, HEX));
#undef HOST

/* The host never walks the list: its entries stay guest addresses. */
#define HOST struct host_robust_list_head
DESCRIBE(robust_list_head, 12, "linux/futex.h", "struct robust_list_head",
	 F_OF(list.next, next, 0, 4, ZEXT, GPTR), F(futex_offset, 4, 4, SEXT, DEC),
	 F(list_op_pending, 8, 4, ZEXT, GPTR));
#undef HOST

DESCRIBE_AT_(rseq, 32, 32, ABI_HOST_IS_LITTLE_ENDIAN, "linux/rseq.h", "struct rseq",
	     AT(cpu_id_start, 0, 4, 0, 4, COPY, UDEC), AT(cpu_id, 4, 4, 4, 4, COPY, UDEC),
	     AT(rseq_cs, 8, 8, 8, 8, COPY, GPTR), AT(flags, 16, 4, 16, 4, COPY, HEX));

#define HOST struct host_sock_filter
DESCRIBE_SAME(sock_filter, 8, "linux/filter.h", "struct sock_filter", F(code, 0, 2, COPY, HEX),
	      F(jt, 2, 1, COPY, UDEC), F(jf, 3, 1, COPY, UDEC), F(k, 4, 4, COPY, HEX));
#undef HOST

#define HOST struct host_seccomp_data
DESCRIBE_SAME(seccomp_data, 64, "linux/seccomp.h", "struct seccomp_data", F(nr, 0, 4, COPY, DEC),
	      F(arch, 4, 4, COPY, HEX), F(instruction_pointer, 8, 8, COPY, GPTR),
	      F_ARRAY(args, 16, 8, 6, COPY, HEX));
#undef HOST

/* --- keys ------------------------------------------------------------------------------------------------ */

#define HOST struct host_keyctl_dh_params
DESCRIBE_SAME(keyctl_dh_params, 12, "linux/keyctl.h", "struct keyctl_dh_params",
	      F(priv, 0, 4, COPY, DEC), F(prime, 4, 4, COPY, DEC), F(base, 8, 4, COPY, DEC));
#undef HOST

#define HOST struct host_keyctl_kdf_params
DESCRIBE(keyctl_kdf_params, 44, "linux/keyctl.h", "struct keyctl_kdf_params",
	 F(hashname, 0, 4, PTR, GPTR), F(otherinfo, 4, 4, PTR, GPTR),
	 F(otherinfolen, 8, 4, COPY, UDEC), F_OF(__spare, spare, 12, 32, COPY, BYTES));
#undef HOST

#define HOST struct host_keyctl_pkey_query
DESCRIBE_SAME(keyctl_pkey_query, 56, "linux/keyctl.h", "struct keyctl_pkey_query",
	      F(supported_ops, 0, 4, COPY, HEX), F(key_size, 4, 4, COPY, UDEC),
	      F(max_data_size, 8, 2, COPY, UDEC), F(max_sig_size, 10, 2, COPY, UDEC),
	      F(max_enc_size, 12, 2, COPY, UDEC), F(max_dec_size, 14, 2, COPY, UDEC),
	      F_OF(__spare, spare, 16, 40, COPY, BYTES));
#undef HOST

#define HOST struct host_keyctl_pkey_params
DESCRIBE_SAME(keyctl_pkey_params, 40, "linux/keyctl.h", "struct keyctl_pkey_params",
	      F(key_id, 0, 4, COPY, DEC), F(in_len, 4, 4, COPY, UDEC), F(out_len, 8, 4, COPY, UDEC),
	      F_OF(__spare, spare, 12, 28, COPY, BYTES));
#undef HOST
