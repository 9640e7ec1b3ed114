/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that a row nearly describes: the LP64 form takes the same values in another order, or one
 * argument is checked, dropped or scaled on the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abi/host.h"
#include "abi/structs.h"
#include "abi/symbols.h"
#include "syscall/busy.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "syscall/lookup.h"
#include "task/task.h"
#include "trace/trace.h"

/* ARM order: flags and advice come second, so that the pairs start at even registers. */
int64_t sys_sync_file_range2(struct sys_call *c)
{
	return sys_host_blocking(c, HOSTNR(sync_file_range), c->a[0], c->a[2], c->a[3], c->a[1]);
}

int64_t sys_fadvise64_64(struct sys_call *c)
{
	return sys_host_blocking(c, HOSTNR(fadvise64), c->a[0], c->a[2], c->a[3], c->a[1]);
}

/* The caller says which statfs64 it has: 84 is what the kernel writes, 88 sizeof, with its alignment. */
static bool statfs_size_ok(uint64_t size)
{
	unsigned written = abi_st_statfs64.gsize;

	return size == written || size == (written + 7) / 8 * 8;
}

static int64_t statfs_to(struct sys_call *c, gaddr to)
{
	struct host_statfs st;
	char path[PATH_MAX], instead[PATH_MAX];
	int64_t r = path_translate(path, (gaddr)c->a[0], PATH_LOOKUP);

	if (r)
		return r;
	r = lookup_check(AT_FDCWD, path, true, instead);
	if (!r || r == -ENOSYS)
		r = sys_host_blocking(c, HOSTNR(statfs), r ? path : instead, &st);
	return r ? r : abi_write(&abi_st_statfs64, to, &st);
}

static int64_t fstatfs_to(struct sys_call *c, gaddr to)
{
	struct host_statfs st;
	int64_t r = sys_host_blocking(c, HOSTNR(fstatfs), c->a[0], &st);

	return r ? r : abi_write(&abi_st_statfs64, to, &st);
}

int64_t sys_statfs64(struct sys_call *c)
{
	return statfs_size_ok(c->a[1]) ? statfs_to(c, (gaddr)c->a[2]) : -EINVAL;
}

int64_t sys_fstatfs64(struct sys_call *c)
{
	return statfs_size_ok(c->a[1]) ? fstatfs_to(c, (gaddr)c->a[2]) : -EINVAL;
}

/* Those without a size. */
int64_t sys_statfs(struct sys_call *c)
{
	return statfs_to(c, (gaddr)c->a[1]);
}

int64_t sys_fstatfs(struct sys_call *c)
{
	return fstatfs_to(c, (gaddr)c->a[1]);
}

/* truncate64, ftruncate64: code that runs from the file's cut part must fault. */
int64_t sys_truncate(struct sys_call *c)
{
	char path[PATH_MAX];
	int64_t r;

	if (sys_arg_of(c->row, 0)->type == T_PATH &&
	    path_translate(path, (gaddr)c->a[0], PATH_LOOKUP) == 0 && busy_program(AT_FDCWD, path))
		return -ETXTBSY;
	r = sys_generic(c);
	if (r == 0)
		mem_file_cut();
	return r;
}

/* Closes all but the emulator's own descriptors. */
int64_t sys_close_range(struct sys_call *c)
{
	uint64_t first = c->a[0], last = c->a[1];

	while (first <= last) {
		int hidden = task_fd_next_reserved((unsigned)first, (unsigned)last);
		int64_t r = 0;

		if (hidden < 0)
			break;
		if ((uint64_t)hidden > first)
			r = sys_host_blocking(c, HOSTNR(close_range), first, hidden - 1, c->a[2]);
		if (r)
			return r;
		if ((uint64_t)hidden == last)
			return 0;
		first = (uint64_t)hidden + 1;
	}
	return sys_host_blocking(c, HOSTNR(close_range), first, last, c->a[2]);
}

/* EPOLL_CTL_DEL ignores its event, which may be any garbage. */
int64_t sys_epoll_ctl(struct sys_call *c)
{
	enum { EPOLL_CTL_DEL_ = 2 };

	if ((int)c->a[1] == EPOLL_CTL_DEL_)
		c->a[3] = 0;
	return sys_generic(c);
}

/* Without O_CREAT mode and attr are not arguments, so attr may be garbage (compat_sys_mq_open). */
int64_t sys_mq_open(struct sys_call *c)
{
	if (!((int)c->a[1] & GUEST_O_CREAT))
		c->a[3] = 0;
	return sys_generic(c);
}

/* For SIGEV_THREAD the value points to the cookie of NOTIFY_COOKIE_LEN bytes that the kernel keeps. */
int64_t sys_mq_notify(struct sys_call *c)
{
	enum { SIGEV_THREAD_ = 2, COOKIE_LEN = 32 };
	struct host_sigevent ev;

	if (!c->a[1])
		return sys_host(HOSTNR(mq_notify), c->a[0], 0);
	if (abi_read(&abi_st_sigevent, &ev, (uint32_t)c->a[1]))
		return -EFAULT;
	if (ev.sigev_notify == SIGEV_THREAD_)
		ev.sigev_value = sys_buf(ev.sigev_value, COOKIE_LEN);
	return sys_host(HOSTNR(mq_notify), c->a[0], &ev);
}

/* 4.14 returns what copying the structure back gave, not the state of the clock (compat_sys_clock_adjtime). */
int64_t sys_clock_adjtime(struct sys_call *c)
{
	int64_t r = sys_generic(c);

	return r > 0 && abi_profile->adjtime_state_lost ? 0 : r;
}

/* Only for KCMP_EPOLL_TFD is idx2 a pointer: to kcmp_epoll_slot, three u32 in both ABIs. */
int64_t sys_kcmp(struct sys_call *c)
{
	enum { KCMP_EPOLL_TFD_ = 7, SLOT_SIZE = 12 };
	uint64_t idx2 = c->a[4];

	if ((int)c->a[2] == KCMP_EPOLL_TFD_)
		idx2 = sys_buf(idx2, SLOT_SIZE);
	return sys_host(HOSTNR(kcmp), c->a[0], c->a[1], c->a[2], c->a[3], idx2);
}

/* --- sched_getaffinity -------------------------------------------------------------------------- */

/* One more than the highest CPU number that can ever appear: the kernel's nr_cpu_ids. 0: unknown. */
static unsigned host_cpu_ids(void)
{
	unsigned last = 0;
	FILE *f = task_spare_fopen("/sys/devices/system/cpu/possible");
	bool known = false;
	int ch;

	if (!f)
		return 0;
	/* "0-3,8-11": the last number of the last range. */
	while (fscanf(f, "%u", &last) == 1) {
		known = true;
		ch = fgetc(f);
		if (ch != '-' && ch != ',')
			break;
	}
	fclose(f);
	return known ? last + 1 : 0;
}

/* The size may be any multiple of 4 that holds all CPUs (compat_sys_sched_getaffinity), where the
 * LP64 host wants multiples of 8; the result is the number of bytes written. */
int64_t sys_sched_getaffinity(struct sys_call *c)
{
	uint64_t mask[128] = {0}; /* 8192 CPUs, the largest NR_CPUS */
	uint64_t len = c->a[1], host_len = (len + 7) & ~7ull;
	int64_t r;

	if (len & 3)
		return -EINVAL;
	if ((len & 4) && host_cpu_ids() > len * 8)
		return -EINVAL;
	if (host_len > sizeof(mask))
		host_len = sizeof(mask);
	r = sys_host(HOSTNR(sched_getaffinity), c->a[0], host_len, mask);
	if (r < 0)
		return r;
	if ((uint64_t)r < len)
		len = (uint64_t)r;
	return mem_copy_out((gaddr)c->a[2], mask, len) ? -EFAULT : (int64_t)len;
}

/* --- sysinfo -------------------------------------------------------------------------------------- */

/* Sizes of more than 32 bits are given in a larger unit, up to a page (compat_sys_sysinfo). */
static void scale_to_32_bits(struct host_sysinfo *s)
{
	unsigned shift = 0;

	if (!(s->totalram >> 32) && !(s->totalswap >> 32))
		return;
	while (s->mem_unit < MEM_PAGE_SIZE) {
		s->mem_unit <<= 1;
		shift++;
	}
	s->totalram >>= shift;
	s->freeram >>= shift;
	s->sharedram >>= shift;
	s->bufferram >>= shift;
	s->totalswap >>= shift;
	s->freeswap >>= shift;
	s->totalhigh >>= shift;
	s->freehigh >>= shift;
}

int64_t sys_sysinfo(struct sys_call *c)
{
	struct host_sysinfo s;
	int64_t r = sys_host(HOSTNR(sysinfo), &s);

	if (r)
		return r;
	if (abi_member(&abi_st_sysinfo, "totalram")->gsize < 8)
		scale_to_32_bits(&s);
	return abi_write(&abi_st_sysinfo, (uint32_t)c->a[0], &s);
}

/* The binary data of nfs4 hold addresses (struct nfs4_mount_data, version 1); text is what mount.nfs4 gives today. */
int64_t sys_mount(struct sys_call *c)
{
	char type[8];
	uint8_t version[4];

	if (c->a[2] && c->a[4] && mem_copy_str(type, (gaddr)c->a[2], sizeof(type)) == 4 &&
	    strcmp(type, "nfs4") == 0 &&
	    mem_copy_in(version, (gaddr)c->a[4], sizeof(version)) == 0 && abi_get32(version) == 1) {
		diag_unsupported("mount", 4,
				 "mount of nfs4 with binary data is not supported: EINVAL");
		return -EINVAL;
	}
	return sys_generic(c);
}
