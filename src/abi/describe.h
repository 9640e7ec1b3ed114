/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a description is written (structs_*.c only):
 *
 *   #define HOST struct host_timespec
 *   DESCRIBE(timespec, 8, "linux/time_types.h", "struct __kernel_old_timespec",
 *            F(tv_sec, 0, 4, SEXT, DEC), ...)
 *   #undef HOST
 *
 * Guest offsets and sizes are numbers, because nothing that a host compiler sees has that layout;
 * host ones come from HOST. Members that no program should see in a trace are HIDE.
 */
#ifndef ABI_DESCRIBE_H
#define ABI_DESCRIBE_H

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"

#define HSIZE_(member) sizeof(((HOST *)0)->member)

/* One member: name, guest offset, guest size, rule, format. */
#define F(n, off, size, r, f, ...) F_OF(n, n, off, size, r, f, ##__VA_ARGS__)
/* The same for the host member OF: a second one, or one that libc's macros would rename. */
#define F_OF(n, of, off, size, r, f, ...)                                                      \
 {                                                                                             \
  .name = #n, .goff = (off), .gsize = (size), .hoff = offsetof(HOST, of), .hsize = HSIZE_(of), \
  .rule = ABI_##r, .fmt = ABI_##f, ##__VA_ARGS__                                               \
 }
/* COUNT elements of SIZE bytes each. */
#define F_ARRAY(n, off, size, c, r, f, ...)                                                     \
 {                                                                                              \
  .name = #n, .goff = (off), .gsize = (size), .hoff = offsetof(HOST, n), .hsize = HSIZE_(n[0]), \
  .count = (c), .rule = ABI_##r, .fmt = ABI_##f, ##__VA_ARGS__                                  \
 }
/* A member that names values or bits by a symbol table. */
#define F_SYM(n, off, size, r, s) F(n, off, size, r, SYMBOL, .symbols = &abi_sym_##s)
/* Members that stand for the whole in a trace: F with .key. */
#define F_KEY(n, off, size, r, f) F(n, off, size, r, f, .key = true)
/* A nested structure of SIZE guest bytes. */
#define F_NEST(n, off, size, s) F(n, off, size, NEST, NESTED, .sub = &abi_st_##s)
/* The only element of a structure that is a plain number. */
#define F_SELF(size, r, f)                                                            \
 {                                                                                    \
  .name = "", .gsize = (size), .hsize = sizeof(HOST), .rule = ABI_##r, .fmt = ABI_##f \
 }
/* Guest bytes without a host member. */
#define F_PAD(off, size)                                                       \
 {                                                                             \
  .name = "", .goff = (off), .gsize = (size), .rule = ABI_PAD, .fmt = ABI_HIDE \
 }
#define F_GAP(off, size, r)                                                    \
 {                                                                             \
  .name = "", .goff = (off), .gsize = (size), .rule = ABI_##r, .fmt = ABI_HIDE \
 }

/* Both sides in numbers, for structures that no code of ours looks into: their host side is the same on all hosts, and
 * tests/headers checks it like the guest's. */
#define AT(n, go, gs, ho, hs, r, f)                                                      \
 {                                                                                       \
  .name = #n, .goff = (go), .gsize = (gs), .hoff = (ho), .hsize = (hs), .rule = ABI_##r, \
  .fmt = ABI_##f                                                                         \
 }
#define AT_ARRAY(n, go, gs, ho, hs, c, r, f)                                          \
 {                                                                                    \
  .name = #n, .goff = (go), .gsize = (gs), .hoff = (ho), .hsize = (hs), .count = (c), \
  .rule = ABI_##r, .fmt = ABI_##f                                                     \
 }
#define AT_NEST(n, go, gs, ho, hs, c, s)                                              \
 {                                                                                    \
  .name = #n, .goff = (go), .gsize = (gs), .hoff = (ho), .hsize = (hs), .count = (c), \
  .rule = ABI_NEST, .fmt = ABI_NESTED, .sub = &abi_st_##s                             \
 }
/* Bits and unions without a name. */
#define AT_HIDDEN(go, gs, ho, hs)                                                         \
 {                                                                                        \
  .name = "", .goff = (go), .gsize = (gs), .hoff = (ho), .hsize = (hs), .rule = ABI_COPY, \
  .fmt = ABI_HIDE                                                                         \
 }
/* A pointer to structures S, as many as the member says that .count_field names, or .list: one. .list_out: the
 * kernel writes them. */
#define AT_LIST(n, go, ho, s, ...)                                                 \
 {                                                                                 \
  .name = #n, .goff = (go), .gsize = 4, .hoff = (ho), .hsize = 8, .rule = ABI_PTR, \
  .fmt = ABI_GPTR, .sub = &abi_st_##s, __VA_ARGS__                                 \
 }

#define DESCRIBE_AT(n, size, host_size, hdr, t, ...) \
 DESCRIBE_AT_(n, size, host_size, false, hdr, t, __VA_ARGS__)
/* The first bytes of the type T, or one member of a union in it. */
#define DESCRIBE_PART(n, size, host_size, hdr, t, ...)          \
 static const struct abi_field fields_##n[] = {__VA_ARGS__};    \
 struct abi_struct abi_st_##n = {                               \
	 .name = #n,                                            \
	 .index = ABI_INDEX_##n,                                \
	 .gsize = (size),                                       \
	 .hsize = (host_size),                                  \
	 .part = true,                                          \
	 .numbers = true,                                       \
	 .nfields = sizeof(fields_##n) / sizeof(fields_##n[0]), \
	 .fields = fields_##n,                                  \
	 .header = (hdr),                                       \
	 .type = (t),                                           \
 }
#define DESCRIBE_AT_(n, size, host_size, is_same, hdr, t, ...)         \
 static const struct abi_field fields_##n[] = {__VA_ARGS__};           \
 _Static_assert((size) <= ABI_MAX_SIZE && (host_size) <= ABI_MAX_SIZE, \
		"ABI_MAX_SIZE is too small for " #n);                  \
 struct abi_struct abi_st_##n = {                                      \
	 .name = #n,                                                   \
	 .index = ABI_INDEX_##n,                                       \
	 .gsize = (size),                                              \
	 .hsize = (host_size),                                         \
	 .same = (is_same),                                            \
	 .numbers = true,                                              \
	 .nfields = sizeof(fields_##n) / sizeof(fields_##n[0]),        \
	 .fields = fields_##n,                                         \
	 .header = (hdr),                                              \
	 .type = (t),                                                  \
 }

#define DESCRIBE_IN_(max, n, size, is_same, has_holes, hdr, t, ...)                      \
 static const struct abi_field fields_##n[] = {__VA_ARGS__};                             \
 _Static_assert((size) <= (max) && sizeof(HOST) <= (max), #max " is too small for " #n); \
 struct abi_struct abi_st_##n = {                                                        \
	 .name = #n,                                                                     \
	 .index = ABI_INDEX_##n,                                                         \
	 .gsize = (size),                                                                \
	 .hsize = sizeof(HOST),                                                          \
	 .same = (is_same),                                                              \
	 .holes = (has_holes),                                                           \
	 .nfields = sizeof(fields_##n) / sizeof(fields_##n[0]),                          \
	 .fields = fields_##n,                                                           \
	 .header = (hdr),                                                                \
	 .type = (t),                                                                    \
 }
#define DESCRIBE_(n, size, is_same, has_holes, hdr, t, ...) \
 DESCRIBE_IN_(ABI_MAX_SIZE, n, size, is_same, has_holes, hdr, t, __VA_ARGS__)
#define DESCRIBE(n, size, hdr, t, ...) DESCRIBE_(n, size, false, false, hdr, t, __VA_ARGS__)
/* Larger than ABI_MAX_SIZE: no row may name it, whose buffers have that size. */
#define DESCRIBE_LARGE(n, size, is_same, hdr, t, ...) \
 DESCRIBE_IN_(ABI_LARGE_SIZE, n, size, is_same, false, hdr, t, __VA_ARGS__)
/* The layout is the same on this host, so structures are not copied at all. */
#define DESCRIBE_SAME(n, size, hdr, t, ...)                     \
 _Static_assert(sizeof(HOST) == (size), #n " is not the same"); \
 DESCRIBE_(n, size, ABI_HOST_IS_LITTLE_ENDIAN, false, hdr, t, __VA_ARGS__)
/* With F_GAPs of the rules HOLE or LEAVE. */
#define DESCRIBE_HOLES(n, size, hdr, t, ...) DESCRIBE_(n, size, false, true, hdr, t, __VA_ARGS__)

#define ABI_HOST_IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

#endif
