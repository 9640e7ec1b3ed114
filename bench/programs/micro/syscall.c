/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls and signals.
 *
 * stat and fstat are the kernel's calls of that name: by stat() one libc would ask statx, another fstatat.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "micro.h"

#ifdef SYS_fstat64 /* 32-bit longs */
# define FSTAT   SYS_fstat64
# define FSTATAT SYS_fstatat64
#else
# define FSTAT   SYS_fstat
# define FSTATAT SYS_newfstatat
#endif

#define FDS 100

static const char *path;
static int fd;
static char buf[256]; /* any kernel's struct stat */

static uint64_t null_call(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(syscall(SYS_getppid) <= 0, "getppid");
	return n;
}

static uint64_t gettime(uint64_t n)
{
	struct timespec t;

	for (uint64_t i = n; i > 0; i--)
		micro_check(clock_gettime(CLOCK_MONOTONIC, &t), "clock_gettime");
	return n;
}

static void open_zero(int argc, char **argv)
{
	(void)argc, (void)argv;
	micro_check((fd = open("/dev/zero", O_RDWR)) < 0, "/dev/zero");
}

static uint64_t read_byte(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(read(fd, buf, 1) != 1, "read");
	return n;
}

static uint64_t write_byte(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(write(fd, buf, 1) != 1, "write");
	return n;
}

static void a_path(int argc, char **argv)
{
	micro_check(argc < 1, "no path given");
	path = argv[0];
	micro_check((fd = open(path, O_RDONLY)) < 0, path);
}

static uint64_t stat_path(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(syscall(FSTATAT, AT_FDCWD, path, buf, 0) != 0, "stat");
	return n;
}

static uint64_t stat_fd(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(syscall(FSTAT, fd, buf) != 0, "fstat");
	return n;
}

static uint64_t open_close(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		int file = open(path, O_RDONLY);

		micro_check(file < 0 || close(file), "open and close");
	}
	return n;
}

static fd_set chosen;
static int highest;

static void many_fds(int argc, char **argv)
{
	open_zero(argc, argv);
	FD_ZERO(&chosen);
	for (int i = 0; i < FDS; i++) {
		int copy = dup(fd);

		micro_check(copy < 0 || copy >= FD_SETSIZE, "dup");
		FD_SET(copy, &chosen);
		highest = copy;
	}
}

static uint64_t select_fds(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		fd_set set = chosen;
		struct timeval none = {0, 0};

		micro_check(select(highest + 1, &set, NULL, NULL, &none) != FDS, "select");
	}
	return n;
}

static volatile uint64_t handled;
static volatile uint64_t left;
static char *page;

static void handler(int sig)
{
	(void)sig;
	handled++;
}

static uint64_t install(uint64_t n)
{
	struct sigaction act = {.sa_handler = handler};

	for (uint64_t i = n; i > 0; i--)
		micro_check(sigaction(SIGUSR1, &act, NULL), "sigaction");
	return n;
}

static uint64_t handle(uint64_t n)
{
	pid_t self = getpid();

	install(1);
	handled = 0;
	for (uint64_t i = n; i > 0; i--)
		micro_check(kill(self, SIGUSR1), "kill");
	micro_check(handled != n, "signals handled");
	return n;
}

/* The store is repeated after each return, until the page can be written. */
static void fault_handler(int sig)
{
	(void)sig;
	if (--left == 0)
		micro_check(mprotect(page, 4096, PROT_READ | PROT_WRITE), "mprotect");
}

static void map_page(int argc, char **argv)
{
	(void)argc, (void)argv;
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	micro_check(page == MAP_FAILED, "mmap");
}

static uint64_t protection(uint64_t n)
{
	struct sigaction act = {.sa_handler = fault_handler};

	micro_check(sigaction(SIGSEGV, &act, NULL), "sigaction");
	micro_check(mprotect(page, 4096, PROT_READ), "mprotect");
	left = n;
	*(volatile char *)page = 1;
	micro_check(left != 0, "protection faults");
	return n;
}

const struct micro_case micro_syscall[] = {
	{"null-call", NULL, null_call},       {"clock-gettime", NULL, gettime},
	{"read", open_zero, read_byte},       {"write", open_zero, write_byte},
	{"stat", a_path, stat_path},          {"fstat", a_path, stat_fd},
	{"open-close", a_path, open_close},   {"select-100", many_fds, select_fds},
	{"sig-install", NULL, install},       {"sig-handle", NULL, handle},
	{"prot-fault", map_page, protection}, {0},
};
