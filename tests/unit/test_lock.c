/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks that a process in shared memory, which borrows the thread, holds when it is killed. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lock.h"
#include "syscall/dirents.h"

static struct own_lock first = OWN_LOCK_INIT, second = OWN_LOCK_INIT, others = OWN_LOCK_INIT;
static char stack[1 << 16] __attribute__((aligned(16)));
static _Atomic pid_t victim;

static pid_t in_borrower(int (*fn)(void *))
{
	int pid, status;

	victim = 0;
	pid = clone(fn, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	own_locks_new_tid();
	return pid;
}

static pid_t self(void)
{
	return (pid_t)syscall(SYS_getpid);
}

static int die_with_two(void *arg)
{
	own_locks_new_tid();
	own_lock(&first);
	own_lock(&second);
	own_unlock(&first);
	own_lock(&first);
	if (own_trylock(&others))
		return 1;
	kill(self(), SIGKILL);
	return arg == NULL;
}

static int die_with_none(void *arg)
{
	own_locks_new_tid();
	own_lock(&first);
	own_unlock(&first);
	kill(self(), SIGKILL);
	return arg == NULL;
}

static atomic_int holding; /* 1: OTHERS is held, 2: it may go */

static void *hold(void *arg)
{
	own_lock(&others);
	holding = 1;
	while (holding != 2)
		sched_yield();
	own_unlock(&others);
	return arg;
}

static void *pass_through(void *arg)
{
	own_lock(&second);
	own_unlock(&second);
	return arg;
}

static void test_bury(void **state)
{
	pthread_t t, waiter;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, hold, NULL), 0);
	while (!holding)
		sched_yield();
	pid_t dead = in_borrower(die_with_two);
	assert_false(own_trylock(&first));
	assert_false(own_locks_bury(dead + 1)); /* all are somebody else's, and forgotten */
	assert_false(own_trylock(&first));
	own_lock_init(&first);
	own_lock_init(&second);
	dead = in_borrower(die_with_two);
	assert_false(own_trylock(&first));
	assert_int_equal(pthread_create(&waiter, NULL, pass_through, NULL), 0);
	while (!(atomic_load(&second.owner) & OWN_LOCK_WAITED))
		sched_yield();
	assert_true(own_locks_bury(dead));
	pthread_join(waiter, NULL);
	assert_true(own_trylock(&first));
	assert_true(own_trylock(&second));
	assert_false(own_trylock(&others));
	own_unlock(&first);
	own_unlock(&second);
	dead = in_borrower(die_with_none);
	assert_false(own_locks_bury(dead));
	holding = 2;
	pthread_join(t, NULL);
	assert_true(own_trylock(&others));
	own_unlock(&others);
}

/* --- contention --------------------------------------------------------------------------------------------- */

enum { THREADS = 4, TURNS = 100000 };
static unsigned counter;

static void *count(void *arg)
{
	for (unsigned i = 0; i < TURNS; i++) {
		own_lock(&first);
		unsigned n = counter;
		if (i % 1024 == 0)
			sched_yield(); /* so that others meet it locked */
		counter = n + 1;
		own_unlock(&first);
	}
	return arg;
}

static void test_contention(void **state)
{
	pthread_t t[THREADS];

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, count, NULL), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(counter, THREADS * TURNS);
	assert_true(own_trylock(&first));
	own_unlock(&first);
}

/* --- the table of directory positions ------------------------------------------------------------- */

static int remember_for_ever(void *arg)
{
	struct dir_id dir = {1, 2};

	own_locks_new_tid();
	victim = self();
	for (int64_t cookie = 1; arg == NULL; cookie++)
		dir_remember(dir, cookie);
	return 0;
}

static atomic_bool enough;

static void *kill_victims(void *arg)
{
	unsigned turn = 0;

	while (!enough) {
		pid_t pid = atomic_exchange(&victim, 0);

		if (!pid) {
			sched_yield();
			continue;
		}
		for (volatile unsigned spin = 0; spin < turn % 97 * 50; spin++)
			;
		turn++;
		kill(pid, SIGKILL);
	}
	return arg;
}

static void test_directories(void **state)
{
	struct dir_id dir = {1, 2};
	int64_t cookie;
	unsigned held = 0;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, kill_victims, NULL), 0);
	alarm(60); /* instead of standing still */
	for (int i = 0; i < 300; i++) {
		pid_t dead = in_borrower(remember_for_ever);

		held += own_locks_bury(dead);
		dir_remember(dir, 7);
		assert_true(dir_recall(dir, dir_digest(7), &cookie));
		assert_int_equal(cookie, 7);
	}
	alarm(0);
	enough = true;
	pthread_join(t, NULL);
	/* It has been tried. */
	assert_true(held > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bury),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
