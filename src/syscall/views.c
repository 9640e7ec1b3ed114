/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What arguments are for traces and lint, where it depends on others and only the host's kernel looks into them. */
#include "abi/structs.h"
#include "mem/mem.h"
#include "syscall/handlers.h"
#include "syscall/syscall.h"

static void sized(struct sys_arg *arg, const struct abi_struct *st, uint32_t size)
{
	arg->type = T_IN_SIZED;
	arg->st = st;
	arg->fixed = (uint16_t)(size < st->gsize ? size : st->gsize);
}

/* 0 stands for the size of the first kernel's (perf_copy_attr(), sched_copy_attr()). */
void perf_attr_arg(const struct sys_call *c, struct sys_arg *arg)
{
	enum { SIZE_AT = 4, FIRST = 64 };
	uint32_t size;

	if (!mem_get_u32((gaddr)c->a[0] + SIZE_AT, &size))
		sized(arg, &abi_st_perf_event_attr, size ? size : FIRST);
}

void sched_attr_arg(const struct sys_call *c, struct sys_arg *arg)
{
	enum { FIRST = 48 };
	uint32_t size;

	if (!mem_get_u32((gaddr)c->a[1], &size))
		sized(arg, &abi_st_sched_attr, size ? size : FIRST);
}

/* One set of each kind under the first version, two of 32 bits under the others (linux/capability.h). */
void capability_arg(const struct sys_call *c, struct sys_arg *arg)
{
	enum {
		NR_CAPGET = 90,
		VERSION_1 = 0x19980330,
		VERSION_2 = 0x20071026,
		VERSION_3 = 0x20080522
	};
	uint32_t version;

	if (mem_get_u32((gaddr)c->a[0], &version) ||
	    (version != VERSION_1 && version != VERSION_2 && version != VERSION_3))
		return;
	arg->type = c->row == &sys_table[NR_CAPGET] ? T_OUT_ARRAY : T_IN_ARRAY;
	arg->st = &abi_st_cap_data;
	arg->fixed = version == VERSION_1 ? 1 : 2;
}

void landlock_arg(const struct sys_call *c, struct sys_arg *arg)
{
	enum { PATH_BENEATH = 1, NET_PORT = 2 };

	if (c->a[1] != PATH_BENEATH && c->a[1] != NET_PORT)
		return;
	arg->type = T_IN;
	arg->st = c->a[1] == PATH_BENEATH ? &abi_st_landlock_path_beneath_attr
					  : &abi_st_landlock_net_port_attr;
}

void quotactl_arg(const struct sys_call *c, struct sys_arg *arg)
{
	enum { NR_QUOTACTL = 60, COMMAND_SHIFT = 8 };
	static const struct {
		uint32_t command;
		uint8_t type;
		const struct abi_struct *st;
	} commands[] = {
		{0x800002, T_STR, NULL},              /* Q_QUOTAON */
		{0x800004, T_INT_OUT, NULL},          /* Q_GETFMT */
		{0x800005, T_OUT, &abi_st_if_dqinfo}, /* Q_GETINFO */
		{0x800006, T_IN, &abi_st_if_dqinfo},  /* Q_SETINFO */
		{0x800007, T_OUT, &abi_st_if_dqblk},  /* Q_GETQUOTA */
		{0x800008, T_IN, &abi_st_if_dqblk},   /* Q_SETQUOTA */
	};
	uint32_t cmd = (uint32_t)c->a[c->row == &sys_table[NR_QUOTACTL] ? 0 : 1] >> COMMAND_SHIFT;

	for (unsigned i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (commands[i].command == cmd) {
			arg->type = commands[i].type;
			arg->st = commands[i].st;
		}
	}
}
