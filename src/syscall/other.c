/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_vm_readv, process_vm_writev, process_madvise. The host finds and checks the other process, and
 * copies; only where that process has its arena is to be found out. Its addresses are not checked against
 * 4 GiB: the host stops at the arena's guard as the kernel does at the end of the address space.
 */
#include "syscall/other.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "trace/trace.h"

bool other_base(const struct task *t, pid_t pid, uint64_t *base)
{
	struct procfs_place place = {.pid = pid};
	struct task_card card;

	if (pid == t->tid || pid == t->tgid) {
		*base = (uint64_t)(uintptr_t)mem_host(0);
		return true;
	}
	snprintf(place.dir, sizeof(place.dir), "/proc/%d", pid);
	if (!procfs_card(&place, &card))
		return false;
	*base = card.mem.base;
	return true;
}

/* COUNT guest iovecs at G whose addresses are relative to BASE, as the kernel reads them for another
 * process (iovec_from_user()): malloc'ed in *IOV. 0, -EINVAL, -EFAULT, -ENOMEM. */
static int64_t read_remote(gaddr g, uint64_t count, uint64_t base, struct host_iovec **iov)
{
	struct sys_iovec v;

	*iov = NULL;
	if (count > SYS_MAX_IOVECS)
		return -EINVAL;
	*iov = malloc((count ? count : 1) * sizeof(**iov));
	if (!*iov)
		return -ENOMEM;
	for (uint64_t i = 0; i < count; i++) {
		if (!sys_read_iovec(g, i, &v))
			return -EFAULT;
		if (v.negative)
			return -EINVAL;
		if (v.base > UINT32_MAX)
			return -EFAULT;
		(*iov)[i] = (struct host_iovec){base + v.base, v.len};
	}
	return 0;
}

/* A process without a card. The errno of the host if it would not let us either. */
static int64_t no_guest(const char *call, int pid)
{
	int64_t r = sys_host(HOSTNR(kill), pid, 0);

	if (pid <= 0 || r == -ESRCH)
		return -ESRCH;
	diag_unsupported(call, 0, "%s: process %d does not run under ilp32run: EPERM", call, pid);
	return -EPERM;
}

/* Guest code that was written over goes; only our own can be told. */
static void written(const struct sys_call *c, bool reads, uint64_t len)
{
	int pid = (int)c->a[0];

	if (reads)
		sys_iovec_wrote((gaddr)c->a[1], c->a[2], len);
	else if (pid == c->task->tid || pid == c->task->tgid)
		sys_iovec_wrote((gaddr)c->a[3], c->a[4], len);
}

static int64_t process_vm(struct sys_call *c, long nr, bool reads)
{
	struct host_iovec local_space[SYS_FAST_IOVECS], *remote = NULL;
	uint64_t base = 0, local, n;
	void *free_me = NULL;
	int pid = (int)c->a[0];
	int64_t r;

	if (c->a[5])
		return -EINVAL;
	sys_import_iovec((gaddr)c->a[1], c->a[2], local_space, &local, &n, &free_me);
	/* Without anything to copy the host looks at the local side alone: nothing else comes first. */
	r = sys_host(nr, 0, local, n, NULL, 0, 0);
	if (r == -EINVAL || r == -EFAULT)
		goto out;
	if (!c->a[2]) {
		r = 0;
		goto out;
	}
	r = read_remote((gaddr)c->a[3], c->a[4], 0, &remote);
	if (r)
		goto out;
	if (!other_base(c->task, pid, &base)) {
		r = no_guest(reads ? "process_vm_readv" : "process_vm_writev", pid);
		goto out;
	}
	for (uint64_t i = 0; i < c->a[4]; i++)
		remote[i].iov_base += base;
	r = sys_host(nr, pid, local, n, remote, c->a[4], 0);
	if (r > 0)
		written(c, reads, (uint64_t)r);
out:
	free(remote);
	free(free_me);
	return r;
}

int64_t sys_process_vm_readv(struct sys_call *c)
{
	return process_vm(c, HOSTNR(process_vm_readv), true);
}

int64_t sys_process_vm_writev(struct sys_call *c)
{
	return process_vm(c, HOSTNR(process_vm_writev), false);
}

/* The process behind a pidfd; 0: FD is none, or its process is gone. */
static int pid_of(int fd)
{
	char path[40], line[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Pid: %d", &pid) == 1)
			break;
	}
	if (f)
		fclose(f);
	return pid > 0 ? pid : 0;
}

int64_t sys_process_madvise(struct sys_call *c)
{
	struct host_iovec *iov;
	uint64_t base = 0;
	int64_t r;
	int pid;

	if (c->a[4])
		return -EINVAL;
	r = read_remote((gaddr)c->a[1], c->a[2], 0, &iov);
	pid = pid_of((int)c->a[0]);
	if (!r && pid && !other_base(c->task, pid, &base))
		r = no_guest("process_madvise", pid);
	if (!r) {
		for (uint64_t i = 0; i < c->a[2]; i++)
			iov[i].iov_base += base;
		r = sys_host(HOSTNR(process_madvise), c->a[0], iov, c->a[2], (int)c->a[3], 0);
	}
	free(iov);
	return r;
}
