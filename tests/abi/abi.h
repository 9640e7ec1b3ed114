/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conformance cases: freestanding ILP32 programs that say in TAP what the kernel under them does.
 *
 *   CASE("ID", "calls", PROFILES, "source", "title") { statements; }
 *
 * calls     what the case is about, by the names of the table ("openat fstat64"); "" for none
 * PROFILES  the ABI profiles for which the expectation holds: a macro below, or names
 * source    why that is right: a recording of tests/oracle, or the kernel's file and function (Linux 4.14,
 *           where no version is named)
 *
 * Each case runs in a child of its own with a time limit. The first check that fails ends it. What it left
 * (processes, a scratch directory, SysV objects) is removed by the parent. Cases never set clocks, load
 * modules, swap, reboot, or mount outside of a mount namespace, also as real root.
 *
 * PROGRAM [--list] [--profile NAME] [ID]...: without a profile it is found out by which calls exist.
 * The text of the cases is in section "abi_text" of the program, so a report can be made without running it.
 */
#ifndef ABI_H
#define ABI_H

#include "../guest/guest.h"

/* The numbers as the kernel's headers have them for 32-bit user space, not as our table has them. */
#define __SYSCALL_COMPAT
#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_STAT64
#define __ARCH_WANT_RENAMEAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_SYNC_FILE_RANGE2
#define __ARCH_WANT_TIME32_SYSCALLS
#define __ARCH_WANT_SYS_CLONE3
#define __ARCH_WANT_MEMFD_SECRET
#include <asm-generic/unistd.h>
#ifndef __NR_cachestat
# define __NR_cachestat 451
#endif
#ifndef __NR_fchmodat2
# define __NR_fchmodat2 452
#endif
#include <asm-generic/errno.h>

/* --- profiles ------------------------------------------------------------------------------------ */

#define ALL        "all"
#define AMPERE     "ampere-4.14"
#define OPENEULER  "openeuler-5.10 openeuler-6.6"
#define SINCE_5_10 "openeuler-5.10 openeuler-6.6 modern"
#define SINCE_6_6  "openeuler-6.6 modern"
#define UNTIL_5_10 "ampere-4.14 openeuler-5.10"
#define UNTIL_6_6  "ampere-4.14 openeuler-5.10 openeuler-6.6"
#define MODERN     "modern"
#define NOT_OE     "ampere-4.14 modern"

/* --- calls --------------------------------------------------------------------------------------- */

/* S(openat, ...): arguments as a C program passes them, upper halves zero. */
#define S(name, ...) sys(__NR_##name, ##__VA_ARGS__)
/* G(x): the same argument with garbage above it, for sys6(). */
#define G(x) ((u64)(u32)(x) | 0xdeadbeefull << 32)
#define Z(x) ((u64)(u32)(x))

static UNUSED s32 own_pid(void)
{
	return (s32)S(getpid);
}

#define PAGE     4096u
#define AT_FDCWD (-100)
enum {
	O_RDONLY = 0,
	O_WRONLY = 1,
	O_RDWR = 2,
	O_CREAT = 0100,
	O_EXCL = 0200,
	O_TRUNC = 01000,
	O_NONBLOCK = 04000,
	O_DIRECTORY = 040000, /* arm64's */
	O_LARGEFILE = 0400000,
	O_CLOEXEC = 02000000,
	PROT_READ = 1,
	PROT_WRITE = 2,
	PROT_EXEC = 4,
	PROT_RW = 3,
	MAP_SHARED = 1,
	MAP_PRIVATE = 2,
	MAP_FIXED = 0x10,
	MAP_ANONYMOUS = 0x20,
	MAP_ANON = 0x22, /* private */
	CLONE_VM = 0x100,
	CLONE_FS = 0x200,
	CLONE_FILES = 0x400,
	CLONE_SIGHAND = 0x800,
	CLONE_THREAD = 0x10000,
	CLONE_NEWNS = 0x20000,
	CLONE_SYSVSEM = 0x40000,
	CLONE_SETTLS = 0x80000,
	CLONE_NEWUTS = 0x4000000,
	CLONE_NEWIPC = 0x8000000,
	CLONE_NEWUSER = 0x10000000,
	CLONE_NEWNET = 0x40000000,
	SIGIO = 29,
	SIGSYS = 31,
	SIGRTMIN = 34,
};

/* --- the case machine ---------------------------------------------------------------------------- */

struct abi_case {
	const char *text; /* id, calls, profiles, source, title, with tabs between */
	void (*run)(void);
	u32 line;
	u32 pad;
};

#define CASE(id, calls, profiles, source, title) \
 CASE_AT(__LINE__, id, calls, profiles, source, title)
#define CASE_AT(line, ...) CASE_AT_(line, __VA_ARGS__)
#define CASE_AT_(line, id, calls, profiles, source, title)                                     \
 static void case_##line(void);                                                                \
 static const char text_##line[] __attribute__((section("abi_text"), used)) =                  \
	 id "\t" calls "\t" profiles "\t" source "\t" title;                                   \
 static const struct abi_case entry_##line                                                     \
	 __attribute__((section("abi_cases"), used, aligned(16))) = {text_##line, case_##line, \
								     line, 0};                 \
 static void case_##line(void)

extern const struct abi_case __start_abi_cases[], __stop_abi_cases[];

enum {
	PENDING,
	PASSED,
	FAILED,
	SKIPPED
}; /* PENDING at the end: it crashed, or ran another program */
enum { IPC_MSG, IPC_SEM, IPC_SHM, IPC_MAX = 8 };

/* Shared by the children of a case and the parent that judges it. */
struct abi_result {
	volatile u32 state;
	u32 line;
	const char *expression;
	s64 got, want;
	s64 more;         /* detail of generated cases */
	char text[256];   /* which of a generated case's calls; reason to skip */
	char scratch[64]; /* directory to remove */
	u32 nipc;
	struct {
		u32 kind;
		s32 id;
	} ipc[IPC_MAX];
};
static struct abi_result *result;
static const char *profile;
static char **main_argv;
static u32 *main_auxv;

static UNUSED NOINLINE void text_copy(char *to, const char *from, u32 size)
{
	u32 i = 0;

	for (; i + 1 < size && from[i]; i++)
		to[i] = from[i];
	to[i] = 0;
}

static NOINLINE u32 text_len(const char *s)
{
	u32 n = 0;

	while (s[n]) {
		n++;
		__asm__ volatile("");
	}
	return n;
}

/* Whether WORD (of N characters) is one of the words in LIST, which ends at a tab or NUL. */
static NOINLINE int has_word(const char *list, const char *word, u32 n)
{
	for (;;) {
		u32 i = 0;

		while (list[i] && list[i] != ' ' && list[i] != '\t')
			i++;
		if (i == n && memcmp(list, word, n) == 0)
			return 1;
		if (list[i] != ' ')
			return 0;
		list += i + 1;
	}
}

static UNUSED int in_profile(const char *names)
{
	return has_word(names, "all", 3) || has_word(names, profile, text_len(profile));
}

static NOINLINE __attribute__((noreturn)) void end_case(u32 state)
{
	if (result->state == PENDING)
		result->state = state;
	S(exit_group, 0);
	for (;;)
		;
}

static NOINLINE __attribute__((noreturn)) void fail(u32 line, const char *what, s64 got, s64 want)
{
	if (result->state == PENDING) {
		result->line = line;
		result->expression = what;
		result->got = got;
		result->want = want;
	}
	end_case(FAILED);
}

static NOINLINE __attribute__((noreturn)) void skip(const char *reason)
{
	text_copy(result->text, reason, sizeof(result->text));
	end_case(SKIPPED);
}

/* Values are compared with all 64 bits; results of calls are signed. */
#define EQ(expr, expected) eq_(__LINE__, #expr, (s64)(expr), (s64)(expected))
#define OK(expr)           eq_(__LINE__, #expr, !!(expr), 1)
/* One of two values. */
#define EITHER(expr, one, two)           \
 do {                                    \
  s64 v_ = (s64)(expr);                  \
  if (v_ != (s64)(two))                  \
   eq_(__LINE__, #expr, v_, (s64)(one)); \
 } while (0)
/* A call that must succeed: its result, which is not negative. */
#define GOOD(expr) good_(__LINE__, #expr, (s64)(expr))
/* The same for a call that kernels can be built or configured without. */
#define CONFIGURED(expr) configured_(__LINE__, #expr, (s64)(expr))

static NOINLINE void eq_(u32 line, const char *what, s64 got, s64 want)
{
	if (got != want)
		fail(line, what, got, want);
}

static UNUSED NOINLINE s64 good_(u32 line, const char *what, s64 r)
{
	if (r < 0)
		fail(line, what, r, 0);
	return r;
}

static UNUSED NOINLINE s64 configured_(u32 line, const char *what, s64 r)
{
	if (r == -ENOSYS) {
		text_copy(result->text, "ENOSYS: the kernel is built without ",
			  sizeof(result->text));
		text_copy(result->text + 36, what, sizeof(result->text) - 36);
		end_case(SKIPPED);
	}
	return good_(line, what, r);
}

/* --- what cases use ------------------------------------------------------------------------------ */

/* N pages, readable and writable, in front of one that is not mapped. */
static UNUSED u8 *guarded(u32 n)
{
	s64 p = GOOD(S(mmap2, 0, (n + 1) * PAGE, PROT_RW, MAP_ANON, -1, 0));

	EQ(S(munmap, p + n * PAGE, PAGE), 0);
	return (u8 *)(u32)p;
}

/* SIZE bytes that end at an unmapped page. */
static UNUSED u8 *at_end(u32 size)
{
	u32 n = (size + PAGE - 1) / PAGE;

	return guarded(n) + n * PAGE - size;
}

static UNUSED void block(u32 sig)
{
	u32 mask[2] = {sig <= 32 ? 1u << (sig - 1) : 0, sig > 32 ? 1u << (sig - 33) : 0};

	EQ(S(rt_sigprocmask, SIG_BLOCK, mask, 0, 8), 0);
}

/* Waits 5 s for SIG and has its information in AT. */
static UNUSED s64 wait_signal(u32 sig, void *at)
{
	u32 mask[2] = {sig <= 32 ? 1u << (sig - 1) : 0, sig > 32 ? 1u << (sig - 33) : 0},
	    ts[2] = {5, 0};

	return S(rt_sigtimedwait, mask, at, ts, 8);
}

static UNUSED int all_bytes(const void *p, u8 value, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (((const u8 *)p)[i] != value)
			return 0;
	}
	return 1;
}

/* A file without a name, SIZE bytes long. */
static UNUSED int file_of(u32 size)
{
	s64 fd = CONFIGURED(S(memfd_create, "abi", 0));

	EQ(S(ftruncate64, fd, 0, size, 0), 0);
	return (int)fd;
}

static UNUSED char *number_text(char *at, u32 v)
{
	char digits[12];
	u32 n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*at++ = digits[--n];
	*at = 0;
	return at;
}

/* Goes to a new directory, where the case may leave what it likes. */
static UNUSED NOINLINE void scratch(void)
{
	static const char *const base[] = {"/tmp", "/dev/shm", ".", "/"};

	for (u32 i = 0; i < 4; i++) {
		char name[64];
		u32 n = text_len(base[i]);

		memcpy(name, base[i], n);
		memcpy(name + n, "/ilp32-abi-", 11);
		number_text(name + n + 11, (u32)own_pid());
		if (S(mkdirat, AT_FDCWD, name, 0700) == 0 && S(chdir, name) == 0) {
			memcpy(result->scratch, name, sizeof(name));
			return;
		}
	}
	skip("no directory to write to");
}

static UNUSED s64 make_file(const char *name, u32 size)
{
	s64 fd = GOOD(S(openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL, 0600));

	EQ(S(ftruncate64, fd, 0, size, 0), 0);
	return fd;
}

/* Remembers a SysV object to remove. */
static UNUSED int ipc_object(u32 kind, s64 id)
{
	if (result->nipc < IPC_MAX) {
		result->ipc[result->nipc].kind = kind;
		result->ipc[result->nipc++].id = (s32)id;
	}
	return (int)id;
}

/* Gives up root, for calls that could do harm if a check were missing. */
static UNUSED void unprivileged(void)
{
	if (S(getuid) == 0 || S(geteuid) == 0) {
		S(setgroups, 0, 0);
		if (S(setresgid, 65534, 65534, 65534) < 0 || S(setresuid, 65534, 65534, 65534) < 0)
			skip("cannot give up root here");
	}
}

static UNUSED NOINLINE int write_text(const char *path, const char *text)
{
	s64 fd = S(openat, AT_FDCWD, path, O_WRONLY, 0), r;

	if (fd < 0)
		return (int)fd;
	r = S(write, fd, text, text_len(text));
	S(close, fd);
	return r < 0 ? (int)r : 0;
}

/* "0 ID 1" */
static UNUSED int write_map(const char *path, u32 id)
{
	char map[32] = "0 ";

	memcpy(number_text(map + 2, id), " 1\n", 4);
	return write_text(path, map);
}

/* Makes the case root in a user namespace of its own, with the other namespaces in FLAGS new as well. */
static UNUSED void namespaces(u32 flags)
{
	u32 uid = (u32)S(geteuid), gid = (u32)S(getegid);

	if (S(unshare, CLONE_NEWUSER | flags) < 0)
		skip("no user namespaces for us");
	write_text("/proc/self/setgroups", "deny");
	if (write_map("/proc/self/uid_map", uid) < 0 || write_map("/proc/self/gid_map", gid) < 0)
		skip("no /proc to write id maps to");
}

static UNUSED void sleep_ms(u32 ms)
{
	u32 ts[2] = {ms / 1000, ms % 1000 * 1000000};

	S(nanosleep, ts, 0);
}

/* Milliseconds of the monotonic clock. */
static UNUSED s64 now_ms(void)
{
	s32 ts[2];

	S(clock_gettime, 1, ts);
	return (s64)ts[0] * 1000 + ts[1] / 1000000;
}

static volatile u32 caught; /* signals that count_signal() saw */
static UNUSED void count_signal(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)info, (void)uc;
	caught++;
}

/* --- the program --------------------------------------------------------------------------------- */

static NOINLINE void remove_tree(const char *name, int dfd, u32 depth)
{
	s64 fd = sys(__NR_openat, dfd, name, O_RDONLY | O_DIRECTORY, 0), n;
	u8 buf[1024] __attribute__((aligned(8)));

	while (fd >= 0 && (n = S(getdents64, fd, buf, sizeof(buf))) > 0) {
		for (u32 at = 0; at < n; at += buf[at + 16] | (u32)buf[at + 17] << 8) {
			const char *entry = (const char *)buf + at + 19;

			if (entry[0] == '.' && (!entry[1] || (entry[1] == '.' && !entry[2])))
				continue;
			if (S(unlinkat, fd, entry, 0) < 0 && depth < 4)
				remove_tree(entry, (int)fd, depth + 1);
		}
	}
	S(close, fd);
	S(unlinkat, dfd, name, 0x200 /* AT_REMOVEDIR */);
}

static void clean_up(void)
{
	if (result->scratch[0])
		remove_tree(result->scratch, AT_FDCWD, 0);
	for (u32 i = 0; i < result->nipc; i++) {
		s32 id = result->ipc[i].id;

		switch (result->ipc[i].kind) {
		case IPC_MSG: S(msgctl, id, 0x100, 0); break;
		case IPC_SEM: S(semctl, id, 0, 0x100, 0); break;
		case IPC_SHM: S(shmctl, id, 0x100, 0); break;
		}
	}
}

static NOINLINE const char *field(const char *text, u32 n)
{
	while (n)
		n -= *text++ == '\t';
	return text;
}

static void put_field(const char *text, u32 n)
{
	for (text = field(text, n); *text && *text != '\t'; text++)
		putch(*text);
}

static void put_quoted(const char *s)
{
	putch('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putch('\\');
		putch(*s);
	}
	putch('"');
}

/* What TAP calls a diagnostic block, in YAML. */
static void put_detail(const struct abi_case *c, int status)
{
	print("  ---\n  calls: \"");
	put_field(c->text, 1);
	print("\"\n  profiles: \"");
	put_field(c->text, 2);
	print("\"\n  source: \"");
	put_field(c->text, 3);
	print("\"\n");
	if (result->state == FAILED) {
		print("  line: %u\n  expression: ", result->line);
		put_quoted(result->expression);
		print("\n  got: %ld\n  expected: %ld\n", result->got, result->want);
		if (result->text[0]) {
			print("  at: ");
			put_quoted(result->text);
			print("\n");
		}
	} else if ((status & 0x7f) == SIGALRM) {
		print("  got: \"time limit\"\n");
	} else if (status & 0x7f) {
		print("  got: \"killed by signal %u\"\n", (u32)status & 0x7f);
	} else {
		print("  got: \"exit status %d\"\n", status >> 8 & 0xff);
	}
	print("  ...\n");
}

static void run_child(const struct abi_case *c)
{
	u32 limit[4] = {0, 0, 20, 0}, none[2] = {0, 0};

	S(setpgid, 0, 0);
	S(rt_sigprocmask, SIG_SETMASK, none, 0, 8);
	S(setitimer, 0, limit, 0);
	c->run();
	end_case(PASSED);
}

static NOINLINE void run_case(const struct abi_case *c, u32 number)
{
	s64 pid;
	int status, good;

	memset(result, 0, sizeof(*result));
	pid = fork_();
	if (pid == 0)
		run_child(c);
	/* What the case started goes before its process id is free again: it may send signals there. */
	while (pid > 0 && S(waitid, 1, pid, 0, 0x1000004 /* WEXITED | WNOWAIT */, 0) == -EINTR)
		;
	if (pid > 0)
		S(kill, -pid, 9);
	status = pid < 0 ? 0xff00 : wait_for(pid);
	clean_up();
	good = result->state == SKIPPED || result->state == PASSED;
	print("%sok %u - ", good ? "" : "not ", number);
	put_field(c->text, 0);
	putch(' ');
	put_field(c->text, 4);
	if (result->state == SKIPPED)
		print(" # SKIP %s", result->text);
	putch('\n');
	if (!good)
		put_detail(c, status);
	flush();
}

static const struct abi_case *next_case(u32 line)
{
	const struct abi_case *best = 0;

	for (const struct abi_case *c = __start_abi_cases; c < __stop_abi_cases; c++) {
		if (c->line > line && (!best || c->line < best->line))
			best = c;
	}
	return best;
}

static const char *find_profile(void)
{
	if (S(pidfd_open, -1, 0) == -ENOSYS)
		return "ampere-4.14";
	if (S(clock_gettime64, 1, 0) == -ENOSYS)
		return "openeuler-5.10";
	return S(pkey_free, -1) == -ENOSYS ? "openeuler-6.6" : "modern";
}

static int wanted(const struct abi_case *c, char **ids)
{
	for (char **id = ids; *id; id++) {
		if (has_word(c->text, *id, text_len(*id)))
			return 1;
	}
	return !ids[0];
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 n = 0, plan = 0;
	int list = 0;
	char **ids = argv + (argc > 0);

	(void)envp;
	main_argv = argv;
	main_auxv = auxv;
	for (; ids[0] && ids[0][0] == '-'; ids++) {
		if (has_word(ids[0], "--list", 6))
			list = 1;
		else if (has_word(ids[0], "--profile", 9) && ids[1])
			profile = *++ids;
		else
			return 2;
	}
	if (!profile)
		profile = find_profile();
	for (const struct abi_case *c = next_case(0); c; c = next_case(c->line)) {
		plan += wanted(c, ids);
		if (list && wanted(c, ids))
			print("%s\n", c->text);
	}
	if (list)
		return 0;
	print("TAP version 13\n# profile %s\n1..%u\n", profile, plan);
	flush();
	result = (void *)(u32)S(mmap2, 0, PAGE, PROT_RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (const struct abi_case *c = next_case(0); c; c = next_case(c->line)) {
		if (!wanted(c, ids))
			continue;
		n++;
		if (in_profile(field(c->text, 2))) {
			run_case(c, n);
			continue;
		}
		print("ok %u - ", n);
		put_field(c->text, 0);
		putch(' ');
		put_field(c->text, 4);
		print(" # SKIP not in profile %s\n", profile);
	}
	return 0;
}

#endif
