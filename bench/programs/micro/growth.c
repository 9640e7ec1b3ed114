/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operation costs when a process already has much of something; argument 0 says how many. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "micro.h"

#define STACK (64u << 10)

static unsigned long many;

/* Every other page, alternately protected: neighbours can not become one region. */
static void many_maps(int argc, char **argv)
{
	many = micro_number(argc, argv, 0, 1);
	for (unsigned long i = 0; i < many; i++) {
		void *at = mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		micro_check(at == MAP_FAILED, "mmap");
	}
}

static uint64_t map_touch_unmap(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		char *at = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

		micro_check(at == MAP_FAILED, "mmap");
		*(volatile char *)at = 1;
		micro_check(munmap(at, 16384), "munmap");
	}
	return n;
}

static void many_files(int argc, char **argv)
{
	struct rlimit limit;
	int fd = open("/dev/null", O_RDONLY);

	many = micro_number(argc, argv, 0, 1);
	micro_check(fd < 0 || getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
	if (limit.rlim_cur < many + 16) {
		limit.rlim_cur = many + 16;
		micro_check(setrlimit(RLIMIT_NOFILE, &limit), "limit of open files");
	}
	for (unsigned long i = 0; i < many; i++)
		micro_check(dup(fd) < 0, "dup");
}

static uint64_t open_close(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		int fd = open("/dev/null", O_RDONLY);

		micro_check(fd < 0 || close(fd), "open and close");
	}
	return n;
}

static void *sleeper(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void *nothing(void *arg)
{
	return arg;
}

static pthread_attr_t small;

static void many_threads(int argc, char **argv)
{
	many = micro_number(argc, argv, 0, 1);
	micro_check(pthread_attr_init(&small) || pthread_attr_setstacksize(&small, STACK),
		    "stack size");
	for (unsigned long i = 0; i < many; i++) {
		pthread_t thread;

		micro_check(pthread_create(&thread, &small, sleeper, NULL), "pthread_create");
	}
}

static uint64_t thread_join(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--) {
		pthread_t thread;

		micro_check(pthread_create(&thread, &small, nothing, NULL), "pthread_create");
		micro_check(pthread_join(thread, NULL), "pthread_join");
	}
	return n;
}

static uint64_t null_call(uint64_t n)
{
	for (uint64_t i = n; i > 0; i--)
		micro_check(syscall(SYS_getppid) <= 0, "getppid");
	return n;
}

const struct micro_case micro_growth[] = {
	{"grow-maps", many_maps, map_touch_unmap},
	{"grow-files", many_files, open_close},
	{"grow-threads", many_threads, thread_join},
	{"grow-threads-call", many_threads, null_call},
	{0},
};
