/* SPDX-License-Identifier: GPL-2.0-or-later */
/* siginfo between host and guest form, against what a 4.14 ILP32 kernel wrote (tests/oracle/siginfo.out). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "signal/signal.h"

static void old_kernel(void)
{
	assert_true(abi_select("ampere-4.14"));
}

static void new_kernel(void)
{
	assert_true(abi_select("modern"));
}

/* One conversion to the guest: the bytes that 4.14 writes; 5.7 and later write 128, zeros behind. */
static void check_out(const struct host_siginfo *h, const uint32_t *words, unsigned bytes,
		      unsigned meaning)
{
	uint8_t g[128], want[128];

	old_kernel();
	memset(g, 0xa5, sizeof(g));
	memset(want, 0xa5, sizeof(want));
	memcpy(want, words, bytes);
	assert_int_equal(signal_info_to_guest(g, h), bytes);
	assert_memory_equal(g, want, sizeof(g));

	new_kernel();
	memset(g, 0xa5, sizeof(g));
	memset(want, 0, sizeof(want));
	memcpy(want, words, meaning);
	assert_int_equal(signal_info_to_guest(g, h), 128);
	assert_memory_equal(g, want, sizeof(g));
}

static void kill_by_user(void **state)
{
	struct host_siginfo h = {.si_signo = 10, .si_code = 0};

	(void)state;
	h.u.rt.pid = 0x58;
	h.u.rt.uid = 7;
	check_out(&h, (uint32_t[]){10, 0, 0, 0x58, 7}, 20, 20);
	h.si_code = -6; /* tkill: raw bytes up to 40 */
	check_out(&h, (uint32_t[]){10, 0, (uint32_t)-6, 0x58, 7, 0, 0, 0, 0, 0}, 40, 24);
	h.si_signo = 14;
	h.si_code = 0x80; /* setitimer */
	h.u.rt.pid = h.u.rt.uid = 0;
	check_out(&h, (uint32_t[]){14, 0, 0x80, 0, 0}, 20, 20);
}

static void child(void **state)
{
	struct host_siginfo h = {.si_signo = 17, .si_code = 1};

	(void)state;
	h.u.chld.pid = 0x59;
	h.u.chld.uid = 3;
	h.u.chld.status = 5;
	h.u.chld.utime = 0x100000007; /* truncated */
	h.u.chld.stime = 9;
	check_out(&h, (uint32_t[]){17, 0, 1, 0x59, 3, 5, 7, 9}, 32, 32);
	h.si_code = 6;
	check_out(&h, (uint32_t[]){17, 0, 6, 0x59, 3, 5, 7, 9}, 32, 32);
}

static void fault(void **state)
{
	struct host_siginfo h = {.si_signo = 11, .si_code = 1};

	(void)state;
	h.u.fault.addr = 0xdead000000001234;
	check_out(&h, (uint32_t[]){11, 0, 1, 0x1234}, 16, 16);
	h.si_signo = 7;
	h.si_code = 2;
	check_out(&h, (uint32_t[]){7, 0, 2, 0x1234}, 16, 16);
	h.si_signo = 4;
	h.si_code = 1;
	check_out(&h, (uint32_t[]){4, 0, 1, 0x1234}, 16, 16);
}

static void timer(void **state)
{
	struct host_siginfo h = {.si_signo = 37, .si_code = -2};

	(void)state;
	h.u.timer.tid = 1;
	h.u.timer.overrun = 2;
	h.u.timer.value = 0xcafef00d;
	check_out(&h, (uint32_t[]){37, 0, (uint32_t)-2, 1, 2, 0xcafef00d, 0, 0, 0, 0}, 40, 24);
}

static void input_output(void **state)
{
	struct host_siginfo h = {.si_signo = 40, .si_code = 1};

	(void)state;
	h.u.poll.band = 0x41;
	h.u.poll.fd = 4;
	/* F_SETSIG: any signal number. */
	check_out(&h, (uint32_t[]){40, 0, 1, 0x41, 4}, 20, 20);
	h.si_signo = 29;
	h.si_code = 6;
	check_out(&h, (uint32_t[]){29, 0, 6, 0x41, 4}, 20, 20);
}

static void seccomp_trap(void **state)
{
	struct host_siginfo h = {.si_signo = 31, .si_errno = 0x77, .si_code = 1};

	(void)state;
	h.u.sys.call_addr = 0x40162c;
	h.u.sys.syscall = 0xaf;
	h.u.sys.arch = 0xc00000b7;
	check_out(&h, (uint32_t[]){31, 0x77, 1, 0x40162c, 0xaf, 0xc00000b7}, 24, 24);
}

/* What rt_sigqueueinfo reads: {4242, 4343, 0x12345678, 0x9abcdef0, 0x77777777} behind the header. */
static const uint32_t queued[32] = {35,   0,          (uint32_t)-1, 4242,
				    4343, 0x12345678, 0x9abcdef0,   0x77777777};

static void queue_raw(void **state)
{
	struct host_siginfo h;
	uint8_t g[128];

	(void)state;
	old_kernel();
	signal_info_to_host(&h, (const uint8_t *)queued);
	assert_int_equal(h.si_signo, 35);
	assert_int_equal(h.si_code, -1);
	assert_int_equal(h.u.rt.pid, 4242);
	assert_int_equal(h.u.rt.uid, 4343);
	/* The defect: garbage behind the 32-bit value is the upper half of the LP64 one. */
	assert_int_equal(h.u.rt.value, 0x9abcdef012345678);
	memset(g, 0xa5, sizeof(g));
	assert_int_equal(signal_info_to_guest(g, &h), 40);
	assert_memory_equal(g, queued, 40);
}

static void queue_by_field(void **state)
{
	struct host_siginfo h;
	uint8_t g[128];
	const uint32_t want[32] = {35, 0, (uint32_t)-1, 4242, 4343, 0x12345678};

	(void)state;
	new_kernel();
	signal_info_to_host(&h, (const uint8_t *)queued);
	assert_int_equal(h.u.rt.pid, 4242);
	assert_int_equal(h.u.rt.uid, 4343);
	assert_int_equal(h.u.rt.value, 0x12345678);
	assert_int_equal(signal_info_to_guest(g, &h), 128);
	assert_memory_equal(g, want, sizeof(want));
}

/* Every layout survives the way in and out again. */
static void there_and_back(void **state)
{
	static const struct {
		int signo, code;
		unsigned bytes;
	} cases[] = {
		{10, 0, 20}, {10, 0x80, 20}, {40, -1, 24}, {40, -2, 24}, {40, -5, 20}, {17, 3, 32},
		{11, 1, 16}, {11, 3, 28},    {11, 4, 24},  {5, 6, 28},   {7, 4, 18},   {8, 1, 16},
		{4, 1, 16},  {5, 1, 16},     {29, 2, 20},  {50, 3, 20},  {31, 1, 24},  {50, 50, 20},
	};

	(void)state;
	new_kernel();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host_siginfo h, h2;
		uint8_t in[128], out[128];

		memset(in, 0, sizeof(in));
		for (unsigned b = 12; b < cases[i].bytes; b++)
			in[b] = (uint8_t)(b + 1);
		abi_put32(in, (uint32_t)cases[i].signo);
		abi_put32(in + 8, (uint32_t)cases[i].code);
		signal_info_to_host(&h, in);
		signal_info_to_guest(out, &h);
		signal_info_to_host(&h2, out);
		assert_memory_equal(&h, &h2, sizeof(h));
		if (cases[i].signo == 11 && cases[i].code >= 3)
			memset(in + 16, 0, 4); /* between si_addr and si_lower, si_pkey */
		assert_memory_equal(in, out, sizeof(in));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kill_by_user),   cmocka_unit_test(child),
		cmocka_unit_test(fault),          cmocka_unit_test(timer),
		cmocka_unit_test(input_output),   cmocka_unit_test(seccomp_trap),
		cmocka_unit_test(queue_raw),      cmocka_unit_test(queue_by_field),
		cmocka_unit_test(there_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
