/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setjmp and sigsetjmp: registers of 64 bits, the signal mask, jumping more than once. */
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

static jmp_buf plain;
static sigjmp_buf with_mask;

__attribute__((noinline)) static void jump(int value)
{
	longjmp(plain, value);
}
__attribute__((noinline)) static void jump_with_mask(int value)
{
	siglongjmp(with_mask, value);
}

/* Many live values, so that callee-saved integer and vector registers carry them over the call. */
__attribute__((noinline)) static uint64_t carry(uint64_t seed, double real)
{
	uint64_t a = seed * 3, b = seed ^ 0x123456789abcdef0, c = ~seed, d = seed << 7,
		 e = seed + b;
	double x = real * 2, y = real + 0.5, z = real * real;
	int value = setjmp(plain);

	if (value < 3)
		jump(value + 1);
	EQUAL(value, 3);
	CHECK(a == seed * 3 && b == (seed ^ 0x123456789abcdef0) && c == ~seed && d == seed << 7 &&
	      e == seed + b);
	CHECK(x == real * 2 && y == real + 0.5 && z == real * real);
	return a + b + c + d + e;
}

/* The same with the mask saved: sigsetjmp keeps two registers of its own beside setjmp's. */
__attribute__((noinline)) static uint64_t carry_with_mask(uint64_t seed, int keep)
{
	uint64_t a = seed * 5, b = seed ^ 0xfedcba9876543210, c = seed >> 3, d = seed * seed;
	sigset_t mask, other;

	sigemptyset(&other);
	sigaddset(&other, SIGUSR1);
	sigaddset(&other, 40);
	sigprocmask(SIG_SETMASK, &other, NULL);
	volatile int rounds = 0;
	int value = sigsetjmp(with_mask, keep);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	if (rounds == 0 || keep) {
		EQUAL(sigismember(&mask, SIGUSR1), 1);
		EQUAL(sigismember(&mask, 40), 1);
		EQUAL(sigismember(&mask, SIGUSR2), 0);
	} else {
		EQUAL(sigismember(&mask, SIGUSR1), 0);
		EQUAL(sigismember(&mask, SIGUSR2), 1);
	}
	EQUAL(value, rounds);
	CHECK(a == seed * 5 && b == (seed ^ 0xfedcba9876543210) && c == seed >> 3 &&
	      d == seed * seed);
	if (rounds < 4) {
		sigemptyset(&other);
		sigaddset(&other, SIGUSR2);
		sigprocmask(SIG_SETMASK, &other, NULL);
		jump_with_mask(++rounds);
	}
	return a + b + c + d;
}

static void on_signal(int sig)
{
	(void)sig;
	siglongjmp(with_mask, 77);
}

int main(void)
{
	sigset_t mask;

	carry(0xdeadbeefcafef00d, 1.25);
	carry_with_mask(0xdeadbeefcafef00d, 1);
	carry_with_mask(0xdeadbeefcafef00d, 0);

	int value = setjmp(plain);
	if (!value)
		longjmp(plain, 0);
	EQUAL(value, 1);

	/* Out of a handler, the mask comes back. */
	signal(SIGALRM, on_signal);
	sigemptyset(&mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	volatile int times = 0;
	value = sigsetjmp(with_mask, 1);
	if (times++ < 3)
		raise(SIGALRM);
	EQUAL(value, 77);
	EQUAL(times, 4);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	EQUAL(sigismember(&mask, SIGALRM), 0);
	return checks_end();
}
