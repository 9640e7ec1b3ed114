/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The edges of memory: the last page, unmapped pages, the end of the address space. */
#include "abi.h"

#define USER "linux arch/arm64/include/asm/uaccess.h; copy_to_user, copy_from_user"

/* One page of ours at ADDRESS, or the case is skipped (something is there already). */
static u8 *page_at(u32 address)
{
	s64 p = S(mmap2, address, PAGE, PROT_RW, MAP_ANON | 0x100000 /* MAP_FIXED_NOREPLACE */, -1,
		  0);

	if (p != address)
		skip("the page is taken");
	return (u8 *)address;
}

/* The last page that a program can have. */
static u8 *last_page(void)
{
	s64 p = S(mmap2, 0xfffff000, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0);

	if (p == 0xfffff000)
		return (u8 *)0xfffff000u;
	EQ(p, -ENOMEM);
	return (u8 *)(u32)GOOD(S(mmap2, 0xffffe000, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0));
}

CASE("PTR-001", "read pwrite64 pread64", ALL, USER,
     "a read into a whole page near the top of memory")
{
	int fd = file_of(2 * PAGE);

	EQ(S(pwrite64, fd, "x", 1, 0, PAGE - 1, 0), 1);
	EQ(S(read, fd, page_at(0xffffd000), PAGE), PAGE);
	EQ(*(u8 *)0xffffdfffu, 'x');
}

CASE("PTR-002", "read", ALL, USER, "a read past the last page never goes on at 0")
{
	u8 *p = last_page() + PAGE - 4;
	int fd = file_of(0);
	s64 r;

	EQ(S(pwrite64, fd, "abcdefghijklmnop", 16, 0, 0, 0), 16);
	r = S(read, fd, p, 16);
	OK(r == -EFAULT || r == 4);
}

CASE("PTR-003", "clock_gettime", ALL, USER, "clock_gettime to the last 4 bytes of memory is EFAULT")
{
	EQ(S(clock_gettime, 1, 0xfffffffcu), -EFAULT);
	EQ(S(clock_gettime, 1, last_page() + PAGE - 4), -EFAULT);
	EQ(S(clock_gettime, 1, last_page() + PAGE - 8), 0);
}

CASE("PTR-004", "fstat64 read write", ALL, USER, "NULL is EFAULT")
{
	EQ(S(fstat64, file_of(0), 0), -EFAULT);
	EQ(S(read, file_of(9), 0, 1), -EFAULT);
	EQ(S(write, file_of(0), 0, 1), -EFAULT);
	EQ(S(read, file_of(0), 0, 1), 0);
}

CASE("PTR-005", "writev", ALL, USER, "an iovec array across 4 GiB is EFAULT")
{
	EQ(S(writev, file_of(0), 0xfffffff8u, 2), -EFAULT);
}

CASE("PTR-006", "execve", ALL, "linux fs/exec.c count, get_user_arg_ptr",
     "an argv that ends at an unmapped page without NULL is EFAULT")
{
	u32 *argv = (u32 *)at_end(8);

	argv[0] = argv[1] = Z("x");
	scratch();
	make_file("x", 0);
	EQ(S(fchmodat, AT_FDCWD, "x", 0700), 0);
	EQ(S(execve, "./x", argv, 0), -EFAULT);
	argv[0] = 0;
	EQ(S(execve, "./x", argv, argv + 1), -EFAULT);
	EQ(S(execve, 0, argv, 0), -EFAULT);
}

CASE("PTR-006a", "execve", AMPERE,
     "linux fs/exec.c do_execveat_common: do_open_execat before count",
     "a file that may not be run is refused before argv is looked at")
{
	scratch();
	make_file("x", 0);
	EQ(S(execve, "./x", 4, 0), -EACCES);
	EQ(S(execve, "./y", 4, 0), -ENOENT);
}

CASE("PTR-006b", "execve", SINCE_5_10,
     "linux 5.10 fs/exec.c do_execveat_common: count before bprm_execve",
     "argv is looked at before the file")
{
	EQ(S(execve, "./nonexistent", 4, 0), -EFAULT);
}

CASE("PTR-007", "write", ALL, USER,
     "a write of two pages of which the second is not there: the first, or EFAULT")
{
	u8 *p = guarded(1);
	u32 fds[2];
	s64 r;

	EQ(S(pipe2, fds, 0), 0);
	r = S(write, fds[1], p, 2 * PAGE);
	OK(r == PAGE || r == -EFAULT);
	r = S(write, file_of(0), p, 2 * PAGE);
	OK(r == PAGE || r == -EFAULT);
}

CASE("PTR-008", "fstat64 mprotect", ALL, USER,
     "a read-only page is EFAULT for what the kernel writes")
{
	u8 *p = guarded(1);

	EQ(S(mprotect, p, PAGE, PROT_READ), 0);
	EQ(S(fstat64, file_of(0), p), -EFAULT);
	OK(all_bytes(p, 0, PAGE));
	EQ(S(mprotect, p, PAGE, 0), 0);
	EQ(S(write, file_of(0), p, 1), -EFAULT);
}

CASE("PTR-009", "recvmsg", ALL, "linux net/socket.c ___sys_recvmsg",
     "recvmsg with a read-only msghdr: EFAULT, and the message is gone")
{
	u32 *m = (u32 *)guarded(1), fds[2], *iov = m + 16;
	char c;

	EQ(S(socketpair, 1, 2 | O_NONBLOCK, 0, fds), 0);
	EQ(S(write, fds[0], "x", 1), 1);
	iov[0] = Z(&c);
	iov[1] = 1;
	m[2] = Z(iov);
	m[3] = 1;
	EQ(S(mprotect, m, PAGE, PROT_READ), 0);
	EQ(S(recvmsg, fds[1], m, 0), -EFAULT);
	EQ(S(read, fds[1], &c, 1), -EAGAIN);
}

CASE("PTR-010", "nanosleep clock_gettime", ALL, USER,
     "a time across two pages of which the second is not there is EFAULT")
{
	u8 *p = at_end(4);

	memset(p, 0, 4);
	EQ(S(nanosleep, p, 0), -EFAULT);
	EQ(S(clock_gettime, 1, p), -EFAULT);
}

/* The room above the stack is used, too: the search from below, when nothing is left, ends at TASK_SIZE. */
CASE("PTR-011", "mmap2", ALL, "linux mm/mmap.c:arch_get_unmapped_area_topdown()",
     "mapping until nothing is left: ENOMEM at the end, nothing beyond 4 GiB")
{
	u64 sum = 0;
	s64 p;

	for (u32 size = 0x20000000; size >= 0x100000; size >>= 1) {
		while ((p = S(mmap2, 0, size, 0, MAP_ANON | 0x4000, -1, 0)) >= 0) {
			OK(p + size <= 0x100000000);
			sum += size;
		}
		EQ(p, -ENOMEM);
	}
	OK(sum > 0xc0000000ull);
}

CASE("PTR-012", "mmap2", SINCE_5_10,
     "openEuler 5.10 arch/arm64/include/asm/processor.h: TASK_SIZE_32 ends a page below 4 GiB",
     "the last page cannot be mapped")
{
	EQ(S(mmap2, 0xfffff000, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0), -ENOMEM);
	EQ(S(mmap2, 0xffffe000, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0), 0xffffe000);
}

CASE("PTR-012a", "mmap2", AMPERE, "oracle README 4: full 4 GiB", "the last page can be mapped")
{
	EQ(S(mmap2, 0xfffff000, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0), 0xfffff000);
	*(volatile u8 *)0xffffffffu = 1;
}

CASE("PTR-013", "mmap2 mprotect", ALL, "oracle README 4",
     "a fixed mapping across 4 GiB is ENOMEM; so is mprotect; length 0 is EINVAL")
{
	EQ(S(mmap2, 0xffff0000, 0x20000, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0), -ENOMEM);
	EQ(S(mprotect, 0xffff0000, 0x20000, PROT_READ), -ENOMEM);
	EQ(S(mmap2, 0, 0, PROT_RW, MAP_ANON, -1, 0), -EINVAL);
	EQ(S(mmap2, 1, PAGE, PROT_RW, MAP_ANON | MAP_FIXED, -1, 0), -EINVAL);
}

static u64 seen_address;
static u32 seen_code, seen_low;
static void on_segv(int sig, u8 *info, u8 *uc)
{
	seen_code = get32(info + 8);
	seen_low = get32(info + 12);
	seen_address = get64(uc + 160);
	put64(uc + 160 + 264, get64(uc + 160 + 8 + 8 * 30)); /* back to x30 */
	(void)sig;
}

CASE("PTR-014", "", ALL, "oracle README 7, 8; linux arch/arm64/mm/fault.c",
     "a load above 4 GiB: SEGV_MAPERR, low half in siginfo, all of it in the context")
{
	u32 word = 7;

	set_handler(SIGSEGV, on_segv, SA_SIGINFO);
	__asm__ volatile("adr x30, 1f\n ldr w9, [%0]\n1:"
			 :
			 : "r"(Z(&word) | 1ull << 32)
			 : "x9", "x30", "memory");
	EQ(seen_code, 1);
	EQ(seen_low, Z(&word));
	EQ(seen_address, Z(&word) | 1ull << 32);
}

CASE("PTR-015", "", ALL, "oracle README 8", "a branch above 4 GiB faults there")
{
	set_handler(SIGSEGV, on_segv, SA_SIGINFO);
	__asm__ volatile("mov x9, #0x100000000\n adr x30, 1f\n br x9\n1:"
			 :
			 :
			 : "x9", "x30", "memory");
	EQ(seen_address, 0x100000000ull);
	EQ(seen_code, 1);
}

CASE("PTR-016", "", ALL, "oracle README 8: the top byte is ignored",
     "a load through a tagged pointer works")
{
	u32 word = 7, got;

	__asm__ volatile("ldr %w0, [%1]" : "=r"(got) : "r"(Z(&word) | 0xabull << 56) : "memory");
	EQ(got, 7);
}

CASE("MEM-001", "mmap2 munmap mremap madvise msync mincore", ALL, "linux mm/",
     "mappings of a file: shared writes reach it, private ones do not")
{
	int fd = file_of(2 * PAGE);
	u8 *a = (u8 *)(u32)GOOD(S(mmap2, 0, 2 * PAGE, PROT_RW, MAP_SHARED, fd, 0));
	u8 *b = (u8 *)(u32)GOOD(S(mmap2, 0, PAGE, PROT_RW, MAP_PRIVATE, fd, 1));
	u8 c = 0, vec[2];

	a[PAGE] = 'x';
	EQ(b[0], 'x');
	b[0] = 'y';
	EQ(S(msync, a, 2 * PAGE, 4), 0);
	EQ(S(pread64, fd, &c, 1, 0, PAGE, 0), 1);
	EQ(c, 'x');
	EQ(S(mincore, a, 2 * PAGE, vec), 0);
	OK(vec[1] & 1);
	EQ(S(mincore, a + 1, PAGE, vec), -EINVAL);
	EQ(S(madvise, b, PAGE, 4), 0);
	EQ(b[0], 'x');
	EQ(S(madvise, b, PAGE, 9999), -EINVAL);
	a = (u8 *)(u32)GOOD(S(mremap, a, 2 * PAGE, 4 * PAGE, 1, 0));
	EQ(a[PAGE], 'x');
	EQ(S(munmap, a, 4 * PAGE), 0);
	EQ(S(msync, a, PAGE, 4), -ENOMEM);
	EQ(S(msync, b, PAGE, 5), -EINVAL);
}

CASE("MEM-002", "mlock munlock mlock2 mlockall munlockall", ALL, "linux mm/mlock.c",
     "locking memory")
{
	u8 *p = guarded(2);

	EQ(S(mlock, p, PAGE), 0);
	EQ(S(munlock, p, PAGE), 0);
	EQ(S(mlock, p, 3 * PAGE), -ENOMEM);
	EQ(S(mlock2, p, PAGE, 1), 0);
	EQ(S(mlock2, p, PAGE, 2), -EINVAL);
	EITHER(S(mlockall, 2), 0, -EPERM);
	EQ(S(mlockall, 0), -EINVAL);
	EQ(S(munlockall), 0);
}

CASE("MEM-003", "remap_file_pages", ALL, "linux mm/mmap.c sys_remap_file_pages",
     "remap_file_pages moves a page of a shared mapping")
{
	int fd = file_of(2 * PAGE);
	u8 *a = (u8 *)(u32)GOOD(S(mmap2, 0, 2 * PAGE, PROT_RW, MAP_SHARED, fd, 0));

	a[PAGE] = 'z';
	EQ(S(remap_file_pages, a, PAGE, 0, 1, 0), 0);
	EQ(a[0], 'z');
	EQ(S(remap_file_pages, a, PAGE, 1, 1, 0), -EINVAL);
	EQ(S(remap_file_pages, 0x1000, PAGE, 0, 0, 0), -EINVAL);
}

CASE("MEM-004", "mbind get_mempolicy set_mempolicy migrate_pages", ALL,
     "linux mm/mempolicy.c compat_sys_mbind etc.", "memory policies: node masks of 32-bit words")
{
	u8 *p = guarded(1);
	u32 mode = 99, mask[4] = {0, 0, 0xa5a5a5a5, 0xa5a5a5a5}, one = 1;
	s64 r = S(get_mempolicy, &mode, 0, 0, 0, 0);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without NUMA");
	EQ(r, 0);
	EQ(mode, 0);
	EQ(S(set_mempolicy, 2, &one, 2), 0);
	r = S(get_mempolicy, &mode, mask, 64, 0, 0);
	if (r == -EINVAL)
		skip("more than 64 nodes are possible");
	EQ(r, 0);
	EQ(mode, 2);
	EQ(mask[0], 1);
	EQ(mask[2], 0xa5a5a5a5);
	EQ(S(mbind, p, PAGE, 2, &one, 2, 0), 0);
	EQ(S(mbind, p, PAGE, 99, &one, 2, 0), -EINVAL);
	EQ(S(migrate_pages, 0, 2, &one, &one), 0);
	EQ(S(set_mempolicy, 0, 0, 0), 0);
}

CASE("MEM-005", "set_mempolicy_home_node", SINCE_6_6,
     "linux 5.17 mm/mempolicy.c sys_set_mempolicy_home_node",
     "a home node for memory with a policy")
{
	u8 *p = guarded(1);
	u32 one = 1;
	s64 r = S(set_mempolicy_home_node, p, PAGE, 0, 1);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without NUMA");
	EQ(r, -EINVAL);
	EQ(S(mbind, p, PAGE, 2, &one, 2, 0), 0);
	EQ(S(set_mempolicy_home_node, p, PAGE, 0, 0), 0);
}

CASE("MEM-006", "pkey_alloc pkey_free pkey_mprotect", MODERN,
     "linux mm/mprotect.c; no arm64 kernel of the series has memory keys",
     "no memory keys: pkey_alloc is ENOSPC or EINVAL, pkey_mprotect of key -1 is mprotect")
{
	u8 *p = guarded(1);

	OK(S(pkey_alloc, 1, 0) == -EINVAL);
	EQ(S(pkey_alloc, 0, 0), -ENOSPC);
	EQ(S(pkey_free, 5), -EINVAL);
	EQ(S(pkey_mprotect, p, PAGE, PROT_READ, -1), 0);
	EQ(S(fstat64, file_of(0), p), -EFAULT);
	EQ(S(pkey_mprotect, p, PAGE, PROT_READ, 3), -EINVAL);
}

CASE("MEM-007", "userfaultfd", ALL, "linux fs/userfaultfd.c sys_userfaultfd",
     "userfaultfd: flags are checked")
{
	s64 r = S(userfaultfd, 0x4000001);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without userfaultfd");
	EITHER(r, -EINVAL, -EPERM);
}

CASE("MEM-008", "membarrier", ALL, "linux kernel/sched/membarrier.c",
     "membarrier: a query answers a set of commands")
{
	s64 r = S(membarrier, 0, 0);

	if (r == -ENOSYS)
		skip("ENOSYS: the kernel is built without membarrier");
	OK(r > 0);
	EQ(S(membarrier, 1 << 30, 0), -EINVAL);
}

CASE("MEM-010", "membarrier", ALL, "linux kernel/sched/membarrier.c membarrier_private_expedited()",
     "membarrier: only who has registered gets a private barrier; a child has what its parent had")
{
	enum { PRIVATE = 8, REGISTER = 16 };
	s64 r = S(membarrier, 0, 0), child;

	if (r < 0 || !(r & PRIVATE))
		skip("the kernel has no private barriers");
	EQ(S(membarrier, PRIVATE, 0), -EPERM);
	EQ(S(membarrier, PRIVATE, 2), -EINVAL);
	EQ(S(membarrier, REGISTER, 0), 0);
	EQ(S(membarrier, PRIVATE, 0), 0);
	child = fork_();
	if (!child) {
		r = S(membarrier, PRIVATE, 0);
		S(exit_group, r == 0 ? 3 : 4);
	}
	EQ(wait_for(child), 3 << 8);
}

CASE("MEM-011", "mmap2", SINCE_5_10, "linux mm/mmap.c do_mmap(): LEGACY_MAP_MASK",
     "MAP_SHARED_VALIDATE refuses flags that it does not know, those of x86 too; it is for files only")
{
	enum { VALIDATE = 3, NORESERVE = 0x4000 };
	int fd = file_of(PAGE);

	OK(S(mmap2, 0, PAGE, PROT_RW, VALIDATE, fd, 0) > 0);
	OK(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | NORESERVE, fd, 0) > 0);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | 0x200, fd, 0), -EOPNOTSUPP);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | 0x40, fd, 0), -EOPNOTSUPP);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | 0x800000, fd, 0), -EOPNOTSUPP);
	OK(S(mmap2, 0, PAGE, PROT_RW, 1 | 0x800000, fd, 0) > 0);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | 0x20, -1, 0), -EINVAL);
}

CASE("MEM-011a", "mmap2", AMPERE, "linux mm/mmap.c do_mmap(): switch (flags & MAP_TYPE)",
     "MAP_SHARED_VALIDATE is no type yet, for files and without; a bad descriptor is found first")
{
	enum { VALIDATE = 3 };
	int fd = file_of(PAGE);

	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE, fd, 0), -EINVAL);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE | MAP_ANONYMOUS, -1, 0), -EINVAL);
	EQ(S(mmap2, 0, PAGE, PROT_RW, VALIDATE, -1, 0), -EBADF);
	OK(S(mmap2, 0, PAGE, PROT_RW, MAP_SHARED, fd, 0) > 0);
}

CASE("MEM-009", "memfd_secret", SINCE_6_6, "linux 5.14 mm/secretmem.c",
     "memfd_secret makes a file that maps but cannot be read")
{
	s64 fd = CONFIGURED(S(memfd_secret, 0));
	u8 c;

	EQ(S(ftruncate64, fd, 0, PAGE, 0), 0);
	OK(S(read, fd, &c, 1) < 0);
	EQ(S(memfd_secret, 1), -EINVAL);
}
