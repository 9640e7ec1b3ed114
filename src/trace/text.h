/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounded text that strace output is built in, and how values are written into it. */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"

struct text {
	char *buf; /* NUL-terminated */
	size_t cap, len;
};

/* What does not fit is dropped; the text then ends in what did. */
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_str(struct text *t, const char *s);

/* A string as strace quotes it: escapes, at most LIMIT bytes, then "...". MORE: there were more bytes
 * than N to show. */
void text_quoted(struct text *t, const void *bytes, size_t n, size_t limit, bool more);
/* A value by its table: its name, names of bits joined with |, the rest as a number. */
void text_symbol(struct text *t, const struct abi_symbols *s, uint64_t value);
/* "S_IFREG|0644". */
void text_mode(struct text *t, uint32_t mode);
/* "makedev(0x8, 0x1)": new_encode_dev() of 32 bits, or its 64-bit form. */
void text_dev(struct text *t, uint64_t dev);
/* "[INT CHLD RT_1]", or "~[...]" of what is missing when that is shorter. */
void text_sigset(struct text *t, uint64_t set);
/* "{tv_sec=1, tv_nsec=0}" of the ILP32 structure S at GUEST (emulator memory). */
void text_struct(struct text *t, const struct abi_struct *s, const uint8_t *guest);
/* Those of its members that lie in the first N bytes. */
void text_struct_part(struct text *t, const struct abi_struct *s, const uint8_t *guest, size_t n);

/* "{sa_family=AF_INET, ...}" of the N bytes, at least two, of a socket address. */
void text_sockaddr(struct text *t, const uint8_t *a, size_t n);

/* How many bytes of a buffer or string are shown, as strace's -s. */
#define TEXT_STRING_LIMIT 32

#endif
