/* SPDX-License-Identifier: MIT */
/* Kernel entries for programs. Each call is counted and charged its virtual time, and its result joins the chain. What
 * has become due meanwhile (timers, signals) happens before the call returns. */
#include "kernel/sys/kcall.h"
#include "kernel/sys/kcall_define.h"

#include <stddef.h>

#include "abi/stats.h"
#include "abi/ticks.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/chain.h"
#include "kernel/personality.h"
#include "kernel/sched/account.h"
#include "kernel/sched/ask.h"
#include "kernel/sched/event.h"
#include "kernel/sched/policy.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/point.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

void (*kcall_look)(void);

long kcall_enter(void);
long kcall_leave(unsigned number, long result);

/* Entered by a jump, with the call's number and cost in eax, its function in r10d, and the arguments in place. The
 * decision point comes first, and nothing may be counted before it. Only at kcall_probe, before it, may the stack turn
 * out to end. */
__attribute__((naked)) long kcall_enter(void)
{
	__asm__(".globl kcall_probe\n\t"
	        ".hidden kcall_probe\n"
	        "kcall_probe:\n\t"
	        "testb %%al, -%c[stack](%%rsp)\n\t"
	        "push %%rbx\n\t"
	        ".cfi_adjust_cfa_offset 8\n\t"
	        ".cfi_offset rbx, -16\n\t"
	        "mov %%eax, %%ebx\n\t"
	        "movabs %[points_left], %%r11\n\t"
	        "decq (%%r11)\n\t"
	        "jns 1f\n\t"
	        "lea 1f(%%rip), %%rax\n\t"
	        "jmp ask_call_taken\n"
	        "1:\n\t"
	        "mov %%bx, account_calling\n\t"
	        "movabs %[stats], %%r11\n\t"
	        "incq %c[events](%%r11)\n\t"
	        "movzwl %%bx, %%eax\n\t"
	        "incq %c[calls](%%r11, %%rax, 8)\n\t"
	        "mov %%ebx, %%eax\n\t"
	        "shr %[cost_shift], %%eax\n\t"
	        "xor %%al, %%al\n\t"
	        "sub %%rax, __eremite_ticks_left\n\t"
	        "sub %%eax, %%eax\n\t" /* otherwise a frame on the trap stack would show what is left */
	        "call *%%r10\n\t"
	        "movzwl %%bx, %%edi\n\t"
	        "mov %%rax, %%rsi\n\t"
	        "pop %%rbx\n\t"
	        ".cfi_adjust_cfa_offset -8\n\t"
	        ".cfi_restore rbx\n\t"
	        "jmp kcall_leave"
	        :
	        : [stack] "i"(POINT_STACK_BYTES),
	          [points_left] "i"(LAYOUT_DIRECT_MAP + LAYOUT_SCHED + offsetof(struct sched_shared, points_left)),
	          [stats] "i"(LAYOUT_DIRECT_MAP + LAYOUT_STATS), [events] "i"(offsetof(struct run_stats, events)),
	          [calls] "i"(offsetof(struct run_stats, calls)), [cost_shift] "i"(16 - TICKS_LEFT_SHIFT));
}

/* The end of every call: returns to its caller. */
long kcall_leave(unsigned number, long result)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	chain_add(stats->chain, number, (uint64_t)result);
	event_log(number, result);
	if (__builtin_expect(kcall_look != NULL, 0))
		kcall_look();
	if (__builtin_expect(vclock_is_due(), 0))
		sched_ticks_take();
	if (__builtin_expect(signal_pending() != 0, 0))
		personality.signal_deliver();
	return result;
}

SYSCALL_LIST_COMMON(KCALL_DEFINE)
