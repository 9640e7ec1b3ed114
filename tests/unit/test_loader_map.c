/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader_map(): addresses, protections and the initial stack. Expected numbers are those that a 4.14
 * ILP32 kernel gave (oracle: auxv, layout), on images with the same segments. Each case runs in a
 * child process, because there is one guest address space a process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "abi/abi.h"
#include "loader/loader.h"
#include "mem/mem.h"
#include "test_loader_image.h"

#define MiB 0x100000ull

static char dir[32]; /* scratch directory, current for all tests */

/* What a child reports. Lives in shared memory. */
struct result {
	int err;
	char text[512];
	struct loader_image img;
	gaddr brk, stack_top;
	char maps[8192];        /* one line a mapping: "start-end perms offset name" */
	uint8_t stack[0x40000]; /* from sp on */
	size_t stack_len;
	uint8_t peek[0x2000];
	struct mem_usage usage;
};

struct scenario {
	const char *abi;
	const char *path;
	char *const *argv;
	char *const *envp;
	uint64_t rlimit; /* RLIMIT_STACK; 0: 8 MiB */
	uint64_t seed;   /* 0: no randomization */
	uint32_t personality;
	bool vdso;
	gaddr peek;   /* copy memory from here ... */
	size_t npeek; /* ... and so many bytes */
	bool check_args_only;
};

static struct result *res;

static int set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/loaderXXXXXX");
	if (!mkdtemp(dir) || chdir(dir) != 0 || mkdir("oracle", 0755) != 0 ||
	    mkdir("oracle/probes", 0755) != 0)
		return -1;
	res = mmap(NULL, sizeof *res, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return res == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return chdir("/") != 0 || system(command) != 0;
}

/* The maps text without what differs from run to run: device, inode, directories. */
static void copy_maps(void)
{
	size_t n = 0, len;
	char *text = mem_maps_text(false, &len), *save = NULL;

	if (!text)
		_exit(3);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char range[32], perms[8], off[16], name[256] = "";
		const char *base;

		if (sscanf(line, "%31s %7s %15s %*s %*s %255s", range, perms, off, name) < 3)
			_exit(4);
		base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
		n += (size_t)snprintf(res->maps + n, sizeof res->maps - n, "%s %s %s%s%s\n", range,
				      perms, off, *base ? " " : "", base);
	}
	free(text);
}

/* One page that looks like a vDSO. */
static const struct loader_vdso *fake_vdso(void)
{
	static uint8_t page[4096] = {0x7f, 'E', 'L', 'F'};
	static const struct loader_vdso v = {.image = page,
					     .image_len = 4096,
					     .data_len = 4096,
					     .data_fd = -1,
					     .sigreturn = 0x5bc};

	return &v;
}

/* The small stack limits of some cases hold for this process, too: let its stack be there before. */
static void touch_stack(void)
{
	volatile uint8_t b[0x40000];

	for (size_t i = 0; i < sizeof b; i += 0x1000)
		b[i] = 0;
}

static void child(const struct scenario *s)
{
	const uint64_t rlimit = s->rlimit ? s->rlimit : 8 * MiB;
	const struct rlimit rl = {rlimit, rlimit};
	struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = rlimit};
	struct loader_env env = {.envp = s->envp, .hwcap = 0x1fffb, .personality = s->personality};
	struct loader_program p;

	touch_stack();
	cfg.aslr = cfg.seeded = s->seed != 0;
	cfg.seed = s->seed;
	if (!s->seed)
		env.personality |= LOADER_ADDR_NO_RANDOMIZE;
	if (s->vdso)
		env.vdso = fake_vdso();
	if (setrlimit(RLIMIT_STACK, &rl) != 0 || !abi_select(s->abi) || mem_init(&cfg) != 0)
		_exit(1);
	loader_open(&p, AT_FDCWD, s->path, s->argv, 0, NULL);
	if (p.kind != LOADER_ILP32) {
		fprintf(stderr, "%s: %s\n", s->path, p.text);
		_exit(2);
	}
	res->err = loader_check_args(&p, s->envp);
	if (s->check_args_only)
		_exit(0);
	res->err = loader_map(&p, &env, &res->img, res->text);
	loader_free(&p);
	res->stack_top = mem_layout()->stack_top;
	if (res->err == 0) {
		res->brk = (gaddr)mem_brk(0);
		res->stack_len = res->stack_top - res->img.sp;
		if (res->stack_len > sizeof res->stack)
			res->stack_len = sizeof res->stack;
		if (mem_copy_in(res->stack, res->img.sp, res->stack_len) != 0)
			_exit(5);
		copy_maps();
		mem_usage(&res->usage);
	}
	if (s->npeek && mem_copy_in(res->peek, s->peek, s->npeek) != 0)
		_exit(6);
	_exit(0);
}

/* Loads as S says; the outcome is in *res. */
static void run(const struct scenario *s)
{
	pid_t pid;
	int status;

	memset(res, 0, sizeof *res);
	pid = fork();
	if (pid == 0)
		child(s);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void run_ok(const struct scenario *s)
{
	run(s);
	assert_string_equal(res->text, "");
	assert_int_equal(res->err, 0);
	assert_int_equal(res->img.sp % 16, 0);
}

static char *const one_arg[] = {(char[]){"x"}, NULL};

/* The value of auxv entry TYPE on the stack; fails without. */
static uint32_t auxv(uint32_t type)
{
	const uint8_t *a = res->stack + (res->img.auxv - res->img.sp);

	for (; abi_get32(a) != type; a += 8)
		assert_int_not_equal(abi_get32(a), AT_NULL);
	return abi_get32(a + 4);
}

static bool has_auxv(uint32_t type)
{
	const uint8_t *a = res->stack + (res->img.auxv - res->img.sp);

	for (; abi_get32(a) != type; a += 8)
		if (abi_get32(a) == AT_NULL)
			return false;
	return true;
}

/* --- the stack, byte for byte --------------------------------------------------------------------- */

/* Segments and headers of the probe that printed its stack. */
static void write_auxv_probe(const char *path)
{
	struct image im = image_new(ET_EXEC, 0x4000a0);

	image_load(&im, 0, 0x400000, 0x1453, 0x1453, PF_R | PF_X);
	image_load(&im, 0x1458, 0x420000, 0, 0x3f00, PF_R | PF_W);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	/* 4.14 maps a page of the file even for a segment without file content, so offset and address
	 * have to agree. */
	image_put32(&im, 52 + 32 + 4, 0x1000);
	image_fill(&im, 0xa0, 0x1453 - 0xa0);
	image_write(&im, path, 0755);
}

static void test_stack_bytes(void **state)
{
	/* 288 bytes from sp = 0xfffefee0 to the top, as dumped by the probe; its file name was another
	 * one of the same length. Random bytes and ids are filled in below. */
	uint8_t expect[288] = {
		0x03, 0,    0,    0,    0xc4, 0xff, 0xfe, 0xff,
		0xcf, 0xff, 0xfe, 0xff, 0xd1, 0xff, 0xfe, 0xff, //
		0,    0,    0,    0,    0xd4, 0xff, 0xfe, 0xff,
		0xd8, 0xff, 0xfe, 0xff, 0,    0,    0,    0, //
		0x21, 0,    0,    0,    0x00, 0xf0, 0xfe, 0xf7,
		0x10, 0,    0,    0,    0xfb, 0xff, 0x01, 0, //
		0x06, 0,    0,    0,    0x00, 0x10, 0,    0,
		0x11, 0,    0,    0,    0x64, 0,    0,    0, //
		0x03, 0,    0,    0,    0x34, 0x00, 0x40, 0,
		0x04, 0,    0,    0,    0x20, 0,    0,    0, //
		0x05, 0,    0,    0,    0x03, 0,    0,    0,
		0x07, 0,    0,    0,    0,    0,    0,    0, //
		0x08, 0,    0,    0,    0,    0,    0,    0,
		0x09, 0,    0,    0,    0xa0, 0x00, 0x40, 0, //
		0x0b, 0,    0,    0,    0,    0,    0,    0,
		0x0c, 0,    0,    0,    0,    0,    0,    0, //
		0x0d, 0,    0,    0,    0,    0,    0,    0,
		0x0e, 0,    0,    0,    0,    0,    0,    0, //
		0x17, 0,    0,    0,    0,    0,    0,    0,
		0x19, 0,    0,    0,    0xa2, 0xff, 0xfe, 0xff, //
		0x1a, 0,    0,    0,    0,    0,    0,    0,
		0x1f, 0,    0,    0,    0xde, 0xff, 0xfe, 0xff, //
		0x0f, 0,    0,    0,    0xb2, 0xff, 0xfe, 0xff,
		0,    0,    0,    0,    0,    0,    0,    0, //
		0,    0,    0,    0,    0,    0,    0,    0,
		0,    0,    0,    0,    0,    0,    0,    0, //
		0,    0,    'a',  'a',  'r',  'c',  'h',  '6',
		'4',  ':',  'i',  'l',  'p',  '3',  '2',  0, //
		0,    0,    0,    0,    '.',  '/',  'a',  'u',
		'x',  'v',  '.',  'b',  'i',  'n',  0,    'x', //
		0,    'y',  'y',  0,    'A',  '=',  '1',  0,
		'B',  'B',  '=',  '2',  '2',  0,    '.',  '/', //
		'o',  'r',  'a',  'c',  'l',  'e',  '/',  'p',
		'r',  'o',  'b',  'e',  's',  '/',  'a',  'u', //
		'x',  'v',  '.',  't',  'e',  's',  't',  0,
		0,    0,    0,    0,    0,    0,    0,    0, //
	};
	char *argv[] = {(char[]){"./auxv.bin"}, (char[]){"x"}, (char[]){"yy"}, NULL};
	char *envp[] = {(char[]){"A=1"}, (char[]){"BB=22"}, NULL};
	const char *path = "./oracle/probes/auxv.test";

	(void)state;
	memcpy(expect + 210, "aarch64:ilp32", 14);
	write_auxv_probe(path);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = path, .argv = argv, .envp = envp, .vdso = true});
	assert_int_equal(res->img.sp, 0xfffefee0);
	assert_int_equal(res->img.entry, 0x4000a0);
	assert_int_equal(res->img.auxv, 0xfffefee0 + 32);
	assert_int_equal(res->img.auxv_len, 160);
	assert_int_equal(res->img.arg_start, 0xfffefee0 + 228);
	assert_int_equal(res->img.arg_end, 0xfffefee0 + 244);
	assert_int_equal(res->img.env_start, 0xfffefee0 + 244);
	assert_int_equal(res->img.env_end, 0xfffefee0 + 254);
	assert_int_equal(res->img.sigreturn, 0xf7fef5bc);
	assert_int_equal(res->stack_len, 288);
	memcpy(expect + 194, res->stack + 194, 16);
	abi_put32(expect + 0x74, getuid());
	abi_put32(expect + 0x7c, geteuid());
	abi_put32(expect + 0x84, getgid());
	abi_put32(expect + 0x8c, getegid());
	assert_memory_equal(res->stack, expect, sizeof expect);
	assert_string_equal(res->maps, "00400000-00402000 r-xp 00000000 auxv.test\n"
				       "00420000-00424000 rw-p 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x424000);
	/* /proc/self/stat of the probe: startcode, endcode, startstack, start_data, end_data */
	assert_int_equal(res->usage.start_code, 4194304);
	assert_int_equal(res->usage.start_stack, 4294901472);
	assert_int_equal(res->usage.start_data, 4325376);
}

/* Without vDSO: the pair of AT_SYSINFO_EHDR is missing, the trampoline page has its place. */
static void test_trampoline(void **state)
{
	const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};

	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "modern",
				  .path = "f",
				  .argv = one_arg,
				  .peek = 0xf7fef000,
				  .npeek = 0x1000});
	assert_false(has_auxv(AT_SYSINFO_EHDR));
	assert_int_equal(res->img.auxv_len, 152);
	assert_int_equal(abi_get32(res->stack + (res->img.auxv - res->img.sp)), AT_HWCAP);
	assert_int_equal(res->img.vdso, 0);
	assert_in_range(res->img.sigreturn, 0xf7fef000, 0xf7fef000 + 0x1000 - sizeof code);
	assert_memory_equal(res->peek + (res->img.sigreturn & 0xfff), code, sizeof code);
	assert_non_null(strstr(res->maps, "f7fef000-f7ff0000 r-xp 00000000 [sigpage]\n"));
	assert_int_equal(auxv(AT_HWCAP), 0x1fffb);
	assert_int_equal(auxv(AT_CLKTCK), 100);
	assert_int_equal(auxv(AT_HWCAP2), 0);
	assert_false(has_auxv(51)); /* AT_MINSIGSTKSZ */
}

static void test_empty_vectors(void **state)
{
	char *none[] = {NULL};

	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "ampere-4.14", .path = "f", .argv = none});
	assert_int_equal(abi_get32(res->stack), 0); /* argc */
	assert_int_equal(abi_get32(res->stack + 4), 0);
	assert_int_equal(abi_get32(res->stack + 8), 0);
	assert_int_equal(res->img.auxv - res->img.sp, 12);
	run_ok(&(struct scenario){.abi = "modern", .path = "f", .argv = none});
	assert_int_equal(abi_get32(res->stack), 1);
	assert_int_equal(res->stack[abi_get32(res->stack + 4) - res->img.sp], 0);
}

/* sp is a multiple of 16 for every parity of slots and every length of strings. */
static void test_alignment(void **state)
{
	char pad[32] = "";
	char *argv[8];

	(void)state;
	write_auxv_probe("f");
	for (unsigned argc = 0; argc < 6; argc++) {
		for (unsigned i = 0; i < argc; i++)
			argv[i] = pad;
		argv[argc] = NULL;
		memset(pad, 'p', 3 * argc);
		run_ok(&(struct scenario){
			.abi = "ampere-4.14", .path = "f", .argv = argv, .envp = argv});
		assert_int_equal(abi_get32(res->stack), argc);
		assert_int_equal(auxv(AT_PLATFORM), auxv(AT_RANDOM) + 16);
	}
}

/* --- address space layout ------------------------------------------------------------------------- */

/* The probe "layout" in its variants: two segments, the second with bss. */
static void write_layout(const char *path, unsigned type, uint32_t base, uint32_t entry,
			 uint32_t stack_flags, const char *interp, unsigned more_headers)
{
	struct image im = image_new(type, base + entry);

	image_load(&im, 0, base, 0x900, 0x900, PF_R | PF_X);
	image_load(&im, 0xff00, base + 0x1ff00, 0x114, 0x4000, PF_R | PF_W);
	if (interp)
		image_interp(&im, 0x880, interp);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, stack_flags, 16);
	while (more_headers--)
		image_ph(&im, PT_NULL, 0, 0, 0, 0, 0, 0);
	image_fill(&im, 0x300, 0x500);
	image_fill(&im, 0xff00, 0x400); /* beyond the end of the file content, too */
	image_write(&im, path, 0755);
}

static void test_static_pie(void **state)
{
	(void)state;
	write_layout("layout-pie.bin", ET_DYN, 0, 0x170, PF_R | PF_W, NULL, 0);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = "layout-pie.bin", .argv = one_arg, .vdso = true});
	assert_string_equal(res->maps, "f7fcc000-f7fcd000 r-xp 00000000 layout-pie.bin\n"
				       "f7fe9000-f7fea000 r--p 00000000 [vvar]\n"
				       "f7fea000-f7feb000 r-xp 00000000 [vdso]\n"
				       "f7feb000-f7fed000 rw-p 0000f000 layout-pie.bin\n"
				       "f7fed000-f7ff0000 rw-p 00000000 [heap]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0xf7ff0000);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0xf7fea000);
	assert_int_equal(auxv(AT_PHDR), 0xf7fcc034);
	assert_int_equal(auxv(AT_BASE), 0);
	assert_int_equal(auxv(AT_ENTRY), 0xf7fcc170);
	assert_int_equal(res->img.entry, 0xf7fcc170);

	/* Unlimited stack: mappings go upwards from a quarter of the space. */
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-pie.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = RLIM_INFINITY});
	assert_string_equal(res->maps, "40000000-40001000 r-xp 00000000 layout-pie.bin\n"
				       "40001000-40002000 r--p 00000000 [vvar]\n"
				       "40002000-40003000 r-xp 00000000 [vdso]\n"
				       "4001f000-40021000 rw-p 0000f000 layout-pie.bin\n"
				       "40021000-40024000 rw-p 00000000 [heap]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x40024000);

	/* A stack limit of 1 GiB moves the base down. */
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-pie.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = 1024 * MiB});
	assert_int_equal(auxv(AT_PHDR), 0xbf6cd034);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0xbf6eb000);
	assert_int_equal(res->brk, 0xbf6f1000);
}

static void test_static_exec(void **state)
{
	const struct scenario s = {
		.abi = "ampere-4.14", .path = "layout.bin", .argv = one_arg, .vdso = true};

	(void)state;
	write_layout("layout.bin", ET_EXEC, 0x400000, 0xc0, PF_R | PF_W, NULL, 0);
	run_ok(&s);
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout.bin\n"
				       "0041f000-00421000 rw-p 0000f000 layout.bin\n"
				       "00421000-00424000 rw-p 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(res->brk, 0x424000);
	assert_int_equal(auxv(AT_ENTRY), 0x4000c0);
}

static void test_interpreter(void **state)
{
	struct image im = image_new(ET_DYN, 0x2d0);

	(void)state;
	image_load(&im, 0, 0, 0x900, 0x900, PF_R | PF_X);
	image_load(&im, 0xff00, 0x1ff00, 0x100, 0x4100, PF_R | PF_W);
	image_fill(&im, 0xff00, 0x100);
	image_write(&im, "interp.bin", 0755);
	write_layout("layout-dyn.bin", ET_DYN, 0, 0x1c0, PF_R | PF_W, "interp.bin", 5);
	run_ok(&(struct scenario){
		.abi = "ampere-4.14", .path = "layout-dyn.bin", .argv = one_arg, .vdso = true});
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout-dyn.bin\n"
				       "0041f000-00421000 rw-p 0000f000 layout-dyn.bin\n"
				       "00421000-00424000 rw-p 00000000 [heap]\n"
				       "f7fcc000-f7fcd000 r-xp 00000000 interp.bin\n"
				       "f7fe9000-f7fea000 r--p 00000000 [vvar]\n"
				       "f7fea000-f7feb000 r-xp 00000000 [vdso]\n"
				       "f7feb000-f7fec000 rw-p 0000f000 interp.bin\n"
				       "f7fec000-f7ff0000 rw-p 00000000\n"
				       "fffcf000-ffff0000 rw-p 00000000 [stack]\n");
	assert_int_equal(auxv(AT_PHDR), 0x400034);
	assert_int_equal(auxv(AT_PHNUM), 9);
	assert_int_equal(auxv(AT_BASE), 0xf7fcc000);
	assert_int_equal(auxv(AT_ENTRY), 0x4001c0);
	assert_int_equal(res->img.entry, 0xf7fcc2d0);
	assert_int_equal(res->brk, 0x424000);
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "layout-dyn.bin",
				  .argv = one_arg,
				  .vdso = true,
				  .rlimit = RLIM_INFINITY});
	assert_int_equal(auxv(AT_BASE), 0x40000000);
	assert_int_equal(auxv(AT_SYSINFO_EHDR), 0x40002000);

	/* A program at a fixed address with an interpreter keeps it. */
	write_layout("dynnopie", ET_EXEC, 0x10000000, 0x1c0, PF_R | PF_W, "interp.bin", 0);
	run_ok(&(struct scenario){.abi = "modern", .path = "dynnopie", .argv = one_arg});
	assert_int_equal(auxv(AT_PHDR), 0x10000034);
	assert_int_equal(auxv(AT_ENTRY), 0x100001c0);
	assert_int_equal(auxv(AT_BASE), 0xf7fcc000);
}

/* Entry points, headers and heap under randomization: within the kernel's ranges, and the same for the
 * same seed. */
static void test_random_layout(void **state)
{
	struct image im = image_new(ET_DYN, 0x2d0);
	uint32_t seen_base = 0, seen_sp = 0, seen_brk = 0, seen_pie = 0;
	static struct result first;

	(void)state;
	image_load(&im, 0, 0, 0x24000, 0x24000, PF_R | PF_X);
	image_fill(&im, 0x100, 0x23f00);
	image_write(&im, "interp.bin", 0755);
	write_layout("layout-dyn.bin", ET_DYN, 0, 0x1c0, PF_R | PF_W, "interp.bin", 5);
	for (uint64_t seed = 1; seed <= 16; seed++) {
		const struct scenario s = {
			.abi = "modern", .path = "layout-dyn.bin", .argv = one_arg, .seed = seed};
		gaddr bss_end;

		run_ok(&s);
		memcpy(&first, res, sizeof first);
		run_ok(&s);
		assert_memory_equal(first.stack, res->stack, first.stack_len);
		assert_string_equal(first.maps, res->maps);
		assert_in_range(auxv(AT_BASE), 0xf7fcc000 - 0x800000, 0xf7fcc000);
		assert_in_range(auxv(AT_PHDR), 0x400034, 0x400034 + 0x800000);
		/* p_align of the segments is 64 KiB, which 5.10 and later honour */
		assert_int_equal(auxv(AT_PHDR) & 0xffff, 0x34);
		assert_in_range(res->stack_top, 0xffff0000 - 0x7ff000, 0xffff0000);
		bss_end = auxv(AT_PHDR) - 0x34 + 0x24000;
		assert_in_range(res->brk, bss_end, bss_end + 32 * MiB);
		assert_in_range(auxv(AT_EXECFN) - auxv(AT_PLATFORM), 14, 14 + 4096 + 64);
		seen_base |= auxv(AT_BASE) ^ 0xf7fcc000;
		seen_pie |= auxv(AT_PHDR) ^ 0x400034;
		seen_brk |= res->brk ^ bss_end;
		seen_sp |= (auxv(AT_EXECFN) ^ res->img.sp) & 0xff0;
	}
	assert_int_not_equal(seen_base, 0);
	assert_int_not_equal(seen_pie, 0);
	assert_int_not_equal(seen_brk, 0);
	assert_int_not_equal(seen_sp, 0);
}

/* A static PIE's heap: behind its bss, near the other mappings, up to 5.1; then in the low region. */
static void test_random_static_pie_brk(void **state)
{
	struct scenario s = {.path = "layout-pie.bin", .argv = one_arg, .seed = 7};
	gaddr bss_end;

	(void)state;
	write_layout("layout-pie.bin", ET_DYN, 0, 0x170, PF_R | PF_W, NULL, 0);
	s.abi = "ampere-4.14";
	run_ok(&s);
	bss_end = auxv(AT_PHDR) - 0x34 + 0x24000;
	assert_in_range(res->brk, bss_end, bss_end + 32 * MiB);
	s.abi = "modern";
	run_ok(&s);
	assert_in_range(res->brk, 0x400000, 0x400000 + 0x800000 + 32 * MiB);
}

/* --- executable stacks ------------------------------------------------------------------------------ */

static void test_exec_stack(void **state)
{
	struct scenario s = {.abi = "ampere-4.14",
			     .path = "layout-execstack.bin",
			     .argv = one_arg,
			     .vdso = true};
	struct image im;

	(void)state;
	write_layout("layout-execstack.bin", ET_EXEC, 0x400000, 0x100, PF_R | PF_W | PF_X, NULL, 0);
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_string_equal(res->maps, "00400000-00401000 r-xp 00000000 layout-execstack.bin\n"
				       "0041f000-00421000 rwxp 0000f000 layout-execstack.bin\n"
				       "00421000-00424000 rwxp 00000000 [heap]\n"
				       "f7fee000-f7fef000 r--p 00000000 [vvar]\n"
				       "f7fef000-f7ff0000 r-xp 00000000 [vdso]\n"
				       "fffcf000-ffff0000 rwxp 00000000 [stack]\n");
	/* Since 5.8 the stack alone. */
	s.abi = "modern";
	run_ok(&s);
	assert_false(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "0041f000-00421000 rw-p"));
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rwxp 00000000 [stack]"));

	/* No PT_GNU_STACK. */
	im = image_new(ET_EXEC, 0x400080);
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "nostack", 0755);
	s.path = "nostack";
	run_ok(&s);
	assert_false(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
	s.abi = "ampere-4.14";
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rwxp 00000000 [stack]"));

	/* READ_IMPLIES_EXEC of the caller survives execve; the stack stays what the header says. */
	write_layout("layout.bin", ET_EXEC, 0x400000, 0xc0, PF_R | PF_W, NULL, 0);
	s = (struct scenario){.abi = "modern",
			      .path = "layout.bin",
			      .argv = one_arg,
			      .personality = LOADER_READ_IMPLIES_EXEC};
	run_ok(&s);
	assert_true(res->img.read_implies_exec);
	assert_non_null(strstr(res->maps, "0041f000-00421000 rwxp"));
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
}

/* --- segments ---------------------------------------------------------------------------------------- */

static bool all(const uint8_t *p, size_t n, uint8_t v)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != v)
			return false;
	return true;
}

/* The file goes on behind the segment's content; memory there must be zero. */
static void test_bss_tail(void **state)
{
	struct scenario s = {.abi = "ampere-4.14",
			     .path = "bss",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x2000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x1800, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x2000);
	image_write(&im, "bss", 0755);
	run_ok(&s);
	for (size_t i = 0; i < 0x345; i++)
		assert_int_equal(res->peek[i], 1 + (0x1000 + i) % 251);
	assert_true(all(res->peek + 0x345, 0x2000 - 0x345, 0));

	/* Without bss the rest of the page is what the file has. */
	im = image_new(ET_EXEC, 0x400080);
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x345, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x1000);
	image_write(&im, "bss", 0755);
	s.npeek = 0x1000;
	run_ok(&s);
	assert_int_equal(res->peek[0x345], 1 + 0x1345 % 251);
	assert_int_equal(res->peek[0xfff], 1 + 0x1fff % 251);
}

/* A bss in a segment that is not writable: its first page keeps the file's bytes since 6.6; older
 * kernels kill. */
static void test_read_only_bss(void **state)
{
	struct scenario s = {.abi = "modern",
			     .path = "robss",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x2000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x1000, 0x420000, 0x345, 0x2000, PF_R);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x2000);
	image_write(&im, "robss", 0755);
	run_ok(&s);
	assert_int_equal(res->peek[0x345], 1 + 0x1345 % 251);
	assert_true(all(res->peek + 0x1000, 0x1000, 0));
	s.abi = "ampere-4.14";
	run(&s);
	assert_int_equal(res->err, -EFAULT);
	assert_string_equal(res->text, "the page where the bss begins (0x420345) is not writable");
}

/* Segments without content in the file. */
static void test_empty_segments(void **state)
{
	struct scenario s = {.abi = "modern",
			     .path = "empty",
			     .argv = one_arg,
			     .peek = 0x420000,
			     .npeek = 0x1000};
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0x123, 0x420010, 0, 0x800,
		   PF_R | PF_W);                              /* offset does not matter since 6.7 */
	image_load(&im, 0x1000, 0x500000, 0, 0, PF_R | PF_W); /* nothing at all */
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "empty", 0755);
	run_ok(&s);
	assert_true(all(res->peek, 0x1000, 0));
	assert_int_equal(res->brk, 0x500000);
	assert_null(strstr(res->maps, "00500000-"));
	s.abi = "ampere-4.14";
	s.npeek = 0;
	run(&s);
	assert_int_equal(res->err, -EINVAL);
}

/* PG_W and PG_X of the mapping RANGE. */
static int permissions(const char *range)
{
	const char *line = strstr(res->maps, range);

	assert_non_null(line);
	line += strlen(range) + 1;
	return (line[1] == 'w' ? PG_W : 0) | (line[2] == 'x' ? PG_X : 0);
}

static void test_odd_protections(void **state)
{
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_X);
	image_load(&im, 0x1000, 0x410000, 0x100, 0x100, PF_W);
	image_load(&im, 0x1000, 0x420000, 0x100, 0x100, 0);
	image_load(&im, 0x1000, 0x430000, 0x100, 0x2100, PF_R | PF_W | PF_X);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x1000, 0x100);
	image_write(&im, "prot", 0755);
	run_ok(&(struct scenario){.abi = "modern", .path = "prot", .argv = one_arg});
	/* Whether a page that may only be written or executed shows as readable is src/mem's affair. */
	assert_int_equal(permissions("00400000-00401000"), PG_X);
	assert_int_equal(permissions("00410000-00411000"), PG_W);
	assert_non_null(strstr(res->maps, "00420000-00421000 ---p"));
	assert_int_equal(permissions("00430000-00431000"), PG_W | PG_X);
	assert_int_equal(permissions("00431000-00433000"), PG_W | PG_X);
}

/* Later segments win where they overlap earlier ones. */
static void test_overlap(void **state)
{
	struct image im = image_new(ET_EXEC, 0x400080);

	(void)state;
	image_load(&im, 0, 0x400000, 0x3000, 0x3000, PF_R | PF_X);
	image_load(&im, 0x3000, 0x401000, 0x1000, 0x1000, PF_R | PF_W);
	image_fill(&im, 0x100, 0x80);
	image_fill(&im, 0x3000, 0x1000);
	image_write(&im, "overlap", 0755);
	run_ok(&(struct scenario){.abi = "modern", .path = "overlap", .argv = one_arg});
	assert_non_null(strstr(res->maps, "00400000-00401000 r-xp 00000000 overlap\n"
					  "00401000-00402000 rw-p 00003000 overlap\n"
					  "00402000-00403000 r-xp 00002000 overlap\n"));
}

/* A bad segment kills behind the point of no return. One line says which and why. */
static void fails(const char *abi, int err, uint32_t off, uint32_t vaddr, uint32_t filesz,
		  uint32_t memsz, const char *why)
{
	struct image im = image_new(ET_EXEC, 0x400080);
	char text[512];

	image_load(&im, 0, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, off, vaddr, filesz, memsz, PF_R | PF_W);
	image_ph(&im, PT_GNU_STACK, 0, 0, 0, 0, PF_R | PF_W, 16);
	image_fill(&im, 0x100, 0x2000);
	image_write(&im, "bad", 0755);
	run(&(struct scenario){.abi = abi, .path = "bad", .argv = one_arg});
	assert_int_equal(res->err, err);
	snprintf(
		text, sizeof text,
		"segment 1 (file offset %#x, address %#x, %#x bytes in the file, %#x in memory): %s",
		off, vaddr, filesz, memsz, why);
	assert_string_equal(res->text, text);
}

static void test_bad_segments(void **state)
{
	struct image im;

	(void)state;
	fails("modern", -EINVAL, 0x1000, 0x410000, 0x100, 0x80,
	      "more bytes in the file than in memory");
	fails("modern", -EINVAL, 0x1001, 0x410000, 0x100, 0x100,
	      "file offset and address differ within their pages");
	fails("modern", -EINVAL, 0, 0x410010, 0x100, 0x100,
	      "file offset and address differ within their pages");
	fails("ampere-4.14", -ENOMEM, 0, 0xfffff000, 0x1001, 0x1001,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -EINVAL, 0, 0xfffff000, 0x1000, 0x1001,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -EINVAL, 0, 0x410000, 0x1000, 0xffffffff,
	      "does not fit the 4 GiB address space");
	fails("ampere-4.14", -ENOMEM, 0, 0x410000, 0xffffffff, 0xffffffff,
	      "does not fit the 4 GiB address space");

	/* A segment that covers the last page exactly is fine in 4.14. */
	im = image_hello();
	image_load(&im, 0x1000, 0xfffff000, 0x100, 0x1000, PF_R | PF_W);
	image_fill(&im, 0x1000, 0x200);
	image_write(&im, "top", 0755);
	run_ok(&(struct scenario){.abi = "ampere-4.14",
				  .path = "top",
				  .argv = one_arg,
				  .peek = 0xfffff000,
				  .npeek = 0x1000});
	assert_non_null(strstr(res->maps, "fffff000-100000000 rw-p 00001000 top"));
	assert_true(all(res->peek + 0x100, 0xf00, 0));

	/* The first segment on the stack. */
	im = image_new(ET_EXEC, 0xfffe0080);
	image_load(&im, 0, 0xfffe0000, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "onstack", 0755);
	run(&(struct scenario){.abi = "modern", .path = "onstack", .argv = one_arg});
	assert_int_equal(res->err, -EEXIST);
	assert_string_equal(
		res->text, "segment 0 (file offset 0, address 0xfffe0000, 0x100 bytes in the file, "
			   "0x100 in memory): overlaps the stack");

	/* Entry point out of reach. */
	im = image_new(ET_DYN, 0xf0000000);
	image_load(&im, 0, 0, 0x100, 0x100, PF_R | PF_X);
	image_fill(&im, 0x100, 0x80);
	image_write(&im, "entry", 0755);
	run(&(struct scenario){.abi = "modern", .path = "entry", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(res->text, "entry point 0x1e7fef000 lies outside the address space");
}

static void test_bad_interpreter_image(void **state)
{
	struct image im = image_new(ET_DYN, 0x80);

	(void)state;
	image_ph(&im, PT_NULL, 0, 0, 0, 0, 0, 0);
	image_write(&im, "ld.so", 0755);
	write_layout("dyn", ET_DYN, 0, 0x170, PF_R | PF_W, "ld.so", 0);
	run(&(struct scenario){.abi = "modern", .path = "dyn", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(res->text,
			    "interpreter ld.so: interpreter without segments to load (PT_LOAD)");

	im = image_new(ET_DYN, 0x80);
	image_load(&im, 0x1001, 0, 0x10, 0x10, PF_R);
	image_fill(&im, 0x100, 0x1000);
	image_write(&im, "ld.so", 0755);
	run(&(struct scenario){.abi = "modern", .path = "dyn", .argv = one_arg});
	assert_int_equal(res->err, -EINVAL);
	assert_string_equal(
		res->text,
		"interpreter ld.so: segment 0 (file offset 0x1001, address 0, 0x10 bytes in the file, "
		"0x10 in memory): file offset and address differ within their pages");
}

/* The program headers lie in the second segment. */
static void test_phdr_address(void **state)
{
	struct scenario s = {.path = "phdr", .argv = one_arg};
	struct image im = image_new(ET_EXEC, 0x400000);

	(void)state;
	image_load(&im, 0x1000, 0x400000, 0x100, 0x100, PF_R | PF_X);
	image_load(&im, 0, 0x500000, 0x200, 0x200, PF_R);
	image_fill(&im, 0x1000, 0x100);
	image_write(&im, "phdr", 0755);
	s.abi = "modern"; /* since 5.18 */
	run_ok(&s);
	assert_int_equal(auxv(AT_PHDR), 0x500034);
	s.abi = "ampere-4.14"; /* first segment's address less its offset */
	run_ok(&s);
	assert_int_equal(auxv(AT_PHDR), 0x3ff034);
}

/* --- limits ------------------------------------------------------------------------------------------ */

static void test_argument_limits(void **state)
{
	struct scenario s = {.abi = "modern", .path = "f", .check_args_only = true};
	static char big[0x20001];
	static char *many[64];
	char *two[] = {big, NULL};

	(void)state;
	write_auxv_probe("f");
	memset(big, 'b', 0x1ffff);
	s.argv = two; /* 131072 bytes with its NUL */
	run(&s);
	assert_int_equal(res->err, 0);
	big[0x1ffff] = 'b';
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.argv = one_arg;
	s.envp = two;
	run(&s);
	assert_int_equal(res->err, -E2BIG);

	/* All together: a quarter of the stack limit (2 MiB of 8), but at most 6 MiB, at least 128 KiB. */
	big[0x1ffff] = '\0';
	for (unsigned i = 0; i < 50; i++)
		many[i] = big;
	many[15] = NULL;
	s.envp = many;
	run(&s);
	assert_int_equal(res->err, 0);
	many[15] = big;
	many[16] = NULL;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.rlimit = 1024 * MiB;
	many[16] = big;
	many[47] = NULL;
	run(&s);
	assert_int_equal(res->err, 0);
	many[47] = big;
	many[48] = NULL;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	s.rlimit = 64 * 1024;
	many[1] = NULL;
	big[0x20000 - 64] = '\0'; /* leaves room for name, x and pointers */
	run(&s);
	assert_int_equal(res->err, 0);
	big[0x20000 - 64] = 'b';
	run(&s);
	assert_int_equal(res->err, -E2BIG);

	/* loader_map checks again. */
	s.check_args_only = false;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
	assert_string_equal(res->text, "argument list too long");
}

/* Strings first, then 128 KiB below them, but never more than the limit. */
static void test_stack_size(void **state)
{
	struct scenario s = {.abi = "modern", .path = "f", .argv = one_arg};
	static char big[0x20000];
	static char *many[40000];
	char *one[] = {big, NULL};

	(void)state;
	write_auxv_probe("f");
	memset(big, 'b', sizeof big - 1);
	s.envp = one;
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffaf000-ffff0000 rw-p 00000000 [stack]"));
	s.rlimit = 256 * 1024;
	memset(big + 1000, 0, sizeof big - 1000);
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffcf000-ffff0000 rw-p 00000000 [stack]"));
	s.rlimit = 80 * 1024;
	run_ok(&s);
	assert_non_null(strstr(res->maps, "fffdc000-ffff0000 rw-p 00000000 [stack]"));

	/* Many short strings: the pointers need more room than the 128 KiB. */
	for (size_t i = 0; i < 39999; i++)
		many[i] = big;
	big[0] = '\0';
	s.rlimit = 0;
	s.envp = many;
	run_ok(&s);
	assert_int_equal(abi_get32(res->stack + 12), auxv(AT_EXECFN) - 39999);
	s.rlimit = 160 * 1024;
	run(&s);
	assert_int_equal(res->err, -E2BIG);
}

static void test_page_zero(void **state)
{
	(void)state;
	write_auxv_probe("f");
	run_ok(&(struct scenario){.abi = "modern",
				  .path = "f",
				  .argv = one_arg,
				  .personality = LOADER_MMAP_PAGE_ZERO});
	assert_non_null(strstr(res->maps, "00000000-00001000 r-xp 00000000\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack_bytes),
		cmocka_unit_test(test_trampoline),
		cmocka_unit_test(test_empty_vectors),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_static_pie),
		cmocka_unit_test(test_static_exec),
		cmocka_unit_test(test_interpreter),
		cmocka_unit_test(test_random_layout),
		cmocka_unit_test(test_random_static_pie_brk),
		cmocka_unit_test(test_exec_stack),
		cmocka_unit_test(test_bss_tail),
		cmocka_unit_test(test_read_only_bss),
		cmocka_unit_test(test_empty_segments),
		cmocka_unit_test(test_odd_protections),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_bad_segments),
		cmocka_unit_test(test_bad_interpreter_image),
		cmocka_unit_test(test_phdr_address),
		cmocka_unit_test(test_argument_limits),
		cmocka_unit_test(test_stack_size),
		cmocka_unit_test(test_page_zero),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
