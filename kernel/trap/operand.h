/* SPDX-License-Identifier: MIT */
/* Memory operands of instructions: ModRM, SIB and displacement (SDM 2A, 2.1.5). */
#ifndef KERNEL_TRAP_OPERAND_H
#define KERNEL_TRAP_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Whether ModRM says that there is one. */
static inline bool operand_is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

/** Its address, by its ModRM with what follows, the instruction's REX (of which X and B count) and where the next
 * instruction begins; without a segment's base. */
uint64_t operand_address(const struct trap_frame *frame, const uint8_t *modrm, uint8_t rex, uint64_t next);

/** What an instruction with ModRM works on. */
struct operand {
	const uint8_t *opcode; /**< in the instruction, behind its prefixes */
	uint8_t modrm;
	unsigned bytes; /**< of a register: 2, 4 or 8 */
	unsigned reg;   /**< the register that ModRM.reg names */
	unsigned rm;    /**< the one that ModRM.rm names, if that is no memory */
	bool is_memory;
	uint64_t address; /**< of memory */
};

/**
 * Reads an instruction of one byte, or of 0f and one, that was patched: the frame is one behind its first byte. With a
 * segment's base or a 32-bit address it is not known here: false, and the program has SIGILL.
 */
bool operand_decode(struct trap_frame *frame, const uint8_t *code, unsigned length, struct operand *out);

/** The program's signal when its instruction, which it is one behind the first byte of, may not use its operand. */
void operand_fault(struct trap_frame *frame, uint64_t address, bool is_store);

#endif
