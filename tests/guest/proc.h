/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of processes and threads: call numbers, clone in all its forms, futexes. */
#ifndef PROC_H
#define PROC_H

#include "guest.h"

enum {
	NR_dup3 = 24,
	NR_unlinkat = 35,
	NR_faccessat = 48,
	NR_readlinkat = 78,
	NR_personality = 92,
	NR_waitid = 95,
	NR_set_tid_address = 96,
	NR_unshare = 97,
	NR_futex = 98,
	NR_set_robust_list = 99,
	NR_get_robust_list = 100,
	NR_clock_nanosleep = 115,
	NR_sched_setaffinity = 122,
	NR_sched_getaffinity = 123,
	NR_setpgid = 154,
	NR_uname = 160,
	NR_prctl = 167,
	NR_getcpu = 168,
	NR_execve = 221,
	NR_prlimit64 = 261,
	NR_execveat = 281,
	NR_futex_time64 = 422,
	NR_clone3 = 435,
	NR_close_range = 436,
};

enum {
	EPERM = 1,
	ENOENT = 2,
	ESRCH = 3,
	EINTR = 4,
	E2BIG = 7,
	ENOEXEC = 8,
	EBADF = 9,
	ECHILD = 10
};
enum { EAGAIN = 11, EACCES = 13, EFAULT = 14, EINVAL = 22, ENOSYS = 38, ETIMEDOUT = 110 };

#define CLONE_VM             0x00000100u
#define CLONE_FS             0x00000200u
#define CLONE_FILES          0x00000400u
#define CLONE_SIGHAND        0x00000800u
#define CLONE_PIDFD          0x00001000u
#define CLONE_VFORK          0x00004000u
#define CLONE_PARENT         0x00008000u
#define CLONE_THREAD         0x00010000u
#define CLONE_NEWNS          0x00020000u
#define CLONE_SYSVSEM        0x00040000u
#define CLONE_SETTLS         0x00080000u
#define CLONE_PARENT_SETTID  0x00100000u
#define CLONE_CHILD_CLEARTID 0x00200000u
#define CLONE_DETACHED       0x00400000u
#define CLONE_CHILD_SETTID   0x01000000u
#define CLONE_NEWIPC         0x08000000u
#define CLONE_NEWUSER        0x10000000u
#define CLONE_NEWPID         0x20000000u

/* What C libraries use for a thread. */
#define THREAD_FLAGS                                                                 \
 (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
  CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

typedef int thread_fn(void *arg);

/*
 * clone with a stack: the child calls FN(ARG) and exits (exit, not exit_group) with its result.
 * The parent's result is clone's.
 */
s64 clone_call(thread_fn *fn, void *arg, u32 flags, void *stack_top, u32 *ptid, u64 tls, u32 *ctid);
__asm__(".text\n"
	".globl clone_call\n"
	".type clone_call, %function\n"
	"clone_call:\n"
	"	mov w3, w3\n"
	"	sub x3, x3, #32\n"
	"	stp x0, x1, [x3]\n"
	"	mov x0, x2\n"
	"	mov x1, x3\n"
	"	mov x2, x4\n"
	"	mov x3, x5\n"
	"	mov x4, x6\n"
	"	mov x8, #220\n"
	"	svc #0\n"
	"	cbz x0, 1f\n"
	"	ret\n"
	"1:	ldp x9, x0, [sp]\n"
	"	mov x29, #0\n"
	"	mov x30, #0\n"
	"	mov w9, w9\n"
	"	blr x9\n"
	"	mov x8, #93\n"
	"	svc #0\n");

/* Both ways an AArch64 program has; the compiler's own choice would need a library. */
static UNUSED void add_exclusive(volatile u32 *p, u32 v)
{
	u32 old, failed;

	__asm__ volatile("1:	ldaxr %w0, [%2]\n"
			 "	add %w0, %w0, %w3\n"
			 "	stlxr %w1, %w0, [%2]\n"
			 "	cbnz %w1, 1b"
			 : "=&r"(old), "=&r"(failed)
			 : "r"((u64)(u32)p), "r"(v)
			 : "memory");
}

static UNUSED void add_lse(volatile u32 *p, u32 v)
{
	u32 old;

	__asm__ volatile(".arch_extension lse\n"
			 "	ldaddal %w2, %w0, [%1]"
			 : "=r"(old)
			 : "r"((u64)(u32)p), "r"(v)
			 : "memory");
}

struct thread {
	u32 tid;            /* CLONE_PARENT_SETTID */
	volatile u32 alive; /* cleared by CLONE_CHILD_CLEARTID */
	u8 stack[16384] __attribute__((aligned(16)));
};

static UNUSED s64 futex(volatile u32 *word, u32 op, u32 val, const void *timeout,
			volatile u32 *word2, u32 val3)
{
	return sys(NR_futex, word, op, val, timeout, word2, val3);
}
enum { FUTEX_WAIT, FUTEX_WAKE, FUTEX_FD, FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP };
enum { FUTEX_LOCK_PI = 6, FUTEX_UNLOCK_PI, FUTEX_TRYLOCK_PI, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET };
#define FUTEX_PRIVATE        128
#define FUTEX_CLOCK_REALTIME 256

static UNUSED s64 thread_start(struct thread *t, thread_fn *fn, void *arg)
{
	t->alive = 1;
	return clone_call(fn, arg, THREAD_FLAGS, t->stack + sizeof(t->stack), &t->tid, 0,
			  (u32 *)&t->alive);
}

static UNUSED void thread_join(struct thread *t)
{
	while (t->alive)
		futex(&t->alive, FUTEX_WAIT, 1, 0, 0, 0);
}

static UNUSED void sleep_ms(u32 ms)
{
	u32 ts[2] = {ms / 1000, ms % 1000 * 1000000};

	while (sys(NR_nanosleep, ts, ts) == -EINTR)
		;
}

static UNUSED u64 now_ms(void)
{
	u32 ts[2];

	sys(NR_clock_gettime, 1, ts);
	return (u64)ts[0] * 1000 + ts[1] / 1000000;
}

/* Starts this program again: its own /proc/self/exe, so that it works from any directory. */
static UNUSED s64 exec_self(const char *a1, const char *a2, const char *const *envp)
{
	const char *argv[4] = {"self", a1, a2, 0}, *none[1] = {0};

	flush();
	return sys(NR_execve, "/proc/self/exe", argv, envp ? envp : none);
}

static UNUSED int equal(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

#endif
