/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack unwinding by libgcc: through functions, out of a signal handler, and running cleanups. */
#include "check.h"
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unwind.h>

struct trace {
	int depth;
	uintptr_t ip[32];
};

static _Unwind_Reason_Code add(struct _Unwind_Context *context, void *arg)
{
	struct trace *t = arg;

	if (t->depth < 32)
		t->ip[t->depth++] = (uintptr_t)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static struct trace plain, in_signal;

__attribute__((noinline, noclone)) static int third(int n)
{
	_Unwind_Backtrace(add, &plain);
	return n + plain.depth;
}

__attribute__((noinline, noclone)) static int second(int n)
{
	return third(n * 3) + 1;
}

__attribute__((noinline, noclone)) static int first(int n)
{
	return second(n + 1) * 2;
}

/* Is an address of T inside the code that begins at FUNCTION? All functions here are short. */
static int passes(const struct trace *t, void *function)
{
	uintptr_t start = (uintptr_t)function;

	for (int i = 0; i < t->depth; i++)
		if (t->ip[i] >= start && t->ip[i] < start + 128)
			return 1;
	return 0;
}

static volatile int looping, arrived;

static void handler(int sig)
{
	(void)sig;
	/* Too early: still in the C library, which may have no unwind tables. */
	if (!looping || arrived)
		return;
	_Unwind_Backtrace(add, &in_signal);
	arrived = 1;
}

__attribute__((noinline, noclone)) static int interrupted(int n)
{
	struct itimerval often = {.it_interval = {.tv_usec = 2000}, .it_value = {.tv_usec = 2000}};

	/* Not by raise(), for the same reason. */
	setitimer(ITIMER_REAL, &often, NULL);
	looping = 1;
	do
		n++;
	while (!arrived);
	return n;
}

static int cleaned;

static void clean(int *value)
{
	cleaned += *value;
}

static struct _Unwind_Exception exception;

static _Unwind_Reason_Code to_the_end(int version, _Unwind_Action actions,
				      _Unwind_Exception_Class class, struct _Unwind_Exception *e,
				      struct _Unwind_Context *context, void *arg)
{
	(void)version;
	(void)class;
	(void)e;
	(void)context;
	(void)arg;
	if ((actions & _UA_END_OF_STACK) || cleaned == 11)
		exit(checks_end());
	return _URC_NO_REASON;
}

__attribute__((noinline, noclone)) static void inner(void)
{
	int value __attribute__((cleanup(clean))) = 1;

	_Unwind_ForcedUnwind(&exception, to_the_end, NULL);
	CHECK(!"forced unwinding returned");
}

__attribute__((noinline, noclone)) static void outer(void)
{
	int value __attribute__((cleanup(clean))) = 10;

	inner();
	value++;
}

int main(void)
{
	CHECK(first(4) > 0);
	CHECK(plain.depth >= 4);
	CHECK(passes(&plain, (void *)third) && passes(&plain, (void *)second) &&
	      passes(&plain, (void *)first));
	signal(SIGALRM, handler);
	CHECK(interrupted(1) > 1);
	signal(SIGALRM, SIG_IGN);
	CHECK(passes(&in_signal, (void *)handler));
	CHECK(passes(&in_signal, (void *)interrupted));
	/* Ends the program once both cleanups have run. */
	EQUAL(cleaned, 0);
	outer();
	CHECK(!"unwinding went past main");
	return checks_end();
}
