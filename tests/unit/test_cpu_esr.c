/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ESR_EL1 of a stop, as the kernel records it for the signal frame. */
#include "test_cpu.h"

/* Fields by the Arm architecture manual, ESR_ELx. */
#define EC_FETCH 0x80000000u
#define EC_PC    0x88000000u
#define EC_DATA  0x90000000u
#define IL       0x02000000u
#define WNR      0x40u

static uint64_t esr(enum cpu_cause cause, enum mem_access access, enum mem_fault fault,
		    uint64_t addr)
{
	struct cpu_stop s = {.cause = cause, .access = access, .fault = fault, .addr = addr};

	return cpu_stop_esr(&s);
}

static void test_reference(void **unused)
{
	/* What a 4.14 kernel showed for "str" to 0x1_4567_1230: translation fault, level 1. */
	(void)unused;
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_WRITE, MEM_MAPERR, 0x145671230), 0x92000045);
}

static void test_levels(void **unused)
{
	(void)unused;
	map(0x80000000u, 0x1000, RW);
	/* The level is where the walk finds nothing. */
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x80001000u), EC_DATA | IL | 7);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x801ff000u), EC_DATA | IL | 7);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x80200000u), EC_DATA | IL | 6);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0xbffff000u), EC_DATA | IL | 6);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0xc0000000u), EC_DATA | IL | 5);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x7fffffff00u),
			 EC_DATA | IL | 5);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x8000000000u),
			 EC_DATA | IL | 4);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0xffff000000001000u),
			 EC_DATA | IL | 4);
	/* The tag takes no part. */
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x5500000080001000u),
			 EC_DATA | IL | 7);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_EXEC, MEM_MAPERR, 0x80001000u), EC_FETCH | IL | 7);
	assert_int_equal(mem_munmap(0x80000000u, 0x1000), 0);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_MAPERR, 0x80001000u), EC_DATA | IL | 5);
}

static void test_permission(void **unused)
{
	(void)unused;
	map(0x80000000u, 0x1000, PROT_READ);
	map(0x80001000u, 0x1000, PROT_NONE);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_WRITE, MEM_ACCERR, 0x80000008u),
			 EC_DATA | IL | WNR | 0xf);
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_EXEC, MEM_ACCERR, 0x80000008u),
			 EC_FETCH | IL | 0xf);
	/* PROT_NONE pages have no valid entry: a translation fault to the CPU. */
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_ACCERR, 0x80001008u), EC_DATA | IL | 7);
	/* So has a page beyond the end of its file. */
	assert_int_equal(esr(CPU_STOP_FAULT, MEM_READ, MEM_BUSERR, 0x80000008u), EC_DATA | IL | 7);
	assert_int_equal(mem_munmap(0x80000000u, 0x2000), 0);
}

static void test_others(void **unused)
{
	(void)unused;
	assert_int_equal(esr(CPU_STOP_ALIGN, MEM_EXEC, MEM_OK, CODE + 2), EC_PC | IL);
	assert_int_equal(esr(CPU_STOP_ALIGN, MEM_READ, MEM_OK, DATA + 2), EC_DATA | IL | 0x21);
	assert_int_equal(esr(CPU_STOP_ALIGN, MEM_WRITE, MEM_OK, DATA + 2),
			 EC_DATA | IL | WNR | 0x21);
	/* The kernel records none for these. */
	assert_int_equal(esr(CPU_STOP_ILLEGAL, MEM_READ, MEM_OK, 0), 0);
	assert_int_equal(esr(CPU_STOP_BRK, MEM_READ, MEM_OK, 0), 0);
	assert_int_equal(esr(CPU_STOP_KICK, MEM_READ, MEM_OK, 0), 0);
}

/* And from real stops. */
static void test_of_stops(void **unused)
{
	static const uint32_t code[] = {
		0xf9000020, /* str x0, [x1] */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = 0x145671230;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(cpu_stop_esr(&stop), 0x92000045);
	state.x[1] = CODE;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(cpu_stop_esr(&stop), 0x9200004f);
	run_at(CODE + 2);
	assert_int_equal(cpu_stop_esr(&stop), 0x8a000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CPU_TEST(test_reference), CPU_TEST(test_levels),   CPU_TEST(test_permission),
		CPU_TEST(test_others),    CPU_TEST(test_of_stops),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
