/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links of /proc that lead to the emulator: "exe" of a guest process is the guest's program, and the
 * emulator's descriptors are not there. They can be reached by any chain of links, relative to any
 * directory. So the host kernel looks a name up as it is, and only if what it found is a file that the
 * emulator hides, or the name says so, lookup_guest() walks the name component by component.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "syscall/hostnr.h"
#include "syscall/lookup.h"
#include "syscall/procfs.h"
#include "syscall/syscall.h"

#define MAX_LINKS 40 /* as the kernel: MAXSYMLINKS */

bool lookup_is_suspect(const char *path)
{
	static const char *const words[] = {"/exe", "/fd", "/map_files"};

	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strstr(path, words[i]))
			return true;
	}
	return false;
}

/* What a link of a procfs is for the guest. */
enum kind { AS_IT_IS, GUEST_EXE, HIDDEN, REFUSED };

/* LINK is open (O_PATH) on the link COMPONENT. OUT gets where GUEST_EXE is to be found instead. */
static enum kind kind_of_link(int link, const char *component, char out[PATH_MAX])
{
	struct procfs_place at;
	struct task_card card;

	if (!procfs_name(link, at.name)) {
		/* No /proc in our root directory: whose it is cannot be told. */
		return strcmp(component, "exe") == 0 || (*component >= '0' && *component <= '9')
			       ? REFUSED
			       : AS_IT_IS;
	}
	procfs_parse(&at);
	if (strcmp(at.rest, "exe") == 0) {
		if (!procfs_card(&at, &card))
			return AS_IT_IS;
		if (card.exe_fd < 0 ||
		    snprintf(out, PATH_MAX, "%s/fd/%d", at.dir, card.exe_fd) >= PATH_MAX)
			return REFUSED;
		return GUEST_EXE;
	}
	if (strncmp(at.rest, "fd/", 3) == 0)
		return procfs_card(&at, &card) && procfs_is_hidden(&card, at.rest + 3) ? HIDDEN
										       : AS_IT_IS;
	if (strncmp(at.rest, "map_files/", 10) == 0)
		return procfs_card(&at, &card) ? REFUSED : AS_IT_IS;
	return AS_IT_IS;
}

/* The same for other objects: FILE is open on one. */
static enum kind kind_of_file(int file, const struct host_stat *st)
{
	struct procfs_place at;
	struct task_card card;

	if (!S_ISREG(st->st_mode) || !procfs_is(file, st) || !procfs_name(file, at.name))
		return AS_IT_IS;
	procfs_parse(&at);
	return strncmp(at.rest, "fdinfo/", 7) == 0 && procfs_card(&at, &card) &&
			       procfs_is_hidden(&card, at.rest + 7)
		       ? HIDDEN
		       : AS_IT_IS;
}

static int64_t open_path(int dfd, const char *path, int flags)
{
	return sys_host(HOSTNR(openat), dfd, path, O_PATH | O_CLOEXEC | flags, 0);
}

static void close_fd(int64_t fd)
{
	if (fd >= 0)
		sys_host(HOSTNR(close), fd);
}

struct walk {
	int64_t cur; /* directory so far */
	char rest[2 * PATH_MAX], component[NAME_MAX + 2];
	unsigned links;
	bool follow, last, trailing;
	int64_t result; /* set by whoever ends the walk */
	char *out;
};

/* Takes the next component off W->rest. False: there is none. */
static bool next_component(struct walk *w)
{
	const char *p = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(p, "/");
	const char *behind = p + n + strspn(p + n, "/");

	if (!n || n > NAME_MAX)
		return false;
	memcpy(w->component, p, n);
	w->component[n] = '\0';
	w->last = !*behind;
	w->trailing = p[n] == '/';
	memmove(w->rest, behind, strlen(behind) + 1);
	return true;
}

static void enter(struct walk *w, int64_t fd)
{
	close_fd(w->cur);
	w->cur = fd;
}

/* An ordinary symbolic link is put in front of what is left. True: the walk goes on. */
static bool expand_link(struct walk *w, int64_t link)
{
	char target[PATH_MAX];
	int64_t n = sys_host(HOSTNR(readlinkat), link, "", target, sizeof target - 1);

	if (n <= 0 || ++w->links > MAX_LINKS)
		return false;
	target[n] = '\0';
	size_t left = strlen(w->rest), slash = w->trailing || left;
	if ((size_t)n + slash + left >= sizeof w->rest)
		return false;
	memmove(w->rest + n + slash, w->rest, left + 1);
	if (slash)
		w->rest[n] = '/';
	memcpy(w->rest, target, (size_t)n);
	if (target[0] == '/')
		enter(w, open_path(AT_FDCWD, "/", 0));
	return w->cur >= 0;
}

static bool at_proc_link(struct walk *w, int64_t link)
{
	char target[PATH_MAX];
	enum kind kind = kind_of_link((int)link, w->component, target);

	switch (kind) {
	case HIDDEN: w->result = -ENOENT; return false;
	case REFUSED:
		w->result = w->last && !w->follow && !w->trailing ? -ENOSYS : -EACCES;
		return false;
	case GUEST_EXE:
		if (w->last && !w->follow && !w->trailing)
			return false;
		if (snprintf(w->out, PATH_MAX, "%s%s%s", target, w->trailing || !w->last ? "/" : "",
			     w->rest) >= PATH_MAX)
			w->result = -ENAMETOOLONG;
		else
			w->result = 0;
		return false;
	case AS_IT_IS: break;
	}
	if (w->last && !w->follow && !w->trailing)
		return false;
	enter(w, open_path((int)w->cur, w->component, 0));
	return w->cur >= 0;
}

static bool step(struct walk *w)
{
	struct host_stat st;
	int64_t fd = open_path((int)w->cur, w->component, O_NOFOLLOW);
	bool more;

	if (fd < 0) {
		if (fd == -EMFILE || fd == -ENFILE)
			w->result = fd;
		return false;
	}
	if (sys_host(HOSTNR(fstat), fd, &st)) {
		close_fd(fd);
		return false;
	}
	if (!S_ISLNK(st.st_mode)) {
		if (w->last && kind_of_file((int)fd, &st) == HIDDEN) {
			w->result = -ENOENT;
			close_fd(fd);
			return false;
		}
		enter(w, fd);
		return true;
	}
	if (procfs_is((int)fd, &st))
		more = at_proc_link(w, fd);
	else
		more = (!w->last || w->follow || w->trailing) && expand_link(w, fd);
	close_fd(fd);
	return more;
}

/* -EMFILE: the table is full, so it is not known. */
static int64_t walk(int dfd, const char *path, bool follow, char out[PATH_MAX])
{
	struct walk w = {.follow = follow, .result = -ENOSYS};

	w.out = out;
	memcpy(w.rest, path, strlen(path) + 1);
	w.cur = path[0] == '/' ? open_path(AT_FDCWD, "/", 0) : open_path(dfd, ".", 0);
	while (w.cur >= 0 && next_component(&w) && step(&w))
		;
	if (w.cur == -EMFILE || w.cur == -ENFILE)
		return w.cur;
	close_fd(w.cur);
	return w.result;
}

int64_t lookup_guest(int dfd, const char *path, bool follow, char out[PATH_MAX])
{
	int64_t r;

	if (strlen(path) >= PATH_MAX)
		return -ENOSYS;
	r = walk(dfd, path, follow, out);
	if (r == -EMFILE) {
		task_spare_begin();
		r = walk(dfd, path, follow, out);
		task_spare_end();
	}
	return r;
}

int64_t lookup_check(int dfd, const char *path, bool follow, char out[PATH_MAX])
{
	struct host_stat st;

	if (!lookup_is_suspect(path) &&
	    (!follow || sys_host(HOSTNR(newfstatat), dfd, path, &st, 0) ||
	     !task_fd_is_hidden_object(st.st_dev, st.st_ino)))
		return -ENOSYS;
	return lookup_guest(dfd, path, follow, out);
}
