/* SPDX-License-Identifier: MIT */
/* Disassembles the most frequent instructions, 95 of 100 in compiled code, by a table of their opcodes (SDM 2D,
 * appendix A). It takes a tenth of the library's time, and a search of a large program disassembles millions. The
 * library remains the judge: all others are left to it, and tests/unit/hypervisor/test_plain_instruction.c compares. */
#ifndef HYPERVISOR_PLAIN_INSTRUCTION_H
#define HYPERVISOR_PLAIN_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "scan/disassembler.h"

/**
 * Disassembles an instruction as disassemble() does, if it is one of the table. Returns its length, or 0 if the library
 * must decide, also when fewer bytes are left than the longest instruction has.
 */
unsigned plain_instruction(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction);

/** Reports what an instruction uses as disassembler_uses() does. Returns false if the library must decide. */
bool plain_instruction_uses(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses);

#endif
