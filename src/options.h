/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of the emulator: one table, from which come the command line, --help, the check of the manual
 * page (tests/cli/options.sh) and what an execve of the guest hands on.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "ilp32run/ilp32run.h"

#define OPTION_TEXT 32

enum option_kind {
	OPTION_STRING,  /* FIELD is a string */
	OPTION_ABI,     /* FIELD is a string, for abi_find() */
	OPTION_FLAG,    /* FIELD is a bool */
	OPTION_U64,     /* FIELD is a number, ALSO a bool that says that there is one */
	OPTION_ADDRESS, /* FIELD is a page address */
	OPTION_FILE,    /* ALSO is a bool, FIELD an optional string */
	/* Not in struct ilp32run_options: the command line's own. */
	OPTION_SET_ENV,
	OPTION_UNSET_ENV,
	OPTION_ABI_TABLE,
	OPTION_ABI_DIFF,
	OPTION_CSV,
	OPTION_HELP,
	OPTION_VERSION,
};

struct option_row {
	const char *name;
	char letter;   /* the short form, 0: none */
	bool optional; /* the argument may be left out */
	bool kept;     /* across an execve of the guest */
	enum option_kind kind;
	size_t field, also;   /* offsets in struct ilp32run_options */
	const char *argument; /* its name in the help text, NULL: takes none */
	const char *help;     /* lines are separated by \n */
	/* Which values there are (comma-separated), and whether TEXT (never NULL) is one; if not, WHY may say more than
	 * that. NULL: any. */
	const char *(*values)(void);
	bool (*known)(const char *text, char why[256]);
};

extern const struct option_row option_rows[];
extern const size_t option_count;

/* "auto", then the engines. */
const char *option_engines(void);

/* The profiles in TEXT, "A,B". False, and WHY may say more: it is something else. */
struct abi_profile;
bool option_abi_pair(const char *text, const struct abi_profile *pair[2], char why[256]);

/*
 * Sets what R stands for to TEXT (NULL: without argument), which must stay as long as OPT. False: TEXT is
 * no value of it, and WHY is a line for the user, without the option's name.
 */
bool option_set(struct ilp32run_options *opt, const struct option_row *r, const char *text,
		char why[256]);

/* The text with which option_set() makes OPT what it is, in BUF or OPT itself. "" for a flag that is set,
 * NULL if the option was not given. */
const char *option_get(const struct ilp32run_options *opt, const struct option_row *r,
		       char buf[OPTION_TEXT]);

#endif
