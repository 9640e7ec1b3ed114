/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
/* which bytes do the structure-returning system calls write */
static s64 prep_read(u64 a, u64 b, u64 c) { return 0; }
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 fd, r; u32 i; int st;
	static u8 t[4096];
	WROTE("uname (160)", S1(160, BUF));
	P("   sysname=%s nodename=%s release=%s version=%s machine=%s domain=%s\n", wA, wA + 65, wA + 130, wA + 195, wA + 260, wA + 325);
	P("personality(0xffffffff) = %X\n", (u64)S1(92, 0xffffffffu));
	P("personality(8 PER_LINUX32) = %X\n", (u64)S1(92, 8)); WROTE("uname after PER_LINUX32", S1(160, BUF)); P("   machine=%s\n", wA + 260);
	P("personality(0) = %X\n", (u64)S1(92, 0));
	/* a known file */
	S3(35, -100, PT("/tmp/probe.dat"), 0);
	fd = S4(56, -100, PT("/tmp/probe.dat"), 0102, 0640); for (i = 0; i < 3; i++) S3(64, fd, PT(t), 1000);
	{ u32 ts[4] = { 1111111111, 111111111, 1222222222, 222222222 }; P("utimensat ret %D\n", S4(88, -100, PT("/tmp/probe.dat"), PT(ts), 0)); }
	WROTE("fstat (80)", S2(80, fd, BUF));
	WROTE("newfstatat (79)", S4(79, -100, PT("/tmp/probe.dat"), BUF, 0));
	{ u32 ts[4] = { 0xfffffff0u, 5, 0x80000000u, 6 }; P("utimensat negative ret %D\n", S4(88, -100, PT("/tmp/probe.dat"), PT(ts), 0)); }
	WROTE("fstat with negative times", S2(80, fd, BUF));
	{ u64 ts[4] = { 1111111111, 111111111, 1222222222, 222222222 }; P("utimensat with 64-bit timespecs ret %D\n", S4(88, -100, PT("/tmp/probe.dat"), PT(ts), 0)); }
	WROTE("fstat after 64-bit timespecs", S2(80, fd, BUF));
	WROTE("newfstatat /dev/null", S4(79, -100, PT("/dev/null"), BUF, 0));
	WROTE("newfstatat /dev/pts", S4(79, -100, PT("/dev/ptmx"), BUF, 0));
	WROTE("statx (291)", S5(291, -100, PT("/tmp/probe.dat"), 0, 0xfff, BUF));
	/* big file */
	P("ftruncate to 5GiB+: pair (x1 = pad) ret %D\n", S4(46, fd, 0, 0x40000000u, 1)); WROTE("fstat 5GiB", S2(80, fd, BUF));
	P("lseek? nr 62 (llseek) args fd,hi,lo,res,whence\n"); WROTE("llseek(62) hi=1 lo=5", S5(62, fd, 1, 5, BUF, 0));
	P("lseek as lp64 (fd,100,0): %D\n", S3(62, fd, 100, 0));
	for (i = 0; i < 5; i++) { static const u32 sz[] = { 64, 84, 88, 96, 120 }; memset(t, 0xa5, 256); r = S3(43, PT("/tmp"), sz[i], PT(t)); P("statfs64(\"/tmp\", size %d) = %D, bytes [84..88) after: %x\n", sz[i], r, *(u32 *)(t + 84)); }
	WROTE("statfs64 (43) /tmp size 84", S3(43, PT("/tmp"), 84, BUF));
	WROTE("statfs64 (43) /tmp size 88", S3(43, PT("/tmp"), 88, BUF));
	WROTE("fstatfs64 (44) size 88", S3(44, fd, 88, BUF));
	WROTE("statfs64 /proc size 88", S3(43, PT("/proc"), 88, BUF));
	WROTE("statfs64 called with lp64 args (path, buf)", S2(43, PT("/tmp"), BUF));
	WROTE("clock_gettime REALTIME (113)", S2(113, 0, BUF)); WROTE("clock_gettime MONOTONIC", S2(113, 1, BUF)); WROTE("clock_gettime CPUTIME(3)", S2(113, 3, BUF));
	WROTE("clock_getres (114)", S2(114, 1, BUF)); WROTE("clock_getres COARSE", S2(114, 5, BUF));
	WROTE("gettimeofday (169) tv", S2(169, BUF, 0)); WROTE("gettimeofday tz", S2(169, 0, BUF));
	WROTE("times (153)", S1(153, BUF)); WROTE("getrusage SELF (165)", S2(165, 0, BUF));
	WROTE("sysinfo (179)", S1(179, BUF));
	WROTE("getrlimit (163) STACK", S2(163, 3, BUF)); WROTE("getrlimit NOFILE", S2(163, 7, BUF)); WROTE("getrlimit AS", S2(163, 9, BUF));
	WROTE("prlimit64 (261) STACK", S4(261, 0, 3, 0, BUF)); WROTE("prlimit64 AS", S4(261, 0, 9, 0, BUF));
	{ u32 rl[2] = { 0x7fffffff, 0xffffffff }; P("setrlimit(164) AS {7fffffff, ffffffff} = %D\n", S2(164, 9, PT(rl))); WROTE("prlimit64 AS after", S4(261, 0, 9, 0, BUF)); }
	{ u64 rl[2] = { 0x300000000ull, ~0ull }; P("prlimit64 set AS {3_00000000, inf} = %D\n", S4(261, 0, 9, PT(rl), 0)); WROTE("getrlimit AS after", S2(163, 9, BUF)); WROTE("prlimit64 AS after", S4(261, 0, 9, 0, BUF)); }
	{ u32 it[4] = { 5, 6000, 7, 8000 }; P("setitimer REAL {5,6000,7,8000} = %D\n", S3(103, 0, PT(it), 0)); WROTE("getitimer (102)", S2(102, 0, BUF)); memset(it, 0, sizeof it); WROTE("setitimer old (103)", S3(103, 0, PT(it), BUF)); }
	WROTE("adjtimex (171) modes 0", ({ memset((void *)(unsigned long)BUF, 0, 4); S1(171, BUF); }));
	WROTE("clock_adjtime (266)", ({ memset((void *)(unsigned long)BUF, 0, 4); S2(266, 0, BUF); }));
	WROTE("sched_getparam (121)", S2(121, 0, BUF)); WROTE("sched_rr_get_interval (127)", S2(127, 0, BUF)); WROTE("sched_getattr (275)", S4(275, 0, BUF, 48, 0));
	P("sched_getscheduler %D, prio_max(FIFO) %D min %D\n", S1(120, 0), S1(125, 1), S1(126, 1));
	WROTE("sched_getaffinity (123) len 128", S3(123, 0, 128, BUF)); WROTE("sched_getaffinity len 8", S3(123, 0, 8, BUF)); WROTE("sched_getaffinity len 4", S3(123, 0, 4, BUF)); WROTE("sched_getaffinity len 6", S3(123, 0, 6, BUF));
	WROTE("getcpu (168)", S3(168, BUF, BUF + 16, 0));
	WROTE("getgroups(158) size 32", S2(158, 32, BUF)); { u32 g[3] = { 1, 70000, 3 }; P("setgroups {1,70000,3} %D\n", S2(159, 3, PT(g))); } WROTE("getgroups(158) size 32 after", S2(158, 32, BUF));
	WROTE("getresuid(148)", S3(148, BUF, BUF + 16, BUF + 32));
	WROTE("capget (90)", ({ u32 h[2] = { 0x20080522, 0 }; S2(90, PT(h), BUF); }));
	WROTE("getcwd(17)", S2(17, BUF, 256)); WROTE("readlinkat exe", S4(78, -100, PT("/proc/self/exe"), BUF, 256));
	WROTE("pipe2 (59)", S2(59, BUF, 0)); WROTE("socketpair(199)", S4(199, 1, 1, 0, BUF));
	WROTE("getrandom (278) 16", S3(278, BUF, 16, 0));
	WROTE("get_robust_list(100)", S3(100, 0, BUF, BUF + 8));
	P("set_robust_list len 24: %D, len 12: %D, len 16 %D\n", S2(99, PT(t), 24), S2(99, PT(t), 12), S2(99, PT(t), 16)); WROTE("get_robust_list after", S3(100, 0, BUF, BUF + 8));
	P("set_tid_address(%p) = %D, gettid %D getpid %D\n", (u32)(unsigned long)t, S1(96, PT(t)), S0(178), S0(172));
	WROTE("prctl PR_GET_TID_ADDRESS(40)", S2(167, 40, BUF)); WROTE("prctl PR_GET_NAME(16)", S2(167, 16, BUF)); WROTE("prctl PR_GET_PDEATHSIG(2)", S2(167, 2, BUF)); WROTE("prctl PR_GET_UNALIGN(5)", S2(167, 5, BUF)); WROTE("prctl PR_GET_CHILD_SUBREAPER(37)", S2(167, 37, BUF));
	/* dirs */
	S3(34, -100, PT("/tmp/dd"), 0755); S4(56, -100, PT("/tmp/dd/a-file"), 0102, 0600); S3(36, PT("target"), -100, PT("/tmp/dd/slink"));
	r = S4(56, -100, PT("/tmp/dd"), 0x4000 | 0, 0); P("open dir O_DIRECTORY=0x4000: %D\n", r);
	WROTE("getdents64 (61)", ({ S5(62, r, 0, 0, PT(t), 0); S3(61, r, BUF, 1024); }));
	P("open flag tests: O_DIRECTORY 0x4000 on file %D; 0x10000 on file %D; O_NOFOLLOW 0x8000 on symlink %D; O_LARGEFILE none on 5G file %D\n",
	  S4(56, -100, PT("/tmp/probe.dat"), 0x4000, 0), S4(56, -100, PT("/tmp/probe.dat"), 0x10000, 0), S4(56, -100, PT("/tmp/dd/slink"), 0x8000, 0), S4(56, -100, PT("/tmp/probe.dat"), 0, 0));
	r = S4(56, -100, PT("/tmp/probe.dat"), 0, 0); P("fcntl F_GETFL of O_RDONLY open: %X\n", (u64)S3(25, r, 3, 0));
	r = S4(56, -100, PT("/tmp/probe.dat"), 0400000|2, 0); P("fcntl F_GETFL of open with 0400000 (0x20000): %X\n", (u64)S3(25, r, 3, 0));
	/* locks: child holds locks and parent queries */
	{
		static const int cmds[] = { 5, 12, 36 }; static const char *cn[] = { "F_GETLK(5)", "cmd 12 (F_GETLK64)", "F_OFD_GETLK(36)" };
		struct { u16 type, whence; u32 start, len, pid; u32 pad[8]; } fl32; struct { u16 type, whence; u32 pad; u64 start, len; u32 pid, p2; } fl64;
		s64 pfd[2], c; u32 pp[2]; S2(59, PT(pp), 0);
		c = forkp();
		if (!c) { s64 r32, r64; memset(&fl64, 0, sizeof fl64); fl64.type = 1; fl64.start = 0x100000010ull; fl64.len = 0x20; r64 = S3(25, fd, 13, PT(&fl64)); memset(&fl32, 0, sizeof fl32); fl32.type = 1; fl32.start = 100; fl32.len = 50; r32 = S3(25, fd, 6, PT(&fl32)); P("child: F_SETLK(6) with {s16,s16,s32 start,s32 len} = %D; cmd 13 with 64-bit struct = %D\n", r32, r64); flush(); S3(64, pp[1], PT("x"), 1); S4(101, PT(((u32[]){ 2, 0 })), 0, 0, 0); xit(0); }
		S3(63, pp[0], PT(t), 1);
		for (i = 0; i < 3; i++) {
			P("-- %s\n", cn[i]);
			WROTE("  64-bit layout, zero", ({ memset((void *)(unsigned long)BUF, 0, 64); ((u16 *)(unsigned long)BUF)[0] = 1; S3(25, fd, cmds[i], BUF); }));
			WROTE("  32-bit layout, zero, pattern behind", ({ memset((void *)(unsigned long)BUF, 0, 12); ((u16 *)(unsigned long)BUF)[0] = 1; S3(25, fd, cmds[i], BUF); }));
		}
		catfile("/proc/locks"); S2(129, c, 9); waitp(c);
	}
	WROTE("wait4 with rusage (260)", ({ s64 c = forkp(); if (!c) xit(3); S4(260, c, BUF, 0, BUF + 16); }));
	WROTE("waitid (95) siginfo at 0, rusage at 256", ({ s64 c = forkp(); if (!c) xit(3); S5(95, 1, c, BUF, 4, BUF + 256); }));
	return 0;
}
