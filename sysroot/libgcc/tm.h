/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for the target header that GCC's own build would generate: the
 * list of its config files for aarch64 Linux, musl by default. */
#ifndef GCC_TM_H
#define GCC_TM_H
#define TARGET_DATA_MODEL 2
#define LIBC_GLIBC        1
#define LIBC_UCLIBC       2
#define LIBC_BIONIC       3
#define LIBC_MUSL         4
#define DEFAULT_LIBC      LIBC_MUSL
#ifdef IN_GCC
# include "config/aarch64/aarch64-elf.h"
# include "config/aarch64/aarch64-errata.h"
# include "config/aarch64/aarch64-linux.h"
# include "config/aarch64/aarch64.h"
# include "config/elfos.h"
# include "config/glibc-stdint.h"
# include "config/gnu-user.h"
# include "config/initfini-array.h"
# include "config/linux.h"
# include "defaults.h"
#endif
#endif
