/* SPDX-License-Identifier: MIT */
/* The log of kernel calls (abi/events.h). A run with a log leaves the same memory behind as one without: all of its
 * state is in the boot area, including its stack, so that the run digest is the same. */
#ifndef KERNEL_SCHED_EVENT_H
#define KERNEL_SCHED_EVENT_H

#include "abi/boot.h"
#include "kernel/arch/direct_map.h"

/** Logs a call that has been chained and is about to return, if this run is logged. Does not return when the run is to
 * stop after this call. All registers and the program's stack stay unchanged. For this reason it is assembly: a call
 * would write a return address, and if the compiler branched here, it might set a register on one side only.
 * kernel/sched/event_enter.S describes the words at LAYOUT_EVENT_SAVED. */
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

/** Does the work on the log's stack; only event_enter calls it. `registers` are those of the kernel call, in DWARF
 * order. */
void event_note(unsigned call, long result, const uint64_t registers[17]);

#endif
