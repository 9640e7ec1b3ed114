/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: state, the svc callback, stepping, kicks, fork, life and death of instances. */
#include "test_cpu.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cpu/unicorn_vm.h"

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static const uint32_t svc_0[] = {
	0xd4000001, /* svc #0 */
};

static void test_engines(void **unused)
{
	(void)unused;
	assert_non_null(cpu_engine_find(NULL));
	assert_ptr_equal(cpu_engine_find("auto"), cpu_engine_find(NULL));
	assert_string_equal(cpu_engine_find("unicorn")->name, "unicorn");
	assert_null(cpu_engine_find("no such engine"));
	assert_non_null(strstr(cpu_engine_names(), "unicorn"));
}

static void test_new_state_is_zero(void **unused)
{
	static const struct cpu_state zero;
	struct cpu *c = cpu_create(engine(), on_svc, &task);
	struct cpu_state s;

	(void)unused;
	memset(&s, 0xa5, sizeof(s));
	cpu_get_state(c, &s);
	assert_memory_equal(&s, &zero, sizeof(s));
	cpu_destroy(c);
}

static void fill_state(struct cpu_state *s)
{
	unsigned i;

	for (i = 0; i < 31; i++)
		s->x[i] = 0xabcd000000000000u + i * 0x0101010101u;
	for (i = 0; i < 32; i++)
		s->v[i] = (struct cpu_vreg){0x1111111111111111u * (i % 15 + 1), ~(uint64_t)i};
	s->sp = DATA_END - 64;
	s->pc = CODE;
	s->pstate = 0xa0000000u; /* N and C */
	s->tpidr = 0xfeedface12345678u;
	s->fpcr = 0x01c00000u; /* FZ, round towards zero */
	s->fpsr = 0x08000015u; /* QC, UFC, OFC, IOC */
}

static void test_state_roundtrip(void **unused)
{
	struct cpu_state in, out;

	(void)unused;
	memset(&in, 0, sizeof(in));
	fill_state(&in);
	cpu_set_state(cpu, &in);
	cpu_get_state(cpu, &out);
	assert_memory_equal(&in, &out, sizeof(in));

	/* The same through the engine: an svc that changes nothing. */
	LOAD(svc_0);
	cpu_set_state(cpu, &in);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	in.pc = CODE + 4;
	assert_memory_equal(&in, &state, sizeof(in));
}

static void test_pstate_is_user_mode(void **unused)
{
	/* Whatever the caller puts into the mode bits, the guest stays at EL0. */
	(void)unused;
	LOAD(svc_0);
	state.pstate = 0x600003c5u;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	assert_int_equal(state.pstate, 0x60000000u);
}

/* --- svc ------------------------------------------------------------------------------------ */

static void test_svc_full(void **unused)
{
	static const uint32_t code[] = {
		0xd2800020, /* mov x0, #1 */
		0xd4002461, /* svc #0x123 */
		0xd2800041, /* mov x1, #2 */
		0xd41fffe1, /* svc #0xffff */
	};

	(void)unused;
	LOAD(code);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	assert_int_equal(state.pc, CODE + 8);
	assert_int_equal(state.x[0], 1);
	assert_int_equal(state.x[1], 0);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	assert_int_equal(state.pc, CODE + 16);
	assert_int_equal(state.x[1], 2);
	assert_int_equal(svc_calls, 2);
}

static enum cpu_svc answer_42(uint64_t x[9])
{
	unsigned i;

	for (i = 0; i < 9; i++)
		assert_int_equal(x[i], 0xf000000000000000u + i);
	x[0] = (uint64_t)-42;
	x[1] = 0xbad; /* must not reach the guest */
	return svc_answer;
}

static void test_svc_registers(void **unused)
{
	static const uint32_t code[] = {
		0xd4000001, /* svc #0 */
		0xaa0003f4, /* mov x20, x0 */
		0xaa0103f5, /* mov x21, x1 */
		0xd2fe0000, /* mov x0, #0xf000000000000000 */
		0xd4000001, /* svc #0 */
		0xd4200000, /* brk #0 */
	};
	unsigned i;

	(void)unused;
	LOAD(code);
	for (i = 0; i < 31; i++)
		state.x[i] = 0xf000000000000000u + i;
	cpu_set_state(cpu, &state);
	svc_fn = answer_42;
	svc_answer = CPU_SVC_DONE;
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(svc_calls, 2);
	assert_int_equal(state.pc, CODE + 20);
	assert_int_equal(state.x[20], -42);
	assert_int_equal(state.x[21], 0xf000000000000001u);
	assert_int_equal(state.x[0], -42);
	for (i = 1; i < 31; i++) {
		if (i != 20 && i != 21)
			assert_int_equal(state.x[i], 0xf000000000000000u + i);
	}

	/* Leaving with the result in x0, behind the svc. */
	state.x[0] = 0xf000000000000000u;
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	svc_answer = CPU_SVC_LEAVE;
	run();
	assert_int_equal(stop.cause, CPU_STOP_KICK);
	assert_int_equal(state.pc, CODE + 4);
	assert_int_equal(state.x[0], -42);
}

static struct cpu_state in_callback;

static enum cpu_svc take_state(uint64_t x[9])
{
	(void)x;
	cpu_get_state(cpu, &in_callback);
	return CPU_SVC_FULL;
}

static void test_state_in_callback(void **unused)
{
	struct cpu_state in;

	(void)unused;
	LOAD(svc_0);
	in = state;
	fill_state(&in);
	cpu_set_state(cpu, &in);
	svc_fn = take_state;
	run();
	in.pc = CODE + 4;
	assert_memory_equal(&in_callback, &in, sizeof(in));
}

/* --- stepping ------------------------------------------------------------------------------- */

static void test_step(void **unused)
{
	static const uint32_t code[] = {
		0xd28000e0, /* mov x0, #7 */
		0x14000002, /* b 1f */
		0xd2800100, /* mov x0, #8 */
		0xd4000001, /* 1: svc #0 */
		0xf9000020, /* str x0, [x1] */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = DATA;
	cpu_set_state(cpu, &state);
	svc_answer = CPU_SVC_DONE;

	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_STEP);
	assert_int_equal(stop.pc, CODE + 4);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_STEP);
	assert_int_equal(stop.pc, CODE + 12);
	assert_int_equal(svc_calls, 0);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_STEP);
	assert_int_equal(stop.pc, CODE + 16);
	assert_int_equal(svc_calls, 1);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_STEP);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + 20);
	cpu_get_state(cpu, &state);
	assert_int_equal(state.pc, CODE + 20);
	assert_int_equal(state.x[0], 7);

	/* Stepping and running take turns on the same state. */
	run_at(CODE);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(svc_calls, 2);
}

static void test_step_faults(void **unused)
{
	static const uint32_t code[] = {
		0xf9400420, /* ldr x0, [x1, #8] */
		0x00000000, /* .inst 0 */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = DATA_END;
	cpu_set_state(cpu, &state);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.addr, DATA_END + 8);
	assert_int_equal(stop.pc, CODE);
	state.pc = CODE + 4;
	cpu_set_state(cpu, &state);
	cpu_step(cpu, &stop);
	assert_int_equal(stop.cause, CPU_STOP_ILLEGAL);
	assert_int_equal(stop.pc, CODE + 4);
}

static void test_step_sees_new_code(void **unused)
{
	static const uint32_t code[] = {
		0xd2800020, /* mov x0, #1 */
		0xd4200000, /* brk #0 */
	};
	static const uint32_t other[] = {
		0xd2800040, /* mov x0, #2 */
	};

	(void)unused;
	LOAD(code);
	cpu_step(cpu, &stop);
	cpu_get_state(cpu, &state);
	assert_int_equal(state.x[0], 1);
	assert_int_equal(mem_mprotect(CODE, CODE_SIZE, RW), 0);
	put_words(CODE, other, 1);
	assert_int_equal(mem_mprotect(CODE, CODE_SIZE, RX), 0);
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	cpu_step(cpu, &stop);
	cpu_get_state(cpu, &state);
	assert_int_equal(state.x[0], 2);
}

/* --- kicks ---------------------------------------------------------------------------------- */

static const uint32_t endless[] = {
	0x91000400, /* 1: add x0, x0, #1 */
	0x17ffffff, /* b 1b */
};

static void test_kick_before_run(void **unused)
{
	static const uint32_t brk[] = {
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(brk);
	cpu_kick(cpu);
	cpu_kick(cpu);
	run();
	assert_int_equal(stop.cause, CPU_STOP_KICK);
	assert_int_equal(state.pc, CODE);
	/* Two kicks have melted into one. */
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
}

static enum cpu_svc kick_inside(uint64_t x[9])
{
	x[0] = 5;
	cpu_kick(cpu);
	return CPU_SVC_DONE;
}

static void test_kick_in_callback(void **unused)
{
	(void)unused;
	LOAD(svc_0);
	svc_fn = kick_inside;
	run();
	assert_int_equal(stop.cause, CPU_STOP_KICK);
	assert_int_equal(state.pc, CODE + 4);
	assert_int_equal(state.x[0], 5);
}

static atomic_uint answered;
static atomic_bool storm_over;

/* So many kicks, or as many as a busy machine gets done in the time. */
#define STORM    100000u
#define STORM_MS 20000.0

/* Kicks, and waits for the stop that answers it, which for a lost kick never comes. */
static void *kick_storm(void *arg)
{
	double begin = now_ms();
	unsigned n;

	(void)arg;
	for (n = 0; n < STORM && now_ms() - begin < STORM_MS; n++) {
		double start = now_ms();

		cpu_kick(cpu);
		while (atomic_load(&answered) == n) {
			if (now_ms() - start > 10000) {
				atomic_store(&storm_over, true);
				cpu_kick(cpu);
				return (void *)1;
			}
			sched_yield();
		}
		/* The next kick comes at all phases of the next start. */
		for (unsigned i = 0; i < (n * 7) % 2000; i++)
			atomic_thread_fence(memory_order_seq_cst);
	}
	atomic_store(&storm_over, true);
	cpu_kick(cpu);
	return NULL;
}

static void test_kick_storm(void **unused)
{
	pthread_t thread;
	void *lost;

	(void)unused;
	LOAD(endless);
	atomic_store(&answered, 0);
	atomic_store(&storm_over, false);
	assert_int_equal(pthread_create(&thread, NULL, kick_storm, NULL), 0);
	while (!atomic_load(&storm_over)) {
		cpu_run(cpu, &stop);
		assert_int_equal(stop.cause, CPU_STOP_KICK);
		atomic_fetch_add(&answered, 1);
	}
	pthread_join(thread, &lost);
	assert_null(lost);
	assert_true(atomic_load(&answered) > 100);
}

/* Kicks arrive between instructions: whatever they interrupt is neither left out nor done twice. */
static void *kick_all_the_time(void *arg)
{
	unsigned n = 0, i;

	(void)arg;
	while (!atomic_load(&storm_over)) {
		cpu_kick(cpu);
		for (i = 0; i < (++n * 11) % 3000; i++)
			atomic_thread_fence(memory_order_seq_cst);
	}
	return NULL;
}

#define RING   61u
#define ROUNDS 20000u

static void kicks_between_instructions(void)
{
	static const uint32_t code[] = {
		0xf9400029, /* 1: ldr x9, [x1] */
		0x91000529, /* add x9, x9, #1 */
		0xf9000029, /* str x9, [x1] */
		0xf8e200a9, /* ldaddal x2, x9, [x5] */
		0xc85ffcc9, /* 2: ldaxr x9, [x6] */
		0x91000529, /* add x9, x9, #1 */
		0xc80afcc9, /* stlxr w10, x9, [x6] */
		0x35ffffaa, /* cbnz w10, 2b */
		0xa94028e9, /* ldp x9, x10, [x7] */
		0x91000529, /* add x9, x9, #1 */
		0x9100054a, /* add x10, x10, #1 */
		0xa90028e9, /* stp x9, x10, [x7] */
		0xf940016b, /* ldr x11, [x11] */
		0xf940016b, /* ldr x11, [x11] */
		0xf940016b, /* ldr x11, [x11] */
		0xf8008589, /* str x9, [x12], #8 */
		0xf85f8d8d, /* ldr x13, [x12, #-8]! */
		0xf81f8d8d, /* str x13, [x12, #-8]! */
		0xf840858d, /* ldr x13, [x12], #8 */
		0xf82e81ee, /* swp x14, x14, [x15] */
		0x3dc00180, /* ldr q0, [x12] */
		0x91000463, /* add x3, x3, #1 */
		0xf1000484, /* subs x4, x4, #1 */
		0x54fffd21, /* b.ne 1b */
		0xd4200000, /* brk #0 */
	};
	uint64_t counter[5], ring = DATA + 0x1000, rounds = 0;
	double begin = now_ms();
	unsigned kicks = 0, i;
	pthread_t thread;

	LOAD(code);
	memset(counter, 0, sizeof(counter));
	assert_int_equal(mem_copy_out(DATA, counter, sizeof(counter)), 0);
	for (i = 0; i < RING; i++)
		assert_int_equal(mem_put_u64(ring + i * 8, ring + (i + 1) % RING * 8), 0);
	state.x[1] = DATA;
	state.x[2] = 1;
	state.x[3] = 0;
	state.x[5] = DATA + 8;
	state.x[6] = DATA + 16;
	state.x[7] = DATA + 24;
	state.x[11] = ring;
	state.x[12] = DATA + 0x2000;
	state.x[14] = 77;
	state.x[15] = DATA + 0x3000;
	assert_int_equal(mem_put_u64(DATA + 0x3000, 78), 0);

	atomic_store(&storm_over, false);
	assert_int_equal(pthread_create(&thread, NULL, kick_all_the_time, NULL), 0);
	do {
		state.pc = CODE;
		state.x[4] = ROUNDS;
		cpu_set_state(cpu, &state);
		for (cpu_run(cpu, &stop); stop.cause == CPU_STOP_KICK; cpu_run(cpu, &stop))
			kicks++;
		cpu_get_state(cpu, &state);
		rounds += ROUNDS;
	} while (stop.cause == CPU_STOP_BRK && kicks < 3000 && now_ms() - begin < 10000);
	atomic_store(&storm_over, true);
	pthread_join(thread, NULL);

	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + sizeof(code) - 4);
	assert_true(kicks > 100);
	assert_int_equal(state.x[3], rounds);
	assert_int_equal(mem_copy_in(counter, DATA, sizeof(counter)), 0);
	for (i = 0; i < 5; i++)
		assert_int_equal(counter[i], rounds);
	assert_int_equal(state.x[11], ring + 3 * rounds % RING * 8);
	assert_int_equal(state.x[12], DATA + 0x2000);
	assert_int_equal(state.x[14], 77);
}

static void test_kicks_between_instructions(void **unused)
{
	(void)unused;
	assert_int_equal(vm_exits, VM_EXITS_EXACT);
	/* The branch in front of each block is generated, else Unicorn's loops are slow. */
	if (!strcmp(cpu->engine->name, "unicorn"))
		assert_non_null(vm_of(cpu)->stop_word);
	kicks_between_instructions();
}

/* The way of libraries whose generated code cannot be told to look at block starts alone. */
static void test_kicks_by_block(void **unused)
{
	(void)unused;
	cpu_destroy(cpu);
	vm_exits = VM_EXITS_INEXACT;
	cpu = cpu_create(cpu_engine_find("unicorn"), on_svc, &task);
	vm_exits = VM_EXITS_EXACT;
	assert_non_null(cpu);
	kicks_between_instructions();
}

static volatile sig_atomic_t alarms;

static void on_alarm(int signo)
{
	(void)signo;
	alarms++;
	cpu_kick(cpu);
}

/* From a signal handler, which interrupts the engine anywhere: in its own code as well. */
static void test_kick_from_signal(void **unused)
{
	struct itimerval each = {{0, 50}, {0, 50}}, none = {{0, 0}, {0, 0}};
	struct sigaction sa = {.sa_handler = on_alarm}, old;
	double start = now_ms();
	unsigned stops = 0;

	(void)unused;
	LOAD(endless);
	alarms = 0;
	sigaction(SIGALRM, &sa, &old);
	while (stops < 2000 && now_ms() - start < 10000) {
		/* One alarm a run: a lost one leaves it running for ever. */
		each.it_interval.tv_usec = 0;
		each.it_value.tv_usec = 1 + stops % 60;
		setitimer(ITIMER_REAL, &each, NULL);
		cpu_run(cpu, &stop);
		assert_int_equal(stop.cause, CPU_STOP_KICK);
		stops++;
	}
	setitimer(ITIMER_REAL, &none, NULL);
	sigaction(SIGALRM, &old, NULL);
	assert_true(stops > 100);
	assert_int_equal(alarms, stops);
}

static clockid_t runner_clock;
static double kicked_at;

static double cpu_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *kick_once(void *arg)
{
	struct timespec ms = {0, 5000000};

	(void)arg;
	nanosleep(&ms, NULL);
	kicked_at = cpu_ms(runner_clock);
	cpu_kick(cpu);
	return NULL;
}

/* In processor time of the thread that runs, so that a busy machine does not count (a busy host of a
 * virtual machine does, so most of the tries have to be good, not all). */
static void test_kick_latency(void **unused)
{
	unsigned i, good = 0;
	pthread_t thread;

	(void)unused;
	LOAD(endless);
	pthread_getcpuclockid(pthread_self(), &runner_clock);
	for (i = 0; i < 50; i++) {
		double late;

		pthread_create(&thread, NULL, kick_once, NULL);
		cpu_run(cpu, &stop);
		late = cpu_ms(runner_clock);
		pthread_join(thread, NULL);
		late -= kicked_at;
		assert_int_equal(stop.cause, CPU_STOP_KICK);
		good += late < 1.0;
	}
	assert_true(good >= 40);
}

static void test_kick_wakes_wfi(void **unused)
{
	static const uint32_t code[] = {
		0xd503207f, /* 1: wfi */
		0x17ffffff, /* b 1b */
	};
	pthread_t thread;

	(void)unused;
	LOAD(code);
	pthread_create(&thread, NULL, kick_once, NULL);
	run();
	pthread_join(thread, NULL);
	assert_int_equal(stop.cause, CPU_STOP_KICK);
	assert_in_range(state.pc, CODE, CODE + 4);
}

/* A fault and a kick at once: neither is lost. */
static void test_kick_and_fault(void **unused)
{
	static const uint32_t code[] = {
		0xd4000001, /* svc #0 */
		0xf9400020, /* ldr x0, [x1] */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = 0;
	cpu_set_state(cpu, &state);
	svc_answer = CPU_SVC_FULL;
	run();
	cpu_kick(cpu);
	run();
	assert_int_equal(stop.cause, CPU_STOP_KICK);
	assert_int_equal(state.pc, CODE + 4);
	run();
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
}

/* --- fork, many instances ------------------------------------------------------------------- */

static pid_t child;

static enum cpu_svc fork_inside(uint64_t x[9])
{
	if (x[8] != 220)
		return CPU_SVC_FULL;
	child = fork();
	if (child == 0)
		cpu_after_fork(cpu);
	x[0] = child == 0 ? 0 : 1234;
	return CPU_SVC_DONE;
}

static void test_fork_in_callback(void **unused)
{
	static const uint32_t code[] = {
		0xd2801b88, /* mov x8, #220 */
		0xd4000001, /* svc #0 */
		0xf9000020, /* str x0, [x1] */
		0xd2800ba8, /* mov x8, #93 */
		0xd2807d09, /* mov x9, #1000 */
		0xf1000529, /* 1: subs x9, x9, #1 */
		0x54ffffe1, /* b.ne 1b */
		0xd4000001, /* svc #0 */
	};
	uint32_t word;
	int status;

	(void)unused;
	LOAD(code);
	state.x[1] = DATA;
	cpu_set_state(cpu, &state);
	svc_fn = fork_inside;
	run();
	if (child == 0) { /* no cmocka here: it would report twice */
		bool ok = stop.cause == CPU_STOP_SVC && state.x[0] == 0 && state.pc == CODE + 32 &&
			  mem_get_u32(DATA, &word) == 0 && word == 0;

		cpu_memory_changed(CODE, 4096, MEM_CODE | MEM_PERM);
		state.pc = CODE + 12;
		cpu_set_state(cpu, &state);
		cpu_run(cpu, &stop);
		_exit(ok && stop.cause == CPU_STOP_SVC ? 77 : 1);
	}
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	assert_int_equal(state.x[0], 1234);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 77);
	assert_int_equal(mem_get_u32(DATA, &word), 0);
	assert_int_equal(word, 1234);
}

/* Pages of address space, which the code buffers are taken from. */
static long size_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long size = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld", &size), 1);
	fclose(f);
	return size;
}

static size_t heap_used(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static void create_run_destroy(void)
{
	struct cpu *c = cpu_create(engine(), on_svc, &task);
	struct cpu_state s;
	struct cpu_stop st;

	assert_non_null(c);
	cpu_get_state(c, &s);
	s.pc = CODE;
	cpu_set_state(c, &s);
	cpu_run(c, &st);
	assert_int_equal(st.cause, CPU_STOP_SVC);
	cpu_destroy(c);
}

static void test_create_destroy(void **unused)
{
	size_t heap;
	unsigned i;
	long size;

	(void)unused;
	LOAD(svc_0);
	for (i = 0; i < 20; i++)
		create_run_destroy();
	heap = heap_used();
	size = size_pages();
	for (i = 0; i < 200; i++)
		create_run_destroy();
#ifndef __SANITIZE_ADDRESS__ /* its leak checker looks, and what was freed stays in quarantine */
	/* An instance has megabytes of heap; a kilobyte each is more than Unicorn itself loses. */
	assert_true(heap_used() < heap + 200 * 1024);
	/* The buffer for translations alone is 8192 pages. */
	assert_true(size_pages() < size + 8192);
#else
	(void)heap;
	(void)size;
#endif
}

/* Instances share memory and nothing else; changes reach all. */
static void test_two_instances(void **unused)
{
	static const uint32_t code[] = {
		0xf9000020, /* str x0, [x1] */
		0xd4000001, /* svc #0 */
	};
	struct cpu *second = cpu_create(engine(), on_svc, &task);
	struct cpu_state s;

	(void)unused;
	LOAD(code);
	state.x[0] = 11;
	state.x[1] = DATA;
	cpu_set_state(cpu, &state);
	s = state;
	s.x[0] = 22;
	s.x[1] = DATA + 8;
	cpu_set_state(second, &s);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	cpu_run(second, &stop);
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	cpu_get_state(second, &s);
	assert_int_equal(s.x[0], 22);
	assert_int_equal(state.x[0], 11);

	assert_int_equal(mem_mprotect(DATA, 4096, PROT_READ), 0);
	run_at(CODE);
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	s.pc = CODE;
	cpu_set_state(second, &s);
	cpu_run(second, &stop);
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, MEM_ACCERR);
	assert_int_equal(stop.addr, DATA + 8);
	cpu_destroy(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engines),   CPU_TEST(test_new_state_is_zero),
		CPU_TEST(test_state_roundtrip),   CPU_TEST(test_pstate_is_user_mode),
		CPU_TEST(test_svc_full),          CPU_TEST(test_svc_registers),
		CPU_TEST(test_state_in_callback), CPU_TEST(test_step),
		CPU_TEST(test_step_faults),       CPU_TEST(test_step_sees_new_code),
		CPU_TEST(test_kick_before_run),   CPU_TEST(test_kick_in_callback),
		CPU_TEST(test_kick_storm),        CPU_TEST(test_kicks_between_instructions),
		CPU_TEST(test_kicks_by_block),    CPU_TEST(test_kick_from_signal),
		CPU_TEST(test_kick_latency),      CPU_TEST(test_kick_wakes_wfi),
		CPU_TEST(test_kick_and_fault),    CPU_TEST(test_fork_in_callback),
		CPU_TEST(test_create_destroy),    CPU_TEST(test_two_instances),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
