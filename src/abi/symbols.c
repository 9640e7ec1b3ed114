/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <asm/fcntl.h>

#include "abi/symbols.h"

const char *abi_symbol_name(const struct abi_symbols *t, uint64_t value)
{
	for (const struct abi_symbol *s = t->v; s->name; s++) {
		if (s->value == value)
			return s->name;
	}
	return NULL;
}

/* The O_ bits whose values arm64 does not share with every host. The host's come from its kernel. */
static const struct {
	int guest, host;
} open_bits[] = {
	{GUEST_O_DIRECTORY, O_DIRECTORY},
	{GUEST_O_NOFOLLOW, O_NOFOLLOW},
	{GUEST_O_DIRECT, O_DIRECT},
	/* A 64-bit kernel sets it in every file; libc's header may call it 0. */
	{GUEST_O_LARGEFILE, O_LARGEFILE},
};
#define OPEN_BITS (sizeof(open_bits) / sizeof(open_bits[0]))

int abi_open_flags_to_host(int guest)
{
	int host = guest;

	for (unsigned i = 0; i < OPEN_BITS; i++)
		host &= ~open_bits[i].guest;
	for (unsigned i = 0; i < OPEN_BITS; i++) {
		if (guest & open_bits[i].guest)
			host |= open_bits[i].host;
	}
	return host;
}

int abi_open_flags_to_guest(int host)
{
	int guest = host;

	for (unsigned i = 0; i < OPEN_BITS; i++)
		guest &= ~open_bits[i].host;
	for (unsigned i = 0; i < OPEN_BITS; i++) {
		if (host & open_bits[i].host)
			guest |= open_bits[i].guest;
	}
	return guest;
}
