/* SPDX-License-Identifier: MIT */
/* Which bytes of memory are instructions, as far as that follows from one place that is executed: those that are
 * reached from there by going on, and by direct jumps and calls. */
#ifndef HYPERVISOR_CODE_FLOW_H
#define HYPERVISOR_CODE_FLOW_H

#include <stdint.h>

/** A byte for each byte: whether an instruction begins there that is reached from `entry`. For free(); NULL without
 * memory. The disassembler must be loaded. */
uint8_t *code_flow_from(const uint8_t *bytes, uint64_t count, uint64_t entry);

#endif
