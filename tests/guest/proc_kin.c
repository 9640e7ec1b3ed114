// SPDX-License-Identifier: GPL-2.0-or-later
// Relations between processes: subreapers, pidfds, namespaces, the limit of processes, programs that another
// user owns, execve through descriptors and of scripts through descriptors.
#include "proc.h"

enum {
	NR_setuid = 146,
	NR_fchmod = 52,
	NR_getpgid = 155,
	NR_sethostname = 161,
	NR_pidfd_send_signal = 424,
	NR_pidfd_open = 434,
	PR_SET_CHILD_SUBREAPER = 36,
	PR_GET_CHILD_SUBREAPER,
	RLIMIT_NPROC = 6,
	P_PIDFD = 3,
	WEXITED = 4,
};
#define CLONE_NEWUTS 0x04000000u

static void subreaper(void)
{
	u32 fd[2], is = 0, me = (u32)sys(NR_getpid);
	s64 child, orphan = 0;

	sys(NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	sys(NR_prctl, PR_GET_CHILD_SUBREAPER, &is);
	sys(NR_pipe2, fd, 0);
	child = fork_();
	if (!child) {
		child = fork_();
		if (!child) {
			while ((u32)sys(NR_getppid) != me)
				sleep_ms(1);
			orphan = sys(NR_getpid);
			sys(NR_write, fd[1], &orphan, 8);
			quit(17);
		}
		quit(16);
	}
	print("subreaper %u: child %x", is, wait_for(child));
	sys(NR_read, fd[0], &orphan, 8);
	print(", grandchild %x\n", wait_for(orphan));
	sys(NR_prctl, PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

static void pidfds(void)
{
	u32 p[2], ts[2] = {20, 0}, info[32] = {0};
	s64 child, fd = sys(NR_pidfd_open, sys(NR_getpid), 0);

	if (fd == -ENOSYS) {
		print("pidfd: none\n");
		return;
	}
	print("signal 0 to self: %ld, flags: %ld, no process: %ld\n",
	      sys(NR_pidfd_send_signal, fd, 0, 0, 0), sys(NR_pidfd_open, sys(NR_getpid), 1),
	      sys(NR_pidfd_open, 0x3ffffff, 0));
	/* struct pidfd_info: mask, cgroup, pid, tgid, ... Kernels before 6.13 have none of it. */
	info[0] = 1;
	s64 r = sys(29, fd, 0xc040ff0b, info);
	s64 ns = sys(29, fd, 0xff04, 0);
	print("info: %d, bad pointer: %d, network: %d\n",
	      r == -25 || (r == 0 && info[4] == (u32)sys(NR_getpid) && info[5] == info[4]),
	      r == -25 || sys(29, fd, 0xc040ff0b, 8) == -14, r == -25 || ns >= 0);
	sys(NR_close, ns);
	sys(NR_close, fd);
	child = fork_();
	if (!child)
		for (;;)
			sleep_ms(1000);
	fd = sys(NR_pidfd_open, child, 0);
	print("close-on-exec: %ld\n", sys(NR_fcntl, fd, 1, 0));
	p[0] = (u32)fd;
	p[1] = 1;
	ts[0] = 0;
	print("poll: %ld", sys(NR_ppoll, p, 1, ts, 0, 8));
	print(", kill: %ld", sys(NR_pidfd_send_signal, fd, SIGTERM, 0, 0));
	ts[0] = 20;
	print(", poll: %ld %x\n", sys(NR_ppoll, p, 1, ts, 0, 8), p[1] >> 16);
	print("waitid: %ld", sys(NR_waitid, P_PIDFD, fd, info, WEXITED, 0));
	print(" code %d status %d pid %d\n", info[2], info[5], info[3] == (u32)child);
	print("gone: %ld\n", sys(NR_pidfd_send_signal, fd, 0, 0, 0));
	sys(NR_close, fd);
}

static void namespaces(void)
{
	char name[6 * 65];
	s64 pid;

	flush();
	pid = sys(NR_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		u32 ok = sys(NR_getpid) == 1 && sys(NR_gettid) == 1 && sys(NR_getppid) == 0;
		s64 child = fork_();

		if (!child)
			quit(sys(NR_getpid) > 1 && sys(NR_getppid) == 1 ? 0 : 1);
		quit(ok && child > 1 && wait_for(child) == 0 ? 18 : 19);
	}
	print("pid namespace: %x\n", wait_for(pid));
	flush();
	pid = sys(NR_clone, CLONE_NEWUTS | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		s64 r = sys(NR_sethostname, "elsewhere", 9);
		sys(NR_uname, name);
		quit(r == 0 && equal(name + 65, "elsewhere") ? 20 : 21);
	}
	int status = wait_for(pid);
	sys(NR_uname, name);
	print("UTS namespace: %x, here %d\n", status, equal(name + 65, "elsewhere"));
}

/* For users other than root. */
static void limits(void)
{
	u64 none[2] = {0, 0};
	s64 pid = fork_();

	if (!pid) {
		struct thread *t = (void *)(u32)sys(NR_mmap2, 0, 65536, 3, 0x22, -1, 0);

		sys(NR_setuid, 54321);
		sys(NR_prlimit64, 0, RLIMIT_NPROC, none, 0);
		pid = fork_();
		if (!pid)
			quit(0);
		print("RLIMIT_NPROC: fork %ld, thread %ld\n", pid, thread_start(t, 0, 0));
		quit(0);
	}
	wait_for(pid);
}

static s64 script(const char *program)
{
	s64 fd = sys(NR_memfd_create, "script", 0);
	u32 n = 0;

	while (program[n])
		n++;
	sys(NR_write, fd, "#!", 2);
	sys(NR_write, fd, program, n);
	sys(NR_write, fd, " as-script\n", 11);
	return fd;
}

/* What execveat of FD gives in a child. */
static int execute(s64 fd, const char *a0, const char *a1)
{
	const char *argv[3] = {a0, a1, 0}, *none[1] = {0};
	s64 pid = fork_();

	if (!pid)
		quit((int)-sys(NR_execveat, fd, "", argv, none, 0x1000 /* AT_EMPTY_PATH */));
	return wait_for(pid);
}

static void by_descriptor(const char *program)
{
	s64 self = sys(NR_openat, -100, "/proc/self/exe", 0, 0), file = script(program);

	print("program by descriptor: %x\n", execute(self, "zero", "as-program"));
	sys(NR_fcntl, self, 2, 1);
	print("close-on-exec: %x\n", execute(self, "zero", "as-program"));
	sys(NR_fchmod, file, 0644);
	print("not executable: %x\n", execute(file, "zero", 0));
	sys(NR_fchmod, file, 0755);
	/* The interpreter reads /dev/fd/N, which is there only if the descriptor stays. */
	print("script by descriptor: %x\n", execute(file, "zero", "more"));
	sys(NR_fcntl, file, 2, 1);
	print("script, close-on-exec: %x\n", execute(file, "zero", 0));
	sys(NR_close, self);
	sys(NR_close, file);
}

static int again(int argc, char **argv)
{
	if (equal(argv[1], "as-program"))
		return argc == 2 && equal(argv[0], "zero") ? 30 : 31;
	/* Interpreter, its argument, the file, the rest. */
	static const char dev[] = "/dev/fd/";
	for (u32 i = 0; dev[i]; i++)
		if (argv[2][i] != dev[i])
			return 32;
	s64 fd = sys(NR_openat, -100, argv[2], 0, 0);
	return argc == 4 && equal(argv[3], "more") && fd >= 0 ? 33 : 34;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)envp, (void)auxv;
	if (argc > 1)
		return again(argc, argv);
	subreaper();
	pidfds();
	namespaces();
	limits();
	by_descriptor(argv[0]);
	return 0;
}
