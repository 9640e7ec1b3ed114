/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "abi/abi.h"

/* Where the profiles differ, line by line, as the kernels' sources and a running 4.14 showed it. */
static const struct abi_profile profiles[ABI_PROFILES] = {
	[ABI_AMPERE_4_14] =
		{
			.id = ABI_AMPERE_4_14,
			.name = "ampere-4.14",
			.nr_syscalls = 292,
			.restart_block_works = false,
			.sa_restorer_honoured = true,
			.siginfo_raw_copy = true,
			.flock64_overflow = true,
			.clone_tls_raw = true,
			.read_implies_exec_bug = true,
			.copies_fields = true,
			.ipc_time_high = false,
			.access_lp64 = true,
			.vdso_linux_4_9 = false,
			.vvar_pages = 1,
			.min_sigstack = 5120,
			.task_size = 0x100000000,
		},
	[ABI_OPENEULER_5_10] =
		{
			.id = ABI_OPENEULER_5_10,
			.name = "openeuler-5.10",
			.nr_syscalls = 457,
			.restart_block_works = true,
			.sa_restorer_honoured = false,
			.siginfo_raw_copy = false,
			.flock64_overflow = false,
			.clone_tls_raw = false,
			.read_implies_exec_bug = false,
			.copies_fields = false,
			.ipc_time_high = true,
			.access_lp64 = false,
			.vdso_linux_4_9 = false,
			.vvar_pages = 2,
			.min_sigstack = 2048,
			.task_size = 0x100000000 - 4096,
		},
	[ABI_OPENEULER_6_6] =
		{
			.id = ABI_OPENEULER_6_6,
			.name = "openeuler-6.6",
			.nr_syscalls = 452,
			.restart_block_works = true,
			.sa_restorer_honoured = false,
			.siginfo_raw_copy = false,
			.flock64_overflow = false,
			.clone_tls_raw = false,
			.read_implies_exec_bug = false,
			.copies_fields = false,
			.ipc_time_high = true,
			.access_lp64 = false,
			.vdso_linux_4_9 = false,
			.vvar_pages = 2,
			.min_sigstack = 2048,
			.task_size = 0x100000000 - 4096,
		},
	/* openeuler-6.6 without its defects, and with what programs of the older series relied on. */
	[ABI_MODERN] =
		{
			.id = ABI_MODERN,
			.name = "modern",
			.nr_syscalls = 452,
			.restart_block_works = true,
			.sa_restorer_honoured = true,
			.siginfo_raw_copy = false,
			.flock64_overflow = false,
			.clone_tls_raw = false,
			.read_implies_exec_bug = false,
			.copies_fields = false,
			.ipc_time_high = true,
			.access_lp64 = false,
			.vdso_linux_4_9 = true,
			.vvar_pages = 2,
			.min_sigstack = 2048,
			.task_size = 0x100000000 - 4096,
		},
};

static const struct {
	const char *alias;
	enum abi_profile_id id;
} aliases[] = {
	{"v9", ABI_AMPERE_4_14}, /* the last posted series; the 4.14 tree has the same ABI */
};

const struct abi_profile *abi_profile = &profiles[ABI_MODERN];

bool abi_select(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(name, aliases[i].alias) == 0)
			name = profiles[aliases[i].id].name;
	}
	for (size_t i = 0; i < ABI_PROFILES; i++) {
		if (strcmp(name, profiles[i].name) == 0) {
			abi_profile = &profiles[i];
			return true;
		}
	}
	return false;
}

const struct abi_profile *abi_profile_get(enum abi_profile_id id)
{
	return &profiles[id];
}

const char *abi_profile_names(void)
{
	static char names[128];

	if (names[0])
		return names;
	for (size_t i = 0; i < ABI_PROFILES; i++) {
		if (i)
			strcat(names, ", ");
		strcat(names, profiles[i].name);
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		strcat(names, ", ");
		strcat(names, aliases[i].alias);
	}
	return names;
}
