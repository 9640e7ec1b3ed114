/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of a core file: 01-elf-and-process.md "Core dump", order and values as recorded from 4.14. */
#include "debug/core.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "abi/structs.h"
#include "debug/maps.h"
#include "task/internal.h"
#include "task/regset.h"
#include "trace/trace.h"

enum { NOTE_HW_BREAK = 0x402, NOTE_HW_WATCH = 0x403, NOTE_SYSTEM_CALL = 0x404 };
#define DEBUG_ARCH_V8   6u /* of the debug registers, of which the guest has none */
#define OVERFLOW_ID     65534u
#define FILE_NOTE_MAX   (4u << 20)
#define MIN_CORE        MEM_PAGE_SIZE
#define NAME_MAX_LENGTH sizeof(((struct host_elf_prpsinfo *)0)->pr_fname)

/* Bits of /proc/PID/coredump_filter. */
enum {
	DUMP_ANON_PRIVATE = 1,
	DUMP_ANON_SHARED = 2,
	DUMP_FILE_PRIVATE = 4,
	DUMP_FILE_SHARED = 8,
	DUMP_ELF_HEADERS = 16,
};

/* --- a growing block of bytes --------------------------------------------------------------------------- */

struct block {
	uint8_t *v;
	size_t n, room;
	bool bad;
};

/* N more zero bytes, or NULL when out of memory. */
static uint8_t *more(struct block *b, size_t n)
{
	if (b->room - b->n < n) {
		size_t room = b->room + n + 4096;
		uint8_t *v = realloc(b->v, room);
		if (!v) {
			b->bad = true;
			return NULL;
		}
		b->v = v;
		b->room = room;
	}
	b->n += n;
	return memset(b->v + b->n - n, 0, n);
}

static void put_note(struct block *b, const char *owner, uint32_t type, const void *data, size_t n)
{
	size_t name = strlen(owner) + 1;
	uint8_t *p = more(b, 12 + 8 + (n + 3) / 4 * 4);

	if (!p)
		return;
	abi_put32(p, (uint32_t)name);
	abi_put32(p + 4, (uint32_t)n);
	abi_put32(p + 8, type);
	memcpy(p + 12, owner, name); /* at most 8 */
	if (n)
		memcpy(p + 20, data, n);
}

/* --- facts about a thread from the host ------------------------------------------------------------------ */

/* /proc/PID/stat by field number of proc(5); the name is in COMM. */
struct stat_line {
	char comm[NAME_MAX_LENGTH + 1];
	int64_t field[20];
};

static void read_stat(struct stat_line *s, const char *path)
{
	char text[1024];
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (f)
		fclose(f);
	memset(s, 0, sizeof *s);
	text[n] = '\0';
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	if (!open || !close)
		return;
	snprintf(s->comm, sizeof s->comm, "%.*s", (int)(close - open - 1), open + 1);
	char *p = close + 1;
	p += strspn(p, " ");
	p += strcspn(p, " "); /* the state: it runs */
	for (int i = 4; i < 20 && *p; i++)
		s->field[i] = strtoll(p, &p, 10);
}

enum { STAT_PPID = 4, STAT_PGRP, STAT_SESSION, STAT_FLAGS = 9, STAT_UTIME = 14, STAT_NICE = 19 };

static void thread_stat(struct stat_line *s, const struct task *t)
{
	char path[64];

	/* A process counts its threads, living and ended. */
	if (t->tid == t->tgid)
		snprintf(path, sizeof path, "/proc/self/stat");
	else
		snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)t->tid);
	read_stat(s, path);
}

/* Signals pending for the thread alone, as the host has them, and what the emulator holds back. */
static uint64_t pending_signals(const struct task *t)
{
	char path[64], line[128];
	uint64_t set = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)t->tid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "SigPnd: %" SCNx64, &set) == 1)
			break;
	if (f)
		fclose(f);
	return set | t->sig.held;
}

/* --- notes ------------------------------------------------------------------------------------------------- */

struct dump {
	struct task *dying;
	const struct host_siginfo *info;
	struct debug_maps maps;
	struct block head, notes;
	unsigned filter;
	int fd, mem;       /* the core, /proc/self/mem */
	int pagemap;       /* /proc/self/pagemap */
	uint64_t at, left; /* position, bytes that RLIMIT_CORE still allows */
};

/* A note that is the structure DATA, described by ST. */
static void put_struct(struct block *b, const char *owner, uint32_t type,
		       const struct abi_struct *st, const void *data)
{
	uint8_t guest[ABI_MAX_SIZE];

	abi_to_guest(st, guest, data);
	put_note(b, owner, type, guest, st->gsize);
}

static struct host_timeval ticks(int64_t n)
{
	long hz = sysconf(_SC_CLK_TCK);

	return (struct host_timeval){n / hz, n % hz * (1000000 / hz)};
}

static void put_prstatus(struct dump *d, const struct task *t, const struct cpu_state *r)
{
	struct stat_line s;

	thread_stat(&s, t);
	/* All threads show the signal that ended the process. */
	struct host_elf_prstatus p = {
		.si_signo = d->info->si_signo,
		.pr_cursig = (int16_t)d->info->si_signo,
		.pr_sigpend = pending_signals(t),
		.pr_sighold = t->sig.mask,
		.pr_pid = (int32_t)t->tid,
		.pr_ppid = (int32_t)s.field[STAT_PPID],
		.pr_pgrp = (int32_t)s.field[STAT_PGRP],
		.pr_sid = (int32_t)s.field[STAT_SESSION],
		.pr_utime = ticks(s.field[STAT_UTIME]),
		.pr_stime = ticks(s.field[STAT_UTIME + 1]),
		.pr_cutime = ticks(s.field[STAT_UTIME + 2]),
		.pr_cstime = ticks(s.field[STAT_UTIME + 3]),
		.pr_fpvalid = 1,
	};
	regset_from_cpu(&p.pr_reg, r);
	put_struct(&d->notes, "CORE", NT_PRSTATUS, &abi_st_elf_prstatus, &p);
}

static uint32_t id16(unsigned id)
{
	return id > 0xffff ? OVERFLOW_ID : id;
}

static void put_prpsinfo(struct dump *d)
{
	const struct process *p = d->dying->process;
	struct stat_line s;
	uint32_t n = p->arg_end - p->arg_start;

	thread_stat(&s, d->dying);
	struct host_elf_prpsinfo ps = {
		.pr_sname = 'R',
		.pr_nice = (int8_t)s.field[STAT_NICE],
		.pr_flag = (uint64_t)s.field[STAT_FLAGS],
		.pr_uid = id16(getuid()),
		.pr_gid = id16(getgid()),
		.pr_pid = (int32_t)d->dying->tid,
		.pr_ppid = (int32_t)s.field[STAT_PPID],
		.pr_pgrp = (int32_t)s.field[STAT_PGRP],
		.pr_sid = (int32_t)s.field[STAT_SESSION],
	};
	memcpy(ps.pr_fname, s.comm, NAME_MAX_LENGTH); /* NUL-padded */
	if (n > sizeof ps.pr_psargs - 1)
		n = sizeof ps.pr_psargs - 1;
	if (mem_copy_in(ps.pr_psargs, p->arg_start, n))
		n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!ps.pr_psargs[i])
			ps.pr_psargs[i] = ' ';
	ps.pr_psargs[n] = 0;
	put_struct(&d->notes, "CORE", NT_PRPSINFO, &abi_st_elf_prpsinfo, &ps);
}

static void put_siginfo(struct dump *d)
{
	uint8_t b[128] = {0};

	signal_info_to_guest(b, d->info);
	put_note(&d->notes, "CORE", NT_SIGINFO, b, sizeof b);
}

static void put_auxv(struct dump *d)
{
	const struct process *p = d->dying->process;
	uint8_t *copy = malloc(p->auxv_len);

	if (copy && mem_copy_in(copy, p->auxv, p->auxv_len) == 0)
		put_note(&d->notes, "CORE", NT_AUXV, copy, p->auxv_len);
	free(copy);
}

/* fill_files_note(): count, page size, {start, end, page} each, names. */
static void put_files(struct dump *d)
{
	struct block table = {0}, names = {0};
	uint32_t count = 0;
	uint8_t *p = more(&table, 8);

	for (size_t i = 0; p && i < d->maps.n; i++) {
		const struct debug_map *m = &d->maps.v[i];
		size_t len = strlen(m->name) + 1;
		uint8_t *name = m->name[0] == '/' ? more(&names, len) : NULL;

		if (!name)
			continue;
		memcpy(name, m->name, len);
		p = more(&table, 12);
		if (!p)
			break;
		abi_put32(p, (uint32_t)m->start);
		abi_put32(p + 4, (uint32_t)m->end);
		abi_put32(p + 8, (uint32_t)(m->offset / MEM_PAGE_SIZE));
		count++;
	}
	p = names.n ? more(&table, names.n) : NULL;
	if (p && table.n <= FILE_NOTE_MAX) {
		memcpy(p, names.v, names.n);
		abi_put32(table.v, count);
		abi_put32(table.v + 4, MEM_PAGE_SIZE);
		put_note(&d->notes, "CORE", NT_FILE, table.v, table.n);
	}
	free(table.v);
	free(names.v);
}

/* The register sets behind prstatus. */
static void put_regsets(struct dump *d, const struct cpu_state *r)
{
	const struct host_user_hwdebug_state hw = {.dbg_info = DEBUG_ARCH_V8 << 8};
	const uint32_t no_call = UINT32_MAX; /* on the way out no thread is in a call any more */
	struct host_user_fpsimd_state fp;

	regset_fp_from_cpu(&fp, r);
	put_struct(&d->notes, "CORE", NT_FPREGSET, &abi_st_user_fpsimd_state, &fp);
	put_struct(&d->notes, "LINUX", NT_ARM_TLS, &abi_st_u64, &r->tpidr);
	put_struct(&d->notes, "LINUX", NOTE_HW_BREAK, &abi_st_user_hwdebug_state, &hw);
	put_struct(&d->notes, "LINUX", NOTE_HW_WATCH, &abi_st_user_hwdebug_state, &hw);
	put_struct(&d->notes, "LINUX", NOTE_SYSTEM_CALL, &abi_st_u32, &no_call);
}

/* The registers of a thread that stands still, or of one that could not be interrupted. */
static void get_registers(struct task *t, struct cpu_state *r)
{
	if (t->regs_valid || !t->cpu)
		*r = t->regs;
	else
		cpu_get_state(t->cpu, r);
}

static bool put_thread(struct task *t, void *arg)
{
	struct dump *d = arg;
	struct cpu_state r;

	if (t != d->dying) {
		get_registers(t, &r);
		put_prstatus(d, t, &r);
		put_regsets(d, &r);
	}
	return false;
}

static void fill_notes(struct dump *d)
{
	put_prstatus(d, d->dying, &d->dying->regs);
	put_prpsinfo(d);
	put_siginfo(d);
	put_auxv(d);
	put_files(d);
	put_regsets(d, &d->dying->regs);
	task_for_each(d->dying, put_thread, d);
}

/* --- which memory ------------------------------------------------------------------------------------------ */

/* Whether the program wrote to a private mapping: then it has pages that are no file's. */
static bool has_own_pages(const struct dump *d, const struct debug_map *m)
{
	enum { BATCH = 512 };
	uint64_t entry[BATCH];
	const uint64_t present = 3ull << 62, of_file = 1ull << 61;
	uint64_t page = ((uint64_t)(uintptr_t)mem_arena.base + m->start) / MEM_PAGE_SIZE;
	uint64_t left = (m->end - m->start) / MEM_PAGE_SIZE;

	while (left) {
		size_t n = left < BATCH ? left : BATCH;
		ssize_t got = pread(d->pagemap, entry, n * 8, (off_t)(page * 8));

		if (got < (ssize_t)(n * 8))
			return true; /* cannot be told */
		for (size_t i = 0; i < n; i++)
			if ((entry[i] & present) && !(entry[i] & of_file))
				return true;
		page += n;
		left -= n;
	}
	return false;
}

static bool is_deleted(const char *name)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(name);

	return n > sizeof mark && strcmp(name + n - (sizeof mark - 1), mark) == 0;
}

static bool has_elf_header(const struct debug_map *m)
{
	char magic[SELFMAG];

	return mem_copy_in(magic, (gaddr)m->start, SELFMAG) == 0 &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/* vma_dump_size(). */
static uint64_t dump_size(const struct dump *d, const struct debug_map *m)
{
	const uint64_t all = m->end - m->start;
	const bool file = m->name[0] == '/';

	if (strcmp(m->name, "[vdso]") == 0 || strcmp(m->name, "[vvar]") == 0)
		return all;
	if (m->dont_dump)
		return 0;
	if (m->shared)
		return d->filter & (is_deleted(m->name) || !file ? DUMP_ANON_SHARED
								 : DUMP_FILE_SHARED)
			       ? all
			       : 0;
	if ((d->filter & DUMP_ANON_PRIVATE) && has_own_pages(d, m))
		return all;
	if (!file)
		return 0;
	if (d->filter & DUMP_FILE_PRIVATE)
		return all;
	if ((d->filter & DUMP_ELF_HEADERS) && !m->offset && m->r && has_elf_header(m))
		return MEM_PAGE_SIZE;
	return 0;
}

/* --- the file ------------------------------------------------------------------------------------------------ */

/* False: the limit is reached, or the disk is full. */
static bool emit(struct dump *d, const void *data, size_t n)
{
	const uint8_t *p = data;

	if (n > d->left)
		return false;
	d->left -= n;
	while (n) {
		ssize_t k = pwrite(d->fd, p, n, (off_t)d->at);

		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
		d->at += (uint64_t)k;
	}
	return true;
}

static bool all_zero(const uint8_t *p, size_t n)
{
	return !p[0] && memcmp(p, p + 1, n - 1) == 0;
}

/* Pages that cannot be read, or are zero, become holes. */
static bool emit_memory(struct dump *d, const struct debug_map *m, uint64_t size)
{
	uint8_t page[MEM_PAGE_SIZE];

	for (uint64_t a = m->start; a < m->start + size; a += MEM_PAGE_SIZE) {
		off_t host = (off_t)((uint64_t)(uintptr_t)mem_arena.base + a);

		if (pread(d->mem, page, sizeof page, host) != sizeof page ||
		    all_zero(page, sizeof page))
			d->at += MEM_PAGE_SIZE;
		else if (!emit(d, page, sizeof page))
			return false;
	}
	return true;
}

static void put_phdr(uint8_t *p, uint32_t type, uint64_t offset, const struct debug_map *m,
		     uint64_t filesz)
{
	const Elf64_Phdr h = {
		.p_type = type,
		.p_offset = offset,
		.p_vaddr = m ? m->start : 0,
		.p_filesz = filesz,
		.p_memsz = m ? m->end - m->start : 0,
		.p_flags = m ? (m->r ? PF_R : 0u) | (m->w ? PF_W : 0u) | (m->x ? PF_X : 0u) : 0,
		.p_align = m ? MEM_PAGE_SIZE : 0,
	};

	abi_to_guest(&abi_st_Elf_Phdr, p, &h);
}

/* ELF header, program headers. SIZE has the bytes to dump of each mapping. */
static bool fill_head(struct dump *d, const uint64_t *size)
{
	const size_t n = 1 + d->maps.n, notes = sizeof(Elf32_Ehdr) + n * sizeof(Elf32_Phdr);
	const Elf64_Ehdr h = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_CORE,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf32_Ehdr),
		.e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = (uint16_t)n,
	};
	uint8_t *p = n < PN_XNUM ? more(&d->head, notes) : NULL;
	uint64_t at = (notes + d->notes.n + MEM_PAGE_MASK) & ~(uint64_t)MEM_PAGE_MASK;

	if (!p)
		return false;
	abi_to_guest(&abi_st_Elf_Ehdr, p, &h);
	p += sizeof(Elf32_Ehdr);
	put_phdr(p, PT_NOTE, notes, NULL, d->notes.n);
	for (size_t i = 0; i < d->maps.n; i++) {
		p += sizeof(Elf32_Phdr);
		put_phdr(p, PT_LOAD, at, &d->maps.v[i], size[i]);
		at += size[i];
	}
	return true;
}

static void write_all(struct dump *d, const uint64_t *size)
{
	if (!emit(d, d->head.v, d->head.n) || !emit(d, d->notes.v, d->notes.n))
		return;
	d->at = (d->at + MEM_PAGE_MASK) & ~(uint64_t)MEM_PAGE_MASK;
	for (size_t i = 0; i < d->maps.n; i++)
		if (!emit_memory(d, &d->maps.v[i], size[i]))
			return;
	/* A hole at the end counts too. */
	if (ftruncate(d->fd, (off_t)d->at))
		return;
}

static unsigned read_filter(void)
{
	unsigned filter = DUMP_ANON_PRIVATE | DUMP_ANON_SHARED;
	FILE *f = fopen("/proc/self/coredump_filter", "re");

	if (f && fscanf(f, "%x", &filter) != 1)
		filter = DUMP_ANON_PRIVATE | DUMP_ANON_SHARED;
	if (f)
		fclose(f);
	return filter;
}

/* Whether the kernel would dump at all (do_coredump). */
static bool wanted(uint64_t *limit)
{
	struct rlimit rl;

	if (prctl(PR_GET_DUMPABLE) != 1 || getrlimit(RLIMIT_CORE, &rl) || rl.rlim_cur < MIN_CORE)
		return false;
	*limit = rl.rlim_cur;
	return true;
}

bool core_write(struct task *t, const struct host_siginfo *info)
{
	struct dump d = {.dying = t, .info = info, .fd = -1};
	uint64_t *size = NULL;
	bool done = false;

	if (!wanted(&d.left) || !debug_maps_read(&d.maps))
		return false;
	d.mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	d.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	d.filter = read_filter();
	size = calloc(d.maps.n + 1, sizeof *size);
	for (size_t i = 0; size && i < d.maps.n; i++)
		size[i] = dump_size(&d, &d.maps.v[i]);
	fill_notes(&d);
	if (size && d.mem >= 0 && !d.notes.bad && fill_head(&d, size))
		d.fd = core_file_open(t, info->si_signo);
	if (size && d.fd >= 0) {
		write_all(&d, size);
		close(d.fd);
		done = true;
	}
	if (d.mem >= 0)
		close(d.mem);
	if (d.pagemap >= 0)
		close(d.pagemap);
	free(size);
	free(d.head.v);
	free(d.notes.v);
	debug_maps_free(&d.maps);
	return done;
}
