/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine tests share: an instance over a small guest address space. */
#ifndef TEST_CPU_H
#define TEST_CPU_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmocka.h>

#include "cpu/cpu.h"
#ifdef ILP32RUN_DYNARMIC
# include "cpu/dynarmic/dynarmic.h"
#endif

/* Guest addresses. The pages behind CODE, DATA and the last page of DATA's 64 KiB are unmapped. */
#define CODE      0x00010000u
#define CODE_SIZE 0x4000u
#define DATA      0x00040000u
#define DATA_SIZE 0x10000u
#define DATA_END  (DATA + DATA_SIZE)

#define RX  (PROT_READ | PROT_EXEC)
#define RW  (PROT_READ | PROT_WRITE)
#define RWX (PROT_READ | PROT_WRITE | PROT_EXEC)

static struct cpu *cpu;
static struct cpu_state state;
static struct cpu_stop stop;

/* The svc callback records its calls; a test sets what it answers, or a function to answer. */
static unsigned svc_calls;
static uint64_t svc_x[9];
static enum cpu_svc svc_answer;
static enum cpu_svc (*svc_fn)(uint64_t x[9]);
static int task; /* its address is the task */

static enum cpu_svc on_svc(void *t, uint64_t x[9])
{
	assert_ptr_equal(t, &task);
	svc_calls++;
	memcpy(svc_x, x, sizeof(svc_x));
	return svc_fn ? svc_fn(x) : svc_answer;
}

static inline void on_host_fault(int signo, siginfo_t *info, void *context)
{
	enum mem_access access = MEM_READ;

#if defined(__x86_64__)
	if (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2)
		access = MEM_WRITE;
#endif
	mem_copy_fault(info->si_addr);
	if (!cpu_host_fault(info->si_addr, access, signo, context))
		signal(signo, SIG_DFL);
}

/* As signal_init() does. In each test, because cmocka sets handlers of its own. */
static inline void handle_host_faults(void)
{
	struct sigaction sa = {.sa_sigaction = on_host_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
}

static inline void map(gaddr a, uint32_t len, int prot)
{
	handle_host_faults();
	assert_int_equal(mem_mmap(a, len, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), a);
}

/* Puts N words at A of a page that may be written. */
static inline void put_words(gaddr a, const uint32_t *words, size_t n)
{
	assert_int_equal(mem_copy_out(a, words, n * sizeof(*words)), 0);
	mem_host_wrote(a, n * sizeof(*words));
}

/* A fresh mapping at CODE with this program, pc at its start. */
static inline void load(const uint32_t *words, size_t n)
{
	map(CODE, CODE_SIZE, RW);
	put_words(CODE, words, n);
	assert_int_equal(mem_mprotect(CODE, CODE_SIZE, RX), 0);
	cpu_get_state(cpu, &state);
	state.pc = CODE;
	cpu_set_state(cpu, &state);
}
#define LOAD(words) load(words, sizeof(words) / sizeof((words)[0]))

static inline void run(void)
{
	cpu_run(cpu, &stop);
	cpu_get_state(cpu, &state);
	assert_int_equal(stop.pc, state.pc);
}

static inline void run_at(uint64_t pc)
{
	cpu_get_state(cpu, &state);
	state.pc = pc;
	cpu_set_state(cpu, &state);
	run();
}

/* The engine under test: TEST_ENGINE in the environment. */
static inline const struct cpu_engine *engine(void)
{
	const char *name = getenv("TEST_ENGINE");

	return cpu_engine_find(name ? name : "unicorn");
}

/* Code that the guest changes by plain stores, without cache maintenance, is seen. */
static inline bool engine_watches_stores(void)
{
	return !strcmp(engine()->name, "unicorn");
}

static inline int test_cpu_group(void **unused)
{
	struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)unused;
	if (mem_init(&cfg) != 0)
		return -1;
	mem_set_listener(cpu_memory_changed);
#ifdef ILP32RUN_DYNARMIC
	dynarmic_module = TEST_MODULE;
	/* What other programs meet only in loops. */
	dynarmic_hot = 2;
#endif
	return 0;
}

static inline int test_cpu_setup(void **unused)
{
	(void)unused;
	cpu = cpu_create(engine(), on_svc, &task);
	if (!cpu)
		return -1;
	map(DATA, DATA_SIZE, RW);
	memset(&state, 0, sizeof(state));
	state.sp = DATA_END - 0x1000;
	cpu_set_state(cpu, &state);
	svc_calls = 0;
	svc_answer = CPU_SVC_FULL;
	svc_fn = NULL;
	return 0;
}

static inline int test_cpu_teardown(void **unused)
{
	(void)unused;
	cpu_destroy(cpu);
	return 0;
}

#define CPU_TEST(fn) cmocka_unit_test_setup_teardown(fn, test_cpu_setup, test_cpu_teardown)

#endif
