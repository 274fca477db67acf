/* SPDX-License-Identifier: MIT */
/* Kernel entries for programs. Each call is counted, takes its virtual time, and its result joins the chain;
 * what has become due meanwhile (timers, signals) happens before it returns. */
#include "kernel/sys/kcall.h"

#include "abi/stats.h"
#include "kernel/lib/chain.h"
#include "kernel/arch/direct_map.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/event.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

static struct run_stats *stats(void)
{
	return phys_to_virt(LAYOUT_STATS);
}

static inline void enter(unsigned number, uint64_t cost_ns)
{
	stats()->calls[number]++;
	stats()->events++;
	stats()->virtual_ns += cost_ns;
}

static __attribute__((noinline, cold)) void work(void)
{
	timer_expire();
	signal_deliver();
}

static inline __attribute__((always_inline)) long leave(unsigned number, long result)
{
	chain_add(stats()->chain, number, (uint64_t)result);
	if (__builtin_expect(event_wanted(), 0))
		event_log(number, result);
	if (__builtin_expect(timer_is_due() | (signal_state.pending != 0), 0))
		work();
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
