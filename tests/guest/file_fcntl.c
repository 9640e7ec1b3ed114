/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fcntl64: three forms of locks, owners, and the commands that take or give numbers. */
#include "io.h"

enum {
	F_DUPFD,
	F_GETFD,
	F_SETFD,
	F_GETFL,
	F_SETFL,
	F_GETLK,
	F_SETLK,
	F_SETLKW,
	F_SETOWN,
	F_GETOWN,
	F_SETSIG,
	F_GETSIG,
	F_GETLK64,
	F_SETLK64,
	F_SETLKW64,
	F_SETOWN_EX,
	F_GETOWN_EX,
	F_OFD_GETLK = 36,
	F_OFD_SETLK,
	F_DUPFD_CLOEXEC = 1030,
	F_SETPIPE_SZ,
	F_GETPIPE_SZ,
	F_ADD_SEALS,
	F_GET_SEALS,
};
enum { F_RDLCK, F_WRLCK, F_UNLCK };

#define fcntl(...) sys(SYS_fcntl64, __VA_ARGS__)

struct flock16 {
	u16 type, whence;
	s32 start, len, pid;
};
struct flock32 {
	u16 type, whence;
	u32 pad;
	s64 start, len;
	s32 pid;
	u32 pad2;
};

static int fd;
static s32 holder; /* the child that has the locks */

/* A child that sets LOCK with CMD and keeps it until it is killed. */
static void hold(int cmd, const void *lock)
{
	u32 p[2];
	char c;

	sys(NR_pipe2, p, 0);
	holder = (s32)fork_();
	if (!holder) {
		s64 r = fcntl(fd, cmd, lock);

		sys(NR_write, p[1], &r, 1);
		for (;;)
			pause_ms(1000);
	}
	sys(NR_read, p[0], &c, 1);
	sys(NR_close, p[0]);
	sys(NR_close, p[1]);
}

static void release(void)
{
	sys(NR_kill, holder, SIGKILL);
	wait_for(holder);
}

static void query16(s32 start, s32 len)
{
	static u8 raw[64];
	struct flock16 *l = (struct flock16 *)raw;

	memset(raw, 0xa5, sizeof(raw));
	*l = (struct flock16){F_WRLCK, 0, start, len, 0};
	s64 r = fcntl(fd, F_GETLK, l);
	print("F_GETLK: %ld", r);
	if (!r)
		print(" type %d start %d len %d pid %d behind %x", l->type, l->start, l->len,
		      l->pid == holder, raw[16]);
	print("\n");
}

static void query32(const char *name, int cmd, s64 start, s64 len)
{
	struct flock32 l = {F_WRLCK, 0, 0xa5a5a5a5, start, len, 0, 0xa5a5a5a5};
	s64 r = fcntl(fd, cmd, &l);

	print("%s: %ld", name, r);
	if (!r)
		print(" type %d start %ld len %ld pid %d pads %x %x", l.type, l.start, l.len,
		      l.pid == holder, l.pad, l.pad2);
	print("\n");
}

static void locks(void)
{
	struct flock16 small = {F_WRLCK, 0, 100, 50, 0};
	struct flock32 high = {F_WRLCK, 0, 0, 0x100000010, 0x20, 0, 0};
	struct flock32 big = {F_WRLCK, 0, 0, 16, 0x90000000, 0, 0};

	hold(F_SETLK, &small);
	query16(0, 0);
	query16(0, 10);
	query32("F_GETLK64", F_GETLK64, 0, 0);
	query32("F_OFD_GETLK", F_OFD_GETLK, 0, 0);
	print("F_SETLK against it %ld\n", fcntl(fd, F_SETLK, &small));
	release();

	/* Beyond 2 GiB: the narrow form overflows, and on 4.14 the wide ones do too. */
	hold(F_SETLK64, &high);
	query16(0, 0);
	query32("F_GETLK64 high", F_GETLK64, 0, 0);
	query32("F_OFD_GETLK high", F_OFD_GETLK, 0, 0);
	release();
	hold(F_SETLK64, &big);
	query16(0, 0);
	query32("F_GETLK64 long", F_GETLK64, 0, 0);
	release();

	print("bad pointer %ld, bad descriptor first %ld, bad type %ld\n",
	      fcntl(fd, F_SETLK64, 0xfffff000u), fcntl(999, F_SETLK64, 0xfffff000u), ({
		      struct flock32 l = {9, 0, 0, 0, 0, 0, 0};
		      fcntl(fd, F_SETLK64, &l);
	      }));
}

/* A lock that is waited for: a signal ends it or it is taken up again. */
static void waiting(u32 sa_flags)
{
	struct flock32 l = {F_WRLCK, 0, 0, 0, 0, 0, 0};
	s32 me = (s32)sys(NR_getpid);
	s64 r;

	hold(F_SETLK64, &l);
	signals_seen = 0;
	set_handler(SIGUSR1, count_signal, sa_flags);
	s64 helper = fork_();
	if (!helper) {
		pause_ms(100);
		sys(NR_kill, me, SIGUSR1);
		pause_ms(100);
		sys(NR_kill, holder, SIGKILL);
		quit(0);
	}
	r = fcntl(fd, F_SETLKW64, &l);
	print("F_SETLKW64 %s: %ld after %u signals\n", sa_flags ? "SA_RESTART" : "no SA_RESTART", r,
	      signals_seen);
	wait_for(helper);
	wait_for(holder);
	l.type = F_UNLCK;
	fcntl(fd, F_SETLK64, &l);
}

static void owners(void)
{
	struct {
		s32 type, pid;
	} ex = {-1, -1};
	s32 me = (s32)sys(NR_getpid), group = (s32)sys(SYS_getpgid, 0);

	print("F_SETOWN pid %ld, F_GETOWN is it %d\n", fcntl(fd, F_SETOWN, me),
	      fcntl(fd, F_GETOWN) == me);
	print("F_SETOWN group %ld", fcntl(fd, F_SETOWN, -group));
	fcntl(fd, F_GETOWN_EX, &ex);
	print(", F_GETOWN_EX type %d same %d\n", ex.type, ex.pid == group);
	ex.type = 0;
	ex.pid = (s32)sys(NR_gettid);
	print("F_SETOWN_EX tid %ld", fcntl(fd, F_SETOWN_EX, &ex));
	ex.type = ex.pid = -1;
	print(" F_GETOWN_EX %ld type %d\n", fcntl(fd, F_GETOWN_EX, &ex), ex.type);
	print("F_SETOWN INT_MIN %ld, F_SETOWN_EX type 9 %ld\n", fcntl(fd, F_SETOWN, 0x80000000u), ({
		      ex.type = 9;
		      fcntl(fd, F_SETOWN_EX, &ex);
	      }));
	print("F_SETSIG %ld, F_GETSIG %ld, F_SETSIG 65 %ld\n", fcntl(fd, F_SETSIG, 40),
	      fcntl(fd, F_GETSIG), fcntl(fd, F_SETSIG, 65));
}

static void numbers(void)
{
	u32 p[2];
	s64 d = fcntl(fd, F_DUPFD, 100), e = fcntl(fd, F_DUPFD_CLOEXEC, 100);

	print("F_DUPFD %ld, F_DUPFD_CLOEXEC %ld: flags %ld %ld\n", d, e, fcntl(d, F_GETFD),
	      fcntl(e, F_GETFD));
	print("F_SETFL %ld: %lx\n", fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK), fcntl(fd, F_GETFL));
	sys(NR_pipe2, p, O_DIRECT);
	print("pipe with O_DIRECT: %lx %lx\n", fcntl(p[0], F_GETFL), fcntl(p[1], F_GETFL));
	print("F_SETPIPE_SZ %ld, F_GETPIPE_SZ %ld\n", fcntl(p[0], F_SETPIPE_SZ, 8192),
	      fcntl(p[0], F_GETPIPE_SZ));
	int sealed = (int)sys(NR_memfd_create, "sealed", 2);
	print("F_ADD_SEALS %ld, F_GET_SEALS %lx\n", fcntl(sealed, F_ADD_SEALS, 2),
	      fcntl(sealed, F_GET_SEALS));
	print("unknown command %ld, LP64 has 12 not: %ld, bad descriptor first %ld\n",
	      fcntl(fd, 999), fcntl(fd, F_GETLK64, 0), fcntl(999, 999));
	int path = (int)sys(NR_openat, AT_FDCWD, "/tmp", O_PATH | O_DIRECTORY);
	print("O_PATH: F_GETFL %lx, F_SETFL %ld, F_GETLK64 %ld, unknown %ld\n",
	      fcntl(path, F_GETFL), fcntl(path, F_SETFL, 0), fcntl(path, F_GETLK64, 0),
	      fcntl(path, 999));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	fd = scratch_file();
	locks();
	waiting(0);
	waiting(SA_RESTART);
	owners();
	numbers();
	return 0;
}
