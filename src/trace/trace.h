/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user is told: diagnostics, strace output, the report of unsupported things. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sys_call;

/* --- diagnostics (trace/diag.c) ------------------------------------------------------------------ */

/* Remembers what stderr is, before the guest can change it. */
void diag_init(void);
/* "ilp32run: " + one line on stderr, in one write(2). */
void diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same, once per distinct KIND:KEY ("syscall", 425) and FMT: something unsupported that the guest used.
 * Counted for diag_report(). After some hundreds one last line says that there is more. KIND and FMT are
 * static. Async-signal-safe: no. */
void diag_unsupported(const char *kind, uint64_t key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* For what a kernel may lack, so that programs ask for it and do without: only counted for diag_report(). */
void diag_left_out(const char *kind, uint64_t key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* --report: every unsupported thing with its count, at exit. Nothing if there was none. */
void diag_report(void);

/* N bytes of TEXT as they are, under the same condition as diag(). */
void diag_text(const char *text, size_t n);
/* Writes all of TEXT to FD; no signal comes of it (trace/write.c). 0 or a positive errno. */
int trace_write(int fd, const char *text, size_t n);

/* --- crash report (trace/crash.c) ------------------------------------------------------------------ */

struct task;
struct host_siginfo;
/* Tells on stderr, if that is wished, of what T's process dies: a fault of its own, or abort(3). The other
 * threads stand still. */
void crash_report(struct task *t, const struct host_siginfo *info);

/* --- strace (trace/strace.c) ---------------------------------------------------------------------- */

/* Opens the output (NULL: stderr), and observes all calls from now on: arguments that the kernel reads are formatted
 * before a call, written ones behind it, and a line is written in one piece then; calls that do not return
 * (exit_group, execve) have it at entry. 0 or -errno. */
int strace_open(const char *path);
bool strace_enabled(void);
/* The new image of an execve goes on with the same output: a number to give to its strace_adopt();
 * the descriptor survives the host execve, unless _undo(). -1: no output is open. */
int strace_handover(void);
void strace_handover_undo(void);
int strace_adopt(int handed); /* 0 or -errno */
/* A signal was delivered or killed the process: "--- SIGCHLD {si_signo=SIGCHLD, ...} ---". */
void strace_signal(int signo, const void *host_siginfo);
#define STRACE_CORE 0x80                           /* to be added to VALUE if SIGNALED */
void strace_exit_status(bool signaled, int value); /* "+++ exited with 0 +++" */

/* --- lint (trace/lint.c) -------------------------------------------------------------------------- */

/* Observes all calls for what breaks elsewhere. The lines go to PATH (NULL: stderr), as FORMAT says ("text",
 * "json", NULL: text). 0 or -errno. */
int lint_open(const char *path, const char *format);
/* The same in the new image of an execve, with what lint_handover() gave. */
int lint_adopt(int handed, const char *format);
/* ON: the output's descriptor survives a host execve, until it is called again without. -1: there is none. */
int lint_handover(bool on);

/* "EAGAIN" for 11; "SIGINT" for 2 (real-time: "SIGRT_3"). Static strings or in BUF. */
const char *trace_errno_name(int err);
const char *trace_signal_name(int signo, char buf[16]);

#endif
