/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of a process with threads, or of processes: resident threads|processes COUNT says "ready" once all of
 * them have worked a little and sleep, and ends with its input.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#define STACK (64u << 10)

static pthread_barrier_t *barrier;

/* Calls of the library and 16 KiB of stack, so that a thread is more than a creation. */
static void work(void)
{
	char text[16384];
	size_t length = 0;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (int i = 0; i < 100; i++) {
		char *copy = strdup(text);

		if (!copy)
			abort();
		length += strlen(copy);
		free(copy);
	}
	OPAQUE(length);
}

static void *thread(void *arg)
{
	work();
	pthread_barrier_wait(barrier);
	for (;;)
		pause();
	return arg;
}

int main(int argc, char **argv)
{
	int processes = argc > 1 && strcmp(argv[1], "processes") == 0;
	unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
	pthread_barrierattr_t shared;
	pthread_attr_t small;
	char c;

	if (argc > 1 && !processes && strcmp(argv[1], "threads") != 0)
		return 2;
	barrier = mmap(NULL, sizeof(*barrier), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (barrier == MAP_FAILED || pthread_barrierattr_init(&shared) ||
	    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) ||
	    pthread_barrier_init(barrier, &shared, count) || pthread_attr_init(&small) ||
	    pthread_attr_setstacksize(&small, STACK))
		return 1;
	for (unsigned i = 1; i < count; i++) {
		if (processes) {
			pid_t pid = fork();

			if (pid < 0)
				return 1;
			if (pid == 0) {
				work();
				pthread_barrier_wait(barrier);
				return read(0, &c, 1) < 0; /* until the parent's input ends */
			}
		} else {
			pthread_t t;

			if (pthread_create(&t, &small, thread, NULL))
				return 1;
		}
	}
	work();
	pthread_barrier_wait(barrier);
	puts("ready");
	fflush(stdout);
	return read(0, &c, 1) < 0;
}
