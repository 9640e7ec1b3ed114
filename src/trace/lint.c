/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --lint: what a program does that works here and breaks elsewhere. An observer of calls, which looks at registers and
 * memory before a call as the program left them. One finding is a kind at one svc instruction and call; the first time gives a
 * line, the rest are counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/structs.h"
#include "debug/symbols.h"
#include "syscall/observe.h"
#include "task/task.h"
#include "trace/trace.h"

enum kind {
	UPPER,
	POINTER,
	PAD_REGISTER,
	RESERVED,
	SIZE,
	ALIGNMENT,
	DEPRECATED,
	PROFILE,
	NO_CALL,
	KINDS
};

static const char *const kind_names[KINDS] = {
	[UPPER] = "upper-half",      [POINTER] = "pointer", [PAD_REGISTER] = "pad-register",
	[RESERVED] = "reserved",     [SIZE] = "size",       [ALIGNMENT] = "alignment",
	[DEPRECATED] = "deprecated", [PROFILE] = "profile", [NO_CALL] = "no-call",
};

#define PLACES 4096 /* a power of two */
#define DETAIL 200

struct finding {
	struct finding *next;
	uint64_t pc; /* of the svc */
	enum kind kind;
	unsigned nr;
	uint64_t count;
	char call[48], detail[DETAIL];
	char function[128], file[128];
	uint64_t offset; /* in the function, or without one in the file */
};

static struct {
	bool json;
	int fd; /* -1: stderr */
	pid_t pid;
	struct finding *first, **last; /* in the order in which they were met */
	struct finding *place[PLACES];
	unsigned n;
	bool full;
} lint = {.fd = -1, .last = &lint.first};

/* --- output --------------------------------------------------------------------------------------- */

static void put_text(const char *text, size_t n)
{
	if (lint.fd >= 0)
		(void)trace_write(lint.fd, text, n);
	else
		diag_text(text, n);
}

/* A line in one piece, so that those of several processes do not mix. */
static void put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *fmt, ...)
{
	char line[1536];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n > 0)
		put_text(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* "main+0x14 (/bin/prog)" */
static void place_text(const struct finding *f, char *to, size_t size)
{
	if (f->function[0])
		snprintf(to, size, "%s+%#" PRIx64 " (%s)", f->function, f->offset, f->file);
	else
		snprintf(to, size, "%s+%#" PRIx64, f->file, f->offset);
}

/* TEXT as a JSON string without quotes. */
static const char *json_text(const char *text, char *to, size_t size)
{
	size_t n = 0;

	for (; *text && n + 7 < size; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			n += (size_t)snprintf(to + n, size - n, "\\%c", c);
		else if (c < ' ' || c > '~')
			n += (size_t)snprintf(to + n, size - n, "\\u%04x", c);
		else
			to[n++] = (char)c;
	}
	to[n] = '\0';
	return to;
}

static void put_json(const struct finding *f)
{
	char call[64], detail[2 * DETAIL], function[256], file[256];

	put("{\"pid\": %d, \"kind\": \"%s\", \"call\": \"%s\", \"number\": %u, \"pc\": \"%#" PRIx64
	    "\", \"function\": \"%s\", \"file\": \"%s\", \"offset\": %" PRIu64
	    ", \"detail\": \"%s\", \"count\": %" PRIu64 "}\n",
	    (int)lint.pid, kind_names[f->kind], json_text(f->call, call, sizeof call), f->nr, f->pc,
	    json_text(f->function, function, sizeof function),
	    json_text(f->file, file, sizeof file), f->offset,
	    json_text(f->detail, detail, sizeof detail), f->count);
}

static void put_first(const struct finding *f)
{
	char place[320];

	place_text(f, place, sizeof place);
	put("ilp32run: lint: %s: %s: %s; at %#" PRIx64 " %s\n", kind_names[f->kind], f->call,
	    f->detail, f->pc, place);
}

/* What was found so far, and then nothing was. */
static void summarize(struct task *t)
{
	uint64_t uses[KINDS] = {0}, all = 0;
	char words[256] = "", place[320];
	size_t n = 0;

	if (t->process->shares_memory)
		return; /* the creator's memory: it tells of both */
	for (struct finding *f = lint.first; f; f = f->next) {
		uses[f->kind] += f->count;
		all += f->count;
	}
	for (unsigned k = 0; k < KINDS; k++) {
		if (uses[k] && n < sizeof words)
			n += (size_t)snprintf(words + n, sizeof words - n,
					      lint.json ? "%s\"%s\": %" PRIu64 : "%s%s %" PRIu64,
					      n ? ", " : "", kind_names[k], uses[k]);
	}
	if (lint.json) {
		for (const struct finding *f = lint.first; f; f = f->next)
			put_json(f);
		put("{\"pid\": %d, \"places\": %u, \"uses\": {%s}}\n", (int)t->tgid, lint.n, words);
	} else if (lint.n) {
		put("ilp32run: lint: process %d: %" PRIu64 " uses at %u places: %s\n", (int)t->tgid,
		    all, lint.n, words);
		for (const struct finding *f = lint.first; f; f = f->next) {
			place_text(f, place, sizeof place);
			put("ilp32run: lint: %6" PRIu64 " %s: %s at %#" PRIx64 " %s\n", f->count,
			    kind_names[f->kind], f->call, f->pc, place);
		}
	}
}

static void forget(void)
{
	for (struct finding *f = lint.first, *next; f; f = next) {
		next = f->next;
		free(f);
	}
	lint.first = NULL;
	lint.last = &lint.first;
	memset(lint.place, 0, sizeof lint.place);
	lint.n = 0;
	lint.full = false;
}

static void finish(struct task *t)
{
	summarize(t);
	if (!t->process->shares_memory)
		forget();
}

/* --- findings ------------------------------------------------------------------------------------- */

static void locate(struct finding *f)
{
	struct debug_maps maps;
	struct debug_symbol s;

	snprintf(f->file, sizeof f->file, "not mapped");
	if (!debug_maps_read(&maps))
		return;
	debug_symbol_find(&s, &maps, f->pc);
	snprintf(f->function, sizeof f->function, "%s", s.function);
	if (s.file)
		snprintf(f->file, sizeof f->file, "%.127s", *s.file ? s.file : "anonymous");
	f->offset = s.function[0] ? s.offset : s.in_file;
	debug_maps_free(&maps);
}

static void found(const struct sys_call *c, enum kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void found(const struct sys_call *c, enum kind kind, const char *fmt, ...)
{
	uint64_t pc = task_pc(c->task) - 4;
	unsigned at = (unsigned)(pc * 31 + kind * 7 + c->nr * 131) % PLACES;
	struct finding *f;
	va_list ap;

	for (; (f = lint.place[at]); at = (at + 1) % PLACES) {
		if (f->pc == pc && f->kind == kind && f->nr == c->nr) {
			f->count++;
			return;
		}
	}
	if (lint.n == PLACES / 2) {
		if (!lint.full)
			diag("lint: more than %d places: what comes now is not told", PLACES / 2);
		lint.full = true;
		return;
	}
	f = calloc(1, sizeof *f);
	if (!f)
		return;
	f->pc = pc;
	f->kind = kind;
	f->nr = c->nr;
	f->count = 1;
	if (c->row->name)
		snprintf(f->call, sizeof f->call, "%s", c->row->name);
	else
		snprintf(f->call, sizeof f->call, "syscall %u", c->nr);
	va_start(ap, fmt);
	vsnprintf(f->detail, sizeof f->detail, fmt, ap);
	va_end(ap);
	locate(f);
	lint.place[at] = f;
	*lint.last = f;
	lint.last = &f->next;
	lint.n++;
	if (!lint.json)
		put_first(f);
}

/* --- registers ------------------------------------------------------------------------------------ */

static bool is_pointer(enum sys_type type)
{
	return type >= T_ADDR;
}

static bool is_sign_extended(uint64_t x)
{
	return x == (uint64_t)(int64_t)(int32_t)(uint32_t)x;
}

/* Numbers of which programs have (type)-1: extended with either it is the same for every kernel. */
static bool may_be_signed(enum sys_type type)
{
	return type <= T_SYMBOL || type == T_UID || type == T_HEX || type == T_FD || type == T_DFD;
}

static void check_register(const struct sys_call *c, const struct sys_arg *arg, unsigned reg)
{
	uint64_t x = c->given[reg];

	if (arg->type == T_PAD) {
		if (x)
			found(c, PAD_REGISTER,
			      "x%u, skipped before a pair, is %#" PRIx64
			      ": a kernel without pairs takes it for an argument",
			      reg, x);
	} else if (!(x >> 32) || (may_be_signed(arg->type) && is_sign_extended(x))) {
		return;
	} else if (is_pointer(arg->type)) {
		found(c, POINTER, "%s in x%u is %#" PRIx64 ", %s", arg->name, reg, x,
		      is_sign_extended(x) ? "a sign-extended address" : "with bits above 31");
	} else {
		found(c, UPPER, "%s in x%u is %#" PRIx64 ", of which 32 bits count", arg->name, reg,
		      x);
	}
}

static void check_registers(const struct sys_call *c)
{
	const bool one = abi_profile->args_in_one_register;
	unsigned reg = 0;

	for (const struct sys_arg *a = c->row->arg; a->type != T_END; a++) {
		if (sys_type_is_64(a->type)) {
			/* The high half of a negative offset is as signed as it likes. */
			for (unsigned i = 0; i < 2 && !one; i++) {
				if (c->given[reg + i] >> 32 && !is_sign_extended(c->given[reg + i]))
					check_register(c, a, reg + i);
			}
		} else if (!(one && a->type == T_PAD)) {
			check_register(c, a, reg);
		}
		reg += sys_registers(a->type);
	}
}

/* --- memory --------------------------------------------------------------------------------------- */

static bool is_padding(const struct abi_field *f)
{
	return f->rule == ABI_PAD || f->rule == ABI_HOLE || f->rule == ABI_LEAVE;
}

/* Clears in B what the members of S cover. */
static void clear_members(const struct abi_struct *s, uint8_t *b)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *f = &s->fields[i];

		for (unsigned k = 0; k < (f->count ? f->count : 1u); k++) {
			uint8_t *at = b + f->goff + k * f->gsize;

			if (f->rule == ABI_NEST)
				clear_members(f->sub, at);
			else if (!is_padding(f))
				memset(at, 0, f->gsize);
		}
	}
}

static void check_reserved(const struct sys_call *c, const struct sys_arg *arg,
			   const struct abi_struct *s, uint64_t g)
{
	uint8_t b[ABI_MAX_SIZE];

	if (g > UINT32_MAX || mem_copy_in(b, (gaddr)g, s->gsize))
		return;
	clear_members(s, b);
	for (unsigned i = 0; i < s->gsize; i++) {
		if (!b[i])
			continue;
		found(c, RESERVED,
		      "%s: byte %u of struct %s is %#x: padding, or reserved for later", arg->name,
		      i, s->name, b[i]);
		return;
	}
}

/* How what a pointer of that type leads to is aligned by a compiler for ILP32; 1: any way. */
static unsigned alignment_of(const struct sys_arg *arg)
{
	if (arg->st)
		return abi_alignment(arg->st);
	switch ((enum sys_type)arg->type) {
	case T_IOVEC_IN:
	case T_IOVEC_OUT: return abi_alignment(&abi_st_iovec);
	case T_U64_OUT:
	case T_U64_INOUT: return 8;
	case T_SIGSET:
	case T_SIGSET_OUT:
	case T_INT_OUT:
	case T_INT_INOUT:
	case T_ARGV:
	case T_ENVP:
	case T_FDSET:
	case T_SIGINFO_IN:
	case T_SIGINFO_OUT:
	case T_WSTATUS: return 4;
	default: return 1;
	}
}

static void check_size(const struct sys_call *c, const struct sys_arg *arg, uint64_t size,
		       unsigned right, unsigned also)
{
	if (size != right && size != also)
		found(c, SIZE, "%s has %" PRIu64 " bytes, says the program; the kernel's has %u",
		      arg->name, size, right);
}

static void check_pointer(const struct sys_call *c, const struct sys_arg *arg, uint64_t g)
{
	unsigned to = alignment_of(arg);
	uint64_t n = 1;

	if (g % to)
		found(c, ALIGNMENT, "%s is %#" PRIx64 ", not aligned to %u bytes", arg->name, g,
		      to);
	if ((arg->type == T_SIGSET || arg->type == T_SIGSET_OUT) && arg->len >= 0)
		check_size(c, arg, c->a[arg->len], 8, 8);
	/* An option of a socket: the length is that of its structure. */
	if (arg->type == T_IN && arg->len >= 0)
		check_size(c, arg, c->a[arg->len], arg->st->gsize, arg->st->gsize);
	if (arg->type == T_IN_ARRAY) {
		n = arg->len >= 0 ? c->a[arg->len] : arg->fixed;
		n = n < 64 ? n : 64;
	} else if (arg->type != T_IN && arg->type != T_INOUT) {
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		check_reserved(c, arg, arg->st, g + i * arg->st->gsize);
}

/* Sizes of structures that rows know as numbers. ALSO: libc's, which pads the first ones to 8. */
static const struct {
	uint16_t nr, arg, also;
	const struct abi_struct *st;
} sizes[] = {
	{43, 1, 88, &abi_st_statfs64},         /* statfs64 */
	{44, 1, 88, &abi_st_statfs64},         /* fstatfs64 */
	{99, 1, 12, &abi_st_robust_list_head}, /* set_robust_list */
	{293, 1, 32, &abi_st_rseq},            /* rseq */
};

static void check_arguments(const struct sys_call *c)
{
	struct sys_arg arg;

	for (unsigned i = 0; sys_arg_in(c, i, &arg); i++) {
		if (arg.type > T_ADDR && c->a[i])
			check_pointer(c, &arg, c->a[i]);
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			if (c->row == &sys_table[sizes[k].nr] && i == sizes[k].arg)
				check_size(c, &arg, c->a[i], sizes[k].st->gsize, sizes[k].also);
		}
	}
}

/* --- calls ---------------------------------------------------------------------------------------- */

static void check_call(const struct sys_call *c)
{
	const char *instead = sys_deprecated(c->row);
	char without[128] = "";
	size_t n = 0;

	if (instead)
		found(c, DEPRECATED, "%s", instead);
	for (unsigned p = 0; p < ABI_PROFILES; p++) {
		const struct abi_profile *profile = abi_profile_get(p);

		if (sys_row_in(profile, c->nr) != c->row && n < sizeof without)
			n += (size_t)snprintf(without + n, sizeof without - n, "%s%s",
					      n ? ", " : "", profile->name);
	}
	if (n)
		found(c, PROFILE, "not in %s", without);
}

static void enter(const struct sys_call *c)
{
	if (c->task->tgid != lint.pid && !c->task->process->shares_memory) {
		/* A child begins anew: what it inherited its parent tells. */
		forget();
		lint.pid = c->task->tgid;
	}
	if (!sys_row(c->nr)) {
		found(c, NO_CALL, "number %u is no call of %s", c->nr, abi_profile->name);
		return;
	}
	check_call(c);
	check_registers(c);
	check_arguments(c);
}

/* --- start and end -------------------------------------------------------------------------------- */

static const struct sys_observer observer = {.enter = enter, .execve = finish, .end = finish};

static int begin(int fd, const char *format)
{
	if (fd >= 0)
		fd = task_fd_hide(fd);
	if (fd < -1)
		return fd;
	lint.fd = fd;
	lint.json = format && strcmp(format, "json") == 0;
	sys_observe(&observer);
	return 0;
}

int lint_open(const char *path, const char *format)
{
	int fd = -1;

	if (path) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
		if (fd < 0)
			return -errno;
	}
	return begin(fd, format);
}

int lint_adopt(int handed, const char *format)
{
	if (handed >= 0 && fcntl(handed, F_GETFD) < 0)
		return -errno;
	return begin(handed, format);
}

int lint_handover(bool on)
{
	if (lint.fd >= 0)
		fcntl(lint.fd, F_SETFD, on ? 0 : FD_CLOEXEC);
	return lint.fd;
}
