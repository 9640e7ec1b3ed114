/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Behind the guest's 4 GiB: what a program or the emulator accesses there faults. For C and C++. */
#ifndef MEM_GUARD_H
#define MEM_GUARD_H

#define MEM_GUARD (1u << 20) /* bytes */

#endif
