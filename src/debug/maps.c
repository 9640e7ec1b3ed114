/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debug/maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/mem.h"

/* A header line of smaps. */
static bool parse_header(char *line, struct debug_map *m)
{
	char perms[5];
	int name = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*u%n", &m->start, &m->end,
		   perms, &m->offset, &name) != 4 ||
	    !name)
		return false;
	m->r = perms[0] == 'r';
	m->w = perms[1] == 'w';
	m->x = perms[2] == 'x';
	m->shared = perms[3] == 's';
	m->dont_dump = false;
	m->line = line;
	m->name = line + name + strspn(line + name, " ");
	return true;
}

/* "VmFlags: rd wr dd ": whether the two-letter FLAG is among them. */
static bool has_flag(const char *line, const char *flag)
{
	char word[8];

	snprintf(word, sizeof word, " %s ", flag);
	return strstr(line, word) != NULL;
}

bool debug_maps_read(struct debug_maps *m)
{
	size_t len, room = 0;

	*m = (struct debug_maps){.text = mem_maps_text(true, &len)};
	for (char *line = m->text, *next; line && *line; line = next) {
		struct debug_map one;

		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = '\0';
		if (parse_header(line, &one)) {
			if (m->n == room) {
				room = room ? 2 * room : 64;
				struct debug_map *v = realloc(m->v, room * sizeof *v);
				if (!v) {
					debug_maps_free(m);
					return false;
				}
				m->v = v;
			}
			m->v[m->n++] = one;
		} else if (m->n && strncmp(line, "VmFlags:", 8) == 0) {
			m->v[m->n - 1].dont_dump = has_flag(line, "dd") || has_flag(line, "io");
		}
	}
	return m->text != NULL;
}

void debug_maps_free(struct debug_maps *m)
{
	free(m->v);
	free(m->text);
	*m = (struct debug_maps){0};
}

const struct debug_map *debug_maps_find(const struct debug_maps *m, uint64_t a)
{
	for (size_t i = 0; i < m->n; i++) {
		if (a >= m->v[i].start && a < m->v[i].end)
			return &m->v[i];
	}
	return NULL;
}
