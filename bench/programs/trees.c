/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointer-heavy: a discrete simulation over a treap of events, a chained hash table of objects and linked queues,
 * all of small pieces of malloc: trees ROUNDS.
 */
#include <string.h>

#include "bench.h"

#define BUCKETS (1u << 14)
#define OBJECTS 20000u
#define EVENTS  60000u

struct event {
	struct event *left, *right;
	uint32_t time, priority, object;
};

struct message {
	struct message *next;
	uint32_t from, text;
};

struct object {
	struct object *next; /* of the bucket */
	struct message *first, **last;
	uint32_t key, state, received;
};

static struct object *table[BUCKETS];
static uint32_t seed = 12345;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static void *piece(size_t size)
{
	void *p = calloc(1, size);

	if (!p) {
		fprintf(stderr, "trees: no memory\n");
		exit(1);
	}
	return p;
}

static struct object *object_of(uint32_t key)
{
	struct object **at = &table[(key * 2654435761u) >> 18];

	while (*at && (*at)->key != key)
		at = &(*at)->next;
	if (!*at) {
		*at = piece(sizeof(**at));
		(*at)->key = key;
		(*at)->last = &(*at)->first;
	}
	return *at;
}

static struct event *insert(struct event *root, struct event *e)
{
	if (!root)
		return e;
	if (e->time < root->time) {
		root->left = insert(root->left, e);
		if (root->left->priority > root->priority) {
			struct event *top = root->left;

			root->left = top->right;
			top->right = root;
			return top;
		}
	} else {
		root->right = insert(root->right, e);
		if (root->right->priority > root->priority) {
			struct event *top = root->right;

			root->right = top->left;
			top->left = root;
			return top;
		}
	}
	return root;
}

static struct event *take_first(struct event **root)
{
	struct event *first;

	while ((*root)->left)
		root = &(*root)->left;
	first = *root;
	*root = first->right;
	return first;
}

static struct event *scheduled(struct event *root, uint32_t time)
{
	struct event *e = piece(sizeof(*e));

	e->time = time;
	e->priority = draw();
	e->object = draw() % OBJECTS;
	return insert(root, e);
}

static void deliver(struct object *to, uint32_t from, uint32_t text)
{
	struct message *m = piece(sizeof(*m));

	m->from = from;
	m->text = text;
	*to->last = m;
	to->last = &m->next;
}

static void deliver_somewhere(uint32_t from)
{
	struct object *to = object_of(draw() % OBJECTS);

	deliver(to, from, draw() & 0xffff);
}

static uint64_t digest(struct object *o)
{
	uint64_t sum = 0;

	for (struct message *m = o->first, *next; m; m = next) {
		next = m->next;
		o->state = o->state * 31u + (m->from ^ m->text);
		o->received++;
		sum += m->text;
		free(m);
	}
	o->first = NULL;
	o->last = &o->first;
	return sum;
}

static uint64_t simulate(void)
{
	struct event *root = NULL;
	uint64_t sum = 0;
	uint32_t time = 0, planned = 0;

	for (; planned < EVENTS / 10; planned++)
		root = scheduled(root, draw() % 10000);
	while (root) {
		struct event *e = take_first(&root);
		struct object *o = object_of(e->object);

		time = e->time;
		sum += digest(o);
		for (int i = 0; i < 3; i++)
			deliver_somewhere(o->key);
		for (unsigned more = planned < EVENTS ? draw() % 3 : 0; more > 0; more--, planned++)
			root = scheduled(root, time + draw() % 5000);
		free(e);
	}
	for (unsigned i = 0; i < BUCKETS; i++) {
		for (struct object *o = table[i], *next; o; o = next) {
			next = o->next;
			sum += digest(o) + o->state + o->received;
			free(o);
		}
		table[i] = NULL;
	}
	return sum + time;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	for (unsigned r = rounds(argc, argv); r > 0; r--)
		sum = sum * 3 + simulate();
	return finish(sum);
}
