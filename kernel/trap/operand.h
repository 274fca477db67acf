/* SPDX-License-Identifier: MIT */
/* Memory operands of instructions: ModRM, SIB and displacement (SDM 2A, 2.1.5). */
#ifndef KERNEL_TRAP_OPERAND_H
#define KERNEL_TRAP_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Whether the operand of a ModRM byte is in memory. */
static inline bool operand_is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

/** The address of a memory operand, without a segment base. Takes its ModRM and the bytes that follow, the
 * instruction's REX (X and B count), and the address of the next instruction. */
uint64_t operand_address(const struct trap_frame *frame, const uint8_t *modrm, uint8_t rex, uint64_t next);

/** The operands of an instruction with ModRM. */
struct operand {
	const uint8_t *opcode; /**< in the instruction, after its prefixes */
	uint8_t modrm;
	unsigned bytes; /**< size of a register operand: 2, 4 or 8 */
	unsigned reg;   /**< the register that ModRM.reg names */
	unsigned rm;    /**< the register that ModRM.rm names, if the operand is not in memory */
	bool is_memory;
	uint64_t address; /**< of the operand in memory, with its segment's base */
};

/** Decodes a patched instruction whose opcode is one byte, or 0f and one byte. The frame is one byte behind its start.
 */
void operand_decode(const struct trap_frame *frame, const uint8_t *code, unsigned length, struct operand *out);

/** Sends the program the signal for an operand that it may not access. The frame is one byte behind the instruction's
 * start. */
void operand_fault(struct trap_frame *frame, uint64_t address, bool is_store);

#endif
