/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files, start state, execve. The programs that are started are made in memory. */
#include "abi.h"

/* --- files ---------------------------------------------------------------------------------------- */

extern const u8 code_42[], code_42_end[], code_sp[], code_sp_end[], code_heap[], code_heap_end[],
	code_regs[], code_regs_end[];
__asm__(".pushsection .rodata\n"
	"	.balign 8\n"
	"code_42:\n"
	"	mov x0, #42\n mov x8, #94\n svc #0\n"
	"code_42_end:\n"
	/* exit status: sp modulo 16, plus 16 if argc is not the number of strings */
	"code_sp:\n"
	"	mov x1, sp\n"
	"	and x0, x1, #15\n"
	"	ldr w2, [x1], #4\n"
	"1:	ldr w3, [x1], #4\n"
	"	cbz w3, 2f\n"
	"	sub w2, w2, #1\n"
	"	b 1b\n"
	"2:	cbz w2, 3f\n"
	"	add x0, x0, #16\n"
	"3:	mov x8, #94\n svc #0\n"
	"code_sp_end:\n"
	/* runs code in a new mapping that is only readable and writable */
	"code_heap:\n"
	"	mov x0, #0\n mov x1, #4096\n mov x2, #3\n mov x3, #0x22\n mov x4, #-1\n mov x5, #0\n"
	"	mov x8, #222\n svc #0\n"
	"	ldr w1, =0xd65f03c0\n" /* ret */
	"	str w1, [x0]\n"
	"	ic ivau, x0\n dsb ish\n isb\n"
	"	blr x0\n"
	"	mov x0, #42\n mov x8, #94\n svc #0\n"
	"	.ltorg\n"
	"code_heap_end:\n"
	/* exit status: how many registers were not 0 at the start */
	"code_regs:\n"
	"	orr x0, x0, x1\n orr x0, x0, x2\n orr x0, x0, x3\n orr x0, x0, x4\n orr x0, x0, x5\n"
	"	orr x0, x0, x6\n orr x0, x0, x7\n orr x0, x0, x8\n orr x0, x0, x15\n orr x0, x0, x18\n"
	"	orr x0, x0, x29\n orr x0, x0, x30\n mrs x1, tpidr_el0\n orr x0, x0, x1\n"
	"	mrs x1, fpcr\n orr x0, x0, x1\n mrs x1, nzcv\n orr x0, x0, x1\n"
	"	cmp x0, #0\n cset x0, ne\n mov x8, #94\n svc #0\n"
	"code_regs_end:\n"
	"	.popsection\n");

struct image {
	u8 file[512];
	u32 size;
};

static void put16(u8 *p, u32 v)
{
	p[0] = (u8)v;
	p[1] = (u8)(v >> 8);
}

/* An ELF32 program of one segment at 0x10000 with the code, with or without PT_GNU_STACK. */
static void make_elf32(struct image *m, const u8 *code, const u8 *end, int stack_header)
{
	u8 *e = m->file, *ph = e + 52;
	u32 n = (u32)(end - code);

	memset(m, 0, sizeof(*m));
	memcpy(e, "\177ELF\1\1\1", 7);
	put16(e + 16, 2);
	put16(e + 18, 183);
	put32(e + 20, 1);
	put32(e + 24, 0x10000 + 128);
	put32(e + 28, 52);
	put16(e + 40, 52);
	put16(e + 42, 32);
	put16(e + 44, stack_header ? 2 : 1);
	put32(ph, 1);
	put32(ph + 8, 0x10000);
	put32(ph + 12, 0x10000);
	put32(ph + 16, 128 + n);
	put32(ph + 20, 128 + n);
	put32(ph + 24, 5);
	put32(ph + 28, PAGE);
	if (stack_header) {
		put32(ph + 32, 0x6474e551);
		put32(ph + 32 + 24, 6);
		put32(ph + 32 + 28, 16);
	}
	memcpy(e + 128, code, n);
	m->size = 128 + n;
}

/* The same as a 64-bit program. */
static void make_elf64(struct image *m, const u8 *code, const u8 *end)
{
	u8 *e = m->file, *ph = e + 64;
	u32 n = (u32)(end - code);

	memset(m, 0, sizeof(*m));
	memcpy(e, "\177ELF\2\1\1", 7);
	put16(e + 16, 2);
	put16(e + 18, 183);
	put32(e + 20, 1);
	put64(e + 24, 0x10000 + 128);
	put64(e + 32, 64);
	put16(e + 52, 64);
	put16(e + 54, 56);
	put16(e + 56, 1);
	put32(ph, 1);
	put32(ph + 4, 5);
	put64(ph + 16, 0x10000);
	put64(ph + 24, 0x10000);
	put64(ph + 32, 128 + n);
	put64(ph + 40, 128 + n);
	put64(ph + 48, PAGE);
	memcpy(e + 128, code, n);
	m->size = 128 + n;
}

/* Wait status of a child that runs the image with ARGV, or the errno of execveat. */
static s64 run(const struct image *m, const char *const *argv)
{
	volatile s64 *r =
		(void *)(u32)GOOD(S(mmap2, 0, PAGE, PROT_RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	int fd = file_of(0), status;
	s64 child;

	EQ(S(write, fd, m->file, m->size), m->size);
	child = fork_();
	if (!child) {
		*r = S(execveat, fd, "", argv, 0, 0x1000);
		S(exit_group, 0);
	}
	status = wait_for(child);
	return *r ? *r : status;
}

static const char *const one[] = {"x", 0};

/* --- cases ---------------------------------------------------------------------------------------- */

#define LOAD "oracle README 3 execve; linux fs/binfmt_elf.c load_elf_binary"

CASE("ELF-001", "execveat", ALL, LOAD, "program headers that are not 32 bytes are ENOEXEC")
{
	struct image m;

	make_elf32(&m, code_42, code_42_end, 1);
	EQ(run(&m, one), 42 << 8);
	put16(m.file + 42, 56);
	EQ(run(&m, one), -ENOEXEC);
}

CASE("ELF-002", "execveat", ALL, LOAD, "another machine, class or type is ENOEXEC")
{
	struct image m;

	make_elf32(&m, code_42, code_42_end, 1);
	put16(m.file + 18, 8); /* MIPS */
	EQ(run(&m, one), -ENOEXEC);
	make_elf32(&m, code_42, code_42_end, 1);
	m.file[4] = 3;
	EQ(run(&m, one), -ENOEXEC);
	make_elf32(&m, code_42, code_42_end, 1);
	put16(m.file + 16, 1); /* ET_REL */
	EQ(run(&m, one), -ENOEXEC);
}

CASE("ELF-003", "execveat", ALL, LOAD, "e_flags and the byte order in e_ident are not looked at")
{
	struct image m;

	make_elf32(&m, code_42, code_42_end, 1);
	put32(m.file + 36, 5);
	m.file[5] = 2;
	EQ(run(&m, one), 42 << 8);
}

static u32 aux(u32 type)
{
	for (u32 *a = main_auxv; *a; a += 2) {
		if (a[0] == type)
			return a[1];
	}
	return 0;
}

CASE("ELF-004", ".auxv", ALL, "oracle auxv; linux fs/binfmt_elf.c create_elf_tables",
     "the auxiliary vector: pairs of 4 bytes, the kernel's order, PHENT 32, PLATFORM aarch64:ilp32")
{
	static const u8 order[] = {16, 6, 17, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 23, 25, 26, 31, 15};
	u32 *a = main_auxv;

	if (a[0] == 33)
		a += 2;
	for (u32 i = 0; i < sizeof(order); i++) {
		/* Later kernels have more: AT_RSEQ_*, AT_MINSIGSTKSZ. */
		while (a[0] && a[0] != order[i] && !in_profile(AMPERE))
			a += 2;
		EQ(a[0], order[i]);
		a += 2;
	}
	EQ(aux(4), 32);
	EQ(aux(17), 100);
	OK(aux(6) >= PAGE && aux(3) != 0 && aux(25) != 0 && aux(31) != 0);
	EQ(memcmp((char *)aux(15), "aarch64:ilp32", 14), 0);
	EQ(aux(11), S(getuid));
	EQ(aux(8), 0);
}

CASE("ELF-004a", "", AMPERE, "oracle auxv",
     "the auxiliary vector ends behind AT_PLATFORM, without AT_MINSIGSTKSZ")
{
	EQ(aux(51), 0);
	EQ(aux(24), 0);
}

CASE("ELF-005", "execveat", ALL, "oracle README 3; linux arch/arm64/include/asm/elf.h STACK_ROUND",
     "the stack pointer is a multiple of 16 for any number of arguments; argc counts them")
{
	const char *argv[8] = {0};
	struct image m;

	make_elf32(&m, code_sp, code_sp_end, 1);
	for (u32 n = 1; n < 7; n++) {
		argv[n - 1] = "arg";
		EQ(run(&m, argv), 0);
	}
}

CASE("ELF-005a", "execveat", ALL,
     "oracle regs; linux arch/arm64/include/asm/processor.h start_thread_common",
     "registers are 0 at the start")
{
	struct image m;

	make_elf32(&m, code_regs, code_regs_end, 1);
	EQ(run(&m, one), 0);
}

static __thread u32 in_tls __attribute__((aligned(16))) = 5;

CASE("ELF-007", "", ALL, "AAPCS64 ELF: TCB of two pointers of ILP32, rounded up to the alignment",
     "a variable of thread-local storage aligned to 16 is 16 bytes behind tpidr_el0")
{
	static u8 block[64] __attribute__((aligned(16)));
	u32 *at;

	__asm__ volatile("msr tpidr_el0, %0" : : "r"(Z(block)) : "memory");
	at = &in_tls;
	__asm__("" : "+r"(at));
	EQ(Z(at), Z(block) + 16);
	*at = 7;
	EQ(block[16], 7);
}

CASE("ELF-008", "execveat", ALL, "oracle README 3: LP64 binary runs from ILP32 and back",
     "an LP64 program can be run")
{
	struct image m;
	s64 r;

	make_elf64(&m, code_42, code_42_end);
	r = run(&m, one);
	if (r == -ENOEXEC)
		skip("no LP64 AArch64 programs here");
	EQ(r, 42 << 8);
}

CASE("ELF-009", "uname personality", ALL, "oracle structs \"uname\"",
     "the machine is aarch64, and armv8l under PER_LINUX32")
{
	u8 u[400];

	memset(u, 0xa5, 400);
	EQ(S(uname, u), 0);
	EQ(memcmp(u + 260, "aarch64", 8), 0);
	EQ(memcmp(u, "Linux", 6), 0);
	OK(all_bytes(u + 390, 0xa5, 10));
	EQ(S(personality, 8) >= 0, 1);
	EQ(S(uname, u), 0);
	EQ(memcmp(u + 260, "armv8l", 7), 0);
}

CASE("ELF-010", "execveat", AMPERE,
     "oracle layout-execstack; linux arch/arm64 elf_read_implies_exec",
     "without PT_GNU_STACK what can be read can be executed")
{
	struct image m;

	make_elf32(&m, code_heap, code_heap_end, 0);
	EQ(run(&m, one), 42 << 8);
}

CASE("ELF-010a", "execveat", ALL, "linux fs/binfmt_elf.c PT_GNU_STACK",
     "with PT_GNU_STACK of rw- data cannot be executed")
{
	struct image m;

	make_elf32(&m, code_heap, code_heap_end, 1);
	EQ(run(&m, one), SIGSEGV);
}

CASE("ELF-013", "execve", ALL, "oracle README 3 execve",
     "missing files ENOENT, directories EACCES, empty and text files ENOEXEC, truncated headers ENOEXEC")
{
	const char *argv[] = {"x", 0};

	scratch();
	EQ(S(execve, "none", argv, 0), -ENOENT);
	EQ(S(execve, ".", argv, 0), -EACCES);
	S(close, make_file("x", 0));
	EQ(S(execve, "./x", argv, 0), -EACCES);
	EQ(S(fchmodat, AT_FDCWD, "x", 0700), 0);
	EQ(S(execve, "./x", argv, 0), -ENOEXEC);
	EQ(write_text("x", "just words\n"), 0);
	EQ(S(execve, "./x", argv, 0), -ENOEXEC);
	EQ(write_text("x", "\177ELF\1\1\1"), 0);
	EQ(S(execve, "./x", argv, 0), -ENOEXEC);
	EQ(write_text("x", "#!/nonexistent/interpreter\n"), 0);
	EQ(S(execve, "./x", argv, 0), -ENOENT);
}

CASE("ELF-014", "execveat", ALL, "oracle README 3: LOAD segment that cannot be mapped",
     "a segment beyond 4 GiB: killed by SIGSEGV")
{
	struct image m;
	s64 r;

	make_elf32(&m, code_42, code_42_end, 1);
	put32(m.file + 52 + 8, 0xfffff000);
	put32(m.file + 52 + 20, 2 * PAGE);
	r = run(&m, one);
	OK(r == SIGSEGV || r == SIGKILL);
}

CASE("ELF-015", "execveat", ALL, "linux fs/exec.c do_execveat_common",
     "execveat: AT_EMPTY_PATH and AT_SYMLINK_NOFOLLOW only")
{
	EQ(S(execveat, -1, "", one, 0, 0x1000), -EBADF);
	EQ(S(execveat, AT_FDCWD, "", one, 0, 0), -ENOENT);
	EQ(S(execveat, AT_FDCWD, ".", one, 0, 0x1), -EINVAL);
}

/* The first bytes of the core file that a child leaves, or the case is skipped. */
static u32 make_core(u8 *core, u32 size, u32 uid)
{
	u64 limit[2] = {1 << 20, 1 << 20};
	char name[32] = "core.";
	s64 fd, child, n;

	scratch();
	if (S(fchmodat, AT_FDCWD, ".", 0777) || S(prlimit64, 0, 4, limit, 0))
		skip("no core files: limits");
	child = fork_();
	if (!child) {
		if (uid && (S(setresgid, uid, uid, uid) || S(setresuid, uid, uid, uid) ||
			    S(prctl, 4, 1, 0, 0, 0)))
			S(exit_group, 1);
		S(kill, own_pid(), SIGABRT);
	}
	if (wait_for(child) != (SIGABRT | 0x80))
		skip("no core dumps");
	number_text(name + 5, (u32)child);
	fd = S(openat, AT_FDCWD, "core", O_RDONLY, 0);
	if (fd < 0)
		fd = S(openat, AT_FDCWD, name, O_RDONLY, 0);
	if (fd < 0)
		skip("core_pattern leads elsewhere");
	n = GOOD(S(read, fd, core, size));
	return (u32)n;
}

/* The note of TYPE in the core file, its size in *SIZE. */
static u8 *note(u8 *core, u32 n, u32 type, u32 *size)
{
	u8 *ph = core + get32(core + 28), *at, *end;

	EQ(get32(ph), 4);
	at = core + get32(ph + 4);
	end = at + get32(ph + 16);
	OK(end <= core + n);
	while (at < end) {
		u32 name = get32(at), len = get32(at + 4);

		if (get32(at + 8) == type) {
			*size = len;
			return at + 12 + ((name + 3) & ~3u);
		}
		at += 12 + ((name + 3) & ~3u) + ((len + 3) & ~3u);
	}
	fail(__LINE__, "a note of that type", 0, type);
}

static u8 core_file[16384];

CASE("ELF-011", "kill .elf_prstatus .elf_prpsinfo", ALL,
     "oracle README 8 core; linux fs/compat_binfmt_elf.c",
     "a core file is ELFCLASS32: PRSTATUS 352, PRPSINFO 124, AUXV of 4-byte pairs")
{
	u32 n = make_core(core_file, sizeof(core_file), 0), size;
	u8 *p;

	EQ(core_file[4], 1);
	EQ(core_file[16] | core_file[17] << 8, 4);
	EQ(core_file[18] | core_file[19] << 8, 183);
	p = note(core_file, n, 1, &size);
	EQ(size, 352);
	EQ(p[12] | p[13] << 8, SIGABRT);
	EQ(get64(p + 72 + 8 * 8), __NR_kill);
	note(core_file, n, 3, &size);
	EQ(size, 124);
	p = note(core_file, n, 6, &size);
	EQ(size % 8, 0);
	note(core_file, n, 2, &size);
	EQ(size, 528);
}

CASE("ELF-012", "kill", ALL, "linux fs/compat_binfmt_elf.c: 16-bit ids in elf_prpsinfo",
     "uid 70000 is 65534 in a core file")
{
	u32 n = make_core(core_file, sizeof(core_file), 70000), size;
	u8 *p;

	EQ(core_file[4], 1);
	p = note(core_file, n, 3, &size);
	EQ(p[8] | p[9] << 8, 65534);
}
