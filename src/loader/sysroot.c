/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loader/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel: MAXSYMLINKS */

static size_t root_length(const char *root)
{
	size_t n = strlen(root);

	while (n && root[n - 1] == '/')
		n--;
	return n;
}

/* OUT = ROOT + PATH. False if that is too long. */
static bool prefixed(char *out, const char *root, const char *path)
{
	return snprintf(out, PATH_MAX, "%.*s%s", (int)root_length(root), root, path) < PATH_MAX;
}

/* Without a look at the directories on the way: whatever has no absolute link there. */
static bool plain(char *out, const char *root, const char *path, bool follow)
{
	char target[PATH_MAX];

	for (unsigned links = 0; links <= MAX_LINKS; links++) {
		if (!prefixed(out, root, path))
			return false;
		if (!follow)
			return faccessat(AT_FDCWD, out, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
		ssize_t n = readlink(out, target, sizeof target - 1);
		if (n <= 0 || target[0] != '/')
			return access(out, F_OK) == 0;
		target[n] = '\0';
		path = target;
	}
	return false;
}

/* The kernel walks, with ROOT as root directory (openat2, Linux 5.6). */
static bool walk(char *out, const char *root, const char *path, bool follow)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW),
			       .resolve = RESOLVE_IN_ROOT};
	char link[32];
	ssize_t n;
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (dir < 0)
		return false;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
	close(dir);
	if (fd < 0)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX - 1);
	close(fd);
	if (n <= 0)
		return false;
	out[n] = '\0';
	return out[0] == '/';
}

/* Whether the first directory of PATH is below ROOT at all: most names that are not found there fail here. */
static bool begins_in(const char *root, const char *path)
{
	char out[PATH_MAX];
	size_t skip = strspn(path, "/"), n = skip + strcspn(path + skip, "/");

	return path[n] &&
	       snprintf(out, sizeof out, "%.*s%.*s", (int)root_length(root), root, (int)n, path) <
		       PATH_MAX &&
	       faccessat(AT_FDCWD, out, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool sysroot_find(char out[PATH_MAX], const char *root, const char *path, bool follow)
{
	int err = errno;

	if (!root || !*root || path[0] != '/')
		return false;
	bool found = plain(out, root, path, follow) ||
		     (begins_in(root, path) && walk(out, root, path, follow));
	errno = err;
	return found;
}

const char *sysroot_inside(const char *path, const char *root)
{
	size_t n = root ? root_length(root) : 0;

	return n && strncmp(path, root, n) == 0 && path[n] == '/' ? path + n : NULL;
}
