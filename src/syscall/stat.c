/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of files, which tell what a name has led to (lookup.c). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/lookup.h"
#include "task/task.h"

int64_t sys_fstat64(struct sys_call *c)
{
	struct host_stat st;
	int64_t r = sys_host(HOSTNR(fstat), c->a[0], &st);

	if (r)
		return r;
	procfs_fix_stat((int)c->a[0], &st);
	return abi_write(&abi_st_stat, (gaddr)c->a[1], &st);
}

/* The arguments that fstatat and statx have in common. */
struct query {
	struct sys_call *c;
	int64_t dfd;
	uint64_t path; /* host pointer */
	char *buf;     /* of PATH_MAX bytes, not part of this: initializing it would take time */
	uint32_t flags, mask;
	bool extended;
	bool named; /* the path is in BUF */
	struct host_stat st;
	struct host_statx stx;
};

static void take_path(struct query *q, gaddr g)
{
	enum path_use use = q->flags & AT_SYMLINK_NOFOLLOW ? PATH_NOFOLLOW : PATH_LOOKUP;

	if (!g && !(mem_page_bits(0) & PG_MAPPED)) {
		q->path = 0;
		return;
	}
	q->path = path_to_host(q->buf, g, use);
	q->named = q->path == (uint64_t)(uintptr_t)q->buf;
}

static int64_t ask(struct query *q)
{
	if (q->extended)
		return sys_host_blocking(q->c, HOSTNR(statx), q->dfd, q->path, q->flags, q->mask,
					 &q->stx);
	return sys_host_blocking(q->c, HOSTNR(newfstatat), q->dfd, q->path, &q->st, q->flags);
}

static bool is_hidden(const struct query *q)
{
	if (q->extended)
		return task_fd_is_hidden_object(makedev(q->stx.stx_dev_major, q->stx.stx_dev_minor),
						q->stx.stx_ino);
	return task_fd_is_hidden_object(q->st.st_dev, q->st.st_ino);
}

static void take_stat(struct query *q, const struct host_stat *st)
{
	q->st = *st;
	q->stx.stx_mode = (uint16_t)st->st_mode;
	q->stx.stx_size = (uint64_t)st->st_size;
	q->stx.stx_blocks = (uint64_t)st->st_blocks;
	q->stx.stx_blksize = (uint32_t)st->st_blksize;
	q->stx.stx_nlink = (uint32_t)st->st_nlink;
	q->stx.stx_uid = st->st_uid;
	q->stx.stx_gid = st->st_gid;
	q->stx.stx_ino = st->st_ino;
	q->stx.stx_dev_major = major(st->st_dev);
	q->stx.stx_dev_minor = minor(st->st_dev);
}

/* A nameless regular file may be a text of /proc, by a descriptor or through /proc/self/fd. */
static void fix_text(struct query *q)
{
	uint32_t mode = q->extended ? q->stx.stx_mode : q->st.st_mode;
	uint64_t links = q->extended ? q->stx.stx_nlink : q->st.st_nlink;
	struct host_stat st;
	int64_t fd = q->dfd;

	if (!S_ISREG(mode) || links)
		return;
	if (q->named && q->buf[0])
		fd = sys_host(HOSTNR(openat), q->dfd, q->buf, O_PATH | O_CLOEXEC, 0);
	if (fd >= 0 && sys_host(HOSTNR(fstat), fd, &st) == 0) {
		uint64_t inode = st.st_ino;

		procfs_fix_stat((int)fd, &st);
		if (st.st_ino != inode || !st.st_size)
			take_stat(q, &st);
	}
	if (q->named && q->buf[0] && fd >= 0)
		sys_host(HOSTNR(close), fd);
}

static int64_t stat_at(struct query *q)
{
	const bool follow = !(q->flags & AT_SYMLINK_NOFOLLOW);
	char instead[PATH_MAX];
	int64_t r;

	if (!q->named || !lookup_is_suspect(q->buf)) {
		r = ask(q);
		if (r || !q->named || !q->buf[0] || !is_hidden(q)) {
			if (!r)
				fix_text(q);
			return r;
		}
	}
	r = lookup_guest((int)q->dfd, q->buf, follow, instead);
	if (r && r != -ENOSYS)
		return r;
	if (!r)
		q->path = (uint64_t)(uintptr_t)instead;
	r = ask(q);
	if (!r)
		fix_text(q);
	return r;
}

int64_t sys_fstatat64(struct sys_call *c)
{
	char path[PATH_MAX];
	struct query q = {.c = c, .dfd = (int64_t)c->a[0], .buf = path, .flags = (uint32_t)c->a[3]};
	int64_t r;

	take_path(&q, (gaddr)c->a[1]);
	r = stat_at(&q);
	return r ? r : abi_write(&abi_st_stat, (gaddr)c->a[2], &q.st);
}

int64_t sys_statx(struct sys_call *c)
{
	char path[PATH_MAX];
	struct query q = {
		.c = c,
		.dfd = (int64_t)c->a[0],
		.buf = path,
		.flags = (uint32_t)c->a[2],
		.mask = (uint32_t)c->a[3],
		.extended = true,
	};
	int64_t r;

	take_path(&q, (gaddr)c->a[1]);
	r = stat_at(&q);
	return r ? r : abi_write(&abi_st_statx, (gaddr)c->a[4], &q.stx);
}
