/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of the guest's /proc view (fs/proc/array.c, base.c, task_mmu.c; arm64 cpuinfo.c). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "abi/abi.h"
#include "cpu/cpu.h"
#include "mem/mem.h"
#include "syscall/procfs.h"
#include "syscall/seccomp.h"

static const struct process *process_of(const struct procfs_source *s)
{
	return s->self ? s->self->process : &s->process;
}

/* A copy of another process does not reach whose actions that shares. */
static const struct sig_action *actions_of(const struct procfs_source *s)
{
	return s->self ? process_hand(s->self->process)->action : s->process.action;
}

static bool usage_of(const struct procfs_source *s, struct mem_usage *u)
{
	return s->self ? mem_usage(u) : mem_usage_of(s->view, u);
}

/* --- pieces of guest memory ----------------------------------------------------------------------------- */

/* What of [start, end) can be read; the rest is left out, as the kernel ends a read there. */
static char *guest_bytes(gaddr start, gaddr end, size_t *len)
{
	size_t n = end > start ? end - start : 0;
	char *text = malloc(n + 1);

	*len = 0;
	for (size_t at = 0; text && at < n;) {
		size_t k = MEM_PAGE_SIZE - ((start + at) & MEM_PAGE_MASK);
		if (k > n - at)
			k = n - at;
		if (mem_copy_in(text + at, (gaddr)(start + at), k))
			break;
		at += k;
		*len = at;
	}
	return text;
}

char *procfs_auxv(const struct procfs_source *s, size_t *len)
{
	const struct process *p = s->self->process;
	char *text = guest_bytes(p->auxv, p->auxv + p->auxv_len, len);
	/* The kernel looks for AT_NULL in steps of two pairs, and shows all that it stepped over. */
	size_t shown = (*len / 16 + 1) * 16;
	char *longer = text ? realloc(text, shown) : NULL;

	if (!longer) {
		free(text);
		return NULL;
	}
	memset(longer + *len, 0, shown - *len);
	*len = shown;
	return longer;
}

char *procfs_cmdline(const struct procfs_source *s, size_t *len)
{
	const struct process *p = s->self->process;
	char *text = guest_bytes(p->arg_start, p->arg_end, len);

	/* get_mm_cmdline(): a program that overwrote the last NUL has put its title across argv and
	 * environment. */
	if (text && *len && text[*len - 1]) {
		free(text);
		text = guest_bytes(p->arg_start, p->env_end, len);
		if (text)
			*len = strnlen(text, *len);
	}
	return text;
}

char *procfs_environ(const struct procfs_source *s, size_t *len)
{
	return guest_bytes(s->self->process->env_start, s->self->process->env_end, len);
}

static char *maps(const struct procfs_source *s, bool smaps, size_t *len)
{
	return s->self ? mem_maps_text(smaps, len) : mem_maps_text_of(s->view, smaps, len);
}

char *procfs_maps(const struct procfs_source *s, size_t *len)
{
	return maps(s, false, len);
}

char *procfs_smaps(const struct procfs_source *s, size_t *len)
{
	return maps(s, true, len);
}

/* --- the host's text, with the guest's values in it ------------------------------------------------------- */

struct text {
	char *v;
	size_t n;
	FILE *f;
};

static bool begin(struct text *t)
{
	*t = (struct text){0};
	t->f = open_memstream(&t->v, &t->n);
	return t->f;
}

static char *end(struct text *t, size_t *len)
{
	bool bad = ferror(t->f);

	if (fclose(t->f) || bad) {
		free(t->v);
		return NULL;
	}
	*len = t->n;
	return t->v;
}

/* Of the directory that was asked for: a process shows sums over its threads. */
static FILE *host_file(const struct procfs_source *s, const char *name)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof path, "%s/%s", s->at->dir, name);
	return fopen(path, "re");
}

struct masks {
	pid_t tid;
	bool has_blocked; /* otherwise it is what the host says, but for a moment in the emulator */
	uint64_t blocked, ignored, caught;
	bool found;  /* a thread of ours */
	int seccomp; /* mode */
	unsigned filters;
};

static bool find_mask(struct task *t, void *arg)
{
	struct masks *m = arg;

	if (t->tid != m->tid)
		return false;
	m->has_blocked = true;
	m->blocked = t->sig.mask;
	m->found = true;
	m->seccomp = t->seccomp.mode;
	m->filters = seccomp_count(t);
	return true;
}

static struct masks signal_masks(const struct procfs_source *s)
{
	struct masks m = {.tid = s->at->tid};

	if (s->self)
		task_for_each(s->self, find_mask, &m);
	for (int sig = 1; sig <= SIG_COUNT; sig++) {
		gaddr handler = actions_of(s)[sig].handler;
		m.ignored |= handler == 1 ? SIGBIT(sig) : 0;
		m.caught |= handler > 1 ? SIGBIT(sig) : 0;
	}
	return m;
}

/* Fields of /proc/PID/stat by their number in proc(5). */
enum {
	STAT_THREADS = 20,
	STAT_VSIZE = 23,
	STAT_RSS,
	STAT_STARTCODE = 26,
	STAT_ENDCODE,
	STAT_STARTSTACK,
	STAT_KSTKESP,
	STAT_KSTKEIP,
	STAT_BLOCKED = 32,
	STAT_SIGIGNORE,
	STAT_SIGCATCH,
	STAT_START_DATA = 45,
	STAT_END_DATA,
	STAT_START_BRK,
	STAT_ARG_START,
	STAT_ARG_END,
	STAT_ENV_START,
	STAT_ENV_END,
	STAT_FIELDS,
};

/* Which fields are ours, and their values. */
struct stat_values {
	bool set[STAT_FIELDS];
	uint64_t v[STAT_FIELDS];
};

static void set_stat(struct stat_values *s, unsigned field, uint64_t value)
{
	s->set[field] = true;
	s->v[field] = value;
}

static bool fill_stat(struct stat_values *s, const struct procfs_source *source)
{
	const struct process *p = process_of(source);
	struct masks m = signal_masks(source);
	struct mem_usage u;
	const uint64_t low = 0x7fffffff; /* these fields show 31 signals */

	if (!usage_of(source, &u))
		return false;
	set_stat(s, STAT_VSIZE, u.vsize);
	set_stat(s, STAT_RSS, u.rss / MEM_PAGE_SIZE);
	set_stat(s, STAT_STARTCODE, u.start_code);
	set_stat(s, STAT_ENDCODE, u.end_code);
	set_stat(s, STAT_STARTSTACK, u.start_stack);
	set_stat(s, STAT_KSTKESP, 0);
	set_stat(s, STAT_KSTKEIP, 0);
	if (m.has_blocked)
		set_stat(s, STAT_BLOCKED, m.blocked & low);
	set_stat(s, STAT_SIGIGNORE, m.ignored & low);
	set_stat(s, STAT_SIGCATCH, m.caught & low);
	set_stat(s, STAT_START_DATA, u.start_data);
	set_stat(s, STAT_END_DATA, u.end_data);
	set_stat(s, STAT_START_BRK, u.brk_start);
	set_stat(s, STAT_ARG_START, p->arg_start);
	set_stat(s, STAT_ARG_END, p->arg_end);
	set_stat(s, STAT_ENV_START, p->env_start);
	set_stat(s, STAT_ENV_END, p->env_end);
	return true;
}

/* How many of the host's threads, N in decimal, are the guest's. */
static unsigned long guest_threads(const struct procfs_source *s, const char *n)
{
	unsigned long host = strtoul(n, NULL, 10);

	return process_of(s)->helper && host > 1 ? host - 1 : host;
}

char *procfs_stat(const struct procfs_source *s, size_t *len)
{
	struct stat_values values = {0};
	char host[4096], *word, *save;
	struct text out;
	FILE *f = host_file(s, "stat");
	size_t n = f ? fread(host, 1, sizeof host - 1, f) : 0;

	if (f)
		fclose(f);
	host[n] = '\0';
	/* The command name, which may hold anything, ends at the last parenthesis. */
	char *rest = strrchr(host, ')');
	if (!rest || !fill_stat(&values, s) || !begin(&out))
		return NULL;
	fprintf(out.f, "%.*s", (int)(rest + 1 - host), host);
	word = strtok_r(rest + 1, " \n", &save);
	for (unsigned field = 3; word; field++, word = strtok_r(NULL, " \n", &save)) {
		if (field < STAT_FIELDS && values.set[field])
			fprintf(out.f, " %" PRIu64, values.v[field]);
		else if (field == STAT_THREADS)
			fprintf(out.f, " %lu", guest_threads(s, word));
		else
			fprintf(out.f, " %s", word);
	}
	fputc('\n', out.f);
	return end(&out, len);
}

char *procfs_statm(const struct procfs_source *s, size_t *len)
{
	struct mem_usage u;
	struct text out;

	if (!usage_of(s, &u) || !begin(&out))
		return NULL;
	/* size resident shared text lib data dt, in pages; lib and dt are always 0. */
	fprintf(out.f, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " 0\n",
		u.vsize / MEM_PAGE_SIZE, u.rss / MEM_PAGE_SIZE, u.lib / MEM_PAGE_SIZE,
		u.exe / MEM_PAGE_SIZE, (u.data + u.stack) / MEM_PAGE_SIZE);
	return end(&out, len);
}

/* Lines of the host's status that tell of the emulator or of the host's processor. */
static bool drop_status_line(const char *line)
{
	static const char *const drop[] = {"THP_enabled:", "untag_mask:", "x86_Thread_features"};

	for (size_t i = 0; i < sizeof drop / sizeof *drop; i++) {
		if (strncmp(line, drop[i], strlen(drop[i])) == 0)
			return true;
	}
	return false;
}

static void status_line(FILE *out, const char *line, const struct mem_usage *u,
			const struct masks *m)
{
	const struct {
		const char *name;
		bool mask;
		uint64_t value;
	} ours[] = {
		{"VmPeak:", false, u->vsize},   {"VmSize:", false, u->vsize},
		{"VmHWM:", false, u->rss},      {"VmRSS:", false, u->rss},
		{"VmData:", false, u->data},    {"VmStk:", false, u->stack},
		{"VmExe:", false, u->exe},      {"VmLib:", false, u->lib},
		{"VmLck:", false, u->locked},   {"VmPin:", false, 0},
		{"RssAnon:", false, u->anon},   {"RssFile:", false, u->rss - u->anon - u->shmem},
		{"RssShmem:", false, u->shmem}, {"VmPTE:", false, u->tables},
		{"VmSwap:", false, u->swap},    {"HugetlbPages:", false, 0},
		{"SigBlk:", true, m->blocked},  {"SigIgn:", true, m->ignored},
		{"SigCgt:", true, m->caught},
	};

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		if (strncmp(line, ours[i].name, strlen(ours[i].name)) != 0)
			continue;
		if (!m->has_blocked && strcmp(ours[i].name, "SigBlk:") == 0)
			break;
		if (ours[i].mask)
			fprintf(out, "%s\t%016" PRIx64 "\n", ours[i].name, ours[i].value);
		else
			fprintf(out, "%s\t%8" PRIu64 " kB\n", ours[i].name, ours[i].value >> 10);
		return;
	}
	if (m->found && strncmp(line, "Seccomp:", 8) == 0)
		fprintf(out, "Seccomp:\t%d\n", m->seccomp);
	else if (m->found && strncmp(line, "Seccomp_filters:", 16) == 0)
		fprintf(out, "Seccomp_filters:\t%u\n", m->filters);
	else if (!drop_status_line(line))
		fputs(line, out);
}

char *procfs_status(const struct procfs_source *s, size_t *len)
{
	struct masks m = signal_masks(s);
	FILE *f = host_file(s, "status");
	struct mem_usage u;
	struct text out;
	char line[4096];

	if (!f)
		return NULL;
	if (!usage_of(s, &u) || !begin(&out)) {
		fclose(f);
		return NULL;
	}
	while (fgets(line, sizeof line, f)) {
		if (strncmp(line, "Threads:", 8) == 0)
			fprintf(out.f, "Threads:\t%lu\n", guest_threads(s, line + 8));
		else
			status_line(out.f, line, &u, &m);
	}
	fclose(f);
	return end(&out, len);
}

/* --- cpuinfo ------------------------------------------------------------------------------------------------ */

/* BogoMIPS is twice the frequency of the counter. */
static uint64_t counter_frequency(void)
{
	return 62500000; /* CNTFRQ_EL0 of the engines */
}

char *procfs_cpuinfo(const struct procfs_source *s, size_t *len)
{
	const struct task *t = s->self;
	const struct cpu_engine *e = t->process->engine;
	bool linux32 = (t->process->personality & PER_MASK) == PER_LINUX32;
	uint64_t cap[2] = {0, 0}, midr = cpu_midr(e);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct text out;

	cpu_hwcap(e, &cap[0], &cap[1]);
	if (!begin(&out))
		return NULL;
	for (long cpu = 0; cpu < (cpus > 0 ? cpus : 1); cpu++) {
		uint64_t hz = counter_frequency();

		fprintf(out.f, "processor\t: %ld\n", cpu);
		if (linux32)
			fprintf(out.f, "model name\t: ARMv8 Processor rev %d (v8l)\n",
				(int)(midr & 15));
		fprintf(out.f, "BogoMIPS\t: %" PRIu64 ".%02" PRIu64 "\nFeatures\t:", hz / 500000,
			hz / 5000 % 100);
		/* PER_LINUX32 asks for the AArch32 features, of which there are none. */
		for (unsigned i = 0; i < 128 && !linux32; i++) {
			if (cap[i / 64] >> i % 64 & 1)
				fprintf(out.f, " %s", cpu_hwcap_name(i));
		}
		fprintf(out.f,
			"\nCPU implementer\t: 0x%02x\nCPU architecture: 8\nCPU variant\t: 0x%x\n"
			"CPU part\t: 0x%03x\nCPU revision\t: %d\n\n",
			(unsigned)(midr >> 24 & 0xff), (unsigned)(midr >> 20 & 15),
			(unsigned)(midr >> 4 & 0xfff), (int)(midr & 15));
	}
	return end(&out, len);
}

char *procfs_arch(const struct procfs_source *s, size_t *len)
{
	char *text = strdup(ABI_MACHINE "\n");

	(void)s;
	*len = text ? strlen(text) : 0;
	return text;
}
