/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the parts of strace output. */
#ifndef TRACE_STRACE_H
#define TRACE_STRACE_H

#include "abi/host.h"
#include "syscall/syscall.h"
#include "trace/text.h"

/*
 * Argument I (logical) of C, whose row entry is ARG. The first writes what is known before the call:
 * everything that the kernel reads. The second writes what the kernel has written; of an argument that
 * is both, the new value.
 */
void strace_arg_before(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
		       unsigned i);
void strace_arg_after(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
		      unsigned i, int64_t result);
/* Whether argument I is one for this call at all: openat's mode is not without O_CREAT. */
bool strace_has_arg(const struct sys_call *c, const struct sys_arg *arg, unsigned i);

/* Arguments whose meaning another argument decides (fcntl, ioctl, prctl, futex...). True: written. */
bool strace_special_before(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			   unsigned i);
bool strace_special_after(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			  unsigned i, int64_t result);

/* A result that is more than a number. True: written. */
bool strace_special_result(struct text *t, const struct sys_call *c, int64_t result);

/* A pointer that is not followed. */
void strace_pointer(struct text *t, uint64_t g);
/* The structure at guest address G, or the pointer if it cannot be read. */
void strace_struct(struct text *t, const struct abi_struct *s, uint64_t g);
/* N bytes at guest address G, quoted. */
void strace_buffer(struct text *t, uint64_t g, uint64_t n);
/* N iovecs at G, of whose memory BYTES bytes mean something; CONTENTS: show them. */
void strace_iovecs(struct text *t, uint64_t g, uint64_t n, uint64_t bytes, bool contents);
/* A msghdr at G, BYTES of whose data mean something; N mmsghdrs. (strace_msg.c) */
void strace_msghdr(struct text *t, uint64_t g, uint64_t bytes);
void strace_mmsghdrs(struct text *t, uint64_t g, uint64_t n, bool received);
/* Socket address of LEN bytes at guest address G. */
void strace_sockaddr(struct text *t, uint64_t g, uint64_t len);
void strace_siginfo(struct text *t, const struct host_siginfo *s);
void strace_wait_status(struct text *t, uint32_t status);

#endif
