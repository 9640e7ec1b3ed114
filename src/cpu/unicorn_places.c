/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Unicorn engine: where the statically linked library keeps words that it has no calls for. The machine code of
 * functions that use them tells: it is looked through for what is known to be there, and if anything else is,
 * the place counts as unknown.
 */
#include <malloc.h>
#include <string.h>

#include "cpu/unicorn_vm.h"

VM_LIBRARY void helper_check_exit_request_aarch64(void *uc, uint32_t in_delay_slot);
VM_LIBRARY void tcg_gen_atomic_fetch_add_i32_aarch64(void *tcg, void *ret, void *a, void *v, int i,
						     int m);

#if defined(__x86_64__)
/*
 *	endbr64; mov CPU(%rdi),%rax; mov WORD(%rax),%edx; test %edx,%edx; jns ...
 */
static bool stop_places(int32_t *cpu_at, int32_t *word_at)
{
	static const uint8_t begin[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x8b, 0x87};
	static const uint8_t load[] = {0x8b, 0x90}, test[] = {0x85, 0xd2, 0x79};
	const uint8_t *code = (const uint8_t *)(uintptr_t)&helper_check_exit_request_aarch64;

	if (!code || memcmp(code, begin, sizeof(begin)) != 0 ||
	    memcmp(code + 11, load, sizeof(load)) != 0 ||
	    memcmp(code + 17, test, sizeof(test)) != 0)
		return false;
	memcpy(cpu_at, code + sizeof(begin), sizeof(*cpu_at));
	memcpy(word_at, code + 13, sizeof(*word_at));
	return true;
}

/*
 *	endbr64; sub $8,%rsp; testb $8,FLAGS+2(%rdi); je ...
 */
static bool flags_place(int32_t *at)
{
	static const uint8_t begin[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x83, 0xec, 0x08, 0xf6, 0x47};
	const uint8_t *code = (const uint8_t *)(uintptr_t)&tcg_gen_atomic_fetch_add_i32_aarch64;

	if (!code || memcmp(code, begin, sizeof(begin)) != 0 || code[11] != 8 || code[12] != 0x74)
		return false;
	*at = code[10] - 2;
	return true;
}
#elif defined(__aarch64__)
static unsigned bits(uint32_t insn, unsigned low, unsigned count)
{
	return insn >> low & ((1u << count) - 1);
}

/* Of no effect on what is looked for: hints (BTI, PACIASP), the stack frame. */
static bool prologue(uint32_t insn)
{
	return (insn & 0xfffff01f) == 0xd503201f || (insn & 0xffc07fff) == 0xa9807bfd ||
	       insn == 0x910003fd;
}

/*
 * In any order, with other registers, between a prologue's instructions:
 *
 *	mov x2, #N; ldr x3, [x0, #CPU]; add x4, x3, x2; ldr w4, [x4, #WORD - N]; cmp w4, #0
 */
static bool stop_places(int32_t *cpu_at, int32_t *word_at)
{
	const uint32_t *code = (const uint32_t *)(uintptr_t)&helper_check_exit_request_aarch64;
	int32_t constant[32] = {0}, in_cpu[32] = {0};
	bool is_cpu[32] = {false};

	for (unsigned i = 0; code && i < 12; i++) {
		uint32_t insn = code[i];
		unsigned d = bits(insn, 0, 5), n = bits(insn, 5, 5), m = bits(insn, 16, 5);

		if (prologue(insn))
			continue;
		if ((insn & 0xffe00000) == 0xd2800000) { /* mov xD, #constant */
			constant[d] = (int32_t)bits(insn, 5, 16);
		} else if ((insn & 0xffc003e0) == 0xf9400000) { /* ldr xD, [x0, #offset] */
			*cpu_at = (int32_t)bits(insn, 10, 12) * 8;
			is_cpu[d] = true;
			in_cpu[d] = 0;
		} else if ((insn & 0xffe0fc00) == 0x8b000000 && is_cpu[n]) { /* add xD, xN, xM */
			in_cpu[d] = in_cpu[n] + constant[m];
			is_cpu[d] = true;
		} else if ((insn & 0xffc00000) == 0xb9400000 &&
			   is_cpu[n]) { /* ldr wD, [xN, #offset] */
			*word_at = in_cpu[n] + (int32_t)bits(insn, 10, 12) * 4;
			return code[i + 1] == (0x7100001f | d << 5);
		} else {
			break;
		}
	}
	return false;
}

/*
 *	bti c; ldr w6, [x0, #FLAGS]; tbz w6, #19, ...
 */
static bool flags_place(int32_t *at)
{
	const uint32_t *code = (const uint32_t *)(uintptr_t)&tcg_gen_atomic_fetch_add_i32_aarch64;

	while (code && prologue(*code))
		code++;
	if (!code || (code[0] & 0xffc003e0) != 0xb9400000 ||
	    (code[1] & 0xfef8001f) != (0x36980000 | bits(code[0], 0, 5)))
		return false;
	*at = (int32_t)bits(code[0], 10, 12) * 4;
	return true;
}
#else
# error "how do the library's functions look on this host?"
#endif

static uint8_t *cpu_of(uc_engine *uc, int32_t cpu_at)
{
	uint8_t *cpu;

	memcpy(&cpu, (const uint8_t *)uc + cpu_at, sizeof(cpu));
	return cpu;
}

const int32_t *vm_find_stop_word(uc_engine *uc)
{
	int32_t cpu_at, word_at;

	if (!stop_places(&cpu_at, &word_at))
		return NULL;
	return (const int32_t *)(const void *)(cpu_of(uc, cpu_at) + word_at);
}

uint64_t *vm_find_features(uc_engine *uc, const struct cpu_id_regs *id)
{
	const uint64_t wanted[] = {id->reg[ISAR0], id->reg[ISAR1], id->reg[PFR0], id->reg[PFR1]};
	int32_t cpu_at, word_at;
	uint64_t *word, *end;

	if (!stop_places(&cpu_at, &word_at))
		return NULL;
	word = (uint64_t *)(void *)cpu_of(uc, cpu_at);
	/* Words, as the structure's alignment is that of 64 bits; VM_FEATURES of them are its own. */
	end = word + malloc_usable_size(word) / sizeof(*word) - VM_FEATURES;
	for (; word <= end; word++) {
		if (memcmp(word, wanted, sizeof(wanted)) == 0 && word[VM_MMFR2] == id->reg[MMFR2])
			return word;
	}
	return NULL;
}

uint32_t *vm_find_flags(void *tcg)
{
	int32_t at;

	return flags_place(&at) ? (uint32_t *)(void *)((uint8_t *)tcg + at) : NULL;
}
