/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epoll_pwait gives as many events as are ready and asked for (fs/eventpoll.c ep_send_events), however many these are. */
#include "guest.h"

enum { NR_eventfd2 = 19, NR_epoll_create1 = 20, NR_epoll_ctl = 21, NR_epoll_pwait = 22 };
enum { MANY = 900, CTL_ADD = 1, CTL_MOD = 3, IN = 1, ONESHOT = 1 << 30 };

struct event {
	u32 events;
	u64 data;
};
_Static_assert(sizeof(struct event) == 16, "epoll_event of ILP32");

static struct event got[MANY + 100];
static u8 seen[MANY];
static int fds[MANY];

/* Waits for at most MAX events and counts those that are right: a descriptor's own, once each. */
static void ready(int ep, int max)
{
	int right = 0;
	s64 n;

	for (int i = 0; i < MANY; i++)
		seen[i] = 0;
	n = sys(NR_epoll_pwait, ep, got, max, 0, 0, 8);
	for (s64 i = 0; i < n; i++) {
		u64 which = got[i].data >> 32;

		if (got[i].events == IN && (u32)got[i].data == 0x1234567 && which < MANY &&
		    !seen[which]++)
			right++;
	}
	print("up to %d: %ld events, %d right\n", max, n, right);
}

static void control(int ep, int op, u32 events)
{
	for (int i = 0; i < MANY; i++) {
		struct event e = {events, (u64)i << 32 | 0x1234567};

		if (sys(NR_epoll_ctl, ep, op, fds[i], &e) != 0)
			print("epoll_ctl %d failed\n", i);
	}
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	int ep = (int)sys(NR_epoll_create1, 0);

	for (int i = 0; i < MANY; i++) {
		if ((fds[i] = (int)sys(NR_eventfd2, 1, 0)) < 0)
			print("eventfd %d: %d\n", i, fds[i]);
	}
	control(ep, CTL_ADD, IN);
	ready(ep, MANY + 100);
	ready(ep, MANY);
	ready(ep, 257);
	ready(ep, 256);
	print("one-shot\n");
	control(ep, CTL_MOD, IN | ONESHOT);
	ready(ep, 600);
	ready(ep, MANY);
	ready(ep, MANY);
	print("largest: %ld, too large: %ld\n",
	      sys(NR_epoll_pwait, ep, got, 0x7fffffff / 16, 0, 0, 8),
	      sys(NR_epoll_pwait, ep, got, 0x7fffffff / 16 + 1, 0, 0, 8));
	return 0;
}
