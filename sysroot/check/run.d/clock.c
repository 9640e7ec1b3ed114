/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time: 64-bit time_t over whatever calls the kernel has, resource usage, timers as descriptors. */
#include "check.h"
#include <poll.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static long long ns(struct timespec t)
{
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long now(clockid_t clock)
{
	struct timespec t = {-1, -1};

	CHECK(!clock_gettime(clock, &t) && t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
	return ns(t);
}

int main(void)
{
	struct timespec t, rest;
	struct timeval tv;
	struct tms tms;

	EQUAL(sizeof(time_t), 8);
	long long real = now(CLOCK_REALTIME), mono = now(CLOCK_MONOTONIC),
		  raw = now(CLOCK_MONOTONIC_RAW);
	CHECK(real > 1600000000000000000LL && mono > 0 && raw > 0);
	CHECK(!gettimeofday(&tv, NULL) && tv.tv_sec - real / 1000000000 <= 1);
	CHECK(time(NULL) - tv.tv_sec <= 1);
	for (int i = 0; i < 1000; i++) {
		long long next = now(CLOCK_MONOTONIC);
		if (next < mono)
			CHECK(!"the monotonic clock went back");
		mono = next;
	}
	CHECK(now(CLOCK_REALTIME_COARSE) > 1600000000000000000LL &&
	      now(CLOCK_MONOTONIC_COARSE) > 0);
	CHECK(now(CLOCK_BOOTTIME) >= mono / 2 && now(CLOCK_PROCESS_CPUTIME_ID) > 0);
	CHECK(now(CLOCK_THREAD_CPUTIME_ID) > 0);
	CHECK(clock_gettime(12345, &t) == -1 && errno == EINVAL);
	CHECK(!clock_getres(CLOCK_MONOTONIC, &t) && t.tv_sec == 0 && t.tv_nsec >= 1);

	mono = now(CLOCK_MONOTONIC);
	t = (struct timespec){0, 20000000};
	CHECK(!nanosleep(&t, &rest));
	CHECK(now(CLOCK_MONOTONIC) - mono >= 20000000);
	mono = now(CLOCK_MONOTONIC) + 15000000;
	t = (struct timespec){mono / 1000000000, (long)(mono % 1000000000)};
	EQUAL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL), 0);
	CHECK(now(CLOCK_MONOTONIC) >= mono);
	t.tv_nsec = 1000000000;
	CHECK(nanosleep(&t, NULL) == -1 && errno == EINVAL);

	mono = now(CLOCK_MONOTONIC);
	EQUAL(poll(NULL, 0, 20), 0);
	CHECK(now(CLOCK_MONOTONIC) - mono >= 20000000);

	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct itimerspec timer = {.it_value = {.tv_nsec = 4000000},
				   .it_interval = {.tv_nsec = 4000000}},
			  left;
	uint64_t expirations;
	CHECK(fd >= 0 && !timerfd_settime(fd, 0, &timer, NULL));
	CHECK(!timerfd_gettime(fd, &left) && left.it_interval.tv_nsec == 4000000);
	CHECK(read(fd, &expirations, 8) == 8 && expirations >= 1);
	close(fd);

	struct rusage usage = {0};
	for (volatile int i = 0; i < 20000000; i++)
		;
	CHECK(!getrusage(RUSAGE_SELF, &usage));
	CHECK(usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec > 0 && usage.ru_maxrss > 0);
	CHECK(!getrusage(RUSAGE_CHILDREN, &usage) && usage.ru_utime.tv_sec == 0 &&
	      usage.ru_utime.tv_usec == 0);
	CHECK(times(&tms) != (clock_t)-1 && tms.tms_cutime == 0);
	CHECK(clock() > 0);

	struct sysinfo info;
	CHECK(!sysinfo(&info) && info.mem_unit > 0 && info.procs > 0 && info.uptime > 0);
	CHECK((unsigned long long)info.totalram * info.mem_unit > 64 << 20);
	CHECK((unsigned long long)info.freeram * info.mem_unit <=
	      (unsigned long long)info.totalram * info.mem_unit);
	CHECK(sysconf(_SC_PHYS_PAGES) > 1000);

	struct timex tx = {0};
	CHECK(adjtimex(&tx) >= 0 && tx.tick >= 9000 && tx.tick <= 11000 &&
	      tx.time.tv_sec > 1600000000);

	/* Beyond 2038, without a kernel. */
	time_t far = 4102444800;
	struct tm broken;
	CHECK(gmtime_r(&far, &broken) && broken.tm_year == 200 && broken.tm_yday == 0);
	char text[64];
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &broken);
	TEXT(text, "2100-01-01T00:00:00");
	CHECK(timegm(&broken) == far);
	return checks_end();
}
