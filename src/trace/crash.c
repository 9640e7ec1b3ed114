/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The crash report: what a developer asks first when a program has died of a fault or of abort(3). All is
 * collected before the one write, so that reports of several processes do not mix.
 */
#include <capstone/capstone.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/backtrace.h"
#include "debug/symbols.h"
#include "signal/restart.h"
#include "syscall/syscall.h"
#include "task/task.h"
#include "trace/strace.h"
#include "trace/trace.h"

enum { FRAMES = 32, AROUND = 4 /* instructions before and behind */, INSN = 4 };

struct report {
	FILE *f;
	struct task *t;
	const struct host_siginfo *info;
	struct debug_maps maps;
};

/* --- pieces ------------------------------------------------------------------------------------------------ */

/* "main+0x14 (/bin/prog)", or as much of it as is known. */
static void put_place(const struct report *r, uint64_t addr, bool is_return)
{
	struct debug_symbol s;

	debug_symbol_find(&s, &r->maps, addr - is_return);
	if (s.function[0])
		fprintf(r->f, " %s+0x%" PRIx64, s.function, s.offset + is_return);
	if (!s.file)
		fprintf(r->f, " (not mapped)");
	else if (s.function[0])
		fprintf(r->f, " (%s)", *s.file ? s.file : "anonymous");
	else
		fprintf(r->f, " (%s+0x%" PRIx64 ")", *s.file ? s.file : "anonymous",
			s.in_file + is_return);
}

static bool one_thread(struct task *t, void *arg)
{
	(void)t;
	++*(unsigned *)arg;
	return false;
}

static void put_cause(const struct report *r)
{
	char buf[256];
	struct text text = {.buf = buf, .cap = sizeof buf};
	const struct task *t = r->t;
	unsigned threads = 0;

	buf[0] = '\0';
	strace_siginfo(&text, r->info);
	task_for_each(r->t, one_thread, &threads);
	fprintf(r->f, "ilp32run: %s (pid %d", t->process->exe, (int)t->tgid);
	if (threads > 1)
		fprintf(r->f, ", thread %d of %u", (int)t->tid, threads);
	fprintf(r->f, ") dies: %s\n  pc  %016" PRIx64, buf, t->regs.pc);
	put_place(r, t->regs.pc, false);
	fputc('\n', r->f);
}

static void put_registers(const struct report *r)
{
	const struct cpu_state *s = &r->t->regs;

	for (unsigned i = 0; i < 31; i++)
		fprintf(r->f, "  %sx%u %016" PRIx64 "%s", i < 10 ? " " : "", i, s->x[i],
			i % 4 == 3 ? "\n" : "");
	fprintf(r->f, "\n   sp %016" PRIx64 "  pstate %08" PRIx64 "  tpidr %016" PRIx64 "\n", s->sp,
		s->pstate, s->tpidr);
}

static void put_code(const struct report *r)
{
	uint64_t pc = r->t->regs.pc;
	csh cs;

	if (pc % INSN || pc >= MEM_SPACE || cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &cs) != CS_ERR_OK)
		return;
	fprintf(r->f, "code:\n");
	for (int i = -AROUND; i <= AROUND; i++) {
		uint64_t a = pc + (uint64_t)(INSN * (int64_t)i);
		uint8_t bytes[INSN];
		cs_insn *insn;

		if (a >= MEM_SPACE || mem_copy_in(bytes, (gaddr)a, INSN))
			continue;
		size_t n = cs_disasm(cs, bytes, INSN, a, 1, &insn);
		fprintf(r->f, "  %s %08" PRIx64 ":  %02x%02x%02x%02x  %s %s\n", i ? "  " : "=>", a,
			bytes[3], bytes[2], bytes[1], bytes[0], n ? insn->mnemonic : ".inst",
			n ? insn->op_str : "(undefined)");
		if (n)
			cs_free(insn, n);
	}
	cs_close(&cs);
}

static void put_backtrace(const struct report *r)
{
	struct debug_frame frames[FRAMES];
	unsigned n = debug_backtrace(frames, FRAMES, r->t, &r->t->regs, &r->maps);

	fprintf(r->f, "backtrace:\n");
	for (unsigned i = 0; i < n; i++) {
		if (frames[i].by_signal)
			fprintf(r->f, "      <signal handler called>\n");
		fprintf(r->f, "  #%-2u %08" PRIx64, i, frames[i].pc);
		put_place(r, frames[i].pc, frames[i].is_return);
		fputc('\n', r->f);
	}
}

/* The mappings of the addresses in question, and for one that is not mapped its neighbours. */
static void put_maps(const struct report *r)
{
	const struct cpu_state *s = &r->t->regs;
	const bool fault = r->info->si_code > 0 && r->info->si_code < 0x80;
	const uint64_t addr[] = {s->pc, s->x[30], s->sp, fault ? r->info->u.fault.addr : s->pc};

	fprintf(r->f, "maps:\n");
	for (size_t i = 0; i < r->maps.n; i++) {
		const struct debug_map *m = &r->maps.v[i];
		const uint64_t before = i ? r->maps.v[i - 1].end : 0;
		const uint64_t next = i + 1 < r->maps.n ? r->maps.v[i + 1].start : UINT64_MAX;
		bool shown = false;

		for (size_t k = 0; k < sizeof addr / sizeof *addr; k++)
			shown |= (addr[k] >= before && addr[k] < m->end) ||
				 (addr[k] >= m->end && addr[k] < next);
		if (shown)
			fprintf(r->f, "  %s\n", m->line);
	}
}

static void put_call(const struct report *r, const struct task_recent *call)
{
	uint32_t nr = (uint32_t)call->x[8];
	const struct sys_row *row = sys_row_for_name(nr);
	unsigned n = 0;

	if (row->name)
		fprintf(r->f, "  %s(", row->name);
	else
		fprintf(r->f, "  syscall_%u(", nr);
	/* Pairs of registers are shown as such: raw values are all that is known to be still true. */
	for (const struct sys_arg *a = row->arg; a->type != T_END; a++)
		n += sys_registers(a->type);
	for (unsigned i = 0; i < n; i++)
		fprintf(r->f, "%s0x%" PRIx64, i ? ", " : "",
			abi_profile->upper_halves_kept ? call->x[i] : (uint32_t)call->x[i]);
	if (call->result == TASK_RECENT_RUNNING)
		fprintf(r->f, ") did not return\n");
	else if (call->result <= -ERESTARTSYS_ && call->result >= -ERESTART_NONE_)
		fprintf(r->f, ") was interrupted\n");
	else if (call->result < 0 && call->result >= -4095)
		fprintf(r->f, ") = -1 %s\n", trace_errno_name((int)-call->result));
	else
		fprintf(r->f, ") = 0x%" PRIx64 "\n", (uint64_t)call->result);
}

static void put_calls(const struct report *r)
{
	const struct task *t = r->t;
	uint32_t n = t->recent_n < TASK_RECENT ? t->recent_n : TASK_RECENT;

	if (n)
		fprintf(r->f, "last system calls of the thread:\n");
	for (uint32_t i = t->recent_n - n; i != t->recent_n; i++)
		put_call(r, &t->recent[i % TASK_RECENT]);
}

/* --- the report -------------------------------------------------------------------------------------------- */

static bool wished(const struct task *t)
{
	const char *when = t->process->opt->crash_report;

	if (!when || strcmp(when, "auto") == 0)
		return isatty(STDERR_FILENO);
	return strcmp(when, "always") == 0;
}

/* A fault of its own, or abort(3); what others send is no crash. */
static bool is_crash(const struct task *t, const struct host_siginfo *info)
{
	if (info->si_code > 0)
		return info->si_signo != SIG_XCPU && info->si_signo != SIG_XFSZ;
	return info->si_signo == SIG_ABRT && info->u.rt.pid == t->tgid;
}

void crash_report(struct task *t, const struct host_siginfo *info)
{
	struct report r = {.t = t, .info = info};
	char *text = NULL;
	size_t len = 0;

	if (!is_crash(t, info) || !wished(t) || !debug_maps_read(&r.maps))
		return;
	r.f = open_memstream(&text, &len);
	if (r.f) {
		put_cause(&r);
		put_registers(&r);
		put_code(&r);
		put_backtrace(&r);
		put_maps(&r);
		put_calls(&r);
		if (fclose(r.f) == 0)
			diag_text(text, len);
	}
	free(text);
	debug_maps_free(&r.maps);
}
