/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "cpu/cpu.h"
#include "syscall/syscall.h"

#define PAGE 4096u

const char *option_engines(void)
{
	static char names[256];

	snprintf(names, sizeof names, "auto,%s", cpu_engine_names());
	return names;
}

static bool known_engine(const char *text, char why[256])
{
	*why = '\0'; /* that it is none says all */
	return cpu_engine_find(text) != NULL;
}

static const char *crash_report_times(void)
{
	return "auto,always,never";
}

static bool known_crash_report(const char *text, char why[256])
{
	*why = '\0'; /* that it is none says all */
	return strcmp(text, "auto") == 0 || strcmp(text, "always") == 0 ||
	       strcmp(text, "never") == 0;
}

static const char *table_formats(void)
{
	return "text,csv";
}

static bool known_table_format(const char *text, char why[256])
{
	*why = '\0'; /* that it is none says all */
	return strcmp(text, "text") == 0 || strcmp(text, "csv") == 0;
}

static const char *lint_formats(void)
{
	return "text,json";
}

static bool known_lint_format(const char *text, char why[256])
{
	*why = '\0'; /* that it is none says all */
	return strcmp(text, "text") == 0 || strcmp(text, "json") == 0;
}

static bool known_abi(const char *text, char why[256])
{
	return sys_find_profile(text, why) != NULL;
}

bool option_abi_pair(const char *text, const struct abi_profile *pair[2], char why[256])
{
	const char *comma = strchr(text, ',');
	char *first = comma ? strndup(text, (size_t)(comma - text)) : NULL;

	*why = '\0';
	pair[0] = first ? sys_find_profile(first, why) : NULL;
	free(first);
	pair[1] = pair[0] ? sys_find_profile(comma + 1, why) : NULL;
	return pair[1];
}

static bool known_abi_pair(const char *text, char why[256])
{
	const struct abi_profile *pair[2];

	return option_abi_pair(text, pair, why);
}

#define FIELD(name) .field = offsetof(struct ilp32run_options, name)
#define ALSO(name)  .also = offsetof(struct ilp32run_options, name)

/* clang-format off */
const struct option_row option_rows[] = {
	{"sysroot", 'L', .kept = true, .kind = OPTION_STRING, FIELD(sysroot), .argument = "DIR",
	 .help = "look for the ELF interpreter and absolute paths below DIR\n"
		 "first (default: ILP32RUN_LD_PREFIX)"},
	{"argv0", '0', .kind = OPTION_STRING, FIELD(argv0), .argument = "NAME",
	 .help = "give the program NAME as its argv[0]"},
	{"set-env", 'E', .kind = OPTION_SET_ENV, .argument = "VAR=VALUE",
	 .help = "set a variable of the program's environment"},
	{"unset-env", 'U', .kind = OPTION_UNSET_ENV, .argument = "VAR",
	 .help = "remove a variable from the program's environment"},
	{"engine", .kept = true, .kind = OPTION_STRING, FIELD(engine), .argument = "NAME",
	 .help = "CPU engine", .values = option_engines, .known = known_engine},
	{"cpu", .kept = true, .kind = OPTION_STRING, FIELD(cpu), .argument = "MODEL",
	 .help = "CPU that the program sees, with ,+FEATURE and ,-FEATURE\nafter it (default: max)",
	 .values = cpu_model_names, .known = cpu_model_choose},
	{"abi", .kept = true, .kind = OPTION_ABI, FIELD(abi), .argument = "NAME",
	 .help = "ABI profile, or its file (default: modern)", .values = abi_profile_names, .known = known_abi},
	{"strace", .optional = true, .kept = true, .kind = OPTION_FILE, FIELD(trace_path), ALSO(strace),
	 .argument = "FILE", .help = "write a line for each system call to FILE or stderr"},
	{"lint", .optional = true, .kept = true, .kind = OPTION_FILE, FIELD(lint_path), ALSO(lint),
	 .argument = "FILE", .help = "tell in FILE or on stderr what the program does at system\n"
		 "calls that works here and breaks elsewhere"},
	{"lint-format", .kept = true, .kind = OPTION_STRING, FIELD(lint_format), .argument = "FORMAT",
	 .help = "how (default: text)", .values = lint_formats, .known = known_lint_format},
	{"inject-upper-garbage", .kept = true, .kind = OPTION_FLAG, FIELD(inject_upper_garbage),
	 .help = "fill the upper halves of argument registers before calls"},
	{"report", .kept = true, .kind = OPTION_FLAG, FIELD(report),
	 .help = "at the end, list everything used that is unsupported"},
	{"crash-report", .kept = true, .kind = OPTION_STRING, FIELD(crash_report), .argument = "WHEN",
	 .help = "tell on stderr of what the program dies, auto: if that is\na terminal (default)",
	 .values = crash_report_times, .known = known_crash_report},
	{"no-aslr", .kept = true, .kind = OPTION_FLAG, FIELD(no_aslr),
	 .help = "lay out the address space the same way every time"},
	{"seed", .kept = true, .kind = OPTION_U64, FIELD(seed), ALSO(seeded), .argument = "N",
	 .help = "draw all layout and AT_RANDOM bytes from seed N"},
	{"deterministic", .kept = true, .kind = OPTION_FLAG, FIELD(deterministic),
	 .help = "let the seed (default 0) decide about the order in which\nthreads run, and count the time by what they run"},
	{"time-slice", .kept = true, .kind = OPTION_U64, FIELD(time_slice), ALSO(sliced), .argument = "US",
	 .help = "microseconds that a thread runs while others wait, where\none runs at a time"},
	{"arena", .kept = true, .kind = OPTION_ADDRESS, FIELD(arena), .argument = "ADDRESS",
	 .help = "host address of guest address 0 (4 KiB aligned)"},
	{"abi-table", .optional = true, .kind = OPTION_ABI_TABLE, .argument = "FORMAT",
	 .help = "print the ABI (of the profile of --abi) instead of running\na program", .values = table_formats,
	 .known = known_table_format},
	{"abi-diff", .kind = OPTION_ABI_DIFF, .argument = "A,B",
	 .help = "print only what differs between two profiles", .values = abi_profile_names,
	 .known = known_abi_pair},
	{"csv", .kind = OPTION_CSV, .help = "with --abi-table and --abi-diff: as --abi-table=csv"},
	{"help", 'h', .kind = OPTION_HELP, .help = "print this help"},
	{"version", 'V', .kind = OPTION_VERSION, .help = "print the version"},
};
/* clang-format on */
const size_t option_count = sizeof option_rows / sizeof *option_rows;

static bool parse_number(const char *s, uint64_t *v)
{
	char *end;

	errno = 0;
	if (!s)
		return false;
	*v = strtoull(s, &end, 0);
	return !errno && end != s && !*end && !strchr(s, '-');
}

bool option_set(struct ilp32run_options *opt, const struct option_row *r, const char *text,
		char why[256])
{
	char *field = (char *)opt + r->field, *also = (char *)opt + r->also;
	uint64_t n;

	if (r->known && text) {
		*why = '\0';
		if (!r->known(text, why)) {
			if (!*why)
				snprintf(why, 256, "no \"%.60s\"; there are: %.150s", text,
					 r->values());
			return false;
		}
		*why = '\0';
	}
	switch (r->kind) {
	case OPTION_ABI:
	case OPTION_STRING: *(const char **)field = text; return true;
	case OPTION_FLAG: *(bool *)field = true; return true;
	case OPTION_U64:
		*(bool *)also = parse_number(text, (uint64_t *)field);
		if (!*(bool *)also)
			snprintf(why, 256, "not a number: %.200s", text);
		return *(bool *)also;
	case OPTION_ADDRESS:
		if (!parse_number(text, &n) || n != (uintptr_t)n || n % PAGE) {
			snprintf(why, 256, "not a page address: %.200s", text);
			return false;
		}
		*(uintptr_t *)field = (uintptr_t)n;
		return true;
	case OPTION_FILE:
		if (text && !*text) {
			snprintf(why, 256, "the file name is empty");
			return false;
		}
		*(bool *)also = true;
		*(const char **)field = text;
		return true;
	default: return true;
	}
}

const char *option_get(const struct ilp32run_options *opt, const struct option_row *r,
		       char buf[OPTION_TEXT])
{
	const char *field = (const char *)opt + r->field, *also = (const char *)opt + r->also;

	switch (r->kind) {
	case OPTION_STRING: return *(const char *const *)field;
	case OPTION_ABI:
		/* A file need not be there any more for who gets the text. */
		return *(const char *const *)field ? abi_profile_text(*(const char *const *)field)
						   : NULL;
	case OPTION_FLAG: return *(const bool *)field ? "" : NULL;
	case OPTION_U64:
		if (!*(const bool *)also)
			return NULL;
		snprintf(buf, OPTION_TEXT, "%" PRIu64, *(const uint64_t *)field);
		return buf;
	case OPTION_ADDRESS:
		if (*(const uintptr_t *)field == ILP32RUN_ARENA_ANYWHERE)
			return NULL;
		snprintf(buf, OPTION_TEXT, "%#" PRIxPTR, *(const uintptr_t *)field);
		return buf;
	case OPTION_FILE:
		if (!*(const bool *)also)
			return NULL;
		return *(const char *const *)field ? *(const char *const *)field : "";
	default: return NULL;
	}
}
