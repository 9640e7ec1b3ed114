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

extern char **environ;

#define PREFIX_VARIABLE "ILP32RUN_LD_PREFIX"

/* What a shell gives for its own errors in the command line. */
enum { USAGE_ERROR = 2, NOT_RUNNABLE = 126, NOT_FOUND = 127 };

enum { OPT_ENGINE = 256, OPT_ABI, OPT_STRACE, OPT_REPORT, OPT_NO_ASLR, OPT_SEED, OPT_ARENA };

static const char short_options[] = "+L:0:E:U:hV";

static const struct option long_options[] = {
	{"sysroot", required_argument, NULL, 'L'},
	{"argv0", required_argument, NULL, '0'},
	{"set-env", required_argument, NULL, 'E'},
	{"unset-env", required_argument, NULL, 'U'},
	{"engine", required_argument, NULL, OPT_ENGINE},
	{"abi", required_argument, NULL, OPT_ABI},
	{"strace", optional_argument, NULL, OPT_STRACE},
	{"report", no_argument, NULL, OPT_REPORT},
	{"no-aslr", no_argument, NULL, OPT_NO_ASLR},
	{"seed", required_argument, NULL, OPT_SEED},
	{"arena", required_argument, NULL, OPT_ARENA},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static void print_help(void)
{
	printf("Usage: ilp32run [OPTION]... PROGRAM [ARGUMENT]...\n"
	       "Run PROGRAM, an AArch64 ILP32 Linux program (ELF32, or a script for one).\n"
	       "A PROGRAM without a slash is looked up in PATH. Options end at PROGRAM.\n"
	       "\n"
	       "  -L, --sysroot=DIR       look for the ELF interpreter and absolute paths below DIR\n"
	       "                          first (default: " PREFIX_VARIABLE ")\n"
	       "  -0, --argv0=NAME        give the program NAME as its argv[0]\n"
	       "  -E, --set-env=VAR=VALUE set a variable of the program's environment\n"
	       "  -U, --unset-env=VAR     remove a variable from the program's environment\n"
	       "      --engine=NAME       CPU engine: auto or %s\n"
	       "      --abi=NAME          ABI profile: %s (default: modern)\n"
	       "      --strace[=FILE]     write a line for each system call to FILE or stderr\n"
	       "      --report            at the end, list everything used that is unsupported\n"
	       "      --no-aslr           lay out the address space the same way every time\n"
	       "      --seed=N            draw all layout and AT_RANDOM bytes from seed N\n"
	       "      --arena=ADDRESS     host address of guest address 0 (4 KiB aligned)\n"
	       "  -h, --help              print this help\n"
	       "  -V, --version           print the version\n"
	       "\n"
	       "The exit status is the program's; if it dies of a signal, so does ilp32run.\n"
	       "126: found but not runnable. 127: not found. 2: wrong use of ilp32run.\n",
	       ilp32run_engines(), ilp32run_abis());
}

static int usage_error(void)
{
	fprintf(stderr, "Try 'ilp32run --help'.\n");
	return USAGE_ERROR;
}

static bool parse_number(const char *s, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(s, &end, 0);
	return !errno && end != s && !*end && !strchr(s, '-');
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

/* One option. False: the command line is wrong, and a line was printed. */
static bool take_option(struct ilp32run_options *o, struct env *env, int option, char *arg)
{
	uint64_t n;

	switch (option) {
	case 'L': o->sysroot = arg; return true;
	case '0': o->argv0 = arg; return true;
	case 'E':
		if (env_set(env, arg))
			return true;
		fprintf(stderr, "ilp32run: --set-env: not VAR=VALUE: %s\n", arg);
		return false;
	case 'U': env_unset(env, arg, strlen(arg)); return true;
	case OPT_ENGINE: o->engine = arg; return true;
	case OPT_ABI: o->abi = arg; return true;
	case OPT_STRACE:
		o->strace = true;
		o->trace_path = arg;
		return true;
	case OPT_REPORT: o->report = true; return true;
	case OPT_NO_ASLR: o->no_aslr = true; return true;
	case OPT_SEED:
		o->seeded = parse_number(arg, &o->seed);
		if (!o->seeded)
			fprintf(stderr, "ilp32run: --seed: not a number: %s\n", arg);
		return o->seeded;
	case OPT_ARENA:
		if (!parse_number(arg, &n) || n != (uintptr_t)n || n % 4096) {
			fprintf(stderr, "ilp32run: --arena: not a page address: %s\n", arg);
			return false;
		}
		o->arena = (uintptr_t)n;
		return true;
	default: return false; /* getopt_long() printed the line */
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

	if (sysroot && dir[0] == '/' &&
	    snprintf(out, PATH_MAX, "%s%.*s/%s", sysroot, (int)len, dir, name) < PATH_MAX &&
	    executable(out))
		return true;
	return snprintf(out, PATH_MAX, "%.*s%s%s", (int)len, dir, slash, name) < PATH_MAX &&
	       executable(out);
}

/* The path of NAME in OUT. False if PATH has no such program. */
static bool find_program(char out[PATH_MAX], const char *sysroot, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/')) {
		/* As a guest's own execve would see it. */
		if (sysroot && name[0] == '/' &&
		    snprintf(out, PATH_MAX, "%s%s", sysroot, name) < PATH_MAX && executable(out))
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

/* Makes the sysroot absolute: the guest changes its directory. False if it is not there. */
static bool fix_sysroot(struct ilp32run_options *opt)
{
	static char absolute[PATH_MAX];

	if (opt->sysroot && !*opt->sysroot)
		opt->sysroot = NULL;
	if (!opt->sysroot)
		return true;
	if (!realpath(opt->sysroot, absolute)) {
		fprintf(stderr, "ilp32run: sysroot %s: %s\n", opt->sysroot, strerror(errno));
		return false;
	}
	opt->sysroot = absolute;
	return true;
}

/* Does what the command line says. Returns the exit status if no program was started. */
static int run(int argc, char *argv[], struct env *env)
{
	struct ilp32run_options opt;
	char path[PATH_MAX];
	int option;

	ilp32run_options_init(&opt);
	opt.sysroot = getenv(PREFIX_VARIABLE);
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (option == 'h' || option == 'V') {
			if (option == 'h')
				print_help();
			else
				printf("ilp32run %s\n", ilp32run_version());
			return ferror(stdout) || fflush(stdout) ? 1 : 0;
		}
		if (!take_option(&opt, env, option, optarg))
			return usage_error();
	}
	if (optind == argc) {
		fprintf(stderr, "ilp32run: no program given\n");
		return usage_error();
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
