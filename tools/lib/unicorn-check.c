// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks a Unicorn library for tools/setup: header and library are of one version, at least the one named by
// the argument ("2.1.1"), and AArch64 code with a store runs in it. Exit status 0 if so, else one line.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <unicorn/unicorn.h>

static int fail(const char *what)
{
	printf("%s\n", what);
	return 1;
}

int main(int argc, char **argv)
{
	// movz w0, #0x1234; str w0, [x1]; ldr w2, [x1]
	static const uint32_t code[] = {0x52824680, 0xb9000020, 0xb9400022};
	const uint64_t text = 0x10000, data = 0x20000;
	uint64_t x1 = data, x2 = 0;
	unsigned major, minor, least[3];
	uint32_t stored = 0;
	uc_engine *uc;

	if (argc != 2 || sscanf(argv[1], "%u.%u.%u", &least[0], &least[1], &least[2]) != 3)
		return fail("usage: unicorn-check VERSION");

	uc_version(&major, &minor);
	if (major != UC_VERSION_MAJOR || minor != UC_VERSION_MINOR)
		return fail("header and library are of different versions");
	// The library tells only major and minor; the patch level is the header's.
	if (UC_MAKE_VERSION(major, minor) < UC_MAKE_VERSION(least[0], least[1]) ||
	    (major == least[0] && minor == least[1] && UC_VERSION_PATCH < least[2]))
		return fail("version is too old");

	if (uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &uc) != UC_ERR_OK)
		return fail("uc_open failed");
	if (uc_mem_map(uc, text, 0x1000, UC_PROT_READ | UC_PROT_EXEC) != UC_ERR_OK ||
	    uc_mem_map(uc, data, 0x1000, UC_PROT_READ | UC_PROT_WRITE) != UC_ERR_OK ||
	    uc_mem_write(uc, text, code, sizeof(code)) != UC_ERR_OK ||
	    uc_reg_write(uc, UC_ARM64_REG_X1, &x1) != UC_ERR_OK)
		return fail("setting up the guest failed");
	if (uc_emu_start(uc, text, text + sizeof(code), 0, 0) != UC_ERR_OK)
		return fail("running AArch64 code failed");
	if (uc_reg_read(uc, UC_ARM64_REG_X2, &x2) != UC_ERR_OK ||
	    uc_mem_read(uc, data, &stored, sizeof(stored)) != UC_ERR_OK || x2 != 0x1234 ||
	    stored != 0x1234)
		return fail("AArch64 code ran wrong");
	uc_close(uc);
	printf("%u.%u.%u\n", major, minor, (unsigned)UC_VERSION_PATCH);
	return 0;
}
