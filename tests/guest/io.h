/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of files, sockets, ioctls and IPC: call numbers, values, what a call writes. */
#ifndef IO_H
#define IO_H

#include "guest.h"

enum {
	SYS_dup3 = 24,
	SYS_fcntl64 = 25,
	SYS_ioctl = 29,
	SYS_mknodat = 33,
	SYS_mkdirat = 34,
	SYS_unlinkat = 35,
	SYS_symlinkat = 36,
	SYS_ftruncate64 = 46,
	SYS_chdir = 49,
	SYS_fchdir = 50,
	SYS_readlinkat = 78,
	SYS_setsid = 157,
	SYS_getpgid = 155,
	SYS_getuid = 174,
	SYS_getgid = 176,
	SYS_msgget = 186,
	SYS_msgctl = 187,
	SYS_msgrcv = 188,
	SYS_msgsnd = 189,
	SYS_semget = 190,
	SYS_semctl = 191,
	SYS_semtimedop = 192,
	SYS_semop = 193,
	SYS_shmget = 194,
	SYS_shmctl = 195,
	SYS_shmat = 196,
	SYS_shmdt = 197,
	SYS_socket = 198,
	SYS_socketpair = 199,
	SYS_bind = 200,
	SYS_listen = 201,
	SYS_connect = 203,
	SYS_getsockname = 204,
	SYS_sendto = 206,
	SYS_recvfrom = 207,
	SYS_setsockopt = 208,
	SYS_getsockopt = 209,
	SYS_shutdown = 210,
	SYS_sendmsg = 211,
	SYS_recvmsg = 212,
	SYS_recvmmsg = 243,
	SYS_sendmmsg = 269,
	SYS_openat2 = 437,
};

#define AT_FDCWD (-100)

/* arm64's values. */
#define O_RDONLY    0u
#define O_WRONLY    1u
#define O_RDWR      2u
#define O_CREAT     0100u
#define O_EXCL      0200u
#define O_NOCTTY    0400u
#define O_TRUNC     01000u
#define O_APPEND    02000u
#define O_NONBLOCK  04000u
#define O_DIRECTORY 040000u
#define O_NOFOLLOW  0100000u
#define O_DIRECT    0200000u
#define O_LARGEFILE 0400000u
#define O_CLOEXEC   02000000u
#define O_PATH      010000000u
#define O_TMPFILE   (020000000u | O_DIRECTORY)

enum { AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10 };
enum { SOCK_STREAM = 1, SOCK_DGRAM = 2, SOCK_NONBLOCK = 04000 };
enum { SOL_IP = 0, SOL_SOCKET = 1 };

#define PAGE 4096u

/* Prints which bytes of the SIZE at BUF, which CALL gets twice, it writes; yields its result. */
#define WROTE(name, buf, size, call)                     \
 (                                                       \
	 {                                               \
static u8 copy_[size];                                       \
memset(buf, 0xa5, size);                                     \
s64 first_ = (call);                                         \
memcpy(copy_, buf, size);                                    \
memset(buf, 0x5a, size);                                     \
(void)(call);                                                \
print_written(name, first_, copy_, (const u8 *)(buf), size); \
first_;                                                      \
	 })

static NOINLINE void print_written(const char *name, s64 r, const u8 *a, const u8 *b, u32 size)
{
	u32 from = 0;
	int in = 0, any = 0;

	print("%s: %ld, writes", name, r);
	for (u32 i = 0; i <= size; i++) {
		int written = i < size && !(a[i] == 0xa5 && b[i] == 0x5a);

		if (written && !in)
			from = i;
		if (!written && in)
			print(" [%u,%u)", from, i);
		in = written;
		any |= written;
	}
	print(any ? "\n" : " nothing\n");
}

/* A writable file without a name, empty. */
static UNUSED int scratch_file(void)
{
	return (int)sys(NR_memfd_create, "scratch", 0);
}

static NOINLINE u32 text_length(const char *s)
{
	u32 n = 0;

	while (s[n]) {
		n++;
		__asm__ volatile("");
	}
	return n;
}

/* "PREFIX" + decimal N into BUF. */
static NOINLINE char *numbered(char *buf, const char *prefix, u32 n)
{
	char digits[12];
	u32 k = 0, at = text_length(prefix);

	memcpy(buf, prefix, at);
	do {
		digits[k++] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	while (k)
		buf[at++] = digits[--k];
	buf[at] = 0;
	return buf;
}

/* Sleeps MS milliseconds. */
static UNUSED void pause_ms(u32 ms)
{
	u32 ts[2] = {ms / 1000, ms % 1000 * 1000000};

	sys(NR_nanosleep, ts, 0);
}

/* Handlers do nothing but count. */
static volatile u32 signals_seen;
static UNUSED void count_signal(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)info, (void)uc;
	signals_seen++;
}

#endif
