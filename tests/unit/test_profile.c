/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profile files: what they say, what is wrong with them, and what the built-in ones make of structures. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/host.h"
#include "abi/profile_edit.h"
#include "abi/structs.h"
#include "syscall/ioctl.h"
#include "syscall/syscall.h"

static struct abi_profile *parse(const char *text)
{
	char why[ABI_WHY] = "";
	struct abi_profile *p = abi_profile_parse("f.abi", text, strlen(text), why);

	if (!p)
		print_error("%s\n", why);
	return p;
}

static const struct abi_struct *form(const struct abi_profile *p, const char *name)
{
	return abi_struct_in(p, abi_struct_find(name)->index);
}

static void assert_member(const struct abi_struct *s, const char *name, unsigned offset,
			  unsigned size)
{
	const struct abi_field *f = abi_member(s, name);

	assert_string_equal(f->name, name);
	assert_int_equal(f->goff, offset);
	assert_int_equal(f->gsize, size);
}

/* --- what is wrong --------------------------------------------------------------------------------- */

static const struct {
	const char *text, *why; /* the beginning of the line */
} errors[] = {
	{"bose modern\n", "f.abi:1: no statement begins with bose"},
	{"\n\n  nr_sys = 4\n", "f.abi:3: there is no fact nr_sys"},
	{"base\n", "f.abi:1: expected: base NAME"},
	{"base none\n", "f.abi:1: no profile none; there are: "},
	{"min_sigstack = 1\nbase modern\n", "f.abi:2: base must come first"},
	{"base modern\nbase modern\n", "f.abi:2: base must come first"},
	{"name a,b\n", "f.abi:1: a name has at most 31 letters"},
	{"name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "f.abi:1: a name has at most"},
	{"min_sigstack = 12x\n", "f.abi:1: not a number: 12x"},
	{"min_sigstack = -1\n", "f.abi:1: not a number: -1"},
	{"min_sigstack = 99999999999999999999\n", "f.abi:1: not a number"},
	{"min_sigstack =\n", "f.abi:1: expected: min_sigstack = NUMBER"},
	{"nr_syscalls = 0\n", "f.abi:1: nr_syscalls is 0x1 to 0x800"},
	{"nr_syscalls = 4096\n", "f.abi:1: nr_syscalls is 0x1 to 0x800"},
	{"task_size = 0x10000001\n", "f.abi:1: task_size is"},
	{"upper_halves_kept = 1\n", "f.abi:1: upper_halves_kept is yes or no, not 1"},
	{"call 1 read\n", "f.abi:1: expected: call NUMBER"},
	{"call 2048 = read\n", "f.abi:1: 2048 is more than 2047"},
	{"call x = read\n", "f.abi:1: not a number: x"},
	{"call 1 = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
	 "f.abi:1: no call is named aaaa"},
	{"member stat = 8\n", "f.abi:1: expected: member STRUCT.MEMBER"},
	{"member stat.st_ino = 8 @\n", "f.abi:1: expected: member STRUCT.MEMBER"},
	{"member nothing.x = 8\n", "f.abi:1: there is no structure nothing"},
	{"member stat.st_x = 8\n", "f.abi:1: structure stat has no member st_x"},
	{"member stat. = 8\n", "f.abi:1: structure stat has no member "},
	{"member stat.st_size = 3\n", "f.abi:1: member st_size cannot have 3 bytes"},
	{"member stat.st_size = 16\n", "f.abi:1: member st_size cannot have 16 bytes"},
	{"member iovec.iov_base = 2\n", "f.abi:1: member iov_base cannot have 2 bytes"},
	{"member iovec.iov_base = none\n", "f.abi:1: structure iovec must have iov_base"},
	{"member utsname.release = 8\n", "f.abi:1: member release is no integer"},
	{"member itimerspec.it_value = 16\n", "f.abi:1: member it_value is a structure"},
	{"member pollfd.fd = 8\n", "f.abi:1: structure pollfd cannot be changed: "},
	{"widen winsize\n", "f.abi:1: structure winsize cannot be changed: its size is part of"},
	{"\nmember stat.st_size = 8 @ 4\n",
	 "f.abi:2: structure stat: members st_dev and st_size would overlap at offset 4"},
	{"member stat.st_size = 8 @ 9999\n", "f.abi:1: 9999 is more than"},
	{"size stat = 100\n",
	 "f.abi:1: structure stat: its members end at 104, beyond its size 100"},
	{"size stat = 10000\n", "f.abi:1: 10000 is more than"},
	{"widen timespec twice\n", "f.abi:1: expected: widen STRUCT [pointers]"},
	{"widen\n", "f.abi:1: expected: widen STRUCT [pointers]"},
	{"a b c d e f g h i j\n", "f.abi:1: too many words"},
	{"base mod\001ern\n", "f.abi:1: a byte 0x01, which no statement has"},
	{"base \xc3\xa4\n", "f.abi:1: a byte 0xc3"},
};

static void test_errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		char why[ABI_WHY] = "";

		assert_null(
			abi_profile_parse("f.abi", errors[i].text, strlen(errors[i].text), why));
		if (strncmp(why, errors[i].why, strlen(errors[i].why)) != 0)
			print_error("\"%s\"\n", errors[i].text);
		why[strlen(errors[i].why)] = '\0';
		assert_string_equal(why, errors[i].why);
	}
}

/* Too many statements are refused, not written past the end. */
static void test_too_many_calls(void **state)
{
	char *text = malloc(64 * ABI_NUMBERS), *at = text, why[ABI_WHY] = "";

	(void)state;
	for (unsigned nr = 0; nr < ABI_NUMBERS; nr++)
		at += sprintf(at, "call %u = read\n", nr);
	assert_null(abi_profile_parse("f.abi", text, strlen(text), why));
	assert_string_equal(why, "f.abi:513: more than 512 calls are changed");
	free(text);
}

/* Random bytes and broken files: an answer each time, and where it is an error, a line. */
static void test_hostile(void **state)
{
	static const char good[] = "base hist-lp64ish\nname n\nwiden iovec pointers\n"
				   "member stat.st_size = 4 @ 48\nsize stat = 128\ncall 7 = read\n"
				   "member timespec.tv_sec = 4\nmin_sigstack = 1 # x\n";
	uint32_t seed = 12345;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		char text[sizeof(good)], why[ABI_WHY] = "";
		size_t n = sizeof(good) - 1;

		memcpy(text, good, sizeof(good));
		for (unsigned k = 0; k <= round % 4; k++) {
			seed = seed * 1664525 + 1013904223;
			text[(seed >> 8) % n] =
				(char)(round % 3 ? "=@.# \n0123456789abt"[(seed >> 4) % 19]
						 : (char)(seed >> 24));
		}
		n -= (seed >> 5) % 7 ? 0 : (seed >> 9) % n;
		struct abi_profile *p = abi_profile_parse("f.abi", text, n, why);

		if (p)
			assert_non_null(p->name);
		else
			assert_int_equal(strncmp(why, "f.abi:", 6), 0);
		if (p) {
			for (size_t i = 0; p->structs && i < abi_nstructs; i++)
				assert_true(!p->structs[i] || p->structs[i]->gsize <= ABI_MAX_SIZE);
			abi_profile_free(p);
		}
	}
}

/* --- files ------------------------------------------------------------------------------------------ */

static void write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

static void test_files(void **state)
{
	char dir[] = "/tmp/test_profile_XXXXXX", why[ABI_WHY], path[64];
	static char big[70000];

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	memset(big, '#', sizeof(big));
	write_file("big.abi", big, sizeof(big));
	write_file("zero.abi", "base modern\n\0x = 1\n", 19);
	write_file("my.abi", "base v9\nmin_sigstack = 77\ncall 3 = nonsense\n", 43);
	write_file("good.abi", "base v9\nmin_sigstack = 77", 25);
	assert_int_equal(mkfifo("fifo.abi", 0600), 0);

	assert_null(abi_find("none.abi", why));
	assert_string_equal(why, "none.abi: No such file or directory");
	assert_null(abi_find("big.abi", why));
	assert_string_equal(why, "big.abi: no profile: longer than 64 KiB");
	assert_null(abi_find("zero.abi", why));
	assert_string_equal(why, "zero.abi: no profile: it has a NUL byte");
	assert_null(abi_find("fifo.abi", why));
	assert_string_equal(why, "fifo.abi: no profile: not a regular file");
	snprintf(path, sizeof(path), "%s/", dir);
	assert_null(abi_find(path, why));
	assert_null(abi_find("nothing", why));
	assert_int_equal(strncmp(why, "no \"nothing\"; there are: ampere-4.14, ", 38), 0);
	/* The table is asked, too. */
	assert_non_null(abi_find("my.abi", why));
	assert_null(sys_find_profile("my.abi", why));
	assert_int_equal(strncmp(why, "my.abi:3: no call is named ", 27), 0);

	const struct abi_profile *p = abi_find("./good.abi", why);

	assert_non_null(p);
	assert_string_equal(p->name, "good");
	assert_int_equal(p->min_sigstack, 77);
	assert_ptr_equal(abi_find("./good.abi", NULL), p);
	/* What an execve hands on needs no file. */
	const char *text = abi_profile_text("./good.abi");

	assert_string_equal(abi_profile_text("modern"), "modern");
	unlink("good.abi");
	p = abi_find(text, why);
	assert_non_null(p);
	assert_int_equal(p->min_sigstack, 77);
	assert_string_equal(p->name, "good");
	assert_null(abi_find("profile-text:x", why));

	unlink("big.abi");
	unlink("zero.abi");
	unlink("my.abi");
	unlink("fifo.abi");
	assert_int_equal(chdir("/"), 0);
	rmdir(dir);
}

/* --- structures ------------------------------------------------------------------------------------- */

static void test_layout(void **state)
{
	struct abi_profile *p =
		parse("# nothing\n  \nmember timespec.tv_sec = 8\nname my\n"
		      "member sysinfo.procs = 8\nmember sched_param.sched_priority=8\n");
	const struct abi_struct *s;

	(void)state;
	assert_non_null(p);
	assert_string_equal(p->name, "my");
	s = form(p, "timespec");
	assert_int_equal(s->gsize, 16);
	assert_member(s, "tv_sec", 0, 8);
	assert_member(s, "tv_nsec", 8, 4);
	/* What holds it follows; what does not is the common one. */
	s = form(p, "itimerspec");
	assert_int_equal(s->gsize, 32);
	assert_member(s, "it_value", 16, 16);
	assert_ptr_equal(form(p, "timeval"), abi_struct_common(abi_st_timeval.index));
	/* Wider than on the host: the upper bytes are sign or zero. */
	s = form(p, "sched_param");
	struct host_sched_param param = {-3};
	int64_t guest = 0;

	assert_int_equal(s->gsize, 8);
	assert_int_equal(abi_to_guest(s, &guest, &param), 0);
	assert_int_equal(guest, -3);
	abi_to_host(s, &param, &(int64_t){-9});
	assert_int_equal(param.sched_priority, -9);
	s = form(p, "sysinfo");
	assert_member(s, "procs", 40, 8);
	assert_member(s, "totalhigh", 48, 4);
	/* Every byte of a changed structure is written, and by one member only. */
	for (size_t i = 0; i < abi_nstructs; i++) {
		uint8_t covered[ABI_MAX_SIZE] = {0};

		if (!p->structs[i])
			continue;
		for (unsigned k = 0; k < p->structs[i]->nfields; k++) {
			const struct abi_field *f = &p->structs[i]->fields[k];

			for (unsigned b = 0; b < f->gsize * (f->count ? f->count : 1u); b++)
				covered[f->goff + b]++;
		}
		for (unsigned b = 0; b < p->structs[i]->gsize; b++)
			assert_int_equal(covered[b], 1);
	}
	abi_profile_free(p);
}

/* Sizes and places that a compiler for LP64 gives (arch/arm64, include/uapi). */
static void test_historic(void **state)
{
	static const struct {
		const char *name;
		unsigned lp64ish, single64;
	} sizes[] = {
		{"timespec", 16, 8},     {"itimerspec", 32, 16},  {"timeval", 16, 8},
		{"timex", 208, 128},     {"rusage", 144, 72},     {"sysinfo", 112, 64},
		{"stat", 128, 104},      {"statfs64", 120, 84},   {"tms", 32, 16},
		{"mq_attr", 64, 32},     {"sigaction", 32, 32},   {"stack_t", 24, 24},
		{"sigevent", 64, 64},    {"msqid64_ds", 120, 88}, {"semid64_ds", 88, 64},
		{"shmid64_ds", 112, 84}, {"shminfo64", 72, 36},   {"shm_info", 48, 24},
		{"iovec", 8, 8},         {"msghdr", 28, 28},      {"flock", 32, 16},
	};
	const struct abi_profile *lp64 = abi_find("hist-lp64ish", NULL);
	const struct abi_profile *single = abi_find("hist-single64", NULL);
	const struct abi_struct *s;

	(void)state;
	assert_non_null(lp64);
	assert_non_null(single);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(form(lp64, sizes[i].name)->gsize, sizes[i].lp64ish);
		assert_int_equal(form(single, sizes[i].name)->gsize, sizes[i].single64);
	}
	s = form(lp64, "stat");
	assert_member(s, "st_ino", 8, 8);
	assert_member(s, "st_mode", 16, 4);
	assert_member(s, "st_blocks", 64, 8);
	assert_member(s, "st_ctime_nsec", 112, 8);
	s = form(single, "stat");
	assert_member(s, "st_ino", 8, 8);
	assert_member(s, "st_ctime_nsec", 92, 4);
	s = form(lp64, "timex");
	assert_member(s, "time", 72, 16);
	assert_member(s, "tai", 160, 4);
	s = form(lp64, "shmid64_ds");
	assert_member(s, "shm_nattch", 88, 8);
	s = form(lp64, "sigaction");
	assert_member(s, "sa_mask", 24, 8);
	assert_true(lp64->args_in_one_register && lp64->upper_halves_kept && lp64->lp64_frame);
	assert_true(single->args_in_one_register);
	assert_string_equal(sys_row_in(lp64, 222)->name, "mmap");
	assert_string_equal(sys_row_in(single, 222)->name, "mmap2");
	assert_string_equal(sys_row_in(lp64, 62)->name, "lseek");
	assert_null(sys_row_in(lp64, 285));
	for (unsigned i = 0; abi_profile_builtin(i); i++)
		assert_non_null(
			sys_find_profile(abi_profile_builtin(i)->name, (char[ABI_WHY]){""}));
}

static void test_in_force(void **state)
{
	uint64_t x[9] = {1, 0x100000002, 0x300000004, 5};
	struct sys_call c = {.row = &sys_table[47], .x = x}; /* fallocate: fd, mode, offset, len */

	(void)state;
	assert_true(abi_select("hist-lp64ish"));
	assert_int_equal(abi_st_timespec.gsize, 16);
	assert_false(abi_is_common(&abi_st_stat));
	assert_int_equal(abi_frame_mask(), 168);
	assert_int_equal(abi_frame_mcontext(), 304);
	assert_int_equal(sys_registers(T_OFF64), 1);
	assert_int_equal(sys_registers(T_PAD), 0);
	sys_decode(&c);
	assert_int_equal(c.a[2], 0x300000004);
	assert_int_equal(c.a[3], 5);
	assert_string_equal(sys_row(62)->name, "lseek");
	c = (struct sys_call){.row = &sys_table[63], .x = x}; /* read: fd, pointer, count */
	sys_decode(&c);
	assert_true(c.bad_pointer);

	assert_true(abi_select("modern"));
	assert_int_equal(abi_st_timespec.gsize, 8);
	assert_true(abi_is_common(&abi_st_stat));
	assert_int_equal(abi_frame_mask(), 148);
	assert_int_equal(abi_frame_mcontext(), 288);
	assert_string_equal(sys_row(62)->name, "llseek");
	c = (struct sys_call){.row = &sys_table[63], .x = x};
	sys_decode(&c);
	assert_false(c.bad_pointer);
	assert_int_equal(c.a[1], 2);
}

/* Numbers of ioctls that have the size of a changed structure in them. */
static void test_ioctl_numbers(void **state)
{
	const uint32_t ppgettime = 0x80087095; /* _IOR('p', 0x95, struct timeval) */
	const struct ioctl_row *row = ioctl_find(ppgettime);

	(void)state;
	assert_true(abi_select("modern"));
	assert_non_null(row);
	assert_string_equal(row->name, "PPGETTIME");
	assert_int_equal(ioctl_host_number(row, ppgettime), 0x80107095);
	assert_true(abi_select("hist-lp64ish"));
	assert_null(ioctl_find(ppgettime));
	assert_ptr_equal(ioctl_find(0x80107095), row);
	assert_int_equal(ioctl_host_number(row, 0x80107095), 0x80107095);
	assert_true(abi_select("modern"));
	assert_null(ioctl_find(0x80107095));
}

/* Code that hands a structure to the host as it is cannot follow a change. */
static void test_fixed_where_needed(void **state)
{
	(void)state;
	for (unsigned nr = 0; nr < SYS_NROWS; nr++) {
		const struct sys_row *row = &sys_table[nr];
		unsigned converted = 0;

		if (row->status != SYS_DONE)
			continue;
		for (const struct sys_arg *a = row->arg; a->type != T_END; a++) {
			if (!a->st || abi_layout_is_fixed(a->st->index))
				continue;
			/* generic.c has room for so many, and for arrays of a fixed length. */
			if (row->host >= 0)
				assert_true(a->type < T_IN_ARRAY || a->type > T_OUT_ARRAY ||
					    a->len < 0);
			converted++;
		}
		if (row->host >= 0)
			assert_true(converted <= 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),        cmocka_unit_test(test_too_many_calls),
		cmocka_unit_test(test_hostile),       cmocka_unit_test(test_files),
		cmocka_unit_test(test_layout),        cmocka_unit_test(test_historic),
		cmocka_unit_test(test_in_force),      cmocka_unit_test(test_fixed_where_needed),
		cmocka_unit_test(test_ioctl_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
