/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of loader_map(): each case runs in a child process, because there is one guest address
 * space a process, and reports through shared memory. Behind cmocka.h.
 */
#ifndef TEST_LOADER_RUN_H
#define TEST_LOADER_RUN_H

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "abi/abi.h"
#include "loader/loader.h"
#include "mem/mem.h"
#include "test_loader_files.h"

#define MiB 0x100000ull

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
	bool vdso_data; /* with a file behind [vvar], which changes after loading */
	gaddr peek;     /* copy memory from here ... */
	size_t npeek;   /* ... and so many bytes */
	bool check_args_only;
};

static struct result *res;

static inline int set_up(void **state)
{
	res = mmap(NULL, sizeof *res, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return res == MAP_FAILED ? -1 : set_up_dir(state);
}

/* The maps text without what differs from run to run: device, inode, directories. */
static inline void copy_maps(void)
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
static inline const struct loader_vdso *fake_vdso(int data_fd)
{
	static uint8_t page[4096] = {0x7f, 'E', 'L', 'F'};
	static struct loader_vdso v = {
		.image = page, .image_len = 4096, .data_len = 4096, .sigreturn = 0x5bc};

	v.data_fd = data_fd;
	return &v;
}

static inline void fill_page(int fd, uint8_t byte)
{
	uint8_t page[4096];

	memset(page, byte, sizeof page);
	if (pwrite(fd, page, sizeof page, 0) != sizeof page)
		_exit(7);
}

/* The small stack limits of some cases hold for this process, too: let its stack be there before. */
static inline void touch_stack(void)
{
	volatile uint8_t b[0x40000];

	for (size_t i = 0; i < sizeof b; i += 0x1000)
		b[i] = 0;
}

static inline void child(const struct scenario *s)
{
	const uint64_t rlimit = s->rlimit ? s->rlimit : 8 * MiB;
	const struct rlimit rl = {rlimit, rlimit};
	struct mem_config cfg = {.base = UINTPTR_MAX, .stack_rlimit = rlimit};
	struct loader_env env = {
		.envp = s->envp, .hwcap = 0x1fffb, .hwcap2 = 0x181, .personality = s->personality};
	struct loader_program p;
	int data_fd = -1;

	touch_stack();
	cfg.aslr = cfg.seeded = s->seed != 0;
	cfg.seed = s->seed;
	if (!s->seed)
		env.personality |= LOADER_ADDR_NO_RANDOMIZE;
	if (s->vdso_data)
		fill_page(data_fd = memfd_create("data", MFD_CLOEXEC), 'a');
	if (s->vdso || s->vdso_data)
		env.vdso = fake_vdso(data_fd);
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
	if (s->vdso_data)
		fill_page(data_fd, 'b');
	if (s->npeek && mem_copy_in(res->peek, s->peek, s->npeek) != 0)
		_exit(6);
	_exit(0);
}

/* Loads as S says; the outcome is in *res. */
static inline void run(const struct scenario *s)
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

static inline void run_ok(const struct scenario *s)
{
	run(s);
	assert_string_equal(res->text, "");
	assert_int_equal(res->err, 0);
	assert_int_equal(res->img.sp % 16, 0);
}

static char *const one_arg[] = {(char[]){"x"}, NULL};

/* The value of auxv entry TYPE on the stack; fails without. */
static inline uint32_t auxv(uint32_t type)
{
	const uint8_t *a = res->stack + (res->img.auxv - res->img.sp);

	for (; abi_get32(a) != type; a += 8)
		assert_int_not_equal(abi_get32(a), AT_NULL);
	return abi_get32(a + 4);
}

static inline bool has_auxv(uint32_t type)
{
	const uint8_t *a = res->stack + (res->img.auxv - res->img.sp);

	for (; abi_get32(a) != type; a += 8)
		if (abi_get32(a) == AT_NULL)
			return false;
	return true;
}

/* Segments and headers of the probe that printed its stack. */
static inline void write_auxv_probe(const char *path)
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

#endif
