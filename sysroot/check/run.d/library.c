/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the C library builds from several calls: POSIX queues, names, requests in threads, text, complex numbers. */
#include "check.h"
#include <aio.h>
#include <complex.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

static sem_t notified;
static volatile int notice;

static void notify(union sigval v)
{
	notice = v.sival_int;
	sem_post(&notified);
}

/* A thread of the library's calls notify() with N. */
static struct sigevent by_thread(int n)
{
	struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_int = n}};

	e.sigev_notify_function = notify;
	return e;
}

static struct timespec soon(int ms)
{
	struct timespec t;
	long long ns;

	clock_gettime(CLOCK_REALTIME, &t);
	ns = t.tv_nsec + ms * 1000000LL;
	t.tv_sec += ns / 1000000000;
	t.tv_nsec = (long)(ns % 1000000000);
	return t;
}

static void queues(void)
{
	struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 32};
	struct sigevent event = by_thread(5);
	struct timespec limit = soon(20);
	unsigned priority;
	char name[32], text[64];
	mqd_t q;

	snprintf(name, sizeof(name), "/check-library-%d", (int)getpid());
	q = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	if (q == -1 && errno == ENOSYS)
		return; /* a kernel without POSIX queues */
	CHECK(q != -1);
	CHECK(!mq_send(q, "low", 3, 1) && !mq_send(q, "high", 4, 9));
	EQUAL(mq_receive(q, text, sizeof(text), &priority), 4);
	EQUAL(priority, 9);
	CHECK(!mq_getattr(q, &attr));
	EQUAL(attr.mq_curmsgs, 1);
	EQUAL(attr.mq_msgsize, 32);
	EQUAL(mq_receive(q, text, sizeof(text), NULL), 3);
	CHECK(mq_timedreceive(q, text, sizeof(text), NULL, &limit) == -1 && errno == ETIMEDOUT);
	CHECK(!mq_notify(q, &event));
	CHECK(!mq_send(q, "x", 1, 0));
	limit = soon(20000);
	CHECK(!sem_timedwait(&notified, &limit));
	EQUAL(notice, 5);
	CHECK(!mq_close(q) && !mq_unlink(name));
}

static void timer_thread(void)
{
	struct sigevent event = by_thread(6);
	struct itimerspec in = {{0, 0}, {0, 5000000}};
	struct timespec limit = soon(20000);
	timer_t timer;

	CHECK(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	CHECK(!timer_settime(timer, 0, &in, NULL));
	CHECK(!sem_timedwait(&notified, &limit));
	EQUAL(notice, 6);
	CHECK(!timer_delete(timer));
}

static void named_memory(void)
{
	char name[32];
	int value, fd, status;
	sem_t *s;
	char *m;

	snprintf(name, sizeof(name), "/check-library-%d", (int)getpid());
	s = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
	CHECK(s != SEM_FAILED && !sem_getvalue(s, &value) && value == 2);
	CHECK(!sem_close(s) && !sem_unlink(name));
	fd = shm_open(name, O_CREAT | O_RDWR, 0600);
	CHECK(fd >= 0 && !ftruncate(fd, 8192));
	m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(m != MAP_FAILED);
	if (!fork()) {
		m[5000] = 9;
		_exit(0);
	}
	CHECK(wait(&status) > 0 && status == 0);
	EQUAL(m[5000], 9);
	CHECK(!shm_unlink(name) && !munmap(m, 8192) && !close(fd));
}

/* Offsets that need more than 32 bits, in every call that takes one. */
static void far_offsets(void)
{
	const off_t far = (off_t)5 << 30, farther = (off_t)1 << 43;
	char path[] = "/tmp/check-library-XXXXXX", text[8] = "";
	int fd = mkstemp(path);
	struct aiocb request = {.aio_fildes = fd,
				.aio_buf = (void *)"aio",
				.aio_nbytes = 3,
				.aio_offset = far + 100};
	const struct aiocb *list[1] = {&request};
	FILE *f;
	char *m;

	CHECK(fd >= 0 && pwrite(fd, "deep", 4, far) == 4);
	EQUAL(lseek(fd, -4, SEEK_END), far);
	m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, far);
	CHECK(m != MAP_FAILED && !memcmp(m, "deep", 4));
	m[0] = 'D';
	f = fopen(path, "r+");
	CHECK(f && !fseeko(f, far, SEEK_SET) && fgetc(f) == 'D' && ftello(f) == far + 1);
	fclose(f);
	CHECK(!aio_write(&request));
	while (aio_error(&request) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	EQUAL(aio_return(&request), 3);
	CHECK(pread(fd, text, 3, far + 100) == 3 && !strcmp(text, "aio"));
	/* beyond what a 32-bit count of pages reaches in bytes */
	if (!ftruncate(fd, farther)) {
		m = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, farther - 4096);
		CHECK(m != MAP_FAILED && m[4095] == 0);
	}
	CHECK(!unlink(path) && !close(fd));
}

static void far_times(void)
{
	struct tm tm = {.tm_year = 200, .tm_mon = 5, .tm_mday = 7};
	time_t t = timegm(&tm);
	struct timespec times[2] = {{t, 5}, {t + 1, 7}};
	char path[] = "/tmp/check-library-XXXXXX", text[32];
	int fd = mkstemp(path);
	struct stat st;

	EQUAL(t, 4116009600);
	CHECK(!futimens(fd, times) && !fstat(fd, &st));
	EQUAL(st.st_atim.tv_sec, t);
	EQUAL(st.st_mtim.tv_sec, t + 1);
	EQUAL(st.st_mtim.tv_nsec, 7);
	CHECK(!unlink(path) && !close(fd));
	setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
	tzset();
	strftime(text, sizeof(text), "%F %T %Z", localtime(&t));
	TEXT(text, "2100-06-06 20:00:00 EDT");
	memset(&tm, 0, sizeof(tm));
	CHECK(strptime("2077-10-23 09:47", "%Y-%m-%d %H:%M", &tm) && tm.tm_year == 177);
}

static void watches(void)
{
	struct {
		struct inotify_event e;
		char name[64];
	} event;
	struct signalfd_siginfo info;
	char dir[] = "/tmp/check-library-XXXXXX", file[64];
	int fd = inotify_init1(IN_CLOEXEC), made;
	sigset_t set;

	CHECK(mkdtemp(dir) && inotify_add_watch(fd, dir, IN_CREATE) > 0);
	snprintf(file, sizeof(file), "%s/new", dir);
	made = creat(file, 0600);
	CHECK(read(fd, &event, sizeof(event)) > (ssize_t)sizeof(event.e));
	TEXT(event.e.name, "new");
	CHECK(!close(made) && !unlink(file) && !rmdir(dir) && !close(fd));

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 77});
	EQUAL(read(fd, &info, sizeof(info)), 128);
	CHECK(info.ssi_signo == SIGUSR2 && info.ssi_int == 77 &&
	      info.ssi_pid == (uint32_t)getpid());
	CHECK(!close(fd));
}

static void patterns(void)
{
	regmatch_t part[3];
	wordexp_t words;
	regex_t re;
	glob_t g;

	CHECK(!regcomp(&re, "^([a-z]+)([0-9]{2,3})$", REG_EXTENDED));
	CHECK(!regexec(&re, "abc123", 3, part, 0) && part[2].rm_so == 3 && part[2].rm_eo == 6);
	EQUAL(regexec(&re, "abc1", 0, NULL, 0), REG_NOMATCH);
	regfree(&re);
	CHECK(!fnmatch("a[b-d]*", "acz", 0) && fnmatch("a[b-d]*", "aez", 0) == FNM_NOMATCH);
	CHECK(!glob("/proc/self/[f]d", 0, NULL, &g) && g.gl_pathc == 1);
	globfree(&g);
	setenv("TWO", "a b", 1);
	/* by the shell, in a child */
	CHECK(!wordexp("$TWO 'c d'", &words, 0));
	EQUAL(words.we_wordc, 3);
	TEXT(words.we_wordv[2], "c d");
	wordfree(&words);
}

static void text(void)
{
	char utf8[] = "\xe2\x82\xac", out[16], *in = utf8, *to = out;
	size_t left = 3, room = sizeof(out);
	iconv_t convert = iconv_open("UTF-16LE", "UTF-8");
	wchar_t wide, line[16];

	CHECK(convert != (iconv_t)-1);
	EQUAL(iconv(convert, &in, &left, &to, &room), 0);
	CHECK(to - out == 2 && !memcmp(out, "\xac\x20", 2));
	iconv_close(convert);
	CHECK(setlocale(LC_ALL, "C.UTF-8"));
	TEXT(nl_langinfo(CODESET), "UTF-8");
	CHECK(mbtowc(&wide, utf8, 3) == 3 && wide == 0x20ac);
	CHECK(swprintf(line, 16, L"%ls %d", L"x\u20ac", 5) == 4 && !wcscmp(line, L"x\u20ac 5"));
}

static int compare(const void *a, const void *b, void *count)
{
	++*(int *)count;
	return *(const int *)a - *(const int *)b;
}

static void containers(void)
{
	ENTRY entry = {(char *)"key", (char *)"value"}, *found;
	int numbers[50], calls = 0, sorted = 1;

	for (int i = 0; i < 50; i++)
		numbers[i] = i * 37 % 50;
	qsort_r(numbers, 50, sizeof(int), compare, &calls);
	for (int i = 0; i < 50; i++)
		sorted &= numbers[i] == i;
	CHECK(sorted && calls >= 49);
	CHECK(hcreate(10) && hsearch(entry, ENTER));
	found = hsearch((ENTRY){(char *)"key", NULL}, FIND);
	CHECK(found && !strcmp(found->data, "value"));
	hdestroy();
}

static void addresses(void)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				 .ai_socktype = SOCK_STREAM};
	struct addrinfo *a;
	char host[64], service[16];

	CHECK(!getaddrinfo("127.0.0.1", "80", &hints, &a) && a->ai_family == AF_INET);
	EQUAL(((struct sockaddr_in *)a->ai_addr)->sin_port, htons(80));
	freeaddrinfo(a);
	CHECK(!getaddrinfo("fe80::1", "443", &hints, &a) && a->ai_family == AF_INET6);
	CHECK(!getnameinfo(a->ai_addr, a->ai_addrlen, host, sizeof(host), service, sizeof(service),
			   NI_NUMERICHOST | NI_NUMERICSERV));
	TEXT(host, "fe80::1");
	TEXT(service, "443");
	freeaddrinfo(a);
}

static void complex_numbers(void)
{
	volatile double complex a = 3 + 4 * I, b = 1 - 2 * I;
	long double complex turn = cexpl(I * 3.14159265358979323846264338327950288L);

	CHECK(creal(a * b) == 11 && cimag(a * b) == -2 && cabs(a) == 5);
	CHECK(fabs(creal(a / b) + 1) < 1e-15 && fabs(cimag(a / b) - 2) < 1e-15);
	CHECK(cimag(csqrt(-1)) == 1);
	CHECK(fabsl(creall(turn) + 1) < 1e-15L);
}

int main(void)
{
	sem_init(&notified, 0, 0);
	queues();
	timer_thread();
	named_memory();
	far_offsets();
	far_times();
	watches();
	patterns();
	text();
	containers();
	addresses();
	complex_numbers();
	return checks_end();
}
