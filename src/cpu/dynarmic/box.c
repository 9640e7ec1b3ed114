/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine: boxes of translated code, and the threads that take them in turns. */
#include "cpu/dynarmic/box.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cpu/dynarmic/dynarmic.h"
#include "cpu/insn.h"

/* Bytes for translations of one box; the library starts over when they are used up. Untouched parts
 * cost nothing. */
#define CODE_SIZE (64u << 20)
#define SLICE_NS  2000000
/* So long there must have been waiting before another box is worth its cost. */
#define WAITED_SLICES 10
/* As the Unicorn engine's CPU has them (tests/unit/test_cpu_fault.c). */
#define COUNTER_HZ 62500000u
#define CACHE_TYPE 0x8444c004u
#define ZVA_WORDS  4u

uint32_t dynarmic_hot = 16000;

static struct {
	struct box *_Atomic box[BOX_MAX];
	atomic_uint count;
	atomic_uint dead;
	_Atomic uint32_t seq;   /* a box became free; futex word */
	_Atomic uint32_t taken; /* a waiter got one; futex word of those that gave way */
	atomic_uint waiters;
	atomic_uint slices;   /* that were waited since the last box was made */
	atomic_uint turn;     /* who is asked to give way next */
	struct own_lock lock; /* making a box */
} pool = {.lock = OWN_LOCK_INIT};

static const uint64_t zero = 0;

static void futex_wait(_Atomic uint32_t *word, uint32_t value, long ns)
{
	struct timespec ts = {0, ns};

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &ts, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* --- making ----------------------------------------------------------------------------------- */

static unsigned limit(void)
{
	static atomic_uint processors;
	unsigned n = atomic_load(&processors);

	if (!n) {
		cpu_set_t set;

		n = sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 2;
		n = n < 2 ? 2 : n;
		atomic_store(&processors, n);
	}
	n += atomic_load(&pool.dead);
	return n < BOX_MAX ? n : BOX_MAX;
}

static bool fetch(void *owner, uint64_t start, uint64_t pc, uint32_t *word);
static void trap(void *owner, uint64_t pc, enum jit_trap trap);

static const struct jit_callbacks callbacks = {
	.fetch = fetch,
	.load = access_load,
	.store = access_store,
	.svc = emulate_svc,
	.in_line = emulate_in_line,
	.trap = trap,
};

static struct box *make(void)
{
	struct box *b = calloc(1, sizeof(*b));
	struct jit_config config = {
		.callbacks = &callbacks,
		.owner = b,
		.arena = mem_arena.base,
		.zero = &zero,
		.code_size = CODE_SIZE,
		.counter_hz = COUNTER_HZ,
		.cache_type = CACHE_TYPE,
		.zva = ZVA_WORDS,
		.hot = dynarmic_hot,
	};

	if (!b)
		return NULL;
	config.tpidr = &b->tpidr;
	config.monitor = &b->monitor;
	b->jit = jit->create(&config);
	if (!b->jit) {
		free(b);
		return NULL;
	}
	own_lock_init(&b->queue_lock);
	atomic_store(&b->owner, BOX_BUSY);
	return b;
}

/* Another box, busy. NULL: enough of them, somebody else makes one, or out of memory. */
static struct box *add(void)
{
	struct box *b = NULL;
	unsigned n;

	if (!own_trylock(&pool.lock))
		return NULL;
	n = atomic_load(&pool.count);
	if (n < limit() && (b = make())) {
		atomic_store(&pool.box[n], b);
		atomic_store(&pool.count, n + 1);
		atomic_store(&pool.slices, 0);
	}
	own_unlock(&pool.lock);
	return b;
}

bool box_first(void)
{
	struct box *b;

	if (atomic_load(&pool.count) > atomic_load(&pool.dead))
		return true;
	b = add();
	if (!b)
		return atomic_load(&pool.count) > atomic_load(&pool.dead);
	atomic_store(&b->owner, 0);
	return true;
}

/* --- taking turns ------------------------------------------------------------------------------- */

static void save(struct box *b, struct dyn *d)
{
	jit->get_state(b->jit, &d->state);
	d->state.tpidr = b->tpidr;
}

static void install(struct box *b, struct dyn *d)
{
	jit->set_state(b->jit, &d->state);
	b->tpidr = d->state.tpidr;
	b->monitor.bytes = 0;
	atomic_store(&d->box, b);
}

/* A box that nobody uses, whoever's registers are in it. */
static struct box *take_idle(struct dyn *d)
{
	unsigned i, pass, n = atomic_load(&pool.count);

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < n; i++) {
			struct box *b = atomic_load(&pool.box[i]);
			uintptr_t owner = atomic_load(&b->owner);
			struct dyn *other =
				(struct dyn *)owner; // NOLINT(performance-no-int-to-ptr)

			if ((owner & BOX_BUSY) || (pass == 0 && owner) ||
			    !atomic_compare_exchange_strong(&b->owner, &owner,
							    (uintptr_t)d | BOX_BUSY))
				continue;
			if (other) {
				save(b, other);
				atomic_store(&other->box, NULL);
			}
			return b;
		}
	}
	return NULL;
}

struct box *box_hold(struct dyn *d)
{
	for (;;) {
		struct box *b = atomic_load(&d->box);
		uintptr_t owner = (uintptr_t)d;

		if (!b)
			return NULL;
		if (atomic_compare_exchange_strong(&b->owner, &owner, owner | BOX_BUSY))
			return b;
		/* Somebody takes it, and is saving the registers. */
		while (atomic_load(&d->box) == b)
			sched_yield();
	}
}

static void ask_to_give_way(void)
{
	unsigned n = atomic_load(&pool.count);
	struct box *b = atomic_load(&pool.box[atomic_fetch_add(&pool.turn, 1) % n]);

	atomic_store(&b->yield, true);
	jit->halt(b->jit, JIT_CHANGED);
}

static struct box *wait_for_box(struct dyn *d, bool *failed)
{
	struct box *b = NULL;
	unsigned rounds = 0;

	atomic_fetch_add(&pool.waiters, 1);
	while (!b && !atomic_load(&d->kicked)) {
		uint32_t seq = atomic_load(&pool.seq);

		b = take_idle(d);
		if (b)
			break;
		/* After a fork there can be none that is not another thread's. */
		const bool none = atomic_load(&pool.count) == atomic_load(&pool.dead);
		if (none || (atomic_load(&pool.slices) >= WAITED_SLICES &&
			     atomic_load(&pool.count) < limit())) {
			b = add();
			if (b) {
				atomic_store(&b->owner, (uintptr_t)d | BOX_BUSY);
				break;
			}
		}
		if (none && atomic_load(&pool.count) == atomic_load(&pool.dead)) {
			*failed = true;
			break;
		}
		futex_wait(&pool.seq, seq, SLICE_NS);
		if (atomic_load(&pool.seq) == seq) {
			atomic_fetch_add(&pool.slices, 1);
			if (++rounds > 1)
				ask_to_give_way();
		}
	}
	atomic_fetch_sub(&pool.waiters, 1);
	if (b) {
		atomic_fetch_add(&pool.taken, 1);
		futex_wake(&pool.taken);
	}
	return b;
}

struct box *box_enter(struct dyn *d, bool *failed)
{
	struct box *b = box_hold(d);

	*failed = false;
	if (b)
		return b;
	b = take_idle(d);
	if (!b)
		b = wait_for_box(d, failed);
	if (b)
		install(b, d);
	return b;
}

void box_leave(struct dyn *d, struct box *b)
{
	bool yield = atomic_exchange(&b->yield, false);
	uint32_t taken = atomic_load(&pool.taken);

	atomic_store(&b->owner, (uintptr_t)d);
	if (!atomic_load(&pool.waiters))
		return;
	atomic_fetch_add(&pool.seq, 1);
	futex_wake(&pool.seq);
	if (yield)
		futex_wait(&pool.taken, taken, SLICE_NS / 2);
}

void box_forget(struct dyn *d)
{
	struct box *b = box_hold(d);

	if (!b)
		return;
	atomic_store(&d->box, NULL);
	atomic_store(&b->owner, 0);
	if (atomic_load(&pool.waiters)) {
		atomic_fetch_add(&pool.seq, 1);
		futex_wake(&pool.seq);
	}
}

void box_halt(struct dyn *d, uint32_t reason)
{
	struct box *b = atomic_load(&d->box);

	/* Boxes are never freed. One that changes hands right now stops once for nothing. */
	if (b && atomic_load(&b->owner) == ((uintptr_t)d | BOX_BUSY))
		jit->halt(b->jit, reason);
}

/* --- changes of code ------------------------------------------------------------------------------ */

static void queue(struct box *b, uint64_t start, uint64_t end)
{
	own_lock(&b->queue_lock);
	if (b->nqueue == BOX_QUEUE)
		b->queue_all = true;
	if (!b->queue_all) {
		b->queue[b->nqueue].start = start;
		b->queue[b->nqueue++].end = end;
	}
	atomic_store(&b->queued, true);
	own_unlock(&b->queue_lock);
	jit->halt(b->jit, JIT_CHANGED);
}

void box_changed(uint64_t start, uint64_t len)
{
	unsigned i, n = atomic_load(&pool.count);

	for (i = 0; i < n; i++)
		queue(atomic_load(&pool.box[i]), start, start + len);
}

void box_apply(struct box *b)
{
	unsigned i;

	if (!atomic_load(&b->queued))
		return;
	own_lock(&b->queue_lock);
	if (b->queue_all) {
		jit->clear(b->jit);
	} else {
		for (i = 0; i < b->nqueue; i++)
			jit->invalidate(b->jit, b->queue[i].start,
					b->queue[i].end - b->queue[i].start);
	}
	b->nqueue = 0;
	b->queue_all = false;
	atomic_store(&b->queued, false);
	own_unlock(&b->queue_lock);
}

/* --- callbacks of the translator --------------------------------------------------------------------- */

/* The longest block in instructions; the library knows no limit but the room for one more block of
 * a megabyte. */
#define BLOCK_MAX 96
#define SVC_BREAK 0xd4000021u /* svc #1: see emulate_svc() */

static bool fetch(void *owner, uint64_t start, uint64_t pc, uint32_t *word)
{
	pc = cpu_untag(pc);
	if (pc >= MEM_SPACE || (pc & 3) || mem_resolve(pc, MEM_EXEC) != MEM_OK ||
	    !mem_mark_code((gaddr)pc) || mem_get_u32((gaddr)pc, word) != 0)
		return false;
	if (pc - cpu_untag(start) >= (uint64_t)BLOCK_MAX * 4)
		*word = SVC_BREAK;
	else
		*word = emulate_word(owner, *word);
	return true;
}

static void trap(void *owner, uint64_t pc, enum jit_trap trap)
{
	struct box *b = owner;

	pc = cpu_untag(pc);
	b->stop = (struct cpu_stop){.pc = pc, .addr = pc, .access = MEM_EXEC};
	if (trap == JIT_TRAP_OTHER) {
		jit->halt(b->jit, JIT_SLOW);
		return;
	}
	if (trap == JIT_TRAP_BREAKPOINT) {
		b->stop = (struct cpu_stop){.cause = CPU_STOP_BRK, .pc = pc};
		mem_get_u32((gaddr)pc, &b->stop.insn);
	} else if (pc & 3) {
		b->stop.cause = CPU_STOP_ALIGN;
	} else {
		b->stop.cause = CPU_STOP_FAULT;
		b->stop.fault = mem_resolve(pc, MEM_EXEC);
		if (b->stop.fault == MEM_OK) {
			/* Not any more. No code was there, so nobody told that it has come. */
			queue(b, pc, pc + 4);
			return;
		}
		/* The translation is of no more use. */
		queue(b, pc, pc + 4);
	}
	jit->halt(b->jit, JIT_STOP);
}

/* --- processes ---------------------------------------------------------------------------------------- */

void box_abandon(struct dyn *d)
{
	struct box *b = atomic_load(&d->box);

	if (b && atomic_load(&b->owner) == ((uintptr_t)d | BOX_BUSY)) {
		atomic_store(&b->owner, BOX_DEAD);
		atomic_fetch_add(&pool.dead, 1);
	}
}

void box_before_fork(void)
{
	own_lock(&pool.lock);
}

void box_after_fork(bool child, struct dyn *keep)
{
	unsigned i, n = atomic_load(&pool.count);

	if (!child) {
		own_unlock(&pool.lock);
		return;
	}
	own_lock_init(&pool.lock);
	for (i = 0; i < n; i++) {
		struct box *b = atomic_load(&pool.box[i]);
		uintptr_t owner = atomic_load(&b->owner);

		if (!own_trylock(&b->queue_lock)) {
			b->queue_all = true;
			atomic_store(&b->queued, true);
		}
		own_lock_init(&b->queue_lock);
		if ((keep && owner == (uintptr_t)keep) || owner == BOX_DEAD)
			continue;
		if (owner & BOX_BUSY) {
			/* Its thread was in the middle of something, and does not exist here. */
			atomic_store(&b->owner, BOX_DEAD);
			atomic_fetch_add(&pool.dead, 1);
		} else {
			atomic_store(&b->owner, 0);
		}
	}
	atomic_store(&pool.waiters, 0);
}
