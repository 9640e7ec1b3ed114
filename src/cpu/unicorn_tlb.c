/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Unicorn engine: look-ups over the page table of src/mem, and their invalidation. */
#include "cpu/insn.h"
#include "cpu/unicorn_vm.h"

/* TLBI VAE1: Unicorn has no interface to flush one page, but executes register writes. */
#define SYS_TLBI_VAE1 SYS_REG(1, 0, 8, 7, 1)

/* Above this many pages (4 KiB) one flush of everything is cheaper than one by one. */
#define FLUSH_PAGES 16u
/* Above this many bytes all translations go: removing a range visits each of its pages. */
#define FLUSH_CODE_BYTES (64u << 20)

void vm_flush_lookups(struct vm *vm)
{
	uc_ctl_flush_tlb(vm->uc);
	vm->tagged = false;
}

/* A flush may shrink the table (grow_table()). */
static void flush_for_guest(struct vm *vm)
{
	vm_flush_lookups(vm);
	vm->fills = vm->tlb_entries = 0;
}

static void flush_pages(struct vm *vm, uint64_t start, uint64_t end)
{
	uint64_t a;

	/* TLBI names pages of 4 KiB, which does not reach the smaller entries of Unicorn 2.1.1. */
	if (!vm->fine_tlb || vm->tagged || end - start > (uint64_t)FLUSH_PAGES * MEM_PAGE_SIZE) {
		flush_for_guest(vm);
		return;
	}
	for (a = start & ~(uint64_t)MEM_PAGE_MASK; a < end; a += MEM_PAGE_SIZE)
		vm_set_sysreg(vm, SYS_TLBI_VAE1, a >> MEM_PAGE_SHIFT);
}

void vm_drop_code(struct vm *vm, uint64_t start, uint64_t end)
{
	/* Unicorn finds translations through a fetch look-up of the address, whatever the guest may
	 * do there; ours must not stay behind. */
	vm_generates(vm);
	vm->permissive = true;
	uc_ctl_remove_cache(vm->uc, start, end);
	vm->permissive = false;
	flush_pages(vm, start, start + 1);
}

static void apply(struct vm *vm, const struct vm_change *c)
{
	if (c->what & MEM_CODE) {
		if (c->end - c->start > FLUSH_CODE_BYTES)
			uc_ctl_flush_tb(vm->uc);
		else
			vm_drop_code(vm, c->start, c->end);
	}
	if (c->what & MEM_PERM)
		flush_pages(vm, c->start, c->end);
}

void vm_queue(struct vm *vm, uint64_t start, uint64_t len, unsigned what)
{
	struct vm_change *last;

	if (!len)
		return;
	own_lock(&vm->queue_lock);
	last = vm->nqueue ? &vm->queue[vm->nqueue - 1] : NULL;
	if (vm->queue_all) {
		/* nothing to add */
	} else if (last && last->what == what && start <= last->end && start + len >= last->start) {
		if (start < last->start)
			last->start = start;
		if (start + len > last->end)
			last->end = start + len;
	} else if (vm->nqueue < VM_QUEUE) {
		vm->queue[vm->nqueue++] = (struct vm_change){start, start + len, what};
	} else {
		vm->queue_all = true;
	}
	atomic_store(&vm->queued, true);
	own_unlock(&vm->queue_lock);
}

void vm_apply_queue(struct vm *vm)
{
	unsigned i;

	if (!atomic_load(&vm->queued))
		return;
	own_lock(&vm->queue_lock);
	if (vm->queue_all) {
		uc_ctl_flush_tb(vm->uc);
		flush_for_guest(vm);
	} else {
		for (i = 0; i < vm->nqueue; i++)
			apply(vm, &vm->queue[i]);
	}
	vm->nqueue = 0;
	vm->queue_all = false;
	atomic_store(&vm->queued, false);
	own_unlock(&vm->queue_lock);
}

/*
 * Which permissions the look-up may cache. A data entry with X would make Unicorn take its slow path
 * on each store, which is where it finds stores into translated code: wanted for pages that are
 * writable and hold code, and for no others. A TAGGED entry stays when the page gets code, so any
 * page that may get some is treated as one that has.
 */
static uint32_t cached_perms(struct vm *vm, gaddr page, enum mem_access access, bool tagged)
{
	uint8_t bits = mem_page_bits(page);
	uint32_t perms = bits & PG_ACCESS ? UC_PROT_READ : 0;

	if (access == MEM_EXEC)
		perms |= UC_PROT_READ | UC_PROT_EXEC;
	if ((bits & (PG_W | PG_X)) != (PG_W | PG_X) || !(tagged || (bits & PG_CODE))) {
		if (access != MEM_EXEC && (bits & PG_W))
			perms |= UC_PROT_WRITE;
		return perms;
	}
	if (vm->fine_tlb)
		return perms | UC_PROT_WRITE | UC_PROT_EXEC;
	/*
	 * Unicorn 2.1.1 stops watching a page at the first store. So the page is either writable
	 * without translations or executable without W; each change of mind is a look-up.
	 */
	if (access == MEM_WRITE) {
		vm_drop_code(vm, (uint64_t)page, (uint64_t)page + MEM_PAGE_SIZE);
		perms |= UC_PROT_WRITE;
	} else if (access == MEM_EXEC && vm->tagged) {
		vm_flush_lookups(vm);
	}
	return perms;
}

/* Data addresses come with their tag: each tag in use has its own entries for a page. */
static bool on_fill(uc_engine *uc, uint64_t vaddr, uc_mem_type type, uc_tlb_entry *result,
		    void *data)
{
	struct vm *vm = data;
	enum mem_access access = type == UC_MEM_FETCH   ? MEM_EXEC
				 : type == UC_MEM_WRITE ? MEM_WRITE
							: MEM_READ;
	uint64_t addr = cpu_untag(vaddr);

	(void)uc;
	result->paddr = addr;
	if (vm->permissive) {
		result->perms = UC_PROT_EXEC;
		return true;
	}
	if (vm->starting && access == MEM_EXEC && vaddr == VM_ENTRY_PAGE) {
		result->perms = UC_PROT_EXEC;
		return true;
	}
	vm->fault = addr < MEM_SPACE ? mem_resolve(addr, access) : MEM_MAPERR;
	if (vm->fault != MEM_OK) {
		vm->fault_page = vaddr;
		vm->fault_access = access;
		return false;
	}
	if (access == MEM_EXEC)
		mem_mark_code((gaddr)addr);
	result->perms = cached_perms(vm, (gaddr)addr, access, vaddr != addr);
	if (vaddr != addr)
		vm->tagged = true;
	return true;
}

/*
 * Unicorn restores the guest's state in front of each fill, which takes longer than the fill. And its table, which
 * is direct-mapped, begins with 256 entries and grows only when it is flushed while most of them are in use; a
 * program that maps nothing flushes nothing, and arrays whose distance is a power of two use the same few entries.
 * Where the library is linked statically, its function is wrapped: fills that succeed go without the state, and many
 * of them make the table grow. Facts from Unicorn 2.1.4: softmmu/unicorn_vtlb.c, accel/tcg/cputlb.c
 * (tlb_mmu_resize_locked(), tlb_set_page_with_attrs()).
 */
VM_LIBRARY bool __real_unicorn_fill_tlb_aarch64(void *cpu, uint64_t a, int size, int access,
						int mmu_idx, bool probe, uintptr_t host_pc);
VM_LIBRARY void tlb_set_page_aarch64(void *cpu, uint64_t vaddr, uint64_t paddr, int prot,
				     int mmu_idx, uint64_t size);
bool __wrap_unicorn_fill_tlb_aarch64(void *cpu, uint64_t a, int size, int access, int mmu_idx,
				     bool probe, uintptr_t host_pc);

/* Entries of the table, and fills of each before it is taken to be too small. */
enum { FEWEST = 256, MOST = 16384, TURNS = 4 };

/*
 * An entry without rights counts as one in use and as free at the next look, so one page counts as often as is
 * wanted; the flush then doubles the table.
 */
static void grow_table(struct vm *vm, void *cpu, int mmu_idx)
{
	for (unsigned i = 0; i < vm->tlb_entries * 3 / 4; i++)
		tlb_set_page_aarch64(cpu, 0, 0, 0, mmu_idx, MEM_PAGE_SIZE);
	vm_flush_lookups(vm);
	vm->tlb_entries *= 2;
}

static void count_fill(struct vm *vm, void *cpu, int mmu_idx)
{
	if (vm->tlb_entries < FEWEST)
		vm->tlb_entries = FEWEST;
	if (++vm->fills < vm->tlb_entries * TURNS || vm->tlb_entries >= MOST)
		return;
	vm->fills = 0;
	grow_table(vm, cpu, mmu_idx);
}

bool __wrap_unicorn_fill_tlb_aarch64(void *cpu, uint64_t a, int size, int access, int mmu_idx,
				     bool probe, uintptr_t host_pc)
{
	/* MMU_DATA_LOAD, MMU_DATA_STORE, MMU_INST_FETCH */
	static const uc_mem_type types[] = {UC_MEM_READ, UC_MEM_WRITE, UC_MEM_FETCH};
	static const uint32_t needed[] = {UC_PROT_READ, UC_PROT_WRITE, UC_PROT_EXEC};
	struct vm *vm = vm_generating();
	uint64_t page = a & ~(uint64_t)MEM_PAGE_MASK;
	uc_tlb_entry e;

	if (!vm || !vm->fine_tlb || vm->permissive || vm->starting)
		return __real_unicorn_fill_tlb_aarch64(cpu, a, size, access, mmu_idx, probe,
						       host_pc);
	count_fill(vm, cpu, mmu_idx);
	/* UC_PROT_* are PAGE_*. */
	if (on_fill(vm->uc, page, types[access], &e, vm) && (e.perms & needed[access])) {
		tlb_set_page_aarch64(cpu, page, e.paddr, (int)e.perms, mmu_idx, MEM_PAGE_SIZE);
		return true;
	}
	return __real_unicorn_fill_tlb_aarch64(cpu, a, size, access, mmu_idx, probe, host_pc);
}

bool vm_tlb_init(struct vm *vm)
{
	uc_hook hook;

	return uc_ctl_tlb_mode(vm->uc, UC_TLB_VIRTUAL) == UC_ERR_OK &&
	       uc_hook_add(vm->uc, &hook, UC_HOOK_TLB_FILL, (void *)on_fill, vm, 1, 0) == UC_ERR_OK;
}
