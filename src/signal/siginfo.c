/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * siginfo between the host's LP64 form and the ILP32 form (128 bytes both; the union starts at 16 and
 * at 12). Which member is valid follows from signal number and si_code as in the kernel's
 * siginfo_layout(); layouts from compat_siginfo, as recorded in tests/oracle/siginfo.out.
 */
#include <string.h>

#include "abi/structs.h"
#include "signal/signal.h"

enum { CODE_USER = 0, CODE_KERNEL = 0x80, CODE_TIMER = -2, CODE_SIGIO = -5 };

/* Signals whose positive codes have a member of their own: code 1..LIMIT. */
static const struct {
	uint8_t signo, limit;
	const struct abi_struct *st;
} by_signal[] = {
	{SIG_ILL, 11, &abi_st_siginfo_fault}, {SIG_FPE, 15, &abi_st_siginfo_fault},
	{SIG_SEGV, 9, &abi_st_siginfo_fault}, {SIG_BUS, 5, &abi_st_siginfo_fault},
	{SIG_TRAP, 6, &abi_st_siginfo_fault}, {SIG_CHLD, 6, &abi_st_siginfo_chld},
	{SIG_IO, 6, &abi_st_siginfo_poll},    {SIG_SYS, 2, &abi_st_siginfo_sys},
};

/* Codes whose member differs from that of their signal. */
static const struct {
	uint8_t signo, code;
	const struct abi_struct *st;
} exceptions[] = {
	{SIG_BUS, 4, &abi_st_siginfo_mce},     /* BUS_MCEERR_AR */
	{SIG_BUS, 5, &abi_st_siginfo_mce},     /* BUS_MCEERR_AO */
	{SIG_SEGV, 3, &abi_st_siginfo_bounds}, /* SEGV_BNDERR */
	{SIG_SEGV, 4, &abi_st_siginfo_pkey},   /* SEGV_PKUERR */
	{SIG_TRAP, 6, &abi_st_siginfo_perf},   /* TRAP_PERF */
};

#define POLL_CODES 6 /* POLL_IN..POLL_HUP: with F_SETSIG under any signal number */
#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))

static const struct abi_struct *layout(int signo, int code)
{
	if (code <= CODE_USER || code >= CODE_KERNEL) {
		if (code == CODE_TIMER)
			return &abi_st_siginfo_timer;
		if (code == CODE_SIGIO)
			return &abi_st_siginfo_poll;
		return code < 0 ? &abi_st_siginfo_rt : &abi_st_siginfo_kill;
	}
	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (exceptions[i].signo == signo && exceptions[i].code == code)
			return exceptions[i].st;
	for (size_t i = 0; i < COUNT(by_signal); i++)
		if (by_signal[i].signo == signo && code <= by_signal[i].limit)
			return by_signal[i].st;
	return code <= POLL_CODES ? &abi_st_siginfo_poll : &abi_st_siginfo_kill;
}

/* 4.14: a user-supplied (negative) code brings the first bytes of the union along as they are. */
#define RAW_BYTES 28u

unsigned signal_info_to_guest(uint8_t guest[128], const struct host_siginfo *h)
{
	const struct abi_struct *st = layout(h->si_signo, h->si_code);
	uint8_t raw[128];
	unsigned n;

	if (abi_profile->lp64_frame) {
		memcpy(guest, h, 128);
		return 128;
	}
	if (!abi_profile->siginfo_raw_copy) {
		memset(guest, 0, 128);
		abi_to_guest(st, guest, h);
		return 128;
	}
	if (h->si_code >= 0) {
		abi_to_guest(st, guest, h);
		return st->gsize;
	}
	abi_to_guest(&abi_st_siginfo, raw, h);
	n = abi_member(&abi_st_siginfo, "_sifields")->goff + RAW_BYTES;
	memcpy(guest, raw, n);
	return n;
}

void signal_info_to_host(struct host_siginfo *h, const uint8_t guest[128])
{
	int signo = (int)abi_get32(guest), code = (int)abi_get32(guest + 8);

	if (abi_profile->lp64_frame) {
		memcpy(h, guest, 128);
		return;
	}
	if (!abi_profile->siginfo_raw_copy) {
		abi_to_host(layout(signo, code), h, guest);
		return;
	}
	abi_to_host(&abi_st_siginfo, h, guest);
	memset(h->u.bytes + RAW_BYTES, 0, sizeof(h->u.bytes) - RAW_BYTES);
}
