/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The emulator's locks. A process that shares our memory borrows its lender's thread (task/vm.c), and may be killed at
 * any instruction. So a lock is one word that says which thread of which process has it, from the very instruction that
 * takes it; and each host thread keeps books of the locks it takes, so that the lender can open those of a borrower that
 * is dead. A mutex of the C library would stay locked for ever: it writes down its owner later, and a once-control
 * has none.
 */
#ifndef LOCK_H
#define LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct own_lock {
	_Atomic uint32_t
		owner; /* tid, OWN_LOCK_WAITED: somebody may sleep; 0: free. A futex word. */
};
#define OWN_LOCK_WAITED 0x80000000u
#define OWN_LOCK_INIT \
 {                    \
  0                   \
 }

/* Before the first use of one that has no initializer; in the child of fork(2), whoever held it before. */
void own_lock_init(struct own_lock *l);
/* Not to be taken twice: abort(). Not in signal handlers. */
void own_lock(struct own_lock *l);
/* False if somebody holds it. */
bool own_trylock(struct own_lock *l);
void own_unlock(struct own_lock *l);

/* The calling thread has another tid than before: first in the child of fork(2), in a process that borrows a
 * thread, and when the lender has it back. */
void own_locks_new_tid(void);

/* Opens what DEAD, who had borrowed the calling thread, has left locked; whether there was any. What it protects may be
 * in the middle of a change. */
bool own_locks_bury(pid_t dead);

#endif
