/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line a system call, as strace writes it: name(arguments) = result. A line is written in one
 * piece when the call is done, so lines of several tasks never mix, and there is no "<unfinished>".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signal/restart.h"
#include "syscall/observe.h"
#include "task/task.h"
#include "trace/strace.h"
#include "trace/trace.h"

#define RESULT_COLUMN 40
#define ARROW         " => "
#define ARROW_LEN     (sizeof(ARROW) - 1)
#define ARGS_SIZE     6144
#define LINE_SIZE     (2 * ARGS_SIZE)

static int out_fd = -1;
/* Another task exists or existed, so that lines need to say whose they are. */
static atomic_bool several;

/* The call in flight of this thread: the texts that its arguments had at entry. */
static _Thread_local struct {
	const struct sys_call *pending;
	bool has[SYS_MAX_ARGS];
	size_t start[SYS_MAX_ARGS + 1];
	char text[ARGS_SIZE];
} entry;

bool strace_enabled(void)
{
	return out_fd >= 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void begin(struct text *t, char *buf, size_t size)
{
	*t = (struct text){.buf = buf, .cap = size - 1}; /* room for the newline */
	buf[0] = '\0';
	if (atomic_load(&several))
		text_printf(t, "[pid %5ld] ", syscall(SYS_gettid));
}

static void end(struct text *t)
{
	static atomic_bool told;

	t->buf[t->len++] = '\n';
	int err = trace_write(out_fd, t->buf, t->len);

	/* A full disk must not stop the guest. */
	if (err && !atomic_exchange(&told, true))
		diag("the trace is incomplete: %s", strerror(err));
}

static void pad_to_result(struct text *t, size_t from)
{
	while (t->len - from < RESULT_COLUMN - 1)
		text_str(t, " ");
	text_str(t, " = ");
}

/* --- results ---------------------------------------------------------------------------------- */

static const struct {
	int code;
	const char *text;
} restarts[] = {
	{ERESTARTSYS_, "? ERESTARTSYS (To be restarted if SA_RESTART is set)"},
	{ERESTARTNOINTR_, "? ERESTARTNOINTR (To be restarted)"},
	{ERESTARTNOHAND_, "? ERESTARTNOHAND (To be restarted if no handler)"},
	{ERESTART_RESTARTBLOCK_, "? ERESTART_RESTARTBLOCK (Interrupted by signal)"},
};

static void put_result(struct text *t, const struct sys_call *c, int64_t r)
{
	for (unsigned i = 0; i < sizeof(restarts) / sizeof(restarts[0]); i++) {
		if (r == -restarts[i].code) {
			text_str(t, restarts[i].text);
			return;
		}
	}
	if (r == -ERESTART_NONE_) {
		text_str(t, "?");
	} else if (r < 0 && r >= -4095) {
		text_printf(t, "-1 %s (%s)", trace_errno_name((int)-r), strerror((int)-r));
	} else if (!strace_special_result(t, c, r)) {
		switch ((enum sys_result)c->row->result) {
		case SYS_R_ADDR:
		case SYS_R_HEX: text_printf(t, r ? "%#llx" : "%llx", (unsigned long long)r); break;
		case SYS_R_NONE: text_str(t, "?"); break;
		default: text_printf(t, "%lld", (long long)r); break;
		}
	}
}

/* --- calls ------------------------------------------------------------------------------------- */

/* An argument that was read and written is shown twice if it has changed: [0] => [5]. */
static void write_arg(struct text *t, const struct sys_call *c, const struct sys_arg *a, unsigned i,
		      const int64_t *result)
{
	const char *before = entry.text + entry.start[i];
	size_t n = entry.start[i + 1] - entry.start[i], after;

	text_printf(t, "%.*s", (int)n, before);
	if (!result)
		return;
	after = t->len;
	if (n)
		text_str(t, ARROW);
	strace_arg_after(t, c, a, i, *result);
	if (n &&
	    (t->len == after + ARROW_LEN || (t->len == after + ARROW_LEN + n &&
					     strncmp(t->buf + after + ARROW_LEN, before, n) == 0)))
		t->buf[t->len = after] = '\0';
}

/* RESULT NULL: the call will not return. */
static void write_call(const struct sys_call *c, const int64_t *result)
{
	char buf[LINE_SIZE];
	struct sys_arg arg;
	struct text t;
	bool any = false;
	size_t from;

	begin(&t, buf, sizeof(buf));
	from = t.len;
	if (c->row->name)
		text_printf(&t, "%s(", c->row->name);
	else
		text_printf(&t, "syscall_%#x(", c->nr);
	for (unsigned i = 0; sys_arg_in(c, i, &arg); i++) {
		if (!entry.has[i])
			continue;
		if (any)
			text_str(&t, ", ");
		write_arg(&t, c, &arg, i, result);
		any = true;
	}
	text_str(&t, ")");
	pad_to_result(&t, from);
	if (result)
		put_result(&t, c, *result);
	else
		text_str(&t, c->row->result == SYS_R_NONE ? "?" : "0");
	end(&t);
	entry.pending = NULL;
}

static void format_entry(const struct sys_call *c)
{
	struct text t = {.buf = entry.text, .cap = sizeof(entry.text)};
	struct sys_arg arg;

	for (unsigned i = 0; sys_arg_in(c, i, &arg); i++) {
		entry.start[i] = t.len;
		entry.has[i] = strace_has_arg(c, &arg, i);
		if (entry.has[i])
			strace_arg_before(&t, c, &arg, i);
		entry.start[i + 1] = t.len;
	}
	entry.pending = c;
}

static void enter(const struct sys_call *c)
{
	format_entry(c);
	if (c->row->result == SYS_R_NONE && c->row->status == SYS_DONE)
		write_call(c, NULL);
}

/* A new task: from now on each line says whose it is. */
static void exit_of_clone(const struct sys_call *c, int64_t result)
{
	if (result > 0) {
		/* A child that shares memory may have used this thread's entry. */
		format_entry(c);
		write_call(c, &result);
	}
	atomic_store(&several, true);
}

static void leave(const struct sys_call *c, int64_t result)
{
	if (c->row->result == SYS_R_PID && c->row->full_state && result >= 0)
		exit_of_clone(c, result);
	else if (entry.pending)
		write_call(c, &result);
}

/* An execve succeeds, as far as can be known: its line is written now. If it fails after all, leave() writes a
 * second one. */
static void replaced(struct task *t)
{
	(void)t;
	if (entry.pending)
		write_call(entry.pending, NULL);
}

/* --- start ------------------------------------------------------------------------------------------ */

static const struct sys_observer observer = {enter, leave, replaced, NULL};

static int begin_output(int fd)
{
	fd = task_fd_hide(fd);
	if (fd < 0)
		return fd;
	out_fd = fd;
	sys_observe(&observer);
	return 0;
}

int strace_open(const char *path)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)
		      : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? -errno : begin_output(fd);
}

/* --- execve --------------------------------------------------------------------------------------- */

/* Above any descriptor number. */
#define SEVERAL_BIT (1 << 30)

int strace_handover(void)
{
	if (out_fd < 0)
		return -1;
	fcntl(out_fd, F_SETFD, 0);
	return out_fd | (atomic_load(&several) ? SEVERAL_BIT : 0);
}

void strace_handover_undo(void)
{
	if (out_fd >= 0)
		fcntl(out_fd, F_SETFD, FD_CLOEXEC);
}

int strace_adopt(int handed)
{
	int fd = handed & ~SEVERAL_BIT;

	if (handed < 0 || fcntl(fd, F_GETFD) < 0)
		return -EBADF;
	int err = begin_output(fd);

	if (err)
		return err;
	atomic_store(&several, (handed & SEVERAL_BIT) != 0);
	return 0;
}

/* --- signals and ends ----------------------------------------------------------------------------- */

void strace_signal(int signo, const void *host_siginfo)
{
	char buf[512], name[16];
	struct text t;

	if (out_fd < 0)
		return;
	begin(&t, buf, sizeof(buf));
	text_printf(&t, "--- %s ", trace_signal_name(signo, name));
	if (host_siginfo)
		strace_siginfo(&t, host_siginfo);
	text_str(&t, " ---");
	end(&t);
}

void strace_exit_status(bool signaled, int value)
{
	char buf[128], name[16];
	struct text t;

	if (out_fd < 0)
		return;
	begin(&t, buf, sizeof(buf));
	if (signaled)
		text_printf(&t, "+++ killed by %s%s +++",
			    trace_signal_name(value & ~STRACE_CORE, name),
			    value & STRACE_CORE ? " (core dumped)" : "");
	else
		text_printf(&t, "+++ exited with %d +++", value);
	end(&t);
}
