/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asynchronous I/O: context ids of 32 bits with a ring behind them, requests and events, bad pointers.
 * Expected values from fs/aio.c of Linux 4.14 to 6.6. */
#include "io.h"

enum { SYS_io_setup, SYS_io_destroy, SYS_io_submit, SYS_io_cancel, SYS_io_getevents };
enum { SYS_eventfd2 = 19, SYS_io_pgetevents = 292, SYS_io_pgetevents_time64 = 416 };
enum { PREAD, PWRITE, FSYNC, POLL = 5, PREADV = 7, PWRITEV };

struct iocb {
	u64 data;
	u32 key, rw_flags;
	u16 opcode, reqprio;
	u32 fd;
	u64 buf, nbytes, offset, reserved2;
	u32 flags, resfd;
};
_Static_assert(sizeof(struct iocb) == 64, "iocb");
struct io_event {
	u64 data, obj, res, res2;
};

static struct iocb cb[4];
static struct io_event ev[5];
static u32 ctx, no_wait[2];
static char text[16] = "0123456789abcde", got[16];

static void request(struct iocb *c, u16 op, u32 fd, const void *buf, u32 n, u32 offset)
{
	memset(c, 0, sizeof(*c));
	c->data = 0x1122334455667700ull + (u32)(c - cb);
	c->key = 0xa5a5a5a5;
	c->opcode = op;
	c->fd = fd;
	c->buf = (u32)buf;
	c->nbytes = n;
	c->offset = offset;
}

static s64 submit(struct iocb *c)
{
	u32 list[1] = {(u32)c};

	return sys(SYS_io_submit, ctx, 1, list);
}

/* What comes of submitting C, and its only event. */
static void one(const char *name, struct iocb *c)
{
	s64 r = submit(c), n;

	if (r < 0) {
		print("%s: submit %ld\n", name, r);
		return;
	}
	memset(ev, 0xa5, sizeof(ev));
	n = sys(SYS_io_getevents, ctx, 1, 4, ev, 0);
	print("%s: submit %ld key %x, events %ld, data %lx, obj %s, res %ld, res2 %ld, next %lx\n",
	      name, r, c->key, n, ev[0].data, ev[0].obj == (u32)c ? "ok" : "BAD", (s64)ev[0].res,
	      (s64)ev[0].res2, ev[1].data);
}

static void setup(void)
{
	u32 used = 1;
	const u32 *ring;

	print("setup: NULL %ld, last bytes %ld, not 0 %ld, no events %ld", sys(SYS_io_setup, 4, 0),
	      sys(SYS_io_setup, 4, 0xfffffffe), sys(SYS_io_setup, 4, &used),
	      sys(SYS_io_setup, 0, &ctx));
	print(", works %ld", sys(SYS_io_setup, 4, &ctx));
	ring = (const u32 *)(long)ctx;
	print(", ring: head %u tail %u magic %x header %u, page aligned %d\n", ring[2], ring[3],
	      ring[4], ring[7], (ctx & 4095) == 0);
}

static void requests(u32 fd, u32 other)
{
	struct {
		u32 base, len;
	} iov[2] = {{(u32)got, 4}, {(u32)got + 8, 3}};
	u64 count = 0;

	request(cb, PWRITE, fd, text, 16, 0);
	one("pwrite", cb);
	request(cb, PREAD, fd, got, 16, 0);
	one("pread", cb);
	print("  %s\n", got);
	memset(got, '-', 15);
	request(cb + 1, PREADV, fd, iov, 2, 2);
	one("preadv", cb + 1);
	print("  %s\n", got);
	request(cb, PWRITE, other, &count, 8, 0);
	one("an eventfd, which has no write_iter", cb);
	request(cb, PREAD, fd, got, 4, 0);
	cb[0].flags = 1; /* IOCB_FLAG_RESFD */
	cb[0].resfd = other;
	one("with eventfd", cb);
	print("  counted %ld", sys(NR_read, other, &count, 8));
	print(" %ld\n", (s64)count);
}

static void ring_of_two(u32 fd)
{
	u32 list[3] = {(u32)cb, (u32)(cb + 1), 0xfffffff0};
	const u32 *ring = (const u32 *)(long)ctx;

	request(cb, PREAD, fd, got, 1, 0);
	request(cb + 1, PREAD, fd, got, 2, 0);
	print("two good and a bad one: %ld", sys(SYS_io_submit, ctx, 3, list));
	print(", in the ring %u", ring[3] - ring[2]);
	print(", at least 3 of 2 %ld", sys(SYS_io_getevents, ctx, 3, 2, ev, no_wait));
	memset(ev, 0xa5, sizeof(ev));
	print(", without waiting %ld", sys(SYS_io_getevents, ctx, 0, 4, ev, no_wait));
	print(": %lx %ld, %lx %ld, %lx", ev[0].data, (s64)ev[0].res, ev[1].data, (s64)ev[1].res,
	      ev[2].data);
	print(", in the ring %u\n", ring[3] - ring[2]);
}

static void poll_and_cancel(u32 empty)
{
	request(cb, POLL, empty, 0, 0, 0);
	cb[0].buf = 1; /* POLLIN */
	print("poll: submit %ld", submit(cb));
	print(", nothing yet %ld", sys(SYS_io_getevents, ctx, 1, 1, ev, no_wait));
	cb[1].key = 0;
	print(", cancel another %ld", sys(SYS_io_cancel, ctx, cb + 1, ev));
	cb[0].key = 7;
	print(", with a wrong key %ld", sys(SYS_io_cancel, ctx, cb, ev));
	cb[0].key = 0;
	print(", cancel %ld", sys(SYS_io_cancel, ctx, cb, ev));
	memset(ev, 0xa5, sizeof(ev));
	print(", event %ld obj %s\n", sys(SYS_io_getevents, ctx, 1, 1, ev, 0),
	      ev[0].obj == (u32)cb ? "ok" : "BAD");
}

static void bad(u32 fd)
{
	u32 list[1] = {(u32)cb};
	u64 wide;

	request(cb, PREAD, fd, got, 1, 0);
	print("submit: context 0 %ld, wrong %ld, negative %ld, none %ld, bad list %ld, list at the end "
	      "%ld\n",
	      sys(SYS_io_submit, 0, 1, list), sys(SYS_io_submit, ctx + 4096, 1, list),
	      sys(SYS_io_submit, ctx, -1, list), sys(SYS_io_submit, ctx, 0, 0),
	      sys(SYS_io_submit, ctx, 1, 0), sys(SYS_io_submit, ctx, 1, 0xfffffffe));
	cb[0].buf = 1ull << 32 | (u32)got;
	one("wide buffer", cb);
	request(cb, PREAD, fd, (void *)0xfffffff0, 16, 0);
	one("unmapped buffer", cb);
	request(cb, PREADV, fd, (void *)0xfffffffc, 1, 0);
	print("iovecs at the end %ld", submit(cb));
	request(cb, PREADV, fd, got, 1025, 0);
	print(", too many %ld", submit(cb));
	request(cb, PREAD, fd, got, 1, 0);
	cb[0].nbytes = -1ull;
	print(", negative length %ld", submit(cb));
	request(cb, PREAD, fd, got, 1, 0);
	cb[0].reserved2 = 1;
	print(", reserved %ld", submit(cb));
	request(cb, 99, fd, got, 1, 0);
	print(", operation 99 %ld", submit(cb));
	request(cb, PREAD, 99, got, 1, 0);
	print(", descriptor %ld\n", submit(cb));
	wide = (u64)(u32)ev;
	print("getevents: context %ld, bad time %ld, bad time before context %ld, cancel %ld %ld\n",
	      sys(SYS_io_getevents, 0, 1, 1, ev, 0),
	      sys(SYS_io_getevents, ctx, 0, 1, ev, 0xfffffffc),
	      sys(SYS_io_getevents, 0, 0, 1, ev, 0xfffffffc), sys(SYS_io_cancel, ctx, 0, 0),
	      sys(SYS_io_cancel, 0, cb, 0));
	/* An event that cannot be written is not lost. */
	request(cb, PREAD, fd, got, 5, 0);
	print("unwritable event: %ld", submit(cb));
	print(" %ld", sys(SYS_io_getevents, ctx, 1, 1, 0xfffffff0, 0));
	print(", then %ld", sys6(SYS_io_getevents, 0x12345678ull << 32 | ctx, 1, 1,
				 0x12345678ull << 32 | wide, 0, 0));
	print(" with %ld\n", (s64)ev[0].res);
}

static void with_mask(u32 fd)
{
	u64 mask = 0, wait[2] = {0, 0};
	u32 sig[2] = {(u32)&mask, 8};

	request(cb, PREAD, fd, got, 3, 0);
	print("pgetevents: %ld", submit(cb));
	sig[1] = 4;
	print(", size 4 %ld", sys(SYS_io_pgetevents, ctx, 1, 1, ev, no_wait, sig));
	sig[1] = 8, sig[0] = 0xfffffffc;
	print(", bad mask %ld", sys(SYS_io_pgetevents, ctx, 1, 1, ev, no_wait, sig));
	print(", bad pair %ld", sys(SYS_io_pgetevents, ctx, 1, 1, ev, no_wait, 0xfffffffc));
	sig[0] = (u32)&mask;
	print(", event %ld", sys(SYS_io_pgetevents, ctx, 1, 1, ev, no_wait, sig));
	print(" %ld", (s64)ev[0].res);
	print(", time64 %ld\n", sys(SYS_io_pgetevents_time64, ctx, 1, 1, ev, wait, sig));
	/* A signal that only the mask lets through. */
	set_handler(SIGUSR1, count_signal, 0);
	set_mask(SIG_BLOCK, BIT(SIGUSR1));
	sys(NR_kill, sys(NR_getpid), SIGUSR1);
	print("signal under the mask: %ld", sys(SYS_io_pgetevents, ctx, 1, 1, ev, 0, sig));
	print(", handled %u, blocked again %d\n", signals_seen,
	      (set_mask(SIG_BLOCK, 0) & BIT(SIGUSR1)) != 0);
}

static void child(void)
{
	s64 pid = fork_();

	if (!pid) {
		/* Contexts are not inherited. */
		print("child: getevents %ld, destroy %ld\n",
		      sys(SYS_io_getevents, ctx, 0, 1, ev, no_wait), sys(SYS_io_destroy, ctx));
		quit(0);
	}
	wait_for(pid);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	u32 fd, other, i, place;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	setup();
	fd = (u32)scratch_file();
	other = (u32)sys(SYS_eventfd2, 0, O_NONBLOCK);
	requests(fd, other);
	ring_of_two(fd);
	poll_and_cancel(other);
	bad(fd);
	with_mask(fd);
	child();
	print("destroy %ld, again %ld", sys(SYS_io_destroy, ctx), sys(SYS_io_destroy, ctx));
	/* Its place is free: a mapping that must not replace another fits. */
	place = (u32)sys(NR_mmap2, ctx, PAGE, 3, 0x100022, -1, 0);
	print(", its place %s", place == ctx ? "free" : "NOT free");
	for (i = 0; i < 200; i++) {
		u32 id = 0;

		if (sys(SYS_io_setup, 4, &id) || sys(SYS_io_destroy, id))
			break;
	}
	print(", %u more\n", i);
	return 0;
}
