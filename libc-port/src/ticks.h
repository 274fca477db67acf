/* SPDX-License-Identifier: MIT */
/* Work that is counted by hand, where the compiler's plugin (libc-port/ticks) is not used. */
#ifndef LIBC_PORT_TICKS_H
#define LIBC_PORT_TICKS_H

#include <stdint.h>

#include "abi/ticks.h"

/**
 * Lets `ticks` (a quarter of a nanosecond each; abi/ticks.h) pass, as work done. Signal handlers and other threads may
 * run meanwhile. The same check as the plugin makes. Of what no loop could last for, 2^48 ticks, only the rest counts:
 * a length may be any number until it is found to be wrong.
 */
static inline __attribute__((always_inline)) void ticks_charge(uint64_t ticks)
{
	__asm__ goto("subq %[ticks], __eremite_ticks_left\n\t"
	             "jle %l[out]"
	             :
	             : [ticks] "er"(ticks << 16 >> (16 - TICKS_LEFT_SHIFT))
	             : "cc"
	             : out);
	return;
out:
	__asm__ volatile("movl $1f, __eremite_ticks_back\n\t"
	                 "jmp __eremite_ticks_out\n"
	                 "1:"
	                 :
	                 :
	                 : "cc");
}

#endif
