/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ABI profiles and structure descriptions. A structure that crosses the boundary is described once,
 * here, as data; conversion in both directions, strace printing, layout checks and the ABI table
 * all read that description. Profiles differ in facts (profile_fields.h), not in descriptions.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- profiles --------------------------------------------------------------------------------- */

enum abi_profile_id {
	ABI_AMPERE_4_14,
	ABI_OPENEULER_5_10,
	ABI_OPENEULER_6_6,
	ABI_MODERN,
	ABI_PROFILES,
};
#define ABI_BIT(id) (1u << (id))
#define ABI_ALL     ((1u << ABI_PROFILES) - 1)

/* UTS_MACHINE of the guest's kernel. */
#define ABI_MACHINE "aarch64"

/* Sets of profiles by age, for rows. */
#define ABI_SINCE_6_6  (ABI_BIT(ABI_OPENEULER_6_6) | ABI_BIT(ABI_MODERN))
#define ABI_SINCE_5_10 (ABI_BIT(ABI_OPENEULER_5_10) | ABI_SINCE_6_6)

/* A mask that takes nothing away. */
#define ABI_ANY (~0ull)

/*
 * Behaviour that differs between profiles and is not a table row: the members are profile_fields.h's.
 * Nothing else may ask which profile it is (but abi_in(), for rows that name theirs): a fact without a
 * member gets one.
 */
struct abi_profile {
	enum abi_profile_id id; /* whose rows it has */
	const char *name;
#define FLAG(field, a, b, c, d, text)   bool field;
#define NUMBER(field, a, b, c, d, text) uint64_t field;
#define MASK(field, a, b, c, d, text)   uint64_t field;
#include "abi/profile_fields.h"
#undef FLAG
#undef NUMBER
#undef MASK
};

/* The members as data, in order: to print them, and to set them by name. */
enum abi_profile_kind { ABI_FLAG, ABI_NUMBER, ABI_MASK };
struct abi_profile_field {
	const char *name;
	enum abi_profile_kind kind; /* FLAG: a bool, else uint64_t */
	size_t offset;              /* in struct abi_profile */
	const char *text;
};
extern const struct abi_profile_field abi_profile_fields[];
extern const size_t abi_nprofile_fields;
uint64_t abi_profile_value(const struct abi_profile *p, const struct abi_profile_field *f);

/* The profile in force; set once at start-up. Never NULL. */
extern const struct abi_profile *abi_profile;
/* Whether it is in a row's set of ABI_BIT(). */
static inline bool abi_in(unsigned profiles)
{
	return profiles & ABI_BIT(abi_profile->id);
}
/* The profile of that name ("modern", "v9", ...), or NULL. */
const struct abi_profile *abi_find(const char *name);
/* Selects by name ("modern", "v9", ...). False if there is none. */
bool abi_select(const char *name);
/* "ampere-4.14, ..., v9": for --help. */
const char *abi_profile_names(void);
const struct abi_profile *abi_profile_get(enum abi_profile_id id);

/* --- structures ------------------------------------------------------------------------------- */

/* How a field is carried over (convert.c relies on the order of the first four). Sizes of both sides are in the field. */
enum abi_rule {
	ABI_COPY,  /* bytes (same size both sides) */
	ABI_ZEXT,  /* in: zero-extend; out: truncate silently */
	ABI_SEXT,  /* in: sign-extend; out: truncate silently */
	ABI_ALIAS, /* out only: a second copy of the same host field (stat's old 32-bit inode) */
	ABI_OVFL,  /* as ZEXT, but out: EOVERFLOW if bits are lost */
	ABI_SOVFL, /* as SEXT, but out: EOVERFLOW above the guest type's maximum (flock's l_start) */
	ABI_CLAMP,  /* as SEXT, but out: limited to the guest type's maximum (flock's l_len) */
	ABI_UCLAMP, /* as ZEXT, but out: limited to the signed maximum (shminfo's shmmax) */
	ABI_ONES, /* as COPY, but out: EOVERFLOW if above 32 bits and not all ones (statfs's f_files) */
	ABI_HIGH, /* out only: upper half of the host field, or zero, see ipc_time_high */
	ABI_PTR,  /* in: guest pointer to host pointer (0 stays NULL); out: host pointer to guest */
	ABI_PAD,  /* in: ignored; out: written as zero */
	ABI_HOLE, /* in: ignored; out: untouched if the profile copies_fields, else zero */
	ABI_LEAVE, /* in: ignored; out: untouched */
	ABI_NEST,  /* by the description in field.sub */
};

/* How a field is printed by strace output. */
enum abi_fmt {
	ABI_DEC,
	ABI_UDEC,
	ABI_HEX,
	ABI_OCT,
	ABI_DEVICE,
	ABI_MODE,
	ABI_STRING, /* NUL-terminated text of gsize bytes */
	ABI_BYTES,
	ABI_SOCKADDR,
	ABI_GPTR,
	ABI_HIDE, /* not shown */
	ABI_SIGNAL,
	ABI_SIGMASK,
	ABI_NESTED, /* field.sub describes it */
	ABI_SYMBOL, /* field.symbols names values or bits */
};

struct abi_symbol { /* a name for a value; tables end with name NULL */
	const char *name;
	uint64_t value;
};

struct abi_symbols {
	const char *prefix; /* shown before an unknown value, "O_" say */
	bool is_mask;       /* bits to be OR-ed, or one value */
	uint64_t enum_mask; /* is_mask: these bits hold one value (O_ACCMODE) */
	const struct abi_symbol *v;
};

struct abi_struct;
struct abi_field {
	const char *name;        /* the kernel's, except for PAD and HOLE */
	uint16_t goff, gsize;    /* guest (ILP32) offset and size of one element in bytes */
	uint16_t hoff, hsize;    /* host offset and size of one element */
	uint16_t count;          /* of elements; 0 means 1 */
	uint8_t rule;            /* enum abi_rule */
	uint8_t fmt;             /* enum abi_fmt */
	bool key;                /* strace shows only these, if a structure has any */
	bool list, list_out;     /* PTR: see AT_LIST of describe.h */
	const char *count_field; /* a list's, or NULL */
	const struct abi_struct *sub;
	const struct abi_symbols *symbols;
};

struct abi_struct {
	const char *name;
	uint16_t gsize; /* bytes the kernel reads or writes in the guest; never more is touched */
	uint16_t hsize;
	bool same;    /* identical layout on this host: zero-copy */
	bool holes;   /* has HOLE or LEAVE: written in pieces */
	bool numbers; /* host offsets are numbers too, the same on all hosts */
	uint16_t nfields;
	const struct abi_field *fields;
	const char
		*header;  /* kernel UAPI header and type that have this layout when compiled for */
	const char *type; /* ILP32; NULL: none has, the layout is from the 4.14 compat code */
};

/* All descriptions, for checks and the ABI table. */
extern const struct abi_struct *const abi_structs[];
extern const size_t abi_nstructs;
const struct abi_struct *abi_struct_find(const char *name);

/* The largest hsize and gsize of all descriptions: what a buffer for any of them must hold. */
#define ABI_MAX_SIZE 608

/* A host address that no kernel accepts: it answers EFAULT at the place in its own order of checks
 * where it looks at it. */
#define ABI_BAD_POINTER 0xffff800000000000ull

/* Converts one structure. GUEST is a byte array of gsize bytes in emulator memory (copied in
 * before, copied out after). Host padding is zeroed. to_guest: 0 or -EOVERFLOW. */
void abi_to_host(const struct abi_struct *s, void *host, const void *guest);
int abi_to_guest(const struct abi_struct *s, void *guest, const void *host);

/* copy-in + convert, convert + copy-out. 0, -EFAULT, -EOVERFLOW. */
int abi_read(const struct abi_struct *s, void *host, uint32_t guest);
int abi_write(const struct abi_struct *s, uint32_t guest, const void *host);

/* Unsigned integer of SIZE bytes (1, 2, 4, 8) at P: guest order (little-endian) and host order. */
uint64_t abi_load_guest(const void *p, unsigned size);
uint64_t abi_load_host(const void *p, unsigned size);

/* Little-endian accessors for guest structures that code builds by hand (sigframe, auxv, core). */
static inline void abi_put32(void *p, uint32_t v)
{
	uint8_t *b = p;
	b[0] = (uint8_t)v, b[1] = (uint8_t)(v >> 8), b[2] = (uint8_t)(v >> 16),
	b[3] = (uint8_t)(v >> 24);
}
static inline uint32_t abi_get32(const void *p)
{
	const uint8_t *b = p;
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline void abi_put64(void *p, uint64_t v)
{
	abi_put32(p, (uint32_t)v);
	abi_put32((uint8_t *)p + 4, (uint32_t)(v >> 32));
}
static inline uint64_t abi_get64(const void *p)
{
	return abi_get32(p) | (uint64_t)abi_get32((const uint8_t *)p + 4) << 32;
}

#endif
