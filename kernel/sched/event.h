/* SPDX-License-Identifier: MIT */
/* The log of kernel calls (abi/events.h). A logged run leaves the same memory behind as one that is not: all that is
 * kept lies in the boot area, the stack included, so that the run digest is the same. */
#ifndef KERNEL_SCHED_EVENT_H
#define KERNEL_SCHED_EVENT_H

#include "abi/boot.h"
#include "kernel/arch/direct_map.h"

/**
 * Logs a call that is about to return and has been chained, when the calls of this run are logged. Does not return when
 * the run is to stop after it. Leaves all registers and the program's stack as they are: there may be no call here,
 * which would write its return address, and no branch of the compiler's, on one side of which it might set a register.
 * What is at LAYOUT_EVENT_SAVED, kernel/sched/event_enter.S tells.
 */
static inline __attribute__((always_inline)) void event_log(unsigned call, long result)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	__asm__ volatile(
		"cmpq $0, %[mode]\n\t"
		"je 1f\n\t"
		"movabs %%rax, %P[saved]\n\t"
		"mov %%rsi, %%rax\n\t"
		"movabs %%rax, %P[saved] + 8\n\t"
		"lea 2f(%%rip), %%rax\n\t"
		"movabs %%rax, %P[saved] + 16\n\t"
		"mov %%edi, %%eax\n\t"
		"movabs %%rax, %P[saved] + 32\n\t"
		"jmp event_enter\n"
		"2:\n\t"
		"movabs %P[saved] + 24, %%rax\n\t"
		"mov %%rax, %%rsp\n\t"
		"movabs %P[saved], %%rax\n"
		"1:"
		:
		: "D"(call),
		  "S"(result), [mode] "m"(boot->events.mode), [saved] "i"(LAYOUT_DIRECT_MAP + LAYOUT_EVENT_SAVED)
		: "memory", "cc");
}

/** For event_enter alone: the work, on the log's stack. `registers` are the kernel call's, in DWARF order. */
void event_note(unsigned call, long result, const uint64_t registers[17]);

#endif
