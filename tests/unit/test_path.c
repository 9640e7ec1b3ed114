/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guest file names with a sysroot, and the handlers that adapt single arguments (adapt.c). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "syscall/syscall.h"
#include "task/task.h"

#define DATA 0x100000u
#define HOLE (DATA + 4 * MEM_PAGE_SIZE)

static struct ilp32run_options options;
static struct process process = {.opt = &options};
static struct task task = {.process = &process};
static char root[] = "/tmp/test_path.XXXXXX";

static void make(const char *name, const char *link_to)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	if (link_to)
		assert_int_equal(symlink(link_to, path), 0);
	else if (name[strlen(name) - 1] == '/')
		assert_int_equal(mkdir(path, 0755), 0);
	else
		assert_int_equal(close(creat(path, 0644)), 0);
}

static int set_up(void **state)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	ilp32run_options_init(&options);
	task.tid = getpid();
	task_self = &task;
	if (mem_init(&cfg) ||
	    mem_mmap(DATA, HOLE - DATA, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != DATA ||
	    !mkdtemp(root))
		return -1;
	make("lib/", NULL);
	make("lib/libc.so", NULL);
	make("lib/ld.so", "/lib/libc.so");
	make("lib/relative", "libc.so");
	make("lib/loop", "/lib/loop");
	make("lib/dangling", "/lib/none");
	make("lib64", "/lib");
	make("lib32", "lib");
	make("deep/", NULL);
	make("deep/up", "../../lib");
	make("etc/", NULL);
	make("etc/passwd", NULL);
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static gaddr put(unsigned at, const char *s)
{
	assert_int_equal(mem_copy_out(DATA + at, s, strlen(s) + 1), 0);
	return DATA + at;
}

static int64_t call(uint32_t nr, uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, uint32_t x4,
		    uint32_t x5)
{
	const uint64_t x[9] = {x0, x1, x2, x3, x4, x5, 0, 0, nr};

	return sys_dispatch(&task, x);
}

/* --- translation ------------------------------------------------------------------------------------ */

/* TO NULL: IN stays as it is; else TO is below the sysroot. */
static void expect(const char *in, enum path_use use, const char *to)
{
	char out[PATH_MAX], want[PATH_MAX];

	snprintf(want, sizeof(want), "%s%s", to ? root : "", to ? to : in);
	assert_int_equal(path_translate(out, put(0, in), use), 0);
	assert_string_equal(out, want);
	assert_int_equal(path_resolve(out, in, use), 0);
	assert_string_equal(out, want);
}

static void test_without_sysroot(void **state)
{
	(void)state;
	expect("/lib/libc.so", PATH_LOOKUP, NULL);
	expect("relative", PATH_LOOKUP, NULL);
	expect("", PATH_LOOKUP, NULL);
}

static void test_sysroot(void **state)
{
	(void)state;
	options.sysroot = root;
	expect("/lib/libc.so", PATH_LOOKUP, "/lib/libc.so");
	expect("/lib/libc.so", PATH_NOFOLLOW, "/lib/libc.so");
	expect("/lib/libc.so", PATH_CREATE, NULL);
	expect("/lib", PATH_LOOKUP, "/lib");
	expect("/lib/", PATH_LOOKUP, "/lib/");
	expect("lib/libc.so", PATH_LOOKUP, NULL);
	/* What is not below it is the host's. */
	expect("/lib/none", PATH_LOOKUP, NULL);
	expect("/proc/version", PATH_LOOKUP, NULL);
	options.sysroot = NULL;
}

/* A final link's absolute target is a name below the sysroot as well. */
static void test_links(void **state)
{
	(void)state;
	options.sysroot = root;
	expect("/lib/ld.so", PATH_LOOKUP, "/lib/libc.so");
	expect("/lib/ld.so", PATH_NOFOLLOW, "/lib/ld.so");
	expect("/lib/relative", PATH_LOOKUP, "/lib/relative");
	expect("/lib/loop", PATH_LOOKUP, NULL);
	expect("/lib/loop", PATH_NOFOLLOW, "/lib/loop");
	expect("/lib/dangling", PATH_LOOKUP, NULL);
	/* On the way, too; ".." does not lead out. */
	expect("/lib64/libc.so", PATH_LOOKUP, "/lib/libc.so");
	expect("/lib64/ld.so", PATH_NOFOLLOW, "/lib/ld.so");
	expect("/lib64/none", PATH_LOOKUP, NULL);
	expect("/lib32/ld.so", PATH_LOOKUP, "/lib/libc.so");
	expect("/deep/up/libc.so", PATH_LOOKUP, "/lib/libc.so");
	options.sysroot = NULL;
}

static void test_sysroot_with_slash(void **state)
{
	char with_slash[sizeof(root) + 2];
	char out[PATH_MAX], want[PATH_MAX];

	(void)state;
	snprintf(with_slash, sizeof(with_slash), "%s//", root);
	options.sysroot = with_slash;
	assert_int_equal(path_resolve(out, "/etc/passwd", PATH_LOOKUP), 0);
	snprintf(want, sizeof(want), "%s/etc/passwd", root);
	assert_string_equal(out, want);
	options.sysroot = NULL;
}

static void test_bad_names(void **state)
{
	char out[PATH_MAX], name[PATH_MAX + 1];

	(void)state;
	assert_int_equal(path_translate(out, HOLE, PATH_LOOKUP), -EFAULT);
	assert_int_equal(path_translate(out, 0, PATH_LOOKUP), -EFAULT);
	assert_int_equal(mem_copy_out(HOLE - 3, "abc", 3), 0);
	assert_int_equal(path_translate(out, HOLE - 3, PATH_LOOKUP), -EFAULT);
	/* PATH_MAX counts the NUL. */
	memset(name, 'a', PATH_MAX);
	name[0] = '/';
	name[PATH_MAX] = '\0';
	assert_int_equal(path_translate(out, put(0, name), PATH_LOOKUP), -ENAMETOOLONG);
	assert_int_equal(path_resolve(out, name, PATH_LOOKUP), -ENAMETOOLONG);
	name[PATH_MAX - 1] = '\0';
	options.sysroot = root; /* too long with the prefix: the host's own answer */
	assert_int_equal(path_translate(out, put(0, name), PATH_LOOKUP), 0);
	assert_string_equal(out, name);
	options.sysroot = NULL;
	name[PATH_MAX - 1] = 'a';
	assert_int_equal(call(48, 0xffffff9c, put(0, name), 0, 0, 0, 0), -ENAMETOOLONG);
}

/* The host must not get what another guest thread can change. */
static void test_never_the_guest_s_string(void **state)
{
	static const uint32_t at = 0xffffff9c; /* AT_FDCWD */
	char out[PATH_MAX], name[PATH_MAX + 1];
	const uint64_t how[3] = {0, 0, 8}; /* RESOLVE_BENEATH */
	gaddr in, g;
	uint64_t p;

	(void)state;
	memset(name, 'a', PATH_MAX);
	name[PATH_MAX] = '\0';
	in = put(0, name);
	p = path_to_host(out, in, PATH_LOOKUP);
	assert_false(mem_from_host((void *)(uintptr_t)p, &g));
	/* It is refused at once, also where there would be another reason. */
	assert_int_equal(call(56, 999, in, 0, 0, 0, 0), -ENAMETOOLONG);
	assert_int_equal(call(79, 999, in, DATA + 8192, 0, 0, 0), -ENAMETOOLONG);
	assert_int_equal(call(291, 999, in, 0, 0x7ff, DATA + 8192, 0), -ENAMETOOLONG);
	assert_int_equal(call(34, 999, in, 0700, 0, 0, 0), -ENAMETOOLONG);
	assert_int_equal(mem_copy_out(DATA + 8192, how, sizeof(how)), 0);
	assert_int_equal(call(437, at, in, DATA + 8192, sizeof(how), 0, 0), -ENAMETOOLONG);
	assert_int_equal(call(437, at, HOLE, DATA + 8192, sizeof(how), 0, 0), -EFAULT);
	/* Names that the sysroot does not concern are copied, too. */
	p = path_to_host(out, put(0, "/etc/passwd"), PATH_CREATE);
	assert_ptr_equal((char *)(uintptr_t)p, out);
	assert_int_equal(path_to_host(out, HOLE, PATH_CREATE), SYS_BAD_POINTER);
}

/* Rows say which names are looked up: stat sees the sysroot, mkdir does not. */
static void test_rows(void **state)
{
	(void)state;
	options.sysroot = root;
	assert_int_equal(call(79, 0xffffff9c, put(0, "/lib/libc.so"), DATA + 8192, 0, 0, 0), 0);
	assert_int_equal(call(79, 0xffffff9c, put(0, "/lib/loop"), DATA + 8192, 0x100, 0, 0), 0);
	assert_int_equal(call(48, 0xffffff9c, put(0, "/lib/dangling"), 0, 0, 0, 0), -ENOENT);
	assert_int_equal(call(35, 0xffffff9c, put(0, "/lib/libc.so.none"), 0, 0, 0, 0), -ENOENT);
	options.sysroot = NULL;
}

/* --- adapt.c ---------------------------------------------------------------------------------------- */

static void test_statfs(void **state)
{
	static const uint32_t bad[] = {0, 64, 83, 85, 87, 96, 120, 0xffffffff};
	gaddr buf = DATA + 8192;
	uint8_t g[88];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(call(43, put(0, "/"), bad[i], buf, 0, 0, 0), -EINVAL);
	/* The size is looked at first. */
	assert_int_equal(call(43, HOLE, 64, buf, 0, 0, 0), -EINVAL);
	assert_int_equal(call(43, HOLE, 84, buf, 0, 0, 0), -EFAULT);
	assert_int_equal(call(43, put(0, "/"), 84, HOLE - 83, 0, 0, 0), -EFAULT);
	assert_int_equal(call(44, 0xffffffff, 84, buf, 0, 0, 0), -EBADF);
	for (unsigned size = 84; size <= 88; size += 4) {
		memset(g, 0xa5, sizeof(g));
		assert_int_equal(mem_copy_out(buf, g, sizeof(g)), 0);
		assert_int_equal(call(43, put(0, "/proc"), size, buf, 0, 0, 0), 0);
		assert_int_equal(mem_copy_in(g, buf, sizeof(g)), 0);
		assert_int_equal(abi_get32(g), 0x9fa0);
		assert_int_equal(abi_get32(g + 56), 255);
		assert_int_equal(abi_get32(g + 68), 0);
		/* 84 bytes are written, whatever the size. */
		assert_int_equal(abi_get32(g + 84), 0xa5a5a5a5);
	}
}

static void test_llseek(void **state)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	uint8_t g[8];

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(call(62, (uint32_t)fd, 1, 5, DATA, SEEK_SET, 0), 0);
	assert_int_equal(mem_copy_in(g, DATA, 8), 0);
	assert_int_equal(abi_get64(g), 0x100000005);
	/* A negative offset from the current one. */
	assert_int_equal(call(62, (uint32_t)fd, 0xffffffff, 0xfffffffb, DATA, SEEK_CUR, 0), 0);
	assert_int_equal(mem_copy_in(g, DATA, 8), 0);
	assert_int_equal(abi_get64(g), 0x100000000);
	assert_int_equal(call(62, (uint32_t)fd, 0, 0, HOLE, SEEK_SET, 0), -EFAULT);
	assert_int_equal(call(62, (uint32_t)fd, 0, 0, DATA, 99, 0), -EINVAL);
	close(fd);
}

/* ARM order of arguments: advice and flags before the pairs. */
static void test_reordered(void **state)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(call(223, (uint32_t)fd, 3, 0, 0, 4096, 0), 0);
	assert_int_equal(call(223, (uint32_t)fd, 99, 0, 0, 4096, 0), -EINVAL);
	/* A negative length is refused; it would be an advice in the LP64 order. */
	assert_int_equal(call(223, (uint32_t)fd, 3, 0, 0, 0, 0x80000000), -EINVAL);
	assert_int_equal(call(84, (uint32_t)fd, 2, 0, 0, 4096, 0), 0);
	assert_int_equal(call(84, (uint32_t)fd, 8, 0, 0, 4096, 0), -EINVAL);
	close(fd);
}

static void test_affinity(void **state)
{
	uint8_t mask[128], want[128] = {0};
	int64_t r = call(123, 0, 128, DATA, 0, 0, 0);

	(void)state;
	assert_true(r >= 4 && r % 4 == 0);
	assert_int_equal(sched_getaffinity(0, sizeof(want), (cpu_set_t *)want), 0);
	assert_int_equal(mem_copy_in(mask, DATA, (size_t)r), 0);
	assert_memory_equal(mask, want, (size_t)r);
	assert_int_equal(call(123, 0, 6, DATA, 0, 0, 0), -EINVAL);
	assert_int_equal(call(123, 0, 0, DATA, 0, 0, 0), -EINVAL);
	assert_int_equal(call(123, 0, 128, HOLE, 0, 0, 0), -EFAULT);
	/* Four bytes do for 32 CPUs, which LP64 would refuse. */
	if (get_nprocs_conf() <= 8)
		assert_int_equal(call(123, 0, 4, DATA, 0, 0, 0), 4);
	assert_int_equal(call(123, 0x7ffffff0, 128, DATA, 0, 0, 0), -ESRCH);
}

static void test_sysinfo(void **state)
{
	struct sysinfo host;
	uint8_t g[64];
	uint64_t unit;

	(void)state;
	assert_int_equal(call(179, DATA, 0, 0, 0, 0, 0), 0);
	assert_int_equal(sysinfo(&host), 0);
	assert_int_equal(mem_copy_in(g, DATA, sizeof(g)), 0);
	unit = abi_get32(g + 52);
	assert_true(unit >= host.mem_unit && unit <= 4096);
	assert_int_equal(abi_get32(g + 16) * unit, host.totalram * host.mem_unit / unit * unit);
	/* Scaled only if it has to be, and then to pages. */
	assert_int_equal(unit, host.totalram >> 32 || host.totalswap >> 32 ? 4096 : host.mem_unit);
}

/* The emulator's own descriptors are not there. */
static void test_hidden_descriptors(void **state)
{
	int hidden = task_fd_hide(open("/dev/null", O_RDONLY));
	int above = hidden < INT_MAX ? hidden + 1 : hidden;

	(void)state;
	assert_true(hidden >= 0);
	assert_int_equal(call(57, (uint32_t)hidden, 0, 0, 0, 0, 0), -EBADF);
	assert_int_equal(call(24, 0, (uint32_t)hidden, 0, 0, 0, 0), -EBADF);
	assert_int_equal(call(80, (uint32_t)hidden, DATA, 0, 0, 0, 0), -EBADF);
	assert_int_equal(call(48, (uint32_t)hidden, put(0, "x"), 0, 0, 0, 0), -EBADF);
	assert_int_equal(call(436, (uint32_t)hidden, (uint32_t)above, 0, 0, 0, 0), 0);
	assert_true(fcntl(hidden, F_GETFD) >= 0);
	int fd = open("/dev/null", O_RDONLY);
	assert_int_equal(call(436, (uint32_t)fd, 0xffffffff, 0, 0, 0, 0), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_true(fcntl(hidden, F_GETFD) >= 0);
	assert_int_equal(call(436, 5, 4, 0, 0, 0, 0), -EINVAL);
	task_fd_close(hidden);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_sysroot),
		cmocka_unit_test(test_sysroot),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_sysroot_with_slash),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_never_the_guest_s_string),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_statfs),
		cmocka_unit_test(test_llseek),
		cmocka_unit_test(test_reordered),
		cmocka_unit_test(test_affinity),
		cmocka_unit_test(test_sysinfo),
		cmocka_unit_test(test_hidden_descriptors),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
