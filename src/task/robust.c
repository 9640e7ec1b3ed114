/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Robust futex lists at the end of a thread (kernel/futex/core.c, exit_robust_list and
 * compat_exit_robust_list): the host kernel walks only its own 64-bit lists.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "task/internal.h"

/* The kernel's ROBUST_LIST_LIMIT: lists may be circular. */
#define LIST_LIMIT 2048

/* The head: next u32 @0, futex_offset s32 @4, list_op_pending u32 @8. */
enum { HEAD_NEXT = 0, HEAD_OFFSET = 4, HEAD_PENDING = 8 };

/* Bit 0 of a list pointer marks a PI futex; the host kernel hands those on itself when the host
 * thread, their owner, ends. */
struct entry {
	gaddr at;
	bool pi;
};

static int fetch_entry(struct entry *e, gaddr from)
{
	uint32_t v;

	if (mem_get_u32(from, &v))
		return -EFAULT;
	e->at = v & ~1u;
	e->pi = v & 1;
	return 0;
}

static void wake_one(gaddr uaddr)
{
	/* Shared: other processes may sleep on it. */
	syscall(SYS_futex, mem_host(uaddr), FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* handle_futex_death(): false ends the walk. */
static bool owner_died(gaddr uaddr, uint32_t tid, bool pi, bool pending)
{
	uint32_t v;

	if (uaddr % 4 || mem_get_u32(uaddr, &v))
		return false;
	if (pending && !pi && !(v & FUTEX_TID_MASK)) {
		/* Died between giving the lock up and waking the next one. */
		wake_one(uaddr);
		return true;
	}
	for (;;) {
		if ((v & FUTEX_TID_MASK) != tid)
			return true;
		uint32_t seen = v;
		if (mem_cas_u32(uaddr, &seen, (v & FUTEX_WAITERS) | FUTEX_OWNER_DIED))
			return false;
		if (seen == v)
			break;
		v = seen;
	}
	if (!pi && (v & FUTEX_WAITERS))
		wake_one(uaddr);
	return true;
}

void task_robust_exit(struct task *t)
{
	gaddr head = t->robust_list;
	struct entry e, next, pending;
	uint32_t offset;

	t->robust_list = 0;
	if (!head || fetch_entry(&e, head + HEAD_NEXT) ||
	    mem_get_u32(head + HEAD_OFFSET, &offset) || fetch_entry(&pending, head + HEAD_PENDING))
		return;
	for (unsigned n = 0; e.at != head && n < LIST_LIMIT; n++) {
		/* The next pointer first: the new owner may free the entry. */
		int err = fetch_entry(&next, e.at);
		if (e.at != pending.at && !owner_died(e.at + offset, (uint32_t)t->tid, e.pi, false))
			return;
		if (err)
			return;
		e = next;
	}
	if (pending.at)
		owner_died(pending.at + offset, (uint32_t)t->tid, pending.pi, true);
}
