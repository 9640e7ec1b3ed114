/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that an engine may take together. */
#include "test_cpu.h"

/* Several accesses with one base, of which an engine may look at the first only. */
static void test_base_with_tag(void **unused)
{
	static const uint32_t code[] = {
		0xf9400020u /* ldr x0, [x1] */,     0xf9000420u /* str x0, [x1, #8] */,
		0xf9400423u /* ldr x3, [x1, #8] */, 0xf9480024u /* ldr x4, [x1, #4096] */,
		0xd4200000u /* brk #0 */,
	};
	static const uint64_t tags[] = {0, 0xab, 1, 0xff, 0x80};

	(void)unused;
	LOAD(code);
	for (unsigned i = 0; i < 4 * sizeof(tags) / sizeof(*tags); i++) {
		const uint64_t base = tags[i % 5] << 56 | (DATA_END - 4096);

		assert_int_equal(mem_put_u64(DATA_END - 4096, 77 + i), 0);
		state.x[1] = base;
		state.x[3] = 0;
		state.x[4] = 5;
		cpu_set_state(cpu, &state);
		run_at(CODE);
		assert_int_equal(stop.cause, CPU_STOP_FAULT);
		assert_int_equal(stop.fault, MEM_MAPERR);
		assert_int_equal(stop.addr, base + 4096);
		assert_int_equal(stop.pc, CODE + 12);
		assert_int_equal(state.x[0], 77 + i);
		assert_int_equal(state.x[3], 77 + i);
		assert_int_equal(state.x[4], 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CPU_TEST(test_base_with_tag),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
