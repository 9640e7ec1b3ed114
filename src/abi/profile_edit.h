/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles in the making: between the reader of profile files and what it builds. */
#ifndef ABI_PROFILE_EDIT_H
#define ABI_PROFILE_EDIT_H

#include "abi/abi.h"

/* What a file says of one structure. */
struct abi_edit {
	const struct abi_struct *from; /* as the base profile has it */
	unsigned line;                 /* of the last statement about it; 0: none */
	int size;                      /* bytes; -1: as it comes */
	struct abi_member_edit {
		int width;  /* bytes; 0: there is no such member; -1: as it is */
		int offset; /* bytes; -1: behind the one before it */
	} * member;         /* one for each of from->fields */
};

/* Whether code relies on the layout of structure I of abi_structs[], so that no profile may change it: why, or NULL. */
const char *abi_layout_is_fixed(size_t i);

/* Every integer of E's that the host has in 8 bytes gets 8: longs, and pointers if POINTERS. */
void abi_edit_widen(struct abi_edit *e, bool pointers);

/*
 * The description that E asks for. Members without an offset of their own follow each other in their order with
 * their natural alignment, gaps that are no alignment stay, and what no member covers is padding.
 * STRUCTS: of the profile in the making, as in struct abi_profile, for nested ones. NULL: it cannot be,
 * and WHY says so, or there is no memory.
 */
const struct abi_struct *abi_layout(const struct abi_edit *e, const struct abi_struct **structs,
				    char why[ABI_WHY]);

/* The common description of structure I, whatever profile is in force. */
const struct abi_struct *abi_struct_common(size_t i);

/*
 * The profile that the N bytes at TEXT describe. FILE is their name for messages. NULL with WHY:
 * "FILE:LINE: ...".
 */
struct abi_profile *abi_profile_parse(const char *file, const char *text, size_t n,
				      char why[ABI_WHY]);

/* Gives up what abi_profile_parse() made. */
void abi_profile_free(struct abi_profile *p);

/* The built-in profile of that name, or NULL. */
const struct abi_profile *abi_find_builtin(const char *name);

#endif
