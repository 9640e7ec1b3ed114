/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf(2): the attributes are the same in both ABIs; their pointers are 64 bits wide and the guest's. Each
 * command says where they are (union bpf_attr of linux/bpf.h, Linux 6.6).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "trace/trace.h"

#define MAX_POINTERS 10
#define END          UINT8_MAX

enum { OBJ_GET_INFO_BY_FD = 15, LINK_CREATE = 28 };

struct pointers {
	uint8_t at[MAX_POINTERS]; /* offsets, up to END */
};

/* clang-format off */
static const struct pointers commands[] = {
	[0] = {{END}},                                  /* MAP_CREATE */
	[1] = {{8, 16, END}},                           /* MAP_LOOKUP_ELEM */
	[2] = {{8, 16, END}},                           /* MAP_UPDATE_ELEM */
	[3] = {{8, 16, END}},                           /* MAP_DELETE_ELEM */
	[4] = {{8, 16, END}},                           /* MAP_GET_NEXT_KEY */
	[5] = {{8, 16, 32, 80, 96, 120, 128, END}},     /* PROG_LOAD */
	[6] = {{0, END}},                               /* OBJ_PIN */
	[7] = {{0, END}},                               /* OBJ_GET */
	[8] = {{END}},                                  /* PROG_ATTACH */
	[9] = {{END}},                                  /* PROG_DETACH */
	[10] = {{16, 24, 48, 56, END}},                 /* PROG_TEST_RUN */
	[11] = {{END}},                                 /* PROG_GET_NEXT_ID */
	[12] = {{END}},                                 /* MAP_GET_NEXT_ID */
	[13] = {{END}},                                 /* PROG_GET_FD_BY_ID */
	[14] = {{END}},                                 /* MAP_GET_FD_BY_ID */
	[OBJ_GET_INFO_BY_FD] = {{8, END}},              /* and see info_pointers() */
	[16] = {{16, 32, 40, 48, END}},                 /* PROG_QUERY */
	[17] = {{0, END}},                              /* RAW_TRACEPOINT_OPEN */
	[18] = {{0, 8, END}},                           /* BTF_LOAD */
	[19] = {{END}},                                 /* BTF_GET_FD_BY_ID */
	[20] = {{16, END}},                             /* TASK_FD_QUERY */
	[21] = {{8, 16, END}},                          /* MAP_LOOKUP_AND_DELETE_ELEM */
	[22] = {{END}},                                 /* MAP_FREEZE */
	[23] = {{END}},                                 /* BTF_GET_NEXT_ID */
	[24] = {{0, 8, 16, 24, END}},                   /* MAP_LOOKUP_BATCH */
	[25] = {{0, 8, 16, 24, END}},                   /* MAP_LOOKUP_AND_DELETE_BATCH */
	[26] = {{0, 8, 16, 24, END}},                   /* MAP_UPDATE_BATCH */
	[27] = {{0, 8, 16, 24, END}},                   /* MAP_DELETE_BATCH */
	[LINK_CREATE] = {{END}},                        /* see link_pointers() */
	[29] = {{END}},                                 /* LINK_UPDATE */
	[30] = {{END}},                                 /* LINK_GET_FD_BY_ID */
	[31] = {{END}},                                 /* LINK_GET_NEXT_ID */
	[32] = {{END}},                                 /* ENABLE_STATS */
	[33] = {{END}},                                 /* ITER_CREATE */
	[34] = {{END}},                                 /* LINK_DETACH */
	[35] = {{END}},                                 /* PROG_BIND_MAP */
};
/* clang-format on */

static const struct pointers none = {{END}};

/* LINK_CREATE: by attach_type. */
static const struct pointers *link_pointers(const uint8_t *attr)
{
	static const struct pointers iter = {{16, END}}, kprobes = {{24, 32, 40, END}},
				     uprobes = {{16, 24, 32, 40, END}};

	switch (abi_get32(attr + 8)) {
	case 28: return &iter;    /* BPF_TRACE_ITER */
	case 42: return &kprobes; /* BPF_TRACE_KPROBE_MULTI */
	case 48: return &uprobes; /* BPF_TRACE_UPROBE_MULTI */
	default: return &none;
	}
}

/* Of links, by the line in /proc/self/fdinfo/FD. */
static const struct pointers *link_info_pointers(int fd)
{
	static const struct pointers first = {{16, END}}, multi = {{16, 40, END}},
				     second = {{24, END}};
	char path[40], line[64], type[32];
	const struct pointers *found = &none;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "link_type: %31s", type) != 1)
			continue;
		if (strcmp(type, "raw_tracepoint") == 0 || strcmp(type, "iter") == 0)
			found = &first;
		else if (strcmp(type, "kprobe_multi") == 0)
			found = &multi;
		else if (strcmp(type, "perf") == 0)
			found = &second;
	}
	if (f)
		fclose(f);
	return found;
}

/* The pointers inside what OBJ_GET_INFO_BY_FD fills, by the kind of FD. */
static const struct pointers *info_pointers(int fd)
{
	static const struct pointers prog = {{24, 32, 56, 112, 120, 136, 152, 160, 184, END}},
				     btf = {{0, 16, END}};
	char path[40], target[40];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return &none;
	target[n] = '\0';
	if (strcmp(target, "anon_inode:bpf-prog") == 0)
		return &prog;
	if (strcmp(target, "anon_inode:btf") == 0)
		return &btf;
	return strstr(target, "bpf_link") || strstr(target, "bpf-link") ? link_info_pointers(fd)
									: &none;
}

/* Guest pointers in BLOCK become the host's. */
static void pointers_to_host(struct sys_call *c, uint8_t *block, size_t size,
			     const struct pointers *p)
{
	for (const uint8_t *at = p->at; *at != END && *at + 8u <= size; at++) {
		uint64_t v = abi_get64(block + *at);

		if (v)
			abi_put64(block + *at, v > UINT32_MAX ? SYS_BAD_POINTER : sys_buf(v, 0));
		/* Keys and values are in and out, of sizes that the map has. */
		if (v)
			sys_writes(c, v, MEM_PAGE_SIZE);
	}
}

/* A block of attributes or information: the guest's bytes, and what the host is given. */
struct block {
	gaddr guest;
	size_t size;
	uint64_t arg;
	uint8_t host[MEM_PAGE_SIZE], before[MEM_PAGE_SIZE];
};

static void block_read(struct block *b, uint64_t g, uint64_t size)
{
	memset(b->host, 0, sizeof(b->host));
	b->guest = (gaddr)g;
	/* The host refuses more than a page before it reads anything. */
	b->size = size <= sizeof(b->host) ? size : 0;
	b->arg = g > UINT32_MAX || (b->size && mem_copy_in(b->host, (gaddr)g, b->size))
			 ? SYS_BAD_POINTER
			 : (uint64_t)(uintptr_t)b->host;
}

static void block_convert(struct sys_call *c, struct block *b, const struct pointers *p)
{
	if (b->arg == SYS_BAD_POINTER)
		return;
	pointers_to_host(c, b->host, b->size, p);
	memcpy(b->before, b->host, b->size);
}

/* What the host has changed goes to the guest; pointers stay. */
static int block_write(const struct block *b)
{
	size_t i = 0, n;

	if (b->arg == SYS_BAD_POINTER)
		return 0;
	while (i < b->size) {
		for (n = 0; i + n < b->size && b->host[i + n] != b->before[i + n]; n++)
			;
		if (n && mem_copy_out(b->guest + (gaddr)i, b->host + i, n))
			return -EFAULT;
		i += n ? n : 1;
	}
	return 0;
}

/* Information about an object, which has pointers of its own. */
static int64_t get_info(struct sys_call *c, struct block *attr)
{
	enum { INFO_LEN_AT = 4, INFO_AT = 8 };
	const struct pointers *p = info_pointers((int)abi_get32(attr->host));
	struct block info;
	int64_t r;

	if (attr->arg == SYS_BAD_POINTER || attr->size < INFO_AT + 8)
		return sys_host(HOSTNR(bpf), c->a[0], attr->arg, c->a[2]);
	block_read(&info, abi_get64(attr->host + INFO_AT), abi_get32(attr->host + INFO_LEN_AT));
	block_convert(c, &info, p);
	abi_put64(attr->host + INFO_AT, info.arg);
	memcpy(attr->before, attr->host, attr->size);
	r = sys_host(HOSTNR(bpf), c->a[0], attr->arg, c->a[2]);
	return r < 0 || !block_write(&info) ? r : -EFAULT;
}

int64_t sys_bpf(struct sys_call *c)
{
	uint32_t cmd = (uint32_t)c->a[0];
	struct block attr;
	int64_t r;

	if (cmd >= sizeof(commands) / sizeof(commands[0])) {
		if ((int32_t)cmd > 0 && cmd < 256)
			diag_unsupported("bpf", cmd, "bpf: command %u is not supported: EINVAL",
					 cmd);
		cmd = UINT32_MAX; /* the host checks the size before it */
	}
	block_read(&attr, c->a[1], c->a[2]);
	if (cmd == OBJ_GET_INFO_BY_FD) {
		r = get_info(c, &attr);
	} else {
		if (cmd != UINT32_MAX)
			block_convert(c, &attr,
				      cmd == LINK_CREATE ? link_pointers(attr.host)
							 : &commands[cmd]);
		r = sys_host(HOSTNR(bpf), (int32_t)cmd, attr.arg, c->a[2]);
	}
	if (cmd != UINT32_MAX && block_write(&attr))
		return -EFAULT;
	return r;
}
