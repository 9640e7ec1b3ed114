/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"

#define FLAG(field, a, b, c, d, text)   FIELD(field, a, b, c, d)
#define NUMBER(field, a, b, c, d, text) FIELD(field, a, b, c, d)
#define MASK(field, a, b, c, d, text)   FIELD(field, a, b, c, d)

static const struct abi_profile profiles[ABI_PROFILES] = {
#define FIELD(field, a, b, c, d) .field = (a),
	[ABI_AMPERE_4_14] =
		{
			.id = ABI_AMPERE_4_14,
			.name = "ampere-4.14",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (b),
	[ABI_OPENEULER_5_10] =
		{
			.id = ABI_OPENEULER_5_10,
			.name = "openeuler-5.10",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (c),
	[ABI_OPENEULER_6_6] =
		{
			.id = ABI_OPENEULER_6_6,
			.name = "openeuler-6.6",
#include "abi/profile_fields.h"
		},
#undef FIELD
#define FIELD(field, a, b, c, d) .field = (d),
	[ABI_MODERN] =
		{
			.id = ABI_MODERN,
			.name = "modern",
#include "abi/profile_fields.h"
		},
#undef FIELD
};
#undef FLAG
#undef NUMBER
#undef MASK

#define FLAG(field, a, b, c, d, text)   FIELD(ABI_FLAG, field, text)
#define NUMBER(field, a, b, c, d, text) FIELD(ABI_NUMBER, field, text)
#define MASK(field, a, b, c, d, text)   FIELD(ABI_MASK, field, text)
#define FIELD(kind, field, text)        {#field, kind, offsetof(struct abi_profile, field), text},
const struct abi_profile_field abi_profile_fields[] = {
#include "abi/profile_fields.h"
};
#undef FLAG
#undef NUMBER
#undef MASK
#undef FIELD
const size_t abi_nprofile_fields = sizeof(abi_profile_fields) / sizeof(abi_profile_fields[0]);

uint64_t abi_profile_value(const struct abi_profile *p, const struct abi_profile_field *f)
{
	const char *at = (const char *)p + f->offset;

	return f->kind == ABI_FLAG ? *(const bool *)at : *(const uint64_t *)(const void *)at;
}

static const struct {
	const char *alias;
	enum abi_profile_id id;
} aliases[] = {
	{"v9", ABI_AMPERE_4_14}, /* the last posted series; the 4.14 tree has the same ABI */
};

const struct abi_profile *abi_profile = &profiles[ABI_MODERN];

const struct abi_profile *abi_find(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(name, aliases[i].alias) == 0)
			return &profiles[aliases[i].id];
	}
	for (size_t i = 0; i < ABI_PROFILES; i++) {
		if (strcmp(name, profiles[i].name) == 0)
			return &profiles[i];
	}
	return NULL;
}

bool abi_select(const char *name)
{
	const struct abi_profile *p = abi_find(name);

	if (p)
		abi_profile = p;
	return p;
}

const struct abi_profile *abi_profile_get(enum abi_profile_id id)
{
	return &profiles[id];
}

const char *abi_profile_names(void)
{
	static char names[256];
	size_t n = 0;

	if (names[0])
		return names;
	for (size_t i = 0; i < ABI_PROFILES; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      profiles[i].name);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, ", %s", aliases[i].alias);
	return names;
}
