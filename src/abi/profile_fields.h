/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything in which the kernels behind the ABI profiles differ and that is no row of the system call
 * table, one line a fact: kind, name, the values for ampere-4.14, openeuler-5.10, openeuler-6.6 and
 * modern, and what it means. Sources: the kernels themselves, and a running 4.14 (tests/oracle).
 *
 * modern is openeuler-6.6 without its defects, and with what programs of the older series relied on.
 *
 * FLAG is a bool, NUMBER an unsigned count or size, MASK a set of bits; each is a member of struct
 * abi_profile with that name.
 */
/* clang-format off */

/* --- how calls are made: only profile files differ here ------------------------------------------ */
FLAG(args_in_one_register, 0, 0, 0, 0, "a 64-bit argument takes one register, and none is skipped for it")
FLAG(upper_halves_kept, 0, 0, 0, 0, "the kernel does not clear bits 63:32 of arguments: a pointer with any gives EFAULT")
FLAG(addresses_signed, 0, 0, 0, 0, "an address as a result is sign-extended to 64 bits, not zero-extended")
FLAG(lp64_frame, 0, 0, 0, 0, "signal frames and siginfo have the LP64 layout")
FLAG(ipc_64_always, 0, 0, 0, 0, "msgctl, semctl and shmctl take the new structures also without IPC_64")

/* --- system calls ------------------------------------------------------------------------------ */
NUMBER(nr_syscalls, 292, 457, 453, 453, "system call numbers at and above give ENOSYS")
FLAG(restart_block_works, 0, 1, 1, 1, "restart_syscall continues a sleep; if not, the call is repeated whole")
FLAG(flock64_overflow, 1, 0, 0, 0, "F_GETLK64 gives EOVERFLOW above 2^31-1")
FLAG(clone_tls_raw, 1, 0, 0, 0, "clone: the upper half of x3 reaches TPIDR_EL0")
FLAG(clone_pidfd, 0, 1, 1, 1, "clone knows CLONE_PIDFD (5.2); if not, the bit has no meaning")
FLAG(wait_pidfd, 0, 1, 1, 1, "waitid knows P_PIDFD (5.4)")
FLAG(adjtime_state_lost, 1, 0, 0, 0, "clock_adjtime returns 0 in place of the clock's state")
FLAG(tid_address_wide, 1, 0, 0, 0, "PR_GET_TID_ADDRESS writes eight bytes")
FLAG(leader_status, 1, 1, 0, 0, "threads that all called exit leave the first one's status, not the last one's (6.0)")
FLAG(copies_fields, 1, 0, 0, 0, "structures are written field by field: their holes stay untouched")
FLAG(ipc_time_high, 0, 1, 1, 1, "semid64_ds and its kind carry the upper halves of times (4.18)")
FLAG(access_lp64, 1, 0, 0, 0, "access_ok() has the LP64 limit: 4 GiB only end what is mapped")
FLAG(map_shared_validate, 0, 1, 1, 1, "mmap knows MAP_SHARED_VALIDATE (4.15); if not, it is EINVAL as a type")
FLAG(io_submit_copies_first, 1, 0, 0, 0, "io_submit reads the whole list before it looks at the context")
MASK(membarrier_cmds, 0x19, 0x7f, 0x27f, 0x27f, "membarrier commands, without those that need CONFIG_RSEQ")
MASK(keyctl_ops, 0x20ffffff, 0x1ffffffff, 0x1ffffffff, 0x1ffffffff, "keyctl operations by their numbers (PKEY_: 4.20, MOVE, CAPABILITIES: 5.3, WATCH_KEY: 5.8)")
MASK(seccomp_flags, 0x3, 0x1f, 0x3f, 0x3f, "SECCOMP_FILTER_FLAG_ bits that the kernel knows")
FLAG(seccomp_user_notif, 0, 1, 1, 1, "SECCOMP_RET_USER_NOTIF is known (5.0)")
FLAG(seccomp_unknown_kills_all, 0, 1, 1, 1, "an unknown filter result kills the process, not the thread (5.10)")
FLAG(seccomp_raw_args, 1, 0, 0, 0, "filters see the upper halves of x1..x5")
FLAG(seccomp_strict_aarch32, 1, 0, 0, 0, "strict mode compares with AArch32 numbers: read and write kill")

/* --- signals ----------------------------------------------------------------------------------- */
FLAG(sa_restorer_honoured, 1, 0, 0, 1, "a handler returns to sa_restorer, not always to the vDSO")
FLAG(sigaction_clears_unknown, 0, 0, 1, 1, "rt_sigaction drops sa_flags that it does not know (5.11)")
FLAG(siginfo_raw_copy, 1, 0, 0, 0, "si_code < 0: 28 raw bytes in place of a field by field conversion")
FLAG(bad_frame_located, 0, 1, 1, 1, "SIGSEGV for a bad signal frame tells its address and why (4.17)")
FLAG(altstack_no_change, 0, 0, 1, 1, "sigaltstack with what is set already is 0 before its size is looked at (5.17)")
NUMBER(min_sigstack, 5120, 2048, 2048, 2048, "least size of an alternate stack, bytes")

/* --- address space ----------------------------------------------------------------------------- */
NUMBER(task_size, 0x100000000, 0xfffff000, 0xfffff000, 0xfffff000, "first address that nothing can be mapped at")

/* --- vDSO -------------------------------------------------------------------------------------- */
FLAG(vdso_linux_4_9, 0, 0, 0, 1, "the vDSO has this version node besides LINUX_4.12")
NUMBER(vvar_pages, 1, 2, 2, 2, "pages of [vvar]: since time namespaces (5.9) there is a second one")

/* --- programs ---------------------------------------------------------------------------------- */
FLAG(read_implies_exec_bug, 1, 0, 0, 0, "no PT_GNU_STACK, or one with RWX, sets READ_IMPLIES_EXEC")
NUMBER(max_phdrs_size, 4096, 4096, 65536, 65536, "most bytes of program headers (5.18)")
FLAG(first_noreplace, 0, 0, 1, 1, "the image may not replace the stack: MAP_FIXED_NOREPLACE (5.16)")
FLAG(strict_bss, 1, 1, 0, 0, "a bss tail that cannot be zeroed kills; p_filesz 0 still maps the file (6.6, 6.7)")
FLAG(phdr_by_segment, 0, 0, 1, 1, "AT_PHDR from the segment that holds the headers (5.18)")
FLAG(aligned_pie, 0, 1, 1, 1, "the base of a PIE honours p_align (5.10)")
FLAG(low_brk, 0, 1, 1, 1, "with ASLR, the brk of a static PIE goes to the PIE base (5.2)")
FLAG(sum_by_extremes, 0, 0, 1, 1, "size of an image from its lowest and highest segment, not first and last (5.18)")
FLAG(empty_argv_string, 0, 0, 1, 1, "an argument list of length 0 becomes one empty string (5.18)")

/* --- CPU features: what the kernel knows of. Fields unknown to it read as 0. ---------------------- */
FLAG(hwcap2_word, 0, 1, 1, 1, "AT_HWCAP2 has bits of its own, not AT_HWCAP's upper half (5.2)")
MASK(hwcap_mask, 0x1ffff, ABI_ANY, ABI_ANY, ABI_ANY, "AT_HWCAP bits: up to DCPOP in 4.14")
MASK(hwcap2_mask, 0, 0x7ffff, ABI_ANY, ABI_ANY, "AT_HWCAP2 bits: up to MTE in 5.10")
MASK(pfr0_mask, 0x00ff00ff, ABI_ANY, ABI_ANY, ABI_ANY, "ID_AA64PFR0_EL1 seen by MRS: AdvSIMD, FP, EL1, EL0")
MASK(pfr1_mask, 0, ABI_ANY, ABI_ANY, ABI_ANY, "ID_AA64PFR1_EL1 seen by MRS (4.20)")
MASK(isar0_mask, 0xf0fffff0, ABI_ANY, ABI_ANY, ABI_ANY, "ID_AA64ISAR0_EL1 seen by MRS: RDM, Atomic, CRC32, SHA2, SHA1, AES")
MASK(isar1_mask, 0x00fff00f, ABI_ANY, ABI_ANY, ABI_ANY, "ID_AA64ISAR1_EL1 seen by MRS: LRCPC, FCMA, JSCVT, DPB")
MASK(mmfr2_mask, 0, ABI_ANY, ABI_ANY, ABI_ANY, "ID_AA64MMFR2_EL1 seen by MRS (4.17)")
/* clang-format on */
