/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU that the guest sees (--cpu): a name for MIDR_EL1 and the features that it has. Engines
 * execute what they have of it; the rest is undefined, and neither AT_HWCAP nor the ID registers show it.
 *
 * What the models have: /proc/cpuinfo of Linux on such machines, and the technical reference manuals. Left
 * out: what no engine executes (ssbs of Cortex-A76, Neoverse N1 and Kunpeng 920; uscat and dit of Armv8.4).
 */
#include "cpu/features.h"

#include <stdio.h>
#include <string.h>

struct model {
	const char *name;
	uint32_t midr;        /* 0: the engine's own */
	const char *features; /* besides those of every CPU; NULL: all */
};

/* Optional in Armv8.0, there in all models but the levels. */
#define CRYPTO   " aes pmull sha1 sha2"
#define CORTEX_A CRYPTO " crc32"
#define V8_1     " crc32 atomics asimdrdm"
#define V8_2     V8_1 " dcpop"
#define V8_3     V8_2 " jscvt fcma lrcpc"
#define V8_4     V8_3 " asimddp flagm ilrcpc"
#define V8_5     V8_4 " flagm2 frint sb dcpodp"
#define N1       CRYPTO V8_2 " fphp asimdhp lrcpc asimddp"

/* The levels are those of -march in compilers. */
static const struct model models[] = {
	{"max", 0, NULL},
	{"armv8-a", 0, ""},
	{"armv8.1-a", 0, V8_1},
	{"armv8.2-a", 0, V8_2},
	{"armv8.3-a", 0, V8_3},
	{"armv8.4-a", 0, V8_4},
	{"armv8.5-a", 0, V8_5},
	{"cortex-a53", 0x410fd034, CORTEX_A},
	{"cortex-a57", 0x411fd073, CORTEX_A},
	{"cortex-a72", 0x410fd083, CORTEX_A},
	{"cortex-a76", 0x414fd0b1, N1},
	{"neoverse-n1", 0x414fd0c1, N1},
	{"thunderx2", 0x431f0af1, CRYPTO V8_1},
	{"kunpeng-920", 0x481fd010, CRYPTO V8_2 " fphp asimdhp jscvt fcma asimddp asimdfhm"},
	{"emag", 0x503f0002, CORTEX_A},
};
#define MODELS (sizeof(models) / sizeof(models[0]))

/* No Linux program of this ABI runs without them, and no model lacks what the kernel gives. */
#define ALWAYS " fp asimd evtstrm cpuid "

/* The default: max. */
static struct {
	const struct model *model;
	bool lacks;
	bool lost[CPU_FEATURES], wanted[CPU_FEATURES];
} chosen;

/* Whether NAME is one of the words of LIST. */
static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; list && *list; list += strcspn(list, " ")) {
		list += strspn(list, " ");
		if (strncmp(list, name, n) == 0 && (list[n] == ' ' || !list[n]))
			return true;
	}
	return false;
}

/* The architecture's rules of one feature with another (Arm ARM, ID_AA64PFR0_EL1, A2.3 FEAT_LRCPC). */
static const struct {
	const char *feature, *needs;
} rules[] = {
	{"fphp", "asimdhp"},
	{"asimdhp", "fphp"},
	{"lrcpc", "atomics"},
	{"ilrcpc", "atomics"},
};

/* Whether the CPU cannot have F without LESS: values of one field include the lower ones. */
static bool implies(const struct cpu_feature *f, const struct cpu_feature *less)
{
	if (f->reg == KERNEL || less->reg == KERNEL)
		return f == less;
	if (f->reg == less->reg && f->shift == less->shift)
		return f->min >= less->min;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(f->name, rules[i].feature) == 0 &&
		    strcmp(less->name, rules[i].needs) == 0)
			return true;
	}
	return false;
}

static void add_feature(size_t i)
{
	for (size_t k = 0; k < cpu_feature_count; k++) {
		if (implies(&cpu_features[i], &cpu_features[k]))
			chosen.lost[k] = false;
	}
	chosen.wanted[i] = true;
}

static void drop_feature(size_t i)
{
	for (size_t k = 0; k < cpu_feature_count; k++) {
		if (implies(&cpu_features[k], &cpu_features[i])) {
			chosen.lost[k] = true;
			chosen.wanted[k] = false;
		}
	}
}

static bool choose_model(const char *name, size_t len)
{
	for (size_t m = 0; m < MODELS; m++) {
		if (strlen(models[m].name) != len || strncmp(models[m].name, name, len) != 0)
			continue;
		memset(&chosen, 0, sizeof(chosen));
		chosen.model = &models[m];
		for (size_t i = 0; i < cpu_feature_count && models[m].features; i++)
			chosen.lost[i] = !listed(models[m].features, cpu_features[i].name) &&
					 !listed(ALWAYS, cpu_features[i].name);
		return true;
	}
	return false;
}

static bool change_feature(const char *word, size_t len, char why[256])
{
	size_t at = 0;

	for (size_t i = 0; i < cpu_feature_count; i++) {
		const char *name = cpu_features[i].name;

		if (strlen(name) != len - 1 || strncmp(name, word + 1, len - 1) != 0)
			continue;
		if (*word == '-' && cpu_features[i].reg == PFR0 && cpu_features[i].min == 0) {
			snprintf(why, 256, "every CPU that runs Linux has %s", name);
			return false;
		}
		if (*word == '-')
			drop_feature(i);
		else
			add_feature(i);
		return true;
	}
	at += (size_t)snprintf(why, 256,
			       "no feature \"%.*s\"; there are:", len > 60 ? 60 : (int)len - 1,
			       word + 1);
	for (size_t i = 0; i < cpu_feature_count && at < 256; i++)
		at += (size_t)snprintf(why + at, 256 - at, " %s", cpu_features[i].name);
	return false;
}

bool cpu_model_choose(const char *text, char why[256])
{
	size_t len = strcspn(text, ",");

	*why = '\0';
	if (!choose_model(text, len)) {
		snprintf(why, 256, "no \"%.*s\"; there are: %.150s", len > 60 ? 60 : (int)len, text,
			 cpu_model_names());
		return false;
	}
	for (text += len; *text; text += len) {
		text++;
		len = strcspn(text, ",");
		if (*text != '+' && *text != '-') {
			snprintf(why, 256, "not +FEATURE or -FEATURE: \"%.60s\"", text);
			return false;
		}
		if (!change_feature(text, len, why))
			return false;
	}
	for (size_t i = 0; i < cpu_feature_count; i++)
		chosen.lacks |= chosen.lost[i] && cpu_features[i].reg != KERNEL;
	return true;
}

const char *cpu_model_names(void)
{
	static char names[256];

	if (!*names) {
		for (size_t m = 0; m < MODELS; m++)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
				 m ? "," : "", models[m].name);
	}
	return names;
}

bool cpu_model_has(size_t i)
{
	return !chosen.lost[i];
}

bool cpu_model_lacks(void)
{
	return chosen.lacks;
}

bool cpu_model_doubts(uint32_t insn)
{
	for (size_t i = 0; chosen.lacks && i < cpu_feature_count; i++) {
		if (!chosen.lost[i])
			continue;
		for (size_t k = 0; k < CPU_ENCODINGS && cpu_features[i].encodings[k].mask; k++) {
			if ((insn & cpu_features[i].encodings[k].mask) ==
			    cpu_features[i].encodings[k].value)
				return true;
		}
	}
	return false;
}

/* The greatest value of F's field that is left. */
static uint64_t field_left(const struct cpu_id_regs *id, const struct cpu_feature *f)
{
	uint64_t value = 0;

	for (size_t i = 0; i < cpu_feature_count; i++) {
		const struct cpu_feature *g = &cpu_features[i];

		if (g->reg == f->reg && g->shift == f->shift && !chosen.lost[i] && cpu_has(id, g) &&
		    (uint64_t)g->min > value)
			value = (uint64_t)g->min;
	}
	return value;
}

void cpu_model_limit(struct cpu_id_regs *id)
{
	const struct cpu_id_regs all = *id;
	uint64_t known[ID_REGS] = {0};

	if (chosen.model && chosen.model->midr)
		id->midr = chosen.model->midr;
	for (size_t i = 0; chosen.lacks && i < cpu_feature_count; i++) {
		const struct cpu_feature *f = &cpu_features[i];
		uint64_t field;

		if (f->reg == KERNEL)
			continue;
		field = 15ull << f->shift;
		known[f->reg] |= field;
		if (chosen.lost[i] && cpu_has(&all, f))
			id->reg[f->reg] = (id->reg[f->reg] & ~field) | field_left(&all, f)
									       << f->shift;
	}
	if (!chosen.lacks)
		return;
	/* Fields of instructions alone: what the table does not know is no part of a model. */
	id->reg[ISAR0] &= known[ISAR0];
	id->reg[ISAR1] &= known[ISAR1];
}

const char *cpu_model_unmet(const struct cpu_id_regs *id)
{
	for (size_t i = 0; i < cpu_feature_count; i++) {
		if (chosen.wanted[i] && !cpu_has(id, &cpu_features[i]))
			return cpu_features[i].name;
	}
	return NULL;
}
