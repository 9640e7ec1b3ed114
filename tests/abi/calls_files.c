/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls on files, directories, descriptors, mounts and sockets that no other case is about. */
#include "abi.h"

static u8 buf[8192] __attribute__((aligned(16)));

/* --- extended attributes -------------------------------------------------------------------------- */

static s64 with_attributes(void)
{
	s64 fd, r;

	scratch();
	fd = make_file("f", 0);
	EQ(S(symlinkat, "f", AT_FDCWD, "l"), 0);
	r = S(setxattr, "f", "user.abi", "value", 5, 0);
	if (r == -EOPNOTSUPP)
		skip("the file system has no extended attributes");
	EQ(r, 0);
	return fd;
}

CASE("CALL-001", "setxattr getxattr listxattr removexattr", ALL, "linux fs/xattr.c",
     "extended attributes by path")
{
	with_attributes();
	EQ(S(setxattr, "f", "user.abi", "x", 1, 1), -EEXIST);
	EQ(S(getxattr, "f", "user.abi", buf, 100), 5);
	EQ(memcmp(buf, "value", 5), 0);
	EQ(S(getxattr, "f", "user.abi", 0, 0), 5);
	EQ(S(getxattr, "f", "user.abi", buf, 2), -ERANGE);
	OK(S(listxattr, "l", buf, 1000) >= 9);
	EQ(S(removexattr, "f", "user.abi"), 0);
	EQ(S(getxattr, "f", "user.abi", buf, 100), -ENODATA);
}

CASE("CALL-002", "lsetxattr lgetxattr llistxattr lremovexattr", ALL, "linux fs/xattr.c",
     "extended attributes of a link itself")
{
	with_attributes();
	EITHER(S(lsetxattr, "l", "user.abi", "x", 1, 0), -EPERM, -EOPNOTSUPP);
	EQ(S(lsetxattr, "f", "user.abi", "xy", 2, 2), 0);
	EQ(S(lgetxattr, "f", "user.abi", buf, 100), 2);
	OK(S(lgetxattr, "l", "user.abi", buf, 100) < 0);
	OK(S(llistxattr, "f", buf, 1000) >= 9);
	EQ(S(lremovexattr, "f", "user.abi"), 0);
}

CASE("CALL-003", "fsetxattr fgetxattr flistxattr fremovexattr", ALL, "linux fs/xattr.c",
     "extended attributes by descriptor")
{
	s64 fd = with_attributes();

	EQ(S(fsetxattr, fd, "user.two", "abc", 3, 0), 0);
	EQ(S(fgetxattr, fd, "user.two", buf, 100), 3);
	OK(S(flistxattr, fd, buf, 1000) >= 18);
	EQ(S(fremovexattr, fd, "user.two"), 0);
	EQ(S(fgetxattr, -1, "user.two", buf, 100), -EBADF);
}

/* --- descriptors ---------------------------------------------------------------------------------- */

CASE("CALL-010", "eventfd2", ALL, "linux fs/eventfd.c", "eventfd2: a counter of 64 bits")
{
	s64 fd = GOOD(S(eventfd2, 7, O_NONBLOCK));
	u64 v = 0x100000000ull;

	EQ(S(write, fd, &v, 8), 8);
	EQ(S(read, fd, &v, 8), 8);
	EQ(v, 0x100000007ull);
	EQ(S(read, fd, &v, 8), -EAGAIN);
	EQ(S(read, fd, &v, 4), -EINVAL);
	EQ(S(eventfd2, 0, 0x40), -EINVAL);
}

CASE("CALL-011", "dup close memfd_create", ALL, "linux fs/file.c",
     "dup shares the position; memfd_create checks its flags")
{
	int fd = file_of(10);
	s64 two = GOOD(S(dup, fd));

	EQ(S(read, fd, buf, 4), 4);
	EQ(S(read, two, buf, 100), 6);
	EQ(S(close, two), 0);
	EQ(S(close, two), -EBADF);
	EQ(S(dup, -1), -EBADF);
	EQ(S(memfd_create, "x", 0x8000), -EINVAL);
}

CASE("CALL-012", "flock", ALL, "linux fs/locks.c sys_flock", "flock is by open file")
{
	s64 a, b;

	scratch();
	a = make_file("f", 0);
	b = GOOD(S(openat, AT_FDCWD, "f", O_RDWR, 0));
	EQ(S(flock, a, 2), 0);
	EQ(S(flock, b, 2 | 4), -EAGAIN);
	EQ(S(flock, a, 8), 0);
	EQ(S(flock, b, 1 | 4), 0);
	EQ(S(flock, b, 77), -EINVAL);
}

CASE("CALL-013", "splice tee vmsplice", ALL, "linux fs/splice.c; offsets in memory have 64 bits",
     "splice, tee and vmsplice: iovecs of 8 bytes, offsets of 8 bytes")
{
	u32 a[2], b[2], iov[2] = {Z("hello"), 5};
	u64 off[2] = {0x100000000ull, ~0ull};
	int file = file_of(0);

	EQ(S(pipe2, a, 0), 0);
	EQ(S(pipe2, b, 0), 0);
	EQ(S(vmsplice, a[1], iov, 1, 0), 5);
	EQ(S(tee, a[0], b[1], 100, 0), 5);
	EQ(S(splice, a[0], 0, file, off, 5, 0), 5);
	EQ(off[0], 0x100000005ull);
	EQ(off[1], ~0ull);
	EQ(S(read, b[0], buf, 100), 5);
	EQ(memcmp(buf, "hello", 5), 0);
	EQ(S(splice, file, off, file, off, 5, 0), -EINVAL);
}

CASE("CALL-014", "sync syncfs fsync fdatasync", ALL, "linux fs/sync.c", "syncing")
{
	s64 fd;

	scratch();
	fd = make_file("f", 5);
	EQ(S(fsync, fd), 0);
	EQ(S(fdatasync, fd), 0);
	EQ(S(syncfs, fd), 0);
	EQ(S(fsync, -1), -EBADF);
	EQ(S(syncfs, -1), -EBADF);
}

CASE("CALL-014a", "sync", ALL, "linux fs/sync.c sys_sync", "sync is 0 for everybody")
{
	unprivileged();
	EQ(S(sync), 0);
}

CASE("CALL-015", "inotify_init1 inotify_add_watch inotify_rm_watch .inotify_event", ALL,
     "linux fs/notify/inotify/inotify_user.c", "inotify events of 16 bytes and a name")
{
	s64 fd = CONFIGURED(S(inotify_init1, O_NONBLOCK)), wd;

	scratch();
	wd = GOOD(S(inotify_add_watch, fd, ".", 0x100));
	S(close, make_file("name", 0));
	OK(S(read, fd, buf, 100) >= 21);
	EQ(get32(buf), wd);
	EQ(get32(buf + 4), 0x100);
	EQ(memcmp(buf + 16, "name", 5), 0);
	EQ(S(inotify_rm_watch, fd, wd), 0);
	EQ(S(inotify_rm_watch, fd, wd + 5), -EINVAL);
}

CASE("CALL-016", "close_range", SINCE_5_10, "linux 5.9 fs/open.c sys_close_range",
     "close_range closes, or sets close-on-exec")
{
	s64 a = GOOD(S(dup, 1)), b = GOOD(S(dup, 1));

	EQ(S(close_range, b, b, 0), 0);
	EQ(S(fcntl64, b, 1), -EBADF);
	EQ(S(close_range, b, a, 0), -EINVAL);
	EQ(S(close_range, a, a, 0x80), -EINVAL);
}

CASE("CALL-017", "openat2 faccessat2 .open_how", SINCE_5_10,
     "linux 5.6 fs/open.c sys_openat2: open_how of 24 bytes",
     "openat2: structure sizes, unknown flags; faccessat2")
{
	u64 how[4] = {O_RDONLY, 0, 0, 0};

	GOOD(S(openat2, AT_FDCWD, ".", how, 24));
	GOOD(S(openat2, AT_FDCWD, ".", how, 32));
	how[3] = 1;
	EQ(S(openat2, AT_FDCWD, ".", how, 32), -E2BIG);
	EQ(S(openat2, AT_FDCWD, ".", how, 16), -EINVAL);
	how[0] = 1ull << 40;
	EQ(S(openat2, AT_FDCWD, ".", how, 24), -EINVAL);
	how[0] = 0;
	how[2] = 8; /* RESOLVE_BENEATH */
	EQ(S(openat2, AT_FDCWD, "/", how, 24), -EXDEV);
	EQ(S(faccessat2, AT_FDCWD, ".", 4, 0x200), 0);
	EQ(S(faccessat2, AT_FDCWD, ".", 4, 0x8000), -EINVAL);
}

CASE("CALL-018", "epoll_pwait2", SINCE_6_6, "linux 5.11 fs/eventpoll.c compat_sys_epoll_pwait2",
     "epoll_pwait2 waits by 16 bytes")
{
	s64 ep = GOOD(S(epoll_create1, 0)), from = now_ms();
	u64 ts[2] = {0, 20000000};

	EQ(S(epoll_pwait2, ep, buf, 1, ts, 0, 0), 0);
	OK(now_ms() - from >= 19);
	EQ(S(epoll_pwait2, ep, buf, 1, ts, ts, 4), -EINVAL);
}

CASE("CALL-019", "cachestat .cachestat", SINCE_6_6, "linux 6.5 mm/filemap.c sys_cachestat",
     "cachestat: range of 16 bytes, result of 40")
{
	u64 range[2] = {0, 0}, stat[6] = {7, 7, 7, 7, 7, 0x5a};
	int fd = file_of(0);
	s64 r;

	EQ(S(write, fd, buf, PAGE), PAGE);
	r = S(cachestat, fd, range, stat, 0);
	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without cachestat");
	EQ(r, 0);
	EQ(stat[0], 1);
	EQ(stat[5], 0x5a);
	EQ(S(cachestat, fd, range, stat, 1), -EINVAL);
	EQ(S(cachestat, -1, range, stat, 0), -EBADF);
}

CASE("CALL-020", "landlock_create_ruleset landlock_add_rule landlock_restrict_self", SINCE_5_10,
     "linux 5.13 security/landlock/syscalls.c", "landlock: the version, and argument checks")
{
	u64 attr[1] = {1};
	s64 r = S(landlock_create_ruleset, 0, 0, 1), fd;

	if (r == -ENOSYS || r == -EOPNOTSUPP)
		skip("ENOSYS: the kernel is built without landlock");
	OK(r >= 1);
	fd = GOOD(S(landlock_create_ruleset, attr, 8, 0));
	EQ(S(landlock_add_rule, fd, 99, buf, 0), -EINVAL);
	EQ(S(landlock_add_rule, -1, 1, buf, 0), -EBADF);
	EQ(S(prctl, 38, 1, 0, 0, 0), 0);
	EQ(S(landlock_restrict_self, fd, 0), 0);
	EQ(S(landlock_restrict_self, -1, 0), -EBADF);
}

/* --- names ---------------------------------------------------------------------------------------- */

CASE("CALL-030", "mkdirat mknodat linkat symlinkat readlinkat unlinkat renameat2", ALL,
     "linux fs/namei.c", "making, linking, renaming, removing")
{
	u8 st[104];

	scratch();
	EQ(S(mkdirat, AT_FDCWD, "d", 0755), 0);
	EQ(S(mkdirat, AT_FDCWD, "d", 0755), -EEXIST);
	EQ(S(mknodat, AT_FDCWD, "p", 0010600, 0), 0);
	EQ(S(fstatat64, AT_FDCWD, "p", st, 0), 0);
	EQ(get32(st + 16) & 0170000, 0010000);
	S(close, make_file("f", 3));
	EQ(S(linkat, AT_FDCWD, "f", AT_FDCWD, "g", 0), 0);
	EQ(S(symlinkat, "f", AT_FDCWD, "l"), 0);
	EQ(S(readlinkat, AT_FDCWD, "l", buf, 100), 1);
	EQ(S(renameat2, AT_FDCWD, "g", AT_FDCWD, "f2", 0), 0);
	EQ(S(renameat2, AT_FDCWD, "f", AT_FDCWD, "p", 1), -EEXIST);
	EQ(S(renameat2, AT_FDCWD, "f", AT_FDCWD, "p", 2), 0);
	EQ(S(fstatat64, AT_FDCWD, "f", st, 0), 0);
	EQ(get32(st + 16) & 0170000, 0010000);
	EQ(S(renameat2, AT_FDCWD, "f", AT_FDCWD, "p", 3), -EINVAL);
	EQ(S(unlinkat, AT_FDCWD, "d", 0), -EISDIR);
	EQ(S(unlinkat, AT_FDCWD, "d", 0x200), 0);
	EQ(S(unlinkat, AT_FDCWD, "none", 0), -ENOENT);
	EQ(S(unlinkat, AT_FDCWD, "l", 0x400), -EINVAL);
}

CASE("CALL-031", "chdir fchdir getcwd chroot", ALL, "linux fs/open.c, fs/dcache.c sys_getcwd",
     "directories: getcwd answers the length with NUL")
{
	s64 fd;

	scratch();
	EQ(S(mkdirat, AT_FDCWD, "d", 0755), 0);
	fd = GOOD(S(openat, AT_FDCWD, "d", O_RDONLY | O_DIRECTORY, 0));
	EQ(S(chdir, "d"), 0);
	OK(S(getcwd, buf, 100) == text_len((char *)buf) + 1);
	EQ(S(getcwd, buf, 1), -ERANGE);
	EQ(S(chdir, ".."), 0);
	EQ(S(fchdir, fd), 0);
	EQ(S(fchdir, -1), -EBADF);
	EQ(S(chdir, "none"), -ENOENT);
	EQ(S(chroot, "none"), -ENOENT);
	unprivileged();
	EQ(S(chroot, "/"), -EPERM);
}

CASE("CALL-032", "faccessat fchmod fchmodat fchown fchownat umask", ALL, "linux fs/open.c",
     "modes and owners")
{
	u32 group = (u32)S(getegid);
	u8 st[104];
	s64 fd;

	scratch();
	EQ(S(umask, 022) >= 0, 1);
	EQ(S(umask, 027), 022);
	fd = GOOD(S(openat, AT_FDCWD, "f", O_CREAT | O_RDWR, 0666));
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 16), 0100640);
	EQ(S(fchmod, fd, 0604), 0);
	EQ(S(fchmodat, AT_FDCWD, "f", 0602), 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 16), 0100602);
	EQ(S(fchown, fd, -1, -1), 0);
	EQ(S(fchownat, AT_FDCWD, "f", -1, group, 0), 0);
	EQ(S(fchownat, AT_FDCWD, "f", -1, -1, 0x8), -EINVAL);
	EQ(S(faccessat, AT_FDCWD, "f", 0), 0);
	EQ(S(faccessat, AT_FDCWD, "none", 0), -ENOENT);
	EQ(S(faccessat, AT_FDCWD, "f", 99), -EINVAL);
}

CASE("CALL-146", "fchmodat2", SINCE_6_6, "linux 6.6 fs/open.c do_fchmodat",
     "the mode by a path, a descriptor, not of a link")
{
	u8 st[104];
	s64 fd, r;

	scratch();
	fd = GOOD(S(openat, AT_FDCWD, "f", O_CREAT | O_RDWR, 0600));
	EQ(S(symlinkat, "f", AT_FDCWD, "l"), 0);
	r = S(fchmodat2, AT_FDCWD, "l", 0602, 0);
	if (r == -ENOSYS)
		skip("ENOSYS: the host's kernel is older");
	EQ(r, 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 16), 0100602);
	EQ(S(fchmodat2, AT_FDCWD, "l", 0604, 0x100), -EOPNOTSUPP);
	EQ(S(fchmodat2, fd, "", 0606, 0x1000), 0);
	EQ(S(fstat64, fd, st), 0);
	EQ(get32(st + 16), 0100606);
	EQ(S(fchmodat2, fd, "", 0606, 0), -ENOENT);
	EQ(S(fchmodat2, fd, "f", 0606, 0), -ENOTDIR);
	EQ(S(fchmodat2, AT_FDCWD, "f", 0606, 1), -EINVAL);
}

CASE("CALL-033", "name_to_handle_at open_by_handle_at .file_handle", ALL, "linux fs/fhandle.c",
     "file handles: {u32 size, s32 type, bytes}")
{
	u32 handle[34] = {0}, mount = 0;
	s64 r;

	scratch();
	make_file("f", 0);
	r = S(name_to_handle_at, AT_FDCWD, "f", handle, &mount, 0);
	if (r == -EOPNOTSUPP || r == -ENOSYS)
		skip("the file system has no handles");
	EQ(r, -EOVERFLOW);
	OK(handle[0] > 0 && handle[0] <= 128);
	EQ(S(name_to_handle_at, AT_FDCWD, "f", handle, &mount, 0), 0);
	handle[0] = 200;
	EQ(S(name_to_handle_at, AT_FDCWD, "f", handle, &mount, 0), -EINVAL);
	unprivileged();
	OK(S(open_by_handle_at, AT_FDCWD, handle, 0) < 0);
}

/* --- mounts --------------------------------------------------------------------------------------- */

CASE("CALL-040", "fsopen fsconfig fsmount move_mount open_tree fspick mount_setattr", SINCE_6_6,
     "linux 5.2 fs/fsopen.c, fs/namespace.c", "the file descriptor calls for mounting")
{
	s64 fs, m;
	u64 attr[4] = {1, 0, 0, 0}; /* MOUNT_ATTR_RDONLY */

	scratch();
	namespaces(CLONE_NEWNS);
	EQ(S(mkdirat, AT_FDCWD, "m", 0700), 0);
	fs = CONFIGURED(S(fsopen, "tmpfs", 0));
	EQ(S(fsconfig, fs, 1, "mode", "0700", 0), 0);
	EQ(S(fsconfig, fs, 6, 0, 0, 0), 0);
	m = GOOD(S(fsmount, fs, 0, 0));
	EQ(S(move_mount, m, "", AT_FDCWD, "m", 4), 0);
	GOOD(S(open_tree, AT_FDCWD, "m", 0));
	GOOD(S(fspick, AT_FDCWD, "m", 0));
	EQ(S(fspick, AT_FDCWD, "none", 0), -ENOENT);
	EQ(S(mount_setattr, AT_FDCWD, "m", 0, attr, 32), 0);
	EQ(S(openat, AT_FDCWD, "m/f", O_CREAT | O_RDWR, 0600), -EROFS);
	EQ(S(mount_setattr, AT_FDCWD, "m", 0, attr, 16), -EINVAL);
	EQ(S(umount2, "m", 2), 0);
}

CASE("CALL-040a", "fsopen fsconfig fsmount move_mount open_tree fspick", "openeuler-5.10",
     "linux 5.2 fs/fsopen.c, fs/namespace.c", "the file descriptor calls for mounting")
{
	s64 fs, m;

	scratch();
	namespaces(CLONE_NEWNS);
	EQ(S(mkdirat, AT_FDCWD, "m", 0700), 0);
	fs = CONFIGURED(S(fsopen, "tmpfs", 0));
	EQ(S(fsconfig, fs, 6, 0, 0, 0), 0);
	m = GOOD(S(fsmount, fs, 0, 0));
	EQ(S(move_mount, m, "", AT_FDCWD, "m", 4), 0);
	GOOD(S(open_tree, AT_FDCWD, "m", 0));
	GOOD(S(fspick, AT_FDCWD, "m", 0));
}

CASE("CALL-041", "pivot_root", ALL, "linux fs/namespace.c sys_pivot_root",
     "pivot_root changes the root of a mount namespace")
{
	scratch();
	namespaces(CLONE_NEWNS);
	EQ(S(pivot_root, "none", "none"), -ENOENT);
	EQ(S(mkdirat, AT_FDCWD, "m", 0700), 0);
	EQ(S(pivot_root, "m", "m"), -EINVAL); /* no mount point */
}

CASE("CALL-042", "quotactl acct swapon swapoff", ALL,
     "linux fs/quota/quota.c, kernel/acct.c, mm/swapfile.c",
     "quotas, accounting and swap are not for everybody")
{
	s64 r;

	unprivileged();
	r = S(acct, "/nonexistent");
	EITHER(r, -EPERM, -ENOSYS);
	r = S(swapon, "/nonexistent", 0);
	EITHER(r, -EPERM, -ENOSYS);
	r = S(swapoff, "/nonexistent");
	EITHER(r, -EPERM, -ENOSYS);
	r = S(quotactl, 0x80000700, "/nonexistent", 0, buf);
	if (r != -ENOSYS)
		EITHER(r, -ENOENT, -ENODEV);
}

CASE("CALL-043", "quotactl_fd", SINCE_6_6, "linux 5.14 fs/quota/quota.c sys_quotactl_fd",
     "quotactl_fd checks its descriptor")
{
	s64 r = S(quotactl_fd, -1, 0x80000700, 0, buf);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without quotas");
	EQ(r, -EBADF);
}

/* --- sockets -------------------------------------------------------------------------------------- */

/* A listening Unix socket without a file. */
static s64 listener(u8 *address, u32 *length)
{
	s64 s = GOOD(S(socket, 1, 1, 0));

	memset(address, 0, 110);
	address[0] = 1;
	*length = 2;
	EQ(S(bind, s, address, 2), 0); /* autobind */
	*length = 110;
	EQ(S(getsockname, s, address, length), 0);
	OK(*length > 2 && *length < 20 && address[0] == 1);
	EQ(S(listen, s, 5), 0);
	return s;
}

CASE("CALL-050", "socket bind listen connect accept getsockname getpeername shutdown", ALL,
     "linux net/socket.c", "a connection of Unix sockets")
{
	u8 address[110], peer[110];
	u32 length, n = 110;
	s64 l = listener(address, &length), c = GOOD(S(socket, 1, 1, 0)), a;

	EQ(S(connect, c, address, length), 0);
	a = GOOD(S(accept, l, peer, &n));
	EQ(n, 2);
	n = 110;
	EQ(S(getpeername, c, peer, &n), 0);
	EQ(n, length);
	EQ(memcmp(peer, address, n), 0);
	EQ(S(shutdown, c, 1), 0);
	EQ(S(read, a, buf, 1), 0);
	EQ(S(shutdown, c, 9), -EINVAL);
	EQ(S(getpeername, l, peer, &n), -ENOTCONN);
	EQ(S(bind, file_of(0), address, length), -ENOTSOCK);
	EQ(S(socket, 99, 1, 0), -EAFNOSUPPORT);
}

CASE("CALL-051", "accept4", ALL, "linux net/socket.c sys_accept4",
     "accept4: flags; an address that is cut")
{
	u8 address[110], peer[4] = {9, 9, 9, 9};
	u32 length, n = 1;
	s64 l = listener(address, &length), c = GOOD(S(socket, 1, 1, 0)), a;

	EQ(S(connect, c, address, length), 0);
	EQ(S(accept4, l, 0, 0, 1), -EINVAL);
	a = GOOD(S(accept4, l, peer, &n, O_NONBLOCK | O_CLOEXEC));
	EQ(n, 2);
	EQ(peer[0], 1);
	EQ(peer[1], 9);
	EQ(S(fcntl64, a, 1), 1);
	EQ(S(read, a, buf, 1), -EAGAIN);
}

CASE("CALL-052", "sendto recvfrom", ALL, "linux net/socket.c",
     "datagrams with addresses; MSG_TRUNC")
{
	u8 to[110], from[110];
	u32 length = 110, n = 110;
	s64 a = GOOD(S(socket, 1, 2, 0)), b = GOOD(S(socket, 1, 2, 0));

	memset(to, 0, 110);
	to[0] = 1;
	EQ(S(bind, a, to, 2), 0);
	EQ(S(getsockname, a, to, &length), 0);
	EQ(S(sendto, b, "hello", 5, 0, to, length), 5);
	EQ(S(recvfrom, a, buf, 2, 0x20, from, &n), 5);
	EQ(n, 0);
	EQ(memcmp(buf, "he", 2), 0);
	EQ(S(sendto, b, "hello", 5, 0, 0, 0), -ENOTCONN);
	EQ(S(recvfrom, a, buf, 2, 0x40, 0, 0), -EAGAIN);
}

/* --- io_uring ------------------------------------------------------------------------------------- */

CASE("CALL-060", "io_uring_setup io_uring_enter io_uring_register", SINCE_5_10,
     "linux 5.1 fs/io_uring.c", "io_uring: setup, registering, argument checks")
{
	s64 fd;

	memset(buf, 0, 256);
	fd = S(io_uring_setup, 4, buf);
	if (fd == -ENOSYS || fd == -EPERM)
		skip("ENOSYS: no io_uring here");
	GOOD(fd);
	OK(get32(buf) == 4 && get32(buf + 4) >= 4);
	EQ(S(io_uring_enter, fd, 0, 0, 0x80000000, 0, 0), -EINVAL);
	EQ(S(io_uring_enter, fd, 0, 0, 0, 0, 0), 0);
	OK(S(io_uring_register, fd, 999, 0, 0) < 0);
}

CASE("CALL-061", "io_pgetevents", SINCE_5_10, "linux 4.18 fs/aio.c compat_sys_io_pgetevents",
     "io_pgetevents waits by 8 bytes; its last argument is {pointer, size}")
{
	u32 context = 0, ts[2] = {0, 10000000}, sig[2] = {0, 0};

	EQ(CONFIGURED(S(io_setup, 2, &context)), 0);
	EQ(S(io_pgetevents, context, 1, 1, buf, ts, sig), 0);
	sig[0] = Z(ts);
	sig[1] = 4;
	EQ(S(io_pgetevents, context, 1, 1, buf, ts, sig), -EINVAL);
}
