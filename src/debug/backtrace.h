/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who called whom, by the chain of frame records and across signal frames. */
#ifndef DEBUG_BACKTRACE_H
#define DEBUG_BACKTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "debug/maps.h"
#include "task/task.h"

struct debug_frame {
	uint64_t pc;
	bool is_return; /* pc is behind a call, not at the instruction */
	bool by_signal; /* the frame before this one is a signal handler's */
};

/* The frames of the code that runs with REGS, innermost first: at most MAX; their number. */
unsigned debug_backtrace(struct debug_frame *f, unsigned max, const struct task *t,
			 const struct cpu_state *regs, const struct debug_maps *maps);

#endif
