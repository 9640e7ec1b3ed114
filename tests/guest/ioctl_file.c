/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands on files: numbers carry the sizes of ILP32, those of LP64 are unknown. */
#include "io.h"

#define ioctl(...) sys(SYS_ioctl, __VA_ARGS__)

static u8 buf[64];

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	int fd = scratch_file(), dir, p[2];
	u32 flags = 0xa5a5a5a5;
	s64 r;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	sys(NR_write, fd, "0123456789", 10);
	r = WROTE("FIGETBSZ", buf, sizeof(buf), ioctl(fd, 2, buf));
	print("size of a block %u\n", get32(buf));
	WROTE("FIONREAD", buf, sizeof(buf), ioctl(fd, 0x541b, buf));
	WROTE("FIOQSIZE", buf, sizeof(buf), ioctl(fd, 0x5460, buf));
	print("whole pages are allocated: %d\n", get64(buf) && get64(buf) % PAGE == 0);
	/* Whether a file system has flags differs; if it has, they are 4 bytes under the narrow number. */
	dir = (int)sys(NR_openat, AT_FDCWD, "/", O_DIRECTORY);
	r = ioctl(dir, 0x80046601u, &flags);
	print("FS_IOC_GETFLAGS known %d, number of LP64 %ld\n", r == 0 || r == -25 || r == -95,
	      ioctl(dir, 0x80086601u, buf));
	print("FS_IOC_SETFLAGS with a bad pointer %d\n", ({
		      r = ioctl(dir, 0x40046602u, 0xfffffffcu);
		      r == -14 || r == -25 || r == -95 || r == -1 || r == -30;
	      }));
	print("BLKGETSIZE64 on a file %ld, number of LP64 %ld\n", ioctl(fd, 0x80041272u, buf),
	      ioctl(fd, 0x80081272u, buf));
	/* FICLONE takes a descriptor by value. */
	print("FICLONE from a closed one %ld\n", ioctl(fd, 0x40049409u, 999));
	dir = (int)sys(NR_openat, AT_FDCWD, "/dev/urandom", O_RDONLY);
	WROTE("RNDGETENTCNT", buf, sizeof(buf), ioctl(dir, 0x80045200u, buf));
	sys(NR_pipe2, p, 0);
	sys(NR_write, p[1], "abc", 3);
	ioctl(p[0], 0x541b, buf);
	print("FIONREAD of a pipe %u\n", get32(buf));
	/* A namespace: a number without data. */
	dir = (int)sys(NR_openat, AT_FDCWD, "/proc/self/ns/pid", O_RDONLY);
	print("NS_GET_NSTYPE %lx\n", ioctl(dir, 0xb703));
	return 0;
}
