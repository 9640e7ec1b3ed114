// SPDX-License-Identifier: GPL-2.0-or-later
// Job control on a terminal (a pty): a session with a foreground and a background group, the terminal's
// signals, stop and continue as the parent sees them, the end of the terminal.
#include "proc.h"

enum { NR_ioctl = 29, NR_setsid = 157, NR_getsid = 156 };
enum { O_RDWR = 2, O_NOCTTY = 0400, WUNTRACED = 2, WCONTINUED = 8 };
enum { SIGTSTP = 20, SIGTTIN, SIGTTOU };
#define TIOCGPTN    0x80045430u
#define TIOCSPTLCK  0x40045431u
#define TIOCSCTTY   0x540e
#define TIOCGPGRP   0x540f
#define TIOCSPGRP   0x5410
#define TIOCGSID    0x5429
#define TCGETS      0x5401
#define TCSETS      0x5402
#define TOSTOP      0400u
#define SIGNAL_TERM 0x7f

static s64 master, tty;
static u32 fds[2];

static s64 open_tty(void)
{
	char path[24] = "/dev/pts/";
	u32 n = 0, at = 9, unlock = 0;

	sys(NR_ioctl, master, TIOCSPTLCK, &unlock);
	if (sys(NR_ioctl, master, TIOCGPTN, &n))
		return -1;
	for (u32 d = 1000; d; d /= 10)
		if (n >= d || d == 1)
			path[at++] = (char)('0' + n / d % 10);
	return sys(NR_openat, -100, path, O_RDWR | O_NOCTTY, 0);
}

static void type(const char *s, u32 n)
{
	sys(NR_write, master, s, n);
}

/* The next change of child PID, as one number: status, or -errno. That it goes on may be over unseen when it
 * ends at once, so nobody asks but for EXTRA. */
static int change_of(s64 pid, u32 extra)
{
	int status = 0;
	s64 r;

	do
		r = sys(NR_wait4, pid, &status, WUNTRACED | extra, 0);
	while (r == -EINTR);
	return r < 0 ? (int)r : status;
}

static int change(s64 pid)
{
	return change_of(pid, 0);
}

static void put(s64 pid, int foreground)
{
	u32 group = (u32)pid;

	sys(NR_setpgid, pid, pid);
	if (foreground)
		print("to the foreground: %ld\n", sys(NR_ioctl, tty, TIOCSPGRP, &group));
}

static void ready(void)
{
	char c;

	sys(NR_read, fds[0], &c, 1);
}

/* A job in a group of its own: says that it runs, then does FN. */
static s64 job(void (*fn)(void), int foreground)
{
	u32 own[2];
	s64 pid;
	char c;

	sys(NR_pipe2, own, 0);
	pid = fork_();
	if (!pid) {
		for (int s = SIGTSTP; s <= SIGTTOU; s++)
			set_handler(s, 0, 0);
		sys(NR_read, own[0], &c, 1);
		sys(NR_write, fds[1], "x", 1);
		fn();
		quit(0);
	}
	put(pid, foreground);
	sys(NR_write, own[1], "x", 1);
	sys(NR_close, own[0]);
	sys(NR_close, own[1]);
	ready();
	return pid;
}

static void wait_forever(void)
{
	for (;;)
		sleep_ms(1000);
}

static void read_line(void)
{
	char line[16];
	s64 r = sys(NR_read, tty, line, sizeof(line));

	quit(r == 3 && line[0] == 'h' ? 11 : r < 0 ? (int)-r : 99);
}

static void write_word(void)
{
	quit(sys(NR_write, tty, "word", 4) == 4 ? 12 : 99);
}

static void terminal_to_self(void)
{
	u32 group = (u32)sys(NR_getpid);

	quit(sys(NR_ioctl, tty, TIOCSPGRP, &group) == 0 ? 13 : 99);
}

static void ignoring_reader(void)
{
	set_handler(SIGTTIN, 1, 0);
	read_line();
}

static void stopping(void)
{
	s64 pid = job(wait_forever, 1);

	type("\032", 1); /* ^Z */
	print("^Z: %x\n", change(pid));
	sys(NR_kill, -pid, SIGCONT);
	print("continued: %x\n", change_of(pid, WCONTINUED));
	type("\003", 1); /* ^C */
	print("^C: %x\n", change(pid));
	pid = job(wait_forever, 1);
	type("\034", 1); /* ^\ */
	print("^\\: %x\n", change(pid) & SIGNAL_TERM);
}

static void background(void)
{
	u32 tio[16];
	s64 pid = job(read_line, 0);

	put(sys(NR_getpid), 1);
	print("background read: %x\n", change(pid));
	type("hi\n", 3);
	put(pid, 1);
	sys(NR_kill, -pid, SIGCONT);
	print("in the foreground: %x\n", change(pid));
	put(sys(NR_getpid), 1);
	pid = job(ignoring_reader, 0);
	print("background read, SIGTTIN ignored: %x\n", change(pid));
	pid = job(write_word, 0);
	print("background write: %x\n", change(pid));
	sys(NR_ioctl, tty, TCGETS, tio);
	tio[3] |= TOSTOP;
	sys(NR_ioctl, tty, TCSETS, tio);
	pid = job(write_word, 0);
	print("background write, TOSTOP: %x\n", change(pid));
	tio[3] &= ~TOSTOP;
	sys(NR_ioctl, tty, TCSETS, tio);
	sys(NR_kill, -pid, SIGCONT);
	print("without: %x\n", change(pid));
	pid = job(terminal_to_self, 0);
	print("background TIOCSPGRP: %x\n", change(pid));
	sys(NR_kill, -pid, SIGKILL);
	print("killed while stopped: %x\n", change(pid));
}

static volatile u32 hangups;

static void hangup(int sig)
{
	(void)sig;
	hangups++;
}

/* The session's first process, which plays the shell. */
static void shell(void)
{
	u32 group = 0, session = 0, me = (u32)sys(NR_getpid);
	char c;

	print("setsid: %d, again %ld\n", sys(NR_setsid) == me, sys(NR_setsid));
	print("no terminal yet: %ld\n", sys(NR_openat, -100, "/dev/tty", O_RDWR, 0));
	tty = open_tty();
	print("TIOCSCTTY: %ld\n", sys(NR_ioctl, tty, TIOCSCTTY, 0));
	sys(NR_ioctl, tty, TIOCGPGRP, &group);
	sys(NR_ioctl, tty, TIOCGSID, &session);
	print("group %d, session %d %d\n", group == me, session == me, sys(NR_getsid, 0) == me);
	for (int s = SIGTSTP; s <= SIGTTOU; s++)
		set_handler(s, 1, 0);
	sys(NR_pipe2, fds, 0);
	print("a group that is not there: %ld\n",
	      (group = 0x3ffffff, sys(NR_ioctl, tty, TIOCSPGRP, &group)));
	stopping();
	background();
	set_handler(SIGHUP, hangup, 0);
	sys(NR_close, master);
	while (!hangups)
		sleep_ms(1);
	print("hung up: signals %u, read %ld, write %ld\n", hangups, sys(NR_read, tty, &c, 1),
	      sys(NR_write, tty, &c, 1));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 pid;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	master = sys(NR_openat, -100, "/dev/ptmx", O_RDWR | O_NOCTTY, 0);
	pid = fork_();
	if (!pid) {
		shell();
		quit(0);
	}
	sys(NR_close, master); /* the shell has the only one */
	print("shell: %x\n", wait_for(pid));
	return 0;
}
