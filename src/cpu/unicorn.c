/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine: creation, running, stops. One emulator instance a guest thread, all over the
 * same arena, which is mapped once at guest address 0; look-ups are the virtual TLB's (unicorn_tlb.c).
 *
 * Known to differ from a CPU: LDAR, STLR, LDAPR and their kind accept misaligned addresses (as with
 * FEAT_LSE2), and a misaligned SP is accepted as a base. CASP of two X registers is not atomic for other
 * processes; with a shared library of Unicorn, no atomic is (unicorn_exit.c).
 *
 * Each uc_emu_start() begins in entry code above the arena: CLREX, as an exception return would do,
 * and BRK, whose hook runs after uc_emu_start() has reset Unicorn's stop flags. That hook looks at
 * vm->kicked and then continues at the guest's pc. A kick that comes before is seen by the hook, one
 * that comes later sets flags that nobody resets: none is lost.
 */
#include "cpu/unicorn.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/features.h"
#include "cpu/insn.h"
#include "cpu/unicorn_vm.h"

/* Exception numbers of Unicorn's interrupt hook for ARM. They are part of no header. */
enum { EXC_UNDEFINED = 1, EXC_SVC = 2, EXC_FETCH = 3, EXC_DATA = 4, EXC_BRK = 7 };

/* Translations of one instance; Unicorn starts over when it is full. Untouched parts cost nothing. */
#define CODE_BUFFER (32u << 20)

#define INSN_CLREX 0xd5033f5fu
#define INSN_BRK   0xd4200000u
#define INSN_LDR   0xf9400020u /* ldr x0, [x1] */

/* Unicorn maps whole pages of host memory; it never writes to a page that has no W. */
static _Alignas(4096) uint32_t entry_code[1024] = {
	INSN_CLREX,
	INSN_BRK,
	[VM_PROBE_OFFSET / 4] = INSN_LDR,
	INSN_BRK,
};

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

/*
 * Makes a running emulation stop soon. Unicorn's flags are plain memory, and its loop clears one just
 * before it reads another: if this thread is not the one that runs, the clearing can still sit in the
 * other processor's store buffer and overwrite the request. The barrier empties that buffer, and the
 * loop's reads from then on see the first request, so the second one stays.
 */
void vm_poke(struct vm *vm)
{
	unsigned i;

	if (!atomic_load(&vm->running) || vm->by_block)
		return;
	uc_emu_stop(vm->uc);
	if (pthread_equal(vm->runner, pthread_self()))
		return;
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) {
		uc_emu_stop(vm->uc);
		return;
	}
	/* Not to be had (an old or restricted kernel): buffers empty themselves in a moment. */
	for (i = 0; i < 100; i++) {
		sched_yield();
		uc_emu_stop(vm->uc);
	}
}

/* Something waits for the emulation to stop. */
static bool vm_attention(const struct vm *vm)
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
	if (vm_attention(vm)) {
		/* Before the guest's pc was set: run() keeps it. */
		uc_emu_stop(vm->uc);
		return;
	}
	vm->starting = false;
	if (vm->stepping)
		vm_set_step(vm, true);
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

/* IC IVAU reaches all CPUs of the inner shareable domain: all threads. */
static void drop_line(void *owner, gaddr line)
{
	struct vm *vm = owner;

	vm_drop_code(vm, line, (uint64_t)line + MEM_CODE_LINE);
	cpu_others_memory_changed(&vm->cpu, line, MEM_CODE_LINE, MEM_CODE);
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
	if (!insn_sys(insn, &sys) || sys.read || cpu_model_doubts(insn))
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
	addr = cpu_untag(vm_xreg(vm, sys.rt));
	vm->fault = addr < MEM_SPACE ? mem_resolve(addr, MEM_READ) : MEM_MAPERR;
	if (vm->fault != MEM_OK) {
		vm->fault_page = addr & ~(uint64_t)MEM_PAGE_MASK;
		vm->fault_access = MEM_WRITE; /* ISS.WnR is 1 for cache maintenance */
		vm->exception = EXC_DATA;
		stop(vm, VM_EXCEPTION);
		return true;
	}
	if (sys.id == SYS_IC_IVAU)
		mem_code_aliases((gaddr)addr, drop_line, vm);
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
		if (vm->stepping && vm_step_done(vm)) {
			stop(vm, VM_STEPPED);
			return;
		}
		pc = vm_pc(vm);
		if (fetch_insn(pc, &insn) && emulate(vm, insn, pc)) {
			if (vm->stepping && vm->reason == VM_NONE)
				stop(vm, VM_STEPPED);
			return;
		}
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

/* Only where generated code does not look at stop requests exactly (unicorn_exit.c). */
static void on_block(uc_engine *uc, uint64_t pc, uint32_t size, void *data)
{
	(void)pc;
	(void)size;
	if (vm_attention(data))
		uc_emu_stop(uc);
}

/* The entry code is not counted: how often that runs depends on what happens outside. */
static void on_counted_block(uc_engine *uc, uint64_t pc, uint32_t size, void *data)
{
	struct vm *vm = data;

	(void)pc;
	(void)size;
	if (++cpu_blocks.n < cpu_blocks.limit)
		return;
	atomic_store(&vm->kicked, true);
	uc_emu_stop(uc);
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
	vm->by_block = !vm_exits_exact(vm);
	if (vm->by_block && !add_hook(vm, UC_HOOK_BLOCK, (void *)on_block))
		return false;
	if (cpu_blocks.on) {
		uc_hook hook;

		if (uc_hook_add(vm->uc, &hook, UC_HOOK_BLOCK, (void *)on_counted_block, vm, 0,
				MEM_SPACE - 1) != UC_ERR_OK)
			return false;
	}
	return add_hook(vm, UC_HOOK_INTR, (void *)on_interrupt) &&
	       add_hook(vm, UC_HOOK_EDGE_GENERATED, (void *)on_new_block) &&
	       uc_context_alloc(vm->uc, &vm->ctx) == UC_ERR_OK;
}

static bool read_ids(struct vm *vm, struct cpu_id_regs *id)
{
	return vm_sysreg(vm, SYS_REG(3, 0, 0, 0, 0), &id->midr) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 4, 0), &id->reg[PFR0]) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 4, 1), &id->reg[PFR1]) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 6, 0), &id->reg[ISAR0]) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 6, 1), &id->reg[ISAR1]) &&
	       vm_sysreg(vm, SYS_REG(3, 0, 0, 7, 2), &id->reg[MMFR2]);
}

/* The instructions that the CPU chosen lacks become undefined. False (ENOTSUP): the library is not as known. */
static bool limit_features(struct vm *vm)
{
	struct cpu_id_regs id;
	uint64_t *place;

	if (!cpu_model_lacks())
		return true;
	if (!read_ids(vm, &id))
		return false;
	place = vm_find_features(vm->uc, &id);
	if (!place) {
		errno = ENOTSUP;
		return false;
	}
	cpu_model_limit(&id);
	place[VM_ISAR0] = id.reg[ISAR0];
	place[VM_ISAR1] = id.reg[ISAR1];
	place[VM_PFR0] = id.reg[PFR0];
	place[VM_PFR1] = id.reg[PFR1];
	place[VM_MMFR2] = id.reg[MMFR2];
	return true;
}

static void vm_destroy(struct vm *vm)
{
	if (vm->ctx)
		uc_context_free(vm->ctx);
	if (vm->uc)
		uc_close(vm->uc);
	free(vm);
}

static struct vm *vm_create(void)
{
	struct vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return NULL;
	/* For vm_poke(). Cheap as long as the process has one thread, which is so the first time. */
	membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
	own_lock_init(&vm->queue_lock);
	if (!vm_init(vm) || !limit_features(vm)) {
		vm_destroy(vm);
		return NULL;
	}
	return vm;
}

/* The ID registers, and the instance that was created only to read them: the next create() takes it.
 * The lock is for the time before they are known, when the process has one thread, so that no fork()
 * can leave it locked. */
static struct own_lock id_lock = OWN_LOCK_INIT;
static struct vm *_Atomic spare;
static struct cpu_id_regs id_cache;
static atomic_bool id_known;

static bool unicorn_id_regs(struct cpu_id_regs *id)
{
	if (!atomic_load(&id_known)) {
		own_lock(&id_lock);
		if (!spare)
			spare = vm_create();
		if (spare && read_ids(spare, &id_cache))
			atomic_store(&id_known, true);
		own_unlock(&id_lock);
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
		vm = vm_create();
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
	if (!fetch_insn(s->pc, &insn))
		return;
	/* Unicorn asks for both at once; a read that would fault as well comes first. */
	if (s->access == MEM_WRITE && insn_is_rmw(insn)) {
		const enum mem_fault read = mem_resolve(vm->fault_page, MEM_READ);

		if (read != MEM_OK) {
			s->access = MEM_READ;
			s->fault = read;
		}
	}
	/* Unless the access began in an earlier page that is good. */
	if (insn_access(insn, state, &a) && a.addr > vm->fault_page)
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

/* Fills S for the emulation's end with ERR. False: nothing for the caller, go on. */
static bool ended(struct vm *vm, uc_err err, struct cpu_stop *s)
{
	struct cpu_state state;

	s->pc = vm->pc;
	if (vm->asides) {
		vm_asides_back(vm);
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
	vm->starting = true;
	vm->runner = pthread_self();
	atomic_store(&vm->running, true);
	vm_generates(vm);
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
		vm->pc = cpu_untag(vm->pc);
		if (vm->pc & 3) {
			misaligned_pc(vm, s);
			return;
		}
		err = start(vm);
		if (ended(vm, err, s))
			return;
		if (!vm_attention(vm))
			sched_yield(); /* WFI */
	}
}

static void unicorn_kick(struct cpu *c)
{
	struct vm *vm = vm_of(c);

	atomic_store(&vm->kicked, true);
	vm_poke(vm);
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
	/* In the callback on_svc() applies it; otherwise the emulation must pause for it. */
	if (!vm->in_callback)
		vm_poke(vm);
}

static void unicorn_step(struct cpu *c, struct cpu_stop *s)
{
	struct vm *vm = vm_of(c);

	vm->stepping = true;
	unicorn_run(c, s);
	vm->stepping = false;
	vm_set_step(vm, false);
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
	.host_fault = vm_host_fault,
	.id_regs = unicorn_id_regs,
};
