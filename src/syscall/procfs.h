/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the guest's /proc view share. */
#ifndef SYSCALL_PROCFS_H
#define SYSCALL_PROCFS_H

#include <limits.h>
#include <stddef.h>

#include "abi/host.h"
#include "task/card.h"
#include "task/task.h"

/* --- where an object of a procfs is (procfs_place.c) ---------------------------------------------- */

struct procfs_place {
	char dir[PATH_MAX]; /* the directory of its process or thread; "" if it is of none */
	const char
		*rest; /* its name in there: "exe", "fd/7"; of the whole name if there is no DIR */
	pid_t pid,
		tid; /* as the name says; 0: it does not. tid is the pid in a process's directory */
	bool own;    /* of the calling process */
	char name[PATH_MAX];
};

/* Whether FD, of which ST is what fstat says, is on a procfs. */
bool procfs_is(int fd, const struct host_stat *st);
/* The name that the object behind FD has for the kernel, "/proc/7/maps". False: it cannot be told. */
bool procfs_name(int fd, char name[PATH_MAX]);
/* Takes the name AT->name apart. */
void procfs_parse(struct procfs_place *at);
/* The card of the process that AT is of. False: it does not run under ilp32run, or we may not look. */
bool procfs_card(const struct procfs_place *at, struct task_card *card);
/* Whether descriptor NUMBER (text) of the card's process is the emulator's own. */
bool procfs_is_hidden(const struct task_card *card, const char *number);

/* Whether FD is what a guest has for the file "mem" of a process, which is put into *AT; MADE of the card that it had when
 * the file was opened, into *PROGRAM. */
bool procfs_stands_for_memory(int fd, struct procfs_place *at, uint64_t *program);

/* --- texts (procfs_text.c) -------------------------------------------------------------------------- */

/* Whose text: a thread of this process, or of another one that runs ilp32run. */
struct procfs_source {
	struct task *self; /* of this process; NULL: of another */
	const struct procfs_place *at;
	struct task_card card;  /* of another */
	struct process process; /* its copy; pointers are the other's */
	struct mem_view *view;
};

/* The text of a file: malloc'ed, its length in *LEN. NULL when out of memory. */
typedef char *procfs_text_fn(const struct procfs_source *s, size_t *len);

procfs_text_fn procfs_auxv, procfs_cmdline, procfs_cpuinfo, procfs_environ, procfs_maps,
	procfs_smaps, procfs_stat, procfs_statm, procfs_status, procfs_arch;

#endif
