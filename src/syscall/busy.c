/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that run are not written to (ETXTBSY: get_write_access() of a file that execve has denied it). For the
 * host's kernel a guest's program is a file like others, so the processes that run here are asked what theirs are:
 * all whose descriptors the caller may see. That takes long, and only executable files as long as a program's header
 * have reason for it. What is in them is not looked at: who watches them would see it (inotify, the time of access).
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/host.h"
#include "syscall/busy.h"
#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "syscall/syscall.h"

/* Whether the process with directory NAME in /proc runs the file of ST. */
static bool runs(const char *name, const struct host_stat *st)
{
	char exe[PATH_MAX + 16];
	struct procfs_place at;
	struct task_card card;
	struct host_stat program;

	snprintf(at.name, sizeof at.name, "/proc/%s/exe", name);
	procfs_parse(&at);
	if (!procfs_card(&at, &card))
		return false;
	snprintf(exe, sizeof exe, "%s/fd/%d", at.dir, card.exe_fd);
	return sys_host(HOSTNR(newfstatat), AT_FDCWD, exe, &program, 0) == 0 &&
	       program.st_dev == st->st_dev && program.st_ino == st->st_ino;
}

static bool anybody_runs(const struct host_stat *st)
{
	_Alignas(8) char buf[4096];
	bool found = runs("self", st);
	int64_t n, dir;

	if (found)
		return true;
	dir = sys_host(HOSTNR(openat), AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (dir < 0)
		return false;
	while (!found && (n = sys_host(HOSTNR(getdents64), dir, buf, sizeof buf)) > 0) {
		for (int64_t at = 0; at < n && !found;) {
			const struct host_dirent64 *d = (const void *)(buf + at);

			found = d->d_name[0] >= '1' && d->d_name[0] <= '9' && runs(d->d_name, st);
			at += d->d_reclen;
		}
	}
	sys_host(HOSTNR(close), dir);
	return found;
}

bool busy_program(int dfd, const char *path)
{
	struct host_stat st;

	/* Whoever may not write is told so first. */
	return sys_host(HOSTNR(newfstatat), dfd, path, &st, 0) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mode & 0111) && st.st_size >= (int64_t)sizeof(Elf32_Ehdr) &&
	       anybody_runs(&st) &&
	       sys_host(HOSTNR(faccessat2), dfd, path, 2 /* W_OK */, AT_EACCESS) == 0;
}
