/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals. See rows.h. */
/* clang-format off */
SYS(74, signalfd4, ALL, FD, NO_BLOCK, HOST(signalfd4), A(FD, fd), SIGSET(mask, 2), A(UINT, sigsetsize), OPENFLAGS(flags))
SYS(129, kill, ALL, INT, NO_BLOCK, TODO, A(PID, pid), A(SIGNO, sig))
SYS(130, tkill, ALL, INT, NO_BLOCK, TODO, A(PID, tid), A(SIGNO, sig))
SYS(131, tgkill, ALL, INT, NO_BLOCK, TODO, A(PID, tgid), A(PID, tid), A(SIGNO, sig))
SYS(132, sigaltstack, ALL, INT, NO_BLOCK, TODO, IN_OPT(ss, stack_t), OUT_OPT(old_ss, stack_t))
SYS(133, rt_sigsuspend, ALL, INT, NOHAND, TODO, SIGSET(mask, 1), A(UINT, sigsetsize))
SYS(134, rt_sigaction, ALL, INT, NO_BLOCK, TODO, A(SIGNO, signum), IN_OPT(act, sigaction), OUT_OPT(oldact, sigaction), A(UINT, sigsetsize))
SYS(135, rt_sigprocmask, ALL, INT, NO_BLOCK, TODO, SYM(how, sigprocmask_how), SIGSET_OPT(set, 3), SIGSET_OUT_OPT(oldset, 3), A(UINT, sigsetsize))
SYS(136, rt_sigpending, ALL, INT, NO_BLOCK, TODO, SIGSET_OUT(set, 1), A(UINT, sigsetsize))
SYS(137, rt_sigtimedwait, ALL, INT, EINTR, TODO, SIGSET(set, 3), OPAQUE(info), IN_OPT(timeout, timespec), A(UINT, sigsetsize))
SYS(138, rt_sigqueueinfo, ALL, INT, NO_BLOCK, TODO, A(PID, tgid), A(SIGNO, sig), OPAQUE(info))
SYS(139, rt_sigreturn, ALL, NONE, NO_BLOCK, TODO)
SYS(240, rt_tgsigqueueinfo, ALL, INT, NO_BLOCK, TODO, A(PID, tgid), A(PID, tid), A(SIGNO, sig), OPAQUE(info))
SYS(421, rt_sigtimedwait_time64, SINCE_6_6, INT, EINTR, TODO, SIGSET(set, 3), OPAQUE(info), IN_OPT(timeout, timespec64), A(UINT, sigsetsize))
SYS(424, pidfd_send_signal, SINCE_5_10, INT, NO_BLOCK, TODO, A(FD, pidfd), A(SIGNO, sig), OPAQUE(info), A(HEX, flags))
