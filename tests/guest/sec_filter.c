/* SPDX-License-Identifier: GPL-2.0-or-later */
/* seccomp: which filters are taken, what they see, what becomes of the call, who inherits them. Expected
 * values from kernel/seccomp.c and net/core/filter.c of Linux 4.14 to 6.6; siginfo as recorded. */
#include "proc.h"

enum { SYS_setresuid = 147, SYS_getegid = 177, SYS_seccomp = 277 };
enum { PR_GET_SECCOMP = 21, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 38 };
enum { STRICT, FILTER, ACTION_AVAIL };
#define ALLOW        0x7fff0000u
#define LOG          0x7ffc0000u
#define TRACE        0x7ff00000u
#define USER_NOTIF   0x7fc00000u
#define ERRNO        0x00050000u
#define TRAP         0x00030000u
#define KILL_THREAD  0u
#define KILL_PROCESS 0x80000000u

struct insn {
	u16 code;
	u8 jt, jf;
	u32 k;
};
struct prog {
	u16 len;
	const struct insn *insn;
};
_Static_assert(sizeof(struct prog) == 8, "sock_fprog");
#define LD(at)   \
 {               \
  0x20, 0, 0, at \
 }
#define RET(k)  \
 {              \
  0x06, 0, 0, k \
 }
#define JEQ(k, jt, jf) \
 {                     \
  0x15, jt, jf, k      \
 }

static s64 filter_flags(u32 flags, const struct insn *insn, u32 len)
{
	struct prog p = {(u16)len, insn};

	return sys(SYS_seccomp, FILTER, flags, &p);
}
#define filter(...)                                \
 ({                                                \
static const struct insn insn_[] = {__VA_ARGS__};       \
filter_flags(0, insn_, sizeof(insn_) / sizeof(*insn_)); \
 })

/* getuid gives RESULT's action, all else goes on. */
#define on_getuid(result) filter(LD(0), JEQ(174, 0, 1), RET(result), RET(ALLOW))

#define IN_CHILD(name, ...)                                \
 do {                                                      \
  s64 pid_ = fork_();                                      \
  if (!pid_) {                                             \
   __VA_ARGS__;                                            \
   quit(0);                                                \
  }                                                        \
  print("%s: status %x\n", name, wait_for(pid_) & 0xff7f); \
 } while (0)

/* --- what is taken ------------------------------------------------------------------------------ */

static void refused(void)
{
	static struct insn big[4097];
	struct prog p = {1, (const struct insn *)0xfffffffc};

	print("calls: operation 4 %ld, strict with flags %ld, with args %ld, unknown flag %ld\n",
	      sys(SYS_seccomp, 4, 0, 0), sys(SYS_seccomp, STRICT, 1, 0),
	      sys(SYS_seccomp, STRICT, 0, &p), sys(SYS_seccomp, FILTER, 0x100, &p));
	print("programs: NULL %ld, at the end %ld, instructions at the end %ld, none %ld, 4097 %ld\n",
	      sys(SYS_seccomp, FILTER, 0, 0), sys(SYS_seccomp, FILTER, 0, 0xfffffffc),
	      sys(SYS_seccomp, FILTER, 0, &p), filter_flags(0, big, 0), filter_flags(0, big, 4097));
	print("checks: no return %ld, word 64 %ld, unaligned %ld, jump out %ld %ld, memory %ld, word 16 %ld",
	      filter(LD(0)), filter(LD(64), RET(ALLOW)), filter(LD(2), RET(ALLOW)),
	      filter(JEQ(0, 1, 0), RET(ALLOW)), filter({5, 0, 0, 1}, RET(ALLOW)),
	      filter({0x60, 0, 0, 0}, RET(ALLOW)), filter({0x02, 0, 0, 16}, RET(ALLOW)));
	/* Written on one way only. */
	print(", one way %ld", filter(JEQ(0, 0, 1), {0x02, 0, 0, 0}, {0x60, 0, 0, 0}, RET(ALLOW)));
	print(", by 0 %ld, modulo %ld, byte %ld, packet length %ld\n",
	      filter({0x34, 0, 0, 0}, RET(ALLOW)), filter({0x94, 0, 0, 3}, RET(ALLOW)),
	      filter({0x30, 0, 0, 0}, RET(ALLOW)), filter({0x80, 0, 0, 0}, RET(ALLOW)));
}

static void actions(void)
{
	u32 a;

	print("available:");
	for (u32 i = 0; i < 8; i++) {
		static const u32 list[] = {ALLOW, LOG,         TRACE,        ERRNO,
					   TRAP,  KILL_THREAD, KILL_PROCESS, 0x12340000};

		a = list[i];
		print(" %ld", sys(SYS_seccomp, ACTION_AVAIL, 0, &a));
	}
	print(", flags %ld, NULL %ld\n", sys(SYS_seccomp, ACTION_AVAIL, 1, &a),
	      sys(SYS_seccomp, ACTION_AVAIL, 0, 0));
}

static void without_privilege(void)
{
	sys(SYS_setresuid, 1, 1, 1);
	print("no privilege: %ld", on_getuid(ALLOW));
	print(", bad pointer first %ld", sys(SYS_seccomp, FILTER, 0, 0));
	sys(NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	print(", with no_new_privs %ld\n", on_getuid(ALLOW));
}

/* --- what they do ----------------------------------------------------------------------------------- */

static void trapped(int sig, u8 *info, u8 *uc)
{
	(void)uc;
	print("  signal %d, errno %d, code %d, call %u, arch %x, address in text %d\n", sig,
	      get32(info + 4), get32(info + 8), get32(info + 16), get32(info + 20),
	      get32(info + 12) > 0x1000);
}

static void results(void)
{
	print("before %ld, mode %ld", sys(NR_getuid), sys(NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0));
	print(", set %ld", on_getuid(ERRNO | 77));
	print(", after %ld, mode %ld, others %d\n", sys(NR_getuid),
	      sys(NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0), sys(NR_getpid) > 0);
	on_getuid(ALLOW);
	print("ALLOW does not take it back: %ld\n", sys(NR_getuid));
	print("strict mode on top: %ld\n", sys(SYS_seccomp, STRICT, 0, 0));
	on_getuid(TRAP | 5);
	set_handler(31, trapped, SA_SIGINFO);
	print("TRAP comes before ERRNO\n");
	print("  x0 stays %lx\n", sys6(NR_getuid, 0x1234, 0, 0, 0, 0, 0));
}

static void numbers(void)
{
	filter(LD(0), JEQ(NR_getuid, 0, 1), RET(ERRNO), RET(ALLOW));
	print("ERRNO 0: %ld", sys(NR_getuid));
	filter(LD(0), JEQ(178, 0, 1), RET(ERRNO | 0xffff), RET(ALLOW));
	print(", 65535: %ld", sys(NR_gettid));
	filter(LD(0), JEQ(SYS_getegid, 0, 1), RET(TRACE), RET(ALLOW));
	print(", TRACE: %ld", sys(SYS_getegid));
	/* Numbers that there are not, too; compared as 32 bits. */
	filter(LD(0), JEQ(0xffffffff, 0, 1), RET(ERRNO | 99), RET(ALLOW));
	print(", call -1: %ld\n", sys6(0x12345678ffffffffull, 0, 0, 0, 0, 0, 0));
}

/* Arguments as the filter sees them: getppid with them gives the word at AT as an error if it is below 4096. */
static void arguments(void)
{
	filter(LD(0), JEQ(NR_getppid, 1, 0), RET(ALLOW), LD(4), JEQ(0xc00000b7, 1, 0),
	       RET(KILL_THREAD), LD(12), JEQ(0, 1, 0), RET(KILL_THREAD), LD(20), JEQ(0, 1, 0),
	       RET(ERRNO | 1), LD(28), JEQ(0, 1, 0), RET(ERRNO | 2), LD(16), {0x54, 0, 0, 0xfff},
	       {0x44, 0, 0, ERRNO}, {0x16, 0, 0, 0});
	print("argument 0: %ld", sys6(NR_getppid, 0x111, 0, 0, 0, 0, 0));
	print(", its upper half %ld", sys6(NR_getppid, 0x100000022, 0, 0, 0, 0, 0));
	print(", that of argument 1 %ld\n", sys6(NR_getppid, 0x33, 0x100000000, 0, 0, 0, 0));
}

/* Arithmetic, memory, jumps by X: the result is an error number that must be 42. */
static void arithmetic(void)
{
	filter(LD(0), JEQ(NR_getuid, 1, 0), RET(ALLOW), {0x00, 0, 0, 5}, {0x07, 0, 0, 0},
	       {0x24, 0, 0, 7}, {0x0c, 0, 0, 0}, {0x14, 0, 0, 2}, /* 5*7+5-2 = 38 */
	       {0x02, 0, 0, 15}, {0x01, 0, 0, 4}, {0x60, 0, 0, 15}, {0x0c, 0, 0, 0}, /* +4 */
	       {0x1d, 0, 1, 0}, RET(KILL_THREAD), {0x74, 0, 0, 1}, {0x64, 0, 0, 1}, {0x84, 0, 0, 0},
	       {0x84, 0, 0, 0}, {0x44, 0, 0, ERRNO}, {0x16, 0, 0, 0});
	print("arithmetic: %ld\n", sys(NR_getuid));
}

/* --- who has them ------------------------------------------------------------------------------------- */

static void status_lines(void)
{
	static char text[4096];
	s64 fd = sys(NR_openat, -100, "/proc/self/status", 0, 0), n = sys(NR_read, fd, text, 4095);

	for (s64 i = 0; i < n; i++) {
		s64 end = i;

		while (end < n && text[end] != '\n')
			end++;
		if (memcmp(text + i, "Seccomp:", 8) == 0)
			print("  Seccomp%c\n", text[i + 9]);
		i = end;
	}
	sys(NR_close, fd);
}

static struct worker {
	u8 stack[16384] __attribute__((aligned(16)));
	u32 tid, go, done;
	s64 before, after;
} thread;

static int in_thread(void *arg)
{
	struct worker *t = arg;

	t->before = sys(NR_getuid);
	__atomic_store_n(&t->done, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&t->go, __ATOMIC_SEQ_CST))
		sys(NR_sched_yield);
	t->after = sys(NR_getuid);
	__atomic_store_n(&t->done, 2, __ATOMIC_SEQ_CST);
	return 0;
}

static void threads(void)
{
	static const struct insn p[] = {LD(0), JEQ(174, 0, 1), RET(ERRNO | 7), RET(ALLOW)};
	s64 r = clone_call(in_thread, &thread, THREAD_FLAGS, thread.stack + sizeof(thread.stack),
			   &thread.tid, 0, &thread.tid);

	while (__atomic_load_n(&thread.done, __ATOMIC_SEQ_CST) < 1)
		sys(NR_sched_yield);
	print("thread %d: sync %ld", r > 0, filter_flags(1, p, 4));
	__atomic_store_n(&thread.go, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&thread.done, __ATOMIC_SEQ_CST) < 2)
		sys(NR_sched_yield);
	print(", before %ld, after %ld\n", thread.before, thread.after);
}

static int kills_itself(void *arg)
{
	(void)arg;
	on_getuid(KILL_THREAD);
	sys(NR_getuid);
	print("NOT killed\n");
	return 0;
}

static void thread_killed(void)
{
	clone_call(kills_itself, &thread, THREAD_FLAGS, thread.stack + sizeof(thread.stack),
		   &thread.tid, 0, &thread.tid);
	while (__atomic_load_n(&thread.tid, __ATOMIC_SEQ_CST))
		sys(NR_sched_yield);
	print("thread killed, the process goes on\n");
}

static void strict(void)
{
	print("strict %ld\n", sys(NR_prctl, PR_SET_SECCOMP, 1, 0, 0, 0));
	flush();
	sys(NR_write, 1, "  write works\n", 14);
	sys(NR_exit, 3);
}

static char *again[] = {"sec_filter", "again", 0};

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)auxv;
	if (argc == 2 && argv[1][0] == 'a') {
		print("after execve: %ld, mode %ld, filter on top %ld\n", sys(NR_getuid),
		      sys(NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0), on_getuid(ERRNO | 3));
		status_lines();
		return 0;
	}
	IN_CHILD("refused", refused());
	actions();
	IN_CHILD("privilege", without_privilege());
	sys(NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	IN_CHILD("results", results());
	IN_CHILD("numbers", numbers());
	IN_CHILD("arguments", arguments());
	IN_CHILD("arithmetic", arithmetic());
	IN_CHILD("division by X", filter(LD(0), JEQ(NR_getuid, 1, 0), RET(ALLOW), {0x01, 0, 0, 0},
					 {0x3c, 0, 0, 0}, RET(ALLOW));
		 sys(NR_getuid));
	IN_CHILD("kill thread", on_getuid(KILL_THREAD); sys(NR_getuid));
	IN_CHILD("kill process", on_getuid(KILL_PROCESS); sys(NR_getuid));
	IN_CHILD("kill comes before errno", on_getuid(KILL_THREAD); on_getuid(ERRNO);
		 sys(NR_getuid));
	IN_CHILD("unknown action", on_getuid(0x10000); sys(NR_getuid));
	IN_CHILD("trap, ignored", on_getuid(TRAP); set_handler(31, 1, 0); sys(NR_getuid));
	IN_CHILD("trap, blocked", on_getuid(TRAP); set_handler(31, trapped, 4);
		 set_mask(SIG_BLOCK, BIT(31)); sys(NR_getuid));
	IN_CHILD("grandchild", on_getuid(ERRNO | 9);
		 IN_CHILD("inherits", print("  %ld\n", sys(NR_getuid))));
	IN_CHILD("execve", on_getuid(ERRNO | 9); flush();
		 sys(NR_execve, "/proc/self/exe", again, envp));
	IN_CHILD("threads", threads());
	IN_CHILD("killed thread", thread_killed());
	IN_CHILD("strict, exit", strict());
	IN_CHILD("strict, getpid", sys(NR_prctl, PR_SET_SECCOMP, 1, 0, 0, 0); sys(NR_getpid));
	return 0;
}
