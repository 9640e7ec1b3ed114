// SPDX-License-Identifier: GPL-2.0-or-later
// The guest's view in /proc: itself by every name, and nothing of the emulator.
#include "proc.h"

static char text[65536], pid_path[64];
static u32 text_len;

static s64 slurp(s64 dfd, const char *path)
{
	s64 fd = sys(NR_openat, (u32)dfd, path, 0), r;

	text_len = 0;
	if (fd < 0)
		return fd;
	while (text_len < sizeof(text) - 1 &&
	       (r = sys(NR_read, fd, text + text_len, sizeof(text) - 1 - text_len)) > 0)
		text_len += (u32)r;
	text[text_len] = 0;
	sys(NR_close, fd);
	return text_len;
}

static const char *find(const char *hay, const char *needle)
{
	for (; *hay; hay++) {
		const char *h = hay, *n = needle;
		for (; *n && *h == *n; h++, n++)
			;
		if (!*n)
			return hay;
	}
	return 0;
}

/* The number behind LABEL. */
static u64 number(const char *label)
{
	const char *p = find(text, label);
	u64 v = 0;

	if (!p)
		return ~0ull;
	while (*p && (*p < '0' || *p > '9'))
		p++;
	for (; *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (u64)(*p - '0');
	return v;
}

static void path_of_pid(const char *name)
{
	u32 pid = (u32)sys(NR_getpid), n = 0;
	char digits[12], *p = pid_path;

	do
		digits[n++] = (char)('0' + pid % 10);
	while (pid /= 10);
	for (const char *s = "/proc/"; *s; s++)
		*p++ = *s;
	while (n)
		*p++ = digits[--n];
	for (; *name; name++)
		*p++ = *name;
	*p = 0;
}

/* Every address is below 4 GiB, and the program's file is there. */
static void maps(const char *how, s64 dfd, const char *path)
{
	s64 r = slurp(dfd, path);
	u32 wide = 0, lines = 0, digits = 0, at_start = 1;

	for (u32 i = 0; i < text_len; i++) {
		if (at_start && text[i] != '-') {
			digits++;
		} else if (at_start) {
			wide += digits > 8;
			at_start = 0;
		}
		if (text[i] == '\n') {
			lines++;
			at_start = 1;
			digits = 0;
		}
	}
	print("%s: %d lines %d, above 4 GiB %u, program %d, stack %d, emulator %d\n", how, r > 0,
	      lines > 2 && lines < 40, wide, !!find(text, "/proc_self\n"), !!find(text, "[stack]"),
	      !!find(text, "libc.so") || !!find(text, "ilp32run\n"));
}

static void all_maps(void)
{
	s64 dir;

	maps("/proc/self/maps", -100, "/proc/self/maps");
	path_of_pid("/maps");
	maps("/proc/PID/maps", -100, pid_path);
	maps("/proc/thread-self/maps", -100, "/proc/thread-self/maps");
	path_of_pid("/task/../././maps");
	maps("with dots", -100, pid_path);
	dir = sys(NR_openat, -100, "/proc/self", 040000); /* O_DIRECTORY */
	maps("by descriptor", dir, "maps");
	maps("by descriptor, up and down", dir, "../self/maps");
	sys(NR_close, dir);
	sys(NR_unlinkat, -100, "proc_self_link", 0);
	print("symlink: %ld\n", sys(36, "/proc/self/maps", -100, "proc_self_link"));
	maps("by a link", -100, "proc_self_link");
	sys(NR_unlinkat, -100, "proc_self_link", 0);
}

static int ends_with(const char *s, const char *end)
{
	u32 n = 0, m = 0;

	while (s[n])
		n++;
	while (end[m])
		m++;
	return n >= m && equal(s + n - m, end);
}

static void exe(void)
{
	char link[256];
	s64 r = sys(NR_readlinkat, -100, "/proc/self/exe", link, 255), fd;
	u8 head[20];

	link[r > 0 ? r : 0] = 0;
	print("exe: this program %d", ends_with(link, "/proc_self"));
	print(", cut to 4: %ld", sys(NR_readlinkat, -100, "/proc/self/exe", link, 4));
	path_of_pid("/exe");
	r = sys(NR_readlinkat, -100, pid_path, link, 255);
	link[r > 0 ? r : 0] = 0;
	print(", by pid %d", ends_with(link, "/proc_self"));
	fd = sys(NR_openat, -100, "/proc/self/exe", 0);
	sys(NR_read, fd, head, sizeof(head));
	sys(NR_close, fd);
	print(", opened: class %u machine %u\n", head[4], head[18] | head[19] << 8);
}

static void texts(int argc, u32 *auxv)
{
	u32 words = 0;

	slurp(-100, "/proc/self/cmdline");
	print("cmdline: %d, first ends with the name %d\n", text_len > 0 && text[text_len - 1] == 0,
	      ends_with(text, "proc_self"));
	(void)argc;
	slurp(-100, "/proc/self/auxv");
	while (auxv[words])
		words += 2;
	/* As recorded: the kernel looks at every second pair, from the first one, for the end. */
	print("auxv: length %d, equal %d, zeros behind it %d\n",
	      text_len == ((words / 2 + 1) / 2 + 1) * 16, !memcmp(text, auxv, words * 4 + 8),
	      get64((u8 *)text + text_len - 8) == 0);
	slurp(-100, "/proc/self/comm");
	print("comm: %s", text);
	path_of_pid("/stat");
	slurp(-100, pid_path);
	const char *p = find(text, ") ");
	u32 field = 2;
	u64 v[53] = {0};
	for (p = p ? p + 2 : text; *p && field < 52; p++) {
		field++;
		u64 n = 0;
		for (; *p && *p != ' ' && *p != '\n'; p++)
			n = n * 10 + (u64)(*p - '0');
		v[field] = n;
	}
	print("stat: %u fields, size below 4 GiB %d, pages %d, code %d, stack %d, brk %d, arguments %d\n",
	      field, v[23] > 0 && v[23]<1ull << 32, v[24]> 0 && v[24] < 100000,
	      v[26] <= (u32)&main && (u32)&main<v[27], v[28]>(u32) & main &&
		      v[28]<1ull << 32, v[47]>(u32) & main && v[47]<1ull << 32, v[48]> v[28] &&
		      v[48] < v[49]);
	slurp(-100, "/proc/self/statm");
	print("statm: size %d\n", number("") > 0 && number("") < 100000);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void status(void)
{
	set_handler(SIGUSR1, on_signal, 0);
	set_handler(SIGUSR2, 1, 0);
	set_handler(SIGSEGV, 1, 0);
	set_mask(SIG_BLOCK, BIT(SIGTERM) | BIT(40));
	slurp(-100, "/proc/self/status");
	print("status: size %d kB sensible, threads %lu, pid %d\n",
	      number("VmSize:") > 8 && number("VmSize:") < 100000, number("Threads:"),
	      number("\nPid:") == (u32)sys(NR_getpid));
	/* What is locked counts whole, present or not. */
	u64 locked = number("VmLck:");
	s64 two = sys(NR_mmap2, 0, 8192, 3, 0x22, -1, 0);
	s64 r = sys(284, two, 8192, 1); /* mlock2: MLOCK_ONFAULT */
	slurp(-100, "/proc/self/status");
	print("locked on fault: %ld, %lu kB more\n", r, number("VmLck:") - locked);
	sys(NR_munmap, two, 8192);
	const char *p = find(text, "SigBlk:");
	for (int i = 0; p && i < 3; i++) {
		while (*p && *p != '\n')
			putch(*p++);
		putch(*p++);
	}
	print("of the host: %d\n", !!find(text, "x86"));
	set_mask(SIG_UNBLOCK, BIT(SIGTERM) | BIT(40));
}

static void cpuinfo(void)
{
	slurp(-100, "/proc/cpuinfo");
	print("cpuinfo: fp %d, implementer %d, architecture %lu, of the host %d\n",
	      !!find(text, "Features\t: fp asimd"), !!find(text, "CPU implementer\t: 0x"),
	      number("CPU architecture:"), !!find(text, "vendor_id"));
}

/* The memory by its numbers as a guest has them; more in proc_mem.c. */
static void memory(void)
{
	path_of_pid("/task/../mem");
	print("mem: %d %d\n", sys(NR_openat, -100, "/proc/self/mem", 2) >= 0,
	      sys(NR_openat, -100, pid_path, 0) >= 0);
	print("maps for writing: %ld, missing: %ld, directory: %ld\n",
	      sys(NR_openat, -100, "/proc/self/maps", 1),
	      sys(NR_openat, -100, "/proc/self/nothing", 0),
	      sys(NR_openat, -100, "/proc/self/maps", 040000));
}

/* The same from another thread, and of a thread. */
static struct thread t;

static int in_thread(void *arg)
{
	(void)arg;
	maps("in a thread", -100, "/proc/thread-self/maps");
	slurp(-100, "/proc/thread-self/status");
	print("thread: its id %d, threads %lu\n", number("\nPid:") == (u32)sys(NR_gettid),
	      number("Threads:"));
	return 0;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argv, (void)envp;
	all_maps();
	exe();
	texts(argc, auxv);
	status();
	cpuinfo();
	memory();
	thread_start(&t, in_thread, 0);
	thread_join(&t);
	return 0;
}
