/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: changes of memory and of code, by the guest and by the host. */
#include "test_cpu.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define MOV_X0(imm) (0xd2800000u | (uint32_t)(imm) << 5)
#define RET         0xd65f03c0u
#define JIT         0x00200000u
#define JIT_SIZE    0x10000u

/* Calls the function at x19 with x0 = 0, and stops. */
static const uint32_t call_x19[] = {
	0xd2800000, /* mov x0, #0 */
	0xd63f0260, /* blr x19 */
	0xd4200000, /* brk #0 */
};

static void expect_call(uint64_t fn, uint64_t result)
{
	cpu_get_state(cpu, &state);
	state.x[19] = fn;
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(stop.pc, CODE + 8);
	assert_int_equal(state.x[0], result);
}

/* --- permissions ---------------------------------------------------------------------------- */

static const uint32_t store_load[] = {
	0xf9000020, /* str x0, [x1] */
	0xf9400022, /* ldr x2, [x1] */
	0xd4000001, /* svc #0 */
};

static void expect_access(gaddr a, enum mem_fault store, enum mem_fault load)
{
	cpu_get_state(cpu, &state);
	state.x[1] = a;
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	run();
	if (store == MEM_OK) {
		assert_int_equal(stop.cause, CPU_STOP_SVC);
		return;
	}
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, store);
	assert_int_equal(stop.access, MEM_WRITE);
	assert_int_equal(stop.addr, a);
	run_at(CODE + 4);
	if (load == MEM_OK) {
		assert_int_equal(stop.cause, CPU_STOP_SVC);
		return;
	}
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, load);
	assert_int_equal(stop.access, MEM_READ);
}

static void test_permissions_change(void **unused)
{
	gaddr first = DATA + 0x1000;
	/* One page, some, and so many that the engine flushes in another way. */
	static const uint32_t sizes[] = {0x1000, 0x3000, 0x100000};
	unsigned i;

	(void)unused;
	LOAD(store_load);
	for (i = 0; i < 3; i++) {
		uint32_t size = sizes[i];
		gaddr a = size > DATA_SIZE ? JIT : first, last = a + size - 8;

		map(a, size, RW);
		expect_access(a + 8, MEM_OK, MEM_OK);
		expect_access(last, MEM_OK, MEM_OK);
		assert_int_equal(mem_mprotect(a, size, PROT_READ), 0);
		expect_access(a + 8, MEM_ACCERR, MEM_OK);
		expect_access(last, MEM_ACCERR, MEM_OK);
		assert_int_equal(mem_mprotect(a, size, PROT_NONE), 0);
		expect_access(a + 8, MEM_ACCERR, MEM_ACCERR);
		expect_access(last, MEM_ACCERR, MEM_ACCERR);
		assert_int_equal(mem_mprotect(a, size, RW), 0);
		expect_access(a + 8, MEM_OK, MEM_OK);
		expect_access(last, MEM_OK, MEM_OK);
		assert_int_equal(mem_munmap(a, size), 0);
		expect_access(a + 8, MEM_MAPERR, MEM_MAPERR);
		expect_access(last, MEM_MAPERR, MEM_MAPERR);
	}
}

/* Cached look-ups of tagged addresses go as well. */
static void test_permissions_of_tagged(void **unused)
{
	static const uint32_t code[] = {
		0xf9000060, /* str x0, [x3] */
		0xf9000080, /* str x0, [x4] */
		0xf90000a0, /* str x0, [x5] */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[3] = DATA;
	state.x[4] = DATA | 0x1100000000000000u;
	state.x[5] = DATA | 0x6600000000000000u;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(mem_mprotect(DATA, 0x1000, PROT_READ), 0);
	run_at(CODE);
	assert_int_equal(stop.addr, DATA);
	run_at(CODE + 4);
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.addr, DATA | 0x1100000000000000u);
	run_at(CODE + 8);
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.addr, DATA | 0x6600000000000000u);
}

/* From the svc callback, as mprotect(2) does it: in force when the guest goes on. */
static enum cpu_svc protect_inside(uint64_t x[9])
{
	x[0] = (uint64_t)mem_mprotect((gaddr)x[0], (uint32_t)x[1], (int)x[2]);
	return CPU_SVC_DONE;
}

static void test_change_in_callback(void **unused)
{
	static const uint32_t code[] = {
		0xf9000260, /* str x0, [x19] */
		0xaa1303e0, /* mov x0, x19 */
		0xd2820001, /* mov x1, #0x1000 */
		0xd2800022, /* mov x2, #1 */
		0xd4000001, /* svc #0 */
		0xf9400263, /* ldr x3, [x19] */
		0xf9000260, /* str x0, [x19] */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	state.x[19] = DATA;
	cpu_set_state(cpu, &state);
	svc_fn = protect_inside;
	run();
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.pc, CODE + 24);
	assert_int_equal(stop.access, MEM_WRITE);
}

/* So much changes in a callback that everything is flushed there. */
static enum cpu_svc change_much(uint64_t x[9])
{
	unsigned i;

	for (i = 0; i < 40; i++)
		cpu_memory_changed(JIT + i * 0x100000u, 0x1000, i & 1 ? MEM_CODE : MEM_PERM);
	cpu_memory_changed(0, MEM_SPACE - 1, MEM_CODE | MEM_PERM);
	x[0]++;
	return CPU_SVC_DONE;
}

static void test_much_changes_in_callback(void **unused)
{
	static const uint32_t code[] = {
		0xd4000001, /* 1: svc #0 */
		0xf8008420, /* str x0, [x1], #8 */
		0x94000004, /* bl 2f */
		0xf1000463, /* subs x3, x3, #1 */
		0x54ffff81, /* b.ne 1b */
		0xd4200000, /* brk #0 */
		0x91000484, /* 2: add x4, x4, #1 */
		0xd65f03c0, /* ret */
	};

	(void)unused;
	LOAD(code);
	state.x[1] = DATA;
	state.x[3] = 1000;
	cpu_set_state(cpu, &state);
	svc_fn = change_much;
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[0], 1000);
	assert_int_equal(state.x[4], 1000);
}

/* The page that runs loses X under itself. */
static void test_code_page_loses_exec(void **unused)
{
	static const uint32_t code[] = {
		0xd4000001, /* svc #0 */
		0x910004a5, /* 1: add x5, x5, #1 */
		0xf1000cbf, /* cmp x5, #3 */
		0x54ffffc1, /* b.ne 1b */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	LOAD(code);
	run_at(CODE + 4);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	state.x[0] = CODE;
	state.x[1] = 0x1000;
	state.x[2] = PROT_READ;
	state.x[5] = 0;
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	svc_fn = protect_inside;
	run();
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, MEM_ACCERR);
	assert_int_equal(stop.access, MEM_EXEC);
	assert_int_equal(stop.addr, CODE + 4);
	assert_int_equal(state.x[5], 0);
	assert_int_equal(mem_mprotect(CODE, 0x1000, RX), 0);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[5], 3);
}

/* --- code by the host ----------------------------------------------------------------------- */

static void put_function(gaddr a, unsigned result)
{
	uint32_t fn[2] = {MOV_X0(result), RET};

	put_words(a, fn, 2);
}

static void test_host_writes_code(void **unused)
{
	unsigned i;

	(void)unused;
	LOAD(call_x19);
	map(JIT, JIT_SIZE, RWX);
	for (i = 1; i < 50; i++) {
		put_function(JIT + 0x100, i);
		put_function(JIT + 0x1ffc, i + 100); /* over a page border */
		put_function(JIT + 0x200, 7);
		expect_call(JIT + 0x100, i);
		expect_call(JIT + 0x1ffc, i + 100);
		expect_call(JIT + 0x200, 7);
	}
}

static void test_other_mapping_in_place(void **unused)
{
	unsigned i;

	(void)unused;
	LOAD(call_x19);
	for (i = 1; i < 20; i++) {
		map(JIT, 0x1000, RW);
		put_function(JIT, i);
		assert_int_equal(mem_mprotect(JIT, 0x1000, RX), 0);
		expect_call(JIT, i);
		if (i % 3 == 0)
			assert_int_equal(mem_munmap(JIT, 0x1000), 0);
		if (i % 3 == 1) {
			assert_int_equal(mem_mprotect(JIT, 0x1000, RW), 0);
			put_function(JIT, i + 500);
			assert_int_equal(mem_mprotect(JIT, 0x1000, RX), 0);
			expect_call(JIT, i + 500);
		}
	}
	assert_int_equal(mem_munmap(JIT, 0x1000), 0);
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.addr, JIT);
}

static void test_much_code_goes(void **unused)
{
	const gaddr far = 0x10000000u;
	const uint32_t size = 0x8000000u; /* 128 MiB: the engine drops everything */
	uint32_t off;

	(void)unused;
	LOAD(call_x19);
	map(far, size, RWX);
	for (off = 0; off < size; off += size / 8) {
		put_function(far + off, 1);
		expect_call(far + off, 1);
	}
	map(far, size, RWX);
	for (off = 0; off < size; off += size / 8) {
		put_function(far + off, 2);
		expect_call(far + off, 2);
	}
	assert_int_equal(mem_munmap(far, size), 0);
}

/* --- code by the guest ---------------------------------------------------------------------- */

/*
 * For i = 1..x20: writes "mov x0, #i; ret" to x19 and to x21 (another place of the same page), and
 * calls both. x22 counts the wrong results.
 */
static const uint32_t jit_loop[] = {
	0xd2800016, /* mov x22, #0 */
	0xd2800037, /* mov x23, #1 */
	0x52ba5018, /* mov w24, #0xd2800000 */
	0x52807819, /* mov w25, #0x03c0 */
	0x72bacbf9, /* movk w25, #0xd65f, lsl #16 */
	0x2a17171a, /* 1: orr w26, w24, w23, lsl #5 */
	0xb900027a, /* str w26, [x19] */
	0xb9000679, /* str w25, [x19, #4] */
	0xb90002ba, /* str w26, [x21] */
	0xb90006b9, /* str w25, [x21, #4] */
	0xd50b7b33, /* dc cvau, x19 */
	0xd50b7b35, /* dc cvau, x21 */
	0xd5033b9f, /* dsb ish */
	0xd50b7533, /* ic ivau, x19 */
	0xd50b7535, /* ic ivau, x21 */
	0xd5033b9f, /* dsb ish */
	0xd5033fdf, /* isb */
	0xd2800000, /* mov x0, #0 */
	0xd63f0260, /* blr x19 */
	0xeb17001f, /* cmp x0, x23 */
	0x9a9606d6, /* cinc x22, x22, ne */
	0xd2800000, /* mov x0, #0 */
	0xd63f02a0, /* blr x21 */
	0xeb17001f, /* cmp x0, x23 */
	0x9a9606d6, /* cinc x22, x22, ne */
	0x910006f7, /* add x23, x23, #1 */
	0xeb1402ff, /* cmp x23, x20 */
	0x54fffd49, /* b.ls 1b */
	0xd4200000, /* brk #0 */
};

/* The same without cache maintenance: undefined on a CPU, but the engine sees stores. */
static const uint32_t jit_loop_bare[] = {
	0xd2800016, /* mov x22, #0 */
	0xd2800037, /* mov x23, #1 */
	0x52ba5018, /* mov w24, #0xd2800000 */
	0x52807819, /* mov w25, #0x03c0 */
	0x72bacbf9, /* movk w25, #0xd65f, lsl #16 */
	0x2a17171a, /* 1: orr w26, w24, w23, lsl #5 */
	0xb900027a, /* str w26, [x19] */
	0xb9000679, /* str w25, [x19, #4] */
	0xb90002ba, /* str w26, [x21] */
	0xb90006b9, /* str w25, [x21, #4] */
	0xd2800000, /* mov x0, #0 */
	0xd63f0260, /* blr x19 */
	0xeb17001f, /* cmp x0, x23 */
	0x9a9606d6, /* cinc x22, x22, ne */
	0xd2800000, /* mov x0, #0 */
	0xd63f02a0, /* blr x21 */
	0xeb17001f, /* cmp x0, x23 */
	0x9a9606d6, /* cinc x22, x22, ne */
	0x910006f7, /* add x23, x23, #1 */
	0xeb1402ff, /* cmp x23, x20 */
	0x54fffe29, /* b.ls 1b */
	0xd4200000, /* brk #0 */
};

static void run_jit(uint64_t a, uint64_t b, unsigned n)
{
	cpu_get_state(cpu, &state);
	state.x[19] = a;
	state.x[21] = b;
	state.x[20] = n;
	state.pc = CODE;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[23], n + 1);
	assert_int_equal(state.x[22], 0);
}

static void test_guest_writes_code(void **unused)
{
	(void)unused;
	map(JIT, JIT_SIZE, RWX);
	LOAD(jit_loop);
	run_jit(JIT, JIT + 0x80, 300);
	run_jit(JIT + 0xf00, JIT + 0x1000, 300);
	run_jit(JIT + 0x1ffc, JIT + 0x3000, 300);
	if (!engine_watches_stores())
		return;
	LOAD(jit_loop_bare);
	run_jit(JIT, JIT + 0x80, 300);
	run_jit(JIT + 0x1ffc, JIT + 0x3000, 300);
}

/* Stores through a tagged pointer. */
static void test_guest_writes_code_tagged(void **unused)
{
	static const uint32_t code[] = {
		0xb900037a, /* str w26, [x27] */
		0xb9000779, /* str w25, [x27, #4] */
		0xd2800000, /* mov x0, #0 */
		0xd63f0260, /* blr x19 */
		0xb900037c, /* str w28, [x27] */
		0xaa0003f4, /* mov x20, x0 */
		0xd63f0260, /* blr x19 */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	if (!engine_watches_stores())
		return;
	LOAD(code);
	map(JIT, JIT_SIZE, RWX);
	state.x[19] = JIT;
	state.x[27] = JIT | 0x7700000000000000u;
	state.x[25] = RET;
	state.x[26] = MOV_X0(33);
	state.x[28] = MOV_X0(44);
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[20], 33);
	assert_int_equal(state.x[0], 44);
}

/* Two mappings of the same memory: written through one, executed through the other. */
static void test_dual_mapping(void **unused)
{
	static const uint32_t code[] = {
		0xd2800016, /* mov x22, #0 */
		0xd2800037, /* mov x23, #1 */
		0x52ba5018, /* mov w24, #0xd2800000 */
		0x2a17171a, /* 1: orr w26, w24, w23, lsl #5 */
		0xb900037a, /* str w26, [x27] */
		0xd50b7b3c, /* dc cvau, x28 */
		0xd5033b9f, /* dsb ish */
		0xd50b753c, /* ic ivau, x28 */
		0xd5033b9f, /* dsb ish */
		0xd5033fdf, /* isb */
		0xd63f0260, /* blr x19 */
		0xeb17001f, /* cmp x0, x23 */
		0x9a9606d6, /* cinc x22, x22, ne */
		0x910006f7, /* add x23, x23, #1 */
		0xf10322ff, /* cmp x23, #200 */
		0x54fffe89, /* b.ls 1b */
		0xd4200000, /* brk #0 */
	};
	const uint32_t ret = RET;
	int fd = memfd_create("dual", 0);
	unsigned i;

	(void)unused;
	LOAD(code);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 0x1000), 0);
	assert_int_equal(mem_mmap(JIT, 0x1000, RW, MAP_SHARED | MAP_FIXED, fd, 0), JIT);
	assert_int_equal(mem_mmap(JIT + 0x2000, 0x1000, RX, MAP_SHARED | MAP_FIXED, fd, 0),
			 JIT + 0x2000);
	close(fd);
	put_words(JIT + 4, &ret, 1);
	/* The instruction cache is maintained through the one address, then through the other. */
	for (i = 0; i < 2; i++) {
		state.x[19] = JIT + 0x2000;
		state.x[27] = JIT;
		state.x[28] = i ? JIT : JIT + 0x2000;
		state.pc = CODE;
		cpu_set_state(cpu, &state);
		run();
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		assert_int_equal(state.x[22], 0);
	}
}

/* Data next to code in one page that is all RWX: both keep working. */
static void test_data_in_code_page(void **unused)
{
	static const uint32_t code[] = {
		0xf9400022, /* 1: ldr x2, [x1] */
		0x91000442, /* add x2, x2, #1 */
		0xf9000022, /* str x2, [x1] */
		0xf1000463, /* subs x3, x3, #1 */
		0x54ffff81, /* b.ne 1b */
		0xd4200000, /* brk #0 */
	};

	(void)unused;
	map(JIT, JIT_SIZE, RWX);
	put_words(JIT, code, sizeof(code) / 4);
	cpu_get_state(cpu, &state);
	state.x[1] = JIT + 0x400;
	state.x[3] = 20000;
	cpu_set_state(cpu, &state);
	run_at(JIT);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[2], 20000);
}

/* More translations than the engine has room for at once. */
static void test_room_for_code_runs_out(void **unused)
{
	static const uint32_t pair[] = {
		0xf9400022, /* ldr x2, [x1] */
		0x8b020000, /* add x0, x0, x2 */
	};
	static const uint32_t end[] = {
		0xd4000001, /* svc #0 */
		0xd4200000, /* brk #0 */
	};
	const gaddr far = 0x10000000u;
	const uint32_t size = 0x400000u, pairs = (size - sizeof(end)) / sizeof(pair);
	uint32_t *code = malloc(size);
	uint32_t i;

	(void)unused;
	assert_non_null(code);
	for (i = 0; i < pairs; i++)
		memcpy(code + i * 2, pair, sizeof(pair));
	memcpy(code + pairs * 2, end, sizeof(end));
	map(far, size, RW);
	assert_int_equal(mem_copy_out(far, code, size), 0);
	assert_int_equal(mem_mprotect(far, size, RX), 0);
	free(code);
	assert_int_equal(mem_put_u64(DATA, 3), 0);
	cpu_get_state(cpu, &state);
	state.x[1] = DATA;
	cpu_set_state(cpu, &state);
	svc_answer = CPU_SVC_DONE;
	for (i = 0; i < 2; i++) {
		state.x[0] = 0;
		cpu_set_state(cpu, &state);
		run_at(far);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		assert_int_equal(svc_x[0], 3 * pairs);
		assert_int_equal(state.x[0], 3 * pairs);
	}
}

/* --- faults of the host --------------------------------------------------------------------- */

static const void *bad_address;
static unsigned bad_count;

static void on_bus(int signo, siginfo_t *info, void *context)
{
	mem_copy_fault(info->si_addr); /* the look-up probes the page */
	bad_address = info->si_addr;
	bad_count++;
	if (!cpu_host_fault(info->si_addr, MEM_READ, signo, context))
		abort();
}

static int shared_file(void)
{
	int fd = memfd_create("shrinks", 0);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 0x2000), 0);
	assert_int_equal(mem_mmap(JIT, 0x2000, RW, MAP_SHARED | MAP_FIXED, fd, 0), JIT);
	return fd;
}

/* A file becomes shorter behind the engine's back; every kind of access that has a fast path. */
static void test_file_shrinks(void **unused)
{
	static const uint32_t code[] = {
		0xf9400020, /* ldr x0, [x1] */
		0xd4000001, /* svc #0 */
		0xd28000a5, /* mov x5, #5 */
		0x39404020, /* ldrb w0, [x1, #16] */
		0xd28000c5, /* mov x5, #6 */
		0x79002425, /* strh w5, [x1, #18] */
		0xd28000e5, /* mov x5, #7 */
		0xa9420423, /* ldp x3, x1, [x1, #32] */
		0xd2800105, /* mov x5, #8 */
		0x3c810420, /* str q0, [x1], #16 */
		0xd2800125, /* mov x5, #9 */
		0xf8e50023, /* ldaddal x5, x3, [x1] */
		0xd2800145, /* mov x5, #10 */
		0xd4200000, /* brk #0 */
	};
	static const struct {
		uint32_t pc, offset;
		enum mem_access access;
	} faults[] = {{12, 16, MEM_READ},
		      {20, 18, MEM_WRITE},
		      {28, 32, MEM_READ},
		      {36, 0, MEM_WRITE},
		      {44, 0, MEM_READ}};
	struct sigaction sa = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;
	int fd = shared_file();
	uint64_t word = 0x1234;
	unsigned i;

	(void)unused;
	LOAD(code);
	sigaction(SIGBUS, &sa, &old);
	for (i = 0; i < 5; i++) {
		assert_int_equal(pwrite(fd, &word, 8, 0x1000), 8);
		state.x[1] = JIT + 0x1000;
		state.x[3] = 33;
		state.pc = CODE;
		cpu_set_state(cpu, &state);
		run(); /* warms the look-up */
		assert_int_equal(stop.cause, CPU_STOP_SVC);
		assert_int_equal(state.x[0], 0x1234);
		/* also for stores: the first one to a page takes a slow path */
		state.pc = CODE + 20;
		cpu_set_state(cpu, &state);
		cpu_step(cpu, &stop);
		assert_int_equal(stop.cause, CPU_STOP_STEP);

		assert_int_equal(ftruncate(fd, 0x1000), 0);
		state.pc = CODE + faults[i].pc - 4;
		state.x[5] = 0;
		cpu_set_state(cpu, &state);
		struct cpu_state before = state;
		bad_count = 0;
		run();
		assert_int_equal(stop.cause, CPU_STOP_FAULT);
		assert_int_equal(stop.fault, MEM_BUSERR);
		assert_int_equal(stop.addr, JIT + 0x1000 + faults[i].offset);
		assert_int_equal(stop.access, faults[i].access);
		/* An atomic access is made by an engine's own code in some. */
		assert_in_range(bad_count, i < 4, 1);
		/* Unicorn's stop is not exact there. */
		if (i < 4 || cpu->engine->parallel) {
			assert_int_equal(stop.pc, CODE + faults[i].pc);
			before.pc = CODE + faults[i].pc;
			before.x[5] = 5 + i;
			assert_memory_equal(&state, &before, sizeof(state));
		}
		/* The file grows again: the same instruction is done. */
		assert_int_equal(ftruncate(fd, 0x2000), 0);
		word = JIT + 0x1100;
		assert_int_equal(pwrite(fd, &word, 8, 0x1028), 8);
		run_at(CODE + faults[i].pc);
		assert_int_equal(stop.cause, CPU_STOP_BRK);
		word = 0x1234;
	}
	sigaction(SIGBUS, &old, NULL);
	assert_int_equal(mem_munmap(JIT, 0x2000), 0);
	close(fd);
}

/* An access over a page border is made by the engine's own code, where no exact stop is possible. */
static void test_file_shrinks_inexact(void **unused)
{
	static const uint32_t code[] = {
		0xf85fc020, /* ldur x0, [x1, #-4] */
		0xd4000001, /* svc #0 */
		0xf85fc020, /* ldur x0, [x1, #-4] */
		0x14000001, /* b 1f */
		0xd4200000, /* 1: brk #0 */
	};
	struct sigaction sa = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;
	uint64_t word = 0x5678000012340000u;
	int fd = shared_file();

	(void)unused;
	LOAD(code);
	state.x[1] = JIT + 0x1000;
	cpu_set_state(cpu, &state);
	run();
	assert_int_equal(stop.cause, CPU_STOP_SVC);
	sigaction(SIGBUS, &sa, &old);
	assert_int_equal(ftruncate(fd, 0x1000), 0);
	bad_address = NULL;
	run();
	assert_int_equal(stop.cause, CPU_STOP_FAULT);
	assert_int_equal(stop.fault, MEM_BUSERR);
	assert_int_equal(stop.access, MEM_READ);
	assert_int_equal(stop.addr, JIT + 0x1000);
	assert_in_range(stop.pc, CODE + 8, CODE + 16);
	assert_ptr_equal(bad_address, mem_host(JIT + 0x1000));

	/* The mapping is still the file's: it comes back with it. */
	assert_int_equal(ftruncate(fd, 0x2000), 0);
	assert_int_equal(pwrite(fd, &word, 8, 0xffc), 8);
	run_at(CODE + 8);
	assert_int_equal(stop.cause, CPU_STOP_BRK);
	assert_int_equal(state.x[0], word);
	sigaction(SIGBUS, &old, NULL);
	assert_int_equal(mem_munmap(JIT, 0x2000), 0);
	close(fd);
}

static void test_host_fault_elsewhere(void **unused)
{
	(void)unused;
	/* Not running: whoever faulted, it was not the guest. */
	assert_false(cpu_host_fault(mem_host(DATA), MEM_READ, SIGSEGV, NULL));
	assert_false(cpu_host_fault(&bad_address, MEM_READ, SIGSEGV, NULL));
}

static void *kick_soon(void *arg)
{
	(void)arg;
	usleep(20000);
	cpu_kick(cpu);
	return NULL;
}

static void stops_when_kicked(void)
{
	pthread_t thread;

	cpu_get_state(cpu, &state);
	state.pc = CODE;
	state.x[1] = state.x[30] = CODE;
	cpu_set_state(cpu, &state);
	assert_int_equal(pthread_create(&thread, NULL, kick_soon, NULL), 0);
	run();
	pthread_join(thread, NULL);
	assert_int_equal(stop.cause, CPU_STOP_KICK);
}

/* A loop need not have a branch whose target is fixed. */
static void test_kick_in_indirect_loop(void **unused)
{
	static const uint32_t branch[] = {
		0xd61f0020, /* br x1 */
	};
	static const uint32_t ret[] = {RET};
	/* However an engine foretells returns: all that it can know lead back here. */
	static const uint32_t foretold[] = {
		0xd2800203,             /* mov x3, #16 */
		0x94000002,             /* 1: bl 2f */
		RET,        0xf1000463, /* 2: subs x3, x3, #1 */
		0x54ffffa1,             /* b.ne 1b */
		RET,
	};

	(void)unused;
	LOAD(branch);
	stops_when_kicked();
	assert_int_equal(stop.pc, CODE);
	LOAD(ret);
	stops_when_kicked();
	assert_int_equal(stop.pc, CODE);
	LOAD(foretold);
	stops_when_kicked();
	assert_int_equal(stop.pc, CODE + 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CPU_TEST(test_kick_in_indirect_loop),
		CPU_TEST(test_permissions_change),
		CPU_TEST(test_permissions_of_tagged),
		CPU_TEST(test_change_in_callback),
		CPU_TEST(test_much_changes_in_callback),
		CPU_TEST(test_code_page_loses_exec),
		CPU_TEST(test_host_writes_code),
		CPU_TEST(test_other_mapping_in_place),
		CPU_TEST(test_much_code_goes),
		CPU_TEST(test_guest_writes_code),
		CPU_TEST(test_guest_writes_code_tagged),
		CPU_TEST(test_dual_mapping),
		CPU_TEST(test_data_in_code_page),
		CPU_TEST(test_room_for_code_runs_out),
		CPU_TEST(test_file_shrinks),
		CPU_TEST(test_file_shrinks_inexact),
		CPU_TEST(test_host_fault_elsewhere),
	};

	return cmocka_run_group_tests(tests, test_cpu_group, NULL);
}
