/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execve of an ILP32 program is a host execve of the emulator itself. So everything that execve
 * keeps, drops or resets is done by the host kernel: close-on-exec, signal mask and pending signals,
 * ignored dispositions, timers, the death of other threads, the release of a vfork parent.
 *
 * The host argv of the new image is the guest's, so that ps shows the guest's command line. Its host
 * environment is the emulator's own, and behind it what the new image has to know: the variable
 * EXEC_STATE_VARIABLE with numbers, then strings of one mark and the text: options (src/options.h), AT_EXECFN,
 * the name behind /proc/self/exe, resource limits, and the guest's environment. The dynamic linker sees none of the guest's variables by their names.
 */
#ifndef TASK_EXEC_H
#define TASK_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "ilp32run/ilp32run.h"
#include "task/limits.h"

#define EXEC_STATE_VARIABLE "ILP32RUN_EXEC_STATE"

/* What the new image reads; pointers go into its own initial stack. */
struct exec_state {
	struct ilp32run_options opt;
	char **argv, **envp;
	const char *execfn, *exe;
	uint32_t personality;
	int program_fd;  /* open on the final image */
	int self_fd;     /* task_fd_self_exe() */
	int static_fd;   /* task_fd_static_exe() */
	int trace;       /* for strace_adopt(); -1: none */
	int lint;        /* for lint_adopt() */
	uint32_t tracee; /* for tracee_adopt() */
	int seccomp;     /* for seccomp_adopt(); -1: none */
	int family;      /* for gil_init(); -1: none */
	struct task_limit limit[TASK_LIMITS];
	uint64_t host_stack; /* for task_limits_narrow() */
};

/*
 * If this process was started by such an execve: takes the state out of the environment. ARGV is
 * main's. 1: it was; 0: it was not; -EINVAL: the variable is there, but not as exec.c writes it.
 */
int exec_state_take(struct exec_state *s, char **argv);

/* The name that the kernel gives a task after execve: the last component of AT_EXECFN. */
void exec_set_comm(const char *execfn);

#endif
