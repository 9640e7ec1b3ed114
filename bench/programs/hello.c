/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start-up and memory of the smallest program. */
#include "bench.h"

int main(void)
{
	return finish(0);
}
