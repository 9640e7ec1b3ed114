/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For lint.sh. With an argument: each sin of --lint once, in a function of its name (the svc is inlined
 * there). Without: calls of the same kinds, as they should be.
 */
#include "guest.h"

enum { NR_ftruncate64 = 46, NR_socket = 198, NR_setsockopt = 208 };
enum { NR_timer_create = 107, NR_fstat64 = 80 };
enum { NR_set_robust_list = 99, NR_faccessat2 = 439, NR_prlimit64 = 261 };

#define SIN __attribute__((noinline, noclone, unused))
/* Each has one svc: the compiler shall not make one of several. */
#define CALL(nr, a, b, c, d) call(nr, (u64)(a), (u64)(b), (u64)(c), (u64)(d), 0)
static inline __attribute__((always_inline)) s64 call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e)
{
	register u64 x8 __asm__("x8") = nr;
	register u64 x0 __asm__("x0") = a;
	register u64 x1 __asm__("x1") = b;
	register u64 x2 __asm__("x2") = c;
	register u64 x3 __asm__("x3") = d;
	register u64 x4 __asm__("x4") = e;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory", "cc");
	return (s64)x0;
}

static u64 words[32];
static u8 *const bytes = (u8 *)words;
static const u64 garbage = 0x1234567800000000ull;

#define AT(p) ((u64)(u32)(p))

SIN s64 upper_half(void)
{
	return CALL(NR_read, 0, AT(words), 0 | garbage, 0);
}

SIN s64 pointer_garbage(void)
{
	return CALL(NR_read, 0, AT(words) | garbage, 0, 0);
}

SIN s64 pointer_signed(void)
{
	return CALL(NR_read, 0, 0xffffffff80001000ull, 0, 0);
}

SIN s64 pad_register(s64 fd)
{
	return CALL(NR_ftruncate64, fd, 77, 0, 0);
}

SIN s64 reserved_timer(u64 *event)
{
	((u32 *)event)[10] = 1; /* sigevent: padding from 16 on */
	return CALL(NR_timer_create, 0, AT(event), AT(words), 0);
}

SIN s64 size_of_mask(void)
{
	return CALL(NR_rt_sigprocmask, 0, AT(words), 0, 16);
}

SIN s64 size_of_list(void)
{
	return CALL(NR_set_robust_list, AT(words), 24, 0, 0);
}

SIN s64 size_of_option(s64 fd)
{
	/* SO_RCVTIMEO with the timeval of LP64 */
	return call(NR_setsockopt, (u64)fd, 1, 20, AT(words), 16);
}

SIN s64 misaligned(s64 fd)
{
	return CALL(NR_fstat64, fd, AT(bytes + 4), 0, 0);
}

SIN s64 deprecated(void)
{
	return CALL(NR_tkill, CALL(NR_gettid, 0, 0, 0, 0), 0, 0, 0);
}

SIN s64 some_profiles(void)
{
	return CALL(NR_faccessat2, -100, AT("/"), 0, 0);
}

SIN s64 no_call(void)
{
	return CALL(1000, 0, 0, 0, 0);
}

SIN s64 many_times(void)
{
	s64 r = 0;

	for (int i = 0; i < 5; i++)
		r = CALL(NR_write, 1, AT(words), garbage, 0);
	return r;
}

static s64 clean(s64 fd)
{
	u64 zeros[16] = {0};
	s64 r = CALL(NR_read, 0, AT(words), 0, 0);

	r |= CALL(NR_ftruncate64, fd, 0, 0, 0);
	((u32 *)zeros)[2] = 1; /* SIGEV_NONE */
	r |= CALL(NR_timer_create, 0, AT(zeros), AT(words), 0);
	r |= CALL(NR_rt_sigprocmask, 0, AT(words), 0, 8);
	r |= CALL(NR_fstat64, fd, AT(words), 0, 0);
	r |= CALL(NR_prlimit64, 0, 7, 0, AT(words));
	memset(words, 0, sizeof(words));
	r |= call(NR_setsockopt, (u64)sys(NR_socket, 1, 1, 0), 1, 20, AT(words), 8);
	/* Numbers that are negative may be extended either way. */
	r |= CALL(NR_write, 1, AT(words), 0, 0);
	CALL(NR_close, -1, 0, 0, 0);
	CALL(NR_close, 0xffffffffull, 0, 0, 0);
	return r;
}

int main(int argc, char **argv UNUSED, char **envp UNUSED, u32 *auxv UNUSED)
{
	s64 fd = sys(NR_memfd_create, "f", 0);
	u64 event[8] = {0};

	if (argc < 2) {
		print("%ld\n", clean(fd));
		quit(0);
	}
	memset(words, 0, sizeof(words));
	((u32 *)event)[2] = 1;
	upper_half();
	pointer_garbage();
	pointer_signed();
	pad_register(fd);
	reserved_timer(event);
	size_of_mask();
	size_of_list();
	size_of_option(sys(NR_socket, 1, 1, 0));
	misaligned(fd);
	deprecated();
	some_profiles();
	no_call();
	many_times();
	s64 child = fork_();

	if (child == 0)
		quit((int)upper_half() & 0);
	wait_for(child);
	quit(0);
}
