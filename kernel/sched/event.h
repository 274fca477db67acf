/* SPDX-License-Identifier: MIT */
/* The log of kernel calls (abi/events.h). A logged run leaves the same memory behind as one that is not: all that is
 * kept lies in the boot area, the stack included, so that the run digest is the same. */
#ifndef KERNEL_SCHED_EVENT_H
#define KERNEL_SCHED_EVENT_H

#include <stdbool.h>

#include "abi/boot.h"
#include "kernel/arch/direct_map.h"

/** Whether the calls of this run are logged. */
static inline bool event_wanted(void)
{
	return ((const struct boot_info *)phys_to_virt(LAYOUT_BOOT_INFO))->events.mode;
}

/**
 * Logs a call that is about to return and has been chained. Does not return when the run is to stop after it. Leaves
 * all registers and the program's stack as they are: there may be no call here, which would write its return address.
 * The numbers are those of LAYOUT_EVENT_SAVED (kernel/sched/event_enter.S).
 */
static inline __attribute__((always_inline)) void event_log(unsigned call, long result)
{
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define SAVED(i) TEXT(LAYOUT_DIRECT_MAP + LAYOUT_EVENT_SAVED + 8 * i)
	__asm__ volatile("movabs %%rax, " SAVED(
				 0) "\n\t"
	                            "mov %[result], %%rax\n\t"
	                            "movabs %%rax, " SAVED(
					    1) "\n\t"
	                                       "lea 1f(%%rip), %%rax\n\t"
	                                       "movabs %%rax, " SAVED(
						       2) "\n\t"
	                                                  "mov %[call], %%eax\n\t"
	                                                  "movabs %%rax, " SAVED(
								  4) "\n\t"
	                                                             "jmp event_enter\n"
	                                                             "1:\n\t"
	                                                             "movabs " SAVED(3) ", %%rax\n\t"
	                                                                                "mov %%rax, %%rsp\n\t"
	                                                                                "movabs " SAVED(0) ", %%rax"
	                 :
	                 : [call] "i"(call), [result] "r"(result)
	                 : "memory", "cc");
#undef TEXT
#undef TEXT_OF
#undef SAVED
}

/** For event_enter alone: the work, on the log's stack. `registers` are the kernel call's, in DWARF order. */
void event_note(unsigned call, long result, const uint64_t registers[17]);

#endif
