// SPDX-License-Identifier: GPL-2.0-or-later
// execve: what the new program gets, what survives, what the kernel refuses and with which error.
#include "proc.h"

static u8 big[200000];
static const char *const no_strings[1];

static s64 exec(const char *path, const void *argv, const void *envp)
{
	flush();
	return sys(NR_execve, path, argv, envp);
}

/* Runs FN in a child; the wait status. */
static int in_child(void (*fn)(void))
{
	s64 pid = fork_();

	if (!pid) {
		fn();
		quit(99);
	}
	return wait_for(pid);
}

/* --- the new program's side: argv[1] says what to look at --- */

static int show_strings(int argc, char **argv, char **envp)
{
	print("argc %d", argc);
	for (int i = 0; i < argc; i++)
		print(" [%s]", argv[i]);
	print(" environment");
	for (; *envp; envp++)
		print(" [%s]", *envp);
	print("\n");
	return 0;
}

static int show_state(void)
{
	struct kernel_sigaction a, b, c;
	u32 pending[2] = {0, 0};
	u64 mask = set_mask(SIG_BLOCK, 0), tls;
	char name[16] = {0};
	u32 it[4];

	sys(NR_rt_sigaction, SIGUSR1, 0, &a, 8);
	sys(NR_rt_sigaction, SIGUSR2, 0, &b, 8);
	sys(NR_rt_sigaction, SIGSEGV, 0, &c, 8);
	sys(NR_rt_sigpending, pending, 8);
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(tls));
	print("handler %x, ignored %x %x, mask %lx, pending %x %x, tls %lx\n", a.handler, b.handler,
	      c.handler, mask, pending[0], pending[1], tls);
	print("descriptors: kept %ld, close-on-exec %ld, next free %ld\n", sys(NR_fcntl, 8, 1),
	      sys(NR_fcntl, 9, 1), sys(NR_fcntl, 1, 0, 0));
	sys(NR_prctl, 16, name, 0, 0, 0);
	sys(102, 0, it); /* getitimer */
	print("name %s, timer runs %d\n", name, it[2] || it[3]);
	return 0;
}

/* No descriptor is there that the guest did not open. */
static int show_descriptors(void)
{
	int n = 0;

	for (u32 fd = 3; fd < 5000; fd++)
		n += sys(NR_fcntl, fd, 1) >= 0;
	print("descriptors above 2: %d\n", n);
	return 0;
}

/* --- the old program's side --- */

static void handler(int sig)
{
	(void)sig;
}

static void strings(void)
{
	const char *argv[] = {"zero", "strings", "", "three words here", 0};
	const char *envp[] = {"A=1", "EMPTY=", "LD_LIBRARY_PATH=/nowhere",
			      "ILP32RUN_EXEC_STATE=1,2,3", 0};

	exec("/proc/self/exe", argv, envp);
}

static void state(void)
{
	set_handler(SIGUSR1, handler, 0);
	set_handler(SIGUSR2, 1, 0);
	set_handler(SIGSEGV, 1, 0);
	set_mask(SIG_SETMASK, BIT(SIGUSR1) | BIT(SIGTERM) | BIT(33) | BIT(64));
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	sys(NR_kill, sys(NR_getpid), 64);
	sys(NR_dup3, 1, 8, 0);
	sys(NR_dup3, 1, 9, 02000000); /* O_CLOEXEC */
	u32 it[4] = {0, 0, 100, 0};
	sys(NR_setitimer, 0, it, 0);
	__asm__ volatile("msr tpidr_el0, %0" ::"r"(0x1234ull));
	exec_self("state", 0, 0);
}

static void descriptors(void)
{
	exec_self("descriptors", 0, 0);
}

static void null_argv(void)
{
	exec("/proc/self/exe", 0, 0);
}

/* Another thread executes: the process keeps its id and has one thread. */
static struct thread t;

static int thread_exec(void *arg)
{
	exec_self("thread", arg, 0);
	return 0;
}

static char pid_text[16];

static void from_thread(void)
{
	u32 pid = (u32)sys(NR_getpid), n = 15;

	do
		pid_text[--n] = (char)('0' + pid % 10);
	while (pid /= 10);
	thread_start(&t, thread_exec, pid_text + n);
	for (;;)
		sleep_ms(1000);
}

static int check_thread(const char *pid)
{
	u32 v = 0;

	for (; *pid; pid++)
		v = v * 10 + (u32)(*pid - '0');
	print("executed by a thread: same pid %d, is the first thread %d\n",
	      v == (u32)sys(NR_getpid), sys(NR_gettid) == sys(NR_getpid));
	return 0;
}

/* execveat through a descriptor, that of this program. */
static void by_descriptor(void)
{
	const char *argv[] = {"fd", "strings", 0};
	s64 fd = sys(NR_openat, -100, "/proc/self/exe", 02000000);

	flush();
	sys(NR_execveat, fd, "", argv, no_strings, 0x1000);
}

/* A chain of 30 programs: nothing piles up. */
static int chain(const char *left)
{
	char next[3] = {left[0], left[1], 0};

	if (next[0] == '0' && next[1] == '0')
		return show_descriptors();
	if (next[1]-- == '0') {
		next[0]--;
		next[1] = '9';
	}
	exec_self("chain", next, 0);
	return 1;
}

static void start_chain(void)
{
	chain("30");
}

static void write_file(const char *path, const char *text, u32 mode)
{
	s64 fd = sys(NR_openat, -100, path, 01101, mode);
	u32 n = 0;

	while (text[n])
		n++;
	sys(NR_write, fd, text, n);
	sys(NR_close, fd);
}

static void errors(void)
{
	const char *argv[] = {"x", 0}, *one_big[] = {"x", (char *)big, 0};
	u32 bad_argv[] = {0x1000, 0};
	static const char *many[1100];

	print("missing: %ld, directory: %ld, no directory: %ld, empty: %ld\n",
	      exec("/nonexistent", argv, no_strings), exec("/tmp", argv, no_strings),
	      exec("/dev/null/x", argv, no_strings), exec("", argv, no_strings));
	print("path unmapped: %ld, argv unmapped: %ld, string unmapped: %ld, envp: %ld\n",
	      exec((char *)0x1000, argv, no_strings), exec("/proc/self/exe", (void *)0x1000, 0),
	      exec("/proc/self/exe", bad_argv, 0), exec("/proc/self/exe", argv, (void *)0x1001));
	write_file("exec_test_file", "neither ELF nor script\n", 0644);
	print("not executable: %ld", exec("./exec_test_file", argv, no_strings));
	sys(NR_unlinkat, -100, "exec_test_file", 0);
	write_file("exec_test_file", "neither ELF nor script\n", 0755);
	print(", text: %ld\n", exec("./exec_test_file", argv, no_strings));
	sys(NR_unlinkat, -100, "exec_test_file", 0);
	memset(big, 'x', 131072);
	print("one string of 128 KiB and NUL: %ld\n", exec("/proc/self/exe", one_big, no_strings));
	/* 1000 x 16 KiB is more than every limit. */
	big[16384] = 0;
	for (u32 i = 0; i < 1000; i++)
		many[i] = (char *)big;
	print("16 MB of strings: %ld\n", exec("/proc/self/exe", many, no_strings));
	print("execveat: bad flags %ld, bad descriptor %ld\n",
	      sys(NR_execveat, -100, "x", argv, no_strings, 1),
	      sys(NR_execveat, 77, "", argv, no_strings, 0x1000));
}

static void argument_of_128k(void)
{
	const char *argv[] = {"x", "length", (char *)big, 0};

	memset(big, 'x', 131071);
	big[131071] = 0;
	exec("/proc/self/exe", argv, no_strings);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)auxv;
	if (argc == 0 || !*argv[0]) {
		print("without argv: argc %d\n", argc);
		return 0;
	}
	if (argc > 1 && equal(argv[1], "strings"))
		return show_strings(argc, argv, envp);
	if (argc > 1 && equal(argv[1], "state"))
		return show_state();
	if (argc > 1 && equal(argv[1], "descriptors"))
		return show_descriptors();
	if (argc > 2 && equal(argv[1], "thread"))
		return check_thread(argv[2]);
	if (argc > 2 && equal(argv[1], "chain"))
		return chain(argv[2]);
	if (argc > 2 && equal(argv[1], "length")) {
		u32 n = 0;
		while (argv[2][n])
			n++;
		print("string of %u bytes\n", n);
		return 0;
	}
	/* As daemons do. The emulator's own descriptors must survive it, or no execve works. */
	for (u32 fd = 3; fd < 5000; fd++)
		sys(NR_close, fd);
	sys(NR_close_range, 3, 0xffffffffu, 0);
	print("status %x\n", in_child(strings));
	print("status %x\n", in_child(state));
	print("status %x\n", in_child(descriptors));
	print("status %x\n", in_child(null_argv));
	print("status %x\n", in_child(from_thread));
	print("status %x\n", in_child(by_descriptor));
	print("status %x\n", in_child(start_chain));
	print("status %x\n", in_child(argument_of_128k));
	errors();
	return 0;
}
