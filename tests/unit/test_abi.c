/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structure descriptions: what must hold for any of them, and the rules of each kind of field. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "mem/mem.h"

static unsigned count_of(const struct abi_field *f)
{
	return f->count ? f->count : 1;
}

static bool has_host_member(const struct abi_field *f)
{
	return f->rule != ABI_PAD && f->rule != ABI_HOLE && f->rule != ABI_LEAVE;
}

/* --- any description ------------------------------------------------------------------------------ */

static void check_sizes(const struct abi_struct *s, const struct abi_field *f)
{
	if (!has_host_member(f))
		return;
	if (f->rule == ABI_COPY || f->rule == ABI_ONES)
		assert_int_equal(f->gsize, f->hsize);
	if (f->rule == ABI_SEXT || f->rule == ABI_ZEXT || f->rule == ABI_OVFL ||
	    f->rule == ABI_SOVFL || f->rule == ABI_CLAMP || f->rule == ABI_UCLAMP)
		assert_true(f->gsize <= f->hsize && f->hsize <= 8);
	if (f->rule == ABI_PTR)
		assert_true((f->gsize == 4 || f->gsize == 8) && f->hsize == 8);
	if (f->rule == ABI_HIGH)
		assert_true(f->gsize == 4 && f->hsize == 8);
	if (f->rule == ABI_NEST) {
		assert_non_null(f->sub);
		assert_int_equal(f->gsize, f->sub->gsize);
		assert_int_equal(f->hsize, f->sub->hsize);
		assert_int_equal(f->fmt, ABI_NESTED);
	}
	if (f->fmt == ABI_SYMBOL)
		assert_non_null(f->symbols);
	assert_true(f->hoff + f->hsize * count_of(f) <= s->hsize);
}

/* Every guest byte belongs to at most one field, and to one at least if it is written by converting:
 * else bytes of the emulator's stack would reach the guest. */
static void check_guest_bytes(const struct abi_struct *s)
{
	uint8_t covered[ABI_LARGE_SIZE] = {0};

	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		for (unsigned b = f->goff; b < f->goff + f->gsize * count_of(f); b++) {
			assert_true(b < s->gsize);
			if (covered[b]++)
				fail_msg("%s: byte %u belongs to two fields", s->name, b);
		}
	}
	for (unsigned b = 0; b < s->gsize && !s->same; b++) {
		if (!covered[b])
			fail_msg("%s: byte %u belongs to no field", s->name, b);
	}
}

static void check_host_bytes(const struct abi_struct *s)
{
	uint8_t covered[ABI_LARGE_SIZE] = {0};

	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		if (!has_host_member(f) || f->rule == ABI_ALIAS || f->rule == ABI_HIGH)
			continue;
		for (unsigned b = f->hoff; b < f->hoff + f->hsize * count_of(f); b++) {
			if (covered[b]++)
				fail_msg("%s: host byte %u is written twice", s->name, b);
		}
	}
}

/* Whether guest and host bytes are the same ones, and may be used in place, by the fields. */
static bool is_identity(const struct abi_struct *s)
{
	if (s->gsize != s->hsize)
		return false;
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		if (!has_host_member(f))
			continue;
		if (f->goff != f->hoff || f->gsize != f->hsize)
			return false;
		if (f->rule == ABI_NEST ? !is_identity(f->sub) : f->rule != ABI_COPY)
			return false;
		if (f->fmt == ABI_FD) /* looked at, so copied */
			return false;
	}
	return true;
}

static bool has_holes(const struct abi_struct *s)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		if (s->fields[i].rule == ABI_HOLE || s->fields[i].rule == ABI_LEAVE)
			return true;
	}
	return false;
}

static void test_invariants(void **state)
{
	(void)state;
	assert_true(abi_nstructs > 40);
	for (size_t n = 0; n < abi_nstructs; n++) {
		const struct abi_struct *s = abi_structs[n];

		assert_ptr_equal(abi_struct_find(s->name), s);
		assert_true(s->gsize <= ABI_LARGE_SIZE && s->hsize <= ABI_LARGE_SIZE);
		assert_true(s->nfields > 0);
		for (unsigned i = 0; i < s->nfields; i++)
			check_sizes(s, &s->fields[i]);
		check_guest_bytes(s);
		check_host_bytes(s);
		if (s->same != is_identity(s))
			fail_msg("%s: same is %d", s->name, s->same);
		if (s->holes != has_holes(s))
			fail_msg("%s: holes is %d", s->name, s->holes);
	}
}

/* --- conversion ------------------------------------------------------------------------------------- */

static uint32_t seed = 12345;

static uint8_t random_byte(void)
{
	seed = seed * 1103515245 + 12345;
	return (uint8_t)(seed >> 16);
}

/* What comes back of the guest bytes IN after a trip to the host and back. */
static void expected(const struct abi_struct *s, uint8_t *out, const uint8_t *in)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];
		const struct abi_field *of = NULL;
		size_t n = (size_t)f->gsize * count_of(f);

		switch ((enum abi_rule)f->rule) {
		case ABI_PAD:
		case ABI_LEAVE:
		case ABI_HOLE: memset(out + f->goff, 0, n); break;
		case ABI_NEST:
			for (unsigned k = 0; k < count_of(f); k++) {
				if (f->sub->same)
					memcpy(out + f->goff, in + f->goff, n);
				else
					expected(f->sub, out + f->goff + k * f->gsize,
						 in + f->goff + k * f->gsize);
			}
			break;
		case ABI_ALIAS:
		case ABI_HIGH:
			/* Comes from another field, which went to the same host member. */
			for (unsigned k = 0; k < s->nfields; k++) {
				if (k != i && s->fields[k].hoff == f->hoff &&
				    has_host_member(&s->fields[k]))
					of = &s->fields[k];
			}
			assert_non_null(of);
			memset(out + f->goff, 0, n);
			if (f->rule == ABI_ALIAS)
				memcpy(out + f->goff, in + of->goff, f->gsize);
			break;
		default: memcpy(out + f->goff, in + f->goff, n); break;
		}
	}
}

/* Keeps to values that no field refuses: small and positive. */
static void tame(const struct abi_struct *s, uint8_t *g)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		if (f->rule == ABI_NEST)
			tame(f->sub, g + f->goff);
		else if (f->rule == ABI_ONES)
			memset(g + f->goff + 4, 0, 4);
		else if (f->rule == ABI_PTR)
			memset(g + f->goff + 4, 0, f->gsize - 4u);
		else if (f->rule == ABI_UCLAMP)
			g[f->goff + f->gsize - 1] &= 0x7f;
	}
}

static void test_roundtrip(void **state)
{
	uint8_t in[ABI_LARGE_SIZE], out[ABI_LARGE_SIZE], want[ABI_LARGE_SIZE];
	uint64_t host[ABI_LARGE_SIZE / 8];

	(void)state;
	for (size_t n = 0; n < abi_nstructs; n++) {
		const struct abi_struct *s = abi_structs[n];

		for (unsigned pass = 0; pass < 100; pass++) {
			for (unsigned i = 0; i < s->gsize; i++)
				in[i] = random_byte();
			tame(s, in);
			memset(host, 0xa5, sizeof(host));
			memset(out, 0x5a, sizeof(out));
			memcpy(want, in, s->gsize);
			if (!s->same)
				expected(s, want, in);
			abi_to_host(s, host, in);
			assert_int_equal(abi_to_guest(s, out, host), 0);
			if (memcmp(out, want, s->gsize) != 0)
				fail_msg("%s does not survive a round trip", s->name);
			/* Neither side is written beyond its size. */
			if (s->gsize < ABI_LARGE_SIZE)
				assert_int_equal(out[s->gsize], 0x5a);
			if (s->hsize < ABI_LARGE_SIZE)
				assert_int_equal(((uint8_t *)host)[s->hsize], 0xa5);
		}
	}
}

static void test_signs(void **state)
{
	struct host_timespec ts;
	struct host_timex tx;
	uint8_t g[ABI_LARGE_SIZE] = {0};

	(void)state;
	abi_put32(g, 0xffffffff);
	abi_put32(g + 4, 0x80000000);
	abi_to_host(&abi_st_timespec, &ts, g);
	assert_int_equal(ts.tv_sec, -1);
	assert_int_equal(ts.tv_nsec, INT32_MIN);
	/* Beyond 2038 the low half comes out, without an error. */
	ts.tv_sec = 0x123456789;
	assert_int_equal(abi_to_guest(&abi_st_timespec, g, &ts), 0);
	assert_int_equal(abi_get32(g), 0x23456789);
	/* time64: only the low half of tv_nsec counts. */
	abi_put64(g, (uint64_t)-5);
	abi_put64(g + 8, 0xdeadbeef00000007);
	abi_to_host(&abi_st_timespec64, &ts, g);
	assert_int_equal(ts.tv_sec, -5);
	assert_int_equal(ts.tv_nsec, 7);
	memset(g, 0, sizeof(g));
	abi_put32(g + 4, (uint32_t)-3);
	abi_put32(g + 80, (uint32_t)-37);
	abi_to_host(&abi_st_timex, &tx, g);
	assert_int_equal(tx.offset, -3);
	assert_int_equal(tx.tai, -37);
}

static void test_stat(void **state)
{
	struct host_stat st = {0};
	uint8_t g[104], want[104] = {0};

	(void)state;
	memset(g, 0xa5, sizeof(g));
	st.st_dev = 0x123456789abcdef0;
	st.st_ino = 0xfedcba9876543210;
	st.st_mode = 0100644;
	st.st_nlink = 3;
	st.st_uid = 1000;
	st.st_gid = 1001;
	st.st_rdev = 0x1000000ff01;
	st.st_size = 5ll << 30;
	st.st_blksize = 4096;
	st.st_blocks = 10485760;
	st.st_atime_ = -1;
	st.st_atime_nsec = 999999999;
	st.st_mtime_ = 0x180000001;
	st.st_ctime_ = 7;
	assert_int_equal(abi_to_guest(&abi_st_stat, g, &st), 0);
	abi_put64(want, 0x123456789abcdef0);
	abi_put32(want + 12, 0x76543210);
	abi_put32(want + 16, 0100644);
	abi_put32(want + 20, 3);
	abi_put32(want + 24, 1000);
	abi_put32(want + 28, 1001);
	abi_put64(want + 32, 0x1000000ff01);
	abi_put64(want + 48, 5ull << 30);
	abi_put32(want + 56, 4096);
	abi_put64(want + 64, 10485760);
	abi_put32(want + 72, 0xffffffff);
	abi_put32(want + 76, 999999999);
	abi_put32(want + 80, 0x80000001);
	abi_put32(want + 88, 7);
	abi_put64(want + 96, 0xfedcba9876543210);
	assert_memory_equal(g, want, sizeof(want));
}

static void test_overflow(void **state)
{
	struct host_statfs sf = {0};
	struct host_flock fl = {0};
	struct host_shminfo64 si = {0};
	uint8_t g[ABI_LARGE_SIZE];

	(void)state;
	sf.f_blocks = 1ull << 40; /* 64-bit in both */
	sf.f_files = UINT64_MAX;  /* "unknown" */
	assert_int_equal(abi_to_guest(&abi_st_statfs64, g, &sf), 0);
	assert_int_equal(abi_get64(g + 32), UINT64_MAX);
	sf.f_files = UINT32_MAX;
	assert_int_equal(abi_to_guest(&abi_st_statfs64, g, &sf), 0);
	sf.f_files = 1ull << 32;
	assert_int_equal(abi_to_guest(&abi_st_statfs64, g, &sf), -EOVERFLOW);
	sf.f_files = 0;
	sf.f_frsize = 1ll << 32;
	assert_int_equal(abi_to_guest(&abi_st_statfs64, g, &sf), -EOVERFLOW);
	sf.f_frsize = UINT32_MAX;
	assert_int_equal(abi_to_guest(&abi_st_statfs64, g, &sf), 0);

	fl.l_start = INT32_MAX;
	fl.l_len = 1ll << 40;
	assert_int_equal(abi_to_guest(&abi_st_flock, g, &fl), 0);
	assert_int_equal(abi_get32(g + 4), INT32_MAX);
	assert_int_equal(abi_get32(g + 8), INT32_MAX);
	fl.l_start++;
	assert_int_equal(abi_to_guest(&abi_st_flock, g, &fl), -EOVERFLOW);
	fl.l_start = -1;
	assert_int_equal(abi_to_guest(&abi_st_flock, g, &fl), 0);
	assert_int_equal(abi_get32(g + 4), UINT32_MAX);

	si.shmmax = 1ull << 60;
	assert_int_equal(abi_to_guest(&abi_st_shminfo64, g, &si), 0);
	assert_int_equal(abi_get32(g), INT32_MAX);
	si.shmmax = UINT64_MAX - (1 << 24); /* the default of 64-bit kernels: no negative number */
	assert_int_equal(abi_to_guest(&abi_st_shminfo64, g, &si), 0);
	assert_int_equal(abi_get32(g), INT32_MAX);
}

static void test_epoll_event(void **state)
{
	struct host_epoll_event ev;
	uint8_t g[16] = {0};

	(void)state;
	abi_put32(g, 5);
	abi_put64(g + 8, 0x1122334455667788);
	abi_to_host(&abi_st_epoll_event, &ev, g);
	assert_int_equal(ev.events, 5);
	assert_int_equal(ev.data, 0x1122334455667788);
}

static void test_profiles(void **state)
{
	struct host_msqid64_ds ds = {.msg_stime = 0x300000002};
	uint8_t g[ABI_LARGE_SIZE];

	(void)state;
	assert_true(abi_select("v9"));
	assert_string_equal(abi_profile->name, "ampere-4.14");
	assert_int_equal(abi_profile->nr_syscalls, 292);
	assert_int_equal(abi_profile->min_sigstack, 5120);
	assert_int_equal(abi_to_guest(&abi_st_msqid64_ds, g, &ds), 0);
	assert_int_equal(abi_get32(g + 36), 2);
	assert_int_equal(abi_get32(g + 40), 0);
	assert_false(abi_select("v10"));
	assert_string_equal(abi_profile->name, "ampere-4.14");
	assert_true(abi_select("modern"));
	assert_int_equal(abi_to_guest(&abi_st_msqid64_ds, g, &ds), 0);
	assert_int_equal(abi_get32(g + 40), 3);
	assert_non_null(strstr(abi_profile_names(), "openeuler-6.6"));
}

static const struct abi_profile_field *profile_field(const char *name)
{
	for (size_t i = 0; i < abi_nprofile_fields; i++) {
		if (!strcmp(abi_profile_fields[i].name, name))
			return &abi_profile_fields[i];
	}
	return NULL;
}

static uint64_t profile_value(enum abi_profile_id id, const char *name)
{
	const struct abi_profile_field *f = profile_field(name);

	assert_non_null(f);
	return abi_profile_value(abi_profile_get(id), f);
}

static void test_profile_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < abi_nprofile_fields; i++) {
		const struct abi_profile_field *f = &abi_profile_fields[i];

		assert_ptr_equal(profile_field(f->name), f); /* no name twice */
		assert_true(strlen(f->text) > 10);
	}
	assert_null(profile_field("id"));
	assert_int_equal(profile_value(ABI_AMPERE_4_14, "clone_tls_raw"), 1);
	assert_int_equal(profile_value(ABI_MODERN, "clone_tls_raw"), 0);
	assert_int_equal(profile_value(ABI_AMPERE_4_14, "task_size"), 0x100000000);
	assert_int_equal(profile_value(ABI_OPENEULER_5_10, "task_size"), 0xfffff000);
	assert_int_equal(profile_value(ABI_OPENEULER_5_10, "nr_syscalls"), 457);
	assert_int_equal(profile_value(ABI_OPENEULER_6_6, "sa_restorer_honoured"), 0);
	assert_int_equal(profile_value(ABI_MODERN, "sa_restorer_honoured"), 1);
	assert_int_equal(profile_value(ABI_AMPERE_4_14, "hwcap_mask"), 0x1ffff);
}

/* --- with guest memory --------------------------------------------------------------------------------- */

static gaddr page; /* two writable pages, unmapped ones around them */

static int map_pages(void **state)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};
	int64_t a;

	(void)state;
	if (mem_init(&cfg))
		return -1;
	a = mem_mmap(0x100000, 2 * MEM_PAGE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	page = (gaddr)a;
	return a == 0x100000 ? 0 : -1;
}

static void test_faults(void **state)
{
	struct host_rusage ru = {0};
	gaddr end = page + 2 * MEM_PAGE_SIZE;

	(void)state;
	assert_int_equal(abi_write(&abi_st_rusage, end - 72, &ru), 0);
	assert_int_equal(abi_write(&abi_st_rusage, end - 71, &ru), -EFAULT);
	assert_int_equal(abi_write(&abi_st_rusage, page - 1, &ru), -EFAULT);
	assert_int_equal(abi_write(&abi_st_rusage, 0, &ru), -EFAULT);
	assert_int_equal(abi_write(&abi_st_rusage, UINT32_MAX - 3, &ru), -EFAULT);
	assert_int_equal(abi_read(&abi_st_rusage, &ru, end - 72), 0);
	assert_int_equal(abi_read(&abi_st_rusage, &ru, end - 71), -EFAULT);
	assert_int_equal(abi_read(&abi_st_rusage, &ru, UINT32_MAX - 3), -EFAULT);
}

/* The host form of random guest bytes that every field takes. */
static void random_host(const struct abi_struct *s, void *host)
{
	uint8_t g[ABI_LARGE_SIZE];

	for (unsigned i = 0; i < s->gsize; i++)
		g[i] = random_byte();
	tame(s, g);
	abi_to_host(s, host, g);
}

static void check_guest_canaries(const struct abi_struct *s, gaddr at)
{
	uint8_t mem[2 * MEM_PAGE_SIZE];

	assert_int_equal(mem_copy_in(mem, page, sizeof(mem)), 0);
	for (gaddr g = page; g < page + sizeof(mem); g++) {
		if ((g < at || g >= at + s->gsize) && mem[g - page] != 0xa5)
			fail_msg("%s: guest byte %d of %u is written", s->name, (int)(g - at),
				 s->gsize);
	}
}

static void check_canaries_of(const struct abi_struct *s, gaddr at)
{
	uint64_t host[ABI_LARGE_SIZE / 8 + 4], again[ABI_LARGE_SIZE / 8 + 4];
	uint8_t mem[2 * MEM_PAGE_SIZE];

	memset(mem, 0xa5, sizeof(mem));
	assert_int_equal(mem_copy_out(page, mem, sizeof(mem)), 0);
	memset(host, 0x5a, sizeof(host));
	memset(again, 0x5a, sizeof(again));
	random_host(s, host + 2);
	assert_int_equal(abi_write(s, at, host + 2), 0);
	check_guest_canaries(s, at);
	assert_int_equal(abi_read(s, again + 2, at), 0);
	for (unsigned b = 0; b < sizeof(again); b++) {
		if ((b < 16 || b >= 16u + s->hsize) && ((uint8_t *)again)[b] != 0x5a)
			fail_msg("%s: host byte %d of %u is written", s->name, (int)b - 16,
				 s->hsize);
	}
}

/* Every structure, both ways: at the end of what is mapped, at its beginning, across two pages; and a byte further. */
static void test_canaries(void **state)
{
	const gaddr end = page + 2 * MEM_PAGE_SIZE;
	uint64_t host[ABI_LARGE_SIZE / 8];

	(void)state;
	for (size_t n = 0; n < abi_nstructs; n++) {
		const struct abi_struct *s = abi_structs[n];

		for (unsigned pass = 0; pass < 8; pass++) {
			check_canaries_of(s, end - s->gsize);
			check_canaries_of(s, page);
			check_canaries_of(s, page + MEM_PAGE_SIZE - s->gsize / 2);
		}
		random_host(s, host);
		assert_int_equal(abi_read(s, host, end - s->gsize + 1), -EFAULT);
		random_host(s, host);
		/* What is copied around holes may fit. */
		if (!s->holes)
			assert_int_equal(abi_write(s, end - s->gsize + 1, host), -EFAULT);
		assert_int_equal(abi_read(s, host, UINT32_MAX - s->gsize + 2), -EFAULT);
		assert_int_equal(abi_write(s, UINT32_MAX - s->gsize + 2, host), -EFAULT);
	}
}

static void test_pointers(void **state)
{
	static const struct abi_field f = {"p", 0, 8, 0, 8, .rule = ABI_PTR};
	static const struct abi_struct wide_pointer = {"wide", 8, 8, .nfields = 1, .fields = &f};
	struct host_sock_fprog p;
	uint8_t wide[8];
	uint64_t v;
	uint8_t g[8] = {0};

	(void)state;
	abi_put32(g + 4, page + 16);
	abi_to_host(&abi_st_sock_fprog, &p, g);
	assert_ptr_equal((void *)(uintptr_t)p.filter, mem_host(page + 16));
	memset(g, 0, sizeof(g));
	assert_int_equal(abi_to_guest(&abi_st_sock_fprog, g, &p), 0);
	assert_int_equal(abi_get32(g + 4), page + 16);
	memset(g, 0, sizeof(g));
	abi_to_host(&abi_st_sock_fprog, &p, g);
	assert_int_equal(p.filter, 0);
	abi_put64(wide, page);
	abi_to_host(&wide_pointer, &v, wide);
	assert_ptr_equal((void *)(uintptr_t)v, mem_host(page));
	abi_put64(wide, 0x100000000);
	abi_to_host(&wide_pointer, &v, wide);
	assert_int_equal(v, ABI_BAD_POINTER);
}

/* 4.14 wrote sysinfo member by member: bytes [0,42) and [44,56) of 64. */
static void test_holes(void **state)
{
	struct host_sysinfo si = {.procs = 30, .mem_unit = 1};
	uint8_t g[64];

	(void)state;
	assert_true(abi_select("ampere-4.14"));
	memset(g, 0xa5, sizeof(g));
	assert_int_equal(mem_copy_out(page, g, sizeof(g)), 0);
	assert_int_equal(abi_write(&abi_st_sysinfo, page, &si), 0);
	assert_int_equal(mem_copy_in(g, page, sizeof(g)), 0);
	for (unsigned i = 0; i < sizeof(g); i++)
		assert_int_equal(g[i] == 0xa5, i == 42 || i == 43 || i >= 56);
	assert_int_equal(g[40], 30);
	assert_int_equal(g[52], 1);
	/* Every kernel leaves the middle of an epoll_event alone. */
	memset(g, 0xa5, 16);
	assert_int_equal(mem_copy_out(page, g, 16), 0);
	assert_int_equal(abi_write(&abi_st_epoll_event, page, &(struct host_epoll_event){1, 2}), 0);
	assert_int_equal(mem_copy_in(g, page, 16), 0);
	assert_int_equal(abi_get32(g), 1);
	assert_int_equal(abi_get32(g + 4), 0xa5a5a5a5);
	assert_int_equal(abi_get64(g + 8), 2);
	assert_true(abi_select("modern"));
	assert_int_equal(abi_write(&abi_st_sysinfo, page, &si), 0);
	assert_int_equal(mem_copy_in(g, page, sizeof(g)), 0);
	assert_int_equal(g[42], 0);
	assert_int_equal(g[63], 0);
}

/* --- symbols ------------------------------------------------------------------------------------------ */

static void test_open_flags(void **state)
{
	/* Of AT_FDCWD-relative opens on arm64: O_DIRECTORY 0x4000, O_NOFOLLOW 0x8000, O_DIRECT 0x10000,
	 * O_LARGEFILE 0x20000. */
	static const int flags[] = {0,       0x4000,  0x8000,   0x10000,
				    0x20000, 0x1c000, 02000000, 02000000 | 0x8000 | 0101};

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		assert_int_equal(abi_open_flags_to_guest(abi_open_flags_to_host(flags[i])),
				 flags[i]);
#ifdef __x86_64__
	assert_int_equal(abi_open_flags_to_host(0x4000), 0x10000);
	assert_int_equal(abi_open_flags_to_host(0x8000), 0x20000);
	assert_int_equal(abi_open_flags_to_host(0x10000), 0x4000);
	assert_int_equal(abi_open_flags_to_host(0x20000), 0x8000);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_invariants), cmocka_unit_test(test_roundtrip),
		cmocka_unit_test(test_signs),      cmocka_unit_test(test_stat),
		cmocka_unit_test(test_overflow),   cmocka_unit_test(test_epoll_event),
		cmocka_unit_test(test_profiles),   cmocka_unit_test(test_profile_fields),
		cmocka_unit_test(test_faults),     cmocka_unit_test(test_canaries),
		cmocka_unit_test(test_pointers),   cmocka_unit_test(test_holes),
		cmocka_unit_test(test_open_flags),
	};

	return cmocka_run_group_tests(tests, map_pages, NULL);
}
