/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of the micro benchmark: arguments, clocks, batches. */
#define _GNU_SOURCE
#include "micro.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PARTNERS 64

static struct {
	pid_t pid;
	clockid_t clock;
} partner[PARTNERS];
static int partners;
static pid_t main_pid;

struct stamp {
	uint64_t cpu, elapsed;
};
static struct stamp pause_start, paused;

static void end_partners(void)
{
	if (getpid() != main_pid)
		return;
	for (int i = 0; i < partners; i++)
		kill(partner[i].pid, SIGKILL);
	for (int i = 0; i < partners; i++)
		waitpid(partner[i].pid, NULL, 0);
	partners = 0;
}

void micro_check(int bad, const char *what)
{
	if (!bad)
		return;
	fprintf(stderr, "micro: %s: %s\n", what, errno ? strerror(errno) : "wrong result");
	end_partners();
	_exit(1);
}

void micro_partner(pid_t pid)
{
	micro_check(pid < 0 || partners == PARTNERS, "fork");
	micro_check(clock_getcpuclockid(pid, &partner[partners].clock), "clock of another process");
	partner[partners++].pid = pid;
}

void micro_one_cpu(void)
{
	cpu_set_t all, one;

	micro_check(sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &all)) {
			CPU_SET(i, &one);
			break;
		}
	}
	micro_check(sched_setaffinity(0, sizeof(one), &one), "sched_setaffinity");
}

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t;

	micro_check(clock_gettime(clock, &t), "clock_gettime");
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static struct stamp now(void)
{
	struct stamp s = {clock_now(CLOCK_PROCESS_CPUTIME_ID), clock_now(CLOCK_MONOTONIC)};
	struct rusage ru;

	for (int i = 0; i < partners; i++)
		s.cpu += clock_now(partner[i].clock);
	micro_check(getrusage(RUSAGE_CHILDREN, &ru), "getrusage");
	s.cpu += nanoseconds(ru.ru_utime) + nanoseconds(ru.ru_stime);
	return s;
}

void micro_pause(void)
{
	pause_start = now();
}

void micro_resume(void)
{
	struct stamp s = now();

	paused.cpu += s.cpu - pause_start.cpu;
	paused.elapsed += s.elapsed - pause_start.elapsed;
}

static const struct micro_case *find(const char *name)
{
	static const struct micro_case *const tables[] = {
		micro_file, micro_growth, micro_ipc, micro_memory, micro_process, micro_syscall};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct micro_case *c = tables[i]; c->name; c++) {
			if (strcmp(c->name, name) == 0)
				return c;
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct micro_case *c = argc > 2 ? find(argv[1]) : NULL;
	uint64_t target = 1000000u * (uint64_t)micro_number(argc, argv, 2, 0), count = 1;
	struct stamp before = {0, 0};

	if (!c || !target) {
		fprintf(stderr, "usage: micro CASE MILLISECONDS [ARGUMENT]...\n");
		return 2;
	}
	main_pid = getpid();
	if (c->setup)
		c->setup(argc - 3, argv + 3);
	for (;;) {
		struct stamp start, end;
		uint64_t work;

		paused = (struct stamp){0, 0};
		start = now();
		work = c->run(count);
		end = now();
		end.cpu -= start.cpu + paused.cpu;
		end.elapsed -= start.elapsed + paused.elapsed;
		/* One long batch may be a start-up's: the one before it must have been as long. */
		if ((end.cpu >= target && before.cpu >= target / 2) ||
		    (end.elapsed >= 20 * target && before.elapsed >= 10 * target)) {
			printf("%llu %llu %llu\n", (unsigned long long)work,
			       (unsigned long long)end.cpu, (unsigned long long)end.elapsed);
			break;
		}
		before = end;
		/* Towards a little more than the target, by steps of 8 at most: early batches mislead. */
		if (end.cpu * 8 < target)
			count *= 8;
		else if (end.cpu < target)
			count = count * target / end.cpu * 5 / 4 + 1;
	}
	end_partners();
	return 0;
}
