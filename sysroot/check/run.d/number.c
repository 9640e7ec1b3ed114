/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic that comes from libgcc (128-bit long double, 64- and 128-bit integers) and from the port's
 * assembly (rounding to a 32-bit long, the floating-point environment). */
#include "check.h"
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

/* Keeps the compiler from computing at compile time. */
static volatile long double third = 1.0L / 3, big = 1e300L;
static volatile double half = 2.5, huge = 1e10;
static volatile long long billions = 123456789012345678LL;
static volatile unsigned __int128 wide = (unsigned __int128)0xfedcba9876543210 << 60;

static const char *text(const char *format, long double value)
{
	static char buffer[128];
	snprintf(buffer, sizeof buffer, format, value);
	return buffer;
}

static void long_double(void)
{
	TEXT(text("%.33Lg", third), "0.333333333333333333333333333333333");
	TEXT(text("%.20Lg", third * 3 + big), "1e+300");
	TEXT(text("%La", third), "0x1.5555555555555555555555555555p-2");
	TEXT(text("%.30Lg", sqrtl(2.0L * (third + 2 * third))), "1.41421356237309504880168872421");
	TEXT(text("%.30Lg", strtold("3.14159265358979323846264338327950288", NULL)),
	     "3.14159265358979323846264338328");
	EQUAL((long long)(third * 3e18L + 0.5L), 1000000000000000000LL);
	EQUAL((int)(third * -30 - 0.5L), -10);
	EQUAL((unsigned)(third * 12e9L + 0.5L), 4000000000U);
	CHECK((long double)billions == 123456789012345678.0L);
	CHECK((double)third < third || (double)third > third);
	CHECK((float)third == 1.0f / 3);
	CHECK(big * big < LDBL_MAX && isinf((double)(big * big)));
	CHECK(third != third + LDBL_EPSILON && !(third < third) && third <= third);
	CHECK(isnan(nanl("")) && nanl("") != nanl(""));
	EQUAL(LDBL_MANT_DIG, 113);
}

static void integers(void)
{
	EQUAL(billions / 987654321, 124999998);
	EQUAL(billions % 987654321, 862654320);
	EQUAL((uint64_t)(wide >> 60), 0xfedcba9876543210);
	EQUAL((uint64_t)(wide / 1000000007), 0xff093d62f65b456a);
	EQUAL((uint64_t)(wide % 1000000007), 0xef7761a);
	EQUAL((long long)((__int128)billions * billions >> 64), 826247639818522LL);
	CHECK((double)wide > 2.1e37 && (double)wide < 2.2e37);
	CHECK((long double)wide == 0xfedcba9876543210p60L);
	EQUAL(__builtin_popcountll((unsigned long long)billions), 31);
	EQUAL(__builtin_ctzll((unsigned long long)billions), 1);
	EQUAL(__builtin_clzll((unsigned long long)billions), 7);
}

/* lrint and friends convert to long; out of range gives the nearest long and FE_INVALID where long has 32
 * bits, while llrint has room for the value. */
static void rounding(void)
{
	EQUAL(lrint(half), 2);
	EQUAL(lround(half), 3);
	EQUAL(lrintf((float)-half), -2);
	EQUAL(lroundf((float)-half), -3);
	EQUAL(llrint(huge), 10000000000LL);
	EQUAL(llround(-huge), -10000000000LL);
	if (sizeof(long) == 4) {
		feclearexcept(FE_ALL_EXCEPT);
		EQUAL(lrint(huge), LONG_MAX);
		CHECK(fetestexcept(FE_INVALID));
		feclearexcept(FE_ALL_EXCEPT);
		EQUAL(lround(-huge), LONG_MIN);
		CHECK(fetestexcept(FE_INVALID));
	}
	EQUAL(fesetround(FE_UPWARD), 0);
	EQUAL(fegetround(), FE_UPWARD);
	EQUAL(lrint(2.0 + half / 1e6), 3);
	EQUAL(fesetround(FE_DOWNWARD), 0);
	EQUAL(lrint(-half), -3);
	TEXT(text("%.33Lg", 1 / (3 * (third + 2 * third))), "0.333333333333333333333333333333333");
	EQUAL(fesetround(FE_TONEAREST), 0);
}

static void environment(void)
{
	fenv_t saved, now;

	feclearexcept(FE_ALL_EXCEPT);
	EQUAL(fegetenv(&saved), 0);
	feraiseexcept(FE_DIVBYZERO);
	EQUAL(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
	fesetround(FE_TOWARDZERO);
	EQUAL(feholdexcept(&now), 0);
	EQUAL(fetestexcept(FE_ALL_EXCEPT), 0);
	EQUAL(fesetenv(&now), 0);
	EQUAL(fegetround(), FE_TOWARDZERO);
	EQUAL(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
	EQUAL(fesetenv(&saved), 0);
	EQUAL(fegetround(), FE_TONEAREST);
	fesetround(FE_UPWARD);
	EQUAL(fesetenv(FE_DFL_ENV), 0);
	EQUAL(fegetround(), FE_TONEAREST);
	EQUAL(fetestexcept(FE_ALL_EXCEPT), 0);
	volatile double zero = half - 2.5, quotient = 1 / zero;
	CHECK(isinf(quotient) && fetestexcept(FE_DIVBYZERO));
}

int main(void)
{
	long_double();
	integers();
	rounding();
	environment();
	return checks_end();
}
