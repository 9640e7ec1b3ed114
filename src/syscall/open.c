/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening files and reading links: the calls that meet both the sysroot and the files of /proc whose
 * content is the guest's, not the emulator's.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "trace/trace.h"

/* RESOLVE_ flags under which an absolute name is not one of the host's root directory. */
enum { RESOLVE_BENEATH_ = 8, RESOLVE_IN_ROOT_ = 16 };

struct open_args {
	int64_t dfd;
	gaddr path;
	struct host_open_how how; /* flags as the guest has them */
	bool extended;            /* openat2 */
};

static enum path_use use_of(uint64_t flags)
{
	if (flags & (GUEST_O_CREAT | GUEST_O_TMPFILE_BIT))
		return PATH_CREATE;
	return flags & GUEST_O_NOFOLLOW ? PATH_NOFOLLOW : PATH_LOOKUP;
}

/*
 * The host name of the guest's path in OUT, or the pointer that makes the host kernel refuse the path
 * for the same reason as the guest's (generic.c does so too). *NAME is NULL in that case.
 */
static uint64_t path_of(const struct open_args *o, char out[PATH_MAX], const char **name)
{
	int64_t r;

	*name = NULL;
	if (o->how.resolve & (RESOLVE_BENEATH_ | RESOLVE_IN_ROOT_))
		return (uint64_t)(uintptr_t)mem_host(o->path);
	r = path_translate(out, o->path, use_of(o->how.flags));
	if (r == -ENAMETOOLONG)
		return (uint64_t)(uintptr_t)mem_host(o->path);
	if (r)
		return SYS_BAD_POINTER;
	*name = out;
	return (uint64_t)(uintptr_t)out;
}

/* "self/exe" and the like, relative to a directory of /proc, is the guest's program too (path.c sees
 * to absolute names). OUT gets its name. */
static bool relative_exe(const struct open_args *o, const char *path, char out[PATH_MAX])
{
	int64_t n;

	if (path[0] == '/' || use_of(o->how.flags) != PATH_LOOKUP)
		return false;
	n = procfs_readlink((int)o->dfd, path, out, PATH_MAX - 1);
	if (n < 0)
		return false;
	out[n] = '\0';
	return out[0] == '/';
}

static int64_t host_open(struct sys_call *c, const struct open_args *o, uint64_t path,
			 const struct host_open_how *how)
{
	if (o->extended)
		return sys_host_blocking(c, HOSTNR(openat2), o->dfd, path, how, sizeof(*how));
	return sys_host_blocking(c, HOSTNR(openat), o->dfd, path, how->flags, how->mode);
}

/*
 * The host gave FD. If it turns out to be a file of /proc, reached through a link of another name,
 * whose content must be the guest's, that one takes its number.
 */
static int64_t guest_view(int64_t fd, int flags)
{
	char link[32], name[PATH_MAX];
	struct host_statfs st;
	int64_t n, r;

	if ((flags & O_PATH) || sys_host(HOSTNR(fstatfs), fd, &st) || st.f_type != PROC_SUPER_MAGIC)
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", (int)fd);
	n = sys_host(HOSTNR(readlinkat), AT_FDCWD, link, name, sizeof(name) - 1);
	if (n <= 0)
		return fd;
	name[n] = '\0';
	r = procfs_open(AT_FDCWD, name, flags);
	if (r == -ENOSYS)
		return fd;
	if (r >= 0) {
		sys_host(HOSTNR(dup3), r, fd, flags & O_CLOEXEC);
		sys_host(HOSTNR(close), r);
		return fd;
	}
	sys_host(HOSTNR(close), fd);
	return r;
}

/* struct input_event has 16 bytes for the guest's kernel, whose time stamps are longs, and 24 here. */
static void warn_of_events(const char *name)
{
	if (strncmp(name, "/dev/input/event", 16) == 0 || strcmp(name, "/dev/uinput") == 0)
		diag_unsupported("input", (uint8_t)name[5],
				 "%s: events are read and written in the host's form of 24 bytes, "
				 "not in 16",
				 name);
}

static int64_t do_open(struct sys_call *c, const struct open_args *o)
{
	struct host_open_how how = o->how;
	char buf[PATH_MAX], exe[PATH_MAX];
	const char *name;
	uint64_t path;
	int64_t r;

	how.flags = (o->how.flags & ~(uint64_t)UINT32_MAX) |
		    (uint32_t)abi_open_flags_to_host((int)(uint32_t)o->how.flags);
	path = path_of(o, buf, &name);
	if (name) {
		r = procfs_open((int)o->dfd, name, (int)how.flags);
		if (r != -ENOSYS)
			return r;
		if (relative_exe(o, name, exe))
			path = (uint64_t)(uintptr_t)exe;
	}
	r = host_open(c, o, path, &how);
	if (r < 0)
		return r;
	if (name)
		warn_of_events(name);
	return guest_view(r, (int)how.flags);
}

int64_t sys_openat(struct sys_call *c)
{
	struct open_args o = {
		.dfd = (int64_t)c->a[0],
		.path = (gaddr)c->a[1],
		.how = {.flags = (uint32_t)c->a[2], .mode = c->a[3]},
	};

	return do_open(c, &o);
}

/* Bytes that this kernel does not know must be zero (copy_struct_from_user): 0, -EFAULT, -E2BIG. */
static int64_t check_tail(gaddr g, uint64_t from, uint64_t size)
{
	uint8_t b[64];

	while (from < size) {
		uint64_t n = size - from < sizeof(b) ? size - from : sizeof(b);

		if (g + from + n > MEM_SPACE || mem_copy_in(b, (gaddr)(g + from), n))
			return -EFAULT;
		for (uint64_t i = 0; i < n; i++) {
			if (b[i])
				return -E2BIG;
		}
		from += n;
	}
	return 0;
}

int64_t sys_openat2(struct sys_call *c)
{
	struct open_args o = {
		.dfd = (int64_t)c->a[0],
		.path = (gaddr)c->a[1],
		.extended = true,
	};
	gaddr how = (gaddr)c->a[2];
	uint64_t size = c->a[3];
	int64_t r;

	if (size < abi_st_open_how.gsize)
		return -EINVAL; /* OPEN_HOW_SIZE_VER0 */
	if (size > MEM_PAGE_SIZE)
		return -E2BIG;
	r = check_tail(how, abi_st_open_how.gsize, size);
	if (r)
		return r;
	if (abi_read(&abi_st_open_how, &o.how, how))
		return -EFAULT;
	return do_open(c, &o);
}

int64_t sys_readlinkat(struct sys_call *c)
{
	uint64_t size = c->a[3];
	char path[PATH_MAX], target[PATH_MAX];
	int64_t r;

	if ((int64_t)size <= 0)
		return -EINVAL;
	r = path_translate(path, (gaddr)c->a[1], PATH_NOFOLLOW);
	if (r)
		return r;
	r = procfs_readlink((int)c->a[0], path, target, sizeof(target));
	if (r == -ENOSYS)
		r = sys_host_blocking(c, HOSTNR(readlinkat), c->a[0], path, target,
				      size < sizeof(target) ? size : sizeof(target));
	if (r > (int64_t)size)
		r = (int64_t)size;
	if (r > 0 && mem_copy_out((gaddr)c->a[2], target, (size_t)r))
		return -EFAULT;
	return r;
}
