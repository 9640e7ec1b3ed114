/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system call table. One row a number; dispatch, strace output, the coverage table and the
 * generated tests all read the row, and nothing else lists calls.
 */
#ifndef SYSCALL_SYSCALL_H
#define SYSCALL_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/abi.h"
#include "mem/mem.h"

struct task;

/* Argument types. They decide register use, widening, conversion, and strace's form.
 * Widening: signed types sign-extend bits 31:0, all others zero-extend. */
enum sys_type {
	T_END,
	/* numbers: signed ones, then unsigned ones up to T_FLAGS, then those with more to them */
	T_INT,      /* int */
	T_LONG,     /* long: signed 32 bits */
	T_PID,      /* signed */
	T_SIGNO,    /* signal number */
	T_SYMBOL,   /* int with names: arg.symbols */
	T_UINT,     /* unsigned int, size_t, unsigned long */
	T_HEX,      /* unsigned, shown in hex */
	T_DEV,      /* 32-bit device number */
	T_UID,      /* uid or gid: (uid_t)-1 stays 32-bit */
	T_FLAGS,    /* with names, zero-extended: bits of an unsigned int or unsigned long */
	T_FD,       /* file descriptor */
	T_DFD,      /* directory descriptor of the path that follows; AT_FDCWD */
	T_MODE,     /* umode_t: low 16 bits, octal */
	T_OPEN,     /* O_ flags: arm64 values for the guest, translated for the host */
	T_PAD,      /* register that is skipped (pair alignment) */
	T_OFF64,    /* 64-bit value: this register is the low half, the next the high half */
	T_OFF64_HL, /* the same, high half first (llseek) */
	T_POS64,    /* as OFF64, and the LP64 call takes it in two registers too: (value, 0) */
	/* pointers */
	T_ADDR,      /* guest address as a number (mmap family): not translated */
	T_PATH,      /* name of a file that must exist: sysroot prefix applies (PATH_LOOKUP) */
	T_PATH_LINK, /* the same, but a final link itself is meant (PATH_NOFOLLOW) */
	T_PATH_NEW,  /* name that is created, removed, renamed or entered (PATH_CREATE) */
	T_STR,       /* other NUL-terminated string */
	T_IN,        /* struct read by the kernel: arg.st */
	T_OUT,       /* struct written */
	T_INOUT,     /* both */
	T_IN_ARRAY,  /* elements of arg.st; how many: arg.len, or arg.fixed when len < 0 */
	T_OUT_ARRAY, /* written: as many as the result says, at most arg.len; arg.fixed: all of them */
	T_BUF_IN,    /* arg.len (or arg.fixed) bytes read */
	T_BUF_OUT,      /* arg.len (or arg.fixed) bytes written; a SIZE result counts them */
	T_DIRENTS,      /* as BUF_OUT: linux_dirent64 records */
	T_IOVEC_IN,     /* arg.len iovecs whose memory is read; kernel checks of import_iovec() */
	T_IOVEC_OUT,    /* the same, memory is written */
	T_SOCKADDR_IN,  /* socket address of arg.len bytes */
	T_SOCKADDR_OUT, /* written; arg.len is the T_INT_INOUT argument that holds its size */
	T_SIGSET,       /* sigset of 8 bytes read; size in arg.len if any */
	T_SIGSET_OUT,
	T_INT_OUT,   /* int written */
	T_INT_INOUT, /* int read and written (socklen_t) */
	T_U64_OUT,
	T_U64_INOUT, /* loff_t * */
	T_PTR,       /* same layout in both ABIs, size known to the host kernel only: handed on */
	/* for handlers only */
	T_ARGV,       /* NULL-terminated array of 32-bit string pointers */
	T_ENVP,       /* the same, too long to show */
	T_FDSET,      /* fd_set of arg.len bits, in and out */
	T_POLLFDS,    /* arg.len pollfds, in and out */
	T_SIGINFO_IN, /* ILP32 siginfo */
	T_SIGINFO_OUT,
	T_WSTATUS, /* wait status written */
	T_OPAQUE,  /* pointer that only the handler understands */
	/* in sys_arg.view only */
	T_IN_SIZED, /* struct of which arg.len (or arg.fixed) bytes are there: later kernels know more of it */
};

struct sys_call;
struct sys_arg;
/* Replaces in *ARG, a copy of the row's, what depends on the other arguments of C (the type of fcntl's
 * third is that of its command). T_END: the call does not look at it. */
typedef void sys_variant(const struct sys_call *c, struct sys_arg *arg);

struct sys_arg {
	const char *name;
	uint8_t type; /* enum sys_type */
	uint8_t view; /* T_PTR, T_OPAQUE, T_BUF_IN: what it is for those who show or check it; 0: no more than that */
	int8_t len;     /* logical argument that holds the length or count; -1: none */
	bool optional;  /* NULL is legal and reaches the host as NULL */
	uint16_t fixed; /* len < 0: constant length in bytes, or count of elements */
	const struct abi_struct *st;
	const struct abi_struct *view_st; /* takes the place of st in a view */
	const struct abi_symbols *symbols;
	const char *
		opaque; /* T_PTR: what the data are, that no byte of them differs between the ABIs or is an address */
	sys_variant *variant; /* NULL: always as described here */
};

#define SYS_MAX_ARGS 6

/* How the result is shown and, for ADDR and UINT, widened. */
enum sys_result {
	SYS_R_INT,
	SYS_R_FD,
	SYS_R_SIZE,
	SYS_R_ADDR, /* zero-extended 32-bit value, in hex */
	SYS_R_UINT, /* zero-extended 32-bit value */
	SYS_R_HEX,
	SYS_R_PID,
	SYS_R_NONE, /* does not return */
};

/* What EINTR of the host stands for (kernel: do_signal() of arch/arm64/kernel/signal.c). */
enum sys_restart {
	SYS_NO_BLOCK,    /* never sleeps interruptibly: plain host call, no signal window */
	SYS_EINTR,       /* always EINTR (after partial work, or by definition) */
	SYS_RESTART,     /* ERESTARTSYS: restarts with SA_RESTART */
	SYS_RESTART_IN,  /* the same, but EINTR for a socket (argument 0) with SO_RCVTIMEO */
	SYS_RESTART_OUT, /* the same with SO_SNDTIMEO */
	SYS_NOHAND,      /* ERESTARTNOHAND: restarts only when no handler ran */
	SYS_BLOCK, /* ERESTART_RESTARTBLOCK: EINTR after a handler, else continues by restart_syscall */
};

enum sys_status {
	SYS_ABSENT,   /* the kernel has no such call in any profile: ENOSYS, silent */
	SYS_TODO,     /* exists in the kernel, not here: ENOSYS and one line */
	SYS_LEFT_OUT, /* kernels can be built without it (row.option), and this one is: ENOSYS */
	SYS_DONE,     /* implemented */
};

/* The result for x0: a value, -errno, or an internal -ERESTART code (signal/restart.h). */
typedef int64_t sys_handler(struct sys_call *c);

struct sys_row {
	const char *name;     /* asm-generic 32-bit name; NULL: hole */
	uint8_t status;       /* enum sys_status */
	uint8_t result;       /* enum sys_result */
	uint8_t restart;      /* enum sys_restart */
	bool full_state;      /* the handler reads or replaces the whole register file */
	uint8_t profiles;     /* set of ABI_BIT(): where the call exists */
	const char *option;   /* LEFT_OUT: the kernel's build option */
	int16_t host;         /* host call number for rows without handler; -1: none */
	sys_handler *handler; /* NULL: generic conversion by the row and host call */
	struct sys_arg arg[SYS_MAX_ARGS + 1];
};

#define SYS_NROWS 453 /* numbers 0..452 */
extern const struct sys_row sys_table[SYS_NROWS];
/* Rows that have no number of their own. */
extern const struct sys_row sys_old_table[];
extern const size_t sys_nold;

/* The row of number NR in the profile in force, in P; NULL: ENOSYS. Numbers are unsigned, so negative ones have
 * none. (calls.c) */
const struct sys_row *sys_row(uint32_t nr);
const struct sys_row *sys_row_in(const struct abi_profile *p, uint32_t nr);
/* What is to be used instead of ROW's call; NULL: it is as good as any. (table.c, rows/deprecated.h) */
const char *sys_deprecated(const struct sys_row *row);
/* Never NULL: for a number without a row in the profile, what the table says of its arguments, if anything. */
const struct sys_row *sys_row_for_name(uint32_t nr);
/* abi_find(), if the table has each row that the profile names. */
const struct abi_profile *sys_find_profile(const char *text, char why[ABI_WHY]);

/* One call in flight. */
struct sys_call {
	struct task *task;
	const struct sys_row *row;
	unsigned nr;
	const uint64_t *x;     /* x0..x7 as the kernel finds them, full width */
	const uint64_t *given; /* as the guest left them */
	/* The logical arguments, one for each non-PAD entry of row->arg, widened by type: T_INT etc.
	 * sign-extended, pointers as zero-extended guest addresses, T_OFF64 joined. */
	uint64_t a[SYS_MAX_ARGS];
	bool reserved_fd; /* an argument is a descriptor of the emulator's: EBADF */
	bool bad_pointer; /* one is a pointer beyond 4 GiB, in a profile that sees it: EFAULT */
	/* Guest memory that a host call in a handler writes: see sys_out(). */
	unsigned nout;
	struct {
		gaddr start;
		uint64_t len;
	} out[6];
};

static inline bool sys_type_is_64(enum sys_type type)
{
	return type == T_OFF64 || type == T_POS64 || type == T_OFF64_HL;
}

/* How many registers an argument of TYPE takes in the profile in force. */
static inline unsigned sys_registers(enum sys_type type)
{
	const bool one = abi_profile->args_in_one_register;

	if (type == T_PAD)
		return !one;
	return sys_type_is_64(type) && !one ? 2 : 1;
}

/* Fills c->a from c->x by c->row: masking, widening, pairs. */
void sys_decode(struct sys_call *c);

/* Whether the kernel only writes what a pointer of TYPE leads to. Not so T_IOVEC_OUT: the array is read. */
bool sys_type_is_output(enum sys_type type);
/* Logical argument I of ROW: the I-th entry that is not T_PAD. NULL behind the last. */
const struct sys_arg *sys_arg_of(const struct sys_row *row, unsigned i);
/* The same for one call, with what its variant says. False behind the last. */
bool sys_arg_in(const struct sys_call *c, unsigned i, struct sys_arg *arg);

/*
 * Runs the call in registers X (x0..x8) for TASK: masking, table look-up, profile check, strace,
 * handler or generic path. The result is for x0 (errors sign-extended) or an internal restart code.
 */
int64_t sys_dispatch(struct task *task, const uint64_t x[9]);

/* Whether number NR (w8) must run with the full register state outside the engine. */
bool sys_needs_full_state(uint32_t nr);

/* The generic path: convert by the row, host call, convert back. Handlers that only pre-process may
 * call it; it uses c->a. */
int64_t sys_generic(struct sys_call *c);

/*
 * Host calls. sys_host() never restarts and knows no guest signals: for calls that do not sleep.
 * sys_host_blocking() lets other guest threads run, goes through the window of safe_syscall(), and
 * turns EINTR into the row's restart code; in a SYS_NO_BLOCK row it is sys_host(). Results are values
 * or -errno. Both take the number and up to six arguments of any scalar or pointer type; signed ones
 * are sign-extended.
 */
#define sys_host(...)             SYS_HOST_PAD_(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define sys_host_blocking(c, ...) SYS_BLOCKING_PAD_(c, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYS_HOST_PAD_(nr, a, b, c, d, e, f, ...)                                          \
 sys_host_(nr, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d), (uint64_t)(e), \
	   (uint64_t)(f))
#define SYS_BLOCKING_PAD_(call, nr, a, b, c, d, e, f, ...)                                \
 sys_host_blocking_(call, nr, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d), \
		    (uint64_t)(e), (uint64_t)(f))
int64_t sys_host_(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		  uint64_t a5);
int64_t sys_host_blocking_(struct sys_call *c, long nr, uint64_t a0, uint64_t a1, uint64_t a2,
			   uint64_t a3, uint64_t a4, uint64_t a5);

/* For guest ranges beyond 4 GiB and failed copies: see ABI_BAD_POINTER. */
#define SYS_BAD_POINTER ABI_BAD_POINTER

/* The host address of [G, G+LEN), or SYS_BAD_POINTER if that leaves the guest's address space. */
static inline uint64_t sys_range(uint64_t g, uint64_t len)
{
	return (uint32_t)g + len > MEM_SPACE ? SYS_BAD_POINTER
					     : (uint64_t)(uintptr_t)mem_host((gaddr)g);
}

/* The same for a buffer that the host reads from start to end. If the profile's kernel does not refuse
 * one that is too long, neither do we: the host stops at the arena's guard, as that kernel does at 4 GiB. */
static inline uint64_t sys_buf(uint64_t g, uint64_t len)
{
	return sys_range(g, abi_profile->access_lp64 ? 0 : len);
}

/* A host call of the handler's may write the LEN bytes at G: after the call, whatever its result, code that was
 * translated from there goes. (What is written by mem_copy_out() and abi_write() needs no such word.) */
void sys_writes(struct sys_call *c, uint64_t g, uint64_t len);

/* sys_buf() for what the host writes. */
static inline uint64_t sys_out(struct sys_call *c, uint64_t g, uint64_t len)
{
	sys_writes(c, g, len);
	return sys_buf(g, len);
}

/* The same for a pointer that may be NULL. */
static inline uint64_t sys_out_opt(struct sys_call *c, uint64_t g, uint64_t len)
{
	return g ? sys_out(c, g, len) : 0;
}

/*
 * Reads COUNT guest iovecs at G as the kernel's import_iovec() does. *IOV and *N are what to hand to
 * the host: host addresses in BUF (SYS_FAST_IOVECS elements) or in malloc'ed memory, which *FREE gets
 * (else NULL). What the kernel refuses becomes an iovec that the host kernel refuses for the same
 * reason, so the order of checks is the kernel's.
 */
#define SYS_FAST_IOVECS 32
#define SYS_MAX_IOVECS  1024 /* UIO_MAXIOV */
struct host_iovec;
void sys_import_iovec(gaddr g, uint64_t count, struct host_iovec *buf, uint64_t *iov, uint64_t *n,
		      void **free_me);
/* Guest iovec I of those at G, as it stands there. False: EFAULT. */
struct sys_iovec {
	uint64_t base, len;
	bool negative; /* the length, as ssize_t */
};
bool sys_read_iovec(gaddr g, uint64_t i, struct sys_iovec *v);
/* The host wrote LEN bytes through COUNT guest iovecs at G (readv): stale code goes. */
void sys_iovec_wrote(gaddr g, uint64_t count, uint64_t len);

/* A signal mask that a call takes for its time of waiting: kernel set_compat_user_sigmask(). 0, -EINVAL for
 * a wrong size, -EFAULT. */
int sys_read_mask(gaddr g, uint64_t size, uint64_t *mask);

/* sizeof(struct sockaddr_storage): no address is longer. */
#define SYS_SOCKADDR_MAX 128

/* "0 stays NULL" host pointer of a guest address in argument I; for optional pointers. */
static inline uint64_t sys_ptr(uint64_t g)
{
	return g ? (uint64_t)(uintptr_t)mem_host((gaddr)g) : 0;
}

/* --- path translation (syscall/path.c) --------------------------------------------------------- */

enum path_use {
	PATH_LOOKUP, /* the file must exist and links are followed: open without O_CREAT, stat, exec */
	PATH_NOFOLLOW, /* the file must exist, a final link is meant itself: lstat, readlink */
	PATH_CREATE,   /* creates, removes or renames: the sysroot prefix never applies */
};
/*
 * Copies the guest path at G and translates it: absolute paths get the sysroot prefix when the
 * prefixed file exists (LOOKUP, NOFOLLOW). Writes the host path to OUT (PATH_MAX bytes). 0, -EFAULT,
 * -ENAMETOOLONG.
 */
int path_translate(char *out, gaddr g, enum path_use use);
/*
 * The same for a host call, which shall refuse what the guest's kernel would, at its own place in the order
 * of checks. OUT, or a pointer with which it does. Never the guest's own string: other threads could change
 * that after it was looked at.
 */
uint64_t path_to_host(char *out, gaddr g, enum path_use use);
/* The same for a path in emulator memory. */
int path_resolve(char *out, const char *in, enum path_use use);

/* --- files that exist only for the guest (syscall/procfs.c) ------------------------------------ */

struct host_stat;

/* FD was just opened with FLAGS and is on a procfs: if its content must be the guest's view, that takes
 * its place. FD, or -errno (FD is closed). */
int64_t procfs_opened(int64_t fd, int flags);
/* For links of a procfs (/proc/self/exe): as readlinkat(2). -ENOSYS: the host's answer is right. */
int64_t procfs_link(int dfd, const char *path, char *buf, size_t size);
/* The LEN bytes at LINK are a link's target: if that is a text of ours, the name of the file that it
 * stands for remains. */
bool procfs_text_link(char *link, size_t *len);
/* The host's RESULT of the read or write C is the end of the file or EPERM, as /proc/PID/mem has it: the call's
 * result. */
struct sys_call;
int64_t procfs_memory(struct sys_call *c, int64_t result);
/* ST is what fstat says of FD: if that is a text of ours, it becomes what the file's is. */
void procfs_fix_stat(int fd, struct host_stat *st);
/* FD was set to position 0: a file of /proc shows what is true now. */
void procfs_rewound(int fd);
/* Takes the emulator's descriptors out of N bytes of linux_dirent64 records of FD at G. What remains, or
 * -EFAULT. */
int64_t procfs_filter(int fd, gaddr g, int64_t n);

#endif
