/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ABI profiles and structure descriptions. A structure that crosses the boundary is described once,
 * here, as data; conversion in both directions, strace printing, layout checks and the ABI table
 * all read that description. Profiles differ in facts (profile_fields.h), in which row of the system call table
 * a number has, and in members of structures (profile_file.c).
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

/* Numbers that a profile can give to calls. */
#define ABI_NUMBERS 2048

/* A mask that takes nothing away. */
#define ABI_ANY (~0ull)

/*
 * Behaviour that differs between profiles and is not a table row: the members are profile_fields.h's.
 * Nothing else may ask which profile it is (but abi_in(), for rows that name theirs): a fact without a
 * member gets one.
 */
struct abi_profile {
	enum abi_profile_id id; /* whose rows it has, but for CALLS */
	const char *name;
	/* What a profile file says that is no fact: numbers with another row, or none, and for each of
	 * abi_structs[] its own description, NULL: the common one. */
	const struct abi_call_change *calls;
	size_t ncalls;
	const struct abi_struct **structs; /* NULL: all are the common ones */
	const struct abi_profile
		*base; /* of a file: the profile that it changes, whose descriptions it shares */
#define FLAG(field, a, b, c, d, text)   bool field;
#define NUMBER(field, a, b, c, d, text) uint64_t field;
#define MASK(field, a, b, c, d, text)   uint64_t field;
#include "abi/profile_fields.h"
#undef FLAG
#undef NUMBER
#undef MASK
};

struct abi_call_change {
	uint16_t nr;
	uint16_t line; /* of the file that says so */
	char name[48]; /* of the row; "": no call has the number */
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
void abi_profile_set_value(struct abi_profile *p, const struct abi_profile_field *f, uint64_t v);

/* The profile in force; set once at start-up. Never NULL. */
extern const struct abi_profile *abi_profile;
/* Whether it is in a row's set of ABI_BIT(). */
static inline bool abi_in(unsigned profiles)
{
	return profiles & ABI_BIT(abi_profile->id);
}
#define ABI_WHY 256

/*
 * The profile that TEXT means: a name ("modern", "v9", ...), a profile file, which is a path with a slash or one that
 * ends in ".abi", or what abi_profile_text() gave. NULL: there is none, and WHY (may be NULL) has a line for the user,
 * for a file with its name and line. It stays valid; the same TEXT gives the same profile.
 */
const struct abi_profile *abi_find(const char *text, char why[ABI_WHY]);
/* Makes it the profile in force: not with guest threads about. */
void abi_use(const struct abi_profile *p);
/* Both. False: there is none. */
bool abi_select(const char *text);
/* Counts abi_use(): who keeps what follows from the profile looks here whether it is still right. */
extern unsigned abi_generation;
/* For a later abi_find() in another process, which may not see the file any more: the text that was TEXT, or
 * the whole file. As long-lived as the profile. */
const char *abi_profile_text(const char *text);
/* "ampere-4.14, ..., v9": for --help. */
const char *abi_profile_names(void);
/* Those of the rows' sets. */
const struct abi_profile *abi_profile_get(enum abi_profile_id id);
/* All that are built in, those first: NULL behind the last. */
const struct abi_profile *abi_profile_builtin(unsigned i);
/* The line of P's file that says something of call number NR: "FILE:LINE". */
void abi_profile_place(const struct abi_profile *p, unsigned line, char place[ABI_WHY]);

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
	ABI_UWIDE, /* wider here than on the host. in: cut; out: zero-extended */
	ABI_SWIDE, /* the same, out: sign-extended */
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
	ABI_FD,     /* a descriptor, which must not be one of the emulator's own */
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
	uint16_t index; /* in abi_structs[] */
	uint16_t gsize; /* bytes the kernel reads or writes in the guest; never more is touched */
	uint16_t hsize;
	bool same;    /* identical layout on this host: zero-copy */
	bool holes;   /* has HOLE or LEAVE: written in pieces */
	bool numbers; /* host offsets are numbers too, the same on all hosts */
	bool part;    /* TYPE is larger: what some calls have of it */
	uint16_t nfields;
	const struct abi_field *fields;
	const char
		*header;  /* kernel UAPI header and type that have this layout when compiled for */
	const char *type; /* ILP32; NULL: none has, the layout is from the 4.14 compat code */
};

/* All descriptions, for checks and the ABI table. */
extern struct abi_struct *const abi_structs[];
extern const size_t abi_nstructs;
/* How P has structure I of abi_structs[], whatever profile is in force. */
const struct abi_struct *abi_struct_in(const struct abi_profile *p, size_t i);
/* To how many bytes a compiler aligns S. */
unsigned abi_alignment(const struct abi_struct *s);
/* Whether the profile in force leaves S, one of those, as it is in all others. */
bool abi_is_common(const struct abi_struct *s);
/* The member NAME of S as S is now; one of no bytes if it has none. */
const struct abi_field *abi_member(const struct abi_struct *s, const char *name);
const struct abi_struct *abi_struct_find(const char *name);

/*
 * Offsets in rt_sigframe of parts of its ucontext, in the profile in force, and its size. The kernel's is longer than
 * the records in it need. (arch/arm64/kernel/signal.c, signal_ilp32.c)
 */
unsigned abi_frame_stack(void);
unsigned abi_frame_mask(void);
unsigned abi_frame_mcontext(void); /* fault_address */
unsigned abi_frame_size(void);

/* The largest hsize and gsize of all descriptions that rows name: what a buffer for any of them must hold; and that of
 * all others. */
#define ABI_MAX_SIZE   608
#define ABI_LARGE_SIZE 4704

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
