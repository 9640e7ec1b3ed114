/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host system call numbers by their LP64 names, for x86-64 and arm64. Rows write HOST(name).
 * Numbers from 424 on are the same on all architectures, so those that the installed kernel headers
 * do not know yet are given here; an older kernel answers ENOSYS itself.
 */
#ifndef SYSCALL_HOSTNR_H
#define SYSCALL_HOSTNR_H

#include <asm/unistd.h>

#ifndef __NR_memfd_secret
# define __NR_memfd_secret 447
#endif
#ifndef __NR_process_mrelease
# define __NR_process_mrelease 448
#endif
#ifndef __NR_futex_waitv
# define __NR_futex_waitv 449
#endif
#ifndef __NR_set_mempolicy_home_node
# define __NR_set_mempolicy_home_node 450
#endif
#ifndef __NR_cachestat
# define __NR_cachestat 451
#endif
#ifndef __NR_fchmodat2
# define __NR_fchmodat2 452
#endif

#define HOSTNR(name) __NR_##name

#endif
