/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The point of no return: from checked files to an address space ready to run. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/abi.h"
#include "loader/internal.h"

/*
 * Linux 4.14 on arm64: everything readable becomes executable unless PT_GNU_STACK says that the stack
 * is not. Since 5.8 (arch/arm64/include/asm/elf.h) neither a missing header nor an executable stack
 * has that effect on AArch64 code; the latter concerns the stack alone.
 */
static bool implies_exec(enum loader_stack stack, uint32_t personality)
{
	return personality & LOADER_READ_IMPLIES_EXEC ||
	       (abi_profile->read_implies_exec_bug && stack != STACK_NOEXEC);
}

static int map_stack(const struct loader_stack_layout *l, enum loader_stack stack, bool implied,
		     char text[LOADER_TEXT_SIZE])
{
	bool exec = stack == STACK_EXEC || (stack == STACK_DEFAULT && implied);
	uint64_t size = loader_stack_size(l);
	int err;

	if (size == 0)
		return loader_fail(text, -ENOMEM,
				   "arguments and environment exceed the stack limit");
	err = mem_map_stack(size, PROT_READ | PROT_WRITE | (exec ? PROT_EXEC : 0));
	return err ? loader_fail(text, err, "stack of %" PRIu64 " bytes: %s", size, strerror(-err))
		   : 0;
}

/* The first brk: behind the bss, then a random gap (fs/binfmt_elf.c, arch_randomize_brk). */
static gaddr first_brk(const struct loader_mapped *prog, bool static_pie, uint32_t personality)
{
	const uint64_t last = MEM_SPACE - MEM_PAGE_SIZE;
	uint64_t brk = prog->brk;

	if (!(personality & LOADER_ADDR_NO_RANDOMIZE)) {
		/* A loader started by hand lies where mappings grow down to: its heap gets more room. */
		if (static_pie && abi_profile->low_brk && mem_layout()->brk_gap)
			brk = mem_layout()->pie_base;
		brk += mem_layout()->brk_gap;
	}
	/* gaddr cannot hold 4 GiB; a heap there could not grow anyway. */
	return (gaddr)(brk < last ? brk : last);
}

/* Program and interpreter. Fills PROG and AUXV, *ENTRY is where to begin. */
static int map_images(const struct loader_program *p, struct loader_mapped *prog,
		      struct loader_auxv *auxv, uint64_t *entry, char text[LOADER_TEXT_SIZE])
{
	bool pie = p->elf->eh.e_type == ET_DYN && p->interp_elf;
	struct loader_mapped interp;
	int err;

	err = loader_map_segments(prog, p->elf, p->fd, pie ? ROLE_PIE : ROLE_PROGRAM, false, text);
	if (err)
		return err;
	*auxv = (struct loader_auxv){
		.phdr = prog->phdr, .phnum = p->elf->eh.e_phnum, .entry = prog->entry};
	*entry = prog->entry;
	if (p->interp_elf) {
		char why[LOADER_TEXT_SIZE];

		err = loader_map_segments(&interp, p->interp_elf, p->interp_fd, ROLE_INTERP,
					  prog->bias == 0, why);
		if (err)
			return loader_fail(text, err, "interpreter %.200s: %.300s", p->interp, why);
		auxv->base = interp.bias;
		*entry = interp.entry;
	}
	if (*entry >= abi_profile->task_size)
		return loader_fail(text, -EINVAL,
				   "entry point %#" PRIx64 " lies outside the address space",
				   *entry);
	return 0;
}

static void tell_bounds(const struct loader_mapped *m)
{
	/* Ends may be 4 GiB, which gaddr cannot hold. */
#define CUT(a) ((gaddr)((a) < UINT32_MAX ? (a) : UINT32_MAX))
	if (m->start_code != UINT64_MAX)
		mem_set_image(CUT(m->start_code), CUT(m->end_code), CUT(m->start_data),
			      CUT(m->end_data));
#undef CUT
}

int loader_map(const struct loader_program *p, const struct loader_env *env,
	       struct loader_image *img, char text[LOADER_TEXT_SIZE])
{
	enum loader_stack gnu_stack = loader_gnu_stack(p->elf);
	bool static_pie = p->elf->eh.e_type == ET_DYN && !p->interp_elf;
	struct loader_stack_layout stack;
	struct loader_mapped prog;
	struct loader_auxv auxv;
	uint64_t entry;
	int err;

	*img = (struct loader_image){0};
	text[0] = '\0';
	if (loader_check_args(p, env->envp) != 0)
		return loader_fail(text, -E2BIG, "argument list too long");

	img->read_implies_exec = implies_exec(gnu_stack, env->personality);
	mem_set_read_implies_exec(img->read_implies_exec);
	loader_plan_stack(&stack, p, env);
	err = map_stack(&stack, gnu_stack, img->read_implies_exec, text);
	if (!err)
		err = map_images(p, &prog, &auxv, &entry, text);
	if (err)
		return err;

	/* Before the kernel's pages are placed, as there: they must not land where the heap starts. */
	mem_set_brk_start(first_brk(&prog, static_pie, env->personality));
	err = loader_map_vdso(env, img);
	if (err)
		return loader_fail(text, err, "no room for the signal trampoline page: %s",
				   strerror(-err));
	auxv.vdso = img->vdso;
	err = loader_fill_stack(&stack, p, env, &auxv);
	if (err)
		return loader_fail(text, err, "initial stack at %#" PRIx64 ": %s", stack.sp,
				   strerror(-err));
	tell_bounds(&prog);
	mem_set_start_stack((gaddr)stack.sp);
	if (env->personality & LOADER_MMAP_PAGE_ZERO)
		mem_mmap(0, MEM_PAGE_SIZE, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	img->entry = (gaddr)entry;
	img->sp = (gaddr)stack.sp;
	img->auxv = (gaddr)stack.auxv;
	img->auxv_len = stack.auxv_len;
	img->arg_start = (gaddr)stack.arg_start;
	img->arg_end = (gaddr)stack.env_start;
	img->env_start = (gaddr)stack.env_start;
	img->env_end = (gaddr)stack.env_end;
	return 0;
}
