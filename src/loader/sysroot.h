/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one rule by which a name is looked up below the sysroot (-L): for programs, their interpreters and the
 * paths of system calls alike. */
#ifndef LOADER_SYSROOT_H
#define LOADER_SYSROOT_H

#include <limits.h>
#include <stdbool.h>

/*
 * The host name of the file that the absolute name PATH means when ROOT is the root directory, in OUT:
 * links with absolute targets lead to names below ROOT, at the end of the path (not without FOLLOW) and
 * within it. False if there is no such file, or ROOT is NULL or "", or the name gets too long: then PATH is
 * the host's own. OUT may not be PATH. errno is kept.
 */
bool sysroot_find(char out[PATH_MAX], const char *root, const char *path, bool follow);

/* PATH without the prefix ROOT, or NULL if it does not lie below it. */
const char *sysroot_inside(const char *path, const char *root);

#endif
