/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The #! line (fs/binfmt_script.c, Linux 5.1 and later). */
#include <errno.h>
#include <string.h>

#include "loader/internal.h"

static bool blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

/* First byte in [p, end) that is no blank; END if there is none. */
static const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end)
{
	while (p < end && blank(*p))
		p++;
	return p;
}

/* First blank or NUL in [p, end); END if there is none. */
static const uint8_t *skip_word(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p && !blank(*p))
		p++;
	return p;
}

/* Copies [p, end) up to a NUL. */
static void copy(char *dst, const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p)
		*dst++ = (char)*p++;
	*dst = '\0';
}

bool loader_is_script(const struct loader_head *h)
{
	return h->b[0] == '#' && h->b[1] == '!';
}

int loader_parse_script(const struct loader_head *h, struct loader_script *s,
			char text[LOADER_TEXT_SIZE])
{
	/* The last byte of the buffer never counts, as if the kernel had put a NUL there. */
	const uint8_t *last = h->b + LOADER_HEAD - 1;
	const uint8_t *end = memchr(h->b, '\n', LOADER_HEAD);
	const uint8_t *name, *sep, *arg;

	if (!end) {
		/* A line longer than the buffer may lose the tail of its argument, but not of the
		 * interpreter's name: that would run another file. */
		name = skip_blanks(h->b + 2, last);
		if (name == last)
			return loader_fail(text, ENOEXEC, "#! line names no interpreter");
		if (skip_word(name, last) == last)
			return loader_fail(
				text, ENOEXEC,
				"#! line is too long: the interpreter's name exceeds %d bytes",
				LOADER_HEAD - 1);
		end = last;
	}
	while (blank(end[-1]))
		end--;
	name = skip_blanks(h->b + 2, end);
	if (name == end)
		return loader_fail(text, ENOEXEC, "#! line names no interpreter");
	sep = skip_word(name, end);
	copy(s->interp, name, sep);
	s->has_arg = false;
	if (sep < end && *sep) {
		arg = skip_blanks(sep, end);
		s->has_arg = arg < end;
		if (s->has_arg)
			copy(s->arg, arg, end);
	}
	return 0;
}
