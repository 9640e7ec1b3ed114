/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump_table [csv | ioctls]: the system call table on standard output, as docs/syscalls.md or as CSV, or
 * docs/ioctls.md. */
#include <stdlib.h>
#include <string.h>

#include "syscall/abi_table.h"

int main(int argc, char **argv)
{
	int csv = argc > 1 && strcmp(argv[1], "csv") == 0;
	struct abi_view view;

	if (argc > 1 && strcmp(argv[1], "ioctls") == 0)
		return abi_ioctls_print(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
	abi_view_init(&view, NULL, NULL);
	return abi_table_print(stdout, &view, csv ? ABI_TABLE_CSV : ABI_TABLE_MARKDOWN)
		       ? EXIT_FAILURE
		       : EXIT_SUCCESS;
}
