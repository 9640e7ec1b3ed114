/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals. See rows.h. */
/* clang-format off */
SYS(74, signalfd4, ALL, FD, NO_BLOCK, HOST(signalfd4), A(FD, fd), SIGSET(mask, 2), A(UINT, sigsetsize), FLAGS(flags, signalfd_flags))
SYS(129, kill, ALL, INT, NO_BLOCK, HOST(kill), A(PID, pid), A(SIGNO, sig))
SYS(130, tkill, ALL, INT, NO_BLOCK, HOST(tkill), A(PID, tid), A(SIGNO, sig))
SYS(131, tgkill, ALL, INT, NO_BLOCK, HOST(tgkill), A(PID, tgid), A(PID, tid), A(SIGNO, sig))
SYS(132, sigaltstack, ALL, INT, NO_BLOCK, FULL(sys_sigaltstack), IN_OPT(ss, stack_t), OUT_OPT(old_ss, stack_t))
SYS(133, rt_sigsuspend, ALL, INT, NOHAND, HANDLER(sys_rt_sigsuspend), SIGSET(mask, 1), A(UINT, sigsetsize))
SYS(134, rt_sigaction, ALL, INT, NO_BLOCK, HANDLER(sys_rt_sigaction), A(SIGNO, signum), IN_OPT(act, sigaction), OUT_OPT(oldact, sigaction), A(UINT, sigsetsize))
SYS(135, rt_sigprocmask, ALL, INT, NO_BLOCK, HANDLER(sys_rt_sigprocmask), SYM(how, sigprocmask_how), SIGSET_OPT(set, 3), SIGSET_OUT_OPT(oldset, 3), A(UINT, sigsetsize))
SYS(136, rt_sigpending, ALL, INT, NO_BLOCK, HANDLER(sys_rt_sigpending), SIGSET_OUT(set, 1), A(UINT, sigsetsize))
SYS(137, rt_sigtimedwait, ALL, INT, EINTR, HANDLER(sys_rt_sigtimedwait), SIGSET(set, 3), SIGINFO_OUT_OPT(info), IN_OPT(timeout, timespec), A(UINT, sigsetsize))
SYS(138, rt_sigqueueinfo, ALL, INT, NO_BLOCK, HANDLER(sys_rt_sigqueueinfo), A(PID, tgid), A(SIGNO, sig), SIGINFO_IN(info))
SYS(139, rt_sigreturn, ALL, NONE, NO_BLOCK, FULL(sys_rt_sigreturn))
SYS(240, rt_tgsigqueueinfo, ALL, INT, NO_BLOCK, HANDLER(sys_rt_tgsigqueueinfo), A(PID, tgid), A(PID, tid), A(SIGNO, sig), SIGINFO_IN(info))
SYS(421, rt_sigtimedwait_time64, SINCE_6_6, INT, EINTR, HANDLER(sys_rt_sigtimedwait), SIGSET(set, 3), SIGINFO_OUT_OPT(info), IN_OPT(timeout, timespec64), A(UINT, sigsetsize))
SYS(424, pidfd_send_signal, SINCE_5_10, INT, NO_BLOCK, HANDLER(sys_pidfd_send_signal), A(FD, pidfd), A(SIGNO, sig), SIGINFO_IN_OPT(info), A(HEX, flags))
