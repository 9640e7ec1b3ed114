/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bad pointers on every row. The generator gives each call arguments with which the kernel gets
 * as far as its pointers, then makes one pointer after the other bad: unmapped, beyond 4 GiB, not
 * writable, reaching into an unmapped page, NULL. The answer is EFAULT, for NULL in some calls EINVAL.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/structs.h"
#include "syscall/hostnr.h"
#include "syscall/syscall.h"
#include "task/task.h"

/* Guest memory: two writable pages, a hole behind them, a read-only page. */
#define WRITABLE     0x100000u
#define HOLE         (WRITABLE + 2 * MEM_PAGE_SIZE)
#define READ_ONLY    (HOLE + MEM_PAGE_SIZE)
#define GOOD         (WRITABLE + 64)            /* zeros */
#define GOOD_NAME    (WRITABLE + MEM_PAGE_SIZE) /* strings */
#define GOOD_PATH    (GOOD_NAME + 64)
#define DIRECTORY    (GOOD_NAME + 256)
#define LENGTH       (GOOD_NAME + 384)  /* 16, of a socket address */
#define CAPABILITIES (GOOD_NAME + 512)  /* a header of capget */
#define MOUNT_ATTR   (GOOD_NAME + 768)  /* mount_attr that asks for something */
#define LINK         (GOOD_NAME + 1024) /* the name of one */
#define LAST_PAGE    0xfffff000u

static struct ilp32run_options options;
static struct process process = {.opt = &options};
static struct task task = {.process = &process};
static int file, file2, directory, sock, listener, epoll, timerfd, inotify, fanotify, pipe_in,
	pipe_out, queue, timer, ruleset;
/* 0 or -1, for exemptions. */
static int xattrs, privileged, has_groups, kernel_log;
static char path[] = "/tmp/test_generic.XXXXXX";

/* --- arguments that work ----------------------------------------------------------------------------- */

/*
 * Where the general choice (a regular file, 0, a zeroed buffer...) does not do: ARG of call NR is VALUE
 * or one of the descriptors above, when pointer BAD is the bad one (ANY: whichever).
 */
#define ANY (-1)
static const struct {
	unsigned nr;
	int bad;
	unsigned arg;
	uint32_t value;
	const int *fd;
} choices[] = {
	{13, ANY, 0, 0, &file},
	{17, ANY, 1, 4096, NULL},
	{21, ANY, 0, 0, &epoll},
	{21, ANY, 1, EPOLL_CTL_ADD, NULL},
	{21, ANY, 2, 0, &pipe_in},
	{22, ANY, 0, 0, &epoll},
	{22, 1, 4, 0, NULL},
	{22, ANY, 2, 1, NULL},
	{22, ANY, 5, 8, NULL},
	{27, ANY, 0, 0, &inotify},
	{27, ANY, 2, IN_ACCESS, NULL},
	{41, ANY, 0, DIRECTORY, NULL},
	{43, ANY, 1, 88, NULL},
	{44, ANY, 1, 88, NULL},
	{60, ANY, 0, 0x80000700, NULL}, /* Q_GETQUOTA, user */
	{61, ANY, 0, 0, &directory},
	{61, ANY, 2, 1024, NULL},
	{73, 0, 3, 0, NULL},
	{73, 2, 3, 0, NULL},
	{73, ANY, 4, 8, NULL},
	{74, ANY, 0, UINT32_MAX, NULL},
	{74, ANY, 2, 8, NULL},
	/* Offsets of splice are for the side that is no pipe. */
	{76, 1, 2, 0, &pipe_out},
	{76, 1, 3, 0, NULL},
	{76, 3, 0, 0, &pipe_in},
	{76, 3, 1, 0, NULL},
	{76, ANY, 4, 4, NULL},
	{78, ANY, 1, LINK, NULL},
	{86, ANY, 0, 0, &timerfd},
	{87, ANY, 0, 0, &timerfd},
	{90, 1, 0, CAPABILITIES, NULL},
	{91, 1, 0, CAPABILITIES, NULL},
	{95, ANY, 3, WEXITED | WNOHANG | WNOWAIT, NULL},
	{107, 2, 1, 0, NULL},
	{108, ANY, 0, 0, &timer},
	{110, ANY, 0, 0, &timer},
	{116, ANY, 0, 3, NULL}, /* SYSLOG_ACTION_READ_ALL */
	{133, ANY, 1, 8, NULL},
	{134, ANY, 0, SIGUSR1, NULL},
	{134, 1, 2, 0, NULL},
	{134, 2, 1, 0, NULL},
	{134, ANY, 3, 8, NULL},
	{135, 1, 2, 0, NULL},
	{135, 2, 1, 0, NULL},
	{135, ANY, 3, 8, NULL},
	{136, ANY, 1, 8, NULL},
	{137, ANY, 3, 8, NULL},
	{158, ANY, 0, 65536, NULL},
	{180, 3, 1, O_CREAT, NULL},
	{182, ANY, 0, 0, &queue},
	{183, ANY, 0, 0, &queue},
	{185, ANY, 0, 0, &queue},
	{185, 2, 1, 0, NULL}, /* would make it blocking */
	{200, ANY, 0, 0, &sock},
	{202, ANY, 0, 0, &listener},
	{202, 1, 2, LENGTH, NULL},
	{203, ANY, 0, 0, &sock},
	{204, ANY, 0, 0, &sock},
	{204, 1, 2, LENGTH, NULL},
	{205, ANY, 0, 0, &sock},
	{205, 1, 2, LENGTH, NULL},
	{206, ANY, 0, 0, &sock},
	{206, 1, 4, 0, NULL},
	{207, ANY, 0, 0, &sock},
	{207, 4, 5, LENGTH, NULL},
	{207, ANY, 3, MSG_DONTWAIT | MSG_PEEK, NULL},
	{208, ANY, 0, 0, &sock},
	{208, ANY, 1, SOL_SOCKET, NULL},
	{208, ANY, 2, SO_REUSEADDR, NULL},
	{209, ANY, 0, 0, &sock},
	{209, ANY, 1, SOL_SOCKET, NULL},
	{209, ANY, 2, SO_REUSEADDR, NULL},
	{211, ANY, 0, 0, &sock},
	{212, ANY, 0, 0, &sock},
	{212, ANY, 2, MSG_DONTWAIT | MSG_PEEK, NULL},
	{236, ANY, 1, 0, NULL},
	{242, ANY, 0, 0, &listener},
	{242, 1, 2, LENGTH, NULL},
	{243, ANY, 0, 0, &sock},
	{243, ANY, 3, MSG_DONTWAIT | MSG_PEEK, NULL},
	{261, ANY, 2, 0, NULL}, /* a limit of zero would be set */
	{263, ANY, 0, 0, &fanotify},
	{263, ANY, 1, 1, NULL}, /* FAN_MARK_ADD */
	{263, ANY, 2, 1, NULL},
	{269, ANY, 0, 0, &sock},
	{275, ANY, 2, 56, NULL},
	{285, ANY, 0, 0, &file},
	{285, ANY, 2, 0, &file2},
	{285, ANY, 4, 4, NULL},
	{408, ANY, 0, 0, &timer},
	{409, ANY, 0, 0, &timer},
	{410, ANY, 0, 0, &timerfd},
	{411, ANY, 0, 0, &timerfd},
	{414, 0, 3, 0, NULL},
	{414, 2, 3, 0, NULL},
	{414, ANY, 4, 8, NULL},
	{417, ANY, 0, 0, &sock},
	{417, ANY, 3, MSG_DONTWAIT | MSG_PEEK, NULL},
	{418, ANY, 0, 0, &queue},
	{419, ANY, 0, 0, &queue},
	{421, ANY, 3, 8, NULL},
	{429, 1, 0, 0, &directory},
	{437, ANY, 3, 24, NULL},
	{441, ANY, 0, 0, &epoll},
	{441, 1, 4, 0, NULL},
	{441, ANY, 2, 1, NULL},
	{441, ANY, 5, 8, NULL},
	{442, ANY, 4, 32, NULL},
	{442, 1, 3, MOUNT_ATTR, NULL},
	{445, ANY, 0, 0, &ruleset},
	{445, ANY, 1, 1, NULL}, /* LANDLOCK_RULE_PATH_BENEATH */
};

static bool chosen(unsigned nr, unsigned arg, unsigned bad, uint32_t *value)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		if (choices[i].nr == nr && choices[i].arg == arg &&
		    (choices[i].bad == ANY || choices[i].bad == (int)bad)) {
			*value = choices[i].fd ? (uint32_t)*choices[i].fd : choices[i].value;
			return true;
		}
	}
	return false;
}

/* Pointers that are not tried, and why. Those with a descriptor only if that could not be made. */
static const struct {
	unsigned nr;
	int arg;
	const int *without;
	const char *why;
} exempt[] = {
	{8, 2, &xattrs, "needs a file system with user.* attributes"},
	{9, 2, &xattrs, "needs a file system with user.* attributes"},
	{10, 2, &xattrs, "needs a file system with user.* attributes"},
	{11, 1, &xattrs, "needs a file system with user.* attributes"},
	{12, 1, &xattrs, "needs a file system with user.* attributes"},
	{13, 1, &xattrs, "needs a file system with user.* attributes"},
	{100, ANY, NULL, "the test's task is in no list"},
	{101, 1, NULL, "written after a signal only"},
	{115, 3, NULL, "written after a signal only"},
	{407, 3, NULL, "written after a signal only"},
	{137, 1, NULL, "written with a signal only"},
	{421, 1, NULL, "written with a signal only"},
	{18, ANY, NULL, "hosts from Linux 6.7 on have no lookup_dcookie"},
	{60, 3, NULL, "needs a file system with quotas"},
	{105, ANY, NULL, "needs a host with modules, and one for it"},
	{106, ANY, NULL, "needs a host with modules"},
	{273, ANY, NULL, "needs a host with modules, and one for it"},
	{294, ANY, NULL, "needs a host with kexec, and a kernel for it"},
	{116, ANY, &kernel_log, "needs CAP_SYSLOG and something in the log"},
	{142, ANY, NULL, "a host without the check would reboot"},
	{158, 1, &has_groups, "needs supplementary groups"},
	{263, ANY, &fanotify, "needs fanotify"},
	{41, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{89, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{159, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{161, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{162, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{224, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{225, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{430, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{433, ANY, &privileged, "needs CAP_SYS_ADMIN or the like"},
	{429, ANY, &privileged, "needs CAP_SYS_ADMIN"},
	{431, ANY, NULL, "needs a file system context"},
	{442, ANY, &privileged, "needs CAP_SYS_ADMIN"},
	{443, 3, NULL, "needs a file system with quotas"},
	{445, ANY, &ruleset, "needs Landlock"},
};

/* Results that the kernel does not miss when they cannot be written: the time that was left. */
static const struct {
	unsigned nr, arg;
} unimportant[] = {{72, 4}, {73, 2}, {413, 4}, {414, 2}};

static bool must_be_written(unsigned nr, unsigned arg)
{
	for (size_t i = 0; i < sizeof(unimportant) / sizeof(unimportant[0]); i++) {
		if (unimportant[i].nr == nr && unimportant[i].arg == arg)
			return false;
	}
	return true;
}

static bool is_exempt(unsigned nr, unsigned arg)
{
	for (size_t i = 0; i < sizeof(exempt) / sizeof(exempt[0]); i++) {
		if (exempt[i].nr == nr && (exempt[i].arg == ANY || exempt[i].arg == (int)arg))
			return !exempt[i].without || *exempt[i].without < 0;
	}
	return false;
}

static uint32_t general(const struct sys_row *row, const struct sys_arg *a, unsigned i)
{
	switch ((enum sys_type)a->type) {
	case T_FD: return (uint32_t)file;
	case T_DFD: return (uint32_t)AT_FDCWD;
	case T_UINT:
	case T_INT:
		/* A length that belongs to a pointer. */
		for (unsigned k = 0; sys_arg_of(row, k); k++) {
			const struct sys_arg *p = sys_arg_of(row, k);

			if (p->len == (int)i)
				return p->st ? 1 : 16;
		}
		return 0;
	case T_PATH:
	case T_PATH_LINK:
	case T_PATH_NEW: return GOOD_PATH;
	case T_STR: return GOOD_NAME;
	default: return a->type >= T_PATH ? GOOD : 0;
	}
}

/* Registers for ROW with logical argument BAD being VALUE. */
static void registers(unsigned nr, unsigned bad, uint32_t value, uint64_t x[9])
{
	const struct sys_row *row = &sys_table[nr];
	unsigned i = 0, reg = 0;

	memset(x, 0, 9 * sizeof(x[0]));
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
		uint32_t v;

		if (a->type == T_PAD) {
			reg++;
			continue;
		}
		if (i == bad)
			v = value;
		else if (!chosen(nr, i, bad, &v))
			v = general(row, a, i);
		x[reg++] = v;
		reg += a->type == T_OFF64 || a->type == T_OFF64_HL || a->type == T_POS64;
		i++;
	}
	x[8] = nr;
}

/* --- what is bad --------------------------------------------------------------------------------------- */

static bool writes(const struct sys_arg *a)
{
	switch ((enum sys_type)a->type) {
	case T_OUT:
	case T_INOUT:
	case T_OUT_ARRAY:
	case T_BUF_OUT:
	case T_DIRENTS:
	case T_SIGSET_OUT:
	case T_INT_OUT:
	case T_INT_INOUT:
	case T_U64_OUT:
	case T_U64_INOUT: return true;
	default: return false;
	}
}

/* Bytes that must be there as a whole; 0: a part of them may do. */
static unsigned whole_size(const struct sys_arg *a)
{
	switch ((enum sys_type)a->type) {
	case T_IN:
	case T_OUT:
	case T_INOUT: return a->st->gsize;
	case T_IN_ARRAY:
	case T_OUT_ARRAY: return a->st->gsize * (a->fixed ? a->fixed : 1u);
	case T_IOVEC_IN:
	case T_IOVEC_OUT:
	case T_SIGSET:
	case T_SIGSET_OUT:
	case T_U64_OUT:
	case T_U64_INOUT: return 8;
	case T_INT_OUT:
	case T_INT_INOUT: return 4;
	default: return 0;
	}
}

static unsigned failures;

/*
 * A call in registers X, during which both writable pages hold translated code. Whoever wrote to one, the host
 * or a handler: its code must be gone.
 */
static int64_t dispatch(const uint64_t x[9])
{
	static uint8_t before[2 * MEM_PAGE_SIZE], behind[2 * MEM_PAGE_SIZE];
	int64_t r;

	mem_copy_in(before, WRITABLE, sizeof(before));
	assert_true(mem_mark_code(WRITABLE) && mem_mark_code(WRITABLE + MEM_PAGE_SIZE));
	r = sys_dispatch(&task, x);
	mem_copy_in(behind, WRITABLE, sizeof(behind));
	for (unsigned at = 0; at < sizeof(before); at += MEM_PAGE_SIZE) {
		if (memcmp(before + at, behind + at, MEM_PAGE_SIZE) == 0 ||
		    !(mem_page_bits(WRITABLE + at) & PG_CODE))
			continue;
		print_error("%u %s: %lld, stale code\n", (unsigned)x[8], sys_table[x[8]].name,
			    (long long)r);
		failures++;
	}
	return r;
}

/* A child that has ended: wait4 takes it also when it cannot write. */
static void ensure_child(void)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return;
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
}

static void expect_fault(unsigned nr, unsigned arg, uint32_t value, const char *how)
{
	uint64_t x[9];
	int64_t r;

	/* Calls that fail late may have written to the good buffer or taken the message. */
	assert_int_equal(mem_zero_out(GOOD, 1024), 0);
	assert_int_equal(mem_zero_out(HOLE - 256, 256), 0);
	assert_int_equal(mem_put_u32(LENGTH, 16), 0);
	mq_send(queue, "x", 1, 0);
	ensure_child();
	registers(nr, arg, value, x);
	r = dispatch(x);
	/* Some calls look for NULL before anything else (timer_settime). */
	if (r != -EFAULT && !(r == -EINVAL && value == 0)) {
		print_error("%u %s, argument %u %s: %lld\n", nr, sys_table[nr].name, arg, how,
			    (long long)r);
		failures++;
	}
}

static void try_pointer(unsigned nr, const struct sys_arg *a, unsigned i)
{
	unsigned size = whole_size(a);

	expect_fault(nr, i, HOLE, "unmapped");
	expect_fault(nr, i, LAST_PAGE + MEM_PAGE_SIZE - 1, "at the end of the address space");
	if (!a->optional)
		expect_fault(nr, i, 0, "NULL");
	if (writes(a) && must_be_written(nr, i))
		expect_fault(nr, i, READ_ONLY, "read-only");
	if (size > 1) {
		expect_fault(nr, i, HOLE - size + 1, "reaching into an unmapped page");
		expect_fault(nr, i, 0u - size + 1, "beyond 4 GiB");
	}
}

static void test_bad_pointers(void **state)
{
	unsigned pointers[2] = {0};

	(void)state;
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];

		if (row->status != SYS_DONE)
			continue;
		for (unsigned i = 0; sys_arg_of(row, i); i++) {
			const struct sys_arg *a = sys_arg_of(row, i);

			if (a->type < T_PATH || a->type == T_ARGV || a->type == T_ENVP ||
			    a->type == T_OPAQUE || is_exempt(nr, i))
				continue;
			pointers[row->handler != NULL]++;
			try_pointer(nr, a, i);
		}
	}
	assert_true(pointers[false] > 130 && pointers[true] > 30);
	assert_int_equal(failures, 0);
}

/* Handlers whose host call writes into the guest's memory: dispatch() looks for stale code. */
static void test_written_by_the_host(void **state)
{
	static const struct {
		uint32_t nr, x[6];
		int64_t result;
		uint32_t at; /* what changes there */
	} calls[] = {
		{167, {16 /* PR_GET_NAME */, GOOD}, 0, GOOD},
		{167, {37 /* PR_GET_CHILD_SUBREAPER */, GOOD}, 0, GOOD},
		{260, {UINT32_MAX, GOOD, 0, 0}, 1, GOOD},
		{25, {0, 16 /* F_GETOWN_EX */, GOOD}, 0, GOOD},
		{209, {0, SOL_SOCKET, SO_RCVBUF, GOOD, LENGTH}, 0, GOOD},
		{73, {GOOD, 1, GOOD + 64, 0, 8}, 1, GOOD},
	};

	(void)state;
	failures = 0;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const uint32_t *a = calls[i].x;
		uint64_t x[9] = {a[0], a[1], a[2], a[3], a[4], a[5], 0, 0, calls[i].nr};
		uint8_t before[8], behind[8];
		int64_t r;

		/* Also the pollfd of an invalid descriptor. */
		assert_int_equal(mem_put_u32(calls[i].at, 0x5a5a5a5a), 0);
		assert_int_equal(mem_put_u32(calls[i].at + 4, 0), 0);
		if (calls[i].nr == 25 || calls[i].nr == 209)
			x[0] = (uint64_t)sock;
		ensure_child();
		mem_copy_in(before, calls[i].at, sizeof(before));
		r = dispatch(x);
		if (calls[i].result ? r < calls[i].result : r != 0)
			fail_msg("%u: %lld", calls[i].nr, (long long)r);
		mem_copy_in(behind, calls[i].at, sizeof(behind));
		assert_memory_not_equal(before, behind, sizeof(before));
	}
	assert_int_equal(failures, 0);
}

/* --- set-up --------------------------------------------------------------------------------------------- */

static int map(gaddr a, uint32_t len, int prot)
{
	return mem_mmap(a, len, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == a ? 0 : -1;
}

static int make_listener(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = ""};
	socklen_t len = sizeof(sa_family_t);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	/* Every accept takes a connection, also when it then fails for its pointers. */
	if (bind(fd, (struct sockaddr *)&name, len) || listen(fd, 64))
		return -1;
	len = sizeof(name);
	if (getsockname(fd, (struct sockaddr *)&name, &len))
		return -1;
	for (unsigned i = 0; i < 40; i++) {
		int c = socket(AF_UNIX, SOCK_STREAM, 0);

		if (connect(c, (struct sockaddr *)&name, len))
			return -1;
	}
	return fd;
}

static int make_queue(void)
{
	const struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 16};
	int fd = (int)mq_open("/test_generic", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &attr);

	mq_unlink("/test_generic");
	return fd >= 0 && mq_send(fd, "x", 1, 0) == 0 ? fd : -1;
}

static int make_ruleset(void)
{
	const uint64_t handled = 1; /* LANDLOCK_ACCESS_FS_EXECUTE */

	return (int)sys_host(444, &handled, sizeof(handled), 0);
}

static void make_descriptors(void)
{
	enum { SYSLOG_ACTION_READ_ALL = 3 };
	char text[16];
	int fds[2];

	file = mkstemp(path);
	file2 = open("/tmp", O_RDWR | O_TMPFILE, 0600);
	directory = open("/tmp", O_RDONLY | O_DIRECTORY);
	epoll = epoll_create1(0);
	timerfd = timerfd_create(CLOCK_MONOTONIC, 0);
	inotify = inotify_init1(0);
	fanotify = fanotify_init(FAN_REPORT_FID, O_RDONLY);
	listener = make_listener();
	assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0),
				   &(struct epoll_event){.events = EPOLLIN}),
			 0);
	queue = make_queue();
	ruleset = make_ruleset();
	assert_int_equal(sys_host(HOSTNR(timer_create), CLOCK_MONOTONIC, 0, &timer), 0);
	assert_int_equal(pipe(fds), 0);
	pipe_in = fds[0];
	pipe_out = fds[1];
	assert_int_equal(write(pipe_out, "in the pipe", 11), 11);
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds), 0);
	sock = fds[0];
	const struct sockaddr any = {.sa_family = AF_UNIX}; /* gets a name */
	assert_int_equal(bind(fds[1], &any, sizeof(any.sa_family)), 0);
	assert_int_equal(write(fds[1], "a datagram", 10), 10);
	assert_true(file >= 0 && file2 >= 0 && directory >= 0 && epoll >= 0 && timerfd >= 0 &&
		    inotify >= 0 && listener >= 0 && queue >= 0);
	assert_int_equal(write(file, "some text for reading", 21), 21);
	assert_int_equal(lseek(file, 0, SEEK_SET), 0);
	xattrs = fsetxattr(file, "user.name", "value", 5, 0);
	privileged = geteuid() == 0 ? 0 : -1;
	kernel_log = klogctl(SYSLOG_ACTION_READ_ALL, text, sizeof(text)) > 0 ? 0 : -1;
	has_groups = getgroups(0, NULL) > 0 ? 0 : -1;
}

static int set_up(void **state)
{
	const struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = 8 << 20};
	uint8_t header[8] = {0};

	(void)state;
	ilp32run_options_init(&options);
	task.tid = getpid();
	task_self = &task;
	if (mem_init(&cfg) ||
	    map(WRITABLE, 2 * MEM_PAGE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC) ||
	    map(READ_ONLY, MEM_PAGE_SIZE, PROT_READ))
		return -1;
	make_descriptors();
	abi_put32(header, 0x20080522);          /* _LINUX_CAPABILITY_VERSION_3 */
	return mem_put_u32(MOUNT_ATTR, 0x80) || /* MOUNT_ATTR_NODIRATIME */
	       mem_copy_out(GOOD_NAME, "user.name", 10) ||
	       mem_copy_out(GOOD_PATH, path, sizeof(path)) || mem_copy_out(DIRECTORY, "/", 2) ||
	       mem_copy_out(LINK, "/proc/self/cwd", 15) ||
	       mem_copy_out(CAPABILITIES, header, sizeof(header));
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_pointers),
		cmocka_unit_test(test_written_by_the_host),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
