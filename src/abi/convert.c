/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interpreter of structure descriptions. */
#include <errno.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/structs.h"
#include "mem/mem.h"

#define ENTRY(name) &abi_st_##name,
struct abi_struct *const abi_structs[] = {ABI_STRUCTS(ENTRY)};
#undef ENTRY
const size_t abi_nstructs = sizeof(abi_structs) / sizeof(abi_structs[0]);

const struct abi_struct *abi_struct_find(const char *name)
{
	for (size_t i = 0; i < abi_nstructs; i++) {
		if (strcmp(abi_structs[i]->name, name) == 0)
			return abi_structs[i];
	}
	return NULL;
}

const struct abi_field *abi_member(const struct abi_struct *s, const char *name)
{
	static const struct abi_field nothing = {.name = ""};

	for (unsigned i = 0; i < s->nfields; i++) {
		if (strcmp(s->fields[i].name, name) == 0)
			return &s->fields[i];
	}
	return &nothing;
}

/* Offset of a member of ucontext, as ILP32 or LP64 has it. */
static unsigned of_ucontext(const char *member)
{
	const struct abi_field *f = abi_member(&abi_st_ucontext, member);

	return abi_profile->lp64_frame ? f->hoff : f->goff;
}

unsigned abi_frame_stack(void)
{
	return abi_member(&abi_st_rt_sigframe, "uc")->goff + of_ucontext("uc_stack.ss_sp");
}

/* Profiles may have another stack_t than ucontext was described with. */
unsigned abi_frame_mask(void)
{
	return abi_frame_stack() + abi_st_stack_t.gsize;
}

unsigned abi_frame_mcontext(void)
{
	return (abi_frame_mask() + 128 + 15) / 16 * 16;
}

unsigned abi_frame_size(void)
{
	return abi_frame_mcontext() + abi_st_sigcontext.gsize;
}

/* --- integers ------------------------------------------------------------------------------- */

static inline uint64_t load(const void *p, unsigned size)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	switch (size) {
	case 1: return *(const uint8_t *)p;
	case 2: memcpy(&v16, p, 2); return v16;
	case 4: memcpy(&v32, p, 4); return v32;
	default: memcpy(&v64, p, 8); return v64;
	}
}

static inline void store(void *p, unsigned size, uint64_t v)
{
	uint16_t v16 = (uint16_t)v;
	uint32_t v32 = (uint32_t)v;

	switch (size) {
	case 1: *(uint8_t *)p = (uint8_t)v; break;
	case 2: memcpy(p, &v16, 2); break;
	case 4: memcpy(p, &v32, 4); break;
	default: memcpy(p, &v, 8); break;
	}
}

/* Guest bytes are little-endian. */
static inline uint64_t guest_order(uint64_t v, unsigned size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	(void)size;
	return v;
#else
	return __builtin_bswap64(v) >> (64 - 8 * size);
#endif
}

static inline uint64_t load_guest(const void *p, unsigned size)
{
	return guest_order(load(p, size), size);
}

static inline void store_guest(void *p, unsigned size, uint64_t v)
{
	store(p, size, guest_order(v, size));
}

uint64_t abi_load_guest(const void *p, unsigned size)
{
	return load_guest(p, size);
}

uint64_t abi_load_host(const void *p, unsigned size)
{
	return load(p, size);
}

static inline uint64_t sign_extend(uint64_t v, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return (uint64_t)((int64_t)(v << shift) >> shift);
}

/* Largest value of a signed integer of SIZE bytes. */
static inline int64_t signed_max(unsigned size)
{
	return (int64_t)(UINT64_MAX >> (65 - 8 * size));
}

/* On a little-endian host the low bytes of a value are its first ones, so a field that is only
 * widened with zeros or cut is a copy of the guest's size. */
#define IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

static inline void copy(void *to, const void *from, unsigned size)
{
	if (size == 4)
		memcpy(to, from, 4);
	else if (size == 8)
		memcpy(to, from, 8);
	else
		memcpy(to, from, size);
}

static bool is_integer(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* --- guest to host ---------------------------------------------------------------------------- */

/* Members of 64 bits may hold what no 32-bit program can address: the host refuses it then. */
static uint64_t host_pointer(uint64_t g)
{
	if (g >= MEM_SPACE)
		return ABI_BAD_POINTER;
	return g ? (uint64_t)(uintptr_t)mem_host((gaddr)g) : 0;
}

static void field_to_host(const struct abi_field *f, uint8_t *h, const uint8_t *g)
{
	switch ((enum abi_rule)f->rule) {
	case ABI_COPY:
		if (is_integer(f->gsize))
			store(h, f->hsize, load_guest(g, f->gsize));
		else
			memcpy(h, g, f->gsize);
		break;
	case ABI_ONES:
	case ABI_OVFL:
	case ABI_UCLAMP:
	case ABI_UWIDE:
	case ABI_SWIDE:
	case ABI_ZEXT: store(h, f->hsize, load_guest(g, f->gsize)); break;
	case ABI_SOVFL:
	case ABI_CLAMP:
	case ABI_SEXT: store(h, f->hsize, sign_extend(load_guest(g, f->gsize), f->gsize)); break;
	case ABI_PTR: store(h, 8, host_pointer(load_guest(g, f->gsize))); break;
	case ABI_NEST: abi_to_host(f->sub, h, g); break;
	case ABI_PAD:
	case ABI_HOLE:
	case ABI_LEAVE:
	case ABI_HIGH:
	case ABI_ALIAS: break;
	}
}

void abi_to_host(const struct abi_struct *s, void *host, const void *guest)
{
	const struct abi_field *end = s->fields + s->nfields;

	if (s->same) {
		memcpy(host, guest, s->gsize);
		return;
	}
	memset(host, 0, s->hsize);
	for (const struct abi_field *f = s->fields; f < end; f++) {
		uint8_t *h = (uint8_t *)host + f->hoff;
		const uint8_t *g = (const uint8_t *)guest + f->goff;

		if (IS_LITTLE_ENDIAN && f->rule <= ABI_ZEXT && !f->count) {
			copy(h, g, f->gsize);
			continue;
		}
		field_to_host(f, h, g);
		for (unsigned i = 1; i < f->count; i++)
			field_to_host(f, h += f->hsize, g += f->gsize);
	}
}

/* --- host to guest ---------------------------------------------------------------------------- */

static int field_to_guest(const struct abi_field *f, uint8_t *g, const uint8_t *h)
{
	uint64_t v;
	int64_t max;
	gaddr a;

	switch ((enum abi_rule)f->rule) {
	case ABI_COPY:
		if (is_integer(f->gsize))
			store_guest(g, f->gsize, load(h, f->hsize));
		else
			memcpy(g, h, f->gsize);
		break;
	case ABI_SWIDE: store_guest(g, f->gsize, sign_extend(load(h, f->hsize), f->hsize)); break;
	case ABI_ZEXT:
	case ABI_SEXT:
	case ABI_UWIDE:
	case ABI_ALIAS: store_guest(g, f->gsize, load(h, f->hsize)); break;
	case ABI_OVFL:
		v = load(h, f->hsize);
		if (f->gsize < 8 && v >> (8 * f->gsize))
			return -EOVERFLOW;
		store_guest(g, f->gsize, v);
		break;
	case ABI_ONES:
		v = load(h, f->hsize);
		if (v >> 32 && v != UINT64_MAX)
			return -EOVERFLOW;
		store_guest(g, f->gsize, v);
		break;
	case ABI_SOVFL:
	case ABI_CLAMP:
		v = sign_extend(load(h, f->hsize), f->hsize);
		max = signed_max(f->gsize);
		if ((int64_t)v > max) {
			if (f->rule == ABI_SOVFL)
				return -EOVERFLOW;
			v = (uint64_t)max;
		}
		store_guest(g, f->gsize, v);
		break;
	case ABI_UCLAMP:
		v = load(h, f->hsize);
		max = signed_max(f->gsize);
		store_guest(g, f->gsize, v > (uint64_t)max ? (uint64_t)max : v);
		break;
	case ABI_HIGH:
		v = abi_profile->ipc_time_high ? load(h, f->hsize) >> 32 : 0;
		store_guest(g, f->gsize, v);
		break;
	case ABI_PTR:
		v = load(h, 8);
		store_guest(g, f->gsize, mem_from_host((const void *)(uintptr_t)v, &a) ? a : 0);
		break;
	case ABI_NEST: return abi_to_guest(f->sub, g, h);
	case ABI_PAD:
	case ABI_LEAVE:
	case ABI_HOLE: memset(g, 0, f->gsize); break;
	}
	return 0;
}

int abi_to_guest(const struct abi_struct *s, void *guest, const void *host)
{
	const struct abi_field *end = s->fields + s->nfields;

	if (s->same) {
		memcpy(guest, host, s->gsize);
		return 0;
	}
	for (const struct abi_field *f = s->fields; f < end; f++) {
		const uint8_t *h = (const uint8_t *)host + f->hoff;
		uint8_t *g = (uint8_t *)guest + f->goff;
		int err;

		if (IS_LITTLE_ENDIAN && f->rule <= ABI_ALIAS && !f->count) {
			copy(g, h, f->gsize);
			continue;
		}
		err = field_to_guest(f, g, h);
		for (unsigned i = 1; i < f->count && !err; i++)
			err = field_to_guest(f, g += f->gsize, h += f->hsize);
		if (err)
			return err;
	}
	return 0;
}

/* --- with copies ------------------------------------------------------------------------------ */

int abi_read(const struct abi_struct *s, void *host, uint32_t guest)
{
	uint8_t buf[ABI_LARGE_SIZE];

	if (s->same)
		return mem_copy_in(host, guest, s->gsize);
	if (mem_copy_in(buf, guest, s->gsize))
		return -EFAULT;
	abi_to_host(s, host, buf);
	return 0;
}

/* Copies out all of BUF except the holes, in ascending order as the kernel does. */
static int write_around_holes(const struct abi_struct *s, uint32_t guest, const uint8_t *buf)
{
	unsigned from = 0;

	if (guest + (uint64_t)s->gsize > MEM_SPACE)
		return -EFAULT;
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		if (f->rule != ABI_LEAVE && !(f->rule == ABI_HOLE && abi_profile->copies_fields))
			continue;
		if (mem_copy_out(guest + from, buf + from, f->goff - from))
			return -EFAULT;
		from = f->goff + f->gsize;
	}
	return mem_copy_out(guest + from, buf + from, s->gsize - from);
}

int abi_write(const struct abi_struct *s, uint32_t guest, const void *host)
{
	uint8_t buf[ABI_LARGE_SIZE];
	int err;

	if (s->same)
		return mem_copy_out(guest, host, s->gsize);
	err = abi_to_guest(s, buf, host);
	if (err)
		return err;
	if (s->holes)
		return write_around_holes(s, guest, buf);
	return mem_copy_out(guest, buf, s->gsize);
}
