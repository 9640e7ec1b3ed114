/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure FILE COMMAND...: runs COMMAND and writes "cpu elapsed rss" (seconds, seconds, KiB) to FILE.
 * A process's peak memory includes that of the program it was forked from, so a small one forks.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	struct rusage ru;
	double start;
	int status;
	FILE *out;
	pid_t pid;

	if (argc < 3 || !(out = fopen(argv[1], "we")))
		return 125;
	start = now();
	pid = vfork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &ru) != pid)
		return 125;
	fprintf(out, "%.6f %.6f %ld\n", seconds(ru.ru_utime) + seconds(ru.ru_stime), now() - start,
		ru.ru_maxrss);
	fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
