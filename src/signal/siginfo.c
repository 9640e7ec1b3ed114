/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * siginfo between the host's LP64 form and the ILP32 form (128 bytes both; the union starts at 16 and
 * at 12). Which member is valid follows from signal number and si_code as in the kernel's
 * siginfo_layout(); layouts from compat_siginfo, as recorded in tests/oracle/siginfo.out.
 */
#include <string.h>

#include "abi/abi.h"
#include "signal/signal.h"

enum { CODE_USER = 0, CODE_KERNEL = 0x80, CODE_TIMER = -2, CODE_SIGIO = -5 };

#define HEAD                                                                \
 F(si_signo, 0, 4, 0, 4, COPY, SIGNAL), F(si_errno, 4, 4, 4, 4, COPY, DEC), \
	 F(si_code, 8, 4, 8, 4, COPY, DEC)
#define F(n, go, gs, ho, hs, r, f)                                                       \
 {                                                                                       \
  .name = #n, .goff = (go), .gsize = (gs), .hoff = (ho), .hsize = (hs), .rule = ABI_##r, \
  .fmt = ABI_##f                                                                         \
 }
/* LEN: how many bytes the 4.14 kernel writes, which is where the last field ends. */
#define INFO(id, len, ...)                                          \
 static const struct abi_field fields_##id[] = {HEAD, __VA_ARGS__}; \
 static const struct abi_struct info_##id = {                       \
	 .name = "siginfo_" #id,                                    \
	 .gsize = (len),                                            \
	 .hsize = sizeof(struct host_siginfo),                      \
	 .nfields = sizeof(fields_##id) / sizeof(fields_##id[0]),   \
	 .fields = fields_##id,                                     \
 }

/* clang-format off */
INFO(kill, 20, F(si_pid, 12, 4, 16, 4, COPY, DEC), F(si_uid, 16, 4, 20, 4, COPY, UDEC));
INFO(rt, 24, F(si_pid, 12, 4, 16, 4, COPY, DEC), F(si_uid, 16, 4, 20, 4, COPY, UDEC),
	F(si_value, 20, 4, 24, 8, ZEXT, HEX));
INFO(timer, 24, F(si_timerid, 12, 4, 16, 4, COPY, DEC), F(si_overrun, 16, 4, 20, 4, COPY, DEC),
	F(si_value, 20, 4, 24, 8, ZEXT, HEX));
INFO(chld, 32, F(si_pid, 12, 4, 16, 4, COPY, DEC), F(si_uid, 16, 4, 20, 4, COPY, UDEC),
	F(si_status, 20, 4, 24, 4, COPY, DEC), F(si_utime, 24, 4, 32, 8, SEXT, DEC),
	F(si_stime, 28, 4, 40, 8, SEXT, DEC));
INFO(fault, 16, F(si_addr, 12, 4, 16, 8, ZEXT, GPTR));
INFO(mce, 18, F(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F(si_addr_lsb, 16, 2, 24, 2, COPY, DEC));
INFO(bounds, 28, F(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F(si_lower, 20, 4, 32, 8, ZEXT, GPTR),
	F(si_upper, 24, 4, 40, 8, ZEXT, GPTR));
INFO(pkey, 24, F(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F(si_pkey, 20, 4, 32, 4, COPY, UDEC));
INFO(perf, 28, F(si_addr, 12, 4, 16, 8, ZEXT, GPTR), F(si_perf_data, 16, 4, 24, 8, ZEXT, HEX),
	F(si_perf_type, 20, 4, 32, 4, COPY, UDEC), F(si_perf_flags, 24, 4, 36, 4, COPY, HEX));
INFO(poll, 20, F(si_band, 12, 4, 16, 8, SEXT, HEX), F(si_fd, 16, 4, 24, 4, COPY, DEC));
INFO(sys, 24, F(si_call_addr, 12, 4, 16, 8, ZEXT, GPTR), F(si_syscall, 16, 4, 24, 4, COPY, DEC),
	F(si_arch, 20, 4, 28, 4, COPY, HEX));
/* clang-format on */

/* Signals whose positive codes have a member of their own: code 1..LIMIT. */
static const struct {
	uint8_t signo, limit;
	const struct abi_struct *st;
} by_signal[] = {
	{SIG_ILL, 11, &info_fault}, {SIG_FPE, 15, &info_fault}, {SIG_SEGV, 9, &info_fault},
	{SIG_BUS, 5, &info_fault},  {SIG_TRAP, 6, &info_fault}, {SIG_CHLD, 6, &info_chld},
	{SIG_IO, 6, &info_poll},    {SIG_SYS, 2, &info_sys},
};

/* Codes whose member differs from that of their signal. */
static const struct {
	uint8_t signo, code;
	const struct abi_struct *st;
} exceptions[] = {
	{SIG_BUS, 4, &info_mce},     /* BUS_MCEERR_AR */
	{SIG_BUS, 5, &info_mce},     /* BUS_MCEERR_AO */
	{SIG_SEGV, 3, &info_bounds}, /* SEGV_BNDERR */
	{SIG_SEGV, 4, &info_pkey},   /* SEGV_PKUERR */
	{SIG_TRAP, 6, &info_perf},   /* TRAP_PERF */
};

#define POLL_CODES 6 /* POLL_IN..POLL_HUP: with F_SETSIG under any signal number */
#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))

static const struct abi_struct *layout(int signo, int code)
{
	if (code <= CODE_USER || code >= CODE_KERNEL) {
		if (code == CODE_TIMER)
			return &info_timer;
		if (code == CODE_SIGIO)
			return &info_poll;
		return code < 0 ? &info_rt : &info_kill;
	}
	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (exceptions[i].signo == signo && exceptions[i].code == code)
			return exceptions[i].st;
	for (size_t i = 0; i < COUNT(by_signal); i++)
		if (by_signal[i].signo == signo && code <= by_signal[i].limit)
			return by_signal[i].st;
	return code <= POLL_CODES ? &info_poll : &info_kill;
}

/* 4.14: a user-supplied (negative) code brings the first bytes of the union along as they are. */
#define RAW_BYTES   28u
#define GUEST_UNION 12u

unsigned signal_info_to_guest(uint8_t guest[128], const struct host_siginfo *h)
{
	const struct abi_struct *st = layout(h->si_signo, h->si_code);

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
	abi_put32(guest, (uint32_t)h->si_signo);
	abi_put32(guest + 4, (uint32_t)h->si_errno);
	abi_put32(guest + 8, (uint32_t)h->si_code);
	memcpy(guest + GUEST_UNION, h->u.bytes, RAW_BYTES);
	return GUEST_UNION + RAW_BYTES;
}

void signal_info_to_host(struct host_siginfo *h, const uint8_t guest[128])
{
	int signo = (int)abi_get32(guest), code = (int)abi_get32(guest + 8);

	if (abi_profile->lp64_frame) {
		memcpy(h, guest, 128);
		return;
	}
	memset(h, 0, sizeof(*h));
	if (!abi_profile->siginfo_raw_copy) {
		abi_to_host(layout(signo, code), h, guest);
		return;
	}
	h->si_signo = signo;
	h->si_errno = (int)abi_get32(guest + 4);
	h->si_code = code;
	memcpy(h->u.bytes, guest + GUEST_UNION, RAW_BYTES);
}
