/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynamic linker's functions, which programs have that are not statically linked: dl.c is a part of
 * each of those, not of the library. */
#ifndef CPU_DYNARMIC_DL_H
#define CPU_DYNARMIC_DL_H

#include <stdbool.h>

struct dynarmic_dl {
	void *(*open)(const char *path, int flags);
	void *(*sym)(void *handle, const char *name);
	char *(*error)(void);
};

extern const struct dynarmic_dl dynarmic_dl __attribute__((weak));

static inline bool dynarmic_dl_there(void)
{
	/* volatile: compilers take it that objects have addresses. */
	const struct dynarmic_dl *volatile dl = &dynarmic_dl;

	return dl;
}

#endif
