/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "abi/symbols.h"
#include "trace/trace.h"

enum { FIRST_RT = 32, LAST_RT = 64 };

const char *trace_errno_name(int err)
{
	const char *name = abi_symbol_name(&abi_sym_errno_names, (uint64_t)err);
	static _Thread_local char unknown[24];

	if (name)
		return name;
	snprintf(unknown, sizeof(unknown), "ERRNO_%d", err);
	return unknown;
}

const char *trace_signal_name(int signo, char buf[16])
{
	const char *name = abi_symbol_name(&abi_sym_signal_names, (uint64_t)signo);

	if (name)
		return name;
	if (signo >= FIRST_RT && signo <= LAST_RT)
		snprintf(buf, 16, "SIGRT_%d", signo - FIRST_RT);
	else
		snprintf(buf, 16, "%d", signo);
	return buf;
}
