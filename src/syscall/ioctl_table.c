/* SPDX-License-Identifier: GPL-2.0-or-later */

#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/ioctl.h"

/* --- rows ---------------------------------------------------------------------------------------- */

#define IOC(nr, n, ...)         {.name = #n, .guest = (nr), __VA_ARGS__},
#define FAMILY(nr, n, cnt, ...) {.name = #n, .guest = (nr), .count = (cnt), __VA_ARGS__},
#define NONE                    .type = T_END
#define INT                     .type = T_INT
#define HEX                     .type = T_HEX
#define FD                      .type = T_FD
#define OPENFLAGS               .type = T_OPEN
#define IN(s)                   .type = T_IN, .st = &abi_st_##s
#define OUT(s)                  .type = T_OUT, .st = &abi_st_##s
#define INOUT(s)                .type = T_INOUT, .st = &abi_st_##s
#define RD(n)                   .type = T_BUF_OUT, .size = (n)
#define WR(n)                   .type = T_BUF_IN, .size = (n)
#define RW(n)                   .type = T_PTR, .size = (n)
#define DATA                    .type = T_PTR, .from_number = true
#define PTR(what)               .type = T_PTR, .opaque = (what)
#define OPAQUE                  .type = T_OPAQUE
#define STR                     .type = T_STR
#define REFUSED(why)            .type = T_ADDR, .refused = (why)
#define AS(nr, ...)             .host = (nr), __VA_ARGS__
#define FN(fn, ...)             .handler = ioctl_##fn, __VA_ARGS__

/* clang-format off */
const struct ioctl_row ioctl_table[] = {
#include "syscall/rows/ioctl.h"
};
/* clang-format on */
const unsigned ioctl_nrows = sizeof(ioctl_table) / sizeof(ioctl_table[0]);

/* --- names ---------------------------------------------------------------------------------------- */

#undef IOC
#undef FAMILY
#define IOC(nr, n, ...) {#n, (nr)},
#define FAMILY(nr, n, cnt, ...)

/* clang-format off */
static const struct abi_symbol names[] = {
#include "syscall/rows/ioctl.h"
	{NULL, 0},
};
/* clang-format on */
const struct abi_symbols abi_sym_ioctl_cmd = {.prefix = "_IOC", .v = names};

/* --- look-up --------------------------------------------------------------------------------------- */

/* Open addressing; more than twice as many places as rows. */
#define PLACES 4096
_Static_assert(sizeof(ioctl_table) / sizeof(ioctl_table[0]) < PLACES / 2, "enlarge PLACES");
static uint16_t place[PLACES]; /* index + 1 */

static unsigned hash(uint32_t cmd)
{
	return (cmd * 0x9e3779b1u >> 16) % PLACES;
}

/* Before main(): nobody can be killed in the middle of it and leave it undone to others. */
__attribute__((constructor)) static void fill(void)
{
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		unsigned at = hash(ioctl_table[i].guest);

		if (ioctl_table[i].count)
			continue;
		while (place[at])
			at = (at + 1) % PLACES;
		place[at] = (uint16_t)(i + 1);
	}
}

static bool in_family(const struct ioctl_row *row, uint32_t cmd)
{
	uint32_t first = row->guest;

	return ioctl_type(cmd) == ioctl_type(first) && ioctl_dir(cmd) == ioctl_dir(first) &&
	       ioctl_nr(cmd) - ioctl_nr(first) < row->count &&
	       (ioctl_size(first) == 0 || ioctl_size(cmd) == ioctl_size(first));
}

/* A structure that the profile has in another size changes the numbers that have its size in them. */
static uint32_t number_of(const struct ioctl_row *row)
{
	const struct abi_profile *modern = abi_profile_get(ABI_MODERN);

	if (!row->st || abi_is_common(row->st) ||
	    ioctl_size(row->guest) != abi_struct_in(modern, row->st->index)->gsize)
		return row->guest;
	return (row->guest & 0xc000ffff) | (uint32_t)row->st->gsize << 16;
}

const struct ioctl_row *ioctl_find(uint32_t cmd)
{
	for (unsigned at = hash(cmd); place[at]; at = (at + 1) % PLACES) {
		const struct ioctl_row *row = &ioctl_table[place[at] - 1];

		if (row->guest == cmd && number_of(row) == cmd)
			return row;
	}
	for (unsigned i = 0; abi_profile->structs && i < ioctl_nrows; i++) {
		if (number_of(&ioctl_table[i]) == cmd && !ioctl_table[i].count)
			return &ioctl_table[i];
	}
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		if (ioctl_table[i].count && in_family(&ioctl_table[i], cmd))
			return &ioctl_table[i];
	}
	return NULL;
}

uint32_t ioctl_host_number(const struct ioctl_row *row, uint32_t cmd)
{
	if (row->host)
		return row->host;
	if (row->st && ioctl_size(cmd) == row->st->gsize)
		return (cmd & 0xc000ffff) | (uint32_t)row->st->hsize << 16;
	return cmd;
}

enum sys_type ioctl_data(const struct ioctl_row *row, uint32_t cmd, unsigned *size)
{
	*size = row->st ? row->st->gsize : row->size;
	if (!row->from_number)
		return row->type;
	*size = ioctl_size(cmd);
	switch (ioctl_dir(cmd)) {
	case IOCTL_READ: return T_BUF_OUT;
	case IOCTL_WRITE: return T_BUF_IN;
	default: return T_PTR;
	}
}
