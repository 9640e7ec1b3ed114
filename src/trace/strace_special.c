/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments whose meaning depends on others, and things that are more than a structure. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "abi/structs.h"
#include "abi/symbols.h"
#include "mem/mem.h"
#include "signal/restart.h"
#include "trace/strace.h"
#include "trace/trace.h"

/* --- the third argument of fcntl and ioctl --------------------------------------------------------- */

/* How ARG of one command is shown: before the call, after it, or as a number. */
struct command {
	uint32_t cmd;
	enum {
		NO_ARG,
		NUMBER,
		NUMBER_OUT,
		NUMBER_IN,
		STRUCT_IN,
		STRUCT_OUT,
		BITS_IN,
		BITS_OUT
	} kind;
	const struct abi_struct *st;
	const struct abi_symbols *symbols;
};

/* Commands by their asm-generic numbers, which symbols_file.c and symbols_ioctl.c name. */
static const struct command fcntl_commands[] = {
	{0, NUMBER, NULL, NULL},                    /* F_DUPFD */
	{1, NO_ARG, NULL, NULL},                    /* F_GETFD */
	{2, BITS_IN, NULL, &abi_sym_fd_flags},      /* F_SETFD */
	{3, NO_ARG, NULL, NULL},                    /* F_GETFL */
	{4, BITS_IN, NULL, &abi_sym_open_flags},    /* F_SETFL */
	{5, STRUCT_OUT, &abi_st_flock, NULL},       /* F_GETLK */
	{6, STRUCT_IN, &abi_st_flock, NULL},        /* F_SETLK */
	{7, STRUCT_IN, &abi_st_flock, NULL},        /* F_SETLKW */
	{8, NUMBER, NULL, NULL},                    /* F_SETOWN */
	{9, NO_ARG, NULL, NULL},                    /* F_GETOWN */
	{11, NO_ARG, NULL, NULL},                   /* F_GETSIG */
	{12, STRUCT_OUT, &abi_st_flock64, NULL},    /* F_GETLK64 */
	{13, STRUCT_IN, &abi_st_flock64, NULL},     /* F_SETLK64 */
	{14, STRUCT_IN, &abi_st_flock64, NULL},     /* F_SETLKW64 */
	{15, STRUCT_IN, &abi_st_f_owner_ex, NULL},  /* F_SETOWN_EX */
	{16, STRUCT_OUT, &abi_st_f_owner_ex, NULL}, /* F_GETOWN_EX */
	{36, STRUCT_OUT, &abi_st_flock64, NULL},    /* F_OFD_GETLK */
	{37, STRUCT_IN, &abi_st_flock64, NULL},     /* F_OFD_SETLK */
	{38, STRUCT_IN, &abi_st_flock64, NULL},     /* F_OFD_SETLKW */
	{1024, NUMBER, NULL, NULL},                 /* F_SETLEASE */
	{1025, NO_ARG, NULL, NULL},                 /* F_GETLEASE */
	{1030, NUMBER, NULL, NULL},                 /* F_DUPFD_CLOEXEC */
	{1031, NUMBER, NULL, NULL},                 /* F_SETPIPE_SZ */
	{1032, NO_ARG, NULL, NULL},                 /* F_GETPIPE_SZ */
	{1034, NO_ARG, NULL, NULL},                 /* F_GET_SEALS */
};

static const struct command ioctl_commands[] = {
	{0x5401, STRUCT_OUT, &abi_st_termios, NULL},      /* TCGETS */
	{0x5402, STRUCT_IN, &abi_st_termios, NULL},       /* TCSETS */
	{0x5403, STRUCT_IN, &abi_st_termios, NULL},       /* TCSETSW */
	{0x5404, STRUCT_IN, &abi_st_termios, NULL},       /* TCSETSF */
	{0x802c542a, STRUCT_OUT, &abi_st_termios2, NULL}, /* TCGETS2 */
	{0x402c542b, STRUCT_IN, &abi_st_termios2, NULL},  /* TCSETS2 */
	{0x402c542c, STRUCT_IN, &abi_st_termios2, NULL},  /* TCSETSW2 */
	{0x402c542d, STRUCT_IN, &abi_st_termios2, NULL},  /* TCSETSF2 */
	{0x5409, NUMBER, NULL, NULL},                     /* TCSBRK */
	{0x540a, NUMBER, NULL, NULL},                     /* TCXONC */
	{0x540b, NUMBER, NULL, NULL},                     /* TCFLSH */
	{0x540e, NUMBER, NULL, NULL},                     /* TIOCSCTTY */
	{0x540f, NUMBER_OUT, NULL, NULL},                 /* TIOCGPGRP */
	{0x5410, NUMBER_IN, NULL, NULL},                  /* TIOCSPGRP */
	{0x5411, NUMBER_OUT, NULL, NULL},                 /* TIOCOUTQ */
	{0x5413, STRUCT_OUT, &abi_st_winsize, NULL},      /* TIOCGWINSZ */
	{0x5414, STRUCT_IN, &abi_st_winsize, NULL},       /* TIOCSWINSZ */
	{0x541b, NUMBER_OUT, NULL, NULL},                 /* FIONREAD */
	{0x5421, NUMBER_IN, NULL, NULL},                  /* FIONBIO */
	{0x5429, NUMBER_OUT, NULL, NULL},                 /* TIOCGSID */
	{0x80045430, NUMBER_OUT, NULL, NULL},             /* TIOCGPTN */
	{0x40045431, NUMBER_IN, NULL, NULL},              /* TIOCSPTLCK */
	{0x80046601, BITS_OUT, NULL, NULL},               /* FS_IOC_GETFLAGS */
	{0x40046602, NUMBER_IN, NULL, NULL},              /* FS_IOC_SETFLAGS */
};

/* How argument I of C is shown if it is such a third argument. */
static const struct command *command_of(const struct sys_call *c, unsigned i)
{
	static const struct command unknown = {.kind = NUMBER};
	const struct abi_symbols *s = i == 2 ? sys_arg_of(c->row, 1)->symbols : NULL;
	const struct command *v = NULL;
	size_t n = 0;

	if (s == &abi_sym_fcntl_cmd) {
		v = fcntl_commands;
		n = sizeof(fcntl_commands) / sizeof(fcntl_commands[0]);
	} else if (s == &abi_sym_ioctl_cmd) {
		v = ioctl_commands;
		n = sizeof(ioctl_commands) / sizeof(ioctl_commands[0]);
	} else {
		return NULL;
	}
	for (size_t k = 0; k < n; k++) {
		if (v[k].cmd == (uint32_t)c->a[1])
			return &v[k];
	}
	return s == &abi_sym_fcntl_cmd ? &unknown : NULL;
}

static void number_at(struct text *t, uint64_t g, bool hex)
{
	uint32_t v;

	if (!g || mem_get_u32((gaddr)g, &v))
		strace_pointer(t, g);
	else
		text_printf(t, hex ? "[%#x]" : "[%d]", v);
}

static void command_before(struct text *t, const struct command *cmd, uint64_t v)
{
	switch (cmd->kind) {
	case NUMBER: text_printf(t, "%d", (int)v); break;
	case NUMBER_IN: number_at(t, v, false); break;
	case BITS_IN: text_symbol(t, cmd->symbols, (uint32_t)v); break;
	case STRUCT_IN: strace_struct(t, cmd->st, v); break;
	default: break;
	}
}

static void command_after(struct text *t, const struct command *cmd, uint64_t v, int64_t result)
{
	switch (cmd->kind) {
	case NUMBER_OUT:
	case BITS_OUT:
		if (result < 0)
			strace_pointer(t, v);
		else
			number_at(t, v, cmd->kind == BITS_OUT);
		break;
	case STRUCT_OUT:
		if (result < 0)
			strace_pointer(t, v);
		else
			strace_struct(t, cmd->st, v);
		break;
	default: break;
	}
}

/* --- which arguments a call has --------------------------------------------------------------------- */

enum { GUEST_O_CREAT = 0100, GUEST_O_TMPFILE = 020040000 };

/* The T_OPEN flags of C, or -1. */
static int64_t open_flags(const struct sys_call *c)
{
	const struct sys_arg *a;

	for (unsigned i = 0; (a = sys_arg_of(c->row, i)); i++) {
		if (a->type == T_OPEN)
			return (int64_t)c->a[i];
	}
	return -1;
}

bool strace_has_arg(const struct sys_call *c, const struct sys_arg *arg, unsigned i)
{
	const struct command *cmd = command_of(c, i);
	int64_t flags;

	if (cmd)
		return cmd->kind != NO_ARG;
	if (i == 0 || (arg->type != T_MODE && arg->st != &abi_st_mq_attr))
		return true;
	flags = open_flags(c);
	return flags < 0 || (flags & GUEST_O_CREAT) || (flags & GUEST_O_TMPFILE) == GUEST_O_TMPFILE;
}

/* "_IOC(_IOC_READ|_IOC_WRITE, 0x12, 0x72, 0x4)" of a command without a name. */
static void ioctl_number(struct text *t, uint32_t cmd)
{
	static const char *const dir[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
					  "_IOC_READ|_IOC_WRITE"};

	text_printf(t, "_IOC(%s, %#x, %#x, %#x)", dir[cmd >> 30], cmd >> 8 & 0xff, cmd & 0xff,
		    cmd >> 16 & 0x3fff);
}

/* --- other calls --------------------------------------------------------------------------------- */

static void clone_flags(struct text *t, uint64_t flags)
{
	char name[16];

	if (flags & ~0x7full)
		text_symbol(t, &abi_sym_clone_flags, flags & ~0x7full);
	if (flags & 0x7f)
		text_printf(t, flags & ~0x7full ? "|%s" : "%s",
			    trace_signal_name((int)(flags & 0x7f), name));
}

/* Of futex commands: which have a timeout in argument 3, and which arguments 4 and 5 matter. */
static bool futex_arg(struct text *t, const struct sys_call *c, unsigned i)
{
	enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13 };
	unsigned op = c->a[1] & 0x7f;

	if (i != 3)
		return false;
	if (op == WAIT || op == LOCK_PI || op == WAIT_BITSET || op == WAIT_REQUEUE_PI ||
	    op == LOCK_PI2)
		strace_struct(t, c->nr == 98 ? &abi_st_timespec : &abi_st_timespec64, c->a[3]);
	else
		text_printf(t, "%u", (unsigned)c->a[3]);
	return true;
}

/* Options below IPPROTO_IP and the others have names of their own, which are not SO_. */
static bool socket_option(struct text *t, const struct sys_call *c, uint64_t v)
{
	enum { SOL_SOCKET_ = 1 };

	if ((int)c->a[1] == SOL_SOCKET_)
		return false;
	text_printf(t, "%d", (int)v);
	return true;
}

static bool protocol(struct text *t, const struct sys_call *c, uint64_t v)
{
	enum { INET = 2, INET6 = 10 };

	if ((int)c->a[0] != INET && (int)c->a[0] != INET6)
		return false;
	text_symbol(t, &abi_sym_ip_protocol, v);
	return true;
}

bool strace_special_before(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			   unsigned i)
{
	const struct command *cmd = command_of(c, i);
	const struct sys_arg *first = sys_arg_of(c->row, 0), *second = sys_arg_of(c->row, 1);
	uint64_t v = c->a[i];

	if (cmd) {
		command_before(t, cmd, v);
		return true;
	}
	if (arg->symbols == &abi_sym_clone_flags && v) {
		clone_flags(t, v);
		return true;
	}
	if (arg->symbols == &abi_sym_ioctl_cmd && !abi_symbol_name(&abi_sym_ioctl_cmd, v)) {
		ioctl_number(t, (uint32_t)v);
		return true;
	}
	if (arg->symbols == &abi_sym_sock_option)
		return socket_option(t, c, v);
	if (first->symbols == &abi_sym_socket_domain && i == 2)
		return protocol(t, c, v);
	if (second && second->symbols == &abi_sym_futex_op)
		return futex_arg(t, c, i);
	return false;
}

bool strace_special_after(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			  unsigned i, int64_t result)
{
	const struct command *cmd = command_of(c, i);

	if (cmd) {
		command_after(t, cmd, c->a[i], result);
		return true;
	}
	/* The time that is left of a sleep is written only when a signal ends it. */
	if (c->row->restart == SYS_BLOCK && arg->type == T_OUT) {
		if (result == -EINTR || result == -ERESTART_RESTARTBLOCK_)
			strace_struct(t, arg->st, c->a[i]);
		else
			strace_pointer(t, c->a[i]);
		return true;
	}
	return false;
}

bool strace_special_result(struct text *t, const struct sys_call *c, int64_t result)
{
	enum { GETFD = 1, GETFL = 3 };
	const struct sys_arg *cmd = sys_arg_of(c->row, 1);

	if (!cmd || cmd->symbols != &abi_sym_fcntl_cmd || (c->a[1] != GETFD && c->a[1] != GETFL))
		return false;
	text_printf(t, result ? "%#llx (flags " : "%llx (flags ", (unsigned long long)result);
	text_symbol(t, c->a[1] == GETFD ? &abi_sym_fd_flags : &abi_sym_open_flags,
		    (uint64_t)result);
	text_str(t, ")");
	return true;
}

/* --- socket addresses -------------------------------------------------------------------------------- */

static uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)be16(p) << 16 | be16(p + 2);
}

static void unix_address(struct text *t, const uint8_t *a, size_t n)
{
	const char *path = (const char *)a + 2;

	if (n <= 2)
		return;
	n -= 2;
	if (path[0]) {
		text_str(t, ", sun_path=");
		text_quoted(t, path, strnlen(path, n), n, false);
	} else {
		text_str(t, ", sun_path=@");
		text_quoted(t, path + 1, n - 1, n, false);
	}
}

static bool known_address(struct text *t, const uint8_t *a, size_t n)
{
	enum { UNIX = 1, INET = 2, INET6 = 10, NETLINK = 16 };
	char buf[INET6_ADDRSTRLEN];
	unsigned family = a[0] | (unsigned)a[1] << 8;

	if (family == UNIX) {
		unix_address(t, a, n);
	} else if (family == INET && n >= 8) {
		text_printf(t, ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")", be16(a + 2),
			    inet_ntop(AF_INET, a + 4, buf, sizeof(buf)));
	} else if (family == INET6 && n >= 24) {
		text_printf(t, ", sin6_port=htons(%u), sin6_flowinfo=htonl(%u)", be16(a + 2),
			    be32(a + 4));
		text_printf(t, ", inet_pton(AF_INET6, \"%s\", &sin6_addr)",
			    inet_ntop(AF_INET6, a + 8, buf, sizeof(buf)));
		if (n >= 28)
			text_printf(t, ", sin6_scope_id=%u", abi_get32(a + 24));
	} else if (family == NETLINK && n >= 12) {
		text_printf(t, ", nl_pid=%u, nl_groups=%#x", abi_get32(a + 4), abi_get32(a + 8));
	} else {
		return false;
	}
	return true;
}

void strace_sockaddr(struct text *t, uint64_t g, uint64_t len)
{
	uint8_t a[128];
	size_t n = len < sizeof(a) ? len : sizeof(a);

	if (!g || n < 2 || mem_copy_in(a, (gaddr)g, n)) {
		strace_pointer(t, g);
		return;
	}
	text_str(t, "{sa_family=");
	text_symbol(t, &abi_sym_socket_domain, a[0] | (uint64_t)a[1] << 8);
	if (!known_address(t, a, n)) {
		text_str(t, ", sa_data=");
		text_quoted(t, a + 2, n - 2, n, false);
	}
	text_str(t, "}");
}

/* --- signals and wait status -------------------------------------------------------------------------- */

static const struct abi_symbols *codes_of(int signo)
{
	switch (signo) {
	case SIGILL: return &abi_sym_ill_code;
	case SIGFPE: return &abi_sym_fpe_code;
	case SIGSEGV: return &abi_sym_segv_code;
	case SIGBUS: return &abi_sym_bus_code;
	case SIGTRAP: return &abi_sym_trap_code;
	case SIGCHLD: return &abi_sym_chld_code;
	case SIGIO: return &abi_sym_poll_code;
	case SIGSYS: return &abi_sym_sys_code;
	default: return &abi_sym_si_code;
	}
}

static bool is_fault(int signo)
{
	return signo == SIGILL || signo == SIGFPE || signo == SIGSEGV || signo == SIGBUS ||
	       signo == SIGTRAP;
}

static void code(struct text *t, const struct host_siginfo *s)
{
	const struct abi_symbols *codes = &abi_sym_si_code;

	if (!abi_symbol_name(codes, (uint64_t)(int64_t)s->si_code))
		codes = codes_of(s->si_signo);
	text_symbol(t, codes, (uint64_t)(int64_t)s->si_code);
}

static void child(struct text *t, const struct host_siginfo *s)
{
	enum { EXITED = 1 };
	char name[16];

	text_printf(t, ", si_pid=%d, si_uid=%u, si_status=", s->u.chld.pid, s->u.chld.uid);
	if (s->si_code == EXITED)
		text_printf(t, "%d", s->u.chld.status);
	else
		text_str(t, trace_signal_name(s->u.chld.status, name));
	text_printf(t, ", si_utime=%lld, si_stime=%lld", (long long)s->u.chld.utime,
		    (long long)s->u.chld.stime);
}

/* What a signal from the kernel carries. */
static void kernel_details(struct text *t, const struct host_siginfo *s)
{
	if (is_fault(s->si_signo)) {
		text_str(t, ", si_addr=");
		strace_pointer(t, s->u.fault.addr);
	} else if (s->si_signo == SIGCHLD) {
		child(t, s);
	} else if (s->si_signo == SIGIO) {
		text_printf(t, ", si_band=%lld, si_fd=%d", (long long)s->u.poll.band, s->u.poll.fd);
	} else if (s->si_signo == SIGSYS) {
		text_printf(t, ", si_call_addr=%#llx, si_syscall=%d, si_arch=%#x",
			    (unsigned long long)s->u.sys.call_addr, s->u.sys.syscall,
			    s->u.sys.arch);
	}
}

void strace_siginfo(struct text *t, const struct host_siginfo *s)
{
	enum { USER = 0, KERNEL = 0x80, TIMER = -2, TKILL = -6 };
	char name[16];

	text_printf(t, "{si_signo=%s, si_code=", trace_signal_name(s->si_signo, name));
	code(t, s);
	if (s->si_errno)
		text_printf(t, ", si_errno=%s", trace_errno_name(s->si_errno));
	if (s->si_code == TIMER)
		text_printf(t, ", si_timerid=%#x, si_overrun=%d, si_value=%#x", s->u.timer.tid,
			    s->u.timer.overrun, (unsigned)s->u.timer.value);
	else if (s->si_code <= USER)
		text_printf(t, ", si_pid=%d, si_uid=%d", s->u.rt.pid, s->u.rt.uid);
	else if (s->si_code != KERNEL)
		kernel_details(t, s);
	if (s->si_code < 0 && s->si_code != TKILL && s->si_code != TIMER)
		text_printf(t, ", si_value=%#x", (unsigned)s->u.rt.value);
	text_str(t, "}");
}

void strace_wait_status(struct text *t, uint32_t status)
{
	unsigned sig = status & 0x7f;
	char name[16];

	if (status == 0xffff)
		text_str(t, "[{WIFCONTINUED(s)}]");
	else if ((status & 0xff) == 0x7f)
		text_printf(t, "[{WIFSTOPPED(s) && WSTOPSIG(s) == %s}]",
			    trace_signal_name((int)(status >> 8 & 0xff), name));
	else if (sig)
		text_printf(t, "[{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}]",
			    trace_signal_name((int)sig, name),
			    status & 0x80 ? " && WCOREDUMP(s)" : "");
	else
		text_printf(t, "[{WIFEXITED(s) && WEXITSTATUS(s) == %u}]", status >> 8 & 0xff);
}
