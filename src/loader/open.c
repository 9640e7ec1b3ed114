/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What execve would run: #! levels, the kind of the final file, its interpreter. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "abi/abi.h"
#include "loader/internal.h"

#define BINFMT_MISC_DIR "/proc/sys/fs/binfmt_misc"

/* One file of the chain script -> interpreter of the script -> ... */
struct level {
	char *guest; /* its name as the guest sees it */
	char *host;  /* a name that the host finds */
	char *arg;   /* the argument on its #! line, NULL if none */
};

struct chain {
	struct level level[LOADER_MAX_SCRIPTS + 2];
	unsigned n; /* the last one is the program that runs */
};

static void free_chain(struct chain *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		free(c->level[i].guest);
		free(c->level[i].host);
		free(c->level[i].arg);
	}
}

static void free_argv(char **argv)
{
	for (char **a = argv; a && *a; a++)
		free(*a);
	free(argv);
}

void loader_free(struct loader_program *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->interp_fd >= 0)
		close(p->interp_fd);
	free_argv(p->argv);
	free(p->path);
	free(p->exe);
	free(p->interp);
	free(p->script_interp);
	free(p->execfn);
	free(p->elf);
	free(p->interp_elf);
	*p = (struct loader_program){.kind = LOADER_ERROR, .fd = -1, .interp_fd = -1};
}

/* The name that a program opened by DFD and PATH has for the kernel (bprm->filename). */
static char *exec_name(int dfd, const char *path, const char *sysroot)
{
	char *name;

	if (dfd == AT_FDCWD || path[0] == '/')
		return strdup(loader_guest_name(path, sysroot));
	if (asprintf(&name, "/dev/fd/%d%s%s", dfd, path[0] ? "/" : "", path) < 0)
		return NULL;
	return name;
}

/* Whether a script could not be opened any more by its interpreter: it has only the name of a
 * descriptor that closes. */
static bool name_vanishes(int dfd, const char *path)
{
	int flags;

	if (dfd == AT_FDCWD || path[0] == '/')
		return false;
	flags = fcntl(dfd, F_GETFD);
	return flags >= 0 && flags & FD_CLOEXEC;
}

static char *copy(const char *s)
{
	return s ? strdup(s) : NULL;
}

/*
 * argv as it reaches the last file of the chain. The interpreter is a host program or a guest's
 * (HOST), and gets the names of the scripts that it can open.
 */
static char **build_argv(const struct chain *c, char *const argv[], bool host)
{
	char nothing[] = "";
	char *const empty[] = {nothing, NULL};
	size_t n = 0, rest = 0;
	char **v;

	if (!argv || !argv[0])
		argv = abi_profile->empty_argv_string ? empty : empty + 1;
	while (argv[rest])
		rest++;
	v = calloc(rest + 2 * (size_t)c->n + 1, sizeof *v);
	if (!v)
		return NULL;
	for (unsigned i = c->n; i-- > 1;) {
		/* The interpreter is named as on the line; its scripts by the name it was found under. */
		const char *name = i == c->n - 1 || !host ? c->level[i].guest : c->level[i].host;

		v[n++] = copy(name);
		if (c->level[i - 1].arg)
			v[n++] = copy(c->level[i - 1].arg);
	}
	if (c->n > 1) {
		v[n++] = copy(host ? c->level[0].host : c->level[0].guest);
		rest -= rest > 0; /* the script's name replaces argv[0] */
		argv += argv[0] != NULL;
	}
	for (size_t i = 0; i < rest; i++)
		v[n++] = copy(argv[i]);
	for (size_t i = 0; i < n; i++)
		if (!v[i]) {
			for (size_t k = 0; k < n; k++)
				free(v[k]);
			free(v);
			return NULL;
		}
	return v;
}

/* Set-ID bits that would take effect in execve (fs/exec.c bprm_fill_uid). */
static bool changes_ids(int fd)
{
	struct statvfs vfs;
	struct stat st;

	if (fstat(fd, &st) != 0 || !(st.st_mode & (S_ISUID | S_ISGID)))
		return false;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	if (fstatvfs(fd, &vfs) == 0 && vfs.f_flag & ST_NOSUID)
		return false;
	return (st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
	       ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
		st.st_gid != getegid());
}

/* Opens and checks the interpreter of P. 0 or a positive errno. */
static int open_interp(struct loader_program *p, const char *sysroot)
{
	char why[LOADER_TEXT_SIZE / 2];
	char full[LOADER_TEXT_SIZE];
	struct loader_file f;
	struct loader_head h;
	int err;

	err = loader_find_guest(&f, p->interp, sysroot, full);
	if (err == ENOENT || err == ENOTDIR)
		return loader_fail(p->text, err, "interpreter %.300s not found (%s)", p->interp,
				   sysroot ? "neither in the sysroot nor on the host"
					   : "try -L SYSROOT");
	if (!err) {
		free(f.path);
		p->interp_fd = f.fd;
		err = loader_read_head(f.fd, &h);
		if (err)
			loader_fail(full, err, "%s", strerror(err));
		else if (h.n < sizeof(Elf32_Ehdr))
			err = loader_fail(full, EIO,
					  "truncated: ELF header of %zu bytes, the file has %zu",
					  sizeof(Elf32_Ehdr), h.n);
		else if (!loader_is_ilp32(&h)) {
			loader_describe_foreign(&h, full);
			err = ELIBBAD;
		} else
			err = loader_read_elf(f.fd, &h, ELIBBAD, &p->interp_elf, full);
	}
	if (!err)
		return 0;
	snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, full);
	return loader_fail(p->text, err, "interpreter %.200s: %s", p->interp, why);
}

/* The program behind p->fd is ILP32 by its machine and class: the rest of the checks. */
static int open_ilp32(struct loader_program *p, const struct loader_head *h, const char *sysroot)
{
	int err = loader_read_elf(p->fd, h, ENOEXEC, &p->elf, p->text);

	if (!err)
		err = loader_read_interp(p->fd, p->elf, &p->interp, p->text);
	if (!err && p->interp)
		err = open_interp(p, sysroot);
	if (!err && changes_ids(p->fd)) {
		p->setid = true;
		err = loader_fail(
			p->text, EPERM,
			"set-user-ID or set-group-ID program: the emulator cannot change ids");
	}
	if (!err)
		p->kind = LOADER_ILP32;
	return err;
}

/* Opens level N of the chain (its file is F) and follows its #! line. 0, or a positive errno. */
static int follow_scripts(struct loader_program *p, struct chain *c, struct loader_head *h,
			  const char *sysroot, bool vanishes)
{
	struct loader_script s;
	struct loader_file f;
	char why[LOADER_TEXT_SIZE];
	int err;

	for (;;) {
		struct level *l = &c->level[c->n - 1];

		err = loader_read_head(p->fd, h);
		if (err)
			return loader_fail(p->text, err, "%s", strerror(err));
		if (c->n - 1 > LOADER_MAX_SCRIPTS)
			return loader_fail(p->text, ELOOP,
					   "#! interpreters nested more than %d levels deep",
					   LOADER_MAX_SCRIPTS);
		if (!loader_is_script(h))
			return 0;
		err = loader_parse_script(h, &s, p->text);
		if (err)
			return err;
		if (vanishes)
			return loader_fail(
				p->text, ENOENT,
				"script of a close-on-exec descriptor: its interpreter could not open it");
		err = loader_find_guest(&f, s.interp, sysroot, why);
		if (err && !s.interp[0])
			return loader_fail(p->text, err, "#! line names no interpreter");
		if (err)
			return loader_fail(p->text, err, "#! interpreter %s: %.200s", s.interp,
					   why);
		close(p->fd);
		p->fd = f.fd;
		if (s.has_arg)
			l->arg = strdup(s.arg);
		l = &c->level[c->n++];
		*l = (struct level){.guest = strdup(s.interp), .host = f.path};
		if (!l->guest || (s.has_arg && !l[-1].arg))
			return loader_fail(p->text, ENOMEM, "out of memory");
	}
}

static int classify(struct loader_program *p, const struct chain *c, const struct loader_head *h,
		    const char *sysroot)
{
	const struct level *last = &c->level[c->n - 1];
	char why[LOADER_TEXT_SIZE / 2 + 1];
	int err = 0;

	if (loader_is_ilp32(h))
		err = open_ilp32(p, h, sysroot);
	else if (loader_is_host_elf(h) || loader_binfmt_misc(BINFMT_MISC_DIR, h, last->host))
		p->kind = LOADER_HOST;
	else
		err = loader_describe_foreign(h, p->text);
	if (err && c->n > 1) {
		snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, p->text);
		loader_fail(p->text, err, "#! interpreter %s: %s", last->guest, why);
	}
	return err;
}

void loader_open(struct loader_program *p, int dfd, const char *path, char *const argv[],
		 int at_flags, const char *sysroot)
{
	struct chain c = {.n = 0};
	struct loader_file f;
	struct loader_head h;
	int err;

	*p = (struct loader_program){.kind = LOADER_ERROR, .fd = -1, .interp_fd = -1};
	if (sysroot && !sysroot[0])
		sysroot = NULL;
	err = loader_find(&f, dfd, path, at_flags, sysroot, p->text);
	if (!err) {
		p->fd = f.fd;
		c.level[c.n++] =
			(struct level){.guest = exec_name(dfd, path, sysroot), .host = f.path};
		p->execfn = exec_name(dfd, path, sysroot);
		if (!c.level[0].guest || !p->execfn)
			err = loader_fail(p->text, ENOMEM, "out of memory");
	}
	if (!err)
		err = follow_scripts(p, &c, &h, sysroot, name_vanishes(dfd, path));
	if (!err)
		err = classify(p, &c, &h, sysroot);
	if (!err) {
		p->argv = build_argv(&c, argv, p->kind == LOADER_HOST);
		p->path = strdup(c.level[c.n - 1].host);
		p->exe = loader_real_path(p->fd);
		if (!p->exe)
			p->exe = strdup(c.level[c.n - 1].host);
		if (c.n > 1)
			p->script_interp = strdup(c.level[c.n - 1].guest);
		if (!p->argv || !p->path || !p->exe || (c.n > 1 && !p->script_interp))
			err = loader_fail(p->text, ENOMEM, "out of memory");
	}
	if (err) {
		p->kind = LOADER_ERROR;
		p->err = err;
	}
	free_chain(&c);
}
