/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keyctl: what each operation's arguments are; serial numbers are signed, KEY_SPEC_ ones negative. */
#include <errno.h>
#include <stdlib.h>

#include "abi/host.h"
#include "syscall/handlers.h"
#include "syscall/hostnr.h"
#include "trace/trace.h"

enum kind {
	NONE, /* not an argument */
	NUM,  /* unsigned */
	KEY,  /* serial number, signed like ids */
	STRING,
	BUFFER, /* as long as the next argument says; NULL is legal */
	IOVEC,  /* as many as the next argument says */
};

static const struct operation {
	uint8_t op;
	uint8_t arg[4]; /* enum kind */
} operations[] = {
	{0, {KEY, NUM}},                  /* KEYCTL_GET_KEYRING_ID */
	{1, {STRING}},                    /* KEYCTL_JOIN_SESSION_KEYRING */
	{2, {KEY, BUFFER, NUM}},          /* KEYCTL_UPDATE */
	{3, {KEY}},                       /* KEYCTL_REVOKE */
	{4, {KEY, NUM, NUM}},             /* KEYCTL_CHOWN */
	{5, {KEY, NUM}},                  /* KEYCTL_SETPERM */
	{6, {KEY, BUFFER, NUM}},          /* KEYCTL_DESCRIBE */
	{7, {KEY}},                       /* KEYCTL_CLEAR */
	{8, {KEY, KEY}},                  /* KEYCTL_LINK */
	{9, {KEY, KEY}},                  /* KEYCTL_UNLINK */
	{10, {KEY, STRING, STRING, KEY}}, /* KEYCTL_SEARCH */
	{11, {KEY, BUFFER, NUM}},         /* KEYCTL_READ */
	{12, {KEY, BUFFER, NUM, KEY}},    /* KEYCTL_INSTANTIATE */
	{13, {KEY, NUM, KEY}},            /* KEYCTL_NEGATE */
	{14, {KEY}},                      /* KEYCTL_SET_REQKEY_KEYRING */
	{15, {KEY, NUM}},                 /* KEYCTL_SET_TIMEOUT */
	{16, {KEY}},                      /* KEYCTL_ASSUME_AUTHORITY */
	{17, {KEY, BUFFER, NUM}},         /* KEYCTL_GET_SECURITY */
	{18, {NONE}},                     /* KEYCTL_SESSION_TO_PARENT */
	{19, {KEY, NUM, NUM, KEY}},       /* KEYCTL_REJECT */
	{20, {KEY, IOVEC, NUM, KEY}},     /* KEYCTL_INSTANTIATE_IOV */
	{21, {KEY}},                      /* KEYCTL_INVALIDATE */
	{22, {NUM, KEY}},                 /* KEYCTL_GET_PERSISTENT */
	{29, {KEY, STRING, STRING}},      /* KEYCTL_RESTRICT_KEYRING */
	{30, {KEY, KEY, KEY, NUM}},       /* KEYCTL_MOVE */
	{31, {BUFFER, NUM}},              /* KEYCTL_CAPABILITIES */
	{32, {KEY, NUM, KEY}},            /* KEYCTL_WATCH_KEY */
};

static const struct operation *operation_of(uint64_t op)
{
	for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (operations[i].op == op)
			return &operations[i];
	}
	return NULL;
}

int64_t sys_keyctl(struct sys_call *c)
{
	const struct operation *o = operation_of(c->a[0]);
	struct host_iovec iov[SYS_FAST_IOVECS];
	uint64_t a[4] = {0};
	void *free_me = NULL;
	int64_t r;

	if (!o) {
		diag_unsupported("keyctl", c->a[0],
				 "keyctl operation %d is not supported: EOPNOTSUPP", (int)c->a[0]);
		return -EOPNOTSUPP;
	}
	for (unsigned i = 0; i < 4; i++) {
		uint64_t v = c->a[i + 1];

		switch ((enum kind)o->arg[i]) {
		case NONE: break;
		case NUM: a[i] = v; break;
		case KEY: a[i] = (uint64_t)(int64_t)(int32_t)(uint32_t)v; break;
		case STRING: a[i] = v ? sys_buf(v, 0) : 0; break;
		case BUFFER: a[i] = sys_out_opt(c, v, c->a[i + 2]); break;
		case IOVEC:
			sys_import_iovec((gaddr)v, c->a[i + 2], iov, &a[i], &a[i + 1], &free_me);
			i++;
			break;
		}
	}
	r = sys_host_blocking(c, HOSTNR(keyctl), c->a[0], a[0], a[1], a[2], a[3]);
	free(free_me);
	return r;
}
