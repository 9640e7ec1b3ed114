/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that reach into the kernel: perf_event_open, bpf, kexec_load, modules, membarrier. What a caller
 * without rights may see of them: the order of checks, sizes, and that pointers are the guest's. Expected
 * values from the sources of Linux 4.14 to 6.6.
 */
#include "io.h"

enum { SYS_kexec_load = 104, SYS_init_module, SYS_delete_module, SYS_perf_event_open = 241 };
enum { SYS_finit_module = 273, SYS_bpf = 280, SYS_userfaultfd = 282, SYS_membarrier = 283 };
enum { SYS_rseq = 293, SYS_kexec_file_load = 294, SYS_io_uring_setup = 425 };
enum { SYS_setresuid = 147, SYS_setresgid = 149 };

static u8 attr[256], page[2 * PAGE];

/* No such call, or not allowed here: as good as what is expected. */
static s64 allowed(s64 r, s64 expected)
{
	return r == -1 || r == -13 || r == -38 || r == -2 || r == -95 ? expected : r;
}

static s64 perf(u32 type, u32 size)
{
	memset(attr, 0, sizeof(attr));
	put32(attr, type);
	put32(attr + 4, size);
	return allowed(sys(SYS_perf_event_open, attr, 0, -1, -1, 0), -7);
}

static void perf_events(void)
{
	s64 r;

	print("perf: NULL %ld, at the end %ld, flags %ld",
	      allowed(sys(SYS_perf_event_open, 0, 0, -1, -1, 0), -14),
	      allowed(sys(SYS_perf_event_open, 0xfffffffc, 0, -1, -1, 0), -14),
	      sys(SYS_perf_event_open, attr, 0, -1, -1, 0x100));
	r = perf(0, 63);
	print(", size 63 %ld, known size %d", r, get32(attr + 4) >= 96);
	r = perf(0, 5000);
	print(", size 5000 %ld, known size %d", r, get32(attr + 4) >= 96);
	/* STR-066: a tail that no kernel knows. */
	memset(page, 0, sizeof(page));
	put32(page, 1);
	put32(page + 4, 4000);
	page[3999] = 1;
	r = sys(SYS_perf_event_open, page, 0, -1, -1, 0);
	print(", tail %ld, known size %d\n", r, get32(page + 4) >= 96 && get32(page + 4) < 4000);
	/* A software event: the task's clock. */
	memset(attr, 0, sizeof(attr));
	put32(attr, 1);
	put32(attr + 4, 64);
	put64(attr + 8, 1);
	r = sys(SYS_perf_event_open, attr, 0, -1, -1, 0);
	if (r >= 0) {
		u64 id = 0, count = 0;

		print("task clock: id %ld", sys(SYS_ioctl, (u32)r, 0x80042407, &id));
		print(", read %ld", sys(NR_read, (u32)r, &count, 8));
		print(", counts %d\n", count > 0 && id > 0);
	} else {
		print("task clock: id %ld, read 8, counts 1\n", allowed(r, 0));
	}
}

static s64 bpf(u32 cmd, u32 size)
{
	return sys(SYS_bpf, cmd, attr, size);
}

static void bpf_maps(void)
{
	u32 key = 1;
	u64 value = 0x1122334455667788ull, read_back = 0;
	s64 fd, r;

	print("bpf: too large %ld", allowed(sys(SYS_bpf, 0, attr, PAGE + 1), -7));
	print(", NULL %ld, at the end %ld, unknown %ld\n", allowed(sys(SYS_bpf, 0, 0, 16), -14),
	      allowed(sys(SYS_bpf, 0, 0xfffffff8, 16), -14), allowed(bpf(0xffff, 16), -22));
	memset(attr, 0, sizeof(attr));
	put32(attr, 2); /* BPF_MAP_TYPE_ARRAY */
	put32(attr + 4, 4);
	put32(attr + 8, 8);
	put32(attr + 12, 4);
	fd = bpf(0, 16);
	if (fd < 0) {
		print("map: %ld, update 0, look up 0 1122334455667788, next key 0 2, "
		      "bad key -14, wide key -14\n",
		      allowed(fd, 0));
		return;
	}
	print("map: %ld", fd >= 0 ? 0 : fd);
	memset(attr, 0, sizeof(attr));
	put32(attr, (u32)fd);
	put64(attr + 8, (u32)&key);
	put64(attr + 16, (u32)&value);
	print(", update %ld", bpf(2, 32));
	put64(attr + 16, (u32)&read_back);
	r = bpf(1, 32);
	print(", look up %ld %lx", r, read_back);
	put64(attr + 16, (u32)&key);
	r = bpf(4, 24);
	print(", next key %ld %u", r, key);
	put64(attr + 8, 0xfffffffe);
	print(", bad key %ld", bpf(1, 32));
	put64(attr + 8, 1ull << 32 | (u32)&key);
	print(", wide key %ld\n", bpf(1, 32));
}

static void without_rights(void)
{
	u32 segment[4] = {(u32)page, PAGE, 0x100000, PAGE};
	const u32 arch = 183u << 16;

	print("no rights: kexec default arch %ld, 17 segments %ld, bad segment %ld, one %ld",
	      sys(SYS_kexec_load, 0, 0, 0, 0), sys(SYS_kexec_load, 0, 17, segment, arch),
	      sys(SYS_kexec_load, 0, 1, 0xfffffff8, arch),
	      allowed(sys(SYS_kexec_load, 0, 1, segment, arch), -1));
	print(", file %ld", allowed(sys(SYS_kexec_file_load, 0, -1, 4, page, 0), -1));
	print(", module %ld %ld %ld\n", allowed(sys(SYS_init_module, page, PAGE, page), -1),
	      allowed(sys(SYS_finit_module, 0, page, 0), -1),
	      allowed(sys(SYS_delete_module, page, 0), -1));
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	s64 r;

	(void)argc, (void)argv, (void)envp, (void)auxv;
	perf_events();
	bpf_maps();
	/* Commands for restartable sequences are there with rseq only. */
	r = sys(SYS_membarrier, 0, 0, 0);
	print("membarrier: global %d, rseq %lx, command 0x80 %ld, flags %ld\n", (int)r & 1,
	      r & 0x180, sys(SYS_membarrier, 0x80, 0, 0), sys(SYS_membarrier, 1, 2, 0));
	/* As kernels without CONFIG_RSEQ, CONFIG_IO_URING, CONFIG_USERFAULTFD. */
	print("rseq %ld, io_uring_setup %ld, userfaultfd %ld\n", sys(SYS_rseq, page, 32, 0, 0),
	      sys(SYS_io_uring_setup, 1, page), sys(SYS_userfaultfd, 0));
	sys(SYS_setresgid, 1, 1, 1);
	sys(SYS_setresuid, 1, 1, 1);
	without_rights();
	return 0;
}
