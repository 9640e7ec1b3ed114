/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions in directories. A directory's position is a cookie of the file system's, and several give a
 * 64-bit caller cookies of 64 bits. A kernel gives those that fit 31 bits to 32-bit callers, ILP32
 * ones too (is_32bit_api() of ext4, in_compat_syscall() of NFS), for telldir() of a 32-bit libc returns a
 * long. The host kernel sees a 64-bit caller, so the cookies are translated here:
 *
 * - A cookie that fits stays as it is: tmpfs, XFS, btrfs.
 * - ext4's hashed directories, also below overlayfs: the kernel's 32-bit cookie is the upper half of the
 *   64-bit one (hash2pos()), so nothing has to be kept. Entries whose hashes agree in that half are all
 *   read again after a seek, as there.
 * - Others (FUSE, NFS): a 30-bit digest of the cookie, marked by bit 30. What it stands for is kept in a
 *   table of fixed size. If it is not found there, because another process read the directory or it was
 *   displaced, the directory is read from its start until an entry's cookie has that digest.
 *
 * Neither kind belongs to a descriptor: dup, fork and passing a descriptor on need no code.
 */
#include "syscall/dirents.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/host.h"
#include "lock.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"

#define MAX_COOKIE INT32_MAX /* the end of an ext4 directory, too (EXT4_HTREE_EOF_32BIT) */
#define DIGEST_BIT 0x40000000u

/* Of a record, which is the same in both ABIs. */
enum {
	D_OFF = offsetof(struct host_dirent64, d_off),
	D_RECLEN = offsetof(struct host_dirent64, d_reclen),
	D_NAME = offsetof(struct host_dirent64, d_name),
};

/* --- which kind of directory ------------------------------------------------------------------- */

/*
 * Whether FD's directory is one of ext4's hashed ones. Their end lies at INT64_MAX, that of others at their
 * size, or they do not say. FD's own position stays: others may be reading.
 */
static bool is_hashed(int fd)
{
	char name[32];
	int64_t own, end;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	own = sys_host(HOSTNR(openat), AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (own < 0) {
		struct host_statfs st;

		return sys_host(HOSTNR(fstatfs), fd, &st) == 0 && st.f_type == EXT4_SUPER_MAGIC;
	}
	end = sys_host(HOSTNR(lseek), own, 0, SEEK_END);
	sys_host(HOSTNR(close), own);
	return end == INT64_MAX;
}

static bool is_directory(int fd, struct dir_id *id)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISDIR(st.st_mode))
		return false;
	*id = (struct dir_id){st.st_dev, st.st_ino};
	return true;
}

/* --- digests ----------------------------------------------------------------------------------- */

static struct {
	struct dir_id dir;
	int64_t cookie; /* 0: free, for it would fit */
} table[DIR_TABLE_SIZE];
static struct own_lock table_lock = OWN_LOCK_INIT;

/* Any good mixture does; all processes must have the same one. */
static uint64_t mixed(uint64_t v)
{
	v ^= v >> 33;
	v *= 0xff51afd7ed558ccdu;
	v ^= v >> 29;
	v *= 0xc4ceb9fe1a85ec53u;
	return v ^ v >> 32;
}

uint32_t dir_digest(int64_t cookie)
{
	return DIGEST_BIT | ((uint32_t)mixed((uint64_t)cookie) & (DIGEST_BIT - 1));
}

/* Where the digest's entries may be: DIR_TABLE_WAYS neighbours. */
static unsigned slot_of(struct dir_id dir, uint32_t digest)
{
	uint64_t h = mixed(dir.dev ^ mixed(dir.ino ^ digest));

	return (unsigned)(h % (DIR_TABLE_SIZE / DIR_TABLE_WAYS)) * DIR_TABLE_WAYS;
}

static bool same_dir(struct dir_id a, struct dir_id b)
{
	return a.dev == b.dev && a.ino == b.ino;
}

void dir_remember(struct dir_id dir, int64_t cookie)
{
	unsigned first = slot_of(dir, dir_digest(cookie)), i = first;

	own_lock(&table_lock);
	/* The newest is in front: of two with one digest the one read last is meant. */
	while (i < first + DIR_TABLE_WAYS - 1 && table[i].cookie &&
	       !(same_dir(table[i].dir, dir) && table[i].cookie == cookie))
		i++;
	for (; i > first; i--)
		table[i] = table[i - 1];
	table[first].dir = dir;
	table[first].cookie = cookie;
	own_unlock(&table_lock);
}

bool dir_recall(struct dir_id dir, uint32_t digest, int64_t *cookie)
{
	unsigned first = slot_of(dir, digest);
	bool found = false;

	own_lock(&table_lock);
	for (unsigned i = first; i < first + DIR_TABLE_WAYS && !found; i++) {
		found = table[i].cookie && same_dir(table[i].dir, dir) &&
			dir_digest(table[i].cookie) == digest;
		if (found)
			*cookie = table[i].cookie;
	}
	own_unlock(&table_lock);
	return found;
}

static uint16_t record_length(const uint8_t *d)
{
	return (uint16_t)(d[D_RECLEN] | d[D_RECLEN + 1] << 8);
}

bool dir_search(int fd, uint32_t digest, int64_t *cookie)
{
	uint8_t buf[8192];
	int64_t n;

	if (sys_host(HOSTNR(lseek), fd, 0, SEEK_SET))
		return false;
	while ((n = sys_host(HOSTNR(getdents64), fd, buf, sizeof(buf))) > 0) {
		for (int64_t at = 0; at < n; at += record_length(buf + at)) {
			memcpy(cookie, buf + at + D_OFF, 8);
			if ((*cookie > MAX_COOKIE && dir_digest(*cookie) == digest) ||
			    *cookie == (int64_t)digest)
				return true;
		}
	}
	return false;
}

/* --- both directions --------------------------------------------------------------------------- */

static int64_t to_guest(int64_t host, bool hashed, struct dir_id dir)
{
	if (host <= MAX_COOKIE)
		return host;
	if (hashed)
		return host >> 32;
	dir_remember(dir, host);
	return dir_digest(host);
}

/* The host's cookie for POS, which is not negative. May move the position of FD, which the caller will set. */
static int64_t to_host(int fd, int64_t pos, bool hashed, struct dir_id dir)
{
	int64_t cookie;

	if (pos == 0 || pos > MAX_COOKIE)
		return pos;
	if (hashed)
		return pos == MAX_COOKIE ? INT64_MAX : pos << 32;
	if ((pos & DIGEST_BIT) &&
	    (dir_recall(dir, (uint32_t)pos, &cookie) || dir_search(fd, (uint32_t)pos, &cookie)))
		return cookie;
	return pos;
}

/* --- the calls --------------------------------------------------------------------------------- */

/* Translates the cookies of the N bytes of records at G. The guest may change them meanwhile. */
static int translate_records(int fd, gaddr g, int64_t n)
{
	bool known = false, hashed = false;
	struct dir_id dir = {0, 0};
	uint8_t head[D_NAME];
	int64_t cookie;

	for (int64_t at = 0; at + D_NAME <= n; at += record_length(head)) {
		if (mem_copy_in(head, (gaddr)(g + at), sizeof(head)))
			return -EFAULT;
		memcpy(&cookie, head + D_OFF, 8);
		if (record_length(head) < D_NAME)
			break;
		if (cookie <= MAX_COOKIE)
			continue;
		if (!known) {
			hashed = is_hashed(fd);
			if (!is_directory(fd, &dir))
				break;
			known = true;
		}
		if (mem_put_u64((gaddr)(g + at + D_OFF), (uint64_t)to_guest(cookie, hashed, dir)))
			return -EFAULT;
	}
	return 0;
}

/* The emulator's descriptors are left out; a buffer that held nothing else is not the end. */
static int64_t read_visible(struct sys_call *c)
{
	int64_t n, r;

	do {
		n = sys_generic(c);
		if (n <= 0)
			return n;
		r = procfs_filter((int)c->a[0], (gaddr)c->a[1], n);
	} while (!r);
	return r;
}

int64_t sys_getdents64(struct sys_call *c)
{
	int64_t r = read_visible(c);

	if (r > 0 && translate_records((int)c->a[0], (gaddr)c->a[1], r))
		return -EFAULT;
	return r;
}

/*
 * lseek on directory FD as a 32-bit caller's. A refused seek leaves the position where it was, which the
 * search in to_host() must not change.
 */
static int64_t seek(int fd, int64_t offset, int whence, struct dir_id dir)
{
	int64_t old = sys_host(HOSTNR(lseek), fd, 0, SEEK_CUR), pos = offset, r;
	bool hashed = is_hashed(fd);

	if (old < 0)
		return old;
	if (whence == SEEK_CUR) {
		pos += to_guest(old, hashed, dir);
		if (offset == 0)
			return pos;
	} else if (whence == SEEK_END && hashed) {
		pos += MAX_COOKIE;
	} else if (whence != SEEK_SET) {
		r = sys_host(HOSTNR(lseek), fd, offset, whence);
		return r < 0 ? r : to_guest(r, hashed, dir);
	}
	if (hashed && pos > MAX_COOKIE)
		return -EINVAL; /* beyond its htree_max */
	r = sys_host(HOSTNR(lseek), fd, pos < 0 ? pos : to_host(fd, pos, hashed, dir), SEEK_SET);
	if (r < 0) {
		sys_host(HOSTNR(lseek), fd, old, SEEK_SET);
		return r;
	}
	return pos;
}

static int64_t seek_any(struct sys_call *c, int64_t offset, int whence)
{
	struct dir_id dir;
	int64_t r;

	/* The start is the same for all. */
	if ((whence != SEEK_SET || offset != 0) && is_directory((int)c->a[0], &dir))
		r = seek((int)c->a[0], offset, whence, dir);
	else
		r = sys_host(HOSTNR(lseek), c->a[0], offset, whence);
	if (r == 0)
		procfs_rewound((int)c->a[0]);
	return r;
}

int64_t sys_llseek(struct sys_call *c)
{
	int64_t r = seek_any(c, (int64_t)c->a[1], (int)c->a[3]);

	return r < 0 ? r : mem_put_u64((gaddr)c->a[2], (uint64_t)r);
}

int64_t sys_lseek(struct sys_call *c)
{
	return seek_any(c, (int64_t)c->a[1], (int)c->a[2]);
}
