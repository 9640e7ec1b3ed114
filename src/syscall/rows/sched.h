/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scheduling. See rows.h. */
/* clang-format off */
SYS(30, ioprio_set, ALL, INT, NO_BLOCK, HOST(ioprio_set), SYM(which, ioprio_which), A(INT, who), A(HEX, ioprio))
SYS(31, ioprio_get, ALL, HEX, NO_BLOCK, HOST(ioprio_get), SYM(which, ioprio_which), A(INT, who))
SYS(118, sched_setparam, ALL, INT, NO_BLOCK, HOST(sched_setparam), A(PID, pid), IN(param, sched_param))
SYS(119, sched_setscheduler, ALL, INT, NO_BLOCK, HOST(sched_setscheduler), A(PID, pid), FLAGS(policy, sched_policy), IN(param, sched_param))
SYS(120, sched_getscheduler, ALL, INT, NO_BLOCK, HOST(sched_getscheduler), A(PID, pid))
SYS(121, sched_getparam, ALL, INT, NO_BLOCK, HOST(sched_getparam), A(PID, pid), OUT(param, sched_param))
SYS(122, sched_setaffinity, ALL, INT, NO_BLOCK, HOST(sched_setaffinity), A(PID, pid), A(UINT, len), BUF_IN(mask, 1))
SYS(123, sched_getaffinity, ALL, SIZE, NO_BLOCK, HANDLER(sys_sched_getaffinity), A(PID, pid), A(UINT, len), BUF_OUT(mask, 1))
SYS(124, sched_yield, ALL, INT, EINTR, HOST(sched_yield))
SYS(125, sched_get_priority_max, ALL, INT, NO_BLOCK, HOST(sched_get_priority_max), FLAGS(policy, sched_policy))
SYS(126, sched_get_priority_min, ALL, INT, NO_BLOCK, HOST(sched_get_priority_min), FLAGS(policy, sched_policy))
SYS(127, sched_rr_get_interval, ALL, INT, NO_BLOCK, HOST(sched_rr_get_interval), A(PID, pid), OUT(interval, timespec))
SYS(168, getcpu, ALL, INT, NO_BLOCK, HOST(getcpu), INT_OUT_OPT(cpu), INT_OUT_OPT(node))
SYS(274, sched_setattr, ALL, INT, NO_BLOCK, HOST(sched_setattr), A(PID, pid), PTR_VARIANT(attr, sched_attr_arg, "numbers of 32 and 64 bits, as many as the first one says"), A(HEX, flags))
SYS(275, sched_getattr, ALL, INT, NO_BLOCK, HOST(sched_getattr), A(PID, pid), PTR(attr, "numbers of 32 and 64 bits, as many as the first one says"), A(UINT, size), A(HEX, flags))
SYS(423, sched_rr_get_interval_time64, SINCE_6_6, INT, NO_BLOCK, HOST(sched_rr_get_interval), A(PID, pid), OUT(interval, timespec64))
