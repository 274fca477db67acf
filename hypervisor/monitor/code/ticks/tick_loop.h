/* SPDX-License-Identifier: MIT */
/* Innermost loops that the kernel copies into the stub of their site, so that a round takes no jump there and back. */
#ifndef HYPERVISOR_TICK_LOOP_H
#define HYPERVISOR_TICK_LOOP_H

#include "abi/code.h"
#include "code/ticks/tick_graph.h"

#define TICK_LOOP_PARTS_MAX 12

/** Whether an instruction may be at another address; `is_unknown`: not all places are known to which its function's
 * jumps lead. */
bool tick_loop_is_movable(const struct code_step *step, bool is_unknown);

/** Describes the displacement of a jump in *part. Returns false for another instruction, jumps with prefixes, and jrcxz
 * and loop. */
bool tick_loop_describe_jump(const uint8_t *at, const struct instruction *in, struct code_patch *part);

/**
 * Lists the instructions of a head's loop that change when it is copied, without those in the bytes of its site:
 * patches of the kinds CODE_LOOP_PART and, as the last one, CODE_LOOP. Returns how many there are; 0: this loop is not
 * copied, because its blocks do not follow each other up to the one that jumps back, or it calls, has another loop or a
 * site in it, leaves its page, or is large.
 */
unsigned tick_loop_list(const struct code_function *function, const struct tick_graph *graph,
                        const struct code_area *area, uint32_t head, const struct code_patch *site, bool is_unknown,
                        struct code_patch parts[TICK_LOOP_PARTS_MAX]);

#endif
