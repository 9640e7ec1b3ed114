/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls by kind: syscalls KIND ROUNDS.
 *
 * stat and fstat are the kernel's calls of that name: by stat() one libc would ask statx, another fstatat.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#ifdef SYS_fstat64 /* 32-bit longs */
# define FSTAT   SYS_fstat64
# define FSTATAT SYS_fstatat64
#else
# define FSTAT   SYS_fstat
# define FSTATAT SYS_newfstatat
#endif

static volatile unsigned handled;
static const char *self;
static char status[256]; /* any kernel's struct stat */

static int open_close(const char *name)
{
	int fd = open(name, O_RDONLY);

	return fd < 0 || close(fd);
}

static void handler(int sig)
{
	(void)sig;
	handled++;
}

static int one_round(const char *kind, int zero, int null, char *buf)
{
	if (strcmp(kind, "getppid") == 0)
		return syscall(SYS_getppid) <= 0;
	if (strcmp(kind, "read") == 0)
		return read(zero, buf, 1) != 1;
	if (strcmp(kind, "write") == 0)
		return write(null, buf, 1) != 1;
	if (strcmp(kind, "stat") == 0)
		return (int)syscall(FSTATAT, AT_FDCWD, self, status, 0);
	if (strcmp(kind, "fstat") == 0)
		return (int)syscall(FSTAT, null, status);
	if (strcmp(kind, "open") == 0)
		return open_close(self);
	if (strcmp(kind, "open-mount") == 0) /* a file of another mount than the root's */
		return open_close("/dev/null");
	if (strcmp(kind, "select") == 0) {
		fd_set set;
		struct timeval none = {0, 0};

		FD_ZERO(&set);
		FD_SET(null, &set);
		return select(100, NULL, &set, NULL, &none) != 1;
	}
	if (strcmp(kind, "signal") == 0)
		return kill(getpid(), SIGUSR1);
	return 1;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "getppid";
	unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char buf[16] = "";

	self = argv[0];
	signal(SIGUSR1, handler);
	for (unsigned i = 0; i < n; i++) {
		if (one_round(kind, zero, null, buf)) {
			fprintf(stderr, "%s failed in round %u\n", kind, i);
			return 1;
		}
	}
	return finish(n);
}
