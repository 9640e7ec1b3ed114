/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupted socket calls: restarted with SA_RESTART, EINTR without; a socket with a time limit is
 * never restarted (signal(7)), whichever call waits on it.
 */
#include "io.h"

enum { SO_RCVTIMEO = 20, SO_SNDTIMEO = 21, SO_SNDBUF = 7 };

static int pair[2];
static u8 buf[256 * 1024];
static u32 iov[2], msg[7], mmsg[8];

enum call {
	READ,
	READV,
	RECVFROM,
	RECVMSG,
	RECVMMSG,
	ACCEPT,
	WRITE,
	WRITEV,
	SENDTO,
	SENDMSG,
	CALLS
};
static const char *const names[CALLS] = {"read",   "readv", "recvfrom", "recvmsg", "recvmmsg",
					 "accept", "write", "writev",   "sendto",  "sendmsg"};

static s64 make(enum call which)
{
	iov[0] = (u32)(long)buf;
	iov[1] = which >= WRITE ? sizeof(buf) : 16;
	memset(msg, 0, sizeof(msg));
	msg[2] = (u32)(long)iov;
	msg[3] = 1;
	memset(mmsg, 0, sizeof(mmsg));
	memcpy(mmsg, msg, sizeof(msg));
	switch (which) {
	case READ: return sys(NR_read, pair[1], buf, 16);
	case READV: return sys(65, pair[1], iov, 1);
	case RECVFROM: return sys(SYS_recvfrom, pair[1], buf, 16, 0, 0, 0);
	case RECVMSG: return sys(SYS_recvmsg, pair[1], msg, 0);
	case RECVMMSG: return sys(SYS_recvmmsg, pair[1], mmsg, 1, 0, 0);
	case ACCEPT: return sys(202, pair[1], 0, 0);
	case WRITE: return sys(NR_write, pair[1], buf, sizeof(buf));
	case WRITEV: return sys(66, pair[1], iov, 1);
	case SENDTO: return sys(SYS_sendto, pair[1], buf, sizeof(buf), 0, 0, 0);
	default: return sys(SYS_sendmsg, pair[1], msg, 0);
	}
}

/* A pair of which pair[1] waits: nothing to read, no room to write, nobody who connects. */
static void prepare(enum call which)
{
	u8 name[16] = {AF_UNIX, 0, 0};
	u32 len = sizeof(name), small = 4096;

	if (which == ACCEPT) {
		pair[0] = (int)sys(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
		pair[1] = (int)sys(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
		sys(SYS_bind, pair[1], name, 2); /* a name of the kernel's choice */
		sys(SYS_listen, pair[1], 1);
		return;
	}
	sys(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	if (which < WRITE)
		return;
	sys(SYS_setsockopt, pair[1], SOL_SOCKET, SO_SNDBUF, &small, 4);
	sys(SYS_fcntl64, pair[1], 4, O_NONBLOCK);
	while (sys(NR_write, pair[1], buf, 4096) > 0)
		;
	sys(SYS_fcntl64, pair[1], 4, 0);
	(void)len;
}

/* The other side ends the wait. */
static void release(enum call which)
{
	u8 name[128];
	u32 len = sizeof(name);

	if (which == ACCEPT) {
		sys(SYS_getsockname, pair[1], name, &len);
		sys(SYS_connect, pair[0], name, len);
	} else if (which < WRITE) {
		sys(NR_write, pair[0], "x", 1);
	} else {
		while (sys(NR_read, pair[0], buf, sizeof(buf)) > 0)
			;
	}
}

static void interrupt(enum call which, u32 sa_flags, int limited)
{
	s32 me = (s32)sys(NR_getpid);
	u32 limit[2] = {30, 0};

	prepare(which);
	if (limited)
		sys(SYS_setsockopt, pair[1], SOL_SOCKET, which >= WRITE ? SO_SNDTIMEO : SO_RCVTIMEO,
		    limit, 8);
	signals_seen = 0;
	set_handler(SIGUSR1, count_signal, sa_flags);
	s64 child = fork_();
	if (!child) {
		sys(NR_close, which == ACCEPT ? -1 : pair[1]);
		pause_ms(50);
		sys(NR_kill, me, SIGUSR1);
		pause_ms(50);
		release(which);
		quit(0);
	}
	s64 r = make(which);
	print(" %s", r == -4 ? "EINTR" : r >= 0 ? "done" : "?");
	if (signals_seen != 1)
		print("(%u signals)", signals_seen);
	sys(NR_close, pair[0]);
	sys(NR_close, pair[1]);
	sys(NR_kill, child, SIGKILL);
	wait_for(child);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argc, (void)argv, (void)envp, (void)auxv;
	set_handler(SIGPIPE, (void *)1, 0);
	for (u32 i = 0; i < CALLS; i++) {
		print("%s: plain", names[i]);
		interrupt((enum call)i, 0, 0);
		print(", SA_RESTART");
		interrupt((enum call)i, SA_RESTART, 0);
		print(", SA_RESTART and a limit");
		interrupt((enum call)i, SA_RESTART, 1);
		print("\n");
		flush();
	}
	return 0;
}
