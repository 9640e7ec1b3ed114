/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA policies. Sets of nodes are read and written in words of 32 bits, where the host's have 64,
 * and MAXNODE is one more than their bits (kernel: mm/mempolicy.c, get_nodes()).
 */
#include <errno.h>

#include "mem/mem.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "task/task.h"
#include "trace/trace.h"

/* More bits are EINVAL for the host. */
#define MAX_BITS (MEM_PAGE_SIZE * 8)

struct nodes {
	uint64_t bits[MAX_BITS / 64];
	uint64_t arg; /* what the host gets */
};

static size_t guest_bytes(uint64_t maxnode)
{
	uint64_t bits = maxnode ? maxnode - 1 : 0;

	return bits <= MAX_BITS ? (bits + 31) / 32 * 4 : 0;
}

static void read_nodes(struct nodes *n, uint64_t g, uint64_t maxnode)
{
	size_t len = guest_bytes(maxnode);

	n->arg = g ? (uint64_t)(uintptr_t)n->bits : 0;
	for (size_t i = 0; i < sizeof(n->bits) / sizeof(n->bits[0]); i++)
		n->bits[i] = 0;
	if (g && len && mem_copy_in(n->bits, (gaddr)g, len))
		n->arg = SYS_BAD_POINTER;
}

int64_t sys_set_mempolicy(struct sys_call *c)
{
	struct nodes n;

	read_nodes(&n, c->a[1], c->a[2]);
	return sys_host(HOSTNR(set_mempolicy), (int)c->a[0], n.arg, c->a[2]);
}

int64_t sys_mbind(struct sys_call *c)
{
	struct nodes n;

	read_nodes(&n, c->a[3], c->a[4]);
	return sys_host(HOSTNR(mbind), sys_range(c->a[0], c->a[1]), c->a[1], c->a[2], n.arg,
			c->a[4], c->a[5]);
}

int64_t sys_get_mempolicy(struct sys_call *c)
{
	enum { MPOL_F_ADDR_ = 2 };
	struct nodes n = {.arg = 0};
	uint64_t addr = c->a[4] & MPOL_F_ADDR_ ? sys_buf(c->a[3], 0) : c->a[3];
	uint64_t policy = sys_out_opt(c, c->a[0], 4);
	int64_t r = sys_host(HOSTNR(get_mempolicy), policy, c->a[1] ? n.bits : NULL, c->a[2], addr,
			     c->a[4]);

	if (r == 0 && c->a[1] && mem_copy_out((gaddr)c->a[1], n.bits, guest_bytes(c->a[2])))
		return -EFAULT;
	return r;
}

int64_t sys_migrate_pages(struct sys_call *c)
{
	struct nodes from, to;

	read_nodes(&from, c->a[2], c->a[1]);
	read_nodes(&to, c->a[3], c->a[1]);
	return sys_host(HOSTNR(migrate_pages), c->a[0], c->a[1], from.arg, to.arg);
}

int64_t sys_set_mempolicy_home_node(struct sys_call *c)
{
	return sys_host(HOSTNR(set_mempolicy_home_node), sys_range(c->a[0], c->a[1]), c->a[1],
			c->a[2], c->a[3]);
}

/* --- move_pages ----------------------------------------------------------------------------------- */

#define CHUNK 512

/* Pages I to I+N of the call: the number that could not be moved, or -errno. */
static int64_t move_chunk(struct sys_call *c, uint64_t i, uint64_t n)
{
	uint64_t nodes = c->a[3] ? sys_buf(c->a[3] + 4 * i, 4 * n) : 0;
	uint64_t status = sys_buf(c->a[4] + 4 * i, 4 * n);
	uint8_t raw[4 * CHUNK];
	uint64_t page[CHUNK];

	if (mem_copy_in(raw, (gaddr)(c->a[2] + 4 * i), 4 * n))
		return -EFAULT;
	/* The host has a mapping everywhere in the arena. */
	for (uint64_t k = 0; k < n; k++) {
		gaddr g = abi_get32(raw + 4 * k);

		page[k] = mem_page_bits(g) & PG_MAPPED ? sys_buf(g, 1) : SYS_BAD_POINTER;
	}
	return sys_host(HOSTNR(move_pages), 0, n, page, nodes, status, (int)c->a[5]);
}

/* Where another process has its guest memory is not known here. */
int64_t sys_move_pages(struct sys_call *c)
{
	int pid = (int)c->a[0];
	int64_t r = 0, left = 0;

	if (pid != 0 && pid != c->task->tgid) {
		diag_unsupported("move_pages", 0, "move_pages of another process: EPERM");
		return -EPERM;
	}
	sys_writes(c, c->a[4], 4 * c->a[1]);
	for (uint64_t i = 0; i < c->a[1] && r >= 0; i += CHUNK) {
		r = move_chunk(c, i, c->a[1] - i < CHUNK ? c->a[1] - i : CHUNK);
		left += r > 0 ? r : 0;
	}
	return r < 0 ? r : left;
}
