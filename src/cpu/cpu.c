/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the engine interface that is the same for all engines. */
#include "cpu/cpu.h"

#include <signal.h>
#include <string.h>

#ifdef ILP32RUN_DYNARMIC
# include "cpu/dynarmic/dynarmic.h"
#endif
#include "cpu/insn.h"
#include "cpu/unicorn.h"
#include "lock.h"
#include "mem/guard.h"

/* Best first: the first is "auto". */
static const struct cpu_engine *const engines[] = {
	&cpu_unicorn,
#ifdef ILP32RUN_DYNARMIC
	&cpu_dynarmic,
#endif
};
#define ENGINES (sizeof(engines) / sizeof(engines[0]))

struct cpu_blocks cpu_blocks = {.limit = UINT64_MAX};

static struct own_lock list_lock = OWN_LOCK_INIT;
static struct cpu *list;

/* The instance whose guest code this thread runs, for faults of the host. */
static _Thread_local struct cpu *active;

bool cpu_engine_is_auto(const char *name, int64_t *ns)
{
	static const char with_time[] = "auto:";
	int64_t value = 0, unit = 1000000000;
	const char *s;

	if (!name || !strcmp(name, "auto"))
		return true;
	if (strncmp(name, with_time, sizeof(with_time) - 1) != 0)
		return false;
	/* Digits, then decimals; strtod() would follow the locale. */
	for (s = name + sizeof(with_time) - 1; *s >= '0' && *s <= '9' && value < INT64_MAX / 20;
	     s++)
		value = value * 10 + (*s - '0') * unit;
	if (*s == '.' && s[-1] != ':')
		for (s++; *s >= '0' && *s <= '9'; s++)
			value += (*s - '0') * (unit /= 10);
	if (*s || s[-1] == ':' || s[-1] == '.')
		return false;
	*ns = value;
	return true;
}

const struct cpu_engine *cpu_engine_find(const char *name)
{
	int64_t ns;
	size_t i;

	if (cpu_engine_is_auto(name, &ns))
		return engines[0];
	for (i = 0; i < ENGINES; i++) {
		if (!strcmp(engines[i]->name, name))
			return engines[i]->loadable && !engines[i]->loadable() ? NULL : engines[i];
	}
	return NULL;
}

const struct cpu_engine *cpu_engine_fast(void)
{
	size_t i;

	for (i = 0; i < ENGINES; i++) {
		if (engines[i]->loadable && engines[i]->loadable())
			return engines[i];
	}
	return NULL;
}

bool cpu_engine_load(const struct cpu_engine *e, const char **text)
{
	return !e->load || e->load(text);
}

const char *cpu_engine_names(void)
{
	static char names[ENGINES * 24];
	size_t i;

	names[0] = '\0';
	for (i = 0; i < ENGINES; i++) {
		if (i)
			strncat(names, ",", sizeof(names) - strlen(names) - 1);
		strncat(names, engines[i]->name, sizeof(names) - strlen(names) - 1);
	}
	return names;
}

struct cpu *cpu_create(const struct cpu_engine *e, cpu_svc_fn *svc, void *task)
{
	struct cpu *c = e->create(svc, task);

	if (!c)
		return NULL;
	c->engine = e;
	own_lock(&list_lock);
	c->next = list;
	list = c;
	own_unlock(&list_lock);
	return c;
}

static void unlist(struct cpu *c)
{
	struct cpu **p;

	own_lock(&list_lock);
	for (p = &list; *p; p = &(*p)->next) {
		if (*p == c) {
			*p = c->next;
			break;
		}
	}
	own_unlock(&list_lock);
}

void cpu_destroy(struct cpu *c)
{
	unlist(c);
	c->engine->destroy(c);
}

void cpu_bury(void)
{
	active = NULL;
}

void cpu_abandon(struct cpu *c)
{
	unlist(c);
	if (c->engine->abandon)
		c->engine->abandon(c);
}

void cpu_run(struct cpu *c, struct cpu_stop *stop)
{
	active = c;
	c->engine->run(c, stop);
	active = NULL;
}

void cpu_step(struct cpu *c, struct cpu_stop *stop)
{
	active = c;
	c->engine->step(c, stop);
	active = NULL;
}

void cpu_kick(struct cpu *c)
{
	c->engine->kick(c);
}

void cpu_get_state(struct cpu *c, struct cpu_state *s)
{
	c->engine->get_state(c, s);
}

void cpu_set_state(struct cpu *c, const struct cpu_state *s)
{
	c->engine->set_state(c, s);
}

void cpu_memory_changed(gaddr start, uint64_t len, unsigned what)
{
	cpu_others_memory_changed(NULL, start, len, what);
}

void cpu_others_memory_changed(const struct cpu *but, gaddr start, uint64_t len, unsigned what)
{
	struct cpu *c;
	size_t i;

	own_lock(&list_lock);
	for (c = list; c; c = c->next) {
		if (c != but && c->engine->invalidate)
			c->engine->invalidate(c, start, len, what);
	}
	for (i = 0; i < ENGINES; i++) {
		if (engines[i]->changed)
			engines[i]->changed(start, len, what);
	}
	own_unlock(&list_lock);
}

bool cpu_host_fault(const void *host_addr, enum mem_access access, int host_signo, void *context)
{
	struct cpu *c = active;
	enum mem_fault fault = MEM_BUSERR;
	uint64_t a = (uintptr_t)host_addr - (uintptr_t)mem_arena.base;

	/* An access over the end of the arena, or with a base in it, faults behind it; with a tag, without an address. */
	if (!c || !c->engine->host_fault)
		return false;
	if (host_signo == SIGSEGV)
		fault = a < MEM_SPACE && mem_page_bits((gaddr)a) & PG_MAPPED ? MEM_ACCERR
									     : MEM_MAPERR;
	return c->engine->host_fault(c, a, access, fault, context);
}

void cpu_before_fork(void)
{
	size_t i;

	for (i = 0; i < ENGINES; i++) {
		if (engines[i]->before_fork)
			engines[i]->before_fork();
	}
}

static void after_fork(bool child, struct cpu *keep)
{
	size_t i;

	for (i = 0; i < ENGINES; i++) {
		if (engines[i]->after_fork)
			engines[i]->after_fork(child,
					       keep && keep->engine == engines[i] ? keep : NULL);
	}
}

void cpu_after_fork_parent(void)
{
	after_fork(false, NULL);
}

void cpu_after_fork(struct cpu *keep)
{
	/* A thread that does not exist here may have held the lock. */
	own_lock_init(&list_lock);
	list = keep;
	if (keep)
		keep->next = NULL;
	after_fork(true, keep);
}

/* --- ESR_EL1 -------------------------------------------------------------------------------- */

#define ESR_EC(ec)      ((uint64_t)(ec) << 26)
#define ESR_IL          (1ull << 25)
#define ESR_WNR         (1ull << 6)
#define EC_FETCH_ABORT  0x20
#define EC_PC_ALIGN     0x22
#define EC_DATA_ABORT   0x24
#define FSC_TRANSLATION 0x04 /* plus the level */
#define FSC_PERMISSION  0x0c
#define FSC_ALIGNMENT   0x21

static bool any_mapped(uint64_t addr, uint64_t size)
{
	const uint8_t *page = mem_arena.page + ((addr & ~(size - 1)) >> MEM_PAGE_SHIFT);
	size_t i, n = size >> MEM_PAGE_SHIFT;

	for (i = 0; i < n; i++) {
		if (page[i])
			return true;
	}
	return false;
}

/* At which level the walk of a 48-bit, 4 KiB granule page table ends at an unmapped address. */
static unsigned walk_level(uint64_t addr)
{
	if (addr >= 1ull << 39) /* another entry of level 0, or beyond TTBR0's range */
		return 0;
	if (addr >= MEM_SPACE || !any_mapped(addr, 1ull << 30))
		return 1;
	return any_mapped(addr, 1ull << 21) ? 3 : 2;
}

static uint64_t fault_status(const struct cpu_stop *stop)
{
	uint64_t addr = cpu_untag(stop->addr); /* FAR keeps the tag, the walk does not see it */

	/* A page without any permission, or beyond the end of its file, has no valid entry either. */
	if (stop->fault == MEM_ACCERR && addr < MEM_SPACE &&
	    mem_page_bits((gaddr)addr) & (PG_R | PG_W | PG_X))
		return FSC_PERMISSION + 3;
	return FSC_TRANSLATION + walk_level(addr);
}

uint64_t cpu_stop_esr(const struct cpu_stop *stop)
{
	uint64_t wnr = stop->access == MEM_WRITE ? ESR_WNR : 0;

	switch (stop->cause) {
	case CPU_STOP_FAULT:
		if (stop->access == MEM_EXEC)
			return ESR_EC(EC_FETCH_ABORT) | ESR_IL | fault_status(stop);
		return ESR_EC(EC_DATA_ABORT) | ESR_IL | wnr | fault_status(stop);
	case CPU_STOP_ALIGN:
		if (stop->access == MEM_EXEC)
			return ESR_EC(EC_PC_ALIGN) | ESR_IL;
		return ESR_EC(EC_DATA_ABORT) | ESR_IL | wnr | FSC_ALIGNMENT;
	default: return 0;
	}
}
