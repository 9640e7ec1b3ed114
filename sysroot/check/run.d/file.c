/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: 64-bit sizes, offsets and inodes in a 32-bit ABI, times, locks, directories, mappings. Works in
 * the directory of argument 1. */
#define _FILE_OFFSET_BITS 64
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define FAR 0x123456000LL /* beyond 4 GiB, a page boundary */

static void offsets(void)
{
	struct stat st;
	char buffer[8] = "";
	int fd = open("big", O_RDWR | O_CREAT | O_TRUNC, 0640);

	CHECK(fd >= 0);
	EQUAL(pwrite(fd, "far", 3, FAR + 5), 3);
	EQUAL(pread(fd, buffer, 8, FAR + 5), 3);
	TEXT(buffer, "far");
	EQUAL(lseek(fd, 0, SEEK_END), FAR + 8);
	EQUAL(lseek(fd, -1, SEEK_CUR), FAR + 7);
	EQUAL(lseek(fd, FAR, SEEK_SET), FAR);
	CHECK(lseek(fd, -FAR - 1, SEEK_CUR) == -1 && errno == EINVAL);
	CHECK(!fstat(fd, &st) && st.st_size == FAR + 8 && (st.st_mode & 07777) == 0640 &&
	      st.st_nlink == 1);
	CHECK(S_ISREG(st.st_mode) && st.st_uid == getuid() && st.st_blksize >= 512);
	EQUAL(lseek(fd, 0, SEEK_DATA) >= FAR, 1);
	CHECK(!ftruncate(fd, FAR * 2) && !stat("big", &st) && st.st_size == FAR * 2);
	CHECK(!truncate("big", FAR + 8) && !stat("big", &st) && st.st_size == FAR + 8);
	EQUAL(posix_fadvise(fd, FAR, 4096, POSIX_FADV_WILLNEED), 0);
	EQUAL(posix_fadvise(fd, FAR, 4096, 99), EINVAL);
	EQUAL(sync_file_range(fd, FAR, 8, SYNC_FILE_RANGE_WRITE), 0);
	EQUAL(readahead(fd, FAR, 4096), 0);
	if (posix_fallocate(fd, FAR * 2, 100) == 0)
		CHECK(!fstat(fd, &st) && st.st_size == FAR * 2 + 100);

	struct iovec parts[2] = {{buffer, 1}, {buffer + 2, 2}};
	memset(buffer, 0, sizeof buffer);
	EQUAL(preadv(fd, parts, 2, FAR + 5), 3);
	CHECK(!memcmp(buffer, "f\0ar", 4));
	EQUAL(pwritev(fd, parts, 2, FAR + 100), 3);
	EQUAL(pread(fd, buffer, 3, FAR + 100), 3);
	CHECK(!memcmp(buffer, "far", 3));

	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, FAR);
	CHECK(page != MAP_FAILED && !memcmp(page + 5, "far", 3));
	if (page != MAP_FAILED) {
		page[5] = 'F';
		CHECK(!msync(page, 4096, MS_SYNC));
		EQUAL(pread(fd, buffer, 3, FAR + 5), 3);
		CHECK(!memcmp(buffer, "Far", 3));
		CHECK(!munmap(page, 4096));
	}
	int copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	off_t at = FAR + 5;
	EQUAL(sendfile(copy, fd, &at, 3), 3);
	EQUAL(at, FAR + 8);
	at = FAR + 5;
	off_t to = 10;
	ssize_t copied = copy_file_range(fd, &at, copy, &to, 3, 0);
	if (copied >= 0) {
		EQUAL(copied, 3);
		EQUAL(to, 13);
	}
	EQUAL(pread(copy, buffer, 3, 0), 3);
	CHECK(!memcmp(buffer, "Far", 3));
	close(copy);
	close(fd);
}

static void attributes(void)
{
	struct stat st;
	struct timespec times[2] = {{1234567890, 123456789},
				    {4102444800 - (sizeof(long) == 4) * 3000000000, 5}};

	int fd = open("times", O_RDWR | O_CREAT, 0600);
	CHECK(!futimens(fd, times) && !fstat(fd, &st));
	EQUAL(st.st_atim.tv_sec, 1234567890);
	EQUAL(st.st_atim.tv_nsec, 123456789);
	EQUAL(st.st_mtim.tv_sec, times[1].tv_sec);
	EQUAL(st.st_mtim.tv_nsec, 5);
	times[0].tv_nsec = UTIME_OMIT;
	times[1].tv_nsec = UTIME_NOW;
	CHECK(!utimensat(AT_FDCWD, "times", times, 0) && !stat("times", &st));
	EQUAL(st.st_atim.tv_sec, 1234567890);
	CHECK(st.st_mtim.tv_sec > 1600000000 && st.st_mtim.tv_sec - st.st_ctim.tv_sec < 2);
	CHECK(!fchmod(fd, 04711) && !stat("times", &st) && (st.st_mode & 07777) == 04711);
	CHECK(!link("times", "hard") && !symlink("times", "soft") && !stat("hard", &st) &&
	      st.st_nlink == 2);
	CHECK(!lstat("soft", &st) && S_ISLNK(st.st_mode) && st.st_size == 5);
	CHECK(!rename("hard", "renamed") && !access("renamed", W_OK) && access("hard", F_OK) &&
	      errno == ENOENT);
	CHECK(!renameat(AT_FDCWD, "renamed", AT_FDCWD, "hard"));
	CHECK(!unlink("hard") && !unlink("soft") && !unlink("times"));
	CHECK(!stat("/dev/null", &st) && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3));

	struct statfs fs;
	struct statvfs vfs;
	CHECK(!statfs(".", &fs) && fs.f_bsize > 0 && fs.f_blocks >= fs.f_bfree &&
	      fs.f_namelen == 255);
	CHECK(!fstatfs(fd, &fs) && !statvfs(".", &vfs) && vfs.f_bsize == (unsigned long)fs.f_bsize);
	close(fd);
}

static void locks(void)
{
	int fd = open("locked", O_RDWR | O_CREAT, 0600), status;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = FAR, .l_len = 10};

	CHECK(!fcntl(fd, F_SETLK, &lock));
	pid_t pid = fork();
	if (!pid) {
		struct flock ask = {
			.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = FAR + 9, .l_len = 0};
		if (fcntl(fd, F_SETLK, &ask) != -1 || (errno != EAGAIN && errno != EACCES))
			_exit(1);
		/* Linux 4.14 cannot report a lock beyond 2 GiB to a 32-bit caller. */
		if (fcntl(fd, F_GETLK, &ask) ? errno != EOVERFLOW
					     : ask.l_type != F_WRLCK || ask.l_start != FAR ||
						       ask.l_len != 10 || ask.l_pid != getppid())
			_exit(2);
		ask = (struct flock){.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = FAR + 10};
		if (fcntl(fd, F_SETLK, &ask))
			_exit(3);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	EQUAL(WEXITSTATUS(status), 0);
	CHECK(!flock(fd, LOCK_EX | LOCK_NB));
	int other = open("locked", O_RDONLY);
	CHECK(flock(other, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
	EQUAL(fcntl(other, F_GETFL) & O_ACCMODE, O_RDONLY);
	EQUAL(fcntl(other, F_GETFD), 0);
	CHECK(fcntl(other, F_DUPFD_CLOEXEC, 100) == 100 && fcntl(100, F_GETFD) == FD_CLOEXEC);
	close(100);
	close(other);
	close(fd);
}

static void directories(void)
{
	char name[32];
	int seen = 0, dots = 0;

	CHECK(!mkdir("many", 0700));
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "many/%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	DIR *dir = opendir("many");
	CHECK(dir);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		snprintf(name, sizeof name, "many/%.20s", e->d_name);
		CHECK(!lstat(name, &st) && (e->d_name[0] == '.' || st.st_ino == e->d_ino));
		if (e->d_name[0] == '.')
			dots++;
		else
			seen++;
	}
	EQUAL(seen, 300);
	EQUAL(dots, 2);
	rewinddir(dir);
	CHECK(readdir(dir));
	long position = telldir(dir);
	struct dirent *e = readdir(dir);
	CHECK(e);
	snprintf(name, sizeof name, "%.20s", e ? e->d_name : "");
	seekdir(dir, position);
	e = readdir(dir);
	CHECK(e && !strcmp(e->d_name, name));
	closedir(dir);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "many/%d", i);
		unlink(name);
	}
	CHECK(!rmdir("many"));
	CHECK(open("many", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOENT);
	CHECK(open("big", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
	char cwd[4096];
	CHECK(getcwd(cwd, sizeof cwd) && cwd[0] == '/');
}

static void events(void)
{
	int fd = eventfd(3, EFD_NONBLOCK), epoll = epoll_create1(EPOLL_CLOEXEC);
	uint64_t value;
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0xabcdef0123456789}, got[3];

	CHECK(fd >= 0 && epoll >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	EQUAL(epoll_wait(epoll, got, 3, 1000), 1);
	CHECK(got[0].events == EPOLLIN && got[0].data.u64 == 0xabcdef0123456789);
	CHECK(read(fd, &value, 8) == 8 && value == 3);
	EQUAL(epoll_wait(epoll, got, 3, 10), 0);
	value = 0x100000001;
	CHECK(write(fd, &value, 8) == 8);
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	CHECK(poll(&poll_fd, 1, 100) == 1 && poll_fd.revents == POLLIN);
	fd_set set;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	struct timeval wait = {1, 0};
	CHECK(select(fd + 1, &set, NULL, NULL, &wait) == 1 && FD_ISSET(fd, &set));
	CHECK(read(fd, &value, 8) == 8 && value == 0x100000001);
	FD_SET(fd, &set);
	struct timespec short_wait = {0, 2000000};
	EQUAL(pselect(fd + 1, &set, NULL, NULL, &short_wait, NULL), 0);
	EQUAL(ppoll(&poll_fd, 1, &short_wait, NULL), 0);
	close(fd);
	close(epoll);

	int pair[2], available;
	CHECK(!pipe(pair) && write(pair[1], "12345", 5) == 5);
	CHECK(!ioctl(pair[0], FIONREAD, &available) && available == 5);
	CHECK(ioctl(pair[0], TCGETS, &available) == -1 && errno == ENOTTY);
	close(pair[0]);
	close(pair[1]);
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master >= 0) {
		struct termios t;
		struct winsize size = {.ws_row = 33, .ws_col = 77}, back = {0};
		CHECK(!grantpt(master) && !unlockpt(master) &&
		      !strncmp(ptsname(master), "/dev/pts/", 9));
		int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
		CHECK(slave >= 0 && !tcgetattr(slave, &t) && t.c_cc[VINTR] == 3 &&
		      (t.c_lflag & ECHO));
		cfmakeraw(&t);
		t.c_cc[VMIN] = 2;
		CHECK(!tcsetattr(slave, TCSANOW, &t) && !tcgetattr(slave, &t));
		CHECK(t.c_cc[VMIN] == 2 && !(t.c_lflag & ECHO));
		CHECK(!ioctl(slave, TIOCSWINSZ, &size) && !ioctl(master, TIOCGWINSZ, &back));
		CHECK(back.ws_row == 33 && back.ws_col == 77);
		close(slave);
		close(master);
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1])) {
		perror("chdir");
		return 2;
	}
	umask(022);
	offsets();
	attributes();
	locks();
	directories();
	events();
	unlink("big");
	unlink("copy");
	unlink("locked");
	return checks_end();
}
