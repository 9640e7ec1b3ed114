/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynarmic engine: instructions that the library has not, or not as a CPU does them, and that are
 * done here: exclusives and atomics (by the host's atomics, with exact alignment faults), cache
 * maintenance, ID registers, the counter. In their place an svc is translated whose number says
 * what to do; the system calls of the guest are number 0.
 *
 * The host's locked instructions are sequentially consistent. On hosts with weaker loads and stores
 * than x86 the plain ones would need barriers; see emulate_word().
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu/dynarmic/box.h"
#include "cpu/dynarmic/dynarmic.h"
#include "cpu/features.h"
#include "cpu/insn.h"

#if !defined(__x86_64__)
# error "which memory order do plain loads and stores have here?"
#endif

enum { SVC_CALL, SVC_BREAK, SVC_FIRST };
#define SVC_MAX   0x10000u
#define SVC_WORD  0xd4000001u
#define UNDEFINED 0x00000000u /* goes to slow.c, which looks at the real word */

enum op {
	OP_ADD,
	OP_CLR,
	OP_EOR,
	OP_SET,
	OP_SMAX,
	OP_SMIN,
	OP_UMAX,
	OP_UMIN, /* as encoded */
	OP_SWP,
	OP_CAS,
	OP_LOAD,  /* of an exclusive */
	OP_STORE, /* a plain store-release */
};

struct emulated {
	uint32_t insn;
	bool (*fn)(struct box *b, const struct emulated *e);
	uint8_t size; /* log2 of bytes; pairs: of both */
	uint8_t op;
	uint8_t rt, rt2, rn, rs;
	bool pair;
	int16_t offset;
	bool drops_code; /* cache maintenance: IC IVAU */
};

static uint32_t bits(uint32_t insn, unsigned hi, unsigned lo)
{
	return insn >> lo & ((2u << (hi - lo)) - 1);
}

static uint64_t get_x(const struct box *b, unsigned n)
{
	return n == 31 ? 0 : jit->x(b->jit, n);
}

static void put_x(struct box *b, unsigned n, uint64_t value)
{
	if (n != 31)
		jit->set_x(b->jit, n, value);
}

static uint64_t mask_of(unsigned size)
{
	return size == 3 ? ~0ull : (1ull << (8u << size)) - 1;
}

/* --- accesses ----------------------------------------------------------------------------------------- */

struct atomic {
	void *host;
	uint64_t operand[2];  /* CAS, exclusive store: what to store */
	uint64_t expected[2]; /* CAS, exclusive store; afterwards: what was there */
	uint8_t size;         /* log2 of bytes */
	uint8_t op;
	bool stored;
};

static uint64_t combine(enum op op, uint64_t old, uint64_t v, unsigned size)
{
	const unsigned shift = 64 - (8u << size);
	const int64_t sold = (int64_t)(old << shift), sv = (int64_t)(v << shift);

	switch (op) {
	case OP_ADD: return old + v;
	case OP_CLR: return old & ~v;
	case OP_EOR: return old ^ v;
	case OP_SET: return old | v;
	case OP_SMAX: return sold > sv ? old : v;
	case OP_SMIN: return sold < sv ? old : v;
	case OP_UMAX: return old > v ? old : v;
	case OP_UMIN: return old < v ? old : v;
	default: return v;
	}
}

/* The assembly writes EXPECTED. NOLINTNEXTLINE(readability-non-const-parameter) */
static bool compare_and_swap_16(void *p, uint64_t expected[2], const uint64_t desired[2])
{
	bool ok;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(ok), "+m"(*(char(*)[16])p), "+a"(expected[0]), "+d"(expected[1])
			 : "b"(desired[0]), "c"(desired[1])
			 : "memory");
	return ok;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type. */
#define SIZED(T)                                                                                   \
 static void atomic_##T(struct atomic *a)                                                          \
 {                                                                                                 \
  T *p = a->host;                                                                                  \
  const T v = (T)a->operand[0];                                                                    \
  T old = (T)a->expected[0];                                                                       \
                                                                                                   \
  switch (a->op) {                                                                                 \
  case OP_LOAD: old = __atomic_load_n(p, __ATOMIC_SEQ_CST); break;                                 \
  case OP_STORE: __atomic_store_n(p, v, __ATOMIC_SEQ_CST); break;                                  \
  case OP_CAS:                                                                                     \
   a->stored = __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
   break;                                                                                          \
  case OP_SWP: old = __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); break;                           \
  case OP_ADD: old = __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); break;                            \
  default:                                                                                         \
   old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                     \
   while (!__atomic_compare_exchange_n(p, &old, (T)combine(a->op, old, v, a->size), false,         \
				       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                        \
    ;                                                                                              \
  }                                                                                                \
  a->expected[0] = old;                                                                            \
 }
/* NOLINTEND(bugprone-macro-parentheses) */
SIZED(uint8_t)
SIZED(uint16_t)
SIZED(uint32_t)
SIZED(uint64_t)

static void atomic_pair(struct atomic *a)
{
	const uint64_t *p = a->host;

	if (a->op == OP_LOAD) {
		/* Not one access on a CPU either; the exclusive store finds out. */
		a->expected[0] = __atomic_load_n(&p[0], __ATOMIC_SEQ_CST);
		a->expected[1] = __atomic_load_n(&p[1], __ATOMIC_SEQ_CST);
	} else {
		a->stored = compare_and_swap_16(a->host, a->expected, a->operand);
	}
}

static void do_atomic(void *arg)
{
	struct atomic *a = arg;

	switch (a->size) {
	case 0: atomic_uint8_t(a); break;
	case 1: atomic_uint16_t(a); break;
	case 2: atomic_uint32_t(a); break;
	case 3: atomic_uint64_t(a); break;
	default: atomic_pair(a); break;
	}
}

enum order { READS, WRITES, READS_AND_WRITES };

/* Makes the access. False: it faults, and b->stop says how. */
static bool access_atomically(struct box *b, uint64_t addr, struct atomic *a, enum order order,
			      bool aligned)
{
	const uint64_t at = cpu_untag(addr), bytes = 1ull << a->size;

	b->stop = (struct cpu_stop){.addr = addr, .access = order == READS ? MEM_READ : MEM_WRITE};
	if (aligned && (at & (bytes - 1))) {
		b->stop.cause = CPU_STOP_ALIGN;
		return false;
	}
	for (unsigned i = 0; i < 8; i++) {
		a->host = mem_arena.base + at;
		if (at < MEM_SPACE && mem_guard(do_atomic, a))
			return true;
		if (order != WRITES && access_fault(addr, bytes, MEM_READ, &b->stop))
			return false;
		if (order != READS && access_fault(addr, bytes, MEM_WRITE, &b->stop))
			return false;
	}
	b->stop.cause = CPU_STOP_INTERNAL;
	b->stop.text = "a page that may be accessed faults on the host";
	return false;
}

/* --- exclusives, atomics ------------------------------------------------------------------------------ */

static bool load_exclusive(struct box *b, const struct emulated *e)
{
	struct jit_monitor *m = &b->monitor;
	struct atomic a = {.op = OP_LOAD, .size = e->size};
	const uint64_t addr = jit->x(b->jit, e->rn);

	if (!access_atomically(b, addr, &a, READS, true))
		return false;
	m->bytes = 1u << e->size;
	m->address = cpu_untag(addr);
	m->value[0] = a.expected[0];
	m->value[1] = a.expected[1];
	if (e->pair && e->size == 3) {
		put_x(b, e->rt, (uint32_t)a.expected[0]);
		put_x(b, e->rt2, a.expected[0] >> 32);
		return true;
	}
	put_x(b, e->rt, a.expected[0]);
	if (e->pair)
		put_x(b, e->rt2, a.expected[1]);
	return true;
}

static bool store_exclusive(struct box *b, const struct emulated *e)
{
	struct jit_monitor *m = &b->monitor;
	const uint64_t addr = jit->x(b->jit, e->rn);
	struct atomic a = {.op = OP_CAS, .size = e->size};

	if (m->bytes != 1u << e->size || m->address != cpu_untag(addr)) {
		m->bytes = 0;
		put_x(b, e->rs, 1);
		return true;
	}
	a.expected[0] = m->value[0];
	a.expected[1] = m->value[1];
	a.operand[0] = get_x(b, e->rt);
	a.operand[1] = e->pair ? get_x(b, e->rt2) : 0;
	if (e->pair && e->size == 3)
		a.operand[0] = (uint32_t)a.operand[0] | a.operand[1] << 32;
	if (!access_atomically(b, addr, &a, WRITES, true))
		return false;
	m->bytes = 0;
	put_x(b, e->rs, !a.stored);
	return true;
}

static bool clear_exclusive(struct box *b, const struct emulated *e)
{
	(void)e;
	b->monitor.bytes = 0;
	return true;
}

static bool read_modify_write(struct box *b, const struct emulated *e)
{
	struct atomic a = {.op = e->op, .size = e->size};

	a.operand[0] = get_x(b, e->rs) & mask_of(e->size);
	if (!access_atomically(b, jit->x(b->jit, e->rn), &a, READS_AND_WRITES, true))
		return false;
	put_x(b, e->rt, a.expected[0]);
	return true;
}

static bool compare_and_swap(struct box *b, const struct emulated *e)
{
	struct atomic a = {.op = OP_CAS, .size = e->size};

	a.operand[0] = get_x(b, e->rt);
	a.expected[0] = get_x(b, e->rs);
	if (!access_atomically(b, jit->x(b->jit, e->rn), &a, READS_AND_WRITES, true))
		return false;
	put_x(b, e->rs, a.expected[0]);
	return true;
}

static bool compare_and_swap_pair(struct box *b, const struct emulated *e)
{
	struct atomic a = {.op = OP_CAS, .size = e->size};
	uint64_t new[2] = {get_x(b, e->rt), get_x(b, e->rt + 1u)};
	uint64_t old[2] = {get_x(b, e->rs), get_x(b, e->rs + 1u)};

	if (e->size == 3) {
		a.operand[0] = (uint32_t) new[0] | new[1] << 32;
		a.expected[0] = (uint32_t)old[0] | old[1] << 32;
	} else {
		memcpy(a.operand, new, sizeof(new));
		memcpy(a.expected, old, sizeof(old));
	}
	if (!access_atomically(b, jit->x(b->jit, e->rn), &a, READS_AND_WRITES, true))
		return false;
	put_x(b, e->rs, e->size == 3 ? (uint32_t)a.expected[0] : a.expected[0]);
	put_x(b, e->rs + 1u, e->size == 3 ? a.expected[0] >> 32 : a.expected[1]);
	return true;
}

static bool store_release(struct box *b, const struct emulated *e)
{
	struct atomic a = {.op = OP_STORE, .size = e->size};

	a.operand[0] = get_x(b, e->rt);
	return access_atomically(b, jit->x(b->jit, e->rn) + (uint64_t)e->offset, &a, WRITES, false);
}

/* --- system ------------------------------------------------------------------------------------------- */

static bool read_id(struct box *b, const struct emulated *e)
{
	uint64_t value = 0;
	unsigned rt;

	cpu_emulate_mrs(&cpu_dynarmic, e->insn, &rt, &value);
	put_x(b, e->rt, value);
	return true;
}

/* As Unicorn counts: nanoseconds of the monotonic clock by 16 (62.5 MHz). */
static bool read_counter(struct box *b, const struct emulated *e)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	put_x(b, e->rt, ((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec) / 16);
	return true;
}

static void drop_line(void *owner, gaddr line)
{
	(void)owner;
	cpu_memory_changed(line, MEM_CODE_LINE, MEM_CODE);
}

static bool maintain_cache(struct box *b, const struct emulated *e)
{
	const uint64_t addr = get_x(b, e->rt);

	b->stop = (struct cpu_stop){0};
	if (access_fault(addr, 1, MEM_READ, &b->stop)) {
		b->stop.access = MEM_WRITE; /* ISS.WnR is 1 for cache maintenance */
		return false;
	}
	if (!e->drops_code)
		return true;
	mem_code_aliases((gaddr)cpu_untag(addr), drop_line, NULL);
	return true;
}

static void clear_block(void *host)
{
	memset(host, 0, 64);
}

static bool zero_block(struct box *b, const struct emulated *e)
{
	const uint64_t addr = get_x(b, e->rt), line = cpu_untag(addr) & ~63ull;

	for (unsigned i = 0; i < 8; i++) {
		if (line < MEM_SPACE && mem_guard(clear_block, mem_arena.base + line))
			return true;
		b->stop = (struct cpu_stop){0};
		if (access_fault(addr, 1, MEM_WRITE, &b->stop))
			return false;
	}
	b->stop.cause = CPU_STOP_INTERNAL;
	b->stop.text = "a page that may be written faults on the host";
	return false;
}

/* The library leaves a load out whose result goes to XZR; a CPU faults. */
static bool probe(struct box *b, const struct emulated *e)
{
	struct cpu_state s;
	struct insn_access a;

	jit->get_state(b->jit, &s);
	s.pc = cpu_untag(s.pc) - 4;
	b->stop = (struct cpu_stop){0};
	return !insn_access(e->insn, &s, &a) || !access_fault(a.addr, a.size, MEM_READ, &b->stop);
}

static bool give_way(struct box *b, const struct emulated *e)
{
	(void)b;
	(void)e;
	sched_yield();
	return true;
}

/* --- decoding ----------------------------------------------------------------------------------------- */

#define CNTPCT_EL0 SYS_REG(3, 3, 14, 0, 1)
#define CNTVCT_EL0 SYS_REG(3, 3, 14, 0, 2)

enum what { AS_IT_IS, EMULATE, OTHER_WORD };

static enum what other(uint32_t *word, uint32_t insn)
{
	*word = insn;
	return OTHER_WORD;
}

/* C4.1 "Load/store exclusive", with the ordered ones and CAS, CASP. */
static enum what decode_exclusive(uint32_t insn, struct emulated *e, uint32_t *word)
{
	bool o2 = bits(insn, 23, 23), l = bits(insn, 22, 22), o1 = bits(insn, 21, 21);
	uint8_t size = (uint8_t)bits(insn, 31, 30);

	if (o2 && !o1) /* LDAR, LDLAR: plain loads are ordered, as long as STLR is an exchange */
		return l ? other(word, 0x39400000u | (uint32_t)size << 30 | (insn & 0x3ff))
			 : AS_IT_IS;
	e->size = size;
	if (o2) {
		if (e->rt2 != 31)
			return other(word, UNDEFINED);
		e->fn = compare_and_swap;
		return EMULATE;
	}
	if (o1 && size < 2) {
		if (e->rt2 != 31 || (e->rs & 1) || (e->rt & 1))
			return other(word, UNDEFINED);
		e->size = size == 0 ? 3 : 4;
		e->fn = compare_and_swap_pair;
		return EMULATE;
	}
	e->pair = o1;
	e->size = (uint8_t)(size + o1);
	e->fn = l ? load_exclusive : store_exclusive;
	/* What is unpredictable is as Unicorn has it. */
	if (l && o1 && e->rt == e->rt2)
		return other(word, UNDEFINED);
	return EMULATE;
}

static enum what decode_lse(uint32_t insn, struct emulated *e, uint32_t *word)
{
	unsigned o3 = bits(insn, 15, 15), opc = bits(insn, 14, 12);

	e->size = (uint8_t)bits(insn, 31, 30);
	e->fn = read_modify_write;
	if (!o3) {
		e->op = (uint8_t)opc;
		return EMULATE;
	}
	e->op = OP_SWP;
	if (opc == 0)
		return EMULATE;
	if (opc == 4 && bits(insn, 23, 22) == 2 && e->rs == 31) /* LDAPR */
		return other(word, 0x39400000u | (uint32_t)e->size << 30 | (insn & 0x3ff));
	return other(word, UNDEFINED);
}

/* LDAPUR, STLUR. */
static enum what decode_rcpc(uint32_t insn, struct emulated *e, uint32_t *word)
{
	unsigned size = bits(insn, 31, 30), opc = bits(insn, 23, 22);

	if (opc == 0) {
		e->size = (uint8_t)size;
		e->offset = (int16_t)((int32_t)(insn << 11) >> 23);
		e->fn = store_release;
		return EMULATE;
	}
	if ((size == 3 && opc >= 2) || (size == 2 && opc == 3))
		return other(word, UNDEFINED);
	return other(word, 0x38000000u | (insn & 0xc0dff3ffu));
}

static enum what decode_sys(uint32_t insn, const struct insn_sys *sys, struct emulated *e,
			    uint32_t *word)
{
	uint64_t value;
	unsigned rt;

	if (cpu_emulate_mrs(&cpu_dynarmic, insn, &rt, &value)) {
		e->fn = read_id;
		return EMULATE;
	}
	if (sys->read && sys->id == CNTVCT_EL0) {
		e->fn = read_counter;
		return EMULATE;
	}
	if (sys->read)
		return sys->id == CNTPCT_EL0 ? other(word, UNDEFINED) : AS_IT_IS;
	switch (sys->id) {
	case SYS_DC_ZVA: e->fn = zero_block; return EMULATE;
	case SYS_IC_IVAU:
	case SYS_DC_CVAC:
	case SYS_DC_CVAU:
	case SYS_DC_CVAP:
	case SYS_DC_CVADP:
	case SYS_DC_CIVAC:
		e->drops_code = sys->id == SYS_IC_IVAU;
		e->fn = maintain_cache;
		return EMULATE;
	/* The rest of SYS is not for user code. */
	default: return sys->id >> 14 == 1 ? other(word, UNDEFINED) : AS_IT_IS;
	}
}

/* Loads of general registers of which one is XZR. */
static enum what decode_dead_load(uint32_t insn, struct emulated *e, uint32_t *word)
{
	static const struct cpu_state none;
	struct insn_access a;
	bool pair = bits(insn, 29, 27) == 5, literal = bits(insn, 29, 27) == 3;
	bool indexed = !literal && !bits(insn, 24, 24) && !bits(insn, 21, 21) && bits(insn, 10, 10);

	if ((insn & 0x0e000000u) != 0x08000000u || (e->rt != 31 && !(pair && e->rt2 == 31)) ||
	    !insn_access(insn, &none, &a) || a.store)
		return AS_IT_IS;
	if (pair || indexed)
		return other(word, UNDEFINED);
	e->fn = probe;
	return EMULATE;
}

#define SVC(insn)   (((insn)&0xffe0001fu) == SVC_WORD)
#define CLREX(insn) (((insn)&0xfffff0ffu) == 0xd503305fu)
#define WFE         0xd503205fu
#define WFI         0xd503207fu

static enum what decode(uint32_t insn, struct emulated *e, uint32_t *word)
{
	struct insn_sys sys;

	*e = (struct emulated){.insn = insn,
			       .rt = insn & 31,
			       .rn = insn >> 5 & 31,
			       .rt2 = insn >> 10 & 31,
			       .rs = insn >> 16 & 31};
	if (SVC(insn))
		return other(word, SVC_WORD);
	if ((insn & 0x3f000000u) == 0x08000000u)
		return decode_exclusive(insn, e, word);
	if ((insn & 0x3f200c00u) == 0x38200000u)
		return decode_lse(insn, e, word);
	if ((insn & 0x3f200c00u) == 0x19000000u)
		return decode_rcpc(insn, e, word);
	if (CLREX(insn)) {
		e->fn = clear_exclusive;
		return EMULATE;
	}
	if (insn == WFE || insn == WFI) {
		e->fn = give_way;
		return EMULATE;
	}
	if (insn_sys(insn, &sys))
		return decode_sys(insn, &sys, e, word);
	return decode_dead_load(insn, e, word);
}

/* The number of E in B's table, 0: no room. */
static unsigned enter(struct box *b, const struct emulated *e)
{
	unsigned i;

	for (i = 0; i < b->nemulated; i++) {
		if (b->emulated[i].insn == e->insn)
			return i + SVC_FIRST;
	}
	if (b->nemulated == SVC_MAX - SVC_FIRST)
		return 0;
	if (b->nemulated == b->room) {
		unsigned room = b->room ? b->room * 2 : 64;
		struct emulated *more = realloc(b->emulated, room * sizeof(*more));

		if (!more)
			return 0;
		b->emulated = more;
		b->room = room;
	}
	b->emulated[b->nemulated++] = *e;
	return b->nemulated - 1 + SVC_FIRST;
}

uint32_t emulate_word(struct box *b, uint32_t insn)
{
	struct emulated e;
	uint32_t word;
	unsigned n;

	if (cpu_model_doubts(insn))
		return UNDEFINED;
	switch (decode(insn, &e, &word)) {
	case AS_IT_IS: return insn;
	case OTHER_WORD: return word;
	case EMULATE: break;
	}
	n = enter(b, &e);
	return n ? SVC_WORD | n << 5 : UNDEFINED;
}

/* The pc of B is behind the instruction, and goes back if it faults. */
static bool emulate(struct box *b, const struct emulated *e)
{
	uint64_t pc = jit->pc(b->jit) - 4;

	if (e->fn(b, e))
		return true;
	b->stop.pc = cpu_untag(pc);
	jit->set_pc(b->jit, pc);
	return false;
}

void emulate_svc(void *owner, uint32_t imm)
{
	struct box *b = owner;

	if (imm == SVC_CALL)
		jit->halt(b->jit, JIT_SVC);
	else if (imm ==
		 SVC_BREAK) /* the end of a long block; the instruction begins the next one */
		jit->set_pc(b->jit, jit->pc(b->jit) - 4);
	else if (!emulate(b, &b->emulated[imm - SVC_FIRST]))
		jit->halt(b->jit, JIT_STOP);
}

bool emulate_in_line(void *owner, uint32_t imm, struct jit_inline *what)
{
	static const uint8_t in_line[] = {
		[OP_ADD] = JIT_ADD, [OP_CLR] = JIT_AND_NOT, [OP_EOR] = JIT_XOR,
		[OP_SET] = JIT_OR,  [OP_SWP] = JIT_SWAP,
	};
	struct box *b = owner;
	const struct emulated *e;

	if (imm < SVC_FIRST)
		return false;
	e = &b->emulated[imm - SVC_FIRST];
	*what = (struct jit_inline){
		.size = e->size, .base = e->rn, .operand = e->rt, .target = e->rs};
	if (e->fn == read_modify_write) {
		if (e->op >= OP_SMAX && e->op <= OP_UMIN)
			return false;
		what->op = in_line[e->op];
		what->operand = e->rs;
		what->target = e->rt;
	} else if (e->fn == compare_and_swap) {
		what->op = JIT_COMPARE_AND_SWAP;
	} else if (e->fn == store_exclusive && !e->pair) {
		what->op = JIT_STORE_EXCLUSIVE;
	} else if (e->fn == load_exclusive && !e->pair) {
		what->op = JIT_LOAD_EXCLUSIVE;
		what->operand = 31;
		what->target = e->rt;
	} else if (e->fn == zero_block && e->rt != 31) {
		what->op = JIT_ZERO;
		what->base = e->rt;
		what->operand = what->target = 31;
	} else {
		return false;
	}
	return true;
}

bool emulate_one(struct box *b, uint32_t insn, bool *stopped)
{
	struct emulated e;
	uint32_t word;

	*stopped = false;
	if (cpu_model_doubts(insn) || decode(insn, &e, &word) != EMULATE)
		return false;
	jit->set_pc(b->jit, jit->pc(b->jit) + 4);
	*stopped = !emulate(b, &e);
	return true;
}
