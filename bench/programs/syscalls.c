/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls by kind: syscalls KIND ROUNDS. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

static volatile unsigned handled;

static void handler(int sig)
{
	(void)sig;
	handled++;
}

static int one_round(const char *kind, int zero, int null, char *buf)
{
	struct stat st;

	if (strcmp(kind, "getppid") == 0)
		return syscall(SYS_getppid) <= 0;
	if (strcmp(kind, "read") == 0)
		return read(zero, buf, 1) != 1;
	if (strcmp(kind, "write") == 0)
		return write(null, buf, 1) != 1;
	if (strcmp(kind, "stat") == 0)
		return stat("/dev/null", &st);
	if (strcmp(kind, "fstat") == 0)
		return fstat(null, &st);
	if (strcmp(kind, "open") == 0) {
		int fd = open("/dev/null", O_RDONLY);

		return fd < 0 || close(fd);
	}
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

	signal(SIGUSR1, handler);
	for (unsigned i = 0; i < n; i++) {
		if (one_round(kind, zero, null, buf)) {
			fprintf(stderr, "%s failed in round %u\n", kind, i);
			return 1;
		}
	}
	return finish(n);
}
