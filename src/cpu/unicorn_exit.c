/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine: exact answers to stop requests.
 *
 * Generated code looks for a stop request at the start of each block, which is exact, and behind each
 * memory access, which is not: the access is done, but the pc that comes out is that of the
 * instruction (2.1.4) or of the block (2.1.1), which is executed again. A kick comes at any time, so
 * "ldr x1, [x1]" would go two steps instead of one and an atomic addition would be done twice.
 *
 * Unicorn generates the second kind of look in its function check_exit_request_aarch64(). The linker
 * is told to take the one below in its place, which generates nothing (src/CMakeLists.txt; the shared
 * library calls it through its procedure linkage table, so there too). That is faster besides.
 *
 * A library that does not call it is found out by vm_exits_exact(). Then stop requests are not made
 * from outside: a hook in front of each block looks for their reasons and makes them there. Slower,
 * and exact as well.
 */
#include "cpu/unicorn_vm.h"

_Atomic(enum vm_exits) vm_exits;

/* uc_ctl_request_cache(), whose macro shifts a signed 3 into the sign bit. */
#define REQUEST_CACHE ((uc_control_type)((unsigned)UC_CTL_TB_REQUEST_CACHE | 2u << 26 | 3u << 30))

static atomic_bool called;

void unicorn_check_exit_request(void *tcg)
{
	(void)tcg;
	atomic_store_explicit(&called, true, memory_order_relaxed);
}

bool vm_exits_exact(struct vm *vm)
{
	uc_tb block;

	if (atomic_load(&vm_exits) == VM_EXITS_UNKNOWN) {
		/* The look-up of the entry page is allowed as at a start. */
		vm->starting = true;
		uc_ctl(vm->uc, REQUEST_CACHE, (uint64_t)(VM_ENTRY_PAGE + VM_PROBE_OFFSET), &block);
		vm->starting = false;
		atomic_store(&vm_exits, atomic_load(&called) ? VM_EXITS_EXACT : VM_EXITS_INEXACT);
	}
	return atomic_load(&vm_exits) == VM_EXITS_EXACT;
}
