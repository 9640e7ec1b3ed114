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
#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "task/task.h"

#define MAX_LINKS 40 /* as the kernel: MAXSYMLINKS */

static const char *sysroot(void)
{
	return task_self->process->opt->sysroot;
}

/* OUT = sysroot + PATH. False if that is too long. */
static bool prefixed(char *out, const char *root, const char *path)
{
	size_t r = strlen(root);

	while (r && root[r - 1] == '/')
		r--;
	return snprintf(out, PATH_MAX, "%.*s%s", (int)r, root, path) < PATH_MAX;
}

/*
 * The file that the absolute name PATH means below ROOT. A final link with an absolute target (a
 * sysroot is full of them: /lib/ld-musl... -> /lib/libc.so) means a name below ROOT again. False if
 * there is no such file.
 */
static bool below(char *out, const char *root, const char *path, bool follow)
{
	char target[PATH_MAX];

	for (unsigned links = 0; links <= MAX_LINKS; links++) {
		if (!prefixed(out, root, path))
			return false;
		if (!follow)
			return sys_host(HOSTNR(faccessat2), AT_FDCWD, out, F_OK,
					AT_SYMLINK_NOFOLLOW) == 0;
		int64_t n = sys_host(HOSTNR(readlinkat), AT_FDCWD, out, target, sizeof(target) - 1);
		if (n <= 0 || target[0] != '/')
			return sys_host(HOSTNR(faccessat), AT_FDCWD, out, F_OK) == 0;
		target[n] = '\0';
		path = target;
	}
	return false;
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
	if (below(out, root, name, use == PATH_LOOKUP))
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
