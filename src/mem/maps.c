/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/self/maps and smaps as the guest must see them. What is mapped and how it may be accessed
 * comes from the page table; file, offset, device and inode from the host's own maps of the arena.
 */
#include "mem/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VIEW_BITS (PG_R | PG_W | PG_X | PG_MAPPED | PG_SHARED)

/* One mapping of the host, cut to the arena: guest addresses. */
struct host_map {
	uint64_t start, end, offset;
	char device[16];
	unsigned long inode;
	const char *name;  /* into the text */
	const char *stats; /* smaps: the lines that follow */
};

struct host_maps {
	char *text;
	struct host_map *map;
	size_t n, next;
};

/* Names that mem_set_name() gave. */
#define MAX_NAMES 16
static struct mem_names {
	unsigned n;
	struct mem_name {
		uint64_t start, end;
		char name[16];
	} v[MAX_NAMES];
} own_names;

struct mem_view {
	const uint8_t *page;
	const struct mem_state *state;
	const struct mem_names *names;
	uint64_t base;
	const char *dir; /* in /proc */
	/* another process's */
	uint8_t page_copy[MEM_PAGES];
	struct mem_state state_copy;
	struct mem_names names_copy;
	char dir_copy[];
};

/* Without room the range stays without a name. */
static void add_name(uint64_t start, uint64_t end, const char *name)
{
	struct mem_name *v = own_names.v;

	for (unsigned i = 0; i < own_names.n; i++) {
		if (v[i].end == start && strcmp(v[i].name, name) == 0) {
			v[i].end = end;
			return;
		}
	}
	if (own_names.n == MAX_NAMES)
		return;
	v += own_names.n++;
	v->start = start;
	v->end = end;
	snprintf(v->name, sizeof(v->name), "%s", name);
}

void mem_names_removed(uint64_t a, uint64_t len)
{
	const uint64_t end = a + len;

	for (unsigned i = 0; i < own_names.n;) {
		struct mem_name *v = &own_names.v[i];
		const struct mem_name old = *v;

		if (old.end <= a || old.start >= end) {
			i++;
			continue;
		}
		*v = own_names.v[--own_names.n];
		if (old.start < a)
			add_name(old.start, a, old.name);
		if (old.end > end)
			add_name(end, old.end, old.name);
	}
}

void mem_names_inherit(uint64_t old, uint64_t a, uint64_t len)
{
	for (unsigned i = 0; i < own_names.n; i++) {
		const struct mem_name v = own_names.v[i];

		if (old >= v.start && old < v.end) {
			add_name(a, a + len, v.name);
			return;
		}
	}
}

void mem_set_name(gaddr start, size_t len, const char *name)
{
	mem_lock();
	mem_names_removed(start, page_up(len));
	add_name(start, start + page_up(len), name);
	mem_unlock();
}

static const char *given_name(const struct mem_names *names, uint64_t a, uint64_t *end)
{
	for (unsigned i = 0; i < names->n; i++) {
		const uint64_t first = names->v[i].start, last = names->v[i].end;

		if (a >= first && a < last) {
			if (*end > last)
				*end = last;
			return names->v[i].name;
		}
		if (a<first && * end> first)
			*end = first;
	}
	return NULL;
}

/* The text of a file: "" if it is not there, NULL if it cannot be had completely. */
static char *read_all(const char *path)
{
	size_t size = 1 << 16, n = 0, k;
	char *buf = malloc(size), *bigger;
	FILE *f = fopen(path, "re");
	bool bad = !buf;

	while (f && !bad && (k = fread(buf + n, 1, size - n - 1, f)) > 0) {
		n += k;
		if (n + 1 < size)
			continue;
		bigger = realloc(buf, size *= 2);
		bad = !bigger;
		buf = bigger ? bigger : buf;
	}
	bad |= f && ferror(f);
	if (f)
		fclose(f);
	if (bad) {
		free(buf);
		return NULL;
	}
	buf[n] = 0;
	return buf;
}

/* --- whose memory ------------------------------------------------------------------------------------ */

void mem_locate(struct mem_locator *l)
{
	l->base = (uintptr_t)mem_arena.base;
	l->page = (uintptr_t)mem_arena.page;
	l->state = (uintptr_t)&mem_state;
	l->names = (uintptr_t)&own_names;
	l->size = sizeof(mem_state) + sizeof(own_names);
}

/* Our own, valid under the lock. */
static struct mem_view *own_view(void)
{
	static struct mem_view own;

	own.page = mem_arena.page;
	own.state = &mem_state;
	own.names = &own_names;
	own.base = (uintptr_t)mem_arena.base;
	own.dir = "/proc/self";
	return &own;
}

static bool read_at(int fd, void *buf, size_t n, uint64_t at)
{
	return (int64_t)at >= 0 && pread(fd, buf, n, (off_t)at) == (ssize_t)n;
}

struct mem_view *mem_view_other(const struct mem_locator *l, int mem_fd, const char *dir)
{
	struct mem_view *v = malloc(sizeof(*v) + strlen(dir) + 1);

	if (!v)
		return NULL;
	if (!read_at(mem_fd, v->page_copy, MEM_PAGES, l->page) ||
	    !read_at(mem_fd, &v->state_copy, sizeof(v->state_copy), l->state) ||
	    !read_at(mem_fd, &v->names_copy, sizeof(v->names_copy), l->names) ||
	    v->names_copy.n > MAX_NAMES || l->base & MEM_PAGE_MASK ||
	    l->base > UINT64_MAX - MEM_SPACE) {
		free(v);
		return NULL;
	}
	for (unsigned i = 0; i < v->names_copy.n; i++)
		v->names_copy.v[i].name[sizeof(v->names_copy.v[i].name) - 1] = '\0';
	v->page = v->page_copy;
	v->state = &v->state_copy;
	v->names = &v->names_copy;
	v->base = l->base;
	memcpy(v->dir_copy, dir, strlen(dir) + 1);
	v->dir = v->dir_copy;
	return v;
}

void mem_view_free(struct mem_view *v)
{
	free(v);
}

/* --- the host's maps ----------------------------------------------------------------------------------- */

/* Parses a header line "start-end perms offset device inode   name"; false if it is none. */
static bool parse_line(char *line, struct host_map *m, uint64_t base)
{
	uint64_t start, end;
	int used = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %15s %lu%n", &start, &end,
		   &m->offset, m->device, &m->inode, &used) != 5)
		return false;
	m->name = line + used + strspn(line + used, " ");
	m->stats = NULL;
	m->start = m->end = 0;
	if (end <= base || start >= base + MEM_SPACE)
		return true;
	if (start < base)
		m->offset += base - start, start = base;
	if (end > base + MEM_SPACE)
		end = base + MEM_SPACE;
	m->start = start - base;
	m->end = end - base;
	return true;
}

/* False when out of memory: H is then not to be freed. */
static bool read_host(struct host_maps *h, const struct mem_view *v, bool smaps)
{
	size_t room = 0;
	char *line, *next, path[128];

	h->n = h->next = 0;
	h->map = NULL;
	snprintf(path, sizeof(path), "%s/%s", v->dir, smaps ? "smaps" : "maps");
	h->text = read_all(path);
	if (!h->text)
		return false;
	for (line = h->text; line && *line; line = next) {
		struct host_map m;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!parse_line(line, &m, v->base))
			continue;
		if (h->n == room) {
			room = room ? room * 2 : 64;
			struct host_map *p = realloc(h->map, room * sizeof(m));

			if (!p) {
				free(h->map);
				free(h->text);
				return false;
			}
			h->map = p;
		}
		m.stats = next;
		h->map[h->n++] = m;
	}
	return true;
}

static void free_host(struct host_maps *h)
{
	free(h->map);
	free(h->text);
}

/* The host mapping that holds guest address A; cuts *END to its end. NULL if /proc is not there.
 * Called with rising addresses, so the search goes on where it ended. */
static const struct host_map *find_host(struct host_maps *h, uint64_t a, uint64_t *end)
{
	const struct host_map *m;

	while (h->next < h->n && h->map[h->next].end <= a)
		h->next++;
	if (h->next == h->n)
		return NULL;
	m = &h->map[h->next];
	if (a < m->start) {
		if (*end > m->start)
			*end = m->start;
		return NULL;
	}
	if (*end > m->end)
		*end = m->end;
	return m;
}

/* The kernel's rules for names of anonymous memory: show_map_vma(). */
static const char *anon_name(const struct mem_state *s, uint64_t start, uint64_t end)
{
	if (start <= s->brk && end >= s->brk_start && s->brk_start)
		return "[heap]";
	if (start <= s->start_stack && end >= s->start_stack && s->start_stack)
		return "[stack]";
	return NULL;
}

/* smaps lines of the host mapping, for the part of it that the guest sees: sizes in proportion. */
static void put_stats(FILE *out, const struct host_map *m, uint64_t len)
{
	const uint64_t whole = m->end - m->start;
	const char *p = m->stats;
	char key[64];

	for (int i = 0; p && *p && i < 40; i++) {
		uint64_t kb;
		const char *nl = strchr(p, '\0');
		struct host_map probe;
		char copy[512];

		snprintf(copy, sizeof(copy), "%s", p);
		if (parse_line(copy, &probe, 0))
			break;
		if (sscanf(p, "%63[A-Za-z_]: %" SCNu64 " kB", key, &kb) == 2) {
			bool fixed = strstr(key, "PageSize") != NULL;

			if (strcmp(key, "Size") == 0)
				kb = len >> 10;
			else if (!fixed && whole)
				kb = kb * len / whole;
			fprintf(out, "%s:%*s%8" PRIu64 " kB\n", key, (int)(15 - strlen(key)), "",
				kb);
		} else if (strncmp(p, "VmFlags:", 8) == 0) {
			fprintf(out, "%s\n", p);
		}
		p = nl + 1;
	}
}

static void put_map(FILE *out, const struct host_map *m, uint64_t start, uint64_t end, uint8_t bits,
		    const char *name)
{
	const bool file = m && m->inode;
	int n = fprintf(out, "%08" PRIx64 "-%08" PRIx64 " %c%c%c%c %08" PRIx64 " %s %lu ", start,
			end, bits & PG_R ? 'r' : '-', bits & PG_W ? 'w' : '-',
			bits & PG_X ? 'x' : '-', bits & PG_SHARED ? 's' : 'p',
			file ? m->offset + (start - m->start) : 0, m ? m->device : "00:00",
			m ? m->inode : 0ul);

	if (name && *name) {
		/* The kernel pads to 25 + 6 * sizeof(void *) - 1 columns (seq_file's maps). */
		fprintf(out, "%*s%s", n < 73 ? 73 - n : 0, "", name);
	}
	fputc('\n', out);
}

/* One mapping from A on; the address behind it. */
static uint64_t show_map(FILE *out, const struct mem_view *v, struct host_maps *host, uint64_t a,
			 bool smaps)
{
	const uint8_t bits = v->page[a >> MEM_PAGE_SHIFT] & VIEW_BITS;
	uint64_t stop = a;

	while (stop < MEM_SPACE && (v->page[stop >> MEM_PAGE_SHIFT] & VIEW_BITS) == bits)
		stop += MEM_PAGE_SIZE;
	const char *name = given_name(v->names, a, &stop);
	const struct host_map *m = find_host(host, a, &stop);

	if (!name && m && *m->name)
		name = m->name;
	if (!name)
		name = anon_name(v->state, a, stop);
	put_map(out, m, a, stop, bits, name);
	if (smaps && m)
		put_stats(out, m, stop - a);
	return stop;
}

static char *maps_text(const struct mem_view *v, bool smaps, size_t *len)
{
	struct host_maps host;
	char *text = NULL;
	FILE *out;

	if (!read_host(&host, v, smaps))
		return NULL;
	out = open_memstream(&text, len);
	for (uint64_t a = 0; out && a < MEM_SPACE;) {
		bool mapped;
		uint64_t run = mem_run_in(v->page, a, MEM_SPACE, &mapped);

		a = mapped ? show_map(out, v, &host, a, smaps) : a + run;
	}
	free_host(&host);
	if (!out)
		return NULL;
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *mem_maps_text(bool smaps, size_t *len)
{
	mem_lock();
	char *text = maps_text(own_view(), smaps, len);
	mem_unlock();
	return text;
}

char *mem_maps_text_of(const struct mem_view *v, bool smaps, size_t *len)
{
	return maps_text(v, smaps, len);
}

/* Shared memory without a name of its own, as the host calls it. */
static bool is_shmem(const struct host_map *m)
{
	static const char *const prefix[] = {"/dev/zero (deleted)", "/memfd:", "/SYSV",
					     "/dev/shm/"};

	for (size_t i = 0; i < sizeof(prefix) / sizeof(*prefix); i++) {
		if (strncmp(m->name, prefix[i], strlen(prefix[i])) == 0)
			return true;
	}
	return false;
}

/* Adds one line of smaps to U. False if it belongs to no mapping, but is the next one's first. */
static bool count_line(struct mem_usage *u, const struct host_map *m, const char *line,
		       uint64_t *anon)
{
	char name[32];
	uint64_t kb;

	/* What is locked counts whole (mm->locked_vm), present or not; the line "Locked" does not say that. */
	if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " lo"))
		u->locked += m->end - m->start;
	if (sscanf(line, "%31[A-Za-z_]: %" SCNu64 " kB", name, &kb) != 2)
		return strncmp(line, "VmFlags:", 8) == 0 ||
		       strncmp(line, "THPeligible:", 12) == 0 ||
		       strncmp(line, "ProtectionKey:", 14) == 0;
	kb <<= 10;
	if (strcmp(name, "Rss") == 0) {
		u->rss += kb;
		u->shmem += is_shmem(m) ? kb : 0;
	} else if (strcmp(name, "Anonymous") == 0) {
		*anon += kb;
	} else if (strcmp(name, "Swap") == 0) {
		u->swap += kb;
	}
	return true;
}

/* Pages of the arena that are present, from the host's count for each mapping. */
static void count_pages(struct mem_usage *u, const struct host_maps *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct host_map *m = &h->map[i];
		const char *p = m->stats;
		uint64_t anon = 0;

		if (m->end == 0)
			continue;
		while (p && *p && count_line(u, m, p, &anon))
			p = strchr(p, '\0') + 1;
		if (!is_shmem(m))
			u->anon += anon;
	}
}

static bool usage(const struct mem_view *v, struct mem_usage *u)
{
	enum { TABLE_SHIFT = 21 }; /* a kernel's page table covers 2 MiB */
	const struct mem_state *s = v->state;
	struct host_maps host;
	uint64_t last = 0;

	memset(u, 0, sizeof(*u));
	for (uint64_t a = 0; a < MEM_SPACE; a += MEM_PAGE_SIZE) {
		const uint8_t bits = v->page[a >> MEM_PAGE_SHIFT];

		if (!(bits & PG_MAPPED))
			continue;
		u->vsize += MEM_PAGE_SIZE;
		if (!u->tables || a >> TABLE_SHIFT != last >> TABLE_SHIFT)
			u->tables += MEM_PAGE_SIZE;
		last = a;
		if (bits & PG_GROWS)
			u->stack += MEM_PAGE_SIZE;
		else if (bits & PG_X && !(bits & PG_W))
			u->exe += MEM_PAGE_SIZE;
		else if (bits & PG_W && !(bits & PG_SHARED))
			u->data += MEM_PAGE_SIZE;
	}
	u->lib = u->exe;
	u->exe = page_up(s->end_code) - (s->start_code & ~(gaddr)MEM_PAGE_MASK);
	u->lib = u->lib > u->exe ? u->lib - u->exe : 0;
	u->brk_start = s->brk_start;
	u->brk = s->brk;
	u->start_code = s->start_code;
	u->end_code = s->end_code;
	u->start_data = s->start_data;
	u->end_data = s->end_data;
	u->start_stack = s->start_stack;
	if (!read_host(&host, v, true))
		return false;
	count_pages(u, &host);
	free_host(&host);
	return true;
}

bool mem_usage(struct mem_usage *u)
{
	mem_lock();
	bool complete = usage(own_view(), u);
	mem_unlock();
	return complete;
}

bool mem_usage_of(const struct mem_view *v, struct mem_usage *u)
{
	return usage(v, u);
}
