/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "abi/describe.h"

#define HOST struct host_rusage
DESCRIBE(rusage, 72, "linux/resource.h", "struct rusage",
	 F(ru_utime, 0, 8, NEST, NESTED, .sub = &abi_st_timeval, .key = true),
	 F(ru_stime, 8, 8, NEST, NESTED, .sub = &abi_st_timeval, .key = true),
	 F(ru_maxrss, 16, 4, SEXT, DEC), F(ru_ixrss, 20, 4, SEXT, DEC),
	 F(ru_idrss, 24, 4, SEXT, DEC), F(ru_isrss, 28, 4, SEXT, DEC),
	 F(ru_minflt, 32, 4, SEXT, DEC), F(ru_majflt, 36, 4, SEXT, DEC),
	 F(ru_nswap, 40, 4, SEXT, DEC), F(ru_inblock, 44, 4, SEXT, DEC),
	 F(ru_oublock, 48, 4, SEXT, DEC), F(ru_msgsnd, 52, 4, SEXT, DEC),
	 F(ru_msgrcv, 56, 4, SEXT, DEC), F(ru_nsignals, 60, 4, SEXT, DEC),
	 F(ru_nvcsw, 64, 4, SEXT, DEC), F(ru_nivcsw, 68, 4, SEXT, DEC));
#undef HOST

#define HOST struct host_rlimit
DESCRIBE_SAME(rlimit, 16, "linux/resource.h", "struct rlimit64", F(rlim_cur, 0, 8, COPY, UDEC),
	      F(rlim_max, 8, 8, COPY, UDEC));
/* Of the historic getrlimit: what does not fit is infinity, which handlers see to. */
DESCRIBE(rlimit32, 8, "linux/resource.h", "struct rlimit", F(rlim_cur, 0, 4, ZEXT, UDEC),
	 F(rlim_max, 4, 4, ZEXT, UDEC));
#undef HOST

/* Sizes that do not fit are scaled before the conversion, see sys_sysinfo(). */
#define HOST struct host_sysinfo
DESCRIBE_HOLES(sysinfo, 64, "linux/sysinfo.h", "struct sysinfo", F(uptime, 0, 4, SEXT, DEC),
	       F_ARRAY(loads, 4, 4, 3, ZEXT, UDEC), F(totalram, 16, 4, ZEXT, UDEC),
	       F(freeram, 20, 4, ZEXT, UDEC), F(sharedram, 24, 4, ZEXT, UDEC),
	       F(bufferram, 28, 4, ZEXT, UDEC), F(totalswap, 32, 4, ZEXT, UDEC),
	       F(freeswap, 36, 4, ZEXT, UDEC), F(procs, 40, 2, COPY, UDEC), F_GAP(42, 2, HOLE),
	       F(totalhigh, 44, 4, ZEXT, UDEC), F(freehigh, 48, 4, ZEXT, UDEC),
	       F(mem_unit, 52, 4, COPY, UDEC), F_GAP(56, 8, HOLE));
#undef HOST

#define HOST struct host_utsname
DESCRIBE_SAME(utsname, 390, "linux/utsname.h", "struct new_utsname",
	      F(sysname, 0, 65, COPY, STRING), F(nodename, 65, 65, COPY, STRING),
	      F(release, 130, 65, COPY, STRING), F(version, 195, 65, COPY, STRING),
	      F(machine, 260, 65, COPY, STRING), F(domainname, 325, 65, COPY, STRING));
#undef HOST

#define HOST struct host_sched_param
DESCRIBE_SAME(sched_param, 4, NULL, NULL, F(sched_priority, 0, 4, COPY, DEC));
#undef HOST

#define HOST struct host_sched_attr
DESCRIBE_SAME(sched_attr, 56, "linux/sched/types.h", "struct sched_attr", F(size, 0, 4, COPY, UDEC),
	      F_SYM(sched_policy, 4, 4, COPY, sched_policy), F(sched_flags, 8, 8, COPY, HEX),
	      F(sched_nice, 16, 4, COPY, DEC), F(sched_priority, 20, 4, COPY, UDEC),
	      F(sched_runtime, 24, 8, COPY, UDEC), F(sched_deadline, 32, 8, COPY, UDEC),
	      F(sched_period, 40, 8, COPY, UDEC), F(sched_util_min, 48, 4, COPY, UDEC),
	      F(sched_util_max, 52, 4, COPY, UDEC));
#undef HOST

/* Handler and restorer stay guest addresses: the host never runs them. */
#define HOST struct host_sigaction
DESCRIBE(sigaction, 20, NULL, NULL,
	 F_OF(sa_handler, handler, 0, 4, ZEXT, SYMBOL, .symbols = &abi_sym_sig_handler),
	 F_OF(sa_mask, mask, 12, 8, COPY, SIGMASK),
	 F_OF(sa_flags, flags, 4, 4, ZEXT, SYMBOL, .symbols = &abi_sym_sa_flags),
	 F_OF(sa_restorer, restorer, 8, 4, ZEXT, GPTR));
#undef HOST

/* ss_sp stays a guest address, for the same reason. */
#define HOST struct host_stack
DESCRIBE(stack_t, 12, "asm/signal.h", "stack_t", F(ss_sp, 0, 4, ZEXT, GPTR),
	 F_SYM(ss_flags, 4, 4, COPY, ss_flags), F(ss_size, 8, 4, ZEXT, UDEC));
#undef HOST

/* The value comes back to the guest as it is, so a pointer in it stays a guest address. */
#define HOST struct host_sigevent
DESCRIBE(sigevent, 64, NULL, NULL, F(sigev_value, 0, 4, ZEXT, HEX),
	 F(sigev_signo, 4, 4, COPY, SIGNAL), F_SYM(sigev_notify, 8, 4, COPY, sigev_notify),
	 F_OF(sigev_notify_thread_id, tid, 12, 4, COPY, DEC), F_PAD(16, 48));
#undef HOST

#define HOST struct host_sigset_arg
DESCRIBE(sigset_arg, 8, NULL, NULL, F(ss, 0, 4, PTR, GPTR), F(ss_len, 4, 4, ZEXT, UDEC));
#undef HOST

#define HOST struct host_sock_fprog
DESCRIBE(sock_fprog, 8, "linux/filter.h", "struct sock_fprog", F(len, 0, 2, COPY, UDEC),
	 F_PAD(2, 2), F(filter, 4, 4, PTR, GPTR));
#undef HOST

/* buf is the caller's memory, mem an address of the machine. */
#define HOST struct host_kexec_segment
DESCRIBE(kexec_segment, 16, NULL, NULL, F(buf, 0, 4, ZEXT, GPTR), F(bufsz, 4, 4, ZEXT, UDEC),
	 F(mem, 8, 4, ZEXT, HEX), F(memsz, 12, 4, ZEXT, UDEC));
#undef HOST
