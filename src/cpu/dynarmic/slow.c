/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine: single instructions on a Unicorn instance over the same arena, for what the
 * library does not know. One instance does for the process: such instructions are rare, or slow
 * anyway. Nothing that must be atomic comes here. */
#include "cpu/dynarmic/box.h"
#include "cpu/unicorn.h"

static struct cpu *_Atomic instance;
static struct own_lock lock = OWN_LOCK_INIT;

/* A cpu_svc_fn. NOLINTNEXTLINE(readability-non-const-parameter) */
static enum cpu_svc no_svc(void *task, uint64_t x[9])
{
	(void)task;
	(void)x;
	return CPU_SVC_FULL;
}

void slow_step(struct dyn *d, struct cpu_state *s, struct cpu_stop *stop)
{
	struct cpu *c;

	own_lock(&lock);
	c = atomic_load(&instance);
	if (!c) {
		c = cpu_unicorn.create(no_svc, NULL);
		if (c)
			c->engine = &cpu_unicorn;
		atomic_store(&instance, c);
	}
	if (c) {
		cpu_unicorn.set_state(c, s);
		d->slow = true;
		cpu_unicorn.step(c, stop);
		d->slow = false;
		cpu_unicorn.get_state(c, s);
	} else {
		*stop = (struct cpu_stop){
			.cause = CPU_STOP_INTERNAL, .pc = s->pc, .text = "no memory for Unicorn"};
	}
	own_unlock(&lock);
}

void slow_changed(gaddr start, uint64_t len, unsigned what)
{
	struct cpu *c = atomic_load(&instance);

	if (c)
		cpu_unicorn.invalidate(c, start, len, what);
}

bool slow_host_fault(gaddr a, enum mem_access access, enum mem_fault fault, void *context)
{
	return cpu_unicorn.host_fault(atomic_load(&instance), a, access, fault, context);
}

void slow_before_fork(void)
{
	own_lock(&lock);
}

void slow_after_fork(bool child)
{
	if (child)
		own_lock_init(&lock);
	else
		own_unlock(&lock);
}
