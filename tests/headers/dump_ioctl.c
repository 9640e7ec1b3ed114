/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a C file that asserts the numbers of our ioctl rows against the kernel's UAPI headers: for
 * "host" (which may lack headers) and "lp64" those that we use with the host's kernel, for "guest" those that ILP32 programs use.
 */
#include <stdlib.h>

#include "headers.h"
#include "syscall/ioctl.h"

/* The first command of a family, as its macro makes it. */
static const char *arguments(const struct ioctl_row *row)
{
	if (!row->count || strcmp(row->name, "SIOCDEVPRIVATE") == 0)
		return "";
	return strcmp(row->name, "EVIOCGBIT") == 0 ? "(0, 0)" : "(0)";
}

int main(int argc, char **argv)
{
	bool guest = argc > 1 && strcmp(argv[1], "guest") == 0;
	bool some = argc > 1 && strcmp(argv[1], "host") == 0;

	headers_begin();
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];
		if (!guest && row->refused)
			continue;
		unsigned nr = guest ? row->guest : ioctl_host_number(row, row->guest);

		printf("#ifdef %s\n_Static_assert((unsigned)(%s%s) == %#xu && __COUNTER__ + 1, \"%s\");\n#endif\n",
		       row->name, row->name, arguments(row), nr, row->name);
	}
	/* Some are younger than the headers, or in none. */
	printf("_Static_assert(__COUNTER__ > %u, \"commands that were checked\");\n",
	       some ? ioctl_nrows * 3 / 4 : ioctl_nrows * 9 / 10);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
