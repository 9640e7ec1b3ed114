/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader_open(): names, permissions and descriptors (fs/exec.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/wait.h>

#include "test_loader_files.h"

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
	char name[80];
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_names, modern),
		cmocka_unit_test_setup(test_permissions, modern),
		cmocka_unit_test_setup(test_setid, modern),
		cmocka_unit_test_setup(test_busy, modern),
		cmocka_unit_test_setup(test_execveat, modern),
	};

	return cmocka_run_group_tests(tests, set_up_dir, tear_down_dir);
}
