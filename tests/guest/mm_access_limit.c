/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers that reach beyond 4 GiB: refused at once, or (4.14) used as far as there is memory. */
#include "io.h"

static u32 fds[2];
static u8 text[2 * PAGE];

static void drain(void)
{
	sys(NR_read, fds[0], text, sizeof(text));
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 p = (u32)sys(NR_mmap2, 0, 2 * PAGE, 3, 0x22, -1, 0);
	s64 r;

	sys(NR_pipe2, fds, 0);
	sys(NR_munmap, p + PAGE, PAGE);
	r = sys(NR_write, fds[1], p, 0xffffffff);
	print("write of 4 GiB from a mapping of one page %ld\n", r);
	if (r > 0)
		drain();
	print("sendto to no descriptor %ld\n", sys(SYS_sendto, -1, p, 0xffffffff, 0, 0, 0));
	sys(NR_write, fds[1], "0123456789abcdef", 16);
	r = sys(NR_read, fds[0], p, 0xffffffff);
	print("read of 4 GiB %ld\n", r);
	if (r < 0)
		drain();
	return 0;
}
