/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a core goes (fs/coredump.c format_corename, do_coredump), and how the process dies behind it. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "debug/core.h"

#define PATTERN_SIZE 128 /* CORENAME_MAX_SIZE */
#define PATH_SIZE    4096

/* --- the name ------------------------------------------------------------------------------------------- */

/* One line of a file; "" if it cannot be read. */
static void read_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "re");

	if (!f || !fgets(line, size, f))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (f)
		fclose(f);
}

static void put_text(FILE *f, const char *s, bool file_name)
{
	if (file_name && (strcmp(s, ".") == 0 || strcmp(s, "..") == 0))
		fputc('!', f), s++; /* the kernel replaces the first dot */
	for (; *s; s++)
		fputc(*s == '/' ? '!' : *s, f);
}

static void put_specifier(FILE *f, char c, const struct task *t, int signo)
{
	const char *exe = t->process->exe, *slash = strrchr(exe, '/');
	char text[256] = "";
	struct rlimit rl;

	switch (c) {
	case '%': fputc('%', f); break;
	case 'p':
	case 'P': fprintf(f, "%d", (int)t->tgid); break;
	case 'i':
	case 'I': fprintf(f, "%d", (int)t->tid); break;
	case 'u': fprintf(f, "%u", getuid()); break;
	case 'g': fprintf(f, "%u", getgid()); break;
	case 'd': fprintf(f, "%d", prctl(PR_GET_DUMPABLE)); break;
	case 's': fprintf(f, "%d", signo); break;
	case 't': fprintf(f, "%lld", (long long)time(NULL)); break;
	case 'h':
		gethostname(text, sizeof text - 1);
		put_text(f, text, true);
		break;
	case 'e':
		read_line("/proc/thread-self/comm", text, sizeof text);
		put_text(f, text, true);
		break;
	case 'f': put_text(f, slash ? slash + 1 : exe, true); break;
	case 'E': put_text(f, exe, false); break;
	case 'c':
		getrlimit(RLIMIT_CORE, &rl);
		fprintf(f, "%llu", (unsigned long long)rl.rlim_cur);
		break;
	default: break; /* unknown ones are dropped */
	}
}

void core_file_name(char *name, unsigned long size, const char *pattern, bool uses_pid,
		    const struct task *t, int signo)
{
	FILE *f = fmemopen(name, size, "w");
	bool pid = false;

	name[0] = '\0';
	if (!f)
		return;
	for (const char *p = pattern; *p; p++) {
		if (*p != '%') {
			fputc(*p, f);
		} else if (*++p) {
			pid |= *p == 'p';
			put_specifier(f, *p, t, signo);
		} else {
			break;
		}
	}
	if (uses_pid && !pid)
		fprintf(f, ".%d", (int)t->tgid);
	fclose(f);
}

/* The host's pattern. False: it names a program or a socket. */
static bool file_pattern(char pattern[PATTERN_SIZE])
{
	read_line("/proc/sys/kernel/core_pattern", pattern, PATTERN_SIZE);
	return pattern[0] != '|' && pattern[0] != '@';
}

/* --- the file ------------------------------------------------------------------------------------------- */

int core_file_open(const struct task *t, int signo)
{
	char pattern[PATTERN_SIZE], name[PATH_SIZE], pid[16];
	struct stat st;

	read_line("/proc/sys/kernel/core_uses_pid", pid, sizeof pid);
	bool uses_pid = atoi(pid) != 0;
	if (!file_pattern(pattern)) {
		memcpy(pattern, "core", sizeof "core");
		uses_pid = true;
	}
	core_file_name(name, sizeof name, pattern, uses_pid, t, signo);
	if (!name[0])
		return -ENOENT;
	int fd = open(name, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd < 0)
		return -errno;
	/* The kernel writes only to a plain file of the user's own that nobody else can read. */
	uid_t uid = (uid_t)setfsuid((uid_t)-1);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || st.st_uid != uid ||
	    (st.st_mode & 0677) != 0600 || ftruncate(fd, 0)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

/* --- the death ------------------------------------------------------------------------------------------ */

/* From linux/mount.h, which older C libraries do not go together with. */
enum { FSOPEN_CLOEXEC_ = 1, FSMOUNT_CLOEXEC_ = 1, FSCONFIG_CMD_CREATE_ = 6 };

/* A file system in memory that has no name anywhere: a descriptor of its root, or -1. */
static int nowhere(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC_), root = -1;

	if (fs >= 0 && syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE_, NULL, NULL, 0) == 0)
		root = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC_, 0);
	if (fs >= 0)
		syscall(SYS_close, fs);
	return root;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* In a process with namespaces of its own, where everybody may mount. Our table of descriptors is its
 * table too: the exit status is the number. */
static _Noreturn void nowhere_child(unsigned uid, unsigned gid)
{
	char map[32];
	int fd = -1;

	snprintf(map, sizeof map, "%u %u 1", uid, uid);
	if (write_file("/proc/self/uid_map", map) && write_file("/proc/self/setgroups", "deny")) {
		snprintf(map, sizeof map, "%u %u 1", gid, gid);
		if (write_file("/proc/self/gid_map", map))
			fd = nowhere();
	}
	for (;;)
		syscall(SYS_exit_group, fd >= 0 && fd < 255 ? fd : 255);
}

static int nowhere_by_namespace(void)
{
	unsigned uid = geteuid(), gid = getegid();
	long pid = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | CLONE_FILES, 0, 0, 0, 0);
	int status = 0;

	if (pid == 0)
		nowhere_child(uid, gid);
	if (pid < 0 || waitpid((pid_t)pid, &status, __WALL) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == 255)
		return -1;
	return WEXITSTATUS(status);
}

/* Makes the kernel's core land nowhere. */
static bool go_nowhere(void)
{
	struct rlimit size = {0, 0}, core;
	char pattern[PATTERN_SIZE];

	/* An absolute path would need a root directory of our own. */
	if (!file_pattern(pattern) || strchr(pattern, '/') || getrlimit(RLIMIT_CORE, &core))
		return false;
	int root = nowhere();
	if (root < 0)
		root = nowhere_by_namespace();
	if (root < 0 || fchdir(root))
		return false;
	/* Not one byte: the first write fails, and the kernel calls that a dump all the same. */
	getrlimit(RLIMIT_FSIZE, &size);
	size.rlim_cur = 0;
	return setrlimit(RLIMIT_FSIZE, &size) == 0;
}

void core_prepare_death(const struct task *t, bool dumped)
{
	struct rlimit core = {0, 0};

	if (dumped && go_nowhere())
		return;
	/* 1 byte: too little for a file, and for a pipe the kernel's sign that there is none to be had. */
	getrlimit(RLIMIT_CORE, &core);
	core.rlim_cur = core.rlim_max ? 1 : 0;
	setrlimit(RLIMIT_CORE, &core);
	if (!t->process->shares_memory) /* whose flag it is */
		prctl(PR_SET_DUMPABLE, 0);
}
