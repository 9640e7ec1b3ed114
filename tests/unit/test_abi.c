/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structure descriptions: what must hold for any of them, the layouts a 4.14 kernel showed, and the
 * rules of each kind of field. */
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
	uint8_t covered[ABI_MAX_SIZE] = {0};

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
	uint8_t covered[ABI_MAX_SIZE] = {0};

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

/* Whether guest and host bytes are the same ones, by the fields. */
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
		assert_true(s->gsize <= ABI_MAX_SIZE && s->hsize <= ABI_MAX_SIZE);
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

/* --- layouts that no UAPI header has: as a 4.14 ILP32 kernel wrote them ------------------------------ */

static const struct {
	const char *name, *field;
	unsigned off, size;
} layouts[] = {
	{"stat", NULL, 0, 104},
	{"stat", "st_dev", 0, 8},
	{"stat", "st_ino32", 12, 4},
	{"stat", "st_mode", 16, 4},
	{"stat", "st_nlink", 20, 4},
	{"stat", "st_uid", 24, 4},
	{"stat", "st_gid", 28, 4},
	{"stat", "st_rdev", 32, 8},
	{"stat", "st_size", 48, 8},
	{"stat", "st_blksize", 56, 4},
	{"stat", "st_blocks", 64, 8},
	{"stat", "st_atime", 72, 4},
	{"stat", "st_atime_nsec", 76, 4},
	{"stat", "st_mtime", 80, 4},
	{"stat", "st_mtime_nsec", 84, 4},
	{"stat", "st_ctime", 88, 4},
	{"stat", "st_ctime_nsec", 92, 4},
	{"stat", "st_ino", 96, 8},
	{"statfs64", NULL, 0, 84},
	{"statfs64", "f_type", 0, 4},
	{"statfs64", "f_bsize", 4, 4},
	{"statfs64", "f_blocks", 8, 8},
	{"statfs64", "f_bfree", 16, 8},
	{"statfs64", "f_bavail", 24, 8},
	{"statfs64", "f_files", 32, 8},
	{"statfs64", "f_ffree", 40, 8},
	{"statfs64", "f_fsid", 48, 4},
	{"statfs64", "f_namelen", 56, 4},
	{"statfs64", "f_frsize", 60, 4},
	{"statfs64", "f_flags", 64, 4},
	{"itimerspec", NULL, 0, 16},
	{"itimerspec", "it_interval", 0, 8},
	{"itimerspec", "it_value", 8, 8},
	{"flock", NULL, 0, 16},
	{"flock", "l_type", 0, 2},
	{"flock", "l_whence", 2, 2},
	{"flock", "l_start", 4, 4},
	{"flock", "l_len", 8, 4},
	{"flock", "l_pid", 12, 4},
	{"sched_param", NULL, 0, 4},
	{"cachestat_range", NULL, 0, 16},
	{"cachestat_range", "len", 8, 8},
	{"cachestat", NULL, 0, 40},
	{"cachestat", "nr_recently_evicted", 32, 8},
	{"sigaction", NULL, 0, 20},
	{"sigaction", "sa_handler", 0, 4},
	{"sigaction", "sa_flags", 4, 4},
	{"sigaction", "sa_restorer", 8, 4},
	{"sigaction", "sa_mask", 12, 8},
	{"sigevent", NULL, 0, 64},
	{"sigevent", "sigev_value", 0, 4},
	{"sigevent", "sigev_signo", 4, 4},
	{"sigevent", "sigev_notify", 8, 4},
	{"sigevent", "sigev_notify_thread_id", 12, 4},
	{"sigset_arg", NULL, 0, 8},
	{"sigset_arg", "ss", 0, 4},
	{"sigset_arg", "ss_len", 4, 4},
	{"msghdr", NULL, 0, 28},
	{"msghdr", "msg_name", 0, 4},
	{"msghdr", "msg_namelen", 4, 4},
	{"msghdr", "msg_iov", 8, 4},
	{"msghdr", "msg_iovlen", 12, 4},
	{"msghdr", "msg_control", 16, 4},
	{"msghdr", "msg_controllen", 20, 4},
	{"msghdr", "msg_flags", 24, 4},
	{"mmsghdr", NULL, 0, 32},
	{"mmsghdr", "msg_len", 28, 4},
	{"cmsghdr", NULL, 0, 12},
	{"cmsghdr", "cmsg_len", 0, 4},
	{"cmsghdr", "cmsg_level", 4, 4},
	{"cmsghdr", "cmsg_type", 8, 4},
	{"group_filter", NULL, 0, 140},
	{"group_filter", "gf_interface", 0, 4},
	{"group_filter", "gf_group", 4, 128},
	{"group_filter", "gf_fmode", 132, 4},
	{"group_filter", "gf_numsrc", 136, 4},
	{"ifreq_flags", NULL, 0, 32},
	{"ifreq_flags", "ifr_flags", 16, 2},
	{"ifreq_int", NULL, 0, 32},
	{"ifreq_int", "ifr_ivalue", 16, 4},
	{"ifreq_data", NULL, 0, 32},
	{"ifreq_data", "ifr_data", 16, 4},
	{"ifreq_map", NULL, 0, 32},
	{"ifreq_map", "mem_start", 16, 4},
	{"ifreq_map", "mem_end", 20, 4},
	{"ifreq_map", "base_addr", 24, 2},
	{"ifreq_map", "irq", 26, 1},
	{"ifreq_map", "dma", 27, 1},
	{"ifreq_map", "port", 28, 1},
	{"ppp_idle", NULL, 0, 8},
	{"ppp_idle", "xmit_idle", 0, 4},
	{"ppp_idle", "recv_idle", 4, 4},
	{"ipc_perm_old", NULL, 0, 16},
	{"ipc_perm_old", "mode", 12, 2},
	{"msqid_ds_old", NULL, 0, 56},
	{"msqid_ds_old", "msg_stime", 24, 4},
	{"msqid_ds_old", "msg_qnum", 46, 2},
	{"msqid_ds_old", "msg_qbytes", 48, 2},
	{"semid_ds_old", NULL, 0, 44},
	{"semid_ds_old", "sem_nsems", 40, 2},
	{"shmid_ds_old", NULL, 0, 48},
	{"shmid_ds_old", "shm_segsz", 16, 4},
	{"shmid_ds_old", "shm_nattch", 36, 2},
	{"shminfo_old", NULL, 0, 20},
	{"linger", NULL, 0, 8},
	{"ucred", NULL, 0, 12},
	{"timex64", NULL, 0, 208},
	{"timex64", "time", 72, 16},
	{"timex64", "tai", 160, 4},
	/* linux/landlock.h of 6.12, linux/perf_event.h of 6.3 (PERF_ATTR_SIZE_VER8), linux/fs.h */
	{"landlock_ruleset_attr", NULL, 0, 24},
	{"landlock_ruleset_attr", "scoped", 16, 8},
	{"landlock_net_port_attr", NULL, 0, 16},
	{"landlock_net_port_attr", "port", 8, 8},
	{"perf_event_attr", NULL, 0, 136},
	{"perf_event_attr", "read_format", 32, 8},
	{"perf_event_attr", "wakeup_events", 48, 4},
	{"perf_event_attr", "branch_sample_type", 72, 8},
	{"perf_event_attr", "clockid", 92, 4},
	{"perf_event_attr", "sample_max_stack", 108, 2},
	{"perf_event_attr", "aux_sample_size", 112, 4},
	{"perf_event_attr", "sig_data", 120, 8},
	{"perf_event_attr", "config3", 128, 8},
	{"file_handle", NULL, 0, 8},
	{"file_handle", "handle_type", 4, 4},
	{"kexec_segment", NULL, 0, 16},
	{"kexec_segment", "bufsz", 4, 4},
	{"kexec_segment", "mem", 8, 4},
	{"kexec_segment", "memsz", 12, 4},
};

static const struct abi_field *find_field(const struct abi_struct *s, const char *name)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		if (strcmp(s->fields[i].name, name) == 0)
			return &s->fields[i];
	}
	return NULL;
}

static void test_kernel_layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const struct abi_struct *s = abi_struct_find(layouts[i].name);

		assert_non_null(s);
		if (!layouts[i].field) {
			assert_int_equal(s->gsize, layouts[i].size);
			continue;
		}
		const struct abi_field *f = find_field(s, layouts[i].field);
		if (!f || f->goff != layouts[i].off || f->gsize != layouts[i].size)
			fail_msg("%s.%s is not at %u, size %u", layouts[i].name, layouts[i].field,
				 layouts[i].off, layouts[i].size);
	}
}

/* Whatever has no header to be checked against is checked here. */
static void test_every_layout_has_a_witness(void **state)
{
	static const char *const numbers[] = {"u16",   "u32",  "s32",         "u64",
					      "ulong", "long", "timex_time64"};
	unsigned missing = 0;

	(void)state;
	for (size_t n = 0; n < abi_nstructs; n++) {
		const struct abi_struct *s = abi_structs[n];
		bool known = s->header && s->type;

		for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
			known |= !layouts[i].field && strcmp(layouts[i].name, s->name) == 0;
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			known |= strcmp(numbers[i], s->name) == 0;
		if (!known) {
			print_error("nothing checks the layout of %s\n", s->name);
			missing++;
		}
	}
	assert_int_equal(missing, 0);
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
		case ABI_NEST: expected(f->sub, out + f->goff, in + f->goff); break;
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
	uint8_t in[ABI_MAX_SIZE], out[ABI_MAX_SIZE], want[ABI_MAX_SIZE];
	uint64_t host[ABI_MAX_SIZE / 8];

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
			if (s->gsize < ABI_MAX_SIZE)
				assert_int_equal(out[s->gsize], 0x5a);
			if (s->hsize < ABI_MAX_SIZE)
				assert_int_equal(((uint8_t *)host)[s->hsize], 0xa5);
		}
	}
}

static void test_signs(void **state)
{
	struct host_timespec ts;
	struct host_timex tx;
	uint8_t g[ABI_MAX_SIZE] = {0};

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
	uint8_t g[ABI_MAX_SIZE];

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
	uint8_t g[ABI_MAX_SIZE];

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
	uint8_t g[ABI_MAX_SIZE];

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
	uint64_t host[ABI_MAX_SIZE / 8 + 4], again[ABI_MAX_SIZE / 8 + 4];
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
	uint64_t host[ABI_MAX_SIZE / 8];

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
		cmocka_unit_test(test_invariants),
		cmocka_unit_test(test_kernel_layouts),
		cmocka_unit_test(test_every_layout_has_a_witness),
		cmocka_unit_test(test_roundtrip),
		cmocka_unit_test(test_signs),
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_epoll_event),
		cmocka_unit_test(test_profiles),
		cmocka_unit_test(test_profile_fields),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_canaries),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_open_flags),
	};

	return cmocka_run_group_tests(tests, map_pages, NULL);
}
