/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and opening a program: names, permissions, sysroot (fs/exec.c do_open_execat). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "loader/internal.h"
#include "loader/sysroot.h"

char *loader_real_path(int fd)
{
	char link[32], path[4096];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path);
	if (n <= 0 || (size_t)n == sizeof path)
		return NULL;
	return strndup(path, (size_t)n);
}

/* Text for what looking up a name gives. */
static int lookup_failed(int err, char text[LOADER_TEXT_SIZE])
{
	switch (err) {
	case ENOENT: return loader_fail(text, err, "no such file");
	case EACCES:
		return loader_fail(text, err,
				   "permission denied: a directory of the path cannot be searched");
	case ELOOP: return loader_fail(text, err, "too many symbolic links");
	default: return loader_fail(text, err, "%s", strerror(err));
	}
}

/* Opens the file behind HANDLE for reading. Its name was PATH below DFD, "" if there is none. -1 with
 * errno. */
static int reopen(int handle, int dfd, const char *path)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	struct stat a, b;
	char link[32];
	int fd, mode;

	snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
	fd = open(link, flags);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	/* Without /proc: the descriptor itself will do if it can be read, or the name if that is still
	 * the same file. */
	mode = fcntl(handle, F_GETFL);
	if (mode >= 0 && !(mode & O_PATH) && (mode & O_ACCMODE) != O_WRONLY)
		return fcntl(handle, F_DUPFD_CLOEXEC, 0);
	fd = path[0] ? openat(dfd, path, flags) : -1;
	if (fd < 0 || (fstat(fd, &a) == 0 && fstat(handle, &b) == 0 && a.st_dev == b.st_dev &&
		       a.st_ino == b.st_ino))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

/*
 * Whether somebody has the file open for writing (execve: ETXTBSY). The kernel grants a read lease
 * only if nobody has. Only the owner may ask and not every file system answers; then execve's answer
 * is not known and the file counts as idle. Should a writer come in between lease and release, it
 * waits for the release, and the signal about it is SIGURG, which is ignored by default.
 */
static bool busy(int fd)
{
	bool is_busy;

	if (fcntl(fd, F_SETSIG, SIGURG) != 0)
		return false;
	is_busy = fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	fcntl(fd, F_SETSIG, 0);
	return is_busy;
}

/* Checks what HANDLE (O_PATH) refers to and opens it. Takes HANDLE over. */
static int check_and_open(struct loader_file *f, int handle, int dfd, const char *path,
			  char text[LOADER_TEXT_SIZE])
{
	struct statvfs vfs;
	struct stat st;
	int err;

	if (fstat(handle, &st) != 0)
		err = lookup_failed(errno, text);
	else if (S_ISLNK(st.st_mode))
		err = loader_fail(text, ELOOP,
				  "is a symbolic link, which AT_SYMLINK_NOFOLLOW forbids");
	else if (S_ISDIR(st.st_mode))
		err = loader_fail(text, EACCES, "is a directory");
	else if (!S_ISREG(st.st_mode))
		err = loader_fail(text, EACCES, "is not a regular file");
	else if (fstatvfs(handle, &vfs) == 0 && vfs.f_flag & ST_NOEXEC)
		err = loader_fail(text, EACCES, "lies on a file system mounted noexec");
	else if (faccessat(handle, "", X_OK, AT_EACCESS | AT_EMPTY_PATH) != 0 && errno == EACCES)
		err = loader_fail(text, EACCES, "no execute permission");
	else if ((f->fd = reopen(handle, dfd, path)) < 0)
		err = loader_fail(text, errno, "%s",
				  errno == EACCES ? "no read permission, which emulation needs"
						  : strerror(errno));
	else if (busy(f->fd))
		err = loader_fail(text, ETXTBSY, "is open for writing");
	else
		err = 0;
	close(handle);
	if (err && f->fd >= 0) {
		close(f->fd);
		f->fd = -1;
	}
	return err;
}

const char *loader_guest_name(const char *path, const char *sysroot)
{
	const char *name = sysroot_inside(path, sysroot);

	return name ? name : path;
}

int loader_find(struct loader_file *f, int dfd, const char *path, int at_flags, const char *sysroot,
		char text[LOADER_TEXT_SIZE])
{
	int flags = O_PATH | O_CLOEXEC | (at_flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0);
	const char *inside = sysroot_inside(path, sysroot);
	char target[PATH_MAX];
	bool named = path[0] && (dfd == AT_FDCWD || path[0] == '/');
	int handle, err;

	*f = (struct loader_file){.fd = -1};
	if (path[0] == '\0' && at_flags & AT_EMPTY_PATH)
		handle = fcntl(dfd, F_DUPFD_CLOEXEC, 0);
	else
		handle = openat(dfd, path, flags);
	/* An absolute link inside the sysroot means the sysroot's file, not the host's. */
	if (handle < 0 && errno == ENOENT && inside && !(at_flags & AT_SYMLINK_NOFOLLOW) &&
	    sysroot_find(target, sysroot, inside, true)) {
		path = target;
		handle = open(path, flags);
	}
	if (handle < 0)
		return lookup_failed(errno, text);
	err = check_and_open(f, handle, dfd, path, text);
	if (err)
		return err;
	f->path = named ? NULL : loader_real_path(f->fd);
	/* Without /proc the name that was asked for has to do. */
	if (!f->path)
		f->path = strdup(path);
	if (f->path)
		return 0;
	close(f->fd);
	f->fd = -1;
	return loader_fail(text, ENOMEM, "out of memory");
}

int loader_find_guest(struct loader_file *f, const char *path, const char *sysroot,
		      char text[LOADER_TEXT_SIZE])
{
	char target[PATH_MAX];

	/* Only system calls refuse an empty name; inside the kernel it is the current directory. */
	if (path[0] == '\0')
		path = ".";
	return loader_find(f, AT_FDCWD, sysroot_find(target, sysroot, path, true) ? target : path,
			   0, NULL, text);
}
