/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "abi/describe.h"

/*
 * stat of calls 79 and 80: the AArch32 stat64, with 32-bit times and the inode number twice (its low
 * half at 12 as AArch32 has it, the whole at 96), and not asm-generic's. Everything in it is
 * written, holes as zero; nothing overflows.
 */
#define HOST struct host_stat
DESCRIBE(stat, 104, NULL, NULL, F(st_dev, 0, 8, COPY, DEVICE), F_PAD(8, 4),
	 F_OF(st_ino32, st_ino, 12, 4, ALIAS, HIDE), F_KEY(st_mode, 16, 4, COPY, MODE),
	 F(st_nlink, 20, 4, ZEXT, UDEC), F(st_uid, 24, 4, COPY, UDEC), F(st_gid, 28, 4, COPY, UDEC),
	 F(st_rdev, 32, 8, COPY, DEVICE), F_PAD(40, 8), F_KEY(st_size, 48, 8, COPY, DEC),
	 F(st_blksize, 56, 4, ZEXT, UDEC), F_PAD(60, 4), F(st_blocks, 64, 8, COPY, DEC),
	 F_OF(st_atime, st_atime_, 72, 4, SEXT, DEC), F(st_atime_nsec, 76, 4, ZEXT, UDEC),
	 F_OF(st_mtime, st_mtime_, 80, 4, SEXT, DEC), F(st_mtime_nsec, 84, 4, ZEXT, UDEC),
	 F_OF(st_ctime, st_ctime_, 88, 4, SEXT, DEC), F(st_ctime_nsec, 92, 4, ZEXT, UDEC),
	 F(st_ino, 96, 8, COPY, UDEC));
#undef HOST

/* compat_statfs64, packed to four bytes: 84 are written whether the caller says 84 or 88. */
#define HOST struct host_statfs
DESCRIBE(statfs64, 84, NULL, NULL, F_SYM(f_type, 0, 4, OVFL, statfs_magic),
	 F(f_bsize, 4, 4, OVFL, UDEC), F(f_blocks, 8, 8, COPY, UDEC), F(f_bfree, 16, 8, COPY, UDEC),
	 F(f_bavail, 24, 8, COPY, UDEC), F(f_files, 32, 8, ONES, UDEC),
	 F(f_ffree, 40, 8, ONES, UDEC), F_ARRAY(f_fsid, 48, 4, 2, COPY, HEX),
	 F(f_namelen, 56, 4, OVFL, UDEC), F(f_frsize, 60, 4, OVFL, UDEC),
	 F_SYM(f_flags, 64, 4, OVFL, statfs_flags), F_PAD(68, 16));
#undef HOST

#define HOST struct host_statx_timestamp
DESCRIBE_SAME(statx_timestamp, 16, "linux/stat.h", "struct statx_timestamp",
	      F(tv_sec, 0, 8, COPY, DEC), F(tv_nsec, 8, 4, COPY, UDEC));
#undef HOST

#define HOST struct host_statx
DESCRIBE_SAME(statx, 256, "linux/stat.h", "struct statx", F_SYM(stx_mask, 0, 4, COPY, statx_mask),
	      F(stx_blksize, 4, 4, COPY, UDEC), F(stx_attributes, 8, 8, COPY, HEX),
	      F(stx_nlink, 16, 4, COPY, UDEC), F(stx_uid, 20, 4, COPY, UDEC),
	      F(stx_gid, 24, 4, COPY, UDEC), F_KEY(stx_mode, 28, 2, COPY, MODE),
	      F(stx_ino, 32, 8, COPY, UDEC), F_KEY(stx_size, 40, 8, COPY, UDEC),
	      F(stx_blocks, 48, 8, COPY, UDEC), F(stx_attributes_mask, 56, 8, COPY, HEX),
	      F_NEST(stx_atime, 64, 16, statx_timestamp),
	      F_NEST(stx_btime, 80, 16, statx_timestamp),
	      F_NEST(stx_ctime, 96, 16, statx_timestamp),
	      F_NEST(stx_mtime, 112, 16, statx_timestamp), F(stx_rdev_major, 128, 4, COPY, UDEC),
	      F(stx_rdev_minor, 132, 4, COPY, UDEC), F(stx_dev_major, 136, 4, COPY, UDEC),
	      F(stx_dev_minor, 140, 4, COPY, UDEC), F(stx_mnt_id, 144, 8, COPY, UDEC),
	      F(stx_dio_mem_align, 152, 4, COPY, UDEC),
	      F(stx_dio_offset_align, 156, 4, COPY, UDEC));
#undef HOST

#define HOST struct host_iovec
DESCRIBE(iovec, 8, "linux/uio.h", "struct iovec", F(iov_base, 0, 4, PTR, GPTR),
	 F(iov_len, 4, 4, ZEXT, UDEC));
#undef HOST

#define HOST struct host_flock
/* Commands 5, 6, 7: an ILP32 libc never issues them (its F_GETLK is 12), but the kernel has them. */
DESCRIBE(flock, 16, NULL, NULL, F_SYM(l_type, 0, 2, COPY, lock_type),
	 F_SYM(l_whence, 2, 2, COPY, whence), F(l_start, 4, 4, SOVFL, DEC),
	 F(l_len, 8, 4, CLAMP, DEC), F(l_pid, 12, 4, COPY, DEC));
DESCRIBE_SAME(flock64, 32, "linux/fcntl.h", "struct flock64", F_SYM(l_type, 0, 2, COPY, lock_type),
	      F_SYM(l_whence, 2, 2, COPY, whence), F(l_start, 8, 8, COPY, DEC),
	      F(l_len, 16, 8, COPY, DEC), F(l_pid, 24, 4, COPY, DEC));
#undef HOST

#define HOST struct host_f_owner_ex
DESCRIBE_SAME(f_owner_ex, 8, "linux/fcntl.h", "struct f_owner_ex", F(type, 0, 4, COPY, DEC),
	      F(pid, 4, 4, COPY, DEC));
#undef HOST

/* The values of flags differ between hosts; openat2's handler translates them. */
#define HOST struct host_open_how
DESCRIBE_SAME(open_how, 24, "linux/openat2.h", "struct open_how",
	      F_SYM(flags, 0, 8, COPY, open_flags), F(mode, 8, 8, COPY, OCT),
	      F_SYM(resolve, 16, 8, COPY, resolve_flags));
#undef HOST

#define HOST struct host_epoll_event
/* The kernel stores the two members and nothing between them. */
DESCRIBE_(epoll_event, 16, sizeof(HOST) == 16 && ABI_HOST_IS_LITTLE_ENDIAN, true,
	  "linux/eventpoll.h", "struct epoll_event", F_SYM(events, 0, 4, COPY, epoll_events),
	  F_GAP(4, 4, LEAVE), F(data, 8, 8, COPY, HEX));
#undef HOST

#define HOST struct host_pollfd
DESCRIBE_SAME(pollfd, 8, "linux/poll.h", "struct pollfd", F(fd, 0, 4, COPY, DEC),
	      F_SYM(events, 4, 2, COPY, poll_events), F_SYM(revents, 6, 2, COPY, poll_events));
#undef HOST

#define HOST struct host_termios
DESCRIBE_SAME(termios, 36, "asm/termbits.h", "struct termios", F(c_iflag, 0, 4, COPY, HEX),
	      F(c_oflag, 4, 4, COPY, HEX), F(c_cflag, 8, 4, COPY, HEX),
	      F(c_lflag, 12, 4, COPY, HEX), F(c_line, 16, 1, COPY, UDEC),
	      F_ARRAY(c_cc, 17, 1, 19, COPY, BYTES));
#undef HOST

#define HOST struct host_termios2
DESCRIBE_SAME(termios2, 44, "asm/termbits.h", "struct termios2", F(c_iflag, 0, 4, COPY, HEX),
	      F(c_oflag, 4, 4, COPY, HEX), F(c_cflag, 8, 4, COPY, HEX),
	      F(c_lflag, 12, 4, COPY, HEX), F(c_line, 16, 1, COPY, UDEC),
	      F_ARRAY(c_cc, 17, 1, 19, COPY, BYTES), F(c_ispeed, 36, 4, COPY, UDEC),
	      F(c_ospeed, 40, 4, COPY, UDEC));
#undef HOST

#define HOST struct host_winsize
DESCRIBE_SAME(winsize, 8, "asm/termios.h", "struct winsize", F(ws_row, 0, 2, COPY, UDEC),
	      F(ws_col, 2, 2, COPY, UDEC), F(ws_xpixel, 4, 2, COPY, UDEC),
	      F(ws_ypixel, 6, 2, COPY, UDEC));
#undef HOST

#define HOST struct host_cachestat_range
DESCRIBE_SAME(cachestat_range, 16, NULL, NULL, F(off, 0, 8, COPY, UDEC), F(len, 8, 8, COPY, UDEC));
#undef HOST

#define HOST struct host_cachestat
DESCRIBE_SAME(cachestat, 40, NULL, NULL, F(nr_cache, 0, 8, COPY, UDEC),
	      F(nr_dirty, 8, 8, COPY, UDEC), F(nr_writeback, 16, 8, COPY, UDEC),
	      F(nr_evicted, 24, 8, COPY, UDEC), F(nr_recently_evicted, 32, 8, COPY, UDEC));
#undef HOST
