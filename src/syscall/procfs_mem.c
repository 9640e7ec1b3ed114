/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/mem and /proc/PID/pagemap of guest processes: positions are guest addresses, or 8 bytes for each of
 * their pages.
 *
 * The guest never gets the host's file, which would open the emulator's memory to it and to whom it hands the
 * descriptor on. It gets an empty, sealed memfd with the file's name, which keeps position and access mode and is
 * handed on as any descriptor: for reads the host finds its end, and refuses writes. Only then (procfs_memory()) is
 * it asked whether the descriptor stands for memory, and the call is done on the host's file, opened for it alone. That
 * file does as ptrace does, whatever a page's protection.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "syscall/hostnr.h"
#include "syscall/procfs.h"
#include "syscall/ptrace.h"
#include "syscall/syscall.h"
#include "trace/trace.h"

/* A process's memory while one call works on it. */
struct memory {
	struct procfs_place at;
	uint64_t program; /* whose memory it is: a card's MADE */
	struct task_card card;
	int fd;      /* the host's mem */
	int pagemap; /* and pagemap, if that is what is read, otherwise -1 */
	bool write;
};

static int64_t open_memory(struct memory *m)
{
	char path[PATH_MAX + 8];
	int64_t r;

	/* A process that is gone or has another program by now has no such memory any more. */
	if (!procfs_card(&m->at, &m->card) || m->card.made != m->program)
		return -ESRCH;
	if (!task_card_same_build(&m->card)) {
		diag_unsupported("procfs: another build", 0,
				 "%s: the process runs another build of ilp32run: EIO", m->at.name);
		return -EIO;
	}
	snprintf(path, sizeof path, "%s/mem", m->at.dir);
	r = sys_host(HOSTNR(openat), AT_FDCWD, path, (m->write ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
	if (r < 0)
		return -EIO;
	m->fd = (int)r;
	m->pagemap = -1;
	if (strcmp(m->at.rest, "pagemap") == 0) {
		snprintf(path, sizeof path, "%s/pagemap", m->at.dir);
		r = sys_host(HOSTNR(openat), AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
		m->pagemap = (int)r;
	}
	if (r < 0)
		sys_host(HOSTNR(close), m->fd);
	return r < 0 ? r : 0;
}

static void close_memory(const struct memory *m)
{
	sys_host(HOSTNR(close), m->fd);
	if (m->pagemap >= 0)
		sys_host(HOSTNR(close), m->pagemap);
}

/*
 * Reads LEN bytes at POS of pagemap to BUF (fs/proc/task_mmu.c pagemap_read()). The host's entries are right but
 * for pages that are none of the guest's: the arena is a mapping there.
 */
static int64_t read_pagemap(const struct memory *m, uint64_t pos, gaddr buf, uint64_t len)
{
	enum { PAGES = 256 };
	const uint64_t end = mem_task_size() >> MEM_PAGE_SHIFT;
	uint64_t entry[PAGES], page = pos / sizeof *entry, done = 0;
	uint8_t bits[PAGES];

	if (m->write || pos % sizeof *entry || len % sizeof *entry)
		return -EINVAL;
	while (done < len && page < end) {
		uint64_t n = (len - done) / sizeof *entry;

		n = n < PAGES ? n : PAGES;
		n = n < end - page ? n : end - page;
		const uint64_t at = (m->card.mem.base >> MEM_PAGE_SHIFT) + page;
		const ssize_t size = (ssize_t)(n * sizeof *entry);

		if (pread(m->fd, bits, n, (off_t)(m->card.mem.page + page)) != (ssize_t)n ||
		    pread(m->pagemap, entry, (size_t)size, (off_t)(at * sizeof *entry)) != size)
			return done ? (int64_t)done : -EIO;
		for (uint64_t i = 0; i < n; i++)
			entry[i] = bits[i] & PG_MAPPED ? entry[i] : 0;
		if (mem_copy_out((gaddr)(buf + done), entry, (size_t)size))
			return -EFAULT;
		done += (uint64_t)size;
		page += n;
	}
	return (int64_t)done;
}

/* How many of the LEN bytes from G on can be moved: up to the first page that is not mapped. */
static uint64_t accessible(const struct memory *m, uint64_t g, uint64_t len, bool *code)
{
	enum { PAGES = 64 };
	uint64_t done = 0;

	*code = false;
	while (done < len && g + done < MEM_SPACE) {
		uint8_t bits[PAGES];
		uint64_t page = (g + done) >> MEM_PAGE_SHIFT;
		uint64_t pages = ((g + len - 1) >> MEM_PAGE_SHIFT) - page + 1;
		uint64_t most = (MEM_SPACE >> MEM_PAGE_SHIFT) - page;

		pages = pages < PAGES ? pages : PAGES;
		pages = pages < most ? pages : most;
		if (pread(m->fd, bits, pages, (off_t)(m->card.mem.page + page)) != (ssize_t)pages)
			return done;
		for (uint64_t i = 0; i < pages; i++) {
			if (!(bits[i] & PG_MAPPED))
				return done;
			*code |= (bits[i] & PG_CODE) != 0;
			done = ((page + i + 1) << MEM_PAGE_SHIFT) - g;
		}
	}
	return done < len ? done : len;
}

/* The engines have translations of what is overwritten. */
static bool forget_code(const struct memory *m, gaddr g, uint64_t len)
{
	if (m->at.own)
		mem_host_wrote(g, len);
	else if (!ptrace_wrote(task_self, m->at.pid, g, len)) {
		diag_unsupported("procfs: code", 0,
				 "%s: writing code of a process that is not traced: EIO",
				 m->at.name);
		return false;
	}
	return true;
}

/* Moves LEN bytes between the caller's memory at BUF and M at POS. How many, or -errno. */
static int64_t move(const struct memory *m, uint64_t pos, gaddr buf, uint64_t len)
{
	bool code;

	if (m->pagemap >= 0)
		return read_pagemap(m, pos, buf, len);
	uint64_t n = accessible(m, pos, len, &code);
	uint64_t host = m->card.mem.base + pos, here = sys_buf(buf, n);
	int64_t r;

	if (!n)
		return len ? -EIO : 0;
	if (m->write && code && !forget_code(m, (gaddr)pos, n))
		return -EIO;
	r = sys_host(m->write ? HOSTNR(pwrite64) : HOSTNR(pread64), m->fd, here, n, host);
	if (r > 0 && !m->write)
		mem_host_wrote(buf, (uint64_t)r);
	/* Also what others have translated meanwhile. */
	if (r > 0 && m->write && code)
		forget_code(m, (gaddr)pos, (uint64_t)r);
	return r;
}

static int64_t move_iovec(const struct memory *m, uint64_t pos, gaddr iov, uint64_t count)
{
	int64_t total = 0, r = 0;

	for (uint64_t i = 0; i < count; i++) {
		uint32_t base, len;

		if (mem_get_u32((gaddr)(iov + 8 * i), &base) ||
		    mem_get_u32((gaddr)(iov + 8 * i + 4), &len))
			return total ? total : -EFAULT;
		r = move(m, pos + (uint64_t)total, base, len);
		if (r < 0)
			return total ? total : r;
		total += r;
		if (r < (int64_t)len)
			break;
	}
	return total;
}

/* The argument with the position, if the row has one. */
static bool has_position(const struct sys_call *c, uint64_t *pos)
{
	const struct sys_arg *a = c->row->arg;

	for (unsigned i = 0; a->type != T_END; a++) {
		if (a->type == T_PAD)
			continue;
		if (a->type == T_OFF64 || a->type == T_POS64) {
			*pos = c->a[i];
			/* preadv2() with -1 means the file's own. */
			return a->type == T_OFF64 || *pos != UINT64_MAX;
		}
		i++;
	}
	return false;
}

int64_t procfs_memory(struct sys_call *c, int64_t result)
{
	unsigned type = c->row->arg[1].type;
	bool vector = type == T_IOVEC_IN || type == T_IOVEC_OUT;
	int fd = (int)c->a[0];
	struct memory m = {.write = type == T_BUF_IN || type == T_IOVEC_IN};
	uint64_t pos;
	int64_t r;

	if (!procfs_stands_for_memory(fd, &m.at, &m.program))
		return result;
	bool own_position = !has_position(c, &pos);
	if (own_position) {
		r = sys_host(HOSTNR(lseek), fd, 0, SEEK_CUR);
		if (r < 0)
			return result;
		pos = (uint64_t)r;
	}
	task_spare_begin();
	r = open_memory(&m);
	task_spare_end();
	if (r)
		return r == -ESRCH ? 0 : r;
	r = vector ? move_iovec(&m, pos, (gaddr)c->a[1], c->a[2])
		   : move(&m, pos, (gaddr)c->a[1], c->a[2]);
	close_memory(&m);
	if (own_position && r > 0)
		sys_host(HOSTNR(lseek), fd, pos + (uint64_t)r, SEEK_SET);
	return r;
}
