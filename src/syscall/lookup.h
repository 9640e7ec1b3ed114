/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that lead through links of /proc to the emulator (lookup.c). */
#ifndef SYSCALL_LOOKUP_H
#define SYSCALL_LOOKUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether the text of PATH alone is reason enough for lookup_guest(). */
bool lookup_is_suspect(const char *path);

/*
 * What PATH, a host name relative to the host's DFD, means for the guest where that is not what the host
 * finds. 0: OUT names it; -ENOSYS: the host is right; -ENOENT: a descriptor of the emulator's; -EACCES: it
 * cannot be told. FOLLOW: a final link counts for what it leads to.
 */
int64_t lookup_guest(int dfd, const char *path, bool follow, char out[PATH_MAX]);
/* The same, preceded by the question whether there can be a difference: for calls that do not learn
 * themselves which file it was. */
int64_t lookup_check(int dfd, const char *path, bool follow, char out[PATH_MAX]);

struct sys_call;

/* As openat(2) of NAME, a host name, if that can be done without a look at what was opened (open_near.c).
 * -ENOSYS: it was not opened and is to be in the other way. */
int64_t open_near(struct sys_call *c, int64_t dfd, const char *name, uint64_t flags, uint64_t mode);
/* Tasks that clone(2) makes with FLAGS may have other directories, or change ours. */
void open_near_clone(uint64_t flags);
/* The calling task's root directory may become another one. */
void open_near_never(void);

#endif
