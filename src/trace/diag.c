/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines for the user on stderr. Descriptor 2 belongs to the guest too: it may close it and get the
 * number back for a file of its own, which no diagnostic may end up in. So lines are written only as
 * long as 2 is the file that it was at the start. A duplicate would do as well, but then a guest that
 * closes its stderr (a daemon) would keep a reader of that pipe waiting for the end.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/trace.h"

#define PREFIX "ilp32run: "
#define LINE   1024

static struct {
	bool known;
	dev_t dev;
	ino_t ino;
} original;

void diag_init(void)
{
	struct stat st;

	if (fstat(STDERR_FILENO, &st))
		return;
	original.dev = st.st_dev;
	original.ino = st.st_ino;
	original.known = true;
}

static bool still_ours(void)
{
	struct stat st;

	return !original.known || (fstat(STDERR_FILENO, &st) == 0 && st.st_dev == original.dev &&
				   st.st_ino == original.ino);
}

/* Nothing can be done about a line that cannot be written. */
static void put(const char *text, size_t n)
{
	if (still_ours())
		(void)trace_write(STDERR_FILENO, text, n);
}

void diag_text(const char *text, size_t n)
{
	put(text, n);
}

static void vdiag(const char *fmt, va_list ap)
{
	char line[LINE] = PREFIX;
	size_t at = sizeof(PREFIX) - 1;
	int n = vsnprintf(line + at, sizeof(line) - at, fmt, ap);

	if (n < 0)
		return;
	at = at + (size_t)n < sizeof(line) - 1 ? at + (size_t)n : sizeof(line) - 2;
	line[at++] = '\n';
	put(line, at);
}

void diag(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vdiag(fmt, ap);
	va_end(ap);
}

/* --- unsupported things -------------------------------------------------------------------------- */

/* Entries are only ever added, and published by TEXT, so that no lock can be left held in the child of
 * a fork. Two threads that add the same at once make two entries: the line appears twice. */
#define MAX_UNSUPPORTED 512
static struct {
	const char *kind, *fmt;
	uint64_t key;
	atomic_ulong count;
	_Atomic(char *) text;
} unsupported[MAX_UNSUPPORTED];
static atomic_uint next_unsupported;
static atomic_ulong unlisted; /* uses of what the table has no room for */

/* Counts a use of KIND:KEY as FMT tells it; false if it is the first. */
static bool known(const char *kind, uint64_t key, const char *fmt)
{
	unsigned n = atomic_load(&next_unsupported);

	for (unsigned i = 0; i < n; i++) {
		if (atomic_load(&unsupported[i].text) && unsupported[i].key == key &&
		    strcmp(unsupported[i].kind, kind) == 0 &&
		    strcmp(unsupported[i].fmt, fmt) == 0) {
			atomic_fetch_add(&unsupported[i].count, 1);
			return true;
		}
	}
	return false;
}

/* False: no room, which is counted. */
static bool add(const char *kind, uint64_t key, const char *fmt, va_list ap)
{
	unsigned n = atomic_load(&next_unsupported);
	char *text = NULL;

	do {
		if (n == MAX_UNSUPPORTED) {
			atomic_fetch_add(&unlisted, 1);
			return false;
		}
	} while (!atomic_compare_exchange_weak(&next_unsupported, &n, n + 1));
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	unsupported[n].kind = kind;
	unsupported[n].fmt = fmt;
	unsupported[n].key = key;
	atomic_store(&unsupported[n].count, 1);
	atomic_store(&unsupported[n].text, text);
	return true;
}

void diag_unsupported(const char *kind, uint64_t key, const char *fmt, ...)
{
	static atomic_bool told;
	va_list ap;
	bool listed;

	if (known(kind, key, fmt))
		return;
	va_start(ap, fmt);
	listed = add(kind, key, fmt, ap);
	va_end(ap);
	if (!listed) {
		if (!atomic_exchange(&told, true))
			diag("more unsupported things are used, too many to be named");
		return;
	}
	va_start(ap, fmt);
	vdiag(fmt, ap);
	va_end(ap);
}

void diag_left_out(const char *kind, uint64_t key, const char *fmt, ...)
{
	va_list ap;

	if (known(kind, key, fmt))
		return;
	va_start(ap, fmt);
	(void)add(kind, key, fmt, ap);
	va_end(ap);
}

void diag_report(void)
{
	unsigned n = atomic_load(&next_unsupported);
	char *all = NULL;
	size_t len = 0;
	FILE *f;

	if (!n || !(f = open_memstream(&all, &len)))
		return;
	fprintf(f, PREFIX "unsupported, with the number of uses:\n");
	for (unsigned i = 0; i < n; i++) {
		const char *text = atomic_load(&unsupported[i].text);

		if (text)
			fprintf(f, "%10lu  %s\n", atomic_load(&unsupported[i].count), text);
	}
	if (atomic_load(&unlisted))
		fprintf(f, "%10lu  of others, not listed\n", atomic_load(&unlisted));
	if (fclose(f) == 0)
		put(all, len);
	free(all);
}
