/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals and threads: masks and alternate stacks are a thread's, actions the process's; a signal for
 * the process goes to a thread that does not block it; one for a thread to that thread.
 */
#include "guest.h"

#define THREADS 3

struct thread {
	u32 index, tid, parent_tid;
	volatile u32 step, got[65], alt_ok, mask_ok;
	u8 alt[16384], stack[16384] __attribute__((aligned(16)));
} threads[THREADS];

static u32 pid;
static volatile u32 go;
s64 start_thread(u64 flags, void *stack, u32 *ptid, u64 tls, volatile u32 *ctid);

/* clone(): the child calls thread_main() with what lies on its stack, and exits. */
__asm__(".text\n"
	".globl start_thread\n"
	"start_thread:\n"
	"	mov x8, #220\n"
	"	svc #0\n"
	"	cbnz x0, 1f\n"
	"	ldr x0, [sp]\n"
	"	bl thread_main\n"
	"	mov x0, #0\n"
	"	mov x8, #93\n"
	"	svc #0\n"
	"1:	ret\n");

static struct thread *self(void)
{
	u32 here, at = (u32)&here;

	for (u32 i = 0; i < THREADS; i++)
		if ((at >= (u32)threads[i].stack &&
		     at < (u32)threads[i].stack + sizeof(threads[i].stack)) ||
		    (at >= (u32)threads[i].alt &&
		     at < (u32)threads[i].alt + sizeof(threads[i].alt)))
			return &threads[i];
	return 0;
}

static void handler(int sig, u8 *info, u8 *uc)
{
	struct thread *t = self();
	u32 here;

	(void)info;
	(void)uc;
	if (!t) {
		print("signal %d in the main thread\n", sig);
		return;
	}
	t->alt_ok = (u32)&here >= (u32)t->alt && (u32)&here < (u32)t->alt + sizeof(t->alt);
	t->got[sig]++;
}

NOINLINE __attribute__((used)) void thread_main(struct thread *t)
{
	u32 alt[3], pause[2] = {0, 1000000};

	sys(NR_sigaltstack, 0, alt);
	if (alt[0] || alt[1] != 2)
		print("thread %d inherits an alternate stack\n", t->index);
	alt[0] = (u32)t->alt;
	alt[1] = 0;
	alt[2] = sizeof(t->alt);
	sys(NR_sigaltstack, alt, 0);
	/* The mask is the creator's. Thread I alone lets 40+I and, if 1, SIGUSR1 through. */
	t->mask_ok = set_mask(SIG_SETMASK,
			      ~0ull & ~BIT(40 + t->index) & ~(t->index == 1 ? BIT(SIGUSR1) : 0)) ==
		     ~(BIT(SIGKILL) | BIT(SIGSTOP));
	t->step = 1;
	while (!go)
		sys(NR_nanosleep, pause, 0);
}

static void wait_got(u32 index, int sig, u32 count)
{
	u32 pause[2] = {0, 1000000};

	for (u32 i = 0; i < 5000 && threads[index].got[sig] < count; i++)
		sys(NR_nanosleep, pause, 0);
}

int main(int argc UNUSED, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	u32 pause[2] = {0, 1000000}, alt[3] = {(u32)threads[0].alt, 0, 16384};

	pid = (u32)sys(NR_getpid);
	set_handler(SIGUSR1, handler, SA_SIGINFO | SA_ONSTACK);
	for (int s = 40; s < 40 + THREADS; s++)
		set_handler(s, handler, SA_SIGINFO | SA_ONSTACK);
	set_mask(SIG_SETMASK, ~0ull);
	sys(NR_sigaltstack, alt, 0);
	for (u32 i = 0; i < THREADS; i++) {
		struct thread *t = &threads[i];
		u8 *top = t->stack + sizeof(t->stack) - 16;

		t->index = i;
		put64(top, (u32)t);
		t->tid = 1;
		/* VM FS FILES SIGHAND THREAD SYSVSEM PARENT_SETTID CHILD_CLEARTID */
		if (start_thread(0x350f00, top, &t->parent_tid, 0, &t->tid) < 0)
			print("clone failed\n");
		while (!t->step)
			sys(NR_nanosleep, pause, 0);
		print("thread %d: inherited mask %s\n", i, t->mask_ok ? "right" : "wrong");
	}
	/* For the process: only one thread can take it. */
	for (u32 n = 1; n <= 100; n++) {
		sys(NR_kill, pid, SIGUSR1);
		wait_got(1, SIGUSR1, n);
	}
	for (u32 i = 0; i < THREADS; i++) {
		sys(NR_kill, pid, 40 + (THREADS - 1 - i));
		wait_got(THREADS - 1 - i, (int)(40 + THREADS - 1 - i), 1);
	}
	/* For a thread that blocks it: waits there, though others could take it. */
	sys(NR_tgkill, pid, threads[0].parent_tid, SIGUSR1);
	sys(NR_tgkill, pid, threads[1].parent_tid, 41);
	wait_got(1, 41, 2);
	for (u32 i = 0; i < THREADS; i++) {
		print("thread %d: USR1 %d,", i, threads[i].got[SIGUSR1]);
		for (int s = 40; s < 40 + THREADS; s++)
			print(" %d", threads[i].got[s]);
		print(", own alternate stack %d\n", threads[i].alt_ok);
	}
	go = 1;
	for (u32 i = 0; i < THREADS; i++)
		while (*(volatile u32 *)&threads[i].tid)
			sys(NR_nanosleep, pause, 0);
	/* The signal that waited in thread 0 went with it. */
	set_mask(SIG_SETMASK, 0);
	print("end\n");
	return 0;
}
