/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles as text, a statement a line (the manual page has them for users):
 *
 *   base NAME                       the built-in profile that the others change; first
 *   name NAME                       how the profile is called
 *   FACT = yes | no | NUMBER        a line of profile_fields.h
 *   call NUMBER = ROW | none        the number does what the row of that name does, or gives ENOSYS
 *   member STRUCT.MEMBER = WIDTH [@ OFFSET] | none
 *   widen STRUCT [pointers]         longs, and pointers, as wide as on LP64
 *   size STRUCT = BYTES
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/profile_edit.h"
#include "abi/structs.h"

#define MAX_WORDS   8
#define MAX_CALLS   512
#define MAX_LINE    256
#define MAX_MEMBERS 64

struct maker {
	struct abi_profile *p;
	struct abi_edit edit[ABI_NSTRUCTS];
	struct abi_call_change *calls;
	size_t ncalls;
	const char *file;
	unsigned line;
	bool begun; /* there was a statement */
	char name[32];
	char *why;
	char buf[MAX_LINE];
	char *word[MAX_WORDS + 1];
	unsigned nwords;
};

static bool wrong(struct maker *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(struct maker *m, const char *fmt, ...)
{
	int n = snprintf(m->why, ABI_WHY, "%.100s:%u: ", m->file, m->line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->why + n, ABI_WHY - (size_t)n, fmt, ap);
	va_end(ap);
	return false;
}

/* --- words ------------------------------------------------------------------------------------------ */

/* Words are separated by blanks; "=", "@" and "." between names are words of their own. */
static bool split(struct maker *m, const char *s, size_t n)
{
	char *to = m->buf;

	m->nwords = 0;
	for (size_t i = 0; i < n && s[i] != '#';) {
		size_t start = i;

		if (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
			i++;
			continue;
		}
		if ((unsigned char)s[i] < ' ' || (unsigned char)s[i] > '~')
			return wrong(m, "a byte 0x%02x, which no statement has",
				     (unsigned char)s[i]);
		if (s[i] == '=' || s[i] == '@')
			i++;
		else
			while (i < n && s[i] > ' ' && s[i] <= '~' && !strchr("=@#", s[i]))
				i++;
		if (m->nwords == MAX_WORDS)
			return wrong(m, "too many words");
		if ((size_t)(to - m->buf) + (i - start) + 1 > MAX_LINE)
			return wrong(m, "the line is too long");
		memcpy(to, s + start, i - start);
		m->word[m->nwords++] = to;
		to += i - start;
		*to++ = '\0';
	}
	m->word[m->nwords] = NULL;
	return true;
}

static bool is(const struct maker *m, unsigned i, const char *text)
{
	return i < m->nwords && strcmp(m->word[i], text) == 0;
}

static bool number(struct maker *m, const char *s, uint64_t most, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(s, &end, 0);
	if (errno || !isdigit((unsigned char)*s) || *end)
		return wrong(m, "not a number: %.60s", s);
	return *v <= most || wrong(m, "%.60s is more than %llu", s, (unsigned long long)most);
}

/* --- statements ------------------------------------------------------------------------------------- */

/* STRUCT in S, which may be changed. */
static struct abi_edit *edit_of(struct maker *m, const char *s, size_t n)
{
	for (size_t i = 0; i < ABI_NSTRUCTS; i++) {
		const char *name = abi_structs[i]->name;
		struct abi_edit *e = &m->edit[i];

		if (strlen(name) != n || memcmp(name, s, n) != 0)
			continue;
		if (abi_layout_is_fixed(i)) {
			wrong(m, "structure %s cannot be changed: %s", name,
			      abi_layout_is_fixed(i));
			return NULL;
		}
		if (!e->member) {
			e->from = abi_struct_in(m->p, i);
			e->size = -1;
			e->member = malloc((e->from->nfields + 1) * sizeof *e->member);
			if (!e->member) {
				wrong(m, "no memory");
				return NULL;
			}
			for (unsigned k = 0; k < e->from->nfields; k++)
				e->member[k] = (struct abi_member_edit){-1, -1};
		}
		e->line = m->line;
		return e;
	}
	wrong(m, "there is no structure %.*s", n < 60 ? (int)n : 60, s);
	return NULL;
}

static bool take_base(struct maker *m)
{
	const struct abi_profile *base;

	if (m->nwords != 2)
		return wrong(m, "expected: base NAME");
	if (m->begun)
		return wrong(m, "base must come first");
	base = abi_find_builtin(m->word[1]);
	if (!base)
		return wrong(m, "no profile %.60s; there are: %s", m->word[1], abi_profile_names());
	*m->p = *base;
	m->p->base = base;
	m->p->structs = NULL;
	m->p->calls = NULL;
	m->p->name = NULL;
	if (base->structs) {
		m->p->structs = calloc(ABI_NSTRUCTS, sizeof(void *));
		if (!m->p->structs)
			return wrong(m, "no memory");
		memcpy(m->p->structs, base->structs, ABI_NSTRUCTS * sizeof(void *));
	}
	for (size_t i = 0; i < base->ncalls; i++)
		m->calls[m->ncalls++] = base->calls[i];
	return true;
}

static bool take_name(struct maker *m)
{
	if (m->nwords != 2)
		return wrong(m, "expected: name NAME");
	if (strlen(m->word[1]) >= sizeof m->name ||
	    strspn(m->word[1],
		   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
		    strlen(m->word[1]))
		return wrong(m, "a name has at most %zu letters, digits, '.', '_' and '-'",
			     sizeof m->name - 1);
	memcpy(m->name, m->word[1], strlen(m->word[1]) + 1);
	return true;
}

static bool take_call(struct maker *m)
{
	struct abi_call_change *c = m->calls;
	uint64_t nr;

	if (m->nwords != 4 || !is(m, 2, "="))
		return wrong(m, "expected: call NUMBER = NAME or none");
	if (!number(m, m->word[1], ABI_NUMBERS - 1, &nr))
		return false;
	if (strlen(m->word[3]) >= sizeof c->name)
		return wrong(m, "no call is named %.60s", m->word[3]);
	while (c < m->calls + m->ncalls && c->nr != nr)
		c++;
	if (c == m->calls + MAX_CALLS)
		return wrong(m, "more than %d calls are changed", MAX_CALLS);
	m->ncalls += c == m->calls + m->ncalls;
	*c = (struct abi_call_change){.nr = (uint16_t)nr, .line = (uint16_t)m->line};
	if (!is(m, 3, "none"))
		memcpy(c->name, m->word[3], strlen(m->word[3]) + 1);
	return true;
}

static bool take_width(struct maker *m, const struct abi_edit *e, const struct abi_field *f)
{
	struct abi_member_edit *to = &e->member[f - e->from->fields];
	uint64_t width;

	if (is(m, 3, "none") && m->nwords == 4) {
		if (e->from->index == ABI_INDEX_iovec || e->from->index == ABI_INDEX_msghdr ||
		    e->from->index == ABI_INDEX_mmsghdr || e->from->index == ABI_INDEX_stack_t)
			return wrong(m, "structure %s must have %s", e->from->name, f->name);
		to->width = 0;
		return true;
	}
	if (!number(m, m->word[3], ABI_MAX_SIZE, &width))
		return false;
	if (width == f->gsize) {
		to->width = -1;
		return true;
	}
	if (f->rule == ABI_NEST)
		return wrong(m, "member %s is a structure, whose own members have widths", f->name);
	if ((f->gsize != 1 && f->gsize != 2 && f->gsize != 4 && f->gsize != 8) || f->hsize > 8)
		return wrong(m, "member %s is no integer", f->name);
	if ((width != 1 && width != 2 && width != 4 && width != 8) ||
	    (f->rule == ABI_PTR && width < 4))
		return wrong(m, "member %s cannot have %.20s bytes", f->name, m->word[3]);
	to->width = (int)width;
	return true;
}

static bool take_member(struct maker *m)
{
	const char *dot = m->nwords > 1 ? strchr(m->word[1], '.') : NULL;
	struct abi_edit *e;
	uint64_t offset;

	if (!dot || !is(m, 2, "=") || !(m->nwords == 4 || (m->nwords == 6 && is(m, 4, "@"))))
		return wrong(m, "expected: member STRUCT.MEMBER = WIDTH [@ OFFSET] or none");
	e = edit_of(m, m->word[1], (size_t)(dot - m->word[1]));
	if (!e)
		return false;
	for (unsigned i = 0; i < e->from->nfields; i++) {
		const struct abi_field *f = &e->from->fields[i];

		if (!*f->name || strcmp(f->name, dot + 1) != 0)
			continue;
		if (!take_width(m, e, f))
			return false;
		if (m->nwords == 6 && !number(m, m->word[5], ABI_MAX_SIZE, &offset))
			return false;
		e->member[i].offset = m->nwords == 6 ? (int)offset : -1;
		return true;
	}
	return wrong(m, "structure %s has no member %.60s", e->from->name, dot + 1);
}

static bool take_widen(struct maker *m)
{
	struct abi_edit *e;

	if (m->nwords < 2 || (m->nwords > 2 && !(m->nwords == 3 && is(m, 2, "pointers"))))
		return wrong(m, "expected: widen STRUCT [pointers]");
	e = edit_of(m, m->word[1], strlen(m->word[1]));
	if (e)
		abi_edit_widen(e, m->nwords == 3);
	return e;
}

static bool take_size(struct maker *m)
{
	struct abi_edit *e;
	uint64_t size;

	if (m->nwords != 4 || !is(m, 2, "="))
		return wrong(m, "expected: size STRUCT = BYTES");
	e = edit_of(m, m->word[1], strlen(m->word[1]));
	if (!e || !number(m, m->word[3], ABI_MAX_SIZE, &size))
		return false;
	e->size = (int)size;
	return true;
}

/* Where a number is one that other code must be able to do with. */
static const struct {
	const char *name;
	uint64_t least, most, multiple;
} limits[] = {
	{"nr_syscalls", 1, ABI_NUMBERS, 1},
	{"min_sigstack", 0, UINT32_MAX, 1},
	{"task_size", 0x10000000, 0x100000000, 4096},
	{"vvar_pages", 1, 16, 1},
	{"max_phdrs_size", 64, 65536, 1},
};

static bool in_limits(struct maker *m, const char *name, uint64_t v)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (strcmp(limits[i].name, name) == 0 &&
		    (v < limits[i].least || v > limits[i].most || v % limits[i].multiple))
			return wrong(m, "%s is %#llx to %#llx, in steps of %llu", name,
				     (unsigned long long)limits[i].least,
				     (unsigned long long)limits[i].most,
				     (unsigned long long)limits[i].multiple);
	}
	return true;
}

static bool take_fact(struct maker *m)
{
	uint64_t v;

	for (size_t i = 0; i < abi_nprofile_fields; i++) {
		const struct abi_profile_field *f = &abi_profile_fields[i];

		if (!is(m, 0, f->name))
			continue;
		if (m->nwords != 3)
			return wrong(m, "expected: %s = %s", f->name,
				     f->kind == ABI_FLAG ? "yes or no" : "NUMBER");
		if (f->kind != ABI_FLAG) {
			if (!number(m, m->word[2], UINT64_MAX, &v))
				return false;
		} else if (is(m, 2, "yes") || is(m, 2, "no")) {
			v = is(m, 2, "yes");
		} else {
			return wrong(m, "%s is yes or no, not %.60s", f->name, m->word[2]);
		}
		if (!in_limits(m, f->name, v))
			return false;
		abi_profile_set_value(m->p, f, v);
		return true;
	}
	return wrong(m, "there is no fact %.60s", m->word[0]);
}

static const struct {
	const char *word;
	bool (*take)(struct maker *m);
} statements[] = {
	{"base", take_base},     {"name", take_name},   {"call", take_call},
	{"member", take_member}, {"widen", take_widen}, {"size", take_size},
};

static bool take_line(struct maker *m, const char *s, size_t n)
{
	bool (*take)(struct maker * m) = NULL;

	if (!split(m, s, n))
		return false;
	if (!m->nwords)
		return true;
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (is(m, 0, statements[i].word))
			take = statements[i].take;
	}
	if (is(m, 1, "="))
		take = take_fact;
	if (!take)
		return wrong(m, "no statement begins with %.60s", m->word[0]);
	if (!take(m))
		return false;
	m->begun = true;
	return true;
}

/* --- the profile ------------------------------------------------------------------------------------ */

/* Whether structure S is, or has somewhere in it, one that the profile changes. */
static bool depends(const struct maker *m, const struct abi_struct *s)
{
	if (m->edit[s->index].line)
		return true;
	for (unsigned i = 0; i < s->nfields; i++) {
		if (s->fields[i].rule == ABI_NEST && depends(m, s->fields[i].sub))
			return true;
	}
	return false;
}

/* New descriptions, those of nested structures first. */
static bool settle(struct maker *m, const struct abi_struct *s, bool done[ABI_NSTRUCTS])
{
	size_t i = s->index;
	const struct abi_struct *from = abi_struct_in(m->p, i);
	struct abi_member_edit as_is[MAX_MEMBERS];
	struct abi_edit plain = {.from = from, .size = -1, .member = as_is};
	char why[ABI_WHY] = "";

	if (done[i] || !depends(m, from))
		return true;
	if (from->nfields > MAX_MEMBERS)
		return wrong(m, "structure %s has too many members to be changed", s->name);
	done[i] = true;
	for (unsigned k = 0; k < from->nfields; k++) {
		as_is[k] = (struct abi_member_edit){-1, -1};
		if (from->fields[k].rule == ABI_NEST) {
			m->line = m->edit[i].line ? m->edit[i].line : m->line;
			if (!settle(m, from->fields[k].sub, done))
				return false;
		}
	}
	if (abi_layout_is_fixed(i))
		return wrong(m, "structure %s cannot be changed by what it holds: %s", s->name,
			     abi_layout_is_fixed(i));
	if (m->edit[i].line)
		m->line = m->edit[i].line;
	m->p->structs[i] = abi_layout(m->edit[i].line ? &m->edit[i] : &plain, m->p->structs, why);
	return m->p->structs[i] || wrong(m, "%s", why);
}

static bool settle_all(struct maker *m)
{
	bool done[ABI_NSTRUCTS] = {false}, any = false;
	unsigned last = m->line;

	for (size_t i = 0; i < ABI_NSTRUCTS; i++)
		any |= m->edit[i].line != 0;
	if (!any)
		return true;
	if (!m->p->structs)
		m->p->structs = calloc(ABI_NSTRUCTS, sizeof(void *));
	if (!m->p->structs)
		return wrong(m, "no memory");
	for (size_t i = 0; i < ABI_NSTRUCTS; i++) {
		if (!settle(m, abi_structs[i], done))
			return false;
	}
	m->line = last;
	return true;
}

/* "dir/my.abi" is "my", unless a statement says otherwise. */
static bool settle_name(struct maker *m)
{
	const char *slash = strrchr(m->file, '/'), *base = slash ? slash + 1 : m->file;
	char *name;
	size_t n = strlen(base);

	if (!m->name[0]) {
		if (n > 4 && strcmp(base + n - 4, ".abi") == 0)
			n -= 4;
		snprintf(m->name, sizeof m->name, "%.*s", n < 31 ? (int)n : 31, base);
		/* Tables are separated by commas and blanks. */
		for (char *c = m->name; *c; c++) {
			if ((unsigned char)*c <= ' ' || *c == ',' || *c == '"')
				*c = '_';
		}
	}
	name = strdup(m->name);
	m->p->name = name;
	return name || wrong(m, "no memory");
}

struct abi_profile *abi_profile_parse(const char *file, const char *text, size_t n,
				      char why[ABI_WHY])
{
	struct maker *m = calloc(1, sizeof *m);
	struct abi_profile *p = calloc(1, sizeof *p);
	struct abi_call_change *calls = calloc(MAX_CALLS, sizeof *calls);
	const char *at = text, *end = text + n;
	bool ok = m && p && calls;

	if (ok) {
		m->p = p;
		m->file = file;
		m->why = why;
		m->calls = calls;
		*p = *abi_profile_get(ABI_MODERN);
		p->base = abi_profile_get(ABI_MODERN);
		p->name = NULL;
	} else {
		snprintf(why, ABI_WHY, "%.100s: no memory", file);
	}
	while (ok && at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		m->line++;
		ok = take_line(m, at, (size_t)(stop - at));
		at = stop + 1;
	}
	ok = ok && settle_all(m) && settle_name(m);
	for (size_t i = 0; m && i < ABI_NSTRUCTS; i++)
		free(m->edit[i].member);
	if (p)
		p->calls = calls;
	if (ok)
		p->ncalls = m->ncalls;
	free(m);
	if (ok)
		return p;
	if (!p)
		free(calls);
	abi_profile_free(p);
	return NULL;
}

void abi_profile_free(struct abi_profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->structs && i < ABI_NSTRUCTS; i++) {
		const struct abi_struct *s = p->structs[i];

		if (!s || (p->base->structs && p->base->structs[i] == s))
			continue;
		free((void *)(uintptr_t)s->fields);
		free((void *)(uintptr_t)s);
	}
	free((void *)(uintptr_t)p->structs);
	free((void *)(uintptr_t)p->calls);
	free((void *)(uintptr_t)p->name);
	free(p);
}
