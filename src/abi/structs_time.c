/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times. The 32-bit forms are sign-extended in and cut off without error out, beyond 2038 too. */
#include "abi/describe.h"

#define HOST struct host_timespec
DESCRIBE(timespec, 8, "linux/time_types.h", "struct __kernel_old_timespec",
	 F(tv_sec, 0, 4, SEXT, DEC), F(tv_nsec, 4, 4, SEXT, DEC));
/* The kernel ignores the upper half of tv_nsec of a 32-bit caller, so this is not a plain copy. */
DESCRIBE(timespec64, 16, "linux/time_types.h", "struct __kernel_timespec",
	 F(tv_sec, 0, 8, COPY, DEC), F(tv_nsec, 8, 4, ZEXT, DEC), F_PAD(12, 4));
#undef HOST

#define HOST struct host_timeval
DESCRIBE(timeval, 8, "linux/time_types.h", "struct __kernel_old_timeval",
	 F(tv_sec, 0, 4, SEXT, DEC), F(tv_usec, 4, 4, SEXT, DEC));
DESCRIBE_SAME(timex_time64, 16, NULL, NULL, F(tv_sec, 0, 8, COPY, DEC),
	      F(tv_usec, 8, 8, COPY, DEC));
#undef HOST

#define HOST struct host_itimerspec
DESCRIBE(itimerspec, 16, NULL, NULL, F_NEST(it_interval, 0, 8, timespec),
	 F_NEST(it_value, 8, 8, timespec));
DESCRIBE(itimerspec64, 32, "linux/time_types.h", "struct __kernel_itimerspec",
	 F_NEST(it_interval, 0, 16, timespec64), F_NEST(it_value, 16, 16, timespec64));
#undef HOST

#define HOST struct host_itimerval
DESCRIBE(itimerval, 16, "linux/time_types.h", "struct __kernel_old_itimerval",
	 F_NEST(it_interval, 0, 8, timeval), F_NEST(it_value, 8, 8, timeval));
#undef HOST

#define HOST struct host_timezone
DESCRIBE_SAME(timezone, 8, "linux/time.h", "struct timezone", F(tz_minuteswest, 0, 4, COPY, DEC),
	      F(tz_dsttime, 4, 4, COPY, DEC));
#undef HOST

#define HOST struct host_tms
DESCRIBE(tms, 16, "linux/times.h", "struct tms", F(tms_utime, 0, 4, SEXT, DEC),
	 F(tms_stime, 4, 4, SEXT, DEC), F(tms_cutime, 8, 4, SEXT, DEC),
	 F(tms_cstime, 12, 4, SEXT, DEC));
#undef HOST

#define HOST struct host_timex
DESCRIBE(timex, 128, "linux/timex.h", "struct timex", F_SYM(modes, 0, 4, COPY, timex_modes),
	 F(offset, 4, 4, SEXT, DEC), F(freq, 8, 4, SEXT, DEC), F(maxerror, 12, 4, SEXT, DEC),
	 F(esterror, 16, 4, SEXT, DEC), F(status, 20, 4, COPY, HEX), F(constant, 24, 4, SEXT, DEC),
	 F(precision, 28, 4, SEXT, DEC), F(tolerance, 32, 4, SEXT, DEC),
	 F_NEST(time, 36, 8, timeval), F(tick, 44, 4, SEXT, DEC), F(ppsfreq, 48, 4, SEXT, DEC),
	 F(jitter, 52, 4, SEXT, DEC), F(shift, 56, 4, COPY, DEC), F(stabil, 60, 4, SEXT, DEC),
	 F(jitcnt, 64, 4, SEXT, DEC), F(calcnt, 68, 4, SEXT, DEC), F(errcnt, 72, 4, SEXT, DEC),
	 F(stbcnt, 76, 4, SEXT, DEC), F(tai, 80, 4, COPY, DEC), F_PAD(84, 44));
DESCRIBE_SAME(timex64, 208, NULL, NULL, F_SYM(modes, 0, 4, COPY, timex_modes),
	      F(offset, 8, 8, COPY, DEC), F(freq, 16, 8, COPY, DEC), F(maxerror, 24, 8, COPY, DEC),
	      F(esterror, 32, 8, COPY, DEC), F(status, 40, 4, COPY, HEX),
	      F(constant, 48, 8, COPY, DEC), F(precision, 56, 8, COPY, DEC),
	      F(tolerance, 64, 8, COPY, DEC), F_NEST(time, 72, 16, timex_time64),
	      F(tick, 88, 8, COPY, DEC), F(ppsfreq, 96, 8, COPY, DEC), F(jitter, 104, 8, COPY, DEC),
	      F(shift, 112, 4, COPY, DEC), F(stabil, 120, 8, COPY, DEC),
	      F(jitcnt, 128, 8, COPY, DEC), F(calcnt, 136, 8, COPY, DEC),
	      F(errcnt, 144, 8, COPY, DEC), F(stbcnt, 152, 8, COPY, DEC),
	      F(tai, 160, 4, COPY, DEC));
#undef HOST
