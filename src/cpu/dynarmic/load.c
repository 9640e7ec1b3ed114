/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dynarmic engine: finding and loading the module. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/dynarmic/box.h"
#include "cpu/dynarmic/dl.h"
#include "cpu/dynarmic/dynarmic.h"

const struct jit_module *jit;
const char *dynarmic_module;

/* The kernel's own structure: libc's functions refuse signals of ours and drop the restorer. */
struct kernel_sigaction {
	uint64_t handler, flags, restorer, mask;
};

/*
 * The module in DIR, which ends with a slash. NULL: there is none. What stands in for the library's disassembler
 * (cmake/DisassemblerStub.cmake) is loaded first, or the library brings its own.
 */
static void *open_in(const char *dir)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s" ILP32RUN_MODULE, dir);
	if (access(path, R_OK) != 0)
		return NULL;
	snprintf(path, sizeof(path), "%s" ILP32RUN_DISASSEMBLER, dir);
	if (access(path, R_OK) == 0)
		dynarmic_dl.open(path, RTLD_NOW | RTLD_LOCAL);
	snprintf(path, sizeof(path), "%s" ILP32RUN_MODULE, dir);
	return dynarmic_dl.open(path, RTLD_NOW | RTLD_LOCAL);
}

/* Next to the program (a build tree), or in the directory for such things of its installation. */
static void *open_module(void)
{
	char dir[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", dir, PATH_MAX - 1);
	void *handle;
	char *slash;

	if (dynarmic_module)
		return dynarmic_dl.open(dynarmic_module, RTLD_NOW | RTLD_LOCAL);
	if (n < 0)
		return NULL;
	dir[n] = '\0';
	slash = strrchr(dir, '/');
	if (!slash)
		return NULL;
	slash[1] = '\0';
	handle = open_in(dir);
	if (!handle) {
		snprintf(slash + 1, sizeof(dir) - (size_t)(slash + 1 - dir), "%s/",
			 ILP32RUN_MODULE_DIR);
		handle = open_in(dir);
	}
	return handle;
}

static const struct jit_module *load(const char **text)
{
	void *handle, *entry;
	const struct jit_module *module = NULL;
	jit_module_fn *fn;

	if (!dynarmic_dl_there()) {
		*text = "this form of the program loads no modules";
		return NULL;
	}
	handle = open_module();
	entry = handle ? dynarmic_dl.sym(handle, "ilp32run_jit_module") : NULL;
	if (entry) {
		memcpy(&fn, &entry, sizeof(fn));
		module = fn();
	}
	if (!module) {
		*text = dynarmic_dl.error();
		if (!*text)
			*text = "no " ILP32RUN_MODULE " beside the program";
	}
	return module;
}

bool dynarmic_load(const char **text)
{
	struct kernel_sigaction segv;
	stack_t stack;

	if (jit)
		return true;
	/* The library takes SIGSEGV and the thread's signal stack, and says where its handler is. */
	syscall(SYS_rt_sigaction, SIGSEGV, NULL, &segv, 8);
	sigaltstack(NULL, &stack);
	jit = load(text);
	sigaltstack(&stack, NULL);
	syscall(SYS_rt_sigaction, SIGSEGV, &segv, NULL, 8);
	return jit;
}
