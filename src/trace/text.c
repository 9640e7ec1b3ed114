/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi/symbols.h"
#include "trace/trace.h"

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (t->len + 1 >= t->cap)
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, t->cap - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len = t->len + (size_t)n < t->cap ? t->len + (size_t)n : t->cap - 1;
}

void text_str(struct text *t, const char *s)
{
	text_printf(t, "%s", s);
}

static void put_byte(struct text *t, uint8_t c, bool digit_follows)
{
	static const char escapes[] = "\tt\nn\vv\ff\rr\"\"\\\\";
	const char *e = c ? strchr(escapes, c) : NULL;

	/* The pairs stand at even places; an odd one is the letter of a pair. */
	if (e && (e - escapes) % 2 == 0)
		text_printf(t, "\\%c", e[1]);
	else if (c >= 0x20 && c < 0x7f)
		text_printf(t, "%c", c);
	else
		text_printf(t, digit_follows ? "\\%03o" : "\\%o", c);
}

void text_quoted(struct text *t, const void *bytes, size_t n, size_t limit, bool more)
{
	const uint8_t *b = bytes;

	if (n > limit) {
		n = limit;
		more = true;
	}
	text_str(t, "\"");
	for (size_t i = 0; i < n; i++)
		put_byte(t, b[i], i + 1 < n && b[i + 1] >= '0' && b[i + 1] <= '9');
	text_str(t, more ? "\"..." : "\"");
}

/* An unknown value: the number, with a comment that says what it is not. */
static void unknown(struct text *t, const struct abi_symbols *s, uint64_t value)
{
	text_printf(t, "%#llx", (unsigned long long)value);
	if (s->prefix)
		text_printf(t, " /* %s??? */", s->prefix);
}

static void symbol_bits(struct text *t, const struct abi_symbols *s, uint64_t value)
{
	uint64_t rest = value & ~s->enum_mask;
	bool any = false;

	if (s->enum_mask) {
		const char *name = abi_symbol_name(s, value & s->enum_mask);

		if (name)
			text_str(t, name);
		else if (value & s->enum_mask)
			text_printf(t, "%#llx", (unsigned long long)(value & s->enum_mask));
		any = name || (value & s->enum_mask);
	}
	for (const struct abi_symbol *v = s->v; v->name && rest; v++) {
		if (!(v->value & ~s->enum_mask) || (v->value & s->enum_mask) ||
		    (rest & v->value) != v->value)
			continue;
		text_printf(t, any ? "|%s" : "%s", v->name);
		rest &= ~v->value;
		any = true;
	}
	if (rest && any)
		text_printf(t, "|%#llx", (unsigned long long)rest);
	else if (rest)
		unknown(t, s, rest);
	else if (!any)
		text_str(t, abi_symbol_name(s, 0) ? abi_symbol_name(s, 0) : "0");
}

void text_symbol(struct text *t, const struct abi_symbols *s, uint64_t value)
{
	const char *name;

	if (s->is_mask) {
		symbol_bits(t, s, value);
		return;
	}
	name = abi_symbol_name(s, value);
	if (name)
		text_str(t, name);
	else
		unknown(t, s, value);
}

void text_mode(struct text *t, uint32_t mode)
{
	const char *type =
		mode & 0170000 ? abi_symbol_name(&abi_sym_file_mode, mode & 0170000) : NULL;

	if (type)
		text_printf(t, "%s|", type);
	else if (mode & 0170000)
		text_printf(t, "%#o|", mode & 0170000);
	for (const struct abi_symbol *v = abi_sym_file_mode.v; v->name; v++) {
		if (!(v->value & 0170000) && (mode & v->value))
			text_printf(t, "%s|", v->name);
	}
	text_printf(t, "%#03o", mode & 0777);
}

void text_dev(struct text *t, uint64_t dev)
{
	/* major: bits 8-19 and 32-63; minor: bits 0-7 and 20-31. */
	text_printf(t, "makedev(%#x, %#x)",
		    (unsigned)((dev >> 8 & 0xfff) | (dev >> 32 & 0xfffff000)),
		    (unsigned)((dev & 0xff) | (dev >> 12 & 0xffffff00)));
}

void text_sigset(struct text *t, uint64_t set)
{
	bool invert = __builtin_popcountll(set) > 48;
	bool any = false;

	text_str(t, invert ? "~[" : "[");
	if (invert)
		set = ~set;
	for (int s = 1; s <= 64; s++) {
		char name[16];

		if (!(set >> (s - 1) & 1))
			continue;
		const char *full = trace_signal_name(s, name);
		text_printf(t, any ? " %s" : "%s", full + (strncmp(full, "SIG", 3) == 0 ? 3 : 0));
		any = true;
	}
	text_str(t, "]");
}

/* --- structures ---------------------------------------------------------------------------------- */

static int64_t sign_extend(uint64_t v, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(v << shift) >> shift;
}

static void number(struct text *t, const struct abi_field *f, const uint8_t *g)
{
	uint64_t v = abi_load_guest(g, f->gsize);
	char name[16];

	switch ((enum abi_fmt)f->fmt) {
	case ABI_FD:
	case ABI_DEC: text_printf(t, "%lld", (long long)sign_extend(v, f->gsize)); break;
	case ABI_HEX: text_printf(t, v ? "%#llx" : "%llx", (unsigned long long)v); break;
	case ABI_OCT: text_printf(t, v ? "%#llo" : "%llo", (unsigned long long)v); break;
	case ABI_DEVICE: text_dev(t, v); break;
	case ABI_MODE: text_mode(t, (uint32_t)v); break;
	case ABI_GPTR:
		if (v)
			text_printf(t, "%#llx", (unsigned long long)v);
		else
			text_str(t, "NULL");
		break;
	case ABI_SIGNAL: text_str(t, trace_signal_name((int)v, name)); break;
	case ABI_SIGMASK: text_sigset(t, v); break;
	case ABI_SYMBOL: text_symbol(t, f->symbols, v); break;
	default: text_printf(t, "%llu", (unsigned long long)v); break;
	}
}

static void field(struct text *t, const struct abi_field *f, const uint8_t *g)
{
	if (f->fmt == ABI_NESTED)
		text_struct(t, f->sub, g);
	else if (f->fmt == ABI_STRING)
		text_quoted(t, g, strnlen((const char *)g, f->gsize), f->gsize, false);
	else if (f->fmt == ABI_SOCKADDR)
		text_sockaddr(t, g, f->gsize);
	else if (f->fmt == ABI_BYTES)
		text_quoted(t, g, (size_t)f->gsize * (f->count ? f->count : 1), TEXT_STRING_LIMIT,
			    false);
	else
		number(t, f, g);
}

void text_struct(struct text *t, const struct abi_struct *s, const uint8_t *guest)
{
	text_struct_part(t, s, guest, s->gsize);
}

void text_struct_part(struct text *t, const struct abi_struct *s, const uint8_t *guest, size_t n)
{
	bool abbreviated = false, left_out = false, any = false;

	if (s->nfields == 1 && !s->fields[0].name[0]) {
		field(t, &s->fields[0], guest);
		return;
	}
	for (unsigned i = 0; i < s->nfields; i++)
		abbreviated |= s->fields[i].key;
	text_str(t, "{");
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		if (f->fmt == ABI_HIDE || f->goff + (f->count ? f->count : 1u) * f->gsize > n)
			continue;
		if (abbreviated && !f->key) {
			left_out = true;
			continue;
		}
		text_printf(t, any ? ", %s=" : "%s=", f->name);
		any = true;
		if (!f->count || f->fmt == ABI_BYTES) {
			field(t, f, guest + f->goff);
			continue;
		}
		for (unsigned k = 0; k < f->count; k++) {
			text_str(t, k ? ", " : "[");
			field(t, f, guest + f->goff + k * f->gsize);
		}
		text_str(t, "]");
	}
	text_str(t, left_out ? ", ...}" : "}");
}
