/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As the kernel does it, an interval goes on when the signal has been taken from the queue, and the periods that passed
 * meanwhile are counted as overruns; so what nobody takes lets no time pass. A timerfd's count rises on; but while nobody
 * reads it, it lets no time pass either.
 *
 * All is under the scheduler's lock. Timerfds, which processes may share, have their times in memory that all share.
 */
#include "task/vtimer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/clock.h"
#include "task/family.h"
#include "task/internal.h"

#define NS_PER_SEC  1000000000ull
#define CODE_TIMER  (-2)
#define CODE_KERNEL 0x80
#define ITIMER_ID   INT32_MIN /* in the siginfo of one, until it is delivered */

enum { ITIMER_REAL_, ITIMER_VIRTUAL_, ITIMER_PROF_ };
/* Those whose default is to do nothing. */
#define IGNORED (SIGBIT(SIGCHLD) | SIGBIT(SIGCONT) | SIGBIT(SIGURG) | SIGBIT(SIGWINCH))
enum { NOTIFY_SIGNAL, NOTIFY_NONE, NOTIFY_THREAD_ID = 4 };

struct vtimer {
	struct vtimer *next;
	pid_t tgid; /* whose */
	int id;     /* of timer_create(2); ITIMER_ID + which */
	int clock, notify, signo;
	pid_t tid; /* NOTIFY_THREAD_ID */
	uint64_t value;
	uint64_t expiry, interval; /* ns of task_clock_ns(); expiry 0: not armed */
	bool sent;                 /* with an interval: nobody has taken it so far */
	uint32_t overrun;
};

static struct vtimer *timers;

static bool is_itimer(const struct vtimer *v)
{
	return v->id < ITIMER_ID + FAMILY_ITIMERS;
}

static struct vtimer **find(pid_t tgid, int id)
{
	struct vtimer **at = &timers;

	while (*at && ((*at)->tgid != tgid || (*at)->id != id))
		at = &(*at)->next;
	return at;
}

static struct vtimer *add(pid_t tgid, int id)
{
	struct vtimer *v = calloc(1, sizeof *v);

	if (!v)
		abort();
	v->tgid = tgid;
	v->id = id;
	v->next = timers;
	timers = v;
	return v;
}

/* --- spans of time ------------------------------------------------------------------------------------------ */

static uint64_t span(const struct host_timespec *ts)
{
	const uint64_t most = INT64_MAX / 4 / NS_PER_SEC;

	return (uint64_t)ts->tv_sec < most
		       ? (uint64_t)ts->tv_sec * NS_PER_SEC + (uint64_t)ts->tv_nsec
		       : most * NS_PER_SEC;
}

static struct host_timespec timespec(uint64_t ns)
{
	return (struct host_timespec){(int64_t)(ns / NS_PER_SEC), (int64_t)(ns % NS_PER_SEC)};
}

static uint64_t first_expiry(int clock, bool absolute, const struct host_timespec *ts)
{
	if (!ts->tv_sec && !ts->tv_nsec)
		return 0;
	return absolute ? task_clock_moment(clock, ts) : task_clock_ns(clock) + span(ts);
}

/* As timer_gettime(2) and all the others tell it: one that has run out and not fired yet has 1 ns left. */
static struct host_itimerspec rest(uint64_t expiry, uint64_t interval, uint64_t now)
{
	struct host_itimerspec r = {.it_interval = timespec(interval)};

	if (expiry && expiry <= now && interval)
		expiry += ((now - expiry) / interval + 1) * interval;
	if (expiry)
		r.it_value = timespec(expiry > now ? expiry - now : 1);
	return r;
}

static struct host_itimerspec left(const struct vtimer *v)
{
	uint64_t now = task_clock_ns(v->clock);

	/* Nothing will come of it. */
	if (v->notify == NOTIFY_NONE && !v->interval && v->expiry <= now)
		return (struct host_itimerspec){0};
	return rest(v->expiry, v->interval, now);
}

/* How many periods are over, which *EXPIRY leaves behind it. */
static uint64_t forward(uint64_t *expiry, uint64_t interval, uint64_t now)
{
	uint64_t n = (now - *expiry) / interval + 1;

	*expiry += n * interval;
	return n;
}

/* --- signals ------------------------------------------------------------------------------------------------- */

static bool is_pending(const struct vtimer *v)
{
	char path[64], line[128];
	const char *name = v->notify == NOTIFY_THREAD_ID ? "SigPnd:" : "ShdPnd:";
	uint64_t set = 0;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)v->tgid,
		 (int)(v->notify == NOTIFY_THREAD_ID ? v->tid : v->tgid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	char text[4096];
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strstr(text, name);
	if (at && sscanf(at, "%127s %" SCNx64, line, &set) != 2)
		set = 0;
	return set & SIGBIT(v->signo);
}

/* What the process ignores, nobody takes. */
static bool is_ignored(const struct vtimer *v)
{
	if (v->tgid != getpid())
		return false;
	gaddr handler = task_first_process.action[v->signo].handler;
	return handler == 1 || (handler == 0 && (SIGBIT(v->signo) & IGNORED));
}

static void send(const struct vtimer *v)
{
	struct host_siginfo info = {.si_signo = v->signo, .si_code = CODE_TIMER};

	info.u.timer.tid = v->id;
	info.u.timer.value = v->value;
	if (v->notify == NOTIFY_THREAD_ID)
		syscall(SYS_rt_tgsigqueueinfo, v->tgid, v->tid, v->signo, &info);
	else
		syscall(SYS_rt_sigqueueinfo, v->tgid, v->signo, &info);
}

/* The signal has been taken: the interval goes on. */
static void go_on(struct vtimer *v)
{
	uint64_t now = task_clock_ns(v->clock);

	v->sent = false;
	v->overrun = 0;
	if (v->expiry && v->interval && v->expiry <= now)
		v->overrun = (uint32_t)(forward(&v->expiry, v->interval, now) - 1);
}

/* It is due. */
static bool fire(struct vtimer *v)
{
	if (v->notify == NOTIFY_NONE)
		return false; /* rest() tells */
	if (v->sent && is_pending(v))
		return false;
	if (v->sent) {
		go_on(v);
		return true;
	}
	send(v);
	if (!v->interval) {
		v->expiry = 0;
		v->overrun = 0;
	} else if (is_itimer(v) && v->id != ITIMER_ID + ITIMER_REAL_) {
		forward(&v->expiry, v->interval, task_clock_ns(v->clock));
	} else {
		v->sent = true;
	}
	return true;
}

void vtimer_delivered(struct host_siginfo *info)
{
	if (info->si_code != CODE_TIMER || !task_is_deterministic())
		return;
	sched_lock();
	struct vtimer *v = *find(getpid(), info->u.timer.tid);
	if (v && v->sent)
		go_on(v);
	if (v && is_itimer(v)) {
		memset(&info->u, 0, sizeof info->u);
		info->si_code = CODE_KERNEL;
	} else if (v) {
		info->u.timer.overrun = (int32_t)v->overrun;
	}
	sched_unlock();
}

/* --- calls ----------------------------------------------------------------------------------------------------- */

void vtimer_create(struct task *t, int clock, const struct host_sigevent *ev, int id)
{
	sched_lock();
	struct vtimer *v = add(t->tgid, id);
	v->clock = clock;
	v->notify = ev ? ev->sigev_notify : NOTIFY_SIGNAL;
	v->signo = ev ? ev->sigev_signo : SIGALRM;
	v->value = ev ? ev->sigev_value : (uint32_t)id;
	v->tid = ev ? ev->tid : 0;
	sched_unlock();
}

static void set(struct vtimer *v, bool absolute, const struct host_itimerspec *new)
{
	v->expiry = first_expiry(v->clock, absolute, &new->it_value);
	v->interval = v->expiry ? span(&new->it_interval) : 0;
	v->sent = false;
	v->overrun = 0;
}

int vtimer_set(struct task *t, int id, bool absolute, const struct host_itimerspec *new,
	       struct host_itimerspec *old)
{
	sched_need(t);
	sched_lock();
	struct vtimer *v = *find(t->tgid, id);
	if (v) {
		*old = left(v);
		set(v, absolute, new);
	}
	sched_unlock();
	return v ? 0 : -EINVAL;
}

int vtimer_get(struct task *t, int id, struct host_itimerspec *now)
{
	sched_lock();
	struct vtimer *v = *find(t->tgid, id);
	if (v)
		*now = left(v);
	sched_unlock();
	return v ? 0 : -EINVAL;
}

int vtimer_overrun(struct task *t, int id)
{
	sched_lock();
	struct vtimer *v = *find(t->tgid, id);
	if (v && v->sent && !is_pending(v))
		go_on(v);
	int n = v ? (int)v->overrun : -EINVAL;
	sched_unlock();
	return n;
}

void vtimer_delete(struct task *t, int id)
{
	sched_lock();
	struct vtimer **at = find(t->tgid, id), *v = *at;
	if (v) {
		*at = v->next;
		free(v);
	}
	sched_unlock();
}

static struct vtimer *itimer(pid_t tgid, int which)
{
	static const struct {
		int clock, signo;
	} of[FAMILY_ITIMERS] = {{CLOCK_MONOTONIC, SIGALRM},
				{CLOCK_PROCESS_CPUTIME_ID, SIGVTALRM},
				{CLOCK_PROCESS_CPUTIME_ID, SIGPROF}};
	struct vtimer *v = *find(tgid, ITIMER_ID + which);

	if (!v)
		v = add(tgid, ITIMER_ID + which);
	v->clock = of[which].clock;
	v->signo = of[which].signo;
	return v;
}

static struct host_timeval timeval(struct host_timespec ts)
{
	return (struct host_timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

void vtimer_itimer(struct task *t, int which, const struct host_itimerval *new,
		   struct host_itimerval *old)
{
	if (new)
		sched_need(t);
	sched_lock();
	struct vtimer *v = itimer(t->tgid, which);
	struct host_itimerspec was = left(v);
	*old = (struct host_itimerval){timeval(was.it_interval), timeval(was.it_value)};
	/* What is left is never nothing (kernel: itimer_get_remtime()). */
	if (v->expiry && !old->it_value.tv_sec && !old->it_value.tv_usec)
		old->it_value.tv_usec = 1;
	if (new) {
		struct host_itimerspec next = {
			{new->it_interval.tv_sec, new->it_interval.tv_usec * 1000},
			{new->it_value.tv_sec, new->it_value.tv_usec * 1000}};
		set(v, false, &next);
	}
	sched_unlock();
}

/* --- timerfd ----------------------------------------------------------------------------------------------------- */

/* The tag of a host timerfd is its interval, which it keeps as long as it is not set otherwise, over dup, fork and execve. */
#define TAG_SECONDS 4000000000ll

#define TICKS_SET _IOW('T', 0, uint64_t) /* TFD_IOC_SET_TICKS */

struct fd_info {
	uint32_t tag; /* 0: none of ours */
	int clock;
	uint64_t ticks;
};

/* FD of process or thread PID. */
static bool fd_info(const char *pid, const char *fd, struct fd_info *info)
{
	char path[80], text[1024];
	const char *at;
	long long sec, nsec;

	snprintf(path, sizeof path, "/proc/%s/fdinfo/%s", pid, fd);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	ssize_t n = read(file, text, sizeof text - 1);
	close(file);
	text[n > 0 ? n : 0] = '\0';
	memset(info, 0, sizeof *info);
	at = strstr(text, "clockid:");
	if (!at)
		return false;
	info->clock = (int)strtol(at + 8, NULL, 10);
	at = strstr(text, "ticks:");
	info->ticks = at ? strtoull(at + 6, NULL, 10) : 0;
	at = strstr(text, "it_interval:");
	if (at && sscanf(at + 12, " (%lld, %lld)", &sec, &nsec) == 2 && sec == TAG_SECONDS)
		info->tag = (uint32_t)nsec;
	return true;
}

static struct family_timerfd *book(uint32_t tag)
{
	struct family_timerfd *f = family_timerfds();

	for (int i = 0; tag && i < FAMILY_TIMERFDS; i++) {
		if (f[i].tag == tag)
			return &f[i];
	}
	return NULL;
}

/* One for TAG: of those that are not armed, nothing need be known. */
static struct family_timerfd *new_book(uint32_t tag)
{
	struct family_timerfd *f = family_timerfds();

	for (int i = 0; i < FAMILY_TIMERFDS; i++) {
		uint32_t before = f[i].tag;

		if ((!before || !f[i].expiry) &&
		    atomic_compare_exchange_strong(&f[i].tag, &before, tag))
			return &f[i];
	}
	return NULL;
}

/* By its number in the table above: what this process found when it looked for the descriptor. */
static struct {
	uint32_t tag;
	bool missing, unread;
} seen[FAMILY_TIMERFDS];

static bool can_set(pid_t tgid, int fd)
{
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_getfd)
	static int answer = -1;
	uint64_t one = 1, ticks;

	if (answer < 0) {
		int probe =
			(int)syscall(SYS_timerfd_create, CLOCK_MONOTONIC, O_NONBLOCK | O_CLOEXEC);
		int pid = (int)syscall(SYS_pidfd_open, tgid, 0);
		int copy = pid < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pid, fd, 0);

		answer = copy >= 0 && probe >= 0 && ioctl(probe, TICKS_SET, &one) == 0 &&
			 read(probe, &ticks, sizeof ticks) == sizeof ticks;
		if (probe >= 0)
			close(probe);
		if (pid >= 0)
			close(pid);
		if (copy >= 0)
			close(copy);
	}
	return answer;
#else
	(void)tgid, (void)fd;
	return false;
#endif
}

static void seen_again(const struct family_timerfd *f)
{
	memset(&seen[f - family_timerfds()], 0, sizeof *seen);
}

static int set_fd(int fd, struct fd_info *info, bool absolute, const struct host_itimerspec *new)
{
	struct family_timerfd *f = book(info->tag);
	uint64_t expiry = first_expiry(info->clock, absolute, &new->it_value);

	if (!f && expiry) {
		info->tag = info->tag ? info->tag : family_new_tag();
		f = new_book(info->tag);
		if (!f)
			return -EOPNOTSUPP;
	}
	struct host_itimerspec off = {.it_interval = {TAG_SECONDS, info->tag}};
	if (info->tag && syscall(SYS_timerfd_settime, fd, 0, &off, NULL))
		return -errno;
	if (f) {
		f->interval = expiry ? span(&new->it_interval) : 0;
		f->expiry = expiry;
		seen_again(f);
	}
	return 0;
}

int vtimer_fd(struct task *t, int fd, bool absolute, const struct host_itimerspec *new,
	      struct host_itimerspec *old)
{
	char number[16];
	struct fd_info info;
	int err = 0;

	snprintf(number, sizeof number, "%d", fd);
	task_spare_begin();
	bool known = fd_info("thread-self", number, &info), can = known && can_set(t->tgid, fd);
	task_spare_end();
	if (!can)
		return -EOPNOTSUPP;
	sched_need(t);
	sched_lock();
	struct family_timerfd *f = book(info.tag);
	*old = f ? rest(f->expiry, f->interval, task_clock_ns(info.clock))
		 : (struct host_itimerspec){0};
	if (new)
		err = set_fd(fd, &info, absolute, new);
	else if (f)
		seen_again(f);
	sched_unlock();
	return err;
}

/* A descriptor of this process's with TAG; -1: there is none. */
static int find_fd(pid_t tgid, uint32_t tag, struct fd_info *info)
{
	char path[40], pid[16];
	_Alignas(8) char buf[2048];
	int found = -1;
	long n;

	snprintf(pid, sizeof pid, "%d", (int)tgid);
	snprintf(path, sizeof path, "/proc/%d/fdinfo", (int)tgid);
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	while (found < 0 && (n = syscall(SYS_getdents64, dir, buf, sizeof buf)) > 0) {
		for (long at = 0; at < n && found < 0;) {
			const struct host_dirent64 *d = (const void *)(buf + at);

			at += d->d_reclen;
			if (d->d_name[0] != '.' && fd_info(pid, d->d_name, info) &&
			    info->tag == tag)
				found = atoi(d->d_name);
		}
	}
	close(dir);
	return found;
}

static void set_ticks(pid_t tgid, int fd, uint64_t ticks)
{
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_getfd)
	int pid = (int)syscall(SYS_pidfd_open, tgid, 0);
	int copy = pid < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pid, fd, 0);

	if (copy >= 0) {
		ioctl(copy, TICKS_SET, &ticks);
		close(copy);
	}
	if (pid >= 0)
		close(pid);
#else
	(void)tgid, (void)fd, (void)ticks;
#endif
}

/* All of them are counted by clocks that pass while all wait. */
static bool fire_fd(struct family_timerfd *f, unsigned i)
{
	uint64_t expiry = f->expiry, now = task_clock_ns(CLOCK_MONOTONIC), next = 0, n = 1;
	struct fd_info info;
	int fd = find_fd(getpid(), f->tag, &info);

	seen[i].tag = f->tag;
	seen[i].missing = fd < 0;
	if (fd < 0)
		return false;
	if (f->interval) {
		next = expiry;
		n = forward(&next, f->interval, now);
	}
	if (!atomic_compare_exchange_strong(&f->expiry, &expiry, next))
		return true; /* by another process */
	set_ticks(getpid(), fd, info.ticks + n);
	seen[i].unread = true;
	return true;
}

/* Whether somebody will see it. */
static bool fd_matters(struct family_timerfd *f, unsigned i)
{
	struct fd_info info = {0};

	if (seen[i].tag != f->tag)
		seen[i] = (__typeof__(seen[i])){.tag = f->tag};
	if (seen[i].missing)
		return false;
	if (seen[i].unread) {
		seen[i].missing = find_fd(getpid(), f->tag, &info) < 0;
		seen[i].unread = info.ticks;
	}
	return !seen[i].missing && !seen[i].unread;
}

/* --- for the scheduler -------------------------------------------------------------------------------------------- */

bool vtimers_fire(void)
{
	struct family_timerfd *f = family_timerfds();
	bool any = false;

	for (struct vtimer *v = timers; v; v = v->next) {
		if (v->expiry && v->expiry <= task_clock_ns(v->clock))
			any |= fire(v);
	}
	for (unsigned i = 0; i < FAMILY_TIMERFDS; i++) {
		if (f[i].tag && f[i].expiry && f[i].expiry <= task_clock_ns(CLOCK_MONOTONIC) &&
		    !(seen[i].tag == f[i].tag && seen[i].missing))
			any |= fire_fd(&f[i], i);
	}
	return any;
}

uint64_t vtimers_next(bool waits)
{
	struct family_timerfd *f = family_timerfds();
	uint64_t first = UINT64_MAX, now = task_clock_ns(CLOCK_MONOTONIC);

	for (struct vtimer *v = timers; v; v = v->next) {
		if (!v->expiry || v->notify == NOTIFY_NONE || v->sent || is_ignored(v))
			continue;
		uint64_t when = v->expiry;
		if (task_clock_is_cpu(v->clock)) {
			if (waits)
				continue;
			when += now - task_clock_ns(v->clock);
		}
		if (when < first)
			first = when;
	}
	for (unsigned i = 0; i < FAMILY_TIMERFDS; i++) {
		/* What is due is for another process, if this one did nothing. */
		if (f[i].tag && f[i].expiry > now && f[i].expiry < first &&
		    (!waits || fd_matters(&f[i], i)))
			first = f[i].expiry;
	}
	return first;
}

/* Those of a process that is gone, or whose number TGID a new one has: execve ends all but setitimer's. */
static void drop(pid_t tgid, bool others)
{
	for (struct vtimer **at = &timers; *at;) {
		struct vtimer *v = *at;

		if ((v->tgid == tgid) != others) {
			*at = v->next;
			free(v);
		} else {
			at = &v->next;
		}
	}
}

void vtimers_after_fork(void)
{
	drop(0, true);
	memset(seen, 0, sizeof seen);
}

void vtimers_bury(pid_t tgid)
{
	drop(tgid, false);
}

void vtimers_leave(pid_t tgid, struct family_itimer *kept)
{
	for (int i = 0; i < FAMILY_ITIMERS; i++) {
		struct vtimer *v = *find(tgid, ITIMER_ID + i);

		kept[i] = v ? (struct family_itimer){v->expiry, v->interval}
			    : (struct family_itimer){0};
	}
}

bool vtimers_adopt(pid_t tgid, const struct family_itimer *kept)
{
	bool any = false;

	for (int i = 0; i < FAMILY_ITIMERS; i++) {
		if (!kept[i].expiry)
			continue;
		struct vtimer *v = itimer(tgid, i);
		v->expiry = kept[i].expiry;
		v->interval = kept[i].interval;
		any = true;
	}
	return any;
}
