/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libgcc's unwinder crosses a signal frame: from the handler through the vDSO's trampoline to the very
 * instruction that was interrupted, with the registers that it had, and on to main. The innermost function
 * is a leaf, which a walk along frame records would lose.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define X19 0x1919191919191919ull
enum { MAX = 32 };

static struct frame {
	uintptr_t pc, function;
	int before; /* pc is that of the instruction, not behind a call */
	uint64_t x19;
} frames[MAX];
static int nframes;
static volatile int zero;

static _Unwind_Reason_Code visit(struct _Unwind_Context *c, void *arg)
{
	struct frame *f = &frames[nframes++];

	(void)arg;
	f->pc = _Unwind_GetIPInfo(c, &f->before);
	f->function = _Unwind_GetRegionStart(c);
	f->x19 = _Unwind_GetGR(c, 19);
	return nframes == MAX ? _URC_END_OF_STACK : _URC_NO_REASON;
}

__attribute__((noinline)) static int leaf(int *p)
{
	register uint64_t x19 __asm__("x19") = X19;

	__asm__ volatile("" : "+r"(x19));
	*p = (int)x19; /* the fault */
	return zero;
}

__attribute__((noinline)) static int middle(int *p)
{
	return leaf(p) + zero;
}

__attribute__((noinline)) static int outer(int *p)
{
	return middle(p) + zero;
}

int main(void);

static void handler(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;
	const void *path[] = {(void *)leaf, (void *)middle, (void *)outer, (void *)main};
	uintptr_t page = getauxval(AT_SYSINFO_EHDR) >> 12;
	int bad = 0;

	(void)sig, (void)info;
	_Unwind_Backtrace(visit, NULL);
	for (int i = 0; i < nframes; i++)
		printf("%d: pc %#lx function %#lx before %d x19 %#llx\n", i,
		       (unsigned long)frames[i].pc, (unsigned long)frames[i].function,
		       frames[i].before, (unsigned long long)frames[i].x19);
	bad |= nframes < 6 || frames[1].pc >> 12 != page;
	bad |= frames[2].pc != uc->uc_mcontext.pc || !frames[2].before || frames[2].x19 != X19;
	for (int i = 0; !bad && i < 4; i++)
		bad |= frames[2 + i].function != (uintptr_t)path[i];
	for (int i = 3; !bad && i < 6; i++)
		bad |= frames[i].before || frames[i].x19 == X19;
	printf(bad ? "the path is wrong\n" : "good\n");
	fflush(stdout);
	_exit(bad);
}

int main(void)
{
	/* The kernel's structure, without the C library's restorer. */
	struct {
		uint32_t handler, flags, restorer, mask[2];
	} a = {(uint32_t)(uintptr_t)handler, SA_SIGINFO, 0, {0, 0}};

	if (syscall(SYS_rt_sigaction, SIGSEGV, &a, NULL, 8))
		return 2;
	return outer((int *)16);
}
