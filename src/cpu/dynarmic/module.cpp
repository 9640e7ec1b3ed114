/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module: dynarmic behind the C interface of jit.h. */
#include "jit.h"

#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <dynarmic/interface/A64/a64.h>
#include <dynarmic/interface/A64/config.h>
#include <dynarmic/interface/exclusive_monitor.h>

#include "cpu/dynarmic/generated.h"
#include "cpu/dynarmic/library.h"
#include "cpu/state.h"

namespace A64 = Dynarmic::A64;
using Dynarmic::HaltReason;

namespace
{

class Callbacks final : public A64::UserCallbacks
{
      public:
	const jit_callbacks *fn = nullptr;
	void *owner = nullptr;
	A64::Jit *jit = nullptr;

	std::optional<std::uint32_t> MemoryReadCode(std::uint64_t pc) override
	{
		std::uint32_t word;

		/* A block is translated when it is wanted, so the register holds its start. */
		if (!fn->fetch(owner, translation_start(jit->GetPC()), pc, &word))
			return std::nullopt;
		return word;
	}

	std::uint8_t MemoryRead8(std::uint64_t a) override
	{
		return load<std::uint8_t>(a);
	}
	std::uint16_t MemoryRead16(std::uint64_t a) override
	{
		return load<std::uint16_t>(a);
	}
	std::uint32_t MemoryRead32(std::uint64_t a) override
	{
		return load<std::uint32_t>(a);
	}
	std::uint64_t MemoryRead64(std::uint64_t a) override
	{
		return load<std::uint64_t>(a);
	}
	A64::Vector MemoryRead128(std::uint64_t a) override
	{
		return load<A64::Vector>(a);
	}

	void MemoryWrite8(std::uint64_t a, std::uint8_t v) override
	{
		store(a, v);
	}
	void MemoryWrite16(std::uint64_t a, std::uint16_t v) override
	{
		store(a, v);
	}
	void MemoryWrite32(std::uint64_t a, std::uint32_t v) override
	{
		store(a, v);
	}
	void MemoryWrite64(std::uint64_t a, std::uint64_t v) override
	{
		store(a, v);
	}
	void MemoryWrite128(std::uint64_t a, A64::Vector v) override
	{
		store(a, v);
	}

	void InterpreterFallback(std::uint64_t pc, size_t) override
	{
		fn->trap(owner, pc, JIT_TRAP_OTHER);
	}

	void CallSVC(std::uint32_t imm) override
	{
		fn->svc(owner, imm);
	}

	void ExceptionRaised(std::uint64_t pc, A64::Exception exception) override
	{
		jit->SetPC(pc); /* generated code has put the next instruction's there */
		if (exception == A64::Exception::Breakpoint)
			fn->trap(owner, pc, JIT_TRAP_BREAKPOINT);
		else if (exception == A64::Exception::NoExecuteFault)
			fn->trap(owner, pc, JIT_TRAP_FETCH);
		else
			fn->trap(owner, pc, JIT_TRAP_OTHER);
	}

	/* Not counted, and CNTPCT_EL0 is not for user code. */
	void AddTicks(std::uint64_t) override
	{
	}
	std::uint64_t GetTicksRemaining() override
	{
		return 0;
	}
	std::uint64_t GetCNTPCT() override
	{
		return 0;
	}

      private:
	template <typename T> T load(std::uint64_t a)
	{
		T v;

		fn->load(owner, a, sizeof(v), &v);
		return v;
	}

	template <typename T> void store(std::uint64_t a, T v)
	{
		fn->store(owner, a, sizeof(v), &v);
	}
};

} // namespace

struct jit {
	Callbacks callbacks;
	/* Exclusive accesses never reach the library, but it wants one. */
	Dynarmic::ExclusiveMonitor monitor{1};
	std::optional<A64::Jit> vm;
	generated *hot = nullptr;
};

namespace
{

A64::UserConfig config_of(jit *j, const jit_config *c, bool fast_dispatch)
{
	A64::UserConfig u;

	u.callbacks = &j->callbacks;
	u.global_monitor = &j->monitor;
	u.tpidr_el0 = c->tpidr;
	u.tpidrro_el0 = c->zero;
	u.cntfrq_el0 = c->counter_hz;
	u.ctr_el0 = c->cache_type;
	u.dczid_el0 = c->zva;
	u.fastmem_pointer = c->arena;
	u.fastmem_address_space_bits = 32;
	u.silently_mirror_fastmem = false;
	/* A fault is rare and often the only one of its place: a stack that grows. */
	u.recompile_on_fastmem_failure = false;
	u.check_halt_on_memory_access = true;
	u.enable_cycle_counting = false;
	u.wall_clock_cntpct = true;
	u.code_cache_size = c->code_size;
	/* MiscIROpt joins instructions for the interpreter, which takes them one by one here. */
	u.optimizations = Dynarmic::OptimizationFlag::BlockLinking |
			  Dynarmic::OptimizationFlag::ReturnStackBuffer |
			  Dynarmic::OptimizationFlag::GetSetElimination |
			  Dynarmic::OptimizationFlag::ConstProp;
	if (fast_dispatch)
		u.optimizations |= Dynarmic::OptimizationFlag::FastDispatch;
	return u;
}

jit *create(const jit_config *c)
{
	try {
		auto j = std::make_unique<jit>();

		j->callbacks.fn = c->callbacks;
		j->callbacks.owner = c->owner;
		translation_begin();
		dispatch_begin();
		j->vm.emplace(config_of(j.get(), c, true));
		if (!dispatch_end())
			j->vm.emplace(config_of(j.get(), c, false));
		j->callbacks.jit = &*j->vm;
		j->hot = generated_create(c);
		return j.release();
	} catch (...) {
		return nullptr;
	}
}

constexpr std::uint64_t NO_CODE = std::uint64_t{1} << 55;

std::uint32_t run(jit *j)
{
	std::uint32_t why;

	generated_use(j->hot);
	do {
		why = static_cast<std::uint32_t>(j->vm->Run());
		if (generated_is_cluttered(j->hot))
			j->vm->ClearCache(); /* before the next block */
		if (!(why & JIT_HOT))
			return why;
		/* Nothing has been executed of the block at the pc. */
		hot_found(j->hot, j->vm->GetPC(), j->vm->GetFpcr());
		/* No code is there, but the stack of return addresses is emptied, and the block looked for. */
		j->vm->InvalidateCacheRange(NO_CODE, 4);
		why &= ~static_cast<std::uint32_t>(JIT_HOT);
	} while (!why);
	return why;
}

void halt(jit *j, std::uint32_t reason)
{
	j->vm->HaltExecution(static_cast<HaltReason>(reason));
}

void invalidate(jit *j, std::uint64_t start, std::uint64_t len)
{
	j->vm->InvalidateCacheRange(start, len);
	if (!j->hot || !len)
		return;
	for (const std::uint64_t begin : hot_touched(j->hot, start, len))
		j->vm->InvalidateCacheRange(begin, 4);
}

void clear(jit *j)
{
	j->vm->ClearCache();
}

void get_state(const jit *j, cpu_state *s)
{
	const auto x = j->vm->GetRegisters();
	const auto v = j->vm->GetVectors();

	static_assert(sizeof(x) == sizeof(s->x) && sizeof(v) == sizeof(s->v));
	std::memcpy(s->x, x.data(), sizeof(s->x));
	std::memcpy(s->v, v.data(), sizeof(s->v));
	s->sp = j->vm->GetSP();
	s->pc = j->vm->GetPC();
	s->pstate = j->vm->GetPstate();
	s->fpcr = j->vm->GetFpcr();
	s->fpsr = j->vm->GetFpsr();
}

void set_state(jit *j, const cpu_state *s)
{
	std::array<std::uint64_t, 31> x;
	std::array<A64::Vector, 32> v;

	std::memcpy(x.data(), s->x, sizeof(s->x));
	std::memcpy(v.data(), s->v, sizeof(s->v));
	j->vm->SetRegisters(x);
	j->vm->SetVectors(v);
	j->vm->SetSP(s->sp);
	j->vm->SetPC(s->pc);
	j->vm->SetPstate(static_cast<std::uint32_t>(s->pstate));
	j->vm->SetFpcr(s->fpcr);
	j->vm->SetFpsr(s->fpsr);
}

std::uint64_t get_x(const jit *j, unsigned n)
{
	return j->vm->GetRegister(n);
}

void set_x(jit *j, unsigned n, std::uint64_t value)
{
	j->vm->SetRegister(n, value);
}

std::uint64_t get_pc(const jit *j)
{
	return j->vm->GetPC();
}

void set_pc(jit *j, std::uint64_t pc)
{
	j->vm->SetPC(pc);
}

/* The library's own handler, which knows its generated code. It was in force for a moment only. */
void (*library_handler)(int, siginfo_t *, void *);

bool host_fault(const jit *j, int signo, void *context, bool near)
{
	auto &rip = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
	const auto pc = static_cast<std::uint64_t>(rip);

	if (const std::uint64_t otherwise = generated_otherwise(j->hot, pc)) {
		rip = static_cast<greg_t>(otherwise);
		return true;
	}
	if (!near && !generated_has(j->hot, pc))
		return false;
	library_handler(signo, nullptr, context);
	return true;
}

const jit_module module_table = {
	create,    run,   halt,  invalidate, clear,  get_state,
	set_state, get_x, set_x, get_pc,     set_pc, host_fault,
};

} // namespace

const jit_module *ilp32run_jit_module(void)
{
	struct sigaction now;

	/* The library has installed its handler when it was loaded; whoever loaded it puts the old one
	 * back. */
	if (sigaction(SIGSEGV, nullptr, &now) != 0 || !(now.sa_flags & SA_SIGINFO))
		return nullptr;
	library_handler = now.sa_sigaction;
	return &module_table;
}
