/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole ABI as text or CSV: behind the calls (abi_table.c) facts, structures and ioctls. */
#include <inttypes.h>
#include <string.h>

#include "syscall/abi_table.h"
#include "syscall/ioctl.h"

/* --- words ---------------------------------------------------------------------------------------- */

static const char *rule_words(const struct abi_field *field)
{
	switch ((enum abi_rule)field->rule) {
	case ABI_COPY: return "as it is";
	case ABI_ZEXT: return "zero-extended; out: truncated";
	case ABI_SEXT: return "sign-extended; out: truncated";
	case ABI_ALIAS: return "out: copy of another member; in: ignored";
	case ABI_OVFL: return "zero-extended; out: EOVERFLOW if bits are lost";
	case ABI_SOVFL: return "sign-extended; out: EOVERFLOW above the maximum";
	case ABI_CLAMP: return "sign-extended; out: at most the maximum";
	case ABI_UCLAMP: return "zero-extended; out: at most the signed maximum";
	case ABI_ONES: return "as it is; out: EOVERFLOW above 32 bits but for all ones";
	case ABI_HIGH: return "out: upper half of another member; in: ignored";
	case ABI_PTR: return "pointer";
	case ABI_PAD: return "padding; in: ignored, out: zero";
	case ABI_HOLE: return "hole; in: ignored, out: zero or untouched by copies_fields";
	case ABI_LEAVE: return "hole; in: ignored, out: untouched";
	case ABI_NEST: return "structure";
	case ABI_UWIDE: return "cut; out: zero-extended";
	case ABI_SWIDE: return "cut; out: sign-extended";
	}
	return "";
}

static const char *kind_words(enum abi_profile_kind kind)
{
	switch (kind) {
	case ABI_FLAG: return "flag";
	case ABI_NUMBER: return "number";
	case ABI_MASK: return "mask";
	}
	return "";
}

/* A text of CSV in quotes, with those inside it doubled. */
static void put_quoted(FILE *f, const char *text)
{
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', f);
}

/* --- facts ---------------------------------------------------------------------------------------- */

static void put_value(FILE *f, const struct abi_profile_field *fact, uint64_t v)
{
	if (fact->kind == ABI_FLAG)
		fputs(v ? "yes" : "no", f);
	else
		fprintf(f, fact->kind == ABI_MASK ? "%#" PRIx64 : "%" PRIu64, v);
}

static bool fact_differs(const struct abi_view *view, const struct abi_profile_field *fact)
{
	for (unsigned i = 1; i < view->n; i++) {
		if (abi_profile_value(view->profile[i], fact) !=
		    abi_profile_value(view->profile[0], fact))
			return true;
	}
	return false;
}

/* "nr_syscalls: 292, 453" in the order of VIEW, then what it means. */
static void fact_text(FILE *f, const struct abi_view *view, const struct abi_profile_field *fact)
{
	unsigned n = fact_differs(view, fact) ? view->n : 1;

	fprintf(f, "%s: ", fact->name);
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ", " : "", f);
		put_value(f, fact, abi_profile_value(view->profile[i], fact));
	}
	fprintf(f, "\n     %s\n", fact->text);
}

static void fact_csv(FILE *f, const struct abi_view *view, const struct abi_profile_field *fact)
{
	fprintf(f, "%s,%s,", fact->name, kind_words(fact->kind));
	put_quoted(f, fact->text);
	for (unsigned i = 0; i < view->n; i++)
		fprintf(f, fact->kind == ABI_MASK ? ",%#" PRIx64 : ",%" PRIu64,
			abi_profile_value(view->profile[i], fact));
	fputs("\r\n", f);
}

static void print_facts(FILE *f, const struct abi_view *view, bool csv)
{
	fputs(csv ? "\r\nfact,kind,meaning" : "\nFacts", f);
	for (unsigned i = 0; i < view->n; i++)
		fprintf(f, "%s%s", csv || i ? "," : " of ", view->profile[i]->name);
	fputs(csv ? "\r\n" : "\n", f);
	for (size_t i = 0; i < abi_nprofile_fields; i++) {
		const struct abi_profile_field *fact = &abi_profile_fields[i];

		if (view->differing && !fact_differs(view, fact))
			continue;
		if (csv)
			fact_csv(f, view, fact);
		else
			fact_text(f, view, fact);
	}
}

/* --- structures ----------------------------------------------------------------------------------- */

/* "stat", or "stat@hist-lp64ish" for one that profile OWNER has for itself. */
static void put_struct_name(FILE *f, const struct abi_struct *s, const char *owner)
{
	fprintf(f, owner ? "%s@%s" : "%s", s->name, owner);
}

static void struct_text(FILE *f, const struct abi_struct *s, const char *owner)
{
	put_struct_name(f, s, owner);
	fprintf(f, ": %u bytes, %u on the host", s->gsize, s->hsize);
	if (s->type)
		fprintf(f, ", %s of <%s>", s->type, s->header);
	fputc('\n', f);
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *m = &s->fields[i];

		fprintf(f, "%7u  %-20s %4u", m->goff, m->name, m->gsize);
		fprintf(f, m->count > 1 ? "*%-3u" : "    ", m->count);
		fprintf(f, " %s%s%s\n", rule_words(m), m->sub ? " " : "",
			m->sub ? m->sub->name : "");
	}
}

static void struct_csv(FILE *f, const struct abi_struct *s, const char *owner)
{
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct abi_field *m = &s->fields[i];

		put_struct_name(f, s, owner);
		fprintf(f, ",%u,%u,%s,%u,%u,%u,%u,%u,", s->gsize, s->hsize, m->name, m->goff,
			m->gsize, m->count ? m->count : 1, m->hoff, m->hsize);
		put_quoted(f, rule_words(m));
		fprintf(f, ",%s,%s,%s\r\n", m->sub ? m->sub->name : "", s->header ? s->header : "",
			s->type ? s->type : "");
	}
}

static bool same_form(const struct abi_struct *a, const struct abi_struct *b)
{
	if (a == b)
		return true;
	if (a->gsize != b->gsize || a->nfields != b->nfields)
		return false;
	for (unsigned i = 0; i < a->nfields; i++) {
		const struct abi_field *f = &a->fields[i], *g = &b->fields[i];

		if (strcmp(f->name, g->name) != 0 || f->goff != g->goff || f->gsize != g->gsize ||
		    f->rule != g->rule)
			return false;
	}
	return true;
}

static bool struct_differs(const struct abi_view *view, size_t i)
{
	for (unsigned p = 1; p < view->n; p++) {
		if (!same_form(abi_struct_in(view->profile[p], i),
			       abi_struct_in(view->profile[0], i)))
			return true;
	}
	return false;
}

/* Each form that structure I has in VIEW: the common one, then those of single profiles. */
static void print_struct(FILE *f, const struct abi_view *view, size_t i, bool csv)
{
	bool common = false;

	for (unsigned p = 0; p < 2 * view->n; p++) {
		const struct abi_profile *profile = view->profile[p % view->n];
		const struct abi_struct *s = abi_struct_in(profile, i);
		bool own = profile->structs && profile->structs[i];

		if (own != (p >= view->n) || (!own && common))
			continue;
		common |= !own;
		(csv ? struct_csv : struct_text)(f, s, own ? profile->name : NULL);
	}
}

static void print_structs(FILE *f, const struct abi_view *view, bool csv)
{
	fputs(csv ? "\r\nstructure,size,host_size,member,offset,member_size,count,host_offset,"
		    "host_member_size,rule,of,header,type\r\n"
		  : "\nStructures: offset, member, size, how it is carried over\n",
	      f);
	for (size_t i = 0; i < abi_nstructs; i++) {
		if (!view->differing || struct_differs(view, i))
			print_struct(f, view, i, csv);
	}
}

/* --- ioctls --------------------------------------------------------------------------------------- */

static void print_ioctls(FILE *f, bool csv)
{
	fputs(csv ? "\r\nioctl,number,count,host_number,argument,structure,size,refused\r\n"
		  : "\nioctl commands: number, name, argument\n",
	      f);
	for (unsigned i = 0; i < ioctl_nrows; i++) {
		const struct ioctl_row *row = &ioctl_table[i];
		unsigned count = row->count ? row->count : 1, size = 0;
		const char *type = abi_type_words(ioctl_data(row, row->guest, &size));
		const char *st = row->st ? row->st->name : "";

		if (csv) {
			fprintf(f, "%s,%#" PRIx32 ",%u,%#" PRIx32 ",%s,%s,", row->name, row->guest,
				count, ioctl_host_number(row, row->guest), type, st);
			fprintf(f, size ? "%u," : ",", size);
			fprintf(f, row->refused ? "\"%s\"\r\n" : "\r\n", row->refused);
			continue;
		}
		if (row->refused) {
			fprintf(f, "%#010" PRIx32 "  %-28s refused: %s\n", row->guest, row->name,
				row->refused);
			continue;
		}
		fprintf(f, "%#010" PRIx32 "  %-28s %s%s%s", row->guest, row->name, type,
			*st ? " " : "", st);
		fprintf(f, size ? ", %u bytes" : "", size);
		fprintf(f, count > 1 ? ", %u commands\n" : "\n", count);
	}
}

/* docs/ioctls.md. */
static void put_ioctl_cells(FILE *f, const struct ioctl_row *row)
{
	unsigned count = row->count ? row->count : 1, size = 0;
	const char *type = abi_type_words(ioctl_data(row, row->guest, &size));

	fprintf(f, "| %#010" PRIx32 " | %s | ", row->guest, row->name);
	if (row->refused) {
		fprintf(f, "| refused: %s |\n", row->refused);
		return;
	}
	fprintf(f, "%#010" PRIx32 " | %s", ioctl_host_number(row, row->guest), type);
	if (row->st)
		fprintf(f, " %s", row->st->name);
	if (size)
		fprintf(f, ", %u bytes", size);
	if (count > 1)
		fprintf(f, ", %u commands", count);
	fputs(row->handler ? " (handler) |\n" : " |\n", f);
}

int abi_ioctls_print(FILE *f)
{
	unsigned refused = 0;

	for (unsigned i = 0; i < ioctl_nrows; i++)
		refused += ioctl_table[i].refused != NULL;
	fprintf(f,
		"# ioctl commands\n\n"
		"Made from the table by `abi_ioctls_print()`; do not edit.\n\n"
		"%u commands and families of commands, %u of them refused: what they carry cannot be\n"
		"described, for the reason in their row, so they give ENOTTY and one line on stderr. So\n"
		"does a number that is not here.\n\n"
		"| number | name | host number | argument |\n|---|---|---|---|\n",
		ioctl_nrows, refused);
	for (unsigned i = 0; i < ioctl_nrows; i++)
		put_ioctl_cells(f, &ioctl_table[i]);
	return fflush(f) || ferror(f) ? -1 : 0;
}

int abi_report_print(FILE *f, const struct abi_view *view, enum abi_table_format format)
{
	bool csv = format == ABI_TABLE_CSV;

	if (!csv)
		fputs("System calls: number, name, state, arguments [profiles, if not all]\n", f);
	abi_table_print(f, view, format);
	print_facts(f, view, csv);
	if (!view->differing || view->profile[0]->structs || view->profile[1]->structs)
		print_structs(f, view, csv);
	if (!view->differing)
		print_ioctls(f, csv);
	return fflush(f) || ferror(f) ? -1 : 0;
}
