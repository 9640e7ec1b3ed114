// SPDX-License-Identifier: GPL-2.0-or-later
// The file mem of processes: positions are addresses of the guest. Expected values from fs/proc/base.c, mem_rw().
#include "proc.h"

enum { NR_llseek = 62, NR_readv = 65, NR_pread64 = 67, NR_pwrite64 = 68 };
enum { O_RDONLY, O_WRONLY, O_RDWR };
enum { EIO = 5, PAGE = 4096 };
enum { PROT_NONE, PROT_READ, PROT_RW = 3, PROT_RX = 5 };

struct iov {
	void *base;
	u32 len;
};

static volatile u32 word = 0x11223344;
static u32 buffer[2 * PAGE / 4];

static s64 open_mem(s64 pid, u32 flags)
{
	char path[32], digits[12], *p = path;
	u32 n = 0;

	for (const char *s = "/proc/"; *s; s++)
		*p++ = *s;
	do
		digits[n++] = (char)('0' + pid % 10);
	while (pid /= 10);
	while (n)
		*p++ = digits[--n];
	for (const char *s = "/mem"; *s; s++)
		*p++ = *s;
	*p = 0;
	return sys(NR_openat, -100, path, flags);
}

static s64 get(s64 fd, u64 at, void *to, u32 n)
{
	return sys(NR_pread64, fd, to, n, 0, (u32)at, (u32)(at >> 32));
}

static s64 put(s64 fd, u64 at, const void *from, u32 n)
{
	return sys(NR_pwrite64, fd, from, n, 0, (u32)at, (u32)(at >> 32));
}

static u32 map(u32 pages, u32 prot)
{
	return (u32)sys(NR_mmap2, 0, pages * PAGE, prot, 0x22, -1, 0);
}

static void own(void)
{
	s64 fd = sys(NR_openat, -100, "/proc/self/mem", O_RDWR);
	s64 only = sys(NR_openat, -100, "/proc/self/mem", O_RDONLY);
	u32 got = 0, other = 0x99aabbcc, p = map(4, PROT_RW);
	struct iov v[2] = {{&got, 2}, {buffer, 6}};

	sys(NR_munmap, p + 2 * PAGE, PAGE);
	sys(NR_mprotect, p + PAGE, PAGE, PROT_NONE);
	sys(NR_mprotect, p + 3 * PAGE, PAGE, PROT_READ);
	print("open %d %d", fd >= 0, only >= 0);
	print(", read %ld %x", get(fd, (u32)&word, &got, 4), got);
	print(", write %ld %x\n", put(fd, (u32)&word, &other, 4), word);
	print("no access: %ld", put(fd, p + PAGE, &other, 4));
	print(" %ld %x", get(fd, p + PAGE, &got, 4), got);
	print(", read only: %ld %x\n", put(fd, p + 3 * PAGE, &other, 4), *(u32 *)(p + 3 * PAGE));
	print("unmapped %ld %ld, wide %ld %ld, up to a hole %ld, nothing %ld\n",
	      get(fd, p + 2 * PAGE, &got, 4), put(fd, 0, &other, 4), get(fd, 1ull << 32, &got, 4),
	      get(fd, (1ull << 32) + (u32)&word, &got, 4), get(fd, p + PAGE, buffer, 2 * PAGE),
	      get(fd, p + 2 * PAGE, &got, 0));
	print("bad buffer %ld %ld, not for writing %ld\n",
	      get(fd, (u32)&word, (void *)0xfffffff0, 4),
	      put(fd, (u32)&word, (void *)0xfffffff0, 4), put(only, (u32)&word, &other, 4));
	/* the descriptor's own position */
	word = 0x01020304;
	*(volatile u32 *)(p + 4) = 0x05060708;
	{
		u64 where = 0;
		s64 r = sys(NR_llseek, fd, 0, p + 4, &where, 0);

		print("seek %ld %d", r, where == p + 4);
		r = sys(NR_read, fd, &got, 2);
		print(", read %ld %x", r, got & 0xffff);
		r = sys(NR_write, fd, &other, 2);
		print(", write %ld %x", r, *(u32 *)(p + 4));
		sys(NR_llseek, fd, 0, p + 4, &where, 0);
		got = 0;
		r = sys(NR_readv, fd, v, 2);
		print(", readv %ld %x %x", r, got, buffer[0] & 0xffff);
		sys(NR_llseek, fd, 0, 0, &where, 1);
		print(", position %u\n", (u32)where - p);
	}
	sys(NR_close, fd);
	sys(NR_close, only);
}

/* Code that has run is overwritten, in a page that it may not write itself. */
static void code(void)
{
	s64 fd = sys(NR_openat, -100, "/proc/self/mem", O_RDWR);
	u32 p = map(1, PROT_RW), sum = 0;
	u32 (*fn)(void) = (u32(*)(void))p;

	((u32 *)p)[0] = 0x52800020; /* mov w0, #1 */
	((u32 *)p)[1] = 0xd65f03c0; /* ret */
	__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb" ::"r"((u64)p)
			 : "memory");
	sys(NR_mprotect, p, PAGE, PROT_RX);
	for (u32 i = 0; i < 100; i++)
		sum += fn();
	u32 insn = 0x52800040; /* mov w0, #2 */
	s64 r = put(fd, p, &insn, 4);

	__asm__ volatile("ic ivau, %0\n\tdsb ish\n\tisb" ::"r"((u64)p) : "memory");
	print("code: %u, write %ld, %u\n", sum, r, fn());
	sys(NR_close, fd);
}

static void others(void)
{
	int in[2], out[2];
	u32 got = 0, value = 77;
	char c = 0;

	sys(NR_pipe2, in, 0);
	sys(NR_pipe2, out, 0);
	word = 1;
	s64 parent = sys(NR_openat, -100, "/proc/self/mem", O_RDONLY);
	s64 pid = fork_();

	if (!pid) {
		word = 2;
		/* of the one who opened it */
		print("inherited %ld", get(parent, (u32)&word, &got, 4));
		print(" %u\n", got);
		sys(NR_write, out[1], &c, 1);
		sys(NR_read, in[0], &c, 1);
		print("child has %u\n", word);
		quit(0);
	}
	sys(NR_read, out[0], &c, 1);
	s64 fd = open_mem(pid, O_RDWR);

	s64 r = get(fd, (u32)&word, &got, 4), w = put(fd, (u32)&word, &value, 4);

	sys(NR_write, in[1], &c, 1);
	wait_for(pid);
	print("child: %d, read %ld %u, write %ld, here %u\n", fd >= 0, r, got, w, word);
	print("after its end %ld\n", get(fd, (u32)&word, &got, 4));
	sys(NR_close, fd);
}

/* A file that was opened before an execve is of the memory that was there then, and is gone. */
static void over_exec(void)
{
	int in[2], out[2];
	u32 got = 0, value = 5;
	char c;

	sys(NR_pipe2, in, 0);
	sys(NR_pipe2, out, 02000000); /* O_CLOEXEC */
	s64 pid = fork_();

	if (!pid) {
		sys(NR_write, out[1], &value, 1);
		sys(NR_read, in[0], &c, 1);
		exec_self("sleep", 0, 0);
		quit(1);
	}
	sys(NR_close, out[1]);
	sys(NR_read, out[0], &c, 1);
	s64 before = open_mem(pid, O_RDWR), r = get(before, (u32)&word, &got, 4);

	print("before exec %ld %u", r, got);
	sys(NR_write, in[1], &c, 1);
	print(", end of file %ld", sys(NR_read, out[0], &c, 1));
	wait_until_sleeping((u32)pid);
	s64 now = open_mem(pid, O_RDWR);

	r = get(now, (u32)&word, &got, 4);
	print(", after %ld %ld, of the new one %ld %x\n", get(before, (u32)&word, &value, 4),
	      put(before, (u32)&word, &value, 4), r, got);
	sys(NR_kill, (u32)pid, SIGKILL);
	wait_for(pid);
	sys(NR_close, before);
	sys(NR_close, now);
}

/* Entries of 8 bytes: bit 63 says that the page is present. */
static void pagemap(void)
{
	s64 fd = sys(NR_openat, -100, "/proc/self/pagemap", O_RDONLY);
	u32 p = map(4, PROT_RW);
	u64 entry[4] = {1, 1, 1, 1}, at = (u64)p / PAGE * 8;

	*(volatile u32 *)p = 1;
	sys(NR_munmap, p + 2 * PAGE, PAGE);
	s64 r = get(fd, at, entry, 32);
	print("pagemap: %ld, touched %d, not touched %d, unmapped %d", r, (int)(entry[0] >> 63),
	      (int)(entry[1] >> 63), entry[2] == 0);
	*(volatile u32 *)(p + PAGE) = 1;
	get(fd, at + 8, entry, 8);
	print(", now %d\n", (int)(entry[0] >> 63));
	print("part of an entry %ld %ld, nothing %ld, bad buffer %ld, above 4 GiB %ld\n",
	      get(fd, at + 4, entry, 8), get(fd, at, entry, 4), get(fd, at, entry, 0),
	      get(fd, at, (void *)8, 8), get(fd, 0x100000 * 8, entry, 8));
	sys(NR_close, fd);
	sys(NR_munmap, p, 4 * PAGE);
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	(void)argv, (void)envp, (void)auxv;
	if (argc > 1) {
		for (;;)
			sys(NR_ppoll, 0, 0, 0, 0, 0);
	}
	own();
	code();
	others();
	over_exec();
	pagemap();
	return 0;
}
