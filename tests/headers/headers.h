/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The UAPI headers that programs made by the checks here include. */
#ifndef HEADERS_H
#define HEADERS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Headers that have the values of symbol tables; those of structures come from the descriptions. */
static const char *const headers[] = {
	"linux/types.h",
	"linux/errno.h",
	"asm/signal.h",
	"asm/siginfo.h",
	"linux/fcntl.h",
	"linux/fs.h",
	"linux/mount.h",
	"linux/stat.h",
	"linux/mman.h",
	"linux/futex.h",
	"linux/sched.h",
	"linux/prctl.h",
	"linux/ptrace.h",
	"linux/personality.h",
	"linux/wait.h",
	"linux/inotify.h",
	"linux/fanotify.h",
	"linux/eventpoll.h",
	"linux/poll.h",
	"linux/openat2.h",
	"linux/memfd.h",
	"linux/random.h",
	"linux/falloc.h",
	"linux/fadvise.h",
	"linux/mempolicy.h",
	"linux/membarrier.h",
	"linux/magic.h",
	"linux/xattr.h",
	"linux/close_range.h",
	"linux/pidfd.h",
	"linux/kcmp.h",
	"linux/keyctl.h",
	"linux/seccomp.h",
	"linux/shm.h",
	"linux/msg.h",
	"linux/sem.h",
	"linux/net.h",
	"linux/socket.h",
	"asm/socket.h",
	"linux/sockios.h",
	"linux/in.h",
	"asm/ioctls.h",
	"linux/loop.h",
	"linux/kd.h",
	"linux/vt.h",
	"linux/hdreg.h",
	"linux/timerfd.h",
	"linux/signalfd.h",
	"linux/timex.h",
	"linux/resource.h",
	"linux/time.h",
	"linux/times.h",
	"linux/ioprio.h",
	"linux/fiemap.h",
	/* ioctls */
	"asm/termbits.h",
	"asm/ioctl.h",
	"linux/if.h",
	"linux/filter.h",
	"linux/fb.h",
	"linux/fscrypt.h",
	"linux/fsverity.h",
	"linux/msdos_fs.h",
	"linux/nsfs.h",
	"linux/fuse.h",
	"linux/btrfs.h",
	"linux/fsmap.h",
	"linux/blkpg.h",
	"linux/blkzoned.h",
	"linux/cdrom.h",
	"scsi/sg.h",
	"linux/nbd.h",
	"linux/mtio.h",
	"linux/if_tun.h",
	"linux/ppp-ioctl.h",
	"linux/if_vlan.h",
	"linux/route.h",
	"linux/if_arp.h",
	"linux/vm_sockets.h",
	"linux/input.h",
	"linux/uinput.h",
	"linux/joystick.h",
	"linux/hidraw.h",
	"linux/rtc.h",
	"linux/watchdog.h",
	"linux/i2c-dev.h",
	"linux/spi/spidev.h",
	"linux/gpio.h",
	"linux/serial.h",
};

static inline bool listed(const char *header)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (strcmp(headers[i], header) == 0)
			return true;
	}
	return false;
}

static void include(const char *header)
{
	printf("#include <%s>\n", header);
}

/* All of them, with what they expect of libc, whose structures are not the kernel's. */
static inline void headers_begin(void)
{
	puts("#define _SYS_SOCKET_H\n#define _SYS_TIME_H\n#define _SYS_IOCTL_H\n#define _SYS_UIO_H\n"
	     "#define _SYS_TYPES_H\ntypedef unsigned short sa_family_t;\n"
	     "struct sockaddr { sa_family_t sa_family; char sa_data[14]; };");
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		include(headers[i]);
}

#endif
