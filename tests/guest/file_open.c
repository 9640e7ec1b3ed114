/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening by arm64's flag values, large files, links, and names in /proc that are the guest's own. */
#include "io.h"

static char dir[64], name[96];

static const char *in_dir(const char *file)
{
	u32 n = text_length(dir);

	memcpy(name, dir, n);
	name[n] = '/';
	memcpy(name + n + 1, file, text_length(file) + 1);
	return name;
}

static void flags(void)
{
	s64 fd = sys(NR_openat, AT_FDCWD, in_dir("file"), O_RDWR | O_CREAT | O_EXCL, 0640);

	print("create %d, again %ld\n", fd > 2,
	      sys(NR_openat, AT_FDCWD, in_dir("file"), O_RDWR | O_CREAT | O_EXCL, 0640));
	print("GETFL of O_RDWR: %lx\n", sys(SYS_fcntl64, fd, 3));
	sys(NR_close, fd);
	fd = sys(NR_openat, AT_FDCWD, in_dir("file"), O_RDONLY, 0);
	print("GETFL of O_RDONLY: %lx\n", sys(SYS_fcntl64, fd, 3));
	sys(NR_close, fd);
	fd = sys(NR_openat, AT_FDCWD, in_dir("file"), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
	print("GETFL of O_WRONLY|O_APPEND|O_NONBLOCK: %lx, GETFD %ld\n", sys(SYS_fcntl64, fd, 3),
	      sys(SYS_fcntl64, fd, 1));
	sys(NR_close, fd);
	print("O_DIRECTORY on a file %ld\n", sys(NR_openat, AT_FDCWD, in_dir("file"), O_DIRECTORY));
	sys(SYS_symlinkat, "file", AT_FDCWD, in_dir("link"));
	print("O_NOFOLLOW on a link %ld\n", sys(NR_openat, AT_FDCWD, in_dir("link"), O_NOFOLLOW));
	fd = sys(NR_openat, AT_FDCWD, dir, O_DIRECTORY);
	print("O_DIRECTORY on a directory: %lx\n", sys(SYS_fcntl64, fd, 3));
	/* The upper half of x0 is not looked at. */
	print("relative, garbage in x0: %d\n", (s64)sys6(NR_openat, 0xdeadbeef00000000ull | (u32)fd,
							 (u32)(long)"file", O_RDONLY, 0, 0, 0) > 2);
	print("bad pointer %ld, empty name %ld, bad directory %ld\n",
	      sys(NR_openat, AT_FDCWD, 0xfffff000u, O_RDONLY),
	      sys(NR_openat, AT_FDCWD, "", O_RDONLY), sys(NR_openat, 999, "file", O_RDONLY));
	sys(NR_close, fd);
}

static void large(void)
{
	s64 fd = sys(NR_openat, AT_FDCWD, in_dir("file"), O_RDWR), again;

	print("5 GiB without O_LARGEFILE: %ld", sys(SYS_ftruncate64, fd, 0, 0x40000000, 1));
	again = sys(NR_openat, AT_FDCWD, in_dir("file"), O_RDONLY);
	print(" %d\n", again > 2);
	sys(NR_close, again);
	sys(NR_close, fd);
}

static void links(void)
{
	char buf[256];
	s64 n, fd;

	print("readlinkat: %ld", sys(SYS_readlinkat, AT_FDCWD, in_dir("link"), buf, sizeof(buf)));
	print(" cut %ld", sys(SYS_readlinkat, AT_FDCWD, in_dir("link"), buf, 2));
	print(" '%c%c' size 0 %ld, size -1 %ld, file %ld, bad buffer %ld\n", buf[0], buf[1],
	      sys(SYS_readlinkat, AT_FDCWD, in_dir("link"), buf, 0),
	      sys(SYS_readlinkat, AT_FDCWD, in_dir("link"), buf, -1),
	      sys(SYS_readlinkat, AT_FDCWD, in_dir("file"), buf, sizeof(buf)),
	      sys(SYS_readlinkat, AT_FDCWD, in_dir("link"), 0xfffff000u, 64));
	n = sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buf, sizeof(buf));
	print("/proc/self/exe ends in /file_open: %d\n",
	      n > 10 && memcmp(buf + n - 10, "/file_open", 10) == 0);
	fd = sys(NR_openat, AT_FDCWD, "/proc", O_DIRECTORY);
	print("the same relative to /proc: %d\n",
	      sys(SYS_readlinkat, fd, "self/exe", buf, sizeof(buf)) == n);
	/* ELF class 32, machine AArch64 */
	s64 exe = sys(NR_openat, fd, "self/exe", O_RDONLY);
	sys(NR_read, exe, buf, 20);
	print("opened: class %d machine %d\n", buf[4], (u8)buf[18]);
	sys(NR_close, exe);
	/* Through a link of another name, the guest's maps and memory. */
	sys(SYS_symlinkat, "/proc/self/maps", AT_FDCWD, in_dir("m"));
	sys(SYS_symlinkat, "/proc/self/mem", AT_FDCWD, in_dir("n"));
	exe = sys(NR_openat, AT_FDCWD, in_dir("m"), O_RDONLY);
	sys(NR_read, exe, buf, 20);
	print("maps have 32-bit addresses: %d\n", buf[8] == '-' && buf[17] == ' ');
	sys(NR_close, exe);
	exe = sys(NR_openat, AT_FDCWD, in_dir("n"), O_RDWR);
	u32 seen = 0, word = 0x600d600d;
	n = sys(67, exe, &seen, 4, 0, (u32)&word, 0); /* pread64 */
	print("mem through a link: %ld, ours %d\n", n, seen == word);
	sys(NR_close, exe);
	sys(NR_close, fd);
}

static void cleanup(void)
{
	static const char *const files[] = {"file", "link", "m", "n"};

	for (u32 i = 0; i < 4; i++)
		sys(SYS_unlinkat, AT_FDCWD, in_dir(files[i]), 0);
	sys(SYS_unlinkat, AT_FDCWD, dir, 0x200);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	numbered(dir, "/tmp/guest-file-open-", (u32)sys(NR_getpid));
	if (sys(SYS_mkdirat, AT_FDCWD, dir, 0700))
		return 1;
	flags();
	large();
	links();
	cleanup();
	return 0;
}
