/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same work over any number of threads: parallel own|counter THREADS WORK.
 *
 * own: sieves in memory of the thread's own. counter: all add to one atomic number, which must be exact.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "bench.h"

#define N     (1u << 18)
#define BATCH 20000u

static unsigned threads, work;
static int contended;
static atomic_uint next_batch, counter;
static atomic_ullong total;

static uint64_t sieve(uint8_t *composite)
{
	uint64_t sum = 0;

	memset(composite, 0, N);
	for (uint32_t i = 2; i < N; i++) {
		if (composite[i])
			continue;
		sum += i;
		for (uint32_t j = 2 * i; j < N; j += i)
			composite[j] = 1;
	}
	return sum;
}

static void *worker(void *arg)
{
	uint8_t *area = malloc(N);

	if (!area)
		abort();
	while (atomic_fetch_add(&next_batch, 1) < work) {
		if (!contended) {
			atomic_fetch_add(&total, sieve(area));
			continue;
		}
		for (unsigned i = 0; i < BATCH; i++)
			atomic_fetch_add(&counter, 1);
	}
	free(area);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[64];

	threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
	work = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
	contended = argc > 1 && strcmp(argv[1], "counter") == 0;
	if (threads < 1 || threads > 64)
		return 2;
	for (unsigned i = 1; i < threads; i++) {
		if (pthread_create(&t[i], NULL, worker, NULL))
			return 1;
	}
	worker(NULL);
	for (unsigned i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	return finish(contended ? atomic_load(&counter) : atomic_load(&total));
}
