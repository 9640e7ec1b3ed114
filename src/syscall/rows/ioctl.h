/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All ioctls that are known: the only list. No include guard: ioctl_table.c makes the table and the
 * names for strace from it, ioctl.h the declarations of the handlers.
 *
 *   IOC(number, name, argument)
 *   FAMILY(number, name, count, argument)   count commands in a row; a size of 0 stands for any
 *
 * The number is the one that ILP32 programs use; the size in it is that of their structures. The
 * argument is
 *
 *   NONE                       not looked at
 *   INT HEX FD OPENFLAGS       a value
 *   IN(st) OUT(st) INOUT(st)   pointer to a structure that abi/structs.h names; where the number holds
 *                              its size, the host's number holds the host's
 *   RD(n) WR(n) RW(n)          pointer to n bytes (perhaps followed by more) that are written, read or
 *                              both, of the same layout on the host and free of addresses
 *   DATA                       the same, direction and size being in the number
 *   PTR("what")                the same, direction and size being unknown; what the data are
 *   OPAQUE                     pointer that only the handler understands
 *   REFUSED("why")             the host is not asked: ENOTTY, and a line that says why
 *   STR                        pointer to a string
 *   AS(number, argument)       the host knows the command by another number
 *   FN(fn, argument)           handler ioctl_fn; the argument is for strace
 *
 * Whoever adds a row has to look for addresses inside the data, 64-bit ones too: the host would take
 * them for its own. And for descriptors, which could be the emulator's: members of the format FD of a structure.
 */
#include "syscall/rows/ioctl_block.h"
#include "syscall/rows/ioctl_bus.h"
#include "syscall/rows/ioctl_device.h"
#include "syscall/rows/ioctl_drm.h"
#include "syscall/rows/ioctl_file.h"
#include "syscall/rows/ioctl_media.h"
#include "syscall/rows/ioctl_net.h"
#include "syscall/rows/ioctl_sound.h"
#include "syscall/rows/ioctl_tty.h"
#include "syscall/rows/ioctl_vt.h"
