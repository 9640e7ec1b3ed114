/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared library of tls.c, loaded at start or by dlopen. */
#include <stdint.h>

__thread int module_counter = 41;
__thread char module_zero[3000];
__thread long double module_wide __attribute__((aligned(64))) = 2.5L;
static __thread int hidden_counter = 7;
extern __thread int program_counter;

int *module_counter_address(void)
{
	return &module_counter;
}
int module_next(void)
{
	return ++module_counter + ++hidden_counter;
}
int module_sees_program(void)
{
	return program_counter;
}

/* Non-zero if a thread's copy is not as the image says. */
int module_fresh(void)
{
	if (module_counter != 41 || hidden_counter != 7 || module_wide != 2.5L)
		return 1;
	if ((uintptr_t)&module_wide % 64)
		return 2;
	for (unsigned i = 0; i < sizeof module_zero; i++)
		if (module_zero[i])
			return 3;
	module_zero[2999] = 1;
	return 0;
}

static int constructed;
__attribute__((constructor)) static void construct(void)
{
	constructed = 1;
}
int module_constructed(void)
{
	return constructed;
}
