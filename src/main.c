/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ilp32run/ilp32run.h"
#include "loader/sysroot.h"
#include "options.h"

#define PREFIX_VARIABLE "ILP32RUN_LD_PREFIX"

/* What a shell gives for its own errors in the command line. */
enum { USAGE_ERROR = 2, NOT_RUNNABLE = 126, NOT_FOUND = 127 };

/* --- what getopt and --help make of the table ------------------------------------------------------- */

#define MAX_OPTIONS 32

static int code_of(const struct option_row *r)
{
	return r->letter ? r->letter : 256 + (int)(r - option_rows);
}

static const struct option_row *row_of(int code)
{
	for (size_t i = 0; i < option_count; i++) {
		if (code_of(&option_rows[i]) == code)
			return &option_rows[i];
	}
	return NULL;
}

struct getopt_tables {
	char letters[2 + 2 * MAX_OPTIONS];
	struct option names[MAX_OPTIONS + 1];
};

static void fill_tables(struct getopt_tables *t)
{
	char *letter = t->letters;

	*letter++ = '+'; /* options end at PROGRAM */
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *r = &option_rows[i];
		int has_arg = !r->argument  ? no_argument
			      : r->optional ? optional_argument
					    : required_argument;

		t->names[i] = (struct option){r->name, has_arg, NULL, code_of(r)};
		if (!r->letter)
			continue;
		*letter++ = r->letter;
		if (r->argument)
			*letter++ = ':';
	}
	*letter = '\0';
	t->names[option_count] = (struct option){NULL, 0, NULL, 0};
}

#define HELP_COLUMN 26

static void print_option(const struct option_row *r)
{
	char head[64], letter[8] = "";
	const char *text = r->help;

	if (r->letter)
		snprintf(letter, sizeof letter, "-%c,", r->letter);
	snprintf(head, sizeof head, "  %-3s --%s%s%s%s%s", letter, r->name, r->optional ? "[" : "",
		 r->argument ? "=" : "", r->argument ? r->argument : "", r->optional ? "]" : "");
	printf("%-*s", HELP_COLUMN - 1, head);
	for (;;) {
		size_t n = strcspn(text, "\n");

		printf(" %.*s", (int)n, text);
		text += n;
		if (!*text++)
			break;
		printf("\n%*s", HELP_COLUMN - 1, "");
	}
	if (r->values)
		printf(": %s", r->values());
	printf("\n");
}

static void print_help(void)
{
	printf("Usage: ilp32run [OPTION]... PROGRAM [ARGUMENT]...\n"
	       "Run PROGRAM, an AArch64 ILP32 Linux program (ELF32, or a script for one).\n"
	       "A PROGRAM without a slash is looked up in PATH. Options end at PROGRAM; their\n"
	       "names cannot be abbreviated.\n"
	       "\n");
	for (size_t i = 0; i < option_count; i++)
		print_option(&option_rows[i]);
	printf("\n"
	       "The exit status is the program's; if it dies of a signal, so does ilp32run.\n"
	       "126: found but not runnable. 127: not found. 2: wrong use of ilp32run.\n");
}

static int usage_error(void)
{
	fprintf(stderr, "Try 'ilp32run --help'.\n");
	return USAGE_ERROR;
}

/* --- the program's environment ---------------------------------------------------------------------- */

struct env {
	char **v;
	size_t n;
};

static bool same_name(const char *entry, const char *name, size_t len)
{
	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

static void env_unset(struct env *e, const char *name, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (!same_name(e->v[i], name, len))
			e->v[to++] = e->v[i];
	}
	e->n = to;
	e->v[to] = NULL;
}

/* ROOM is for the entries that -E will add: at most one an argument. */
static bool env_init(struct env *e, size_t room)
{
	for (e->n = 0; environ[e->n];)
		e->n++;
	e->v = malloc((e->n + room + 1) * sizeof *e->v);
	if (!e->v)
		return false;
	memcpy(e->v, environ, (e->n + 1) * sizeof *e->v);
	return true;
}

static bool env_set(struct env *e, char *entry)
{
	const char *equals = strchr(entry, '=');

	if (!equals || equals == entry)
		return false;
	env_unset(e, entry, (size_t)(equals - entry));
	e->v[e->n++] = entry;
	e->v[e->n] = NULL;
	return true;
}

/* --- options ---------------------------------------------------------------------------------------- */

/* What is wanted instead of a program. */
struct printing {
	bool table;
	const char *format; /* NULL: text */
	const char *diff;   /* "A,B", or NULL */
};

static void print_abi(const struct printing *p, const char *abi)
{
	bool csv = p->format && strcmp(p->format, "csv") == 0;
	const char *comma = p->diff ? strchr(p->diff, ',') : NULL;

	if (comma) {
		char *first = strndup(p->diff, (size_t)(comma - p->diff));

		if (first)
			ilp32run_print_abi(first, comma + 1, csv);
		free(first);
	} else {
		ilp32run_print_abi(abi, NULL, csv); /* flush_output() tells of errors */
	}
}

/* One option. False: the command line is wrong, and a line was printed. */
static bool take_option(struct ilp32run_options *o, struct env *env, struct printing *printing,
			const struct option_row *r, char *arg)
{
	char why[256] = "";

	switch (r->kind) {
	case OPTION_SET_ENV:
		if (!env_set(env, arg))
			snprintf(why, sizeof why, "not VAR=VALUE: %.200s", arg);
		break;
	case OPTION_UNSET_ENV:
		if (!*arg || strchr(arg, '='))
			snprintf(why, sizeof why, "not the name of a variable: %.200s", arg);
		else
			env_unset(env, arg, strlen(arg));
		break;
	default:
		if (!option_set(o, r, arg, why))
			break;
		if (r->kind == OPTION_ABI_TABLE && arg)
			printing->format = arg;
		if (r->kind == OPTION_CSV)
			printing->format = "csv";
		if (r->kind == OPTION_ABI_DIFF)
			printing->diff = arg;
		printing->table |= r->kind == OPTION_ABI_TABLE || r->kind == OPTION_ABI_DIFF;
	}
	if (*why)
		fprintf(stderr, "ilp32run: --%s: %s\n", r->name, why);
	return !*why;
}

/* getopt_long() takes any beginning of a name that fits one option: today's command lines would mean
 * something else, or nothing, when there are more options. */
static bool abbreviated(const char *word, const char *name)
{
	size_t n = strcspn(word, "=");

	return n != strlen(name) + 2;
}

enum outcome { GO_ON, STOP_OK, STOP_USAGE };

static enum outcome take_options(struct ilp32run_options *o, struct env *env,
				 struct printing *printing, int argc, char *argv[])
{
	struct getopt_tables tables;

	fill_tables(&tables);
	for (;;) {
		const char *word = argv[optind];
		int index = -1;
		int code = getopt_long(argc, argv, tables.letters, tables.names, &index);
		const struct option_row *r = row_of(code);

		if (code == -1)
			return GO_ON;
		if (!r) /* getopt_long() printed the line */
			return STOP_USAGE;
		if (index >= 0 && abbreviated(word, r->name)) {
			fprintf(stderr,
				"ilp32run: %s: options cannot be abbreviated; is --%s meant?\n",
				word, r->name);
			return STOP_USAGE;
		}
		if (r->kind == OPTION_HELP)
			print_help();
		if (r->kind == OPTION_VERSION)
			printf("ilp32run %s\n", ilp32run_version());
		if (r->kind == OPTION_HELP || r->kind == OPTION_VERSION)
			return STOP_OK;
		if (!take_option(o, env, printing, r, optarg))
			return STOP_USAGE;
	}
}

/* --- looking the program up, as execvp(3) does ------------------------------------------------------ */

static bool executable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* DIR/NAME, below the sysroot or else on the host. True if there is a program. */
static bool look_in(char out[PATH_MAX], const char *sysroot, const char *dir, size_t len,
		    const char *name)
{
	const char *slash = len ? "/" : ""; /* an empty entry is the current directory */

	char plain[PATH_MAX];

	if (snprintf(plain, PATH_MAX, "%.*s%s%s", (int)len, dir, slash, name) >= PATH_MAX)
		return false;
	if (sysroot_find(out, sysroot, plain, true) && executable(out))
		return true;
	memcpy(out, plain, strlen(plain) + 1);
	return executable(out);
}

/* The path of NAME in OUT. False if PATH has no such program. */
static bool find_program(char out[PATH_MAX], const char *sysroot, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/')) {
		/* As a guest's own execve would see it. */
		if (sysroot_find(out, sysroot, name, true))
			return true;
		return snprintf(out, PATH_MAX, "%s", name) < PATH_MAX;
	}
	if (!*name)
		return false;
	for (path = path ? path : "/bin:/usr/bin";; path++) {
		size_t len = strcspn(path, ":");
		if (look_in(out, sysroot, path, len, name))
			return true;
		path += len;
		if (!*path)
			return false;
	}
}

static bool is_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

/* Makes the sysroot absolute: the guest changes its directory. False if it is not there. */
static bool fix_sysroot(struct ilp32run_options *opt)
{
	static char absolute[PATH_MAX];

	if (opt->sysroot && !*opt->sysroot)
		opt->sysroot = NULL;
	if (!opt->sysroot)
		return true;
	if (!realpath(opt->sysroot, absolute) || !is_directory(absolute)) {
		fprintf(stderr, "ilp32run: sysroot %s: %s\n", opt->sysroot, strerror(errno));
		return false;
	}
	opt->sysroot = absolute;
	return true;
}

static int flush_output(void)
{
	if (!ferror(stdout) && fflush(stdout) == 0)
		return 0;
	fprintf(stderr, "ilp32run: cannot write to standard output: %s\n", strerror(errno));
	return 1;
}

/* Does what the command line says. Returns the exit status if no program was started. */
static int run(int argc, char *argv[], struct env *env)
{
	struct printing printing = {0};
	struct ilp32run_options opt;
	char path[PATH_MAX];
	enum outcome outcome;

	ilp32run_options_init(&opt);
	opt.sysroot = getenv(PREFIX_VARIABLE);
	outcome = take_options(&opt, env, &printing, argc, argv);
	if (outcome != GO_ON)
		return outcome == STOP_OK ? flush_output() : usage_error();
	if (printing.table && optind < argc) {
		fprintf(stderr, "ilp32run: --abi-table and --abi-diff run no program\n");
		return usage_error();
	}
	if (printing.format && !printing.table) {
		fprintf(stderr, "ilp32run: --csv: only with --abi-table or --abi-diff\n");
		return usage_error();
	}
	if (printing.table) {
		print_abi(&printing, opt.abi);
		return flush_output();
	}
	if (optind == argc) {
		fprintf(stderr, "ilp32run: no program given\n");
		return usage_error();
	}
	if (!*argv[optind]) {
		fprintf(stderr, "ilp32run: the program's name is empty\n");
		return NOT_FOUND;
	}
	if (!fix_sysroot(&opt))
		return NOT_RUNNABLE;
	if (!find_program(path, opt.sysroot, argv[optind])) {
		fprintf(stderr, "ilp32run: %s: not found in PATH\n", argv[optind]);
		return NOT_FOUND;
	}
	return ilp32run_exec(&opt, path, argv + optind, env->v);
}

int main(int argc, char *argv[])
{
	struct env env;
	int status = ilp32run_resume(argv);

	if (status)
		return status;
	if (!env_init(&env, (size_t)argc)) {
		fprintf(stderr, "ilp32run: out of memory\n");
		return NOT_RUNNABLE;
	}
	status = run(argc, argv, &env);
	free(env.v);
	return status;
}
