/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine: creation, running, stops. One emulator instance a guest thread, all over the
 * same arena, which is mapped once at guest address 0; look-ups are the virtual TLB's (unicorn_tlb.c).
 *
 * Known to differ from a CPU: LDAR, STLR, LDAPR and their kind accept misaligned addresses (as with
 * FEAT_LSE2), and a misaligned SP is accepted as a base.
 *
 * Each uc_emu_start() begins in entry code above the arena: CLREX, as an exception return would do,
 * and BRK, whose hook runs after uc_emu_start() has reset Unicorn's stop flags. That hook looks at
 * vm->kicked and then continues at the guest's pc. A kick that comes before is seen by the hook, one
 * that comes later sets flags that nobody resets: none is lost.
 */
#include "cpu/unicorn.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/insn.h"
#include "cpu/unicorn_vm.h"

/* Exception numbers of Unicorn's interrupt hook for ARM. They are part of no header. */
enum { EXC_UNDEFINED = 1, EXC_SVC = 2, EXC_FETCH = 3, EXC_DATA = 4, EXC_BRK = 7 };

/* Translations of one instance; Unicorn starts over when it is full. Untouched parts cost nothing. */
#define CODE_BUFFER (32u << 20)

#define INSN_CLREX 0xd5033f5fu
#define INSN_BRK   0xd4200000u

/* Unicorn maps whole pages of host memory; it never writes to a page that has no W. */
static _Alignas(4096) uint32_t entry_code[1024] = {INSN_CLREX, INSN_BRK};

static struct vm *vm_of(struct cpu *c)
{
	return (struct vm *)c;
}

/*
 * Something waits for the emulation to stop. Generated code looks at it before each basic block
 * (on_block): Unicorn's own asynchronous stop can leave the pc of a load or store that has been done.
 */
static bool attention(const struct vm *vm)
{
	return atomic_load(&vm->kicked) || atomic_load(&vm->queued) || vm->asides;
}

/* --- hooks ---------------------------------------------------------------------------------- */

static void stop(struct vm *vm, enum vm_reason reason)
{
	vm->reason = reason;
	uc_emu_stop(vm->uc);
}

static void on_entry(struct vm *vm)
{
	vm->starting = false;
	if (atomic_load(&vm->kicked) || atomic_load(&vm->queued)) {
		/* Stopped before the guest's pc was set: run() keeps it. */
		vm->starting = true;
		uc_emu_stop(vm->uc);
		return;
	}
	vm_set_pc(vm, vm->pc);
}

static void on_svc(struct vm *vm)
{
	uint64_t x[9];
	enum cpu_svc what;

	vm_read_args(vm, x);
	vm->in_callback = true;
	what = vm->cpu.svc(vm->cpu.task, x);
	vm->in_callback = false;
	if (what == CPU_SVC_FULL) {
		stop(vm, VM_SVC_FULL);
		return;
	}
	uc_reg_write(vm->uc, UC_ARM64_REG_X0, &x[0]);
	if (what == CPU_SVC_LEAVE)
		stop(vm, VM_SVC_LEAVE);
	else
		vm_apply_queue(vm);
}

static bool fetch_insn(uint64_t pc, uint32_t *insn)
{
	return pc < MEM_SPACE && !(pc & 3) && !mem_get_u32((gaddr)pc, insn);
}

/*
 * Instructions that trap in Unicorn's CPU but not for a Linux program: cache maintenance, and MRS of
 * ID registers. True if INSN was one and is done. The cache maintenance faults like a load.
 */
static bool emulate(struct vm *vm, uint32_t insn, uint64_t pc)
{
	struct insn_sys sys;
	uint64_t value, addr;
	unsigned rt;

	if (cpu_emulate_mrs(vm->cpu.engine, insn, &rt, &value)) {
		vm_set_xreg(vm, rt, value);
		vm_set_pc(vm, pc + 4);
		return true;
	}
	if (!insn_sys(insn, &sys) || sys.read)
		return false;
	switch (sys.id) {
	case SYS_IC_IVAU:
	case SYS_DC_CVAC:
	case SYS_DC_CVAU:
	case SYS_DC_CVAP:
	case SYS_DC_CVADP:
	case SYS_DC_CIVAC: break;
	default: return false;
	}
	addr = insn_untag(vm_xreg(vm, sys.rt));
	vm->fault = addr < MEM_SPACE ? mem_resolve(addr, MEM_READ) : MEM_MAPERR;
	if (vm->fault != MEM_OK) {
		vm->fault_page = addr & ~(uint64_t)MEM_PAGE_MASK;
		vm->fault_access = MEM_WRITE; /* ISS.WnR is 1 for cache maintenance */
		vm->exception = EXC_DATA;
		stop(vm, VM_EXCEPTION);
		return true;
	}
	if (sys.id == SYS_IC_IVAU && (mem_page_bits((gaddr)addr) & PG_SHARED))
		/* The guest may execute the same memory at other addresses; instruction caches of
		 * this CPU (CTR_EL0.L1Ip: PIPT) know no aliases. */
		uc_ctl_flush_tb(vm->uc);
	else if (sys.id == SYS_IC_IVAU)
		vm_drop_code(vm, addr & ~63ull, (addr & ~63ull) + 64);
	vm_set_pc(vm, pc + 4);
	return true;
}

static void on_interrupt(uc_engine *uc, uint32_t number, void *data)
{
	struct vm *vm = data;
	uint64_t pc;
	uint32_t insn;

	(void)uc;
	if (number == EXC_SVC) {
		on_svc(vm);
		return;
	}
	if (vm->starting && number == EXC_BRK) {
		on_entry(vm);
		return;
	}
	vm->fault = MEM_OK;
	if (number == EXC_UNDEFINED) {
		pc = vm_pc(vm);
		if (fetch_insn(pc, &insn) && emulate(vm, insn, pc))
			return;
	}
	vm->exception = number;
	stop(vm, VM_EXCEPTION);
}

/* Unicorn's CPU executes code at a misaligned pc; its hook for new translations sees the pc. */
static void on_new_block(uc_engine *uc, uc_tb *block, uc_tb *previous, void *data)
{
	struct vm *vm = data;

	(void)uc;
	(void)previous;
	if (block->pc & 3)
		stop(vm, VM_MISALIGNED_PC);
}

static void on_block(uc_engine *uc, uint64_t pc, uint32_t size, void *data)
{
	struct vm *vm = data;

	(void)pc;
	(void)size;
	if (!vm->starting && attention(vm))
		uc_emu_stop(uc);
}

static void on_step(uc_engine *uc, uint64_t pc, uint32_t size, void *data)
{
	struct vm *vm = data;

	(void)uc;
	(void)pc;
	(void)size;
	if (vm->starting)
		return;
	if (vm->stepped)
		stop(vm, VM_STEPPED);
	vm->stepped = true;
}

/* --- creation ------------------------------------------------------------------------------- */

static bool add_hook(struct vm *vm, int type, void *fn)
{
	uc_hook hook;

	return uc_hook_add(vm->uc, &hook, type, fn, vm, 1, 0) == UC_ERR_OK;
}

static bool vm_init(struct vm *vm)
{
	if (uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &vm->uc) != UC_ERR_OK)
		return false;
	if (uc_ctl_set_cpu_model(vm->uc, UC_CPU_ARM64_MAX) != UC_ERR_OK)
		return false;
	vm->fine_tlb = uc_ctl_set_page_size(vm->uc, MEM_PAGE_SIZE) == UC_ERR_OK;
	uc_ctl_set_tcg_buffer_size(vm->uc, CODE_BUFFER);
	/* With a set of exit addresses, which stays empty, no address means "stop here". */
	if (uc_ctl_exits_enable(vm->uc) != UC_ERR_OK)
		return false;
	if (uc_mem_map_ptr(vm->uc, 0, MEM_SPACE, UC_PROT_ALL, mem_arena.base) != UC_ERR_OK ||
	    uc_mem_map_ptr(vm->uc, VM_ENTRY_PAGE, sizeof(entry_code), UC_PROT_READ | UC_PROT_EXEC,
			   entry_code) != UC_ERR_OK)
		return false;
	if (!vm_enter_el0(vm) || !vm_tlb_init(vm))
		return false;
	if (vm->stepping && !add_hook(vm, UC_HOOK_CODE, (void *)on_step))
		return false;
	return add_hook(vm, UC_HOOK_INTR, (void *)on_interrupt) &&
	       add_hook(vm, UC_HOOK_BLOCK, (void *)on_block) &&
	       add_hook(vm, UC_HOOK_EDGE_GENERATED, (void *)on_new_block) &&
	       uc_context_alloc(vm->uc, &vm->ctx) == UC_ERR_OK;
}

static void vm_destroy(struct vm *vm)
{
	if (vm->step)
		vm_destroy(vm->step);
	if (vm->ctx)
		uc_context_free(vm->ctx);
	if (vm->uc)
		uc_close(vm->uc);
	pthread_mutex_destroy(&vm->queue_lock);
	free(vm);
}

static struct vm *vm_create(bool stepping)
{
	struct vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return NULL;
	vm->stepping = stepping;
	pthread_mutex_init(&vm->queue_lock, NULL);
	if (!vm_init(vm)) {
		vm_destroy(vm);
		return NULL;
	}
	return vm;
}

/* The ID registers, and the instance that was created only to read them: the next create() takes it.
 * The lock is for the time before they are known, when the process has one thread, so that no fork()
 * can leave it locked. */
static pthread_mutex_t id_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vm *_Atomic spare;
static struct cpu_id_regs id_cache;
static atomic_bool id_known;

static bool read_ids(struct vm *vm, struct cpu_id_regs *id)
{
	return vm_sysreg(vm, SYS_REG(3, 0, 0, 0, 0), &id->midr) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 4, 0), &id->pfr0) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 4, 1), &id->pfr1) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 6, 0), &id->isar0) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 6, 1), &id->isar1) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 7, 2), &id->mmfr2);
}

static bool unicorn_id_regs(struct cpu_id_regs *id)
{
	if (!atomic_load(&id_known)) {
		pthread_mutex_lock(&id_lock);
		if (!spare)
			spare = vm_create(false);
		if (spare && read_ids(spare, &id_cache))
			atomic_store(&id_known, true);
		pthread_mutex_unlock(&id_lock);
	}
	*id = id_cache;
	return atomic_load(&id_known);
}

static struct cpu *unicorn_create(cpu_svc_fn *svc, void *task)
{
	struct vm *vm;

	if (!unicorn_id_regs(&(struct cpu_id_regs){0}))
		return NULL;
	vm = atomic_exchange(&spare, NULL);
	if (!vm)
		vm = vm_create(false);
	if (!vm)
		return NULL;
	vm->cpu.svc = svc;
	vm->cpu.task = task;
	return &vm->cpu;
}

static void unicorn_destroy(struct cpu *c)
{
	vm_destroy(vm_of(c));
}

/* --- stops ---------------------------------------------------------------------------------- */

/* The faulting address: where the access touches the page whose look-up failed. */
static void access_fault(struct vm *vm, struct cpu_stop *s, const struct cpu_state *state)
{
	struct insn_access a;
	uint32_t insn;

	s->cause = CPU_STOP_FAULT;
	s->fault = vm->fault;
	s->access = vm->fault_access;
	if (s->access == MEM_EXEC) {
		if (s->pc & 3)
			s->cause = CPU_STOP_ALIGN;
		s->addr = s->pc;
		return;
	}
	s->addr = vm->fault_page;
	/* Unless the access began in an earlier page that is good. */
	if (fetch_insn(s->pc, &insn) && insn_access(insn, state, &a) && a.addr > vm->fault_page)
		s->addr = a.addr;
}

static void cache_fault(struct vm *vm, struct cpu_stop *s, const struct cpu_state *state)
{
	struct insn_sys sys = {false, 31, 0};

	insn_sys(s->insn, &sys);
	s->cause = CPU_STOP_FAULT;
	s->fault = vm->fault;
	s->access = vm->fault_access;
	s->addr = sys.rt < 31 ? state->x[sys.rt] : 0;
}

static void misaligned_pc(struct vm *vm, struct cpu_stop *s)
{
	s->cause = CPU_STOP_ALIGN;
	s->access = MEM_EXEC;
	s->addr = s->pc = vm->pc;
}

static void exception_stop(struct vm *vm, struct cpu_stop *s)
{
	struct cpu_state state;
	struct insn_access a;

	/* The guest jumped to the entry page: for it there is nothing. */
	if (s->pc >= MEM_SPACE) {
		if (s->pc == VM_ENTRY_PAGE + 4) /* behind the CLREX */
			vm->pc = s->pc = VM_ENTRY_PAGE;
		s->cause = CPU_STOP_FAULT;
		s->fault = MEM_MAPERR;
		s->access = MEM_EXEC;
		s->addr = s->pc;
		return;
	}
	fetch_insn(s->pc, &s->insn);
	switch (vm->exception) {
	case EXC_UNDEFINED: s->cause = CPU_STOP_ILLEGAL; return;
	case EXC_BRK: s->cause = CPU_STOP_BRK; return;
	case EXC_FETCH: misaligned_pc(vm, s); return;
	case EXC_DATA:
		vm_read_state(vm, &state);
		if (vm->fault != MEM_OK) {
			cache_fault(vm, s, &state);
			return;
		}
		s->cause = CPU_STOP_ALIGN;
		if (insn_access(s->insn, &state, &a)) {
			s->addr = a.addr;
			s->access = a.store ? MEM_WRITE : MEM_READ;
		}
		return;
	default: s->cause = CPU_STOP_INTERNAL; s->text = "Unicorn raised an exception unknown here";
	}
}

/* The guest's pages that a host fault moved aside come back. */
static void aside_back(struct vm *vm)
{
	unsigned i;

	for (i = 0; i < vm->asides; i++)
		mremap(vm->aside[i].kept, MEM_PAGE_SIZE, MEM_PAGE_SIZE,
		       MREMAP_MAYMOVE | MREMAP_FIXED, mem_host(vm->aside[i].page));
	vm->asides = 0;
}

/* Fills S for the emulation's end with ERR. False: nothing for the caller, go on. */
static bool ended(struct vm *vm, uc_err err, struct cpu_stop *s)
{
	struct cpu_state state;

	s->pc = vm->pc;
	if (vm->asides) {
		aside_back(vm);
		s->cause = CPU_STOP_FAULT;
		s->addr = vm->host_addr;
		s->access = vm->host_access;
		s->fault = vm->host_kind;
		return true;
	}
	if (err == UC_ERR_EXCEPTION && vm->reason == VM_NONE && vm->fault != MEM_OK) {
		vm_read_state(vm, &state);
		state.pc = s->pc;
		access_fault(vm, s, &state);
		return true;
	}
	if (err != UC_ERR_OK) {
		s->cause = CPU_STOP_INTERNAL;
		s->text = uc_strerror(err);
		return true;
	}
	switch (vm->reason) {
	case VM_SVC_LEAVE:
		atomic_store(&vm->kicked, false);
		s->cause = CPU_STOP_KICK;
		return true;
	case VM_SVC_FULL: s->cause = CPU_STOP_SVC; return true;
	case VM_EXCEPTION: exception_stop(vm, s); return true;
	case VM_MISALIGNED_PC:
		/* Or the hook would not see it again. */
		vm_drop_code(vm, s->pc & ~3ull, (s->pc & ~3ull) + 8);
		misaligned_pc(vm, s);
		return true;
	case VM_STEPPED: s->cause = CPU_STOP_STEP; return true;
	case VM_NONE: break;
	}
	return false;
}

/* --- running -------------------------------------------------------------------------------- */

/* One uc_emu_start(). */
static uc_err start(struct vm *vm)
{
	uc_err err;

	vm->reason = VM_NONE;
	vm->fault = MEM_OK;
	vm->stepped = false;
	vm->starting = true;
	vm->runner = pthread_self();
	atomic_store(&vm->running, true);
	err = uc_emu_start(vm->uc, VM_ENTRY_PAGE, 0, 0, 0);
	atomic_store(&vm->running, false);
	if (!vm->starting)
		vm->pc = vm_pc(vm);
	vm->starting = false;
	return err;
}

static void unicorn_run(struct cpu *c, struct cpu_stop *s)
{
	struct vm *vm = vm_of(c);
	uc_err err;

	memset(s, 0, sizeof(*s));
	for (;;) {
		if (atomic_exchange(&vm->kicked, false)) {
			s->cause = CPU_STOP_KICK;
			s->pc = vm->pc;
			return;
		}
		vm_apply_queue(vm);
		/* An exception return drops the tag of the address. */
		vm->pc = insn_untag(vm->pc);
		if (vm->pc & 3) {
			misaligned_pc(vm, s);
			return;
		}
		err = start(vm);
		if (ended(vm, err, s))
			return;
		if (!atomic_load(&vm->kicked) && !atomic_load(&vm->queued))
			sched_yield(); /* WFI */
	}
}

static void unicorn_kick(struct cpu *c)
{
	struct vm *vm = vm_of(c);

	atomic_store(&vm->kicked, true);
}

static void unicorn_get_state(struct cpu *c, struct cpu_state *s)
{
	struct vm *vm = vm_of(c);

	vm_read_state(vm, s);
	if (!vm->in_callback)
		s->pc = vm->pc;
}

static void unicorn_set_state(struct cpu *c, const struct cpu_state *s)
{
	struct vm *vm = vm_of(c);

	vm_write_state(vm, s);
	vm->pc = s->pc;
}

static void unicorn_invalidate(struct cpu *c, gaddr start, uint64_t len, unsigned what)
{
	struct vm *vm = vm_of(c);

	vm_queue(vm, start, len, what);
	if (vm->step)
		vm_queue(vm->step, start, len, what);
}

static enum cpu_svc step_svc(void *task, uint64_t x[9]);

static void unicorn_step(struct cpu *c, struct cpu_stop *s)
{
	struct vm *vm = vm_of(c);
	struct cpu_state state;

	if (!vm->step) {
		vm->step = vm_create(true);
		if (!vm->step) {
			memset(s, 0, sizeof(*s));
			s->cause = CPU_STOP_INTERNAL;
			s->pc = vm->pc;
			s->text = "no memory for an instance that steps";
			return;
		}
		vm->step->cpu.engine = c->engine;
		vm->step->cpu.svc = step_svc;
		vm->step->cpu.task = vm;
	}
	if (atomic_exchange(&vm->kicked, false))
		atomic_store(&vm->step->kicked, true);
	unicorn_get_state(c, &state);
	unicorn_set_state(&vm->step->cpu, &state);
	unicorn_run(&vm->step->cpu, s);
	unicorn_get_state(&vm->step->cpu, &state);
	unicorn_set_state(c, &state);
}

static enum cpu_svc step_svc(void *task, uint64_t x[9])
{
	struct vm *vm = task;
	struct cpu_state state;

	/* The callback may ask for the state of the instance it knows. */
	unicorn_get_state(&vm->step->cpu, &state);
	unicorn_set_state(&vm->cpu, &state);
	return vm->cpu.svc(vm->cpu.task, x);
}

/* Which of the two runs, if one does. */
static struct vm *running_vm(struct vm *vm)
{
	return vm->step && atomic_load(&vm->step->running) ? vm->step : vm;
}

/*
 * In a signal handler. The guest's page steps aside for an anonymous one, so that the interrupted host
 * instruction can finish, and the emulation stops at the end of the block.
 */
static bool unicorn_host_fault(struct cpu *c, gaddr a, enum mem_access access, enum mem_fault fault)
{
	struct vm *vm = running_vm(vm_of(c));
	unsigned n = vm->asides;
	void *page = mem_host(a & ~MEM_PAGE_MASK), *kept;

	if (!atomic_load(&vm->running) || vm->in_callback || n == VM_ASIDE)
		return false;
	kept = mmap(NULL, MEM_PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED || mremap(page, MEM_PAGE_SIZE, MEM_PAGE_SIZE,
					 MREMAP_MAYMOVE | MREMAP_FIXED, kept) == MAP_FAILED)
		return false;
	if (mmap(page, MEM_PAGE_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	if (n == 0) {
		vm->host_addr = a;
		vm->host_access = access;
		vm->host_kind = fault;
	}
	vm->aside[n] = (struct vm_aside){a & ~MEM_PAGE_MASK, kept};
	vm->asides = n + 1;
	uc_emu_stop(vm->uc);
	return true;
}

const struct cpu_engine cpu_unicorn = {
	.name = "unicorn",
	.parallel = false,
	.create = unicorn_create,
	.destroy = unicorn_destroy,
	.run = unicorn_run,
	.step = unicorn_step,
	.kick = unicorn_kick,
	.get_state = unicorn_get_state,
	.set_state = unicorn_set_state,
	.invalidate = unicorn_invalidate,
	.host_fault = unicorn_host_fault,
	.id_regs = unicorn_id_regs,
};
