/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keyctl: what each operation's arguments are; serial numbers are signed, KEY_SPEC_ ones negative. */
#include <errno.h>
#include <stdlib.h>

#include "abi/host_task.h"
#include "abi/structs.h"
#include "abi/symtab.h"
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
	SAME,   /* what is read, and is the same in both ABIs */
	KDF,    /* keyctl_kdf_params */
	QUERY,  /* keyctl_pkey_query, written */
	RESULT, /* as long as the keyctl_pkey_params say that the first argument points to */
};

struct operation {
	uint8_t op;
	uint8_t arg[4]; /* enum kind */
};

/* clang-format off */
#define OPERATIONS(X, N) \
	X(KEYCTL_GET_KEYRING_ID, 0, KEY, NUM) \
	X(KEYCTL_JOIN_SESSION_KEYRING, 1, STRING) \
	X(KEYCTL_UPDATE, 2, KEY, BUFFER, NUM) \
	X(KEYCTL_REVOKE, 3, KEY) \
	X(KEYCTL_CHOWN, 4, KEY, NUM, NUM) \
	X(KEYCTL_SETPERM, 5, KEY, NUM) \
	X(KEYCTL_DESCRIBE, 6, KEY, BUFFER, NUM) \
	X(KEYCTL_CLEAR, 7, KEY) \
	X(KEYCTL_LINK, 8, KEY, KEY) \
	X(KEYCTL_UNLINK, 9, KEY, KEY) \
	X(KEYCTL_SEARCH, 10, KEY, STRING, STRING, KEY) \
	X(KEYCTL_READ, 11, KEY, BUFFER, NUM) \
	X(KEYCTL_INSTANTIATE, 12, KEY, BUFFER, NUM, KEY) \
	X(KEYCTL_NEGATE, 13, KEY, NUM, KEY) \
	X(KEYCTL_SET_REQKEY_KEYRING, 14, KEY) \
	X(KEYCTL_SET_TIMEOUT, 15, KEY, NUM) \
	X(KEYCTL_ASSUME_AUTHORITY, 16, KEY) \
	X(KEYCTL_GET_SECURITY, 17, KEY, BUFFER, NUM) \
	X(KEYCTL_SESSION_TO_PARENT, 18, NONE) \
	X(KEYCTL_REJECT, 19, KEY, NUM, NUM, KEY) \
	X(KEYCTL_INSTANTIATE_IOV, 20, KEY, IOVEC, NUM, KEY) \
	X(KEYCTL_INVALIDATE, 21, KEY) \
	X(KEYCTL_GET_PERSISTENT, 22, NUM, KEY) \
	X(KEYCTL_DH_COMPUTE, 23, SAME, BUFFER, NUM, KDF) \
	X(KEYCTL_PKEY_QUERY, 24, KEY, NUM, STRING, QUERY) \
	X(KEYCTL_PKEY_ENCRYPT, 25, SAME, STRING, SAME, RESULT) \
	X(KEYCTL_PKEY_DECRYPT, 26, SAME, STRING, SAME, RESULT) \
	X(KEYCTL_PKEY_SIGN, 27, SAME, STRING, SAME, RESULT) \
	X(KEYCTL_PKEY_VERIFY, 28, SAME, STRING, SAME, SAME) \
	X(KEYCTL_RESTRICT_KEYRING, 29, KEY, STRING, STRING) \
	X(KEYCTL_MOVE, 30, KEY, KEY, KEY, NUM) \
	X(KEYCTL_CAPABILITIES, 31, BUFFER, NUM) \
	X(KEYCTL_WATCH_KEY, 32, KEY, NUM, KEY)
/* clang-format on */

#define ROW(n, nr, ...) {(nr), {__VA_ARGS__}},
static const struct operation operations[] = {OPERATIONS(ROW, )};
VALUES_OF(keyctl_op, "KEYCTL_", OPERATIONS);

static const struct operation *operation_of(uint64_t op)
{
	for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (operations[i].op == op)
			return &operations[i];
	}
	return NULL;
}

/* Parameters that cannot be read are for the host to refuse, in its own order of checks. */
static uint64_t kdf_params(uint64_t g, struct host_keyctl_kdf_params *host)
{
	if (!g)
		return 0;
	return abi_read(&abi_st_keyctl_kdf_params, host, (gaddr)g) ? SYS_BAD_POINTER
								   : (uint64_t)(uintptr_t)host;
}

static uint64_t result(struct sys_call *c, uint64_t v)
{
	struct host_keyctl_pkey_params p;

	return abi_read(&abi_st_keyctl_pkey_params, &p, (gaddr)c->a[1])
		       ? 0
		       : sys_out_opt(c, v, p.out_len);
}

int64_t sys_keyctl(struct sys_call *c)
{
	const struct operation *o = operation_of(c->a[0]);
	struct host_iovec iov[SYS_FAST_IOVECS];
	struct host_keyctl_kdf_params kdf;
	uint64_t a[4] = {0};
	void *free_me = NULL;
	int64_t r;

	if (!o) {
		diag_unsupported("keyctl", c->a[0],
				 "keyctl operation %d is not supported: EOPNOTSUPP", (int)c->a[0]);
		return -EOPNOTSUPP;
	}
	if (!(abi_profile->keyctl_ops >> o->op & 1))
		return -EOPNOTSUPP;
	for (unsigned i = 0; i < 4; i++) {
		uint64_t v = c->a[i + 1];

		switch ((enum kind)o->arg[i]) {
		case NONE: break;
		case NUM: a[i] = v; break;
		case KEY: a[i] = (uint64_t)(int64_t)(int32_t)(uint32_t)v; break;
		case SAME:
		case STRING: a[i] = v ? sys_buf(v, 0) : 0; break;
		case BUFFER: a[i] = sys_out_opt(c, v, c->a[i + 2]); break;
		case IOVEC:
			sys_import_iovec((gaddr)v, c->a[i + 2], iov, &a[i], &a[i + 1], &free_me);
			i++;
			break;
		case KDF: a[i] = kdf_params(v, &kdf); break;
		case QUERY: a[i] = sys_out_opt(c, v, abi_st_keyctl_pkey_query.gsize); break;
		case RESULT: a[i] = result(c, v); break;
		}
	}
	r = sys_host_blocking(c, HOSTNR(keyctl), c->a[0], a[0], a[1], a[2], a[3]);
	free(free_me);
	return r;
}
