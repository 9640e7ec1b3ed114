/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends by a signal in one of several ways, which the first argument names; prints the addresses that the
 * test needs. With "threads" there are three more: one waits on a futex, one reads an empty pipe, one
 * counts. All show x19..x21 of their own. With "race" four threads fault at about the
 * same time.
 */
#include "../guest/proc.h"

enum { NR_madvise = 233, MADV_DONTDUMP = 16, MADV_DODUMP = 17 };

static u32 word = 1, started;
static u32 fds[2];
static u64 stacks[3][1024];
extern char futex_svc[], read_svc[], loop_begin[], loop_end[], fault_here[], fault_leaf[];

/* x0, x1: what the thread's kind needs. Each says that it is there before it waits. */
__asm__(".text\n"
	".type thread_futex, %function\n"
	"thread_futex:\n"
	"	mov x19, #0x1901\n	movk x19, #0xabcd, lsl #48\n"
	"	movi v7.16b, #0x17\n"
	"	mov x8, #98\n	mov x1, #0\n	mov x2, #1\n	mov x3, #0\n"
	"	movk x0, #0xdead, lsl #32\n"
	"futex_svc:\n	svc #0\n	brk #1\n"
	".type thread_read, %function\n"
	"thread_read:\n"
	"	mov x19, #0x1902\n"
	"	mov x8, #63\n	mov x2, #1\n"
	"read_svc:\n	svc #0\n	brk #2\n"
	".type thread_loop, %function\n"
	"thread_loop:\n"
	"	mov x19, #0x1903\n	mov x20, #0\n"
	"loop_begin:\n"
	"	add x20, x20, #1\n	mov x21, x20\n	b loop_begin\n"
	"loop_end:\n"
	/* The innermost function has no frame record of its own. */
	".type fault_leaf, %function\n"
	"fault_leaf:\n"
	"	mov x19, #0x1919\n	movk x19, #0xabcd, lsl #48\n"
	"	mov x1, #0x40\n"
	"fault_here:\n	str x0, [x1]\n	ret\n"
	".size fault_leaf, . - fault_leaf\n");
extern char thread_futex[], thread_read[], thread_loop[];

static NOINLINE s64 start(int i, char *fn, u64 a, u64 b)
{
	register u64 x8 __asm__("x8") = NR_clone;
	register u64 x0 __asm__("x0") =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	register u64 x1 __asm__("x1") = (u32)(stacks[i] + 1024);
	register u64 x2 __asm__("x2") = 0;
	register u64 x3 __asm__("x3") = 0;
	register u64 x4 __asm__("x4") = 0;
	register u64 x5 __asm__("x5") = (u32)fn;
	register u64 x6 __asm__("x6") = a;
	register u64 x7 __asm__("x7") = b;

	__asm__ volatile("svc #0\n"
			 "cbnz x0, 1f\n"
			 "mov x0, x6\n"
			 "mov x1, x7\n"
			 "br x5\n"
			 "1:\n"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x6), "r"(x7)
			 : "memory", "cc");
	return (s64)x0;
}

static void threads(void)
{
	u32 pause[2] = {0, 300000000};
	s64 tid[3];

	sys(NR_pipe2, fds, 0);
	tid[0] = start(0, thread_futex, (u32)&word, 0);
	tid[1] = start(1, thread_read, fds[0], (u32)&started);
	tid[2] = start(2, thread_loop, 0, 0);
	print("tids %ld %ld %ld\n", tid[0], tid[1], tid[2]);
	print("word %x pipe %u futex %x read %x loop %x %x\n", (u32)&word, fds[0], (u32)futex_svc,
	      (u32)read_svc, (u32)loop_begin, (u32)loop_end);
	sys(NR_nanosleep, pause, 0);
}

static void race(void)
{
	for (int i = 0; i < 3; i++)
		start(i, fault_leaf, 0, 0);
}

static void mappings(void)
{
	/* One that is to be dumped, one not, one not touched, one shared. */
	u32 a = (u32)sys(NR_mmap2, 0, 8192, 3, 0x22, -1, 0);
	u32 b = (u32)sys(NR_mmap2, 0, 8192, 3, 0x22, -1, 0);
	u32 c = (u32)sys(NR_mmap2, 0, 8192, 3, 0x22, -1, 0);
	u32 d = (u32)sys(NR_mmap2, 0, 8192, 3, 0x21, -1, 0);

	sys(NR_mprotect, c, 8192, 1);
	*(u32 *)a = 0xaaaaaaaa;
	*(u32 *)(a + 4096) = 0xa2a2a2a2;
	*(u32 *)b = 0xbbbbbbbb;
	*(u32 *)d = 0xdddddddd;
	sys(NR_mprotect, a + 4096, 4096, 0);
	sys(NR_madvise, b, 8192, MADV_DONTDUMP);
	print("maps %x %x %x %x\n", a, b, c, d);
}

__asm__(".text\n"
	".type middle, %function\n"
	"middle:\n"
	"	stp x29, x30, [sp, #-16]!\n	mov x29, sp\n"
	"	mov x0, #0x100\n	movk x0, #0x1, lsl #32\n"
	"	bl fault_leaf\n"
	"	ldp x29, x30, [sp], #16\n	ret\n"
	".size middle, . - middle\n");
extern void middle(void);

static void handler(int sig, u8 *info, u8 *uc)
{
	(void)sig, (void)info, (void)uc;
	middle();
}

int main(int argc, char **argv, char **envp, u32 *auxv)
{
	const char *what = argc > 1 ? argv[1] : "";
	u64 tls = 0xabcd000000001919ull;
	s64 pid = sys(NR_getpid), tid = sys(NR_gettid);

	(void)envp, (void)auxv;
	print("pid %ld fault %x\n", pid, (u32)fault_here);
	__asm__ volatile("msr tpidr_el0, %0\n"
			 "movi v7.16b, #7" ::"r"(tls)
			 : "v7");
	if (what[0] == 't')
		threads();
	if (what[0] == 'r')
		race();
	if (what[0] == 'm')
		mappings();
	if (what[0] == 'u')
		sys(NR_prctl, 4 /* PR_SET_DUMPABLE */, 0, 0, 0, 0);
	if (what[0] == 'h')
		set_handler(SIGUSR1, handler, SA_SIGINFO);
	flush();
	sys(NR_openat, -100, "/no/such/file", 0, 0);
	if (what[0] == 'h')
		sys(NR_tgkill, pid, tid, SIGUSR1);
	if (what[0] == 'a')
		sys(NR_tgkill, pid, tid, SIGABRT);
	if (what[0] == 'q')
		sys(NR_kill, pid, 3 /* SIGQUIT */);
	if (what[0] == 'T')
		sys(NR_kill, pid, SIGTERM);
	if (what[0] == 'b')
		__asm__ volatile("brk #0x55");
	middle();
	return 0;
}
