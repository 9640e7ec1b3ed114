/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes, threads, and switches between them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "micro.h"

#define RING_MAX 32

static char **command;

static uint64_t reap(uint64_t n, pid_t pid)
{
	int status;

	micro_check(pid < 0, "fork");
	micro_check(waitpid(pid, &status, 0) != pid || status != 0, "the child's end");
	return n;
}

static uint64_t fork_exit(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		reap(1, pid);
	}
	return n;
}

static void a_command(int argc, char **argv)
{
	micro_check(argc < 1, "no command given");
	command = argv; /* argv ends in NULL as main's does */
}

static uint64_t fork_exec(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		pid_t pid = fork();

		if (pid == 0) {
			int null = open("/dev/null", O_WRONLY);

			if (null >= 0 && dup2(null, 1) == 1)
				execv(command[0], command);
			_exit(127);
		}
		reap(1, pid);
	}
	return n;
}

static void *nothing(void *arg)
{
	return arg;
}

static uint64_t thread_join(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		pthread_t thread;

		micro_check(pthread_create(&thread, NULL, nothing, NULL), "pthread_create");
		micro_check(pthread_join(thread, NULL), "pthread_join");
	}
	return n;
}

/* The ring: process I reads from pipe I and writes to the next one. */
static int ring[RING_MAX][2];
static unsigned members;
static size_t words;
static uint32_t *area;

static uint32_t pass(unsigned from, unsigned to)
{
	uint32_t token, sum = 0;

	if (read(ring[from][0], &token, sizeof(token)) != sizeof(token))
		_exit(0);
	for (size_t i = 0; i < words; i++)
		sum += area[i];
	OPAQUE(sum);
	micro_check(write(ring[to][1], &token, sizeof(token)) != sizeof(token), "write");
	return token;
}

static void make_ring(int argc, char **argv)
{
	micro_one_cpu();
	members = (unsigned)micro_number(argc, argv, 0, 2);
	words = micro_number(argc, argv, 1, 0) * 1024 / sizeof(*area);
	micro_check(members < 2 || members > RING_MAX, "size of the ring");
	for (unsigned i = 0; i < members; i++)
		micro_check(pipe(ring[i]), "pipe");
	for (unsigned i = 0; i < members; i++) {
		pid_t pid = i ? fork() : 0;

		if (pid == 0) { /* each its own */
			area = calloc(words + 1, sizeof(*area));
			micro_check(!area, "memory");
			for (size_t w = 0; w < words; w++)
				area[w] = (uint32_t)w;
		}
		if (i == 0)
			continue;
		if (pid == 0) {
			for (;;)
				pass(i, (i + 1) % members);
		}
		micro_partner(pid);
	}
}

/* One switch is one unit of work; a round of the token has as many as members. */
static uint64_t switches(uint64_t n)
{
	uint32_t token = 7;

	micro_check(write(ring[1][1], &token, sizeof(token)) != sizeof(token), "write");
	for (uint64_t i = n; i > 1; i--)
		micro_check(pass(0, 1) != 7, "the token");
	micro_check(read(ring[0][0], &token, sizeof(token)) != sizeof(token) || token != 7,
		    "the token");
	return n * members;
}

const struct micro_case micro_process[] = {
	{"fork", NULL, fork_exit},
	{"exec", a_command, fork_exec},
	{"thread", NULL, thread_join},
	{"switch", make_ring, switches},
	{0},
};
