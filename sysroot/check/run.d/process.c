/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork, vfork, exec, posix_spawn, system, popen, waiting, limits, start-up values. The program runs itself:
 * argument 1 is then the task. */
#include "check.h"
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *self;

static int status_of(pid_t pid)
{
	int status = -1;

	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

static void forking(void)
{
	int fds[2], value = 0;

	CHECK(!pipe(fds));
	pid_t pid = fork();
	if (!pid) {
		value = 0x1234567;
		_exit(write(fds[1], &value, sizeof value) == sizeof value && getppid() > 0 ? 3 : 4);
	}
	int status = status_of(pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	CHECK(read(fds[0], &value, sizeof value) == sizeof value && value == 0x1234567);

	volatile int shared = 1;
	pid = vfork();
	if (!pid) {
		execl(self, self, "exit", "9", (char *)NULL);
		_exit(127);
	}
	status = status_of(pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	EQUAL(shared, 1);
	close(fds[0]);
	close(fds[1]);
}

/* Runs this program with ARGUMENT and returns the first line that it prints. */
static const char *spawned(const char *argument, char *const environment[])
{
	static char line[256];
	int fds[2];
	pid_t pid;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t mask;

	CHECK(!pipe2(fds, O_CLOEXEC));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	posix_spawnattr_init(&attr);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	posix_spawnattr_setsigmask(&attr, &mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	char *arguments[] = {self, (char *)argument, "two words", "", NULL};
	EQUAL(posix_spawn(&pid, self, &actions, &attr, arguments, environment), 0);
	close(fds[1]);
	ssize_t n = read(fds[0], line, sizeof line - 1);
	line[n > 0 ? n : 0] = 0;
	line[strcspn(line, "\n")] = 0;
	close(fds[0]);
	EQUAL(status_of(pid), 0);
	return line;
}

static void spawning(void)
{
	char *some[] = {"FIRST=1", "SECOND=a=b", NULL}, *none[] = {NULL};
	pid_t pid;

	TEXT(spawned("show", some), "3 <two words> <> env 2 <a=b> usr1 1");
	TEXT(spawned("show", none), "3 <two words> <> env 0 <> usr1 1");
	EQUAL(posix_spawn(&pid, "/no/such/program", NULL, NULL, none, none), ENOENT);
	EQUAL(execv("/", none), -1);
	EQUAL(errno, EACCES);
}

static void shell(void)
{
	char line[64] = "";
	int status = system("exit 5");

	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	FILE *pipe = popen("echo one; echo two | tr a-z A-Z", "r");
	CHECK(pipe && fgets(line, sizeof line, pipe));
	TEXT(line, "one\n");
	CHECK(fgets(line, sizeof line, pipe));
	TEXT(line, "TWO\n");
	EQUAL(pclose(pipe), 0);
	pipe = popen("read line; test \"$line\" = hello", "w");
	CHECK(pipe && fputs("hello\n", pipe) >= 0);
	EQUAL(pclose(pipe), 0);
}

static void waiting(void)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (!pid) {
		for (volatile int i = 0; i < 30000000; i++)
			;
		raise(SIGSTOP);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status) &&
	      WSTOPSIG(status) == SIGSTOP);
	CHECK(!waitpid(pid, &status, WNOHANG));
	CHECK(!kill(pid, SIGCONT));
	CHECK(wait4(pid, &status, 0, &usage) == pid && WIFEXITED(status));
	CHECK(usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec > 0);
	CHECK(usage.ru_maxrss > 0 && usage.ru_minflt > 0);
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	CHECK(kill(pid, 0) == -1 && errno == ESRCH);
}

static void limits(void)
{
	struct rlimit limit, old;

	CHECK(!getrlimit(RLIMIT_CORE, &old));
	limit = (struct rlimit){.rlim_cur = 0, .rlim_max = old.rlim_max};
	CHECK(!setrlimit(RLIMIT_CORE, &limit));
	CHECK(!getrlimit(RLIMIT_CORE, &limit) && limit.rlim_cur == 0 &&
	      limit.rlim_max == old.rlim_max);
	CHECK(!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= 65536);
	errno = 0;
	CHECK(getpriority(PRIO_PROCESS, 0) >= -20 && !errno);
	// 0 is a session that a PID namespace cannot see (getsid(2)).
	CHECK(getpgid(0) == getpgrp() && getsid(0) >= 0);
	CHECK(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
	CHECK(sysconf(_SC_PAGESIZE) == (long)getauxval(AT_PAGESZ));
	cpu_set_t set;
	CHECK(!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) >= 1);
}

static int add_one(struct dl_phdr_info *info, size_t size, void *data)
{
	CHECK(size >= sizeof(struct dl_phdr_info) - sizeof(void *) && info->dlpi_phnum > 0);
	++*(int *)data;
	return 0;
}

static void start(void)
{
	struct utsname name;
	int objects = 0;

	CHECK(!uname(&name));
	TEXT(name.sysname, "Linux");
#ifdef __aarch64__
	TEXT(name.machine, "aarch64");
#endif
#ifdef __ILP32__
	TEXT((char *)(uintptr_t)getauxval(AT_PLATFORM), "aarch64:ilp32");
	CHECK(getauxval(AT_HWCAP) & 3);
	EQUAL(getauxval(AT_PHENT), 32);
#endif
	CHECK(getauxval(AT_RANDOM) && getauxval(AT_ENTRY) && getauxval(AT_SECURE) == 0);
	CHECK(getauxval(AT_UID) == getuid() && getauxval(AT_EGID) == getegid());
	CHECK(dl_iterate_phdr(add_one, &objects) == 0 && objects > 0);

	/* Memory up to a gigabyte and a half, some of it above the sign bit of a 32-bit pointer. */
	char *block[6];
	for (int i = 0; i < 6; i++) {
		block[i] = malloc(256 << 20);
		CHECK(block[i]);
		if (block[i])
			block[i][0] = block[i][(256 << 20) - 1] = (char)i;
	}
	for (int i = 0; i < 6; i++)
		CHECK(block[i] && block[i][0] == i && block[i][(256 << 20) - 1] == i);
	for (int i = 0; i < 6; i++)
		free(block[i]);
	CHECK(!malloc(SIZE_MAX / 2 + 1) && errno == ENOMEM);
	char *end = sbrk(0);
	CHECK(end != (char *)-1);
	char *grown = NULL;
	for (int i = 1; i <= 2000; i++) {
		grown = realloc(grown, (size_t)i * 5000);
		CHECK(grown);
		grown[i * 5000 - 1] = (char)i;
	}
	for (int i = 1; i <= 2000; i++)
		if (grown[i * 5000 - 1] != (char)i)
			CHECK(!"realloc lost data");
	free(grown);
	void *aligned;
	CHECK(!posix_memalign(&aligned, 65536, 100) && (uintptr_t)aligned % 65536 == 0);
	free(aligned);
}

static int show(int argc, char **argv)
{
	sigset_t mask;
	int count = 0;

	while (environ[count])
		count++;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("%d <%s> <%s> env %d <%s> usr1 %d\n", argc - 1, argv[2], argv[3], count,
	       getenv("SECOND") ? getenv("SECOND") : "", sigismember(&mask, SIGUSR1));
	return 0;
}

int main(int argc, char **argv)
{
	static char path[4096];
	ssize_t n;

	if (argc > 2 && !strcmp(argv[1], "exit"))
		return atoi(argv[2]);
	if (argc > 3 && !strcmp(argv[1], "show"))
		return show(argc, argv);
	n = readlink("/proc/self/exe", path, sizeof path - 1);
	CHECK(n > 0);
	self = argv[0];
	/* /proc/self/exe is this program, under whatever name. */
	CHECK(n > 0 && strrchr(path, '/') &&
	      !strcmp(strrchr(path, '/') + 1, strrchr(self, '/') + 1));

	start();
	forking();
	spawning();
	shell();
	waiting();
	limits();
	return checks_end();
}
