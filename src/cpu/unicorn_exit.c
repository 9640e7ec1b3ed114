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
 *
 * The look at the start of a block is a call of a helper, which costs a loop of few instructions a third of
 * its time. Where the library is linked statically, the generation of that call is wrapped, and a load and a
 * branch around the call are generated in front of it, as QEMU's own blocks begin. Facts from Unicorn 2.1.4:
 * include/tcg/tcg-op.h, include/tcg/tcg-opc.h, include/exec/gen-icount.h, accel/tcg/tcg-runtime.c.
 */
#include <stdint.h>
#include <string.h>

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

/* The temporaries' handles are offsets from the context, an operation's arguments their addresses. */
typedef uintptr_t tcg_arg;

enum { TCG_OP_SET_LABEL = 1, TCG_OP_LD_I32 = 13, TCG_TYPE_I32 = 0, TCG_COND_GE = 3 };

struct tcg_label;

VM_LIBRARY void helper_check_exit_request_aarch64(void *uc, uint32_t in_delay_slot);
VM_LIBRARY void __real_tcg_gen_callN_aarch64(void *tcg, void *fn, void *ret, int n, tcg_arg *args);
VM_LIBRARY uint64_t helper_paired_cmpxchg64_le_aarch64(void *env, uint64_t a, uint64_t lo,
						       uint64_t hi);
VM_LIBRARY uint64_t helper_paired_cmpxchg64_le_parallel_aarch64(void *env, uint64_t a, uint64_t lo,
								uint64_t hi);
VM_LIBRARY tcg_arg tcg_const_i64_aarch64(void *tcg, int64_t value);
VM_LIBRARY tcg_arg tcg_const_i32_aarch64(void *tcg, int32_t value);
VM_LIBRARY tcg_arg tcg_temp_new_internal_aarch64(void *tcg, int type, bool local);
VM_LIBRARY void tcg_temp_free_internal_aarch64(void *tcg, tcg_arg temp);
VM_LIBRARY struct tcg_label *gen_new_label_aarch64(void *tcg);
VM_LIBRARY void tcg_gen_op1_aarch64(void *tcg, int op, tcg_arg a);
VM_LIBRARY void tcg_gen_op3_aarch64(void *tcg, int op, tcg_arg a, tcg_arg b, tcg_arg c);
VM_LIBRARY void tcg_gen_brcondi_i32_aarch64(void *tcg, int cond, tcg_arg temp, int32_t value,
					    struct tcg_label *l);

void __wrap_tcg_gen_callN_aarch64(void *tcg, void *fn, void *ret, int n, tcg_arg *args);

/* The instance whose blocks this thread generates, if any. */
static _Thread_local struct vm *generating;

void vm_generates(struct vm *vm)
{
	generating = vm;
}

struct vm *vm_generating(void)
{
	return generating;
}

/* The translator of AArch64 code looks at the block's flags instead, by which blocks are found again: its choice of
 * a function for STXP is put right here. CASP is not atomic for other processes if its pair has 16 bytes. */
static void *parallel_form(void *fn)
{
	if (fn == (void *)(uintptr_t)&helper_paired_cmpxchg64_le_aarch64 &&
	    &helper_paired_cmpxchg64_le_parallel_aarch64)
		return (void *)(uintptr_t)&helper_paired_cmpxchg64_le_parallel_aarch64;
	return fn;
}

/*
 * Unicorn's own functions for exchanges load and then store (accel/tcg/atomic_template.h). These take their place in the
 * statically linked library; the generated code that calls them is told by their return address.
 */
#define EXCHANGE(suffix, type)                                                                 \
 VM_LIBRARY type helper_atomic_cmpxchg##suffix##_mmu_aarch64(                                  \
	 void *env, uint64_t a, type old, type new, uint32_t oi, uintptr_t from);              \
 type __wrap_helper_atomic_xchg##suffix##_aarch64(void *env, uint64_t a, type v, uint32_t oi); \
 type __wrap_helper_atomic_xchg##suffix##_aarch64(void *env, uint64_t a, type v, uint32_t oi)  \
 {                                                                                             \
  uintptr_t from = (uintptr_t)__builtin_return_address(0);                                     \
  type old, seen = 0;                                                                          \
                                                                                               \
  do {                                                                                         \
   old = seen;                                                                                 \
   seen = helper_atomic_cmpxchg##suffix##_mmu_aarch64(env, a, old, v, oi, from);               \
  } while (seen != old);                                                                       \
  return old;                                                                                  \
 }
EXCHANGE(b, uint32_t)
EXCHANGE(w_le, uint32_t)
EXCHANGE(l_le, uint32_t)
EXCHANGE(q_le, uint64_t)

/*
 * LDSMAX and LDSMIN of bytes and halves give what was there with zeros above it, as all atomics do (Arm ARM, C6.2); the
 * library extends its sign.
 */
VM_LIBRARY void tcg_gen_ext8u_i64_aarch64(void *tcg, tcg_arg to, tcg_arg from);
VM_LIBRARY void tcg_gen_ext16u_i64_aarch64(void *tcg, tcg_arg to, tcg_arg from);

#define SIGNED_ATOMIC(name)                                                                  \
 VM_LIBRARY void __real_tcg_gen_atomic_fetch_##name##_i64_aarch64(                           \
	 void *tcg, tcg_arg ret, tcg_arg addr, tcg_arg v, tcg_arg index, int memop);         \
 void __wrap_tcg_gen_atomic_fetch_##name##_i64_aarch64(void *tcg, tcg_arg ret, tcg_arg addr, \
						       tcg_arg v, tcg_arg index, int memop); \
 void __wrap_tcg_gen_atomic_fetch_##name##_i64_aarch64(void *tcg, tcg_arg ret, tcg_arg addr, \
						       tcg_arg v, tcg_arg index, int memop)  \
 {                                                                                           \
  __real_tcg_gen_atomic_fetch_##name##_i64_aarch64(tcg, ret, addr, v, index, memop);         \
  switch (memop & 3) { /* log2 of bytes */                                                   \
  case 0: tcg_gen_ext8u_i64_aarch64(tcg, ret, ret); break;                                   \
  case 1: tcg_gen_ext16u_i64_aarch64(tcg, ret, ret); break;                                  \
  default: break;                                                                            \
  }                                                                                          \
 }
SIGNED_ATOMIC(smax)
SIGNED_ATOMIC(smin)

static tcg_arg temp_of(void *tcg, tcg_arg handle)
{
	return (uintptr_t)tcg + handle;
}

/* In front of the call FN(uc, 0): around it, if WORD is not negative. */
static struct tcg_label *generate_branch(void *tcg, const int32_t *word)
{
	struct tcg_label *around = gen_new_label_aarch64(tcg);
	tcg_arg address = temp_of(tcg, tcg_const_i64_aarch64(tcg, (int64_t)(uintptr_t)word));
	tcg_arg value = tcg_temp_new_internal_aarch64(tcg, TCG_TYPE_I32, false);

	tcg_gen_op3_aarch64(tcg, TCG_OP_LD_I32, value, address, 0);
	tcg_gen_brcondi_i32_aarch64(tcg, TCG_COND_GE, value - (uintptr_t)tcg, 0, around);
	tcg_temp_free_internal_aarch64(tcg, value);
	tcg_temp_free_internal_aarch64(tcg, address);
	return around;
}

void __wrap_tcg_gen_callN_aarch64(void *tcg, void *fn, void *ret, int n, tcg_arg *args)
{
	struct vm *vm = generating;
	struct tcg_label *around;
	tcg_arg fresh[2];
	uint32_t *flags;

	if (fn != (void *)(uintptr_t)&helper_check_exit_request_aarch64 || !vm || !vm->stop_word) {
		__real_tcg_gen_callN_aarch64(tcg, parallel_form(fn), ret, n, args);
		return;
	}
	/* At the start of a block. */
	flags = vm_find_flags(tcg);
	if (flags)
		*flags |= VM_PARALLEL;
	around = generate_branch(tcg, vm->stop_word);
	/* The arguments given do not live beyond a branch. */
	fresh[0] = temp_of(tcg, tcg_const_i64_aarch64(tcg, (int64_t)(uintptr_t)vm->uc));
	fresh[1] = temp_of(tcg, tcg_const_i32_aarch64(tcg, 0));
	__real_tcg_gen_callN_aarch64(tcg, fn, ret, n, fresh);
	tcg_temp_free_internal_aarch64(tcg, fresh[1]);
	tcg_temp_free_internal_aarch64(tcg, fresh[0]);
	tcg_gen_op1_aarch64(tcg, TCG_OP_SET_LABEL, (uintptr_t)around);
}

bool vm_exits_exact(struct vm *vm)
{
	uc_tb block;

	vm->stop_word = vm_find_stop_word(vm->uc);
	if (atomic_load(&vm_exits) == VM_EXITS_UNKNOWN) {
		/* The look-up of the entry page is allowed as at a start. */
		vm->starting = true;
		vm_generates(vm);
		uc_ctl(vm->uc, REQUEST_CACHE, (uint64_t)(VM_ENTRY_PAGE + VM_PROBE_OFFSET), &block);
		vm->starting = false;
		atomic_store(&vm_exits, atomic_load(&called) ? VM_EXITS_EXACT : VM_EXITS_INEXACT);
	}
	return atomic_load(&vm_exits) == VM_EXITS_EXACT;
}
