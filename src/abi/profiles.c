/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/profile_edit.h"
#include "abi/structs.h"

#define FLAG(field, a, b, c, d, text)   FIELD(field, a, b, c, d)
#define NUMBER(field, a, b, c, d, text) FIELD(field, a, b, c, d)
#define MASK(field, a, b, c, d, text)   FIELD(field, a, b, c, d)

static const struct abi_profile profiles[ABI_PROFILES] = {
#define FIELD(field, a, b, c, d) .field = (a),
	[ABI_AMPERE_4_14] =
		{
			.id = ABI_AMPERE_4_14,
			.name = "ampere-4.14",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (b),
	[ABI_OPENEULER_5_10] =
		{
			.id = ABI_OPENEULER_5_10,
			.name = "openeuler-5.10",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (c),
	[ABI_OPENEULER_6_6] =
		{
			.id = ABI_OPENEULER_6_6,
			.name = "openeuler-6.6",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (d),
	[ABI_MODERN] =
		{
			.id = ABI_MODERN,
			.name = "modern",
#include "abi/profile_fields.h"
		},
#undef FIELD
};
#undef FLAG
#undef NUMBER
#undef MASK

#define FLAG(field, a, b, c, d, text)   FIELD(ABI_FLAG, field, text)
#define NUMBER(field, a, b, c, d, text) FIELD(ABI_NUMBER, field, text)
#define MASK(field, a, b, c, d, text)   FIELD(ABI_MASK, field, text)
#define FIELD(kind, field, text)        {#field, kind, offsetof(struct abi_profile, field), text},
const struct abi_profile_field abi_profile_fields[] = {
#include "abi/profile_fields.h"
};
#undef FLAG
#undef NUMBER
#undef MASK
#undef FIELD
const size_t abi_nprofile_fields = sizeof(abi_profile_fields) / sizeof(abi_profile_fields[0]);

uint64_t abi_profile_value(const struct abi_profile *p, const struct abi_profile_field *f)
{
	const char *at = (const char *)p + f->offset;

	return f->kind == ABI_FLAG ? *(const bool *)at : *(const uint64_t *)(const void *)at;
}

void abi_profile_set_value(struct abi_profile *p, const struct abi_profile_field *f, uint64_t v)
{
	char *at = (char *)p + f->offset;

	if (f->kind == ABI_FLAG)
		*(bool *)at = v != 0;
	else
		*(uint64_t *)(void *)at = v;
}

/* --- names ------------------------------------------------------------------------------------------ */

static const struct {
	const char *alias;
	enum abi_profile_id id;
} aliases[] = {
	{"v9", ABI_AMPERE_4_14}, /* the last posted series; the 4.14 tree has the same ABI */
};

/* Those that are files in this tree (abi/profiles.S), read when somebody asks for them. */
extern const char abi_hist_lp64ish[], abi_hist_lp64ish_end[];
extern const char abi_hist_single64[], abi_hist_single64_end[];

static struct {
	const char *name, *text, *end;
	const struct abi_profile *p;
} historic[] = {
	{"hist-lp64ish", abi_hist_lp64ish, abi_hist_lp64ish_end, NULL},
	{"hist-single64", abi_hist_single64, abi_hist_single64_end, NULL},
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct abi_profile *historic_profile(size_t i)
{
	char why[ABI_WHY];

	if (!historic[i].p)
		historic[i].p =
			abi_profile_parse(historic[i].name, historic[i].text,
					  (size_t)(historic[i].end - historic[i].text), why);
	return historic[i].p;
}

const struct abi_profile *abi_find_builtin(const char *name)
{
	for (size_t i = 0; i < COUNT(aliases); i++) {
		if (strcmp(name, aliases[i].alias) == 0)
			return &profiles[aliases[i].id];
	}
	for (size_t i = 0; i < ABI_PROFILES; i++) {
		if (strcmp(name, profiles[i].name) == 0)
			return &profiles[i];
	}
	for (size_t i = 0; i < COUNT(historic); i++) {
		if (strcmp(name, historic[i].name) == 0)
			return historic_profile(i);
	}
	return NULL;
}

const struct abi_profile *abi_profile_get(enum abi_profile_id id)
{
	return &profiles[id];
}

const struct abi_profile *abi_profile_builtin(unsigned i)
{
	if (i < ABI_PROFILES)
		return &profiles[i];
	return i - ABI_PROFILES < COUNT(historic) ? historic_profile(i - ABI_PROFILES) : NULL;
}

const char *abi_profile_names(void)
{
	static char names[256];
	size_t n = 0;

	if (names[0])
		return names;
	for (size_t i = 0; i < ABI_PROFILES; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s, ", profiles[i].name);
	for (size_t i = 0; i < COUNT(historic); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s, ", historic[i].name);
	for (size_t i = 0; i < COUNT(aliases); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      aliases[i].alias);
	return names;
}

/* --- files ------------------------------------------------------------------------------------------ */

#define MAX_FILE  65536
#define FROM_TEXT "profile-text:" /* then the file's name, a newline, and what it has */

/* Profiles that came of files, and of which text. */
static struct loaded {
	struct loaded *next;
	const struct abi_profile *p;
	char *key, *text;
} * loaded;

static bool is_file(const char *text)
{
	size_t n = strlen(text);

	return strchr(text, '/') || (n > 4 && strcmp(text + n - 4, ".abi") == 0);
}

/* FROM_TEXT, PATH, and the content of that file, malloc'ed. */
static char *read_file(const char *path, char why[ABI_WHY])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t head = strlen(FROM_TEXT) + strlen(path) + 1, n = 0;
	char *text = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		snprintf(why, ABI_WHY, "%.150s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE) {
		snprintf(why, ABI_WHY, "%.150s: no profile: %s", path,
			 S_ISREG(st.st_mode) ? "longer than 64 KiB" : "not a regular file");
	} else if (strchr(path, '\n')) {
		snprintf(why, ABI_WHY, "a profile's name has no newline");
	} else if (!(text = malloc(head + MAX_FILE + 1))) {
		snprintf(why, ABI_WHY, "%.150s: no memory", path);
	} else {
		ssize_t r = 0;

		sprintf(text, FROM_TEXT "%s\n", path);
		while (n < MAX_FILE && (r = read(fd, text + head + n, MAX_FILE - n)) > 0)
			n += (size_t)r;
		text[head + n] = '\0';
		if (r < 0 || strlen(text) != head + n) {
			snprintf(why, ABI_WHY, "%.150s: %s", path,
				 r < 0 ? strerror(errno) : "no profile: it has a NUL byte");
			free(text);
			text = NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	return text;
}

static const struct abi_profile *load(const char *key, char why[ABI_WHY])
{
	struct loaded *l = calloc(1, sizeof *l);
	const char *name, *body;
	char *file;

	if (l && (l->key = strdup(key)))
		l->text = is_file(key) && strncmp(key, FROM_TEXT, strlen(FROM_TEXT)) != 0
				  ? read_file(key, why)
				  : strdup(key);
	if (!l || !l->text)
		goto fail;
	name = l->text + strlen(FROM_TEXT);
	body = strchr(name, '\n');
	if (!body) {
		snprintf(why, ABI_WHY, "no profile: %.150s", key);
		goto fail;
	}
	file = strndup(name, (size_t)(body - name));
	if (!file)
		goto fail;
	l->p = abi_profile_parse(file, body + 1, strlen(body + 1), why);
	free(file);
	if (!l->p)
		goto fail;
	l->next = loaded;
	loaded = l;
	return l->p;
fail:
	if (l) {
		free(l->key);
		free(l->text);
	}
	free(l);
	return NULL;
}

static const struct loaded *find_loaded(const char *key)
{
	const struct loaded *l = loaded;

	while (l && strcmp(l->key, key) != 0)
		l = l->next;
	return l;
}

const struct abi_profile *abi_find(const char *text, char why[ABI_WHY])
{
	char own[ABI_WHY];
	const struct abi_profile *p;

	if (!why)
		why = own;
	snprintf(why, ABI_WHY, "no \"%.80s\"; there are: %.140s, or a FILE", text,
		 abi_profile_names());
	p = abi_find_builtin(text);
	if (p || !(is_file(text) || strncmp(text, FROM_TEXT, strlen(FROM_TEXT)) == 0))
		return p;
	snprintf(why, ABI_WHY, "%.150s: no memory", text);
	return find_loaded(text) ? find_loaded(text)->p : load(text, why);
}

const char *abi_profile_text(const char *text)
{
	const struct loaded *l = find_loaded(text);

	return l ? l->text : text;
}

void abi_profile_place(const struct abi_profile *p, unsigned line, char place[ABI_WHY])
{
	const struct loaded *l = loaded;

	while (l && l->p != p)
		l = l->next;
	if (l)
		snprintf(place, ABI_WHY, "%.*s:%u",
			 (int)strcspn(l->text + strlen(FROM_TEXT), "\n") % ABI_WHY,
			 l->text + strlen(FROM_TEXT), line);
	else
		snprintf(place, ABI_WHY, "%s:%u", p->name, line);
}

/* --- the one in force ------------------------------------------------------------------------------- */

const struct abi_profile *abi_profile = &profiles[ABI_MODERN];
unsigned abi_generation;

static struct abi_struct common[ABI_NSTRUCTS];

const struct abi_struct *abi_struct_common(size_t i)
{
	/* Nothing was changed before the first abi_use(), which asks here first. */
	if (!common[0].name) {
		for (size_t k = 0; k < ABI_NSTRUCTS; k++)
			common[k] = *abi_structs[k];
	}
	return &common[i];
}

const struct abi_struct *abi_struct_in(const struct abi_profile *p, size_t i)
{
	return p->structs && p->structs[i] ? p->structs[i] : abi_struct_common(i);
}

bool abi_is_common(const struct abi_struct *s)
{
	return !abi_profile->structs || !abi_profile->structs[s->index];
}

void abi_use(const struct abi_profile *p)
{
	const bool changes = p->structs || abi_profile->structs;

	abi_struct_common(0);
	for (size_t i = 0; changes && i < ABI_NSTRUCTS; i++)
		*abi_structs[i] = *abi_struct_in(p, i);
	abi_profile = p;
	abi_generation++;
}

bool abi_select(const char *text)
{
	const struct abi_profile *p = abi_find(text, NULL);

	if (p)
		abi_use(p);
	return p;
}
