/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "p.h"
int pmain(int argc, char **argv, char **envp, u32 *auxv)
{
	int i; P("hello from ILP32, argc %d\n", argc);
	for (i = 0; i < argc; i++) P("argv[%d]=%s\n", i, argv[i]);
	for (i = 0; envp[i]; i++) P("envp[%d]=%s\n", i, envp[i]);
	return 42;
}
