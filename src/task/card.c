/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/card.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "task/internal.h"

#define MAGIC 0x50334c49 /* "IL3P" */

static bool native;
static struct task_card own;

bool task_card_native(void)
{
	return native;
}

bool task_card_own(struct task_card *c)
{
	*c = own;
	return own.magic == MAGIC;
}

bool task_card_same_build(const struct task_card *c)
{
	return memcmp(c->version, own.version, sizeof own.version) == 0 &&
	       c->process_size == own.process_size && c->mem.size == own.mem.size;
}

bool task_card_read(struct task_card *c, int fd)
{
	const int sealed = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	int seals = fcntl(fd, F_GET_SEALS);

	/* Anybody can make a file of that name: nothing in it is trusted to be sensible. */
	return seals >= 0 && (seals & sealed) == sealed &&
	       pread(fd, c, sizeof *c, 0) == sizeof *c && c->magic == MAGIC &&
	       c->size == sizeof *c && c->nhidden <= TASK_HIDDEN_FDS;
}

/* --- the host kernel's own view --------------------------------------------------------------------- */

/* Fields of /proc/self/stat that PR_SET_MM_MAP sets too and that have to stay. */
static bool current_map(struct prctl_mm_map *m)
{
	enum { STARTCODE = 26, ENDCODE, STARTSTACK, START_DATA = 45, END_DATA, START_BRK, FIELDS };
	unsigned long long v[FIELDS] = {0};
	char text[2048], *p;
	FILE *f = task_spare_fopen("/proc/self/stat");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (f)
		fclose(f);
	if (!n)
		return false;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p)
		return false;
	p = strchr(p + 2, ' '); /* behind the state, field 3 */
	for (unsigned field = 4; p && field < FIELDS; field++)
		v[field] = strtoull(p, &p, 10);
	m->start_code = v[STARTCODE];
	m->end_code = v[ENDCODE];
	m->start_data = v[START_DATA];
	m->end_data = v[END_DATA];
	m->start_brk = v[START_BRK];
	m->start_stack = v[STARTSTACK];
	m->brk = (uint64_t)syscall(SYS_brk, 0);
	return m->start_brk;
}

/* /proc/PID/auxv gives words of 8 bytes up to a pair that begins with 0: a pair of ours in each word
 * makes it what the ILP32 kernel gives, which counts in the same steps (tests/oracle/auxv.out). */
static void show_in_host(const struct task *t)
{
	const struct process *p = t->process;
	struct prctl_mm_map m = {.exe_fd = (uint32_t)-1};
	uint64_t auxv[64] = {0};

	if (!current_map(&m) || p->auxv_len > sizeof auxv - 16 ||
	    mem_copy_in(auxv, p->auxv, p->auxv_len))
		return;
	m.auxv = (void *)auxv;
	m.auxv_size = (p->auxv_len + 15) & ~15u;
	m.arg_start = (uintptr_t)mem_host(p->arg_start);
	m.arg_end = m.arg_start + (p->arg_end - p->arg_start);
	m.env_start = (uintptr_t)mem_host(p->env_start);
	m.env_end = m.env_start + (p->env_end - p->env_start);
	native = prctl(PR_SET_MM, PR_SET_MM_MAP, &m, sizeof m, 0) == 0;
}

/* --- the card ------------------------------------------------------------------------------------------ */

static int open_exe(const struct process *p, int program_fd)
{
	char link[32];
	int fd;

	snprintf(link, sizeof link, "/proc/self/fd/%d", program_fd);
	task_spare_begin();
	fd = open(link, O_PATH | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		fd = open(p->exe, O_PATH | O_CLOEXEC);
	task_spare_end();
	/* The program is met by its name often, by the shell's command search if nothing else. */
	return fd < 0 ? -1 : task_fd_hide_number(fd);
}

void task_card_make(struct task *t, int program_fd)
{
	const struct process *p = t->process;
	struct timespec now;
	int fd;

	show_in_host(t);
	own.exe_fd = open_exe(p, program_fd);
	task_spare_begin();
	fd = memfd_create("ilp32run-process", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	task_spare_end();
	if (fd >= 0)
		fd = task_fd_hide(fd);
	own.magic = MAGIC;
	own.size = sizeof own;
	snprintf(own.version, sizeof own.version, "%s", ilp32run_version());
	own.process_size = sizeof *p + sizeof *t;
	own.native = native;
	own.process = (uintptr_t)p;
	mem_locate(&own.mem);
	clock_gettime(CLOCK_MONOTONIC, &now);
	own.made = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	/* With the number of the card itself. */
	own.nhidden = task_fd_hidden(own.hidden);
	if (fd >= 0 && write(fd, &own, sizeof own) == sizeof own)
		fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}
