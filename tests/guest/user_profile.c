/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of a user's own. user_profile.wide.abi: members of other widths, calls added, moved and dropped.
 * user_profile.one.abi: the convention of one register for a 64-bit argument, and upper halves that are kept.
 * Where a line differs from that of the common profile, the file asks for it.
 */
#include "guest.h"

enum {
	NR_ftruncate64 = 46,
	NR_writev = 66,
	NR_fstat64 = 80,
	NR_sendmsg = 211,
	NR_recvmsg = 212,
	NR_getpriority = 141
};

static u8 buf[512];

static u32 written(void)
{
	u32 n = sizeof(buf);

	while (n && buf[n - 1] == 0xa5)
		n--;
	return n;
}

static s64 size_at(u32 offset, u64 fd)
{
	s64 size;

	memset(buf, 0xa5, sizeof(buf));
	sys(NR_fstat64, fd, buf);
	memcpy(&size, buf + offset, 8);
	return size;
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	struct {
		u64 base, len;
	} wide = {(u32) "wide\n", 5};
	struct {
		u32 base, len;
	} narrow = {(u32) "narrow\n", 7};
	struct {
		s64 sec;
		s32 nsec, pad;
	} pause = {0, 1000000, 0};
	u64 fd, garbage = 0xff00000000ull;
	s64 r;

	memset(buf, 0xa5, sizeof(buf));
	print("clock_gettime %ld", sys(NR_clock_gettime, 0, buf));
	print(", %u bytes\n", written());
	memset(buf, 0xa5, sizeof(buf));
	print("getitimer %ld", sys(102, 0, buf));
	print(", %u bytes\n", written());
	print("nanosleep with a wide time %ld\n", sys(NR_nanosleep, &pause, 0));

	flush();
	r = sys(NR_writev, 1, &wide, 1);
	print("writev of a wide iovec %ld\n", r);
	flush();
	r = sys(NR_writev, 1, &narrow, 1);
	print("writev of a narrow iovec %ld\n", r < 0 ? r : 0);

	print("getpid %d, as 500 %d, as 1999 %d\n", sys(NR_getpid) > 0, sys(500) > 0,
	      sys(1999) > 0);
	print("getppid %ld\n", sys(NR_getppid) > 0 ? 1 : sys(NR_getppid));
	print("beyond all numbers %ld\n", sys(5000));

	fd = (u64)sys(NR_memfd_create, "f", 0);
	r = sys6(NR_ftruncate64, fd, 0x100000005ull, 7, 0, 0, 0);
	print("ftruncate %ld, size %ld\n", r, size_at(48, fd));
	print("size in stat %u bytes\n", written());
	print("a pointer with garbage %ld\n", sys6(NR_read, fd, (u32)buf | garbage, 1, 0, 0, 0));
	r = sys6(NR_mmap2, 0xf0000000, 4096, 3, 0x32, (u64)-1, 0);
	print("an address in the upper half %lx\n", r);
	quit(0);
}
