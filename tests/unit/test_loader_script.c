/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_open(): argv, #! lines and the host's formats. Here the host kernel is the reference: what its
 * execve makes of a script is compared with what loader_open() says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "loader/internal.h"
#include "test_loader_files.h"

static char self[80]; /* link to this program: some program of the host */

static int set_up(void **state)
{
	char link[4096];
	ssize_t n = readlink("/proc/self/exe", link, sizeof link - 1);

	if (n < 0 || set_up_dir(state) != 0)
		return -1;
	link[n] = '\0';
	snprintf(self, sizeof self, "%s/i", dir);
	return symlink(link, self);
}

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

static void append_arg(char *text, size_t size, const char *arg)
{
	size_t n = strlen(text);

	snprintf(text + n, size - n, "<%s>", arg);
}

/* The arguments of process PID as one text. */
static void read_cmdline(pid_t pid, char *text, size_t size)
{
	char path[64], b[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, b, sizeof b - 1);
	close(fd);
	assert_true(n > 0);
	b[n] = '\0';
	text[0] = '\0';
	for (char *arg = b; arg < b + n; arg += strlen(arg) + 1)
		append_arg(text, size, arg);
}

/* What execve of the host makes of PATH: 0 and the argv that arrived, as one text; or -errno. The new
 * program is stopped before its first instruction, so any will do. */
static int host_exec(const char *path, char *const argv[], char *text, size_t size)
{
	int err[2], status, e = 0;
	pid_t pid;

	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char *envp[] = {NULL};

		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execve(path, argv, envp);
		e = errno;
		(void)!write(err[1], &e, sizeof e);
		_exit(1);
	}
	close(err[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSTOPPED(status)) {
		read_cmdline(pid, text, size);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
	} else {
		assert_int_equal(read(err[0], &e, sizeof e), sizeof e);
	}
	close(err[0]);
	return -e;
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
	/* % stands for the interpreter. */
	static const char *const lines[] = {
		"#!%\n",  "#! %\n",    "#!\t% \t\n", "#!% one two\n", "#!%  \t a b \t\n",
		"#!%",    "#!% a",     "#!% a  ",    "#!\n%\n",       "#!%\r\n",
		"#!  \n", "#!",        "#!\t",       "# !%\n",        "#!%\nmore\n",
		"#!i\n",  "#!./i x\n", "#!none\n",   "#!/\n",         "#!% \n",
	};
	char b[600];
	unsigned seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		const char *percent = strchr(lines[i], '%');
		int head = percent ? (int)(percent - lines[i]) : (int)strlen(lines[i]);

		snprintf(b, sizeof b, "%.*s%s%s", head, lines[i], percent ? self : "",
			 percent ? percent + 1 : "");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_empty_argv, modern),
		cmocka_unit_test_setup(test_nested_scripts, modern),
		cmocka_unit_test_setup(test_scripts_as_host, modern),
		cmocka_unit_test_setup(test_errors_as_host, modern),
		cmocka_unit_test_setup(test_binfmt_misc, modern),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down_dir);
}
