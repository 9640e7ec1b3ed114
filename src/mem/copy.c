/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies between the emulator and guest memory. The page table decides first, as the kernel's
 * access_ok() and page tables would; what it cannot know, a file that became shorter or a mapping
 * that another thread removed meanwhile, faults on the host, and the fault handler jumps back here.
 */
#include "mem/internal.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static _Thread_local sigjmp_buf *recovery;
static _Thread_local volatile int without_faults;

void mem_copy_without_faults(bool on)
{
	without_faults = on;
}

void mem_copy_fault(void *host_addr)
{
	gaddr a;

	/* Anything else is a bug of ours that happened meanwhile. */
	if (recovery && mem_from_host(host_addr, &a))
		siglongjmp(*recovery, 1);
}

/* Runs STATEMENT, which touches guest memory; the value is false if it faulted. The mask is not
 * saved: the handler runs with SIGSEGV and SIGBUS unblocked (SA_NODEFER) for this. */
#define GUARDED(statement)                   \
 (                                           \
	 {                                   \
   sigjmp_buf here_, *before_ = recovery;    \
   bool ok_ = sigsetjmp(here_, 0) == 0;      \
   if (ok_) {                                \
    recovery = &here_;                       \
    __atomic_signal_fence(__ATOMIC_SEQ_CST); \
    statement;                               \
    __atomic_signal_fence(__ATOMIC_SEQ_CST); \
   }                                         \
   recovery = before_;                       \
   ok_;                                      \
	 })

bool mem_guard(void (*fn)(void *arg), void *arg)
{
	return GUARDED(fn(arg));
}

/* The host kernel copies N bytes from or to guest memory AT. */
static bool host_copy(void *own, gaddr at, size_t n, bool out)
{
	struct iovec here = {own, n}, there = {mem_host(at), n};
	ssize_t r = out ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
			: process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	return r == (ssize_t)n;
}

static bool host_probe(gaddr a)
{
	uint8_t byte;

	return host_copy(&byte, a, 1, false);
}

static bool host_zero(gaddr at, size_t n)
{
	static uint8_t zeros[MEM_PAGE_SIZE];

	for (size_t k; n; at += (gaddr)k, n -= k) {
		k = n < sizeof(zeros) ? n : sizeof(zeros);
		if (!host_copy(zeros, at, k, true))
			return false;
	}
	return true;
}

bool mem_probe(gaddr a)
{
	if (without_faults)
		return host_probe(a);
	return GUARDED((void)*(volatile uint8_t *)mem_host(a));
}

/* How many bytes of [a, a+n) can be accessed by the table: one bit of NEED is enough. */
static size_t accessible(gaddr a, size_t n, uint8_t need)
{
	uint64_t end = (uint64_t)a + n, p = a;

	while (p < end) {
		if (p >= MEM_SPACE)
			break;
		if (!(*page_at(p) & need) &&
		    ((*page_at(p) & PG_MAPPED) || !mem_grow((gaddr)p) || !(*page_at(p) & need)))
			break;
		p = (p | MEM_PAGE_MASK) + 1;
	}
	return (p > end ? end : p) - a;
}

int mem_copy_in(void *dst, gaddr src, size_t n)
{
	size_t k = accessible(src, n, PG_ACCESS);

	if (without_faults ? !host_copy(dst, src, k, false)
			   : !GUARDED(memcpy(dst, mem_host(src), k)))
		return -EFAULT;
	return k == n ? 0 : -EFAULT;
}

int mem_copy_out(gaddr dst, const void *src, size_t n)
{
	size_t k = accessible(dst, n, PG_W);

	if (without_faults ? !host_copy((void *)(uintptr_t)src, dst, k, true)
			   : !GUARDED(memcpy(mem_host(dst), src, k)))
		return -EFAULT;
	mem_host_wrote(dst, k);
	return k == n ? 0 : -EFAULT;
}

int mem_zero_out(gaddr dst, size_t n)
{
	size_t k = accessible(dst, n, PG_W);

	if (without_faults ? !host_zero(dst, k) : !GUARDED(memset(mem_host(dst), 0, k)))
		return -EFAULT;
	mem_host_wrote(dst, k);
	return k == n ? 0 : -EFAULT;
}

#define FIRST_PIECE 128

int64_t mem_copy_str(char *dst, gaddr src, size_t size)
{
	size_t done = 0;

	while (done < size) {
		uint64_t at = (uint64_t)src + done;
		size_t k = MEM_PAGE_SIZE - (at & MEM_PAGE_MASK);
		const char *nul;

		/* Few strings are longer: what lies behind them on the page is not copied, too. */
		if (!done && k > FIRST_PIECE)
			k = FIRST_PIECE;
		if (k > size - done)
			k = size - done;
		if (at >= MEM_SPACE || mem_copy_in(dst + done, (gaddr)at, k) < 0)
			return -EFAULT;
		nul = memchr(dst + done, 0, k);
		if (nul)
			return nul - dst;
		done += k;
	}
	return -ENAMETOOLONG;
}

int mem_get_u32(gaddr src, uint32_t *v)
{
	return mem_copy_in(v, src, sizeof(*v));
}

int mem_put_u32(gaddr dst, uint32_t v)
{
	return mem_copy_out(dst, &v, sizeof(v));
}

int mem_put_u64(gaddr dst, uint64_t v)
{
	return mem_copy_out(dst, &v, sizeof(v));
}

int mem_cas_u32(gaddr a, uint32_t *expected, uint32_t desired)
{
	bool done = false;
	uint32_t seen = *expected;

	if (a % sizeof(seen) || accessible(a, sizeof(seen), PG_W) != sizeof(seen))
		return -EFAULT;
	if (without_faults && !host_probe(a))
		return -EFAULT;
	if (!GUARDED(done = __atomic_compare_exchange_n((uint32_t *)mem_host(a), &seen, desired,
							false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)))
		return -EFAULT;
	if (done)
		mem_host_wrote(a, sizeof(seen));
	*expected = seen;
	return 0;
}

void mem_after_fork(void)
{
	own_lock_init(&mem_state.lock);
}

void mem_bury(void)
{
	recovery = NULL;
}

bool mem_from_host(const void *host, gaddr *a)
{
	uintptr_t off = (uintptr_t)host - (uintptr_t)mem_arena.base;

	if (!mem_arena.page || off >= MEM_SPACE)
		return false;
	*a = (gaddr)off;
	return true;
}
