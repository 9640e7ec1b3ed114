/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CoreMark-like: sorting and searching a linked list, small integer matrices, a state machine over numbers in
 * text, and a 16-bit check sum over all results: mark ROUNDS.
 */
#include <string.h>

#include "bench.h"

#define ITEMS 200
#define SIDE  12

struct item {
	struct item *next;
	int16_t key, value;
};

static uint16_t crc(uint16_t sum, uint32_t data, int bits)
{
	for (int i = 0; i < bits; i++) {
		unsigned bit = (data ^ sum) & 1u;

		sum = (uint16_t)(sum >> 1);
		data >>= 1;
		if (bit)
			sum ^= 0xa001u;
	}
	return sum;
}

static int by_key(const struct item *a, const struct item *b)
{
	return a->key - b->key;
}

static int by_value(const struct item *a, const struct item *b)
{
	return a->value - b->value;
}

/* Merge sort of a list without recursion. */
static struct item *sorted(struct item *list,
			   int (*order)(const struct item *, const struct item *))
{
	for (int width = 1;; width *= 2) {
		struct item *p = list, *tail = NULL;
		int merges = 0;

		list = NULL;
		while (p) {
			struct item *q = p;
			int psize = 0, qsize = width;

			merges++;
			while (psize < width && q) {
				psize++;
				q = q->next;
			}
			while (psize > 0 || (qsize > 0 && q)) {
				struct item *e;

				if (psize > 0 && (qsize == 0 || !q || order(p, q) <= 0)) {
					e = p, p = p->next, psize--;
				} else {
					e = q, q = q->next, qsize--;
				}
				if (tail)
					tail->next = e;
				else
					list = e;
				tail = e;
			}
			p = q;
		}
		if (tail)
			tail->next = NULL;
		if (merges <= 1)
			return list;
	}
}

static struct item *reversed(struct item *list)
{
	struct item *back = NULL;

	while (list) {
		struct item *next = list->next;

		list->next = back;
		back = list;
		list = next;
	}
	return back;
}

static uint16_t lists(struct item **list, uint16_t sum, unsigned round)
{
	for (int16_t wanted = 0; wanted < 20; wanted++) {
		const struct item *e = *list;

		while (e && (e->value & 0xff) != ((wanted * 7 + (int)round) & 0xff))
			e = e->next;
		*list = reversed(*list);
		sum = crc(sum, e ? (uint32_t)(uint16_t)e->key : 0xffffu, 16);
	}
	*list = sorted(*list, by_value);
	sum = crc(sum, (uint16_t)(*list)->key, 16);
	*list = sorted(*list, by_key);
	for (struct item *e = *list; e; e = e->next) {
		e->value = (int16_t)(e->value * 5 + 3);
		sum = crc(sum, (uint16_t)e->value, 16);
	}
	return sum;
}

static int16_t a[SIDE][SIDE], b[SIDE][SIDE];
static int32_t c[SIDE][SIDE];

static uint16_t matrices(uint16_t sum, int16_t by)
{
	int32_t total = 0;

	for (int i = 0; i < SIDE; i++) {
		for (int j = 0; j < SIDE; j++)
			a[i][j] = (int16_t)(a[i][j] + by);
	}
	for (int i = 0; i < SIDE; i++) {
		for (int j = 0; j < SIDE; j++) {
			int32_t s = 0;

			for (int k = 0; k < SIDE; k++) {
				int32_t product = a[i][k] * b[k][j];

				s += ((product >> 2) & 0xf) * ((product >> 5) & 0x7f);
			}
			c[i][j] = s;
			total += s > total ? 10 : (s & 7);
		}
	}
	for (int i = 0; i < SIDE; i++) {
		for (int j = 0; j < SIDE; j++)
			a[i][j] = (int16_t)(a[i][j] - by);
	}
	return crc(sum, (uint32_t)total, 32);
}

enum state {
	START,
	SIGN,
	INTEGER,
	POINT,
	FRACTION,
	EXPONENT,
	EXPONENT_SIGN,
	SCIENTIFIC,
	WRONG,
	STATES
};

static enum state step(enum state s, char ch)
{
	int digit = ch >= '0' && ch <= '9', sign = ch == '+' || ch == '-';

	switch (s) {
	case START: return digit ? INTEGER : sign ? SIGN : ch == '.' ? POINT : WRONG;
	case SIGN: return digit ? INTEGER : ch == '.' ? POINT : WRONG;
	case INTEGER: return digit ? INTEGER : ch == '.' ? FRACTION : ch == 'e' ? EXPONENT : WRONG;
	case POINT: return digit ? FRACTION : WRONG;
	case FRACTION: return digit ? FRACTION : ch == 'e' ? EXPONENT : WRONG;
	case EXPONENT: return digit ? SCIENTIFIC : sign ? EXPONENT_SIGN : WRONG;
	case EXPONENT_SIGN:
	case SCIENTIFIC: return digit ? SCIENTIFIC : WRONG;
	default: return WRONG;
	}
}

static uint16_t states(uint16_t sum, char *text, size_t length, unsigned round)
{
	uint32_t ends[STATES] = {0}, visits[STATES] = {0};
	enum state s = START;

	text[round % length] ^= (char)(round & 3u);
	for (size_t i = 0; i < length; i++) {
		if (text[i] == ',') {
			ends[s]++;
			s = START;
			continue;
		}
		s = step(s, text[i]);
		visits[s]++;
	}
	text[round % length] ^= (char)(round & 3u);
	for (int i = 0; i < STATES; i++)
		sum = crc(crc(sum, ends[i], 32), visits[i], 32);
	return sum;
}

int main(int argc, char **argv)
{
	static const char pattern[] =
		"5012,1234,-874,+122,35.54400,.1234500,-110.700,+0.64400,5.500e+3,"
		"-.123e-2,-87e+832,+0.6e-12,T0.3e-1F,-T.T++Tq,1T3.4e4z,34.0e-T^,";
	static struct item items[ITEMS];
	static char text[4 * sizeof(pattern)];
	struct item *list = NULL;
	uint16_t sum = 0;

	for (int i = 0; i < ITEMS; i++) {
		items[i] = (struct item){list, (int16_t)(i * 37 % ITEMS), (int16_t)(i * 113 % 251)};
		list = &items[i];
	}
	for (int i = 0; i < 4; i++)
		strcat(text, pattern);
	for (int i = 0; i < SIDE; i++) {
		for (int j = 0; j < SIDE; j++)
			a[i][j] = (int16_t)(i * 3 + j), b[i][j] = (int16_t)(i - 2 * j);
	}
	for (unsigned r = 0, n = rounds(argc, argv); r < n; r++) {
		sum = lists(&list, sum, r);
		for (int16_t m = 0; m < 4; m++)
			sum = matrices(sum, (int16_t)(m * 11));
		for (unsigned t = 0; t < 4; t++)
			sum = states(sum, text, strlen(text), r + t);
	}
	return finish(sum);
}
