/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Terminals: a pseudo terminal pair, its modes, size, job control, and what is waiting in it. */
#include "io.h"

enum {
	TCGETS = 0x5401,
	TCSETS = 0x5402,
	TCSBRK = 0x5409,
	TCFLSH = 0x540b,
	TIOCSCTTY = 0x540e,
	TIOCGPGRP = 0x540f,
	TIOCSPGRP = 0x5410,
	TIOCOUTQ = 0x5411,
	TIOCSTI = 0x5412,
	TIOCGWINSZ = 0x5413,
	TIOCSWINSZ = 0x5414,
	FIONREAD = 0x541b,
	FIONBIO = 0x5421,
	TIOCGSID = 0x5429,
	TIOCGPTPEER = 0x5441,
	FIONCLEX = 0x5450,
	FIOCLEX = 0x5451,
};
#define TCGETS2    0x802c542au
#define TCSETS2    0x402c542bu
#define TIOCGPTN   0x80045430u
#define TIOCSPTLCK 0x40045431u
#define TIOCGPTLCK 0x80045439u

#define ioctl(...) sys(SYS_ioctl, __VA_ARGS__)

static u8 buf[64];

static void modes(int tty)
{
	WROTE("TCGETS", buf, sizeof(buf), ioctl(tty, TCGETS, buf));
	print("iflag %x oflag %x cflag %x lflag %x\n", get32(buf), get32(buf + 4), get32(buf + 8),
	      get32(buf + 12));
	put32(buf + 12, get32(buf + 12) & ~0xau); /* no ECHO, no ICANON */
	print("TCSETS %ld", ioctl(tty, TCSETS, buf));
	ioctl(tty, TCGETS, buf);
	print(": lflag %x\n", get32(buf + 12));
	WROTE("TCGETS2", buf, sizeof(buf), ioctl(tty, TCGETS2, buf));
	print("speed %u\n", get32(buf + 40));
	put32(buf + 8, (get32(buf + 8) & ~0x100fu) | 0x1000); /* BOTHER */
	put32(buf + 36, 12345);
	put32(buf + 40, 12345);
	print("TCSETS2 %ld", ioctl(tty, TCSETS2, buf));
	ioctl(tty, TCGETS2, buf);
	print(": speed %u\n", get32(buf + 40));
}

static void size(int master, int tty)
{
	u16 ws[5] = {33, 132, 5, 6, 0xa5a5};

	print("TIOCSWINSZ %ld", ioctl(master, TIOCSWINSZ, ws));
	memset(ws, 0xa5, sizeof(ws));
	s64 r = ioctl(tty, TIOCGWINSZ, ws);
	print(" TIOCGWINSZ %ld: %u %u %u %u %x\n", r, ws[0], ws[1], ws[2], ws[3], ws[4]);
}

static void waiting(int master, int tty)
{
	u32 n = 99, on = 1;

	print("FIONREAD %ld", ioctl(tty, FIONREAD, &n));
	print(" %u,", n);
	sys(NR_write, master, "hello", 5);
	/* The line discipline gets them a little later. */
	for (u32 tries = 0; n != 5 && tries < 100; tries++) {
		pause_ms(10);
		ioctl(tty, FIONREAD, &n);
	}
	print(" after 5 bytes %u", n);
	print(", TCFLSH %ld", ioctl(tty, TCFLSH, 0));
	ioctl(tty, FIONREAD, &n);
	print(" %u\n", n);
	print("FIONBIO %ld: %lx, read %ld", ioctl(tty, FIONBIO, &on), sys(SYS_fcntl64, tty, 3),
	      sys(NR_read, tty, buf, 1));
	on = 0;
	print(", off %ld: %lx\n", ioctl(tty, FIONBIO, &on), sys(SYS_fcntl64, tty, 3));
	print("FIOCLEX %ld: %ld", ioctl(tty, FIOCLEX), sys(SYS_fcntl64, tty, 1));
	print(", FIONCLEX %ld: %ld\n", ioctl(tty, FIONCLEX), sys(SYS_fcntl64, tty, 1));
	print("TIOCOUTQ %ld %u\n", ioctl(tty, TIOCOUTQ, &n), n);
}

/* In a session of its own, whose terminal it becomes. */
static void job_control(int tty)
{
	s64 child = fork_();

	if (!child) {
		u32 group = 0, session = 0;
		s32 me = (s32)sys(SYS_setsid);
		print("TIOCGPGRP before %ld", ioctl(tty, TIOCGPGRP, &group));
		print(", TIOCSCTTY %ld", ioctl(tty, TIOCSCTTY, 0));
		print(", TIOCGPGRP %ld", ioctl(tty, TIOCGPGRP, &group));
		print(" %d, TIOCGSID %ld", group == (u32)me, ioctl(tty, TIOCGSID, &session));
		print(" %d, TIOCSPGRP %ld", session == (u32)me, ioctl(tty, TIOCSPGRP, &group));
		group = 0x7fffffff;
		print(", of nobody %ld\n", ioctl(tty, TIOCSPGRP, &group));
		quit(0);
	}
	wait_for(child);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	int master = (int)sys(NR_openat, AT_FDCWD, "/dev/ptmx", O_RDWR | O_NOCTTY), zero = 0;
	char name[32];
	u32 n = 0xa5a5a5a5;
	s64 r;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	r = ioctl(master, TIOCGPTLCK, &n);
	print("TIOCGPTLCK %ld: %u, ", r, n);
	print("TIOCSPTLCK %ld, TIOCGPTN %ld\n", ioctl(master, TIOCSPTLCK, &zero),
	      ioctl(master, TIOCGPTN, &n));
	int tty = (int)sys(NR_openat, AT_FDCWD, numbered(name, "/dev/pts/", n), O_RDWR | O_NOCTTY);
	print("opened %d", tty > 2);
	s64 peer = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	print(", TIOCGPTPEER %d flags %ld\n", peer > 2, sys(SYS_fcntl64, peer, 1));
	modes(tty);
	size(master, tty);
	waiting(master, tty);
	job_control(tty);
	int file = scratch_file();
	print("no terminal: TCGETS %ld, TIOCGWINSZ %ld, unknown command %ld, bad descriptor %ld %ld\n",
	      ioctl(file, TCGETS, buf), ioctl(file, TIOCGWINSZ, buf), ioctl(file, 0xdeadbeefu, buf),
	      ioctl(999, TCGETS, buf), ioctl(999, 0xdeadbeefu, buf));
	print("bad pointer: TCGETS %ld, TCSETS %ld, TIOCSWINSZ %ld\n",
	      ioctl(tty, TCGETS, 0xfffffff0u), ioctl(tty, TCSETS, 0xfffffff0u),
	      ioctl(tty, TIOCSWINSZ, 0xfffffff0u));
	/* The upper half of the argument is not looked at. */
	r = (s64)sys6(SYS_ioctl, (u32)tty, 0xdeadbeef00000000ull | TIOCGWINSZ,
		      0xdeadbeef00000000ull | (u32)(long)buf, 0, 0, 0);
	print("garbage in x1 and x2: %ld\n", r);
	return 0;
}
