/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What commands carry, in both directions, with a host kernel of our own: the linker replaces the host call. Every
 * row that a structure describes is given one that ends where its page ends and one between canaries; rows with
 * a handler have tests of their own.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
/* after the others */
#include <cmocka.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "syscall/device.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/ioctl.h"

/* Two pages of guest memory, behind them none. */
#define PAGES  0x100000u
#define HOLE   (PAGES + 2 * MEM_PAGE_SIZE)
#define MIDDLE (PAGES + MEM_PAGE_SIZE) /* of what is mapped */
#define CANARY 0xa5

/* --- the host kernel ------------------------------------------------------------------------------------- */

typedef int64_t answer_fn(uint32_t cmd, void *data);
static struct {
	answer_fn *answer;
	unsigned calls;
	uint32_t cmd;
	uint64_t arg, size;
	bool transfer; /* read or write, not ioctl */
} host;

int64_t __wrap_sys_host_blocking_(struct sys_call *c, long nr, uint64_t a0, uint64_t a1,
				  uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5);

int64_t __wrap_sys_host_blocking_(struct sys_call *c, long nr, uint64_t a0, uint64_t a1,
				  uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5)
{
	(void)c, (void)nr, (void)a0, (void)a3, (void)a4, (void)a5;
	host.calls++;
	host.size = a2;
	if (host.transfer)
		return host.answer(0, (void *)(uintptr_t)a1);
	host.cmd = (uint32_t)a1;
	host.arg = a2;
	if (a2 == SYS_BAD_POINTER)
		return -EFAULT;
	return host.answer ? host.answer((uint32_t)a1, (void *)(uintptr_t)a2) : 0;
}

static int64_t call(uint32_t cmd, gaddr data, answer_fn *answer)
{
	struct sys_call c = {.a = {0, cmd, data}};

	host.answer = answer;
	host.calls = 0;
	host.arg = 0;
	return sys_ioctl(&c);
}

/* --- guest memory ----------------------------------------------------------------------------------------- */

static uint32_t seed = 4711;

static uint8_t random_byte(void)
{
	seed = seed * 1103515245 + 12345;
	return (uint8_t)(seed >> 16);
}

static void fill(uint8_t byte)
{
	uint8_t page[2 * MEM_PAGE_SIZE];

	memset(page, byte, sizeof(page));
	assert_int_equal(mem_copy_out(PAGES, page, sizeof(page)), 0);
}

static void put(gaddr g, const void *p, size_t n)
{
	assert_int_equal(mem_copy_out(g, p, n), 0);
}

static void put32(gaddr g, uint32_t v)
{
	uint8_t b[4];

	abi_put32(b, v);
	put(g, b, 4);
}

static uint32_t get32(gaddr g)
{
	uint8_t b[4];

	assert_int_equal(mem_copy_in(b, g, 4), 0);
	return abi_get32(b);
}

/* That nothing but [AT, AT+SIZE) was touched since fill(CANARY). */
static void check_canaries(const char *name, gaddr at, unsigned size)
{
	uint8_t page[2 * MEM_PAGE_SIZE];

	assert_int_equal(mem_copy_in(page, PAGES, sizeof(page)), 0);
	for (gaddr g = PAGES; g < HOLE; g++) {
		if ((g < at || g >= at + size) && page[g - PAGES] != CANARY)
			fail_msg("%s: byte %d of %u is touched", name, (int)(g - at), size);
	}
}

/* --- every structure ------------------------------------------------------------------------------------------ */

/* Random guest bytes without addresses, lists and values that no program can be shown. */
static void random_guest(const struct abi_struct *s, uint8_t *g)
{
	for (unsigned i = 0; i < s->gsize; i++)
		g[i] = random_byte();
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];
		unsigned n = f->count ? f->count : 1;

		for (unsigned k = 0; f->rule == ABI_NEST && k < n; k++)
			random_guest(f->sub, g + f->goff + k * f->gsize);
		if (f->rule == ABI_PTR)
			memset(g + f->goff, 0, (size_t)f->gsize * n);
	}
}

static const struct abi_struct *described;
static uint8_t question[ABI_MAX_SIZE], answer[ABI_MAX_SIZE]; /* host bytes */
static uint8_t carries;                                      /* enum sys_type */
static int64_t result;

static int64_t answer_structure(uint32_t cmd, void *data)
{
	(void)cmd;
	if (carries != T_OUT && memcmp(data, question, described->hsize) != 0)
		fail_msg("%s: the host is asked something else", described->name);
	if (carries != T_IN)
		memcpy(data, answer, described->hsize);
	return result;
}

static void exchange(const struct ioctl_row *row, gaddr at)
{
	const struct abi_struct *s = row->st;
	uint8_t in[ABI_MAX_SIZE], out[ABI_MAX_SIZE], got[ABI_MAX_SIZE];

	memset(out, 0, sizeof(out));
	random_guest(s, in);
	abi_to_host(s, question, in);
	random_guest(s, out);
	abi_to_host(s, answer, out);
	assert_int_equal(abi_to_guest(s, out, answer), 0);
	fill(CANARY);
	put(at, in, s->gsize);
	described = s;
	carries = row->type;
	assert_int_equal(call(row->guest, at, answer_structure), result);
	assert_int_equal(host.calls, 1);
	assert_int_equal(host.cmd, ioctl_host_number(row, row->guest));
	check_canaries(row->name, at, s->gsize);
	assert_int_equal(mem_copy_in(got, at, s->gsize), 0);
	/* Nothing comes back of what is only read, and of what failed (but if the host works in place). */
	if (row->type == T_IN || (result < 0 && !s->same))
		memcpy(out, in, s->gsize);
	if (memcmp(got, out, s->gsize) != 0)
		fail_msg("%s: wrong bytes come back", row->name);
}

static bool is_structure(const struct ioctl_row *row)
{
	return row->st && !row->handler && !row->refused;
}

static void test_every_structure(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];

		if (!is_structure(row))
			continue;
		n++;
		for (unsigned pass = 0; pass < 4; pass++) {
			result = pass & 1 ? 3 : 0;
			exchange(row, HOLE - row->st->gsize);
			exchange(row, MIDDLE - row->st->gsize / 2);
			exchange(row, PAGES);
		}
		result = -EIO;
		exchange(row, HOLE - row->st->gsize);
	}
	assert_true(n > 400);
}

/* One byte too few: EFAULT, and bytes that are there stay. */
static void test_every_straddle(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];
		gaddr at;

		if (!is_structure(row) || row->st->same || row->st->gsize < 2)
			continue;
		at = HOLE - row->st->gsize + 1;
		fill(CANARY);
		if (call(row->guest, at, NULL) != -EFAULT)
			fail_msg("%s: a structure that is not all there", row->name);
		if (row->type != T_OUT)
			check_canaries(row->name, HOLE, 0);
		assert_int_equal(call(row->guest, UINT32_MAX - row->st->gsize + 2, NULL), -EFAULT);
		assert_int_equal(call(row->guest, 0, NULL), -EFAULT);
	}
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static int64_t answer_dtv(uint32_t cmd, void *data)
{
	const uint8_t *p = (uint8_t *)(uintptr_t)abi_load_host((uint8_t *)data + 8, 8);

	assert_int_equal(cmd, 0x80106f53);
	assert_int_equal(abi_load_host(data, 4), 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(abi_load_host(p + 76 * i, 4), 17 + i);
		/* u.data and result, which no longer is where the guest has it */
		memcpy((void *)(uintptr_t)(p + 76 * i + 16), &(uint32_t){0x11223344 + i}, 4);
		memcpy((void *)(uintptr_t)(p + 76 * i + 72), &(int32_t){-5}, 4);
	}
	return 0;
}

static void test_list_comes_back(void **state)
{
	gaddr list = HOLE - 2 * 72;

	(void)state;
	fill(0);
	put32(PAGES, 2);
	put32(PAGES + 4, list);
	put32(list, 17);
	put32(list + 72, 18);
	assert_int_equal(call(0x80086f53, PAGES, answer_dtv), 0);
	assert_int_equal(get32(list + 16), 0x11223344);
	assert_int_equal(get32(list + 72 + 16), 0x11223345);
	assert_int_equal(get32(list + 68), (uint32_t)-5);
	assert_int_equal(get32(list + 72 + 68), (uint32_t)-5);
	assert_int_equal(get32(PAGES + 4), list);
	/* Longer than what is mapped; longer than anything. */
	put32(PAGES, 3);
	assert_int_equal(call(0x80086f53, PAGES, NULL), 0);
	put32(PAGES, UINT32_MAX);
	assert_int_equal(call(0x80086f53, PAGES, NULL), -EINVAL);
	assert_int_equal(host.calls, 0);
	put32(PAGES, 0);
	put32(PAGES + 4, 0);
	assert_int_equal(call(0x80086f53, PAGES, NULL), 0);
}

static int64_t answer_encoded(uint32_t cmd, void *data)
{
	const uint8_t *iov = (uint8_t *)(uintptr_t)abi_load_host(data, 8);

	assert_int_equal(cmd, 0x80809440);
	assert_int_equal(abi_load_host((uint8_t *)data + 8, 8), 1);
	assert_ptr_equal((void *)(uintptr_t)abi_load_host(iov, 8), mem_host(MIDDLE));
	assert_int_equal(abi_load_host(iov + 8, 8), 100);
	memcpy((uint8_t *)data + 32, &(uint64_t){77}, 8);
	return 100;
}

static void test_list_of_addresses(void **state)
{
	(void)state;
	fill(0);
	put32(PAGES, PAGES + 256);
	put32(PAGES + 4, 1);
	put32(PAGES + 256, MIDDLE);
	put32(PAGES + 260, 100);
	assert_int_equal(call(0x80789440, PAGES, answer_encoded), 100);
	assert_int_equal(get32(PAGES), PAGES + 256);
	assert_int_equal(get32(PAGES + 24), 77);
	assert_int_equal(get32(PAGES + 256), MIDDLE);
}

/* --- video ---------------------------------------------------------------------------------------------------------- */

enum { QBUF = 0xc044560f, HOST_QBUF = 0xc058560f };

static int64_t answer_userptr(uint32_t cmd, void *data)
{
	assert_int_equal(cmd, HOST_QBUF);
	assert_ptr_equal((void *)(uintptr_t)abi_load_host((uint8_t *)data + 64, 8),
			 mem_host(MIDDLE));
	assert_int_equal(abi_load_host((uint8_t *)data + 72, 4), 4096);
	return 0;
}

static int64_t answer_planes(uint32_t cmd, void *data)
{
	uint8_t *p = (uint8_t *)(uintptr_t)abi_load_host((uint8_t *)data + 64, 8);

	assert_int_equal(cmd, HOST_QBUF);
	assert_ptr_equal((void *)(uintptr_t)abi_load_host(p + 64 + 8, 8), mem_host(MIDDLE + 8));
	memcpy(p + 64, &(uint32_t){55}, 4); /* bytesused */
	return 0;
}

static int64_t answer_offset(uint32_t cmd, void *data)
{
	(void)cmd;
	memcpy((uint8_t *)data + 64, &(uint32_t){0x80001000}, 4);
	return 0;
}

static void test_video_buffers(void **state)
{
	gaddr g = HOLE - 68, planes = PAGES + 512;

	(void)state;
	fill(0);
	put32(g + 4, 1);  /* VIDEO_CAPTURE */
	put32(g + 48, 2); /* USERPTR */
	put32(g + 52, MIDDLE);
	put32(g + 56, 4096);
	assert_int_equal(call(QBUF, g, answer_userptr), 0);
	assert_int_equal(get32(g + 52), MIDDLE);
	put32(g + 48, 1); /* MMAP: an offset, which is no address */
	assert_int_equal(call(QBUF, g, answer_offset), 0);
	assert_int_equal(get32(g + 52), 0x80001000);
	put32(g + 4, 9); /* VIDEO_CAPTURE_MPLANE */
	put32(g + 48, 2);
	put32(g + 52, planes);
	put32(g + 56, 2);
	put32(planes + 60 + 8, MIDDLE + 8);
	assert_int_equal(call(QBUF, g, answer_planes), 0);
	assert_int_equal(get32(g + 52), planes);
	assert_int_equal(get32(planes + 60), 55);
	assert_int_equal(get32(planes + 60 + 8), MIDDLE + 8);
	assert_int_equal(call(QBUF, g + 1, NULL), -EFAULT);
}

/* Control 1 is a number, control 2 is behind an address. */
static int64_t answer_controls(uint32_t cmd, void *data)
{
	uint8_t *p = data;

	if (cmd == 0xc0445624) {
		memcpy(p + 56, &(uint32_t){abi_load_host(p, 4) == 2 ? 0x100 : 0}, 4);
		return 0;
	}
	assert_int_equal(cmd, 0xc0205647);
	p = (uint8_t *)(uintptr_t)abi_load_host(p + 24, 8);
	memcpy(p + 12, &(uint64_t){0x123456789abcdef0}, 8);
	assert_ptr_equal((void *)(uintptr_t)abi_load_host(p + 20 + 12, 8), mem_host(MIDDLE));
	memcpy(p + 20 + 4, &(uint32_t){99}, 4);
	return 0;
}

static void test_video_controls(void **state)
{
	gaddr list = HOLE - 40;

	(void)state;
	fill(0);
	put32(PAGES + 4, 2);
	put32(PAGES + 20, list);
	put32(list, 1);
	put32(list + 20, 2);
	put32(list + 20 + 4, 64);
	put32(list + 20 + 12, MIDDLE);
	put32(list + 20 + 16, 0xdeadbeef); /* what lies behind a 32-bit address */
	assert_int_equal(call(0xc0185647, PAGES, answer_controls), 0);
	assert_int_equal(get32(list + 12), 0x9abcdef0);
	assert_int_equal(get32(list + 16), 0x12345678);
	assert_int_equal(get32(list + 20 + 4), 99);
	assert_int_equal(get32(list + 20 + 12), MIDDLE);
	assert_int_equal(get32(PAGES + 20), list);
	put32(PAGES + 4, UINT32_MAX);
	assert_int_equal(call(0xc0185647, PAGES, NULL), -EINVAL);
}

static int64_t answer_format(uint32_t cmd, void *data)
{
	assert_int_equal(cmd, 0xc0d05604);
	assert_int_equal(abi_load_host((uint8_t *)data + 8, 4), 640);
	return 0;
}

static void test_video_formats(void **state)
{
	(void)state;
	fill(0);
	put32(HOLE - 204, 1);
	put32(HOLE - 200, 640);
	assert_int_equal(call(0xc0cc5604, HOLE - 204, answer_format), 0);
	put32(HOLE - 204, 3); /* VIDEO_OVERLAY */
	assert_int_equal(call(0xc0cc5604, HOLE - 204, NULL), -ENOTTY);
	assert_int_equal(host.calls, 0);
}

/* --- sound ------------------------------------------------------------------------------------------------------------- */

static uint32_t element_type;

static int64_t answer_element(uint32_t cmd, void *data)
{
	uint8_t *p = data;

	assert_int_equal(abi_load_host(p, 4), 12);
	if (cmd == 0xc1105511) {
		memcpy(p + 64, &element_type, 4);
		memcpy(p + 80, (int64_t[]){-3, 7, 1}, 24);
		return 0;
	}
	assert_int_equal(cmd, 0xc4c85513);
	if (element_type == 2) {
		assert_int_equal((int64_t)abi_load_host(p + 72, 8), -4);
		memcpy(p + 72 + 127 * 8, &(int64_t){-9}, 8);
	} else {
		assert_int_equal(abi_load_host(p + 72, 4), (uint32_t)-4);
		memcpy(p + 72 + 508, &(int32_t){-9}, 4);
	}
	return 1;
}

static void test_sound_elements(void **state)
{
	gaddr g = HOLE - 712;

	(void)state;
	for (element_type = 2; element_type < 5; element_type++) {
		fill(CANARY);
		put32(g, 12);
		put32(g + 72, (uint32_t)-4);
		assert_int_equal(call(0xc2c85513, g, answer_element), 1);
		assert_int_equal(get32(g + 72 + 508), (uint32_t)-9);
		check_canaries("SNDRV_CTL_IOCTL_ELEM_WRITE", g, 712);
	}
	element_type = 1;
	g = HOLE - 272;
	fill(CANARY);
	put32(g, 12);
	assert_int_equal(call(0xc1105511, g, answer_element), 0);
	assert_int_equal(get32(g + 80), (uint32_t)-3);
	assert_int_equal(get32(g + 84), 7);
	assert_int_equal(get32(g + 88), 1);
	check_canaries("SNDRV_CTL_IOCTL_ELEM_INFO", g, 272);
}

static int64_t answer_channels(uint32_t cmd, void *data)
{
	const uint64_t *bufs = (uint64_t *)(uintptr_t)abi_load_host((uint8_t *)data + 8, 8);

	assert_int_equal(cmd, 0x80184153);
	assert_ptr_equal((void *)(uintptr_t)bufs[0], mem_host(PAGES + 64));
	assert_ptr_equal((void *)(uintptr_t)bufs[1], mem_host(MIDDLE));
	assert_int_equal(bufs[2], SYS_BAD_POINTER);
	memcpy(data, &(int64_t){128}, 8);
	return 0;
}

static void test_sound_channels(void **state)
{
	(void)state;
	fill(0);
	put32(HOLE - 8, PAGES + 64);
	put32(HOLE - 4, MIDDLE);
	put32(PAGES + 4, HOLE - 8);
	put32(PAGES + 8, 128);
	assert_int_equal(call(0x800c4153, PAGES, answer_channels), 0);
	assert_int_equal(get32(PAGES), 128);
	assert_int_equal(get32(PAGES + 4), HOLE - 8);
}

/* --- bridges -------------------------------------------------------------------------------------------------------------- */

static int64_t answer_bridge(uint32_t cmd, void *data)
{
	const uint64_t *word = data;

	assert_int_equal(cmd, 0x8940);
	assert_int_equal(word[0], 1);
	assert_ptr_equal((void *)(uintptr_t)word[1], mem_host(MIDDLE));
	assert_int_equal(word[2], 4);
	return 4;
}

static void test_bridge(void **state)
{
	(void)state;
	fill(0);
	put32(HOLE - 12, 1);
	put32(HOLE - 8, MIDDLE);
	put32(HOLE - 4, 4);
	assert_int_equal(call(0x8940, HOLE - 12, answer_bridge), 4);
	assert_int_equal(call(0x8940, HOLE - 11, NULL), -EFAULT);
}

/* --- reads and writes of input devices -------------------------------------------------------------------- */

/* What fstat says of the only descriptor, and which of the device's own questions it answers. */
static unsigned device_major, device_minor;
static bool device_answers;
static uint8_t written[64 * 24];
static unsigned events; /* to be read, or as many as are taken */

int64_t __wrap_sys_host_(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
			 uint64_t a5);
int64_t __real_sys_host_(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
			 uint64_t a5);

int64_t __wrap_sys_host_(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
			 uint64_t a5)
{
	if (nr == HOSTNR(fstat) && device_major) {
		struct host_stat *st = (struct host_stat *)(uintptr_t)a1;

		memset(st, 0, sizeof(*st));
		st->st_mode = S_IFCHR;
		st->st_rdev = makedev(device_major, device_minor);
		return 0;
	}
	if (nr == HOSTNR(ioctl) && device_major)
		return device_answers ? 0 : -ENOENT;
	return __real_sys_host_(nr, a0, a1, a2, a3, a4, a5);
}

static int64_t answer_events(uint32_t cmd, void *data)
{
	(void)cmd, (void)data;
	for (unsigned i = 0; i < events; i++) {
		int64_t time[2] = {100 + i, 999999};
		uint16_t code[2] = {(uint16_t)(1 + i), 30};
		int32_t value = -7;

		memcpy((uint8_t *)data + 24 * i, time, 16);
		memcpy((uint8_t *)data + 24 * i + 16, code, 4);
		memcpy((uint8_t *)data + 24 * i + 20, &value, 4);
	}
	return events * 24;
}

static int64_t take_events(uint32_t cmd, void *data)
{
	(void)cmd;
	memcpy(written, data, events * 24);
	return events * 24;
}

static int64_t transfer(unsigned nr, gaddr g, uint32_t n, answer_fn *fn)
{
	struct sys_call c = {.nr = nr, .row = &sys_table[nr], .a = {5, g, n}};

	host.transfer = true;
	host.answer = fn;
	host.calls = 0;
	int64_t r = device_io(&c);
	host.transfer = false;
	return r;
}

static void test_events_are_read(void **state)
{
	gaddr g = HOLE - 32;

	(void)state;
	device_major = 13;
	device_minor = 70;
	device_answers = true;
	events = 2;
	fill(CANARY);
	assert_int_equal(transfer(63, g, 32, answer_events), 32);
	assert_int_equal(host.size, 48);
	check_canaries("read", g, 32);
	assert_int_equal(get32(g), 100);
	assert_int_equal(get32(g + 4), 999999);
	assert_int_equal(get32(g + 8), 30 << 16 | 1);
	assert_int_equal(get32(g + 12), (uint32_t)-7);
	assert_int_equal(get32(g + 16), 101);
	/* Less than one event; one and a half; none; not mapped. */
	assert_int_equal(transfer(63, g, 15, answer_events), -EINVAL);
	events = 1;
	assert_int_equal(transfer(63, g, 24, answer_events), 16);
	assert_int_equal(host.size, 24);
	events = 0;
	assert_int_equal(transfer(63, g, 0, answer_events), 0);
	events = 1;
	assert_int_equal(transfer(63, HOLE - 8, 16, answer_events), -EFAULT);
	/* A joystick has the major as well. */
	device_answers = false;
	assert_int_equal(transfer(63, g, 32, answer_events), -ENOSYS);
	device_major = 0;
}

static void test_events_are_written(void **state)
{
	gaddr g = HOLE - 32;

	(void)state;
	device_major = 10;
	device_minor = 223;
	device_answers = true;
	events = 2;
	fill(0);
	put32(g, (uint32_t)-1);
	put32(g + 16 + 8, 0x00050003);
	put32(g + 16 + 12, 9);
	assert_int_equal(transfer(64, g, 32, take_events), 32);
	assert_int_equal(host.size, 48);
	assert_int_equal((int64_t)abi_load_host(written, 8), -1);
	assert_int_equal(abi_load_host(written + 24 + 16, 4), 0x00050003);
	assert_int_equal(abi_load_host(written + 24 + 20, 4), 9);
	/* In pieces, the first of which is a whole event. */
	put32(PAGES, g);
	put32(PAGES + 4, 16);
	put32(PAGES + 8, g + 16);
	put32(PAGES + 12, 16);
	events = 1;
	assert_int_equal(transfer(66, PAGES, 2, take_events), 32);
	assert_int_equal(host.calls, 2);
	/* What cannot be read is not written. */
	assert_int_equal(transfer(64, HOLE - 24, 32, take_events), -EFAULT);
	assert_int_equal(host.size, 24);
	/* The device is not made yet: the write describes it. */
	device_answers = false;
	assert_int_equal(transfer(64, g, 32, take_events), -ENOSYS);
	device_major = 0;
}

static int64_t take_all(uint32_t cmd, void *data)
{
	(void)cmd, (void)data;
	return (int64_t)host.size;
}

static void test_addresses_are_not_written(void **state)
{
	(void)state;
	device_major = 21;
	fill(0);
	put32(PAGES, 'S');
	assert_int_equal(transfer(64, PAGES, 88, take_all), -EINVAL);
	assert_int_equal(host.calls, 0);
	assert_int_equal(transfer(64, PAGES, 64, take_all), 64);
	assert_int_equal(transfer(64, HOLE - 8, 64, take_all), -EFAULT);
	device_major = 10;
	device_minor = 239;
	put32(PAGES, 0); /* UHID_CREATE */
	assert_int_equal(transfer(64, PAGES, 300, take_all), -EINVAL);
	put32(PAGES, 11); /* UHID_CREATE2 */
	assert_int_equal(transfer(64, PAGES, 300, take_all), 300);
	device_major = 0;
}

/* --- refusals ----------------------------------------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		if (!ioctl_table[i].refused)
			continue;
		n++;
		assert_int_equal(call(ioctl_table[i].guest, PAGES, NULL), -ENOTTY);
		assert_int_equal(host.calls, 0);
	}
	assert_true(n > 0);
}

static int setup(void **state)
{
	static const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};

	(void)state;
	return mem_init(&cfg) || mem_mmap(PAGES, 2 * MEM_PAGE_SIZE, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != PAGES
		       ? -1
		       : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_structure),
		cmocka_unit_test(test_every_straddle),
		cmocka_unit_test(test_list_comes_back),
		cmocka_unit_test(test_list_of_addresses),
		cmocka_unit_test(test_video_buffers),
		cmocka_unit_test(test_video_controls),
		cmocka_unit_test(test_video_formats),
		cmocka_unit_test(test_sound_elements),
		cmocka_unit_test(test_sound_channels),
		cmocka_unit_test(test_bridge),
		cmocka_unit_test(test_events_are_read),
		cmocka_unit_test(test_events_are_written),
		cmocka_unit_test(test_addresses_are_not_written),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
