/* SPDX-License-Identifier: MIT */
/* Kernel entries for programs. Each call is counted, takes its virtual time, and its result joins the chain;
 * what has become due meanwhile (timers, signals) happens before it returns. */
#include "kernel/sys/kcall.h"

#include "abi/stats.h"
#include "kernel/lib/chain.h"
#include "kernel/arch/direct_map.h"
#include "kernel/signal/signal.h"
#include "kernel/sched/account.h"
#include "kernel/sched/event.h"
#include "kernel/sys/point.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

static struct run_stats *stats(void)
{
	return phys_to_virt(LAYOUT_STATS);
}

static inline __attribute__((always_inline)) void enter(unsigned number, unsigned cost_ns)
{
	kernel_point_call(number);
	account_calling = (uint16_t)number;
	stats()->calls[number]++;
	stats()->events++;
	vclock_charge((int32_t)cost_ns * TICKS_PER_NS);
}

/* Without a call, and without a register that is not as before, for the reason that ask.S gives. */
static inline __attribute__((always_inline)) void take_ticks(void)
{
	__asm__ volatile("movabs %%rax, " POINT_SAVED(0) "\n\t"
	                                                 "lea 1f(%%rip), %%rax\n\t"
	                                                 "jmp kernel_ticks_taken\n"
	                                                 "1:\n\t"
	                                                 "movabs " POINT_SAVED(0) ", %%rax"
	                 :
	                 :
	                 : "cc", "memory");
}

static inline __attribute__((always_inline)) long leave(unsigned number, long result)
{
	chain_add(stats()->chain, number, (uint64_t)result);
	if (__builtin_expect(event_wanted(), 0))
		event_log(number, result);
	if (__builtin_expect(vclock_is_due(), 0))
		take_ticks();
	if (__builtin_expect(signal_pending() != 0, 0))
		signal_deliver();
	return result;
}

/* Sections of their own, so that image.ld puts them together. */
#define KCALL_DEFINE(number, name, cost, count, ...) \
	__attribute__((section(".text.kcall." #name))) long kcall_##name(SYSCALL_PARAMS_##count(__VA_ARGS__)) \
	{ \
		enter(number, cost); \
		return leave(number, sys_##name(SYSCALL_ARGS_##count(__VA_ARGS__))); \
	}
SYSCALL_LIST(KCALL_DEFINE)
