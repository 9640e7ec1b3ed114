/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The initial stack (fs/exec.c, fs/binfmt_elf.c create_elf_tables; recorded: tests/oracle/auxv.c):
 *
 *   sp -> argc, argv[], 0, envp[], 0, auxv pairs      4-byte slots
 *         gap that makes sp a multiple of 16
 *         16 random bytes, platform string            unaligned
 *         gap: random below a page, then to a multiple of 16
 *         argv strings, environment strings, name of the file
 *         8 zero bytes
 *  top ->
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/host_task.h"
#include "abi/structs.h"
#include "loader/internal.h"

#define ARG_MAX_BYTES   0x20000u  /* always allowed for all together */
#define ARG_LIMIT_BYTES 0x600000u /* three quarters of the default stack of 8 MiB */
#define STACK_EXPAND    0x20000u  /* what is mapped below the strings at once */
#define END_MARKER      8u        /* the kernel's own pointer size */
#define HOST_POINTER    8u

static const char platform[] = "aarch64:ilp32";
#define RANDOM_BYTES 16u

/* The pairs of auxv behind AT_SYSINFO_EHDR, with AT_NULL. */
#define AUXV_PAIRS 19u

static uint64_t strings_size(char *const v[], uint32_t *count)
{
	uint64_t n = 0;

	*count = 0;
	for (; v && *v; v++, (*count)++)
		n += strlen(*v) + 1;
	return n;
}

static uint64_t stack_rlimit(void)
{
	struct mem_limits l;

	mem_get_limits(&l);
	return l.stack;
}

static bool has_long_string(char *const v[])
{
	for (; v && *v; v++)
		if (strnlen(*v, LOADER_STRING_MAX) == LOADER_STRING_MAX)
			return true;
	return false;
}

int loader_check_args(const struct loader_program *p, char *const envp[])
{
	uint64_t limit = stack_rlimit() / 4, size;
	uint32_t argc, envc;

	if (limit > ARG_LIMIT_BYTES)
		limit = ARG_LIMIT_BYTES;
	if (limit < ARG_MAX_BYTES)
		limit = ARG_MAX_BYTES;
	if (has_long_string(p->argv) || has_long_string(envp))
		return -E2BIG;
	size = strings_size(p->argv, &argc) + strings_size(envp, &envc) + strlen(p->execfn) + 1;
	/* The pointers count too, at their width in the kernel, even if the guest's are half of it. */
	size += ((uint64_t)(argc ? argc : 1) + envc) * HOST_POINTER;
	return size > limit ? -E2BIG : 0;
}

void loader_plan_stack(struct loader_stack_layout *l, const struct loader_program *p,
		       const struct loader_env *env)
{
	uint64_t args = strings_size(p->argv, &l->argc), envs = strings_size(env->envp, &l->envc);
	uint32_t items = 1 + (l->argc + 1) + (l->envc + 1);
	uint64_t pos;
	uint16_t gap = 0;

	l->has_vdso = env->vdso != NULL;
	l->top = mem_layout()->stack_top;
	l->execfn = l->top - END_MARKER - (strlen(p->execfn) + 1);
	l->env_end = l->execfn;
	l->env_start = l->env_end - envs;
	l->arg_start = l->env_start - args;

	if (!(env->personality & LOADER_ADDR_NO_RANDOMIZE))
		mem_random(&gap, sizeof gap);
	pos = (l->arg_start - gap % MEM_PAGE_SIZE) & ~15ull;
	l->platform = pos - sizeof platform;
	l->random = l->platform - RANDOM_BYTES;
	l->auxv_len = abi_st_auxv.gsize * (AUXV_PAIRS + l->has_vdso);
	pos = l->random - l->auxv_len;
	l->sp = (pos - 4ull * items) & ~15ull;
	l->auxv = l->sp + 4ull * items;
}

uint64_t loader_stack_size(const struct loader_stack_layout *l)
{
	uint64_t limit = stack_rlimit() & ~(uint64_t)MEM_PAGE_MASK;
	uint64_t size = l->top - (l->arg_start & ~(uint64_t)MEM_PAGE_MASK);
	uint64_t need = l->top - (l->sp & ~(uint64_t)MEM_PAGE_MASK);

	if (size + STACK_EXPAND <= limit)
		size += STACK_EXPAND;
	else if (size < limit)
		size = limit;
	if (need <= size)
		return size;
	return need <= limit ? need : 0;
}

static uint8_t *put_strings(uint8_t *p, char *const v[])
{
	for (; v && *v; v++)
		p = (uint8_t *)stpcpy((char *)p, *v) + 1;
	return p;
}

static uint8_t *put_pointers(uint8_t *slot, char *const v[], uint64_t at)
{
	for (; v && *v; v++, slot += 4) {
		abi_put32(slot, (uint32_t)at);
		at += strlen(*v) + 1;
	}
	abi_put32(slot, 0);
	return slot + 4;
}

static uint8_t *put_pair(uint8_t *slot, uint64_t type, uint64_t value)
{
	const struct host_auxv pair = {type, value};

	abi_to_guest(&abi_st_auxv, slot, &pair);
	return slot + abi_st_auxv.gsize;
}

static void put_auxv(uint8_t *slot, const struct loader_stack_layout *l,
		     const struct loader_env *env, const struct loader_auxv *a)
{
	const uint64_t pairs[AUXV_PAIRS][2] = {
		{AT_HWCAP, env->hwcap},
		{AT_PAGESZ, MEM_PAGE_SIZE},
		{AT_CLKTCK, 100},
		{AT_PHDR, a->phdr},
		{AT_PHENT, sizeof(Elf32_Phdr)},
		{AT_PHNUM, a->phnum},
		{AT_BASE, a->base},
		{AT_FLAGS, 0},
		{AT_ENTRY, a->entry},
		{AT_UID, getuid()},
		{AT_EUID, geteuid()},
		{AT_GID, getgid()},
		{AT_EGID, getegid()},
		{AT_SECURE, env->secure},
		{AT_RANDOM, l->random},
		{AT_HWCAP2, abi_profile->hwcap2_word ? env->hwcap2 : env->hwcap >> 32},
		{AT_EXECFN, l->execfn},
		{AT_PLATFORM, l->platform},
		{AT_NULL, 0},
	};

	if (l->has_vdso)
		slot = put_pair(slot, AT_SYSINFO_EHDR, a->vdso);
	for (size_t i = 0; i < AUXV_PAIRS; i++)
		slot = put_pair(slot, pairs[i][0], pairs[i][1]);
}

int loader_fill_stack(const struct loader_stack_layout *l, const struct loader_program *p,
		      const struct loader_env *env, const struct loader_auxv *a)
{
	size_t size = l->top - l->sp;
	uint8_t *block = calloc(1, size), *slot = block;
	int err;

	if (!block)
		return -ENOMEM;
	abi_put32(slot, l->argc);
	slot = put_pointers(slot + 4, p->argv, l->arg_start);
	slot = put_pointers(slot, env->envp, l->env_start);
	put_auxv(slot, l, env, a);
	mem_random(block + (l->random - l->sp), RANDOM_BYTES);
	memcpy(block + (l->platform - l->sp), platform, sizeof platform);
	put_strings(put_strings(block + (l->arg_start - l->sp), p->argv), env->envp);
	memcpy(block + (l->execfn - l->sp), p->execfn, strlen(p->execfn));
	err = mem_copy_out((gaddr)l->sp, block, size);
	free(block);
	return err;
}
