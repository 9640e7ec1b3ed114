/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of /proc that show the emulator where the guest has to see itself: which they are, and
 * what the guest gets instead. The host opens the file first, so that whoever may not gets the
 * kernel's own answer; then a sealed copy with the guest's text takes its place. The copy is named
 * after the file, by which fstat(2), readlink(2) and lseek(2) know it.
 */
#include "syscall/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "trace/trace.h"

/* What a text's memfd is called; the kernel puts "/memfd:" in front and GONE behind. */
#define NAME_PREFIX "ilp32run:"
#define LINK_PREFIX "/memfd:" NAME_PREFIX
#define GONE        " (deleted)"
/* In the name of what stands for memory, between the file's name and a number of the program that has it. */
#define MARK_PROGRAM '@'

struct file {
	const char *name;     /* below /proc, or below the directory of a process or thread */
	procfs_text_fn *text; /* NULL: refused, because it shows or opens the emulator's memory */
	bool global;          /* /proc/NAME, otherwise a file of a process or thread */
	bool native;          /* the host shows the guest's already, see task_card_make() */
	bool sizes_only; /* if the guest's are not known, the host's text is better than none */
	bool memory;     /* procfs_mem.c */
};

static const struct file files[] = {
	{.name = "auxv", .text = procfs_auxv, .native = true},
	{.name = "cmdline", .text = procfs_cmdline, .native = true},
	{.name = "environ", .text = procfs_environ, .native = true},
	{.name = "maps", .text = procfs_maps},
	{.name = "smaps", .text = procfs_smaps},
	{.name = "stat", .text = procfs_stat, .sizes_only = true},
	{.name = "statm", .text = procfs_statm, .sizes_only = true},
	{.name = "status", .text = procfs_status, .sizes_only = true},
	{.name = "cpuinfo", .text = procfs_cpuinfo, .global = true},
	{.name = "sys/kernel/arch", .text = procfs_arch, .global = true},
	{.name = "map_files"},
	{.name = "mem", .memory = true},
	{.name = "numa_maps"},
	{.name = "pagemap", .memory = true},
	{.name = "smaps_rollup"},
	{.name = "syscall"},
};

static bool is_global(const char *name, const char *file)
{
	size_t n = strlen(name), k = strlen(file);

	return n > k && name[n - k - 1] == '/' && strcmp(name + n - k, file) == 0;
}

static bool same_end(const char *name, const char *file)
{
	const char *a = strrchr(name, '/'), *b = strrchr(file, '/');

	return strcmp(a ? a + 1 : name, b ? b + 1 : file) == 0;
}

/* The file that AT->name is; takes the name apart if it may be one. */
static const struct file *find_file(struct procfs_place *at)
{
	bool parsed = false;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct file *f = &files[i];

		if (!same_end(at->name, f->name))
			continue;
		if (!parsed)
			procfs_parse(at);
		parsed = true;
		if (f->global ? !at->dir[0] && is_global(at->name, f->name)
			      : at->dir[0] && strcmp(at->rest, f->name) == 0)
			return f;
	}
	return NULL;
}

/* --- whose text ------------------------------------------------------------------------------------------- */

/* Reads what another process has to show. 0 or -errno. */
static int64_t open_other(struct procfs_source *s)
{
	char path[PATH_MAX + 8];
	int64_t fd;

	if (!task_card_same_build(&s->card))
		return -EACCES;
	snprintf(path, sizeof path, "%s/mem", s->at->dir);
	fd = sys_host(HOSTNR(openat), AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return -EACCES;
	if ((int64_t)s->card.process > 0 && pread((int)fd, &s->process, sizeof s->process,
						  (off_t)s->card.process) == sizeof s->process)
		s->view = mem_view_other(&s->card.mem, (int)fd, s->at->dir);
	sys_host(HOSTNR(close), fd);
	return s->view ? 0 : -EACCES;
}

/*
 * The guest's text of AT, which is F: malloc'ed. -ENOSYS: the host's is right. -EACCES: it cannot be
 * given.
 */
static int64_t make_text(const struct file *f, const struct procfs_place *at, char **text,
			 size_t *len)
{
	struct procfs_source s = {.at = at};
	int64_t r = 0;

	if (f->global || at->own)
		s.self = task_self;
	if (!f->global && !procfs_card(at, &s.card) && !at->own)
		return -ENOSYS;
	if (f->native && (at->own ? task_card_native() : s.card.native))
		return -ENOSYS;
	if (f->text && !s.self)
		r = f->native ? -EACCES : open_other(&s);
	if (r && f->sizes_only) {
		diag_unsupported("procfs", (uint64_t)(f - files),
				 "%s: its sizes are those of the emulator", at->name);
		return -ENOSYS;
	}
	if (!f->text || r) {
		diag_unsupported("procfs", (uint64_t)(f - files), "%s: not available", at->name);
		return -EACCES;
	}
	*text = f->text(&s, len);
	mem_view_free(s.view);
	return *text ? 0 : -ENOMEM;
}

/* --- the copy ------------------------------------------------------------------------------------------------ */

static bool opened_any;
static uint64_t memfd_device;

static int64_t fill(int fd, const char *text, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = pwrite(fd, text + done, len - done, (off_t)done);

		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return ftruncate(fd, (off_t)len) ? -errno : 0;
}

/* It stays empty. */
static int64_t sealed(int fd)
{
	return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)
		       ? -errno
		       : 0;
}

static int64_t reopen(int fd, int flags)
{
	char link[32];

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	return sys_host(HOSTNR(openat), AT_FDCWD, link, flags, 0);
}

/* A descriptor for TEXT with FLAGS of open(2), or -errno. Not to be written to. */
static int64_t open_text(const char *file, const char *text, size_t len, int flags)
{
	char name[240];
	struct host_stat st;
	int fd;
	int64_t r;

	if (snprintf(name, sizeof name, NAME_PREFIX "%s", file) >= (int)sizeof name)
		return -ENAMETOOLONG;
	fd = memfd_create(name, MFD_CLOEXEC | (text ? 0 : MFD_ALLOW_SEALING));
	if (fd < 0)
		return -errno;
	r = text ? fill(fd, text, len) : sealed(fd);
	if (!r && sys_host(HOSTNR(fstat), fd, &st) == 0)
		memfd_device = st.st_dev;
	if (!r)
		r = reopen(fd, flags & (O_ACCMODE | O_CLOEXEC));
	close(fd);
	opened_any = true;
	return r;
}

/* Where the mark is in the N bytes of NAME; N: nowhere. No file with a text of ours has one in its last component. */
static size_t mark_in(const char *name, size_t n)
{
	size_t i = n;

	while (i && name[i - 1] != '/' && name[i - 1] != MARK_PROGRAM)
		i--;
	return i && name[i - 1] == MARK_PROGRAM ? i - 1 : n;
}

bool procfs_text_link(char *link, size_t *len)
{
	const size_t prefix = sizeof LINK_PREFIX - 1, suffix = sizeof GONE - 1;

	if (*len <= prefix + suffix || memcmp(link, LINK_PREFIX, prefix) != 0 ||
	    memcmp(link + *len - suffix, GONE, suffix) != 0)
		return false;
	*len -= prefix + suffix;
	memmove(link, link + prefix, *len);
	*len = mark_in(link, *len);
	return true;
}

/* The file whose text is behind FD. False: it is no such text. */
static bool text_of_fd(int fd, char name[PATH_MAX])
{
	size_t len;

	if (!procfs_name(fd, name))
		return false;
	len = strlen(name);
	if (!procfs_text_link(name, &len))
		return false;
	name[len] = '\0';
	return true;
}

bool procfs_stands_for_memory(int fd, struct procfs_place *at, uint64_t *program)
{
	const struct file *f;
	struct host_stat st;

	if (sys_host(HOSTNR(fstat), fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 0 ||
	    st.st_size != 0 || !procfs_name(fd, at->name))
		return false;
	const size_t mark = mark_in(at->name, strlen(at->name));
	*program = at->name[mark] ? strtoull(at->name + mark + 1, NULL, 16) : 0;
	if (!text_of_fd(fd, at->name))
		return false;
	f = find_file(at);
	return f && f->memory;
}

void procfs_fix_stat(int fd, struct host_stat *st)
{
	char name[PATH_MAX];

	if (!S_ISREG(st->st_mode) || (memfd_device && st->st_dev != memfd_device) ||
	    st->st_nlink != 0 || !text_of_fd(fd, name))
		return;
	if (sys_host(HOSTNR(newfstatat), AT_FDCWD, name, st, 0) == 0)
		return;
	/* The process is gone. */
	st->st_mode = S_IFREG | 0444;
	st->st_size = st->st_blocks = 0;
	st->st_blksize = 1024;
}

void procfs_rewound(int fd)
{
	struct procfs_place at;
	const struct file *f;
	struct host_stat st;
	size_t len = 0;
	char *text;

	if (!opened_any || sys_host(HOSTNR(fstat), fd, &st) || st.st_dev != memfd_device ||
	    !text_of_fd(fd, at.name))
		return;
	f = find_file(&at);
	if (!f || f->memory || make_text(f, &at, &text, &len))
		return;
	int64_t rw = reopen(fd, O_RDWR | O_CLOEXEC);
	if (rw >= 0) {
		fill((int)rw, text, len);
		sys_host(HOSTNR(close), rw);
	}
	free(text);
}

/* --- opening ---------------------------------------------------------------------------------------------- */

static bool is_hidden_info(struct procfs_place *at)
{
	struct task_card card;

	if (!strstr(at->name, "/fdinfo/"))
		return false;
	procfs_parse(at);
	return strncmp(at->rest, "fdinfo/", 7) == 0 && procfs_card(at, &card) &&
	       procfs_is_hidden(&card, at->rest + 7);
}

/* What the guest gets for AT, opened with FLAGS: a descriptor, -errno, or -ENOSYS: what the host gave. */
static int64_t view(struct procfs_place *at, int flags)
{
	const struct file *f = find_file(at);
	size_t len = 0;
	char *text;
	int64_t r;

	if (!f)
		return is_hidden_info(at) ? -ENOENT : -ENOSYS;
	if (f->memory) {
		struct task_card card;

		if (!procfs_card(at, &card))
			return -ENOSYS;
		len = strlen(at->name);
		snprintf(at->name + len, sizeof at->name - len, "%c%" PRIx64, MARK_PROGRAM,
			 card.made);
		return open_text(at->name, NULL, 0, flags);
	}
	r = make_text(f, at, &text, &len);
	if (r)
		return r;
	r = (flags & O_ACCMODE) == O_RDONLY ? open_text(at->name, text, len, flags) : -EACCES;
	free(text);
	return r;
}

int64_t procfs_opened(int64_t fd, int flags)
{
	struct procfs_place at;
	int64_t r;

	if (flags & O_PATH)
		return fd;
	task_spare_begin();
	r = procfs_name((int)fd, at.name) ? view(&at, flags) : -ENOSYS;
	task_spare_end();
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

/* --- the link exe -------------------------------------------------------------------------------------- */

/* The place of the link that PATH is; an empty path means DFD itself. -ENOSYS: it is not on a procfs.
 * -EACCES: whose it is cannot be told, for our root directory has no /proc. */
static int64_t link_place(int dfd, const char *path, struct procfs_place *at)
{
	struct host_stat st;
	int64_t fd = dfd, r = -ENOSYS;

	if (*path)
		fd = sys_host(HOSTNR(openat), dfd, path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
	if (fd == -EMFILE) {
		task_spare_begin();
		fd = sys_host(HOSTNR(openat), dfd, path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
		task_spare_end();
	}
	if (fd >= 0 && sys_host(HOSTNR(fstat), fd, &st) == 0 && S_ISLNK(st.st_mode) &&
	    procfs_is((int)fd, &st))
		r = procfs_name((int)fd, at->name) ? 0 : -EACCES;
	if (*path && fd >= 0)
		sys_host(HOSTNR(close), fd);
	if (!r)
		procfs_parse(at);
	return r;
}

int64_t procfs_link(int dfd, const char *path, char *buf, size_t size)
{
	char exe[PATH_MAX + 16];
	struct procfs_place at;
	struct task_card card;

	int64_t r = link_place(dfd, path, &at);

	if (r)
		return r;
	if (!procfs_card(&at, &card))
		return -ENOSYS;
	if (strncmp(at.rest, "fd/", 3) == 0)
		return procfs_is_hidden(&card, at.rest + 3) ? -ENOENT : -ENOSYS;
	if (strncmp(at.rest, "map_files/", 10) == 0)
		return -EACCES;
	if (strcmp(at.rest, "exe") != 0)
		return -ENOSYS;
	snprintf(exe, sizeof exe, "%s/fd/%d", at.dir, card.exe_fd);
	return sys_host(HOSTNR(readlinkat), AT_FDCWD, exe, buf, size);
}

/* --- directories ------------------------------------------------------------------------------------------- */

/* Of a record, which is the same in both ABIs. */
enum {
	D_RECLEN = offsetof(struct host_dirent64, d_reclen),
	D_NAME = offsetof(struct host_dirent64, d_name),
	RECORD = 280,
};

/* The record at G, of which LEFT bytes are there, with a name that ends. The guest may change it meanwhile.
 * Its length, or 0. */
static unsigned read_record(uint8_t *record, gaddr g, int64_t left)
{
	size_t n = left < RECORD ? (size_t)left : RECORD;

	if (n <= D_NAME || mem_copy_in(record, g, n))
		return 0;
	unsigned len = record[D_RECLEN] | (unsigned)record[D_RECLEN + 1] << 8;
	if (len <= D_NAME || len > n)
		return 0;
	record[len - 1] = '\0';
	return len;
}

static bool all_digits(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

/* Whether the records can be of a directory fd, fdinfo, or task: names are numbers or dots. */
static bool may_list_numbers(gaddr g, int64_t n)
{
	uint8_t record[RECORD];
	unsigned len;

	for (int64_t at = 0; at < n; at += len) {
		const char *name = (const char *)record + D_NAME;

		len = read_record(record, (gaddr)(g + at), n - at);
		if (!len || (name[0] != '.' && !all_digits(name)))
			return false;
	}
	return true;
}

/* What a directory of /proc is not to show. */
struct omitted {
	struct task_card card; /* its descriptors */
	char helper[16];       /* a thread of the emulator, in decimal */
};

/* The thread of process AT that is no task of its guest; 0: none. */
static pid_t helper_of(const struct procfs_place *at)
{
	struct procfs_source s = {.at = at};
	pid_t helper;

	if (at->own)
		return task_helper(task_self->process);
	if (!procfs_card(at, &s.card) || open_other(&s))
		return 0;
	helper = s.process.helper;
	mem_view_free(s.view);
	return helper;
}

/* Whether FD is a directory of which something is not to be shown. */
static bool lists_omitted(int fd, struct omitted *o)
{
	struct procfs_place at;
	struct host_stat st;
	pid_t helper;

	if (sys_host(HOSTNR(fstat), fd, &st) || !S_ISDIR(st.st_mode) || !procfs_is(fd, &st) ||
	    !procfs_name(fd, at.name))
		return false;
	procfs_parse(&at);
	o->helper[0] = '\0';
	if (strcmp(at.rest, "task") == 0) {
		helper = helper_of(&at);
		snprintf(o->helper, sizeof o->helper, "%d", helper);
		return helper;
	}
	return (strcmp(at.rest, "fd") == 0 || strcmp(at.rest, "fdinfo") == 0) &&
	       procfs_card(&at, &o->card);
}

static bool is_omitted(const struct omitted *o, const char *name)
{
	return o->helper[0] ? strcmp(name, o->helper) == 0 : procfs_is_hidden(&o->card, name);
}

int64_t procfs_filter(int fd, gaddr g, int64_t n)
{
	uint8_t record[RECORD];
	struct omitted omitted;
	int64_t to = 0;
	unsigned len;

	if (!may_list_numbers(g, n) || !lists_omitted(fd, &omitted))
		return n;
	for (int64_t from = 0; from < n; from += len) {
		len = read_record(record, (gaddr)(g + from), n - from);
		if (!len)
			return -EFAULT;
		if (is_omitted(&omitted, (const char *)record + D_NAME))
			continue;
		if (to != from && mem_copy_out((gaddr)(g + to), record, len))
			return -EFAULT;
		to += len;
	}
	return to;
}
