/* SPDX-License-Identifier: GPL-2.0-or-later */
/* docs/syscalls.md on standard output. */
#include <stdlib.h>

#include "syscall/abi_table.h"

int main(void)
{
	return abi_table_print(stdout, NULL, ABI_TABLE_MARKDOWN) ? EXIT_FAILURE : EXIT_SUCCESS;
}
