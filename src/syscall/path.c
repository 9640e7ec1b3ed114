/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest file names. With -L SYSROOT an absolute name is looked up below SYSROOT first, so that a
 * guest finds its own libraries and data under their ordinary names; what is not there is the host's.
 * Names that are created, removed or renamed are always the host's: a program must not change its
 * sysroot by accident.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ilp32run/ilp32run.h"
#include "loader/sysroot.h"
#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "task/task.h"

static const char *sysroot(void)
{
	return task_self->process->opt->sysroot;
}

/* Translates the N bytes and NUL at IN, which may be OUT. */
static int resolve(char *out, const char *in, size_t n, enum path_use use)
{
	char name[PATH_MAX];
	const char *root = sysroot();

	if (in[0] != '/' || use == PATH_CREATE || !root) {
		if (in != out)
			memcpy(out, in, n + 1);
		return 0;
	}
	memcpy(name, in, n + 1);
	if (sysroot_find(out, root, name, use == PATH_LOOKUP))
		return 0;
	memcpy(out, name, n + 1);
	return 0;
}

int path_resolve(char *out, const char *in, enum path_use use)
{
	size_t n = strlen(in);

	return n < PATH_MAX ? resolve(out, in, n, use) : -ENAMETOOLONG;
}

int path_translate(char *out, gaddr g, enum path_use use)
{
	int64_t n = mem_copy_str(out, g, PATH_MAX);

	return n < 0 ? (int)n : resolve(out, out, (size_t)n, use);
}

/* No NUL within the limit: whatever takes a name refuses it with ENAMETOOLONG. */
static const char too_long[PATH_MAX] = {[0 ... PATH_MAX - 1] = 'x'};

uint64_t path_to_host(char *out, gaddr g, enum path_use use)
{
	switch (path_translate(out, g, use)) {
	case 0: return (uint64_t)(uintptr_t)out;
	case -ENAMETOOLONG: return (uint64_t)(uintptr_t)too_long;
	default: return SYS_BAD_POINTER;
	}
}
