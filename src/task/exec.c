/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loader/loader.h"
#include "options.h"
#include "signal/restart.h"
#include "syscall/observe.h"
#include "syscall/seccomp.h"
#include "task/internal.h"
#include "trace/trace.h"

/* --- the state on its way ------------------------------------------------------------------------- */

/* Behind the numbers: a string for each option that is kept, in the order of the table; AT_EXECFN;
 * /proc/self/exe; resource limits; then the guest's environment. */

/* The first byte of a string: it keeps names from being variables, and tells NULL from "". */
enum { MARK_STRING = '@', MARK_NULL = '-' };
/* A string that would be too long with it: one of its first byte, and the rest. */
enum { MARK_FIRST = '+' };

/* program_fd self_fd static_fd trace lint seccomp family tracee personality host_stack argc envc */
#define STATE_WRITE "%d,%d,%d,%d,%d,%d,%d,%" PRIx32 ",%" PRIx32 ",%" PRIx64 ",%zx,%zx"
#define STATE_READ  "%d,%d,%d,%d,%d,%d,%d,%" SCNx32 ",%" SCNx32 ",%" SCNx64 ",%zx,%zx%n"
enum { STATE_NUMBERS = 12, STATE_SIZE = 200, NAMES = 3 };

struct exec_job {
	struct loader_program program;
	char **argv, **envp; /* the caller's */
	char **host_env;
	char *block;         /* the strings of host_env that are new */
	uint64_t host_stack; /* of task_limits_widen() */
};

static size_t vector_length(char *const *v)
{
	size_t n = 0;

	while (v[n])
		n++;
	return n;
}

static char *mark_string(char **at, const char *s)
{
	char *start = *at;

	*start = s ? MARK_STRING : MARK_NULL;
	*at = stpcpy(start + 1, s ? s : "") + 1;
	return start;
}

static bool too_long_to_mark(const char *s)
{
	return strlen(s) + 2 > LOADER_STRING_MAX;
}

/* The host strings for a guest string: where they lie, in *V, and how many. */
static size_t mark_guest_string(char **v, char **at, const char *s)
{
	if (!too_long_to_mark(s)) {
		v[0] = mark_string(at, s);
		return 1;
	}
	v[0] = *at;
	*(*at)++ = MARK_FIRST;
	*(*at)++ = s[0];
	*(*at)++ = '\0';
	v[1] = mark_string(at, s + 1);
	return 2;
}

/* Back again, N of them at V, in place; false if they are none. */
static bool unmark_guest_strings(char **v, size_t n)
{
	char **to = v;

	for (size_t i = 0; i < n; i++) {
		char first = v[i][0] == MARK_FIRST && i + 1 < n ? v[i++][1] : '\0';

		if (v[i][0] != MARK_STRING)
			return false;
		v[i][0] = first;
		*to++ = first ? v[i] : v[i] + 1;
	}
	*to = NULL;
	return true;
}

static size_t kept_options(void)
{
	size_t n = 0;

	for (size_t i = 0; i < option_count; i++)
		n += option_rows[i].kept;
	return n;
}

static bool build_host_env(struct exec_job *job, const struct task *t, int trace, int lint,
			   int seccomp, int family)
{
	const struct ilp32run_options *o = t->process->opt;
	size_t ours = vector_length(environ), envc = 0;
	size_t strings = kept_options() + NAMES, size = STATE_SIZE;
	char text[OPTION_TEXT], limits[TASK_LIMITS_TEXT];

	task_limits_write(t->process, limits);
	for (size_t i = 0; i < option_count; i++) {
		const char *s = option_rows[i].kept ? option_get(o, &option_rows[i], text) : NULL;

		size += 2 + (s ? strlen(s) : 0);
	}
	size += 2 + strlen(job->program.execfn) + 2 + strlen(job->program.exe) + 2 + strlen(limits);
	for (char **s = job->envp; *s; s++) {
		envc += 1 + too_long_to_mark(*s);
		size += 5 + strlen(*s);
	}
	job->block = malloc(size);
	job->host_env = malloc((ours + 1 + strings + envc + 1) * sizeof *job->host_env);
	if (!job->block || !job->host_env)
		return false;

	char **v = job->host_env, *at = job->block;
	memcpy(v, environ, ours * sizeof *v);
	v += ours;
	*v++ = at;
	at += 1 + snprintf(at, STATE_SIZE, EXEC_STATE_VARIABLE "=" STATE_WRITE, job->program.fd,
			   task_fd_self_exe(), task_fd_static_exe(), trace, lint, seccomp, family,
			   tracee_hand_over(t), t->process->personality, job->host_stack,
			   vector_length(job->program.argv), envc);
	for (size_t i = 0; i < option_count; i++) {
		if (option_rows[i].kept)
			*v++ = mark_string(&at, option_get(o, &option_rows[i], text));
	}
	*v++ = mark_string(&at, job->program.execfn);
	*v++ = mark_string(&at, job->program.exe);
	*v++ = mark_string(&at, limits);
	for (char **s = job->envp; *s; s++)
		v += mark_guest_string(v, &at, *s);
	*v = NULL;
	return true;
}

/* The text of a marked string; false if S is none. */
static bool unmark(const char **to, const char *s)
{
	if (!s || (s[0] != MARK_STRING && s[0] != MARK_NULL))
		return false;
	*to = s[0] == MARK_STRING ? s + 1 : NULL;
	return true;
}

/* Takes the options from the strings at *V and moves it behind them. */
static bool parse_options(struct ilp32run_options *o, char ***v)
{
	char why[256];
	const char *text;

	ilp32run_options_init(o);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *r = &option_rows[i];

		if (!r->kept)
			continue;
		if (!unmark(&text, *(*v)++))
			return false;
		if (!text)
			continue;
		/* A name may be unknown to the executable that goes on: that is not for here. */
		if (r->known)
			*(const char **)((char *)o + r->field) = text;
		else if (!option_set(o, r, r->optional && !*text ? NULL : text, why))
			return false;
	}
	return true;
}

static int parse_state(struct exec_state *s, const char *numbers, char **v, char **argv)
{
	size_t argc, envc, real_argc = vector_length(argv);
	const char *limits;
	int end;

	if (sscanf(numbers, STATE_READ, &s->program_fd, &s->self_fd, &s->static_fd, &s->trace,
		   &s->lint, &s->seccomp, &s->family, &s->tracee, &s->personality, &s->host_stack,
		   &argc, &envc, &end) != STATE_NUMBERS ||
	    numbers[end])
		return -EINVAL;
	if (argc > real_argc || vector_length(v) != kept_options() + NAMES + envc)
		return -EINVAL;
	if (!parse_options(&s->opt, &v) || !unmark(&s->execfn, *v++) || !unmark(&s->exe, *v++) ||
	    !unmark(&limits, *v++) || !limits || !task_limits_read(s->limit, limits))
		return -EINVAL;
	s->envp = v;
	if (!unmark_guest_strings(v, envc))
		return -EINVAL;
	/* Newer host kernels make an empty vector one empty string. */
	argv[argc] = NULL;
	s->argv = argv;
	return s->execfn && s->exe ? 0 : -EINVAL;
}

int exec_state_take(struct exec_state *s, char **argv)
{
	static const char name[] = EXEC_STATE_VARIABLE "=";

	for (char **v = environ; *v; v++) {
		if (strncmp(*v, name, sizeof name - 1) == 0) {
			const char *numbers = *v + sizeof name - 1;
			int err = parse_state(s, numbers, v + 1, argv);
			/* What is before it is the emulator's own environment. */
			*v = NULL;
			return err ? err : 1;
		}
	}
	return 0;
}

void exec_set_comm(const char *execfn)
{
	const char *slash = strrchr(execfn, '/');

	/* The kernel cuts it to 15 bytes itself. */
	prctl(PR_SET_NAME, slash ? slash + 1 : execfn, 0, 0, 0);
}

/* --- execve --------------------------------------------------------------------------------------- */

static void free_vector(char **v)
{
	for (char **s = v; s && *s; s++)
		free(*s);
	free(v);
}

void exec_job_free(struct exec_job *job)
{
	/* Also runs in a vfork parent, whose descriptor table is another one. */
	job->program.fd = -1;
	job->program.interp_fd = -1;
	loader_free(&job->program);
	free_vector(job->argv);
	free_vector(job->envp);
	free(job->host_env);
	free(job->block);
	free(job);
}

static void set_cloexec(int fd, bool on)
{
	fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0);
}

/*
 * Nothing has been changed so far that another thread or the guest could see. The memory that a process
 * shares is released by its lender, when the host's execve has succeeded (task/vm.c). Else only robust locks
 * in shared mappings outlive it, and nobody is left then to mark them: they are marked before.
 */
static void point_of_no_return(struct task *t, struct exec_job *job, struct task_robust *robust)
{
	sys_observe_execve(t);
	t->exec = job;
	/* Those of which the guest knows that they have ended have their own status, not the one of a thread that is
	 * ended by this. */
	if (!t->process->shares_memory)
		task_reap_threads();
	if (!t->process->shares_memory)
		task_robust_exit(t, robust);
	signal_reset_for_exec(t);
}

/* The host refused it after all. */
static void point_of_return(struct task *t, const struct task_robust *robust)
{
	t->exec = NULL;
	if (!t->process->shares_memory)
		task_robust_undo(t, robust);
}

/* Both forms are for the new image as well; unless it comes to that, for nobody else. */
static void hand_on_executables(bool on)
{
	if (task_fd_self_exe() >= 0)
		set_cloexec(task_fd_self_exe(), !on);
	if (task_fd_static_exe() >= 0)
		set_cloexec(task_fd_static_exe(), !on);
}

/*
 * The statically linked form needs no file of the host's, so it works after chroot(2) and below whatever was
 * mounted over the libraries. It has no loadable engines: who uses one or may come to it gets the other form as
 * long as the root directory is the one that it was started in, where its libraries are, and there is a descriptor
 * number to open them with.
 */
static int self_execve(struct task *t, struct exec_job *job)
{
	char empty[] = "";
	char *no_argv[] = {empty, NULL};
	char **argv = job->program.argv[0] ? job->program.argv : no_argv;
	int forms[] = {task_fd_static_exe(), task_fd_self_exe()};
	bool module = (t->process->engine->module || tier_is_on()) && task_fd_can_load();
	struct task_robust robust;
	int err = -ENOENT;

	set_cloexec(job->program.fd, false);
	hand_on_executables(true);
	point_of_no_return(t, job, &robust);
	for (int i = 0; i < 2 && err == -ENOENT; i++) {
		int fd = forms[module ? 1 - i : i];

		if (fd < 0)
			continue;
		syscall(SYS_execveat, fd, "", argv, job->host_env, AT_EMPTY_PATH);
		err = -errno;
	}
	point_of_return(t, &robust);
	hand_on_executables(false);
	return err;
}

static int exec_ilp32(struct task *t, struct exec_job *job)
{
	if (task_fd_self_exe() < 0 && task_fd_static_exe() < 0) {
		diag_unsupported("execve", 1, "execve: the emulator cannot open its own program");
		return -ENOENT;
	}
	task_spare_begin();
	int filters = seccomp_hand_over(t);
	task_spare_end();
	if (filters < -1)
		return filters;
	int trace = strace_enabled() ? strace_handover() : -1;
	int lint = lint_handover(true);
	if (filters >= 0)
		set_cloexec(filters, false);
	int family = sched_leave(t);
	if (family >= 0)
		set_cloexec(family, false);
	job->host_stack = task_limits_widen();
	int err = build_host_env(job, t, trace, lint, filters, family) ? self_execve(t, job)
								       : -ENOMEM;
	task_limits_narrow(job->host_stack);
	if (family >= 0)
		set_cloexec(family, true);
	if (trace >= 0)
		strace_handover_undo();
	lint_handover(false);
	if (filters >= 0)
		close(filters);
	return err;
}

/* A program of the host kernel gets the guest's arguments and environment as they are. It is executed by
 * the name under which the loader found it: below a sysroot that need not be PATH. */
static int exec_host(struct task *t, struct exec_job *job, int dfd, const char *path, int flags)
{
	/* The names that the loader put into a script's argv are those that the host can find. */
	bool script = vector_length(job->program.argv) != vector_length(job->argv);

	struct task_limit before[TASK_LIMITS];
	struct task_robust robust;

	if (t->seccomp.mode) {
		diag_unsupported(
			"execve", 2,
			"execve: %s is a program of the host, which seccomp filters cannot watch: EPERM",
			job->program.path);
		return -EPERM;
	}
	point_of_no_return(t, job, &robust);
	task_limits_give(t->process, before);
	if (script)
		syscall(SYS_execve, job->program.path, job->program.argv, job->envp);
	else if (dfd == AT_FDCWD)
		syscall(SYS_execve, job->program.path, job->argv, job->envp);
	else
		syscall(SYS_execveat, dfd, path, job->argv, job->envp, flags);
	int err = -errno;
	task_limits_take_back(before);
	point_of_return(t, &robust);
	return err;
}

static int64_t exec_checked(struct task *t, struct exec_job *job, int dfd, const char *path,
			    const char *name, int flags)
{
	struct loader_program *p = &job->program;
	int64_t r;

	task_spare_begin();
	loader_open(p, dfd, path, job->argv, flags, t->process->opt->sysroot);
	task_spare_end();
	if (p->kind == LOADER_ERROR) {
		if (p->setid)
			diag_unsupported("execve", 0, "execve: %s: %s", path, p->text);
		return -p->err;
	}
	/* bprm->filename is what was asked for; below a descriptor it is a made-up name. */
	if (dfd == AT_FDCWD || name[0] == '/') {
		free(p->execfn);
		p->execfn = strdup(name);
		if (!p->execfn)
			return -ENOMEM;
	}
	r = loader_check_args(p, job->envp);
	if (r)
		return r;
	if (signal_block(t)) {
		signal_unblock(t);
		return -ERESTARTNOINTR_;
	}
	r = p->kind == LOADER_ILP32 ? exec_ilp32(t, job) : exec_host(t, job, dfd, path, flags);
	signal_unblock(t);
	return r;
}

int64_t task_exec(struct task *t, int dfd, const char *path, const char *name, char **argv,
		  char **envp, int flags)
{
	struct exec_job *job = calloc(1, sizeof *job);

	if (!job) {
		free_vector(argv);
		free_vector(envp);
		return -ENOMEM;
	}
	job->argv = argv;
	job->envp = envp;
	int64_t r = exec_checked(t, job, dfd, path, name, flags);
	if (job->program.fd >= 0)
		close(job->program.fd);
	if (job->program.interp_fd >= 0)
		close(job->program.interp_fd);
	task_spare_end();
	exec_job_free(job);
	return r;
}
