/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening files and reading links: the calls that meet both the sysroot and the files of /proc whose
 * content is the guest's, not the emulator's.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/busy.h"
#include "syscall/device.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/lookup.h"
#include "syscall/procfs.h"
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

/* The host name of the guest's path in OUT and *NAME, or a pointer that the host kernel refuses and NULL. */
static uint64_t path_of(const struct open_args *o, char out[PATH_MAX], const char **name)
{
	const bool as_it_is = o->how.resolve & (RESOLVE_BENEATH_ | RESOLVE_IN_ROOT_);
	uint64_t path = path_to_host(out, o->path, as_it_is ? PATH_CREATE : use_of(o->how.flags));

	*name = path == (uint64_t)(uintptr_t)out ? out : NULL;
	return path;
}

static int64_t host_open(struct sys_call *c, const struct open_args *o, uint64_t path,
			 const struct host_open_how *how)
{
	if (o->extended)
		return sys_host_blocking(c, HOSTNR(openat2), o->dfd, path, how, sizeof(*how));
	return sys_host_blocking(c, HOSTNR(openat), o->dfd, path, how->flags, how->mode);
}

/* Whether the host, left to O's own resolve flags, never goes through a link of /proc. */
static bool avoids_links(const struct open_args *o)
{
	enum { NO_XDEV = 1, NO_MAGICLINKS = 2, NO_SYMLINKS = 4 };

	return o->how.resolve &
	       (NO_XDEV | NO_MAGICLINKS | NO_SYMLINKS | RESOLVE_BENEATH_ | RESOLVE_IN_ROOT_);
}

/*
 * What the guest gets for R, which the host gave for NAME: a descriptor may be of the emulator or of a
 * file in /proc that shows it. *AGAIN: R is void, and the host is to open INSTEAD.
 */
static int64_t guest_view(const struct open_args *o, int64_t r, const char *name, int flags,
			  char *instead, bool *again)
{
	const bool follow = !(flags & O_NOFOLLOW);
	struct host_stat st;
	int64_t other;

	if (r < 0) {
		/* The file may have refused what the guest's would allow. */
		if ((r == -EACCES || r == -EPERM || r == -ETXTBSY) && name && !avoids_links(o))
			*again = lookup_check((int)o->dfd, name, follow, instead) == 0;
		return r;
	}
	if (sys_host(HOSTNR(fstat), r, &st))
		return r;
	device_arrived(&st);
	if (name && !avoids_links(o) && task_fd_is_hidden_object(st.st_dev, st.st_ino)) {
		other = lookup_guest((int)o->dfd, name, follow, instead);
		if (other == -ENOSYS)
			return r;
		sys_host(HOSTNR(close), r);
		*again = other == 0;
		return other;
	}
	return procfs_is((int)r, &st) ? procfs_opened(r, flags) : r;
}

static bool writes_to_existing(uint64_t flags)
{
	if (flags & O_PATH || (flags & O_TMPFILE) == O_TMPFILE ||
	    (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return false;
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
}

static int64_t do_open(struct sys_call *c, const struct open_args *o)
{
	struct host_open_how how = o->how;
	char buf[PATH_MAX], instead[PATH_MAX];
	bool again = false;
	const char *name;
	uint64_t path;
	int64_t r;

	how.flags = (o->how.flags & ~(uint64_t)UINT32_MAX) |
		    (uint32_t)abi_open_flags_to_host((int)(uint32_t)o->how.flags);
	path = path_of(o, buf, &name);
	if (name && !avoids_links(o) && lookup_is_suspect(name)) {
		r = lookup_guest((int)o->dfd, name, !(how.flags & O_NOFOLLOW), instead);
		if (r && r != -ENOSYS)
			return r;
		if (!r)
			path = (uint64_t)(uintptr_t)instead;
	}
	if (name && writes_to_existing(how.flags) &&
	    busy_program((int)o->dfd, (const char *)(uintptr_t)path))
		return -ETXTBSY;
	/* A device is looked at, wherever /dev lies. */
	if (name && !o->extended && path == (uint64_t)(uintptr_t)name &&
	    strncmp(name, "/dev/", 5) != 0) {
		r = open_near(c, o->dfd, name, how.flags, how.mode);
		if (r != -ENOSYS)
			return r;
	}
	r = host_open(c, o, path, &how);
	if (path != (uint64_t)(uintptr_t)instead)
		r = guest_view(o, r, name, (int)how.flags, instead, &again);
	if (again)
		r = host_open(c, o, (uint64_t)(uintptr_t)instead, &how);
	return r;
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

/* R bytes of TARGET are what the host says: all targets of /proc that matter are absolute names. */
static int64_t guest_target(const struct sys_call *c, const char *path, char target[PATH_MAX],
			    int64_t r)
{
	size_t n = (size_t)r;
	int64_t guest;

	if (target[0] != '/')
		return r;
	guest = procfs_link((int)c->a[0], path, target, PATH_MAX);
	if (guest != -ENOSYS)
		return guest;
	procfs_text_link(target, &n);
	return (int64_t)n;
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
	r = sys_host_blocking(c, HOSTNR(readlinkat), c->a[0], path, target, sizeof(target));
	if (r > 0)
		r = guest_target(c, path, target, r);
	if (r > (int64_t)size)
		r = (int64_t)size;
	if (r > 0 && mem_copy_out((gaddr)c->a[2], target, (size_t)r))
		return -EFAULT;
	return r;
}
