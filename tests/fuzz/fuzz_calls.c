/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_calls SEED CHILDREN [CALLS]: system calls of the table with arguments chosen by their types, a run of CALLS
 * in each child. A freestanding ILP32 program: ilp32run with sanitizers runs it. It is harmless only in namespaces of
 * its own, see run_calls.
 *
 * The same arguments give the same calls; what they find depends on time as well, since signals end waits.
 */
#include "guest/guest.h"

enum {
	NUMBER,
	LENGTH,
	DESCRIPTOR,
	DIRECTORY,
	PROCESS,
	SIGNAL,
	ADDRESS,
	NAME,
	POINTER,
	OFFSET,
};

struct argument {
	u8 kind;
	u16 size;
	const u32 *values;
	u16 nvalues;
};
#include "calls.h"

struct call {
	u16 nr;
	const char *name;
	struct argument arg[8];
};
static const struct call calls[] = {
#define CALL(nr, n, ...) {nr, #n, {__VA_ARGS__}},
#include "calls.h"
#undef CALL
};
static const struct {
	u32 number, size;
} commands[] = {
#define COMMAND(nr, size) {nr, size},
#include "calls.h"
#undef COMMAND
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- chance ------------------------------------------------------------------------------------------- */

static u64 state;

static u32 rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 16);
}

static u32 below(u32 n)
{
	return rnd() % n;
}

/* --- what arguments point to ----------------------------------------------------------------------------- */

/* Two pages that can be written, one that can be read, a hole behind each. */
enum { PAGE = 4096, AREA = 0x20000000, READ_ONLY = AREA + 4 * PAGE, SHARED = AREA + 8 * PAGE };
enum { MAP_SHARED_ANON = 0x31, MAP_PRIVATE_ANON = 0x32 };

static u32 pointer(u32 size);

static u32 interesting(void)
{
	static const u32 v[] = {0,          1,          2,          3,          7,
				8,          16,         64,         255,        4095,
				4096,       0x7fff,     0xffff,     0x10000,    0x7fffffff,
				0x80000000, 0x80000001, 0xfffff000, 0xfffffffe, 0xffffffff,
				0x7ffff000, 0x40000000};

	return v[below(COUNT(v))];
}

static u32 number(void)
{
	switch (below(4)) {
	case 0: return below(8);
	case 1: return 1u << below(32);
	case 2: return interesting();
	default: return rnd();
	}
}

/* Bytes that look like something: numbers, addresses, pairs of address and length, names. */
static void fill(u32 at, u32 size)
{
	static const char *const names[] = {
		".", "/",      "d/f",   "/proc/self/exe",  "/proc/self/maps", "/dev/null", "",
		"x", "user.x", "tmpfs", "/proc/self/fd/3", "../..",           "lo"};
	u32 kind = below(6);

	for (u32 i = 0; i + 4 <= size; i += 4) {
		u32 v = 0;

		if (kind == 1 || (kind == 2 && !(i & 4)))
			v = pointer(16);
		else if (kind == 2)
			v = below(4) ? below(64) : interesting();
		else if (kind == 3)
			v = number();
		else if (kind == 4)
			v = below(5) ? 0 : below(20);
		*(volatile u32 *)(at + i) = v;
	}
	if (kind == 5 || below(4) == 0) {
		const char *s = names[below(COUNT(names))];

		for (u32 i = 0; i < size && (i == 0 || s[i - 1]); i++)
			*(volatile char *)(at + i) = s[i];
	}
}

static u32 depth;

/* An address for SIZE bytes: good ones twice as often as bad ones. */
static u32 pointer(u32 size)
{
	u32 at = AREA + below(2 * PAGE - 1024);

	switch (below(12)) {
	case 0: return 0;
	case 1: return AREA + 2 * PAGE;                   /* unmapped */
	case 2: return AREA + 2 * PAGE - below(size + 1); /* reaches into what is not mapped */
	case 3: return 0xffffffff - below(size + 8);
	case 4: return READ_ONLY + below(PAGE);
	case 5: return below(4) ? SHARED + below(PAGE - 512) : interesting();
	default:
		if (below(4))
			at &= ~7u;
		if (depth < 2) {
			depth++;
			fill(at, size < 8 ? 64 : size > 512 ? 512 : size);
			depth--;
		}
		return at;
	}
}

/* --- arguments ------------------------------------------------------------------------------------------- */

static u32 self;

static u32 value(const struct argument *a)
{
	u32 v = 0;

	if (a->nvalues && below(8)) {
		for (u32 n = 1 + below(3); n--;)
			v |= a->values[below(a->nvalues)];
		if (below(16) == 0)
			v |= 1u << below(32);
		if (a->kind != POINTER)
			return v;
	}
	switch (a->kind) {
	case LENGTH: return below(3) ? below(300) : interesting();
	case DESCRIPTOR: return below(8) ? 3 + below(20) : number();
	case DIRECTORY: return below(3) ? (u32)-100 : 3 + below(20);
	case PROCESS: return below(3) ? below(2) * self : 0x3ffffff + below(9);
	case SIGNAL: return below(2) ? below(66) : number();
	case ADDRESS:
		return below(3) ? SHARED + (below(4) ? below(PAGE) & ~3u : below(PAGE))
				: AREA + below(12 * PAGE);
	case NAME:
	case POINTER: return pointer(a->size ? a->size : 64);
	case OFFSET: return below(3) ? 0 : number();
	default: return number();
	}
}

/* Calls that would end the run, start another one, or reach others than the child itself. */
static int is_left_out(u32 nr)
{
	switch (nr) {
	case 93:  /* exit */
	case 94:  /* exit_group */
	case 58:  /* vhangup */
	case 97:  /* unshare */
	case 102: /* getitimer, and the timer that ends waits */
	case 103:
	case 117: /* ptrace */
	case 129: /* kill */
	case 142: /* reboot */
	case 157: /* setsid: the parent would not find the child */
	case 154: /* setpgid */
	case 30:  /* ioprio_set, and setpriority: of all processes */
	case 140:
	case 221: /* execve */
	case 224: /* swapon */
	case 225: /* swapoff */
	case 281: /* execveat */
	case 170: /* clocks */
	case 112:
	case 404: return 1;
	default: return 0;
	}
}

static void one_call(void)
{
	const struct call *c = &calls[below(COUNT(calls))];
	u64 x[8];
	s64 r;

	if (is_left_out(c->nr) || (c->nr == 139 && below(8))) /* rt_sigreturn seldom */
		return;
	for (u32 i = 0; i < 8; i++) {
		x[i] = value(&c->arg[i]);
		/* Upper halves are garbage that no call may look at. */
		if (below(4) == 0)
			x[i] |= (u64)rnd() << 32;
	}
	if (c->nr == 29) { /* ioctl */
		u32 k = below(COUNT(commands));

		x[1] = commands[k].number;
		x[2] = pointer(commands[k].size ? commands[k].size : 64);
	}
	/* Threads and children that a call makes have nothing to do. */
	r = sys6(c->nr, x[0], x[1], x[2], x[3], x[4], x[5]);
	if (r == 0 && (c->nr == 220 || c->nr == 435))
		sys(NR_exit_group, 0);
}

/* --- children --------------------------------------------------------------------------------------------- */

/* Something behind most numbers from 3 on. */
static void open_files(void)
{
	static const char *const names[] = {
		"d", "d/f", "/dev/null", "/dev/ptmx", "/proc/self/status", "d/fifo", "/dev/zero"};
	u32 pair[2];

	for (u32 i = 0; i < COUNT(names); i++)
		sys(NR_openat, -100, names[i], i == 0 ? 0 : 04002, 0);
	sys(NR_pipe2, pair, 04000);
	sys(199, 1, 1, 0, pair); /* socketpair */
	sys(198, 2, 2, 0);       /* socket: UDP */
	sys(198, 10, 1, 0);      /* TCP over IPv6 */
	sys(198, 16, 3, 0);      /* netlink */
	sys(20, 0);              /* epoll_create1 */
	sys(19, 1, 0);           /* eventfd2 */
	sys(85, 1, 0);           /* timerfd_create */
	sys(26, 0);              /* inotify_init1 */
	sys(NR_memfd_create, "m", 0);
	sys(434, self, 0); /* pidfd_open */
}

static void nothing(int sig)
{
	(void)sig;
}

struct action {
	u32 handler, flags, restorer, mask[2];
} __attribute__((packed));

__asm__(".globl back\nback: mov x8, #139\n svc #0\n");
extern char back[];

static void child(u32 ncalls)
{
	struct action act = {(u32)nothing, 0x04000000, (u32)back, {0, 0}};
	u32 timer[4] = {0, 5000, 0, 5000};

	self = (u32)sys(NR_getpid);
	sys(NR_rt_sigaction, 14, &act, 0, 8);
	sys(NR_setitimer, 0, timer, 0);
	open_files();
	while (ncalls--)
		one_call();
	sys(NR_exit_group, 0);
}

/* No longer than a second or so. */
static void reap(u32 pid)
{
	u32 ms[2] = {0, 2000000};

	for (u32 i = 0; i < 600; i++) {
		if ((s32)sys(NR_wait4, pid, 0, 1, 0) != 0)
			return;
		sys(NR_nanosleep, ms, 0);
	}
	sys(NR_kill, pid, 9);
	sys(NR_wait4, pid, 0, 0, 0);
}

static u32 parse(const char *s)
{
	u32 v = 0;

	while (*s >= '0' && *s <= '9')
		v = v * 10 + (u32)(*s++ - '0');
	return v;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 seed, children, ncalls;

	(void)envp, (void)auxv;
	if (argc < 3)
		return 2;
	seed = parse(argv[1]);
	children = parse(argv[2]);
	ncalls = argc > 3 ? parse(argv[3]) : 100;
	sys(NR_mmap2, AREA, 2 * PAGE, 3, MAP_PRIVATE_ANON, -1, 0);
	sys(NR_mmap2, READ_ONLY, PAGE, 1, MAP_PRIVATE_ANON, -1, 0);
	sys(NR_mmap2, SHARED, PAGE, 3, MAP_SHARED_ANON, -1, 0);
	for (u32 i = 0; i < children; i++) {
		s32 pid = (s32)sys(NR_clone, 17, 0, 0, 0, 0);

		if (pid == 0) {
			state = ((u64)seed << 32 | i) * 0x9e3779b97f4a7c15 + 1;
			for (u32 k = 0; k < 8; k++)
				rnd();
			child(ncalls);
		}
		if (pid > 0)
			reap((u32)pid);
	}
	return 0;
}
