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
#include "syscall/ioctl.h"
#include "trace/strace.h"
#include "trace/trace.h"

/* --- which arguments a call has --------------------------------------------------------------------- */

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
	int64_t flags;

	if (arg->type == T_END)
		return false;
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

	const struct ioctl_row *row = ioctl_find(cmd);

	if (row) { /* one of a family */
		text_printf(t, "%s(%#x, %#x)", row->name, ioctl_nr(cmd) - ioctl_nr(row->guest),
			    ioctl_size(cmd));
		return;
	}
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
		strace_struct(t, c->row == &sys_table[98] ? &abi_st_timespec : &abi_st_timespec64,
			      c->a[3]);
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

/* Headers of messages: BYTES as strace_msghdr(), N messages. */
static bool message(struct text *t, const struct sys_arg *arg, uint64_t v, uint64_t bytes,
		    uint64_t n)
{
	if (arg->st == &abi_st_msghdr)
		strace_msghdr(t, v, bytes);
	else if (arg->st == &abi_st_mmsghdr)
		strace_mmsghdrs(t, v, n, bytes != UINT64_MAX);
	else
		return false;
	return true;
}

bool strace_special_before(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			   unsigned i)
{
	const struct sys_arg *first = sys_arg_of(c->row, 0), *second = sys_arg_of(c->row, 1);
	uint64_t v = c->a[i];

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
	if (arg->type == T_IN || arg->type == T_IN_ARRAY)
		return message(t, arg, v, UINT64_MAX, c->a[2]);
	return false;
}

bool strace_special_after(struct text *t, const struct sys_call *c, const struct sys_arg *arg,
			  unsigned i, int64_t result)
{
	/* The time that is left of a sleep is written only when a signal ends it. */
	if (c->row->restart == SYS_BLOCK && arg->type == T_OUT) {
		if (result == -EINTR || result == -ERESTART_RESTARTBLOCK_)
			strace_struct(t, arg->st, c->a[i]);
		else
			strace_pointer(t, c->a[i]);
		return true;
	}
	if (result >= 0 && (arg->type == T_OUT || arg->type == T_OUT_ARRAY))
		return message(t, arg, c->a[i], (uint64_t)result, (uint64_t)result);
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

void text_sockaddr(struct text *t, const uint8_t *a, size_t n)
{
	text_str(t, "{sa_family=");
	text_symbol(t, &abi_sym_socket_domain, a[0] | (uint64_t)a[1] << 8);
	if (!known_address(t, a, n)) {
		text_str(t, ", sa_data=");
		text_quoted(t, a + 2, n - 2, TEXT_STRING_LIMIT, false);
	}
	text_str(t, "}");
}

void strace_sockaddr(struct text *t, uint64_t g, uint64_t len)
{
	uint8_t a[128];
	size_t n = len < sizeof(a) ? len : sizeof(a);

	if (!g || n < 2 || mem_copy_in(a, (gaddr)g, n))
		strace_pointer(t, g);
	else
		text_sockaddr(t, a, n);
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
