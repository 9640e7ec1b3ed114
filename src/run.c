/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public API: puts the rooms together, in the order in which they need each other. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "abi/abi.h"
#include "cpu/cpu.h"
#include "ilp32run/ilp32run.h"
#include "loader/loader.h"
#include "mem/mem.h"
#include "options.h"
#include "signal/signal.h"
#include "syscall/abi_table.h"
#include "syscall/device.h"
#include "syscall/observe.h"
#include "syscall/seccomp.h"
#include "syscall/syscall.h"
#include "task/card.h"
#include "task/exec.h"
#include "task/internal.h"
#include "trace/trace.h"
#include "vdso/vdso.h"

/* Exit statuses of a shell for a command that it could not start. */
enum { USAGE_ERROR = 2, NOT_RUNNABLE = 126, NOT_FOUND = 127 };

void ilp32run_options_init(struct ilp32run_options *opt)
{
	memset(opt, 0, sizeof *opt);
	opt->arena = ILP32RUN_ARENA_ANYWHERE;
}

const char *ilp32run_version(void)
{
	return ILP32RUN_VERSION;
}

/* A program with nothing open, for loader_free(). */
#define NO_PROGRAM                                \
 {                                                \
  .kind = LOADER_ERROR, .fd = -1, .interp_fd = -1 \
 }

/* A start from outside (name is what the user typed) or by execve. */
struct start {
	const struct ilp32run_options *opt;
	const struct cpu_engine *engine;
	struct loader_program program;
	char *const *envp;
	uint32_t personality;
	int self_fd, static_fd, trace, lint, seccomp,
		family; /* what an execve hands on; -1: nothing */
	uint32_t tracee;
	bool by_execve;
};

/* What the kernel does when a program fails beyond the point of no return (fs/exec.c: force_sigsegv() up to
 * 5.16, force_fatal_sig() since): neither a mask nor SIG_IGN helps. */
_Noreturn static void die_of_segv(void)
{
	sigset_t set;

	signal(SIGSEGV, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGSEGV);
	_exit(128 + SIGSEGV); /* the first process of a PID namespace does not die of it */
}

/* The program cannot be started. After an execve there is nobody left to return that to. */
static int fail(struct start *s, int status)
{
	if (s->by_execve)
		die_of_segv();
	loader_free(&s->program);
	return status;
}

static int out_of_memory(struct start *s)
{
	diag("out of memory");
	return fail(s, NOT_RUNNABLE);
}

static bool init_memory(const struct start *s)
{
	struct mem_limits limits;
	struct mem_config cfg = {
		.base = s->opt->arena,
		.aslr = !s->opt->no_aslr && !(s->personality & ADDR_NO_RANDOMIZE),
		.seeded = s->opt->seeded || s->opt->deterministic,
		.seed = s->opt->seed,
		.stack_rlimit = UINT64_MAX,
		.task_size = abi_profile->task_size,
	};

	/* An unlimited stack selects the legacy layout, which the personality can ask for too. */
	mem_get_limits(&limits);
	if (!(s->personality & ADDR_COMPAT_LAYOUT))
		cfg.stack_rlimit = limits.stack;
	int err = mem_init(&cfg);
	if (err && s->opt->arena != ILP32RUN_ARENA_ANYWHERE) {
		diag("cannot lay out the guest's address space at %#" PRIxPTR ": %s", s->opt->arena,
		     err == -EEXIST ? "other memory of the emulator lies there" : strerror(-err));
		return false;
	}
	if (err) {
		diag("cannot reserve the 4 GiB guest address space: %s", strerror(-err));
		return false;
	}
	mem_set_listener(cpu_memory_changed);
	return true;
}

/* The name of the program's file changes hands. */
static void fill_process(struct process *p, struct start *s, const struct loader_image *img)
{
	p->exe = s->program.exe;
	s->program.exe = NULL;
	p->personality = s->personality;
	if (img->read_implies_exec)
		p->personality |= READ_IMPLIES_EXEC;
	p->sigreturn = img->sigreturn;
	p->auxv = img->auxv;
	p->auxv_len = img->auxv_len;
	p->arg_start = img->arg_start;
	p->arg_end = img->arg_end;
	p->env_start = img->env_start;
	p->env_end = img->env_end;
}

/* Maps the program and runs it. Returns an exit status if that was not possible. */
static int start(struct start *s)
{
	struct loader_env env = {
		.envp = s->envp, .personality = s->personality, .vdso = vdso_get()};
	struct loader_image img;
	char text[LOADER_TEXT_SIZE] = "";

	task_fd_init(s->by_execve, s->self_fd, s->static_fd);
	device_start();
	if (s->opt->strace) {
		int err = s->trace >= 0 ? strace_adopt(s->trace) : strace_open(s->opt->trace_path);
		if (err) {
			diag("cannot write the trace to %s: %s",
			     s->opt->trace_path ? s->opt->trace_path : "stderr", strerror(-err));
			return fail(s, NOT_RUNNABLE);
		}
	}
	if (s->opt->lint) {
		const char *path = s->opt->lint_path, *format = s->opt->lint_format;
		int err = s->by_execve ? lint_adopt(s->lint, format) : lint_open(path, format);
		if (err) {
			diag("cannot write lint to %s: %s", path ? path : "stderr", strerror(-err));
			return fail(s, NOT_RUNNABLE);
		}
	}
	if (s->opt->inject_upper_garbage)
		sys_inject_upper_garbage();
	gil_init(s->opt, s->family);
	if (!init_memory(s))
		return fail(s, NOT_RUNNABLE);
	if (!cpu_hwcap(s->engine, &env.hwcap, &env.hwcap2)) {
		if (errno == ENOTSUP)
			diag("--cpu=%s: instructions cannot be left out with this library of Unicorn",
			     s->opt->cpu);
		else
			diag("no memory for the engine %s", s->engine->name);
		return fail(s, NOT_RUNNABLE);
	}
	if (cpu_unmet(s->engine)) {
		diag("--cpu=%s: no engine has %s", s->opt->cpu, cpu_unmet(s->engine));
		return fail(s, NOT_RUNNABLE);
	}
	signal_guard_loading();
	if (loader_map(&s->program, &env, &img, text)) {
		diag("%s: killed by SIGSEGV while it was loaded, as the kernel does: %s",
		     s->program.execfn, text);
		die_of_segv();
	}
	struct task *t = task_create_first(s->opt, s->engine);
	if (!t) {
		diag("no memory for the engine %s", s->engine->name);
		return fail(s, NOT_RUNNABLE);
	}
	fill_process(t->process, s, &img);
	exec_set_comm(s->program.execfn);
	task_spare_init();
	task_card_make(t, s->program.fd);
	t->regs.pc = img.entry;
	t->regs.sp = img.sp;
	/* Mapped: its files and headers are not needed any more. */
	loader_free(&s->program);
	if (s->seccomp >= 0 && seccomp_adopt(t, s->seccomp)) {
		diag("cannot take over seccomp filters");
		return fail(s, NOT_RUNNABLE);
	}
	int err = signal_init(t);
	if (err == -EAGAIN) {
		diag("cannot create a thread: the number of processes has reached RLIMIT_NPROC "
		     "(ulimit -u)");
		return fail(s, NOT_RUNNABLE);
	}
	if (err) {
		diag("cannot set up signals: %s", strerror(-err));
		return fail(s, NOT_RUNNABLE);
	}
	int64_t hot_ns = -1;
	if (cpu_engine_is_auto(s->opt->engine, &hot_ns) && !s->opt->deterministic)
		tier_start(s->engine, hot_ns);
	tracee_adopt(t, s->tracee);
	sched_begin(t);
	task_run(t);
}

static bool select_options(struct start *s)
{
	const struct abi_profile *abi;
	char why[ABI_WHY];
	int64_t ns;

	abi = sys_find_profile(s->opt->abi ? s->opt->abi : "modern", why);
	if (!abi) {
		diag("ABI profile: %s", why);
		return false;
	}
	abi_use(abi);
	if (!cpu_model_choose(s->opt->cpu ? s->opt->cpu : "max", why)) {
		diag("--cpu: %s", why);
		return false;
	}
	s->engine = cpu_engine_find(s->opt->engine);
	if (!s->engine) {
		diag("no engine \"%s\"; there are: %s", s->opt->engine, option_engines());
		return false;
	}
	if (s->opt->deterministic &&
	    (s->engine->parallel || (s->opt->engine && cpu_engine_is_auto(s->opt->engine, &ns)))) {
		diag("--deterministic needs an engine that runs one thread at a time: unicorn");
		return false;
	}
	return true;
}

const char *ilp32run_engines(void)
{
	return option_engines();
}

const char *ilp32run_abis(void)
{
	return abi_profile_names();
}

bool ilp32run_print_abi(const char *abi, const char *other, bool csv)
{
	char why[ABI_WHY];
	const struct abi_profile *a = abi ? sys_find_profile(abi, why) : NULL;
	const struct abi_profile *b = other ? sys_find_profile(other, why) : NULL;
	struct abi_view view;

	if ((abi && !a) || (other && (!b || !a))) {
		errno = EINVAL;
		return false;
	}
	abi_view_init(&view, a, b);
	return abi_report_print(stdout, &view, csv ? ABI_TABLE_CSV : ABI_TABLE_TEXT) == 0;
}

/* ARGV with argv[0] as the options want it: a malloc'ed vector, or NULL when out of memory. */
static char **build_argv(const struct ilp32run_options *opt, char *const argv[])
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	char **v = malloc((n + 1) * sizeof *v);
	if (!v)
		return NULL;
	for (size_t i = 0; i <= n; i++)
		v[i] = argv ? argv[i] : NULL;
	if (opt->argv0 && n)
		v[0] = (char *)(uintptr_t)opt->argv0; /* read only */
	return v;
}

int ilp32run_exec(const struct ilp32run_options *opt, const char *path, char *const argv[],
		  char *const envp[])
{
	struct start s = {.opt = opt,
			  .envp = envp,
			  .trace = -1,
			  .family = -1,
			  .lint = -1,
			  .seccomp = -1,
			  .program = NO_PROGRAM};
	const char *text;

	diag_init();
	if (!select_options(&s))
		return NOT_RUNNABLE;
	if (!cpu_engine_load(s.engine, &text)) {
		diag("engine %s: %s", s.engine->name, text);
		return USAGE_ERROR;
	}
	task_limits_init(NULL);
	s.personality = (uint32_t)personality(0xffffffff);
	if (opt->no_aslr)
		s.personality |= ADDR_NO_RANDOMIZE;
	char **v = build_argv(opt, argv);
	if (!v)
		return out_of_memory(&s);
	loader_open(&s.program, AT_FDCWD, path, v, 0, opt->sysroot);
	free(v);
	if (s.program.kind == LOADER_HOST) {
		const char *interp = s.program.script_interp;

		diag("%s:%s%s is not an AArch64 ILP32 program, but one that the host runs itself",
		     path, interp ? " #! interpreter " : "", interp ? interp : "");
		return fail(&s, NOT_RUNNABLE);
	}
	if (s.program.kind == LOADER_ERROR) {
		diag("%s: %s", path, s.program.text);
		return fail(&s, s.program.err == ENOENT ? NOT_FOUND : NOT_RUNNABLE);
	}
	int err = loader_check_args(&s.program, envp);
	if (err) {
		diag("%s: %s", path, strerror(-err));
		return fail(&s, NOT_RUNNABLE);
	}
	return start(&s);
}

int ilp32run_resume(char *argv[])
{
	/* Options and vectors are used as long as the program runs. */
	static struct exec_state state;
	struct start s = {.opt = &state.opt, .by_execve = true, .program = NO_PROGRAM};
	int r = exec_state_take(&state, argv);
	const char *text;

	if (r == 0)
		return 0;
	diag_init();
	if (r < 0) {
		diag(EXEC_STATE_VARIABLE " is set, but not by ilp32run: ignored");
		return 0;
	}
	if (!cpu_engine_find(state.opt.engine) ||
	    !cpu_engine_load(cpu_engine_find(state.opt.engine), &text)) {
		/* The form of the emulator that can run here lacks it. */
		diag("engine %s cannot be loaded after a change of the root directory: going on "
		     "with another one",
		     state.opt.engine);
		state.opt.engine = NULL;
	}
	if (!select_options(&s))
		return fail(&s, NOT_RUNNABLE);
	s.envp = state.envp;
	s.personality = state.personality;
	s.self_fd = state.self_fd;
	s.static_fd = state.static_fd;
	s.trace = state.trace;
	s.family = state.family;
	s.lint = state.lint;
	s.seccomp = state.seccomp;
	s.tracee = state.tracee;
	/* The guest's table may be full. */
	task_spare_begin();
	task_limits_init(state.limit);
	task_limits_narrow(state.host_stack);
	loader_open(&s.program, state.program_fd, "", state.argv, AT_EMPTY_PATH, state.opt.sysroot);
	task_spare_end();
	close(state.program_fd);
	if (s.program.kind != LOADER_ILP32) {
		diag("%s: %s", state.execfn, s.program.text);
		return fail(&s, NOT_RUNNABLE);
	}
	/* Names that only the caller of execve could find out. */
	free(s.program.execfn);
	s.program.execfn = strdup(state.execfn);
	free(s.program.exe);
	s.program.exe = strdup(state.exe);
	if (!s.program.execfn || !s.program.exe)
		return out_of_memory(&s);
	return start(&s);
}
