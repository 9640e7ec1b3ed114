/* SPDX-License-Identifier: GPL-2.0-or-later */
/* POSIX threads over clone, futex, robust lists and the cancellation signal. */
#include "check.h"
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long guarded;
static atomic_int counter;
static _Atomic uint64_t wide_counter;

static void *add(void *arg)
{
	(void)arg;
	for (int i = 0; i < 5000; i++) {
		pthread_mutex_lock(&lock);
		guarded++;
		pthread_mutex_unlock(&lock);
		atomic_fetch_add(&counter, 1);
		atomic_fetch_add(&wide_counter, 0x100000001);
	}
	return (void *)0xfffffff5u;
}

static void counting(void)
{
	pthread_t id[4];
	void *result;

	for (int i = 0; i < 4; i++)
		CHECK(!pthread_create(&id[i], NULL, add, NULL));
	for (int i = 0; i < 4; i++) {
		CHECK(!pthread_join(id[i], &result));
		EQUAL((uintptr_t)result, 0xfffffff5u);
	}
	EQUAL(guarded, 20000);
	EQUAL(atomic_load(&counter), 20000);
	EQUAL(atomic_load(&wide_counter), 20000 * 0x100000001LL);
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *ping(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		while (turn != me)
			pthread_cond_wait(&changed, &lock);
		turn = !me;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void conditions(void)
{
	int zero = 0, one = 1;
	pthread_t a, b;

	CHECK(!pthread_create(&a, NULL, ping, &zero) && !pthread_create(&b, NULL, ping, &one));
	CHECK(!pthread_join(a, NULL) && !pthread_join(b, NULL));
	EQUAL(turn, 0);

	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&lock);
	EQUAL(pthread_cond_timedwait(&changed, &lock, &until), ETIMEDOUT);
	pthread_mutex_unlock(&lock);

	sem_t sem;
	CHECK(!sem_init(&sem, 0, 1) && !sem_wait(&sem));
	CHECK(sem_timedwait(&sem, &until) == -1 && errno == ETIMEDOUT);
	CHECK(sem_trywait(&sem) == -1 && errno == EAGAIN);
}

static pthread_key_t key;
static atomic_int destroyed;
static void destroy(void *value)
{
	atomic_fetch_add(&destroyed, (int)(intptr_t)value);
}

static void *keyed(void *arg)
{
	pthread_setspecific(key, arg);
	CHECK(pthread_getspecific(key) == arg);
	pthread_exit(NULL);
}

static void cleanup(void *arg)
{
	atomic_fetch_add(&counter, *(int *)arg);
}

static void *blocked(void *arg)
{
	char byte;
	int amount = 5;

	pthread_cleanup_push(cleanup, &amount);
	(void)!read(*(int *)arg, &byte, 1);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *busy(void *arg)
{
	int old;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;)
		atomic_fetch_add((atomic_int *)arg, 1);
	return NULL;
}

static void cancelling(void)
{
	pthread_t id;
	void *result;
	int fds[2];

	CHECK(!pthread_key_create(&key, destroy));
	CHECK(!pthread_create(&id, NULL, keyed, (void *)(intptr_t)17) && !pthread_join(id, NULL));
	EQUAL(atomic_load(&destroyed), 17);

	CHECK(!pipe(fds));
	atomic_store(&counter, 0);
	CHECK(!pthread_create(&id, NULL, blocked, &fds[0]));
	usleep(20000);
	CHECK(!pthread_cancel(id) && !pthread_join(id, &result));
	CHECK(result == PTHREAD_CANCELED);
	EQUAL(atomic_load(&counter), 5);

	atomic_int spins = 0;
	CHECK(!pthread_create(&id, NULL, busy, &spins));
	while (atomic_load(&spins) < 1000)
		usleep(1000);
	CHECK(!pthread_cancel(id) && !pthread_join(id, &result));
	CHECK(result == PTHREAD_CANCELED);
}

static void *die_owning(void *arg)
{
	pthread_mutex_lock(arg);
	return NULL;
}

static void robust(void)
{
	pthread_mutexattr_t attr;
	pthread_t id;
	pthread_mutex_t *shared =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(shared != MAP_FAILED);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	CHECK(!pthread_mutex_init(shared, &attr));
	CHECK(!pthread_create(&id, NULL, die_owning, shared) && !pthread_join(id, NULL));
	EQUAL(pthread_mutex_lock(shared), EOWNERDEAD);
	CHECK(!pthread_mutex_consistent(shared) && !pthread_mutex_unlock(shared));
	pid_t child = fork();
	if (!child) {
		pthread_mutex_lock(shared);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child);
	EQUAL(pthread_mutex_lock(shared), EOWNERDEAD);
	CHECK(!pthread_mutex_consistent(shared) && !pthread_mutex_unlock(shared));
	munmap(shared, 4096);
}

static void *deep(void *arg)
{
	volatile char space[200000];

	memset((char *)space, 1, sizeof space);
	return space[1234] == 1 ? arg : NULL;
}

static void attributes(void)
{
	pthread_attr_t attr;
	pthread_t id;
	void *result;
	size_t size;
	void *base;

	pthread_attr_init(&attr);
	CHECK(!pthread_attr_setstacksize(&attr, 300000) && !pthread_attr_setguardsize(&attr, 8192));
	CHECK(!pthread_create(&id, &attr, deep, &attr) && !pthread_join(id, &result) &&
	      result == &attr);
	CHECK(!pthread_getattr_np(pthread_self(), &attr) &&
	      !pthread_attr_getstack(&attr, &base, &size));
	CHECK((char *)&size > (char *)base && (char *)&size < (char *)base + size);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	atomic_store(&counter, 0);
	for (int i = 0; i < 20; i++)
		CHECK(!pthread_create(&id, &attr, (void *(*)(void *))add, NULL));
	while (atomic_load(&counter) < 20 * 5000)
		usleep(1000);
}

int main(void)
{
	counting();
	conditions();
	cancelling();
	robust();
	attributes();
	return checks_end();
}
