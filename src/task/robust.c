/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Robust futex lists at the end of a thread (kernel/futex/core.c, exit_robust_list and
 * compat_exit_robust_list): the host kernel walks only its own 64-bit lists.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/host_task.h"
#include "abi/structs.h"
#include "task/internal.h"

/* The kernel's ROBUST_LIST_LIMIT: lists may be circular. */
#define LIST_LIMIT 2048

/* Bit 0 of a list pointer marks a PI futex; the host kernel hands those on itself when the host
 * thread, their owner, ends. */
struct entry {
	gaddr at;
	bool pi;
};

static struct entry entry_of(uint64_t v)
{
	return (struct entry){.at = (gaddr)v & ~1u, .pi = v & 1};
}

static int fetch_entry(struct entry *e, gaddr from)
{
	uint32_t v;

	if (mem_get_u32(from, &v))
		return -EFAULT;
	*e = entry_of(v);
	return 0;
}

static void wake_one(gaddr uaddr)
{
	/* Shared: other processes may sleep on it. */
	syscall(SYS_futex, mem_host(uaddr), FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* The new value of a lock word; 0: it is to stay. */
typedef uint32_t mark_fn(uint32_t old, uint32_t tid);

static uint32_t dead(uint32_t old, uint32_t tid)
{
	return (old & FUTEX_TID_MASK) == tid ? (old & FUTEX_WAITERS) | FUTEX_OWNER_DIED : 0;
}

static uint32_t alive(uint32_t old, uint32_t tid)
{
	return (old & ~FUTEX_WAITERS) == FUTEX_OWNER_DIED ? (old & FUTEX_WAITERS) | tid : 0;
}

/* The old value in *V: 1 if it was changed, 0 if MARK did not want it, -EFAULT. */
static int change(gaddr uaddr, uint32_t tid, mark_fn *mark, uint32_t *v)
{
	uint32_t new;

	if (mem_get_u32(uaddr, v))
		return -EFAULT;
	while ((new = mark(*v, tid))) {
		uint32_t seen = *v;

		if (mem_cas_u32(uaddr, &seen, new))
			return -EFAULT;
		if (seen == *v)
			return 1;
		*v = seen;
	}
	return 0;
}

/* handle_futex_death(): negative ends the walk, 1: it was the thread's. */
static int owner_died(gaddr uaddr, uint32_t tid, bool pi, bool pending)
{
	uint32_t v;

	if (uaddr % 4 || mem_get_u32(uaddr, &v))
		return -EFAULT;
	if (pending && !pi && !(v & FUTEX_TID_MASK)) {
		/* Died between giving the lock up and waking the next one. */
		wake_one(uaddr);
		return 0;
	}
	int r = change(uaddr, tid, dead, &v);
	if (r == 1 && !pi && (v & FUTEX_WAITERS))
		wake_one(uaddr);
	return r;
}

static int owner_lives(gaddr uaddr, uint32_t tid, bool pi, bool pending)
{
	uint32_t v;

	(void)pi, (void)pending;
	return uaddr % 4 ? -EFAULT : change(uaddr, tid, alive, &v);
}

typedef int lock_fn(gaddr uaddr, uint32_t tid, bool pi, bool pending);

/* FN for each lock of the list, and if WITH_PENDING for the pending one: whether that was the thread's. */
static bool walk(const struct task *t, gaddr head, lock_fn *fn, bool with_pending)
{
	uint32_t tid = (uint32_t)t->tid, offset;
	struct host_robust_list_head h;
	struct entry e, next, pending;

	if (!head || abi_read(&abi_st_robust_list_head, &h, head))
		return false;
	e = entry_of(h.next);
	offset = (uint32_t)h.futex_offset;
	pending = entry_of(h.list_op_pending);
	for (unsigned n = 0; e.at != head && n < LIST_LIMIT; n++) {
		/* The next pointer first: the new owner may free the entry. */
		int err = fetch_entry(&next, e.at);
		if ((e.at != pending.at && fn(e.at + offset, tid, e.pi, false) < 0) || err)
			return false;
		e = next;
	}
	return pending.at && with_pending && fn(pending.at + offset, tid, pending.pi, true) == 1;
}

void task_robust_exit(struct task *t, struct task_robust *w)
{
	gaddr head = t->robust_list;

	t->robust_list = 0;
	bool pending = walk(t, head, owner_died, true);
	if (w)
		*w = (struct task_robust){head, pending};
}

void task_robust_undo(struct task *t, const struct task_robust *w)
{
	walk(t, w->head, owner_lives, w->pending);
	t->robust_list = w->head;
}
