/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_open(): what may run, and the errno and line for everything that may not. Values: oracle
 * section 3, fs/exec.c, fs/binfmt_elf.c; the rules of #! lines are compared with the host kernel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/wait.h>

#include "abi/abi.h"
#include "loader/internal.h"
#include "loader/loader.h"
#include "test_loader_image.h"

static char dir[32];  /* scratch directory, current for all tests */
static char self[64]; /* link to this program: a host ELF file that prints its argv, see main() */

static int set_up(void **state)
{
	char link[4096];
	ssize_t n = readlink("/proc/self/exe", link, sizeof link - 1);

	(void)state;
	strcpy(dir, "/tmp/loaderXXXXXX");
	if (n < 0 || !mkdtemp(dir) || chdir(dir) != 0)
		return -1;
	link[n] = '\0';
	snprintf(self, sizeof self, "%s/i", dir);
	return symlink(link, self);
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return chdir("/") != 0 || system(command) != 0;
}

static int modern(void **state)
{
	(void)state;
	return abi_select("modern") ? 0 : -1;
}

static void open_at(struct loader_program *p, const char *path)
{
	char *argv[] = {(char[]){"zero"}, (char[]){"one"}, NULL};

	loader_open(p, AT_FDCWD, path, argv, 0, NULL);
}

/* PATH is refused with ERR and exactly TEXT. */
static void refused(const char *path, int err, const char *text)
{
	struct loader_program p;

	open_at(&p, path);
	assert_string_equal(p.text, text);
	assert_int_equal(p.err, err);
	assert_int_equal(p.kind, LOADER_ERROR);
	loader_free(&p);
}

static void refused_image(struct image *im, int err, const char *text)
{
	image_write(im, "f", 0755);
	refused("f", err, text);
}

static void accepted(const char *path, enum loader_kind kind)
{
	struct loader_program p;

	open_at(&p, path);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, kind);
	assert_int_equal(p.err, 0);
	assert_true(p.fd >= 0);
	assert_true(fcntl(p.fd, F_GETFD) & FD_CLOEXEC);
	assert_string_equal(p.argv[0], "zero");
	assert_string_equal(p.argv[1], "one");
	assert_null(p.argv[2]);
	loader_free(&p);
	assert_int_equal(p.fd, -1);
}

/* --- kinds of files ------------------------------------------------------------------------------ */

static void test_accepts(void **state)
{
	struct image im = image_hello();
	struct loader_program p;
	char exe[128];

	(void)state;
	image_write(&im, "hello", 0755);
	accepted("hello", LOADER_ILP32);
	accepted("/proc/self/exe", LOADER_HOST);

	/* Not looked at: byte order in e_ident, OS/ABI, e_version, e_flags, e_ehsize. */
	im = image_hello();
	im.b[EI_DATA] = ELFDATA2MSB;
	im.b[EI_OSABI] = 99;
	image_put32(&im, 20, 0);
	image_put32(&im, 36, 0x12345678);
	image_put16(&im, 40, 0);
	image_write(&im, "odd", 0711);
	accepted("odd", LOADER_ILP32);

	open_at(&p, "./hello");
	snprintf(exe, sizeof exe, "%s/hello", dir);
	assert_string_equal(p.exe, exe);
	assert_string_equal(p.path, "./hello");
	assert_string_equal(p.execfn, "./hello");
	assert_null(p.interp);
	assert_int_equal(p.interp_fd, -1);
	assert_false(p.setid);
	loader_free(&p);
}

static void test_foreign(void **state)
{
	struct image im;

	(void)state;
	file_write("f", "", 0, 0755);
	refused("f", ENOEXEC, "empty file");
	file_write("f", "just text\n", 10, 0755);
	refused("f", ENOEXEC, "not an ELF file and not a #! script (begins with 6a 75 73 74)");

	im = image_hello();
	im.b[EI_CLASS] = 3;
	refused_image(&im, ENOEXEC, "ELF class 3 is neither 32-bit (1) nor 64-bit (2)");
	im = image_hello();
	im.b[18] = EM_ARM;
	refused_image(&im, ENOEXEC, "32-bit ARM (EM_ARM) file, not AArch64 ILP32");
	im = image_hello();
	im.b[18] = EM_MIPS;
	refused_image(&im, ENOEXEC, "ELF32 file for MIPS (EM_MIPS), not AArch64 ILP32");
	im = image_hello();
	im.b[18] = EM_RISCV;
	im.b[EI_CLASS] = ELFCLASS64;
	refused_image(&im, ENOEXEC, "ELF64 file for RISC-V (EM_RISCV), not AArch64 ILP32");
	im = image_hello();
	image_put16(&im, 18, 0x9876);
	refused_image(&im, ENOEXEC, "ELF32 file for machine 39030, not AArch64 ILP32");
	im = image_hello();
	im.b[EI_DATA] = ELFDATA2MSB;
	image_put16(&im, 18, EM_AARCH64 << 8);
	refused_image(&im, ENOEXEC, "big-endian AArch64 ILP32 file; only little-endian runs");
	im = image_hello();
	im.b[EI_CLASS] = ELFCLASS64;
	image_write(&im, "f", 0755);
#if defined(__aarch64__)
	accepted("f", LOADER_HOST);
#else
	if (access("/proc/sys/fs/binfmt_misc/status", F_OK) != 0)
		refused("f", ENOEXEC, "ELF64 file for AArch64 (LP64), not ILP32");
#endif
}

static void test_bad_headers(void **state)
{
	struct image im;

	(void)state;
	im = image_hello();
	im.n = 40;
	refused_image(&im, ENOEXEC, "truncated: ELF header of 52 bytes, the file has 40");
	im = image_hello();
	im.b[16] = ET_REL;
	refused_image(&im, ENOEXEC, "relocatable object file (ET_REL), not a program");
	im = image_hello();
	im.b[16] = ET_CORE;
	refused_image(&im, ENOEXEC, "core file (ET_CORE), not a program");
	im = image_hello();
	im.b[17] = 0xfe;
	refused_image(&im, ENOEXEC, "ELF type 65026, expected ET_EXEC (2) or ET_DYN (3)");
	im = image_hello();
	image_put16(&im, 42, 56);
	refused_image(&im, ENOEXEC, "program header entry size 56, expected 32");
	im = image_hello();
	image_put16(&im, 44, 0);
	refused_image(&im, ENOEXEC, "no program headers");
	im = image_hello();
	image_put16(&im, 44, 0xffff);
	refused_image(&im, ENOEXEC,
		      "65535 program headers (2097120 bytes), the limit is 65536 bytes");
	im = image_hello();
	image_put16(&im, 44, 37);
	refused_image(&im, ENOEXEC,
		      "truncated: program headers at 52..1236 lie beyond the end (256 bytes)");
	im = image_hello();
	image_put32(&im, 28, 0xfffffff0);
	refused_image(
		&im, ENOEXEC,
		"truncated: program headers at 4294967280..4294967344 lie beyond the end (256 bytes)");
}

/* The limit on program headers is one page up to 5.17, 64 KiB later. */
static void test_phdr_limit(void **state)
{
	struct image im = image_hello();

	(void)state;
	image_fill(&im, 0x1000, 0x10000);
	image_put16(&im, 44, 2048);
	image_write(&im, "many", 0755);
	accepted("many", LOADER_ILP32);
	assert_true(abi_select("ampere-4.14"));
	refused("many", ENOEXEC, "2048 program headers (65536 bytes), the limit is 4096 bytes");
	im = image_hello();
	image_fill(&im, 0x1000, 0x1000);
	image_put16(&im, 44, 128);
	image_write(&im, "many", 0755);
	accepted("many", LOADER_ILP32);
}

/* --- interpreters ------------------------------------------------------------------------------- */

static struct image with_interp(const char *path)
{
	struct image im = image_new(ET_DYN, 0x80);

	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	image_interp(&im, 0x180, path);
	image_fill(&im, 0x1f0, 0x10);
	return im;
}

static void test_interp(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);
	struct loader_program p;

	(void)state;
	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	image_write(&im, "ld.so", 0755);
	im = with_interp("ld.so");
	image_interp(&im, 0x1c0, "/second/counts/not"); /* the first PT_INTERP wins */
	image_write(&im, "dyn", 0755);
	open_at(&p, "dyn");
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.interp, "ld.so");
	assert_true(p.interp_fd >= 0);
	assert_non_null(p.interp_elf);
	loader_free(&p);
}

static void test_bad_interp(void **state)
{
	struct image im = with_interp("/lib/no-such-interpreter.so.1");
	char text[512];

	(void)state;
	refused_image(&im, ENOENT,
		      "interpreter /lib/no-such-interpreter.so.1 not found (try -L SYSROOT)");
	im = with_interp(".");
	refused_image(&im, EACCES, "interpreter .: is a directory");
	im = with_interp("/proc/self/exe");
#if defined(__x86_64__)
	refused_image(
		&im, ELIBBAD,
		"interpreter /proc/self/exe: ELF64 file for x86-64 (EM_X86_64), not AArch64 ILP32");
#else
	refused_image(&im, ELIBBAD,
		      "interpreter /proc/self/exe: ELF64 file for AArch64 (LP64), not ILP32");
#endif
	im = image_hello();
	image_put16(&im, 42, 56);
	image_write(&im, "ld.so", 0755);
	im = with_interp("ld.so");
	refused_image(&im, ELIBBAD, "interpreter ld.so: program header entry size 56, expected 32");
	file_write("ld.so", "\177ELF", 4, 0755);
	im = with_interp("ld.so");
	refused_image(&im, EIO,
		      "interpreter ld.so: truncated: ELF header of 52 bytes, the file has 4");
	file_write("ld.so", "#!/bin/sh\n# scripts are no interpreters of ELF files.......\n", 60,
		   0755);
	im = with_interp("ld.so");
	refused_image(
		&im, ELIBBAD,
		"interpreter ld.so: not an ELF file and not a #! script (begins with 23 21 2f 62)");

	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 1, 1, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) of 1 bytes, expected 2..4096");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 4097, 4097, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) of 4097 bytes, expected 2..4096");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0xf0, 0, 0x20, 0x20, PF_R, 1);
	refused_image(&im, EIO,
		      "truncated: interpreter path at 240..272 lies beyond the end (256 bytes)");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0x90, 0, 8, 8, PF_R, 1);
	refused_image(&im, ENOEXEC, "interpreter path (PT_INTERP) is not NUL-terminated");
	im = image_hello();
	image_ph(&im, PT_INTERP, 0xa0, 0, 4096, 4096, PF_R, 1);
	memset(im.b + 0xa0, 'x', 4095);
	im.n = 0xa0 + 4096;
	image_write(&im, "f", 0755);
	memset(text, 0, sizeof text);
	snprintf(text, sizeof text, "interpreter %.200s: File name too long", (char[201]){0});
	{
		struct loader_program p;

		open_at(&p, "f");
		assert_int_equal(p.err, ENAMETOOLONG);
		loader_free(&p);
	}
}

/* Interpreters are looked up below the sysroot first; links in it stay in it. */
static void test_sysroot(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);
	struct loader_program p;
	char root[80], path[128];
	char *argv[] = {NULL};

	(void)state;
	image_load(&im, 0, 0, 0x200, 0x200, PF_R | PF_X);
	assert_int_equal(mkdir("sys", 0755) | mkdir("sys/lib", 0755) | mkdir("sys/bin", 0755), 0);
	image_write(&im, "sys/lib/libc.so", 0755);
	assert_int_equal(symlink("/lib/libc.so", "sys/lib/ld-test.so.1"), 0);
	im = with_interp("/lib/ld-test.so.1");
	image_write(&im, "sys/bin/prog", 0755);
	assert_int_equal(symlink("/bin/prog", "sys/bin/link"), 0);
	file_write("sys/bin/script", "#!/bin/link arg\n", 16, 0755);
	snprintf(root, sizeof root, "%s/sys", dir);

	snprintf(path, sizeof path, "%s/bin/prog", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.execfn, "/bin/prog");
	assert_string_equal(p.path, path);
	assert_string_equal(p.exe, path);
	loader_free(&p);

	/* A link of the sysroot that is dangling on the host. */
	snprintf(path, sizeof path, "%s/bin/link", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_string_equal(p.execfn, "/bin/link");
	loader_free(&p);

	snprintf(path, sizeof path, "%s/bin/script", root);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.argv[0], "/bin/link");
	assert_string_equal(p.argv[1], "arg");
	assert_string_equal(p.argv[2], "/bin/script");
	assert_null(p.argv[3]);
	assert_string_equal(p.execfn, "/bin/script");
	loader_free(&p);

	/* Interpreters that only the host has. The script keeps the name that the host can open. */
	snprintf(path, sizeof path, "%s/bin/hostscript", root);
	file_write(path, "#!/bin/sh\n", 10, 0755);
	loader_open(&p, AT_FDCWD, path, argv, 0, root);
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_HOST);
	assert_string_equal(p.argv[0], "/bin/sh");
	assert_string_equal(p.argv[1], path);
	loader_free(&p);

	loader_open(&p, AT_FDCWD, "sys/bin/prog", argv, 0, NULL);
	assert_int_equal(p.err, ENOENT);
	loader_free(&p);
	im = with_interp("/lib/none.so");
	image_write(&im, "f", 0755);
	loader_open(&p, AT_FDCWD, "f", argv, 0, root);
	assert_int_equal(p.err, ENOENT);
	assert_string_equal(
		p.text,
		"interpreter /lib/none.so not found (neither in the sysroot nor on the host)");
	loader_free(&p);
}

/* --- names and permissions ----------------------------------------------------------------------- */

static void test_names(void **state)
{
	char longest[5000];

	(void)state;
	refused("", ENOENT, "no such file");
	refused("none", ENOENT, "no such file");
	file_write("f", "x", 1, 0755);
	refused("f/below", ENOTDIR, "Not a directory");
	refused(dir, EACCES, "is a directory");
	assert_int_equal(mkfifo("fifo", 0777), 0);
	refused("fifo", EACCES, "is not a regular file");
	refused("/dev/null", EACCES, "is not a regular file");
	assert_int_equal(symlink("loop", "loop"), 0);
	refused("loop", ELOOP, "too many symbolic links");
	memset(longest, 'n', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	refused(longest, ENAMETOOLONG, "File name too long");
}

/* Runs as somebody without privileges when root runs the tests. */
static int unprivileged(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(99);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_noexec(void)
{
	struct loader_program p;

	open_at(&p, "noexec");
	if (p.err != EACCES || strcmp(p.text, "no execute permission") != 0)
		return 1;
	loader_free(&p);
	open_at(&p, "closed/f");
	if (p.err != EACCES ||
	    strcmp(p.text, "permission denied: a directory of the path cannot be searched") != 0)
		return 2;
	loader_free(&p);
	return 0;
}

static int open_unreadable(void)
{
	struct loader_program p;

	open_at(&p, "unreadable");
	if (p.err != EACCES || strcmp(p.text, "no read permission, which emulation needs") != 0)
		return 1;
	loader_free(&p);
	return 0;
}

static void test_permissions(void **state)
{
	struct image im = image_hello();

	(void)state;
	assert_int_equal(chmod(dir, 0755), 0);
	image_write(&im, "noexec", 0644);
	refused("noexec", EACCES, "no execute permission"); /* for root, too */
	assert_int_equal(mkdir("closed", 0700), 0);
	file_write("closed/f", "", 0, 0755);
	assert_int_equal(chmod("closed", 0), 0);
	assert_int_equal(unprivileged(open_noexec), 0);
	im = image_hello();
	image_write(&im, "unreadable", 0111);
	if (getuid() == 0)
		assert_int_equal(unprivileged(open_unreadable), 0);
}

static int open_setid(void)
{
	struct loader_program p;

	open_at(&p, "setid");
	return p.kind == LOADER_ERROR && p.err == EPERM && p.setid &&
			       strcmp(p.text,
				      "set-user-ID or set-group-ID program: the emulator cannot "
				      "change ids") == 0
		       ? 0
		       : 1;
}

static void test_setid(void **state)
{
	struct image im = image_hello();
	struct loader_program p;

	(void)state;
	assert_int_equal(chmod(dir, 0755), 0);
	image_write(&im, "setid", 0755);
	assert_int_equal(chmod("setid", 04755), 0);
	/* For its owner nothing would change. */
	open_at(&p, "setid");
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_false(p.setid);
	loader_free(&p);
	if (getuid() != 0)
		skip();
	assert_int_equal(unprivileged(open_setid), 0);
	assert_int_equal(chmod("setid", 02755), 0);
	assert_int_equal(unprivileged(open_setid), 0);
	/* Without group execute permission the bit means mandatory locking. */
	assert_int_equal(chmod("setid", 02745), 0);
	assert_int_equal(unprivileged(open_setid), 1);
}

static void test_busy(void **state)
{
	struct image im = image_hello();
	int fd;

	(void)state;
	image_write(&im, "busy", 0755);
	fd = open("busy", O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	/* Where the file system grants no leases, nobody can tell. */
	if (fcntl(fd, F_SETLEASE, F_WRLCK) != 0) {
		close(fd);
		skip();
	}
	assert_int_equal(fcntl(fd, F_SETLEASE, F_UNLCK), 0);
	refused("busy", ETXTBSY, "is open for writing");
	close(fd);
	accepted("busy", LOADER_ILP32);
}

static void test_execveat(void **state)
{
	struct image im = image_hello();
	struct loader_program p;
	char *argv[] = {NULL};
	char name[64];
	int dfd, fd;

	(void)state;
	image_write(&im, "at", 0755);
	dfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	loader_open(&p, dfd, "at", argv, 0, NULL);
	assert_int_equal(p.kind, LOADER_ILP32);
	snprintf(name, sizeof name, "/dev/fd/%d/at", dfd);
	assert_string_equal(p.execfn, name);
	snprintf(name, sizeof name, "%s/at", dir);
	assert_string_equal(p.path, name);
	loader_free(&p);

	fd = open("at", O_PATH | O_CLOEXEC);
	loader_open(&p, fd, "", argv, AT_EMPTY_PATH, NULL);
	assert_int_equal(p.kind, LOADER_ILP32);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	assert_string_equal(p.execfn, name);
	loader_free(&p);
	loader_open(&p, fd, "", argv, 0, NULL);
	assert_int_equal(p.err, ENOENT);
	loader_free(&p);
	close(fd);
	loader_open(&p, fd, "", argv, AT_EMPTY_PATH, NULL);
	assert_int_equal(p.err, EBADF);
	loader_free(&p);

	assert_int_equal(symlink("at", "atlink"), 0);
	loader_open(&p, dfd, "atlink", argv, AT_SYMLINK_NOFOLLOW, NULL);
	assert_int_equal(p.err, ELOOP);
	loader_free(&p);

	/* A script of a descriptor that closes has no name for its interpreter. */
	file_write("s", "#!at\n", 5, 0755);
	loader_open(&p, dfd, "s", argv, 0, NULL);
	assert_int_equal(p.err, ENOENT);
	loader_free(&p);
	assert_int_equal(fcntl(dfd, F_SETFD, 0), 0);
	loader_open(&p, dfd, "s", argv, 0, NULL);
	assert_int_equal(p.kind, LOADER_ILP32);
	assert_string_equal(p.argv[0], "at");
	snprintf(name, sizeof name, "/dev/fd/%d/s", dfd);
	assert_string_equal(p.argv[1], name);
	loader_free(&p);
	close(dfd);
}

/* --- argv and scripts ------------------------------------------------------------------------------ */

static void test_empty_argv(void **state)
{
	struct image im = image_hello();
	struct loader_program p;

	(void)state;
	image_write(&im, "hello", 0755);
	loader_open(&p, AT_FDCWD, "hello", NULL, 0, NULL);
	assert_string_equal(p.argv[0], ""); /* since 5.18 */
	assert_null(p.argv[1]);
	loader_free(&p);
	assert_true(abi_select("ampere-4.14"));
	loader_open(&p, AT_FDCWD, "hello", NULL, 0, NULL);
	assert_null(p.argv[0]); /* measured */
	loader_free(&p);
	file_write("s", "#!hello x\n", 10, 0755);
	loader_open(&p, AT_FDCWD, "s", NULL, 0, NULL);
	assert_string_equal(p.argv[0], "hello");
	assert_string_equal(p.argv[1], "x");
	assert_string_equal(p.argv[2], "s");
	assert_null(p.argv[3]);
	loader_free(&p);
}

static void test_nested_scripts(void **state)
{
	struct image im = image_hello();
	struct loader_program p;
	char name[8], line[64];

	(void)state;
	image_write(&im, "s0", 0755);
	for (int i = 1; i <= 7; i++) {
		snprintf(name, sizeof name, "s%d", i);
		snprintf(line, sizeof line, "#! s%d a%d\n", i - 1, i);
		file_write(name, line, strlen(line), 0755);
	}
	open_at(&p, "s5");
	assert_string_equal(p.text, "");
	assert_int_equal(p.kind, LOADER_ILP32);
	static const char *const expect[] = {"s0", "a1", "s1", "a2", "s2", "a3",
					     "s3", "a4", "s4", "a5", "s5", "one"};
	for (size_t i = 0; i < sizeof expect / sizeof expect[0]; i++)
		assert_string_equal(p.argv[i], expect[i]);
	assert_null(p.argv[12]);
	assert_string_equal(p.execfn, "s5");
	assert_string_equal(p.path, "s0");
	loader_free(&p);
	refused("s6", ELOOP, "#! interpreters nested more than 5 levels deep");
	refused("s7", ELOOP, "#! interpreters nested more than 5 levels deep");

	file_write("s", "#!none\n", 7, 0755);
	refused("s", ENOENT, "#! interpreter none: no such file");
	file_write("t", "text", 4, 0755);
	file_write("s", "#!t\n", 4, 0755);
	refused("s", ENOEXEC,
		"#! interpreter t: not an ELF file and not a #! script (begins with 74 65 78 74)");
	file_write("s", "#! \t \n", 6, 0755);
	refused("s", ENOEXEC, "#! line names no interpreter");
}

/* What execve of the host makes of PATH: 0 and the argv that arrived, as one text; or -errno. */
static int host_exec(const char *path, char *const argv[], char *text, size_t size)
{
	int out[2], err[2], status, e = 0;
	size_t n = 0;
	ssize_t r;
	pid_t pid;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char *envp[] = {(char[]){"PRINT_ARGV=1"}, NULL};

		dup2(out[1], 1);
		execve(path, argv, envp);
		e = errno;
		(void)!write(err[1], &e, sizeof e);
		_exit(1);
	}
	close(out[1]);
	close(err[1]);
	while (n < size - 1 && (r = read(out[0], text + n, size - 1 - n)) > 0)
		n += (size_t)r;
	text[n] = '\0';
	if (read(err[0], &e, sizeof e) != sizeof e)
		e = 0;
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return -e;
}

static void append_arg(char *text, size_t size, const char *arg)
{
	size_t n = strlen(text);

	snprintf(text + n, size - n, "<%s>", arg);
}

static void compare_with_host(const char *path)
{
	char *argv[] = {(char[]){"zero"}, (char[]){"one"}, NULL};
	char theirs[8192], ours[8192] = "";
	struct loader_program p;
	int r = host_exec(path, argv, theirs, sizeof theirs);

	loader_open(&p, AT_FDCWD, path, argv, 0, NULL);
	assert_int_equal(p.err, -r);
	if (r == 0) {
		assert_int_equal(p.kind, LOADER_HOST);
		for (char **a = p.argv; *a; a++)
			append_arg(ours, sizeof ours, *a);
		assert_string_equal(ours, theirs);
	}
	loader_free(&p);
}

/* The host kernel's own #! rules are a reference, if it is 5.8 or later. */
static void test_scripts_as_host(void **state)
{
	static const char *const lines[] = {
		"#!%s\n", "#! %s\n",   "#!\t%s \t\n", "#!%s one two\n", "#!%s  \t a b \t\n",
		"#!%s",   "#!%s a",    "#!%s a  ",    "#!\n%s\n",       "#!%s\r\n",
		"#!  \n", "#!",        "#!\t",        "# !%s\n",        "#!%s\nmore\n",
		"#!i\n",  "#!./i x\n", "#!none\n",    "#!/\n",          "#!%s \n",
	};
	char b[600];
	unsigned seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		snprintf(b, sizeof b, lines[i], self);
		file_write("s", b, strlen(b), 0755);
		compare_with_host("./s");
	}
	/* Around the size of the kernel's buffer: the name, then the argument, is cut. */
	for (int pad = 225; pad < 300; pad++) {
		int n = snprintf(b, sizeof b, "#!%*s%s", pad - (int)strlen(self), "", self);

		b[n] = '\n';
		file_write("s", b, (size_t)n + 1, 0755);
		compare_with_host("./s");
		n = snprintf(b, sizeof b, "#!%s %*d", self, pad - (int)strlen(self), 7);
		file_write("s", b, (size_t)n, 0755);
		compare_with_host("./s");
	}
	/* Random lines of what separates and ends. */
	for (int i = 0; i < 300; i++) {
		size_t n = 2, len = 2 + (size_t)rand_r(&seed) % 12;

		memcpy(b, "#!", 2);
		while (n < len) {
			int c = rand_r(&seed) % 8;

			if (c == 0) {
				memcpy(b + n, self, strlen(self));
				n += strlen(self), len += strlen(self);
			} else {
				b[n++] = " \t\n\0ai/ "[c];
			}
		}
		file_write("s", b, n, 0755);
		compare_with_host("./s");
	}
}

/* Errors of execve(2) itself, as the host gives them. */
static void test_errors_as_host(void **state)
{
	static const char *const paths[] = {"",       "none", "d",         "plain", "plain/x",
					    "noexec", "loop", "/dev/null", "fifo"};

	(void)state;
	mkdir("d", 0755);
	file_write("plain", "text", 4, 0755);
	file_write("noexec", "text", 4, 0644);
	if (symlink("loop", "loop") != 0)
		assert_int_equal(errno, EEXIST);
	if (mkfifo("fifo", 0777) != 0)
		assert_int_equal(errno, EEXIST);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		compare_with_host(paths[i]);
	for (int i = 1; i <= 7; i++) {
		char name[8], line[64];

		snprintf(name, sizeof name, "h%d", i);
		snprintf(line, sizeof line, "#!h%d x\n", i - 1);
		file_write(name, line, strlen(line), 0755);
		if (i == 1 && symlink(self, "h0") != 0)
			assert_int_equal(errno, EEXIST);
		compare_with_host(name);
	}
}

/* --- binfmt_misc ------------------------------------------------------------------------------------ */

static void test_binfmt_misc(void **state)
{
	struct loader_head h = {
		.b = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0xb7, 0},
		.n = 64};
	const char *entry = "enabled\ninterpreter /usr/bin/x\nflags: OC\noffset 0\n"
			    "magic 7f454c460201010000000000000000000200b700\n"
			    "mask ffffffffffffff00fffffffffffffffffeffffff\n";
	const char *ext = "enabled\ninterpreter /usr/bin/wine\nflags: \nextension .exe\n";

	(void)state;
	assert_false(loader_binfmt_misc("bm", &h, "f"));
	mkdir("bm", 0755);
	file_write("bm/register", "", 0, 0200);
	file_write("bm/status", "enabled\n", 8, 0644);
	assert_false(loader_binfmt_misc("bm", &h, "f"));
	file_write("bm/arm64", entry, strlen(entry), 0644);
	assert_false(loader_binfmt_misc("bm", &h, "f")); /* bytes 8..15 differ */
	memset(h.b + 8, 0, 8);
	h.b[7] = 3; /* masked out */
	assert_true(loader_binfmt_misc("bm", &h, "f"));
	h.b[16] = 3; /* masked: fe */
	assert_true(loader_binfmt_misc("bm", &h, "f"));
	h.b[18] = 0xb6;
	assert_false(loader_binfmt_misc("bm", &h, "f.exe"));
	file_write("bm/wine", ext, strlen(ext), 0644);
	assert_true(loader_binfmt_misc("bm", &h, "f.exe"));
	assert_false(loader_binfmt_misc("bm", &h, "f.exe2"));
	assert_false(loader_binfmt_misc("bm", &h, "exe"));
	file_write("bm/wine", "disabled\n", 9, 0644);
	assert_false(loader_binfmt_misc("bm", &h, "f.exe"));
	file_write("bm/wine", "enabled\noffset 250\nmagic 0000000000000000\n", 41, 0644);
	assert_false(loader_binfmt_misc("bm", &h, "f"));
	file_write("bm/wine", "enabled\noffset 248\nmagic 0000000000000000\n", 41, 0644);
	assert_true(loader_binfmt_misc("bm", &h, "f"));
	file_write("bm/status", "disabled\n", 9, 0644);
	assert_false(loader_binfmt_misc("bm", &h, "f"));
}

static int print_argv(char **argv)
{
	for (; *argv; argv++)
		printf("<%s>", *argv);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_accepts, modern),
		cmocka_unit_test_setup(test_foreign, modern),
		cmocka_unit_test_setup(test_bad_headers, modern),
		cmocka_unit_test_setup(test_phdr_limit, modern),
		cmocka_unit_test_setup(test_interp, modern),
		cmocka_unit_test_setup(test_bad_interp, modern),
		cmocka_unit_test_setup(test_sysroot, modern),
		cmocka_unit_test_setup(test_names, modern),
		cmocka_unit_test_setup(test_permissions, modern),
		cmocka_unit_test_setup(test_setid, modern),
		cmocka_unit_test_setup(test_busy, modern),
		cmocka_unit_test_setup(test_execveat, modern),
		cmocka_unit_test_setup(test_empty_argv, modern),
		cmocka_unit_test_setup(test_nested_scripts, modern),
		cmocka_unit_test_setup(test_scripts_as_host, modern),
		cmocka_unit_test_setup(test_errors_as_host, modern),
		cmocka_unit_test_setup(test_binfmt_misc, modern),
	};

	(void)argc;
	if (getenv("PRINT_ARGV"))
		return print_argv(argv);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
