/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Namespaces of System V IPC, the network, the host's name, control groups and time, by unshare, clone, clone3 and setns in
 * a user namespace of their own. Expected values from a native 64-bit run. */
#include "proc.h"

enum { NR_setns = 268, NR_sethostname = 161, NR_msgget = 186, NR_msgctl = 187, NR_socket = 198 };
enum { NR_connect = 203, NR_openat_ = 56, NR_close_ = 57, NR_write_ = 64 };
enum { IPC_CREAT = 01000, IPC_EXCL = 02000, IPC_RMID = 0, KEY = 0x494c5033 };
enum { O_WRONLY = 1, O_CLOEXEC = 02000000, AF_INET = 2, SOCK_DGRAM = 2 };
#define CLONE_NEWTIME   0x00000080u
#define CLONE_NEWCGROUP 0x02000000u
#define CLONE_NEWUTS    0x04000000u
#define CLONE_NEWNET    0x40000000u

/* Which namespace of TYPE process PID is in. */
static char *space(s64 pid, const char *type, char text[64])
{
	static char path[64];
	u32 n = 0, digits[10], k = 0;

	for (const char *p = "/proc/"; *p; p++)
		path[n++] = *p;
	for (u32 v = (u32)pid; v; v /= 10)
		digits[k++] = v % 10;
	while (k)
		path[n++] = (char)('0' + digits[--k]);
	for (const char *p = "/ns/"; *p; p++)
		path[n++] = *p;
	while (*type)
		path[n++] = *type++;
	path[n] = 0;
	s64 r = text ? sys(NR_readlinkat, -100, path, text, 63) : 0;
	if (text)
		text[r > 0 ? r : 0] = 0;
	return path;
}

static void host_name(const char *what)
{
	static char name[6 * 65];

	sys(NR_uname, name);
	print("%s %s", what, name + 65);
}

static s64 put(const char *path, const char *text)
{
	u32 n = 0;
	s64 fd = sys(NR_openat_, -100, path, O_WRONLY | O_CLOEXEC, 0);

	while (text[n])
		n++;
	s64 r = fd < 0 ? fd : sys(NR_write_, fd, text, n);
	sys(NR_close_, fd);
	return r;
}

/* A datagram to the loopback address: a new network has no route to it. */
static s64 reach(void)
{
	static const u8 address[16] = {AF_INET, 0, 0, 9, 127, 0, 0, 1};
	s64 s = sys(NR_socket, AF_INET, SOCK_DGRAM, 0);
	s64 r = sys(NR_connect, s, address, 16);

	sys(NR_close_, s);
	return r;
}

static const char *const types[] = {"ipc", "net", "uts", "cgroup"};
static const u32 flags[] = {CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWUTS, CLONE_NEWCGROUP};

static void moved(s64 a, s64 b)
{
	static char one[64], two[64];

	for (u32 i = 0; i < 4; i++) {
		space(a, types[i], one);
		space(b, types[i], two);
		print(" %s %s", types[i], equal(one, two) ? "same" : "new");
	}
}

static void look_inside(void)
{
	print("queue %ld, network %ld", sys(NR_msgget, KEY, 0), reach());
	print(", name %ld", sys(NR_sethostname, "inside", 6));
	host_name(",");
	print("\n");
}

static void by_unshare(void)
{
	s64 self = sys(NR_getpid), pid;

	flush();
	pid = fork_();
	if (!pid) {
		for (u32 i = 0; i < 4; i++) {
			print("%s %ld:", types[i], sys(NR_unshare, flags[i]));
			moved(self, sys(NR_getpid));
			print("\n");
		}
		look_inside();
		flush();
		quit(0);
	}
	print("%x\n", (u32)wait_for(pid));
	host_name("outside still");
	print(", queue %d, network %ld\n", sys(NR_msgget, KEY, 0) >= 0, reach());
}

static void by_clone(void)
{
	static u64 args[8];
	static int fds[4];
	s64 pid, r;

	flush();
	pid = sys(NR_clone, CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWCGROUP | SIGCHLD,
		  0, 0, 0, 0);
	if (!pid) {
		look_inside();
		flush();
		sys(NR_kill, sys(NR_getpid), SIGSTOP);
		quit(0);
	}
	static u32 status;
	sys(NR_wait4, pid, &status, 2, 0);
	print("clone %x:", status);
	moved(sys(NR_getpid), pid);
	for (u32 i = 0; i < 4; i++)
		fds[i] = (int)sys(NR_openat_, -100, space(pid, types[i], 0), O_CLOEXEC, 0);
	print("\nsetns, of another kind %ld", sys(NR_setns, fds[0], CLONE_NEWUTS));
	print(", of no namespace %ld\n", sys(NR_setns, 0, 0));
	flush();
	s64 enters = fork_();
	if (!enters) {
		for (u32 i = 0; i < 4; i++)
			print("%s %ld, ", types[i], sys(NR_setns, fds[i], i & 1 ? 0 : flags[i]));
		moved(pid, sys(NR_getpid));
		host_name(",");
		print(", network %ld\n", reach());
		flush();
		quit(0);
	}
	wait_for(enters);
	sys(NR_kill, pid, SIGKILL);
	wait_for(pid);
	args[0] = CLONE_NEWUTS | CLONE_NEWIPC;
	args[4] = SIGCHLD;
	r = sys(NR_clone3, args, 64);
	if (!r) {
		print("clone3: queue %ld, name %ld", sys(NR_msgget, KEY, 0),
		      sys(NR_sethostname, "three", 5));
		host_name(",");
		flush();
		quit(0);
	}
	print(", end %x\n", (u32)wait_for(r));
}

/* Who unshares it stays; its children are in it, and the offsets are set before the first one. */
static void time_space(void)
{
	u64 before = now_ms();
	s64 pid;

	flush();
	pid = fork_();
	if (!pid) {
		print("time %ld", sys(NR_unshare, CLONE_NEWTIME));
		print(", offset %ld", put("/proc/self/timens_offsets", "monotonic 5000 0\n"));
		print(", here %d", now_ms() - before < 1000000);
		flush();
		pid = fork_();
		if (!pid) {
			u64 after = now_ms() - before;

			print(", child %d", after > 4999999 && after < 6000000);
			flush();
			quit(0);
		}
		wait_for(pid);
		print(", then %ld\n", put("/proc/self/timens_offsets", "monotonic 1 0\n"));
		flush();
		quit(0);
	}
	wait_for(pid);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	print("user %ld\n", sys(NR_unshare, CLONE_NEWUSER | CLONE_NEWUTS | CLONE_NEWIPC));
	print("name %ld\n", sys(NR_sethostname, "outside", 7));
	s64 queue = sys(NR_msgget, KEY, IPC_CREAT | IPC_EXCL | 0600);
	by_unshare();
	by_clone();
	time_space();
	sys(NR_msgctl, queue, IPC_RMID, 0);
	return 0;
}
