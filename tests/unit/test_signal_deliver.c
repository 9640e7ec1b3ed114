/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivery without an engine: the restart table (kernel: do_signal() of arm64), temporary masks, held
 * signals, stacked frames, forced signals, with the host's real signals and masks.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "mem/mem.h"
#include "signal/host.h"
#include "signal/restart.h"
#include "syscall/syscall.h"
#include "task/task.h"

#define STACK      0x00800000u
#define STACK_SIZE 0x20000u
#define TOP        (STACK + STACK_SIZE)
#define SVC        0x004002a0u /* pc of the svc; the registers stand behind it */
#define HANDLER    0x00400124u
#define X0         0x11112222u
#define SIG(n)     SIGBIT(n)

static struct ilp32run_options options;
static struct process process = {.opt = &options};
static struct task task;

static uint32_t word(uint64_t guest)
{
	return abi_get32(mem_host((gaddr)guest));
}
static uint64_t dword(uint64_t guest)
{
	return abi_get64(mem_host((gaddr)guest));
}

static uint64_t host_mask(void)
{
	uint64_t m;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &m, 8);
	return m;
}

static int setup(void **state)
{
	(void)state;
	assert_true(abi_select("modern"));
	memset(&task, 0, sizeof(task));
	task.process = &process;
	task.tid = (pid_t)syscall(SYS_gettid);
	task.tgid = task.tid;
	task.regs.sp = TOP;
	task.regs.pc = SVC + 4;
	task.regs.x[8] = 63;
	task.call_x0 = X0;
	task_self = &task;
	assert_int_equal(signal_init(&task), 0);
	assert_int_equal(task.sig.mask, 0);
	return 0;
}

static void act(int signo, uint32_t handler, uint32_t flags, uint64_t mask)
{
	struct sig_action a = {.handler = handler, .flags = flags, .mask = mask};

	assert_int_equal(signal_action(&task, signo, &a, NULL), 0);
}

static int teardown(void **state)
{
	(void)state;
	for (int s = 1; s <= SIG_COUNT; s++)
		if (s != SIG_KILL && s != SIG_STOP)
			act(s, 0, 0, 0);
	return 0;
}

/* CMocka catches these two around each test. */
static void own_faults(void)
{
	host_mirror(&process, SIG_SEGV);
	host_mirror(&process, SIG_BUS);
}

static void send(int signo)
{
	assert_int_equal(syscall(SYS_tgkill, getpid(), task.tid, signo), 0);
}

/* --- the restart table ---------------------------------------------------------------------------- */

enum { AGAIN, INTR, AS_IS };

static void check_restart(int64_t result, uint32_t flags, int want)
{
	uint64_t frame;

	setup(NULL);
	act(10, HANDLER, flags | GSA_SIGINFO, 0);
	send(10);
	assert_true(task.sig.captured && task.sig.pending);
	signal_deliver(&task, true, result);
	assert_false(task.sig.captured || task.sig.pending);
	assert_int_equal(task.regs.pc, HANDLER);
	frame = task.regs.sp;
	/* The frame holds the adjusted registers; x8 never changes when a handler runs. */
	assert_int_equal(dword(frame + 552), want == AGAIN ? SVC : SVC + 4);
	assert_int_equal(dword(frame + 296), want == AGAIN  ? X0
					     : want == INTR ? (uint64_t)-EINTR
							    : (uint64_t)result);
	assert_int_equal(dword(frame + 296 + 8 * 8), 63);
	assert_int_equal(task.sig.mask, SIG(10));
	assert_int_equal(host_mask(), SIG(10));
	assert_true(signal_set_mask(&task, 0));
}

static void restart_table(void **state)
{
	(void)state;
	check_restart(-ERESTARTNOINTR_, 0, AGAIN);
	check_restart(-ERESTARTNOINTR_, GSA_RESTART, AGAIN);
	check_restart(-ERESTARTSYS_, 0, INTR);
	check_restart(-ERESTARTSYS_, GSA_RESTART, AGAIN);
	check_restart(-ERESTARTNOHAND_, 0, INTR);
	check_restart(-ERESTARTNOHAND_, GSA_RESTART, INTR);
	check_restart(-ERESTART_RESTARTBLOCK_, 0, INTR);
	check_restart(-ERESTART_RESTARTBLOCK_, GSA_RESTART, INTR);
	check_restart(-EINTR, GSA_RESTART, AS_IS);
	check_restart(5, GSA_RESTART, AS_IS);
	check_restart(-ENOENT, 0, AS_IS);
}

static int64_t some_restart(struct sys_call *c, const uint64_t arg[4])
{
	(void)c;
	(void)arg;
	return 0;
}

static void without_handler(void **state)
{
	static const int codes[] = {ERESTARTSYS_, ERESTARTNOINTR_, ERESTARTNOHAND_,
				    ERESTART_RESTARTBLOCK_};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		for (int block = 0; block < 2; block++) {
			bool modern;

			for (int old = 0; old < 2; old++) {
				setup(NULL);
				modern = !old;
				assert_true(abi_select(old ? "ampere-4.14" : "modern"));
				task.sig.restart = block ? some_restart : NULL;
				signal_deliver(&task, true, -codes[i]);
				assert_int_equal(task.regs.pc, SVC);
				assert_int_equal(task.regs.x[0], X0);
				/* restart_syscall, which the 4.14 kernel never reaches. */
				assert_int_equal(task.regs.x[8],
						 modern && block && i == 3 ? 128 : 63);
			}
		}
	}
}

/* Captured for a handler that is gone by now: ignored, or the default. */
static void action_changed_since(void **state)
{
	(void)state;
	for (uint32_t handler = 0; handler < 2; handler++) {
		setup(NULL);
		act(SIG_CHLD, HANDLER, 0, 0);
		send(SIG_CHLD);
		assert_true(task.sig.captured);
		act(SIG_CHLD, handler, 0, 0); /* the default ignores, too */
		signal_deliver(&task, true, -ERESTARTSYS_);
		assert_false(task.sig.captured || task.sig.pending);
		assert_int_equal(task.regs.pc, SVC);
		assert_int_equal(task.regs.x[0], X0);
		assert_int_equal(host_mask(), 0);
	}
}

/* --- several ---------------------------------------------------------------------------------------- */

static void stacked_frames(void **state)
{
	uint64_t top, below;

	(void)state;
	for (int s = 10; s <= 12; s += 2)
		act(s, HANDLER + (uint32_t)s, GSA_SIGINFO, s == 10 ? SIG(40) : 0);
	assert_true(signal_set_mask(&task, SIG(10) | SIG(12) | SIG(20)));
	send(12);
	send(10);
	assert_false(task.sig.pending);
	/* The host hands over the lower one; the other is blocked until there is room. */
	assert_true(signal_set_mask(&task, SIG(20)));
	assert_true(task.sig.captured);
	assert_int_equal(task.sig.info.si_signo, 10);
	assert_int_equal(host_mask(), ~0ull & ~SIG_HOST_OPEN & ~(SIG(SIG_KILL) | SIG(SIG_STOP)));
	signal_deliver(&task, true, -ERESTARTSYS_);
	top = task.regs.sp;
	assert_int_equal(task.regs.pc, HANDLER + 12);
	assert_int_equal(task.regs.x[0], 12);
	assert_int_equal(task.sig.mask, SIG(10) | SIG(12) | SIG(20) | SIG(40));
	/* The second interrupted the first's first instruction, with its mask. */
	assert_int_equal(dword(top + 552), HANDLER + 10);
	assert_int_equal(dword(top + 148), SIG(10) | SIG(20) | SIG(40));
	below = dword(top + 544);
	assert_int_equal(below, top + 4688);
	assert_int_equal(dword(below + 552), SVC + 4);
	assert_int_equal(dword(below + 296), (uint64_t)-EINTR);
	assert_int_equal(dword(below + 148), SIG(20));
	signal_return(&task);
	assert_int_equal(task.regs.pc, HANDLER + 10);
	assert_int_equal(task.sig.mask, SIG(10) | SIG(20) | SIG(40));
	signal_return(&task);
	assert_int_equal(task.regs.pc, SVC + 4);
	assert_int_equal(task.sig.mask, SIG(20));
	assert_int_equal(host_mask(), SIG(20));
	assert_true(signal_set_mask(&task, 0));
}

static void first_blocks_second(void **state)
{
	(void)state;
	act(10, HANDLER, GSA_SIGINFO, SIG(12));
	act(12, HANDLER + 12, GSA_SIGINFO, 0);
	assert_true(signal_set_mask(&task, SIG(10) | SIG(12)));
	send(12);
	send(10);
	assert_true(signal_set_mask(&task, 0));
	signal_deliver(&task, false, 0);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_false(task.sig.pending);
	/* The return lets the second through. */
	signal_return(&task);
	assert_true(task.sig.captured);
	signal_deliver(&task, false, 0);
	assert_int_equal(task.regs.pc, HANDLER + 12);
	assert_int_equal(dword(task.regs.sp + 552), SVC + 4);
	assert_true(signal_set_mask(&task, 0));
}

/* A mask cannot change while a signal of the old mask waits for its frame. */
static void mask_waits_for_delivery(void **state)
{
	(void)state;
	act(10, HANDLER, 0, 0);
	send(10);
	assert_true(task.sig.captured);
	assert_false(signal_set_mask(&task, SIG(10)));
	assert_int_equal(task.sig.mask, 0);
	signal_deliver(&task, true, -ERESTARTNOINTR_);
	assert_int_equal(dword(task.regs.sp + 552), SVC);
	assert_int_equal(dword(task.regs.sp + 148), 0);
	/* The same in rt_sigreturn: delivered as if before its svc. */
	task.regs.pc = SVC + 4;
	assert_true(signal_set_mask(&task, 0));
	send(10);
	signal_return(&task);
	assert_int_equal(task.regs.pc, SVC);
	assert_true(task.sig.captured);
	signal_deliver(&task, true, -ERESTART_NONE_);
	assert_int_equal(dword(task.regs.sp + 552), SVC);
	assert_true(signal_set_mask(&task, 0));
}

/* --- temporary masks ---------------------------------------------------------------------------------- */

static struct sys_row row = {.name = "test", .restart = SYS_NOHAND};

static int64_t suspend(uint64_t mask)
{
	struct sys_call c = {.task = &task, .row = &row};
	uint64_t m = signal_temp_mask(&task, mask);
	int64_t r =
		sys_host_blocking(&c, SYS_rt_sigsuspend, (uint64_t)(uintptr_t)&m, 8, 0, 0, 0, 0);

	return signal_temp_mask_end(&task, r);
}

static void temporary_mask(void **state)
{
	int64_t r;

	(void)state;
	act(10, HANDLER, GSA_RESTART, SIG(40));
	assert_true(signal_set_mask(&task, SIG(10) | SIG(20)));
	send(10);
	r = suspend(SIG(30));
	assert_int_equal(r, -ERESTARTNOHAND_);
	signal_deliver(&task, true, r);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(dword(task.regs.sp + 296), (uint64_t)-EINTR);
	assert_int_equal(dword(task.regs.sp + 148), SIG(10) | SIG(20));
	assert_int_equal(task.sig.mask, SIG(30) | SIG(40) | SIG(10));
	assert_false(task.sig.has_saved_mask);
	signal_return(&task);
	assert_int_equal(task.sig.mask, SIG(10) | SIG(20));
	assert_true(signal_set_mask(&task, 0));
}

/* Captured before the host had the call: delivered under the old mask, and the call comes again. */
static void captured_before_the_masked_call(void **state)
{
	int64_t r;

	(void)state;
	act(10, HANDLER, 0, 0);
	assert_true(signal_set_mask(&task, SIG(20)));
	send(10);
	r = suspend(SIG(10) | SIG(30));
	assert_int_equal(r, -ERESTARTNOINTR_);
	signal_deliver(&task, true, r);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(dword(task.regs.sp + 552), SVC);
	assert_int_equal(dword(task.regs.sp + 148), SIG(20));
	assert_int_equal(task.sig.mask, SIG(20) | SIG(10));
	assert_true(signal_set_mask(&task, 0));
}

static void result_ends_temporary_mask(void **state)
{
	(void)state;
	assert_true(signal_set_mask(&task, SIG(20)));
	assert_int_equal(signal_temp_mask(&task, SIG(30) | SIG(SIG_SEGV) | SIG(SIG_KILL)), SIG(30));
	assert_int_equal(signal_temp_mask_end(&task, 3), 3);
	assert_int_equal(task.sig.mask, SIG(20));
	assert_false(task.sig.has_saved_mask);
	signal_temp_mask(&task, SIG(30));
	/* Interrupted, but by nothing that has a handler. */
	assert_int_equal(signal_temp_mask_end(&task, -EINTR), -EINTR);
	assert_int_equal(task.sig.mask, SIG(20));
	assert_true(signal_set_mask(&task, 0));
}

/* --- SIGSEGV and SIGBUS, which the host never blocks ----------------------------------------------------- */

static uint64_t host_pending(void)
{
	uint64_t m;

	syscall(SYS_rt_sigpending, &m, 8);
	return m;
}

static void queued_until_unblocked(void **state)
{
	(void)state;
	own_faults();
	act(SIG_SEGV, HANDLER, GSA_SIGINFO, 0);
	assert_true(signal_set_mask(&task, ~0ull));
	assert_int_equal(host_mask() & SIG_HOST_OPEN, 0);
	send(SIG_SEGV);
	send(SIG_SEGV);
	assert_false(task.sig.captured || task.sig.pending);
	assert_int_equal(host_pending() & SIG_HOST_OPEN, SIG(SIG_SEGV));
	assert_int_equal(task.sig.requeued, SIG(SIG_SEGV));
	assert_true(signal_set_mask(&task, SIG(12)));
	assert_true(task.sig.captured);
	signal_deliver(&task, true, 0);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(word(task.regs.x[1]), SIG_SEGV);
	assert_int_equal((int)word(task.regs.x[1] + 8), -6); /* SI_TKILL */
	assert_int_equal(word(task.regs.x[1] + 12), getpid());
	/* Classic signals coalesce: the second one left nothing. */
	assert_false(task.sig.requeued || task.sig.captured || host_pending());
	/* A temporary mask lets it go as well. */
	assert_true(signal_set_mask(&task, ~0ull));
	send(SIG_BUS);
	act(SIG_BUS, HANDLER + 7, 0, 0);
	task.regs.pc = SVC + 4;
	assert_int_equal(suspend(0), -ERESTARTNOHAND_);
	signal_deliver(&task, true, -ERESTARTNOHAND_);
	assert_int_equal(task.regs.pc, HANDLER + 7);
	assert_int_equal(dword(task.regs.sp + 296), (uint64_t)-EINTR);
	assert_int_equal(dword(task.regs.sp + 148), ~(SIG(SIG_KILL) | SIG(SIG_STOP)));
	/* Ignoring discards it. */
	assert_true(signal_set_mask(&task, ~0ull));
	send(SIG_BUS);
	assert_int_equal(host_pending(), SIG(SIG_BUS));
	process.tasks = &task;
	act(SIG_BUS, 1, 0, 0);
	process.tasks = NULL;
	signal_check_requeued(&task);
	assert_false(task.sig.requeued || host_pending());
	assert_true(signal_set_mask(&task, 0));
	assert_false(task.sig.captured);
}

/* What the guest sends to itself with the code of a fault cannot be queued with the host. */
static void held_until_unblocked(void **state)
{
	struct host_siginfo info = {.si_signo = SIG_SEGV, .si_code = 1};

	(void)state;
	act(SIG_SEGV, HANDLER, GSA_SIGINFO, 0);
	assert_true(signal_set_mask(&task, SIG(SIG_SEGV)));
	assert_int_equal(signal_send_self(&task, &info), 0);
	assert_false(task.sig.captured);
	assert_int_equal(task.sig.held, SIG(SIG_SEGV));
	assert_int_equal(signal_take_held(&task, SIG(SIG_BUS), &info), 0);
	assert_int_equal(signal_take_held(&task, SIG(SIG_SEGV), &info), SIG_SEGV);
	assert_int_equal(signal_send_self(&task, &info), 0);
	assert_true(signal_set_mask(&task, 0));
	assert_true(task.sig.captured);
	signal_deliver(&task, true, 0);
	assert_int_equal((int)word(task.regs.x[1] + 8), 1);
	assert_false(task.sig.held || task.sig.captured);
}

/* --- forced ---------------------------------------------------------------------------------------------- */

static int in_child(void (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		task.tid = task.tgid = (pid_t)syscall(SYS_gettid);
		fn();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status & ~0x80;
}

static void force_blocked(void)
{
	act(SIG_ILL, HANDLER, 0, 0);
	signal_set_mask(&task, SIG(SIG_ILL));
	signal_force(&task, SIG_ILL, 1, SVC);
}
static void force_ignored(void)
{
	act(SIG_TRAP, 1, 0, 0);
	signal_force(&task, SIG_TRAP, 1, SVC);
}
static void force_default(void)
{
	signal_force(&task, SIG_SEGV, 1, 0);
}
static void force_without_room(void)
{
	act(SIG_SEGV, HANDLER, 0, 0);
	task.regs.sp = 16;
	signal_force(&task, SIG_SEGV, 1, 0);
}
static void die_by_32(void)
{
	signal_set_mask(&task, ~0ull);
	signal_die(&task, 32);
}
static void sent_from_outside(void)
{
	/* Caught on the host, to write a core. */
	syscall(SYS_kill, getpid(), SIG_SEGV);
	signal_deliver(&task, false, 0);
}
static void sent_default_64(void)
{
	syscall(SYS_kill, getpid(), 64);
}

static void forced_signals(void **state)
{
	(void)state;
	own_faults();
	assert_int_equal(in_child(force_blocked), SIG_ILL);
	assert_int_equal(in_child(force_ignored), SIG_TRAP);
	assert_int_equal(in_child(force_default), SIG_SEGV);
	assert_int_equal(in_child(force_without_room), SIG_SEGV);
	assert_int_equal(in_child(die_by_32), 32);
	assert_int_equal(in_child(sent_from_outside), SIG_SEGV);
	assert_int_equal(in_child(sent_default_64), 64);
	act(SIG_ILL, HANDLER, GSA_SIGINFO, 0);
	signal_force(&task, SIG_ILL, 1, 0x1234);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(word(task.regs.x[1] + 12), 0x1234);
	assert_true(signal_set_mask(&task, 0));
}

/* A fault of the emulator itself: one line with the host's pc and address, and death by that signal. */
static void own_bug(void)
{
	volatile char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Blocking does not help. */
	signal_set_mask(&task, ~0ull);
	*p = 1;
}

static void fault_of_our_own(void **state)
{
	int fds[2], saved = dup(STDERR_FILENO);
	char line[256];
	ssize_t n;

	(void)state;
	own_faults();
	act(SIG_SEGV, HANDLER, 0, 0); /* the guest's handler has nothing to do with it */
	assert_int_equal(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	assert_int_equal(in_child(own_bug), SIG_SEGV);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fds[1]);
	n = read(fds[0], line, sizeof(line) - 1);
	close(fds[0]);
	assert_true(n > 0);
	line[n] = 0;
	assert_ptr_equal(strstr(line, "ilp32run: internal error: SIGSEGV at host pc 0x"), line);
	assert_ptr_equal(strchr(line, '\n'), line + n - 1);
}

/* A frame that finds no room becomes SIGSEGV, whose handler runs on its own stack. */
static void no_room_becomes_segv(void **state)
{
	struct sig_altstack alt = {STACK, 0, 0x4000};

	(void)state;
	assert_int_equal(signal_altstack(&task, &alt, NULL, true), 0);
	act(10, HANDLER, GSA_RESTART, SIG(40));
	act(SIG_SEGV, HANDLER + 11, GSA_SIGINFO | GSA_ONSTACK, 0);
	task.regs.sp = 0x1000;
	send(10);
	signal_deliver(&task, true, -ERESTARTSYS_);
	assert_int_equal(task.regs.pc, HANDLER + 11);
	assert_int_equal(word(task.regs.x[1] + 8), 0x80); /* SI_KERNEL */
	assert_int_equal(dword(task.regs.sp + 552), SVC);
	/* The mask of the failed handler was never in force. */
	assert_int_equal(task.sig.mask, SIG(SIG_SEGV));
	assert_true(signal_set_mask(&task, 0));
}

/* The instruction is executed again behind the handler of a signal that came before its fault. */
static void captured_signal_before_a_fault(void **state)
{
	struct cpu_stop stop = {.cause = CPU_STOP_ILLEGAL, .pc = SVC + 4};

	(void)state;
	act(10, HANDLER, 0, 0);
	act(SIG_ILL, HANDLER + 4, GSA_SIGINFO, 0);
	send(10);
	signal_from_stop(&task, &stop);
	signal_deliver(&task, false, 0);
	assert_int_equal(task.regs.pc, HANDLER);
	assert_int_equal(dword(task.regs.sp + 552), SVC + 4);
	signal_return(&task);
	assert_int_equal(task.regs.pc, SVC + 4);
	signal_from_stop(&task, &stop);
	assert_int_equal(task.regs.pc, HANDLER + 4);
	assert_int_equal(word(task.regs.x[1] + 12), SVC + 4);
	assert_true(signal_set_mask(&task, 0));
}

/* --- dispositions on the host ----------------------------------------------------------------------------- */

static void mirrored(void **state)
{
	struct host_sigaction h;

	(void)state;
	for (int s = 1; s <= SIG_COUNT; s++) {
		if (s == SIG_KILL || s == SIG_STOP)
			continue;
		act(s, HANDLER, GSA_RESTART | GSA_RESETHAND | GSA_NODEFER, 0);
		assert_int_equal(syscall(SYS_rt_sigaction, s, NULL, &h, 8), 0);
		assert_true(h.handler > 1);
		assert_int_equal(h.flags & GSA_RESTART, 0);
		if (SIGBIT(s) & SIG_HOST_OPEN)
			continue;
		assert_int_equal(h.mask | SIG_HOST_OPEN | SIG(SIG_KILL) | SIG(SIG_STOP), ~0ull);
		act(s, 1, 0, 0);
		syscall(SYS_rt_sigaction, s, NULL, &h, 8);
		assert_int_equal(h.handler, 1);
		act(s, 0, 0, 0);
		syscall(SYS_rt_sigaction, s, NULL, &h, 8);
		assert_int_equal(h.handler > 1, !!(SIGBIT(s) & SIG_CORES));
	}
	act(SIG_CHLD, 1, GSA_NOCLDWAIT | GSA_NOCLDSTOP, 0);
	syscall(SYS_rt_sigaction, SIG_CHLD, NULL, &h, 8);
	assert_int_equal(h.flags & 3, 3);
}

static void one_shot(void **state)
{
	struct sig_action a;
	struct host_sigaction h;

	(void)state;
	act(10, HANDLER, GSA_RESETHAND, SIG(40));
	send(10);
	signal_deliver(&task, false, 0);
	assert_int_equal(task.regs.pc, HANDLER);
	signal_action(&task, 10, NULL, &a);
	assert_int_equal(a.handler, 0);
	assert_int_equal(a.flags, GSA_RESETHAND);
	assert_int_equal(a.mask, SIG(40));
	syscall(SYS_rt_sigaction, 10, NULL, &h, 8);
	assert_int_equal(h.handler, 0);
	assert_true(signal_set_mask(&task, 0));
}

static void around_fork(void **state)
{
	(void)state;
	act(10, HANDLER, 0, 0);
	assert_true(signal_set_mask(&task, SIG(40)));
	assert_false(signal_block(&task));
	send(10);
	assert_false(task.sig.captured);
	signal_unblock(&task);
	assert_true(task.sig.captured);
	assert_true(signal_before_fork(&task));
	/* What fork's child does: nothing is pending there. */
	signal_after_fork(&task, true);
	assert_false(task.sig.captured || task.sig.pending);
	assert_int_equal(host_mask(), SIG(40));
	assert_true(signal_set_mask(&task, 0));
}

static uint64_t host_handler(int signo)
{
	struct host_sigaction h;

	syscall(SYS_rt_sigaction, signo, NULL, &h, 8);
	return h.handler;
}

static void pending_over_exec(void)
{
	signal_block(&task);
	send(10);
	signal_reset_for_exec(&task);
}

static void around_exec(void **state)
{
	(void)state;
	act(10, HANDLER, 0, 0);
	act(12, 1, 0, 0);
	act(SIG_SEGV, 1, 0, 0);
	act(SIG_BUS, HANDLER, 0, 0);
	assert_true(signal_set_mask(&task, SIG(SIG_SEGV) | SIG(40)));
	assert_false(signal_block(&task));
	signal_reset_for_exec(&task);
	/* Exactly what the new program inherits. */
	assert_int_equal(host_mask(), SIG(SIG_SEGV) | SIG(40));
	assert_int_equal(host_handler(10), 0);
	assert_int_equal(host_handler(12), 1);
	assert_int_equal(host_handler(SIG_SEGV), 1);
	assert_int_equal(host_handler(SIG_BUS), 0);
	signal_unblock(&task);
	assert_int_equal(host_mask(), SIG(40));
	assert_true(host_handler(10) > 1);
	assert_true(host_handler(SIG_SEGV) > 1);
	assert_true(host_handler(SIG_BUS) > 1);
	/* A caught signal that is pending kills the new program. */
	assert_int_equal(in_child(pending_over_exec), 10);
	assert_true(signal_set_mask(&task, 0));
}

static int map_stack(void **state)
{
	struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	if (mem_init(&cfg) < 0)
		return -1;
	return mem_mmap(STACK, STACK_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == STACK
		       ? 0
		       : -1;
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(restart_table),
		TEST(without_handler),
		TEST(action_changed_since),
		TEST(stacked_frames),
		TEST(first_blocks_second),
		TEST(mask_waits_for_delivery),
		TEST(temporary_mask),
		TEST(captured_before_the_masked_call),
		TEST(result_ends_temporary_mask),
		TEST(queued_until_unblocked),
		TEST(held_until_unblocked),
		TEST(forced_signals),
		TEST(fault_of_our_own),
		TEST(no_room_becomes_segv),
		TEST(captured_signal_before_a_fault),
		TEST(mirrored),
		TEST(one_shot),
		TEST(around_fork),
		TEST(around_exec),
	};

	return cmocka_run_group_tests(tests, map_stack, NULL);
}
