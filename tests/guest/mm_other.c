/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of another process: process_vm_readv, process_vm_writev and process_madvise with iovecs of eight
 * bytes on both sides. Expected values from mm/process_vm_access.c and mm/madvise.c. */
#include "io.h"

enum {
	SYS_process_vm_readv = 270,
	SYS_process_vm_writev,
	SYS_pidfd_open = 434,
	SYS_process_madvise = 440
};
enum { MADV_DONTNEED = 4, MADV_COLD = 20 };

struct iov {
	u32 base, len;
};

static char theirs[64] = "the parent's text", mine[64];
static u32 pages;

static s64 vm(u32 nr, u32 pid, u32 a, u32 alen, u32 b, u32 blen)
{
	struct iov local = {a, alen}, remote = {b, blen};

	return sys(nr, pid, &local, 1, &remote, 1, 0);
}

static s64 get(u32 pid, u32 to, u32 from, u32 n)
{
	return vm(SYS_process_vm_readv, pid, to, n, from, n);
}

static void child(int go)
{
	char c;

	memcpy(theirs, "the child's own text", 21);
	memcpy((void *)(long)pages, "first", 6);
	sys(NR_munmap, pages + PAGE, PAGE);
	sys(NR_write, go, "r", 1);
	/* Until the parent has changed it. */
	sys(NR_read, go + 1, &c, 1);
	print("child sees: %s\n", theirs);
	quit(0);
}

static void transfers(u32 pid)
{
	struct iov local[3] = {{(u32)mine, 4}, {(u32)mine + 8, 0}, {(u32)mine + 16, 8}};
	struct iov remote[2] = {{(u32)theirs + 4, 7}, {(u32)theirs + 12, 5}};

	print("read %ld", get(pid, (u32)mine, (u32)theirs, 21));
	print(": %s\n", mine);
	memset(mine, '.', 30);
	mine[24] = 0;
	print("gather and scatter %ld", sys(SYS_process_vm_readv, pid, local, 3, remote, 2, 0));
	print(": %s\n", mine);
	print("write %ld", vm(SYS_process_vm_writev, pid, (u32) "THE", 3, (u32)theirs, 3));
	/* Up to the page that the child has unmapped, and what is not there at all. */
	print(", into a hole %ld, of it %ld, at the end %ld\n",
	      get(pid, (u32)mine, pages + PAGE - 8, 16), get(pid, (u32)mine, pages + PAGE, 16),
	      get(pid, (u32)mine, 0xfffffff0, 32));
	print("local: unmapped %ld, at the end %ld, read-only text %ld\n",
	      get(pid, pages + 8 * PAGE, (u32)theirs, 4), get(pid, 0xfffffff0, (u32)theirs, 4),
	      vm(SYS_process_vm_writev, pid, (u32)mine, 4, (u32)transfers, 4));
}

static void refused(u32 pid)
{
	struct iov v = {(u32)mine, 4}, negative = {(u32)mine, 0x80000000};

	print("flags %ld, no local %ld, no remote %ld, too many %ld %ld\n",
	      sys(SYS_process_vm_readv, pid, &v, 1, &v, 1, 1),
	      sys(SYS_process_vm_readv, pid, 0, 0, &v, 1, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1, 0, 0, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1025, &v, 1, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1, &v, 1025, 0));
	print("bad iovecs %ld %ld %ld, negative %ld %ld\n",
	      sys(SYS_process_vm_readv, pid, 0xfffffffc, 1, &v, 1, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1, 0xfffffffc, 1, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1, 0, 1, 0),
	      sys(SYS_process_vm_readv, pid, &negative, 1, &v, 1, 0),
	      sys(SYS_process_vm_readv, pid, &v, 1, &negative, 1, 0));
	print("no process %ld, myself %ld\n", get(0x3ffffff, (u32)mine, (u32)mine, 4),
	      get((u32)sys(NR_getpid), (u32)mine, (u32)theirs, 4));
}

static void advice(u32 pid)
{
	s64 fd = sys(SYS_pidfd_open, pid, 0);
	struct iov v[2] = {{pages, PAGE}, {pages + 2 * PAGE, PAGE}}, odd = {pages + 1, PAGE};

	print("madvise %ld, advice %ld, unaligned %ld, descriptor %ld, flags %ld, bad iovec %ld\n",
	      sys(SYS_process_madvise, fd, v, 2, MADV_COLD, 0),
	      sys(SYS_process_madvise, fd, v, 2, 99, 0),
	      sys(SYS_process_madvise, fd, &odd, 1, MADV_COLD, 0),
	      sys(SYS_process_madvise, -1, v, 1, MADV_COLD, 0),
	      sys(SYS_process_madvise, fd, v, 1, MADV_COLD, 1),
	      sys(SYS_process_madvise, fd, 0xfffffffc, 1, MADV_COLD, 0));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	int to_parent[2], to_child[2];
	s64 pid;
	char c;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	pages = (u32)sys(NR_mmap2, 0, 3 * PAGE, 3, 0x22, -1, 0);
	sys(NR_pipe2, to_parent, 0);
	sys(NR_pipe2, to_child, 0);
	/* The child has them as go and go + 1. */
	sys(24, to_parent[1], 40, 0);
	sys(24, to_child[0], 41, 0);
	pid = fork_();
	if (!pid)
		child(40);
	sys(NR_read, to_parent[0], &c, 1);
	transfers((u32)pid);
	refused((u32)pid);
	advice((u32)pid);
	sys(NR_write, to_child[1], "g", 1);
	print("child ended with %x\n", wait_for(pid));
	return 0;
}
