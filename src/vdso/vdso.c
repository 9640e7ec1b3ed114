/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which vDSO the guest gets, and the calls that it makes. Time comes from the C library's functions, which
 * use the host's vDSO: exact under clock steps, slewing and time namespaces, and without a system call.
 */
#include "vdso/vdso.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "abi/structs.h"
#include "task/clock.h"

/* image.S: the files made from image/vdso.S, in whole pages. */
extern const uint8_t vdso_kernel[], vdso_kernel_end[];
extern const uint8_t vdso_modern[], vdso_modern_end[];

#define PAGES_MAX 1

static uint8_t image[PAGES_MAX * MEM_PAGE_SIZE];

/* The program header of TYPE; the linker script makes one of each. */
static const Elf32_Phdr *header(uint32_t type)
{
	const Elf32_Ehdr *eh = (const Elf32_Ehdr *)image;
	const Elf32_Phdr *ph = (const Elf32_Phdr *)(image + eh->e_phoff);

	while (ph->p_type != type)
		ph++;
	return ph;
}

/* The part of the image that the entry TAG of the dynamic section points to. */
static const void *dynamic(int32_t tag)
{
	const Elf32_Dyn *d = (const Elf32_Dyn *)(image + header(PT_DYNAMIC)->p_offset);

	while (d->d_tag != tag)
		d++;
	return image + d->d_un.d_ptr;
}

static uint32_t find_symbol(const char *name)
{
	const Elf32_Sym *sym = dynamic(DT_SYMTAB);
	const char *strings = dynamic(DT_STRTAB);

	while (strcmp(strings + sym->st_name, name) != 0)
		sym++;
	return sym->st_value;
}

/* LINUX_VERSION_CODE of what uname(2) says: some dynamic linkers ask here instead. */
static uint32_t version_code(void)
{
	unsigned major = 0, minor = 0, patch = 0;
	struct utsname u;

	if (uname(&u) == 0)
		sscanf(u.release, "%u.%u.%u", &major, &minor, &patch);
	return major << 16 | minor << 8 | (patch < 255 ? patch : 255);
}

static void fill_note(void)
{
	uint8_t *note = image + header(PT_NOTE)->p_offset;

	/* The first note is the kernel's: three words, "Linux" in 8 bytes, the version. */
	abi_put32(note + 20, version_code());
}

/* Whether the profile's kernel has the calls for time that the functions imitate. */
static bool has_plain_time(void)
{
	static const struct {
		uint16_t nr;
		const char *name;
	} calls[] = {{113, "clock_gettime"}, {114, "clock_getres"}, {169, "gettimeofday"}};

	for (size_t i = 0; i < abi_profile->ncalls; i++) {
		for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
			if (abi_profile->calls[i].nr == calls[k].nr &&
			    strcmp(abi_profile->calls[i].name, calls[k].name) != 0)
				return false;
		}
	}
	return abi_is_common(&abi_st_timespec) && abi_is_common(&abi_st_timeval) &&
	       abi_is_common(&abi_st_timezone);
}

/* The function NAME only makes call NR: the kernel does what the profile says. */
static void make_plain(const char *name, uint32_t nr)
{
	uint8_t *code = image + find_symbol(name);

	abi_put32(code, 0xd2800008 | nr << 5); /* mov x8, #nr */
	abi_put32(code + 4, 0xd4000001);       /* svc #0 */
	abi_put32(code + 8, 0xd65f03c0);       /* ret */
}

const struct loader_vdso *vdso_get(void)
{
	static struct loader_vdso v = {.image = image, .image_len = sizeof image, .data_fd = -1};
	bool modern = abi_profile->vdso_linux_4_9;

	v.data_len = abi_profile->vvar_pages * MEM_PAGE_SIZE;
	if (modern)
		memcpy(image, vdso_modern, (size_t)(vdso_modern_end - vdso_modern));
	else
		memcpy(image, vdso_kernel, (size_t)(vdso_kernel_end - vdso_kernel));
	fill_note();
	if (!has_plain_time()) {
		make_plain("__kernel_clock_gettime", 113);
		make_plain("__kernel_clock_getres", 114);
		make_plain("__kernel_gettimeofday", 169);
	}
	v.sigreturn = find_symbol("__kernel_rt_sigreturn");
	return &v;
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static uint64_t two_words(int64_t low, int64_t high)
{
	return (uint32_t)low | (uint64_t)high << 32;
}

uint64_t vdso_call(uint64_t x8, uint64_t x0)
{
	struct timespec ts = {0, 0};
	struct timezone tz = {0, 0};
	clockid_t clock = (clockid_t)(uint32_t)x0;

	switch ((uint32_t)x8 - VDSO_CALL_LOW) {
	case VDSO_CLOCK_GETTIME:
		if (task_is_deterministic()) {
			struct host_timespec now = {0, 0};

			task_clock_now(clock, &now);
			return two_words(now.tv_sec, now.tv_nsec);
		}
		clock_gettime(clock, &ts);
		return two_words(ts.tv_sec, ts.tv_nsec);
	case VDSO_CLOCK_GETRES: clock_getres(clock, &ts); return two_words(ts.tv_sec, ts.tv_nsec);
	case VDSO_TIMEZONE:
		/* Not every C library hands this on. */
		syscall(SYS_gettimeofday, NULL, &tz);
		return two_words(tz.tz_minuteswest, tz.tz_dsttime);
	default: return 0; /* the image makes no other */
	}
}
