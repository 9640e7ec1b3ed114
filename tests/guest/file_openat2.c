/* SPDX-License-Identifier: GPL-2.0-or-later */
/* openat2: flags of arm64 in 64 bits, the extensible structure, what is not known is refused. */
#include "io.h"

struct open_how {
	u64 flags, mode, resolve;
	u64 more; /* unknown to the kernel */
};

static s64 try(const char *path, u64 flags, u64 resolve, u32 size, u64 more)
{
	struct open_how how = {flags, 0, resolve, more};
	s64 fd = sys(SYS_openat2, AT_FDCWD, path, &how, size);

	if (fd >= 0)
		sys(NR_close, fd);
	return fd >= 0 ? 0 : fd;
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	struct open_how how = {O_DIRECTORY | O_CLOEXEC, 0, 0, 0};
	s64 fd = sys(SYS_openat2, AT_FDCWD, "/tmp", &how, 24);

	(void)argc, (void)argv, (void)envp, (void)auxv;
	if (fd == -38) {
		print("ENOSYS\n");
		return 0;
	}
	print("GETFL %lx\n", sys(SYS_fcntl64, fd, 3));
	print("O_DIRECTORY on a file %ld\n", try("/proc/version", O_DIRECTORY, 0, 24, 0));
	print("sizes: 23 %ld, 24 %ld, 32 zero %ld, 32 not zero %ld, 4097 %ld\n",
	      try("/tmp", 0, 0, 23, 0), try("/tmp", 0, 0, 24, 0), try("/tmp", 0, 0, 32, 0),
	      try("/tmp", 0, 0, 32, 1), try("/tmp", 0, 0, 4097, 0));
	print("unknown flag %ld, unknown high flag %ld, unknown resolve %ld\n",
	      try("/tmp", 0x80000000, 0, 24, 0), try("/tmp", 1ull << 40, 0, 24, 0),
	      try("/tmp", 0, 1ull << 40, 24, 0));
	print("mode without O_CREAT %ld\n", ({
		      struct open_how m = {0, 0600, 0, 0};
		      sys(SYS_openat2, AT_FDCWD, "/tmp", &m, 24);
	      }));
	/* RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH, RESOLVE_IN_ROOT */
	print("no links %ld, beneath %ld, in root %ld\n", try("/proc/self", 0, 4, 24, 0),
	      try("/tmp", 0, 8, 24, 0), ({
		      struct open_how m = {0, 0, 16, 0};
		      s64 r = sys(SYS_openat2, fd, "/", &m, 24);
		      r > 2 ? 0 : r;
	      }));
	print("bad structure %ld, bad path %ld\n",
	      sys(SYS_openat2, AT_FDCWD, "/tmp", 0xfffffff0u, 24),
	      sys(SYS_openat2, AT_FDCWD, 0xfffff000u, &how, 24));
	return 0;
}
