/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of ioctl(2) share; the list of commands is rows/ioctl.h. */
#ifndef SYSCALL_IOCTL_H
#define SYSCALL_IOCTL_H

#include "syscall/syscall.h"

struct ioctl_row;
typedef int64_t ioctl_handler(struct sys_call *c, const struct ioctl_row *row);

struct ioctl_row {
	const char *name;
	uint32_t guest;      /* number */
	uint32_t host;       /* 0: see ioctl_host_number() */
	uint16_t count;      /* of a family; 0: one command */
	uint16_t size;       /* of data without description, in bytes; 0: see the number */
	uint8_t type;        /* enum sys_type of the third argument; T_END: none */
	bool from_number;    /* direction and size of the data are in the number */
	const char *opaque;  /* of unknown size: what the data are, see sys_arg.opaque */
	const char *refused; /* why the host is not asked */
	const struct abi_struct *st;
	ioctl_handler *handler; /* NULL: the argument is converted by its type */
};

extern const struct ioctl_row ioctl_table[];
extern const unsigned ioctl_nrows;

/* The fields of a number (asm-generic/ioctl.h). */
static inline unsigned ioctl_nr(uint32_t cmd)
{
	return cmd & 0xff;
}
static inline unsigned ioctl_type(uint32_t cmd)
{
	return cmd >> 8 & 0xff;
}
static inline unsigned ioctl_size(uint32_t cmd)
{
	return cmd >> 16 & 0x3fff;
}
enum { IOCTL_WRITE = 1, IOCTL_READ = 2 }; /* from the program's side */
static inline unsigned ioctl_dir(uint32_t cmd)
{
	return cmd >> 30;
}

/* The row of the guest's number CMD, or NULL. */
const struct ioctl_row *ioctl_find(uint32_t cmd);
/* What the host calls command CMD of ROW. */
uint32_t ioctl_host_number(const struct ioctl_row *row, uint32_t cmd);
/* The type of the data that ROW's argument points to, or of its value; *SIZE in bytes, 0: unknown. */
enum sys_type ioctl_data(const struct ioctl_row *row, uint32_t cmd, unsigned *size);

/* The host's command of ROW with an argument that is ready for it. */
int64_t ioctl_host(struct sys_call *c, const struct ioctl_row *row, uint64_t arg);
/* ENOTTY, and one line with WHY (the row's, or a handler's that found data which cannot be carried over). */
int64_t ioctl_refuse(struct sys_call *c, const struct ioctl_row *row, const char *why);
/* The command of ROW, whose argument is a structure to be converted as described. */
int64_t ioctl_struct(struct sys_call *c, const struct ioctl_row *row);
/* Descriptors in HOST, of structure ST, that are the emulator's own become -1, which none is. */
void ioctl_hide_reserved(const struct abi_struct *st, void *host);

/* Declares the handlers that rows name. */
#define IOC(nr, n, ...)       __VA_ARGS__
#define FAMILY(nr, n, c, ...) __VA_ARGS__
#define NONE
#define INT
#define HEX
#define FD
#define OPENFLAGS
#define IN(s)
#define OUT(s)
#define INOUT(s)
#define RD(n)
#define WR(n)
#define RW(n)
#define DATA
#define PTR(what)
#define OPAQUE
#define STR
#define REFUSED(why)
#define AS(nr, ...)
#define FN(fn, ...) ioctl_handler ioctl_##fn;
#include "syscall/rows/ioctl.h"
#undef IOC
#undef FAMILY
#undef NONE
#undef INT
#undef HEX
#undef FD
#undef OPENFLAGS
#undef IN
#undef OUT
#undef INOUT
#undef RD
#undef WR
#undef RW
#undef DATA
#undef PTR
#undef OPAQUE
#undef STR
#undef REFUSED
#undef AS
#undef FN

#endif
