/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine: host faults of the guest's accesses. Generated code accesses the arena directly
 * once a look-up was cached; the host's page can be gone by then (a file shrank).
 */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "cpu/unicorn_vm.h"

/* The look-up finds nothing wrong, the host does: a bug, or a page whose I/O fails. */
static bool vm_is_stuck(struct vm *vm, uint64_t pc)
{
	if (vm->retry_pc != pc)
		vm->retries = 0;
	vm->retry_pc = pc;
	return ++vm->retries > 8;
}

#if defined(__x86_64__)
/*
 * The fast path of an access in generated code is
 *
 *	jne  slow            0f 85 rel32
 *	add  D(%rdi), %rsi   48 03 77 D8      guest address to host address
 *	the access, (%rsi)
 *
 * and the slow path expects the guest address in rsi and makes the look-up anew. So: forget the cached
 * look-ups, undo the addition, and go to the slow path, which ends in an exact fault or, if all is well
 * after all, in the access. No other code looks like that and has the fault's address in rsi, so no
 * lock of the C library is held here.
 */
static bool to_slow_path(struct vm *vm, const void *host_addr, void *context)
{
	static const uint8_t add[] = {0x48, 0x03, 0x77};
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *pc = (const uint8_t *)r[REG_RIP];
	uint64_t addend;
	int32_t slow;

	if ((const void *)r[REG_RSI] != host_addr || memcmp(pc - 4, add, sizeof(add)) != 0 ||
	    pc[-10] != 0x0f || pc[-9] != 0x85)
		return false;
	memcpy(&slow, pc - 8, sizeof(slow));
	memcpy(&addend, (const uint8_t *)r[REG_RDI] + (int8_t)pc[-1], sizeof(addend));
	if (vm_is_stuck(vm, (uint64_t)r[REG_RIP]))
		return false;
	vm_flush_lookups(vm);
	r[REG_RSI] -= (greg_t)addend;
	r[REG_RIP] = (greg_t)(pc - 4 + slow);
	return true;
}
#elif defined(__aarch64__)
/*
 * There the fast path ends in
 *
 *	b.ne  slow
 *	the access, [x1, xN]    host minus guest address, guest address
 *
 * and the slow path needs no more than xN. No other code in the process branches away right in front of such an access
 * through x1 to the address of the fault.
 */
static bool to_slow_path(struct vm *vm, const void *host_addr, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
	const uint32_t *pc = (const uint32_t *)m->pc;
	uint32_t branch = pc[-1], access = pc[0];
	uint64_t index = m->regs[access >> 16 & 31];

	if ((access >> 13 & 7) == 2) /* UXTW */
		index = (uint32_t)index;
	if ((access & 0x3b200fe0) != 0x38200820 || (branch & 0xff00001f) != 0x54000001 ||
	    m->regs[1] + index != (uintptr_t)host_addr || vm_is_stuck(vm, m->pc))
		return false;
	vm_flush_lookups(vm);
	m->pc += (uint64_t)((int64_t)((int32_t)(branch << 8) >> 13) * 4 - 4);
	return true;
}
#else
# error "where does generated code look addresses up on this host?"
#endif

/*
 * Otherwise the guest's page steps aside for an anonymous one, so that the interrupted host instruction
 * can finish, and the emulation stops at the end of the block.
 */
static bool step_aside(struct vm *vm, gaddr a, enum mem_access access, enum mem_fault fault)
{
	unsigned n = vm->asides;
	void *page = mem_host(a & ~MEM_PAGE_MASK), *kept;

	if (n == VM_ASIDE)
		return false;
	kept = mmap(NULL, MEM_PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (kept == MAP_FAILED)
		return false;
	/* Something stays in place meanwhile, or another thread's new memory could come to lie there. Before
	 * 5.13 the host can do that only with private anonymous memory. */
	if (mremap(page, MEM_PAGE_SIZE, MEM_PAGE_SIZE,
		   MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, kept) == MAP_FAILED &&
	    mremap(page, MEM_PAGE_SIZE, MEM_PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, kept) ==
		    MAP_FAILED)
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
	vm_poke(vm);
	return true;
}

bool vm_host_fault(struct cpu *c, uint64_t a, enum mem_access access, enum mem_fault fault,
		   void *context)
{
	struct vm *vm = vm_of(c);

	if (!atomic_load(&vm->running) || vm->in_callback || a >= MEM_SPACE)
		return false;
	return to_slow_path(vm, mem_host((gaddr)a), context) ||
	       step_aside(vm, (gaddr)a, access, fault);
}

void vm_asides_back(struct vm *vm)
{
	unsigned i;

	for (i = 0; i < vm->asides; i++)
		mremap(vm->aside[i].kept, MEM_PAGE_SIZE, MEM_PAGE_SIZE,
		       MREMAP_MAYMOVE | MREMAP_FIXED, mem_host(vm->aside[i].page));
	vm->asides = 0;
}
