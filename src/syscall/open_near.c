/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening without a look at what was opened. A file of the mount that the name begins in is not of a procfs if
 * that mount is none, and without links like those of /proc a name does not lead to what the emulator hides.
 * openat2(2) can be told to find nothing else (RESOLVE_NO_XDEV, RESOLVE_NO_MAGICLINKS): one call, where open.c
 * otherwise needs two. What leads farther is opened in the other way.
 *
 * Whether the root and the working directory are of a procfs is asked once, and again after chdir. Where threads
 * or processes may have different ones, or share theirs with others, this is given up.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <string.h>

#include "abi/host.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/lookup.h"

enum start { UNKNOWN, NEAR, NEVER };
static enum start root, cwd;
static unsigned moving; /* chdir calls in progress */

/* Flags that openat(2) and openat2(2) take alike. */
#define FLAGS                                                                                     \
 (O_ACCMODE | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_APPEND | O_TRUNC | \
  O_CREAT | O_EXCL | 0100000 /* O_LARGEFILE of x86 */ | 0400000 /* and of arm64 */)

/* First components that have led elsewhere, by their hash: a wrong bit costs time alone. */
static uint64_t far[4];

static unsigned hash_of(const char *name)
{
	unsigned h = *name == '/';

	name += strspn(name, "/");
	while (*name && *name != '/')
		h = h * 31 + (uint8_t)*name++;
	return h % 256;
}

static bool begins_near(enum start *s, const char *directory)
{
	struct host_statfs fs;

	if (*s == UNKNOWN)
		*s = sys_host(HOSTNR(statfs), directory, &fs) == 0 && fs.f_type != PROC_SUPER_MAGIC
			     ? NEAR
			     : NEVER;
	return *s == NEAR;
}

int64_t open_near(struct sys_call *c, int64_t dfd, const char *name, uint64_t flags, uint64_t mode)
{
	const unsigned h = hash_of(name);
	struct host_open_how how = {
		.flags = flags,
		.mode = flags & O_CREAT ? mode & 07777 : 0,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS,
	};
	int64_t r;

	if ((flags & ~(uint64_t)FLAGS) || far[h / 64] >> h % 64 & 1)
		return -ENOSYS;
	if (name[0] == '/' ? !begins_near(&root, "/")
			   : dfd != AT_FDCWD || moving || !begins_near(&cwd, "."))
		return -ENOSYS;
	r = sys_host_blocking(c, HOSTNR(openat2), AT_FDCWD, name, &how, sizeof(how));
	switch (r) {
	case -ENOSYS: root = cwd = NEVER; return -ENOSYS;
	case -EXDEV: far[h / 64] |= 1ull << h % 64; return -ENOSYS;
	/* A link of /proc perhaps; refused by this call only, or of interest to guest_view(). */
	case -ELOOP:
	case -EAGAIN:
	case -EINVAL:
	case -EACCES:
	case -EPERM:
	case -ETXTBSY: return -ENOSYS;
	default: return r;
	}
}

void open_near_never(void)
{
	root = cwd = NEVER;
}

void open_near_clone(uint64_t flags)
{
	const bool thread = flags & CLONE_THREAD, fs = flags & CLONE_FS;

	if (thread != fs)
		root = cwd = NEVER;
	if (!thread && (flags & CLONE_VM))
		cwd = NEVER;
}

/* --- calls that change where names begin ---------------------------------------------------------------- */

int64_t sys_chdir(struct sys_call *c)
{
	int64_t r;

	moving++;
	r = sys_generic(c);
	moving--;
	if (cwd == NEAR)
		cwd = UNKNOWN;
	return r;
}

int64_t sys_other_root(struct sys_call *c)
{
	open_near_never();
	return sys_generic(c);
}
