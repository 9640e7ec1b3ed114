/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ioctl: numbers carry ILP32 sizes, payloads have ILP32 layout. */
#include "abi.h"

static u8 buf[4096] __attribute__((aligned(16)));

#define COMPAT "linux fs/compat_ioctl.c compat_sys_ioctl; oracle README 6 ioctl"

CASE("STR-067", "ioctl", ALL, "linux include/uapi/linux/fs.h FS_IOC32_GETFLAGS",
     "FS_IOC_GETFLAGS is 0x80046601 and writes an int")
{
	u32 flags[2] = {0xa5a5a5a5, 0xa5a5a5a5};
	s64 r;

	scratch();
	r = S(ioctl, make_file("f", 0), 0x80046601, flags);
	if (r == -ENOTTY || r == -EOPNOTSUPP)
		skip("the file system has no flags");
	EQ(r, 0);
	OK(flags[0] != 0xa5a5a5a5);
	EQ(flags[1], 0xa5a5a5a5);
}

CASE("STR-068", "ioctl", ALL, COMPAT, "FS_IOC_GETFLAGS with the LP64 number 0x80086601 is ENOTTY")
{
	scratch();
	EQ(S(ioctl, make_file("f", 0), 0x80086601, buf), -ENOTTY);
}

CASE("STR-069", "ioctl socket .ifconf .ifreq", ALL,
     "linux net/socket.c dev_ifconf; oracle README 6 ifconf",
     "SIOCGIFCONF: {s32 length, u32 pointer}, records of 32 bytes")
{
	u32 conf[2] = {96, Z(buf)}, only[2] = {0, 0};
	s64 fd = GOOD(S(socket, 2, 2, 0));

	memset(buf, 0xa5, 128);
	EQ(S(ioctl, fd, 0x8912, conf), 0);
	EQ(conf[0] % 32, 0);
	OK(conf[0] <= 96 && all_bytes(buf + 96, 0xa5, 32));
	if (conf[0])
		EQ(buf[16] | buf[17] << 8, 2);
	EQ(S(ioctl, fd, 0x8912, only), 0);
	EQ(only[0] % 32, 0);
}

CASE("STR-069a", "ioctl .ifreq", ALL, "oracle README 6 ifreq; linux net/socket.c",
     "SIOCGIFINDEX, SIOCGIFNAME and SIOCGIFFLAGS: ifreq of 32 bytes")
{
	u8 *ifr = at_end(32);
	s64 fd = GOOD(S(socket, 2, 2, 0)), r;

	memcpy(ifr, "lo", 3);
	r = S(ioctl, fd, 0x8933, ifr);
	if (r == -ENODEV)
		skip("no loopback interface");
	EQ(r, 0);
	OK(get32(ifr + 16) >= 1);
	EQ(S(ioctl, fd, 0x8913, ifr), 0);
	OK(ifr[16] & 8); /* IFF_LOOPBACK */
	put32(ifr + 16, 1);
	EQ(S(ioctl, fd, 0x8910, ifr), 0);
	memcpy(ifr, "none", 5);
	EQ(S(ioctl, fd, 0x8933, ifr), -ENODEV);
}

/* A block device that may be opened, or the case is skipped. */
static s64 block_device(void)
{
	static const char *const name[] = {"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop0",
					   "/dev/ram0"};

	for (u32 i = 0; i < 5; i++) {
		s64 fd = S(openat, AT_FDCWD, name[i], O_RDONLY, 0);

		if (fd >= 0)
			return fd;
	}
	skip("no block device to open");
}

CASE("STR-070", "ioctl", ALL, "oracle README 6 ioctl; linux block/compat_ioctl.c",
     "BLKGETSIZE64 is 0x80041272 and writes 8 bytes; the LP64 number is ENOTTY")
{
	s64 fd = block_device();
	u64 size[2] = {0x7777777777777777ull, 0x5a};

	EQ(S(ioctl, fd, 0x80041272, size), 0);
	OK(size[0] != 0x7777777777777777ull && size[0] % 512 == 0);
	EQ(size[1], 0x5a);
	EQ(S(ioctl, fd, 0x80081272, size), -ENOTTY);
}

CASE("STR-075", "ioctl", ALL, "linux block/compat_ioctl.c BLKGETSIZE: compat_put_ulong",
     "BLKGETSIZE writes 4 bytes: the low half of the number of sectors")
{
	s64 fd = block_device(), r;
	u32 sectors[2] = {0, 0xa5a5a5a5};
	u64 size = 0;

	EQ(S(ioctl, fd, 0x80041272, &size), 0);
	r = S(ioctl, fd, 0x1260, sectors);
	if (size / 512 >> 32) {
		/* compat_blkdev_ioctl: EFBIG when it does not fit. */
		EQ(r, -EFBIG);
		return;
	}
	EQ(r, 0);
	EQ(sectors[0], size / 512);
	EQ(sectors[1], 0xa5a5a5a5);
}

static s64 terminal(void)
{
	s64 fd = S(openat, AT_FDCWD, "/dev/ptmx", O_RDWR | 0400, 0);

	if (fd < 0)
		skip("no /dev/ptmx");
	return fd;
}

CASE("STR-071", "ioctl .termios .winsize", ALL,
     "linux drivers/tty/tty_ioctl.c: the same structures", "TIOCGWINSZ has 8 bytes, TCGETS 36")
{
	s64 fd = terminal();
	u16 size[5] = {24, 80, 1, 2, 0xa5a5};
	u8 *t = at_end(36);

	EQ(S(ioctl, fd, 0x5414, size), 0);
	size[0] = size[1] = 0;
	EQ(S(ioctl, fd, 0x5413, size), 0);
	OK(size[0] == 24 && size[1] == 80 && size[4] == 0xa5a5);
	EQ(S(ioctl, fd, 0x5401, t), 0);
	EQ(t[17 + 0], 3); /* VINTR is ^C */
	EQ(S(ioctl, fd, 0x5401, t + 4), -EFAULT);
	EQ(S(ioctl, fd, 0x5402, t), 0);
}

CASE("STR-071a", "ioctl", ALL, "linux drivers/tty/pty.c",
     "TIOCGPTN and TIOCSPTLCK: ints, the same numbers")
{
	s64 fd = terminal();
	u32 n[2] = {0xa5a5a5a5, 0xa5a5a5a5}, zero = 0;

	EQ(S(ioctl, fd, 0x80045430, n), 0);
	OK(n[0] < 100000 && n[1] == 0xa5a5a5a5);
	EQ(S(ioctl, fd, 0x40045431, &zero), 0);
}

CASE("STR-072", "ioctl", ALL, "linux drivers/char/rtc.c, fs/compat_ioctl.c RTC_IRQP_READ32",
     "RTC_IRQP_READ is 0x8004700b and writes 4 bytes")
{
	s64 fd = S(openat, AT_FDCWD, "/dev/rtc0", O_RDONLY, 0), r;
	u32 rate[2] = {0xa5a5a5a5, 0xa5a5a5a5};

	if (fd < 0)
		skip("no /dev/rtc0 to open");
	r = S(ioctl, fd, 0x8004700b, rate);
	EQ(r, 0);
	OK(rate[0] != 0xa5a5a5a5 && rate[1] == 0xa5a5a5a5);
}

CASE("STR-073", "read .input_event", ALL,
     "linux drivers/input/input-compat.h input_event_size: 16 in compat mode",
     "input events have 16 bytes")
{
	s64 fd = S(openat, AT_FDCWD, "/dev/input/event0", O_RDONLY | O_NONBLOCK, 0), r;

	if (fd < 0)
		skip("no input device to open");
	EQ(S(read, fd, buf, 15), -EINVAL);
	r = S(read, fd, buf, 16);
	OK(r == -EAGAIN || r == 16);
}

CASE("STR-076", "ioctl .serial_struct", ALL,
     "linux fs/compat_ioctl.c serial_struct_ioctl: iomem_base above 4 GiB reads 0xffffffff",
     "TIOCGSERIAL has a 60-byte structure")
{
	s64 fd = S(openat, AT_FDCWD, "/dev/ttyS0", O_RDONLY | O_NONBLOCK | 0400, 0), r;

	if (fd < 0)
		skip("no /dev/ttyS0 to open");
	memset(buf, 0xa5, 128);
	r = S(ioctl, fd, 0x541e, buf);
	if (r < 0)
		skip("no serial port there");
	OK(all_bytes(buf + 60, 0xa5, 68));
	OK(get32(buf + 8) < 0x10000);
}

CASE("STR-078", "ioctl .v4l2_buffer", ALL, "linux drivers/media/v4l2-core/v4l2-compat-ioctl32.c",
     "VIDIOC_QUERYBUF is 0xc0445609: 68 bytes")
{
	s64 fd = S(openat, AT_FDCWD, "/dev/video0", O_RDWR | O_NONBLOCK, 0), r;

	if (fd < 0)
		skip("no /dev/video0 to open");
	memset(buf, 0, 128);
	put32(buf + 4, 1);
	r = S(ioctl, fd, 0xc0445609, buf);
	OK(r == 0 || r == -EINVAL);
}

CASE("STR-079", "ioctl .snd_pcm_status", ALL,
     "linux sound/core/pcm_compat.c SNDRV_PCM_IOCTL_STATUS32",
     "SNDRV_PCM_IOCTL_STATUS is 0x806c4120: 108 bytes")
{
	s64 fd = S(openat, AT_FDCWD, "/dev/snd/pcmC0D0p", O_RDWR | O_NONBLOCK, 0);

	if (fd < 0)
		skip("no sound device to open");
	memset(buf, 0xa5, 256);
	EQ(S(ioctl, fd, 0x806c4120, buf), 0);
	OK(all_bytes(buf + 108, 0xa5, 64));
}

CASE("STR-084", "ioctl", ALL, COMPAT, "garbage above the pointer and the number is ignored")
{
	u32 fds[2], n[2] = {0xa5a5a5a5, 0xa5a5a5a5};

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(write, fds[1], "abc", 3), 3);
	EQ(sys6(__NR_ioctl, G(fds[0]), G(0x541b), G(n), 0, 0, 0), 0);
	EQ(n[0], 3);
	EQ(n[1], 0xa5a5a5a5);
}

CASE("IOC-001", "ioctl", ALL, COMPAT,
     "an unknown number on a file is ENOTTY, a bad descriptor EBADF")
{
	EQ(S(ioctl, file_of(0), 0x12345678, buf), -ENOTTY);
	EQ(S(ioctl, -1, 0x541b, buf), -EBADF);
}

CASE("IOC-002", "ioctl fcntl64", ALL, "linux fs/ioctl.c do_vfs_ioctl",
     "FIOCLEX, FIONCLEX and FIONBIO are the same everywhere")
{
	u32 fds[2], on = 1;

	EQ(S(pipe2, fds, 0), 0);
	EQ(S(ioctl, fds[0], 0x5451, 0), 0);
	EQ(S(fcntl64, fds[0], 1), 1);
	EQ(S(ioctl, fds[0], 0x5450, 0), 0);
	EQ(S(fcntl64, fds[0], 1), 0);
	EQ(S(ioctl, fds[0], 0x5421, &on), 0);
	EQ(S(read, fds[0], buf, 1), -EAGAIN);
}

CASE("IOC-003", "ioctl", ALL, "linux net/socket.c compat_sock_ioctl: SIOCGSTAMP gives 8 bytes",
     "SIOCGSTAMP of a socket that got nothing is ENOENT")
{
	s64 fd = GOOD(S(socket, 2, 2, 0));
	u32 tv[3] = {0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5};

	EQ(S(ioctl, fd, 0x8906, tv), -ENOENT);
	OK(all_bytes(tv, 0xa5, 12));
}
