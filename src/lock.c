/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock.h"

#include <linux/futex.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* More than are ever held at once (docs/architecture.md has their order). */
enum { BOOKS = 16 };

/* What this thread holds, or is about to take or has just opened. */
static _Thread_local struct own_lock *_Atomic books[BOOKS];
static _Thread_local uint32_t tid; /* 0: not known yet */

static uint32_t self(void)
{
	if (!tid)
		tid = (uint32_t)syscall(SYS_gettid);
	return tid;
}

/* All that wait are in this address space, if in several processes. */
static void futex(struct own_lock *l, int op, uint32_t value)
{
	syscall(SYS_futex, &l->owner, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void replace(struct own_lock *from, struct own_lock *to)
{
	for (unsigned i = 0; i < BOOKS; i++) {
		if (atomic_load_explicit(&books[i], memory_order_relaxed) == from) {
			atomic_store_explicit(&books[i], to, memory_order_relaxed);
			/* Only this thread reads it, but it may be killed in between. */
			atomic_signal_fence(memory_order_seq_cst);
			return;
		}
	}
	if (to)
		abort();
}

static bool take(struct own_lock *l, uint32_t value)
{
	uint32_t owner = 0;

	return atomic_compare_exchange_strong_explicit(&l->owner, &owner, value,
						       memory_order_acquire, memory_order_relaxed);
}

static void wait_for(struct own_lock *l)
{
	/* Who has slept does not know whether others still do. */
	while (!take(l, self() | OWN_LOCK_WAITED)) {
		uint32_t owner = atomic_load_explicit(&l->owner, memory_order_relaxed);

		if ((owner & ~OWN_LOCK_WAITED) == self())
			abort();
		if (!owner)
			continue;
		if (owner & OWN_LOCK_WAITED ||
		    atomic_compare_exchange_strong(&l->owner, &owner, owner | OWN_LOCK_WAITED))
			futex(l, FUTEX_WAIT, owner | OWN_LOCK_WAITED);
	}
}

void own_lock_init(struct own_lock *l)
{
	replace(l, NULL);
	atomic_store(&l->owner, 0);
}

void own_lock(struct own_lock *l)
{
	replace(NULL, l);
	if (!take(l, self()))
		wait_for(l);
}

bool own_trylock(struct own_lock *l)
{
	replace(NULL, l);
	if (take(l, self()))
		return true;
	replace(l, NULL);
	return false;
}

void own_unlock(struct own_lock *l)
{
	if (atomic_exchange_explicit(&l->owner, 0, memory_order_release) & OWN_LOCK_WAITED)
		futex(l, FUTEX_WAKE, 1);
	replace(l, NULL);
}

void own_locks_new_tid(void)
{
	tid = 0;
}

bool own_locks_bury(pid_t dead)
{
	bool any = false;

	for (unsigned i = 0; i < BOOKS; i++) {
		struct own_lock *l = atomic_exchange(&books[i], NULL);

		if (!l)
			continue;
		if ((atomic_load(&l->owner) & ~OWN_LOCK_WAITED) == (uint32_t)dead) {
			any = true;
			atomic_store(&l->owner, 0);
		}
		/* Also who waits for one that it opened last, and did not get to wake. */
		futex(l, FUTEX_WAKE, 1);
	}
	return any;
}
