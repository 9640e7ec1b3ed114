/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a C file that asserts the numbers of our ioctl rows against the kernel's UAPI headers: for
 * "host" those that we use with the host's kernel, for "guest" those that ILP32 programs use.
 */
#include <stdlib.h>

#include "headers.h"
#include "syscall/ioctl.h"

/* The first command of a family, as its macro makes it. */
static const char *arguments(const struct ioctl_row *row)
{
	if (!row->count)
		return "";
	return strcmp(row->name, "EVIOCGBIT") == 0 ? "(0, 0)" : "(0)";
}

int main(int argc, char **argv)
{
	bool host = argc > 1 && strcmp(argv[1], "host") == 0;

	headers_begin();
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];
		unsigned nr = host ? ioctl_host_number(row, row->guest) : row->guest;

		printf("#ifdef %s\n_Static_assert((unsigned)(%s%s) == %#xu && __COUNTER__ + 1, \"%s\");\n#endif\n",
		       row->name, row->name, arguments(row), nr, row->name);
	}
	/* Some are younger than the headers, or in none. */
	printf("_Static_assert(__COUNTER__ > %u, \"commands that were checked\");\n",
	       ioctl_nrows * 9 / 10);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
