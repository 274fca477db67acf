/* SPDX-License-Identifier: MIT */
/* The code of checks of the countdown.
 *
 * A check is
 *
 *             subq $cost, __eremite_ticks_left
 *             jle  out
 *     back:
 *
 *     out:    (with the function's other unlikely code)
 *             movl $back, __eremite_ticks_back
 *             jmp  __eremite_ticks_out
 *
 * In a small loop each round would wait for the countdown of the round before, which comes back from memory after
 * some eight cycles. Such a loop counts in a register what it owes, and compares:
 *
 *             add  $cost, %owed
 *             movq %owed, __eremite_ticks_owed
 *             cmpq %owed, __eremite_ticks_left
 *             jle  out
 *     back:
 *
 *     out:    subq %owed, __eremite_ticks_left
 *             movl $1f, __eremite_ticks_back
 *             jmp  __eremite_ticks_out
 *     1:      (when something was done, owed = 0; else)
 *             addq %owed, __eremite_ticks_left
 *             jmp  back
 *
 * and pays behind each of its ends. Both run out in the same round and charge the same. The store is for the kernel,
 * which makes a loop pay that a fault leaves, and for nobody in the loop to wait for.
 *
 * The cost is in the parts of a tick that abi/ticks.h tells of, so that a check always leaves the same flags.
 *
 * Invariants. The asm statements clobber nothing but the flags: the compiler moves accesses to memory across them. No
 * copy of the countdown, which a replay may find at another value, gets into a register or onto the stack
 * (kernel/sched/ask.S, which keeps all registers and the red zone). What a loop owes is the same in each replay: it is
 * taken back into the register unless something was done, which a replay does, too. The countdown's address is
 * absolute, not relative to %rip: some processors then hand its value from one check to the next at once. */
#ifndef LIBC_PORT_TICKS_CHECK_H
#define LIBC_PORT_TICKS_CHECK_H

#include <vector>

#include "libc-port/ticks/gcc.h"

/** Puts a check at the end of the block where `on` comes from; `on` is its only way on, to a block without PHIs. */
void check_add(edge on, long ticks);

/** A loop that counts in a register: its only entry, the ways back there, and those out; none of them is abnormal. */
struct check_loop {
	basic_block start;
	std::vector<edge> back, exits;
};

/** Puts a check behind the labels of the loop's start, and the code that pays what the register has counted on the ways
 * out. */
void check_add_counting(const check_loop &loop, long ticks);

#endif
