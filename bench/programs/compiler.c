/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiler-like: writes the text of a program with many functions, scans and parses it into trees with a table of
 * symbols, folds constants, generates code for a machine with few registers, and joins the code's duplicates by a
 * peephole: compiler ROUNDS.
 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "bench.h"

#define FUNCTIONS 150
#define REGISTERS 8
#define SYMBOLS   4096u

/* Pieces of memory that are given back all at once. */
static char *arena;
static size_t arena_used;
#define ARENA_SIZE (16u << 20)

static void fail(const char *what)
{
	fprintf(stderr, "compiler: %s\n", what);
	exit(1);
}

static void *piece(size_t size)
{
	char *at = arena + arena_used;

	arena_used += (size + 7) & ~(size_t)7;
	if (arena_used > ARENA_SIZE)
		fail("arena is full");
	memset(at, 0, size);
	return at;
}

/* The text to compile. */
static char *source;
static size_t source_size, source_room;
static uint32_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	va_list ap;

	if (source_room - source_size < 256 && !(source = realloc(source, source_room += 65536)))
		fail("no memory");
	va_start(ap, format);
	source_size += (size_t)vsnprintf(source + source_size, 256, format, ap);
	va_end(ap);
}

static void say_expression(int depth, int locals)
{
	static const char *const ops[] = {"+", "-", "*", "&", "|", "^", "<", "=="};

	if (depth == 0 || draw(6) == 0) {
		if (draw(2))
			say("%u", draw(1000));
		else
			say("v%u", draw((uint32_t)locals));
		return;
	}
	say("(");
	say_expression(depth - 1, locals);
	say(" %s ", ops[draw(8)]);
	say_expression(depth - 1, locals);
	say(")");
}

static void say_program(uint32_t round)
{
	seed = round;
	source_size = 0;
	for (int f = 0; f < FUNCTIONS; f++) {
		int locals = 3 + (int)draw(6);

		say("int function_%d(int v0, int v1, int v2)\n{\n", f);
		for (int i = 3; i < locals; i++)
			say("\tint v%d = %u;\n", i, draw(100));
		for (int s = 0; s < 12; s++) {
			switch (draw(4)) {
			case 0:
				say("\tif (");
				say_expression(2, locals);
				say(") {\n\t\tv%u = ", draw((uint32_t)locals));
				say_expression(3, locals);
				say(";\n\t}\n");
				break;
			case 1:
				say("\twhile (v%u ", draw((uint32_t)locals));
				say("< %u) {\n", draw(50));
				say("\t\tv%u = ", draw((uint32_t)locals));
				say_expression(2, locals);
				say(";\n\t}\n");
				break;
			default:
				say("\tv%u = ", draw((uint32_t)locals));
				say_expression(4, locals);
				say("; /* statement %d */\n", s);
			}
		}
		say("\treturn ");
		say_expression(2, locals);
		say(";\n}\n\n");
	}
}

/* Symbols: one for each name, of all kinds. */
struct symbol {
	struct symbol *next;
	const char *name;
	size_t length;
	int keyword;
	unsigned slot, uses;
};
static struct symbol *symbols[SYMBOLS];
enum keyword { NOT_KEYWORD, K_INT, K_IF, K_WHILE, K_RETURN };

static struct symbol *symbol_of(const char *name, size_t length)
{
	uint32_t hash = 2166136261u;
	struct symbol *s;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	for (s = symbols[hash % SYMBOLS]; s; s = s->next) {
		if (s->length == length && memcmp(s->name, name, length) == 0)
			return s;
	}
	s = piece(sizeof(*s));
	*s = (struct symbol){symbols[hash % SYMBOLS], name, length, NOT_KEYWORD, 0, 0};
	symbols[hash % SYMBOLS] = s;
	return s;
}

/* Tokens: the character of an operator, or one of these. */
enum { T_END, T_NUMBER = 256, T_NAME, T_EQUAL };
static const char *at;
static int token;
static uint32_t token_number;
static struct symbol *token_name;

static void blanks(void)
{
	for (;;) {
		while (isspace((unsigned char)*at))
			at++;
		if (at[0] != '/' || at[1] != '*')
			return;
		for (at += 2; at[0] != '*' || at[1] != '/';)
			at++;
		at += 2;
	}
}

static void scan(void)
{
	const char *start;

	blanks();
	start = at;
	if (isdigit((unsigned char)*at)) {
		token_number = (uint32_t)strtoul(at, (char **)(uintptr_t)&at, 10);
		token = T_NUMBER;
	} else if (isalpha((unsigned char)*at)) {
		while (isalnum((unsigned char)*at) || *at == '_')
			at++;
		token_name = symbol_of(start, (size_t)(at - start));
		token = T_NAME;
	} else if (at[0] == '=' && at[1] == '=') {
		at += 2;
		token = T_EQUAL;
	} else {
		token = *at ? (unsigned char)*at++ : T_END;
	}
}

static void expect(int wanted)
{
	if (token != wanted)
		fail("syntax error");
	scan();
}

static int is_keyword(enum keyword k)
{
	return token == T_NAME && token_name->keyword == (int)k;
}

/* Trees. */
struct node {
	int op; /* token of the operator, T_NUMBER or T_NAME */
	uint32_t number;
	struct symbol *name;
	struct node *left, *right;
	int need; /* registers */
};

static struct node *node(int op, struct node *left, struct node *right)
{
	struct node *n = piece(sizeof(*n));

	n->op = op;
	n->left = left;
	n->right = right;
	return n;
}

static struct node *expression(void);

static struct node *primary(void)
{
	struct node *n;

	if (token == '(') {
		scan();
		n = expression();
		expect(')');
		return n;
	}
	n = node(token, NULL, NULL);
	if (token == T_NUMBER) {
		n->number = token_number;
	} else if (token == T_NAME) {
		n->name = token_name;
		token_name->uses++;
	} else {
		fail("no expression");
	}
	scan();
	return n;
}

static int level_of(int op)
{
	switch (op) {
	case '*': return 6;
	case '+':
	case '-': return 5;
	case '<': return 4;
	case T_EQUAL: return 3;
	case '&': return 2;
	case '^':
	case '|': return 1;
	default: return 0;
	}
}

static struct node *binary(int level)
{
	struct node *left = level > 6 ? primary() : binary(level + 1);

	while (level <= 6 && level_of(token) == level) {
		int op = token;

		scan();
		left = node(op, left, binary(level + 1));
	}
	return left;
}

static struct node *expression(void)
{
	return binary(1);
}

static uint32_t computed(int op, uint32_t a, uint32_t b)
{
	switch (op) {
	case '*': return a * b;
	case '+': return a + b;
	case '-': return a - b;
	case '<': return (int32_t)a < (int32_t)b;
	case T_EQUAL: return a == b;
	case '&': return a & b;
	case '^': return a ^ b;
	default: return a | b;
	}
}

/* Folds constants, and counts the registers that a tree needs. */
static struct node *simplified(struct node *n)
{
	if (!n->left) {
		n->need = 1;
		return n;
	}
	n->left = simplified(n->left);
	n->right = simplified(n->right);
	if (n->left->op == T_NUMBER && n->right->op == T_NUMBER) {
		n->number = computed(n->op, n->left->number, n->right->number);
		n->op = T_NUMBER;
		n->left = n->right = NULL;
		n->need = 1;
		return n;
	}
	if (n->right->op == T_NUMBER && n->right->number == 0 && strchr("+-|^", n->op))
		return n->left;
	if (n->left->need == n->right->need)
		n->need = n->left->need + 1;
	else
		n->need = n->left->need > n->right->need ? n->left->need : n->right->need;
	return n;
}

/* Code: instructions of three numbers. */
struct instruction {
	uint16_t op, to;
	uint32_t a, b;
};
enum { LOAD_NUMBER = 512, LOAD, STORE, SPILL, FILL, BRANCH_ZERO, JUMP, LABEL, RETURN, NOTHING };
static struct instruction *code;
static size_t code_size, code_room;
static unsigned labels, spills;

static void emit(int op, unsigned to, uint32_t a, uint32_t b)
{
	if (code_size == code_room) {
		code_room += 4096;
		if (!(code = realloc(code, code_room * sizeof(*code))))
			fail("no memory");
	}
	code[code_size++] = (struct instruction){(uint16_t)op, (uint16_t)to, a, b};
}

static void generate(const struct node *n, unsigned reg)
{
	if (n->op == T_NUMBER) {
		emit(LOAD_NUMBER, reg, n->number, 0);
	} else if (n->op == T_NAME) {
		emit(LOAD, reg, n->name->slot, 0);
	} else if (reg + 1 >= REGISTERS) {
		unsigned slot = spills++;

		generate(n->left, reg);
		emit(SPILL, slot, reg, 0);
		generate(n->right, reg);
		emit(FILL, REGISTERS, slot, 0);
		emit(n->op, reg, REGISTERS, reg);
	} else if (n->right->need > n->left->need) {
		generate(n->right, reg);
		generate(n->left, reg + 1);
		emit(n->op, reg, reg + 1, reg);
	} else {
		generate(n->left, reg);
		generate(n->right, reg + 1);
		emit(n->op, reg, reg, reg + 1);
	}
}

static void statement(void);

static void block(void)
{
	expect('{');
	while (token != '}')
		statement();
	scan();
}

static void condition(unsigned otherwise)
{
	expect('(');
	generate(simplified(expression()), 0);
	expect(')');
	emit(BRANCH_ZERO, 0, otherwise, 0);
}

static unsigned slots;

static void statement(void)
{
	if (is_keyword(K_IF)) {
		unsigned end = labels++;

		scan();
		condition(end);
		block();
		emit(LABEL, 0, end, 0);
	} else if (is_keyword(K_WHILE)) {
		unsigned start = labels++, end = labels++;

		scan();
		emit(LABEL, 0, start, 0);
		condition(end);
		block();
		emit(JUMP, 0, start, 0);
		emit(LABEL, 0, end, 0);
	} else if (is_keyword(K_RETURN)) {
		scan();
		generate(simplified(expression()), 0);
		emit(RETURN, 0, 0, 0);
		expect(';');
	} else {
		struct symbol *name;

		if (is_keyword(K_INT)) {
			scan();
			token_name->slot = slots++;
		}
		name = token_name;
		expect(T_NAME);
		expect('=');
		generate(simplified(expression()), 0);
		emit(STORE, 0, name->slot, 0);
		expect(';');
	}
}

static void function(void)
{
	expect(T_NAME); /* int */
	expect(T_NAME);
	slots = 0;
	for (expect('('); token != ')';) {
		expect(T_NAME);
		token_name->slot = slots++;
		expect(T_NAME);
		if (token == ',')
			scan();
	}
	scan();
	block();
}

/* A load of what has just been stored, and one that is already there, become nothing. */
static void peephole(void)
{
	uint32_t holds[REGISTERS + 1];

	memset(holds, 0xff, sizeof(holds));
	for (size_t i = 0; i < code_size; i++) {
		struct instruction *c = &code[i];

		if (c->op == LABEL) {
			memset(holds, 0xff, sizeof(holds));
		} else if (c->op == LOAD) {
			if (holds[c->to] == c->a)
				c->op = NOTHING;
			holds[c->to] = c->a;
		} else if (c->op == STORE) {
			for (int r = 0; r <= REGISTERS; r++) {
				if (holds[r] == c->a)
					holds[r] = UINT32_MAX;
			}
			holds[c->to] = c->a;
		} else if (c->op < LOAD || c->op == FILL) {
			holds[c->to] = UINT32_MAX;
		}
	}
}

static uint64_t check_sum(void)
{
	uint64_t sum = code_size;

	for (size_t i = 0; i < code_size; i++) {
		const struct instruction *c = &code[i];

		if (c->op != NOTHING)
			sum = (sum ^ c->op ^ ((uint64_t)c->to << 20) ^ c->a ^
			       ((uint64_t)c->b << 32)) *
			      1099511628211u;
	}
	return sum;
}

int main(int argc, char **argv)
{
	static const char *const keywords[] = {"int", "if", "while", "return"};
	uint64_t sum = 0;

	arena = malloc(ARENA_SIZE);
	if (!arena)
		fail("no memory");
	for (unsigned r = rounds(argc, argv); r > 0; r--) {
		say_program(r);
		arena_used = code_size = 0;
		labels = spills = 0;
		memset(symbols, 0, sizeof(symbols));
		for (int k = 0; k < 4; k++)
			symbol_of(keywords[k], strlen(keywords[k]))->keyword = K_INT + k;
		at = source;
		for (scan(); token != T_END;)
			function();
		peephole();
		sum = sum * 31 + check_sum();
	}
	return finish(sum);
}
