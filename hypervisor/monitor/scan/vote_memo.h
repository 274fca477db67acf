/* SPDX-License-Identifier: MIT */
/* Remembers votes about memory that a program has made code of. The same bytes are judged again whenever their page was
 * written elsewhere, or entered at another place. */
#ifndef HYPERVISOR_VOTE_MEMO_H
#define HYPERVISOR_VOTE_MEMO_H

#include "scan/vote.h"

/**
 * Does what vote_ask does with from = 0, and returns the same. Only for OPCODE_RAW, where nothing but the bytes around
 * the offset and its alignment decide. vote->instruction.target is 0.
 */
void vote_memo_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset, unsigned set,
                   struct vote *vote);

#endif
