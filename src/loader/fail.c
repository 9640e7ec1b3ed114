/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "loader/internal.h"

int loader_fail(char text[LOADER_TEXT_SIZE], int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, LOADER_TEXT_SIZE, fmt, ap);
	va_end(ap);
	/* Names come from hostile files: they must neither break the line nor talk to a terminal. */
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return err;
}
