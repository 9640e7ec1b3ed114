/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prctl, personality, uname. */
#include <errno.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symtab.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/seccomp.h"
#include "task/task.h"
#include "trace/trace.h"

/* --- prctl ---------------------------------------------------------------------------------------------- */

#ifndef PR_SET_VMA
# define PR_SET_VMA           0x53564d41
# define PR_SET_VMA_ANON_NAME 0
#endif

enum prctl_kind {
	NUMBERS, /* handed on; arguments are zero-extended */
	TEXT,    /* argument 2 is a pointer to a name that is read */
	OUTPUT,  /* ... to what the host writes, the same in both ABIs: at most OUTPUT_MAX bytes */
	ABSENT,  /* other architectures only, or hardware that the engines do not have: EINVAL */
	OWN,
};

enum { OUTPUT_MAX = 16 }; /* PR_GET_NAME */

struct prctl_row {
	uint32_t option;
	uint8_t kind;
	uint8_t profiles;
	sys_handler *fn;
};

#define SINCE_5_10 ABI_SINCE_5_10
#define SINCE_6_6  ABI_SINCE_6_6
#define ALL        ABI_ALL

static int64_t get_tid_address(struct sys_call *c)
{
	if (abi_profile->tid_address_wide)
		return mem_put_u64((gaddr)c->a[1], c->task->clear_child_tid);
	return mem_put_u32((gaddr)c->a[1], c->task->clear_child_tid);
}

/* (unsigned long)-1 means any process, and is 32 bits wide for the guest. */
static int64_t set_ptracer(struct sys_call *c)
{
	return sys_host(HOSTNR(prctl), PR_SET_PTRACER, (int64_t)(int32_t)c->a[1], c->a[2], c->a[3],
			c->a[4]);
}

/* Names an anonymous mapping. The address is ours, the name the guest's. */
static int64_t set_vma(struct sys_call *c)
{
	if (c->a[1] != PR_SET_VMA_ANON_NAME)
		return -EINVAL;
	if (c->a[2] + c->a[3] > MEM_SPACE)
		return -EINVAL;
	return sys_host(HOSTNR(prctl), PR_SET_VMA, c->a[1], mem_host((gaddr)c->a[2]), c->a[3],
			sys_ptr(c->a[4]));
}

static int64_t get_seccomp(struct sys_call *c)
{
	return c->task->seccomp.mode;
}

/* Everything that a 4.14 to 6.6 arm64 kernel without SVE, SME, pointer authentication and MTE knows. */
/* clang-format off */
#define OPTIONS(X, N) \
	X(PR_SET_PDEATHSIG, 1, NUMBERS, ALL, NULL) \
	X(PR_GET_PDEATHSIG, 2, OUTPUT, ALL, NULL) \
	X(PR_GET_DUMPABLE, 3, NUMBERS, ALL, NULL) \
	X(PR_SET_DUMPABLE, 4, NUMBERS, ALL, NULL) \
	X(PR_GET_UNALIGN, 5, ABSENT, ALL, NULL) \
	X(PR_SET_UNALIGN, 6, ABSENT, ALL, NULL) \
	X(PR_GET_KEEPCAPS, 7, NUMBERS, ALL, NULL) \
	X(PR_SET_KEEPCAPS, 8, NUMBERS, ALL, NULL) \
	X(PR_GET_FPEMU, 9, ABSENT, ALL, NULL) \
	X(PR_SET_FPEMU, 10, ABSENT, ALL, NULL) \
	X(PR_GET_FPEXC, 11, ABSENT, ALL, NULL) \
	X(PR_SET_FPEXC, 12, ABSENT, ALL, NULL) \
	X(PR_GET_TIMING, 13, NUMBERS, ALL, NULL) \
	X(PR_SET_TIMING, 14, NUMBERS, ALL, NULL) \
	X(PR_SET_NAME, 15, TEXT, ALL, NULL) \
	X(PR_GET_NAME, 16, OUTPUT, ALL, NULL) \
	X(PR_GET_ENDIAN, 19, ABSENT, ALL, NULL) \
	X(PR_SET_ENDIAN, 20, ABSENT, ALL, NULL) \
	X(PR_GET_SECCOMP, 21, OWN, ALL, get_seccomp) \
	X(PR_SET_SECCOMP, 22, OWN, ALL, seccomp_prctl) \
	X(PR_CAPBSET_READ, 23, NUMBERS, ALL, NULL) \
	X(PR_CAPBSET_DROP, 24, NUMBERS, ALL, NULL) \
	X(PR_GET_TSC, 25, ABSENT, ALL, NULL) \
	X(PR_SET_TSC, 26, ABSENT, ALL, NULL) \
	X(PR_GET_SECUREBITS, 27, NUMBERS, ALL, NULL) \
	X(PR_SET_SECUREBITS, 28, NUMBERS, ALL, NULL) \
	X(PR_SET_TIMERSLACK, 29, NUMBERS, ALL, NULL) \
	X(PR_GET_TIMERSLACK, 30, NUMBERS, ALL, NULL) \
	X(PR_TASK_PERF_EVENTS_DISABLE, 31, NUMBERS, ALL, NULL) \
	X(PR_TASK_PERF_EVENTS_ENABLE, 32, NUMBERS, ALL, NULL) \
	X(PR_MCE_KILL, 33, NUMBERS, ALL, NULL) \
	X(PR_MCE_KILL_GET, 34, NUMBERS, ALL, NULL) \
	N(PR_SET_MM, 35) \
	X(PR_SET_CHILD_SUBREAPER, 36, NUMBERS, ALL, NULL) \
	X(PR_GET_CHILD_SUBREAPER, 37, OUTPUT, ALL, NULL) \
	X(PR_SET_NO_NEW_PRIVS, 38, NUMBERS, ALL, NULL) \
	X(PR_GET_NO_NEW_PRIVS, 39, NUMBERS, ALL, NULL) \
	X(PR_GET_TID_ADDRESS, 40, OWN, ALL, get_tid_address) \
	X(PR_SET_THP_DISABLE, 41, NUMBERS, ALL, NULL) \
	X(PR_GET_THP_DISABLE, 42, NUMBERS, ALL, NULL) \
	X(PR_MPX_ENABLE_MANAGEMENT, 43, ABSENT, ALL, NULL) \
	X(PR_MPX_DISABLE_MANAGEMENT, 44, ABSENT, ALL, NULL) \
	X(PR_SET_FP_MODE, 45, ABSENT, ALL, NULL) \
	X(PR_GET_FP_MODE, 46, ABSENT, ALL, NULL) \
	X(PR_CAP_AMBIENT, 47, NUMBERS, ALL, NULL) \
	X(PR_SVE_SET_VL, 50, ABSENT, ALL, NULL) \
	X(PR_SVE_GET_VL, 51, ABSENT, ALL, NULL) \
	X(PR_GET_SPECULATION_CTRL, 52, NUMBERS, SINCE_5_10, NULL) \
	N(PR_SET_SPECULATION_CTRL, 53) \
	X(PR_PAC_RESET_KEYS, 54, ABSENT, ALL, NULL) \
	N(PR_SET_TAGGED_ADDR_CTRL, 55) \
	N(PR_GET_TAGGED_ADDR_CTRL, 56) \
	X(PR_SET_IO_FLUSHER, 57, NUMBERS, SINCE_5_10, NULL) \
	X(PR_GET_IO_FLUSHER, 58, NUMBERS, SINCE_5_10, NULL) \
	N(PR_SET_SYSCALL_USER_DISPATCH, 59) \
	N(PR_PAC_SET_ENABLED_KEYS, 60) \
	N(PR_PAC_GET_ENABLED_KEYS, 61) \
	N(PR_SCHED_CORE, 62) \
	N(PR_SME_SET_VL, 63) \
	N(PR_SME_GET_VL, 64) \
	X(PR_SET_VMA, 0x53564d41, OWN, SINCE_6_6, set_vma) \
	X(PR_SET_PTRACER, 0x59616d61, OWN, ALL, set_ptracer)
/* clang-format on */

#define ROW(n, option, ...) {(option), __VA_ARGS__},
#define NO_ROW(n, option)
static const struct prctl_row rows[] = {OPTIONS(ROW, NO_ROW)};
VALUES_OF(prctl_option, "PR_", OPTIONS);

static const struct prctl_row *find_row(uint32_t option)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].option == option)
			return &rows[i];
	}
	return NULL;
}

int64_t sys_prctl(struct sys_call *c)
{
	uint32_t option = (uint32_t)c->a[0];
	const struct prctl_row *row = find_row(option);

	if (!row) {
		diag_unsupported("prctl", option, "prctl option %u is not supported: EINVAL",
				 option);
		return -EINVAL;
	}
	if (!abi_in(row->profiles))
		return -EINVAL;
	switch ((enum prctl_kind)row->kind) {
	case NUMBERS: return sys_host(HOSTNR(prctl), option, c->a[1], c->a[2], c->a[3], c->a[4]);
	case OUTPUT: sys_writes(c, c->a[1], OUTPUT_MAX); __attribute__((fallthrough));
	case TEXT:
		/* NULL faults here too: nothing is mapped for the host at the guest's address 0. */
		return sys_host(HOSTNR(prctl), option, mem_host((gaddr)c->a[1]), c->a[2], c->a[3],
				c->a[4]);
	case OWN: return row->fn(c);
	case ABSENT: break;
	}
	return -EINVAL;
}

/* --- personality ------------------------------------------------------------------------------------------ */

/* What programs of the host inherit. The rest would change how the emulator itself is run. */
#define HOST_BITS (ADDR_NO_RANDOMIZE | UNAME26 | STICKY_TIMEOUTS | WHOLE_SECONDS)

int64_t sys_personality(struct sys_call *c)
{
	struct process *p = c->task->process;
	uint32_t old = p->personality, new = (uint32_t)c->a[0];

	if (new == 0xffffffff)
		return old;
	p->personality = new;
	mem_set_read_implies_exec(new &READ_IMPLIES_EXEC);
	sys_host(HOSTNR(personality), new &HOST_BITS);
	return old;
}

/* --- uname -------------------------------------------------------------------------------------------------- */

int64_t sys_uname(struct sys_call *c)
{
	bool linux32 = (c->task->process->personality & PER_MASK) == PER_LINUX32;
	struct host_utsname u;
	int64_t r = sys_host(HOSTNR(uname), &u);

	if (r)
		return r;
	memset(u.machine, 0, sizeof u.machine);
	snprintf(u.machine, sizeof u.machine, "%s", linux32 ? "armv8l" : ABI_MACHINE);
	return abi_write(&abi_st_utsname, (gaddr)c->a[0], &u);
}
