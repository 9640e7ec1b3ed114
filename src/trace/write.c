/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing for the user. The kernel answers some writes with a signal: SIGXFSZ beyond RLIMIT_FSIZE, SIGPIPE
 * when the reader is gone. They would kill the guest, which did not write. So they are blocked meanwhile
 * and taken back; all others are blocked as well, because a signal that is captured in between changes
 * the mask that is to be restored (signal/host.c).
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trace/trace.h"

enum { SIGMASK_SET = 2, PIPE = 13, XFSZ = 25 }; /* on all hosts of ours */
#define BIT(n) (1ull << ((n)-1))

static void set_mask(uint64_t mask, uint64_t *old)
{
	syscall(SYS_rt_sigprocmask, SIGMASK_SET, &mask, old, sizeof mask);
}

/* What the guest itself had pending stays. */
static uint64_t pending_before(uint64_t mask)
{
	uint64_t pending = 0;

	if (mask & (BIT(PIPE) | BIT(XFSZ)))
		syscall(SYS_rt_sigpending, &pending, sizeof pending);
	return pending;
}

int trace_write(int fd, const char *text, size_t n)
{
	static const struct {
		long sec, nsec;
	} now;
	uint64_t mask, before;
	int err = 0;

	set_mask(~0ull, &mask);
	before = pending_before(mask);
	while (n && !err) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			err = done < 0 ? errno : EIO;
			continue;
		}
		text += done;
		n -= (size_t)done;
	}
	if (err == EFBIG || err == EPIPE) {
		uint64_t sent = BIT(err == EFBIG ? XFSZ : PIPE);

		if (!(before & sent))
			syscall(SYS_rt_sigtimedwait, &sent, NULL, &now, sizeof sent);
	}
	set_mask(mask, NULL);
	return err;
}
