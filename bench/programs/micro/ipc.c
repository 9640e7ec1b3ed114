/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency and bandwidth between two processes. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "micro.h"

#define BLOCK (64u << 10)

static int in, out; /* this process's ends */
static char block[BLOCK];
static int listener;
static struct sockaddr_in address;

/* Two pairs of descriptors: what is written to b[1] is read from a[0] and the other way round. */
static void pair_of_pipes(int a[2], int b[2])
{
	int there[2], back[2];

	micro_check(pipe(there) || pipe(back), "pipe");
	a[0] = there[0], b[1] = there[1];
	b[0] = back[0], a[1] = back[1];
}

static void pair_of_unix(int a[2], int b[2])
{
	int s[2];

	micro_check(socketpair(AF_UNIX, SOCK_STREAM, 0, s), "socketpair");
	a[0] = a[1] = s[0];
	b[0] = b[1] = s[1];
}

static int bound(int type, struct sockaddr_in *at)
{
	socklen_t size = sizeof(*at);
	int s = socket(AF_INET, type, 0);

	*at = (struct sockaddr_in){.sin_family = AF_INET};
	at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	micro_check(s < 0 || bind(s, (struct sockaddr *)at, sizeof(*at)), "bind");
	micro_check(getsockname(s, (struct sockaddr *)at, &size), "getsockname");
	return s;
}

static void pair_of_udp(int a[2], int b[2])
{
	struct sockaddr_in to_a, to_b;

	a[0] = a[1] = bound(SOCK_DGRAM, &to_a);
	b[0] = b[1] = bound(SOCK_DGRAM, &to_b);
	micro_check(connect(a[0], (struct sockaddr *)&to_b, sizeof(to_b)) ||
			    connect(b[0], (struct sockaddr *)&to_a, sizeof(to_a)),
		    "connect");
}

static int connected(void)
{
	int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	micro_check(s < 0 || connect(s, (struct sockaddr *)&address, sizeof(address)), "connect");
	micro_check(setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "TCP_NODELAY");
	return s;
}

static void start_listening(void)
{
	listener = bound(SOCK_STREAM, &address);
	micro_check(listen(listener, 64), "listen");
}

static void pair_of_tcp(int a[2], int b[2])
{
	int on = 1;

	start_listening();
	a[0] = a[1] = connected();
	b[0] = b[1] = accept(listener, NULL, NULL);
	micro_check(b[0] < 0, "accept");
	micro_check(setsockopt(b[0], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "TCP_NODELAY");
}

/* Makes the pair of argument 0's kind; the partner gets one side and runs SERVE. */
static void with_partner(int argc, char **argv, void (*serve)(void))
{
	static const struct {
		const char *name;
		void (*make)(int a[2], int b[2]);
	} kinds[] = {{"pipe", pair_of_pipes},
		     {"unix", pair_of_unix},
		     {"udp", pair_of_udp},
		     {"tcp", pair_of_tcp}};
	int a[2], b[2];
	pid_t pid;

	micro_one_cpu();
	errno = EINVAL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (argc > 0 && strcmp(argv[0], kinds[i].name) == 0) {
			kinds[i].make(a, b);
			errno = 0;
			break;
		}
	}
	micro_check(errno != 0, "kind of channel");
	pid = fork();
	in = pid ? a[0] : b[0];
	out = pid ? a[1] : b[1];
	if (pid == 0) {
		serve();
		_exit(0);
	}
	micro_partner(pid);
}

static void echo(void)
{
	char c;

	while (read(in, &c, 1) == 1)
		micro_check(write(out, &c, 1) != 1, "write");
}

static void latency_setup(int argc, char **argv)
{
	with_partner(argc, argv, echo);
}

static uint64_t round_trips(uint64_t n)
{
	char c = 'x';

	for (uint64_t i = n; i > 0; i--)
		micro_check(write(out, &c, 1) != 1 || read(in, &c, 1) != 1, "round trip");
	return n;
}

/* Sends blocks on request: a request is their number. */
static void source(void)
{
	uint64_t count;

	while (read(in, &count, sizeof(count)) == sizeof(count)) {
		for (uint64_t bytes = count * BLOCK; bytes > 0;) {
			ssize_t did = write(out, block, bytes < BLOCK ? bytes : BLOCK);

			micro_check(did <= 0, "write");
			bytes -= (uint64_t)did;
		}
	}
}

static void bandwidth_setup(int argc, char **argv)
{
	memset(block, 1, sizeof(block));
	with_partner(argc, argv, source);
}

static uint64_t transfer(uint64_t n)
{
	uint64_t count = n;

	micro_check(write(out, &count, sizeof(count)) != sizeof(count), "write");
	for (uint64_t bytes = n * BLOCK; bytes > 0;) {
		ssize_t did = read(in, block, BLOCK);

		micro_check(did <= 0, "read");
		bytes -= (uint64_t)did;
	}
	return n * BLOCK;
}

static void connection_setup(int argc, char **argv)
{
	(void)argc, (void)argv;
	start_listening();
}

static uint64_t connections(uint64_t n)
{
	const struct linger now = {.l_onoff = 1}; /* no TIME_WAIT: ports would run out */

	for (uint64_t i = n; i > 0; i--) {
		int s = connected(), peer = accept(listener, NULL, NULL);

		micro_check(peer < 0, "accept");
		micro_check(setsockopt(s, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), "SO_LINGER");
		micro_check(close(s) || close(peer), "close");
	}
	return n;
}

const struct micro_case micro_ipc[] = {
	{"latency", latency_setup, round_trips},
	{"transfer", bandwidth_setup, transfer},
	{"tcp-connect", connection_setup, connections},
	{0},
};
